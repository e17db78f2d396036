"""11.33 to 11.48, 11.6, 11.7, 8.36: the steps of a shock, with scripted dice."""

import random

import pytest

from simkit.model.battle import PHASE_SHOCK
from simkit.model.charts import AGGRESSIVE, CAUSE_POST_SHOCK
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, ELIMINATED, MARCH, ON_MAP, ROUTED
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import Commander, Designation
from simkit.rules.dice import EnumeratingTape, KeyedDice
from simkit.rules.shockinprogress import Attacker, ShockInProgress

WEST, EAST = HEADING_NAMES.index("W"), HEADING_NAMES.index("E")


def duel(field, attacker=8, defender=4, ground="clear", **of_defender):
    """One unit at A0404 facing east against one at A0503 that faces it; the brigadier is away, so -1 (11.72).

    Nobody fires before the shock and nobody continues unless a test says so. With 8 against 4 the sum is +1.
    """
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=attacker, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=defender, side=1, **of_defender)
    f.ground(ground, "A0503")
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 20
    return f, a, d


def shock(f, *pairs):
    """Conduct shocks given as (attackers, target hexes) and hand back the shock events."""
    made = [Designation(list(attackers), list(targets)) for attackers, targets in pairs]
    f.series.shock.conduct(made, f.battle.active)
    assert f.dice.used_up(), f"{len(f.dice.faces) - f.dice.at} dice left over after {f.dice.asked}"
    assert f.series.shock.shocks == []
    return f.events("shock")


def to(ident):
    """An answer to `retreat` that ends in a hex."""
    return lambda series, unit, ways: [way.end().id for way in ways].index(ident)


def put(f, *attackers, targets):
    """A shock in progress of these units from where they stand."""
    made = [Attacker(unit, unit.hex, unit.heading, unit.moved, unit.charging) for unit in attackers]
    return ShockInProgress(attackers[0].side, made, list(targets), 0)


# -- step 6b: each band of the table ---------------------------------------------------------------------------------


def test_11_45_12_42_one_or_less_attackers_retreat_disordered_and_pay_after_shock(field):
    """11.45, 11.48: D and one hex; already disordered at the end, the stack loses a point."""
    f, a, d = duel(field)
    f.roll(("cohesion", 0), ("shock", 0))
    event, = shock(f, ([a], [d.hex]))
    assert (event.roll, event.adjusted, event.result) == (0, 1, "Attacker retreats")
    assert a.hex.distance_to(d.hex) == 2 and a.disordered and a.strength == 7 and a.lost_second_disorder == 1
    assert (d.hex.id, d.disordered, d.strength) == ("A0503", False, 4)
    assert f.battle.shocks == [1, 0]


@pytest.mark.parametrize("face", [1, 2, 3])
def test_8_36_11_45_two_to_four_bloody_standoff(field, face):
    f, a, d = duel(field)
    f.roll(("cohesion", 0), ("shock", face), ("cohesion", 6), ("cohesion", 7))
    event, = shock(f, ([a], [d.hex]))
    assert event.result == "Bloody Standoff" and event.adjusted == face + 1
    assert (event.losses, event.own_losses) == (1, 1)
    assert (a.strength, a.lost_shock, d.strength, d.lost_shock) == (7, 1, 3, 1)
    # the attacker passed its check and is disordered after the shock, the defender failed
    assert a.disordered and d.disordered
    assert (a.hex.id, d.hex.id) == ("A0404", "A0503")


@pytest.mark.parametrize("face", [4, 5, 6])
def test_11_45_11_46_five_to_seven_defender_retreats_one_and_attacker_advances(field, face):
    f, a, d = duel(field)
    f.roll(("cohesion", 0), ("shock", face))
    event, = shock(f, ([a], [d.hex]))
    assert event.result == "Defender retreats"
    assert d.disordered and d.retreated and d.hex.distance_to(f.hex("A0503")) == 1
    assert a.hex.id == "A0503" and a.advanced and a.disordered and a.strength == 8
    assert [e.unit for e in f.events("advance")] == [a.id]
    assert "continue_shock" not in f.asked[0]


def test_11_46_who_drives_defenders_off_by_shock_must_advance(field):
    """11.46, 12.6: the advance is voluntary only after a retreat before shock, so nobody is asked."""
    f, a, d = duel(field)
    f.answers[0]["advance_after_retreat"] = [False]
    f.roll(("cohesion", 0), ("shock", 5))
    shock(f, ([a], [d.hex]))
    assert d.retreated and a.hex.id == "A0503"
    assert "advance_after_retreat" not in f.asked[0]


@pytest.mark.parametrize("face", [7, 8])
def test_11_47_eight_and_nine_attacker_may_continue(field, face):
    f, a, d = duel(field)
    f.roll(("cohesion", 0), ("shock", face))
    shock(f, ([a], [d.hex]))
    assert f.asked[0].count("continue_shock") == 1
    assert d.hex.distance_to(f.hex("A0503")) == 1 and d.disordered


def test_12_51_ten_two_hexes_a_step_and_a_rout_check(field):
    f, a, d = duel(field)
    f.roll(("cohesion", 0), ("shock", 9), ("cohesion", 4))
    event, = shock(f, ([a], [d.hex]))
    assert event.adjusted == 10 and event.losses == 1
    assert d.place == ON_MAP and d.disordered and d.strength == 3
    assert d.hex.distance_to(f.hex("A0503")) == 2 and a.hex.id == "A0503"


def test_12_51_ten_rout_check_failed(field):
    f, a, d = duel(field)
    f.roll(("cohesion", 0), ("shock", 9), ("cohesion", 5))
    shock(f, ([a], [d.hex]))
    assert d.place == ROUTED and d.ever_routed and a.hex.id == "A0503"


def test_12_23_11_45_ten_collapsed_defender_checks_for_rout_only_once(field):
    """12.23: a collapsed unit that loses steps and is disordered again by one result of 10 makes one check."""
    f, a, d = duel(field, full=12, disordered=True, attacker=6)
    d.collapsed = True
    # 6 to 4 rounds to 1½-1 for the defender: +1, disordered defender +1, no brigadier -1
    f.roll(("cohesion", 0), ("shock", 9), ("cohesion", 4))
    event, = shock(f, ([a], [d.hex]))
    assert event.adjusted == 10
    assert d.place == ON_MAP and d.strength == 2  # one step of the result, one of the second disorder passed


def test_12_42_8_36_a_second_disorder_adds_no_retreat_to_that_of_the_table(field):
    """8.36, 12.35b: disordered defenders check: here it stands, loses a step and retreats with the result."""
    f, a, d = duel(field, disordered=True)
    f.roll(("cohesion", 0), ("shock", 3), ("cohesion", 4))
    event, = shock(f, ([a], [d.hex]))
    assert event.adjusted == 5  # +1 more for the disordered defender
    assert d.strength == 3 and d.lost_second_disorder == 1
    assert [e.kind for e in f.events("retreat")] == ["retreat"]


# -- 8.36, 11.6: stacks and guns -------------------------------------------------------------------------------------


def test_8_36_standoff_loss_falls_on_the_highest_cohesion(field):
    f = field(12, 12)
    top = f.unit("top", "A0404", orders=ATTACK, cohesion=5)
    low = f.unit("low", "A0404", orders=ATTACK, cohesion=7)
    d = f.unit("d", "A0503", "W", side=1, strength=5)
    e = f.unit("e", "A0503", "W", side=1, strength=5)
    f.play()
    f.begin(top)
    f.answers[1]["pre_shock_fire"] = [-1, -1]
    f.roll(("cohesion", 0), ("shock", 4), ("cohesion", 0), ("cohesion", 0), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([top, low], [d.hex]))
    assert event.result == "Bloody Standoff" and (event.sp, event.target_sp) == (10, 10)
    assert (top.strength, low.strength) == (5, 4)
    assert (d.strength, e.strength) == (4, 5)  # equal cohesion: the one on top


