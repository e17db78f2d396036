"""Every branch of a combat with its exact chance, against a hundred thousand draws of the keyed dice.

Both drivers run the same rules from the same state. What the sample shows must be among the branches, and its counts
must fit their chances by the chi-square test. The keys are fixed, so a passing test keeps passing; for other keys the
level is such that all combats together raise a false alarm once in a thousand times. The interpreted engine, ten times
slower, makes do with fewer draws.
"""

import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from simkit import engine
from simkit.model.forces import ADVANCE, ATTACK, ROUTED
from simkit.rules.dice import KeyedDice

_spec = importlib.util.spec_from_file_location("combats", Path(__file__).with_name("combats.py"))
combats = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(combats)
COMBATS = combats.COMBATS
_spec = importlib.util.spec_from_file_location("drawing", Path(__file__).with_name("drawing.py"))
drawing = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(drawing)

DRAWS = 100_000 if engine.compiled() else 2_500
FALSE_ALARM = 0.001  # for all combats of this file together


def outcome(f):
    """All of the state that a combat can leave different."""
    units = tuple(
        (unit.strength, unit.place, unit.hex.index, unit.heading, unit.disordered, unit.collapsed, unit.blown,
         unit.abandoned, unit.ammo, unit.orders, unit.losses(), unit.mounted,
         tuple(part.hex.index for part in unit.parts), unit.refused)
        for unit in f.battle.units
    )  # fmt: skip
    return units, tuple((leader.place, leader.hex.index) for leader in f.battle.leaders)


def sampled(f, act, start, key):
    """How often each outcome came in the draws of a key."""
    dice = KeyedDice(key, 1862)
    f.series.equip(dice, f.log, f.commanders)
    counts = Counter()
    for run in range(DRAWS):
        f.battle.restore(start)
        dice.begin(run)
        act()
        counts[outcome(f)] += 1
    return counts


# -- the test ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(COMBATS))
def test_sampled_combats_fit_their_exact_chances_10_17_11_45(field, name):
    """10.17, 11.45, 2.5: no outcome that no branch has, and counts that fit the chances of the branches."""
    f, act = COMBATS[name](field)
    start = f.battle.snapshot()
    chances = combats.exact(f, act, start, outcome)
    assert sum(chances.values()) == 1
    assert len(chances) > 2, "nothing was at stake"
    counts = sampled(f, act, start, 1 + sorted(COMBATS).index(name))
    assert not set(counts) - set(chances), "an outcome that no branch leads to"
    assert drawing.p_value(chances, counts, DRAWS) > FALSE_ALARM / len(COMBATS)


def test_the_check_finds_a_loaded_die_10_17(field):
    """10.17: a fire with fewer points than the branches were counted for does not pass."""
    f, act = combats.fire_without_answer(field)
    start = f.battle.snapshot()
    chances = combats.exact(f, act, start, outcome)
    f.battle.restore(start)
    f.battle.units[0].strength = f.battle.units[0].full = 3
    counts = sampled(f, act, f.battle.snapshot(), 1)
    weaker = Counter({
        state: sum(n for other, n in counts.items() if other[0][1] == state[0][1]) for state in chances
    })  # fmt: skip
    assert drawing.p_value(chances, weaker, DRAWS) < FALSE_ALARM


def test_shocks_reach_all_that_they_are_here_for_11_37_12_35(field):
    """11.37, 11.38, 12.35, 12.54: among the branches are routs, second disorders, fire before shock and neighbours."""
    f, act = combats.shock_on_a_disordered_regiment(field)
    ends = combats.exact(f, act, f.battle.snapshot(), outcome)
    assert any(units[1][1] == ROUTED for units, _ in ends)
    assert any(units[1][1] != ROUTED and units[1][10] > 0 for units, _ in ends)
    assert any(units[2][1] == ROUTED for units, _ in ends)
    f, act = combats.shock_with_check_and_fire(field)
    ends = combats.exact(f, act, f.battle.snapshot(), outcome)
    assert any(units[0][10] > 0 and units[0][9] == ATTACK for units, _ in ends)
    assert all(units[1][9] == ADVANCE for units, _ in ends)
