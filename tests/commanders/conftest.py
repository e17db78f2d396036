"""Battles for commanders: the skirmish by their names, and the small fields of the rule tests."""

import pytest

from simkit.commanders.heuristic import HeuristicCommander
from simkit.model.log import EVERYTHING
from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve
from simkit.scenario.doctrines import doctrine

SKIRMISH = "dead_of_winter/skirmish"
KEY = (0x1862, 0x1230)


class Auditor(Observer):
    """Keeps what the audit finds wrong after any activation."""

    def __init__(self):
        self.faults = []

    def after_activation(self, game):
        self.faults.extend(audit(game.battle))

    def after_turn(self, game):
        self.after_activation(game)


@pytest.fixture(scope="session")
def skirmish():
    """The skirmish, built once: games that share it are played one after the other."""
    return build(load(SKIRMISH))


@pytest.fixture
def match(skirmish):
    """A function that makes a game of the skirmish from two commanders, or names of them."""

    def make(union, confederate, key=KEY, level=EVERYTHING):
        both = [
            resolve(who, side, skirmish) if isinstance(who, str) else who
            for who, side in zip((union, confederate), ("Union", "Confederate"), strict=True)
        ]
        game = Game(skirmish.battle, skirmish.series, KeyedDice(*key), both)
        game.log.level = level
        return game

    return make


@pytest.fixture
def auditor():
    return Auditor()


@pytest.fixture
def scene(field):
    """A function that makes a small field whose Union side is led by a doctrine; complete it with `enter`."""

    def make(name, columns=16, rows=12, side=0):
        made = field(columns, rows)
        leader = HeuristicCommander(doctrine(name), [])
        leader.side = side
        made.commanders[side] = leader
        made.led = leader
        return made

    return make


@pytest.fixture
def enter():
    """A function that completes a scene with keyed dice and begins the activation of the brigade of a unit."""

    def begin(made, unit):
        made.play()
        made.series.equip(KeyedDice(*KEY), made.log, made.commanders)
        made.begin(unit)
        made.led.field(made.battle).look(unit.command)
        return made.led

    return begin
