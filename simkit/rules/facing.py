"""Chapter 7, facing: what is front, flank and rear, and what it costs to turn (7.1, 7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP, PROHIBITED
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, EXTENDED_LINE, MARCH
from simkit.model.formation import hexes_of, part_zone
from simkit.model.hexgrid import FRONT, HEADING_NAMES, REAR, line
from simkit.model.log import EVERYTHING, Event
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Part, Unit

ABOUT_FACE: Final[i64] = 3  # vertices of a change of 180 degrees


def vertices(old: i64, new: i64) -> i64:
    """Vertices (on the march hexsides) between two headings of one kind, the shorter way round: 0 to 3."""
    turn = (new - old) % 12 // 2
    return 6 - turn if turn > ABOUT_FACE else turn


@mypyc_attr(allow_interpreted_subclasses=True)
class Facing(Chapter):
    """Facing of units: the zones around them, and their turns."""

    # -- where things lie (7.12) -----------------------------------------------------------------------------------

    def zone_of(self, unit: Unit, place: Hex) -> i64:
        """7.12: zone (FRONT, FLANK or REAR) of a unit's counter in which another hex lies; see `zone_from`."""
        return self.zone_from(unit.parts[0], place)

    def zone_from(self, part: Part, place: Hex) -> i64:
        """7.12, 7.34: zone (FRONT, FLANK or REAR) of a part of a unit in which another hex lies.

        That of the hexside through which the line from there enters the part's hex; when it enters through a vertex,
        the one of the two that is best for the unit.
        """
        here = part.hex
        exits = line(place.q - here.q, place.r - here.r).exits
        best = REAR
        for direction in range(6):
            if exits & (1 << direction):
                best = min(best, part_zone(part, direction))
        return best

    def in_arc(self, unit: Unit, place: Hex) -> bool:
        """7.13, 10.16: whether a line to another hex leaves through a frontal hexside of a unit, its ends included."""
        return self.zone_of(unit, place) == FRONT

    def right_kind(self, unit: Unit, heading: i64) -> bool:
        """7.11: whether a heading is of the kind that a unit's orders ask for: a hexside in March, else a vertex."""
        return 0 <= heading < 12 and (heading % 2 == 0) == (unit.orders == MARCH)

    # -- what a turn costs (7.21, 7.22) ----------------------------------------------------------------------------

    def turn_cost(self, unit: Unit, place: Hex, steps: i64) -> i64:
        """7.21, 7.22: half MPs for a change of 0 to 3 vertices in one hex.

        One vertex is free, any more cost 1 MP in all; under Attack Orders in woods each costs 1 MP, but an about-face
        1 MP in all.
        """
        if steps == 0:
            return 0
        if unit.orders == ATTACK and place.terrain.is_wood and steps < ABOUT_FACE:
            return steps * ONE_MP
        return 0 if steps == 1 else ONE_MP

    def price(self, unit: Unit, heading: i64) -> i64:
        """7.21: half MPs for a turn to a heading, with what a unit has already turned in this hex counted in."""
        return self.further_cost(unit, vertices(unit.heading, heading))

    def further_cost(self, unit: Unit, steps: i64) -> i64:
        """7.21, 7.22: half MPs for a change of 0 to 3 vertices more in the hex in which a unit stands.

        One vertex in all is free, more cost 1 MP in all; in woods under Attack Orders each change has its own price.
        """
        whole = self.turn_cost(unit, unit.hex, steps)
        if unit.faced == 0 or steps == 0 or (unit.orders == ATTACK and unit.hex.terrain.is_wood):
            return whole
        return ONE_MP if unit.faced == 1 else 0

    # -- turning ---------------------------------------------------------------------------------------------------

    def may_turn(self, unit: Unit, heading: i64) -> bool:
        """5.34, 7.21, 7.24, 7.33, 8.26, 9.53, 10.13: whether an active unit may turn its stack to a heading here.

        Not after it has moved adjacent to an enemy (9.53), withdrawn (9.54), or fired under Advance Orders (10.32).
        Whoever else of the active units is in the hex turns with it, and must be free to. An Extended Line turns in its
        hexes by 180 degrees only, with all who stand with it (8.44).
        """
        if heading == unit.heading or not self.right_kind(unit, heading) or not unit.active or not unit.counts():
            return False
        if any(mate.refused != 0 for mate in self.turning(unit)):  # 7.33: they leave that status first
            return False
        if self.lined_up(unit) and vertices(unit.heading, heading) != ABOUT_FACE:
            return False  # 8.44
        if not self.series.columns.may_turn(unit, heading):
            return False  # 8.51, 8.52
        if unit.rallied or unit.resupplied or unit.completed or self.series.orders.actions_over():
            return False
        return all(not mate.active or self.may_turn_alone(mate, heading) for mate in self.turning(unit))

    def lined_up(self, unit: Unit) -> bool:
        """8.44: whether a unit is an Extended Line, or faces as one in its hex does, so that it cannot turn freely."""
        if unit.extended == EXTENDED_LINE:
            return True
        return any(mate.extended == EXTENDED_LINE for mate in self.alike(unit, unit.hex))

    def alike(self, unit: Unit, place: Hex) -> list[Unit]:
        """7.11, 8.25: the units in a hex that face as a unit there does, itself among them, top first.

        Those on the march and those under other orders, whom 8.25 leaves together until one of them moves, do not.
        """
        return self._of_kind(place, unit.orders == MARCH)

    def _of_kind(self, place: Hex, marching: bool) -> list[Unit]:
        return [one for one in self.battle.units_in(place) if (one.orders == MARCH) == marching]

    def turning(self, unit: Unit) -> list[Unit]:
        """7.21, 8.26, 8.44: a unit and all who turn with it: its stack, or those in all hexes of the line there."""
        found: list[Unit] = [unit]
        for mate in self._company(unit.hex, unit.orders == MARCH):
            if mate is not unit:
                found.append(mate)
        return found

    def _company(self, place: Hex, marching: bool) -> list[Unit]:
        """8.26, 8.44: those in a hex who face one way, top first, then those in the other hexes of the line there."""
        found = self._of_kind(place, marching)
        for one in list(found):
            if one.extended == EXTENDED_LINE:
                for part in one.parts:
                    for mate in self._of_kind(part.hex, marching):
                        if mate not in found:
                            found.append(mate)
        return found

    def may_turn_alone(self, unit: Unit, heading: i64) -> bool:
        """7.21, 7.24, 9.53, 10.52, 10.61: whether an active unit may turn to a heading, whoever turns with it.

        In Gringo! only a turn before it spares fire the price of movement, so not after a fire that forgoes movement.
        """
        if unit.finished or unit.came_adjacent or unit.halted or unit.withdrew or unit.restacked:
            return False
        if unit.fired and unit.orders == ADVANCE and unit.kind != ARTILLERY:
            return False
        if unit.stood_to_fire and self.options.edition == GRINGO:
            return False
        if self.series.orders.confused(unit):  # 5.34: one vertex, whatever it costs
            return unit.faced + vertices(unit.heading, heading) <= 1
        cost = self.price(unit, heading)
        if cost == 0:
            return True
        return self.series.movement.may_spend(unit) and cost <= self.series.movement.allowance(unit)

    def turn(self, unit: Unit, heading: i64) -> None:
        """7.21, 7.11, 8.26: turn an active unit where it stands; its stack turns with it, and its active units pay.

        After an about-face the units of the stack that are no guns stand in the opposite order.

        Raises:
            CommanderError: it may not turn so.
        """
        if not self.may_turn(unit, heading):
            raise CommanderError(
                f"Facing.turn: {unit.id} in {unit.hex.id} may not turn from {HEADING_NAMES[unit.heading]} to"
                f" {HEADING_NAMES[heading] if 0 <= heading < 12 else heading}; ask may_turn first"
            )
        self.battle.take_up(unit)
        steps = vertices(unit.heading, heading)
        turning = self.turning(unit)
        for mate in turning:
            if mate.active:
                cost = self.price(mate, heading)
                mate.spent += cost
                if mate.moved and mate.faced == 0:
                    mate.turned_after_move = True
                if cost > 0:
                    mate.moved = True
                mate.faced += steps
            elif mate.turned_along < 0:
                mate.turned_along = mate.heading
        self._face_all(unit, heading)
        if steps == ABOUT_FACE:
            for place in hexes_of(turning):
                self.series.stacking.invert(place)

    def left(self, place: Hex) -> None:
        """8.26, 7.21: a unit has moved out of a hex: whoever only turned along with it faces again as before.

        And stands in the order of before, if that was an about-face. Not if another active unit that has turned stays.
        """
        self._face_back(place, False)
        self._face_back(place, True)

    def _face_back(self, place: Hex, marching: bool) -> None:
        company = self._company(place, marching)
        for mate in company:
            if mate.active and mate.faced > 0:
                return
        about = False
        for mate in company:
            if mate.turned_along >= 0:
                about = about or vertices(mate.heading, mate.turned_along) == ABOUT_FACE
                self.face(mate, mate.turned_along)
                mate.turned_along = -1
        if about:
            self.series.stacking.reverse_others(place)

    def set_up(self, unit: Unit, heading: i64) -> None:
        """7.11: face a unit, and its stack with it, while its side deploys.

        Raises:
            CommanderError: its side does not deploy now, or the heading is not of the kind that its orders ask for.
        """
        if not self.series.orders.deploys(unit.side):
            raise CommanderError(f"Facing.set_up: {unit.id}'s side does not deploy now; turn does it in play (7.31)")
        if not self.right_kind(unit, heading):
            kind = "a hexside, 0, 2, ... 10" if unit.orders == MARCH else "a vertex, 1, 3, ... 11"
            raise CommanderError(f"Facing.set_up: {heading} for {unit.id}; under its orders it faces {kind}")
        self._face_all(unit, heading)

    def turn_free(self, unit: Unit, heading: i64) -> None:
        """7.23, 7.25, 11.46: turn a unit, and its stack with it, by at most one vertex at no cost.

        Raises:
            CommanderError: more than one vertex, or any for an Extended Line (8.44).
        """
        most = 0 if self.lined_up(unit) else 1
        if not self.right_kind(unit, heading) or vertices(unit.heading, heading) > most or (
            not self.series.columns.may_turn(unit, heading)
        ):
            raise CommanderError(
                f"Facing.turn_free: {heading} for {unit.id} of heading {unit.heading}; it may turn by {most} vertices"
            )
        self._face_all(unit, heading)

    def face(self, unit: Unit, heading: i64) -> None:
        """7.33: give one unit a heading, whatever it costs and whoever stands with it; it is then refused no longer."""
        if unit.heading == heading:
            return
        unit.heading = heading
        self.series.refusal.straighten(unit, "")
        self.series.columns.dress(unit)
        if self.series.log.level >= EVERYTHING:
            event = Event("face")
            event.side = unit.side
            event.unit = unit.id
            event.hex = unit.hex.id
            event.result = HEADING_NAMES[heading]
            self.series.log.add(event)

    def _face_all(self, unit: Unit, heading: i64) -> None:
        for mate in self.turning(unit):
            self.face(mate, heading)

    def may_leave_after(self, unit: Unit) -> i64:
        """7.24, 9.53: vertices that a unit may still turn before it leaves its hex; PROHIBITED if any number."""
        if self.battle.beside_enemy(unit):
            return 1 - unit.faced
        return PROHIBITED