def test_8_36_11_63_11_64_guns_on_top_bear_the_standoff_and_count_one_in_four(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, strength=6)
    g = f.unit("g", "A0503", "W", side=1, kind=ARTILLERY, strength=6)
    d = f.unit("d", "A0503", "W", side=1, strength=5, cohesion=8)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1, -1]
    f.roll(("cohesion", 0), ("shock", 4), ("cohesion", 0), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([a], [d.hex]))
    assert event.target_sp == 6 and event.result == "Bloody Standoff"
    assert (g.strength, d.strength) == (5, 5)


@pytest.mark.parametrize(("guns", "counted"), [(2, 1), (4, 1), (6, 1), (8, 2), (12, 3)])
def test_11_63_guns_alone_count_one_in_four_at_least_one(field, guns, counted):
    f, _, d = duel(field)
    d.kind = ARTILLERY
    d.strength = guns
    assert f.series.shock.stack_strength(d.hex) == 2 * counted


def test_11_63_guns_beneath_others_and_abandoned_ones_do_not_count(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1, strength=5)
    f.unit("g", "A0503", "W", side=1, kind=ARTILLERY, strength=6)
    h = f.unit("h", "A0504", "W", side=1, kind=ARTILLERY, strength=8)
    e = f.unit("e", "A0504", "W", side=1, strength=5)
    f.play()
    f.begin(a)
    assert f.series.shock.stack_strength(d.hex) == 10
    assert f.series.shock.stack_strength(e.hex) == 14
    f.battle.abandon(h, 1)
    assert f.series.shock.stack_strength(e.hex) == 10


def test_11_64_ten_abandons_guns_where_they_stand(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, strength=10)
    g = f.unit("g", "A0503", "W", side=1, kind=ARTILLERY, strength=4)
    d = f.unit("d", "A0503", "W", side=1, strength=4)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1, -1]
    # 10 to 5: +2, no brigadier -1
    f.roll(("cohesion", 0), ("shock", 9), ("cohesion", 0))
    shock(f, ([a], [d.hex]))
    assert g.abandoned == 1 and g.hex.id == "A0503" and a.hex.id == "A0503"
    assert d.hex.distance_to(f.hex("A0503")) == 2


def test_11_65_12_36_disordered_guns_disordered_by_shock_are_abandoned(field):
    f, a, d = duel(field)
    d.kind = ARTILLERY
    d.disordered = True
    f.roll(("cohesion", 0), ("shock", 0))
    # 8 to 1 counts as 5-1: +5, disordered +1, no brigadier -1: 5
    event, = shock(f, ([a], [d.hex]))
    assert event.adjusted == 5
    assert d.abandoned == 1 and d.hex.id == "A0503" and a.hex.id == "A0503"


def test_11_62_disordered_guns_that_fail_the_check_are_abandoned_at_once(field):
    f, a, d = duel(field)
    d.kind = ARTILLERY
    d.disordered = True
    f.roll(("cohesion", 9))
    assert shock(f, ([a], [d.hex])) == []
    assert d.abandoned == 1 and a.hex.id == "A0503"
    assert not a.disordered  # step 6b was not reached (11.48)


def test_8_36_bystanders_share_the_disorder_and_retreat_of_attackers(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, strength=5)
    by = f.unit("by", "A0404", orders=ATTACK, strength=5)
    d = f.unit("d", "A0503", "W", side=1, strength=5)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.roll(("cohesion", 0), ("shock", 1))
    event, = shock(f, ([a], [d.hex]))
    assert event.adjusted == 0 and event.sp == 5
    assert by.disordered and by.hex is a.hex and a.hex.distance_to(d.hex) == 2
    assert (a.strength, by.strength) == (4, 5)  # who did not attack pays nothing after the shock


# -- 11.42 to 11.44: adjustments -------------------------------------------------------------------------------------


def test_11_43_example_rounding(field):
    """11.43: dead-of-winter:1557: 5 against 3 is 2-1 if all moved and no terrain helps, else 1½-1."""
    f, a, d = duel(field, attacker=5, defender=3)
    s = f.series.shock
    made = put(f, a, targets=[d.hex])
    assert s.modifiers(made, [made]).odds == "1½-1"
    a.moved = True
    made = put(f, a, targets=[d.hex])
    assert s.modifiers(made, [made]).odds == "2-1"
    made.continued = 1
    assert s.modifiers(made, [made]).odds == "1½-1"
    f, a, d = duel(field, attacker=5, defender=3, ground="woods")
    a.moved = True
    made = put(f, a, targets=[d.hex])
    drms = f.series.shock.modifiers(made, [made])
    assert drms.odds == "1½-1" and drms.terrain < 0


@pytest.mark.parametrize(
    ("attackers", "defenders", "favour", "drm"),
    [(1, 20, True, -4), (1, 20, False, -4), (20, 1, False, 5), (5, 1, False, 5), (4, 4, False, 0), (2, 3, True, -1)],
)
def test_11_43_ratio_ends_and_exact_columns(field, attackers, defenders, favour, drm):
    f, _, _ = duel(field)
    assert f.series.shock.ratio_drm(2 * attackers, 2 * defenders, favour) == drm


def test_11_43_mounted_cavalry_counts_half_in_woods(field):
    f, a, d = duel(field, ground="woods")
    a.kind = CAVALRY
    a.mounted = True
    made = put(f, a, targets=[d.hex])
    assert f.series.shock.attack_strength(made) == 8
    d.kind = CAVALRY
    d.mounted = True
    assert f.series.shock.defence_strength(made) == 4
    a.mounted = d.mounted = False  # on foot in full, but for those who hold the horses (14.25)
    assert (f.series.shock.attack_strength(made), f.series.shock.defence_strength(made)) == (12, 6)


AROUND = {"N": "A0503", "NE": "A0604", "SE": "A0605", "S": "A0505", "SW": "A0405", "NW": "A0404"}


def ring(field, heading, **attackers):
    """A defender at A0504 of some heading, attacked by units at named sides of it that face it."""
    f = field(12, 12)
    d = f.unit("d", "A0504", heading, side=1)
    made = []
    inward = {"N": "SSE", "NE": "SSW", "SE": "W", "S": "NNE", "SW": "E", "NW": "E"}
    for side, facing in attackers.items():
        made.append(f.unit(side, AROUND[side], facing or inward[side], orders=ATTACK))
    f.play()
    f.begin(made[0])
    return f, d, made


@pytest.mark.parametrize(
    ("sides", "drm"),
    [
        (["NW"], "front"), (["NW", "SW"], "front"), (["N"], "flank"), (["S"], "flank"), (["N", "S"], "flank"),
        (["NE"], "rear"), (["NE", "SE"], "rear"), (["N", "NW"], "front_flank"), (["NE", "NW"], "front_rear"),
        (["N", "NE"], "flank_rear"), (["N", "NE", "NW"], "front_flank_rear"),
    ],
)
def test_11_44_position_of_the_attacking_hexes(field, sides, drm):
    f, d, made = ring(field, "W", **dict.fromkeys(sides, ""))
    chart = f.charts.shock
    wanted = {
        "front": chart.position(True, False, False), "flank": chart.position(False, True, False),
        "rear": chart.position(False, False, True), "front_flank": chart.position(True, True, False),
        "front_rear": chart.position(True, False, True), "flank_rear": chart.position(False, True, True),
        "front_flank_rear": chart.position(True, True, True),
    }[drm]
    together = [put(f, unit, targets=[d.hex]) for unit in made]
    for one in together:
        # attackers that may not combine share the modifier
        assert f.series.shock.position_drm(one, together) == wanted
    one = put(f, *made, targets=[d.hex])
    assert f.series.shock.position_drm(one, [one]) == wanted


