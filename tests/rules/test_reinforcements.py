"""Rule 9.7: reinforcements' orders, activations, and their way onto the map."""

import pytest

from simkit.model.battle import DIVISION_MARKER, MARCH_MARKER, PHASE_COMMANDERS, Marker
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    CONFEDERATE,
    ELIMINATED,
    MARCH,
    NOT_ENTERED,
    ON_MAP,
    UNION,
)
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError


def enter(f, unit, place, riders=None):
    """Bring a unit on as cheaply as can be, to a hex; whether it got there."""
    f.series.movement.search(unit)
    for node in f.series.movement.reached:
        if node.hex.id == place and f.series.movement.may_stop(node):
            return f.series.movement.move(unit, node, node.heading, riders)
    return False


def reach(f, unit):
    """The hexes in which a unit may end, with half MPs."""
    found = {}
    f.series.movement.search(unit)
    for node in f.series.movement.reached:
        if f.series.movement.may_stop(node):
            found.setdefault(node.hex.id, int(node.cost))
    return found


def one_group(field, units=1, orders=ADVANCE, **more):
    """A Union brigade that is to enter at A0104 in the first turn, and an enemy far away."""
    f = field(16, 8)
    f.units = [f.unit(f"{number} IL", None, **more) for number in range(1, units + 1)]
    f.foe = f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.group = f.reinforcement(0, ["A0104"], f.units, orders=[orders])
    f.play()
    f.begin_turn(0)
    return f


# -- the way in (9.71, 9.72) -----------------------------------------------------------------------------------------


def test_9_71_it_pays_for_the_edge_hex_and_goes_on_with_what_is_left(field):
    f = one_group(field)
    unit = f.units[0]
    assert unit.place == NOT_ENTERED
    assert unit.waiting
    f.begin(unit)
    found = reach(f, unit)
    assert found["A0104"] == 2
    assert found["A0204"] == 4
    assert max(found.values()) == 12
    assert enter(f, unit, "A0304")
    assert unit.hex.id == "A0304"
    assert unit.place == ON_MAP
    assert not unit.waiting
    assert unit.spent == 6
    assert [(e.target_hex, e.sp) for e in f.events("enter")] == [("A0104", 2)]
    assert [(e.hex, e.target_hex) for e in f.events("move")] == [("A0104", "A0204"), ("A0204", "A0304")]
    assert audit(f.battle) == []


def test_9_71_the_ground_of_the_edge_hex_is_paid_for(field):
    f = field(16, 8)
    f.ground("woods", "A0104")
    unit = f.unit("1 IL", None)
    gun = f.unit("Bty", None, kind=ARTILLERY)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [unit, gun])
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    woods = f.charts.terrain("woods")
    assert reach(f, unit)["A0104"] == woods.cost(0)
    assert reach(f, gun)["A0104"] == woods.cost(2)


def test_9_71_it_enters_through_its_own_hexes_only(field):
    f = field(16, 8)
    unit = f.unit("1 IL", None, movement=1)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0103", "A0106"], [unit])
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    assert set(reach(f, unit)) == {"A0103", "A0106"}


def test_9_71_off_the_map_it_faces_as_it_likes(field):
    """Any heading with which the edge hex lies in its front costs nothing; one vertex more is free in the hex."""
    f = one_group(field)
    unit = f.units[0]
    f.begin(unit)
    f.series.movement.search(unit)
    headings = {int(n.heading) for n in f.series.movement.reached if n.hex.id == "A0104" and n.cost == 2}
    assert headings == {1, 3, 5}  # off the map lie the hexes to the north-west and south-west


@pytest.mark.parametrize(
    ("orders", "allowance", "mode"), [(ADVANCE, 12, "Advance"), (ATTACK, 6, "Attack"), (MARCH, 48, "March")]
)
def test_9_71_6_14_it_moves_in_the_mode_of_its_orders(field, orders, allowance, mode):
    f = one_group(field, orders=orders)
    unit = f.units[0]
    assert unit.orders == orders == unit.command.orders
    assert [e.result for e in f.events("orders")] == [mode]
    marker = Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0)
    if orders != MARCH:
        marker = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)
    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append(series.movement.allowance(unit))]
    f.series.activation.activate(marker)
    assert seen == [allowance]


