"""Whole answers against each other: what must not make a combat better or worse, what an edition changes, and sums.

What is compared is the exact chance that an attacker enters the hex (`hex carried`); of a fire, the strength that the
target loses.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from simkit import odds
from simkit.errors import InputError
from simkit.odds import read
from simkit.odds.answer import at_least
from simkit.odds.changing import changed


@cache
def answer(line):
    kind, _, text = line.partition(" ")
    found = getattr(odds, kind)(text)
    assert found.method == "exact"
    return found


def carried(line):
    return answer(line).events.get("hex carried", Fraction(0))


# -- strength and ratings ----------------------------------------------------------------------------------------------

GROWING = [
    "8/6 vs 6/6 clear hold-fire",
    "8/6 vs 6/6",
    "8/6 brigadier vs 5/5 breastworks",
    "8/6 moved vs 4/6 N",
    "8/6 flank vs 9/6 disordered",
    "8/6 green vs 6/6 clear night",
    "8/6 vs 5/6 march,stream",
    "8/6 | 4/5 vs 9/6 clear hold-fire",
]


@pytest.mark.parametrize("line", GROWING)
def test_11_43_more_attackers_never_lower_the_chance(line):
    """11.43: a stronger attacker has no worse a ratio, and fire that costs a point costs it a smaller share.

    It holds without limits of stacking: a unit attacks whole whatever its size (11.43), and small arms do not ask
    how strong their target is (8.34).
    """
    situation = read("shock", line)
    chances = [carried(f"shock {changed(situation, 'attacker', str(points))}") for points in (2, 3, 5, 8, 12)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


@pytest.mark.parametrize("line", GROWING[:4])
def test_11_43_more_defenders_never_raise_it(line):
    """11.43, 8.31: with more defenders the ratio is worse and up to seven of them fire.

    The strength of guns alone on the defence counts a quarter (11.63): one gun is a point like four to seven.
    """
    situation = read("shock", line)
    chances = [carried(f"shock {changed(situation, 'defender', str(points))}") for points in (2, 4, 6, 9)]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("line", ["8/6 vs 6/6", "8/5 green vs 6/6 clear hold-fire"])
@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_2_6_a_better_rating_never_harms_who_has_it(line, side):
    situation = read("shock", line)
    chances = [carried(f"shock {changed(situation, f'{side}.cohesion', str(rating))}") for rating in (4, 5, 6, 8)]
    assert chances == sorted(chances, reverse=side == "defender")


@pytest.mark.parametrize("line", ["8/6 vs 6/6", "8/6 vs 6/6 woods", "5/6 N vs 8/6 clear range=5"])
def test_10_17_more_who_fire_never_cost_the_target_less(line):
    """10.17: by the table, column for column; nobody answers, so that only this fire counts."""
    situation = read("fire", line, whole="hold-fire")
    losses = [answer(f"fire {changed(situation, 'attacker', str(points))}").defender_loss for points in (2, 4, 6, 8)]
    for weaker, stronger in pairwise(losses):
        low, high = at_least(weaker), at_least(stronger)
        assert all(high.get(n, 0) >= chance for n, chance in low.items())


# -- modifiers ---------------------------------------------------------------------------------------------------------

# each line is no worse for the attacker than the one before it
KINDER = [
    ["8/6 disordered vs 6/6", "8/6 vs 6/6", "8/6 brigadier vs 6/6", "8/6 aggressive vs 6/6"],
    ["8/6 vs 6/6 clear hold-fire", "8/6 flank vs 6/6 clear hold-fire", "8/6 rear vs 6/6 clear hold-fire"],
    ["8/6 vs 6/6", "8/6 flank vs 6/6", "8/6 rear vs 6/6"],
    ["8/6 vs 6/6", "8/6 charge vs 6/6"],
    ["8/6 vs 6/6", "8/6 vs 6/6 low", "8/6 vs 6/6 empty", "8/6 vs 6/6 empty,march"],
    ["8/6 vs 6/6", "8/6 vs 6/6 disordered", "8/6 vs 6/6 disordered,march"],
    ["8/6 vs 6/6", "8/6 vs 6/6 green"],
    ["8/6 vs 6/6", "8/6 vs 6/6 clear hold-fire"],
    ["8/6 fatigue3 vs 6/6", "8/6 fatigue2 vs 6/6", "8/6 vs 6/6"],
    ["8/6 vs 6/6 brigadier", "8/6 vs 6/6 fatigue1", "8/6 vs 6/6 fatigue3"],
    ["8/6 mounted vs 6/6", "8/6 mounted,charge vs 6/6"],
    ["8/6 vs 6/6 clear with 4/4 left", "8/6 vs 6/6"],
]


@pytest.mark.parametrize("chain", KINDER, ids=lambda chain: chain[-1])
def test_11_42_a_kinder_modifier_never_worsens_the_chance(chain):
    """11.42, 11.44, 11.37, 10.81, 12.34, 17.31: each is kinder to the attacker than the one before."""
    chances = [carried(f"shock {line}") for line in chain]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


GROUND = ["woods", "cedars", "town", "stream", "minor_slope", "steep_slope", "breastworks", "woods,breastworks"]


@pytest.mark.parametrize("ground", GROUND)
@pytest.mark.parametrize("attacker", ["8/6", "8/6 mounted,charge", "8/6 flank"])
def test_11_42_no_ground_of_the_defenders_helps_the_attacker(attacker, ground):
    """11.42, 10.81, 15.23: neither in the check nor in the roll, nor by the rounding of the ratio (11.43).

    But mounted defenders in woods count half, and then it may (11.43).
    """
    assert carried(f"shock {attacker} vs 6/6 {ground}") <= carried(f"shock {attacker} vs 6/6")


def test_11_43_woods_may_help_against_mounted_defenders():
    """11.43: they count half there; this is the exception to the test above."""
    mounted = "shock 8/6 brigadier vs 6/6 mounted"
    assert carried(f"{mounted},woods") > carried(mounted)


# -- editions ----------------------------------------------------------------------------------------------------------

# a line, whether Gringo! and Into the Woods play it as Dead of Winter does, and the rule of docs/editions.md if not
EDITIONS = [
    ("shock 8/6 vs 5/5 clear", True, True, ""),
    ("shock 8/6 vs 5/5 woods,breastworks", True, True, ""),
    ("shock 6/6 flank vs 6/6 disordered", True, True, ""),
    ("shock 7/6 brigadier vs 4/6 N", True, True, ""),
    ("shock 6/5 green vs 5/6 march", True, True, ""),
    ("shock 8/6 moved vs 3/6 + 4/5 clear hold-fire", True, True, ""),
    ("shock 5/6 | 5/6 rear vs 6/6 clear hold-fire", True, True, ""),
    ("fire 8/6 vs 5/5 woods", True, True, ""),
    ("fire 5/6 N vs 6/6 clear range=5", True, True, ""),
    ("fire 4/6 + 3/5 vs 6/6 clear combined", True, True, ""),
    ("fire 8/6 vs 5/5 disordered with 4/4 behind", True, True, ""),
    ("shock 8/6 charge vs 5/5 clear", False, True, "11.47: who comes next to an enemy need not turn to face him"),
    ("shock 6/6 disordered,mounted,charge vs 5/6 clear", False, True, "11.48: mounted ones lose a point too"),
    ("fire 6/6 N vs 5/6 mounted range=5", False, True, "14.24, 10.81: no +1 for shot and shell"),
    ("fire 6/6 vs 5/5 clear night,range=4", False, True, "16.12: ranges are halved at night"),
    ("shock 5/6 mounted,charge vs 3/6 + 4/8 mounted countercharge", False, False, "11.56: whose rating checks"),
]


def told(line, edition):
    """All that an answer says; or that the rules forbid the situation."""
    joined = "," if line.rsplit(maxsplit=1)[-1].partition("=")[0].split(",")[0] in WHOLE else " "
    try:
        found = answer(f"{line}{joined}{edition}")
    except InputError as error:
        return str(error).splitlines()[0]
    steps = [(step.name, step.chance, step.decided) for step in found.steps]
    return found.outcomes, found.events, found.attacker_loss, found.defender_loss, steps


WHOLE = {"hold-fire", "combined", "night", "range", "countercharge"}


@pytest.mark.parametrize(("line", "gringo", "woods", "rule"), EDITIONS, ids=[line for line, *_ in EDITIONS])
def test_1_0_an_edition_changes_what_its_list_says_and_nothing_else(line, gringo, woods, rule):
    """1.0, docs/editions.md: the same answer to the last fraction, but where a listed difference bears on it."""
    assert (gringo and woods) == (rule == "")
    newest = told(line, "dead_of_winter")
    assert (told(line, "gringo") == newest) == gringo
    assert (told(line, "into_the_woods") == newest) == woods


# -- sums --------------------------------------------------------------------------------------------------------------

SUMS = sorted({f"shock {line}" for chain in KINDER for line in chain} | {line for line, *_ in EDITIONS})


@pytest.mark.parametrize("line", SUMS)
def test_all_chances_of_an_answer_sum_to_one(line):
    """The JSON contract: mass 1, a partition of outcomes and of each side's loss, each sum to 1 within 1e-12."""
    data = answer(line).as_json()
    assert abs(data["mass"] - 1) < 1e-12
    for part in ("outcomes", "attacker_loss", "defender_loss"):
        assert abs(sum(data[part].values()) - 1) < 1e-12
        assert all(0 <= chance <= 1 for chance in data[part].values())
    assert 0 <= data["success"] <= 1
    assert all(0 < chance <= 1 for chance in data["events"].values())
    for side in ("attacker_loss", "defender_loss"):
        mean = sum(int(lost) * chance for lost, chance in data[side].items())
        assert abs(mean - data["expected"][side]) < 1e-9
