"""Chapter 10: fire combat: who fires at what with how much, modifiers, return and other non-phasing fire, artillery."""

from fractions import Fraction

import pytest

from simkit.model.battle import DAWN, DUSK
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    ELIMINATED,
    INFANTRY,
    MARCH,
    NOT_ENTERED,
    ON_MAP,
    ROUTED,
)
from simkit.model.hexgrid import opposite
from simkit.model.terrain import ByClass, HexsideTerrain
from simkit.rules.commander import CommanderError
from simkit.rules.dice import EnumeratingTape, ScriptedDice
from simkit.rules.firemodifiers import APPROACH, PHASING, PRE_SHOCK, RETURN, WITHDRAWAL
from simkit.rules.shockinprogress import Attacker, ShockInProgress

# On these maps A0303 facing E has A0403 and A0404 in front; A0403 facing W has A0302 and A0303, and A0404 has A0303
# and A0304.


def face(f, points, drm, *texts, shell=False):
    """A face of the die that gives one of these results to a fire of so many points, without a 5 if it can."""
    table = f.charts.artillery_table if shell else f.charts.fire_table
    for die in (9, 8, 7, 6, 4, 3, 2, 1, 0, 5):
        if table.result(points, die + drm).text in texts:
            return ("fire", die)
    raise AssertionError(f"no face gives {texts} to {points} SP at {drm:+d}")


def nothing(f, points, drm=0):
    return face(f, points, drm, "-")


def duel(field, mine=5, theirs=5, **more):
    """Two regiments face to face, the first one phasing."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=mine, **more)
    b = f.unit("B", "A0403", "W", strength=theirs, side=1)
    return f, a, b


def no_return(f, side=1):
    f.answers[side]["return_fire"] = [0] * 9


def left(f, unit, mode):
    """What a unit has kept of a fire of this kind; -1 if it has not fired so."""
    return f.series.fire.left(unit.parts[0], mode)


def fires(f):
    return [(event.unit, event.mode, event.sp) for event in f.events("fire")]


# -- how much fires ----------------------------------------------------------------------------------------------------


def limits(field, *stack):
    f = field(6, 6)
    units = [f.unit(f"U{at}", "A0303", "E", strength=sp, kind=kind) for at, (sp, kind) in enumerate(stack)]
    f.play()
    f.begin(units[0])
    return f, units, [f.series.fire.available(unit, PHASING) for unit in units]


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ([(5, 0), (9, 0)], [5, 2]),
        ([(6, ARTILLERY), (7, 0)], [6, 1]),
        ([(10, 0)], [7]),
        ([(6, CAVALRY)], [4]),
        ([(8, ARTILLERY), (7, 0)], [8, 0]),
        ([(8, ARTILLERY), (8, ARTILLERY)], [8, 4]),
        ([(5, 0), (6, ARTILLERY)], [5, 0]),
    ],
)
def test_fire_frontage_8_31_8_33(field, stack, expected):
    """8.33 EXAMPLES (dead-of-winter:802, dead-of-winter:804, dead-of-winter:805), 8.31: the topmost points fire."""
    assert limits(field, *stack)[2] == expected


def test_a_unit_on_top_that_rallies_still_takes_up_the_frontage_8_33(field):
    """8.33 EXAMPLE (dead-of-winter:806): beneath a 5-SP unit that rallies at most 2 SP fire."""
    f, units, before = limits(field, (5, 0), (9, 0))
    units[0].disordered = True
    units[0].rallied = True
    assert f.series.fire.available(units[1], PHASING) == before[1] == 2


def test_the_limit_of_a_hex_outlives_its_losses_8_31(field):
    """8.31: what has been fired from the hex counts while any of its stack remains; once all are gone it does not."""
    f, (top, low), _ = limits(field, (3, 0), (9, 0))
    fire = f.series.fire
    fire.use_frontage(top.parts[0], PHASING, 0, 3)
    f.series.results.lose(top, 3, 0)
    assert fire.available(low, PHASING) == 4
    f.battle.lift(low)
    fresh = f.unit("fresh", "A0303", strength=6)
    assert fire.available(fresh, PHASING) == 6


@pytest.mark.parametrize("above", [(6, ARTILLERY), (5, 0)])
def test_horse_beneath_guns_or_foot_shares_their_limit_of_7_8_31(field, above):
    """8.31: what those above have fired leaves mounted cavalry its share of 7, up to 4, before and after their fire."""
    f, (top, horse), before = limits(field, above, (6, CAVALRY))
    assert before[1] == 7 - above[0]
    f.series.fire.use_frontage(top.parts[0], PHASING, 0, above[0])
    assert f.series.fire.available(horse, PHASING) == before[1]


# -- splitting ---------------------------------------------------------------------------------------------------------


def split_field(field, points=5):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=points, orders=ATTACK)
    b = f.unit("B", "A0403", "W", side=1)
    c = f.unit("C", "A0404", "W", side=1)
    return f, a, b, c


@pytest.mark.parametrize(("order", "shares"), [("b", [5]), ("c", [5]), ("bc", [3, 2]), ("cb", [3, 2])])
def test_phasing_fire_splits_evenly_10_15(field, order, shares):
    """10.15 EXAMPLE #1 (dead-of-winter:1158, gringo:1087): 5 SP fire all at one hex, or 3 and 2; nothing else."""
    f, a, b, c = split_field(field)
    f.play([nothing(f, 5, 1)] * len(shares))
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [{"b": b, "c": c}[letter].hex for letter in order], False)
    assert [event.sp for event in f.events("fire")] == shares
    assert [event.target for event in f.events("fire")] == [f"c/{letter}" for letter in order]


@pytest.mark.parametrize("order", ["bb", "bcb", "", "bd"])
def test_no_other_split_10_15(field, order):
    f, a, b, c = split_field(field)
    d = f.unit("D", "A0503", "W", side=1)
    f.play()
    f.begin(a)
    with pytest.raises(CommanderError):
        f.series.fire.phasing(a, [{"b": b, "c": c, "d": d}[letter].hex for letter in order], False)
    assert not a.fired


def test_a_single_point_cannot_split_10_15(field):
    f, a, b, c = split_field(field, points=1)
    f.play()
    f.begin(a)
    with pytest.raises(CommanderError, match="takes two to split"):
        f.series.fire.phasing(a, [b.hex, c.hex], False)


