"""Blown cavalry (11.58), with 12.35d and e and 11.48 as far as they concern it."""

import pytest

from simkit.model.charts import (
    AUTOMATIC,
    CAUSE_ADJACENT_ROUT,
    CAUSE_POST_SHOCK,
    CAUSE_REACTION_MOVE,
    CAUSE_RETREAT_THROUGH,
    CAUSE_SHOCK,
    CAUSE_TERRAIN,
    UDD,
    FireResult,
)
from simkit.model.forces import ADVANCE, ATTACK, BY_SHELL, BY_SMALL_ARMS, CAVALRY, MARCH, ON_MAP, ROUTED
from simkit.rules.commander import Designation

NOTHING = 0
ONE = FireResult(1, NOTHING, 0, "1")
D = FireResult(0, AUTOMATIC, 0, "D")
ONE_D = FireResult(1, AUTOMATIC, 0, "1D")
CHECK = FireResult(0, UDD, 0, "d")


def spent(field, *strengths, faces=(), **more):
    """A field with a stack of Blown regiments in A0404, far from the enemy."""
    f = field(12, 12)
    units = [
        f.unit(
            name, "A0404", "E", strength=points, kind=CAVALRY, disordered=True,
            **{"cohesion": 7, "cohesion_disordered": 5, "full": 2 * points, **more},
        )
        for name, points in zip("abc", strengths, strict=False)
    ]
    f.unit("enemy", "A1204", "W", side=1)
    for unit in units:
        unit.blown = True
    f.play(faces)
    return f, *units


def hit(f, result, cause=BY_SMALL_ARMS, place="A0404"):
    f.series.results.apply_fire(f.hex(place), result, cause, [], [])


# -- what results cost it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "lost"),
    [
        (ONE, 2),  # the step and one besides
        (D, 2),  # the step of the second disorder and one besides
        (ONE_D, 3),  # step, second disorder, and one besides for the result as a whole
    ],
)
def test_11_58_a_result_costs_one_point_more_and_a_rout_check(field, result, lost):
    f, a = spent(field, 7, faces=[("cohesion", 5)], full=7)
    hit(f, result)
    assert a.strength == 7 - lost
    assert a.place == ON_MAP and a.blown
    assert [event.mode for event in f.events("udd")] == ["rout"]
    assert a.retreated == (result is not ONE)


def test_11_58_12_51_who_fails_the_check_routs(field):
    f, a = spent(field, 7, faces=[("cohesion", 6)], full=7)
    hit(f, ONE)
    assert a.place == ROUTED
    assert not a.blown
    assert a.strength == 5


def test_11_58_a_passed_check_of_a_d_costs_nothing(field):
    f, a = spent(field, 7, faces=[("cohesion", 5)], full=7)
    hit(f, CHECK)
    assert a.strength == 7


def test_11_58_a_unit_that_is_only_disordered_pays_nothing_more(field):
    f, a = spent(field, 7, full=7)
    a.blown = False
    hit(f, ONE)
    assert a.strength == 6
    assert not f.events("udd")


@pytest.mark.parametrize("cause", [CAUSE_ADJACENT_ROUT, CAUSE_RETREAT_THROUGH, CAUSE_SHOCK])
def test_11_58_12_35b_after_the_check_of_the_second_disorder_comes_that_for_rout(field, cause):
    f, a = spent(field, 7, faces=[("cohesion", 5), ("cohesion", 5)], full=7)
    f.series.results.disorder(a, cause)
    assert a.strength == 5  # 12.35b costs one, 11.58 one more
    assert [event.mode for event in f.events("udd")] == ["second disorder", "rout"]
    f, a = spent(field, 7, faces=[("cohesion", 6)], full=7)
    f.series.results.disorder(a, cause)
    assert a.place == ROUTED  # by 12.35b; nothing is left to check


@pytest.mark.parametrize("cause", [CAUSE_TERRAIN, CAUSE_POST_SHOCK])
def test_11_58_neither_terrain_nor_the_disorder_after_shock_is_a_combat_result(field, cause):
    f, a = spent(field, 7, full=7)
    f.series.results.disorder(a, cause)
    assert (a.strength, a.blown) == (7, True)


