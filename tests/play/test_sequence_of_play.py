"""3.0, the sequence of play: whole battles read event by event against the order of segments, phases and steps."""

from importlib.resources import files
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from simkit.model.battle import PHASES
from simkit.model.log import EVERYTHING
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build
from simkit.scenario.commanders import resolve
from simkit.scenario.scenariofile import read_scenario

BOOKS = Path(str(files("simkit"))) / "books"
REINFORCED = Path(__file__).parent / "reinforcements.toml"
SIDES = ("Union", "Confederate")

ORDERS = ["initiative", "chain of command", "efficiency", "division orders", "reinforcement orders",
          "reserve placement", "engineering"]
"""Phases of segments I and II, in order."""
DRAW = ["markers", "change orders", "coordination"]
"""What comes before the first brigade under a marker (III/A to III/C/2)."""
END = ["commander movement", "recovery", "combat effectiveness"]
"""Phases of segment IV."""
RECOVERY = {
    "replacement": 1, "rally": 2, "fatigue": 2, "stragglers": 2, "returned": 2, "resupply": 2, "eliminated": 4,
    "loss": 4, "construction": 6,
}  # fmt: skip
"""IV/B: the step to which an event belongs; that of reserve follows from what it says."""


@pytest.fixture(scope="module")
def dark(tmp_path_factory):
    """Reinforcements, guns left behind, rest and building, through dusk into the night."""
    text = REINFORCED.read_text(encoding="utf-8")
    for label, light in (("1400", "dusk"), ("1500", "night"), ("1600", "night")):
        text = text.replace(f'label = "{label}"', f'label = "{label}"\nlight = "{light}"')
    for leader in ("rw/mccook", "1-rw/davis"):
        text = text.replace(f'leaders = ["{leader}"]\n', "")
    text = text.replace('["1-1-rw/post"]', '["1-1-rw/post", "1-rw/davis", "rw/mccook"]')
    path = tmp_path_factory.mktemp("dark") / "dark.toml"
    path.write_text(text, encoding="utf-8")
    return build(read_scenario(path, BOOKS), {"fatigue": "yes"})


@pytest.fixture
def fight(wild):
    class Restless(wild):
        """At random, but most who can rest or build do, and now and then a crew leaves its guns."""

        def reserve(self, series, commands):
            for command in commands:
                if self.throw(series, command, 2) == 0:
                    series.reserve.place(command)

        def build(self, series, part, works):
            return 0 if series.engineering.in_time() else -1

        def keeps_building(self, series, unit):
            return True

        def end_of_turn(self, series, side):
            super().end_of_turn(series, side)
            for unit in series.battle.units:
                if unit.side == side and unit.counts() and unit.kind == 2 and self.throw(series, unit, 2) == 0:
                    series.battle.abandon(unit, 1)

    def play(built, who, key):
        made = [Restless() if who == "wild" else resolve(who, side, built) for side in SIDES]
        game = Game(built.battle, built.series, KeyedDice(*key), made)
        game.log.level = EVERYTHING
        game.play(0)
        return game.log.events

    return play


def turns_of(events):
    """The events of each turn, those of the set-up and the end apart."""
    kept = [event for event in events if PHASES[event.phase] != "set-up" and event.kind not in ("turn", "end")]
    return [list(of) for _, of in groupby(kept, lambda event: int(event.turn))]


def first_side(turn, last):
    """5.13: the side that goes first: with the initiative, or that had it last."""
    holder = [int(event.side) for event in turn if event.kind == "initiative"]
    return holder[0] if holder and holder[0] >= 0 else max(last, 0)


def check_phases(turn):
    """Segments I to IV, and their phases, each in its place (3.0)."""
    names = [PHASES[event.phase] for event in turn]
    before = [ORDERS.index(name) for name in names if name in ORDERS]
    assert before == sorted(before)
    after = [END.index(name) for name in names if name in END]
    assert after == sorted(after)
    segment = ["I and II" if name in ORDERS else "IV" if name in END else "III" for name in names]
    assert [name for name, _ in groupby(segment)] == [s for s in ("I and II", "III", "IV") if s in segment]


