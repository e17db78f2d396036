"""Breastworks of a battle: those that stand, and those under construction (15.1, 15.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.hexgrid import opposite

if TYPE_CHECKING:
    from simkit.model.battlemap import BattleMap, Hex
    from simkit.model.charts import Charts
    from simkit.model.forces import Part, Unit

KIND: Final = "breastworks"  # their line of the terrain effects chart
MOST_IN_HEX: Final[i64] = 2  # markers (15.12)


def covered(vertex: i64) -> i64:
    """15.21: the two hexsides of a marker that faces a vertex, a bit for each: those before and after it, clockwise.

    Args:
        vertex: 0 to 5, the one between hexsides `vertex` and `vertex + 1`; half of the heading that faces it.
    """
    return (1 << vertex) | (1 << ((vertex + 1) % 6))


class Site:
    """A construction marker (15.13): who builds, where, towards which vertex, and in which turn it will be done."""

    def __init__(self, unit: Unit, place: Hex, vertex: i64, due: i64) -> None:
        self.unit = unit
        self.hex = place
        self.vertex = vertex
        self.due = due  # turn, counted from 0, in whose recovery phase it becomes breastworks


class Breastworks:
    """All markers of one battle; hexes and hexsides hold what follows from them."""

    def __init__(self, ground: BattleMap, charts: Charts) -> None:
        self.map = ground
        self.charts = charts
        self.sites: list[Site] = []
        self.hexes: list[Hex] = []  # where some stand

    def stand_in(self, place: Hex, vertex: i64) -> None:
        """15.21: put a finished marker into a hex, facing a vertex (see `covered`)."""
        if place not in self.hexes:
            self.hexes.append(place)
        place.works.append(vertex)
        self._settle(place)

    def remove(self, place: Hex, vertex: i64) -> None:
        """15.17: take a finished marker away."""
        place.works.remove(vertex)
        if not place.works:
            self.hexes.remove(place)
        self._settle(place)

    def _settle(self, place: Hex) -> None:
        """Work out which hexsides of a hex are covered, and what it costs to cross each from both sides."""
        place.walls = 0
        for vertex in place.works:
            place.walls |= covered(vertex)
        place.appraised = -1  # what a hex is worth may hang on its works
        for side in place.sides:
            if side.on_map:
                back = side.to.sides[opposite(side.direction)]
                walled = place.walls & (1 << side.direction) != 0 or side.to.walls & (1 << back.direction) != 0
                if walled != (len(side.walls) > 0):
                    walls = [self.charts.hexside(KIND)] if walled else []
                    for view in (side, back):
                        view.walls = walls
                        view.fix_costs()

    def begin(self, site: Site) -> None:
        """15.13: place a construction marker."""
        self.sites.append(site)
        site.unit.building = True

    def end(self, site: Site) -> None:
        """15.13, 15.14: take a construction marker away, done or not."""
        self.sites.remove(site)
        site.unit.building = any(other.unit is site.unit for other in self.sites)

    def sites_of(self, unit: Unit) -> list[Site]:
        """15.15: what a unit builds, an Extended Line with each of its parts."""
        return [site for site in self.sites if site.unit is unit]

    def built_by(self, part: Part) -> bool:
        """15.15: whether a part of a unit is building."""
        return any(site.unit is part.unit and site.hex is part.hex for site in self.sites)

    def room_in(self, place: Hex) -> bool:
        """15.12: whether a hex has room for another marker, and nobody builds there."""
        return len(place.works) < MOST_IN_HEX and not any(site.hex is place for site in self.sites)

    # -- state -----------------------------------------------------------------------------------------------------

    def numbers(self) -> list[list[int]]:
        """What changes: for each hex with finished markers its index and their vertices, by hex; then the sites."""
        building = [[-1, site.unit.index, site.hex.index, site.vertex, site.due] for site in self.sites]
        return self._standing() + building

    def _standing(self) -> list[list[int]]:
        if not self.hexes:
            return []
        rows: list[list[int]] = [[int(place.index), *place.works] for place in self.hexes]
        rows.sort()
        return rows

    def take(self, kept: list[list[int]], units: list[Unit]) -> None:
        """Take `numbers` back; the units are those of the roster."""
        standing = [row for row in kept if row[0] >= 0]
        if standing != self._standing():
            for place in list(self.hexes):
                for vertex in list(place.works):
                    self.remove(place, vertex)
            for row in standing:
                for vertex in row[1:]:
                    self.stand_in(self.map.hexes[row[0]], vertex)
        self.sites = [
            Site(units[row[1]], self.map.hexes[row[2]], row[3], row[4]) for row in kept if row[0] < 0
        ]
