"""When the heuristic commander sends commands into reserve, and where those that come back from rout stand (6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.horsemen import Horsemen
from simkit.model.battlemap import Hex
from simkit.model.fatigue import FATIGUE_0
from simkit.model.forces import ADVANCE, ARTILLERY, ROUTED, Command, Unit

if TYPE_CHECKING:
    from simkit.rules.series import Series

CALM: Final[i64] = 10  # hexes: two activations of three movement points short of a fire that ends it (6.34)
TIRED: Final[i64] = FATIGUE_0 + 2  # Fatigue Level 2
STAYS: Final[i64] = -1


@mypyc_attr(allow_interpreted_subclasses=True)
class Resting(Horsemen):
    """Reserve for whoever is spent by the doctrine's `break_off`, combat ineffective or tired, while it mends him."""

    def reserve(self, series: Series, commands: list[Command]) -> None:
        """Those far from the enemy who are spent or tired, if reserve would mend it."""
        for command in commands:
            if not self._calm(series, command):
                continue
            if self._tired(command, TIRED) or (self._mends(series, command) and self._worn(series, command)):
                series.reserve.place(command)

    def leave_reserve(self, series: Series, command: Command) -> i64:
        """Advance Orders when an enemy is near or nothing is left to mend; else it stays."""
        if self._calm(series, command) and (self._tired(command, FATIGUE_0 + 1) or self._mends(series, command)):
            return STAYS
        return ADVANCE

    def return_to(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """The hex farthest from the enemy; among like ones the first, which is nearest to the brigadier."""
        field = self.field(series.battle)
        field.measure()
        best: i64 = 0
        for at, place in enumerate(places):
            if field.to_enemy(place) > field.to_enemy(places[best]):
                best = at
        return best

    def _calm(self, series: Series, command: Command) -> bool:
        """Whether no enemy is near any unit of a command, nor near its leader."""
        field = self.field(series.battle)
        field.measure()
        if command.has_leader() and field.to_enemy(command.leader().hex) <= CALM:
            return False
        for unit in command.units:
            if unit.counts() and field.to_enemy(unit.hex) <= CALM:
                return False
        return True

    def _worn(self, series: Series, command: Command) -> bool:
        if command.ineffective:
            return True
        field = self.field(series.battle)
        field.look(command)
        return field.spent >= self.doctrine.break_off

    def _tired(self, command: Command, level: i64) -> bool:
        for unit in command.units:
            if unit.counts() and unit.kind != ARTILLERY and unit.fatigue.level >= level:
                return True
        return False

    def _mends(self, series: Series, command: Command) -> bool:
        """Whether routed units may come back (13.52), or stragglers in the dark (16.2)."""
        dark = series.night.stragglers_return()
        for unit in command.units:
            if unit.place == ROUTED:
                if series.reserve.places_for(unit):
                    return True
            elif dark and unit.counts() and series.reserve.lacks_men(unit):
                return True
        return False
