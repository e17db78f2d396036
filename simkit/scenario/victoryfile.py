"""Tables that say what decides a battle: victory in a scenario file, and the points that a book gives for what."""

from itertools import pairwise
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from simkit.scenario.forcesfile import Area
from simkit.scenario.reading import Sourced, Table, checked, read_toml
from simkit.scenario.roster import Side

POINTS_FILE = "victory_points.toml"


class Rung(Table):
    """One level of victory: its name, who wins (nobody in a draw), and the least margin that still brings it.

    The margin is the Confederate total less the Union one. The last rung has no least.
    """

    level: str = Field(min_length=1)
    winner: Side | None = None
    least: int | None = None


class Prize(Sourced):
    """Points for an enemy command, by "Side/code", that is Combat Ineffective at the end (13.3)."""

    command: str
    points: int = Field(ge=0, le=50)


class Ground(Sourced):
    """Points for one hex, or for several that must all be held, by the side that holds them at the end.

    Attributes:
        points: by side; none for a side that is left out.
        holder: who holds them at the start if no combat unit stands there; nobody if left out.
    """

    hexes: list[str] = Field(min_length=1)
    points: dict[Side, int]
    holder: Side | None = None


class Clearing(Sourced):
    """A command that wins by leaving no effective enemy division in an area (3.0 of Dead of Winter).

    It wins if it is effective and no effective enemy division has a unit in the area; if it is Combat Ineffective, the
    result is a draw where there is none, and a defeat where there is one. In the case left the points decide.
    """

    command: str
    area: list[Area] = Field(min_length=1)
    level: str = "win"


class Victory(Sourced):
    """What decides the battle, by kind (see `simkit.play.victory`).

    Attributes:
        text: the condition in plain words.
        ladder: levels by margin, from the highest down; for all kinds but `regiments`.
        commands: for `effectiveness`, the commands that count one against their side if Combat Ineffective at the end.
        enemy, terrain: for `points`, what counts besides the book's table, or instead of its entry for the same command
            or hexes.
        book_points: for `points`, whether the book's table counts at all.
        credit: for `points`, points that a side has from the start.
        clearing: for `points`, what decides before them.
    """

    kind: str
    text: str
    ladder: list[Rung] = []
    commands: list[str] = []
    enemy: list[Prize] = []
    terrain: list[Ground] = []
    book_points: bool = True
    credit: dict[Side, int] = {}
    clearing: Clearing | None = None

    @model_validator(mode="after")
    def _whole_ladder(self) -> Self:
        if not self.ladder:
            return self
        limits = [rung.least for rung in self.ladder]
        if limits[-1] is not None or None in limits[:-1]:
            raise ValueError("ladder: the last rung, and no other, must leave least out")
        lows = [limit for limit in limits if limit is not None]
        if any(above <= below for above, below in pairwise(lows)):
            raise ValueError("ladder: the rungs must go from the highest least to the lowest")
        ranks = [{"Confederate": 0, None: 1, "Union": 2}[rung.winner] for rung in self.ladder]
        if ranks != sorted(ranks):
            raise ValueError("ladder: Confederate victories come first, then the draw, then Union ones")
        return self


class _PointsHead(Sourced):
    name: str


class PointsFile(Table):
    """A book's points for enemy commands and for terrain; entries of either say no more than differs from the head."""

    victory_points: _PointsHead
    enemy: list[Prize] = []
    terrain: list[Ground] = []


def read_points(folder: Path, name: str = POINTS_FILE) -> PointsFile:
    """The points of a book, by its folder.

    Raises:
        InputError: there is no such file, or a key or value is wrong.
    """
    path = folder / name
    data, text = read_toml(path)
    return checked(PointsFile, data, path, text)
