"""8.4 told a second time, on paper: what a line may do by angles between hex centres, against what it is offered.

Neighbours, fronts and flanks come from the distances and bearings of hex centres; of the model only prices of hexsides,
strengths and allowances are used.
"""

import importlib.util
import math
import random
from itertools import pairwise
from pathlib import Path

import pytest

from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, EXTENDED_LINE, INFANTRY, MARCH

_spec = importlib.util.spec_from_file_location("random_maps", Path(__file__).with_name("random_maps.py"))
maps = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(maps)

SEEDS = 600
FOOT = 0
MP = 2  # half movement points
BARRED = 1000


def centre(place):
    return 1.5 * place.column, math.sqrt(3) * (place.row + (place.column % 2) / 2)


def bearing(place, other):
    """Twelfths of a turn clockwise from north."""
    (x, y), (u, v) = centre(place), centre(other)
    return round(math.degrees(math.atan2(u - x, y - v)) / 30) % 12


def beside(f, place):
    """The neighbours of a hex by bearing."""
    return {bearing(place, other): other for other in f.map.hexes if 1.5 < math.dist(centre(place), centre(other)) < 2}


def foes_near(f, place, line_only=False):
    return [
        part.unit for other in beside(f, place).values() for part in other.stack
        if part.unit.side == 1 and part.unit.abandoned == 0 and (not line_only or part.unit.kind != ARTILLERY)
    ]


def step_cost(f, unit, place, turn):
    """Half MPs for a part to step into the neighbour at a bearing; BARRED if it may not (9.51, 9.52, 6.15, 12.34)."""
    target = beside(f, place).get(turn % 12)
    if target is None or any(part.unit.side == 1 and part.unit.abandoned == 0 for part in target.stack):
        return BARRED
    if foes_near(f, target):
        if unit.disordered:
            return BARRED
        within_reach = [
            side for side in target.sides if side.passable(FOOT)
            and any(part.unit.side == 1 and part.unit.kind != ARTILLERY for part in side.to.stack)
        ]
        if unit.orders == ADVANCE and foes_near(f, target, line_only=True) and within_reach:
            return BARRED
    (side,) = [side for side in place.sides if side.to is target]
    return side.plain[FOOT]


def room(unit, place, heading):
    """8.41, 8.44: nobody there but guns that face alike, one battery or six guns."""
    others = [part.unit for part in place.stack if part.unit is not unit and part.unit.abandoned == 0]
    if any(other.kind != ARTILLERY or other.heading != heading or other.orders == MARCH for other in others):
        return False
    return len(others) <= 1 or sum(other.strength for other in others) <= 6


def passes(unit, place):
    return any(
        part.unit is not unit and part.unit.abandoned == 0 and part.unit.kind != ARTILLERY for part in place.stack
    )


def payable(f, unit, cost, near, steps):
    """9.13, 9.42: whether it can pay, and whether only as its one hex."""
    left = int(f.series.movement.full_allowance(unit, unit.disordered)) - int(unit.spent)
    if cost <= left:
        return True, False
    one = not unit.moved and unit.spent == 0 and steps == 1 and cost <= unit.movement_good * MP
    return one and (not near or (unit.orders == ATTACK and not unit.fired)), True


def note(f, unit, found, kind, places, heading, cost, near, steps):
    able, exception = payable(f, unit, cost, near, steps)
    if able:
        found.add((kind, frozenset(place.id for place in places), heading, int(cost), exception))


def joins(f, unit, at, target, in_contact):
    """8.44: half of it is in contact: whether a part that is not may not come next to this enemy."""
    good = unit.orders == ATTACK and not unit.disordered
    return in_contact and not good and not foes_near(f, at) and bool(foes_near(f, target, line_only=True))


