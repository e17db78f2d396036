"""8.47, 8.5, 7.33, 12.44 to 12.6: retreat and advance of Extended Lines and Columns, and how they contract."""

import pytest

from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    BY_SHOCK,
    BY_SMALL_ARMS,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    MARCH,
    REFUSED_LEFT,
    ROUTED,
)
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError, Designation

# A0503 is an odd column: its neighbours are A0502 N, A0603 NE, A0604 SE, A0504 S, A0404 SW, A0403 NW


def extend(f, unit, *places, formation=EXTENDED_LINE):
    """Put the markers of a unit into hexes."""
    for place in places:
        f.battle.add_part(unit, f.hex(place), 0, formation)
    return unit


def where(unit):
    """The hexes of a unit, its counter's first."""
    return [part.hex.id for part in unit.parts]


def line_before(field, *enemies, strength=9, places=("A0504",), **of_line):
    """An Extended Line in A0503 and A0504 facing east, and enemies in hexes facing west."""
    f = field(9, 8)
    line = f.unit("L", "A0503", "E", strength=strength, **of_line)
    for place in enemies:
        f.unit(f"e{place}", place, "W", side=1)
    extend(f, line, *places)
    return f, line


def to(ident):
    """An answer to `retreat` that ends in a hex."""
    return lambda series, unit, ways: [way.end().id for way in ways].index(ident)


def as_far_as(*places):
    """An answer to `advance_line` that puts the counter and the marker into these hexes."""
    return lambda series, unit, ways: [[place.id for place in way.hexes] for way in ways].index(list(places))


def driven(f, *units, least=1, most=1, causes=()):
    """Retreat units; all dice must be used."""
    f.series.retreat.retreat(list(units), least, most, [f.hex(place) for place in causes], BY_SHOCK)
    assert f.dice.used_up(), f"dice left over after {f.dice.asked}"


# -- retreat (8.47) --------------------------------------------------------------------------------------------------


def test_8_47_a_line_retreats_extended_and_keeps_its_facing(field):
    f, line = line_before(field, "A0604")
    f.play()
    f.answers[0]["retreat"] = [to("A0404")]
    driven(f, line, causes=["A0604"])
    assert (line.extended, where(line)) == (EXTENDED_LINE, ["A0404", "A0405"])
    assert line.heading == HEADING_NAMES.index("E") and not line.disordered
    assert audit(f.battle) == []


def test_8_47_12_44_it_goes_forwards_or_back_and_no_part_comes_beside_the_cause(field):
    f, line = line_before(field, "A0502")
    f.play()
    ways = f.series.retreat.ways([line], 1, 1, [f.hex("A0502")])
    assert sorted(way.end().id for way in ways) == ["A0404", "A0604"]  # NE and NW would bring a part beside A0502
    ways = f.series.retreat.ways([line], 1, 1, [])
    assert all(way.end().id in ("A0603", "A0604", "A0403", "A0404") for way in ways)


def test_8_47_12_44_two_hexes(field):
    f, line = line_before(field, "A0604")
    f.play()
    f.answers[0]["retreat"] = [to("A0304")]
    driven(f, line, least=2, most=2, causes=["A0604"])
    assert (line.extended, where(line)) == (EXTENDED_LINE, ["A0304", "A0305"])


@pytest.mark.parametrize(("face", "disordered"), [(6, False), (7, True)])
def test_8_47_a_line_that_can_not_retreat_extended_contracts_and_checks(field, face, disordered):
    """8.47: it takes up its marker, retreats, and if it fails its check it is disordered."""
    f, line = line_before(field, "A0604")
    f.ground("river", "A0404")
    f.play()
    f.roll(("cohesion", face))
    driven(f, line, causes=["A0604"])
    assert line.extended == IN_ONE_HEX and line.hex.id in ("A0403", "A0405", "A0502")
    assert line.disordered == disordered
    assert [event.kind for event in f.events("contract", "retreat", "udd")] == ["contract", "retreat", "udd"]
    assert audit(f.battle) == []


def test_8_47_already_disordered_it_pays_no_more_for_contracting(field):
    f, line = line_before(field, "A0604", disordered=True)
    f.ground("river", "A0404")
    f.play()
    driven(f, line, causes=["A0604"])
    assert line.extended == IN_ONE_HEX and line.strength == 9 and line.place != ROUTED