def test_11_44_continued_shock_counts_its_position_alone(field):
    f, d, (north, west) = ring(field, "W", N="", NW="")
    one, two = put(f, north, targets=[d.hex]), put(f, west, targets=[d.hex])
    two.continued = 1
    assert f.series.shock.position_drm(two, [one, two]) == 0
    assert f.series.shock.position_drm(one, [one, two]) == f.charts.shock.position(False, True, False)


def test_11_44_surrounded_by_units_and_their_fronts(field):
    """11.44: two units opposite each other face the two hexes on either side of the target."""
    f, d, made = ring(field, "W", N="SSE", S="NNW")
    one = put(f, *made, targets=[d.hex])
    # N at A0503 facing SSE: front A0604 and A0504; S at A0505 facing NNW: front A0405 and A0504
    assert f.series.shock.position_drm(one, [one]) == f.charts.shock.position(False, True, False)
    f, d, made = ring(field, "W", N="SSE", S="NNW", SE="W", NW="E")
    one = put(f, *made[:2], targets=[d.hex])
    other = put(f, *made[2:], targets=[d.hex])
    assert f.series.shock.position_drm(one, [one, other]) == f.charts.shock.surrounded == 5
    assert f.series.shock.position_drm(other, [one, other]) == 5


def test_11_44_hexes_off_the_map_do_not_count_for_surrounded(field):
    f = field(6, 6)
    d = f.unit("d", "A0101", "W", side=1)
    a = f.unit("a", "A0201", "W", orders=ATTACK)
    b = f.unit("b", "A0102", "NNE", orders=ATTACK)
    f.play()
    f.begin(a)
    made = put(f, a, b, targets=[d.hex])
    assert f.series.shock.position_drm(made, [made]) == 5


def test_11_44_minus_one_for_each_attacking_hex_in_an_uninvolved_enemy_front(field):
    f = field(12, 12)
    d = f.unit("d", "A0504", "W", side=1)
    a = f.unit("a", "A0503", "SSE", orders=ATTACK)
    b = f.unit("b", "A0604", "SSW", orders=ATTACK)
    f.unit("x", "A0502", "SSE", side=1)
    f.unit("y", "A0603", "SSE", side=1)
    f.play()
    f.begin(a)
    # x faces A0503 and A0603, y faces A0604 and A0703
    made = put(f, a, b, targets=[d.hex])
    drms = f.series.shock.modifiers(made, [made])
    assert drms.position == f.charts.shock.position(False, True, True)
    assert drms.enemy_front == -2
    front = put(f, a, targets=[f.hex("A0502")])
    front.attackers[0].heading = 11
    assert f.series.shock.modifiers(front, [front]).enemy_front == 0  # no position claimed