def test_11_58_9_63_nor_is_the_check_of_a_reaction_move(field):
    f, a = spent(field, 7, full=7)
    f.series.results.disorder(a, CAUSE_REACTION_MOVE)
    assert a.strength == 6


def test_11_58_after_collapse_it_checks_only_once(field):
    """Collapsed by the result, disordered again and Blown: one check for rout."""
    f, a = spent(field, 4, faces=[("cohesion", 5)], full=8)
    hit(f, ONE)
    assert a.collapsed
    assert a.strength == 2
    assert [event.mode for event in f.events("udd")] == ["rout"]


def test_11_58_the_last_point_eliminates(field):
    f, a = spent(field, 2, full=2)
    hit(f, ONE)
    assert a.strength == 0
    assert a.losses() == 2


def test_11_58_losses_are_booked_under_their_cause(field):
    f, a = spent(field, 7, faces=[("cohesion", 5)], full=7)
    hit(f, ONE_D)
    assert (a.lost_small_arms, a.lost_second_disorder) == (2, 1)
    f, a = spent(field, 7, faces=[("cohesion", 5)], full=7)
    hit(f, ONE, BY_SHELL)
    assert a.lost_shell == 2


def test_12_71_leaders_roll_for_it_once(field):
    f, a = spent(field, 7, full=7)
    f.leader("chief", "A0404")
    f.battle.ready()
    f.roll(("leader", 5), ("cohesion", 5))
    hit(f, ONE)
    assert a.strength == 5


# -- stacks ------------------------------------------------------------------------------------------------------------


def test_11_58_12_35e_a_stack_loses_two_more_at_most_one_at_the_top(field):
    """A result on the top unit that shakes those beneath: one for the second disorders of all, and two besides.

    The die for the second point falls on the third unit. All three then check for rout.
    """
    f, a, b, c = spent(field, 4, 4, 4, full=5, cohesion_disordered=5)
    f.roll(
        ("cohesion", 9), ("cohesion", 9),  # b and c fail for the top of the stack
        ("allocation", 2), ("cohesion", 5), ("cohesion", 5), ("cohesion", 5),
    )
    hit(f, D)
    assert [unit.strength for unit in (a, b, c)] == [2, 4, 3]
    assert [event.mode for event in f.events("udd")][2:] == ["rout"] * 3


def test_11_58_of_two_the_second_point_may_fall_on_the_top_unit_too(field):
    f, a, b = spent(field, 5, 5, full=5)
    f.roll(("cohesion", 9), ("allocation", 0), ("cohesion", 5), ("cohesion", 5))
    hit(f, D)
    assert (a.strength, b.strength) == (2, 5)


def test_11_58_shot_and_shell_hit_every_unit_but_cost_the_stack_two(field):
    f, a, b, c = spent(field, 4, 4, 4, full=5)
    f.roll(("allocation", 1), ("cohesion", 5), ("cohesion", 5), ("cohesion", 5))
    hit(f, ONE, BY_SHELL)
    assert [unit.strength for unit in (a, b, c)] == [2, 2, 3]


def test_11_58_only_those_who_suffer_pay(field):
    f, a, b = spent(field, 5, 5, full=6, faces=[("cohesion", 0), ("cohesion", 5)])
    hit(f, D)  # b passes its check for the top of the stack
    assert (a.strength, b.strength) == (3, 5)


# -- in shock ----------------------------------------------------------------------------------------------------------


def test_11_58_in_shock_the_result_of_step_6b_counts_once(field):
    """An adjusted 10 costs defenders a step, disorders them and drives them back: a Blown one pays one more for all.

    12.35b: it checks, loses a step and would retreat again; 12.23, 11.58: of the two checks for rout only one is made.
    """
    f = field(8, 6)
    a = f.unit("a", "A0404", "E", strength=4, orders=ATTACK)
    d = f.unit(
        "d", "A0504", "W", strength=9, side=1, kind=CAVALRY, disordered=True, cohesion=7, cohesion_disordered=5,
    )
    d.blown = True
    f.play()
    f.begin(a)
    shock = f.series.shock
    shock.designate([Designation([a], [d.hex])], f.battle.active)
    result = f.battle.charts.shock_table.result(10)
    assert (result.defender.losses, result.defender_rout_check) == (1, True)
    f.roll(*[("cohesion", 5)] * 3)
    shock.apply(shock.shocks[0], result)
    checks = [event.mode for event in f.events("udd")]
    assert checks.count("rout") + checks.count("second disorder") == 1
    assert d.lost_shock == 2
    assert d.strength == 9 - 2 - d.lost_second_disorder


