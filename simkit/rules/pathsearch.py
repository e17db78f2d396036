"""Chapter 9, movement: the search for all hexes and headings that a unit can reach (9.13, 9.42).

A search visits nodes, a hex with the heading with which it is entered. A step is a turn in the hex and the crossing of
a frontal hexside: the turn is priced as a whole, so that free turns do not add up. Costs are whole half movement
points, so nodes wait in one list for each cost. Whom terrain has disordered on the way goes on among nodes of his own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.battlemap import BY_GROUND, BY_OTHER_WAY, BY_WAY, IN_COMPANY, NODES
from simkit.model.charts import AUTOMATIC, ONE_MP, PROHIBITED
from simkit.model.forces import ATTACK, EXTENDED_COLUMN, EXTENDED_LINE, IN_ONE_HEX, MARCH
from simkit.rules.facing import ABOUT_FACE, vertices
from simkit.rules.movementcosts import WITH_CHECK, MovementCosts

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside, Node
    from simkit.model.forces import Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Outlook:
    """Which hexes a commander cares to go through: he need not look for ways that he would not take."""

    def passes(self, place: Hex) -> bool:
        """Whether a way through a hex is worth looking for; by default any."""
        return True

    def goes_on(self, place: Hex, spent: i64, left: i64) -> bool:
        """Whether a way to a hex that costs so many half MPs is worth going on with so many left; by default any."""
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class PathSearch(MovementCosts):
    """The search over all that a unit may enter, where it may stop, and the moves of one hex by exception."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.reached: list[Node] = []  # by the latest search, cheapest first
        self._buckets: list[list[Node]] = []
        self._stamp: i64 = 0
        self._limit: i64 = 0
        self._least: i64 = 0
        self._turns_known = False
        self._turned_in_wood = False
        self._one: i64 = 0  # half MPs for turns of one and two vertices and about, in woods or out of them
        self._two: i64 = 0
        self._about: i64 = 0
        self._disordered_limit: i64 = 0
        self._outlook = Outlook()
        self._choosy = False  # the latest search was for ways through the hexes of an outlook alone
        self._markers: i64 = 0  # that follow the unit of the latest search in column (8.5)
        # half MPs of the cheapest step of all: across the ground, and with roads under Advance and under March Orders
        self._ground: i64 = PROHIBITED
        self._on_advance: i64 = PROHIBITED
        self._on_march: i64 = PROHIBITED
        for terrain in self.charts.terrains:
            for mover in range(3):
                self._ground = min(self._ground, terrain.cost(mover))
                for road in self.charts.thoroughfares:
                    self._on_advance = min(self._on_advance, road.cost(terrain.cost(mover), 0, False))
                    self._on_march = min(self._on_march, road.cost(terrain.cost(mover), 0, True))

    # -- the search ------------------------------------------------------------------------------------------------

    def search(self, unit: Unit, in_column: bool = False, outlook: Outlook | None = None) -> i64:
        """9.13: find all hexes and headings that a unit can reach by normal movement; their number.

        `reached` then lists them cheapest first, each as entered: `node.cost` half MPs from here, `node.via` the node
        before. They may not all do to stop in: ask `may_stop`. A unit that is or must be in Extended Column, and under
        Advance Orders one that is to form one to go by road (`in_column`), moves as such (8.5, 8.13, 8.52). Given an
        `outlook`, only ways through hexes that it passes are found.
        """
        self.forget()
        self.look_through(outlook)
        if unit.extended == EXTENDED_LINE or not self.may_move(unit):
            return 0  # an Extended Line moves by steps of its own (8.44)
        if unit.extended == EXTENDED_COLUMN and unit.orders == ATTACK:
            return 0  # 8.53
        self._sought.append(unit)
        self._forming = in_column
        self.prepare(unit)
        self._limit = self.allowance(unit)
        self._markers = self.series.columns.markers(unit) if self.as_column(unit) else 0
        self._disordered_limit = self.disordered_allowance(unit)
        return self.spread(unit)

    def look_through(self, outlook: Outlook | None) -> None:
        """Search only ways through hexes that an outlook passes, if there is one."""
        self._choosy = outlook is not None
        if outlook is not None:
            self._outlook = outlook

    def forget(self) -> None:
        """Forget the latest search."""
        self._choosy = False
        self.reached.clear()
        self._sought.clear()
        self._forming = False
        self._markers = 0
        self._stamp = self.battle.map.next_search()

    def disordered_allowance(self, unit: Unit) -> i64:
        """9.47, 12.33: half MPs that a unit has left to move with once terrain has disordered it."""
        lost = self.full_allowance(unit, unit.disordered) - self.allowance(unit)
        return max(self.full_allowance(unit, True) - lost, 0)

    def spread(self, unit: Unit) -> i64:
        """9.13, 8.21: search from the hex of a unit, or of the stack led by it, that has been prepared for."""
        self._least = self._least_step(unit, self._roads)
        self._gather()
        self._turns_known = False
        while len(self._buckets) <= self._limit:
            self._buckets.append([])
        for node in self._starts(unit):
            node.stamp = self._stamp
            node.cost = 0
            node.by = -1
            node.via = node
            node.disorders = 0
            if not node.on_road:  # to come back to where it stands is no move
                self._buckets[0].append(node)
        cost: i64 = 0
        while cost <= self._limit:
            bucket = self._buckets[cost]
            for node in bucket:  # it grows while it is read, where a step is free
                if node.cost == cost and node.settled != self._stamp:
                    node.settled = self._stamp
                    if node.by >= 0:
                        self.reached.append(node)
                    self._expand(unit, node)
            bucket.clear()
            cost += 1
        return len(self.reached)

    def _least_step(self, unit: Unit, roads: bool) -> i64:
        """9.41, 9.43: half MPs below which no step of a unit costs, with or without roads."""
        if not roads:
            return self._ground
        return min(self._ground, self._on_march if unit.orders == MARCH else self._on_advance)

    def reach(self, unit: Unit) -> i64:
        """9.13: hexes beyond which a unit cannot go by normal movement, whatever the way."""
        return self.allowance(unit) // max(self._least_step(unit, self.uses_roads(unit)), 1)

    def _starts(self, unit: Unit) -> list[Node]:
        """Where its ways begin: in its hex, or at all gates from which it may enter the map (9.71)."""
        if unit.waiting:
            return [gate.nodes[unit.heading] for gate in self.series.reinforcements.gates_for(self._sought)]
        return [unit.hex.nodes[unit.heading], unit.hex.road_nodes[unit.heading]]

    def _expand(self, unit: Unit, node: Node) -> None:
        """Look at all steps from a node."""
        place = node.hex
        at_start = node.by < 0
        if node.cost + self._least > self._limit:
            return
        if not at_start and (self.battle.enemy_near(place, unit.side) or node.disorders > 1 or node.in_company):
            return  # 9.53, 12.35, 9.43
        if self._choosy and not at_start and not self._outlook.goes_on(place, node.cost, self._limit - node.cost):
            return
        passing = not at_start and place.holder >= 0 and self.through(unit, place) >= WITH_CHECK
        plain = not at_start and not passing
        one: i64 = 0
        two: i64 = 0
        about: i64 = 0
        if at_start:
            one = self.turn_price(unit, place, 1, True)
            two = self.turn_price(unit, place, 2, True)
            about = self.turn_price(unit, place, ABOUT_FACE, True)
        else:  # what a turn costs on the way depends on woods alone (7.21, 7.22)
            if place.terrain.is_wood != self._turned_in_wood or not self._turns_known:
                self._know_turns(unit, place)
            one = self._one
            two = self._two
            about = self._about
        dearest = one if one > two else two
        if about > dearest:
            dearest = about
        if plain and self._outdone(node, dearest):
            return
        way_out = node.plain
        turn: i64 = 0
        while turn < 6:
            price: i64 = 0
            if turn == 1 or turn == 5:
                price = one
            elif turn == ABOUT_FACE:
                price = about
            elif turn != 0:
                price = two
            turn += 1
            if price < PROHIBITED:
                cost = node.cost + price
                # whoever has left the hex by a heading before for no more would reach nothing new
                if not plain or way_out.left_stamp != self._stamp or way_out.left > cost:
                    if plain and node.disorders == 0:
                        way_out.left_stamp = self._stamp
                        way_out.left = cost
                    self._leave(unit, node, way_out, price, passing)
            way_out = way_out.turned

    def _know_turns(self, unit: Unit, place: Hex) -> None:
        """7.21, 7.22: work out what turns cost the unit under way in a hex and all like it."""
        self._turns_known = True
        self._turned_in_wood = place.terrain.is_wood
        self._one = self.turn_price(unit, place, 1, False)
        self._two = self.turn_price(unit, place, 2, False)
        self._about = self.turn_price(unit, place, ABOUT_FACE, False)

    def _outdone(self, node: Node, dearest: i64) -> bool:
        """Whether the unit that came to a hex first could turn every way there for no more than this node costs."""
        place = node.hex
        if place.stamp == self._stamp:
            return node.cost >= place.cost + dearest
        if node.disorders == 0:
            place.stamp = self._stamp
            place.cost = node.cost
        return False

    def _leave(self, unit: Unit, node: Node, way_out: Node, turn_price: i64, passing: bool) -> None:
        """Look at the steps from a node with one heading; the usual one leads to the plain node beyond the hexside."""
        stamp = self._stamp
        limit = self._disordered_limit if node.disorders == 1 else self._limit
        usual = node.disorders == 0 and not passing and self._markers == 0
        stride: i64 = 0
        while stride < way_out.strides:
            if stride == 0:
                side = way_out.left_side
                target = way_out.beyond_left
            else:
                side = way_out.right_side
                target = way_out.beyond_right
            stride += 1
            if side.stamp != stamp:
                self._price_out(unit, side)
            cost = node.cost + side.price
            if not side.by_road:
                cost += turn_price
            if cost > limit:
                continue
            if not usual or side.disorders_surely or side.by_road or side.by_crossing:
                self._leave_by(unit, node, side, target, cost, limit, passing)
            elif target.stamp != stamp or cost < target.cost:
                self._reach(node, side, target, cost, 0)

    def _price_out(self, unit: Unit, side: Hexside) -> None:
        """Note what it costs the unit of the search under way to cross a hexside, and whether it surely disorders."""
        side.stamp = self._stamp
        if self._choosy and side.on_map and not self._outlook.passes(side.to):
            side.price = PROHIBITED
            return
        side.price = self.price(unit, side)
        side.disorders_surely = side.may_disorder and self.disorder_across(unit, side, side.by_road) == AUTOMATIC

    def _leave_by(
        self, unit: Unit, node: Node, side: Hexside, beyond: Node, cost: i64, limit: i64, passing: bool
    ) -> None:
        """8.22, 8.5, 9.43, 9.47: a step on a road, through friends, in column, or with disorder from terrain.

        `beyond` is the plain node to which it leads.
        """
        if passing:
            cost += self.passage(unit, node.via.hex.sides[node.by], node.on_road, side)
            if cost > limit:
                return
        if self._markers > 0 and self._doubles_back(unit, node, side.to):
            return  # 8.5
        heading = beyond.heading
        if side.to is unit.hex and heading == unit.heading:
            return  # to come back to where it stands is no move
        disorders = node.disorders
        if disorders > 0 or side.disorders_surely:
            if disorders > 0 and self.battle.enemy_near(side.to, unit.side):
                return  # 12.34
            if side.disorders_surely:
                disorders = 2 if unit.disordered else disorders + 1
            target = side.to.spare_node(heading, self._manner(side, heading), disorders)
        elif not side.by_road and not side.by_crossing:
            target = beyond
        elif self._manner(side, heading) == BY_WAY:
            target = beyond.by_way
        else:
            target = side.to.spare_node(heading, BY_OTHER_WAY, 0)
        if target.stamp != self._stamp or cost < target.cost:
            self._reach(node, side, target, cost, disorders)
        if (side.by_road or side.by_crossing) and side.to.stack and self.crowds(unit, side.to):
            cost += self.ground_price(unit, side, side.by_road)
            target = side.to.spare_node(heading, IN_COMPANY, disorders)  # 9.43
            if cost <= limit and (target.stamp != self._stamp or cost < target.cost):
                self._reach(node, side, target, cost, disorders)

    def _manner(self, side: Hexside, heading: i64) -> i64:
        """8.22: how a hex is entered; where others stand in it, the hexside counts that a road or bridge crosses."""
        if not side.by_road and not side.by_crossing:
            return BY_GROUND
        return BY_OTHER_WAY if side.to.stack and 2 * side.direction == (heading + 1) % NODES else BY_WAY

    def _doubles_back(self, unit: Unit, node: Node, place: Hex) -> bool:
        """8.5: whether a column would walk into its own hexes: those before its move, or those of its last steps."""
        if unit.extended != IN_ONE_HEX and unit.stands_in(place):
            return True
        at = node
        count: i64 = 0
        while count < self._markers and at.by >= 0:
            at = at.via
            if at.hex is place:
                return True
            count += 1
        return False

    def _reach(self, node: Node, side: Hexside, target: Node, cost: i64, disorders: i64) -> None:
        """Note a way to a node, the cheapest so far."""
        target.stamp = self._stamp
        target.cost = cost
        target.via = node
        target.by = side.direction
        target.disorders = disorders
        self._buckets[cost].append(target)

    def found(self, node: Node) -> bool:
        """Whether the latest search has reached a node."""
        return node.settled == self._stamp and node.stamp == self._stamp and node.by >= 0

    def path(self, node: Node) -> list[Hexside]:
        """The hexsides in order that lead to a node reached by the latest search."""
        return [at.via.hex.sides[at.by] for at in self.stages(node)]

    def stages(self, node: Node) -> list[Node]:
        """The nodes in order that lead to a node reached by the latest search, without the start."""
        nodes: list[Node] = []
        at = node
        while at.by >= 0:
            nodes.append(at)
            at = at.via
        nodes.reverse()
        return nodes

    # -- where it may stop (7.11, 8.1, 9.43) -----------------------------------------------------------------------

    def stop_price(self, unit: Unit, node: Node) -> i64:
        """7.11, 7.32, 8.11, 9.43: half MPs of a node for a unit that stops there, PROHIBITED if it may not.

        It pays for the ground instead of the road if its stack then breaks the limits of March Orders, and for the turn
        to the facing of those in the hex, but not next to the enemy, where it is forced (9.53).
        """
        place = node.hex
        if self.as_column(unit):
            return node.cost if self.series.columns.may_end(unit, node) else PROHIBITED
        if not place.stack:
            return node.cost
        fits = self.series.stacking.may_all_end(self._party, place) if self._party else (
            self.series.stacking.may_end(unit, place)
        )
        if not fits:
            return PROHIBITED
        cost = node.cost
        mates = self.mates(unit, place)
        if not mates:
            return cost
        if node.on_road and not node.in_company and self.crowds(unit, place):
            return PROHIBITED  # the node in company has paid for it
        cost += self.series.refusal.price_beside(mates[0], place)
        if not self.battle.enemy_near(place, unit.side):
            cost += self.series.facing.turn_cost(unit, place, vertices(node.heading, mates[0].heading))
        return cost

    def crowds(self, unit: Unit, place: Hex) -> bool:
        """8.13, 9.43: whether a unit with those in a hex would break the stacking limits of March Orders."""
        if not self.mates(unit, place):
            return False
        if self._party:
            return not self.series.stacking.march_limits_hold_for(self._party, place)
        return not self.series.stacking.march_limits_hold(place, unit)

    def ground_price(self, unit: Unit, side: Hexside, by_road: bool) -> i64:
        """9.43: half MPs more for the ground than by road, or else by bridge or ford; PROHIBITED where it bars the way.

        What a unit pays that has so entered a hex across a hexside, to end its move there in a crowd.
        """
        ground = side.plain[self._mover]
        if ground >= PROHIBITED:
            return PROHIBITED
        return max(ground - (self._road_price(unit, side) if by_road else side.costs[self._mover]), 0)

    def mates(self, unit: Unit, place: Hex) -> list[Unit]:
        """Other units in a hex, abandoned guns and who moves with it apart, top first."""
        return [part.unit for part in place.stack if part.unit.abandoned == 0 and not self.under_way(unit, part.unit)]

    def may_stop(self, node: Node) -> bool:
        """8.11, 9.43: whether the unit of the latest search may end its move in a node that it reached."""
        if not self._sought or not self.found(node):
            return False
        if len(self._sought) > 1 and not self._party:
            self.prepare_stack(self._sought)  # the price of something else has been asked since
        limit = self._limit if node.disorders == 0 else max(self._disordered_limit, node.cost)
        return self.stop_price(self._sought[0], node) <= limit

    # -- one hex by exception (9.42) -------------------------------------------------------------------------------

    def exceptions(self, unit: Unit) -> list[Hexside]:
        """9.42: hexsides across which a unit that has not moved may go one hex although it lacks the movement points.

        It must be able to enter with its full good-order allowance. Next to an enemy only under Attack Orders and in
        good order, and then it neither fires nor shocks.
        """
        if unit.moved or unit.spent > 0 or unit.extended == EXTENDED_LINE or not self.may_move(unit):
            return []
        self.search(unit)
        sides = unit.hex.sides
        if unit.waiting:
            sides = [side for gate in self.series.reinforcements.gates(unit) for side in gate.sides]
        places = [side.to for side in sides if side.on_map]
        normal = [node.hex for node in self.reached if node.hex in places and self.may_stop(node)]
        return [
            side for side in sides if side.on_map and side.to not in normal and self._by_exception(unit, side)
        ]

    def _by_exception(self, unit: Unit, side: Hexside) -> bool:
        refusal = self.series.refusal
        cost = self.price(unit, side) + refusal.price_to_leave(unit) + refusal.price_to_join(unit, side.to)
        if cost > unit.movement_good * ONE_MP:
            return False
        if self.battle.enemy_near(side.to, unit.side) and (unit.orders != ATTACK or unit.fired):
            return False
        if self.heading_across(unit, side) < 0:
            return False
        if self.as_column(unit):
            trail = [side.to] + [part.hex for part in unit.parts]
            return not unit.stands_in(side.to) and self.series.columns.may_lie(unit, trail)
        return self.series.stacking.may_end(unit, side.to)

    def heading_across(self, unit: Unit, side: Hexside) -> i64:
        """7.13, 7.24: heading of the least turn from which a unit may cross a hexside; -1 if it may not turn so far."""
        best: i64 = -1
        least: i64 = PROHIBITED
        most = self.series.facing.may_leave_after(unit)
        turn: i64 = 0
        while turn < 6:
            heading = (unit.heading + 2 * turn) % 12
            steps = 6 - turn if turn > ABOUT_FACE else turn
            if steps < least and steps <= most and side in side.origin.nodes[heading].ahead:
                best = heading
                least = steps
            turn += 1
        return best