def test_11_42_best_terrain_and_position_for_the_defender(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    e = f.unit("e", "A0504", "SSE", side=1)
    f.ground("woods", "A0504")
    f.play()
    f.begin(a)
    made = put(f, a, targets=[d.hex, e.hex])
    drms = f.series.shock.modifiers(made, [made])
    assert drms.terrain == f.charts.terrain("woods").shock_drm
    assert drms.position == 0  # d's front; e alone is taken in the rear or flank
    alone = put(f, a, targets=[e.hex])
    assert f.series.shock.modifiers(alone, [alone]).position > 0


def test_11_42_disorder_of_either_side(field):
    f, a, d = duel(field)
    a.disordered = True
    d.disordered = True
    made = put(f, a, targets=[d.hex])
    drms = f.series.shock.modifiers(made, [made])
    assert drms.attacker_disordered == f.charts.shock.attacker_disordered
    assert drms.defender_disordered == f.charts.shock.defender_disordered


def test_11_21_11_42_charge_only_if_all_charge(field):
    f, a, d = duel(field)
    a.moved = a.came_adjacent = True
    f.roll(("cohesion", 0), ("shock", 4))
    event, = shock(f, ([a], [d.hex]))
    assert "charge +1" in event.drms and event.adjusted == 6
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK)
    b = f.unit("b", "A0404", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    f.play()
    f.begin(a)
    a.moved = a.came_adjacent = True
    both = [Attacker(a, a.hex, EAST, True, True), Attacker(b, b.hex, EAST, False, False)]
    made = ShockInProgress(0, both, [d.hex], 0)
    assert f.series.shock.modifiers(made, [made]).charge == 0


def test_11_72_brigadier_present_absent_aggressive(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    chief = f.leader("chief", "A0404", profile=AGGRESSIVE)
    other = f.leader("other", "A0503", side=1)
    f.play()
    f.begin(a)
    made = put(f, a, targets=[d.hex])
    made.unled = f.series.shock.unled_brigades([a])
    drms = f.series.shock.modifiers(made, [made])
    assert (drms.no_brigadier, drms.aggressive) == (0, 1)
    f.battle.stand_leader(chief, f.hex("A0405"))
    made.unled = f.series.shock.unled_brigades([a])
    drms = f.series.shock.modifiers(made, [made])
    assert (drms.no_brigadier, drms.aggressive) == (-1, 0)
    assert other.in_play()


def test_11_72_a_brigadier_with_one_of_its_units_serves_all_shocks_of_the_brigade(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK)
    b = f.unit("b", "A0409", orders=ATTACK)
    f.leader("chief", "A0409")
    f.play()
    f.begin(a)
    assert f.series.shock.unled_brigades([a, b]) == []
    assert f.series.shock.unled_brigades([a]) == [a.command]


def test_11_41_resolution_from_left_to_right(field):
    f = field(12, 14)
    rows = ["A0404", "A0408", "A0412"]
    attackers = [f.unit(f"a{at}", place, "E", orders=ATTACK) for at, place in enumerate(rows)]
    defenders = [f.unit(f"d{at}", place, "W", side=1) for at, place in enumerate(["A0504", "A0508", "A0512"])]
    f.play()
    f.begin(attackers[0])
    made = [put(f, a, targets=[d.hex]) for a, d in zip(attackers, defenders, strict=True)]
    ordered = f.series.shock.left_to_right([made[2], made[0], made[1]])
    assert ordered == made  # facing east, north is left


# -- step 2 ----------------------------------------------------------------------------------------------------------


def test_11_33_11_35_retreat_before_shock_ends_it_and_the_advance_is_voluntary(field):
    f, a, d = duel(field)
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[0]["advance_after_retreat"] = [True]
    assert shock(f, ([a], [d.hex])) == []
    assert d.hex.distance_to(f.hex("A0503")) == 1 and d.hex.distance_to(f.hex("A0404")) == 2
    assert d.heading == WEST and not d.disordered
    assert a.hex.id == "A0503" and not a.disordered and "continue_shock" not in f.asked[0]
    assert len(f.events("retreat before shock")) == 1
    f, a, d = duel(field)
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[0]["advance_after_retreat"] = [False]
    shock(f, ([a], [d.hex]))
    assert a.hex.id == "A0404"


@pytest.mark.parametrize("orders", [ATTACK, MARCH])
def test_11_33_not_under_attack_or_march_orders(field, orders):
    f, a, d = duel(field, orders=orders)
    d.heading = WEST if orders == ATTACK else 8
    f.roll(("cohesion", 0), ("shock", 4))
    if orders == MARCH:
        f.roll(("cohesion", 0))  # disordered by the check that it passed, and again by the result
    shock(f, ([a], [d.hex]))
    assert "retreat_before_shock" not in f.asked[1]


def test_11_33_11_61_guns_may_not_and_nobody_before_cavalry(field):
    f, a, d = duel(field)
    s = f.series.shock
    made = [put(f, a, targets=[d.hex])]
    assert s.may_retreat_before_shock(d, made)
    a.kind = CAVALRY
    a.mounted = True
    assert not s.may_retreat_before_shock(d, made)
    a.mounted = False
    assert s.may_retreat_before_shock(d, made)
    d.kind = ARTILLERY
    assert not s.may_retreat_before_shock(d, made)


@pytest.mark.parametrize(("faces", "place", "strength"), [((4,), ON_MAP, 4), ((5, 4), ON_MAP, 3), ((5, 5), ROUTED, 4)])
def test_11_33_12_34_a_disordered_unit_checks_after_it(field, faces, place, strength):
    """11.33, 12.35b: it fails, then checks for rout: stands and loses a point, or routs."""
    f, a, d = duel(field, disordered=True)
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[0]["advance_after_retreat"] = [False]
    f.roll(*[("cohesion", face) for face in faces])
    shock(f, ([a], [d.hex]))
    assert (d.place, d.strength) == (place, strength)


def test_11_33_guns_stay_when_the_others_of_their_stack_go(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, strength=6)
    d = f.unit("d", "A0503", "W", side=1, strength=5)
    g = f.unit("g", "A0503", "W", side=1, kind=ARTILLERY, strength=4)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.answers[1]["retreat_before_shock"] = [True]
    f.roll(("cohesion", 0), ("shock", 1))
    event, = shock(f, ([a], [g.hex]))
    assert event.target == g.id and event.adjusted == 5  # 6 to 1 is 5-1, no brigadier
    assert d.hex.id != "A0503"


# -- step 3 ----------------------------------------------------------------------------------------------------------


def test_11_36_a_green_attacker_that_fails_does_not_shock_and_is_not_disordered(field):
    f, a, d = duel(field)
    a.green = True
    f.roll(("cohesion", 7))
    assert shock(f, ([a], [d.hex])) == []
    assert not a.disordered and a.hex.id == "A0404" and d.hex.id == "A0503"
    assert [e.result for e in f.events("commitment")] == ["failed"]
    assert not f.events("pre-shock")


def test_11_36_8_36_each_green_unit_of_a_stack_checks_for_itself(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, green=True)
    b = f.unit("b", "A0404", orders=ATTACK, green=True)
    d = f.unit("d", "A0503", "W", side=1)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.roll(("cohesion", 9), ("cohesion", 6), ("cohesion", 0), ("shock", 6))
    event, = shock(f, ([a, b], [d.hex]))
    assert event.unit == b.id and event.sp == 5


def test_11_44_green_units_that_fail_do_not_count_for_position(field):
    f, d, (north, west) = ring(field, "W", N="SSE", NW="E")
    north.green = True
    f.answers[1]["pre_shock_fire"] = [-1]
    f.roll(("cohesion", 9), ("cohesion", 0), ("shock", 9))
    event, = shock(f, ([north, west], [d.hex]))
    assert event.unit == west.id and "position" not in event.drms


# -- step 4 ----------------------------------------------------------------------------------------------------------


def test_11_37_failed_check_disorders_the_stack(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    e = f.unit("e", "A0503", "W", side=1)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1, -1]
    # 5 to 10 is 1-2: -2, defenders disordered +1, no brigadier -1
    f.roll(("cohesion", 7), ("shock", 4), ("cohesion", 0), ("cohesion", 0), ("cohesion", 4))
    event, = shock(f, ([a], [d.hex]))
    assert event.adjusted == 2 and "defender disordered +1" in event.drms
    assert d.disordered and e.disordered


def test_11_37_disordered_defender_that_fails_checks_for_rout(field):
    f, a, d = duel(field, disordered=True)
    # rating 4, +1 for disorder: 4 fails; then 5 against 4 routs
    f.roll(("cohesion", 4), ("cohesion", 5))
    assert shock(f, ([a], [d.hex])) == []
    assert d.place == ROUTED and a.hex.id == "A0503" and not a.disordered
    assert f.asked[0].count("continue_shock") == 1  # all defenders routed by the check (11.47)


def test_11_37_11_46_a_defender_driven_off_by_the_check_gives_no_continued_shock(field):
    f, a, d = duel(field, disordered=True)
    f.roll(("cohesion", 4), ("cohesion", 4))
    shock(f, ([a], [d.hex]))
    assert d.place == ON_MAP and d.strength == 3 and a.hex.id == "A0503"
    assert "continue_shock" not in f.asked[0]


@pytest.mark.parametrize(("side", "drm"), [("NW", 0), ("N", 1), ("NE", 2)])
def test_11_37_flank_and_rear(field, side, drm):
    f, d, made = ring(field, "W", **{side: ""})
    assert f.series.shock.pre_shock_drm(d.hex, [put(f, *made, targets=[d.hex])]) == drm


def test_11_31_11_37_attacked_twice_one_check_with_the_worst_modifier_then_both_resolved(field):
    f = field(12, 12)
    west = f.unit("west", "A0404", "E", orders=ATTACK)
    east = f.unit("east", "A0604", "SSW", orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1)
    f.play()
    f.begin(west)
    f.answers[1]["pre_shock_fire"] = [-1]
    # rating 6, rear +2: 5 fails; position front and rear +4, disordered +1, no brigadier -1: 0 gives 4, a standoff
    f.roll(("cohesion", 5), ("shock", 0), ("cohesion", 0), ("cohesion", 0))
    # then 5 to 4, rounded to 1-1: 1 gives 5; the second disorder is survived
    f.roll(("shock", 1), ("cohesion", 0))
    first, second = shock(f, ([west], [d.hex]), ([east], [d.hex]))
    assert "position +4" in first.drms and "position +4" in second.drms
    assert [first.unit, second.unit] in ([west.id, east.id], [east.id, west.id])
    assert len(f.events("pre-shock")) == 1


def test_11_37_march_order_defenders_pass_and_are_disordered_fail_and_rout(field):
    f, a, d = duel(field, orders=MARCH)
    d.heading = 8
    other = d.command
    # rating 6, march +2, front hexside: 4 passes; then disordered
    f.roll(("cohesion", 4), ("shock", 4), ("cohesion", 0))
    event, = shock(f, ([a], [d.hex]))
    assert d.disordered and event.adjusted == 6 and d.orders == ADVANCE and other.orders == ADVANCE
    f, a, d = duel(field, orders=MARCH)
    d.heading = 8
    f.roll(("cohesion", 5))
    assert shock(f, ([a], [d.hex])) == []
    assert d.place == ROUTED and d.command.orders == ADVANCE


@pytest.mark.parametrize(("disordered", "strength"), [(False, 5), (True, 4)])
def test_11_48_the_rest_of_a_brigade_shocked_on_the_march_checks(field, disordered, strength):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, strength=8)
    d = f.unit("d", "A0503", "NW", side=1, orders=MARCH)
    e = f.unit("e", "A1010", "NW", side=1, orders=MARCH, disordered=disordered)
    d.command.orders = MARCH
    f.play()
    f.begin(a)
    f.roll(("cohesion", 9), ("cohesion", 9))
    shock(f, ([a], [d.hex]))
    assert d.place == ROUTED
    assert (e.disordered, e.strength, e.orders) == (True, strength, ADVANCE)


# -- step 5 ----------------------------------------------------------------------------------------------------------


def test_11_38_pre_shock_fire_before_the_resolution(field):
    f, a, d = duel(field)
    f.answers[1]["pre_shock_fire"] = [0]
    f.roll(("cohesion", 0), ("fire", 0), ("shock", 4))
    shock(f, ([a], [d.hex]))
    kinds = [e.kind for e in f.events("fire", "shock")]
    assert kinds == ["fire", "shock"] and f.events("fire")[0].mode == "pre-shock"


def test_11_31_12_47_attackers_driven_back_by_fire_do_not_shock(field):
    f, a, d = duel(field)
    a.disordered = True
    a.strength = a.full = 8
    f.answers[1]["pre_shock_fire"] = [0]
    # a fire result of at least "d" and a failed check: second disorder by fire, a step and a retreat
    f.roll(("cohesion", 0), ("fire", 9))
    f.roll(*[("cohesion", 9)] * (1 if _needs_check(f, d) else 0))
    assert shock(f, ([a], [d.hex])) == []
    assert a.hex.id != "A0404" and a.finished and d.hex.id == "A0503"


def _needs_check(f, firer):
    """Whether the fire of a 9 asks for a check or disorders at once."""
    from simkit.rules.firemodifiers import PRE_SHOCK

    drm = f.series.fire.modifier(firer, firer.hex, f.battle.units_in(f.hex("A0404"))[0].parts[0], PRE_SHOCK, False)
    return f.charts.fire_table.result(firer.strength, 9 + drm).disorder == 1


# -- steps 6c, 6d ----------------------------------------------------------------------------------------------------


def chain(field):
    """A charging attacker, its target, and behind it two more defenders in a row."""
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=12, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1)
    e = f.unit("e", "A0603", "W", strength=4, side=1)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 9
    a.moved = a.came_adjacent = True
    return f, a, d, e


