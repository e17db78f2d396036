"""Rule 8.21, first exception: stacks under March or Advance Orders within March stacking limits move as one."""

import pytest

from simkit.model.charts import PROHIBITED
from simkit.model.forces import ADVANCE, ATTACK, MARCH, REFUSED_LEFT
from simkit.rules.commander import CommanderError


def together(f, units, ident, heading=None, leaders=None):
    """Move a stack the cheapest way to a hex."""
    movement = f.series.movement
    movement.search_stack(units)
    nodes = [node for node in movement.reached if node.hex.id == ident and movement.may_stop(node)]
    assert nodes, f"they cannot stop in {ident}"
    return movement.move_stack(units, nodes[0], nodes[0].heading if heading is None else heading, leaders)


def reach(f, units):
    """Cheapest costs in half MPs by hex of all that a stack can reach."""
    f.series.movement.search_stack(units)
    found = {}
    for node in f.series.movement.reached:
        found[node.hex.id] = min(found.get(node.hex.id, PROHIBITED), node.cost)
    return found


def pair(field, *, columns=12, rows=1, place="A0201", orders=ADVANCE, faces=(), **second):
    """A field with two regiments of 3 SP in one hex, the second as told."""
    f = field(columns, rows)
    f.brigade("1/1/U", orders=orders)
    facing = "E" if orders != MARCH else "NE"
    a = f.unit("a", place, facing, strength=3, movement=6)
    b = f.unit("b", place, facing, **{"strength": 3, "movement": 6, **second})
    return f, a, b


@pytest.mark.parametrize("orders", [ADVANCE, MARCH])
def test_8_21_a_stack_moves_as_one_and_keeps_its_order(field, orders):
    f, a, b = pair(field, rows=3, place="A0202", orders=orders)
    f.play()
    f.begin(a)
    assert f.series.movement.may_move_together([b, a])
    assert together(f, [b, a], "A0401")
    assert f.stack("A0401") == ["a", "b"]
    assert (a.spent, b.spent) == (4, 4)
    assert a.heading == b.heading
    assert (a.ended, b.ended) == (False, False)


@pytest.mark.parametrize(
    ("orders", "second", "may"),
    [
        (ATTACK, {}, False),
        (ADVANCE, {"strength": 4}, True),
        (ADVANCE, {"strength": 5}, False),  # 8 SP
        (ADVANCE, {"kind": 2}, False),  # guns with infantry
        (ADVANCE, {"kind": 1}, False),  # another type
        (MARCH, {"strength": 5}, False),  # 8.25: a stack set so unfolds
    ],
)
def test_8_21_only_within_the_stacking_limits_of_march_orders(field, orders, second, may):
    f, a, b = pair(field, orders=orders, **second)
    f.play()
    f.begin(a)
    b.active = True
    assert f.series.movement.may_move_together([a, b]) == may
    assert (f.series.movement.search_stack([a, b]) > 0) == may


def test_8_21_all_of_a_stack_must_be_free_to_move(field):
    f, a, b = pair(field)
    c = f.unit("c", "A0401", strength=1)
    f.play()
    f.begin(a)
    for units in ([a], [a, a], [a, c], []):
        assert not f.series.movement.may_move_together(units)
    b.fired = True
    assert not f.series.movement.may_move_together([a, b])
    b.fired, b.active = False, False
    assert not f.series.movement.may_move_together([a, b])


def test_8_21_part_of_a_stack_may_move_while_the_rest_stays(field):
    f, a, b = pair(field, strength=4)
    c = f.unit("c", "A0201", "E", strength=8)
    f.play()
    f.begin(a)
    assert not f.series.movement.may_move_together([a, b, c])
    assert together(f, [a, b], "A0301")
    assert (f.stack("A0201"), f.stack("A0301")) == (["c"], ["a", "b"])


def test_8_21_the_least_allowance_binds(field):
    f, a, b = pair(field, movement=3)
    f.play()
    f.begin(a)
    assert max(reach(f, [a, b]).values()) == 6
    b.spent = 2
    assert max(reach(f, [a, b]).values()) == 4


def test_8_21_the_dearest_turn_is_paid_by_all(field):
    """One has turned a vertex in the hex before, so a further one costs it, and the stack, a point (7.21)."""
    f, a, b = pair(field, rows=5, place="A0203")
    f.play()
    f.begin(a)
    b.faced = 1
    found = reach(f, [a, b])
    assert (found["A0302"], found["A0301"]) == (2, 4)
    assert found["A0202"] == 4  # behind a turn