def test_9_71_9_45_a_road_that_leaves_the_map_leads_in(field):
    """Half a point on the march and one under Advance Orders, on a pike through woods; Attack Orders use none."""
    f = field(16, 8, terrain="woods")
    f.road("pike", "A0104", "A0204", "A0304")
    f.road("pike", "A0106", "A0107", "A0108")  # runs along the edge until it leaves the map
    units = [f.unit(f"{n} IL", None, brigade=f.brigade(f"{n}/1/U")) for n in (1, 2, 3, 4)]
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    for unit, orders, place in zip(
        units, (MARCH, ADVANCE, ATTACK, ADVANCE), ("A0104", "A0104", "A0104", "A0107"), strict=True
    ):
        f.reinforcement(0, [place], [unit], orders=[orders])
    f.play()
    f.begin_turn(0)
    f.begin(*units)
    woods = f.charts.terrain("woods").cost(0)
    first = ("A0104", "A0104", "A0104", "A0107")
    assert [reach(f, u)[ident] for u, ident in zip(units, first, strict=True)] == [1, 2, woods, woods]
    assert enter(f, units[0], "A0304")
    assert units[0].spent == 3


def test_9_72_whoever_follows_pays_for_those_ahead(field):
    """The second pays its own cost and that of the first, and so on, of whatever kind they are."""
    f = field(16, 8)
    f.ground("woods", "A0104")
    foot = [f.unit(f"{n} IL", None) for n in (1, 2)]
    gun = f.unit("Bty", None, kind=ARTILLERY)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104", "A0106"], [*foot, gun], orders=[ADVANCE])
    f.play()
    f.begin_turn(0)
    f.begin(foot[0])
    one, guns = f.charts.terrain("woods").cost(0), f.charts.terrain("woods").cost(2)
    assert enter(f, foot[0], "A0104")
    assert foot[0].spent == one
    assert reach(f, gun)["A0104"] == one + guns
    assert reach(f, gun)["A0106"] == f.charts.terrain("clear").cost(2)  # nobody is ahead of it there
    assert enter(f, gun, "A0104")
    assert gun.spent == one + guns
    f.series.movement.search(foot[1])
    f.begin(foot[1])  # another action phase: nobody is ahead of it
    assert reach(f, foot[1])["A0106"] == 2
    f.series.movement.search(foot[1])
    costs = [n.cost for n in f.series.movement.reached if n.hex.id == "A0104"]
    assert min(costs) == one


def test_9_72_8_21_units_that_move_as_a_stack_enter_as_one(field):
    f = field(16, 8)
    units = [f.unit(f"{n} IL", None, strength=3) for n in (1, 2, 3)]
    late = f.unit("4 IL", None, strength=3)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], units, orders=[ADVANCE])
    f.reinforcement(1, ["A0104"], [late], orders=[ADVANCE])
    f.play()
    f.begin_turn(0)
    f.begin(units[0])
    movement = f.series.movement
    assert not movement.may_move_together(units)  # 9 strength points
    assert not movement.may_move_together([units[0], late])  # not due yet
    assert movement.search_stack(units[1::-1]) > 0
    node = next(n for n in movement.reached if n.hex.id == "A0304" and movement.may_stop(n))
    assert movement.move_stack(units[1::-1], node, node.heading)
    assert f.stack("A0304") == ["2 IL", "1 IL"]
    assert [unit.spent for unit in units] == [6, 6, 0]
    assert not units[1].waiting
    assert reach(f, units[2])["A0104"] == 4
    assert audit(f.battle) == []


