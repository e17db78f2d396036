"""Commanders that answer more than they were asked: changed offers, states and set-ups end in one message."""

from collections.abc import Callable
from pathlib import Path

import pytest

SCENARIO = "dead_of_winter/skirmish"
Command = Callable[..., tuple[int, str, str]]

MEDDLERS = """
from simkit.commanders.heuristic import HeuristicCommander
from simkit.scenario.doctrines import doctrine

class Steady(HeuristicCommander):
    def __init__(self):
        super().__init__(doctrine("steady"), [])

class Yes(Steady):
    def fewer_markers(self, series, division, most):
        return True

class Mounts(Steady):
    def fewer_markers(self, series, division, most):
        for unit in series.battle.units:
            if len(unit.counters) > 1:
                unit.show(not unit.mounted)
        return most

class Blows(Steady):
    def fewer_markers(self, series, division, most):
        series.battle.units[0].blown = True
        return most

class Walls(Steady):
    def fewer_markers(self, series, division, most):
        series.battle.works.stand_in(series.battle.map.hexes[99], 0)
        return most

class Promotes(Steady):
    def fewer_markers(self, series, division, most):
        division.markers += 1
        return most

class Empties(Steady):
    def act(self, series, brigades):
        super().act(series, brigades)
        brigades.clear()

class Sorts(Steady):
    def next_brigade(self, series, brigades):
        brigades.sort(key=lambda brigade: brigade.code, reverse=True)
        return 0

class Redraws(Steady):
    def build(self, series, part, works):
        works[0].hex = series.battle.map.hexes[0]
        return 0

class Wheels(Steady):
    def act(self, series, brigades):
        for unit in brigades[0].units:
            series.facing.set_up(unit, (unit.heading + 4) % 12)
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Yes", "fewer_markers returns True (bool); it should return a whole number"),
        ("Mounts", "fewer_markers changes the battle; it may only answer"),
        ("Blows", "fewer_markers changes the battle; it may only answer"),
        ("Walls", "fewer_markers changes the battle; it may only answer"),
        ("Promotes", "fewer_markers changes the battle; it may only answer"),
        ("Empties", "act changes the list or a choice that it is handed; copy a list"),
        ("Sorts", "next_brigade changes the list or a choice that it is handed; copy a list"),
        ("Redraws", "build changes the list or a choice that it is handed; copy a list"),
        ("Wheels", "act fails: CommanderError: Facing.set_up: "),
    ],
)
def test_answers_that_change_what_was_asked(tmp_path: Path, simkit_command: Command, name: str, said: str) -> None:
    (tmp_path / "meddlers.py").write_text(MEDDLERS, encoding="utf-8")
    arguments = ("run", SCENARIO, "--runs", "1", "--seed", "1", "--jobs", "1", "--out", "out", "--quiet")
    code, out, err = simkit_command(*arguments, "--commander", f"Union=meddlers:{name}")
    assert (code, out) == (2, ""), err
    assert err.startswith(f"simkit: commander meddlers.{name}: {said}"), err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()
