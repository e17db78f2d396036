"""Map files: readable drawings of a battlefield in hex ids, and the battle map that is made of one."""

from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from simkit.errors import InputError
from simkit.model.battlemap import THOROUGHFARES, BattleMap, Hex
from simkit.model.charts import FOOT, Charts, HexsideTerrain, Terrain
from simkit.model.hexgrid import Grid, Sheet, line
from simkit.scenario.reading import Location, Sourced, Table, checked, dotted, place_in, read_toml, suggestion

PRECEDENCE = ("", "railroad", "trail", "road", "pike")
"""Thoroughfares from the worst to the best: of several along a hexside the best counts."""

WATERS = ("stream", "river")
"""Hexside terrain whose place a bridge or ford takes."""

Pair = Annotated[tuple[int, int], Field(strict=False)]  # TOML knows lists, no tuples


class SheetOf(Table):
    """One printed sheet: letter, first and last column and row, and where it lies in the joined grid."""

    letter: str = Field(min_length=1, max_length=1)
    columns: Pair
    rows: Pair
    offset: Pair = (0, 0)


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
    """A stream, river or slope along every hexside between a hex of `left` and a hex of `right` (paths of ids)."""

    kind: str
    name: str = ""
    left: list[str] = Field(min_length=1)
    right: list[str] = Field(min_length=1)


class Crossing(Sourced):
    """A bridge or a ford of class A or B over the hexside between two hexes."""

    kind: Literal["bridge", "ford_a", "ford_b"]
    name: str = ""
    between: Annotated[tuple[str, str], Field(strict=False)]


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


def make_map(drawing: MapFile, charts: Charts, path: Path, water: str = "medium") -> BattleMap:
    """The battle map of a drawing.

    Args:
        drawing: the map file.
        charts: terrain and hexside types.
        path: of the file, for messages.
        water: level of the rivers: low, medium or high (18.1).

    Raises:
        InputError: a hex is off the map or not in play, a terrain is unknown, a line cannot be drawn.
    """
    return _Draughtsman(drawing, charts, path, water).draw()


