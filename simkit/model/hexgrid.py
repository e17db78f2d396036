"""The hex grid: printed ids, neighbours, distance, facing, and the hexes and hexsides that a line runs through.

Columns stand upright and odd columns sit half a hex lower than even ones. Inside, a hex is a pair of axial
coordinates ``q, r`` (https://www.redblobgames.com/grids/hexagons/); directions 0 to 5 are its hexsides clockwise from
north. A *heading* is what a unit faces: 0 to 11 clockwise, even for a hexside (March Orders), odd for a vertex.
"""

from typing import Final

from mypy_extensions import i64

DIRECTION_NAMES: Final = ("N", "NE", "SE", "S", "SW", "NW")
HEADING_NAMES: Final = ("N", "NNE", "NE", "E", "SE", "SSE", "S", "SSW", "SW", "W", "NW", "NNW")
STEP_Q: Final[list[i64]] = [0, 1, 1, 0, -1, -1]
STEP_R: Final[list[i64]] = [-1, -1, 0, 1, 1, 0]

FRONT: Final[i64] = 0
FLANK: Final[i64] = 1
REAR: Final[i64] = 2

# zone of hexside d for a unit of heading h, at 6 * h + d
_ZONES: Final[list[i64]] = []


def _fill_zones() -> None:
    """Write down which hexsides are front, flank and rear of each heading (7.1, 8.51)."""
    for heading in range(12):
        for direction in range(6):
            turn = (direction - heading // 2) % 6  # hexsides clockwise from the one faced, or left of the vertex faced
            if heading % 2:
                zone = (FRONT, FRONT, FLANK, REAR, REAR, FLANK)[turn]
            else:
                zone = (FRONT, FLANK, FLANK, REAR, FLANK, FLANK)[turn]
            _ZONES.append(zone)


_fill_zones()


def zone(heading: i64, direction: i64) -> i64:
    """The zone (FRONT, FLANK or REAR) in which hexside `direction` lies for a unit of that heading (7.12)."""
    return _ZONES[heading * 6 + direction]


def opposite(direction: i64) -> i64:
    """The hexside seen from the hex on its other side."""
    return (direction + 3) % 6


def axial_row(column: i64, row: i64) -> i64:
    """Axial r of a printed column and row (axial q is the column itself)."""
    return row - (column - (column & 1)) // 2


def offset_row(q: i64, r: i64) -> i64:
    """Row number of axial coordinates."""
    return r + (q - (q & 1)) // 2


def distance(q1: i64, r1: i64, q2: i64, r2: i64) -> i64:
    """Hexes from one hex to another, counting the second and not the first (10.12)."""
    dq = q2 - q1
    dr = r2 - r1
    ds = -dq - dr
    if dq < 0:
        dq = -dq
    if dr < 0:
        dr = -dr
    if ds < 0:
        ds = -ds
    if dq >= dr and dq >= ds:
        return dq
    if dr >= ds:
        return dr
    return ds


def heading_towards(dq: i64, dr: i64) -> i64:
    """The vertex heading (odd) whose direction is nearest to that of an offset; of two as near, the first clockwise."""
    # directions of vertex 2d+1 is the sum of the steps across hexsides d and d+1
    best: i64 = 1
    best_dot: i64 = -1000000000
    for d in range(6):
        vq = STEP_Q[d] + STEP_Q[(d + 1) % 6]
        vr = STEP_R[d] + STEP_R[(d + 1) % 6]
        # twice the Euclidean dot product in axial coordinates
        dot: i64 = 2 * (vq * dq + vr * dr) + vq * dr + vr * dq
        if dot > best_dot:
            best_dot = dot
            best = 2 * d + 1
    return best


class Sheet:
    """One printed map sheet: its letter, its numbering, and where it lies in the joined grid."""

    def __init__(
        self, letter: str, first_column: int, last_column: int, first_row: int, last_row: int,
        column_offset: int = 0, row_offset: int = 0,
    ) -> None:
        if column_offset % 2:
            raise ValueError(f"sheet {letter}: a column offset must be even, or odd columns would change their offset")
        self.letter = letter
        self.first_column = first_column
        self.last_column = last_column
        self.first_row = first_row
        self.last_row = last_row
        self.last_odd_row = last_row  # of odd columns, which may be one shorter
        self.column_offset = column_offset
        self.row_offset = row_offset

    def holds(self, column: int, row: int) -> bool:
        """Whether the printed column and row lie on this sheet."""
        last = self.last_odd_row if column % 2 else self.last_row
        return self.first_column <= column <= self.last_column and self.first_row <= row <= last

    def prints(self, column: int, row: int) -> bool:
        """Whether the hex of a joined column and row lies on this sheet."""
        return self.holds(column - self.column_offset, row - self.row_offset)

    def rows(self) -> str:
        """Which rows it has, in words."""
        odd = f", to {self.last_odd_row} in odd columns" if self.last_odd_row != self.last_row else ""
        return f"rows {self.first_row} to {self.last_row}{odd}"


class Grid:
    """The joined grid of one or more sheets: printed ids such as C3108 to joined columns and rows and back."""

    def __init__(self, sheets: list[Sheet]) -> None:
        self.sheets = sheets

    def parse(self, hex_id: str) -> tuple[int, int]:
        """Joined column and row of a printed id; ValueError says what is wrong with it."""
        for sheet in self.sheets:
            number = hex_id[len(sheet.letter):]
            if hex_id.startswith(sheet.letter) and len(number) == 4 and number.isdigit():
                column = int(number[:2])
                row = int(number[2:])
                if not sheet.holds(column, row):
                    raise ValueError(
                        f"hex {hex_id} is off sheet {sheet.letter}"
                        f" (columns {sheet.first_column} to {sheet.last_column}, {sheet.rows()})"
                    )
                return column + sheet.column_offset, row + sheet.row_offset
        letters = ", ".join(sheet.letter for sheet in self.sheets)
        raise ValueError(f"{hex_id!r} is no hex id: a sheet letter ({letters}), two digits of column, two of row")

    def name(self, column: int, row: int) -> str:
        """Printed id of a joined column and row, by the first sheet that holds it ('' if none does)."""
        for sheet in self.sheets:
            if sheet.prints(column, row):
                return f"{sheet.letter}{column - sheet.column_offset:02d}{row - sheet.row_offset:02d}"
        return ""

    def canonical(self, hex_id: str) -> str:
        """The one name of a hex that two sheets print (A4841 is also B1041)."""
        column, row = self.parse(hex_id)
        return self.name(column, row)


class LineCell:
    """A hex that a line from centre to centre runs through or along, with when it enters and leaves (of `scale`)."""

    def __init__(self, q: i64, r: i64, enter: i64, leave: i64, scale: i64, along: bool) -> None:
        self.q = q
        self.r = r
        self.enter = enter
        self.leave = leave
        self.scale = scale
        self.along = along


class Line:
    """The line from a hex's centre to that of the hex `dq, dr` away.

    `cells` are the hexes between the two in the order in which the line reaches them; a stretch that runs along a
    hexside gives the two hexes on its sides, both with `along`. `exits` and `enters` hold a bit for each hexside
    through which the line leaves the first hex and enters the last (two bits when it passes a vertex).
    """

    def __init__(self, dq: i64, dr: i64) -> None:
        self.dq = dq
        self.dr = dr
        self.length: i64 = distance(0, 0, dq, dr)
        self.cells: list[LineCell] = []
        self.exits: i64 = 0
        self.enters: i64 = 0
        self._trace()

    def _trace(self) -> None:
        """Clip the line against each hex near it: a hex is where q-r, r-s and s-q are each within 1 of its centre's."""
        dq = self.dq
        dr = self.dr
        ds = -dq - dr
        slopes: list[i64] = [dq - dr, dr - ds, ds - dq]
        scale: i64 = 1
        for slope in slopes:
            if slope != 0:
                scale = _least_common_multiple(scale, slope)
        low_q = min(0, dq) - 1
        high_q = max(0, dq) + 1
        low_r = min(0, dr) - 1
        high_r = max(0, dr) + 1
        found: list[LineCell] = []
        for q in range(low_q, high_q + 1):
            for r in range(low_r, high_r + 1):
                cell = _clip(q, r, slopes, scale)
                if cell is not None:
                    found.append(cell)
        found.sort(key=_order)
        for cell in found:
            if cell.q == 0 and cell.r == 0:
                self.exits = self._sides_at(0, 0, cell.leave, slopes, scale)
            elif cell.q == dq and cell.r == dr:
                self.enters = self._sides_at(dq, dr, cell.enter, slopes, scale)
            else:
                self.cells.append(cell)

    def _sides_at(self, q: i64, r: i64, when: i64, slopes: list[i64], scale: i64) -> i64:
        """Bits of the hexsides of a hex on which the point of the line at `when` lies."""
        s = -q - r
        centre: list[i64] = [q - r, r - s, s - q]
        # each pair of opposite hexsides bounds one of the three differences: plus and minus name the directions
        bits: i64 = 0
        for axis, plus, minus in ((0, 1, 4), (1, 3, 0), (2, 5, 2)):
            at = slopes[axis] * when - centre[axis] * scale
            if at == scale:
                bits |= 1 << plus
            elif at == -scale:
                bits |= 1 << minus
        return bits


def _order(cell: LineCell) -> tuple[int, int, int]:
    return (cell.enter + cell.leave, cell.q, cell.r)


def _least_common_multiple(a: i64, b: i64) -> i64:
    x = a if a > 0 else -a
    y = b if b > 0 else -b
    m = x
    n = y
    while n != 0:
        rest = m % n
        m = n
        n = rest
    return x // m * y


def _clip(q: i64, r: i64, slopes: list[i64], scale: i64) -> LineCell | None:
    """The stretch of the line inside the hex q, r, or None where it only touches a corner or misses it."""
    s = -q - r
    centre: list[i64] = [q - r, r - s, s - q]
    enter: i64 = 0
    leave: i64 = scale
    along = False
    for axis in range(3):
        slope = slopes[axis]
        if slope == 0:
            if centre[axis] > 1 or centre[axis] < -1:
                return None
            if centre[axis] == 1 or centre[axis] == -1:
                along = True
            continue
        first = (centre[axis] - 1) * (scale // slope)
        second = (centre[axis] + 1) * (scale // slope)
        if first > second:
            first, second = second, first
        enter = max(enter, first)
        leave = min(leave, second)
    if enter >= leave:
        return None
    return LineCell(q, r, enter, leave, scale, along)


KEPT: Final[i64] = 24  # hexes; no gun of any book fires farther, so that lines to here are asked for all the time
_ROWS: Final[i64] = 2 * KEPT + 1
_NEAR: Final[list[Line | None]] = [None] * (_ROWS * _ROWS)
_LINES: Final[dict[int, Line]] = {}


def line(dq: i64, dr: i64) -> Line:
    """The (shared, immutable) line to the hex `dq, dr` away."""
    if -KEPT <= dq <= KEPT and -KEPT <= dr <= KEPT:
        at = (dq + KEPT) * _ROWS + dr + KEPT
        near = _NEAR[at]
        if near is None:
            near = Line(dq, dr)
            _NEAR[at] = near
        return near
    key = (dq + 512) * 1024 + dr + 512
    known = _LINES.get(key)
    if known is None:
        known = Line(dq, dr)
        _LINES[key] = known
    return known
