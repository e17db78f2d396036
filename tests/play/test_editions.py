"""Whole battles by every book's wording of the series rules, with guns that may run in close (9.55 option 2)."""

import pytest

from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.rules.options import EDITIONS
from simkit.scenario import build, load


@pytest.mark.parametrize("name", EDITIONS)
def test_random_battles_are_sound_in_every_edition(wild, auditor, name):
    built = build(load("dead_of_winter/skirmish"), {"edition": name, "artillery_near_enemy": "2"})
    game = Game(built.battle, built.series, KeyedDice(3, 5), [wild(), wild()])
    watcher = auditor()
    game.watch(watcher)
    for run in range(6):
        game.play(run)
        assert watcher.faults == []
        for unit in built.battle.units:
            assert unit.start + unit.recovered - unit.losses() == unit.strength >= 0
