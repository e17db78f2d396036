"""Rule 5.34: how a division leader lets several of his brigades act as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ALL_BRIGADES, CONFUSION, FAIL
from simkit.model.forces import ARTILLERY, BRIGADE, DIVISION
from simkit.model.log import EVERYTHING, Event
from simkit.rules import dice as streams
from simkit.rules.commander import CommanderError
from simkit.rules.loosecannon import LOOSE_NONE
from simkit.rules.markerpool import MarkerPool
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.forces import Command


@mypyc_attr(allow_interpreted_subclasses=True)
class Coordination(MarkerPool):
    """Brigade coordination, and the confusion into which it may fall."""

    def coordinate(self, division: Command, activating: list[Command]) -> None:
        """5.34, 4.13, 13.32: a division leader may try to let several of his brigades in range act as one."""
        if division.level != DIVISION or division.ineffective or not division.has_leader():
            return
        eligible = [
            brigade for brigade in activating
            if self._led(division, brigade) and brigade.loose == LOOSE_NONE and self._fights(brigade)
        ]
        commander = self.series.commander(division.side)
        if len(eligible) < 2 or not commander.coordinate(self.series, division, eligible):
            return
        roll = self.series.dice.roll(streams.COORDINATION, division)
        adjusted = roll + division.leader().ratings().coordination
        outcome = self.charts.coordination.outcome(adjusted)
        if self.series.log.level >= EVERYTHING:
            self._log_coordination(division, roll, adjusted, outcome)
        if outcome == CONFUSION:
            for brigade in activating:
                # 5.34: what a loose cannon does comes before the confusion, but not by Gringo!
                free = brigade.loose == LOOSE_NONE or self.options.edition <= GRINGO
                if self._led(division, brigade) and free:
                    brigade.confused = True
        elif outcome > FAIL:
            most = min(outcome, len(eligible))
            chosen = commander.coordinated(self.series, division, eligible, most)
            self._check_coordinated(chosen, eligible, most)
            if len(chosen) > 1:
                self.battle.together = list(chosen)

    def _led(self, division: Command, brigade: Command) -> bool:
        return brigade.level == BRIGADE and brigade.superior is division and brigade.has_leader() and brigade.in_chain

    def _fights(self, brigade: Command) -> bool:
        """5.34: whether it is an infantry or cavalry brigade; Gringo! lets those of guns coordinate too."""
        return self.options.edition <= GRINGO or any(unit.kind != ARTILLERY for unit in brigade.units)

    def _check_coordinated(self, chosen: list[Command], eligible: list[Command], most: i64) -> None:
        codes: list[str] = []
        for brigade in chosen:
            if brigade not in eligible or brigade.code in codes:
                raise CommanderError(f"Commander.coordinated: {brigade.code} was not offered, or stands twice (5.34)")
            codes.append(brigade.code)
        if len(chosen) > most:
            raise CommanderError(f"Commander.coordinated: {len(chosen)} brigades; it should be at most {most} (5.34)")

    def _log_coordination(self, division: Command, roll: i64, adjusted: i64, outcome: i64) -> None:
        event = Event("coordination")
        event.side = division.side
        event.unit = division.code
        event.roll = roll
        event.drm = adjusted - roll
        event.adjusted = adjusted
        if outcome == CONFUSION:
            event.result = "confusion"
        elif outcome == FAIL:
            event.result = "fail"
        else:
            event.result = "all" if outcome == ALL_BRIGADES else f"{outcome} brigades"
        self.series.log.add(event)
