"""6.11: every cell of the Orders Comparison Chart, tried as an action on the map, by every book's wording."""

import pytest

from simkit.model.battle import DIVISION_MARKER, MARCH_MARKER, Marker
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, MARCH
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.options import EDITIONS

UNION, CONFEDERATE = 0, 1
ALL = (MARCH, ADVANCE, ATTACK)
MISS = 0  # the face of any die

by_every_wording = pytest.mark.parametrize("edition", EDITIONS)


def facing(orders):
    return "NE" if orders == MARCH else "E"


def alone(field, orders, enemy="A2403", kind=0, foe=0, ahead="", **more):
    """A unit in A0403 under some orders, its brigadier with it, and an enemy far off or near."""
    f = field(26, 6)
    f.own = f.battle.brigades[UNION]
    f.own.orders = orders
    f.leader("Brigadier", "A0403")
    f.own_unit = f.unit("22 IN", "A0403", ahead or facing(orders), orders=orders, kind=kind, **more)
    f.unit("1 TN", enemy, "W", side=CONFEDERATE, kind=foe)
    for question in ("approach_fire", "return_fire"):
        f.answers[CONFEDERATE][question] = [0] * 9
    return f


def go(f, unit, ident):
    """Whether a unit can move to a hex, and does."""
    f.series.movement.search(unit)
    for node in list(f.series.movement.reached):
        if node.hex is f.hex(ident) and f.series.movement.may_stop(node):
            return f.series.movement.move(unit, node, node.heading) or unit.hex is f.hex(ident)
    return False


def shoot(f, unit, target):
    """Whether a unit fires at a hex, which it refuses with an error."""
    try:
        f.series.fire.phasing(unit, [f.hex(target)], False)
    except CommanderError:
        return False
    return unit.fired


@by_every_wording
@pytest.mark.parametrize(("orders", "spent"), [(MARCH, 1), (ADVANCE, 2), (ATTACK, 4)])
def test_6_11_rate_along_a_road_through_woods(field, orders, spent, edition):
    """Half a point, one, and no rate at all: under Attack Orders the woods' own cost, here two (half points)."""
    f = alone(field, orders, ahead="N" if orders == MARCH else "NNE")
    f.ground("woods", "A0402", "A0403")
    f.road("road", "A0403", "A0402")
    f.play(options={"edition": edition})
    f.begin(f.own_unit)
    assert go(f, f.own_unit, "A0402")
    assert f.own_unit.spent == spent


@by_every_wording
@pytest.mark.parametrize(("orders", "regiment", "battery"), [
    (MARCH, False, False), (ADVANCE, False, True), (ATTACK, True, True),
])  # fmt: skip
def test_6_11_6_15_moves_adjacent_to_an_enemy(field, orders, regiment, battery, edition):
    """Into the Woods prints the exception of guns one column to the right; its 6.15 makes it of Advance Orders."""
    for foe, may in ((0, regiment), (ARTILLERY, battery)):
        f = alone(field, orders, enemy="A0703", foe=foe)
        f.play(options={"edition": edition})
        f.begin(f.own_unit)
        assert go(f, f.own_unit, "A0603") is may
        assert f.battle.beside_enemy(f.own_unit) is may


@by_every_wording
def test_6_11_on_the_march_four_hexes_away(field, edition):
    f = alone(field, MARCH, enemy="A1003")
    f.play(options={"edition": edition})
    f.begin(f.own_unit)
    assert not go(f, f.own_unit, "A0603")
    assert go(f, f.own_unit, "A0503")


@by_every_wording
@pytest.mark.parametrize("orders", ALL)
@pytest.mark.parametrize("kind", [MARCH_MARKER, DIVISION_MARKER])
def test_6_11_which_marker_activates(field, orders, kind, edition):
    f = alone(field, orders)
    f.play(options={"edition": edition})
    f.series.command.determine()
    command = f.battle.armies[UNION] if kind == MARCH_MARKER else f.battle.divisions[UNION]
    f.series.activation.activate(Marker(kind, UNION, command, 0))
    assert len(f.events("activation")) == (1 if (orders == MARCH) == (kind == MARCH_MARKER) else 0)


@by_every_wording
@pytest.mark.parametrize(("orders", "kind", "limit"), [
    (MARCH, 0, 7), (ADVANCE, 0, 15), (ATTACK, 0, 15), (MARCH, CAVALRY, 4), (ADVANCE, CAVALRY, 7), (ATTACK, CAVALRY, 7),
])  # fmt: skip
def test_6_11_8_12_stacking(field, orders, kind, limit, edition):
    """A unit of three points moves in where the limit holds for both together, and not with one point more."""
    for more, may in ((0, True), (1, False)):
        f = alone(field, orders, kind=kind, strength=1)
        f.unit("mate", "A0404", facing(orders), orders=orders, kind=kind, strength=limit - 1 + more)
        f.play(options={"edition": edition})
        f.begin(f.own_unit)
        assert go(f, f.own_unit, "A0404") is may


@by_every_wording
@pytest.mark.parametrize(("orders", "builds"), [(MARCH, False), (ADVANCE, True), (ATTACK, False)])
def test_6_11_construction(field, orders, builds, edition):
    f = alone(field, orders)
    f.ground("woods", "A0404")
    f.leader("Army", "A0405", f.battle.armies[UNION])
    f.leader("Corps", "A0405", f.battle.corps[UNION])
    f.leader("Division", "A0405", f.battle.divisions[UNION])
    f.play(options={"edition": edition})
    f.answers[UNION]["build"] = [0]
    f.series.command.determine()
    f.series.engineering.phase(UNION)
    assert f.own_unit.building is builds


@by_every_wording
@pytest.mark.parametrize(("orders", "fires", "both"), [
    (MARCH, False, False), (ADVANCE, True, False), (ATTACK, True, True),
])  # fmt: skip
def test_6_11_fire_and_move_and_fire(field, orders, fires, both, edition):
    def made():
        f = alone(field, orders, enemy="A0703")
        f.play([MISS] * 12, options={"edition": edition})
        f.begin(f.own_unit)
        return f

    f = made()
    assert shoot(f, f.own_unit, "A0703") is fires
    assert go(f, f.own_unit, "A0503") is both
    f = made()
    assert go(f, f.own_unit, "A0503") is (orders != MARCH)
    assert shoot(f, f.own_unit, "A0703") is both


@by_every_wording
@pytest.mark.parametrize(("orders", "shocks"), [(MARCH, False), (ADVANCE, True), (ATTACK, True)])
def test_6_11_shock(field, orders, shocks, edition):
    f = alone(field, orders, enemy="A0503")
    f.play([MISS] * 40, options={"edition": edition})
    f.begin(f.own_unit)
    designation = Designation([f.own_unit], [f.hex("A0503")])
    if shocks:
        f.series.shock.conduct([designation], [f.own])
        assert f.own_unit.shocked
    else:
        with pytest.raises(CommanderError, match="not eligible"):
            f.series.shock.conduct([designation], [f.own])
