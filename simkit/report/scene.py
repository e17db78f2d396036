"""A battle as a picture needs it: plain data on hexes, hexsides, thoroughfares and units, without the engine."""

from dataclasses import dataclass, field

from simkit.model.battle import Battle
from simkit.model.battlemap import BattleMap, Hexside
from simkit.model.breastworks import KIND as BREASTWORKS
from simkit.model.forces import KINDS, ON_MAP, SIDES, Part


@dataclass(frozen=True)
class HexPicture:
    """One hex: its printed id, its column and row on the joined maps, its terrain's name, its level and its names."""

    id: str
    column: int
    row: int
    terrain: str = "clear"
    elevation: int = 0
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class HexsidePicture:
    """What lies along a hexside (stream, ford, bridge, breastworks ...); directions are 0 to 5 clockwise from north."""

    hex: str
    direction: int
    kind: str


@dataclass(frozen=True)
class WayPicture:
    """A thoroughfare (trail, road, pike, railroad) from the middle of a hex to that of its neighbour."""

    hex: str
    direction: int
    kind: str


@dataclass(frozen=True)
class MapData:
    """The ground of a battle."""

    hexes: tuple[HexPicture, ...]
    hexsides: tuple[HexsidePicture, ...] = ()
    ways: tuple[WayPicture, ...] = ()


@dataclass(frozen=True)
class UnitPicture:
    """One unit on the map.

    Attributes:
        heading: what it faces, 0 to 11 clockwise from north (even: a hexside, odd: a vertex); -1 if that is not known.
    """

    name: str
    side: str
    hex: str
    heading: int = -1
    strength: int = 0
    kind: str = "infantry"
    disordered: bool = False
    collapsed: bool = False


@dataclass(frozen=True)
class Arrow:
    """Something that goes from hex to hex: kind move, retreat, fire or shock."""

    side: str
    start: str
    end: str
    kind: str = "move"


@dataclass(frozen=True)
class Scene:
    """The ground and the units upon it, the lowest of each stack first."""

    ground: MapData
    units: tuple[UnitPicture, ...] = ()
    arrows: tuple[Arrow, ...] = field(default=())


def ground_of(ground: BattleMap) -> MapData:
    """A map as a picture needs it."""
    hexes, hexsides, ways = [], [], []
    for place in ground.hexes:
        terrain, level = place.terrain.name, int(place.elevation)
        names = tuple(place.features)
        hexes.append(HexPicture(place.id, int(place.column), int(place.row), terrain, level, names))
        for side in place.sides:
            direction = int(side.direction)
            if not side.on_map:
                continue
            hexsides += [HexsidePicture(place.id, direction, kind) for kind in _kinds(side)]
            if place.walls & (1 << direction):
                hexsides.append(HexsidePicture(place.id, direction, BREASTWORKS))
            if direction < 3:
                ways += [WayPicture(place.id, direction, way.name) for way in side.roads]
    return MapData(tuple(hexes), tuple(hexsides), tuple(ways))


def _kinds(side: Hexside) -> list[str]:
    """What lies along a hexside; what both hexes say is told once, by the one with the lower direction."""
    back = side.to.sides[(side.direction + 3) % 6]
    return [kind for kind in _named(side) if side.direction < 3 or kind not in _named(back)]


def _named(side: Hexside) -> list[str]:
    return [feature.name for feature in side.features]


def units_of(battle: Battle) -> tuple[UnitPicture, ...]:
    """The units on the map as they stand now, of extended ones each part, the lowest of each stack first."""
    stacks = (reversed(place.stack) for place in battle.map.hexes)
    return tuple(_unit(part) for stack in stacks for part in stack if part.unit.place == ON_MAP)


def _unit(part: Part) -> UnitPicture:
    unit = part.unit
    return UnitPicture(
        name=unit.name,
        side=SIDES[unit.side],
        hex=part.hex.id,
        heading=int(part.heading()),
        strength=int(part.points()),
        kind=KINDS[unit.kind],
        disordered=unit.disordered,
        collapsed=unit.collapsed,
    )


def scene_of(battle: Battle) -> Scene:
    """The ground and the units of a battle as they stand now."""
    return Scene(ground_of(battle.map), units_of(battle))
