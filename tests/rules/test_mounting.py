"""Cavalry mounts and dismounts (14.21 to 14.25, 8.11, 8.12, 10.94, 13.53)."""

import pytest

from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    EXTENDED_COLUMN,
    MARCH,
    ROUTED,
)
from simkit.rules.commander import CommanderError
from simkit.rules.firemodifiers import PHASING, PRE_SHOCK, RETURN, WITHDRAWAL

FOOT = {"movement": 6, "movement_disordered": 5, "weapon": "R", "cohesion": 7, "cohesion_disordered": 5}


def troopers(field, edition="dead_of_winter", orders=ADVANCE, mounted=True, enemy="A1210", **more):
    """A field with one cavalry regiment, active, and an enemy."""
    f = field(12, 12)
    a = f.unit(
        "a", "A0404", "NE" if orders == MARCH else "E", kind=CAVALRY, brigade=f.brigade("1/1/U", orders=orders),
        mounted=mounted, dismounted=FOOT, **{"movement": 10, "movement_disordered": 7, **more},
    )
    f.unit("enemy", enemy, "W", side=1)
    f.play(options={"edition": edition})
    f.begin(a)
    return f, a


def allowance(f, unit):
    """Movement points that it has left."""
    return f.series.movement.allowance(unit) // 2


# -- 14.21, 14.22 ------------------------------------------------------------------------------------------------------


def test_14_21_the_counter_in_play_says_weapon_cohesion_and_movement(field):
    f, a = troopers(field)
    assert (a.weapon.code, a.cohesion(), a.movement_allowance()) == ("C", 6, 20)
    f.series.mounting.dismount(a)
    assert a.on_foot() and not a.is_mounted()
    assert (a.weapon.code, a.cohesion(), a.movement_allowance()) == ("R", 7, 12)
    a.disordered = True
    assert (a.cohesion(), a.movement_allowance()) == (5, 10)
    assert [event.kind for event in f.events("mount", "dismount")] == ["dismount"]
    f.battle.reset()
    assert (a.mounted, a.weapon.code, a.remounted) == (True, "C", False)


