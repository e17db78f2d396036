"""Breastworks over several turns of play (15.1): built, broken off, torn down, and sound after every activation."""

import pytest

from simkit.model.battle import DAY, NIGHT, Turn
from simkit.model.breastworks import Site
from simkit.model.forces import ADVANCE, ATTACK
from simkit.model.log import EVERYTHING
from simkit.play.audit import audit
from simkit.play.game import Observer
from simkit.rules.scenario_rules import EVERY_TURN


@pytest.fixture(scope="module")
def longer(built):
    """The Skirmish over three turns, from day to night, on a battle and rules of this file's own."""
    built.battle.turns.extend([Turn("turn 2", DAY), Turn("turn 3", NIGHT)])
    for fixed in built.rules.fixed:
        fixed.last = EVERY_TURN
    return built


class Auditor(Observer):
    """Finds every state sound and keeps in how many hexes breastworks have stood."""

    def __init__(self):
        self.stood = 0

    def after_activation(self, game):
        faults = audit(game.battle)
        assert not faults, f"after activation {game.battle.activation}: {faults}"

    def after_turn(self, game):
        self.after_activation(game)
        self.stood = max(self.stood, len(game.battle.works.hexes))


def play(game, commanders, run):
    played = game(*commanders)
    played.log.level = EVERYTHING
    auditor = Auditor()
    played.watch(auditor)
    played.play(run)
    return played, auditor


def builder_of(wild):
    """A wild commander whose brigades advance, and who builds wherever he may."""

    class Builder(wild):
        def deploy(self, series, side):
            super().deploy(series, side)
            for command in list(series.orders.assignable):
                series.orders.assign(command, ADVANCE)

        def division_orders(self, series, brigades):
            pass

        def build(self, series, part, works):
            return self.throw(series, part.unit, len(works))

        def keeps_building(self, series, unit):
            return self.throw(series, unit, 8) > 0

        def end_of_turn(self, series, side):
            pass

    return Builder


def told(played):
    return [event.result for event in played.log.events if event.kind == "construction"]


def test_15_1_random_play_builds_and_every_state_is_sound(game, longer, wild):
    """15.1, 15.13, 15.14: what is begun is done, or broken off, or still under way; a run begins without any."""
    stood = done = 0
    for run in range(4):
        played, auditor = play(game, (builder_of(wild),), run)
        results = told(played)
        assert 2 * results.count("begun") == len(results) + len(played.battle.works.sites)
        stood += auditor.stood
        done += results.count("done")
        played.begin(run)
        assert played.battle.works.hexes == played.battle.works.sites == []
    assert stood > 0 and done > 0


def test_15_1_a_side_that_holds_builds_towards_the_enemy(game, longer, passive):
    """15.1: the heuristic commander's own answer where nobody comes near: each builder covers a way to him."""
    from simkit.scenario.commanders import resolve

    union = resolve("cautious", "Union", longer)
    union.doctrine.attack_odds = 100000  # it feels outmatched, so it holds
    played, _ = play(game, (lambda: union, passive), 0)
    results = told(played)
    assert results.count("done") > 0
    enemies = [unit.hex for unit in played.battle.units if unit.side == 1 and unit.counts()]
    for place in played.battle.works.hexes:
        nearest = min(enemies, key=lambda enemy, here=place: here.distance_to(enemy))
        ahead = [side.to for side in place.sides if place.walls & (1 << side.direction)]
        assert any(to.distance_to(nearest) < place.distance_to(nearest) for to in ahead)


def unmark(battle, unit, place):
    unit.building = False


def walk_off(battle, unit, place):
    battle.lift(unit)
    battle.stand(unit, battle.map.by_id["C3217"], False)


def turn_round(battle, unit, place):
    unit.heading = (unit.heading + 4) % 12


def march_on(battle, unit, place):
    unit.orders = ATTACK


def oversleep(battle, unit, place):
    battle.works.sites[0].due = -1


def crowd(battle, unit, place):
    for vertex in range(3):
        battle.works.stand_in(place, vertex)


def uncover(battle, unit, place):
    battle.works.hexes[0].walls = 0


def forget_the_cost(battle, unit, place):
    here = battle.works.hexes[0]
    next(side for side in here.sides if side.walls).walls = []


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (unmark, "marked as building or not"), (walk_off, "does not stand there"),
        (turn_round, "does not face what it builds"), (march_on, "not on foot under Advance Orders"),
        (oversleep, "should have been done"), (crowd, "no room for it"), (crowd, "3 breastworks stand in it"),
        (uncover, "do not cover the hexsides"), (forget_the_cost, "does not cost what its breastworks demand"),
    ],
)
def test_the_audit_finds_what_is_wrong_with_works(built, spoil, said):
    battle = built.battle
    battle.reset()
    unit = next(unit for unit in battle.units if unit.hex.id == "C3213")
    battle.works.stand_in(battle.map.by_id["C3214"], 0)
    battle.works.begin(Site(unit, unit.hex, unit.heading // 2, 1))
    assert audit(battle) == []
    spoil(battle, unit, unit.hex)
    faults = audit(battle)
    for side in battle.map.by_id["C3214"].sides:
        side.walls = side.to.sides[(side.direction + 3) % 6].walls  # made whole for the next
    battle.reset()
    assert any(said in fault for fault in faults), faults
