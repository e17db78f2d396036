"""Batteries of several sections: their fire, losses, ammunition and order (2.41, 8.37, 10.63 to 10.69, 10.92)."""

from fractions import Fraction

import pytest

from simkit.model.charts import CAUSE_FIRE
from simkit.model.firebook import NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, ATTACK, BY_CANISTER, ELIMINATED, REFUSED_RIGHT
from simkit.model.sections import divide, firers, resize
from simkit.play.audit import audit
from simkit.rules.commander import Aim, CommanderError
from simkit.rules.dice import EnumeratingTape, ScriptedDice
from simkit.rules.firemodifiers import APPROACH, PHASING, PRE_SHOCK, RETURN
from simkit.rules.shockinprogress import Attacker, ShockInProgress


class Steady(ScriptedDice):
    """Scripted fire; every check is passed."""

    def check(self, stream, subject, most):
        return True


def battery(f, place, *sections, facing="E", side=0, name="Bty", **more):
    """A battery of sections, each a number of guns and a type, top first."""
    total = sum(guns for guns, _ in sections)
    unit = f.unit(name, place, facing, kind=ARTILLERY, strength=total, weapon=sections[0][1], side=side, **more)
    guns = [count for count, _ in sections]
    divide(unit, [f.charts.weapon(code) for _, code in sections], guns, guns)
    return unit


def against(field, distance, *sections, dice=(), strength=5):
    """A battery before a lone enemy regiment at a distance, in its activation, nobody answering; these fire dice."""
    f = field(20, 12)
    g = battery(f, "A0206", *sections)
    b = f.unit("B", ahead(f, g, distance), "W", strength=strength, side=1)
    start(f, g, *dice)
    f.answers[1]["return_fire"] = [0] * 9
    return f, g, b


def start(f, unit, *dice):
    f.play()
    f.series.equip(Steady([("fire", die) for die in dice]), f.log, f.commanders)
    f.begin(unit)


def ahead(f, unit, distance):
    """A hex straight before a unit that faces east."""
    for place in f.map.hexes:
        if unit.hex.distance_to(place) == distance and place.q - unit.hex.q == distance:
            return place.id
    raise AssertionError


def fires(f):
    """Guns, points, range DRM and the rest of each fire."""
    return [(event.guns, event.sp) for event in f.events("fire")]


def levels(unit):
    """Ammunition of each section in the order of the roster."""
    return [section.ammo for section in sorted(unit.sections, key=lambda section: section.number)]


# -- one unit (2.41, 5.33, 8.37) -------------------------------------------------------------------------------------


def test_2_41_8_37_sections_make_up_one_unit_of_all_their_guns(field):
    f, g, _b = against(field, 5, (4, "N"), (2, "R3"))
    assert (g.strength, g.full, len(g.hex.stack), len(firers(g))) == (6, 6, 1, 2)
    assert [section.points() for section in g.sections] == [4, 2]
    assert g.weapon.code == "R3"  # for estimates, the one that reaches farthest
    assert audit(f.battle) == []


def test_5_33_8_37_all_sections_move_together_and_check_as_one(field):
    f, g, b = against(field, 6, (4, "N"), (2, "R3"))
    f.battle.lift(b)
    f.series.movement.search(g)
    movement = f.series.movement
    node = next(node for node in movement.reached if node.hex is not g.hex and movement.may_stop(node))
    f.series.movement.move(g, node, node.heading)
    assert g.hex is node.hex and all(section.hex is g.hex for section in g.sections)
    f.series.equip(ScriptedDice([("cohesion", 9)]), f.log, f.commanders)
    f.series.results.disorder(g, CAUSE_FIRE)
    assert g.disordered and not f.series.fire.able(g)


@pytest.mark.parametrize(("die", "left"), [(0, [3, 2]), (1, [4, 1])])
def test_8_35_8_37_a_lost_gun_is_that_of_a_random_section(field, die, left):
    f, g, _b = against(field, 5, (4, "N"), (2, "R3"))
    f.series.equip(ScriptedDice([("allocation", die)]), f.log, f.commanders)
    assert f.series.results.lose(g, 1, BY_CANISTER) == 1
    assert [section.guns for section in g.sections] == left
    assert (g.strength, g.lost_canister) == (5, 1)
    assert [(event.mode, event.result) for event in f.events("section")] == [
        (g.sections[die].weapon.code, f"{left[die]} left")
    ]


