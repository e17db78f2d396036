"""11.12, 11.2, 11.31, 11.32: who may and must shock, and which designations are legal."""

import pytest

from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, MARCH
from simkit.rules.commander import CommanderError, Designation


def two_against_three(field):
    """The situation of the example at 11.31: A1 sees D1, A2 sees D1 and D2, A3 sees D2."""
    f = field(8, 14)
    a1 = f.unit("A1", "A0210", orders=ATTACK)
    a2 = f.unit("A2", "A0211", orders=ATTACK)
    a3 = f.unit("A3", "A0212", orders=ATTACK)
    d1 = f.unit("D1", "A0310", "W", side=1)
    d2 = f.unit("D2", "A0311", "W", side=1)
    f.play()
    f.begin(a1)
    return f, [a1, a2, a3], [d1.hex, d2.hex]


def charge(*units):
    """Make units ready for a charge: moved, come adjacent, not fired."""
    for unit in units:
        unit.moved = True
        unit.came_adjacent = True


def faults(f, *designations):
    return f.series.shock.check([Designation(list(a), list(t)) for a, t in designations], f.battle.active)


def targets_of(f, designations):
    return sorted(([u.name for u in d.attackers], [t.id for t in d.targets]) for d in designations)


# -- eligibility -----------------------------------------------------------------------------------------------------


def test_11_12_targets_are_enemy_held_front_hexes(field):
    f, (a1, a2, a3), (d1, d2) = two_against_three(field)
    assert f.series.shock.targets(a1) == [d1]
    assert f.series.shock.targets(a2) == [d1, d2]
    assert f.series.shock.targets(a3) == [d2]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda u: setattr(u, "orders", MARCH),
        lambda u: setattr(u, "rallied", True),
        lambda u: setattr(u, "by_exception", True),
        lambda u: setattr(u, "turned_after_move", True),
        lambda u: setattr(u, "adjusted_facing", True),
        lambda u: setattr(u, "finished", True),
        lambda u: setattr(u, "withdrew", True),
        lambda u: setattr(u, "heading", 9),
        lambda u: setattr(u, "active", False),
    ],
)
def test_11_12_what_makes_ineligible(field, spoil):
    f, (a1, _, _), _ = two_against_three(field)
    assert f.series.shock.may_shock(a1)
    spoil(a1)
    assert not f.series.shock.may_shock(a1)


def test_11_12_11_22_advance_orders_and_disordered_units_may(field):
    f, (a1, _, _), _ = two_against_three(field)
    a1.orders = ADVANCE
    a1.disordered = True
    assert f.series.shock.may_shock(a1)


def test_11_12_not_across_a_hexside_that_prohibits_movement(field):
    f = field(8, 8)
    a = f.unit("a", "A0404", orders=ATTACK)
    f.unit("d", "A0503", "W", side=1)
    f.hexside("river", "A0404", "A0503")
    f.play()
    f.begin(a)
    assert not f.series.shock.may_shock(a)


def test_11_61_guns_never_shock_and_are_targets_even_alone_but_not_abandoned(field):
    f = field(8, 8)
    a = f.unit("a", "A0404", orders=ATTACK)
    g = f.unit("g", "A0304", "E", kind=ARTILLERY)
    d = f.unit("d", "A0503", "W", side=1, kind=ARTILLERY)
    f.unit("e", "A0403", "W", side=1)
    f.play()
    f.begin(a)
    assert f.series.shock.may_shock(a)
    assert not f.series.shock.may_shock(g)
    f.battle.abandon(d, 1)
    assert not f.series.shock.may_shock(a)


def test_11_21_infantry_that_came_adjacent_without_firing_must(field):
    f, (a1, _, _), _ = two_against_three(field)
    assert not f.series.shock.must_shock(a1)
    charge(a1)
    assert f.series.shock.must_shock(a1)
    a1.fired = True
    assert not f.series.shock.must_shock(a1)
    a1.fired = False
    a1.orders = ADVANCE
    assert not f.series.shock.must_shock(a1)
    assert f.series.shock.may_shock(a1)


def test_11_21_not_when_stacked_under_a_unit_that_does_not_charge(field):
    f = field(8, 8)
    top = f.unit("top", "A0404", orders=ATTACK)
    low = f.unit("low", "A0404", orders=ATTACK)
    f.unit("d", "A0503", "W", side=1)
    f.play()
    f.begin(top)
    charge(low)
    assert not f.series.shock.must_shock(low)
    charge(top)
    assert f.series.shock.must_shock(low)
    assert f.series.shock.must_shock(top)


def test_11_21_mounted_cavalry_that_came_adjacent_must(field):
    f = field(8, 8)
    c = f.unit("c", "A0404", kind=CAVALRY)
    f.unit("d", "A0503", "W", side=1)
    f.play()
    f.begin(c)
    assert not f.series.shock.must_shock(c)
    charge(c)
    assert f.series.shock.must_shock(c)


# -- legality --------------------------------------------------------------------------------------------------------


def test_11_31_example_three_against_two(field):
    """11.31, 11.32: dead-of-winter:1470, the sets it forbids and allows (also into-the-woods:1411)."""
    f, (a1, a2, a3), (d1, d2) = two_against_three(field)
    assert faults(f, ([a1, a2, a3], [d1, d2]))
    assert faults(f, ([a2], [d1, d2])) == []
    assert faults(f, ([a2], [d2]))
    assert faults(f, ([a2, a3], [d2]))
    assert faults(f, ([a2, a3], [d2]), ([a1], [d1])) == []
    assert faults(f, ([a1], [d1]), ([a2], [d2])) == []


