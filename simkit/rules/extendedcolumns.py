"""Rule 8.5, Extended Columns: how they follow their counter, turn about, become lines and end (8.5, 8.51-8.53)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_TERRAIN
from simkit.model.forces import ATTACK, EXTENDED_COLUMN, EXTENDED_LINE, MARCH
from simkit.model.log import COLUMN, EVERYTHING, Event
from simkit.rules.columnplans import COLUMN_MOVES, INTO_COLUMN, INTO_LINE, RETRACTION, ColumnMove, ColumnPlans
from simkit.rules.commander import CommanderError
from simkit.rules.facing import ABOUT_FACE, vertices
from simkit.rules.options import INTO_THE_WOODS

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader
    from simkit.rules.route import Route

ABOUT: Final[i64] = 6  # on the circle of twelve headings
LEAST_TURNS: Final = (0, 2, 10, 4, 8, ABOUT)  # the least first


@mypyc_attr(allow_interpreted_subclasses=True)
class ExtendedColumns(ColumnPlans):
    """Extended Columns: what they do, and what is done to them."""

    # -- on the way (8.5) ------------------------------------------------------------------------------------------

    def advance(self, unit: Unit, way: Route, place: Hex) -> None:
        """8.5, 8.51: a unit under way in column, which has paid for the step, goes on into a hex; its markers follow.

        Each goes where the part before it was, and pays for that. A marker that is still wanting is placed in the hex
        that the last part leaves.
        """
        places: list[Hex] = [place]
        depths: list[i64] = [0]
        standing: i64 = len(unit.parts)
        fresh = self.follower_spent(unit, standing) - (way.paid if standing == 1 else 0)
        left = unit.parts[len(unit.parts) - 1].hex
        before = left.stack.index(unit.parts[len(unit.parts) - 1])
        number: i64 = 1
        while number < len(unit.parts):
            to = unit.parts[number - 1].hex
            places.append(to)
            depths.append(to.stack.index(unit.parts[number - 1]))
            self._pay(unit, number, self.follower_spent(unit, number) + self.step_of(unit, way, number))
            number += 1
        unit.refused = 0
        self.battle.move_parts(unit, places, depths)
        if number <= self.extensions(unit) and left.index >= 0:
            self._pay(unit, number, fresh)
            self.battle.add_part(unit, left, before, EXTENDED_COLUMN)
            unit.new_column = True
            self._log("extend", unit, place, left)
        self.dress(unit)

    def crossed_by(self, unit: Unit, leader: Leader, side: Hexside) -> Hexside:
        """8.5, 9.31: what a leader who goes along crosses when a unit's counter crosses `side`.

        He rides with the part in whose hex he is, so one at a marker only comes as far as the part before it stood.
        """
        number: i64 = 1
        while number < len(unit.parts):
            here = unit.parts[number].hex
            if here is leader.hex:
                return here.sides[here.direction_to(unit.parts[number - 1].hex)]
            number += 1
        return side

    def _pay(self, unit: Unit, number: i64, spent: i64) -> None:
        if number == 1:
            unit.spent_second = spent
        else:
            unit.spent_third = spent

    def lay_back(self, unit: Unit, way: Route) -> None:
        """8.5, 8.11: a column that must go back on its way lies again as it did when its counter stood there."""
        trail = self.trail(way)
        on_map = [place for place in trail if place.index >= 0] or trail[:1]
        most: i64 = min(len(way.sides) + 1 + len(way.tail), len(on_map))
        while len(unit.parts) > most:
            self.battle.withdraw_part(unit, unit.parts[len(unit.parts) - 1])
        places = on_map[: len(unit.parts)]
        depths: list[i64] = []
        for at, here in enumerate(places):
            own = unit.part_in(here)
            others: i64 = len(here.stack) - (1 if own.hex is here else 0)
            depths.append(min(way.depth, others) if at == 0 else 0)
        self.battle.move_parts(unit, places, depths)
        self.face_away(unit)
        self.dress(unit)

    def face_away(self, unit: Unit) -> None:
        """8.51, 8.52: turn the counter of a column that stays or has come back as little as its markers demand."""
        if unit.extended != EXTENDED_COLUMN:
            return
        wanted = unit.heading
        for turn in LEAST_TURNS:
            if self.may_turn(unit, (wanted + turn) % 12):
                self.series.facing.face(unit, (wanted + turn) % 12)
                return

    def dress(self, unit: Unit) -> None:
        """8.51, 8.52: face each marker of a column towards the part before it, as its orders have it."""
        if unit.extended != EXTENDED_COLUMN:
            return
        before = unit.heading
        number: i64 = 1
        while number < len(unit.parts):
            before = self.marker_heading(unit, number, before)
            unit.parts[number].column_heading = before
            number += 1

    # -- about-face (8.51, 8.52) -----------------------------------------------------------------------------------

    def about_price(self, unit: Unit) -> i64:
        """8.51, 8.52, 7.21: half MPs for a column to turn about: none along a thoroughfare, else 1 MP."""
        return 0 if self.lies_on_road(unit) else self.series.facing.turn_cost(unit, unit.hex, ABOUT_FACE)

    def may_face_about(self, unit: Unit) -> bool:
        """8.51, 8.52: whether a column may turn about now, its counter changing places with its last marker.

        In Gringo!, which has no such clause, it may not.
        """
        if unit.extended != EXTENDED_COLUMN or unit.orders == ATTACK or self.options.edition < INTO_THE_WOODS:
            return False
        movement = self.series.movement
        if not unit.active or unit.finished or unit.came_adjacent or not movement.may_spend(unit):
            return False
        price = self.about_price(unit)
        return price <= movement.allowance(unit) and self.all_have(unit, price)

    def face_about(self, unit: Unit) -> None:
        """8.51, 8.52, 7.21: turn a column about where it lies; its counter changes places with its last marker.

        Raises:
            CommanderError: it may not turn about now.
        """
        if not self.may_face_about(unit):
            raise CommanderError(
                f"ExtendedColumns.face_about: {unit.id} in {unit.hex.id} may not turn about; ask may_face_about"
            )
        self.battle.take_up(unit)
        price = self.about_price(unit)
        last: i64 = len(unit.parts) - 1
        spent: list[int] = [int(unit.spent)]
        for number in range(1, last + 1):
            spent.append(int(self.follower_spent(unit, number)))
        unit.spent = spent[last] + price
        for number in range(1, last + 1):
            self._pay(unit, number, spent[last - number] + price)
        if price > 0 or self.battle.beside_enemy(unit):
            unit.faced += ABOUT_FACE
        unit.moved = unit.moved or price > 0
        places = [part.hex for part in unit.parts]
        places.reverse()
        self._rearrange(unit, places)
        ahead = unit.parts[1].hex.direction_to(unit.hex)
        heading = 2 * ahead
        if unit.orders != MARCH:
            heading = 2 * ahead + 1
            other = (2 * ahead + 11) % 12
            wanted = (unit.heading + ABOUT) % 12
            if vertices(other, wanted) < vertices(heading, wanted):
                heading = other
        self.series.facing.face(unit, heading)
        self.dress(unit)

    def _rearrange(self, unit: Unit, places: list[Hex]) -> None:
        """Put the parts of a unit into its hexes in another order; each takes the place of the one there."""
        depths: list[i64] = []
        for place in places:
            depths.append(place.stack.index(unit.part_in(place)))
        self.battle.move_parts(unit, places, depths)

    # -- retracting, and into line or column (8.52, 8.44) ----------------------------------------------------------

    def retract(self, unit: Unit, move: ColumnMove) -> bool:
        """8.52, 8.53, 9.53, 10.44: retract a column by one of `retractions`; False if what happens keeps it from that.

        Next to an enemy it then stops, and does not turn; under Attack Orders it neither fires nor shocks (9.42).
        Leaders in the hexes that it gives up may come along.

        Raises:
            CommanderError: the retraction is none of those open to it.
        """
        chosen = self._chosen("retract", "retractions", unit, move, self.retractions(unit))
        self.battle.take_up(unit)
        place = chosen.places[0]
        held = [part.hex for part in unit.parts]
        self._retract_from_fronts(unit, place)
        if not unit.counts() or unit.finished or held != [part.hex for part in unit.parts]:
            return False
        self._pay_retraction(unit, chosen)
        self.series.retreat.contract(unit, place, True)
        unit.moved = True
        unit.faced = 0
        if chosen.near:
            unit.came_adjacent = True
            self.series.surprise.approached(unit)
            unit.by_exception = unit.by_exception or unit.orders == ATTACK
        self.series.fire.move_finished(unit)
        return True

    def leave_fronts(self, unit: Unit, place: Hex) -> None:
        """10.44, 8.5: withdrawal fire at a column that is about to go on into a hex, part after part."""
        origins = [part.hex for part in unit.parts]
        self.series.fire.withdrawal_of_line(unit, origins, [place, *origins[:-1]])

    def _retract_from_fronts(self, unit: Unit, place: Hex) -> None:
        """10.44: withdrawal fire at the parts that are about to leave enemies' frontal hexes for another hex."""
        origins: list[Hex] = []
        ends: list[Hex] = []
        for part in unit.parts:
            if part.hex is not place:
                origins.append(part.hex)
                ends.append(place)
        self.series.fire.withdrawal_of_line(unit, origins, ends)

    def _pay_retraction(self, unit: Unit, move: ColumnMove) -> None:
        """8.52, 9.42: a unit that retracts has spent what the part of it that has spent most has."""
        if move.by_exception:
            unit.spent = self.series.movement.full_allowance(unit, False)
            return
        stays: i64 = 0
        while unit.parts[stays].hex is not move.places[0]:
            stays += 1
        spent = unit.spent if stays == 0 else self.follower_spent(unit, stays)
        for number in range(len(unit.parts)):
            if number != stays:
                before = unit.spent if number == 0 else self.follower_spent(unit, number)
                spent = max(spent, before + self._way_price(unit, number, stays))
        unit.spent = spent

    def form_line(self, unit: Unit, move: ColumnMove) -> None:
        """8.52, 7.21: let a column form Extended Line by one of `lines`, by changing facing.

        Raises:
            CommanderError: the line is none of those open to it.
        """
        self._change("form_line", "lines", unit, self._chosen("form_line", "lines", unit, move, self.lines(unit)))

    def form_column(self, unit: Unit, move: ColumnMove) -> None:
        """8.44, 8.5, 8.52: let an Extended Line form column by one of `columns`, by changing facing.

        Raises:
            CommanderError: the column is none of those open to it.
        """
        chosen = self._chosen("form_column", "columns", unit, move, self.columns(unit))
        self._change("form_column", "columns", unit, chosen)

    def _change(self, method: str, question: str, unit: Unit, move: ColumnMove) -> None:
        """7.21: pay for a change of formation by a change of facing, and make it."""
        self.battle.take_up(unit)
        spent = unit.spent
        if unit.extended == EXTENDED_COLUMN:
            for number in range(1, len(unit.parts)):
                spent = max(spent, self.follower_spent(unit, number))
        unit.spent = spent + move.cost
        unit.turned_after_move = unit.turned_after_move or (unit.moved and unit.faced == 0)
        unit.moved = unit.moved or move.cost > 0
        unit.faced += vertices(unit.heading, move.heading)
        unit.spent_second = unit.spent
        unit.spent_third = unit.spent
        self.take_form(unit, move)

    def take_form(self, unit: Unit, move: ColumnMove) -> None:
        """7.23, 7.26, 8.44, 8.52: make a line of a column, or a column of a line, whatever it costs."""
        unit.extended = EXTENDED_COLUMN if move.kind == INTO_COLUMN else EXTENDED_LINE
        unit.refused = 0
        self._rearrange(unit, move.places)
        self.series.facing.face(unit, move.heading)
        self.dress(unit)
        for part in unit.parts:  # 7.11: who has begun among others has them face as he does
            for mate in self.series.facing.alike(unit, part.hex):
                self.series.facing.face(mate, move.heading)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("form", unit.side, unit.id, unit.hex.id, "", COLUMN_MOVES[move.kind])

    def _chosen(self, method: str, question: str, unit: Unit, move: ColumnMove, offers: list[ColumnMove]) -> ColumnMove:
        """The offer that is the same as a move; CommanderError if there is none."""
        for offer in offers:
            if offer.same_as(move):
                return offer
        raise CommanderError(
            f"ExtendedColumns.{method}: {unit.id} in {unit.hex.id} has no such way now ({move.text()});"
            f" take one of {question}"
        )

    # -- new orders (7.23, 7.26, 8.52, 8.53) -----------------------------------------------------------------------

    def take_orders(self, unit: Unit, old: i64) -> bool:
        """6.26, 7.23, 7.26, 8.51, 8.52: an extended unit has got new orders; True if that settles its facing.

        Under March Orders an Extended Line becomes a column, led by the end that its owner names. A column that no
        longer marches becomes a line if he wants it and it can; else it stays a column, and its counter and markers
        face as its orders have it. All of this at no cost.
        """
        if unit.extended == EXTENDED_LINE and unit.orders == MARCH:
            offers = self.columns_of(unit)
            answer = self.series.owner(unit).column_from_line(self.series, unit, offers)
            self.take_form(unit, offers[self.index("column_from_line", unit, answer, 0, len(offers))])
            return True
        if unit.extended != EXTENDED_COLUMN or (old == MARCH) == (unit.orders == MARCH):
            return False
        if unit.orders != MARCH:
            offers = [
                ColumnMove(INTO_LINE, [part.hex for part in unit.parts], heading)
                for heading in self.line_headings(unit)
            ]
            if offers:
                answer = self.series.owner(unit).line_from_column(self.series, unit, offers)
                if answer != -1:
                    self.take_form(unit, offers[self.index("line_from_column", unit, answer, -1, len(offers))])
                    return True
        return False

    def deploy(self) -> None:
        """8.53: active units in column under Attack Orders retract or form line before they do anything else.

        Whoever can do neither for want of movement retracts all the same, is disordered and has finished. Who may not
        move at all now (6.23) stays in column.
        """
        for unit in list(self.battle.units):
            if unit.active and unit.extended == EXTENDED_COLUMN and unit.orders == ATTACK and unit.counts():
                if self.series.orders.may_move(unit):
                    self._deploy(unit)

    def _deploy(self, unit: Unit) -> None:
        offers = self.retractions(unit)
        offers.extend(self.lines(unit))
        if not offers:
            self.series.retreat.contract_into_one_of(unit, [part.hex for part in unit.parts])
            unit.finished = True
            if not unit.disordered:
                self.series.results.disorder(unit, CAUSE_TERRAIN)
            return
        answer = self.series.owner(unit).leave_column(self.series, unit, offers)
        chosen = offers[self.index("leave_column", unit, answer, 0, len(offers))]
        if chosen.kind == RETRACTION:
            self.retract(unit, chosen)
        else:
            self.form_line(unit, chosen)

    # -- the end of a column (8.5) ---------------------------------------------------------------------------------

    def close_up(self, unit: Unit) -> None:
        """8.5, 8.51: at the end of a brigade activation, a column too weak for its markers gives some up.

        Its owner chooses in which of its hexes it then stands.
        """
        count: i64 = len(unit.parts)
        keeps = self.extensions(unit) + 1
        if unit.extended != EXTENDED_COLUMN or count <= keeps:
            return
        choices: list[list[Hex]] = []
        for first in range(count - keeps + 1):
            choices.append([part.hex for part in unit.parts[first : first + keeps]])
        answer = self.series.owner(unit).column_keeps(self.series, unit, choices)
        kept = choices[self.index("column_keeps", unit, answer, 0, len(choices))]
        if keeps == 1:
            heading = unit.part_in(kept[0]).heading()
            self.series.retreat.contract(unit, kept[0])
            self.series.facing.face(unit, heading)
            return
        for part in list(unit.parts):
            if part.hex not in kept:
                left = part.hex
                if part is unit.parts[0]:
                    heading = unit.parts[1].heading()
                    self.battle.withdraw_part(unit, part)
                    self.series.facing.face(unit, heading)
                else:
                    self.battle.withdraw_part(unit, part)
                self._log("retract", unit, left, unit.hex)
                if left.leaders:
                    self.series.retreat.leader_alone(left)
        self.face_away(unit)
        self.dress(unit)

    # -- words -----------------------------------------------------------------------------------------------------

    def _log(self, kind: str, unit: Unit, origin: Hex, place: Hex) -> None:
        if self.series.log.level >= EVERYTHING:
            event = Event(kind)
            event.mode = COLUMN if kind != "move" else ""
            event.side = unit.side
            event.unit = unit.id
            event.hex = origin.id
            event.target_hex = place.id
            event.sp = unit.spent
            self.series.log.add(event)