def test_8_37_a_section_without_guns_loses_no_more_and_the_last_gun_eliminates(field):
    f, g, _b = against(field, 5, (1, "N"), (2, "R3"))
    f.series.equip(ScriptedDice([("allocation", 0)]), f.log, f.commanders)
    f.series.results.lose(g, 3, BY_CANISTER)  # with one section left there is nothing to pick
    assert (g.strength, g.place) == (0, ELIMINATED)
    assert [section.guns for section in g.sections] == [0, 0]
    assert audit(f.battle) == []


def test_8_37_each_section_is_as_likely_to_lose_the_gun(field):
    f = field(4, 4)
    g = battery(f, "A0202", (4, "N"), (1, "R3"), (1, "H12"))
    f.play()
    tape = EnumeratingTape()
    f.series.equip(tape, f.log, f.commanders)
    chances = {}
    while True:
        f.battle.reset()
        tape.begin(0)
        f.series.results.lose(g, 1, BY_CANISTER)
        chances[tuple(section.guns for section in g.sections)] = Fraction(tape.numerator, tape.denominator)
        if not tape.next_branch():
            break
    third = Fraction(1, 3)
    assert chances == {(3, 1, 1): third, (4, 0, 1): third, (4, 1, 0): third}


def test_12_82_guns_that_are_lost_are_those_of_all_sections(field):
    f, g, _b = against(field, 5, (4, "N"), (2, "R3"))
    f.battle.abandon(g, 2)
    f.series.results.guns_in_recovery()
    assert (g.place, g.strength, g.lost_other, [section.guns for section in g.sections]) == (ELIMINATED, 0, 6, [0, 0])


def test_12_36_a_disordered_battery_loses_a_gun_of_a_random_section_by_fire(field):
    f, g, _b = against(field, 5, (4, "N"), (2, "R3"))
    g.disordered = True
    f.series.equip(ScriptedDice([("allocation", 1)]), f.log, f.commanders)
    f.series.results.disorder(g, CAUSE_FIRE)
    assert [section.guns for section in g.sections] == [4, 1]


def test_the_state_of_sections_is_kept_and_taken_back(field):
    f, g, b = against(field, 5, (4, "N"), (2, "R3"), dice=[5])
    before = f.battle.digest()
    kept = f.battle.snapshot()
    f.series.batteries.reorder(g, g.sections[::-1])
    assert f.battle.digest() != before
    f.series.fire.phasing_parts(g, [Aim(g.sections[:1], [b.hex])])
    g.sections[0].guns = 1
    f.battle.restore(kept)
    assert f.battle.digest() == before
    assert [(section.weapon.code, section.guns, section.ammo) for section in g.sections] == [("N", 4, 0), ("R3", 2, 0)]
    f.battle.reset()
    assert (g.strength, g.ammo) == (6, 0)


@pytest.mark.parametrize(("strength", "guns"), [(6, [4, 2]), (3, [2, 1]), (4, [3, 1]), (1, [1, 0]), (9, [6, 3])])
def test_8_37_a_change_of_strength_is_shared_by_the_printed_guns(field, strength, guns):
    _f, g, _b = against(field, 5, (4, "N"), (2, "R3"))
    resize(g, strength)
    assert [section.guns for section in g.sections] == guns and g.strength == strength


# -- combined fire (10.63, 10.64) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [1, 2, 3, 4, 7])
def test_10_63_sections_of_one_battery_combine_at_any_range(field, distance):
    """10.63, 10.64: also with canister; the range DRM is that of the worst gun."""
    f, g, b = against(field, distance, (4, "N"), (2, "R3"), dice=[4])
    f.series.fire.phasing(g, [b.hex], False)
    worst = min(f.charts.weapon(code).range_drm(distance) for code in ("N", "R3"))
    assert fires(f) == [("N + R3", 6)]
    assert f.series.fire.drms.reach == worst


def test_10_63_batteries_and_sections_of_one_hex_combine_from_four_hexes(field):
    f = field(20, 12)
    g = battery(f, "A0206", (3, "N"), (2, "H12"))
    h = f.unit("Second", "A0206", "E", kind=ARTILLERY, strength=4, weapon="R3")
    b = f.unit("B", ahead(f, g, 5), "W", side=1)
    start(f, g, 5)
    f.answers[1]["return_fire"] = [0]
    f.series.fire.phasing_together([g, h], b.hex)
    assert fires(f) == [("N + H12", 9)]
    assert (levels(g), h.ammo, g.fired, h.fired) == ([1, 1], 1, True, True)


