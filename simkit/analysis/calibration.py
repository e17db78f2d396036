"""Fitting a book's unknown numbers to history: a quasi-random design, a smooth surrogate, an ensemble of what fits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import interpolate, optimize, stats

from simkit.analysis.history import Comparison
from simkit.scenario.unknowns import Unknown

Point = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]

Evaluate = Callable[[Points, int], tuple[Sequence[float], Sequence[float]]]
"""Plays points of a round, by its number; gives the misfit of each and its error."""

NEAR = 0.15
"""Half the width, as a share of a number's range, of the box around a good point in which a round looks further."""

LEADERS = 4
"""Best points of the surrogate around which a round looks further."""

SMOOTHING = 0.1
"""Smoothing of the surrogate: its targets are means of few battles, and it must not run through their noise."""


@dataclass(frozen=True)
class Space:
    """The unknown numbers that are fitted, with their ranges; points are given by shares of these, 0 to 1."""

    unknowns: Sequence[Unknown]

    def numbers(self, point: Point) -> dict[str, float]:
        """The shifts that a point stands for, rounded to what a file shows."""
        return {
            unknown.name: round(float(unknown.low + share * (unknown.high - unknown.low)), 4)
            for unknown, share in zip(self.unknowns, point, strict=True)
        }

    def middle(self) -> Point:
        """The point of the values in the book's files: all shifts 0."""
        return np.array([-unknown.low / (unknown.high - unknown.low) for unknown in self.unknowns])

    def design(self, points: int, seed: int) -> Points:
        """The book's own values, and so many points of a scrambled Sobol sequence (Owen 1998)."""
        sobol = stats.qmc.Sobol(len(self.unknowns), scramble=True, rng=np.random.default_rng(seed))
        return np.vstack([self.middle(), sobol.random(points)])


@dataclass
class Fit:
    """Points that were tried, how badly the battles of each miss history, and the ensemble of those that fit best.

    Attributes:
        points: shape (tried, numbers), shares of their ranges; the first is the book's own values.
        misfits: of each point, the mean square of its misses in tolerances; 1: as far off as tolerated.
        errors: the standard error of each misfit, from its battles.
        table: one row a point: its round, its numbers, its misfit and error.
        members: rows of the ensemble, best first.
    """

    points: Points
    misfits: npt.NDArray[np.float64]
    errors: npt.NDArray[np.float64]
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    members: list[int] = field(default_factory=list)


def misfit(compared: Comparison, tolerance: Mapping[str, float]) -> tuple[float, float]:
    """How badly the battles of a comparison miss history: the mean square of the misses in tolerances, and its error.

    A miss is the mean of the battles less the historical figure. Figures of one kind count together as one, so that two
    hundred units do not outvote a division. The error is that of the means of the battles, by linear propagation.

    Args:
        compared: battles beside history.
        tolerance: by figure the miss that counts as one; a figure that it does not name is left out.

    Raises:
        ValueError: history has no figure that has a tolerance.
    """
    squares, variances = [], []
    for figure, rows in compared.table.groupby("figure", sort=False):
        if figure not in tolerance:
            continue
        misses = (rows["mean"] - rows["historical"]).to_numpy(dtype=np.float64) / tolerance[str(figure)]
        spread = rows["error"].to_numpy(dtype=np.float64) / tolerance[str(figure)]
        squares.append(float((misses**2).mean()))
        variances.append(float(((2 * misses * spread) ** 2).sum()) / misses.size**2)
    if not squares:
        raise ValueError("history has no figure that the calibration gives a tolerance")
    return float(np.mean(squares)), float(np.sqrt(np.sum(variances))) / len(squares)


def fit(
    space: Space, evaluate: Evaluate, *, design: int, rounds: int, points: int, keep: int, seed: int
) -> Fit:
    """Look for sets of numbers that fit: a design over the whole space, then rounds near the best of a surrogate.

    Args:
        space: the numbers.
        evaluate: plays points (of a round) and gives the misfit of each and its error.
        design: points of the design.
        rounds: how often one looks further.
        points: points that each round adds.
        keep: least sets of the ensemble.
        seed: seed of all that is drawn.
    """
    tried = space.design(design, seed)
    misfits, errors = (np.asarray(values, dtype=np.float64) for values in evaluate(tried, 0))
    came = np.zeros(len(tried), dtype=np.int64)
    for number in range(1, rounds + 1):
        fresh = _further(tried, misfits, points, seed + number)
        more, spread = evaluate(fresh, number)
        tried = np.vstack([tried, fresh])
        misfits, errors = np.append(misfits, more), np.append(errors, spread)
        came = np.append(came, np.full(len(fresh), number))
    numbers = pd.DataFrame([space.numbers(point) for point in tried])
    table = pd.concat([pd.DataFrame({"round": came}), numbers], axis=1).assign(misfit=misfits, error=errors)
    return Fit(tried, misfits, errors, table, ensemble(misfits, errors, keep))


def ensemble(misfits: npt.NDArray[np.float64], errors: npt.NDArray[np.float64], keep: int) -> list[int]:
    """The points that fit about as well as the best: within two standard errors of it; the `keep` best at least."""
    order = np.argsort(misfits, kind="stable")
    best = order[0]
    bound = misfits[best] + 2 * np.hypot(errors, errors[best])
    alike = [int(at) for at in order if misfits[at] <= bound[at]]
    return alike if len(alike) >= keep else [int(at) for at in order[:keep]]


def _further(tried: Points, misfits: npt.NDArray[np.float64], points: int, seed: int) -> Points:
    """New points: minima of the surrogate reached from the best points tried, and a Sobol cloud around each."""
    surrogate = interpolate.RBFInterpolator(tried, misfits, smoothing=SMOOTHING, kernel="thin_plate_spline", degree=1)
    order = np.argsort(misfits, kind="stable")
    bounds = [(0.0, 1.0)] * tried.shape[1]
    minima = [
        optimize.minimize(lambda at: float(surrogate(at[None, :])[0]), tried[start], bounds=bounds, method="L-BFGS-B").x
        for start in order[:LEADERS]
    ]
    sobol = stats.qmc.Sobol(tried.shape[1], scramble=True, rng=np.random.default_rng(seed))
    cloud = sobol.random_base2(max(1, int(np.ceil(np.log2(points + 1)))))[:points]
    centres = np.array([minima[number % len(minima)] for number in range(points)])
    return np.asarray(np.clip(centres + NEAR * (2 * cloud - 1), 0.0, 1.0), dtype=np.float64)
