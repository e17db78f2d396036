"""Numbers and findings in words: shares, ranges, and the sentence at the head of a report."""

import math

from simkit.analysis.adequacy import percent, told_apart
from simkit.analysis.intervals import Estimate
from simkit.analysis.outcomes import DRAW
from simkit.analysis.results import Results
from simkit.analysis.summary import Summary
from simkit.model.forces import SIDES

SIDE_WORDS = {"Union": "the Union", "Confederate": "the Confederates"}


def number(value: float, digits: int | None = None) -> str:
    """A number with as many decimals as it needs; a dash for one that is not known."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    if digits is None:
        digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.lstrip("-")


def signed(value: float, digits: int | None = None) -> str:
    """A difference with its sign."""
    text = number(value, digits)
    return text if math.isnan(value) or text.startswith("−") or not text.strip("0.,") else f"+{text}"


def points(value: float, decimals: int = 1) -> str:
    """A difference of shares in percentage points, with its sign."""
    return signed(100 * value, decimals)


def share(value: Estimate) -> str:
    """A share with its interval: 41 % (38 to 44)."""
    if math.isnan(value.estimate):
        return "–"
    if math.isnan(value.low):
        return percent(value.estimate)
    return f"{percent(value.estimate)} ({_bare(value.low)} to {_bare(value.high)})"


def decimals(low: float, high: float) -> int:
    """How many decimals show the first figure in which an interval is uncertain, four at most."""
    half = (high - low) / 2
    return min(max(-math.floor(math.log10(half)), 0), 4) if half > 0 else 2


def amount(value: Estimate) -> str:
    """A mean with its interval: 13.9 (13.7 to 14.1)."""
    if math.isnan(value.low):
        return number(value.estimate)
    digits = decimals(value.low, value.high)
    return f"{number(value.estimate, digits)} ({number(value.low, digits)} to {number(value.high, digits)})"


def difference(value: Estimate) -> str:
    """A difference of means with its interval: +1.7 (+1.6 to +1.8)."""
    if math.isnan(value.low):
        return signed(value.estimate)
    digits = decimals(value.low, value.high)
    return f"{signed(value.estimate, digits)} ({signed(value.low, digits)} to {signed(value.high, digits)})"


def _bare(value: float) -> str:
    return percent(value).removesuffix("\N{NO-BREAK SPACE}%")


def headline(results: Results, summary: Summary) -> list[str]:
    """What happened, in a few sentences, from the base variant."""
    variant = results.variants[0]
    wins = {side: summary.get(variant, "win_share", side) for side in SIDES}
    draws = summary.get(variant, "draw_share", DRAW)
    n = draws.n
    first, second = sorted(SIDES, key=lambda side: -wins[side].estimate)
    battles = "the only battle" if n == 1 else f"{n:,} battles"
    opening = SIDE_WORDS[first][0].upper() + SIDE_WORDS[first][1:]
    who = f"{opening} won {share(wins[first])} of {battles}, {SIDE_WORDS[second]} {share(wins[second])}"
    sentences = [f"{who}; {share(draws)} ended in a draw."]
    if n > 1:
        if told_apart(wins[first], wins[second]):
            sentences.append(f"That {SIDE_WORDS[first]} win more often is beyond the luck of the dice.")
        else:
            sentences.append("Which side wins more often cannot be told from this sample.")
    losses = [(side, summary.get(variant, "sp_lost_side_mean", side)) for side in SIDES]
    parts = [f"{SIDE_WORDS[side]} {amount(value)}" for side, value in losses]
    sentences.append(f"Strength points lost in an average battle: {parts[0]}, {parts[1]}.")
    return sentences
