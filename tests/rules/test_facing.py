"""Chapter 7: zones, and the price of turns."""

import pytest

from simkit.model.forces import ADVANCE, ATTACK, MARCH
from simkit.model.hexgrid import FLANK, FRONT, HEADING_NAMES, REAR
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError


def around(f, unit):
    return [f.series.facing.zone_of(unit, side.to) for side in unit.hex.sides]


def test_7_12_zones_facing_a_vertex(field):
    f = field(5, 5)
    u = f.unit("u", "A0303", "NNE")
    f.play()
    # hexsides N, NE, SE, S, SW, NW: the vertex lies between N and NE
    assert around(f, u) == [FRONT, FRONT, FLANK, REAR, REAR, FLANK]


def test_7_12_zones_on_the_march(field):
    f = field(5, 5)
    u = f.unit("u", "A0303", "N", orders=MARCH)
    f.play()
    assert around(f, u) == [FRONT, FLANK, FLANK, REAR, FLANK, FLANK]


def test_7_13_arc_at_a_distance_and_through_a_vertex(field):
    f = field(9, 9)
    u = f.unit("u", "A0505", "E")  # NE and SE hexsides in front
    f.play()
    assert f.series.facing.in_arc(u, f.hex("A0705"))
    assert f.series.facing.in_arc(u, f.hex("A0905"))
    assert not f.series.facing.in_arc(u, f.hex("A0305"))
    # the line to A0603 leaves through the vertex between N, a flank, and NE, the front
    assert f.hex("A0505").distance_to(f.hex("A0604")) == 2
    assert f.series.facing.zone_of(u, f.hex("A0604")) == FRONT
    assert f.series.facing.in_arc(u, f.hex("A0604"))
    assert f.series.facing.zone_of(u, f.hex("A0503")) == FLANK
    assert f.series.facing.zone_of(u, f.hex("A0404")) == FLANK  # through the vertex between N and NW: flank before rear


@pytest.mark.parametrize(("orders", "terrain", "costs"), [
    (ADVANCE, "clear", [0, 0, 2, 2]),
    (ADVANCE, "woods", [0, 0, 2, 2]),
    (ATTACK, "clear", [0, 0, 2, 2]),
    (ATTACK, "woods", [0, 2, 4, 2]),
    (MARCH, "woods", [0, 0, 2, 2]),
])
def test_7_21_7_22_price_of_turns(field, orders, terrain, costs):
    f = field(3, 3, terrain=terrain)
    u = f.unit("u", "A0202", "N" if orders == MARCH else "E", orders=orders)
    f.play()
    assert [f.series.facing.turn_cost(u, u.hex, steps) for steps in range(4)] == costs


@pytest.mark.parametrize(("orders", "terrain"), [(ATTACK, "clear"), (ADVANCE, "woods")])
def test_7_21_turns_in_one_hex_add_up(field, orders, terrain):
    f = field(3, 3, terrain=terrain)
    u = f.unit("u", "A0202", "E", orders=orders)
    f.play()
    f.begin(u)
    f.series.facing.turn(u, 5)
    assert (u.spent, u.moved, u.faced) == (0, False, 1)
    f.series.facing.turn(u, 7)
    assert (u.spent, u.moved, u.faced) == (2, True, 2)


def test_7_11_the_kind_of_heading_depends_on_orders(field):
    f = field(3, 3)
    u = f.unit("u", "A0202", "E")
    m = f.unit("m", "A0302", "N", orders=MARCH)
    f.play()
    with pytest.raises(CommanderError, match="does not deploy now"):
        f.series.facing.set_up(u, 5)
    f.series.orders.open_deployment(u.side)
    f.series.facing.set_up(u, 5)
    assert u.heading == 5
    f.series.facing.set_up(m, 2)
    for unit, heading in ((u, 4), (m, 3)):
        with pytest.raises(CommanderError):
            f.series.facing.set_up(unit, heading)
    f.series.orders.give(m, ADVANCE)
    assert m.heading == 3


