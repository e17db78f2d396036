"""When the heuristic commander charges, how it rides, and when it countercharges (11.5)."""

import pytest

from simkit.commanders.intent import Plan
from simkit.model.forces import ATTACK, CAVALRY
from simkit.model.hexgrid import HEADING_NAMES

EAST = HEADING_NAMES.index("E")


def troop(made, own=7, **more):
    """Cavalry four hexes from an enemy, and that enemy."""
    c = made.unit("c", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=own)
    return c, made.unit("d", "A0605", side=1, **more)


@pytest.mark.parametrize(("look", "strength", "rides"), [("E", 2, True), ("W", 25, False)])
def test_11_53_it_charges_where_the_chance_is_good(scene, enter, look, strength, rides):
    """11.55: weak infantry that shows its back, and strong infantry that faces the cavalry."""
    made = scene("aggressive")
    c, _ = troop(made, facing=look, strength=strength)
    led = enter(made, c)
    assert led.cares_to_charge(made.series, c) is rides
    plan = Plan()
    plan.attack = True
    led.act_unit(made.series, c.command, plan, c)
    assert (len(made.events("charge")) > 0) is rides


def test_11_53_held_back_it_does_not(scene, enter):
    made = scene("aggressive")
    c, _ = troop(made, facing="E", strength=2)
    led = enter(made, c)
    plan = Plan()
    plan.still = True
    led.act_unit(made.series, c.command, plan, c)
    assert made.events("charge") == []


def test_11_54_it_rides_where_the_chance_is_best(scene, enter):
    """11.43: from one of the two hexes it comes through the flank of the defender, from the other through his front."""
    made = scene("aggressive")
    c, d = troop(made, facing="NNW", strength=4)
    led = enter(made, c)
    ways = made.series.charge.ways([c])
    chances = [made.series.shock.estimate_charge([c], way.end(), way.heading(), d.hex) for way in ways]
    assert len(set(chances)) > 1
    best, chance = led.best_charge(made.series, [c], ways)
    assert chance == max(chances) == chances[best] and led.charge_way(made.series, [c], ways) == best


def test_11_57_it_goes_on_at_an_enemy_or_else_short_of_one_and_breaks_off_when_shaken(scene, enter):
    made = scene("aggressive")
    c, _ = troop(made, facing="W", strength=25)
    led = enter(made, c)
    ways = made.series.charge.further_ways([c], made.series.charge.beginning(c))
    assert ways[0].targets and not ways[led.continue_charge(made.series, [c], ways)].targets
    made.battle.units[1].heading = EAST
    made.battle.units[1].strength = 1
    assert ways[led.continue_charge(made.series, [c], ways)].targets
    assert not led.break_off_charge(made.series, [c])
    c.disordered = True
    assert led.break_off_charge(made.series, [c])


def test_11_56_it_countercharges(scene, enter):
    made = scene("steady")
    c, d = troop(made, kind=CAVALRY)
    led = enter(made, c)
    assert led.countercharge(made.series, [c], [d])
