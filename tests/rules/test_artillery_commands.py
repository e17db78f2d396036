"""Rule 4.33: artillery commands with activation markers of their own, and what the books that have them print."""

import pytest

from simkit.model.artillery import BY_EFFICIENCY, NO_MARKER, ArtilleryCommand
from simkit.model.battle import (
    DIVISION_MARKER,
    MARCH_MARKER,
    PHASE_ACTION,
    PHASE_COMMANDERS,
    Marker,
)
from simkit.model.counters import Ratings
from simkit.model.forces import ARTILLERY, CORPS, DIVISION, ELIMINATED, MARCH
from simkit.play.audit import audit
from simkit.rules.scenario_rules import EfficiencyPool, FixedEfficiency

UNION, CONFEDERATE = 0, 1
EVERY_TURN = 9


def artillery(f, code="Art", side=UNION, markers=2, most=4):
    """An artillery command directly under a side's army."""
    command = f._command(code, side, CORPS, f.battle.armies[side], f.battle.divisions)
    command.artillery = True
    own = ArtilleryCommand(command, markers, most)
    f.battle.artillery.append(own)
    return own


@pytest.fixture
def park(field):
    """Two batteries of an artillery command, a brigade with its brigadier elsewhere, and an enemy far off."""
    f = field(24, 8)
    f.own = artillery(f)
    f.one = f.unit("Bty A", "A0304", "E", kind=ARTILLERY, brigade=f.own.command)
    f.two = f.unit("Bty B", "A0305", "E", kind=ARTILLERY, brigade=f.own.command)
    f.regiment = f.unit("22 IN", "A1204", "E")
    f.brigadier = f.leader("Post", "A1203", command_range=3)
    f.leader("Davis", "A1203", f.battle.divisions[UNION], command_range=30)
    f.enemy = f.unit("1 TN", "A2404", "W", side=CONFEDERATE)
    return f


def begin(f, *faces, **how):
    f.play(faces, **how)
    f.series.scenario.fixed = [
        FixedEfficiency(f.battle.divisions[side], 2, 0, EVERY_TURN) for side in (UNION, CONFEDERATE)
    ]
    turn(f)
    return f


def turn(f):
    """The turn up to the draw of the first marker."""
    f.series.activation.begin_turn()
    f.series.command.determine()
    f.series.activation.determine_efficiency()
    f.series.activation.fill_pool()


def acting(f, number, command=None):
    """Who is active on an artillery command's marker, by name, an activation each; the rest of the pool stays in it."""
    seen = []

    def act(series, brigades):
        seen.append([unit.name for unit in f.battle.units if unit.active])

    for side in (UNION, CONFEDERATE):
        f.answers[side]["act"] = [act] * 9
        f.answers[side].setdefault("let_unit_pass", [False] * 9)
    command = command or f.own.command
    for marker in list(f.battle.pool):
        if marker.command is command and marker.kind == DIVISION_MARKER and marker.number == number:
            f.battle.pool.remove(marker)
    f.series.activation.activate(Marker(DIVISION_MARKER, command.side, command, number))
    for side in (UNION, CONFEDERATE):
        f.answers[side].clear()
    return seen


def pool_of(f, command):
    return sorted(marker.number for marker in f.battle.pool if marker.command is command)


# -- markers (4.33, 5.31) --------------------------------------------------------------------------------------------


def test_4_33_5_31_its_own_markers_are_in_the_pool_whatever_efficiency_says(park):
    """Gringo! (Monterey, 5.2): always two markers, which efficiency does not touch."""
    f = begin(park)
    assert pool_of(f, f.own.command) == [0, 1]
    f.series.scenario.fixed[UNION].number = 4
    turn(f)
    assert pool_of(f, f.own.command) == [0, 1]
    assert pool_of(f, f.battle.divisions[UNION]) == [0, 1, 2, 3]


def test_4_33_its_markers_activate_its_guns_and_a_divisions_do_not(park):
    f = begin(park)
    assert acting(f, 0) == [["Bty A", "Bty B"]]
    assert acting(f, 0, f.battle.divisions[UNION]) == [["22 IN"]]
    assert f.one.activations == 1


def test_4_33_without_guns_on_the_map_it_has_no_marker(park):
    f = park
    f.play()
    for unit in (f.one, f.two):
        unit.strength = 0
        f.battle.remove(unit, ELIMINATED)
    f.series.scenario.fixed = [FixedEfficiency(f.battle.divisions[s], 2, 0, EVERY_TURN) for s in (0, 1)]
    turn(f)
    assert pool_of(f, f.own.command) == []


