"""What a scenario lays down about command: first initiative, efficiency, orders given at the start, and victory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.artillery import BY_EFFICIENCY
from simkit.model.forces import CORPS
from simkit.model.victory import Conditions

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.entrances import Reinforcement
    from simkit.model.events import EventMarkers
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader

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


class AddedMarkers:
    """Efficiency Markers that the pool of a side has more, always or while a leader is on the map (20.4)."""

    def __init__(self, side: i64, markers: list[int], leaders: list[Leader]) -> None:
        self.side = side
        self.markers = markers
        self.leaders = leaders  # one, or none

    def holds(self, side: i64) -> bool:
        """20.4 of Dead of Winter: whether a side has them now."""
        return side == self.side and all(leader.in_play() for leader in self.leaders)


class Departure:
    """Units and leaders who leave the map at the start of a turn (7.0, 9.0 of Dead of Winter).

    Attributes:
        turn: when, counted from 0.
        groups: with which they come back; one or none.
        most: by unit, the most strength points with which it comes back.
        fatigue: the level at which they come back; -1 as they left.
    """

    def __init__(
        self, turn: i64, units: list[Unit], leaders: list[Leader], groups: list[Reinforcement], most: list[int],
        fatigue: i64,
    ) -> None:
        self.turn = turn
        self.units = units
        self.leaders = leaders
        self.groups = groups
        self.most = most
        self.fatigue = fatigue


class SetUpArea:
    """Units and leaders whose owner chooses where in these hexes they start; `middle` is what they gather round."""

    def __init__(self, units: list[Unit], leaders: list[Leader], hexes: list[Hex], middle: Hex) -> None:
        self.units = units
        self.leaders = leaders
        self.hexes = hexes
        self.middle = middle


class Surprise:
    """What a surprise at dawn does (1.0, 8.0 of Dead of Winter); `surprised` is the command that suffers it.

    `free` divisions each change one brigade's orders without a roll, markers of `withheld` ones stay out of the pool
    until the alarm, and `still` leaders do not move in the first turn.
    """

    def __init__(
        self, surprised: Command, free: list[Command], withheld: list[Command], still: list[Leader]
    ) -> None:
        self.surprised = surprised
        self.free = free
        self.withheld = withheld
        self.still = still


class AdvanceAcross:
    """A corps that in its first activations must cross a river (21.2 of Dead of Winter).

    Args:
        command: the corps.
        activations: in how many of its activations all that has not crossed makes for the river.
        beyond: the hexes of the far bank.
        hexes: how many the map has.
    """

    def __init__(self, command: Command, activations: i64, beyond: list[Hex], hexes: i64) -> None:
        self.command = command
        self.activations = activations
        self.beyond: list[bool] = [False] * hexes  # by hex
        for place in beyond:
            self.beyond[place.index] = True


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
    `simkit.play.victory` knows, `conditions` what it counts.
    """

    def __init__(self) -> None:
        self.first_initiative: i64 = -1
        self.pools: list[EfficiencyPool] = []
        self.fixed: list[FixedEfficiency] = []
        self.assigned: list[Command] = []
        self.victory = ""
        self.conditions = Conditions()
        self.first_markers: i64 = 1  # that the side with the initiative picks in the first turn (5.13)
        self.added: list[AddedMarkers] = []
        self.visibility: list[int] = []  # hexes by turn that anybody sees, 0 without limit; none at all if empty
        self.departures: list[Departure] = []
        self.areas: list[SetUpArea] = []
        self.advances: list[AdvanceAcross] = []  # none or one (21.2 of Dead of Winter)
        self.surprises: list[Surprise] = []  # one or none
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
                markers = list(pool.markers)
                for added in self.added:
                    if added.holds(side):
                        markers.extend(added.markers)
                        markers.sort()
                return markers
        return []

    def sight(self, turn: i64) -> i64:
        """2.43, 16.1: how many hexes anybody sees in a turn; 0 if there is no limit."""
        return self.visibility[turn] if turn < len(self.visibility) else 0

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
            units = list(division.all_units())
            for own in battle.artillery:
                if own.command.acts_with is division:
                    units.extend(own.command.all_units())
            here = any(unit.arrival is None or unit.arrival.turn <= turn for unit in units)
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
