"""Battles with reinforcements on both sides (9.7), from a scenario of the tests' own."""

from importlib.resources import files
from pathlib import Path

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.model.forces import NOT_ENTERED, ROUTED
from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.play.victory import broken_regiments
from simkit.rules.dice import KeyedDice
from simkit.scenario import build
from simkit.scenario.scenariofile import read_scenario

SCENARIO = Path(__file__).parent / "reinforcements.toml"
BOOKS = Path(str(files("simkit"))) / "books"
KEYS = [(1862, number) for number in range(3)]


@pytest.fixture(scope="module")
def built():
    return build(read_scenario(SCENARIO, BOOKS))


def test_9_7_who_is_to_enter_is_off_the_map_at_the_start(built):
    built.battle.reset()
    off = [unit for unit in built.battle.units if unit.arrival is not None]
    assert len(off) == 15
    assert all(unit.place == NOT_ENTERED for unit in off)
    assert audit(built.battle) == []


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda unit: setattr(unit, "arrival", None), "it belongs to no group of reinforcements (9.7)"),
        (lambda unit: setattr(unit, "place", ROUTED), "it waits to enter the map, but is routed (9.71)"),
        (lambda unit: unit.arrival.entrances[0].gates[0].stack.append(unit.parts[0]), "has stopped on the way in"),
    ],
)  # fmt: skip
def test_9_71_the_audit_finds_who_enters_wrongly(spoil, said):
    battle = build(read_scenario(SCENARIO, BOOKS)).battle
    unit = battle.reinforcements[0].units[0]
    unit.waiting = True
    assert audit(battle) == []
    spoil(unit)
    assert said in " ".join(audit(battle))


def test_13_21_who_has_not_entered_is_not_counted_as_broken(built):
    built.battle.reset()
    assert broken_regiments(built.battle, 0) == broken_regiments(built.battle, 1) == 0


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("union", "confederate"),
    [("steady", "aggressive"), ("random", "random"), ("wild", "wild"), ("cautious", "random"), ("wild", "steady")],
)
def test_9_71_every_state_is_legal(fought, union, confederate, key):
    game, witness = fought(union, confederate, key)
    assert witness.faults == []
    entered = {event.unit for event in game.log.events if event.kind == "enter"}
    assert entered <= {unit.id for unit in game.battle.units if unit.arrival is not None}
    assert {unit.id for unit in game.battle.units if unit.arrival and unit.place != NOT_ENTERED} == entered


@pytest.mark.parametrize("key", KEYS)
def test_9_71_the_heuristic_brings_everybody_on_in_his_turn(fought, built, key):
    game, _ = fought("steady", "aggressive", key)
    turns = {event.unit: int(event.turn) for event in game.log.events if event.kind == "enter"}
    for group in game.battle.reinforcements:
        for unit in group.units:
            assert turns[unit.id] in (group.turn, group.turn + 1), unit.id
    assert all(leader.place != NOT_ENTERED for leader in game.battle.leaders)


def test_9_71_the_digest_of_a_run_is_the_same_again(fought):
    game, _ = fought("steady", "random", KEYS[0])
    digest = game.battle.digest()
    game, _ = fought("steady", "random", KEYS[0])
    assert game.battle.digest() == digest


def test_9_7_a_battle_goes_on_from_a_snapshot_while_some_still_wait(fought):
    """After the first activations of each turn, and in the middle of a marker: who waits and who is ahead is kept."""

    class Keeper(Observer):
        def __init__(self):
            self.kept = []

        def after_activation(self, game):
            if any(unit.waiting for unit in game.battle.units) or any(e.queued for e in game.battle.entrances):
                self.kept.append(game.battle.snapshot())

    game, _ = fought("random", "steady", KEYS[1])
    end = game.battle.digest()
    keeper = Keeper()
    game.watch(keeper)
    game.play(0)
    assert game.battle.digest() == end
    assert len(keeper.kept) > 3
    for snapshot in keeper.kept[::3]:
        game.battle.restore(snapshot)
        game.resume(0)
        assert game.battle.digest() == end


def test_3_0_orders_are_given_between_division_orders_and_the_pool(fought):
    game, _ = fought("steady", "steady", KEYS[0])
    kinds = [(e.turn, e.kind, e.mode) for e in game.log.events if e.kind in ("orders", "marker")]
    given = [at for at, (_, kind, mode) in enumerate(kinds) if mode == "reinforcements"]
    assert given
    for at in given:
        turn = kinds[at][0]
        assert all(kinds[other][0] != turn for other in range(at) if kinds[other][1] == "marker")


def test_5_13_the_side_with_the_initiative_gives_reinforcement_orders_first(built):
    """In the second turn of the battle both sides have reinforcements; whoever has the initiative is asked first."""
    asked = []

    class Asked(RandomCommander):
        def reinforcement_orders(self, series, command, units, choices):
            asked.append((int(series.battle.turn), int(self.side)))
            return super().reinforcement_orders(series, command, units, choices)

    both = 0
    for key in KEYS:
        asked.clear()
        game = Game(built.battle, built.series, KeyedDice(*key), [Asked(), Asked()])
        firsts = []
        game.watch(Firsts(firsts))
        game.play(0)
        for turn, first in enumerate(firsts):
            sides = [side for when, side in asked if when == turn]
            assert sides == sorted(sides, key=lambda side: side != first)
            both += len(set(sides)) == 2
    assert both > 0


class Firsts(Observer):
    """Notes the side that goes first in each turn."""

    def __init__(self, firsts):
        self.firsts = firsts

    def after_turn(self, game):
        self.firsts.append(int(game.series.activation.first_side()))
