"""The die (2.5): known answers, fairness, independence, and agreement of the three drivers.

Statistical tests run at fixed keys, so they pass or fail for good. Their false-alarm budget is one in ten thousand for
the whole file: each is held to that level divided by the number of tests it makes.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from simkit.model.subject import Subject
from simkit.rules.dice import (
    COHESION,
    FIRE,
    STREAMS,
    Dice,
    EnumeratingTape,
    KeyedDice,
    Philox,
    ScriptedDice,
    ScriptExhausted,
)

BUDGET = 1e-4
KEY = (0x1862, 0x1230)
FACED = ("orders", "coordination", "cohesion", "fire", "shock", "rally", "leader")  # streams whose draws are dice
ALL = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [
        ((0, 0), (0, 0, 0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((ALL, ALL), (ALL, ALL, ALL, ALL), "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            (0xA4093822, 0x299F31D0),
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_gives_the_published_words(key, counter, words):
    philox = Philox(*key)
    philox.fill(*counter)
    assert [philox.w0, philox.w1, philox.w2, philox.w3] == [int(word, 16) for word in words.split()]


def faces(dice, stream, subject, count):
    return np.array([dice.roll(stream, subject) for _ in range(count)])


def deviates(observed, budget):
    """Whether counts of the ten faces differ from equal ones beyond what a budget of false alarms allows."""
    return stats.chisquare(np.bincount(observed, minlength=10)).pvalue < budget


def related(first, second, budget):
    """Whether two series of faces depend on each other (a 10 by 10 table of pairs)."""
    table = np.zeros((10, 10))
    np.add.at(table, (first, second), 1)
    return stats.chi2_contingency(table).pvalue < budget


@pytest.mark.parametrize("stream", range(len(STREAMS)))
def test_2_5_every_face_is_as_likely_in_every_stream(stream):
    dice = KeyedDice(*KEY)
    subject = Subject("1-1-rw/22-in")
    assert not deviates(faces(dice, stream, subject, 5000), BUDGET / len(STREAMS))


def test_faces_are_fair_over_runs_at_the_first_draw():
    dice = KeyedDice(*KEY)
    rolled = []
    for run in range(5000):
        dice.begin(run)
        rolled.append(dice.roll(COHESION, Subject("1-1-rw/22-in")))
    assert not deviates(np.array(rolled), BUDGET)


def test_a_loaded_die_is_noticed():
    rolled = faces(KeyedDice(*KEY), COHESION, Subject("22-in"), 5000)
    rolled[:400] = 3
    assert deviates(rolled, BUDGET)


def test_neighbouring_counts_are_independent():
    rolled = faces(KeyedDice(*KEY), FIRE, Subject("a"), 8001)
    assert not related(rolled[:-1], rolled[1:], BUDGET)


def test_neighbouring_subjects_are_independent():
    dice = KeyedDice(*KEY)
    first, second = Subject("1-1-rw/22-in"), Subject("1-1-rw/23-in")
    assert not related(faces(dice, FIRE, first, 8000), faces(dice, FIRE, second, 8000), BUDGET)


def test_subjects_with_neighbouring_keys_are_independent():
    dice = KeyedDice(*KEY)
    first, second = Subject("a"), Subject("b")
    second.key = first.key + 1
    assert not related(faces(dice, FIRE, first, 8000), faces(dice, FIRE, second, 8000), BUDGET)


def test_neighbouring_runs_streams_and_study_keys_are_independent():
    base = KeyedDice(*KEY)
    rolled = faces(base, FIRE, Subject("a"), 8000)
    other_run = KeyedDice(*KEY)
    other_run.begin(1)
    assert not related(rolled, faces(other_run, FIRE, Subject("a"), 8000), BUDGET / 3)
    assert not related(rolled, faces(base, FIRE + 1, Subject("a"), 8000), BUDGET / 3)
    assert not related(rolled, faces(KeyedDice(KEY[0] + 1, KEY[1]), FIRE, Subject("a"), 8000), BUDGET / 3)


def first_faces(runs, stream=FIRE, ident="1-1-rw/22-in", skip=0):
    """The face of one draw, after `skip` others, in each of many runs: what a study sees of a unit's first rolls."""
    dice = KeyedDice(*KEY)
    rolled = []
    for run in runs:
        dice.begin(run)
        subject = Subject(ident)
        subject.draws[stream] = skip
        rolled.append(dice.roll(stream, subject))
    return np.array(rolled)


