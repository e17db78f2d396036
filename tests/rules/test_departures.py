"""Units that leave the map at the book's word and come back (7.0, 9.0 of Dead of Winter): what they are then."""

import pytest

from simkit.model.entrances import Entrance, Reinforcement
from simkit.model.forces import ADVANCE, ARTILLERY, MARCH, NOT_ENTERED, WITHDRAWN
from simkit.model.sections import divide, settle, shed
from simkit.play.audit import audit
from simkit.rules.scenario_rules import Departure

AWAY, BACK = 1, 3


def leaving(field, kind=ARTILLERY, most=4, guns=(4, 2), printed=(4, 2)):
    """A battery of two types of gun, or a regiment, that leaves and comes back with so much strength at most."""
    f = field(10, 6)
    f.one = f.unit("one", "A0303", "E", kind=kind, strength=sum(guns), full=sum(printed))
    if kind == ARTILLERY:
        divide(f.one, [f.charts.weapon("N"), f.charts.weapon("H12")], list(guns), list(printed))
    entrance = Entrance(f.hex("A0101"), f.map, False)
    f.hex("A0101").entrance = entrance
    f.battle.entrances.append(entrance)
    group = Reinforcement(BACK, [entrance], [f.one], [], [MARCH, ADVANCE], -1, 0, True)
    f.battle.reinforcements.append(group)
    f.play()
    f.series.scenario.departures.append(Departure(AWAY, [f.one], [], [group], [most], -1))
    return f


def at(f, turn):
    f.battle.turn = turn
    f.series.departures.begin_turn()


@pytest.mark.parametrize(
    ("guns", "most", "left"),
    [((4, 2), 4, [2, 2]), ((4, 2), 5, [3, 2]), ((4, 2), 3, [2, 1]), ((0, 2), 1, [0, 1]), ((1, 2), 9, [1, 2])],
)
def test_9_0_8_37_a_battery_comes_back_with_sections_that_make_it_up(field, guns, most, left):
    f = leaving(field, guns=guns, most=most)
    at(f, AWAY)
    assert f.one.place == WITHDRAWN
    at(f, BACK)
    assert f.one.place == NOT_ENTERED
    assert [section.guns for section in f.one.sections] == left
    assert (f.one.strength, f.one.collapsed, f.one.disordered) == (sum(left), False, False)
    assert f.one.start - f.one.losses() == f.one.strength
    assert audit(f.battle) == []


def test_9_0_10_69_each_section_comes_back_with_all_its_ammunition(field):
    f = leaving(field, most=9)
    f.one.sections[0].ammo, f.one.sections[1].ammo = 2, 1
    settle(f.one)
    at(f, AWAY)
    at(f, BACK)
    assert ([section.ammo for section in f.one.sections], f.one.ammo) == ([0, 0], 0)
    assert audit(f.battle) == []


@pytest.mark.parametrize(("most", "collapsed"), [(4, False), (3, False), (2, True)])
def test_9_0_12_23_a_regiment_that_comes_back_below_half_is_collapsed(field, most, collapsed):
    f = leaving(field, kind=0, most=most)
    at(f, AWAY)
    at(f, BACK)
    assert (f.one.strength, f.one.collapsed, f.one.disordered) == (most, collapsed, collapsed)
    assert audit(f.battle) == []


def test_8_37_guns_taken_off_without_a_roll_are_of_the_largest_section_and_the_lowest_of_equals(field):
    f = leaving(field, guns=(2, 2))
    shed(f.one, 1)
    assert [section.guns for section in f.one.sections] == [2, 1]
    shed(f.one, 1)
    assert [section.guns for section in f.one.sections] == [1, 1]
