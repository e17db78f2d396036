"""Batteries of several sections (2.41, 8.37): the roster's weapon column, set-up, changes, provenance, bad input."""

import pytest

from simkit.scenario.builder import Overlay, build
from simkit.scenario.gunlist import guns_of, is_divided, sections_of
from simkit.scenario.provenance import provenance
from simkit.scenario.roster import check_weapons, read_roster
from simkit.scenario.scenariofile import read_scenario
from simkit.scenario.study import Change

UNIT = "3-1-rw/8-wi-bty"
ROW = "Union,3/1/RW,8 WI Bty,artillery,6,"
WEAPON = "six guns as usual,TB,"
STACK = f'units = ["{UNIT}"]\n'


@pytest.fixture
def mixed(book):
    """The book, whose battery has four 6-pounders and two howitzers."""
    text = book.units.read_text()
    start = text.index(ROW)
    line = text[start: text.index("\n", start)]
    book.line = text[:start].count("\n") + 1
    book.change(book.units, line, line.replace(WEAPON, "six guns as usual,4 TB + 2 H12,"))
    return book


def battery(built):
    return next(unit for unit in built.battle.units if unit.id == UNIT)


def guns(unit):
    return [(section.weapon.code, section.guns, section.full) for section in unit.sections]


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("4 N + 2 R", ((4, "N"), (2, "R"))),
        ("4N+2R3", ((4, "N"), (2, "R3"))),
        ("2 12N + 1 H12 + 1 N", ((2, "12N"), (1, "H12"), (1, "N"))),
    ],
)
def test_2_41_sections_as_text(text, sections):
    assert is_divided(text) and sections_of(text) == sections
    assert guns_of(text) == sum(count for count, _ in sections)


@pytest.mark.parametrize(
    "text",
    ["N + R", "4 + 2", "4 N + ", "4N 2R +", "four N + 2 R", "+", "\u0664 N + 2 R", f"{'9' * 5000} N + 2 R"],
)
def test_what_is_no_list_of_sections(text):
    with pytest.raises(ValueError, match="names no sections; right would be"):
        sections_of(text)


def test_2_41_8_37_the_battery_of_the_roster(mixed):
    unit = battery(mixed.built())
    assert guns(unit) == [("TB", 4, 4), ("H12", 2, 2)]
    assert (unit.strength, unit.full, unit.ammo) == (6, 6, 0)
    assert all(section.hex is unit.hex for section in unit.sections)
    frame = provenance(read_scenario(mixed.scenario, mixed.folder.parent)).set_index("item")
    assert frame.loc[f"{UNIT} weapon", "value"] == "4 TB + 2 H12"


def test_8_37_a_set_up_names_the_guns_left_of_each_section(mixed):
    mixed.change(mixed.scenario, STACK, f'{STACK}strength = {{ "{UNIT}" = "1 TB + 2 H12" }}\n')
    unit = battery(mixed.built())
    assert guns(unit) == [("TB", 1, 4), ("H12", 2, 2)]
    assert (unit.start, unit.strength, unit.full) == (3, 3, 6)
    frame = provenance(read_scenario(mixed.scenario, mixed.folder.parent)).set_index("item")
    assert frame.loc[f"strength of {UNIT}", "value"] == "1 TB + 2 H12"


@pytest.mark.parametrize(
    ("strength", "said"),
    [
        ("4", f'{UNIT} cannot have strength 4: say which of its 6 guns are left, as in "4 TB + 2 H12" (8.37)'),
        ('"5 TB + 2 H12"', f"{UNIT} cannot have 5 guns TB; its counter allows 0 to 4 (8.37)"),
        ('"2 N + 2 H12"', f'{UNIT} has other sections than "2 N + 2 H12"; its counter shows 4 TB + 2 H12 (8.37)'),
        ('"0 TB + 0 H12"', f"{UNIT} cannot have strength 0; its counter allows 1 to 6"),
        ('"some"', '"some" names no sections; right would be "4 N + 2 R", guns before type, top section first (2.41)'),
    ],
)
def test_bad_strengths_of_sections(mixed, message, strength, said):
    line = mixed.change(mixed.scenario, STACK, f'{STACK}strength = {{ "{UNIT}" = {strength} }}\n') + 1
    told = message(mixed.built)
    assert told.startswith(f"{mixed.scenario}, line {line}: setup.") and told.endswith(f".strength: {said}")


@pytest.mark.parametrize(("strength", "left"), [("=3", [2, 1]), (-2, [3, 1]), ("=9", [6, 3])])
def test_8_37_a_study_changes_all_sections_in_proportion(mixed, strength, left):
    scenario = read_scenario(mixed.scenario, mixed.folder.parent)
    unit = battery(build(scenario, overlay=Overlay([Change(unit=UNIT, strength=strength)])))
    assert [section.guns for section in unit.sections] == left
    assert unit.start == unit.strength == sum(left)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("4 TB + 2 H12", "3 TB + 2 H12", 'weapon: "3 TB + 2 H12" has 5 guns, but full says 6; all sections together'),
        ("4 TB + 2 H12", "6 TB + 0 H12", 'weapon: "6 TB + 0 H12" has a section without guns; leave it out (2.41)'),
        ("4 TB + 2 H12", "TB + H12", '"TB + H12" names no sections'),
        (ROW, ROW.replace("artillery", "infantry"), "weapon: only a battery consists of sections, not infantry (2.41)"),
    ],
)  # fmt: skip
def test_bad_sections_of_a_row(mixed, message, old, new, said):
    mixed.change(mixed.units, old, new)
    assert said in message(read_roster, mixed.units.parent)


@pytest.mark.parametrize(
    ("new", "said"),
    [("4 TB + 2 H13", 'unknown weapon "H13"; did you mean "H12"'), ("4 TB + 2 C", "artillery cannot have weapon C")],
)
def test_sections_with_weapons_that_do_not_fit(mixed, message, charts, new, said):
    mixed.change(mixed.units, "4 TB + 2 H12", new)
    told = message(check_weapons, read_roster(mixed.units.parent), charts, mixed.units.parent)
    assert told.startswith(f"{mixed.units}, line {mixed.line}: {UNIT}: ") and said in told