class _Draughtsman:
    def __init__(self, drawing: MapFile, charts: Charts, path: Path, water: str) -> None:
        self.drawing = drawing
        self.charts = charts
        self.path = path
        self.water = water
        sheets = []
        for number, sheet in enumerate(drawing.map.sheets):
            try:
                sheets.append(Sheet(sheet.letter, *sheet.columns, *sheet.rows, *sheet.offset))
            except ValueError as error:
                raise self.wrong(("map", "sheets", number, "offset"), str(error)) from None
        self.grid = Grid(sheets)

    def draw(self) -> BattleMap:
        head = self.drawing.map
        base = self.terrain(head.terrain, ("map", "terrain"))
        ground = BattleMap(self.grid, base)
        for number, block in enumerate(head.in_play):
            for column, row in self.block(block, ("map", "in_play", number)):
                name = self.grid.name(column, row)
                if name and ground.at(column, row) is ground.off:
                    ground.add(name, column, row, base, head.elevation)
        for kind, areas in (("area", self.drawing.area), ("level", self.drawing.level)):
            for number, area in enumerate(areas):
                self.paint(ground, area, (kind, number))
        ground.join()
        self.draw_ways(ground)
        self.draw_hexsides(ground)
        self.draw_crossings(ground)
        for number, place in enumerate(self.drawing.place):
            named = self.hex(ground, place.hex, ("place", number, "hex"))
            named.features.append(place.name)
            named.building = named.building or place.building
        ground.fix_costs()
        return ground

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
        """Hexside terrain by name, as it counts at the water's level (18.1)."""
        try:
            return self.charts.hexside_at(name, self.water)
        except KeyError:
            known = [kind.name for kind in self.charts.hexsides]
            raise self.wrong(where, f'unknown hexside terrain "{name}"{suggestion(name, known)}') from None

    def parse(self, ident: str, where: Location) -> tuple[int, int]:
        try:
            return self.grid.parse(ident.strip())
        except ValueError as error:
            raise self.wrong(where, str(error)) from None

    def block(self, text: str, where: Location) -> list[tuple[int, int]]:
        """Joined columns and rows of "C3302-C3512", two corners, or of one hex."""
        corners = [self.parse(ident, where) for ident in text.split("-")]
        if len(corners) > 2:
            raise self.wrong(where, f'"{text}" is no block of hexes: write one id, or two corners as in C3302-C3512')
        columns = sorted(corner[0] for corner in corners)
        rows = sorted(corner[1] for corner in corners)
        return [(c, r) for c in range(columns[0], columns[-1] + 1) for r in range(rows[0], rows[-1] + 1)]

    def hex(self, ground: BattleMap, ident: str, where: Location) -> Hex:
        try:
            return ground.named(ident.strip())
        except ValueError as error:
            raise self.wrong(where, str(error)) from None

    def route(self, ground: BattleMap, path: list[str], where: Location) -> list[Hex]:
        """The hexes straight from one to the next of a path."""
        found = [self.hex(ground, path[0], where)]
        for ident in path[1:]:
            start, end = found[-1], self.hex(ground, ident, where)
            dq, dr = end.q - start.q, end.r - start.r
            for q, r in [*((cell.q, cell.r) for cell in line(dq, dr).cells), (dq, dr)]:
                place = ground.at_axial(start.q + q, start.r + r)
                # Where the line runs between two hexes, the first of them that is in play is the way.
                if place is ground.off or place.distance_to(end) >= found[-1].distance_to(end):
                    continue
                if place.distance_to(found[-1]) > 1:
                    raise self.wrong(where, f"the line from {start.id} to {end.id} leaves the hexes in play")
                found.append(place)
        return found

    # -- what it draws -----------------------------------------------------------------------------------------------

    def paint(self, ground: BattleMap, area: Ground, where: Location) -> None:
        if not area.hexes and not area.outline:
            raise self.wrong(where, "an area needs hexes or an outline")
        if area.terrain is None and area.elevation is None:
            raise self.wrong(where, "an area needs a terrain or an elevation")
        found = [
            ground.at(column, row)
            for number, block in enumerate(area.hexes)
            for column, row in self.block(block, (*where, "hexes", number))
        ]
        if area.outline:
            corners = [self.parse(ident, (*where, "outline")) for ident in area.outline]
            if len(corners) < 3:
                raise self.wrong((*where, "outline"), "an outline needs at least three hexes")
            found += [place for place in ground.hexes if _inside(place, corners)]
        found = [place for place in found if place is not ground.off]
        if not found:
            raise self.wrong(where, "none of its hexes is in play")
        for place in found:
            if area.terrain is not None:
                place.terrain = self.terrain(area.terrain, (*where, "terrain"))
            if area.elevation is not None:
                place.elevation = area.elevation
            _name(place, area.name)

    def draw_ways(self, ground: BattleMap) -> None:
        for number, way in enumerate(self.drawing.way):
            road = self.charts.thoroughfare(way.kind)
            hexes = self.route(ground, way.path, ("way", number, "path"))
            for here, there in pairwise(hexes):
                for a, b in ((here, there), (there, here)):
                    side = a.sides[a.direction_to(b)]
                    if PRECEDENCE.index(way.kind) > PRECEDENCE.index(THOROUGHFARES[side.road]):
                        side.road = THOROUGHFARES.index(way.kind)
                        side.roads = [road]
            for place in hexes:
                _name(place, way.name)

    def draw_hexsides(self, ground: BattleMap) -> None:
        for number, border in enumerate(self.drawing.hexside):
            kind = self.border(border.kind, ("hexside", number, "kind"))
            left = self.route(ground, border.left, ("hexside", number, "left"))
            right = self.route(ground, border.right, ("hexside", number, "right"))
            drawn = 0
            for a in left:
                if a in right:
                    raise self.wrong(("hexside", number), f"{a.id} lies both left and right of it")
                for b in right:
                    if a.direction_to(b) >= 0:
                        drawn += 1
                        for here, there in ((a, b), (b, a)):
                            features = here.sides[here.direction_to(there)].features
                            if kind not in features:
                                features.append(kind)
            if drawn == 0:
                raise self.wrong(("hexside", number), "no hex of left is adjacent to a hex of right")

    def draw_crossings(self, ground: BattleMap) -> None:
        """A bridge or ford takes the place of the water it crosses; a ford that the water closes is water (18.1)."""
        for number, crossing in enumerate(self.drawing.crossing):
            where: Location = ("crossing", number, "between")
            a, b = (self.hex(ground, ident, where) for ident in crossing.between)
            if a.direction_to(b) < 0:
                raise self.wrong(where, f"{a.id} and {b.id} are not adjacent")
            kind = self.border(crossing.kind, ("crossing", number, "kind"))
            for here, there in ((a, b), (b, a)):
                side = here.sides[here.direction_to(there)]
                side.water = [feature for feature in side.features if feature.name in WATERS]
                side.features = [*(feature for feature in side.features if feature.name not in WATERS), kind]
                side.shallow = bool(side.water) and all(feature.crossable(FOOT) for feature in side.water)
                side.bridge = kind.name == "bridge"
                side.ford = kind.name[-1].upper() if kind.name.startswith("ford_") else ""


def _name(place: Hex, name: str) -> None:
    if name and name not in place.features:
        place.features.append(name)


def _inside(place: Hex, corners: list[tuple[int, int]]) -> bool:
    """Whether the centre of a hex lies in the polygon of the corners' centres, its border included (even-odd rule)."""
    x, y = _centre(place.column, place.row)
    inside = False
    for (c1, r1), (c2, r2) in zip(corners, corners[1:] + corners[:1], strict=True):
        x1, y1 = _centre(c1, r1)
        x2, y2 = _centre(c2, r2)
        cross = (x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)
        if cross == 0 and min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
            return True
        if (y1 > y) != (y2 > y) and (x - x1) * abs(y2 - y1) < (x2 - x1) * (y - y1) * (1 if y2 > y1 else -1):
            inside = not inside
    return inside


def _centre(column: int, row: int) -> tuple[int, int]:
    """Centre of a hex, in half rows; how far apart columns are drawn does not matter, for lines stay lines."""
    return column * 2, row * 2 + (column & 1)
