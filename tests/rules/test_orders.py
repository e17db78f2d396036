"""Chapter 6: what orders permit, and how brigades change them."""

import pytest

from simkit.model.battle import PHASE_ACTION
from simkit.model.charts import AGGRESSIVE, CAUTIOUS, NORMAL, UNRELIABLE
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, MARCH
from simkit.rules.commander import CommanderError

UNION, CONFEDERATE = 0, 1


def brigade(field, faces=(), wanted=ATTACK, orders=0, profile=NORMAL, brigade_orders=ADVANCE, **more):
    """A brigade of two regiments and a battery with its brigadier, and an enemy far off; it tries to change orders."""
    f = field(30, 8)
    f.own = f.battle.brigades[UNION]
    f.own.orders = brigade_orders
    f.brigadier = f.leader("Hackenbush", "A0303", orders=orders, profile=profile, command_range=4)
    facing = "NE" if brigade_orders == MARCH else "E"
    f.first = f.unit("1 IL", more.get("at", "A0303"), facing, orders=brigade_orders)
    f.second = f.unit("2 IL", "A0305", facing, orders=brigade_orders)
    f.guns = f.unit("Bty", "A0307", facing, kind=ARTILLERY, orders=brigade_orders)
    f.enemy = f.unit("1 TN", more.get("enemy", "A2805"), "W", side=CONFEDERATE)
    f.answers[UNION]["change_orders"] = [wanted]
    f.play(list(faces))
    return f


def change(f):
    f.series.orders.change_phase([f.own])


# -- the Orders Comparison Chart -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "fire", "move_and_fire", "adjacent", "shock", "roads", "rally", "retreat", "advance"),
    [
        (MARCH, False, False, False, False, True, False, False, False),
        (ADVANCE, True, False, False, True, True, True, True, True),
        (ATTACK, True, True, True, True, False, True, False, True),
    ],
)
def test_6_11_the_orders_comparison_chart(
    field, orders, fire, move_and_fire, adjacent, shock, roads, rally, retreat, advance
):
    """6.11, and what of it 6.13, 6.15 and 6.16 repeat."""
    f = field(4, 4)
    unit = f.unit("22 IN", "A0202", "NE" if orders == MARCH else "E", orders=orders)
    rules = f.play().series.orders
    assert rules.may_fire(unit) is fire
    assert rules.may_fire_phasing(unit) is fire
    unit.moved = True
    assert rules.may_fire_phasing(unit) is move_and_fire
    unit.moved = False
    unit.fired = True
    assert rules.may_move(unit) is (move_and_fire or orders == MARCH)
    assert rules.may_move_adjacent(unit) is adjacent
    assert rules.may_shock(unit) is shock
    assert rules.may_use_roads(unit) is roads
    assert rules.may_rally(unit) is rally
    assert rules.may_resupply(unit) is rally
    assert rules.may_retreat_before_shock(unit) is retreat
    assert rules.may_advance(unit) is advance
    assert rules.may_continue_shock(unit) is advance


def test_6_18_guns_under_advance_orders_move_and_fire(field):
    f = field(4, 4)
    guns = f.unit("Bty", "A0202", kind=ARTILLERY)
    f.play()
    guns.moved = True
    assert f.series.orders.may_fire_phasing(guns)
    guns.fired = True
    assert f.series.orders.may_move(guns)


def test_6_18_artillery_is_never_under_attack_orders(field):
    f = brigade(field)
    f.series.orders.open_deployment(UNION)
    f.series.orders.assign(f.own, ATTACK)
    assert [u.orders for u in (f.first, f.second, f.guns)] == [ATTACK, ATTACK, ADVANCE]


# -- orders without a roll -------------------------------------------------------------------------------------------


def test_6_17_the_owner_assigns_what_the_scenario_leaves_open(field):
    f = brigade(field)
    f.series.orders.open_deployment(UNION)
    f.series.orders.assign(f.own, MARCH)
    assert f.own.orders == MARCH
    assert all(unit.heading % 2 == 0 for unit in (f.first, f.second, f.guns))
    f.series.orders.close()
    with pytest.raises(CommanderError, match="can't be given orders now"):
        f.series.orders.assign(f.own, ADVANCE)


