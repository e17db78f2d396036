"""The heuristic commander's manoeuvres: who draws off from whom, which guns leave canister range, who marches."""

import pytest

from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH
from simkit.scenario.doctrines import doctrine, doctrine_names

DOCTRINES = doctrine_names()
CANISTER = 3  # hexes (10.67)


def pressed(made, own, theirs, orders=ADVANCE):
    """One regiment with two that face it from its front, one hex away."""
    made.brigade("1/1/C", 1, ATTACK)
    made.brigade("1/1/U", 0, orders)
    alone = made.unit("alone", "A0604", "E", strength=own, orders=orders)
    for ident in ("A0703", "A0704"):
        made.unit(f"at {ident}", ident, "W", strength=theirs, side=1, orders=ATTACK)
    return alone


# -- drawing off -----------------------------------------------------------------------------------------------------


def test_an_outmatched_regiment_withdraws_with_its_face_to_the_enemy_and_the_aggressive_stands(scene, enter):
    withdrew = {}
    for name in DOCTRINES:
        made = scene(name)
        alone = pressed(made, 4, 12)
        leader = enter(made, alone)
        leader.act(made.series, made.battle.active)
        withdrew[name] = alone.withdrew
        if alone.counts() and alone.withdrew:
            assert not made.battle.enemy_near(alone.hex, 0)
            assert alone.heading == 3
    assert not withdrew["aggressive"]
    assert withdrew["cautious"]


@pytest.mark.parametrize("name", DOCTRINES)
def test_nobody_draws_off_from_weak_enemies(scene, enter, name):
    made = scene(name)
    alone = pressed(made, 9, 2)
    leader = enter(made, alone)
    assert not leader.outmatched(made.series, alone)
    leader.act(made.series, made.battle.active)
    assert not alone.withdrew


def test_whoever_may_strike_first_with_a_good_chance_does_not_draw_off(scene, enter):
    """A regiment that can be driven from its hex but would more likely drive its enemy away."""
    made = scene("cautious")
    made.brigade("1/1/C", 1, ATTACK)
    made.brigade("1/1/U", 0, ATTACK)
    alone = made.unit("alone", "A0604", "E", strength=9, orders=ATTACK)
    made.unit("foe", "A0703", "W", strength=9, side=1, orders=ATTACK, disordered=True, cohesion_disordered=2)
    leader = enter(made, alone)
    leader.doctrine.withdraw = 0
    assert leader.outmatched(made.series, alone)
    assert not leader.draw_off(made.series, alone)
    assert leader.doctrine.withdraw == 0


# -- guns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_battery_leaves_canister_range_of_what_it_cannot_beat(scene, enter, name):
    made = scene(name)
    guns = made.unit("guns", "A0604", "E", strength=2, kind=ARTILLERY, weapon="N")
    friend = made.unit("friend", "A0310", "E")
    for ident in ("A0802", "A0803", "A0804", "A0805"):
        made.unit(f"at {ident}", ident, "W", strength=9, side=1)
    leader = enter(made, friend)
    leader.act(made.series, made.battle.active)
    assert min(guns.hex.distance_to(made.hex(f"A080{row}")) for row in range(2, 6)) > CANISTER - 1
    assert not [event for event in made.events("fire") if event.unit == guns.id and event.mode == "phasing"]


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_battery_stays_where_its_canister_is_worth_more_than_what_it_suffers(scene, enter, name):
    made = scene(name)
    guns = made.unit("guns", "A0604", "E", strength=6, kind=ARTILLERY, weapon="N")
    made.unit("foe", "A0804", "W", strength=3, side=1)
    leader = enter(made, guns)
    place = guns.hex
    leader.act(made.series, made.battle.active)
    assert guns.hex is place
    assert [event for event in made.events("fire") if event.unit == guns.id and event.mode == "phasing"]


# -- marching --------------------------------------------------------------------------------------------------------


def test_far_from_the_enemy_a_brigade_wants_to_march_and_near_him_it_does_not(scene, enter):
    for gap, wanted in ((doctrine("steady").march + 2, MARCH), (6, ADVANCE)):
        made = scene("steady", columns=30, rows=6)
        unit = made.unit("march", "A0203", "E", strength=5)
        made.unit("foe", f"A{2 + gap:02d}03", "W", strength=5, side=1)
        leader = enter(made, unit)
        assert leader.wanted_orders(made.series, unit.command) == wanted


def test_those_of_a_hex_march_over_a_bridge_as_one(scene, enter):
    """8.21, 8.22: one by one each would bar the bridge to the other, for he marches and stands beside it."""
    made = scene("steady", columns=30, rows=3)
    made.brigade("1/1/U", orders=MARCH)
    units = [made.unit(name, "A0402", "NE", strength=3) for name in ("first", "second")]
    made.unit("enemy", "A3002", "W", side=1)
    for row in ("1", "2", "3"):
        for first, second in ((f"A050{row}", f"A060{other}") for other in ("1", "2", "3")):
            if made.hex(first).distance_to(made.hex(second)) == 1:
                made.hexside("bridge" if row == "2" else "river", first, second)
    commander = enter(made, units[0])
    commander.act(made.series, made.battle.active)
    assert units[0].hex is units[1].hex
    assert units[0].hex.column > 5


@pytest.mark.parametrize("name", ["cautious", "steady"])
def test_a_leader_alone_with_whoever_withdraws_goes_along(scene, enter, name):
    """9.31, 12.73: he would stay behind alone beside the enemy."""
    made = scene(name)
    alone = pressed(made, 4, 12)
    leader = made.leader("Bold", alone.hex.id)
    led = enter(made, alone)
    led.doctrine.withdraw = 0
    assert led.draw_off(made.series, alone)
    assert alone.withdrew
    assert leader.hex is alone.hex or not alone.counts()
