"""Every constraint that the rules' text puts on the charts of Dead of Winter, one test each, cited by its rule."""

import math
import re
from itertools import pairwise
from pathlib import Path

import pytest

import simkit
from simkit.model import charts as model
from simkit.scenario.charts import read_charts

FOLDER = Path(simkit.__file__).parent / "books" / "dead_of_winter" / "charts"
COHESIONS = range(2, 9)
MOVERS = (model.FOOT, model.HORSE, model.GUNS, model.LEADER)
DIE = range(10)
# Every strength that can fire or be fired from one hex, and every roll that DRMs can make.
STRENGTHS = range(1, 25)
ROLLS = range(-8, 20)


@pytest.fixture(scope="module")
def charts():
    return read_charts(FOLDER)


@pytest.fixture(params=["fire_table", "artillery_table"])
def table(request, charts):
    return getattr(charts, request.param)


def fails(result, cohesion):
    """Chance that a result disorders a unit of some cohesion (2.6, 12.32)."""
    if result.disorder == model.AUTOMATIC:
        return 1.0
    if result.disorder == model.UDD:
        return sum(roll + result.drm > cohesion for roll in DIE) / 10
    return 0.0


def expected(table, sp, drm, of):
    return sum(of(table.result(sp, roll + drm)) for roll in DIE) / 10


# Fire tables


def test_small_arms_strengths_run_to_18_8_45(charts):
    """A three-hex extended line fires up to 18 SP at one hex."""
    assert charts.fire_table.strengths >= 18


def test_artillery_strengths_run_to_12_8_31(charts):
    """Twelve guns fire from a hex."""
    assert charts.artillery_table.strengths >= 12


def test_results_keep_the_quoted_vocabulary_12_32(table):
    """The rules quote d, d+2, D, 1d+2, 1D and 2D; besides these there is only no effect."""
    texts = {table.result(sp, roll).text for sp in STRENGTHS for roll in ROLLS}
    assert texts <= {"-", "d", "d+2", "D", "1d+2", "1D", "2D"}


def test_quoted_results_occur_10_42_12_23(charts):
    """1d+2 and d (10.42), 1D (12.23) are results of the Fire Table; D and 2D stand in the key and a sister volume."""
    texts = {charts.fire_table.result(sp, roll).text for sp in STRENGTHS for roll in ROLLS}
    assert {"d", "d+2", "D", "1d+2", "1D", "2D"} <= texts


def test_numbered_results_carry_disorder_12_23(table):
    """A numbered result that collapses a unit goes on to its D or d+2."""
    for sp in STRENGTHS:
        for roll in ROLLS:
            result = table.result(sp, roll)
            assert result.losses == 0 or result.disorder != model.NO_DISORDER


def test_notation_says_what_the_result_is_12_32(table):
    for sp in STRENGTHS:
        for roll in ROLLS:
            result = table.result(sp, roll)
            losses, letter, drm = re.fullmatch(r"(\d?)([dD-]?)(\+\d)?", result.text).groups()
            assert result.losses == int(losses or 0)
            assert result.disorder == {"d": model.UDD, "D": model.AUTOMATIC, "-": model.NO_DISORDER}[letter]
            assert result.drm == int(drm or 0)


def test_a_higher_roll_never_helps_the_target_10_81(table):
    """All bonuses of the firer are pluses: neither losses nor the chance of disorder fall as the roll rises."""
    for sp in STRENGTHS:
        for low, high in pairwise(ROLLS):
            before, after = table.result(sp, low), table.result(sp, high)
            assert after.losses >= before.losses
            assert all(fails(after, cohesion) >= fails(before, cohesion) for cohesion in COHESIONS)


def test_more_strength_never_helps_the_target_10_17(table):
    for roll in ROLLS:
        for sp in STRENGTHS[:-1]:
            before, after = table.result(sp, roll), table.result(sp + 1, roll)
            assert after.losses >= before.losses
            assert all(fails(after, cohesion) >= fails(before, cohesion) for cohesion in COHESIONS)


