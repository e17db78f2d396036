"""Rules 10.91 to 10.94, by option `small_arms_ammunition`: small arms run low and out, and what makes it good."""

import pytest

from simkit.commanders.heuristic import HeuristicCommander
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, ELIMINATED, EXTENDED_LINE, MARCH
from simkit.play.audit import audit
from simkit.rules.commander import Aim
from simkit.rules.firemodifiers import PHASING
from simkit.rules.shockinprogress import Attacker, ShockInProgress
from simkit.scenario.doctrines import doctrine

# On these maps A0303 facing E has A0403 and A0404 in front; A0403 facing W has A0302 and A0303, and A0404 has A0303
# and A0304.

MISS = ("fire", 0)
FIVE = ("fire", 5)
IN_USE = {"small_arms_ammunition": "yes"}


def duel(field, *dice, options=None, mine=1, theirs=1, **more):
    """Two regiments of a point face to face, whose 5s have no effect on the enemy; the first is the phasing one."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=mine, **more)
    b = f.unit("B", "A0403", "W", strength=theirs, side=1)
    f.play(dice, options=IN_USE if options is None else options)
    f.begin(a)
    return f, a, b


def no_return(f, side=1):
    f.answers[side]["return_fire"] = [0] * 9


# -- 10.91 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "die", "after"), [(0, 5, 1), (1, 5, 2), (0, 4, 0), (0, 6, 0), (1, 7, 1)])
def test_10_91_an_unadjusted_5_costs_a_level(field, before, die, after):
    """10.91: Low Ammo, then Out; the modifiers do not matter."""
    f, a, b = duel(field, ("fire", die), ("cohesion", 0))
    a.ammo = before
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.ammo == after
    assert [event.result for event in f.events("ammunition")] == [("low", "out")[after - 1]] * (after > before)


def test_10_91_low_ammunition_costs_two_on_the_die_and_out_forbids_fire(field):
    """10.91: -2 at Low, no firing at Out, phasing or not."""
    f, a, b = duel(field)
    a.ammo = 1
    assert f.series.fire.modifier(a, a.hex, b.parts[0], PHASING, True) == 1 - 2
    assert f.series.fire.drms.ammo == -2 and f.series.fire.may_fire(a)
    a.ammo = 2
    assert not f.series.fire.may_fire(a) and not f.series.fire.able(a)


def test_10_91_not_without_the_option(field):
    f, a, b = duel(field, FIVE, FIVE, options={})
    f.series.fire.phasing(a, [b.hex], False)
    assert (a.ammo, b.ammo) == (0, 0)


@pytest.mark.parametrize(("mounted", "ammo"), [(True, 0), (False, 1)])
def test_10_91_mounted_cavalry_is_exempt(field, mounted, ammo):
    """10.91: the rule does not apply to mounted cavalry; dismounted it does."""
    f, a, b = duel(field, FIVE, kind=CAVALRY, mounted=mounted, mine=2)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.ammo == ammo


def test_10_91_both_sides_of_an_exchange_deplete(field):
    f, a, b = duel(field, FIVE, FIVE)
    f.series.fire.phasing(a, [b.hex], False)
    assert (a.ammo, b.ammo) == (1, 1)


@pytest.mark.parametrize(("dice", "ammo"), [((5, 0), 1), ((0, 5), 1), ((5, 5), 2)])
def test_10_91_the_new_level_counts_only_after_a_split_fire(field, dice, ammo):
    """10.91: the modifier applies after the unit has finished its fire, including split fire; each 5 costs a level."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=2, orders=ATTACK)
    f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0404", "W", side=1)
    f.play([("fire", die) for die in dice], options=IN_USE)
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [f.hex("A0403"), f.hex("A0404")], False)
    assert a.ammo == ammo and all("low ammo" not in event.drms for event in f.events("fire"))


