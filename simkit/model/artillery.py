"""Artillery commands with activation markers of their own (4.33): who belongs to one, and how many markers it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit

BY_EFFICIENCY: Final[i64] = -1  # as many markers as efficiency gives it (5.2)
NO_MARKER: Final[i64] = 0  # it acts on the markers of the division that it acts with


class ArtilleryCommand:
    """What a battle lays down about a command of guns that no division's marker activates (4.33).

    Its batteries are those directly under `command` and under the artillery brigades below it, those of the commands in
    `takes`, and those that its owner places under it, at most `most_placed`, for the rest of the battle. `markers` is
    how many it has in each turn: a number of its own, BY_EFFICIENCY (never more than `most`), or NO_MARKER.
    """

    def __init__(self, command: Command, markers: i64, most: i64) -> None:
        self.command = command
        self.markers = markers
        self.most = most
        self.takes: list[Command] = []
        self.yields = False  # a battery that begins the turn with a brigade acts with that brigade instead
        self.closed: list[Hex] = []  # batteries of the commands in `takes` that begin the turn here stay with those
        self.most_placed: i64 = 0
        self.picked: list[Unit] = []  # who alone acts on its `picked_markers`, which come on top of `markers`
        self.picked_markers: i64 = 0
