"""The sequence of play (3.0), and games as a whole."""

import pytest

from simkit.model.battle import DAY, PHASE_COMMANDERS, PHASES, Turn
from simkit.model.forces import ARTILLERY, ELIMINATED, ON_MAP, ROUTED
from simkit.model.log import EVERYTHING
from simkit.play.game import Game, Observer
from simkit.play.victory import broken_regiments, check_kind, judge
from simkit.rules.commander import Commander, CommanderError
from simkit.rules.dice import KeyedDice

UNION, CONFEDERATE = 0, 1


class Watcher(Observer):
    def __init__(self):
        self.seen = []

    def deployed(self, game):
        self.seen.append("deployed")

    def after_activation(self, game):
        self.seen.append(" ".join(command.code for command in game.series.activation.current))

    def after_turn(self, game):
        self.seen.append("turn")


@pytest.fixture
def two_turns(built):
    """The skirmish with a second turn."""
    built.battle.turns.append(Turn("1400", DAY))
    for fixed in built.series.scenario.fixed:
        fixed.last = 1
    yield built
    built.battle.turns.pop()


# -- the sequence of play --------------------------------------------------------------------------------------------


def test_3_0_what_a_side_is_asked_comes_in_the_order_of_the_sequence_of_play(game):
    played = game()
    played.play(0)
    asked = played.commanders[UNION].asked
    assert [what for _, _, what in asked[:2]] == ["deploy", "division_orders"]
    assert asked[-1] == (0, PHASE_COMMANDERS, "end_of_turn")
    middle = asked[2:-1]
    assert [PHASES[phase] for _, phase, _ in middle] == ["action", "shock"] * (len(middle) // 2)
    phases = [phase for _, phase, _ in asked]
    assert phases[0] < phases[1] < min(phases[2:-1])


def test_3_0_the_skirmish_is_one_turn_with_the_union_first_and_four_markers_a_side(game):
    """3.0, and what "dead_of_winter/skirmish" prints of turns, initiative and efficiency."""
    played = game()
    played.log.level = EVERYTHING
    played.play(0)
    events = played.log.events
    assert len([event for event in events if event.kind == "turn"]) == 1
    assert [event.result for event in events if event.kind == "initiative"] == ["Union"]
    drawn = [event.unit for event in events if event.kind == "marker"]
    assert drawn[0] == "1/RW"
    assert sorted(drawn) == ["1/P"] * 4 + ["1/RW"] * 4


def test_5_31_the_order_of_markers_differs_from_run_to_run(game):
    played = game()
    played.log.level = EVERYTHING
    orders = set()
    for run in range(12):
        played.play(run)
        orders.add(tuple(event.unit for event in played.log.events if event.kind == "marker"))
    assert len(orders) > 6


def test_5_32_every_brigade_acts_on_each_of_its_divisions_markers(game):
    played = game()
    watcher = Watcher()
    played.watch(watcher)
    played.play(3)
    for command in played.battle.brigades:
        expected = sum(code == command.code for code in watcher.seen)
        assert command.activations == expected > 0
    assert watcher.seen[0] == "deployed"
    assert watcher.seen[-1] == "turn"


def test_3_0_a_second_turn_rolls_for_the_initiative(game, two_turns):
    played = game()
    played.log.level = EVERYTHING
    played.play(1)
    rolled = [event for event in played.log.events if event.kind == "initiative"]
    assert [event.turn for event in rolled] == [0, 1]
    assert sum(army.draws[0] for army in played.battle.armies) == 2
    assert [turn for turn, _, what in played.commanders[UNION].asked if what == "end_of_turn"] == [0, 1]


def test_5_31_5_36_counts_begin_anew_each_turn(game, two_turns):
    played = game()
    played.play(1)
    assert max(unit.activations for unit in played.battle.units) <= 4


def test_9_32_a_commanders_long_ride_costs_him_the_next_turn(game, built):
    mccook = next(leader for leader in built.battle.leaders if leader.level == 3)

    class Rider(type(game().commanders[0])):
        def end_of_turn(self, series, side):
            if side == mccook.side:
                for place in series.movement.leader_search(mccook):
                    if series.movement.range_cost(mccook.hex, place, side, 80) > 20:
                        series.movement.move_leader(mccook, place)
                        return

    played = game(Rider)
    played.play(0)
    assert mccook.far_moved
    played.series.command.determine()
    assert played.series.command.command_range(mccook) == 0
    game().play(0)
    assert not mccook.far_moved


def test_12_82_abandoned_guns_are_lost_at_the_end_of_the_second_turn(game, two_turns):
    battery = next(unit for unit in two_turns.battle.units if unit.kind == ARTILLERY)
    levels = []

    class Leaver(type(game().commanders[0])):
        def act(self, series, brigades):
            if series.battle.turn == 0 and battery.abandoned == 0:
                series.battle.abandon(battery, 1)

        def division_orders(self, series, brigades):
            if self.side == battery.side:
                levels.append(int(battery.abandoned))

    played = game(Leaver)
    guns = battery.start
    played.play(0)
    assert levels == [0, 2]
    assert (battery.place, battery.lost_other) == (ELIMINATED, guns)


# -- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_replays_to_the_same_end_and_another_does_not(game, wild):
    played = game(wild)
    digests = []
    for run in (5, 6, 5):
        played.play(run)
        digests.append(played.battle.digest())
    assert digests[0] == digests[2] != digests[1]


def test_two_battles_can_be_played_in_turns(wild):
    from simkit.scenario import build, load

    games = []
    for _ in range(2):
        made = build(load("dead_of_winter/skirmish"))
        games.append(Game(made.battle, made.series, KeyedDice(7, 7), [wild(), wild()]))
        games[-1].begin(2)
    for played in games:
        played.series.activation.begin_turn()
        played.series.activation.determine_initiative()
        played.orders_segment()
        played.series.activation.fill_pool()
    markers = [played.series.activation.choose_first() for played in games]
    for _ in range(3):
        for played, marker in zip(games, markers, strict=True):
            played.activate(marker)
        assert games[0].battle.digest() == games[1].battle.digest()
        markers = [played.series.activation.draw() for played in games]


def test_a_game_that_stopped_half_way_begins_anew(game, wild):
    class Balks(wild):
        def act(self, series, brigades):
            if series.battle.activation > 6:
                raise RuntimeError("no more")
            super().act(series, brigades)

    with pytest.raises(RuntimeError):
        game(Balks).play(1)
    played = game(wild)
    played.play(1)
    digest = played.battle.digest()
    played.play(1)
    assert played.battle.digest() == digest


def test_the_log_keeps_nothing_unless_asked(game, wild):
    played = game(wild)
    played.play(0)
    assert played.log.events == []
    digest = played.battle.digest()
    played.log.level = EVERYTHING
    played.play(0)
    assert played.battle.digest() == digest
    assert played.log.events[-1].kind == "end"


def test_units_keep_their_books_over_many_runs(game, wild):
    played = game(wild)
    for run in range(3):
        played.play(run)
        for unit in played.battle.units:
            assert unit.start + unit.recovered - unit.losses() == unit.strength


def test_a_wrong_answer_stops_the_game_with_the_name_of_the_question(game, passive):
    class Wrong(passive):
        def first_marker(self, series, divisions):
            return 17

    with pytest.raises(CommanderError, match=r"Commander\.first_marker: 17"):
        game(Wrong).play(0)


def test_commanders_must_say_how_they_act(game):
    with pytest.raises(NotImplementedError, match=r"Commander\.act"):
        game(Commander).play(0)


def test_a_game_needs_two_commanders(built, passive):
    with pytest.raises(ValueError, match="2 commanders"):
        Game(built.battle, built.series, KeyedDice(1, 1), [passive()])


# -- victory ---------------------------------------------------------------------------------------------------------


def ends(battle, side, collapsed=0, routed=0, eliminated=0, batteries=0):
    regiments = [unit for unit in battle.units if unit.side == side and unit.kind != ARTILLERY]
    guns = [unit for unit in battle.units if unit.side == side and unit.kind == ARTILLERY]
    for unit in regiments[:collapsed]:
        unit.collapsed = True
    for unit in regiments[collapsed : collapsed + routed]:
        battle.remove(unit, ROUTED)
    for unit in regiments[collapsed + routed : collapsed + routed + eliminated]:
        battle.remove(unit, ELIMINATED)
    for unit in guns[:batteries]:
        battle.remove(unit, ELIMINATED)


@pytest.mark.parametrize(
    ("union", "confederate", "winner"),
    [
        ({}, {}, -1),
        ({"collapsed": 1}, {}, CONFEDERATE),
        ({}, {"routed": 1}, UNION),
        ({"collapsed": 2}, {"routed": 1, "eliminated": 1}, -1),
        ({"collapsed": 1, "routed": 2}, {"collapsed": 2}, CONFEDERATE),
        ({"batteries": 2}, {}, -1),
        ({"eliminated": 1}, {}, CONFEDERATE),
    ],
)
def test_the_side_with_more_broken_regiments_loses_the_skirmish(built, union, confederate, winner):
    """Victory of "dead_of_winter/skirmish"."""
    built.battle.reset()
    ends(built.battle, UNION, **union)
    ends(built.battle, CONFEDERATE, **confederate)
    outcome = judge(built.battle, "regiments", built.series.scenario.conditions)
    assert (outcome.winner, outcome.level, outcome.vp) == (winner, "win" if winner >= 0 else "draw", None)


def test_a_collapsed_regiment_that_routs_counts_once(built):
    built.battle.reset()
    unit = next(unit for unit in built.battle.units if unit.kind != ARTILLERY and unit.side == UNION)
    unit.collapsed = True
    built.battle.remove(unit, ROUTED)
    assert broken_regiments(built.battle, UNION) == 1
    assert all(unit.place in (ON_MAP, ROUTED) for unit in built.battle.units)


def test_an_unknown_kind_of_victory_is_refused(built, passive):
    with pytest.raises(ValueError, match="unknown kind of victory 'glory'; there are effectiveness, points, regiments"):
        check_kind("glory")
    kind = built.series.scenario.victory
    built.series.scenario.victory = "glory"
    try:
        with pytest.raises(ValueError, match="glory"):
            Game(built.battle, built.series, KeyedDice(1, 1), [passive(), passive()])
    finally:
        built.series.scenario.victory = kind
