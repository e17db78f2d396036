"""How far the heuristic commander looks for ways, and when it looks for none."""

import pytest

from simkit.commanders.appraisal import BACK, DETOUR, SIDESTEP
from simkit.model.charts import ONE_MP
from simkit.model.forces import ADVANCE, MARCH

PLENTY = 40 * ONE_MP


@pytest.fixture
def outlook(scene, enter):
    """A function that makes what a unit under some orders, twelve hexes from the enemy, sees when it sets out."""

    def make(orders):
        made = scene("steady", columns=24)
        made.unit("C", "A1806", "W", side=1)
        unit = made.unit("U", "A0606", "E", orders=orders)
        leader = enter(made, unit)
        field = leader.field(made.battle)
        field.appraise(unit.command, [], [], 1)
        field.set_out(unit)
        return made, field

    return make


@pytest.mark.parametrize(("orders", "deep"), [(ADVANCE, SIDESTEP), (MARCH, DETOUR)])
def test_a_way_leads_back_for_a_while_and_must_then_have_made_up_for_it(outlook, orders, deep):
    """Each two movement points gone since the best place so far was found take a hex from what a way may fall back."""
    made, field = outlook(orders)
    back = [made.hex(f"A{6 - hexes:02}06") for hexes in range(6)]  # ever farther from the enemy
    most = min(deep, 5)
    assert all(field.passes(place) for place in back[: most + 1])
    for hexes in range(most + 1):
        in_time = (deep - hexes) * BACK
        assert field.goes_on(back[hexes], in_time, PLENTY)
        assert not field.goes_on(back[hexes], in_time + 1, PLENTY)
    # a better place begins the time anew, and all others are measured by it
    assert field.goes_on(made.hex("A0706"), 30, PLENTY)
    assert field.goes_on(back[0], 30 + (deep - 1) * BACK, PLENTY)
    assert not field.goes_on(back[0], 31 + (deep - 1) * BACK, PLENTY)


def test_no_way_goes_on_that_can_hardly_come_up_with_the_best_in_what_is_left(outlook):
    made, field = outlook(MARCH)
    assert field.goes_on(made.hex("A0306"), 0, 2 * ONE_MP)
    assert not field.goes_on(made.hex("A0306"), 0, ONE_MP)
    assert field.goes_on(made.hex("A0606"), 0, 0)


@pytest.mark.parametrize(("facing", "looks"), [("E", True), ("W", False)])
def test_who_stands_well_looks_for_ways_only_where_a_line_is_to_be_had(scene, enter, facing, looks):
    """Beside a friend a hex may be worth more, if he faces the way that makes a line of the two."""
    made = scene("steady", columns=24)
    made.unit("C", "A0906", "W", side=1)
    unit = made.unit("U", "A0606", "E", orders=ADVANCE)
    made.unit("friend", "A0608", facing, orders=ADVANCE)
    leader = enter(made, unit)
    made.series.movement.forget()
    plan = leader.plan(made.series, unit.command)
    plan.wanted = 3
    leader._best_node(made.series, unit.command, plan, [unit], False)
    assert bool(made.series.movement.reached) is looks