def test_9_73_whoever_finds_the_way_blocked_enters_in_its_next_action_phase(field):
    """Of units with 6 points six can enter a clear hex in one phase, for the seventh would pay 7."""
    f = one_group(field, units=7)
    f.roll(*[0] * 20)
    f.series.activation.allow(f.battle.divisions[UNION], 1)
    marker = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)

    def act(series, brigades):
        for unit in f.units:
            if unit.waiting:
                enter(f, unit, max(reach(f, unit), key=lambda ident: ident, default=""))

    f.answers[UNION]["act"] = [act, act]
    f.series.activation.activate(marker)
    assert [int(unit.place) for unit in f.units] == [ON_MAP] * 6 + [NOT_ENTERED]
    assert [int(e.sp) for e in f.events("enter")] == [2, 4, 6, 8, 10, 12]
    assert not f.units[6].could_enter
    assert audit(f.battle) == []
    f.series.activation.activate(marker)
    assert f.units[6].place == ON_MAP
    assert f.events("enter")[-1].sp == 2


def test_9_42_9_72_one_hex_by_exception_counts_the_queue_too(field):
    """Halved by Attack Orders a unit of 6 points may still pay up to 6 to enter, but no more."""
    f = one_group(field, units=5, orders=ATTACK)
    f.begin(*f.units)
    for unit in f.units[:3]:
        assert enter(f, unit, "A0104") or enter(f, unit, "A0204") or f.series.movement.exceptions(unit)
        for side in f.series.movement.exceptions(unit)[:1]:
            if unit.waiting:
                f.series.movement.step(unit, side)
    assert all(unit.place == ON_MAP for unit in f.units[:3])
    assert audit(f.battle) == []


def test_9_72_an_enemy_beside_the_hex_bars_only_those_on_the_march(field):
    for orders, kind, enters in ((ADVANCE, 0, True), (ATTACK, 0, True), (ADVANCE, ARTILLERY, True), (MARCH, 0, False)):
        f = field(16, 8)
        unit = f.unit("1 IL", None, kind=kind)
        f.unit("1 TN", "A0204", "W", side=CONFEDERATE)
        f.reinforcement(0, ["A0104"], [unit], orders=[orders])
        f.play()
        f.begin_turn(0)
        f.begin(unit)
        assert ("A0104" in reach(f, unit)) == enters
        if enters:
            f.roll(*[0] * 4)
            assert enter(f, unit, "A0104")
            assert unit.came_adjacent  # 9.53: and there it stops
            assert not f.series.movement.may_move(unit)


def test_9_72_under_advance_orders_it_does_not_shock_until_its_next_activation(field):
    for orders in (ADVANCE, ATTACK):
        f = field(16, 8)
        unit = f.unit("1 IL", None)
        f.unit("1 TN", "A0204", "W", side=CONFEDERATE)
        f.reinforcement(0, ["A0104"], [unit], orders=[orders])
        f.play()
        f.begin_turn(0)
        f.begin(unit)
        f.series.movement.search(unit)
        node = next(n for n in f.series.movement.reached if n.hex.id == "A0104" and n.heading == 3)
        f.series.movement.move(unit, node, 3)
        assert f.series.shock.may_shock(unit) == (orders == ATTACK)
        f.begin(unit)
        assert f.series.shock.may_shock(unit)


def test_9_51_9_71_nobody_enters_a_hex_of_the_enemy(field):
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    f.unit("1 TN", "A0104", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [unit], orders=[ATTACK])
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    assert reach(f, unit) == {}
    assert f.series.movement.exceptions(unit) == []
    f.series.reinforcements.note_chances()
    assert not unit.could_enter


# -- the enemy's entrance (9.71) -------------------------------------------------------------------------------------


