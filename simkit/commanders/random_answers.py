"""What random play answers when a rule asks in the middle of an action: reactions, shocks, retreats, reserve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battlemap import Hex
from simkit.model.forces import ADVANCE, ATTACK, Command, Unit
from simkit.model.leaders import Leader
from simkit.rules.commander import Commander, LineAdvance, Way
from simkit.rules.dice import COMMANDER

if TYPE_CHECKING:
    from simkit.rules.series import Series

SELDOM: Final[i64] = 20  # one command in so many that may go into reserve does


@mypyc_attr(allow_interpreted_subclasses=True)
class RandomAnswers(Commander):
    """Answers at random, from the dice's commander stream."""

    def _pick(self, series: Series, brigade: Command, among: i64) -> i64:
        return 0 if among <= 1 else series.dice.pick(COMMANDER, brigade, among)

    def retreat_before_shock(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Sometimes."""
        return self._pick(series, units[0].command, 3) == 0

    def reaction_facing(self, series: Series, unit: Unit, enemy: Unit, headings: list[int]) -> i64:
        """Any heading, or none."""
        return self._pick(series, unit.command, len(headings) + 1) - 1

    def reaction_refusal(self, series: Series, unit: Unit, enemy: Unit, sides: list[int]) -> i64:
        """Any flank, or none."""
        return self._pick(series, unit.command, len(sides) + 1) - 1

    def reaction_move(self, series: Series, unit: Unit, enemy: Unit, place: Hex) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 3) == 0

    def fire_before_reaction(self, series: Series, unit: Unit, battery: Unit) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 2) == 0

    def keeps_moving(self, series: Series, unit: Unit) -> bool:
        """Mostly."""
        return self._pick(series, unit.command, 4) > 0

    def retreat(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """Any way."""
        return self._pick(series, unit.command, len(ways))

    def continue_shock(self, series: Series, units: list[Unit], number: i64) -> bool:
        """Sometimes."""
        return self._pick(series, units[0].command, 2) == 0

    def advance_after_fire(self, series: Series, unit: Unit, vacated: Hex) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 2) == 0

    def advance_line(self, series: Series, unit: Unit, ways: list[LineAdvance]) -> i64:
        """Any way."""
        return self._pick(series, unit.command, len(ways))

    def contract_into(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """Any hex."""
        return self._pick(series, unit.command, len(places))

    def wrap_around(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 2) == 0

    def top_defender(self, series: Series, units: list[Unit]) -> i64:
        """Any of them."""
        return self._pick(series, units[0].command, len(units))

    # -- order and choice in a shock -------------------------------------------------------------------------------

    def from_left(self, series: Series, brigades: list[Command]) -> bool:
        """Either."""
        return self._pick(series, brigades[0], 2) == 0

    def gives_way(self, series: Series, unit: Unit, attackers: list[Unit]) -> bool:
        """Mostly."""
        return self._pick(series, unit.command, 4) > 0

    def next_stack(self, series: Series, units: list[Unit], step: str) -> i64:
        """Any."""
        return self._pick(series, units[0].command, len(units))

    def next_to_fire(self, series: Series, units: list[Unit]) -> i64:
        """Any."""
        return self._pick(series, units[0].command, len(units))

    def next_to_advance(self, series: Series, units: list[Unit]) -> i64:
        """Any."""
        return self._pick(series, units[0].command, len(units))

    def advance_after_defence(self, series: Series, unit: Unit, vacated: list[Hex]) -> i64:
        """Any hex, or none."""
        return self._pick(series, unit.command, len(vacated) + 1) - 1

    def joins_continued_shock(self, series: Series, unit: Unit, number: i64) -> bool:
        """Mostly."""
        return self._pick(series, unit.command, 4) > 0

    def advance_further(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """Any way, or none."""
        return self._pick(series, unit.command, len(ways) + 1) - 1

    def advance_line_further(self, series: Series, unit: Unit, ways: list[LineAdvance]) -> i64:
        """Any way, or none."""
        return self._pick(series, unit.command, len(ways) + 1) - 1

    def recrew(self, series: Series, unit: Unit) -> bool:
        """Mostly."""
        return self._pick(series, unit.command, 4) > 0

    def who_stands(self, series: Series, units: list[Unit]) -> i64:
        """Any."""
        return self._pick(series, units[0].command, len(units))

    def leader_joins(self, series: Series, leader: Leader, places: list[Hex]) -> i64:
        """Any hex."""
        return self._pick(series, leader.command, len(places))

    def next_in_command(self, series: Series, leader: Leader, candidates: list[Leader]) -> i64:
        """Any."""
        return self._pick(series, leader.command, len(candidates))

    def reserve(self, series: Series, commands: list[Command]) -> None:
        """Rarely, for who rests does nothing else."""
        for command in commands:
            if self._pick(series, command, SELDOM) == 0:
                series.reserve.place(command)

    def leave_reserve(self, series: Series, command: Command) -> i64:
        """Sometimes, under any orders."""
        draw = self._pick(series, command, 3)
        if draw == 0:
            return -1
        return ATTACK if draw == 1 and not series.orders.forbids(command, ATTACK) else ADVANCE

    def return_to(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """Any hex."""
        return self._pick(series, unit.command, len(places))