@pytest.mark.parametrize("first", [3, 2, 1])
def test_return_fire_in_two_parts_10_15(field, first):
    """10.15 EXAMPLE #2 (dead-of-winter:1160, gringo:1089): 3 SP return all, or 1 or 2 and the rest later."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "E")
    b = f.unit("B", "A0303", "E")
    d = f.unit("D", "A0403", "W", strength=3, side=1)
    f.play([("fire", 0)] * 4)
    f.begin(a)
    f.answers[1]["return_fire"] = [first, 3 - first]
    f.series.fire.phasing(a, [d.hex], False)
    assert left(f, d, RETURN) == 3 - first
    f.series.fire.phasing(b, [d.hex], False)
    assert [sp for unit, mode, sp in fires(f) if mode == "return"] == [sp for sp in (first, 3 - first) if sp]
    assert left(f, d, RETURN) == 0


def test_reserved_points_shrink_with_the_unit_10_15(field):
    """10.15 EXAMPLE #2 (dead-of-winter:1160, gringo:1089): 1 of 3 SP answer, 2 are reserved, and 1 is left to fire.

    The fire that it answers is rapid and costs it a step with each shot.
    """
    f = field(8, 8)
    guns = f.unit("Bty", "A0302", "E", strength=4, kind=ARTILLERY, weapon="N")
    b = f.unit("B", "A0303", "E", strength=5)
    d = f.unit("D", "A0403", "W", strength=3, side=1)
    step = face(f, 4, 2, "1d+2")
    f.play([step, step, ("fire", 0), ("cohesion", 0), ("cohesion", 0), ("fire", 0), ("fire", 0)])
    f.begin(guns)
    f.answers[1]["return_fire"] = [1]
    f.series.fire.phasing(guns, [d.hex], True)
    assert (d.strength, left(f, d, RETURN)) == (1, 2)
    assert f.series.fire.most(d.parts[0], guns.hex, RETURN) == 0  # never twice at one hex
    f.series.fire.phasing(b, [d.hex], False)
    assert [(mode, sp) for unit, mode, sp in fires(f) if unit == d.id] == [("return", 1), ("return", 1)]
    assert left(f, d, RETURN) == 0 and f.dice.used_up()


def test_no_uneven_return_fire_10_15(field):
    f, a, b = duel(field, theirs=7)
    f.play([("fire", 0)])
    f.begin(a)
    f.answers[1]["return_fire"] = [2]
    with pytest.raises(CommanderError, match=r"\.return_fire: answered 2 for c/b; right would be 0, 3, 4 or 7"):
        f.series.fire.phasing(a, [b.hex], False)


# -- range, arc, sight -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weapon", "reach"), [("R", 5), ("M", 2)])
def test_maximum_and_prepared_range_10_16(field, weapon, reach):
    """10.16 EXAMPLE (dead-of-winter:1164): R fires to 5 hexes, M to 2, both prepared at one hex only."""
    f = field(12, 12)
    a = f.unit("A", "A0206", "E", weapon=weapon)
    enemies = [f.unit(f"E{at}", f"A{2 + at:02d}06", "W", side=1) for at in (2, 4, 6, 8)]
    f.play()
    f.begin(a)
    for enemy in enemies:
        f.battle.lift(enemy)
    for distance in range(1, 8):
        enemy = enemies[0]
        place = next(
            place for place in f.map.hexes
            if place.distance_to(a.hex) == distance and f.series.facing.in_arc(a, place)
        )
        f.battle.stand(enemy, place, True)
        assert (place in f.series.fire.targets(a)) == (distance <= reach)
        if distance <= reach:
            assert f.series.fire.prepared(a, distance, PHASING, True) == (distance == 1)
        f.battle.lift(enemy)


def test_only_through_the_front_10_16(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    ahead = f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0302", "E", side=1)
    f.unit("D", "A0203", "E", side=1)
    f.play()
    f.begin(a)
    assert f.series.fire.targets(a) == [ahead.hex]


def test_woods_in_the_way_10_22(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    f.unit("B", "A0503", "W", side=1)
    f.ground("woods", "A0403", "A0404")
    f.play()
    f.begin(a)
    assert f.series.fire.targets(a) == []


@pytest.mark.parametrize(
    "state", ["march", "moved", "restacked", "turned", "rallied", "fired", "no ammunition", "withdrew"]
)
def test_who_may_not_fire_10_33(field, state):
    """10.31-10.33, 8.24, 9.54, 13.4: once, and under Advance Orders instead of anything else."""
    f, a, b = duel(field)
    f.play()
    f.begin(a)
    assert f.series.fire.may_fire(a) and f.series.fire.targets(a) == [b.hex]
    if state == "march":
        a.orders = MARCH
    elif state == "moved":
        a.moved, a.spent = True, 2
    elif state == "restacked":
        a.restacked = True
    elif state == "turned":
        a.faced = 2
    elif state == "rallied":
        a.rallied = True
    elif state == "fired":
        a.fired = True
    elif state == "withdrew":
        a.withdrew = True
    else:
        a.ammo = 2
    assert not f.series.fire.may_fire(a)
    with pytest.raises(CommanderError, match="may not fire now"):
        f.series.fire.phasing(a, [b.hex], False)


def test_attack_orders_fire_after_moving_10_32(field):
    f, a, _ = duel(field, orders=ATTACK)
    f.play()
    f.begin(a)
    a.moved, a.spent, a.restacked = True, 4, True
    assert f.series.fire.may_fire(a)


def test_only_the_active_side_uses_phasing_fire_10_3(field):
    f, a, b = duel(field)
    f.play()
    f.begin(a)
    assert not f.series.fire.may_fire(b)


# -- die roll modifiers (10.81) ----------------------------------------------------------------------------------------


def drm(f, unit, victim, mode=PHASING, standing=True):
    """The DRMs of a fire by name."""
    total = f.series.fire.modifier(unit, unit.hex, victim.parts[0], mode, standing)
    named = {}
    for word in f.series.fire.drms.text().split(", "):
        if word:
            name, value = word.rsplit(" ", 1)
            named[name] = int(value)
    assert total == sum(named.values())
    return named


def test_prepared_fire_10_52(field):
    """10.51-10.53: standing infantry in Good Order at its prepared range, and whoever answers on foot."""
    f, a, b = duel(field, orders=ATTACK)
    f.play()
    f.begin(a)
    assert drm(f, a, b) == {"prepared": 1}
    assert drm(f, a, b, standing=False) == {}
    assert drm(f, b, a, RETURN) == {"prepared": 1}
    b.restacked = True
    assert drm(f, b, a, RETURN) == {}
    a.moved = True
    assert drm(f, a, b) == {}


def test_dismounted_cavalry_is_prepared_only_in_answer_10_52(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", kind=CAVALRY, mounted=False)
    b = f.unit("B", "A0403", "W", side=1)
    f.play()
    f.begin(a)
    assert drm(f, a, b) == {}
    f.begin(b)
    assert drm(f, a, b, RETURN) == {"prepared": 1}


@pytest.mark.parametrize(
    ("kind", "moved", "active", "expected"),
    [
        (INFANTRY, False, True, {"prepared": 1}),
        (INFANTRY, True, True, {}),
        (CAVALRY, False, True, {}),
        (CAVALRY, False, False, {"prepared": 1}),
    ],
)
def test_phasing_units_before_a_continued_shock_are_prepared_as_phasing_units_10_52(
    field, kind, moved, active, expected
):
    """10.52, 10.43: an active unit that defends against a continued shock has the bonus only if it has not moved."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", kind=kind, mounted=False)
    other = f.unit("other", "A0306", "E", brigade=f.brigade("2/1/U"))
    b = f.unit("B", "A0403", "W", side=1)
    f.play()
    f.begin(a if active else other)
    a.moved = moved
    assert drm(f, a, b, PRE_SHOCK) == expected


@pytest.mark.parametrize("flag", ["advanced", "retreated"])
def test_no_prepared_fire_after_advance_or_retreat_10_52(field, flag):
    f, a, b = duel(field)
    f.play()
    f.begin(a)
    setattr(b, flag, True)
    assert drm(f, b, a, RETURN) == {}


