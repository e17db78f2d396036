"""Cavalry battles on random fields, at random and by doctrine: charges, countercharges, and sound states throughout."""

import random

import pytest

from simkit.commanders.heuristic import HeuristicCommander
from simkit.commanders.random_play import RandomCommander
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, INFANTRY
from simkit.play.audit import audit
from simkit.rules.dice import COMMANDER, KeyedDice
from simkit.scenario.doctrines import doctrine

BATTLES = 12
ACTIVATIONS = 8


class Rash(RandomCommander):
    """Moves off, goes on and advances as it falls."""

    def keeps_moving(self, series, unit):
        return series.dice.pick(COMMANDER, unit, 2) == 0

    def heading_after(self, series, unit, headings):
        return series.dice.pick(COMMANDER, unit, len(headings))

    def withdrawal_fire(self, series, unit, target, most):
        return most * series.dice.pick(COMMANDER, unit, 2)


def battlefield(field, seed, commanders):
    """A small field with two brigades of cavalry, some infantry and guns, close to each other."""
    dice = random.Random(seed)
    f = field(12, 9)
    for place in f.map.hexes:
        place.terrain = f.charts.terrain(dice.choice(["clear"] * 12 + ["woods", "orchard", "town"]))
        for side in place.sides[:3]:
            if side.on_map and dice.random() < 0.05:
                f.hexside("stream", place.id, side.to.id)
    for side in (0, 1):
        f.battle.brigades[side].orders = dice.choice([ATTACK, ATTACK, ADVANCE])
        columns = (1, 4) if side == 0 else (7, 12)
        for number, kind in enumerate([CAVALRY] * 4 + [INFANTRY, ARTILLERY]):
            free = [
                place for place in f.map.hexes
                if columns[0] <= place.column <= columns[1] and (not place.stack or (kind == CAVALRY and number % 2))
                and all(part.unit.kind == CAVALRY for part in place.stack)
            ]
            place = dice.choice(free)
            facing = dice.choice(["E", "NNE", "SSE"] if side == 0 else ["W", "NNW", "SSW"])
            if place.stack:
                facing = ("NNE", "E", "SSE", "SSW", "W", "NNW")[place.stack[0].unit.heading // 2]
            f.unit(
                f"unit {number}", place.id, facing, side=side, kind=kind, strength=dice.randint(2, 3),
                cohesion=dice.randint(4, 8), movement=12 if kind == CAVALRY else 6, weapon="" if kind else "R",
            )
        f.leader(f"leader {side}", f.battle.units[-6].hex.id, side=side, command_range=9)
    f.play()
    for side, commander in enumerate(commanders):
        commander.side = side
    f.series.equip(KeyedDice(seed, 1130), f.log, commanders)
    return f


def fight(f, seed):
    """Brigades act in turn; the faults that the audit finds."""
    faults = []
    for number in range(ACTIVATIONS):
        side = (seed + number) % 2
        f.battle.phasing = side
        f.series.activation.brigade([f.battle.brigades[side]])
        faults.extend(f"seed {seed}, activation {number}: {fault}" for fault in audit(f.battle))
    return faults


def leaders(name):
    if name == "random":
        return [Rash(), Rash()]
    return [HeuristicCommander(doctrine(name), []), HeuristicCommander(doctrine(name), [])]


@pytest.mark.parametrize("name", ["random", "aggressive"])
def test_11_5_cavalry_battles_stay_sound_and_see_charges(field, name):
    """11.51 to 11.57, 14.24: no charger fires, marked chargers shock, and the audit finds nothing wrong."""
    seen = {"rides to the charge": 0, "comes at the enemy in": 0, "fails to go in": 0}
    for seed in range(BATTLES * (3 if name == "random" else 1)):
        f = battlefield(field, seed, leaders(name))
        assert fight(f, seed) == []
        riding = {}
        for event in f.events("charge"):
            seen[event.result] = seen.get(event.result, 0) + 1
            riding.setdefault(int(event.activation), set()).add(event.unit)
        for event in f.events("fire"):
            if event.mode == "phasing":
                assert event.unit not in riding.get(int(event.activation), ()), (seed, event.unit)
    assert all(seen.values()), seen
