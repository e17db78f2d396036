"""Rule 7.3: who may refuse a flank, what it costs, and when it ends."""

import pytest

from simkit.model.forces import ADVANCE, ATTACK, BY_SMALL_ARMS, EXTENDED_COLUMN, EXTENDED_LINE, MARCH
from simkit.model.forces import REFUSED_LEFT as LEFT
from simkit.model.forces import REFUSED_RIGHT as RIGHT
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError


def may(f, unit):
    """Which flanks an active unit may refuse."""
    return [side for side in (LEFT, RIGHT) if f.series.refusal.may_refuse(unit, side)]


def node_to(f, unit, ident):
    movement = f.series.movement
    movement.search(unit)
    nodes = [n for n in movement.reached if n.hex.id == ident and movement.may_stop(n)]
    return nodes[0] if nodes else None


def go(f, unit, ident):
    node = node_to(f, unit, ident)
    assert node is not None, f"{unit.id} cannot stop in {ident}"
    return f.series.movement.move(unit, node, node.heading)


# -- who may (7.31, 7.32) --------------------------------------------------------------------------------------------


def test_7_31_the_ends_of_a_line_may_refuse_outwards_its_centre_not(field):
    """7.31, 7.32: all face east, so the line runs from north, its left, to south."""
    f = field(8, 8)
    left, centre, right = (f.unit(name, place, "E") for name, place in (("l", "A0302"), ("c", "A0303"), ("r", "A0304")))
    f.play()
    f.begin(left)
    assert [may(f, unit) for unit in (left, centre, right)] == [[LEFT], [], [RIGHT]]


