"""Exact chances of shocks and fires against a calculator written with icepool from charts and rulebook alone."""

import importlib.util
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from simkit import odds
from simkit.exact.enumeration import Enumeration
from simkit.model.forces import ARTILLERY, ATTACK, ELIMINATED, MARCH, ROUTED


def _module(name):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made  # dataclasses look their module up
    spec.loader.exec_module(made)
    return made


combats = _module("combats")
calculator = _module("calculator")
Case, Regiment = calculator.Case, calculator.Regiment

SHOCKS = {
    "even": Case(Regiment(6), Regiment(6)),
    "strong against weak": Case(Regiment(9), Regiment(4)),
    "weak against strong, without fire": Case(Regiment(3), Regiment(7), defender_fires=False),
    "poor cohesion in the woods": Case(Regiment(8), Regiment(5, 4, rating_disordered=2), terrain="woods"),
    "over a stream": Case(Regiment(8, 7, rating_disordered=5), Regiment(5, 7, rating_disordered=5), hexside="stream"),
    "breastworks": Case(Regiment(10), Regiment(5), breastworks=True),
    "flank": Case(Regiment(5), Regiment(6), attack_side="flank"),
    "rear": Case(Regiment(5), Regiment(6), attack_side="rear"),
    "disordered defender": Case(Regiment(7), Regiment(5, disordered=True)),
    "disordered attacker": Case(Regiment(7, disordered=True), Regiment(5)),
    "both disordered": Case(Regiment(7, disordered=True), Regiment(5, disordered=True)),
    "green attacker": Case(Regiment(6, green=True), Regiment(4)),
    "charge": Case(Regiment(3), Regiment(10), charge=True),
    "charge into the cedars": Case(Regiment(4), Regiment(7), terrain="cedars", charge=True),
    "march": Case(Regiment(6), Regiment(6), march=True),
    "fire of two defenders": Case(Regiment(8), Regiment(5), second=Regiment(6)),
    "canister": Case(Regiment(8), Regiment(5), second=Regiment(4), guns="N"),
    "near collapse": Case(Regiment(5, full=9), Regiment(4, full=8)),
    "collapsed": Case(
        Regiment(4, full=9, disordered=True, collapsed=True),
        Regiment(3, full=8, disordered=True, collapsed=True),
    ),
    "last points": Case(Regiment(1), Regiment(1)),
}  # fmt: skip
FIRES = {
    "even": (Regiment(6), Regiment(6)),
    "disordered target": (Regiment(7), Regiment(4, disordered=True)),
    "near collapse": (Regiment(5, full=9), Regiment(4, full=8)),
    "collapsed target": (Regiment(7), Regiment(3, full=8, disordered=True, collapsed=True)),
    "green and weak": (Regiment(2, green=True), Regiment(1)),
}
FACING = {"front": "W", "flank": "NNW", "rear": "E"}


def put(f, name, regiment, place, facing, side, **more):
    unit = f.unit(
        name, place, facing, side=side, strength=regiment.strength, full=regiment.full,
        cohesion=regiment.cohesion, cohesion_disordered=regiment.rating_disordered, green=regiment.green,
        disordered=regiment.disordered, **more,
    )  # fmt: skip
    unit.collapsed = regiment.collapsed
    return unit


