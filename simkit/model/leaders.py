"""Leaders and commanders (4.1, 12.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from mypy_extensions import i64

from simkit.model.forces import CORPS, ON_MAP
from simkit.model.subject import Subject

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.counters import Ratings
    from simkit.model.entrances import Reinforcement
    from simkit.model.forces import Command


class Leader(Subject):
    """A leader or commander: both sides of his counter, and where he is (4.1, 12.7)."""

    STATE: ClassVar[tuple[str, ...]] = (
        "place", "casualty", "replaced", "moved", "ended", "spent", "joined", "affected_rally", "far_moved", "waiting",
        "coming",
    )

    def __init__(
        self, ident: str, side: i64, level: i64, front: Ratings, back: Ratings, replaceable: bool, command: Command,
        start: Hex,
    ) -> None:
        super().__init__(ident)
        self.side = side
        self.level = level
        self.front = front
        self.back = back
        self.replaceable = replaceable
        self.command = command
        self.hex: Hex = start
        self.index: i64 = 0

        self.place: i64 = ON_MAP
        self.casualty = False  # fell at least once in this battle
        self.replaced = False  # his counter shows its replacement side
        self.moved = False  # has moved in this action phase (9.31)
        self.ended = False  # has moved in it to the end: not even with a unit may he go on (9.31)
        self.spent: i64 = 0  # half movement points
        self.joined = False  # placed with the nearest unit by an enemy's approach (12.73)
        self.affected_rally = False  # has lent his stars to a rally in this brigade activation (13.43)
        self.far_moved = False  # a commander who used more than 10 MPs (9.32)
        self.arrivals: list[Reinforcement] = []  # the groups with which he enters the map, as of a unit (9.7)
        self.arrival: Reinforcement | None = None
        self.coming: i64 = -1
        self.bound: i64 = 0  # bits of the movement limits of the scenario that hold for him
        self.waiting = False  # at the edge of the map, and may enter this turn

    def ratings(self) -> Ratings:
        """The side of the counter that is up."""
        return self.back if self.replaced else self.front

    def is_commander(self) -> bool:
        """9.31, 9.32: whether he is a corps or army commander; an artillery leader (4.33) is none."""
        return self.level >= CORPS and not self.command.artillery

    def in_play(self) -> bool:
        """Whether he stands on the map."""
        return self.place == ON_MAP
