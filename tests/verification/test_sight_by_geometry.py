"""Sight a second time (10.2): by exact geometry on drawn hexagons and from the rulebook's words, against rules.sight.

Nothing here is shared with the engine. A hexagon is the polygon of its six corners, the line of sight is clipped
against it in fractions, and every hexside is cut as the segment between two corners. The ground is kept apart from
the map under test, as plain dictionaries by column and row. Every pair of hexes of ten small random maps is compared,
with geographic crests and without; then the units in the way (10.26) on the same maps.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest

Place = tuple[int, int]  # column and row
Point = tuple[Fraction | int, Fraction | int]

COLUMNS = ROWS = 8
PLACES = [(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
NO_SLOPE, MINOR, STEEP, SHEER = range(4)
SLOPE_NAMES = ("", "minor_slope", "steep_slope", "sheer_slope")
HALF = Fraction(1, 2)


# -- the drawn grid ------------------------------------------------------------------------------------------------
# Flat-topped hexagons, squeezed sideways so that all corners are whole numbers: lines stay lines, and what share of a
# line lies in a hexagon stays the same. A hexagon is two units high; odd columns lie one unit lower.


def centre(place: Place) -> tuple[int, int]:
    column, row = place
    return 3 * column, 2 * row + column % 2


def corners(place: Place) -> list[tuple[int, int]]:
    x, y = centre(place)
    return [(x + 2, y), (x + 1, y + 1), (x - 1, y + 1), (x - 2, y), (x - 1, y - 1), (x + 1, y - 1)]


def steps(a: Place, b: Place) -> int:
    """10.12: hexes from one to the other: each step changes the column, or else the height by a whole hexagon."""
    across = abs(a[0] - b[0])
    along = abs(centre(a)[1] - centre(b)[1])
    return across + max(0, (along - across) // 2)


@dataclass(frozen=True)
class Stretch:
    """What of the line of fire lies in or along a hexagon: from when to when; 0 is the first centre, 1 the other."""

    place: Place
    enter: Fraction
    leave: Fraction


@dataclass(frozen=True)
class Cut:
    """Where the line meets a hexside between two hexagons that it visits: at one time, or all along it."""

    pair: tuple[Place, Place]
    first: Fraction
    last: Fraction


def clip(start: tuple[int, int], end: tuple[int, int], place: Place) -> Stretch | None:
    """The stretch of the endless line through two points in a (closed) hexagon; None if it at most touches a corner."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    enter: Fraction | None = None
    leave: Fraction | None = None
    polygon = corners(place)
    for (x1, y1), (x2, y2) in itertools.pairwise([*polygon, polygon[0]]):
        # inside is where the cross product of the edge with the way to the point is not negative
        speed = (x2 - x1) * dy - (y2 - y1) * dx
        level = (x2 - x1) * (start[1] - y1) - (y2 - y1) * (start[0] - x1)
        if speed == 0:
            if level < 0:
                return None
            continue
        when = Fraction(-level, speed)
        if speed > 0:
            enter = when if enter is None else max(enter, when)
        else:
            leave = when if leave is None else min(leave, when)
    assert enter is not None and leave is not None
    return Stretch(place, enter, leave) if enter < leave else None


def cut(start: tuple[int, int], end: tuple[int, int], pair: tuple[Place, Place]) -> Cut | None:
    """Where the line from one point to another meets the hexside of two adjacent hexagons, if it does."""
    (x1, y1), (x2, y2) = [corner for corner in corners(pair[0]) if corner in corners(pair[1])]
    dx, dy = end[0] - start[0], end[1] - start[1]
    sides = [dx * (y - start[1]) - dy * (x - start[0]) for x, y in ((x1, y1), (x2, y2))]
    if sides[0] * sides[1] > 0:
        return None
    length = dx * dx + dy * dy
    times = [Fraction((x - start[0]) * dx + (y - start[1]) * dy, length) for x, y in ((x1, y1), (x2, y2))]
    if sides == [0, 0]:
        return Cut(pair, min(times), max(times))
    share = Fraction(sides[0], sides[0] - sides[1])
    when = times[0] + share * (times[1] - times[0])
    return Cut(pair, when, when)


@dataclass(frozen=True)
class Course:
    """The line of fire from one hex's centre to another's: hexes before, on and beyond it, hexsides on it."""

    between: list[Stretch]
    behind_first: list[Stretch]
    behind_second: list[Stretch]
    cuts: list[Cut]


