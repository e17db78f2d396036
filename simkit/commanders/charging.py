"""When the heuristic commander lets cavalry charge or countercharge, and by which way it rides (11.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.firing import Firing
from simkit.model.forces import Unit

if TYPE_CHECKING:
    from simkit.rules.chargepath import ChargeWay
    from simkit.rules.series import Series


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
            for target in way.targets:
                one = series.shock.estimate_charge(units, way.end(), way.heading(), target)
                if chance < 0 or one < chance:
                    chance = one
            if chance > best_chance:
                best = at
                best_chance = chance
        return best, best_chance

    def cares_to_charge(self, series: Series, unit: Unit) -> bool:
        """Whether a unit and its stack may charge, and have a good enough chance."""
        if not unit.is_mounted() or not series.charge.may_charge(unit):
            return False
        units = series.charge.chargers(unit)
        return self.best_charge(series, units, series.charge.ways(units))[1] >= self.doctrine.charge_chance

    def charge_way(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """The way with the best chance."""
        return self.best_charge(series, units, ways)[0]

    def break_off_charge(self, series: Series, units: list[Unit]) -> bool:
        """When the ride has shaken any of them."""
        return any(unit.disordered for unit in units)

    def continue_charge(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """The way with the best chance, if it is good enough; else a short ride that meets nobody, if there is one."""
        best, chance = self.best_charge(series, units, ways)
        if chance >= self.doctrine.charge_chance:
            return best
        for at, way in enumerate(ways):
            if not way.targets:
                return at
        return best

    def countercharge(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Always: it costs no more than the fire before the shock, and takes the charge's advantages away."""
        return True