def test_tables_are_smooth_10_17(table):
    """A point of strength or of the roll changes the losses by no more than one step."""
    for sp in STRENGTHS[:-1]:
        for roll in ROLLS[:-1]:
            here = table.result(sp, roll)
            assert table.result(sp, roll + 1).losses - here.losses <= 1
            assert table.result(sp + 1, roll).losses - here.losses <= 1


def test_low_rolls_are_bad_for_the_firer_10_26(table):
    """An unadjusted 2 or less endangers friends instead: no regiment does harm with it on an unadjusted fire."""
    assert all(table.result(sp, roll).text == "-" for sp in range(1, 8) for roll in range(3))


def test_the_starred_roll_is_5_14_33(table):
    assert table.starred == 5


@pytest.mark.parametrize(
    ("name", "reference", "losses", "disorders"),
    [
        ("fire_table", 7, (6.9, 11.5), (3.7, 5.6, 8.6)),
        ("artillery_table", 6, (9.6, 13.4), (5.6, 7.6, 9.6)),
    ],
)
def test_tables_are_the_two_families_of_thresholds(charts, name, reference, losses, disorders):
    """docs/charts.md: an entry stands from the whole roll nearest to T - B log2(strength / reference)."""
    table = getattr(charts, name)
    columns = (FOLDER / "fire.toml").read_text(encoding="utf-8").split(f"[{name}]")[1].split("\nroll ")[1]
    heads = [head.rstrip("+") for head in columns.splitlines()[0].split()]
    bands = [(int(head.split("-")[0]), int(head.split("-")[-1])) for head in heads]

    def reached(roll, sp, thresholds, slope):
        return sum(roll >= math.floor(t - slope * math.log2(sp / reference) + 0.5) for t in thresholds)

    for first, last in bands:
        for roll in range(table.low, table.high + 1):
            result = table.result(first, roll)
            middle = (first + last) / 2
            assert result.losses == reached(roll, middle, losses, 2.6)
            ladder = [(0, 0), (1, 0), (1, 2), (2, 0)]
            assert (result.disorder, result.drm) == ladder[reached(roll, middle, disorders, 1.5)]


@pytest.mark.parametrize("sp", [6, 7])
def test_a_regiments_prepared_fire_is_calibrated(charts, sp):
    """At one hex on a clear target: a step in 35 to 45 of 100 fires, a check at least in about 70."""
    drm = charts.fire.prepared + charts.weapon("R").range_drm(1)
    assert 0.35 <= expected(charts.fire_table, sp, drm, lambda result: result.losses > 0) <= 0.45
    assert 0.65 <= expected(charts.fire_table, sp, drm, lambda result: result.disorder > 0) <= 0.75


def test_flank_and_prepared_fire_of_7_costs_a_step_or_half(charts):
    """The best a regiment can do in the open costs 0.5 to 1.5 steps."""
    drm = charts.fire.prepared + charts.fire.flank
    assert 0.5 <= expected(charts.fire_table, 7, drm, lambda result: result.losses) <= 1.5


def test_weak_units_seldom_do_harm(charts):
    """One to three SP cost no step on an unadjusted fire and a check in less than half."""
    for sp in (1, 2, 3):
        assert expected(charts.fire_table, sp, 0, lambda result: result.losses) == 0
        assert expected(charts.fire_table, sp, 0, lambda result: result.disorder > 0) < 0.5


def test_an_afternoons_exchange_costs_a_regiment_one_or_two_points(charts):
    """The skirmish's target: four fires of a regiment of 6, one of them prepared, two at woods or from disorder."""
    at_once = [charts.fire.prepared, 0, -1, -1]
    lost = sum(expected(charts.fire_table, 6, drm, lambda result: result.losses) for drm in at_once)
    assert 0.8 <= lost <= 2


def test_shell_is_milder_than_small_arms_10_67(charts):
    """It strikes every unit of the hex: at equal strength and roll it never does more."""
    for sp in range(1, 13):
        for roll in ROLLS:
            shell, small = charts.artillery_table.result(sp, roll), charts.fire_table.result(sp, roll)
            assert shell.losses <= small.losses
            assert all(fails(shell, cohesion) <= fails(small, cohesion) for cohesion in COHESIONS)


