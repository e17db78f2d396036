"""How many activations a division gets (5.2, 5.4): all draws of a pool enumerated by the rule, against drawn turns."""

from collections import Counter
from itertools import permutations

import pytest
from scipy.stats import chi2

from simkit.rules.dice import KeyedDice
from simkit.rules.scenario_rules import EVERY_TURN, EfficiencyPool, FixedEfficiency

UNION, CONFEDERATE = 0, 1
TURNS = 10000

# corps by corps: in the army's range or not, the corps commander's rating, then of each of its divisions
# (in range of the corps commander, activation rating)
CHAINS = {
    "two corps, all in range": (0, [(True, 0, [(True, 0), (True, 1)]), (True, 1, [(True, 0), (True, -1)])]),
    "three corps, some out of range": (
        0, [(True, 2, [(True, 0), (False, 0)]), (False, -1, [(True, 1), (False, 1)]), (True, 0, [(False, -1)])],
    ),
    "an army commander who raises one corps": (1, [(False, 0, [(True, 0)]), (True, 1, [(True, 0), (False, 2)])]),
    "efficiency is transferred": (0, [(True, 0, [(True, 0), (True, 1), (True, 0)]), (True, 0, [(True, -1)])]),
}
POOLS = {
    "two corps, all in range": [1, 2, 2, 3, 4],
    "three corps, some out of range": [1, 1, 2, 3, 3, 4],
    "an army commander who raises one corps": [1, 1, 2, 3, 4],
    "efficiency is transferred": [1, 2, 3],
}
TRANSFERS = ("efficiency is transferred",)


def by_the_rule(army, corps, efficiencies, transferring):
    """5.22-5.25, 5.43: markers of all divisions, worked out from the text; bonuses go to the first in range."""
    numbers = list(efficiencies)
    for _ in range(army):
        for at, (in_range, _rating, _divisions) in enumerate(corps):
            if in_range:
                numbers[at] = min(4, numbers[at] + 1)
                break
    found = []
    for number, (_, rating, divisions) in zip(numbers, corps, strict=True):
        near = [at for at, (in_range, _) in enumerate(divisions) if in_range]
        for at, (in_range, activation) in enumerate(divisions):
            markers = number + activation
            if in_range:
                if rating < 0 or at == near[0]:
                    markers += rating
            else:
                markers -= 1
            found.append(max(1, min(markers, 4 if in_range else 3)))
    if transferring:
        found = transferred(found)
    return tuple(found)


def transferred(found):
    """5.43: to the first division below four, two of the first other that keeps one, or one of each of two others."""
    found = list(found)
    for to, markers in enumerate(found):
        if markers >= 4:
            continue
        givers = [at for at, has in enumerate(found) if at != to and has > 1]
        for place, giver in enumerate(givers):
            if found[giver] >= 3:
                found[to] += 1
                found[giver] -= 2
                return found
            if givers[place + 1:]:
                found[to] += 1
                found[giver] -= 1
                found[givers[place + 1]] -= 1
                return found
    return found


def exact(name):
    """The chance of each vector of markers: every order of drawing as many markers as there are corps is as likely."""
    army, corps = CHAINS[name]
    draws = Counter(
        by_the_rule(army, corps, drawn, name in TRANSFERS) for drawn in permutations(POOLS[name], len(corps))
    )
    total = sum(draws.values())
    return {markers: count / total for markers, count in draws.items()}


def made(field, name):
    """The chain of command on a map: the leaders in range stand near those above, the others far away."""
    army, corps = CHAINS[name]
    f = field(60, 60)
    f.leader("Army", "A0101", f.battle.armies[UNION], command_range=20, initiative=army)
    f.divisions = []
    for number, (in_range, rating, divisions) in enumerate(corps):
        head = f.battle.corps[UNION] if number == 0 else f._command(
            f"C{number}", UNION, 3, f.battle.armies[UNION], f.battle.corps
        )
        column = 1 + 3 * number if in_range else 58
        row = 3 if in_range else 10 + 10 * number
        f.leader(f"Corps {number}", f"A{column:02d}{row:02d}", head, command_range=6, efficiency=rating)
        for at, (near, activation) in enumerate(divisions):
            if number == 0 and at == 0:
                division, brigade = f.battle.divisions[UNION], f.battle.brigades[UNION]
            else:
                division = f._command(f"{at + 1}/C{number}", UNION, 2, head, f.battle.divisions)
                brigade = f.brigade(f"1/{at + 1}/C{number}", division=division)
            there = (column, row + 1 + at) if near else (30, 50 + at + 3 * number)
            place = f"A{there[0]:02d}{there[1]:02d}"
            f.leader(f"Division {number} {at}", place, division, activation=activation)
            f.unit(f"{number} {at} IL", place, brigade=brigade)
            f.divisions.append(division)
    f.unit("1 TN", "A6001", "W", side=CONFEDERATE)
    f.play()
    f.series.scenario.pools.append(EfficiencyPool(UNION, POOLS[name], 0, EVERY_TURN))
    f.series.scenario.fixed.append(FixedEfficiency(f.battle.divisions[CONFEDERATE], 2, 0, EVERY_TURN))
    f.series.activation.begin_turn()
    f.series.command.determine()
    return f


@pytest.mark.parametrize("name", CHAINS)
def test_5_2_5_4_activations_of_all_divisions_have_the_enumerated_chances(field, name):
    """5.21, 5.22, 5.23, 5.24, 5.25, 5.43: chi-square of 10,000 turns; the four alarm falsely once in 250,000 keys."""
    chances = exact(name)
    f = made(field, name)
    dice = KeyedDice(2026, 52)
    f.series.dice = dice
    commander = f.series.commander(UNION)
    seen = Counter()
    for run in range(TURNS):
        dice.begin(run)
        commander.answers["corps_bonus"] = [0, 0]
        commander.answers["transfer"] = [0]
        if name not in TRANSFERS:
            commander.answers["transfer"] = [-1]
        f.series.activation.efficiency_of(UNION)
        f.series.activation.transfer(UNION)
        seen[tuple(int(division.markers) for division in f.divisions)] += 1
    assert set(seen) <= set(chances), set(seen) - set(chances)
    terms = [(seen[markers] - TURNS * chance) ** 2 / (TURNS * chance) for markers, chance in chances.items()]
    freedom = len(chances) - 1
    assert freedom >= 3
    assert chi2.sf(sum(terms), freedom) > 1e-6
