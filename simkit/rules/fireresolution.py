"""Chapter 10.1 and 10.6: who can fire at what, how much of a hex may fire, and the resolution of one fire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import FRONTS, NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, BY_CANISTER, BY_SHELL, BY_SMALL_ARMS, IN_ONE_HEX, MARCH, Part, Unit
from simkit.model.formation import refused_at
from simkit.model.hexgrid import FRONT, line, zone
from simkit.model.log import COMBATS, EVERYTHING, Event
from simkit.model.sections import Section, armament, firers
from simkit.rules.dice import FIRE
from simkit.rules.firemodifiers import MODES, PHASING, PRE_SHOCK, FireModifiers
from simkit.rules.options import GRINGO
from simkit.rules.stacking import FIRE_FOOT, FIRE_GUNS, FIRE_HORSE

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.charts import FireResult, FireTable

LOW_AMMO: Final[i64] = 1
NO_AMMO: Final[i64] = 2
MOUNTED_RANGE: Final[i64] = 2  # hexes that phasing mounted cavalry fires at most (14.24)


class Shot:
    """One fire whose die has been rolled and whose result waits to be applied (10.17).

    `first` are the units that bear the result before the top of the stack in `target`; `friends` those over whose heads
    it went (10.26). `event` holds its line in the log, where there is one.
    """

    def __init__(
        self, parts: list[Part], target: Hex, first: list[Unit], roll: i64, result: FireResult, cause: i64
    ) -> None:
        self.parts = parts  # one; more where parts or batteries combine their fire (8.45, 10.63)
        self.unit: Unit = parts[0].unit
        self.origins: list[Hex] = []
        for part in parts:
            if part.hex not in self.origins:
                self.origins.append(part.hex)
        self.target = target
        self.first = first
        self.roll = roll
        self.result = result
        self.cause = cause
        self.rapid = False  # one of the two shots of rapid fire (10.68)
        self.second = False  # of a second round of repeaters (14.33)
        self.friends: list[Unit] = []
        self.event: list[Event] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class FireResolution(FireModifiers):
    """Range, arc and sight, fire frontage, and one fire from the roll to its result."""

    # -- who can fire at what --------------------------------------------------------------------------------------

    def able(self, unit: Unit) -> bool:
        """6.32, 10.11, 10.33, 10.61, 10.69, 8.33, 14.22, 14.24: whether orders, ammunition and deeds let it fire."""
        if not unit.counts() or unit.orders == MARCH or unit.ammo >= NO_AMMO:
            return False
        if unit.countercharging or (unit.charging and unit.mounted):
            return False
        if unit.command.in_reserve:
            return False
        if unit.remounted and self.series.mounting.bars_fire(unit):
            return False
        return unit.kind != ARTILLERY or not unit.disordered

    def bears_on(self, unit: Unit, target: Hex, mode: i64) -> bool:
        """10.12, 10.16, 10.21, 10.26, 10.67: whether a hex lies within range, arc and sight, nobody in the way.

        For an extended unit: of any of its parts (8.45).
        """
        if unit.extended == IN_ONE_HEX and not unit.sections:
            return self.part_bears(unit.parts[0], target, mode)
        return any(self.part_bears(part, target, mode) for part in firers(unit))

    def part_bears(self, part: Part, target: Hex, mode: i64) -> bool:
        """8.45, 10.12, 10.16, 10.21, 10.26, 10.67: whether a hex lies within range, arc and sight of a part.

        Phasing mounted cavalry fires no farther than two hexes (14.24).
        """
        unit = part.unit
        origin = part.hex
        distance = origin.distance_to(target)
        if distance < 1 or distance > self.series.night.fire_range(part.armed_with().max_range):
            return False
        if self.series.facing.zone_from(part, target) != FRONT:
            return False
        if mode == PHASING and distance > MOUNTED_RANGE and unit.mounted:
            return False
        if distance == 1:
            return unit.kind != ARTILLERY or mode == PRE_SHOCK or not self.too_steep(origin, target)
        return self.series.sight.clear(origin, target) and not self.series.sight.fire_blocked(unit, origin, target)

    def front_to(self, part: Part, target: Hex) -> i64:
        """7.34: the front through which a part fires at a hex in its arc: NORMAL_FRONT where it can."""
        if part.unit.refused == 0 or refused_at(part) == 0:
            return NORMAL_FRONT
        here = part.hex
        exits = line(target.q - here.q, target.r - here.r).exits
        for direction in range(6):
            if exits & (1 << direction) and zone(part.heading(), direction) == FRONT:
                return NORMAL_FRONT
        return REFUSED_FRONT

    def may_rapid(self, unit: Unit, target: Hex, mode: i64, standing: bool) -> bool:
        """9.62, 10.68, 10.61, 10.67: smoothbores at canister range that neither move, turned nor came to the top.

        Of a battery of several sections, any of them.
        """
        if unit.sections:
            return any(self.part_may_rapid(section, target, mode, standing) for section in unit.sections)
        return self.part_may_rapid(unit.parts[0], target, mode, standing)

    def part_may_rapid(self, part: Part, target: Hex, mode: i64, standing: bool) -> bool:
        """10.68: the same for a part of a unit, or a section."""
        unit = part.unit
        weapon = part.armed_with()
        if not weapon.rapid_fire or unit.hex.distance_to(target) > weapon.canister_range or unit.under_others:
            return False
        if unit.swung_round and mode != PHASING:
            return False
        if mode == PHASING and (unit.moved or unit.spent > 0 or not standing):
            return False
        return not self.too_steep(unit.hex, target)

    # -- fire frontage ---------------------------------------------------------------------------------------------

    def available(self, unit: Unit, mode: i64) -> i64:
        """7.34, 8.31, 8.32, 8.33, 8.45: points that a unit can fire now through all fronts of all its parts."""
        if unit.extended == IN_ONE_HEX and unit.refused == 0 and not unit.sections:
            return self.part_available(unit.parts[0], mode, NORMAL_FRONT)
        points: i64 = 0
        for part in firers(unit):
            points += self.part_available(part, mode, NORMAL_FRONT)
            if unit.refused != 0:
                points += self.part_available(part, mode, REFUSED_FRONT)
        return points

    def available_at(self, part: Part, mode: i64, target: Hex) -> i64:
        """7.34, 8.45: strength points that a part can fire now at a hex in its arc."""
        return self.part_available(part, mode, self.front_to(part, target))

    def part_available(self, part: Part, mode: i64, front: i64) -> i64:
        """8.31, 7.34: strength points that a part can fire now, given its stack and what its hex has fired.

        The limits hold for a brigade activation and each kind of fire, for as long as anybody of the stack remains. A
        part that is refused has half of them for each front.
        """
        unit = part.unit
        if isinstance(part, Section) and not part.mans_guns():
            return 0
        refused = unit.refused != 0 and refused_at(part) != 0
        if refused:
            most = self.series.stacking.front_limit(part, front)
        elif front != NORMAL_FRONT:
            return 0
        else:
            most = self.series.stacking.part_limit(part)
        cap = self._cap(part)
        if cap < 0:
            return most
        if refused:
            cap = cap // 2 if front == REFUSED_FRONT else cap - cap // 2
        used: i64 = 0
        for mate in part.hex.stack:
            used = max(used, self.fired_from(mate, mode, front))
        return max(min(most, cap - used), 0)

    def _cap(self, part: Part) -> i64:
        """8.31: the limit of a part's hex for those like it; -1 if a single battery may pass it."""
        unit = part.unit
        if unit.kind == ARTILLERY:
            for mate in part.hex.stack:
                if mate.unit.kind != ARTILLERY:
                    return -1  # one battery may fire whole above others
            return FIRE_GUNS
        return FIRE_HORSE if unit.is_mounted() and self._only_horse(part.hex) else FIRE_FOOT

    def _only_horse(self, place: Hex) -> bool:
        """8.31: whether all of a hex are mounted; with guns or men on foot they share a limit of 7."""
        for part in place.stack:
            if part.unit.abandoned == 0 and not part.unit.is_mounted():
                return False
        return True

    def fired_from(self, part: Part, mode: i64, front: i64) -> i64:
        """8.31: strength points fired in a mode from a part's hex in this activation since it has stood there."""
        book = part.book
        if book.blank or book.place != part.hex.index:
            return 0
        book.conform(refused_at(part) != 0, part.fighting())
        return book.fired[mode * FRONTS + front]

    def use_frontage(self, part: Part, mode: i64, front: i64, points: i64) -> None:
        """8.31: note for all of a stack that so many points have fired from the hex."""
        for mate in part.hex.stack:
            mate.book.open(part.hex.index, refused_at(mate) != 0, mate.fighting())
            mate.book.fired[mode * FRONTS + front] += points
        if part.unit.sections:
            part.book.open(part.hex.index, refused_at(part) != 0, part.points())

    # -- one fire --------------------------------------------------------------------------------------------------

    def table(self, unit: Unit, distance: i64) -> FireTable:
        """10.67: the Fire Table, or the Artillery Fire Table for shot and shell."""
        return self.charts.artillery_table if unit.weapon.shell(distance) else self.charts.fire_table

    def shoot(
        self, parts: list[Part], target: Hex, first: list[Unit], points: i64, mode: i64, standing: bool,
        second: bool = False,
    ) -> Shot:
        """10.14, 10.17, 8.45, 10.63, 10.82: roll one fire; `apply` does the rest.

        Args:
            parts: who fires: one, or those of a unit or of a hex that combine their fire.
            target, first: the hex, and units in it that bear the result before the top of its stack.
            points: strength points that fire in all.
            mode, standing: as for `modifier`.
            second: it is a second round of repeaters (14.33).
        """
        victim = (first[0] if first else self.battle.units_in(target)[0]).part_in(target)
        if len(parts) == 1:
            drm = self.part_modifier(parts[0], victim, mode, standing)
        else:
            drm = self.combined_modifier(parts, victim, mode, standing)
        return self._roll(parts, victim, first, points, mode, drm, second)

    def _roll(
        self, parts: list[Part], victim: Part, first: list[Unit], points: i64, mode: i64, drm: i64, second: bool
    ) -> Shot:
        unit = parts[0].unit
        target = victim.hex
        distance = parts[0].hex.distance_to(target)
        shell = unit.weapon.shell(distance)
        friends: list[Unit] = []
        for part in parts:
            if part.hex.distance_to(target) > 1:
                for friend in self.series.sight.friends_under_fire(unit, part.hex, target):
                    if friend not in friends:
                        friends.append(friend)
        table = self.table(unit, distance)
        roll = self.series.dice.grouped(FIRE, unit, self._classes(table, points, drm, unit, len(friends) > 0, second))
        result = table.result(points, roll + drm)
        cause = BY_SMALL_ARMS
        if unit.kind == ARTILLERY:
            cause = BY_SHELL if shell else BY_CANISTER
        shot = Shot(parts, target, first, roll, result, cause)
        shot.second = second
        if roll <= self.charts.fire.friends_hit:
            shot.friends = friends
        if not shell:
            victim.unit.fired_at = True
        if self.battle.pioneers:
            self.series.crossings.fired(unit, target)
            self.series.surprise.fired_at(unit, victim.unit)
        self.battle.fires[unit.side] += 1
        if self.series.log.level >= COMBATS:
            self._log(shot, victim, points, mode, drm)
        return shot

    def starred(self, unit: Unit, second: bool) -> i64:
        """10.69, 10.91, 14.33: the face of the die that costs a unit ammunition, in a second round or not; -1 none.

        Guns that fire rapidly suffer from a 0 too (10.68).
        """
        if unit.kind == ARTILLERY or second or self.options.small_arms_ammunition:
            return self.charts.fire_table.starred
        return -1

    def _classes(
        self, table: FireTable, points: i64, drm: i64, unit: Unit, over_friends: bool, second: bool
    ) -> list[int]:
        """The faces of the die by what they lead to: equal results are one branch where branches are counted.

        Faces that cost ammunition or strike friends stand apart (10.26, 10.68, 10.69, 10.91, 14.33).
        """
        starred = self.starred(unit, second)
        zero: i64 = 0 if unit.kind == ARTILLERY else -1
        classes: list[int] = []
        for face in range(10):
            group = face
            if face != starred and face != zero:
                text = table.result(points, face + drm).text
                strikes = over_friends and face <= self.charts.fire.friends_hit
                for earlier in range(face):
                    if earlier in (starred, zero):
                        continue
                    near = over_friends and earlier <= self.charts.fire.friends_hit
                    if near == strikes and table.result(points, earlier + drm).text == text:
                        group = earlier
                        break
            classes.append(group)
        return classes

    def _log(self, shot: Shot, victim: Part, points: i64, mode: i64, drm: i64) -> None:
        event = Event("fire")
        event.mode = MODES[mode]
        event.side = shot.unit.side
        event.unit = shot.unit.id
        event.target = victim.unit.id
        event.hex = shot.origins[0].id
        event.target_hex = shot.target.id
        event.range = shot.origins[0].distance_to(shot.target)
        event.sp = points
        event.target_sp = victim.points()
        event.guns = armament(shot.parts)
        event.drms = self.drms.text()
        event.drm = drm
        event.roll = shot.roll
        event.adjusted = shot.roll + drm
        event.result = shot.result.text
        self.series.log.add(event)
        shot.event.append(event)

    def apply(self, shot: Shot) -> None:
        """10.17, 10.41, 10.26: apply a fire that has been rolled; nothing where its target hex is empty by now."""
        if self.battle.held_by(shot.target) == 1 - shot.unit.side:
            first = [unit for unit in shot.first if unit.counts() and unit.stands_in(shot.target)]
            lost = self.series.results.apply_fire(shot.target, shot.result, shot.cause, first, shot.origins)
            for event in shot.event:
                event.losses = lost
        if shot.friends:
            self.series.results.friendly_fire(shot.friends)
            self.series.results.settle()

    def smoothbores(self, parts: list[Part]) -> list[Part]:
        """10.68: who of those that fire rapidly together fires the second shot: rifled guns do not."""
        return [part for part in parts if part.armed_with().rapid_fire]

    # -- ammunition ------------------------------------------------------------------------------------------------

    def deplete(self, shots: list[Shot]) -> None:
        """10.69, 10.68, 10.65: what batteries' rolls in their fire do to the ammunition, once all are rolled."""
        if not shots or shots[0].unit.kind != ARTILLERY:
            return
        guns: list[Part] = []
        levels: list[i64] = []
        for shot in shots:
            for part in shot.parts:
                if part not in guns:
                    guns.append(part)
                    levels.append(self._levels(part, shots))
        for at, part in enumerate(guns):
            if levels[at] > 0:
                self.series.batteries.use_ammunition(part, levels[at])

    def _levels(self, part: Part, shots: list[Shot]) -> i64:
        """10.69, 10.68, 10.65: levels of ammunition that a battery or section loses by the shots of its fire.

        A starred roll costs a level, but two at the same hex only one. It costs all where any part of the fire was
        rapid (in Gringo! if that part was), and so does a 0 in the rapid part.
        """
        levels: i64 = 0
        marked: list[Hex] = []
        twice = part.armed_with().rapid_fire  # rifles beside smoothbores that fire rapidly do not
        rapid = twice and any(shot.rapid and part in shot.parts for shot in shots)
        any_rapid = rapid and self.options.edition != GRINGO
        for shot in shots:
            if part not in shot.parts:
                continue
            starred = shot.roll == self.charts.fire_table.starred
            rapidly = twice and shot.rapid
            if (starred and (any_rapid or rapidly)) or (rapidly and shot.roll == 0):
                levels = NO_AMMO
            elif starred and shot.target not in marked:
                marked.append(shot.target)
                levels += 1
        if part.unit.sections:
            return self.series.batteries.shared_levels(part, shots, levels, rapid)
        return levels

    def note_rapid(self, unit: Unit) -> None:
        """10.68: tell the log that the next two fires of a unit are one rapid fire."""
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("rapid", unit.side, unit.id, unit.hex.id, "", "")


__all__ = ["LOW_AMMO", "NO_AMMO", "FireResolution", "Shot"]
