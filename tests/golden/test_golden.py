"""Battles told word for word: whoever changes what the rules or commanders do sees here what changed.

A difference is no fault by itself. Read it; if it is meant, tell the battles anew and keep the files:

    python tests/golden/test_golden.py

The files are read by people too: they are what `simkit replay` tells.
"""

from pathlib import Path

import pytest

from simkit.model.forces import ARTILLERY, SIDES
from simkit.model.log import EVERYTHING
from simkit.play.game import Game
from simkit.report.story import Storyteller
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve

HERE = Path(__file__).parent
SCENARIO = "dead_of_winter/skirmish"
KEY = (0x1862, 0x1230)
BATTLES = {  # file: commanders of both sides, run
    "skirmish": ("steady", "aggressive", 0),
    "skirmish-cautious": ("cautious", "firefighter", 1),
    "skirmish-random": ("random", "random", 2),
}


def told(union: str, confederate: str, run: int) -> str:
    """The story of one battle, with its outcome and losses."""
    built = build(load(SCENARIO))
    commanders = [resolve(who, side, built) for who, side in zip((union, confederate), SIDES, strict=True)]
    game = Game(built.battle, built.series, KeyedDice(*KEY), commanders)
    game.log.level = EVERYTHING
    game.play(run)
    lines = [f"{built.scenario.scenario.name}, run {run}: Union {union}, Confederate {confederate}"]
    lines += Storyteller(built.battle).tell(game.log.events)
    for side, name in enumerate(SIDES):
        units = [unit for unit in built.battle.units if unit.side == side]
        lost = sum(int(unit.losses()) for unit in units if unit.kind != ARTILLERY)
        guns = sum(int(unit.losses()) for unit in units if unit.kind == ARTILLERY)
        lines.append(f"{name} losses: {lost} strength points, {guns} guns")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_goes_as_it_went(name: str) -> None:
    kept = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert told(*BATTLES[name]).splitlines() == kept.splitlines(), f"read the difference, then: python {__file__}"


def test_every_file_is_one_of_the_battles() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(BATTLES)


def test_the_battles_show_most_of_what_can_happen() -> None:
    """Else they would not notice much: fire, shock, retreat, rout, rally, and leaders are all told in them."""
    text = "".join((HERE / f"{name}.txt").read_text(encoding="utf-8") for name in BATTLES)
    deeds = ("fires with", "returns fire", "shocks", "retreats", "routs", "tries to rally", "advances", "moves", "goes")
    assert [words for words in deeds if f" {words}" not in text] == []


if __name__ == "__main__":
    for name, battle in BATTLES.items():
        (HERE / f"{name}.txt").write_text(told(*battle), encoding="utf-8", newline="\n")
        print(HERE / f"{name}.txt")
