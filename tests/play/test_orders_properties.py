"""What chapters 6 and 13 say holds over whole battles at random: reserve, loose cannons, rally, effectiveness."""

import pytest

from simkit.model.forces import ADVANCE, ARTILLERY, BRIGADE, ELIMINATED, MARCH, NOT_ENTERED, ON_MAP, ROUTED, SIDES
from simkit.model.log import EVERYTHING
from simkit.play.game import Game, Observer
from simkit.rules.dice import KeyedDice
from simkit.rules.options import EDITIONS
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve

RUNS = 3


def counted(brigade):
    """13.21: whether a brigade is Combat Ineffective, counted afresh."""
    regiments = [unit for unit in brigade.units if unit.kind != ARTILLERY and unit.place != NOT_ENTERED]
    gone = [unit for unit in regiments if unit.place in (ELIMINATED, ROUTED) or unit.collapsed]
    shaken = [unit for unit in regiments if unit not in gone and unit.place == ON_MAP and unit.disordered]
    return bool(regiments) and (len(gone) + len(shaken) == len(regiments) or 2 * len(gone) > len(regiments))


class Witness(Observer):
    """Compares effectiveness at the end of every turn, and keeps orders and reserve after every activation."""

    def deployed(self, game):
        self.orders = {}
        self.resting = {}
        self.ineffective = 0
        self.before = {division.id: False for division in game.battle.divisions}

    def after_activation(self, game):
        number = int(game.battle.activation)
        self.orders[number] = {unit.id: int(unit.orders) for unit in game.battle.units}
        self.resting[number] = {(int(c.side), c.code) for c in game.battle.commands if c.in_reserve}

    def after_turn(self, game):
        """13.21, 13.22, 13.24, 13.31, 13.33."""
        for division in game.battle.divisions:
            brigades = [
                brigade for brigade in division.subordinates
                if brigade.level == BRIGADE and brigade.leader_list
                and any(unit.kind != ARTILLERY for unit in brigade.units)
            ]
            for brigade in brigades:
                assert brigade.ineffective is counted(brigade), brigade.id
            spent = sum(brigade.ineffective for brigade in brigades)
            self.ineffective += spent
            fit = len(brigades) - spent
            wanted = 2 * fit <= len(brigades) if self.before[division.id] else 2 * spent > len(brigades)
            assert division.ineffective is wanted, division.id
            self.before[division.id] = wanted


@pytest.fixture(params=EDITIONS)
def battles(request, wild):
    """Some battles at random by each book's wording: the game after each, and what was seen in it."""

    class Resting(wild):
        def reserve(self, series, commands):
            for command in commands:
                if self.throw(series, command, 2) == 0:
                    series.reserve.place(command)

    return several(request.param, lambda built: [Resting(), wild()])


@pytest.fixture(params=EDITIONS)
def hard_fought(request):
    """The same with two aggressive commanders of the heuristic, who come to blows."""
    return several(request.param, lambda built: [resolve("aggressive", side, built) for side in SIDES])


def several(edition, commanders):
    """A function that fights battles by an edition and yields each with what was seen in it."""
    built = build(load("dead_of_winter/skirmish"), {"edition": edition})
    game = Game(built.battle, built.series, KeyedDice(6, 13), commanders(built))
    game.log.level = EVERYTHING
    witness = Witness()
    game.watch(witness)

    def fight():
        for run in range(RUNS):
            game.play(run)
            yield game, witness

    return fight


def test_13_2_13_3_effectiveness_at_the_end_of_every_turn_is_as_counted_afresh(hard_fought):
    """13.22, 13.33."""
    ineffective = 0
    for _, witness in hard_fought():
        ineffective += witness.ineffective
    assert ineffective > 0


def test_13_41_a_rally_succeeds_and_costs_a_point_as_its_adjusted_roll_says(hard_fought):
    results = set()
    for game, _ in hard_fought():
        for event in game.log.events:
            if event.kind == "rally" and not event.mode:
                assert event.adjusted == event.roll + event.drm
                passed = event.adjusted <= event.target_sp
                assert (event.result == "rallied") is passed
                dear = not passed and (event.adjusted >= 9 or event.adjusted >= 2 * event.target_sp)
                assert event.own_losses == dear
                results.add((passed, dear))
    assert {(True, False), (False, False), (False, True)} >= results
    assert (True, False) in results


def test_6_32_6_34_who_is_in_reserve_does_nothing_until_it_leaves(battles):
    placed = 0
    for game, _ in battles():
        resting = set()
        commands = {unit.id: (int(unit.side), unit.command.code) for unit in game.battle.units}
        for event in game.log.events:
            who = (int(event.side), event.unit)
            if event.kind == "reserve" and event.result == "placed":
                assert who not in resting
                resting.add(who)
                placed += 1
            elif event.kind == "reserve":
                assert event.result in ("attacked", "Advance", "Attack")
                resting.remove(who)
            elif event.kind == "activation":
                assert who not in resting, "a command in reserve is activated (6.32)"
            elif event.kind in ("move", "shock") or (event.kind == "fire" and event.side >= 0):
                for ident in event.unit.split(", "):
                    assert commands.get(ident) not in resting, f"{ident} acts in reserve: {event.kind} (6.32)"
            elif event.kind == "returned":
                assert commands[event.unit] in resting, "who returns was in reserve (13.51)"
    assert placed > 0


def test_6_24_a_loose_cannon_ends_under_the_orders_of_his_profile(battles):
    """Cautious: Advance Orders; normal: no other than before. Aggressive: any but March Orders, or on the march."""
    seen = set()
    for game, witness in battles():
        pending = {}
        brigades = {(int(c.side), c.code): c for c in game.battle.brigades}
        for event in game.log.events:
            who = (int(event.side), event.unit)
            if event.kind == "orders" and event.mode == "loose cannon":
                pending[who] = event.result
                seen.add(event.result)
            elif event.kind == "activation" and who in pending:
                profile = pending.pop(who)
                orders = witness.orders[int(event.activation)]
                mine = [orders[unit.id] for unit in brigades[who].units if unit.id in orders]
                if profile.lower() == "cautious":
                    assert ADVANCE in mine
                elif profile.lower() == "aggressive" and event.mode != "March":
                    assert any(one != MARCH for one in mine)
    assert seen