def test_shell_mostly_only_checks_8_35(charts):
    """A battery's unadjusted shell ends in a check as its example does, and not in a step."""
    texts = {charts.artillery_table.result(6, roll).text for roll in DIE}
    assert "d" in texts
    assert expected(charts.artillery_table, 6, 0, lambda result: result.losses) == 0


def test_massed_fire_on_massed_target_can_cost_steps_12_21(charts):
    """Twelve guns on a massed target below them."""
    drm = charts.fire.massed + charts.fire.high_ground
    assert expected(charts.artillery_table, 12, drm, lambda result: result.losses) >= 0.3


# Range effects


def test_rifle_and_musket_ranges_10_16(charts):
    rifle, musket = charts.weapon("R"), charts.weapon("M")
    assert (rifle.max_range, rifle.prepared_range) == (5, 1)
    assert (musket.max_range, musket.prepared_range) == (2, 1)


def test_napoleon_is_a_rapid_firing_smoothbore_10_68(charts):
    assert charts.weapon("N").artillery
    assert charts.weapon("N").rapid_fire
    assert {weapon.code for weapon in charts.weapons if weapon.rapid_fire} == {"N", "TB", "H12"}


def test_gun_types_named_by_the_rules_exist_7_34(charts):
    assert charts.weapon("TB").artillery
    assert charts.weapon("H12").artillery


def test_spencers_are_repeaters_14_3(charts):
    assert {weapon.code for weapon in charts.weapons if weapon.repeater} == {"SR", "SC"}


def test_prepared_fire_is_for_small_arms_10_51(charts):
    assert all(weapon.prepared_range == 0 for weapon in charts.weapons if weapon.artillery)
    assert all(weapon.prepared_range <= 1 for weapon in charts.weapons)


def test_guns_reach_beyond_canister_10_67(charts):
    for weapon in charts.weapons:
        if weapon.artillery:
            assert weapon.canister_range == 3
            assert weapon.max_range > 3
            assert weapon.shell(4)
            assert not weapon.shell(3)


def test_range_never_helps_the_firer_10_81(charts):
    """Within canister and within shell, and for small arms throughout."""
    for weapon in charts.weapons:
        reach = weapon.canister_range or weapon.max_range
        drms = [weapon.range_drm(hexes) for hexes in range(1, weapon.max_range + 1)]
        assert drms[:reach] == sorted(drms[:reach], reverse=True)
        assert drms[reach:] == sorted(drms[reach:], reverse=True)


# Fire modifiers


def test_fire_drms_10_81(charts):
    fire = charts.fire
    assert (fire.behind_breastworks, fire.through_breastworks) == (1, -1)
    assert (fire.at_mounted, fire.by_mounted) == (1, -1)
    assert (fire.prepared, fire.disordered, fire.flank) == (1, -1, 1)
    assert (fire.high_ground, fire.guns_moved, fire.guns_faced) == (1, -2, -2)
    assert (fire.green, fire.dawn_dusk) == (-1, -2)


def test_massed_and_dispersed_targets_8_34(charts):
    fire = charts.fire
    assert (fire.massed, fire.massed_sp, fire.dispersed, fire.dispersed_sp) == (1, 8, -1, 2)


def test_low_ammunition_10_69(charts):
    assert charts.fire.low_ammo == -2


def test_firing_over_friends_10_26(charts):
    assert charts.fire.friends_hit == 2


def test_night_16_12(charts):
    """Cumulative by hex: 1, then 1 + 2, and so on."""
    assert [charts.fire.night(hexes) for hexes in range(1, 5)] == [-sum(range(1, hexes + 1)) for hexes in range(1, 5)]


# Shock


@pytest.mark.parametrize(("favour_attacker", "text"), [(True, "2-1"), (False, "1½-1")])
def test_ratio_rounding_11_43(charts, favour_attacker, text):
    """The printed example: 5 against 3."""
    assert charts.shock_ratio.column(5, 3, favour_attacker).text == text


