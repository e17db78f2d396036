"""Rule 11.58: Blown cavalry: what combat results cost it besides, and when it gets its breath back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter
from simkit.rules.dice import ALLOCATION
from simkit.rules.effects import BLOWN, LEADERS, Effect

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Blown(Chapter):
    """Cavalry out of breath."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.resting: list[Unit] = []  # those that began the activation of their command under way Blown

    # -- combat results --------------------------------------------------------------------------------------------

    def wind(self, unit: Unit, cause: i64, booked: i64) -> None:
        """11.58: put a Blown unit down for what a Disorder or Step Loss result costs it, once for a fire or shock.

        Args:
            unit: who suffers the result.
            cause: a CAUSE_ constant of the charts.
            booked: a BY_ constant of the forces, under which the step is booked.
        """
        results = self.series.results
        if unit.counts() and unit not in results.winded:
            results.winded.append(unit)
            effect = Effect(BLOWN, [unit], unit.hex, cause, results.chain, [])
            effect.booked = booked
            results.pending[BLOWN].append(effect)

    def suffer(self, effect: Effect) -> None:
        """11.58: a further step, and a rout check; of a Blown stack the top unit and one at random lose a step."""
        results = self.series.results
        place = effect.unit.hex
        kept: list[Effect] = []
        sufferers: list[Unit] = []
        for each in [effect, *results.pending[BLOWN]]:
            if each.unit.counts() and each.unit.hex is place:
                sufferers.append(each.unit)
            elif each.unit.counts():
                kept.append(each)
        results.pending[BLOWN] = kept
        stack = [unit for unit in self.battle.units_in(place) if unit in sufferers]
        if not stack:
            return
        places = [part.hex for part in stack[0].parts]
        results.lose(stack[0], 1, effect.booked)
        standing = [unit for unit in stack if unit.counts()]
        if len(stack) > 1 and standing:
            drawn = self.series.dice.pick(ALLOCATION, stack[0], len(standing))
            results.lose(standing[drawn], 1, effect.booked)
        if results.direct(effect.cause):
            for there in places:
                if there.leaders:
                    results.push(LEADERS, stack, there, effect.cause, [])
        for unit in stack:
            if unit.counts():
                results.rout_check(unit)

    # -- breath ----------------------------------------------------------------------------------------------------

    def begin(self, acting: list[Command]) -> None:
        """11.58: note who begins an activation of its command Blown."""
        if self.resting:
            self.resting = []
        for command in acting:
            for unit in command.units:
                if unit.blown:
                    self.resting.append(unit)

    def end(self) -> None:
        """11.58: at the end of it they are Blown no longer, but for those in a shock that was rolled for again.

        They stay disordered and take their brigade's orders.
        """
        for unit in self.resting:
            if unit.engaged:
                continue
            unit.blown = False
            if unit.counts():
                if self.series.log.level >= EVERYTHING:
                    self.series.log.note("breath", unit.side, unit.id, unit.hex.id, "", "")
                self.series.orders.give(unit, unit.command.orders)
        self.resting = []