def test_6_17_orders_that_the_scenario_assigns_are_not_the_owners(field):
    f = brigade(field)
    f.series.scenario.assigned.append(f.own)
    f.series.orders.open_deployment(UNION)
    with pytest.raises(CommanderError, match="can't be given orders now"):
        f.series.orders.assign(f.own, ATTACK)


def test_6_12_the_enemys_brigades_are_not_for_the_asking(field):
    f = brigade(field)
    f.series.orders.open_deployment(CONFEDERATE)
    with pytest.raises(CommanderError, match="can't be given orders now"):
        f.series.orders.assign(f.own, ATTACK)
    with pytest.raises(CommanderError, match="there are 0 March"):
        f.series.orders.assign(f.battle.brigades[CONFEDERATE], 7)


def in_chain(f):
    f.corps = f.leader("Corps", "A0304", f.battle.corps[UNION], command_range=6)
    f.division_leader = f.leader("Division", "A0204", f.battle.divisions[UNION], command_range=4)


def test_6_12_in_the_division_orders_phase_brigades_in_the_chain_change_without_a_roll(field):
    f = brigade(field)
    in_chain(f)
    f.series.command.determine()
    assert f.series.orders.open_division_orders(UNION) == [f.own]
    f.series.orders.assign(f.own, ATTACK)
    assert (f.own.orders, f.first.orders) == (ATTACK, ATTACK)
    assert f.dice.asked == []


def test_6_12_without_a_corps_commander_in_range_nobody_changes_orders_so(field):
    f = brigade(field)
    f.leader("Division", "A0204", f.battle.divisions[UNION], command_range=4)
    f.series.command.determine()
    assert f.series.orders.open_division_orders(UNION) == []


def test_4_23_units_out_of_command_keep_their_orders_in_the_division_orders_phase(field):
    f = brigade(field, at="A0303")
    stray = f.unit("stray", "A1505")
    in_chain(f)
    f.series.command.determine()
    f.series.orders.open_division_orders(UNION)
    f.series.orders.assign(f.own, ATTACK)
    assert (f.first.orders, stray.orders) == (ATTACK, ADVANCE)


def test_4_23_a_unit_back_in_range_takes_its_brigades_orders_when_the_brigade_activates(field):
    f = brigade(field)
    f.own.orders = ATTACK
    f.series.orders.catch_up(f.own)
    assert (f.first.orders, f.second.orders, f.guns.orders) == (ATTACK, ATTACK, ADVANCE)


@pytest.mark.parametrize(
    ("distance", "sight", "allowed"), [("A0703", True, False), ("A0803", True, True), ("A0703", False, True)]
)
def test_6_14_no_march_orders_within_four_hexes_and_sight_of_the_enemy(field, distance, sight, allowed):
    f = field(30, 8)
    f.leader("Brigade", "A0303")
    f.unit("1 IL", "A0303")
    f.unit("1 TN", distance, "W", side=CONFEDERATE)
    if not sight:
        for row in range(1, 9):
            f.ground("woods", f"A05{row:02d}")
    f.play()
    assert f.series.orders.may_march(f.battle.brigades[UNION]) is allowed
    f.series.orders.open_deployment(UNION)
    if allowed:
        f.series.orders.assign(f.battle.brigades[UNION], MARCH)
    else:
        with pytest.raises(CommanderError, match="March Orders"):
            f.series.orders.assign(f.battle.brigades[UNION], MARCH)


def test_8_12_dismounted_cavalry_gets_no_march_orders(field):
    f = field(8, 8)
    f.unit("4 US", "A0303", kind=CAVALRY, mounted=False)
    f.play()
    assert not f.series.orders.may_march(f.battle.brigades[UNION])


