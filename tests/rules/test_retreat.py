"""Chapter 12.4, 12.6 and 12.73: ways of retreat, what they cost, advances, and leaders left alone."""

import pytest

from simkit.model.charts import CAUSE_RETREAT_THROUGH
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    BY_OTHER,
    BY_SHOCK,
    CAVALRY,
    ELIMINATED,
    MARCH,
    ON_MAP,
    ROUTED,
)
from simkit.rules.commander import CommanderError

# A0404 is an even column: its neighbours are A0403 N, A0503 NE, A0504 SE, A0405 S, A0304 SW, A0303 NW.


def ends(f, units, least, most, *causes):
    ways = f.series.retreat.ways(units, least, most, [f.hex(place) for place in causes])
    return sorted(way.end().id for way in ways)


def take(f, end):
    """An answer to `Commander.retreat`: the way that ends there."""
    return lambda series, unit, ways: next(at for at, way in enumerate(ways) if way.end().id == end)


def test_one_hex_away_from_the_enemy_12_44(field):
    """12.44: no hex beside the cause, farther from the closest enemy and beside no other."""
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.play()
    assert ends(f, [a], 1, 1, "A0504") == ["A0303", "A0304", "A0403"]


def test_not_into_an_enemy_front_12_44(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.unit("F", "A0205", "NNE", side=1)  # its front are A0204 and A0304
    f.play()
    assert ends(f, [a], 1, 1, "A0504") == ["A0303", "A0403"]


def test_not_into_an_enemy_front_even_where_nothing_else_is_left_12_44(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.unit("F", "A0204", "E", side=1)  # its front are A0303 and A0304
    g = f.unit("G", "A0402", "SSE", side=1)  # its front are A0403 and A0503
    f.play()
    assert ends(f, [a], 1, 1, "A0504") == []
    g.heading = (g.heading + 6) % 12
    assert ends(f, [a], 1, 1, "A0504") == ["A0403"]


def test_two_hexes_if_only_those_end_beside_no_enemy_12_44(field):
    """12.44: of one or two hexes two must be taken where one would end beside another enemy."""
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.unit("F", "A0204", "W", side=1)  # beside A0303 and A0304, but not facing them
    f.unit("G", "A0402", "NNE", side=1)  # beside A0403
    f.play()
    assert all(len(way.hexes) == 2 for way in f.series.retreat.ways([a], 1, 2, [f.hex("A0504")]))
    assert ends(f, [a], 1, 1, "A0504") == ["A0303", "A0304", "A0403"]  # one hex only: as well as it can


def test_as_near_to_the_demand_as_can_be_12_44(field):
    """12.44: where every hex is beside another enemy, at least farther from the closest one."""
    f = field(5, 3)
    a = f.unit("A", "A0301", "E", strength=4)
    f.unit("closest", "A0401", "E", side=1)
    f.unit("west", "A0101", "W", side=1)
    f.unit("south", "A0303", "SSE", side=1)
    f.play()
    assert ends(f, [a], 1, 1) == ["A0201", "A0202", "A0302"]  # not A0402, beside the closest


def test_no_way_off_the_map_and_a_step_for_each_hex_12_44(field):
    """12.44: what it can't retreat it pays for, the top unit of the stack first."""
    f = field(2, 1)
    a = f.unit("A", "A0101", "E", strength=6)
    b = f.unit("B", "A0101", "E", strength=6)
    f.unit("E", "A0201", "W", side=1)
    f.play()
    f.series.retreat.retreat([a, b], 2, 2, [f.hex("A0201")], BY_SHOCK)
    assert (a.strength, b.strength, a.lost_shock) == (4, 6, 2)
    assert a.hex.id == "A0101"


def test_one_of_two_hexes_12_44(field):
    f = field(3, 1)
    a = f.unit("A", "A0201", "E", strength=6)
    f.unit("E", "A0301", "W", side=1)
    f.play()
    f.series.retreat.retreat([a], 2, 2, [f.hex("A0301")], BY_SHOCK)
    assert (a.hex.id, a.strength) == ("A0101", 5)


def test_impassable_hexsides_and_hexes_12_44(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.ground("river", "A0303")
    f.hexside("river", "A0404", "A0304")
    f.play()
    assert "A0303" not in ends(f, [a], 1, 1, "A0504")
    assert "A0304" not in ends(f, [a], 1, 1, "A0504")


def test_guns_only_where_it_is_cheap_12_45(field):
    """12.45: guns may not retreat into a hex of more than 2 MPs but by road, and are abandoned where they can't."""
    f = field(3, 1)
    g = f.unit("Bty", "A0201", "E", kind=ARTILLERY)
    f.unit("E", "A0301", "W", side=1)
    f.ground("woods", "A0101")
    f.play()
    f.series.retreat.retreat([g], 1, 1, [f.hex("A0301")], BY_SHOCK)
    assert (g.abandoned, g.hex.id) == (1, "A0201")

    f = field(3, 1)
    g = f.unit("Bty", "A0201", "E", kind=ARTILLERY)
    f.unit("E", "A0301", "W", side=1)
    f.ground("woods", "A0101")
    f.road("pike", "A0201", "A0101")
    f.play()
    f.series.retreat.retreat([g], 1, 1, [f.hex("A0301")], BY_SHOCK)
    assert (g.abandoned, g.hex.id) == (0, "A0101")


def test_bridges_are_closed_to_attack_orders_12_44(field):
    """12.41, 12.44: under Advance Orders a bridge may be used to retreat, under Attack not."""
    found = {}
    for orders in (ADVANCE, ATTACK):
        f = field(3, 1)
        a = f.unit("A", "A0201", "E", orders=orders)
        f.unit("E", "A0301", "W", side=1)
        f.hexside("bridge", "A0201", "A0101")
        f.play()
        found[orders] = ends(f, [a], 1, 1, "A0301")
    assert found == {ADVANCE: ["A0101"], ATTACK: []}


def test_facing_stays_and_follows_the_friends_it_joins_12_44(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E", strength=4)
    b = f.unit("B", "A0304", "NNE", strength=4)
    f.unit("E", "A0504", "W", side=1)
    f.play()
    f.answers[0]["retreat"] = [take(f, "A0304")]
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0504")], BY_SHOCK)
    assert a.hex is b.hex and a.heading == b.heading
    assert f.stack("A0304") == ["A", "B"] or f.stack("A0304") == ["B", "A"]


def test_a_stack_keeps_its_order_12_44(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E", strength=4)
    b = f.unit("B", "A0404", "E", strength=4)
    f.unit("E", "A0504", "W", side=1)
    f.play()
    f.series.retreat.retreat([a, b], 2, 2, [f.hex("A0504")], BY_SHOCK)
    assert a.hex is b.hex and f.stack(a.hex.id) == ["A", "B"]


def crowd(f, place, **more):
    """A hex too full for another regiment."""
    return f.unit(f"full {place}", place, "E", strength=15, **more)


def test_through_friends_to_the_first_hex_that_has_room_12_46(field):
    """12.46: where friends fill the way it goes on through them, and they check once it has stopped."""
    f = field(4, 1)
    a = f.unit("A", "A0301", "E", cohesion=6)
    b = crowd(f, "A0201", cohesion=6)
    f.unit("E", "A0401", "W", side=1)
    f.play([("cohesion", 9)])
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0401")], BY_SHOCK)
    assert (a.hex.id, b.disordered) == ("A0101", True)
    assert [(event.kind, event.mode) for event in f.events("udd", "retreat")] == [
        ("retreat", "shock"), ("retreat", "shock"), ("udd", "retreat through"),
    ]


def test_one_or_two_hexes_stop_short_of_friends_12_46(field):
    """12.46: it stops after one hex if the second would take it through friends."""
    f = field(4, 1)
    a = f.unit("A", "A0301", "E")
    f.unit("B", "A0201", "E", strength=4)  # room beside it
    f.unit("E", "A0401", "W", side=1)
    f.play()
    assert ends(f, [a], 1, 2, "A0401") == ["A0201"]
    assert ends(f, [a], 2, 2, "A0401") == ["A0101"]


def test_terrain_of_those_passed_through_does_not_count_12_46(field):
    f = field(4, 1)
    a = f.unit("A", "A0301", "E", kind=CAVALRY, cohesion=6)
    crowd(f, "A0201", cohesion=9)
    f.unit("E", "A0401", "W", side=1)
    f.hexside("steep_slope", "A0301", "A0201")
    f.level(2, "A0201", "A0101")
    f.play([("cohesion", 0)])
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0401")], BY_SHOCK)
    assert f.dice.asked == ["cohesion u/full-a0201"] and a.hex.id == "A0101"


def test_no_double_jeopardy_in_a_chain_of_retreats_12_46(field):
    """12.46: A goes through B; B, disordered again, goes back through C: neither A nor B checks for later retreats."""
    f = field(6, 1)
    a = f.unit("A", "A0501", "E", strength=15, cohesion=6)
    b = crowd(f, "A0401", cohesion=9, disordered=True)
    c = crowd(f, "A0301", cohesion=9)
    f.unit("E", "A0601", "W", side=1)
    # B and C check for A; B fails, passes its second check and retreats through C and A's hex or stays
    f.play([("cohesion", 9), ("cohesion", 0), ("cohesion", 0)])
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0601")], BY_SHOCK)
    assert a.hex.id == "A0201"
    assert b.hex.id == "A0101"  # through C and A, of whom none checks again
    assert f.dice.used_up() and not c.disordered
    assert f.dice.asked == ["cohesion u/full-a0401", "cohesion u/full-a0401", "cohesion u/full-a0301"]


def test_retreats_of_another_result_check_again_12_46(field):
    f = field(5, 1)
    a = f.unit("A", "A0301", "E", strength=4)
    b = crowd(f, "A0201", cohesion=9)
    f.unit("E", "A0501", "W", side=1)
    f.play([("cohesion", 0), ("cohesion", 0)])
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0401")], BY_SHOCK)
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0301"), True)
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0401")], BY_SHOCK)
    assert f.dice.used_up() and not b.disordered


def test_the_one_retreated_through_may_rout_12_46(field):
    f = field(4, 1)
    a = f.unit("A", "A0301", "E")
    b = crowd(f, "A0201", disordered=True, cohesion=6)
    f.unit("E", "A0401", "W", side=1)
    f.play([("cohesion", 9), ("cohesion", 9), ("cohesion", 0)])
    f.series.results.begin([])
    f.series.results.retreated_through([b], b.hex)
    f.series.results.end()
    assert b.place == ROUTED
    assert a.hex.id == "A0301"
    assert f.events("second")[0].mode == "retreat through" and CAUSE_RETREAT_THROUGH == 7


def test_a_phasing_unit_that_retreats_is_done_12_47(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.play()
    f.begin(a)
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0504")], BY_SHOCK)
    assert a.finished and a.retreated


@pytest.mark.parametrize(("attacker", "defender", "first"), [(7, 6, True), (6, 7, False), (6, 6, True)])
def test_who_retreats_first_12_48(field, attacker, defender, first):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E", cohesion=attacker)
    d = f.unit("D", "A0504", "W", side=1, cohesion=defender)
    f.play()
    assert f.series.retreat.defenders_first([a], [d]) is first


def test_terrain_halts_a_disordered_unit_12_44(field):
    """12.44: d terrain on the way: failed in good order it disorders, failed in disorder it halts the retreat."""
    for disordered, dice, end in ((False, [9, 0], "A0101"), (False, [9, 9], "A0101"), (True, [9], "A0201")):
        f = field(4, 1)
        a = f.unit("A", "A0301", "E", kind=CAVALRY, cohesion=6, disordered=disordered)
        f.unit("E", "A0401", "W", side=1)
        f.hexside("steep_slope", "A0301", "A0201")
        f.hexside("steep_slope", "A0201", "A0101")
        f.level(2, "A0201")
        f.level(4, "A0101")
        f.play([("cohesion", die) for die in dice])
        f.series.retreat.retreat([a], 2, 2, [f.hex("A0401")], BY_SHOCK)
        assert (a.hex.id, a.disordered, a.strength) == (end, True, 5)
        assert f.dice.used_up()


def test_an_answer_outside_the_offer_12_41(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    f.play()
    f.answers[0]["retreat"] = [9]
    with pytest.raises(CommanderError, match=r"Commander\.retreat: answered 9 .* 0 to 2"):
        f.series.retreat.retreat([a], 1, 1, [f.hex("A0504")], BY_SHOCK)


def test_march_orders_may_use_the_road_12_41(field):
    f = field(3, 1)
    a = f.unit("A", "A0201", "SE", orders=MARCH)
    f.unit("E", "A0301", "W", side=1)
    f.play()
    assert ends(f, [a], 1, 1, "A0301") == ["A0101"]


def test_the_retreat_before_the_tests_of_those_passed_and_losses_by_other_cause_12_44(field):
    f = field(2, 1)
    a = f.unit("A", "A0101", "E", strength=3)
    f.unit("E", "A0201", "W", side=1)
    f.play()
    f.series.retreat.retreat([a], 1, 2, [f.hex("A0201")], BY_OTHER)
    assert (a.strength, a.lost_other, a.place) == (2, 1, ON_MAP)


# -- advance -----------------------------------------------------------------------------------------------------------


def test_advance_12_6(field):
    """12.6: into the empty hex, one vertex of change free; guns never, nor across what can't be crossed."""
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    g = f.unit("Bty", "A0405", "E", kind=ARTILLERY)
    f.hexside("river", "A0404", "A0503")
    f.play()
    retreat = f.series.retreat
    assert not retreat.may_advance(g, f.hex("A0505"))
    assert not retreat.may_advance(a, f.hex("A0503"))
    assert not retreat.may_advance(a, f.hex("A0604"))
    f.answers[0]["heading_after"] = [1]
    heading = a.heading
    assert retreat.advance(a, f.hex("A0504"))
    assert (a.hex.id, a.heading, a.advanced) == ("A0504", (heading + 2) % 12, True)
    with pytest.raises(CommanderError, match="may not advance"):
        retreat.advance(g, f.hex("A0505"))


def test_advance_keeps_to_stacking_limits_12_6(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    crowd(f, "A0504")
    f.play()
    assert not f.series.retreat.may_advance(a, f.hex("A0504"))


def test_terrain_halts_an_advance_12_6(field):
    for disordered, halted in ((False, False), (True, True)):
        f = field(8, 8)
        a = f.unit("A", "A0404", "E", kind=CAVALRY, disordered=disordered)
        f.hexside("steep_slope", "A0404", "A0504")
        f.level(2, "A0504")
        f.play([("cohesion", 9)])
        assert f.series.retreat.advance(a, f.hex("A0504")) is not halted
        assert (a.hex.id, a.disordered) == ("A0504", True)


def test_advance_into_abandoned_guns_brings_their_crew_back_12_81(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    g = f.unit("Bty", "A0504", "E", kind=ARTILLERY)
    f.play()
    f.series.results.abandon(g, "fire")
    f.series.retreat.advance(a, f.hex("A0504"))
    assert g.crew_back


# -- leaders alone -----------------------------------------------------------------------------------------------------


def test_a_leader_left_alone_joins_the_nearest_unit_12_73(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "E", strength=1)
    near = f.unit("near", "A0204", "E")
    f.unit("far", "A0108", "E")
    f.unit("E", "A0504", "W", side=1)
    leader = f.leader("Brigadier", "A0404")
    f.play()
    f.series.results.lose(a, 1, BY_OTHER)
    assert a.place == ELIMINATED
    assert leader.hex is near.hex and leader.joined


def test_a_leader_who_retreats_with_his_unit_is_not_alone_12_72_12_73(field):
    """12.72, 11.73 note 2: he arrives with it, though his old hex lies beside the enemy, and still helps its checks."""
    f = field(8, 8)
    a = f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    leader = f.leader("Brigadier", "A0404")
    f.play()
    f.series.retreat.retreat([a], 1, 1, [f.hex("A0504")], BY_SHOCK)
    assert a.hex.id != "A0404"
    assert leader.hex is a.hex and not leader.joined
    assert f.events("leader") == []


def test_a_leader_without_a_way_is_killed_12_73(field):
    f = field(8, 8)
    f.unit("far", "A0101", "E")
    f.unit("E", "A0504", "W", side=1)
    f.hexside("river", "A0101", "A0102")
    f.hexside("river", "A0101", "A0201")
    f.hexside("river", "A0101", "A0202")
    leader = f.leader("Brigadier", "A0404")
    f.play()
    f.series.retreat.leader_alone(leader.hex)
    assert not leader.in_play() and leader.casualty


def test_a_leader_with_troops_or_away_from_enemies_stays_12_73(field):
    f = field(8, 8)
    f.unit("A", "A0404", "E")
    f.unit("E", "A0504", "W", side=1)
    with_troops = f.leader("Brigadier", "A0404")
    away = f.leader("Division", "A0101", command=f.battle.divisions[0])
    f.play()
    for leader in (with_troops, away):
        place = leader.hex
        f.series.retreat.leader_alone(place)
        assert leader.hex is place and leader.in_play()


def test_leaders_go_along_or_stay_12_72(field):
    for goes in (True, False):
        f = field(8, 8)
        a = f.unit("A", "A0404", "E")
        b = f.unit("B", "A0404", "E")
        f.unit("E", "A0504", "W", side=1)
        leader = f.leader("Brigadier", "A0404")
        f.play()
        f.answers[0]["leader_stays_with"] = [goes]
        f.series.retreat.retreat([a], 1, 1, [f.hex("A0504")], BY_SHOCK)
        assert leader.hex is (a if goes else b).hex


def test_leaders_go_along_for_a_part_of_the_way_12_72(field):
    """12.72: a leader may stay behind in the first hex of two."""
    f = field(10, 10)
    a = f.unit("A", "A0505", "E")
    f.unit("E", "A0605", "W", side=1)
    leader = f.leader("Brigadier", "A0505")
    f.play()
    f.answers[0]["leader_stays_with"] = [True, False]
    f.series.retreat.retreat([a], 2, 2, [f.hex("A0605")], BY_SHOCK)
    assert f.hex("A0505").distance_to(a.hex) == 2
    assert leader.hex.distance_to(f.hex("A0505")) == leader.hex.distance_to(a.hex) == 1
