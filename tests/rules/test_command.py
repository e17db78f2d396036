"""Chapter 4: command range, the chain of command, and leaders' stars."""

import pytest

from simkit.model.forces import ARTILLERY

UNION, CONFEDERATE = 0, 1


def chain(field, brigadier="A0901"):
    """Corps commander in A0101 (range 6), division leader 5 MPs off in A0601 (range 5), brigadier with a regiment."""
    f = field(24, 8)
    f.corps = f.leader("Corps", "A0101", f.battle.corps[UNION], command_range=6)
    f.division_leader = f.leader("Division", "A0601", f.battle.divisions[UNION], command_range=5)
    f.brigadier = f.leader("Brigade", brigadier, f.battle.brigades[UNION], command_range=3)
    f.regiment = f.unit("22 IN", brigadier)
    return f


def test_example_4_22_the_chain_from_brigade_to_corps(field):
    """4.22, dead-of-winter:342: brigadier 3 MPs from a division leader of range 5, who is 5 from one of range 6."""
    f = chain(field).play()
    f.series.command.determine()
    assert f.battle.divisions[UNION].in_chain
    assert f.battle.brigades[UNION].in_chain
    assert f.series.command.linked(f.battle.brigades[UNION])


def test_4_22_a_brigadier_one_point_too_far_breaks_the_chain(field):
    f = chain(field, brigadier="A1201").play()
    f.series.command.determine()
    assert f.battle.divisions[UNION].in_chain
    assert not f.battle.brigades[UNION].in_chain
    assert not f.series.command.linked(f.battle.brigades[UNION])


def test_4_21_the_chain_breaks_for_a_brigade_when_its_division_leader_is_out_of_range(field):
    f = chain(field)
    f.battle.stand_leader(f.corps, f.hex("A0107"))
    f.play()
    f.series.command.determine()
    assert not f.battle.divisions[UNION].in_chain
    assert f.battle.brigades[UNION].in_chain
    assert not f.series.command.linked(f.battle.brigades[UNION])


def test_4_15_the_subordinates_hex_counts_and_the_superiors_does_not(field):
    f = chain(field)
    f.ground("woods", "A0601", "A0901")
    f.play()
    woods = f.charts.terrain("woods").leader
    clear = f.charts.terrain("clear").leader
    assert woods > clear
    cost = f.series.movement.range_cost(f.hex("A0601"), f.hex("A0901"), UNION, 100)
    assert cost == 2 * clear + woods


@pytest.mark.parametrize("held", [False, True])
def test_4_15_no_range_through_hexes_beside_the_enemy_unless_a_friendly_unit_holds_them(field, held):
    f = field(12, 2)
    f.leader("Division", "A0202", f.battle.divisions[UNION], command_range=10)
    f.leader("Brigade", "A1002", f.battle.brigades[UNION])
    f.unit("rear", "A1002")
    f.unit("1 TN", "A0601", "W", side=CONFEDERATE)  # A0602 is the only way past him
    if held:
        f.unit("gate", "A0602")
    f.play()
    assert f.series.command.brigade_in_range(f.battle.brigades[UNION]) is held


def test_4_15_no_range_across_what_leaders_cannot_cross(field):
    f = field(6, 1)
    f.leader("Division", "A0101", f.battle.divisions[UNION], command_range=10)
    f.leader("Brigade", "A0501", f.battle.brigades[UNION])
    f.unit("rear", "A0501")
    f.hexside("sheer_slope", "A0301", "A0401")
    f.play()
    assert not f.series.command.brigade_in_range(f.battle.brigades[UNION])


def test_4_15_a_unit_adjacent_to_its_leader_is_in_command_whatever_lies_between(field):
    f = field(6, 4)
    f.leader("Brigade", "A0202", command_range=0)
    beside = f.unit("beside", "A0302")
    beyond = f.unit("beyond", "A0502")
    f.play()
    f.series.command.determine()
    assert beside.in_command
    assert not beyond.in_command


def test_4_22_a_chain_of_adjacent_units_of_one_brigade_is_in_command(field):
    f = field(12, 4)
    f.leader("Brigade", "A0202", command_range=1)
    first = f.unit("first", "A0402")
    second = f.unit("second", "A0502")
    stacked = f.unit("stacked", "A0502")
    near = f.unit("near", "A0302")
    apart = f.unit("apart", "A0702")
    f.play()
    f.series.command.determine()
    assert [u.in_command for u in (near, first, second, stacked, apart)] == [True, True, True, True, False]


