"""A book's special rules of command as data (4.4 of Dead of Winter): what they make of a battle, and bad input."""

import pytest

from simkit.scenario.provenance import provenance
from simkit.scenario.roster import read_roster
from simkit.scenario.specialcommands import read_special_commands

FILE = "special_commands.toml"
SETUP = """[[setup]]
hex = "{}"
units = [{}]
leaders = [{}]
source = "printed"

"""


@pytest.fixture
def with_troops(book):
    """Build the book's scenario with further units, each in a hex of the top row, and leaders with the first of them.

    Their division has two markers.
    """

    def built(units, *leaders, fixed, column=30):
        text = ""
        for at, unit in enumerate(units):
            named = ", ".join(f'"{leader}"' for leader in leaders) if at == 0 else ""
            text += SETUP.format(f"C{column - 2 * at}01", f'"{unit}"', named)
        book.change(book.scenario, "[[objective]]", text + "[[objective]]")
        book.change(book.scenario, '"Union/1/RW" = 4', f'"Union/1/RW" = 4, "{fixed}" = 2')
        return book.built().battle

    return built


def command(battle, ident):
    return next(command for command in battle.commands if command.id == ident)


def test_4_41_union_cavalry(with_troops):
    battle = with_troops(["1-1-cav/4-mi-cav", "r-cav/4-us-cav"], "1-cav/kennett", "1-1-cav/minty", fixed="Union/1/Cav")
    minty, reserve = command(battle, "Union/1/1/Cav"), command(battle, "Union/R/Cav")
    assert command(battle, "Union/1/Cav").always_in_chain and minty.always_in_chain
    assert not reserve.always_in_chain
    assert [[other.code for other in one.traces_to] for one in (minty, reserve)] == [["1/Cav", "Cav"]] * 2
    assert minty.units_trace and reserve.units_trace


def test_where_it_comes_from_is_told_of_commands_in_the_battle(book, with_troops):
    with_troops(["1-1-cav/4-mi-cav"], "1-1-cav/minty", fixed="Union/1/Cav")
    told = provenance(book.built())
    rows = told[told["item"].str.startswith("Union/")]
    assert sorted(rows["item"]) == [
        "Union/1/1/Cav, always_in_chain", "Union/1/1/Cav, traces_to", "Union/1/1/Cav, units_trace",
        "Union/1/Cav, always_in_chain",
    ]
    assert set(rows["rule"]) == {"4.41"} and set(rows["source"]) == {"printed"}


def test_4_42_the_pioneers_and_18_3_who_is_one(with_troops):
    battle = with_troops(
        ["pioneers/1-bn-pioneers", "pioneers/cbot-bty", "provost-c/9-mi"], "pioneers/morton", fixed="Union/Pio",
    )
    pioneers = command(battle, "Union/Pioneers")
    assert command(battle, "Union/Pio").leader() is pioneers.leader()
    assert [other.code for other in pioneers.traces_to] == ["AoC"]
    assert [other.code for other in command(battle, "Union/Provost/C").traces_to] == ["AoC"]
    assert [unit.id for unit in battle.pioneers] == ["pioneers/1-bn-pioneers"]


@pytest.mark.parametrize(("leaders", "leads"), [
    (["1-3-c/walker"], "Walker"), (["1-3-c/walker", "3-c/fry"], "Fry"),
])
def test_4_43_walker_leads_the_division_unless_fry_is_there(with_troops, leaders, leads):
    battle = with_troops(["1-3-c/82-in"], *leaders, fixed="Union/3/C")
    assert command(battle, "Union/3/C").leader().front.name == leads
    assert command(battle, "Union/1/3/C").leader().front.name == "Walker"


@pytest.mark.parametrize(("leaders", "there"), [(["3-cav/wharton", "1-cav/wheeler"], True), (["3-cav/wharton"], False)])
def test_4_44_the_confederate_cavalry_needs_wheeler(with_troops, leaders, there):
    battle = with_troops(["3-cav/8-tx-cav"], *leaders, fixed="Confederate/Cav", column=48)
    cavalry, brigade = command(battle, "Confederate/Cav"), command(battle, "Confederate/3/Cav")
    assert cavalry.has_leader() is there
    assert cavalry.always_in_chain and brigade.depends
    assert [other.code for other in brigade.depends_on] == (["1/Cav"] if there else [])


@pytest.mark.parametrize(("change", "said"), [
    (('command = "Union/1/Cav"', 'command = "Union/1/Cab"'), 'the roster has no command "Union/1/Cab"'),
    (('command = "Union/1/1/Cav"', 'command = "Union/1/Cav"'), "Union/1/Cav has two tables"),
    (('traces_to = ["Union/AoC"]', 'traces_to = ["Confederate/AoT"]'), "is of the other side than Union/Pioneers"),
    (('also_leads = ["Union/Pio"]', 'also_leads = ["Union/3/1/RW"]'), "does not stand above Union/Pioneers"),
    (("units_trace = true", "unit_trace = true"), "unit_trace"),
])
def test_bad_input(book, message, change, said):
    path = book.folder / FILE
    line = book.change(path, *change)
    told = message(read_special_commands, path, read_roster(book.folder / "roster"))
    assert said in told
    assert told.startswith(f"{path}, line {line}")


def test_a_book_without_the_file_has_no_special_rules(book):
    (book.folder / FILE).unlink()
    assert read_special_commands(book.folder / FILE, read_roster(book.folder / "roster")) == []
