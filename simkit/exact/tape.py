"""Tapes for one step of a combat: one runs through all its branches, one draws of all that follows."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from simkit.rules.dice import WORD, EnumeratingTape, Philox

# words of the key of draws beyond a limit, besides the caller's; any fixed number will do
SAMPLING_KEY: Final[i64] = 0x51D1E5


class BranchingTape(EnumeratingTape):
    """A tape that breaks off at every pause; `step` and `context` are what it was told at the last one."""

    def __init__(self) -> None:
        super().__init__()
        self.step = ""
        self.context: list[int] = []
        self.pausing = True

    def pause(self, step: str, context: list[int]) -> bool:
        """A step is over: what follows is for another branch."""
        self.step = step
        self.context = context
        return True


class DrawingTape(EnumeratingTape):
    """A tape that draws a branch at each point, by keys, as likely as it is.

    Args:
        key: which draws: equal keys draw alike.
    """

    def __init__(self, key: i64) -> None:
        super().__init__()
        self.philox = Philox(key & WORD, SAMPLING_KEY)
        self.run: i64 = 0

    def begin(self, run: i64) -> None:
        """Begin draw number `run`."""
        super().begin(run)
        self.run = run

    def _branch(self, weights: list[int], total: int) -> i64:
        self.philox.fill(self.run & WORD, self.at, 0, 0)
        self.at += 1
        face = (self.philox.w0 * total) >> 32
        self.last = -1
        branch: i64 = 0
        for weight in weights:
            if face < weight:
                break
            face -= weight
            branch += 1
        return branch


__all__ = ["BranchingTape", "DrawingTape"]
