"""Rules 11.51 to 11.57: mounted cavalry announces a charge, rides it, and goes on or breaks off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

from simkit.rules.commander import CommanderError
from simkit.rules.countercharge import Countercharge
from simkit.rules.options import GRINGO
from simkit.rules.route import Route

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader
    from simkit.rules.chargepath import ChargeWay, Stride


@mypyc_attr(allow_interpreted_subclasses=True)
class Charge(Countercharge):
    """Cavalry charges: `charge` announces one and rides it; `charging` and `charge_marker` of a unit tell the rest."""

    # -- the announcement (11.53) ----------------------------------------------------------------------------------

    def charge(self, unit: Unit, take_leaders: list[Leader] | None = None) -> bool:
        """11.51, 11.53: announce a charge of a unit and all eligible ones of its stack, check, and ride if that passes.

        The owner is asked whether they ride as a stack and by which way. After a failed check they stay, their
        activation finished.

        Args:
            unit: one for which `may_charge` holds.
            take_leaders: leaders in its hex who go along (9.31).

        Returns:
            Whether any of them has come at an enemy and is marked as charging.

        Raises:
            CommanderError: the unit may not charge, or a leader may not come.
        """
        units = self.chargers(unit)
        if unit not in units:
            raise CommanderError(f"Charge.charge: {unit.id} may not charge now; ask may_charge (11.52)")
        riders = self.series.movement.riders_with(units, take_leaders)
        origin = unit.hex
        self.battle.take_up_stack(units)
        if not self.series.results.udd(self._checking(units), 0, "charge"):
            self._tell("charge", units[0], origin, "fails to go in")
            for one in units:
                one.finished = True
            return False
        for one in units:
            one.charging = True
            self._tell("charge", one, origin, "rides to the charge")
        if len(units) == 1 or self.series.owner(unit).charge_together(self.series, units):
            self._set_off(units, riders)
        else:
            for one in units:
                self._set_off([one], [leader for leader in riders if self.series.movement.may_take(leader, one)])
        return any(one.charge_marker for one in units)

    def _checking(self, units: list[Unit]) -> Unit:
        """11.53: who checks: the top eligible unit, in Gringo! the top unit of the stack."""
        if self.options.edition == GRINGO:
            return self.battle.units_in(units[0].hex)[0]
        return units[0]

    # -- the ride (11.54) ------------------------------------------------------------------------------------------

    def _set_off(self, units: list[Unit], riders: list[Leader]) -> None:
        """8.21, 11.53: ride with units of one hex, by a way that their owner chooses; without one they stay."""
        ways = self.ways(units)
        if not ways:
            for one in units:
                one.finished = True
            return
        unit = units[0]
        answer = self.series.owner(unit).charge_way(self.series, units, ways)
        chosen = ways[self.index("charge_way", unit, answer, 0, len(ways))]
        way = Route(unit, riders)
        way.units = list(units)
        way.charge = True
        self._ride(way, chosen)

    def _ride(self, way: Route, chosen: ChargeWay) -> None:
        """9.13, 11.54, 11.57: take a charge along its way, and on where the enemy moves off before it."""
        movement = self.series.movement
        party = list(way.units)
        stride = self.beginning(party[0])
        movement.set_out(way)
        course = chosen
        at = 0
        arrived = True
        while at < len(course.sides):
            side = course.sides[at]
            aims = self._standing(course.targets)
            then = self.onto(way.units[0], stride, side, course.headings[at])
            arrived = movement.take_step(way, side, course.headings[at], at == len(course.sides) - 1)
            if not arrived:
                break
            stride = then
            at += 1
            if self.battle.enemy_near(way.here(), party[0].side):
                break  # 9.53
            if any(aim.hex is not course.targets[number] for number, aim in aims):
                if self._breaks_off(way):
                    break
                ways = self.further_ways(way.units, stride)
                if not ways:
                    break
                lead = way.units[0]
                answer = self.series.owner(lead).continue_charge(self.series, way.units, ways)
                course = ways[self.index("continue_charge", lead, answer, 0, len(ways))]
                at = 0
        movement.come_to_rest(way, arrived and at == len(course.sides))
        self._mark(way, stride)
        movement.has_moved(party)

    def _standing(self, places: list[Hex]) -> list[tuple[int, Unit]]:
        """Who stands in some hexes, each with the number of his hex."""
        found: list[tuple[int, Unit]] = []
        for number, place in enumerate(places):
            found.extend([(number, unit) for unit in self.battle.units_in(place)])
        return found

    def _breaks_off(self, way: Route) -> bool:
        """11.57: whether a charge whose target has moved off breaks off: by its owner's wish and a check."""
        top = way.units[0]
        if not self.series.owner(top).break_off_charge(self.series, way.units):
            return False
        if not self.series.results.udd(top, 0, "breaking off"):
            return False
        self._tell("charge", top, way.here(), "breaks off")
        for unit in way.units:
            unit.finished = True
        return True

    def _mark(self, way: Route, stride: Stride) -> None:
        """11.53, 11.57, 12.34: mark those who have come at an enemy in their front and not been disordered twice."""
        place = way.here()
        for unit in way.units:
            if not unit.counts() or unit.hex is not place or unit.finished or unit in way.stopped:
                continue
            targets = self.enemies_ahead(unit, place, unit.heading)
            if targets and stride.hex is place and stride.on_path():
                unit.charge_marker = True
                self._tell("charge", unit, place, "comes at the enemy in", targets[0].id)
