"""Whole battles with event markers in the pool (5.31): every kind of event strikes, and no state is illegal."""

from collections import Counter

import pytest

from simkit.model.battle import EVENT_MARKER
from simkit.model.events import EITHER, EVENT_KINDS, NONE, EventChart, EventMarkers, RandomEvent
from simkit.model.log import EVERYTHING
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve

NUMBER = 6  # of markers of each chart
FACES = 10


def eventful():
    """The skirmish with markers of two charts that hold every kind of event but none; each is Union's or either's."""
    built = build(load("dead_of_winter/skirmish"))
    events = []
    for kind in [kind for kind in EVENT_KINDS if kind != NONE]:
        made = RandomEvent(kind, kind)
        made.side, made.level, made.within, made.support, made.number = len(events) % 2, 1, 4, 2, 2
        made.drm, made.killed = 4, 3
        events.append(made)
    rest = events[FACES:]
    for faces in (events[:FACES], [rest[face % len(rest)] for face in range(FACES)]):
        chart = EventChart("Events", [EITHER] * FACES, faces, False, False)
        built.rules.events.append(EventMarkers(chart, NUMBER, 0, 9))
    return built


@pytest.mark.parametrize("who", ["random", "aggressive"])
def test_5_31_markers_drawn_are_markers_placed_and_every_kind_of_event_strikes(auditor, who):
    built = eventful()
    commanders = [resolve(who, side, built) for side in ("Union", "Confederate")]
    game = Game(built.battle, built.series, KeyedDice(19, 31), commanders)
    game.log.level = EVERYTHING
    watcher = auditor()
    game.watch(watcher)
    struck = Counter()
    for run in range(8):
        game.play(run)
        told = [event for event in game.log.events if event.kind == "event" and event.mode == "Events"]
        assert len(told) == 2 * NUMBER
        assert not game.battle.pool
        struck.update(event.result for event in told)
    assert watcher.faults == []
    assert set(struck) == {kind for kind in EVENT_KINDS if kind != NONE}


def test_5_31_event_markers_lie_in_the_pool_like_any_others():
    """Where the first of six event markers lies among the others differs from run to run; a restored pool is the same.

    Of 40 runs the first comes out first in more than 5 and fewer than 40: eight others and six such.
    """
    built = eventful()
    commanders = [resolve("random", side, built) for side in ("Union", "Confederate")]
    game = Game(built.battle, built.series, KeyedDice(5, 31), commanders)
    first = 0
    for run in range(40):
        game.begin(run)
        built.series.activation.begin_turn()
        built.series.command.determine()
        built.series.activation.determine_efficiency()
        built.series.activation.fill_pool()
        pool = [(marker.kind, marker.side, marker.number, marker.order) for marker in built.battle.pool]
        first += pool[0][0] == EVENT_MARKER
        kept = built.battle.snapshot()
        built.battle.pool = []
        built.battle.restore(kept)
        assert [(marker.kind, marker.side, marker.number, marker.order) for marker in built.battle.pool] == pool
    assert 5 < first < 40
