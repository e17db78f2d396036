"""Estimates with their 95 % intervals: a share, a mean, a quantile, a ratio of counts that come in clusters."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

LEVEL = 0.95
"""How often an interval made here holds the true value."""

QUANTILES = (5, 25, 50, 75, 95)
"""The quantiles of a distribution that are shown, in percent."""


class Estimate(NamedTuple):
    """A number drawn from a sample, the ends of its 95 % interval, and the size of the sample.

    The ends are nan where the sample is too small to give any.
    """

    estimate: float
    low: float
    high: float
    n: int


def share(count: int, n: int) -> Estimate:
    """The share ``count / n`` with its Wilson interval (Wilson 1927)."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    interval = stats.binomtest(int(count), int(n)).proportion_ci(LEVEL, method="wilson")
    return Estimate(count / n, float(interval.low), float(interval.high), int(n))


def mean(values: npt.ArrayLike) -> Estimate:
    """The mean of one value a battle with its interval by Student's t; the battles are independent of each other."""
    data = np.asarray(values, dtype=np.float64)
    data = data[~np.isnan(data)]
    if data.size == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    return mean_of_moments(float(data.mean()), float(data.std(ddof=1)) if data.size > 1 else math.nan, data.size)


def mean_of_moments(centre: float, deviation: float, n: int) -> Estimate:
    """The mean with its interval, from mean, standard deviation and number of values.

    Values that never varied give no interval: how much they can vary was not seen.
    """
    if n < 2 or math.isnan(deviation) or deviation == 0:
        return Estimate(centre, math.nan, math.nan, n)
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1)) * deviation / math.sqrt(n)
    return Estimate(centre, centre - half, centre + half, n)


def quantile(values: npt.ArrayLike, percent: int) -> Estimate:
    """The smallest value that ``percent`` of the battles do not exceed, with its distribution-free interval."""
    data = np.asarray(values, dtype=np.float64)
    data = data[~np.isnan(data)]
    if data.size == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    point = float(np.quantile(data, percent / 100, method="inverted_cdf"))
    interval = stats.quantile_test(data, q=point, p=percent / 100).confidence_interval(LEVEL)
    return Estimate(point, float(interval.low), float(interval.high), data.size)


class Moments:
    """Sums over battles of a count y (hits, losses) that belongs to m combats of the battle.

    The combats of one battle hang together, so a battle is the unit of sampling, not a combat.
    """

    def __init__(self) -> None:
        self.battles = 0
        self.y = self.m = self.yy = self.ym = self.mm = 0.0

    def add(self, y: npt.ArrayLike, m: npt.ArrayLike) -> None:
        """Adds one value of each a battle; battles without any may be left out."""
        ys, ms = np.asarray(y, dtype=np.float64), np.asarray(m, dtype=np.float64)
        self.battles += ys.size
        self.y += float(ys.sum())
        self.m += float(ms.sum())
        self.yy += float(ys @ ys)
        self.ym += float(ys @ ms)
        self.mm += float(ms @ ms)

    def mean(self, battles: int) -> Estimate:
        """The mean of y over this many battles, those left out included."""
        if battles < 2:
            return mean_of_moments(self.y / battles if battles else math.nan, math.nan, battles)
        variance = max(self.yy - self.y * self.y / battles, 0.0) / (battles - 1)
        return mean_of_moments(self.y / battles, math.sqrt(variance), battles)

    def ratio(self) -> Estimate:
        """y a combat: the ratio of two means over battles with its interval (Cochran 1977, 2.11)."""
        if self.m == 0:
            return Estimate(math.nan, math.nan, math.nan, 0)
        ratio = self.y / self.m
        if self.battles < 2:
            return Estimate(ratio, math.nan, math.nan, int(self.m))
        squares = max(self.yy - 2 * ratio * self.ym + ratio * ratio * self.mm, 0.0)
        t = float(stats.t.ppf((1 + LEVEL) / 2, self.battles - 1))
        half = t * math.sqrt(squares * self.battles / (self.battles - 1)) / self.m
        return Estimate(ratio, ratio - half, ratio + half, int(self.m))

    def share(self) -> Estimate:
        """The share of all combats that y counts, with its interval kept between 0 and 1.

        Where none or all are counted no spread is seen, and the Wilson interval says what cannot be ruled out.
        """
        if self.m == 0 or self.y in (0.0, self.m):
            return share(int(self.y), int(self.m))
        ratio = self.ratio()
        return ratio._replace(low=max(ratio.low, 0.0), high=min(ratio.high, 1.0))