def test_9_71_nobody_enters_an_enemy_entrance_until_all_have_or_could_have_entered(field):
    f = field(16, 8)
    first, second = f.unit("1 IL", None), f.unit("2 IL", None)
    foe = f.unit("1 TN", "A0304", "W", side=CONFEDERATE)
    f.reinforcement(1, ["A0106"], [first], orders=[ADVANCE])
    f.reinforcement(2, ["A0106"], [second], orders=[ADVANCE])
    f.play()
    f.begin_turn(0)
    f.begin(foe)
    assert "A0106" not in reach(f, foe)
    assert "A0105" in reach(f, foe)
    f.begin_turn(1)
    f.begin(first)
    assert enter(f, first, "A0106")
    f.battle.remove(first, ELIMINATED)
    f.begin(foe)
    assert "A0106" not in reach(f, foe)  # the second is still to come
    f.begin_turn(2)
    f.begin(second)
    f.series.reinforcements.note_chances()
    assert second.could_enter
    f.begin(foe)
    assert "A0106" in reach(f, foe)


def test_9_71_nobody_retreats_into_an_enemy_entrance(field):
    f = field(16, 8)
    coming = f.unit("1 IL", None)
    foe = f.unit("1 TN", "A0204", "E", side=CONFEDERATE)
    f.reinforcement(1, ["A0104"], [coming])
    f.unit("2 IL", "A0304", "W")
    f.play()
    f.begin_turn(0)
    ends = {way.end().id for way in f.series.retreat.ways([foe], 1, 1, [f.hex("A0304")])}
    assert "A0103" in ends
    assert "A0104" not in ends
    coming.could_enter = True
    assert "A0104" in {way.end().id for way in f.series.retreat.ways([foe], 1, 1, [f.hex("A0304")])}


# -- delay (9.73) ----------------------------------------------------------------------------------------------------


def test_9_73_a_group_must_be_in_before_the_next_one_at_its_hex(field):
    f = field(16, 8)
    first, second = f.unit("1 IL", None), f.unit("2 IL", None)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [first], orders=[ADVANCE])
    f.reinforcement(1, ["A0104", "A0106"], [second], orders=[ADVANCE])
    f.play()
    f.answers[UNION]["delay_entry"] = [True]
    f.begin_turn(0)
    assert not first.waiting
    assert first.could_enter
    assert not second.waiting
    f.begin_turn(1)
    assert first.waiting
    assert second.waiting
    f.begin(first)
    f.series.movement.search(second)
    assert {n.via.hex.index >= 0 for n in f.series.movement.reached if n.hex.id == "A0104"} == {True}
    assert "A0106" in reach(f, second)
    assert enter(f, first, "A0204")
    assert reach(f, second)["A0104"] == 4


def test_9_73_the_order_within_a_group_is_free_but_for_what_the_book_says(field):
    """Into the Woods marks groups of a turn A, B, C; those without a letter may come at any time."""
    f = field(16, 8)
    a, b, free = (f.unit(f"{n} IL", None) for n in (1, 2, 3))
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [a], sequence=1)
    f.reinforcement(0, ["A0104"], [b], sequence=2)
    f.reinforcement(0, ["A0104"], [free])
    f.play()
    f.begin_turn(0)
    f.begin(a)
    assert reach(f, b) == {}
    assert reach(f, free) != {}
    assert enter(f, a, "A0204")
    assert reach(f, b) != {}


# -- orders (3.0 II/D, 6.14, 6.17) -----------------------------------------------------------------------------------


def test_6_17_3_0_the_owner_gives_orders_where_the_book_gives_none(field):
    f = field(16, 8)
    one, gun = f.unit("1 IL", None), f.unit("Bty", None, kind=ARTILLERY)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [one, gun])
    f.play()
    f.answers[UNION]["reinforcement_orders"] = [ATTACK]
    f.begin_turn(0)
    assert (one.orders, gun.orders) == (ATTACK, ADVANCE)  # 6.18
    f.answers[UNION]["reinforcement_orders"] = [lambda series, command, units, choices: 7]
    with pytest.raises(CommanderError, match="one of 0"):
        f.begin_turn(1)


def test_6_14_dismounted_cavalry_is_not_offered_the_march(field):
    f = field(16, 8)
    horse = f.unit("1 Cav", None, kind=CAVALRY, mounted=False)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [horse])
    f.play()
    offered = []
    f.answers[UNION]["reinforcement_orders"] = [
        lambda series, command, units, choices: offered.append(list(choices)) or ADVANCE
    ]
    f.begin_turn(0)
    assert offered == [[ADVANCE, ATTACK]]


