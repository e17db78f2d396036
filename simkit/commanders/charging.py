"""When the heuristic commander lets cavalry charge or countercharge, and by which way it rides (11.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.firing import Firing
from simkit.model.forces import ARTILLERY, Unit
from simkit.model.hexgrid import heading_towards, opposite

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.rules.chargepath import ChargeWay
    from simkit.rules.series import Series

PROSPECT: Final[i64] = 6  # hexes: a charge's five movement points on clear ground, and the enemy's hex (11.52)

AT_HAND: Final[i64] = 2  # hexes: a disordered unit moves and fires so far
AMONG_ENEMIES: Final[i64] = 100  # thousandths of chance: a face of ten for each enemy


@mypyc_attr(allow_interpreted_subclasses=True)
class Charging(Firing):
    """Answers, the choice of targets, and charges."""

    def best_charge(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> tuple[i64, i64]:
        """The way (index) with the best chance, and that chance in thousandths; -1 as long as none meets an enemy.

        At its end a charge must shock all in front (11.31), so of two targets the worse chance counts.
        """
        best: i64 = 0
        best_chance: i64 = -1
        for at, way in enumerate(ways):
            chance: i64 = -1
            danger: i64 = 0
            for target in way.targets:
                one = series.shock.estimate_charge(units, way.end(), way.heading(), target)
                if chance < 0 or one < chance:
                    chance = one
                danger += self._alone_among(series, units[0], target)
            if chance >= 0:
                chance = max(chance - danger, 0)
            if chance > best_chance:
                best = at
                best_chance = chance
        return best, best_chance

    def _alone_among(self, series: Series, unit: Unit, target: Hex) -> i64:
        """Thousandths of chance that what awaits a charge where it ends is counted as: it will be disordered there.

        Each enemy near the target who is not shocked himself counts, as far as no friend on foot is at hand against
        him.
        """
        count: i64 = 0
        for other in series.battle.units:
            if other is unit or not other.counts() or other.disordered or other.hex is target:
                continue
            if other.kind == ARTILLERY or other.hex.distance_to(target) > AT_HAND:
                continue
            if other.side != unit.side:
                count += 1
            elif not other.is_mounted():
                count -= 1
        return AMONG_ENEMIES * max(count, 0)

    def cares_to_charge(self, series: Series, unit: Unit) -> bool:
        """Whether a unit and its stack may charge, and have a good enough chance."""
        if not unit.is_mounted() or self.doctrine.cavalry_charge > 1000:
            return False
        units, ways = series.charge.announcing(unit)
        return len(ways) > 0 and self.best_charge(series, units, ways)[1] >= self.doctrine.cavalry_charge

    def prospect(self, series: Series, unit: Unit) -> i64:
        """The best chance of a charge, in thousandths, that a unit can hope for from this side of an enemy nearby.

        The charge itself may have to wait for room: paths are not looked for.
        """
        best: i64 = 0
        if series.night.no_charge():
            return best
        for enemy in series.battle.of_side[1 - unit.side]:
            if not enemy.counts() or enemy.hex.distance_to(unit.hex) > PROSPECT:
                continue
            for side in enemy.hex.sides:
                place = side.to
                if not side.on_map or place.distance_to(unit.hex) >= enemy.hex.distance_to(unit.hex):
                    continue
                if series.battle.held_by(place) >= 0:
                    continue
                across = place.sides[opposite(side.direction)]
                if not series.shock.shockable(unit, across) or place.terrain.halves_cavalry:
                    continue
                heading = heading_towards(enemy.hex.q - place.q, enemy.hex.r - place.r)
                chance = series.shock.estimate_charge([unit], place, heading, enemy.hex)
                chance -= self._alone_among(series, unit, enemy.hex)
                best = max(best, chance)
        return best

    def charge_way(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """The way with the best chance."""
        return self.best_charge(series, units, ways)[0]

    def break_off_charge(self, series: Series, units: list[Unit]) -> bool:
        """When the ride has shaken any of them."""
        return any(unit.disordered for unit in units)

    def continue_charge(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """The way with the best chance, if it is good enough; else a short ride that meets nobody, if there is one."""
        best, chance = self.best_charge(series, units, ways)
        if chance >= self.doctrine.cavalry_charge:
            return best
        for at, way in enumerate(ways):
            if not way.targets:
                return at
        return best

    def countercharge(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Always: it costs no more than the fire before the shock, and takes the charge's advantages away."""
        return True