def test_8_21_the_stack_is_judged_as_a_whole_where_it_ends(field):
    """8.12, 9.43: beyond 7 SP it pays for the ground at the end of a road, beyond 15 it may not end there."""
    for there, spent in ((1, 2), (2, 4), (10, 0)):
        f, a, b = pair(field, strength=3)
        f.ground("woods", "A0301")
        f.road("pike", "A0201", "A0301")
        f.unit("there", "A0301", "E", strength=there)
        f.play()
        f.begin(a)
        movement = f.series.movement
        movement.search_stack([a, b])
        nodes = [n for n in movement.reached if n.hex.id == "A0301" and movement.may_stop(n)]
        assert bool(nodes) == (spent > 0)
        if nodes:
            assert movement.stop_price(a, nodes[0]) == spent
            assert movement.move_stack([a, b], nodes[0], nodes[0].heading)
            assert (a.spent, b.spent, a.ended, b.ended) == (spent, spent, True, True)


def test_8_21_8_23_it_is_placed_on_top_or_beneath_as_one(field):
    for facing, order in (("E", ["there", "a", "b"]), ("W", ["a", "b", "there"])):
        f, a, b = pair(field)
        there = f.unit("there", "A0301", facing, strength=5)
        f.play()
        f.begin(a)
        assert together(f, [a, b], "A0301")
        assert f.stack("A0301") == order
        assert a.heading == b.heading == there.heading


def test_8_21_8_22_a_marching_stack_passes_a_bridge_that_its_own_units_do_not_block(field):
    f, a, b = pair(field, rows=3, place="A0202", orders=MARCH)
    f.hexside("bridge", "A0202", "A0301")
    f.play()
    f.begin(a)
    f.series.movement.prepare(a)
    side = f.between("A0202", "A0301")[0]
    assert f.series.movement.price(a, side) == PROHIBITED  # one by one they would stand in each other's way
    assert together(f, [a, b], "A0301")


def test_8_21_each_makes_its_own_check_for_terrain(field):
    """9.47, 12.33: one battery is disordered at the stream, and with what is left to it the stack goes on."""
    f = field(9, 1)
    f.hexside("stream", "A0201", "A0301")
    g, h = (f.unit(name, "A0201", "E", kind=2, cohesion=6, movement_disordered=6) for name in "gh")
    f.play([("cohesion", 6), ("cohesion", 7)])
    f.begin(g)
    assert together(f, [g, h], "A0501")
    assert f.dice.used_up()
    assert (g.disordered, h.disordered) == (False, True)


def test_8_21_where_one_must_stop_all_do_and_the_others_may_go_on_from_there(field):
    """12.35c: a second disorder from terrain ends the move of the battery, and with it that of the stack."""
    f = field(9, 1)
    f.hexside("stream", "A0201", "A0301")
    g = f.unit("g", "A0201", "E", kind=2, cohesion=6)
    h = f.unit("h", "A0201", "E", kind=2, cohesion=6, disordered=True, movement_disordered=6)
    f.play([("cohesion", 0), ("cohesion", 9)])
    f.begin(g)
    assert not together(f, [g, h], "A0501")
    assert f.stack("A0301") == ["g", "h"]
    assert f.series.movement.may_move(g)
    assert not g.completed


def test_8_23_who_must_stop_among_others_goes_no_farther(field):
    """8.22, 8.23: to go on from there would be to move through the others without paying for it."""
    f = field(9, 1)
    f.hexside("stream", "A0201", "A0301")
    f.unit("third", "A0301", "E", kind=2, strength=2)
    g = f.unit("g", "A0201", "E", kind=2, strength=2, cohesion=6)
    h = f.unit("h", "A0201", "E", kind=2, strength=2, cohesion=6, disordered=True, movement_disordered=6)
    f.play([("cohesion", 0), ("cohesion", 9)])
    f.begin(g)
    assert not together(f, [g, h], "A0401")
    assert f.stack("A0301") == ["third", "g", "h"]
    assert not f.series.movement.may_move(g)


