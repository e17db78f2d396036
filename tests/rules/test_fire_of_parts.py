"""Fire by and at the parts of refused and extended units (7.34, 8.3, 8.44, 8.45, 8.5, 10.15, 10.4)."""

import pytest

from simkit.model.charts import AUTOMATIC, UDD, FireResult
from simkit.model.firebook import NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import (
    ARTILLERY,
    ATTACK,
    BY_SMALL_ARMS,
    CAVALRY,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    MARCH,
    REFUSED_LEFT,
    REFUSED_RIGHT,
)
from simkit.rules.commander import Aim, CommanderError
from simkit.rules.firemodifiers import APPROACH, PHASING, PRE_SHOCK, RETURN
from simkit.rules.shockinprogress import Attacker, ShockInProgress

# On these maps A0303 facing E has A0403 and A0404 in front, A0302 and A0304 on its flanks; a line south of it in A0304
# has A0404 and A0405 in front. A0404 facing W has A0303 and A0304 in front.


def fires(f):
    return [(event.unit, event.hex, event.target_hex, event.mode, event.sp) for event in f.events("fire")]


def face(f, points, drm, *texts):
    """A face of the die that gives one of these results to a small-arms fire of so many points."""
    for die in (9, 8, 7, 6, 4, 3, 2, 1, 0, 5):
        if f.charts.fire_table.result(points, die + drm).text in texts:
            return ("fire", die)
    raise AssertionError(f"no face gives {texts} to {points} SP at {drm:+d}")


def nothing(f, points, drm=0):
    return face(f, points, drm, "-")


def no_return(f, side=1):
    f.answers[side]["return_fire"] = [0] * 9


def extend(f, unit, *places, formation=EXTENDED_LINE):
    for place in places:
        f.battle.add_part(unit, f.hex(place), len(f.hex(place).stack), formation)


def line(field, strength=10, extended=("A0304",), columns=12, rows=9, **more):
    """A phasing line of the Union that faces east: its counter in A0303."""
    f = field(columns, rows)
    u = f.unit("U", "A0303", "E", strength=strength, **more)
    extend(f, u, *extended)
    return f, u


def part(f, unit, place):
    found = unit.part_in(f.hex(place))
    assert found.hex.id == place
    return found


# -- 7.34: how a refused stack divides its fire ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stack", "shares"),
    [
        ([(7, 0), (3, 0)], [(4, 3), (0, 0)]),  # dead-of-winter:712, into-the-woods:642, gringo:650
        ([(5, 0), (3, 0)], [(4, 1), (0, 2)]),  # dead-of-winter:713, into-the-woods:643
        ([(3, 0), (2, 0), (8, 0)], [(3, 0), (1, 1), (0, 2)]),  # dead-of-winter:702
        ([(4, 0), (2, 0)], [(3, 1), (0, 2)]),  # dead-of-winter:702: the two points go through the refused front
        ([(6, ARTILLERY), (5, 0)], [(4, 2), (0, 1)]),  # dead-of-winter:714: four guns and two, as sections or not
        ([(6, ARTILLERY), (6, ARTILLERY)], [(6, 0), (0, 6)]),  # dead-of-winter:715
        ([(5, 0)], [(3, 2)]),
        ([(6, CAVALRY)], [(2, 2)]),
        ([(5, 0), (6, ARTILLERY)], [(3, 2), (0, 0)]),
    ],
)
def test_7_34_examples_half_through_each_front_from_the_top_down(field, stack, shares):
    """7.34 EXAMPLES: half rounded up through the normal fronts, half rounded down through the refused one."""
    f = field(6, 6)
    units = [f.unit(f"U{at}", "A0303", "E", strength=sp, kind=kind) for at, (sp, kind) in enumerate(stack)]
    f.play()
    for unit in units:
        unit.refused = REFUSED_RIGHT
    limit = f.series.stacking.front_limit
    fire = f.series.fire
    assert [(limit(u.parts[0], NORMAL_FRONT), limit(u.parts[0], REFUSED_FRONT)) for u in units] == shares
    assert [fire.available(unit, PHASING) for unit in units] == [sum(pair) for pair in shares]


def refused(field, strength=7, flank=REFUSED_RIGHT, faces=(), **more):
    """A Union regiment that has refused its right: A0304 is its third front; enemies there and in front."""
    f = field(8, 8)
    u = f.unit("U", "A0303", "E", strength=strength, **more)
    b = f.unit("B", "A0403", "W", side=1)
    c = f.unit("C", "A0404", "W", side=1)
    d = f.unit("D", "A0304", "N", side=1, orders=MARCH)
    f.play(faces)
    u.refused = flank
    return f, u, b, c, d


