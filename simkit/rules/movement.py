"""Chapter 9, movement: units on their way, hex by hex, with all that they set off (9.2, 9.3, 9.4, 9.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_TERRAIN, PROHIBITED, UDD
from simkit.model.forces import ADVANCE, ARTILLERY, EXTENDED_COLUMN
from simkit.model.log import EVERYTHING
from simkit.rules.commander import CommanderError
from simkit.rules.endofmove import EndOfMove
from simkit.rules.facing import vertices
from simkit.rules.movementcosts import WITH_CHECK
from simkit.rules.options import GRINGO
from simkit.rules.route import Route

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside, Node
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader


@mypyc_attr(allow_interpreted_subclasses=True)
class Movement(EndOfMove):
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
        first = self.path(node)[0]
        entering = unit.waiting
        if entering:
            self.series.reinforcements.step_up([unit], first.origin, self.stages(node)[0].heading, riders)
        self.battle.take_up(unit)
        if self.as_column(unit):
            self._file = [unit]
        arrived = self.follow(Route(unit, riders), node, heading)
        self._file = []
        if entering:
            self.series.reinforcements.settle([unit], first.origin)
        self._finished([unit])
        return arrived

    def follow(self, way: Route, node: Node, heading: i64) -> bool:
        """8.21, 9.13: take a unit or stack along the path to a node of the latest search; whether it gets there."""
        unit = way.units[0]
        self.set_out(way)
        sides = self.path(node)
        headings = [at.heading for at in self.stages(node)]
        for count, side in enumerate(sides):
            if not self._step(unit, way, side, headings[count], count == len(sides) - 1):
                self._halt(unit, way)
                self.stop_in_close(way)
                return False
        self._arrive(unit, way, heading)
        self.stop_in_close(way)
        return True

    def set_out(self, way: Route) -> None:
        """7.32, 9.31: those who go along a way set out, and their riders with them."""
        for one in way.units:
            self.series.refusal.set_out(one)
        for leader in way.riders:
            leader.ended = True

    def take_step(self, way: Route, side: Hexside, heading: i64, last: bool) -> bool:
        """11.54: the next step of a charge across a hexside, `last` at the end of its way; False if it ends there."""
        return self._step(way.units[0], way, side, heading, last)

    def come_to_rest(self, way: Route, arrived: bool) -> None:
        """8.11, 9.53: the end of a charge, at the end of its way or before."""
        if not way.units:
            return
        if arrived:
            self._arrive(way.units[0], way, way.units[0].heading)
        else:
            self._halt(way.units[0], way)
        self.stop_in_close(way)

    def has_moved(self, units: list[Unit]) -> None:
        """10.44: what the end of a charge's move sets off, whoever of those who set out is left."""
        self._finished(units)

    def _require(self, unit: Unit, node: Node, heading: i64) -> None:
        sought = len(self._sought) == 1 and self._sought[0] is unit
        if not sought or not self.may_stop(node) or not self.may_move(unit):
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
        if self.as_column(unit) and not self.series.columns.may_face(unit, node, heading):
            return False
        turn = self.series.facing.turn_cost(unit, node.hex, vertices(node.heading, heading))
        return self.stop_price(unit, node) + turn <= self.least_allowance(self._party or [unit])

    def _riders(self, unit: Unit, leaders: list[Leader] | None) -> list[Leader]:
        riders: list[Leader] = []
        if leaders is not None:
            for leader in leaders:
                if leader in riders or not self.may_take(leader, unit):
                    who = f"{leader.id}, named twice," if leader in riders else leader.id
                    raise CommanderError(f"Movement.move: {who} cannot go along with {unit.id} now")
                riders.append(leader)
        return riders

    def _finished(self, units: list[Unit]) -> None:
        """7.32, 9.71, 10.44: the end of a move: flanks that are filled, fire at those left behind, orders taken up."""
        self.series.refusal.settled_all(units)
        self.series.fire.move_finished(units[0])
        for unit in units:
            if unit.arrival is not None:
                self.series.reinforcements.has_moved(unit)

    # -- one step --------------------------------------------------------------------------------------------------

    def _step(self, unit: Unit, way: Route, side: Hexside, heading: i64, last: bool) -> bool:
        """Turn, leave a hex and enter the next; False if the unit's move ends before or in it by what happens."""
        origin = unit.hex
        at_start = len(way.sides) == 0
        steps = vertices(unit.heading, heading)
        turn = self.turn_price(unit, origin, steps, at_start)
        cost = self._cost(unit, way, side, turn)
        if cost > self.least_allowance(way.units) or not self.series.columns.can_follow(unit, way):
            return False
        for one in way.units:
            self.series.facing.face(one, heading)
        if unit.extended == EXTENDED_COLUMN:
            self.series.columns.leave_fronts(unit, side.to)
        else:
            self.series.fire.withdrawal_from(way.units, origin, side.to)
        if not self._all_in(way, origin):
            return False
        unit = way.units[0]
        cost = self._cost(unit, way, side, turn)
        if cost > self.least_allowance(way.units):
            for one in way.units:  # the turn has been made all the same
                one.spent += min(turn, self.allowance(one))
                one.faced += steps
                one.moved = one.moved or turn > 0
            return False
        by_road = side.by_road
        moved_off = self.series.reaction.about_to_enter(way.units, [side.to], cost)
        if not self._all_in(way, origin):
            return False
        unit = way.units[0]
        self.prepare_stack(way.units)
        checked = not at_start and self._checks_passage(unit, way, side)
        for one in way.units:
            one.spent += cost
        way.paid = cost
        self._enter(unit, way, side, by_road, last)
        if checked and not self._passed(unit, way):
            return False
        if not self._entered(unit, way, side, by_road):
            return False
        return last or not moved_off or way.charge or self.series.owner(unit).keeps_moving(self.series, unit)

    def _cost(self, unit: Unit, way: Route, side: Hexside, turn: i64) -> i64:
        """9.41, 8.22: half MPs of a step with its turn, as things now stand."""
        lead = self.prepare_stack(way.units)
        cost = self.price(lead, side)
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

    def _all_in(self, way: Route, place: Hex) -> bool:
        """8.21: whether all of a stack under way are still in a hex and free to go on.

        A charge goes on without those who are not, as long as anybody is left (11.52).
        """
        if way.charge:
            way.units = [unit for unit in way.units if self._still_in(unit, place)]
            return len(way.units) > 0
        for unit in way.units:
            if not self._still_in(unit, place):
                return False
        return True

    def _enter(self, unit: Unit, way: Route, side: Hexside, by_road: bool, last: bool) -> None:
        """9.13, 9.23, 17.22: take a unit with riders into the next hex (9.31); see to leaders left or met (12.73)."""
        origin = side.origin
        place = side.to
        in_column = self.as_column(unit)
        tail = unit.parts[len(unit.parts) - 1].hex
        way.drop_lost_riders()
        crossed = [self.series.columns.crossed_by(unit, leader, side) for leader in way.riders]
        if not in_column:
            for one in way.units:
                self.battle.lift(one)
            depth = self.series.stacking.depth(unit, place, side) if last else 0
            for at, one in enumerate(way.units):
                self.battle.stand_at(one, place, depth + at)
        else:
            unit.faced = 0
            self.series.columns.advance(unit, way, place)
        if len(way.sides) == 0 and origin.stack:
            self.series.facing.left(origin)
            self.series.refusal.thinned(origin)
        near = self.battle.enemy_near(place, unit.side)
        for one in way.units:
            one.moved = True
            one.entered = True
            one.left_roads = one.left_roads or not (side.by_crossing or (by_road and self._for_units(side)))
            one.faced = 0
            one.turned_after_move = False
            if one.waiting:
                self.series.reinforcements.entered(one)
            if near:
                one.came_adjacent = True
                self.series.surprise.approached(one)
                if one.orders == ADVANCE and side.by_crossing:
                    one.by_exception = True  # 9.23: it shocks in its next activation only
        way.enter(side, by_road)
        self._ride_along(way, crossed)
        for one in way.units:
            if self.series.log.level >= EVERYTHING and origin.index >= 0:
                self._log_move(one, origin, place)
            self.call_crews(one, place)
        if origin.leaders:
            self.series.retreat.leader_alone(origin)
        if tail is not origin and tail.leaders:
            self.series.retreat.leader_alone(tail)
        self.leaders_met(place)
        if side.walls:
            self.series.engineering.crossed(way.units, [side])

    def _ride_along(self, way: Route, crossed: list[Hexside]) -> None:
        """9.31: leaders who go along cross their hexsides; who lacks the movement points for that stays behind."""
        staying: list[Leader] = []
        for at, leader in enumerate(way.riders):
            price = crossed[at].leader_cost
            if price <= self.leader_allowance(leader):
                self.ride(leader, crossed[at].to, price)
                leader.moved = True
            else:
                staying.append(leader)
        for leader in staying:
            way.riders.remove(leader)

    def call_crews(self, unit: Unit, place: Hex) -> None:
        """12.81: a unit in good order that enters the hex of friendly abandoned guns brings back their crew."""
        if unit.disordered:
            return
        for part in place.stack:
            if part.unit.abandoned != 0 and part.unit.side == unit.side:
                part.unit.crew_back = True

    def leaders_met(self, place: Hex) -> None:
        """12.73: leaders without troops in or next to a hex that a unit has entered."""
        if place.leaders:
            self.series.retreat.leader_alone(place)
        for hexside in place.sides:
            if hexside.to.leaders:
                self.series.retreat.leader_alone(hexside.to)

    def _passed(self, unit: Unit, way: Route) -> bool:
        """8.22: the checks of those who have left a hex in which they moved through others; False if one must go back.

        The normal cost of that hex is added from two movement points up. A second disorder sends a unit back to the
        hex before, its activation finished; who was with it stops where he is.
        """
        drm = self.passage_modifier(unit, way.hexes[len(way.hexes) - 2])
        failed: list[Unit] = []
        for one in way.units:
            if self.series.results.udd(one, drm, "moving through"):
                continue
            if one.disordered:
                failed.append(one)
            else:
                self.series.results.disorder(one, CAUSE_TERRAIN)
        for one in failed:
            alone = way.part_with(one)
            alone.back(2)
            self._go_back(one, alone)
            one.finished = True
        return len(failed) == 0

    def _entered(self, unit: Unit, way: Route, side: Hexside, by_road: bool) -> bool:
        """9.47, 9.61, 10.45, 9.53, 9.55: what befalls a unit that has entered a hex; False if its move ends there."""
        place = side.to
        disorder = self.disorder_across(unit, side, by_road)
        for one in way.units:
            if disorder == AUTOMATIC or (disorder == UDD and not self.series.results.udd(one, 0, "terrain")):
                if self.series.results.disorder(one, CAUSE_TERRAIN):
                    way.stopped.append(one)
        self.series.reaction.entered_together(way.units)
        self.series.fire.approach_by(way.units)
        if not self._all_in(way, place):
            return False
        if unit.kind == ARTILLERY and self.options.edition > GRINGO:
            for one in way.units:
                self.run_in_close(one, way.hexes[0], way.hexes[len(way.hexes) - 2])
            if not self._all_in(way, place):
                return False
        going = [one for one in way.units if one not in way.stopped]
        if way.charge and going:
            way.units = going
            return True
        return len(way.stopped) == 0

    # -- one hex by exception (9.42) -------------------------------------------------------------------------------

    def step(self, unit: Unit, hexside: Hexside, take_leaders: list[Leader] | None = None) -> bool:
        """9.42: move a unit one hex across one of `exceptions`, all its movement; False if it did not get there."""
        return self.step_and_turn(unit, hexside, -1, take_leaders)

    def step_and_turn(
        self, unit: Unit, hexside: Hexside, heading: i64, take_leaders: list[Leader] | None = None
    ) -> bool:
        """9.42: the same, with a heading to take there at no cost (-1: as it enters), and leaders who go along (9.31).

        Raises:
            CommanderError: the hexside is none of `exceptions`, the heading is not open to the unit, or a leader may
                not come.
        """
        if hexside not in self.exceptions(unit):
            raise CommanderError(f"Movement.step: {unit.id} has no such move to {hexside.to.id}; ask exceptions")
        near = self.battle.enemy_near(hexside.to, unit.side)
        across = self.heading_across(unit, hexside)
        entering = unit.waiting
        if heading >= 0 and heading != across and (near or not self.series.facing.right_kind(unit, heading)):
            raise CommanderError(f"Movement.step: {unit.id} cannot take heading {heading} in {hexside.to.id}")
        if self.as_column(unit) and heading >= 0:
            trail = self.series.columns.laid(unit, [hexside.to] + [part.hex for part in unit.parts])
            if not self.series.columns.head_may_face(unit, trail, heading):
                raise CommanderError(f"Movement.step: the column of {unit.id} cannot face {heading} in {hexside.to.id}")
        riders = self._riders(unit, take_leaders)
        if entering:
            self.series.reinforcements.step_up([unit], hexside.origin, across, riders)
        origin = unit.hex
        self.battle.take_up(unit)
        way = Route(unit, riders)
        for leader in riders:
            leader.ended = True
        self.series.refusal.set_out(unit)
        self.series.facing.face(unit, across)
        self.series.fire.withdrawal(unit, origin, hexside.to)
        self.prepare(unit)
        self.price(unit, hexside)
        by_road = hexside.by_road
        if self._still_in(unit, origin):
            unit.by_exception = near  # so that it does not fire before a reaction either (9.63)
            self.series.reaction.about_to_enter([unit], [hexside.to], 0)
        arrived = self._still_in(unit, origin)
        if arrived:
            unit.spent = self.full_allowance(unit, False)
            unit.by_exception = self.battle.enemy_near(hexside.to, unit.side)
            self._enter(unit, way, hexside, by_road, True)
            arrived = self._entered(unit, way, hexside, by_road)
        if not arrived:
            self._halt(unit, way)
        elif heading >= 0 and not self.mates(unit, unit.hex):
            self.series.facing.face(unit, heading)
        else:
            self._arrive(unit, way, unit.heading)
        self.stop_in_close(way)
        if entering:
            self.series.reinforcements.settle([unit], hexside.origin)
        self._finished([unit])
        return arrived