def test_11_47_who_charged_must_continue_with_one_less(field):
    f, a, d, e = chain(field)
    # 3-1 +3, charge +1, no brigadier -1: 5 gives 8; then 3-1 +3, no brigadier -1, continued -1: 4 gives 5
    f.roll(("cohesion", 0), ("shock", 5), ("shock", 4))
    # d retreats past e: through the north
    first, second = shock(f, ([a], [d.hex]))
    assert (first.mode, first.adjusted, second.mode, second.adjusted) == ("shock", 8, "continued", 5)
    assert "continued -1" in second.drms and "charge" not in second.drms and "no brigadier -1" in second.drms
    assert second.target.startswith(e.id) or e.id in second.target
    assert "continue_shock" not in f.asked[0]
    assert a.hex.id == "A0603" and a.disordered and a.strength == 12
    assert f.battle.shocks == [2, 0]
    assert len(f.events("pre-shock")) == 1


def test_11_47_the_second_continued_shock_is_voluntary_and_costs_two(field):
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=20, orders=ATTACK)
    d = [f.unit(f"d{at}", place, "W", strength=4, side=1) for at, place in enumerate(["A0503", "A0703", "A0903"])]
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 9
    numbers = []
    f.answers[0]["continue_shock"] = [lambda series, units, number: numbers.append(number) or True]
    a.moved = a.came_adjacent = True
    # 5-1 +5, charge +1, no brigadier -1: 5 gives 10, and d0 routs; then +3 and 7, d1 routs; then +2 and 5, d2 retreats
    f.roll(("cohesion", 0), ("shock", 5), ("cohesion", 9), ("shock", 7), ("cohesion", 9), ("shock", 5))
    events = shock(f, ([a], [d[0].hex]))
    assert [e.adjusted for e in events] == [10, 10, 7]
    assert "continued -1" in events[1].drms and "continued -2" in events[2].drms
    assert numbers == [1]  # the first was no choice of those who charged
    assert [unit.place for unit in d] == [ROUTED, ROUTED, ON_MAP] and a.hex.id == "A0903"
    assert a.disordered and a.strength == 20  # disordered once, after all of them


def test_11_47_a_continued_shock_goes_on_two_hexes_to_meet_an_enemy(field):
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=12, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1, cohesion_disordered=0)
    e = f.unit("e", "A0803", "W", strength=4, side=1)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 9
    f.answers[0]["continue_shock"] = [True]
    # the check of a disordered 0 always fails at 9: d routs before shock, and a may continue
    d.disordered = True
    f.roll(("cohesion", 9), ("cohesion", 9), ("shock", 9))
    f.dice.faces.append(("cohesion", 0))
    event, = shock(f, ([a], [d.hex]))
    assert event.mode == "continued" and event.target == e.id
    assert len([x for x in f.events("advance") if x.unit == a.id]) == 4  # vacated hex, two more, e's hex


def test_11_47_no_enemy_within_reach_no_continued_shock(field):
    f, a, d = duel(field, disordered=True, cohesion=2)
    f.answers[0]["continue_shock"] = [True]
    f.roll(("cohesion", 9), ("cohesion", 9))
    assert shock(f, ([a], [d.hex])) == []
    assert a.hex.id == "A0503" and not a.disordered


def test_11_46_11_47_victorious_defenders_may_shock_in_turn(field):
    f, a, d = duel(field, attacker=4, defender=8)
    f.answers[1]["continue_shock"] = [True]
    f.answers[0]["retreat"] = [to("A0303")]
    # 1-2: -2, no brigadier -1: 0 gives -3; then d, 2-1 +2, disordered +1, continued -1: 4 gives 6
    f.roll(("cohesion", 0), ("shock", 0), ("shock", 4), ("cohesion", 0))
    f.answers[0]["pre_shock_fire"] = [-1]
    first, second = shock(f, ([a], [d.hex]))
    assert (first.side, first.adjusted, second.side, second.adjusted) == (0, -3, 1, 6)
    assert "no brigadier" not in second.drms and second.mode == "continued"
    assert f.battle.shocks == [1, 1]
    # both have attacked: the defender's good order is gone, the attacker, disordered by the first, pays once
    assert d.disordered and d.strength == 8 and d.advanced
    assert a.disordered and a.lost_second_disorder >= 1


def test_11_46_defenders_who_stay_may_turn_freely(field):
    f, a, d = duel(field)
    f.answers[1]["heading_after"] = [5]
    f.roll(("cohesion", 0), ("shock", 0))
    shock(f, ([a], [d.hex]))
    assert d.hex.id == "A0503" and d.heading == EAST and not d.disordered


def test_11_46_defenders_may_advance_without_shocking(field):
    f, a, d = duel(field)
    f.answers[1]["advance_after_defence"] = [0]
    f.roll(("cohesion", 0), ("shock", 0))
    shock(f, ([a], [d.hex]))
    assert d.hex.id == "A0404" and d.advanced and not d.disordered


def test_11_47_defenders_who_cannot_retreat_lose_a_point_and_are_shocked_again(field):
    f = field(12, 12)
    a = f.unit("a", "A0202", "W", strength=8, orders=ATTACK)
    d = f.unit("d", "A0101", "E", strength=4, side=1)
    f.play()
    f.begin(a)
    a.moved = a.came_adjacent = True
    f.answers[1]["pre_shock_fire"] = [-1] * 4
    # d stands in the corner: whatever hex it could go to is next to the attacker
    # +2, charge +1, no brigadier -1: 6 gives 8; then 8 to 3, rounded down +2, disordered +1, no brigadier, continued
    f.roll(("cohesion", 0), ("shock", 6), ("shock", 0))
    first, second = shock(f, ([a], [d.hex]))
    assert first.adjusted == 8 and second.mode == "continued" and second.target_sp == 3 and second.adjusted == 1
    assert d.hex.id == "A0101" and d.lost_shock == 1 and not f.events("advance")