def test_5_28_a_march_given_in_the_division_orders_phase_is_as_long_as_the_division_acts(field):
    f = brigade(field)
    in_chain(f)
    f.series.command.determine()
    f.battle.divisions[UNION].markers = 2
    f.series.orders.open_division_orders(UNION)
    f.series.orders.assign(f.own, MARCH)
    assert f.own.march_limit == 2


# -- brigade orders change -------------------------------------------------------------------------------------------


def test_example_6_23_a_brigadiers_rating_spoils_his_change_of_orders(field):
    """6.21, 6.23, 4.14, dead-of-winter:598: Orders Rating -1: a 4 becomes 3, Advance Orders stay."""
    f = brigade(field, [("orders", 4)], orders=-1)
    change(f)
    assert f.own.orders == ADVANCE
    assert (f.first.orders, f.first.stands) == (ADVANCE, False)
    event = f.events("orders")[-1]
    assert (event.roll, event.drm, event.adjusted, event.result) == (4, -1, 3, "retain")


@pytest.mark.parametrize(
    ("die", "orders", "stands"),
    [(0, ADVANCE, True), (1, ADVANCE, True), (2, ADVANCE, False), (3, ADVANCE, False), (4, ADVANCE, False),
     (5, ATTACK, True), (6, ATTACK, False), (9, ATTACK, False)],
)  # fmt: skip
def test_6_23_the_orders_change_table(field, die, orders, stands):
    f = brigade(field, [("orders", die)])
    change(f)
    assert (f.own.orders, f.first.orders, f.guns.orders) == (orders, orders, ADVANCE)
    assert [u.stands for u in (f.first, f.second, f.guns)] == [stands] * 3
    assert f.series.orders.may_move(f.first) is not stands


@pytest.mark.parametrize(
    ("here", "modifier"),
    [((), 0), (("division",), 1), (("corps",), 2), (("army",), 2), (("corps", "army"), 2), (("division", "corps"), 3)],
)
def test_6_22_superiors_stacked_with_the_brigadier_help(field, here, modifier):
    f = brigade(field)
    places = {True: "A0303", False: "A0101"}
    f.leader("Division", places["division" in here], f.battle.divisions[UNION])
    f.leader("Corps", places["corps" in here], f.battle.corps[UNION])
    f.leader("Army", places["army" in here], f.battle.armies[UNION])
    assert f.series.orders.change_modifier(f.own) == modifier


def test_6_21_a_change_reaches_only_units_within_the_brigadiers_range(field):
    f = brigade(field, [("orders", 5)])
    stray = f.unit("stray", "A1505")
    change(f)
    assert (f.first.orders, f.first.stands) == (ATTACK, True)
    assert (stray.orders, stray.stands) == (ADVANCE, False)


def test_6_21_without_its_leader_on_the_map_a_brigade_cannot_try(field):
    f = brigade(field)
    f.series.results.kill(f.brigadier, "test")
    change(f)
    assert "change_orders" not in f.asked[UNION]


@pytest.mark.parametrize("wanted", [MARCH, ADVANCE, 5, -2])
def test_6_21_a_try_must_be_for_other_orders_than_the_present(field, wanted):
    f = brigade(field, wanted=wanted)
    with pytest.raises(CommanderError, match="change_orders"):
        change(f)


# -- loose cannons ---------------------------------------------------------------------------------------------------


def act(f):
    """Let the brigade act as one on which the rule has its way."""
    f.series.activation.brigade([f.own])


def ready(f):
    f.battle.phasing = UNION
    f.battle.marching = False
    change(f)


def test_6_24_a_normal_loose_cannon_keeps_his_orders(field):
    f = brigade(field, [("orders", 4)], profile=NORMAL)
    ready(f)
    assert (f.own.orders, f.own.loose) == (ADVANCE, 0)
    assert f.series.orders.may_fire_phasing(f.first)