@pytest.mark.parametrize(("drawn", "rating", "markers"), [(2, 0, 2), (2, 1, 3), (4, 0, 3), (1, -1, 1)])
def test_4_33_4_12_markers_by_efficiency_stay_within_the_most_it_may_have(park, drawn, rating, markers):
    """Into the Woods (4.25): unassigned guns draw efficiency, but have three markers at most."""
    f = park
    f.own.markers = BY_EFFICIENCY
    f.own.most = 3
    f.leader("Chief", "A0304", f.own.command, efficiency=rating)
    f.play()
    f.series.scenario.fixed = [FixedEfficiency(f.battle.divisions[s], 2, 0, EVERY_TURN) for s in (0, 1)]
    f.series.scenario.fixed[0] = FixedEfficiency(f.battle.divisions[UNION], 2, 0, EVERY_TURN)
    f.series.scenario.pools = [EfficiencyPool(UNION, [drawn], 0, EVERY_TURN)]
    turn(f)
    assert f.own.command.markers == markers


def test_4_33_5_22_the_army_commander_does_not_raise_its_efficiency(park):
    """Into the Woods (4.25): the army commander's rating is not for unassigned guns; he raises corps (5.22)."""
    f = park
    f.own.markers = BY_EFFICIENCY
    f.leader("Chief", "A0304", f.own.command)
    f.leader("Army", "A0304", f.battle.armies[UNION], command_range=20, initiative=2)
    f.leader("Corps", "A0304", f.battle.corps[UNION], command_range=20)
    f.play()
    f.series.scenario.fixed = [FixedEfficiency(f.battle.divisions[CONFEDERATE], 2, 0, EVERY_TURN)]
    f.series.scenario.pools = [EfficiencyPool(UNION, [2, 2], 0, EVERY_TURN)]
    f.answers[UNION]["army_bonus"] = [0, 0]
    turn(f)
    assert f.own.command.markers == 2
    assert f.battle.divisions[UNION].markers == 3  # of the corps, raised by one
    assert f.asked[UNION].count("army_bonus") == 1


def test_4_33_5_11_its_commander_is_no_corps_commander_in_the_army_commanders_range(park):
    f = park
    f.leader("Chief", "A0304", f.own.command)
    f.leader("Army", "A0304", f.battle.armies[UNION], command_range=20, initiative=2)
    begin(f)
    assert f.series.activation.initiative_modifier(f.battle.armies[UNION]) == 0


def test_4_33_5_43_no_transfer_gives_it_markers_or_takes_any(park):
    f = park
    f.own.markers = BY_EFFICIENCY
    for name, command in (("Chief", f.own.command), ("Division", f.battle.divisions[UNION]),
                          ("Corps", f.battle.corps[UNION]), ("Army", f.battle.armies[UNION])):
        f.leader(name, "A0304", command, command_range=30)
    f.play()
    f.series.command.determine()
    f.own.command.markers = 3
    f.battle.divisions[UNION].markers = 3
    assert f.series.activation.may_transfer(f.battle.divisions[UNION])
    assert not f.series.activation.may_transfer(f.own.command)


def test_5_13_4_33_the_first_marker_may_be_the_artillerys_and_is_then_one_for_all_its_guns(park):
    f = park
    f.own.picked = [f.two]
    f.own.picked_markers = 1
    begin(f)
    f.battle.initiative = UNION
    f.answers[UNION]["first_marker"] = [1]
    marker = f.series.activation.choose_first()
    assert (marker.command, marker.number) == (f.own.command, 1)
    assert pool_of(f, f.own.command) == [0, 4]


def test_4_33_a_marker_for_picked_batteries_activates_them_alone(park):
    """Gringo! (Buena Vista): two markers for any Mexican guns, a third for the San Patricio batteries only."""
    f = park
    f.own.picked = [f.two]
    f.own.picked_markers = 1
    begin(f)
    assert pool_of(f, f.own.command) == [0, 1, 4]
    assert acting(f, 0) == [["Bty A", "Bty B"]]
    assert acting(f, 4) == [["Bty B"]]
    assert acting(f, 1) == [["Bty A", "Bty B"]]
    assert (f.one.activations, f.two.activations) == (2, 3)
    assert [event.mode for event in f.events("marker")] == ["artillery", "picked artillery", "artillery"]


