"""Parts of units: what stands in one hex, the whole of a unit or its share where it is extended (8.4, 8.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.firebook import FireBook

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.charts import Weapon
    from simkit.model.forces import Unit

# how a unit stands: in one hex, or extended into two or three (8.4, 8.5)
IN_ONE_HEX: Final[i64] = 0
EXTENDED_LINE: Final[i64] = 1
EXTENDED_COLUMN: Final[i64] = 2
FORMATIONS: Final = ("in one hex", "Extended Line", "Extended Column")


class Part:
    """The share of a unit that stands in one hex: a whole unit has one part, an extended one two or three (8.4, 8.5).

    The first part is the counter itself, the others are its Extended markers. Those of an Extended Line stand side by
    side and face as the counter does; those of an Extended Column stand behind it, nearest first, each with its own
    `heading`.
    """

    def __init__(self, unit: Unit, place: Hex) -> None:
        self.unit = unit
        self.hex = place
        self.column_heading: i64 = 0  # of a marker of an Extended Column
        self.book = FireBook()  # of this brigade activation

    def heading(self) -> i64:
        """What it faces (7.11, 8.44, 8.51, 8.52)."""
        unit = self.unit
        if unit.extended == EXTENDED_COLUMN and unit.parts[0] is not self:
            return self.column_heading
        return unit.heading

    def points(self) -> i64:
        """8.44, 8.5: its share of the unit's strength points: equal, the rest for the counter and a marker."""
        unit = self.unit
        if unit.extended == IN_ONE_HEX:
            return unit.strength
        count: i64 = len(unit.parts)
        left = unit.strength % count
        at: i64 = 0
        while unit.parts[at] is not self:
            at += 1
        return unit.strength // count + (1 if at < left else 0)

    def fighting(self) -> i64:
        """14.25: points of its share that count in fire and shock; dismounted cavalry, never extended, has one part."""
        unit = self.unit
        return unit.fighting() if unit.extended == IN_ONE_HEX and unit.on_foot() else self.points()

    def armed_with(self) -> Weapon:
        """10.12: the weapon with which it fires."""
        return self.unit.weapon

    def ammunition(self) -> i64:
        """10.69: its ammunition: 1 low, 2 out."""
        return self.unit.ammo
