"""Breastworks in scenario files (15.1, 15.2): what stands at the start, who may build, and every kind of bad input."""

import pytest

from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.scenario.check import check
from simkit.scenario.provenance import provenance
from simkit.scenario.scenariofile import read_scenario

VICTORY = "[victory]\n"
WORKS = '[[breastworks]]\nhexes = ["C3213", "C3214"]\nheading = "E"\nsource = "printed"\n\n'


def with_tables(book, tables):
    book.change(book.scenario, VICTORY, tables + VICTORY)
    return book


def test_15_21_breastworks_of_the_file_stand_as_it_says(book):
    battle = with_tables(book, WORKS).built().battle
    assert [place.id for place in battle.works.hexes] == ["C3213", "C3214"]
    place = battle.map.named("C3213")
    assert place.works == [HEADING_NAMES.index("E") // 2]
    covered = [side for side in place.sides if side.walls]
    assert [side.direction for side in covered] == [1, 2]
    assert audit(battle) == []
    battle.works.remove(place, place.works[0])
    battle.reset()
    assert place.works == [HEADING_NAMES.index("E") // 2]


def test_without_a_heading_they_face_as_the_units_there_or_as_their_side_would(book):
    tables = WORKS.replace('heading = "E"', 'side = "Union"')
    battle = with_tables(book, tables).built().battle
    manned, empty = battle.map.named("C3213"), battle.map.named("C3214")
    assert manned.stack and manned.works == [manned.stack[0].unit.heading // 2]
    assert len(empty.works) == 1


@pytest.mark.parametrize(
    ("table", "union", "confederate"),
    [
        ('[building]\nnever = ["Union"]\nsource = "printed"\n\n', -1, 0),
        ('[building]\nfirst_turn = { Confederate = 1 }\nsource = "printed"\n\n', 0, 0),
        ("", 0, 0),
    ],
)
def test_15_1_who_may_build_from_when(book, table, union, confederate):
    """15.11, 21.1 of Dead of Winter, 15.1 of Gringo!'s battles."""
    rules = with_tables(book, table).built().rules
    assert rules.build_from == [union, confederate]


def test_every_value_has_its_source(book):
    tables = WORKS + '[building]\nnever = ["Union"]\nsource = "printed"\nrule = "21.1"\n\n'
    with_tables(book, tables)
    frame = provenance(read_scenario(book.scenario, book.folder.parent)).set_index("item")
    assert frame.loc["breastworks in C3213", "value"] == "E"
    assert frame.loc["breastworks in C3213", "source"] == "printed"
    assert frame.loc["Union builds breastworks", "rule"] == "21.1"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"C3214"', '"C9999"', "breastworks.1.hexes.2"),
        ('"C3214"', '"C3213"', "breastworks of C3213 stand twice facing E"),
        ('heading = "E"\n', "", "no unit in C3214 says which way they face; give a heading, or the side"),
        ('heading = "E"', 'heading = "N"', "breastworks.1.heading: must be 'NNE', 'E'"),
        ('hexes = ["C3213", "C3214"]', "hexes = []", "breastworks.1.hexes"),
        (
            WORKS, "".join(WORKS.replace('"E"', f'"{name}"') for name in ("E", "W", "NNE")),
            "C3213 has two breastworks already, the most there can be (15.12)",
        ),
        (
            WORKS, '[building]\nfirst_turn = { Union = "noon" }\nsource = "printed"\n\n',
            'building.first_turn.Union: unknown turn "noon"',
        ),
        (
            WORKS, '[building]\nfirst_turn = { Union = 1 }\nnever = ["Union"]\nsource = "printed"\n\n',
            "Union has a first turn for it too; take one away",
        ),
    ],
)
def test_bad_tables_are_named(book, message, old, new, fault):
    with_tables(book, WORKS.replace(old, new))
    assert fault in message(book.built)


def test_check_tells_of_them(book):
    with_tables(book, WORKS)
    assert "hexes, 2 breastworks, 1 turn" in check(book.scenario)