def test_4_33_the_march_marker_takes_its_guns_along(park):
    f = park
    f.own.command.orders = MARCH
    for unit in (f.one, f.two):
        unit.orders = MARCH
        unit.heading = 2
    begin(f)
    assert [marker.kind for marker in f.battle.pool if marker.side == UNION].count(MARCH_MARKER) == 1
    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append([u.name for u in f.battle.units if u.active])]
    f.series.activation.activate(Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0))
    assert seen == [["Bty A", "Bty B"]]


# -- who belongs to it -----------------------------------------------------------------------------------------------


@pytest.fixture
def guests(field):
    """Batteries of a brigade: one out of its brigadier's range, one in it, one stacked with a regiment, one shut in."""
    f = field(24, 8)
    f.own = artillery(f)
    f.brigade = f.brigade("guns")
    f.own.takes = [f.brigade]
    f.own.yields = True
    f.far = f.unit("Far", "A0304", "E", kind=ARTILLERY, brigade=f.brigade)
    f.near = f.unit("Near", "A1202", "E", kind=ARTILLERY, brigade=f.brigade)
    f.regiment = f.unit("22 IN", "A1604", "E")
    f.stacked = f.unit("Stacked", "A1604", "E", kind=ARTILLERY, brigade=f.brigade)
    f.shut = f.unit("Shut", "A0306", "E", kind=ARTILLERY, brigade=f.brigade)
    f.own.closed = [f.hex("A0306")]
    f.brigadier = f.leader("Post", "A1203", command_range=2)
    f.leader("Davis", "A1203", f.battle.divisions[UNION], command_range=30)
    f.leader("Guns", "A2001", f.brigade, command_range=0)
    f.enemy = f.unit("1 TN", "A2404", "W", side=CONFEDERATE)
    return f


def test_4_33_guns_belong_to_it_that_begin_the_turn_with_no_brigade_and_outside_the_closed_hexes(guests):
    """Gringo! (Monterey, 5.2): guns outside the city, not stacked with a brigade's unit nor in a brigadier's range."""
    f = begin(guests)
    assert [unit.name for unit in f.series.artillery.guests(f.own.command)] == ["Far"]
    assert acting(f, 0) == [["Far"]]
    assert ["Near", "Stacked", "Shut"] in acting(f, 0, f.battle.divisions[UNION])


def test_4_33_where_they_begin_the_turn_counts_and_not_where_they_are_later(guests):
    f = begin(guests)
    f.battle.stand_leader(f.brigadier, f.hex("A0305"))
    assert acting(f, 0) == [["Far"]]
    turn(f)
    assert [unit.name for unit in f.series.artillery.guests(f.own.command)] == ["Near"]


def test_4_33_a_battery_of_its_own_that_begins_the_turn_with_a_brigade_acts_with_that(guests):
    f = guests
    f.lent = f.unit("Lent", "A1604", "E", kind=ARTILLERY, brigade=f.own.command)
    f.free = f.unit("Free", "A0206", "E", kind=ARTILLERY, brigade=f.own.command)
    begin(f)
    assert acting(f, 0) == [["Far", "Free"]]
    assert ["22 IN", "Lent"] in acting(f, 0, f.battle.divisions[UNION])


def test_4_33_a_battery_placed_under_it_stays_so_and_no_more_than_the_most_are(guests):
    """Dead of Winter (scenarios of 2 January): up to 12 batteries under one command for the rest of the battle."""
    f = guests
    f.own.yields = False
    f.own.takes = []
    f.own.closed = []
    f.own.most_placed = 2
    f.own.markers = NO_MARKER
    f.own.command.acts_with = f.battle.divisions[UNION]
    f.answers[UNION]["place_under"] = [False, True, True]
    begin(f)
    assert f.asked[UNION].count("place_under") == 3
    assert [unit.name for unit in f.series.artillery.guests(f.own.command)] == ["Near", "Stacked"]
    assert pool_of(f, f.own.command) == []
    assert acting(f, 0, f.battle.divisions[UNION]) == [["22 IN"], ["Far", "Shut"], ["Near", "Stacked"]]
    turn(f)
    assert f.asked[UNION].count("place_under") == 3
    assert [unit.name for unit in f.series.artillery.guests(f.own.command)] == ["Near", "Stacked"]
    assert [event.unit for event in f.events("placed")] == [f.near.id, f.stacked.id]


