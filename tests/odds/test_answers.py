"""The answers to situations: sums, names, fractions, sampling that says so, sweeps, modifiers and comparisons."""

from fractions import Fraction

import pytest

import simkit
from simkit.errors import InputError
from simkit.odds import compare, read, sweep, why
from simkit.odds.answer import FIRE_OUTCOMES, SHOCK_OUTCOMES, at_least
from simkit.odds.asking import ask
from simkit.odds.changing import changed
from simkit.odds.sweep import read_axis

PLAIN = "8/6 vs 5/5"
RICH = "8/6 charge,brigadier vs 5/5 woods,breastworks"
KEYS = [
    "situation", "method", "mass", "outcomes", "events", "attacker_loss", "defender_loss", "success", "expected",
    "steps",
]


@pytest.mark.parametrize(("kind", "line"), [("shock", PLAIN), ("shock", RICH), ("fire", "8/6 vs 5/5 woods")])
def test_an_answer_adds_up(kind, line):
    answer = getattr(simkit.odds, kind)(line)
    assert answer.method == "exact"
    assert answer.mass == 1
    assert list(answer.outcomes) == list(SHOCK_OUTCOMES if kind == "shock" else FIRE_OUTCOMES)
    for part in (answer.outcomes, answer.attacker_loss, answer.defender_loss):
        assert sum(part.values()) == 1
    assert all(0 < chance <= 1 for chance in answer.events.values())
    assert answer.expected()[0] == sum(n * chance for n, chance in answer.attacker_loss.items())
    assert sum(step.attacker_loss for step in answer.steps) == answer.expected()[0]
    assert sum(step.defender_loss for step in answer.steps) == answer.expected()[1]


def test_the_json_has_the_keys_that_are_promised_and_sums_to_one():
    data = simkit.odds.shock(RICH).as_json()
    assert list(data)[: len(KEYS)] == KEYS
    assert data["method"] == "exact"
    for part in ("outcomes", "attacker_loss", "defender_loss"):
        assert abs(sum(data[part].values()) - 1) < 1e-12


def test_fractions_say_the_same_exactly():
    answer = simkit.odds.shock(PLAIN)
    told, floats = answer.as_json(fractions=True), answer.as_json()
    assert {name: float(Fraction(text)) for name, text in told["outcomes"].items()} == floats["outcomes"]
    assert sum(Fraction(text) for text in told["outcomes"].values()) == 1


def test_the_situation_of_an_answer_asks_the_same_again():
    answer = simkit.odds.shock(RICH)
    again = simkit.odds.shock(answer.line)
    assert again.outcomes == answer.outcomes
    assert again.line == answer.line
    assert simkit.odds.shock(answer.situation).success == answer.success


def test_parts_say_what_the_line_says():
    line = simkit.odds.shock("8/6 | 6/5 vs 5/5 woods night")
    parts = simkit.odds.shock(attacker=["8/6", "6/5"], defender="5/5 woods", whole="night")
    assert parts.situation == line.situation
    assert parts.success == line.success


def test_words_for_the_whole_follow_units_of_which_nothing_is_said():
    assert str(read("shock", PLAIN, whole="night", edition="gringo")) == "8/6 vs 5/5 clear night,gringo"


def test_hex_taken_is_success_and_losses_at_least_fall():
    answer = simkit.odds.shock(PLAIN)
    assert answer.events["hex taken"] == answer.success
    reached = list(at_least(answer.attacker_loss).values())
    assert reached == sorted(reached, reverse=True)
    assert reached[0] == 1 - answer.attacker_loss[0]


def test_defenders_who_give_way_never_meet_the_shock_11_33():
    answer = simkit.odds.shock("8/6 vs 5/5 clear give-way")
    assert answer.outcomes["shock never reached: the defenders retreated before it"] > 0
    assert answer.outcomes["standoff"] < simkit.odds.shock(PLAIN).outcomes["standoff"]


def test_green_attackers_may_not_commit_themselves_11_36():
    answer = simkit.odds.shock("8/6 green vs 5/5")
    refused = answer.outcomes["shock never reached: the attackers did not commit themselves"]
    assert refused == answer.events["attacker not committed"] > 0


def test_beyond_the_limit_the_answer_says_what_was_drawn():
    situation = read("shock", PLAIN)
    exact, drawn = ask(situation), ask(situation, limit=30, draws=4000)
    assert drawn.method == "sampled"
    assert drawn.mass < 1
    assert sum(drawn.outcomes.values()) == 1
    data = drawn.as_json()
    assert data["sampled"]["draws"] == 4000
    assert abs(sum(data["outcomes"].values()) - 1) < 1e-12
    for name, chance in exact.outcomes.items():
        span = drawn.interval(name)
        assert span.low <= span.estimate <= span.high
        # four times the half width of a 95 % interval: one false alarm in 10**14
        half = max(span.high - span.estimate, span.estimate - span.low)
        assert abs(span.estimate - float(chance)) <= 4 * half + 1e-12


