"""Rosters: ids, chains of command, and every kind of bad row."""

import pytest

from simkit.scenario.roster import check_weapons, read_roster, slug


def test_ids_are_made_of_command_and_name(book):
    roster = read_roster(book.units.parent)
    assert slug("1/1/RW") == "1-1-rw"
    assert slug("17 AL SS Bn") == "17-al-ss-bn"
    unit = roster.unit("1-1-rw/22-in")
    assert (unit.name, unit.side, unit.kind) == ("22 IN", "Union", "infantry")
    assert roster.leader("1-p/cheatham").name == "Cheatham"
    with pytest.raises(KeyError, match='unknown unit "1-1-rw/22-im"; did you mean "1-1-rw/22-in"'):
        roster.unit("1-1-rw/22-im")
    with pytest.raises(KeyError, match='did you mean "rw/mccook"'):
        roster.leader("rw/mcook")


UNIT = "Union,1/1/RW,22 IN,infantry,6,"
POST = "Union,1/1/RW,Post,brigade,4,0,0,0,0,N,0"


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "said"),
    [
        ("units", UNIT, "Union,1/1/RW,22 IN,infantry,-3,", 2, "full: must be at least 1, not -3"),
        ("units", UNIT, "Union,1/1/RW,22 IN,infantry,400,", 2, "full: must be at most 40, not 400"),
        ("units", UNIT, "Union,1/1/RW,22 IN,infantry,,", 2, "full: this key is missing"),
        (
            "units",
            UNIT,
            "Union,1/1/RW,22 IN,infantery,6,",
            2,
            "kind: must be 'infantry', 'cavalry' or 'artillery', not 'infantery'",
        ),
        ("units", UNIT, "Unoin,1/1/RW,22 IN,infantry,6,", 2, "side: must be 'Union' or 'Confederate', not 'Unoin'"),
        ("units", "59 IL", "22 IN", 3, "two rows have the id 1-1-rw/22-in; ids are made of command and name"),
        (
            "units",
            UNIT,
            "Union,9/1/RW,22 IN,infantry,6,",
            2,
            '9-1-rw/22-in: unknown Union command "9/1/RW"; did you mean "3/1/RW"?',
        ),
        (
            "units",
            UNIT,
            "Confederate,1/1/RW,22 IN,infantry,6,",
            2,
            '1-1-rw/22-in: unknown Confederate command "1/1/RW"; did you mean "1/1/S"?',
        ),
        ("units", UNIT, "Union,1/RW,22 IN,infantry,6,", 2, "1/RW is a division; a unit serves in a brigade"),
        (
            "units",
            "1862,6,5,6,5,no",
            "1862,6,7,6,5,no",
            2,
            "22 IN: the disordered side cannot be better than the good-order side (2.21)",
        ),
        ("units", "1862,6,5,6,5,no", "1862,6,5,6,5,perhaps", 2, "green: must be true or false, not 'perhaps'"),
        ("units", "cohesion,", "cohesoin,", 1, 'unknown column "cohesoin"; did you mean "cohesion"?'),
        ("leaders", POST, POST.replace(",4,", ",99,"), 4, "range: must be at most 40, not 99"),
        ("leaders", POST, POST.replace(",N,", ",X,"), 4, "profile: must be 'A', 'N', 'C' or 'U', not 'X'"),
        (
            "leaders",
            "Union,1/RW,Davis",
            "Union,1/1/RW,Davis",
            3,
            "1-1-rw/davis is a division leader, but 1/1/RW is a brigade",
        ),
        (
            "leaders",
            POST,
            POST.replace(",4,0,0", ",4,0,1"),
            4,
            "efficiency: a brigade leader has none; his counter shows range, profile, orders (2.22)",
        ),
        (
            "leaders",
            "Union,2/1/RW,Carlin",
            "Union,1/1/RW,Post",
            5,
            "two rows have the id 1-1-rw/post; ids are made of command and name",
        ),
        ("commands", "Union,1/RW,", "Union,RW,", 4, "Union RW stands twice"),
        ("commands", "division,RW", "division,rw", 4, 'Union 1/RW: unknown superior "rw"; did you mean "RW"?'),
        ("commands", "division,RW", "division,", 4, "Union 1/RW: a division needs a superior"),
        (
            "commands",
            "division,RW",
            "division,P",
            4,
            (
                'Union 1/RW: unknown superior "P"; known: AoC, RW, 1/RW, 1/1/RW, 2/1/RW, 3/1/RW, Escort/RW, 2/RW, '
                "1/2/RW, 2/2/RW, 3/2/RW, 3/RW, Escort/3/RW, 1/3/RW, 2/3/RW, 3/3/RW, C, 1/C, Escort/1/C, 1/1/C "
                "and 40 more"
            ),
        ),
        ("commands", "army,\n", "army,RW\n", 2, "Union AoC: an army has no superior"),
        # The lowest of a circle of superiors always stands under one that is no higher.
        (
            "commands",
            "Union,RW,Right Wing,corps,AoC",
            "Union,RW,Right Wing,corps,1/RW",
            3,
            "Union RW: its superior 1/RW does not stand above a corps",
        ),
        (
            "commands",
            "brigade,1/RW",
            "brigade,2/1/RW",
            5,
            "Union 1/1/RW: its superior 2/1/RW does not stand above a brigade",
        ),
        (
            "commands",
            "brigade,1/RW",
            "regiment,1/RW",
            5,
            "level: must be 'brigade', 'division', 'corps' or 'army', not 'regiment'",
        ),
    ],
)
def test_bad_rows(book, message, file, old, new, line, said):
    path = book.units.with_stem(file)
    book.change(path, old, new)
    assert message(read_roster, path.parent) == f"{path}, line {line}: {said}"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (
            ",R,reconstructed",
            ",Q,reconstructed",
            2,
            '1-1-rw/22-in: unknown weapon "Q"; known: R, M, C, SG, P, SR, SC, N, TB, H12, R3, P10, J',
        ),
        (
            ",R,reconstructed",
            ",N,reconstructed",
            2,
            "1-1-rw/22-in: infantry cannot have weapon N (12-pounder Napoleon)",
        ),
        (
            ",P10,reconstructed",
            ",R,reconstructed",
            6,
            "1-1-rw/5-wi-bty: artillery cannot have weapon R (rifled musket)",
        ),
    ],
)
def test_weapons_that_do_not_fit(book, charts, message, old, new, line, said):
    book.change(book.units, old, new)
    roster = read_roster(book.units.parent)
    assert message(check_weapons, roster, charts, book.units.parent) == f"{book.units}, line {line}: {said}"


def test_a_missing_file(book, message):
    book.leaders.unlink()
    assert message(read_roster, book.units.parent) == f"{book.leaders}: no such file"
