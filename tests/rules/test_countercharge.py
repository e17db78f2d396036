"""Rules 11.55, 11.56 and what they touch: the benefits of a charge, the countercharge, and the shock of chargers."""

import pytest

from simkit.model.battle import DAWN, DAY, DUSK, NIGHT
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, INFANTRY, MARCH, ROUTED
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import Designation
from simkit.rules.firemodifiers import RETURN, WITHDRAWAL
from simkit.rules.shockinprogress import Attacker, ShockInProgress


def charged(field, look="W", ground="clear", attacker=8, defender=4, of_charger=None, **of_defender):
    """A marked charger at A0404 facing east, the defender at A0503; nobody fires before the shock unless a test says.

    The brigadier is away, so -1 (11.72).
    """
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=attacker, kind=CAVALRY, orders=ATTACK, **(of_charger or {}))
    d = f.unit("d", "A0503", look, strength=defender, side=1, **of_defender)
    f.ground(ground, "A0503")
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 20
    mark(a)
    return f, a, d


def mark(*units):
    """Make mounted units as a charge leaves them."""
    for unit in units:
        unit.moved = unit.came_adjacent = unit.charging = unit.charge_marker = True


def charge_on_foot(*units):
    for unit in units:
        unit.moved = unit.came_adjacent = True


def put(f, *attackers, targets, continued=0):
    """A shock in progress of these units from where they stand."""
    made = [
        Attacker(unit, unit.hex, unit.heading, unit.moved, f.series.shock.charges(unit)) for unit in attackers
    ]
    return ShockInProgress(attackers[0].side, made, list(targets), continued)


def drms(f, shock):
    return f.series.shock.modifiers(shock, [shock])


def shock(f, *pairs):
    """Conduct shocks given as (attackers, target hexes) and hand back the shock events."""
    f.series.shock.conduct([Designation(list(a), list(t)) for a, t in pairs], f.battle.active)
    assert f.dice.used_up(), f"{len(f.dice.faces) - f.dice.at} dice left over after {f.dice.asked}"
    return f.events("shock")


def faults(f, *pairs):
    made = [Designation(list(attackers), list(targets)) for attackers, targets in pairs]
    return f.series.shock.check(made, f.battle.active)


# -- 11.55: benefits -------------------------------------------------------------------------------------------------


def test_11_55_one_for_charging_and_one_on_the_check_before(field):
    """11.55, 11.37, 11.42."""
    f, a, d = charged(field)
    made = put(f, a, targets=[d.hex])
    assert drms(f, made).charge == 1
    assert f.series.shock.pre_shock_drm(d.hex, [made]) == 1


def test_11_55_neither_where_terrain_helps_the_defender(field):
    f, a, d = charged(field, ground="woods")
    made = put(f, a, targets=[d.hex])
    assert drms(f, made).terrain < 0
    assert drms(f, made).charge == 0
    assert f.series.shock.pre_shock_drm(d.hex, [made]) == 0


def test_11_55_mounted_defenders_do_not_suffer_on_the_check(field):
    f, a, d = charged(field, kind=CAVALRY)
    made = put(f, a, targets=[d.hex])
    assert f.series.shock.pre_shock_drm(d.hex, [made]) == 0
    assert drms(f, made).charge == 1
    d.mounted = False
    assert f.series.shock.pre_shock_drm(d.hex, [made]) == 1


def test_11_51_ordinary_cavalry_shock_has_none_of_it(field):
    f, a, d = charged(field, "SSE")
    a.charging = a.charge_marker = False
    made = put(f, a, targets=[d.hex])
    assert drms(f, made).charge == 0
    assert f.series.shock.attack_strength(made) == 16
    assert f.series.shock.pre_shock_drm(d.hex, [made]) == 1  # for the flank


@pytest.mark.parametrize(("look", "ground", "halves"), [
    ("W", "clear", 16), ("SSE", "clear", 32), ("E", "clear", 32),
    ("W", "woods", 8), ("SSE", "woods", 16), ("E", "town", 16), ("W", "town", 8), ("W", "cedars", 8),
])
def test_11_43_11_55_doubled_through_flank_and_rear_halved_in_woods_and_town(field, look, ground, halves):
    """11.55: both together cancel each other; 11.43 adds cedars to woods. 8 points are 16 halves."""
    f, a, d = charged(field, look, ground)
    assert f.series.shock.attack_strength(put(f, a, targets=[d.hex])) == halves


