"""Rule 8.5, Extended Columns: who needs one, how it lies along a path, and what is open to it (8.12, 8.13, 8.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP
from simkit.model.forces import ADVANCE, ATTACK, EXTENDED_COLUMN, EXTENDED_LINE, INFANTRY, MARCH
from simkit.model.formation import line_from_left
from simkit.rules.chapter import Chapter
from simkit.rules.facing import vertices

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside, Node
    from simkit.model.forces import Unit
    from simkit.rules.route import Route

# strength points from which a unit on the march stands in two and in three hexes (8.5)
FOOT_IN_TWO: Final[i64] = 8
FOOT_IN_THREE: Final[i64] = 15
HORSE_IN_TWO: Final[i64] = 5
HORSE_IN_THREE: Final[i64] = 9

RETRACTION: Final[i64] = 0
INTO_LINE: Final[i64] = 1
INTO_COLUMN: Final[i64] = 2
COLUMN_MOVES: Final = ("retraction", "into line", "into column")


class ColumnMove:
    """One way in which a column can be given up, or a line turned into one, as its commander is offered it (8.5).

    `kind` is RETRACTION, INTO_LINE or INTO_COLUMN; `places` are the hexes of the unit's parts afterwards, the counter's
    first; `heading` is what it then faces; `cost` is in half movement points. `near` says whether a part that moves
    comes to stand next to an enemy unit.
    """

    def __init__(self, kind: i64, places: list[Hex], heading: i64) -> None:
        self.kind = kind
        self.places = places
        self.heading = heading
        self.cost: i64 = 0
        self.near = False
        self.by_exception = False  # takes all its movement, for want of movement points (9.42)

    def same_as(self, other: ColumnMove) -> bool:
        """Whether another offer comes to the same."""
        if self.kind != other.kind or self.heading != other.heading or len(self.places) != len(other.places):
            return False
        return all(other.places[at] is place for at, place in enumerate(self.places))

    def text(self) -> str:
        """It in words: what it is, and the hexes in which the parts then stand."""
        return f"{COLUMN_MOVES[self.kind]} in {' '.join([place.id for place in self.places])}"


def behind_facing(direction: i64, heading: i64) -> bool:
    """8.52: whether a part that faces a vertex has in its rear the hex from which it came by a step in a direction."""
    ahead = heading // 2
    return direction == ahead or direction == (ahead + 1) % 6


@mypyc_attr(allow_interpreted_subclasses=True)
class ColumnPlans(Chapter):
    """What the column of a unit looks like, where it can lie, and what it may become."""

    # -- who needs one (8.5, 8.12, 8.13) ---------------------------------------------------------------------------

    def extensions(self, unit: Unit) -> i64:
        """8.5, 8.51: Extended Column markers that a unit of its arm and strength needs on the march: 0, 1 or 2.

        One from 8 points on foot or 5 mounted, two from 15 or 9; guns and dismounted cavalry form no columns.
        """
        if unit.kind == INFANTRY:
            two = FOOT_IN_TWO
            three = FOOT_IN_THREE
        elif unit.is_mounted():
            two = HORSE_IN_TWO
            three = HORSE_IN_THREE
        else:
            return 0
        if unit.strength < two:
            return 0
        return 2 if unit.strength >= three else 1

    def markers(self, unit: Unit) -> i64:
        """8.5: Extended Column markers that follow a unit while it moves: those that it needs, or still has."""
        return max(self.extensions(unit), len(unit.parts) - 1 if unit.extended == EXTENDED_COLUMN else 0)

    # -- where it lies (8.5, 8.51) ---------------------------------------------------------------------------------

    def trail(self, way: Route) -> list[Hex]:
        """8.5: the hexes of a unit under way from its counter back: those of its path, then those of its old column."""
        found = list(way.hexes)
        found.reverse()
        found.extend(way.tail)
        return found

    def laid(self, unit: Unit, trail: list[Hex]) -> list[Hex]:
        """8.5: the first hexes of a trail, on the map, over which a unit's column lies."""
        found: list[Hex] = []
        for place in trail:
            if place.index >= 0 and len(found) <= self.markers(unit):
                found.append(place)
        return found

    def may_lie(self, unit: Unit, trail: list[Hex]) -> bool:
        """8.25, 8.5, 8.51: whether a unit may end its move in column along a trail: each part alone in its hex."""
        laid = self.laid(unit, trail)
        for at, place in enumerate(laid):
            if place in laid[:at]:
                return False
            for part in place.stack:
                if part.unit is not unit and part.unit.abandoned == 0:
                    return False
        return True

    def trail_to(self, unit: Unit, stages: list[Node]) -> list[Hex]:
        """8.5: the hexes of a unit's column, and those behind, if it went by the nodes of a search."""
        found = [stage.hex for stage in stages]
        found.reverse()
        if stages:
            found.append(stages[0].via.hex)
            found.extend([part.hex for part in unit.parts[1:]])
        return found

    def may_end(self, unit: Unit, node: Node) -> bool:
        """8.5, 8.51: whether a unit may end in column in a node of the latest search: room and MPs for all."""
        stages = self.series.movement.stages(node)
        return self.may_lie(unit, self.trail_to(unit, stages)) and self._followers_reach(unit, stages)

    def _followers_reach(self, unit: Unit, stages: list[Node]) -> bool:
        """8.5, 8.51: whether the markers have the movement points to follow a unit by the nodes of a search."""
        steps: i64 = len(stages)
        standing: i64 = len(unit.parts) - 1
        number: i64 = 1
        while number <= self.markers(unit):
            start = min(number, standing)  # the part in whose hex it begins
            left = steps - (number - start)  # steps that it makes
            cost: i64 = 0
            at = start
            while at > 0 and left > 0:  # up to where the counter stands
                cost += self._follow_price(unit, unit.parts[at].hex, unit.parts[at - 1].hex)
                at -= 1
                left -= 1
            at = 0
            while at < left:  # then as the counter has gone
                cost += stages[at].cost - stages[at].via.cost
                at += 1
            if left >= 0 and cost > self.follower_allowance(unit, number):
                return False
            number += 1
        return True

    def follower_spent(self, unit: Unit, number: i64) -> i64:
        """8.5: half MPs that a marker, the first or second, has spent; with what it lacks when it is new.

        A new one has 1 MP less under Advance Orders, a second one 2.
        """
        if number < len(unit.parts):
            return unit.spent_second if number == 1 else unit.spent_third
        handicap = number * ONE_MP if unit.orders == ADVANCE else 0
        if len(unit.parts) == 1:
            return unit.spent + handicap
        return unit.spent_second + handicap - (ONE_MP if unit.new_column and unit.orders == ADVANCE else 0)

    def follower_allowance(self, unit: Unit, number: i64) -> i64:
        """8.5: half MPs that a marker, the first or second, has left."""
        movement = self.series.movement
        return movement.full_allowance(unit, unit.disordered) - unit.docked - self.follower_spent(unit, number)

    def all_have(self, unit: Unit, cost: i64) -> bool:
        """8.5: whether all markers of a column have so many half MPs left."""
        number: i64 = 1
        while number < len(unit.parts):
            if cost > self.follower_allowance(unit, number):
                return False
            number += 1
        return True

    def _follow_price(self, unit: Unit, origin: Hex, place: Hex) -> i64:
        """8.5, 9.43: half MPs of a marker's step into the hex of the part before it, which has gone there already."""
        side = origin.sides[origin.direction_to(place)]
        mover = self.series.movement.mover(unit)
        by_road = side.march[mover] if unit.orders == MARCH else side.advance[mover]
        return min(side.costs[mover], by_road)

    def step_of(self, unit: Unit, way: Route, number: i64) -> i64:
        """8.5: half MPs for a marker's next step on the way: as the counter has paid, or into hexes behind that."""
        at = len(way.sides) - number
        if at >= 0:
            return way.costs[at]
        return self._follow_price(unit, unit.parts[number].hex, unit.parts[number - 1].hex)

    def can_follow(self, unit: Unit, way: Route) -> bool:
        """8.5: whether the markers on the map have the movement points for their next step behind the counter."""
        if unit.extended != EXTENDED_COLUMN:
            return True
        number: i64 = 1
        while number < len(unit.parts):
            if self.step_of(unit, way, number) > self.follower_allowance(unit, number):
                return False
            number += 1
        return True

    # -- facing (8.51, 8.52) ---------------------------------------------------------------------------------------

    def head_may_face(self, unit: Unit, laid: list[Hex], heading: i64) -> bool:
        """8.51, 8.52: whether the counter of a column that lies over hexes may face so.

        On the march not towards its own markers; in other orders so that the first of them is in its rear.
        """
        if len(laid) < 2:
            return True
        if unit.orders == MARCH:
            return laid[0].sides[heading // 2].to not in laid
        return behind_facing(laid[1].direction_to(laid[0]), heading)

    def may_face(self, unit: Unit, node: Node, heading: i64) -> bool:
        """8.51, 8.52: whether a column that ends in a node of the latest search may face so there."""
        trail = self.trail_to(unit, self.series.movement.stages(node))
        return self.head_may_face(unit, self.laid(unit, trail), heading)

    def may_turn(self, unit: Unit, heading: i64) -> bool:
        """8.51, 8.52: whether a unit, if it is in column, may turn its counter to a heading where it stands."""
        return unit.extended != EXTENDED_COLUMN or self.head_may_face(unit, [part.hex for part in unit.parts], heading)

    def marker_heading(self, unit: Unit, number: i64, before: i64) -> i64:
        """8.51, 8.52: what the marker of that number faces, behind a part that faces `before`.

        Towards that part: on the march its hexside, else a vertex beside it, such that the next marker is in its rear
        if the road lets it.
        """
        here = unit.parts[number].hex
        ahead = here.direction_to(unit.parts[number - 1].hex)
        if unit.orders == MARCH:
            return 2 * ahead
        choices: list[int] = [int(2 * ahead + 1), int((2 * ahead + 11) % 12)]
        if number + 1 < len(unit.parts):
            behind = unit.parts[number + 1].hex.direction_to(here)
            fitting = [heading for heading in choices if behind_facing(behind, heading)]
            choices = fitting or choices
        best = choices[0]
        for heading in choices:
            if vertices(before, heading) < vertices(before, best):
                best = heading
        return best

    def lies_on_road(self, unit: Unit) -> bool:
        """8.51, 9.45: whether a thoroughfare joins all hexes of a column."""
        at = 1
        while at < len(unit.parts):
            here = unit.parts[at].hex
            if not here.sides[here.direction_to(unit.parts[at - 1].hex)].roads:
                return False
            at += 1
        return True

    # -- retracting (8.52, 8.53) -----------------------------------------------------------------------------------

    def retractions(self, unit: Unit) -> list[ColumnMove]:
        """8.52, 8.53, 9.42: the hexes into which a column may retract now, with what that costs.

        Each part that moves pays for the ground of its way, not for the road; the dearest way counts. Not on the march,
        where it must stay a column.
        """
        found: list[ColumnMove] = []
        if unit.extended != EXTENDED_COLUMN or unit.orders == MARCH or not self.series.movement.may_spend(unit):
            return found
        for stays in range(len(unit.parts)):
            place = unit.parts[stays].hex
            made = ColumnMove(RETRACTION, [place], unit.heading)
            made.near = self.battle.enemy_near(place, unit.side)
            room = True
            for number in range(len(unit.parts)):
                if number == stays:
                    continue
                cost = self._way_price(unit, number, stays)
                made.cost = max(made.cost, cost)
                room = room and cost <= self._left(unit, number)
            if room or self._by_exception(unit, made):
                made.by_exception = not room
                found.append(made)
        return found

    def _way_price(self, unit: Unit, number: i64, stays: i64) -> i64:
        """8.52: half MPs of a part's way along the column to another part, over the ground."""
        cost: i64 = 0
        step: i64 = 1 if stays > number else -1
        at = number
        while at != stays:
            origin = unit.parts[at].hex
            side = origin.sides[origin.direction_to(unit.parts[at + step].hex)]
            cost += self._ground(unit, side)
            at += step
        return cost

    def _ground(self, unit: Unit, side: Hexside) -> i64:
        """8.52, 9.24: half MPs of a hexside without road; by bridge or ford but under Attack Orders."""
        mover = self.series.movement.mover(unit)
        return side.plain[mover] if unit.orders == ATTACK else side.costs[mover]

    def _left(self, unit: Unit, number: i64) -> i64:
        """8.5: half MPs that a part of a column has left, the counter being number 0."""
        return self.series.movement.allowance(unit) if number == 0 else self.follower_allowance(unit, number)

    def _by_exception(self, unit: Unit, made: ColumnMove) -> bool:
        """9.42: whether a unit may retract although it lacks the movement points, as a move of one hex."""
        if unit.moved or unit.spent > 0 or made.cost > unit.movement_good * ONE_MP:
            return False
        return not made.near or (unit.orders == ATTACK and not unit.fired)

    # -- into line (7.23, 7.26, 8.52) ------------------------------------------------------------------------------

    def line_headings(self, unit: Unit) -> list[int]:
        """7.23, 7.26, 8.41, 8.52: the two headings with which a column could stand as an Extended Line.

        None unless it is infantry whose hexes lie in a straight row, and no enemy stands next to its markers.
        """
        if unit.extended != EXTENDED_COLUMN or unit.kind != INFANTRY or len(unit.parts) - 1 > self.extensions(unit):
            return []
        ahead = unit.parts[1].hex.direction_to(unit.hex)
        at = 1
        while at < len(unit.parts):
            place = unit.parts[at].hex
            if place.direction_to(unit.parts[at - 1].hex) != ahead or self.battle.enemy_near(place, unit.side):
                return []
            at += 1
        # a vertex of heading h has its flanks across hexsides h // 2 - 1 and h // 2 + 2
        return [int(2 * ((ahead + 1) % 6) + 1), int(2 * ((ahead + 4) % 6) + 1)]

    def lines(self, unit: Unit) -> list[ColumnMove]:
        """8.52: the ways in which a column may form Extended Line now: facing to one side or the other.

        A change of one vertex is free, more costs 1 MP. Not on the march.
        """
        found: list[ColumnMove] = []
        if unit.orders == MARCH or not unit.active or unit.came_adjacent:
            return found
        for heading in self.line_headings(unit):
            self._offer_turn(unit, ColumnMove(INTO_LINE, [part.hex for part in unit.parts], heading), found)
        return found

    def _offer_turn(self, unit: Unit, made: ColumnMove, found: list[ColumnMove]) -> None:
        """7.21: offer a change of formation by a change of facing, if the unit may turn so."""
        if not self.series.facing.may_turn_alone(unit, made.heading):
            return
        made.cost = self.series.facing.price(unit, made.heading)
        if made.cost == 0 or unit.extended != EXTENDED_COLUMN or self.all_have(unit, made.cost):
            found.append(made)

    # -- into column (7.23, 7.26, 8.44, 8.5) -----------------------------------------------------------------------

    def columns_of(self, unit: Unit) -> list[ColumnMove]:
        """7.26, 8.44, 8.5, 8.51, 8.52: the columns that an Extended Line could become, by leading end and heading.

        The counter changes places so that it leads.
        """
        found: list[ColumnMove] = []
        if unit.extended != EXTENDED_LINE:
            return found
        row = [part.hex for part in line_from_left(unit)]
        for _ in range(2):
            ahead = row[1].direction_to(row[0])
            if unit.orders == MARCH:
                found.append(ColumnMove(INTO_COLUMN, list(row), 2 * ahead))
            else:
                found.append(ColumnMove(INTO_COLUMN, list(row), 2 * ahead + 1))
                found.append(ColumnMove(INTO_COLUMN, list(row), (2 * ahead + 11) % 12))
            row.reverse()
        return found

    def columns(self, unit: Unit) -> list[ColumnMove]:
        """8.44, 8.5, 8.52: the ways in which an Extended Line under Advance Orders may form column now.

        Not next to the enemy, nor with guns in one of its hexes. A change of one vertex is free, more costs 1 MP.
        """
        found: list[ColumnMove] = []
        if unit.orders != ADVANCE or unit.refused != 0 or not unit.active:
            return found
        for part in unit.parts:
            if self.battle.enemy_near(part.hex, unit.side) or len(self.battle.units_in(part.hex)) > 1:
                return found
        for made in self.columns_of(unit):
            self._offer_turn(unit, made, found)
        return found
