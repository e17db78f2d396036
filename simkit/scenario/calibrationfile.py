"""Calibration files: which unknown numbers are fitted, to the history of which scenarios, and how hard one looks."""

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from simkit.scenario.reading import Table, checked, read_toml

SCENARIO = r"^[a-z0-9_]+/[a-z0-9_]+$"


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
        commanders: who decides, by side.
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
        tolerance: for each figure of history (see `analysis.history.FIGURES`) the miss that counts as one; figures that
            are not named don't count.
        fit: the scenarios that are fitted.
        judge: those held back, which the fit never sees.
    """

    calibration: _Head
    tolerance: dict[str, float] = Field(min_length=1)
    fit: list[Target] = Field(min_length=1)
    judge: list[Target] = []

    @model_validator(mode="after")
    def _tolerances_known(self) -> Self:
        for figure, miss in self.tolerance.items():
            if not 0 < miss < 1e6:
                raise ValueError(f"tolerance: {figure} = {miss:g}; it must be more than 0")
        fitted = [target.scenario for target in self.fit]
        for target in self.judge:
            if target.scenario in fitted:
                raise ValueError(f"judge: {target.scenario} is fitted too; what judges a fit is held back from it")
        return self


def read_calibration(path: Path) -> Calibration:
    """Read and check a calibration file.

    Raises:
        InputError: it is none, or a key or value is wrong.
    """
    data, text = read_toml(path)
    return checked(Calibration, data, path, text)
