"""Fatigue in scenario files (17.21): the levels that result, turns in which a side does not tire, and bad input."""

import pytest

from simkit.model.fatigue import FATIGUES
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK
from simkit.scenario.builder import build
from simkit.scenario.provenance import provenance
from simkit.scenario.scenariofile import read_scenario

VICTORY = "[victory]\n"
TIRED = """[[fatigue]]
command = "Union/1/1/RW"
level = "3"
source = "printed"

[[fatigue_ignored]]
side = "Confederate"
turns = ["December 30th, 1300"]
source = "printed"

"""


@pytest.fixture
def tired(book):
    """The book's scenario, in which a Union brigade is tired and the Confederates do not tire."""
    book.change(book.scenario, VICTORY, TIRED + VICTORY)
    return book


def built(book, fatigue="yes"):
    return build(read_scenario(book.scenario, book.folder.parent), {"fatigue": fatigue})


def levels(battle):
    """Levels by name of brigades and units that are not fresh."""
    return {marker.id: FATIGUES[marker.level] for marker in battle.fatigues if marker.level > 0}


def test_17_21_a_brigade_starts_at_its_level(tired):
    battle = built(tired).battle
    assert levels(battle) == {"fatigue of Union/1/1/RW": "3"}
    brigade = next(command for command in battle.brigades if command.code == "1/1/RW" and command.side == 0)
    assert {unit.kind == ARTILLERY: int(unit.fatigue.half) for unit in brigade.units} == {True: 0, False: 2}
    battle.units[0].fatigue.place(0)
    battle.reset()
    assert levels(battle) == {"fatigue of Union/1/1/RW": "3"}


def test_17_0_without_the_option_it_does_not(tired):
    assert levels(built(tired, "no").battle) == {}


def test_17_21_a_higher_command_stands_for_all_its_brigades_and_a_later_table_overrides(tired):
    tired.change(tired.scenario, '"Union/1/1/RW"\nlevel = "3"', '"Union/1/RW"\nlevel = 1')
    tired.change(tired.scenario, "[[fatigue_ignored]]", '[[fatigue]]\ncommand = "Union/2/1/RW"\nlevel = "OK"\n'
                 'source = "printed"\n\n[[fatigue_ignored]]')
    found = levels(built(tired).battle)
    assert found.pop("fatigue of Union/2/1/RW") == "OK"
    assert len(found) >= 3 and set(found.values()) == {"1"}
    assert "fatigue of Union/1/RW" not in found


def test_17_32_who_starts_at_level_4_is_under_advance_orders(tired):
    tired.change(tired.scenario, 'level = "3"', 'level = "4"')
    tired.change(tired.scenario, 'orders = "Advance"', 'orders = "Attack"')
    battle = built(tired).battle
    brigades = {command.code: command for command in battle.brigades if command.side == 0}
    assert brigades["1/1/RW"].orders == ADVANCE
    assert {unit.orders for unit in brigades["1/1/RW"].units} == {ADVANCE}
    assert brigades["2/1/RW"].orders == ATTACK


def test_21_3_a_side_that_ignores_fatigue_in_a_turn_earns_none(tired):
    made = built(tired)
    series, battle = made.series, made.battle
    assert [series.scenario.tires(side, 0) for side in range(2)] == [True, False]
    for marker in battle.fatigues:
        marker.earned = 1
    series.fatigue.end_activation()
    sides = {marker.units[0].side for marker in battle.fatigues if marker.level > 0}
    assert sides == {0}
    assert all(marker.earned == 0 for marker in battle.fatigues)


def test_every_value_has_its_source(tired):
    frame = provenance(read_scenario(tired.scenario, tired.folder.parent)).set_index("item")
    assert frame.loc["fatigue level of Union/1/1/RW", "value"] == "3"
    assert frame.loc["Confederate ignores fatigue in", "value"] == "December 30th, 1300"
    assert frame.loc["fatigue level of Union/1/1/RW", "source"] == "printed"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'command = "Union/1/1/RW"\nlevel', 'command = "Union/9/1/RW"\nlevel',
            'fatigue.1.command: no command "Union/9/1/RW" in this battle; did you mean "Union/3/1/RW"?',
        ),
        (
            'level = "3"', 'level = "5"',
            "fatigue.1.level: must be 'OK', '0', '1', '2', '3' or '4', not '5'",
        ),
        (
            'turns = ["December 30th, 1300"]', 'turns = ["December 30th, 1400"]',
            'fatigue_ignored.1.turns.1: unknown turn "December 30th, 1400"; did you mean "December 30th, 1300"?',
        ),
    ],
)
def test_bad_input(tired, message, old, new, said):
    tired.change(tired.scenario, old, new)
    assert said in message(lambda: built(tired))


def test_a_command_has_one_level(tired, message):
    table, _, _ = TIRED.partition("[[fatigue_ignored]]")
    tired.change(tired.scenario, table, table + table)
    assert "fatigue.2.command: Union/1/1/RW has two levels; a command has one" in message(lambda: built(tired))
