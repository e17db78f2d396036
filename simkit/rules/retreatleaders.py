"""Chapter 12.72 and 12.73: leaders who go along with a retreat or an advance, and leaders left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP, PROHIBITED
from simkit.model.log import EVERYTHING, Event
from simkit.rules.commander import CommanderError
from simkit.rules.leadermovement import LEADER_MPS
from simkit.rules.retreatways import RetreatWays

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader


@mypyc_attr(allow_interpreted_subclasses=True)
class RetreatLeaders(RetreatWays):
    """What becomes of leaders when units fall back or take ground."""

    def company(self, unit: Unit, place: Hex) -> list[Leader]:
        """12.72: leaders who go along."""
        owner = self.series.owner(unit)
        return [leader for leader in place.leaders if owner.leader_stays_with(self.series, leader, unit)]

    # -- leaders alone ---------------------------------------------------------------------------------------------

    def leaders_beside(self, place: Hex) -> None:
        """12.73: see to the leaders in the hexes around one that a unit has entered."""
        for side in place.sides:
            if side.on_map and side.to.leaders:
                self.leader_alone(side.to)

    def leader_alone(self, place: Hex) -> None:
        """12.73: leaders without friendly units beside an enemy join the nearest unit they can reach, or are killed."""
        for leader in list(place.leaders):
            holder = self.battle.held_by(place)
            if holder == leader.side or (holder < 0 and not self.battle.enemy_near(place, leader.side)):
                continue
            self.series.reserve.found_alone(leader.command)
            found = self._nearest(leader)
            if not found:
                self.series.results.kill(leader, "alone beside the enemy")
                continue
            chosen: i64 = 0
            if len(found) > 1:
                chosen = self.series.commander(leader.side).leader_joins(self.series, leader, found)
                if chosen < 0 or chosen >= len(found):
                    raise CommanderError(
                        f"Commander.leader_joins: answered {chosen} for {leader.id}; right would be 0 to "
                        f"{len(found) - 1}"
                    )
            self.battle.stand_leader(leader, found[chosen])
            leader.joined = True
            if self.series.log.level >= EVERYTHING:
                event = Event("leader")
                event.side = leader.side
                event.unit = leader.id
                event.mode = "alone"
                event.hex = place.id
                event.target_hex = found[chosen].id
                self.series.log.add(event)

    def _nearest(self, leader: Leader) -> list[Hex]:
        """12.73: hexes of the nearest friendly units by leader movement points, in the order of the roster."""
        for limit in (LEADER_MPS * ONE_MP, PROHIBITED):  # most have friends nearby
            found = self._nearest_within(leader, limit)
            if found:
                break
        return found

    def _nearest_within(self, leader: Leader, limit: i64) -> list[Hex]:
        """Those within so many half leader movement points."""
        stamp = self.series.movement.flood(leader.hex, leader.side, limit)
        found: list[Hex] = []
        best: i64 = 0
        for unit in self.battle.units:
            if unit.side != leader.side or not unit.counts():
                continue
            for part in unit.parts:
                if part.hex.stamp != stamp:
                    continue
                if not found or part.hex.cost < best:
                    found = [part.hex]
                    best = part.hex.cost
                elif part.hex.cost == best and part.hex not in found:
                    found.append(part.hex)
        return found
