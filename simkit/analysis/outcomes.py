"""Who won, by what level and with how many victory points, and how the shares settle as battles are added."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats

from simkit.analysis.intervals import LEVEL, QUANTILES, Estimate, mean, quantile, share
from simkit.analysis.results import Results
from simkit.model.forces import SIDES

DRAW = "draw"

Row = tuple[str, str, Estimate]
"""A quantity's name, the group it is about, and its estimate."""


def spread(quantity: str, group: str, values: object) -> Iterator[Row]:
    """The mean and the quantiles of one value a battle."""
    data = np.asarray(values, dtype=np.float64)
    yield f"{quantity}_mean", group, mean(data)
    for percent in QUANTILES:
        yield f"{quantity}_q{percent:02d}", group, quantile(data, percent)


def outcome_rows(results: Results, variant: str) -> Iterator[Row]:
    """Shares of wins, draws and levels, and victory points."""
    runs = results.runs_of(variant)
    n = len(runs)
    winner = runs["winner"].astype(str)
    for side in SIDES:
        yield "win_share", side, share(int((winner == side).sum()), n)
    yield "draw_share", DRAW, share(int((winner == DRAW).sum()), n)
    levels = pd.crosstab(winner, runs["level"].astype(str))
    for side in (*SIDES, DRAW):
        if side not in levels.index:
            continue
        for level, count in levels.loc[side].items():
            if count:
                yield "outcome_share", f"{side}: {level}", share(int(count), n)
    for side in SIDES:
        if runs[f"vp_{side}"].notna().any():
            yield from spread("vp_side", side, runs[f"vp_{side}"].astype(float))


def settling(results: Results, variant: str, side: str, points: int = 200) -> pd.DataFrame:
    """A side's win share after the first n battles, for about ``points`` values of n, with its Wilson interval.

    Returns:
        Columns n, estimate, low, high; the last row is the share of all battles.
    """
    wins = (results.runs_of(variant)["winner"].astype(str) == side).to_numpy().cumsum()
    total = wins.size
    sizes = np.unique(np.geomspace(min(10, total), total, points).round().astype(int))
    rows = []
    for n in sizes:
        interval = stats.binomtest(int(wins[n - 1]), int(n)).proportion_ci(LEVEL, method="wilson")
        rows.append((int(n), wins[n - 1] / n, float(interval.low), float(interval.high)))
    return pd.DataFrame(rows, columns=["n", "estimate", "low", "high"])
