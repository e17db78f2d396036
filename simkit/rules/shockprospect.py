"""What a shock promises once the fire before it is over, reckoned without dice (10.43, 11.38, 11.42 to 11.45)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, NO_DISORDER, UDD
from simkit.model.forces import ARTILLERY
from simkit.model.formation import frontal, part_faces
from simkit.model.hexgrid import FLANK, zone
from simkit.rules.dice import FACES
from simkit.rules.firemodifiers import PRE_SHOCK, STEEP_PRE_SHOCK
from simkit.rules.shockadjustments import ShockAdjustments, ShockDrms
from simkit.rules.shockinprogress import Attacker, ShockInProgress

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Part, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

LOWEST: Final[i64] = -20  # adjustments of the shock die for which faces are counted: beyond them nothing changes
HIGHEST: Final[i64] = 20
CERTAIN: Final[i64] = 10_000  # a chance of one
SILENT: Final[i64] = -100  # adjustment of a fire that is not fired
VOLLEYS: Final[i64] = 2  # fires before a shock that are followed face by face; of others only their average counts
MOST_VOLLEYS: Final[i64] = 4  # fires that are reckoned at all

# what fire has made of an attacker
STEADY: Final[i64] = 0
SHAKEN: Final[i64] = 1
STOPPED: Final[i64] = 2


class Volley:
    """A fire before the shock: its strength points, its modifiers if who fires is in order or not, and whom it hits."""

    def __init__(self, points: i64, steady: i64, shaken: i64, victim: Unit) -> None:
        self.points = points
        self.steady = steady
        self.shaken = shaken
        self.victim = victim


class Prospect:
    """A shock that is weighed: all that stays as it is while fire takes strength and order from its attackers.

    `attack` and `defence` are the strengths of the ratio for `points` attacking strength points, `drm` all modifiers
    but the ratio and the disorder that fire brings. `again` and `worn` are the faces of a check, and of one after the
    loss of a point, at which a further disorder drives off whoever the table leaves where he is.
    """

    def __init__(self, attack: i64, defence: i64, favoured: bool, drms: ShockDrms) -> None:
        self.attack = attack
        self.defence = defence
        self.favoured = favoured
        self.drm = drms.total() - drms.ratio
        self.attacker_disordered = drms.attacker_disordered != 0
        self.defender_shaken = False  # by the check before the shock
        self.points: i64 = 0
        self.again: i64 = 0
        self.worn: i64 = 0
        self.volleys: list[Volley] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockProspects(ShockAdjustments):
    """The fire before a shock that is only thought of, and the faces of the resolution table."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        # by adjustment: the faces of the resolution table that drive defenders off, that disorder them where they stand
        # and that cost them a point there
        self.driving: list[int] = []
        self.shaking: list[int] = []
        self.wearing: list[int] = []
        for drm in range(LOWEST, HIGHEST + 1):
            driven: i64 = 0
            shaken: i64 = 0
            worn: i64 = 0
            for face in range(10):
                result = self.charts.shock_table.result(face + drm).defender
                if result.retreat > 0:
                    driven += 1
                elif result.disorder != NO_DISORDER and result.losses > 0:
                    worn += 1
                elif result.disorder != NO_DISORDER:
                    shaken += 1
            self.driving.append(int(driven))
            self.shaking.append(int(shaken))
            self.wearing.append(int(worn))

    def star_drm(self, unit: Unit) -> i64:
        """11.73: what the stars of leaders stacked with a unit take off its checks."""
        return self.charts.command.leader_star * self.series.command.stars(unit)

    # -- who fires -------------------------------------------------------------------------------------------------

    def expect_fire(self, prospect: Prospect, shock: ShockInProgress) -> None:
        """10.43, 11.38: note who would fire at the attackers before a shock: those attacked, and free neighbours."""
        for target in shock.targets:
            for part in target.stack:
                for side in frontal(part):
                    victim = _foremost(shock, side.to)
                    if victim is not None:
                        self._expect(prospect, part, victim, side.to, True)
                        break
        for place in shock.places():
            for side in place.sides:
                near = side.to
                if not side.on_map or shock.attacks(near) or self.battle.held_by(near) != 1 - shock.side:
                    continue
                for part in near.stack:
                    if part_faces(part, place) and not self.series.fire.in_other_front(part, place):
                        victim = _foremost(shock, place)
                        if victim is not None:
                            self._expect(prospect, part, victim, place, False)

    def _expect(self, prospect: Prospect, part: Part, victim: Attacker, place: Hex, attacked: bool) -> None:
        unit = part.unit
        if len(prospect.volleys) >= MOST_VOLLEYS or unit.abandoned != 0 or not self.series.fire.able(unit):
            return
        points = self.series.stacking.part_limit(part)
        if points < 1:
            return
        plain = self._fire_drm(part, victim, place)
        shaken = plain + self.charts.fire.disordered
        steady = plain
        if unit.disordered:
            steady = shaken
        elif self.series.fire.prepared(unit, 1, PRE_SHOCK, True):
            steady += self.charts.fire.prepared
        if not attacked:
            shaken = steady  # the check is not his
        elif unit.kind == ARTILLERY:
            shaken = SILENT  # disordered guns do not fire (10.61)
        prospect.volleys.append(Volley(points, steady, shaken, victim.unit))
        if self.series.fire.repeats(unit):
            prospect.volleys.append(Volley(points, steady, SILENT, victim.unit))

    def _fire_drm(self, part: Part, victim: Attacker, place: Hex) -> i64:
        """10.81: modifiers of a fire at an attacker in a hex, wherever he is now; those of disorder and rest apart."""
        unit = part.unit
        fire = self.series.fire
        chart = self.charts.fire
        origin = part.hex
        drm = unit.weapon.range_drm(1) + fire.terrain(origin, place, False) + self.series.night.fire_drm(1)
        drm -= unit.fatigue.half
        if zone(victim.heading, place.direction_to(origin)) == FLANK:
            drm += chart.flank
        if unit.ammo == 1:
            drm += chart.low_ammo
        if unit.kind == ARTILLERY:
            if fire.too_steep(origin, place):
                drm += STEEP_PRE_SHOCK
            if fire.guns_moved(unit, PRE_SHOCK, True):
                drm += chart.guns_moved
            return drm
        if origin.walls != 0 and self.series.engineering.fires_from(origin, place):
            drm += chart.behind_breastworks
        if unit.is_mounted():
            drm += chart.by_mounted
        elif unit.green:
            drm += chart.green
        return drm

    # -- what comes of it ------------------------------------------------------------------------------------------

    def met(self, prospect: Prospect) -> i64:
        """11.45: chance in ten-thousandths that the defenders are driven off after all fire."""
        return self._met(prospect, 0, prospect.points, STEADY, False, 0)

    def _met(self, prospect: Prospect, at: i64, points: i64, state: i64, others: bool, lost: i64) -> i64:
        """The same from one volley on.

        Args:
            at: its index.
            points: strength points that the attackers have then.
            state, lost: what the victim of the volley before has become, and its strength points lost.
            others: whether fire has disordered any other attacker.
        """
        if at == len(prospect.volleys):
            return self._driven(prospect, points, others or state != STEADY)
        volley = prospect.volleys[at]
        victim = volley.victim
        if at == 0 or victim is not prospect.volleys[at - 1].victim:
            others = others or (at > 0 and state != STEADY)
            state = SHAKEN if victim.disordered else STEADY
            lost = 0
        drm = volley.shaken if prospect.defender_shaken else volley.steady
        if state == STOPPED or drm == SILENT:
            return self._met(prospect, at + 1, points, state, others, lost)
        if at >= VOLLEYS:
            return self._on_average(prospect, at, points, state, others, lost)
        table = self.charts.fire_table
        stars = self.star_drm(victim)
        total: i64 = 0
        face: i64 = 0
        while face < FACES:
            result = table.result(volley.points, face + drm)
            count: i64 = 1
            while face + count < FACES and table.result(volley.points, face + count + drm) is result:
                count += 1
            face += count
            left = victim.strength - lost - result.losses
            if left <= 0:
                total += count * FACES * self._met(
                    prospect, at + 1, points - victim.strength + lost, STOPPED, others, lost
                )
                continue
            after = self._collapsing(victim, lost, result.losses, state)
            fails: i64 = 0
            if result.disorder == AUTOMATIC:
                fails = FACES
            elif result.disorder == UDD:
                fails = self._failing(victim, after, stars + result.drm)
            standing = points - result.losses
            if fails < FACES:
                total += count * (FACES - fails) * self._met(
                    prospect, at + 1, standing, after, others, lost + result.losses
                )
            if fails > 0:
                if after == SHAKEN:
                    standing -= left  # disordered again it retreats (12.35a)
                total += count * fails * self._met(
                    prospect, at + 1, standing, after + 1, others, lost + result.losses
                )
        return total // (FACES * FACES)

    def _on_average(self, prospect: Prospect, at: i64, points: i64, state: i64, others: bool, lost: i64) -> i64:
        """A volley beyond those that are followed: whether it disorders its victim, and its average loss."""
        volley = prospect.volleys[at]
        victim = volley.victim
        drm = volley.shaken if prospect.defender_shaken else volley.steady
        stars = self.star_drm(victim)
        losses: i64 = 0
        fails: i64 = 0
        for face in range(10):
            result = self.charts.fire_table.result(volley.points, face + drm)
            losses += result.losses
            if result.disorder == AUTOMATIC:
                fails += FACES
            elif result.disorder == UDD:
                fails += self._failing(victim, state, stars + result.drm)
        average = min((losses + FACES // 2) // FACES, victim.strength - lost)
        left = points - average
        if state == SHAKEN:
            failed = self._met(prospect, at + 1, points - victim.strength + lost, STOPPED, others, lost)
        else:
            failed = self._met(prospect, at + 1, left, SHAKEN, others, lost + average)
        held = self._met(prospect, at + 1, left, state, others, lost + average)
        return (fails * failed + (FACES * FACES - fails) * held) // (FACES * FACES)

    def _collapsing(self, victim: Unit, lost: i64, losses: i64, state: i64) -> i64:
        """12.23: SHAKEN if a loss takes a unit below half of its original strength, else what it was."""
        before = 2 * (victim.strength - lost) >= victim.full
        if before and not victim.collapsed and 2 * (victim.strength - lost - losses) < victim.full:
            return SHAKEN
        return state

    def _failing(self, victim: Unit, state: i64, drm: i64) -> i64:
        """12.32: faces of a check that an attacker fails, in good order or not."""
        rating = victim.cohesion_disordered if state == SHAKEN else victim.cohesion()
        return FACES - faces(rating - victim.fatigue.half - drm)

    def _driven(self, prospect: Prospect, points: i64, disordered: bool) -> i64:
        """11.45, 12.35: the same by the table, itself or by a further disorder, for attackers of so many points."""
        if points <= 0:
            return 0
        drm = prospect.drm
        drm += self.ratio_drm(prospect.attack * points, prospect.defence * prospect.points, prospect.favoured)
        if disordered and not prospect.attacker_disordered:
            drm += self.charts.shock.attacker_disordered
        at = min(max(drm, LOWEST), HIGHEST) - LOWEST
        driven: i64 = self.driving[at]
        shaken: i64 = self.shaking[at]
        worn: i64 = self.wearing[at]
        return (driven * FACES + shaken * prospect.again + worn * prospect.worn) * (CERTAIN // (FACES * FACES))


def faces(rating: i64) -> i64:
    """Faces of a check that pass with a rating from which its modifiers are taken off (2.6)."""
    return min(max(rating + 1, 0), FACES)


def _foremost(shock: ShockInProgress, place: Hex) -> Attacker | None:
    """The topmost attacker in a hex; of units that are to come there the first."""
    found: Attacker | None = None
    for attacker in shock.attackers:
        if place in attacker.places:
            if found is None:
                found = attacker
            elif place.stack:
                for part in place.stack:
                    if part.unit is found.unit:
                        break
                    if part.unit is attacker.unit:
                        found = attacker
                        break
    return found