def test_8_26_the_stack_turns_with_a_unit_and_its_active_units_pay(field):
    f = field(3, 3)
    u = f.unit("u", "A0202", "E", orders=ATTACK)
    mate = f.unit("mate", "A0202", "E", orders=ATTACK)
    guns = f.unit("guns", "A0202", "E", kind=2, brigade=f.brigade("2/1/U"))
    f.play()
    f.begin(u)
    f.series.facing.turn(u, 7)
    assert [one.heading for one in (u, mate, guns)] == [7, 7, 7]
    assert [one.spent for one in (u, mate, guns)] == [2, 2, 0]


@pytest.mark.parametrize("guns_below", [True, False])
def test_7_21_an_about_face_inverts_the_stack_but_for_guns(field, guns_below):
    f = field(3, 3)
    u = f.unit("u", "A0202", "E", orders=ATTACK)
    f.unit("v", "A0202", "E", orders=ATTACK)
    f.unit("w", "A0202", "E", orders=ATTACK)
    f.unit("guns", "A0202", "E", kind=2)
    f.play()
    f.begin(u)
    f.answers[0]["stack_on_top"] = [guns_below]
    f.series.facing.turn(u, 9)
    assert f.stack("A0202") == (["w", "v", "u", "guns"] if guns_below else ["guns", "w", "v", "u"])


def test_7_24_9_53_next_to_the_enemy_any_turn_without_moving_but_then_no_leaving(field):
    f = field(6, 6)
    u = f.unit("u", "A0303", "E", orders=ATTACK)
    f.unit("enemy", "A0403", "W", side=1)
    f.play()
    f.begin(u)
    assert f.series.facing.may_turn(u, 9)
    f.series.facing.turn(u, 9)
    assert not f.series.movement.may_move(u)


def test_9_53_no_turn_after_coming_adjacent_nor_10_32_after_fire_under_advance(field):
    f = field(6, 6)
    u = f.unit("u", "A0303", "E")
    a = f.unit("a", "A0203", "E", orders=ATTACK)
    f.play()
    f.begin(u)
    u.fired = True
    assert not f.series.facing.may_turn(u, 5)
    a.fired = True
    assert f.series.facing.may_turn(a, 5)
    a.came_adjacent = True
    assert not f.series.facing.may_turn(a, 5)


def test_7_23_a_free_turn_is_of_one_vertex(field):
    f = field(3, 3)
    u = f.unit("u", "A0202", "E")
    f.play()
    f.series.facing.turn_free(u, 5)
    assert (u.heading, u.spent) == (5, 0)
    with pytest.raises(CommanderError):
        f.series.facing.turn_free(u, 9)


def test_7_21_an_illegal_turn_is_an_error(field):
    f = field(3, 3)
    u = f.unit("u", "A0202", "E")
    f.play()
    with pytest.raises(CommanderError, match=r"Facing\.turn"):
        f.series.facing.turn(u, 5)  # not active


def test_8_26_a_stack_keeps_its_facing_if_the_unit_that_turned_moves_off(field):
    f = field(7, 7)
    u = f.unit("u", "A0303", "E", orders=ATTACK)
    other = f.unit("other", "A0303", "E", kind=2, brigade=f.brigade("2/1/U"))
    f.play()
    f.begin(u)
    f.series.facing.turn(u, 5)
    assert other.heading == 5
    f.series.movement.search(u)
    node = next(n for n in f.series.movement.reached if f.series.movement.may_stop(n))
    f.series.movement.move(u, node, node.heading)
    assert (other.heading, other.spent) == (3, 0)


@pytest.mark.parametrize("heading", ["SSE", "W"])
def test_7_11_8_25_who_is_on_the_march_does_not_turn_with_those_with_whom_he_begins(field, heading):
    """Guns set on the march face a hexside until they move off, whichever vertex the regiment with them turns to."""
    f = field(7, 7)
    u = f.unit("u", "A0303", "E", orders=ATTACK)
    guns = f.unit("guns", "A0303", "NE", kind=2, orders=MARCH, brigade=f.brigade("2/1/U"))
    f.play()
    f.begin(u)
    f.series.facing.turn(u, HEADING_NAMES.index(heading))
    assert (HEADING_NAMES[u.heading], HEADING_NAMES[guns.heading]) == (heading, "NE")
    assert audit(f.battle) == []