@pytest.mark.parametrize("facing", ["E", "NNE"])
def test_8_47_it_contracts_rather_than_turn_to_stand_with_guns(field, facing):
    """8.47: forced to take the facing of guns in a hex, it does not retreat extended."""
    f, line = line_before(field, "A0604")
    f.unit("gun", "A0404", facing, kind=ARTILLERY)
    f.play()
    if facing != "E":
        f.roll(("cohesion", 0))
    f.answers[0]["retreat"] = [to("A0404")]
    driven(f, line, causes=["A0604"])
    assert line.extended == (EXTENDED_LINE if facing == "E" else IN_ONE_HEX)
    assert line.heading == HEADING_NAMES.index(facing)
    assert audit(f.battle) == []


@pytest.mark.parametrize("chosen", [0, 1])
def test_8_47_its_owner_says_into_which_hex_it_contracts(field, chosen):
    """8.47: of those from which it can retreat; asked only if there are several."""
    f, line = line_before(field, "A0604")
    f.ground("river", "A0404")
    f.play()
    f.answers[0]["contract_into"] = [chosen]
    f.roll(("cohesion", 0))
    driven(f, line, causes=["A0604"])
    contract, = f.events("contract")
    assert contract.hex == ["A0503", "A0504"][chosen]

    f, line = line_before(field, "A0604")
    f.ground("river", "A0404", "A0403", "A0502")
    f.play()
    f.roll(("cohesion", 0))
    driven(f, line, causes=["A0604"])
    assert "contract_into" not in f.asked[0] and f.events("contract")[0].hex == "A0504"


def test_8_47_an_answer_outside_the_offer(field):
    f, line = line_before(field, "A0604")
    f.ground("river", "A0404")
    f.play()
    f.answers[0]["contract_into"] = [2]
    with pytest.raises(CommanderError, match=r"contract_into: answered 2 for u/l; right would be 0 to 1"):
        driven(f, line, causes=["A0604"])


def test_8_47_12_44_nowhere_to_go_it_stays_extended_and_loses_steps(field):
    f, line = line_before(field, "A0604")
    f.ground("river", "A0403", "A0404", "A0405", "A0502", "A0505")
    f.play()
    driven(f, line, causes=["A0604"], least=2, most=2)
    assert (line.extended, where(line), line.strength) == (EXTENDED_LINE, ["A0503", "A0504"], 7)


def test_12_44_it_contracts_to_go_as_far_as_it_must(field):
    """8.47, 12.44: two hexes are possible in one hex only, so it contracts; it does not stop extended after one."""
    f, line = line_before(field, "A0604")
    f.ground("river", "A0304", "A0305", "A0303", "A0306")
    f.ground("river", "A0402")
    f.play()
    f.roll(("cohesion", 0))
    driven(f, line, causes=["A0604"], least=2, most=2)
    assert line.extended == IN_ONE_HEX and line.strength == 9
    assert line.hex.distance_to(f.hex("A0604")) > 1


def test_8_47_8_36_guns_in_its_hexes_go_with_it_in_their_order(field):
    """8.36, 12.44: a stack retreats as a stack: each gun from its hex into the hex of that part of the line."""
    f, line = line_before(field, "A0604")
    below = f.unit("below", "A0504", "E", kind=ARTILLERY)
    above = f.unit("above", "A0503", "E", kind=ARTILLERY)
    f.battle.lift(above)
    f.battle.stand(above, f.hex("A0503"), True)
    f.play()
    f.answers[0]["retreat"] = [to("A0404")]
    driven(f, above, line, below, causes=["A0604"])
    assert f.stack("A0404") == ["above", "L"] and f.stack("A0405") == ["L", "below"]
    assert audit(f.battle) == []


def test_8_47_12_45_guns_that_can_not_follow_go_or_stay_by_themselves(field):
    """12.45: guns may not enter woods off the road; the line goes without them."""
    f, line = line_before(field, "A0604")
    gun = f.unit("gun", "A0504", "E", kind=ARTILLERY)
    f.ground("woods", "A0404", "A0405", "A0403", "A0505", "A0502")
    f.play()
    driven(f, line, gun, causes=["A0604"])
    assert gun.abandoned == 1 and gun.hex.id == "A0504"
    assert line.extended == EXTENDED_LINE and line.hex.column == 4


