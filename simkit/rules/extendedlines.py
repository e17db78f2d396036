"""Rule 8.4, Extended Lines: units that form them, move in them as one, and give them up (8.41-8.44, 9.54)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_TERRAIN, NO_DISORDER, ONE_MP, PROHIBITED, UDD
from simkit.model.forces import EXTENDED_LINE
from simkit.model.formation import line_from_left
from simkit.model.log import EVERYTHING, Event
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
    LinePlans,
)
from simkit.rules.movementcosts import WITH_CHECK
from simkit.rules.options import INTO_THE_WOODS

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Leader, Unit


class LineWay:
    """A line under way: where its parts, its heading and its riders were before each step, and who rides along."""

    def __init__(self, unit: Unit, riders: list[Leader]) -> None:
        self.unit = unit
        self.riders = riders
        self.places: list[list[Hex]] = []
        self.depths: list[list[i64]] = []
        self.headings: list[i64] = []
        self.note()

    def note(self) -> None:
        """Keep the formation as it is now."""
        self.places.append([part.hex for part in self.unit.parts])
        self.depths.append([part.hex.stack.index(part) for part in self.unit.parts])
        self.headings.append(self.unit.heading)

    def holds(self) -> bool:
        """Whether the unit stands as it was last noted, and is free to go on."""
        unit = self.unit
        places = self.places[len(self.places) - 1]
        if not unit.counts() or unit.finished or len(unit.parts) != len(places):
            return False
        for at, part in enumerate(unit.parts):
            if part.hex is not places[at]:
                return False
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class ExtendedLines(LinePlans):
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
        at: i64 = len(unit.parts)
        while at < len(chosen.places):
            side = chosen.ways[at][0]
            depth = self.series.stacking.depth(unit, side.to, side)
            self.battle.add_part(unit, side.to, depth, EXTENDED_LINE)
            self._log(unit, "extend", unit.hex, side.to)
            at += 1
        self._contact(unit, chosen.near)
        for way in chosen.ways:
            if way:
                self._met(unit, way[0].to)
        way_on = LineWay(unit, [])
        going = self._terrain(unit, [way[0] for way in chosen.ways if way])
        return self._approached(unit, way_on, [way[0].to for way in chosen.ways if way]) and going

    def retract(self, unit: Unit, move: LineMove, take_leaders: list[Leader] | None = None) -> bool:
        """8.41, 8.42: retract a line by one of `retractions`; False if what happens keeps it from that.

        Next to an enemy it then stops, and does not turn. `take_leaders` ride along from the hexes left (9.31).

        Raises:
            CommanderError: the manoeuvre is none of `retractions`, or a leader may not come.
        """
        chosen = self._chosen("retract", "retractions", unit, move, self.retractions(unit))
        way = LineWay(unit, self._riders("retract", unit, take_leaders))
        self.battle.take_up(unit)
        self._leave_front(unit, chosen.ways)
        if not way.holds() or (not chosen.by_exception and chosen.cost > self.series.movement.allowance(unit)):
            self.series.fire.move_finished(unit)
            return False
        self._begin(unit, chosen)
        self._give_up(unit, way, chosen.ways)
        if self.options.edition >= INTO_THE_WOODS and self.battle.beside_enemy(unit):
            unit.halted = True
        crossed: list[Hexside] = []
        for steps in chosen.ways:
            crossed.extend(steps)
        going = self._terrain(unit, crossed)
        self.series.fire.move_finished(unit)
        return going and unit.counts()

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
            self._ride(way.riders, origin, steps)
            self._left(origin)

    def _begin(self, unit: Unit, move: LineMove) -> None:
        """10.13, 9.42: take a unit up and let it pay for an extension or retraction."""
        self.battle.take_up(unit)
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

    def _go(self, unit: Unit, move: LineMove, way: LineWay) -> bool:
        """Step after step of a manoeuvre, until it is made or ends early."""
        for leader in way.riders:
            leader.ended = True
        self.battle.take_up(unit)
        steps = move.steps()
        for step in range(steps):
            if not self._step(unit, move, way, step, steps):
                self._halt(unit, move, way)
                self.series.fire.move_finished(unit)
                return False
        self.series.fire.move_finished(unit)
        return unit.counts()

    def _cost(self, unit: Unit, move: LineMove, step: i64) -> i64:
        """Half MPs of a step as things now stand; PROHIBITED if they do not allow it and what is to follow any more."""
        movement = self.series.movement
        movement.prepare(unit)
        cost = self.step_price(unit, move.ways, step)
        if cost >= PROHIBITED:
            return PROHIBITED
        if step == 0:
            cost += move.extra
        whole = cost
        later = step + 1
        while later < move.steps():
            whole += self.step_price(unit, move.ways, later)
            later += 1
        limit = movement.allowance(unit)
        if move.by_exception or (move.kind == WITHDRAWAL and step == 0 and later == 1 and not move.near):
            limit = max(limit, unit.movement_good * ONE_MP)
        return cost if whole <= limit else PROHIBITED

    def _step(self, unit: Unit, move: LineMove, way: LineWay, step: i64, steps: i64) -> bool:
        """8.44, 10.44: one step of all parts that move; False if the manoeuvre ends before it or in its hexes."""
        if self._cost(unit, move, step) >= PROHIBITED:
            return False
        sides: list[Hexside] = []
        for part_way in move.ways:
            if len(part_way) > step:
                sides.append(part_way[step])
        self.series.fire.withdrawal_from(unit, [side.origin for side in sides], [side.to for side in sides])
        if not way.holds():
            return False
        cost = self._cost(unit, move, step)
        if cost >= PROHIBITED:
            return False
        passed = self._passed(unit, sides) if step > 0 else []
        if move.by_exception:
            unit.spent = self.series.movement.full_allowance(unit, False)
            unit.by_exception = unit.by_exception or move.near
        else:
            unit.spent += cost
        self._enter(unit, move, way, step, sides)
        if move.kind == WITHDRAWAL and not self._falls_back(unit, way, cost):
            return False
        if passed and not self._passes(unit, way, passed):
            return False
        going = self._terrain(unit, sides)
        going = self._approached(unit, way, [side.to for side in sides]) and going
        return going or (step + 1 == steps and way.holds())

    def _enter(self, unit: Unit, move: LineMove, way: LineWay, step: i64, sides: list[Hexside]) -> None:
        """8.44, 9.13: put the parts into the hexes of a step, riders with them; see to the stacks and leaders left."""
        if move.kind == PIVOT and step == 0:
            self._turn(unit, move)
        places: list[Hex] = []
        depths: list[i64] = []
        for at, part in enumerate(unit.parts):
            if len(move.ways[at]) > step:
                side = move.ways[at][step]
                places.append(side.to)
                depths.append(self.series.stacking.depth(unit, side.to, side))
            else:
                places.append(part.hex)
                depths.append(part.hex.stack.index(part))
        self.battle.move_parts(unit, places, depths)
        unit.refused = 0
        unit.moved = True
        unit.faced = 0
        unit.turned_after_move = False
        near = False
        for side in sides:
            self._log(unit, "move", side.origin, side.to)
            if step == 0 and side.origin.stack:
                self.series.facing.left(side.origin)
            near = near or self.battle.enemy_near(side.to, unit.side)
            self._ride(way.riders, side.origin, [side])
        way.note()
        if step + 1 == move.steps():
            self._contact(unit, near)
        for side in sides:
            self._met(unit, side.to)
            self._left(side.origin)

    def _turn(self, unit: Unit, move: LineMove) -> None:
        """8.44, 8.26: face a pivoting line, and the guns in the hex that it keeps; those that are active pay."""
        facing = self.series.facing
        for at, part in enumerate(unit.parts):
            if move.ways[at]:
                continue
            for mate in self.series.movement.mates(unit, part.hex):
                if mate.active:
                    cost = facing.price(mate, move.heading)
                    mate.spent += cost
                    mate.moved = mate.moved or cost > 0
                    mate.faced += 1
                elif mate.turned_along < 0:
                    mate.turned_along = mate.heading
                facing.face(mate, move.heading)
        facing.face(unit, move.heading)

    def _contact(self, unit: Unit, near: bool) -> None:
        """9.53: a line that has moved stops next to the enemy, whichever of its parts it is that stands there."""
        if near:
            unit.came_adjacent = True
        elif self.battle.beside_enemy(unit):
            unit.halted = True

    # -- what a step sets off --------------------------------------------------------------------------------------

    def _terrain(self, unit: Unit, sides: list[Hexside]) -> bool:
        """9.47: the disorder of a step by its worst hexside, once for the whole line; False if it stops the unit."""
        worst = NO_DISORDER
        for side in sides:
            worst = max(worst, self.series.movement.disorder_across(unit, side, False))
        if worst == AUTOMATIC or (worst == UDD and not self.series.results.udd(unit, 0, "terrain")):
            return not self.series.results.disorder(unit, CAUSE_TERRAIN)
        return True

    def _approached(self, unit: Unit, way: LineWay, places: list[Hex]) -> bool:
        """10.45: approach fire at the parts that have entered hexes; False if the unit does not stand as before."""
        if way.holds():
            self.series.fire.approach(unit, places)
        return way.holds()

    def _passed(self, unit: Unit, sides: list[Hexside]) -> list[Hex]:
        """8.22: the hexes now left in which parts have moved through units that make the line check."""
        return [side.origin for side in sides if self.series.movement.through(unit, side.origin) >= WITH_CHECK]

    def _passes(self, unit: Unit, way: LineWay, places: list[Hex]) -> bool:
        """8.22, 8.44: the one check of a line that has moved through units; False if it must go back.

        The normal cost of the dearest of their hexes is added from two movement points up.
        """
        drm: i64 = 0
        mover = self.series.movement.mover(unit)
        for place in places:
            points = place.terrain.cost(mover) // ONE_MP
            if points >= 2:
                drm = max(drm, points)
        if self.series.results.udd(unit, drm, "moving through"):
            return True
        if not self.series.results.disorder(unit, CAUSE_TERRAIN):
            return True
        unit.finished = True
        self._go_back(unit, way, len(way.places) - 3)
        return False

    def _falls_back(self, unit: Unit, way: LineWay, cost: i64) -> bool:
        """9.54: the check of a line that withdraws into hexes of more than one movement point; False if it stops."""
        drm = (cost + ONE_MP - 1) // ONE_MP - 1
        if drm <= 0 or self.series.results.udd(unit, drm, "withdrawal"):
            return True
        if not unit.disordered:
            self.series.results.disorder(unit, CAUSE_TERRAIN)
            return True
        if len(way.places) > 2:
            self._go_back(unit, way, len(way.places) - 2)
        return False

    def _halt(self, unit: Unit, move: LineMove, way: LineWay) -> None:
        """8.11, 8.44: a line whose manoeuvre ends early stays where it is, or goes back to where it last may stand."""
        last: i64 = len(way.places) - 1
        if not unit.counts() or len(unit.parts) != len(way.places[last]) or last == 0:
            return
        for at, part in enumerate(unit.parts):
            if part.hex is not way.places[last][at]:
                return
        while last > 0 and not self._formed(unit, move, way, last):
            last -= 1
        if last < len(way.places) - 1:
            self._go_back(unit, way, last)

    def _formed(self, unit: Unit, move: LineMove, way: LineWay, at: i64) -> bool:
        """Whether a line might stay as it stood after a step: not halfway through a pivot, with room for all parts."""
        if move.kind == PIVOT and at < move.steps():
            return False
        for place in way.places[at]:
            if place not in way.places[0] and not self._fits(unit, place, way.headings[at]):
                return False
        return True

    def _go_back(self, unit: Unit, way: LineWay, at: i64) -> None:
        """8.22, 8.11, 9.54: put a line back as it stood at a moment of its way, with its riders."""
        places = way.places[at]
        left = [part.hex for part in unit.parts]
        depths: list[i64] = []
        for part, place in enumerate(places):
            depths.append(min(way.depths[at][part], len(place.stack)))
        self.battle.move_parts(unit, places, depths)
        self.series.facing.face(unit, way.headings[at])
        unit.came_adjacent = at > 0 and self.battle.beside_enemy(unit)
        for leader in way.riders:
            for part, place in enumerate(left):
                if leader.hex is place:
                    self.battle.stand_leader(leader, places[part])
                    break
        for part, place in enumerate(left):
            if place not in places:
                self._log(unit, "move", place, places[part])
                self._left(place)
        way.places = way.places[: at + 1]
        way.depths = way.depths[: at + 1]
        way.headings = way.headings[: at + 1]

    # -- leaders and guns met and left (9.31, 12.73, 12.81) --------------------------------------------------------

    def _riders(self, method: str, unit: Unit, leaders: list[Leader] | None) -> list[Leader]:
        riders: list[Leader] = []
        if leaders is not None:
            for leader in leaders:
                if not self.series.movement.may_take(leader, unit):
                    raise CommanderError(f"ExtendedLines.{method}: {leader.id} cannot go along with {unit.id} now")
                riders.append(leader)
        return riders

    def _ride(self, riders: list[Leader], origin: Hex, sides: list[Hexside]) -> None:
        """9.31: the riders in a hex that a part leaves go with it, as far as their own movement points last."""
        movement = self.series.movement
        price: i64 = 0
        for side in sides:
            price += side.leader_cost
        for leader in list(riders):
            if leader.hex is not origin:
                continue
            if price <= movement.leader_allowance(leader):
                movement.ride(leader, sides[len(sides) - 1].to, price)
                leader.moved = True
                leader.ended = True
            else:
                riders.remove(leader)

    def _met(self, unit: Unit, place: Hex) -> None:
        """12.73, 12.81: crews called back and leaders without troops met where a part has come."""
        self.series.movement.call_crews(unit, place)
        self.series.movement.leaders_met(place)

    def _left(self, place: Hex) -> None:
        """12.73: leaders left behind by a part."""
        if place.leaders:
            self.series.retreat.leader_alone(place)

    # -- withdrawal (9.54) -----------------------------------------------------------------------------------------

    def withdraw(self, unit: Unit, move: LineMove) -> bool:
        """9.54: withdraw a line by one of `withdrawals`; False if it did not come to the last hex.

        Whoever can't withdraw extended is disordered, retracts into one of its hexes and withdraws from there.

        Raises:
            CommanderError: the manoeuvre is none of `withdrawals`.
        """
        chosen = self._chosen("withdraw", "withdrawals", unit, move, self.withdrawals(unit))
        way = LineWay(unit, [])
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
        self._leave_front(unit, ways)
        if way.holds():
            self._give_up(unit, way, ways)
            hexes = chosen.places[1:]
            for other in self.series.movement.withdrawals(unit):
                if len(other) == len(hexes) and other[0] is hexes[0] and other[len(other) - 1] is hexes[len(hexes) - 1]:
                    return self.series.movement.withdraw(unit, hexes)
        unit.withdrew = True
        self.series.fire.move_finished(unit)
        return False

    def _leave_front(self, unit: Unit, ways: list[list[Hexside]]) -> None:
        """10.44, 8.42: withdrawal fire at the parts that are about to retract."""
        origins: list[Hex] = []
        ends: list[Hex] = []
        for way in ways:
            if way:
                origins.append(way[0].origin)
                ends.append(way[len(way) - 1].to)
        self.series.fire.withdrawal_from(unit, origins, ends)

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
        """8.42: take the parts of a unit in all but some of its hexes off the map, at no cost."""
        for part in list(unit.parts):
            if part.hex not in places:
                origin = part.hex
                self.battle.withdraw_part(unit, part)
                self._log(unit, "retract", origin, unit.hex)
                self._left(origin)

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

    def _log(self, unit: Unit, kind: str, origin: Hex, place: Hex) -> None:
        if self.series.log.level >= EVERYTHING:
            event = Event(kind)
            event.side = unit.side
            event.unit = unit.id
            event.hex = origin.id
            event.target_hex = place.id
            event.sp = unit.spent
            self.series.log.add(event)


__all__ = [
    "ABOUT", "AHEAD", "DRAWN_IN", "EXTENSION", "LINE_MOVES", "PIVOT", "RETRACTION", "WITHDRAWAL", "ExtendedLines",
    "LineMove", "LineWay",
]