def stray(field, orders, brigades, edition="dead_of_winter"):
    """A regiment that enters without its brigadier, who stands on the map with his brigade's orders."""
    f = field(16, 8)
    f.own = f.battle.brigades[UNION]
    f.own.orders = brigades
    f.leader("Brigadier", "A0804", f.own, command_range=4)
    f.unit("1 IL", "A0804", "SE" if brigades != MARCH else "E", orders=brigades)
    f.late = f.unit("2 IL", None)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [f.late], orders=[orders])
    f.play(options={"edition": edition})
    f.begin_turn(0)
    f.mark = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)
    return f


def test_9_71_without_its_brigadier_it_keeps_its_orders_until_in_his_range(field):
    f = stray(field, ADVANCE, ATTACK)
    assert f.own.orders == ATTACK
    places = ["A0404", "A0604", "A0604"]
    seen = []

    def act(series, brigades):
        seen.append(int(f.late.orders))
        enter(f, f.late, places[len(seen) - 1])

    f.answers[UNION]["act"] = [act] * 3
    for _ in places:
        f.series.activation.activate(f.mark)
    assert seen == [ADVANCE, ATTACK, ATTACK]


@pytest.mark.parametrize(("edition", "orders"), [("gringo", ATTACK), ("into_the_woods", ADVANCE)])
def test_9_71_gringo_gives_it_their_orders_at_the_end_of_its_move(field, edition, orders):
    f = stray(field, ADVANCE, ATTACK, edition)
    f.answers[UNION]["act"] = [lambda series, brigades: enter(f, f.late, "A0504")]
    f.series.activation.activate(f.mark)
    assert f.late.orders == orders


@pytest.mark.parametrize(("edition", "may"), [("gringo", True), ("into_the_woods", True), ("dead_of_winter", False)])
def test_9_71_9_72_who_may_not_shock_when_it_enters(field, edition, may):
    """Only Dead of Winter forbids it to units that came next to the enemy farther on: here, next to guns."""
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    f.unit("Bty", "A0404", "W", side=CONFEDERATE, kind=ARTILLERY)
    f.reinforcement(0, ["A0104"], [unit], orders=[ADVANCE])
    f.play(options={"edition": edition})
    f.begin_turn(0)
    f.begin(unit)
    f.roll(*[9] * 6)
    f.answers[CONFEDERATE]["approach_fire"] = [0] * 9
    f.series.movement.search(unit)
    node = next(n for n in f.series.movement.reached if n.hex.id == "A0304" and n.heading == 3)
    f.series.movement.move(unit, node, 3)
    assert f.series.shock.may_shock(unit) is may


def test_9_71_if_it_has_marched_it_is_finished_for_the_turn(field):
    f = stray(field, MARCH, ADVANCE)
    f.answers[UNION]["act"] = [lambda series, brigades: enter(f, f.late, "A0504")]
    f.series.activation.activate(Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0))
    assert f.late.hex.id == "A0504"
    assert f.late.orders == MARCH
    active = []
    f.answers[UNION]["act"] = [lambda series, brigades: active.append(f.late.active)]
    f.series.activation.activate(f.mark)
    assert f.late.orders == ADVANCE
    assert active == [False]


# -- activations (5.2, 5.28, 5.35, 9.74) -----------------------------------------------------------------------------


def played(f, side=UNION):
    """Fill the pool and play its markers; the ids of the active units at each brigade activation of a side."""
    seen = []
    f.answers[side]["act"] = [
        lambda series, brigades: seen.append([u.name for u in f.battle.units if u.active])
    ] * 20
    f.series.activation.fill_pool()
    marker = f.series.activation.draw()
    while marker is not None:
        f.series.activation.activate(marker)
        marker = f.series.activation.draw()
    return seen


