"""The scripted commander: orders by turn and brigade or unit; a doctrine decides what they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.doctrine import Doctrine
from simkit.commanders.heuristic import HeuristicCommander
from simkit.commanders.intent import Plan
from simkit.commanders.objectives import Objective
from simkit.model.battle import PHASE_ACTION, PHASE_SHOCK
from simkit.model.forces import ADVANCE, ATTACK, EXTENDED_LINE, MARCH, Command, Unit
from simkit.rules.commander import Designation
from simkit.rules.facing import vertices

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.rules.linemoves import LineMove
    from simkit.rules.series import Series

MOVE_TO: Final[i64] = 0
HOLD: Final[i64] = 1
ATTACK_HEX: Final[i64] = 2
WAIT: Final[i64] = 3
AT_GOAL: Final[i64] = 10  # weight of a scripted goal: the most an objective can have
# what counts on a march: nearer to the hex first, then the heading ordered, then fewer movement points
NEARER: Final[i64] = 1000
TURN: Final[i64] = 100


class Order:
    """One order: turns and activation counted from 0, -1 and '' for what it leaves open.

    `deed` is MOVE_TO (march to the hex and stay there), HOLD (stay, fire at will), ATTACK_HEX (towards the hex under
    Attack Orders, fighting as the doctrine does) or WAIT (do nothing that the rules do not demand).
    """

    def __init__(
        self, first: i64, last: i64, activation: i64, brigade: str, unit: str, deed: i64, target: str, heading: i64,
        orders: i64,
    ) -> None:
        self.first = first
        self.last = last
        self.activation = activation
        self.brigade = brigade
        self.unit = unit
        self.deed = deed
        self.target = target
        self.heading = heading
        self.orders = orders


@mypyc_attr(allow_interpreted_subclasses=True)
class ScriptedCommander(HeuristicCommander):
    """Follows a list of orders; the first that fits a unit or its brigade now is the one that counts."""

    def __init__(self, doctrine: Doctrine, objectives: list[Objective], script: list[Order]) -> None:
        super().__init__(doctrine, objectives)
        self.script = script

    def orders_for(self, series: Series, brigade: Command, unit_id: str) -> list[Order]:
        """The order that counts now for a unit, or for a brigade where `unit_id` is empty; none or one."""
        turn = series.battle.turn
        phase = series.battle.phase
        # a brigade's activation is counted when its action begins: before that the next one is meant
        at = brigade.activations - 1 if phase in (PHASE_ACTION, PHASE_SHOCK) else brigade.activations
        for order in self.script:
            if not order.first <= turn <= order.last or (order.activation >= 0 and order.activation != at):
                continue
            if order.unit == unit_id if order.unit != "" else order.brigade == brigade.code:
                return [order]
        return []

    def wanted_orders(self, series: Series, brigade: Command) -> i64:
        """The script's, where it says so or says attack, and where the rules allow them; otherwise the doctrine's."""
        for order in self.orders_for(series, brigade, ""):
            wanted = ATTACK if order.orders < 0 and order.deed == ATTACK_HEX else order.orders
            if wanted in (ADVANCE, ATTACK) and not series.orders.forbids(brigade, wanted):
                return wanted
            if wanted == MARCH and (brigade.orders == MARCH or series.orders.may_march(brigade)):
                return wanted
        return super().wanted_orders(series, brigade)

    def change_orders(self, series: Series, brigade: Command) -> i64:
        """What the script wants, whatever the roll may bring; nobody can roll for March Orders (6.21)."""
        if not self.orders_for(series, brigade, ""):
            return super().change_orders(series, brigade)
        wanted = self.wanted_orders(series, brigade)
        return -1 if wanted == brigade.orders or wanted == MARCH else wanted

    def plan(self, series: Series, brigade: Command) -> Plan:
        """Drawn to the script's hex, or told to stay."""
        made = super().plan(series, brigade)
        for order in self.orders_for(series, brigade, ""):
            self._apply(series, order, made)
        return made

    def _apply(self, series: Series, order: Order, plan: Plan) -> None:
        if order.deed == HOLD or order.deed == WAIT:
            plan.still = True
        else:
            plan.still = False
            plan.waits = False
            plan.goals = [series.battle.map.named(order.target)]
            plan.weights = [AT_GOAL]

    def act_unit(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Move or turn as ordered first, do nothing while waiting; the rest as the doctrine has it."""
        for order in self.orders_for(series, brigade, unit.id):
            if order.deed == WAIT:
                return
            own = Plan()
            own.wanted = plan.wanted
            own.attack = plan.attack
            self._apply(series, order, own)
            if order.deed == MOVE_TO:
                if self._march(series, unit, order):
                    return
                # it is there, or can come no nearer
                own.still = unit.hex.id == order.target
            if order.deed != ATTACK_HEX and order.heading >= 0 and (order.deed == HOLD or own.still):
                self._turn(series, unit, order.heading)
            super().act_unit(series, brigade, own, unit)
            return
        super().act_unit(series, brigade, plan, unit)

    def enter(self, series: Series, brigade: Command, plan: Plan, unit: Unit) -> None:
        """Enter towards the hex ordered; whoever holds or waits delays its entry (9.73)."""
        for order in self.orders_for(series, brigade, unit.id):
            own = Plan()
            own.wanted = plan.wanted
            own.attack = plan.attack
            self._apply(series, order, own)
            super().enter(series, brigade, own, unit)
            return
        super().enter(series, brigade, plan, unit)

    def shocks(self, series: Series, brigades: list[Command]) -> list[Designation]:
        """As the doctrine has it, but units that wait shock only where the rules make them."""
        wishes = [
            wish for wish in super().shocks(series, brigades)
            if not all(self._waits(series, unit) and not series.shock.must_shock(unit) for unit in wish.attackers)
        ]
        return series.shock.complete(wishes)

    def _waits(self, series: Series, unit: Unit) -> bool:
        return any(order.deed == WAIT for order in self.orders_for(series, unit.command, unit.id))

    def column_of(self, series: Series, unit: Unit) -> list[Unit]:
        """As the doctrine has it, but those with orders of their own stay behind."""
        return [
            one for one in super().column_of(series, unit)
            if one is unit or not self.orders_for(series, one.command, one.id)
        ]

    def _turn(self, series: Series, unit: Unit, heading: i64) -> None:
        if unit.heading != heading and series.movement.may_move(unit) and series.facing.may_turn(unit, heading):
            series.facing.turn(unit, heading)

    def _contract(self, series: Series, unit: Unit, target: Hex) -> bool:
        """Retract a line into that of its hexes which is nearest to a hex; False if it cannot go on from there."""
        found: list[LineMove] = []
        for move in series.lines.retractions(unit):
            if len(move.places) > 1:
                continue
            if not found or move.places[0].distance_to(target) < found[0].places[0].distance_to(target):
                found = [move]
        for move in found:
            if series.lines.retract(unit, move) and unit.hex is not target:
                return series.movement.may_move(unit)
        return False

    def _march(self, series: Series, unit: Unit, order: Order) -> bool:
        """To the hex within reach that is nearest to the target, there with the heading ordered where it can be had.

        An Extended Line contracts first.
        """
        if unit.hex.id == order.target or not series.movement.may_move(unit):
            return False
        target = series.battle.map.named(order.target)
        if unit.extended == EXTENDED_LINE and not self._contract(series, unit, target):
            return False
        if unit.orders == MARCH:
            self.lead_column(series, unit, [target])
        series.movement.search(unit)
        best = unit.hex.nodes[unit.heading]
        best_heading = unit.heading
        best_worth = -NEARER * unit.hex.distance_to(target)
        for node in series.movement.reached:
            if node.hex.distance_to(target) >= unit.hex.distance_to(target) or not series.movement.may_stop(node):
                continue
            heading = node.heading
            if order.heading >= 0 and node.hex is target and series.movement.may_face(unit, node, order.heading):
                heading = order.heading
            turn = vertices(heading, order.heading) if order.heading >= 0 else 0
            worth = -NEARER * node.hex.distance_to(target) - TURN * turn - node.cost
            if worth > best_worth:
                best = node
                best_heading = heading
                best_worth = worth
        if best.hex is unit.hex:
            return False
        series.movement.move(unit, best, best_heading)
        return True
