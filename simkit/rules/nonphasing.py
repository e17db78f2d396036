"""Chapter 10.4: non-phasing fire: what is kept for later answers, how fires are declared and made, return fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import FRONTS, NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, EXTENDED_LINE, Part, Unit
from simkit.model.formation import part_faces, refused_at
from simkit.rules.commander import CommanderError
from simkit.rules.declaredfire import Declared
from simkit.rules.firemodifiers import APPROACH, PRE_SHOCK, RETURN, WITHDRAWAL
from simkit.rules.fireresolution import Shot
from simkit.rules.options import GRINGO
from simkit.rules.repeaters import Repeaters, SecondRound

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex


@mypyc_attr(allow_interpreted_subclasses=True)
class NonPhasingFire(Repeaters):
    """Fire in answer to what the enemy does."""

    # -- points kept for later (10.15) -----------------------------------------------------------------------------

    def left(self, part: Part, mode: i64, front: i64 = NORMAL_FRONT) -> i64:
        """10.15, 10.41, 7.34: points kept from a split fire of this kind; -1 if it has not fired so, 0 if no more.

        A part has such an account for its normal fronts and one for its refused front.
        """
        book = part.book
        if book.blank:
            return -1
        book.conform(refused_at(part) != 0, part.fighting())
        return book.kept[mode * FRONTS + front]

    def answered(self, unit: Unit, mode: i64) -> bool:
        """10.41: whether any of a unit has fired so in this enemy brigade activation."""
        for part in unit.parts:
            if self.left(part, mode, NORMAL_FRONT) != -1 or self.left(part, mode, REFUSED_FRONT) != -1:
                return True
        return False

    def account(self, part: Part, target: Hex, mode: i64) -> i64:
        """10.15: the kind of fire out of whose points a fire at a hex is paid: mostly its own.

        In Gringo! points kept serve any kind of fire: once its own are used up, those kept of another at another hex.
        """
        if self.options.edition != GRINGO or mode == PRE_SHOCK:
            return mode
        front = self.front_to(part, target)
        own = self.left(part, mode, front)
        if own == -1 or (own > 0 and part.book.at[mode * FRONTS + front] != target.index):
            return mode
        for other in (RETURN, WITHDRAWAL, APPROACH):
            if other != mode and self.left(part, other, front) > 0:
                if part.book.at[other * FRONTS + front] != target.index:
                    return other
        return mode

    def most(self, part: Part, target: Hex, mode: i64) -> i64:
        """10.15, 10.41: points with which it may answer now: all, or what it kept, and never twice at one hex."""
        if part.unit.sections:
            return self.series.batteries.most(part, target, mode)
        front = self.front_to(part, target)
        kind = self.account(part, target, mode)
        most = self.most_through(part, kind, front)
        if kind != PRE_SHOCK and self.left(part, kind, front) > 0:
            if part.book.at[kind * FRONTS + front] == target.index:
                return 0
        return most

    def most_through(self, part: Part, mode: i64, front: i64) -> i64:
        """10.15, 10.41, 7.34: points with which a part may answer now through a front: all, or what it kept."""
        left = self.left(part, mode, front)
        if left == 0:
            return 0
        most = self.part_available(part, mode, front)
        return most if left == -1 else min(most, left)

    def use(self, part: Part, target: Hex, mode: i64, points: i64, most: i64) -> None:
        """10.15: book an answer of `points` out of `most`; what is kept may be fired later; builders stop (15.14)."""
        if part.unit.building:
            self.series.engineering.discontinue(part.unit, "fires")
        front = self.front_to(part, target)
        kind = self.account(part, target, mode)
        kept: i64 = 0
        if kind != PRE_SHOCK and self.left(part, kind, front) == -1:
            kept = most - points
        self.use_frontage(part, kind, front, points)
        part.book.kept[kind * FRONTS + front] = kept
        part.book.at[kind * FRONTS + front] = target.index

    def shares(self, part: Part, target: Hex, mode: i64, most: i64) -> list[int]:
        """10.15: points out of `most` with which a part may answer: none, all, or first as near to half as can be."""
        half = most // 2
        if most < 2 or self.left(part, self.account(part, target, mode), self.front_to(part, target)) != -1:
            return [0, int(most)]
        return [0, int(half), int(most)] if 2 * half == most else [0, int(half), int(most - half), int(most)]

    def _agreed(self, part: Part, target: Hex, mode: i64, points: i64, most: i64) -> bool:
        """10.15: whether a commander's answer is one of those allowed: see `shares`."""
        allowed = self.shares(part, target, mode, most)
        if points in allowed:
            return points > 0
        method = "return_fire" if mode == RETURN else "withdrawal_fire" if mode == WITHDRAWAL else "approach_fire"
        right = f"{', '.join([str(share) for share in allowed[:-1]])} or {most}"
        who = part.unit.id
        raise CommanderError(f"Commander.{method}: answered {points} for {who}; right would be {right} (10.15)")

    def _declare(self, part: Part, target: Hex, first: list[Unit], mode: i64, points: i64, most: i64) -> Declared:
        self.use(part, target, mode, points, most)
        return Declared(part, target, first, points, self._rapidly(part.unit, target, mode))

    def _rapidly(self, unit: Unit, target: Hex, mode: i64) -> bool:
        """10.68: whether it may fire rapidly at a hex, and its owner wants it to."""
        if not self.may_rapid(unit, target, mode, True):
            return False
        return self.series.owner(unit).rapid_fire(self.series, unit, target)

    def open_with(self, declared: Declared, mode: i64, whole: bool) -> list[Shot]:
        """10.17, 10.68, 14.3: roll the first shot of a declared fire, of rapid fire both; a second round may follow.

        With nobody left in the hex the die is rolled only if ammunition depends on it (10.41).

        Args:
            declared: the fire.
            mode: RETURN to PRE_SHOCK.
            whole: guns fire their two rapid shots together, not in turns with Spencers (14.38).
        """
        rapid = declared.rapid
        shots: list[Shot] = []
        there = self._still_there(declared)
        if rapid:
            self.note_rapid(declared.unit)
            if not whole:
                for at, part in enumerate(declared.parts):
                    if part.armed_with().rapid_fire:
                        declared.second.put(part, declared.shares[at])
                declared.second.rapid = True
        else:
            declared.second = self.second_round(declared.parts, declared.shares)
        parts = declared.parts
        points = declared.points
        for again in range(2 if rapid and whole else 1):
            if again == 1:
                parts = self.smoothbores(declared.parts)
                points = sum([share for at, share in enumerate(declared.shares) if declared.parts[at] in parts])
            if there:
                shots.append(self.shoot(parts, declared.target, declared.first, points, mode, True))
            elif self.options.small_arms_ammunition:
                shots.append(self.shoot_in_vain(parts, declared.target, False))
        for shot in shots:
            shot.rapid = rapid
        declared.shots.extend(shots)
        return shots

    def follow_up(self, declared: Declared, mode: i64) -> list[Shot]:
        """14.3, 14.32, 14.38: roll the second round of a declared fire, if it has one and its units are still fit."""
        second = declared.second
        if not second.parts:
            return []
        parts, points = self.fit(second)
        declared.second = SecondRound()
        if not parts:
            return []
        self._still_there(declared)
        shot = self.shoot_again(
            parts, declared.target, declared.first, sum(points), mode, True, second.rapid
        )
        declared.shots.append(shot)
        return [shot]

    def combined(self, declared: list[Declared], shell: bool) -> list[Declared]:
        """8.45, 10.63, 10.82: join fires at one target: of one unit always, of one hex shot and shell at will.

        By option small arms of one hex too.
        """
        found: list[Declared] = []
        for each in declared:
            leads = True
            for other in found:
                if other.target is not each.target or not self._joins(other, each, shell):
                    continue
                parts = [*other.parts, *each.parts]
                units: list[Unit] = []
                for part in parts:
                    if part.unit not in units:
                        units.append(part.unit)
                guns = each.unit.kind == ARTILLERY
                if not guns or self.series.owner(each.unit).combine_guns(self.series, units, each.target):
                    other.parts = parts
                    other.shares = [*other.shares, *each.shares]
                    other.points += each.points
                    leads = False
                break
            if leads:
                found.append(each)
        return found

    def _joins(self, other: Declared, each: Declared, shell: bool) -> bool:
        """8.45, 10.63, 10.82, 16.12: whether two fires at one target are to be joined; batteries never at night."""
        if other.unit is each.unit:  # halves of a split fire and sections at one hex stay apart (10.65)
            return other.part is not each.part and not each.unit.sections
        if not shell and not self.options.combined_fire:
            return False
        guns = each.unit.kind == ARTILLERY
        if guns and self.series.night.batteries_alone():
            return False
        return other.part.hex is each.part.hex and guns == (other.unit.kind == ARTILLERY) and guns == shell

    def one_by_one(self, declared: list[Declared], mode: i64) -> None:
        """10.41, 14.35, 14.36: roll and apply declared fires in turn, each with its second round.

        Those whose target is gone fire in vain.
        """
        for each in declared:
            self._fire_declared(declared, each, mode)

    def _fire_declared(self, declared: list[Declared], each: Declared, mode: i64) -> None:
        for shot in self.open_with(each, mode, True):
            self.apply(shot)
        for shot in self.follow_up(each, mode):
            self.apply(shot)
        self.has_fired(declared, each)

    def has_fired(self, declared: list[Declared], done: Declared) -> None:
        """10.65, 10.69, 10.91: settle the ammunition of a unit, once all of its fires among those declared are done."""
        if done.unit.kind == ARTILLERY and self.series.batteries.settles(declared, done):
            return
        shots: list[Shot] = []
        after = False
        for each in declared:
            if each.unit is done.unit:
                if after:
                    return
                shots.extend(each.shots)
            after = after or each is done
        self.deplete(shots)
        for part in done.parts:
            part.unit.swung_round = False  # 9.62: the DRM was for the first fire

    def _still_there(self, declared: Declared) -> bool:
        if declared.first:
            declared.first = [unit for unit in declared.first if unit.counts() and unit.stands_in(declared.target)]
        return self.battle.held_by(declared.target) == 1 - declared.unit.side

    def in_other_front(self, part: Part, but: Hex) -> bool:
        """10.42, 10.43: whether a part stands in the frontal hex of an enemy unit that does not stand in `but`."""
        place = part.hex
        side = part.unit.side
        if not self.battle.enemy_near(place, side):
            return False
        for hexside in place.sides:
            if hexside.to is but:
                continue
            for other in hexside.to.stack:
                enemy = other.unit
                if enemy.side != side and enemy.abandoned == 0 and not enemy.stands_in(but):
                    if part_faces(other, place):
                        return True
        return False

    def choose_hex(self, part: Part, enemy: Unit, places: list[Hex]) -> Hex:
        """8.45: at which of several hexes of an extended enemy unit a part fires, by its owner's choice."""
        if len(places) == 1:
            return places[0]
        chosen = self.series.owner(part.unit).which_part(self.series, part, enemy, places)
        if chosen < 0 or chosen >= len(places):
            right = f"0 to {len(places) - 1}"
            raise CommanderError(
                f"Commander.which_part: answered {chosen} for {part.unit.id}; right would be {right} (8.45)"
            )
        return places[chosen]

    # -- return fire -----------------------------------------------------------------------------------------------

    def may_return(self, part: Part, origin: Hex, targets: list[Hex]) -> bool:
        """10.42, 12.35b: whether a part may answer a fire from `origin` at `targets`: those hit, free neighbours."""
        unit = part.unit
        if not self.able(unit):
            return False
        if unit.silenced_by >= 0 and self.battle.units[unit.silenced_by].stands_in(origin):
            return False
        if part.hex not in targets and self.in_other_front(part, origin):
            return False
        return self.part_bears(part, origin, RETURN) and self.most(part, origin, RETURN) > 0

    def return_fire(self, firing: list[Hex], origins: list[Hex], targets: list[Hex], shell: bool) -> list[Declared]:
        """10.42, 8.45: what is declared in answer to a fire at `targets`.

        Args:
            firing: hexes from which the fire came.
            origins: hexes at which it may be returned: all of an Extended Line that combined its fire.
            targets: hexes fired at.
            shell: ask the guns that answer with shot and shell, who wait for the results; else all others.
        """
        places: list[Hex] = list(targets)
        for around in [*targets, *firing]:
            for hexside in around.sides:
                if hexside.on_map and hexside.to.stack and hexside.to not in places:
                    places.append(hexside.to)
        declared: list[Declared] = []
        for place in places:
            for part in list(place.stack):
                if part.unit.abandoned == 0 and part.unit.side != self.battle.phasing:
                    self.answer(part, origins, targets, shell, declared)
        return self.combined(declared, shell)

    def late_return(
        self, units: list[Unit], origins: list[Hex], targets: list[Hex], shell: bool
    ) -> list[Declared]:
        """9.61, 10.42: what units declare that have reacted to a fire at `targets`, once its results are applied.

        Args:
            units, origins, targets: who has reacted, where the fire may be returned, what was fired at.
            shell: ask the guns that answer with shot and shell; else all others.
        """
        declared: list[Declared] = []
        for unit in units:
            for part in unit.parts:
                if part.hex in targets:
                    self.answer(part, origins, targets, shell, declared)
        return self.combined(declared, shell)

    def answer(
        self, part: Part, origins: list[Hex], targets: list[Hex], shell: bool, declared: list[Declared]
    ) -> None:
        """10.42: ask the owner of a part whether it returns a fire, and add to `declared` what he decides."""
        unit = part.unit
        places: list[Hex] = []
        for origin in origins:
            if unit.weapon.shell(part.hex.distance_to(origin)) == shell and self.may_return(part, origin, targets):
                places.append(origin)
        if not places:
            return
        if unit.sections:
            declared.extend(self.series.batteries.declare(unit, places, RETURN, []))
            return
        origin = self.choose_hex(part, self.battle.units_in(places[0])[0], places)
        most = self.most(part, origin, RETURN)
        owner = self.series.owner(unit)
        if unit.extended == EXTENDED_LINE:
            points = owner.part_return_fire(self.series, part, origin, most)
        else:
            points = owner.return_fire(self.series, unit, origin, most)
        if self._agreed(part, origin, RETURN, points, most):
            declared.append(self._declare(part, origin, [], RETURN, points, most))
