"""The heuristic commander and its frontage: who extends a line, how a line moves and fires, which flank is refused."""

import pytest

from simkit.model.forces import ADVANCE, EXTENDED_LINE, IN_ONE_HEX, REFUSED_LEFT
from simkit.scenario.doctrines import doctrine_names

DOCTRINES = doctrine_names()


def gap(made, strength, foe="A1104"):
    """A regiment, a gap of one hex south of it, a friend who faces as it does, and an enemy before them."""
    unit = made.unit("unit", "A0604", "E", strength=strength)
    made.unit("friend", "A0606", "E", strength=6)
    made.unit("foe", foe, "W", strength=6, side=1)
    return unit


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_regiment_strong_enough_extends_into_a_gap_of_the_line(scene, enter, name):
    made = scene(name)
    unit = gap(made, 10)
    leader = enter(made, unit)
    leader.doctrine.extend = 25
    assert leader.widen(made.series, unit)
    assert [part.hex.id for part in unit.parts] == ["A0604", "A0605"]
    assert unit.extended == EXTENDED_LINE


@pytest.mark.parametrize(("strength", "foe", "extend"), [(7, "A1104", 25), (10, "A1604", 25), (10, "A1104", 0)])
def test_weak_regiments_those_far_from_the_enemy_and_doctrines_without_lines_do_not(
    scene, enter, strength, foe, extend
):
    made = scene("steady")
    unit = gap(made, strength, foe)
    leader = enter(made, unit)
    leader.doctrine.extend = extend
    assert not leader.widen(made.series, unit)
    assert unit.extended == IN_ONE_HEX


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_line_closes_on_a_distant_enemy_as_one(scene, enter, name):
    made = scene(name, columns=20)
    unit = made.unit("line", "A0404", "E", strength=12)
    made.unit("foe", "A1006", "W", strength=6, side=1)
    leader = enter(made, unit)
    made.battle.add_part(unit, made.hex("A0405"), 0, EXTENDED_LINE)
    before = unit.hex.distance_to(made.hex("A1006"))
    leader.act(made.series, made.battle.active)
    assert unit.extended == EXTENDED_LINE
    assert unit.parts[0].hex.direction_to(unit.parts[1].hex) >= 0
    assert unit.hex.distance_to(made.hex("A1006")) < before


def test_each_part_of_a_line_fires_at_what_it_faces(scene, enter):
    made = scene("cautious")
    unit = made.unit("line", "A0604", "E", strength=12)
    for ident in ("A0803", "A0806"):
        made.unit(f"at {ident}", ident, "W", strength=5, side=1)
    leader = enter(made, unit)
    made.battle.add_part(unit, made.hex("A0605"), 0, EXTENDED_LINE)
    leader.act_unit(made.series, unit.command, leader.plan(made.series, unit.command), unit)
    fires = [event for event in made.events("fire") if event.unit == unit.id and event.mode == "phasing"]
    assert {event.target_hex for event in fires} == {"A0803", "A0806"}
    assert [event.sp for event in fires] == [6, 6]


def test_the_parts_of_a_line_fire_together_at_a_single_enemy(scene, enter):
    made = scene("cautious")
    unit = made.unit("line", "A0604", "E", strength=12)
    made.unit("foe", "A0804", "W", strength=5, side=1)
    leader = enter(made, unit)
    made.battle.add_part(unit, made.hex("A0605"), 0, EXTENDED_LINE)
    leader.act_unit(made.series, unit.command, leader.plan(made.series, unit.command), unit)
    fires = [event for event in made.events("fire") if event.unit == unit.id and event.mode == "phasing"]
    assert [event.sp for event in fires] == [12]


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_flank_is_refused_on_which_an_enemy_could_be_in_his_next_activation(scene, enter, name):
    made = scene(name)
    unit = made.unit("end", "A0606", "E", strength=6, orders=ADVANCE)
    made.unit("foe", "A0603", "SSW", strength=6, side=1, orders=ADVANCE)
    leader = enter(made, unit)
    assert leader.threatened_flank(made.series, unit) == REFUSED_LEFT
    assert leader.guard_flank(made.series, unit)
    assert unit.refused == REFUSED_LEFT


def test_nobody_refuses_a_flank_that_nobody_threatens(scene, enter):
    made = scene("cautious")
    unit = made.unit("end", "A0606", "E", strength=6)
    made.unit("foe", "A0906", "W", strength=6, side=1)
    leader = enter(made, unit)
    assert leader.threatened_flank(made.series, unit) == 0
    assert not leader.guard_flank(made.series, unit)


def test_an_outmatched_line_withdraws_as_one(scene, enter):
    made = scene("cautious")
    unit = made.unit("line", "A0604", "E", strength=8)
    for ident in ("A0703", "A0704", "A0705"):
        made.unit(f"at {ident}", ident, "W", strength=14, side=1)
    leader = enter(made, unit)
    made.battle.add_part(unit, made.hex("A0605"), 0, EXTENDED_LINE)
    leader.doctrine.withdraw = 0
    assert leader.draw_off(made.series, unit)
    assert unit.withdrew or not unit.counts()
    assert not unit.counts() or not made.battle.enemy_near(unit.hex, 0)
