"""Crittenden's advance: the first eight activations of the left wing lead across the river (21.2 of Dead of Winter)."""

import pytest

from simkit.model.battle import DIVISION_MARKER, Marker
from simkit.model.forces import ADVANCE, ATTACK, EXTENDED_LINE
from simkit.rules.commander import CommanderError
from simkit.rules.scenario_rules import AdvanceAcross

UNION, CONFEDERATE = 0, 1


@pytest.fixture
def wing(field):
    """A river between columns 8 and 9 with one ford, in row 4; two regiments west of it, another corps beside them."""
    f = field(16, 8)
    for row in range(1, 9):
        for side in f.hex(f"A08{row:02d}").sides:
            if side.on_map and side.to.column == 9:
                ford = "ford_a" if (row, side.to.row) == (4, 4) else ""
                f.water(side.origin.id, side.to.id, ford)
    f.near = f.unit("6 OH", "A0604", "E", movement=6)
    f.far = f.unit("24 OH", "A0108", "NNE", movement=4)
    f.leader("Grose", "A0604")
    f.other = f.unit("1 WI", "A0101", "E", brigade=f.brigade("1/2/U", division=f.division("2/U")))
    f.foe = f.unit("1 TN", "A1608", "W", side=CONFEDERATE)

    def play(option="yes", number=8):
        f.play([], options={"crittendens_attack": option})
        east = [place for place in f.map.hexes if place.column >= 9]
        f.rule = AdvanceAcross(f.battle.divisions[UNION], number, east, len(f.map.hexes))
        f.series.scenario.advances = [f.rule]
        return f

    f.ready = play
    return f


def activate(f, division=None):
    """A marker of a division, the left wing's unless another is named."""
    command = f.battle.divisions[UNION] if division is None else division
    f.series.command.determine()
    f.series.activation.activate(Marker(DIVISION_MARKER, UNION, command, 0))


def test_21_2_each_unit_goes_across_or_as_near_to_the_ford_as_it_can(wing):
    f = wing.ready()
    distance = f.series.advance.hexes_to_cross(f.far, f.far.hex)
    activate(f)
    assert f.near.hex.column > 9
    assert f.series.advance.hexes_to_cross(f.far, f.far.hex) == distance - 4  # clear ground, 4 MPs
    for _ in range(3):
        activate(f)
    assert f.far.hex.column >= 9
    assert f.battle.course.advances == 4


def test_21_2_without_the_option_nobody_is_moved(wing):
    f = wing.ready("no")
    activate(f)
    assert (f.near.hex.id, f.far.hex.id, f.battle.course.advances) == ("A0604", "A0108", 0)


def test_21_2_10_13_who_has_not_crossed_has_moved_to_the_end_and_nobody_has_completed_his_activation(wing):
    f = wing.ready()
    told = {}

    def look(series, brigades):
        for unit in (f.near, f.far):
            told[unit.name] = (series.movement.may_move(unit), unit.completed)

    f.answers[UNION]["act"] = [look, look]
    activate(f)
    assert told["24 OH"] == (False, False)
    assert not told["6 OH"][1]
    activate(f)
    assert told == {"24 OH": (False, False), "6 OH": (True, False)}


def test_21_2_activations_of_other_commands_neither_count_nor_are_bound(wing):
    f = wing.ready()
    activate(f, f.battle.divisions[2])
    assert (f.other.hex.id, f.battle.course.advances) == ("A0101", 0)


def test_21_2_only_the_first_eight_activations_of_all_its_divisions_are_so(wing):
    f = wing.ready(number=2)
    moves = []
    for _ in range(3):
        before = f.far.hex
        activate(f)
        moves.append(f.far.hex is not before)
    assert moves == [True, True, False]


def test_21_2_no_attack_orders_before_the_river_is_crossed(wing):
    f = wing.ready()
    brigade = f.battle.brigades[UNION]
    orders = f.series.orders
    assert orders.forbids(brigade, ATTACK) and not orders.forbids(brigade, ADVANCE)
    f.answers[UNION]["change_orders"] = [ATTACK]
    activate(f)  # not even asked
    assert "change_orders" not in f.asked[UNION]
    orders.open_deployment(UNION)
    with pytest.raises(CommanderError, match=r"must cross the river first \(21.2\)"):
        orders.assign(brigade, ATTACK)
    for unit in (f.near, f.far):
        f.battle.lift(unit)
        f.battle.stand(unit, f.hex("A1004"), False)
    assert not orders.forbids(brigade, ATTACK)


def test_21_2_the_ninth_activation_is_like_any_other(wing):
    f = wing.ready(number=0)
    assert not f.series.orders.forbids(f.battle.brigades[UNION], ATTACK)


def test_21_2_a_line_presses_on_as_a_line(wing):
    f = wing
    line = f.unit("36 IN", "A0404", "E", strength=10, movement=3)
    f.battle.add_part(line, f.hex("A0403"), 0, EXTENDED_LINE)
    f.ready()
    before = f.series.advance.hexes_to_cross(line, line.hex)
    activate(f)
    assert f.series.advance.hexes_to_cross(line, line.hex) < before


def test_21_2_where_no_way_leads_across_nobody_is_moved(wing):
    f = wing.ready()
    for side in f.map.water_sides:
        side.over = ""
    f.battle.waters.rise_to(2)
    activate(f)
    assert f.near.hex.id == "A0604"


def test_21_2_the_count_is_part_of_the_state(wing):
    f = wing.ready()
    kept, digest = f.battle.snapshot(), f.battle.digest()
    activate(f)
    after = f.battle.snapshot()
    f.battle.restore(kept)
    assert (f.battle.course.advances, f.battle.digest()) == (0, digest)
    f.battle.restore(after)
    assert f.battle.course.advances == 1
