"""How the heuristic commander judges charges, keeps mounted cavalry off, and splits and doubles its fire."""

import pytest

from simkit.commanders.intent import Plan
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import Designation, Way


def troop(made, orders=ATTACK, strength=7, **more):
    made.brigade("1/1/U", 0, orders)
    return made.unit("c", "A0205", "E", kind=CAVALRY, orders=orders, strength=strength, **more)


def chance_of(made, led, unit):
    units = made.series.charge.chargers(unit)
    return led.best_charge(made.series, units, made.series.charge.ways(units))[1]


def charged(scene, enter, ground="clear", guns=False, neighbours=(), **more):
    """The chance that the commander sees in a charge at weak infantry four hexes off."""
    made = scene("steady")
    c = troop(made)
    made.ground(ground, "A0605")
    if guns:
        made.unit("guns", "A0605", "W", strength=6, kind=ARTILLERY, side=1)
    made.unit("d", "A0605", side=1, **{"facing": "W", "strength": 4, **more})
    for number, place in enumerate(neighbours):
        made.unit(f"n{number}", place, "W", side=1)
    return chance_of(made, enter(made, c), c)


def test_11_55_it_sees_best_chances_against_shaken_or_outflanked_men_in_the_open(scene, enter):
    steady = charged(scene, enter)
    assert charged(scene, enter, disordered=True) > steady
    assert charged(scene, enter, facing="E") > steady
    assert charged(scene, enter, ground="woods") < steady


def test_10_43_it_counts_the_canister_that_meets_a_charge(scene, enter):
    """Guns count one in four in the shock (11.63); what they fire before it counts more."""
    assert charged(scene, enter, guns=True) < charged(scene, enter) - 100


def test_11_48_it_counts_who_waits_where_the_charge_ends(scene, enter):
    steady = charged(scene, enter)
    assert charged(scene, enter, neighbours=["A0704"]) < steady
    assert charged(scene, enter, neighbours=["A0704", "A0706"]) < charged(scene, enter, neighbours=["A0704"])
    assert charged(scene, enter, neighbours=["A1204"]) == steady


@pytest.mark.parametrize(("threshold", "rides"), [(1, True), (1001, False)])
def test_11_53_the_doctrine_says_how_good_the_chance_must_be(scene, enter, threshold, rides):
    made = scene("steady")
    c = troop(made)
    made.unit("d", "A0605", "E", strength=3, side=1)
    led = enter(made, c)
    led.doctrine.cavalry_charge = threshold
    assert led.cares_to_charge(made.series, c) is rides


@pytest.mark.parametrize(
    ("facing", "strength", "dismount", "mounted"),
    [("E", 2, 4, True), ("W", 20, 4, False), ("W", 20, 2, True)],
)
def test_14_22_under_attack_orders_it_dismounts_before_whom_no_charge_would_break(
    scene, enter, facing, strength, dismount, mounted
):
    """Weak men who show their backs are ridden down; a strong line is for men on foot, near enough for the doctrine."""
    made = scene("steady")
    c = troop(made, dismounted={"weapon": "R"})
    made.unit("d", "A0605", facing, strength=strength, side=1)
    led = enter(made, c)
    led.doctrine.dismount = dismount
    made.series.mounting.offer()
    assert c.mounted is mounted


def test_11_51_mounted_cavalry_comes_at_the_enemy_by_charges_alone(scene, enter):
    """It waits where a charge reaches and canister does not; infantry in its place goes on."""
    for kind in (CAVALRY, 0):
        made = scene("aggressive")
        made.brigade("1/1/U", 0, ATTACK)
        unit = made.unit("a", "A0505", "E", kind=kind, orders=ATTACK, strength=20)
        d = made.unit("d", "A0805", "W", strength=12, side=1)
        made.unit("e", "A0804", "W", strength=12, side=1)
        led = enter(made, unit)
        led.doctrine.cavalry_charge = 1001
        led.doctrine.prepared = 0
        plan = Plan()
        plan.attack = True
        plan.wanted = 1
        led.act_unit(made.series, unit.command, plan, unit)
        away = unit.hex.distance_to(d.hex)
        assert away > 3 if kind == CAVALRY else away < 3


