"""The adjustments of a shock and of the check before it (11.37, 11.42 to 11.44)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AGGRESSIVE
from simkit.model.forces import ARTILLERY, BRIGADE, IN_ONE_HEX, MARCH
from simkit.model.formation import part_zone, refused_front
from simkit.model.hexgrid import FLANK, FRONT, REAR
from simkit.rules.options import GRINGO
from simkit.rules.shockdesignation import ShockDesignation, adjacent_hexes
from simkit.rules.shockinprogress import Attacker, ShockInProgress

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit

# strengths are counted in halves, because mounted cavalry in woods counts half (11.43)
ONE_SP: Final[i64] = 2
GUNS_FOR_ONE_SP: Final[i64] = 4  # 11.63


class ShockDrms:
    """The die roll modifiers of one shock by name (11.42); pluses favour the attacker."""

    def __init__(self) -> None:
        self.ratio: i64 = 0
        self.terrain: i64 = 0
        self.breastworks: i64 = 0
        self.charge: i64 = 0
        self.countercharge: i64 = 0
        self.attacker_disordered: i64 = 0
        self.defender_disordered: i64 = 0
        self.no_brigadier: i64 = 0
        self.aggressive: i64 = 0
        self.position: i64 = 0
        self.enemy_front: i64 = 0
        self.continued: i64 = 0
        self.attacker_fatigue: i64 = 0
        self.defender_fatigue: i64 = 0
        self.odds = ""  # the printed ratio

    def total(self) -> i64:
        """Sum of all modifiers."""
        return (
            self.ratio + self.terrain + self.breastworks + self.charge + self.countercharge + self.attacker_disordered
            + self.defender_disordered + self.no_brigadier + self.aggressive + self.position + self.enemy_front
            + self.continued + self.attacker_fatigue + self.defender_fatigue
        )

    def text(self) -> str:
        """The modifiers by name, the ratio always, the others where they are not 0."""
        words = [f"ratio {self.odds} {self.ratio:+d}"]
        for name, drm in (
            ("terrain", self.terrain), ("breastworks", self.breastworks), ("charge", self.charge),
            ("countercharge", self.countercharge), ("attacker disordered", self.attacker_disordered),
            ("defender disordered", self.defender_disordered), ("no brigadier", self.no_brigadier),
            ("aggressive brigadier", self.aggressive), ("position", self.position), ("enemy front", self.enemy_front),
            ("continued", self.continued), ("attacker fatigue", self.attacker_fatigue),
            ("defender fatigue", self.defender_fatigue),
        ):
            if drm != 0:
                words.append(f"{name} {drm:+d}")
        return ", ".join(words)


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockAdjustments(ShockDesignation):
    """Step 6a of a shock (11.42 to 11.44), and the modifiers of the pre-shock check (11.37)."""

    # -- strength and ratio ------------------------------------------------------------------------------------------

    def attack_strength(self, shock: ShockInProgress) -> i64:
        """8.36, 11.43, 11.55, 14.25: strength of all attackers in halves of a point; mounted into woods counts half.

        In a charge that is not met by a countercharge also into a town, and twice through flank or rear. Hexes of an
        extended defender that nobody strikes do not count (8.46).
        """
        charge = self.cavalry_charges(shock) and not shock.countercharged
        halved = False
        for target in shock.struck():
            if target.terrain.halves_cavalry or (charge and target.terrain.halves_charge):
                halved = True
        total: i64 = 0
        for attacker in shock.attackers:
            strength = ONE_SP * attacker.unit.fighting()
            if attacker.unit.is_mounted():
                if charge and self._beside_or_behind(attacker, shock):
                    strength *= 2
                if halved:
                    strength //= 2
            total += strength
        return total

    def cavalry_charges(self, shock: ShockInProgress) -> bool:
        """11.55: whether a shock is a cavalry charge; no continued one is (11.47)."""
        if shock.continued > 0 or not shock.attackers:
            return False
        return all(attacker.charging and attacker.unit.is_mounted() for attacker in shock.attackers)

    def _beside_or_behind(self, attacker: Attacker, shock: ShockInProgress) -> bool:
        """11.43, 11.55: whether an attacker comes through flank or rear at all of the hexes that it strikes."""
        struck = False
        for target in shock.targets:
            for place in attacker.strikes(target):
                if self.attacked_through(target, place) == FRONT:
                    return False
                struck = True
        return struck

    def defence_strength(self, shock: ShockInProgress) -> i64:
        """8.36, 11.43, 11.63: strength of all in the target hexes, in halves of a point."""
        total: i64 = 0
        for target in shock.targets:
            total += self.stack_strength(target)
        return total

    def stack_strength(self, place: Hex) -> i64:
        """11.43, 11.63, 14.25: defending strength of a hex in halves: guns on top count one in four, at least 1.

        Of an extended unit its share in the hex, so that all its hexes together make its full strength (8.46).
        """
        total: i64 = 0
        guns: i64 = 0
        on_top = True
        for part in place.stack:
            unit = part.unit
            if unit.abandoned != 0:
                continue
            if unit.kind == ARTILLERY:
                if on_top:
                    guns += unit.strength
                continue
            on_top = False
            if unit.is_mounted() and place.terrain.halves_cavalry:
                total += part.points()
            else:
                total += ONE_SP * part.fighting()
        if guns > 0:
            total += ONE_SP * max(1, guns // GUNS_FOR_ONE_SP)
        return total

    def ratio_drm(self, attackers: i64, defenders: i64, favour_attacker: bool) -> i64:
        """11.43: the DRM of two strengths on one scale, rounded to a printed ratio in favour of one side."""
        return self.charts.shock_ratio.drm(attackers, defenders, favour_attacker)

    def favours_attacker(self, shock: ShockInProgress, terrain: i64) -> bool:
        """11.43, 11.47: whether the ratio rounds for the attacker: all moved, no ground helps, and not continued."""
        if shock.continued > 0 or terrain < 0:
            return False
        return all(attacker.moved for attacker in shock.attackers)

    # -- modifiers ---------------------------------------------------------------------------------------------------

    def modifiers(self, shock: ShockInProgress, others: list[ShockInProgress]) -> ShockDrms:
        """11.42: all adjustments of a shock; `others` are designated shocks that may share its defenders (11.44)."""
        chart = self.charts.shock
        drms = ShockDrms()
        ground = self.terrain_drm(shock)
        drms.breastworks = self.series.engineering.shock_drm(shock, ground)
        drms.terrain = ground - drms.breastworks
        attack = self.attack_strength(shock)
        defence = max(1, self.defence_strength(shock))
        favoured = self.favours_attacker(shock, min(drms.terrain, drms.breastworks))
        column = self.charts.shock_ratio.column(attack, defence, favoured)
        drms.ratio = column.drm
        drms.odds = column.text
        self._charge(shock, drms)
        if self.attacker_disordered(shock):
            drms.attacker_disordered = chart.attacker_disordered
        if self.defender_disordered(shock):
            drms.defender_disordered = chart.defender_disordered
        self._brigadiers(shock, drms)
        drms.continued = chart.continued * shock.continued
        drms.position = self.position_drm(shock, others)
        if drms.position > 0:
            drms.enemy_front = chart.enemy_front * self.fronts_entered(shock)
        if self.options.fatigue:
            drms.attacker_fatigue = self.series.fatigue.attack_drm(shock.units())
            drms.defender_fatigue = self.series.fatigue.defence_drm(shock.targets)
        return drms

    def _charge(self, shock: ShockInProgress, drms: ShockDrms) -> None:
        """11.21, 11.42, 11.55, 11.56: what a charge of infantry or cavalry adds, and what a countercharge makes of it.

        Cavalry gains nothing where terrain helps the defender, or against a countercharge.
        """
        chart = self.charts.shock
        if not self.all_charge(shock):
            return
        if self.cavalry_charges(shock):
            if drms.terrain >= 0 and not shock.countercharged:
                drms.charge = chart.cavalry_charge
        elif shock.countercharged:
            drms.countercharge = chart.countercharged
        else:
            drms.charge = chart.charge

    def _brigadiers(self, shock: ShockInProgress, drms: ShockDrms) -> None:
        """11.42, 11.72: what brigadiers do to a shock, of several brigades the one best for the defender."""
        seen: list[Command] = []
        for attacker in shock.attackers:
            brigade = attacker.unit.command
            if brigade in seen:
                continue
            absent = self.charts.shock.no_brigadier if brigade in shock.unled else 0
            aggressive: i64 = 0
            for mate in shock.attackers:
                if mate.unit.command is brigade and self.with_aggressive_brigadier(mate.unit):
                    aggressive = self.charts.shock.aggressive
            if not seen or absent + aggressive < drms.no_brigadier + drms.aggressive:
                drms.no_brigadier = absent
                drms.aggressive = aggressive
            seen.append(brigade)

    def terrain_drm(self, shock: ShockInProgress) -> i64:
        """11.42, 15.23: hexside, hex and breastworks together, of all pairs of hexes the one best for the defender."""
        best: i64 = 0
        found = False
        for attacker in shock.attackers:
            for target in shock.targets:
                for place in attacker.strikes(target):
                    drm = self.series.engineering.ground_drm(place, target)
                    if not found or drm < best:
                        best = drm
                    found = True
        return best

    def all_charge(self, shock: ShockInProgress) -> bool:
        """11.21, 11.42, 11.47: whether the charge DRM holds: all participants charge, in no continued shock."""
        if shock.continued > 0:
            return False
        return all(attacker.charging for attacker in shock.attackers)

    def attacker_disordered(self, shock: ShockInProgress) -> bool:
        """11.22, 11.42: whether any attacking unit is disordered, which is best for the defender."""
        return any(attacker.unit.disordered for attacker in shock.attackers)

    def defender_disordered(self, shock: ShockInProgress) -> bool:
        """11.42, 12.34: whether all defenders are disordered; one in good order is best for the defender."""
        any_there = False
        for target in shock.targets:
            for part in target.stack:
                if part.unit.abandoned == 0:
                    if not part.unit.disordered:
                        return False
                    any_there = True
        return any_there

    def with_brigadier(self, unit: Unit) -> bool:
        """11.72, 13.43: whether a unit is stacked with the leader of its brigade, and he has not helped in a rally."""
        command = unit.command
        if not command.has_leader() or self.series.command.bound_to_rally(command.leader()):
            return False
        return unit.stands_in(command.leader().hex)

    def with_aggressive_brigadier(self, unit: Unit) -> bool:
        """11.72, 4.14: whether an attacking unit is stacked with its aggressive brigadier."""
        if unit.command.level != BRIGADE or not self.with_brigadier(unit):
            return False
        return unit.command.leader().ratings().profile == AGGRESSIVE

    def unled_brigades(self, units: list[Unit]) -> list[Command]:
        """11.72: the brigades of these shocking units whose brigadier is stacked with none of them."""
        led: list[Command] = []
        unled: list[Command] = []
        for unit in units:
            if self.with_brigadier(unit) and unit.command not in led:
                led.append(unit.command)
        for unit in units:
            if unit.command not in led and unit.command not in unled:
                unled.append(unit.command)
        return unled

    # -- position ----------------------------------------------------------------------------------------------------

    def position_drm(self, shock: ShockInProgress, others: list[ShockInProgress]) -> i64:
        """11.42, 11.44: the position DRM, of several defending hexes the one best for the defender.

        Hexes of an extended defender that nobody strikes do not count (8.46). Shocks that may not combine share it, a
        continued one does not; in Gringo! those do whose attackers are not adjacent, continued ones too.
        """
        together = [shock]
        around = [shock]  # a defender may be surrounded by shocks that do not share their position
        for other in others:
            if other is shock or other.side != shock.side:
                continue
            if self.options.edition <= GRINGO:
                around.append(other)
                if not adjacent_hexes(shock.places(), other.places()):
                    together.append(other)
            elif shock.continued == 0 and other.continued == 0:
                together.append(other)
                around.append(other)
        best: i64 = 0
        found = False
        for target in shock.struck():
            if self.battle.top_unit(target) is not None:
                drm = self._position_against(target, together, around)
                if not found or drm < best:
                    best = drm
                found = True
        return best

    def _position_against(
        self, target: Hex, together: list[ShockInProgress], around: list[ShockInProgress]
    ) -> i64:
        """11.44: through which sides of one defending hex shocks come together, or that some shocks surround it."""
        seen: list[bool] = [False, False, False]
        for shock in together:
            if shock.attacks(target):
                for attacker in shock.attackers:
                    for place in attacker.strikes(target):
                        seen[self.attacked_through(target, place)] = True
        if self._surrounded(target, around):
            return self.charts.shock.surrounded
        return self.charts.shock.position(seen[FRONT], seen[FLANK], seen[REAR])

    def attacked_through(self, target: Hex, place: Hex) -> i64:
        """7.12, 11.44: FRONT, FLANK or REAR: the side of the defenders in `target` on which an adjacent hex lies."""
        top = self.battle.top_unit(target)
        if top is None:
            return FRONT
        for part in target.stack:
            if part.unit.extended != IN_ONE_HEX:
                return part_zone(part, target.direction_to(place))  # refused ends are the line's, not its guns' (8.44)
        return part_zone(top.part_in(target), target.direction_to(place))

    def _surrounded(self, target: Hex, together: list[ShockInProgress]) -> bool:
        """11.44: whether units that shock the defenders stand in, or have in their front, every hex around them.

        Those are the hexes around all that an extended defender holds (8.46).
        """
        own = self.hexes_of(target)
        for place in own:
            for hexside in place.sides:
                if hexside.on_map and hexside.to not in own and not _held_or_faced(hexside.to, target, together):
                    return False
        return True

    def fronts_entered(self, shock: ShockInProgress) -> i64:
        """11.44: how many attacking hexes lie in the front of an enemy unit that is not targeted for shock."""
        count: i64 = 0
        for place in shock.places():
            if self._in_front_of_uninvolved(place, shock):
                count += 1
        return count

    def _in_front_of_uninvolved(self, place: Hex, shock: ShockInProgress) -> bool:
        if not self.battle.enemy_near(place, shock.side):
            return False
        for hexside in place.sides:
            for part in hexside.to.stack:
                unit = part.unit
                if (
                    unit.side != shock.side and unit.abandoned == 0 and self.battle.in_front(unit, place)
                    and not self.targeted(unit, shock)
                ):
                    return True
        return False

    def targeted(self, unit: Unit, shock: ShockInProgress) -> bool:
        """11.44: whether a unit is a target of this shock or of any that was designated with it."""
        if shock.attacks(unit.hex):
            return True
        return any(other.side == shock.side and unit in other.defenders for other in self.shocks)

    # -- the check before shock --------------------------------------------------------------------------------------

    def pre_shock_drm(self, target: Hex, shocks: list[ShockInProgress], checking: Unit | None = None) -> i64:
        """11.37, 11.55: modifiers of the top defender's check, the worst of all shocks against its hex; pluses harm it.

        For an extended defender it is enough that one of its parts is attacked from flank or rear. `checking` is who
        checks, the top unit of the hex unless it is named. A cavalry charge counts against all but mounted cavalry.
        """
        chart = self.charts.pre_shock
        top = self.battle.top_unit(target) if checking is None else checking
        if top is None:
            return 0
        worst: i64 = 0
        for place in self.hexes_of(target):
            for shock in shocks:
                if not shock.attacks(place):
                    continue
                for attacker in shock.attackers:
                    for origin in attacker.strikes(place):
                        where = self.attacked_through(place, origin)
                        if where == FLANK:
                            worst = max(worst, chart.flank)
                        elif where == REAR:
                            worst = max(worst, chart.rear)
        worst += self.series.engineering.pre_shock_drm(self.hexes_of(target), shocks)
        if top.orders == MARCH:
            worst += chart.march
        if top.disordered:
            worst += chart.disordered
        if not top.is_mounted() and any(self._charged_in_the_open(target, shock) for shock in shocks):
            worst += chart.cavalry_charge
        return worst

    def _charged_in_the_open(self, target: Hex, shock: ShockInProgress) -> bool:
        """11.55: whether a cavalry charge comes at a hex's defenders with no terrain in their favour, works apart."""
        if not self.cavalry_charges(shock) or not any(shock.attacks(place) for place in self.hexes_of(target)):
            return False
        ground = self.terrain_drm(shock)
        return ground - self.series.engineering.shock_drm(shock, ground) >= 0


def _held_or_faced(place: Hex, target: Hex, together: list[ShockInProgress]) -> bool:
    """Whether a hex is held by, or in the front of, a unit that shocks the target."""
    for shock in together:
        if shock.attacks(target):
            for attacker in shock.attackers:
                if place in attacker.places or attacker.strikes(place):
                    return True
                unit = attacker.unit
                if unit.refused != 0 and attacker.in_place():
                    # 7.34: a Refused Frontal hex is a frontal hex too
                    for part in unit.parts:
                        if any(side.to is place for side in refused_front(part)):
                            return True
    return False
