"""Chapter 9, movement: who is under way, and by which hexes he has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader


class Route:
    """A unit or stack under way (8.21): the hexes behind it, how it entered each, and who rides along.

    A stack is led by the unit with which the route is made; `units` are all who are still under way, top first.
    """

    def __init__(self, unit: Unit, riders: list[Leader]) -> None:
        self.units: list[Unit] = [unit]
        self.depth: i64 = unit.hex.stack.index(unit.parts[0])  # in the stack that it leaves
        self.hexes: list[Hex] = [unit.hex]
        self.tail: list[Hex] = [part.hex for part in unit.parts[1:]]  # of its Extended Column, as it set out (8.5)
        self.sides: list[Hexside] = []
        self.by_road: list[bool] = []
        self.by_crossing: list[bool] = []
        self.riders = riders
        self.paid: i64 = 0  # half movement points for the step under way
        self.costs: list[i64] = []  # for those behind
        self.hard = False  # a withdrawal that asks for a check in every hex (9.54)
        self.short = False  # a withdrawal that fire has limited to one hex (10.44)
        self.charge = False  # a cavalry charge, which those who must leave it do not stop (11.52)
        self.stopped: list[Unit] = []  # by a second disorder from terrain (12.35c)

    def drop_lost_riders(self) -> None:
        """9.31: forget riders who are with the unit no more: they have fallen, or stayed behind."""
        unit = self.units[0]
        self.riders = [leader for leader in self.riders if leader.waiting or unit.stands_in(leader.hex)]

    def enter(self, side: Hexside, by_road: bool) -> None:
        """Add the hex on the far side of a hexside."""
        self.hexes.append(side.to)
        self.sides.append(side)
        self.by_road.append(by_road)
        self.by_crossing.append(side.by_crossing)
        self.costs.append(self.paid)

    def back(self, hexes: i64) -> None:
        """Forget the last so many hexes of the way."""
        count = len(self.sides) - hexes
        self.hexes = self.hexes[: count + 1]
        self.sides = self.sides[:count]
        self.by_road = self.by_road[:count]
        self.by_crossing = self.by_crossing[:count]
        self.costs = self.costs[:count]

    def here(self) -> Hex:
        """The hex to which it has come."""
        return self.hexes[len(self.hexes) - 1]

    def part_with(self, unit: Unit) -> Route:
        """The way of one unit that leaves the others; the riders stay with them, if there are any."""
        self.units = [one for one in self.units if one is not unit]
        alone = Route(unit, [] if self.units else self.riders)
        alone.depth = self.depth
        alone.hexes = list(self.hexes)
        alone.tail = list(self.tail)
        alone.sides = list(self.sides)
        alone.by_road = list(self.by_road)
        alone.by_crossing = list(self.by_crossing)
        alone.costs = list(self.costs)
        return alone