def test_14_21_before_the_battle_cavalry_that_holds_near_the_enemy_stands_on_foot(scene, enter):
    made = scene("steady")
    near = troop(made, ADVANCE, dismounted={"weapon": "R"})
    far = made.unit("far", "A0101", "E", kind=CAVALRY, orders=ADVANCE, dismounted={"weapon": "R"}, mounted=False)
    made.unit("d", "A0505", "W", side=1, strength=20)
    led = enter(made, near)
    made.series.orders.open_deployment(0)
    led.deploy(made.series, 0)
    made.series.orders.close()
    assert near.on_foot() and far.on_foot()  # three and five hexes off: neither is far
    led.doctrine.dismount = 2
    near.show(True)
    made.series.orders.open_deployment(0)
    led.deploy(made.series, 0)
    assert near.is_mounted()


def test_11_51_what_mounted_cavalry_gains_by_walking_up(scene, enter):
    """It has neither the DRM of a charge nor its full strength into woods (11.21, 11.43)."""
    chances = []
    for kind, ground in ((0, "clear"), (CAVALRY, "clear"), (CAVALRY, "woods"), (0, "woods")):
        made = scene("steady")
        unit = made.unit("a", "A0505", "E", kind=kind, orders=ATTACK, strength=6)
        made.ground(ground, "A0605")
        d = made.unit("d", "A0605", "W", strength=4, side=1)
        led = enter(made, unit)
        chances.append(led.field(made.battle).charge_chance(unit, unit.hex.nodes[unit.heading], d.hex, 0))
    on_foot, mounted, into_woods, on_foot_into_woods = chances
    assert on_foot > mounted and on_foot_into_woods - into_woods > on_foot - mounted


