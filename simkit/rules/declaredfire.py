"""A fire that has been declared, from its declaration until both its rounds are rolled (10.41)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simkit.rules.repeaters import SecondRound

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Part, Unit
    from simkit.rules.fireresolution import Shot


class Declared:
    """A fire that its owner has declared (10.41), with the shots that it has rolled and those that it has still to.

    Its `parts` are one, or several that combine their fire (8.45, 10.63, 10.82), each with its share of the points.
    """

    def __init__(self, part: Part, target: Hex, first: list[Unit], points: i64, rapid: bool) -> None:
        self.part = part
        self.unit: Unit = part.unit
        self.target = target
        self.first = first
        self.points = points
        self.rapid = rapid
        self.parts: list[Part] = [part]
        self.shares: list[int] = [int(points)]
        self.shots: list[Shot] = []
        self.second = SecondRound()
        self.done = False  # both its shots are rolled, and all that it may fire again
        self.applied = False  # so are their results, and the next fire may come
        self.places: list[int] = []  # of one that is kept: where its parts are among those of their units

    def numbers(self) -> list[int]:
        """All of it that bears on a fire that has still to be made."""
        kept: list[int] = [
            int(self.unit.index), int(self.target.index), int(self.points), int(self.rapid), len(self.parts),
        ]
        kept.extend(self.shares)
        kept.extend([int(part.hex.index) for part in self.parts])
        kept.extend([int(unit.index) for unit in self.first])
        return kept

    def _copy(self) -> Declared:
        made = Declared(self.part, self.target, list(self.first), self.points, self.rapid)
        made.parts = list(self.parts)
        made.shares = list(self.shares)
        made.shots = list(self.shots)
        made.done = self.done
        made.applied = self.applied
        return made

    def kept(self) -> Declared:
        """A copy to go back to, made between two fires, when no second round is due."""
        made = self._copy()
        for part in self.parts:
            among = part.unit.parts
            made.places.append(among.index(part) if part in among else -1)
        return made

    def resumed(self) -> Declared:
        """A copy of one that is kept, with the markers that its units have now, for a restored battle makes new ones.

        Sections, which are not among the parts of their battery, stay the same.
        """
        made = self._copy()
        for at, place in enumerate(self.places):
            if place >= 0:
                made.parts[at] = self.parts[at].unit.parts[place]
        made.part = made.parts[0]
        return made
