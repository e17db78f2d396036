"""10.17, 10.81, 11.42, 11.43: more strength and a kinder modifier never make a combat worse for who has them.

Whole combats through every branch: what is compared are exact chances. A fire is no worse if it costs the target n
strength points at least as often for every n, and leaves it in good order no more often. A shock is no worse if the
attacker takes the hex (and stays there or goes on) at least as often, and the exchange of strength points turns no more
against him.
"""

import importlib.util
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from simkit.model.charts import AGGRESSIVE
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, ON_MAP

_spec = importlib.util.spec_from_file_location("combats_compared", Path(__file__).with_name("combats.py"))
combats = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(combats)

SILENT = {"returns": False, "pre_shock": -1}


def harm(f):
    """What a fire has done to the second side: strength points lost, and whether somebody of it is out of order."""
    struck = [unit for unit in f.battle.units if unit.side == 1]
    whole = all(unit.place == ON_MAP and not unit.disordered for unit in struck)
    return sum(unit.losses() for unit in struck), whole


def no_milder(one, other):
    """Whether the chances of one fire's harm are at least those of another's."""
    most = max(lost for lost, _ in [*one, *other])
    for least in range(1, most + 1):
        if at_least(one, least) < at_least(other, least):
            return False
    return unbroken(one) <= unbroken(other)


def at_least(chances, least):
    return sum((chance for (lost, _), chance in chances.items() if lost >= least), Fraction(0))


def unbroken(chances):
    return sum((chance for (_, whole), chance in chances.items() if whole), Fraction(0))


def fires(field, strength, kind="infantry", change=""):
    """The exact harm of one fire at a regiment of six; `change` names the one thing that is otherwise."""
    f = field(10, 9)
    guns = kind == "guns"
    firer = {
        "strength": strength, "kind": {"infantry": 0, "mounted": CAVALRY, "guns": ARTILLERY}[kind],
        "weapon": "R3" if guns else "", "orders": ADVANCE if guns else ATTACK,
    }  # fmt: skip
    if change == "woods":
        f.ground("woods", "A0403")
    heading = {"flank": "NNE", "rear": "E"}.get(change, "W")
    a = f.unit("A", "A0303", "E", disordered=change == "firer disordered", green=change == "green", **firer)
    b = {"strength": 6, "full": 9, "side": 1}
    if change == "mounted target":
        b["kind"] = CAVALRY
    b["disordered"] = change == "target disordered"
    f.unit("B", "A0403", heading, **b)
    combats.ready(f, a, second=SILENT)
    if change == "moved":
        a.moved = True
    f, act = combats.fire(f, a, "A0403")
    return combats.exact(f, act, f.battle.snapshot(), harm)


@pytest.mark.parametrize("kind", ["infantry", "mounted", "guns"])
@pytest.mark.parametrize("change", ["", "target disordered", "woods"])
def test_more_strength_never_fires_worse_10_17(field, kind, change):
    """10.17: from one strength point to nine, against good order, disorder and woods."""
    found = [fires(field, strength, kind, change) for strength in range(1, 10)]
    for weaker, stronger in pairwise(found):
        assert no_milder(stronger, weaker)
    assert found[0] != found[-1]


@pytest.mark.parametrize("strength", range(1, 9))
@pytest.mark.parametrize(
    ("kind", "better", "worse"),
    [
        ("infantry", "", "woods"),  # terrain
        ("infantry", "", "firer disordered"),
        ("infantry", "", "green"),
        ("infantry", "flank", ""),
        ("infantry", "mounted target", ""),
        ("infantry", "", "moved"),  # prepared fire
        ("guns", "flank", ""),
        ("guns", "", "woods"),
        ("mounted", "", "green"),
    ],
)
def test_a_kinder_modifier_never_fires_worse_10_81(field, strength, kind, better, worse):
    """10.81: two fires that one modifier parts."""
    kinder, harder = fires(field, strength, kind, better), fires(field, strength, kind, worse)
    assert no_milder(kinder, harder)


def test_fires_that_are_milder_are_known_10_17(field):
    """10.17: the comparison is one: the weaker fire does not pass for the stronger."""
    assert not no_milder(fires(field, 1), fires(field, 8))
    assert not no_milder(fires(field, 6, change="woods"), fires(field, 6, change="flank"))


def shocks(field, attacker=7, defender=5, cohesion=5, heading="W", change=""):
    """The exact result of one shock: chance to end in the hex, and expected exchange of strength points."""
    f = field(11, 10)
    if change == "woods":
        f.ground("woods", "A0503")
    a = f.unit("A", "A0404", "E", strength=attacker, orders=ATTACK, disordered=change == "attacker disordered")
    disordered = change == "defender disordered"
    orders = ADVANCE
    f.unit("B", "A0503", heading, strength=defender, side=1, orders=orders, disordered=disordered, cohesion=cohesion)
    f.leader("chief", "A0808" if change == "no brigadier" else "A0404", profile=AGGRESSIVE if change == "bold" else 1)
    f, act = combats.shock(combats.ready(f, a, first={"pre_shock": -1}, second=SILENT), [a], "A0503")
    if change == "charge":
        a.moved = a.came_adjacent = True
    if change == "moved":
        a.moved = True
    start, goal = f.hex("A0404"), f.hex("A0503")

    def result(f):
        mine, his = f.battle.units[0], f.battle.units[1]
        nearer = mine.hex.distance_to(goal) < mine.hex.distance_to(start)
        through = mine.place == ON_MAP and his.hex is not goal and nearer
        return through, his.losses() - mine.losses()

    chances = combats.exact(f, act, f.battle.snapshot(), result)
    taken = sum((chance for (hit, _), chance in chances.items() if hit), Fraction(0))
    exchange = sum((chance * points for (_, points), chance in chances.items()), Fraction(0))
    return taken, exchange


@pytest.mark.parametrize("heading", ["W", "NNE", "E"])
@pytest.mark.parametrize("change", ["", "charge", "woods"])
def test_more_attackers_never_shock_worse_11_43(field, heading, change):
    """11.43: from two attacking strength points to sixteen, at the front, a flank and the rear."""
    found = [shocks(field, attacker, heading=heading, change=change)[0] for attacker in range(2, 17, 2)]
    assert found == sorted(found)
    assert found[0] < found[-1]


@pytest.mark.parametrize("heading", ["W", "NNE", "E"])
def test_more_defenders_never_lose_a_hex_sooner_11_43(field, heading):
    """11.43: from one defending strength point to twelve."""
    found = [shocks(field, defender=defender, heading=heading)[0] for defender in range(2, 13, 2)]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


@pytest.mark.parametrize("attacker", [3, 5, 7, 11])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"change": "charge"}, {"change": "moved"}),
        ({}, {"change": "woods"}),
        ({}, {"change": "attacker disordered"}),
        ({"change": "defender disordered"}, {}),
        ({}, {"change": "no brigadier"}),
        ({"change": "bold"}, {}),
        ({"heading": "NNE"}, {}),
        ({"heading": "E"}, {"heading": "NNE"}),
        ({"cohesion": 4}, {"cohesion": 6}),
    ],
)
def test_a_kinder_modifier_never_shocks_worse_11_42(field, attacker, better, worse):
    """11.42, 11.37: two shocks that one modifier, or the defender's cohesion, parts."""
    kinder, harder = shocks(field, attacker, **better), shocks(field, attacker, **worse)
    assert kinder[0] >= harder[0]
    assert kinder[1] >= harder[1]
