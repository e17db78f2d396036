"""What a part of a unit has fired in one brigade activation, and what it keeps for later (7.34, 8.31, 10.15)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

FIRE_KINDS: Final[i64] = 5  # phasing, return, withdrawal, approach and pre-shock fire (10.3, 10.4)

# the ways out of a hex that have accounts of their own: its normal frontal hexsides, and a refused one (7.34)
NORMAL_FRONT: Final[i64] = 0
REFUSED_FRONT: Final[i64] = 1
FRONTS: Final[i64] = 2


class FireBook:
    """The fires of one part in one brigade activation, by kind of fire and by front (7.34, 8.31, 10.15, 10.41).

    When the part refuses or ceases to, what it fired and kept before is shared between its fronts, or put together.
    """

    def __init__(self) -> None:
        self.blank = True
        self.phased = False  # has used its phasing fire, where parts do so one after the other (8.45)
        self.place: i64 = -1  # index of the hex from which `fired` counts
        self.refused = False  # as it was when last written in
        self.fired: list[int] = [0] * (FIRE_KINDS * FRONTS)  # strength points, by those of its stack too
        self.kept: list[int] = [-1] * (FIRE_KINDS * FRONTS)  # strength points for a later fire; -1 none fired yet
        self.at: list[int] = [-1] * (FIRE_KINDS * FRONTS)  # index of the hex that the first fire of two went to
        self.struck: list[int] = []  # indices of the hexes at which it has used its phasing fire (8.45)

    def clear(self) -> None:
        """Begin a new brigade activation."""
        if self.blank:
            return
        self.blank = True
        self.phased = False
        self.struck = []
        self.place = -1
        self.refused = False
        for at in range(FIRE_KINDS * FRONTS):
            self.fired[at] = 0
            self.kept[at] = -1
            self.at[at] = -1

    def conform(self, refused: bool, points: i64) -> None:
        """7.34: make its accounts those of a part of so many points that is refused or not."""
        if self.refused == refused:
            return
        self.refused = refused
        for kind in range(FIRE_KINDS):
            normal: i64 = kind * FRONTS + NORMAL_FRONT
            other: i64 = kind * FRONTS + REFUSED_FRONT
            fired: i64 = self.fired[normal]
            kept: i64 = self.kept[normal]
            if refused:
                self.fired[other] = fired // 2
                self.fired[normal] = fired - fired // 2
                if kept >= 0:
                    self.kept[other] = kept // 2
                    self.kept[normal] = kept - kept // 2
                    self.at[other] = self.at[normal]
                continue
            self.fired[normal] = fired + self.fired[other]
            beside: i64 = self.kept[other]
            if kept >= 0 or beside >= 0:
                kept = kept if kept >= 0 else points - points // 2
                self.kept[normal] = kept + (beside if beside >= 0 else points // 2)
            if self.at[normal] < 0:
                self.at[normal] = self.at[other]
            self.fired[other] = 0
            self.kept[other] = -1
            self.at[other] = -1

    def take_in(self, other: FireBook, mine: i64, theirs: i64) -> None:
        """8.42: join to it the accounts of a part that retracts; both have so many points."""
        if self.blank and other.blank:
            return
        self.conform(False, mine)
        other.conform(False, theirs)
        self.blank = False
        for kind in range(FIRE_KINDS):
            at: i64 = kind * FRONTS + NORMAL_FRONT
            kept: i64 = self.kept[at]
            beside: i64 = other.kept[at]
            if kept >= 0 or beside >= 0:
                self.kept[at] = (kept if kept >= 0 else mine) + (beside if beside >= 0 else theirs)

    def open(self, place: i64, refused: bool, points: i64) -> None:
        """Get ready to write down a fire from the hex of that index."""
        if self.blank:
            self.blank = False
            self.refused = refused
        self.conform(refused, points)
        if self.place != place:
            self.place = place
            for at in range(FIRE_KINDS * FRONTS):
                self.fired[at] = 0

    def numbers(self) -> list[int]:
        """All that it holds, for a snapshot."""
        if self.blank:
            return []
        return [self.place, int(self.refused), int(self.phased), *self.fired, *self.kept, *self.at, *self.struck]

    def take(self, numbers: list[int]) -> None:
        """Hold again what a snapshot has kept."""
        self.clear()
        if not numbers:
            return
        count = FIRE_KINDS * FRONTS
        self.blank = False
        self.place = numbers[0]
        self.refused = numbers[1] != 0
        self.phased = numbers[2] != 0
        self.fired = numbers[3:3 + count]
        self.kept = numbers[3 + count:3 + 2 * count]
        self.at = numbers[3 + 2 * count:3 + 3 * count]
        self.struck = numbers[3 + 3 * count:]
