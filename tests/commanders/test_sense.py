"""What a player of the game would not forgive a commander, in scenes with a known answer (docs/dead-of-winter.md)."""

import pytest

from simkit.commanders.appraisal import covered_sides
from simkit.commanders.objectives import Objective
from simkit.model.battle import DIVISION_MARKER, PHASE_ACTION, PHASE_SHOCK, Marker
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, INFANTRY, MARCH, REFUSED_LEFT

NONE = -1


@pytest.fixture
def brigade(scene, enter):
    """A function that makes a brigade in some hexes, with leaders above it, and one enemy."""

    def make(places, enemy, orders=ADVANCE, strength=6, against=6, columns=40, aims=(), reach=40, **unit):
        made = scene("steady", columns=columns)
        made.led.objectives = list(aims)
        made.own = made.brigade("1/1/U", 0, orders)
        made.leader("Brigadier", places[0], command_range=reach)
        made.leader("Division", places[0], command=made.battle.divisions[0], command_range=40)
        made.leader("Corps", places[0], command=made.battle.corps[0], command_range=40)
        made.units = [made.unit(f"U{at}", at, "E", orders=orders, strength=strength, **unit) for at in places]
        made.foe = made.unit("C", enemy, "W", side=1, strength=against)
        enter(made, made.units[0])
        made.series.command.determine()
        made.battle.phase = PHASE_ACTION
        return made

    return make


# -- orders (6.2) ------------------------------------------------------------------------------------------------------


def test_6_25_no_change_of_orders_is_tried_that_reaches_no_unit(brigade):
    made = brigade(["A1006", "A1007"], "A1306", reach=2, against=2)
    assert made.led.change_orders(made.series, made.own) == ATTACK
    made.battle.stand_leader(made.own.leader(), made.hex("A0101"))
    assert made.led.change_orders(made.series, made.own) == NONE


@pytest.mark.parametrize(("enemy", "tried"), [("A1606", NONE), ("A2406", ADVANCE)])
def test_6_21_attack_orders_are_given_up_far_from_the_enemy(brigade, enemy, tried):
    """Ten hexes off the attack goes on; eighteen off it would crawl."""
    made = brigade(["A0606", "A0607"], enemy, ATTACK, against=2)
    assert made.led.change_orders(made.series, made.own) == tried


def test_6_12_a_brigade_advances_while_most_of_it_is_far_away(brigade):
    """Its middle is five hexes from the enemy, for one regiment has passed him by; the others are nine off."""
    made = brigade(["A0606", "A0607", "A1806"], "A1506", against=2)
    made.led.field(made.battle).look(made.own)
    assert made.led.field(made.battle).nearest == 5
    assert made.led.wanted_orders(made.series, made.own) == ADVANCE
    made = brigade(["A0806", "A0807", "A1406"], "A1506", against=2)
    assert made.led.wanted_orders(made.series, made.own) == ATTACK


@pytest.mark.parametrize(("against", "kept"), [(14, ATTACK), (18, ADVANCE)])
def test_6_17_orders_for_nothing_are_no_less_patient_than_those_by_a_roll(brigade, against, kept):
    """Twelve against fourteen is a little under the odds of the doctrine, against eighteen far under."""
    made = brigade(["A0806", "A0807"], "A1206", ATTACK, against=against)
    made.led.field(made.battle)
    assert made.led.wanted_orders(made.series, made.own) == ADVANCE
    made.series.orders.assignable = [made.own]
    made.led.division_orders(made.series, [made.own])
    assert made.own.orders == kept


@pytest.mark.parametrize("orders", [ADVANCE, ATTACK])
def test_13_4_shaken_brigades_take_no_attack_orders_and_need_not_give_them_up(brigade, orders):
    made = brigade(["A0806", "A0807"], "A1106", orders, against=4)
    made.units[0].disordered = True
    made.led.field(made.battle)
    assert made.led.wanted_orders(made.series, made.own) == orders


@pytest.mark.parametrize(("against", "orders"), [(2, ATTACK), (4, ADVANCE)])
def test_13_2_a_worn_brigade_goes_on_only_where_next_to_nobody_withstands_it(brigade, against, orders):
    made = brigade(["A0806", "A0807"], "A1206", against=against)
    for unit in made.units:
        unit.strength = 3
    made.led.field(made.battle)
    assert made.led.wanted_orders(made.series, made.own) == orders


@pytest.mark.parametrize(("enemy", "kept"), [("A1106", True), ("A1506", False)])
def test_11_52_horsemen_keep_attack_orders_only_as_long_as_the_enemy_is_close(brigade, enemy, kept):
    for kind, keeps in ((CAVALRY, kept), (INFANTRY, True)):
        more = {"weapon": "C", "mounted": True} if kind == CAVALRY else {}
        made = brigade(["A0606", "A0607"], enemy, ATTACK, kind=kind, **more)
        field = made.led.field(made.battle)
        field.look(made.own)
        assert made.led._keeps_attack(field, made.own) is keeps


