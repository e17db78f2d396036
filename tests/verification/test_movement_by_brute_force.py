"""The movement search against a plain search over all ways, on a thousand random small maps.

The twin knows the rules of chapters 7.2, 8.1, 8.2 and 9 from their text alone: it reads what the map shows (terrain,
hexsides, roads, levels) and what the counters show, and works out costs, prohibitions, passage, turns and stops by
itself, by trying every way. Only sight between two hexes it asks of the engine, which has a proof of its own.
"""

import importlib.util
from pathlib import Path

import pytest

from simkit.model.charts import AUTOMATIC, PROHIBITED
from simkit.model.forces import ARTILLERY, ATTACK, CAVALRY, MARCH


def beside(name):
    """A module that stands beside this file."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


maps = beside("random_maps")
may_stand, march_limits = maps.may_stand, maps.march_limits

MP = 2  # the engine counts in half movement points
NEVER = 10**6
MAPS = 1000
STACKS = 150  # maps for stacks of each size


# -- the rules, from their text ----------------------------------------------------------------------------------------


def fronts(heading):
    """7.12: directions of the frontal hexsides: one when facing a hexside, the two at the vertex else."""
    if heading % 2 == 0:
        return [heading // 2]
    return [(heading - 1) // 2, (heading + 1) // 2 % 6]


class Twin:
    """All that one unit, or a stack that moves as one, may do, found by trying every way."""

    def __init__(self, f, units):
        self.f = f
        self.units = units
        self.unit = unit = units[0]  # all that a stack has in common is read here
        self.column = 2 if unit.kind == ARTILLERY else 1 if unit.kind == CAVALRY and unit.mounted else 0
        self.enemies = [u for u in f.battle.units if u.side != unit.side and u.place == 0 and not u.abandoned]
        self.start = unit.hex
        self.ways = {}  # (hex id, heading): {(cost, disorders)} as entered
        self.stops = {}  # (hex id, heading): {(price, disorders)} where it may end
        self.nearest = min((unit.hex.distance_to(u.hex) for u in self.enemies), default=NEVER)

    def limit(self, disorders):
        """8.21, 9.12, 9.24, 11.58, 12.33: what may be spent in all; the least of a stack binds it."""
        least = NEVER
        for unit in self.units:
            points = unit.movement_disordered if unit.disordered or disorders > 0 else unit.movement_good
            if unit.orders == ATTACK or unit.blown:
                points = -(-points // 2)
            least = min(least, points * MP)
        return least

    def disordered(self, disorders):
        return disorders > 0 or any(unit.disordered for unit in self.units)

    def mates(self, place):
        return [part.unit for part in place.stack if part.unit not in self.units and not part.unit.abandoned]

    def beside(self, place):
        return [u for u in self.enemies if u.hex.distance_to(place) == 1]

    def seen(self, place, within):
        return any(
            u.hex.distance_to(place) <= within and self.f.series.sight.clear(u.hex, place) for u in self.enemies
        )

    # what a hexside costs: each manner of going is (half MPs, by road, over a bridge or ford, disorder)

    def sum_up(self, side, features):
        ground = side.to.terrain
        cost, disorder = ground.cost(self.column), ground.disorder(self.column)
        for feature in features:
            if not self.tells(side, feature):
                continue
            cost += feature.cost(self.column)
            disorder = max(disorder, feature.disorder(self.column))
        return (NEVER if cost >= PROHIBITED else cost), disorder

    def tells(self, side, feature):
        """9.41: a slope holds up whoever goes up it; one that bars the way bars it down too."""
        if not feature.uphill_only or side.to.elevation > side.origin.elevation:
            return True
        return feature.cost(self.column) >= PROHIBITED

    def ground(self, side):
        """9.41, 9.47: across the ground itself, through the water under a bridge or ford where it can be waded."""
        dry = [feature for feature in side.features if not feature.crossing]
        if not (side.bridge or side.ford):
            return self.sum_up(side, dry)
        return self.sum_up(side, dry + side.water) if side.water else (NEVER, 0)

    def small(self):
        """8.13, 9.43: orders and strength that let it use roads, bridges and fords."""
        return self.unit.orders != ATTACK and (
            self.unit.orders == MARCH or self.unit.kind == ARTILLERY or march_limits(self.units)
        )

    def marcher_at(self, side):
        """8.22, third exception."""
        return any(mate.orders == MARCH for place in (side.origin, side.to) for mate in self.mates(place))

    def manners(self, side):
        cost, disorder = self.ground(side)
        found = [(cost, False, False, disorder)]
        over = bool(side.bridge or side.ford)
        if not self.small() or (over and self.marcher_at(side)):
            return found
        if over:
            cost, disorder = self.sum_up(side, side.features)
            found.append((cost, False, True, disorder))
        return found + [(self.road_rate(side, road), True, over, 0) for road in side.roads]

    def road_rate(self, side, road):
        """9.43, 9.44: half a point or one along pikes and roads; half the ground along trails."""
        march = self.unit.orders == MARCH
        if road.name in ("pike", "road"):
            return 1 if march else MP
        bare = [feature for feature in side.features if self.tells(side, feature)]
        extra = sum(feature.cost(self.column) for feature in bare) if road.name == "trail" else 0
        whole = side.to.terrain.cost(self.column) + extra
        if whole >= PROHIBITED:
            return NEVER
        points = whole // MP
        return max(points // 2 if march else (points + 1) // 2, 1) * MP

    # what forbids a hex

    def forbidden(self, side, over, disordered):
        place = side.to
        if any(u.hex is place for u in self.enemies):
            return True  # 9.51
        near = self.beside(place)
        if self.unit.orders == MARCH and (near or self.seen(place, 4)):
            return True  # 9.22
        if self.unit.kind == ARTILLERY:
            return bool(near) or self.guns_forbidden(place)
        if not near:
            return False
        if disordered:
            return True  # 12.34
        line = [u for u in near if u.kind != ARTILLERY]
        if self.unit.orders == ATTACK or not line or over:
            return False
        return any(self.can_cross(place, u.hex) for u in line)

    def can_cross(self, place, other):
        """9.52 exception: whether the hexside between two hexes can be crossed at all."""
        side = next(side for side in place.sides if side.on_map and side.to is other)
        if any(self.road_rate(side, road) < NEVER for road in side.roads):
            return True
        return self.sum_up(side, side.features)[0] < NEVER

    def guns_forbidden(self, place):
        """9.55."""
        if self.f.options.artillery_near_enemy == 2:
            near = [place, *(side.to for side in place.sides if side.on_map)]
            mates = [
                u for u in self.f.battle.units
                if u.side == self.unit.side and u.place == 0 and u.kind != ARTILLERY and u.hex in near
            ]
            horse = [u for u in self.enemies if u.kind == CAVALRY and u.mounted]
            return not mates and any(u.hex.distance_to(place) <= 3 for u in horse)
        if not self.seen(place, 3):
            return False
        return self.nearest > 3 or min(u.hex.distance_to(place) for u in self.enemies) < self.nearest

    # turns

    def turn(self, place, steps):
        """7.21, 7.22."""
        if steps and self.unit.orders == ATTACK and place.terrain.is_wood:
            return MP if steps == 3 else steps * MP
        return MP if steps > 1 else 0

    def turn_at_start(self, steps):
        """7.24, 9.53: next to the enemy one vertex; turns made before count in."""
        dearest = 0
        for unit in self.units:
            before = unit.faced
            if self.beside(self.start) and before + steps > 1:
                return NEVER
            if unit.orders == ATTACK and self.start.terrain.is_wood:
                cost = self.turn(self.start, steps)
            else:
                cost = self.turn(self.start, before + steps) - self.turn(self.start, before)
            dearest = max(dearest, cost)
        return dearest

    # passage through friends (8.22)

    def passage(self, entry, side, by_road):
        mates = self.mates(side.origin)
        if not mates or (self.unit.kind != ARTILLERY and all(mate.kind == ARTILLERY for mate in mates)):
            return 0
        way_in, came_by_road, paid = entry
        if came_by_road and by_road and all(one.roads[0].name in ("pike", "road") for one in (way_in, side)):
            if any(mate.orders == MARCH for mate in mates):
                return max(self.ground(way_in)[0] - paid, 0)
            return 0
        if self.unit.kind == ARTILLERY and any(mate.kind != ARTILLERY for mate in mates):
            return NEVER
        return 2 * MP

    # the search

    def may_set_out(self):
        if self.unit.orders == MARCH and (self.beside(self.start) or self.seen(self.start, 4)):
            return False
        return not (self.beside(self.start) and any(unit.faced > 1 for unit in self.units))

    def search(self):
        """Try all ways; a way is given up only if another in all respects the same was no dearer."""
        known = {}
        open_ways = [(self.start, self.unit.heading, None, 0, 0)] if self.may_set_out() else []
        while open_ways:
            place, heading, entry, cost, disorders = open_ways.pop()
            if entry is not None:
                self.note(place, heading, entry, cost, disorders)
                if self.beside(place) or disorders > 1:
                    continue  # 9.53, 12.35c
            for new in range(heading % 2, 12, 2):
                steps = min((new - heading) % 12, (heading - new) % 12) // 2
                for direction in fronts(new):
                    side = place.sides[direction]
                    if not side.on_map:
                        continue
                    for then in self.steps(side, new, entry, cost, disorders, steps):
                        key = (then[0].id, then[1], side.origin.id, then[2][1], then[2][2], then[2][3], then[4])
                        if then[3] < known.get(key, NEVER):
                            known[key] = then[3]
                            open_ways.append(then)

    def steps(self, side, heading, entry, cost, disorders, turned):
        disordered = self.disordered(disorders)
        manners = self.manners(side)
        along = [one for one in manners if one[1] and side.roads[0].name in ("pike", "road")]
        came_along = entry is not None and entry[1] and entry[0].roads[0].name in ("pike", "road")
        if along and came_along and self.mates(side.origin):
            manners = along  # it moves along the road (8.22)
        for price, by_road, over, disorder in manners:
            if price >= NEVER or self.forbidden(side, over, disordered):
                continue
            if entry is None:
                turn = self.turn_at_start(turned)
                turn = turn if turn >= NEVER or not by_road else 0
                extra = 0
            else:
                turn = 0 if by_road else self.turn(side.origin, turned)
                extra = self.passage(entry[:3], side, by_road)
            whole = cost + price + turn + extra
            if whole > self.limit(disorders):
                continue
            after = disorders
            if disorder == AUTOMATIC:
                after = 2 if disordered else 1
            yield side.to, heading, (side, by_road, price, over), whole, after

    def note(self, place, heading, entry, cost, disorders):
        if place is self.start and heading == self.unit.heading:
            return
        self.ways.setdefault((place.id, heading), set()).add((cost, disorders))
        price = self.stop(place, heading, entry, cost)
        if price < NEVER and price <= max(self.limit(disorders), cost):
            self.stops.setdefault((place.id, heading), set()).add((price, disorders))

    def stop(self, place, heading, entry, cost):
        """7.11, 8.12, 9.43, 9.53: what it has spent if it ends here."""
        mates = self.mates(place)
        if not mates:
            return cost
        if not may_stand(self.unit, self.units[1:] + mates):
            return NEVER
        side, by_road, paid, over = entry
        if (by_road or over) and not march_limits(self.units + mates):
            cost += max(self.ground(side)[0] - paid, 0)
        if not self.beside(place):
            turned = min((mates[0].heading - heading) % 12, (heading - mates[0].heading) % 12) // 2
            cost += self.turn(place, turned)
        return cost


    # moves of one hex, and withdrawals

    def one_hex_moves(self):
        """9.42: hexes next to it that it may always enter, if its movement points do not suffice."""
        unit = self.unit
        if unit.moved or unit.spent or not self.may_set_out():
            return set()
        found = set()
        for side in self.start.sides:
            mates = self.mates(side.to) if side.on_map else []
            if not side.on_map or (mates and not may_stand(unit, mates)) or not self.may_face(side):
                continue
            for price, _, over, _ in self.manners(side):
                near = bool(self.beside(side.to))
                if price > unit.movement_good * MP or self.forbidden(side, over, unit.disordered):
                    continue
                if not near or (unit.orders == ATTACK and not unit.disordered):
                    found.add(side.to.id)
        return found

    def may_face(self, side):
        """7.13, 7.24: whether it may turn so far that it can cross a hexside."""
        for new in range(self.unit.heading % 2, 12, 2):
            steps = min((new - self.unit.heading) % 12, (self.unit.heading - new) % 12) // 2
            if side.direction in fronts(new) and self.turn_at_start(steps) < NEVER:
                return True
        return False

    def withdrawals(self):
        """9.54: one or two hexes through the rear, the first perhaps by 9.42, without passing others."""
        unit = self.unit
        found = set()
        if unit.orders == MARCH or unit.moved or unit.faced or not self.may_set_out():
            return found
        most = self.limit(0)
        for first, cost, by_road in self.backwards(self.start):
            here = first.to
            limit = most if self.beside(here) else max(most, unit.movement_good * MP)
            mates = self.mates(here)
            if cost <= limit:
                if may_stand(unit, mates) and cost + self.off_road(first, cost, by_road) <= limit:
                    found.add((here.id,))
                if self.beside(here):
                    continue
                for second, price, then_by_road in self.backwards(here):
                    if not self.may_pass_back(mates, first, by_road, second, then_by_road):
                        continue
                    whole = cost + price + self.off_road(second, price, then_by_road)
                    if whole <= most and may_stand(unit, self.mates(second.to)):
                        found.add((here.id, second.to.id))
        return found

    def backwards(self, place):
        """The hexsides of its rear that it may cross, each in its cheapest manner, by road rather than not."""
        for direction in fronts((self.unit.heading + 6) % 12):
            side = place.sides[direction]
            if side.on_map:
                ways = [
                    (price, not by_road, over) for price, by_road, over, _ in self.manners(side)
                    if price < NEVER and not self.forbidden(side, over, self.unit.disordered)
                ]
                if ways:
                    price, off_road, over = min(ways)
                    yield side, price, not off_road or over

    def off_road(self, side, paid, used):
        mates = self.mates(side.to)
        if not used or not mates or march_limits([self.unit, *mates]):
            return 0
        return max(self.ground(side)[0] - paid, 0)

    def may_pass_back(self, mates, way_in, by_road, way_out, then_by_road):
        if not mates or (self.unit.kind != ARTILLERY and all(mate.kind == ARTILLERY for mate in mates)):
            return True
        ways = [*way_in.roads, *way_out.roads]
        return by_road and then_by_road and len(ways) == 2 and all(road.name in ("pike", "road") for road in ways)


def best(found):
    """Of (cost, disorders) those that no other beats in both, by pose."""
    return {
        key: {one for one in pairs if not any(p != one and p[0] <= one[0] and p[1] <= one[1] for p in pairs)}
        for key, pairs in found.items()
    }


def engine(f, units):
    """What Movement says, in the twin's words."""
    movement = f.series.movement
    ways, stops = {}, {}
    if len(units) == 1:
        movement.search(units[0])
    else:
        movement.search_stack(units)
    for node in movement.reached:
        key = (node.hex.id, int(node.heading))
        ways.setdefault(key, set()).add((int(node.cost), int(node.disorders)))
        if movement.may_stop(node):
            stops.setdefault(key, set()).add((int(movement.stop_price(units[0], node)), int(node.disorders)))
    return best(ways), best(stops)


