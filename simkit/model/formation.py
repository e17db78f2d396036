"""What lies around each part of a unit: its zones, with refused ends, extended or not (7.12, 7.34, 8.44, 8.51)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simkit.model.forces import EXTENDED_COLUMN, EXTENDED_LINE, IN_ONE_HEX, MARCH, REFUSED_LEFT, REFUSED_RIGHT
from simkit.model.hexgrid import FLANK, FRONT, REAR, opposite, zone

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Part, Unit


def left_flank(heading: i64) -> i64:
    """Direction of the left flank hexside of whoever faces a vertex (7.12)."""
    return (heading // 2 + 5) % 6


def right_flank(heading: i64) -> i64:
    """Direction of the right flank hexside of whoever faces a vertex (7.12)."""
    return (heading // 2 + 2) % 6


def left_end(part: Part) -> bool:
    """7.31, 8.44: whether a part is the left end of its unit."""
    return not _own_beside(part, left_flank(part.heading()))


def right_end(part: Part) -> bool:
    """7.31, 8.44: whether a part is the right end of its unit."""
    return not _own_beside(part, right_flank(part.heading()))


def _own_beside(part: Part, direction: i64) -> bool:
    unit = part.unit
    return unit.extended == EXTENDED_LINE and unit.stands_in(part.hex.sides[direction].to)


def refused_at(part: Part) -> i64:
    """7.31, 8.44: which of a part's own ends are refused: those ends of its unit that it forms itself."""
    unit = part.unit
    refused = unit.refused
    if refused == 0 or unit.extended == IN_ONE_HEX:
        return refused
    found: i64 = 0
    if refused & REFUSED_LEFT != 0 and left_end(part):
        found += REFUSED_LEFT
    if refused & REFUSED_RIGHT != 0 and right_end(part):
        found += REFUSED_RIGHT
    return found


def part_zone(part: Part, direction: i64) -> i64:
    """7.12, 7.34, 8.51: zone (FRONT, FLANK or REAR) in which a hexside of a part's hex lies for it.

    A refused flank is front, and the rear hexside beside it flank. An Extended Column on the march has its front at the
    head and its rear at the end of the tail; all else is flank.
    """
    unit = part.unit
    heading = part.heading()
    if unit.extended == EXTENDED_COLUMN and unit.orders == MARCH:
        if part is unit.parts[0]:
            return FRONT if direction == heading // 2 else FLANK
        last = part is unit.parts[len(unit.parts) - 1]
        return REAR if last and direction == opposite(heading // 2) else FLANK
    if unit.refused != 0:
        refused = refused_at(part)
        turn = (direction - heading // 2) % 6  # clockwise from the hexside left of the vertex faced
        if refused & REFUSED_LEFT != 0:
            if turn == 5:
                return FRONT
            if turn == 4:
                return FLANK
        if refused & REFUSED_RIGHT != 0:
            if turn == 2:
                return FRONT
            if turn == 3:
                return FLANK
    return zone(heading, direction)


def frontal(part: Part) -> list[Hexside]:
    """7.13, 7.34, 8.51: hexsides into a part's frontal hexes on the map, a refused one after the others."""
    unit = part.unit
    if unit.refused == 0 and unit.extended != EXTENDED_COLUMN:
        return part.hex.nodes[unit.heading].ahead
    sides = list(part.hex.nodes[part.heading()].ahead)
    if unit.extended == EXTENDED_COLUMN and unit.orders == MARCH:
        return sides if part is unit.parts[0] else []
    sides.extend(refused_front(part))
    return sides


def refused_front(part: Part) -> list[Hexside]:
    """7.34: hexsides into a part's Refused Frontal hexes on the map."""
    refused = refused_at(part)
    found: list[Hexside] = []
    if refused & REFUSED_LEFT != 0:
        found.append(part.hex.sides[left_flank(part.heading())])
    if refused & REFUSED_RIGHT != 0:
        found.append(part.hex.sides[right_flank(part.heading())])
    return [side for side in found if side.on_map]


def hexes_of(units: list[Unit]) -> list[Hex]:
    """The hexes in which the parts of some units stand, each once."""
    found: list[Hex] = []
    for unit in units:
        for part in unit.parts:
            if part.hex not in found:
                found.append(part.hex)
    return found


def part_faces(part: Part, place: Hex) -> bool:
    """7.13: whether a hex is a frontal hex of a part."""
    return any(side.to is place for side in frontal(part))


def line_from_left(unit: Unit) -> list[Part]:
    """8.44: the parts of an Extended Line from its left end to its right (of any other unit, as they are)."""
    if unit.extended != EXTENDED_LINE:
        return list(unit.parts)
    at = unit.parts[0]
    for part in unit.parts:
        if left_end(part):
            at = part
    ordered: list[Part] = [at]
    while len(ordered) < len(unit.parts):
        at = unit.part_in(at.hex.sides[right_flank(unit.heading)].to)
        ordered.append(at)
    return ordered
