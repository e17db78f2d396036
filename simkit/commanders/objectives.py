"""The hexes that a side wants, and which of its brigades each of them draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.forces import Command


class Objective:
    """A hex, by its id, that draws a side's brigades with a weight: all of them, or those of the commands it names.

    `commands` are codes of brigades or of commands above them, as they serve in the battle. Whoever is to `hold` it
    keeps the enemy from it and does not seek him elsewhere.
    """

    def __init__(self, place: str, weight: i64, commands: list[str], hold: bool = False) -> None:
        self.place = place
        self.weight = weight
        self.commands = commands
        self.hold = hold


def aims(objectives: list[Objective], brigade: Command) -> list[int]:
    """Which objectives draw a brigade: those of its lowest command that any names, else those that name none.

    Args:
        objectives: all that its side has.
        brigade: a command of brigade level.

    Returns:
        Their places in the list, from 0.
    """
    command = brigade
    while True:
        found = [at for at, objective in enumerate(objectives) if command.code in objective.commands]
        if found:
            return found
        if command.superior is command:
            return [at for at, objective in enumerate(objectives) if not objective.commands]
        command = command.superior
