"""Rule 6.3, Reserve: who may go there, what it brings back, and how it ends (6.31-6.35, 13.5, 16.2)."""

import pytest

from simkit.model.battle import DAY, DIVISION_MARKER, DUSK, NIGHT, Marker, Turn
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, ELIMINATED, MARCH, ON_MAP, ROUTED
from simkit.model.sections import divide
from simkit.play.audit import audit
from simkit.play.game import Game
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.scenario_rules import EfficiencyPool

UNION, CONFEDERATE = 0, 1


def resting(field, orders=ADVANCE, enemy="A2504", light=DAY, placed=True, options=None):
    """A brigade of two regiments and a battery with its brigadier, in reserve, and an enemy 22 hexes away."""
    f = field(30, 8)
    f.own = f.battle.brigades[UNION]
    f.own.orders = orders
    f.leader("Brigade", "A0304", command_range=20)
    f.first = f.unit("1 IL", "A0304", "E", strength=5, full=8, cohesion=7, cohesion_disordered=5)
    f.second = f.unit("2 IL", "A0305", "E", strength=6, full=6, cohesion=7, cohesion_disordered=5)
    f.guns = f.unit("Bty", "A0306", "E", kind=ARTILLERY)
    f.enemy = f.unit("1 TN", enemy, "W", side=CONFEDERATE)
    f.play(options=options)
    f.battle.turns[0] = Turn("turn", light)
    f.series.command.determine()
    if placed:
        f.answers[UNION]["reserve"] = [lambda series, commands: series.reserve.place(f.own)]
        f.series.reserve.phase(UNION)
        assert f.own.in_reserve
    f.marker = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)
    return f


def test_6_32_15_13_a_builder_who_goes_into_reserve_gives_it_up(field):
    f = resting(field, placed=False)
    f.ground("woods", "A0405")
    for level in ("armies", "corps", "divisions"):
        f.leader(level, "A0304", getattr(f.battle, level)[UNION], command_range=20)
    f.answers[UNION]["build"] = [0]
    f.series.command.determine()
    f.series.engineering.phase(UNION)
    assert f.first.building
    f.answers[UNION]["reserve"] = [lambda series, commands: series.reserve.place(f.own)]
    f.series.reserve.phase(UNION)
    assert f.own.in_reserve
    assert not f.first.building
    assert not f.battle.works.sites
    assert [event.result for event in f.events("construction")] == ["begun", "reserve"]


# -- 6.31 to 6.33 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("enemy", "wood", "light", "may"),
    [("A1304", False, DAY, True), ("A1204", False, DAY, False), ("A1204", True, DAY, True), ("A0804", True, DAY, True),
     ("A0704", True, DAY, False), ("A0804", False, NIGHT, True), ("A0704", False, NIGHT, False)],
)
def test_6_31_ten_hexes_from_the_enemy_or_five_out_of_his_sight_or_at_night(field, enemy, wood, light, may):
    f = resting(field, enemy=enemy, light=light, placed=False)
    if wood:
        f.ground("woods", *[f"A{column:02d}{row:02d}" for column in (5, 6) for row in range(1, 9)])
    assert f.series.reserve.qualifies(f.own) is may


def test_6_32_only_those_that_qualify_are_offered_and_nobody_else_is_placed(field):
    f = resting(field, enemy="A0604", placed=False)
    f.series.reserve.phase(UNION)
    assert "reserve" not in f.asked[UNION]
    with pytest.raises(CommanderError, match=r"6\.31"):
        f.series.reserve.place(f.own)


@pytest.mark.parametrize("orders", [MARCH, ADVANCE, ATTACK])
def test_6_31_6_32_whatever_its_orders_it_pays_no_attention_to_markers(field, orders):
    f = resting(field, orders)
    f.series.activation.activate(f.marker)
    assert f.events("activation") == []
    assert [event.result for event in f.events("reserve")] == ["placed"]