def test_4_33_artillery_brigades_below_it_act_one_by_one_on_its_markers(park):
    f = park
    f.battalion = f.brigade("1/Art", division=f.own.command)
    f.third = f.unit("Bty C", "A0404", "E", kind=ARTILLERY, brigade=f.battalion)
    begin(f)
    assert acting(f, 0) == [["Bty C"], ["Bty A", "Bty B"]]


def guns_with_an_empty_division(park, superior):
    """The park in play, its guns acting with a division that has no units of its own."""
    f = park
    f.empty = f._command("2/I", UNION, DIVISION, superior, f.battle.divisions)
    f.own.markers = NO_MARKER
    f.own.command.acts_with = f.empty
    f.play()
    return f


def test_4_33_5_31_a_division_whose_own_units_are_gone_has_markers_for_the_guns_that_act_with_it(park):
    """Dead of Winter (3.0): all that is in the battle of 2/LW are batteries of the grand battery."""
    f = guns_with_an_empty_division(park, park.battle.corps[UNION])
    fixed = [(f.battle.divisions[UNION], 2), (f.battle.divisions[CONFEDERATE], 2), (f.empty, 3)]
    f.series.scenario.fixed = [FixedEfficiency(division, number, 0, EVERY_TURN) for division, number in fixed]
    turn(f)
    assert pool_of(f, f.empty) == [0, 1, 2]
    assert acting(f, 0, f.empty) == [["Bty A", "Bty B"]]


def test_4_33_5_21_a_battle_without_efficiency_markers_for_such_a_division_is_refused(park):
    f = guns_with_an_empty_division(park, park.battle.armies[UNION])
    rules = f.series.scenario
    rules.fixed = [FixedEfficiency(f.battle.divisions[side], 2, 0, EVERY_TURN) for side in (UNION, CONFEDERATE)]
    assert rules.drawing(f.battle, UNION, 0) == [f.empty]
    with pytest.raises(ValueError, match=r"0 efficiency markers for 1 commands that draw one \(2/I\)"):
        rules.check(f.battle)


# -- command range ---------------------------------------------------------------------------------------------------


def test_4_33_5_36_a_battery_out_of_its_artillery_commanders_range_acts_once_less(park):
    f = park
    f.leader("Chief", "A0304", f.own.command, command_range=2)
    f.far = f.unit("Bty C", "A1007", "E", kind=ARTILLERY, brigade=f.own.command)
    begin(f)
    assert (f.one.in_command, f.far.in_command) == (True, False)
    f.answers[UNION]["let_unit_pass"] = [True]
    assert acting(f, 0) == [["Bty A", "Bty B"]]
    assert acting(f, 1) == [["Bty A", "Bty B", "Bty C"]]
    assert (f.one.activations, f.far.activations) == (2, 1)


def test_4_33_guns_without_an_artillery_leader_need_no_command_range(park):
    f = begin(park)
    assert f.one.in_command and f.two.in_command
    acting(f, 0)
    acting(f, 1)
    assert f.one.activations == f.two.activations == 2


def test_4_33_5_36_a_fallen_artillery_commander_leaves_his_guns_out_of_command(park):
    f = park
    chief = f.leader("Chief", "A0304", f.own.command)
    f.play()
    f.series.results.kill(chief, "casualty roll")
    f.series.command.determine()
    assert not f.one.in_command


def test_4_33_guns_that_join_it_look_to_its_commander(guests):
    f = guests
    f.leader("Chief", "A0304", f.own.command, command_range=1)
    begin(f)
    assert f.far.in_command
    f.battle.stand_leader(f.own.command.leader(), f.hex("A2001"))
    f.series.command.determine()
    assert not f.far.in_command


# -- its leader (9.31, 9.33, 10.62, 12.74) ---------------------------------------------------------------------------


@pytest.fixture
def led(park):
    f = park
    f.chief = f.leader("Chief", "A0303", f.own.command, back=Ratings("Second", 4))
    return f


def activate(f):
    """Begin the activation of the artillery command by hand."""
    f.begin(f.own.command)
    f.battle.phase = PHASE_ACTION


def test_9_31_4_33_an_artillery_leader_rides_ten_points_when_his_command_is_active(led):
    f = begin(led)
    activate(f)
    assert f.series.movement.leader_allowance(f.chief) == 20
    assert f.series.movement.leader_may_move(f.chief)
    f.series.movement.move_leader(f.chief, f.hex("A0904"))
    assert not f.series.movement.leader_may_move(f.chief)
    assert not f.chief.far_moved