def test_6_24_an_aggressive_one_near_the_enemy_charges(field):
    f = brigade(field, [("orders", 4)], profile=AGGRESSIVE, enemy="A0703", orders=0)
    # A0303 E to A0503: two MPs, and the enemy in its front
    ready(f)
    assert (f.own.orders, f.first.orders, f.guns.orders) == (ATTACK, ATTACK, ADVANCE)
    assert not f.series.orders.may_fire_phasing(f.first)
    seen = []
    f.answers[UNION]["shocks"] = [lambda series, brigades: seen.append(series.shock.must_shock(f.first)) or []]
    with pytest.raises(CommanderError, match="shocks"):
        act(f)
    assert seen == [True]
    assert f.battle.enemy_near(f.first.hex, UNION)
    assert f.first.forced == 2


def test_6_24_an_aggressive_one_far_from_the_enemy_closes_up_under_advance_orders(field):
    f = brigade(field, [("orders", 4)], profile=AGGRESSIVE, brigade_orders=ATTACK, wanted=ADVANCE)
    before = f.first.hex.distance_to(f.enemy.hex)
    ready(f)
    assert f.own.orders == ADVANCE
    act(f)
    assert f.first.hex.distance_to(f.enemy.hex) == before - 6
    assert f.second.hex.distance_to(f.enemy.hex) < 25
    assert f.first.forced == 0


@pytest.mark.parametrize(("mounted", "place", "within"), [
    (False, "A0903", True), (False, "A1003", False), (True, "A1103", True), (True, "A1203", False),
])  # fmt: skip
def test_6_24_within_3_mps_of_a_hex_beside_the_enemy_or_5_if_mounted(field, mounted, place, within):
    """A unit in A0503: a hex adjacent to the enemy is 3 hexes off when he is 4 hexes off."""
    f = field(30, 6)
    unit = f.unit("unit", "A0503", kind=CAVALRY if mounted else 0)
    f.unit("1 TN", place, "W", side=CONFEDERATE)
    f.play()
    assert f.series.orders.loose.within_charge(unit) is within


def test_6_24_costs_of_the_terrain_count(field):
    f = field(30, 6)
    unit = f.unit("unit", "A0503")
    f.unit("1 TN", "A0903", "W", side=CONFEDERATE)
    for column in (6, 7, 8):
        for row in range(1, 7):
            f.ground("woods", f"A{column:02d}{row:02d}")
    f.play()
    assert not f.series.orders.loose.within_charge(unit)


def test_6_24_a_cautious_one_falls_back_a_hex_and_does_nothing_else(field):
    f = brigade(field, [("orders", 4)], profile=CAUTIOUS, enemy="A0603", brigade_orders=ATTACK, wanted=ADVANCE)
    ready(f)
    guns = f.guns.hex
    before = f.first.hex.distance_to(f.enemy.hex)
    heading = f.first.heading
    checked = []

    def look(series, brigades):
        checked.append((f.first.finished, series.movement.may_move(f.first)))

    f.answers[UNION]["act"] = [look]
    act(f)
    assert f.first.hex.distance_to(f.enemy.hex) == before + 1
    assert f.first.heading == heading
    assert f.guns.hex is guns
    assert (f.own.orders, f.first.orders) == (ADVANCE, ADVANCE)
    assert checked == [(True, False)]


@pytest.mark.parametrize(("die", "loose"), [(0, 2), (2, 2), (3, 0), (6, 0), (7, 3), (9, 3)])
def test_6_24_the_table_for_unreliable_brigadiers(field, die, loose):
    """6.24, by the Action Profile of 4.14."""
    f = brigade(field, [("orders", 4), ("orders", die)], profile=UNRELIABLE)
    ready(f)
    assert f.own.loose == loose  # 2 closes up (no enemy near), 3 falls back


def test_6_24_a_loose_cannon_moves_only_units_in_command(field):
    f = brigade(field, [("orders", 4)], profile=AGGRESSIVE)
    stray = f.unit("stray", "A1205")
    ready(f)
    act(f)
    assert stray.hex.id == "A1205"
    assert stray.forced == 0


