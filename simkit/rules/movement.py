"""Chapter 9, movement: units on their way, hex by hex, with all that they set off (9.2, 9.3, 9.4, 9.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_TERRAIN, ONE_MP, PROHIBITED, UDD
from simkit.model.forces import ADVANCE, ARTILLERY
from simkit.model.hexgrid import HEADING_NAMES
from simkit.model.log import EVERYTHING, Event
from simkit.rules.closeguns import CloseGuns
from simkit.rules.commander import CommanderError
from simkit.rules.facing import vertices
from simkit.rules.movementcosts import WITH_CHECK

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside, Node
    from simkit.model.forces import Leader, Unit


class Route:
    """A unit under way: the hexes behind it with the hexside by which it entered each, and who rides along."""

    def __init__(self, unit: Unit, riders: list[Leader]) -> None:
        self.depth: i64 = unit.hex.stack.index(unit.parts[0])  # in the stack that it leaves
        self.hexes: list[Hex] = [unit.hex]
        self.sides: list[Hexside] = []
        self.by_road: list[bool] = []
        self.by_crossing: list[bool] = []
        self.riders = riders

    def enter(self, side: Hexside, by_road: bool) -> None:
        """Add the hex on the far side of a hexside."""
        self.hexes.append(side.to)
        self.sides.append(side)
        self.by_road.append(by_road)
        self.by_crossing.append(side.by_crossing)

    def back(self, hexes: i64) -> None:
        """Forget the last so many hexes of the way."""
        count = len(self.sides) - hexes
        self.hexes = self.hexes[: count + 1]
        self.sides = self.sides[:count]
        self.by_road = self.by_road[:count]
        self.by_crossing = self.by_crossing[:count]


@mypyc_attr(allow_interpreted_subclasses=True)
class Movement(CloseGuns):
    """Movement of units: steps, moves along a path, one-hex moves by exception, and withdrawals."""

    # -- a move along a path ---------------------------------------------------------------------------------------

    def move(self, unit: Unit, node: Node, heading: i64, take_leaders: list[Leader] | None = None) -> bool:
        """8.21, 9.13: move one unit to a node that the latest search for it has reached, then turn it to a heading.

        It stops earlier where fire, disorder or what it meets makes it. In a hex with others it takes their facing.

        Args:
            unit: who moves.
            node: one of `reached` for which `may_stop` holds.
            heading: at the end; `node.heading` for none but that with which it enters.
            take_leaders: leaders in its hex who go along (9.31).

        Returns:
            Whether it came to the end of the path.

        Raises:
            CommanderError: the node is none to stop in, the heading is out of reach, or a leader may not come.
        """
        self._require(unit, node, heading)
        riders = self._riders(unit, take_leaders)
        sides = self.path(node)
        headings = [at.heading for at in self.stages(node)]
        entering = unit.waiting
        if entering:
            unit.heading = headings[0]
            self.series.reinforcements.step_up(unit, sides[0].origin, riders)
        way = Route(unit, riders)
        for leader in way.riders:
            leader.ended = True
        self.battle.take_up(unit)
        self.series.refusal.set_out(unit)
        arrived = True
        for count, side in enumerate(sides):
            if arrived and not self._step(unit, way, side, headings[count], count == len(sides) - 1):
                self._halt(unit, way)
                arrived = False
        if arrived:
            self._arrive(unit, way, heading)
        if entering:
            self.series.reinforcements.settle(unit, sides[0].origin)
        self._finished(unit)
        return arrived

    def _require(self, unit: Unit, node: Node, heading: i64) -> None:
        if not self._sought or self._sought[0] is not unit or not self.may_stop(node) or not self.may_move(unit):
            raise CommanderError(
                f"Movement.move: {unit.id} cannot end in {node.hex.id}; call search for it, then take a node for which"
                f" may_stop holds"
            )
        if not self.may_face(unit, node, heading):
            raise CommanderError(
                f"Movement.move: {unit.id} cannot turn to heading {heading} in {node.hex.id}; it enters with heading"
                f" {node.heading} and may not turn next to the enemy nor beyond its movement points"
            )

    def may_face(self, unit: Unit, node: Node, heading: i64) -> bool:
        """7.21, 9.53: whether a unit that ends its move in a node may turn there to a heading.

        With others in the hex it takes theirs, whatever was asked for.
        """
        if heading == node.heading or self.mates(unit, node.hex):
            return True
        if not self.series.facing.right_kind(unit, heading) or self.battle.enemy_near(node.hex, unit.side):
            return False
        turn = self.series.facing.turn_cost(unit, node.hex, vertices(node.heading, heading))
        return self.stop_price(unit, node) + turn <= self.allowance(unit)

    def _riders(self, unit: Unit, leaders: list[Leader] | None) -> list[Leader]:
        riders: list[Leader] = []
        if leaders is not None:
            for leader in leaders:
                if not self.may_take(leader, unit):
                    raise CommanderError(f"Movement.move: {leader.id} cannot go along with {unit.id} now")
                riders.append(leader)
        return riders

    def _finished(self, unit: Unit) -> None:
        """7.32, 10.44: the end of a unit's move: refused flanks that it fills, fire at those left behind."""
        self.series.refusal.settled(unit)
        self.series.fire.move_finished(unit)

    # -- one step --------------------------------------------------------------------------------------------------

    def _step(self, unit: Unit, way: Route, side: Hexside, heading: i64, last: bool) -> bool:
        """Turn, leave a hex and enter the next; False if the unit's move ends before or in it by what happens."""
        origin = unit.hex
        at_start = len(way.sides) == 0
        steps = vertices(unit.heading, heading)
        turn = self.turn_price(unit, origin, steps, at_start)
        cost = self._cost(unit, way, side, turn)
        if cost > self.allowance(unit):
            return False
        self.series.facing.face(unit, heading)
        self.series.fire.withdrawal(unit, origin, side.to)
        if not self._still_in(unit, origin):
            return False
        cost = self._cost(unit, way, side, turn)
        if cost > self.allowance(unit):
            # the turn has been made all the same
            unit.spent += min(turn, self.allowance(unit))
            unit.faced += steps
            unit.moved = unit.moved or turn > 0
            return False
        by_road = side.by_road
        moved_off = self.series.reaction.about_to_enter(unit, [side.to], cost)
        if not self._still_in(unit, origin):
            return False
        checked = not at_start and self._checks_passage(unit, way, side)
        unit.spent += cost
        self._enter(unit, way, side, by_road, last)
        if checked and not self._passed(unit, way):
            return False
        if not self._entered(unit, way, side, by_road):
            return False
        return last or not moved_off or self.series.owner(unit).keeps_moving(self.series, unit)

    def _cost(self, unit: Unit, way: Route, side: Hexside, turn: i64) -> i64:
        """9.41, 8.22: half MPs of a step with its turn, as things now stand."""
        self.prepare(unit)
        cost = self.price(unit, side)
        if cost >= PROHIBITED or turn >= PROHIBITED:
            return PROHIBITED
        if not side.by_road:
            cost += turn
        count = len(way.sides)
        if count > 0:
            cost += self.passage(unit, way.sides[count - 1], way.by_road[count - 1], side)
        return cost

    def _checks_passage(self, unit: Unit, way: Route, side: Hexside) -> bool:
        """8.22: whether a unit that leaves a hex across a hexside has moved through units so that it must check."""
        count = len(way.sides)
        if self.through(unit, unit.hex) < WITH_CHECK:
            return False
        way_in = way.sides[count - 1]
        return not (
            way.by_road[count - 1] and side.by_road and self._for_units(way_in) and self._for_units(side)
        )

    def _still_in(self, unit: Unit, place: Hex) -> bool:
        """Whether what has happened leaves a unit where it is and free to go on."""
        return unit.counts() and unit.hex is place and not unit.finished

    def _enter(self, unit: Unit, way: Route, side: Hexside, by_road: bool, last: bool) -> None:
        """9.13, 9.23: take a unit into the next hex, its riders with it (9.31); see to leaders left or met (12.73)."""
        origin = side.origin
        place = side.to
        self.battle.lift(unit)
        if len(way.sides) == 0 and origin.stack:
            self.series.facing.left(origin)
            self.series.refusal.thinned(origin)
        if last:
            self.series.stacking.enter(unit, place, side)
        else:
            self.battle.stand(unit, place, True)
        unit.moved = True
        unit.entered = True
        unit.faced = 0
        unit.turned_after_move = False
        if unit.waiting:
            self.series.reinforcements.entered(unit)
        if self.battle.enemy_near(place, unit.side):
            unit.came_adjacent = True
            if unit.orders == ADVANCE and side.by_crossing:
                unit.by_exception = True  # 9.23: it shocks in its next activation only
        way.enter(side, by_road)
        staying: list[Leader] = []
        for leader in way.riders:
            price = side.leader_cost
            if price <= self.leader_allowance(leader):
                self.ride(leader, place, price)
                leader.moved = True
            else:
                staying.append(leader)
        for leader in staying:
            way.riders.remove(leader)
        if self.series.log.level >= EVERYTHING and origin.index >= 0:
            self._log_move(unit, origin, place)
        self._call_crews(unit, place)
        if origin.leaders:
            self.series.retreat.leader_alone(origin)
        self._leaders_met(place)

    def _log_move(self, unit: Unit, origin: Hex, place: Hex) -> None:
        event = Event("move")
        event.side = unit.side
        event.unit = unit.id
        event.hex = origin.id
        event.target_hex = place.id
        event.sp = unit.spent
        event.result = HEADING_NAMES[unit.heading]
        self.series.log.add(event)

    def _call_crews(self, unit: Unit, place: Hex) -> None:
        """12.81: a unit in good order that enters the hex of friendly abandoned guns brings back their crew."""
        if unit.disordered:
            return
        for part in place.stack:
            if part.unit.abandoned != 0 and part.unit.side == unit.side:
                part.unit.crew_back = True

    def _leaders_met(self, place: Hex) -> None:
        """12.73: leaders without troops in or next to a hex that a unit has entered."""
        if place.leaders:
            self.series.retreat.leader_alone(place)
        for hexside in place.sides:
            if hexside.to.leaders:
                self.series.retreat.leader_alone(hexside.to)

    def _passed(self, unit: Unit, way: Route) -> bool:
        """8.22: the check of a unit that has left a hex in which it moved through others; False if it must go back.

        The normal cost of that hex is added from two movement points up. A second disorder sends the unit back to the
        hex before, its activation finished.
        """
        count = len(way.sides)
        through = way.sides[count - 2]
        points = (through.costs if through.by_crossing else through.plain)[self.mover(unit)] // ONE_MP
        drm: i64 = points if points >= 2 else 0
        if self.series.results.udd(unit, drm, "moving through"):
            return True
        if not unit.disordered:
            self.series.results.disorder(unit, CAUSE_TERRAIN)
            return True
        way.back(2)
        self._go_back(unit, way)
        unit.finished = True
        return False

    def _entered(self, unit: Unit, way: Route, side: Hexside, by_road: bool) -> bool:
        """9.47, 9.61, 10.45, 9.53, 9.55: what befalls a unit that has entered a hex; False if its move ends there."""
        place = side.to
        stopped = False
        disorder = self.disorder_across(unit, side, by_road)
        if disorder == AUTOMATIC or (disorder == UDD and not self.series.results.udd(unit, 0, "terrain")):
            stopped = self.series.results.disorder(unit, CAUSE_TERRAIN)
        self.series.reaction.entered(unit)
        self.series.fire.approach(unit)
        if not self._still_in(unit, place):
            return False
        if unit.kind == ARTILLERY and self.options.artillery_near_enemy == 2:
            self.run_in_close(unit, way.hexes[0], way.hexes[len(way.hexes) - 2])
            if not self._still_in(unit, place):
                return False
        return not stopped

    # -- where it ends ---------------------------------------------------------------------------------------------

    def _arrive(self, unit: Unit, way: Route, heading: i64) -> None:
        """7.11, 7.32, 9.43, 9.53: the end of a move: the price of a road in company, and the facing."""
        place = unit.hex
        mates = self.mates(unit, place)
        count = len(way.sides) - 1
        if not mates:
            if heading != unit.heading and not self.battle.enemy_near(place, unit.side):
                steps = vertices(unit.heading, heading)
                cost = self.series.facing.turn_cost(unit, place, steps)
                if cost <= self.allowance(unit):
                    unit.spent += cost
                    unit.faced = steps
                    unit.turned_after_move = True
                    self.series.facing.face(unit, heading)
            return
        if count >= 0 and (way.by_road[count] or way.by_crossing[count]) and self.crowds(unit, place):
            dearer = self.ground_price(unit, way.sides[count], way.by_road[count])
            unit.spent += min(dearer, self.allowance(unit))
        unit.spent += min(self.series.refusal.price_to_join(unit, place), self.allowance(unit))
        unit.ended = True
        self._take_facing(unit, mates[0].heading)

    def _take_facing(self, unit: Unit, heading: i64) -> None:
        """7.11, 9.53: take the facing of those in the hex; next to the enemy at the price of fire and shock."""
        if heading == unit.heading:
            return
        if self.battle.enemy_near(unit.hex, unit.side):
            unit.adjusted_facing = True
        else:
            steps = vertices(unit.heading, heading)
            cost = self.series.facing.turn_cost(unit, unit.hex, steps)
            unit.spent += min(cost, self.allowance(unit))
            unit.faced = steps
            unit.turned_after_move = True
        self.series.facing.face(unit, heading)

    def _halt(self, unit: Unit, way: Route) -> None:
        """8.11: a unit whose move ends early stands where it is, or goes back to the last hex in which it may stand."""
        if not unit.counts() or unit.hex is not way.hexes[len(way.hexes) - 1]:
            return
        if len(way.sides) == 0:
            self._stay(unit)
        elif self.series.stacking.may_end(unit, unit.hex):
            self._settle_in(unit, way)
        else:
            way.back(1)
            self._go_back(unit, way)

    def _stay(self, unit: Unit) -> None:
        """7.11: a unit that has not left its hex after all faces as the others there do."""
        mates = self.mates(unit, unit.hex)
        if mates:
            self.series.facing.face(unit, mates[0].heading)

    def _go_back(self, unit: Unit, way: Route) -> None:
        """8.22, 8.11: put a unit back into the last hex of its way in which it may stand, with the heading it has."""
        while len(way.sides) > 0 and not self.series.stacking.may_end(unit, way.hexes[len(way.hexes) - 1]):
            way.back(1)
        place = way.hexes[len(way.hexes) - 1]
        origin = unit.hex
        self.battle.lift(unit)
        self.battle.stand_at(unit, place, min(way.depth, len(place.stack)))
        unit.came_adjacent = len(way.sides) > 0 and self.battle.enemy_near(place, unit.side)
        for leader in way.riders:
            self.battle.stand_leader(leader, place)
        if self.series.log.level >= EVERYTHING and place.index >= 0:
            self._log_move(unit, origin, place)
        if origin.leaders:
            self.series.retreat.leader_alone(origin)
        self._settle_in(unit, way)

    def _settle_in(self, unit: Unit, way: Route) -> None:
        """8.23, 7.11: give a unit that has stopped early its place in the stack and the facing of the others."""
        place = unit.hex
        count = len(way.sides) - 1
        mates = self.mates(unit, place)
        if count < 0:
            self._stay(unit)
        elif mates:
            self.battle.lift(unit)
            self.series.stacking.enter(unit, place, way.sides[count])
            self._take_facing(unit, mates[0].heading)

    # -- one hex by exception (9.42) -------------------------------------------------------------------------------

    def step(self, unit: Unit, hexside: Hexside) -> bool:
        """9.42: move a unit one hex across one of `exceptions`, all its movement; False if it did not get there."""
        return self.step_and_turn(unit, hexside, -1)

    def step_and_turn(self, unit: Unit, hexside: Hexside, heading: i64) -> bool:
        """9.42: the same, with a heading to take there at no cost (-1: as it enters).

        Raises:
            CommanderError: the hexside is none of `exceptions`, or the heading is not open to the unit.
        """
        if hexside not in self.exceptions(unit):
            raise CommanderError(f"Movement.step: {unit.id} has no such move to {hexside.to.id}; ask exceptions")
        near = self.battle.enemy_near(hexside.to, unit.side)
        across = self.heading_across(unit, hexside)
        entering = unit.waiting
        if heading >= 0 and heading != across and (near or not self.series.facing.right_kind(unit, heading)):
            raise CommanderError(f"Movement.step: {unit.id} cannot take heading {heading} in {hexside.to.id}")
        if entering:
            unit.heading = across
            self.series.reinforcements.step_up(unit, hexside.origin, [])
        origin = unit.hex
        self.battle.take_up(unit)
        way = Route(unit, [])
        self.series.refusal.set_out(unit)
        self.series.facing.face(unit, across)
        self.series.fire.withdrawal(unit, origin, hexside.to)
        self.price(unit, hexside)
        by_road = hexside.by_road
        if self._still_in(unit, origin):
            self.series.reaction.about_to_enter(unit, [hexside.to], 0)
        arrived = self._still_in(unit, origin)
        if arrived:
            unit.spent = self.full_allowance(unit, False)
            if near:
                unit.by_exception = True
            self._enter(unit, way, hexside, by_road, True)
            arrived = self._entered(unit, way, hexside, by_road)
        if not arrived:
            self._halt(unit, way)
        elif heading >= 0 and not self.mates(unit, unit.hex):
            self.series.facing.face(unit, heading)
        else:
            self._arrive(unit, way, unit.heading)
        if entering:
            self.series.reinforcements.settle(unit, hexside.origin)
        self._finished(unit)
        return arrived