@pytest.mark.parametrize(
    ("orders", "mounted", "movement", "foot", "left"),
    [
        (ADVANCE, True, 10, 6, 3),  # dismounts: half of 6
        (ADVANCE, True, 10, 7, 4),  # rounded up
        (ATTACK, True, 10, 6, 2),  # 6, 3, 2: halved again, rounded up
        (ATTACK, True, 10, 5, 2),  # 5, 3, 2
        (ADVANCE, False, 10, 6, 5),  # mounts: half of 10
        (ADVANCE, False, 9, 6, 5),
        (ATTACK, False, 10, 6, 3),  # 10, 5, 3
    ],
)
def test_14_22_half_the_allowance_of_the_new_status_and_half_again_under_attack_orders(
    field, orders, mounted, movement, foot, left
):
    f, a = troopers(field, orders=orders, mounted=mounted, movement=movement)
    a.counters[1].movement = foot
    a.show(mounted)
    (f.series.mounting.dismount if mounted else f.series.mounting.mount)(a)
    assert allowance(f, a) == left
    f.begin(a)  # in that activation only
    assert allowance(f, a) == (a.movement_good if orders == ADVANCE else (a.movement_good + 1) // 2)


def test_14_22_owners_are_asked_as_the_activation_begins(field):
    """14.22: and only for what is legal: not for Blown cavalry."""
    f, a = troopers(field)
    f.answers[0]["change_mount"] = [True, True, False]
    for mounted in (False, True, True):
        f.series.activation.brigade([a.command])
        assert a.mounted == mounted
        f.battle.phasing = 0
    assert f.asked[0].count("change_mount") == 3
    assert [event.kind for event in f.events("mount", "dismount")] == ["dismount", "mount"]
    a.blown = a.disordered = True
    f.series.activation.brigade([a.command])
    assert f.asked[0].count("change_mount") == 3


def test_14_22_a_disordered_unit_has_half_of_its_disordered_allowance(field):
    f, a = troopers(field, mounted=False, disordered=True)
    f.series.mounting.mount(a)
    assert allowance(f, a) == 4  # 7 halved, rounded up


def test_14_22_once_and_only_at_the_beginning(field):
    f, a = troopers(field)
    mounting = f.series.mounting
    assert mounting.may_dismount(a)
    assert not mounting.may_mount(a)
    mounting.dismount(a)
    assert not mounting.may_mount(a)
    with pytest.raises(CommanderError, match="may not mount now"):
        mounting.mount(a)
    f.begin(a)
    assert mounting.may_mount(a)
    f.series.movement.search(a)
    f.series.movement.move(a, f.series.movement.reached[0], f.series.movement.reached[0].heading)
    assert not mounting.may_mount(a)
    f.begin(a)
    f.series.facing.turn(a, (a.heading + 2) % 12)
    assert not mounting.may_mount(a)


@pytest.mark.parametrize(
    "flag", ["building", "stands", "finished", "fired", "rallied", "resupplied", "restacked", "retreated"]
)
def test_14_22_6_23_15_13_not_after_something_else_nor_on_a_stand_nor_while_it_builds(field, flag):
    f, a = troopers(field)
    setattr(a, flag, True)
    assert not f.series.mounting.may_dismount(a)


def test_14_22_not_unless_active_nor_confused_nor_driven_by_a_loose_cannon_5_34_6_24(field):
    f, a = troopers(field)
    a.active = False
    assert not f.series.mounting.may_dismount(a)
    a.active = True
    a.command.confused = True
    assert not f.series.mounting.may_dismount(a)
    a.command.confused = False
    a.forced = 1
    assert not f.series.mounting.may_dismount(a)
    a.forced = 0
    assert f.series.mounting.may_dismount(a)


def test_14_22_not_adjacent_to_an_enemy(field):
    f, a = troopers(field, enemy="A0504")
    assert not f.series.mounting.may_dismount(a)
    with pytest.raises(CommanderError, match="may not dismount now"):
        f.series.mounting.dismount(a)


def test_14_22_11_58_blown_cavalry_may_not_dismount(field):
    f, a = troopers(field, disordered=True)
    assert f.series.mounting.may_dismount(a)
    a.blown = True
    assert not f.series.mounting.may_dismount(a)


def test_14_21_neither_infantry_nor_cavalry_of_one_counter(field):
    f = field(8, 8)
    a = f.unit("a", "A0404", kind=CAVALRY)
    b = f.unit("b", "A0404")
    g = f.unit("g", "A0404", kind=ARTILLERY)
    f.unit("enemy", "A0808", side=1)
    f.play()
    f.begin(a)
    for unit in (a, b, g):
        assert not f.series.mounting.may_dismount(unit)
        assert not f.series.mounting.may_mount(unit)


@pytest.mark.parametrize(
    ("edition", "orders", "fires"),
    [
        ("dead_of_winter", ADVANCE, False),
        ("into_the_woods", ADVANCE, False),
        ("gringo", ADVANCE, True),
        ("dead_of_winter", ATTACK, True),
        ("gringo", ATTACK, True),
    ],
)
def test_14_22_under_advance_orders_whoever_dismounts_does_not_fire(field, edition, orders, fires):
    """14.22: only the newer books say so."""
    f, a = troopers(field, edition=edition, orders=orders, enemy="A0604")
    assert f.series.fire.may_fire(a)
    f.series.mounting.dismount(a)
    assert f.series.fire.may_fire(a) == fires
    f.begin(f.battle.units[1])  # nor does it bind an enemy's activation
    assert f.series.fire.able(a)


def test_14_22_who_mounts_takes_no_rally_action_13_4(field):
    f, a = troopers(field, disordered=True)
    assert f.series.effectiveness.may_rally(a)
    f.series.mounting.dismount(a)
    assert not f.series.effectiveness.may_rally(a)


def test_13_45_mounting_leaves_a_brigade_idle(field):
    f, a = troopers(field)
    f.series.mounting.dismount(a)
    f.series.activation._end([a.command])
    assert not a.turn_acted


def test_14_22_a_search_made_before_does_not_serve_after(field):
    f, a = troopers(field)
    f.series.movement.search(a)
    node = next(node for node in f.series.movement.reached if node.cost > 12)
    f.series.mounting.dismount(a)
    with pytest.raises(CommanderError, match="call search for it"):
        f.series.movement.move(a, node, node.heading)
    f.series.movement.search(a)
    assert max(node.cost for node in f.series.movement.reached) <= 6


def test_14_22_dismounted_cavalry_moves_as_infantry_9_14_14_23(field):
    f, a = troopers(field)
    f.ground("woods", "A0504", "A0505")
    assert f.series.movement.mover(a) == 1
    f.series.mounting.dismount(a)
    assert f.series.movement.mover(a) == 0


# -- stacking, formations, orders --------------------------------------------------------------------------------------


def stacked(field, edition="dead_of_winter", first=5, second=5, orders=ADVANCE):
    """Two dismounted regiments in a hex."""
    f = field(12, 12)
    brigade = f.brigade("1/1/U", orders=orders)
    a, b = (
        f.unit(name, "A0404", "E", kind=CAVALRY, strength=points, mounted=False, dismounted=FOOT, brigade=brigade)
        for name, points in (("a", first), ("b", second))
    )
    f.unit("enemy", "A0606", "W", side=1)
    f.play(options={"edition": edition})
    f.begin(a)
    return f, a, b


@pytest.mark.parametrize(
    ("edition", "second", "offered"),
    [("dead_of_winter", 5, True), ("into_the_woods", 5, True), ("gringo", 5, False), ("gringo", 2, True)],
)
def test_8_11_mounting_may_break_the_stacking_limits_until_the_move(field, edition, second, offered):
    """8.11: ten points on foot may share a hex, seven mounted; Gringo! knows no exception for mounting."""
    f, a, _ = stacked(field, edition=edition, second=second)
    assert f.series.mounting.may_mount(a) == offered
    assert not a.mounted


def test_8_11_both_mount_and_one_moves_off(field):
    f, a, b = stacked(field)
    f.series.mounting.mount(a)
    f.series.mounting.mount(b)
    f.series.movement.search(b)
    node = f.series.movement.reached[0]
    f.series.movement.move(b, node, node.heading)
    f.series.mounting.close()
    assert a.mounted and b.mounted
    assert a.hex is not b.hex


def test_8_11_who_does_not_move_off_stays_on_foot(field):
    f, a, b = stacked(field)
    f.series.mounting.mount(a)
    f.series.mounting.mount(b)
    f.series.mounting.close()
    assert not a.mounted and not b.mounted  # one mounted among ten points is over the limit of seven still
    assert [event.mode for event in f.events("dismount")] == ["over the stacking limits"] * 2
    f, a, b = stacked(field, first=4, second=3)
    f.series.mounting.mount(a)
    f.series.mounting.mount(b)
    f.series.mounting.close()
    assert a.mounted and b.mounted


def test_8_11_over_the_limits_nobody_fires(field):
    f, a, _ = stacked(field, orders=ATTACK)
    assert f.series.fire.may_fire(a)
    f.series.mounting.mount(a)
    assert not f.series.fire.may_fire(a)


def test_8_11_an_activation_ends_the_exception(field):
    """Through a whole brigade activation: act mounts both, nobody moves."""
    f, a, b = stacked(field)

    def act(series, brigades):
        series.mounting.mount(a)
        series.mounting.mount(b)

    f.answers[0]["act"] = [act]
    f.series.activation.brigade([a.command])
    assert not a.mounted and not b.mounted


def test_14_22_8_5_a_column_may_not_dismount(field):
    f, a = troopers(field, strength=6)
    f.battle.add_part(a, f.hex("A0304"), 0, EXTENDED_COLUMN)
    assert not f.series.mounting.may_dismount(a)


@pytest.mark.parametrize(("edition", "may"), [("dead_of_winter", False), ("into_the_woods", False), ("gringo", True)])
def test_8_12_on_the_march_only_gringo_lets_cavalry_dismount(field, edition, may):
    f, a = troopers(field, edition=edition, orders=MARCH, strength=4)
    assert f.series.mounting.may_dismount(a) == may
    if may:
        a.equivalents = 4
        f.series.mounting.dismount(a)
        assert allowance(f, a) == 21  # one of four activations' worth of 6 is halved


@pytest.mark.parametrize(("edition", "marches"), [("dead_of_winter", False), ("gringo", True)])
def test_8_12_dismounted_cavalry_does_not_take_up_march_orders(field, edition, marches):
    f, a = troopers(field, edition=edition, mounted=False)
    assert f.series.orders.may_march(a.command) == marches
    f.series.orders.give(a, MARCH)
    assert (a.orders == MARCH) == marches
    a.command.orders = MARCH
    f.series.orders.catch_up(a.command)
    assert (a.orders == MARCH) == marches


def test_14_21_6_17_the_owner_sets_up_mounted_or_not(field):
    f, a = troopers(field)
    with pytest.raises(CommanderError, match="on deploying"):
        f.series.mounting.set_up(a, False)
    f.series.orders.open_deployment(0)
    f.series.mounting.set_up(a, False)
    assert a.on_foot() and not a.remounted
    f.series.mounting.set_up(a, True)
    f.series.orders.assign(a.command, MARCH)
    with pytest.raises(CommanderError, match="March Orders"):
        f.series.mounting.set_up(a, False)
    f.series.orders.close()
    f, a, _ = stacked(field)
    f.series.orders.open_deployment(0)
    with pytest.raises(CommanderError, match="stacking limits"):
        f.series.mounting.set_up(a, True)


def test_10_94_mounting_fills_up_the_ammunition(field):
    f, a = troopers(field, mounted=False)
    a.ammo = 2
    f.series.mounting.mount(a)
    assert a.ammo == 0
    assert [event.kind for event in f.events("mount", "resupply")] == ["mount", "resupply"]


def test_10_94_dismounting_brings_no_ammunition(field):
    f, a = troopers(field)
    a.ammo = 1
    f.series.mounting.dismount(a)
    assert a.ammo == 1


def test_13_53_recovered_cavalry_is_mounted_13_52(field):
    f, a = troopers(field, mounted=False, cohesion_disordered=4)
    a.disordered = True
    f.battle.remove(a, ROUTED)
    assert a.cohesion() == 5
    f.series.mounting.remount(a)
    assert a.mounted and a.cohesion() == 4
    assert not a.remounted


# -- 14.24 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("target", "far"), [("A0504", False), ("A0604", False), ("A0704", True), ("A0804", True)])
def test_14_24_phasing_mounted_cavalry_fires_at_two_hexes_at_most(field, target, far):
    """14.24: at most two hexes when phasing; return fire is not bound by that, nor are dismounted units."""
    f, a = troopers(field, enemy=target, weapon="R")
    place = f.hex(target)
    assert f.series.fire.bears_on(a, place, PHASING) != far
    assert (place in f.series.fire.targets(a)) != far
    assert f.series.fire.bears_on(a, place, RETURN)
    if target != "A0504":
        f.series.mounting.dismount(a)
        assert f.series.fire.bears_on(a, place, PHASING)


def drms(f, unit, target, mode):
    f.series.fire.modifier(unit, unit.hex, target.parts[0], mode, False)
    return {
        name: getattr(f.series.fire.drms, name) for name in ("at_mounted", "by_mounted")
        if getattr(f.series.fire.drms, name)
    }


def test_14_24_mounted_firers_and_targets(field):
    """14.24: -1 for mounted firers, +1 at non-phasing mounted cavalry; neither for the dismounted."""
    f, a = troopers(field, enemy="A0504")
    enemy = f.battle.units[1]
    assert drms(f, a, enemy, PHASING) == {"by_mounted": -1}
    assert drms(f, enemy, a, RETURN) == {}
    for mode in (RETURN, WITHDRAWAL, PRE_SHOCK):
        f.begin(enemy)
        assert drms(f, a, enemy, mode) == {"by_mounted": -1}
    assert drms(f, enemy, a, PHASING) == {"at_mounted": 1}
    a.show(False)
    assert drms(f, enemy, a, PHASING) == {}
    assert drms(f, a, enemy, RETURN) == {}


@pytest.mark.parametrize(("edition", "shell"), [("gringo", {}), ("into_the_woods", {"at_mounted": 1})])
def test_14_24_at_mounted_cavalry_shot_and_shell_only_in_the_newer_books(field, edition, shell):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", kind=CAVALRY)
    g = f.unit("g", "A0904", "W", kind=ARTILLERY, side=1)
    near = f.unit("h", "A0604", "W", kind=ARTILLERY, side=1)
    f.play(options={"edition": edition})
    f.begin(g)
    assert drms(f, g, a, PHASING) == shell
    assert drms(f, near, a, PHASING) == {"at_mounted": 1}  # canister is resolved as small arms (10.67)


def test_14_24_not_while_charging(field):
    f, a = troopers(field, orders=ATTACK, enemy="A0604")
    assert f.series.fire.may_fire(a)
    a.charging = True
    assert not f.series.fire.may_fire(a)


@pytest.mark.parametrize(("mounted", "drm"), [(True, 0), (False, -1)])
def test_14_23_14_1_green_men_on_foot_fire_worse(field, mounted, drm):
    """14.23, 10.81: what it says of green infantry holds for dismounted cavalry too."""
    f, a = troopers(field, enemy="A0504", mounted=mounted, green=True)
    f.series.fire.modifier(a, a.hex, f.battle.units[1].parts[0], PHASING, False)
    assert f.series.fire.drms.green == drm


# -- 14.25 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "counts"), [(1, 1), (3, 3), (4, 3), (7, 6), (8, 6), (9, 7), (11, 9), (12, 9), (15, 12)]
)
def test_14_25_example_one_point_of_four_holds_the_horses(field, strength, counts):
    """14.25 EXAMPLES, dead-of-winter:2057, gringo:1939: 4 and 7 points lose one, 8 two; mounted they count in full."""
    f, a = troopers(field, strength=strength, mounted=False)
    assert a.fighting() == a.parts[0].fighting() == counts
    assert f.series.stacking.firing_limit(a) == min(counts, 7)  # 8.31
    assert f.series.shock.stack_strength(a.hex) == 2 * counts
    assert f.series.stacking.target_strength(a.hex) == strength  # 8.34 counts all
    a.show(True)
    assert a.fighting() == strength
    assert f.series.stacking.firing_limit(a) == min(strength, 4)
    assert f.series.shock.stack_strength(a.hex) == 2 * strength