def test_12_46_a_line_retreats_through_friends_who_check_once(field):
    """12.46, 8.47: through those in any of its hexes, to the first hexes that have room for all of it."""
    f, line = line_before(field, "A0604")
    a = f.unit("a", "A0404", "E", strength=9)
    extend(f, a, "A0405")
    f.unit("b", "A0403", "E", strength=9)
    f.play()
    f.roll(("cohesion", 0))
    f.answers[0]["retreat"] = [to("A0304")]
    driven(f, line, least=2, most=2, causes=["A0604"])
    assert where(line) == ["A0304", "A0305"]
    assert [event.unit for event in f.events("udd")] == [a.id]  # a line is passed in both its hexes and checks once


def test_12_46_who_retreats_through_both_hexes_of_a_line_makes_it_check_once(field):
    f, line = line_before(field, strength=9)
    a = f.unit("a", "A0502", "E", strength=9)
    f.unit("e", "A0501", "S", side=1)
    f.ground("river", "A0402", "A0403", "A0603", "A0602", "A0601", "A0401")
    f.play()
    f.roll(("cohesion", 0))
    driven(f, a, causes=["A0501"])
    assert [event.unit for event in f.events("udd")] == [line.id]
    assert a.hex not in [part.hex for part in line.parts]


def test_7_33_retreat_ends_refusal(field):
    f, line = line_before(field, "A0604")
    line.refused = REFUSED_LEFT
    f.play()
    driven(f, line, causes=["A0604"])
    assert line.refused == 0 and line.extended == EXTENDED_LINE


def test_12_72_leaders_in_any_of_its_hexes_go_along(field):
    f, line = line_before(field, "A0604")
    one, two = f.leader("one", "A0503"), f.leader("two", "A0504", f.battle.divisions[0])
    f.play()
    f.answers[0]["retreat"] = [to("A0404")]
    driven(f, line, causes=["A0604"])
    assert (one.hex.id, two.hex.id) == ("A0404", "A0405")


def test_8_47_12_72_leaders_follow_a_line_that_contracts(field):
    f, line = line_before(field, "A0604")
    leaders = [f.leader("one", "A0503"), f.leader("two", "A0504", f.battle.divisions[0])]
    f.ground("river", "A0404")
    f.play()
    f.roll(("cohesion", 0))
    driven(f, line, causes=["A0604"])
    assert {leader.hex for leader in leaders} == {line.hex}


def test_9_47_12_44_a_line_checks_once_for_the_worst_ground_that_it_enters(field):
    """8.44, 9.47, 12.44: one part crosses a stream, the unit makes one check."""
    f, line = line_before(field, "A0604")
    f.hexside("stream", "A0504", "A0405")
    f.play()
    side = f.between("A0504", "A0405")[0]
    f.answers[0]["retreat"] = [to("A0404")]
    if side.disorders[0] == 1:
        f.roll(("cohesion", 9))
    driven(f, line, causes=["A0604"])
    assert line.disordered == (side.disorders[0] != 0)


def test_8_5_a_column_retreats_as_it_stands_or_contracts(field):
    """8.5, 8.47: like a line; its facing stays."""
    for blocked in ((), ("A0403", "A0404", "A0502", "A0604", "A0603", "A0504", "A0304")):
        f = field(9, 8)
        column = f.unit("C", "A0503", "E", strength=9, orders=ADVANCE)
        f.unit("e", "A0704", "W", side=1)
        extend(f, column, "A0404", formation=EXTENDED_COLUMN)
        f.ground("river", *[place for place in blocked if place not in ("A0404", "A0403")])
        f.play()
        if blocked:
            f.ground("river", "A0303", "A0305", "A0405")
            f.map.fix_costs()
            f.roll(("cohesion", 0))
        driven(f, column)
        assert column.heading == HEADING_NAMES.index("E")
        assert column.extended == (IN_ONE_HEX if blocked else EXTENDED_COLUMN)
        assert audit(f.battle) == []


def test_9_63_12_44_asking_for_room_moves_nobody(field):
    """12.44: to ask whether a stack may stop somewhere changes nothing: extended and refused units stay so."""
    f, line = line_before(field, "A0604")
    gun = f.unit("gun", "A0503", "E", kind=ARTILLERY)
    f.unit("friend", "A0404", "E", kind=ARTILLERY)
    line.refused = gun.refused = REFUSED_LEFT
    f.play()
    digest = f.battle.digest()
    f.series.retreat.may_stop([line, gun], f.hex("A0404"))
    f.series.retreat.ways([line, gun], 1, 2, [f.hex("A0604")])
    f.series.retreat.could([line, gun], 1, 1, [])
    assert f.battle.digest() == digest


