"""The Fatigue marker of a brigade, and what the brigade has done this turn that counts for it (17.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.forces import Unit

# Fatigue Levels in ascending order (17.24)
NOT_FATIGUED: Final[i64] = 0
FATIGUE_OK: Final[i64] = 1
FATIGUE_0: Final[i64] = 2  # the first that has a number
FATIGUE_4: Final[i64] = 6  # the highest
FATIGUES: Final = ("none", "OK", "0", "1", "2", "3", "4")
"""The Fatigue Levels as their markers name them."""


class FatigueMarker:
    """The Fatigue Level that all units of a brigade but its guns share, or that of a unit in no brigade (17.1, 17.21).

    `half` is what it takes off or adds to rolls and movement allowances (17.31): kept ready, because every check, fire
    and move asks for it.
    """

    # all that changes in a battle
    STATE: ClassVar[tuple[str, ...]] = (
        "level", "half", "activations", "by_activations", "phases", "in_shock", "earned",
    )

    def __init__(self, ident: str) -> None:
        self.id = f"fatigue of {ident}"
        self.units: list[Unit] = []  # those who share it
        self.level: i64 = NOT_FATIGUED
        self.half: i64 = 0  # half the number on the marker, rounded up

        # this turn
        self.activations: i64 = 0  # activations, and their equivalents on the march, that count (17.22)
        self.by_activations: i64 = 0  # levels that they have earned by day (17.23)
        self.phases: i64 = 0  # action phases, of either side, in which it was in a shock (17.22)
        self.in_shock = False  # in the action phase under way
        self.earned: i64 = 0  # levels of which the marker does not tell yet (17.21)

    def number(self) -> i64:
        """17.24: the number on the marker; 0 where there is none."""
        return max(self.level - FATIGUE_0, 0)

    def place(self, level: i64) -> None:
        """17.24, 17.25, 17.31, 17.33: put the marker of a level, FATIGUE_4 at the most, and halve its number."""
        self.level = max(NOT_FATIGUED, min(level, FATIGUE_4))
        self.half = (self.number() + 1) // 2

    def numbers(self) -> list[int]:
        """All that changes, for a snapshot."""
        return [
            int(self.level), int(self.half), int(self.activations), int(self.by_activations), int(self.phases),
            int(self.in_shock), int(self.earned),
        ]

    def take(self, numbers: list[int]) -> None:
        """Take back what `numbers` gave."""
        self.level, self.half, self.activations, self.by_activations = numbers[0], numbers[1], numbers[2], numbers[3]
        self.phases, self.in_shock, self.earned = numbers[4], numbers[5] != 0, numbers[6]

    def begin_turn(self) -> None:
        """17.22, 17.23: forget what the brigade did in the turn before."""
        self.activations = 0
        self.by_activations = 0
        self.phases = 0
        self.in_shock = False
