"""Rule 8.4, Extended Lines on their way: steps of all parts at once, with all that they set off (8.44, 9.54)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_TERRAIN, NO_DISORDER, ONE_MP, PROHIBITED, UDD
from simkit.model.log import EVERYTHING, Event
from simkit.rules.commander import CommanderError
from simkit.rules.linemoves import PIVOT, WITHDRAWAL, LineMove, LinePlans
from simkit.rules.movementcosts import WITH_CHECK
from simkit.rules.options import GRINGO, INTO_THE_WOODS

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader


class LineWay:
    """A line under way: where its parts, its heading and its riders were before each step, and who rides along."""

    def __init__(self, unit: Unit, riders: list[Leader]) -> None:
        self.unit = unit
        self.riders = riders
        self.places: list[list[Hex]] = []
        self.depths: list[list[i64]] = []
        self.headings: list[i64] = []
        self.short = False  # fire has limited the withdrawal to one step (10.44)
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
class LineSteps(LinePlans):
    """How Extended Lines carry out what they have chosen to do."""

    # -- step after step -------------------------------------------------------------------------------------------

    def _go(self, unit: Unit, move: LineMove, way: LineWay) -> bool:
        """Step after step of a manoeuvre, until it is made or ends early."""
        for leader in way.riders:
            leader.ended = True
        self.battle.take_up(unit)
        if move.kind != WITHDRAWAL:
            self.series.refusal.set_out(unit)
        steps = move.steps()
        for step in range(steps):
            if not self._step(unit, move, way, step, steps):
                self._halt(unit, move, way)
                self._finished(unit)
                return False
        self._finished(unit)
        return unit.counts()

    def _finished(self, unit: Unit) -> None:
        """7.32, 9.71, 10.44: the end of a manoeuvre: refused flanks that it fills, fire at those behind, new orders."""
        self.series.refusal.settled(unit)
        self.series.fire.move_finished(unit)
        if unit.arrival is not None:
            self.series.reinforcements.has_moved(unit)

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
        limit = movement.remaining(unit)
        if move.by_exception or (move.kind == WITHDRAWAL and step == 0 and later == 1 and not move.near):
            limit = max(limit, unit.movement_good * ONE_MP)
        return cost if whole <= limit else PROHIBITED

    def _step(self, unit: Unit, move: LineMove, way: LineWay, step: i64, steps: i64) -> bool:
        """8.44, 10.44: one step of all parts that move; False if the manoeuvre ends before it or in its hexes."""
        if way.short or self._cost(unit, move, step) >= PROHIBITED:
            return False
        sides: list[Hexside] = []
        for part_way in move.ways:
            if len(part_way) > step:
                sides.append(part_way[step])
        strength = unit.strength
        disordered = unit.disordered
        self.series.fire.withdrawal_of_line(unit, [side.origin for side in sides], [side.to for side in sides])
        if not way.holds():
            return False
        if move.kind == WITHDRAWAL and self.options.edition <= INTO_THE_WOODS:
            way.short = unit.strength < strength or unit.disordered != disordered
        cost = self._cost(unit, move, step)
        if cost >= PROHIBITED:
            return False
        self.series.reaction.about_to_enter([unit], [side.to for side in sides], cost)
        if not way.holds():
            return False
        passed = self._passed(unit, sides) if step > 0 else []
        if move.by_exception:
            unit.spent = self.series.movement.full_allowance(unit, False)
            unit.by_exception = unit.by_exception or move.near
        else:
            unit.spent += cost
        self._enter(unit, move, way, step, sides)
        hard = self.options.edition == GRINGO and move.cost > move.steps() * ONE_MP
        if move.kind == WITHDRAWAL and not self._falls_back(unit, way, cost, hard):
            return False
        if passed and not self._passes(unit, way, passed):
            return False
        going = self._terrain(unit, sides)
        going = self._seen(unit, way, [side.to for side in sides]) and going
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
        self.series.refusal.straighten(unit, "")
        unit.moved = True
        unit.entered = True
        unit.faced = 0
        unit.turned_after_move = False
        near = False
        for side in sides:
            self._log(unit, "move", side.origin, side.to)
            if step == 0 and side.origin.stack:
                self.series.facing.left(side.origin)
                self.series.refusal.thinned(side.origin)
            near = near or self.battle.enemy_near(side.to, unit.side)
            self._ride(way.riders, side.origin, [side])
        way.note()
        if step + 1 == move.steps():
            self._contact(unit, near)
        for side in sides:
            self._met(unit, side.to)
            self._left(side.origin)
        self.series.engineering.crossed([unit], sides)

    def _turn(self, unit: Unit, move: LineMove) -> None:
        """8.44, 8.26, 7.33: face a pivoting line, and the guns in the hex that it keeps; those that are active pay."""
        facing = self.series.facing
        for at, part in enumerate(unit.parts):
            if move.ways[at]:
                continue
            for mate in facing.alike(unit, part.hex):
                if mate is unit:
                    continue
                if mate.active:
                    cost = facing.price(mate, move.heading) + self.series.refusal.price_to_leave(mate)
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
            self.series.surprise.approached(unit)
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

    def _seen(self, unit: Unit, way: LineWay, places: list[Hex]) -> bool:
        """9.61, 10.45: reactions to a line that has entered hexes, and approach fire at those parts.

        False if the unit does not stand as before.
        """
        self.series.reaction.entered_by_parts(unit, places)
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
        for place in places:
            drm = max(drm, self.series.movement.passage_modifier(unit, place))
        if self.series.results.udd(unit, drm, "moving through"):
            return True
        if not self.series.results.disorder(unit, CAUSE_TERRAIN):
            return True
        unit.finished = True
        self._go_back(unit, way, len(way.places) - 3)
        return False

    def _falls_back(self, unit: Unit, way: LineWay, cost: i64, hard: bool) -> bool:
        """9.54: the check of a line that withdraws into hexes of more than one movement point; False if it stops.

        In Gringo! it is `hard` for all its hexes if it is so for one.
        """
        drm = max((cost + ONE_MP - 1) // ONE_MP - 1, 0)
        if (drm == 0 and not hard) or self.series.results.udd(unit, drm, "withdrawal"):
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
        for place in places:
            for mate in self.series.facing.alike(unit, place):
                self.series.facing.face(mate, unit.heading)
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
                if leader in riders or not self.series.movement.may_take(leader, unit):
                    who = f"{leader.id}, named twice," if leader in riders else leader.id
                    raise CommanderError(f"ExtendedLines.{method}: {who} cannot go along with {unit.id} now")
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

    def _log(self, unit: Unit, kind: str, origin: Hex, place: Hex) -> None:
        if self.series.log.level >= EVERYTHING:
            event = Event(kind)
            event.side = unit.side
            event.unit = unit.id
            event.hex = origin.id
            event.target_hex = place.id
            event.sp = unit.spent
            self.series.log.add(event)
