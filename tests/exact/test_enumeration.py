"""Enumeration step by step gives what plain enumeration gives, and says when it does not go to the end."""

import importlib.util
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from simkit.exact.enumeration import Enumeration
from simkit.exact.position import Ending
from simkit.exact.record import Tally
from simkit.model.log import Event
from simkit.rules.dice import KeyedDice
from simkit.rules.shockinprogress import FINISHED

_spec = importlib.util.spec_from_file_location(
    "combats", Path(__file__).parents[1] / "verification" / "combats.py"
)
combats = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(combats)


def ends(units, leaders):
    return tuple(tuple(unit.key()) for unit in units), tuple(tuple(leader.key()) for leader in leaders)


def plain(f, act):
    """The chance of each ending by running through all branches from the beginning, as the tests of the rules do."""
    def outcome(f):
        ending = Ending(f.battle, 0, 0)
        return ends(ending.units, ending.leaders)

    return combats.exact(f, act, f.battle.snapshot(), outcome)


def by_steps(distribution):
    chances = defaultdict(Fraction)
    for leaf in distribution.leaves:
        chances[ends(leaf.ending.units, leaf.ending.leaders)] += leaf.mass
    return dict(chances)


@pytest.mark.parametrize("name", sorted(combats.COMBATS))
def test_steps_merged_give_what_all_branches_give_11_11(field, name):
    """11.11, 10.17: the same endings with the same chances, as fractions, and a battle that stands as before."""
    f, act = combats.COMBATS[name](field)
    before = f.battle.digest()
    enumeration = Enumeration(f.battle, f.series, f.commanders)
    found = enumeration.run(act)
    assert f.battle.digest() == before
    assert found.exact()
    assert found.mass == 1
    assert sum((leaf.mass for leaf in found.leaves), Fraction(0)) == 1
    assert by_steps(found) == plain(f, act)
    again = enumeration.run(act)
    assert [(leaf.ending.key(), leaf.mass) for leaf in again.leaves] == [
        (leaf.ending.key(), leaf.mass) for leaf in found.leaves
    ]


def chain(field, limit):
    f, act = combats.COMBATS["shock_with_check_and_fire"](field)
    return f, act, Enumeration(f.battle, f.series, f.commanders, limit)


def test_what_lies_beyond_the_limit_is_drawn_and_said(field):
    """The masses of what was enumerated and of what was drawn make one, and the draws come near the exact chances."""
    _, act, whole = chain(field, 200_000)
    exact = whole.run(act)
    _, act, partial = chain(field, 12)
    found = partial.run(act)
    assert not found.exact()
    assert 0 <= found.mass < 1
    assert found.draws == 20_000
    assert sum(leaf.drawn for leaf in found.leaves) == found.draws
    wanted = {leaf.ending.key(): leaf.mass for leaf in exact.leaves}
    for leaf in found.leaves:
        chance = wanted[leaf.ending.key()]
        share = float(leaf.mass) + float(1 - found.mass) * leaf.drawn / found.draws
        assert abs(share - float(chance)) < 6 * (float(chance) / found.draws) ** 0.5 + 1e-9


def test_equal_keys_draw_alike(field):
    first = chain(field, 12)
    second = chain(field, 12)
    one, other = first[2].run(first[1]), second[2].run(second[1])
    assert [(leaf.ending.key(), leaf.drawn) for leaf in one.leaves] == [
        (leaf.ending.key(), leaf.drawn) for leaf in other.leaves
    ]


def test_a_combat_is_played_the_same_with_and_without_pauses_2_5(field):
    """The pauses change no draw: keyed dice play on as before."""
    f, act = combats.COMBATS["shock_with_check_and_fire"](field)
    start = f.battle.snapshot()
    ended = []
    for pausing in (False, True):
        dice = KeyedDice(7, 7)
        dice.pausing = pausing
        f.series.equip(dice, f.log, f.commanders)
        f.battle.restore(start)
        dice.begin(1)
        act()
        ended.append(f.battle.digest())
    assert ended[0] == ended[1]


class Halting(KeyedDice):
    """Keyed dice that break off at every pause, and note what they are told there."""

    def __init__(self, key):
        super().__init__(key, 1862)
        self.pausing = True
        self.told = []

    def pause(self, step, context):
        self.told.append((step, list(context)))
        return True


@pytest.mark.parametrize("name", sorted(name for name in combats.COMBATS if not name.startswith("fire")))
def test_a_shock_that_is_broken_off_goes_on_as_if_it_had_not_been_11_11(field, name):
    """11.11: at every pause of some combats all is kept, played on, and taken back: the same follows as at first."""
    f, act = combats.COMBATS[name](field)
    shock, fire, start = f.series.shock, f.series.fire, f.battle.snapshot()
    for key in range(4):
        dice = KeyedDice(key, 1862)
        f.series.equip(dice, f.log, f.commanders)
        f.battle.restore(start)
        dice.begin(1)
        act()
        wanted = f.battle.digest()
        halting = Halting(key)
        f.series.equip(halting, f.log, f.commanders)
        f.battle.restore(start)
        halting.begin(1)
        act()
        while shock.stage != FINISHED:
            battle, shocks, fires = f.battle.snapshot(), shock.keep(), fire.keep()
            before = f.battle.digest(), shock.numbers(), fire.numbers()
            followed = []
            for _ in range(2):
                halting.told = []
                shock.go_on()
                followed.append((halting.told, f.battle.digest(), shock.numbers(), fire.numbers()))
                f.battle.restore(battle)
                shock.take(shocks)
                fire.take(fires)
                assert (f.battle.digest(), shock.numbers(), fire.numbers()) == before
            assert followed[0] == followed[1]
            shock.go_on()
        assert f.battle.digest() == wanted


def test_steps_say_what_they_decide_11_37(field):
    """11.37, 11.45: of each kind of step its chance, its results and the strength lost in it, which add up."""
    f, act = combats.COMBATS["shock_with_check_and_fire"](field)
    start = [unit.strength for unit in f.battle.units]
    found = Enumeration(f.battle, f.series, f.commanders).run(act)
    steps = {step.name: step for step in found.steps}
    check = steps["pre-shock check"]
    assert check.mass == 1
    assert sum(check.decided.values()) == 1
    assert set(check.decided) == {"passed", "failed"}
    assert 0 < steps["resolution"].mass <= 1
    for side in (0, 1):
        lost = sum(
            (leaf.mass * sum(start[unit.index] - unit.strength for unit in leaf.ending.units
             if f.battle.units[unit.index].side == side) for leaf in found.leaves), Fraction(0),
        )
        assert sum((step.losses[side] for step in found.steps), Fraction(0)) == lost


def test_losses_in_branches_rarer_than_64_bits_can_count():
    """A long chain's chances have numerators of any length, and so have the losses that they are multiplied by."""
    loss = Event("loss")
    loss.side, loss.losses = 1, 3
    tally = Tally("shock")
    tally.add(7**40, 10**40, [loss])
    tally.settle()
    assert tally.losses == [0, Fraction(3 * 7**40, 10**40)]