def test_disordered_green_and_mounted_firers_10_81(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", disordered=True)
    g = f.unit("G", "A0303", "E", green=True, brigade=f.brigade("1/1/U"))
    c = f.unit("C", "A0305", "E", kind=CAVALRY)
    b = f.unit("B", "A0403", "W", side=1)
    d = f.unit("D", "A0405", "W", side=1)
    f.play()
    f.begin(a)
    assert drm(f, a, b) == {"disordered": -1}
    assert drm(f, g, b) == {"prepared": 1, "green": -1}
    assert drm(f, c, d) == {"by mounted": -1}


def test_only_non_phasing_mounted_targets_are_easier_10_81(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    b = f.unit("B", "A0403", "W", side=1, kind=CAVALRY)
    f.play()
    f.begin(a)
    assert drm(f, a, b)["at mounted"] == 1
    f.begin(b)
    assert "at mounted" not in drm(f, a, b, RETURN)
    b.mounted = False
    f.begin(a)
    assert "at mounted" not in drm(f, a, b)


@pytest.mark.parametrize(("heading", "value"), [("W", 0), ("NNW", 1), ("SSE", 1), ("NNE", 0), ("E", 0)])
def test_flanking_fire_10_81(field, heading, value):
    """10.81: +1 through a flank hexside; none through front or rear, nor at March Orders or with shell."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    b = f.unit("B", "A0403", heading, side=1)
    f.play()
    f.begin(a)
    expected = {"prepared": 1, "flank": 1} if value else {"prepared": 1}
    zone = f.series.facing.zone_of(b, a.hex)
    assert (zone == 1) == bool(value)
    assert drm(f, a, b) == expected


def test_no_flank_in_march_orders_10_81(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    b = f.unit("B", "A0403", "N", side=1, orders=MARCH)
    f.play()
    f.begin(a)
    assert drm(f, a, b) == {"prepared": 1}


def test_terrain_and_slopes_10_81(field):
    """10.81: the target's hex and the hexside into it; slopes only from below, by the levels of both at a distance."""
    f = field(10, 8)
    a = f.unit("A", "A0303", "E")
    b = f.unit("B", "A0403", "W", side=1)
    c = f.unit("C", "A0503", "W", side=1)
    f.ground("cedars", "A0403")
    f.hexside("steep_slope", "A0303", "A0403")
    f.hexside("steep_slope", "A0403", "A0503")
    f.level(2, "A0403")
    f.play()
    f.begin(a)
    assert drm(f, a, b) == {"terrain": -3, "prepared": 1}
    assert f.series.fire.terrain(b.hex, a.hex, False) == 0
    assert f.series.fire.terrain(f.hex("A0603"), c.hex, False) == 0
    f.level(3, "A0503")
    # the line from A0303 runs between A0403 and A0404 into A0503 by a vertex: the side with the slope counts,
    # and three levels count as a sheer slope
    assert f.series.fire.terrain(a.hex, c.hex, False) == -1


def test_range_10_81(field):
    f = field(10, 8)
    a = f.unit("A", "A0303", "E")
    c = f.unit("C", "A0503", "W", side=1)
    f.play()
    f.begin(a)
    assert drm(f, a, c) == {"range": -1}


def guns(field, distance=5, target=5, **more):
    """A battery and a target at a distance along a column of hexes in a straight line."""
    f = field(16, 16)
    g = f.unit("Bty", "A0208", "E", strength=6, kind=ARTILLERY, weapon="R3", **more)
    place = next(
        place.id for place in f.map.hexes if place.distance_to(g_hex(f)) == distance and place.column == 2 + distance
    )
    b = f.unit("B", place, "W", strength=target, side=1)
    return f, g, b


def g_hex(f):
    return f.hex("A0208")


@pytest.mark.parametrize(("points", "expected"), [(8, {"massed": 1}), (7, {}), (3, {}), (2, {"dispersed": -1})])
def test_massed_and_dispersed_targets_8_34(field, points, expected):
    f, g, b = guns(field, 5, points)
    f.play()
    f.begin(g)
    assert drm(f, g, b) == expected


def test_guns_alone_are_neither_massed_nor_dispersed_8_34(field):
    f, g, b = guns(field, 5)
    battery = f.unit("their guns", "A0304", "W", strength=2, kind=ARTILLERY, side=1)
    f.play()
    f.begin(g)
    assert f.series.fire.density(battery.hex) == 0
    assert f.series.fire.density(b.hex) == 0


def test_no_density_or_flank_at_canister_range_8_34(field):
    f, g, b = guns(field, 3, 9)
    f.play()
    f.begin(g)
    assert "massed" not in drm(f, g, b)


@pytest.mark.parametrize(
    ("mine", "theirs", "distance", "expected"), [(2, 1, 5, 1), (1, 1, 5, 0), (1, 2, 5, 0), (2, 1, 3, 0)]
)
def test_high_ground_10_67(field, mine, theirs, distance, expected):
    f, g, b = guns(field, distance)
    f.level(mine, g.hex.id)
    f.level(theirs, b.hex.id)
    f.play()
    f.begin(g)
    assert drm(f, g, b).get("high ground", 0) == expected


def test_10_67_high_ground_does_not_add_to_what_the_chart_gives_for_downhill_fire(field):
    """10.67: +1 for guns that fire downhill at four hexes or more, or that of a hexside of the chart, not both."""
    for bonus, expected in ((0, 1), (1, 0)):
        f, g, b = guns(field)
        f.level(2, g.hex.id)
        brink = HexsideTerrain("brink", ByClass(0, 0, 0, 0), ByClass(0, 0, 0, 0), 0, bonus, 0, False, False, False)
        for side in b.hex.sides:
            side.to.sides[opposite(side.direction)].features.append(brink)
        f.play()
        f.begin(g)
        found = drm(f, g, b)
        assert found.get("high ground", 0) == expected and found.get("terrain", 0) == bonus


def test_guns_that_move_10_61(field):
    f, g, b = guns(field)
    f.play()
    f.begin(g)
    assert drm(f, g, b, standing=False) == {"guns moved": -2}
    g.faced = 1
    assert drm(f, g, b) == {}
    g.moved = True
    assert drm(f, g, b) == {"guns moved": -2}
    assert drm(f, g, b, APPROACH) == {}


def test_guns_that_came_to_the_top_10_61(field):
    f, g, b = guns(field)
    f.play()
    f.begin(g)
    g.under_others = True
    assert drm(f, g, b) == {"guns moved": -2}
    assert drm(f, g, b, RETURN) == {"guns moved": -2}


@pytest.mark.parametrize("mode", [PHASING, RETURN])
def test_10_61_guns_that_came_to_the_top_do_not_fire_rapidly(field, mode):
    """10.61: phasing or not, who began the activation beneath others and lies on top now."""
    f, g, b = rapid(field)
    assert f.series.fire.may_rapid(g, b.hex, mode, True)
    g.under_others = True
    assert not f.series.fire.may_rapid(g, b.hex, mode, True)


def test_low_ammunition_and_light_10_69(field):
    f, g, b = guns(field)
    f.play()
    f.begin(g)
    g.ammo = 1
    assert drm(f, g, b) == {"low ammo": -2}
    g.ammo = 0
    for light in (DAWN, DUSK):
        f.battle.turns[0].light = light
        assert drm(f, g, b) == {"dawn or dusk": -2}


def test_adjacent_guns_across_two_levels_10_67(field):
    """10.67: no fire at an adjacent hex two levels off, but before shock at -2."""
    f, g, b = guns(field, 1)
    f.level(2, b.hex.id)
    f.play()
    f.begin(g)
    assert f.series.fire.targets(g) == []
    assert f.series.fire.bears_on(g, b.hex, PRE_SHOCK)
    assert drm(f, g, b, PRE_SHOCK)["steep"] == -2


# -- return fire -------------------------------------------------------------------------------------------------------


def test_return_fire_is_declared_and_rolled_before_results_10_42(field):
    """10.42 EXAMPLE #1 (dead-of-winter:1271, gringo:1193): each fire with its return fire; the stack's 7 SP in all."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "E", strength=6)
    b = f.unit("B", "A0303", "E", strength=6)
    top = f.unit("top", "A0403", "W", strength=5, side=1)
    low = f.unit("low", "A0403", "W", strength=5, side=1)
    f.play([face(f, 6, 1, "1D"), nothing(f, 5, 1), ("fire", 0), ("cohesion", 0), nothing(f, 6, 1)])
    f.begin(a)
    f.series.fire.phasing(a, [top.hex], False)
    order = [event.kind for event in f.log.events]
    assert order[:3] == ["fire", "fire", "fire"] and "loss" in order[3:]
    assert fires(f) == [("u/a", "phasing", 6), ("c/top", "return", 5), ("c/low", "return", 2)]
    f.series.fire.phasing(b, [top.hex], False)  # both have used up what they had
    assert fires(f)[3:] == [("u/b", "phasing", 6)]
    assert f.dice.used_up() and left(f, low, RETURN) == 0


def test_points_held_back_answer_a_second_fire_10_42(field):
    """10.42 EXAMPLE #1: firepower held back answers the next phasing fire, from another hex."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "E", strength=4)
    b = f.unit("B", "A0303", "E", strength=4)
    d = f.unit("D", "A0403", "W", strength=6, side=1)
    f.play([("fire", 0)] * 4)
    f.begin(a)
    f.answers[1]["return_fire"] = [3, 3]
    f.series.fire.phasing(a, [d.hex], False)
    f.series.fire.phasing(b, [d.hex], False)
    assert fires(f) == [("u/a", "phasing", 4), ("c/d", "return", 3), ("u/b", "phasing", 4), ("c/d", "return", 3)]


def test_a_stack_fires_one_unit_after_the_other_10_42(field):
    """10.42 EXAMPLE #2 (dead-of-winter:1273, gringo:1168): of 3, 3, 5 and 4 SP fire 3, 3, 1 and none.

    Each fire is resolved with the return fire that it triggers before the next is announced, at the same target or
    another.
    """
    f = field(8, 8)
    stack = [f.unit(f"U{at}", "A0303", "E", strength=sp) for at, sp in enumerate((3, 3, 5, 4))]
    b = f.unit("B", "A0403", "W", strength=6, side=1)
    c = f.unit("C", "A0404", "W", strength=5, side=1)
    f.play([("fire", 0), ("fire", 0), ("fire", 0), face(f, 5, 1, "d"), ("cohesion", 0), ("fire", 0)])
    f.begin(stack[0])
    assert [f.series.fire.available(unit, PHASING) for unit in stack] == [3, 3, 1, 0]
    f.answers[1]["return_fire"] = [6, 0, 5]  # B answers the first fire, C waits for its own
    f.series.fire.phasing(stack[0], [b.hex], False)
    f.series.fire.phasing(stack[1], [c.hex], False)
    f.series.fire.phasing(stack[2], [b.hex], False)
    assert not f.series.fire.may_fire(stack[3])
    with pytest.raises(CommanderError, match="may not fire now"):
        f.series.fire.phasing(stack[3], [b.hex], False)
    assert fires(f) == [
        ("u/u0", "phasing", 3), ("c/b", "return", 6), ("u/u1", "phasing", 3), ("c/c", "return", 5),
        ("u/u2", "phasing", 1),
    ]
    told = [event.kind for event in f.events("fire", "udd")]
    # the result on the top unit is applied before the third fire
    assert told == ["fire", "fire", "fire", "fire", "udd", "fire"]
    assert f.dice.used_up()


def example_three(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1)
    low = f.unit("low", "A0303", "E", strength=4, disordered=True, cohesion=6)
    top = f.unit("top", "A0403", "W", strength=4, side=1)
    bottom = f.unit("bottom", "A0403", "W", strength=3, side=1)
    return f, a, low, top, bottom


def test_results_in_the_order_rolled_10_42(field):
    """10.42 EXAMPLE #3 (dead-of-winter:1275, gringo:1170), 10.41, 8.35, 12.35a: the whole chain as printed."""
    f, a, low, top, bottom = example_three(field)
    f.play([nothing(f, 1, 1), face(f, 4, 1, "1d+2", "1D"), face(f, 3, 1, "d"), ("cohesion", 9)])
    f.begin(a)
    f.series.fire.phasing(a, [top.hex], False)
    assert fires(f) == [("u/a", "phasing", 1), ("c/top", "return", 4), ("c/bottom", "return", 3)]
    assert a.place == ELIMINATED
    assert (low.strength, low.lost_second_disorder, low.retreated, low.finished) == (3, 1, True, True)
    assert not f.series.fire.may_fire(low)
    assert f.dice.used_up()  # no check for the second "d": nobody is left in the hex
    assert (top.strength, bottom.strength) == (4, 3)


def test_the_remaining_unit_checks_again_for_the_next_result_10_42(field):
    """10.42 EXAMPLE #3 (dead-of-winter:1275): had the lower unit passed and stayed, the second result were its own."""
    f, a, low, top, _ = example_three(field)
    f.play([nothing(f, 1, 1), face(f, 4, 1, "1d+2", "1D"), face(f, 3, 1, "d"), ("cohesion", 0), ("cohesion", 9)])
    f.begin(a)
    f.series.fire.phasing(a, [top.hex], False)
    assert a.place == ELIMINATED and low.retreated and f.dice.used_up()


def test_a_unit_that_dies_has_fired_all_the_same_10_42(field):
    """10.42: return fire is simultaneous: both can be hit."""
    f, a, b = duel(field, mine=6, theirs=1)
    f.play([face(f, 6, 1, "1D", "1d+2"), ("fire", 9), ("cohesion", 9)])
    f.begin(a)
    f.series.fire.phasing(a, [b.hex], False)
    assert b.place == ELIMINATED and a.disordered


def test_neighbours_return_fire_unless_they_face_another_enemy_10_42(field):
    """10.42: a unit beside the target or the firing unit may answer, not if it stands in another enemy's front."""
    for pinned in (False, True):
        f = field(8, 8)
        a = f.unit("A", "A0303", "E")
        b = f.unit("B", "A0403", "W", side=1)
        c = f.unit("C", "A0404", "W", side=1)
        if pinned:
            f.unit("Z", "A0304", "E")  # A0404 and A0405 in front
        f.play([("fire", 0)] * 3)
        f.begin(a)
        f.series.fire.phasing(a, [b.hex], False)
        assert (c.id in [unit for unit, _, _ in fires(f)]) is not pinned


def test_no_return_fire_under_march_orders_10_41(field):
    f, a, b = duel(field)
    b.orders = MARCH
    b.heading = 8
    f.play([("fire", 0)])
    f.begin(a)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("u/a", "phasing", 5)] and b.fired_at


def test_split_fire_and_its_return_fire_are_simultaneous_10_15(field):
    f, a, b, c = split_field(field)
    f.play([("fire", 0)] * 4)
    f.begin(a)
    f.series.fire.phasing(a, [b.hex, c.hex], False)
    assert [event.mode for event in f.events("fire")] == ["phasing", "phasing", "return", "return"]


def test_guns_answer_shell_after_the_results_10_42(field):
    """10.42: return fire with shot and shell comes after the enemy's results: disordered guns do not fire any more."""
    for check, answers in ((0, True), (9, False)):
        f, g, b = guns(field, 5)
        f.battle.lift(b)
        mine = f.unit("their guns", b_place(f, 5), "W", strength=6, kind=ARTILLERY, side=1, weapon="R3")
        f.play([face(f, 6, 0, "d+2", "d", shell=True), ("cohesion", check), nothing_shell(f)])
        f.begin(g)
        f.series.fire.phasing(g, [mine.hex], False)
        assert (len(f.events("fire")) == 2) is answers


def b_place(f, distance):
    return next(
        place.id for place in f.map.hexes if place.distance_to(g_hex(f)) == distance and place.column == 2 + distance
    )


def nothing_shell(f):
    return face(f, 6, 0, "-", shell=True)


# -- artillery ---------------------------------------------------------------------------------------------------------


def test_disordered_guns_and_guns_beneath_others_do_not_fire_10_61(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=3)
    g = f.unit("Bty", "A0303", "E", kind=ARTILLERY)
    h = f.unit("Other", "A0305", "E", kind=ARTILLERY, disordered=True)
    f.unit("B", "A0403", "W", side=1)
    f.play()
    f.begin(a)
    assert not f.series.fire.may_fire(g) and not f.series.fire.may_fire(h)


def test_guns_fire_after_half_their_movement_10_61(field):
    f, g, _ = guns(field, 5, movement=6)
    f.play()
    f.begin(g)
    g.moved, g.spent = True, 6
    assert f.series.fire.may_fire(g)
    g.spent = 7
    assert not f.series.fire.may_fire(g)


def test_guns_that_moved_near_the_enemy_do_not_fire_9_55(field):
    f, g, _ = guns(field, 3)
    f.play()
    f.begin(g)
    assert f.series.fire.may_fire(g)
    g.moved, g.spent = True, 2
    assert not f.series.fire.may_fire(g)


def test_a_lone_battery_must_fire_at_the_enemy_that_faces_it_10_66(field):
    f = field(10, 8)
    g = f.unit("Bty", "A0303", "E", kind=ARTILLERY)
    near = f.unit("near", "A0403", "W", side=1)
    away = f.unit("away", "A0404", "E", side=1)
    far = f.unit("far", "A0705", "W", side=1)
    f.play([("fire", 1), ("fire", 1)])
    f.begin(g)
    no_return(f)
    fire = f.series.fire
    assert fire.targets(g) == [near.hex]
    for place in (away.hex, far.hex):
        with pytest.raises(CommanderError, match="must fire"):
            fire.phasing(g, [place], False)
    for pair in ([near.hex, far.hex], [far.hex, near.hex]):
        with pytest.raises(CommanderError, match="must fire"):
            fire.phasing(g, pair, False)
    fire.phasing(g, [near.hex, away.hex], False)
    assert [event.target for event in f.events("fire")] == ["c/near", "c/away"]


@pytest.mark.parametrize(("kind", "free"), [(ARTILLERY, True), (INFANTRY, True), (None, False)])
def test_10_66_a_battery_that_is_not_alone_in_its_hex_fires_where_it_likes(field, kind, free):
    """10.66: beside another battery or above a regiment it is not bound to the enemy who faces it."""
    f = field(10, 8)
    g = f.unit("Bty", "A0303", "E", kind=ARTILLERY)
    if kind is not None:
        f.unit("mate", "A0303", "E", kind=kind)
    near = f.unit("near", "A0403", "W", side=1)
    far = f.unit("far", "A0705", "W", side=1)
    f.play()
    f.begin(g)
    assert f.series.fire.targets(g) == ([near.hex, far.hex] if free else [near.hex])


def test_a_battery_splits_at_any_range_or_at_one_hex_10_65(field):
    f = field(10, 8)
    g = f.unit("Bty", "A0303", "E", kind=ARTILLERY, strength=5)
    b = f.unit("B", "A0503", "W", side=1)
    f.play([("fire", 5), ("fire", 5), ("cohesion", 0), ("cohesion", 0)])
    f.begin(g)
    no_return(f)
    f.series.fire.phasing(g, [b.hex, b.hex], False)
    assert [event.sp for event in f.events("fire")] == [3, 2]
    assert g.ammo == 1  # one level for both rolls at the same hex


@pytest.mark.parametrize(
    ("part", "dice", "points", "ammo"),
    [
        (0, (1, 0, 2), [2, 2, 2], 2),
        (0, (1, 2, 0), [2, 2, 2], 0),
        (1, (0, 1, 2), [2, 2, 2], 0),
        (1, (5, 1, 2), [2, 2, 2], 2),
        (-1, (1, 2, 3, 4), [2, 2, 2, 2], 0),
    ],
)
def test_either_part_of_a_split_may_be_rapid_10_65(field, part, dice, points, ammo):
    """10.65, 10.68: a 0 counts in the rapid part only, a 5 in either leaves the whole battery without ammunition."""
    f, g, b = rapid(field, *dice)
    f.dice.faces.extend([("cohesion", 0)] * 8)
    f.series.fire.phasing(g, [b.hex, b.hex], True, rapid_part=part)
    assert [event.sp for event in f.events("fire")] == points
    assert g.ammo == ammo
    with pytest.raises(CommanderError, match="rapid_part"):
        f.series.fire.phasing(g, [b.hex], True, rapid_part=1)


@pytest.mark.parametrize(("die", "ammo"), [(5, 1), (4, 0), (0, 0)])
def test_ammunition_10_69(field, die, ammo):
    f, g, b = guns(field, 5)
    f.play([("fire", die)])
    f.begin(g)
    no_return(f)
    f.answers[1]["retreat"] = []
    f.dice.faces.extend([("cohesion", 0)] * 2)
    f.series.fire.phasing(g, [b.hex], False)
    assert g.ammo == ammo
    assert f.events("fire")[0].drm == 0  # not yet for the fire that brought it about


def test_low_becomes_out_of_ammunition_10_69(field):
    f, g, b = guns(field, 5)
    g.ammo = 1
    f.play([("fire", 5), ("cohesion", 0)])
    f.begin(g)
    no_return(f)
    f.series.fire.phasing(g, [b.hex], False)
    assert g.ammo == 2 and not f.series.fire.able(g)


def rapid(field, *dice):
    f = field(8, 8)
    g = f.unit("Bty", "A0303", "E", strength=4, kind=ARTILLERY, weapon="N")
    b = f.unit("B", "A0505", "W", strength=9, side=1, cohesion=9)
    f.play([("fire", die) for die in dice])
    f.begin(g)
    no_return(f)
    return f, g, b


@pytest.mark.parametrize(("dice", "ammo"), [((1, 2), 0), ((0, 2), 2), ((2, 5), 2)])
def test_rapid_fire_10_68(field, dice, ammo):
    """10.68: two shots at one hex; a 0 or 5 on either and the guns are out of ammunition."""
    f, g, b = rapid(field, *dice)
    f.dice.faces.extend([("cohesion", 0)] * 4)
    f.series.fire.phasing(g, [b.hex], True)
    assert [event.sp for event in f.events("fire")] == [4, 4]
    assert (g.ammo, g.stood_to_fire) == (ammo, True)
    kinds = [event.kind for event in f.events("rapid", "fire", "ammunition")]
    assert kinds == ["rapid", "fire", "fire"] + ["ammunition"] * (ammo > 0)  # two shots are told as one rapid fire


def test_no_rapid_fire_for_rifles_movers_or_at_a_distance_10_68(field):
    f, g, b = rapid(field)
    fire = f.series.fire
    assert fire.may_rapid(g, b.hex, PHASING, True)
    assert not fire.may_rapid(g, b.hex, PHASING, False)
    assert not fire.may_rapid(g, f.hex("A0806"), PHASING, True)
    g.moved = True
    assert not fire.may_rapid(g, b.hex, PHASING, True)
    g.moved = False
    g.under_others = True
    with pytest.raises(CommanderError, match="rapid fire"):
        fire.phasing(g, [b.hex], True)


def test_friends_under_the_line_of_fire_10_26(field):
    """10.26: on an unmodified 2 or less friends beside the target, fired over, check and may be disordered."""
    f = field(8, 8)
    g = f.unit("Bty", "A0303", "E", strength=6, kind=ARTILLERY)
    friend = f.unit("friend", "A0404", "E", cohesion=6)
    b = f.unit("B", "A0504", "W", side=1)
    f.level(3, "A0303")
    f.level(1, "A0504")
    f.play([("fire", 2), ("cohesion", 9)])
    f.begin(g)
    no_return(f)
    f.series.fire.phasing(g, [b.hex], False)
    assert friend.disordered


def two_batteries(field, second="R3", distance=5):
    f = field(16, 16)
    g = f.unit("Bty", "A0208", "E", strength=4, kind=ARTILLERY, weapon="R3")
    h = f.unit("Second", "A0208", "E", strength=5, kind=ARTILLERY, weapon=second)
    b = f.unit("B", b_place(f, distance), "W", strength=5, side=1)
    return f, g, h, b


def test_batteries_of_one_hex_combine_at_a_distance_10_63(field):
    """10.63, 10.64, 10.69: one roll with all guns and the worst range DRM; both pay for a 5."""
    f, g, h, b = two_batteries(field, "TB", 7)
    f.play([("fire", 5), ("cohesion", 0)])
    f.begin(g)
    f.series.fire.phasing_together([g, h], b.hex)
    event = f.events("fire")[0]
    assert (event.sp, event.drm, event.drms) == (9, -1, "range -1")  # R3 has 0 at seven hexes, TB -1
    assert (g.ammo, h.ammo, g.fired, h.fired) == (1, 1, True, True)
    assert f.battle.fires == [1, 0]


def test_no_combined_fire_with_canister_or_from_two_hexes_10_63(field):
    f, g, h, b = two_batteries(field, distance=3)
    f.play()
    f.begin(g)
    with pytest.raises(CommanderError, match=r"four hexes or more"):
        f.series.fire.phasing_together([g, h], b.hex)


def test_no_battery_fires_twice_in_a_combined_fire_10_63(field):
    f, g, h, b = two_batteries(field, "TB", 7)
    f.play()
    f.begin(g)
    for units, said in (([g, h, g], "u/bty is named twice"), ([g], "1 batteries named"), ([], "0 batteries named")):
        with pytest.raises(CommanderError, match=said):
            f.series.fire.phasing_together(units, b.hex)
    assert not g.fired


def test_who_is_off_the_map_has_no_targets_and_nobody_is_no_target_10_12(field):
    f, g, h, b = two_batteries(field, "TB", 7)
    f.battle.lift(g)
    f.battle.lift(h)
    g.place = h.place = NOT_ENTERED
    f.play()
    assert f.series.fire.targets(g) == []
    assert not f.series.fire.may_fire(g)
    with pytest.raises(CommanderError, match=r"nobody is in A0208; ask Fire.targets"):
        f.series.fire.estimated_modifier(b, f.hex("A0208"))


@pytest.mark.parametrize("combined", [True, False])
def test_batteries_may_combine_their_return_fire_10_63(field, combined):
    f, g, h, b = two_batteries(field)
    f.battle.lift(b)
    mine = f.unit("mine", b_place(f, 5), "W", strength=6, kind=ARTILLERY, side=1, weapon="R3")
    f.play([("fire", 0)] * 3)
    f.begin(mine)
    f.answers[0]["combine_guns"] = [combined]
    f.series.fire.phasing(mine, [g.hex], False)
    assert [event.sp for event in f.events("fire")] == ([6, 9] if combined else [6, 4, 5])
    assert left(f, h, RETURN) == 0


def test_small_arms_of_one_hex_combine_by_option_10_82(field):
    """10.82: one fire of the hex's 7 SP with the least favourable modifiers; return fire likewise."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=4)
    c = f.unit("C", "A0303", "E", strength=4, disordered=True)
    g = f.unit("G", "A0303", "E", strength=4, green=True)
    b = f.unit("B", "A0403", "W", strength=3, side=1)
    d = f.unit("D", "A0403", "W", strength=3, side=1)
    f.play([("fire", 0)] * 2, options={"combined_fire": "yes"})
    f.begin(a)
    f.series.fire.phasing(a, [b.hex], False)
    assert [(event.sp, event.drms) for event in f.events("fire")] == [(7, "disordered -1"), (6, "prepared +1")]
    assert a.fired and c.fired and not g.fired  # no frontage is left for the third
    assert (left(f, b, RETURN), left(f, d, RETURN)) == (0, 0)


def test_small_arms_fire_apart_without_the_option_10_14(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=3)
    f.unit("C", "A0303", "E", strength=3)
    b = f.unit("B", "A0403", "W", side=1)
    f.play([("fire", 0)])
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("u/a", "phasing", 3)]


# -- advance after fire ------------------------------------------------------------------------------------------------


def test_advance_after_fire_12_6(field):
    """12.6: into a hex that the fire has emptied, if its owner wants to."""
    for wanted in (True, False):
        f, a, b = duel(field, mine=6, theirs=1)
        f.play([face(f, 6, 1, "1D", "1d+2")])
        f.begin(a)
        no_return(f)
        f.answers[0]["advance_after_fire"] = [wanted]
        f.series.fire.phasing(a, [f.hex("A0403")], False)
        assert b.place == ELIMINATED
        assert (a.hex.id, a.advanced) == (("A0403", True) if wanted else ("A0303", False))


def test_no_advance_from_afar_12_6(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    b = f.unit("B", "A0503", "W", strength=1, side=1)
    f.play([face(f, 7, -1, "1d+2", "1D")])
    f.begin(a)
    no_return(f)
    f.answers[0]["advance_after_fire"] = [True]
    f.series.fire.phasing(a, [b.hex], False)
    assert b.place == ELIMINATED and a.hex.id == "A0303" and "advance_after_fire" not in f.asked[0]


def test_no_advance_for_a_unit_that_has_to_retreat_12_6(field):
    f, a, b = duel(field, mine=6, theirs=1, disordered=True)
    c = f.unit("C", "A0404", "W", strength=7, side=1)
    f.play([face(f, 6, -1, "1d+2", "1D"), ("fire", 0), ("fire", 9)])
    f.begin(a)
    f.answers[0]["advance_after_fire"] = [True]
    f.series.fire.phasing(a, [b.hex], False)
    assert c.counts() and b.place == ELIMINATED and a.finished and a.hex.id not in ("A0303", "A0403")


# -- withdrawal, approach and pre-shock fire ---------------------------------------------------------------------------


def test_withdrawal_fire_10_44(field):
    """10.44: at a unit about to leave a frontal hex, unless it goes to another frontal hex of the same unit."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    b = f.unit("B", "A0403", "W", side=1)
    g = f.unit("Bty", "A0404", "W", side=1, kind=ARTILLERY)
    f.play([("fire", 0)])
    f.begin(a)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0302"))
    assert fires(f) == []
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert fires(f) == [("c/b", "withdrawal", 5)]
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert len(fires(f)) == 1 and left(f, b, WITHDRAWAL) == 0 and left(f, g, WITHDRAWAL) == -1


def test_withdrawal_fire_strikes_those_left_behind_10_44(field):
    f = field(8, 8)
    stays = f.unit("stays", "A0303", "E", orders=ATTACK)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    f.unit("B", "A0403", "W", side=1)
    f.play([("fire", 0)])
    f.begin(a)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert fires(f) == []
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0203"), True)
    f.series.fire.move_finished(a)
    assert [event.target for event in f.events("fire")] == [stays.id]


def test_fire_at_a_vacated_hex_is_spent_without_a_roll_10_41(field):
    """10.41: the second withdrawal fire finds nobody: it counts as fired, and no die is rolled."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1, orders=ATTACK)
    b = f.unit("B", "A0403", "W", side=1)
    c = f.unit("C", "A0404", "W", side=1)
    f.play([face(f, 5, 1, "1d+2", "1D")])
    f.begin(a)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert a.place == ELIMINATED and f.dice.used_up()
    assert (left(f, b, WITHDRAWAL), left(f, c, WITHDRAWAL)) == (0, 0)


def test_approach_fire_once_10_45(field):
    """10.45: guns within three hexes fire at a unit that moves there, once in an enemy brigade activation."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    g = f.unit("Bty", "A0505", "W", side=1, kind=ARTILLERY, weapon="R3")
    f.play([("fire", 0)])
    f.begin(a)
    f.series.fire.approach(a)
    f.series.fire.approach(a)
    assert fires(f) == [("c/bty", "approach", 5)] and left(f, g, APPROACH) == 0


def test_no_approach_fire_from_four_hexes_or_out_of_arc_10_45(field):
    f = field(8, 8)
    a = f.unit("A", "A0103", "E")
    f.unit("Bty", "A0505", "W", side=1, kind=ARTILLERY)
    f.unit("Other", "A0203", "E", side=1, kind=ARTILLERY)
    f.play()
    f.begin(a)
    f.series.fire.approach(a)
    assert fires(f) == []


def shock(attackers, targets):
    """A shock that has come to its fire step."""
    made = ShockInProgress(
        attackers[0].side, [Attacker(unit, unit.hex, unit.heading, True, False) for unit in attackers], targets, 0
    )
    for place in targets:
        made.defenders.extend(part.unit for part in place.stack)
    return made


def test_pre_shock_fire_strikes_the_top_shocking_unit_10_43(field):
    f = field(8, 8)
    f.unit("idle", "A0303", "E", strength=5)
    a = f.unit("A", "A0303", "E", strength=5)
    b = f.unit("B", "A0403", "W", strength=6, side=1)
    f.play([face(f, 6, 1, "1d+2"), ("cohesion", 0)])
    f.begin(a)
    f.fire_before_shock([shock([a], [b.hex])])
    assert f.events("fire")[0].target == "u/a" and (a.strength, left(f, b, PRE_SHOCK)) == (4, 0)
    f.fire_before_shock([shock([a], [b.hex])])
    assert len(f.events("fire")) == 1


def test_pre_shock_fire_splits_between_two_hexes_10_43(field):
    f = field(8, 8)
    a = f.unit("A", "A0302", "E")
    c = f.unit("C", "A0303", "E")
    b = f.unit("B", "A0403", "W", strength=7, side=1)
    f.play([("fire", 0), ("fire", 0)])
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [2]
    f.fire_before_shock([shock([a, c], [b.hex])])
    assert [(event.target, event.sp) for event in f.events("fire")] == [("u/c", 4), ("u/a", 3)]


@pytest.mark.parametrize(("answer", "shares"), [(2, [4, 3]), (3, [3, 4])])
def test_the_owner_says_where_the_odd_point_goes_10_15(field, answer, shares):
    f = field(8, 8)
    a = f.unit("A", "A0302", "E")
    c = f.unit("C", "A0303", "E")
    b = f.unit("B", "A0403", "W", strength=7, side=1)
    f.play([("fire", 0), ("fire", 0)])
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [answer]
    f.fire_before_shock([shock([a, c], [b.hex])])
    assert [event.sp for event in f.events("fire")] == shares


def test_neighbours_fire_before_a_shock_on_others_10_43(field):
    """10.43: also a unit that is not attacked, if the attacker is in its front and no other enemy's front holds it."""
    for pinned in (False, True):
        f = field(8, 8)
        a = f.unit("A", "A0303", "E")
        b = f.unit("B", "A0403", "SSE", side=1)  # the attacker is not in its front
        c = f.unit("C", "A0404", "W", side=1)
        if pinned:
            f.unit("Z", "A0304", "E")
        f.play([("fire", 0)])
        f.begin(a)
        f.fire_before_shock([shock([a], [b.hex])])
        assert (fires(f) == [(c.id, "pre-shock", 5)]) is not pinned


def test_phasing_defenders_fire_before_a_continued_shock_10_43(field):
    f, a, b = duel(field)
    f.play([("fire", 0)])
    f.begin(a)
    f.fire_before_shock([shock([b], [a.hex])])
    assert fires(f) == [("u/a", "pre-shock", 5)]


# -- the log -----------------------------------------------------------------------------------------------------------


def test_a_fire_in_the_log_10_17(field):
    f, a, b = duel(field, mine=6)
    f.play([face(f, 6, 1, "1d+2"), ("cohesion", 0)])
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    event = f.events("fire")[0]
    assert (event.unit, event.target, event.hex, event.target_hex) == (a.id, b.id, "A0303", "A0403")
    assert (event.range, event.sp, event.target_sp, event.drms, event.drm) == (1, 6, 5, "prepared +1", 1)
    assert event.adjusted == event.roll + 1 and event.result == "1d+2" and event.losses == 1
    assert f.battle.fires == [1, 0]
    assert (b.lost_small_arms, b.place) == (1, ON_MAP) and b.place != ROUTED and a.orders == ADVANCE


def test_branches_of_a_fire_have_the_chances_of_its_faces_10_17(field):
    """10.17: enumerated, a fire without answer costs a step as often as faces of the die do, and the mass is one."""
    f, a, b = duel(field, mine=6, theirs=8)
    f.play()
    f.begin(a)
    f.log.level = 0
    kept = f.battle.snapshot()
    tape = EnumeratingTape()
    f.series.equip(tape, f.log, f.commanders)
    mass = hit = Fraction(0)
    while True:
        f.answers[1]["return_fire"] = [0]
        f.battle.restore(kept)
        tape.begin(0)
        f.series.fire.phasing(a, [b.hex], False)
        chance = Fraction(tape.numerator, tape.denominator)
        mass += chance
        hit += chance if b.lost_small_arms else 0
        if not tape.next_branch():
            break
    faces = [f.charts.fire_table.result(6, die + 1).losses > 0 for die in range(10)]
    assert mass == 1 and hit == Fraction(sum(faces), 10)
    assert tape.branches < 20


# -- when, how far, and who -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "standing", "after_moving", "answers"),
    [(ADVANCE, True, False, True), (ATTACK, True, True, True), (MARCH, False, False, False)],
)
def test_when_units_may_fire_10_11(field, orders, standing, after_moving, answers):
    """10.11: Attack Orders besides movement, Advance instead of it; in answer to the enemy all but March Orders."""
    f, a, b = duel(field, orders=orders)
    b.orders = orders
    if orders == MARCH:
        a.heading, b.heading = 2, 8
    f.play()
    f.begin(a)
    assert f.series.fire.may_fire(a) is standing
    assert f.series.fire.may_return(b.parts[0], a.hex, [b.hex]) is answers
    a.moved, a.spent = True, 2
    assert f.series.fire.may_fire(a) is after_moving