def test_5_35_marchers_do_not_try_for_other_orders_on_their_own_marker(brigade):
    made = brigade(["A0606"], "A1606", MARCH, against=2)
    made.battle.marching = True
    assert made.led.change_orders(made.series, made.own) == NONE
    made.battle.marching = False
    assert made.led.change_orders(made.series, made.own) == ADVANCE


# -- whom to strike ----------------------------------------------------------------------------------------------------


def test_who_holds_does_not_go_out_alone_because_friends_are_near(brigade):
    """Six points hold a hex, thirty of others stand beside them and stay; fifteen of the enemy come near."""
    made = brigade(["A0806"], "A1206", against=15, aims=[Objective("A0706", 3, [], hold=True)])
    other = made.brigade("2/1/U", 0, ADVANCE)
    for at in range(5):
        made.unit(f"V{at}", f"A07{at + 7:02d}", "E", brigade=other, strength=6)
    made.led.field(made.battle)
    assert made.led.wanted_orders(made.series, made.own) == ADVANCE
    assert made.led.field(made.battle).odds() > 135
    made.foe.strength = 6
    assert made.led.wanted_orders(made.series, made.own) == ATTACK


def test_who_holds_gives_no_ground_before_a_straggler(brigade):
    made = brigade(["A0806"], "A2006", aims=[Objective("A0206", 3, [], hold=True)])
    field = made.led.field(made.battle)
    field.measure()
    far = made.led.ground_of(field, made.hex("A0206"))
    made.unit("straggler", "A0806", "W", side=1, strength=1)
    field.measure()
    assert made.led.ground_of(field, made.hex("A0206")) == far


@pytest.mark.parametrize(
    ("against", "ground", "orders"),
    [(2, "A0306", ADVANCE), (8, "A0306", ATTACK), (2, "A1006", ATTACK)],
)
def test_who_holds_ground_does_not_leave_it_for_a_broken_regiment(brigade, against, ground, orders):
    """Two points against eighteen are not worth it, unless they stand on the ground itself."""
    made = brigade(["A0805", "A0806", "A0807"], "A1206", against=against, aims=[Objective(ground, 3, [], hold=True)])
    made.led.field(made.battle)
    assert made.led.wanted_orders(made.series, made.own) == orders


# -- the first marker (5.13, 5.26) -------------------------------------------------------------------------------------


def test_5_13_5_26_the_first_marker_is_not_picked_for_a_division_that_would_let_it_pass(brigade):
    made = brigade(["A1006"], "A1406", against=2)
    second = made.division("2/U")
    other = made.brigade("1/2/U", 0, ADVANCE, second)
    made.unit("Second", "A0806", "E", brigade=other)
    made.battle.ready()
    own = made.battle.divisions[0]
    made.battle.pool = [Marker(DIVISION_MARKER, 0, one, number) for one in (own, second) for number in range(2)]
    assert made.led.first_marker(made.series, [own, second]) == 0
    made.own.skips = 1
    assert made.led.first_marker(made.series, [own, second]) == 1
    made.battle.pool = made.battle.pool[1:]  # its last marker nobody may let pass
    assert made.led.first_marker(made.series, [own, second]) == 0


# -- guns --------------------------------------------------------------------------------------------------------------


def battery(brigade, place, enemy, **more):
    return brigade([place], enemy, kind=ARTILLERY, weapon="N", strength=4, **more)


def test_10_21_10_61_a_battery_without_a_target_goes_to_where_it_has_one_and_fires(scene, enter):
    """A wood hides the enemy from all of its row; from the rows beside it he can be seen."""
    made = scene("steady", columns=20)
    made.ground("woods", "A0806", "A0906", "A0805", "A0905", "A0706", "A0705")
    made.leader("Brigadier", "A0406")
    guns = made.unit("Guns", "A0406", "E", kind=ARTILLERY, weapon="N", strength=4)
    made.unit("Infantry", "A0306", "E")
    foe = made.unit("C", "A1106", "W", side=1)
    leader = enter(made, guns)
    made.battle.phase = PHASE_ACTION
    assert not made.series.sight.clear(guns.hex, foe.hex)
    leader.act(made.series, made.battle.active)
    assert made.series.sight.clear(guns.hex, foe.hex)
    assert (guns.moved, guns.fired) == (True, True)


@pytest.mark.parametrize(("enemy", "bent"), [("A1206", 0), ("A0807", REFUSED_LEFT)])
def test_7_33_a_battery_gives_its_refusal_up_when_no_enemy_is_near(brigade, enemy, bent):
    made = battery(brigade, "A0606", enemy)
    made.units[0].refused = REFUSED_LEFT
    made.led.field(made.battle).measure()
    assert made.led.straighten(made.series, made.units[0]) is (bent == 0)
    assert made.units[0].refused == bent


