"""Every branch of a combat with its exact chance, against thousands of draws of the keyed dice.

Both drivers run the same rules from the same state. What the sample shows must be among the branches, and its counts
must fit their chances by the chi-square test. The keys are fixed, so a passing test keeps passing; for other keys the
level is such that all combats together raise a false alarm once in a thousand times.
"""

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from scipy import stats

from simkit.model.charts import AGGRESSIVE
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, MARCH, ROUTED
from simkit.rules.commander import Commander, Designation
from simkit.rules.dice import EnumeratingTape, KeyedDice

DRAWS = 2500
FALSE_ALARM = 0.001  # for all combats of this file together
LEAST_EXPECTED = 5.0  # outcomes rarer than this in the sample are counted together
MOST_BRANCHES = 20000

COMBATS = {}


def combat(build):
    """Register a combat: a function that takes Field and hands back the field and what is to happen."""
    COMBATS[build.__name__] = build
    return build


class Decided(Commander):
    """Answers always alike: each keyword names a question and its answer, the rest is the abstract Commander's."""

    def __init__(self, side, **answers):
        super().__init__()
        self.side = side
        for question, answer in answers.items():
            setattr(self, "_" + question, answer)

    def retreat_before_shock(self, series, units, attackers):
        return getattr(self, "_gives_way", False)

    def continue_shock(self, series, units, number):
        return number < getattr(self, "_continues", 0)

    def rapid_fire(self, series, unit, target):
        return getattr(self, "_rapid", False)

    def pre_shock_fire(self, series, unit, targets):
        return getattr(self, "_pre_shock", 0)

    def return_fire(self, series, unit, target, most):
        return most if getattr(self, "_returns", True) else 0


def ready(f, *active, first=None, second=None, options=None):
    """Fix everything, begin the activation, and let nobody but the two commanders decide."""
    f.play(options=options)
    f.begin(*active)
    f.log.level = 0
    f.commanders = [Decided(0, **(first or {})), Decided(1, **(second or {}))]
    return f


def fire(f, unit, *targets, rapid=False):
    return f, lambda: f.series.fire.phasing(unit, [f.hex(place) for place in targets], rapid)


def shock(f, attackers, *targets):
    places = [f.hex(place) for place in targets]
    return f, lambda: f.series.shock.conduct([Designation(list(attackers), places)], f.battle.active)


def outcome(f):
    """All of the state that a combat can leave different."""
    units = tuple(
        (unit.strength, unit.place, unit.hex.index, unit.heading, unit.disordered, unit.collapsed, unit.blown,
         unit.abandoned, unit.ammo, unit.orders, unit.losses())
        for unit in f.battle.units
    )  # fmt: skip
    return units, tuple((leader.place, leader.hex.index) for leader in f.battle.leaders)


def exact(f, act, start):
    """The chance of every outcome."""
    tape = EnumeratingTape()
    f.series.equip(tape, f.log, f.commanders)
    chances = defaultdict(Fraction)
    while True:
        f.battle.restore(start)
        tape.begin(0)
        act()
        chances[outcome(f)] += Fraction(tape.numerator, tape.denominator)
        assert tape.branches < MOST_BRANCHES, "too many branches: the combat is too large for this test"
        if not tape.next_branch():
            return dict(chances)


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


def p_value(chances, counts):
    """Chi-square of counts against exact chances, rare outcomes together."""
    observed, expected = [], []
    rest_observed, rest_expected = 0, 0.0
    for state, chance in chances.items():
        share = float(chance) * DRAWS
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


# -- fires -------------------------------------------------------------------------------------------------------------