@pytest.mark.parametrize("exposed", [True, False])
def test_10_15_it_splits_its_fire_where_that_is_worth_more(scene, enter, exposed):
    """Two regiments of horse show a flank, so that half of the fire tells on each; or one of them is well covered."""
    made = scene("steady")
    a = made.unit("a", "A0505", "E", orders=ADVANCE, strength=8)
    made.unit("d", "A0605", "NNW", strength=4, side=1, kind=CAVALRY)
    made.unit("e", "A0606", "SSW" if exposed else "W", strength=4, side=1, kind=CAVALRY)
    made.ground("clear" if exposed else "woods", "A0606")
    led = enter(made, a)
    points = made.series.stacking.firing_limit(a)
    drms = {target: made.series.fire.estimated_modifier(a, target) for target in made.series.fire.targets(a)}
    whole, halves = (
        [led.fire_worth(made.series, a, target, 1, most, drm) for target, drm in drms.items()]
        for most in (points, points // 2)
    )
    fires, worth = led.best_fires(made.series, a, 5)
    assert worth == max(max(whole), sum(halves))
    assert (len(fires[0].targets) == 2) == (sum(halves) > max(whole)) == exposed
    led.open_fire(made.series, a, fires)
    assert len([event for event in made.events("fire") if event.unit == a.id]) == len(fires[0].targets)


@pytest.mark.parametrize(("strength", "rapidly"), [(8, True), (1, False)])
def test_10_68_its_smoothbores_fire_rapidly_at_what_is_worth_it(scene, enter, strength, rapidly):
    made = scene("steady")
    guns = made.unit("guns", "A0505", "E", strength=6, kind=ARTILLERY, weapon="N")
    made.unit("mate", "A0505", "E", strength=5)
    made.unit("d", "A0705", "W", strength=strength, side=1)
    led = enter(made, guns)
    fires, _ = led.best_fires(made.series, guns, 5)
    led.open_fire(made.series, guns, fires)
    own = [event for event in made.events("fire") if event.unit == guns.id]
    assert len(own) == (2 if rapidly else 1)


def test_10_69_the_last_ammunition_is_fired_rapidly_only_at_whom_stands_before_the_guns(scene, enter):
    made = scene("steady")
    guns = made.unit("guns", "A0505", "E", strength=6, kind=ARTILLERY, weapon="N")
    d = made.unit("d", "A0705", "W", strength=8, side=1)
    led = enter(made, guns)
    assert led.rapid_fire(made.series, guns, d.hex)
    guns.ammo = 1
    assert not led.rapid_fire(made.series, guns, d.hex)


def test_12_74_to_12_81_who_stands_where_a_leader_appears_and_how_guns_are_recrewed(scene, enter):
    made = scene("steady")
    weak = made.unit("weak", "A0205", "E", strength=3)
    strong = made.unit("strong", "A0305", "E", strength=8)
    struck = made.unit("struck", "A0705", "E", strength=9)
    guns = made.unit("guns", "A0206", "W", kind=ARTILLERY)
    made.unit("d", "A0805", "W", side=1)
    led = enter(made, weak)
    leader = made.leader("Boss", "A0205")
    assert led.who_stands(made.series, [weak, struck, strong]) == 1
    assert led.replacement_with(made.series, leader, [weak, struck, strong]) == 2
    assert led.recrew_heading(made.series, guns) == HEADING_NAMES.index("E")
    weak.disordered = True
    assert led.joins_continued_shock(made.series, strong, 0) and not led.joins_continued_shock(made.series, weak, 0)


def test_11_46_11_47_it_goes_on_where_the_next_shock_is_best_and_advances_where_fewest_watch(scene, enter):
    made = scene("steady")
    a = made.unit("a", "A0505", "E", orders=ATTACK, strength=8)
    made.unit("weak", "A0704", "E", strength=2, side=1)
    made.unit("strong", "A0708", "W", strength=15, side=1)
    led = enter(made, a)
    near_weak, near_strong = made.hex("A0604"), made.hex("A0608")
    assert led.charge_to(made.series, a, [near_strong, near_weak]) == 1
    assert led.charge_to(made.series, a, [near_weak, near_strong]) == 0
    watched = made.hex("A0608")
    assert led.advance_into(made.series, a, [watched, near_weak]) == 1


def test_11_41_shocks_begin_where_the_chance_is_better(scene, enter):
    """Two regiments side by side, of which one strikes a weak enemy and the other a strong one, either way round."""
    for weak, strong, first in (("A0604", "A0608", True), ("A0608", "A0604", False)):
        made = scene("aggressive")
        a = made.unit("a", "A0504", "E", orders=ATTACK, strength=8)
        b = made.unit("b", "A0508", "E", orders=ATTACK, strength=8)
        made.unit("weak", weak, "E", strength=3, side=1)
        made.unit("strong", strong, "W", strength=18, side=1)
        led = enter(made, a)
        wishes = [Designation([unit], made.series.shock.targets(unit)) for unit in (a, b)]
        made.series.shock.designate(wishes, [a.command])
        assert len(made.series.shock.shocks) == 2
        assert led.from_left(made.series, [a.command]) is first


def test_11_47_it_goes_on_to_meet_the_enemy_whom_it_can_best_beat(scene, enter):
    made = scene("steady")
    a = made.unit("a", "A0505", "E", orders=ATTACK, strength=8)
    made.unit("weak", "A0704", "E", strength=2, side=1)
    made.unit("strong", "A0708", "W", strength=15, side=1)
    led = enter(made, a)
    ways = [Way([made.hex("A0608")], False), Way([made.hex("A0604")], False)]
    assert led.continued_advance(made.series, a, ways) == 1
    assert led.continued_advance(made.series, a, ways[::-1]) == 0


def test_13_43_a_leader_helps_no_rally_while_a_unit_of_his_hex_must_shock(scene, enter):
    made = scene("steady")
    a = made.unit("a", "A0505", "E", orders=ATTACK, strength=4)
    b = made.unit("b", "A0505", "E", orders=ATTACK, strength=3, disordered=True)
    made.unit("d", "A0605", "W", strength=4, side=1)
    leader = made.leader("Boss", "A0505")
    led = enter(made, a)
    assert led.leader_helps_rally(made.series, leader, b)
    a.forced = 1
    assert made.series.shock.must_shock(a)
    assert not led.leader_helps_rally(made.series, leader, b)


def test_5_23_more_markers_go_to_whoever_is_nearest_to_the_enemy(scene, enter):
    made = scene("steady")
    far = made.division("1/U")
    near = made.division("2/U")
    made.unit("far", "A0105", "E", brigade=made.brigade("1/1/U", division=far))
    one = made.unit("near", "A0505", "E", brigade=made.brigade("1/2/U", division=near))
    made.unit("d", "A0805", "W", side=1)
    led = enter(made, one)
    assert led.corps_bonus(made.series, [far, near]) == 1 and led.corps_bonus(made.series, [near, far]) == 0
    assert led.army_bonus(made.series, [near.superior]) == 0
