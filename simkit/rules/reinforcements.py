"""Rule 9.7, reinforcements: who is due, under what orders and with how many activations, and how they enter the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.battlemap import OFF_ROAD
from simkit.model.charts import PROHIBITED
from simkit.model.fatigue import FATIGUE_4
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    CORPS,
    MARCH,
    NOT_ENTERED,
    ON_MAP,
    ORDERS,
)
from simkit.model.log import EVERYTHING, Event
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.efficiency import LEAST_MARKERS, MOST_INEFFECTIVE
from simkit.rules.options import GRINGO, INTO_THE_WOODS

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside, Node
    from simkit.model.entrances import Entrance, Reinforcement
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Reinforcements(Chapter):
    """Groups of reinforcements on their way from the edge of the map into the battle (9.7)."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._own_price: i64 = 0  # half MPs that the unit about to enter would pay if it were the first (9.72)

    # -- who is due (9.71, 9.73) -----------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """9.73, 9.74: see who is due this turn or has been since an earlier one, and with how many activations."""
        for group in self.battle.reinforcements:
            if group.faces and group.due > self.battle.turn >= group.turn:
                self._roll_for(group)
            if group.due > self.battle.turn:
                continue
            for unit in group.units:
                if unit.arrival is group:
                    unit.waiting = unit.place == NOT_ENTERED
                    if unit.waiting:
                        unit.limit = group.activations
            for leader in group.leaders:
                if leader.arrival is group:
                    leader.waiting = leader.place == NOT_ENTERED

    def _roll_for(self, group: Reinforcement) -> None:
        """10.0 of Dead of Winter: a group that must roll for its arrival does so; with the right roll it is due now."""
        if group.units:
            roll = self.series.dice.roll(streams.ARRIVAL, group.units[0])
        else:
            roll = self.series.dice.roll(streams.ARRIVAL, group.leaders[0])
        later = bool(group.later_faces) and self.battle.turn >= group.later_from
        if roll in (group.later_faces if later else group.faces):
            group.due = self.battle.turn
        if self.series.log.level >= EVERYTHING:
            who = group.units[0].id if group.units else group.leaders[0].id
            result = "arrives" if group.due == self.battle.turn else "does not arrive"
            self.series.log.note("arrival", group.side, who, "", str(roll), result)

    def begin_phase(self) -> None:
        """9.72: a new action phase begins: nobody has entered in it yet."""
        for entrance in self.battle.entrances:
            entrance.queued = 0

    # -- orders (3.0 II/D) -----------------------------------------------------------------------------------------

    def give_orders(self, side: i64) -> None:
        """9.71, 6.14, 6.17, 3.0 II/D: a side's reinforcements that are due get their orders, or delay (9.73).

        Orders are given to the units of each command in each group, also to those left from an earlier turn.
        """
        for group in self.battle.reinforcements:
            if group.side != side:
                continue
            commands: list[Command] = []
            for unit in group.units:
                if unit.waiting and unit.arrival is group and unit.command not in commands:
                    commands.append(unit.command)
            for command in commands:
                units = [
                    unit for unit in group.units
                    if unit.waiting and unit.arrival is group and unit.command is command
                ]
                if self.series.commander(side).delay_entry(self.series, command, units):
                    self._delay(units)
                else:
                    self._assign(command, units, self._chosen(group, command, units))

    def _delay(self, units: list[Unit]) -> None:
        """9.73, 9.71: units stay off the map this turn at their owner's discretion: they could have entered."""
        for unit in units:
            unit.waiting = False
            unit.could_enter = True

    def _chosen(self, group: Reinforcement, command: Command, units: list[Unit]) -> i64:
        """6.14, 6.17, 8.12, 17.32: the orders that the group's book or their owner gives units that are due."""
        choices: list[int] = []
        dismounted = any(unit.kind == CAVALRY and not unit.mounted for unit in units)
        dismounted = dismounted and self.options.edition > GRINGO
        for orders in group.orders:
            if (orders != MARCH or not dismounted) and not self.series.orders.forbids(command, orders):
                choices.append(orders)
        if not choices:
            return ADVANCE
        if len(choices) == 1:
            return choices[0]
        chosen = self.series.commander(group.side).reinforcement_orders(self.series, command, units, choices)
        if chosen not in choices:
            offered = ", ".join([f"{orders} ({ORDERS[orders]})" for orders in choices])
            raise CommanderError(
                f"Commander.reinforcement_orders: {chosen} for {command.code}; it should be one of {offered}"
            )
        return chosen

    def _assign(self, command: Command, units: list[Unit], orders: i64) -> None:
        """6.17, 6.18: put units that are due under orders; a command that has nobody on the map takes them too."""
        if not self.series.orders.has_units(command):
            command.orders = orders
        for unit in units:
            self.put_under(unit, orders)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("orders", command.side, command.code, "", "reinforcements", ORDERS[orders])

    def put_under(self, unit: Unit, orders: i64) -> None:
        """6.17, 6.18, 17.32: put a unit off the map under orders; guns never attack, nor does who is at level 4."""
        if unit.fatigue.level == FATIGUE_4 or (unit.kind == ARTILLERY and orders == ATTACK):
            orders = ADVANCE
        unit.orders = orders
        if (unit.heading % 2 == 0) != (orders == MARCH):  # a heading of the right kind (7.11)
            unit.heading = (unit.heading + 1) % 12

    # -- activations (5.21, 5.23, 5.28, 9.71, 9.74) ----------------------------------------------------------------

    def share_out(self, head: Command, number: i64, divisions: list[Command]) -> None:
        """9.71, 5.23: the markers on which entering units of the divisions that share an efficiency may act.

        They count as in command, so nothing is taken off. The ratings of those who enter through the same hex or area
        count for them, but not for units on the map; units on the map and entering ones of a division share its
        markers, whichever number is the higher.
        """
        entering = [division for division in divisions if self.enters(division)]
        numbers: list[int] = [number for _ in entering]
        if entering and head.level == CORPS and head.leader_list and head.leader().waiting:
            self._corps_bonus(head, entering, numbers)
        for at, division in enumerate(entering):
            own = numbers[at] + self._activation_rating(division)
            most = self.series.artillery.most_markers(division)
            own = max(LEAST_MARKERS, min(own, MOST_INEFFECTIVE if division.ineffective else most))
            if self._stands(division):
                division.markers_on_map = division.markers
                own = max(own, division.markers)
            division.markers_entering = own
            division.markers = own

    def own_numbers(self, side: i64) -> None:
        """9.74, 5.28: a division has as many markers as any of those that enter with a number of their own need."""
        for unit in self.battle.units:
            if unit.side != side or not unit.waiting or unit.limit < 0:
                continue
            division = self.series.activation.marker_division(unit.command)
            if unit.limit > division.markers:
                if division.markers_on_map < 0:
                    division.markers_on_map = division.markers
                if division.markers_entering < 0:
                    division.markers_entering = division.markers
                division.markers = unit.limit

    def enters(self, command: Command) -> bool:
        """5.21: whether a unit of a command waits to enter this turn."""
        return any(unit.waiting for unit in command.all_units())

    def _stands(self, command: Command) -> bool:
        return any(unit.counts() for unit in command.all_units())

    def comes_with(self, leader: Leader, command: Command) -> bool:
        """9.71: whether a waiting leader enters through the same hex or area as a waiting unit of a command."""
        own = leader.arrival
        if own is None or not leader.waiting:
            return False
        for unit in command.all_units():
            group = unit.arrival
            if group is not None and unit.waiting and own.meets(group):
                return True
        return False

    def _activation_rating(self, division: Command) -> i64:
        """5.23 #3, 9.71: the division leader's rating, if he is on the map or enters with them."""
        if not division.leader_list:
            return 0
        leader = division.leader()
        return leader.ratings().activation if leader.in_play() or self.comes_with(leader, division) else 0

    def _corps_bonus(self, corps: Command, divisions: list[Command], numbers: list[int]) -> None:
        """5.23 #1, 9.71: what the rating of a corps commander who enters does for divisions that enter with him."""
        near = [division for division in divisions if self.comes_with(corps.leader(), division)]
        rating = corps.leader().ratings().efficiency
        for division in near:
            if rating < 0:
                numbers[divisions.index(division)] += rating
        for _ in range(rating):
            chosen = self.series.commander(corps.side).corps_bonus(self.series, near) if near else -1
            if chosen >= len(near) or chosen < -1:
                raise CommanderError(f"Commander.corps_bonus: {chosen}; it should be -1 (none) to {len(near) - 1}")
            if chosen >= 0:
                numbers[divisions.index(near[chosen])] += 1

    # -- the way in (9.71-9.73) ------------------------------------------------------------------------------------

    def gates(self, unit: Unit) -> list[Hex]:
        """9.71, 9.73: the gates off the map from which a waiting unit may enter now.

        Not those of a hex through which units of an earlier group have still to enter.
        """
        found: list[Hex] = []
        group = unit.arrival
        if group is None or not unit.waiting:
            return found
        for entrance in group.entrances:
            if not self._preceded(group, entrance):
                found.extend(entrance.gates)
        return found

    def gates_for(self, units: list[Unit]) -> list[Hex]:
        """9.72, 8.21: the gates from which all units of a stack may enter together now."""
        found = self.gates(units[0])
        for unit in units[1:]:
            own = self.gates(unit)
            found = [gate for gate in found if gate in own]
        return found

    def _preceded(self, group: Reinforcement, entrance: Entrance) -> bool:
        for other in entrance.groups:
            if other.side == group.side and other.before(group):
                for unit in other.units:
                    if unit.place == NOT_ENTERED and unit.arrival is other:
                        return True
        return False

    def may_enter(self, unit: Unit) -> bool:
        """9.71: whether a waiting unit may set out now: it is active, and what holds for units on the map lets it."""
        if not unit.waiting or not unit.active or unit.finished or unit.completed:
            return False
        return self.series.orders.may_move(unit)

    def entry_price(self, unit: Unit, side: Hexside) -> i64:
        """9.71, 9.72: half MPs to enter from a gate, PROHIBITED if it may not; `side.by_road` says whether by road.

        It pays for the hex, and besides what those have paid for it who entered before in this action phase. An enemy
        next to the hex bars it under March Orders only, an enemy within it always.
        """
        side.by_road = False
        place = side.to
        entrance = place.entrance
        holder = self.battle.held_by(place)
        if entrance is None or (holder >= 0 and holder != unit.side):
            return PROHIBITED
        if place.closed & unit.bound != 0 or (unit.orders == MARCH and self.series.movement.bars(unit, side)):
            return PROHIBITED
        mover = self.series.movement.mover(unit)
        cost = side.costs[mover]
        if self.series.movement.uses_roads(unit):
            other = side.march[mover] if unit.orders == MARCH else side.advance[mover]
            if other <= cost:
                cost = other
                side.by_road = side.road != OFF_ROAD
        return PROHIBITED if cost >= PROHIBITED else cost + entrance.queued

    def closed(self, place: Hex, side: i64) -> bool:
        """9.71: whether a hex is an entrance of a side's enemy who has still to enter and could not have done so."""
        entrance = place.entrance
        if entrance is None:
            return False
        for group in entrance.groups:
            if group.side != side:
                for unit in group.units:
                    if unit.place == NOT_ENTERED and unit.arrival is group and not unit.could_enter:
                        return True
        return False

    def step_up(self, units: list[Unit], gate: Hex, heading: i64, riders: list[Leader]) -> None:
        """9.71, 8.21: stand a waiting unit or stack at the gate from which it is about to enter, with its leaders.

        Raises:
            CommanderError: a leader is not due at that hex.
        """
        entrance = gate.entrance
        if entrance is None:
            raise CommanderError(f"Reinforcements.step_up: {units[0].id} cannot enter there")
        for leader in riders:
            group = leader.arrival
            if group is None or entrance not in group.entrances:
                raise CommanderError(f"Movement.move: {leader.id} does not enter through {entrance.hex.id}")
        lead = self.series.movement.prepare_stack(units)
        self._own_price = self.entry_price(lead, entrance.way(gate)) - entrance.queued
        for unit in units:
            unit.heading = heading
            unit.place = ON_MAP
            self.battle.stand(unit, gate, False)

    def entered(self, unit: Unit) -> None:
        """9.71, 9.72: a unit has come through its gate; under Advance Orders it does not shock in this activation.

        In Gringo! and Into the Woods that is said of those only who enter next to an enemy.
        """
        unit.waiting = False
        if unit.orders == ADVANCE and unit.kind != ARTILLERY:
            near = self.battle.enemy_near(unit.hex, unit.side)
            unit.by_exception = near or self.options.edition > INTO_THE_WOODS
        if self.series.log.level >= EVERYTHING:
            event = Event("enter")
            event.side = unit.side
            event.unit = unit.id
            event.target_hex = unit.hex.id
            event.sp = unit.spent
            self.series.log.add(event)

    def settle(self, units: list[Unit], gate: Hex) -> None:
        """9.72, 9.73: after its move a unit or stack has entered, and the next pays for it; or it waits again."""
        entrance = gate.entrance
        entered = False
        for unit in units:
            if unit.hex is not gate:
                entered = True
                continue
            self.battle.lift(unit)
            unit.place = NOT_ENTERED
            unit.waiting = True
        if entered and entrance is not None:
            entrance.queued += self._own_price
        for leader in list(gate.leaders):
            self.battle.stand_leader(leader, self.battle.map.off)
            leader.place = NOT_ENTERED
            leader.waiting = True

    def has_moved(self, unit: Unit) -> None:
        """9.71 of Gringo!: one that ends a move in its brigadier's range takes up the brigade's orders at once.

        A march there was all its movement. By the newer books it takes them up when it next begins an activation there,
        like any straggler (4.23).
        """
        command = unit.command
        if self.options.edition > GRINGO or not unit.counts() or not command.has_leader():
            return
        if unit.orders != command.orders and self.series.command.unit_in_range(unit):
            unit.finished = unit.finished or unit.orders == MARCH
            self.series.orders.give(unit, command.orders)

    def note_chances(self) -> None:
        """9.71: of active units that still wait, note those that could have entered."""
        if not self.battle.entrances:
            return
        for unit in self.battle.units:
            if unit.waiting and unit.active and not unit.could_enter:
                unit.could_enter = self._can_enter(unit)

    def _can_enter(self, unit: Unit) -> bool:
        self.series.movement.search(unit)
        for node in self.series.movement.reached:
            if self.series.movement.may_stop(node):
                return True
        return len(self.series.movement.exceptions(unit)) > 0

    # -- leaders (9.71, 9.3) ---------------------------------------------------------------------------------------

    def leader_gates(self, leader: Leader) -> list[Hex]:
        """9.71, 9.31: the gates from which a waiting leader may ride onto the map."""
        found: list[Hex] = []
        group = leader.arrival
        if group is not None and leader.waiting:
            for entrance in group.entrances:
                found.extend(entrance.gates)
        return found

    def riders(self, unit: Unit, node: Node) -> list[Leader]:
        """9.71, 9.31: leaders who may come onto the map with a waiting unit that goes to a node just reached."""
        entrance = self.series.movement.stages(node)[0].via.hex.entrance
        found: list[Leader] = []
        for leader in self.battle.leaders:
            group = leader.arrival
            if leader.waiting and group is not None and entrance in group.entrances:
                if self.series.movement.may_take(leader, unit):
                    found.append(leader)
        return found

    def rides_in_alone(self, leader: Leader) -> bool:
        """9.71, 9.32: whether a waiting leader enters when commanders move: no unit of his could bring him along."""
        return leader.waiting and (leader.is_commander() or not self._acts(leader.command))

    def _acts(self, command: Command) -> bool:
        return any(unit.available() for unit in command.all_units())

    def leader_entered(self, leader: Leader) -> None:
        """9.71: a leader has come onto the map."""
        leader.waiting = False
        leader.place = ON_MAP