def test_9_31_9_32_4_33_an_artillery_leader_does_not_ride_with_the_commanders_nor_on_another_marker(led):
    f = begin(led)
    f.battle.phase = PHASE_COMMANDERS
    f.battle.phasing = -1
    assert not f.series.movement.leader_may_move(f.chief)
    f.begin(f.regiment)
    f.battle.phase = PHASE_ACTION
    assert not f.series.movement.leader_may_move(f.chief)


def test_9_31_4_33_he_rides_while_a_brigade_of_his_is_active(led):
    f = led
    f.battalion = f.brigade("1/Art", division=f.own.command)
    f.third = f.unit("Bty C", "A0404", "E", kind=ARTILLERY, brigade=f.battalion)
    begin(f)
    f.begin(f.third)
    f.battle.phase = PHASE_ACTION
    assert f.series.movement.leader_may_move(f.chief)


def test_9_33_9_31_4_33_he_goes_along_with_a_battery_of_his_command_or_that_acts_with_it(guests):
    f = guests
    chief = f.leader("Chief", "A0304", f.own.command)
    begin(f)
    f.begin(f.own.command)
    f.far.active = True
    f.battle.phase = PHASE_ACTION
    assert f.series.movement.may_take(chief, f.far)
    f.battle.stand_leader(chief, f.hex("A1202"))
    assert not f.series.movement.may_take(chief, f.near)


def test_10_62_batteries_use_phasing_fire_when_their_artillery_leader_is_activated(led):
    f = led
    f.target = f.unit("2 TN", "A0704", "W", side=CONFEDERATE)
    begin(f)
    activate(f)
    assert f.series.fire.may_fire(f.one)
    f.begin(f.regiment)
    f.battle.phase = PHASE_ACTION
    assert not f.series.fire.may_fire(f.one)


def test_11_73_4_33_an_artillery_leader_lends_stars_to_the_guns_of_his_command(led):
    f = led
    begin(f)
    f.battle.stand_leader(f.chief, f.hex("A0304"))
    assert f.series.command.stars(f.one) == CORPS
    f.battle.stand_leader(f.chief, f.hex("A1204"))
    assert f.series.command.stars(f.regiment) == 0


def test_12_74_4_33_a_fallen_artillery_leader_is_replaced_with_a_battery_of_his_command(led):
    f = begin(led)
    f.series.results.kill(f.chief, "casualty roll")
    f.answers[UNION]["replacement_with"] = [1]
    f.series.results.replace_leaders()
    assert f.chief.hex.id == "A0305"
    assert f.chief.ratings().name == "Second"


def test_12_74_4_33_or_with_one_that_acts_with_it_where_it_has_none_of_its_own(guests):
    f = guests
    chief = f.leader("Chief", "A0101", f.own.command)
    begin(f)
    f.series.results.kill(chief, "casualty roll")
    f.series.results.replace_leaders()
    assert chief.hex is f.far.hex


# -- orders, audit, state --------------------------------------------------------------------------------------------


def test_6_12_4_33_division_orders_are_open_to_a_led_artillery_command_only(led):
    f = led
    begin(f)
    assert f.own.command in f.series.orders.open_division_orders(UNION)
    f.own.command.leader_list.clear()
    assert f.own.command not in f.series.orders.open_division_orders(UNION)


def test_4_33_the_audit_finds_a_regiment_or_a_stranger_that_acts_with_guns(guests):
    f = begin(guests)
    assert audit(f.battle) == []
    f.regiment.attached = f.own.command.index
    assert any("4.33" in fault for fault in audit(f.battle))
    f.regiment.attached = -1
    f.enemy.placed_under = f.own.command.index
    assert any("4.33" in fault for fault in audit(f.battle))


def test_4_33_a_restored_battle_knows_who_acts_with_the_guns_and_on_which_marker(guests):
    f = begin(guests)
    f.battle.picked = True
    kept = f.battle.snapshot()
    f.battle.reset()
    assert (f.far.attached, f.battle.picked) == (-1, False)
    f.battle.restore(kept)
    assert (f.far.attached, f.battle.picked) == (f.own.command.index, True)


def test_4_33_an_unknown_command_of_guns_is_refused(park):
    f = begin(park)
    with pytest.raises(ValueError, match=r"4\.33"):
        f.series.artillery.of(f.battle.divisions[UNION])