def test_14_25_8_31_horse_holders_take_up_no_frontage(field):
    """8.31, 8.33: of seven points that fire from a hex the upper five-point regiment takes four, the lower three."""
    f, a, b = stacked(field)
    assert [f.series.stacking.firing_limit(unit) for unit in (a, b)] == [4, 3]


def test_14_25_8_31_beneath_guns(field):
    """8.31: guns above dismounted cavalry and it together fire seven points."""
    f = field(8, 8)
    g = f.unit("g", "A0404", kind=ARTILLERY, strength=4)
    a = f.unit("a", "A0404", kind=CAVALRY, strength=8, mounted=False)
    f.unit("enemy", "A0808", side=1)
    f.play()
    assert (f.series.stacking.firing_limit(g), f.series.stacking.firing_limit(a)) == (4, 3)
    a.strength = 3
    assert f.series.stacking.firing_limit(a) == 3


def test_14_25_the_fire_table_is_read_with_those_who_fight(field):
    f, a = troopers(field, strength=8, enemy="A0504", mounted=False)
    enemy = f.battle.units[1]
    f.roll(("fire", 3), ("fire", 3), ("cohesion", 0), ("cohesion", 0))
    f.series.fire.phasing(a, [enemy.hex], False)
    assert f.events("fire")[0].sp == 6
