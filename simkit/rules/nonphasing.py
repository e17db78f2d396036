"""Chapter 10.4: non-phasing fire: return fire, withdrawal fire, approach fire and pre-shock fire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, Unit
from simkit.rules.commander import CommanderError
from simkit.rules.firemodifiers import APPROACH, MODES, PRE_SHOCK, RETURN, WITHDRAWAL
from simkit.rules.fireresolution import FireResolution, Shot

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.rules.series import Series
    from simkit.rules.shockinprogress import ShockInProgress

APPROACH_RANGE: Final[i64] = 3  # hexes (10.45)


class Declared:
    """A fire that its owner has declared and that is yet to be rolled (10.41)."""

    def __init__(self, unit: Unit, target: Hex, first: list[Unit], points: i64, rapid: bool) -> None:
        self.unit = unit
        self.target = target
        self.first = first
        self.points = points
        self.rapid = rapid
        self.units: list[Unit] = [unit]  # with those that combine their fire with it (10.63)


class Waiting:
    """Withdrawal fire that waits until the moving unit has finished its move (10.44)."""

    def __init__(self, mover: Unit, place: Hex, firers: list[Unit]) -> None:
        self.mover = mover
        self.place = place
        self.firers = firers


@mypyc_attr(allow_interpreted_subclasses=True)
class NonPhasingFire(FireResolution):
    """Fire in answer to what the enemy does."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.waiting: list[Waiting] = []
        self.batteries: list[Unit] = []  # all artillery of the battle, once looked for
        self.looked = False

    def clear(self) -> None:
        """Forget fires that wait, before a new battle."""
        self.waiting = []

    # -- points kept for later (10.15) -----------------------------------------------------------------------------

    def left(self, unit: Unit, mode: i64) -> i64:
        """10.15, 10.41: points kept from a split fire of this kind; -1 if it has not fired so, 0 if no more."""
        if mode == RETURN:
            return unit.return_left
        if mode == WITHDRAWAL:
            return unit.withdrawal_left
        if mode == APPROACH:
            return unit.approach_left
        return unit.pre_shock_left

    def _fired_at(self, unit: Unit, mode: i64) -> i64:
        if mode == RETURN:
            return unit.return_at
        if mode == WITHDRAWAL:
            return unit.withdrawal_at
        return unit.approach_at

    def most(self, unit: Unit, target: Hex, mode: i64) -> i64:
        """10.15, 10.41: points with which it may answer now: all, or what it kept, and never twice at one hex."""
        left = self.left(unit, mode)
        most = self.available(unit, mode)
        if left == -1:
            return most
        if left == 0 or (mode != PRE_SHOCK and self._fired_at(unit, mode) == target.index):
            return 0
        return min(most, left)

    def use(self, unit: Unit, target: Hex, mode: i64, points: i64, most: i64) -> None:
        """10.15: book an answer of `points` out of `most`; what is kept may be fired once more."""
        left: i64 = 0
        if self.left(unit, mode) == -1:
            left = most - points
        if mode == RETURN:
            unit.return_left = left
            unit.return_at = target.index
        elif mode == WITHDRAWAL:
            unit.withdrawal_left = left
            unit.withdrawal_at = target.index
        elif mode == APPROACH:
            unit.approach_left = left
            unit.approach_at = target.index
        else:
            unit.pre_shock_left = 0
        self.use_frontage(unit, mode, points)

    def _agreed(self, unit: Unit, mode: i64, points: i64, most: i64) -> bool:
        """10.15: whether a commander's answer is one of those allowed: none, all, or as near to half as can be."""
        if points == 0 or points == most:
            return points > 0
        half = most // 2
        if self.left(unit, mode) == -1 and (points == half or points == most - half):
            return True
        method = "return_fire" if mode == RETURN else "withdrawal_fire" if mode == WITHDRAWAL else "approach_fire"
        right = f"0 or {most}"
        if self.left(unit, mode) == -1 and most > 1:
            right = f"0, {half}, {most - half} or {most}"
        raise CommanderError(f"Commander.{method}: answered {points} for {unit.id}; right would be {right} (10.15)")

    def _declare(self, unit: Unit, target: Hex, first: list[Unit], mode: i64, points: i64, most: i64) -> Declared:
        self.use(unit, target, mode, points, most)
        return Declared(unit, target, first, points, self._rapidly(unit, target, mode))

    def _rapidly(self, unit: Unit, target: Hex, mode: i64) -> bool:
        """10.68: whether it may fire rapidly at a hex, and its owner wants it to."""
        if not self.may_rapid(unit, target, mode, True):
            return False
        return self.series.owner(unit).rapid_fire(self.series, unit, target)

    def roll(self, declared: Declared, mode: i64) -> list[Shot]:
        """10.17, 10.68, 10.69: roll a declared fire: one shot, or two in rapid fire."""
        shots = self._shots(declared, mode)
        self.deplete(shots)
        for unit in declared.units:
            unit.swung_round = False  # 9.62: the DRM was for the first fire
        return shots

    def _shots(self, declared: Declared, mode: i64) -> list[Shot]:
        shots: list[Shot] = []
        if declared.rapid:
            self.note_rapid(declared.unit)
        for _ in range(2 if declared.rapid else 1):
            shots.append(self.shoot(declared.units, declared.target, declared.first, declared.points, mode, True))
            shots[len(shots) - 1].rapid = declared.rapid
        return shots

    def combined(self, declared: list[Declared], shell: bool) -> list[Declared]:
        """10.63, 10.82: join the fires of a hex at one target: shot and shell at will, small arms by option."""
        if not shell and not self.options.combined_fire:
            return declared
        found: list[Declared] = []
        for each in declared:
            guns = each.unit.kind == ARTILLERY
            leads = True
            for other in found:
                if other.unit.hex is not each.unit.hex or other.target is not each.target:
                    continue
                if guns != (other.unit.kind == ARTILLERY) or guns != shell:
                    continue
                units = [*other.units, each.unit]
                if not guns or self.series.owner(each.unit).combine_guns(self.series, units, each.target):
                    other.units = units
                    other.points += each.points
                    leads = False
                break
            if leads:
                found.append(each)
        return found

    def one_by_one(self, declared: list[Declared], mode: i64) -> None:
        """10.41: roll and apply declared fires in turn; those whose target is gone fire in vain, without a roll.

        What the two parts of a split fire do to the ammunition is settled after the second (10.65, 10.69).
        """
        fired: list[Shot] = []
        for at, each in enumerate(declared):
            if self._still_there(each):
                shots = self._shots(each, mode)
                fired.extend(shots)
                for shot in shots:
                    self.apply(shot)
            if at == len(declared) - 1 or declared[at + 1].unit is not each.unit:
                self.deplete(fired)
                fired = []
                for unit in each.units:
                    unit.swung_round = False  # 9.62: the DRM was for the first fire

    def _still_there(self, declared: Declared) -> bool:
        if not declared.first:
            return self.battle.held_by(declared.target) == 1 - declared.unit.side
        declared.first = [unit for unit in declared.first if unit.counts() and unit.hex is declared.target]
        return self.battle.held_by(declared.target) == 1 - declared.unit.side

    def in_other_front(self, unit: Unit, but: Hex) -> bool:
        """10.42, 10.43: whether it stands in the frontal hex of an enemy unit in another hex than `but`."""
        place = unit.hex
        if not self.battle.enemy_near(place, unit.side):
            return False
        for side in place.sides:
            if side.to is but:
                continue
            for part in side.to.stack:
                enemy = part.unit
                if enemy.side != unit.side and enemy.abandoned == 0 and self.battle.in_front(enemy, place):
                    return True
        return False

    # -- return fire -----------------------------------------------------------------------------------------------

    def may_return(self, unit: Unit, origin: Hex, targets: list[Hex]) -> bool:
        """10.42, 12.35b: whether a unit may answer a fire from `origin` at `targets`: those hit, free neighbours."""
        if not self.able(unit):
            return False
        if unit.silenced_by >= 0 and self.battle.units[unit.silenced_by].hex is origin:
            return False
        if unit.hex not in targets and self.in_other_front(unit, origin):
            return False
        return self.bears_on(unit, origin, RETURN) and self.most(unit, origin, RETURN) > 0

    def return_fire(self, origin: Hex, targets: list[Hex], side: i64, shell: bool) -> list[Declared]:
        """10.42: what a side declares in answer to a fire from `origin` at `targets`.

        Args:
            origin, targets: hexes.
            side: the side fired at.
            shell: ask the guns that answer with shot and shell, who wait for the results; else all others.
        """
        places: list[Hex] = list(targets)
        for around in [*targets, origin]:
            for hexside in around.sides:
                if hexside.on_map and hexside.to not in places:
                    places.append(hexside.to)
        declared: list[Declared] = []
        for place in places:
            for unit in self.battle.units_in(place):
                if unit.side != side or unit.weapon.shell(place.distance_to(origin)) != shell:
                    continue
                if self.may_return(unit, origin, targets):
                    most = self.most(unit, origin, RETURN)
                    points = self.series.owner(unit).return_fire(self.series, unit, origin, most)
                    if self._agreed(unit, RETURN, points, most):
                        declared.append(self._declare(unit, origin, [], RETURN, points, most))
        return self.combined(declared, shell)

    def late_return(self, units: list[Unit], origin: Hex) -> list[Declared]:
        """9.61, 10.42: what units declare that have reacted to a fire from `origin`, once its results are applied.

        Guns that fire shot and shell are not asked here: they answer after the results in any case.
        """
        declared: list[Declared] = []
        for unit in units:
            if unit.weapon.shell(unit.hex.distance_to(origin)) or not self.may_return(unit, origin, [unit.hex]):
                continue
            most = self.most(unit, origin, RETURN)
            points = self.series.owner(unit).return_fire(self.series, unit, origin, most)
            if self._agreed(unit, RETURN, points, most):
                declared.append(self._declare(unit, origin, [], RETURN, points, most))
        return self.combined(declared, False)

    # -- withdrawal fire -------------------------------------------------------------------------------------------

    def withdrawal(self, mover: Unit, origin: Hex, to: Hex) -> None:
        """10.44: a moving unit is about to leave a hex for another: see `withdrawal_from`."""
        self.withdrawal_from([mover], origin, to)

    def withdrawal_from(self, movers: list[Unit], origin: Hex, to: Hex) -> None:
        """10.44, 8.21: a unit or stack is about to leave a hex: those whose frontal hexes it leaves may fire.

        If others of its side stay behind, the fire is theirs, after the move: see `move_finished`. Whoever has the next
        hex in its front as well does not fire.
        """
        mover = movers[0]
        if not self.battle.enemy_line_near(origin, mover.side):
            return
        firers: list[Unit] = []
        for side in origin.sides:
            for unit in self.battle.units_in(side.to):
                if unit.side == mover.side or unit.kind == ARTILLERY:
                    continue
                if self.battle.in_front(unit, origin) and not self.battle.in_front(unit, to):
                    firers.append(unit)
        if not firers:
            return
        if len(self.battle.units_in(origin)) > len(movers):
            self.waiting.append(Waiting(mover, origin, firers))
            return
        self.one_by_one(self.combined(self._withdrawal_fires(firers, mover, movers), False), WITHDRAWAL)

    def withdrawal_of_line(self, mover: Unit, origins: list[Hex], to: list[Hex]) -> None:
        """10.44, 8.44: an extended unit is about to leave hexes for others."""
        for at, origin in enumerate(origins):
            if mover.counts() and mover.stands_in(origin):
                self.withdrawal(mover, origin, to[at])

    def move_finished(self, mover: Unit) -> None:
        """10.44: once a unit has finished its move, those it left behind are fired at."""
        if not self.waiting:
            return
        waiting = self.waiting
        self.waiting = []
        for each in waiting:
            remaining = self.battle.units_in(each.place)
            if each.mover is not mover or not remaining or remaining[0].side != mover.side or mover in remaining:
                continue
            self.one_by_one(self.combined(self._withdrawal_fires(each.firers, remaining[0], []), False), WITHDRAWAL)

    def _withdrawal_fires(self, firers: list[Unit], victim: Unit, first: list[Unit]) -> list[Declared]:
        target = victim.hex
        declared: list[Declared] = []
        for unit in firers:
            if not self.able(unit) or not self.bears_on(unit, target, WITHDRAWAL):
                continue
            most = self.most(unit, target, WITHDRAWAL)
            if most > 0:
                points = self.series.owner(unit).withdrawal_fire(self.series, unit, victim, most)
                if self._agreed(unit, WITHDRAWAL, points, most):
                    declared.append(self._declare(unit, target, list(first), WITHDRAWAL, points, most))
        return declared

    # -- approach fire ---------------------------------------------------------------------------------------------

    def approach(self, mover: Unit, entered: list[Hex] | None = None) -> None:
        """10.45: a unit has moved into its hex: see `approach_by`.

        An extended one they see in those of its hexes that it has `entered`.
        """
        if entered is None:
            self.approach_by([mover])
            return
        for place in entered:
            if mover.counts() and mover.stands_in(place):
                self._approach_in([mover], place)

    def approach_by(self, movers: list[Unit]) -> None:
        """8.21, 9.63, 10.45: a unit or stack has moved into a hex: batteries within three hexes that see it may fire.

        Not those that have moved in reaction in this activation.
        """
        self._approach_in(movers, movers[0].hex)

    def _approach_in(self, movers: list[Unit], place: Hex) -> None:
        mover = movers[0]
        if not self.looked:
            self.looked = True
            for unit in self.battle.units:
                if unit.kind == ARTILLERY:
                    self.batteries.append(unit)
        declared: list[Declared] = []
        for gun in self.batteries:
            if gun.side == mover.side or not self.able(gun) or gun.hex.distance_to(place) > APPROACH_RANGE:
                continue
            if gun.moved_off or not self.bears_on(gun, place, APPROACH):
                continue
            most = self.most(gun, place, APPROACH)
            if most > 0:
                points = self.series.owner(gun).approach_fire(self.series, gun, mover, most)
                if self._agreed(gun, APPROACH, points, most):
                    declared.append(self._declare(gun, place, list(movers), APPROACH, points, most))
        self.one_by_one(declared, APPROACH)

    # -- pre-shock fire --------------------------------------------------------------------------------------------

    def pre_shock(self, shocks: list[ShockInProgress]) -> None:
        """10.43, 11.38: all who may fire at shock attackers declare; each fire is then rolled and applied in turn."""
        if not shocks:
            return
        declared: list[Declared] = []
        for unit in self.battle.units:
            if unit.side == shocks[0].side or not self.able(unit) or not self.battle.enemy_near(unit.hex, unit.side):
                continue
            if self._driven_off(unit, shocks):
                continue
            places = self.pre_shock_targets(unit, shocks)
            most = self.most(unit, unit.hex, PRE_SHOCK)
            if places and most > 0:
                self._declare_pre_shock(unit, places, most, shocks, declared)
        self.one_by_one(self.combined(declared, False), PRE_SHOCK)

    def _driven_off(self, unit: Unit, shocks: list[ShockInProgress]) -> bool:
        """11.35: whether it was a target of one of these shocks and has left its hex."""
        return any(unit in shock.defenders and not shock.attacks(unit.hex) for shock in shocks)

    def pre_shock_targets(self, unit: Unit, shocks: list[ShockInProgress]) -> list[Hex]:
        """10.43: attackers' hexes in its front: of its own attackers, of others' if it is in no other enemy's front."""
        places: list[Hex] = []
        for side in unit.hex.nodes[unit.heading].ahead:
            place = side.to
            if not self._attackers_in(place, shocks):
                continue
            own = False
            for shock in shocks:
                # against a continued shock the targets too must be in no other enemy's front
                if shock.continued == 0 and shock.attacks(unit.hex) and place in shock.places():
                    own = True
            if (own or not self.in_other_front(unit, place)) and self.bears_on(unit, place, PRE_SHOCK):
                places.append(place)
        return places

    def _attackers_in(self, place: Hex, shocks: list[ShockInProgress]) -> list[Unit]:
        """The shocking units in a hex, top first."""
        found: list[Unit] = []
        for unit in self.battle.units_in(place):
            for shock in shocks:
                if unit not in found and unit in shock.units():
                    found.append(unit)
        return found

    def _declare_pre_shock(
        self, unit: Unit, places: list[Hex], most: i64, shocks: list[ShockInProgress], declared: list[Declared]
    ) -> None:
        """10.43, 10.15: at one attackers' hex, or split as evenly as can be between two."""
        chosen = self.series.owner(unit).pre_shock_fire(self.series, unit, places)
        if chosen == -1:
            return
        if len(places) == 2 and most > 1 and 2 <= chosen <= 3:
            larger = most - most // 2 if chosen == 2 else most // 2
            self.use(unit, unit.hex, PRE_SHOCK, most, most)
            for at, points in enumerate((larger, most - larger)):
                rapid = self._rapidly(unit, places[at], PRE_SHOCK)
                declared.append(Declared(unit, places[at], self._attackers_in(places[at], shocks), points, rapid))
            return
        if chosen < 0 or chosen >= len(places):
            split = ", or 2 or 3 to split" if len(places) == 2 and most > 1 else ""
            right = f"-1 to {len(places) - 1}{split}"
            raise CommanderError(f"Commander.pre_shock_fire: answered {chosen} for {unit.id}; right would be {right}")
        place = places[chosen]
        declared.append(self._declare(unit, place, self._attackers_in(place, shocks), PRE_SHOCK, most, most))


__all__ = ["MODES", "Declared", "NonPhasingFire"]
