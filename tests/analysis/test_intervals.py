"""Intervals against published values, hand calculation, and how often they hold the truth."""

import math

import numpy as np
import pytest
from scipy import stats

from simkit.analysis.intervals import Moments, mean, quantile, share

RARELY = 0.001
"""Chance that a coverage test fails although the interval is right."""


def covers_as_promised(hits: int, tries: int, least: float = 0.95) -> bool:
    return hits >= stats.binom.ppf(RARELY, tries, least)


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published_by_newcombe_1998(count: int, n: int, low: float, high: float) -> None:
    value = share(count, n)
    assert value.estimate == pytest.approx(count / n)
    assert (round(value.low, 4), round(value.high, 4), value.n) == (low, high, n)


def test_wilson_holds_the_truth_by_exact_sum() -> None:
    n = 100
    intervals = [share(k, n) for k in range(n + 1)]
    coverage = []
    for p in np.linspace(0.05, 0.95, 91):
        inside = [interval.low <= p <= interval.high for interval in intervals]
        coverage.append(float(stats.binom.pmf(np.arange(n + 1), n, p) @ np.array(inside)))
    assert 0.945 < np.mean(coverage) < 0.96
    assert min(coverage) > 0.91


def test_share_of_nothing() -> None:
    value = share(0, 0)
    assert value.n == 0
    assert math.isnan(value.estimate)


def test_mean_by_hand() -> None:
    value = mean([1, 2, 3, 4])
    half = 3.182446 * math.sqrt(5 / 3) / 2
    assert value.estimate == 2.5
    assert value.low == pytest.approx(2.5 - half, abs=1e-5)
    assert value.high == pytest.approx(2.5 + half, abs=1e-5)
    assert value.n == 4


@pytest.mark.parametrize("values", [[7], [3, 3, 3], []])
def test_no_interval_where_no_spread_was_seen(values: list[float]) -> None:
    value = mean(values)
    assert math.isnan(value.low)
    assert math.isnan(value.high)
    assert value.n == len(values)


def test_missing_values_are_not_counted() -> None:
    assert mean([1.0, math.nan, 3.0]).estimate == 2
    assert mean([1.0, math.nan, 3.0]).n == 2


def test_mean_holds_the_truth() -> None:
    rng = np.random.default_rng(1)
    tries = 1500
    hits = sum(v.low <= 1.5 <= v.high for v in (mean(rng.binomial(10, 0.15, 150)) for _ in range(tries)))
    assert covers_as_promised(hits, tries, 0.94)


def test_quantile_is_a_value_that_occurred() -> None:
    value = quantile([0, 0, 1, 5, 9], 50)
    assert value.estimate == 1
    assert quantile([0, 0, 1, 5, 9], 95).estimate == 9
    assert quantile([0, 0, 1, 5, 9], 5).estimate == 0


def test_quantile_holds_the_truth() -> None:
    rng = np.random.default_rng(2)
    tries, truth = 400, float(stats.binom.ppf(0.25, 40, 0.3))
    values = (quantile(rng.binomial(40, 0.3, 200), 25) for _ in range(tries))
    assert covers_as_promised(sum(v.low <= truth <= v.high for v in values), tries)


def test_ratio_by_hand() -> None:
    moments = Moments()
    moments.add([1, 0, 3], [2, 4, 6])
    ratio = moments.ratio()
    squares = (1 - 2 / 3) ** 2 + (0 - 4 / 3) ** 2 + (3 - 2) ** 2
    half = 4.302653 * math.sqrt(squares * 3 / 2) / 12
    assert ratio.estimate == pytest.approx(1 / 3)
    assert ratio.high - ratio.estimate == pytest.approx(half, rel=1e-6)
    assert ratio.n == 12


def test_moments_count_battles_that_were_left_out() -> None:
    moments = Moments()
    moments.add([2, 4], [1, 1])
    assert moments.mean(4).estimate == 1.5
    assert moments.mean(4).high == pytest.approx(mean([2, 4, 0, 0]).high)


def test_clustered_share_holds_the_truth_where_wilson_would_not() -> None:
    rng = np.random.default_rng(3)
    tries, clustered, naive = 1000, 0, 0
    for _ in range(tries):
        luck = rng.beta(1, 3, 120)  # a battle's own chance: its fires hang together
        trials = rng.poisson(15, 120)
        hits = rng.binomial(trials, luck)
        moments = Moments()
        moments.add(hits, trials)
        value, wilson = moments.share(), share(int(hits.sum()), int(trials.sum()))
        clustered += value.low <= 0.25 <= value.high
        naive += wilson.low <= 0.25 <= wilson.high
    assert covers_as_promised(clustered, tries, 0.94)
    assert naive < 0.8 * tries


def test_clustered_share_stays_between_0_and_1() -> None:
    moments = Moments()
    moments.add([1, 0, 0, 0], [2, 2, 2, 2])
    assert moments.share().low == 0
    none = Moments()
    none.add([0, 0], [3, 4])
    assert none.share().high == pytest.approx(share(0, 7).high)
