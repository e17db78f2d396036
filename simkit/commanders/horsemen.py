"""How the heuristic commander handles cavalry: on foot to fight, in the saddle to cover ground (14.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.marches import Marches
from simkit.model.forces import ADVANCE, Unit

if TYPE_CHECKING:
    from simkit.rules.series import Series

FIGHTS_ON_FOOT: Final[i64] = 4  # hexes from the enemy within which it dismounts to hold or open fire
RIDES: Final[i64] = 10  # hexes from the enemy beyond which it mounts: more than a day's fight on foot covers


@mypyc_attr(allow_interpreted_subclasses=True)
class Horsemen(Marches):
    """When cavalry mounts and dismounts."""

    def change_mount(self, series: Series, unit: Unit) -> bool:
        """Dismount under Advance Orders near the enemy, mount far from him; under Attack Orders stay in the saddle.

        Whoever is disordered rallies first: that is easier mounted, and no action besides is allowed (13.4).
        """
        if unit.disordered:
            return False
        field = self.field(series.battle)
        field.measure()
        away = field.to_enemy(unit.hex)
        if not unit.mounted:
            return away > RIDES
        return unit.orders == ADVANCE and away <= FIGHTS_ON_FOOT