def test_10_63_10_65_a_section_may_join_another_battery_while_the_rest_fires_elsewhere(field):
    f = field(20, 12)
    g = battery(f, "A0206", (3, "N"), (2, "R3"))
    h = f.unit("Second", "A0206", "E", kind=ARTILLERY, strength=4, weapon="R3")
    b = f.unit("B", ahead(f, g, 5), "W", side=1)
    c = f.unit("C", ahead(f, g, 2), "W", side=1)
    start(f, g, 5, 4)
    f.battle.lift(c)
    f.battle.stand(c, f.hex("A0405"), True)
    f.answers[1]["return_fire"] = [0] * 2
    napoleons, rifles = g.sections
    f.series.fire.phasing_parts(g, [Aim([rifles, *h.parts], [b.hex]), Aim([napoleons], [c.hex])])
    assert fires(f) == [("R3", 6), ("N", 3)]
    assert (levels(g), h.ammo, h.fired) == ([0, 1], 1, True)


def test_10_63_different_batteries_do_not_combine_canister(field):
    f = field(20, 12)
    g = battery(f, "A0206", (3, "N"), (2, "R3"))
    h = f.unit("Second", "A0206", "E", kind=ARTILLERY, strength=4, weapon="R3")
    b = f.unit("B", ahead(f, g, 3), "W", side=1)
    start(f, g)
    with pytest.raises(CommanderError, match="with shot and shell guns of its hex"):
        f.series.fire.phasing_parts(g, [Aim([*g.sections, *h.parts], [b.hex])])


def test_10_12_only_sections_that_reach_fire(field):
    """10.12, 10.16: at twelve hexes the howitzers of a battery are out of range."""
    f, g, b = against(field, 12, (3, "H12"), (2, "R3"), dice=[4])
    assert f.series.fire.targets(g) == [b.hex]
    assert f.series.fire.strength_at(g, b.hex) == 2
    assert f.series.fire.estimated_modifier(g, b.hex) == -1
    f.series.fire.phasing(g, [b.hex], False)
    assert fires(f) == [("R3", 2)]


# -- split fire (10.65) ----------------------------------------------------------------------------------------------


def two_targets(field, *sections, dice=()):
    f = field(20, 12)
    g = battery(f, "A0206", *sections)
    b = f.unit("B", "A0405", "W", side=1)
    c = f.unit("C", "A0407", "W", side=1)
    start(f, g, *dice)
    f.answers[1]["return_fire"] = [0] * 9
    return f, g, b, c


def test_10_65_1_a_battery_splits_its_fire_by_section(field):
    """10.65, 10.69: each at its hex with its own DRM; a 5 costs only the section that rolled it."""
    f, g, b, c = two_targets(field, (4, "N"), (2, "R3"), dice=[5, 4])
    napoleons, rifles = g.sections
    f.series.fire.phasing_parts(g, [Aim([napoleons], [b.hex]), Aim([rifles], [c.hex])])
    assert fires(f) == [("N", 4), ("R3", 2)]
    assert [event.drms for event in f.events("fire")] == ["range +1", ""]
    assert [event.target for event in f.events("fire")] == ["c/b", "c/c"]
    assert levels(g) == [1, 0] and g.ammo == 0  # the battery can still fire at its best


def test_10_65_1_three_sections_combine_as_desired(field):
    f, g, b, c = two_targets(field, (2, "N"), (2, "R3"), (2, "H12"), dice=[5, 4])
    napoleons, rifles, howitzers = g.sections
    f.series.fire.phasing_parts(g, [Aim([rifles, howitzers], [b.hex]), Aim([napoleons], [c.hex])])
    assert fires(f) == [("R3 + H12", 4), ("N", 2)]
    assert levels(g) == [0, 1, 1]


@pytest.mark.parametrize(("dice", "after"), [((5, 4), [1, 1]), ((4, 5), [1, 1]), ((5, 5), [1, 1]), ((0, 4), [0, 0])])
def test_10_65_2b_sections_fire_apart_at_one_hex_and_share_the_risk(field, dice, after):
    """10.65 2b: without rapid fire each section loses one level at most if any roll costs ammunition."""
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=dice)
    f.series.fire.phasing_parts(g, [Aim([section], [b.hex]) for section in g.sections])
    assert fires(f) == [("N", 4), ("R3", 2)]
    assert levels(g) == after


