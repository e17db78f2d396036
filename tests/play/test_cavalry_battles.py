"""Whole battles in which every other regiment is cavalry: it mounts, dismounts, is Blown, and every state is legal."""

import csv
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from simkit.model.forces import CAVALRY
from simkit.model.log import EVERYTHING
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build
from simkit.scenario.commanders import resolve
from simkit.scenario.roster import DISMOUNTED, slug
from simkit.scenario.scenariofile import read_scenario

BOOK = Path(str(files("simkit"))) / "books" / "dead_of_winter"


def mounted_regiments(path):
    """Make every other regiment of a roster cavalry of two counters; their ids."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    made = set()
    for number, row in enumerate(rows):
        if row["kind"] == "infantry" and number % 2 == 0:
            on_foot = (row["weapon"], row["cohesion"], row["cohesion_disordered"], row["movement"])
            row.update(zip(DISMOUNTED, (*on_foot, row["movement_disordered"]), strict=True))
            row.update(kind="cavalry", weapon="C", movement="10", movement_disordered="8")
            made.add(f"{slug(row['brigade'])}/{slug(row['name'])}")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return made


@pytest.fixture(scope="module")
def horse(tmp_path_factory):
    """The skirmish with much cavalry, on foot where it shares a hex; both sides' names for the battle."""
    folder = tmp_path_factory.mktemp("books") / "dead_of_winter"
    shutil.copytree(BOOK, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    cavalry = mounted_regiments(folder / "roster" / "units.csv")

    def on_foot(found):
        units = re.findall(r'"([^"]+)"', found[0])
        named = [f'"{unit}"' for unit in units if unit in cavalry]
        return f"{found[0]}\ndismounted = [{', '.join(named)}]" if named and len(units) > 1 else found[0]

    path = folder / "scenarios" / "skirmish.toml"
    text = re.sub(r"^units = \[.*?\]", on_foot, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")

    def made(**options):
        return build(read_scenario(path, folder.parent), options)

    return made


@pytest.mark.parametrize("edition", ["dead_of_winter", "gringo"])
def test_14_2_battles_with_much_cavalry(horse, auditor, edition):
    """14.22, 11.58, 14.21: the audit finds nothing wrong, what may happen does, and a reset takes all back."""
    built = horse(edition=edition)
    before = built.battle.digest()
    kinds = set()
    pairs = [("random", "random"), ("aggressive", "cautious"), ("random", "steady")]
    for run, (union, confederate) in enumerate(pairs):
        sides = [resolve(who, side, built) for who, side in ((union, "Union"), (confederate, "Confederate"))]
        game = Game(built.battle, built.series, KeyedDice(14, 2), sides)
        game.log.level = EVERYTHING
        watcher = auditor()
        game.watch(watcher)
        game.play(run)
        assert watcher.faults == []
        kinds |= {event.kind for event in game.log.events}
        for unit in built.battle.units:
            assert unit.start + unit.recovered - unit.losses() == unit.strength >= 0
            if unit.kind == CAVALRY and len(unit.counters) > 1:
                assert unit.weapon is unit.counters[0 if unit.mounted else 1].weapon
    assert {"mount", "dismount"} <= kinds
    built.battle.reset()
    assert built.battle.digest() == before


def duel(built, first, second, runs):
    """Points that two doctrines (or random play) lose in battles of both sides each, and how often each wins."""
    lost = [0, 0]
    won = [0, 0]
    charges = [0, 0]
    for run in range(runs):
        for swapped in (False, True):
            names = (second, first) if swapped else (first, second)
            sides = [leading(name, side, built) for name, side in zip(names, ("Union", "Confederate"), strict=True)]
            game = Game(built.battle, built.series, KeyedDice(0x1453, run), sides)
            game.log.level = EVERYTHING
            game.play(run)
            for unit in built.battle.units:
                lost[unit.side ^ swapped] += unit.losses()
            for event in game.log.events:
                if event.kind == "charge" and event.result == "rides to the charge":
                    charges[event.side ^ swapped] += 1
            if game.outcome.winner >= 0:
                won[game.outcome.winner ^ swapped] += 1
    built.battle.reset()
    return lost, won, charges


def leading(name, side, built):
    """A commander by name; "steady on foot" is steady, but never charges."""
    made = resolve(name.removesuffix(" on foot"), side, built)
    if name.endswith(" on foot"):
        made.doctrine.cavalry_charge = 1001
    return made


def test_the_heuristic_beats_random_play_with_much_cavalry(horse):
    """It loses less than half of what it kills, and wins more often, on the same ground from both sides."""
    lost, won, charges = duel(horse(), "steady", "random", 4)
    assert 2 * lost[0] < lost[1] and won[0] > won[1], (lost, won)
    assert charges[0] > 0


@pytest.mark.slow
def test_11_5_whoever_charges_is_no_weaker_than_who_never_does(horse):
    """Within the spread of sixty battles, of which either side may win more by chance."""
    lost, won, charges = duel(horse(), "aggressive", "aggressive on foot", 30)
    assert charges[0] > 20 and charges[1] == 0
    assert won[0] + 8 >= won[1] and 10 * lost[0] < 11 * lost[1], (lost, won)