def test_10_91_8_45_the_parts_of_a_line_have_one_ammunition(field):
    """8.45, 10.91: a 5 of the first part does not burden the second, and costs the whole line a level."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=2, orders=ATTACK)
    f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0405", "W", side=1)
    f.battle.add_part(a, f.hex("A0304"), 0, EXTENDED_LINE)
    f.play([FIVE, MISS], options=IN_USE)
    f.begin(a)
    no_return(f)
    f.series.fire.phasing_parts(a, [Aim([a.parts[0]], [f.hex("A0403")]), Aim([a.parts[1]], [f.hex("A0405")])])
    assert a.ammo == 1 and all("low ammo" not in event.drms for event in f.events("fire"))


def shock(attackers, target):
    return ShockInProgress(0, [Attacker(unit, unit.hex, unit.heading, False, False) for unit in attackers], [target], 0)


def test_10_91_pre_shock_fire_split_between_two_hexes(field):
    """10.91, 10.43: both parts are fired before the new level counts."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "E")
    c = f.unit("C", "A0303", "E")
    b = f.unit("B", "A0403", "W", side=1, strength=2)
    f.play([FIVE, MISS], options=IN_USE)
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [2]
    f.fire_before_shock([shock([a, c], b.hex)])
    assert b.ammo == 1 and all("low ammo" not in event.drms for event in f.events("fire"))


def test_10_91_points_held_back_are_a_later_fire(field):
    """10.91, 10.15: what was kept for a second answer suffers from what the first one cost."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1)
    c = f.unit("C", "A0302", "E", strength=1)
    b = f.unit("B", "A0403", "W", side=1, strength=2)
    f.play([MISS, FIVE, MISS, MISS], options=IN_USE)
    f.begin(a)
    f.answers[1]["return_fire"] = [1, 1]
    f.series.fire.phasing(a, [b.hex], False)
    f.series.fire.phasing(c, [b.hex], False)
    answers = [event for event in f.events("fire") if event.unit == "c/b"]
    assert [("low ammo -2" in event.drms) for event in answers] == [False, True]


# -- 10.41: fire at a hex vacated meanwhile ----------------------------------------------------------------------------


def withdrawing(field, *dice, options=None, weapon="", kind=0, strength=5):
    """Two who declare withdrawal fire at a single point; the first one's shot leaves nobody for the second."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1, orders=ATTACK)
    f.unit("B", "A0403", "W", side=1, strength=5)
    c = f.unit("C", "A0404", "W", side=1, strength=strength, weapon=weapon, kind=kind)
    f.play(dice, options=IN_USE if options is None else options)
    f.begin(a)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert a.place == ELIMINATED and f.dice.used_up()
    return f, c


@pytest.mark.parametrize(("die", "ammo"), [(5, 1), (4, 0), (0, 0)])
def test_10_41_declared_fire_at_a_vacated_hex_still_depletes_on_a_5(field, die, ammo):
    """10.41: with small-arms ammunition in use the die is rolled, and a 5 depletes."""
    f, c = withdrawing(field, ("fire", 9), ("fire", die))
    assert c.ammo == ammo
    assert [(event.unit, event.target_hex, event.roll) for event in f.events("vain")] == [("c/c", "A0303", die)]


def test_10_41_without_the_option_no_die_is_rolled(field):
    f, c = withdrawing(field, ("fire", 9), options={})
    assert c.ammo == 0 and f.events("vain") == []


@pytest.mark.parametrize(("die", "ammo"), [(5, 1), (4, 0)])
def test_10_41_guns_too(field, die, ammo):
    """10.41: the firing unit depletes, whatever it is: guns whose pre-shock target the infantry has driven off."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1)
    b = f.unit("B", "A0403", "W", side=1)
    g = f.unit("G", "A0404", "W", side=1, strength=4, kind=ARTILLERY, weapon="R3")
    f.play([("fire", 9), ("fire", die)], options=IN_USE)
    f.begin(a)
    f.fire_before_shock([shock([a], b.hex)])
    assert a.place == ELIMINATED and g.ammo == ammo


def test_example_10_42_fire_at_units_that_are_gone_may_deplete(field):
    """10.42 EXAMPLE #3 (dead-of-winter:1275), 10.41: the bottom unit's "d" is lost, but its 5 costs ammunition."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1)
    b = f.unit("B", "A0403", "W", side=1, strength=3)
    c = f.unit("C", "A0403", "W", side=1, strength=4)
    f.play([MISS, ("fire", 9), FIVE], options=IN_USE)
    f.begin(a)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.place == ELIMINATED and (b.ammo, c.ammo) == (0, 1)


