"""8.46 to 8.49, 11.11: shocks at random between lines, columns, refused units and others, and books that balance."""

import random

import pytest

from simkit.model.charts import AGGRESSIVE
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    INFANTRY,
    REFUSED_LEFT,
    REFUSED_RIGHT,
)
from simkit.model.formation import left_flank, right_flank
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import Commander, Designation
from simkit.rules.dice import KeyedDice


class AnyAnswer(Commander):
    """Answers every question that combat asks at random."""

    def __init__(self, side, chance):
        super().__init__()
        self.side = side
        self.chance = chance

    def any_of(self, series, unit, offered):
        return self.chance.randrange(len(offered))

    advance_line = contract_into = advance_into = heading_after = continued_advance = retreat = any_of

    def top_defender(self, series, units):
        return self.chance.randrange(len(units))

    def wrap_around(self, series, unit, place):
        return self.chance.random() < 0.8

    def retreat_before_shock(self, series, units, attackers):
        return self.chance.random() < 0.3

    def advance_after_retreat(self, series, unit, vacated):
        return self.chance.random() < 0.5

    def advance_after_defence(self, series, unit, vacated):
        return self.chance.randrange(-1, len(vacated))

    def continue_shock(self, series, units, number):
        return self.chance.random() < 0.7

    def pre_shock_fire(self, series, unit, targets):
        return self.chance.randrange(-1, len(targets))

    def reaction_refusal(self, series, unit, cause, sides):
        return self.chance.randrange(-1, len(sides))


def place_one(f, chance, at, kinds):
    """Put one more unit somewhere, extended if it is strong enough and there is room."""
    place = f.hex(chance.choice(list(f.map.by_id)))
    side = chance.randrange(2) if f.battle.held_by(place) < 0 else f.battle.held_by(place)
    kind = chance.choice(kinds)
    mates = [part.unit for part in place.stack]
    if len(mates) > 1 or any((one.kind == ARTILLERY) == (kind == ARTILLERY) for one in mates):
        return
    long = kind == INFANTRY and chance.random() < 0.7
    strength = chance.randrange(8, 19) if long else chance.randrange(1, 7)
    heading = mates[0].heading if mates else chance.randrange(1, 12, 2)
    unit = f.unit(
        f"{at}", place.id, HEADING_NAMES[heading], strength=strength, full=chance.randrange(strength, strength + 4),
        side=side, kind=kind, orders=chance.choice([ATTACK, ADVANCE]), green=chance.random() < 0.2,
        disordered=chance.random() < 0.3, mounted=chance.random() < 0.5,
    )
    if long and not mates:
        extend(f, chance, unit)