def test_7_33_a_regiment_with_nothing_to_do_gives_its_refusal_up(brigade):
    made = brigade(["A0606"], "A3006", columns=40)
    made.units[0].refused = REFUSED_LEFT
    plan = made.led.plan(made.series, made.own)
    plan.still = True
    made.led.act_unit(made.series, made.own, plan, made.units[0])
    assert made.units[0].refused == 0


# -- works (15.1, 15.17) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heading", "torn"), [(3, False), (1, False), (9, True), (7, True)])
def test_15_17_works_that_face_the_enemy_are_never_torn_down(brigade, heading, torn):
    """The enemy stands in the east, whither the vertex 3 looks."""
    made = brigade(["A0606"], "A1006")
    unit = made.units[0]
    made.battle.works.stand_in(unit.hex, heading // 2)
    assert covered_sides(unit.hex, heading) > 0
    assert made.led.tear_down(made.series, unit, unit.hex) is torn
    assert not made.led.tear_down(made.series, unit, made.hex("A0706"))


def test_15_17_far_from_the_enemy_nobody_takes_the_trouble(brigade):
    made = brigade(["A0606"], "A3006")
    made.battle.works.stand_in(made.units[0].hex, 4)
    assert not made.led.tear_down(made.series, made.units[0], made.units[0].hex)


@pytest.mark.parametrize(("friend", "builds"), [("A0606", False), ("A0306", True), ("A0612", True)])
def test_15_11_nobody_builds_behind_friends(brigade, friend, builds):
    """The friend stands on the enemy's way to him, behind him, or off to the side."""
    made = brigade(["A0406", friend], "A1206", aims=[Objective("A0406", 3, [], hold=True)])
    for place in made.map.hexes:
        place.terrain = made.charts.terrain("woods")
    part = made.units[0].parts[0]
    offered = made.series.engineering.choices(part)
    assert (made.led.build(made.series, part, offered) >= 0) is builds


def test_15_11_nobody_builds_where_works_face_the_enemy_already(brigade):
    made = brigade(["A0406"], "A1206", aims=[Objective("A0406", 3, [], hold=True)])
    for place in made.map.hexes:
        place.terrain = made.charts.terrain("woods")
    part = made.units[0].parts[0]
    offered = made.series.engineering.choices(part)
    built = made.led.build(made.series, part, offered)
    assert built >= 0
    made.battle.works.stand_in(part.hex, offered[built].heading // 2)
    assert made.led.build(made.series, part, offered) == NONE


# -- horsemen ----------------------------------------------------------------------------------------------------------


def riders(brigade, enemy, goal, orders=ADVANCE):
    """Mounted cavalry that wants a hex beyond an enemy whom it cannot fight."""
    return brigade(
        ["A0606", "A0607"], enemy, orders, strength=3, against=16, kind=CAVALRY, weapon="C", mounted=True,
        aims=[Objective(goal, 5, [])],
    )


def test_horsemen_make_for_their_objective_though_the_enemy_near_is_too_strong(brigade):
    made = riders(brigade, "A1106", "A2601")
    plan = made.led.plan(made.series, made.own)
    assert plan.waits and not plan.outmatched
    assert [goal.id for goal in plan.goals] == ["A2601"]
    foot = brigade(["A0606"], "A1106", strength=3, against=16, aims=[Objective("A2601", 5, [])])
    assert foot.led.plan(foot.series, foot.own).outmatched


def test_who_marches_goes_to_his_objective_and_not_to_the_enemy(brigade):
    made = brigade(["A0106"], "A3906", MARCH, aims=[Objective("A0112", 3, [])])
    made.units[0].heading = 0
    made.units[0].equivalents = 1
    made.battle.marching = True
    made.led.act(made.series, [made.own])
    assert made.units[0].hex.distance_to(made.hex("A0112")) < made.hex("A0106").distance_to(made.hex("A0112"))
    assert made.units[0].hex.distance_to(made.foe.hex) >= 36


def test_9_31_nobody_runs_farther_from_his_brigadier_than_he_can_follow(brigade):
    """Each hex towards this objective is worth 15, and costs 12 up to ten hexes beyond his range, then 24."""
    made = brigade(["A0106"], "A3912", reach=2, aims=[Objective("A3901", 5, [])])
    field = made.led.field(made.battle)
    field.look(made.own)
    plan = made.led.plan(made.series, made.own)
    field.appraise(made.own, [made.hex("A3901")], plan.weights or [5], 60)
    worths = [field.place_worth(made.hex(f"A{column:02d}06")) for column in (10, 11, 16, 17)]
    assert worths[1] - worths[0] - (worths[3] - worths[2]) == made.led.doctrine.cohesion


# -- after a fight -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "goes"), [("A0909", True), ("A0807", False)])
def test_11_35_nobody_advances_into_the_front_of_several_enemies(brigade, second, goes):
    """The hex A0706 is free; C stands beyond it, and another enemy beside it or farther off."""
    made = brigade(["A0606"], "A0806", ATTACK)
    made.unit("D", second, "W", side=1)
    assert made.led.advance_after_retreat(made.series, made.units[0], made.hex("A0706")) is goes


@pytest.mark.parametrize(("second", "faced"), [(12, False), (2, True)])
def test_11_31_who_attacks_turns_to_no_more_enemies_than_he_can_shock(brigade, second, faced):
    """One enemy of six stands north of him, in front by either heading; one in the north-east by one of them alone."""
    made = brigade(["A0606"], "A0605", ATTACK)
    north, north_east = (made.hex("A0606").sides[direction].to for direction in (0, 1))
    assert north is made.foe.hex
    made.unit("D", north_east.id, "W", side=1, strength=second)
    made.battle.phase = PHASE_SHOCK
    chosen = (11, 1)[made.led.heading_after(made.series, made.units[0], [11, 1])]
    assert (north_east in [side.to for side in made.hex("A0606").nodes[chosen].ahead]) is faced


def test_13_45_nobody_rests_in_the_last_turn(brigade):
    made = brigade(["A0806", "A0807"], "A1806", against=4)
    for unit in made.units:
        unit.disordered = True
    field = made.led.field(made.battle)
    field.look(made.own)
    made.battle.turn = len(made.battle.turns) - 1
    assert not made.led.stands_still(made.series, made.own, field)


def test_9_31_marchers_go_as_far_from_their_brigadier_as_he_can_follow(brigade):
    made = brigade(["A0606"], "A3906", MARCH, reach=2, aims=[Objective("A3006", 4, [])])
    field = made.led.field(made.battle)
    field.look(made.own)
    plan = made.led.plan(made.series, made.own)
    field.appraise(made.own, plan.goals, plan.weights, plan.wanted)
    assert field.place_worth(made.hex("A1706")) > field.place_worth(made.hex("A1606"))


def test_4_22_an_escort_stays_with_its_commander(brigade):
    made = brigade(["A0606"], "A3906")
    escort = made.brigade("Escort/U", 0, ADVANCE)
    escort.superior = made.battle.corps[0]
    riders = made.unit("Escort", "A0607", "E", brigade=escort, kind=CAVALRY, weapon="C", mounted=True, strength=2)
    field = made.led.field(made.battle)
    field.look(escort)
    assert made.led.wanted_orders(made.series, escort) == ADVANCE
    plan = made.led.plan(made.series, escort)
    made.led._appraise(made.series, escort, plan, plan.wanted)
    near, near_too, far = (field.place_worth(made.hex(place)) for place in ("A0706", "A0806", "A1206"))
    assert near == near_too > far
    assert riders.counts()


@pytest.mark.parametrize(("against", "orders", "wanted"), [(4, ADVANCE, 2), (20, ADVANCE, 3), (4, ATTACK, 1)])
def test_6_12_who_advances_stops_where_he_opens_fire_unless_outmatched(brigade, against, orders, wanted):
    made = brigade(["A0806", "A0807"], "A1206", orders, against=against)
    made.led.field(made.battle).look(made.own)
    assert made.led.plan(made.series, made.own).wanted == wanted


@pytest.mark.parametrize(("enemy", "moves"), [("A0906", True), ("A1206", False)])
def test_13_1_the_collapsed_go_out_of_reach_and_follow_nobody(brigade, enemy, moves):
    """Three hexes from the enemy he goes away from him, six hexes off he stays, though what is wanted lies beyond."""
    made = brigade(["A0606"], enemy, aims=[Objective("A2606", 5, [])])
    unit = made.units[0]
    unit.strength, unit.collapsed, unit.disordered = 2, True, True
    made.led.field(made.battle).look(made.own)
    before = unit.hex.distance_to(made.foe.hex)
    made.led.act(made.series, [made.own])
    assert (unit.hex.distance_to(made.foe.hex) > before) is moves
    assert unit.hex.distance_to(made.foe.hex) >= before


@pytest.mark.parametrize(("collapsed", "rides"), [(False, True), (True, False)])
def test_12_23_a_brigadier_rides_to_whom_he_can_rally_not_after_the_collapsed(brigade, collapsed, rides):
    made = brigade(["A0806", "A0807", "A0406"], "A1606")
    broken = made.units[2]
    broken.disordered, broken.collapsed = True, collapsed
    made.led.field(made.battle).look(made.own)
    made.led.move_leader(made.series, made.own, made.own.leader())
    assert (made.own.leader().hex is broken.hex) is rides