@pytest.mark.parametrize(("ground", "halves"), [("woods", 8), ("cedars", 8), ("town", 16)])
def test_11_43_cavalry_that_does_not_charge_is_not_halved_in_a_town(field, ground, halves):
    f, a, d = charged(field, "W", ground)
    a.charging = a.charge_marker = False
    assert f.series.shock.attack_strength(put(f, a, targets=[d.hex])) == halves


def test_11_43_of_two_chargers_only_the_one_at_the_flank_is_doubled(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, kind=CAVALRY, orders=ATTACK)
    b = f.unit("b", "A0504", "N", strength=3, kind=CAVALRY, orders=ATTACK)
    b.heading = HEADING_NAMES.index("NNE")
    d = f.unit("d", "A0503", "W", side=1)
    f.play()
    f.begin(a)
    mark(a, b)
    made = put(f, a, b, targets=[d.hex])
    assert f.series.shock.attack_strength(made) == 16 + 12


def test_11_43_doubled_only_if_all_that_it_strikes_is_struck_so(field):
    """11.42, 11.43: of two targets one faces the charger: best for the defenders."""
    f, a, d = charged(field, "E")
    e = f.unit("e", "A0504", "W", strength=4, side=1)
    assert f.series.shock.attack_strength(put(f, a, targets=[d.hex, e.hex])) == 16
    assert f.series.shock.attack_strength(put(f, a, targets=[d.hex])) == 32


def test_11_55_11_47_nothing_of_it_in_a_continued_shock(field):
    f, a, d = charged(field, "SSE")
    made = put(f, a, targets=[d.hex], continued=1)
    assert drms(f, made).charge == 0
    assert f.series.shock.attack_strength(made) == 16
    assert f.series.shock.pre_shock_drm(d.hex, [made]) == 1  # flank alone


def test_11_55_11_41_a_charge_from_first_to_last(field):
    """11.37, 11.42, 11.48: a 5 and the charge are a rating of 6; 8 against 4 is +2, charge +1, no brigadier -1."""
    f, a, d = charged(field)
    f.roll(("cohesion", 5), ("shock", 3))
    event, = shock(f, ([a], [d.hex]))
    check, = f.events("udd")
    assert (check.drm, check.result) == (1, "passed")
    assert event.drm == 2 and "charge +1" in event.drms
    assert event.result == "Defender retreats"
    assert a.hex.id == "A0503" and a.disordered  # cavalry is disordered by any shock


# -- 11.21, 11.31, 11.32: who must, and with whom --------------------------------------------------------------------


def test_11_21_a_marked_charger_must_shock(field):
    f, a, d = charged(field)
    assert f.series.shock.must_shock(a)
    assert faults(f) == ["u/a must shock (11.21)"]
    assert faults(f, ([a], [d.hex])) == []


def test_12_34_who_was_disordered_twice_on_the_way_need_not(field):
    f, a, _d = charged(field)
    a.charge_marker = False
    assert not f.series.shock.must_shock(a) and f.series.shock.may_shock(a)


def side_by_side(field, **options):
    """Two chargers and a shocking cavalry unit around a defender."""
    f = field(12, 12)
    a = f.unit("a", "A0403", "E", kind=CAVALRY, orders=ATTACK, strength=3)
    b = f.unit("b", "A0404", "E", kind=CAVALRY, orders=ATTACK, strength=3)
    d = f.unit("d", "A0503", "W", side=1)
    f.play(options=options)
    f.begin(a)
    mark(a, b)
    return f, a, b, d


def test_11_32_adjacent_chargers_must_combine(field):
    f, a, b, d = side_by_side(field)
    assert faults(f, ([a], [d.hex]), ([b], [d.hex])) == ["u/a and u/b are adjacent and must combine (11.32)"]
    assert faults(f, ([a, b], [d.hex])) == []
    made, = f.series.shock.complete([Designation([a], [d.hex]), Designation([b], [d.hex])])
    assert made.attackers == [a, b]


def test_11_32_in_gringo_adjacent_cavalry_may_combine(field):
    f, a, b, d = side_by_side(field, edition="gringo")
    assert faults(f, ([a], [d.hex]), ([b], [d.hex])) == []
    assert faults(f, ([a, b], [d.hex])) == []