@pytest.mark.parametrize(
    "other",
    [
        {"runs": range(1, 8001)},
        {"ident": "1-1-rw/59-il"},
        {"ident": "4-1-p/29-tn"},
        {"stream": COHESION},
        {"skip": 1},
    ],
    ids=["next run", "next unit", "an enemy", "next stream", "next count"],
)
def test_across_runs_neighbouring_draws_are_independent(other):
    """As a study meets them: one draw a run, paired with its neighbour in run, subject, stream or count."""
    assert not related(first_faces(range(8000)), first_faces(**{"runs": range(8000), **other}), BUDGET / 5)


def test_dependence_is_noticed():
    rolled = faces(KeyedDice(*KEY), FIRE, Subject("a"), 8000)
    shadow = np.where(np.arange(8000) % 8 == 0, rolled, faces(KeyedDice(*KEY), FIRE, Subject("b"), 8000))
    assert related(rolled, shadow, BUDGET)


def test_a_unit_more_or_a_roll_more_elsewhere_leaves_all_other_rolls_alone():
    names = ["22-in", "74-il", "75-il"]

    def battle(roster, extra):
        dice = KeyedDice(*KEY)
        dice.begin(7)
        units = [Subject(name) for name in roster]
        rolled = {name: [] for name in roster}
        for turn in range(20):
            for unit in units:
                rolled[unit.id].append(dice.roll(COHESION, unit))
                if extra and unit.id == "74-il" and turn == 3:
                    dice.roll(FIRE, unit)
        return rolled

    plain = battle(names, extra=False)
    more = battle(["59-il", *names], extra=True)
    assert {name: more[name] for name in names} == plain


class Spy(Dice):
    """Keyed dice that remember every draw by whom, stream and count; `extra` says what is drawn besides in each run."""

    def __init__(self, extra=()):
        super().__init__()
        self.keyed = KeyedDice(*KEY)
        self.extra = extra
        self.drawn = {}

    def begin(self, run):
        self.keyed.begin(run)
        self.drawn = {}
        for stream, subject in self.extra:
            self.keyed.roll(stream, subject)

    def _note(self, stream, subject, answer):
        self.last = self.keyed.last
        self.drawn[subject.id, stream, subject.draws[stream]] = int(self.keyed.last)
        return answer

    def roll(self, stream, subject):
        return self._note(stream, subject, self.keyed.roll(stream, subject))

    def check(self, stream, subject, most):
        return self._note(stream, subject, self.keyed.check(stream, subject, most))

    def pick(self, stream, subject, among):
        return self._note(stream, subject, self.keyed.pick(stream, subject, among))

    def order(self, stream, subject, nth):
        number = self.keyed.order(stream, subject, nth)
        self.drawn[subject.id, stream, -nth] = int(number)
        return number


def skirmish(path="dead_of_winter/skirmish"):
    from simkit.scenario import build, load

    return build(load(path))


def played(built, run=5, extra=()):
    """A battle of the aggressive against random play: what was drawn, and the state at the end."""
    from simkit.play.game import Game
    from simkit.scenario.commanders import resolve

    commanders = [resolve("aggressive", "Union", built), resolve("random", "Confederate", built)]
    dice = Spy(extra)
    Game(built.battle, built.series, dice, commanders).play(run)
    return dice.drawn, built.battle.digest()


def test_in_a_battle_an_extra_roll_of_a_leader_changes_nothing_for_anybody_else():
    """Leaders roll for casualties; with one roll more for one who has fought on, all others' rolls are the same."""
    built = skirmish()
    compared = 0
    for run in range(20):
        plain, end = played(built, run)
        rolled = {ident for ident, stream, _ in plain if STREAMS[stream] == "leader"}
        if not rolled:  # leaders roll where shocks are fought about them: not in every battle
            continue
        quiet = next(leader for leader in built.battle.leaders if leader.id not in rolled)
        assert played(built, run, extra=[(STREAMS.index("leader"), quiet)]) == (plain, end)
        busy = next(leader for leader in built.battle.leaders if leader.id in rolled)
        shifted, _ = played(built, run, extra=[(STREAMS.index("leader"), busy)])
        compared += alike(plain, shifted)
        if compared > 100:
            return
    pytest.fail("too few battles in which leaders roll")


