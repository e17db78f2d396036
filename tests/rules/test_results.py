"""Chapter 12: losses, collapse, disorder, rout, the queue of effects, leaders and abandoned guns."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit.model.charts import (
    CAUSE_ADJACENT_ROUT,
    CAUSE_FIRE,
    CAUSE_FRIENDLY_FIRE,
    CAUSE_PRE_SHOCK_CHECK,
    CAUSE_SHOCK,
    CAUSE_TERRAIN,
    FireResult,
)
from simkit.model.counters import Ratings
from simkit.model.forces import (
    ARTILLERY,
    BY_CANISTER,
    BY_OTHER,
    BY_RALLY,
    BY_SHELL,
    BY_SHOCK,
    BY_SMALL_ARMS,
    CAVALRY,
    ELIMINATED,
    INFANTRY,
    ON_MAP,
    ROUTED,
    SIDES,
)
from simkit.play.audit import audit
from simkit.rules.dice import ScriptedDice

NOTHING = FireResult(0, 0, 0, "-")
D_CHECK = FireResult(0, 1, 0, "d")
ONE_D2 = FireResult(1, 1, 2, "1d+2")
ONE_D = FireResult(1, 2, 0, "1D")
D = FireResult(0, 2, 0, "D")
TWO_D = FireResult(2, 2, 0, "2D")


def hit(f, place, result, cause=BY_SMALL_ARMS, origin="A0803", first=()):
    return f.series.results.apply_fire(f.hex(place), result, cause, list(first), [f.hex(origin)])


def kinds(f):
    return [event.kind for event in f.log.events]


# -- checks and losses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "drm", "passed"), [(6, 0, True), (7, 0, False), (5, 1, True), (6, 1, False), (9, -3, True)]
)
def test_udd_2_6(field, die, drm, passed):
    f = field(6, 6)
    a = f.unit("A", "A0303", cohesion=6)
    f.play([("cohesion", die)])
    assert f.series.results.udd(a, drm, "test") is passed
    event = f.events("udd")[0]
    assert (event.roll, event.adjusted, event.result) == (die, die + drm, "passed" if passed else "failed")


def test_leaders_help_checks_of_their_command_11_73(field):
    """11.73: the stars of the leaders of its chain of command come off a unit's roll, and add up."""
    f = field(6, 6)
    a = f.unit("A", "A0303", cohesion=6)
    stranger = f.unit("B", "A0303", cohesion=6, brigade=f.brigade("2/1/U"))
    f.leader("Brigadier", "A0303")
    f.leader("Corps", "A0303", command=f.battle.corps[0])
    f.play([("cohesion", 9), ("cohesion", 9), ("cohesion", 9)])
    assert f.series.results.udd(a, -1, "test")  # 9 - 1 - 3 - 1
    assert f.series.results.udd(stranger, 0, "test")  # his corps commander alone: 9 - 3
    f.battle.leaders[1].joined = True
    assert not f.series.results.udd(stranger, 0, "test")  # 12.73


def test_losses_are_booked_under_their_cause_12_2(field):
    """12.11-12.13: steps go one by one, no more than there are, and the last one eliminates."""
    f = field(6, 6)
    a = f.unit("A", "A0303", strength=6)
    f.play()
    assert f.series.results.lose(a, 2, BY_SMALL_ARMS) == 2
    assert f.series.results.lose(a, 1, BY_SHELL) == 1
    assert (a.strength, a.lost_small_arms, a.lost_shell) == (3, 2, 1)
    assert f.series.results.lose(a, 9, BY_SHOCK) == 3
    assert (a.strength, a.place, a.lost_shock) == (0, ELIMINATED, 3)
    assert not f.hex("A0303").stack
    assert sum(event.losses for event in f.events("loss")) == a.losses() == 6


def test_collapse_at_less_than_half_12_23(field):
    """12.23 EXAMPLE #1 (dead-of-winter:1771, gringo:1647): 8 SP stand 4 losses; the 5th disorders and collapses."""
    f = field(6, 6)
    a = f.unit("A", "A0303", strength=8)
    f.play()
    f.series.results.lose(a, 4, BY_SMALL_ARMS)
    assert not a.collapsed and not a.disordered
    f.series.results.lose(a, 1, BY_SMALL_ARMS)
    assert a.collapsed and a.disordered
    assert kinds(f)[-2:] == ["collapse", "disorder"]


