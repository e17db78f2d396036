"""An army surprised at dawn: the optional Shock and Awe of Dead of Winter (1.0, 8.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import INFANTRY
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter
from simkit.rules.dice import WORD

if TYPE_CHECKING:
    from simkit.model.battle import Marker
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader

# what the surprise does to its victims in the first turn, as the option `shock_and_awe` counts it
NO_SURPRISE: Final[i64] = 0
LOWER_COHESION: Final[i64] = 1
WORSE_CHECKS: Final[i64] = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class SurpriseAtDawn(Chapter):
    """What the option `shock_and_awe` does in a scenario that has such rules; nothing in any other."""

    def begin(self) -> None:
        """1.0 #2 to #5, 8.0 #1 to #4: after deployment the surprised corps checks; the first turn's handicaps begin."""
        if self.options.shock_and_awe == NO_SURPRISE:
            return
        for surprise in self.series.scenario.surprises:
            for unit in surprise.surprised.all_units():
                if unit.counts() and not unit.disordered and not self.series.results.udd(unit, 0, "surprise"):
                    self.series.results.shake(unit, "surprise")
            for unit in surprise.surprised.all_units():
                if self.options.shock_and_awe == LOWER_COHESION:
                    unit.unnerved = 1
                else:
                    unit.alarmed = 1
            for division in surprise.free:
                division.free_changes = 1
            self.battle.course.withheld = len(surprise.withheld) > 0

    def begin_turn(self) -> None:
        """1.0 #3, #4, 8.0 #2, #3: what lasts for the first turn only is over in the second."""
        if self.options.shock_and_awe == NO_SURPRISE or self.battle.turn != 1:
            return
        for surprise in self.series.scenario.surprises:
            for unit in surprise.surprised.all_units():
                unit.unnerved = 0
                unit.alarmed = 0
            for division in surprise.free:
                division.free_changes = 0

    def withholds(self, division: Command) -> bool:
        """1.0 #5, 8.0 #4: whether a division's markers stay out of the pool for now."""
        if not self.battle.course.withheld:
            return False
        return any(division in surprise.withheld for surprise in self.series.scenario.surprises)

    def keeps_still(self, leader: Leader) -> bool:
        """1.0 #6, 8.0 #5: whether a leader may not move: Rosecrans until the second turn."""
        if self.options.shock_and_awe == NO_SURPRISE or self.battle.turn > 0:
            return False
        return any(leader in surprise.still for surprise in self.series.scenario.surprises)

    def free_change(self, brigade: Command) -> bool:
        """1.0 #3, 8.0 #2: use up the one change of orders without a roll of a brigade's division, if it has it."""
        division = brigade.division()
        if division.free_changes <= 0:
            return False
        division.free_changes -= 1
        return True

    # -- the alarm (1.0 #5, 8.0 #4) --------------------------------------------------------------------------------

    def fired_at(self, unit: Unit, target: Unit) -> None:
        """1.0 #5: enemy infantry has fired at a unit; if it is one of the surprised, that is the alarm."""
        if self.battle.course.withheld and unit.kind == INFANTRY and self._surprised(target):
            self._raise()

    def approached(self, unit: Unit) -> None:
        """1.0 #5: a unit has moved next to enemies; if one of them is surprised, that is the alarm."""
        if not self.battle.course.withheld:
            return
        for part in unit.parts:
            for side in part.hex.sides:
                if side.on_map:
                    for other in side.to.stack:
                        if other.unit.side != unit.side and self._surprised(other.unit):
                            self._raise()
                            return

    def _surprised(self, unit: Unit) -> bool:
        return any(unit in surprise.surprised.all_units() for surprise in self.series.scenario.surprises)

    def _raise(self) -> None:
        """1.0 #5: the markers of all withheld divisions go into the pool, each where its dice number says."""
        self.battle.course.withheld = False
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("alarm", -1, "", "", "", "")
        pool = self.battle.pool
        for surprise in self.series.scenario.surprises:
            for division in surprise.withheld:
                added: list[Marker] = []
                self.battle.pool = added
                self.series.activation.put_markers(division)
                for marker in added:
                    at: i64 = ((marker.order & WORD) * (len(pool) + 1)) >> 32
                    pool.insert(at, marker)
        self.battle.pool = pool
