"""Rally or act, rest, night and breastworks (5.34, 13.4, 15, 16), in scenes whose answer a player knows."""

import pytest

from simkit.commanders.objectives import Objective
from simkit.model.battle import DAY, NIGHT, PHASE_ACTION, Turn
from simkit.model.forces import ADVANCE, ATTACK

NONE = -1


@pytest.fixture
def brigade(scene, enter):
    """A function that makes three regiments in line, an enemy in a hex, and the activation of the brigade."""

    def make(enemy, name="steady", orders=ADVANCE, objectives=(), light=DAY, **unit):
        made = scene(name, columns=30)
        made.led.objectives = list(objectives)
        made.own = made.brigade("1/1/U", 0, orders)
        made.head = made.leader("Brigadier", "A0306", command_range=20)
        for superior in (made.battle.divisions[0], made.battle.corps[0]):
            made.leader(f"Leader {superior.code}", "A0306", command=superior, command_range=20)
        made.units = [made.unit(f"U{row}", f"A06{row:02d}", "E", orders=orders, **unit) for row in (4, 5, 6)]
        made.foe = made.unit("C", enemy, "W", side=1, strength=6)
        enter(made, made.units[0])
        made.battle.turns[0] = Turn("turn", light)
        made.battle.phase = PHASE_ACTION
        return made

    return make


# -- rally or act (13.4) ----------------------------------------------------------------------------------------------


def test_13_4_a_shaken_unit_rallies_where_rally_is_likely_and_fires_where_it_is_not(brigade):
    """A disordered rating of 1 next to the enemy: one face in ten rallies, eight cost a strength point."""
    made = brigade("A0705")
    for unit in made.units:
        unit.disordered, unit.strength, unit.full = True, 8, 8
    steady, weak = made.units[0], made.units[1]
    steady.cohesion_disordered, weak.cohesion_disordered = 7, 1
    assert made.led.rally_worth(made.series, steady) > 0 > made.led.rally_worth(made.series, weak)
    made.led.act(made.series, [made.own])
    assert {event.unit for event in made.events("rally")} >= {steady.id}
    assert weak.id not in {event.unit for event in made.events("rally")}
    assert weak.fired


@pytest.mark.parametrize(("rating", "tries"), [(4, False), (8, True)])
def test_13_45_a_shaken_brigade_out_of_reach_stands_idle_and_risks_no_point_in_rallies(brigade, rating, tries):
    """It rallies for nothing at the end of the turn; a rating of 8 loses nothing by a try, but for a 9."""
    made = brigade("A2005", cohesion=9, cohesion_disordered=rating)
    for unit in made.units[:2]:
        unit.disordered = True
    made.series.command.determine()
    if rating == 8:
        made.units[0].fatigue.half = 0
        made.own.fatigue.half = 0
        made.units[0].cohesion_disordered = made.units[1].cohesion_disordered = 9
    made.led.act(made.series, [made.own])
    assert not any(unit.moved or unit.fired for unit in made.units)
    assert bool(made.events("rally")) is tries
    made.series.effectiveness.automatic_rally()
    assert not any(unit.disordered for unit in made.units)


def test_13_45_in_the_enemys_reach_it_does_not_wait_for_the_end_of_the_turn(brigade):
    made = brigade("A1005")
    for unit in made.units[:2]:
        unit.disordered = True
    made.led.act(made.series, [made.own])
    assert len(made.events("rally")) == 2


def test_5_34_in_confusion_units_still_rally_and_nobody_moves_or_fires(brigade):
    made = brigade("A0905")
    made.own.confused = True
    made.units[0].disordered = True
    made.units[1].ammo = 1
    made.led.act(made.series, [made.own])
    assert [event.unit for event in made.events("rally")] == [made.units[0].id]
    assert [event.unit for event in made.events("resupply")] == [made.units[1].id]
    assert not made.events("move", "fire")


# -- night (16.1, 16.2) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("light", "name", "still"), [(NIGHT, "steady", True), (DAY, "steady", False),
                                                      (NIGHT, "aggressive", False)])
def test_16_12_at_night_nobody_wanders_about(brigade, light, name, still):
    made = brigade("A1805", name, light=light, objectives=[Objective("A2005", 2, [])])
    made.led.act(made.series, [made.own])
    assert (not made.events("move")) is still


def test_16_12_no_attack_is_ordered_at_night(brigade):
    for light, wanted in ((DAY, ATTACK), (NIGHT, ADVANCE)):
        made = brigade("A0905", light=light, strength=8)
        assert made.led.wanted_orders(made.series, made.own) == wanted


@pytest.mark.parametrize(("light", "goes"), [(NIGHT, True), (DAY, False)])
def test_6_31_16_2_whoever_lacks_men_or_order_goes_into_reserve_for_the_night(brigade, light, goes):
    made = brigade("A1405", light=light)
    made.units[0].strength, made.units[0].full = 4, 6
    made.units[1].disordered = True
    made.series.reserve.phase(0)
    assert made.own.in_reserve is goes


# -- breastworks (15) -------------------------------------------------------------------------------------------------


def built(made):
    made.series.engineering.phase(0)
    return {site.unit.name for site in made.battle.works.sites}


@pytest.fixture
def woods(brigade):
    """A function that makes the brigade, in command, on wooded ground."""

    def make(enemy, name="steady", **more):
        made = brigade(enemy, name, **more)
        for place in made.map.hexes:
            place.terrain = made.charts.terrain("woods")
        made.series.command.determine()
        return made

    return make


def test_15_1_the_outmatched_dig_in_and_the_stronger_go_on(woods):
    weak = woods("A1205", strength=5)
    weak.foe.strength = 30
    assert built(weak)
    strong = woods("A1205", strength=9)
    assert not built(strong)


def test_15_1_who_is_pressed_or_far_away_or_aggressive_does_not_dig(woods):
    for enemy, name in (("A0805", "steady"), ("A2505", "steady"), ("A1205", "aggressive")):
        made = woods(enemy, name, strength=5)
        made.foe.strength = 30
        assert not built(made), (enemy, name)


def test_15_21_a_hex_behind_works_towards_the_enemy_is_worth_more_and_one_in_front_of_them_is_not(brigade):
    made = brigade("A1205")
    field = made.led.field(made.battle)
    place = made.hex("A0807")
    worth = {}
    for vertex in (NONE, 1, 4):
        if vertex >= 0:
            made.battle.works.stand_in(place, vertex)
        field.look(made.own)
        field.appraise(made.own, [], [], 3)
        worth[vertex] = field.place_worth(place)
        if vertex >= 0:
            made.battle.works.remove(place, vertex)
    assert max(worth[1], worth[4]) > worth[NONE]
    assert min(worth[1], worth[4]) == worth[NONE]


def test_15_21_units_that_hold_take_up_the_works_that_are_there(brigade):
    made = brigade("A1105", strength=3)
    for place in ("A0704", "A0705", "A0706"):
        made.battle.works.stand_in(made.hex(place), 1)
    made.foe.strength = 9
    made.led.act(made.series, [made.own])
    assert sum(unit.hex.id in ("A0704", "A0705", "A0706") for unit in made.units) >= 2


def test_15_21_and_leave_them_to_attack(brigade):
    made = brigade("A1005", orders=ATTACK, strength=9)
    for unit in made.units:
        made.battle.works.stand_in(unit.hex, 1)
    made.foe.strength = 3
    made.led.act(made.series, [made.own])
    assert sum(unit.moved for unit in made.units) >= 2
