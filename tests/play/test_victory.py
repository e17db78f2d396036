"""Victory by effectiveness and by points: ladders as Dead of Winter's scenarios print them, ground, and clearings."""

from importlib.resources import files
from pathlib import Path

import pytest

from simkit.model.forces import CONFEDERATE, ROUTED, UNION
from simkit.model.victory import Clearing, Conditions, Ground, Prize, Rung
from simkit.play.victory import DRAW, EFFECTIVENESS, POINTS, judge
from simkit.scenario import build
from simkit.scenario.scenariofile import read_scenario

BOOKS = Path(str(files("simkit"))) / "books"
LOWEST = -1000
C, D, U = CONFEDERATE, DRAW, UNION
LADDERS = {
    "2.0": [("major", C, 7), ("minor", C, 4), ("draw", D, -3), ("minor", U, -6), ("major", U, LOWEST)],
    "3.0": [("major", C, 8), ("minor", C, 3), ("draw", D, -3), ("minor", U, -8), ("major", U, LOWEST)],
    "6.0": [("major", C, 6), ("minor", C, 2), ("draw", D, -3), ("minor", U, -6), ("major", U, LOWEST)],
    "8.0": [("decisive", C, 10), ("major", C, 7), ("minor", C, 4), ("draw", D, -3), ("minor", U, -6), ("major", U, -9),
            ("decisive", U, LOWEST)],
    "1.0": [("decisive", C, 3), ("major", C, 2), ("minor", C, 1), ("draw", D, 0), ("minor", U, -1),
            ("major", U, LOWEST)],
}  # fmt: skip
PRINTED = {
    "2.0": {(C, "major"): [7, 8, 20], (C, "minor"): [4, 6], (D, "draw"): [3, 0, -3], (U, "minor"): [-4, -6],
            (U, "major"): [-7, -20]},
    "3.0": {(C, "major"): [8], (C, "minor"): [3, 7], (D, "draw"): [2, -3], (U, "minor"): [-4, -8], (U, "major"): [-9]},
    "6.0": {(C, "major"): [6], (C, "minor"): [2, 5], (D, "draw"): [1, -3], (U, "minor"): [-4, -6], (U, "major"): [-7]},
    "8.0": {(C, "decisive"): [10, 30], (C, "major"): [7, 9], (C, "minor"): [4, 6], (D, "draw"): [3, -3],
            (U, "minor"): [-4, -6], (U, "major"): [-7, -9], (U, "decisive"): [-10, -30]},
}  # fmt: skip


@pytest.fixture(scope="module")
def course():
    return build(read_scenario(Path(__file__).parent / "course.toml", BOOKS))


@pytest.fixture
def battle(course):
    course.battle.reset()
    return course.battle


def conditions(ladder):
    made = Conditions()
    made.ladder = [Rung(level, winner, least) for level, winner, least in LADDERS[ladder]]
    return made


def command(battle, side, code):
    return next(command for command in battle.commands if (command.side, command.code) == (side, code))


@pytest.mark.parametrize(
    ("scenario", "winner", "level", "margin"),
    [(name, *rung, margin) for name, rungs in PRINTED.items() for rung, margins in rungs.items() for margin in margins],
)  # fmt: skip
def test_the_margin_of_points_brings_the_printed_level(battle, scenario, winner, level, margin):
    """2.0, 3.0, 6.0, 8.0: the Confederate total less the Union's."""
    made = conditions(scenario)
    made.credit = [max(-margin, 0), max(margin, 0)]
    outcome = judge(battle, POINTS, made)
    assert (outcome.winner, outcome.level, outcome.vp) == (winner, level, made.credit)


@pytest.mark.parametrize(
    ("union", "confederate", "winner", "level"),
    [
        (3, 0, C, "decisive"), (2, 0, C, "major"), (1, 0, C, "minor"), (0, 0, D, "draw"),
        (3, 1, C, "major"), (3, 2, C, "minor"), (2, 2, D, "draw"), (1, 1, D, "draw"),
        (0, 1, U, "minor"), (1, 2, U, "minor"), (0, 2, U, "major"), (0, 3, U, "major"),
    ],
)  # fmt: skip
def test_1_0_ineffective_divisions_count_and_confederate_ones_shift(battle, union, confederate, winner, level):
    """Three Union divisions ineffective are decisive, and so on; each Confederate one shifts a level, never farther
    than a Union major."""
    made = conditions("1.0")
    own = [command for command in battle.commands if command.side == UNION][:3]
    other = [command for command in battle.commands if command.side == CONFEDERATE][:3]
    made.commands = own + other
    for one in own[:union] + other[:confederate]:
        one.ineffective = True
    outcome = judge(battle, EFFECTIVENESS, made)
    assert (outcome.winner, outcome.level, outcome.vp) == (winner, level, None)