# -- March Orders ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "orders", "stands"),
    [(0, MARCH, True), (3, MARCH, False), (4, MARCH, False), (5, ADVANCE, True), (6, ADVANCE, False)],
)
def test_6_25_a_brigade_on_the_march_changes_orders_where_it_stands(field, die, orders, stands):
    f = brigade(field, [("orders", die)], brigade_orders=MARCH, wanted=ADVANCE, profile=AGGRESSIVE)
    change(f)
    assert (f.own.orders, f.first.orders, f.first.stands) == (orders, orders, stands)
    assert f.own.loose == 0
    assert (f.first.heading % 2 == 0) is (orders == MARCH)


def test_7_23_its_owner_faces_a_unit_anew_when_it_leaves_the_march(field):
    f = brigade(field, [("orders", 6)], brigade_orders=MARCH, wanted=ADVANCE)
    f.answers[UNION]["heading_after"] = [5, 0]
    heading = f.first.heading
    change(f)
    assert f.first.heading == (heading + 7) % 12
    assert f.second.heading == (heading + 1) % 12


@pytest.mark.parametrize("hit", ["fired_at", "shock_target", ""])
def test_6_26_a_brigade_attacked_on_the_march_deploys_at_the_end_of_the_enemys_activation(field, hit):
    f = brigade(field, brigade_orders=MARCH)
    enemy = f.battle.brigades[CONFEDERATE]
    f.battle.phasing = CONFEDERATE
    f.answers[CONFEDERATE]["act"] = [lambda series, brigades: hit and setattr(f.first, hit, True)]
    f.series.activation.brigade([enemy])
    orders = ADVANCE if hit else MARCH
    assert (f.own.orders, f.first.orders, f.second.orders) == (orders, orders, orders)
    assert (f.first.heading % 2 == 0) is (orders == MARCH)


def test_6_26_other_orders_stay(field):
    f = brigade(field, brigade_orders=ATTACK)
    f.battle.phasing = CONFEDERATE
    f.answers[CONFEDERATE]["act"] = [lambda series, brigades: setattr(f.first, "fired_at", True)]
    f.series.activation.brigade([f.battle.brigades[CONFEDERATE]])
    assert (f.own.orders, f.first.orders) == (ATTACK, ATTACK)


def test_6_26_a_straggler_hit_on_the_march_leaves_its_brigades_attack_orders_alone(field):
    f = brigade(field, brigade_orders=ATTACK)
    f.first.orders = MARCH
    f.battle.phasing = CONFEDERATE
    f.answers[CONFEDERATE]["act"] = [lambda series, brigades: setattr(f.first, "fired_at", True)]
    f.series.activation.brigade([f.battle.brigades[CONFEDERATE]])
    assert (f.own.orders, f.first.orders, f.second.orders) == (ATTACK, ADVANCE, ATTACK)


@pytest.mark.parametrize(("die", "answer", "orders", "stands"), [
    (6, ADVANCE, ADVANCE, False), (5, ADVANCE, ADVANCE, True), (6, ATTACK, ATTACK, False),
])  # fmt: skip
def test_6_23_whoever_may_change_may_also_keep_his_orders(field, die, answer, orders, stands):
    f = brigade(field, [("orders", die)])
    f.answers[UNION]["take_orders"] = [answer]
    change(f)
    assert (f.own.orders, f.first.orders, f.first.stands) == (orders, orders, stands)


def test_6_23_no_change_to_march_orders(field):
    f = brigade(field, [("orders", 6)])
    f.answers[UNION]["take_orders"] = [MARCH]
    with pytest.raises(CommanderError, match=r"Commander\.take_orders: 0"):
        change(f)


def test_6_23_a_stand_forbids_neither_fire_nor_a_turn_to_fire_nor_leaders_to_ride(field):
    f = brigade(field, [("orders", 0)], enemy="A0603", orders=0)
    ready(f)
    seen = []

    def look(series, brigades):
        seen.append(series.movement.may_move(f.first))
        seen.append(series.facing.may_turn(f.first, (f.first.heading + 2) % 12))
        seen.append(series.facing.may_turn(f.first, (f.first.heading + 4) % 12))
        seen.append(series.fire.may_fire(f.first))
        seen.append(series.movement.leader_may_move(f.brigadier))

    f.answers[UNION]["act"] = [look]
    act(f)
    assert seen == [False, True, False, True, True]


