"""When the heuristic commander sends commands into reserve, and where those that come back from rout stand (6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import Appraisal
from simkit.commanders.horsemen import Horsemen
from simkit.model.battlemap import Hex
from simkit.model.fatigue import FATIGUE_0
from simkit.model.forces import ADVANCE, ARTILLERY, MARCH, ROUTED, Command, Unit
from simkit.rules.dice import FACES
from simkit.rules.fatigue import FREE_ACTIVATIONS

if TYPE_CHECKING:
    from simkit.rules.series import Series

SAFE: Final[i64] = 5  # hexes: two activations of three movement points from contact
CALM: Final[i64] = 10  # hexes: two activations of three movement points short of a fire that ends it (6.34)
CALM_BY_NIGHT: Final[i64] = 5  # the same in the dark: as near as reserve may be placed then (6.31)
TIRED: Final[i64] = FATIGUE_0 + 2  # Fatigue Level 2
STAYS: Final[i64] = -1
POINT: Final[i64] = 100  # worth of a strength point on the scale of fires


@mypyc_attr(allow_interpreted_subclasses=True)
class Resting(Horsemen):
    """Reserve for whoever is spent by the doctrine's `break_off`, combat ineffective or tired, while it mends him."""

    def reserve(self, series: Series, commands: list[Command]) -> None:
        """Those far from the enemy who are spent or tired, if reserve would mend it."""
        for command in commands:
            if not self._calm(series, command):
                continue
            if self._tired(command, TIRED) or (self._mends(series, command) and self._may_rest(series, command)):
                series.reserve.place(command)

    def leave_reserve(self, series: Series, command: Command) -> i64:
        """Advance Orders when an enemy is near or nothing is left to mend; else it stays."""
        if self._calm(series, command) and (self._tired(command, FATIGUE_0 + 1) or self._mends(series, command)):
            return STAYS
        return ADVANCE

    def _may_rest(self, series: Series, command: Command) -> bool:
        """Whether a command can be spared: it is spent, or it is night."""
        return (self.doctrine.night_rest == 1 and series.night.is_night()) or self._worn(series, command)

    def stands_still(self, series: Series, brigade: Command, field: Appraisal) -> bool:
        """Whether a brigade just looked at does nothing so that it mends, out of the enemy's reach.

        It does once Fatigue tells, or if it would with one more activation (17.22, 17.42); when so many are disordered
        that they rally first, for whoever stands idle all turn rallies for nothing (13.45); and at night (16.12).
        """
        if field.nearest <= SAFE or series.battle.turn == len(series.battle.turns) - 1:
            return False  # nor in the last turn, which mends nothing
        marker = brigade.fatigue
        if marker.level >= FATIGUE_0 and (marker.half > 0 or marker.activations >= FREE_ACTIVATIONS):
            return True
        if brigade.orders == MARCH:
            return False
        if self.doctrine.night_rest == 1 and series.night.is_night():
            return True
        shaken = field.disordered > self.doctrine.rally_first and self.doctrine.order > 0
        return shaken and series.effectiveness.idle(brigade)

    # -- rally (13.4) ----------------------------------------------------------------------------------------------

    def rally_worth(self, series: Series, unit: Unit) -> i64:
        """What a rally is worth now, in hundredths of a strength point: good order, less what it may cost (13.41)."""
        command = series.battle.charts.command
        drm = series.effectiveness.rally_modifier(unit) + command.leader_star * series.command.stars(unit)
        rating = unit.cohesion_disordered
        worth: i64 = 0
        for face in range(FACES):
            if face + drm <= rating:
                worth += self.doctrine.order
            elif face + drm >= command.rally_loss or face + drm >= command.rally_loss_multiple * rating:
                worth -= POINT
        return worth // FACES

    def dares_rally(self, series: Series, brigade: Command, unit: Unit) -> bool:
        """Whether a unit at rest tries to rally though its brigade, idle all turn, would rally for nothing (13.45)."""
        if not series.effectiveness.may_rally(unit):
            return False
        command = series.battle.charts.command
        worst = FACES - 1 + series.effectiveness.rally_modifier(unit)
        safe = worst < command.rally_loss and worst < command.rally_loss_multiple * unit.cohesion_disordered
        return safe or worst <= unit.cohesion_disordered or not series.effectiveness.idle(brigade)

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
        dark = self.doctrine.night_rest == 1 and series.night.is_night()
        calm = CALM_BY_NIGHT if dark else CALM
        if command.has_leader() and field.to_enemy(command.leader().hex) <= calm:
            return False
        for unit in command.units:
            if unit.counts() and field.to_enemy(unit.hex) <= calm:
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
        shaken = self.doctrine.night_rest == 1 and series.night.is_night()
        for unit in command.units:
            if shaken and unit.counts() and unit.disordered and not unit.collapsed:
                return True
            if unit.place == ROUTED:
                if series.reserve.places_for(unit):
                    return True
            elif dark and unit.counts() and series.reserve.lacks_men(unit):
                return True
        return False
