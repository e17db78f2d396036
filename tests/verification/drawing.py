"""The endings of a situation by the enumerating tape and by draws of keyed dice, and how well the two fit."""

from collections import Counter, defaultdict
from fractions import Fraction

from scipy import stats

from simkit.exact.enumeration import Enumeration
from simkit.exact.position import Ending
from simkit.model.log import BattleLog
from simkit.odds import read
from simkit.odds.layout import lay_out
from simkit.odds.situation import SHOCK
from simkit.rules.dice import KeyedDice

LEAST_EXPECTED = 5.0  # outcomes rarer than this in the sample are counted together
MOST_BRANCHES = 1_000_000
NOTHING_OF_THE_WAY = 2  # numbers at the head of an ending's key that tell what happened on the way to its state


class Combat:
    """The combat of a situation's line, to be played again and again from its start."""

    def __init__(self, line):
        kind, _, text = line.partition(" ")
        self.situation = read(kind, text)
        self.layout = lay_out(self.situation)
        self.battle, self.series = self.layout.battle, self.layout.series
        self.active = list(self.battle.active)
        self.start = self.battle.snapshot()

    def act(self):
        """Let the combat happen."""
        layout = self.layout
        if self.situation.kind == SHOCK:
            self.series.shock.conduct(list(layout.designations), self.active)
        else:
            self.series.fire.phasing(layout.attackers[0], list(layout.targets), self.situation.says("rapid"))

    def exact(self):
        """The chance of every state of all units and leaders that it can end in."""
        layout = self.layout
        enumeration = Enumeration(self.battle, self.series, list(layout.commanders), MOST_BRANCHES)
        if self.situation.kind == SHOCK:
            found = enumeration.shock(list(layout.designations), self.active)
        else:
            found = enumeration.fire(layout.attackers[0], list(layout.targets), self.situation.says("rapid"))
        assert found.exact(), "too many branches: the situation is too large to be drawn against"
        chances = defaultdict(Fraction)
        for leaf in found.leaves:
            chances[leaf.ending.key()[NOTHING_OF_THE_WAY:]] += leaf.mass
        return dict(chances)

    def sampled(self, draws, key):
        """How often it came to each state in so many draws of a key."""
        dice = KeyedDice(key, 1862)
        self.series.equip(dice, BattleLog(0), list(self.layout.commanders))
        counts = Counter()
        for run in range(draws):
            self.battle.restore(self.start)
            dice.begin(run)
            self.act()
            counts[Ending(self.battle, 0, 0).key()] += 1
        self.battle.restore(self.start)
        return Counter({key[NOTHING_OF_THE_WAY:]: count for key, count in counts.items()})


def p_value(chances, counts, draws):
    """Chi-square of counts against exact chances, rare outcomes together."""
    observed, expected = [], []
    rest_observed, rest_expected = 0, 0.0
    for state, chance in chances.items():
        share = float(chance) * draws
        if share < LEAST_EXPECTED:
            rest_observed += counts[state]
            rest_expected += share
        else:
            observed.append(counts[state])
            expected.append(share)
    if rest_expected >= LEAST_EXPECTED or not expected:
        observed.append(rest_observed)
        expected.append(rest_expected)
    else:  # too little for a cell of its own
        at = expected.index(min(expected))
        observed[at] += rest_observed
        expected[at] += rest_expected
    return stats.chisquare(observed, expected).pvalue if len(observed) > 1 else 1.0
