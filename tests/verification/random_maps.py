"""Small random battles for the proofs of movement: maps, units and a mover or a moving stack, each from a seed."""

import random

from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, INFANTRY, MARCH
from simkit.model.hexgrid import HEADING_NAMES
from simkit.model.terrain import ByClass, HexsideTerrain, Terrain

SIZES = [(5, 5), (5, 5), (9, 3), (4, 6), (7, 3)]

BOG = Terrain(
    "bog", ByClass(4, 4, 4, 4), ByClass(2, 2, 2, 2), 0, 0, 0, 0, 0, 0, False, False, False, False, True, False,
)
HEDGE = HexsideTerrain("hedge", ByClass(2, 2, 2, 2), ByClass(2, 2, 2, 2), 0, 0, 0, False, False, False)


def lay_out(dice, f):
    """Terrain, levels, hexsides and ways, as they fall."""
    terrains = ["clear"] * 5 + ["field", "woods", "woods", "cedars", "orchard", "town"]
    wild = dice.random() < 0.3
    for place in f.map.hexes:
        place.terrain = f.charts.terrain(dice.choice(terrains))
        if wild and dice.random() < 0.2:
            place.terrain = BOG
        elif dice.random() < 0.03:
            place.terrain = f.charts.terrain("river")
        place.elevation = dice.choice([0, 0, 1, 2])
    kinds = ["stream", "river", "minor_slope", "steep_slope", "sheer_slope", "breastworks"]
    for place in f.map.hexes:
        for side in place.sides[:3]:
            fate = dice.random()
            if not side.on_map or fate > 0.3:
                continue
            other = side.to.sides[(side.direction + 3) % 6]
            if fate < 0.1:
                water = f.charts.hexside(dice.choice(["river", "river", "stream"]))
                over = f.charts.hexside("bridge" if water.name == "stream" else dice.choice(["bridge", "ford_a"]))
                for view in (side, other):
                    view.features.append(over)
                    view.water.append(water)
                    view.bridge = over.name == "bridge"
                    view.ford = "A" if over.name == "ford_a" else ""
            else:
                kind = HEDGE if wild and fate < 0.15 else f.charts.hexside(dice.choice(kinds))
                side.features.append(kind)
                other.features.append(kind)
    for _ in range(dice.choice([0, 1, 1, 2, 3])):
        way = [dice.choice(f.map.hexes)]
        for _ in range(5):
            ahead = [side.to for side in way[-1].sides if side.on_map and side.to not in way]
            if ahead:
                way.append(dice.choice(ahead))
        f.road(dice.choice(["pike", "road", "trail", "railroad"]), *[place.id for place in way])


