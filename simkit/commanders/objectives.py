"""The hexes that a side wants, and which of its brigades each of them draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.forces import Command


class Objective:
    """A hex, by its id, that draws a side's brigades with a weight: all of them, or those of the commands it names.

    `commands` are codes of brigades or of commands above them, as they serve in the battle. Whoever is to `hold` it
    keeps the enemy from it and does not seek him elsewhere. `since` and `until` are the first and the last turn in
    which it draws anybody, counted from 0; an `until` of -1 means that it never ends.
    """

    def __init__(
        self, place: str, weight: i64, commands: list[str], hold: bool = False, since: i64 = 0, until: i64 = -1
    ) -> None:
        self.place = place
        self.weight = weight
        self.commands = commands
        self.hold = hold
        self.since = since
        self.until = until

    def stands(self, turn: i64, ended: bool) -> bool:
        """Whether it draws anybody in a turn, or in an earlier one if the `ended` count as well."""
        return self.since <= turn and (ended or self.until < 0 or turn <= self.until)


def aims(objectives: list[Objective], brigade: Command, turn: i64, ended: bool = False) -> list[int]:
    """Which objectives draw a brigade: those of its lowest command that any names, else those that name none.

    Args:
        objectives: all that its side has; those whose time has not come, or is over, draw nobody.
        brigade: a command of brigade level.
        turn: the turn, counted from 0.
        ended: whether a command that nothing else names keeps those whose time is over.

    Returns:
        Their places in the list, from 0.
    """
    command = brigade
    while True:
        found = _naming(objectives, command.code, turn, False)
        if not found and ended:
            found = _naming(objectives, command.code, turn, True)
        if found:
            return found
        if command.superior is command:
            return [at for at, other in enumerate(objectives) if not other.commands and other.stands(turn, ended)]
        command = command.superior


def _naming(objectives: list[Objective], code: str, turn: i64, ended: bool) -> list[int]:
    """Which objectives name a command and stand in a turn."""
    return [at for at, each in enumerate(objectives) if code in each.commands and each.stands(turn, ended)]
