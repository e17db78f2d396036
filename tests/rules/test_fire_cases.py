"""Fires worked by hand from rule 10.81, row by row: fire_cases.toml holds each situation and why it ends so."""

import tomllib
from pathlib import Path

import pytest

from simkit.model import battle, forces
from simkit.model.fatigue import FATIGUES
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import Aim
from simkit.rules.shockinprogress import Attacker, ShockInProgress

CASES = tomllib.loads(Path(__file__).with_name("fire_cases.toml").read_text(encoding="utf-8"))["case"]
KINDS = {"infantry": forces.INFANTRY, "cavalry": forces.CAVALRY, "guns": forces.ARTILLERY}
ORDERS = {"march": forces.MARCH, "advance": forces.ADVANCE, "attack": forces.ATTACK}
LIGHTS = {"dawn": battle.DAWN, "dusk": battle.DUSK, "night": battle.NIGHT, "day": battle.DAY}
OWN = ("name", "at", "sp", "side", "kind", "orders", "facing", "extend", "faces_after")
ROWS = [
    "range", "terrain", "behind breastworks", "through breastworks", "massed or dispersed", "at mounted", "by mounted",
    "prepared", "disordered", "flank", "high ground", "guns moved", "green", "night", "dawn or dusk", "guns turned",
    "fatigue", "note: vertex", "note: breastworks and vertex", "note: directly into the hex", "note: slopes",
    "all together", "spencers",
]


class Situation:
    """The field of a case, with its units by name."""

    def __init__(self, field, case):
        self.case = case
        self.f = f = field(14, 12)
        for terrain, places in case.get("ground", {}).items():
            f.ground(terrain, *places)
        for level, places in case.get("levels", {}).items():
            f.level(int(level), *places)
        for feature, one, other in case.get("hexsides", []):
            f.hexside(feature, one, other)
        self.units = {}
        for given in case["units"]:
            self.units[given["name"]] = self._unit(given)
        if "tired" in case:
            for side in range(2):
                f.leader("Brigadier", "A1412", f.battle.brigades[side])  # with whom lies the marker of all (17.1)
        if "light" in case:
            f.battle.turns[0].light = LIGHTS[case["light"]]
        f.play([self._die(die) for die in case["dice"]], options=case.get("options"))
        for given in case["units"]:
            for place in given.get("extend", []):
                unit = self.units[given["name"]]
                f.battle.add_part(unit, f.hex(place), len(f.hex(place).stack), forces.EXTENDED_LINE)
        for place, heading in case.get("works", []):
            f.battle.works.stand_in(f.hex(place), HEADING_NAMES.index(heading) // 2)  # vertex
        for side, level in enumerate(case.get("tired", [])):
            if level:
                f.battle.brigades[side].fatigue.place(FATIGUES.index(level))
        f.begin(self.units[case["active"]])

    def _unit(self, given):
        more = {name: value for name, value in given.items() if name not in OWN}
        return self.f.unit(
            given["name"], given["at"], given.get("facing", "E"), strength=given["sp"], side=given.get("side", 0),
            kind=KINDS[given.get("kind", "infantry")], orders=ORDERS[given.get("orders", "advance")], **more,
        )

    @staticmethod
    def _die(die):
        stream, face = die.rsplit(" ", 1)
        return stream, int(face)

    def fires(self):
        """Play the case; the only one of those who are asked that answers is the unit whose fire the case is about."""
        f, case, fire = self.f, self.case, self.case["fire"]
        unit = self.units[fire["by"]]
        side = 1 - f.battle.phasing
        for question in ("return_fire", "approach_fire", "withdrawal_fire"):
            f.answers[side][question] = [self._only(unit, case)] * 9
        f.answers[side]["reaction_facing"] = [self._turn(case)] * 9
        for name, place in case.get("moves", []):
            self._go(self.units[name], place)
        for name, heading in case.get("turns", []):
            f.series.facing.turn(self.units[name], HEADING_NAMES.index(heading))
        getattr(self, "_" + fire["mode"].replace("-", "_"))(unit, fire)
        shots = [one for one in f.events("fire") if one.unit == unit.id and one.mode == fire["mode"]]
        return shots[len(shots) - 1]

    def _go(self, unit, place):
        movement = self.f.series.movement
        movement.search(unit)
        ends = [node for node in movement.reached if node.hex.id == place and movement.may_stop(node)]
        movement.move(unit, ends[0], ends[0].heading)

    @staticmethod
    def _only(wanted, case):
        def points(series, unit, target, most):
            also = case.get("also", [])
            return most if unit is wanted or unit.name in also else 0

        return points

    @staticmethod
    def _turn(case):
        def choose(series, unit, enemy, headings):
            wanted = [HEADING_NAMES.index(heading) for name, heading in case.get("reactions", []) if name == unit.name]
            return headings.index(wanted[0]) if wanted and wanted[0] in headings else -1

        return choose

    def _phasing(self, unit, fire):
        target = self.f.hex(fire["at"])
        standing = fire.get("standing", True)
        if unit.extended == forces.EXTENDED_LINE:
            self.f.series.fire.phasing_parts(unit, [Aim(list(unit.parts), [target])], standing)
        else:
            self.f.series.fire.phasing(unit, [target], False, standing)

    def _return(self, unit, fire):
        trigger = self.units[fire["trigger"]]
        self.f.series.fire.phasing(trigger, [unit.hex], False, fire.get("standing", True))

    def _approach(self, unit, fire):
        """It has come of the moves."""

    def _withdrawal(self, unit, fire):
        """It has come of the moves."""

    def _pre_shock(self, unit, fire):
        attackers = [self.units[name] for name in fire["attackers"]]
        made = ShockInProgress(
            attackers[0].side, [Attacker(one, one.hex, one.heading, True, False) for one in attackers], [unit.hex], 0
        )
        made.defenders.append(unit)
        self.f.fire_before_shock([made])


def state(unit):
    if not unit.counts():
        return "eliminated"
    return f"{unit.strength} {'disordered' if unit.disordered else 'good'}"


@pytest.mark.parametrize("case", CASES, ids=[f"{case['row']}: {case['title']}" for case in CASES])
def test_fires_worked_by_hand_10_81(field, case):
    """10.81: DRMs one by one and in all, the result in the table, losses and checks, as the case's text has them."""
    situation = Situation(field, case)
    f = situation.f
    shot = situation.fires()
    drms = dict(word.rsplit(" ", 1) for word in shot.drms.split(", ") if word)
    assert {name: int(value) for name, value in drms.items()} == case["drms"]
    assert (shot.sp, shot.drm, shot.result) == (case["sp"], case["total"], case["result"])
    names = {unit.id: unit.name for unit in f.battle.units}
    checks = [f"{names[one.unit]} {one.drm:+d} {one.result}" for one in f.events("udd")]
    assert checks == case["checks"]
    assert {name: state(situation.units[name]) for name in case["after"]} == case["after"]
    assert f.dice.used_up()


def test_every_row_has_two_cases_and_each_says_why():
    """10.81: no row of the list and no terrain note stays without two cases; their sums are those of their parts."""
    for row in ROWS:
        assert len([case for case in CASES if case["row"] == row]) >= 2, row
    for case in CASES:
        assert case["row"] in ROWS and case["rule"] and len(case["why"].split()) > 8
        assert case["total"] == sum(case["drms"].values()), case["title"]
    assert len({case["title"] for case in CASES}) == len(CASES)