def test_range_counts_the_targets_hex_and_sight_is_needed_10_12(field):
    """10.12, 10.21: as far as the weapon reaches, and only what can be seen; woods in the way, not at the target."""
    f = field(12, 8)
    a = f.unit("A", "A0305", "E", weapon="R")
    near = f.unit("near", "A0705", "W", side=1)
    far = f.unit("far", "A0805", "W", side=1)
    beyond = f.unit("beyond", "A0905", "W", side=1)
    f.play()
    f.begin(a)
    assert [a.hex.distance_to(one.hex) for one in (near, far, beyond)] == [4, 5, 6]
    assert f.series.fire.targets(a) == [near.hex]  # the others stand behind it
    f.battle.lift(near)
    assert f.series.fire.targets(a) == [far.hex]
    f.battle.lift(far)
    assert f.series.fire.targets(a) == []


def test_fire_needs_the_front_but_sight_goes_all_round_10_21(field):
    f = field(8, 8)
    a = f.unit("A", "A0405", "E")
    b = f.unit("B", "A0205", "E", side=1)
    f.play()
    f.begin(a)
    assert f.series.sight.clear(a.hex, b.hex) and f.series.fire.targets(a) == []


def test_one_unit_completes_its_movement_and_fire_before_the_next_10_13(field):
    """10.13: once another unit has begun, the one before neither moves nor turns nor fires; nobody has to fire."""
    f = field(10, 10)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    c = f.unit("C", "A0307", "E", orders=ATTACK)
    b = f.unit("B", "A0508", "W", side=1)
    f.play([("fire", 0)])
    f.begin(a)
    no_return(f)
    fire, movement, facing = f.series.fire, f.series.movement, f.series.facing
    facing.turn(a, 5)
    assert fire.may_fire(a) and movement.may_move(a)
    fire.phasing(c, [b.hex], False)
    assert not fire.may_fire(a) and not movement.may_move(a) and not facing.may_turn(a, 3)
    assert facing.may_turn(c, 5)
    f.begin(a)
    assert fire.may_fire(a) and movement.may_move(a)


