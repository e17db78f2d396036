"""Chapter 10, fire combat: phasing fire with its return fire, split and rapid fire, and the advance after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ADVANCE, ARTILLERY, Unit
from simkit.rules.commander import CommanderError
from simkit.rules.firemodifiers import PHASING, RETURN
from simkit.rules.fireresolution import Shot
from simkit.rules.nonphasing import NonPhasingFire
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex

BOTH_PARTS: Final[i64] = -1  # of a split fire (10.65)


@mypyc_attr(allow_interpreted_subclasses=True)
class Fire(NonPhasingFire):
    """Fire combat."""

    # -- who may fire at whom --------------------------------------------------------------------------------------

    def may_fire(self, unit: Unit) -> bool:
        """7.34, 10.11, 10.13, 10.31, 10.32, 10.33, 10.61, 10.62, 10.69, 13.4: whether a unit may use phasing fire now.

        Not once another unit has begun its Movement/Fire after it, but for combined small-arms fire (10.82).
        """
        if not unit.active or unit.side != self.battle.phasing or unit.fired or unit.finished or not self.able(unit):
            return False
        if unit.rallied or unit.resupplied or unit.withdrew or unit.charging:
            return False
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

    def targets(self, unit: Unit) -> list[Hex]:
        """10.12, 10.16, 10.21, 10.66: the hexes at which a unit may fire all it has, in the order of the roster."""
        obliged = self.obliged(unit)
        if obliged:
            return obliged
        found: list[Hex] = []
        for enemy in self.battle.units:
            if enemy.side == unit.side or not enemy.counts() or enemy.hex in found:
                continue
            if self.bears_on(unit, enemy.hex, PHASING):
                found.append(enemy.hex)
        return found

    def obliged(self, unit: Unit) -> list[Hex]:
        """10.66: hexes of which a battery alone in its hex must fire at one: of enemies that have it in their front."""
        found: list[Hex] = []
        if unit.kind != ARTILLERY or len(self.battle.units_in(unit.hex)) > 1:
            return found
        for side in unit.hex.nodes[unit.heading].ahead:
            facing_it = False
            for enemy in self.battle.units_in(side.to):
                if enemy.side != unit.side and self.battle.in_front(enemy, unit.hex):
                    facing_it = True
            if facing_it and self.bears_on(unit, side.to, PHASING):
                found.append(side.to)
        return found

    def estimated_modifier(self, unit: Unit, target: Hex) -> i64:
        """10.81: the DRMs of a phasing fire at a hex from where the unit stands, if it forgoes movement."""
        return self.modifier(unit, unit.hex, self.battle.units_in(target)[0], PHASING, True)

    # -- phasing fire ----------------------------------------------------------------------------------------------

    def phasing(
        self, unit: Unit, targets: list[Hex], rapid: bool, standing: bool = True, rapid_part: i64 = BOTH_PARTS
    ) -> None:
        """10.3, 10.17, 10.42: a phasing unit fires, with all return fire, results and an advance.

        All fire is rolled before any result is applied, and applied in the order rolled; guns that answer with shot
        and shell wait for the results.

        Args:
            unit: who fires.
            targets: one hex; or two between which it splits its fire, the first with the greater half (10.15, 10.65).
            rapid: rapid fire (10.68).
            rapid_part: which part of a split, 0 or 1, fires rapidly; by default both (10.65).
            standing: forgo movement for Prepared Fire, or to spare guns the DRM for moving (10.52, 10.61).

        Raises:
            CommanderError: it may not fire so.
        """
        units = self.together(unit, targets)
        if rapid_part < BOTH_PARTS or rapid_part >= len(targets):
            raise CommanderError(
                f"Fire.phasing: rapid_part {rapid_part} for {unit.id}; right would be -1 to {len(targets) - 1} (10.65)"
            )
        rapidly: list[bool] = [rapid and (rapid_part == BOTH_PARTS or at == rapid_part) for at in range(len(targets))]
        shares = self._shares(units, targets, rapidly, standing)
        origin = unit.hex
        places: list[Hex] = []
        for target in targets:
            if target not in places:
                places.append(target)
        self._exchange(units, targets, places, shares, rapidly, standing)
        for one in units:
            self._advance(one, origin, places)

    def together(self, unit: Unit, targets: list[Hex]) -> list[Unit]:
        """10.82: who fires with a unit: by option all small arms of its hex that may fire at the same targets."""
        units: list[Unit] = [unit]
        if self.options.combined_fire and unit.kind != ARTILLERY:
            for mate in self.battle.units_in(unit.hex):
                if mate is unit or mate.kind == ARTILLERY or not self.may_fire(mate):
                    continue
                bears = True
                for target in targets:
                    bears = bears and self.bears_on(mate, target, PHASING)
                if bears:
                    units.append(mate)
        return units

    def phasing_together(self, units: list[Unit], target: Hex, standing: bool = True) -> None:
        """10.63, 10.64: batteries stacked in one hex combine their fire at four hexes or more.

        Args:
            units: the batteries, two or more, each of which may fire at the target.
            target: the hex.
            standing: as for `phasing`, for all of them.

        Raises:
            CommanderError: they may not fire so.
        """
        for unit in units:
            if unit.hex is not units[0].hex or not unit.weapon.shell(unit.hex.distance_to(target)):
                raise CommanderError(
                    f"Fire.phasing_together: {unit.id} may combine its fire only with a battery of its hex, at four"
                    f" hexes or more (10.63)"
                )
        shares = self._shares(units, [target], [False], standing)
        self._exchange(units, [target], [target], shares, [False], standing)

    def _exchange(
        self, units: list[Unit], targets: list[Hex], places: list[Hex], shares: list[int], rapidly: list[bool],
        standing: bool,
    ) -> None:
        """10.42: declare and roll both sides' fire, apply all in the order rolled, see to those who answer late.

        Targets that the fire strikes from outside their front may react once its own results are applied (9.61); they
        and guns that fire shot and shell answer after all results.
        """
        origin = units[0].hex
        side = units[0].side
        points: list[int] = [self.available(unit, PHASING) for unit in units]
        self.battle.take_up(units[0])
        for at, unit in enumerate(units):
            unit.acting = True
            unit.fired = True
            self.use_frontage(unit, PHASING, points[at])
        answers = self.return_fire(origin, places, 1 - side, False)
        shots = self._phasing_shots(units, targets, shares, rapidly, standing)
        own = len(shots)
        for answer in answers:
            shots.extend(self.roll(answer, RETURN))
        outflanked = self.series.reaction.targeted(places, origin)
        late: list[Unit] = []
        for at, shot in enumerate(shots):
            if at == own and outflanked:
                late = self.series.reaction.to_fire(units, places, outflanked)
            self.apply(shot)
        if own == len(shots) and outflanked:
            late = self.series.reaction.to_fire(units, places, outflanked)
        if late and self.battle.held_by(origin) == side:
            self.one_by_one(self.late_return(late, origin), RETURN)
        if self.battle.held_by(origin) == side:
            self.one_by_one(self.return_fire(origin, places, 1 - side, True), RETURN)

    def _phasing_shots(
        self, units: list[Unit], targets: list[Hex], shares: list[int], rapidly: list[bool], standing: bool
    ) -> list[Shot]:
        """The rolls of the phasing units; their effect on ammunition and freedom to move (10.52, 10.61, 10.68)."""
        shots: list[Shot] = []
        for at, target in enumerate(targets):
            rapid = rapidly[at]
            if rapid:
                self.note_rapid(units[0])
            for _ in range(2 if rapid else 1):
                shots.append(self.shoot(units, target, [], shares[at], PHASING, standing))
                shots[len(shots) - 1].rapid = rapid
            for unit in units:
                moved = unit.moved or unit.spent > 0
                if self.drms.prepared != 0 or rapid or (unit.kind == ARTILLERY and standing and not moved):
                    unit.stood_to_fire = True
        self.deplete(shots)
        return shots

    def _shares(self, units: list[Unit], targets: list[Hex], rapidly: list[bool], standing: bool) -> list[int]:
        """10.15, 10.65: the points for each target; CommanderError if the rules do not allow the fire."""
        count = len(targets)
        points: i64 = 0
        for unit in units:
            self._check(unit, targets, rapidly, standing)
            points += self.available(unit, PHASING)
        if count == 1:
            return [points]
        unit = units[0]
        if points < 2:
            raise CommanderError(f"Fire.phasing: {unit.id} can fire only {points} SP; it takes two to split (10.15)")
        if unit.kind != ARTILLERY:
            near = unit.hex.distance_to(targets[0]) == 1 and unit.hex.distance_to(targets[1]) == 1
            if targets[0] is targets[1] or not near:
                raise CommanderError(f"Fire.phasing: {unit.id} may split only between its two frontal hexes (10.15)")
        return [points - points // 2, points // 2]

    def _check(self, unit: Unit, targets: list[Hex], rapidly: list[bool], standing: bool) -> None:
        """10.3, 10.12, 10.66, 10.68: CommanderError if a unit may not fire at these targets."""
        if not self.may_fire(unit):
            raise CommanderError(f"Fire.phasing: {unit.id} may not fire now; ask Fire.may_fire (10.3)")
        obliged = self.obliged(unit)
        count = len(targets)
        if count != 1 and count != 2:
            raise CommanderError(f"Fire.phasing: {count} targets for {unit.id}; right would be one, or two (10.15)")
        bound = len(obliged) > 0
        for at, target in enumerate(targets):
            if self.battle.held_by(target) != 1 - unit.side or not self.bears_on(unit, target, PHASING):
                raise CommanderError(f"Fire.phasing: {unit.id} can't fire at {target.id}; ask Fire.targets (10.12)")
            if rapidly[at] and not self.may_rapid(unit, target, PHASING, standing):
                raise CommanderError(f"Fire.phasing: {unit.id} may not use rapid fire at {target.id} (10.68)")
            if target in obliged:
                bound = False
            elif obliged and unit.hex.distance_to(target) > 1:
                raise CommanderError(f"Fire.phasing: {unit.id} must fire at the enemy beside it (10.66)")
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
