"""What commanders answer for Extended Lines in shock, retreat and advance (8.47, 8.48, 11.37)."""

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.model.forces import ARTILLERY, ATTACK, EXTENDED_LINE
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import LineAdvance
from simkit.rules.dice import KeyedDice


def with_line(scene, enter, *enemies, strength=10):
    """A line of the Union in A0503 and A0504 facing east, and Confederates facing west."""
    made = scene("steady", 10, 8)
    line = made.unit("L", "A0503", "E", strength=strength, orders=ATTACK)
    for place in enemies:
        made.unit(f"e{place}", place, "W", side=1)
    made.battle.add_part(line, made.hex("A0504"), 0, EXTENDED_LINE)
    return made, line, enter(made, line)


def test_a_line_advances_so_that_enemies_are_in_front_8_47(scene, enter):
    made, line, leader = with_line(scene, enter, "A0703", "A0704")
    ahead, pivot = LineAdvance([made.hex("A0603"), made.hex("A0604")], 3), LineAdvance([made.hex("A0604"), line.hex], 1)
    assert leader.advance_line(made.series, line, [pivot, ahead]) == 1


def test_a_line_contracts_away_from_the_enemy_8_47(scene, enter):
    made, line, leader = with_line(scene, enter, "A0506")
    assert leader.contract_into(made.series, line, [made.hex("A0504"), made.hex("A0503")]) == 1


def test_a_line_wraps_around_unless_a_second_enemy_is_near_8_48(scene, enter):
    made, line, leader = with_line(scene, enter, "A0605")
    assert leader.wrap_around(made.series, line, made.hex("A0604"))
    made, line, leader = with_line(scene, enter, "A0605", "A0704")
    assert not leader.wrap_around(made.series, line, made.hex("A0604"))


def test_the_steadier_top_unit_checks_before_shock_11_37(scene, enter):
    made, line, leader = with_line(scene, enter, "A0605")
    gun = made.unit("gun", "A0504", "E", kind=ARTILLERY, cohesion=8)
    assert leader.top_defender(made.series, [line, gun]) == 1
    gun.disordered = True
    gun.cohesion_disordered = 6
    assert leader.top_defender(made.series, [line, gun]) == 0


@pytest.mark.parametrize("name", ["steady", "aggressive", "cautious", "firefighter"])
def test_a_line_shocks_all_that_it_faces_or_nobody_8_46(scene, enter, name):
    """8.46: weak enemies in front of both halves: whoever wishes for one gets a legal shock of both."""
    made, line, leader = with_line(scene, enter, "A0603", "A0605", strength=16)
    for unit in made.battle.units:
        if unit is not line:
            unit.strength = 2
            unit.disordered = True
    shocks = leader.shocks(made.series, made.battle.active)
    assert made.series.shock.check(shocks, made.battle.active) == []
    assert [sorted(place.id for place in shock.targets) for shock in shocks] == [["A0603", "A0605"]]


def test_random_play_answers_within_the_offer_8_47_8_48(scene, enter):
    made, line, _ = with_line(scene, enter, "A0603")
    commander = RandomCommander()
    made.series.equip(KeyedDice(1, 2), made.log, made.commanders)
    made.series.dice.begin(1)
    ways = [LineAdvance([line.hex], HEADING_NAMES.index("E")) for _ in range(3)]
    places = [part.hex for part in line.parts]
    answers = [
        (
            commander.advance_line(made.series, line, ways), commander.contract_into(made.series, line, places),
            commander.wrap_around(made.series, line, line.hex), commander.top_defender(made.series, [line, line]),
        )
        for _ in range(40)
    ]
    assert {one[0] for one in answers} == {0, 1, 2} and {one[1] for one in answers} == {0, 1}
    assert {one[2] for one in answers} == {False, True} and {one[3] for one in answers} == {0, 1}
