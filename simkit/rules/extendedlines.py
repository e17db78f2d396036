"""Rule 8.4, Extended Lines: units that form them, move in them as one, and give them up (8.41-8.44, 9.54)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_TERRAIN, PROHIBITED
from simkit.model.forces import EXTENDED_LINE
from simkit.model.formation import line_from_left, refused_at
from simkit.rules.commander import CommanderError
from simkit.rules.linemoves import (
    ABOUT,
    AHEAD,
    DRAWN_IN,
    EXTENSION,
    LINE_MOVES,
    PIVOT,
    RETRACTION,
    WITHDRAWAL,
    LineMove,
)
from simkit.rules.linesteps import LineSteps, LineWay
from simkit.rules.options import INTO_THE_WOODS

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader


@mypyc_attr(allow_interpreted_subclasses=True)
class ExtendedLines(LineSteps):
    """Extended Lines: their manoeuvres, with all that these set off, and their end."""

    # -- extending and retracting (8.41, 8.42, 8.43) ---------------------------------------------------------------

    def extend(self, unit: Unit, move: LineMove) -> bool:
        """8.41-8.43: extend a unit by one of `extensions`; False if what happens keeps it from that.

        The guns in its hex stay where they are, and it keeps its facing.

        Raises:
            CommanderError: the manoeuvre is none of `extensions`.
        """
        chosen = self._chosen("extend", "extensions", unit, move, self.extensions(unit))
        self._begin(unit, chosen)
        entered = [way[0].to for way in chosen.ways if way]
        before = LineWay(unit, [])
        self.series.reaction.about_to_enter([unit], entered, 0, False)
        if not before.holds():
            return False
        at: i64 = len(unit.parts)
        while at < len(chosen.places):
            side = chosen.ways[at][0]
            depth = self.series.stacking.depth(unit, side.to, side)
            self.battle.add_part(unit, side.to, depth, EXTENDED_LINE)
            self._log(unit, "extend", unit.hex, side.to)
            at += 1
        self._contact(unit, chosen.near)
        for place in entered:
            self._met(unit, place)
        after = LineWay(unit, [])
        self._terrain(unit, [way[0] for way in chosen.ways if way])
        stands = self._seen(unit, after, entered)
        self._finished(unit)
        return stands

    def retract(self, unit: Unit, move: LineMove, take_leaders: list[Leader] | None = None) -> bool:
        """8.41, 8.42: retract a line by one of `retractions`; False if what happens keeps it from that.

        Next to an enemy it then stops, and does not turn. `take_leaders` ride along from the hexes left (9.31).

        Raises:
            CommanderError: the manoeuvre is none of `retractions`, or a leader may not come.
        """
        chosen = self._chosen("retract", "retractions", unit, move, self.retractions(unit))
        way = LineWay(unit, self._riders("retract", unit, take_leaders))
        self.battle.take_up(unit)
        self.series.refusal.set_out(unit)
        self._leave_front(unit, chosen.ways)
        if not way.holds() or (not chosen.by_exception and chosen.cost > self.series.movement.allowance(unit)):
            self._finished(unit)
            return False
        self._begin(unit, chosen)
        self._give_up(unit, way, chosen.ways)
        if self.options.edition >= INTO_THE_WOODS and self.battle.beside_enemy(unit):
            unit.halted = True
        crossed: list[Hexside] = []
        for steps in chosen.ways:
            crossed.extend(steps)
        self._terrain(unit, crossed)
        self.series.reaction.entered_by_parts(unit, [steps[len(steps) - 1].to for steps in chosen.ways if steps])
        self._finished(unit)
        return unit.counts()

    def _give_up(self, unit: Unit, way: LineWay, ways: list[list[Hexside]]) -> None:
        """Take the parts that have a way off the map; their riders go to its end."""
        for at, part in enumerate(list(unit.parts)):
            steps = ways[at]
            if not steps:
                continue
            origin = part.hex
            end = steps[len(steps) - 1].to
            self.battle.withdraw_part(unit, part)
            self._log(unit, "retract", origin, end)
            if origin.stack:
                self.series.facing.left(origin)
                self.series.refusal.thinned(origin)
            self._ride(way.riders, origin, steps)
            self._left(origin)

    def _begin(self, unit: Unit, move: LineMove) -> None:
        """10.13, 9.42: take a unit up and let it pay for an extension or retraction."""
        self.battle.take_up(unit)
        self.series.refusal.set_out(unit)
        unit.moved = True
        if move.by_exception:
            unit.spent = self.series.movement.full_allowance(unit, False)
            unit.by_exception = unit.by_exception or move.near
        else:
            unit.spent += move.cost

    # -- moving as one (8.44) --------------------------------------------------------------------------------------

    def line_move(self, unit: Unit, move: LineMove, take_leaders: list[Leader] | None = None) -> bool:
        """8.44: let an Extended Line make one of `line_moves`, all parts at once; False if it did not come to the end.

        `take_leaders` are leaders stacked with its parts who go along (9.31).

        Raises:
            CommanderError: the manoeuvre is none of `line_moves`, or a leader may not come.
        """
        chosen = self._chosen("line_move", "line_moves", unit, move, self.line_moves(unit))
        if chosen.kind == ABOUT:
            self.series.facing.turn(unit, chosen.heading)
            return True
        return self._go(unit, chosen, LineWay(unit, self._riders("line_move", unit, take_leaders)))

    def press_on(self, unit: Unit, target: Hex) -> None:
        """6.24, 8.44: move a line towards a hex, step by step, as far as it can while that brings it nearer."""
        going = True
        while going:
            going = False
            best = self._far(target, [part.hex for part in unit.parts])
            found: list[LineMove] = []
            for move in self.line_moves(unit):
                far = self._far(target, move.places)
                if move.kind != ABOUT and far < best:
                    best = far
                    found = [move]
            for move in found:
                going = self.line_move(unit, move)

    def _far(self, target: Hex, places: list[Hex]) -> i64:
        """How far a hex is from others: by the nearest of them, then by all together."""
        least: i64 = PROHIBITED
        total: i64 = 0
        for place in places:
            away = place.distance_to(target)
            least = min(least, away)
            total += away
        return least * PROHIBITED + total

    # -- withdrawal (9.54) -----------------------------------------------------------------------------------------

    def withdraw(self, unit: Unit, move: LineMove, take_leaders: list[Leader] | None = None) -> bool:
        """9.54: withdraw a line by one of `withdrawals`; False if it did not come to the last hex.

        Whoever can't withdraw extended is disordered, retracts into one of its hexes and withdraws from there; by
        one hex only, but in Dead of Winter, if the fire at that costs it strength (10.44). `take_leaders` are leaders
        stacked with its parts who go along (9.31).

        Raises:
            CommanderError: the manoeuvre is none of `withdrawals`, or a leader may not come.
        """
        chosen = self._chosen("withdraw", "withdrawals", unit, move, self.withdrawals(unit))
        way = LineWay(unit, self._riders("withdraw", unit, take_leaders))
        if chosen.kind == WITHDRAWAL:
            unit.withdrew = True
            return self._go(unit, chosen, way)
        self.battle.take_up(unit)
        if not unit.disordered:
            self.series.results.disorder(unit, CAUSE_TERRAIN)
        stays = chosen.places[0]
        ways: list[list[Hexside]] = []
        for part in unit.parts:
            ways.append(self._way_along(unit, part.hex, stays))
        strength = unit.strength
        self._leave_front(unit, ways)
        if way.holds():
            self.series.refusal.straighten(unit, "")
            self._give_up(unit, way, ways)
            hexes = chosen.places[1:]
            if unit.strength < strength and self.options.edition <= INTO_THE_WOODS:
                hexes = hexes[:1]
            for other in self.series.movement.withdrawals(unit):
                if len(other) == len(hexes) and other[0] is hexes[0] and other[len(other) - 1] is hexes[len(hexes) - 1]:
                    riders = [leader for leader in way.riders if leader.hex is unit.hex]
                    came = self.series.movement.draw_back(unit, hexes, riders)
                    return came and len(hexes) == len(chosen.places) - 1
        unit.withdrew = True
        self._finished(unit)
        return False

    def _leave_front(self, unit: Unit, ways: list[list[Hexside]]) -> None:
        """10.44, 8.42: withdrawal fire at the parts that are about to retract."""
        origins: list[Hex] = []
        ends: list[Hex] = []
        for way in ways:
            if way:
                origins.append(way[0].origin)
                ends.append(way[len(way) - 1].to)
        self.series.fire.withdrawal_of_line(unit, origins, ends)

    def _way_along(self, unit: Unit, place: Hex, end: Hex) -> list[Hexside]:
        """The hexsides from one hex of a line along it to another."""
        way: list[Hexside] = []
        here = place
        while here is not end:
            for side in here.sides:
                if unit.stands_in(side.to) and side.to.distance_to(end) < here.distance_to(end):
                    way.append(side)
                    here = side.to
                    break
        return way

    # -- the end of a line (8.42, 8.43) ----------------------------------------------------------------------------

    def close_up(self, unit: Unit) -> None:
        """8.42, 8.43: at the end of a brigade activation, a line that has become too weak for its hexes gives some up.

        Its owner chooses: below 15 points which end to give up, below 8 in which of its hexes it stands.
        """
        most = self.most_parts(unit)
        if unit.extended != EXTENDED_LINE or len(unit.parts) <= most:
            return
        line = line_from_left(unit)
        choices: list[list[Hex]] = []
        for first in range(len(line) - most + 1):
            choices.append([part.hex for part in line[first : first + most]])
        chosen = self.series.owner(unit).line_keeps(self.series, unit, choices)
        if chosen < 0 or chosen >= len(choices):
            right = f"0 to {len(choices) - 1}"
            raise CommanderError(f"Commander.line_keeps: answered {chosen} for {unit.id}; right would be {right}")
        self.keep(unit, choices[chosen])

    def keep(self, unit: Unit, places: list[Hex]) -> None:
        """8.42, 7.31, 7.32: take the parts of a unit in all but some of its hexes off the map, at no cost.

        Refused it is only at the ends that it keeps, and not alone in a hex with less than two points.
        """
        refused: i64 = 0
        for part in unit.parts:
            if part.hex in places:
                refused |= refused_at(part)
        unit.refused = refused
        for part in list(unit.parts):
            if part.hex not in places:
                origin = part.hex
                self.battle.withdraw_part(unit, part)
                self._log(unit, "retract", origin, unit.hex)
                self.series.refusal.thinned(origin)
                self._left(origin)
        self.series.refusal.thinned(unit.hex)

    # -- words -----------------------------------------------------------------------------------------------------

    def _chosen(self, method: str, question: str, unit: Unit, move: LineMove, offers: list[LineMove]) -> LineMove:
        """The offer that is the same as a manoeuvre; CommanderError if there is none."""
        for offer in offers:
            if offer.same_as(move):
                return offer
        raise CommanderError(
            f"ExtendedLines.{method}: {unit.id} in {unit.hex.id} has no such manoeuvre now ({move.text()});"
            f" take one of {question}"
        )



__all__ = [
    "ABOUT", "AHEAD", "DRAWN_IN", "EXTENSION", "LINE_MOVES", "PIVOT", "RETRACTION", "WITHDRAWAL", "ExtendedLines",
    "LineMove", "LineWay",
]
