"""The heuristic commander: fights sensibly by the numbers of a doctrine.

Each brigade looks at the field around it, chooses its orders by odds and losses, and gives its units in turn what is
worth most: rally, fire, move or charge. Scores are whole numbers, so that compiled and interpreted play alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.answers import NO_WORTH
from simkit.commanders.appraisal import FAR, Appraisal
from simkit.commanders.firing import LEAST_FIRE
from simkit.commanders.horsemen import POISED
from simkit.commanders.intent import OUT_OF_REACH, Plan
from simkit.commanders.leading import Leading
from simkit.model.battlemap import Hex, Node
from simkit.model.forces import ARTILLERY, ATTACK, EXTENDED_LINE, MARCH, ON_MAP, Command, Unit
from simkit.rules.commander import Designation
from simkit.rules.fireresolution import LOW_AMMO

if TYPE_CHECKING:
    from simkit.rules.series import Series

GAIN: Final[i64] = 20  # points that a hex gained is worth on the scale of a doctrine's `prepared`
SHUNNED: Final[i64] = -1000  # worth of a place next to the enemy for whoever must not go there
LEAST_LOW: Final[i64] = 20  # the same when its ammunition is low: a fifth of a point, as at canister range


@mypyc_attr(allow_interpreted_subclasses=True)
class HeuristicCommander(Leading):
    """Decides by a doctrine; `objectives` are what its side wants."""

    # -- a brigade acts --------------------------------------------------------------------------------------------

    def act(self, series: Series, brigades: list[Command]) -> None:
        """Front units first, guns before infantry, leaders last."""
        for brigade in brigades:
            field = self.field(series.battle)
            field.look(brigade)
            plan = self.plan(series, brigade)
            resting = self.stands_still(series, brigade, field)
            for unit in self._in_turn(series, field, brigade):
                if not unit.counts() or unit.finished:
                    continue
                if brigade.confused:
                    self.keep_order(series, unit)
                elif not resting or unit.kind == ARTILLERY:
                    self.act_unit(series, brigade, plan, unit)
                elif unit.disordered and self.dares_rally(series, brigade, unit):
                    self.rally(series, unit)
            for unit in self.entering(brigade):
                if series.movement.may_move(unit):
                    self.enter(series, brigade, plan, unit)
            for leader in brigade.leader_list:
                if leader.in_play():
                    self.move_leader(series, brigade, leader)
        self.lead_guns(series, brigades)
        self.lead_divisions(series, brigades)
        self.bring_leaders(series, brigades)

    def _in_turn(self, series: Series, field: Appraisal, brigade: Command) -> list[Unit]:
        """Guns first, then whoever is nearest to the enemy; batteries that act with the brigade too (4.32, 4.33)."""
        ordered: list[Unit] = []
        for unit in series.activation.members(brigade):
            if unit.place != ON_MAP:
                continue
            at = 0
            while at < len(ordered) and self._before(field, ordered[at], unit):
                at += 1
            ordered.insert(at, unit)
        return ordered

    def _before(self, field: Appraisal, one: Unit, other: Unit) -> bool:
        if (one.kind == ARTILLERY) != (other.kind == ARTILLERY):
            return one.kind == ARTILLERY
        return field.to_enemy(one.hex) <= field.to_enemy(other.hex)

    def act_unit(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Give one unit what is worth most to it."""
        self.lead_column(series, unit, plan.goals)
        if series.battle.pioneers and self.holds_a_crossing(series, unit):
            return
        if unit.orders == MARCH:
            self._move_together(series, brigade, plan, self.column_of(series, unit))
        elif unit.disordered:
            self._recover(series, brigade, plan, unit)
        elif unit.kind == ARTILLERY:
            self._serve_guns(series, brigade, plan, unit)
        elif self.draw_off(series, unit) or self._fetch_ammunition(series, unit):
            return
        elif unit.orders == ATTACK:
            self._attack(series, brigade, plan, unit)
        else:
            if not self._fire(series, unit, self.doctrine.fire_range):
                if not self.widen(series, unit) and not self._move(series, brigade, plan, unit, False):
                    if not self._fire(series, unit, FAR):
                        self.straighten(series, unit)
                self.guard_flank(series, unit)

    def _serve_guns(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Fire where it pays, fetch ammunition where it is short, else look for a better place and fire there."""
        self.straighten(series, unit)
        fires, worth = self.best_fires(series, unit, FAR)
        heading, most = self.best_laying(series, unit, worth)
        if self.guns_in_danger(series, unit, most) and self._save_guns(series, brigade, plan, unit):
            return
        least = LEAST_FIRE if unit.ammo == 0 else LEAST_LOW
        if heading != unit.heading and most >= least:
            series.facing.turn(unit, heading)
            fires, worth = self.best_fires(series, unit, FAR)
        if worth >= least:
            self.open_fire(series, unit, fires)
            if unit.sections and series.effectiveness.may_resupply(unit):  # those of them that have not fired
                series.effectiveness.resupply(unit)
        elif series.effectiveness.may_resupply(unit):
            series.effectiveness.resupply(unit)
        elif self._move(series, brigade, plan, unit, False):
            if unit.counts() and series.fire.may_fire(unit):
                fires, worth = self.best_fires(series, unit, FAR)
                heading, most = self.best_laying(series, unit, worth)
                if heading != unit.heading:
                    series.facing.turn(unit, heading)
                    fires, worth = self.best_fires(series, unit, FAR)
                if worth >= LEAST_FIRE:
                    self.open_fire(series, unit, fires)
        elif worth > 0:
            self._fire(series, unit, FAR)

    def _save_guns(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> bool:
        """Take a battery away from the enemy, backwards or by a move; False if there is nowhere to go."""
        if self.withdraw(series, unit):
            return True
        if plan.still or not series.movement.may_move(unit):
            return False
        node = self._best_node(series, brigade, plan, [unit], False)
        field = self.field(series.battle)
        if field.to_enemy(node.hex) <= field.to_enemy(unit.hex):
            return False
        series.movement.move(unit, node, self._final_heading(series, unit, node), self.riders(series, unit))
        return True

    def _recover(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Rally where the doctrine allows, or draw off first; fire only what is worth more than the fire in answer."""
        if unit.kind == ARTILLERY and self.forsaken(series, unit) and self._save_guns(series, brigade, plan, unit):
            return
        near = series.battle.enemy_near(unit.hex, unit.side)
        if near and self.doctrine.rally_in_contact == 0 and unit.kind != ARTILLERY:
            if self.draw_off(series, unit):
                return
            if self._fire(series, unit, 1) or self._move(series, brigade, plan, unit, False):
                return
        if series.effectiveness.may_rally(unit):
            fires, worth = self.best_fires(series, unit, FAR if unit.kind == ARTILLERY else self.doctrine.fire_range)
            rallied = self.rally_worth(series, unit) if self.doctrine.order > 0 else worth
            if worth > max(rallied, 0) and worth - self.answers_worth(series, unit, fires) > rallied:
                self.open_fire(series, unit, fires)
                return
            self.rally(series, unit)
        elif unit.kind != ARTILLERY:
            if not unit.collapsed or not self._to_the_rear(series, brigade, unit):
                self._fire_safely(series, unit, self.doctrine.fire_range)

    def _to_the_rear(self, series: Series, brigade: Command, unit: Unit) -> bool:
        """Take what is left of a collapsed unit out of the enemy's reach; False if it stays where it is."""
        if self.field(series.battle).to_enemy(unit.hex) >= OUT_OF_REACH:
            return False
        plan = Plan()
        plan.wanted = OUT_OF_REACH
        plan.waits = True
        return self._move(series, brigade, plan, unit, False)

    def rally(self, series: Series, unit: Unit) -> None:
        """Rally a unit, with a leader who can be spared for it, and fetch what ammunition it is short of."""
        self.bring_stars(series, unit)
        series.effectiveness.rally(unit)
        if unit.kind != ARTILLERY:
            self._fetch_ammunition(series, unit)

    def keep_order(self, series: Series, unit: Unit) -> None:
        """Rally and fetch ammunition: all that Confusion leaves (5.34)."""
        if unit.disordered and series.effectiveness.may_rally(unit):
            self.rally(series, unit)
        elif series.effectiveness.may_resupply(unit):
            series.effectiveness.resupply(unit)

    def _attack(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Fire and then shock from where it stands, or charge, or close in and fire."""
        if not plan.still and not self.fragile(unit) and self.cares_to_charge(series, unit):
            series.charge.charge(unit, self.riders(series, unit))
            return
        if series.battle.enemy_near(unit.hex, unit.side) and series.shock.targets(unit):
            self._fire(series, unit, 1)
            return
        fires, worth = self.best_fires(series, unit, self.doctrine.fire_range)
        if self.doctrine.prepared * worth // 40 > GAIN:
            self.open_fire(series, unit, fires)
            return
        moved = self._move(series, brigade, plan, unit, True)  # a fragile unit draws off instead
        if not unit.counts() or unit.finished:
            return
        if moved and series.shock.must_shock(unit):
            chance = self._best_chance(series, unit)
            if chance >= self.doctrine.charge_chance:
                return  # goes in with the bayonet
        if series.fire.may_fire(unit):
            self._fire(series, unit, FAR)

    def _best_chance(self, series: Series, unit: Unit) -> i64:
        best: i64 = 0
        for target in series.shock.targets(unit):
            best = max(best, series.shock.estimate([unit], target))
        return best

    # -- fire ------------------------------------------------------------------------------------------------------

    def _fetch_ammunition(self, series: Series, unit: Unit) -> bool:
        """10.92: make good small-arms ammunition that is out, or low while nobody is within fire range."""
        if unit.ammo == 0 or not series.effectiveness.may_resupply(unit):
            return False
        if unit.ammo == LOW_AMMO and self.best_fires(series, unit, self.doctrine.fire_range)[1] > 0:
            return False
        series.effectiveness.resupply(unit)
        return True

    def _fire(self, series: Series, unit: Unit, most: i64) -> bool:
        """Fire at the best target within `most` hexes, if there is one."""
        fires, worth = self.best_fires(series, unit, most)
        if worth <= 0:
            return False
        self.open_fire(series, unit, fires)
        return True

    def _fire_safely(self, series: Series, unit: Unit, most: i64) -> bool:
        """Fire at the best target within `most` hexes, if that is worth more than what answers it."""
        fires, worth = self.best_fires(series, unit, most)
        if worth <= 0 or worth <= self.answers_worth(series, unit, fires):
            return False
        self.open_fire(series, unit, fires)
        return True

    # -- movement --------------------------------------------------------------------------------------------------

    def _move(self, series: Series, brigade: Command, plan: Plan, unit: Unit, attack: bool) -> bool:
        """Move to the pose worth most, if it is worth more than the present one."""
        if plan.still or not series.movement.may_move(unit):
            return False
        if unit.extended == EXTENDED_LINE:
            self._appraise(series, brigade, plan, plan.wanted)
            return self.move_line(series, unit, attack and not self.fragile(unit))
        node = self._best_node(series, brigade, plan, [unit], attack)
        if node.hex is unit.hex:
            return self._turn_as(series, unit, node)
        series.movement.move(unit, node, self._final_heading(series, unit, node), self.riders(series, unit))
        return True

    def _appraise(self, series: Series, brigade: Command, plan: Plan, wanted: i64) -> None:
        """Begin to appraise places for a unit of a brigade that wants so many hexes between itself and the enemy."""
        grounds = plan.grounds if plan.waits else None
        self.field(series.battle).appraise(brigade, plan.goals, plan.weights, wanted, grounds)

    def _turn_as(self, series: Series, unit: Unit, node: Node) -> bool:
        """Turn to the heading of a node where it stands, if that is another."""
        if node.heading == unit.heading or not series.facing.may_turn(unit, node.heading):
            return False
        series.facing.turn(unit, node.heading)
        return True

    def _move_together(self, series: Series, brigade: Command, plan: Plan, stack: list[Unit]) -> bool:
        """Move a unit, or those of its hex that march with it, as one to the pose worth most (8.21)."""
        first = stack[0]
        if len(stack) == 1 or plan.still:
            return self._move(series, brigade, plan, first, False)
        node = self._best_node(series, brigade, plan, stack, False)
        if node.hex is first.hex:
            return self._turn_as(series, first, node)
        series.movement.move_stack(stack, node, self._final_heading(series, first, node))
        return True

    def _final_heading(self, series: Series, unit: Unit, node: Node) -> i64:
        """The heading worth most among those to which the unit can still turn at the end of its move."""
        field = self.field(series.battle)
        best = node.heading
        best_worth = field.pose_worth(unit, node)
        for turn in range(1, 6):
            heading = (node.heading + 2 * turn) % 12
            worth = field.pose_worth(unit, node.hex.nodes[heading])
            if worth > best_worth and series.movement.may_face(unit, node, heading):
                best = heading
                best_worth = worth
        return best

    def _best_node(self, series: Series, brigade: Command, plan: Plan, stack: list[Unit], attack: bool) -> Node:
        """The pose worth most among all that a unit, or a stack as one, can reach, its present one included."""
        unit = stack[0]
        field = self.field(series.battle)
        wanted = plan.wanted
        if unit.kind == ARTILLERY:
            wanted = self.doctrine.gun_distance
        elif self.fragile(unit):
            wanted = OUT_OF_REACH
            attack = False
        elif self.keeps_off(unit):
            wanted = POISED
            attack = False
        self._appraise(series, brigade, plan, wanted)
        gains = self.survey(series, unit)
        best = unit.hex.nodes[unit.heading]
        here = field.place_worth(best.hex)
        if gains > 0 and self.has_targets(series, unit, best.hex):
            here += gains
        best_worth = here + field.pose_worth(unit, best) + 1
        for turn in range(1, 6):
            turned = unit.hex.nodes[(unit.heading + 2 * turn) % 12]
            worth = here + field.pose_worth(unit, turned)
            if worth > best_worth and series.facing.may_turn(unit, turned.heading):
                best = turned
                best_worth = worth
        field.set_out(unit)
        if len(stack) > 1:
            series.movement.search_stack(stack, field)
        elif attack:
            series.movement.search(unit)
        elif self._knows_better(series, field, unit, best_worth, gains):
            series.movement.search(unit, False, field)
        else:
            return best
        return self._best_reached(series, unit, best, best_worth, gains, attack)

    def _best_reached(
        self, series: Series, unit: Unit, best: Node, best_worth: i64, gains: i64, attack: bool
    ) -> Node:
        """The pose worth most among those that the latest search has reached, and one that is worth so much."""
        field = self.field(series.battle)
        for node in series.movement.reached:
            place = node.hex
            if place is unit.hex:
                continue
            if not attack and place.worth + gains <= best_worth and place.union_near + place.confederate_near == 0:
                continue  # as most are, and no heading makes up for it
            beside = series.battle.enemy_near(place, unit.side)
            if not (attack and beside) and self._most_worth(field, place, beside) + gains <= best_worth:
                continue
            worth = self._node_worth(series, field, unit, node, attack)
            if gains > 0 and worth + gains > best_worth and self.has_targets(series, unit, place):
                worth += gains
            if worth > best_worth and series.movement.may_stop(node):
                best = node
                best_worth = worth
        return best

    def _knows_better(self, series: Series, field: Appraisal, unit: Unit, worth: i64, gains: i64) -> bool:
        """Whether some hex that a unit may get to could be worth more to it: else it need not look for ways.

        Whoever does not attack keeps away from the enemy; and beside friends the line is worth something, as a target
        is to a battery: `gains`. It looks no farther than twice the depth of a detour beyond the best hex so far.
        """
        if series.movement.as_column(unit):
            return True
        bonus = 2 * self.doctrine.line + gains
        top = field.peak
        stamp = series.battle.map.next_search()
        unit.hex.stamp = stamp
        ring = [unit.hex]
        left = series.movement.reach(unit)
        quiet: i64 = 0
        while left > 0 and quiet < 2 * field.depth and ring:
            outer: list[Hex] = []
            quiet += 1
            for place in ring:
                for beyond in place.around:
                    if beyond.stamp == stamp:
                        continue
                    beyond.stamp = stamp
                    if not field.passes(beyond):
                        continue
                    outer.append(beyond)
                    if beyond.worth > top:
                        top = beyond.worth
                        quiet = 0
                    if beyond.worth + bonus <= worth or series.battle.enemy_near(beyond, unit.side):
                        continue
                    most = beyond.worth
                    if most <= worth and beyond.union_near + beyond.confederate_near > 0:
                        most += field.best_pose(unit, beyond)
                    if 0 <= worth - most < gains and self.has_targets(series, unit, beyond):
                        most += gains
                    if most > worth and series.stacking.may_end(unit, beyond):
                        return True
            ring = outer
            left -= 1
        return False

    def enter(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Bring a reinforcement onto the map at once, to the pose worth most, and its leaders with it (9.71)."""
        if plan.still:
            return
        field = self.field(series.battle)
        wanted = self.doctrine.gun_distance if unit.kind == ARTILLERY else plan.wanted
        self._appraise(series, brigade, plan, wanted)
        field.set_out(unit)
        series.movement.search(unit, False, field)
        best: list[Node] = []
        best_worth: i64 = NO_WORTH
        for node in series.movement.reached:
            worth = self._node_worth(series, field, unit, node, plan.attack)
            if worth > best_worth and series.movement.may_stop(node):
                best = [node]
                best_worth = worth
        if best:
            heading = self._final_heading(series, unit, best[0])
            series.movement.move(unit, best[0], heading, series.reinforcements.riders(unit, best[0]))
            return
        for side in series.movement.exceptions(unit):
            series.movement.step(unit, side)
            return

    def _most_worth(self, field: Appraisal, place: Hex, beside: bool) -> i64:
        """What a place can be worth with the best of all headings to who does not attack, `beside` an enemy or not."""
        return field.most_worth(place) + (SHUNNED if beside else 0)

    def _node_worth(self, series: Series, field: Appraisal, unit: Unit, node: Node, attack: bool) -> i64:
        """What it is worth to end a move in a node: place, pose, and what comes of standing next to the enemy."""
        worth = field.place_worth(node.hex) + field.pose_worth(unit, node)
        if series.battle.enemy_near(node.hex, unit.side):
            worth += self._charge_worth(series, field, unit, node) if attack else SHUNNED
        return worth

    def _charge_worth(self, series: Series, field: Appraisal, unit: Unit, node: Node) -> i64:
        """What coming adjacent is worth: much with a good charge, less than nothing without.

        Whoever charges must shock all in front of him (11.31), so the worse chance of two counts, each against both.
        """
        best: i64 = -1
        for side in node.ahead:
            if side.to.stack and series.battle.held_by(side.to) == 1 - unit.side:
                other: i64 = 0
                for beside in node.ahead:
                    if beside is not side and series.battle.held_by(beside.to) == 1 - unit.side:
                        other += field.defence(beside.to)
                chance = field.charge_chance(unit, node, side.to, other)
                best = chance if best < 0 else min(best, chance)
        if best < 0:
            return -GAIN
        if best >= self.doctrine.charge_chance:
            return GAIN + (best - self.doctrine.charge_chance) // 5
        return -(self.doctrine.charge_chance - best) // 10

    # -- shock -----------------------------------------------------------------------------------------------------

    def shocks(self, series: Series, brigades: list[Command]) -> list[Designation]:
        """All that must shock, and what may where the chance is good enough."""
        wishes: list[Designation] = []
        for brigade in brigades:
            for unit in brigade.units:
                if not unit.counts() or not series.shock.may_shock(unit):
                    continue
                targets = series.shock.targets(unit)
                if not targets:
                    continue
                if series.shock.must_shock(unit) or self._cares_to_shock(series, brigade, unit, targets[0]):
                    wishes.append(Designation([unit], targets))
        return series.shock.complete(wishes)

    def _cares_to_shock(self, series: Series, brigade: Command, unit: Unit, target: Hex) -> bool:
        if self.fragile(unit) or unit.disordered:
            return False
        return self._joint_chance(series, brigade, unit, target) >= self.doctrine.shock_chance

    def _joint_chance(self, series: Series, brigade: Command, unit: Unit, target: Hex) -> i64:
        """Chance of a shock together with all of the active brigades who face the same hex."""
        together: list[Unit] = [unit]
        for active in series.battle.active:
            for other in active.units:
                if other is unit or not other.counts() or not series.shock.may_shock(other):
                    continue
                if target in series.shock.targets(other):
                    together.append(other)
        return series.shock.estimate(together, target)
