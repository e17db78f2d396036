"""What the rules of one scenario note in the course of a battle: who holds what ground, and what has been set off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command

HELD_BY_NOBODY: Final[i64] = -1


class Arrangement:
    """A command that serves under another superior than its own until its owner dissolves that (8.0 of Dead of Winter).
    """

    def __init__(self, command: Command, own: Command, other: Command) -> None:
        self.command = command
        self.own = own
        self.other = other
        self.at: i64 = 0  # its place among the subordinates of the other, to which it comes back


class Course:
    """A part of the battle's state that only scenarios with such rules use.

    Attributes:
        ground: the hexes whose holder matters.
        holders: by hex of `ground`, the side that last had a combat unit in it; -1 nobody.
        least_markers: on how few markers a brigade acts that has gone where its scenario warns it (2.0).
        picks: markers that the side with the initiative has still to pick this turn before any is drawn (5.13).
        withheld: whether the markers of surprised divisions stay out of the pool (1.0 of Dead of Winter).
        advances: in how many activations a corps has made for the river that it must cross (21.2 of Dead of Winter).
        pressing: whether it must do so on the marker in play.
        dissolved: by side, the turn in which its arrangements of command have ended, counted from 1; 0 if they last.
    """

    def __init__(self) -> None:
        self.ground: list[Hex] = []
        self.arranged: list[Arrangement] = []
        self.holders: list[int] = []
        self.least_markers: i64 = 1
        self.picks: i64 = 0
        self.withheld = False
        self.advances: i64 = 0
        self.pressing = False
        self.dissolved: list[int] = [0, 0]

    def mark(self, place: Hex, holder: i64) -> None:
        """Let a hex count, held at first by a side or by nobody; who stands there holds it."""
        if place.scored < 0:
            place.scored = len(self.ground)
            self.ground.append(place)
            self.holders.append(holder)
        for part in place.stack:
            if part.unit.abandoned == 0:
                self.holders[place.scored] = part.unit.side

    def taken(self, place: Hex, side: i64) -> None:
        """A combat unit has come into a hex that counts."""
        self.holders[place.scored] = side

    def holder(self, place: Hex) -> i64:
        """The side that holds a hex; -1 nobody, also where nobody keeps count."""
        return self.holders[place.scored] if place.scored >= 0 else HELD_BY_NOBODY

    def dissolve(self, side: i64, turn: i64) -> None:
        """End a side's arrangements in a turn, counted from 0: their commands go back to their own superiors."""
        self.dissolved[side] = turn + 1
        self._arrange()

    def _arrange(self) -> None:
        """Put commands where they serve: back in the opposite order, so that all stand as they stood."""
        for each in self.arranged:
            if self.dissolved[each.command.side] != 0 and each.command.superior is not each.own:
                each.at = each.other.subordinates.index(each.command)
                del each.other.subordinates[each.at]
                each.own.subordinates.append(each.command)
                each.command.superior = each.own
        for each in reversed(self.arranged):
            if self.dissolved[each.command.side] == 0 and each.command.superior is not each.other:
                each.own.subordinates.remove(each.command)
                each.other.subordinates.insert(each.at, each.command)
                each.command.superior = each.other

    def numbers(self) -> list[int]:
        """All that changes, as numbers."""
        return [
            int(self.picks), int(self.withheld), self.dissolved[0], self.dissolved[1], int(self.advances),
            int(self.pressing), *self.holders,
        ]

    def take(self, numbers: list[int]) -> None:
        """Take back what `numbers` has given."""
        self.picks = numbers[0]
        self.withheld = numbers[1] != 0
        changed = numbers[2] != self.dissolved[0] or numbers[3] != self.dissolved[1]
        self.dissolved = [numbers[2], numbers[3]]
        self.advances = numbers[4]
        self.pressing = numbers[5] != 0
        self.holders = numbers[6:]
        if changed:
            self._arrange()