def test_7_34_it_fires_through_any_or_all_of_its_fronts(field):
    f, u, b, c, d = refused(field)
    f.begin(u)
    no_return(f)
    assert f.series.fire.targets(u) == [b.hex, c.hex, d.hex]
    f.roll(nothing(f, 2, 1), nothing(f, 2, 1), nothing(f, 3, 1))
    f.series.fire.phasing(u, [b.hex, c.hex, d.hex], False)
    assert [(shot[2], shot[4]) for shot in fires(f)] == [("A0403", 2), ("A0404", 2), ("A0304", 3)]
    assert not f.series.fire.may_fire(u)


@pytest.mark.parametrize(("target", "points"), [("A0403", 4), ("A0404", 4), ("A0304", 3)])
def test_7_34_no_more_than_half_goes_through_either(field, target, points):
    f, u, *_ = refused(field)
    f.begin(u)
    no_return(f)
    f.roll(nothing(f, points, 1))
    assert f.series.fire.strength_at(u, f.hex(target)) == points
    f.series.fire.phasing(u, [f.hex(target)], False)
    assert fires(f)[0][4] == points


def test_7_34_units_beneath_fire_only_through_the_front_that_is_left_to_them(field):
    """7.34 EXAMPLE (dead-of-winter:713): three points beneath five have two for the refused front, none for others."""
    f = field(8, 8)
    top = f.unit("top", "A0303", "E", strength=5, orders=ATTACK)
    low = f.unit("low", "A0303", "E", strength=3, orders=ATTACK)
    b = f.unit("B", "A0403", "W", side=1)
    d = f.unit("D", "A0304", "N", side=1, orders=MARCH)
    f.play()
    top.refused = low.refused = REFUSED_RIGHT
    f.begin(top)
    no_return(f)
    fire = f.series.fire
    assert fire.targets(top) == [b.hex, d.hex] and fire.targets(low) == [d.hex]
    with pytest.raises(CommanderError, match=r"7\.34"):
        fire.phasing(low, [b.hex], False)
    f.roll(nothing(f, 4, 1), nothing(f, 1, 1), nothing(f, 2, 1))
    fire.phasing(top, [b.hex, d.hex], False)
    fire.phasing(low, [d.hex], False)
    assert [shot[4] for shot in fires(f)] == [4, 1, 2]


def test_7_34_what_has_been_fired_counts_for_its_front_8_31(field):
    f, u, b, _c, d = refused(field)
    f.begin(b)
    fire = f.series.fire
    own = u.parts[0]
    fire.use_frontage(own, RETURN, REFUSED_FRONT, 2)
    assert fire.part_available(own, RETURN, REFUSED_FRONT) == 1
    assert fire.part_available(own, RETURN, NORMAL_FRONT) == 4
    assert fire.available_at(own, PHASING, d.hex) == 3


def test_7_34_10_15_return_fire_keeps_an_account_for_the_refused_front(field):
    """10.15: a refused front is apart: two points may be answered there although the other fronts have fired."""
    f, u, b, c, d = refused(field, strength=5)
    d.orders, d.heading = b.orders, 1
    f.begin(b)
    own = u.parts[0]
    fire = f.series.fire
    assert (fire.most(own, b.hex, RETURN), fire.most(own, d.hex, RETURN)) == (3, 2)
    fire.use(own, b.hex, RETURN, 2, 3)
    assert (fire.most(own, b.hex, RETURN), fire.most(own, c.hex, RETURN), fire.most(own, d.hex, RETURN)) == (0, 1, 2)
    fire.use(own, d.hex, RETURN, 2, 2)
    assert (fire.most(own, c.hex, RETURN), fire.most(own, d.hex, RETURN)) == (1, 0)
    assert fire.answered(u, RETURN) and not fire.answered(u, APPROACH)


def test_7_34_return_fire_through_the_refused_front(field):
    f = field(8, 8)
    u = f.unit("U", "A0304", "N", strength=4)
    d = f.unit("D", "A0303", "E", strength=7, side=1)
    f.play()
    d.refused = REFUSED_RIGHT
    f.begin(u)
    f.roll(nothing(f, 4, 1), nothing(f, 3, 1))
    f.series.fire.phasing(u, [d.hex], False)
    assert [shot[3:] for shot in fires(f)] == [("phasing", 4), ("return", 3)]


def test_7_34_who_refuses_later_has_its_reserve_divided(field):
    """7.34, 10.41: what is kept when a unit refuses is kept half for each front, and put together again after it."""
    f, u, b, c, d = refused(field, strength=6, flank=0)
    f.begin(b)
    own = u.parts[0]
    fire = f.series.fire
    fire.use(own, b.hex, RETURN, 3, 6)
    assert fire.left(own, RETURN) == 3
    u.refused = REFUSED_RIGHT
    assert (fire.left(own, RETURN), fire.left(own, RETURN, REFUSED_FRONT)) == (2, 1)
    assert fire.most(own, c.hex, RETURN) == 2 and fire.most(own, d.hex, RETURN) == 1
    u.refused = 0
    assert fire.left(own, RETURN) == 3 and fire.most(own, c.hex, RETURN) == 3


