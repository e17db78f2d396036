"""Chapter 5, the activation system: what a drawn marker sets in motion (5.3, 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import (
    DIVISION_MARKER,
    MARCH_MARKER,
    PHASE_ACTION,
    PHASE_CHANGE_ORDERS,
    PHASE_COORDINATION,
    PHASE_SHOCK,
    Marker,
)
from simkit.model.forces import ARTILLERY, BRIGADE, EXTENDED_COLUMN, EXTENDED_LINE, MARCH
from simkit.model.log import EVERYTHING
from simkit.rules.commander import CommanderError
from simkit.rules.coordination import Coordination
from simkit.rules.loosecannon import LOOSE_NONE
from simkit.rules.markerpool import FIRST_PICKED, MOST_EQUIVALENTS

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Activation(Coordination):
    """Markers are pooled and drawn; a marker activates the brigades of a division, or all that march on a side."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.current: list[Command] = []  # the brigades of the activation under way or just completed

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
        self.series.advance.open(activating)
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
                if self._has_marchers(command) or self._rides(command):
                    found.append(command)
        return found

    def _has_marchers(self, command: Command) -> bool:
        return any(
            unit.available() and unit.orders == MARCH and not unit.marched and self.equivalents(command, unit) > 0
            for unit in self.members(command)
        )

    def equivalents(self, command: Command, unit: Unit) -> i64:
        """5.28, 5.35, 9.74, 13.23: how many activations' worth of movement the March marker brings a unit.

        Who has acted on his division's markers this turn, before he took up the march with his brigade (4.23), has only
        those of them that are left to him.
        """
        most = MOST_EQUIVALENTS if unit.waiting else command.march_limit
        if unit.limit >= 0:
            most = min(most, unit.limit)
        if unit.activations > 0:
            division = self.marker_division(command)
            most = min(most, self.share_of(division, command, unit, division.markers) - unit.activations)
        return most

    def _division_brigades(self, division: Command) -> list[Command]:
        """5.26, 5.32: the brigades that a division's marker activates, but for those that let it pass."""
        found: list[Command] = []
        for command in self.groups(division):
            if command.orders != MARCH:
                self.series.orders.catch_up(command)
            if not self._has_actors(command) and not self._rides(command):
                # A marker that finds a brigade on the march is one that it has let pass.
                command.skips = max(0, command.skips - 1)
            elif not self._lets_pass(command):
                found.append(command)
        return found

    def _has_actors(self, command: Command) -> bool:
        return any(self._acts(command, unit) for unit in self.members(command))

    def _rides(self, command: Command) -> bool:
        """9.31, 6.19, 6.32: whether a brigade or artillery leader may ride on the marker in play, whoever else acts."""
        if self.battle.picked or command.in_reserve or not command.has_leader():
            return False
        own = command.level == BRIGADE or command.artillery
        return own and (command.orders == MARCH) == self.battle.marching

    def _acts(self, command: Command, unit: Unit) -> bool:
        """5.35, 6.25, 6.26, 6.32: whether the marker in play activates a unit as one of a command's."""
        if not unit.available() or unit.marched or unit.command.in_reserve:
            return False
        if self.battle.picked and not self.series.artillery.picks(self._acting_with(unit), unit):
            return False
        if not self.battle.marching:
            return unit.orders != MARCH
        return unit.orders == MARCH and self.equivalents(command, unit) > 0

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
            whether there was any unit to act, or a leader to ride.
        """
        battle = self.battle
        self._begin(acting)
        actors = any(self._rides(command) for command in acting)
        for unit in battle.units:
            if unit.active or (unit.building and unit.command in acting):
                actors = True  # 15.13: a division leader may ride while builders are called
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
        self.series.advance.run(acting)
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
                if self._acts(command, unit):
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
        if self.battle.marching:
            unit.marched = True
            unit.equivalents = self.equivalents(command, unit)
        self._start(unit)

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
        self.series.crossings.watch()
        self.series.blown.end()
        for command in acting:
            for unit in command.units:
                if unit.active or unit.forced == 2:
                    unit.stands = False
                    unit.forced = 0
        for unit in battle.units:
            unit.active = False
        battle.active = []
