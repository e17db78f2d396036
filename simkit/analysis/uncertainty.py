"""What of a figure's spread comes from the dice and what from numbers that nobody knows, where runs drew them."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from simkit.analysis.intervals import LEVEL
from simkit.analysis.results import Results
from simkit.model.forces import SIDES

LEAST_MEMBERS, LEAST_RUNS = 2, 2
"""Sets of an ensemble, and runs of each, below which a spread cannot be split."""

COLUMNS = ("quantity", "group", "mean", "sd", "sd_dice", "sd_unknown", "share", "low", "high")


class Split(NamedTuple):
    """The spread of one value a battle: in all, by dice with all numbers fixed, by the unknown numbers alone.

    `share` is how much of the variance the unknown numbers make, with the ends of its 95 % interval.
    """

    mean: float
    sd: float
    sd_dice: float
    sd_unknown: float
    share: float
    low: float
    high: float


def split(values: npt.ArrayLike, members: npt.ArrayLike) -> Split:
    """Split the variance of one value a battle into that within and that between the sets of an ensemble.

    One-way analysis of variance with random effects; the interval of the share is that of the F ratio (Searle, Casella
    and McCulloch 1992, 3.6), exact for sets of equally many runs, normal values and normal effects.

    Args:
        values: one value a battle.
        members: the set that each battle drew.

    Raises:
        ValueError: fewer than two sets, or a set with fewer than two battles.
    """
    data, drawn = np.asarray(values, dtype=np.float64), np.asarray(members)
    groups = [data[drawn == member] for member in np.unique(drawn)]
    sizes = np.array([group.size for group in groups])
    if len(groups) < LEAST_MEMBERS or sizes.min() < LEAST_RUNS:
        raise ValueError("a spread is split between at least two sets of at least two battles each")
    between = float(sum(group.size * (group.mean() - data.mean()) ** 2 for group in groups)) / (len(groups) - 1)
    within = float(sum(((group - group.mean()) ** 2).sum() for group in groups)) / (data.size - len(groups))
    size = (data.size - float((sizes**2).sum()) / data.size) / (len(groups) - 1)
    unknown = max(0.0, (between - within) / size)
    total = unknown + within
    if total == 0:
        return Split(float(data.mean()), 0.0, 0.0, 0.0, math.nan, math.nan, math.nan)
    if within == 0:
        return Split(float(data.mean()), math.sqrt(total), 0.0, math.sqrt(unknown), 1.0, math.nan, math.nan)
    chances = ((1 + LEVEL) / 2, (1 - LEVEL) / 2)
    quantiles = stats.f.ppf(chances, len(groups) - 1, data.size - len(groups))
    low, high = (_share(between / within / float(quantile), size) for quantile in quantiles)
    return Split(
        float(data.mean()), math.sqrt(total), math.sqrt(within), math.sqrt(unknown), unknown / total, low, high
    )


def _share(ratio: float, size: float) -> float:
    return max(0.0, (ratio - 1) / (ratio - 1 + size))


def drew(results: Results) -> bool:
    """Whether the runs of a folder drew their unknown numbers from an ensemble."""
    return bool((results.runs["member"] >= 0).any())


def spreads(results: Results, variant: str = "base") -> pd.DataFrame:
    """The split of every figure of a variant whose runs drew from an ensemble; empty if there are too few sets or runs.

    Returns:
        One row a figure, with COLUMNS.
    """
    runs = results.runs_of(variant)
    rows: list[tuple[object, ...]] = []
    for quantity, group, values in _figures(runs):
        try:
            rows.append((quantity, group, *split(values, runs["member"])))
        except ValueError:
            return pd.DataFrame(columns=list(COLUMNS))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _figures(runs: pd.DataFrame) -> Iterator[tuple[str, str, npt.NDArray[np.float64]]]:
    for side in SIDES:
        yield "battles won", side, (runs["winner"].astype(str) == side).to_numpy(dtype=np.float64)
    for name, words in (
        ("sp_lost", "strength points lost"), ("guns_lost", "guns lost"), ("units_ever_routed", "units that routed"),
        ("brigades_ineffective", "brigades ineffective"), ("vp", "victory points"),
    ):  # fmt: skip
        for side in SIDES:
            values = runs[f"{name}_{side}"].astype(float)
            if values.notna().all():
                yield words, side, values.to_numpy()