def test_ineffective_commands_and_ground_bring_points(course, battle):
    """The made-up battle: the Union has 1 point of credit and holds ground of 2; nobody holds all three hexes."""
    made = course.rules.conditions
    assert judge(battle, POINTS, made).vp == [3, 0]
    command(battle, UNION, "1/RW").ineffective = True
    command(battle, CONFEDERATE, "1/P").ineffective = True
    assert judge(battle, POINTS, made).vp == [3 + 4, 3]


def test_a_hex_is_held_by_who_last_had_a_combat_unit_in_it(course, battle):
    place = battle.map.named("C3809")
    enemy = next(unit for unit in battle.units if unit.side == CONFEDERATE and unit.kind == 0)
    kept, before = battle.snapshot(), battle.digest()
    assert battle.course.holder(place) == UNION
    battle.lift(enemy)
    battle.stand(enemy, place, True)
    assert battle.course.holder(place) == CONFEDERATE
    battle.lift(enemy)
    battle.remove(enemy, ROUTED)
    assert battle.course.holder(place) == CONFEDERATE  # also once he is gone
    assert battle.digest() != before
    battle.restore(kept)
    assert battle.course.holder(place) == UNION
    assert battle.digest() == before


def test_abandoned_guns_hold_no_ground(course, battle):
    place = battle.map.named("C3809")
    guns = next(unit for unit in battle.units if unit.side == CONFEDERATE and unit.kind == 2)
    battle.lift(guns)
    guns.abandoned = 1
    battle.stand(guns, place, True)
    assert battle.course.holder(place) == UNION


def test_of_several_hexes_of_one_ground_all_must_be_held(course, battle):
    """Points for terrain: "must control all 3 hexes"."""
    ground = next(ground for ground in course.rules.conditions.grounds if len(ground.hexes) == 3)
    made = conditions("8.0")
    made.grounds = [ground]
    for holders, vp in (([C, C, C], [0, 1]), ([C, U, C], [0, 0]), ([U, U, U], [1, 0]), ([-1, U, U], [0, 0])):
        for place, holder in zip(ground.hexes, holders, strict=True):
            battle.course.holders[place.scored] = holder
        assert judge(battle, POINTS, made).vp == vp


@pytest.mark.parametrize(
    ("left", "attacker_spent", "winner", "level"),
    [
        (False, False, C, "win"),  # no effective Union division east of the river, 1/H effective
        (False, True, D, "draw"),  # none, but 1/H is ineffective too
        (True, True, U, "win"),  # one is left, and 1/H is ineffective
        (True, False, U, "minor"),  # one is left and 1/H effective: the points decide
    ],
)
def test_3_0_a_clearing_decides_before_the_points(battle, left, attacker_spent, winner, level):
    made = conditions("3.0")
    made.credit = [5, 0]
    attacker, defender = command(battle, CONFEDERATE, "1/P"), command(battle, UNION, "1/RW")
    made.clearings = [Clearing(attacker, [unit.hex for unit in defender.all_units()], "win")]
    attacker.ineffective = attacker_spent
    defender.ineffective = not left
    outcome = judge(battle, POINTS, made)
    assert (outcome.winner, outcome.level, outcome.vp) == (winner, level, [5, 0])


def test_3_0_a_division_that_has_left_the_ground_is_no_obstacle(battle):
    made = conditions("3.0")
    far = [battle.map.named("C1010")]
    made.clearings = [Clearing(command(battle, CONFEDERATE, "1/P"), far, "win")]
    assert judge(battle, POINTS, made).winner == CONFEDERATE


def test_points_are_of_the_side_that_does_not_own_the_command(battle):
    made = conditions("8.0")
    made.prizes = [Prize(command(battle, CONFEDERATE, "1/P"), 4), Prize(command(battle, UNION, "1/RW"), 3)]
    made.grounds = [Ground([battle.map.named("C4512")], [2, 5])]
    command(battle, CONFEDERATE, "1/P").ineffective = True
    assert judge(battle, POINTS, made).vp[UNION] == 4
