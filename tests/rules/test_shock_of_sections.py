"""Batteries of several sections in shock: their strength, the standoff, abandonment and recrewing (11.6, 12.8)."""

from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, ELIMINATED
from simkit.model.sections import divide
from simkit.play.audit import audit
from simkit.rules.commander import Designation


def assaulted(field, *faces, disordered=False):
    """Infantry that shocks a lone battery of three Napoleons and four rifles."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    g = f.unit("g", "A0503", "W", side=1, kind=ARTILLERY, strength=7, weapon="N", disordered=disordered, orders=ADVANCE)
    divide(g, [f.charts.weapon("N"), f.charts.weapon("R3")], [3, 4], [3, 4])
    g.sections[1].ammo = 1
    f.play(faces)
    f.begin(a)
    return f, a, g


def test_11_63_all_guns_of_all_sections_count_together(field):
    """11.63: seven guns are one point, as those of one type would be."""
    f, _a, g = assaulted(field)
    assert f.series.shock.stack_strength(g.hex) == 2


def test_11_62_12_8_12_81_a_battery_is_abandoned_and_recrewed_as_a_whole(field):
    """11.62: disordered guns that fail are abandoned; 12.81: they come back disordered, with guns and ammunition."""
    f, a, g = assaulted(field, ("cohesion", 9), disordered=True)
    f.series.shock.conduct([Designation([a], [g.hex])], f.battle.active)
    assert g.abandoned == 1 and [section.guns for section in g.sections] == [3, 4]
    assert a.hex is g.hex and f.battle.units_in(g.hex) == [a]
    assert audit(f.battle) == []
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0101"), False)
    b = f.unit("b", "A0503", "W", side=1)
    assert f.series.results.recrew(g)
    assert (g.abandoned, g.disordered, g.heading) == (0, True, b.heading)
    assert [(section.guns, section.ammo) for section in g.sections] == [(3, 0), (4, 1)]
    assert g.strength == 7


def test_12_82_a_battery_that_nobody_recrews_loses_all_its_sections(field):
    f, _a, g = assaulted(field)
    f.series.results.abandon(g, "test")
    f.series.results.guns_in_recovery()
    assert g.abandoned == 2
    f.series.results.guns_in_recovery()
    assert g.place == ELIMINATED and [section.guns for section in g.sections] == [0, 0]
    assert g.losses() == 7