def test_11_48_12_35d_disordered_cavalry_is_blown_after_shock_and_good_order_only_disordered(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", kind=CAVALRY, orders=ATTACK)
    b = f.unit("b", "A0404", "E", kind=CAVALRY, orders=ATTACK, disordered=True)
    c = f.unit("c", "A0606", "E", kind=CAVALRY, orders=ATTACK, disordered=True, mounted=False)
    f.play()
    f.begin(a)
    for unit in (a, b, c):
        f.series.results.disorder(unit, CAUSE_POST_SHOCK)
    assert (a.disordered, a.blown, a.orders) == (True, False, ATTACK)
    assert (b.blown, b.orders) == (True, ADVANCE)
    assert (c.blown, c.strength) == (False, 4)  # on foot it loses a point, as infantry does


# -- breath ------------------------------------------------------------------------------------------------------------


def melee(field):
    """Hampton stands next to infantry that it may shock; nobody fires, and the shock comes to nothing."""
    f = field(12, 12)
    brigade = f.brigade("1/1/U", orders=ATTACK)
    h = f.unit("Hampton", "A0404", "E", kind=CAVALRY, strength=8, brigade=brigade, disordered=True, movement=10)
    d = f.unit("enemy", "A0503", "W", side=1)
    f.play()
    f.battle.phasing = 0
    f.answers[1]["pre_shock_fire"] = [-1] * 20
    return f, brigade, h, d


def test_11_58_example_hampton_has_its_breath_back_after_its_next_activation(field):
    """11.58 EXAMPLE, dead-of-winter:1704: Blown in one activation; the next one ends it; then it is only disordered."""
    f, brigade, h, d = melee(field)
    commander = f.commanders[0]
    commander.shocks = lambda series, brigades: [Designation([h], [d.hex])]
    f.roll(("cohesion", 0), ("shock", 4), *[("cohesion", 0)] * 9)
    f.series.activation.brigade([brigade])
    assert len(f.events("shock")) == 1
    assert h.blown and h.disordered and h.orders == ADVANCE
    commander.shocks = lambda series, brigades: []
    f.series.activation.brigade([brigade])
    assert not h.blown
    assert h.disordered and h.orders == ATTACK
    assert [event.unit for event in f.events("breath")] == [h.id]


def test_11_58_in_a_shock_again_it_stays_blown(field):
    f, brigade, h, d = melee(field)
    f.commanders[0].shocks = lambda series, brigades: [Designation([h], [d.hex])]
    f.roll(("cohesion", 0), ("shock", 4), *[("cohesion", 0)] * 9)
    f.series.activation.brigade([brigade])
    del f.dice.faces[f.dice.at:]
    f.roll(("cohesion", 0), ("shock", 4), *[("cohesion", 0)] * 9)
    f.series.activation.brigade([brigade])
    assert len(f.events("shock")) == 2
    assert h.blown
    f.commanders[0].shocks = lambda series, brigades: []
    f.series.activation.brigade([brigade])
    assert not h.blown


def test_11_58_a_further_shock_keeps_it_blown(field):
    f, a = spent(field, 5)
    f.battle.phasing = 0
    f.answers[0]["act"] = [lambda series, brigades: setattr(a, "engaged", True)]
    f.series.activation.brigade([a.command])
    assert a.blown
    f.series.activation.brigade([a.command])
    assert not a.blown


def test_11_58_activations_of_others_do_not_count(field):
    f, a = spent(field, 5)
    other = f.battle.units[1]
    f.series.activation.brigade([other.command])
    assert a.blown


def test_11_58_a_brigade_on_the_march_takes_it_along_again(field):
    f, a = spent(field, 5)
    a.command.orders = MARCH
    f.series.activation.brigade([a.command])
    assert (a.blown, a.orders) == (False, MARCH)


def test_11_58_half_of_the_disordered_allowance(field):
    f, a = spent(field, 5, movement=10, movement_disordered=7)
    f.begin(a)
    assert f.series.movement.allowance(a) == 8
    assert not f.series.effectiveness.may_rally(a)
