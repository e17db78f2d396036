"""The chance of a shock without dice: commitment, check, fire before it, and the resolution table (11.36 to 11.45)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import EXTENDED_LINE, IN_ONE_HEX, MARCH
from simkit.model.hexgrid import heading_towards
from simkit.rules.dice import FACES
from simkit.rules.shockadjustments import ShockDrms
from simkit.rules.shockinprogress import Attacker, ShockInProgress
from simkit.rules.shockprospect import CERTAIN, Prospect, ShockProspects, faces

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockEstimate(ShockProspects):
    """What a shock or charge promises, for commanders who weigh it."""

    def estimate(self, attackers: list[Unit], target: Hex) -> i64:
        """11.36, 11.37, 11.45: chance in thousandths that these units carry a hex if they shock it from where they are.

        A target that is not adjacent to all attackers gives 0; of an extended unit any of its hexes will do. All
        that these units face is shocked (8.46, 11.31). The defenders stand and fire all they may.
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
        """11.36 to 11.45: the same if each unit had moved to the hex of the same index, to charge or not."""
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
        shock = ShockInProgress(attackers[0].unit.side, attackers, self._all_struck(attackers, target), 0)
        shock.unled = self.unled_brigades(shock.units())
        alone: list[ShockInProgress] = [shock]
        drms = self.modifiers(shock, alone)
        attack = self.attack_strength(shock)
        favoured = self.favours_attacker(shock, min(drms.terrain, drms.breastworks))
        prospect = Prospect(attack, max(1, self.defence_strength(shock)), favoured, drms)
        committed = self._commitment(prospect, attackers)
        if committed == 0:
            return 0
        self.expect_fire(prospect, shock)
        passing = faces(top.steadiness() - self.pre_shock_drm(target, alone) - self.star_drm(top))
        chance = self._after_check(prospect, drms, target, top, passing)
        return committed * chance // (FACES * CERTAIN) // (CERTAIN // 1000)

    def _all_struck(self, attackers: list[Attacker], target: Hex) -> list[Hex]:
        """8.46, 11.31: a hex with all others that its attackers must shock too: whatever enemy they have in front."""
        places = [target]
        for attacker in attackers:
            if attacker.unit.extended == EXTENDED_LINE and attacker.hex is attacker.unit.hex:
                places.extend(self.targets(attacker.unit))
                continue
            for side in attacker.hex.nodes[attacker.heading].ahead:
                place = side.to
                if place is not target and self.battle.held_by(place) == 1 - attacker.unit.side:
                    if self.shockable(attacker.unit, side):
                        places.append(place)
        return self.whole(places)

    def _commitment(self, prospect: Prospect, attackers: list[Attacker]) -> i64:
        """11.36: chance in ten-thousandths that any attacker commits himself; who may not counts that much less."""
        none: i64 = CERTAIN
        expected: i64 = 0
        for attacker in attackers:
            unit = attacker.unit
            points = unit.fighting()
            prospect.points += points
            passing: i64 = FACES
            if unit.green:
                passing = faces(unit.steadiness() - self.star_drm(unit))
            none = none * (FACES - passing) // FACES
            expected += points * passing
        some = CERTAIN - none
        if some > 0 and prospect.points > 0:
            prospect.attack = prospect.attack * expected * (CERTAIN // FACES) // (some * prospect.points)
        return some

    def _after_check(self, prospect: Prospect, drms: ShockDrms, target: Hex, top: Unit, passing: i64) -> i64:
        """11.37: chance in ten-thousandths, for ten faces of the check that the top defender makes, in which he passes.

        Under March Orders who fails routs, and who passes is disordered; a second disorder drives off or routs whoever
        suffers it (12.35b), a first one tells in his fire and in the shock. Several units may not all be driven off by
        a check of their own: then such checks count for nothing.
        """
        failing = FACES - passing
        again: i64 = 0
        alone = len(self.force_in(target)) == 1
        if alone:
            again = FACES - faces(top.cohesion_disordered - top.fatigue.half - self.star_drm(top))
        last_point = alone and top.strength <= 1
        prospect.worn = FACES if last_point else again
        if drms.defender_disordered != 0:
            prospect.again = again
            if top.orders == MARCH:
                return FACES * CERTAIN
            return failing * CERTAIN + passing * self.met(prospect)
        held: i64 = 0
        if top.orders != MARCH and passing > 0:
            if not last_point and (top.collapsed or 2 * (top.strength - 1) >= top.full):
                prospect.worn = 0  # a first disorder drives nobody off
            held = passing * self.met(prospect)
            prospect.worn = FACES if last_point else again
        if top.orders != MARCH and failing == 0:
            return held
        prospect.again = again
        prospect.defender_shaken = True
        prospect.drm += self.charts.shock.defender_disordered
        if top.orders == MARCH:
            return failing * CERTAIN + passing * self.met(prospect)
        return held + failing * self.met(prospect)
