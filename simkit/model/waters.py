"""The waters of a map: their level, and what bridges and fords across them count as now (18.0 of Dead of Winter)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.terrain import FOOT

if TYPE_CHECKING:
    from simkit.model.battlemap import BattleMap, Hex, Hexside
    from simkit.model.charts import Charts, HexsideTerrain, Thoroughfare
    from simkit.model.forces import Unit

LEVELS: Final = ("low", "medium", "high")
MEDIUM: Final[i64] = 1
HIGH: Final[i64] = 2

WATERS: Final = ("stream", "river")
"""Hexside terrain whose place a bridge or ford takes."""

BRIDGE: Final = "bridge"
RAISED: Final = {"ford_b": "ford_a", "ford_a": BRIDGE}
"""What pioneers make of a ford (18.32)."""

PIONEER_POINTS: Final[i64] = 2  # strength points that it takes to raise a ford (18.32)


class WaterSide:
    """A hexside along which water runs, or across which a bridge or ford leads, as the map draws it.

    Attributes:
        views: the hexside from both of its hexes.
        drawn: the water that the map draws, by name.
        over: the bridge or ford across it by name; "" if there is none.
        closed: the bridge cannot be used before pioneers have opened it (18.31).
        sites: hexes in one of which they work at that.
        turns: how many turns they have done so.
        workers: indices of the units that have been at work all through this turn so far.
        raised: pioneers make the ford one class better now (18.32); follows from where they stand.
    """

    def __init__(self, here: Hexside, there: Hexside) -> None:
        self.views: list[Hexside] = [here, there]
        self.drawn: list[str] = []
        self.over = ""
        self.closed = False
        self.sites: list[Hex] = []
        self.turns: i64 = 0
        self.workers: list[int] = []
        self.raised = False
        # what else lies along it, by view, and the thoroughfare that runs through
        self.rest: list[list[HexsideTerrain]] = [[], []]
        self.roads: list[list[Thoroughfare]] = [[], []]
        self.road: i64 = 0

    def keep(self) -> None:
        """Note what else the map has drawn along the hexside, once it is complete."""
        self.rest = [list(view.features) for view in self.views]
        self.roads = [list(view.roads) for view in self.views]
        self.road = self.views[0].road

    def is_ford(self) -> bool:
        """Whether a ford leads across it."""
        return self.over in RAISED


class Waters:
    """The waters of one battle; hexsides hold what follows from their level and from what pioneers do."""

    def __init__(self, ground: BattleMap, charts: Charts) -> None:
        self.map = ground
        self.charts = charts
        self.version: i64 = 0  # another one whenever a hexside has changed
        self.fords: list[WaterSide] = []
        self._stood: list[Hex] = []  # where each pioneer was when fords were looked at last, and his strength points
        self._points: list[i64] = []
        self.bridges: list[WaterSide] = []  # that pioneers must open, or have opened (18.31)
        for side in ground.water_sides:
            if side.is_ford():
                self.fords.append(side)
            if side.closed:
                self.bridges.append(side)

    def kind(self, side: WaterSide) -> HexsideTerrain:
        """18.1, 18.32: what the bridge or ford across a hexside counts as now: water, where it is washed over.

        Pioneers raise the class that a ford has at the present level; one that is under water, the class it is drawn
        with.
        """
        level = LEVELS[self.map.water]
        if not side.raised:
            return self.charts.hexside_at(side.over, level)
        now = self.charts.hexside_at(side.over, level).name
        return self.charts.hexside_at(RAISED[now if now in RAISED else side.over], level)

    def settle(self, side: WaterSide) -> None:
        """18.1, 18.31, 18.32: give both views of a hexside the water, bridge or ford that they have now."""
        level = LEVELS[self.map.water]
        water: list[HexsideTerrain] = []
        for name in side.drawn:
            counts_as = self.charts.hexside_at(name, level)
            if counts_as not in water:
                water.append(counts_as)
        crossing = side.over != "" and not side.closed
        passed = water
        way = True  # a road through the water needs a bridge or ford that can be used
        if crossing:
            kind = self.kind(side)
            passed = [kind]
            way = kind.crossable(FOOT)
        elif side.closed:
            way = False
        for at, view in enumerate(side.views):
            view.features = side.rest[at] + passed
            view.water = list(water) if crossing else []
            view.shallow = crossing and len(water) > 0 and all(feature.crossable(FOOT) for feature in water)
            view.bridge = crossing and passed[0].name == BRIDGE
            view.ford = passed[0].name[-1].upper() if crossing and passed[0].name in RAISED else ""
            view.roads = list(side.roads[at]) if way else []
            view.road = side.road if way else 0

    def settle_all(self) -> None:
        """18.1: settle all hexsides with water, as the map is drawn or the level changes."""
        for side in self.map.water_sides:
            self.settle(side)

    def _resettle(self, side: WaterSide) -> None:
        self.version += 1
        self.settle(side)
        for view in side.views:
            view.fix_costs()

    def rise_to(self, level: i64) -> None:
        """18.2: the level of all waters from now on."""
        if level != self.map.water:
            self.map.water = level
            for side in self.map.water_sides:
                self._resettle(side)

    def open(self, side: WaterSide) -> None:
        """18.31: pioneers have opened a bridge."""
        side.closed = False
        self._resettle(side)

    def raise_fords(self, pioneers: list[Unit]) -> None:
        """18.32: see which fords pioneers make better now.

        Those of them in good order within a hex of one of the two that the ford joins, together of at least two
        strength points, do it.
        """
        if not self._changed(pioneers):
            return
        for side in self.fords:
            points: i64 = 0
            for at, unit in enumerate(pioneers):
                if self._points[at] > 0 and self.beside(side, unit):
                    points += unit.strength
            raised = points >= PIONEER_POINTS
            if raised != side.raised:
                side.raised = raised
                self._resettle(side)

    def _changed(self, pioneers: list[Unit]) -> bool:
        """Whether any of the pioneers stands elsewhere than when fords were looked at last, or is stronger or weaker.

        Whoever stands in more hexes than one counts as elsewhere.
        """
        changed = False
        for at, unit in enumerate(pioneers):
            points: i64 = unit.strength if unit.counts() and not unit.disordered else 0
            if at == len(self._stood):
                self._stood.append(self.map.off)
                self._points.append(0)
            if self._stood[at] is not unit.hex or self._points[at] != points or len(unit.parts) > 1:
                self._stood[at] = unit.hex
                self._points[at] = points
                changed = True
        return changed

    def beside(self, side: WaterSide, unit: Unit) -> bool:
        """18.32: whether a unit stands within a hex of one of the two that a hexside joins."""
        for part in unit.parts:
            for view in side.views:
                if part.hex.distance_to(view.origin) <= 1:
                    return True
        return False

    # -- state -----------------------------------------------------------------------------------------------------

    def numbers(self) -> list[list[int]]:
        """What changes: the level; then by bridge whether it is closed, turns of work, and who is at work.

        Empty for a map without water. Raised fords follow from where pioneers stand.
        """
        if not self.map.water_sides:
            return []
        return [[self.map.water], *[[int(side.closed), side.turns, *side.workers] for side in self.bridges]]

    def take(self, kept: list[list[int]], pioneers: list[Unit]) -> None:
        """Take `numbers` back, once all units stand where they stood."""
        if not kept:
            return
        self.rise_to(kept[0][0])
        for at, side in enumerate(self.bridges):
            row = kept[at + 1]
            closed = row[0] != 0
            if closed != side.closed:
                side.closed = closed
                self._resettle(side)
            side.turns = row[1]
            side.workers = row[2:]
        if pioneers:
            self.raise_fords(pioneers)