def test_7_34_a_line_refuses_at_its_ends_each_with_half_of_its_own_points(field):
    """7.34, 8.44: of 18 points in three hexes both ends have three for each of their fronts, the middle has six."""
    f, u = line(field, 18, ("A0302", "A0304"))
    south = f.unit("S", "A0305", "N", side=1, orders=MARCH)
    east = f.unit("E", "A0404", "W", side=1)
    f.play()
    u.refused = REFUSED_LEFT + REFUSED_RIGHT
    f.begin(u)
    fire = f.series.fire
    shares = [[fire.part_available(one, PHASING, front) for front in (0, 1)] for one in u.parts]
    assert shares == [[6, 0], [3, 3], [3, 3]]
    assert fire.targets(u) == [south.hex, east.hex]
    no_return(f)
    f.roll(nothing(f, 9, 1), nothing(f, 3, 1))
    right = part(f, u, "A0304")
    fire.phasing_parts(u, [Aim([part(f, u, "A0303"), right], [east.hex]), Aim([right], [south.hex])])
    assert [(shot[2], shot[4]) for shot in fires(f)] == [("A0404", 9), ("A0305", 3)]


def test_7_34_10_66_a_refused_battery_must_fire_at_whoever_faces_it_in_any_front(field):
    f = field(12, 8)
    g = f.unit("G", "A0303", "E", strength=6, kind=ARTILLERY)
    d = f.unit("D", "A0304", "N", side=1)
    far = f.unit("far", "A0603", "W", side=1)
    f.play()
    f.begin(g)
    assert f.series.fire.targets(g) == [far.hex]
    g.refused = REFUSED_RIGHT
    assert f.series.fire.targets(g) == [d.hex]


# -- 8.44, 8.45: fire by the parts of a line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "extended", "limits"),
    [
        (10, ("A0304",), [5, 5]),
        (18, ("A0302", "A0304"), [6, 6, 6]),
        (9, ("A0304",), [5, 4]),  # dead-of-winter:852, gringo:778
        (17, ("A0302", "A0304"), [6, 6, 5]),
        (15, ("A0304",), [7, 7]),  # eight in the counter's hex: seven is the most of any hex (8.31)
    ],
)
def test_8_45_most_of_each_hex(field, strength, extended, limits):
    """8.45, 8.44 EXAMPLES: 10 points fire 5 and 5, 18 in three hexes 6 each; 8.31: no hex more than 7."""
    f, u = line(field, strength, extended)
    f.play()
    f.begin(u)
    assert [f.series.stacking.part_limit(one) for one in u.parts] == limits
    assert f.series.fire.available(u, PHASING) == f.series.stacking.firing_limit(u) == sum(limits)


def test_8_45_parts_fire_separately_all_announced_before_any_is_rolled(field):
    """8.45: two enemies, a part for each; both answer before any result, so the first does not save from the second."""
    f, u = line(field)
    b = f.unit("B", "A0403", "W", side=1, strength=3)
    c = f.unit("C", "A0405", "W", side=1, strength=4)
    f.play()
    f.begin(u)
    f.roll(nothing(f, 5, 1), nothing(f, 5, 1), nothing(f, 3, 1), nothing(f, 4, 1))
    f.series.fire.phasing_parts(u, [Aim([u.parts[0]], [b.hex]), Aim([u.parts[1]], [c.hex])])
    assert fires(f) == [
        ("u/u", "A0303", "A0403", "phasing", 5), ("u/u", "A0304", "A0405", "phasing", 5),
        ("c/b", "A0403", "A0303", "return", 3), ("c/c", "A0405", "A0304", "return", 4),
    ]
    assert u.fired and not f.series.fire.may_fire(u)


def test_8_45_parts_combine_their_fire_at_one_hex(field):
    """8.45, 10.14: being a single unit, it may combine the fire of its hexes."""
    f, u = line(field)
    b = f.unit("B", "A0404", "W", side=1)
    f.play()
    f.begin(u)
    no_return(f)
    f.roll(nothing(f, 10, 1))
    assert f.series.fire.bearing(u, b.hex) == u.parts and f.series.fire.strength_at(u, b.hex) == 10
    f.series.fire.phasing(u, [b.hex], False)
    assert [shot[4] for shot in fires(f)] == [10]


