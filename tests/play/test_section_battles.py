"""Battles in which every battery has several sections: legal states, true books, and all that sections can do."""

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.model.forces import ARTILLERY
from simkit.model.log import EVERYTHING
from simkit.model.sections import divide
from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve


@pytest.fixture(scope="module")
def divided():
    """The skirmish with rifles, smoothbores and howitzers in each battery (8.37)."""
    built = build(load("dead_of_winter/skirmish"))
    weapon = built.battle.charts.weapon
    for unit in built.battle.units:
        if unit.kind == ARTILLERY:
            howitzers = unit.strength // 3
            guns = [int(unit.strength - 2 * howitzers), int(howitzers), int(howitzers)]
            divide(unit, [weapon("R3"), weapon("N"), weapon("H12")], guns, guns)
    built.battle.ready()
    return built


class Witness(Observer):
    """Keeps what the audit says after each activation and turn."""

    def deployed(self, game):
        self.faults = audit(game.battle)

    def after_activation(self, game):
        self.faults += audit(game.battle)

    def after_turn(self, game):
        self.faults += audit(game.battle)


def fight(built, wild, union, confederate, key):
    """A battle between commanders of these names, told whole."""
    sides = ((union, "Union"), (confederate, "Confederate"))
    commanders = [
        wild() if who == "wild" else RandomCommander() if who == "random" else resolve(who, side, built)
        for who, side in sides
    ]
    game = Game(built.battle, built.series, KeyedDice(key, 7), commanders)
    game.log.level = EVERYTHING
    witness = Witness()
    game.watch(witness)
    game.play(0)
    return game, witness


def told(game):
    return [(event.kind, event.unit, event.guns, event.sp, event.roll) for event in game.log.events]


@pytest.mark.parametrize(
    ("union", "confederate"),
    [("wild", "wild"), ("random", "aggressive"), ("cautious", "random"), ("aggressive", "steady")],
)
def test_8_37_10_65_every_state_is_legal_and_battles_repeat(divided, wild, union, confederate):
    for key in range(3):
        game, witness = fight(divided, wild, union, confederate, key)
        assert witness.faults == []
        events = told(game)
        again, _ = fight(divided, wild, union, confederate, key)
        assert events == told(again)


def test_10_65_10_69_8_37_sections_fire_apart_and_together_lose_guns_and_run_short(divided, wild):
    events = []
    for key in range(8):
        for who in ("wild", "aggressive"):
            events += fight(divided, wild, who, who, key)[0].log.events
    fires = {event.guns for event in events if event.kind == "fire" and event.guns}
    assert {guns for guns in fires if "+" not in guns} and {guns for guns in fires if "+" in guns}
    assert any(event.kind == "section" for event in events)
    assert len({event.mode for event in events if event.kind == "ammunition" and event.mode}) > 1


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda unit: setattr(unit.sections[0], "guns", unit.sections[0].guns - 1), "do not make"),
        (lambda unit: setattr(unit.sections[0], "full", 1), "its counter shows 1"),
        (lambda unit: setattr(unit.sections[1], "ammo", 3), "ammunition level 3 of N is impossible"),
        (lambda unit: setattr(unit, "ammo", 1), "not that of its best section"),
        (lambda unit: setattr(unit.sections[2], "hex", unit.sections[2].hex.sides[0].to), "stands apart from it"),
        (lambda unit: unit.sections.append(unit.sections[0]), "a section is missing or there twice"),
    ],
)
def test_8_37_10_69_the_audit_finds_sections_that_do_not_make_a_battery(divided, spoil, said):
    divided.battle.reset()
    unit = next(unit for unit in divided.battle.units if unit.sections)
    whole = list(unit.sections)
    full = [int(section.full) for section in whole]
    spoil(unit)
    found = audit(divided.battle)
    unit.sections = whole
    for section, guns in zip(whole, full, strict=True):
        section.full = guns
        section.hex = unit.hex
    divided.battle.reset()
    assert any(said in fault for fault in found)
    assert audit(divided.battle) == []
