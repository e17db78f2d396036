"""Charges and Blown cavalry among works, sections, routs and shocks repeated in place (11.4, 11.5, 12.5)."""

import pytest

from simkit.model.forces import ATTACK, CAVALRY, EXTENDED_LINE, ROUTED
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import Designation
from simkit.rules.shockinprogress import Attacker, ShockInProgress

WEST = HEADING_NAMES.index("W")


def charged(field, works, ground="clear"):
    """A marked charger beside infantry in works, or without any."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, kind=CAVALRY, orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    f.ground(ground, "A0503")
    f.play()
    f.begin(a)
    for unit in (a,):
        unit.moved = unit.came_adjacent = unit.charging = unit.charge_marker = True
    if works:
        f.battle.works.stand_in(d.hex, (WEST - 1) // 2)
    attacker = Attacker(a, a.hex, a.heading, True, True)
    return f, d, ShockInProgress(0, [attacker], [d.hex], 0)


def test_11_55_11_37_15_23_works_do_not_take_the_charge_off_the_check(field):
    """11.55: terrain alone takes the benefits away, of the check as of the shock; works (15.23) give their own -1."""
    f, d, shock = charged(field, False)
    assert f.series.shock.pre_shock_drm(d.hex, [shock]) == 1
    f, d, shock = charged(field, True)
    assert f.series.engineering.within(f.hex("A0404"), d.hex)
    assert f.series.shock.modifiers(shock, [shock]).charge == 1
    assert f.series.shock.pre_shock_drm(d.hex, [shock]) == 0


def test_11_55_11_37_15_23_works_in_woods_take_it_off_by_the_woods(field):
    f, d, shock = charged(field, True, "woods")
    assert f.series.shock.modifiers(shock, [shock]).charge == 0
    assert f.series.shock.pre_shock_drm(d.hex, [shock]) == -1


def test_11_58_12_53_the_blown_marker_of_a_routed_unit_goes_with_its_next_activation(field):
    """11.58: at the end of the command's next activation, wherever the unit is."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", kind=CAVALRY, disordered=True)
    f.unit("b", "A0406", "E")
    f.unit("enemy", "A1204", "W", side=1)
    f.play()
    a.blown = True
    f.battle.phasing = 0
    f.series.results.rout(a, "test")
    assert a.place == ROUTED
    f.series.activation.brigade([a.command])
    assert not a.blown


def test_11_47_who_cannot_retreat_is_shocked_again_and_nobody_besides(field):
    """11.47: in place the same defending hex is shocked again, not the neighbour whom another shock awaits."""
    f = field(5, 8)
    a = f.unit("a", "A0404", "E", strength=9, orders=ATTACK)
    b = f.unit("b", "A0405", "E", strength=9, orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1, strength=9)
    e = f.unit("e", "A0504", "W", side=1, strength=9)
    f.unit("watch", "A0402", "E", brigade=f.brigade("2/1/U"))  # has the only way out in front
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 20
    f.answers[0]["continue_shock"] = [True]
    assert [place.id for place in f.series.shock.targets(a)] == ["A0503", "A0504"]
    assert not f.series.retreat.could([d], 1, 1, [a.hex])
    f.roll(*[("cohesion", 0)] * 2, ("shock", 9), ("shock", 5), *[("cohesion", 0)] * 2)
    f.roll(("shock", 5), *[("cohesion", 0)] * 4)
    f.series.shock.conduct([Designation([a], [d.hex]), Designation([b], [e.hex])], f.battle.active)
    told = [(event.mode, event.unit, event.target) for event in f.events("shock")]
    assert told[:2] == [("shock", "u/a", "c/d"), ("continued", "u/a", "c/d")]
    assert told[2] == ("shock", "u/b", "c/e")


def test_11_47_11_32_horse_and_foot_that_strike_back_in_place_do_not_combine(field):
    """11.32, 11.47: the attackers cannot retreat; of a mixed stack only the arm on top shocks in turn."""
    f = field(5, 8)
    a = f.unit("a", "A0503", "W", strength=9, orders=ATTACK)
    h = f.unit("h", "A0404", "E", strength=9, side=1, kind=CAVALRY)
    f.unit("i", "A0404", "E", strength=9, side=1)
    f.unit("watch", "A0402", "E", side=1)  # has the only way out in front
    f.play()
    f.begin(a)
    for side in (0, 1):
        f.answers[side]["pre_shock_fire"] = [-1] * 20
    f.answers[1]["continue_shock"] = [True]
    f.roll(("cohesion", 0), ("shock", 0), ("shock", 4), *[("cohesion", 0)] * 4)
    f.series.shock.conduct([Designation([a], [h.hex])], f.battle.active)
    told = [(event.mode, event.unit, event.target) for event in f.events("shock")]
    assert told == [("shock", "u/a", "c/h, c/i"), ("continued", "c/h", "u/a")]


@pytest.mark.parametrize(("ground", "halves"), [("A0503", 8), ("A0504", 16)])
def test_11_43_8_46_of_a_line_only_the_hexes_struck_halve_the_horse(field, ground, halves):
    """11.43: halved if it shocks into woods; the line's other hex is none that it shocks into."""
    f = field(12, 12)
    a = f.unit("a", "A0403", "E", strength=8, kind=CAVALRY, orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1, strength=12)
    f.battle.add_part(d, f.hex("A0504"), 0, EXTENDED_LINE)
    f.ground("woods", ground)
    f.play()
    f.begin(a)
    a.moved = a.came_adjacent = a.charging = a.charge_marker = True
    attacker = Attacker(a, a.hex, a.heading, True, True)
    shock = ShockInProgress(0, [attacker], f.series.shock.whole([d.hex]), 0)
    assert [place.id for place in shock.struck()] == ["A0503"] and len(shock.targets) == 2
    assert f.series.shock.attack_strength(shock) == halves
