"""How the heuristic commander brings reinforcements onto the map, and leaders with them (9.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.resting import Resting
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, Command, Unit
from simkit.model.leaders import Leader

if TYPE_CHECKING:
    from simkit.rules.series import Series

AMONG_FRIENDS: Final[i64] = 2  # hexes nearer to his troops that a hex with friends is worth to a leader


@mypyc_attr(allow_interpreted_subclasses=True)
class Arrivals(Resting):
    """Answers and manoeuvres, and the way of reinforcements into the battle."""

    def entering(self, brigade: Command) -> list[Unit]:
        """The units of a brigade that wait to enter: nearest to the enemy first, guns last."""
        found: list[Unit] = []
        for unit in brigade.units:
            if not unit.waiting:
                continue
            at = 0
            while at < len(found) and self._enters_before(found[at], unit):
                at += 1
            found.insert(at, unit)
        return found

    def _enters_before(self, one: Unit, other: Unit) -> bool:
        if (one.kind == ARTILLERY) != (other.kind == ARTILLERY):
            return other.kind == ARTILLERY
        return self._from_edge(one) <= self._from_edge(other)

    def _from_edge(self, unit: Unit) -> i64:
        """Hexes from the nearest of its entrances to the enemy."""
        least: i64 = 1000
        if unit.arrival is not None:
            for entrance in unit.arrival.entrances:
                least = min(least, self.fields[0].to_enemy(entrance.hex))
        return least

    def bring_leader(self, series: Series, leader: Leader) -> None:
        """Ride onto the map with a leader who still waits, as near to his troops as he can come."""
        troops = [unit.hex for unit in leader.command.all_units() if unit.counts()]
        best: list[Hex] = []
        best_worth: i64 = 0
        for place in series.movement.leader_search(leader):
            worth: i64 = 0
            for there in troops:
                worth -= place.distance_to(there)
            if series.battle.held_by(place) == leader.side:
                worth += AMONG_FRIENDS * max(len(troops), 1)
            if not best or worth > best_worth:
                best = [place]
                best_worth = worth
        if best:
            series.movement.move_leader(leader, best[0])

    def bring_leaders(self, series: Series, brigades: list[Command]) -> None:
        """Ride onto the map with the leaders of active brigades and of their division who have come with no unit."""
        for leader in series.battle.leaders:
            if leader.waiting and leader.side == self.side and series.movement.leader_may_move(leader):
                for brigade in brigades:
                    if leader.waiting and brigade.division() is leader.command.division():
                        self.bring_leader(series, leader)

    def end_of_turn(self, series: Series, side: i64) -> None:
        """Commanders, and leaders without troops, who wait at the edge ride onto the map."""
        for leader in series.battle.leaders:
            if leader.side == side and leader.waiting and series.movement.leader_may_move(leader):
                self.bring_leader(series, leader)
