"""Chapter 4, the command system: command range, the chain of command, and what leaders lend their units (11.73)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import PHASE_SHOCK
from simkit.model.charts import ONE_MP
from simkit.model.forces import BRIGADE, CORPS
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.artillery import ArtilleryCommand
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader
    from simkit.rules.options import Options
    from simkit.rules.series import Series

FEW: Final[i64] = 2  # units for each of whom a search of its own costs less than one over the whole Command Range


@mypyc_attr(allow_interpreted_subclasses=True)
class ChainOfCommand(Chapter):
    """The chain of command from the army commander down to each combat unit (4.1, 4.2)."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._search: i64 = 0  # the latest over a Command Range

    # -- command range ---------------------------------------------------------------------------------------------

    def command_range(self, leader: Leader) -> i64:
        """4.15, 9.32, 16.11, 16.12: a leader's Command Range in half movement points, halved unless it is day.

        None after a corps commander's long ride.
        """
        if leader.far_moved and leader.level == CORPS:
            return 0
        return self.series.night.command_range(leader.ratings().command_range) * ONE_MP

    def measure(self, leader: Leader, places: list[Hex]) -> None:
        """4.15: find which of some hexes a leader's Command Range reaches; `measured` then tells.

        Costs count from the superior to the subordinate, the subordinate's hex included, the superior's not.
        """
        limit = self.command_range(leader)
        near = [place for place in places if place.distance_to(leader.hex) <= limit]  # a hex costs half a MP or more
        self._search = self.series.movement.flood(leader.hex, leader.side, limit, near, False)

    def measured(self, place: Hex) -> bool:
        """4.15: whether one of the hexes asked about lies within the range last measured."""
        return place.stamp == self._search

    def in_range(self, leader: Leader, place: Hex) -> bool:
        """4.15: whether a hex lies within a leader's Command Range."""
        limit = self.command_range(leader)
        return self.series.movement.range_cost(leader.hex, place, leader.side, limit) <= limit

    def head(self, command: Command) -> Command:
        """4.22: the command whose leader the units of a command answer to: its own, or the next above that has one.

        An escort or an unbrigaded battery has no brigadier: it is directly subordinate to a higher leader, by 4.41 and
        4.42 of Dead of Winter to one of those to whom it traces.
        """
        if command.traces_to and not command.leader_list:
            for other in command.traces_to:
                if other.has_leader():
                    return other
            return command.traces_to[0]
        at = command
        while not at.leader_list and at.superior is not at:
            at = at.superior
        return at

    def leads(self, superior: Command, subordinate: Command) -> bool:
        """4.21: whether both commands have leaders on the map and the subordinate's is in Command Range now."""
        if not superior.has_leader() or not subordinate.has_leader():
            return False
        return self.in_range(superior.leader(), subordinate.leader().hex)

    def brigade_in_range(self, brigade: Command) -> bool:
        """4.21: whether a brigade leader is in Command Range of the leader next above him now."""
        return self.leads(brigade.superior, brigade)

    def units_in_range(self, command: Command) -> list[Unit]:
        """4.22, 4.15: the units directly under a command that are In Command now, in the order of the roster.

        A unit is in command within its leader's range or adjacent to him, or at the end of a chain of adjacent units of
        the same command of which one is. An extended unit does so with any of its parts (8.5). Guns of an artillery
        command that has no leader at all need none (4.33).
        """
        units = [unit for unit in command.units if unit.counts()]
        return self._reached_by(command, units)

    def _reached_by(self, command: Command, units: list[Unit]) -> list[Unit]:
        if self._needs_no_leader(command):
            return units
        head = self.head(command)
        if not units or not head.has_leader():
            return [unit for unit in units if self.traces_alone(unit)] if command.units_trace else []
        leader = head.leader()
        reached: list[Unit] = []
        rest: list[Unit] = []
        for unit in units:
            if any(part.hex.distance_to(leader.hex) <= 1 for part in unit.parts):
                reached.append(unit)
            else:
                rest.append(unit)
        rest = self._beyond(reached, rest)
        if rest:
            many = len(rest) > FEW  # the map is searched only for those whom no chain of neighbours reaches
            if many:
                self.measure(leader, [part.hex for unit in rest for part in unit.parts])
            apart: list[Unit] = []
            near: list[Unit] = []
            for unit in rest:
                if any(self.measured(part.hex) if many else self.in_range(leader, part.hex) for part in unit.parts):
                    near.append(unit)
                else:
                    apart.append(unit)
            rest = self._beyond(near, apart)
        if not rest:
            return units
        if command.units_trace and rest:
            rest = [unit for unit in rest if not self.traces_alone(unit)]
        return [unit for unit in units if unit not in rest]

    def _beyond(self, reached: list[Unit], others: list[Unit]) -> list[Unit]:
        """4.22: which of other units no chain of neighbours links to some that are in command."""
        chain = list(reached)
        rest = others
        at = 0
        while at < len(chain) and rest:
            beyond: list[Unit] = []
            for unit in rest:
                if self._touch(unit, chain[at]):
                    chain.append(unit)
                else:
                    beyond.append(unit)
            rest = beyond
            at += 1
        return rest

    def traces_alone(self, unit: Unit) -> bool:
        """4.41 of Dead of Winter: whether a unit is in range of a leader to whom its brigadier traces, without him."""
        if not unit.command.units_trace:
            return False
        for other in unit.command.traces_to:
            if other.has_leader():
                leader = other.leader()
                for part in unit.parts:
                    if part.hex.distance_to(leader.hex) <= 1 or self.in_range(leader, part.hex):
                        return True
        return False

    def misses_the_chain(self, command: Command, unit: Unit) -> bool:
        """5.26, 4.41 of Dead of Winter: whether a unit's brigade was out of the chain at the last check, and it too."""
        return command.level == BRIGADE and not command.in_chain and not self.traces_alone(unit)

    def is_lost(self, command: Command) -> bool:
        """4.44 of Dead of Winter: whether a command can't be in command, as one man is not on the map or has fallen."""
        if not command.depends:
            return False
        for other in command.depends_on:
            if other.has_leader() and not other.leader().casualty:
                return False
        return True

    def post(self, leader: Leader) -> Command:
        """4.42, 4.43, 4.44 of Dead of Winter: the highest command that a leader leads, besides his own."""
        at = leader.command
        while at.superior is not at and at.superior.leader_list and at.superior.leader() is leader:
            at = at.superior
        return at

    def _needs_no_leader(self, command: Command) -> bool:
        """4.33: whether nobody stands above a command up to an artillery command, not even there."""
        at = command
        while not at.leader_list and not at.artillery and at.superior is not at:
            at = at.superior
        return at.artillery and not at.leader_list

    def _touch(self, unit: Unit, other: Unit) -> bool:
        """4.22: whether two units stand in one hex or in adjacent ones."""
        for part in unit.parts:
            for link in other.parts:
                if part.hex.distance_to(link.hex) <= 1:
                    return True
        return False

    def unit_in_range(self, unit: Unit) -> bool:
        """4.22: whether a unit is In Command now, by its leader's range or by a chain of units."""
        return unit in self.units_in_range(unit.command)

    # -- the check of phase II/A -----------------------------------------------------------------------------------

    def determine(self) -> None:
        """4.21, 4.22, 4.23: note for all commands and units whether the chain of command holds (3.0 II/A)."""
        self.series.artillery.muster()
        for command in self.battle.commands:
            # an escort without a leader of its own hangs on that of its superior
            headless = command.superior is command or (command.level == BRIGADE and not command.leader_list)
            command.in_chain = headless and self.head(command).has_leader()
            if command.superior.artillery and not command.superior.leader_list:
                command.in_chain = True  # 4.33: there is nobody of whom it could be out of range
        for command in self.battle.commands:
            if command.level > BRIGADE and command.has_leader():
                self._determine_below(command)
        for command in self.battle.commands:
            self._determine_specially(command)
        for command in self.battle.commands:
            if command.units:
                for unit in command.units:
                    unit.in_command = not unit.counts()
                if not self.is_lost(command):
                    for unit in self.units_in_range(command):
                        unit.in_command = True
        for own in self.battle.artillery:
            self._determine_guns(own)

    def _determine_guns(self, own: ArtilleryCommand) -> None:
        """4.33, 4.22: guns that act with another command than that of the roster look to its leader."""
        for command in self.battle.commands:
            guests = self.series.artillery.guests(command)
            if command is own.command:
                together = guests + [unit for unit in command.units if unit.counts() and unit.attached < 0]
                reached = self._reached_by(command, together)
                for unit in guests:
                    unit.in_command = unit in reached
            elif guests and not command.artillery:
                for unit in guests:
                    mates = [mate for mate in self.battle.units_in(unit.hex) if mate.command is command]
                    unit.in_command = not mates or any(mate.in_command for mate in mates)

    def _determine_below(self, command: Command) -> None:
        led = [subordinate for subordinate in command.subordinates if subordinate.has_leader()]
        if led:
            self.measure(command.leader(), [subordinate.leader().hex for subordinate in led])
        for subordinate in led:
            subordinate.in_chain = self.measured(subordinate.leader().hex)

    def _determine_specially(self, command: Command) -> None:
        """4.4 of Dead of Winter: the chain of commands with rules of their own."""
        if self.is_lost(command):
            command.in_chain = False
        elif command.always_in_chain:
            command.in_chain = command.has_leader()
        elif command.traces_to and command.leader_list:
            command.in_chain = False
            for other in command.traces_to:
                if self.leads(other, command):
                    command.in_chain = True

    def linked(self, command: Command) -> bool:
        """4.21, 6.12: whether the chain held at the last check from a command up to its corps commander.

        Where no corps stands above it, up to the highest leader there is below the army; by 4.4 of Dead of Winter to
        him to whom it traces.
        """
        at = command
        while at.level < CORPS:
            if not at.in_chain:
                return False
            if at.always_in_chain or at.traces_to:
                return True
            if at.superior is at:
                return True
            at = at.superior
        return at.has_leader()

    # -- what leaders lend -----------------------------------------------------------------------------------------

    def commands_unit(self, leader: Leader, unit: Unit) -> bool:
        """4.21, 4.33: whether a leader stands in the chain of command above a unit."""
        if unit.attached >= 0 and self.series.artillery.leads(leader, unit):
            return True
        at = unit.command
        while True:
            if at is leader.command:
                return True
            if at.superior is at:
                return False
            at = at.superior

    def bound_to_rally(self, leader: Leader) -> bool:
        """13.43: whether a leader has helped in a rally and so takes no part in shock; Gringo! does not say so."""
        return leader.affected_rally and self.options.edition > GRINGO

    def stars(self, unit: Unit) -> i64:
        """11.73, 12.73, 13.43: stars of the leaders of its chain of command that are stacked with a unit, added up.

        Those who had to join the nearest unit in this activation lend none, except by Gringo!, nor in shock those who
        have helped in a rally (13.43). One in any hex of an extended unit is stacked with it.
        """
        total: i64 = 0
        for part in unit.parts:
            for leader in part.hex.leaders:
                if leader.joined and self.options.edition > GRINGO:
                    continue
                if self.bound_to_rally(leader) and self.battle.phase == PHASE_SHOCK:
                    continue
                if leader.side == unit.side and self.commands_unit(leader, unit):
                    total += leader.level
        return total

    # -- arrangements (8.0 of Dead of Winter) ----------------------------------------------------------------------

    def end_arrangements(self, side: i64) -> None:
        """8.0: when it may change divisions' orders, a side may let commands under others go back to their own."""
        course = self.battle.course
        if course.dissolved[side] != 0 or not any(each.command.side == side for each in course.arranged):
            return
        if self.series.commander(side).ends_arrangements(self.series, self.battle.armies[side]):
            course.dissolve(side, self.battle.turn)
            if self.series.log.level >= EVERYTHING:
                self.series.log.note("arrangements", side, "", "", "", "ended")
