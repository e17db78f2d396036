"""What holds whatever is moved and however the dice fall: on random maps, for units and stacks, by all ways to move."""

import importlib.util
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.model.charts import ONE_MP
from simkit.model.log import EVERYTHING
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError
from simkit.rules.dice import KeyedDice


def load(*names):
    """A module among the tests, by its path from their root."""
    path = Path(__file__).resolve().parents[1].joinpath(*names)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


maps = load("verification", "random_maps.py")
Wild = load("play", "conftest.py").Wild

ACTIONS = 8  # of a battle
MANY = settings(max_examples=150, deadline=None, derandomize=True)
battles = given(seed=st.integers(0, 10**6), companions=st.sampled_from([0, 0, 1, 2]))
# why a unit may have come less far than it meant to
STOPS = {
    "fire", "failed", "disorder", "second", "loss", "reaction", "retreat", "rout", "collapse", "abandoned",
    "eliminated",
}  # fmt: skip


class Mover:
    """Moves the active units of a random battle at random, by everything that is offered, and checks each move."""

    def __init__(self, field, seed, companions):
        self.dice = random.Random(seed)
        self.f, self.units = maps.random_battle(field, seed, companions)
        series = self.f.series
        commanders = [Wild(), Wild()]
        for side, commander in enumerate(commanders):
            commander.side = side
        series.equip(KeyedDice(seed, companions), self.f.log, commanders)
        series.log.level = EVERYTHING
        self.f.begin(*self.f.battle.brigades[:1], *[b for b in self.f.battle.brigades if b.side == 0])
        self.movement = series.movement
        self.did = set()

    def play(self):
        """Some actions, each of some unit; after each the state is sound. Hands back the kinds of action done."""
        assert audit(self.f.battle) == []
        ways = [self.move, self.move, self.move_stack, self.move_stack, self.step, self.withdraw, self.turn]
        for _ in range(ACTIONS):
            active = [unit for unit in self.f.battle.units if unit.active and unit.counts()]
            if not active:
                break
            unit = self.dice.choice([*active, *(one for one in self.units if one in active)])
            way = self.dice.choice(ways)
            since = len(self.f.log.events)
            if way(unit):
                self.did.add(way.__name__)
            told = self.told(since)
            assert audit(self.f.battle) == [], f"{way.__name__} of {unit.id}: {told}"
        return self.did

    def told(self, since):
        """What the log has told since so many events: their kinds, and whether a check has failed."""
        events = self.f.log.events[since:]
        return {event.kind for event in events} | {event.result for event in events if event.kind == "udd"}

    def went(self, units, node, heading, price, turn, arrived, before, since):
        """What search and price said has come about, unless something stopped it."""
        told = self.told(since)
        for unit, (had, spent) in before.items():
            assert unit.spent - spent <= had, f"{unit.id} has spent {unit.spent - spent} of {had}"
        if not arrived:
            assert told & STOPS, f"{units[0].id} did not come to {node.hex.id}: {told}"
            return
        for unit in units:
            if told & {"retreat", "rout", "abandoned"} and unit.hex is not node.hex:
                continue
            assert unit.hex is node.hex
            mates = self.f.battle.units_in(unit.hex)
            assert {mate.heading for mate in mates} == {unit.heading}
            if len(mates) == len(units) and not told & STOPS:
                assert unit.heading == heading
            if not told & STOPS:
                assert unit.spent - before[unit][1] == price + turn

    def pick(self, unit):
        """A node in which whoever has been searched for may stop, with a heading that it may take there."""
        nodes = [node for node in self.movement.reached if self.movement.may_stop(node)]
        if not nodes:
            return None
        node = self.dice.choice(nodes)
        headings = [h for h in range(12) if self.movement.may_face(unit, node, h)]
        heading = self.dice.choice(headings)
        price = self.movement.stop_price(unit, node)
        turn = 0
        if not self.movement.mates(unit, node.hex):
            steps = min((heading - node.heading) % 12, (node.heading - heading) % 12) // 2
            turn = self.f.series.facing.turn_cost(unit, node.hex, steps)
        return node, heading, price, turn

    def move(self, unit):
        """9.13: a move along a path, a leader with it if one may come."""
        self.movement.search(unit)
        chosen = self.pick(unit)
        if chosen is None:
            return False
        node, heading, price, turn = chosen
        before = {unit: (self.movement.allowance(unit), unit.spent)}
        assert price + turn <= before[unit][0]
        since = len(self.f.log.events)
        arrived = self.movement.move(unit, node, heading)
        self.went([unit], node, heading, price, turn, arrived, before, since)
        return True

    def move_stack(self, unit):
        """8.21: the same for some of a hex."""
        mates = self.f.battle.units_in(unit.hex)
        stack = [unit, *(mate for mate in mates if mate is not unit and self.dice.random() < 0.8)]
        found = self.movement.search_stack(stack)
        assert (found > 0) <= self.movement.may_move_together(stack)
        self.movement.search_stack(stack)
        chosen = self.pick(unit)
        if chosen is None:
            return False
        node, heading, price, turn = chosen
        before = {one: (self.movement.allowance(one), one.spent) for one in stack}
        assert price + turn <= min(had for had, _ in before.values())
        since = len(self.f.log.events)
        arrived = self.movement.move_stack(stack, node, heading)
        self.went(stack, node, heading, price, turn, arrived, before, since)
        return True

    def step(self, unit):
        """9.42: one hex by exception, which is all its movement."""
        sides = self.movement.exceptions(unit)
        if not sides:
            return False
        side = self.dice.choice(sides)
        since = len(self.f.log.events)
        arrived = self.movement.step(unit, side)
        told = self.told(since)
        assert (arrived and unit.hex is side.to) or told & STOPS
        if unit.counts() and unit.hex is side.to:
            assert not self.movement.may_move(unit)
            assert unit.spent <= max(unit.movement_good, unit.movement_disordered) * ONE_MP * unit.equivalents
        return True

    def withdraw(self, unit):
        """9.54: backwards, with the heading that it has unless those there face otherwise."""
        ways = self.movement.withdrawals(unit)
        if not ways:
            return False
        way = self.dice.choice(ways)
        had = max(self.movement.allowance(unit), unit.movement_good * ONE_MP)
        heading, since = unit.heading, len(self.f.log.events)
        arrived = self.movement.withdraw(unit, way)
        told = self.told(since)
        assert unit.spent <= had
        assert (arrived and unit.hex is way[-1]) or told & STOPS
        if arrived and len(self.f.battle.units_in(unit.hex)) == 1:
            assert unit.heading == heading
        assert not self.movement.may_move(unit)
        return True

    def turn(self, unit):
        """7.21: where it stands, its stack with it."""
        headings = [h for h in range(12) if self.f.series.facing.may_turn(unit, h)]
        if not headings:
            return False
        had, spent = self.movement.allowance(unit), unit.spent
        self.f.series.facing.turn(unit, self.dice.choice(headings))
        assert unit.spent - spent <= had
        return True