def test_7_32_8_21_a_stack_that_has_moved_as_one_may_refuse(field):
    """7.32: neither of them has moved in with one who stood there; each pays its point."""
    f, a, b = pair(field, rows=4, place="A0202")
    stands = f.unit("stands", "A0502", "E", strength=1)
    f.play()
    f.begin(a)
    assert together(f, [a, b], "A0302")
    assert f.series.refusal.may_refuse(b, REFUSED_LEFT)
    f.series.refusal.refuse(b, REFUSED_LEFT)
    assert (a.refused, b.refused, a.spent, b.spent) == (REFUSED_LEFT, REFUSED_LEFT, 4, 4)
    f.series.refusal.unrefuse(a)
    assert together(f, [a, b], "A0502")
    assert stands.hex is a.hex and not f.series.refusal.may_refuse(a, REFUSED_LEFT)


def test_8_21_8_22_who_fails_twice_goes_back_alone(field):
    """8.22: each of the stack checks when it has moved through others; a second disorder sends that one back."""
    f = field(9, 1)
    a = f.unit("a", "A0201", "E", strength=2, cohesion=6)
    b = f.unit("b", "A0201", "E", strength=2, cohesion=6, cohesion_disordered=4, disordered=True, movement_disordered=6)
    f.unit("there", "A0301", "E", strength=14)
    f.play([("cohesion", 0), ("cohesion", 9)])
    f.begin(a)
    assert reach(f, [a, b])["A0401"] == 8
    assert not together(f, [a, b], "A0401")
    assert (f.stack("A0201"), f.stack("A0301"), f.stack("A0401")) == (["b"], ["there"], ["a"])
    assert (a.finished, b.finished) == (False, True)


def test_8_21_a_disordered_unit_keeps_the_stack_from_the_enemy(field):
    """12.34: under Advance Orders a stack may come next to enemy guns, but not with a disordered unit in it."""
    for disordered in (False, True):
        f, a, b = pair(field, disordered=disordered, movement_disordered=6)
        f.unit("guns", "A0601", "E", side=1, kind=2)
        f.play()
        f.begin(a)
        assert ("A0501" in reach(f, [a, b])) != disordered


def test_8_21_10_45_approach_fire_meets_the_stack_once_and_its_top_first(field):
    f, a, b = pair(field)
    f.unit("guns", "A0801", "W", side=1, kind=2, strength=4)
    f.play([("fire", 0)])
    f.begin(a)
    assert together(f, [a, b], "A0501")
    fires = f.events("fire")
    assert len(fires) == 1
    assert fires[0].target_hex == "A0501"


def test_8_21_10_44_withdrawal_fire_meets_the_stack_before_it_leaves(field):
    f = field(9, 7)
    f.unit("enemy", "A0604", "W", side=1, strength=7)
    a, b = (f.unit(name, "A0503", "E", strength=3) for name in "ab")
    f.play([("fire", 0)])
    f.begin(a)
    assert together(f, [a, b], "A0402")
    kinds = [event.kind for event in f.events("fire", "move")]
    assert kinds[:3] == ["fire", "move", "move"]
    assert f.dice.used_up()


def test_8_21_9_31_a_leader_goes_along(field):
    f, a, b = pair(field, rows=3, place="A0202")
    leader = f.leader("L", "A0202")
    other = f.leader("O", "A0202", command=f.brigade("2/1/U"))
    f.play()
    f.begin(a)
    assert together(f, [a, b], "A0402", leaders=[leader])
    assert (leader.hex.id, leader.moved, leader.spent) == ("A0402", True, 4)
    assert other.hex.id == "A0202"


def test_8_21_10_13_the_next_unit_begins_after_the_whole_stack(field):
    f, a, b = pair(field)
    c = f.unit("c", "A0901", "E", strength=1)
    f.play()
    f.begin(a)
    assert together(f, [a, b], "A0301")
    assert together(f, [a, b], "A0401")  # the same may go on
    f.series.movement.search(c)
    node = next(n for n in f.series.movement.reached if f.series.movement.may_stop(n))
    assert f.series.movement.move(c, node, node.heading)
    assert not f.series.movement.may_move_together([a, b])


def test_8_21_moves_that_were_not_offered_are_errors(field):
    f, a, b = pair(field)
    f.play()
    f.begin(a)
    movement = f.series.movement
    movement.search(a)
    node = movement.reached[0]
    with pytest.raises(CommanderError, match="search_stack"):
        movement.move_stack([a, b], node, node.heading)
    movement.search_stack([a, b])
    node = movement.reached[0]
    with pytest.raises(CommanderError, match="heading"):
        movement.move_stack([a, b], node, 4)
    with pytest.raises(CommanderError):
        movement.move(a, node, node.heading)
    assert movement.move_stack([a, b], node, node.heading)