def test_7_11_8_25_nor_do_they_turn_with_him(field):
    """But another battery on the march does (8.26)."""
    f = field(7, 7)
    u = f.unit("u", "A0303", "E", orders=ATTACK)
    own, other = f.brigade("2/1/U"), f.brigade("3/1/U")
    guns = f.unit("guns", "A0303", "NE", kind=2, orders=MARCH, brigade=own, strength=3)
    more = f.unit("more", "A0303", "NE", kind=2, orders=MARCH, brigade=other, strength=3)
    f.play()
    f.begin(guns)
    f.series.facing.turn(guns, 4)
    assert (u.heading, guns.heading, more.heading) == (3, 4, 4)
    assert audit(f.battle) == []
    movement = f.series.movement
    movement.search(guns)
    node = next(node for node in movement.reached if movement.may_stop(node))
    movement.move(guns, node, node.heading)
    assert (u.heading, more.heading) == (3, 2)


def test_8_26_7_21_nor_is_its_order_inverted_then(field):
    """8.26: guns of another brigade turn about with two regiments, which stand as before once the guns are gone."""
    f = field(6, 6)
    g = f.unit("g", "A0303", "E", kind=2, strength=4, brigade=f.brigade("2/1/U"))
    f.unit("one", "A0303", "E", strength=3)
    f.unit("two", "A0303", "E", strength=3)
    f.play()
    f.begin(g)
    f.series.facing.turn(g, HEADING_NAMES.index("W"))
    assert [name for name in f.stack("A0303") if name != "g"] == ["two", "one"]
    movement = f.series.movement
    movement.search(g)
    node = next(node for node in movement.reached if node.hex.id == "A0203" and movement.may_stop(node))
    movement.move(g, node, node.heading)
    assert f.stack("A0303") == ["one", "two"]
    assert {HEADING_NAMES[unit.heading] for unit in f.battle.units_in(f.hex("A0303"))} == {"E"}


def test_8_26_it_does_not_if_another_active_unit_that_has_turned_stays(field):
    f = field(7, 7)
    u = f.unit("u", "A0303", "E", orders=ATTACK, strength=3)
    f.unit("mate", "A0303", "E", orders=ATTACK, strength=3)
    other = f.unit("other", "A0303", "E", kind=2, brigade=f.brigade("2/1/U"))
    f.play()
    f.begin(u)
    f.series.facing.turn(u, 5)
    f.series.movement.search(u)
    node = next(n for n in f.series.movement.reached if f.series.movement.may_stop(n))
    f.series.movement.move(u, node, node.heading)
    assert other.heading == 5


def test_7_13_nobody_leaves_a_hex_but_through_its_front(field):
    f = field(7, 7)
    f.unit("enemy", "A0504", "W", side=1)  # next to it only one vertex may be turned
    u = f.unit("u", "A0404", "E", orders=ATTACK)
    f.play()
    f.begin(u)
    f.series.movement.search(u)
    first = {node.hex.id for node in f.series.movement.reached if node.via.by < 0}
    assert first == {"A0403", "A0503", "A0405"}  # A0504 is the enemy's; A0303 and A0304 lie behind
    assert f.hex("A0303").id not in first


def test_7_25_retreats_keep_the_facing_and_a_rally_frees_one_vertex(field):
    f = field(7, 7)
    f.unit("enemy", "A0504", "W", side=1)
    u = f.unit("u", "A0404", "E")
    f.play()
    f.series.retreat.retreat([u], 1, 1, [f.hex("A0504")], 6)
    assert u.hex.id != "A0404"
    assert u.heading == 3
    f.series.facing.turn_free(u, 5)
    with pytest.raises(CommanderError):
        f.series.facing.turn_free(u, 9)