def test_6_32_it_does_not_fire_or_react_nor_take_orders_or_build(field):
    f = resting(field)
    assert not f.series.fire.able(f.guns)
    f.battle.phasing = CONFEDERATE
    assert not f.series.reaction.may_move_off(f.guns, [f.enemy])
    assert f.series.reaction.headings(f.first, [f.enemy]) == []
    assert f.series.reaction.refusals(f.first, [f.enemy]) == []
    assert not f.series.engineering.may_build(f.first)
    f.leader("Division", "A0304", f.battle.divisions[UNION], command_range=30)
    f.leader("Corps", "A0304", f.battle.corps[UNION], command_range=30)
    f.series.command.determine()
    assert f.own not in f.series.orders.open_division_orders(UNION)
    f.own.in_reserve = False
    assert f.own in f.series.orders.open_division_orders(UNION)


def test_6_33_the_leader_of_a_routed_command_stands_for_it(field):
    f = resting(field, placed=False)
    for unit in f.own.units:
        f.battle.remove(unit, ROUTED)
    assert f.series.reserve.qualifies(f.own)
    f.battle.stand_leader(f.own.leader(), f.hex("A2404"))
    assert not f.series.reserve.qualifies(f.own)


@pytest.mark.parametrize(("edition", "stays"), [("dead_of_winter", False), ("gringo", True)])
def test_6_33_a_leader_alone_loses_it_when_an_enemy_comes_next_to_him(field, edition, stays):
    """6.33: but in Gringo!, which does not say so."""
    f = resting(field, placed=False, options={"edition": edition})
    for unit in f.own.units:
        f.battle.remove(unit, ROUTED)
    f.own.in_reserve = True
    f.series.reserve.found_alone(f.own)
    assert f.own.in_reserve is stays


# -- 6.34 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("distance", "roused"), [(4, True), (5, False)])
def test_6_34_a_fire_from_four_hexes_drives_it_out_disordered(field, distance, roused):
    f = resting(field, ATTACK)
    battery = f.unit("Bty C", f"A{3 + distance:02d}04" if distance % 2 == 0 else "A0803", "W", side=1, kind=ARTILLERY)
    assert battery.hex.distance_to(f.first.hex) == distance
    f.begin(battery)
    f.answers[UNION]["return_fire"] = [0] * 4
    f.roll(("fire", 0))
    f.series.fire.phasing(battery, [f.first.hex], False)
    assert f.own.in_reserve is not roused
    if roused:
        assert [unit.disordered for unit in f.own.units] == [True] * 3
        assert {unit.orders for unit in f.own.units} == {ADVANCE} == {f.own.orders}


def test_6_34_so_does_shock_and_then_it_acts_again(field):
    f = resting(field, enemy="A0403", placed=False)
    f.own.in_reserve = True
    f.battle.lift(f.enemy)
    f.battle.stand(f.enemy, next(side.to for side in f.first.hex.sides if not side.to.stack), True)
    f.enemy.orders = ATTACK
    f.enemy.heading = next(
        heading for heading in range(1, 12, 2) if f.first.hex in [s.to for s in f.enemy.hex.nodes[heading].ahead]
    )
    f.begin(f.enemy)
    f.series.shock.designate([Designation([f.enemy], [f.series.shock.targets(f.enemy)[0]])], [f.enemy.command])
    assert not f.own.in_reserve and f.first.disordered and f.second.disordered
    f.series.activation.activate(f.marker)
    assert [event.unit for event in f.events("activation")] == ["1/1/U"]


@pytest.mark.parametrize(("answer", "stays", "orders"), [(-1, True, MARCH), (1, False, ADVANCE), (2, False, ATTACK)])
def test_6_34_6_35_it_leaves_at_the_end_of_the_turn_under_advance_or_attack_orders(field, answer, stays, orders):
    f = resting(field, MARCH)
    f.answers[UNION]["leave_reserve"] = [answer]
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert (f.own.in_reserve, f.own.orders) == (stays, orders)


def test_6_35_an_order_that_may_not_be_given_is_refused(field):
    f = resting(field)
    f.answers[UNION]["leave_reserve"] = [MARCH]
    f.series.reserve.recover(UNION)
    with pytest.raises(CommanderError, match=r"Commander\.leave_reserve"):
        f.series.reserve.release(UNION)


# -- 6.35 ------------------------------------------------------------------------------------------------------------