def test_11_32_charging_cavalry_never_combines_with_shocking(field):
    f, a, b, d = side_by_side(field)
    b.charging = b.charge_marker = False
    assert faults(f, ([a, b], [d.hex])) == ["u/b may not combine with u/a: one charges, one does not (11.32)"]
    assert faults(f, ([a], [d.hex]), ([b], [d.hex])) == []
    made = f.series.shock.complete([Designation([a], [d.hex]), Designation([b], [d.hex])])
    assert [one.attackers for one in made] == [[a], [b]]


def test_11_33_nobody_retreats_before_a_charge(field):
    f, a, d = charged(field, orders=ADVANCE)
    made = put(f, a, targets=[d.hex])
    assert not f.series.shock.may_retreat_before_shock(d, [made])


# -- 11.47: continued shock ------------------------------------------------------------------------------------------


def test_11_47_chargers_must_continue_the_first_time_and_their_charge_is_over(field):
    """11.47: an 8 or more; the next defender behind is shocked at once, without the charge's benefits."""
    f, a, d = charged(field)
    e = f.unit("e", "A0603", "W", strength=4, side=1)
    f.answers[0]["continue_shock"] = [False]
    f.roll(("cohesion", 0), ("shock", 6), ("shock", 5))
    first, second = shock(f, ([a], [d.hex]))
    assert first.mode == "shock" and first.adjusted == 8 and "charge +1" in first.drms
    assert second.mode == "continued" and "charge" not in second.drms and second.target == "c/e"
    assert "continue_shock" not in f.asked[0] and a.continued == 1
    assert e.hex.id != "A0603" and e.disordered


# -- 11.56: countercharge --------------------------------------------------------------------------------------------


def horse_meets(field, orders=ATTACK, **more):
    """Enemy cavalry that is charged from the front and wants to countercharge."""
    f, a, d = charged(field, kind=CAVALRY, orders=orders, defender=8, **more)
    f.answers[1]["countercharge"] = [True]
    return f, a, d


def test_11_56_under_attack_orders_it_is_automatic_and_takes_the_place_of_the_check(field):
    """11.56: no check before shock, no benefits for the charger: even strength 0, no brigadier -1."""
    f, a, d = horse_meets(field)
    f.roll(("shock", 6))
    event, = shock(f, ([a], [d.hex]))
    assert event.drm == -1 and "charge" not in event.drms
    assert d.countercharging and d.disordered
    assert [event.result for event in f.events("countercharge")] == ["passed"]
    assert f.events("pre-shock") == []


@pytest.mark.parametrize(("face", "rides"), [(6, True), (7, False)])
def test_11_56_under_advance_orders_by_a_check_and_after_a_failed_one_the_check_before_shock(field, face, rides):
    f, a, d = horse_meets(field, ADVANCE)
    f.roll(("cohesion", face))
    if not rides:
        f.roll(("cohesion", 0))
    f.roll(("shock", 6))
    event, = shock(f, ([a], [d.hex]))
    assert ("charge +1" in event.drms) is not rides
    assert d.countercharging is rides
    assert len(f.events("pre-shock")) == (0 if rides else 1)


def test_11_58_11_56_blown_cavalry_counts_as_under_advance_orders(field):
    f, a, d = horse_meets(field)
    d.disordered = d.blown = True
    f.roll(("cohesion", 4))
    made = put(f, a, targets=[d.hex])
    assert f.series.charge.countercharge(d.hex, [made])
    assert [event.mode for event in f.events("udd")] == ["countercharge"]


def test_11_56_not_under_march_orders(field):
    f, a, d = horse_meets(field)
    f.series.orders.give(d, MARCH)
    assert not f.series.charge.may_countercharge([d], d.hex, put(f, a, targets=[d.hex]))


@pytest.mark.parametrize("look", ["SSE", "E"])
def test_11_56_not_if_attacked_through_flank_or_rear(field, look):
    f, a, d = horse_meets(field, look=look)
    assert not f.series.charge.countercharge(d.hex, [put(f, a, targets=[d.hex])])
    assert "countercharge" not in f.asked[1]