def test_ratio_ends_11_43(charts):
    columns = [column.text for column in charts.shock_ratio.columns]
    assert (columns[0], columns[-1]) == ("1-4", "5-1")
    assert charts.shock_ratio.column(1, 9, True).text == "1-4"
    assert charts.shock_ratio.column(9, 1, False).text == "5-1"


def test_ratio_drm_rises_and_is_symmetric_11_43(charts):
    drms = [column.drm for column in charts.shock_ratio.columns]
    assert all(lower < upper for lower, upper in pairwise(drms))
    assert charts.shock_ratio.drm(7, 7, True) == 0
    for strong, weak in ((3, 2), (2, 1), (3, 1), (4, 1)):
        assert charts.shock_ratio.drm(strong, weak, True) == -charts.shock_ratio.drm(weak, strong, True)


def test_shock_adjustments_printed(charts):
    """11.21, 11.55, 11.56, 11.72, 15.23, 11.47, 11.44."""
    shock = charts.shock
    assert (shock.charge, shock.cavalry_charge, shock.countercharged) == (1, 1, -1)
    assert (shock.no_brigadier, shock.aggressive, shock.breastworks) == (-1, 1, -1)
    assert (shock.continued, shock.enemy_front, shock.surrounded) == (-1, -1, 5)


def test_position_order_11_44(charts):
    """Front gives nothing; flank, rear, two sides (4 by the note on wrap-around, 8.48) and surrounded (5) rise."""
    position = charts.shock.position
    assert position(True, False, False) == 0
    flank, rear = position(False, True, False), position(False, False, True)
    assert 0 < flank < rear < 4
    assert position(True, True, False) == position(False, True, True) == 4
    assert 4 <= position(True, False, True) < 5
    assert 4 <= position(True, True, True) < charts.shock.surrounded == 5


def test_disorder_changes_the_shock_roll_12_34(charts):
    """A disordered attacker has a penalty (11.22), a disordered defender the contrary."""
    assert charts.shock.attacker_disordered < 0 < charts.shock.defender_disordered


def test_pre_shock_drms(charts):
    """6.13, 11.55 and 15.23 are printed; 12.34 and 11.37 print that disorder, flank and rear add something."""
    pre = charts.pre_shock
    assert (pre.march, pre.cavalry_charge, pre.breastworks) == (2, 1, -1)
    assert pre.disordered > 0
    assert 0 < pre.flank <= pre.rear


def test_attacker_retreats_on_1_or_less_12_42(charts):
    for roll in range(-12, 16):
        result = charts.shock_table.result(roll)
        assert result.attacker.retreat == (1 if roll <= 1 else 0)
        assert result.defender_may_continue == (roll <= 1)


def test_defender_retreats_from_5_12_42(charts):
    for roll in range(-12, 16):
        expected_hexes = 2 if roll >= 10 else 1 if roll >= 5 else 0
        assert charts.shock_table.result(roll).defender.retreat == expected_hexes


def test_attacker_may_continue_from_8_11_47(charts):
    for roll in range(-12, 16):
        assert charts.shock_table.result(roll).attacker_may_continue == (roll >= 8)


def test_guns_abandoned_from_10_11_64(charts):
    for roll in range(-12, 16):
        assert charts.shock_table.result(roll).abandon_guns == (roll >= 10)


def test_rout_check_from_10_12_51(charts):
    for roll in range(-12, 16):
        assert charts.shock_table.result(roll).defender_rout_check == (roll >= 10)


def test_bloody_standoff_between_the_retreats_8_36(charts):
    """Each side loses one step and nobody retreats, from 2 to 4."""
    for roll in range(-12, 16):
        result = charts.shock_table.result(roll)
        assert result.standoff == (2 <= roll <= 4)
        if result.standoff:
            assert result.attacker.losses == result.defender.losses == 1
            assert result.attacker.retreat == result.defender.retreat == 0


