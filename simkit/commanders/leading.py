"""Where the heuristic commander's leaders ride: to where their stars and their command ranges count (4.1, 9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.answers import NO_WORTH
from simkit.commanders.digging import Digging
from simkit.model.charts import PROHIBITED
from simkit.model.forces import ARTILLERY, Command, Leader, Unit

if TYPE_CHECKING:
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Leading(Digging):
    """Leaders of brigades, divisions, corps and armies."""

    def move_leader(self, series: Series, brigade: Command, leader: Leader) -> None:
        """Join a unit that is about to shock, else one that needs rallying, else one in the middle of the brigade."""
        if leader.moved:
            return
        best: list[Unit] = []
        best_worth: i64 = NO_WORTH
        for unit in series.activation.members(brigade):
            if not unit.counts() or (unit.kind == ARTILLERY and not brigade.artillery):
                continue
            worth: i64 = -self.fields[0].to_enemy(unit.hex)
            if self.doctrine.leader_forward == 0:
                worth = -worth
            if series.shock.must_shock(unit):
                worth += 100
            elif unit.disordered and not unit.rallied:
                worth += 30
            elif series.battle.enemy_near(unit.hex, unit.side):
                worth += 50 if self.doctrine.leader_forward == 1 else -50
            if worth > best_worth:
                best = [unit]
                best_worth = worth
        if not best or best[0].hex is leader.hex:
            return
        if series.movement.ride_cost(leader, best[0].hex) < PROHIBITED:
            series.movement.move_leader(leader, best[0].hex)

    def lead_guns(self, series: Series, brigades: list[Command]) -> None:
        """4.33, 9.31: an artillery leader joins the guns of his active brigades, and those directly under him."""
        for brigade in brigades:
            command = series.activation.marker_division(brigade)
            if not command.artillery or not command.has_leader() or command in brigades:
                continue
            leader = command.leader()
            if series.movement.leader_may_move(leader):
                best = leader.hex
                for unit in brigade.units:
                    nearer = best is leader.hex or self.fields[0].to_enemy(unit.hex) > self.fields[0].to_enemy(best)
                    if unit.counts() and nearer:
                        best = unit.hex
                if best is not leader.hex and series.movement.ride_cost(leader, best) < PROHIBITED:
                    series.movement.move_leader(leader, best)

    def place_under(self, series: Series, unit: Unit, command: Command) -> bool:
        """4.33: a battery in good order with the enemy in reach of its guns."""
        field = self.field(series.battle)
        field.measure()
        return not unit.disordered and field.to_enemy(unit.hex) <= unit.weapon.max_range
