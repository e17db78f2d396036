"""How the heuristic commander handles cavalry: on foot to fight, in the saddle to charge and to cover ground (14.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.marches import Marches
from simkit.model.forces import ADVANCE, IN_ONE_HEX, MARCH, ON_MAP, Unit

if TYPE_CHECKING:
    from simkit.rules.series import Series

RIDES: Final[i64] = 10  # hexes from the enemy beyond which it mounts: more than a day's fight on foot covers
POISED: Final[i64] = 4  # hexes from the enemy at which it waits: in reach of a charge, out of canister (10.67, 11.52)


@mypyc_attr(allow_interpreted_subclasses=True)
class Horsemen(Marches):
    """When cavalry mounts and dismounts."""

    def change_mount(self, series: Series, unit: Unit) -> bool:
        """Dismount near the enemy to hold, or to attack whom no charge would break; mount far from him.

        Whoever is disordered rallies first: that is easier mounted, and no action besides is allowed (13.4).
        """
        if unit.disordered:
            return False
        field = self.field(series.battle)
        field.measure()
        away = field.to_enemy(unit.hex)
        if not unit.mounted:
            return away > RIDES
        if away > self.doctrine.dismount:
            return False
        return unit.orders == ADVANCE or self.prospect(series, unit) < self.doctrine.cavalry_charge

    def set_up_saddles(self, series: Series, units: list[Unit]) -> None:
        """14.21: before the battle, cavalry that is to hold near the enemy stands on foot, all far from him mounted."""
        field = self.field(series.battle)
        for unit in units:
            if not unit.may_dismount() or unit.place != ON_MAP or len(unit.hex.stack) > 1:
                continue  # those who share a hex stay as the scenario has them, within the limits of stacking
            field.measure()
            away = field.to_enemy(unit.hex)
            if not unit.mounted and away > RIDES:
                series.mounting.set_up(unit, True)
            elif unit.mounted and unit.orders == ADVANCE and unit.extended == IN_ONE_HEX:
                if away <= self.doctrine.dismount:
                    series.mounting.set_up(unit, False)

    def keeps_off(self, unit: Unit) -> bool:
        """Whether a unit comes at the enemy by charges alone: mounted cavalry that does not march."""
        return unit.is_mounted() and unit.orders != MARCH
