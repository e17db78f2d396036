"""How the heuristic commander manoeuvres beyond plain moves: drawing off, saving guns, marching far from the enemy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.charging import Charging
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, ATTACK, MARCH, Unit
from simkit.model.leaders import Leader

if TYPE_CHECKING:
    from simkit.rules.series import Series

CANISTER: Final[i64] = 3  # hexes at which small arms and guns trade fire at the same table (10.67)
BESIDE_ENEMY: Final[i64] = 60  # worth lost by a hex that is again next to the enemy
COVERING: Final[i64] = 2  # hexes within which infantry stands by guns: it is beside them in one move


@mypyc_attr(allow_interpreted_subclasses=True)
class Manoeuvre(Charging):
    """Answers, and the manoeuvres that get units out of places which they can't hold."""

    # -- drawing off (9.54) ----------------------------------------------------------------------------------------

    def facing_enemies(self, series: Series, unit: Unit) -> list[Unit]:
        """Enemy infantry and cavalry beside a unit that have its hex in their front."""
        found: list[Unit] = []
        for side in unit.hex.sides:
            for part in side.to.stack:
                enemy = part.unit
                if enemy.side == unit.side or enemy.kind == ARTILLERY or enemy.orders == MARCH or enemy in found:
                    continue
                if series.battle.in_front(enemy, unit.hex):
                    found.append(enemy)
        return found

    def outmatched(self, series: Series, unit: Unit) -> bool:
        """Whether the enemies in front would more likely drive a unit from its hex than the doctrine allows."""
        if self.doctrine.withdraw > 1000 or not series.battle.enemy_line_near(unit.hex, unit.side):
            return False
        enemies = self.facing_enemies(series, unit)
        return len(enemies) > 0 and series.shock.estimate(enemies, unit.hex) >= self.doctrine.withdraw

    def draw_off(self, series: Series, unit: Unit) -> bool:
        """Withdraw a unit that is outmatched, unless it can strike first; False if it stays."""
        if not self.outmatched(series, unit) or self._strikes_first(series, unit):
            return False
        return self.withdraw(series, unit)

    def _strikes_first(self, series: Series, unit: Unit) -> bool:
        """Whether a shock of its own is promising enough."""
        if unit.orders != ATTACK or unit.disordered or not series.shock.may_shock(unit):
            return False
        for target in series.shock.targets(unit):
            if series.shock.estimate([unit], target) >= self.doctrine.shock_chance:
                return True
        return False

    def withdraw(self, series: Series, unit: Unit) -> bool:
        """Withdraw by the way that leads farthest from the enemy and into cover; False if none leads away."""
        ways = series.movement.withdrawals(unit)
        best = self.best_shelter(series, unit, [way[len(way) - 1] for way in ways])
        if best < 0:
            return False
        series.movement.withdraw(unit, ways[best], self.riders(series, unit))
        return True

    def best_shelter(self, series: Series, unit: Unit, ends: list[Hex]) -> i64:
        """Which of some hexes (index) shelters a unit best, and better than its own; -1 if none does."""
        self.field(series.battle).measure()
        best: i64 = -1
        best_worth = self.shelter(series, unit, unit.hex)
        for at, end in enumerate(ends):
            worth = self.shelter(series, unit, end)
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def riders(self, series: Series, unit: Unit) -> list[Leader]:
        """Leaders who would stay behind alone beside the enemy, and may ride along (9.31, 12.73)."""
        found: list[Leader] = []
        for part in unit.parts:
            if len(part.hex.stack) == 1 and series.battle.enemy_near(part.hex, unit.side):
                for leader in part.hex.leaders:
                    if series.movement.may_take(leader, unit):
                        found.append(leader)
        return found

    def shelter(self, series: Series, unit: Unit, place: Hex) -> i64:
        """What a hex is worth to whoever draws off."""
        enough = CANISTER + 1 if unit.kind == ARTILLERY else CANISTER  # guns out of canister range
        worth = self.doctrine.close_in * min(self.field(series.battle).to_enemy(place), enough)
        worth -= self.doctrine.cover * place.terrain.fire_drm
        if series.battle.enemy_near(place, unit.side):
            worth -= BESIDE_ENEMY
        return worth

    # -- guns (9.55, 10.67) ----------------------------------------------------------------------------------------

    def guns_in_danger(self, series: Series, unit: Unit, worth: i64) -> bool:
        """Whether enemies at canister range would hurt a battery more than the `worth` of its own best fire."""
        field = self.field(series.battle)
        if field.to_enemy(unit.hex) > CANISTER or series.battle.top_unit(unit.hex) is not unit:
            return False
        danger: i64 = 0
        for enemy in series.battle.units:
            if enemy.side == unit.side or enemy.kind == ARTILLERY or not enemy.counts() or enemy.orders == MARCH:
                continue
            for part in enemy.parts:
                away = part.hex.distance_to(unit.hex)
                if away > CANISTER or away > enemy.weapon.max_range or not series.sight.clear(part.hex, unit.hex):
                    continue
                points = series.stacking.part_limit(part)
                worst = field.small_arms.of(points, series.fire.estimated_together([part], unit.hex))
                if series.fire.repeats(enemy):
                    worst *= 2
                if not self.comes_at(series, part.hex, unit.hex):
                    worst //= 2  # no shock follows such a fire, and the guns answer it
                danger += worst
        return danger > worth

    def forsaken(self, series: Series, unit: Unit) -> bool:
        """Whether disordered guns stand uncovered within canister range of enemies who can come at them."""
        if not unit.disordered or self.field(series.battle).to_enemy(unit.hex) > CANISTER:
            return False
        threatened = False
        for other in series.battle.units:
            if other.kind == ARTILLERY or not other.counts() or other.orders == MARCH:
                continue
            away = other.hex.distance_to(unit.hex)
            if other.side == unit.side:
                if away <= COVERING:
                    return False
            elif away <= CANISTER and not threatened:
                threatened = self.comes_at(series, other.hex, unit.hex)
        return threatened

    # -- marching (6.14, 9.22) -------------------------------------------------------------------------------------

    def far_off(self, nearest: i64) -> bool:
        """Whether the enemy is so far away that a brigade can march."""
        return nearest >= self.doctrine.march

    def column_of(self, series: Series, unit: Unit) -> list[Unit]:
        """8.21: a unit with those of its hex that can march with it as a stack; one by one they would bar bridges."""
        stack: list[Unit] = [unit]
        for mate in series.battle.units_in(unit.hex):
            if mate is not unit and series.movement.may_move_together([*stack, mate]):
                stack.append(mate)
        return stack