def test_6_35_17_41_it_rests_rallies_and_takes_ammunition(field):
    f = resting(field, options={"fatigue": "yes"})
    f.own.fatigue.place(4)
    f.first.disordered = f.guns.disordered = f.second.disordered = True
    f.second.collapsed = True
    f.guns.ammo = 2
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert f.own.fatigue.level == 2
    assert [unit.disordered for unit in (f.first, f.second, f.guns)] == [False, True, False]
    assert f.guns.ammo == 0


@pytest.mark.parametrize("ammo", [(0, 1), (2, 2)])
def test_6_35_8_37_each_section_of_a_battery_takes_ammunition(field, ammo):
    f = resting(field)
    divide(f.guns, [f.charts.weapon("N"), f.charts.weapon("R3")], [2, 2], [2, 2])
    for section, level in zip(f.guns.sections, ammo, strict=True):
        section.ammo = level
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert [section.ammo for section in f.guns.sections] == [0, 0]
    assert f.guns.ammo == 0


@pytest.mark.parametrize(("strength", "collapsed"), [(2, True), (3, False)])
def test_12_23_16_22_stragglers_bring_a_collapsed_unit_back_to_half(field, strength, collapsed):
    """12.23: of eight points it is Collapsed below four, which nothing else mends; it rallies by itself no sooner."""
    f = resting(field, light=DUSK)
    f.first.strength = strength
    f.first.disordered = f.first.collapsed = True
    f.roll(("cohesion", 0))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert (f.first.strength, f.first.collapsed, f.first.disordered) == (strength + 1, collapsed, True)


def test_3_0_13_45_6_34_who_leaves_does_not_rest_as_idle_too(field):
    f = resting(field, options={"fatigue": "yes"})
    f.own.fatigue.place(6)
    f.answers[UNION]["leave_reserve"] = [ADVANCE]
    for side in (UNION, CONFEDERATE):
        f.series.scenario.pools.append(EfficiencyPool(side, [1] * 9, 0, 9))
    f.series.scenario.victory = "regiments"
    game = Game(f.battle, f.series, f.dice, f.commanders)
    game.end_of_turn_segment()
    assert (f.own.in_reserve, f.own.fatigue.level) == (False, 4)


def test_13_45_17_42_the_rest_of_idle_brigades_is_not_for_it(field):
    f = resting(field, options={"fatigue": "yes"})
    f.own.fatigue.place(4)
    f.series.effectiveness.automatic_rally()
    assert f.own.fatigue.level == 4


@pytest.mark.parametrize(
    ("light", "roll", "strength"), [(DUSK, 7, 6), (NIGHT, 6, 6), (DUSK, 8, 5), (DAY, None, 5)]
)
def test_16_21_16_22_at_dusk_and_night_stragglers_return(field, light, roll, strength):
    """16.21, 16.22: a check each; units one short of full strength, or at it, have none (16.23)."""
    f = resting(field, light=light)
    f.battle.stand_leader(f.own.leader(), f.hex("A0307"))
    if roll is not None:
        f.roll(("cohesion", roll))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert (f.first.strength, f.first.recovered, f.second.strength) == (strength, strength - 5, 6)
    assert f.dice.used_up()


@pytest.mark.parametrize(
    ("strengths", "after"), [((5, 9), (6, 9)), ((6, 9), (6, 9)), ((5, 8), (6, 9)), ((6, 8), (7, 8)), ((16,), (17,))]
)
def test_8_11_8_12_16_22_no_stragglers_for_whom_the_hex_has_no_room(field, strengths, after):
    """15 points of infantry in a hex at all times, or one unit of any strength; the roster's first has the room."""
    f = resting(field, light=DUSK)
    for unit in (f.first, f.second):
        f.battle.lift(unit)
        f.battle.stand(unit, f.hex("A0304" if len(strengths) > 1 or unit is f.first else "A0305"), False)
        unit.full = 20
    for unit, strength in zip((f.first, f.second), strengths, strict=False):
        unit.strength = unit.start = strength
    f.second.full = 20 if len(strengths) > 1 else f.second.strength
    f.roll(*[("cohesion", 0)] * sum(a != b for a, b in zip(strengths, after, strict=True)))
    f.series.reserve.recover(UNION)
    assert (f.first.strength, f.second.strength)[: len(after)] == after
    assert f.dice.used_up()


