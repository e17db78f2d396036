"""Whom the heuristic commander lets act, when and with whom (5.1 to 5.4, 6.2), in scenes with a known answer."""

import pytest

from simkit.model.battle import MARCH_MARKER, Marker
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH
from simkit.rules.commander import Transfer

NONE = -1


@pytest.fixture
def corps(scene, enter):
    """A function that makes two Union divisions of a brigade each: the first at some hexes, the second far off."""

    def make(first, enemies, orders=ADVANCE, name="steady", second="A0211", **unit):
        made = scene(name, columns=30)
        made.army = made.leader("Army", "A0306", command=made.battle.armies[0], command_range=40)
        made.leader("Corps", "A0306", command=made.battle.corps[0], command_range=40)
        made.near = made.brigade("1/1/U", 0, orders)
        made.second = made.division("2/U")
        made.far = made.brigade("1/2/U", 0, ADVANCE, made.second)
        made.leader("Second", "A0306", command=made.second, command_range=40)
        made.leader("First", "A0306", command=made.battle.divisions[0], command_range=40)
        made.own = [made.unit(f"U{at}", at, "E", brigade=made.near, **unit) for at in first]
        made.idle = made.unit("Idle", second, "E", brigade=made.far)
        made.foes = [made.unit(f"C{at}", at, "W", side=1, strength=8) for at in enemies]
        enter(made, made.idle)
        made.series.command.determine()
        return made

    return make


# -- the first marker (5.13) ------------------------------------------------------------------------------------------


def test_5_13_the_division_in_contact_with_a_shock_worth_making_goes_first(corps):
    made = corps(["A1006"], ["A1106"], ATTACK, strength=9)
    made.foes[0].disordered, made.foes[0].strength = True, 2
    divisions = [made.second, made.battle.divisions[0]]
    assert made.led.first_marker(made.series, divisions) == 1


def test_5_13_of_two_at_the_same_distance_the_one_that_is_outmatched_goes_first(corps):
    made = corps(["A1004"], ["A1104", "A1010"], second="A0910", strength=2)
    assert made.led.urgency(made.series, made.near) > made.led.urgency(made.series, made.far)


def test_5_13_the_march_goes_first_while_nobody_is_near_the_enemy(corps):
    made = corps(["A0206"], ["A2806"])
    choices = [made.battle.divisions[0], made.second, made.battle.armies[0]]
    assert made.led.first_marker(made.series, choices) == 2
    made = corps(["A0206"], ["A0606"])
    choices = [made.battle.divisions[0], made.second, made.battle.armies[0]]
    assert made.led.first_marker(made.series, choices) == 0


def test_5_13_the_march_may_be_the_only_choice(corps):
    made = corps(["A0206"], ["A0606"])
    made.battle.pool = [Marker(MARCH_MARKER, 0, made.battle.armies[0], 0)]
    assert made.led.first_marker(made.series, [made.battle.armies[0]]) == 0


# -- efficiency (5.2, 5.4) --------------------------------------------------------------------------------------------


def test_5_43_markers_go_from_the_idle_division_to_the_engaged_one_and_not_the_other_way(corps):
    made = corps(["A1506"], ["A1706"])
    engaged, idle = made.battle.divisions[0], made.second
    assert made.led.transfer(made.series, [Transfer(idle, [engaged]), Transfer(engaged, [idle])]) == 1
    assert made.led.transfer(made.series, [Transfer(idle, [engaged])]) == NONE


def test_5_43_a_division_on_the_march_or_in_reserve_gives_up_markers_though_the_enemy_is_near(corps):
    made = corps(["A1006"], ["A1206"], second="A1009")
    giving = [Transfer(made.battle.divisions[0], [made.second])]
    assert made.led.transfer(made.series, giving) == NONE
    made.far.orders = MARCH
    assert made.led.transfer(made.series, giving) == 0
    made.far.orders = ADVANCE
    made.far.in_reserve = True
    assert made.led.transfer(made.series, giving) == 0


def test_5_23_the_corps_bonus_is_not_wasted_on_who_has_four_markers(corps):
    made = corps(["A1006"], ["A1206"])
    divisions = [made.battle.divisions[0], made.second]
    divisions[0].markers, divisions[1].markers = 3, 2
    assert made.led.corps_bonus(made.series, divisions) == 0
    divisions[0].markers = 4
    assert made.led.corps_bonus(made.series, divisions) == 1
    divisions[1].markers = 4
    assert made.led.corps_bonus(made.series, divisions) == NONE


@pytest.mark.parametrize(("enemy", "passes"), [("A1106", False), ("A1206", True)])
def test_5_26_5_36_who_is_outmatched_in_contact_acts_on_the_first_markers(corps, enemy, passes):
    made = corps(["A1006"], [enemy], strength=2)
    made.foes[0].strength = 16
    assert made.led.let_pass(made.series, made.near, 1) is passes
    assert made.led.let_unit_pass(made.series, made.own[0], 1) is passes


# -- coordination (5.34) ----------------------------------------------------------------------------------------------


@pytest.fixture
def division(scene, enter):
    """A function that makes a division of three brigades, two of them side by side at the enemy, and its leader."""

    def make(rating, orders=(ATTACK, ATTACK, ATTACK), name="steady", second="A1008"):
        made = scene(name, columns=30)
        made.head = made.leader(
            "Division", "A0906", command=made.battle.divisions[0], command_range=40, coordination=rating
        )
        made.all = [made.brigade(f"{number}/1/U", 0, order) for number, order in zip((1, 2, 3), orders, strict=True)]
        for brigade, place in zip(made.all, ("A1004", second, "A0112"), strict=True):
            made.own = made.unit(f"U{place}", place, "E", brigade=brigade, strength=7)
        made.foe = made.unit("C", "A1206", "W", side=1, strength=5)
        enter(made, made.own)
        return made

    return make


