"""Rule 8.4, Extended Lines: which manoeuvres are open to a unit, and what they cost (8.41, 8.43, 8.44, 9.42, 9.54)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP, PROHIBITED
from simkit.model.forces import ARTILLERY, ATTACK, EXTENDED_LINE, IN_ONE_HEX, INFANTRY, MARCH
from simkit.model.formation import left_flank, line_from_left, right_flank
from simkit.rules.chapter import Chapter
from simkit.rules.movementcosts import THROUGH_UNITS, WITH_CHECK
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Part, Unit

IN_TWO_HEXES: Final[i64] = 8  # strength points from which infantry may stand in two hexes (8.41)
IN_THREE_HEXES: Final[i64] = 15  # and in three (8.43)
DEAREST: Final[i64] = 2 * ONE_MP  # that an extension or retraction may cost (8.41)
WITHDRAWAL_HEXES: Final[i64] = 2  # that a withdrawal leads back at most (9.54)

EXTENSION: Final[i64] = 0
RETRACTION: Final[i64] = 1
AHEAD: Final[i64] = 2
PIVOT: Final[i64] = 3
ABOUT: Final[i64] = 4
WITHDRAWAL: Final[i64] = 5
DRAWN_IN: Final[i64] = 6
LINE_MOVES: Final = (
    "extension", "retraction", "straight ahead", "pivot", "about-face", "withdrawal", "withdrawal out of the line",
)


class LineMove:
    """One manoeuvre of an Extended Line, into it or out of it, as its commander is offered it (8.4).

    `kind` is one of EXTENSION to DRAWN_IN. `places` are the hexes of the unit's parts afterwards, the counter's first;
    for DRAWN_IN the hex into which it retracts, then those through which it withdraws. `cost` is in half movement
    points; `near` says whether a part that moves comes to stand next to an enemy unit.
    """

    def __init__(self, kind: i64, heading: i64) -> None:
        self.kind = kind
        self.heading = heading  # afterwards
        self.places: list[Hex] = []
        self.ways: list[list[Hexside]] = []  # by part: the hexsides that it crosses, none if it stands
        self.cost: i64 = 0
        self.extra: i64 = 0  # of it, for turning in woods under Attack Orders
        self.near = False
        self.by_exception = False  # takes all its movement, for want of movement points (9.42)

    def steps(self) -> i64:
        """Hexes that the part with the longest way moves."""
        most: i64 = 0
        for way in self.ways:
            most = max(most, len(way))
        return most

    def same_as(self, other: LineMove) -> bool:
        """Whether another offer is of the same manoeuvre."""
        if self.kind != other.kind or self.heading != other.heading or len(self.places) != len(other.places):
            return False
        for at, place in enumerate(self.places):
            if other.places[at] is not place:
                return False
        if len(self.ways) != len(other.ways):
            return False
        for at, way in enumerate(self.ways):
            if len(way) != len(other.ways[at]):
                return False
            for step, side in enumerate(way):
                if other.ways[at][step] is not side:
                    return False
        return True

    def text(self) -> str:
        """It in words: what it is, and the hexes in which the parts then stand."""
        return f"{LINE_MOVES[self.kind]} to {' '.join([place.id for place in self.places])}"


@mypyc_attr(allow_interpreted_subclasses=True)
class LinePlans(Chapter):
    """What a unit may do to form, move and dissolve an Extended Line."""

    # -- extending (8.41, 8.43) ------------------------------------------------------------------------------------

    def most_parts(self, unit: Unit) -> i64:
        """8.41, 8.42, 8.43: hexes over which an Extended Line of a unit may stand: 1, 2 or 3."""
        if unit.kind != INFANTRY or unit.strength < IN_TWO_HEXES:
            return 1
        return 3 if unit.strength >= IN_THREE_HEXES else 2

    def may_extend(self, unit: Unit) -> bool:
        """8.41, 8.43: whether a unit may extend its line now, if the ground and others leave room for it.

        Infantry of 8 points (of 15 for a second extension) that may move, with none but guns in its hex.
        """
        if unit.orders == MARCH or unit.extended > EXTENDED_LINE or len(unit.parts) >= self.most_parts(unit):
            return False
        if not unit.counts() or not self.series.movement.may_move(unit):
            return False
        for part in unit.parts:
            for other in part.hex.stack:
                if other.unit is not unit and other.unit.abandoned == 0 and other.unit.kind != ARTILLERY:
                    return False
        return True

    def extensions(self, unit: Unit) -> list[LineMove]:
        """8.41, 8.42, 8.43, 9.42: the ways in which a unit may extend now: to its left, its right, or both at once.

        Into a direct flank hex that is free of all but guns that face as it does, not next to an enemy, at 2 MPs at
        most. Both at once cost what the dearer one does.
        """
        found: list[LineMove] = []
        if not self.may_extend(unit):
            return found
        self.series.movement.prepare_in_one_hex(unit)
        sides: list[Hexside] = []
        for direction in (left_flank(unit.heading), right_flank(unit.heading)):
            side = unit.hex.sides[direction]
            if self._may_extend_across(unit, side):
                sides.append(side)
                self._offer(unit, self._extension(unit, [side]), found)
        if len(sides) == 2 and self.most_parts(unit) >= len(unit.parts) + 2:
            self._offer(unit, self._extension(unit, sides), found)
        return found

    def _may_extend_across(self, unit: Unit, side: Hexside) -> bool:
        if not side.on_map or unit.stands_in(side.to) or self.battle.enemy_near(side.to, unit.side):
            return False
        return self.series.movement.price(unit, side) <= DEAREST and self._fits(unit, side.to, unit.heading)

    def _extension(self, unit: Unit, sides: list[Hexside]) -> LineMove:
        made = LineMove(EXTENSION, unit.heading)
        for part in unit.parts:
            made.places.append(part.hex)
            made.ways.append([])
        for side in sides:
            made.places.append(side.to)
            made.ways.append([side])
            made.cost = max(made.cost, self.series.movement.price(unit, side))
        return made

    # -- retracting (8.41, 8.42) -----------------------------------------------------------------------------------

    def retractions(self, unit: Unit) -> list[LineMove]:
        """8.41, 8.42, 9.42: the ways in which a line may retract now: an end into the part beside it, or all into one.

        Enemies next to the hex that stays do not hinder it, nor does disorder; but in Gringo! nobody who is disordered
        moves a part next to them (12.34).
        """
        found: list[LineMove] = []
        if unit.extended != EXTENDED_LINE or not self.series.movement.may_move(unit):
            return found
        self.series.movement.prepare(unit)
        line = line_from_left(unit)
        count: i64 = len(line)
        for first in range(count):
            for last in range(first, count):
                if last - first + 1 < count:
                    made = self._retraction(unit, line, first, last)
                    barred = made.near and unit.disordered and self.options.edition == GRINGO
                    if made.cost <= DEAREST and not barred:
                        self._offer(unit, made, found)
        return found

    def _retraction(self, unit: Unit, line: list[Part], first: i64, last: i64) -> LineMove:
        """A retraction of a line's other parts into those from `first` to `last`, counted from the left."""
        made = LineMove(RETRACTION, unit.heading)
        for part in unit.parts:
            at: i64 = line.index(part)
            way: list[Hexside] = []
            cost: i64 = 0
            here = part.hex
            while at < first or at > last:
                step = at + 1 if at < first else at - 1
                side = here.sides[here.direction_to(line[step].hex)]
                way.append(side)
                cost += self.series.movement.bare_price(unit, side)
                here = side.to
                at = step
            made.ways.append(way)
            if way:
                made.cost = max(made.cost, cost)
                made.near = made.near or self.battle.enemy_near(here, unit.side)
            else:
                made.places.append(here)
        return made

    # -- moving (8.44) ---------------------------------------------------------------------------------------------

    def line_moves(self, unit: Unit) -> list[LineMove]:
        """8.44, 9.42: what an Extended Line may do next as one solid unit, other than retract or withdraw.

        Straight ahead across either frontal hexside of all its parts, at the price of the dearest hex (also through
        friends at once, where it may not stop among them); pivot by one vertex on either end; or about-face.
        """
        found: list[LineMove] = []
        if unit.extended != EXTENDED_LINE:
            return found
        if self.series.movement.may_move(unit):
            self.series.movement.prepare(unit)
            self._ahead(unit, self._standing(unit), 0, found)
            for right in (False, True):
                self._pivot(unit, right, found)
        about = (unit.heading + 6) % 12
        if self.series.facing.may_turn(unit, about):
            made = LineMove(ABOUT, about)
            made.places = [part.hex for part in unit.parts]
            made.ways = self._standing(unit)
            made.cost = self.series.facing.price(unit, about)
            found.append(made)
        return found

    def _standing(self, unit: Unit) -> list[list[Hexside]]:
        ways: list[list[Hexside]] = []
        for _ in unit.parts:
            ways.append([])
        return ways

    def _onward(self, unit: Unit, ways: list[list[Hexside]], direction: i64) -> list[list[Hexside]]:
        """The ways of all parts with a further hexside each, in one direction."""
        longer: list[list[Hexside]] = []
        for at, way in enumerate(ways):
            here = way[len(way) - 1].to if way else unit.parts[at].hex
            longer.append([*way, here.sides[direction]])
        return longer

    def _ahead(self, unit: Unit, ways: list[list[Hexside]], cost: i64, found: list[LineMove]) -> None:
        """8.44, 8.22: offer the steps straight ahead; on through friends among whom the line may not stop."""
        for turn in range(2):
            longer = self._onward(unit, ways, (unit.heading // 2 + turn) % 6)
            step = self.step_price(unit, longer, len(ways[0]))
            if step >= PROHIBITED:
                continue
            made = LineMove(AHEAD, unit.heading)
            made.ways = longer
            made.cost = cost + step
            self._settle_places(unit, made)
            if self._may_stand(unit, made):
                self._offer(unit, made, found)
            elif not made.near and made.cost < self.series.movement.allowance(unit):
                self._ahead(unit, longer, made.cost, found)

    def _pivot(self, unit: Unit, right: bool, found: list[LineMove]) -> None:
        """8.44, 7.24: offer the pivot to the right on the right end, or to the left on the left end."""
        if unit.faced > 0 and self.battle.beside_enemy(unit):
            return
        line = line_from_left(unit)
        direction = (unit.heading // 2 + (1 if right else 0)) % 6
        made = LineMove(PIVOT, (unit.heading + (2 if right else 10)) % 12)
        woods = False
        for part in unit.parts:
            at: i64 = line.index(part)
            hexes: i64 = len(line) - 1 - at if right else at
            way: list[Hexside] = []
            here = part.hex
            while len(way) < hexes:
                if way and self.battle.enemy_near(here, unit.side):
                    return  # 9.53: it would have to stop halfway
                side = here.sides[direction]
                if not side.on_map:
                    return
                way.append(side)
                here = side.to
                woods = woods or here.terrain.is_wood
            made.ways.append(way)
        for step in range(made.steps()):
            price = self.step_price(unit, made.ways, step)
            if price >= PROHIBITED:
                return
            made.cost += price
        if woods and unit.orders == ATTACK:
            made.extra = ONE_MP
            made.cost += ONE_MP
        self._settle_places(unit, made)
        if self._may_stand(unit, made) and self._stack_may_turn(unit, made):
            self._offer(unit, made, found)

    def step_price(self, unit: Unit, ways: list[list[Hexside]], step: i64) -> i64:
        """8.44, 8.22, 9.41, 9.52: half MPs of one step of a line: its dearest hex, PROHIBITED if a part may not go.

        With the price of passing through units in the hexes that it then leaves. After `movement.prepare`.
        """
        dearest: i64 = 0
        passing = False
        beside = step == 0 and self.battle.beside_enemy(unit)
        for at, way in enumerate(ways):
            if len(way) <= step:
                continue
            side = way[step]
            price = self.series.movement.price(unit, side)
            if price >= PROHIBITED or (beside and self._joins_contact(unit, unit.parts[at], side)):
                return PROHIBITED
            dearest = max(dearest, price)
            if step > 0 and self.series.movement.through(unit, side.origin) >= WITH_CHECK:
                passing = True
        return dearest + (THROUGH_UNITS if passing else 0)

    def _joins_contact(self, unit: Unit, part: Part, side: Hexside) -> bool:
        """8.44: whether a part moves next to enemy infantry or cavalry that must not, beside another in contact.

        Only a line under Attack Orders and in good order may.
        """
        if unit.orders == ATTACK and not unit.disordered:
            return False
        return self.battle.enemy_line_near(side.to, unit.side) and not self.battle.enemy_near(part.hex, unit.side)

    # -- withdrawal (9.54) -----------------------------------------------------------------------------------------

    def withdrawals(self, unit: Unit) -> list[LineMove]:
        """9.54: the ways in which a line may withdraw: extended, one or two hexes through its rear, without turning.

        Where it cannot do so extended, those in which it may retract into one of its hexes, disordered, and withdraw
        from there.
        """
        found: list[LineMove] = []
        if unit.extended != EXTENDED_LINE or not self.series.movement.may_withdraw(unit):
            return found
        self.series.movement.prepare(unit)
        self._back(unit, self._standing(unit), 0, found)
        if not found:
            self._drawn_in(unit, found)
        return found

    def _back(self, unit: Unit, ways: list[list[Hexside]], cost: i64, found: list[LineMove]) -> None:
        movement = self.series.movement
        step: i64 = len(ways[0])
        for turn in range(3, 5):
            longer = self._onward(unit, ways, (unit.heading // 2 + turn) % 6)
            made = LineMove(WITHDRAWAL, unit.heading)
            made.ways = longer
            made.cost = cost + self.step_price(unit, longer, step)
            self._settle_places(unit, made)
            limit = movement.remaining(unit)
            if step == 0 and not made.near:
                limit = max(limit, unit.movement_good * ONE_MP)  # 9.42
            if made.cost > limit:
                continue
            if self._may_stand(unit, made):
                found.append(made)
            if step + 1 < WITHDRAWAL_HEXES and not made.near and not self._among_others(unit, made):
                self._back(unit, longer, made.cost, found)

    def _among_others(self, unit: Unit, made: LineMove) -> bool:
        """9.54: whether a line would have to withdraw through others that are no guns."""
        return any(self.series.movement.through(unit, place) >= WITH_CHECK for place in made.places)

    def _drawn_in(self, unit: Unit, found: list[LineMove]) -> None:
        """9.54: the withdrawals of a line that cannot withdraw extended, by the hex into which it retracts."""
        order = unit.disordered
        unit.disordered = True  # as it will be: that shortens its movement, and keeps it away from the enemy (12.34)
        for part in unit.parts:
            for way in self.series.movement.withdrawals_from(unit, part.hex):
                made = LineMove(DRAWN_IN, unit.heading)
                made.places = [part.hex, *way]
                made.near = self.battle.enemy_near(way[len(way) - 1], unit.side)
                found.append(made)
        unit.disordered = order

    # -- what all of them ask --------------------------------------------------------------------------------------

    def _settle_places(self, unit: Unit, made: LineMove) -> None:
        """Write down where the ways of a manoeuvre end."""
        for at, way in enumerate(made.ways):
            place = way[len(way) - 1].to if way else unit.parts[at].hex
            made.places.append(place)
            if way and self.battle.enemy_near(place, unit.side):
                made.near = True

    def _may_stand(self, unit: Unit, made: LineMove) -> bool:
        """8.44, 7.11: whether the parts that move may all end where they come to."""
        for at, place in enumerate(made.places):
            if made.ways[at] and not self._fits(unit, place, made.heading):
                return False
        return True

    def _fits(self, unit: Unit, place: Hex, heading: i64) -> bool:
        """8.41, 8.44, 7.11: whether a part may stand in a hex: with nobody, or guns that face alike, not refused."""
        for part in place.stack:
            other = part.unit
            if other is unit or other.abandoned != 0:
                continue
            if other.kind != ARTILLERY or other.heading != heading or other.refused != 0:
                return False
        return self.series.stacking.may_end(unit, place)

    def _stack_may_turn(self, unit: Unit, made: LineMove) -> bool:
        """7.33, 8.44: whether the guns in the hex of the part on which a line pivots may turn with it."""
        for at, part in enumerate(unit.parts):
            if not made.ways[at]:
                for mate in self.series.facing.alike(unit, part.hex):
                    if mate is unit or not mate.active:
                        continue
                    if not self.series.facing.may_turn_alone(mate, made.heading):
                        return False
                    if not self.series.refusal.may_be_turned(mate):
                        return False
        return True

    def _offer(self, unit: Unit, made: LineMove, found: list[LineMove]) -> None:
        """9.13, 9.42: add a manoeuvre that a unit can pay for, or may make as its one hex for want of movement points.

        Of one hex for each part, with the full allowance of good order; next to an enemy only under Attack Orders.
        """
        if made.cost > self.series.movement.allowance(unit):
            whole = made.cost + self.series.refusal.price_to_leave(unit)
            if unit.moved or unit.spent > 0 or made.steps() > 1 or whole > unit.movement_good * ONE_MP:
                return
            if made.near and (unit.orders != ATTACK or unit.fired):
                return
            made.by_exception = True
        found.append(made)


__all__ = [
    "ABOUT", "AHEAD", "DRAWN_IN", "EXTENSION", "IN_ONE_HEX", "LINE_MOVES", "PIVOT", "RETRACTION", "WITHDRAWAL",
    "LineMove", "LinePlans",
]