def test_a_shock_can_disorder_both_sides_12_48_12_52(charts):
    """Rules for both sides retreating or routing need a result that can disorder both."""
    lines = [charts.shock_table.result(roll) for roll in ROLLS]
    assert any(line.attacker.disorder and line.defender.disorder for line in lines)


def test_losers_of_a_shock_disorder_8_36(charts):
    for roll in ROLLS:
        result = charts.shock_table.result(roll)
        for side in (result.attacker, result.defender):
            assert side.retreat == 0 or side.disorder == model.AUTOMATIC


def test_shock_costs_few_steps_11_0(charts):
    for roll in ROLLS:
        result = charts.shock_table.result(roll)
        assert result.attacker.losses + result.defender.losses <= 2


def test_a_higher_shock_roll_never_helps_the_defender_11_45(charts):
    """Retreat and disorder; the standoff's mutual loss aside, steps too."""
    lines = [charts.shock_table.result(roll) for roll in ROLLS]
    for before, after in pairwise(lines):
        assert after.defender.retreat >= before.defender.retreat
        assert after.defender.disorder >= before.defender.disorder
        assert after.attacker.retreat <= before.attacker.retreat
        assert after.attacker.disorder <= before.attacker.disorder
    decided = [line for line in lines if not line.standoff]
    assert [line.defender.losses for line in decided] == sorted(line.defender.losses for line in decided)


# Second disorder


@pytest.mark.parametrize("mover", [model.FOOT, model.HORSE])
def test_second_disorder_of_infantry_and_cavalry_12_35(charts, mover):
    effect = charts.second_disorder.effect
    assert effect(model.CAUSE_FIRE, mover) == model.EFFECT_LOSS_AND_RETREAT
    for cause in (
        model.CAUSE_SHOCK,
        model.CAUSE_PRE_SHOCK_CHECK,
        model.CAUSE_RETREAT_BEFORE_SHOCK,
        model.CAUSE_REACTION_FACING,
        model.CAUSE_ADJACENT_ROUT,
        model.CAUSE_FRIENDLY_FIRE,
        model.CAUSE_RETREAT_THROUGH,
    ):
        assert effect(cause, mover) == model.EFFECT_ROUT_CHECK
    assert effect(model.CAUSE_TERRAIN, mover) == model.EFFECT_STOP


def test_post_shock_second_disorder_12_35d(charts):
    effect = charts.second_disorder.effect
    assert effect(model.CAUSE_POST_SHOCK, model.FOOT) == model.EFFECT_LOSS
    assert effect(model.CAUSE_POST_SHOCK, model.HORSE) == model.EFFECT_BLOWN


def test_second_disorder_of_guns_12_36(charts):
    effect = charts.second_disorder.effect
    assert effect(model.CAUSE_FIRE, model.GUNS) == model.EFFECT_LOSS
    for cause in (model.CAUSE_FRIENDLY_FIRE, model.CAUSE_PRE_SHOCK_CHECK, model.CAUSE_SHOCK):
        assert effect(cause, model.GUNS) == model.EFFECT_ABANDONED
    assert effect(model.CAUSE_TERRAIN, model.GUNS) == model.EFFECT_STOP


def test_guns_make_no_check_for_facing_and_routs_9_62_12_54(charts):
    effect = charts.second_disorder.effect
    for cause in (model.CAUSE_REACTION_FACING, model.CAUSE_ADJACENT_ROUT, model.CAUSE_RETREAT_BEFORE_SHOCK):
        assert effect(cause, model.GUNS) == model.EFFECT_NONE


def test_reaction_move_second_disorder_9_63(charts):
    effect = charts.second_disorder.effect
    assert effect(model.CAUSE_REACTION_MOVE, model.HORSE) == model.EFFECT_LOSS
    assert effect(model.CAUSE_REACTION_MOVE, model.GUNS) == model.EFFECT_LOSS


# Terrain


def test_woods_costs_9_41(charts):
    woods = charts.terrain("woods")
    assert woods.cost(model.FOOT) == 2 * model.ONE_MP
    assert woods.cost(model.GUNS) == 4 * model.ONE_MP