def alike(first, second):
    """How many rolls and checks two battles have in common; each must show the same face.

    A pick is among as many as there are to choose from, so it is left out.
    """
    faced = [key for key in first.keys() & second.keys() if STREAMS[key[1]] in FACED]
    assert [key for key in faced if first[key] != second[key]] == []
    return len(faced)


def test_in_a_battle_a_unit_less_leaves_all_other_units_rolls_alone(tmp_path):
    """1st Louisiana stays away: the fight goes another way, yet the nth die of anybody and any stream is the same."""
    from simkit.scenario import load

    text = load("dead_of_winter/skirmish").path.read_text(encoding="utf-8")
    block = next(block for block in text.split("[[setup]]") if "1-2-p/1-la" in block)
    path = tmp_path / "fewer.toml"
    path.write_text(text.replace("[[setup]]" + block, ""), encoding="utf-8")
    fewer = skirmish(path)
    built = skirmish()
    assert len(fewer.battle.units) == len(built.battle.units) - 1
    compared = 0
    for run in range(3):
        whole, end = played(built, run)
        without, other_end = played(fewer, run)
        assert end != other_end
        compared += alike(whole, without)
        orders = {key for key in whole.keys() & without.keys() if key[1] == STREAMS.index("draw")}
        assert len(orders) == 8
        assert [key for key in orders if whole[key] != without[key]] == []
    assert compared > 150


def test_a_further_draw_moves_only_its_own_subject_and_stream():
    one, other = Subject("22-in"), Subject("22-in")
    dice = KeyedDice(*KEY)
    first = [dice.roll(COHESION, one) for _ in range(10)]
    dice.roll(COHESION, other)
    assert [dice.roll(COHESION, other) for _ in range(9)] == first[1:]


def test_a_run_replays_from_its_number_alone():
    late = KeyedDice(*KEY)
    for run in (3, 4, 5):
        late.begin(run)
        rolled = faces(late, FIRE, Subject("a"), 50)
    fresh = KeyedDice(*KEY)
    fresh.begin(5)
    assert list(faces(fresh, FIRE, Subject("a"), 50)) == list(rolled)


def test_redrawing_one_stream_leaves_the_others():
    plain, redrawn = KeyedDice(*KEY), KeyedDice(*KEY)
    redrawn.redrawn[FIRE] = 1
    one, other = Subject("a"), Subject("a")
    assert list(faces(plain, COHESION, one, 100)) == list(faces(redrawn, COHESION, other, 100))
    assert list(faces(plain, FIRE, one, 100)) != list(faces(redrawn, FIRE, other, 100))


def test_an_order_number_is_no_draw():
    dice = KeyedDice(*KEY)
    subject = Subject("1/RW")
    number = dice.order(2, subject, 8)
    assert subject.draws == [0] * 16
    dice.roll(2, subject)
    assert dice.order(2, subject, 8) == number
    assert len({dice.order(2, subject, nth) for nth in range(200)}) == 200


def test_checks_and_picks_use_the_same_die_as_rolls():
    dice = KeyedDice(*KEY)
    rolled = [dice.roll(COHESION, subject) for subject in [Subject("x")] for _ in range(50)]
    subject = Subject("x")
    assert [dice.check(COHESION, subject, 5) for _ in range(50)] == [face <= 5 for face in rolled]
    subject = Subject("x")
    assert [dice.pick(COHESION, subject, 10) for _ in range(50)] == rolled
    assert {dice.pick(COHESION, subject, 3) for _ in range(100)} == {0, 1, 2}


def test_scripted_dice_give_their_faces_and_remember_who_asked():
    dice = ScriptedDice([4, ("fire", 7), 3, 1])
    unit = Subject("22-in")
    assert dice.roll(COHESION, unit) == 4
    assert dice.roll(FIRE, unit) == 7
    assert dice.check(COHESION, unit, 3) is True
    assert not dice.used_up()
    assert dice.pick(COHESION, unit, 2) == 1
    assert dice.used_up()
    assert dice.asked == ["cohesion 22-in", "fire 22-in", "cohesion 22-in", "cohesion 22-in"]


