"""Chapter 8: limits of stacks, their order, and their frontage of fire."""

import pytest

from simkit.model.forces import ADVANCE, ATTACK, MARCH
from simkit.rules.commander import CommanderError


def limits(f, *units):
    return [f.series.stacking.firing_limit(unit) for unit in units]


def test_8_31_a_large_unit_fires_seven(field):
    """The case printed within 8.31 (line 789)."""
    f = field(3, 3)
    u = f.unit("u", "A0202", strength=10)
    f.play()
    assert limits(f, u) == [7]


def test_8_33_example_infantry_on_infantry(field):
    """dead-of-winter:802, dead-of-winter:804."""
    f = field(3, 3)
    top = f.unit("top", "A0202", strength=5)
    low = f.unit("low", "A0202", strength=9)
    f.play()
    assert limits(f, top, low) == [5, 2]


def test_8_33_example_battery_on_infantry(field):
    """dead-of-winter:802, dead-of-winter:805."""
    f = field(3, 3)
    guns = f.unit("guns", "A0202", strength=6, kind=2)
    low = f.unit("low", "A0202", strength=7)
    f.play()
    assert limits(f, guns, low) == [6, 1]


def test_8_33_example_top_unit_rallies(field):
    """dead-of-winter:802, dead-of-winter:806."""
    f = field(3, 3)
    top = f.unit("top", "A0202", strength=5)
    low = f.unit("low", "A0202", strength=6)
    lowest = f.unit("lowest", "A0202", strength=3)
    f.play()
    top.rallied = True
    assert limits(f, low, lowest) == [2, 0]


def test_8_31_10_42_example_four_units(field):
    """The frontage of dead-of-winter:1273: three, three, then one of five, none of four."""
    f = field(3, 3)
    units = [f.unit(f"u{n}", "A0202", strength=points) for n, points in enumerate((3, 3, 5, 4))]
    f.play()
    assert limits(f, *units) == [3, 3, 1, 0]


def test_8_31_batteries(field):
    f = field(5, 5)
    alone = [f.unit(f"a{n}", "A0202", strength=8, kind=2) for n in range(2)]
    above = f.unit("above", "A0303", strength=8, kind=2)
    below = f.unit("below", "A0303", strength=6)
    under = f.unit("foot", "A0404", strength=3)
    guns = f.unit("guns", "A0404", strength=4, kind=2)
    last = f.unit("last", "A0404", strength=6)
    f.play()
    assert limits(f, *alone) == [8, 4]  # 12 guns in all
    assert limits(f, above, below) == [8, 0]  # one battery may pass seven
    assert limits(f, under, guns, last) == [3, 0, 4]  # guns beneath others do not fire and take up no frontage


def test_8_31_mounted_cavalry_fires_four(field):
    f = field(5, 5)
    a = f.unit("a", "A0202", strength=3, kind=1)
    b = f.unit("b", "A0202", strength=3, kind=1)
    guns = f.unit("guns", "A0303", strength=2, kind=2)
    c = f.unit("c", "A0303", strength=6, kind=1)
    f.play()
    assert limits(f, a, b, guns, c) == [3, 1, 2, 4]


def test_12_8_abandoned_guns_take_up_no_frontage(field):
    f = field(3, 3)
    guns = f.unit("guns", "A0202", strength=6, kind=2)
    low = f.unit("low", "A0202", strength=7)
    f.play()
    f.battle.abandon(guns, 1)
    assert limits(f, low) == [7]


@pytest.mark.parametrize(("first", "second", "fits"), [
    ({"strength": 7}, {"strength": 8}, True),
    ({"strength": 8}, {"strength": 8}, False),
    ({"strength": 3, "kind": 1}, {"strength": 4, "kind": 1}, True),
    ({"strength": 4, "kind": 1}, {"strength": 4, "kind": 1}, False),
    ({"strength": 8, "kind": 1, "mounted": False}, {"strength": 7, "kind": 1, "mounted": False}, True),
    ({"strength": 9, "kind": 2}, {"strength": 9, "kind": 2}, True),  # two batteries of any strength
    ({"strength": 9, "kind": 2}, {"strength": 9}, True),  # one battery with others
])
def test_8_12_limits_under_advance_orders(field, first, second, fits):
    f = field(4, 4)
    f.unit("first", "A0202", **first)
    unit = f.unit("second", "A0303", **second)
    f.play()
    assert f.series.stacking.may_end(unit, f.hex("A0202")) == fits