@pytest.mark.parametrize(
    ("aims", "why"),
    [
        ([("0", "A0404"), ("1", "A0404")], r"together"),
        ([("0", "A0403 A0404"), ("1", "A0404")], r"together"),
        ([("01", "A0404 A0403")], r"split"),
        ([("01", "A0403")], r"can't fire"),
        ([("0", "A0403"), ("0", "A0404")], r"twice"),
        ([], r"no fire"),
        ([("", "A0404")], r"name parts"),
    ],
)
def test_8_45_other_ways_of_combining_are_not_allowed(field, aims, why):
    """8.45, 10.15: parts at one hex combine; a part that splits its fire doesn't combine it; each fires once."""
    f, u = line(field)
    for at, place in enumerate(("A0403", "A0404", "A0405")):
        f.unit(f"B{at}", place, "W", side=1)
    f.play()
    f.begin(u)
    made = [Aim([u.parts[int(at)] for at in who], [f.hex(place) for place in where.split()]) for who, where in aims]
    with pytest.raises(CommanderError, match=why):
        f.series.fire.phasing_parts(u, made)
    assert not u.fired


def test_8_45_10_15_a_part_splits_its_fire_while_the_other_fires_elsewhere(field):
    f, u = line(field)
    for at, place in enumerate(("A0403", "A0404", "A0405")):
        f.unit(f"B{at}", place, "W", side=1)
    f.play()
    f.begin(u)
    no_return(f)
    f.roll(nothing(f, 3, 1), nothing(f, 2, 1), nothing(f, 5, 1))
    split = Aim([u.parts[0]], [f.hex("A0403"), f.hex("A0404")])
    f.series.fire.phasing_parts(u, [split, Aim([u.parts[1]], [f.hex("A0405")])])
    assert [(shot[2], shot[4]) for shot in fires(f)] == [("A0403", 3), ("A0404", 2), ("A0405", 5)]


def test_8_45_range_and_arc_are_those_of_the_part(field):
    """8.45, 10.12, 10.16: muskets reach two hexes: only the part that is near enough fires."""
    f, u = line(field, weapon="M")
    b = f.unit("B", "A0506", "W", side=1)
    f.play()
    f.begin(u)
    no_return(f)
    assert [one.hex.distance_to(b.hex) for one in u.parts] == [4, 3]
    assert f.series.fire.targets(u) == []
    c = f.unit("C", "A0505", "W", side=1)
    assert f.series.fire.bearing(u, c.hex) == [u.parts[1]] and f.series.fire.targets(u) == [c.hex]


def test_8_45_across_different_hexsides_the_defender_has_the_better_terrain(field):
    f, u = line(field)
    b = f.unit("B", "A0404", "W", side=1)
    f.hexside("steep_slope", "A0304", "A0404")
    f.level(2, "A0403", "A0404")
    f.level(1, "A0303")
    f.play()
    f.begin(u)
    slope = f.series.fire.terrain(f.hex("A0304"), b.hex, False)
    assert slope < 0 == f.series.fire.terrain(f.hex("A0303"), b.hex, False)
    assert f.series.fire.estimated_modifier(u, b.hex) == slope + 1
    no_return(f)
    f.roll(nothing(f, 10, slope + 1))
    f.series.fire.phasing(u, [b.hex], False)
    assert f.events("fire")[0].drms == f"terrain {slope:+d}, prepared +1"


@pytest.mark.parametrize(("answer", "hit"), [(0, "A0303"), (1, "A0304")])
def test_8_45_return_fire_at_any_hex_of_a_line_that_combined(field, answer, hit):
    f, u = line(field)
    b = f.unit("B", "A0404", "W", side=1, strength=4)
    f.play()
    f.begin(u)
    f.answers[1]["which_part"] = [answer]
    f.roll(nothing(f, 10, 1), nothing(f, 4, 1))
    f.series.fire.phasing(u, [b.hex], False)
    assert fires(f)[1] == ("c/b", "A0404", hit, "return", 4)


def test_8_45_also_at_a_hex_of_it_that_did_not_fire(field):
    """8.45: any of the line's hexes in the answering unit's arc, the silent third one too."""
    f, u = line(field, 18, ("A0302", "A0304"))
    b = f.unit("B", "A0404", "SW", side=1)
    f.play()
    b.heading = 9  # towards the west: A0303 and A0304
    f.begin(u)
    seen = []
    f.answers[1]["which_part"] = [lambda series, own, enemy, places: seen.extend(place.id for place in places) or 0]
    f.roll(nothing(f, 12, 1), nothing(f, 5, 1))
    f.series.fire.phasing_parts(u, [Aim([part(f, u, "A0303"), part(f, u, "A0304")], [b.hex])])
    assert seen == ["A0303", "A0304"]
    f2, u2 = line(field, 18, ("A0302", "A0304"))
    c = f2.unit("C", "A0503", "W", side=1)
    f2.play()
    f2.begin(u2)
    seen.clear()
    f2.answers[1]["which_part"] = [lambda series, own, enemy, places: seen.extend(place.id for place in places) or 1]
    f2.roll(nothing(f2, 12), nothing(f2, 5))
    f2.series.fire.phasing_parts(u2, [Aim([part(f2, u2, "A0303"), part(f2, u2, "A0302")], [c.hex])])
    assert seen == ["A0303", "A0302", "A0304"] and fires(f2)[1][:3] == ("c/c", "A0503", "A0302")


