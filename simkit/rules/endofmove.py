"""Chapter 9, movement: how a move ends, at its goal or before it (7.11, 8.11, 8.22, 8.23, 9.43, 9.53)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.hexgrid import HEADING_NAMES
from simkit.model.log import EVERYTHING, Event
from simkit.rules.closeguns import CloseGuns
from simkit.rules.facing import vertices

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader
    from simkit.rules.route import Route


@mypyc_attr(allow_interpreted_subclasses=True)
class EndOfMove(CloseGuns):
    """Where units and stacks stand, and how they face, when they have moved as far as they can or want to."""

    def _arrive(self, unit: Unit, way: Route, heading: i64) -> None:
        """7.11, 7.32, 9.43, 9.53: the end of a move: the price of a road in company, and the facing."""
        place = unit.hex
        self.prepare_stack(way.units)
        mates = self.mates(unit, place)
        if not mates:
            if heading != unit.heading and not self.battle.enemy_near(place, unit.side):
                steps = vertices(unit.heading, heading)
                cost = self.series.facing.turn_cost(unit, place, steps)
                if cost <= self.least_allowance(way.units):
                    for one in way.units:
                        one.spent += cost
                        one.faced = steps
                        one.turned_after_move = True
                        self.series.facing.face(one, heading)
            return
        self._join(way, mates)

    def _join(self, way: Route, mates: list[Unit]) -> None:
        """7.11, 7.32, 8.23, 9.43: those under way have ended their move among others: what that costs, and facing."""
        unit = way.units[0]
        place = way.here()
        count = len(way.sides) - 1
        dearer: i64 = 0
        if count >= 0 and (way.by_road[count] or way.by_crossing[count]) and self.crowds(unit, place):
            dearer = self.ground_price(unit, way.sides[count], way.by_road[count])
        dearer += self.series.refusal.price_beside(mates[0], place)
        for one in way.units:
            one.spent += min(dearer, self.allowance(one))
            one.ended = True
            self._take_facing(one, mates[0].heading)

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
        """8.11: whoever's move ends early stands where he is, or goes back to the last hex in which he may stand."""
        way.units = [one for one in way.units if one.counts() and one.hex is way.here()]
        if not way.units:
            return
        if len(way.sides) == 0:
            self._stay(way)
        elif self._may_rest(way):
            self._settle_in(way)
        else:
            way.back(1)
            self._go_back(unit, way)

    def _may_rest(self, way: Route) -> bool:
        """8.11, 8.5: whether those under way may stand where they have come; a column in all its hexes."""
        if self.as_column(way.units[0]):
            return self.series.columns.may_lie(way.units[0], self.series.columns.trail(way))
        return self.series.stacking.may_all_end(way.units, way.here())

    def _stay(self, way: Route) -> None:
        """7.11, 8.52: who has not left his hex after all faces as the others there do, or as his own markers demand."""
        self.prepare_stack(way.units)
        self.series.columns.face_away(way.units[0])
        for mate in self.series.facing.alike(way.units[0], way.here()):
            if not self.under_way(way.units[0], mate):
                for one in way.units:
                    self.series.facing.face(one, mate.heading)
                return

    def _go_back(self, unit: Unit, way: Route) -> None:
        """8.22, 8.11: put a unit or stack back into the last hex of its way in which it may stand, its heading kept."""
        while len(way.sides) > 0 and not self._may_rest(way):
            way.back(1)
        place = way.here()
        lead = way.units[0]
        origin = lead.hex
        held = [part.hex for part in lead.parts]
        way.drop_lost_riders()
        riding_with = [self._rides_with(lead, leader) for leader in way.riders]
        if self.as_column(lead):
            self.series.columns.lay_back(lead, way)
        else:
            for one in way.units:
                self.battle.lift(one)
            depth = min(way.depth, len(place.stack))
            for at, one in enumerate(way.units):
                self.battle.stand_at(one, place, depth + at)
        for one in way.units:
            one.entered = len(way.sides) > 0
            one.came_adjacent = len(way.sides) > 0 and self.battle.enemy_near(place, one.side)
        for at, leader in enumerate(way.riders):
            number = min(riding_with[at], len(lead.parts) - 1)
            self.battle.stand_leader(leader, lead.parts[number].hex)
        if self.series.log.level >= EVERYTHING and place.index >= 0:
            for one in way.units:
                self._log_move(one, origin, place)
        for left in held:
            if left.leaders:
                self.series.retreat.leader_alone(left)
        self._settle_in(way)

    def _rides_with(self, unit: Unit, leader: Leader) -> i64:
        """8.5, 9.31: the number of the part of a unit in whose hex a leader is who goes along with it."""
        number: i64 = len(unit.parts) - 1
        while number > 0 and unit.parts[number].hex is not leader.hex:
            number -= 1
        return number

    def _settle_in(self, way: Route) -> None:
        """8.23, 7.11: give those who have stopped early their place in the stack; there they stay as the others do."""
        place = way.here()
        count = len(way.sides) - 1
        if count < 0:
            self._stay(way)
            return
        self.prepare_stack(way.units)
        mates = self.mates(way.units[0], place)
        if mates:
            for one in way.units:
                self.battle.lift(one)
            depth = self.series.stacking.depth(way.units[0], place, way.sides[count])
            for at, one in enumerate(way.units):
                self.battle.stand_at(one, place, depth + at)
            self._join(way, mates)

    def _log_move(self, unit: Unit, origin: Hex, place: Hex) -> None:
        event = Event("move")
        event.side = unit.side
        event.unit = unit.id
        event.hex = origin.id
        event.target_hex = place.id
        event.sp = unit.spent
        event.result = HEADING_NAMES[unit.heading]
        self.series.log.add(event)