def test_example_5_28_a_brigade_with_an_activation_efficiency_of_one_acts_once(field):
    """5.28, 9.74, dead-of-winter:424: however many markers its division has."""
    f = field(16, 8)
    f.leader("Smith", "A0803", f.battle.divisions[UNION])
    f.unit("1 IL", "A0803")
    late = f.unit("2 IL", None, brigade=f.brigade("2/1/U"))
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [late], activations=1)
    f.play()
    f.begin_turn(0)
    f.battle.divisions[UNION].markers = 3
    f.battle.divisions[CONFEDERATE].markers = 0
    assert played(f).count(["2 IL"]) == 1
    assert late.activations == 1


def test_example_9_74_one_activation_on_the_march_is_the_movement_of_one(field):
    """9.74, 5.35, dead-of-winter:1128: with one marker allowed it marches the equivalent of one activation."""
    f = one_group(field, orders=MARCH)
    f.group.activations = 1
    f.begin_turn(0)
    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append(series.movement.allowance(f.units[0]))]
    f.series.activation.activate(Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0))
    assert seen == [2 * 6]


def test_9_74_a_number_of_its_own_may_be_more_than_its_divisions(field):
    """5.28: those on the map act on the markers that their division drew, the others on as many as their book says."""
    f = field(16, 8)
    f.unit("1 IL", "A0803")
    f.leader("Brigadier", "A0803", f.battle.brigades[UNION])
    f.leader("Smith", "A0803", f.battle.divisions[UNION])
    late = f.unit("2 IL", None)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [late], activations=3)
    f.play()
    f.begin_turn(0)
    f.battle.divisions[UNION].markers = 1
    f.battle.divisions[CONFEDERATE].markers = 0
    f.series.reinforcements.own_numbers(UNION)
    assert f.battle.divisions[UNION].markers == 3
    active = played(f)
    assert sum("1 IL" in names for names in active) == 1
    assert sum("2 IL" in names for names in active) == 3


def test_9_74_the_number_holds_in_the_turn_of_entry_only(field):
    f = one_group(field)
    f.group.activations = 2
    f.begin_turn(0)
    assert f.units[0].limit == 2
    f.begin_turn(1)  # it has not entered yet
    assert f.units[0].limit == 2
    f.begin(f.units[0])
    assert enter(f, f.units[0], "A0204")
    f.begin_turn(2)
    assert f.units[0].limit == -1


def corps(field, **commander):
    """A division that enters at A0104 with its leader (+1), one on the map; the corps commander enters too."""
    f = field(16, 8)
    f.entering = f.division("2/U")
    f.here = f.battle.divisions[UNION]
    f.unit("1 IL", "A0803")
    f.leader("Brigadier", "A0803", f.battle.brigades[UNION])
    f.leader("Here", "A0803", f.here)
    f.late = f.unit("2 IL", None, brigade=f.brigade("1/2/U", division=f.entering))
    f.chief = f.leader("Chief", None, f.battle.corps[UNION], **commander)
    f.second = f.leader("Second", None, f.entering, activation=1)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    return f


def markers(f, number=2):
    f.begin_turn(0)
    for division in (f.here, f.entering):
        division.markers = 0
    f.series.activation.share_out(f.battle.corps[UNION], number)
    return int(f.here.markers), int(f.entering.markers)


def test_9_71_5_23_entering_leaders_rate_for_those_who_enter_with_them(field):
    """The division on the map is out of an absent commander's range; the entering one counts as in command."""
    f = corps(field, efficiency=1)
    f.reinforcement(0, ["A0104"], [f.late], [f.chief, f.second])
    f.play()
    assert markers(f) == (1, 4)
    f = corps(field, efficiency=-1)
    f.reinforcement(0, ["A0104"], [f.late], [f.chief, f.second])
    f.play()
    assert markers(f) == (1, 2)


def test_9_71_5_23_leaders_who_enter_elsewhere_or_later_do_not(field):
    f = corps(field, efficiency=1)
    f.reinforcement(0, ["A0104"], [f.late])
    f.reinforcement(0, ["A0107"], [], [f.chief])
    f.reinforcement(1, ["A0104"], [], [f.second])
    f.play()
    assert markers(f) == (1, 2)