def test_8_12_one_unit_of_any_strength_and_only_one_brigade(field):
    f = field(4, 4)
    big = f.unit("big", "A0202", strength=20)
    other = f.unit("other", "A0303", strength=2, brigade=f.brigade("2/1/U"))
    guns = f.unit("guns", "A0304", strength=6, kind=2, brigade=f.brigade("2/1/U"))
    enemy = f.unit("enemy", "A0404", side=1)
    f.unit("small", "A0102", strength=2)
    f.play()
    assert f.series.stacking.may_end(big, f.hex("A0202"))
    assert not f.series.stacking.may_end(big, f.hex("A0102"))
    assert not f.series.stacking.may_end(other, f.hex("A0102"))
    assert f.series.stacking.may_end(guns, f.hex("A0202"))  # dead of winter 4.34: with any friends
    assert not f.series.stacking.may_end(enemy, f.hex("A0202"))


def test_8_12_guns_with_others(field):
    f = field(4, 4)
    f.unit("foot", "A0202", strength=3)
    f.unit("section", "A0202", strength=2, kind=2)
    small = f.unit("small", "A0303", strength=4, kind=2)
    large = f.unit("large", "A0304", strength=5, kind=2)
    f.play()
    assert f.series.stacking.may_end(small, f.hex("A0202"))  # six guns from two batteries
    assert not f.series.stacking.may_end(large, f.hex("A0202"))


def test_8_12_march_orders(field):
    f = field(5, 5)
    f.brigade("1/1/U", orders=MARCH)
    f.unit("a", "A0202", "N", strength=4)
    b = f.unit("b", "A0303", "N", strength=3)
    c = f.unit("c", "A0304", "N", strength=4)
    horse = f.unit("h", "A0404", "N", strength=2, kind=1)
    guns = f.unit("g", "A0402", "N", strength=9, kind=2)
    f.unit("g2", "A0505", "N", strength=9, kind=2)
    other = f.unit("o", "A0503", strength=2, orders=ADVANCE)
    f.play()
    place = f.hex("A0202")
    assert f.series.stacking.may_end(b, place)
    for unit in (c, horse, guns, other):
        assert not f.series.stacking.may_end(unit, place)
    assert f.series.stacking.may_end(guns, f.hex("A0505"))


def test_8_13_march_limits_of_a_unit_under_advance_orders(field):
    f = field(4, 4)
    small = f.unit("small", "A0202", strength=7)
    big = f.unit("big", "A0303", strength=8)
    horse = f.unit("horse", "A0304", strength=5, kind=1)
    guns = f.unit("guns", "A0403", strength=20, kind=2)
    f.play()
    empty = f.hex("A0101")
    assert [f.series.stacking.march_limits_hold(empty, unit) for unit in (small, big, horse, guns)] == [
        True, False, False, True,
    ]
    assert not f.series.stacking.march_limits_hold(f.hex("A0202"), guns)


def enter(f, unit, origin, place):
    f.battle.lift(unit)
    f.series.stacking.enter(unit, f.hex(place), f.between(origin, place)[0])
    return f.stack(place)


def test_8_23_on_top_through_the_front_beneath_otherwise(field):
    f = field(5, 5)
    f.unit("there", "A0303", "E", strength=3)  # front hexes A0403 and A0404
    a = f.unit("a", "A0403", "W", strength=3)
    b = f.unit("b", "A0203", "E", strength=3)
    f.play()
    assert enter(f, a, "A0403", "A0303") == ["a", "there"]
    f.series.facing.face(a, 3)  # it takes the facing of the stack
    assert enter(f, b, "A0203", "A0303") == ["a", "there", "b"]


def test_8_23_free_choice_with_guns_only(field):
    for on_top in (True, False):
        f = field(5, 5)
        f.unit("guns", "A0303", "E", kind=2)
        b = f.unit("b", "A0203", "E", strength=3)
        f.play()
        f.answers[0]["stack_on_top"] = [on_top]
        assert enter(f, b, "A0203", "A0303") == (["b", "guns"] if on_top else ["guns", "b"])


def test_8_23_directly_beneath_guns_that_stand_above_others(field):
    f = field(5, 5)
    f.unit("guns", "A0303", "E", kind=2)
    f.unit("foot", "A0303", "E", strength=3)
    b = f.unit("b", "A0403", "W", strength=3)
    c = f.unit("c", "A0203", "E", strength=3)
    f.play()
    f.answers[0]["stack_on_top"] = [False]
    assert enter(f, b, "A0403", "A0303") == ["guns", "b", "foot"]
    assert enter(f, c, "A0203", "A0303") == ["guns", "b", "foot", "c"]


def test_8_23_a_battery_has_no_choice(field):
    f = field(5, 5)
    f.unit("foot", "A0303", "E", strength=3)
    g = f.unit("g", "A0203", "E", kind=2)
    f.play()
    assert enter(f, g, "A0203", "A0303") == ["foot", "g"]
    assert f.asked[0] == []


