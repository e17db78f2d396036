"""Battles with reinforcements on both sides (9.7), from a scenario of the tests' own."""

from importlib.resources import files
from pathlib import Path

import pytest

from simkit.model.forces import NOT_ENTERED
from simkit.model.log import EVERYTHING
from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.rules.dice import KeyedDice
from simkit.scenario import build
from simkit.scenario.commanders import resolve
from simkit.scenario.scenariofile import read_scenario

SCENARIO = Path(__file__).parent / "reinforcements.toml"
BOOKS = Path(str(files("simkit"))) / "books"
KEYS = [(1862, number) for number in range(3)]


class Witness(Observer):
    """Keeps what the audit says after each activation, and in which turn everybody entered."""

    def __init__(self):
        self.faults = []

    def deployed(self, game):
        self.faults += audit(game.battle)

    def after_activation(self, game):
        self.faults += audit(game.battle)
        for entrance in game.battle.entrances:
            assert all(gate.stack == [] and gate.leaders == [] for gate in entrance.gates)

    def after_turn(self, game):
        self.faults += audit(game.battle)


@pytest.fixture(scope="module")
def built():
    return build(read_scenario(SCENARIO, BOOKS))


@pytest.fixture
def fought(built, wild):
    def fight(union, confederate, key, run=0):
        made = [
            wild() if who == "wild" else resolve(who, side, built)
            for who, side in ((union, "Union"), (confederate, "Confederate"))
        ]
        game = Game(built.battle, built.series, KeyedDice(*key), made)
        game.log.level = EVERYTHING
        witness = Witness()
        game.watch(witness)
        game.play(run)
        return game, witness

    return fight


def test_9_7_who_is_to_enter_is_off_the_map_at_the_start(built):
    built.battle.reset()
    off = [unit for unit in built.battle.units if unit.arrival is not None]
    assert len(off) == 15
    assert all(unit.place == NOT_ENTERED for unit in off)
    assert audit(built.battle) == []


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("union", "confederate"),
    [("steady", "aggressive"), ("random", "random"), ("wild", "wild"), ("cautious", "random"), ("wild", "steady")],
)
def test_9_7_every_state_is_legal(fought, union, confederate, key):
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


def test_3_0_orders_are_given_between_division_orders_and_the_pool(fought):
    game, _ = fought("steady", "steady", KEYS[0])
    kinds = [(e.turn, e.kind, e.mode) for e in game.log.events if e.kind in ("orders", "marker")]
    given = [at for at, (_, kind, mode) in enumerate(kinds) if mode == "reinforcements"]
    assert given
    for at in given:
        turn = kinds[at][0]
        assert all(kinds[other][0] != turn for other in range(at) if kinds[other][1] == "marker")