def test_6_24_12_44_a_cautious_one_without_a_way_back_loses_a_point(field):
    f = field(30, 8)
    f.own = f.battle.brigades[UNION]
    f.leader("Hackenbush", "A0101", profile=CAUTIOUS)
    f.first = f.unit("1 IL", "A0101", "E", strength=5)
    f.unit("1 TN", "A0202", "W", side=CONFEDERATE)  # beside every hex around the corner
    f.answers[UNION]["change_orders"] = [ATTACK]
    f.play([("orders", 4)])
    ready(f)
    act(f)
    assert (f.first.hex.id, f.first.strength, f.first.lost_other) == ("A0101", 4, 1)


def test_6_24_whoever_begins_beside_the_enemy_must_shock_without_firing(field):
    f = brigade(field, [("orders", 4)], profile=AGGRESSIVE, enemy="A0403")
    ready(f)
    seen = []
    f.answers[UNION]["act"] = [
        lambda series, brigades: seen.append((series.shock.must_shock(f.first), series.fire.may_fire(f.first)))
    ]
    with pytest.raises(CommanderError, match="shocks"):
        act(f)
    assert seen == [(True, False)]
    assert not f.first.came_adjacent


def test_6_15_under_advance_orders_a_vertex_turned_to_fire_is_no_movement(field):
    f = brigade(field, enemy="A0603")
    f.begin(f.first)
    f.series.facing.turn(f.first, (f.first.heading + 2) % 12)
    assert f.series.fire.may_fire(f.first)
    f.series.facing.turn(f.first, (f.first.heading + 2) % 12)  # the second costs a movement point
    assert not f.series.fire.may_fire(f.first)


def test_6_16_10_32_under_attack_orders_a_unit_moves_and_fires(field):
    f = brigade(field, brigade_orders=ATTACK, enemy="A0703")
    f.begin(f.first)
    f.series.movement.search(f.first)
    node = next(n for n in f.series.movement.reached if n.by >= 0 and f.series.movement.may_stop(n))
    f.series.movement.move(f.first, node, node.heading)
    assert f.first.moved
    assert f.series.fire.may_fire(f.first)
    f.second.moved = True
    f.second.orders = ADVANCE
    assert not f.series.fire.may_fire(f.second)


def test_6_13_on_the_march_a_unit_neither_answers_fire_nor_advances(field):
    f = brigade(field, brigade_orders=MARCH, enemy="A0403")
    assert not f.series.fire.able(f.first)
    assert not f.series.retreat.may_advance(f.first, f.hex("A0404"))
    assert not f.series.orders.may_retreat_before_shock(f.first)
    f.series.orders.give(f.first, ADVANCE)
    assert f.series.fire.able(f.first)
    assert f.series.retreat.may_advance(f.first, f.hex("A0404"))


@pytest.mark.parametrize(("die", "profile"), [(0, NORMAL), (4, AGGRESSIVE)])
def test_6_23_6_24_who_lets_the_activation_pass_is_not_bound_in_the_next(field, die, profile):
    """A unit out of the brigade's chain that skips this marker; Stand and loose cannon are of one Action Phase."""
    f = brigade(field, [("orders", die)], profile=profile, enemy="A1203")
    change(f)
    assert f.second.stands or f.second.forced
    f.own.skips, f.second.skips = 0, 1
    f.battle.phasing, f.battle.markers_left = UNION, 0
    f.series.activation.brigade([f.own])
    assert f.second.activations == 0
    assert f.second.hex.id == "A0305"
    f.begin(f.second)
    f.battle.phase = PHASE_ACTION
    assert f.series.movement.may_move(f.second)
    assert f.series.orders.may_fire_phasing(f.second)