def test_8_24_stacking_order_instead_of_moving(field):
    f = field(5, 5)
    a = f.unit("a", "A0303", "E", strength=3)
    b = f.unit("b", "A0303", "E", strength=3)
    c = f.unit("c", "A0303", "E", strength=3)
    f.play()
    f.begin(a)
    a.moved = True
    f.series.stacking.reorder([b, a, c])
    assert f.stack("A0303") == ["b", "a", "c"]
    assert [unit.restacked for unit in (a, b, c)] == [False, True, False]
    assert not f.series.movement.may_move(b)
    with pytest.raises(CommanderError):
        f.series.stacking.reorder([a, b, c])  # neither a nor b may any more


def test_8_24_not_next_to_the_enemy(field):
    f = field(5, 5)
    a = f.unit("a", "A0303", "E", strength=3)
    b = f.unit("b", "A0303", "E", strength=3)
    f.unit("enemy", "A0403", "W", side=1)
    f.play()
    f.begin(a)
    with pytest.raises(CommanderError):
        f.series.stacking.reorder([b, a])


def test_8_34_guns_do_not_count_towards_massed_targets(field):
    f = field(3, 3)
    f.unit("a", "A0202", strength=4, orders=ATTACK)
    f.unit("g", "A0202", strength=6, kind=2)
    f.play()
    assert f.series.stacking.target_strength(f.hex("A0202")) == 4


@pytest.mark.parametrize(("orders", "stood", "may"), [
    (ADVANCE, False, False), (ATTACK, False, True), (ATTACK, True, False),
])
def test_8_24_after_fire_only_where_orders_leave_it_the_movement(field, orders, stood, may):
    f = field(5, 5)
    a = f.unit("a", "A0303", "E", strength=3, orders=orders)
    f.unit("b", "A0303", "E", strength=3, orders=orders)
    f.play()
    f.begin(a)
    a.fired = True
    a.stood_to_fire = stood
    assert f.series.stacking.may_reorder(a) is may


def test_8_24_under_advance_orders_it_then_does_not_fire(field):
    for orders in (ADVANCE, ATTACK):
        f = field(9, 5)
        a = f.unit("a", "A0303", "E", strength=3, orders=orders)
        b = f.unit("b", "A0303", "E", strength=3, orders=orders)
        f.unit("enemy", "A0503", "E", side=1)
        f.play()
        f.begin(a)
        f.series.stacking.reorder([b, a])
        assert f.series.fire.may_fire(a) is (orders == ATTACK)


def test_8_32_guns_and_infantry_of_one_hex_fire_apart_even_at_one_target(field):
    f = field(9, 5)
    guns = f.unit("guns", "A0303", "E", kind=2, strength=4)
    foot = f.unit("foot", "A0303", "E", strength=3)
    f.unit("enemy", "A0403", "E", side=1, strength=9)
    f.play([("fire", 0)] * 2, options={"combined_fire": "yes"})
    f.begin(guns)
    for unit in (guns, foot):
        f.series.fire.phasing(unit, [f.hex("A0403")], False)
    assert [(event.unit, event.sp) for event in f.events("fire")] == [(guns.id, 4), (foot.id, 3)]
    assert f.series.fire.together(foot, [f.hex("A0403")]) == [foot]


def test_8_37_a_battery_stands_checks_and_loses_guns_as_one_unit(field):
    f = field(5, 5)
    guns = f.unit("guns", "A0202", kind=2, strength=6)
    f.unit("more", "A0202", kind=2, strength=6)
    third = f.unit("third", "A0303", kind=2, strength=1)
    f.play([("cohesion", 9)])
    assert not f.series.stacking.may_end(third, f.hex("A0202"))  # two batteries, and more than twelve guns
    assert not f.series.results.udd(guns, 0, "test")
    assert f.dice.used_up()
    f.series.results.lose(guns, 2, 6)
    assert guns.strength == 4


@pytest.mark.parametrize(("voluntary", "stack"), [(True, ["u", "guns"]), (False, ["guns", "u"])])
def test_8_23_whoever_must_retreat_among_guns_has_no_choice_of_place(field, voluntary, stack):
    f = field(7, 7)
    f.unit("guns", "A0203", "W", kind=2)  # the retreat comes in through its rear
    u = f.unit("u", "A0303", "E", strength=3)
    f.unit("enemy", "A0403", "W", side=1)
    f.play()
    f.answers[0]["stack_on_top"] = [True]
    f.answers[0]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0203")]
    f.series.retreat.retreat([u], 1, 1, [f.hex("A0403")], 3, voluntary)
    assert f.stack("A0203") == stack
    assert ("stack_on_top" in f.asked[0]) is voluntary
