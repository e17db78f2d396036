"""Chapter 5, the activation system: the pool of markers, and what a drawn marker sets in motion (5.1-5.3, 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import (
    DIVISION_MARKER,
    EVENT_MARKER,
    MARCH_MARKER,
    PHASE_ACTION,
    PHASE_CHANGE_ORDERS,
    PHASE_COORDINATION,
    PHASE_SHOCK,
    Marker,
)
from simkit.model.charts import ALL_BRIGADES, CONFUSION, FAIL
from simkit.model.forces import ARTILLERY, BRIGADE, DIVISION, EXTENDED_COLUMN, EXTENDED_LINE, MARCH, UNION
from simkit.model.log import EVERYTHING, Event
from simkit.rules import dice as streams
from simkit.rules.commander import CommanderError
from simkit.rules.efficiency import MOST_INEFFECTIVE, NOBODY
from simkit.rules.efficiencytransfer import EfficiencyTransfer
from simkit.rules.loosecannon import LOOSE_NONE
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

MOST_EQUIVALENTS: Final[i64] = 4  # activations' worth of movement on a March marker (5.35)
EVENTS_A_TURN: Final[i64] = 256  # numbers set apart for the event markers of a turn
MARKERS_A_TURN: Final[i64] = 8  # numbers set apart for the markers of a division in a turn; it has at most 4
FIRST_PICKED: Final[i64] = 4  # from this number on a marker is for picked batteries of an artillery command (4.33)


def _order(marker: Marker) -> int:
    return marker.order


@mypyc_attr(allow_interpreted_subclasses=True)
class Activation(EfficiencyTransfer):
    """Markers are pooled and drawn; a marker activates the brigades of a division, or all that march on a side."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.current: list[Command] = []  # the brigades of the activation under way or just completed

    # -- the pool --------------------------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """3.0: forget what held for the turn before."""
        for command in self.battle.commands:
            command.activations = 0
            command.skips = 0
            command.confused = False
            command.march_limit = MOST_EQUIVALENTS
            command.markers_on_map = -1
            command.markers_entering = -1
            command.loose = LOOSE_NONE
        for unit in self.battle.units:
            unit.activations = 0
            unit.limit = -1
            unit.skips = 0
            unit.turn_acted = False
            unit.marched = False
            unit.attached = -1
            unit.stands = False
            unit.forced = 0
        self.series.fatigue.begin_turn()
        self.series.reinforcements.begin_turn()

    def marker_division(self, command: Command) -> Command:
        """5.32, 4.33: the division whose markers activate the units directly under a command.

        Its own division; for units directly under a corps or army the one the scenario names, else the first division
        below.
        """
        if command.acts_with is not command:
            return command.acts_with
        at = command
        while at.level < DIVISION and at.superior is not at:
            at = at.superior
        if at.level <= DIVISION or at in self.battle.divisions:
            return at
        for division in self.battle.divisions:
            if self._stands_above(at, division):
                return division
        return at

    def _stands_above(self, command: Command, division: Command) -> bool:
        at = division
        while at.superior is not at:
            at = at.superior
            if at is command:
                return True
        return False

    def groups(self, division: Command) -> list[Command]:
        """5.32, 4.31, 4.34 of Dead of Winter: the commands whose units a division's markers activate, in roster order.

        An artillery brigade is one like any other, and batteries act with the brigade that they belong to.
        """
        return [
            command for command in self.battle.commands
            if (command.units or command.artillery) and self.marker_division(command) is division
            and any(unit.available() for unit in self.members(command))
        ]

    def members(self, command: Command) -> list[Unit]:
        """4.32, 4.33, 5.33: the units that act when a command is activated this turn.

        Its own, but for batteries that act with another command, and those of others that act with it.
        """
        units = [unit for unit in command.units if unit.attached < 0 or unit.attached == command.index]
        return units + self.attachments(command)

    def fill_pool(self) -> None:
        """5.31, 3.0 III/B: put all divisions' markers and the March markers into the pool, in the order of the draw."""
        battle = self.battle
        battle.pool = []
        for division in battle.divisions:
            if division.markers > 0 and self.groups(division):
                used = self.series.commander(division.side).fewer_markers(self.series, division, division.markers)
                if used < 1 or used > division.markers:
                    raise CommanderError(f"Commander.fewer_markers: {used}; it should be 1 to {division.markers}")
                for number in range(used):
                    self._put(DIVISION_MARKER, division, number)
                self.allow(division, used)
                if division.artillery:
                    for number in range(self.series.artillery.of(division).picked_markers):
                        self._put(DIVISION_MARKER, division, FIRST_PICKED + number)
        for army in battle.armies:
            if self._marches(army.side):
                self._put(MARCH_MARKER, army, 0)
        if self.series.scenario.events:
            self._put_events()
        battle.pool.sort(key=_order)

    def _put_events(self) -> None:
        """5.31: put the Random Event marker and those that the battle brings of its own into the pool."""
        army = self.battle.armies[UNION]
        place: i64 = 1  # in the numbers of the army's keyed draws; the March marker has the first
        for at, number in enumerate(self.series.events.markers()):
            for _ in range(number):
                marker = Marker(EVENT_MARKER, NOBODY, army, at)
                marker.order = self.series.dice.order(streams.EVENT, army, self.battle.turn * EVENTS_A_TURN + place)
                self.battle.pool.append(marker)
                place += 1

    def _put(self, kind: i64, command: Command, number: i64) -> None:
        marker = Marker(kind, command.side, command, number)
        marker.order = self.series.dice.order(streams.DRAW, command, self.battle.turn * MARKERS_A_TURN + number)
        self.battle.pool.append(marker)

    def _marches(self, side: i64) -> bool:
        return any(unit.side == side and unit.orders == MARCH and unit.available() for unit in self.battle.units)

    def attach(self, side: i64) -> None:
        """4.32, 5.33, 3.0 II/C: a side may attach batteries of its divisions to brigades for this turn, one to each.

        Command Range does not matter for it.
        """
        for brigade in self.battle.brigades:
            division = brigade.superior
            if brigade.side != side or division.level != DIVISION or not brigade.available():
                continue
            batteries = [
                unit for unit in division.units if unit.kind == ARTILLERY and unit.available() and unit.attached < 0
            ]
            if batteries:
                chosen = self.series.commander(side).attach(self.series, brigade, batteries)
                if chosen >= len(batteries) or chosen < -1:
                    raise CommanderError(f"Commander.attach: {chosen}; it should be -1 (none) to {len(batteries) - 1}")
                if chosen >= 0:
                    batteries[chosen].attached = brigade.index

    def attachments(self, command: Command) -> list[Unit]:
        """4.32, 4.33, 5.33: the batteries that act with a command this turn: of a brigade's division one at most."""
        if self.battle.artillery:
            return self.series.artillery.guests(command)
        if command.level != BRIGADE:
            return []
        return [unit for unit in command.superior.units if unit.attached == command.index]

    def allow(self, division: Command, used: i64) -> None:
        """5.26, 5.27, 5.28, 5.36, 13.23: how many of a division's markers its brigades and units must let pass.

        A brigade or unit out of command acts on one less than the division, a Combat Ineffective brigade on two, who
        enters with a number of his own on as many as that (9.74); each on one at least. Units on the map and entering
        ones may have different numbers (9.71).
        """
        for command in self.groups(division):
            units = [unit for unit in self.members(command) if unit.available()]
            allowed: i64 = 1
            for unit in units:
                allowed = max(allowed, self._allowed(division, command, unit, used))
            command.skips = used - allowed
            for unit in units:
                own = self._allowed(division, command, unit, used)
                if not unit.in_command:
                    own = min(own, max(1, self._share(division.markers_on_map, used) - 1))
                unit.skips = allowed - own

    def _allowed(self, division: Command, command: Command, unit: Unit, used: i64) -> i64:
        """5.26, 5.28, 9.71, 9.74, 13.23: on how many markers a unit may act, whether it is in command or not."""
        if unit.waiting:
            allowed = self._share(division.markers_entering, used) if unit.limit < 0 else used
        else:
            allowed = self._share(division.markers_on_map, used)
            if command.level == BRIGADE and not command.in_chain:
                allowed -= 1
        if command.ineffective:
            allowed = min(allowed, MOST_INEFFECTIVE)
        if unit.limit >= 0:
            allowed = min(allowed, unit.limit)
        return max(1, allowed)

    def _share(self, number: i64, used: i64) -> i64:
        """9.71: of the markers that a division uses, those for its units on the map or for its entering ones."""
        return used if number < 0 else min(number, used)

    def choose_first(self) -> Marker | None:
        """5.13, 3.0 III/A: the side with the initiative picks the marker that begins the turn; None if nobody may."""
        side = self.battle.initiative
        if side < 0:
            return None
        choices: list[Command] = []
        for marker in self.battle.pool:
            if marker.side == side and marker.kind == DIVISION_MARKER and marker.command not in choices:
                choices.append(marker.command)
        ordered = [division for division in self.battle.divisions if division in choices]
        ordered.extend([m.command for m in self.battle.pool if m.side == side and m.kind == MARCH_MARKER])
        if not ordered:
            return None
        chosen = self.series.commander(side).first_marker(self.series, ordered)
        if chosen < 0 or chosen >= len(ordered):
            raise CommanderError(f"Commander.first_marker: {chosen}; it should be 0 to {len(ordered) - 1}")
        # The last of the division's markers is set apart, so that the others keep their places in the draw.
        found: Marker | None = None
        for marker in self.battle.pool:
            if marker.command is not ordered[chosen] or marker.kind == EVENT_MARKER:
                continue
            if found is not None and marker.number >= FIRST_PICKED:
                continue
            if found is None or found.number >= FIRST_PICKED or marker.number > found.number:
                found = marker
        if found is not None:
            self.battle.pool.remove(found)
        return found

    def draw(self) -> Marker | None:
        """5.31, 5.5: the next marker out of the pool; None when the pool is empty and the segment over."""
        return self.battle.pool.pop(0) if self.battle.pool else None

    # -- a marker --------------------------------------------------------------------------------------------------

    def activate(self, marker: Marker) -> None:
        """5.32, 3.0 III/C: all that a marker sets in motion."""
        self.open(marker)
        while self.step():
            pass

    def open(self, marker: Marker) -> None:
        """3.0 III/C/1-2, 6.21, 5.34: a marker is in play: its brigades may change orders, then try to coordinate."""
        battle = self.battle
        battle.phasing = marker.side
        self.battle.marching = marker.kind == MARCH_MARKER
        self.battle.picked = marker.kind == DIVISION_MARKER and marker.number >= FIRST_PICKED
        self.battle.together = []
        self.battle.markers_left = 0
        for other in battle.pool:
            if other.command is marker.command and other.kind == marker.kind and other.number < FIRST_PICKED:
                self.battle.markers_left += 1
        if self.series.log.level >= EVERYTHING:
            mode = "March" if self.battle.marching else "artillery" if marker.command.artillery else "division"
            if self.battle.picked:
                mode = "picked artillery"
            self.series.log.note("marker", marker.side, marker.command.code, "", mode, "")
        for leader in battle.leaders:
            if not leader.is_commander():
                leader.moved = False
                leader.ended = False
                leader.spent = 0
        self.series.reinforcements.begin_phase()
        self.series.fatigue.begin_phase()
        battle.phase = PHASE_CHANGE_ORDERS
        self.series.log.phase = PHASE_CHANGE_ORDERS
        activating = self._marchers(marker.side) if self.battle.marching else self._division_brigades(marker.command)
        self.series.orders.change_phase(activating)
        if not self.battle.marching:
            battle.phase = PHASE_COORDINATION
            self.series.log.phase = PHASE_COORDINATION
            self.coordinate(marker.command, activating)
        self.battle.remaining = activating

    def _marchers(self, side: i64) -> list[Command]:
        """5.35: the commands of a side with units under March Orders."""
        found: list[Command] = []
        for command in self.battle.commands:
            if command.side == side and (command.units or command.artillery):
                if command.orders == MARCH:
                    self.series.orders.catch_up(command)
                if self._has_marchers(command):
                    found.append(command)
        return found

    def _has_marchers(self, command: Command) -> bool:
        return any(unit.available() and unit.orders == MARCH and not unit.marched for unit in self.members(command))

    def _division_brigades(self, division: Command) -> list[Command]:
        """5.26, 5.32: the brigades that a division's marker activates, but for those that let it pass."""
        found: list[Command] = []
        for command in self.groups(division):
            if command.orders != MARCH:
                self.series.orders.catch_up(command)
            if not self._has_actors(command):
                # A marker that finds a brigade on the march is one that it has let pass.
                command.skips = max(0, command.skips - 1)
            elif not self._lets_pass(command):
                found.append(command)
        return found

    def _has_actors(self, command: Command) -> bool:
        return any(self._acts(unit) for unit in self.members(command))

    def _acts(self, unit: Unit) -> bool:
        """5.35, 6.25, 6.26, 6.32: whether the marker in play activates a unit."""
        if not unit.available() or unit.marched or unit.command.in_reserve:
            return False
        if self.battle.picked and not self.series.artillery.picks(self._acting_with(unit), unit):
            return False
        return (unit.orders == MARCH) == self.battle.marching

    def _acting_with(self, unit: Unit) -> Command:
        """4.33: the command whose markers activate a battery this turn."""
        command = self.battle.commands[unit.attached] if unit.attached >= 0 else unit.command
        return self.marker_division(command)

    def _lets_pass(self, command: Command) -> bool:
        """5.26, 13.23: whether a brigade that must skip a marker skips this one: by choice while others are left."""
        if command.skips <= 0 or self.battle.picked:
            return False
        free = command.skips <= self.battle.markers_left
        if free and not self.series.commander(command.side).let_pass(self.series, command, self.battle.markers_left):
            return False
        command.skips -= 1
        return True

    def coordinate(self, division: Command, activating: list[Command]) -> None:
        """5.34, 4.13, 13.32: a division leader may try to let several of his brigades in range act as one."""
        if division.level != DIVISION or division.ineffective or not division.has_leader():
            return
        eligible = [
            brigade for brigade in activating
            if self._led(division, brigade) and brigade.loose == LOOSE_NONE and self._fights(brigade)
        ]
        commander = self.series.commander(division.side)
        if len(eligible) < 2 or not commander.coordinate(self.series, division, eligible):
            return
        roll = self.series.dice.roll(streams.COORDINATION, division)
        adjusted = roll + division.leader().ratings().coordination
        outcome = self.charts.coordination.outcome(adjusted)
        if self.series.log.level >= EVERYTHING:
            self._log_coordination(division, roll, adjusted, outcome)
        if outcome == CONFUSION:
            for brigade in activating:
                # 5.34: what a loose cannon does comes before the confusion, but not by Gringo!
                free = brigade.loose == LOOSE_NONE or self.options.edition <= GRINGO
                if self._led(division, brigade) and free:
                    brigade.confused = True
        elif outcome > FAIL:
            most = min(outcome, len(eligible))
            chosen = commander.coordinated(self.series, division, eligible, most)
            self._check_coordinated(chosen, eligible, most)
            if len(chosen) > 1:
                self.battle.together = list(chosen)

    def _led(self, division: Command, brigade: Command) -> bool:
        return brigade.level == BRIGADE and brigade.superior is division and brigade.has_leader() and brigade.in_chain

    def _fights(self, brigade: Command) -> bool:
        """5.34: whether it is an infantry or cavalry brigade; Gringo! lets those of guns coordinate too."""
        return self.options.edition <= GRINGO or any(unit.kind != ARTILLERY for unit in brigade.units)

    def _check_coordinated(self, chosen: list[Command], eligible: list[Command], most: i64) -> None:
        codes: list[str] = []
        for brigade in chosen:
            if brigade not in eligible or brigade.code in codes:
                raise CommanderError(f"Commander.coordinated: {brigade.code} was not offered, or stands twice (5.34)")
            codes.append(brigade.code)
        if len(chosen) > most:
            raise CommanderError(f"Commander.coordinated: {len(chosen)} brigades; it should be at most {most} (5.34)")

    def _log_coordination(self, division: Command, roll: i64, adjusted: i64, outcome: i64) -> None:
        event = Event("coordination")
        event.side = division.side
        event.unit = division.code
        event.roll = roll
        event.drm = adjusted - roll
        event.adjusted = adjusted
        if outcome == CONFUSION:
            event.result = "confusion"
        elif outcome == FAIL:
            event.result = "fail"
        else:
            event.result = "all" if outcome == ALL_BRIGADES else f"{outcome} brigades"
        self.series.log.add(event)

    # -- a brigade activation --------------------------------------------------------------------------------------

    def step(self) -> bool:
        """5.32: the next brigade under the marker in play, by its owner's choice, completes its actions.

        Returns:
            whether there was one; after the last the marker is spent.
        """
        while self.battle.remaining:
            chosen: i64 = 0
            if len(self.battle.remaining) > 1:
                owner = self.series.commander(self.battle.phasing)
                chosen = owner.next_brigade(self.series, self.battle.remaining)
                if chosen < 0 or chosen >= len(self.battle.remaining):
                    most = len(self.battle.remaining) - 1
                    raise CommanderError(f"Commander.next_brigade: {chosen}; it should be 0 to {most}")
            brigade = self.battle.remaining[chosen]
            acting = self.battle.together if brigade in self.battle.together else [brigade]
            self.battle.remaining = [other for other in self.battle.remaining if other not in acting]
            if self.brigade(acting):
                return True
        self._close()
        return False

    def _close(self) -> None:
        for command in self.battle.commands:
            command.confused = False
        self.battle.together = []
        self.battle.phasing = -1

    def brigade(self, acting: list[Command]) -> bool:
        """5.33, 3.0 III/C/3: one brigade activation, of a brigade or of several that act as one.

        Returns:
            whether there was any unit to act.
        """
        battle = self.battle
        self._begin(acting)
        actors = False
        for unit in battle.units:
            if unit.active or (unit.building and unit.command in acting):
                actors = True  # 15.13: the leader of builders may ride
                break
        if not actors:
            return False
        battle.activation += 1
        self.series.log.activation = battle.activation
        battle.active = list(acting)
        self.current = battle.active
        battle.phase = PHASE_ACTION
        self.series.log.phase = PHASE_ACTION
        for command in acting:
            command.activations += 1
            if self.series.log.level >= EVERYTHING:
                mode = "March" if self.battle.marching else ""
                self.series.log.note("activation", command.side, command.code, "", mode, "")
        self.series.columns.deploy()
        for command in acting:
            if command.loose != LOOSE_NONE:
                self.series.orders.loose.run(command)
        self.series.mounting.offer()
        commander = self.series.commander(battle.phasing)
        commander.act(self.series, battle.active)
        self.series.reinforcements.note_chances()
        self.series.mounting.close()
        if not self.battle.marching:
            battle.phase = PHASE_SHOCK
            self.series.log.phase = PHASE_SHOCK
            designations = commander.shocks(self.series, battle.active)
            self.series.shock.conduct(designations, battle.active)
        self._end(acting)
        return True

    def _begin(self, acting: list[Command]) -> None:
        """5.33, 5.35, 5.36: settle which units act, and forget the activation before."""
        battle = self.battle
        self.series.blown.begin(acting)
        for unit in battle.units:
            unit.begin_activation()
            if unit.kind == ARTILLERY and unit.counts():
                unit.under_others = self._under_others(unit)
        for leader in battle.leaders:
            leader.joined = False
            leader.affected_rally = False
            leader.ended = leader.moved
        for command in acting:
            for unit in self.members(command):
                if self._acts(unit):
                    self._begin_unit(command, unit)
        self.series.charge.note_range(acting)

    def _begin_unit(self, command: Command, unit: Unit) -> None:
        """5.33, 5.36, 15.13: activate a unit, unless it lets the activation pass or goes on building.

        A Stand or loose cannon of the activation that it lets pass does not bind it in the next one (6.23, 6.24).
        """
        if unit.building:
            self.series.engineering.called(unit)
            if unit.building:
                unit.stands = False
                return
        if unit.skips > 0 and not self.battle.marching and not self.battle.picked:
            others = self.battle.markers_left - command.skips  # activations of the brigade after this one
            if others < unit.skips or self.series.owner(unit).let_unit_pass(self.series, unit, others):
                unit.skips -= 1
                unit.stands = False
                unit.forced = 0
                return
        self._start(unit)
        if self.battle.marching:
            unit.marched = True
            unit.equivalents = MOST_EQUIVALENTS if unit.waiting else command.march_limit
            if unit.limit >= 0:
                unit.equivalents = min(unit.equivalents, unit.limit)

    def _start(self, unit: Unit) -> None:
        unit.active = True
        unit.activations += 1
        unit.stood_adjacent = unit.counts() and self.battle.beside_enemy(unit)
        if unit.kind == ARTILLERY:
            unit.guns_near = self.series.movement.nearest_enemy(unit)

    def _under_others(self, unit: Unit) -> bool:
        """10.61: whether a battery begins the activation beneath a unit that is no artillery."""
        for part in unit.hex.stack:
            if part.unit is unit:
                return False
            if part.unit.kind != ARTILLERY and part.unit.counts():
                return True
        return False

    def _end(self, acting: list[Command]) -> None:
        """6.26, 8.42, 8.5, 11.58, 12.81, 13.45, 17.21: what the end of a brigade activation brings and leaves."""
        battle = self.battle
        self.series.results.crews_return()
        for unit in battle.units:
            if unit.extended == EXTENDED_LINE:
                self.series.lines.close_up(unit)
            elif unit.extended == EXTENDED_COLUMN:
                self.series.columns.close_up(unit)
            if unit.shock_target or (unit.active and (unit.moved or unit.fired or unit.shocked)):
                unit.turn_acted = True
            if unit.orders == MARCH and unit.side != battle.phasing and (unit.fired_at or unit.shock_target):
                self.series.orders.under_attack(unit.command)
        if self.options.fatigue:
            self.series.fatigue.end_activation()
        self.series.engineering.watch()
        self.series.blown.end()
        for command in acting:
            for unit in command.units:
                if unit.active or unit.forced == 2:
                    unit.stands = False
                    unit.forced = 0
        for unit in battle.units:
            unit.active = False
        battle.active = []
