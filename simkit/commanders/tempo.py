"""Which of its commands the heuristic commander lets act, when, how often and with whom (5.1 to 5.4).

It puts all its markers into the pool: a marker more binds nobody to act, and those of others come no later for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import FAR
from simkit.commanders.intent import Intent
from simkit.commanders.support import CLOSE
from simkit.model.charts import CONFUSION, FAIL
from simkit.model.events import FREE_FIRE
from simkit.model.forces import ARMY, ARTILLERY, ATTACK, BRIGADE, MARCH, Command, Unit
from simkit.model.leaders import Leader
from simkit.rules.commander import Transfer
from simkit.rules.dice import FACES
from simkit.rules.markerpool import FIRST_PICKED

if TYPE_CHECKING:
    from simkit.rules.series import Series

PRESSED: Final[i64] = 100  # urgency of a unit that is about to be driven from its hex, or can drive an enemy
SHAKEN: Final[i64] = 40  # the same of a disordered unit next to the enemy
NEIGHBOURS: Final[i64] = 8  # hexes between brigades that can strike at the same time
IN_SUPPORT: Final[i64] = 8  # hexes between a battery and the brigade to which it is attached


@mypyc_attr(allow_interpreted_subclasses=True)
class Tempo(Intent):
    """Markers go where they count, and first to who needs them first."""

    # -- who needs to act ------------------------------------------------------------------------------------------

    def urgency(self, series: Series, command: Command) -> i64:
        """How much it matters that a command acts soon: more for each hex nearer to the enemy, most in contact."""
        field = self.field(series.battle)
        field.look(command)
        urgency = FAR - min(field.nearest, FAR)
        if self.doctrine.urgency == 0:
            return urgency
        for unit in command.units:
            if unit.counts() and unit.kind != ARTILLERY and series.battle.enemy_line_near(unit.hex, unit.side):
                if unit.disordered:
                    urgency += SHAKEN
                if self.outmatched(series, unit) or self._can_strike(series, unit):
                    urgency += PRESSED
        return urgency

    def _can_strike(self, series: Series, unit: Unit) -> bool:
        """Whether a unit in contact would have a shock worth making."""
        if unit.orders != ATTACK or unit.disordered or self.fragile(unit):
            return False
        for target in series.shock.targets(unit):
            if series.shock.estimate([unit], target) >= self.doctrine.shock_chance:
                return True
        return False

    def _need(self, series: Series, division: Command) -> i64:
        """The urgency of the most pressed of a division's commands."""
        most: i64 = 0
        for command in series.activation.groups(division):
            most = max(most, self.urgency(series, command))
        return most

    def _most_needed(self, series: Series, divisions: list[Command]) -> i64:
        """Which of some divisions (index) needs most to act; of equals the first."""
        best: i64 = 0
        most: i64 = -1
        for at, division in enumerate(divisions):
            need = self._need(series, division)
            if need > most:
                most = need
                best = at
        return best

    # -- markers (5.1 to 5.4) --------------------------------------------------------------------------------------

    def first_marker(self, series: Series, divisions: list[Command]) -> i64:
        """The division that needs most to act, and will; the march first if none of them is near the enemy (5.13)."""
        last = len(divisions) - 1
        marches = divisions[last].level == ARMY
        best = last
        most: i64 = -1
        for at, division in enumerate(divisions):
            if at == last and marches:
                break
            need = self._need_now(series, division)
            if need > most:
                most = need
                best = at
        return last if marches and most < FAR - 2 * CLOSE else best

    def _need_now(self, series: Series, division: Command) -> i64:
        """The urgency of the most pressed of those of a division's commands who would act on its next marker (5.26)."""
        left: i64 = -1  # when that one is out of the pool
        for marker in series.battle.pool:
            if marker.command is division and marker.number < FIRST_PICKED:
                left += 1
        most: i64 = 0
        for command in series.activation.groups(division):
            passes = 0 < command.skips <= left and self.let_pass(series, command, left)
            if not passes and not command.in_reserve and command.orders != MARCH:
                most = max(most, self.urgency(series, command))
        return most

    def transfer(self, series: Series, transfers: list[Transfer]) -> i64:
        """From divisions far from the enemy, or at rest, to the one that needs it most and is about to fight (5.4)."""
        best: i64 = -1
        most: i64 = FAR - CLOSE - 1
        for at, transfer in enumerate(transfers):
            if any(not self._idle(series, giver) for giver in transfer.givers):
                continue
            need = self._need(series, transfer.to)
            if need > most:
                most = need
                best = at
        return best

    def _idle(self, series: Series, division: Command) -> bool:
        """Whether a division will hardly act this turn: all in reserve, on the march, or far from the enemy."""
        for command in series.activation.groups(division):
            if not command.in_reserve and command.orders != MARCH:
                if self.urgency(series, command) >= FAR - 2 * CLOSE:
                    return False
        return True

    def army_bonus(self, series: Series, corps: list[Command]) -> i64:
        """The corps with the division that needs it most (5.22)."""
        best: i64 = 0
        most: i64 = -1
        for at, one in enumerate(corps):
            for division in one.subordinates:
                need = self._need(series, division)
                if need > most:
                    most = need
                    best = at
        return best

    def corps_bonus(self, series: Series, divisions: list[Command]) -> i64:
        """The division that needs it most, of those that can have a marker more (5.23, 5.24)."""
        able: list[int] = []
        for at, division in enumerate(divisions):
            own: i64 = division.leader().ratings().activation if division.has_leader() else 0
            if series.activation.bounded(division, division.markers + own + 1) > division.markers + own:
                able.append(at)
        if not able:
            return -1
        return able[self._most_needed(series, [divisions[at] for at in able])]

    def let_pass(self, series: Series, brigade: Command, markers_left: i64) -> bool:
        """Unless it is pressed or can strike: it then acts while it can, and lets a later marker pass (5.26, 13.23)."""
        if not super().let_pass(series, brigade, markers_left):
            return False
        return self.doctrine.urgency == 0 or self.urgency(series, brigade) < PRESSED

    def let_unit_pass(self, series: Series, unit: Unit, activations_left: i64) -> bool:
        """Unless it is about to be driven from its hex, or can drive an enemy (5.36)."""
        if not super().let_unit_pass(series, unit, activations_left):
            return False
        return self.doctrine.urgency == 0 or not (self.outmatched(series, unit) or self._can_strike(series, unit))

    def next_brigade(self, series: Series, brigades: list[Command]) -> i64:
        """The brigade nearest to the enemy: no enemy acts before the last of them has acted (5.32)."""
        best: i64 = 0
        nearest: i64 = FAR + 1
        field = self.field(series.battle)
        for at, brigade in enumerate(brigades):
            field.look(brigade)
            if field.nearest < nearest:
                nearest = field.nearest
                best = at
        return best

    # -- several brigades, and guns, together (5.33, 5.34) ---------------------------------------------------------

    def coordinate(self, series: Series, division: Command, brigades: list[Command]) -> bool:
        """When two neighbours are about to attack, and success is likely enough against Confusion."""
        if not division.has_leader():
            return False
        rating = division.leader().ratings().coordination
        table = series.battle.charts.coordination
        balance: i64 = 0
        for face in range(FACES):
            outcome = table.outcome(face + rating)
            if outcome == CONFUSION:
                balance -= 1000 // FACES
            elif outcome > FAIL:
                balance += 1000 // FACES
        return balance >= self.doctrine.coordinate and len(self._striking(series, brigades)) >= 2

    def _striking(self, series: Series, brigades: list[Command]) -> list[Command]:
        """Brigades about to attack: the nearest to the enemy and its neighbours, from near to far."""
        ordered: list[Command] = []
        away: list[int] = []
        field = self.field(series.battle)
        for brigade in brigades:
            field.look(brigade)
            if brigade.orders != ATTACK or field.nearest > CLOSE:
                continue
            at = 0
            while at < len(ordered) and away[at] <= field.nearest:
                at += 1
            ordered.insert(at, brigade)
            away.insert(at, field.nearest)
        return [brigade for brigade in ordered if self._apart(brigade, ordered[0]) <= NEIGHBOURS]

    def _apart(self, one: Command, other: Command) -> i64:
        """Hexes between the nearest units of two brigades."""
        least: i64 = 0 if one is other else FAR
        for unit in one.units:
            for friend in other.units:
                if unit.counts() and friend.counts():
                    least = min(least, unit.hex.distance_to(friend.hex))
        return least

    def coordinated(self, series: Series, division: Command, brigades: list[Command], most: i64) -> list[Command]:
        """Those that are about to attack, the nearest to the enemy first (5.34)."""
        return self._striking(series, brigades)[:most]

    def attach(self, series: Series, brigade: Command, batteries: list[Unit]) -> i64:
        """The nearest battery to a brigade that is to fight, if it can support it (4.32, 5.33)."""
        if brigade.level != BRIGADE or brigade.in_reserve or brigade.orders == MARCH:
            return -1
        field = self.field(series.battle)
        field.look(brigade)
        if field.nearest > 2 * CLOSE:
            return -1
        best: i64 = -1
        nearest: i64 = IN_SUPPORT + 1
        for at, battery in enumerate(batteries):
            if not battery.counts() or battery.orders == MARCH:
                continue
            for unit in brigade.units:
                if unit.counts() and unit.hex.distance_to(battery.hex) < nearest:
                    nearest = unit.hex.distance_to(battery.hex)
                    best = at
        return best

    # -- random events (5.31) --------------------------------------------------------------------------------------

    def event_unit(self, series: Series, unit: Unit, event: str) -> i64:
        """The strongest of the enemy's units and to fire itself, else of its own the weakest (19.0 of the books)."""
        return -unit.strength if unit.side == self.side and event != FREE_FIRE else unit.strength

    def event_leader(self, series: Series, leader: Leader, event: str) -> i64:
        """The highest of the enemy's leaders, and of its own the lowest (19.0 of the books)."""
        return -leader.level if leader.side == self.side else leader.level