def test_7_31_who_is_next_to_no_friend_may_refuse_either_flank_but_not_both(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E")
    f.play()
    f.begin(u)
    assert may(f, u) == [LEFT, RIGHT]
    f.series.refusal.refuse(u, RIGHT)
    assert (u.refused, u.spent, may(f, u)) == (RIGHT, 2, [])
    with pytest.raises(CommanderError, match="may_refuse"):
        f.series.refusal.refuse(u, LEFT)


def test_7_31_in_the_centre_with_a_friend_on_one_flank_and_one_in_the_opposite_rear(field):
    """7.31 second bullet: left neighbour to the north, the line goes on behind to the right, so there it bends."""
    f = field(8, 8)
    u = f.unit("u", "A0303", "E")
    f.unit("left", "A0302", "E")
    behind = f.unit("behind", "A0204", "E")
    f.play()
    f.begin(u)
    assert may(f, u) == [RIGHT]
    f.battle.lift(behind)
    f.battle.stand(behind, f.hex("A0404"), True)  # the line goes on before it to the right instead
    assert may(f, u) == []


def test_7_32_conditions(field):
    """Advance or Attack Orders, no Extended Column, two points if alone, not adjacent to an enemy."""
    f = field(12, 8)
    u = f.unit("u", "A0303", "E", orders=ATTACK)
    weak = f.unit("weak", "A0606", "E", strength=1, full=1)
    f.unit("enemy", "A1003", "W", side=1)
    near = f.unit("near", "A0903", "E", orders=ATTACK)
    column = f.unit("column", "A0308", "E", strength=8)
    f.play()
    f.begin(u)
    f.battle.add_part(column, f.hex("A0208"), 0, EXTENDED_COLUMN)
    assert [may(f, unit) for unit in (u, weak, near, column)] == [[LEFT, RIGHT], [], [], []]
    u.orders = MARCH
    u.heading = 2
    assert may(f, u) == []


def test_7_32_8_26_each_active_unit_of_the_stack_pays_and_all_are_refused(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E", strength=1)
    mate = f.unit("mate", "A0303", "E", strength=1)
    guns = f.unit("guns", "A0303", "E", kind=2, brigade=f.brigade("2/1/U"))
    f.play()
    f.begin(u)
    f.series.refusal.refuse(u, LEFT)
    assert [one.refused for one in (u, mate, guns)] == [LEFT, LEFT, LEFT]
    assert [one.spent for one in (u, mate, guns)] == [2, 2, 0]
    assert audit(f.battle) == []


def test_7_32_a_stack_refuses_only_if_each_active_unit_of_it_can_pay(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E")
    mate = f.unit("mate", "A0303", "E")
    f.play()
    f.begin(u)
    mate.spent = 12
    mate.moved = True
    assert may(f, u) == []


def test_7_32_who_has_moved_in_with_others_may_not_refuse_the_stack(field):
    f = field(8, 8)
    u = f.unit("u", "A0203", "E")
    mate = f.unit("mate", "A0303", "E")
    f.play()
    f.begin(u)
    go(f, u, "A0303")
    assert may(f, u) == []
    f.battle.lift(mate)  # 7.32: unless the stationary unit exits the hex
    f.battle.stand(mate, f.hex("A0703"), True)
    assert may(f, u) == [LEFT, RIGHT]


# -- what it costs others, and leaving it (7.32, 7.33) -----------------------------------------------------------------


def test_7_32_to_stack_with_a_refused_unit_costs_a_point_more_and_refuses(field):
    f = field(8, 8)
    u = f.unit("u", "A0103", "E", movement=3)
    v = f.unit("v", "A0203", "E", movement=1)
    refused = f.unit("refused", "A0303", "E")
    f.play()
    refused.refused = RIGHT
    f.begin(u)
    assert node_to(f, v, "A0303") is None
    go(f, u, "A0303")
    assert (u.refused, u.spent) == (RIGHT, 6)
    assert audit(f.battle) == []


def test_9_42_7_32_the_point_more_counts_against_a_move_by_exception(field):
    f = field(8, 8)
    u = f.unit("u", "A0203", "E", movement=1)
    v = f.unit("v", "A0603", "E", movement=2, movement_disordered=1, disordered=True)
    one = f.unit("one", "A0303", "E")
    two = f.unit("two", "A0703", "E")
    f.play()
    one.refused = two.refused = LEFT
    f.begin(u)
    into = f.between("A0203", "A0303")[0]
    assert into not in f.series.movement.exceptions(u)
    over = f.between("A0603", "A0703")[0]
    assert over in f.series.movement.exceptions(v)
    f.series.movement.step(v, over)
    assert v.refused == LEFT


def test_7_33_a_refused_unit_leaves_that_status_before_it_turns(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E")
    mate = f.unit("mate", "A0303", "E")
    f.play()
    u.refused = mate.refused = LEFT
    f.begin(u)
    assert not f.series.facing.may_turn(u, HEADING_NAMES.index("NNE"))
    f.series.refusal.unrefuse(u)
    assert [one.refused for one in (u, mate)] == [0, 0]
    assert [one.spent for one in (u, mate)] == [2, 2]
    assert f.series.facing.may_turn(u, HEADING_NAMES.index("NNE"))
    with pytest.raises(CommanderError, match="may_unrefuse"):
        f.series.refusal.unrefuse(u)


def test_7_33_a_refused_unit_pays_a_point_to_move_and_its_stack_stays_refused(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E", movement=2)
    mate = f.unit("mate", "A0303", "E")
    f.play()
    u.refused = mate.refused = LEFT
    f.begin(u)
    assert node_to(f, u, "A0503") is None
    go(f, u, "A0403")
    assert (u.spent, u.refused, mate.refused) == (4, 0, LEFT)


def test_7_32_one_point_left_alone_is_no_longer_refused(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E", strength=3, full=4)
    two = f.unit("two", "A0603", "E", strength=3, full=4)
    mate = f.unit("mate", "A0603", "E", strength=3, full=4)
    f.play()
    for unit in (u, two, mate):
        unit.refused = RIGHT
        unit.disordered = unit.collapsed = False
    f.begin(u)
    f.roll(("cohesion", 0))
    f.series.results.lose(u, 1, BY_SMALL_ARMS)
    assert u.refused == RIGHT
    f.series.results.lose(u, 1, BY_SMALL_ARMS)
    assert u.refused == 0
    f.series.results.lose(two, 2, BY_SMALL_ARMS)
    assert two.refused == RIGHT  # not alone
    go(f, mate, "A0703")
    assert two.refused == 0


@pytest.mark.parametrize(("moved", "docked", "left"), [(False, 2, 10), (True, 0, 12)])
def test_7_32_a_friend_who_ends_in_the_refused_flank_ends_the_refusal(field, moved, docked, left):
    """7.32: a stationary unit that has not yet moved has one movement point less."""
    f = field(8, 8)
    refused = f.unit("refused", "A0303", "E", movement=6)
    u = f.unit("u", "A0204", "E")
    f.play()
    refused.refused = RIGHT
    f.begin(u)
    refused.moved = moved
    go(f, u, "A0304")  # to the south of it, its right flank
    assert (refused.refused, refused.docked) == (0, docked)
    assert f.series.movement.allowance(refused) == left
    assert f.series.fire.may_fire(refused) is not moved  # it has spent nothing
    assert audit(f.battle) == []


def test_7_32_a_friend_elsewhere_or_passing_leaves_it_refused(field):
    f = field(8, 8)
    refused = f.unit("refused", "A0303", "E")
    u = f.unit("u", "A0203", "E")
    f.play()
    refused.refused = RIGHT
    f.begin(u)
    go(f, u, "A0302")  # its left flank
    assert refused.refused == RIGHT


def test_7_33_withdrawal_ends_it_at_no_cost_after_withdrawal_fire(field):
    """7.33, 9.54: the marker comes off when the withdrawal fire is over."""
    f = field(8, 8)
    u = f.unit("u", "A0403", "E", orders=ATTACK, movement=4)
    enemy = f.unit("enemy", "A0503", "W", side=1)
    f.play()
    u.refused = LEFT
    f.begin(u)
    seen = []

    def fire(series, unit, target, most):
        seen.append(int(target.refused))
        return 0

    f.answers[1]["withdrawal_fire"] = [fire]
    f.series.movement.withdraw(u, [f.hex("A0303"), f.hex("A0203")])
    assert seen == [LEFT]
    assert (u.refused, u.spent, u.hex.id) == (0, 4, "A0203")
    assert enemy.hex.id == "A0503"


def test_7_33_retreat_and_advance_end_it_at_no_cost(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E")
    v = f.unit("v", "A0604", "E", orders=ATTACK)
    f.play()
    u.refused = v.refused = LEFT
    f.begin(u)
    f.series.retreat.retreat([u], 1, 1, [f.hex("A0403")], 0)
    f.series.retreat.advance(v, f.hex("A0704"))
    assert [(one.refused, one.spent) for one in (u, v)] == [(0, 0), (0, 0)]


def test_7_32_a_retreat_into_the_hex_of_a_refused_unit_refuses(field):
    f = field(8, 8)
    u = f.unit("u", "A0403", "E")
    back = f.unit("back", "A0303", "E")
    f.unit("enemy", "A0503", "W", side=1)
    f.play()
    back.refused = LEFT
    f.begin(u)
    f.answers[0]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0303")]
    f.series.retreat.retreat([u], 1, 1, [f.hex("A0503")], 0)
    assert (u.hex.id, u.refused) == ("A0303", LEFT)
    assert audit(f.battle) == []


def test_7_32_a_stack_that_retreats_there_is_refused_as_a_whole(field):
    f = field(8, 8)
    u, v = (f.unit(name, "A0403", "E", strength=4) for name in "uv")
    back = f.unit("back", "A0303", "E", strength=4)
    f.unit("enemy", "A0503", "W", side=1)
    f.play()
    back.refused = LEFT
    f.begin(u)
    f.answers[0]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0303")]
    f.series.retreat.retreat([u, v], 1, 1, [f.hex("A0503")], 0)
    assert [(one.hex.id, one.refused) for one in (u, v, back)] == [("A0303", LEFT)] * 3
    assert audit(f.battle) == []


def test_8_44_an_extended_line_may_refuse_both_ends(field):
    f = field(8, 8)
    line = f.unit("17 IN", "A0303", "E", strength=17)
    guns = f.unit("guns", "A0302", "E", kind=2, brigade=f.brigade("2/1/U"))
    f.play()
    f.begin(line)
    f.battle.add_part(line, f.hex("A0302"), 0, EXTENDED_LINE)
    f.battle.add_part(line, f.hex("A0304"), 0, EXTENDED_LINE)
    assert may(f, line) == [LEFT, RIGHT]
    f.series.refusal.refuse(line, LEFT)
    assert may(f, line) == [RIGHT]
    f.series.refusal.refuse(line, RIGHT)
    assert (line.refused, line.spent, guns.refused) == (LEFT + RIGHT, 4, LEFT)
    f.series.refusal.unrefuse(line)
    assert (line.refused, line.spent, guns.refused) == (0, 6, 0)


def test_7_32_the_parts_of_a_line_are_treated_apart_next_to_the_enemy(field):
    f = field(8, 8)
    line = f.unit("9 IN", "A0303", "E", strength=9)
    f.unit("enemy", "A0403", "W", side=1)  # beside the northern part only
    f.play()
    f.begin(line)
    f.battle.add_part(line, f.hex("A0304"), 0, EXTENDED_LINE)
    assert may(f, line) == [RIGHT]


def test_7_34_example_who_joins_a_refused_stack_that_has_fired_may_not_fire(field):
    """7.34 EXAMPLE (dead-of-winter:702): two points under Attack Orders stack with a refused unit that has fired."""
    f = field(8, 8)
    u = f.unit("2 SP", "A0203", "E", strength=2, orders=ATTACK)
    other = f.unit("other", "A0206", "E", strength=2, orders=ATTACK)
    refused = f.unit("4 SP", "A0303", "E", strength=4, orders=ATTACK)
    silent = f.unit("silent", "A0306", "E", strength=4, orders=ATTACK)
    f.play()
    refused.refused = silent.refused = LEFT
    f.begin(u)
    refused.fired = True
    go(f, u, "A0303")
    go(f, other, "A0306")
    assert not f.series.fire.may_fire(u)
    assert f.series.fire.may_fire(other)
    f.begin(u)
    assert f.series.fire.may_fire(u)  # in its next activation


def test_7_34_who_joins_others_that_have_fired_unrefused_is_not_bound(field):
    f = field(8, 8)
    u = f.unit("u", "A0203", "E", strength=2, orders=ATTACK)
    fired = f.unit("fired", "A0303", "E", strength=4, orders=ATTACK)
    f.play()
    f.begin(u)
    fired.fired = True
    go(f, u, "A0303")
    assert not u.joined_late and f.series.fire.may_fire(u)


def test_7_34_guns_that_join_a_refused_stack_that_has_fired_are_not_bound(field):
    """7.34: the exception is for units under Attack Orders; guns are under Advance Orders always (9.43)."""
    f = field(8, 8)
    g = f.unit("g", "A0203", "E", kind=2)
    refused = f.unit("4 SP", "A0303", "E", strength=4, orders=ATTACK)
    f.play()
    refused.refused = LEFT
    f.begin(g)
    refused.fired = True
    go(f, g, "A0303")
    assert (g.refused, g.joined_late) == (LEFT, False)


def test_7_32_guns_that_are_abandoned_leave_who_is_weak_alone(field):
    """7.32, 12.8: abandoned guns are no unit; nor are they refused when they have a crew again."""
    f = field(8, 8)
    weak = f.unit("weak", "A0303", "E", strength=1)
    g = f.unit("g", "A0303", "E", kind=2)
    f.play()
    weak.refused = g.refused = LEFT
    f.begin(weak)
    f.series.results.abandon(g, "fire")
    assert weak.refused == 0 and g.refused == 0 and audit(f.battle) == []


def test_13_41_a_refused_unit_does_not_turn_after_its_rally(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E", disordered=True)
    f.play([("rally", 0)])
    u.refused = LEFT
    f.begin(u)
    f.series.effectiveness.rally(u)
    assert not u.disordered and "heading_after" not in f.asked[0]


def test_7_32_march_orders_end_a_refusal(field):
    f = field(8, 8)
    u = f.unit("u", "A0303", "E")
    f.play()
    u.refused = LEFT
    f.series.orders.give(u, MARCH)
    assert u.refused == 0 and u.orders != ADVANCE


# -- among those who march (8.25) ------------------------------------------------------------------------------------


def with_guns(field, orders=ADVANCE):
    """A regiment that faces east over a battery of another brigade."""
    f = field(8, 8)
    f.u = f.unit("u", "A0303", "E")
    guns = f.brigade("2/1/U")
    f.guns = f.unit("guns", "A0303", "NE" if orders == MARCH else "E", kind=2, orders=orders, brigade=guns)
    f.play()
    return f


def test_7_32_8_25_guns_set_on_the_march_leave_a_refused_stack_by_themselves(field):
    f = with_guns(field)
    f.begin(f.u)
    f.series.refusal.refuse(f.u, RIGHT)
    assert (f.u.refused, f.guns.refused) == (RIGHT, RIGHT)
    f.series.orders.give(f.guns, MARCH)
    assert (f.u.refused, f.guns.refused) == (RIGHT, 0)
    assert audit(f.battle) == []


def test_7_32_8_25_a_regiment_refuses_without_the_guns_that_are_on_the_march_beside_it(field):
    f = with_guns(field, orders=MARCH)
    f.begin(f.guns)
    assert may(f, f.guns) == []
    f.begin(f.u)
    assert may(f, f.u) == [LEFT, RIGHT]
    f.series.refusal.refuse(f.u, LEFT)
    assert (f.u.refused, f.guns.refused, f.guns.spent) == (LEFT, 0, 0)
    assert audit(f.battle) == []