def test_8_45_only_at_the_part_that_fired_alone(field):
    f, u = line(field)
    b = f.unit("B", "A0404", "W", side=1, strength=4)
    f.play()
    f.begin(u)
    f.roll(nothing(f, 5, 1), nothing(f, 4, 1))
    f.series.fire.phasing_parts(u, [Aim([u.parts[1]], [b.hex])])
    assert fires(f)[1][1:4] == ("A0404", "A0304", "return") and "which_part" not in f.asked[1]


def test_8_45_10_15_a_reaction_to_one_of_its_fires_makes_only_that_answer_late(field):
    """8.45, 10.15, 10.42, 9.61: who is struck on the flank turns after all phasing fire has told, then answers."""
    f, u = line(field)
    b = f.unit("B", "A0403", "W", side=1, strength=5)
    c = f.unit("C", "A0405", "W", side=1, strength=4)
    b.heading = 11  # A0303 lies on its left flank
    f.play()
    f.begin(u)
    f.answers[1]["reaction_facing"] = [0]
    f.roll(nothing(f, 5, 2), nothing(f, 5, 1), nothing(f, 4, 1), ("cohesion", 0), nothing(f, 5, 1))
    f.series.fire.phasing_parts(u, [Aim([u.parts[0]], [b.hex]), Aim([u.parts[1]], [c.hex])])
    assert b.heading == 9 and b.reacted
    assert [(shot[0], shot[3]) for shot in fires(f)] == [
        ("u/u", "phasing"), ("u/u", "phasing"), ("c/c", "return"), ("c/b", "return"),
    ]
    seen = [event.kind for event in f.events("fire", "reaction")]
    assert seen == ["fire", "fire", "fire", "reaction", "fire"]


def test_8_45_9_61_combined_fire_comes_from_outside_only_if_none_of_its_hexes_is_in_front(field):
    f, u = line(field)
    b = f.unit("B", "A0404", "W", side=1)
    b.heading = 11  # A0303 in front, A0304 on its left flank
    f.play()
    f.begin(u)
    f.roll(nothing(f, 10, 2), nothing(f, 5, 1))
    f.series.fire.phasing(u, [b.hex], False)
    assert "reaction_facing" not in f.asked[1] and "which_part" not in f.asked[1]
    assert [shot[1:4] for shot in fires(f)] == [("A0303", "A0404", "phasing"), ("A0404", "A0303", "return")]


def test_10_26_each_part_fires_over_the_friends_before_it(field):
    """10.26, 8.45: friends beneath the lines of the parts that fire check on a low roll, once for the fire."""
    f, u = line(field)
    target = f.unit("T", "A0504", "W", side=1)
    below = f.unit("below", "A0404", "E")
    f.level(2, "A0303", "A0304", "A0504")
    f.play()
    f.begin(u)
    no_return(f)
    friends = [[one.name for one in f.series.sight.friends_under_fire(u, own.hex, target.hex)] for own in u.parts]
    assert friends == [["below"], ["below"]]
    assert f.series.fire.bearing(u, target.hex) == u.parts
    f.roll(("fire", 0), ("cohesion", 9))
    f.series.fire.phasing(u, [target.hex], False)
    assert below.disordered and not u.disordered


def test_8_45_gringo_each_part_alone_is_a_unit_of_its_own(field):
    """8.45 of Gringo!: the owner sees what one part's fire does before he declares the next."""
    f, u = line(field)
    b = f.unit("B", "A0403", "W", side=1, strength=1)
    c = f.unit("C", "A0405", "W", side=1)
    f.play(options={"edition": "gringo"})
    f.begin(u)
    no_return(f)
    f.roll(face(f, 5, 1, "1", "1d", "2", "1D"), nothing(f, 5, 1))
    f.series.fire.phasing_parts(u, [Aim([u.parts[0]], [b.hex])])
    assert not b.counts() and f.series.fire.may_fire(u)
    assert f.series.fire.targets(u) == [c.hex] and f.series.fire.bearing(u, c.hex) == [u.parts[1]]
    with pytest.raises(CommanderError):
        f.series.fire.phasing_parts(u, [Aim([u.parts[0]], [c.hex])])
    f.series.fire.phasing_parts(u, [Aim([u.parts[1]], [c.hex])])
    assert not f.series.fire.may_fire(u) and f.dice.used_up()