def test_scripted_dice_refuse_what_the_script_does_not_say():
    unit = Subject("22-in")
    with pytest.raises(ScriptExhausted, match="used up at a fire roll of 22-in"):
        ScriptedDice([]).roll(FIRE, unit)
    with pytest.raises(ScriptExhausted, match="scripted for rally, but 22-in rolls for fire"):
        ScriptedDice([("rally", 3)]).roll(FIRE, unit)
    with pytest.raises(ScriptExhausted, match="not a face"):
        ScriptedDice(["six"]).roll(FIRE, unit)
    with pytest.raises(ScriptExhausted, match="one of 2"):
        ScriptedDice([5]).pick(FIRE, unit, 2)


def test_scripted_orders_come_first_and_then_in_the_order_of_asking():
    dice = ScriptedDice([], [50, 10])
    unit = Subject("1/RW")
    numbers = [dice.order(2, unit, nth) for nth in range(4)]
    assert numbers[:2] == [50, 10]
    assert numbers[2:] == sorted(numbers[2:])
    assert numbers[2] > 50


def little_combat(dice, unit, other):
    """A fire and what may come of it: 0 nothing, 1 disordered, 2 and more losses."""
    roll = dice.roll(FIRE, unit)
    if roll < 4:
        return 0
    losses = 2 if roll == 9 else 1
    if dice.check(COHESION, other, 6):
        return 0
    if dice.pick(COHESION, other, 3) == 0:
        losses += 1
    # faces of one class mean the same, so the tape may treat them as one branch
    face = dice.grouped(FIRE, unit, [0, 0, 0, 0, 0, 1, 1, 1, 2, 2])
    return losses + (0 if face < 5 else 1 if face < 8 else 2)


def enumerated(play):
    masses = {}
    tape = EnumeratingTape()
    tape.begin(0)
    while True:
        outcome = play(tape)
        masses[outcome] = masses.get(outcome, 0) + Fraction(tape.numerator, tape.denominator)
        if not tape.next_branch():
            return masses, tape.branches


def test_the_tape_runs_through_every_branch_and_its_mass_is_one():
    unit, other = Subject("a"), Subject("b")
    masses, branches = enumerated(lambda tape: little_combat(tape, unit, other))
    assert sum(masses.values()) == 1
    # 4 faces end at once; 6 go on to a check, which passes, or to 3 picks with 3 groups of faces each
    assert branches == 4 + 6 * (1 + 3 * 3)
    assert masses[0] == Fraction(4, 10) + Fraction(6, 10) * Fraction(7, 10)


def test_the_tape_agrees_with_sampling():
    unit, other = Subject("a"), Subject("b")
    masses, _ = enumerated(lambda tape: little_combat(tape, unit, other))
    dice = KeyedDice(*KEY)
    sampled = [little_combat(dice, unit, other) for _ in range(6000)]
    outcomes = sorted(masses)
    assert set(sampled) <= set(outcomes)
    expected = np.array([float(masses[outcome]) for outcome in outcomes]) * 6000
    assert stats.chisquare([sampled.count(outcome) for outcome in outcomes], expected).pvalue > BUDGET


@pytest.mark.parametrize(("most", "branches"), [(-1, 1), (0, 2), (5, 2), (8, 2), (9, 1), (14, 1)])
def test_2_6_a_check_has_two_branches_but_one_where_it_is_certain(most, branches):
    unit = Subject("a")
    masses, played = enumerated(lambda tape: tape.check(COHESION, unit, most))
    assert played == branches
    assert masses.get(True, 0) == Fraction(min(max(most + 1, 0), 10), 10)


def test_whoever_throws_must_know_how():
    unit = Subject("a")
    for throw in (
        lambda dice: dice.begin(0), lambda dice: dice.roll(FIRE, unit), lambda dice: dice.check(FIRE, unit, 3),
        lambda dice: dice.pick(FIRE, unit, 2), lambda dice: dice.order(FIRE, unit, 0),
    ):  # fmt: skip
        with pytest.raises(NotImplementedError):
            throw(Dice())
