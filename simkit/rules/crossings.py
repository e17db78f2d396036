"""Rivers that rise, and what pioneers make of bridges and fords (18.2, 18.3 of Dead of Winter)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.log import EVERYTHING
from simkit.model.waters import HIGH, LEVELS
from simkit.rules.chapter import Chapter

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.model.waters import WaterSide

TURNS_OF_WORK: Final[i64] = 10  # daylight turns until a bridge is open (18.31)


@mypyc_attr(allow_interpreted_subclasses=True)
class Crossings(Chapter):
    """The level of the waters in play, and the work of pioneers on bridges."""

    def rain(self) -> None:
        """18.2, 19.0: rain raises the waters by a level, to high at most, for the rest of the battle."""
        level = self.battle.map.water
        if not self.battle.map.water_sides:
            return  # there are none
        if level < HIGH:
            level += 1
            self.battle.waters.rise_to(level)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("water", -1, "", "", "", LEVELS[level])

    def works_on(self, unit: Unit, bridge: WaterSide) -> bool:
        """18.31: whether a pioneer unit can work on a bridge: in good order in one of its hexes."""
        return unit.counts() and not unit.disordered and any(part.hex in bridge.sites for part in unit.parts)

    def fired(self, unit: Unit, target: Hex) -> None:
        """18.31: a turn in which a pioneer unit fires or is fired on is none of work for it."""
        for bridge in self.battle.waters.bridges:
            kept: list[int] = []
            for at in bridge.workers:
                worker = self.battle.units[at]
                if worker is not unit and not worker.stands_in(target):
                    kept.append(at)
            bridge.workers = kept

    def in_danger(self, bridge: WaterSide) -> bool:
        """18.31: whether the enemy is adjacent to a pioneer unit at a bridge, or in one of its hexes."""
        for unit in self.battle.pioneers:
            there = unit.counts() and any(part.hex in bridge.sites for part in unit.parts)
            if there and self.battle.beside_enemy(unit):
                return True
        owner: i64 = self.battle.pioneers[0].side if self.battle.pioneers else -1
        for place in bridge.sites:
            holder = self.battle.held_by(place)
            if holder >= 0 and holder != owner:
                return True
        return False

    def begin_turn(self) -> None:
        """18.31: note who begins a turn at work on each bridge that is closed."""
        for bridge in self.battle.waters.bridges:
            bridge.workers = []
            if bridge.closed:
                for unit in self.battle.pioneers:
                    if self.works_on(unit, bridge):
                        bridge.workers.append(unit.index)
                self._stop_in_danger(bridge)

    def watch(self) -> None:
        """18.31: at the end of a brigade activation see who has been kept from his work on a bridge."""
        for bridge in self.battle.waters.bridges:
            if bridge.closed:
                bridge.workers = [at for at in bridge.workers if self.works_on(self.battle.units[at], bridge)]
                self._stop_in_danger(bridge)

    def _stop_in_danger(self, bridge: WaterSide) -> None:
        """18.31: with the enemy there construction is impossible, and must begin again from the start."""
        if self.in_danger(bridge):
            bridge.workers = []
            if bridge.turns > 0:
                bridge.turns = 0
                self._note(bridge, "begun again")

    def complete(self) -> None:
        """18.31: at the end of a turn by daylight count it as one of work on a bridge; after ten of them it is open."""
        self.watch()
        if self.series.night.is_night():
            return
        for bridge in self.battle.waters.bridges:
            if bridge.closed and bridge.workers:
                bridge.turns += 1
                if bridge.turns >= TURNS_OF_WORK:
                    self.battle.waters.open(bridge)
                    self._note(bridge, "open")

    def _note(self, bridge: WaterSide, result: str) -> None:
        if self.series.log.level >= EVERYTHING:
            view = bridge.views[0]
            self.series.log.note("bridge", -1, "", view.origin.id, view.to.id, result)
