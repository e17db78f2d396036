"""Where units and leaders stand on the map of a battle, and what that makes of the hexes around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simkit.model.course import Course
from simkit.model.forces import ARTILLERY, IN_ONE_HEX, ON_MAP, UNION, Part, Unit
from simkit.model.formation import part_faces

if TYPE_CHECKING:
    from simkit.model.battlemap import BattleMap, Hex
    from simkit.model.leaders import Leader


class Positions:
    """The map of a battle with those who stand on it: they come, go, extend and retract here alone.

    Args:
        ground: the map.
    """

    def __init__(self, ground: BattleMap) -> None:
        self.map = ground
        self.course = Course()
        self._union_stirred: i64 = 0  # how often any combat unit of a side has come into a hex or gone from it
        self._confederate_stirred: i64 = 0

    # -- who stands where ------------------------------------------------------------------------------------------

    def stand(self, unit: Unit, place: Hex, on_top: bool) -> None:
        """Put a unit that stands nowhere into a hex, on top of or beneath the stack there; or leave it off the map."""
        if place is not self.map.off:
            self.stand_at(unit, place, 0 if on_top else len(place.stack))

    def stand_at(self, unit: Unit, place: Hex, depth: i64) -> None:
        """Put a unit that stands nowhere into a hex beneath the first `depth` units of the stack there."""
        part = unit.parts[0]
        part.hex = place
        unit.hex = place
        for section in unit.sections:
            section.hex = place
        place.stack.insert(depth, part)
        if unit.abandoned == 0:
            self._count_near(unit, place, 1)
            self._come(unit, place)

    def _come(self, unit: Unit, place: Hex) -> None:
        """A unit has come into a hex: it takes it, and pays for ground of which its scenario warns it (2.0)."""
        if place.scored >= 0:
            self.course.taken(place, unit.side)
        if place.costly & unit.bound != 0:
            unit.command.marker_limit = self.course.least_markers

    def lift(self, unit: Unit) -> None:
        """Take a unit out of its hex; it then stands off the map, no longer extended nor refused (7.33, 8.47)."""
        while len(unit.parts) > 1:
            self.withdraw_part(unit, unit.parts[len(unit.parts) - 1])
        self._lift_part(unit.parts[0])
        unit.hex = self.map.off
        unit.refused = 0

    def _lift_part(self, part: Part) -> None:
        place = part.hex
        if place is not self.map.off:
            place.stack.remove(part)
            if part.unit.abandoned == 0:
                self._count_near(part.unit, place, -1)
        part.hex = self.map.off
        for section in part.unit.sections:
            section.hex = part.hex

    def stirred(self, side: i64) -> i64:
        """How often any combat unit of a side has come into a hex or gone from it: the same while all stay put."""
        return self._union_stirred if side == UNION else self._confederate_stirred

    # -- extended units (8.4, 8.5) ---------------------------------------------------------------------------------

    def add_part(self, unit: Unit, place: Hex, depth: i64, formation: i64) -> Part:
        """Put an Extended marker of a unit into a hex, beneath the first `depth` of the stack there.

        `formation` is EXTENDED_LINE or EXTENDED_COLUMN.
        """
        part = Part(unit, place)
        part.column_heading = unit.heading
        unit.parts.append(part)
        unit.extended = formation
        place.stack.insert(depth, part)
        self._count_near(unit, place, 1)
        self._come(unit, place)
        return part

    def withdraw_part(self, unit: Unit, part: Part) -> None:
        """Take one part of an extended unit off the map; if it is the counter, the next part becomes the counter."""
        points = part.points()
        heir = unit.parts[1 if part is unit.parts[0] else 0]
        heir.book.take_in(part.book, heir.points(), points)
        self._lift_part(part)
        unit.parts.remove(part)
        unit.hex = unit.parts[0].hex
        if len(unit.parts) == 1:
            unit.extended = IN_ONE_HEX

    def move_parts(self, unit: Unit, places: list[Hex], depths: list[i64]) -> None:
        """Put all parts of an extended unit into other hexes at once, each beneath so many of the stack there.

        `places` and `depths` are in the order of its parts; of its old hexes it may keep some.
        """
        for part in unit.parts:
            self._lift_part(part)
        for at, part in enumerate(unit.parts):
            place = places[at]
            part.hex = place
            place.stack.insert(depths[at], part)
            self._count_near(unit, place, 1)
            self._come(unit, place)
        unit.hex = places[0]

    def abandon(self, unit: Unit, level: i64) -> None:
        """Set the Abandoned marker of a battery: 0 none, 1 or 2 (12.8)."""
        if unit.place == ON_MAP:
            if unit.abandoned == 0 and level != 0:
                self._count_near(unit, unit.hex, -1)
            elif unit.abandoned != 0 and level == 0:
                self._count_near(unit, unit.hex, 1)
        unit.abandoned = level
        if level != 0:
            unit.refused = 0
        if unit.place == ON_MAP:
            self.see_top(unit.hex)

    def _count_near(self, unit: Unit, place: Hex, change: i64) -> None:
        """Note in a hex and those around it that a combat unit has come (1) or gone (-1)."""
        self.see_top(place)
        if unit.side == UNION:
            self._union_stirred += 1
        else:
            self._confederate_stirred += 1
        line = unit.kind != ARTILLERY
        for side in place.sides:
            if not side.on_map:
                continue
            near = side.to
            if unit.side == UNION:
                near.union_near += change
                if line:
                    near.union_line_near += change
            else:
                near.confederate_near += change
                if line:
                    near.confederate_line_near += change

    def see_top(self, place: Hex) -> None:
        """Note in a hex who stands on top of its stack, and whose hex it is, once either may have changed."""
        place.top = None
        place.holder = -1
        for part in place.stack:
            if part.unit.abandoned == 0:
                place.top = part.unit
                place.holder = part.unit.side
                return

    def remove(self, unit: Unit, where: i64) -> None:
        """Take a unit off the map: ROUTED, ELIMINATED or NOT_ENTERED."""
        self.lift(unit)
        unit.place = where

    def stand_leader(self, leader: Leader, place: Hex) -> None:
        """Move a leader to a hex, or off the map."""
        if leader.hex is not self.map.off and leader in leader.hex.leaders:
            leader.hex.leaders.remove(leader)
        leader.hex = place
        if place is not self.map.off:
            place.leaders.append(leader)

    def enemy_near(self, place: Hex, side: i64) -> bool:
        """Whether an enemy combat unit of `side` stands adjacent to the hex."""
        return place.confederate_near > 0 if side == UNION else place.union_near > 0

    def beside_enemy(self, unit: Unit) -> bool:
        """Whether an enemy combat unit stands adjacent to a unit, to any of its parts."""
        if unit.extended == IN_ONE_HEX:
            return self.enemy_near(unit.hex, unit.side)
        return any(self.enemy_near(part.hex, unit.side) for part in unit.parts)

    def enemy_line_near(self, place: Hex, side: i64) -> bool:
        """Whether an enemy infantry or cavalry unit of `side` stands adjacent to the hex."""
        return place.confederate_line_near > 0 if side == UNION else place.union_line_near > 0

    def top_unit(self, place: Hex) -> Unit | None:
        """The topmost unit of a stack that is no abandoned battery, or None."""
        return place.top

    def held_by(self, place: Hex) -> i64:
        """Side of the combat units in a hex, abandoned guns apart; -1 if there are none."""
        return place.holder

    def units_in(self, place: Hex) -> list[Unit]:
        """Units of a stack that are no abandoned guns, top first."""
        return [part.unit for part in place.stack if part.unit.abandoned == 0]

    def in_front(self, unit: Unit, place: Hex) -> bool:
        """Whether a hex is one of a unit's frontal hexes (7.13)."""
        if unit.extended != IN_ONE_HEX or unit.refused != 0:
            return any(part_faces(part, place) for part in unit.parts)
        for side in unit.hex.nodes[unit.heading].ahead:
            if side.to is place:
                return True
        return False

    def in_enemy_front(self, place: Hex, side: i64) -> bool:
        """Whether a hex is a frontal hex of an enemy unit of `side`."""
        if not self.enemy_near(place, side):
            return False
        for hexside in place.sides:
            for part in hexside.to.stack:
                unit = part.unit
                if unit.side != side and unit.abandoned == 0 and self.in_front(unit, place):
                    return True
        return False


__all__ = ["Positions"]