def test_8_45_gringo_fires_that_come_to_nothing_are_left_out(field):
    """8.45 of Gringo!: disordered again by the answer to its first part's fire, the line fires no more (12.35f)."""
    f, u = line(field, disordered=True)
    b = f.unit("B", "A0403", "W", side=1, strength=4)
    c = f.unit("C", "A0405", "W", side=1)
    f.play(options={"edition": "gringo"})
    f.begin(u)
    f.answers[1]["return_fire"] = [4]
    f.roll(nothing(f, 5, -1), face(f, 4, 1, "D", "1D", "2D"))
    f.series.fire.phasing_parts(u, [Aim([u.parts[0]], [b.hex]), Aim([u.parts[1]], [c.hex])])
    assert [shot[3] for shot in fires(f)] == ["phasing", "return"]
    assert u.finished and f.dice.used_up()


# -- fire at parts -----------------------------------------------------------------------------------------------------


def test_8_45_only_the_terrain_of_the_hex_fired_at_counts(field):
    f = field(8, 8)
    a = f.unit("A", "A0404", "W", orders=ATTACK)
    t = f.unit("T", "A0303", "E", strength=10, side=1)
    f.ground("cedars", "A0304")
    f.play()
    extend(f, t, "A0304")
    f.begin(a)
    woods = f.series.fire.terrain(a.hex, f.hex("A0304"), False)
    assert woods < 0
    assert f.series.fire.targets(a) == [f.hex("A0303"), f.hex("A0304")]
    assert f.series.fire.estimated_modifier(a, f.hex("A0303")) == 1
    assert f.series.fire.estimated_modifier(a, f.hex("A0304")) == 1 + woods


def test_8_44_8_34_each_part_is_massed_or_dispersed_by_its_own_points(field):
    """8.44, 8.34: 15 points in two hexes: eight are massed, seven are not."""
    f, _ = line(field, 15)
    f.play()
    fire = f.series.fire
    assert (fire.density(f.hex("A0303")), fire.density(f.hex("A0304"))) == (f.charts.fire.massed, 0)


