"""Chapters 4.15 and 9.3: how far leaders ride and their commands reach, in leader movement points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import PHASE_COMMANDERS
from simkit.model.charts import LEADER, ONE_MP, PROHIBITED
from simkit.model.forces import DIVISION, MARCH
from simkit.model.log import EVERYTHING, Event
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader
    from simkit.rules.options import Options
    from simkit.rules.series import Series

LEADER_MPS: Final[i64] = 10  # brigadiers and division leaders (9.11)
COMMANDER_MPS: Final[i64] = 40  # corps and army commanders (9.11)


@mypyc_attr(allow_interpreted_subclasses=True)
class LeaderMovement(Chapter):
    """Movement of leaders, and the tracing of command ranges, which uses the same costs."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._rings: list[list[Hex]] = []  # hexes to look at, by cost
        self._least_ride: i64 = PROHIBITED  # half leader MPs below which no hex costs
        for terrain in self.charts.terrains:
            self._least_ride = min(self._least_ride, terrain.cost(LEADER))
            for road in self.charts.thoroughfares:
                self._least_ride = min(self._least_ride, road.cost(terrain.cost(LEADER), 0, True))

    # -- reach in leader movement points (4.15) --------------------------------------------------------------------

    def leader_may_enter(self, place: Hex, side: i64) -> bool:
        """4.15, 9.33: no hex of the enemy, nor one adjacent to the enemy unless a friendly combat unit holds it."""
        if place.holder >= 0:
            return place.holder == side
        return not self.battle.enemy_near(place, side)

    def flood(
        self, origin: Hex, side: i64, limit: i64, goals: list[Hex] | None = None, costs: bool = True
    ) -> i64:
        """4.15: measure leader movement points from a hex, without its own cost, to all within a limit in half MPs.

        Afterwards a hex within reach has the returned number as its `stamp`, and its `cost`. With `goals` the search
        ends once it knows what each of them costs, or without `costs` that each is within reach: only what it says of
        these then counts.
        """
        self.battle.look_at_fords()
        stamp = self.battle.map.next_search()
        rings = self._rings
        if not rings:
            rings.append([])
        origin.stamp = stamp
        origin.cost = 0
        rings[0].append(origin)
        waiting: i64 = 1
        cost: i64 = 0
        while waiting > 0 and cost <= limit:
            ring = rings[cost]
            for place in ring:
                waiting -= 1
                if place.cost == cost and place.settled != stamp:
                    place.settled = stamp
                    waiting += self._ride_on(place, side, limit, stamp)
            ring.clear()
            if goals is not None and (self._settled(goals, stamp) if costs else self._reached(goals, stamp)):
                break
            cost += 1
        if waiting > 0:
            for left in rings:
                left.clear()
        return stamp

    def _ride_on(self, place: Hex, side: i64, limit: i64, stamp: i64) -> i64:
        """Look at the hexes around one that a search has settled; how many it has found anew or nearer."""
        rings = self._rings
        found: i64 = 0
        for hexside in place.sides:
            reach = place.cost + hexside.leader_cost
            if reach > limit or not hexside.on_map:
                continue
            beyond = hexside.to
            if beyond.stamp == stamp:
                if reach >= beyond.cost:
                    continue
            elif not self.leader_may_enter(beyond, side):
                continue
            beyond.stamp = stamp
            beyond.cost = reach
            while reach >= len(rings):
                rings.append([])
            rings[reach].append(beyond)
            found += 1
        return found

    def _settled(self, goals: list[Hex], stamp: i64) -> bool:
        """Whether a search knows the least cost of each of some hexes."""
        for goal in goals:
            if goal.settled != stamp:
                return False
        return True

    def _reached(self, goals: list[Hex], stamp: i64) -> bool:
        """Whether a search has come to each of some hexes."""
        for goal in goals:
            if goal.stamp != stamp:
                return False
        return True

    def _begin_at(self, place: Hex, limit: i64) -> i64:
        """Begin a search at a hex, with room for all costs up to a limit; its number."""
        self.battle.look_at_fords()
        while len(self._rings) <= limit:
            self._rings.append([])
        place.stamp = self.battle.map.next_search()
        place.cost = 0
        self._rings[0].append(place)
        return place.stamp

    def flood_back(self, goal: Hex, side: i64, limit: i64, origins: list[Hex]) -> i64:
        """4.15: find from which of some hexes another is within a limit in half leader MPs, its own cost included.

        Afterwards those have the returned number as their `stamp`.
        """
        stamp = self._begin_at(goal, limit)
        rings = self._rings
        cost: i64 = 0
        while cost <= limit:
            ring = rings[cost]
            for place in ring:
                if place.cost == cost and place.settled != stamp:
                    place.settled = stamp
                    if self.leader_may_enter(place, side):
                        self._ride_before(place, limit, stamp)
            ring.clear()
            if self._reached(origins, stamp):
                break
            cost += 1
        for left in rings:
            left.clear()
        return stamp

    def _ride_before(self, place: Hex, limit: i64, stamp: i64) -> None:
        """Look at the hexes from which a ride leads into one that a search back has settled."""
        for way_out in place.sides:
            if way_out.on_map:
                before = way_out.to
                reach = place.cost + before.sides[(way_out.direction + 3) % 6].leader_cost
                if reach <= limit and (before.stamp != stamp or reach < before.cost):
                    before.stamp = stamp
                    before.cost = reach
                    self._rings[reach].append(before)

    def range_cost(self, origin: Hex, place: Hex, side: i64, limit: i64) -> i64:
        """4.15: half leader MPs from a superior's hex to a subordinate's; PROHIBITED beyond a limit.

        Hexes are looked at in the order of their cost and the least that the rest can cost.
        """
        if origin.index >= 0 and self._least_ride * origin.distance_to(place) > limit:
            return PROHIBITED
        stamp = self._begin_at(origin, limit)
        rings = self._rings
        found: i64 = PROHIBITED
        at: i64 = 0
        while at <= limit:
            ring = rings[at]
            if found == PROHIBITED:
                for here in ring:
                    if here is place:
                        found = here.cost
                        break
                    if here.settled != stamp:
                        here.settled = stamp
                        self._ride_nearer(here, place, side, at, limit)
            ring.clear()
            at += 1
        return found

    def _ride_nearer(self, here: Hex, goal: Hex, side: i64, least: i64, limit: i64) -> None:
        """Look at the hexes around one for ways to a goal that cost from so much up to a limit as a whole."""
        stamp = here.stamp
        for hexside in here.sides:
            if not hexside.on_map:
                continue
            reach = here.cost + hexside.leader_cost
            beyond = hexside.to
            if beyond.stamp == stamp and reach >= beyond.cost:
                continue
            whole = max(reach + self._least_ride * beyond.distance_to(goal), least)
            if whole > limit or (beyond.stamp != stamp and not self.leader_may_enter(beyond, side)):
                continue
            beyond.stamp = stamp
            beyond.cost = reach
            self._rings[whole].append(beyond)

    # -- leaders' own moves (9.3) ----------------------------------------------------------------------------------

    def leader_allowance(self, leader: Leader) -> i64:
        """4.16, 4.17, 9.11, 9.31, 9.32: half MPs that a leader has left; orders do not change them."""
        points = COMMANDER_MPS if leader.is_commander() else LEADER_MPS
        return max(points * ONE_MP - leader.spent, 0)

    def leader_may_move(self, leader: Leader) -> bool:
        """9.31, 9.32: whether a leader may move now: once a phase, with his command active, or at the end of the turn.

        A division or artillery leader rides while any command of his is active; commanders of corps and armies only in
        the Commander Movement Phase. Who has helped a rally has moved (13.43).
        """
        if leader.moved or not (leader.in_play() or leader.waiting) or self.series.surprise.keeps_still(leader):
            return False
        if leader.is_commander() or self.series.reinforcements.rides_in_alone(leader):
            return self.battle.phase == PHASE_COMMANDERS
        return self.leader_active(leader)

    def leader_active(self, leader: Leader) -> bool:
        """9.31, 6.19, 4.33: whether the command of a brigade, division or artillery leader is active, or one below it.

        Leaders of commands on the march are active on the March marker, a division leader then only with one in range.
        """
        if leader.side != self.battle.phasing or self.series.orders.actions_over():
            return False
        marching = self.battle.marching
        for command in self.battle.active:
            marches = command.orders == MARCH
            if command is leader.command and marches == marching:
                return True
            heads = leader.level == DIVISION or leader.command.artillery
            above = heads and self.series.activation.marker_division(command) is leader.command
            if above and (not marching or (marches and self._rides_near(leader, command))):
                return True
        return False

    def _rides_near(self, leader: Leader, brigade: Command) -> bool:
        """9.31, 9.71: whether a brigadier on the march is in a division leader's range, or both are about to enter."""
        if leader.waiting:
            return self.series.reinforcements.comes_with(leader, brigade)
        return self.series.command.leads(leader.command, brigade)

    def _origins(self, leader: Leader) -> list[Hex]:
        """9.71: where his ride begins: in his hex, or beyond any hex through which he may enter the map."""
        return self.series.reinforcements.leader_gates(leader) if leader.waiting else [leader.hex]

    def leader_search(self, leader: Leader) -> list[Hex]:
        """9.31, 9.33: hexes to which a leader can ride now, other than his own, in the order of the map."""
        if not self.leader_may_move(leader):
            return []
        first = self.battle.map.search
        for origin in self._origins(leader):
            self.flood(origin, leader.side, self.leader_allowance(leader))
        return [
            place for place in self.battle.map.hexes
            if place.stamp > first and place is not leader.hex and place.closed & leader.bound == 0
        ]

    def ride_cost(self, leader: Leader, place: Hex) -> i64:
        """9.31, 9.33: half MPs of a leader's ride to a hex; PROHIBITED if he may not move now or cannot reach it."""
        cost = PROHIBITED
        if self.leader_may_move(leader) and place is not leader.hex and place.closed & leader.bound == 0:
            for origin in self._origins(leader):
                cost = min(cost, self.range_cost(origin, place, leader.side, self.leader_allowance(leader)))
        return cost

    def ride_costs(self, leader: Leader, places: list[Hex], most: i64) -> list[i64]:
        """9.31, 9.33: what `ride_cost` says of each of several hexes, by one search and up to `most` half MPs."""
        costs: list[i64] = [PROHIBITED] * len(places)
        if not places or not self.leader_may_move(leader):
            return costs
        for origin in self._origins(leader):
            stamp = self.flood(origin, leader.side, min(self.leader_allowance(leader), most), places)
            for at, place in enumerate(places):
                if place.stamp == stamp and place is not leader.hex and place.closed & leader.bound == 0:
                    costs[at] = min(costs[at], place.cost)
        return costs

    def move_leader(self, leader: Leader, place: Hex) -> None:
        """9.31-9.33: a leader rides to a hex.

        A commander who uses more than 10 MPs pays with his abilities next turn (9.32).

        Raises:
            CommanderError: he may not move now, or cannot reach the hex.
        """
        if not self.leader_may_move(leader):
            raise CommanderError(f"Movement.move_leader: {leader.id} may not move now; ask leader_may_move first")
        cost = self.ride_cost(leader, place)
        if cost >= PROHIBITED:
            raise CommanderError(
                f"Movement.move_leader: {leader.id} cannot reach {place.id or 'off the map'}; take one of leader_search"
            )
        self.ride(leader, place, cost)
        leader.moved = True

    def ride(self, leader: Leader, place: Hex, cost: i64) -> None:
        """9.31: put a leader into another hex at a cost in half MPs, alone or with a unit."""
        origin = leader.hex
        leader.spent += cost
        if leader.is_commander() and leader.spent > LEADER_MPS * ONE_MP:
            leader.far_moved = True
        if leader.waiting:
            self.series.reinforcements.leader_entered(leader)
        self.battle.stand_leader(leader, place)
        if self.series.log.level >= EVERYTHING:
            event = Event("leader")
            event.side = leader.side
            event.unit = leader.id
            event.hex = origin.id
            event.target_hex = place.id
            event.sp = leader.spent
            self.series.log.add(event)

    def may_take(self, leader: Leader, unit: Unit) -> bool:
        """9.31, 9.33, 13.43: whether a leader may go along with an active unit of his command in his hex.

        At the start of his movement or after a ride to join it; not after he has gone along with another, nor after he
        has helped a rally.
        """
        together = leader.in_play() and unit.stands_in(leader.hex)
        if leader.waiting and unit.waiting:
            together = self.series.reinforcements.comes_with(leader, unit.command)
        if not together or leader.is_commander():
            return False
        if leader.ended or leader.affected_rally:
            return False
        return self.leader_active(leader) and self._leads(leader, unit)

    def _leads(self, leader: Leader, unit: Unit) -> bool:
        """9.33, 5.33: whether a unit is of a leader's command, or a battery of his division that acts with it."""
        return self.series.command.commands_unit(leader, unit) or unit.command is leader.command.superior