@combat
def fire_without_answer(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=5, side=1)
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def fire_and_return_fire(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=6, side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def fire_at_a_disordered_regiment(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=5, side=1, disordered=True)
    f.unit("C", "A0503", "W", strength=5, side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def fire_at_a_stack(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=1, side=1)
    f.unit("C", "A0403", "W", strength=5, side=1, disordered=True)
    return fire(ready(f, a), a, "A0403")


@combat
def fire_that_may_collapse_and_rout(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=4, full=8, side=1)
    f.unit("C", "A0503", "W", strength=5, side=1, disordered=True)
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def fire_at_a_collapsed_regiment_with_neighbours(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    b = f.unit("B", "A0403", "W", strength=3, full=8, side=1, disordered=True)
    b.collapsed = True
    f.unit("C", "A0404", "W", strength=5, side=1)
    f.unit("D", "A0503", "W", strength=5, side=1, disordered=True)
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def fire_with_leaders_in_both_hexes(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=6, side=1)
    f.leader("chief", "A0303")
    f.leader("other", "A0403", side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def split_fire_with_two_answers(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7, orders=ATTACK)
    f.unit("B", "A0403", "W", strength=4, side=1)
    f.unit("C", "A0404", "W", strength=3, side=1)
    return fire(ready(f, a), a, "A0403", "A0404")


@combat
def shell_at_a_stack(field):
    f = field(10, 12)
    far = next(place for place in f.map.hexes if place.column == 7 and place.distance_to(f.hex("A0208")) == 5)
    g = f.unit("Bty", "A0208", "E", strength=6, kind=ARTILLERY, weapon="R3")
    f.unit("B", far.id, "W", strength=6, side=1)
    f.unit("C", far.id, "W", strength=5, side=1, disordered=True)
    return fire(ready(f, g), g, far.id)


@combat
def rapid_fire_of_canister(field):
    f = field(8, 8)
    g = f.unit("Bty", "A0303", "E", strength=5, kind=ARTILLERY, weapon="N")
    f.unit("B", "A0403", "W", strength=4, side=1)
    return fire(ready(f, g), g, "A0403", rapid=True)


@combat
def fire_over_the_heads_of_friends(field):
    f = field(8, 8, level=1)
    f.level(0, "A0204")
    a = f.unit("A", "A0203", "SSE", strength=7)
    f.unit("low", "A0204", "SSE", strength=5)
    f.unit("B", "A0205", "NNW", strength=5, side=1)
    return fire(ready(f, a), a, "A0205")


# -- shocks ------------------------------------------------------------------------------------------------------------


@combat
def shock_with_check_and_fire(field):
    """A pre-shock check, the defender's fire, and the resolution."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1)
    return shock(ready(f, a), [a], "A0503")


@combat
def shock_on_a_disordered_regiment(field):
    """Second disorders by the check and by the table: routs, and the check of a neighbour."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1, disordered=True)
    f.unit("C", "A0603", "W", strength=5, side=1, disordered=True)
    return shock(ready(f, a, second={"pre_shock": -1}), [a], "A0503")


@combat
def shock_of_a_disordered_attacker_under_fire(field):
    """Return fire may drive the attacker back by a second disorder before the resolution."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK, disordered=True)
    f.unit("B", "A0503", "W", strength=6, side=1, disordered=True)
    f.leader("chief", "A0404", profile=AGGRESSIVE)
    return shock(ready(f, a), [a], "A0503")


@combat
def charge_that_continues(field):
    f = field(12, 10)
    a = f.unit("A", "A0404", "E", strength=12, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=4, side=1)
    f.unit("C", "A0603", "W", strength=4, side=1)
    ready(f, a, first={"continues": 2}, second={"pre_shock": -1})
    a.moved = a.came_adjacent = True
    return shock(f, [a], "A0503")


@combat
def defenders_who_shock_in_turn(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=4, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=8, side=1)
    return shock(ready(f, a, first={"pre_shock": -1}, second={"continues": 1, "pre_shock": -1}), [a], "A0503")


@combat
def shock_on_the_march(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.brigade("1/1/C", side=1, orders=MARCH)
    f.unit("B", "A0503", "NW", strength=5, side=1)
    f.unit("C", "A0808", "NW", strength=5, side=1)
    return shock(ready(f, a), [a], "A0503")


@combat
def shock_of_green_regiments_from_two_hexes(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=5, orders=ATTACK, green=True)
    b = f.unit("B", "A0403", "E", strength=5, orders=ATTACK)
    f.unit("C", "A0503", "SSW", strength=5, side=1)
    return shock(ready(f, a), [a, b], "A0503")


@combat
def shock_on_guns_above_infantry(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("Bty", "A0503", "W", strength=4, side=1, kind=ARTILLERY, weapon="N")
    f.unit("B", "A0503", "W", strength=4, side=1)
    return shock(ready(f, a, second={"rapid": False, "pre_shock": -1}), [a], "A0503")


@combat
def retreat_before_shock_in_disorder(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1, disordered=True)
    f.unit("C", "A0603", "W", strength=9, side=1, disordered=True)
    return shock(ready(f, a, second={"gives_way": True}), [a], "A0503")


@combat
def shock_of_mounted_cavalry(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=6, kind=CAVALRY, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=4, side=1, kind=CAVALRY, disordered=True)
    return shock(ready(f, a, second={"pre_shock": -1}), [a], "A0503")


# -- the test ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(COMBATS))
def test_sampled_combats_fit_their_exact_chances_10_17_11_45(field, name):
    """10.17, 11.45, 2.5: no outcome that no branch has, and counts that fit the chances of the branches."""
    f, act = COMBATS[name](field)
    start = f.battle.snapshot()
    chances = exact(f, act, start)
    assert sum(chances.values()) == 1
    assert len(chances) > 2, "nothing was at stake"
    counts = sampled(f, act, start, 1 + sorted(COMBATS).index(name))
    assert not set(counts) - set(chances), "an outcome that no branch leads to"
    assert p_value(chances, counts) > FALSE_ALARM / len(COMBATS)


def test_the_check_finds_a_loaded_die_10_17(field):
    """10.17: a fire with fewer points than the branches were counted for does not pass."""
    f, act = fire_without_answer(field)
    start = f.battle.snapshot()
    chances = exact(f, act, start)
    f.battle.restore(start)
    f.battle.units[0].strength = f.battle.units[0].full = 3
    counts = sampled(f, act, f.battle.snapshot(), 1)
    weaker = Counter({
        state: sum(n for other, n in counts.items() if other[0][1] == state[0][1]) for state in chances
    })  # fmt: skip
    assert p_value(chances, weaker) < FALSE_ALARM


def test_shocks_reach_all_that_they_are_here_for_11_37_12_35(field):
    """11.37, 11.38, 12.35, 12.54: among the branches are routs, second disorders, fire before shock and neighbours."""
    f, act = shock_on_a_disordered_regiment(field)
    ends = exact(f, act, f.battle.snapshot())
    assert any(units[1][1] == ROUTED for units, _ in ends)
    assert any(units[1][1] != ROUTED and units[1][10] > 0 for units, _ in ends)
    assert any(units[2][1] == ROUTED for units, _ in ends)
    f, act = shock_with_check_and_fire(field)
    ends = exact(f, act, f.battle.snapshot())
    assert any(units[0][10] > 0 and units[0][9] == ATTACK for units, _ in ends)
    assert all(units[1][9] == ADVANCE for units, _ in ends)