def test_11_32_adjacent_attackers_of_one_hex_must_combine(field):
    f, (a1, a2, a3), (d1, d2) = two_against_three(field)
    told = faults(f, ([a1], [d1]), ([a2], [d1]), ([a3], [d2]))
    assert len(told) == 1 and "must combine" in told[0]
    assert faults(f, ([a1, a2], [d1]), ([a3], [d2])) == []
    assert any("must combine" in fault for fault in faults(f, ([a2], [d1, d2]), ([a1], [d1])))


def test_11_32_attackers_not_adjacent_may_not_combine_but_may_attack_the_same_hex(field):
    f = field(8, 8)
    west = f.unit("west", "A0404", "E", orders=ATTACK)
    east = f.unit("east", "A0604", "W", orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1)
    f.play()
    f.begin(west)
    assert any("not adjacent" in fault for fault in faults(f, ([west, east], [d.hex])))
    assert faults(f, ([west], [d.hex]), ([east], [d.hex])) == []


def test_11_31_8_36_a_stack_attacks_together_or_stands_by(field):
    f = field(8, 8)
    top = f.unit("top", "A0404", orders=ATTACK)
    low = f.unit("low", "A0404", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    e = f.unit("e", "A0504", "W", side=1)
    f.play()
    f.begin(top)
    assert any("stacked" in fault for fault in faults(f, ([top], [d.hex]), ([low], [e.hex])))
    assert faults(f, ([low], [d.hex, e.hex])) == []
    assert any("split" in fault for fault in faults(f, ([low], [d.hex]), ([low], [e.hex])))


def test_11_32_mounted_and_foot_do_not_combine(field):
    f, (a1, a2, a3), (d1, d2) = two_against_three(field)
    a2.kind = CAVALRY
    a2.mounted = True
    assert any("on foot" in fault for fault in faults(f, ([a1, a2], [d1]), ([a3], [d2])))
    assert faults(f, ([a1], [d1]), ([a2], [d1]), ([a3], [d2])) == []


def test_11_21_11_31_who_must_shock_has_to_be_there(field):
    f, (_, a2, a3), (d1, d2) = two_against_three(field)
    charge(a3)
    assert any("must shock" in fault for fault in faults(f, ([a2], [d1, d2])))
    assert faults(f, ([a2], [d1]), ([a3], [d2])) == []
    assert faults(f)
    with pytest.raises(CommanderError, match=r"must shock"):
        f.series.shock.conduct([], f.battle.active)


@pytest.mark.parametrize("empty", ["attackers", "targets"])
def test_11_31_an_empty_designation_is_illegal(field, empty):
    f, (a1, _, _), (d1, _) = two_against_three(field)
    made = Designation([] if empty == "attackers" else [a1], [] if empty == "targets" else [d1])
    assert f.series.shock.check([made], f.battle.active)


# -- complete --------------------------------------------------------------------------------------------------------


def test_11_31_complete_keeps_a_legal_wish(field):
    f, (_, a2, _), (d1, d2) = two_against_three(field)
    made = f.series.shock.complete([Designation([a2], [d1, d2])])
    assert targets_of(f, made) == [(["A2"], [d1.id, d2.id])]


def test_11_31_complete_adds_uncovered_targets_and_those_who_must(field):
    f, (a1, a2, a3), (d1, d2) = two_against_three(field)
    made = f.series.shock.complete([Designation([a2], [d2])])
    assert targets_of(f, made) == [(["A2"], [d2.id, d1.id])]
    charge(a1)
    made = f.series.shock.complete([Designation([a2], [d2])])
    assert targets_of(f, made) == [(["A1"], [d1.id]), (["A2"], [d2.id])]
    made = f.series.shock.complete([Designation([a1, a2, a3], [d1, d2])])
    assert f.series.shock.check(made, f.battle.active) == []


def test_11_32_complete_is_legal_for_every_wish_and_every_set_of_charges(field):
    f, attackers, targets = two_against_three(field)
    f.battle.phasing = 0
    wishes = [[], [attackers[0]], [attackers[1]], attackers[:2], attackers[1:], attackers]
    for wish in wishes:
        for aims in ([], targets[:1], targets[1:], targets):
            for bits in range(8):
                for at, unit in enumerate(attackers):
                    unit.came_adjacent = unit.moved = bool(bits >> at & 1)
                made = f.series.shock.complete([Designation(wish, aims)])
                assert f.series.shock.check(made, f.battle.active) == [], (wish, aims, bits)


def test_11_32_complete_around_a_salient(field):
    """Six attackers around two defenders, of which every subset charges: always a legal set."""
    f = field(10, 10)
    d = [f.unit("d", "A0505", "W", side=1), f.unit("e", "A0604", "W", side=1)]
    places = [("A0404", "E"), ("A0405", "E"), ("A0506", "NNE"), ("A0606", "NNW"), ("A0703", "WSW"), ("A0503", "SSE")]
    names = {"NNE": "NNE", "NNW": "NNW", "WSW": "SSW", "SSE": "SSE", "E": "E"}
    attackers = [
        f.unit(f"a{at}", place, names[facing], orders=ATTACK) for at, (place, facing) in enumerate(places)
    ]
    f.play()
    f.begin(attackers[0])
    able = [unit for unit in attackers if f.series.shock.may_shock(unit)]
    assert len(able) >= 4 and len(d) == 2
    for bits in range(1 << len(able)):
        for at, unit in enumerate(able):
            unit.came_adjacent = unit.moved = bool(bits >> at & 1)
        made = f.series.shock.complete([])
        assert f.series.shock.check(made, f.battle.active) == [], bits
        assert bool(made) == (bits > 0)
