"""Tapes that begin where an earlier branch has come to: one runs through all that can follow, one draws of it."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from simkit.model.log import EVERYTHING, BattleLog
from simkit.rules.dice import WORD, EnumeratingTape, Philox

# words of the key of draws beyond a limit, besides the caller's; any fixed number will do
SAMPLING_KEY: Final[i64] = 0x51D1E5


class Reached(Exception):
    """The next pause has been reached: the rest of the combat is for another branch."""


class BranchingTape(EnumeratingTape):
    """A tape that repeats the choices of a beginning, and then runs through all branches up to the next pause.

    Args:
        log: the battle's, which is kept from the end of the beginning on.
    """

    def __init__(self, log: BattleLog) -> None:
        super().__init__()
        self.log = log
        self.marks: i64 = 0  # pauses in it
        self.passed: i64 = 0
        self.step = ""
        self.context: list[int] = []
        self.pausing = True

    def start_from(self, choices: list[int], weights: list[list[int]], marks: i64) -> None:
        """Take up a beginning: the branch taken at each of its draws, of how many, and its pauses."""
        self.choices = list(choices)
        self.weights = list(weights)
        self.fixed = len(choices)
        self.marks = marks

    def begin(self, run: i64) -> None:
        """Go back to the first draw."""
        self.at = 0
        self.passed = 0
        self._after_beginning()
        self.log.level = 0 if self.marks > 0 else EVERYTHING

    def _after_beginning(self) -> None:
        self.numerator = 1
        self.denominator = 1

    def pause(self, step: str, context: list[int]) -> None:
        """A step is over.

        Raises:
            Reached: it is the first after the beginning.
        """
        self.passed += 1
        if self.passed > self.marks:
            self.step = step
            self.context = context
            raise Reached
        if self.passed == self.marks:
            self._after_beginning()
            self.log.level = EVERYTHING


class DrawingTape(BranchingTape):
    """A tape that repeats the choices of a beginning and draws all that follows, by keys, to the end.

    Args:
        log: the battle's.
        key: which draws: equal keys draw alike.
    """

    def __init__(self, log: BattleLog, key: i64) -> None:
        super().__init__(log)
        self.philox = Philox(key & WORD, SAMPLING_KEY)
        self.run: i64 = 0
        self.drawn: i64 = 0

    def begin(self, run: i64) -> None:
        """Begin draw number `run`."""
        super().begin(run)
        self.run = run
        self.drawn = 0

    def pause(self, step: str, context: list[int]) -> None:
        """Go on: a draw is played to its end."""
        self.passed += 1
        if self.passed == self.marks:
            self.log.level = EVERYTHING

    def _branch(self, weights: list[int], total: int) -> i64:
        at = self.at
        self.at += 1
        if at < self.fixed:
            taken: i64 = self.choices[at]
            return taken
        self.philox.fill(self.run & WORD, self.drawn, 0, 0)
        self.drawn += 1
        face = (self.philox.w0 * total) >> 32
        self.last = -1
        branch: i64 = 0
        for weight in weights:
            if face < weight:
                break
            face -= weight
            branch += 1
        return branch


__all__ = ["BranchingTape", "DrawingTape", "Reached"]
