"""The battle: the map, the forces, the turn, and all that changes, with reset, snapshot, restore and digest."""

from __future__ import annotations

import hashlib
from typing import Final

from mypy_extensions import i64

from simkit.model import state
from simkit.model.artillery import ArtilleryCommand
from simkit.model.battlemap import BattleMap, Hex
from simkit.model.breastworks import Breastworks
from simkit.model.charts import Charts
from simkit.model.entrances import Entrance, Reinforcement
from simkit.model.fatigue import FatigueMarker
from simkit.model.forces import ARTILLERY, UNION, Command, Part, Unit
from simkit.model.leaders import Leader
from simkit.model.positions import Positions
from simkit.model.sections import Section, settle
from simkit.model.waters import Waters

DAY: Final[i64] = 0
DAWN: Final[i64] = 1
DUSK: Final[i64] = 2
NIGHT: Final[i64] = 3

DIVISION_MARKER: Final[i64] = 0
MARCH_MARKER: Final[i64] = 1
EVENT_MARKER: Final[i64] = 2

# phases of the sequence of play (3.0), as `Battle.phase` counts them
PHASE_SETUP: Final[i64] = 0
PHASE_INITIATIVE: Final[i64] = 1
PHASE_CHAIN: Final[i64] = 2
PHASE_EFFICIENCY: Final[i64] = 3
PHASE_DIVISION_ORDERS: Final[i64] = 4
PHASE_REINFORCEMENTS: Final[i64] = 5
PHASE_MARKERS: Final[i64] = 6
PHASE_CHANGE_ORDERS: Final[i64] = 7
PHASE_COORDINATION: Final[i64] = 8
PHASE_ACTION: Final[i64] = 9
PHASE_SHOCK: Final[i64] = 10
PHASE_COMMANDERS: Final[i64] = 11
PHASE_RECOVERY: Final[i64] = 12
PHASE_EFFECTIVENESS: Final[i64] = 13
PHASE_ENGINEERING: Final[i64] = 14  # of segment II
PHASE_RESERVE: Final[i64] = 15  # of segment II
PHASES: Final = (
    "set-up", "initiative", "chain of command", "efficiency", "division orders", "reinforcement orders", "markers",
    "change orders", "coordination", "action", "shock", "commander movement", "recovery", "combat effectiveness",
    "engineering", "reserve placement",
)


MOST_PARTS: Final[i64] = 3  # of a unit extended to both sides, or by two markers (8.43, 8.5)


class Turn:
    """One turn of the turn track: its date and hour as printed, and its light (2.43, 16.1)."""

    def __init__(self, label: str, light: i64) -> None:
        self.label = label
        self.light = light


class Marker:
    """A marker of the pool: of a division, the March marker of a side, or that of an event chart (5.3)."""

    def __init__(self, kind: i64, side: i64, command: Command, number: i64) -> None:
        self.kind = kind
        self.side = side
        self.command = command  # the division; for a March marker the army, for an event marker the Union's
        self.number = number  # which of the division's markers this turn, from 0; of events, which of the charts
        self.order: i64 = 0  # keyed number by which markers come out of the pool


class Snapshot:
    """All that changes in a battle at one moment; made and taken back by `Battle`."""

    def __init__(self) -> None:
        self.units: list[list[int]] = []
        self.places: list[int] = []
        self.leaders: list[list[int]] = []
        self.commands: list[list[int]] = []
        self.stacks: list[list[int]] = []  # hex index, then MOST_PARTS times unit index plus number of part, top first
        self.parts: list[list[list[int]]] = []  # by unit and part: what it would face in a column, then its fires
        self.sections: list[list[list[int]]] = []  # by battery that has them, in stacking order (8.37)
        self.leader_places: list[list[int]] = []  # hex index, then leader indices as they stand there
        self.numbers: list[int] = []
        self.acting: list[list[int]] = []  # command indices: active, still to act, those who do so as one
        self.pool: list[tuple[int, int, int, int, int]] = []
        self.queues: list[int] = []  # by entrance (9.72)
        self.due: list[int] = []  # by group of reinforcements
        self.works: list[list[int]] = []  # breastworks that stand and that are under construction
        self.waters: list[list[int]] = []  # their level, and bridges that pioneers open
        self.fatigues: list[list[int]] = []
        self.course: list[int] = []
        self.draws: list[list[int]] = []  # of units, leaders and commands; of a snapshot without them, empty