def test_an_exact_answer_has_intervals_without_width():
    answer = simkit.odds.shock(PLAIN)
    span = answer.interval("success")
    assert span.low == span.high == float(answer.success)


# -- changes, sweeps, modifiers, comparisons ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("attacker", "12", "12/6 vs 5/5"),
        ("defender.cohesion", "7", "8/6 vs 5/7"),
        ("position", "rear", "8/6 rear vs 5/5"),
        ("position", "front", "8/6 vs 5/5"),
        ("defender.terrain", "woods", "8/6 vs 5/5 woods"),
        ("terrain", "clear", "8/6 vs 5/5"),
        ("breastworks", "yes", "8/6 vs 5/5 breastworks"),
        ("light", "night", "8/6 vs 5/5 clear night"),
        ("light", "day", "8/6 vs 5/5"),
        ("edition", "gringo", "8/6 vs 5/5 clear gringo"),
        ("attacker.disordered", "yes", "8/6 disordered vs 5/5"),
        ("attacker1.strength", "3", "3/6 vs 5/5"),
    ],
)
def test_one_thing_changes(name, value, line):
    assert str(changed(read("shock", PLAIN), name, value)) == line


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("strenght", "3", "is nothing that can change"),
        ("attacker", "many", "a whole number"),
        ("position", "above", "is none of its words"),
        ("attacker2.strength", "3", "the attackers have 1 unit"),
        ("attacker", "99", "between 1 and the full strength"),
        ("breastworks", "maybe", "yes or no"),
    ],
)
def test_what_cannot_change_is_said(name, value, message):
    with pytest.raises(InputError, match=message):
        changed(read("shock", PLAIN), name, value)


def test_a_sweep_asks_at_every_point():
    found = sweep(read("shock", PLAIN), ["attacker=6,8", "position=front,flank,rear"])
    grid = found.grid()
    assert [len(row) for row in grid] == [3, 3]
    assert grid[1][1] == float(simkit.odds.shock("8/6 flank vs 5/5").success)
    assert [values for values, _ in found.points()][3] == ("8", "front")


def test_workers_change_nothing():
    situation, axes = read("shock", PLAIN), ["attacker=3..6"]
    told: list[tuple[int, int]] = []
    one = sweep(situation, axes, told=lambda done, of: told.append((done, of)), jobs=1)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [answer.success for answer in one.answers] == [
        simkit.odds.shock(f"{n}/6 vs 5/5").success for n in range(3, 7)
    ]


def test_axes_are_spans_or_words():
    assert read_axis("attacker=3..9..3").values == ("3", "6", "9")
    assert read_axis("position=front,rear").values == ("front", "rear")


@pytest.mark.parametrize("text", ["attacker", "attacker=", "attacker=5..3", "attacker=1,,2", "a=1,1", "a=x..y", "=3"])
def test_axes_that_are_none(text):
    with pytest.raises(InputError, match="--sweep"):
        read_axis(text)


def test_absurd_sweeps_are_refused_at_once():
    axes = ["attacker=1..30", "defender=1..30", "attacker.cohesion=0..9"]
    with pytest.raises(InputError, match="too many"):
        sweep(read("shock", PLAIN), axes)
    with pytest.raises(InputError, match="stands twice"):
        sweep(read("shock", PLAIN), ["attacker=1..3", "attacker=4..5"])


def test_why_ranks_what_really_changes_11_42():
    """11.42: each modifier is played with and without; the list tells what a new question would answer."""
    answer = simkit.odds.shock("8/6 vs 5/5 woods")
    effects = why(answer)
    sizes = [abs(effect.change) for effect in effects]
    assert sizes == sorted(sizes, reverse=True)
    assert all(size > 0 for size in sizes)
    by_name = {effect.name: effect for effect in effects}
    woods = by_name["defender woods"]
    assert woods.holds
    assert woods.success == simkit.odds.shock("8/6 vs 5/5").success == answer.success + woods.change
    works = by_name["defender breastworks"]
    assert not works.holds
    assert works.success == simkit.odds.shock("8/6 vs 5/5 woods,breastworks").success
    assert by_name["attack on rear"].change > 0


def test_what_if_is_two_answers_and_their_difference():
    first = simkit.odds.shock(PLAIN)
    found = compare(first, "position=flank,breastworks")
    assert found.second.situation == read("shock", "8/6 flank vs 5/5 breastworks")
    rows = {name: (one, two, change) for name, one, two, change in found.rows()}
    assert rows["success"] == (first.success, found.second.success, found.second.success - first.success)
    assert compare(first, "8/6 flank vs 5/5 breastworks").second.success == found.second.success
    with pytest.raises(InputError, match="changes nothing"):
        compare(first, "-breastworks")