def test_9_71_5_23_units_on_the_map_get_nothing_from_a_leader_who_enters(field):
    """Their division's leader brings on a brigade: it acts once more than those on the map."""
    f = field(16, 8)
    f.here = f.entering = f.battle.divisions[UNION]
    f.unit("1 IL", "A0803")
    f.leader("Brigadier", "A0803", f.battle.brigades[UNION])
    late = f.unit("2 IL", None, brigade=f.brigade("2/1/U"))
    smith = f.leader("Smith", None, f.here, activation=1)
    f.leader("Chief", "A0803", f.battle.corps[UNION])
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [late], [smith])
    f.play()
    assert markers(f) == (3, 3)
    f.battle.divisions[CONFEDERATE].markers = 0
    active = played(f)
    assert active.count(["2 IL"]) == 3
    assert active.count(["1 IL"]) == 1  # of 2 - 1 markers (5.23), 5.26 takes none of the last


def test_5_21_a_corps_draws_in_the_turn_in_which_it_enters(field):
    f = field(16, 8)
    late = f.unit("1 IL", None)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(1, ["A0104"], [late])
    f.play()
    f.begin_turn(0)
    assert not f.series.activation.takes_part(f.battle.divisions[UNION])
    f.begin_turn(1)
    assert f.series.activation.takes_part(f.battle.divisions[UNION])


def test_9_71_they_are_in_command_for_activation(field):
    """4.23, 5.26, 5.36: no marker passes them by, though their brigadier and division leader are not there."""
    f = one_group(field)
    f.battle.divisions[UNION].markers = 2
    f.battle.divisions[CONFEDERATE].markers = 0
    assert played(f) == [["1 IL"], ["1 IL"]]


# -- leaders (9.71, 9.3) ---------------------------------------------------------------------------------------------


def test_9_71_9_31_a_leader_enters_alone_or_with_a_unit(field):
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    brigadier = f.leader("Brigadier", None, f.battle.brigades[UNION])
    smith = f.leader("Smith", None, f.battle.divisions[UNION])
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [unit], [brigadier, smith])
    f.play()
    f.begin_turn(0)
    assert not f.series.movement.leader_may_move(brigadier)
    f.begin(unit)
    assert f.series.movement.may_take(brigadier, unit)
    assert enter(f, unit, "A0304", [brigadier])
    assert brigadier.hex is unit.hex
    assert brigadier.in_play()
    assert not brigadier.waiting
    assert brigadier.spent == 3 * f.charts.terrain("clear").cost(3)
    places = [place.id for place in f.series.movement.leader_search(smith)]
    assert "A0104" in places
    assert "A1204" not in places
    f.series.movement.move_leader(smith, f.hex("A0404"))
    assert smith.in_play()
    assert audit(f.battle) == []


def test_9_71_a_leader_comes_only_through_his_own_hexes(field):
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    brigadier = f.leader("Brigadier", None, f.battle.brigades[UNION])
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104", "A0106"], [unit])
    f.reinforcement(0, ["A0106"], [], [brigadier])
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    with pytest.raises(CommanderError, match="does not enter through A0104"):
        enter(f, unit, "A0104", [brigadier])
    assert unit.place == NOT_ENTERED
    assert audit(f.battle) == []


def test_9_32_9_71_commanders_and_leaders_without_troops_enter_when_commanders_move(field):
    f = field(16, 8)
    f.unit("1 IL", "A0803")
    chief = f.leader("Chief", None, f.battle.corps[UNION])
    lone = f.leader("Lone", None, f.division("2/U"))
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [], [chief, lone])
    f.play()
    f.begin_turn(0)
    f.begin(f.battle.brigades[UNION])
    assert not f.series.movement.leader_may_move(chief)
    assert not f.series.movement.leader_may_move(lone)
    f.battle.phase = PHASE_COMMANDERS
    for leader in (chief, lone):
        assert f.hex("A0404") in f.series.movement.leader_search(leader)
        f.series.movement.move_leader(leader, f.hex("A0404"))
        assert leader.in_play()
    assert f.hex("A1204") not in f.series.movement.leader_search(lone)