def test_11_46_a_target_emptied_by_another_shock_must_be_occupied_without_disorder(field):
    """11.46 (play note): the attacker without a target advances and suffers no disorder after shock."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    b = f.unit("b", "A0604", "SSW", strength=8, orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1, strength=4)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.roll(("cohesion", 0), ("shock", 9), ("cohesion", 9))
    event, = shock(f, ([a], [d.hex]), ([b], [d.hex]))
    assert d.place == ROUTED
    winner, other = (a, b) if event.unit == a.id else (b, a)
    assert winner.disordered and not other.disordered
    assert winner.hex.id == "A0504"


def test_11_46_both_hexes_vacated_and_the_advance_chooses(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=12, orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1, strength=3)
    e = f.unit("e", "A0504", "W", side=1, strength=3)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1, -1]
    f.answers[0]["advance_into"] = [1]
    f.roll(("cohesion", 0), ("cohesion", 0), ("shock", 5))
    event, = shock(f, ([a], [d.hex, e.hex]))
    assert event.target_sp == 6 and event.adjusted == 6
    assert a.hex.id == "A0504" and d.disordered and e.disordered


# -- 12.52, 11.48 ----------------------------------------------------------------------------------------------------


def test_12_52_both_sides_would_rout_the_highest_cohesion_stands(field):
    f, a, d = duel(field, attacker=4, defender=4)
    a.disordered = True
    d.disordered = True
    a.cohesion_disordered = 3
    # 1-1, disorder of both, no brigadier: 5 gives 4, a standoff; both fail, both check and fail
    f.roll(("cohesion", 0), ("shock", 5), ("cohesion", 9), ("cohesion", 9), ("cohesion", 9), ("cohesion", 9))
    event, = shock(f, ([a], [d.hex]))
    assert event.result == "Bloody Standoff"
    assert a.place == ROUTED and d.place == ON_MAP


def test_12_52_a_tie_saves_one_attacker(field):
    f, a, d = duel(field, attacker=4, defender=4)
    a.disordered = True
    d.disordered = True
    f.roll(("cohesion", 0), ("shock", 5), ("cohesion", 9), ("cohesion", 9), ("cohesion", 9), ("cohesion", 9))
    shock(f, ([a], [d.hex]))
    assert d.place == ROUTED and a.place == ON_MAP


def test_11_48_12_35d_a_stack_of_attackers_already_disordered_loses_one_point_in_all(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", orders=ATTACK, strength=5, disordered=True)
    b = f.unit("b", "A0404", orders=ATTACK, strength=5, disordered=True)
    d = f.unit("d", "A0503", "W", side=1, strength=5)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.roll(("cohesion", 0), ("shock", 5))
    event, = shock(f, ([a, b], [d.hex]))
    assert event.adjusted == 5
    assert (a.strength, b.strength) == (4, 5)
    assert not f.dice.asked[-1].startswith("leader")


def test_11_48_mounted_cavalry_of_both_sides(field):
    f, a, d = duel(field)
    a.kind = d.kind = CAVALRY
    a.mounted = d.mounted = True
    a.disordered = True
    f.roll(("cohesion", 0), ("shock", 2), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([a], [d.hex]))
    assert event.result == "Bloody Standoff"
    assert a.blown and d.disordered and not d.blown
    assert a.strength == 7


def test_11_58_blown_cavalry_has_half_its_movement_and_counts_as_under_advance_orders(field):
    """11.58: half of the disordered allowance, rounded up; its brigade's orders once it has got its breath back."""
    f = field(12, 12)
    a = f.unit("a", "A0404", kind=CAVALRY, orders=ATTACK, disordered=True, movement=10, movement_disordered=7)
    f.play()
    f.begin(a)
    f.series.results.disorder(a, CAUSE_POST_SHOCK)
    assert a.blown and a.orders == ADVANCE
    assert f.series.movement.allowance(a) == 8  # half points: 7 halved is 4
    f.series.orders.give(a, ATTACK)
    assert a.orders == ADVANCE
    a.blown = False
    f.series.orders.give(a, ATTACK)
    assert a.orders == ATTACK


def test_12_71_leaders_with_those_who_lose_steps_roll(field):
    f, a, d = duel(field)
    chief = f.leader("chief", "A0503", side=1)
    f.battle.ready()
    f.roll(("cohesion", 0), ("shock", 2), ("leader", 0), ("cohesion", 0), ("cohesion", 0))
    shock(f, ([a], [d.hex]))
    assert chief.casualty


# -- the estimate ----------------------------------------------------------------------------------------------------


def driven_off(f, a, d):
    """The exact chance in thousandths that d leaves his hex or his guns, by all branches of the rules themselves."""
    home = d.hex
    tape = EnumeratingTape()
    f.series.equip(tape, f.log, f.commanders)
    f.log.level = 0
    start = f.battle.snapshot()
    total = 0.0
    more = True
    while more:
        f.battle.restore(start)
        tape.begin(0)
        f.series.shock.conduct([Designation([a], [home])], f.battle.active)
        if d.hex is not home or d.abandoned:
            total += tape.numerator / tape.denominator
        more = tape.next_branch()
    return 1000 * total


@pytest.mark.parametrize("attacker", [2, 4, 8, 15])
@pytest.mark.parametrize(("disordered", "orders", "ground"), [
    (False, ADVANCE, "clear"), (True, ADVANCE, "clear"), (False, ADVANCE, "woods"), (False, MARCH, "clear"),
])
def test_11_37_11_45_estimate_is_the_exact_chance_without_fire(field, attacker, disordered, orders, ground):
    """The closed form against all branches of the rules themselves; without ammunition the defender does not fire."""
    f, a, d = duel(field, attacker=attacker, ground=ground, disordered=disordered, orders=orders)
    d.ammo = 2
    if orders == MARCH:
        d.heading = 8
    estimate = f.series.shock.estimate([a], d.hex)
    assert estimate == pytest.approx(driven_off(f, a, d), abs=1.01)


@pytest.mark.parametrize("attacker", [2, 5, 8])
@pytest.mark.parametrize("changes", [
    {}, {"disordered": True}, {"green": True}, {"strength": 9}, {"kind": ARTILLERY, "weapon": "N"}, {"heading": "NE"},
], ids=str)
def test_11_38_estimate_is_the_exact_chance_with_the_fire_before_it(field, attacker, changes):
    """10.43, 12.35a: fire takes strength and order from the attacker, or stops him: one volley, face by face."""
    changes = dict(changes)
    heading = changes.pop("heading", "W")
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=attacker, orders=ATTACK)
    d = f.unit("d", "A0503", heading, side=1, **{"strength": 4, **changes})
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [0] * 100000
    estimate = f.series.shock.estimate([a], d.hex)
    assert estimate == pytest.approx(driven_off(f, a, d), abs=2.01)


def test_11_36_estimate_counts_the_commitment_of_the_green(field):
    """11.36, 14.1: with a rating of 6 and no star seven faces of ten commit themselves."""
    f, a, d = duel(field)
    steady = f.series.shock.estimate([a], d.hex)
    a.green = True
    assert f.series.shock.estimate([a], d.hex) == pytest.approx(steady * 7 / 10, abs=1.01)
    a.green = False
    assert f.series.shock.estimate([a], d.hex) == steady


