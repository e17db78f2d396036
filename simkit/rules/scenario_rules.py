"""What a scenario lays down about command: first initiative, efficiency, orders given at the start, and victory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.artillery import BY_EFFICIENCY
from simkit.model.forces import CORPS

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.events import EventMarkers
    from simkit.model.forces import Command

EVERY_TURN: Final[i64] = 1000000


class EfficiencyPool:
    """The Efficiency Markers from which a side draws from turn `first` to turn `last`, counted from 0 (5.21)."""

    def __init__(self, side: i64, markers: list[int], first: i64, last: i64) -> None:
        self.side = side
        self.markers = sorted(markers)
        self.first = first
        self.last = last

    def holds(self, side: i64, turn: i64) -> bool:
        """Whether it is the pool of a side in a turn."""
        return side == self.side and self.first <= turn <= self.last


class FixedEfficiency:
    """A number that a scenario fixes from turn `first` to turn `last`, counted from 0.

    For a corps it stands for the marker it would draw (5.21), for a division for its activation markers (5.24).
    """

    def __init__(self, command: Command, number: i64, first: i64, last: i64) -> None:
        self.command = command
        self.number = number
        self.first = first
        self.last = last

    def holds(self, command: Command, turn: i64) -> bool:
        """Whether it fixes the number of a command in a turn."""
        return command is self.command and self.first <= turn <= self.last


@mypyc_attr(allow_interpreted_subclasses=True)
class ScenarioRules:
    """The rules that one scenario brings along.

    `first_initiative` is the side that has the initiative in the first turn, -1 if it is rolled for (5.11); `assigned`
    lists the commands whose orders at the start are not the owner's to choose (6.17); `victory` is a kind that
    `simkit.play.victory` knows.
    """

    def __init__(self) -> None:
        self.first_initiative: i64 = -1
        self.pools: list[EfficiencyPool] = []
        self.fixed: list[FixedEfficiency] = []
        self.assigned: list[Command] = []
        self.victory = ""
        self.events: list[EventMarkers] = []  # markers of events in the pool (5.31)
        self.build_from: list[i64] = [0, 0]  # turn from which each side may build breastworks; -1 never (15.1)
        self.tireless: list[list[int]] = [[], []]  # turns in which each side incurs no Fatigue (17.22)

    def tires(self, side: i64, turn: i64) -> bool:
        """17.22, 21.3 of Dead of Winter: whether a side incurs Fatigue in a turn."""
        return turn not in self.tireless[side]

    def may_build(self, side: i64, turn: i64) -> bool:
        """15.11, 21.1 of Dead of Winter, 15.1 of Gringo!: whether a side may begin breastworks in a turn at all."""
        return 0 <= self.build_from[side] <= turn

    def pool(self, side: i64, turn: i64) -> list[int]:
        """Efficiency Markers of a side in a turn, lowest first; empty if the scenario has none (5.21)."""
        for pool in self.pools:
            if pool.holds(side, turn):
                return list(pool.markers)
        return []

    def fixed_number(self, command: Command, turn: i64) -> i64:
        """The number fixed for a corps or division in a turn; -1 if it is to be drawn."""
        for fixed in self.fixed:
            if fixed.holds(command, turn):
                return fixed.number
        return -1

    def drawing(self, battle: Battle, side: i64, turn: i64) -> list[Command]:
        """5.21: the commands of a side that draw a marker in a turn: corps, and divisions under no corps.

        A command whose number is fixed draws none, nor does a corps whose divisions' markers are all fixed, nor one all
        of whose units are still to come as reinforcements.
        """
        found: list[Command] = []
        for division in battle.divisions:
            if any(own.command is division and own.markers != BY_EFFICIENCY for own in battle.artillery):
                continue
            here = any(unit.arrival is None or unit.arrival.turn <= turn for unit in division.all_units())
            if here and division.side == side and self.fixed_number(division, turn) < 0:
                head = division.superior if division.superior.level == CORPS else division
                if head not in found and self.fixed_number(head, turn) < 0:
                    found.append(head)
        return found

    def check(self, battle: Battle) -> None:
        """See that the scenario's numbers suffice in every turn (5.2).

        Raises:
            ValueError: more commands draw than the pool has markers, or a number is not 1 to 4.
        """
        for fixed in self.fixed:
            if fixed.number < 1 or fixed.number > 4:
                raise ValueError(f"{fixed.command.code}: the number is fixed at {fixed.number}; it can be 1 to 4")
        for turn in range(len(battle.turns)):
            for side in range(2):
                drawing = self.drawing(battle, side, turn)
                markers = self.pool(side, turn)
                if len(drawing) > len(markers):
                    codes = ", ".join([command.code for command in drawing])
                    raise ValueError(
                        f"turn {battle.turns[turn].label}: {len(markers)} efficiency markers for {len(drawing)} "
                        f"commands that draw one ({codes}); fix their numbers or put more markers into the pool"
                    )
                for number in markers:
                    if number < 1 or number > 4:
                        raise ValueError(f"an efficiency marker is {number}; it can be 1 to 4")
