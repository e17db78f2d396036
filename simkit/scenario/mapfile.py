"""Map files: readable drawings of a battlefield in hex ids, and the battle map that is made of one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simkit.errors import InputError
from simkit.model.battlemap import THOROUGHFARES, BattleMap, Hex
from simkit.model.charts import Charts, HexsideTerrain, Terrain
from simkit.model.hexgrid import Grid, Sheet, axial_row, line, offset_row, opposite
from simkit.model.waters import BRIDGE, LEVELS, WATERS, Waters, WaterSide
from simkit.scenario.reading import Location, Sourced, Table, checked, dotted, place_in, read_toml, suggestion
from simkit.scenario.spots import Spot, apart, around, direction, inside, neighbour, offset
from simkit.uncollected import uncollected

PRECEDENCE = ("", "railroad", "trail", "road", "pike")
"""Thoroughfares from the worst to the best: of several along a hexside the best counts."""

Pair = Annotated[tuple[int, int], Field(strict=False)]  # TOML knows lists, no tuples


class SheetOf(Table):
    """One printed sheet: letter, first and last column and row, and where it lies in the joined grid.

    `last_odd_row` is the last row of odd columns, where it is not that of even ones.
    """

    letter: str = Field(min_length=1, max_length=1)
    columns: Pair
    rows: Pair
    offset: Pair = (0, 0)
    last_odd_row: int | None = None

    def prints(self, ident: str) -> bool:
        """Whether a hex of this printed id is on the sheet."""
        number = ident.removeprefix(self.letter)
        if not ident.startswith(self.letter) or len(number) != 4 or not number.isdigit():
            return False
        (left, right), (top, bottom) = self.columns, self.rows
        return left <= int(number[:2]) <= right and top <= int(number[2:]) <= bottom


class Ground(Sourced):
    """Terrain or elevation of an area: blocks of hexes (C3302-C3512, two corners; or one id), outline (polygon)."""

    name: str = ""
    terrain: str | None = None
    elevation: int | None = Field(default=None, ge=-20, le=60)
    hexes: list[str] = []
    outline: list[str] = []


class Way(Sourced):
    """A road, pike, trail or railroad: straight from hex to hex along `path`."""

    kind: Literal["pike", "road", "trail", "railroad"]
    name: str = ""
    path: list[str] = Field(min_length=2)


class Border(Sourced):
    """A stream, river or slope: beside a path of hexes, or between two paths.

    Attributes:
        along: a path of ids; the border lies on one side of it, without a gap.
        on: which side, left or right, as one walks the path.
        left, right: two paths; the border is every hexside between a hex of one and a hex of the other.
    """

    kind: str
    name: str = ""
    along: list[str] = []
    on: Literal["left", "right"] | None = None
    left: list[str] = []
    right: list[str] = []

    @model_validator(mode="after")
    def _drawn_in_one_way(self) -> Self:
        beside, between = (len(self.along) > 1, self.on is not None), (bool(self.left), bool(self.right))
        if (beside, between) not in (((True, True), (False, False)), ((False, False), (True, True))):
            raise ValueError("it needs `along`, a path of two hexes or more, and `on`, its side; or `left` and `right`")
        return self


class Crossing(Sourced):
    """A bridge or a ford of class A or B over the hexside between two hexes.

    `opened_from` marks a bridge that pioneers must open: it names the hexes in one of which they work (18.31 of Dead of
    Winter).
    """

    kind: Literal["bridge", "ford_a", "ford_b"]
    name: str = ""
    between: Annotated[tuple[str, str], Field(strict=False)]
    opened_from: list[str] = []

    @model_validator(mode="after")
    def _a_bridge_is_opened(self) -> Self:
        if self.opened_from and self.kind != BRIDGE:
            raise ValueError("opened_from: pioneers open a bridge, no ford; leave it out, or make it a bridge (18.31)")
        return self


class Place(Sourced):
    """A name on the map; with `building` a Building or House stands there (15.12)."""

    name: str
    hex: str
    building: bool = False


class MapHead(Sourced):
    """What a map file is of: its sheets, the blocks of hexes in play, and the ground where nothing else is drawn."""

    name: str
    sheets: list[SheetOf] = Field(min_length=1)
    in_play: list[str] = Field(min_length=1)
    terrain: str = "clear"
    elevation: int = 0


class MapFile(Table):
    """A map file: head, areas, elevations, ways, water and slopes, crossings, names; later areas lie over earlier."""

    map: MapHead
    area: list[Ground] = []
    level: list[Ground] = []
    way: list[Way] = []
    hexside: list[Border] = []
    crossing: list[Crossing] = []
    place: list[Place] = []


def read_map(path: Path) -> MapFile:
    """Read and check a map file against its schema.

    Raises:
        InputError: it is no map file, or a key or value is wrong.
    """
    data, text = read_toml(path)
    return checked(MapFile, data, path, text)


@dataclass(frozen=True)
class InPlay:
    """What of a map a battle is fought on.

    Attributes:
        sheets: letters of the sheets in play; all where it is empty.
        blocks: blocks of hexes in play; all hexes of those sheets where it is empty.
        wrong: makes a message about a wrong sheet or block, of the key (`sheets` or `in_play`) and number in the list.
    """

    sheets: Sequence[str] = ()
    blocks: Sequence[str] = ()
    wrong: Callable[[str, int, str], InputError] = lambda key, number, what: InputError(what)


def make_map(
    drawing: MapFile, charts: Charts, path: Path, water: str = "medium", in_play: InPlay | None = None
) -> BattleMap:
    """The battle map of a drawing, as `draw_map` makes it."""
    return draw_map(drawing, charts, path, water, in_play)[0]


def draw_map(
    drawing: MapFile, charts: Charts, path: Path, water: str = "medium", in_play: InPlay | None = None
) -> tuple[BattleMap, MapFile]:
    """The battle map of a drawing, and of the drawing what lies on it.

    Hexes that two sheets print are named as the sheets in play print them, first those that the file names first.

    Args:
        drawing: the map file.
        charts: terrain and hexside types.
        path: of the file, for messages.
        water: level of the rivers: low, medium or high (18.1).
        in_play: what of the map is in play; all of it if left out.

    Raises:
        InputError: a hex is off the map or not in play, a terrain is unknown, a line cannot be drawn, or sheets or
            blocks in play are not on the map.
    """
    draughtsman = _Draughtsman(drawing, charts, path, water, in_play or InPlay())
    with uncollected():  # a map is some 300,000 objects: the collector would go through them again and again
        ground = draughtsman.draw()
    kinds = ("area", "level", "way", "hexside", "crossing", "place")
    kept = {
        kind: [entry for number, entry in enumerate(getattr(drawing, kind)) if (kind, number) in draughtsman.used]
        for kind in kinds
    }
    return ground, drawing.model_copy(update=kept)


class _Draughtsman:
    """Draws all that is drawn, whether in play or not, and puts down what lies on hexes in play."""

    def __init__(self, drawing: MapFile, charts: Charts, path: Path, water: str, in_play: InPlay) -> None:
        self.drawing = drawing
        self.charts = charts
        self.path = path
        self.water = water
        self.in_play = in_play
        sheets = []
        for number, sheet in enumerate(drawing.map.sheets):
            try:
                made = Sheet(sheet.letter, *sheet.columns, *sheet.rows, *sheet.offset)
            except ValueError as error:
                raise self.wrong(("map", "sheets", number, "offset"), str(error)) from None
            if sheet.last_odd_row is not None:
                made.last_odd_row = sheet.last_odd_row
            sheets.append(made)
        known = [sheet.letter for sheet in sheets]
        for number, letter in enumerate(in_play.sheets):
            if letter not in known:
                raise in_play.wrong("sheets", number, f'no sheet "{letter}" on this map, only {", ".join(known)}')
        self.sheets = [sheet for sheet in sheets if sheet.letter in in_play.sheets] or sheets
        self.grid = Grid(sorted(sheets, key=lambda sheet: sheet not in self.sheets))
        self.land: dict[Spot, None] = {}  # all hexes of the drawing, in order
        self.used: set[tuple[str | int, ...]] = set()  # kind and number of all entries that lie on hexes in play

    def draw(self) -> BattleMap:
        head = self.drawing.map
        base = self.terrain(head.terrain, ("map", "terrain"))
        ground = BattleMap(self.grid, base)
        for number, block in enumerate(head.in_play):
            for spot in self.block(block, ("map", "in_play", number)):
                if self.grid.name(*spot):
                    self.land[spot] = None
        for column, row in self.played():
            ground.add(self.grid.name(column, row), column, row, base, head.elevation)
        for kind, areas in (("area", self.drawing.area), ("level", self.drawing.level)):
            for number, area in enumerate(areas):
                self.paint(ground, area, (kind, number))
        ground.join()
        ground.water = LEVELS.index(self.water)
        self.draw_ways(ground)
        self.draw_hexsides(ground)
        self.draw_crossings(ground)
        for side in ground.water_sides:
            side.keep()
        Waters(ground, self.charts).settle_all()
        for number, place in enumerate(self.drawing.place):
            named = ground.at(*self.spot(place.hex, ("place", number, "hex")))
            if named is not ground.off:
                self.used.add(("place", number))
                named.features.append(place.name)
                named.building = named.building or place.building
        ground.fix_costs()
        return ground

    def played(self) -> list[Spot]:
        """The hexes of the drawing that are in play."""
        blocks: set[Spot] = set()
        for number, text in enumerate(self.in_play.blocks):
            try:
                found = [spot for spot in self.corners(text) if spot in self.land]
            except ValueError as error:
                raise self.in_play.wrong("in_play", number, str(error)) from None
            if not found:
                raise self.in_play.wrong("in_play", number, f"none of the hexes of {text} is on this map")
            blocks.update(found)
        return [
            spot for spot in self.land
            if (not self.in_play.sheets or any(sheet.prints(*spot) for sheet in self.sheets))
            and (not blocks or spot in blocks)
        ]  # fmt: skip

    def wrong(self, where: Location, what: str) -> InputError:
        return InputError(f"{place_in(self.path, where)}: {dotted(where)}: {what}")

    # -- what the drawing names --------------------------------------------------------------------------------------

    def terrain(self, name: str, where: Location) -> Terrain:
        try:
            return self.charts.terrain(name)
        except KeyError:
            known = [terrain.name for terrain in self.charts.terrains]
            raise self.wrong(where, f'unknown terrain "{name}"{suggestion(name, known)}') from None

    def border(self, name: str, where: Location) -> HexsideTerrain:
        """Hexside terrain by name."""
        try:
            return self.charts.hexside(name)
        except KeyError:
            known = [kind.name for kind in self.charts.hexsides]
            raise self.wrong(where, f'unknown hexside terrain "{name}"{suggestion(name, known)}') from None

    def parse(self, ident: str, where: Location) -> Spot:
        try:
            return self.grid.parse(ident.strip())
        except ValueError as error:
            raise self.wrong(where, str(error)) from None

    def corners(self, text: str) -> list[Spot]:
        """Joined columns and rows of "C3302-C3512", two corners, or of one hex; ValueError says what is wrong."""
        corners = [self.grid.parse(ident.strip()) for ident in text.split("-")]
        if len(corners) > 2:
            raise ValueError(f'"{text}" is no block of hexes: write one id, or two corners as in C3302-C3512')
        columns = sorted(corner[0] for corner in corners)
        rows = sorted(corner[1] for corner in corners)
        return [(c, r) for c in range(columns[0], columns[-1] + 1) for r in range(rows[0], rows[-1] + 1)]

    def block(self, text: str, where: Location) -> list[Spot]:
        try:
            return self.corners(text)
        except ValueError as error:
            raise self.wrong(where, str(error)) from None

    def spot(self, ident: str, where: Location) -> Spot:
        """A hex of the drawing."""
        found = self.parse(ident, where)
        if found not in self.land:
            raise self.wrong(where, f"hex {ident.strip()} is not in play in this battle")
        return found

    def route(self, path: list[str], where: Location) -> list[Spot]:
        """The hexes straight from one to the next of a path."""
        found = [self.spot(path[0], where)]
        for ident in path[1:]:
            start, end = found[-1], self.spot(ident, where)
            dq, dr = offset(start, end)
            for q, r in [*((cell.q, cell.r) for cell in line(dq, dr).cells), (dq, dr)]:
                column = start[0] + q
                place = column, offset_row(column, axial_row(*start) + r)
                # Where the line runs between two hexes, the first of them that is in play is the way.
                if place not in self.land or apart(place, end) >= apart(found[-1], end):
                    continue
                if apart(place, found[-1]) > 1:
                    raise self.wrong(where, f"the line from {self.name(start)} to {ident} leaves the hexes in play")
                found.append(place)
        return found

    def name(self, spot: Spot) -> str:
        return self.grid.name(*spot)

    # -- what it draws -----------------------------------------------------------------------------------------------

    def paint(self, ground: BattleMap, area: Ground, where: Location) -> None:
        if not area.hexes and not area.outline:
            raise self.wrong(where, "an area needs hexes or an outline")
        if area.terrain is None and area.elevation is None:
            raise self.wrong(where, "an area needs a terrain or an elevation")
        terrain = None if area.terrain is None else self.terrain(area.terrain, (*where, "terrain"))
        found = [
            spot
            for number, block in enumerate(area.hexes)
            for spot in self.block(block, (*where, "hexes", number))
            if spot in self.land
        ]
        if area.outline:
            corners = [self.parse(ident, (*where, "outline")) for ident in area.outline]
            if len(corners) < 3:
                raise self.wrong((*where, "outline"), "an outline needs at least three hexes")
            found += [spot for spot in around(corners) if spot in self.land and inside(spot, corners)]
        if not found:
            raise self.wrong(where, "none of its hexes is in play")
        for spot in found:
            place = ground.at(*spot)
            if place is ground.off:
                continue
            self.used.add(where)
            if terrain is not None:
                place.terrain = terrain
            if area.elevation is not None:
                place.elevation = area.elevation
            _name(place, area.name)

    def draw_ways(self, ground: BattleMap) -> None:
        for number, way in enumerate(self.drawing.way):
            road = self.charts.thoroughfare(way.kind)
            spots = self.route(way.path, ("way", number, "path"))
            for a, b in _on_map(ground, pairwise(spots)):
                for here, there in ((a, b), (b, a)):
                    side = here.sides[here.direction_to(there)]
                    if PRECEDENCE.index(way.kind) > PRECEDENCE.index(THOROUGHFARES[side.road]):
                        side.road = THOROUGHFARES.index(way.kind)
                        side.roads = [road]
            for spot in spots:
                place = ground.at(*spot)
                if place is not ground.off:
                    self.used.add(("way", number))
                    _name(place, way.name)

    def draw_hexsides(self, ground: BattleMap) -> None:
        for number, border in enumerate(self.drawing.hexside):
            kind = self.border(border.kind, ("hexside", number, "kind"))
            for a, b in _on_map(ground, self.course(border, ("hexside", number))):
                self.used.add(("hexside", number))
                if kind.name in WATERS:
                    drawn = self.water_side(ground, a, b).drawn
                    if kind.name not in drawn:
                        drawn.append(kind.name)
                    continue
                for here, there in ((a, b), (b, a)):
                    features = here.sides[here.direction_to(there)].features
                    if kind not in features:
                        features.append(kind)

    def course(self, border: Border, where: Location) -> Iterator[tuple[Spot, Spot]]:
        """The pairs of hexes between which a border lies."""
        if border.along:
            yield from self.beside(border, where)
            return
        left = self.route(border.left, (*where, "left"))
        right = self.route(border.right, (*where, "right"))
        drawn = [(a, b) for a in left for b in right if apart(a, b) == 1]
        for a in left:
            if a in right:
                raise self.wrong(where, f"{self.name(a)} lies both left and right of it")
        if not drawn:
            raise self.wrong(where, "no hex of left is adjacent to a hex of right")
        yield from drawn

    def beside(self, border: Border, where: Location) -> Iterator[tuple[Spot, Spot]]:
        """The hexsides on one side of a path: from the way in round to the way out; its ends are taken straight on."""
        path = self.route(border.along, (*where, "along"))
        ways = [direction(a, b) for a, b in pairwise(path)]
        for at, here in enumerate(path):
            ahead = ways[min(at, len(ways) - 1)]
            back = (ways[max(at - 1, 0)] + 3) % 6
            first, last = (ahead, back) if border.on == "right" else (back, ahead)
            for turn in range(1, (last - first) % 6):
                there = neighbour(here, (first + turn) % 6)
                if there in path and abs(path.index(there) - at) > 2:  # 2: within a sharp bend
                    raise self.wrong((*where, "along"), f"the path comes back to {self.name(there)} beside itself")
                if there in self.land and there not in path:
                    yield here, there

    def draw_crossings(self, ground: BattleMap) -> None:
        """18.31: note the bridges and fords, which take the place of the water they cross as `Waters` settles."""
        for number, crossing in enumerate(self.drawing.crossing):
            where: Location = ("crossing", number, "between")
            ends = self.spot(crossing.between[0], where), self.spot(crossing.between[1], where)
            if apart(*ends) != 1:
                raise self.wrong(where, f"{self.name(ends[0])} and {self.name(ends[1])} are not adjacent")
            kind = self.border(crossing.kind, ("crossing", number, "kind"))
            sites = [
                ground.at(*self.spot(ident, ("crossing", number, "opened_from", at)))
                for at, ident in enumerate(crossing.opened_from)
            ]
            for a, b in _on_map(ground, [ends]):
                self.used.add(("crossing", number))
                side = self.water_side(ground, a, b)
                side.over = kind.name
                side.closed = len(sites) > 0
                side.sites = [place for place in sites if place is not ground.off]

    def water_side(self, ground: BattleMap, a: Hex, b: Hex) -> WaterSide:
        """The hexside between two adjacent hexes as one with water, made when first asked for."""
        here = a.sides[a.direction_to(b)]
        for side in ground.water_sides:
            if here in side.views:
                return side
        made = WaterSide(here, b.sides[opposite(here.direction)])
        ground.water_sides.append(made)
        return made


def _on_map(ground: BattleMap, pairs: Iterable[tuple[Spot, Spot]]) -> Iterator[tuple[Hex, Hex]]:
    """Those of pairs of adjacent hexes that are both in play."""
    for first, second in pairs:
        a, b = ground.at(*first), ground.at(*second)
        if a is not ground.off and b is not ground.off:
            yield a, b


def _name(place: Hex, name: str) -> None:
    if name and name not in place.features:
        place.features.append(name)
