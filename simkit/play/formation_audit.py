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

if TYPE_CHECKING:
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
    two = HORSE_IN_TWO if horse else FOOT_IN_TWO
    three = HORSE_IN_THREE if horse else FOOT_IN_THREE
    if parts > 3 or unit.strength < (three if parts == 3 else two):
        faults.append(f"{name}: with {unit.strength} strength points it stands in {parts} hexes (8.42, 8.43, 8.5)")


def _audit_line(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether its parts stand side by side along its flanks (8.41, 8.44)."""
    if unit.orders == MARCH:
        faults.append(f"{name}: an Extended Line under March Orders (8.51)")
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

