"""Areas of scenario files as hexes of a map: blocks of a sheet, ways by road, banks of a river, hexes near another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simkit.model.battlemap import OFF_ROAD, RAILROAD, BattleMap, Hex
from simkit.model.forces import Unit
from simkit.model.waters import WATERS
from simkit.scenario.forcesfile import Area


def hexes_of(areas: Sequence[Area], ground: BattleMap) -> list[Hex]:
    """The hexes of some areas together, in the order of the map.

    Raises:
        ValueError: a hex is unknown or not in play, no road leads along, or an area has no hex in play.
    """
    found: set[int] = set()
    for area in areas:
        own = [place.index for place in _hexes(area, ground)]
        if not own:
            raise ValueError(f"sheet {area.sheet} has no hex in play there")
        found.update(int(index) for index in own)
    return [ground.hexes[index] for index in sorted(found)]


def _hexes(area: Area, ground: BattleMap) -> list[Hex]:
    if area.hexes:
        return [ground.named(ident) for ident in area.hexes]
    if area.along:
        return _along(ground.named(area.along[0]), ground.named(area.along[1]))
    if area.bank_of is not None:
        return _bank(ground.named(area.bank_of))
    return _block(area, ground)


def _block(area: Area, ground: BattleMap) -> list[Hex]:
    """The hexes in play of a block of a sheet, by printed columns and rows."""
    sheets = [sheet for sheet in ground.grid.sheets if sheet.letter == area.sheet]
    if not sheets:
        letters = ", ".join(sheet.letter for sheet in ground.grid.sheets)
        raise ValueError(f"there is no sheet {area.sheet}; the map has {letters}")
    (first, last), (top, bottom) = area.columns, area.rows
    sheet = sheets[0]
    found = []
    for place in ground.hexes:
        column, row = int(place.column - sheet.column_offset), int(place.row - sheet.row_offset)
        if sheet.holds(column, row) and first <= column <= last and top <= row <= bottom:
            found.append(place)
    return found


def _along(start: Hex, end: Hex) -> list[Hex]:
    """The hexes on the shortest way by trail, road or pike."""
    before: dict[str, Hex] = {start.id: start}
    ring = [start]
    while ring and end.id not in before:
        ring, last = [], ring
        for place in last:
            for side in place.sides:
                if side.on_map and side.road not in (OFF_ROAD, RAILROAD) and side.to.id not in before:
                    before[side.to.id] = place
                    ring.append(side.to)
    if end.id not in before:
        raise ValueError(f"no road leads from {start.id} to {end.id}")
    way = [end]
    while way[-1] is not start:
        way.append(before[way[-1].id])
    return way


def _bank(start: Hex) -> list[Hex]:
    """All hexes that can be reached without crossing a stream or river, bridges and fords included."""
    seen, todo = {start.id}, [start]
    for place in todo:
        for side in place.sides:
            wet = any(feature.name in WATERS for feature in [*side.features, *side.water])
            if side.on_map and not wet and not side.bridge and not side.ford and side.to.id not in seen:
                seen.add(side.to.id)
                todo.append(side.to)
    return todo


def within(middle: Hex, hexes: int, ground: BattleMap) -> list[Hex]:
    """All hexes at most so far from a hex, in the order of the map."""
    return [place for place in ground.hexes if place.distance_to(middle) <= hexes]


def clear_of(hexes: Iterable[Hex], enemies: Sequence[Unit], distance: int) -> list[Hex]:
    """Those of some hexes to which no enemy on the map is nearer than so many hexes."""
    there = [enemy.hex for enemy in enemies if enemy.hex.index >= 0]
    return [place for place in hexes if all(place.distance_to(enemy) >= distance for enemy in there)]