def extend(f, chance, unit):
    """Extend a unit by one or two markers into a line, or now and then a column, where there is room."""
    heading = unit.heading
    line = chance.random() < 0.8
    unit.orders = unit.orders if line else ADVANCE
    if line:
        ways = [left_flank(heading), right_flank(heading)]
        chance.shuffle(ways)
    else:
        ways = [(heading // 2 + 3) % 6] * 2
    here = unit.hex
    for at in range(2 if unit.strength >= 15 and chance.random() < 0.6 else 1):
        to = here.sides[ways[at]]
        if to.on_map and not to.to.stack:
            f.battle.add_part(unit, to.to, 0, EXTENDED_LINE if line else EXTENDED_COLUMN)
            here = unit.hex if line else to.to
        elif not line:
            return


def melee(field, seed):
    """A field crowded with two sides at random, half of them extended, and every unit that may shock wishing to."""
    chance = random.Random(seed)
    f = field(10, 10, terrain=chance.choice(["clear", "clear", "woods"]))
    for at in range(chance.randrange(6, 16)):
        place_one(f, chance, at, [INFANTRY, INFANTRY, INFANTRY, INFANTRY, CAVALRY, ARTILLERY])
    add_guns(f, chance)
    for side, name in enumerate(["blue", "grey"]):
        mine = [part.hex.id for unit in f.battle.units if unit.side == side for part in unit.parts]
        if mine:
            f.leader(name, chance.choice(mine), side=side, profile=AGGRESSIVE)
    for unit in f.battle.units:
        unit.collapsed = unit.kind != ARTILLERY and 2 * unit.strength < unit.full
        unit.disordered = unit.disordered or unit.collapsed
    f.play()
    refuse_some(f, chance)
    f.begin(f.battle.brigades[0])
    for unit in f.battle.units:
        unit.came_adjacent = unit.moved = unit.side == 0 and chance.random() < 0.5
    f.commanders = [AnyAnswer(side, chance) for side in (0, 1)]
    f.series.equip(KeyedDice(seed, 7), f.log, f.commanders)
    f.series.dice.begin(seed)
    return f


def add_guns(f, chance):
    """Guns stacked with some lines, above or beneath."""
    for unit in list(f.battle.units):
        place = chance.choice(unit.parts).hex
        if unit.extended != EXTENDED_LINE or len(place.stack) > 1 or chance.random() < 0.6:
            continue
        gun = f.unit(
            f"gun {unit.name}", place.id, HEADING_NAMES[unit.heading], strength=chance.randrange(1, 7),
            side=unit.side, kind=ARTILLERY, disordered=chance.random() < 0.2,
        )
        if chance.random() < 0.5:
            f.battle.lift(gun)
            f.battle.stand(gun, place, True)


def refuse_some(f, chance):
    """Bend back the ends of some who may (7.31, 7.32)."""
    for unit in f.battle.units:
        side = chance.choice([REFUSED_LEFT, REFUSED_RIGHT])
        if chance.random() < 0.3 and f.series.refusal.eligible(unit, side):
            f.series.refusal.bend(unit, side, "")


def lost_by(f, unit):
    """Strength points that the log says a unit has lost."""
    return sum(event.losses for event in f.events("loss") if event.unit == unit.id)


@pytest.mark.parametrize("seed", range(80))
def test_8_46_8_49_11_11_any_shock_with_extended_units_leaves_a_legal_state(field, seed):
    """11.11: the audit finds nothing, and each unit has lost in the log what it has lost on the map, once."""
    f = melee(field, seed)
    assert audit(f.battle) == []
    battle, s = f.battle, f.series.shock
    strengths = [unit.strength for unit in battle.units]
    able = [unit for unit in battle.units if s.may_shock(unit)]
    made = s.complete([Designation([unit], []) for unit in able])
    assert s.check(made, battle.active) == []
    for one in made:
        assert 0 <= s.estimate(one.attackers, one.targets[0]) <= 1000
    s.conduct(made, battle.active)
    assert s.shocks == [] and s.wrapped == []
    for unit, before in zip(battle.units, strengths, strict=True):
        assert unit.strength == before - unit.losses() and unit.losses() == lost_by(f, unit)
        # so does the end of the activation (8.42, 8.43, 8.5)
        f.series.lines.close_up(unit)
        if unit.extended == EXTENDED_COLUMN and unit.strength < (15 if len(unit.parts) == 3 else 8):
            f.series.retreat.contract(unit, unit.hex)
    assert audit(battle) == []
    assert all(not waiting for waiting in f.series.results.pending)


def test_8_46_the_melees_show_all_that_lines_do_in_a_shock(field):
    """8.47, 8.48: else the melees above would prove little."""
    seen = set()
    for seed in range(150):
        f = melee(field, seed)
        lines = [unit.id for unit in f.battle.units if unit.extended == EXTENDED_LINE]
        able = [unit for unit in f.battle.units if f.series.shock.may_shock(unit)]
        made = f.series.shock.complete([Designation([unit], []) for unit in able])
        f.series.shock.conduct(made, f.battle.active)
        for event in f.events():
            if event.unit in lines:
                seen.add(event.kind)
            if event.kind == "shock" and any(name in event.unit for name in lines):
                seen.add(event.mode)
    assert {"wrap around", "contract", "advance", "retreat", "rout", "continued", "shock"} <= seen
