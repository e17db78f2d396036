"""Rule 8.5: Extended Columns on the road and off it, and what becomes of them (8.12, 8.13, 8.25, 8.5, 8.51-8.53)."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.model.charts import PROHIBITED
from simkit.model.forces import (
    ADVANCE,
    ATTACK,
    CAVALRY,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    MARCH,
)
from simkit.model.formation import frontal, part_zone
from simkit.model.hexgrid import HEADING_NAMES, REAR
from simkit.play.audit import audit
from simkit.rules.columnplans import RETRACTION, ColumnMove
from simkit.rules.commander import CommanderError

ROAD = ["A0306", "A0305", "A0304", "A0303", "A0302", "A0301"]  # due north
N, NNE, NE, E, SE, SSE, S, SSW, SW, W, NW, NNW = range(12)


def places(unit):
    return [part.hex.id for part in unit.parts]


def headings(unit):
    return [HEADING_NAMES[part.heading()] for part in unit.parts]


def ends(f, unit, in_column=False):
    """Hexes in which a unit may end its move, cheapest first."""
    f.series.movement.search(unit, in_column)
    found = []
    for node in f.series.movement.reached:
        if f.series.movement.may_stop(node) and node.hex.id not in found:
            found.append(node.hex.id)
    return found


def march(f, unit, ident, heading=None, in_column=False):
    """Move a unit to a hex; by the cheapest node there that it may stop in."""
    movement = f.series.movement
    movement.search(unit, in_column)
    for node in movement.reached:
        if node.hex.id == ident and movement.may_stop(node):
            return movement.move(unit, node, node.heading if heading is None else heading)
    raise AssertionError(f"{unit.name} cannot end in {ident}")


def offer(moves, ident=None, heading=None):
    """The one move offered into a hex or with a heading."""
    fitting = [
        move for move in moves
        if (ident is None or move.places[0].id == ident) and (heading is None or move.heading == heading)
    ]
    assert len(fitting) == 1, [move.text() for move in moves]
    return fitting[0]


@pytest.fixture
def pike(field):
    """A unit of the strength asked for at the south end of a pike, on the march to the north."""

    def made(strength=8, orders=MARCH, facing=None, kind=0, woods=False, **values):
        f = field(6, 6, terrain="woods" if woods else "clear")
        f.road("pike", *ROAD)
        facing = facing or ("N" if orders == MARCH else "NNE")
        unit = f.unit("u", "A0306", facing, strength=strength, orders=orders, kind=kind, **values)
        f.brigade("1/1/U", orders=orders)
        f.play()
        f.begin(unit)
        return f, unit

    return made


# -- who needs one (8.12, 8.13, 8.5) -----------------------------------------------------------------------------------


def test_8_5_who_needs_markers(field):
    """8.5, 8.51 EXAMPLES (dead-of-winter:891, gringo:838): from 8 SP on foot or 5 mounted one, from 15 or 9 two."""
    f = field(6, 6)
    foot = {n: f.unit(f"{n} IN", None, strength=n) for n in (7, 8, 14, 15)}
    horse = {n: f.unit(f"{n} CAV", None, strength=n, kind=1) for n in (4, 5, 8, 9)}
    walking = f.unit("dismounted", None, strength=9, kind=1, mounted=False)
    guns = f.unit("guns", None, strength=12, kind=2)
    f.play()
    columns = f.series.columns
    assert {n: columns.extensions(unit) for n, unit in foot.items()} == {7: 0, 8: 1, 14: 1, 15: 2}
    assert {n: columns.extensions(unit) for n, unit in horse.items()} == {4: 0, 5: 1, 8: 1, 9: 2}
    assert columns.extensions(walking) == 0
    assert columns.extensions(guns) == 0


def test_8_13_a_regiment_of_8_needs_one_extension_between_itself_and_a_following_unit(pike):
    """8.13 EXAMPLE (dead-of-winter:749, gringo:682): an 8-SP regiment requires one extension behind it, a 15-SP two."""
    f, unit = pike(8)
    march(f, unit, "A0303")
    assert (unit.extended, places(unit)) == (EXTENDED_COLUMN, ["A0303", "A0304"])
    f, unit = pike(15)
    march(f, unit, "A0303")
    assert (unit.extended, places(unit)) == (EXTENDED_COLUMN, ["A0303", "A0304", "A0305"])
    follower = f.unit("next", "A0306", "N", strength=7, orders=MARCH)
    follower.active = True
    f.series.movement.search(follower)
    assert "A0305" not in ends(f, follower) and "A0304" not in ends(f, follower)


def test_8_12_up_to_7_points_on_foot_and_4_mounted_march_in_one_hex(pike):
    for strength, kind in ((7, 0), (4, 1)):
        f, unit = pike(strength, kind=kind)
        march(f, unit, "A0302")
        assert (unit.extended, places(unit)) == (IN_ONE_HEX, ["A0302"])


def test_8_12_cavalry_above_4_points_marches_in_column(pike):
    """8.12, 6.13."""
    f, unit = pike(9, kind=1)
    march(f, unit, "A0302")
    assert places(unit) == ["A0302", "A0303", "A0304"]
    assert [part.points() for part in unit.parts] == [3, 3, 3]


def test_8_5_the_strength_is_shared_the_rest_for_counter_and_first_marker(pike):
    f, unit = pike(9)
    march(f, unit, "A0302")
    assert [part.points() for part in unit.parts] == [5, 4]
    f, unit = pike(17)
    march(f, unit, "A0302")
    assert [part.points() for part in unit.parts] == [6, 6, 5]


# -- on the way (8.5, 8.51) --------------------------------------------------------------------------------------------


def test_8_5_the_marker_is_placed_in_the_hex_that_the_counter_leaves(pike):
    f, unit = pike(16)
    march(f, unit, "A0305")
    assert places(unit) == ["A0305", "A0306"]
    march(f, unit, "A0304")
    assert places(unit) == ["A0304", "A0305", "A0306"]
    march(f, unit, "A0302")
    assert places(unit) == ["A0302", "A0303", "A0304"]
    assert audit(f.battle) == []


def test_8_51_a_column_winds_along_its_road_with_one_front_and_one_rear(field):
    f = field(6, 6)
    f.road("road", "A0306", "A0305", "A0405", "A0404", "A0503")
    unit = f.unit("u", "A0306", "N", strength=15, orders=MARCH)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    f.begin(unit)
    march(f, unit, "A0404")
    assert places(unit) == ["A0404", "A0405", "A0305"]
    assert headings(unit) == ["N", "N", "SE" if f.hex("A0305").direction_to(f.hex("A0405")) == 2 else "NE"]
    assert unit.spent == 3  # half an MP a hex (9.43)
    assert [side.to.id for side in frontal(unit.parts[0])] == ["A0403"]
    assert frontal(unit.parts[1]) == [] and frontal(unit.parts[2]) == []
    rears = [
        (part.hex.id, direction) for part in unit.parts for direction in range(6)
        if part_zone(part, direction) == REAR
    ]
    assert len(rears) == 1 and rears[0][0] == "A0305"


def test_8_51_off_the_road_a_column_marches_as_well(field):
    f = field(6, 6)
    unit = f.unit("u", "A0306", "N", strength=10, orders=MARCH, movement=4)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    f.begin(unit)
    march(f, unit, "A0302")
    assert places(unit) == ["A0302", "A0303"]
    assert unit.spent == 8
    assert unit.spent_second == 6


def test_8_5_a_column_does_not_end_its_move_stacked_with_another_unit(pike):
    """8.5, 8.51: no part of it; even guns are another unit."""
    f, unit = pike(8, woods=True)
    f.unit("guns", "A0303", "N", kind=2, strength=6, orders=MARCH)
    unit.spent = 7  # of 12 half MPs: no time to go round through the woods
    found = ends(f, unit)
    assert "A0305" in found and "A0304" in found
    assert "A0303" not in found  # the counter would stand with them
    assert "A0302" not in found  # the marker would
    assert "A0301" in found
    march(f, unit, "A0301")
    assert places(unit) == ["A0301", "A0302"]


def test_8_25_a_unit_may_begin_the_march_in_a_stack_but_its_marker_must_leave_it(pike):
    f, unit = pike(8, woods=True)
    f.unit("comrade", "A0306", "N", strength=7, orders=MARCH)
    unit.spent = 9
    found = ends(f, unit)
    assert "A0305" not in found
    assert "A0304" in found
    march(f, unit, "A0304")
    assert places(unit) == ["A0304", "A0305"]


def test_8_5_nobody_ends_a_move_in_the_hex_of_a_column(pike):
    f, unit = pike(8)
    march(f, unit, "A0303")
    guns = f.unit("guns", "A0306", "N", kind=2, strength=6, orders=MARCH)
    foot = f.unit("foot", "A0405", "N", strength=2, orders=MARCH)
    for other in (guns, foot):
        other.active = True
        found = ends(f, other)
        assert "A0303" not in found and "A0304" not in found


def test_8_5_the_movement_points_of_markers_are_counted_as_if_they_were_units(field):
    """8.5, 8.51: a marker still to come through the woods stops a column whose counter is out of them."""
    f = field(6, 6)
    f.ground("woods", "A0305")
    f.road("road", "A0304", "A0303", "A0302", "A0301")
    unit = f.unit("u", "A0306", "N", strength=8, orders=MARCH, movement=5)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    f.begin(unit)
    march(f, unit, "A0304")
    assert (unit.spent, unit.spent_second) == (6, 4)
    march(f, unit, "A0302")
    assert (unit.spent, unit.spent_second) == (8, 7)
    f.begin(unit)
    march(f, unit, "A0301")
    assert (unit.spent, unit.spent_second) == (1, 1)


def test_8_5_a_column_comes_only_as_far_as_its_last_marker(field):
    f = field(6, 6)
    f.road("road", "A0303", "A0302", "A0301")
    f.ground("woods", "A0304")
    unit = f.unit("u", "A0305", "N", strength=8, orders=MARCH, movement=4)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    f.begin(unit)
    march(f, unit, "A0304")
    assert places(unit) == ["A0304", "A0305"]
    unit.spent = 0
    unit.spent_second = 5  # whatever it has done before
    assert "A0303" not in ends(f, unit)  # the marker has 3 half MPs left, and the woods cost 4
    unit.spent_second = 4
    assert "A0303" in ends(f, unit)
    assert "A0302" not in ends(f, unit)


# -- under Advance Orders (8.13, 8.5, 8.52) ----------------------------------------------------------------------------


def test_8_13_under_advance_orders_a_strong_unit_goes_by_road_only_in_column(pike):
    f, unit = pike(8, orders=ADVANCE, movement=3, woods=True)
    assert "A0304" not in ends(f, unit)  # 2 MPs a hex through the woods
    found = ends(f, unit, True)
    assert "A0303" in found
    march(f, unit, "A0303", in_column=True)
    assert (unit.extended, places(unit)) == (EXTENDED_COLUMN, ["A0303", "A0304"])
    assert unit.spent == 6
    assert all(part.heading() % 2 == 1 for part in unit.parts)
    assert part_zone(unit.parts[0], f.hex("A0303").direction_to(f.hex("A0304"))) == REAR
    assert f.hex("A0303") in [side.to for side in frontal(unit.parts[1])]
    assert audit(f.battle) == []


def test_8_5_new_markers_have_1_and_2_mps_less_under_advance_orders(pike):
    """8.5, 8.52: subtracted in the activation in which they are placed only."""
    f, unit = pike(15, orders=ADVANCE, movement=6)
    march(f, unit, "A0303", in_column=True)
    assert (unit.spent, unit.spent_second, unit.spent_third) == (6, 4 + 2, 2 + 4)
    f.begin(unit)
    assert (unit.spent_second, unit.spent_third) == (0, 0)
    march(f, unit, "A0302")
    assert (unit.spent, unit.spent_second, unit.spent_third) == (2, 2, 2)


def test_8_5_on_the_march_new_markers_lack_nothing(pike):
    f, unit = pike(15)
    march(f, unit, "A0303")
    assert (unit.spent, unit.spent_second, unit.spent_third) == (3, 2, 1)


def test_8_52_the_head_keeps_its_first_marker_in_its_rear(pike):
    f, unit = pike(8, orders=ADVANCE)
    movement = f.series.movement
    movement.search(unit, True)
    node = next(node for node in movement.reached if node.hex.id == "A0303" and movement.may_stop(node))
    assert [h for h in range(1, 12, 2) if movement.may_face(unit, node, h)] == [NNE, NNW]
    movement.move(unit, node, NNE)
    assert [h for h in range(1, 12, 2) if f.series.facing.may_turn(unit, h)] == [NNW]
    f.series.facing.turn(unit, NNW)
    assert headings(unit) == ["NNW", "NNW"]


def test_8_52_markers_face_so_that_the_next_is_in_their_rear(field):
    """8.52: where the road bends by 60 degrees; where it bends more, towards the next hex of the road."""
    f = field(6, 6)
    f.road("pike", "A0306", "A0305", "A0404" if f.hex("A0305").direction_to(f.hex("A0404")) == 1 else "A0405")
    unit = f.unit("u", "A0306", "NNE", strength=15, orders=ADVANCE)
    f.play()
    f.begin(unit)
    head = f.hex("A0305").sides[1].to.id
    march(f, unit, head, in_column=True)
    assert places(unit) == [head, "A0305", "A0306"]
    for at in (1, 2):
        part, before = unit.parts[at], unit.parts[at - 1]
        assert part_zone(part, part.hex.direction_to(before.hex)) == 0
        assert part_zone(before, before.hex.direction_to(part.hex)) == REAR


def test_8_52_on_a_sharp_bend_a_marker_faces_the_next_hex_of_the_road(field):
    f = field(6, 6)
    head = f.hex("A0305").sides[2].to.id
    f.road("pike", "A0306", "A0305", head)
    f.hexside("river", "A0306", head)
    unit = f.unit("u", "A0306", "NNE", strength=15, orders=ADVANCE)
    f.play()
    f.begin(unit)
    march(f, unit, head, in_column=True)
    assert places(unit) == [head, "A0305", "A0306"]
    middle = unit.parts[1]
    assert part_zone(middle, 2) == 0
    assert audit(f.battle) == []


def test_8_52_retracting_costs_the_ground_and_not_the_road(pike):
    """8.52: into any of its hexes; from the far end through both hexes, into the middle each part its own."""
    f, unit = pike(15, orders=ADVANCE, movement=6)
    f.ground("woods", "A0304")
    f.map.fix_costs()
    march(f, unit, "A0304", in_column=True)
    assert places(unit) == ["A0304", "A0305", "A0306"]
    f.begin(unit)
    offers = f.series.columns.retractions(unit)
    assert {move.places[0].id: move.cost for move in offers} == {"A0304": 2 + 4, "A0305": 2, "A0306": 4}
    f.series.columns.retract(unit, offer(offers, "A0304"))
    assert (unit.extended, places(unit), unit.spent) == (IN_ONE_HEX, ["A0304"], 6)
    assert unit.moved and not f.series.fire.may_fire(unit)


def test_8_52_a_retraction_needs_the_movement_points(pike):
    f, unit = pike(8, orders=ADVANCE, movement=3)
    march(f, unit, "A0303", in_column=True)
    assert unit.spent == 6
    offers = f.series.columns.retractions(unit)
    assert [move.places[0].id for move in offers] == []  # the marker, new, has spent as much
    wish = ColumnMove(RETRACTION, [f.hex("A0303")], unit.heading)
    with pytest.raises(CommanderError, match="retractions"):
        f.series.columns.retract(unit, wish)


def test_8_5_a_column_on_the_march_does_not_retract(pike):
    f, unit = pike(8)
    march(f, unit, "A0303")
    assert f.series.columns.retractions(unit) == []
    assert f.series.columns.lines(unit) == []


def test_8_52_a_retraction_next_to_the_enemy_ends_the_move(pike):
    """8.52, 8.53: even next to the enemy; then it may neither form line nor turn (9.53)."""
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.unit("e", "A0302", "S", side=1, strength=2)
    f.begin(unit)
    f.roll(9, 9)
    f.answers[1]["withdrawal_fire"] = [0, 0]
    f.series.columns.retract(unit, offer(f.series.columns.retractions(unit), "A0303"))
    assert unit.extended == IN_ONE_HEX and unit.came_adjacent
    assert not f.series.movement.may_move(unit)
    assert not f.series.facing.may_turn(unit, NNW)


def test_8_52_a_column_forms_line_by_turning(pike):
    """8.52: 1 MP for two vertices, none for one; its parts then face to its side."""
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0304", NNE, in_column=True)
    spent = unit.spent
    offers = f.series.columns.lines(unit)
    # it faces NNE: east is one vertex away, west two
    assert {HEADING_NAMES[move.heading]: move.cost for move in offers} == {"E": 0, "W": 2}
    f.series.columns.form_line(unit, offer(offers, heading=E))
    assert (unit.extended, unit.heading, places(unit)) == (EXTENDED_LINE, E, ["A0304", "A0305"])
    assert unit.spent == spent
    assert audit(f.battle) == []


def test_8_52_a_column_on_a_bend_forms_no_line(field):
    f = field(6, 6)
    f.road("pike", "A0306", "A0305", f.hex("A0305").sides[1].to.id)
    unit = f.unit("u", "A0306", "NNE", strength=15, orders=ADVANCE)
    f.play()
    f.begin(unit)
    march(f, unit, f.hex("A0305").sides[1].to.id, in_column=True)
    assert f.series.columns.lines(unit) == []


def test_8_52_cavalry_forms_no_line(pike):
    f, unit = pike(5, orders=ADVANCE, kind=1)
    march(f, unit, "A0304", in_column=True)
    assert unit.extended == EXTENDED_COLUMN
    assert f.series.columns.lines(unit) == []


def test_8_41_a_column_with_the_enemy_next_to_its_marker_forms_no_line(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.unit("e", "A0405", "W", side=1, strength=2)
    f.begin(unit)
    assert f.battle.enemy_near(f.hex("A0304"), 0)
    assert f.series.columns.lines(unit) == []


def test_8_44_a_line_forms_column_by_turning(field):
    """8.44, 8.5, 8.52: under Advance Orders and not next to the enemy; the counter leads, so it may change places."""
    f = field(6, 6)
    unit = f.unit("u", "A0303", "E", strength=8, orders=ADVANCE)
    f.play()
    f.battle.add_part(unit, f.hex("A0304"), 0, EXTENDED_LINE)
    f.begin(unit)
    offers = f.series.columns.columns(unit)
    found = {(move.places[0].id, HEADING_NAMES[move.heading]): move.cost for move in offers}
    assert found == {("A0303", "NNE"): 0, ("A0303", "NNW"): 2, ("A0304", "SSE"): 0, ("A0304", "SSW"): 2}
    f.series.columns.form_column(unit, offer(offers, "A0304", SSE))
    assert (unit.extended, places(unit)) == (EXTENDED_COLUMN, ["A0304", "A0303"])
    assert unit.hex.id == "A0304" and headings(unit) == ["SSE", "SSE"]
    assert audit(f.battle) == []


@pytest.mark.parametrize("why", ["attack", "enemy", "guns"])
def test_8_44_when_a_line_may_not_form_column(field, why):
    f = field(6, 6)
    unit = f.unit("u", "A0303", "E", strength=8, orders=ATTACK if why == "attack" else ADVANCE)
    if why == "enemy":
        f.unit("e", "A0205", "E", side=1)
    if why == "guns":
        f.unit("guns", "A0304", "E", kind=2)
    f.play()
    f.battle.add_part(unit, f.hex("A0304"), 0, EXTENDED_LINE)
    f.begin(unit)
    assert (f.series.columns.columns(unit) == []) == (why in ("attack", "enemy", "guns"))


# -- about-face (8.51, 8.52) -------------------------------------------------------------------------------------------


def test_8_51_a_column_turns_about_its_counter_changing_places_with_its_last_marker(pike):
    """8.51: at no cost along the road."""
    f, unit = pike(15)
    march(f, unit, "A0303")
    f.begin(unit)
    f.series.columns.face_about(unit)
    assert places(unit) == ["A0305", "A0304", "A0303"]
    assert headings(unit) == ["S", "S", "S"]
    assert unit.spent == 0
    march(f, unit, "A0306")
    assert places(unit) == ["A0306", "A0305", "A0304"]


def test_8_51_off_the_road_an_about_face_costs_1_mp(field):
    """8.51, 7.21."""
    f = field(6, 6)
    unit = f.unit("u", "A0306", "N", strength=8, orders=MARCH)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    f.begin(unit)
    march(f, unit, "A0303")
    f.begin(unit)
    f.series.columns.face_about(unit)
    assert (unit.spent, unit.spent_second) == (2, 2)
    assert headings(unit) == ["S", "S"]


def test_8_52_an_about_face_under_advance_orders(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    f.begin(unit)
    f.series.columns.face_about(unit)
    assert places(unit) == ["A0304", "A0303"]
    assert headings(unit) == ["SSW", "SSW"]


def test_8_51_in_gringo_a_column_has_no_about_face(pike):
    f, unit = pike(8)
    f.options.set("edition", "gringo")
    march(f, unit, "A0303")
    assert not f.series.columns.may_face_about(unit)
    with pytest.raises(CommanderError, match="may not turn about"):
        f.series.columns.face_about(unit)


# -- new orders (7.23, 7.26, 6.26, 8.51, 8.53) -------------------------------------------------------------------------


def test_7_26_a_column_becomes_a_line_when_it_gets_other_orders(pike):
    """7.23, 7.26: if it meets the requirements and its owner wants it; at no cost."""
    f, unit = pike(8)
    march(f, unit, "A0303")
    f.answers[0]["line_from_column"] = [1]
    f.series.orders.give(unit, ATTACK)
    assert (unit.extended, unit.heading, places(unit)) == (EXTENDED_LINE, W, ["A0303", "A0304"])
    assert audit(f.battle) == []


@pytest.mark.parametrize("answer", [-2, 99])
def test_7_26_an_answer_that_was_not_offered(pike, answer):
    f, unit = pike(8)
    march(f, unit, "A0303")
    f.answers[0]["line_from_column"] = [answer]
    with pytest.raises(CommanderError, match=f"line_from_column: answered {answer} for u/.*; right would be -1 to 1"):
        f.series.orders.give(unit, ATTACK)


def test_8_52_else_it_stays_a_column_and_faces_as_under_advance_orders(pike):
    f, unit = pike(8)
    march(f, unit, "A0303")
    f.series.orders.give(unit, ADVANCE)
    assert unit.extended == EXTENDED_COLUMN
    assert headings(unit)[0] in ("NNE", "NNW")
    assert part_zone(unit.parts[0], 3) == REAR
    assert audit(f.battle) == []


def test_7_26_a_line_becomes_a_column_when_it_gets_march_orders(field):
    f = field(6, 6)
    unit = f.unit("u", "A0303", "E", strength=8, orders=ADVANCE)
    f.play()
    f.battle.add_part(unit, f.hex("A0304"), 0, EXTENDED_LINE)
    f.answers[0]["column_from_line"] = [1]
    f.series.orders.give(unit, MARCH)
    assert (unit.extended, places(unit)) == (EXTENDED_COLUMN, ["A0304", "A0303"])
    assert headings(unit) == ["S", "S"]
    assert audit(f.battle) == []


def test_6_26_8_51_a_column_fired_on_is_placed_under_advance_orders(pike):
    """6.26, 8.51: at the end of the enemy's activation; its facing changes at once, and it stays a column."""
    f, unit = pike(8)
    march(f, unit, "A0303")
    enemy = f.unit("e", "A0301", "SSW", side=1, strength=4)
    f.begin(enemy)
    f.roll(9)
    unit.fired_at = True
    f.series.activation._end([enemy.command])
    assert (unit.orders, unit.extended) == (ADVANCE, EXTENDED_COLUMN)
    assert headings(unit)[0] in ("NNE", "NNW")
    assert audit(f.battle) == []