def test_11_31_estimate_counts_all_that_the_attacker_has_in_front(field):
    """11.31: two enemies in front are one shock, so that the ratio is against both."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1)
    f.play()
    f.begin(a)
    d.ammo = 2
    alone = f.series.shock.estimate([a], d.hex)
    e = f.unit("e", "A0504", "W", strength=4, side=1)
    e.ammo = 2
    assert f.series.shock.estimate([a], d.hex) < alone


def test_11_45_estimate_from_other_hexes_and_of_nobody(field):
    f, a, d = duel(field)
    s = f.series.shock
    assert s.estimate([], d.hex) == 0
    assert s.estimate([a], f.hex("A0505")) == 0
    assert s.estimate([a], f.hex("A0504")) == 0
    front = s.estimate_from([a], [f.hex("A0404")], False, d.hex)
    rear = s.estimate_from([a], [f.hex("A0603")], True, d.hex)
    assert front == s.estimate([a], d.hex)
    assert rear > front


# -- the steps together ----------------------------------------------------------------------------------------------


def line_of_three(field):
    """Three attackers facing east, three defenders in front of them, one for each."""
    f = field(12, 14)
    attackers = [f.unit(f"a{at}", place, "E", strength=8, orders=ATTACK) for at, place in enumerate(
        ["A0404", "A0408", "A0412"]
    )]
    defenders = [f.unit(f"d{at}", place, "W", strength=4, side=1) for at, place in enumerate(
        ["A0504", "A0508", "A0512"]
    )]
    f.play()
    f.begin(attackers[0])
    f.answers[1]["pre_shock_fire"] = [0, -1, 0]
    return f, attackers, defenders


def test_11_11_each_step_for_all_shocks_before_the_next_and_the_last_from_left_to_right(field):
    f, a, d = line_of_three(field)
    f.roll(("cohesion", 0), ("cohesion", 0), ("cohesion", 0), ("fire", 0), ("fire", 0))
    f.roll(("shock", 4), ("shock", 5), ("shock", 6))
    shock(f, ([a[2]], [d[2].hex]), ([a[0]], [d[0].hex]), ([a[1]], [d[1].hex]))
    seen = [(e.kind, e.unit) for e in f.events("pre-shock", "fire", "shock")]
    assert [kind for kind, _ in seen] == ["pre-shock"] * 3 + ["fire"] * 2 + ["shock"] * 3
    assert [unit for kind, unit in seen if kind == "pre-shock"] == [d[2].id, d[0].id, d[1].id]
    assert [unit for kind, unit in seen if kind == "shock"] == [unit.id for unit in a]


def test_11_31_12_44_markers_until_the_resolution(field):
    f, a, d = line_of_three(field)
    s = f.series.shock
    homes = [unit.hex for unit in d]
    s.designate([Designation([unit], [home]) for unit, home in zip(a, homes, strict=True)], f.battle.active)
    assert all(s.designated(home) for home in homes) and not s.designated(a[0].hex)
    assert s.threats(homes[1]) == [a[1].hex]
    assert all(unit.shock_target and unit.turn_acted for unit in d)
    assert all(unit.shocked and unit.turn_acted for unit in a)
    f.roll(("shock", 4))
    s.resolve(s.shocks[0])
    assert not s.designated(homes[0]) and s.designated(homes[1])


def test_11_35_10_43_a_free_neighbour_fires_though_the_target_has_retreated(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1)
    n = f.unit("n", "A0405", "NNE", strength=4, side=1)
    f.play()
    f.begin(a)
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[1]["retreat"] = [to("A0603")]
    f.answers[1]["pre_shock_fire"] = [0]
    f.answers[0]["advance_after_retreat"] = [False]
    f.roll(("fire", 0))
    assert shock(f, ([a], [d.hex])) == []
    fire, = f.events("fire")
    assert (fire.unit, fire.mode, fire.target_hex) == (n.id, "pre-shock", "A0404")


def test_11_33_11_47_who_awaits_another_shock_may_not_retreat_before_a_continued_one(field):
    f, a, d = line_of_three(field)
    s = f.series.shock
    homes = [unit.hex for unit in d]
    s.designate([Designation([a[1]], [homes[1]])], f.battle.active)
    again = ShockInProgress(0, [Attacker(a[0], a[0].hex, EAST, True, False)], [homes[1]], 1)
    f.answers[1]["pre_shock_fire"] = [-1, -1, -1]
    s.begin_continued([again])
    assert "retreat_before_shock" not in f.asked[1]
    s.shocks[0].pending = False
    s.shocks = s.shocks[:1]
    s.begin_continued([again])
    assert "retreat_before_shock" in f.asked[1]


def test_11_47_phasing_units_do_not_retreat_before_the_shock_of_a_defender(field):
    f, a, d = duel(field)
    a.orders = ADVANCE
    counter = ShockInProgress(1, [Attacker(d, d.hex, WEST, True, False)], [a.hex], 1)
    assert not f.series.shock.may_retreat_before_shock(a, [counter])


# -- any shock whatever ----------------------------------------------------------------------------------------------


class AnyAnswer(Commander):
    """Answers every question of a shock at random, within the offer."""

    def __init__(self, side, chance):
        super().__init__()
        self.side = side
        self.chance = chance

    def retreat_before_shock(self, series, units, attackers):
        return self.chance.random() < 0.3

    def advance_after_retreat(self, series, unit, vacated):
        return self.chance.random() < 0.5

    def advance_after_defence(self, series, unit, vacated):
        return self.chance.randrange(-1, len(vacated))

    def advance_into(self, series, unit, vacated):
        return self.chance.randrange(len(vacated))

    def heading_after(self, series, unit, headings):
        return self.chance.randrange(len(headings))

    def continue_shock(self, series, units, number):
        return self.chance.random() < 0.7

    def continued_advance(self, series, unit, ways):
        return self.chance.randrange(len(ways))

    def retreat(self, series, unit, ways):
        return self.chance.randrange(len(ways))

    def pre_shock_fire(self, series, unit, targets):
        return self.chance.randrange(-1, len(targets))


def melee(field, seed):
    """A field crowded with two sides at random, and every unit that may shock wishing to."""
    chance = random.Random(seed)
    f = field(9, 9)
    places = list(f.map.by_id)
    for at in range(chance.randrange(6, 22)):
        place = f.hex(chance.choice(places))
        side = chance.randrange(2) if f.battle.held_by(place) < 0 else f.battle.held_by(place)
        if len(place.stack) > 1:
            continue
        kind = chance.choice([0, 0, 0, 0, CAVALRY, ARTILLERY])
        strength = chance.randrange(1, 7)
        heading = place.stack[0].unit.heading if place.stack else chance.randrange(1, 12, 2)
        f.unit(
            f"{at}", place.id, HEADING_NAMES[heading],
            strength=strength, full=chance.randrange(strength, 8), side=side, kind=kind,
            orders=chance.choice([ATTACK, ADVANCE]), green=chance.random() < 0.2, disordered=chance.random() < 0.4,
            mounted=chance.random() < 0.5,
        )
    for side, name in enumerate(["blue", "grey"]):
        mine = [unit for unit in f.battle.units if unit.side == side]
        if mine:
            f.leader(name, chance.choice(mine).hex.id, side=side, profile=AGGRESSIVE)
    for unit in f.battle.units:
        unit.collapsed = unit.kind != ARTILLERY and 2 * unit.strength < unit.full
        unit.disordered = unit.disordered or unit.collapsed
    f.play()
    f.begin(f.battle.brigades[0])
    for unit in f.battle.units:
        unit.came_adjacent = unit.moved = unit.side == 0 and chance.random() < 0.5
    f.commanders = [AnyAnswer(side, chance) for side in (0, 1)]
    f.series.equip(KeyedDice(seed, 7), f.log, f.commanders)
    f.series.dice.begin(seed)
    return f


@pytest.mark.parametrize("seed", range(60))
def test_11_11_any_shock_leaves_a_legal_state(field, seed):
    f = melee(field, seed)
    battle, s = f.battle, f.series.shock
    strengths = [unit.strength for unit in battle.units]
    able = [unit for unit in battle.units if s.may_shock(unit)]
    made = s.complete([Designation([unit], []) for unit in able])
    assert s.check(made, battle.active) == []
    estimates = [s.estimate(one.attackers, one.targets[0]) for one in made]
    assert all(0 <= chance <= 1000 for chance in estimates)
    s.conduct(made, battle.active)
    assert s.shocks == [] and sum(battle.shocks) == len(f.events("shock"))
    for unit, before in zip(battle.units, strengths, strict=True):
        assert unit.strength == before - unit.losses() >= 0
        assert unit.place == ON_MAP or unit.hex is f.map.off
        assert unit.place != ELIMINATED or unit.strength == 0
        if unit.counts() and unit.kind != ARTILLERY and 2 * unit.strength < unit.full:
            assert unit.collapsed and unit.disordered
    for place in f.map.hexes:
        units = battle.units_in(place)
        assert len({unit.side for unit in units}) <= 1
        assert len({unit.heading for unit in units}) <= 1
        for side in (0, 1):
            near = [u for hexside in place.sides for u in battle.units_in(hexside.to) if u.side == side]
            assert (place.union_near if side == 0 else place.confederate_near) == len(near)
    for leader in battle.leaders:
        if leader.in_play():
            assert battle.held_by(leader.hex) == leader.side or not battle.enemy_near(leader.hex, leader.side)
    assert all(not waiting for waiting in f.series.results.pending)


# -- brigadiers, the line, and green units ---------------------------------------------------------------------------


def test_11_41_or_from_right_to_left(field):
    """11.41: the side that shocks chooses from which end of its line."""
    f, a, d = line_of_three(field)
    f.answers[0]["from_left"] = [False]
    f.answers[1]["pre_shock_fire"] = [-1] * 9
    f.roll(*[("cohesion", 0)] * 3, ("shock", 4), ("shock", 4), ("shock", 4))
    events = shock(f, *[([unit], [home.hex]) for unit, home in zip(a, d, strict=True)])
    assert [event.unit for event in events] == [unit.id for unit in reversed(a)]


@pytest.mark.parametrize(
    ("first", "second", "drms"),
    [
        (("A0404", AGGRESSIVE), ("A0403", 1), (0, 0)),
        (("A0404", AGGRESSIVE), ("A0101", 1), (-1, 0)),
        (("A0404", AGGRESSIVE), ("A0403", AGGRESSIVE), (0, 1)),
        (("A0101", AGGRESSIVE), ("A0403", AGGRESSIVE), (-1, 0)),
    ],
)
def test_11_42_11_72_of_two_brigadiers_the_one_better_for_the_defender_counts(field, first, second, drms):
    """11.42: coordinated brigades in one shock: an aggressive brigadier does not serve the other brigade."""
    f = field(12, 12)
    other = f.brigade("2/1/U", orders=ATTACK)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    b = f.unit("b", "A0403", "E", orders=ATTACK, brigade=other)
    d = f.unit("d", "A0503", "W", side=1)
    f.leader("first", first[0], profile=first[1])
    f.leader("second", second[0], other, profile=second[1])
    f.play()
    f.begin(a, b)
    made = put(f, a, b, targets=[d.hex])
    made.unled = f.series.shock.unled_brigades([a, b])
    found = f.series.shock.modifiers(made, [made])
    assert (found.no_brigadier, found.aggressive) == drms


def test_13_43_a_leader_who_has_helped_in_a_rally_takes_no_part_in_shock(field):
    """13.43, 11.72, 11.73: he counts as absent from the shock, and lends no stars in it."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    chief = f.leader("chief", "A0404", profile=AGGRESSIVE)
    f.play()
    f.begin(a)
    f.battle.phase = PHASE_SHOCK
    assert f.series.command.stars(a) == 1 and f.series.shock.unled_brigades([a]) == []
    chief.affected_rally = True
    made = put(f, a, targets=[d.hex])
    made.unled = f.series.shock.unled_brigades([a])
    drms = f.series.shock.modifiers(made, [made])
    assert (f.series.command.stars(a), drms.no_brigadier, drms.aggressive) == (0, -1, 0)


