"""Chapter 10.2: line of sight and units in the way."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.model.forces import EXTENDED_LINE
from simkit.model.hexgrid import line

# a row of hexes along a line across hexsides: column A05 from north to south
D, C, B, A, W, X, Y, Z = "A0504", "A0505", "A0506", "A0507", "A0508", "A0509", "A0510", "A0511"
LEVELS = {D: 6, C: 6, B: 6, A: 5, W: 3, X: 2, Y: 1, Z: 1}


def sees(f, first, second):
    return f.series.sight.clear(f.hex(first), f.hex(second))


@pytest.fixture
def slopes(field):
    """The slope example of dead-of-winter:1200 to dead-of-winter:1206, with the levels that make each sentence true."""
    f = field(9, 14, level=6)
    for ident, level in LEVELS.items():
        f.level(level, ident)
    for row in (12, 13, 14):
        f.level(1, f"A05{row:02d}")
    f.hexside("steep_slope", A, W)
    return f.play()


CLEAR = ["AW", "AX", "AY", "AZ", "BX", "BY", "BZ", "CZ"]
BLOCKED = ["BW", "CW", "CX", "CY", "DW", "DX", "DY", "DZ"]
NAMES = {"A": A, "B": B, "C": C, "D": D, "W": W, "X": X, "Y": Y, "Z": Z}


@pytest.mark.parametrize("pair", CLEAR)
def test_10_24_slope_example_clear(slopes, pair):
    """dead-of-winter:1200, dead-of-winter:1202, into-the-woods:1131."""
    assert sees(slopes, NAMES[pair[0]], NAMES[pair[1]])
    assert sees(slopes, NAMES[pair[1]], NAMES[pair[0]])


@pytest.mark.parametrize("pair", BLOCKED)
def test_10_24_slope_example_blocked(slopes, pair):
    """dead-of-winter:1202, dead-of-winter:1204, dead-of-winter:1206, into-the-woods:1131."""
    assert not sees(slopes, NAMES[pair[0]], NAMES[pair[1]])
    assert not sees(slopes, NAMES[pair[1]], NAMES[pair[0]])


def test_10_24_slope_example_hexside_height(slopes):
    """dead-of-winter:1202: the slope between A and W is 4 high, above the average of C and Y, 3.5, and halfway."""
    sightline = slopes.series.sight.trace(slopes.hex(C), slopes.hex(Y))
    assert slopes.series.sight._hexside_halfway(sightline, 7)
    assert not slopes.series.sight._hexside_halfway(sightline, 8)


def test_10_24_gradual_hexside_halfway_does_not_block(field):
    f = field(3, 8)
    f.level(4, "A0201", "A0202", "A0203")
    f.level(3, "A0204")
    f.level(2, "A0205")
    f.level(1, "A0206", "A0207")
    f.play(options={"crests": "no"})
    assert sees(f, "A0203", "A0206")  # average 2.5, the gradual hexside between 3 and 2 is just as high


@pytest.mark.parametrize(
    ("slope", "south", "clear"), [("minor_slope", 2, False), ("", 2, True), ("minor_slope", 1, True)]
)
def test_10_24_hexside_midway_along_which_the_line_runs(field, slope, south, clear):
    """Note 3: midway the line runs along the hexside of 0406 and 0407, as high as their mean: above 2, or just 2."""
    f = field(8, 9, level=3)
    f.level(south, "A0407")
    f.level(2, "A0506")
    f.level(1, "A0606", "A0607", "A0706")
    if slope:
        f.hexside(slope, "A0406", "A0407")
    f.play(options={"crests": "no"})
    assert sees(f, "A0106", "A0706") == clear


@pytest.mark.parametrize(("beyond", "between", "blocked"), [(1, 2, True), (2, 2, False), (0, 1, True), (3, 1, False)])
def test_10_24_crest_example(field, beyond, between, blocked):
    """dead-of-winter:1214, into-the-woods:1147: the ground falls sooner beyond A than towards Y, not so towards Z."""
    f = field(3, 16, level=1)
    top = [f"A02{row:02d}" for row in range(8 - beyond, 8 + between + 1)]
    f.level(2, *top)
    f.play()
    end = f"A02{8 + between + 2:02d}"
    assert sees(f, "A0208", end) != blocked
    assert sees(f, end, "A0208") != blocked


def test_10_24_crest_example_on_the_printed_hexside(field):
    """dead-of-winter:1214: A in 4406 looks over the crest on the hexside to 4505 towards Y, and along it towards Z."""
    f = field(48, 12, level=1)

    def away(direction, hexes):
        place = f.hex("A4406")
        for _ in range(hexes):
            place = place.sides[direction].to
        return place

    north, north_east, south, south_west = 0, 1, 3, 4
    assert away(north_east, 1).id == "A4505"
    flat = [away(*step) for step in [(north, 0), (north_east, 1), (north_east, 2), (north, 1), (south, 1)]]
    f.level(2, *(place.id for place in flat))
    f.play()
    assert away(south_west, 1).elevation == 1
    assert not sees(f, "A4406", away(north_east, 3).id)  # none beyond A, two between
    assert sees(f, "A4406", away(north, 2).id)  # one beyond A, one between


def test_10_24_crest_not_where_it_rises_behind_and_not_without_the_option(field):
    f = field(3, 16, level=1)
    f.level(2, "A0207", "A0208", "A0209", "A0210")
    f.level(3, "A0207")
    f.play()
    assert sees(f, "A0208", "A0212")
    g = field(3, 16, level=1)
    g.level(2, "A0208", "A0209", "A0210")
    g.play(options={"crests": "no"})
    assert sees(g, "A0208", "A0212")


@pytest.mark.parametrize(("north", "south", "blocked"), [(1, 3, True), (1, 2, True), (2, 3, False), (3, 3, False)])
def test_10_24_crest_where_the_line_runs_on_along_a_hexside(field, north, south, blocked):
    """Behind 0506 the line has both 0406 and 0407: only higher ground before the lower undoes the crest."""
    f = field(8, 9, level=2)
    f.level(north, "A0406")
    f.level(south, "A0407")
    f.level(1, "A0706")
    f.play()
    assert sees(f, "A0506", "A0706") != blocked


def test_10_24_crest_ignores_woods_behind(field):
    f = field(3, 16, level=1)
    f.level(2, "A0208", "A0209", "A0210")
    f.ground("woods", "A0207")  # as high as A with its trees, but the ground falls
    f.play()
    assert not sees(f, "A0208", "A0212")


def test_10_23_woods_and_towns_block_on_level_ground_but_can_be_seen_into(field):
    for terrain in ("woods", "cedars", "town"):
        f = field(3, 8)
        f.ground(terrain, "A0204")
        f.play()
        assert not sees(f, "A0203", "A0205")
        assert sees(f, "A0202", "A0204")
        assert sees(f, "A0203", "A0204")
    f = field(3, 8)
    f.ground("orchard", "A0204")
    f.play()
    assert sees(f, "A0203", "A0205")


def test_10_24_higher_ground_between_blocks_lower_woods_do_not(field):
    f = field(3, 10)
    f.level(1, "A0205")
    f.play()
    assert not sees(f, "A0203", "A0207")
    g = field(3, 10, level=2)
    g.level(1, "A0205", "A0204", "A0206")
    g.ground("woods", "A0205")  # their tops are level with both ends
    g.play()
    assert sees(g, "A0203", "A0207")


def test_10_24_canopy(field):
    def canopy(slope, low_between):
        f = field(3, 8, level=2)
        f.ground("woods", "A0203", "A0204")
        f.level(1 if low_between else 2, "A0204")
        f.level(2 if low_between else 1, "A0205")
        if slope:
            f.hexside("minor_slope", "A0203", "A0204")
        f.play(options={"crests": "no"})
        return sees(f, "A0203", "A0205")

    assert not canopy(False, True)  # gradual
    assert canopy(True, True)  # lower than both ends, and a slope between the woods
    f = field(3, 8, level=2)
    f.ground("woods", "A0203", "A0204")
    f.level(1, "A0204", "A0205")
    f.hexside("minor_slope", "A0203", "A0204")
    f.play(options={"crests": "no"})
    assert not sees(f, "A0203", "A0205")  # no lower than the far end


def test_10_24_intervening_hill(field):
    f = field(3, 12, level=2)
    f.level(1, "A0204")
    f.level(1, "A0207", "A0208", "A0209")
    f.play(options={"crests": "no"})
    assert not sees(f, "A0203", "A0208")  # 0205 is as high as 0203, beyond lower ground


def test_10_24_shadow_of_woods_and_of_a_steep_slope(field):
    f = field(3, 12, level=3)
    f.level(0, "A0207", "A0208", "A0209")
    f.level(0, "A0206")
    f.level(1, "A0205")
    f.level(2, "A0204")
    f.ground("woods", "A0206")
    f.play(options={"crests": "no"})
    assert not sees(f, "A0203", "A0207")
    g = field(3, 12, level=3)
    g.level(0, "A0207", "A0208")
    g.level(1, "A0206")
    g.level(2, "A0205")
    g.hexside("steep_slope", "A0206", "A0207")
    g.play(options={"crests": "no"})
    assert not sees(g, "A0204", "A0207")
    h = field(3, 12, level=3)
    h.level(0, "A0207", "A0208")
    h.level(1, "A0206")
    h.level(2, "A0205")
    for first, second in (("A0206", "A0207"), ("A0205", "A0206"), ("A0204", "A0205")):
        h.hexside("steep_slope", first, second)
    h.play(options={"crests": "no"})
    assert sees(h, "A0204", "A0207")  # all as steep


@pytest.mark.parametrize(("woods", "clear"), [("A0403", False), ("A0404", False), ("A0304", True)])
def test_10_27_along_a_hexside_one_blocking_hex_is_enough(field, woods, clear):
    f = field(6, 6)
    f.ground("woods", woods)
    f.play()  # the line from A0303 to A0503 runs along the hexside between A0403 and A0404
    assert sees(f, "A0303", "A0503") == clear


def random_ground(field, seed):
    dice = random.Random(seed)
    f = field(7, 7)
    for place in f.map.hexes:
        place.elevation = dice.randrange(4)
        place.terrain = f.charts.terrain(dice.choice(["clear", "clear", "woods", "town"]))
    for place in f.map.hexes:
        for side in place.sides[:3]:
            if side.on_map and side.to.elevation != place.elevation:
                name = dice.choice(["", "minor_slope", "steep_slope"])
                if name:
                    f.hexside(name, place.id, side.to.id)
    return f.play()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_10_25_sight_is_the_same_both_ways(field, seed):
    f = random_ground(field, seed)
    for a, b in itertools.combinations(f.map.hexes, 2):
        assert f.series.sight.blocked(a, b) == f.series.sight.blocked(b, a)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_10_26_units_in_the_way_of_small_arms_are_so_both_ways_unless_ground_hides_them(field, seed):
    """All exceptions look the same from both ends but two: guns above, and enemies whom the ground hides from one."""
    f = random_ground(field, seed)
    dice = random.Random(seed)
    troops = [f.unit(place.id, place.id, side=dice.randrange(2)) for place in dice.sample(f.map.hexes, 16)]
    for a, b in itertools.combinations(troops, 2):
        if a.side == b.side:
            continue
        cells = line(b.hex.q - a.hex.q, b.hex.r - a.hex.r).cells
        between = [f.map.at_axial(a.hex.q + cell.q, a.hex.r + cell.r) for cell in cells]
        sides = {f.battle.held_by(place) for place in between} - {-1}
        ways = f.series.sight.fire_blocked(a, a.hex, b.hex), f.series.sight.fire_blocked(b, b.hex, a.hex)
        if len(sides) != 1:
            assert ways[0] == ways[1]
        elif ways[0] != ways[1]:
            seer, way = (a, ways[0]) if a.side not in sides else (b, ways[1])
            assert not way  # only from the side that has no friends there
            held = [place for place in between if f.battle.held_by(place) >= 0]
            assert not any(f.series.sight.clear(seer.hex, place) for place in held)


def test_10_26_units_between_block_small_arms(field):
    f = field(3, 12)
    a = f.unit("a", "A0203", "SSE", weapon="R")
    f.unit("enemy", "A0204", side=1)
    f.unit("target", "A0205", side=1)
    f.play()
    assert f.series.sight.fire_blocked(a, a.hex, f.hex("A0205"))
    assert not f.series.sight.fire_blocked(a, a.hex, f.hex("A0204"))


def test_10_26_units_below_both_ends_do_not_block_and_friends_there_check(field):
    f = field(3, 12, level=1)
    f.level(0, "A0204")
    a = f.unit("a", "A0203", "SSE")
    friend = f.unit("friend", "A0204")
    f.unit("target", "A0205", side=1)
    f.play()
    assert not f.series.sight.fire_blocked(a, a.hex, f.hex("A0205"))
    assert f.series.sight.friends_under_fire(a, a.hex, f.hex("A0205")) == [friend]


def test_10_26_guns_fire_over_units_two_levels_below_next_to_them(field):
    f = field(3, 12, level=0)
    f.level(2, "A0203")
    guns = f.unit("guns", "A0203", "SSE", kind=2)
    foot = f.unit("foot", "A0203", "SSE")
    f.unit("friend", "A0204")
    f.unit("target", "A0205", side=1)
    f.play()
    assert not f.series.sight.fire_blocked(guns, guns.hex, f.hex("A0205"))
    # equally near to both ends, on the lower unit's level: no closer to the lower unit
    assert not f.series.sight.fire_blocked(foot, foot.hex, f.hex("A0205"))
    f.level(1, "A0203")
    assert f.series.sight.fire_blocked(guns, guns.hex, f.hex("A0205"))


def test_10_26_enemies_hidden_by_ground_do_not_block(field):
    f = field(3, 12, level=2)
    f.level(1, "A0204")
    f.ground("woods", "A0204")  # tops level with the ends: the line passes, but who stands beyond in a hollow is hidden
    f.level(0, "A0205")
    f.hexside("steep_slope", "A0204", "A0205")
    a = f.unit("a", "A0203", "SSE")
    f.unit("hidden", "A0205", side=1)
    f.unit("target", "A0207", side=1)
    f.play(options={"crests": "no"})
    assert not f.series.sight.clear(f.hex("A0203"), f.hex("A0205"))
    assert not f.series.sight.fire_blocked(a, a.hex, f.hex("A0207"))


@pytest.mark.parametrize(("place", "blocked"), [
    ("A0204", False), ("A0205", False), ("A0206", True), ("A0207", True), ("A0209", True), ("A0210", True),
    ("A0211", False),
])
def test_10_26_friends_within_two_hexes_of_the_target_stop_shell(field, place, blocked):
    f = field(3, 12)
    guns = f.unit("guns", "A0203", "SSE", kind=2)
    f.unit("friend", place)
    f.unit("target", "A0208", side=1)
    f.play()
    assert f.series.sight.fire_blocked(guns, guns.hex, f.hex("A0208")) == blocked


def test_10_26_enemies_and_abandoned_guns_do_not_stop_shell(field):
    f = field(3, 12)
    guns = f.unit("guns", "A0203", "SSE", kind=2)
    f.unit("enemy", "A0207", side=1)
    lost = f.unit("lost", "A0206", kind=2)
    f.unit("target", "A0208", side=1)
    f.play()
    f.battle.abandon(lost, 1)
    assert not f.series.sight.fire_blocked(guns, guns.hex, f.hex("A0208"))


def test_10_26_9_55_guns_see_over_their_own_side_below_them_and_infantry_not(field):
    f = field(3, 12)
    f.level(3, "A0203")
    f.level(1, "A0204")
    f.unit("mate", "A0204", side=1)
    f.play()
    sight = f.series.sight
    assert sight.hidden_by(1, f.hex("A0203"), f.hex("A0206"), False)
    assert not sight.hidden_by(1, f.hex("A0203"), f.hex("A0206"), True)
    assert not sight.hidden_by(0, f.hex("A0203"), f.hex("A0206"), False)


def test_10_26_units_hide_nobody_from_the_march(field):
    """Units between stop fire, but for 6.13 an enemy four hexes away is in sight over all their heads."""
    f = field(3, 12)
    a = f.unit("a", "A0203", "SSE")
    f.unit("screen", "A0204")
    f.unit("enemy", "A0207", side=1)
    f.play()
    assert f.series.sight.fire_blocked(a, a.hex, f.hex("A0207"))
    assert f.series.orders.close_to_enemy(a.hex, a.side)
    f.ground("woods", "A0205")
    f.series.sight.forget()
    assert not f.series.orders.close_to_enemy(a.hex, a.side)


@pytest.mark.parametrize("alongside", ["A0403", "A0404"])
def test_10_26_units_beside_a_hexside_along_which_the_line_runs_block(field, alongside):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E")
    f.unit("beside", alongside)
    f.unit("target", "A0503", side=1)
    f.play()
    assert f.series.sight.fire_blocked(a, a.hex, f.hex("A0503"))


def test_10_26_a_unit_is_not_in_its_own_way(field):
    """8.4: from one hex of an extended line fire passes along the hexside of the other."""
    f = field(6, 6)
    a = f.unit("a", "A0303", "NE")
    f.unit("target", "A0503", side=1)
    f.play()
    f.battle.add_part(a, f.hex("A0404"), 0, EXTENDED_LINE)
    assert not f.series.sight.fire_blocked(a, f.hex("A0303"), f.hex("A0503"))
    assert f.series.sight.friends_under_fire(a, f.hex("A0303"), f.hex("A0503")) == []


def test_10_26_an_extended_friend_blocks_with_each_of_its_parts_and_checks_once(field):
    f = field(6, 6, level=1)
    f.level(0, "A0403", "A0404")
    a = f.unit("a", "A0303", "E")
    friend = f.unit("friend", "A0403")
    f.unit("target", "A0503", side=1)
    f.play()
    f.battle.add_part(friend, f.hex("A0404"), 0, EXTENDED_LINE)
    assert not f.series.sight.fire_blocked(a, a.hex, f.hex("A0503"))
    assert f.series.sight.friends_under_fire(a, a.hex, f.hex("A0503")) == [friend]
    f.level(1, "A0404")
    assert f.series.sight.fire_blocked(a, a.hex, f.hex("A0503"))