def test_4_22_units_of_another_brigade_make_no_chain(field):
    f = field(12, 4)
    f.leader("Brigade", "A0202", command_range=1)
    other = f.brigade("2/1/U")
    f.unit("link", "A0302", brigade=other)
    unit = f.unit("unit", "A0402")
    f.play()
    assert not f.series.command.unit_in_range(unit)


def test_4_22_units_directly_under_a_higher_leader_chain_likewise(field):
    f = field(12, 4)
    f.leader("Corps", "A0202", f.battle.corps[UNION], command_range=1)
    first = f.unit("escort", "A0302", brigade=f.battle.corps[UNION])
    second = f.unit("guard", "A0402", brigade=f.battle.corps[UNION])
    f.play()
    assert f.series.command.units_in_range(f.battle.corps[UNION]) == [first, second]


def test_4_23_the_status_stays_as_it_was_at_the_start_of_the_turn(field):
    f = field(16, 4)
    leader = f.leader("Brigade", "A0202", command_range=2)
    unit = f.unit("unit", "A0302")
    f.play()
    f.series.command.determine()
    f.battle.stand_leader(leader, f.hex("A1402"))
    assert unit.in_command
    assert not f.series.command.unit_in_range(unit)


def test_4_21_without_a_leader_on_the_map_there_is_no_command(field):
    f = field(6, 4)
    unit = f.unit("unit", "A0302")
    f.play()
    f.series.command.determine()
    assert not unit.in_command
    assert not f.battle.brigades[UNION].in_chain


def test_9_32_a_corps_commander_who_rode_far_commands_only_those_stacked_with_him(field):
    f = chain(field)
    f.play()
    f.corps.far_moved = True
    f.series.command.determine()
    assert not f.battle.divisions[UNION].in_chain
    f.battle.stand_leader(f.corps, f.division_leader.hex)
    f.series.command.determine()
    assert f.battle.divisions[UNION].in_chain


def test_11_73_the_stars_of_all_leaders_of_the_chain_in_the_hex_add_up(field):
    f = field(6, 4)
    unit = f.unit("unit", "A0302")
    battery = f.unit("battery", "A0302", kind=ARTILLERY, brigade=f.brigade("2/1/U"))
    f.leader("Brigade", "A0302")
    f.leader("Division", "A0302", f.battle.divisions[UNION])
    f.leader("Corps", "A0302", f.battle.corps[UNION])
    f.leader("Army", "A0303", f.battle.armies[UNION])
    f.play()
    assert f.series.command.stars(unit) == 1 + 2 + 3
    assert f.series.command.stars(battery) == 2 + 3


def test_11_73_a_leader_who_had_to_join_a_unit_lends_no_stars_in_that_activation(field):
    f = field(6, 4)
    unit = f.unit("unit", "A0302")
    leader = f.leader("Brigade", "A0302")
    f.play()
    assert f.series.command.stars(unit) == 1
    leader.joined = True
    assert f.series.command.stars(unit) == 0


@pytest.mark.parametrize(
    ("star", "cohesion", "die", "passes"), [(True, 6, 9, True), (False, 6, 9, False), (True, 5, 9, False)]
)
def test_11_73_2_6_stars_help_every_check(field, star, cohesion, die, passes):
    f = field(6, 4)
    unit = f.unit("unit", "A0302", cohesion=cohesion)
    f.leader("Corps", "A0302" if star else "A0303", f.battle.corps[UNION])
    f.play([("cohesion", die)])
    assert f.series.results.udd(unit, 0, "test") is passes


def test_4_22_a_command_without_a_leader_of_its_own_answers_to_the_next_above(field):
    """4.22, 5.36: an escort is directly subordinate to a higher leader: in his range nothing holds it back."""
    f = field(20, 4)
    f.leader("Division", "A0202", f.battle.divisions[UNION], command_range=2)
    near = f.unit("Escort", "A0402", brigade=f.brigade("Escort"))
    far = f.unit("Guard", "A1002", brigade=f.brigade("Guard"))
    f.play()
    f.series.command.determine()
    assert (near.in_command, far.in_command) == (True, False)
    assert near.command.in_chain
    f.series.results.kill(f.battle.leaders[0], "test")
    f.series.command.determine()
    assert (near.in_command, near.command.in_chain) == (False, False)
