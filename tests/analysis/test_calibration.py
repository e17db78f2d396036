"""The fit of unknown numbers: misfits by hand, the ensemble's bound, and a made-up truth that is found again."""

import numpy as np
import pandas as pd
import pytest

from simkit.analysis.calibration import Points, Space, ensemble, fit, misfit
from simkit.analysis.history import COLUMNS, Comparison
from simkit.calibrating import verdict
from simkit.scenario.unknowns import Unknown


def _unknown(name: str, low: float, high: float) -> Unknown:
    return Unknown(
        name=name, moves=f"shock.adjustments.{name}", low=low, high=high, meaning="made up", source="reconstructed"
    )


SPACE = Space([_unknown("first", -1.0, 3.0), _unknown("second", -2.0, 2.0)])


def _compared(*rows: tuple[str, float, float, float]) -> Comparison:
    table = pd.DataFrame(
        [
            {**dict.fromkeys(COLUMNS, 0), "figure": figure, "historical": wanted, "mean": mean, "error": error}
            for figure, wanted, mean, error in rows
        ]
    )
    return Comparison(table, 10, "")


def test_misfit_by_hand() -> None:
    """Units miss by 1 and 3 of 2: a mean square of 1.25; a loss by 10 of 5: 4. Each kind counts as one."""
    compared = _compared(("strength", 5, 6, 0.0), ("strength", 5, 2, 0.0), ("lost", 20, 30, 2.5), ("guns", 0, 9, 1.0))
    missed, error = misfit(compared, {"strength": 2.0, "lost": 5.0})
    assert missed == pytest.approx((1.25 + 4) / 2)
    assert error == pytest.approx(2 * 2 * 0.5 / 2)
    with pytest.raises(ValueError, match="no figure"):
        misfit(compared, {"banners": 1.0})


def test_the_ensemble_is_what_fits_about_equally_well() -> None:
    misfits, errors = np.array([3.0, 1.0, 1.2, 1.1, 9.0]), np.full(5, 0.1)
    assert ensemble(misfits, errors, keep=2) == [1, 3, 2]
    assert ensemble(misfits, errors, keep=4) == [1, 3, 2, 0]


def test_the_middle_of_the_space_is_the_books_own_values() -> None:
    assert SPACE.numbers(SPACE.middle()) == {"first": 0.0, "second": 0.0}
    design = SPACE.design(8, seed=1)
    assert design.shape == (9, 2)
    assert (design >= 0).all() and (design <= 1).all()
    assert (SPACE.design(8, seed=1) == design).all()


def test_a_made_up_truth_is_found_again() -> None:
    """A bowl with its lowest point at first = 1, second = -1, seen through noise: rounds come near it."""
    rng = np.random.default_rng(3)
    rounds: list[int] = []

    def evaluate(points: Points, number: int) -> tuple[list[float], list[float]]:
        rounds.append(number)
        values = []
        for point in points:
            numbers = SPACE.numbers(point)
            values.append((numbers["first"] - 1) ** 2 + (numbers["second"] + 1) ** 2 + rng.normal(0, 0.05))
        return values, [0.05] * len(points)

    found = fit(SPACE, evaluate, design=32, rounds=2, points=8, keep=5, seed=1862)
    assert rounds == [0, 1, 2]
    assert len(found.points) == 33 + 16 and list(found.table["round"].value_counts().sort_index()) == [33, 8, 8]
    best = SPACE.numbers(found.points[found.members[0]])
    assert abs(best["first"] - 1) < 0.5 and abs(best["second"] + 1) < 0.5
    means = found.table.groupby("round")["misfit"].mean()
    assert means[2] < means[0]


def test_the_verdict_says_so_where_no_strengths_are_known() -> None:
    without = _compared(("guns lost", 4, 5, 0.1), ("units routed", 1, 9, 0.1))
    without.table["inside"] = [True, False]
    assert verdict(without) == "no later set-up prints its units' strengths; 1 of 2 figures lie in their 90 % bands"
    units = _compared(("strength at the end", 4, 5, 0.1), ("strength at the end", 1, 9, 0.1))
    units.table["inside"], units.table["low"], units.table["high"] = [True, False], [3, 5], [6, 10]
    assert verdict(units).startswith("50% of 2 units' strengths lie in the 90 % band, whose median width is 4; 1 of 2")