def act_of(f, brigade):
    return f.series.activation.brigade([brigade])


def test_8_53_under_attack_orders_a_column_retracts_before_all_else(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.brigade("1/1/U").orders = ATTACK
    f.series.orders.give(unit, ATTACK)
    assert unit.extended == EXTENDED_COLUMN
    f.answers[0]["leave_column"] = [1]
    seen = []
    f.answers[0]["act"] = [lambda series, brigades: seen.append((places(unit), int(unit.spent)))]
    act_of(f, unit.command)
    assert seen == [(["A0304"], 2)]
    assert f.asked[0].count("leave_column") == 1


def test_8_53_or_forms_line(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    f.series.orders.give(unit, ATTACK)
    f.answers[0]["leave_column"] = [2]  # after the two retractions
    act_of(f, unit.command)
    assert unit.extended == EXTENDED_LINE


def test_8_53_a_column_that_must_stand_remains_one(pike):
    """8.53: after Change and Stand it may stay in column until it can move."""
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.series.orders.give(unit, ATTACK)
    unit.stands = True
    act_of(f, unit.command)
    assert unit.extended == EXTENDED_COLUMN
    assert "leave_column" not in f.asked[0]


def test_8_53_who_cannot_retract_for_the_river_disorders_and_is_finished(field):
    """8.53, 9.24: under Attack Orders no bridge may be used to retract over."""
    f = field(6, 6)
    f.road("pike", *ROAD)
    f.hexside("river", "A0304", "A0303")
    f.hexside("bridge", "A0304", "A0303")
    unit = f.unit("u", "A0306", "NNE", kind=1, strength=5, orders=ADVANCE)
    f.play()
    f.begin(unit)
    march(f, unit, "A0303", in_column=True)
    f.series.orders.give(unit, ATTACK)
    assert f.between("A0304", "A0303")[0].plain[f.series.movement.mover(unit)] >= PROHIBITED
    seen = []
    f.answers[0]["contract_into"] = [1]
    f.answers[0]["act"] = [lambda series, brigades: seen.append((places(unit), unit.disordered, unit.finished))]
    act_of(f, unit.command)
    assert seen == [(["A0304"], True, True)]


def test_8_53_retracting_next_to_the_enemy_it_neither_fires_nor_shocks(pike):
    """8.53, 9.42 exception 2, 9.53."""
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.series.orders.give(unit, ATTACK)
    f.unit("e", "A0302", "S", side=1, strength=2)
    f.answers[1]["withdrawal_fire"] = [0, 0]
    seen = []

    def look(series, brigades):
        seen.append((series.fire.may_fire(unit), series.shock.may_shock(unit), series.movement.may_move(unit)))

    f.answers[0]["act"] = [look]
    act_of(f, unit.command)
    assert places(unit) == ["A0303"]
    assert seen == [(False, False, False)]


def test_8_53_a_column_does_not_shock(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.unit("e", "A0302", "S", side=1, strength=2)
    f.begin(unit)
    assert not f.series.shock.may_shock(unit)


def test_9_54_a_strong_unit_does_not_withdraw_in_column_after_a_search_for_one(field):
    """9.54, 8.13: it withdraws in one hex, by the ground and with its checks, whatever was asked before."""
    f = field(6, 9, terrain="woods")
    f.road("pike", "A0307", *ROAD)
    unit = f.unit("u", "A0305", "NNE", strength=9)
    f.play([("cohesion", 9), ("cohesion", 0)])
    f.begin(unit)
    movement = f.series.movement
    ways = movement.withdrawals(unit)
    movement.search(unit, True)
    assert movement.withdrawals(unit) == ways
    assert movement.withdraw(unit, [f.hex("A0306"), f.hex("A0307")])
    assert places(unit) == ["A0307"] and unit.extended == IN_ONE_HEX
    assert unit.spent == 8 and unit.disordered
    assert audit(f.battle) == []


def test_9_54_a_column_does_not_withdraw(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", in_column=True)
    f.begin(unit)
    assert f.series.movement.withdrawals(unit) == []


# -- its end (8.5), command (4.22) -------------------------------------------------------------------------------------


def test_8_5_a_column_too_weak_for_its_marker_gives_it_up_at_the_end_of_the_activation(pike):
    """8.5, 8.51: at no cost, in either of its hexes."""
    f, unit = pike(8)
    march(f, unit, "A0303")
    enemy = f.unit("e", "A0601", "SSW", side=1, strength=4)
    f.begin(enemy)
    f.answers[0]["column_keeps"] = [1]
    unit.strength = 7
    f.series.activation._end([enemy.command])
    assert (unit.extended, places(unit), unit.heading) == (IN_ONE_HEX, ["A0304"], N)


def test_8_5_below_15_points_one_of_two_markers_goes(pike):
    f, unit = pike(15)
    march(f, unit, "A0303")
    enemy = f.unit("e", "A0601", "SSW", side=1, strength=4)
    for answer, left in ((0, ["A0303", "A0304"]), (1, ["A0304", "A0305"])):
        f, unit = pike(15)
        march(f, unit, "A0303")
        enemy = f.unit("e", "A0601", "SSW", side=1, strength=4)
        f.begin(enemy)
        f.answers[0]["column_keeps"] = [answer]
        unit.strength = 14
        f.series.activation._end([enemy.command])
        assert (unit.extended, places(unit)) == (EXTENDED_COLUMN, left)
        assert headings(unit) == ["N", "N"]


def test_8_52_the_new_head_of_a_folded_column_turns_its_back_on_its_marker(field):
    """8.5, 8.52: a column that a retreat has folded gives up its counter's hex; its markers lie beside it."""
    f = field(12, 8)
    unit = f.unit("horse", f.hex("A0404").sides[1].to.id, "SSE", kind=CAVALRY, strength=9, orders=ADVANCE)
    enemy = f.unit("e", "A1107", "SSW", side=1, strength=4)
    f.play()
    f.begin(enemy)
    for place in ("A0404", "A0403"):
        f.battle.add_part(unit, f.hex(place), 0, EXTENDED_COLUMN)
    f.series.columns.dress(unit)
    unit.parts[1].column_heading = HEADING_NAMES.index("NNE")
    f.answers[0]["column_keeps"] = [1]
    unit.strength = 8
    unit.record_loss(1, 0)
    f.series.activation._end([enemy.command])
    assert places(unit) == ["A0404", "A0403"]
    assert part_zone(unit.parts[0], unit.hex.direction_to(unit.parts[1].hex)) == REAR
    assert audit(f.battle) == []


def test_4_22_a_column_is_a_chain_of_units(field):
    """8.5, 4.22: each of its hexes is a link of the chain to its brigadier."""
    f = field(8, 6)
    f.leader("Brig", "A0101", command_range=1)
    near = f.unit("near", "A0102", "N", strength=8, orders=MARCH)
    far = f.unit("far", "A0105", "N", strength=2, orders=MARCH)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    assert f.series.command.units_in_range(near.command) == [near]
    f.battle.add_part(near, f.hex("A0103"), 0, EXTENDED_COLUMN)
    assert f.series.command.units_in_range(near.command) == [near]
    f.battle.add_part(near, f.hex("A0104"), 0, EXTENDED_COLUMN)
    assert f.series.command.units_in_range(near.command) == [near, far]


def offered_facings(f, act):
    """What headings an owner is offered while something is done."""
    offered = []
    f.answers[0]["heading_after"] = [lambda series, one, headings: offered.extend(headings) or len(headings) - 1]
    act()
    return sorted(offered)


def test_13_41_a_column_that_rallies_does_not_turn(pike):
    """13.41: an extended unit adjusts its facing after no rally."""
    f, unit = pike(strength=8)
    march(f, unit, "A0304")
    f.series.orders.give(unit, ADVANCE)
    unit.disordered = True
    f.begin(unit)
    f.roll(0)
    assert offered_facings(f, lambda: f.series.effectiveness.rally(unit)) == []
    assert not unit.disordered


def test_10_92_8_52_a_column_that_resupplies_is_offered_no_facing_that_its_markers_forbid(pike):
    """10.92, 8.52: it may turn by a vertex, but its markers must stay behind it."""
    f, unit = pike(strength=8)
    march(f, unit, "A0304")
    f.series.orders.give(unit, ADVANCE)
    f.options.set("small_arms_ammunition", "yes")
    unit.ammo = 1
    f.begin(unit)
    assert offered_facings(f, lambda: f.series.effectiveness.resupply(unit)) == [NNE, NNW]
    assert unit.ammo == 0
    assert audit(f.battle) == []


def test_8_5_reinforcements_come_onto_the_map_in_column(field):
    f = field(6, 6)
    f.road("pike", *ROAD)
    unit = f.unit("u", None, "N", strength=8, orders=MARCH)
    f.reinforcement(0, ["A0306"], [unit])
    f.brigade("1/1/U", orders=MARCH)
    unit.place = 3
    f.play()
    f.answers[0]["reinforcement_orders"] = [MARCH]
    f.begin_turn(0)
    f.begin(unit)
    found = ends(f, unit)
    assert "A0306" in found and "A0303" in found
    march(f, unit, "A0303")
    assert places(unit) == ["A0303", "A0304"]
    assert not unit.waiting and audit(f.battle) == []


def long_column(field, enemy=None, friend=None):
    """A column of three hexes on a pike to the north, its counter in A0306 and a brigadier at its last marker.

    With a friend named it must go through him, off the road.
    """
    f = field(6, 8)
    f.road("pike", "A0308", "A0307", *(ROAD if friend is None else ROAD[:1]))
    unit = f.unit("u", "A0306", "NNE", strength=15, movement=12)
    leader = f.leader("L", "A0308")
    if enemy is not None:
        f.unit("e", enemy, "W", side=1)
    if friend is not None:
        f.unit("friend", friend, "NNE")
        f.ground("river", "A0206", "A0207", "A0406", "A0407")
    f.play()
    for ident in ("A0307", "A0308"):
        f.battle.add_part(unit, f.hex(ident), 0, EXTENDED_COLUMN)
    f.series.columns.dress(unit)
    f.begin(unit)
    return f, unit, leader


def test_9_31_a_leader_at_a_marker_rides_with_that_marker(field):
    """9.31, 8.5: he moves with the unit: as far as his part of the column, at the price of its steps."""
    f, unit, leader = long_column(field)
    movement = f.series.movement
    movement.search(unit)
    node = next(node for node in movement.reached if node.hex.id == "A0304" and movement.may_stop(node))
    assert movement.move(unit, node, node.heading, [leader])
    assert places(unit) == ["A0304", "A0305", "A0306"]
    assert leader.hex.id == "A0306"
    assert leader.spent == 2  # two hexes of pike at half a movement point


def test_9_31_8_22_a_column_that_must_go_back_takes_the_leader_at_its_marker_along(field):
    """8.22, 9.31: disordered again by moving through a friend; the leader ends with the part with which he rode."""
    f, unit, leader = long_column(field, friend="A0305")
    unit.disordered = True
    movement = f.series.movement
    movement.search(unit)
    node = next(
        node for node in movement.reached
        if node.hex.id == "A0302" and movement.may_stop(node)
    )
    f.roll(("cohesion", 9))
    assert not movement.move(unit, node, node.heading, [leader])
    assert unit.finished
    assert places(unit) == ["A0306", "A0307", "A0308"]
    assert leader.hex.id == "A0308"
    assert audit(f.battle) == []


def test_8_52_a_column_that_must_go_back_keeps_its_first_marker_in_its_rear(field):
    """8.52 over 8.22, by which it would keep its facing: it turns as little as it must."""
    f = field(6, 8)
    unit = f.unit("u", "A0306", "NNE", strength=8, movement=12, disordered=True)
    f.unit("friend", "A0305", "NNE")
    f.ground("river", "A0304", "A0405")
    for beyond in ("A0206", "A0207", "A0406", "A0407"):
        f.hexside("river", "A0306", beyond)
    f.play([("cohesion", 9)])
    f.battle.add_part(unit, f.hex("A0307"), 0, EXTENDED_COLUMN)
    f.series.columns.dress(unit)
    f.begin(unit)
    assert not march(f, unit, "A0506")
    assert places(unit) == ["A0306", "A0307"] and unit.finished
    assert headings(unit)[0] == "NNE"
    assert audit(f.battle) == []


def test_9_31_only_leaders_who_may_move_with_a_column_come_along_when_it_retracts(field):
    """9.31, 9.32: its brigadier, but not the commander of the corps, who moves in a phase of his own."""
    f, unit, leader = long_column(field)
    corps = f.leader("C", "A0308", command=f.battle.corps[0])
    f.series.columns.retract(unit, offer(f.series.columns.retractions(unit), "A0306"))
    assert places(unit) == ["A0306"]
    assert (leader.hex.id, corps.hex.id) == ("A0306", "A0308")


def test_12_73_a_leader_whom_the_last_marker_leaves_beside_the_enemy_joins_the_column(field):
    """12.73: he is not stacked with friends any more, so he is placed with the nearest unit he can reach."""
    f, unit, leader = long_column(field, enemy="A0408")
    assert f.battle.enemy_near(f.hex("A0308"), 0)
    assert march(f, unit, "A0305")
    assert places(unit)[-1] == "A0307"
    assert leader.hex.id == "A0307"


def test_12_73_a_leader_at_a_marker_that_comes_off_joins_the_column(field):
    """12.73, 8.5: the end of the activation takes a marker away from a leader beside the enemy."""
    f, unit, leader = long_column(field, enemy="A0408")
    unit.strength = 14
    f.series.activation._end([unit.command])
    assert places(unit) == ["A0306", "A0307"]
    assert leader.hex.id == "A0307"


# -- what always holds -------------------------------------------------------------------------------------------------


def road_map(field, seed):
    """A brigade on the march on a random map with roads, from a seed."""
    dice = random.Random(seed)
    f = field(8, 7)
    for place in f.map.hexes:
        place.terrain = f.charts.terrain(dice.choice(["clear", "clear", "woods"]))
    for _ in range(4):
        idents = [dice.choice(f.map.hexes).id]
        for _ in range(8):
            nexts = [side.to.id for side in f.hex(idents[-1]).sides if side.on_map and side.to.id not in idents]
            if nexts:
                idents.append(dice.choice(nexts))
        f.road(dice.choice(["pike", "road", "trail"]), *idents)
    orders = dice.choice([MARCH, MARCH, ADVANCE])
    f.brigade("1/1/U", orders=orders)
    sites = [place.id for place in f.map.hexes]
    dice.shuffle(sites)
    units = []
    for number in range(4):
        facing = HEADING_NAMES[2 * dice.randrange(6) + (0 if orders == MARCH else 1)]
        kind = dice.choice([0, 0, 1])
        units.append(f.unit(
            f"u{number}", sites[number], facing, kind=kind, orders=orders, movement=dice.randint(2, 6),
            strength=dice.randint(1, 18) if kind == 0 else dice.randint(1, 12),
        ))
    if dice.random() < 0.4:
        f.unit("e", sites[10], "E", side=1, kind=dice.choice([0, 2]))
    f.play([dice.randrange(10) for _ in range(400)])
    return f, units, dice


def one_action(f, unit, dice):
    """A random legal deed of a unit: a move, an about-face, a retraction, a line, a column."""
    columns, movement = f.series.columns, f.series.movement
    draw = dice.randrange(6)
    if draw == 0 and columns.may_face_about(unit):
        columns.face_about(unit)
        return
    changes = [columns.retractions(unit), columns.lines(unit), columns.columns(unit)]
    if 1 <= draw <= 3 and changes[draw - 1]:
        deed = (columns.retract, columns.form_line, columns.form_column)[draw - 1]
        deed(unit, dice.choice(changes[draw - 1]))
        return
    movement.search(unit, dice.random() < 0.5)
    nodes = [node for node in movement.reached if movement.may_stop(node)]
    if nodes:
        node = dice.choice(nodes)
        turns = [heading for heading in range(12) if movement.may_face(unit, node, heading)]
        movement.move(unit, node, dice.choice(turns))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_8_5_columns_keep_together_and_within_their_movement(field, seed):
    """8.5, 8.51, 8.52: wherever brigades wander, columns are in one piece, alone, and have not walked too far."""
    f, units, dice = road_map(field, seed)
    for _ in range(4):
        f.begin(*units)
        for unit in units:
            for _ in range(2):
                if not unit.counts():
                    continue
                one_action(f, unit, dice)
                whole = f.series.movement.full_allowance(unit, False)
                assert max(unit.spent, unit.spent_second, unit.spent_third) <= whole
                for part, before in pairwise(unit.parts):
                    assert part.hex.direction_to(before.hex) >= 0
        f.series.activation._end([units[0].command])
        if dice.random() < 0.4:
            new = dice.choice([MARCH, ADVANCE])
            if new == ADVANCE or f.series.orders.may_march(units[0].command):
                f.brigade("1/1/U", orders=new)
                for unit in units:
                    if unit.counts():
                        f.answers[0]["line_from_column"] = [dice.choice([-1, 0, 1])]
                        f.series.orders.give(unit, new)
                        f.answers[0]["line_from_column"] = []
                f.begin(*units)
        faults = audit(f.battle)
        assert not faults, faults


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_8_5_what_a_marker_pays_is_what_a_unit_would_pay_for_its_path(field, seed):
    """8.5, 8.51: a column laid out anew pays, marker by marker, for the steps of the counter that it repeats."""
    f, units, dice = road_map(field, seed)
    f.begin(*units)
    unit = units[0]
    movement = f.series.movement
    movement.search(unit, True)
    if not movement.as_column(unit):
        return
    nodes = [node for node in movement.reached if movement.may_stop(node)]
    if not nodes:
        return
    node = dice.choice(nodes)
    stages = movement.stages(node)
    steps = [stage.cost - stage.via.cost for stage in stages]
    start = unit.hex
    handicap = 2 if unit.orders == ADVANCE else 0
    if movement.move(unit, node, node.heading):
        assert unit.spent == sum(steps)
        trail = [start, *(stage.hex for stage in stages)]
        for number, spent in ((1, unit.spent_second), (2, unit.spent_third)):
            if number < len(unit.parts):
                assert unit.parts[number].hex is trail[-1 - number]
                assert spent == sum(steps[: len(steps) - number]) + number * handicap


# -- fire and shock (8.5, 8.53) ----------------------------------------------------------------------------------------


def test_8_53_only_the_counter_of_a_column_fires_and_never_prepared(pike):
    f, unit = pike(9, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    front = f.unit("front", "A0301", "S", side=1, strength=4)
    f.begin(unit)
    assert f.series.fire.targets(unit) == [front.hex]
    assert f.series.fire.bearing(unit, front.hex) == [unit.parts[0]]
    assert f.series.fire.available(unit, 0) == unit.parts[0].points() == 5
    assert not f.series.fire.prepared(unit, 2, 0, True)


def test_8_5_each_part_is_a_target_of_its_own_but_disorder_takes_the_whole_unit(pike):
    """8.5, 8.51."""
    f, unit = pike(16, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    guns = f.unit("guns", "A0604", "W", side=1, strength=4, kind=2)
    f.begin(guns)
    targets = f.series.fire.targets(guns)
    assert {"A0303", "A0304", "A0305"} <= {place.id for place in targets}
    assert f.series.stacking.target_strength(f.hex("A0304")) == 5
    f.series.results.disorder(unit, 0)
    assert unit.disordered and len(unit.parts) == 3


def test_8_53_a_column_advances_only_once_it_has_contracted(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    f.begin(unit)
    vacated = f.hex("A0302")
    assert f.series.retreat.may_advance(unit, vacated)
    f.series.retreat.advance(unit, vacated)
    assert (unit.extended, places(unit)) == (IN_ONE_HEX, ["A0302"])


def test_8_51_8_47_a_column_retreats_in_column(pike):
    """8.5: as a line by 8.47: extended if it can, else contracted with a check."""
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    enemy = f.unit("e", "A0302", "SSE", side=1, strength=4)
    f.begin(enemy)
    f.roll(0, 0, 0)
    f.series.retreat.retreat([unit], 1, 1, [enemy.hex], 0)
    assert unit.extended == EXTENDED_COLUMN
    gone = unit.hex
    assert gone.id != "A0303" and not f.battle.enemy_near(gone, 0)
    assert unit.parts[1].hex is gone.sides[3].to  # as it lay before
    assert audit(f.battle) == []


def test_9_61_9_63_a_column_does_not_react(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    enemy = f.unit("e", "A0403", "W", side=1, strength=4, orders=ATTACK)
    f.begin(enemy)
    assert f.battle.enemy_near(unit.hex, 0)
    f.series.reaction.entered(enemy)
    assert "reaction_facing" not in f.asked[0] and "reaction_refusal" not in f.asked[0]


def test_7_32_a_column_does_not_refuse(pike):
    f, unit = pike(8, orders=ADVANCE)
    march(f, unit, "A0303", NNE, in_column=True)
    f.begin(unit)
    assert not f.series.refusal.may_refuse(unit, 1) and not f.series.refusal.may_refuse(unit, 2)


def test_9_42_one_hex_may_always_be_marched_in_column(field):
    """9.42, 8.5: by exception too, the marker is placed in the hex that the counter leaves."""
    f = field(6, 6)
    f.ground("cedars", "A0305")
    unit = f.unit("u", "A0306", "N", strength=8, orders=MARCH, movement=4, movement_disordered=1, disordered=True)
    f.brigade("1/1/U", orders=MARCH)
    f.play()
    f.begin(unit)
    across = [side for side in f.series.movement.exceptions(unit) if side.to.id == "A0305"]
    if not across:
        assert f.hex("A0305").terrain.cost(0) > 8
        return
    f.series.movement.step(unit, across[0])
    assert places(unit) == ["A0305", "A0306"]
    assert audit(f.battle) == []


@pytest.mark.parametrize("guns_first", [True, False])
def test_7_26_guns_in_a_line_that_goes_on_the_march_face_as_it_does(field, guns_first):
    """7.26, 7.11, 8.25: they may stay in its hexes until it moves."""
    f = field(6, 6)
    unit = f.unit("u", "A0303", "E", strength=8, orders=ADVANCE)
    guns = f.unit("guns", "A0304", "E", kind=2, orders=ADVANCE)
    f.play()
    f.battle.add_part(unit, f.hex("A0304"), 0, EXTENDED_LINE)
    for one in [guns, unit] if guns_first else [unit, guns]:
        f.series.orders.give(one, MARCH)
    assert unit.extended == EXTENDED_COLUMN and unit.heading == guns.heading == N