def test_16_23_never_to_full_strength(field):
    f = resting(field, light=DUSK)
    f.first.strength = 7
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert f.first.strength == 7


def test_16_24_6_35_stragglers_return_and_fatigue_falls_in_one_turn(field):
    f = resting(field, light=NIGHT, options={"fatigue": "yes"})
    f.own.fatigue.place(4)
    f.roll(("cohesion", 0))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert (f.own.fatigue.level, f.first.strength) == (2, 6)


@pytest.mark.parametrize(
    ("roll", "place", "strength"), [(5, ON_MAP, 4), (6, ROUTED, 4), (8, ROUTED, 4), (9, ELIMINATED, 0)]
)
def test_13_51_13_52_a_routed_unit_tries_to_come_back(field, roll, place, strength):
    """13.51, 13.52: by its disordered rating of 5; a 9 is the end of it."""
    f = resting(field)
    f.battle.remove(f.first, ROUTED)
    f.roll(("cohesion", roll))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert (f.first.place, f.first.strength) == (place, strength)
    if place == ON_MAP:
        assert f.first.disordered and f.first.hex.distance_to(f.own.leader().hex) <= 1
        assert f.first.heading % 2 == 1


def test_13_52_its_owner_chooses_the_hex_and_17_31_fatigue_counts(field):
    f = resting(field, options={"fatigue": "yes"})
    f.own.fatigue.place(6)  # 3 after the rest: 2 in half of 4 is 1 of 2
    f.battle.remove(f.first, ROUTED)
    f.roll(("cohesion", 5))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert f.first.place == ROUTED
    f.own.in_reserve = True
    f.answers[UNION]["return_to"] = [lambda series, unit, places: len(places) - 1]
    f.roll(("cohesion", 5))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert f.first.place == ON_MAP
    assert f.first.hex is not f.own.leader().hex


def test_13_51_only_in_reserve(field):
    f = resting(field, placed=False)
    f.battle.remove(f.first, ROUTED)
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert f.first.place == ROUTED and f.dice.asked == []


@pytest.mark.parametrize(("left_with", "returns_to"), [(ADVANCE, MARCH), (MARCH, ADVANCE), (ADVANCE, ATTACK)])
def test_13_52_8_12_who_returns_is_under_the_orders_of_his_brigade_and_stacks_by_them(field, left_with, returns_to):
    """On the march only seven points of infantry stand together, and nobody with those under other orders."""
    f = resting(field, returns_to)
    f.second.orders = f.own.orders
    f.battle.lift(f.second)
    f.battle.stand(f.second, f.hex("A0304"), False)
    f.second.heading = 2 if returns_to == MARCH else 3
    f.guns.heading = f.second.heading
    f.first.orders = left_with
    f.battle.remove(f.first, ROUTED)
    f.answers[UNION]["return_to"] = [
        lambda series, unit, places: places.index(f.hex("A0304")) if f.hex("A0304") in places else 0
    ]
    f.roll(("cohesion", 0))
    f.series.reserve.recover(UNION)
    assert f.first.orders == returns_to
    assert (f.first.hex.id == "A0304") is (returns_to != MARCH)
    assert f.first.heading % 2 == (0 if returns_to == MARCH else 1)
    assert audit(f.battle) == []


def test_13_53_cavalry_returns_mounted_by_its_mounted_rating(field):
    f = resting(field, placed=False)
    foot = {"movement": 6, "movement_disordered": 5, "weapon": "R", "cohesion": 9, "cohesion_disordered": 9}
    own = f.brigade("2/1/U")
    f.leader("Riders", "A0308", own)
    rider = f.unit(
        "1 KY", "A0308", "E", kind=CAVALRY, brigade=own, mounted=False, dismounted=foot, cohesion=7,
        cohesion_disordered=3,
    )
    f.battle.ready()
    own.in_reserve = True
    f.battle.remove(rider, ROUTED)
    f.roll(("cohesion", 4))
    f.series.reserve.recover(UNION)
    f.series.reserve.release(UNION)
    assert (rider.place, rider.mounted) == (ROUTED, True)
