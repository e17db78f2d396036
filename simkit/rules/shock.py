"""Chapter 11: the steps of all shocks of an activation, their order, and the disorder after them (11.1, 11.48)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_POST_SHOCK
from simkit.model.forces import ARTILLERY, BY_SECOND_DISORDER, MARCH
from simkit.rules.countershock import CounterShock
from simkit.rules.effects import LOSS
from simkit.rules.options import GRINGO
from simkit.rules.shockinprogress import (
    AFTERMATH,
    COHESION_CHECK,
    COMMITMENT,
    FINISHED,
    PRE_SHOCK_FIRE,
    RESOLUTION,
    RETREATS,
    STEPS,
    Attacker,
    ShockInProgress,
    Underway,
    counterparts,
)

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.charts import ShockResult
    from simkit.model.forces import Command, Unit
    from simkit.rules.commander import Designation
    from simkit.rules.options import Options
    from simkit.rules.series import Series

# common multiple of the numbers of hexes that attack together, so that their middle is a whole number
SCALE: Final[i64] = 60


@mypyc_attr(allow_interpreted_subclasses=True)
class Shock(CounterShock):
    """Shock assault as a whole: `conduct` takes the designations of an activation through all steps (11.11).

    `stage` is the step that all its shocks are at. Between two steps, where dice that ask for it are told by `pause`,
    the procedure can be broken off; `keep` gives what it holds then, and after `take` `go_on` does all that is left.
    """

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.stage: i64 = FINISHED
        self.engaged_attackers: list[Unit] = []  # rolled for in step 6b of the shock under way and its continuations
        self.engaged_defenders: list[Unit] = []
        self.surprised: list[Command] = []  # brigades shocked under March Orders in this activation
        self.line: list[ShockInProgress] = []  # designated shocks that are still to be resolved, in their order
        self.chain: list[ShockInProgress] = []  # the one under way, or the continued shocks to which it has led

    def conduct(self, designations: list[Designation], brigades: list[Command]) -> None:
        """11.11: steps 1 to 6, each for all shocks of the active brigades before the next; step 6 along the line.

        Raises:
            CommanderError: the designations are illegal.
        """
        if self.options.edition <= GRINGO:
            self.series.results.crews_return()
        self.clear()
        self.designate(designations, brigades)
        self.stage = RETREATS
        self.begin_retreats()
        self.go_on()

    def go_on(self) -> None:
        """11.11, 11.41: all that is still to come of the procedure, or until it is broken off (again)."""
        self.broken_off = False
        while self.stage != FINISHED and not self.broken_off:
            if self.stage >= RESOLUTION:
                self._resolve_next()
            elif self.stage == PRE_SHOCK_FIRE:
                self._fire_next()
            elif self.stage == COHESION_CHECK and self.waiting:
                self.next_check()
            elif self.stage == COHESION_CHECK:
                self.stage = PRE_SHOCK_FIRE
                self.begin_pre_shock_fire()
            elif self.stage == COMMITMENT:  # the checks are made
                self.stage = COHESION_CHECK
                self.note_surprised(self.shocks)
                self.wrap_arounds(self.shocks)
                self.begin_checks()
            elif self.waiting:
                self.next_retreat()
            else:
                self.stage = COMMITMENT
                self.commitment_checks()

    def clear(self) -> None:
        """Forget shocks that were broken off, as a battle is that is looked at step by step."""
        self.take(Underway(FINISHED, []))

    def keep(self) -> Underway:
        """What the procedure holds now, between two of its steps; fires before shock are kept by their chapter."""
        kept = Underway(self.stage, self.shocks)
        kept.line = counterparts(self.line, self.shocks, kept.shocks)
        kept.chain = counterparts(self.chain, self.shocks, kept.shocks)
        kept.waiting = list(self.waiting)
        kept.held = list(self.checked_hexes)
        kept.stacks = list(self.checked_stacks)
        kept.wrapped = list(self.wrapped)
        kept.surprised = list(self.surprised)
        kept.engaged_attackers = list(self.engaged_attackers)
        kept.engaged_defenders = list(self.engaged_defenders)
        return kept

    def take(self, kept: Underway) -> None:
        """Hold again what `keep` gave; the battle has to be as it was then."""
        self.stage = kept.stage
        self.shocks = [shock.copy() for shock in kept.shocks]
        self.line = counterparts(kept.line, kept.shocks, self.shocks)
        self.chain = counterparts(kept.chain, kept.shocks, self.shocks)
        self.waiting = list(kept.waiting)
        self.checked_hexes = list(kept.held)
        self.checked_stacks = list(kept.stacks)
        self.wrapped = list(kept.wrapped)
        self.surprised = list(kept.surprised)
        self.engaged_attackers = list(kept.engaged_attackers)
        self.engaged_defenders = list(kept.engaged_defenders)

    def note_surprised(self, shocks: list[ShockInProgress]) -> None:
        """11.48: remember the brigades that are shocked under March Orders, by attackers left after step 3 (11.36)."""
        for shock in shocks:
            if not shock.attackers:
                continue
            for unit in shock.defenders:
                if unit.orders == MARCH and unit.command not in self.surprised:
                    self.surprised.append(unit.command)

    def left_to_right(self, shocks: list[ShockInProgress]) -> list[ShockInProgress]:
        """11.41: the order of resolution along the line, from the left of the attackers as they face their targets."""
        ahead_q: i64 = 0
        ahead_r: i64 = 0
        for shock in shocks:
            for attacker in shock.attackers:
                for target in shock.targets:
                    for place in attacker.places:
                        ahead_q += target.q - place.q
                        ahead_r += target.r - place.r
        ordered: list[ShockInProgress] = []
        keys: list[i64] = []
        for shock in shocks:
            key = _place_in_line(shock.attackers, ahead_q, ahead_r)
            at = len(ordered)
            while at > 0 and keys[at - 1] > key:
                at -= 1
            ordered.insert(at, shock)
            keys.insert(at, key)
        return ordered

    def drop_absent(self, shock: ShockInProgress) -> None:
        """11.31, 12.35f, 12.47: units that have left their hex, or may do nothing more, shock no more.

        Of several targets those are given up that only a line among them had in front (8.46).
        """
        left = [
            attacker for attacker in shock.attackers
            if attacker.unit.counts() and attacker.in_place() and (attacker.spent or not attacker.unit.finished)
        ]
        if len(left) < len(shock.attackers):
            shock.attackers = left
            self.give_up_targets(shock)

    # -- step 6 ------------------------------------------------------------------------------------------------------

    def _fire_next(self) -> None:
        """11.38, 11.41: the next fire before shock; after the last of designated shocks their line is drawn up."""
        if self.series.fire.next_before_shock():
            self.pause(STEPS[PRE_SHOCK_FIRE])
            return
        self.stage = RESOLUTION
        if not self.chain:
            self._line_up()

    def _line_up(self) -> None:
        """11.41: step 6a: the shocks in the order in which they are resolved."""
        for shock in self.shocks:
            shock.step = RESOLUTION
            self.drop_absent(shock)
        ordered = self.left_to_right(self.shocks)
        if len(ordered) > 1:
            owner = self.series.commander(ordered[0].side)
            if not owner.from_left(self.series, self.battle.active):
                ordered.reverse()
        self.line = ordered

    def _resolve_next(self) -> None:
        """11.41: step 6: shock by shock of the line, each with the continued ones that come of it and the disorder."""
        following = [shock for shock in self.chain if shock not in self.shocks]
        if self.stage == AFTERMATH:
            self.stage = RESOLUTION
            self.post_shock_disorder()
            if self.line or self.surprised:
                self.pause(STEPS[AFTERMATH])
        elif following:
            self.stage = PRE_SHOCK_FIRE
            self.begin_continued(following)
        elif self.chain:
            following = self.conduct_one(self.chain.pop(0))
            self.chain = following + self.chain
            if not self.chain:
                self.stage = AFTERMATH
            self.pause(STEPS[RESOLUTION])
        elif self.line:
            self.engaged_attackers = []
            self.engaged_defenders = []
            self.chain = [self.line.pop(0)]
        else:
            for brigade in self.surprised:
                self.rouse(brigade)
            self.stage = FINISHED
            self.shocks = []
            self.wrapped = []

    def numbers(self) -> list[int]:
        """11.11: how far the shocks of the activation have come: which are to be resolved, and who has been in one."""
        kept = super().numbers()
        for shocks in (self.line, self.chain):
            kept.append(-6)
            for shock in shocks:
                if shock in self.shocks:
                    kept.append(self.shocks.index(shock))
                else:  # a continued one that has not begun
                    kept.extend(shock.numbers())
        for units in (self.engaged_attackers, self.engaged_defenders):
            kept.append(-7)
            kept.extend([int(unit.index) for unit in units])
        kept.append(-8)
        kept.extend([int(command.index) for command in self.surprised])
        kept.append(int(self.stage))
        return kept

    def conduct_one(self, shock: ShockInProgress) -> list[ShockInProgress]:
        """11.41: resolution and advance of one shock; returns the continued shocks to which it leads."""
        shock.step = RESOLUTION
        self.drop_absent(shock)
        following: list[ShockInProgress] = []
        if shock.attackers and self.any_held(shock):
            _add(self.engaged_attackers, shock.units())
            _add(self.engaged_defenders, self.defending(shock))
            for unit in self.engaged_attackers + self.engaged_defenders:
                unit.engaged = True
            following = self.after_resolution(shock, self.resolve(shock))
        elif shock.attackers:
            shock.pending = False
            self.note_vacated(shock)
            following = self.after_vacated(shock, self.broke_before_shock(shock))
        shock.pending = False
        shock.step = FINISHED
        return following

    def after_resolution(self, shock: ShockInProgress, result: ShockResult) -> list[ShockInProgress]:
        """11.46, 11.47: steps 6c and 6d: who advances after a result, and who shocks again."""
        if result.defender_may_continue:
            return self.defenders_continue(shock)
        self.drop_absent(shock)
        if not shock.attackers:
            return []
        if self.any_held(shock):
            return self.again_in_place(shock, result)
        self.note_vacated(shock)
        return self.after_vacated(shock, result.attacker_may_continue)

    def begin_continued(self, shocks: list[ShockInProgress]) -> None:
        """11.47: steps 1 and 2 of continued shocks, and who fires in step 5; nobody checks commitment or cohesion.

        Who is the target of another shock not yet resolved may no longer retreat before shock, nor may a line wrap
        around its target; by Gringo! both may.
        """
        gringo = self.options.edition <= GRINGO
        for shock in shocks:
            self.mark_targets(shock)
        self.note_surprised(shocks)
        for shock in shocks:
            for target in shock.targets:
                if gringo or not self.designated(target):
                    self.offer_retreat(target, [other for other in shocks if other.attacks(target)])
        self.shocks.extend(shocks)
        if gringo:
            self.wrap_arounds(shocks)
        self.series.fire.declare_before_shock(shocks)

    # -- step 6e -----------------------------------------------------------------------------------------------------

    def post_shock_disorder(self) -> None:
        """11.48, 12.35d: after the last continued shock attackers are disordered, and cavalry of both sides.

        A stack of attackers with units already disordered loses a point; mounted cavalry already disordered is blown,
        and loses the point only by Gringo!.
        """
        results = self.series.results
        results.begin([])
        if self.options.edition <= GRINGO:
            for unit in self.engaged_attackers:
                if unit.counts() and unit.is_mounted() and unit.disordered:
                    results.push(LOSS, [unit], unit.hex, CAUSE_POST_SHOCK, [])
            results.settle()
        for unit in self.engaged_attackers:
            if unit.counts():
                results.disorder(unit, CAUSE_POST_SHOCK)
        for unit in self.engaged_defenders:
            if unit.counts() and unit.is_mounted() and unit not in self.engaged_attackers:
                results.disorder(unit, CAUSE_POST_SHOCK)
        results.end()

    def rouse(self, brigade: Command) -> None:
        """11.48: a brigade shocked under March Orders goes over to Advance, and those not in the shock check.

        Who fails is disordered; a stack with units already disordered loses a point (12.35e).
        """
        results = self.series.results
        self.series.orders.under_attack(brigade)
        results.begin([])
        shaken: list[Unit] = []
        for unit in brigade.units:
            if unit.counts() and not unit.shock_target and not results.udd(unit, 0, "brigade shocked on the march"):
                if unit.disordered:
                    shaken.append(unit)
                else:
                    results.disorder(unit, CAUSE_POST_SHOCK)
        for unit in shaken:
            if unit.kind == ARTILLERY or self._bears_loss(unit, shaken):
                results.lose(unit, 1, BY_SECOND_DISORDER)
        results.end()

    def _bears_loss(self, unit: Unit, shaken: list[Unit]) -> bool:
        """12.35e: whether a unit is the highest of its stack among those that lose a point together."""
        for other in self.battle.units_in(unit.hex):
            if other.kind != ARTILLERY and other in shaken:
                return other is unit
        return False


def _add(to: list[Unit], units: list[Unit]) -> None:
    for unit in units:
        if unit not in to:
            to.append(unit)


def _place_in_line(attackers: list[Attacker], ahead_q: i64, ahead_r: i64) -> i64:
    """How far to the right the middle of the attackers lies, looking along a direction, in units of no meaning."""
    if not attackers:
        return 0
    q: i64 = 0
    r: i64 = 0
    hexes: i64 = 0
    for attacker in attackers:
        for place in attacker.places:
            q += place.q
            r += place.r
            hexes += 1
    # the cross product of direction and place, positive to the right because rows count downwards
    return (SCALE * r // hexes) * ahead_q - (SCALE * q // hexes) * ahead_r
