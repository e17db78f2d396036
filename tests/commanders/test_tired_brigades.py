"""What commanders make of fatigue (17): the heuristic rests where it can, random play keeps to the rules."""

import pytest

from simkit.model.forces import ADVANCE, ATTACK
from simkit.play.audit import audit
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve

UNION = 0
LEVELS = ["none", "OK", "0", "1", "2", "3", "4"]


def brigade(scene, enter, enemy="A1606", orders=ADVANCE):
    """A brigade of three regiments under a doctrine, and an enemy so far away."""
    made = scene("steady", columns=24)
    made.brigade("1/1/U", 0, orders)
    made.options.set("fatigue", "yes")
    made.leader("Brigade", "A0205", command_range=20)
    own = [made.unit(f"U{row}", f"A02{row:02d}", "E", orders=orders) for row in (4, 6, 8)]
    made.unit("C", enemy, "W", side=1)
    leader = enter(made, own[0])
    return made, own, leader


@pytest.mark.parametrize(
    ("level", "activations", "enemy", "rests"),
    [("none", 3, "A1606", False), ("0", 1, "A1606", False), ("0", 2, "A1606", True), ("1", 0, "A1606", True),
     ("3", 2, "A0506", False)],
)
def test_17_22_17_42_a_tired_brigade_far_from_the_enemy_stands_still(scene, enter, level, activations, enemy, rests):
    made, own, leader = brigade(scene, enter, enemy)
    marker = own[0].command.fatigue
    marker.place(LEVELS.index(level))
    marker.activations = activations
    assert leader.stands_still(made.series, own[0].command, leader.field(made.battle)) is rests
    if rests:
        leader.act(made.series, [own[0].command])
        assert not any(unit.moved or unit.fired for unit in own)


@pytest.mark.parametrize(
    ("level", "disordered", "rests"), [("1", 1, True), ("0", 1, False), ("3", 1, True), ("3", 2, False)]
)
def test_13_45_it_rests_rather_than_rallies_when_fatigue_tells_and_most_are_in_order(
    scene, enter, level, disordered, rests
):
    made, own, leader = brigade(scene, enter)
    own[0].command.fatigue.place(LEVELS.index(level))
    assert leader.rest(made.series, own[0].command, own[:disordered]) is rests


def test_17_32_it_plans_no_attack_at_level_4(scene, enter):
    made, own, leader = brigade(scene, enter, "A0305")
    assert leader.wanted_orders(made.series, own[0].command) == ATTACK
    own[0].command.fatigue.place(6)
    assert leader.wanted_orders(made.series, own[0].command) == ADVANCE


@pytest.mark.parametrize("pair", [("random", "random"), ("aggressive", "random"), ("steady", "aggressive")])
def test_17_battles_with_fatigue_are_legal_from_end_to_end(pair):
    built = build(load("dead_of_winter/skirmish"), {"fatigue": "yes"})
    both = [resolve(who, side, built) for who, side in zip(pair, ("Union", "Confederate"), strict=True)]
    game = Game(built.battle, built.series, KeyedDice(0x1862, 0x1230), both)
    game.log.level = 2
    told = set()
    for run in range(2):
        game.play(run)
        assert audit(built.battle) == []
        told |= {event.result for event in game.log.events if event.kind == "fatigue"}
    assert {"OK", "0"} <= told