@cache
def course(a: Place, b: Place) -> Course:
    """10.21: the line between two hexes and on past both, as far again."""
    start, end = centre(a), centre(b)
    dx, dy = end[0] - start[0], end[1] - start[1]
    made = Course([], [], [], [])
    width, height = abs(a[0] - b[0]) + 1, abs(a[1] - b[1]) + 2
    for column in range(min(a[0], b[0]) - width, max(a[0], b[0]) + width + 1):
        for row in range(min(a[1], b[1]) - height, max(a[1], b[1]) + height + 1):
            x, y = centre((column, row))
            # no corner is farther than this from its centre, measured across the line
            if abs(dx * (y - start[1]) - dy * (x - start[0])) > 2 * (abs(dx) + abs(dy)):
                continue
            stretch = clip(start, end, (column, row))
            if stretch is None or stretch.place in (a, b):
                continue
            if stretch.enter >= 1:
                made.behind_second.append(stretch)
            elif stretch.leave <= 0:
                made.behind_first.append(stretch)
            else:
                made.between.append(stretch)
    visited = [a, *(stretch.place for stretch in made.between), b]
    for pair in itertools.combinations(visited, 2):
        if steps(*pair) == 1:
            met = cut(start, end, pair)
            if met is not None:
                made.cuts.append(met)
    return made


# -- the ground and the rule ---------------------------------------------------------------------------------------


@dataclass
class Ground:
    """A map as printed: levels, what covers the hexes, and the slope hexsides."""

    level: dict[Place, int]
    cover: dict[Place, str]
    slope: dict[frozenset[Place], int]

    def on_map(self, place: Place) -> bool:
        return place in self.level

    def stands_up(self, place: Place) -> bool:
        """10.23: woods and towns, but no orchards."""
        return self.cover[place] in ("woods", "cedars", "town")

    def wooded(self, place: Place) -> bool:
        return self.cover[place] in ("woods", "cedars")

    def top(self, place: Place) -> int:
        """10.23: the ground, one level higher in woods and towns."""
        return self.level[place] + (1 if self.stands_up(place) else 0)

    def drawn(self, pair: tuple[Place, Place]) -> int:
        return self.slope.get(frozenset(pair), NO_SLOPE)

    def steepness(self, pair: tuple[Place, Place]) -> int:
        """10.23 note 2: the slope drawn; woods and towns are hills of steep sides one level above the ground."""
        one, other = pair
        if not self.stands_up(one) and not self.stands_up(other):
            return self.drawn(pair)
        return NO_SLOPE if self.top(one) == self.top(other) else max(STEEP, self.drawn(pair))

    def gradual(self, pair: tuple[Place, Place], lower: Place) -> bool:
        """10.23, 10.24 note 4: no slope hexside and at most one level; or no higher than one above the lower unit."""
        one, other = pair
        if self.stands_up(one) or self.stands_up(other):
            return self.steepness(pair) == NO_SLOPE
        if max(self.level[one], self.level[other]) - self.level[lower] <= 1:
            return True
        return self.drawn(pair) == NO_SLOPE and abs(self.level[one] - self.level[other]) <= 1


