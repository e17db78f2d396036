"""11.36 to 11.45: the heuristic commander's estimate of a shock ranks situations as the exact odds do.

What is compared is the chance that an attacker enters the hex at any time (`hex carried`): that is what a commander
who decides on a shock wants to know. Where he stands in the end says less: who has charged must go on from there
(11.47).
"""

import tomllib
from pathlib import Path

import pytest
from scipy import stats

from simkit import engine, odds
from simkit.odds import read
from simkit.odds.layout import lay_out

SETS = tomllib.loads(Path(__file__).with_name("situations_ranked.toml").read_text(encoding="utf-8"))
LEAST = 0.95  # Spearman's rank correlation
ANEW = 60 if engine.compiled() else 5  # situations of a set whose exact chance is worked out anew
WORST = 8


def estimated(line):
    """The estimate of a line's shock, in thousandths: against the one of its hexes that promises most."""
    layout = lay_out(read("shock", line))
    (shock,) = layout.designations
    return max(layout.series.shock.estimate(list(shock.attackers), target) for target in shock.targets)


def ranked(name):
    """Of a set: rank correlation, mean difference, and the situations whose ranks differ most."""
    exact = [case["carried"] for case in SETS[name]]
    guess = [estimated(case["line"]) / 1000 for case in SETS[name]]
    ranks = stats.rankdata(exact), stats.rankdata(guess)
    order = sorted(range(len(exact)), key=lambda at: -abs(ranks[0][at] - ranks[1][at]))
    worst = [
        f"exact {exact[at]:.3f} (rank {ranks[0][at]:.0f}), estimate {guess[at]:.3f} ({ranks[1][at]:.0f}): "
        f"{SETS[name][at]['line']}"
        for at in order[:WORST]
    ]
    return stats.spearmanr(exact, guess)[0], sum(guess) / len(guess) - sum(exact) / len(exact), worst


@pytest.mark.parametrize("name", ["first", "second"])
def test_the_estimate_ranks_sixty_situations_as_the_exact_odds_do(name):
    """11.37, 11.38, 11.45: rank correlation of 0.95 and more; the second set was not looked at when it was built."""
    assert len(SETS[name]) == 60
    correlation, bias, worst = ranked(name)
    told = "\n".join(worst)
    assert correlation >= LEAST, f"Spearman {correlation:.4f}; the worst disagreements:\n{told}"
    assert abs(bias) < 0.05, f"on average the estimate is off by {bias:+.3f}; the worst disagreements:\n{told}"


@pytest.mark.parametrize("name", ["first", "second"])
def test_the_exact_chances_are_what_odds_says(name):
    """11.46: the figures that are kept are those of the rules as they are now."""
    cases = sorted(SETS[name], key=lambda case: len(case["line"]))  # the short ones are enumerated fast
    for case in cases[:ANEW]:
        answer = odds.shock(case["line"], limit=1_000_000)
        assert answer.method == "exact"
        assert float(answer.events.get("hex carried", 0)) == pytest.approx(case["carried"], abs=1e-6), case["line"]


if __name__ == "__main__":
    for name in SETS:
        correlation, bias, worst = ranked(name)
        print(f"{name}: Spearman {correlation:.4f}, estimate higher by {bias:+.4f} on average", *worst, sep="\n  ")
