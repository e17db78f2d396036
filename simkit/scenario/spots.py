"""Hexes of a drawing before there is a map: how spots of the joined grid lie to each other, and outlines of them."""

from simkit.model.hexgrid import STEP_Q, STEP_R, axial_row, distance, offset_row

Spot = tuple[int, int]
"""Column and row of a hex in the joined grid."""


def offset(start: Spot, end: Spot) -> tuple[int, int]:
    """From one hex to another in axial coordinates."""
    return end[0] - start[0], axial_row(*end) - axial_row(*start)


def apart(a: Spot, b: Spot) -> int:
    """Hexes from one to another (10.12)."""
    return distance(0, 0, *offset(a, b))


def neighbour(spot: Spot, direction: int) -> Spot:
    """The hex across a hexside, 0 to 5 clockwise from north."""
    column = spot[0] + STEP_Q[direction]
    return column, offset_row(column, axial_row(*spot) + STEP_R[direction])


def direction(a: Spot, b: Spot) -> int:
    """The hexside of a hex that leads to an adjacent one."""
    step = offset(a, b)
    return next(way for way in range(6) if (STEP_Q[way], STEP_R[way]) == step)


def around(corners: list[Spot]) -> list[Spot]:
    """All hexes among which those of an outline lie, a row more on each side for odd columns."""
    columns, rows = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return [
        (c, r) for c in range(min(columns), max(columns) + 1) for r in range(min(rows) - 1, max(rows) + 2)
    ]  # fmt: skip


def inside(spot: Spot, corners: list[Spot]) -> bool:
    """Whether the centre of a hex lies in the polygon of the corners' centres, its border included (even-odd rule)."""
    x, y = centre(*spot)
    within = False
    for (c1, r1), (c2, r2) in zip(corners, corners[1:] + corners[:1], strict=True):
        x1, y1 = centre(c1, r1)
        x2, y2 = centre(c2, r2)
        cross = (x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)
        if cross == 0 and min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
            return True
        if (y1 > y) != (y2 > y) and (x - x1) * abs(y2 - y1) < (x2 - x1) * (y - y1) * (1 if y2 > y1 else -1):
            within = not within
    return within


def centre(column: int, row: int) -> tuple[int, int]:
    """Centre of a hex, in half rows; how far apart columns are drawn does not matter, for lines stay lines."""
    return column * 2, row * 2 + (column & 1)
