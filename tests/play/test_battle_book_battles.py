"""Whole battles with the rules of Dead of Winter's battle book (4.41 to 4.44, 18.2, 18.3, 19.0, 21.2)."""

from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from simkit.model.log import EVERYTHING
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build
from simkit.scenario.commanders import resolve
from simkit.scenario.scenariofile import read_scenario

SCENARIO = Path(__file__).parent / "ford.toml"
BOOKS = Path(str(files("simkit"))) / "books"


def battle(crittendens_attack="yes"):
    options = {"crittendens_attack": crittendens_attack, "ambush": "fire"}
    return build(read_scenario(SCENARIO, BOOKS), options)


@pytest.mark.parametrize("who", ["random", "steady"])
def test_battles_keep_to_the_battle_books_rules(auditor, who):
    built = battle()
    commanders = [resolve(who, side, built) for side in ("Union", "Confederate")]
    game = Game(built.battle, built.series, KeyedDice(18, 31), commanders)
    game.log.level = EVERYTHING
    watcher = auditor()
    game.watch(watcher)
    kinds = Counter()
    crossed = 0
    for run in range(2):
        game.play(run)
        kinds.update(event.kind for event in game.log.events)
        crossed += built.battle.course.advances
    assert watcher.faults == []
    assert crossed > 2
    assert {"event", "crossing", "activation", "move"} <= set(kinds)


def test_18_2_a_battle_begins_at_its_own_water_and_replays():
    built = battle()
    commanders = [resolve("steady", side, built) for side in ("Union", "Confederate")]
    game = Game(built.battle, built.series, KeyedDice(18, 31), commanders)
    ends = []
    for run in (0, 1, 0):
        built.series.crossings.rain()
        game.play(run)
        ends.append(built.battle.digest())
    assert ends[0] == ends[2] != ends[1]
