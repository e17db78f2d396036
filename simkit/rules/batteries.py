"""Batteries of several sections: their fire by section, their losses, ammunition and order (8.37, 10.65)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import FRONTS, NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, Part, Unit
from simkit.model.log import EVERYTHING
from simkit.model.sections import WITHOUT_AMMUNITION, Section, firers, settle
from simkit.rules.chapter import Chapter
from simkit.rules.commander import Aim, CommanderError
from simkit.rules.declaredfire import Declared
from simkit.rules.dice import ALLOCATION
from simkit.rules.exchange import Volley
from simkit.rules.firemodifiers import APPROACH, PHASING, PRE_SHOCK, RETURN
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.rules.fireresolution import Shot

MOST_TARGETS: Final[i64] = 2  # hexes at which a battery fires at one time, or in answer one after the other (10.65)
ONE_MORE: Final[i64] = 2  # in a battery's account: may answer once more; halves where it refuses a flank (10.15)


@mypyc_attr(allow_interpreted_subclasses=True)
class Batteries(Chapter):
    """What is particular about batteries of several types of gun. Units without sections pass it by."""

    # -- who can fire at what --------------------------------------------------------------------------------------

    def sections_at(self, unit: Unit, target: Hex, mode: i64) -> list[Part]:
        """10.12, 10.41, 10.65: sections of a battery, in stacking order, that can now fire at a hex in a mode."""
        fire = self.series.fire
        found: list[Part] = []
        for section in unit.sections:
            if not section.mans_guns() or not fire.part_bears(section, target, mode):
                continue
            if mode == PHASING:
                if not section.book.phased and fire.available_at(section, mode, target) > 0:
                    found.append(section)
            elif self.most(section, target, mode) > 0:
                found.append(section)
        return found

    def may_rapid(self, parts: list[Part], target: Hex, mode: i64, standing: bool) -> bool:
        """10.68: whether any of those who fire together may fire twice; the others of them then fire once."""
        return any(self.series.fire.part_may_rapid(part, target, mode, standing) for part in parts)

    # -- phasing fire (10.65) --------------------------------------------------------------------------------------

    def volley(self, unit: Unit, aims: list[Aim], standing: bool) -> Volley:
        """10.63, 10.65, 10.66, 10.68: a fire by section as announced, all of it before any die is rolled.

        Args:
            unit: a battery with sections.
            aims: the fires: sections that fire together at one hex, with shot and shell also other batteries of
                the hex or sections of theirs; in Gringo! also all of the battery's at two hexes.
            standing: as for `Fire.phasing`.

        Raises:
            CommanderError: it may not fire so.
        """
        self._check_aims(unit, aims, True)
        fire = self.series.fire
        parts: list[Part] = []
        targets: list[Hex] = []
        rapidly: list[bool] = []
        points: list[int] = []
        twice: list[int] = []
        aimed: list[list[Part]] = []
        for aim in aims:
            for target in aim.targets:
                targets.append(target)
                rapidly.append(aim.rapid)
                aimed.append(aim.parts)
            parts.extend([part for part in aim.parts if part not in parts])
        for part in parts:
            mine = [target for at, target in enumerate(targets) if part in aimed[at]]
            fire.check_aim(part, mine)
        for aim in aims:
            whole: i64 = 0
            rapid: i64 = 0
            for part in aim.parts:
                share = fire.available_at(part, PHASING, aim.targets[0])
                whole += share
                if part.armed_with().rapid_fire:
                    rapid += share
            if aim.rapid and not self.may_rapid(aim.parts, aim.targets[0], PHASING, standing):
                raise CommanderError(
                    f"Fire.phasing_parts: {unit.id} may not use rapid fire at {aim.targets[0].id} (10.68)"
                )
            if len(aim.targets) == 1:
                points.append(int(whole))
                twice.append(int(rapid))
                continue
            fire.check_split(aim.parts[0], aim.targets, whole)
            points.extend([int(whole - whole // 2), int(whole // 2)])
            twice.extend([int(rapid - rapid // 2), int(rapid // 2)])
        fire.check_obliged(unit, targets)
        made = Volley(parts, targets, rapidly)
        made.shares = [[0] * FRONTS for _ in parts]
        made.aimed = aimed
        made.points = points
        made.twice = twice
        return made

    def _check_aims(self, unit: Unit, aims: list[Aim], phasing: bool) -> None:
        """10.63, 10.65, 7.34: CommanderError if sections fire twice, apart, or at more than two hexes."""
        method = "Fire.phasing_parts" if phasing else "Commander.section_fire"
        used: list[Part] = []
        fronts: list[i64] = []
        for aim in aims:
            if not aim.parts or not aim.targets:
                raise CommanderError(f"{method}: a fire of {unit.id} names no section or no hex")
            if len(aim.targets) > 1 and not (phasing and self._whole(unit, aims)):
                raise CommanderError(f"{method}: sections of {unit.id} do not split their fire; name one hex (10.65)")
            for part in aim.parts:
                if part not in unit.sections and not (phasing and self._joins(unit, part, aim.targets[0])):
                    raise CommanderError(
                        f"{method}: name sections of {unit.id}, or with shot and shell guns of its hex (10.63, 10.65)"
                    )
                front = self.series.fire.front_to(part, aim.targets[0])
                for at, other in enumerate(used):
                    if other is part and fronts[at] == front:
                        raise CommanderError(f"{method}: a section of {unit.id} is to fire twice (10.31, 10.65)")
                used.append(part)
                fronts.append(front)
        for part in used:
            places: list[Hex] = []
            for aim in aims:
                if any(one.unit is part.unit for one in aim.parts):
                    places.extend([target for target in aim.targets if target not in places])
            if len(places) > MOST_TARGETS:
                raise CommanderError(
                    f"{method}: {part.unit.id} fires at {len(places)} hexes; right would be {MOST_TARGETS} (10.65)"
                )
        if phasing and not aims:
            raise CommanderError(f"{method}: no fire named for {unit.id}")

    def _whole(self, unit: Unit, aims: list[Aim]) -> bool:
        """10.65 of Gringo!: whether a battery fires as a whole, so that it may split its fire like one of one type."""
        if self.options.edition != GRINGO or len(aims) != 1 or len(aims[0].targets) != MOST_TARGETS:
            return False
        return all(part in unit.sections for part in aims[0].parts)

    def _joins(self, unit: Unit, part: Part, target: Hex) -> bool:
        """10.63, 16.12: whether guns of another battery of the hex may combine with sections of one: with shell."""
        other = part.unit
        if self.series.night.batteries_alone() or other is unit or other.kind != ARTILLERY or other.hex is not unit.hex:
            return False
        return unit.weapon.shell(unit.hex.distance_to(target)) and part in firers(other)

    # -- fire in answer (10.4) -------------------------------------------------------------------------------------

    def most(self, part: Part, target: Hex, mode: i64) -> i64:
        """10.15, 10.41, 10.65: guns with which a section may answer now; of the counter, those of all its sections.

        What a battery keeps for later are whole sections, for one other hex.
        """
        fire = self.series.fire
        if isinstance(part, Section):
            front = fire.front_to(part, target)
            kind = self._account(part, target, mode)
            return fire.most_through(part, kind, front) if self._open(part, target, kind, front) else 0
        points: i64 = 0
        for section in part.unit.sections:
            if fire.part_bears(section, target, mode):
                points += self.most(section, target, mode)
        return points

    def _open(self, section: Part, target: Hex, kind: i64, front: i64) -> bool:
        """10.41, 10.65: whether a battery may still fire so at a hex: it has not yet, or once at another hex."""
        counter = section.unit.parts[0]
        left = self.series.fire.left(counter, kind, front)
        return left == -1 or (left > 0 and counter.book.at[kind * FRONTS + front] != target.index)

    def _account(self, section: Part, target: Hex, mode: i64) -> i64:
        """10.15 of Gringo!: the kind of fire out of which a section answers: one kept of another kind serves too."""
        if self.options.edition != GRINGO or mode == PRE_SHOCK:
            return mode
        fire = self.series.fire
        front = fire.front_to(section, target)
        if self._open(section, target, mode, front) and fire.left(section, mode, front) == -1:
            return mode
        for other in (RETURN, APPROACH):
            kept = fire.left(section.unit.parts[0], other, front) > 0 and fire.left(section, other, front) == -1
            if kept and self._open(section, target, other, front):
                return other
        return mode

    def declare(self, unit: Unit, places: list[Hex], mode: i64, first: list[list[Unit]]) -> list[Declared]:
        """10.41, 10.65: ask a battery's owner how its sections answer at one or two of several hexes, and book it.

        Args:
            unit: the battery.
            places: the hexes at which it may fire.
            mode: RETURN, APPROACH or PRE_SHOCK.
            first: by hex the units that bear the result first; none named, the top of its stack.
        """
        offered = [place for place in places if self.sections_at(unit, place, mode)]
        if not offered:
            return []
        aims = self.series.owner(unit).section_fire(self.series, unit, offered, mode)
        self._check_aims(unit, aims, False)
        declared: list[Declared] = []
        for aim in aims:
            target = aim.targets[0]
            if target not in offered:
                right = ", ".join([place.id for place in offered])
                raise CommanderError(
                    f"Commander.section_fire: {unit.id} can't answer at {target.id}; right would be {right} (10.4)"
                )
            declared.append(self._declared(aim, mode, list(first[places.index(target)]) if first else []))
        self._book(unit, declared, mode)
        return declared

    def _declared(self, aim: Aim, mode: i64, first: list[Unit]) -> Declared:
        fire = self.series.fire
        target = aim.targets[0]
        points: i64 = 0
        shares: list[int] = []
        for part in aim.parts:
            share = self.most(part, target, mode) if fire.part_bears(part, target, mode) else 0
            if share == 0:
                raise CommanderError(
                    f"Commander.section_fire: a section of {part.unit.id} can't answer at {target.id}; ask"
                    f" Batteries.sections_at (10.41)"
                )
            points += share
            shares.append(int(share))
        if aim.rapid and not self.may_rapid(aim.parts, target, mode, True):
            raise CommanderError(
                f"Commander.section_fire: {aim.parts[0].unit.id} may not use rapid fire at {target.id} (10.68)"
            )
        made = Declared(aim.parts[0], target, first, points, aim.rapid)
        made.parts = list(aim.parts)
        made.shares = shares
        return made

    def _book(self, unit: Unit, declared: list[Declared], mode: i64) -> None:
        """10.15, 10.41, 10.65: write down what sections fire, and whether the battery may answer once more."""
        shooters: list[Part] = []
        places: list[Hex] = []
        accounts: list[i64] = []
        for each in declared:
            for part in each.parts:
                shooters.append(part)
                places.append(each.target)
                accounts.append(self._account(part, each.target, mode))
        for kind in (RETURN, APPROACH, PRE_SHOCK):
            for front in (NORMAL_FRONT, REFUSED_FRONT):
                paid: list[Part] = []
                struck: list[Hex] = []
                for at, part in enumerate(shooters):
                    if accounts[at] == kind and self.series.fire.front_to(part, places[at]) == front:
                        paid.append(part)
                        struck.append(places[at])
                if paid:
                    self._pay(unit.parts[0], paid, struck, kind, front)

    def _pay(self, counter: Part, shooters: list[Part], places: list[Hex], kind: i64, front: i64) -> None:
        """10.15, 10.65: take what sections fire at hexes through a front out of an account of theirs."""
        fire = self.series.fire
        again = kind != PRE_SHOCK and fire.left(counter, kind, front) == -1
        for at, part in enumerate(shooters):
            again = again and places[at] is places[0]
            points = fire.most_through(part, kind, front)
            fire.use(part, places[at], kind, points, points)
        counter.book.kept[kind * FRONTS + front] = ONE_MORE if again else 0
        counter.book.at[kind * FRONTS + front] = places[0].index

    # -- losses (8.35, 8.37) ---------------------------------------------------------------------------------------

    def shed(self, unit: Unit, guns: i64) -> None:
        """8.35, 8.37: each gun that a battery of several sections loses is that of a section taken at random."""
        for _ in range(guns):
            manned = [section for section in unit.sections if section.guns > 0]
            if not manned:
                return
            at: i64 = 0
            if len(manned) > 1:
                at = self.series.dice.pick(ALLOCATION, unit, len(manned))
            section = manned[at]
            section.guns -= 1
            if self.series.log.level >= EVERYTHING:
                self.series.log.note(
                    "section", unit.side, unit.id, unit.hex.id, section.weapon.code, f"{section.guns} left"
                )
        settle(unit)

    # -- ammunition (10.65, 10.69, 10.92) --------------------------------------------------------------------------

    def shared_levels(self, part: Part, shots: list[Shot], own: i64, rapid: bool) -> i64:
        """10.65: levels of ammunition that a section loses where others of its battery fire by themselves at its hex.

        Any roll of theirs that costs ammunition then leaves those who fire rapidly without, and takes one level from
        the others, but no more; in Gringo! it costs all who fire at that hex what it costs those who rolled it.

        Args:
            part: the section.
            shots: all shots of its battery's fire.
            own: what its own shots cost it.
            rapid: whether it fires rapidly.
        """
        apart = False
        costly = own > 0
        shared: i64 = own
        for shot in shots:
            if part in shot.parts or not any(one.unit is part.unit for one in shot.parts):
                continue
            beside = False
            for mine in shots:
                if part in mine.parts and mine.target is shot.target:
                    # who has a part in both fires the second of two rapid shots of the same fire (10.68)
                    beside = not any(one in shot.parts for one in mine.parts)
            if not beside:
                continue
            apart = True
            starred = shot.roll == self.charts.fire_table.starred
            if starred or (shot.rapid and shot.roll == 0):
                costly = True
                shared += WITHOUT_AMMUNITION if shot.rapid else 1
        if not apart:
            return own
        if self.options.edition == GRINGO:
            return min(shared, WITHOUT_AMMUNITION)
        if not costly:
            return 0
        return WITHOUT_AMMUNITION if rapid else 1

    def settles(self, declared: list[Declared], done: Declared) -> bool:
        """10.65, 10.69: whether guns share the risks of their fires in answer, so that all are settled at the last one.

        Args:
            declared: fires that were declared together.
            done: one of them, which is done.
        """
        guns = [each for each in declared if each.unit.kind == ARTILLERY]
        if not any(part.unit.sections for each in guns for part in each.parts):
            return False
        done.done = True
        if all(each.done for each in guns):
            shots: list[Shot] = []
            for each in guns:
                shots.extend(each.shots)
                for part in each.parts:
                    part.unit.swung_round = False  # 9.62: the DRM was for the first fire
            self.series.fire.deplete(shots)
        return True

    def use_ammunition(self, part: Part, levels: i64) -> None:
        """10.69: a battery, or a section by itself, has used up so many levels of its ammunition."""
        unit = part.unit
        left = min(part.ammunition() + levels, WITHOUT_AMMUNITION)
        code = ""
        if isinstance(part, Section):
            part.ammo = left
            code = part.weapon.code
            settle(unit)
        else:
            unit.ammo = left
        if self.series.log.level >= EVERYTHING:
            result = "out" if left == WITHOUT_AMMUNITION else "low"
            self.series.log.note("ammunition", unit.side, unit.id, unit.hex.id, code, result)

    def may_resupply(self, unit: Unit) -> list[Section]:
        """10.92: sections of an active battery that may resupply: short of ammunition, neither fired nor resupplied.

        Others of the battery may fire in the same activation.
        """
        if not self.series.effectiveness.may_fetch_ammunition(unit):
            return []
        return [
            section for section in unit.sections
            if section.guns > 0 and section.ammo > 0 and not section.resupplied and not section.book.phased
        ]

    def resupply(self, unit: Unit, sections: list[Section]) -> None:
        """10.92: sections of a battery each make good one level of ammunition; the battery may then turn by a vertex.

        Raises:
            CommanderError: none is named, or one may not resupply.
        """
        able = self.may_resupply(unit)
        if not sections or [section for section in sections if section not in able]:
            raise CommanderError(
                f"Batteries.resupply: name sections of {unit.id} that may resupply now; ask may_resupply (10.92)"
            )
        for section in able:
            if section in sections:
                section.resupplied = True
                section.ammo -= 1
                if self.series.log.level >= EVERYTHING:
                    result = f"ammunition {section.ammo}"
                    self.series.log.note("resupply", unit.side, unit.id, unit.hex.id, section.weapon.code, result)
        settle(unit)
        self.series.effectiveness.has_resupplied(unit)

    # -- order (8.24) ----------------------------------------------------------------------------------------------

    def may_reorder(self, unit: Unit) -> bool:
        """8.24: whether a phasing battery may put its sections in another order: after movement, or before it fires.

        Not next to an enemy, nor in Gringo! in the frontal hex of one, as with the order of a stack.
        """
        if len(unit.sections) == 0 or not unit.active or not unit.counts() or unit.finished:
            return False
        if unit.fired and not unit.moved:
            return False
        if self.options.edition == GRINGO:
            return not self.battle.in_enemy_front(unit.hex, unit.side)
        return not self.battle.enemy_near(unit.hex, unit.side)

    def reorder(self, unit: Unit, sections: list[Section]) -> None:
        """8.24: put the sections of a battery in another order, top first; that is neither movement nor restacking.

        Raises:
            CommanderError: it may not, or not all its sections are named once.
        """
        if not self.may_reorder(unit):
            raise CommanderError(f"Batteries.reorder: {unit.id} may not now; ask may_reorder (8.24)")
        if len(sections) != len(unit.sections) or [one for one in unit.sections if one not in sections]:
            raise CommanderError(f"Batteries.reorder: name all sections of {unit.id}, top first, each once (8.24)")
        unit.sections = list(sections)


__all__ = ["MOST_TARGETS", "Batteries"]