def test_12_35_a_second_disorder_drives_a_line_off_extended(field):
    """12.35a, 12.42: one step and one or two hexes."""
    f, line = line_before(field, "A0604", disordered=True)
    f.play()
    f.series.results.begin([f.hex("A0604")])
    f.series.results.disorder(line, 0)
    f.series.results.end()
    assert line.strength == 8 and line.lost_second_disorder == 1
    assert line.extended == EXTENDED_LINE and line.hex.column == 4


def test_12_71_leaders_in_all_hexes_of_a_line_roll_for_a_step_lost_in_one(field):
    """12.71: for an extended unit that loses a step, those in any of its hexes; for guns in one hex only theirs."""
    f, line = line_before(field, "A0604")
    f.unit("gun", "A0504", "E", kind=ARTILLERY, strength=6)
    near, far = f.leader("near", "A0504"), f.leader("far", "A0503", f.battle.divisions[0])
    f.play()
    hit = []
    assert f.series.results.lose_at(line, 1, BY_SHOCK, hit) == 1
    assert hit == [f.hex("A0503"), f.hex("A0504")]
    hit = []
    f.series.results.lose_at(f.battle.units[-1], 1, BY_SHOCK, hit)
    assert hit == [f.hex("A0504")]
    f.roll(("leader", 0), ("leader", 5), *[("cohesion", 0)] * 9)
    result = f.charts.fire_table.result(7, 12)
    assert result.losses > 0
    f.series.results.apply_fire(f.hex("A0504"), result, BY_SMALL_ARMS, [line], [f.hex("A0604")])
    assert near.casualty != far.casualty


# -- advance (8.47, 12.6) --------------------------------------------------------------------------------------------


def after_shock(field):
    """The example at 8.47, a grid of the other parity: 2222 is A0502 and 2323 is A0603; the enemy has left there."""
    f = field(9, 8)
    line = f.unit("L", "A0502", "E", strength=9, orders=ATTACK)
    extend(f, line, "A0503")
    f.play()
    f.begin(line)
    return f, line


@pytest.mark.parametrize(("places", "facing"), [
    (("A0603", "A0604"), "E"),  # directly ahead, into, say, 2323-2324
    (("A0602", "A0603"), "E"),  # directly ahead to the other side
    (("A0603", "A0503"), "SSE"),  # pivot into 2323, leaving the marker in 2223
    (("A0502", "A0603"), "NNE"),  # pivot on the counter
])
def test_8_47_example_advance_straight_or_by_a_pivot(field, places, facing):
    """8.47, 12.6: dead-of-winter:872 (also gringo:798, into-the-woods:801)."""
    f, line = after_shock(field)
    f.answers[0]["advance_line"] = [as_far_as(*places)]
    assert f.series.retreat.may_advance(line, f.hex("A0603"))
    assert len(f.series.retreat.advances(line, f.hex("A0603"))) == 4
    f.series.retreat.advance(line, f.hex("A0603"))
    assert (where(line), line.extended) == (list(places), EXTENDED_LINE)
    assert line.heading == HEADING_NAMES.index(facing)
    assert audit(f.battle) == []


def test_8_47_example_after_the_shock_itself(field):
    """8.47: dead-of-winter:872 (also gringo:798, into-the-woods:801): it shocks the unit in 2323 and advances."""
    f = field(9, 8)
    line = f.unit("L", "A0502", "E", strength=9, orders=ATTACK)
    f.unit("D", "A0603", "W", strength=4, side=1)
    extend(f, line, "A0503")
    f.play()
    f.begin(line)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.answers[0]["advance_line"] = [as_far_as("A0603", "A0503")]
    f.roll(("cohesion", 0), ("shock", 5))
    f.series.shock.conduct([Designation([line], [f.hex("A0603")])], f.battle.active)
    assert f.events("shock")[0].result.startswith("Defender retreats")
    assert where(line) == ["A0603", "A0503"] and line.heading == HEADING_NAMES.index("SSE")


def test_8_47_the_marker_is_not_taken_up_by_choice(field):
    """8.47: as long as any way leads there extended, no contraction is offered."""
    f, line = after_shock(field)
    f.ground("river", "A0602", "A0604")  # both ways straight ahead are barred, the pivots are not
    f.map.fix_costs()
    f.series.retreat.advance(line, f.hex("A0603"))
    assert line.extended == EXTENDED_LINE and line.stands_in(f.hex("A0603"))
    assert "contract_into" not in f.asked[0]