@pytest.mark.parametrize(
    ("dice", "after"),
    [
        ((0, 4, 4), [2, 1]),  # a 0 of the rapid section
        ((4, 5, 4), [2, 1]),
        ((4, 4, 5), [2, 1]),  # the 5 of the rifles leaves the rapid section without ammunition
        ((4, 4, 0), [0, 0]),  # a 0 means nothing to those who do not fire rapidly
    ],
)
def test_10_65_2b_rapid_sections_pay_for_any_roll_with_all_they_have(field, dice, after):
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=dice)
    napoleons, rifles = g.sections
    f.series.fire.phasing_parts(g, [Aim([napoleons], [b.hex], True), Aim([rifles], [b.hex])])
    assert fires(f) == [("N", 4), ("N", 4), ("R3", 2)]
    assert levels(g) == after


def test_10_65_3_sections_fire_apart_at_one_of_two_hexes(field):
    """10.65 3: those who fire apart at one hex share their risk, who fires alone at another bears its own."""
    f, g, b, c = two_targets(field, (2, "N"), (2, "R3"), (2, "H12"), dice=[5, 4, 4])
    napoleons, rifles, howitzers = g.sections
    f.series.fire.phasing_parts(
        g, [Aim([napoleons], [b.hex]), Aim([rifles], [b.hex]), Aim([howitzers], [c.hex])]
    )
    assert levels(g) == [1, 1, 0]


def test_10_65_8_24_10_69_gringo_makes_all_sections_at_a_hex_pay_for_each_roll(field):
    """10.65 of Gringo!: any roll that costs ammunition applies to all sections that fire at that hex."""
    for dice, rapid, after in (((5, 4), False, [1, 1]), ((5, 5), False, [2, 2]), ((0, 4, 4), True, [2, 2])):
        f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=dice)
        f.options.set("edition", "gringo")
        napoleons, rifles = g.sections
        f.series.fire.phasing_parts(g, [Aim([napoleons], [b.hex], rapid), Aim([rifles], [b.hex])])
        assert levels(g) == after


def test_10_65_gringo_lets_a_battery_fire_as_a_whole_and_split_that(field):
    """10.65, 10.64 of Gringo!: as evenly as possible, with the worst DRM for all."""
    f, g, b, c = two_targets(field, (3, "N"), (2, "R3"), dice=[4, 4])
    with pytest.raises(CommanderError, match="right would be one, or by section"):
        f.series.fire.phasing(g, [b.hex, c.hex], False)
    f.options.set("edition", "gringo")
    f.series.fire.phasing(g, [b.hex, c.hex], False)
    assert fires(f) == [("N + R3", 3), ("N + R3", 2)]
    assert [event.drms for event in f.events("fire")] == ["", ""]  # that of the rifles at two hexes


@pytest.mark.parametrize(
    ("aims", "said"),
    [
        ([((0,), "bc")], "do not split their fire"),
        ([((0, 1), "bc")], "do not split their fire"),
        ([((0,), "b"), ((0,), "c")], "to fire twice"),
        ([((0,), "b"), ((1,), "c"), ((2,), "d")], "fires at 3 hexes; right would be 2"),
        ([((), "b")], "names no section"),
        ([], "no fire named"),
    ],
)
def test_10_65_no_other_split(field, aims, said):
    """10.65: a section does not split its fire; two hexes at most."""
    f = field(20, 12)
    g = battery(f, "A0206", (2, "N"), (2, "R3"), (2, "H12"))
    places = {}
    for name, place in (("b", "A0405"), ("c", "A0407"), ("d", "A0506")):
        places[name] = f.unit(name, place, "W", side=1).hex
    start(f, g)
    wanted = [Aim([g.sections[at] for at in who], [places[name] for name in names]) for who, names in aims]
    with pytest.raises(CommanderError, match=said):
        f.series.fire.phasing_parts(g, wanted)
    assert not g.fired


def test_10_65_all_fire_is_one_announcement_which_is_answered_once(field):
    """10.65, 10.42: sections that fire apart at one hex bring on one return fire."""
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=[4, 4])
    f.series.fire.phasing_parts(g, [Aim([section], [b.hex]) for section in g.sections])
    assert f.asked[1].count("return_fire") == 1
    assert not f.series.fire.may_fire(g)  # 10.31