class Look:
    """One look from hex to hex over some ground, seen from the higher."""

    def __init__(self, ground: Ground, a: Place, b: Place) -> None:
        self.ground = ground
        course_of = course(a, b)
        swap = ground.level[b] > ground.level[a]
        self.high, self.low = (b, a) if swap else (a, b)

        def turned(stretches: list[Stretch]) -> list[Stretch]:
            """On the map, with times counted from the higher end."""
            kept = [one for one in stretches if ground.on_map(one.place)]
            if swap:
                kept = [Stretch(one.place, 1 - one.leave, 1 - one.enter) for one in kept]
            return kept

        self.times = sorted({1 - one.leave if swap else one.enter for one in course_of.between})
        self.between = turned(course_of.between)
        self.behind = turned(course_of.behind_second if swap else course_of.behind_first)
        self.cuts = [
            Cut(one.pair, 1 - one.last, 1 - one.first) if swap else one
            for one in course_of.cuts if ground.on_map(one.pair[0]) and ground.on_map(one.pair[1])
        ]

    def clear(self, crests: bool) -> bool:
        """10.22, 10.24."""
        ground = self.ground
        if steps(self.high, self.low) < 2:
            return True
        top = ground.level[self.high]
        if any(ground.top(one.place) > top for one in self.between):
            return False  # higher elevations
        if self.under_canopy():
            return False
        if ground.level[self.low] == top:
            return True
        if self.behind_slope() or self.behind_hill() or self.in_shadow():
            return False
        return not (crests and self.behind_crest())

    def under_canopy(self) -> bool:
        """10.24 Canopy of Trees."""
        ground = self.ground
        ends = (self.high, self.low)
        for end in ends:
            for one in self.between:
                wood = one.place
                if not ground.wooded(end) or not ground.wooded(wood) or steps(wood, end) > 1:
                    continue
                if ground.level[wood] >= ground.level[end]:
                    continue
                below_both = all(ground.level[wood] < ground.level[other] for other in ends)
                fall = ground.level[end] - ground.level[wood]
                gradual = ground.drawn((wood, end)) == NO_SLOPE and fall <= 1
                if not below_both or gradual:
                    return True
        return False

    def behind_slope(self) -> bool:
        """10.24 Slopes, with notes 1 to 4."""
        ground = self.ground
        average = Fraction(ground.level[self.high] + ground.level[self.low], 2)
        for one in self.between:
            if ground.top(one.place) <= average:
                continue
            to_low, to_high = steps(one.place, self.low), steps(one.place, self.high)
            if to_low < to_high:
                return True
            if to_low == to_high and any(
                one.place in met.pair and met.first == met.last == one.leave and not ground.gradual(met.pair, self.low)
                for met in self.cuts
            ):
                return True
        for met in self.cuts:
            tops = ground.top(met.pair[0]), ground.top(met.pair[1])
            higher = tops[0] != tops[1] and Fraction(sum(tops), 2) > average
            if met.first + met.last == 1 and higher and not ground.gradual(met.pair, self.low):
                return True
        return False

    def behind_hill(self) -> bool:
        """10.24 The Intervening Hill Exception."""
        ground = self.ground
        top = ground.level[self.high]
        return any(
            ground.level[hill.place] == top and ground.level[valley.place] < top and valley.leave <= hill.enter
            for hill in self.between for valley in self.between
        )

    def in_shadow(self) -> bool:
        """10.24 The Shadow Exception."""
        ground = self.ground
        for one in self.between:
            for end in (self.high, self.low):
                beside = ground.stands_up(one.place) and steps(one.place, end) == 1
                if beside and ground.top(one.place) > ground.level[end]:
                    return True
        crossed = [met.pair for met in self.cuts if met.first == met.last]
        for pair in crossed:
            if self.low not in pair or ground.drawn(pair) < STEEP:
                continue
            above = pair[0] if pair[1] == self.low else pair[1]
            all_as_steep = all(ground.steepness(other) >= ground.drawn(pair) for other in crossed if other != pair)
            if ground.level[above] > ground.level[self.low] and not all_as_steep:
                return True
        return False

    def behind_crest(self) -> bool:
        """10.24 Crests: hexes of the higher unit's level are counted towards the lower unit and behind the higher."""
        ground = self.ground
        top = ground.level[self.high]
        # the n-th hexes ahead, and the n-th behind: their mirror images; two where the line runs along a hexside
        ahead = [[one for one in self.between if one.enter == when] for when in self.times]
        behind = [[one for one in self.behind if one.leave == -when] for when in self.times]
        falls_ahead = [at for at, some in enumerate(ahead) if any(ground.level[one.place] < top for one in some)]
        same_ahead = falls_ahead[0] if falls_ahead else len(ahead)
        lower = [at for at, some in enumerate(behind) if any(ground.level[one.place] < top for one in some)]
        higher = [at for at, some in enumerate(behind) if any(ground.level[one.place] > top for one in some)]
        if not lower or min(lower) >= same_ahead:
            return False
        return not higher or min(higher) >= min(lower)


# -- the comparison ------------------------------------------------------------------------------------------------