def ahead(f, unit, places, spent, found, steps=1):
    contact = steps == 1 and any(foes_near(f, place) for place in places)
    extra = 2 * MP if steps > 1 and any(passes(unit, place) for place in places) else 0
    for turn in (-1, 1):
        costs = [step_cost(f, unit, place, unit.heading + turn) for place in places]
        if max(costs) >= BARRED:
            continue
        on = [beside(f, place)[(unit.heading + turn) % 12] for place in places]
        if any(joins(f, unit, place, target, contact) for place, target in zip(places, on, strict=True)):
            continue
        cost = spent + max(costs) + extra
        near = any(foes_near(f, place) for place in on)
        if all(room(unit, place, unit.heading) for place in on):
            note(f, unit, found, "ahead", on, unit.heading, cost, near, steps)
        elif not near and payable(f, unit, cost + 1, False, 2)[0]:
            ahead(f, unit, on, cost, found, steps + 1)


def pivots(f, unit, places, found):
    """The parts from left to right in `places`; each end stands in turn and the others swing forward."""
    contact = any(foes_near(f, place) for place in places)
    if unit.faced and contact:
        return
    for turn, row in ((1, places[::-1]), (-1, places)):
        heading = (unit.heading + 2 * turn) % 12
        at = list(row)
        cost = extra = 0
        legal = True
        for step in range(1, len(row)):
            prices = []
            for swing in range(step, len(row)):
                price = step_cost(f, unit, at[swing], unit.heading + turn)
                target = beside(f, at[swing]).get((unit.heading + turn) % 12)
                legal = legal and price < BARRED and not (
                    step == 1 and joins(f, unit, at[swing], target, contact)
                ) and not (step > 1 and foes_near(f, at[swing]))
                if not legal:
                    break
                if step > 1 and passes(unit, at[swing]):
                    price += 2 * MP
                prices.append(price)
                at[swing] = target
                if unit.orders == ATTACK and target.terrain.is_wood:
                    extra = MP
            if not legal:
                break
            cost += max(prices)
        if legal and all(room(unit, place, heading) for place in at[1:]):
            near = any(foes_near(f, place) for place in at[1:])
            note(f, unit, found, "pivot", at, heading, cost + extra, near, len(row) - 1)


def extensions(f, unit, places, found):
    most = 1 if unit.kind != INFANTRY or unit.strength < 8 else 2 if unit.strength < 15 else 3
    if any(passes(unit, place) for place in places) or len(places) >= most:
        return
    open_sides = []
    for turn in (-3, 3):
        target = beside(f, unit.hex).get((unit.heading + turn) % 12)
        if target is None or target in places or foes_near(f, target):
            continue
        cost = step_cost(f, unit, unit.hex, unit.heading + turn)
        if cost <= 2 * MP and room(unit, target, unit.heading):
            open_sides.append((target, cost))
            note(f, unit, found, "extension", [*places, target], unit.heading, cost, False, 1)
    if len(open_sides) == 2 and most >= len(places) + 2:
        both = [target for target, _ in open_sides]
        note(f, unit, found, "extension", [*places, *both], unit.heading, max(c for _, c in open_sides), False, 1)


def retractions(f, unit, places, found):
    price = {}
    for start, end in [*pairwise(places), *pairwise(places[::-1])]:
        (side,) = [side for side in start.sides if side.to is end]
        price[start.id, end.id] = side.plain[FOOT]
    for first in range(len(places)):
        for last in range(first, len(places)):
            if last - first + 1 == len(places):
                continue
            costs, steps, near = [0], [0], False
            for at in range(len(places)):
                way = range(at, first) if at < first else range(at, last, -1)
                hops = [(places[i].id, places[i + (1 if at < first else -1)].id) for i in way]
                costs.append(sum(price[hop] for hop in hops))
                steps.append(len(hops))
                near = near or (bool(hops) and bool(foes_near(f, places[first if at < first else last])))
            if max(costs) <= 2 * MP:
                kept = places[first : last + 1]
                note(f, unit, found, "retraction", kept, unit.heading, max(costs), near, max(steps))


