"""Chapter 12: combat results: losses, disorder, fire results, and what friends suffer from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import (
    AUTOMATIC,
    CAUSE_ADJACENT_ROUT,
    CAUSE_FIRE,
    CAUSE_FRIENDLY_FIRE,
    CAUSE_POST_SHOCK,
    CAUSE_PRE_SHOCK_CHECK,
    CAUSE_REACTION_FACING,
    CAUSE_REACTION_MOVE,
    CAUSE_RETREAT_BEFORE_SHOCK,
    CAUSE_RETREAT_THROUGH,
    CAUSE_SHOCK,
    CAUSE_TERRAIN,
    EFFECT_ABANDONED,
    EFFECT_BLOWN,
    EFFECT_LOSS,
    EFFECT_LOSS_AND_RETREAT,
    EFFECT_ROUT_CHECK,
    FOOT,
    GUNS,
    HORSE,
    UDD,
)
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    BY_SECOND_DISORDER,
    BY_SHELL,
    BY_SHOCK,
    CAUSES,
    ELIMINATED,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    ON_MAP,
    Unit,
)
from simkit.model.log import EVERYTHING
from simkit.rules.dice import ALLOCATION
from simkit.rules.effects import (
    ALONE,
    BLOWN,
    CHECK,
    CONTRACTED,
    FRIENDS,
    LEADERS,
    LOSS,
    NEIGHBOUR,
    RETREAT,
    ROUT,
    SECOND,
    Effect,
)
from simkit.rules.options import GRINGO
from simkit.rules.rout import Rout

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.charts import FireResult

# the causes of a disorder, as the log names them
CAUSE_NAMES: Final = (
    "fire", "shock", "pre-shock check", "retreat before shock", "reaction facing", "adjacent rout", "friendly fire",
    "retreat through", "terrain", "post-shock", "reaction move",
)
EFFECT_NAMES: Final = ("none", "stop", "loss", "loss and retreat", "rout check", "blown", "abandoned")


def mover_class(unit: Unit) -> i64:
    """The class that counts for the 2nd Disorder Table: FOOT, HORSE or GUNS (14.23)."""
    if unit.kind == ARTILLERY:
        return GUNS
    return HORSE if unit.is_mounted() else FOOT


@mypyc_attr(allow_interpreted_subclasses=True)
class CombatResults(Rout):
    """What fire, shock and terrain do to units; `begin`, `settle` and `end` are those of its queue."""

    def _run(self, effect: Effect) -> None:
        self.battle.look_at_fords()
        self.chain = effect.chain
        rank = effect.rank
        unit = effect.unit
        if rank == NEIGHBOUR:
            if unit.counts() and not self.udd(unit, 0, CAUSE_NAMES[CAUSE_ADJACENT_ROUT]):
                self.disorder(unit, CAUSE_ADJACENT_ROUT)
        elif rank == SECOND:
            self._check_second(effect)
        elif rank == ROUT:
            self.run_routs(effect)
        elif rank == LOSS:
            self._run_losses(effect)
        elif rank == BLOWN:
            self.series.blown.suffer(effect)
        elif rank == LEADERS:
            self.leader_casualties(effect.place)
        elif rank == ALONE:
            self.series.retreat.leader_alone(effect.place)
        elif rank == RETREAT:
            self._run_retreat(effect)
        elif rank == CONTRACTED:
            self._check_contracted(unit)
        elif rank == CHECK:
            self.run_checks(effect)
        else:
            self.chain = 0
            self._run_friends(effect)

    # -- losses ----------------------------------------------------------------------------------------------------

    def lose(self, unit: Unit, points: i64, cause: i64) -> i64:
        """12.11-12.13, 12.21, 10.7: a unit loses steps (a battery guns), as far as it has them; returns how many.

        Args:
            unit: the unit.
            points: step losses.
            cause: a BY_ constant of the forces, under which they are booked.
        """
        taken = min(points, unit.strength)
        if taken <= 0:
            return 0
        unit.strength -= taken
        if unit.sections:
            self.series.batteries.shed(unit, taken)
        unit.record_loss(taken, cause)
        if self.series.log.level >= EVERYTHING:
            self.series.log.loss(unit.side, unit.id, unit.hex.id, CAUSES[cause], taken)
        if unit.refused != 0:
            self.series.refusal.thinned(unit.hex)
        if unit.strength == 0:
            self.eliminate(unit, cause)
        elif unit.place == ON_MAP and unit.kind != ARTILLERY:
            if unit.collapsed:
                self.rout_check(unit)
            elif 2 * unit.strength < unit.full:
                self.collapse(unit)
        self.settle_unless_open()
        return taken

    def lose_at(self, unit: Unit, points: i64, cause: i64, hit: list[Hex]) -> i64:
        """12.71: a unit loses steps; to `hit` come the hexes whose leaders must roll for it: all that it stands in."""
        places = [part.hex for part in unit.parts]
        lost = self.lose(unit, points, cause)
        if lost > 0:
            hit.extend([place for place in places if place not in hit])
            if unit.blown:
                self.series.blown.wind(unit, CAUSE_SHOCK if cause == BY_SHOCK else CAUSE_FIRE, cause)
        return lost

    def lose_in_place(self, units: list[Unit], points: i64, cause: i64) -> None:
        """12.44, 12.22: a stack loses steps from the top down for hexes that it should retreat and can't."""
        places = [part.hex for part in units[0].parts]
        left = points
        for unit in units:
            if left > 0 and unit.counts():
                left -= self.lose(unit, left, cause)
        if left < points and cause == BY_SHOCK:
            for place in places:
                if place.leaders:
                    self.push(LEADERS, units, place, CAUSE_FIRE, [])

    def collapse(self, unit: Unit) -> None:
        """12.23: below half of its original strength a unit is disordered at once, and collapsed."""
        unit.collapsed = True
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("collapse", unit.side, unit.id, unit.hex.id, "", "")
        if not unit.disordered:
            self._first_disorder(unit, "collapse")

    def eliminate(self, unit: Unit, cause: i64) -> None:
        """12.13: a unit without steps is eliminated; `cause` is what took the last one, a BY_ constant."""
        place = unit.hex
        places = [part.hex for part in unit.parts]
        on_map = unit.place == ON_MAP
        self.battle.remove(unit, ELIMINATED)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("eliminated", unit.side, unit.id, place.id, CAUSES[cause], "")
        self.leaders_of_the_eliminated(unit)
        if on_map:
            for place in places:
                self.left(unit, place)

    # -- disorder --------------------------------------------------------------------------------------------------

    def disorder(self, unit: Unit, cause: i64) -> bool:
        """12.31-12.35: a unit suffers a Disorder result; True if it was disordered before.

        Args:
            unit: the unit.
            cause: a CAUSE_ constant of the charts.
        """
        if not unit.counts():
            return False
        if not unit.disordered:
            self._first_disorder(unit, CAUSE_NAMES[cause])
            return False
        self._second_disorder(unit, cause)
        self.settle_unless_open()
        return True

    def shake(self, unit: Unit, why: str) -> None:
        """12.31: a unit in Good Order is disordered by an event of a book; `why` is for the log."""
        self._first_disorder(unit, why)

    def _first_disorder(self, unit: Unit, why: str) -> None:
        unit.disordered = True
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("disorder", unit.side, unit.id, unit.hex.id, why, "")

    def _second_disorder(self, unit: Unit, cause: i64) -> None:
        """11.58, 12.35-12.36: what the 2nd Disorder Table says for the cause; a phasing unit is done (12.35f)."""
        effect = self.charts.second_disorder.effect(cause, mover_class(unit))
        if unit.blown and not self._harmless(cause):
            self.series.blown.wind(unit, cause, BY_SECOND_DISORDER)
        unit.second_disorders += 1
        if unit.side == self.battle.phasing and not self._harmless(cause):
            unit.finished = True
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("second", unit.side, unit.id, unit.hex.id, CAUSE_NAMES[cause], EFFECT_NAMES[effect])
        if effect == EFFECT_LOSS:
            self.push(LOSS, [unit], unit.hex, cause, [])
        elif effect == EFFECT_LOSS_AND_RETREAT:
            self.push(LOSS, [unit], unit.hex, cause, [])
            self.push(RETREAT, [unit], unit.hex, cause, self._causing(unit, cause))
        elif effect == EFFECT_ROUT_CHECK:
            self.push(SECOND, [unit], unit.hex, cause, [])
        elif effect == EFFECT_BLOWN:
            unit.blown = True
            self.series.orders.give(unit, ADVANCE)
        elif effect == EFFECT_ABANDONED:
            self.abandon(unit, CAUSE_NAMES[cause])

    def _harmless(self, cause: i64) -> bool:
        """Causes that leave a phasing unit free to act (12.35f)."""
        return cause in (CAUSE_TERRAIN, CAUSE_POST_SHOCK, CAUSE_REACTION_MOVE)

    def direct(self, cause: i64) -> bool:
        """Whether a cause is the fire or the shock step itself (12.71); reaction to an advance too by Gringo!."""
        if cause == CAUSE_REACTION_FACING and self.options.edition <= GRINGO:
            return len(self.series.shock.shocks) > 0  # its steps 6c and 6d
        return cause in (CAUSE_FIRE, CAUSE_SHOCK, CAUSE_PRE_SHOCK_CHECK, CAUSE_RETREAT_BEFORE_SHOCK)

    def _causing(self, unit: Unit, cause: i64) -> list[Hex]:
        """12.44: hexes of the enemies that cause a retreat; friends cause those of routs and retreats through."""
        if cause == CAUSE_REACTION_FACING:
            return self.causing
        if not self.direct(cause):
            return []
        if not self.attackers:
            return self.causing
        others = self.defenders if unit.side == self.attackers[0].side else self.attackers
        hexes: list[Hex] = []
        for other in others:
            if other.counts():
                hexes.extend([part.hex for part in other.parts if part.hex not in hexes])
        return hexes

    def _check_contracted(self, unit: Unit) -> None:
        """8.47: whoever had to contract to retreat is disordered if it fails; if it already was, nothing more."""
        if unit.counts() and not unit.disordered and not self.udd(unit, 0, "contracted to retreat"):
            self._first_disorder(unit, "contracted to retreat")

    def _check_second(self, effect: Effect) -> None:
        """12.35b: it routs if it fails, else it loses a step and retreats one or two hexes."""
        unit = effect.unit
        if not unit.counts():
            return
        if self.checks_once:
            self.rout_checked.append(unit)
            self.pending[CHECK] = [waiting for waiting in self.pending[CHECK] if waiting.unit is not unit]
        if self.udd(unit, 0, "second disorder"):
            self.push(LOSS, [unit], unit.hex, effect.cause, [])
            self.push(RETREAT, [unit], unit.hex, effect.cause, self._causing(unit, effect.cause))
        else:
            self.rout(unit, CAUSE_NAMES[effect.cause])

    def _run_losses(self, effect: Effect) -> None:
        """12.35e: one step for a stack, at the top, or at random after shot and shell; batteries lose their own."""
        unit = effect.unit
        if not unit.counts():
            return
        place = unit.hex
        places = [part.hex for part in unit.parts]
        victim = unit
        if unit.kind != ARTILLERY:
            came = unit in self.retreaters
            sufferers: list[Unit] = [unit]
            kept: list[Effect] = []
            for other in self.pending[LOSS]:
                mate = other.unit
                if mate.hex is place and mate.kind != ARTILLERY and mate.counts() and (mate in self.retreaters) == came:
                    if mate not in sufferers:
                        sufferers.append(mate)
                else:
                    kept.append(other)
            self.pending[LOSS] = kept
            if len(sufferers) > 1:
                victim = self._bearer(sufferers, place, came, effect.cause)
        self.lose(victim, 1, BY_SECOND_DISORDER)
        if self.direct(effect.cause):
            for there in places:
                if there.leaders:
                    self.push(LEADERS, [victim], there, effect.cause, [])

    def _bearer(self, sufferers: list[Unit], place: Hex, came: bool, cause: i64) -> Unit:
        """12.35e: who bears the one step of a stack."""
        if self.shell and cause == CAUSE_FIRE:
            return sufferers[self.series.dice.pick(ALLOCATION, sufferers[0], len(sufferers))]
        for unit in self.battle.units_in(place):
            if unit.kind != ARTILLERY and (unit in self.retreaters) == came:
                return unit
        return sufferers[0]

    def _run_retreat(self, effect: Effect) -> None:
        """12.42: one or two hexes; those of a stack that a shock drives back go together, by Gringo! any stack (12.44).
        """
        units = [
            unit for at, unit in enumerate(effect.units)
            if unit.counts() and (effect.hexes == 0 or unit.hex is effect.origins[at])
        ]
        shocked = effect.cause != CAUSE_FIRE and self.direct(effect.cause)
        if units and (shocked or self.options.edition <= GRINGO):
            kept: list[Effect] = []
            for other in self.pending[RETREAT]:
                mate = other.unit
                if mate.counts() and mate.hex is units[0].hex and other.cause == effect.cause:
                    if mate not in units:
                        units.append(mate)
                else:
                    kept.append(other)
            self.pending[RETREAT] = kept
        if units and effect.hexes > 0:
            self.series.retreat.retreat(units, effect.hexes, effect.hexes, effect.causing, BY_SHOCK)
        elif units:
            self.series.retreat.retreat(units, 1, 2, effect.causing, BY_SECOND_DISORDER)

    def shock_retreat(self, units: list[Unit], hexes: i64) -> None:
        """12.42: put down the retreat that the Shock Resolution Table demands; second disorders add none to it."""
        if units:
            effect = Effect(
                RETREAT, units, units[0].hex, CAUSE_SHOCK, self.chain, self._causing(units[0], CAUSE_SHOCK)
            )
            effect.hexes = hexes
            effect.origins = [unit.hex for unit in units]
            self.pending[RETREAT].append(effect)

    # -- fire ------------------------------------------------------------------------------------------------------

    def apply_fire(
        self, place: Hex, result: FireResult, cause: i64, first: list[Unit], origins: list[Hex]
    ) -> i64:
        """12.21-12.22, 12.32, 8.35: apply a fire result to a hex, with all that follows; returns the steps it names.

        Args:
            place: the target hex.
            result: the cell of the fire table.
            cause: BY_SMALL_ARMS, BY_CANISTER or BY_SHELL.
            first: units that bear the result before the top of the stack (10.43, 10.44); mostly none.
            origins: hexes of those who fired.
        """
        order = list(first)
        for unit in self.battle.units_in(place):
            if unit not in order:
                order.append(unit)
        if not order:
            return 0
        self.begin(origins)
        self.shell = cause == BY_SHELL
        if self.shell:
            lost = self._apply_to_all(order, place, result)
        else:
            lost = self._apply_to_top(order, place, result, cause)
        self.end()
        self.shell = False
        return lost

    def _apply_to_top(self, order: list[Unit], place: Hex, result: FireResult, cause: i64) -> i64:
        """8.35, 8.45: steps from the top down, disorder on the top; if that is disordered or gone, others check."""
        top = order[0]
        good_order = not top.disordered
        lost: i64 = 0
        hit: list[Hex] = []
        for unit in order:
            if lost < result.losses:
                lost += self.lose_at(unit, self._at_most(unit, place, result.losses - lost), cause, hit)
        for there in hit:
            self.leader_casualties(there)
        shaken = not top.counts() or (good_order and top.disordered)
        if top.counts() and self._fails(top, result):
            self.disorder(top, CAUSE_FIRE)
            shaken = True
        if shaken:
            self._shake_guns(top, place)
            for unit in order:
                if unit is not top and unit.counts() and not self.udd(unit, 0, "top of the stack"):
                    self.disorder(unit, CAUSE_FIRE)
                    self._shake_guns(unit, place)
        return lost

    def _apply_to_all(self, order: list[Unit], place: Hex, result: FireResult) -> i64:
        """8.35, 10.67: shot and shell affect every unit of the hex by itself."""
        lost: i64 = 0
        good_order = [not unit.disordered for unit in order]
        hit: list[Hex] = []
        for unit in order:
            lost += self.lose_at(unit, self._at_most(unit, place, result.losses), BY_SHELL, hit)
        for there in hit:
            self.leader_casualties(there)
        for at, unit in enumerate(order):
            shaken = good_order[at] and unit.disordered
            if unit.counts() and self._fails(unit, result):
                self.disorder(unit, CAUSE_FIRE)
                shaken = True
            if shaken:
                self._shake_guns(unit, place)
        return lost

    def _at_most(self, unit: Unit, place: Hex, points: i64) -> i64:
        """8.5: steps that fire at a hex can cost a unit: a part of an Extended Column is fired at by itself."""
        return min(points, unit.part_in(place).points()) if unit.extended == EXTENDED_COLUMN else points

    def _shake_guns(self, unit: Unit, place: Hex) -> None:
        """8.45: an Extended Line that a fire at one of its hexes disorders: guns in its other hexes check."""
        if unit.extended != EXTENDED_LINE or not unit.counts():
            return
        for there in [part.hex for part in unit.parts]:
            if there is place:
                continue
            for mate in self.battle.units_in(there):
                if mate.kind == ARTILLERY and not self.udd(mate, 0, "line disordered"):
                    self.disorder(mate, CAUSE_FIRE)

    def _fails(self, unit: Unit, result: FireResult) -> bool:
        """12.32: "D" disorders, "d" if the unit's check with its DRM fails."""
        if result.disorder == AUTOMATIC:
            return True
        return result.disorder == UDD and not self.udd(unit, result.drm, "fire")

    # -- friends in the way ----------------------------------------------------------------------------------------

    def retreated_through(self, units: list[Unit], place: Hex) -> None:
        """12.46: put down the stationary units of a hex for their check after a retreat through it."""
        if units:
            self.push(FRIENDS, units, place, CAUSE_RETREAT_THROUGH, [])

    def friendly_fire(self, units: list[Unit]) -> None:
        """10.26: put down units over whose heads friends have fired for their check, hex by hex."""
        done: list[Hex] = []
        for unit in units:
            if unit.hex in done:
                continue
            done.append(unit.hex)
            self.push(FRIENDS, [mate for mate in units if mate.hex is unit.hex], unit.hex, CAUSE_FRIENDLY_FIRE, [])

    def _run_friends(self, effect: Effect) -> None:
        """12.46, 10.26, 12.8: each checks, nobody twice for one result; guns stay manned beside a unit that stands."""
        through = effect.cause == CAUSE_RETREAT_THROUGH
        failed: list[Unit] = []
        steady = False
        for unit in effect.units:
            if not unit.counts() or (through and (unit in self.passed_through or unit in self.retreaters)):
                continue
            if through:
                self.passed_through.append(unit)
            if not self.udd(unit, 0, CAUSE_NAMES[effect.cause]):
                failed.append(unit)
            elif not unit.disordered:
                steady = True
        for unit in failed:
            if steady and unit.kind == ARTILLERY and unit.disordered:
                continue
            self.disorder(unit, effect.cause)