def test_11_34_a_retreat_before_shock_goes_on_through_friends_without_room(field):
    """11.34, 12.46: it does not stop where stacking forbids; those passed check."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=9, side=1)
    places = ["A0502", "A0603", "A0604"]
    full = [f.unit(f"full{at}", place, "W", strength=9, side=1) for at, place in enumerate(places)]
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 4
    f.answers[1]["retreat_before_shock"] = [True]
    passed = []

    def by_the_east(series, unit, ways):
        passed.extend(ways)
        return next(at for at, way in enumerate(ways) if way.hexes[0].id == "A0603")

    f.answers[1]["retreat"] = [by_the_east]
    f.answers[0]["advance_after_retreat"] = [False]
    f.roll(("cohesion", 9))
    shock(f, ([a], [d.hex]))
    assert all(way.through and way.end() not in [unit.hex for unit in full] for way in passed)
    assert d.hex.distance_to(f.hex("A0503")) == 2 and full[1].disordered and not full[0].disordered


def test_11_34_not_through_friends_who_await_a_shock_in_an_enemy_front(field):
    """11.34, 12.44: a friendly hex designated for a shock not yet resolved is closed like any enemy front."""
    f, a, d = line_of_three(field)
    f.battle.lift(d[1])
    f.battle.stand(d[1], f.hex("A0503"), True)
    side = d[0].hex.sides[d[0].hex.direction_to(f.hex("A0503"))]
    assert f.series.retreat.may_enter([d[0]], side, [a[0].hex])
    f.series.shock.shocks = [put(f, a[0], targets=[f.hex("A0504"), f.hex("A0503")])]
    assert not f.series.retreat.may_enter([d[0]], side, [a[0].hex])


@pytest.mark.parametrize(("mounted", "most"), [(False, 1), (True, 2)])
def test_12_43_chosen_retreats_before_shock(field, mounted, most):
    """12.43, 11.33: infantry one hex; mounted cavalry one or two."""
    f = field(14, 12)
    a = f.unit("a", "A0604", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0703", "W", side=1, kind=CAVALRY if mounted else 0)
    f.play()
    f.begin(a)
    offered = []
    f.answers[1]["pre_shock_fire"] = [-1] * 4
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[1]["retreat"] = [lambda series, unit, ways: offered.extend(len(way.hexes) for way in ways) or 0]
    f.answers[0]["advance_after_retreat"] = [False]
    shock(f, ([a], [d.hex]))
    assert set(offered) == set(range(1, most + 1))


def test_14_1_green_units_check_before_they_shock(field):
    """14.1, 11.36: one that passes shocks like any other."""
    f, a, d = duel(field)
    a.green = True
    f.roll(("cohesion", 6), ("cohesion", 0), ("shock", 4))
    event, = shock(f, ([a], [d.hex]))
    assert event.unit == a.id and a.green