def test_combined_fire_may_be_put_off_10_82(field):
    """10.82: with combined small-arms fire a unit that has completed its movement may still fire with others."""
    f = field(10, 10)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    c = f.unit("C", "A0307", "E", orders=ATTACK)
    f.play(options={"combined_fire": "yes"})
    f.begin(a)
    f.series.facing.turn(a, 5)
    f.series.facing.turn(c, 5)
    assert f.series.fire.may_fire(a) and not f.series.movement.may_move(a)


def test_batteries_fire_with_their_command_10_62(field):
    """10.62: a battery fires when its brigade is activated, not with another."""
    f = field(12, 8)
    a = f.unit("A", "A0303", "E")
    g = f.unit("Bty", "A0305", "E", kind=ARTILLERY, brigade=f.brigade("Arty/1/U"))
    b = f.unit("B", "A0705", "W", side=1)
    f.play()
    f.begin(a)
    assert not f.series.fire.may_fire(g)
    f.begin(g)
    assert f.series.fire.may_fire(g) and f.series.fire.targets(g) == [b.hex]


def test_leaders_do_not_affect_fire_11_71(field):
    f, a, b = duel(field)
    f.play()
    f.begin(a)
    drms = []
    for leader in (None, f.leader("Corps", "A0303", f.battle.corps[0]), f.leader("Other", "A0403", side=1)):
        drms.append(f.series.fire.modifier(a, a.hex, b.parts[0], PHASING, True))
        assert leader is None or leader.in_play()
    assert drms == [1, 1, 1]


