"""Chapter 10, fire combat: who may fire at whom, phasing fire, split and rapid fire, and the advance after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import FRONTS, NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ADVANCE, ARTILLERY, EXTENDED_LINE, IN_ONE_HEX, ON_MAP, Part, Unit
from simkit.model.formation import frontal
from simkit.model.sections import firers
from simkit.rules.commander import Aim, CommanderError
from simkit.rules.exchange import FireExchange, Volley
from simkit.rules.firemodifiers import PHASING
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex

UNLIMITED: Final[i64] = 1000  # hexes; no gun of any book fires so far
BOTH_PARTS: Final[i64] = -1  # of a split fire (10.65)


@mypyc_attr(allow_interpreted_subclasses=True)
class Fire(FireExchange):
    """Fire combat."""

    # -- who may fire at whom --------------------------------------------------------------------------------------

    def may_fire(self, unit: Unit) -> bool:
        """7.34, 10.11, 10.13, 10.31, 10.32, 10.33, 10.61, 10.62, 10.69, 13.4: whether a unit may use phasing fire now.

        Not once another unit has begun its Movement/Fire after it, but for combined small-arms fire (10.82).
        """
        if not unit.active or unit.side != self.battle.phasing or unit.finished or not self.able(unit):
            return False
        if unit.fired and not self._parts_left(unit):
            return False
        if unit.rallied or (unit.resupplied and not unit.sections) or unit.withdrew or unit.charging:
            return False  # 10.92: of several sections some may resupply, others fire
        if unit.completed and (unit.kind == ARTILLERY or not self.options.combined_fire):
            return False
        if unit.by_exception or unit.adjusted_facing or unit.joined_late:
            return False
        if not self.series.orders.may_fire_phasing(unit):
            return False
        if self.available(unit, PHASING) == 0:
            return False
        if unit.kind == ARTILLERY:
            return self._guns_may_fire(unit)
        if unit.orders == ADVANCE:
            return not unit.moved and unit.spent == 0 and unit.faced <= 1 and not unit.restacked
        return True

    def _parts_left(self, unit: Unit) -> bool:
        """8.45 of Gringo!: whether a line that has fired has parts, each as a unit of its own, that have not."""
        if unit.extended != EXTENDED_LINE or self.options.edition != GRINGO:
            return False
        return any(not part.book.phased for part in unit.parts)

    def _guns_may_fire(self, unit: Unit) -> bool:
        """10.61, 9.55, 8.24: whether a battery's movement lets it fire.

        Not after more than half its allowance, nor moved to within three hexes of an enemy in sight, nor in Gringo!
        with a new place in its stack.
        """
        if 2 * unit.spent > unit.movement_allowance():
            return False
        if unit.restacked and self.options.edition == GRINGO:
            return False
        return not (
            unit.moved and self.options.artillery_near_enemy == 1 and self.series.movement.guns_exposed(unit)
        )

    def targets(self, unit: Unit, within: i64 = UNLIMITED) -> list[Hex]:
        """10.12, 10.16, 10.21, 10.66, 10.82, 8.45: the hexes at which a unit may fire, in the order of the roster.

        Of a unit in one hex only those `within` so many hexes, unless it is obliged to fire at some.
        """
        if unit.place != ON_MAP:
            return []
        obliged = self.obliged(unit)
        if obliged:
            return obliged
        plain = unit.extended == IN_ONE_HEX and unit.refused == 0 and not unit.sections
        plain = plain and not self.options.combined_fire
        found: list[Hex] = []
        farthest = min(self.farthest(unit), within) if unit.extended == IN_ONE_HEX else self.farthest(unit)
        for place in self.battle.hexes_of(1 - unit.side):
            if place.distance_to(unit.hex) > farthest:
                continue
            if self.part_bears(unit.parts[0], place, PHASING) if plain else len(self.bearing(unit, place)) > 0:
                found.append(place)
        return found

    def farthest(self, unit: Unit) -> i64:
        """10.12, 8.45, 16.11: hexes from its counter beyond which nothing that a unit has can fire."""
        farthest: i64 = 0
        for part in firers(unit):
            reach = self.series.night.fire_range(part.armed_with().max_range)
            farthest = max(farthest, reach + part.hex.distance_to(unit.hex))
        return farthest

    def within_sight(self, unit: Unit) -> list[Hex]:
        """10.12, 10.21, 10.26: hexes of enemies at which a unit in one hex could fire if it faced them, and others.

        All that are within its range and sight, nobody in the way.
        """
        found: list[Hex] = []
        farthest = self.farthest(unit)
        here = unit.hex
        sight = self.series.sight
        for place in self.battle.hexes_of(1 - unit.side):
            away = place.distance_to(here)
            if away > farthest:
                continue
            if away < 2 or (sight.clear(here, place) and not sight.fire_blocked(unit, here, place)):
                found.append(place)
        return found

    def bearing(self, unit: Unit, target: Hex) -> list[Part]:
        """8.45, 7.34, 10.65: the parts or sections of a unit that can now fire at a hex, each by itself or together.

        None where others of its parts have fired before (in Gringo!): those who fire at one hex do so together.
        """
        found: list[Part] = []
        if self._struck(unit, target):
            return found
        for part in firers(unit):
            if part.book.phased or not self.part_bears(part, target, PHASING):
                continue
            if self.available_at(part, PHASING, target) > 0:
                found.append(part)
        return found

    def _struck(self, unit: Unit, target: Hex) -> bool:
        """8.45, 10.82: whether a part of a unit has used its phasing fire at a hex, or others whom it did not join."""
        if any(target.index in part.book.struck for part in unit.parts):
            return True
        if not self.options.combined_fire or unit.kind == ARTILLERY or unit.parts[0].book.place != unit.hex.index:
            return False
        for mate in unit.hex.stack:
            if mate.unit.kind != ARTILLERY and mate.book.place == unit.hex.index and target.index in mate.book.struck:
                return True
        return False

    def obliged(self, unit: Unit) -> list[Hex]:
        """10.66: hexes of which a battery alone in its hex must fire at one: of enemies that have it in their front."""
        found: list[Hex] = []
        if unit.kind != ARTILLERY or unit.place != ON_MAP or len(self.battle.units_in(unit.hex)) > 1:
            return found
        for side in frontal(unit.parts[0]):
            facing_it = False
            for enemy in self.battle.units_in(side.to):
                if enemy.side != unit.side and self.battle.in_front(enemy, unit.hex):
                    facing_it = True
            if facing_it and any(
                self.part_bears(part, side.to, PHASING) and self.available_at(part, PHASING, side.to) > 0
                for part in firers(unit)
            ):
                found.append(side.to)
        return found

    def splits(self, unit: Unit) -> list[list[Hex]]:
        """7.34, 10.15, 10.65, 10.66: the pairs of hexes between which a unit in one hex may split its phasing fire.

        Each pair in both orders, for the first gets the greater half; a pair may be one hex twice. A battery of several
        sections splits by section: see `phasing_parts`.
        """
        found: list[list[Hex]] = []
        if unit.extended != IN_ONE_HEX or unit.sections or not self.may_fire(unit):
            return found
        part = unit.parts[0]
        places: list[Hex] = []
        for enemy in self.battle.units:
            if enemy.side != unit.side and enemy.counts():
                for other in enemy.parts:
                    if other.hex not in places and self.part_bears(part, other.hex, PHASING):
                        places.append(other.hex)
        for first in places:
            for second in places:
                try:
                    self._volley([part], [first, second], [False, False], True)
                except CommanderError:
                    continue
                found.append([first, second])
        return found

    def estimated_modifier(self, unit: Unit, target: Hex) -> i64:
        """10.81: the DRMs of a phasing fire at a hex from where the unit stands, if it forgoes movement.

        For an extended unit: of all its parts together that can fire at the hex (8.45).

        Raises:
            CommanderError: nobody is in the hex.
        """
        if unit.extended == IN_ONE_HEX and not unit.sections:
            return self.modifier(unit, unit.hex, self._top(target), PHASING, True)
        parts = self.bearing(unit, target)
        return self.estimated_together(parts or firers(unit)[:1], target)

    def estimated_together(self, parts: list[Part], target: Hex) -> i64:
        """8.45, 10.81: the DRMs of a phasing fire of parts of a unit together, if it forgoes movement.

        Raises:
            CommanderError: nobody is in the hex, or no part is named.
        """
        if not parts:
            raise CommanderError(f"Fire.estimated_together: no part to fire at {target.id}; ask Fire.bearing")
        return self.combined_modifier(parts, self._top(target), PHASING, True)

    def _top(self, target: Hex) -> Part:
        """10.81: the part of a hex that a fire at it is reckoned against."""
        units = self.battle.units_in(target)
        if not units:
            raise CommanderError(f"Fire.estimated_modifier: nobody is in {target.id}; ask Fire.targets")
        return units[0].part_in(target)

    def strength_at(self, unit: Unit, target: Hex) -> i64:
        """8.33, 8.45, 7.34: strength points with which a unit can fire at a hex, all its parts that can together."""
        if unit.extended == IN_ONE_HEX and unit.refused == 0 and not unit.sections:
            return self.series.stacking.firing_limit(unit)
        points: i64 = 0
        for part in self.bearing(unit, target):
            points += self.available_at(part, PHASING, target)
        return points

    # -- phasing fire ----------------------------------------------------------------------------------------------

    def phasing(
        self, unit: Unit, targets: list[Hex], rapid: bool, standing: bool = True, rapid_part: i64 = BOTH_PARTS
    ) -> None:
        """10.3, 10.17, 10.42: a phasing unit fires, with all return fire, results and an advance.

        All fire is rolled before any result is applied, and applied in the order rolled; guns that answer with shot
        and shell wait for the results, and so do units that first react to a fire from outside their front. All parts
        of an extended unit, or sections of a battery, that can fire at its one target do so together; for any other
        fire of theirs see `phasing_parts`.

        Args:
            unit: who fires.
            targets: one hex; or two between which it splits its fire, the first with the greater half (10.15, 10.65).
                A refused unit may name one more for its refused front, and splits between its fronts by 7.34.
            rapid: rapid fire (10.68).
            rapid_part: which part of a split, 0 or 1, fires rapidly; by default both (10.65).
            standing: forgo movement for Prepared Fire, or to spare guns the DRM for moving (10.52, 10.61).

        Raises:
            CommanderError: it may not fire so.
        """
        if unit.extended == EXTENDED_LINE:
            self.phasing_parts(unit, [Aim(self.bearing(unit, target), [target]) for target in targets], standing)
            return
        if unit.sections:
            self._phasing_sections(unit, targets, rapid, standing)
            return
        units: list[Unit] = []
        for one in self.together(unit, targets):
            if one is unit or self.series.owner(one).fires_with(self.series, one, unit, targets):
                units.append(one)
        if rapid_part < BOTH_PARTS or rapid_part >= len(targets):
            raise CommanderError(
                f"Fire.phasing: rapid_part {rapid_part} for {unit.id}; right would be -1 to {len(targets) - 1} (10.65)"
            )
        rapidly: list[bool] = [rapid and (rapid_part == BOTH_PARTS or at == rapid_part) for at in range(len(targets))]
        volley = self._volley([one.part_in(unit.hex) for one in units], targets, rapidly, standing)
        origin = unit.hex
        self.exchange([volley], standing)
        for one in units:
            self._advance(one, origin, volley.places())

    def _phasing_sections(self, unit: Unit, targets: list[Hex], rapid: bool, standing: bool) -> None:
        """10.65: all sections of a battery that can fire at its one target do so together, in Gringo! also at two."""
        if not targets or (len(targets) > 1 and self.options.edition != GRINGO):
            raise CommanderError(
                f"Fire.phasing: {len(targets)} targets for {unit.id}; right would be one, or by section at two with"
                f" Fire.phasing_parts (10.65)"
            )
        sections = self.bearing(unit, targets[0])
        if len(targets) > 1:
            sections = [section for section in sections if section in self.bearing(unit, targets[1])]
        self.phasing_parts(unit, [Aim(sections, targets, rapid)], standing)

    def phasing_parts(self, unit: Unit, aims: list[Aim], standing: bool = True) -> None:
        """8.45, 10.14: a phasing extended unit fires part by part, or several parts at one hex; all is announced first.

        So do the sections of a battery, also one after the other at one hex (10.65; see `Batteries.volley`).

        In Gringo! one fire after the other is announced and resolved, as if the parts were units; those that come to
        nothing by what happens before are left out, and parts that are not named may fire later.

        Args:
            unit: who fires.
            aims: which of its parts fire at what; parts that are in none do not fire in this activation.
            standing: as for `phasing`.

        Raises:
            CommanderError: it may not fire so.
        """
        if unit.sections:
            volley = self.series.batteries.volley(unit, aims, standing)
            self.exchange([volley], standing)
            return
        self._check_aims(unit, aims)
        if self.options.edition == GRINGO and len(aims) > 1:
            for aim in aims:
                if self.may_fire(unit) and self._still_good(unit, aim):
                    self.phasing_parts(unit, [aim], standing)
            return
        volleys: list[Volley] = []
        places: list[Hex] = []
        for aim in aims:
            volleys.append(self._volley(aim.parts, aim.targets, [False] * len(aim.targets), standing))
            places.extend(volleys[len(volleys) - 1].places())
        origin = unit.hex
        self.exchange(volleys, standing)
        self._advance(unit, origin, places)

    def _still_good(self, unit: Unit, aim: Aim) -> bool:
        """8.45 of Gringo!: whether the parts of a unit can still fire as announced after its others have fired."""
        for target in aim.targets:
            if self.battle.held_by(target) != 1 - unit.side:
                return False
            for part in aim.parts:
                if part not in unit.parts or part not in self.bearing(unit, target):
                    return False
        return True

    def _check_aims(self, unit: Unit, aims: list[Aim]) -> None:
        """8.45, 10.15, 7.34: CommanderError if the parts of a unit do not fire at different hexes, each front once."""
        places: list[Hex] = []
        used: list[tuple[Part, i64]] = []
        for aim in aims:
            if not aim.parts or [part for part in aim.parts if part not in unit.parts]:
                raise CommanderError(f"Fire.phasing_parts: name parts of {unit.id}; ask Fire.bearing")
            if len(aim.parts) > 1 and len(aim.targets) != 1:
                raise CommanderError(f"Fire.phasing_parts: parts of {unit.id} that split can't combine (8.45)")
            for part in aim.parts:
                fronts: list[i64] = []
                for target in aim.targets:
                    front = self.front_to(part, target)
                    if front not in fronts:
                        fronts.append(front)
                for front in fronts:
                    if (part, front) in used:
                        raise CommanderError(
                            f"Fire.phasing_parts: the part of {unit.id} in {part.hex.id} is to fire twice (10.31)"
                        )
                    used.append((part, front))
            for target in aim.targets:
                if target in places:
                    raise CommanderError(
                        f"Fire.phasing_parts: parts of {unit.id} that fire at {target.id} must do so together (8.45)"
                    )
            places.extend(aim.targets)
        if not aims:
            raise CommanderError(f"Fire.phasing_parts: no fire named for {unit.id}")

    def together(self, unit: Unit, targets: list[Hex]) -> list[Unit]:
        """10.82: who fires with a unit: by option all small arms of its hex that may fire at the same targets."""
        units: list[Unit] = [unit]
        if self.options.combined_fire and unit.kind != ARTILLERY:
            for mate in self.battle.units_in(unit.hex):
                if mate is unit or mate.kind == ARTILLERY or not self.may_fire(mate):
                    continue
                part = mate.part_in(unit.hex)
                bears = True
                for target in targets:
                    bears = bears and self.part_bears(part, target, PHASING)
                    bears = bears and self.available_at(part, PHASING, target) > 0
                if bears:
                    units.append(mate)
        return units

    def phasing_together(self, units: list[Unit], target: Hex, standing: bool = True) -> None:
        """10.63, 10.64, 16.12: batteries stacked in one hex combine their fire at four hexes or more, but not at night.

        Args:
            units: the batteries, two or more, each of which may fire at the target.
            target: the hex.
            standing: as for `phasing`, for all of them.

        Raises:
            CommanderError: they may not fire so.
        """
        if len(units) < 2:
            raise CommanderError(f"Fire.phasing_together: {len(units)} batteries named; it takes two or more (10.63)")
        if self.series.night.batteries_alone():
            raise CommanderError("Fire.phasing_together: at night each battery fires separately (16.12)")
        for at, unit in enumerate(units):
            if unit in units[:at]:
                raise CommanderError(f"Fire.phasing_together: {unit.id} is named twice (10.63)")
            if unit.hex is not units[0].hex or not unit.weapon.shell(unit.hex.distance_to(target)):
                raise CommanderError(
                    f"Fire.phasing_together: {unit.id} may combine its fire only with a battery of its hex, at four"
                    f" hexes or more (10.63)"
                )
        if any(unit.sections for unit in units):
            guns: list[Part] = []
            for unit in units:
                guns.extend(self.bearing(unit, target))
            divided = [unit for unit in units if unit.sections]
            self.phasing_parts(divided[0], [Aim(guns, [target])], standing)
            return
        self.exchange([self._volley([unit.parts[0] for unit in units], [target], [False], standing)], standing)

    def _volley(self, parts: list[Part], targets: list[Hex], rapidly: list[bool], standing: bool) -> Volley:
        """10.15, 10.65, 7.34: a fire with each part's points; CommanderError if the rules do not allow it."""
        for part in parts:
            self._check(part, targets, rapidly, standing)
        volley = Volley(parts, targets, rapidly)
        volley.fronts = [int(self.front_to(parts[0], target)) for target in targets]
        for part in parts:
            share: list[int] = [0] * FRONTS
            for at, front in enumerate(volley.fronts):
                share[front] = int(self.available_at(part, PHASING, targets[at]))
            volley.shares.append(share)
        for front in (NORMAL_FRONT, REFUSED_FRONT):
            through = [targets[at] for at in range(len(targets)) if volley.fronts[at] == front]
            if len(through) > 1:
                self.check_split(parts[0], through, sum([share[front] for share in volley.shares]))
        return volley

    def check_split(self, part: Part, targets: list[Hex], points: i64) -> None:
        """10.15, 10.65: CommanderError if a part may not split so many points between targets in one front."""
        unit = part.unit
        if len(targets) > 2:
            raise CommanderError(f"Fire.phasing: {len(targets)} targets in one front of {unit.id}; right would be two")
        if points < 2:
            raise CommanderError(f"Fire.phasing: {unit.id} can fire only {points} SP; it takes two to split (10.15)")
        if targets[0] is targets[1] and unit.kind == ARTILLERY and self.options.edition == GRINGO:
            raise CommanderError(f"Fire.phasing: {unit.id} may not split its fire at one hex (10.65 of Gringo!)")
        if unit.kind != ARTILLERY:
            near = part.hex.distance_to(targets[0]) == 1 and part.hex.distance_to(targets[1]) == 1
            if targets[0] is targets[1] or not near:
                raise CommanderError(f"Fire.phasing: {unit.id} may split only between its two frontal hexes (10.15)")

    def _check(self, part: Part, targets: list[Hex], rapidly: list[bool], standing: bool) -> None:
        """10.3, 10.12, 10.66, 10.68: CommanderError if a part may not fire at these targets."""
        unit = part.unit
        self.check_aim(part, targets)
        for at, target in enumerate(targets):
            if rapidly[at] and not self.may_rapid(unit, target, PHASING, standing):
                raise CommanderError(f"Fire.phasing: {unit.id} may not use rapid fire at {target.id} (10.68)")
        self.check_obliged(unit, targets)

    def check_aim(self, part: Part, targets: list[Hex]) -> None:
        """10.3, 10.12, 7.34: CommanderError if a part or section may not fire now, or not at one of these targets."""
        unit = part.unit
        if not self.may_fire(unit) or part.book.phased:
            raise CommanderError(f"Fire.phasing: {unit.id} may not fire now; ask Fire.may_fire (10.3)")
        count = len(targets)
        most = 3 if unit.refused != 0 and unit.kind != ARTILLERY else 2
        if count < 1 or count > most:
            raise CommanderError(f"Fire.phasing: {count} targets for {unit.id}; right would be 1 to {most} (10.15)")
        for target in targets:
            bears = self.part_bears(part, target, PHASING) and not self._struck(unit, target)
            if self.battle.held_by(target) != 1 - unit.side or not bears:
                raise CommanderError(f"Fire.phasing: {unit.id} can't fire at {target.id}; ask Fire.targets (10.12)")
            if self.available_at(part, PHASING, target) == 0:
                raise CommanderError(f"Fire.phasing: {unit.id} has no points for {target.id}; ask Fire.targets (7.34)")

    def check_obliged(self, unit: Unit, targets: list[Hex]) -> None:
        """10.66: CommanderError if a battery alone does not fire at an enemy that has it in its front."""
        obliged = self.obliged(unit)
        if not obliged:
            return
        bound = True
        for target in targets:
            if target in obliged:
                bound = False
            elif unit.hex.distance_to(target) > 1:
                bound = True
                break
        if bound:
            raise CommanderError(f"Fire.phasing: {unit.id} must fire at the enemy beside it (10.66)")

    # -- advance ---------------------------------------------------------------------------------------------------

    def _advance(self, unit: Unit, origin: Hex, places: list[Hex]) -> None:
        """12.6: after all results a firing unit that was adjacent may advance into a hex that the fire has emptied."""
        if not unit.counts() or unit.hex is not origin or unit.finished:
            return
        for place in places:
            if self.battle.held_by(place) != -1 or not self.series.retreat.may_advance(unit, place):
                continue
            if self.series.owner(unit).advance_after_fire(self.series, unit, place):
                self.series.retreat.advance(unit, place)
                return