def random_battle(field, seed, companions=0):
    """A small battle with one unit about to move, or with it a stack (8.21), from a seed; the field and who moves."""
    dice = random.Random(seed)
    f = field(*dice.choice(SIZES))
    lay_out(dice, f)
    orders = dice.choice([MARCH, ADVANCE, ADVANCE, ATTACK, ATTACK])
    kind = dice.choice([INFANTRY, INFANTRY, CAVALRY, ARTILLERY])
    if orders == ATTACK and (kind == ARTILLERY or companions):
        orders = ADVANCE
    own = f.battle.brigades[0]
    own.orders = orders
    other = f.brigade("2/1/U", orders=dice.choice([MARCH, ADVANCE, ATTACK]))
    movement = dice.randint(1, 6)
    strength = dice.randint(1, 2 if companions else 9)
    if orders == MARCH:  # who is stronger marches in column (8.5): that is proved with the rule
        strength = min(strength, 4 if kind == CAVALRY else 7)
    unit = f.unit(
        "mover", dice.choice(f.map.hexes).id, facing(dice, orders), kind=kind, orders=orders,
        strength=strength, movement=movement,
        movement_disordered=max(movement - dice.randint(0, 2), 0),
        disordered=dice.random() < 0.3, mounted=orders == MARCH or dice.random() < 0.7,
    )
    unit.blown = unit.is_mounted() and unit.disordered and orders == ADVANCE and dice.random() < 0.3
    units = [unit]
    for number in range(companions):
        movement = max(unit.movement_good + dice.randint(-1, 1), 1)
        units.append(f.unit(
            f"with {number}", unit.hex.id, HEADING_NAMES[unit.heading], kind=kind, orders=orders, strength=1,
            movement=movement, movement_disordered=max(movement - dice.randint(0, 2), 0),
            disordered=dice.random() < 0.3, mounted=unit.mounted,
        ))
    for number in range(dice.choice([0, 1, 2, 3, 5, 7])):
        befriend(dice, f, unit, number, dice.choice([own, own, other]))
    for number in range(dice.choice([0, 0, 1, 1, 2])):
        free = [place for place in f.map.hexes if not place.stack and place.terrain.name != "river"]
        foe = f.unit(f"foe {number}", dice.choice(free).id, side=1, kind=dice.choice([0, 0, 1, 2]))
        if foe.kind == ARTILLERY and dice.random() < 0.2:
            f.battle.abandon(foe, 1)
    option = dice.choice(["1", "1", "2"])
    f.play([dice.randrange(10) for _ in range(200)], options={"artillery_near_enemy": option})
    f.begin(unit)
    for one in units:
        one.faced = dice.choice([0, 0, 0, 1, 2])
    return f, units


def facing(dice, orders):
    return HEADING_NAMES[dice.randrange(6) * 2 + (0 if orders == MARCH else 1)]


def befriend(dice, f, unit, number, brigade):
    """Add a friendly unit where it may stand, now and then with the mover."""
    kind = dice.choice([INFANTRY, INFANTRY, ARTILLERY, CAVALRY])
    place = unit.hex if dice.random() < 0.15 else dice.choice(f.map.hexes)
    orders = ADVANCE if kind == ARTILLERY and brigade.orders == ATTACK else brigade.orders
    there = [part.unit for part in place.stack]
    look = HEADING_NAMES[there[0].heading] if there else facing(dice, orders)
    made = f.unit(
        f"friend {number}", place.id, look, kind=kind, strength=dice.choice([1, 2, 3, 5, 9]), brigade=brigade,
        orders=orders, mounted=orders == MARCH or dice.random() < 0.5,
    )
    if there and not may_stand(made, there):
        f.battle.lift(made)
        f.battle.units.pop()
        brigade.units.pop()
    elif not there and kind == ARTILLERY and dice.random() < 0.1:
        f.battle.abandon(made, 1)


# -- stacking limits, from their text ---------------------------------------------------------------------------------


def may_stand(unit, others):
    """8.12: the stacking limits of the orders that apply."""
    everybody = [unit, *others]
    if len({one.orders == MARCH for one in everybody}) > 1:
        return False
    if unit.orders == MARCH:
        return march_limits(everybody)
    guns = [one for one in everybody if one.kind == ARTILLERY]
    line = [one for one in everybody if one.kind != ARTILLERY]
    pieces = sum(one.strength for one in guns)
    if not line:
        return len(guns) <= 2 or pieces <= 12
    if len({one.command.code for one in line}) > 1 or (len(guns) > 1 and pieces > 6):
        return False
    horse = any(one.kind == CAVALRY and one.mounted for one in line)
    return len(line) == 1 or sum(one.strength for one in line) <= (7 if horse else 15)


def march_limits(units):
    """8.12: one type, one brigade: 7 SP on foot, 4 SP of mounted cavalry, two batteries or 12 guns."""
    types = {(one.kind == ARTILLERY, one.kind == CAVALRY and one.mounted, one.kind) for one in units}
    if len(types) > 1:
        return False
    points = sum(one.strength for one in units)
    if units[0].kind == ARTILLERY:
        return len(units) <= 2 or points <= 12
    if len({one.command.code for one in units}) > 1:
        return False
    return points <= (4 if units[0].kind == CAVALRY and units[0].mounted else 7)
