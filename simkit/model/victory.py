"""What decides a battle: the rungs of victory, and what counts towards them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command


class Rung:
    """A level of victory: its name, who wins (-1 nobody), and the least margin of the Confederates that brings it."""

    def __init__(self, level: str, winner: i64, least: i64) -> None:
        self.level = level
        self.winner = winner
        self.least = least


class Prize:
    """Points for a command of the enemy that is Combat Ineffective at the end (13.3)."""

    def __init__(self, command: Command, points: i64) -> None:
        self.command = command
        self.points = points


class Ground:
    """Points by side for hexes that one side holds, all of them."""

    def __init__(self, hexes: list[Hex], points: list[int]) -> None:
        self.hexes = hexes
        self.points = points


class Clearing:
    """A command that is to leave no effective enemy division in these hexes (3.0 of Dead of Winter)."""

    def __init__(self, command: Command, hexes: list[Hex], level: str) -> None:
        self.command = command
        self.hexes = hexes
        self.level = level


class Conditions:
    """What a kind of victory counts: only that which it knows.

    Attributes:
        ladder: rungs, from the highest margin down.
        commands: those that count one against their side if Combat Ineffective.
        prizes, grounds: what brings points.
        credit: points that each side has from the start.
        clearings: what decides before the points; one or none.
    """

    def __init__(self) -> None:
        self.ladder: list[Rung] = []
        self.commands: list[Command] = []
        self.prizes: list[Prize] = []
        self.grounds: list[Ground] = []
        self.credit: list[int] = [0, 0]
        self.clearings: list[Clearing] = []
