"""The heuristic commander's columns: they march on, turn about for their goal, and deploy near the enemy (8.5)."""

import pytest

from simkit.model.forces import ADVANCE, ATTACK, EXTENDED_COLUMN, EXTENDED_LINE, IN_ONE_HEX, MARCH
from simkit.play.audit import audit

E = 3


def column(made, orders, rows=("A0303", "A0304"), heading="N", strength=9):
    """A regiment in column northward, its enemy far to the east."""
    made.brigade("1/1/U", 0, orders)
    return made.unit("long", rows[0], heading, strength=strength, orders=orders)


def extend(made, unit, *idents):
    for ident in idents:
        made.battle.add_part(unit, made.hex(ident), 0, EXTENDED_COLUMN)
    made.series.columns.dress(unit)


def test_a_column_marches_on_and_turns_about_where_its_tail_is_nearer_to_the_enemy(scene, enter):
    made = scene("steady", columns=4, rows=40)
    made.road("pike", *[f"A03{row:02d}" for row in range(3, 40)])
    unit = column(made, MARCH)
    made.unit("foe", "A0339", "W", strength=5, side=1)
    leader = enter(made, unit)
    extend(made, unit, "A0304")
    assert unit.hex.id == "A0303"
    leader.act(made.series, made.battle.active)
    assert unit.extended == EXTENDED_COLUMN
    assert unit.hex.row > 4
    assert audit(made.battle) == []


@pytest.mark.parametrize("heading", ["NNE", "NNW"])
def test_near_the_enemy_a_column_under_advance_orders_deploys(scene, enter, heading):
    made = scene("steady", columns=12, rows=8)
    unit = column(made, ADVANCE, heading=heading)
    made.unit("foe", "A0804", "W", strength=5, side=1)
    leader = enter(made, unit)
    extend(made, unit, "A0304")
    leader.act(made.series, made.battle.active)
    assert unit.extended in (IN_ONE_HEX, EXTENDED_LINE)
    assert unit.extended == IN_ONE_HEX or unit.heading == E
    assert audit(made.battle) == []


def test_a_column_that_gets_other_orders_forms_line_to_the_enemy_if_he_is_near(scene, enter):
    for gap, extended in ((5, EXTENDED_LINE), (12, EXTENDED_COLUMN)):
        made = scene("steady", columns=18, rows=8)
        unit = column(made, MARCH)
        made.unit("foe", f"A{3 + gap:02d}04", "W", strength=5, side=1)
        enter(made, unit)
        extend(made, unit, "A0304")
        made.series.orders.give(unit, ADVANCE)
        assert unit.extended == extended
        if extended == EXTENDED_LINE:
            assert unit.heading == E


def test_8_53_under_attack_orders_it_forms_a_line_to_the_enemy_or_retracts(scene, enter):
    for row, extended in ((4, EXTENDED_LINE), (1, IN_ONE_HEX)):
        made = scene("steady", columns=12, rows=12)
        place = {4: "A0804", 1: "A0301"}[row]
        made.brigade("1/1/U", 0, ATTACK)
        unit = made.unit("long", "A0308", "NNE", strength=9, orders=ATTACK)
        made.unit("foe", place, "W", strength=5, side=1)
        enter(made, unit)
        extend(made, unit, "A0309")
        made.series.columns.deploy()
        assert unit.extended == extended