@pytest.mark.parametrize("batch", range(10))
def test_the_search_finds_what_trying_all_ways_finds(field, batch):
    """Every pose that can be reached or held, at its least cost, by all that bears on it.

    Turns (7.21, 7.22, 7.24), stacks (8.12, 8.13, 8.22), allowances and orders (9.12, 9.13, 9.22, 9.23, 9.24), ground,
    roads, water, slopes and their disorder (9.41, 9.43, 9.44, 9.45, 9.46, 9.47), enemies (9.51, 9.52, 9.53, 9.55).
    """
    moves = 0
    for seed in range(batch * MAPS // 10, (batch + 1) * MAPS // 10):
        f, units = maps.random_battle(field, seed)
        twin = Twin(f, units)
        twin.search()
        ways, stops = engine(f, units)
        assert ways == best(twin.ways), f"seed {seed}"
        assert stops == best(twin.stops), f"seed {seed}"
        moves += len(stops)
    assert moves > 500


@pytest.mark.parametrize("companions", [1, 2])
def test_a_stack_finds_what_trying_all_ways_finds(field, companions):
    """8.21: the dearest price, the least allowance, the limits of all together."""
    moves = 0
    for seed in range(STACKS):
        f, units = maps.random_battle(field, seed, companions)
        twin = Twin(f, units)
        twin.search()
        ways, stops = engine(f, units)
        assert ways == best(twin.ways), f"seed {seed}"
        assert stops == best(twin.stops), f"seed {seed}"
        moves += len(stops)
    assert moves > 500


@pytest.mark.parametrize("batch", range(5))
def test_moves_of_one_hex_and_withdrawals_are_those_of_the_text(field, batch):
    """9.42, 9.54: which hexes may be entered by exception, and by which a unit may draw back."""
    moves = backwards = 0
    for seed in range(batch * MAPS // 5, (batch + 1) * MAPS // 5):
        f, units = maps.random_battle(field, seed)
        twin = Twin(f, units)
        found = {side.to.id for side in f.series.movement.exceptions(units[0])}
        twin.search()
        assert found == twin.one_hex_moves() - {ident for ident, _ in twin.stops}, f"seed {seed}"
        ways = {tuple(place.id for place in way) for way in f.series.movement.withdrawals(units[0])}
        assert ways == twin.withdrawals(), f"seed {seed}"
        moves += len(found)
        backwards += len(ways)
    assert moves > 50
    assert backwards > 50