@pytest.mark.parametrize(("check", "place"), [(9, ROUTED), (4, ON_MAP)])
def test_collapse_with_disorder_12_23(field, check, place):
    """12.23 EXAMPLE #2 (dead-of-winter:1773): 1D on 4 of 8 SP: 3 and collapsed, then 2 and back, then the check."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=4, full=8, cohesion=6)
    f.unit("enemy", "A0803", side=1)
    f.play([("cohesion", check)])
    hit(f, "A0303", ONE_D)
    order = [(event.kind, event.mode) for event in f.log.events]
    assert order[:5] == [
        ("loss", "small_arms"), ("collapse", ""), ("disorder", "collapse"), ("second", "fire"),
        ("loss", "second_disorder"),
    ]
    after = [kind for kind, _ in order[5:]]
    assert after == ["retreat"] * after.count("retreat") + ["udd"] + ["rout"] * (place == ROUTED)
    assert (a.strength, a.place) == (2, place)
    assert f.dice.used_up()


def test_a_collapsed_unit_checks_each_time_it_loses_but_once_for_a_result_12_23(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=3, full=8, disordered=True)
    a.collapsed = True
    f.unit("enemy", "A0803", side=1)
    f.play([("cohesion", 0), ("cohesion", 0)])
    hit(f, "A0303", FireResult(1, 2, 0, "1D"))  # loses one, and one more by the second disorder
    assert a.strength == 1
    assert f.dice.asked == ["cohesion u/a"]
    f.series.results.lose(a, 0, BY_RALLY)
    assert len(f.dice.asked) == 1


def test_guns_do_not_collapse_12_23(field):
    f = field(6, 6)
    a = f.unit("Bty", "A0303", strength=6, kind=ARTILLERY)
    f.play()
    f.series.results.lose(a, 5, BY_CANISTER)
    assert a.strength == 1 and not a.collapsed and not a.disordered


# -- fire results and stacks -------------------------------------------------------------------------------------------


def test_the_top_unit_suffers_and_the_others_check_without_its_drm_8_35(field):
    """8.35: a disordered top unit makes the others check, without the result's +2."""
    f = field(8, 6)
    a = f.unit("A", "A0303", cohesion=6)
    b = f.unit("B", "A0303", cohesion=6)
    f.play([("cohesion", 5), ("cohesion", 6)])
    hit(f, "A0303", FireResult(0, 1, 2, "d+2"))
    assert a.disordered and not b.disordered
    assert f.dice.used_up()