def test_10_66_a_battery_alone_before_the_enemy_fires_at_him_with_its_sections(field):
    f = field(20, 12)
    g = battery(f, "A0206", (2, "N"), (2, "R3"))
    near = f.unit("near", ahead(f, g, 1), "W", side=1)
    far = f.unit("far", ahead(f, g, 5), "W", side=1)
    start(f, g, 4, 4)
    f.answers[1]["return_fire"] = [0] * 9
    assert f.series.fire.targets(g) == [near.hex]
    napoleons, rifles = g.sections
    with pytest.raises(CommanderError, match="must fire at the enemy beside it"):
        f.series.fire.phasing_parts(g, [Aim([napoleons], [near.hex]), Aim([rifles], [far.hex])])
    f.series.fire.phasing_parts(g, [Aim([napoleons], [near.hex]), Aim([rifles], [near.hex])])
    assert fires(f) == [("N", 2), ("R3", 2)]


# -- refused (7.34) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "normal", "refused"), [(("TB", "H12"), [4, 0], [0, 2]), (("H12", "TB"), [2, 2], [0, 2])]
)
def test_7_34_example_sections_of_a_refused_stack_fire_as_if_they_were_units(field, order, normal, refused):
    """7.34, EXAMPLE: four TBs and two H12s above infantry: whoever is on top fills the normal fronts."""
    f = field(20, 12)
    guns = {"TB": 4, "H12": 2}
    g = battery(f, "A0606", *[(guns[code], code) for code in order])
    a = f.unit("Foot", "A0606", "E", strength=9)
    for unit in (g, a):
        unit.refused = REFUSED_RIGHT
    start(f, g)
    fire = f.series.fire
    assert [fire.part_available(section, PHASING, NORMAL_FRONT) for section in g.sections] == normal
    assert [fire.part_available(section, PHASING, REFUSED_FRONT) for section in g.sections] == refused
    assert fire.part_available(a.parts[0], PHASING, NORMAL_FRONT) == 0
    assert fire.part_available(a.parts[0], PHASING, REFUSED_FRONT) == 1


def test_7_34_10_65_a_section_may_fire_through_both_its_fronts(field):
    f = field(20, 12)
    g = battery(f, "A0606", (2, "H12"), (4, "TB"))
    a = f.unit("Foot", "A0606", "E", strength=9)
    for unit in (g, a):
        unit.refused = REFUSED_RIGHT
    b = f.unit("B", ahead(f, g, 2), "W", side=1)
    start(f, g, 4, 4)
    refused = [
        place for place in f.map.hexes
        if place is not g.hex and g.hex.distance_to(place) == 2 and f.series.fire.part_bears(g.parts[0], place, PHASING)
        and f.series.fire.front_to(g.parts[0], place) == REFUSED_FRONT
    ]
    c = f.unit("C", refused[0].id, "W", side=1)
    c.index = len(f.battle.units) - 1
    f.answers[1]["return_fire"] = [0] * 9
    howitzers, smoothbores = g.sections
    f.series.fire.phasing_parts(g, [Aim([howitzers, smoothbores], [b.hex]), Aim([smoothbores], [c.hex])])
    assert fires(f) == [("H12 + TB", 4), ("TB", 2)]


# -- rapid fire (10.68) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "after"), [((4, 4), [0, 0]), ((5, 4), [2, 1]), ((0, 4), [2, 0]), ((4, 5), [2, 0]), ((4, 0), [2, 0])]
)
def test_10_68_only_smoothbores_fire_the_second_shot_of_a_combined_rapid_fire(field, dice, after):
    """10.68, 10.69: rifles have their share in the first shot and in its 5 alone."""
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=dice)
    f.series.fire.phasing(g, [b.hex], True)
    assert fires(f) == [("N + R3", 6), ("N", 4)]
    assert [event.drms for event in f.events("fire")] == ["", "range +1"]  # the second at the Napoleons' own DRM
    assert levels(g) == after


def test_10_68_no_rapid_fire_for_sections_of_rifles_or_at_a_distance(field):
    f, g, b = against(field, 2, (4, "N"), (2, "R3"))
    napoleons, rifles = g.sections
    batteries = f.series.batteries
    assert batteries.may_rapid([napoleons, rifles], b.hex, PHASING, True)
    assert not batteries.may_rapid([rifles], b.hex, PHASING, True)
    assert not batteries.may_rapid([napoleons], f.hex("A0606"), PHASING, True)
    assert not batteries.may_rapid([napoleons], b.hex, PHASING, False)
    with pytest.raises(CommanderError, match="may not use rapid fire"):
        f.series.fire.phasing_parts(g, [Aim([rifles], [b.hex], True)])