def on_paper(f, unit):
    """All that 8.4 lets a unit do now but turn about, with the price."""
    found = set()
    parts = [part.hex for part in unit.parts]
    parts.sort(key=lambda place: across(unit, place))
    if unit.faced > 1 and any(foes_near(f, place) for place in parts):
        return found
    extensions(f, unit, parts, found)
    if len(parts) > 1:
        retractions(f, unit, parts, found)
        ahead(f, unit, parts, 0, found)
        pivots(f, unit, parts, found)
    return found


def across(unit, place):
    """How far a hex lies to the right of a unit's counter."""
    right = math.radians(unit.heading * 30 + 90)
    (x, y), (u, v) = centre(unit.hex), centre(place)
    return round((u - x) * math.sin(right) - (v - y) * math.cos(right), 3)


def offered(f, unit):
    lines = f.series.lines
    names = ("extension", "retraction", "ahead", "pivot")
    return {
        (names[move.kind], frozenset(place.id for place in move.places), move.heading, int(move.cost),
         move.by_exception)
        for move in [*lines.extensions(unit), *lines.retractions(unit), *lines.line_moves(unit)] if move.kind < 4
    }  # fmt: skip


def scene(field, seed):
    dice = random.Random(seed)
    f = field(*dice.choice([(6, 6), (7, 5), (5, 8)]))
    maps.lay_out(dice, f)
    orders = dice.choice([ADVANCE, ATTACK])
    own, other = f.brigade("1/1/U", orders=orders), f.brigade("2/1/U")
    land = [place.id for place in f.map.hexes if place.terrain.cost(FOOT) < BARRED]
    dice.shuffle(land)
    heading = dice.choice(["NNE", "E", "SSE", "SSW", "W", "NNW"])
    movement = dice.randint(2, 8)
    unit = f.unit(
        "line", land.pop(), heading, strength=dice.choice([7, 8, 12, 15, 18]), orders=orders, brigade=own,
        movement=movement, movement_disordered=max(movement - 2, 1), disordered=dice.random() < 0.2,
    )
    if dice.random() < 0.3:
        f.unit("its guns", unit.hex.id, heading, kind=ARTILLERY, strength=4, brigade=dice.choice([own, other]))
    for number in range(dice.randint(0, 5)):
        kind = dice.choice([INFANTRY, ARTILLERY, ARTILLERY])
        facing = heading if dice.random() < 0.7 else dice.choice(["NNE", "E", "SSE", "SSW", "W", "NNW"])
        f.unit(f"friend {number}", land.pop(), facing, kind=kind, strength=dice.choice([2, 4]), brigade=other)
    for number in range(dice.randint(0, 2)):
        f.unit(f"foe {number}", land.pop(), dice.choice(["E", "W"]), side=1, kind=dice.choice([0, 0, CAVALRY, 2]))
    f.play()
    room_for = {1: [], 2: [3], 3: [3, -3]}[dice.choice([1, 2, 2, 3])]
    for turn in room_for:
        place = beside(f, unit.hex).get((unit.heading + turn) % 12)
        if place is not None and room(unit, place, unit.heading) and not any(p.unit.side == 1 for p in place.stack):
            f.battle.add_part(unit, place, 0, EXTENDED_LINE)
    f.begin(unit)
    unit.spent = dice.choice([0, 0, 0, 2])
    unit.moved = unit.spent > 0
    unit.faced = 0 if unit.moved else dice.choice([0, 0, 0, 3])
    return f, unit


@pytest.mark.parametrize("part", range(4))
def test_8_44_what_a_line_is_offered_is_what_the_rule_says_on_paper(field, part):
    """8.41-8.44, 9.42, 9.52: the same manoeuvres at the same prices, neither more nor fewer."""
    seen = set()
    for seed in range(part * SEEDS // 4, (part + 1) * SEEDS // 4):
        f, unit = scene(field, seed)
        expected, found = on_paper(f, unit), offered(f, unit)
        assert found == expected, f"seed {seed}: offered {found - expected}, on paper {expected - found}"
        seen |= {(kind, len(places)) for kind, places, *_ in found}
    assert {kind for kind, _ in seen} == {"extension", "retraction", "ahead", "pivot"}
