"""Every commander plays whole battles legally; the heuristic beats random play; a user's own class plays too."""

import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from simkit.batch.guard import commander_for
from simkit.rules.dice import COMMANDER
from simkit.scenario.doctrines import doctrine_names

HERE = Path(__file__).parent
OPENING = str(HERE / "opening.toml")
UNION, CONFEDERATE, NOBODY = 0, 1, -1
CONTRACT_BATTLES = 3
YARDSTICK_BATTLES = 200


def user_class():
    spec = importlib.util.spec_from_file_location("usercommander", HERE / "usercommander.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Bayonets


@pytest.mark.parametrize("name", [*doctrine_names(), "random", OPENING, "a user's"])
def test_every_commander_plays_legal_battles_to_their_end(match, auditor, name):
    """Whatever it answers, no rule refuses it, and no activation leaves an illegal state."""
    who = user_class()() if name == "a user's" else name
    game = match(who, "steady")
    game.watch(auditor)
    for run in range(CONTRACT_BATTLES):
        game.play(run)
        assert game.log.events[-1].kind == "end"
        assert game.battle.pool == []
    assert auditor.faults == []


@pytest.mark.parametrize("name", [*doctrine_names(), "random"])
def test_every_commander_also_leads_the_other_side(match, auditor, name):
    game = match("cautious", name)
    game.watch(auditor)
    game.play(7)
    assert auditor.faults == []


@pytest.mark.parametrize("name", ["steady", "random", OPENING])
def test_a_commander_keeps_nothing_from_one_run_to_the_next(match, name):
    """A run depends on its number alone, not on what the same commander has played before."""
    game = match(name, "steady")
    game.play(2)
    digest = game.battle.digest()
    game.play(3)
    game.play(2)
    assert game.battle.digest() == digest
    fresh = match(name, "steady")
    fresh.play(2)
    assert fresh.battle.digest() == digest


@pytest.mark.slow
@pytest.mark.parametrize("side", [UNION, CONFEDERATE])
def test_the_heuristic_beats_random_play(match, side):
    """At least half of the battles are decided, and at least nine of ten of these are won, from each side."""
    game = match("steady", "random", level=0) if side == UNION else match("random", "steady", level=0)
    winners = Counter()
    for run in range(YARDSTICK_BATTLES):
        game.play(run)
        winners[int(game.outcome.winner)] += 1
    decided = winners[UNION] + winners[CONFEDERATE]
    assert 2 * decided >= YARDSTICK_BATTLES, winners
    assert 10 * winners[side] >= 9 * decided, winners


def test_a_users_class_from_python_goes_its_own_way(match):
    commander = user_class()()
    game = match(commander, "steady")
    game.play(0)
    assert commander.asked == sum(event.kind == "activation" and event.side == UNION for event in game.log.events)
    fought = [(event.kind, event.mode) for event in game.log.events if event.side == UNION]
    assert ("fire", "phasing") not in fought
    assert ("shock", "shock") in fought


def test_a_users_class_is_found_by_its_name_and_plays_the_same(match, skirmish):
    """As the command line finds it, checked and watched."""
    named = commander_for("usercommander:Bayonets", "Union", skirmish, str(HERE))
    digests = []
    for commander in (named, user_class()()):
        game = match(commander, "steady")
        game.play(1)
        digests.append(game.battle.digest())
    assert digests[0] == digests[1]


def test_random_play_draws_its_choices_from_a_stream_of_its_own(match):
    """Other choices leave the dice of the rules as they were: the markers come in the same order."""
    games = [match("random", "random"), match("random", "random")]
    games[1].dice.redrawn[COMMANDER] = 1
    told = []
    for game in games:
        game.play(0)
        told.append(([event.unit for event in game.log.events if event.kind == "marker"], game.battle.digest()))
        assert sum(command.draws[COMMANDER] for command in game.battle.commands) > 100
    assert told[0][0] == told[1][0]
    assert told[0][1] != told[1][1]
