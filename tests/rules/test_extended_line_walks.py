"""8.4: whatever legal manoeuvres lines make on whatever ground: the parts keep together, and nobody overspends."""

import random
from itertools import pairwise

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from simkit.model.charts import ONE_MP
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, EXTENDED_LINE
from simkit.model.formation import left_flank, line_from_left, right_flank
from simkit.play.audit import audit
from simkit.rules.dice import KeyedDice

COLUMNS, ROWS = 9, 9
GROUND = ("clear", "clear", "clear", "field", "woods", "cedars")
EDGES = ("stream", "minor_slope", "breastworks")


def battlefield(field, chance):
    """A patch of ground with lines and guns of both sides."""
    f = field(COLUMNS, ROWS)
    for place in f.map.hexes:
        place.terrain = f.charts.terrain(chance.choice(GROUND))
        place.elevation = chance.choice((0, 0, 0, 1))
        for side in place.sides:
            if side.on_map and side.direction < 3 and chance.random() < 0.1:
                f.hexside(chance.choice(EDGES), place.id, side.to.id)
    free = [place.id for place in f.map.hexes]
    chance.shuffle(free)
    orders = chance.choice((ADVANCE, ATTACK))
    headings = ("NNE", "E", "SSE", "SSW", "W", "NNW")
    own = f.brigade("1/1/U")
    other = f.brigade("2/1/U")
    for number in range(3):
        f.unit(f"a{number}", free.pop(), chance.choice(headings), strength=chance.choice((8, 9, 15, 17)), orders=orders,
               cohesion=chance.choice((4, 6, 8)), movement=chance.choice((4, 6, 8)), brigade=own)
    f.unit("friend", free.pop(), chance.choice(headings), strength=3, brigade=other)
    for number in range(3):
        mate = f.battle.units[number]
        together = chance.random() < 0.5
        guns = f.unit(f"g{number}", mate.hex.id if together else free.pop(), chance.choice(headings), kind=ARTILLERY,
                      strength=4, brigade=chance.choice((own, other)))
        if together:
            guns.heading = mate.heading
    for number in range(3):
        f.unit(f"e{number}", free.pop(), chance.choice(headings), side=1, strength=chance.choice((2, 9, 15)),
               kind=chance.choice((0, 0, 2)))
    f.leader("L", f.battle.units[0].hex.id, own)
    f.play()
    f.dice = KeyedDice(chance.randrange(2**32), chance.randrange(2**32))
    f.dice.begin(0)
    f.series.equip(f.dice, f.log, f.commanders)
    return f


def clean(f):
    """What the audit says of the state, but for faults that the random set-up brought with it."""
    return [fault for fault in audit(f.battle) if "alone beside" not in fault]


def formed(unit):
    """Whether the parts stand side by side in one row, each the flank of the next, all with the unit's heading."""
    ordered = line_from_left(unit)
    assert len(ordered) == len(unit.parts)
    for left, right in pairwise(ordered):
        assert left.hex.sides[right_flank(unit.heading)].to is right.hex
        assert right.hex.sides[left_flank(unit.heading)].to is left.hex
    assert len({part.hex.id for part in unit.parts}) == len(unit.parts)
    assert {part.heading() for part in unit.parts} == {unit.heading}


def offers(f, unit):
    """All that a unit may do by rule 8.4, as functions that do it."""
    lines = f.series.lines
    made = [(lines.extend, move) for move in lines.extensions(unit)]
    made += [(lines.retract, move) for move in lines.retractions(unit)]
    made += [(lines.line_move, move) for move in lines.line_moves(unit)]
    made += [(lines.withdraw, move) for move in lines.withdrawals(unit)]
    return made


@settings(
    max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(seed=st.integers(0, 2**32 - 1))
def test_8_44_random_manoeuvres_keep_a_line_together_and_within_its_allowance(field, seed):
    chance = random.Random(seed)
    f = battlefield(field, chance)
    before = clean(f)
    for _ in range(4):
        f.begin(f.battle.brigades[0])
        for unit in f.battle.units[:3]:
            for _ in range(6):
                if not unit.counts():
                    break
                found = offers(f, unit)
                if not found:
                    break
                act, move = chance.choice(found)
                left = int(f.series.movement.allowance(unit))
                assert move.by_exception or move.cost <= max(left, unit.movement_good * ONE_MP * (move.kind >= 5))
                act(unit, move)
                if unit.counts() and unit.extended == EXTENDED_LINE:
                    formed(unit)
                if not move.by_exception and move.kind < 5 and not unit.disordered:
                    assert unit.spent <= f.series.movement.full_allowance(unit, False)
                # a line that has become too weak stands until the activation ends (8.42)
                assert [fault for fault in clean(f) if fault not in before and "8.42" not in fault] == []
        f.series.activation._end([f.battle.brigades[0]])
        assert [fault for fault in clean(f) if fault not in before] == []