@pytest.mark.parametrize(("friend", "place"), [("A0204", "A0204"), ("A0604", "")])
def test_12_73_a_lone_leader_in_a_hex_that_reinforcements_enter_joins_a_unit_or_falls(field, friend, place):
    """Every hex around him is then next to the enemy: he reaches a unit that stands in one, and no other."""
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    f.unit("1 TN", friend, "W", side=CONFEDERATE)
    leader = f.leader("Lost", "A0104", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [unit], orders=[ATTACK])
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    assert enter(f, unit, "A0104")
    assert leader.hex.id == place
    assert leader.casualty == (place == "")
    assert audit(f.battle) == []


# -- the state -------------------------------------------------------------------------------------------------------


def test_the_snapshot_holds_who_waits_and_who_is_ahead(field):
    f = one_group(field, units=2)
    f.begin(f.units[0])
    enter(f, f.units[0], "A0204")
    kept = f.battle.snapshot()
    digest = f.battle.digest()
    enter(f, f.units[1], "A0104")
    assert f.battle.digest() != digest
    f.battle.restore(kept)
    assert f.battle.digest() == digest
    assert f.units[1].waiting
    assert f.battle.entrances[0].queued == 2


def test_9_71_a_group_may_appear_in_a_hex_inside_the_map(field):
    f = field(16, 8)
    unit = f.unit("1 IL", None, movement=1)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0804"], [unit], inside=True)
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    assert reach(f, unit) == {"A0804": 2}
    assert enter(f, unit, "A0804")


# -- columns (8.5) ---------------------------------------------------------------------------------------------------


def parts(unit):
    return [part.hex.id for part in unit.parts]


def test_8_5_9_71_a_strong_unit_marches_in_as_a_column(field):
    f = one_group(field, orders=MARCH, strength=16)
    unit = f.units[0]
    f.begin(unit)
    assert enter(f, unit, "A0404")
    assert len(unit.parts) == 3
    assert parts(unit)[::2] == ["A0404", "A0204"]
    assert audit(f.battle) == []


def test_8_5_9_71_its_tail_may_still_be_off_the_map(field):
    """In the edge hex it stands alone with its counter; the markers are laid as it goes on."""
    f = one_group(field, units=2, orders=MARCH, strength=16)
    unit, second = f.units
    f.begin(unit)
    assert enter(f, unit, "A0204")
    assert parts(unit) == ["A0204", "A0104"]
    assert audit(f.battle) == []
    assert "A0104" not in reach(f, second)
    f.begin(unit)
    assert enter(f, unit, "A0404")
    assert len(unit.parts) == 3
    assert parts(unit)[::2] == ["A0404", "A0204"]
    assert enter(f, second, "A0104")
    assert parts(second) == ["A0104"]
    assert audit(f.battle) == []


def test_8_5_8_13_9_71_a_column_under_advance_orders_comes_by_road(field):
    f = field(16, 8, terrain="woods")
    f.road("pike", "A0104", "A0204", "A0304")
    unit = f.unit("1 IL", None, strength=10)
    f.unit("1 TN", "A1604", "W", side=CONFEDERATE)
    f.reinforcement(0, ["A0104"], [unit], orders=[ADVANCE])
    f.play()
    f.begin_turn(0)
    f.begin(unit)
    assert reach(f, unit)["A0104"] == f.charts.terrain("woods").cost(0)
    f.series.movement.search(unit, True)
    node = next(n for n in f.series.movement.reached if n.hex.id == "A0304" and f.series.movement.may_stop(n))
    assert node.cost == 6
    assert f.series.movement.move(unit, node, node.heading)
    assert parts(unit) == ["A0304", "A0204"]
    assert audit(f.battle) == []