# -- ammunition (10.69, 10.92) ---------------------------------------------------------------------------------------


def test_10_69_low_ammunition_burdens_the_section_and_whoever_combines_with_it(field):
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=[4, 4])
    napoleons, rifles = g.sections
    rifles.ammo = 1
    f.series.fire.phasing_parts(g, [Aim([napoleons], [b.hex]), Aim([rifles], [b.hex])])
    assert ["low ammo" in event.drms for event in f.events("fire")] == [False, True]
    assert f.series.fire.estimated_together([napoleons, rifles], b.hex) == -2


def test_10_69_a_section_out_of_ammunition_does_not_fire_and_the_others_do(field):
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=[5])
    napoleons, rifles = g.sections
    napoleons.ammo = 1
    f.series.fire.phasing_parts(g, [Aim([napoleons], [b.hex])])
    assert (levels(g), g.ammo) == ([2, 0], 0)
    f.begin(g)
    f.series.dice.faces.append(("fire", 4))
    assert f.series.batteries.sections_at(g, b.hex, PHASING) == [rifles]
    with pytest.raises(CommanderError, match="has no points"):
        f.series.fire.phasing_parts(g, [Aim([napoleons], [b.hex])])
    f.series.fire.phasing(g, [b.hex], False)
    assert fires(f)[-1] == ("R3", 2)


def test_10_69_a_battery_all_of_whose_sections_are_out_can_not_fire(field):
    f, g, b = against(field, 2, (4, "N"), (2, "R3"), dice=[5])
    for section in g.sections:
        section.ammo = 1
    f.series.fire.phasing(g, [b.hex], False)
    assert (levels(g), g.ammo, f.series.fire.able(g)) == ([2, 2], 2, False)


def test_10_92_a_section_resupplies_while_others_fire(field):
    f, g, b = against(field, 5, (4, "N"), (2, "R3"), dice=[4])
    napoleons, rifles = g.sections
    napoleons.ammo = 2
    f.series.batteries.resupply(g, [napoleons])
    assert (levels(g), f.series.fire.may_fire(g), f.series.movement.may_move(g)) == ([1, 0], True, False)
    assert f.series.batteries.sections_at(g, b.hex, PHASING) == [rifles]  # who resupplies does not fire
    f.series.fire.phasing(g, [b.hex], False)
    assert fires(f) == [("R3", 2)]
    with pytest.raises(CommanderError, match="may resupply now"):
        f.series.batteries.resupply(g, [napoleons])  # one level an activation


def test_10_92_a_section_that_has_not_fired_resupplies_after_the_others_fire(field):
    f, g, b = against(field, 5, (4, "N"), (2, "R3"), dice=[4])
    napoleons, rifles = g.sections
    napoleons.ammo = rifles.ammo = 1
    f.series.fire.phasing_parts(g, [Aim([rifles], [b.hex])])
    assert f.series.batteries.may_resupply(g) == [napoleons]
    f.series.effectiveness.resupply(g)
    assert levels(g) == [0, 1]


def test_10_93_10_92_no_section_resupplies_beside_the_enemy_or_after_moving(field):
    f, g, b = against(field, 1, (4, "N"), (2, "R3"))
    g.sections[0].ammo = 1
    assert not f.series.effectiveness.may_resupply(g)
    f.battle.lift(b)
    assert f.series.effectiveness.may_resupply(g)
    g.moved = True
    assert not f.series.effectiveness.may_resupply(g)


# -- order (8.24) ----------------------------------------------------------------------------------------------------


def test_8_24_a_phasing_battery_changes_the_order_of_its_sections_before_it_fires(field):
    """8.24: that is no movement: it may still move, fire without a DRM, and is not restacked."""
    f, g, b = against(field, 5, (4, "N"), (2, "R3"), dice=[4])
    f.series.batteries.reorder(g, g.sections[::-1])
    assert [section.weapon.code for section in g.sections] == ["R3", "N"]
    assert (g.moved, g.spent, g.restacked, f.series.fire.may_fire(g)) == (False, 0, False, True)
    f.series.fire.phasing(g, [b.hex], False)
    assert fires(f) == [("R3 + N", 6)]
    assert not f.series.batteries.may_reorder(g)  # after fire only if it has moved
    g.moved = True
    assert f.series.batteries.may_reorder(g)