@MANY
@battles
def test_every_move_keeps_the_state_sound_and_costs_no_more_than_it_may(field, seed, companions):
    """8.1, 8.21, 9.13, 9.42, 9.54: the audit never fails, prices stay within allowances, paths end where they lead."""
    mover = Mover(field, seed, companions)
    mover.play()
    assert audit(mover.f.battle) == []


def test_all_ways_to_move_come_up(field):
    """The search above means something: moves, stacks, exceptions, withdrawals and turns all occur."""
    did = set()
    for seed in range(60):
        did |= Mover(field, seed, seed % 3).play()
    assert did == {"move", "move_stack", "step", "withdraw", "turn"}


@pytest.mark.parametrize("seed", [10703, 12132, 12822])
def test_9_55_guns_that_find_no_place_out_of_range_stop(field, seed):
    """9.55 option 2: on maps so small guns that fail their check may have nowhere to go, and must not go for ever."""
    assert Mover(field, seed, seed % 3).play()


def test_a_node_of_another_search_is_refused(field):
    """9.13: `move` takes only nodes in which the unit of the latest search may stop."""
    f, units = maps.random_battle(field, 3, 1)
    movement = f.series.movement
    movement.search(units[0])
    stoppable = [node for node in movement.reached if movement.may_stop(node)]
    movement.search(units[1])
    for node in stoppable:
        with pytest.raises(CommanderError):
            movement.move(units[0], node, node.heading)
