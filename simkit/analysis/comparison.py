"""Paired comparison: what a variant changes, battle by battle with the same dice, and what the pairing saved."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from simkit.analysis.intervals import LEVEL, Estimate, mean
from simkit.analysis.outcomes import DRAW
from simkit.analysis.results import Results
from simkit.errors import InputError
from simkit.model.forces import SIDES

Values = npt.NDArray[np.float64]

SHARES = {"win_share": "battles won", "draw_share": "draws"}
MEANS = {
    "vp": "victory points",
    "vp_lead": "victory points more than the enemy",
    "sp_lost": "strength points lost",
    "guns_lost": "guns lost",
    "units_routed": "units routed",
    "units_collapsed": "units collapsed",
    "units_eliminated": "units eliminated",
    "brigades_ineffective": "brigades combat ineffective",
    "divisions_ineffective": "divisions combat ineffective",
    "leaders_lost": "leaders lost",
    "fires": "fires",
    "shocks": "shocks",
}
"""The quantities that are compared, with the words for them."""

COLUMNS = (
    "variant", "against", "quantity", "group", "title", "base", "estimate", "low", "high", "n", "ratio", "as_good_as",
)  # fmt: skip


class Paired(NamedTuple):
    """A difference between two variants that met the same dice.

    Attributes:
        difference: variant minus base with its interval.
        ratio: variance of the difference with independent dice over that with the same dice; infinite where the two
            never differ.
    """

    difference: Estimate
    ratio: float


def paired_mean(variant: npt.ArrayLike, base: npt.ArrayLike) -> Paired:
    """The difference of two means from values of the same battles, with its interval by Student's t."""
    a, b = _pair(variant, base)
    return Paired(mean(a - b), _ratio(a, b))


def paired_share(variant: npt.ArrayLike, base: npt.ArrayLike) -> Paired:
    """The difference of two shares from yes-or-no values of the same battles (1 or 0).

    The interval is the adjusted Wald interval for paired shares (Bonett and Price 2012), which stays honest when
    few battles, or none, end differently.
    """
    a, b = _pair(variant, base)
    n = a.size
    if n == 0:
        return Paired(Estimate(math.nan, math.nan, math.nan, 0), math.nan)
    only_variant, only_base = float(((a == 1) & (b == 0)).sum()), float(((a == 0) & (b == 1)).sum())
    gained, spoilt = (only_variant + 1) / (n + 2), (only_base + 1) / (n + 2)
    half = float(stats.norm.ppf((1 + LEVEL) / 2)) * math.sqrt((gained + spoilt - (gained - spoilt) ** 2) / (n + 2))
    centre = gained - spoilt
    difference = Estimate((only_variant - only_base) / n, max(centre - half, -1.0), min(centre + half, 1.0), n)
    return Paired(difference, _ratio(a, b))


def paired_bootstrap(variant: npt.ArrayLike, base: npt.ArrayLike, seed: int = 0, resamples: int = 2000) -> Estimate:
    """The difference of two means with its bootstrap interval (BCa); battles are drawn in pairs."""
    a, b = _pair(variant, base)
    difference = a - b
    if difference.size < 2 or np.ptp(difference) == 0:
        return mean(difference)
    drawn = stats.bootstrap(
        (difference,), np.mean, confidence_level=LEVEL, n_resamples=resamples, method="BCa", batch=100,
        rng=np.random.default_rng(seed),
    )  # fmt: skip
    interval = drawn.confidence_interval
    return Estimate(float(difference.mean()), float(interval.low), float(interval.high), int(difference.size))


def _pair(variant: npt.ArrayLike, base: npt.ArrayLike) -> tuple[Values, Values]:
    a, b = np.asarray(variant, dtype=np.float64), np.asarray(base, dtype=np.float64)
    if a.shape != b.shape:
        raise ValueError("paired values need the same battles in the same order")
    known = ~(np.isnan(a) | np.isnan(b))
    return a[known], b[known]


def _ratio(a: Values, b: Values) -> float:
    if a.size < 2:
        return math.nan
    independent, together = float(a.var(ddof=1) + b.var(ddof=1)), float((a - b).var(ddof=1))
    if together == 0:
        return math.inf if independent > 0 else math.nan
    return independent / together


def compare(results: Results, against: str | None = None, bootstrap: bool = False) -> pd.DataFrame:
    """Compares every variant with one of them, paired by run.

    Args:
        results: a folder with at least two variants.
        against: the variant to compare with, the first ("base") if not given.
        bootstrap: whether intervals come from the bootstrap instead of the closed forms.

    Returns:
        One row a variant, quantity and group. ``base`` is the value of the variant compared with, ``estimate``,
        ``low``, ``high`` the difference, ``n`` the pairs, ``ratio`` how many times fewer battles the pairing took, and
        ``as_good_as`` how many battles of each variant with independent dice are worth the same.

    Raises:
        InputError: there is only one variant, or none of that name.
    """
    if len(results.variants) < 2:
        raise InputError(f"{results.folder}: it has only the variant {results.variants[0]}; a comparison needs two")
    against = results.variants[0] if against is None else against
    base = _battles(results, against)
    rows = []
    for variant in results.variants:
        if variant == against:
            continue
        both = base.merge(_battles(results, variant), on="run", suffixes=("|base", "|variant"), validate="one_to_one")
        if both.empty:
            raise InputError(f"{results.folder}: variants {against} and {variant} have no battle in common yet")
        for quantity, group, a, b in _quantities(both):
            difference, ratio = paired_share(a, b) if quantity in SHARES else paired_mean(a, b)
            if bootstrap:
                difference = paired_bootstrap(a, b)
            title = SHARES.get(quantity) or MEANS[quantity]
            saved = difference.n * ratio
            rows.append((variant, against, quantity, group, title, float(b.mean()), *difference, ratio, saved))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _battles(results: Results, variant: str) -> pd.DataFrame:
    """The battles of a variant, with what the runs table leaves to be counted: the lead in points, and divisions."""
    runs = results.runs_of(variant)
    for side, enemy in (SIDES, SIDES[::-1]):
        runs[f"vp_lead_{side}"] = runs[f"vp_{side}"].astype(float) - runs[f"vp_{enemy}"].astype(float)
    if not results.has_commands:
        return runs
    table = results.commands
    table = table[(table["variant"] == variant) & (table["level"] == "division")]
    for side in SIDES:
        spent = table[table["side"] == side].groupby("run")["ineffective"].sum()
        runs[f"divisions_ineffective_{side}"] = runs["run"].map(spent)
    return runs


def _quantities(both: pd.DataFrame) -> Iterator[tuple[str, str, Values, Values]]:
    """Name, group and the values of variant and base of all that is compared."""

    def won(column: str, who: str) -> Values:
        return np.asarray(both[column].astype(str) == who, dtype=np.float64)

    for who in (*SIDES, DRAW):
        quantity = "draw_share" if who == DRAW else "win_share"
        yield quantity, who, won("winner|variant", who), won("winner|base", who)
    for name in MEANS:
        for side in SIDES:
            if f"{name}_{side}|base" not in both:
                continue
            a, b = both[f"{name}_{side}|variant"].astype(float), both[f"{name}_{side}|base"].astype(float)
            if a.notna().any() and b.notna().any():
                yield name, side, a.to_numpy(), b.to_numpy()
