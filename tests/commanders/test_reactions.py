"""What the heuristic answers when its units may react (9.61, 9.63): who turns, who refuses, who moves off."""

import pytest

from simkit.model.forces import ARTILLERY, ATTACK, CAVALRY, REFUSED_LEFT, REFUSED_RIGHT
from simkit.model.hexgrid import HEADING_NAMES

LEFT, RIGHT = HEADING_NAMES.index("NNE"), HEADING_NAMES.index("SSE")  # a vertex either way of a unit that faces east


@pytest.fixture
def flanked(scene, enter):
    """A scene with a Union unit that faces east and an enemy in its left flank hex, who acts."""

    def make(**target):
        made = scene("steady")
        unit = made.unit("target", "A0606", "E", **target)
        enemy = made.unit("enemy", "A0605", "SSE", side=1, orders=ATTACK)
        leader = enter(made, enemy)
        return made, leader, unit, enemy

    return make


@pytest.mark.parametrize(("cohesion", "disordered", "chosen"), [(7, False, LEFT), (4, False, None), (6, True, None)])
def test_9_61_it_turns_towards_an_enemy_on_its_flank_if_it_will_likely_pass(flanked, cohesion, disordered, chosen):
    made, leader, unit, enemy = flanked(cohesion=cohesion, disordered=disordered)
    answer = leader.reaction_facing(made.series, unit, enemy, [LEFT, RIGHT])
    assert answer == (-1 if chosen is None else 0)


def test_9_61_it_refuses_rather_than_turn_away_from_another_enemy(flanked):
    made, leader, unit, enemy = flanked(cohesion=7)
    other = made.unit("other", "A0706", "NNW", side=1, orders=ATTACK)
    assert made.battle.in_front(unit, other.hex)
    assert leader.reaction_facing(made.series, unit, enemy, [LEFT, RIGHT]) == -1
    assert leader.reaction_refusal(made.series, unit, enemy, [REFUSED_RIGHT, REFUSED_LEFT]) == 1


def test_9_61_it_does_not_turn_for_small_arms_from_afar_but_guns_do(scene, enter):
    made = scene("steady")
    unit = made.unit("target", "A0606", "E")
    guns = made.unit("guns", "A0610", "E", kind=ARTILLERY)
    enemy = made.unit("enemy", "A0604", "SSE", side=1, orders=ATTACK)
    other = made.unit("other", "A0608", "SSE", side=1, orders=ATTACK)
    leader = enter(made, enemy)
    assert leader.reaction_facing(made.series, unit, enemy, [LEFT, RIGHT]) == -1
    assert leader.reaction_facing(made.series, guns, other, [LEFT, RIGHT]) == 0


@pytest.mark.parametrize(("facing", "friend", "goes"), [("E", None, True), ("W", None, False), ("E", "A0706", False)])
def test_9_63_guns_alone_move_off_before_a_charge_that_they_do_not_bear_on(scene, enter, facing, friend, goes):
    made = scene("steady")
    guns = made.unit("guns", "A0606", facing, kind=ARTILLERY, strength=4)
    if friend is not None:
        made.unit("friend", friend, "E")
    enemy = made.unit("enemy", "A0306", "E", side=1, orders=ATTACK)
    leader = enter(made, enemy)
    assert leader.reaction_move(made.series, guns, enemy, made.hex("A0407")) is goes
    enemy.disordered = True
    assert leader.reaction_move(made.series, guns, enemy, made.hex("A0407")) is False


@pytest.mark.parametrize(("strength", "place", "goes"), [(4, "A0507", True), (8, "A0507", False), (4, "A0407", False)])
def test_9_63_cavalry_moves_off_before_a_stronger_enemy_comes_adjacent(scene, enter, strength, place, goes):
    made = scene("steady")
    horse = made.unit("horse", "A0607", "W", kind=CAVALRY, strength=strength)
    enemy = made.unit("enemy", "A0307", "E", strength=6, side=1, orders=ATTACK)
    leader = enter(made, enemy)
    assert leader.reaction_move(made.series, horse, enemy, made.hex(place)) is goes
