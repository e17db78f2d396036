"""Whole battles by every book's wording of the series rules, with guns that may run in close (9.55 option 2)."""

import pytest

from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.rules.dice import KeyedDice
from simkit.rules.options import EDITIONS
from simkit.scenario import build, load


class Auditor(Observer):
    """Collects what the audit finds after every activation and turn."""

    def deployed(self, game):
        self.faults = audit(game.battle)

    def after_activation(self, game):
        self.faults += audit(game.battle)

    def after_turn(self, game):
        self.faults += audit(game.battle)


@pytest.mark.parametrize("name", EDITIONS)
def test_random_battles_are_sound_in_every_edition(wild, name):
    built = build(load("dead_of_winter/skirmish"), {"edition": name, "artillery_near_enemy": "2"})
    game = Game(built.battle, built.series, KeyedDice(3, 5), [wild(), wild()])
    auditor = Auditor()
    game.watch(auditor)
    for run in range(6):
        game.play(run)
        assert auditor.faults == []
        for unit in built.battle.units:
            assert unit.start + unit.recovered - unit.losses() == unit.strength >= 0