def test_8_24_not_next_to_the_enemy_nor_out_of_its_activation(field):
    f, g, b = against(field, 1, (4, "N"), (2, "R3"))
    with pytest.raises(CommanderError, match="ask may_reorder"):
        f.series.batteries.reorder(g, g.sections[::-1])
    f.battle.lift(b)
    assert f.series.batteries.may_reorder(g)
    with pytest.raises(CommanderError, match="name all sections"):
        f.series.batteries.reorder(g, g.sections[:1] * 2)
    g.active = False
    assert not f.series.batteries.may_reorder(g)


def test_8_31_8_33_sections_share_what_the_battery_can_fire_from_the_top_down(field):
    """8.31: beneath a battery of nine guns only three of another's can fire: those of its top section."""
    f = field(20, 12)
    f.unit("Top", "A0206", "E", kind=ARTILLERY, strength=9, weapon="N")
    g = battery(f, "A0206", (2, "R3"), (4, "N"))
    b = f.unit("B", ahead(f, g, 5), "W", side=1)
    start(f, g)
    assert [f.series.fire.available_at(section, PHASING, b.hex) for section in g.sections] == [2, 1]
    f.series.batteries.reorder(g, g.sections[::-1])
    assert [f.series.fire.available_at(section, PHASING, b.hex) for section in g.sections] == [3, 0]


# -- fire in answer (10.4) -------------------------------------------------------------------------------------------


def attacked(field, *dice, sections=((4, "N"), (2, "R3"))):
    """Two regiments within two hexes of a battery that will answer them."""
    f = field(20, 12)
    a = f.unit("A", "A0405", "W", orders=ATTACK)
    c = f.unit("C", "A0407", "W", orders=ATTACK)
    g = battery(f, "A0206", *sections, side=1)
    start(f, a, *dice)
    return f, a, c, g


def test_10_42_by_default_all_sections_return_fire_together(field):
    f, a, c, g = attacked(field, 4, 4, 4, 4)
    f.series.fire.phasing(a, [g.hex], False)
    assert fires(f)[1:] == [("N + R3", 6)]
    assert f.series.fire.answered(g, RETURN)
    f.series.fire.phasing(c, [g.hex], False)
    assert len(fires(f)) == 3  # nothing is left for the second


def test_10_15_10_65_a_battery_keeps_whole_sections_for_another_enemy(field):
    """10.15, 10.41, 10.65: not twice at one hex, and at two hexes at most."""
    f, a, c, g = attacked(field, 4, 4, 4, 4, 4)
    napoleons, rifles = g.sections
    f.answers[1]["section_fire"] = [lambda series, unit, targets, mode: [Aim([napoleons], targets[:1])]]
    f.series.fire.phasing(a, [g.hex], False)
    assert fires(f)[1:] == [("N", 4)]
    assert f.series.batteries.sections_at(g, a.hex, RETURN) == []
    assert f.series.batteries.sections_at(g, c.hex, RETURN) == [rifles]
    f.series.fire.phasing(c, [g.hex], False)
    assert fires(f)[3:] == [("R3", 2)]
    assert f.series.fire.left(g.parts[0], RETURN) == 0


@pytest.mark.parametrize(("name", "later"), [("gringo", [("N", 4)]), ("dead_of_winter", [])])
def test_10_15_sections_kept_of_return_fire_serve_approach_fire(field, name, later):
    """10.15 of Gringo!: what is kept may be used in any kind of non-phasing fire, in the newer books in that kind."""
    f, a, c, g = attacked(field, *[4] * 6)
    f.options.set("edition", name)
    napoleons, rifles = g.sections
    f.answers[1]["section_fire"] = [lambda series, unit, targets, mode: [Aim([rifles], targets)]]
    f.series.fire.phasing(a, [g.hex], False)
    f.series.fire.approach(a)  # another kind of fire: all of it
    assert fires(f)[1:] == [("R3", 2), ("N + R3", 6)]
    f.series.fire.approach(c)
    assert fires(f)[3:] == later
    f.series.fire.approach(c)
    assert fires(f)[4:] == []
    assert napoleons.guns == 4


