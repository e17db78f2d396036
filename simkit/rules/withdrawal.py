"""Rule 9.54: Withdrawal Movement, backwards through the rear without turning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_TERRAIN, ONE_MP, PROHIBITED
from simkit.model.forces import IN_ONE_HEX, MARCH
from simkit.rules.commander import CommanderError
from simkit.rules.movement import Movement
from simkit.rules.movementcosts import WITH_CHECK
from simkit.rules.options import GRINGO, INTO_THE_WOODS
from simkit.rules.route import Route

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader


@mypyc_attr(allow_interpreted_subclasses=True)
class Withdrawal(Movement):
    """Movement with the withdrawals of units that draw back from the enemy."""

    def may_withdraw(self, unit: Unit) -> bool:
        """9.54: whether a unit may use Withdrawal Movement: under Advance or Attack Orders, instead of all else."""
        if not unit.counts() or unit.moved or unit.fired or unit.faced != 0:
            return False
        return unit.orders != MARCH and self.may_move(unit)

    def withdrawals(self, unit: Unit) -> list[list[Hex]]:
        """9.54: the ways in which a unit may withdraw: one or two hexes, each through a rear hexside."""
        if unit.extended != IN_ONE_HEX or not self.may_withdraw(unit):
            return []
        return self.withdrawals_from(unit, unit.hex)

    def withdrawals_from(self, unit: Unit, place: Hex) -> list[list[Hex]]:
        """9.54: the ways in which a unit could withdraw if it stood in a hex."""
        ways: list[list[Hex]] = []
        self.prepare_in_one_hex(unit)
        for first in place.nodes[unit.heading].behind:
            cost = self.price(unit, first)
            limit = self._withdrawal_limit(unit, first)
            if cost > limit:
                continue
            first_by_road = first.by_road
            if self.series.stacking.may_end(unit, first.to) and cost + self._joining(unit, first) <= limit:
                ways.append([first.to])
            if self.battle.enemy_near(first.to, unit.side):
                continue
            for second in first.to.nodes[unit.heading].behind:
                whole = cost + self.price(unit, second)
                if not self._may_pass_back(unit, first, first_by_road, second):
                    continue
                enough = whole + self._joining(unit, second) <= self.remaining(unit)
                if enough and self.series.stacking.may_end(unit, second.to):
                    ways.append([first.to, second.to])
        return ways

    def _joining(self, unit: Unit, side: Hexside) -> i64:
        """7.32, 9.43, 9.54: half MPs more to end beyond a hexside, whose price has been asked, with those there."""
        return self.series.refusal.price_to_join(unit, side.to) + self._off_road(unit, side)

    def _off_road(self, unit: Unit, side: Hexside) -> i64:
        """9.43, 9.54: half MPs more for the ground, if its stack there breaks the limits of March Orders."""
        if not (side.by_road or side.by_crossing) or not self.crowds(unit, side.to):
            return 0
        return self.ground_price(unit, side, side.by_road)

    def _withdrawal_limit(self, unit: Unit, side: Hexside) -> i64:
        """7.33, 9.42, 9.54: half MPs for the first hex: its own, or by exception the full ones away from the enemy."""
        if self.battle.enemy_near(side.to, unit.side):
            return self.remaining(unit)
        return max(self.remaining(unit), unit.movement_good * ONE_MP)

    def _may_pass_back(self, unit: Unit, way_in: Hexside, by_road: bool, way_out: Hexside) -> bool:
        """9.54: nobody withdraws through others, but for guns that are passed, and along pikes and roads."""
        if self.through(unit, way_in.to) < WITH_CHECK:
            return True
        return by_road and way_out.by_road and self._for_units(way_in) and self._for_units(way_out)

    def withdraw(self, unit: Unit, hexes: list[Hex], take_leaders: list[Leader] | None = None) -> bool:
        """9.54: withdraw a unit through its rear, without turning; False if it did not come to the last hex.

        A hex that costs more than one movement point asks for a check, with the excess added; in Gringo! one such hex
        asks for a check in each. `take_leaders` are leaders in its hex who go along (9.31).

        Raises:
            CommanderError: the hexes are none of `withdrawals`, or a leader may not come.
        """
        legal = False
        for way in self.withdrawals(unit):
            if len(way) == len(hexes) and way[0] is hexes[0] and way[len(way) - 1] is hexes[len(hexes) - 1]:
                legal = True
        if not legal:
            names = " ".join([place.id for place in hexes])
            raise CommanderError(f"Withdrawal.withdraw: {unit.id} cannot withdraw by {names}; take one of withdrawals")
        return self.draw_back(unit, hexes, self._riders(unit, take_leaders))

    def draw_back(self, unit: Unit, hexes: list[Hex], riders: list[Leader]) -> bool:
        """9.54, 9.31: a unit withdraws by one of its `withdrawals` with those who ride along; whether it gets there."""
        self.forget()
        for leader in riders:
            leader.ended = True
        path = Route(unit, riders)
        path.hard = self.options.edition == GRINGO and self._hard_ground(unit, hexes)
        self.battle.take_up(unit)
        unit.withdrew = True
        for place in hexes:
            if not self._fall_back(unit, path, place, place is hexes[len(hexes) - 1]):
                self._halt(unit, path)
                self.stop_in_close(path)
                self._finished([unit])
                return False
        if self.mates(unit, unit.hex):
            self._take_facing(unit, self.mates(unit, unit.hex)[0].heading)
        self.stop_in_close(path)
        self._finished([unit])
        return True

    def _hard_ground(self, unit: Unit, hexes: list[Hex]) -> bool:
        """9.54: whether one of the hexes of a withdrawal costs a unit more than one movement point."""
        self.prepare(unit)
        at = unit.hex
        for place in hexes:
            if self.price(unit, at.sides[at.direction_to(place)]) > ONE_MP:
                return True
            at = place
        return False

    def _fall_back(self, unit: Unit, path: Route, place: Hex, last: bool) -> bool:
        """9.54, 10.44: withdraw one hex; False if the unit goes no farther.

        In Gringo! and Into the Woods one that has been disordered or lost strength by the fire as it left goes one hex.
        """
        if path.short:
            return False
        origin = unit.hex
        side = origin.sides[origin.direction_to(place)]
        strength = unit.strength
        disordered = unit.disordered
        self.series.fire.withdrawal(unit, origin, place)
        if not self._still_in(unit, origin):
            return False
        if self.options.edition <= INTO_THE_WOODS:
            path.short = unit.strength < strength or unit.disordered != disordered
        self.prepare(unit)
        cost = self.price(unit, side)
        by_road = side.by_road
        if last:
            cost = min(cost + self._off_road(unit, side), PROHIBITED)
        limit = self._withdrawal_limit(unit, side) if len(path.sides) == 0 else self.remaining(unit)
        if cost > limit:
            return False
        self.series.reaction.about_to_enter([unit], [place], cost)
        if not self._still_in(unit, origin):
            return False
        unit.spent += cost
        self._enter(unit, path, side, by_road, last)
        drm = max((cost + ONE_MP - 1) // ONE_MP - 1, 0)
        if (drm > 0 or path.hard) and not self.series.results.udd(unit, drm, "withdrawal"):
            if unit.disordered:
                if len(path.sides) > 1:
                    path.back(1)
                    self._go_back(unit, path)
                else:
                    self._entered(unit, path, side, by_road)
                return False
            self.series.results.disorder(unit, CAUSE_TERRAIN)
        return self._entered(unit, path, side, by_road)
