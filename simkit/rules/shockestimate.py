"""The chance of a shock without dice, by the check before it and the resolution table (11.37, 11.45)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import NO_DISORDER
from simkit.model.forces import EXTENDED_LINE, IN_ONE_HEX, MARCH
from simkit.model.hexgrid import heading_towards
from simkit.rules.dice import FACES
from simkit.rules.shockadjustments import ShockAdjustments
from simkit.rules.shockinprogress import Attacker, ShockInProgress

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockEstimate(ShockAdjustments):
    """What a shock or charge promises, for commanders who weigh it."""

    def estimate(self, attackers: list[Unit], target: Hex) -> i64:
        """11.37, 11.45: chance in thousandths that defenders leave a hex if these units shock it from where they are.

        The chance of the pre-shock check times the faces of the resolution table; return fire is left out. A target
        that is not adjacent to all attackers gives 0; of an extended unit any of its hexes will do. With an Extended
        Line all that it faces is shocked (8.46).
        """
        made: list[Attacker] = []
        for unit in attackers:
            attacker = Attacker(unit, unit.hex, unit.heading, unit.moved, self.charges(unit))
            if not any(attacker.strikes(place) for place in self.hexes_of(target)):
                if unit.extended != IN_ONE_HEX or unit.hex.direction_to(target) < 0:
                    return 0
                attacker.heading = heading_towards(target.q - unit.hex.q, target.r - unit.hex.r)
            made.append(attacker)
        return self._chance(made, target)

    def estimate_from(self, attackers: list[Unit], places: list[Hex], charging: bool, target: Hex) -> i64:
        """11.37, 11.45: the same if each unit had moved to the hex of the same index, to charge or not."""
        made: list[Attacker] = []
        for at, unit in enumerate(attackers):
            place = places[at]
            if place.direction_to(target) < 0:
                return 0
            heading = heading_towards(target.q - place.q, target.r - place.r)
            made.append(Attacker(unit, place, heading, place is not unit.hex, charging and unit.on_foot()))
        return self._chance(made, target)

    def estimate_charge(self, attackers: list[Unit], place: Hex, heading: i64, target: Hex) -> i64:
        """11.55: the same for mounted cavalry that were to end a charge in a hex with a heading, met by no other."""
        made = [Attacker(unit, place, heading, True, True) for unit in attackers]
        return self._chance(made, target)

    def _chance(self, attackers: list[Attacker], target: Hex) -> i64:
        if not attackers:
            return 0
        top = self.battle.top_unit(target)
        if top is None or top.side == attackers[0].unit.side:
            return 0
        places = [target]
        for attacker in attackers:
            if attacker.unit.extended == EXTENDED_LINE and attacker.hex is attacker.unit.hex:
                places.extend(self.targets(attacker.unit))
        shock = ShockInProgress(attackers[0].unit.side, attackers, self.whole(places), 0)
        units = shock.units()
        shock.unled = self.unled_brigades(units)
        alone: list[ShockInProgress] = [shock]
        drms = self.modifiers(shock, alone)
        steady = drms.total()
        shaken = steady - drms.defender_disordered + self.charts.shock.defender_disordered
        stars = self.charts.command.leader_star * self.series.command.stars(top)
        passing = top.steadiness() - self.pre_shock_drm(target, alone) - stars + 1
        passing = min(max(passing, 0), FACES)
        failing = FACES - passing
        # faces of a check that a defender disordered by then fails; of several one may hold out, so that none counts
        failing_again: i64 = 0
        if len(self.force_in(target)) == 1:
            failing_again = FACES - min(max(top.cohesion_disordered - top.fatigue.half - stars + 1, 0), FACES)
        if top.orders == MARCH:
            # failed it routs, passed it is disordered (11.37)
            return FACES * FACES * failing + passing * self._leaving(shaken, failing_again)
        if drms.defender_disordered != 0:
            # a second disorder routs or drives off whoever fails
            return FACES * FACES * failing + passing * self._leaving(steady, failing_again)
        return failing * self._leaving(shaken, failing_again) + passing * self._leaving(steady, 0)

    def _leaving(self, drm: i64, failing_again: i64) -> i64:
        """11.45, 12.35: hundredths of a chance that the table drives defenders off, itself or by a second disorder."""
        chance: i64 = 0
        for face in range(10):
            result = self.charts.shock_table.result(face + drm).defender
            if result.retreat > 0:
                chance += FACES
            elif result.disorder != NO_DISORDER:
                chance += failing_again
        return chance