def staged(field, case):
    """The case on a field: A0404 attacks A0503; a second defender stands in A0405 at the attacker's flank."""
    f = field(12, 10)
    a = put(f, "A", case.attacker, "A0404", "E", 0, orders=ATTACK)
    facing = FACING[case.attack_side]
    if case.march:
        b = put(f, "B", case.defender, "A0503", "SW", 1, orders=MARCH)
        f.brigade("1/1/C", side=1, orders=MARCH)
    else:
        b = put(f, "B", case.defender, "A0503", facing, 1)
    if case.second is not None:
        more = {"kind": ARTILLERY, "weapon": case.guns} if case.guns else {}
        put(f, "C", case.second, "A0405", "NNW", 1, **more)
    f.ground(case.terrain, "A0503")
    if case.hexside:
        f.hexside(case.hexside, "A0404", "A0503")
    answers = {} if case.defender_fires else {"pre_shock": -1}
    combats.ready(f, a, second=answers)
    if case.breastworks:
        f.battle.works.stand_in(f.hex("A0503"), (b.heading - 1) // 2)
    if case.charge:
        a.moved = a.came_adjacent = True
    return f, a, b


def found(f, act, a, b, target):
    """The chances of all endings in the calculator's words."""
    start = {unit.index: unit.hex.index for unit in (a, b)}
    distribution = Enumeration(f.battle, f.series, f.commanders).run(act)
    assert distribution.exact()
    chances = defaultdict(Fraction)
    for leaf in distribution.leaves:
        key = tuple(ending(leaf.ending.units[unit.index], start[unit.index], target) for unit in (a, b))
        chances[key] += leaf.mass
    return dict(chances)


def ending(unit, start, target):
    if unit.place == ELIMINATED:
        return (0, False, False, "out")
    if unit.place == ROUTED:
        return (unit.strength, False, False, "rout")
    place = "here" if unit.hex == start else "advanced" if unit.hex == target else "back"
    return (unit.strength, bool(unit.disordered), bool(unit.collapsed), place)


def told(ours, theirs):
    lines = [
        f"{key}: engine {float(ours.get(key, 0)):.5f}, calculator {float(theirs.get(key, 0)):.5f}"
        for key in sorted(set(ours) | set(theirs)) if ours.get(key, 0) != theirs.get(key, 0)
    ]  # fmt: skip
    return "\n".join(lines)


@pytest.mark.parametrize("name", sorted(SHOCKS))
def test_shocks_have_the_chances_of_charts_and_rulebook_11_37_11_45_12_35(field, name):
    """11.36 to 11.48, 12.23, 12.35: the same endings with the same fractions."""
    case = SHOCKS[name]
    f, a, b = staged(field, case)
    _, act = combats.shock(f, [a], "A0503")
    wanted = calculator.shock(case)
    assert sum(wanted.values()) == 1
    got = found(f, act, a, b, f.hex("A0503").index)
    assert got == wanted, told(got, wanted)


@pytest.mark.parametrize("name", sorted(FIRES))
def test_fires_and_their_answers_have_the_chances_of_charts_and_rulebook_10_17_10_42(field, name):
    """10.17, 10.42, 10.81, 12.35a: both sides fire before either suffers."""
    attacker, defender = FIRES[name]
    f = field(12, 10)
    a = put(f, "A", attacker, "A0404", "E", 0)
    b = put(f, "B", defender, "A0503", "W", 1)
    _, act = combats.fire(combats.ready(f, a), a, "A0503")
    wanted = calculator.fire(attacker, defender)
    got = found(f, act, a, b, -1)
    assert got == wanted, told(got, wanted)


# -- the same in the words of a situation -----------------------------------------------------------------------------


def said(regiment, *words):
    """A regiment in the words of a situation."""
    of = f"of{regiment.full}" if regiment.full != regiment.strength else ""
    told = [word for word, holds in (("green", regiment.green), ("disordered", regiment.disordered)) if holds]
    return f"{regiment.strength}{of}/{regiment.cohesion}/{regiment.rating_disordered} " + ",".join([*told, *words])


def line(case):
    ours = [case.attack_side] + (["charge"] if case.charge else [])
    theirs = [case.terrain] if case.terrain != "clear" else []
    theirs += [case.hexside] if case.hexside else []
    theirs += ["breastworks"] if case.breastworks else []
    theirs += ["march"] if case.march else []
    text = f"{said(case.attacker, *ours)} vs {said(case.defender, *theirs)}".rstrip()
    if not case.defender_fires:
        text += (" clear" if text[-1].isdigit() else "") + " hold-fire"
    return text


def lost(chances, at, start):
    """The chance of each number of points lost by one side; who routs has lost only those that are gone."""
    found = defaultdict(Fraction)
    for key, mass in chances.items():
        found[start - key[at][0]] += mass
    return dict(found)


@pytest.mark.parametrize("name", sorted(name for name, case in SHOCKS.items() if case.second is None))
def test_a_line_of_odds_has_the_chances_of_charts_and_rulebook_11_45(name):
    """11.45: success and the losses of both sides, of the situation in one line."""
    case = SHOCKS[name]
    answer = odds.shock(line(case))
    wanted = calculator.shock(case)
    assert sum(answer.outcomes.values()) == 1
    assert answer.success == sum(mass for (a, _), mass in wanted.items() if a[3] == "advanced")
    assert {k: v for k, v in answer.attacker_loss.items() if v} == lost(wanted, 0, case.attacker.strength)
    assert {k: v for k, v in answer.defender_loss.items() if v} == lost(wanted, 1, case.defender.strength)


@pytest.mark.parametrize("name", sorted(FIRES))
def test_a_line_of_odds_has_the_losses_of_charts_and_rulebook_10_17(name):
    """10.17, 10.42: the losses of a fire and of its answer, of the situation in one line."""
    attacker, defender = FIRES[name]
    answer = odds.fire(f"{said(attacker)} vs {said(defender)}")
    wanted = calculator.fire(attacker, defender)
    assert {k: v for k, v in answer.attacker_loss.items() if v} == lost(wanted, 0, attacker.strength)
    assert {k: v for k, v in answer.defender_loss.items() if v} == lost(wanted, 1, defender.strength)
