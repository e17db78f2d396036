"""The grid: ids, neighbours, distance, zones of a heading, and lines against exact plane geometry."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.model.hexgrid import (
    DIRECTION_NAMES,
    FLANK,
    FRONT,
    HEADING_NAMES,
    REAR,
    STEP_Q,
    STEP_R,
    Grid,
    Sheet,
    axial_row,
    distance,
    heading_towards,
    line,
    offset_row,
    opposite,
    zone,
)

JOINED = Grid([
    Sheet("A", 10, 48, 1, 53, 0, 0),
    Sheet("B", 10, 48, 1, 53, 38, 0),
    Sheet("C", 10, 48, 1, 53, 0, 52),
    Sheet("D", 10, 48, 1, 53, 38, 52),
])
OFFSETS = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(lambda o: o != (0, 0))


def neighbour(column, row, direction):
    q, r = column + STEP_Q[direction], axial_row(column, row) + STEP_R[direction]
    return q, offset_row(q, r)


def test_odd_columns_sit_half_a_hex_lower():
    assert [neighbour(30, 10, d) for d in range(6)] == [(30, 9), (31, 9), (31, 10), (30, 11), (29, 10), (29, 9)]
    assert [neighbour(31, 10, d) for d in range(6)] == [(31, 9), (32, 10), (32, 11), (31, 11), (30, 11), (30, 10)]


def test_printed_breastwork_line_is_a_chain():
    """The set-up of the introductory scenario names 25 AL, 39 AL, Robertson in one column: C4313, C4314, C4315."""
    places = [(43, 13), (43, 14), (43, 15)]
    assert all(distance(c1, axial_row(c1, r1), c2, axial_row(c2, r2)) == 1 for (c1, r1), (c2, r2) in pairwise(places))


@pytest.mark.parametrize(
    ("one", "other"), [("A4841", "B1041"), ("C4810", "D1010"), ("B2653", "D2601"), ("A4853", "D1001")]
)
def test_joined_sheets_share_hexes(one, other):
    assert JOINED.parse(one) == JOINED.parse(other)
    assert JOINED.canonical(other) == JOINED.canonical(one)


@pytest.mark.parametrize("bad", ["E1010", "C310", "C31o8", "3108", "C9910", "", "C31088"])
def test_bad_ids_say_what_is_wrong(bad):
    with pytest.raises(ValueError, match=r"no hex id|off sheet"):
        JOINED.parse(bad)


def test_sheets_cannot_shift_the_parity_of_columns():
    with pytest.raises(ValueError, match="even"):
        Sheet("B", 10, 48, 1, 53, 37, 0)


def test_names_round_trip():
    for ident in ("A1001", "B4852", "C3108", "D2643"):
        assert JOINED.name(*JOINED.parse(ident)) == JOINED.canonical(ident)


def test_vertex_heading_has_two_front_two_flank_two_rear_7_12():
    for heading in range(1, 12, 2):
        assert sorted(zone(heading, d) for d in range(6)) == [FRONT, FRONT, FLANK, FLANK, REAR, REAR]
    east = HEADING_NAMES.index("E")
    assert [DIRECTION_NAMES[d] for d in range(6) if zone(east, d) == FRONT] == ["NE", "SE"]
    assert [DIRECTION_NAMES[d] for d in range(6) if zone(east, d) == REAR] == ["SW", "NW"]


def test_column_heading_has_one_front_and_one_rear_8_51():
    for heading in range(0, 12, 2):
        assert zone(heading, heading // 2) == FRONT
        assert zone(heading, opposite(heading // 2)) == REAR
        assert [zone(heading, d) for d in range(6)].count(FLANK) == 4


def test_heading_towards_points_through_the_front():
    for d in range(6):
        heading = heading_towards(STEP_Q[d] * 5, STEP_R[d] * 5)
        assert zone(heading, d) == FRONT


@given(OFFSETS, OFFSETS)
def test_distance_is_a_metric(a, b):
    assert distance(0, 0, *a) == distance(*a, 0, 0) > 0
    assert distance(0, 0, *a) <= distance(0, 0, *b) + distance(*b, *a)


def crossing(dq, dr, q, r):
    """Length and kind of the overlap of the line to (dq, dr) with the hex (q, r), by its six half planes, exactly."""
    low, high, along = Fraction(0), Fraction(1), False
    for n in range(6):
        # the hexside towards direction n: (difference to the neighbour) . point <= half its square, in a skewed metric
        nq, nr = STEP_Q[n], STEP_R[n]

        def dot(xq, xr, nq=nq, nr=nr):
            return 2 * (nq * xq + nr * xr) + nq * xr + nr * xq

        slope, start = dot(dq, dr), dot(-q, -r)  # along the line minus the hex's centre
        bound = 1  # dot(n, n) / 2
        if slope == 0:
            if start > bound:
                return Fraction(0), False
            along = along or start == bound
        elif slope > 0:
            high = min(high, Fraction(bound - start, slope))
        else:
            low = max(low, Fraction(bound - start, slope))
    return max(Fraction(0), high - low), along


@settings(max_examples=150, deadline=None)
@given(OFFSETS)
def test_line_agrees_with_exact_geometry(offset):
    dq, dr = offset
    told = {(c.q, c.r): (Fraction(c.leave - c.enter, c.scale), c.along) for c in line(dq, dr).cells}
    found = {}
    for q in range(min(0, dq) - 2, max(0, dq) + 3):
        for r in range(min(0, dr) - 2, max(0, dr) + 3):
            length, along = crossing(dq, dr, q, r)
            if length > 0 and (q, r) not in ((0, 0), (dq, dr)):
                found[q, r] = (length, along)
    assert told == found


@settings(max_examples=100, deadline=None)
@given(OFFSETS)
def test_line_reads_the_same_from_both_ends(offset):
    dq, dr = offset
    there, back = line(dq, dr), line(-dq, -dr)
    assert sorted((c.q, c.r, c.along) for c in there.cells) == sorted((dq + c.q, dr + c.r, c.along) for c in back.cells)
    assert (there.exits, there.enters) == (back.enters, back.exits)
    assert there.length == back.length == distance(0, 0, dq, dr)


def test_line_through_vertices_runs_along_hexsides():
    two = line(2, -1)
    assert [(c.q, c.r, c.along) for c in two.cells] == [(1, -1, True), (1, 0, True)]
    assert two.exits == 0b110
    straight = line(0, -3)
    assert [(c.q, c.r) for c in straight.cells] == [(0, -1), (0, -2)]
    assert straight.exits == 0b1
