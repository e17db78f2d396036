"""The audit of one unit's formation: its parts in an Extended Line or Column, and its refused ends (7.3, 8.4, 8.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.forces import (
    ATTACK,
    CAVALRY,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    FORMATIONS,
    IN_ONE_HEX,
    INFANTRY,
    MARCH,
    REFUSED_LEFT,
    REFUSED_RIGHT,
)
from simkit.model.formation import left_end, left_flank, refused_front, right_end, right_flank
from simkit.model.hexgrid import REAR, zone

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Part, Unit

# strength points from which a unit may stand in two and in three hexes (8.41, 8.43, 8.5)
FOOT_IN_TWO: Final[i64] = 8
FOOT_IN_THREE: Final[i64] = 15
HORSE_IN_TWO: Final[i64] = 5
HORSE_IN_THREE: Final[i64] = 9
ALONE_REFUSED: Final[i64] = 2  # strength points of a unit that is refused alone in its hex (7.32)
BOTH: Final[i64] = REFUSED_LEFT + REFUSED_RIGHT


def audit_formation(unit: Unit, faults: list[str]) -> None:
    """Why the formation of a unit on the map is illegal between brigade activations; adds to `faults`."""
    name = f"{unit.id} in {unit.hex.id}"
    if unit.extended < IN_ONE_HEX or unit.extended > EXTENDED_COLUMN:
        faults.append(f"{name}: formation {unit.extended} is none")
        return
    if (len(unit.parts) > 1) != (unit.extended != IN_ONE_HEX):
        faults.append(f"{name}: {FORMATIONS[unit.extended]}, but it has {len(unit.parts)} parts")
        return
    _audit_refusal(name, unit, faults)
    if unit.extended == IN_ONE_HEX:
        _audit_march(name, unit, faults)
        return
    _audit_strength(name, unit, faults)
    if unit.extended == EXTENDED_LINE:
        _audit_line(name, unit, faults)
    else:
        _audit_column(name, unit, faults)


def _audit_strength(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether it is of the arm and strength to stand in so many hexes (8.41, 8.42, 8.43, 8.5)."""
    parts: i64 = len(unit.parts)
    horse = unit.kind == CAVALRY
    if unit.kind not in (INFANTRY, CAVALRY) or (horse and (not unit.mounted or unit.extended == EXTENDED_LINE)):
        faults.append(f"{name}: it is of no arm that forms an {FORMATIONS[unit.extended]} (8.41, 8.5)")
    if parts > most_hexes(unit):
        faults.append(f"{name}: with {unit.strength} strength points it stands in {parts} hexes (8.42, 8.43, 8.5)")


def most_hexes(unit: Unit) -> i64:
    """8.41, 8.43, 8.5: hexes in which a unit of that arm and strength may stand."""
    horse = unit.kind == CAVALRY
    if unit.strength >= (HORSE_IN_THREE if horse else FOOT_IN_THREE):
        return 3
    return 2 if unit.strength >= (HORSE_IN_TWO if horse else FOOT_IN_TWO) else 1


def _audit_march(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether a unit that has marched into its hex stands there in column, if it is too strong for one (8.12, 8.5).

    One that has just come onto the map cannot yet.
    """
    arm = unit.kind == INFANTRY or (unit.kind == CAVALRY and unit.mounted)
    if unit.orders == MARCH and unit.entered and arm and most_hexes(unit) > 1 and unit.hex.entrance is None:
        faults.append(f"{name}: it has marched with {unit.strength} strength points, but not in Extended Column (8.5)")


def _audit_line(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether its parts stand side by side along its flanks (8.41, 8.44)."""
    if unit.orders == MARCH:
        faults.append(f"{name}: an Extended Line under March Orders (8.51)")
        return
    for at, part in enumerate(unit.parts):
        for other in unit.parts[:at]:
            if other.hex is part.hex:
                faults.append(f"{name}: two parts of its Extended Line stand in {part.hex.id} (8.44)")
                return
    lefts: i64 = 0
    rights: i64 = 0
    for part in unit.parts:
        if left_end(part):
            lefts += 1
        if right_end(part):
            rights += 1
        if not _beside_another(part):
            faults.append(f"{name}: its part in {part.hex.id} stands apart from the others (8.41)")
            return
    if lefts != 1 or rights != 1:
        faults.append(f"{name}: its Extended Line has {lefts} left ends and {rights} right ends (8.44)")


def _beside_another(part: Part) -> bool:
    heading = part.unit.heading
    for direction in (left_flank(heading), right_flank(heading)):
        if part.unit.stands_in(part.hex.sides[direction].to):
            return True
    return False


def _audit_column(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether its parts follow each other, and its orders allow a column (8.5, 8.53)."""
    for at, part in enumerate(unit.parts):
        if at > 0 and part.hex.direction_to(unit.parts[at - 1].hex) < 0:
            faults.append(f"{name}: its part in {part.hex.id} is not adjacent to the one before it (8.5)")
        if (part.heading() % 2 == 0) != (unit.orders == MARCH):
            faults.append(f"{name}: its part in {part.hex.id} faces as its orders do not allow (7.11, 8.51, 8.52)")
        elif at > 0 and not _marker_faces(part, unit.parts[at - 1].hex, unit.orders == MARCH):
            faults.append(f"{name}: its part in {part.hex.id} does not face the one before it (8.51, 8.52)")
        if unit.entered and len([other for other in part.hex.stack if other.unit.abandoned == 0]) > 1:
            faults.append(f"{name}: it has moved in column into the company of others in {part.hex.id} (8.5)")
    if unit.orders != MARCH and zone(unit.heading, unit.hex.direction_to(unit.parts[1].hex)) != REAR:
        faults.append(f"{name}: its first marker is not in its rear (8.52)")


def _marker_faces(part: Part, place: Hex, marching: bool) -> bool:
    """8.51, 8.52: whether a marker of a column faces a hex: across the hexside ahead, or one of the two."""
    ahead = part.column_heading // 2
    direction = part.hex.direction_to(place)
    return direction == ahead or (not marching and direction == (ahead + 1) % 6)


def _audit_refusal(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether it may be refused as it is (7.32, 8.44)."""
    if unit.refused == 0:
        return
    if unit.refused < 0 or unit.refused > BOTH:
        faults.append(f"{name}: refusal {unit.refused} is none")
    elif unit.orders == MARCH or unit.orders > ATTACK or unit.extended == EXTENDED_COLUMN:
        faults.append(f"{name}: refused on the march or in Extended Column (7.32)")
    elif unit.refused == BOTH and unit.extended != EXTENDED_LINE:
        faults.append(f"{name}: refused in both directions, but no Extended Line (7.32)")
    alone = unit.extended == IN_ONE_HEX and len([part for part in unit.hex.stack if part.unit.abandoned == 0]) == 1
    if alone and unit.strength < ALONE_REFUSED:
        faults.append(f"{name}: refused alone with {unit.strength} strength points (7.32)")
    for part in unit.parts:
        for side in refused_front(part):
            for other in side.to.stack:
                if other.unit.side == unit.side and other.unit.abandoned == 0:
                    faults.append(f"{name}: {other.unit.id} stands in its refused flank in {side.to.id} (7.32)")

