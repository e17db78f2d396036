"""The search for charges against a plain search over all ways, on random small maps (11.52, 11.54, 11.57).

The twin tries every sequence of hexes and headings and judges each whole way by the text of the rules; what a step
costs and what bars it, it asks of the twin of ordinary movement.
"""

import importlib.util
import random
from pathlib import Path

import pytest

from simkit.model.charts import PROHIBITED
from simkit.model.forces import ATTACK, CAVALRY
from simkit.model.hexgrid import HEADING_NAMES


def beside(name):
    """A module that stands beside this file."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


movement = beside("test_movement_by_brute_force")
maps = movement.maps
MP, NEVER = movement.MP, movement.NEVER
MAPS = 600
MAPS_TO_GO_ON = 2400


def battle(field, seed):
    """Mounted cavalry under Attack Orders among friends and foes."""
    dice = random.Random(seed)
    f = field(*dice.choice([(5, 5), (6, 6), (9, 3), (7, 4)]))
    maps.lay_out(dice, f)
    if dice.random() < 0.8:  # open country, in which charges reach farther
        for place in f.map.hexes:
            if dice.random() < 0.85:
                place.terrain = f.charts.terrain("clear")
            place.elevation = 0
    own = f.battle.brigades[0]
    own.orders = ATTACK
    printed = dice.randint(4, 14)
    unit = f.unit(
        "mover", dice.choice(f.map.hexes).id, HEADING_NAMES[dice.randrange(6) * 2 + 1], kind=CAVALRY, orders=ATTACK,
        strength=dice.randint(1, 6), movement=printed, movement_disordered=max(printed - dice.randint(0, 4), 1),
    )
    for number in range(dice.choice([0, 1, 2, 4])):
        maps.befriend(dice, f, unit, number, dice.choice([own, f.brigade("2/1/U", orders=ATTACK)]))
    for number in range(dice.choice([1, 2, 3, 4])):
        free = [place for place in f.map.hexes if not place.stack and place.terrain.name != "river"]
        f.unit(f"foe {number}", dice.choice(free).id, side=1, kind=dice.choice([0, 0, 1, 2]))
    f.play()
    f.begin(unit)
    unit.faced = dice.choice([0, 0, 0, 1])
    return f, unit, dice


class Rider(movement.Twin):
    """All ways by which one unit may charge, each judged as a whole."""

    def ends(self, limits, seen, before=()):
        """By (hex, heading): the least cost of a way that may end there, after the steps already made `before`."""
        found = {}
        start = before[-1][0].to if before else self.start
        heading = before[-1][1] if before else self.unit.heading
        open_ways = [(start, heading, list(before), 0, 0)]
        while open_ways:
            place, heading, steps, cost, disorders = open_ways.pop()
            if len(steps) > len(before) and self.obeys_the_path(steps):
                ahead = self.foes_ahead(place, heading)
                if seen is None or any(foe in seen for foe in ahead):
                    key = (place.id, heading)
                    found[key] = min(found.get(key, NEVER), cost)
            if steps and self.beside(place):
                continue  # 9.53
            onwards = self.onwards(place, heading, steps, cost, disorders)
            open_ways.extend(then for then in onwards if then[3] <= limits[then[4]])
        return found

    def onwards(self, place, heading, steps, cost, disorders):
        for new in range(1, 12, 2):
            turned = min((new - heading) % 12, (heading - new) % 12) // 2
            turn = self.turn(place, turned) if steps else self.turn_at_start(turned)
            for direction in movement.fronts(new):
                side = place.sides[direction]
                if not side.on_map or turn >= NEVER:
                    continue
                price, disorder = self.ground(side)
                if price >= NEVER or self.forbidden(side, False, False):
                    continue
                extra = self.passage((steps[-1][0], False, 0), side, False) if steps else 0
                after = disorders + (1 if disorder == 2 else 0)
                if after < 2:
                    yield side.to, new, [*steps, (side, new)], cost + turn + price + extra, after

    def obeys_the_path(self, steps):
        """11.54: of the last three hexes, or all if there are fewer: one facing, no friend, 1 MP but for streams."""
        last = steps[-3:]
        if len({heading for _, heading in last}) > 1:
            return False
        for side, _ in last:
            if self.mates(side.to):
                return False
            cost = self.ground(side)[0]
            for feature in [*side.features, *(side.water if side.bridge or side.ford else [])]:
                if feature.name == "stream":
                    cost -= feature.cost(self.column)
            if cost > MP:
                return False
        return True

    def foes_ahead(self, place, heading):
        """11.12: whoever would stand in front across a hexside that nothing closes."""
        found = []
        for direction in movement.fronts(heading):
            side = place.sides[direction]
            if side.on_map and self.open(side):
                found.extend(foe for foe in self.enemies if foe.hex is side.to)
        return found

    def open(self, side):
        bare = [one for one in side.features if self.tells(side, one)]
        if sum(one.cost(self.column) for one in bare) < PROHIBITED:
            return True
        return any(self.road_rate(side, road) < NEVER for road in side.roads)


def offered(ways):
    return {(way.end().id, way.heading()): way.cost for way in ways}


@pytest.mark.parametrize("batch", range(4))
def test_charges_are_those_that_trying_all_ways_finds(field, batch):
    """11.52, 11.54: ends and costs of all legal ways."""
    ends = 0
    for seed in range(batch * MAPS // 4, (batch + 1) * MAPS // 4):
        f, unit, _ = battle(field, seed)
        twin = Rider(f, [unit])
        seen = [foe for foe in twin.enemies if f.series.sight.clear(unit.hex, foe.hex)]
        limits = [min(5 * MP, twin.limit(disorders)) for disorders in (0, 1)]
        found = twin.ends(limits, seen) if twin.may_set_out() else {}
        ways = f.series.charge.ways([unit]) if f.series.charge.ready(unit) else []
        assert offered(ways) == found, f"seed {seed}"
        for way in ways:
            assert twin.obeys_the_path(list(zip(way.sides, way.headings, strict=True))), f"seed {seed}"
        ends += len(found)
    assert ends > 100


@pytest.mark.parametrize("batch", range(4))
def test_charges_go_on_as_trying_all_ways_finds(field, batch):
    """11.57, 11.54: from every hex on the way of a charge, with the hexes behind it counted in."""
    ends = 0
    for seed in range(batch * MAPS_TO_GO_ON // 4, (batch + 1) * MAPS_TO_GO_ON // 4):
        f, unit, dice = battle(field, seed)
        twin = Rider(f, [unit])
        ways = f.series.charge.ways([unit]) if f.series.charge.ready(unit) else []
        if not ways:
            continue
        way = dice.choice(ways)
        made = dice.randint(1, len(way.sides))
        before = list(zip(way.sides, way.headings, strict=True))[:made]
        stride = f.series.charge.beginning(unit)
        for side, heading in before:
            stride = f.series.charge.onto(unit, stride, side, heading)
        start = unit.hex
        f.battle.lift(unit)
        f.battle.stand(unit, before[-1][0].to, True)
        unit.heading = before[-1][1]
        unit.spent = dice.randint(2 * made, max(2 * made, twin.limit(0)))
        left = [max(twin.limit(disorders) - unit.spent, 0) for disorders in (0, 1)]
        twin.start = start
        found = twin.ends(left, None, before)
        assert offered(f.series.charge.further_ways([unit], stride)) == found, f"seed {seed}"
        ends += len(found)
    assert ends > 100
