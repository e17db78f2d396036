"""The heuristic commander's cavalry: on foot to fight, mounted to cover ground (14.22)."""

import pytest

from simkit.commanders.objectives import Objective
from simkit.model.forces import ADVANCE, ATTACK, CAVALRY, INFANTRY, MARCH
from simkit.play.audit import audit


def horse(made, orders, mounted, enemy, **more):
    made.brigade("1/1/U", 0, orders)
    unit = made.unit(
        "horse", "A0304", "E", kind=CAVALRY, orders=orders, mounted=mounted, dismounted={"weapon": "R"}, **more
    )
    made.unit("foe", enemy, "W", strength=5, side=1)
    return unit


@pytest.mark.parametrize(
    ("orders", "mounted", "enemy", "after"),
    [
        (ADVANCE, True, "A0604", False),  # near: on foot
        (ADVANCE, True, "A1504", True),  # far: rides on
        (ADVANCE, False, "A1504", True),  # far: mounts
        (ADVANCE, False, "A0704", False),  # fights on
        (ATTACK, True, "A0604", True),  # means to charge
        (ADVANCE, True, "A0404", True),  # next to the enemy nobody dismounts
    ],
)
def test_14_22_on_foot_near_the_enemy_mounted_far_from_him(scene, enter, orders, mounted, enemy, after):
    made = scene("steady")
    unit = horse(made, orders, mounted, enemy)
    enter(made, unit)
    made.series.mounting.offer()
    assert unit.mounted == after
    assert audit(made.battle) == []


def test_14_22_it_does_so_when_it_acts(scene, enter):
    made = scene("steady")
    unit = horse(made, ADVANCE, True, "A0704")
    enter(made, unit)
    made.battle.phasing = 0
    made.series.activation.brigade([unit.command])
    assert unit.on_foot()


def test_13_4_a_disordered_unit_stays_in_the_saddle_to_rally(scene, enter):
    made = scene("steady")
    unit = horse(made, ADVANCE, True, "A0604", disordered=True)
    enter(made, unit)
    made.series.mounting.offer()
    assert unit.mounted


@pytest.mark.parametrize(
    ("kind", "goal", "wanted"),
    [(CAVALRY, "A2606", ADVANCE), (CAVALRY, "A4806", MARCH), (INFANTRY, "A2606", MARCH)],
)
def test_6_25_horsemen_do_not_march_where_their_markers_bring_them(scene, enter, kind, goal, wanted):
    """The enemy is 24 hexes off; the goal lies beside him or far beyond him."""
    made = scene("steady", columns=60)
    made.led.objectives = [Objective(goal, 5, [])]
    own = made.brigade("1/1/U", 0, ADVANCE)
    more = {"weapon": "C", "mounted": True} if kind == CAVALRY else {}
    unit = made.unit("U", "A0206", "E", brigade=own, kind=kind, **more)
    made.unit("foe", "A2606", "W", side=1)
    enter(made, unit)
    assert made.led.wanted_orders(made.series, own) == wanted