def test_11_56_play_note_a_reaction_facing_change_first_makes_it_possible(field):
    """11.56 PLAY NOTE, 9.61: shocked through a flank it turns a vertex in reaction and then countercharges."""
    f = field(12, 12)
    c = f.unit("c", "A0205", "E", kind=CAVALRY, orders=ATTACK)
    d = f.unit("d", "A0605", "NNW", side=1, kind=CAVALRY, orders=ATTACK)
    f.play([("cohesion", 0), ("cohesion", 0)])
    f.begin(c)
    west = HEADING_NAMES.index("W")
    assert f.series.charge.ways([c])[0].end().id == "A0504"
    f.answers[0]["charge_way"] = [
        lambda series, units, ways: [way.end().id for way in ways].index("A0505")
    ]
    f.answers[1]["reaction_facing"] = [lambda series, unit, enemy, headings: headings.index(west)]
    assert f.series.charge.charge(c)
    assert d.heading == west
    f.answers[1]["countercharge"] = [True]
    f.roll(("shock", 6))
    event, = shock(f, ([c], [d.hex]))
    assert d.countercharging and "position" not in event.drms


@pytest.mark.parametrize("mode", [RETURN, WITHDRAWAL])
def test_11_56_not_after_return_or_withdrawal_fire(field, mode):
    f, a, d = horse_meets(field)
    made = put(f, a, targets=[d.hex])
    assert f.series.charge.may_countercharge([d], d.hex, made)
    f.series.fire.use(d.parts[0], a.hex, mode, 1, 8)
    assert f.series.fire.answered(d, mode)
    assert not f.series.charge.may_countercharge([d], d.hex, made)


@pytest.mark.parametrize(("ground", "may"), [("woods", False), ("cedars", False), ("town", True), ("clear", True)])
def test_11_56_example_not_at_infantry_in_woods(field, ground, may):
    """11.56: the terrain of a Charge Path is asked of the attacker's hex, here that of charging infantry."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1, kind=CAVALRY, orders=ATTACK)
    f.ground(ground, "A0404")
    f.play()
    f.begin(a)
    charge_on_foot(a)
    assert f.series.charge.may_countercharge([d], d.hex, put(f, a, targets=[d.hex])) is may


def test_11_56_across_a_stream_but_not_up_a_slope(field):
    for feature, may in (("stream", True), ("breastworks", False)):
        f = field(12, 12)
        a = f.unit("a", "A0404", "E", orders=ATTACK)
        d = f.unit("d", "A0503", "W", side=1, kind=CAVALRY, orders=ATTACK)
        f.hexside(feature, "A0404", "A0503")
        f.play()
        f.begin(a)
        charge_on_foot(a)
        assert f.series.charge.may_countercharge([d], d.hex, put(f, a, targets=[d.hex])) is may


def test_11_56_against_infantry_that_charges_minus_one_in_place_of_plus_one(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1, kind=CAVALRY, orders=ATTACK)
    f.play()
    f.begin(a)
    f.answers[1]["countercharge"] = [True]
    charge_on_foot(a)
    f.roll(("shock", 3), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([a], [d.hex]))
    assert event.drm == 0 and "countercharge -1" in event.drms and ", charge +1" not in event.drms
    assert event.result == "Bloody Standoff"


@pytest.mark.parametrize(("light", "may"), [(NIGHT, False), (DUSK, True), (DAWN, True), (DAY, True)])
def test_16_12_11_56_no_countercharge_at_night(field, light, may):
    """16.12, 11.56: a countercharge is a cavalry charge (11.5), and there is none at night, at infantry neither."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1, kind=CAVALRY, orders=ATTACK)
    f.play()
    f.begin(a)
    f.battle.turns[f.battle.turn].light = light
    charge_on_foot(a)
    f.answers[1]["countercharge"] = [True]
    assert f.series.charge.countercharge(d.hex, [put(f, a, targets=[d.hex])]) is may
    assert ("countercharge" in f.asked[1]) is may


def test_11_56_not_against_infantry_that_does_not_charge(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1, kind=CAVALRY, orders=ATTACK)
    f.play()
    f.begin(a)
    assert not f.series.charge.countercharge(d.hex, [put(f, a, targets=[d.hex])])
    assert "countercharge" not in f.asked[1]