# -- 10.82: combined fire ----------------------------------------------------------------------------------------------


def stack(field, *dice):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=1)
    c = f.unit("C", "A0303", "E", strength=1)
    b = f.unit("B", "A0403", "W", side=1)
    f.play(dice, options={"combined_fire": "yes", **IN_USE})
    f.begin(a)
    no_return(f)
    return f, a, c, b


def test_10_82_the_worst_ammunition_counts_for_all(field):
    """10.82: one unit at Low Ammo gives the combined fire its -2."""
    f, a, c, b = stack(field, MISS)
    c.ammo = 1
    f.series.fire.phasing(a, [b.hex], False)
    (event,) = f.events("fire")
    assert event.sp == 2 and "low ammo -2" in event.drms


def test_10_82_10_91_a_5_depletes_all_who_combined(field):
    f, a, c, b = stack(field, FIVE, ("cohesion", 0))
    f.series.fire.phasing(a, [b.hex], False)
    assert (a.ammo, c.ammo) == (1, 1)


def test_10_82_10_91_one_that_is_out_takes_no_part(field):
    f, a, c, b = stack(field, MISS)
    c.ammo = 2
    f.series.fire.phasing(a, [b.hex], False)
    (event,) = f.events("fire")
    assert event.sp == 1 and event.drms == "prepared +1" and not c.fired


# -- 10.92, 10.93, 13.41: the action -----------------------------------------------------------------------------------


def resting(field, ammo=2, **more):
    f = field(12, 8)
    a = f.unit("A", "A0404", "E", **more)
    a.ammo = ammo
    f.unit("B", "A0903", "W", side=1)
    f.play(options=IN_USE)
    f.begin(a)
    return f, a


def test_10_92_small_arms_make_good_a_level_an_activation(field):
    """10.92: Out to Low, Low to full, without a roll; and nothing else in that activation."""
    f, a = resting(field)
    f.series.effectiveness.resupply(a)
    assert a.ammo == 1 and f.dice.used_up() and not f.series.effectiveness.may_resupply(a)
    assert not f.series.fire.may_fire(a) and not f.series.movement.may_move(a)
    f.begin(a)
    f.series.effectiveness.resupply(a)
    assert a.ammo == 0


@pytest.mark.parametrize("turns", [0, 1])
def test_10_92_a_unit_that_resupplies_may_turn_a_vertex(field, turns):
    f, a = resting(field, ammo=1)
    heading = a.heading
    f.answers[0]["heading_after"] = [turns]
    f.series.effectiveness.resupply(a)
    assert a.heading == (heading + 2 * turns) % 12 and a.faced == turns


def test_10_92_not_if_it_has_turned_after_its_rally_or_failed_it(field):
    """10.92, 13.41: one vertex in all; none after a rally that fails."""
    f, a = resting(field, ammo=1, disordered=True)
    f.roll(("rally", 0))
    f.answers[0]["heading_after"] = [1, 1]
    f.series.effectiveness.rally(a)
    turned = a.heading
    f.series.effectiveness.resupply(a)
    assert a.heading == turned and f.asked[0].count("heading_after") == 1
    f, a = resting(field, ammo=1, disordered=True)
    f.roll(("rally", 8))
    f.series.effectiveness.rally(a)
    f.series.effectiveness.resupply(a)
    assert "heading_after" not in f.asked[0] and a.ammo == 0