def test_8_47_a_line_that_can_not_advance_extended_contracts_first(field):
    """8.47: three hexes do not pivot, and the way ahead is barred; contracting to advance it makes no check."""
    f = field(9, 8)
    line = f.unit("L", "A0503", "E", strength=16, orders=ATTACK)
    extend(f, line, "A0502", "A0504")
    f.ground("river", "A0602", "A0605")
    f.play()
    f.begin(line)
    f.answers[0]["heading_after"] = [1]
    f.series.retreat.advance(line, f.hex("A0603"))
    assert line.extended == IN_ONE_HEX and line.hex.id == "A0603"
    assert f.dice.asked == [] and line.heading == HEADING_NAMES.index("SSE")
    assert audit(f.battle) == []


def test_8_47_a_line_of_three_hexes_advances_straight_only(field):
    f = field(9, 8)
    line = f.unit("L", "A0503", "E", strength=16, orders=ATTACK)
    extend(f, line, "A0502", "A0504")
    f.play()
    ways = [[place.id for place in way.hexes] for way in f.series.retreat.advances(line, f.hex("A0603"))]
    assert ways == [["A0603", "A0602", "A0604"], ["A0604", "A0603", "A0605"]]


def test_8_47_12_6_guns_stay_and_those_on_the_pivot_turn(field):
    f, line = after_shock(field)
    left, right = f.unit("left", "A0502", "E", kind=ARTILLERY), f.unit("right", "A0503", "E", kind=ARTILLERY)
    f.answers[0]["advance_line"] = [as_far_as("A0603", "A0503")]
    f.series.retreat.advance(line, f.hex("A0603"))
    assert (left.hex.id, right.hex.id) == ("A0502", "A0503")
    assert left.heading == HEADING_NAMES.index("E") and right.heading == line.heading == HEADING_NAMES.index("SSE")
    assert audit(f.battle) == []


def test_8_47_not_into_a_hex_with_friends_but_for_guns_that_face_as_it_will(field):
    f, line = after_shock(field)
    f.unit("friend", "A0604", "E", strength=2)
    f.unit("gun", "A0602", "SSE", kind=ARTILLERY)
    ways = f.series.retreat.advances(line, f.hex("A0603"))
    assert [[place.id for place in way.hexes] for way in ways] == [["A0603", "A0503"], ["A0502", "A0603"]]


def test_7_33_advance_ends_refusal_and_does_not_forget_leaders(field):
    f, line = after_shock(field)
    line.refused = REFUSED_LEFT
    leader = f.leader("Hack", "A0503")
    f.answers[0]["advance_line"] = [as_far_as("A0602", "A0603")]
    f.series.retreat.advance(line, f.hex("A0603"))
    assert line.refused == 0 and leader.hex.id == "A0603" and line.advanced


def test_8_53_a_column_contracts_to_advance(field):
    """8.53, 12.6: under Advance Orders, into a hex next to the one that it takes; in March Orders it does not."""
    f = field(9, 8)
    column = f.unit("C", "A0503", "E", strength=9, orders=ADVANCE)
    extend(f, column, "A0404", formation=EXTENDED_COLUMN)
    f.play()
    f.begin(column)
    assert f.series.retreat.may_advance(column, f.hex("A0603"))
    f.series.retreat.advance(column, f.hex("A0603"))
    assert column.extended == IN_ONE_HEX and where(column) == ["A0603"]
    column.orders = MARCH
    assert not f.series.retreat.may_advance(column, f.hex("A0604"))


def test_8_47_not_into_its_own_hexes_nor_where_none_of_it_is_near(field):
    f, line = after_shock(field)
    for place in ("A0503", "A0502", "A0703"):
        assert not f.series.retreat.may_advance(line, f.hex(place))
    with pytest.raises(CommanderError, match=r"may not advance from A0502 into A0703"):
        f.series.retreat.advance(line, f.hex("A0703"))


def test_8_47_an_advance_outside_the_offer(field):
    f, line = after_shock(field)
    f.answers[0]["advance_line"] = [4]
    with pytest.raises(CommanderError, match=r"advance_line: answered 4 for u/l; right would be 0 to 3"):
        f.series.retreat.advance(line, f.hex("A0603"))
