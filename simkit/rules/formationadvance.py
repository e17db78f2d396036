"""Chapter 8.47 and 8.53: the advance of an Extended Line, straight or by a pivot, and of units that must contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import EXTENDED_LINE, Unit
from simkit.model.formation import right_flank
from simkit.model.log import EVERYTHING
from simkit.rules.combatresults import mover_class
from simkit.rules.commander import LineAdvance
from simkit.rules.formationretreat import FormationRetreat

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.leaders import Leader


@mypyc_attr(allow_interpreted_subclasses=True)
class FormationAdvance(FormationRetreat):
    """How extended units take ground."""

    # -- ways of a line --------------------------------------------------------------------------------------------

    def line_ways(self, unit: Unit, places: list[Hex], heading: i64) -> list[LineAdvance]:
        """8.44, 8.47: how a line could go one hex on if its parts stood in these hexes with this heading.

        Straight ahead to its left or right front; a line of two hexes also by a pivot on either end (8.48).
        """
        found: list[LineAdvance] = []
        for turn in range(2):
            direction = (heading // 2 + turn) % 6
            sides = [place.sides[direction] for place in places]
            if all(self.may_cross_to(unit, side, heading) for side in sides):
                found.append(LineAdvance([side.to for side in sides], heading))
        if len(places) == 2:
            for at in range(2):
                way = self.pivot(places, heading, at)
                side = places[at].sides[max(places[at].direction_to(way.hexes[at]), 0)]
                if side.to is way.hexes[at] and self.may_cross_to(unit, side, way.heading):
                    found.append(way)
        return found

    def pivot(self, places: list[Hex], heading: i64, moving: i64) -> LineAdvance:
        """8.44, 8.48: where a line of two hexes stands once its part of index `moving` has swung forward.

        That part goes into the hex in front of both, and the line has turned by one vertex.
        """
        staying = places[1 - moving]
        left = places[moving].sides[right_flank(heading)].to is staying  # it swings forward on the left
        turned = (heading + (2 if left else 10)) % 12
        direction = (heading // 2 + (1 if left else 0)) % 6
        hexes = list(places)
        hexes[moving] = places[moving].sides[direction].to
        return LineAdvance(hexes, turned)

    def may_cross_to(self, unit: Unit, side: Hexside, heading: i64) -> bool:
        """12.6, 8.44: whether a part may advance across a hexside: guns that stand there must face as the line."""
        if not self.may_step(unit, side.origin, side.to):
            return False
        return all(mate is unit or mate.heading == heading for mate in self.battle.units_in(side.to))

    def may_step(self, unit: Unit, origin: Hex, place: Hex) -> bool:
        """12.6, 9.71: from a hex into an adjacent one without enemies, over passable ground, within stacking limits."""
        if place.closed & unit.bound != 0 or self.series.reinforcements.closed(place, unit.side):
            return False
        direction = origin.direction_to(place)
        if direction < 0 or not origin.sides[direction].passable(mover_class(unit)):
            return False
        holder = self.battle.held_by(place)
        if holder != -1 and holder != unit.side:
            return False
        return self.series.stacking.may_end(unit, place)

    def advances(self, unit: Unit, place: Hex) -> list[LineAdvance]:
        """8.47: the ways in which a line can advance extended so that one of its parts comes to stand in a hex."""
        if unit.extended != EXTENDED_LINE or unit in self.series.shock.wrapped:
            return []
        ways = self.line_ways(unit, [part.hex for part in unit.parts], unit.heading)
        return [way for way in ways if place in way.hexes]

    # -- advance ---------------------------------------------------------------------------------------------------

    def advances_extended(self, unit: Unit, place: Hex) -> bool:
        """8.47, 8.49, 8.53: whether a unit advances into a hex extended: no column, nor a line that has wrapped."""
        return len(self.advances(unit, place)) > 0

    def formation_may_advance(self, unit: Unit, place: Hex) -> bool:
        """8.47, 8.53, 12.6: whether an extended unit may advance into a hex, extended or contracted."""
        if unit.stands_in(place):
            return False
        return len(self._next_to(unit, place)) > 0 or self.advances_extended(unit, place)

    def _next_to(self, unit: Unit, place: Hex) -> list[Hex]:
        return [part.hex for part in unit.parts if self.may_step(unit, part.hex, place)]

    def contract_to_advance(self, unit: Unit, place: Hex) -> None:
        """8.47, 8.49, 8.53: who can't advance extended contracts beforehand, into a hex next to the one to be taken."""
        if unit in self.series.shock.wrapped:
            self.series.shock.wrapped.remove(unit)
        self.contract_into_one_of(unit, self._next_to(unit, place))

    def advance_line(self, unit: Unit, place: Hex) -> bool:
        """8.47: a line advances extended in a way that its owner chooses; False if the terrain halts it."""
        return self.go_on_as_line(unit, self.choose_line_way(unit, self.advances(unit, place)))

    def choose_line_way(self, unit: Unit, ways: list[LineAdvance]) -> LineAdvance:
        """8.47: the owner's choice among ways for a line."""
        chosen: i64 = 0
        if len(ways) > 1:
            answer = self.series.owner(unit).advance_line(self.series, unit, ways)
            chosen = self.index("advance_line", unit, answer, 0, len(ways))
        return ways[chosen]

    def go_on_as_line(self, unit: Unit, way: LineAdvance) -> bool:
        """7.32, 8.47, 9.61, 12.6: a line advances in a way; False if the terrain halts it.

        Guns in hexes that it leaves stay behind; those in the hex on which it pivots turn with it (8.44).
        """
        sides: list[Hexside] = []
        origins: list[Hex] = []
        company: list[Leader] = []
        goals: list[Hex] = []
        for at, part in enumerate(unit.parts):
            if part.hex is way.hexes[at]:
                continue
            sides.append(part.hex.sides[part.hex.direction_to(way.hexes[at])])
            origins.append(part.hex)
            for leader in self.company(unit, part.hex):
                company.append(leader)
                goals.append(way.hexes[at])
        self.place_line(unit, way)
        unit.advanced = True
        for side in sides:
            self.series.results.crew_arrives(unit, side.to)
        for at, leader in enumerate(company):
            self.battle.stand_leader(leader, goals[at])
        if self.series.log.level >= EVERYTHING:
            for side in sides:
                self.note_step("advance", unit, side.origin, side.to, "")
        halted = self.terrain_halts(unit, self.worst_terrain(unit, sides))
        for origin in origins:
            self.series.refusal.thinned(origin)
        self.series.refusal.settled(unit)
        for origin in origins:
            if origin.leaders:
                self.leader_alone(origin)
        for side in sides:
            self.leaders_beside(side.to)
        self.series.reaction.entered_by_parts(unit, [side.to for side in sides])
        return not halted

    def place_line(self, unit: Unit, way: LineAdvance) -> None:
        """8.44, 8.23, 7.33: put the parts of a line where a way leads, no longer refused; guns it stays with turn."""
        depths: list[i64] = []
        staying: list[Hex] = []
        for at, part in enumerate(unit.parts):
            to = way.hexes[at]
            depth: i64 = 0
            if part.hex is to:
                depth = to.stack.index(part)
                staying.append(to)
            elif to.stack:
                depth = self.series.stacking.depth(unit, to, part.hex.sides[part.hex.direction_to(to)])
            depths.append(depth)
        self.battle.move_parts(unit, way.hexes, depths)
        unit.refused = 0
        self.series.facing.face(unit, way.heading)
        for place in staying:
            for mate in self.series.facing.alike(unit, place):
                self.series.refusal.straighten(mate, "")
                self.series.facing.face(mate, way.heading)
