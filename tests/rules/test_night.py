"""Chapter 16.1: dawn, dusk and night turns."""

import pytest

from simkit.model.battle import DAWN, DAY, DUSK, NIGHT
from simkit.rules.commander import CommanderError
from simkit.rules.firemodifiers import PHASING, RETURN

LIGHTS = (DAY, DAWN, DUSK, NIGHT)


def darken(f, light):
    f.battle.turns[f.battle.turn].light = light


def drms(f, unit, target, mode=PHASING, standing=True):
    f.series.fire.modifier(unit, unit.hex, target.parts[0], mode, standing)
    found = f.series.fire.drms
    return found.light, found.night


@pytest.mark.parametrize(("points", "half"), [(5, 3), (4, 2), (1, 1), (6, 3)])
def test_16_11_16_12_command_ranges_are_halved_and_rounded_up(field, points, half):
    """16.11, 16.12, 4.15."""
    f = field(10, 3)
    leader = f.leader("B", "A0202", command_range=points)
    f.play()
    for light in LIGHTS:
        darken(f, light)
        assert f.series.command.command_range(leader) == 2 * (points if light == DAY else half)


def test_16_12_a_unit_in_range_by_day_is_out_of_command_at_night(field):
    """16.12, 4.22: five points reach five clear hexes by day and three at night."""
    f = field(12, 3)
    f.leader("B", "A0202", command_range=5)
    near = f.unit("1 IL", "A0502")
    far = f.unit("2 IL", "A0702")
    f.play()
    f.series.command.determine()
    assert near.in_command and far.in_command
    darken(f, NIGHT)
    f.series.command.determine()
    assert near.in_command and not far.in_command


@pytest.mark.parametrize("light", [DAWN, DUSK])
def test_16_11_dawn_and_dusk_take_two_off_fire_beyond_one_hex(field, light):
    """16.11, 10.81: at one hex there is no modifier."""
    f = field(10, 4)
    a = f.unit("A", "A0302")
    near = f.unit("near", "A0402", "W", side=1)
    two = f.unit("two", "A0502", "W", side=1)
    three = f.unit("three", "A0602", "W", side=1)
    f.play()
    f.begin(a)
    darken(f, light)
    assert [drms(f, a, enemy) for enemy in (near, two, three)] == [(0, 0), (-2, 0), (-2, 0)]


def test_16_12_the_printed_night_modifiers_add_up_hex_by_hex(field):
    """16.12, 10.81: -1 at one hex, -3 at two, -10 at four; told as night, not as dusk."""
    f = field(10, 4)
    g = f.unit("1 OH", "A0302", kind=2)
    one = f.unit("one", "A0402", "W", side=1)
    two = f.unit("two", "A0502", "W", side=1)
    three = f.unit("three", "A0602", "W", side=1)
    four = f.unit("four", "A0702", "W", side=1)
    f.play()
    f.begin(g)
    darken(f, NIGHT)
    assert [drms(f, g, enemy) for enemy in (one, two, three, four)] == [(0, -1), (0, -3), (0, -6), (0, -10)]
    f.series.fire.modifier(g, g.hex, two.parts[0], PHASING, True)
    assert "night -3" in f.series.fire.drms.text()
    assert "dusk" not in f.series.fire.drms.text()


@pytest.mark.parametrize("light", LIGHTS)
def test_16_12_10_52_no_prepared_fire_at_night(field, light):
    """16.12, 10.52: neither phasing nor in return; at dawn and dusk as by day."""
    f = field(6, 4)
    a = f.unit("A", "A0302")
    b = f.unit("B", "A0402", "W", side=1)
    f.play()
    f.begin(a)
    darken(f, light)
    assert f.series.fire.prepared(a, 1, PHASING, True) is (light != NIGHT)
    assert f.series.fire.prepared(b, 1, RETURN, True) is (light != NIGHT)


def batteries(field):
    f = field(12, 4)
    g = f.unit("G", "A0302", kind=2, strength=6)
    h = f.unit("H", "A0302", kind=2, strength=6)
    b = f.unit("B", "A0702", "W", side=1, kind=2, strength=6)
    c = f.unit("C", "A0702", "W", side=1, kind=2, strength=6)
    return f, g, h, b, c


def test_16_12_10_63_phasing_batteries_fire_separately_at_night(field):
    """16.12, 10.63: by day two batteries of a hex combine, at night they may not."""
    f, g, h, b, _ = batteries(field)
    f.play([("fire", 0)])
    f.begin(g)
    darken(f, NIGHT)
    with pytest.raises(CommanderError, match=r"16\.12"):
        f.series.fire.phasing_together([g, h], b.hex)
    assert f.battle.fires == [0, 0]
    darken(f, DUSK)
    f.answers[1]["return_fire"] = [0, 0]
    f.series.fire.phasing_together([g, h], b.hex)
    assert f.battle.fires[0] == 1


@pytest.mark.parametrize(("light", "rolls"), [(DAY, 1), (NIGHT, 2)])
def test_16_12_10_63_batteries_answer_separately_at_night(field, light, rolls):
    """16.12, 10.63: two batteries that return fire roll once by day, each for itself at night."""
    f, g, _, b, _ = batteries(field)
    f.play([("fire", 0)] * 3)
    f.begin(g)
    darken(f, light)
    f.series.fire.phasing(g, [b.hex], False)
    assert f.battle.fires == [1, rolls]
    assert ("combine_guns" in f.asked[1]) is (light == DAY)


@pytest.mark.parametrize("light", LIGHTS)
def test_16_12_no_cavalry_charge_and_tiring_attacks_at_night(field, light):
    """16.12, 6.16."""
    f = field(4, 4)
    f.unit("A", "A0302")
    f.play()
    darken(f, light)
    assert f.series.night.no_charge() is (light == NIGHT)
    assert f.series.night.attack_tires() is (light == NIGHT)


@pytest.mark.parametrize(("edition", "bears"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
def test_16_11_16_12_only_gringo_halves_the_ranges_of_weapons(field, edition, bears):
    """16.11, 16.12 of Gringo! (gringo:2016, 2023): maximum ranges are halved there too, rounding up."""
    f = field(14, 4)
    a = f.unit("A", "A0302")
    most = int(a.weapon.max_range)
    half = (most + 1) // 2
    far = f.hex(f"A{3 + half + 1:02d}02")
    edge = f.hex(f"A{3 + half:02d}02")
    assert half < most
    f.play(options={"edition": edition})
    f.begin(a)
    assert f.series.fire.bears_on(a, far, PHASING)
    for light in (DAWN, DUSK, NIGHT):
        darken(f, light)
        assert f.series.fire.bears_on(a, far, PHASING) is bears
        assert f.series.fire.bears_on(a, edge, PHASING)
