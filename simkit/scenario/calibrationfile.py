"""Calibration files: which unknown numbers are fitted, to the history of which scenarios, and how hard one looks."""

from pathlib import Path
from typing import Self

from pydantic import Field, field_validator, model_validator

from simkit.scenario.historyfile import FIGURES
from simkit.scenario.reading import Table, checked, read_toml, suggestion
from simkit.scenario.study import own_path

SCENARIO = r"^[a-z0-9_]+/[a-z0-9_]+$"
MOST_TOLERANCE = 1_000_000


class _Head(Table):
    """What is fitted, and how.

    Attributes:
        book: the book whose unknown numbers these are.
        numbers: which of them are fitted; the others stay as they are.
        design: points of the quasi-random design, a power of two.
        rounds: rounds of refinement after it.
        points: points that each round adds.
        runs: battles of each scenario at each point, where `fit` does not say otherwise.
        keep: sets that the ensemble holds at least.
        seed: seed of the design and of all dice; every point meets the same dice.
        commanders: who decides, by side; a file is looked for beside the calibration file.
    """

    name: str = Field(min_length=1, max_length=200)
    text: str = ""
    book: str = Field(pattern=r"^[a-z0-9_]+$")
    numbers: list[str] = Field(min_length=1, max_length=20)
    design: int = Field(default=64, ge=4, le=4096)
    rounds: int = Field(default=2, ge=0, le=20)
    points: int = Field(default=16, ge=1, le=1024)
    runs: int = Field(default=40, ge=2, le=100_000)
    keep: int = Field(default=20, ge=2, le=1000)
    seed: int = Field(default=1862, ge=0, le=2**63 - 1)
    commanders: dict[str, str] = {}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.design & (self.design - 1):
            raise ValueError(f"design: {self.design} points; a Sobol design has a power of two, as 32, 64 or 128")
        if self.rounds and self.design < len(self.numbers):
            raise ValueError(
                f"design: {self.design} points are too few to look further from with {len(self.numbers)} numbers; "
                "it needs as many at least, or rounds = 0"
            )
        if self.keep > self.design + self.rounds * self.points:
            raise ValueError(f"keep: {self.keep} sets cannot be kept of fewer points; raise design, rounds or points")
        if len(set(self.numbers)) < len(self.numbers):
            raise ValueError("numbers: one stands twice")
        return self


class Target(Table):
    """A scenario whose history is fitted or, held back, judged by.

    Attributes:
        weight: how much it counts beside the others that are fitted.
        runs: its battles at each point, if not as many as those of the others; fewer where a battle takes long.
        judging: battles in which the ensemble is laid beside its history, if not a block for each set.
    """

    scenario: str = Field(pattern=SCENARIO)
    weight: float = Field(default=1.0, gt=0, le=1000)
    runs: int | None = Field(default=None, ge=2, le=100_000)
    judging: int | None = Field(default=None, ge=2, le=1_000_000)
    options: dict[str, bool | int | str] = {}


class Calibration(Table):
    """A calibration file, whole.

    Attributes:
        tolerance: for each figure of history (see `historyfile.FIGURES`) the miss that counts as one; figures that
            are not named don't count.
        fit: the scenarios that are fitted.
        judge: those held back, which the fit never sees.
    """

    calibration: _Head
    tolerance: dict[str, float] = Field(min_length=1)
    fit: list[Target] = Field(min_length=1)
    judge: list[Target] = []

    @field_validator("tolerance")
    @classmethod
    def _tolerances_known(cls, tolerance: dict[str, float]) -> dict[str, float]:
        for figure, miss in tolerance.items():
            if figure not in FIGURES:
                raise ValueError(f'history has no figure "{figure}"{suggestion(figure, FIGURES)}')
            if not 0 < miss < MOST_TOLERANCE:
                raise ValueError(f"{figure} = {miss:g}; it must be more than 0 and less than {MOST_TOLERANCE:,}")
        return tolerance

    @model_validator(mode="after")
    def _targets_known(self) -> Self:
        for kind, targets in (("fit", self.fit), ("judge", self.judge)):
            seen: list[str] = []
            for scenario in (target.scenario for target in targets):
                if scenario.partition("/")[0] != self.calibration.book:
                    raise ValueError(f"{kind}: {scenario} is no scenario of the book {self.calibration.book}")
                if scenario in seen:
                    raise ValueError(f"{kind}: {scenario} stands twice; a `weight` lets it count for more")
                seen.append(scenario)
        for target in self.judge:
            if target.scenario in [fitted.scenario for fitted in self.fit]:
                raise ValueError(f"judge: {target.scenario} is fitted too; what judges a fit is held back from it")
        return self


def read_calibration(path: Path) -> Calibration:
    """Read and check a calibration file.

    Raises:
        InputError: it is none, or a key or value is wrong.
    """
    data, text = read_toml(path)
    found = checked(Calibration, data, path, text)
    beside = {side: own_path(who, path.parent) for side, who in found.calibration.commanders.items()}
    return found.model_copy(update={"calibration": found.calibration.model_copy(update={"commanders": beside})})
