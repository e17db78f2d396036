"""How commanders bring reinforcements on (9.7), in the tests' battle of arrivals."""

from importlib.resources import files
from pathlib import Path

import pytest

from simkit.commanders.scripted import HOLD, MOVE_TO, Order, ScriptedCommander
from simkit.model.forces import ADVANCE, MARCH, NOT_ENTERED
from simkit.model.log import EVERYTHING
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build
from simkit.scenario.commanders import resolve
from simkit.scenario.doctrines import doctrine
from simkit.scenario.scenariofile import read_scenario

SCENARIO = Path(__file__).parents[1] / "play" / "reinforcements.toml"
REGIMENT = "2-1-rw/38-il"


@pytest.fixture(scope="module")
def built():
    return build(read_scenario(SCENARIO, Path(str(files("simkit"))) / "books"))


def scripted(*orders):
    return ScriptedCommander(doctrine("steady"), [], list(orders))


def order(deed, target="", brigade="", unit="", first=0, last=9, orders=-1):
    return Order(first, last, -1, brigade, unit, deed, target, -1, orders)


@pytest.fixture
def played(built):
    def play(union, turns=1):
        game = Game(built.battle, built.series, KeyedDice(1862, 3), [union, resolve("steady", "Confederate", built)])
        game.log.level = EVERYTHING
        game.begin(0)
        for turn in range(turns):
            game.battle.turn = turn
            game.turn()
        return game

    return play


def unit_of(game, ident):
    return next(unit for unit in game.battle.units if unit.id == ident)


def test_9_73_whoever_is_told_to_hold_stays_off_the_map(played):
    game = played(scripted(order(HOLD, unit=REGIMENT, last=0)))
    assert unit_of(game, REGIMENT).place == NOT_ENTERED
    assert unit_of(game, REGIMENT).could_enter
    assert unit_of(game, "2-1-rw/101-oh").place != NOT_ENTERED
    game = played(scripted(order(HOLD, unit=REGIMENT, last=0)), 2)
    assert unit_of(game, REGIMENT).place != NOT_ENTERED


def test_9_71_a_script_leads_them_to_a_hex(played):
    game = played(scripted(order(MOVE_TO, "C2904", unit=REGIMENT)))
    assert unit_of(game, REGIMENT).hex.id == "C2904"


def test_9_71_a_script_says_under_which_orders(played):
    for orders, name in ((MARCH, "March"), (ADVANCE, "Advance")):
        game = played(scripted(order(MOVE_TO, "C2904", brigade="2/1/RW", orders=orders)))
        given = [e.result for e in game.log.events if e.kind == "orders" and e.mode == "reinforcements"]
        assert given == [name]


def test_9_71_the_heuristic_rides_in_with_its_leaders(played, built):
    game = played(resolve("steady", "Union", built))
    carlin = next(leader for leader in game.battle.leaders if leader.id == "2-1-rw/carlin")
    assert carlin.in_play()
    first = next(e for e in game.log.events if e.kind == "enter")
    rides = [e for e in game.log.events if e.kind == "leader" and e.unit == carlin.id]
    assert rides[0].target_hex == first.target_hex
    assert rides[0].activation == first.activation


def test_9_71_what_is_still_to_come_counts_as_no_loss(played, built):
    """A brigade that waits sees the field around its entrance; one that is not due yet sees nothing lost."""
    game = played(resolve("steady", "Union", built), 0)
    commander = game.commanders[1]
    field = commander.field(game.battle)
    vaughn = next(command for command in game.battle.brigades if command.code == "4/1/P")
    field.look(vaughn)
    assert field.spent == 100  # nobody there: nothing to send
    for unit in vaughn.units:
        unit.waiting = True
    field.look(vaughn)
    assert field.spent == 0
    assert field.nearest < 20
    for unit in vaughn.units[1:]:
        unit.waiting = False
    field.look(vaughn)
    assert field.spent == 0
