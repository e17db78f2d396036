"""What a brigade does that is to hold ground: it waits between it and the enemy, in scenes with a known answer."""

import pytest

from simkit.commanders.objectives import Objective
from simkit.model.battle import PHASE_ACTION
from simkit.model.forces import ADVANCE, ATTACK, MARCH

LINE = ("A0604", "A0605", "A0606")


@pytest.fixture
def brigade(scene, enter):
    """A function that makes a brigade of three regiments, an enemy in a hex, and what the brigade is drawn to."""

    def make(enemy, *objectives, strength=6, orders=ADVANCE, name="steady"):
        made = scene(name, columns=30)
        made.led.objectives = list(objectives)
        made.own = made.brigade("1/1/U", 0, orders)
        made.leader("Brigadier", "A0505", command_range=20)
        for superior in (made.battle.divisions[0], made.battle.corps[0]):
            made.leader(f"Leader {superior.code}", "A0505", command=superior, command_range=20)
        made.units = [made.unit(f"U{at}", at, "E", orders=orders, strength=6) for at in LINE]
        made.foe = made.unit("C", enemy, "W", side=1, strength=strength)
        enter(made, made.units[0])
        made.battle.phase = PHASE_ACTION
        return made

    return make


def held(place):
    return Objective(place, 3, ["1/1/U"], hold=True)


def taken(place):
    return Objective(place, 3, ["1/1/U"])


def wanted(made):
    return made.led.wanted_orders(made.series, made.own)


def moved(made):
    made.led.act(made.series, [made.own])
    return [unit.hex.id for unit in made.units if unit.hex.id not in LINE]


def test_who_is_to_hold_waits_where_who_is_to_take_goes(brigade):
    """The enemy stands eight hexes off, the ground that is held two behind the line."""
    assert moved(brigade("A1405", held("A0405"))) == []
    assert moved(brigade("A1405", taken("A1405"))) != []
    assert moved(brigade("A1405")) != []


def test_who_holds_stays_between_the_enemy_and_ground_far_behind(brigade):
    made = brigade("A1405", held("A0105"))
    plan = made.led.plan(made.series, made.own)
    assert plan.waits
    assert plan.grounds == [11]  # the enemy is 13 hexes from it, less the fire range of 2
    assert moved(made) == []


def test_who_has_been_passed_falls_back_on_his_ground(brigade):
    """The ground lies east of the enemy's march, within his reach; the brigade stands nine hexes from it."""
    made = brigade("A1805", held("A1505"))
    assert made.led.plan(made.series, made.own).grounds == [5]
    made.led.act(made.series, [made.own])
    assert all(unit.hex.distance_to(made.hex("A1505")) < made.hex(at).distance_to(made.hex("A1505"))
               for unit, at in zip(made.units, LINE, strict=True))


@pytest.mark.parametrize(
    ("enemy", "strength", "orders"),
    [
        ("A1005", 18, (ADVANCE, ATTACK)),  # even odds: only who is to take attacks
        ("A1005", 8, (ATTACK, ATTACK)),  # more than twice as strong: both
        ("A1305", 8, (ADVANCE, ADVANCE)),  # too far off to begin
        ("A1005", 40, (ADVANCE, ADVANCE)),
    ],
)
def test_who_holds_attacks_at_better_odds_alone(brigade, enemy, strength, orders):
    holding = wanted(brigade(enemy, held("A0405"), strength=strength))
    taking = wanted(brigade(enemy, taken(enemy), strength=strength))
    assert (holding, taking) == orders


def test_who_holds_marches_only_to_his_ground(brigade):
    """The enemy is 22 hexes off: who stands on his ground stays, who is far from it marches there."""
    assert wanted(brigade("A2805", held("A0405"))) == ADVANCE
    assert wanted(brigade("A2805", held("A2705"))) == MARCH
    assert wanted(brigade("A2805", taken("A2805"))) == MARCH


def test_who_is_outmatched_keeps_the_ground_that_he_is_to_hold(brigade):
    made = brigade("A1005", held("A0405"), strength=60)
    plan = made.led.plan(made.series, made.own)
    assert plan.waits and not plan.outmatched
    assert [goal.id for goal in plan.goals] == ["A0405"]


def test_who_is_outmatched_forgets_no_goal_but_comes_no_nearer_to_it(brigade):
    made = brigade("A1005", taken("A0405"), strength=60)
    plan = made.led.plan(made.series, made.own)
    assert plan.waits and plan.outmatched
    assert [goal.id for goal in plan.goals] == ["A0405"]
    assert plan.grounds == [min(made.hex(at).distance_to(made.hex("A0405")) for at in LINE)]


def test_what_is_both_to_take_and_to_hold_is_to_take(brigade):
    made = brigade("A1405", held("A0405"), taken("A1405"))
    assert not made.led.plan(made.series, made.own).holds
    assert not brigade("A1405").led.plan(made.series, made.own).holds
