"""Battles to play with: the skirmish, built once, and commanders who do little or anything."""

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.model.forces import ADVANCE, ATTACK, MARCH
from simkit.model.log import EVERYTHING
from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.rules.commander import Commander
from simkit.rules.dice import COMMANDER, KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve


class Auditor(Observer):
    """Keeps what the audit finds wrong, from the set-up on."""

    def __init__(self):
        self.faults = []

    def deployed(self, game):
        self.faults += audit(game.battle)

    def after_activation(self, game):
        self.faults += audit(game.battle)

    def after_turn(self, game):
        self.faults += audit(game.battle)


class Passive(Commander):
    """Does nothing, and remembers what it was asked in which phase."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def note(self, series, what):
        self.asked.append((int(series.battle.turn), int(series.battle.phase), what))

    def deploy(self, series, side):
        self.note(series, "deploy")

    def division_orders(self, series, brigades):
        self.note(series, "division_orders")

    def act(self, series, brigades):
        self.note(series, "act " + " ".join(brigade.code for brigade in brigades))

    def shocks(self, series, brigades):
        self.note(series, "shocks")
        return []

    def end_of_turn(self, series, side):
        self.note(series, "end_of_turn")


class Wild(RandomCommander):
    """Plays at random, also where the rules ask in the middle of things: it comes into states that nobody plans."""

    def throw(self, series, unit, among):
        return series.dice.pick(COMMANDER, unit, among)

    def deploy(self, series, side):
        for command in list(series.orders.assignable):
            orders = (MARCH, ADVANCE, ATTACK)[self.throw(series, command, 3)]
            if orders != MARCH or series.orders.may_march(command):
                series.orders.assign(command, orders)
        for unit in series.battle.units:
            if unit.side == side:
                towards = (unit.heading + 2 * self.throw(series, unit, 6)) % 12
                if series.facing.right_kind(unit, towards):
                    series.facing.set_up(unit, towards)

    def division_orders(self, series, brigades):
        for brigade in brigades:
            orders = (MARCH, ADVANCE, ATTACK, brigade.orders)[self.throw(series, brigade, 4)]
            if orders != MARCH or series.orders.may_march(brigade):
                series.orders.assign(brigade, orders)

    def coordinated(self, series, division, brigades, most):
        return brigades[: max(2, self.throw(series, division, most + 1))] if most > 1 else []

    def let_pass(self, series, brigade, markers_left):
        return self.throw(series, brigade, 2) == 0

    def fewer_markers(self, series, division, most):
        return 1 + self.throw(series, division, most)

    def some(self, series, unit, most):
        """None or all: half (10.15) is not always offered."""
        return most * self.throw(series, unit, 2)

    def return_fire(self, series, unit, target, most):
        return self.some(series, unit, most)

    def approach_fire(self, series, unit, target, most):
        return self.some(series, unit, most)

    def withdrawal_fire(self, series, unit, target, most):
        return self.some(series, unit, most)

    def rapid_fire(self, series, unit, target):
        return self.throw(series, unit, 2) == 0

    def retreat_before_shock(self, series, units, attackers):
        return self.throw(series, units[0], 2) == 0

    def reaction_facing(self, series, unit, enemy, headings):
        return self.throw(series, unit, len(headings) + 1) - 1

    def reaction_refusal(self, series, unit, enemy, sides):
        return self.throw(series, unit, len(sides) + 1) - 1

    def reaction_move(self, series, unit, enemy, place):
        return self.throw(series, unit, 2) == 0

    def fire_before_reaction(self, series, unit, battery):
        return self.throw(series, unit, 2) == 0

    def keeps_moving(self, series, unit):
        return self.throw(series, unit, 2) == 0

    def retreat(self, series, unit, ways):
        return self.throw(series, unit, len(ways))

    def advance_after_fire(self, series, unit, vacated):
        return self.throw(series, unit, 2) == 0

    def advance_after_retreat(self, series, unit, vacated):
        return self.throw(series, unit, 2) == 0

    def advance_into(self, series, unit, vacated):
        return self.throw(series, unit, len(vacated))

    def heading_after(self, series, unit, headings):
        return self.throw(series, unit, len(headings))

    def continue_shock(self, series, units, number):
        return self.throw(series, units[0], 2) == 0

    def continued_advance(self, series, unit, ways):
        return self.throw(series, unit, len(ways))

    def leader_stays_with(self, series, leader, unit):
        return self.throw(series, unit, 2) == 0

    def replacement_with(self, series, leader, units):
        return self.throw(series, leader, len(units))

    def leader_helps_rally(self, series, leader, unit):
        return self.throw(series, unit, 2) == 0

    def end_of_turn(self, series, side):
        for leader in series.battle.leaders:
            if leader.side == side and series.movement.leader_may_move(leader):
                places = series.movement.leader_search(leader)
                if places:
                    series.movement.move_leader(leader, places[self.throw(series, leader, len(places))])


@pytest.fixture(scope="module")
def built():
    """The skirmish, built once a test file."""
    return build(load("dead_of_winter/skirmish"))


@pytest.fixture
def game(built):
    """A function that makes a game of the skirmish from a commander class or two, and a key."""

    def make(union=Passive, confederate=None, key=(18, 62)):
        commanders = [union(), (confederate or union)()]
        return Game(built.battle, built.series, KeyedDice(*key), commanders)

    return make


@pytest.fixture
def auditor():
    return Auditor


@pytest.fixture
def fought(built, wild):
    """A function that plays a battle of `built` by commanders' names, all told; gives the game and its auditor."""

    def fight(union, confederate, key, run=0):
        made = [
            wild() if who == "wild" else resolve(who, side, built)
            for who, side in ((union, "Union"), (confederate, "Confederate"))
        ]
        game = Game(built.battle, built.series, KeyedDice(*key), made)
        game.log.level = EVERYTHING
        auditor = Auditor()
        game.watch(auditor)
        game.play(run)
        return game, auditor

    return fight


@pytest.fixture
def passive():
    return Passive


@pytest.fixture
def wild():
    return Wild