def random_ground(seed: int) -> Ground:
    """Hills from rolling to rugged, covers and slope hexsides, all by chance."""
    dice = random.Random(seed)
    hills = [(dice.choice(PLACES), dice.randint(1, 4)) for _ in range(dice.randint(2, 5))]
    rugged = dice.choice([0.1, 0.3, 0.9])
    level, cover = {}, {}
    for place in PLACES:
        level[place] = max(0, *(height - steps(place, top) // dice.choice([1, 1, 2]) for top, height in hills))
        if dice.random() < rugged:
            level[place] = dice.randint(0, 4)
        cover[place] = dice.choices(["clear", "orchard", "woods", "cedars", "town"], [14, 2, 2, 1, 1])[0]
    slope = {}
    for one, other in itertools.combinations(PLACES, 2):
        if steps(one, other) == 1:
            fall = abs(level[one] - level[other])
            kinds = [NO_SLOPE] if fall == 0 else [NO_SLOPE, MINOR, STEEP, SHEER]
            slope[frozenset((one, other))] = dice.choice(kinds) if fall < 3 else dice.choice(kinds[1:])
    return Ground(level, cover, slope)


def name(place: Place) -> str:
    return f"A{place[0]:02d}{place[1]:02d}"


def play(field, ground: Ground, crests: bool):
    f = field(COLUMNS, ROWS)
    for place in PLACES:
        f.level(ground.level[place], name(place))
        f.ground(ground.cover[place], name(place))
    for pair, slope in ground.slope.items():
        if slope != NO_SLOPE:
            f.hexside(SLOPE_NAMES[slope], *sorted(name(place) for place in pair))
    return f.play(options={"crests": "yes" if crests else "no"})


def disagreements(field, ground: Ground) -> tuple[list[tuple[str, str, bool, bool]], int]:
    """The pairs of hexes on which engine and geometry differ, and how many see each other."""
    fields = [(crests, play(field, ground, crests)) for crests in (True, False)]
    wrong = []
    clear = 0
    for a, b in itertools.combinations(PLACES, 2):
        look = Look(ground, a, b)
        for crests, f in fields:
            expected = look.clear(crests)
            clear += expected
            if f.series.sight.clear(f.hex(name(b)), f.hex(name(a))) != expected:
                wrong.append((name(a), name(b), crests, expected))
    return wrong, clear


@pytest.mark.parametrize("seed", range(10))
def test_10_2_sight_agrees_with_the_geometry_of_drawn_hexagons(field, seed):
    """10.21, 10.22, 10.23, 10.24, 10.25 and 10.27, with crests and without."""
    wrong, clear = disagreements(field, random_ground(seed))
    assert not wrong
    assert 0 < clear < len(PLACES) * (len(PLACES) - 1)


@pytest.mark.parametrize("south", [1, 2])
@pytest.mark.parametrize("slope", [NO_SLOPE, MINOR])
def test_10_24_sight_agrees_where_the_line_runs_along_a_hexside_midway(field, south, slope):
    """A case of note 3 that chance hardly ever makes: nothing but the hexside of 0406 and 0407 can block."""
    level = dict.fromkeys(PLACES, 3) | {(4, 7): south, (5, 6): 2, (6, 6): 1, (6, 7): 1, (7, 6): 1}
    ground = Ground(level, dict.fromkeys(PLACES, "clear"), {frozenset([(4, 6), (4, 7)]): slope})
    wrong, _ = disagreements(field, ground)
    assert not wrong
    assert Look(ground, (1, 6), (7, 6)).clear(False) == (slope == NO_SLOPE or south == 1)


def stops(ground: Ground, sides: dict[Place, int], firer: Place, target: Place, guns: bool) -> bool:
    """10.26: whether the troops in some hexes, by side, stop small arms or guns in one of them that fire at another."""
    distance = steps(firer, target)
    line_of_fire = course(firer, target)
    between = [one.place for one in line_of_fire.between if one.place in sides]
    friends = [place for place in between if sides[place] == sides[firer]]
    if guns and distance > 3:
        past = [one.place for one in line_of_fire.behind_second if sides.get(one.place) == sides[firer]]
        return any(steps(place, target) <= 2 for place in friends + past)
    if not friends and not any(Look(ground, firer, place).clear(False) for place in between):
        return False
    level = ground.level
    low, high = sorted((firer, target), key=level.__getitem__)
    for place in between:
        below_both = level[place] < level[low]
        below_guns = guns and steps(place, firer) == 1 and level[firer] - level[place] >= 2
        well_below = level[high] - level[low] >= 2 and level[place] == level[low]
        if not below_both and not below_guns and not (well_below and steps(place, low) >= steps(place, high)):
            return True
    return False


@pytest.mark.parametrize("seed", range(10))
def test_10_26_units_in_the_way_agree_with_the_geometry(field, seed):
    """10.26: at every range, for small arms and for guns, along hexsides and past the target."""
    ground = random_ground(seed)
    dice = random.Random(seed)
    troops = {place: (dice.randrange(2), dice.random() < HALF) for place in dice.sample(PLACES, 20)}
    sides = {place: side for place, (side, _) in troops.items()}
    f = play(field, ground, False)
    units = {
        place: f.unit(name(place), name(place), side=side, kind=2 if guns else 0)
        for place, (side, guns) in troops.items()
    }
    found = set()
    for firer, target in itertools.permutations(troops, 2):
        unit, distance = units[firer], steps(firer, target)
        if sides[firer] == sides[target] or distance < 2:
            continue
        expected = stops(ground, sides, firer, target, troops[firer][1])
        assert f.series.sight.fire_blocked(unit, unit.hex, f.hex(name(target))) == expected, (firer, target)
        over = {
            one.place for one in course(firer, target).between
            if sides.get(one.place) == sides[firer] and steps(one.place, target) == 1
        }
        friends = f.series.sight.friends_under_fire(unit, unit.hex, f.hex(name(target)))
        assert sorted(friend.name for friend in friends) == sorted(name(place) for place in over)
        found.add(expected)
    assert found == {True, False}
