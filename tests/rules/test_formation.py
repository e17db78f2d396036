"""Zones and shares of the parts of a unit: in one hex, refused, in Extended Line, in Extended Column."""

import pytest

from simkit.model.forces import EXTENDED_COLUMN, EXTENDED_LINE, MARCH, REFUSED_LEFT, REFUSED_RIGHT
from simkit.model.formation import frontal, left_end, line_from_left, part_zone, refused_front, right_end
from simkit.play.formation_audit import audit_formation

FRONT, FLANK, REAR = 0, 1, 2
N, NE, SE, S, SW, NW = range(6)


@pytest.fixture
def line(field):
    """A regiment of 17 points facing east, extended to both sides: north and south of its counter (8.43)."""
    f = field(6, 6)
    unit = f.unit("17 IN", "A0303", "E", strength=17)
    f.play()
    f.battle.add_part(unit, f.hex("A0302"), 0, EXTENDED_LINE)
    f.battle.add_part(unit, f.hex("A0304"), 0, EXTENDED_LINE)
    return f, unit


def zones(part):
    return [part_zone(part, direction) for direction in range(6)]


def test_8_44_the_parts_share_the_strength_equally_the_counter_and_a_marker_first(line):
    """8.44 EXAMPLES: 9 points make 5 and 4; 17 in three hexes make 6, 6 and 5."""
    f, unit = line
    assert [part.points() for part in unit.parts] == [6, 6, 5]
    f.battle.withdraw_part(unit, unit.parts[2])
    unit.strength = 9
    assert [part.points() for part in unit.parts] == [5, 4]


def test_8_44_ends_and_order_of_a_line(line):
    f, unit = line
    assert [part.hex.id for part in line_from_left(unit)] == ["A0302", "A0303", "A0304"]
    assert [left_end(part) for part in unit.parts] == [False, True, False]
    assert [right_end(part) for part in unit.parts] == [False, False, True]
    assert f.battle.in_front(unit, f.hex("A0402")) and f.battle.in_front(unit, f.hex("A0405"))
    faults = []
    audit_formation(unit, faults)
    assert faults == []


def test_7_34_a_refused_flank_is_front_and_the_rear_beside_it_flank(field):
    f = field(6, 6)
    unit = f.unit("5 IN", "A0303", "E")
    f.play()
    assert zones(unit.parts[0]) == [FLANK, FRONT, FRONT, FLANK, REAR, REAR]
    unit.refused = REFUSED_LEFT
    assert zones(unit.parts[0]) == [FRONT, FRONT, FRONT, FLANK, REAR, FLANK]
    assert [side.direction for side in refused_front(unit.parts[0])] == [N]
    unit.refused = REFUSED_RIGHT
    assert zones(unit.parts[0]) == [FLANK, FRONT, FRONT, FRONT, FLANK, REAR]
    assert [side.direction for side in frontal(unit.parts[0])] == [NE, SE, S]
    assert f.battle.in_front(unit, f.hex("A0304"))


def test_8_44_a_line_may_refuse_both_ends_each_at_its_own_part(line):
    f, unit = line
    unit.refused = REFUSED_LEFT + REFUSED_RIGHT
    left, middle, right = line_from_left(unit)
    assert [side.direction for side in refused_front(left)] == [N]
    assert refused_front(middle) == []
    assert [side.direction for side in refused_front(right)] == [S]
    assert f.battle.in_front(unit, f.hex("A0301")) and f.battle.in_front(unit, f.hex("A0305"))


def test_8_51_a_column_on_the_march_has_one_front_and_one_rear(field):
    f = field(6, 6)
    unit = f.unit("8 IN", "A0302", "N", strength=8, orders=MARCH)
    f.play()
    f.battle.add_part(unit, f.hex("A0303"), 0, EXTENDED_COLUMN)
    assert zones(unit.parts[0]) == [FRONT, FLANK, FLANK, FLANK, FLANK, FLANK]
    assert zones(unit.parts[1]) == [FLANK, FLANK, FLANK, REAR, FLANK, FLANK]


def test_a_snapshot_keeps_the_parts_and_lifting_takes_them_away(line):
    f, unit = line
    kept = f.battle.snapshot()
    digest = f.battle.digest()
    f.battle.move_parts(unit, [f.hex("A0402"), f.hex("A0401"), f.hex("A0403")], [0, 0, 0])
    assert f.battle.digest() != digest
    assert f.hex("A0303").stack == [] and unit.hex is f.hex("A0402")
    assert f.hex("A0501").union_near == 2
    f.battle.lift(unit)
    assert len(unit.parts) == 1 and unit.extended == 0
    assert all(place.union_near == 0 for place in f.map.hexes)
    f.battle.restore(kept)
    assert f.battle.digest() == digest
    assert [part.hex.id for part in unit.parts] == ["A0303", "A0302", "A0304"]


def test_the_audit_names_what_is_wrong_with_a_formation(line):
    f, unit = line
    unit.strength = 14
    faults = []
    audit_formation(unit, faults)
    assert any("14 strength points" in fault for fault in faults)
    unit.strength = 17
    f.battle.move_parts(unit, [f.hex("A0303"), f.hex("A0402"), f.hex("A0304")], [0, 0, 0])
    faults = []
    audit_formation(unit, faults)
    assert faults
