"""Chapter 9: allowances, costs, paths, what happens on the way, withdrawal, guns, and leaders."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.model.battle import PHASE_COMMANDERS
from simkit.model.charts import PROHIBITED
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError
from simkit.rules.pathsearch import Outlook


def reach(f, unit):
    """Cheapest costs in half MPs by hex of all that a unit can reach."""
    f.series.movement.search(unit)
    found = {}
    for node in f.series.movement.reached:
        found[node.hex.id] = min(found.get(node.hex.id, PROHIBITED), node.cost)
    return found


def go(f, unit, ident, heading=None, leaders=None):
    """Move a unit the cheapest way to a hex."""
    movement = f.series.movement
    movement.search(unit)
    nodes = [n for n in movement.reached if n.hex.id == ident and movement.may_stop(n)]
    assert nodes, f"{unit.id} cannot stop in {ident}"
    node = nodes[0]
    turned = node.heading if heading is None else HEADING_NAMES.index(heading)
    return movement.move(unit, node, turned, leaders)


def price(f, unit, first, second):
    f.series.movement.prepare(unit)
    return f.series.movement.price(unit, f.between(first, second)[0])


# -- allowances ------------------------------------------------------------------------------------------------------


def test_9_24_attack_halves_the_allowance_rounding_up(field):
    f = field(5, 5)
    a = f.unit("a", "A0202", movement=5, orders=ATTACK)
    b = f.unit("b", "A0303", movement=5)
    f.play()
    assert [f.series.movement.allowance(unit) for unit in (a, b)] == [6, 10]


def test_10_61_guns_that_fire_have_half(field):
    f = field(5, 5)
    g = f.unit("g", "A0202", kind=2, movement=7)
    f.play()
    g.fired = True
    assert f.series.movement.allowance(g) == 7


def test_12_33_disorder_lowers_what_is_left(field):
    f = field(5, 5)
    a = f.unit("a", "A0202", movement=6, movement_disordered=4)
    g = f.unit("g", "A0303", kind=2, movement=6, movement_disordered=4)
    f.play()
    a.spent = 6
    a.disordered = True
    g.disordered = True
    assert [f.series.movement.allowance(unit) for unit in (a, g)] == [2, 8]
    f.options.set("disordered_guns_move", "yes")
    assert f.series.movement.allowance(g) == 12


def test_5_35_the_march_marker_gives_several_activations_of_movement(field):
    f = field(5, 5)
    a = f.unit("a", "A0202", "N", movement=6, orders=MARCH)
    f.play()
    f.begin(a)
    a.equivalents = 4
    assert f.series.movement.allowance(a) == 48


# -- terrain and thoroughfares -----------------------------------------------------------------------------------------


def test_9_44_example_trail_for_guns_in_woods(field):
    """dead-of-winter:1008: woods that cost 5 for guns cost 3 along a trail under Advance Orders, 2 on the march."""
    trail = field(2, 2).charts.thoroughfare("trail")
    assert trail.cost(10, 0, False) == 6
    assert trail.cost(10, 0, True) == 4
    f = field(5, 5, terrain="woods")  # 4 MPs for guns in the charts
    f.road("trail", "A0202", "A0203", "A0204")
    g = f.unit("g", "A0202", "SSE", kind=2)
    m = f.unit("m", "A0203", "S", kind=2, orders=MARCH)
    a = f.unit("a", "A0202", "SSE", orders=ATTACK)
    f.play()
    assert price(f, g, "A0202", "A0203") == 4
    assert price(f, g, "A0202", "A0302") == 8
    assert price(f, m, "A0203", "A0204") == 4
    assert price(f, a, "A0202", "A0203") == 4  # 2 MPs: no trails under Attack Orders
    side = f.between("A0202", "A0203")[0]
    side.advance = [*side.advance[:2], trail.cost(10, 0, False), side.advance[3]]
    side.costs = [*side.costs[:2], 10, side.costs[3]]
    assert price(f, g, "A0202", "A0203") == 6


def test_9_43_pikes_cost_half_a_point_on_the_march_and_one_under_advance(field):
    f = field(5, 9, terrain="woods")
    f.road("pike", *[f"A02{row:02d}" for row in range(1, 10)])
    a = f.unit("a", "A0201", "SSE", movement=4)
    big = f.unit("big", "A0401", "SSE", strength=8)
    m = f.unit("m", "A0205", "S", orders=MARCH)
    f.play()
    assert price(f, a, "A0201", "A0202") == 2
    assert price(f, m, "A0205", "A0206") == 1
    assert price(f, big, "A0201", "A0202") == 4  # 8.13: too large for March stacking, it would have to extend
    f.begin(a)
    assert reach(f, a)["A0204"] == 6


def test_9_45_turns_are_free_from_road_hex_to_road_hex(field):
    f = field(5, 5, terrain="woods")
    f.road("road", "A0203", "A0302", "A0301", "A0201", "A0101")
    a = f.unit("a", "A0203", "NNE", movement=4)
    f.play()
    f.begin(a)
    assert reach(f, a)["A0101"] == 8


def test_9_23_bridges_and_fords(field):
    f = field(5, 5)
    f.hexside("river", "A0202", "A0302")
    f.hexside("bridge", "A0203", "A0303")
    a = f.unit("a", "A0202", "E")
    b = f.unit("b", "A0203", "E", orders=ATTACK)
    c = f.unit("c", "A0204", "E", strength=9)
    f.play()
    assert price(f, a, "A0202", "A0302") >= PROHIBITED
    assert price(f, a, "A0203", "A0303") == 2
    assert price(f, b, "A0203", "A0303") == PROHIBITED
    assert price(f, c, "A0203", "A0303") == PROHIBITED


def test_8_22_bridge_exception(field):
    f = field(5, 5)
    f.hexside("bridge", "A0203", "A0303")
    a = f.unit("a", "A0204", "NNE")
    f.unit("m", "A0303", "N", orders=MARCH)
    f.play()
    assert price(f, a, "A0203", "A0303") == PROHIBITED


def test_9_13_costs_of_a_search_on_open_ground(field):
    f = field(7, 7)
    a = f.unit("a", "A0404", "E", movement=2)
    f.play()
    f.begin(a)
    found = reach(f, a)
    assert found["A0503"] == 2  # straight ahead
    assert found["A0403"] == 2  # after one free vertex
    assert found["A0405"] == 2
    assert found["A0304"] == 4  # after an about-face
    assert "A0204" not in found


def test_7_22_woods_under_attack_orders_make_turns_dear(field):
    f = field(7, 7, terrain="woods")
    a = f.unit("a", "A0404", "E", movement=12, orders=ATTACK)
    f.play()
    f.begin(a)
    found = reach(f, a)
    assert found["A0503"] == 4
    assert found["A0403"] == 6  # one vertex is no longer free
    assert found["A0304"] == 6  # an about-face costs one point


def test_9_12_the_allowance_is_one_total_for_the_activation(field):
    f = field(9, 3)
    f.unit("enemy", "A0902", "E", side=1)
    a = f.unit("a", "A0202", "E", movement=6, orders=ATTACK)
    f.play()
    f.begin(a)
    assert f.series.movement.allowance(a) == 6
    assert go(f, a, "A0302")
    assert (a.spent, f.series.movement.allowance(a)) == (2, 4)
    assert max(reach(f, a).values()) == 4
    assert go(f, a, "A0502")
    assert f.series.movement.allowance(a) == 0
    assert not f.series.movement.may_move(a)


def test_9_14_dismounted_cavalry_moves_as_infantry_and_horse_artillery_as_artillery(field):
    f = field(5, 5, terrain="woods")
    f.unit("foot", "A0202")
    f.unit("dismounted", "A0203", kind=1, mounted=False)
    f.unit("mounted", "A0302", kind=1)
    f.unit("guns", "A0303", kind=2)
    f.unit("horse guns", "A0402", kind=2, horse=True)
    f.play()
    foot, dismounted, mounted, guns, horse_guns = (f.series.movement.mover(unit) for unit in f.battle.units)
    assert foot == dismounted
    assert guns == horse_guns
    assert len({foot, mounted, guns}) == 3


def test_9_21_each_unit_moves_by_the_orders_that_it_is_under(field):
    """9.21: a unit out of command when its brigade changed orders keeps to its former movement."""
    f = field(9, 9)
    own = f.brigade("1/1/U", orders=ATTACK)
    there = f.unit("there", "A0202", movement=6)
    stray = f.unit("stray", "A0808", movement=6, orders=ADVANCE)
    f.leader("L", "A0202", command_range=1)
    f.play()
    assert own.orders == ATTACK
    assert [f.series.movement.allowance(unit) for unit in (there, stray)] == [6, 12]


def test_9_22_any_terrain_and_the_road_at_half_a_point_but_no_trail_so_cheap(field):
    f = field(5, 5, terrain="cedars")
    f.road("road", "A0202", "A0203")
    f.road("trail", "A0302", "A0303")
    m = f.unit("m", "A0202", "S", orders=MARCH)
    f.play()
    assert price(f, m, "A0202", "A0203") == 1
    assert price(f, m, "A0302", "A0303") == 2  # half of 3, rounded down
    assert price(f, m, "A0402", "A0403") == 6


def test_9_23_whoever_crosses_a_bridge_to_the_enemy_shocks_in_its_next_activation_only(field):
    f = field(9, 5)
    f.unit("enemy", "A0603", "E", side=1)
    a = f.unit("a", "A0404", "E")
    f.hexside("bridge", "A0404", "A0503")
    f.play()
    f.begin(a)
    assert go(f, a, "A0503")
    assert f.series.shock.targets(a)
    assert not f.series.shock.may_shock(a)
    f.begin(a)
    assert f.series.shock.may_shock(a)


@pytest.mark.parametrize("crossing", ["ford_a", "ford_b", "bridge"])
def test_9_44_fords_and_bridges_are_crossed_on_the_march_and_the_advance_and_attacked_across(field, crossing):
    f = field(9, 5)
    f.hexside(crossing, "A0203", "A0303")
    f.hexside(crossing, "A0503", "A0603")
    units = [
        f.unit("march", "A0203", "NE", orders=MARCH), f.unit("advance", "A0204"),
        f.unit("attack", "A0205", orders=ATTACK),
    ]
    attacker = f.unit("attacker", "A0503", "E", orders=ATTACK)
    f.unit("enemy", "A0603", "W", side=1)
    f.play()
    extra = f.charts.hexside(crossing).cost(0)
    f.battle.remove(units[0], 3)
    assert price(f, units[1], "A0203", "A0303") == 2 + extra
    assert price(f, units[2], "A0203", "A0303") == PROHIBITED
    f.begin(attacker)
    assert f.series.shock.targets(attacker) == [f.hex("A0603")]
    f.battle.remove(f.battle.units[-1], 2)
    assert price(f, attacker, "A0503", "A0603") == PROHIBITED
    assert f.series.retreat.may_advance(attacker, f.hex("A0603"))


def test_9_45_a_road_counts_only_from_a_connected_hex(field):
    f = field(5, 5, terrain="woods")
    f.road("road", "A0202", "A0203")
    f.road("road", "A0302", "A0303")
    a = f.unit("a", "A0202", "SSE")
    f.play()
    assert price(f, a, "A0202", "A0203") == 2
    assert price(f, a, "A0203", "A0303") == 4  # from one road to another that does not join it


@pytest.mark.parametrize("slope", ["minor_slope", "steep_slope"])
def test_9_46_a_slope_costs_uphill_and_a_gradual_rise_nothing(field, slope):
    f = field(7, 5)
    f.level(1, "A0303", "A0503")
    f.hexside(slope, "A0203", "A0303")
    a = f.unit("a", "A0203", "E")
    f.play()
    made = f.charts.hexside(slope)
    assert made.cost(0) > 0
    assert price(f, a, "A0203", "A0303") == 2 + made.cost(0)
    assert price(f, a, "A0303", "A0203") == 2 + (0 if made.uphill_only else made.cost(0))
    assert price(f, a, "A0403", "A0503") == 2


def test_9_51_nobody_enters_a_hex_of_the_enemy(field):
    f = field(7, 3)
    f.unit("enemy", "A0402", "E", side=1, kind=2)
    a = f.unit("a", "A0202", "E", orders=ATTACK, movement=12)
    f.play()
    f.begin(a)
    assert "A0402" not in reach(f, a)
    assert price(f, a, "A0302", "A0402") == PROHIBITED


def test_8_11_8_25_a_stack_set_on_the_march_unfolds_when_it_moves(field):
    f = field(9, 5)
    f.brigade("1/1/U", orders=MARCH)
    a = f.unit("a", "A0203", "NE", strength=5)
    f.unit("b", "A0203", "NE", strength=5)  # ten points: too many for the march, but they have not moved yet
    c = f.unit("c", "A0403", "NE", strength=3)
    f.play()
    f.begin(a)
    movement = f.series.movement
    assert movement.may_move(a)
    movement.search(a)
    ends = {node.hex.id for node in movement.reached if movement.may_stop(node)}
    assert "A0302" in ends
    assert c.hex.id not in ends  # 8 points
    assert "A0203" not in ends


def test_8_21_one_unit_moves_and_the_others_of_its_stack_stay(field):
    f = field(9, 5)
    a = f.unit("a", "A0203", "E", strength=3)
    b = f.unit("b", "A0203", "E", strength=3)
    f.play()
    f.begin(a)
    assert go(f, a, "A0403")
    assert (b.hex.id, b.spent) == ("A0203", 0)
    assert go(f, b, "A0403")
    assert f.stack("A0403") == ["a", "b"]  # b has come in through the rear of a


# -- enemies -----------------------------------------------------------------------------------------------------------


def test_9_52_who_may_move_adjacent(field):
    f = field(9, 5)
    enemy = f.unit("enemy", "A0603", "W", side=1)
    beside = {"A0502", "A0503"}  # in front of it
    units = {
        "attack": f.unit("attack", "A0402", "E", orders=ATTACK),
        "advance": f.unit("advance", "A0403", "E"),
        "disordered": f.unit("disordered", "A0404", "E", orders=ATTACK, disordered=True),
    }
    f.play()
    for name, unit in units.items():
        f.begin(unit)
        assert bool(beside & set(reach(f, unit))) == (name == "attack"), name
    f.battle.remove(enemy, 2)
    f.unit("guns", "A0603", "W", side=1, kind=2)
    f.begin(units["advance"])
    assert beside & set(reach(f, units["advance"]))
    assert "A0603" not in reach(f, units["advance"])  # 9.51


def test_9_52_across_a_river_and_9_23_over_a_bridge(field):
    f = field(9, 5)
    f.unit("enemy", "A0603", "W", side=1)
    a = f.unit("a", "A0404", "E")
    f.hexside("river", "A0503", "A0603")
    f.play()
    f.begin(a)
    assert "A0503" in reach(f, a)
    assert "A0502" not in reach(f, a)
    g = field(9, 5)
    g.unit("enemy", "A0603", "W", side=1)
    b = g.unit("b", "A0404", "E")
    g.hexside("bridge", "A0404", "A0503")
    g.play()
    g.begin(b)
    assert "A0503" in reach(g, b)
    assert go(g, b, "A0503")
    assert b.came_adjacent


def test_9_53_stops_adjacent_and_turns_one_vertex_before_leaving(field):
    f = field(9, 7)
    f.unit("enemy", "A0604", "W", side=1)
    a = f.unit("a", "A0503", "E", orders=ATTACK, movement=12)
    f.play()
    f.begin(a)
    f.series.movement.search(a)
    first = {node.hex.id for node in f.series.movement.reached if node.via.by < 0}
    assert first == {"A0603", "A0504", "A0502"}  # by one vertex of change; two of them again next to the enemy
    assert {node.via.hex.id for node in f.series.movement.reached}.isdisjoint({"A0603", "A0504"})


def test_9_53_facing_taken_next_to_the_enemy_forbids_fire_and_shock(field):
    f = field(9, 7)
    f.unit("enemy", "A0604", "W", side=1)
    f.unit("mate", "A0504", "NNE", strength=3, orders=ATTACK)
    a = f.unit("a", "A0404", "E", orders=ATTACK, strength=3)
    f.play()
    f.begin(a)
    assert go(f, a, "A0504")
    assert (a.heading, a.adjusted_facing) == (1, True)


def test_9_22_on_the_march_four_hexes_and_sight(field):
    f = field(12, 3)
    f.unit("enemy", "A1002", "W", side=1)
    m = f.unit("m", "A0202", "NE", orders=MARCH)
    f.play()
    f.begin(m)
    assert "A0502" in reach(f, m)
    assert not [ident for ident in reach(f, m) if f.hex(ident).distance_to(f.hex("A1002")) <= 4]
    near = field(12, 3)
    near.unit("enemy", "A0502", "W", side=1)
    n = near.unit("n", "A0202", "NE", orders=MARCH)
    near.play()
    near.begin(n)
    assert not near.series.movement.may_move(n)
    hidden = field(12, 3)
    hidden.unit("enemy", "A0602", "W", side=1)
    h = hidden.unit("h", "A0202", "NE", orders=MARCH)
    hidden.ground("woods", "A0401", "A0402", "A0403")
    hidden.play()
    hidden.begin(h)
    assert hidden.series.movement.may_move(h)


def test_9_55_option_1_guns_keep_their_distance(field):
    f = field(14, 3)
    f.unit("enemy", "A1202", "W", side=1)
    g = f.unit("g", "A0602", "E", kind=2)
    f.play()
    f.begin(g)
    assert max(f.hex(ident).column for ident in reach(f, g)) == 8
    close = field(14, 5)
    close.unit("enemy", "A0803", "W", side=1)
    h = close.unit("h", "A0603", "E", kind=2)
    close.play()
    close.begin(h)
    found = reach(close, h)
    assert all(close.hex(ident).distance_to(close.hex("A0803")) >= 2 for ident in found)
    assert "A0602" in found
    assert go(close, h, "A0602")
    assert close.series.movement.guns_exposed(h)


def test_9_55_option_1_as_close_as_where_the_move_began_and_no_closer(field):
    f = field(14, 9)
    f.unit("enemy", "A0805", "E", side=1)
    g = f.unit("g", "A0605", "NNE", kind=2, movement=12)
    for first in ("A0605", "A0504", "A0503", "A0603", "A0704", "A0703"):
        if f.hex(first).distance_to(f.hex("A0604")) == 1:
            f.hexside("river", first, "A0604")  # so the way leads round by hexes three from the enemy
    f.play()
    f.begin(g)
    assert go(f, g, "A0703")
    assert [f.hex(event.target_hex).distance_to(f.hex("A0805")) for event in f.events("move")] == [3, 3, 3, 2]
    assert "A0704" not in reach(f, g)


def test_9_55_example_option_2(field):
    """dead-of-winter:1069: a battery of cohesion 7 that rolls an adjusted 10 loses one gun."""
    f = field(14, 5)
    f.unit("enemy", "A0903", "E", side=1)  # it cannot fire at what comes from the west
    g = f.unit("g", "A0503", "E", kind=2, cohesion=7, strength=6)
    f.play([("cohesion", 9)], options={"artillery_near_enemy": "2"})
    f.begin(g)
    assert not go(f, g, "A0603")
    assert f.dice.used_up()
    assert (g.strength, g.disordered, g.finished) == (5, True, True)
    assert g.hex.distance_to(f.hex("A0903")) > 3


@pytest.mark.parametrize(("face", "disordered", "guns"), [(6, False, 6), (8, False, 6), (9, True, 3)])
def test_9_55_option_2_margins(field, face, disordered, guns):
    f = field(14, 5)
    f.unit("enemy", "A0903", "E", side=1)
    g = f.unit("g", "A0503", "E", kind=2, cohesion=7, strength=6)
    f.play([("cohesion", face)], options={"artillery_near_enemy": "2"})
    f.begin(g)
    g.disordered = disordered  # then its cohesion is 5: a nine fails by five
    go(f, g, "A0603")
    assert g.strength == guns
    assert (g.hex.id == "A0603") == (face == 6)


def test_9_55_option_2_not_near_mounted_cavalry_without_friends(field):
    for friend in (False, True):
        f = field(14, 5)
        f.unit("horse", "A0903", "E", side=1, kind=1)
        g = f.unit("g", "A0503", "E", kind=2)
        if friend:
            f.unit("foot", "A0602", "E")
        f.play(options={"artillery_near_enemy": "2"})
        f.begin(g)
        assert ("A0603" in reach(f, g)) == friend


# -- through friends ---------------------------------------------------------------------------------------------------


def through(field, faces=(), **mover):
    f = field(9, 1)
    f.unit("there", "A0401", "E", strength=14)
    a = f.unit("a", "A0301", "E", **mover)
    f.play(faces)
    f.begin(a)
    return f, a


def test_8_22_through_a_unit_costs_two_points_and_a_check(field):
    f, a = through(field, [("cohesion", 7)], cohesion=6, movement=6)
    assert not [n for n in f.series.movement.reached if n.hex.id == "A0401" and f.series.movement.may_stop(n)]
    found = reach(f, a)
    assert (found["A0401"], found["A0501"]) == (2, 8)
    assert go(f, a, "A0501")
    assert (a.disordered, a.hex.id, a.spent) == (True, "A0501", 8)


def test_8_22_a_second_disorder_sends_it_back(field):
    f, a = through(field, [("cohesion", 9)], cohesion=6, movement=6, movement_disordered=6, disordered=True)
    assert not go(f, a, "A0501")
    assert (a.hex.id, a.heading, a.finished) == ("A0301", 3, True)
    assert f.stack("A0401") == ["there"]


def test_7_11_8_22_8_25_who_is_sent_back_among_marchers_keeps_his_own_facing(field):
    f = field(9, 1)
    f.unit("there", "A0401", "E", strength=14)
    guns = f.unit("guns", "A0301", "NE", kind=2, orders=MARCH, brigade=f.brigade("2/1/U"))
    a = f.unit("a", "A0301", "E", cohesion=6, movement=6, movement_disordered=6, disordered=True)
    f.play([("cohesion", 9)])
    f.begin(a)
    assert not go(f, a, "A0501")
    assert (a.hex.id, a.heading, guns.heading) == ("A0301", 3, 2)
    assert audit(f.battle) == []


def test_8_22_the_check_adds_the_cost_of_the_hex_from_two_up(field):
    for face, passed in ((4, True), (5, False)):
        f = field(9, 1)
        f.ground("woods", "A0401")
        f.unit("there", "A0401", "E", strength=14)
        a = f.unit("a", "A0301", "E", cohesion=6, movement=8)
        f.play([("cohesion", face)])
        f.begin(a)
        go(f, a, "A0501")
        assert a.disordered != passed


def test_8_22_9_41_what_a_hexside_costs_to_cross_adds_nothing_in_the_clear(field):
    """8.22: no modifier in a clear hex, though it costs two points and more to come into it over a stream."""
    f = field(9, 1)
    f.hexside("stream", "A0301", "A0401")
    f.unit("there", "A0401", "E", strength=14)
    a = f.unit("a", "A0301", "E", cohesion=6, movement=8)
    f.play([("cohesion", 6)])
    f.begin(a)
    assert f.between("A0301", "A0401")[0].plain[0] >= 4
    assert go(f, a, "A0501")
    assert not a.disordered and f.dice.used_up()


def test_8_22_no_check_on_leaving_the_stack_in_which_it_began(field):
    f = field(9, 1)
    f.unit("there", "A0401", "E", strength=4)
    a = f.unit("a", "A0401", "E", strength=4)
    f.play()
    f.begin(a)
    assert reach(f, a)["A0501"] == 2
    assert go(f, a, "A0501")


def test_8_22_artillery_exception(field):
    f = field(9, 1)
    for _ in range(2):
        f.unit("guns", "A0401", "E", kind=2)
    a = f.unit("a", "A0301", "E")
    f.play()
    f.begin(a)
    assert reach(f, a)["A0501"] == 4
    assert go(f, a, "A0501")
    assert not f.asked[0]
    other = field(9, 1)
    other.unit("foot", "A0401", "E", strength=14)
    g = other.unit("g", "A0301", "E", kind=2)
    other.play()
    other.begin(g)
    assert reach(other, g) == {"A0401": 2, "A0201": 4, "A0101": 6, "A0301": 8}


def test_8_22_road_exception(field):
    for kind, cost in (("pike", 4), ("trail", 8)):
        f = field(9, 1)
        f.road(kind, "A0301", "A0401", "A0501")
        f.unit("there", "A0401", "E", strength=14)
        a = f.unit("a", "A0301", "E", strength=5)
        f.play()
        f.begin(a)
        assert reach(f, a)["A0501"] == cost


def test_8_22_road_exception_around_units_on_the_march(field):
    f = field(9, 1, terrain="woods")
    f.road("pike", "A0301", "A0401", "A0501")
    f.unit("there", "A0401", "N", strength=7, orders=MARCH)
    a = f.unit("a", "A0301", "E", strength=5)
    f.play()
    f.begin(a)
    assert reach(f, a)["A0501"] == 6  # two points for the woods, one for the pike


def test_9_43_the_ground_is_paid_for_at_the_end_of_a_road_in_company(field):
    f = field(9, 1, terrain="woods")
    f.road("pike", "A0301", "A0401")
    f.unit("there", "A0401", "E", strength=6)
    a = f.unit("a", "A0301", "E", strength=5)
    f.play()
    f.begin(a)
    assert reach(f, a)["A0401"] == 2
    assert go(f, a, "A0401")
    assert a.spent == 4


def test_7_11_it_takes_the_facing_of_those_in_the_hex(field):
    f = field(9, 3)
    f.unit("there", "A0402", "W", strength=4)
    a = f.unit("a", "A0302", "E", strength=4)
    f.play()
    f.begin(a)
    assert go(f, a, "A0402")
    assert (a.heading, a.spent) == (9, 4)
    assert f.stack("A0402") == ["a", "there"]  # it came in through their front


# -- terrain disorder --------------------------------------------------------------------------------------------------


def test_9_47_guns_check_at_a_stream_and_12_35_stop_if_disordered(field):
    for disordered in (False, True):
        f = field(9, 1)
        f.hexside("stream", "A0301", "A0401")
        g = f.unit("g", "A0301", "E", kind=2, cohesion=6, disordered=disordered, movement_disordered=6)
        f.play([("cohesion", 9)])
        f.begin(g)
        assert go(f, g, "A0501") != disordered
        assert g.disordered
        assert (g.hex.id == "A0401") == disordered
        assert not g.finished


def test_9_47_no_check_along_a_road(field):
    f = field(9, 1)
    f.hexside("stream", "A0301", "A0401")
    f.road("road", "A0301", "A0401")
    g = f.unit("g", "A0301", "E", kind=2)
    f.play()
    f.begin(g)
    assert go(f, g, "A0401")


def test_9_47_certain_disorder_shortens_the_path(field):
    f = field(12, 1)
    f.level(1, *[f"A{column:02d}01" for column in range(4, 13)])
    f.hexside("steep_slope", "A0301", "A0401")
    g = f.unit("g", "A0301", "E", kind=2, movement=9, movement_disordered=6)
    f.play()
    f.begin(g)
    found = reach(f, g)
    assert found["A0401"] == 10
    assert found["A0501"] == 12
    assert "A0601" not in found
    assert go(f, g, "A0501")
    assert g.disordered


# -- fire on the way ---------------------------------------------------------------------------------------------------


def test_10_44_withdrawal_fire_comes_before_the_unit_leaves(field):
    f = field(9, 7)
    f.unit("enemy", "A0604", "W", side=1, strength=7)
    a = f.unit("a", "A0503", "E", strength=10, orders=ATTACK, movement=8)
    f.play([("fire", 0)])
    f.begin(a)
    go(f, a, "A0402")
    kinds = [event.kind for event in f.events("fire", "move")]
    assert kinds[:2] == ["fire", "move"]
    assert f.dice.used_up()


def test_10_44_a_unit_disordered_by_withdrawal_fire_no_longer_goes_next_to_the_enemy(field):
    f = field(9, 7)
    f.unit("enemy", "A0604", "W", side=1, strength=7)
    a = f.unit("a", "A0503", "E", strength=10, orders=ATTACK, cohesion=0, movement=8)
    f.play([("fire", 9)] + [9] * 8)
    f.begin(a)
    f.series.movement.search(a)
    node = next(n for n in f.series.movement.reached if n.hex.id == "A0603" and n.via.by < 0 and n.heading == 1)
    assert not f.series.movement.move(a, node, node.heading)
    assert a.disordered
    assert (a.hex.id, a.spent) == ("A0503", 0)
    assert f.series.movement.may_move(a)


def test_10_44_those_left_behind_are_fired_at_after_the_move(field):
    f = field(9, 7)
    f.unit("enemy", "A0604", "W", side=1, strength=7)
    a = f.unit("a", "A0503", "E", strength=6, orders=ATTACK, movement=8)
    f.unit("mate", "A0503", "E", strength=6, orders=ATTACK, movement=8)
    f.play([("fire", 0)])
    f.begin(a)
    assert go(f, a, "A0402")
    events = f.events("fire", "move")
    assert [event.kind for event in events][-1] == "fire"
    assert events[-1].target_hex == "A0503"


def test_10_45_approach_fire_comes_when_the_unit_has_entered(field):
    f = field(9, 1)
    f.unit("guns", "A0701", "W", side=1, kind=2, strength=4)
    a = f.unit("a", "A0301", "E", strength=10)
    f.play([("fire", 0)])
    f.begin(a)
    go(f, a, "A0501")
    events = f.events("fire", "move")
    assert [event.kind for event in events] == ["move", "fire", "move"]
    assert events[1].target_hex == "A0401"


def test_10_45_12_35_guns_fire_at_a_unit_that_terrain_stops_in_the_hex_it_has_entered(field):
    """10.45, 12.35c: a second disorder by terrain ends the move, but the hex has been entered."""
    f = field(9, 1)
    f.hexside("stream", "A0301", "A0401")
    f.unit("guns", "A0701", "W", side=1, kind=2, strength=4)
    g = f.unit("g", "A0301", "E", kind=2, disordered=True, movement_disordered=6)
    f.play([("cohesion", 9), ("fire", 0), ("cohesion", 0)], options={"artillery_near_enemy": "2"})
    f.begin(g)
    f.series.movement.search(g)
    f.series.movement.move(g, next(n for n in f.series.movement.reached if n.hex.id == "A0401"), 3)
    assert [event.target_hex for event in f.events("fire")] == ["A0401"]


# -- exceptions --------------------------------------------------------------------------------------------------------


def test_9_42_one_hex_may_always_be_entered(field):
    f = field(7, 7, terrain="cedars")  # 3 MPs on foot
    a = f.unit("a", "A0404", "E", movement=4, orders=ATTACK)
    slow = f.unit("slow", "A0202", "E", movement=2)
    f.play()
    f.begin(a)
    assert reach(f, a) == {}
    sides = f.series.movement.exceptions(a)
    assert len(sides) == 6
    assert f.series.movement.step_and_turn(a, sides[3], 1)
    assert (a.hex.id, a.heading, a.by_exception) == ("A0405", 1, False)
    assert not f.series.movement.may_move(a)
    assert f.series.movement.exceptions(slow) == []


def test_9_42_next_to_the_enemy_only_under_attack_orders_and_without_fire_or_shock(field):
    f = field(7, 7, terrain="cedars")
    f.unit("enemy", "A0604", "W", side=1)
    a = f.unit("a", "A0404", "E", movement=4, orders=ATTACK)
    b = f.unit("b", "A0405", "E", movement=4, orders=ATTACK, disordered=True)
    f.play()
    f.begin(a)
    side = f.between("A0404", "A0503")[0]
    assert side in f.series.movement.exceptions(a)
    assert f.between("A0405", "A0504")[0] not in f.series.movement.exceptions(b)
    assert f.series.movement.step(a, side)
    assert a.by_exception


# -- withdrawal --------------------------------------------------------------------------------------------------------


def withdrawal(field, faces, disordered):
    f = field(7, 7, terrain="woods")
    a = f.unit("a", "A0504", "E", cohesion=6, cohesion_disordered=6, movement=6, movement_disordered=6)
    f.play(faces)
    f.begin(a)
    a.disordered = disordered
    first = f.hex("A0404")
    second = f.hex("A0303")
    assert [first, second] in f.series.movement.withdrawals(a)
    done = f.series.movement.withdraw(a, [first, second])
    assert a.heading == 3
    assert f.dice.used_up()
    return a, done


@pytest.mark.parametrize(("faces", "disordered", "place", "ends_disordered"), [
    ([6], True, "A0404", True),  # 6 + 1 fails in the first hex: it may not enter the second
    ([6, 6], False, "A0404", True),  # disordered in the first, fails in the second, and goes back
    ([5, 5], False, "A0303", False),  # passes both
    ([6, 5], False, "A0303", True),
])
def test_9_54_example(field, faces, disordered, place, ends_disordered):
    """dead-of-winter:1057, printed also under 9.47 as dead-of-winter:1030."""
    a, done = withdrawal(field, faces, disordered)
    assert (a.hex.id, a.disordered) == (place, ends_disordered)
    assert done == (place == "A0303")
    assert a.withdrew


def test_9_54_10_45_guns_fire_at_a_withdrawal_that_fails_in_its_first_hex(field):
    """10.45: the unit has entered that hex all the same."""
    f = field(9, 7)
    f.ground("woods", "A0404")
    f.unit("guns", "A0103", "E", side=1, kind=2, strength=4)
    a = f.unit("a", "A0504", "E", cohesion=6, cohesion_disordered=6, disordered=True)
    f.play([("cohesion", 9), ("fire", 0)])
    f.begin(a)
    assert not f.series.movement.withdraw(a, [f.hex("A0404"), f.hex("A0303")])
    assert a.hex.id == "A0404"
    assert [event.target_hex for event in f.events("fire")] == ["A0404"]


def test_9_54_not_after_fire_nor_through_others(field):
    f = field(7, 7)
    a = f.unit("a", "A0504", "E")
    f.unit("foot", "A0405", "E", strength=14)
    f.unit("guns", "A0404", "E", kind=2)
    f.unit("more", "A0404", "E", kind=2)
    f.play()
    f.begin(a)
    ways = f.series.movement.withdrawals(a)
    assert all(way[0].id == "A0404" for way in ways)
    assert any(len(way) == 2 for way in ways)
    a.fired = True
    assert f.series.movement.withdrawals(a) == []


# -- leaders -----------------------------------------------------------------------------------------------------------


def test_9_31_leaders_ride_ten_points_once(field):
    """9.31, 4.16."""
    f = field(25, 3)
    a = f.unit("a", "A0102")
    leader = f.leader("L", "A0102")
    f.play()
    f.begin(a)
    hexes = {place.id for place in f.series.movement.leader_search(leader)}
    assert "A1102" in hexes
    assert "A1202" not in hexes
    f.series.movement.move_leader(leader, f.hex("A1102"))
    assert leader.hex.id == "A1102"
    assert f.series.movement.leader_search(leader) == []


def test_9_31_9_54_a_leader_withdraws_with_his_unit(field):
    """9.31: he moves with it however it moves, at his own price; 12.73 would else part them next to the enemy."""
    f = field(7, 7)
    a = f.unit("a", "A0404", "E")
    f.unit("enemy", "A0503", "NE", side=1)
    leader = f.leader("L", "A0404")
    stranger = f.leader("S", "A0404", command=f.brigade("2/1/U"))
    f.play()
    f.begin(a)
    with pytest.raises(CommanderError):
        f.series.movement.withdraw(a, [f.hex("A0304"), f.hex("A0204")], [stranger])
    assert f.series.movement.withdraw(a, [f.hex("A0304"), f.hex("A0204")], [leader])
    assert (a.hex.id, leader.hex.id, leader.spent) == ("A0204", "A0204", 4)
    assert not f.series.movement.may_take(leader, a)


def test_9_31_9_54_a_leader_goes_back_with_a_withdrawal_that_fails(field):
    f = field(7, 7)
    f.ground("woods", "A0304", "A0204")
    a = f.unit("a", "A0404", "E", cohesion=6, cohesion_disordered=6, disordered=True)
    leader = f.leader("L", "A0404")
    f.play([("cohesion", 0), ("cohesion", 9)])
    f.begin(a)
    assert not f.series.movement.withdraw(a, [f.hex("A0304"), f.hex("A0204")], [leader])
    assert (a.hex.id, leader.hex.id) == ("A0304", "A0304")


def test_9_31_9_42_a_leader_goes_one_hex_by_exception_with_his_unit(field):
    f = field(7, 7, terrain="cedars")
    a = f.unit("a", "A0404", "E", movement=4, orders=ATTACK)
    leader = f.leader("L", "A0404")
    f.play()
    f.begin(a)
    side = f.between("A0404", "A0405")[0]
    assert f.series.movement.step_and_turn(a, side, 1, [leader])
    assert (a.hex.id, leader.hex.id) == ("A0405", "A0405")
    assert leader.spent == side.leader_cost and leader.ended


def test_9_31_12_71_a_leader_who_falls_on_the_way_rides_no_farther(field):
    """12.71: approach fire costs his unit a step and him his life; the unit goes on without him."""
    f = field(9, 6)
    unit = f.unit("u", "A0203", "E", strength=12)
    f.unit("guns", "A0703", "W", side=1, kind=ARTILLERY, strength=6)
    leader = f.leader("L", "A0203")
    f.play([("fire", 9), ("leader", 0), ("leader", 9)] + [("cohesion", 0)] * 3)
    f.begin(unit)
    movement = f.series.movement
    movement.search(unit)
    node = next(node for node in movement.reached if node.hex.id == "A0503")
    assert movement.move(unit, node, node.heading, [leader])
    assert unit.hex.id == "A0503" and leader.casualty
    assert leader.hex is f.map.off and audit(f.battle) == []


def test_9_31_roads_at_the_best_rate(field):
    f = field(25, 3)
    f.road("pike", *[f"A{column:02d}02" for column in range(1, 25)])
    a = f.unit("a", "A0102")
    leader = f.leader("L", "A0102")
    f.play()
    f.begin(a)
    assert f.hex("A2102") in f.series.movement.leader_search(leader)
    assert f.series.movement.range_cost(f.hex("A0102"), f.hex("A1102"), 0, 20) == 10


def rough(field):
    """A field of woods, a pike and a stream, with an enemy in it."""
    f = field(14, 9)
    f.road("pike", *[f"A{column:02d}04" for column in range(1, 15)])
    f.ground("woods", *[f"A{column:02d}{row:02d}" for column in range(3, 12) for row in (2, 3, 6)])
    f.hexside("stream", "A0505", "A0605")
    f.unit("enemy", "A0903", side=1)
    f.unit("beside him", "A0803")
    return f


@pytest.mark.parametrize("limit", [10, 16, 24, 60])
def test_4_15_the_way_back_reaches_where_the_way_does(field, limit):
    """Searched from the subordinate's hex, those superiors' hexes are in range from which it is."""
    f = rough(field)
    f.play()
    movement = f.series.movement
    for goal in ("A1304", "A0602", "A0803", "A1004"):
        back = movement.flood_back(f.hex(goal), 0, limit, f.battle.map.hexes)
        reached = {place.id for place in f.battle.map.hexes if place.stamp == back}
        for place in f.battle.map.hexes:
            assert (movement.range_cost(place, f.hex(goal), 0, limit) <= limit) == (place.id in reached)


@pytest.mark.parametrize("limit", [10, 16, 24, 60])
def test_4_15_the_way_to_one_hex_costs_what_a_search_over_the_map_says(field, limit):
    f = rough(field)
    f.play()
    movement = f.series.movement
    for origin in ("A0104", "A0602", "A1305", "A0903"):
        stamp = movement.flood(f.hex(origin), 0, limit)
        costs = {place.id: place.cost for place in f.battle.map.hexes if place.stamp == stamp}
        for place in f.battle.map.hexes:
            assert movement.range_cost(f.hex(origin), place, 0, limit) == costs.get(place.id, PROHIBITED)


@pytest.mark.parametrize("limit", [10, 16, 24, 60])
def test_4_15_a_command_range_reaches_those_of_some_hexes_that_a_search_over_the_map_does(field, limit):
    f = rough(field)
    f.play()
    movement = f.series.movement
    some = [f.hex(name) for name in ("A0104", "A0504", "A0802", "A1304", "A1009", "A0903", "A0803")]
    stamp = movement.flood(f.hex("A0304"), 0, limit)
    reached = [place.stamp == stamp for place in some]
    for most in range(1, len(some) + 1):
        stamp = movement.flood(f.hex("A0304"), 0, limit, some[:most], False)
        assert [place.stamp == stamp for place in some[:most]] == reached[:most]


def test_4_15_a_search_for_some_hexes_knows_what_they_cost(field):
    f = rough(field)
    f.play()
    movement = f.series.movement
    stamp = movement.flood(f.hex("A0104"), 0, 20)
    costs = {place.id: place.cost for place in f.battle.map.hexes if place.stamp == stamp}
    goals = [f.hex("A0504"), f.hex("A0802"), f.hex("A1304")]
    stamp = movement.flood(f.hex("A0104"), 0, 20, goals)
    assert {goal.id: goal.cost for goal in goals if goal.stamp == stamp} == {
        goal.id: costs[goal.id] for goal in goals if goal.id in costs
    }


@pytest.mark.parametrize("orders", [ADVANCE, ATTACK, MARCH])
def test_9_13_no_unit_goes_farther_than_its_reach(field, orders):
    f = rough(field)
    unit = f.unit("22 IN", "A0104", "E", orders=orders)
    f.play()
    f.begin(unit)
    movement = f.series.movement
    assert movement.search(unit) > 0
    assert max(node.hex.distance_to(unit.hex) for node in movement.reached) <= movement.reach(unit)


def test_a_search_goes_only_where_the_commander_cares_to_look(field):
    """No way leads through what he does not care for; what he cares for is found as before, if need be by a detour."""
    f = rough(field)
    unit = f.unit("22 IN", "A0104", "E", orders=MARCH)

    class Westward(Outlook):
        def passes(self, place):
            return place.column <= 4

    f.play()
    f.begin(unit)
    movement = f.series.movement
    movement.search(unit)
    everywhere = {node.hex.id: node.cost for node in reversed(movement.reached)}
    movement.search(unit, False, Westward())
    seen = {node.hex.id: node.cost for node in reversed(movement.reached)}
    assert set(seen) == {name for name in everywhere if f.hex(name).column <= 4}
    assert all(seen[name] >= everywhere[name] for name in seen)
    movement.search(unit)
    assert {node.hex.id: node.cost for node in reversed(movement.reached)} == everywhere


def test_9_33_4_15_not_next_to_the_enemy_unless_with_friends(field):
    f = field(9, 5)
    a = f.unit("a", "A0502")
    f.unit("enemy", "A0603", side=1)
    leader = f.leader("L", "A0302")
    f.play()
    f.begin(a)
    hexes = {place.id for place in f.series.movement.leader_search(leader)}
    assert "A0502" in hexes
    assert "A0503" not in hexes
    assert "A0603" not in hexes


def test_9_32_commanders_move_only_between_activations_and_pay_for_long_rides(field):
    """9.32, 4.17."""
    f = field(25, 3)
    a = f.unit("a", "A0102")
    corps = f.leader("C", "A0102", command=f.battle.corps[0])
    f.play()
    f.begin(a)
    assert f.series.movement.leader_search(corps) == []
    f.battle.phase = PHASE_COMMANDERS
    f.series.movement.move_leader(corps, f.hex("A2402"))
    assert corps.far_moved


def test_9_31_a_leader_goes_along_with_a_unit(field):
    f = field(9, 3)
    a = f.unit("a", "A0202", "E")
    leader = f.leader("L", "A0202")
    other = f.leader("O", "A0202", command=f.brigade("2/1/U"))
    f.play()
    f.begin(a)
    assert go(f, a, "A0502", leaders=[leader])
    assert (leader.hex.id, leader.moved, leader.spent) == ("A0502", True, 6)
    assert other.hex.id == "A0202"
    with pytest.raises(CommanderError):
        f.series.movement.move(a, f.series.movement.reached[0], 3, [other])


def test_12_73_a_leader_alone_is_moved_out_of_the_way(field):
    f = field(9, 3)
    a = f.unit("a", "A0302", "E", orders=ATTACK)
    f.unit("enemy", "A0802", "W", side=1)
    leader = f.leader("L", "A0602", command=f.battle.brigades[1])
    f.play()
    f.begin(a)
    assert go(f, a, "A0502")
    assert (leader.hex.id, leader.joined) == ("A0802", True)
    assert a.hex.id == "A0502"


def test_9_11_4_16_4_17_allowances_are_printed_for_units_and_fixed_for_leaders(field):
    f = field(5, 5)
    a = f.unit("a", "A0202", movement=5)
    levels = (f.battle.brigades[0], f.battle.divisions[0], f.battle.corps[0], f.battle.armies[0])
    leaders = [f.leader(f"L{n}", "A0202", command=command) for n, command in enumerate(levels)]
    f.play()
    assert f.series.movement.allowance(a) == 10
    assert [f.series.movement.leader_allowance(leader) for leader in leaders] == [20, 20, 80, 80]


def test_9_31_a_ride_is_not_broken_up_among_several_units(field):
    f = field(9, 5)
    a = f.unit("a", "A0203", "E")
    b = f.unit("b", "A0503", "E")
    leader = f.leader("L", "A0202")
    f.play()
    f.begin(a)
    may_take = f.series.movement.may_take
    assert not may_take(leader, a)  # not in its hex
    f.series.movement.move_leader(leader, a.hex)
    assert may_take(leader, a)  # 9.31: he has joined it, and goes on with it
    assert go(f, a, "A0402", leaders=[leader])
    f.battle.stand_leader(leader, b.hex)
    assert not may_take(leader, b)


def test_9_31_13_43_a_leader_who_has_helped_a_rally_goes_no_farther(field):
    f = field(9, 5)
    a = f.unit("a", "A0203", "E", disordered=True)
    b = f.unit("b", "A0203", "E")
    leader = f.leader("L", "A0203")
    f.play([("rally", 0)])
    f.begin(a)
    assert f.series.movement.may_take(leader, b)
    f.series.effectiveness.rally(a)
    assert not f.series.movement.may_take(leader, b)
    assert not f.series.movement.leader_may_move(leader)


def test_9_33_a_leader_goes_next_to_the_enemy_with_a_unit_of_his_command_only(field):
    f = field(9, 5)
    a = f.unit("a", "A0402", "E", orders=ATTACK)
    other = f.unit("o", "A0404", "E", orders=ATTACK, brigade=f.brigade("2/1/U"))
    f.unit("enemy", "A0603", "E", side=1)
    leader = f.leader("L", "A0402")
    stranger = f.leader("S", "A0404")
    f.play()
    f.begin(a, other)
    assert not f.series.movement.may_take(stranger, other)
    assert go(f, a, "A0502", leaders=[leader])
    assert leader.hex.id == "A0502"


# -- moves in several parts --------------------------------------------------------------------------------------------


def test_8_23_a_move_into_a_stack_ends_there(field):
    """8.22, 8.23: to go on would be to move through, without its price."""
    f = field(9, 1)
    f.unit("there", "A0401", "E", strength=4)
    a = f.unit("a", "A0301", "E", strength=4)
    g = f.unit("g", "A0601", "E", strength=4)
    f.play()
    f.begin(a)
    assert go(f, a, "A0401")
    assert not f.series.movement.may_move(a)
    assert f.series.movement.allowance(a) > 0
    assert go(f, g, "A0701")
    assert f.series.movement.may_move(g)  # it stands alone, and may go on


def test_9_55_option_1_counts_from_where_the_activation_began(field):
    """Guns that come closer out of sight are bound by where they began when they move on."""
    f = field(14, 5)
    f.unit("enemy", "A0903", "W", side=1)
    g = f.unit("g", "A0503", "E", kind=2, movement=12)
    f.ground("woods", "A0702", "A0602")
    f.play()
    f.begin(g)
    hidden = [
        place for place in f.map.hexes
        if place.distance_to(f.hex("A0903")) == 3 and not f.series.sight.clear(f.hex("A0903"), place)
    ]
    assert hidden
    assert go(f, g, hidden[0].id)
    for ident in reach(f, g):
        place = f.hex(ident)
        away = place.distance_to(f.hex("A0903"))
        assert away > 3 or not f.series.sight.clear(f.hex("A0903"), place)


def test_7_22_turns_in_one_woods_hex_are_paid_one_by_one_under_attack_orders(field):
    f = field(5, 5, terrain="woods")
    a = f.unit("a", "A0303", "E", orders=ATTACK, movement=12)
    f.play()
    f.begin(a)
    f.series.facing.turn(a, 5)
    assert a.spent == 2
    assert f.series.facing.price(a, 9) == 4
    assert f.series.facing.price(a, 11) == 2  # about-face


# -- water -------------------------------------------------------------------------------------------------------------


def water(f, kind, crossing, first, second):
    made, over = f.charts.hexside(kind), f.charts.hexside(crossing)
    for side in f.between(first, second):
        side.features = [over]
        side.water = [made]
        side.bridge = crossing == "bridge"
        side.ford = "" if side.bridge else "A"


def test_9_44_whoever_may_not_use_a_bridge_wades_a_stream_under_it_but_no_river(field):
    f = field(7, 5)
    water(f, "stream", "bridge", "A0203", "A0303")
    water(f, "river", "bridge", "A0204", "A0304")
    a = f.unit("a", "A0202", orders=ATTACK)
    big = f.unit("big", "A0201", strength=9)
    small = f.unit("small", "A0101", strength=3)
    f.play()
    stream = f.charts.hexside("stream").cost(0)
    for unit in (a, big):
        assert price(f, unit, "A0203", "A0303") == 2 + stream
        assert price(f, unit, "A0204", "A0304") == PROHIBITED
    assert price(f, small, "A0203", "A0303") == price(f, small, "A0204", "A0304") == 2


def test_9_52_whoever_wades_beside_a_bridge_does_not_cross_it_to_come_next_to_the_enemy(field):
    for strength, may in ((3, True), (9, False)):
        f = field(9, 5)
        f.unit("enemy", "A0603", "E", side=1)
        a = f.unit("a", "A0404", "E", strength=strength)
        water(f, "stream", "bridge", "A0404", "A0503")
        f.play()
        f.begin(a)
        assert ("A0503" in reach(f, a)) == may


def test_9_43_nobody_ends_over_a_bridge_in_a_crowd_if_the_water_bars_him(field):
    """8.13, 9.43: a stack beyond the limits of March Orders pays for hexside and ground, not for bridge or road."""
    for kind, spent in (("river", 0), ("stream", 4)):
        f = field(7, 5)
        water(f, kind, "bridge", "A0203", "A0303")
        f.unit("there", "A0303", "E", strength=6)
        a = f.unit("a", "A0203", "E", strength=5)
        f.play()
        f.begin(a)
        f.series.movement.search(a)
        ends = [
            node for node in f.series.movement.reached
            if node.hex.id == "A0303" and node.via.by < 0 and f.series.movement.may_stop(node)
        ]
        assert bool(ends) == (spent > 0)
        if ends:
            assert f.series.movement.stop_price(a, ends[0]) == spent
            assert f.series.movement.move(a, ends[0], ends[0].heading)
            assert a.spent == spent


def test_9_47_a_dearer_way_that_spares_certain_disorder_is_found_too(field):
    """9.47, 12.33: the cheapest way up disorders guns, which then have too little left to go on."""
    f = field(12, 2)
    f.level(1, *[f"A{column:02d}{row:02d}" for column in range(4, 13) for row in (1, 2)])
    f.hexside("steep_slope", "A0301", "A0401")
    f.ground("woods", "A0402", "A0302")
    f.hexside("breastworks", "A0301", "A0402")
    g = f.unit("g", "A0301", "E", kind=2, movement=9, movement_disordered=6)
    f.play()
    f.begin(g)
    movement = f.series.movement
    movement.search(g)
    found = {(node.hex.id, node.disorders, node.cost) for node in movement.reached if node.hex.id == "A0501"}
    assert {(1, 12), (0, 14)} <= {(disorders, cost) for _, disorders, cost in found}
    node = next(n for n in movement.reached if n.hex.id == "A0601" and n.disorders == 0 and movement.may_stop(n))
    assert movement.move(g, node, node.heading)
    assert not g.disordered


# -- errors ------------------------------------------------------------------------------------------------------------


def test_moves_that_were_not_offered_are_errors(field):
    f = field(9, 3)
    a = f.unit("a", "A0302", "E")
    b = f.unit("b", "A0301", "E")
    f.play()
    f.begin(a)
    f.series.movement.search(a)
    node = f.series.movement.reached[0]
    with pytest.raises(CommanderError, match=r"Movement\.move"):
        f.series.movement.move(b, node, node.heading)
    with pytest.raises(CommanderError, match="heading"):
        f.series.movement.move(a, node, 4)
    with pytest.raises(CommanderError):
        f.series.movement.withdraw(a, [f.hex("A0401")])
    with pytest.raises(CommanderError):
        f.series.movement.step(a, f.between("A0302", "A0402")[0])


# -- the search against a plain twin -----------------------------------------------------------------------------------


def random_battle(field, seed):
    """A small battle with one unit to move, from a seed."""
    dice = random.Random(seed)
    f = field(6, 6)
    for place in f.map.hexes:
        place.terrain = f.charts.terrain(dice.choice(["clear", "clear", "clear", "woods", "cedars"]))
    for place in f.map.hexes:
        for side in place.sides[:3]:
            if side.on_map and dice.randrange(10) == 0:
                f.hexside(dice.choice(["stream", "river", "bridge"]), place.id, side.to.id)
    for _ in range(dice.randrange(4)):
        idents = [dice.choice(f.map.hexes).id]
        for _ in range(5):
            nexts = [side.to.id for side in f.hex(idents[-1]).sides if side.on_map and side.to.id not in idents]
            if nexts:
                idents.append(dice.choice(nexts))
        f.road(dice.choice(["pike", "road"]), *idents)
    orders = dice.choice([MARCH, ADVANCE, ATTACK])
    places = [place.id for place in f.map.hexes]
    dice.shuffle(places)
    facing = HEADING_NAMES[dice.randrange(6) * 2 + (0 if orders == MARCH else 1)]
    unit = f.unit(
        "u", places[0], facing, kind=dice.choice([0, 0, 1, 2]), orders=orders, strength=dice.randint(1, 9),
        movement=dice.randint(1, 8), disordered=dice.random() < 0.3,
    )
    if orders == MARCH:  # who is stronger marches in column (8.5)
        unit.strength = min(unit.strength, 4)
    for number in range(dice.randrange(6)):
        f.unit(
            f"f{number}", places[1 + number], facing, kind=dice.choice([0, 2]), strength=dice.randint(1, 14),
            orders=dice.choice([MARCH, ADVANCE]),
        )
    for number in range(dice.randrange(3)):
        f.unit(f"e{number}", places[10 + number], side=1, kind=dice.choice([0, 2]))
    f.play([dice.randrange(10) for _ in range(100)])
    f.begin(unit)
    return f, unit


def twin(f, unit):
    """All (hex, heading, entered by road) with their least cost, by repeated relaxation over plain dictionaries."""
    movement = f.series.movement
    movement.prepare(unit)
    limit = movement.allowance(unit)
    start = (unit.hex.id, unit.heading, None)
    best = {start: 0}
    if not movement.may_move(unit):
        return {}
    queue = [start]
    while queue:
        state = queue.pop(0)
        ident, heading, entry = state
        place = f.hex(ident)
        near = f.battle.enemy_near(place, unit.side)
        if entry is not None and near:
            continue
        for side in place.sides:
            cost = movement.price(unit, side)
            by_road = side.by_road
            if cost >= PROHIBITED:
                continue
            for turn in range(6):
                new = (heading + 2 * turn) % 12
                if side not in place.nodes[new].ahead:
                    continue
                steps = min(turn, 6 - turn)
                if entry is None and near and steps > 1:
                    continue
                total = best[state] + cost
                if not by_road:
                    if unit.orders == ATTACK and place.terrain.is_wood:
                        total += (0, 2, 4, 2)[steps]
                    else:
                        total += (0, 0, 2, 2)[steps]
                if entry is not None:
                    total += passing(f, unit, entry, side, by_road)
                reached = (side.to.id, new, (side.origin.id, by_road))
                if total <= limit and total < best.get(reached, PROHIBITED):
                    best[reached] = total
                    queue.append(reached)
    costs = {}
    for (ident, heading, entry), cost in best.items():
        if entry is not None and (ident, heading) != (unit.hex.id, unit.heading):
            key = (ident, heading)
            costs[key] = min(costs.get(key, PROHIBITED), cost)
    return costs


def passing(f, unit, entry, side, by_road):
    others = [other for other in f.battle.units_in(side.origin) if other is not unit]
    if not others or (unit.kind != 2 and all(other.kind == 2 for other in others)):
        return 0
    if entry[1] and by_road:
        if any(other.orders == MARCH for other in others):
            way_in = f.between(entry[0], side.origin.id)[0]
            mover = f.series.movement.mover(unit)
            return way_in.costs[mover] - (way_in.march if unit.orders == MARCH else way_in.advance)[mover]
        return 0
    if unit.kind == 2 and any(other.kind != 2 for other in others):
        return PROHIBITED
    return 4


@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_the_search_agrees_with_a_plain_twin(field, seed):
    f, unit = random_battle(field, seed)
    expected = twin(f, unit)
    movement = f.series.movement
    movement.search(unit)
    found = {}
    for node in movement.reached:
        key = (node.hex.id, node.heading)
        found[key] = min(found.get(key, PROHIBITED), node.cost)
        assert node.cost <= movement.allowance(unit)
        assert [side.to for side in movement.path(node)][-1] is node.hex
    assert found == expected


@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_any_move_keeps_to_the_rules(field, seed):
    f, unit = random_battle(field, seed)
    movement = f.series.movement
    allowance = movement.allowance(unit)
    movement.search(unit)
    nodes = [node for node in movement.reached if movement.may_stop(node)]
    if nodes:
        node = nodes[seed % len(nodes)]
        price = movement.stop_price(unit, node)
        done = movement.move(unit, node, node.heading)
        assert unit.spent <= allowance
        if not unit.counts():
            return  # fire on its way has destroyed it
        if done:
            assert unit.spent == price
            assert unit.hex is node.hex
        assert f.series.stacking.may_end(unit, unit.hex)
        for mate in f.battle.units_in(unit.hex):
            assert mate.heading == unit.heading
        assert f.battle.held_by(unit.hex) == 0
        near = f.battle.enemy_near(unit.hex, 0)
        assert not done or unit.came_adjacent == near


def test_9_41_a_sheer_slope_bars_the_way_down_as_the_way_up(field):
    """9.41, 10.81: it covers only against fire from below, but nobody climbs down it either."""
    f = field(4, 4)
    f.level(3, "A0202")
    f.hexside("sheer_slope", "A0202", "A0302")
    f.play()
    for side in f.between("A0202", "A0302"):
        assert not side.passable(0)
        assert side.costs[0] >= PROHIBITED
    down, up = f.between("A0202", "A0302")
    assert (down.fire_drm, up.fire_drm) == (0, -1)
