"""Who holds ground and can be spared goes to help a friend who fights outnumbered, in scenes with a known answer."""

import pytest

from simkit.commanders.objectives import Objective
from simkit.model.forces import ADVANCE, ATTACK, MARCH

GROUND = "A0206"
"""What the brigade holds, where it stands."""

FRIEND = "A1406"


@pytest.fixture
def field(scene, enter):
    """A brigade that holds its ground, a friend twelve hexes off, and the enemies of the test."""

    def make(foes, strength=6, ours=6, guards=(), at=GROUND, hold=True):
        made = scene("steady", columns=60)
        made.led.objectives = [Objective(GROUND, 3, ["1/1/U"], hold=hold)]
        made.own = made.brigade("1/1/U", 0, ADVANCE)
        made.unit("own", at, "E", brigade=made.own, strength=ours)
        made.friend = made.brigade("2/1/U", 0, ADVANCE)
        made.unit("friend", FRIEND, "E", brigade=made.friend, strength=6)
        for place in guards:
            made.unit(f"guard {place}", place, "E", brigade=made.brigade(f"G{place}/1/U", 0, ADVANCE), strength=6)
        for place in foes:
            their = made.brigade(f"{place}/1/C", 1, ADVANCE)
            made.unit(f"foe {place}", place, "W", side=1, strength=strength, brigade=their)
        enter(made, made.battle.units[0])
        made.led.field(made.battle).look(made.own)
        return made

    return make


def helped(made):
    """Where it goes to help, or None."""
    places = made.led.place_of_help(made.battle, made.own, [made.hex(GROUND)])
    return places[0].id if places else None


@pytest.mark.parametrize(
    ("foes", "strength", "place"),
    [
        (["A1506"], 9, FRIEND),  # next to him, nine points against six
        (["A1506"], 6, None),  # as many as he
        (["A1606"], 9, None),  # not yet in contact
        (["A1506", "A0506"], 9, None),  # its own ground is threatened
    ],
)
def test_who_can_be_spared_goes_to_a_friend_who_fights_outnumbered(field, foes, strength, place):
    assert helped(field(foes, strength)) == place


def test_ground_that_others_guard_well_enough_can_be_left(field):
    assert helped(field(["A1506", "A0506"], 9, guards=["A0306"])) is None
    assert helped(field(["A1506", "A0506"], 9, guards=["A0306", "A0204"])) == FRIEND


def test_the_friends_around_him_count(field):
    assert helped(field(["A1506"], 9, guards=["A1206"])) is None


def test_the_doctrine_says_how_far_it_goes(field):
    made = field(["A1506"], 9)
    for limit, place in ((12, FRIEND), (11, None), (0, None)):
        made.led.doctrine.support = limit
        assert helped(made) == place


def test_it_stays_at_his_side_though_the_two_are_not_outnumbered_any_longer(field):
    """Itself it does not count: else it would turn back as soon as it has come."""
    assert helped(field(["A1506"], 9, at="A1206")) == FRIEND


def test_its_plan_is_the_friend_not_the_ground(field):
    made = field(["A1506"], 9)
    plan = made.led.plan(made.series, made.own)
    assert plan.supports and not plan.waits
    assert [goal.id for goal in plan.goals] == [FRIEND]
    made.led.act(made.series, [made.own])
    assert made.own.units[0].hex.distance_to(made.hex(FRIEND)) < made.hex(GROUND).distance_to(made.hex(FRIEND))


def test_who_is_to_take_something_helps_nobody(field):
    plan = field(["A1506"], 9, hold=False)
    plan = plan.led.plan(plan.series, plan.own)
    assert not plan.supports
    assert [goal.id for goal in plan.goals] == [GROUND]


def test_a_spent_brigade_helps_nobody(field):
    made = field(["A1506"], 9)
    made.own.units[0].strength = 2
    made.led.field(made.battle).look(made.own)
    assert not made.led.plan(made.series, made.own).supports


@pytest.mark.parametrize(("ours", "orders"), [(12, ATTACK), (4, ADVANCE)])
def test_with_a_friend_at_its_side_it_fights_half_of_the_enemies_near(field, ours, orders):
    """The enemy has eleven points: half of them are less than nine tenths of its own twelve, but not of four."""
    made = field(["A1506"], 11, ours=ours, at="A1205")
    assert made.led.wanted_orders(made.series, made.own) == orders


def test_it_marches_to_a_friend_far_away(field):
    """The enemy is thirteen hexes off, three beyond which it marches."""
    made = field(["A1506"], 9)
    for superior in (made.own.superior, made.own.superior.superior):
        made.leader(f"Leader {superior.code}", GROUND, command=superior, command_range=20)
    made.leader("Brigadier", GROUND, command=made.own, command_range=20)
    made.led.doctrine.march = 10
    assert made.led.wanted_orders(made.series, made.own) == MARCH
    made.led.doctrine.support = 0
    assert made.led.wanted_orders(made.series, made.own) == ADVANCE
