"""Which of its commands the heuristic commander lets act, when, how often and with whom (5.1 to 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import FAR
from simkit.commanders.intent import CLOSE, Intent
from simkit.model.events import FREE_FIRE
from simkit.model.forces import ATTACK, Command, Leader, Unit
from simkit.rules.commander import Transfer

if TYPE_CHECKING:
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Tempo(Intent):
    """Markers go where they count, and first to who needs them first."""

    def first_marker(self, series: Series, divisions: list[Command]) -> i64:
        """The division that stands nearest to the enemy."""
        return self._nearest(series, divisions)

    def transfer(self, series: Series, transfers: list[Transfer]) -> i64:
        """From divisions far from the enemy to the one nearest to him, if that is about to fight."""
        best: i64 = -1
        nearest: i64 = CLOSE + 1
        for at, transfer in enumerate(transfers):
            if any(self._reach(series, giver) <= 2 * CLOSE for giver in transfer.givers):
                continue
            reach = self._reach(series, transfer.to)
            if reach < nearest:
                nearest = reach
                best = at
        return best

    def event_unit(self, series: Series, unit: Unit, event: str) -> i64:
        """The strongest of the enemy's units and to fire itself, else of its own the weakest (19.0 of the books)."""
        return -unit.strength if unit.side == self.side and event != FREE_FIRE else unit.strength

    def event_leader(self, series: Series, leader: Leader, event: str) -> i64:
        """The highest of the enemy's leaders, and of its own the lowest (19.0 of the books)."""
        return -leader.level if leader.side == self.side else leader.level

    def army_bonus(self, series: Series, corps: list[Command]) -> i64:
        """The corps with the division nearest to the enemy (5.22)."""
        best: i64 = 0
        nearest: i64 = FAR + 1
        for at, one in enumerate(corps):
            for division in one.subordinates:
                reach = self._reach(series, division)
                if reach < nearest:
                    nearest = reach
                    best = at
        return best

    def corps_bonus(self, series: Series, divisions: list[Command]) -> i64:
        """The division nearest to the enemy (5.23)."""
        return self._nearest(series, divisions)

    def _nearest(self, series: Series, divisions: list[Command]) -> i64:
        """Which of some divisions (index) stands nearest to the enemy; of equals the first."""
        best: i64 = 0
        nearest: i64 = FAR + 1
        for at, division in enumerate(divisions):
            reach = self._reach(series, division)
            if reach < nearest:
                nearest = reach
                best = at
        return best

    def _reach(self, series: Series, division: Command) -> i64:
        """Hexes from the nearest of a division's brigades to the enemy."""
        nearest: i64 = FAR + 1
        field = self.field(series.battle)
        for brigade in division.subordinates:
            field.look(brigade)
            nearest = min(nearest, field.nearest)
        return nearest

    def next_brigade(self, series: Series, brigades: list[Command]) -> i64:
        """The brigade nearest to the enemy."""
        best: i64 = 0
        nearest: i64 = FAR + 1
        field = self.field(series.battle)
        for at, brigade in enumerate(brigades):
            field.look(brigade)
            if field.nearest < nearest:
                nearest = field.nearest
                best = at
        return best

    def coordinate(self, series: Series, division: Command, brigades: list[Command]) -> bool:
        """When the leader's rating makes failure no worse than likely, and two brigades are about to attack."""
        if not division.has_leader() or division.leader().ratings().coordination < 2:
            return False
        attacking: i64 = 0
        for brigade in brigades:
            if brigade.orders == ATTACK:
                attacking += 1
        return attacking >= 2