def test_10_65_a_battery_answers_at_no_third_hex(field):
    f, a, c, g = attacked(field, *[4] * 6, sections=((2, "N"), (2, "R3"), (2, "H12")))
    third = f.unit("D", "A0406", "W", orders=ATTACK)
    third.index = len(f.battle.units) - 1
    third.active = True
    for at in range(2):
        f.answers[1].setdefault("section_fire", []).append(
            lambda series, unit, targets, mode, at=at: [Aim([g.sections[at]], targets[:1])]
        )
    f.series.fire.phasing(a, [g.hex], False)
    f.series.fire.phasing(c, [g.hex], False)
    f.series.fire.phasing(third, [g.hex], False)
    assert fires(f) == [("", 5), ("N", 2), ("", 5), ("R3", 2), ("", 5)]


def test_10_65_10_68_sections_answer_apart_and_rapidly_at_one_hex(field):
    f, a, _c, g = attacked(field, 4, 4, 5, 4)
    napoleons, rifles = g.sections
    f.answers[1]["section_fire"] = [
        lambda series, unit, targets, mode: [Aim([napoleons], targets, True), Aim([rifles], targets)]
    ]
    f.series.fire.phasing(a, [g.hex], False)
    assert fires(f)[1:] == [("N", 4), ("N", 4), ("R3", 2)]
    assert levels(g) == [2, 1]


def test_10_45_sections_fire_at_an_enemy_that_approaches(field):
    f, a, _c, g = attacked(field, 4, 4)
    f.series.fire.approach(a)
    assert fires(f) == [("N + R3", 6)] and f.series.fire.answered(g, APPROACH)


def test_10_43_sections_fire_before_shock_at_two_hexes(field):
    """10.43, 10.65: split by section as in phasing fire; what does not fire then has no pre-shock fire left."""
    f = field(12, 12)
    a = f.unit("A", "A0302", "E", strength=9, cohesion=9)
    c = f.unit("C", "A0303", "E", strength=9, cohesion=9)
    g = battery(f, "A0403", (4, "N"), (2, "R3"), facing="W", side=1)
    start(f, a, 4, 4)
    napoleons, rifles = g.sections
    asked = []

    def split(series, unit, targets, mode):
        asked.append(mode)
        return [Aim([napoleons], [targets[0]]), Aim([rifles], [targets[1]])]

    f.answers[1]["section_fire"] = [split]
    shock = ShockInProgress(0, [Attacker(one, one.hex, one.heading, True, False) for one in (a, c)], [g.hex], 0)
    shock.defenders.append(g)
    f.fire_before_shock([shock])
    assert asked == [PRE_SHOCK]
    assert fires(f) == [("N", 4), ("R3", 2)]
    assert {event.target for event in f.events("fire")} == {"u/a", "u/c"}
    assert f.series.batteries.sections_at(g, a.hex, PRE_SHOCK) == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda g, targets: [Aim([g.sections[0]], [g.hex])], "can't answer at"),
        (lambda g, targets: [Aim(g.parts, targets[:1])], "name sections of"),
        (lambda g, targets: [Aim([g.sections[1]], targets[:1], True)], "may not use rapid fire"),
        (lambda g, targets: [Aim(g.sections[:1] * 2, targets[:1])], "to fire twice"),
    ],
)
def test_10_65_misuses_of_section_fire_are_named(field, answer, said):
    f, a, _c, g = attacked(field, 4, 4)
    f.answers[1]["section_fire"] = [lambda series, unit, targets, mode: answer(g, targets)]
    with pytest.raises(CommanderError, match=said):
        f.series.fire.phasing(a, [g.hex], False)


def test_10_42_sections_may_keep_silent(field):
    f, a, _c, g = attacked(field, 4)
    f.answers[1]["section_fire"] = [[]]
    f.series.fire.phasing(a, [g.hex], False)
    assert len(fires(f)) == 1 and not f.series.fire.answered(g, RETURN)


def test_9_62_guns_that_turned_bear_their_drm_in_all_fires_of_their_first_answer(field):
    f, a, _c, g = attacked(field, 4, 4, 4)
    g.swung_round = True
    f.answers[1]["section_fire"] = [
        lambda series, unit, targets, mode: [Aim([section], targets[:1]) for section in unit.sections]
    ]
    f.series.fire.phasing(a, [g.hex], False)
    assert ["guns moved -2" in event.drms for event in f.events("fire")] == [False, True, True]
    assert not g.swung_round