def test_green_units_fire_worse_and_are_else_as_others_14_1(field):
    """14.1, 10.81: -1 in any fire; in the game they stay green, and check and move like others."""
    f, a, b = duel(field, green=True)
    f.play([("cohesion", a.cohesion_good)])
    f.begin(a)
    assert drms_of(f, a, b, PHASING) == "prepared +1, green -1"
    assert drms_of(f, a, b, RETURN) == "prepared +1, green -1"
    assert drms_of(f, b, a, RETURN) == "prepared +1"
    assert f.series.results.udd(a, 0, "any") and f.series.movement.may_move(a)
    a.disordered = True
    f.battle.reset()
    assert a.green and not a.disordered


def drms_of(f, unit, victim, mode):
    f.series.fire.modifier(unit, unit.hex, victim.parts[0], mode, True)
    return f.series.fire.drms.text()


class Steady(ScriptedDice):
    """Scripted fire; every check is passed."""

    def check(self, stream, subject, most):
        return True


def split_guns(field, *dice):
    """Smoothbores before two shocking hexes that split their fire between them, with these fire dice."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "E", strength=9, cohesion=9)
    c = f.unit("C", "A0303", "E", strength=9, cohesion=9)
    g = f.unit("Bty", "A0403", "W", strength=6, side=1, kind=ARTILLERY, weapon="N")
    f.play()
    f.series.equip(Steady([("fire", die) for die in dice]), f.log, f.commanders)
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [2]
    return f, g, [shock([a, c], [g.hex])]


def test_guns_that_split_before_shock_deplete_after_both_parts_10_69(field):
    """10.69, 10.15: the 5 of the first part does not burden the second."""
    f, g, shocks = split_guns(field, 5, 0)
    f.fire_before_shock(shocks)
    first, second = f.events("fire")
    assert (first.sp, second.sp, g.ammo) == (3, 3, 1) and "ammo" not in second.drms


def test_guns_that_split_before_shock_may_fire_rapidly_10_68(field):
    f, g, shocks = split_guns(field, 1, 2, 3, 0)
    f.answers[1]["rapid_fire"] = [True, True]
    f.fire_before_shock(shocks)
    assert [event.sp for event in f.events("fire")] == [3, 3, 3, 3] and g.ammo == 2