def test_clear_costs_one_mp_9_54(charts):
    assert [charts.terrain("clear").cost(mover) for mover in MOVERS] == [model.ONE_MP] * 4


def test_guns_pay_more_than_2_mp_in_woods_12_45(charts):
    """So that they can't retreat into woods but along a way."""
    for name in ("woods", "cedars"):
        assert charts.terrain(name).cost(model.GUNS) > 2 * model.ONE_MP


def test_woods_and_towns_stand_a_level_high_10_23(charts):
    for name in ("woods", "cedars", "town"):
        assert charts.terrain(name).height == 1
        assert charts.terrain(name).blocks


def test_orchards_dont_block_10_23(charts):
    assert not charts.terrain("orchard").blocks
    assert charts.terrain("orchard").height == 0


def test_canopy_of_trees_10_24(charts):
    assert {terrain.name for terrain in charts.terrains if terrain.is_wood} == {"woods", "cedars"}


def test_woods_and_cedars_halve_cavalry_11_43(charts):
    assert {terrain.name for terrain in charts.terrains if terrain.halves_cavalry} == {"woods", "cedars"}


def test_woods_and_towns_halve_charges_11_55(charts):
    halving = {terrain.name for terrain in charts.terrains if terrain.halves_charge}
    assert {"woods", "town"} <= halving


def test_woods_help_in_shock_11_43(charts):
    """The ratio example rounds for the defender in woods, because woods give a DRM."""
    assert charts.terrain("woods").shock_drm < 0
    assert charts.terrain("clear").shock_drm == 0


def test_terrain_drms_favour_the_target_10_81(charts):
    for terrain in charts.terrains:
        assert terrain.fire_drm <= 0
        assert terrain.shell_drm <= 0
        assert terrain.shock_drm <= 0
    for hexside in charts.hexsides:
        assert hexside.fire_drm <= 0
        assert hexside.shock_drm <= 0


def test_cedars_cover_better_than_woods_but_not_with_breastworks_21_4(charts):
    cedars, woods = charts.terrain("cedars"), charts.terrain("woods")
    assert cedars.fire_drm < woods.fire_drm
    assert cedars.works_fire_drm == woods.works_fire_drm == woods.fire_drm
    assert cedars.works_shock_drm == woods.works_shock_drm == woods.shock_drm


def test_breastworks_nowhere_in_towns_15_12(charts):
    assert not charts.terrain("town").breastworks_allowed
    assert charts.terrain("woods").breastworks_allowed


def test_timber_for_breastworks_15_12(charts):
    assert {terrain.name for terrain in charts.terrains if terrain.timber} == {"woods", "cedars", "orchard", "town"}


def test_guns_check_in_a_stream_12_35c(charts):
    stream = charts.hexside("stream")
    assert stream.disorder(model.GUNS) == model.UDD
    assert stream.disorder(model.FOOT) == model.NO_DISORDER


def test_chargers_cross_streams_11_54(charts):
    assert charts.hexside("stream").crossable(model.HORSE)


def test_ford_a_spares_guns_the_disorder_18_1(charts):
    assert charts.hexside("ford_a").disorder(model.GUNS) == model.NO_DISORDER


def test_fords_rank_below_each_other_18_32(charts):
    """Pioneers make a B ford an A ford, and an A ford a bridge: each is at least as good as the next."""
    bridge, good, poor = (charts.hexside(name) for name in ("bridge", "ford_a", "ford_b"))
    for better, worse in ((bridge, good), (good, poor)):
        assert all(better.cost(mover) <= worse.cost(mover) for mover in MOVERS)
        assert all(better.disorder(mover) <= worse.disorder(mover) for mover in MOVERS)


def test_bridges_and_fords_are_crossings_9_44(charts):
    assert {hexside.name for hexside in charts.hexsides if hexside.crossing} == {"bridge", "ford_a", "ford_b"}


