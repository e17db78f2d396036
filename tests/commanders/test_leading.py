"""Where the heuristic commander's leaders ride (4.1, 9.3, 13.43), in scenes whose answer a player knows."""

import pytest

from simkit.model.battle import PHASE_ACTION, PHASE_COMMANDERS
from simkit.model.charts import ONE_MP
from simkit.model.forces import ADVANCE, ATTACK

LONG = 10 * ONE_MP


@pytest.fixture
def brigade(scene, enter):
    """A function that makes a brigade with its leader, an enemy, and the activation of the brigade."""

    def make(places, head, enemy="A1406", name="steady", orders=ADVANCE, command_range=4, **leader):
        made = scene(name, columns=40)
        made.own = made.brigade("1/1/U", 0, orders)
        made.head = made.leader("Brigadier", head, command_range=command_range, **leader)
        made.units = [made.unit(f"U{place}", place, "E", orders=orders) for place in places]
        made.foe = made.unit("C", enemy, "W", side=1)
        enter(made, made.units[0])
        made.battle.phase = PHASE_ACTION
        return made

    return make


# -- rally (13.43) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["A0306", "A0206"])
def test_13_43_the_brigadier_rides_to_a_unit_before_it_rallies(brigade, head):
    made = brigade(["A0604", "A0504", "A0505"], head)
    made.units[1].disordered = True
    made.led.act(made.series, [made.own])
    (rally,) = made.events("rally")
    assert rally.drm == -1
    assert made.head.hex is made.units[1].hex


def test_13_43_he_does_not_while_a_unit_of_his_may_shock(brigade):
    made = brigade(["A1306", "A0806"], "A1006", orders=ATTACK)
    made.units[1].disordered = True
    assert made.series.shock.may_shock(made.units[0])
    made.led.bring_stars(made.series, made.units[1])
    assert made.head.hex.id == "A1006"


def test_13_43_a_division_leader_lends_his_stars_too_but_leaves_no_brigade_out_of_range(scene, enter):
    made = scene("steady", columns=40)
    first, second = made.brigade("1/1/U", 0), made.brigade("2/1/U", 0)
    chief = made.leader("Chief", "A0606", command=made.battle.divisions[0], command_range=5)
    made.leader("One", "A0706", command=first)
    made.leader("Two", "A0206", command=second)
    shaken = made.unit("shaken", "A0806", "E", brigade=first, disordered=True)
    made.unit("other", "A0206", "E", brigade=second)
    made.unit("C", "A2506", "W", side=1)
    leader = enter(made, shaken)
    leader.bring_stars(made.series, shaken)
    assert chief.hex.id == "A0606"
    leader_of_two = second.leader()
    made.battle.stand_leader(leader_of_two, made.hex("A0606"))
    first.leader().moved = False
    leader.bring_stars(made.series, shaken)
    assert chief.hex is shaken.hex
    assert made.series.command.stars(shaken) == 3


# -- brigadiers (9.31) ------------------------------------------------------------------------------------------------


def test_4_22_a_brigadier_stays_where_his_range_covers_his_units(brigade):
    """The unit in front stands six hexes before the rest."""
    made = brigade(["A1206", "A0604", "A0605", "A0606", "A0607"], "A0505", enemy="A3006")
    made.led.move_leader(made.series, made.own, made.head)
    assert sum(unit.hex.distance_to(made.head.hex) <= 4 for unit in made.units) >= 4


def test_9_31_a_brigadier_left_far_behind_rides_as_near_as_he_can(brigade):
    made = brigade(["A2506", "A2505"], "A0206", enemy="A3506")
    made.led.move_leader(made.series, made.own, made.head)
    assert made.head.hex.distance_to(made.units[0].hex) <= 23 - 10


def test_9_31_no_brigadier_ends_alone_beside_the_enemy(brigade):
    made = brigade(["A2506"], "A0206", enemy="A1306")
    made.led.move_leader(made.series, made.own, made.head)
    assert not made.battle.enemy_near(made.head.hex, 0)


# -- leaders of divisions, corps and armies (4.15, 9.32) ---------------------------------------------------------------


@pytest.fixture
def chain(scene, enter):
    """A function that makes a chain of command: army, corps and division leader, and a brigadier with a unit."""

    def make(brigadier, division, corps, army):
        made = scene("steady", columns=60)
        made.own = made.battle.brigades[0]
        made.leader("Brigadier", brigadier)
        battle = made.battle
        made.division_leader = made.leader("Division", division, command=battle.divisions[0], command_range=5)
        made.corps_leader = made.leader("Corps", corps, command=battle.corps[0], command_range=5)
        made.army_leader = made.leader("Army", army, command=battle.armies[0], command_range=8)
        made.own_unit = made.unit("U", brigadier, "E")
        made.unit("C", "A5806", "W", side=1)
        enter(made, made.own_unit)
        made.battle.phase = PHASE_ACTION
        return made

    return make


def linked(made):
    made.series.command.determine()
    return [command.in_chain for command in (made.own, made.battle.divisions[0], made.battle.corps[0])]


def test_4_15_9_32_leaders_follow_their_troops_so_that_the_chain_holds_next_turn(chain):
    made = chain("A1906", "A1006", "A1206", "A1006")
    assert linked(made) == [False, True, True]
    made.led.lead_divisions(made.series, [made.own])
    made.battle.phase = PHASE_COMMANDERS
    for leader in made.battle.leaders:
        leader.moved = False
    made.led.end_of_turn(made.series, 0)
    assert linked(made) == [True, True, True]
    assert made.corps_leader.spent <= LONG
    assert made.army_leader.spent <= LONG


def test_9_31_a_division_leader_with_brigades_left_under_the_marker_waits(chain):
    made = chain("A1906", "A1006", "A1206", "A1006")
    made.battle.remaining = [made.own]
    made.led.lead_divisions(made.series, [made.own])
    assert made.division_leader.hex.id == "A1006"


def test_9_32_nobody_rides_whose_subordinates_are_in_range(chain):
    made = chain("A1206", "A1006", "A0806", "A0606")
    made.led.lead_divisions(made.series, [made.own])
    made.battle.phase = PHASE_COMMANDERS
    made.led.end_of_turn(made.series, 0)
    assert not made.events("leader")


@pytest.mark.parametrize(("corps", "rides"), [("A0306", True), ("A0906", False)])
def test_9_32_a_long_ride_only_where_a_short_one_reaches_nobody(chain, corps, rides):
    """From A0306 no ride of 10 movement points brings him into range of A2306, 20 hexes away; from A0906 one does."""
    made = chain("A2306", "A2306", corps, "A0106")
    made.battle.phase = PHASE_COMMANDERS
    post = made.unit("Escort", "A1906", "E", brigade=made.battle.corps[0])
    made.led.end_of_turn(made.series, 0)
    assert (made.corps_leader.spent > LONG) is rides
    assert made.corps_leader.hex.distance_to(made.division_leader.hex) <= 5
    assert post.counts()


def test_12_76_of_equals_the_one_whose_brigade_is_farthest_from_the_enemy_is_promoted(scene, enter):
    made = scene("steady", columns=40)
    one, other = made.brigade("1/1/U", 0), made.brigade("2/1/U", 0)
    leaders = [made.leader("One", "A1906", command=one), made.leader("Two", "A0506", command=other)]
    unit = made.unit("U", "A1906", "E", brigade=one)
    made.unit("C", "A2106", "W", side=1)
    leader = enter(made, unit)
    assert leader.next_in_command(made.series, leaders[0], leaders) == 1
