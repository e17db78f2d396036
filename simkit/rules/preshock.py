"""The steps of a shock before its resolution: targets, retreat, commitment, cohesion, fire (11.31 to 11.38)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_PRE_SHOCK_CHECK, CAUSE_RETREAT_BEFORE_SHOCK
from simkit.model.forces import ARTILLERY, BY_SHOCK, MARCH, ROUTED
from simkit.model.log import EVERYTHING, Event
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.shockestimate import ShockEstimate
from simkit.rules.shockinprogress import (
    BROKE,
    COHESION_CHECK,
    COMMITMENT,
    GAVE_WAY,
    HELD,
    LEFT,
    PRE_SHOCK_FIRE,
    RETREATS,
    STEPS,
    Attacker,
    ShockInProgress,
)

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class PreShock(ShockEstimate):
    """Steps 1 to 5 of the shock procedure (11.11), each done for all shocks before the next.

    A step that goes stack by stack keeps those that are `waiting`, so that it can be broken off between them.
    """

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        # the hexes of the stacks to be checked in step 4, and who stood in each of them when the step began
        self.checked_hexes: list[Hex] = []
        self.checked_stacks: list[list[Unit]] = []

    def numbers(self) -> list[int]:
        """11.11: how far the shocks of the activation have come, as far as it bears on what follows."""
        kept = super().numbers()
        for at, place in enumerate(self.checked_hexes):
            kept.append(-5)
            kept.append(int(place.index))
            kept.extend([int(unit.index) for unit in self.checked_stacks[at]])
        return kept

    # -- step 1 ------------------------------------------------------------------------------------------------------

    def designate(self, designations: list[Designation], brigades: list[Command]) -> None:
        """11.31: step 1: take up the designations of the active brigades; CommanderError if they are illegal."""
        faults = self.check(designations, brigades)
        if faults:
            raise CommanderError(f"Commander.shocks: {'; '.join(faults)}")
        self.shocks = []
        everyone: list[Unit] = []
        for designation in designations:
            attackers = [
                Attacker(unit, unit.hex, unit.heading, unit.moved, self.charges(unit))
                for unit in designation.attackers
            ]
            everyone.extend(designation.attackers)
            self.shocks.append(ShockInProgress(attackers[0].unit.side, attackers, self.whole(designation.targets), 0))
        unled = self.unled_brigades(everyone)
        for shock in self.shocks:
            shock.unled = unled
            shock.first_unled = unled
            for attacker in shock.attackers:
                attacker.unit.charging = attacker.charging
                attacker.unit.shocked = True
                attacker.unit.turn_acted = True
            self.mark_targets(shock)

    def mark_targets(self, shock: ShockInProgress) -> None:
        """6.34, 11.31: put the shock markers on the units in the target hexes."""
        self.series.reserve.targeted(shock.targets, 1)
        for target in shock.targets:
            for unit in self.battle.units_in(target):
                if unit in shock.defenders:
                    continue  # extended, and in another of the targets
                shock.defenders.append(unit)
                unit.shock_target = True
                unit.turn_acted = True

    def target_hexes(self) -> list[Hex]:
        """All target hexes, in the order of designation."""
        found: list[Hex] = []
        for shock in self.shocks:
            for target in shock.targets:
                if target not in found:
                    found.append(target)
        return found

    def target_stacks(self) -> list[Hex]:
        """8.46: one hex for each stack that is attacked, in the order of designation: its counter's if extended."""
        return self.goals(self.target_hexes())

    def shocks_against(self, place: Hex) -> list[ShockInProgress]:
        """The unresolved shocks with attackers left that target a hex."""
        return [shock for shock in self.shocks if shock.attackers and shock.attacks(place)]

    def held(self, shock: ShockInProgress, target: Hex) -> bool:
        """Whether enemies of the attackers still hold a target hex; abandoned guns do not."""
        return self.battle.held_by(target) == 1 - shock.side

    def any_held(self, shock: ShockInProgress) -> bool:
        """Whether any of its target hexes is still held, of an extended unit's those that attackers have in front.

        An Extended Column that has slid back along itself has vacated what was struck (8.5, 11.46).
        """
        return any(self.held(shock, target) for target in shock.struck())

    def note_vacated_hexes(self, places: list[Hex], fate: i64) -> None:
        """Record why those of some hexes that nobody holds any more were left, unless it is known already."""
        for place in places:
            if self.battle.held_by(place) == -1 and not self._fate_known(place):
                self.note_fate(place, fate)

    def _fate_known(self, place: Hex) -> bool:
        return any(shock.attacks(place) and shock.fates[shock.targets.index(place)] != HELD for shock in self.shocks)

    def note_fate(self, place: Hex, fate: i64) -> None:
        """Record in all shocks against a hex why its defenders are gone."""
        for shock in self.shocks:
            shock.set_fate(place, fate)

    def _advance_step(self, step: i64) -> None:
        for shock in self.shocks:
            shock.step = step

    def next_stack(self, waiting: list[Hex]) -> Hex:
        """11.11: take from the stacks that a step has still to come to the one that their owner wants to go next."""
        tops: list[Unit] = []
        held: list[Hex] = []
        for place in waiting:
            top = self.battle.top_unit(place)
            if top is not None:
                tops.append(top)
                held.append(place)
        if len(tops) < 2:
            return waiting.pop(0)
        answer = self.series.owner(tops[0]).next_stack(self.series, tops, STEPS[self.shocks[0].step])
        chosen = held[self.index("next_stack", tops[0], answer, 0, len(tops))]
        waiting.remove(chosen)
        return chosen

    # -- step 2 ------------------------------------------------------------------------------------------------------

    def begin_retreats(self) -> None:
        """11.11, 11.33, 11.34: step 2: stacks that might give way decide, one after the other, as their owner likes."""
        self._advance_step(RETREATS)
        self.waiting = [
            target for target in self.target_stacks() if self.might_retreat(target, self.shocks_against(target))
        ]

    def next_retreat(self) -> None:
        """11.33, 11.34: step 2 for the next of the stacks that wait for it."""
        target = self.next_stack(self.waiting)
        self.offer_retreat(target, self.shocks_against(target))
        self.pause(STEPS[RETREATS])

    def might_retreat(self, target: Hex, shocks: list[ShockInProgress]) -> bool:
        """11.33: whether any unit of a stack is one that may retreat before these shocks."""
        return any(self.may_retreat_before_shock(unit, shocks) for unit in self.force_in(target))

    def may_retreat_before_shock(self, unit: Unit, shocks: list[ShockInProgress]) -> bool:
        """11.33: whether a unit may retreat before these shocks: not guns, by its orders, and not before cavalry."""
        if unit.side == self.battle.phasing or unit.kind == ARTILLERY:
            return False
        if not (unit.blown or self.series.orders.may_retreat_before_shock(unit)):
            return False
        for shock in shocks:
            for attacker in shock.attackers:
                if attacker.unit.is_mounted():
                    return False
        return True

    def offer_retreat(self, target: Hex, shocks: list[ShockInProgress]) -> None:
        """11.33, 11.34, 12.43: let the owner of a target hex decide on its retreat before shock."""
        places = self.hexes_of(target)
        leaving = [unit for unit in self.force_in(target) if self.may_retreat_before_shock(unit, shocks)]
        if not leaving:
            return
        most: i64 = 2
        for unit in leaving:
            if not unit.is_mounted():
                most = 1
        attackers: list[Unit] = []
        for shock in shocks:
            attackers.extend(shock.units())
        causes = _hexes_of(shocks)
        if not self.series.retreat.could(leaving, 1, most, causes):
            return
        if not self.series.owner(leaving[0]).retreat_before_shock(self.series, leaving, attackers):
            return
        if len(leaving) > 1:
            owner = self.series.owner(leaving[0])
            leaving = [unit for unit in leaving if owner.gives_way(self.series, unit, attackers)]
            if not leaving or not self.series.retreat.could(leaving, 1, most, causes):
                return
        if self.series.log.level >= EVERYTHING:
            for unit in leaving:
                self.series.log.note("retreat before shock", unit.side, unit.id, target.id, "", "")
        results = self.series.results
        results.begin_shock(attackers, leaving)
        self.series.retreat.retreat(leaving, 1, most, causes, BY_SHOCK, True)
        results.retreat_over()
        for unit in leaving:
            if unit.counts() and unit.disordered and not results.udd(unit, 0, "retreat before shock"):
                results.disorder(unit, CAUSE_RETREAT_BEFORE_SHOCK)
        results.end()
        self.note_vacated_hexes(places, GAVE_WAY)

    # -- step 3 ------------------------------------------------------------------------------------------------------

    def commitment_checks(self) -> None:
        """11.36, 14.1, 8.36: step 3: every green attacker checks; who fails drops out, without disorder.

        What only a line that fails had in front is attacked no longer (8.46).
        """
        self._advance_step(COMMITMENT)
        for shock in self.shocks:
            if not self.any_held(shock):
                continue
            for attacker in list(shock.attackers):
                unit = attacker.unit
                if unit.green and unit.counts():
                    passed = self.series.results.udd(unit, 0, "commitment")
                    if not passed:
                        shock.attackers.remove(attacker)
                        self.give_up_targets(shock)
                    self._log_check("commitment", unit, passed)
        self.pause(STEPS[COMMITMENT])

    def give_up_targets(self, shock: ShockInProgress) -> None:
        """8.46: of several targets give up those that none of the attackers who are left has in front."""
        if shock.attackers and len(shock.targets) > 1:
            shock.keep_targets(self.whole(shock.struck()))

    def _log_check(self, kind: str, unit: Unit, passed: bool) -> None:
        if self.series.log.level >= EVERYTHING:
            event = Event(kind)
            event.side = unit.side
            event.unit = unit.id
            event.hex = unit.hex.id
            event.roll = self.series.dice.last
            event.result = "passed" if passed else "failed"
            self.series.log.add(event)

    # -- step 4 ------------------------------------------------------------------------------------------------------

    def begin_checks(self) -> None:
        """11.11, 11.37: step 4: the top unit of every stack that is still attacked is to check its cohesion, once."""
        self._advance_step(COHESION_CHECK)
        for target in self.target_stacks():
            shocks = self.shocks_against(target)
            if shocks and self.held(shocks[0], target):
                self.waiting.append(target)
                for place in self.hexes_of(target):
                    self.checked_hexes.append(place)
                    self.checked_stacks.append(self.battle.units_in(place))

    def next_check(self) -> None:
        """11.37: step 4 for the next of the stacks that wait for it.

        Stacks whom the check of another has made rout count as broken by it (11.47).
        """
        target = self.next_stack(self.waiting)
        shocks = self.shocks_against(target)
        if shocks and self.held(shocks[0], target):
            self.cohesion_check(target, shocks)
            for at, place in enumerate(self.checked_hexes):
                self.note_vacated_hexes([place], BROKE if _all_broke(self.checked_stacks[at]) else LEFT)
            self.pause(STEPS[COHESION_CHECK])

    def cohesion_check(self, target: Hex, shocks: list[ShockInProgress]) -> None:
        """11.37, 11.62, 8.36: a failed check disorders the whole stack; under March Orders it routs.

        An extended unit is one stack with all the guns in its hexes (8.46). Who countercharges does not check (11.56).
        """
        if self.series.charge.countercharge(target, shocks):
            return
        places = self.hexes_of(target)
        stack = self.force_in(target)
        top = self._checking(stack, places)
        attackers: list[Unit] = []
        for shock in shocks:
            attackers.extend(shock.units())
        results = self.series.results
        results.begin_shock(attackers, stack)
        marching = top.orders == MARCH
        passed = results.udd(top, self.pre_shock_drm(target, shocks, top), "pre-shock")
        self._log_check("pre-shock", top, passed)
        if marching and not passed:
            for unit in stack:
                results.rout(unit, "pre-shock check")
        elif marching or not passed:
            for unit in stack:
                results.disorder(unit, CAUSE_PRE_SHOCK_CHECK)
        results.end()

    def _checking(self, stack: list[Unit], places: list[Hex]) -> Unit:
        """11.37: the top unit; of a line with guns on top in some of its hexes whichever top unit its owner names."""
        tops = [unit for unit in stack if any(self.battle.top_unit(place) is unit for place in places)]
        chosen: i64 = 0
        if len(tops) > 1:
            answer = self.series.owner(tops[0]).top_defender(self.series, tops)
            chosen = self.index("top_defender", tops[0], answer, 0, len(tops))
        return tops[chosen]

    # -- step 5 ------------------------------------------------------------------------------------------------------

    def begin_pre_shock_fire(self) -> None:
        """11.38, 10.43: step 5: units with shock attackers in their front declare their fire at them."""
        self._advance_step(PRE_SHOCK_FIRE)
        self.checked_hexes = []
        self.checked_stacks = []
        self.series.fire.declare_before_shock(self.shocks)


def _hexes_of(shocks: list[ShockInProgress]) -> list[Hex]:
    found: list[Hex] = []
    for shock in shocks:
        for place in shock.places():
            if place not in found:
                found.append(place)
    return found


def _all_broke(stack: list[Unit]) -> bool:
    """11.47: whether all of a stack routed or abandoned their guns."""
    return all(unit.place == ROUTED or unit.abandoned != 0 for unit in stack)
