"""Chapter 6, the orders system: what each order permits, and how brigades change theirs (6.1, 6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import PHASE_SHOCK
from simkit.model.charts import (
    AGGRESSIVE,
    CAUTIOUS,
    CHANGE,
    CHANGE_AND_STAND,
    LOOSE_CANNON,
    RETAIN_AND_STAND,
    UNRELIABLE,
)
from simkit.model.fatigue import FATIGUE_4
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    BRIGADE,
    CAVALRY,
    DIVISION,
    MARCH,
    ORDERS,
    PROFILES,
)
from simkit.model.log import EVERYTHING, Event
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.loosecannon import LOOSE_NONE, LOOSE_RETREAT, LooseCannon
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

NO_TRY: Final[i64] = -1
MARCH_DISTANCE: Final[i64] = 4  # hexes, with sight, from the enemy within which nobody marches (6.13, 6.14)
NEAREST_FIRST: Final[list[i64]] = [1, 11, 3, 9, 5, 7]  # twelfths of a turn from a hexside to each vertex, or back
OUTCOMES: Final = ("retain and stand", "retain", "loose cannon", "change and stand", "change")


@mypyc_attr(allow_interpreted_subclasses=True)
class OrdersSystem(Chapter):
    """The orders of brigades and units: assigned, changed by die roll, and compared by what they permit."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.assignable: list[Command] = []  # commands whose orders their commander may set at this moment
        self.deploying = False
        self.deploying_side: i64 = 0  # while `deploying`
        self.loose = LooseCannon(series, battle, options)

    # -- the Orders Comparison Chart (6.11) ------------------------------------------------------------------------

    def may_move(self, unit: Unit) -> bool:
        """6.15, 6.23, 6.24, 5.34: whether its orders let an active unit spend movement points now.

        Not on a Stand, in Confusion, after what a loose cannon made it do, nor under Advance Orders once it has fired
        (guns may do both, 6.18, 10.61).
        """
        if unit.stands or unit.forced == 2 or self.confused(unit) or self.actions_over():
            return False
        return not (unit.orders == ADVANCE and unit.fired and unit.kind != ARTILLERY)

    def actions_over(self) -> bool:
        """3.0 III/C/3: whether the shocks of the activation have begun: they come after all other actions."""
        return self.battle.phase == PHASE_SHOCK

    def confused(self, unit: Unit) -> bool:
        """5.34: whether Confusion lies on a unit's brigade, or on the one that a battery is attached to."""
        return unit.command.confused or (unit.attached >= 0 and self.battle.commands[unit.attached].confused)

    def may_fire(self, unit: Unit) -> bool:
        """6.13: whether its orders let a unit fire at all, in whatever way."""
        return unit.orders != MARCH

    def may_fire_phasing(self, unit: Unit) -> bool:
        """6.13, 6.15, 6.24, 5.34: whether its orders let an active unit fire now.

        Under Advance Orders not once it has moved (guns may do both, 6.18, 10.61).
        """
        if unit.orders == MARCH or unit.forced != 0 or self.confused(unit) or self.actions_over():
            return False
        return not (unit.orders == ADVANCE and unit.moved and unit.kind != ARTILLERY)

    def may_shock(self, unit: Unit) -> bool:
        """6.11, 6.13, 5.34: whether its orders let an active unit shock."""
        return unit.orders != MARCH and not self.confused(unit)

    def may_move_adjacent(self, unit: Unit) -> bool:
        """6.13, 6.15, 6.16: whether its orders let it move adjacent to enemy infantry or cavalry."""
        return unit.orders == ATTACK

    def may_use_roads(self, unit: Unit) -> bool:
        """6.11, 9.24: whether its orders let it move at the rate of roads, pikes and trails."""
        return unit.orders != ATTACK

    def may_rally(self, unit: Unit) -> bool:
        """6.13: whether its orders let it rally."""
        return unit.orders != MARCH and unit.forced == 0 and not self.actions_over()

    def may_resupply(self, unit: Unit) -> bool:
        """6.13: whether its orders let it resupply: on the march only Gringo! does."""
        if unit.orders == MARCH and self.options.edition > GRINGO:
            return False
        return unit.forced == 0 and not self.actions_over()

    def may_retreat_before_shock(self, unit: Unit) -> bool:
        """6.13, 6.15, 6.16: whether its orders let it retreat before shock: only Advance Orders do."""
        return unit.orders == ADVANCE

    def may_advance(self, unit: Unit) -> bool:
        """6.13: whether its orders let it advance after shock, the one combat open to it on the march.

        Gringo! does not forbid it to those on the march.
        """
        return unit.orders != MARCH or self.options.edition <= GRINGO

    def may_continue_shock(self, unit: Unit) -> bool:
        """6.13: whether its orders let it continue a shock; Gringo! does not forbid it to those on the march."""
        return unit.orders != MARCH or self.options.edition <= GRINGO

    def close_to_enemy(self, place: Hex, side: i64) -> bool:
        """6.13, 6.14: whether an enemy combat unit stands within four hexes and line of sight of a hex."""
        for enemy in self.battle.units:
            if enemy.side == side or not enemy.counts():
                continue
            for part in enemy.parts:
                if place.distance_to(part.hex) <= MARCH_DISTANCE and self.series.sight.clear(place, part.hex):
                    return True
        return False

    def forbids(self, command: Command, orders: i64) -> bool:
        """17.32, 21.2 of Dead of Winter: whether a command may not take orders: too tired, or with a river to cross."""
        return self.series.fatigue.forbids_orders(command, orders) or self.series.advance.forbids(command, orders)

    # -- orders without a roll -------------------------------------------------------------------------------------

    def may_march(self, command: Command) -> bool:
        """6.14, 8.12, 17.32: whether a command may be given March Orders.

        Not at Fatigue Level 4, not with a unit within four hexes and sight of the enemy, nor (but in Gringo!) with
        dismounted cavalry, nor on deployment with a unit stacked with those of others who do not march.
        """
        if self.series.fatigue.forbids_orders(command, MARCH):
            return False
        for unit in command.units:
            if unit.counts():
                if unit.kind == CAVALRY and not self.series.mounting.may_march(unit):
                    return False
                if any(self.close_to_enemy(part.hex, unit.side) for part in unit.parts):
                    return False
                if self.deploying and self._among_others(unit):
                    return False
        return True

    def _among_others(self, unit: Unit) -> bool:
        """8.12: whether a unit begins the battle stacked with one of another command that does not march."""
        for mate in self.battle.units_in(unit.hex):
            if mate.command is not unit.command and mate.orders != MARCH:
                return True
        return False

    def assign(self, command: Command, orders: i64) -> None:
        """5.28, 6.12, 6.14, 6.17, 17.32: give a command orders without a roll, to deploy or in the Orders Segment.

        In the Division Orders Phase only its units In Command take them (4.23).

        Raises:
            CommanderError: it may not be given these orders, or not now.
        """
        if orders != MARCH and orders != ADVANCE and orders != ATTACK:
            raise CommanderError(f"OrdersSystem.assign: orders {orders}; there are 0 March, 1 Advance and 2 Attack")
        if command not in self.assignable:
            codes = ", ".join([other.code for other in self.assignable]) or "none"
            raise CommanderError(f"OrdersSystem.assign: {command.code} can't be given orders now (6.12), but: {codes}")
        if self.forbids(command, orders):
            raise CommanderError(
                f"OrdersSystem.assign: {command.code} can't be given {ORDERS[orders]} Orders: it is at Fatigue Level 4"
                " (17.32), or must cross the river first (21.2)"
            )
        if orders == MARCH and command.orders != MARCH and not self.may_march(command):
            raise CommanderError(
                f"OrdersSystem.assign: {command.code} can't be given March Orders: one unit is dismounted, within four "
                "hexes and sight of the enemy, or stacked with others who don't march (6.14, 8.12)"
            )
        if self.deploying:
            units = [unit for unit in command.units if unit.counts()]
        else:
            units = [unit for unit in command.units if unit.counts() and unit.in_command]
            if orders == MARCH and command.orders != MARCH:
                # 5.28: in the turn in which it takes up the march it moves no more than its division acts
                command.march_limit = max(1, self.series.activation.marker_division(command).markers)
        command.orders = orders
        for unit in units:
            self.give(unit, orders)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("orders", command.side, command.code, "", "assigned", ORDERS[orders])

    def give(self, unit: Unit, orders: i64) -> None:
        """6.18, 7.23, 15.14: put a unit under orders, and face it as they demand at no cost; builders stop.

        Guns are never under Attack Orders; Blown cavalry (11.58) and units at Fatigue Level 4 (17.32) always are under
        Advance Orders. Dismounted cavalry does not take March Orders (8.12).
        """
        orders = ADVANCE if unit.blown or unit.fatigue.level == FATIGUE_4 else self._orders_for(unit, orders)
        if unit.orders == orders:
            return
        old = unit.orders
        turned = (old == MARCH) != (orders == MARCH)
        unit.orders = orders
        if unit.building:
            self.series.engineering.discontinue(unit, "orders")
        if orders == MARCH:
            self.series.refusal.straighten(unit, "March Orders")
        if turned and not self.series.columns.take_orders(unit, old):
            self.dress(unit)

    def dress(self, unit: Unit) -> None:
        """7.11, 7.23: face a unit to a hexside under March Orders, to a vertex under others, at no cost.

        It takes the facing of the others in its hex that already have the right kind, else its owner chooses.
        """
        wanted: i64 = 0 if unit.orders == MARCH else 1
        if unit.heading % 2 == wanted:
            return
        for part in unit.hex.stack:
            other = part.unit
            agrees = (other.orders == MARCH) == (unit.orders == MARCH) and other.heading % 2 == wanted
            if other is not unit and other.counts() and agrees:
                self.series.facing.face(unit, other.heading)
                return
        headings: list[int] = []
        for turn in NEAREST_FIRST:
            if self.series.columns.may_turn(unit, (unit.heading + turn) % 12):
                headings.append((unit.heading + turn) % 12)
        chosen = self.series.owner(unit).heading_after(self.series, unit, headings)
        if chosen < 0 or chosen >= len(headings):
            right = f"0 to {len(headings) - 1}"
            raise CommanderError(f"Commander.heading_after: {chosen} for {unit.id}; it should be {right}")
        self.series.facing.face(unit, headings[chosen])

    def open_deployment(self, side: i64) -> None:
        """6.17: let a side's owner set the orders that the scenario leaves to him, until `close`."""
        self.deploying = True
        self.deploying_side = side
        self.assignable = []
        for command in self.battle.commands:
            if command.side == side and command.units and command not in self.series.scenario.assigned:
                self.assignable.append(command)

    def deploys(self, side: i64) -> bool:
        """6.17: whether a side's owner sets up his units now."""
        return self.deploying and self.deploying_side == side

    def open_division_orders(self, side: i64) -> list[Command]:
        """6.12, 3.0 II/C: let a side change the orders of commands in the chain of command, until `close`.

        Returns:
            those commands: brigades with a chain up to their corps commander, and units directly under a leader in it.
        """
        self.deploying = False
        self.assignable = []
        for command in self.battle.commands:
            led = self.series.command.head(command).has_leader() and not command.in_reserve
            if led and command.side == side and self.has_units(command) and self.series.command.linked(command):
                self.assignable.append(command)
        return self.assignable

    def close(self) -> None:
        """6.12: no more orders without a roll."""
        self.assignable = []
        self.deploying = False

    def has_units(self, command: Command) -> bool:
        """Whether a unit directly under a command stands on the map."""
        return any(unit.counts() for unit in command.units)

    # -- brigade orders change (6.2) -------------------------------------------------------------------------------

    def catch_up(self, brigade: Command) -> None:
        """4.23: units that missed a change of orders take their brigade's if in Command Range when it activates."""
        stray = False
        for unit in brigade.units:
            if unit.counts() and unit.orders != self._orders_for(unit, brigade.orders):
                stray = True
        if stray:
            for unit in self.series.command.units_in_range(brigade):
                self.give(unit, brigade.orders)

    def _orders_for(self, unit: Unit, orders: i64) -> i64:
        """6.18, 8.12: the orders that a unit has when its brigade is under others that are not for it."""
        if unit.kind == ARTILLERY and orders == ATTACK:
            return ADVANCE
        if orders == MARCH and unit.kind == CAVALRY and not self.series.mounting.may_march(unit):
            return unit.orders
        return orders

    def change_phase(self, brigades: list[Command]) -> None:
        """6.21, 3.0 III/C/1: brigades that are being activated may try to change their orders by die roll.

        Not at Fatigue Level 4, nor under Advance Orders before they have crossed the river that they must cross: no
        other orders are open to them (17.32, 21.2 of Dead of Winter).
        """
        for brigade in brigades:
            if brigade.fatigue.level == FATIGUE_4 or (brigade.orders == ADVANCE and self.forbids(brigade, ATTACK)):
                continue
            if brigade.level == BRIGADE and brigade.has_leader() and self.has_units(brigade):
                wanted = self.series.commander(brigade.side).change_orders(self.series, brigade)
                if wanted != NO_TRY:
                    self._check_wanted(brigade, wanted)
                    self.try_change(brigade, wanted)

    def _check_wanted(self, brigade: Command, wanted: i64) -> None:
        if (wanted != ADVANCE and wanted != ATTACK) or wanted == brigade.orders or self.forbids(brigade, wanted):
            raise CommanderError(
                f"Commander.change_orders: {wanted} for {brigade.code} under {ORDERS[brigade.orders]} Orders; it "
                "should be 1 (Advance) or 2 (Attack), other than the present orders, or -1 for no try"
            )

    def change_modifier(self, brigade: Command) -> i64:
        """6.21, 6.22, 4.14: DRM of an orders change: the Orders Rating, and superiors stacked with the brigadier."""
        leader = brigade.leader()
        modifier = leader.ratings().orders
        division = False
        higher = False
        at = brigade
        while at.superior is not at:
            at = at.superior
            if at.has_leader() and at.leader() is not leader and at.leader().hex is leader.hex:
                if at.level == DIVISION:
                    division = True
                elif at.level > DIVISION:
                    higher = True
        if division:
            modifier += self.charts.command.with_division_leader
        if higher:
            modifier += self.charts.command.with_higher_commander
        return modifier

    def try_change(self, brigade: Command, wanted: i64) -> None:
        """6.21, 6.23, 6.25: roll for a change of orders, which holds for the units of the brigade now In Command.

        By Gringo! a Stand and a loose cannon bind all its units. No roll for a brigade whose division surprises the
        enemy (1.0 of Dead of Winter).
        """
        units = self.series.command.units_in_range(brigade)
        if self.series.surprise.free_change(brigade):
            self._take(brigade, wanted, units)
            if self.series.log.level >= EVERYTHING:
                self.series.log.note("orders", brigade.side, brigade.code, "", "without a roll", ORDERS[wanted])
            return
        bound = units
        if self.options.edition <= GRINGO:
            bound = [unit for unit in brigade.units if unit.counts()]
        roll = self.series.dice.roll(streams.ORDERS, brigade)
        adjusted = roll + self.change_modifier(brigade)
        outcome = self.charts.orders_change.outcome(adjusted)
        if self.series.log.level >= EVERYTHING:
            self._log_change(brigade, wanted, roll, adjusted, outcome)
        if outcome in (CHANGE, CHANGE_AND_STAND):
            self._take(brigade, wanted, units)
        if outcome in (CHANGE_AND_STAND, RETAIN_AND_STAND):
            for unit in bound:
                unit.stands = True
        if outcome == LOOSE_CANNON:
            self.loose_cannon(brigade, bound)

    def _take(self, brigade: Command, wanted: i64, units: list[Unit]) -> None:
        """6.23: a brigade that may change takes Advance or Attack Orders, or keeps those it has."""
        taken = self.series.commander(brigade.side).take_orders(self.series, brigade, wanted)
        legal = taken in (ADVANCE, ATTACK, brigade.orders)
        if not legal or (taken != brigade.orders and self.forbids(brigade, taken)):
            raise CommanderError(
                f"Commander.take_orders: {taken} for {brigade.code}; it should be 1 (Advance), 2 (Attack) or the"
                f" present orders, {brigade.orders}"
            )
        if taken != brigade.orders:
            brigade.orders = taken
            for unit in units:
                self.give(unit, taken)

    def _log_change(self, brigade: Command, wanted: i64, roll: i64, adjusted: i64, outcome: i64) -> None:
        event = Event("orders")
        event.side = brigade.side
        event.unit = brigade.code
        event.mode = f"{ORDERS[brigade.orders]} to {ORDERS[wanted]}"
        event.roll = roll
        event.drm = adjusted - roll
        event.adjusted = adjusted
        event.result = OUTCOMES[outcome]
        self.series.log.add(event)

    def loose_cannon(self, brigade: Command, units: list[Unit]) -> None:
        """6.24, 6.25, 4.14: settle by his Action Profile what a loose cannon will do when his brigade acts."""
        profile = brigade.leader().ratings().profile
        if profile == UNRELIABLE:
            profile = self.charts.unreliable.outcome(self.series.dice.roll(streams.ORDERS, brigade))
        brigade.loose = LOOSE_NONE
        if profile == AGGRESSIVE and brigade.orders != MARCH:
            brigade.loose = self.loose.charge_or_close_up(units)
            brigade.orders = self.loose.orders_of(brigade.loose)
        elif profile == CAUTIOUS:
            brigade.loose = LOOSE_RETREAT
        if brigade.loose != LOOSE_NONE:
            for unit in units:
                unit.forced = 1
                if brigade.loose != LOOSE_RETREAT:
                    self.give(unit, brigade.orders)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("orders", brigade.side, brigade.code, "", "loose cannon", PROFILES[profile])

    # -- under attack (6.26) ---------------------------------------------------------------------------------------

    def under_attack(self, brigade: Command) -> None:
        """6.26: a brigade under March Orders that was shocked, or fired on by all but shot and shell, deploys.

        At the end of the enemy's activation it is placed under Advance Orders.
        """
        hit = False
        for unit in brigade.units:
            if unit.orders == MARCH and (unit.fired_at or unit.shock_target):
                hit = True
        if hit:
            if brigade.orders == MARCH:  # else only stragglers of it are on the march
                brigade.orders = ADVANCE
            for unit in brigade.units:
                if unit.counts() and unit.orders == MARCH:
                    self.give(unit, ADVANCE)
            if self.series.log.level >= EVERYTHING:
                self.series.log.note("orders", brigade.side, brigade.code, "", "under attack", ORDERS[ADVANCE])
