"""Whether the sample is large enough for its question, in sentences that a player understands."""

import math

import pandas as pd
from scipy import stats

from simkit.analysis.comparison import SHARES
from simkit.analysis.intervals import LEVEL, Estimate
from simkit.analysis.outcomes import DRAW
from simkit.analysis.results import Results
from simkit.analysis.summary import Summary
from simkit.model.forces import SIDES

FEW_BATTLES = 100
"""Below this many battles every number is only a first impression: a share of a half is uncertain by 10 points."""

FEW_EVENTS = 5
"""A share that rests on fewer events than this is called a rough guess."""


def battles_for_share(half_width: float, share: float = 0.5) -> int:
    """How many battles make the interval of a share this wide to each side (the normal approximation)."""
    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    return math.ceil(z * z * share * (1 - share) / half_width**2)


def sample_warnings(results: Results, summary: Summary) -> list[str]:
    """Sentences on what the sample of battles is too small to say; empty if it serves."""
    warnings = []
    smallest = min(len(results.runs_of(variant)) for variant in results.variants)
    if smallest < FEW_BATTLES:
        points = 100 * float(stats.norm.ppf((1 + LEVEL) / 2)) * math.sqrt(0.25 / smallest)
        warnings.append(
            f"Only {_battles(smallest)}: take every number here as a first impression. A share near one half may be "
            f"off by {points:.0f} points either way; {battles_for_share(0.05):,} battles bring that down to 5."
        )
    for variant in results.variants:
        warnings += _outcome_warnings(variant, summary, len(results.variants) > 1)
    return warnings


def _outcome_warnings(variant: str, summary: Summary, several: bool) -> list[str]:
    warnings = []
    inside = f"Variant {variant}: " if several else ""
    first, second = (summary.get(variant, "win_share", side) for side in SIDES)
    if first.n >= 2 and not told_apart(first, second):
        sentence = "The sample does not tell which side wins more often"
        gap = abs(first.estimate - second.estimate)
        more = _battles_to_tell(first, second)
        if gap > 0 and more > first.n:
            sentence += f"; if the true gap is the {100 * gap:.1f} points seen, about {more:,} battles would show it"
        warnings.append(f"{inside}{sentence}.")
    for who, quantity in ((SIDES[0], "win_share"), (SIDES[1], "win_share"), (DRAW, "draw_share")):
        value = summary.get(variant, quantity, who)
        count = round(value.estimate * value.n)
        name = "A draw" if who == DRAW else f"A {who} victory"
        if count < FEW_EVENTS and value.n:
            seen = "never came up" if count == 0 else f"came up only {count} {'time' if count == 1 else 'times'}"
            warnings.append(
                f"{inside}{name} {seen} in {_battles(value.n)}: its share is a rough guess, anything up to "
                f"{percent(value.high)} is possible."
            )
    return warnings


def told_apart(first: Estimate, second: Estimate) -> bool:
    """Whether two shares of the same battles, of which at most one can be true of each, differ beyond chance.

    The sign test on decided battles: draws say nothing about which side is stronger.
    """
    wins, losses = round(first.estimate * first.n), round(second.estimate * second.n)
    if wins + losses == 0:
        return False
    return bool(stats.binomtest(wins, wins + losses).pvalue < 1 - LEVEL)


def _battles_to_tell(first: Estimate, second: Estimate) -> int:
    """Battles after which the gap seen would lie outside its own interval, to two digits."""
    gap = abs(first.estimate - second.estimate)
    variance = first.estimate + second.estimate - gap**2
    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    return _rounded(z * z * variance / gap**2) if gap else 0


def comparison_warnings(table: pd.DataFrame) -> list[str]:
    """Sentences on differences that the sample is too small to tell from none.

    Args:
        table: what ``compare`` returns.
    """
    warnings = []
    for variant, rows in table.groupby("variant", sort=False):
        pairs = int(rows["n"].max())
        if pairs < FEW_BATTLES:
            warnings.append(f"Variant {variant} is compared over only {_battles(pairs)}: small effects stay hidden.")
        unclear = [row for row in rows[rows["quantity"].isin(SHARES)].itertuples() if row.low <= 0 <= row.high]
        for row in unclear:
            if row.group == DRAW:
                continue
            half = (row.high - row.low) / 2
            sentence = (
                f"Variant {variant}: whether it changes how often the {row.group} side wins stays open; the difference "
                f"is {100 * row.estimate:+.1f} points, anything from {100 * row.low:+.1f} to {100 * row.high:+.1f} fits"
            )
            if row.estimate and half > abs(row.estimate):
                needed = _rounded(row.n * (half / row.estimate) ** 2)
                sentence += f". To show a change of that size takes about {needed:,} battles"
            warnings.append(sentence + ".")
    return warnings


def rare(estimate: Estimate) -> bool:
    """Whether a share rests on fewer than five events, or on fewer than five exceptions."""
    if estimate.n == 0 or math.isnan(estimate.estimate):
        return False
    count = round(estimate.estimate * estimate.n)
    return 0 < count < FEW_EVENTS or 0 < estimate.n - count < FEW_EVENTS


def percent(value: float) -> str:
    """A share in percent with as many digits as it needs: 41 %, 3.2 %, 0.04 %."""
    points = 100 * value
    if points == 0 or 10 <= points < 99 or points >= 99.95:
        digits = f"{points:.0f}"
    else:
        digits = f"{points:.1f}" if points >= 1 else f"{points:.2g}"
    return f"{digits}\N{NO-BREAK SPACE}%"


def _battles(n: int) -> str:
    return "one battle" if n == 1 else f"{n:,} battles"


def _rounded(value: float) -> int:
    """Two leading digits, rounded up: a count of battles is advice, not a promise."""
    if value <= 0:
        return 0
    step: int = 10 ** max(math.floor(math.log10(value)) - 1, 0)
    return math.ceil(value / step) * step