@pytest.mark.parametrize(
    ("name", "rating", "tries"),
    [("steady", 1, False), ("steady", 2, True), ("cautious", 1, False), ("cautious", 2, True), ("aggressive", 0, True)],
)
def test_5_34_coordination_is_tried_where_it_is_likelier_than_confusion_by_enough(division, name, rating, tries):
    made = division(rating, name=name)
    assert made.led.coordinate(made.series, made.battle.divisions[0], made.all) is tries


def test_5_34_it_is_not_tried_for_a_single_attacker_nor_for_two_far_apart(division):
    made = division(3, (ATTACK, ADVANCE, ATTACK))
    assert not made.led.coordinate(made.series, made.battle.divisions[0], made.all)
    made = division(3, second="A2412")
    assert not made.led.coordinate(made.series, made.battle.divisions[0], made.all)


def test_5_34_the_neighbours_at_the_enemy_are_the_ones_that_act_together(division):
    made = division(3)
    ordered = [made.all[2], made.all[1], made.all[0]]
    chosen = made.led.coordinated(made.series, made.battle.divisions[0], ordered, 3)
    assert {brigade.code for brigade in chosen} == {"1/1/U", "2/1/U"}
    assert len(made.led.coordinated(made.series, made.battle.divisions[0], ordered, 1)) == 1


def test_5_34_brigades_that_act_together_shock_together(scene, enter):
    """Neither brigade would shock alone what both drive off."""
    went = {}
    for together in (False, True):
        made = scene("steady")
        first, second = made.brigade("1/1/U", 0, ATTACK), made.brigade("2/1/U", 0, ATTACK)
        one = made.unit("one", "A0604", "E", strength=6, orders=ATTACK, brigade=first)
        other = made.unit("other", "A0605", "E", strength=6, orders=ATTACK, brigade=second)
        foe = made.unit("C", "A0704", "W", side=1, strength=7)
        leader = enter(made, one)
        target = [place for place in made.series.shock.targets(one) if place in made.series.shock.targets(other)]
        assert target
        assert foe.counts()
        made.begin(first, second) if together else made.begin(first)
        went[together] = leader._joint_chance(made.series, first, one, target[0])
    assert went[True] > went[False] + 100


# -- batteries (5.33) -------------------------------------------------------------------------------------------------


def test_5_33_the_nearest_battery_goes_with_the_brigade_that_is_to_fight_and_acts_with_it(scene, enter):
    made = scene("steady", columns=30)
    fighting, behind = made.brigade("1/1/U", 0, ADVANCE), made.brigade("2/1/U", 0, ADVANCE)
    unit = made.unit("U", "A1006", "E", brigade=fighting)
    made.unit("Idle", "A0112", "E", brigade=behind)
    division = made.battle.divisions[0]
    guns = [
        made.unit(name, place, "E", strength=4, kind=ARTILLERY, weapon="N", brigade=division)
        for name, place in (("far", "A0201"), ("near", "A0906"))
    ]
    made.unit("C", "A1406", "W", side=1)
    leader = enter(made, unit)
    assert leader.attach(made.series, fighting, guns) == 1
    assert leader.attach(made.series, behind, guns[:1]) == NONE
    made.series.activation.attach(0)
    assert made.series.activation.attachments(fighting) == [guns[1]]
    made.battle.phasing = 0
    made.series.activation.brigade([fighting])
    assert {event.unit for event in made.events("fire", "move")} & {guns[1].id}


# -- orders (6.2) -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rating", "tries"), [(0, True), (-1, True), (-2, False), (-3, False)])
def test_6_21_a_leader_who_hardly_ever_brings_new_orders_is_not_asked(scene, enter, rating, tries):
    made = scene("steady")
    made.leader("Brigade", "A0606", orders=rating)
    unit = made.unit("U", "A0606", "E", strength=9)
    made.unit("C", "A0906", "W", side=1, strength=4)
    leader = enter(made, unit)
    assert leader.change_orders(made.series, unit.command) == (ATTACK if tries else NONE)


def test_6_21_an_attack_is_not_rolled_away_because_the_enemy_fell_back(scene, enter):
    made = scene("steady", columns=30)
    made.leader("Brigade", "A0606", orders=2)
    made.battle.brigades[0].orders = ATTACK
    unit = made.unit("U", "A0606", "E", strength=9)
    made.unit("C", "A1406", "W", side=1, strength=4)
    leader = enter(made, unit)
    assert leader.wanted_orders(made.series, unit.command) == ADVANCE
    assert leader.change_orders(made.series, unit.command) == NONE


def test_6_14_a_command_of_guns_alone_sees_the_enemy_too(scene, enter):
    """It would march up to him otherwise."""
    made = scene("steady", columns=30)
    park = made.brigade("Park", 0, ADVANCE)
    guns = made.unit("Guns", "A0606", "E", strength=4, kind=ARTILLERY, weapon="N", brigade=park)
    made.unit("C", "A1206", "W", side=1)
    leader = enter(made, guns)
    assert leader.wanted_orders(made.series, park) != MARCH