def test_13_41_no_turn_after_a_rally_for_who_has_turned_after_resupplying(field):
    """13.41: the whole stack turns once: a mate's turn after resupply leaves the rallied unit none."""
    f = field(12, 8)
    a = f.unit("A", "A0404", "E")
    c = f.unit("C", "A0404", "E", disordered=True)
    a.ammo = 1
    f.unit("B", "A0903", "W", side=1)
    f.play([("rally", 0)], options=IN_USE)
    f.begin(a)
    f.answers[0]["heading_after"] = [1, 1]
    f.series.effectiveness.resupply(a)
    f.series.effectiveness.rally(c)
    assert f.asked[0].count("heading_after") == 1 and a.heading == c.heading


def test_13_41_an_extended_unit_does_not_turn_after_its_rally(field):
    f = field(12, 8)
    a = f.unit("A", "A0404", "E", strength=8, disordered=True)
    f.unit("B", "A0903", "W", side=1)
    f.battle.add_part(a, f.hex("A0405"), 0, EXTENDED_LINE)
    f.play([("rally", 0)], options=IN_USE)
    f.begin(a)
    assert f.series.effectiveness.rally(a) and "heading_after" not in f.asked[0]


def test_10_93_no_resupply_beside_the_enemy_for_any_part(field):
    """10.93: adjacent to an enemy, of a line with any part, no resupply."""
    f = field(12, 8)
    a = f.unit("A", "A0404", "E", strength=8)
    f.battle.add_part(a, f.hex("A0405"), 0, EXTENDED_LINE)
    b = f.unit("B", "A0406", "NNW", side=1)
    f.play(options=IN_USE)
    f.begin(a)
    a.ammo = 1
    assert f.hex("A0404").distance_to(b.hex) == 2 and not f.series.effectiveness.may_resupply(a)


def test_6_23_a_brigade_that_stands_may_resupply_its_small_arms(field):
    """6.23: a Stand result does not prohibit resupplying."""
    f, a = resting(field, ammo=1)
    a.stands = True
    assert not f.series.movement.may_move(a)
    f.series.effectiveness.resupply(a)
    assert a.ammo == 0


@pytest.mark.parametrize("spoiler", ["moved", "fired", "march", "restacked"])
def test_10_92_who_may_not_resupply(field, spoiler):
    f, a = resting(field, ammo=1)
    if spoiler == "march":
        a.orders = MARCH
    else:
        setattr(a, spoiler, True)
    assert not f.series.effectiveness.may_resupply(a)


def test_10_94_cavalry_that_mounts_has_all_its_ammunition(field):
    """10.94: dismounted cavalry that mounts is fully resupplied."""
    f = field(12, 8)
    a = f.unit("A", "A0404", "E", kind=CAVALRY, mounted=False)
    f.unit("B", "A0903", "W", side=1)
    f.play(options=IN_USE)
    f.begin(a)
    a.ammo = 2
    f.series.mounting.mount(a)
    assert a.is_mounted() and a.ammo == 0


def test_10_91_the_audit_knows_who_can_be_short_of_ammunition(field):
    f, _ = resting(field, ammo=1)
    assert audit(f.battle) == []
    horse = f.unit("H", "A0202", "E", kind=CAVALRY)
    horse.ammo = 1
    assert any("ammunition" in fault for fault in audit(f.battle))


# -- the heuristic commander -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ammo", "enemy", "fetched"), [(2, "A0604", True), (1, "A0903", True), (0, "A0903", False)])
def test_10_92_the_heuristic_commander_resupplies_who_is_out_or_not_in_range(field, ammo, enemy, fetched):
    f = field(12, 8)
    a = f.unit("A", "A0404", "E", orders=ADVANCE)
    f.unit("B", enemy, "W", side=1)
    f.play(options=IN_USE)
    f.begin(a)
    a.ammo = ammo
    commander = HeuristicCommander(doctrine("steady"), [])
    commander.side = 0
    f.series.equip(f.dice, f.log, [commander, f.commanders[1]])
    assert commander._fetch_ammunition(f.series, a) == fetched
    assert a.ammo == max(ammo - 1, 0)