def test_11_56_14_24_no_pre_shock_fire_by_the_stack_that_countercharges(field):
    f, a, d = horse_meets(field)
    g = f.unit("g", "A0503", "W", strength=6, side=1, kind=ARTILLERY)
    del f.answers[1]["pre_shock_fire"]
    f.roll(("shock", 6))
    shock(f, ([a], [d.hex]))
    assert "pre_shock_fire" not in f.asked[1] and f.events("fire") == []
    assert not f.series.fire.able(d) and (g.abandoned or not g.countercharging)


@pytest.mark.parametrize(("kind", "charging", "fires"), [
    (CAVALRY, True, False), (CAVALRY, False, True), (INFANTRY, True, True),
])
def test_14_24_10_43_cavalry_that_has_charged_does_not_fire_before_a_continued_shock_either(
    field, kind, charging, fires
):
    """14.24, 10.43: defenders who drove it back shock it in turn; it has charged in this activation, so it is silent.

    Infantry that has charged fires, and so does cavalry that has shocked without charging.
    """
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, kind=kind, orders=ATTACK)
    d = f.unit("d", "A0503", "W", side=1)
    f.play([] if not fires else [("fire", 0)])
    f.begin(a)
    a.moved = a.came_adjacent = True
    a.charging = charging
    f.fire_before_shock([put(f, d, targets=[a.hex], continued=1)])
    assert ([event.unit for event in f.events("fire")] == [a.id]) is fires
    assert ("pre_shock_fire" in f.asked[0]) is fires


def test_11_56_14_24_after_a_failed_check_it_may_fire(field):
    f, a, d = horse_meets(field, ADVANCE)
    f.answers[1]["pre_shock_fire"] = [0]
    f.roll(("cohesion", 9), ("cohesion", 0), ("fire", 0), ("shock", 5))
    shock(f, ([a], [d.hex]))
    assert [event.mode for event in f.events("fire")] == ["pre-shock"]


def stacked(field, edition):
    """A battery on top of cavalry under Advance Orders that is charged."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", kind=CAVALRY, orders=ATTACK)
    f.unit("g", "A0503", "W", strength=6, side=1, kind=ARTILLERY, cohesion=2)
    d = f.unit("d", "A0503", "W", side=1, kind=CAVALRY)
    f.play([("cohesion", 5)], options={"edition": edition})
    f.begin(a)
    mark(a)
    f.answers[1]["countercharge"] = [True]
    return f, d, f.series.charge.countercharge(d.hex, [put(f, a, targets=[d.hex])])


def test_11_56_the_top_cavalry_unit_checks_for_the_stack(field):
    f, d, rides = stacked(field, "dead_of_winter")
    assert rides and [event.unit for event in f.events("udd")] == ["c/d"] and d.countercharging


@pytest.mark.parametrize("edition", ["gringo", "into_the_woods"])
def test_11_56_in_the_older_books_the_top_unit_checks(field, edition):
    f, d, rides = stacked(field, edition)
    assert not rides and [event.unit for event in f.events("udd")] == ["c/g"] and not d.countercharging


def test_11_56_it_may_continue_shock_after_the_attacker_retreats(field):
    """11.56, 11.47: the charger is thrown back; the horse follows and shocks in turn, without a charge's benefits."""
    f, a, d = horse_meets(field)
    f.answers[1]["continue_shock"] = [True]
    f.answers[0]["pre_shock_fire"] = [-1]
    f.answers[0]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0304")]
    f.roll(("shock", 0), ("shock", 5), ("cohesion", 0))
    first, second = shock(f, ([a], [d.hex]))
    assert first.result == "Attacker retreats"
    assert (second.mode, second.unit, second.target) == ("continued", "c/d", "u/a")
    assert "charge" not in second.drms


def test_11_55_11_56_no_countercharge_in_a_continued_shock(field):
    f, a, d = horse_meets(field)
    made = put(f, a, targets=[d.hex], continued=1)
    assert not f.series.charge.countercharge(d.hex, [made])


def test_11_48_12_51_a_second_shock_of_disordered_chargers_blows_them(field):
    """11.48: cavalry disordered on its way to the enemy is Blown once it has shocked."""
    f, a, d = charged(field, of_charger={"disordered": True})
    f.roll(("cohesion", 0), ("shock", 4))
    shock(f, ([a], [d.hex]))
    assert a.disordered and a.blown
    assert d.place != ROUTED
