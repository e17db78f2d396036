"""Rule 7.3: refused flanks: which ends a unit may bend back, what that costs, and when it straightens again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP
from simkit.model.forces import (
    ATTACK,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    MARCH,
    REFUSALS,
    REFUSED_LEFT,
    REFUSED_RIGHT,
    UNION,
)
from simkit.model.formation import left_end, refused_at, refused_front, right_end
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Part, Unit

LEAST_ALONE: Final[i64] = 2  # strength points of a unit that refuses alone in its hex (7.32)
# hexsides around a part, clockwise from the one left of the vertex that it faces (7.12)
LEFT_FRONT: Final[i64] = 0
RIGHT_FRONT: Final[i64] = 1
RIGHT_FLANK: Final[i64] = 2
RIGHT_REAR: Final[i64] = 3
LEFT_REAR: Final[i64] = 4
LEFT_FLANK: Final[i64] = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class Refusal(Chapter):
    """Refused flanks. A side is REFUSED_LEFT or REFUSED_RIGHT; those of a stack in one hex are refused alike."""

    # -- who may refuse --------------------------------------------------------------------------------------------

    def end(self, unit: Unit, side: i64) -> Part:
        """7.31, 8.44: the part that forms an end of a unit."""
        for part in unit.parts:
            if left_end(part) if side == REFUSED_LEFT else right_end(part):
                return part
        return unit.parts[0]

    def eligible(self, unit: Unit, side: i64) -> bool:
        """7.31, 7.32, 8.44: whether a unit is so placed that it could refuse a flank, enemies and costs apart.

        Under Advance or Attack Orders, not in Extended Column, alone with two strength points at least, not in both
        directions but for an Extended Line; and all of its hex with it (8.26) who are not on the march (8.25).
        """
        if side not in (REFUSED_LEFT, REFUSED_RIGHT) or unit.orders == MARCH:
            return False
        part = self.end(unit, side)
        if unit.extended == IN_ONE_HEX and unit.strength < LEAST_ALONE and len(self.battle.units_in(part.hex)) == 1:
            return False
        for mate in self.series.facing.alike(unit, part.hex):
            if mate.extended == EXTENDED_COLUMN or mate.refused & side != 0:
                return False
            if mate.extended == EXTENDED_LINE:
                if self.end(mate, side).hex is not part.hex:
                    return False
            elif mate.refused != 0:
                return False
        return self._end_of_line(part, side)

    def _end_of_line(self, part: Part, side: i64) -> bool:
        """7.31, 7.32: whether a part ends its line on a side, or the line goes on behind it there.

        A line goes on to a side where friends stand in one of the three hexes of that side: beside the part, before or
        behind it.
        """
        left = side == REFUSED_LEFT
        flank = LEFT_FLANK if left else RIGHT_FLANK
        rear = LEFT_REAR if left else RIGHT_REAR
        if self._friend_at(part, flank):
            return False
        if not self._friend_at(part, rear) and not self._friend_at(part, LEFT_FRONT if left else RIGHT_FRONT):
            return True
        return self._friend_at(part, rear) and self._friend_at(part, RIGHT_FLANK if left else LEFT_FLANK)

    def _friend_at(self, part: Part, turn: i64) -> bool:
        side = part.hex.sides[(part.heading() // 2 + turn) % 6]
        return side.on_map and self.battle.held_by(side.to) == part.unit.side

    # -- refusing (7.32) -------------------------------------------------------------------------------------------

    def may_refuse(self, unit: Unit, side: i64) -> bool:
        """7.31, 7.32, 8.26: whether an active unit may refuse a flank, and its stack with it.

        Not adjacent to an enemy, nor once it has moved into the hex of others who are not refused; but a stack that
        has moved as one may (8.21). Every active unit of the stack pays one movement point.
        """
        if not unit.active or unit.orders == MARCH or not unit.counts() or not self.eligible(unit, side):
            return False
        place = self.end(unit, side).hex
        if self.battle.enemy_near(place, unit.side):
            return False
        if unit.entered and any(mate is not unit and not mate.acting for mate in self.battle.units_in(place)):
            return False  # those who act with it have moved with it as a stack
        return all(self._may_pay(mate) for mate in self._company(unit, place) if mate.active)

    def _company(self, unit: Unit, place: Hex) -> list[Unit]:
        """A unit with those of a hex of it who face as it does."""
        units = self.series.facing.alike(unit, place)
        if unit not in units:
            units.append(unit)
        return units

    def may_be_turned(self, unit: Unit) -> bool:
        """7.33, 8.44: whether an active unit that a line turns with it can pay to leave refused status, if it must."""
        return unit.refused == 0 or self._may_pay(unit)

    def _may_pay(self, unit: Unit) -> bool:
        movement = self.series.movement
        return movement.may_spend(unit) and movement.remaining(unit) >= ONE_MP

    def refuse(self, unit: Unit, side: i64) -> None:
        """7.32, 8.26: an active unit refuses a flank; its stack is refused with it, and its active units pay 1 MP each.

        Args:
            unit: the unit.
            side: REFUSED_LEFT or REFUSED_RIGHT.

        Raises:
            CommanderError: it may not refuse it now.
        """
        if not self.may_refuse(unit, side):
            flank = REFUSALS[side] if 0 <= side < len(REFUSALS) else str(side)
            raise CommanderError(
                f"Refusal.refuse: {unit.id} in {unit.hex.id} may not refuse its flank {flank}; ask may_refuse (7.32)"
            )
        self.battle.take_up(unit)
        self._pay(self._company(unit, self.end(unit, side).hex))
        self.bend(unit, side, "")

    def _pay(self, units: list[Unit]) -> None:
        for mate in units:
            if mate.active:
                mate.spent += ONE_MP
                mate.moved = True

    def bend(self, unit: Unit, side: i64, why: str) -> None:
        """7.31, 8.26, 8.44: put a unit and those in the hex of that end of it into refused status, at no cost."""
        for mate in self._company(unit, self.end(unit, side).hex):
            mate.refused |= side
            self._note(mate, why)

    # -- leaving it (7.33) -----------------------------------------------------------------------------------------

    def price_to_leave(self, unit: Unit) -> i64:
        """7.33: half MPs that a refused unit pays before it can move or turn."""
        return 0 if unit.refused == 0 else ONE_MP

    def may_unrefuse(self, unit: Unit) -> bool:
        """7.33: whether an active unit, with its stack, may leave refused status: each active one pays 1 MP."""
        if not unit.active or unit.refused == 0 or not unit.counts():
            return False
        return all(self._may_pay(mate) for mate in self._stack(unit) if mate.active)

    def _stack(self, unit: Unit) -> list[Unit]:
        """A unit with all who are refused with it: of the Extended Line among them those in any of its hexes."""
        return [mate for mate in self.series.facing.turning(unit) if mate is unit or mate.refused != 0]

    def unrefuse(self, unit: Unit) -> None:
        """7.33: a phasing stack leaves refused status, a line at both ends; each active unit of it pays 1 MP.

        A single unit need not do so in order to leave its hex: the price is then part of its move.

        Raises:
            CommanderError: it may not now.
        """
        if not self.may_unrefuse(unit):
            raise CommanderError(f"Refusal.unrefuse: {unit.id} may not leave refused status; ask may_unrefuse (7.33)")
        self.battle.take_up(unit)
        units = self._stack(unit)
        self._pay(units)
        for mate in units:
            self.straighten(mate, "")

    def set_out(self, unit: Unit) -> None:
        """7.33: a unit leaves refused status by itself, at its price, because it is about to leave its hex."""
        if unit.refused != 0:
            unit.spent += ONE_MP
            unit.moved = True
            self.straighten(unit, "")

    def straighten(self, unit: Unit, why: str) -> None:
        """7.33: a unit is no longer refused; whoever stands with it stays as he is."""
        if unit.refused != 0:
            unit.refused = 0
            self._note(unit, why)

    # -- stacks and neighbours (7.32) ------------------------------------------------------------------------------

    def price_to_join(self, unit: Unit, place: Hex) -> i64:
        """7.32: half MPs more that a unit pays to stack with those in a hex, if they are refused."""
        for part in place.stack:
            mate = part.unit
            if mate is not unit and mate.abandoned == 0:
                return self.price_beside(mate, place)
        return 0

    def price_beside(self, mate: Unit, place: Hex) -> i64:
        """7.32: half MPs more to stack with a unit in a hex, if it is refused there."""
        return 0 if refused_at(mate.part_in(place)) == 0 else ONE_MP

    def join(self, unit: Unit, company: list[Unit]) -> None:
        """7.32, 7.34: a unit that has come to stand in a hex, with its company, is refused as those there are.

        Under Attack Orders it can't fire in this activation if one of them has fired. Where a line has pivoted on guns
        that are on the march they are not refused with it.
        """
        for own in unit.parts:
            for part in own.hex.stack:
                mate = part.unit
                if mate in company or mate.abandoned != 0 or (mate.orders == MARCH) != (unit.orders == MARCH):
                    continue
                if unit.extended != IN_ONE_HEX:
                    mate.refused = refused_at(own)
                    continue
                refused = refused_at(part)
                if unit.refused != refused:
                    unit.refused = refused
                    self._note(unit, "stacked")
                if refused != 0 and mate.fired and unit.orders == ATTACK:
                    unit.joined_late = True

    def settled(self, unit: Unit) -> None:
        """7.32: a unit has ended a move, retreat, advance or reaction move: friends whose refused flank it fills.

        Each of them is refused there no longer. One that is phasing and has not yet moved has a movement point less.
        """
        self.settled_in(unit, [unit])

    def settled_all(self, units: list[Unit]) -> None:
        """7.32: the same for units that have moved or retreated together."""
        for unit in units:
            self.settled_in(unit, units)

    def settled_in(self, unit: Unit, company: list[Unit]) -> None:
        """7.32: the same for one of a company that has moved or retreated together."""
        if not unit.counts():
            return
        self.join(unit, company)
        for own in unit.parts:
            place = own.hex
            if (place.union_near if unit.side == UNION else place.confederate_near) == 0:
                continue
            for side in place.sides:
                for part in side.to.stack:
                    other = part.unit
                    if other.refused != 0 and other is not unit and other.side == unit.side:
                        self._give_way(part, place)

    def _give_way(self, part: Part, place: Hex) -> None:
        unit = part.unit
        for side in refused_front(part):
            if side.to is not place:
                continue
            filled = REFUSED_LEFT if side.direction == (part.heading() // 2 + LEFT_FLANK) % 6 else REFUSED_RIGHT
            unit.refused -= filled
            if unit.active and not unit.moved and unit.spent == 0 and not unit.completed:
                unit.docked += ONE_MP
            self._note(unit, "friend in the flank")

    def thinned(self, place: Hex) -> None:
        """7.32: a hex has lost units or strength: one left alone with less than two points is no longer refused."""
        units = self.battle.units_in(place)
        if len(units) == 1 and units[0].strength < LEAST_ALONE and units[0].extended == IN_ONE_HEX:
            self.straighten(units[0], "too weak")

    def _note(self, unit: Unit, why: str) -> None:
        if self.series.log.level >= EVERYTHING:
            result = REFUSALS[unit.refused] if unit.refused != 0 else "none"
            self.series.log.note("refuse", unit.side, unit.id, unit.hex.id, why, result)


__all__ = ["LEAST_ALONE", "Refusal"]
