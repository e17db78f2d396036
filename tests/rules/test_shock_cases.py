"""Shocks worked by hand from chapters 11 and 12, row by row: shock_cases.toml holds each and why it ends so."""

import tomllib
from pathlib import Path

import pytest

from simkit.model.charts import AGGRESSIVE
from simkit.model.fatigue import FATIGUES
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, MARCH, ON_MAP, ROUTED
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.combatresults import CAUSE_NAMES
from simkit.rules.commander import Designation

CASES = tomllib.loads(Path(__file__).with_name("shock_cases.toml").read_text(encoding="utf-8"))
TARGET = "A0504"


def titles(kind):
    return [f"{case.get('row') or case['cause'] + ' ' + case['kind']} {at}" for at, case in enumerate(CASES[kind])]


def cases(kind):
    return pytest.mark.parametrize("case", CASES[kind], ids=titles(kind))


class Situation:
    """The field of a case, with its units by name and its shocks designated as the case has them."""

    def __init__(self, field, case):
        self.f = f = field(12, 12)
        self.units = {}
        for entry in case.get("ground", []):
            place, terrain = entry.split()
            f.ground(terrain, place)
        for entry in case.get("levels", []):
            level, place = entry.split()
            f.level(int(level), place)
        for entry in case.get("sides", []):
            f.hexside(*entry.split())
        for side, entries in enumerate((case["union"], case["confederate"])):
            for entry in entries:
                self._unit(side, entry.split())
        for entry in case.get("leaders", []):
            name, place, *words = entry.split()
            side = 1 if "confederate" in words else 0
            f.leader(name, place, side=side, profile=AGGRESSIVE if "aggressive" in words else 1)
        f.play(options={"fatigue": "yes"} if "tired" in case else {})
        for side, level in enumerate(case.get("tired", [])):
            for unit in f.battle.brigades[side].units:
                unit.fatigue.place(FATIGUES.index(level))
        for entry in case.get("works", []):
            place, facing = entry.split()
            f.battle.works.stand_in(f.hex(place), HEADING_NAMES.index(facing) // 2)
        f.begin(next(iter(self.units.values())))
        for entry in (*case["union"], *case["confederate"]):
            name, *words = entry.split()
            unit = self.units[name]
            charging = "charging" in words
            unit.charging = unit.charge_marker = charging
            unit.moved = charging or "moved" in words or "adjacent" in words
            unit.came_adjacent = charging or "adjacent" in words
            unit.fired = "fired" in words
        self.designations = [self._designation(entry) for entry in case.get("shocks", [])]
        if not self.designations:
            attackers = [unit for unit in f.battle.units if unit.side == 0]
            self.designations = [Designation(attackers, [f.hex(TARGET)])]
        f.answers[1]["pre_shock_fire"] = [-1] * 9

    def _unit(self, side, entry):
        name, strength, place, facing, *words = entry
        values = {word: int(words[at + 1]) for at, word in enumerate(words) if word in ("full", "rating")}
        orders = MARCH if "march" in words else ADVANCE if side == 1 or "advance" in words else ATTACK
        kind = ARTILLERY if "guns" in words else CAVALRY if "mounted" in words else 0
        unit = self.f.unit(
            name, place, facing, strength=int(strength), side=side, kind=kind, orders=orders,
            full=values.get("full"), cohesion=values.get("rating", 6), disordered="disordered" in words,
        )
        unit.collapsed = 2 * unit.strength < unit.full
        self.units[name] = unit

    def _designation(self, entry):
        attackers, targets = entry.split(" > ")
        return Designation(
            [self.units[name] for name in attackers.split()], [self.f.hex(place) for place in targets.split()]
        )


@cases("modifiers")
def test_11_42_11_43_11_44_adjustments_worked_by_hand(field, case):
    """11.42 with 11.21, 11.63 and 11.72: all adjustments of a shock by name; of several shocks the first named."""
    s = Situation(field, case)
    shock = s.f.series.shock
    assert shock.check(s.designations, s.f.battle.active) == []
    shock.designate(s.designations, s.f.battle.active)
    first = shock.shocks[0]
    first.continued = case.get("continued", 0)
    drms = shock.modifiers(first, shock.shocks)
    assert sorted(drms.text().split(", ")) == sorted(case["drms"])
    assert drms.total() == case["total"] == sum(int(word.rsplit(" ", 1)[1]) for word in case["drms"])


@cases("check")
@pytest.mark.parametrize("over", [0, 1])
def test_11_37_pre_shock_checks_worked_by_hand(field, case, over):
    """11.37: the sum for the check, and that the highest die that passes does, and the next one fails."""
    s = Situation(field, case)
    shock = s.f.series.shock
    shock.designate(s.designations, s.f.battle.active)
    target = s.f.hex(TARGET)
    assert shock.pre_shock_drm(target, shock.shocks_against(target)) == case["drm"]
    s.f.roll(("cohesion", case["passes"] + over), *[("cohesion", 0)] * 3)
    shock.begin_checks()
    while shock.waiting:
        shock.next_check()
    checked = s.f.events("pre-shock")
    assert [event.result for event in checked] == ["failed" if over else "passed"]


@cases("resolution")
def test_11_45_results_worked_by_hand(field, case):
    """11.45, 12.51: a shock from its check to the disorder after it, with the dice of the case."""
    s = Situation(field, case)
    homes = {name: unit.hex for name, unit in s.units.items()}
    s.f.roll(*[(die.split()[0], int(die.split()[1])) for die in case["dice"]])
    s.f.series.shock.conduct(s.designations, s.f.battle.active)
    assert s.f.dice.used_up()
    event, = s.f.events("shock")
    assert (event.drm, event.adjusted, event.result) == (case["total"], case["adjusted"], case["result"])
    for entry in case["after"]:
        name, strength, *words = entry.split()
        assert_after(s.units[name], homes[name], int(strength), words)


@cases("second")
def test_12_35_12_36_second_disorders_worked_by_hand(field, case):
    """12.35, 12.36: what a disordered unit of the active brigade suffers from a further disorder, by its cause."""
    f = field(12, 12)
    kind = {"foot": 0, "horse": CAVALRY, "guns": ARTILLERY}[case["kind"]]
    unit = f.unit("a", "A0404", "E", strength=5, kind=kind, disordered=True)
    f.unit("d", "A1004", "W", side=1)
    f.play([("cohesion", die) for die in case["dice"]])
    f.begin(unit)
    f.series.results.begin([])
    f.series.results.disorder(unit, CAUSE_NAMES.index(case["cause"]))
    f.series.results.end()
    assert f.dice.used_up()
    strength, *words = case["after"].split()
    assert_after(unit, f.hex("A0404"), int(strength), words)
    assert unit.finished is case["finished"]


def assert_after(unit, home, strength, words):
    """A unit as the words of a case say: in a hex, back so many hexes, gone anywhere else, routed, abandoned."""
    assert unit.strength == strength, unit.id
    assert unit.disordered or not ("disordered" in words or "blown" in words), unit.id
    assert "routed" in words or "disordered" in words or "blown" in words or "abandoned" in words or not unit.disordered
    assert unit.blown is ("blown" in words)
    assert (unit.place == ROUTED) is ("routed" in words)
    assert (unit.abandoned != 0) is ("abandoned" in words)
    if "in" in words:
        assert (unit.place, unit.hex.id) == (ON_MAP, words[words.index("in") + 1])
    if "back" in words:
        assert home.distance_to(unit.hex) == int(words[words.index("back") + 1])
    if "gone" in words:
        assert unit.place == ON_MAP and 1 <= home.distance_to(unit.hex) <= 2


ROWS = (
    *(f"ratio {column}" for column in ("1-4", "1-3", "1-2", "1-1½", "1-1", "1½-1", "2-1", "3-1", "4-1", "5-1")),
    "terrain", "breastworks", "charge", "cavalry charge", "brigadier", "aggressive",
    "attacker disordered", "defender disordered", "continued", "position: front", "position: flank",
    "position: rear", "position: front and flank",
    "position: front and rear", "position: flank and rear", "position: three sides", "position: surrounded",
    "enemy front", "fatigue",
)


@pytest.mark.parametrize("row", ROWS)
def test_11_42_each_row_of_the_adjustments_has_two_cases(row):
    assert sum(case["row"].startswith(row) for case in CASES["modifiers"]) >= 2


@pytest.mark.parametrize("row", ["flank", "rear", "disordered", "march", "breastworks", "cavalry charge", "fatigue"])
def test_11_37_each_row_of_the_check_has_two_cases(row):
    assert sum(row in case["row"] for case in CASES["check"]) >= 2


@pytest.mark.parametrize("row", ["1 or less", "2 to 4", "5 to 7", "8 to 9", "10 or more"])
def test_11_45_each_line_of_the_table_has_two_cases(row):
    assert sum(case["row"].startswith(row) for case in CASES["resolution"]) >= 2