def test_nobody_else_checks_while_the_top_unit_stands_8_35(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", cohesion=6)
    b = f.unit("B", "A0303", cohesion=6)
    f.play([("cohesion", 6)])
    hit(f, "A0303", FireResult(1, 1, 0, "1d"))
    assert (a.strength, b.strength, a.disordered, b.disordered) == (4, 5, False, False)
    assert f.dice.used_up()


def test_excess_losses_go_to_the_next_unit_and_the_rest_is_ignored_8_35(field):
    """8.35, 12.22: the top unit gone, the next takes what is left and checks plainly."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=1)
    b = f.unit("B", "A0303", strength=6, cohesion=6)
    f.play([("cohesion", 6)])
    assert hit(f, "A0303", TWO_D) == 2
    assert (a.place, b.strength, b.disordered) == (ELIMINATED, 5, False)
    assert f.dice.used_up()


def test_leftover_losses_are_ignored_12_22(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=1)
    f.play()
    assert hit(f, "A0303", TWO_D) == 1
    assert a.place == ELIMINATED and f.log.events[-1].kind == "eliminated"


def test_shell_strikes_each_unit_by_itself_8_35(field):
    """8.35 EXAMPLE (dead-of-winter:815, gringo:741, into-the-woods:745): the top fails, the bottom passes, once."""
    f = field(8, 6)
    a = f.unit("A", "A0303", cohesion=6)
    b = f.unit("B", "A0303", cohesion=6)
    f.play([("cohesion", 7), ("cohesion", 6)])
    hit(f, "A0303", D_CHECK, BY_SHELL)
    assert a.disordered and not b.disordered
    assert f.dice.used_up()


def test_shell_takes_its_steps_from_every_unit_10_67(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6)
    b = f.unit("B", "A0303", strength=6)
    f.play([("cohesion", 0), ("cohesion", 0)])
    assert hit(f, "A0303", ONE_D2, BY_SHELL) == 2
    assert (a.lost_shell, b.lost_shell) == (1, 1)


def test_collapse_of_the_top_unit_makes_the_others_check_8_35(field):
    """8.35, 12.23: collapse disorders, so the rest of the stack checks."""
    f = field(8, 6)
    f.unit("A", "A0303", strength=4, full=8)
    b = f.unit("B", "A0303", cohesion=6)
    f.play([("cohesion", 9)])
    hit(f, "A0303", FireResult(1, 0, 0, "1"))
    assert b.disordered and f.dice.used_up()


def test_fire_at_the_shocking_unit_beneath_others_8_35(field):
    """8.35, 10.43: the named unit bears the result first, then the next named, then the top of the stack."""
    f = field(8, 6)
    idle = f.unit("idle", "A0303", strength=5)
    first = f.unit("first", "A0303", strength=1)
    second = f.unit("second", "A0303", strength=1)
    f.play([("cohesion", 0)])
    hit(f, "A0303", FireResult(3, 2, 0, "3D"), first=[first, second])
    assert (first.place, second.place, idle.strength) == (ELIMINATED, ELIMINATED, 4)


# -- second disorder ---------------------------------------------------------------------------------------------------


def test_second_disorder_from_fire_12_35a(field):
    """12.35a: one step and one or two hexes back, no check."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, disordered=True)
    f.unit("enemy", "A0803", side=1)
    f.play()
    hit(f, "A0303", D)
    assert (a.strength, a.lost_second_disorder, a.retreated) == (5, 1, True)
    assert a.hex.distance_to(f.hex("A0803")) > 5
    assert f.dice.used_up()


@pytest.mark.parametrize("cause", [CAUSE_SHOCK, CAUSE_PRE_SHOCK_CHECK, CAUSE_ADJACENT_ROUT, CAUSE_FRIENDLY_FIRE])
@pytest.mark.parametrize(("die", "place", "strength"), [(4, ON_MAP, 5), (5, ROUTED, 6)])
def test_second_disorder_from_shock_and_friends_12_35b(field, cause, die, place, strength):
    """12.35b: a check at the disordered rating: fail and rout, pass and lose a step and retreat."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, disordered=True, cohesion=6)
    f.unit("enemy", "A0803", side=1)
    f.play([("cohesion", die)])
    assert f.series.results.disorder(a, cause)
    assert (a.place, a.strength) == (place, strength)
    assert a.retreated is (place == ON_MAP)


def test_second_disorder_from_terrain_costs_nothing_12_35c(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, disordered=True)
    f.play()
    f.begin(a)
    assert f.series.results.disorder(a, CAUSE_TERRAIN)
    assert (a.strength, a.hex.id, a.finished) == (6, "A0303", False)


def test_a_phasing_unit_is_done_after_a_second_disorder_12_35f(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6)
    f.unit("enemy", "A0803", side=1)
    f.play()
    f.begin(a)
    f.series.results.disorder(a, CAUSE_FIRE)
    assert not a.finished
    f.series.results.disorder(a, CAUSE_FIRE)
    assert a.finished


def test_a_stack_loses_one_step_in_all_at_the_top_12_35e(field):
    """12.35e: two units of a stack suffer a second disorder from one fire: one step, from the top."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, disordered=True, cohesion=6)
    b = f.unit("B", "A0303", strength=6, disordered=True, cohesion=6)
    f.unit("enemy", "A0803", side=1)
    f.play([("cohesion", 9)])
    hit(f, "A0303", D)
    assert (a.strength, b.strength) == (5, 6)
    assert a.retreated and b.retreated


def test_the_step_falls_on_the_top_unit_even_if_that_one_was_in_good_order_12_35e(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=5, cohesion=6)
    b = f.unit("B", "A0303", strength=5, disordered=True, cohesion=6)
    c = f.unit("C", "A0303", strength=5, disordered=True, cohesion=6)
    f.unit("enemy", "A0803", side=1)
    f.play([("cohesion", 9), ("cohesion", 9)])
    hit(f, "A0303", D)
    assert (a.strength, b.strength, c.strength) == (4, 5, 5)
    assert not a.retreated and b.retreated and c.retreated


def test_after_shell_the_step_of_a_stack_is_drawn_12_35e(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, disordered=True)
    b = f.unit("B", "A0303", strength=6, disordered=True)
    f.unit("enemy", "A0803", side=1)
    f.play([("allocation", 1)])
    hit(f, "A0303", D, BY_SHELL)
    assert (a.strength, b.strength) == (6, 5)


def test_guns_disordered_again_12_36(field):
    """12.36: from fire a gun and no retreat; from a pre-shock check or a shock abandoned where they stand."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, kind=ARTILLERY, disordered=True)
    f.unit("enemy", "A0803", side=1)
    f.play()
    hit(f, "A0303", D)
    assert (a.strength, a.hex.id, a.abandoned) == (5, "A0303", 0)
    f.series.results.disorder(a, CAUSE_PRE_SHOCK_CHECK)
    assert (a.strength, a.hex.id, a.abandoned) == (5, "A0303", 1)
    assert f.battle.held_by(f.hex("A0303")) == -1


# -- rout --------------------------------------------------------------------------------------------------------------


def test_chain_of_routs_without_double_jeopardy_12_54(field):
    """12.54: A beside B, C, D; C beside B and D. C routs through A's rout: B and D do not check again."""
    f = field(8, 8)
    a = f.unit("A", "A0404", cohesion=6)
    b = f.unit("B", "A0304", cohesion=6)
    c = f.unit("C", "A0403", cohesion=6, disordered=True)
    d = f.unit("D", "A0503", cohesion=6)
    far = f.unit("E", "A0402", cohesion=6)
    guns = f.unit("Bty", "A0405", kind=ARTILLERY)
    f.unit("enemy", "A0808", side=1)
    f.play([("cohesion", 9)] * 6)
    f.series.results.rout(a, "fire")
    assert (a.place, c.place) == (ROUTED, ROUTED)
    checks = [event.unit for event in f.events("udd") if event.mode == "adjacent rout"]
    assert sorted(checks) == sorted([b.id, c.id, d.id, far.id])
    assert b.disordered and d.disordered and far.disordered and not guns.disordered
    assert f.dice.asked.count("cohesion u/c") == 2  # beside A's rout, then for its second disorder


def test_units_stacked_with_a_rout_check_too_and_a_new_rout_checks_anew_12_54(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", cohesion=6)
    b = f.unit("B", "A0404", cohesion=6)
    c = f.unit("C", "A0403", cohesion=6)
    f.play([("cohesion", 0)] * 3)
    f.series.results.rout(a, "fire")
    f.series.results.rout(b, "fire")
    assert f.dice.asked == ["cohesion u/b", "cohesion u/c", "cohesion u/c"]
    assert not c.disordered


def test_the_neighbours_check_before_anything_else_goes_on_12_54(field):
    """12.54: at once: the neighbour of the first rout of a stack checks before the second unit's own check."""
    f = field(8, 8)
    a = f.unit("A", "A0404", cohesion=6, disordered=True)
    b = f.unit("B", "A0404", cohesion=6, disordered=True)
    c = f.unit("C", "A0403", cohesion=6)
    f.unit("enemy", "A0808", side=1)
    f.play([("cohesion", 9), ("cohesion", 0), ("cohesion", 0), ("cohesion", 0)])
    results = f.series.results
    results.begin([])
    results.disorder(a, CAUSE_PRE_SHOCK_CHECK)
    results.disorder(b, CAUSE_PRE_SHOCK_CHECK)
    results.end()
    assert f.dice.asked == ["cohesion u/a", "cohesion u/b", "cohesion u/c", "cohesion u/b"]
    assert (a.place, b.place, c.place) == (ROUTED, ON_MAP, ON_MAP)


def two_sides(f, attacker=6, defender=6):
    a = f.unit("A", "A0303", "E", cohesion=attacker + 2, disordered=True)
    d = f.unit("D", "A0403", "W", side=1, cohesion=defender + 2, disordered=True)
    return a, d


@pytest.mark.parametrize("defender_first", [False, True])
@pytest.mark.parametrize(("attacker", "defender", "stands"), [(4, 6, "D"), (6, 4, "A"), (5, 5, "A")])
def test_if_both_would_rout_the_best_unit_stands_12_52(field, attacker, defender, stands, defender_first):
    f = field(8, 6)
    a, d = two_sides(f, attacker, defender)
    f.play([("cohesion", 9), ("cohesion", 9)])
    results = f.series.results
    results.begin_shock([a], [d])
    for unit in (d, a) if defender_first else (a, d):
        results.disorder(unit, CAUSE_SHOCK)
    results.end()
    assert (a.place == ON_MAP, d.place == ON_MAP) == (stands == "A", stands == "D")


def test_abandoned_guns_count_as_a_rout_12_52(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", cohesion=6, disordered=True)
    g = f.unit("Bty", "A0403", "W", side=1, kind=ARTILLERY)
    f.play([("cohesion", 9)])
    results = f.series.results
    results.begin_shock([a], [g])
    results.abandon(g, "fire")
    results.disorder(a, CAUSE_SHOCK)
    results.end()
    assert a.place == ON_MAP and g.abandoned == 1


def test_one_side_alone_routs_in_full_12_52(field):
    f = field(8, 6)
    a, d = two_sides(f)
    f.play([("cohesion", 0), ("cohesion", 9)])
    results = f.series.results
    results.begin_shock([a], [d])
    results.disorder(a, CAUSE_SHOCK)
    results.disorder(d, CAUSE_SHOCK)
    results.end()
    assert (a.place, d.place) == (ON_MAP, ROUTED)


# -- leaders -----------------------------------------------------------------------------------------------------------


def test_leaders_roll_before_the_check_12_71(field):
    """12.71: for 1d+2 the leader first, then the unit; one roll a fire, though two steps are lost."""
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=6, disordered=True, cohesion=8)
    f.unit("enemy", "A0803", side=1)
    leader = f.leader("Brigadier", "A0303")
    f.play([("leader", 1), ("cohesion", 9)])
    hit(f, "A0303", ONE_D2)
    assert f.dice.asked == ["leader leader/brigadier", "cohesion u/a"]
    assert (a.strength, leader.in_play()) == (4, True)


def test_leaders_roll_after_all_checks_for_second_disorders_12_71(field):
    f = field(8, 6)
    f.unit("A", "A0303", strength=6, disordered=True)
    f.unit("B", "A0303", strength=6, disordered=True)
    f.unit("enemy", "A0803", side=1)
    leader = f.leader("Brigadier", "A0303")
    f.play([("cohesion", 9), ("leader", 0)])
    hit(f, "A0303", D)
    assert f.dice.asked == ["cohesion u/b", "leader leader/brigadier"]
    assert (leader.place, leader.casualty) == (ELIMINATED, True)


def test_no_roll_without_steps_lost_12_71(field):
    f = field(8, 6)
    f.unit("A", "A0303", cohesion=6)
    f.leader("Brigadier", "A0303")
    f.play([("cohesion", 9)])
    hit(f, "A0303", D_CHECK)
    assert f.dice.asked == ["cohesion u/a"]


def test_a_leader_dies_with_his_last_unit_but_not_for_routs_12_71(field):
    f = field(8, 6)
    a = f.unit("A", "A0303", strength=1)
    b = f.unit("B", "A0305", strength=5)
    leader = f.leader("Brigadier", "A0305")
    f.play()
    f.series.results.lose(a, 1, BY_OTHER)
    assert leader.in_play()
    f.series.results.rout(b, "fire")
    assert leader.in_play()
    f.series.results.lose(b, 5, BY_OTHER)
    assert not leader.in_play()


def test_leader_replacement_12_74(field):
    """12.74, 4.18: a replacement stands with a unit of the command; a brigadier's comes back after a second fall."""
    f = field(8, 6)
    f.unit("A", "A0303")
    f.unit("B", "A0305")
    leader = f.leader("Brigadier", "A0303")
    f.play()
    f.answers[0]["replacement_with"] = [1]
    results = f.series.results
    results.kill(leader, "test")
    results.replace_leaders()
    assert (leader.replaced, leader.hex.id, leader.in_play()) == (True, "A0305", True)
    results.kill(leader, "test")
    results.replace_leaders()
    assert leader.in_play() and leader.hex.id == "A0303"


def test_leaders_without_replacement_stay_out_12_74(field):
    f = field(8, 6)
    f.unit("A", "A0303")
    leader = f.leader("Brigadier", "A0303", replaceable=False)
    chief = f.leader("Division", "A0303", command=f.battle.divisions[0])
    f.play()
    for fallen in (leader, chief):
        f.series.results.kill(fallen, "test")
    f.series.results.replace_leaders()
    assert not leader.in_play() and chief.in_play()
    f.series.results.kill(chief, "test")
    f.series.results.replace_leaders()
    assert not chief.in_play()  # a higher leader's replacement has none


def test_brigadier_of_routed_units_returns_with_his_superior_12_74(field):
    f = field(8, 6)
    a = f.unit("A", "A0303")
    leader = f.leader("Brigadier", "A0303")
    f.leader("Division", "A0505", command=f.battle.divisions[0])
    f.play()
    f.series.results.rout(a, "fire")
    f.series.results.kill(leader, "test")
    f.series.results.replace_leaders()
    assert leader.hex.id == "A0505"


def test_replacement_who_leads_a_lower_command_12_75(field):
    f = field(8, 6)
    f.unit("A", "A0303")
    brigadier = f.leader("Sill", "A0303")
    chief = f.leader("Sheridan", "A0303", command=f.battle.divisions[0], back=Ratings("Sill", 5))
    f.play()
    f.series.results.kill(chief, "test")
    f.series.results.replace_leaders()
    assert chief.replaced and chief.in_play() and brigadier.replaced


def test_replacement_who_has_fallen_gives_way_to_the_first_brigade_12_76(field):
    f = field(8, 6)
    f.unit("A", "A0303")
    second = f.brigade("2/1/U")
    f.unit("B", "A0304", brigade=second)
    third = f.brigade("3/1/U")
    f.unit("C", "A0305", brigade=third)
    sill = f.leader("Sill", "A0303")
    two = f.leader("Two", "A0304", command=second)
    three = f.leader("Three", "A0305", command=third)
    chief = f.leader("Sheridan", "A0303", command=f.battle.divisions[0], back=Ratings("Sill", 5))
    f.play()
    f.series.results.kill(sill, "test")
    f.series.results.kill(chief, "test")
    f.series.results.replace_leaders()
    assert chief.in_play() and two.replaced and not three.replaced


# -- abandoned guns ----------------------------------------------------------------------------------------------------


def test_abandoned_guns_age_and_are_lost_12_82(field):
    f = field(6, 6)
    a = f.unit("Bty", "A0303", strength=5, kind=ARTILLERY)
    f.play()
    f.series.results.abandon(a, "fire")
    f.series.results.guns_in_recovery()
    assert (a.abandoned, a.place) == (2, ON_MAP)
    f.series.results.guns_in_recovery()
    assert (a.place, a.strength, a.lost_other) == (ELIMINATED, 0, 5)


def test_recrewed_guns_come_back_disordered_with_their_friends_facing_12_81(field):
    f = field(6, 6)
    g = f.unit("Bty", "A0303", "W", kind=ARTILLERY)
    a = f.unit("A", "A0303", "E")
    f.play()
    f.series.results.abandon(g, "fire")
    assert f.battle.units_in(f.hex("A0303")) == [a]
    assert f.series.results.recrew(g)
    assert (g.abandoned, g.disordered, g.heading) == (0, True, a.heading)


def test_a_crew_that_returns_beside_a_lone_enemy_leader_drives_him_off_12_81_12_73(field):
    f = field(9, 8)
    g = f.unit("G", "A0404", "E", kind=2, strength=4)
    far = f.unit("E", "A0804", "W", side=1)
    leader = f.leader("Alone", "A0504", side=1)
    f.play()
    f.battle.abandon(g, 1)
    assert leader.hex is f.hex("A0504")
    assert f.series.results.recrew(g)
    assert leader.hex is far.hex


def test_guns_among_enemies_are_not_recrewed_12_81(field):
    f = field(6, 6)
    g = f.unit("Bty", "A0303", "W", kind=ARTILLERY)
    e = f.unit("E", "A0304", "E", side=1)
    f.play()
    f.series.results.abandon(g, "fire")
    f.battle.lift(e)
    f.battle.stand(e, f.hex("A0303"), True)
    assert not f.series.results.recrew(g)


def test_a_steady_unit_keeps_guns_manned_12_8(field):
    """12.8: a unit in good order that passes its check for friendly fire makes good the guns' abandonment."""
    for die, abandoned in ((0, 0), (9, 1)):
        f = field(6, 6)
        g = f.unit("Bty", "A0303", kind=ARTILLERY, disordered=True)
        a = f.unit("A", "A0303")
        f.play([("cohesion", 9), ("cohesion", die)])
        f.series.results.friendly_fire([g, a])
        f.series.results.settle()
        assert g.abandoned == abandoned


# -- properties --------------------------------------------------------------------------------------------------------


class WrappingDice(ScriptedDice):
    """A script of faces of which one is picked by its remainder."""

    def pick(self, stream, subject, among):
        return self.roll(stream, subject) % among


RESULTS = [NOTHING, D_CHECK, ONE_D2, ONE_D, D, TWO_D]
UNITS = st.lists(
    st.tuples(
        st.sampled_from([INFANTRY, INFANTRY, CAVALRY, ARTILLERY]), st.integers(2, 5), st.integers(2, 4),
        st.integers(1, 8), st.booleans(), st.integers(0, 1),
    ),
    min_size=2, max_size=9,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    units=UNITS,
    blows=st.lists(st.tuples(st.integers(0, 8), st.sampled_from(RESULTS), st.integers(0, 2)), min_size=1, max_size=6),
    faces=st.lists(st.integers(0, 9), min_size=400, max_size=400),
)
def test_losses_in_the_log_are_those_of_the_state_and_the_queue_ends(field, units, blows, faces):
    """12.2: whatever falls on whom, the books balance, the queue is empty, and counters of neighbours are right."""
    f = field(6, 6)
    made = []
    for number, (kind, column, row, strength, disordered, side) in enumerate(units):
        column = column if side == 0 else column + 1
        place = f"A{column:02d}{row:02d}"
        if f.battle.held_by(f.hex(place)) in (-1, side):
            made.append(f.unit(f"{number}", place, strength=strength, kind=kind, disordered=disordered, side=side))
    for side in (0, 1):
        if any(unit.side == side for unit in made):
            f.leader(f"leader {SIDES[side]}", next(unit for unit in made if unit.side == side).hex.id, side=side)
    f.play()
    start = {unit.id: unit.strength for unit in made}
    f.series.equip(WrappingDice(list(faces)), f.log, f.commanders)
    f.battle.phasing = 0
    for target, result, cause in blows:
        unit = made[target % len(made)]
        if unit.counts():
            hit(f, unit.hex.id, result, cause, origin="A0606")
    booked = dict.fromkeys(start, 0)
    for event in f.events("loss"):
        booked[event.unit] += event.losses
    for unit in made:
        assert booked[unit.id] == unit.losses() == start[unit.id] - unit.strength
        assert (unit.place == ELIMINATED) == (unit.strength == 0)
        assert unit.place == ON_MAP or unit.hex is f.map.off
        if unit.kind != ARTILLERY and unit.place == ON_MAP and unit.losses():
            assert unit.collapsed == (2 * unit.strength < unit.full)
    assert not any(f.series.results.pending)
    for place in f.map.hexes:
        near = sum(1 for side in place.sides for part in side.to.stack if part.unit.side == 0 and part.unit.counts())
        assert place.union_near == near


# -- what a unit is and can be -----------------------------------------------------------------------------------------


def test_guns_fall_one_by_one_to_small_arms_10_7(field):
    """10.7: a step lost to small arms or canister is a gun."""
    f = field(8, 8)
    g = f.unit("Bty", "A0404", kind=ARTILLERY, strength=6)
    f.play([("cohesion", 0), ("cohesion", 0)])
    hit(f, "A0404", ONE_D2)
    hit(f, "A0404", ONE_D2, BY_CANISTER)
    assert (g.strength, g.lost_small_arms, g.lost_canister) == (4, 1, 1)


def test_no_unit_is_stronger_than_its_counter_12_12(field):
    """12.12, 12.11: the audit finds a strength above the printed one."""
    f = field(8, 8)
    a = f.unit("A", "A0404", strength=5, full=6)
    f.play()
    assert audit(f.battle) == []
    a.strength, a.recovered = 7, 2
    assert any("12.12" in fault for fault in audit(f.battle))


def test_steps_are_lost_before_anything_else_12_21(field):
    """12.21: of a "1D" the step comes first, then the disorder."""
    f = field(8, 8)
    a = f.unit("A", "A0404", strength=5)
    f.play()
    hit(f, "A0404", ONE_D)
    assert kinds(f) == ["loss", "disorder"] and (a.strength, a.disordered) == (4, True)


@pytest.mark.parametrize(
    ("result", "dice", "disordered"), [(D, (), True), (D_CHECK, (7,), True), (D_CHECK, (6,), False)]
)
def test_d_checks_and_capital_d_does_not_12_32(field, result, dice, disordered):
    f = field(8, 8)
    a = f.unit("A", "A0404", cohesion=6)
    f.play([("cohesion", die) for die in dice])
    hit(f, "A0404", result)
    assert a.disordered is disordered and f.dice.used_up()


def test_the_disordered_side_12_31(field):
    """12.31: facing and strength stay, cohesion and movement are those of the other side; guns by option move on."""
    f = field(8, 8)
    a = f.unit("A", "A0404", "SSW", cohesion=6, cohesion_disordered=4, movement=6, movement_disordered=4)
    f.play()
    heading = a.heading
    hit(f, "A0404", D)
    assert (a.heading, a.strength, a.cohesion(), a.movement_allowance()) == (heading, 5, 4, 8)
    for option, allowance in (("no", 8), ("yes", 12)):
        f = field(8, 8)
        g = f.unit("Bty", "A0404", kind=ARTILLERY, movement=6, movement_disordered=4, disordered=True)
        f.play(options={"disordered_guns_move": option})
        f.begin(g)
        assert f.series.movement.allowance(g) == allowance


def test_what_disorder_forbids_12_34(field):
    """12.34: not next to the enemy of its own will; but it may shock one beside it; no prepared fire, and -1."""
    f = field(10, 8)
    a = f.unit("A", "A0404", "E", orders=2)
    c = f.unit("C", "A0407", "E", orders=2)
    g = f.unit("Bty", "A0401", "E", kind=ARTILLERY, disordered=True)
    f.unit("E", "A0604", "W", side=1)
    e = f.unit("F", "A0507", "W", side=1)
    f.play()
    f.begin(a)
    for disordered in (False, True):
        a.disordered = c.disordered = disordered
        f.series.movement.search(a)
        near = [node for node in f.series.movement.reached if f.battle.enemy_near(node.hex, 0)]
        assert bool(near) is not disordered
        assert f.series.shock.may_shock(c) and f.series.shock.targets(c) == [e.hex]
        f.series.fire.modifier(c, c.hex, e.parts[0], 0, True)
        assert f.series.fire.drms.text() == ("disordered -1" if disordered else "prepared +1")
    assert not f.series.fire.may_fire(g) and f.series.movement.may_move(g)


def test_a_routed_unit_leaves_the_map_12_53(field):
    f = field(8, 8)
    a = f.unit("A", "A0404")
    f.play()
    f.series.results.rout(a, "fire")
    assert (a.place, a.hex is f.map.off, f.stack("A0404")) == (ROUTED, True, [])
    assert not a.counts() and a.ever_routed and a.strength == 5


def test_states_of_a_unit_13_1(field):
    """13.1: good order, disordered, collapsed (and so disordered), routed."""
    f = field(8, 8)
    a = f.unit("A", "A0404", strength=5)
    f.play()
    assert not a.disordered and not a.collapsed
    f.series.results.lose(a, 3, BY_OTHER)
    assert a.disordered and a.collapsed and a.place == ON_MAP
    f.series.results.rout(a, "fire")
    assert a.place == ROUTED and a.collapsed


def test_a_check_is_logged_with_its_modifiers_2_6_11_73(field):
    """2.6: the roll, what is added to it (here 2, and 1 off for the brigadier with the unit), and the sum."""
    f = field(8, 8)
    a = f.unit("A", "A0404", "E", cohesion=6)
    f.leader("Brigadier", "A0404")
    f.play([("cohesion", 6)])
    assert not f.series.results.udd(a, 2, "fire")
    event, = f.events("udd")
    assert (event.roll, event.drm, event.adjusted, event.target_sp) == (6, 1, 7, 6)