def test_10_81_the_zones_are_those_of_the_part_fired_at(field):
    """8.45, 10.81: a shooter in front of the counter may be on the flank of the marker."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "S", orders=ATTACK)
    t = f.unit("T", "A0303", "E", strength=10, side=1)
    f.play()
    a.heading = 5
    extend(f, t, "A0304")
    f.begin(a)
    fire = f.series.fire
    assert fire.flanking(part(f, t, "A0303"), a.hex)
    assert not fire.flanking(part(f, t, "A0304"), f.hex("A0403"))


def hit(f, place, losses, disorder, drm=0):
    result = FireResult(losses, disorder, drm, "result")
    return f.series.results.apply_fire(f.hex(place), result, BY_SMALL_ARMS, [], [f.hex("A0604")])


@pytest.mark.parametrize(("die", "shaken"), [(9, True), (0, False)])
def test_8_45_a_disorder_of_any_part_disorders_all_and_guns_with_it_check(field, die, shaken):
    f, u = line(field)
    g = f.unit("G", "A0303", "E", kind=ARTILLERY, strength=4, cohesion=6)
    f.play([("cohesion", die)])
    hit(f, "A0304", 0, AUTOMATIC)
    assert u.disordered and g.disordered is shaken and f.dice.used_up()


def test_8_45_guns_of_other_hexes_do_not_check_while_the_line_stands(field):
    f, u = line(field)
    g = f.unit("G", "A0303", "E", kind=ARTILLERY, strength=4)
    f.play([("cohesion", 0)])
    hit(f, "A0304", 0, UDD)
    assert not u.disordered and not g.disordered and f.dice.used_up()


def test_8_5_each_part_of_a_column_is_a_target_of_its_own(field):
    """8.5: ten points in two hexes: a fire at one of them strikes at most the five there; disorder is for all."""
    f = field(8, 8)
    u = f.unit("U", "A0303", "E", strength=10)
    f.play()
    extend(f, u, "A0203", formation=EXTENDED_COLUMN)
    u.strength = u.full = 3
    assert [one.points() for one in u.parts] == [2, 1]
    hit(f, "A0203", 2, 0)
    assert u.strength == 2
    hit(f, "A0203", 0, AUTOMATIC)
    assert u.disordered


def test_8_53_only_the_parent_hex_of_a_column_fires_and_never_prepared_10_52(field):
    f = field(8, 8)
    u = f.unit("U", "A0303", "E", strength=10)
    b = f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0305", "W", side=1)
    f.play()
    extend(f, u, "A0204", formation=EXTENDED_COLUMN)
    u.parts[1].column_heading = 5
    f.begin(u)
    fire = f.series.fire
    assert fire.available(u, PHASING) == 5 and fire.bearing(u, b.hex) == [u.parts[0]]
    assert fire.targets(u) == [b.hex]
    no_return(f)
    f.roll(nothing(f, 5))
    fire.phasing(u, [b.hex], False)
    assert f.events("fire")[0].drms == ""


# -- 10.4: non-phasing fire of parts -----------------------------------------------------------------------------------


def defending(field, strength=18, extended=("A0302", "A0304")):
    """A line of the Confederates that faces east, its counter in A0303."""
    f = field(12, 9)
    t = f.unit("T", "A0303", "E", strength=strength, side=1)
    f.made = t
    f.extended = extended
    return f, t


def test_10_42_parts_not_fired_at_answer_if_adjacent_and_free(field):
    """10.42, 8.45: fired at in one hex, the line answers from all parts that bear, together, as its owner says."""
    f, t = defending(field)
    u = f.unit("U", "A0404", "W", orders=ATTACK)
    f.play()
    extend(f, t, "A0302", "A0304")
    f.begin(u)
    f.answers[1]["return_fire"] = [6, 0, 6]  # from A0302 it would be at two hexes, and unprepared for all (10.82)
    f.roll(nothing(f, 5, 1), nothing(f, 12, 1))
    f.series.fire.phasing(u, [f.hex("A0303")], False)
    assert f.events("fire")[1].drms == "prepared +1"
    assert [shot[1:] for shot in fires(f)] == [("A0404", "A0303", "phasing", 5), ("A0303", "A0404", "return", 12)]


def test_10_42_not_a_part_in_the_front_of_another_enemy(field):
    f, t = defending(field)
    u = f.unit("U", "A0404", "W", orders=ATTACK)
    f.unit("V", "A0405", "W")
    f.play()
    extend(f, t, "A0302", "A0304")
    f.begin(u)
    f.roll(nothing(f, 5, 1), nothing(f, 12, -1))
    f.series.fire.phasing(u, [f.hex("A0303")], False)
    assert f.asked[1].count("part_return_fire") == 2
    assert fires(f)[1] == ("c/t", "A0303", "A0404", "return", 12)


def test_10_15_each_part_keeps_its_own_reserve(field):
    f, t = defending(field, 10, ("A0304",))
    u = f.unit("U", "A0404", "W", orders=ATTACK)
    v = f.unit("V", "A0405", "W", orders=ATTACK)
    f.play()
    extend(f, t, "A0304")
    f.begin(u)
    fire = f.series.fire
    f.answers[1]["return_fire"] = [5, 2, 3]
    f.roll(nothing(f, 5, 1), nothing(f, 7, 1))
    fire.phasing(u, [f.hex("A0304")], False)
    # the marker was asked first, being the target: five; the counter keeps three of its five
    assert fires(f)[1][1:] == ("A0304", "A0404", "return", 7)
    assert (fire.left(t.parts[1], RETURN), fire.left(t.parts[0], RETURN)) == (0, 3)
    f.roll(nothing(f, 5, 1))
    fire.phasing(v, [f.hex("A0304")], False)
    assert len(fires(f)) == 3 and f.asked[1].count("return_fire") == 2  # A0303 has A0405 not in front


def test_10_41_a_line_that_contracts_has_fired_what_its_parts_have(field):
    f, t = defending(field, 10, ("A0304",))
    u = f.unit("U", "A0405", "W", orders=ATTACK)
    f.play()
    extend(f, t, "A0304")
    f.begin(u)
    fire = f.series.fire
    fire.use(t.parts[1], u.hex, RETURN, 5, 5)
    f.battle.withdraw_part(t, t.parts[1])
    assert fire.left(t.parts[0], RETURN) == 5


def test_10_43_pre_shock_fire_of_parts_together_at_one_attacker(field):
    f, t = defending(field, 10, ("A0304",))
    a = f.unit("A", "A0404", "W", orders=ATTACK)
    f.play()
    extend(f, t, "A0304")
    f.begin(a)
    f.roll(nothing(f, 10, 1))
    targets = [one.hex for one in t.parts]
    f.fire_before_shock([ShockInProgress(0, [Attacker(a, a.hex, a.heading, False, False)], targets, 0)])
    assert fires(f) == [("c/t", "A0303", "A0404", "pre-shock", 10)]


def test_10_43_8_45_a_part_that_splits_takes_its_targets_from_the_others(field):
    f, t = defending(field, 10, ("A0304",))
    a = f.unit("A", "A0403", "W", orders=ATTACK)
    b = f.unit("B", "A0404", "W", orders=ATTACK)
    f.play()
    extend(f, t, "A0304")
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [2]
    f.roll(nothing(f, 3, 1), nothing(f, 2, 1))
    attackers = [Attacker(one, one.hex, one.heading, False, False) for one in (a, b)]
    f.fire_before_shock([ShockInProgress(0, attackers, [one.hex for one in t.parts], 0)])
    assert [shot[1:] for shot in fires(f)] == [
        ("A0303", "A0403", "pre-shock", 3), ("A0303", "A0404", "pre-shock", 2),
    ]


def test_10_43_7_34_a_refused_defender_fires_half_through_each_front(field):
    f = field(8, 8)
    t = f.unit("T", "A0303", "E", strength=7, side=1)
    a = f.unit("A", "A0404", "W", orders=ATTACK)
    b = f.unit("B", "A0304", "N", orders=ATTACK)
    f.play()
    b.heading = 11
    t.refused = REFUSED_RIGHT
    f.begin(a)
    f.roll(nothing(f, 4, 1), nothing(f, 3, 1))
    attackers = [Attacker(one, one.hex, one.heading, False, False) for one in (a, b)]
    f.fire_before_shock([ShockInProgress(0, attackers, [t.hex], 0)])
    assert [(shot[2], shot[4]) for shot in fires(f)] == [("A0404", 4), ("A0304", 3)]
    assert f.series.fire.most_through(t.parts[0], PRE_SHOCK, REFUSED_FRONT) == 0


def test_10_44_leaving_the_front_of_one_part_for_that_of_another_is_not_leaving(field):
    f, t = defending(field, 10, ("A0304",))
    u = f.unit("U", "A0403", "W")
    f.play()
    extend(f, t, "A0304")
    f.begin(u)
    f.series.fire.withdrawal(u, u.hex, f.hex("A0404"))
    assert fires(f) == []
    f.roll(nothing(f, 5, 1))
    f.series.fire.withdrawal(u, u.hex, f.hex("A0503"))
    assert fires(f) == [("c/t", "A0303", "A0403", "withdrawal", 5)]


def test_10_44_both_parts_that_have_it_in_front_fire_together(field):
    f, t = defending(field, 10, ("A0304",))
    u = f.unit("U", "A0404", "W")
    f.play()
    extend(f, t, "A0304")
    f.begin(u)
    f.roll(nothing(f, 10, 1))
    f.series.fire.withdrawal(u, u.hex, f.hex("A0504"))
    assert fires(f) == [("c/t", "A0304", "A0404", "withdrawal", 10)]


def test_10_44_8_44_a_line_leaves_as_one(field):
    """10.44, 8.44: whoever has in front a hex that a line moves into has not been left; who has none fires at one."""
    f, u = line(field)
    b = f.unit("B", "A0404", "W", side=1, strength=4)
    f.play()
    f.begin(u)
    f.series.fire.withdrawal_of_line(u, [f.hex("A0303"), f.hex("A0304")], [f.hex("A0203"), f.hex("A0304")])
    assert fires(f) == []
    f.answers[1]["which_part"] = [1]
    f.roll(nothing(f, 4, 1))
    f.series.fire.withdrawal_of_line(u, [f.hex("A0303"), f.hex("A0304")], [f.hex("A0203"), f.hex("A0204")])
    assert fires(f) == [("c/b", b.hex.id, "A0304", "withdrawal", 4)]


def test_10_45_guns_fire_at_a_hex_that_the_line_has_entered(field):
    f, u = line(field)
    g = f.unit("G", "A0604", "W", kind=ARTILLERY, strength=6, side=1)
    f.play()
    f.begin(u)
    assert [one.hex.distance_to(g.hex) for one in u.parts] == [3, 3]
    f.answers[1]["which_part"] = [1]
    f.roll(nothing(f, 6, f.series.fire.modifier(g, g.hex, u.parts[1], APPROACH, True)))
    f.series.fire.approach(u, [f.hex("A0303"), f.hex("A0304")])
    assert fires(f) == [("c/g", "A0604", "A0304", "approach", 6)]
    f.series.fire.approach(u, [f.hex("A0303")])
    assert len(fires(f)) == 1  # once in an enemy brigade activation


def test_a_snapshot_keeps_what_parts_have_fired_8_31_10_41(field):
    f, t = defending(field, 10, ("A0304",))
    u = f.unit("U", "A0405", "W")
    f.play()
    extend(f, t, "A0304")
    f.begin(u)
    fire = f.series.fire
    fire.use(t.parts[1], u.hex, RETURN, 2, 5)
    kept = f.battle.snapshot()
    digest = f.battle.digest()
    fire.use(t.parts[1], f.hex("A0404"), RETURN, 3, 3)
    assert f.battle.digest() != digest
    f.battle.restore(kept)
    assert f.battle.digest() == digest and fire.left(t.parts[1], RETURN) == 3
    assert fire.most(t.parts[1], u.hex, RETURN) == 0 and fire.most(t.parts[1], f.hex("A0404"), RETURN) == 3