def check_markers(turn):
    """III/C: under each marker orders, then coordination, then brigade after brigade, shock after all other actions."""
    acts = [event for event in turn if PHASES[event.phase] in (*DRAW, "action", "shock")]
    under = []
    for event in acts:
        if event.kind == "marker":
            under.append([])
        under[-1].append(event)
    for marker in under:
        names = [PHASES[event.phase] for event in marker]
        opening = [DRAW.index(name) for name in names if name in DRAW]
        assert opening == sorted(opening)
        assert names[:len(opening)] == [name for name in names if name in DRAW]
        for _, of in groupby(marker[len(opening):], lambda event: int(event.activation)):
            brigade = list(of)
            assert brigade[0].kind == "activation"
            phases = [PHASES[event.phase] for event in brigade]
            assert phases == sorted(phases)  # action, then shock
            assert all(one.side == brigade[0].side for one in brigade if one.kind == "activation")
            for event in brigade:
                phase = PHASES[event.phase]
                if event.kind in ("shock", "pre-shock", "commitment"):
                    assert phase == "shock", event.kind
                if event.kind == "fire" and event.mode == "phasing":
                    assert phase == "action"
                if event.kind in ("move", "resupply", "enter") and event.side == brigade[0].side:
                    assert phase == "action", event.kind
    numbers = [int(event.activation) for event in acts if event.kind == "activation"]
    assert numbers == sorted(numbers)
    return len(under)


def check_recovery(turn, steps):
    """IV/B: replacement, rest, leaving reserve, guns lost, works done, each step complete before the next."""
    order = []
    for event in turn:
        if PHASES[event.phase] != "recovery":
            continue
        if event.kind == "construction" and event.result != "done":
            continue
        if event.kind == "reserve":
            order.append(3)
        elif event.kind in RECOVERY and not (event.kind == "eliminated" and event.mode != "abandoned"):
            # guns left behind are lost last; regiments lose a point when they come back from rout
            regiment = event.kind == "loss" and not event.unit.endswith("bty")
            order.append(2 if regiment or (event.kind == "loss" and event.mode != "other") else RECOVERY[event.kind])
    assert order == sorted(order)
    steps.update(order)


def check_sides(turn, first):
    """3.0, 5.13: in efficiency, orders and commanders' moves the side with the initiative goes first."""
    for name in ("efficiency", "division orders", "reinforcement orders", "reserve placement", "commander movement"):
        sides = [int(event.side) for event in turn if PHASES[event.phase] == name]
        assert [side for side, _ in groupby(sides)] in ([], [first], [1 - first], [first, 1 - first]), name


def read(events):
    """Every check of every turn; the recovery steps that came about and the number of markers drawn."""
    steps = set()
    markers = 0
    last = -1
    for turn in turns_of(events):
        last = first_side(turn, last)
        check_phases(turn)
        markers += check_markers(turn)
        check_recovery(turn, steps)
        check_sides(turn, last)
    return steps, markers


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("who", ["steady", "wild"])
def test_3_0_the_skirmish_keeps_to_the_sequence_of_play(built, fight, who, number):
    events = fight(built, who, (30, number))
    _, markers = read(events)
    assert markers == 8 if who == "steady" else 2 <= markers <= 8  # 5.31: a side may put in fewer
    drawn = [event.side for event in events if event.kind == "marker"]
    assert drawn[0] == 0  # III/A: the Union has the initiative


@pytest.mark.parametrize("who", ["steady", "wild"])
def test_3_0_so_does_a_battle_with_reinforcements_rest_works_and_night(dark, fight, who):
    steps = set()
    kinds = set()
    for number in range(4):
        events = fight(dark, who, (31, number))
        steps |= read(events)[0]
        kinds |= {(event.kind, PHASES[event.phase]) for event in events}
    assert ("enter", "action") in kinds
    assert ("orders", "reinforcement orders") in kinds
    if who == "wild":
        assert {2, 3, 4, 6} <= steps
        assert ("reserve", "reserve placement") in kinds
        assert ("construction", "engineering") in kinds


def test_3_0_the_log_says_in_which_phase_everything_happened(built, fight):
    events = fight(built, "wild", (30, 0))
    assert all(0 <= event.phase < len(PHASES) for event in events)
    turns = [int(event.turn) for event in events]
    assert all(one <= other for one, other in pairwise(turns))


def test_3_0_12_82_guns_on_abandoned_2_are_lost_before_others_markers_are_turned(built):
    """3.0 IV/B/4 and 5: guns abandoned last turn are eliminated first, those abandoned this turn turned over after."""
    battle, series = built.battle, built.series
    battle.reset()
    guns = [unit for unit in battle.units if unit.kind == 2]
    battle.abandon(guns[0], 1)
    battle.abandon(guns[1], 2)
    series.results.guns_in_recovery()
    assert (guns[0].abandoned, guns[0].strength) == (2, guns[0].start)
    assert (guns[1].strength, guns[1].lost_other) == (0, guns[1].start)
    series.results.guns_in_recovery()
    assert guns[0].strength == 0
    battle.reset()
