"""What the heuristic commander answers when a combat is decided: who goes on, and where to, and who stays (11.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.answers import NO_WORTH, HeuristicAnswers
from simkit.commanders.objectives import aims
from simkit.model.battlemap import Hex
from simkit.model.forces import MARCH, Command, Unit
from simkit.model.hexgrid import heading_towards
from simkit.model.leaders import Leader
from simkit.rules.commander import Way

if TYPE_CHECKING:
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Aftermath(HeuristicAnswers):
    """Answers, and those to the questions that a combat leaves."""

    def from_left(self, series: Series, brigades: list[Command]) -> bool:
        """From the end of the line where the chance is better: who wins there may go on against the rest (11.47)."""
        ordered = series.shock.left_to_right(series.shock.shocks)
        chances: list[i64] = []
        for shock in (ordered[0], ordered[len(ordered) - 1]):
            best: i64 = 0
            for target in shock.targets:
                best = max(best, series.shock.estimate(shock.units(), target))
            chances.append(best)
        return chances[0] >= chances[1]

    def advance_into(self, series: Series, unit: Unit, vacated: list[Hex]) -> i64:
        """Where fewest enemies have the hex in front, of equals where the objectives are nearer."""
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        self.field(series.battle)
        goals = [self.goals[at] for at in aims(self.objectives, unit.command, series.battle.turn)]
        for at, place in enumerate(vacated):
            worth = -10 * self._watched(series, unit, place)
            for goal in goals:
                worth -= place.distance_to(goal)
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def _watched(self, series: Series, unit: Unit, place: Hex) -> i64:
        """How many enemy stacks have a hex in their front."""
        count: i64 = 0
        for side in place.sides:
            if side.on_map:
                enemy = series.battle.top_unit(side.to)
                if enemy is not None and enemy.side != unit.side and series.battle.in_front(enemy, place):
                    count += 1
        return count

    def continued_advance(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """To meet the enemy against whom the next shock has the best chance (11.47)."""
        return self._best_hex(series, unit, [way.end() for way in ways])

    def _best_from(self, series: Series, unit: Unit, place: Hex) -> i64:
        """The best chance of a shock, in thousandths, that a unit would have from a hex."""
        best: i64 = 0
        for side in place.sides:
            if side.on_map and series.battle.held_by(side.to) == 1 - unit.side and series.shock.shockable(unit, side):
                best = max(best, series.shock.estimate_from([unit], [place], False, side.to))
        return best

    def joins_continued_shock(self, series: Series, unit: Unit, number: i64) -> bool:
        """Whoever is in good order and strong enough to be risked; the others hold what is won."""
        return not unit.disordered and unit.strength > self.doctrine.fragile

    def charge_to(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """Where its shock has the best chance (6.24)."""
        return self._best_hex(series, unit, places)

    def _best_hex(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """From which of several hexes (index) a unit's shock would have the best chance."""
        best: i64 = 0
        best_chance: i64 = -1
        for at, place in enumerate(places):
            chance = self._best_from(series, unit, place)
            if chance > best_chance:
                best = at
                best_chance = chance
        return best

    def who_stands(self, series: Series, units: list[Unit]) -> i64:
        """The strongest (12.52)."""
        best: i64 = 0
        for at, unit in enumerate(units):
            if unit.strength > units[best].strength:
                best = at
        return best

    def replacement_with(self, series: Series, leader: Leader, units: list[Unit]) -> i64:
        """With the strongest unit that is in good order and not next to the enemy, as far as there is one (12.74)."""
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        for at, unit in enumerate(units):
            worth = unit.strength
            if unit.disordered:
                worth -= 20
            if series.battle.beside_enemy(unit):
                worth -= 40
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def leader_helps_rally(self, series: Series, leader: Leader, unit: Unit) -> bool:
        """Unless another unit of his hex, in good order, faces a shock for which it needs him (11.72, 13.43)."""
        for mate in series.battle.units_in(leader.hex):
            if mate is not unit and not mate.disordered and series.shock.must_shock(mate):
                return False
        return True

    def recrew_heading(self, series: Series, unit: Unit) -> i64:
        """Towards the nearest enemy (12.81)."""
        enemy = unit.hex
        nearest: i64 = 1000
        for other in series.battle.units:
            if other.side != unit.side and other.counts() and 0 < other.hex.distance_to(unit.hex) < nearest:
                nearest = other.hex.distance_to(unit.hex)
                enemy = other.hex
        if enemy is unit.hex or unit.orders == MARCH:
            return super().recrew_heading(series, unit)
        return heading_towards(enemy.q - unit.hex.q, enemy.r - unit.hex.r)