class Battle(Positions):
    """One battle with everything it consists of.

    The forces are lists in the order of the roster; `index` of a unit, leader or command is its place in its list.
    """

    def __init__(self, name: str, ground: BattleMap, charts: Charts, turns: list[Turn]) -> None:
        super().__init__(ground)
        self.name = name
        self.charts = charts
        self.turns = turns
        self.units: list[Unit] = []
        self.of_side: list[list[Unit]] = [[], []]  # the same by side
        self._union_hexes: list[Hex] = []  # where those of a side stood when it was asked last
        self._confederate_hexes: list[Hex] = []
        self._union_noted: i64 = -1  # and how often any of them had come or gone by then
        self._confederate_noted: i64 = -1
        self.leaders: list[Leader] = []
        self.commands: list[Command] = []  # brigades first, then divisions, corps, armies
        self.brigades: list[Command] = []
        self.divisions: list[Command] = []  # and the artillery commands (4.33): all that markers may be of
        self.corps: list[Command] = []
        self.armies: list[Command] = []  # by side
        self.artillery: list[ArtilleryCommand] = []  # (4.33)
        self.reinforcements: list[Reinforcement] = []  # as their book lists them (9.7)
        self.entrances: list[Entrance] = []
        self.works = Breastworks(ground, charts)
        self.waters = Waters(ground, charts)
        self.pioneers: list[Unit] = []  # (18.3 of Dead of Winter)
        self.fatigues: list[FatigueMarker] = []  # of brigades, then of units in none; guns have none (17.1)

        self.turn: i64 = 0  # index into turns
        self.activation: i64 = 0  # brigade activations so far in this battle
        self.phase: i64 = 0
        self.phasing: i64 = -1  # side whose brigade is active; -1 between activations
        self.initiative: i64 = -1  # side that has it this turn; -1 nobody (5.12)
        self.last_initiative: i64 = -1  # side that had it last (5.13)
        self.chain: i64 = 0  # number of the latest chain of knock-on effects
        self.fires: list[int] = [0, 0]
        self.shocks: list[int] = [0, 0]
        self.pool: list[Marker] = []
        # the marker in play (5.32)
        self.marching = False  # it is a March marker
        self.picked = False  # it is one of an artillery command's on which only picked batteries act (4.33)
        self.markers_left: i64 = 0  # of its division, still in the pool
        self.remaining: list[Command] = []  # brigades that have still to act under it
        self.together: list[Command] = []  # those of them that act as one (5.34)
        self.active: list[Command] = []  # the brigades that act as one now
        self._start = Snapshot()

    # -- state -----------------------------------------------------------------------------------------------------

    def enlist(self, unit: Unit) -> None:
        """Add a unit at the end of the roster."""
        self.units.append(unit)
        self.of_side[unit.side].append(unit)

    def hexes_of(self, side: i64) -> list[Hex]:
        """The hexes where a side's combat units stand, each once, in the order of the roster; abandoned guns apart."""
        stirred = self.stirred(side)
        if side == UNION:
            if self._union_noted != stirred:
                self._union_noted = stirred
                self._union_hexes = self._where(side)
            return self._union_hexes
        if self._confederate_noted != stirred:
            self._confederate_noted = stirred
            self._confederate_hexes = self._where(side)
        return self._confederate_hexes

    def _where(self, side: i64) -> list[Hex]:
        found: list[Hex] = []
        for unit in self.of_side[side]:
            if unit.counts():
                for part in unit.parts:
                    if len(part.hex.stack) == 1 or part.hex not in found:
                        found.append(part.hex)
        return found

    def look_at_fords(self) -> None:
        """18.32 of Dead of Winter: see which fords its pioneers make better now."""
        if self.pioneers:
            self.waters.raise_fords(self.pioneers)

    def take_up(self, unit: Unit) -> None:
        """10.13: a unit is at its Movement/Fire; whoever was before it has completed his."""
        if unit.acting:
            return
        for other in self.units:
            if other.acting:
                other.acting = False
                other.completed = True
        unit.acting = True

    def take_up_stack(self, units: list[Unit]) -> None:
        """8.21, 10.13: units that move as a stack are at their Movement/Fire together."""
        for other in self.units:
            if other.acting and other not in units:
                other.acting = False
                other.completed = True
        for unit in units:
            unit.acting = True

    def ready(self) -> None:
        """Number the forces and keep the present state as the one to reset to: call it once the set-up is complete."""
        for at, unit in enumerate(self.units):
            unit.index = at
        for at, leader in enumerate(self.leaders):
            leader.index = at
        self.commands = self.brigades + self.divisions + self.corps + self.armies
        for at, command in enumerate(self.commands):
            command.index = at
        self._share_fatigue()
        keys: dict[int, str] = {}
        subjects = [(unit.id, unit.key) for unit in self.units]
        subjects += [(leader.id, leader.key) for leader in self.leaders]
        subjects += [(command.id, command.key) for command in self.commands]
        for ident, key in subjects:
            if keys.setdefault(key, ident) != ident:
                raise ValueError(f"{ident} and {keys[key]} have the same hash: they would share their dice; rename one")
        self._start = self.snapshot()

    def _share_fatigue(self) -> None:
        """17.1: the units of a brigade share its Fatigue marker, but for its guns; a unit in no brigade has its own."""
        brigades: list[FatigueMarker] = []
        alone: list[FatigueMarker] = []
        for command in self.commands:
            for unit in command.units:
                if unit.kind == ARTILLERY:
                    continue
                if not command.is_led_brigade():
                    alone.append(unit.fatigue)
                else:
                    unit.fatigue = command.fatigue
                    if command.fatigue not in brigades:
                        brigades.append(command.fatigue)
                unit.fatigue.units.append(unit)
        self.fatigues = brigades + alone

    def reset(self) -> None:
        """Go back to the set-up."""
        self.restore(self._start)

    def snapshot(self) -> Snapshot:
        """All that changes, as it is now, dice counts included."""
        kept = self.standing()
        for unit in self.units:
            kept.draws.append(list(unit.draws))
        for leader in self.leaders:
            kept.draws.append(list(leader.draws))
        for command in self.commands:
            kept.draws.append(list(command.draws))
        return kept

    def standing(self) -> Snapshot:
        """All that changes but the counts of dice, which a restore then leaves as they are."""
        kept = Snapshot()
        for unit in self.units:
            kept.units.append(state.numbers_of_unit(unit))
            kept.places.append(unit.hex.index)
            kept.parts.append([[part.column_heading, *part.book.numbers()] for part in unit.parts])
            if unit.sections:
                kept.sections.append([section.numbers() for section in unit.sections])
        for leader in self.leaders:
            kept.leaders.append(state.numbers_of_leader(leader))
        for command in self.commands:
            kept.commands.append(state.numbers_of_command(command))
        for place in self.map.hexes:
            if place.stack:
                kept.stacks.append(
                    [place.index]
                    + [part.unit.index * MOST_PARTS + part.unit.parts.index(part) for part in place.stack]
                )
            if place.leaders:
                kept.leader_places.append([place.index] + [leader.index for leader in place.leaders])
        kept.numbers = self._numbers()
        for commands in (self.active, self.remaining, self.together):
            kept.acting.append([command.index for command in commands])
        kept.pool = [(m.kind, m.side, m.command.index, m.number, m.order) for m in self.pool]
        kept.queues = [entrance.queued for entrance in self.entrances]
        kept.due = [group.due for group in self.reinforcements]
        kept.course = self.course.numbers()
        kept.works = self.works.numbers()
        kept.waters = self.waters.numbers()
        kept.fatigues = [marker.numbers() for marker in self.fatigues]
        return kept

    def _numbers(self) -> list[int]:
        return [
            self.turn, self.activation, self.phase, self.phasing, self.initiative, self.last_initiative, self.chain,
            self.fires[0], self.fires[1], self.shocks[0], self.shocks[1], int(self.marching), self.markers_left,
            int(self.picked),
        ]

    def restore(self, kept: Snapshot) -> None:
        """Take a snapshot back."""
        self._clear_hexes()
        self._restore_units(kept)
        self._restore_leaders(kept)
        for command in self.commands:
            state.take_command(command, kept.commands[command.index])
        self._restore_play(kept)
        for entrance, queued in zip(self.entrances, kept.queues, strict=True):
            entrance.queued = queued
        for group, due in zip(self.reinforcements, kept.due, strict=True):
            group.due = due
        self.course.take(kept.course)
        self.works.take(kept.works, self.units)
        self.waters.take(kept.waters, self.pioneers)
        self._tire(kept)
        self._restore_draws(kept)

    def _restore_draws(self, kept: Snapshot) -> None:
        if not kept.draws:
            return
        at: i64 = 0
        for unit in self.units:
            unit.draws = list(kept.draws[at])
            at += 1
        for leader in self.leaders:
            leader.draws = list(kept.draws[at])
            at += 1
        for command in self.commands:
            command.draws = list(kept.draws[at])
            at += 1

    def _restore_units(self, kept: Snapshot) -> None:
        divided: i64 = 0
        for at, unit in enumerate(self.units):
            state.take_unit(unit, kept.units[at])
            if len(unit.counters) > 1:
                unit.show(unit.mounted)
            if unit.arrivals:
                unit.arrival = unit.arrivals[unit.coming] if unit.coming >= 0 else None
            self._remake_parts(unit, kept.parts[at])
            if unit.sections:
                self._remake_sections(unit, kept.sections[divided])
                divided += 1
        for stack in kept.stacks:
            for number in stack[1:]:
                self._put_back(self.units[number // MOST_PARTS], number % MOST_PARTS, self.map.hexes[stack[0]])

    def _restore_leaders(self, kept: Snapshot) -> None:
        for leader in self.leaders:
            state.take_leader(leader, kept.leaders[leader.index])
            if leader.arrivals:
                leader.arrival = leader.arrivals[leader.coming] if leader.coming >= 0 else None
            leader.hex = self.map.off
        for together in kept.leader_places:
            for index in together[1:]:
                self.stand_leader(self.leaders[index], self.map.hexes[together[0]])

    def _restore_play(self, kept: Snapshot) -> None:
        """Take back where in the sequence of play the battle was, and the pool."""
        n = kept.numbers
        self.turn, self.activation, self.phase, self.phasing = n[0], n[1], n[2], n[3]
        self.initiative, self.last_initiative, self.chain = n[4], n[5], n[6]
        self.fires = [n[7], n[8]]
        self.shocks = [n[9], n[10]]
        self.marching = n[11] != 0
        self.markers_left = n[12]
        self.picked = n[13] != 0
        self.active = [self.commands[index] for index in kept.acting[0]]
        self.remaining = [self.commands[index] for index in kept.acting[1]]
        self.together = [self.commands[index] for index in kept.acting[2]]
        self.pool = []
        for kind, side, index, number, order in kept.pool:
            marker = Marker(kind, side, self.commands[index], number)
            marker.order = order
            self.pool.append(marker)

    def _tire(self, kept: Snapshot) -> None:
        for marker, values in zip(self.fatigues, kept.fatigues, strict=True):
            marker.take(values)

    def _clear_hexes(self) -> None:
        for unit in self.units:
            if unit.hex is not self.map.off:
                self.lift(unit)
        for place in self.map.hexes:
            if place.stack:
                place.stack.clear()
            if place.leaders:
                place.leaders.clear()
        for entrance in self.entrances:
            for gate in entrance.gates:
                gate.leaders.clear()

    def _remake_parts(self, unit: Unit, kept: list[list[int]]) -> None:
        unit.parts = unit.parts[:1]
        while len(unit.parts) < len(kept):
            unit.parts.append(Part(unit, self.map.off))
        for at, part in enumerate(unit.parts):
            part.column_heading = kept[at][0]
            part.book.take(kept[at][1:])

    def _remake_sections(self, unit: Unit, kept: list[list[int]]) -> None:
        """8.37: put the sections of a battery in the order that a snapshot has kept, as they were then."""
        ordered: list[Section] = []
        for numbers in kept:
            for section in unit.sections:
                if section.number == numbers[0]:
                    section.take(numbers)
                    ordered.append(section)
        unit.sections = ordered
        settle(unit)

    def _put_back(self, unit: Unit, number: i64, place: Hex) -> None:
        """Put a part of a unit that stands nowhere beneath the stack of a hex."""
        part = unit.parts[number]
        part.hex = place
        if number == 0:
            unit.hex = place
            for section in unit.sections:
                section.hex = place
        place.stack.append(part)
        if unit.abandoned == 0:
            self._count_near(unit, place, 1)

    def digest(self) -> str:
        """Hash of the state without dice counts: equal for equal states, in any process."""
        kept = self.standing()
        text = repr((
            kept.units, kept.places, kept.leaders, kept.leader_places, kept.commands, kept.stacks, kept.parts,
            kept.numbers, kept.acting, kept.pool, kept.queues, kept.works, kept.fatigues, kept.due, kept.course,
        ))
        if kept.sections:
            text += repr(kept.sections)
        if kept.waters:
            text += repr(kept.waters)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


__all__ = [
    "DAWN", "DAY", "DIVISION_MARKER", "DUSK", "EVENT_MARKER", "MARCH_MARKER", "NIGHT", "PHASES", "PHASE_ACTION",
    "PHASE_CHAIN", "PHASE_CHANGE_ORDERS", "PHASE_COMMANDERS", "PHASE_COORDINATION", "PHASE_DIVISION_ORDERS",
    "PHASE_EFFECTIVENESS", "PHASE_EFFICIENCY", "PHASE_ENGINEERING", "PHASE_INITIATIVE", "PHASE_MARKERS",
    "PHASE_RECOVERY", "PHASE_RESERVE", "PHASE_SETUP", "PHASE_SHOCK", "Battle", "Marker", "Part", "Snapshot", "Turn",
]
