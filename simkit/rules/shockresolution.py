"""Steps 6a and 6b of a shock: the roll, and its result for both sides (11.45, 8.36, 11.64, 12.52)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_SHOCK, UDD
from simkit.model.forces import ARTILLERY, BY_SHOCK
from simkit.model.log import COMBATS, Event
from simkit.rules.dice import SHOCK
from simkit.rules.wraparound import WrapAround

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.charts import ShockResult, SideResult
    from simkit.model.forces import Unit
    from simkit.rules.shockinprogress import ShockInProgress


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockResolution(WrapAround):
    """The resolution of one shock, designated or continued (11.45)."""

    def resolve(self, shock: ShockInProgress) -> ShockResult:
        """11.45, 17.22: step 6b: roll the die, adjust it, and apply the result to both sides; here brigades tire."""
        drms = self.modifiers(shock, self.shocks)
        drm = drms.total()
        table = self.charts.shock_table
        roll = self.series.dice.grouped(SHOCK, self.leading_unit(shock), self._classes(drm))
        result = table.result(roll + drm)
        shock.pending = False
        shock.engaged = True
        self.battle.shocks[shock.side] += 1
        if self.options.fatigue:
            self.series.fatigue.join_shock(shock.units() + self.defending(shock))
        log = self.series.log
        if log.level < COMBATS:
            self.apply(shock, result)
            return result
        event = Event("shock")
        event.mode = "continued" if shock.continued > 0 else "shock"
        event.side = shock.side
        event.unit = ", ".join([unit.id for unit in shock.units()])
        event.hex = ", ".join([place.id for place in shock.places()])
        event.target = ", ".join([unit.id for unit in self.defending(shock)])
        event.target_hex = ", ".join([place.id for place in shock.targets])
        event.range = 1
        # strengths as they count for the ratio, halves rounded up
        event.sp = (self.attack_strength(shock) + 1) // 2
        event.target_sp = (self.defence_strength(shock) + 1) // 2
        event.drms = drms.text()
        event.drm = drm
        event.roll = roll
        event.adjusted = roll + drm
        event.result = result.text
        log.add(event)
        self.apply(shock, result)
        event.own_losses = shock.own_losses
        event.losses = shock.losses
        return result

    def _classes(self, drm: i64) -> list[int]:
        """The faces of the die by the result they lead to: equal results are one branch where branches are counted."""
        classes: list[int] = []
        for face in range(10):
            result = self.charts.shock_table.result(face + drm)
            group = face
            for earlier in range(face):
                if self.charts.shock_table.result(earlier + drm) is result:
                    group = earlier
                    break
            classes.append(group)
        return classes

    def leading_unit(self, shock: ShockInProgress) -> Unit:
        """The top attacking unit of the first attacking hex, for which the die is rolled."""
        units = shock.units()
        for part in units[0].hex.stack:
            if part.unit in units:
                return part.unit
        return units[0]

    def defending(self, shock: ShockInProgress) -> list[Unit]:
        """The units in the target hexes, hex by hex, top first, each once."""
        found: list[Unit] = []
        for target in shock.targets:
            found.extend([unit for unit in self.battle.units_in(target) if unit not in found])
        return found

    def participants_in(self, shock: ShockInProgress, place: Hex) -> list[Unit]:
        """8.36: the attacking units in a hex, top first."""
        units = shock.units()
        return [unit for unit in self.battle.units_in(place) if unit in units]

    def defending_stacks(self, shock: ShockInProgress) -> list[list[Unit]]:
        """8.36, 8.46: the stacks that are attacked, each top first: an extended unit is one with the guns it covers."""
        return [self.force_in(goal) for goal in self.goals(shock.targets)]

    # -- the result ------------------------------------------------------------------------------------------------

    def apply(self, shock: ShockInProgress, result: ShockResult) -> None:
        """11.45, 11.64, 8.36, 12.21: apply a line of the table: guns, steps, disorder, retreat, rout checks."""
        results = self.series.results
        places = shock.stacks()
        defenders = self.defending(shock)
        results.begin_shock(shock.units(), defenders)
        results.checks_once = result.defender_rout_check
        if result.abandon_guns:
            for unit in defenders:
                results.abandon(unit, "shock")
        attacking_stacks = [self.participants_in(shock, place) for place in places]
        defending_stacks = self.defending_stacks(shock)
        if result.standoff:
            shock.own_losses = self._standoff_loss(attacking_stacks, result.attacker.losses)
            by_hex = [self.battle.units_in(target) for target in shock.targets]
            shock.losses = self._standoff_loss(by_hex, result.defender.losses)
        else:
            shock.own_losses = self._stack_losses(attacking_stacks, result.attacker.losses)
            shock.losses = self._stack_losses(defending_stacks, result.defender.losses)
        for place in places:
            self._attackers_suffer(shock, place, result.attacker)
        for stack in defending_stacks:
            self._defenders_suffer(stack, result)
        results.end()

    def _stack_losses(self, stacks: list[list[Unit]], points: i64) -> i64:
        """8.36, 12.22: each stack loses its steps from the top down."""
        total: i64 = 0
        for stack in stacks:
            lost: i64 = 0
            for unit in stack:
                if lost < points:
                    lost += self._lose(unit, points - lost)
            total += lost
        return total

    def _standoff_loss(self, stacks: list[list[Unit]], points: i64) -> i64:
        """8.36, 11.64: a side's loss falls on its unit of the highest cohesion, or on the guns on top of its stack."""
        victim = self.standoff_victim(stacks)
        if victim is None or points == 0:
            return 0
        return self._lose(victim, points)

    def standoff_victim(self, stacks: list[list[Unit]]) -> Unit | None:
        """8.36, 11.63: who bears a Bloody Standoff's loss: of equals the higher in its stack, then the first named.

        Guns beneath others take no part; guns on top of a stack bear its loss.
        """
        best: Unit | None = None
        bearer: Unit | None = None
        depth: i64 = 0
        deeper = True
        while deeper:
            deeper = False
            for stack in stacks:
                if depth < len(stack):
                    deeper = True
                    unit = stack[depth]
                    if unit.kind == ARTILLERY and depth > 0:
                        continue
                    if best is None or unit.cohesion() > best.cohesion():
                        best = unit
                        bearer = stack[0] if stack[0].kind == ARTILLERY else unit
            depth += 1
        return bearer

    def _lose(self, unit: Unit, points: i64) -> i64:
        """12.21, 12.71: a unit loses steps in the shock itself; leaders stacked with it in any of its hexes roll."""
        hit: list[Hex] = []
        lost = self.series.results.lose_at(unit, points, BY_SHOCK, hit)
        for place in hit:
            self.series.results.leader_casualties(place)
        return lost

    def _attackers_suffer(self, shock: ShockInProgress, place: Hex, result: SideResult) -> None:
        """8.36, 12.32, 12.42: disorder and retreat of an attacking hex, together with those who stand by in it."""
        results = self.series.results
        participants = self.participants_in(shock, place)
        shaken = result.disorder == AUTOMATIC
        for unit in participants:
            if self._fails(unit, result):
                results.disorder(unit, CAUSE_SHOCK)
                shaken = True
        bystanders = [unit for unit in self.force_in(place) if unit not in participants]
        if shaken:
            for unit in bystanders:
                results.disorder(unit, CAUSE_SHOCK)
        if result.retreat > 0 and participants:
            results.shock_retreat(self.force_in(place), result.retreat)

    def _defenders_suffer(self, stack: list[Unit], result: ShockResult) -> None:
        """8.36, 12.23, 12.32, 12.42, 12.51: disorder, retreat and rout checks of a defending stack.

        Whoever is disordered a second time checks for rout because of that, and not once more for a roll of 10.
        """
        results = self.series.results
        checked = [
            unit for unit in stack
            if unit.counts() and self._fails(unit, result.defender) and results.disorder(unit, CAUSE_SHOCK)
        ]
        standing = [unit for unit in stack if unit.counts()]
        if result.defender.retreat > 0:
            results.shock_retreat(standing, result.defender.retreat)
        if result.defender_rout_check:
            for unit in [unit for unit in standing if unit.kind != ARTILLERY and unit not in checked]:
                results.rout_check(unit)

    def _fails(self, unit: Unit, result: SideResult) -> bool:
        """12.32: "D" disorders, "d" if the unit's check with its DRM fails."""
        if result.disorder == AUTOMATIC:
            return True
        return result.disorder == UDD and not self.series.results.udd(unit, result.drm, "shock")