def test_river_by_its_level_18_1(charts):
    assert charts.hexside_at("river", "low") is charts.hexside("stream")
    assert charts.hexside_at("ford_b", "low") is charts.hexside("ford_a")
    for level in ("medium", "high"):
        assert not any(charts.hexside_at("river", level).crossable(mover) for mover in MOVERS)
        assert charts.hexside_at("ford_a", level).crossable(model.GUNS)
    assert charts.hexside_at("ford_b", "medium").crossable(model.FOOT)
    assert not charts.hexside_at("ford_b", "high").crossable(model.FOOT)
    assert charts.hexside_at("stream", "high") is charts.hexside("stream")


@pytest.mark.parametrize("name", ["pike", "road"])
def test_pikes_and_roads_9_43(charts, name):
    way = charts.thoroughfare(name)
    assert way.cost(4 * model.ONE_MP, model.ONE_MP, march=True) == model.ONE_MP // 2
    assert way.cost(4 * model.ONE_MP, model.ONE_MP, march=False) == model.ONE_MP
    assert way.through_units


def test_trails_9_44(charts):
    """The printed example: 5 MPs of woods become 3."""
    trail = charts.thoroughfare("trail")
    assert trail.cost(5 * model.ONE_MP, 0, march=False) == 3 * model.ONE_MP
    assert trail.cost(5 * model.ONE_MP, 0, march=True) == 2 * model.ONE_MP
    assert trail.cost(model.ONE_MP, 0, march=True) == model.ONE_MP


def test_units_pass_through_friends_on_pikes_and_roads_not_trails_8_22(charts):
    assert not charts.thoroughfare("trail").through_units


def test_breastworks_cost_something_to_cross_15_22(charts):
    assert all(charts.hexside("breastworks").cost(mover) > 0 for mover in MOVERS)


# Command


@pytest.mark.parametrize(
    ("rolls", "outcome"),
    [
        (range(-2, 3), model.CONFUSION),
        (range(3, 7), model.FAIL),
        (range(7, 10), model.TWO_BRIGADES),
        (range(10, 12), model.THREE_BRIGADES),
        (range(12, 15), model.ALL_BRIGADES),
    ],
)
def test_coordination_5_34(charts, rolls, outcome):
    assert {charts.coordination.outcome(roll) for roll in rolls} == {outcome}


@pytest.mark.parametrize(
    ("rolls", "outcome"),
    [
        (range(-3, 2), model.RETAIN_AND_STAND),
        (range(2, 4), model.RETAIN),
        (range(4, 5), model.LOOSE_CANNON),
        (range(5, 6), model.CHANGE_AND_STAND),
        (range(6, 15), model.CHANGE),
    ],
)
def test_orders_change_6_23(charts, rolls, outcome):
    assert {charts.orders_change.outcome(roll) for roll in rolls} == {outcome}


@pytest.mark.parametrize(
    ("rolls", "outcome"),
    [(range(3), model.AGGRESSIVE), (range(3, 7), model.NORMAL), (range(7, 10), model.CAUTIOUS)],
)
def test_unreliable_6_24(charts, rolls, outcome):
    assert {charts.unreliable.outcome(roll) for roll in rolls} == {outcome}


def test_orders_drms_6_22(charts):
    assert (charts.command.with_division_leader, charts.command.with_higher_commander) == (1, 2)


def test_rally_13_41_13_42(charts):
    command = charts.command
    assert (command.rally_adjacent, command.rally_mounted, command.leader_star) == (1, -1, -1)
    assert (command.rally_loss, command.rally_loss_multiple) == (9, 2)


def test_leader_killed_on_0_12_71(charts):
    assert charts.command.leader_killed == 0


# Provenance


def test_every_value_says_where_it_comes_from(charts):
    for line in charts.provenance:
        assert line.source in ("printed", "derived", "reconstructed")
        assert line.rule if line.source == "printed" else line.why


def test_rules_cited_are_rule_numbers(charts):
    for line in charts.provenance:
        for rule in filter(None, line.rule.split(", ")):
            assert re.fullmatch(r"\d{1,2}\.\d{1,2}[a-f]?", rule), (line.chart, line.key, rule)
