"""Chapter 17, fatigue: its causes, its effects, how brigades rest. The option is on unless a test says otherwise."""

import pytest

from simkit.model.battle import DAY, DIVISION_MARKER, MARCH_MARKER, NIGHT, Marker, Turn
from simkit.model.breastworks import Site
from simkit.model.charts import CAUSE_SHOCK, NO_DISORDER
from simkit.model.fatigue import FATIGUES
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH, ON_MAP
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.firemodifiers import PHASING
from simkit.rules.shockinprogress import Attacker, ShockInProgress

UNION, CONFEDERATE = 0, 1
NUMBERS = ["none", "OK", "0", "1", "2", "3", "4"]
"""The levels in ascending order (17.24)."""

ON = {"fatigue": "yes"}


def brigade(field, orders=ADVANCE, options=None, enemy="A3006"):
    """A brigade of two regiments and a battery, its brigadier with it, and an enemy far away."""
    f = field(40, 8)
    f.own = f.battle.brigades[UNION]
    f.own.orders = orders
    f.leader("Brigade", "A0303", command_range=20)
    f.first = f.unit("1 IL", "A0303", "E" if orders != MARCH else "NE")
    f.second = f.unit("2 IL", "A0305", "E" if orders != MARCH else "NE")
    f.guns = f.unit("Bty", "A0306", "E" if orders != MARCH else "NE", kind=ARTILLERY)
    f.enemy = f.unit("1 TN", enemy, "W", side=CONFEDERATE)
    f.leader("Enemy", "A3906", f.battle.brigades[CONFEDERATE], command_range=60)
    f.play(options={**ON, **(options or {})})
    f.series.command.determine()
    f.division = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)
    f.enemies = Marker(DIVISION_MARKER, CONFEDERATE, f.battle.divisions[CONFEDERATE], 0)
    f.march = Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0)
    return f


def level(command):
    """The level on the marker of a brigade, by name."""
    return FATIGUES[command.fatigue.level]


def at(command, name):
    """Put the marker of a level with a brigade."""
    command.fatigue.place(NUMBERS.index(name))


def told(f, side=UNION):
    """Causes and levels of a side's Fatigue, as the log tells them."""
    return [(event.mode, event.result) for event in f.events("fatigue") if event.side == side]


def activate(f, deed, marker=None):
    """One activation of a side's division in which the owner does a deed, given as a function of the series."""
    marker = marker or f.division
    f.answers[marker.side]["act"] = [lambda series, brigades: deed(series)]
    f.series.activation.activate(marker)


def walk(unit, ident):
    """Move a unit to a hex, as it comes there cheapest."""
    def deed(series):
        series.movement.search(unit)
        nodes = [n for n in series.movement.reached if n.hex.id == ident and series.movement.may_stop(n)]
        node = min(nodes, key=lambda n: n.cost)
        assert series.movement.move(unit, node, node.heading)
    return deed


def back_and_forth(unit):
    """Move a unit between two hexes, for as many activations as one likes."""
    home = unit.hex.id
    away = f"A{int(home[1:3]) + 1:02d}{home[3:]}"
    return lambda series: walk(unit, away if unit.hex.id == home else home)(series)


def rest_all(series):
    """Nobody does anything."""


# -- levels (17.24, 17.25, 17.33) ------------------------------------------------------------------------------------


def test_17_24_17_31_17_33_the_levels_in_order_and_half_of_their_numbers(field):
    """17.24, 17.31, 17.33: none, OK and 0 do nothing; of 1 and 2 half is 1, of 3 and 4 it is 2."""
    f = brigade(field)
    marker = f.own.fatigue
    assert list(FATIGUES) == NUMBERS
    halves = []
    for number in range(7):
        marker.place(number)
        halves.append((level(f.own), marker.half))
    assert halves == [("none", 0), ("OK", 0), ("0", 0), ("1", 1), ("2", 1), ("3", 2), ("4", 2)]


def test_17_21_17_1_brigades_start_without_and_share_one_marker_but_for_their_guns(field):
    f = brigade(field)
    assert (level(f.own), f.first.fatigue.half) == ("none", 0)
    assert f.first.fatigue is f.second.fatigue is f.own.fatigue
    at(f.own, "3")
    assert (f.first.fatigue.half, f.second.fatigue.half, f.guns.fatigue.half) == (2, 2, 0)


def test_17_25_level_4_is_the_highest(field):
    f = brigade(field)
    at(f.own, "4")
    for _ in range(4):
        activate(f, back_and_forth(f.first))
    assert level(f.own) == "4"
    assert f.events("fatigue") == []


# -- cause 1: activations (17.22) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("activations", "after"), [(2, "none"), (3, "OK"), (4, "0")])
def test_17_22_each_activation_above_two_earns_a_level(field, activations, after):
    f = brigade(field)
    for _ in range(activations):
        activate(f, back_and_forth(f.first))
    assert level(f.own) == after


def test_17_22_the_next_turn_counts_anew(field):
    f = brigade(field)
    for _ in range(2):
        f.series.activation.begin_turn()
        for _ in range(3):
            activate(f, back_and_forth(f.first))
    assert level(f.own) == "0"


def test_17_0_without_the_option_nobody_tires(field):
    f = brigade(field, options={"fatigue": "no"})
    for _ in range(4):
        activate(f, back_and_forth(f.first))
    assert level(f.own) == "none"


def test_17_1_17_22_one_unit_that_acts_is_enough_also_one_out_of_command(field):
    f = brigade(field)
    f.first.in_command = False
    activate(f, back_and_forth(f.first))
    activate(f, back_and_forth(f.second))
    activate(f, back_and_forth(f.first))
    assert level(f.own) == "OK"


def test_17_22_17_26_an_activation_of_guns_alone_does_not_count(field):
    f = brigade(field)
    for _ in range(4):
        activate(f, back_and_forth(f.guns))
    assert f.guns.activations == 4
    assert level(f.own) == "none"


def test_17_21_the_marker_is_placed_when_the_brigade_has_done_all(field):
    f = brigade(field)
    at(f.own, "0")
    for _ in range(2):
        activate(f, back_and_forth(f.first))
    seen = []

    def deed(series):
        walk(f.first, "A0403")(series)
        seen.append((level(f.own), series.movement.allowance(f.second)))

    activate(f, deed)
    assert seen == [("0", 12)]
    assert (level(f.own), f.series.movement.full_allowance(f.second, False)) == ("1", 10)


def exempt_deeds():
    def nothing(f, series):
        pass

    def rally(f, series):
        f.first.disordered = True
        f.roll(("rally", 9))
        series.effectiveness.rally(f.first)

    def resupply(f, series):
        f.guns.ammo = 1
        series.effectiveness.resupply(f.guns)

    def turn(f, series):
        series.facing.turn(f.first, (f.first.heading + 2) % 12)

    def ride(f, series):
        series.movement.move_leader(f.own.leader(), f.hex("A0404"))

    return [nothing, rally, resupply, turn, ride]


@pytest.mark.parametrize("deed", exempt_deeds(), ids=lambda deed: deed.__name__)
def test_17_22_6_23_what_does_not_make_an_activation_count(field, deed):
    """17.22, 6.23: no action, rally, resupply, a turn that costs nothing, a leader's ride."""
    f = brigade(field)
    for _ in range(2):
        activate(f, back_and_forth(f.first))
    activate(f, lambda series: deed(f, series))
    assert level(f.own) == "none"
    activate(f, back_and_forth(f.first))
    assert level(f.own) == "OK"


def test_17_22_a_turn_for_movement_points_does_count(field):
    f = brigade(field)
    for _ in range(2):
        activate(f, back_and_forth(f.first))
    activate(f, lambda series: series.facing.turn(f.first, (f.first.heading + 4) % 12))
    assert f.first.spent == 2
    assert level(f.own) == "OK"


def test_17_22_6_23_fire_counts_and_a_stand_does_not_change_that(field):
    f = brigade(field, enemy="A0603")
    for _ in range(2):
        activate(f, back_and_forth(f.second))
    f.first.stands = True
    f.answers[CONFEDERATE]["return_fire"] = [0]
    f.roll(("fire", 0))
    activate(f, lambda series: series.fire.phasing(f.first, [f.enemy.hex], False))
    assert level(f.own) == "OK"


def test_17_22_6_24_the_retreat_of_a_cautious_loose_cannon_does_not_count(field):
    f = brigade(field)
    for _ in range(2):
        activate(f, back_and_forth(f.first))
    f.own.loose = 3
    f.first.forced = 1
    before = f.first.hex.id
    activate(f, rest_all)
    assert f.first.hex.id != before and f.first.retreated
    assert level(f.own) == "none"


def test_17_22_6_24_what_an_aggressive_one_drives_them_to_does(field):
    f = brigade(field)
    for _ in range(2):
        activate(f, back_and_forth(f.first))
    f.own.loose = 2
    f.first.forced = 1
    activate(f, rest_all)
    assert f.first.moved
    assert level(f.own) == "OK"


def test_17_23_at_most_two_levels_a_turn_by_activations(field):
    f = brigade(field)
    for _ in range(5):
        activate(f, back_and_forth(f.first))
    assert level(f.own) == "0"


def test_8_26_whoever_stands_by_when_guns_turn_or_refuse_does_not_tire(field):
    f = brigade(field)
    other = f.brigade("2/1/U")
    f.leader("Other", "A0701", other)
    mate = f.unit("3 IL", "A0701", "E", brigade=other)
    battery = f.unit("Bty 2", "A0701", "E", kind=ARTILLERY)
    f.battle.ready()
    other.fatigue.activations = 2
    for unit in f.battle.units:
        unit.in_command = True
    f.battle.phasing = UNION
    f.answers[UNION]["act"] = [lambda series, brigades: series.facing.turn(battery, (battery.heading + 4) % 12)]
    f.series.activation.brigade([f.own])
    assert mate.heading == battery.heading
    assert (level(other), other.fatigue.activations) == ("none", 2)


# -- the march (17.22, 5.35, 17.26) ----------------------------------------------------------------------------------


def on_the_march(field, road, kind="road", mp=6):
    """A marching regiment at the west end of a road, or in the open, on a field that is long enough."""
    f = field(60, 3)
    f.own = f.battle.brigades[UNION]
    f.own.orders = MARCH
    f.leader("Brigade", "A0101", command_range=99)
    f.walker = f.unit("1 IL", "A0102", "NE", movement=mp)
    f.guns = f.unit("Bty", "A0103", "NE", kind=ARTILLERY, movement=mp)
    f.unit("1 TN", "A6001", "W", side=CONFEDERATE)
    if road:
        f.road(kind, *[f"A{column:02d}02" for column in range(1, 61)])
    f.play(options=ON)
    f.series.command.determine()
    f.march = Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0)
    return f


@pytest.mark.parametrize(
    ("hexes", "after"), [(12, "none"), (24, "none"), (25, "none"), (36, "none"), (37, "OK"), (48, "OK")]
)
def test_example_17_22_a_march_by_road_tires_from_the_37th_hex_on(field, hexes, after):
    """17.22, 5.35, dead-of-winter:2186, gringo:2068, into-the-woods:2121: half a point a hex."""
    f = on_the_march(field, True)
    activate(f, walk(f.walker, f"A{hexes + 1:02d}02"), f.march)
    assert (f.walker.spent, f.walker.left_roads) == (hexes, False)
    assert level(f.own) == after


def test_example_17_22_a_march_reaches_48_hexes_by_road(field):
    """17.22, dead-of-winter:2186: four activations of 6 MPs are 24, at half a point 48 hexes."""
    f = on_the_march(field, True)

    def deed(series):
        assert series.movement.allowance(f.walker) == 2 * 24
        series.movement.search(f.walker)
        assert max(node.hex.column for node in series.movement.reached) == 1 + 48

    activate(f, deed, f.march)


@pytest.mark.parametrize(("hexes", "after"), [(12, "none"), (13, "OK"), (18, "OK"), (19, "0"), (24, "0")])
def test_17_22_off_the_road_the_third_and_fourth_activation_of_a_march_tire(field, hexes, after):
    f = on_the_march(field, False)
    activate(f, walk(f.walker, f"A{hexes + 1:02d}02"), f.march)
    assert f.walker.left_roads
    assert level(f.own) == after


def test_17_22_trails_and_railroads_are_no_roads(field):
    """17.22: only pikes and roads, bridges and fords spare a third activation."""
    f = on_the_march(field, True, "trail")
    activate(f, walk(f.walker, "A1602"), f.march)
    assert (f.walker.left_roads, f.walker.spent) == (True, 30)
    assert level(f.own) == "OK"


def test_17_22_one_step_off_the_road_is_enough(field):
    f = on_the_march(field, True)
    far = {}

    def deed(series):
        series.movement.search(f.walker)
        for node in series.movement.reached:
            if node.hex.id == "A2901" and series.movement.may_stop(node):
                far[node.cost] = node
        node = far[min(far)]
        assert 24 < node.cost <= 36
        series.movement.move(f.walker, node, node.heading)

    activate(f, deed, f.march)
    assert level(f.own) == "OK"


def test_17_22_the_longest_march_of_a_brigade_counts(field):
    f = on_the_march(field, False)
    short = f.unit("2 IL", "A0101", "NE")
    f.battle.ready()
    short.in_command = True

    def deed(series):
        walk(short, "A0301")(series)
        walk(f.walker, "A2002")(series)

    activate(f, deed, f.march)
    assert level(f.own) == "0"


@pytest.mark.parametrize(
    ("hexes", "roll", "lost"), [(36, None, 0), (37, 5, 0), (37, 6, 1), (48, 9, 1), (48, 0, 0)]
)
def test_17_26_a_fourth_activation_of_march_may_break_the_wheels_of_guns(field, hexes, roll, lost):
    f = on_the_march(field, True)
    f.roll(*[] if roll is None else [("event", roll)])

    def deed(series):
        f.battle.lift(f.walker)
        f.battle.stand(f.walker, f.hex("A0101"), True)
        f.battle.lift(f.guns)
        f.battle.stand(f.guns, f.hex("A0102"), True)
        walk(f.guns, f"A{hexes + 1:02d}02")(series)

    activate(f, deed, f.march)
    assert f.dice.used_up()
    assert (f.guns.strength, f.guns.lost_other, level(f.own)) == (5 - lost, lost, "none")


def test_17_26_only_with_the_option(field):
    f = on_the_march(field, True)
    f.options.set("fatigue", "no")

    def deed(series):
        f.battle.lift(f.walker)
        f.battle.stand(f.walker, f.hex("A0101"), True)
        f.battle.lift(f.guns)
        f.battle.stand(f.guns, f.hex("A0102"), True)
        walk(f.guns, "A4902")(series)

    activate(f, deed, f.march)
    assert f.dice.asked == [] and f.guns.strength == 5


# -- night (16.12) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("light", "orders", "edition", "after"),
    [
        (NIGHT, ATTACK, "dead_of_winter", "2"), (NIGHT, ATTACK, "into_the_woods", "2"), (NIGHT, ATTACK, "gringo", "0"),
        (NIGHT, ADVANCE, "dead_of_winter", "0"), (DAY, ATTACK, "dead_of_winter", "0"),
    ],
)
def test_16_12_17_23_at_night_every_activation_under_attack_orders_tires(field, light, orders, edition, after):
    """16.12, 17.23: without end in the newer books; in Gringo! two levels a turn are the most."""
    f = brigade(field, orders, {"edition": edition})
    f.battle.turns[0] = Turn("night", light)
    for _ in range(4):
        activate(f, back_and_forth(f.first))
    assert level(f.own) == after


def test_16_12_at_night_only_units_under_attack_orders_make_the_first_activations_count(field):
    f = brigade(field, ATTACK)
    f.battle.turns[0] = Turn("night", NIGHT)
    f.second.in_command = False
    f.series.orders.give(f.second, ADVANCE)
    f.own.leader().hex.leaders.remove(f.own.leader())
    f.own.leader().hex = f.hex("A4008")
    f.own.leader().hex.leaders.append(f.own.leader())
    activate(f, back_and_forth(f.second))
    assert (f.second.orders, level(f.own)) == (ADVANCE, "none")
    activate(f, back_and_forth(f.first))
    assert level(f.own) == "OK"


def test_16_12_what_is_no_action_by_day_is_none_at_night(field):
    f = brigade(field, ATTACK)
    f.battle.turns[0] = Turn("night", NIGHT)
    activate(f, rest_all)
    activate(f, lambda series: series.facing.turn(f.first, (f.first.heading + 2) % 12))
    assert level(f.own) == "none"


# -- cause 2: shocks (17.22, 17.23, 11.45) ---------------------------------------------------------------------------


def fight(field, attacker=15, defender=15, options=None):
    """Two regiments eye to eye, each under Attack Orders, with brigadiers far off; their fire is left out."""
    f = field(12, 8)
    f.own, f.theirs = f.battle.brigades
    f.own.orders = f.theirs.orders = ATTACK
    f.leader("Brigade", "A0101", command_range=99)
    f.leader("Enemy", "A1208", f.theirs, command_range=99)
    f.a = f.unit("a", "A0404", "E", strength=attacker, cohesion=8, cohesion_disordered=7)
    f.d = f.unit("d", "A0503", "W", strength=defender, side=1, cohesion=8, cohesion_disordered=7)
    f.play(options={**ON, **(options or {})})
    f.series.command.determine()
    f.answers[UNION]["pre_shock_fire"] = [-1] * 20
    f.answers[CONFEDERATE]["pre_shock_fire"] = [-1] * 20
    f.division = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)
    f.enemies = Marker(DIVISION_MARKER, CONFEDERATE, f.battle.divisions[CONFEDERATE], 0)
    return f


def assault(f, attacker, defender, marker, *dice):
    """An activation in which one unit shocks another; `dice` from the check before it to its end."""
    f.roll(*dice)
    f.answers[marker.side]["shocks"] = [lambda series, brigades: [Designation([attacker], [defender.hex])]]
    f.series.activation.activate(marker)
    assert f.dice.used_up()


STANDOFF = (("cohesion", 0), ("shock", 4), ("cohesion", 0), ("cohesion", 0))
"""The defender's check, a Bloody Standoff, and the checks of both; all pass."""


def test_example_17_22_four_levels_from_three_activations_and_four_shocks(field):
    """17.22, 17.23, dead-of-winter:2190, gringo:2072, into-the-woods:2125: 1 for the third activation, 3 for shocks."""
    f = fight(field)
    before = f.a.heading
    activate(f, lambda series: series.facing.turn(f.a, (before + 4) % 12))  # two vertices cost movement points
    assert f.a.moved or f.a.spent > 0
    f.a.heading = before
    assert level(f.own) == "none"
    assault(f, f.a, f.d, f.division, *STANDOFF)
    assert level(f.own) == "none"
    assault(f, f.a, f.d, f.division, *STANDOFF)
    assert told(f) == [("activations and shocks", "0")]
    assault(f, f.d, f.a, f.enemies, *STANDOFF)
    assault(f, f.d, f.a, f.enemies, *STANDOFF)
    assert told(f)[1:] == [("shocks", "1"), ("shocks", "2")]
    assert f.own.fatigue.level == 4
    # the enemy's brigade was in four action phases with shock, and activated twice
    assert (level(f.theirs), f.theirs.fatigue.phases) == ("1", 4)


def test_17_22_several_shocks_in_one_action_phase_count_once(field):
    """17.22: an action phase is that of a marker, in which several brigades may shock one after the other."""
    f = fight(field)
    other = f.brigade("2/1/U", orders=ATTACK)
    f.leader("Other", "A0102", other, command_range=99)
    f.b = f.unit("b", "A0604", "W", strength=15, brigade=other, cohesion=8, cohesion_disordered=7)
    f.battle.ready()
    f.series.command.determine()
    f.answers[UNION]["shocks"] = [
        lambda series, brigades: [Designation([f.a], [f.d.hex])],
        lambda series, brigades: [Designation([f.b], [f.d.hex])],
    ]
    f.roll(*STANDOFF, *STANDOFF)
    f.series.activation.activate(f.division)
    assert len(f.events("shock")) == 2
    assert (f.theirs.fatigue.phases, level(f.theirs), level(f.own), level(other)) == (1, "none", "none", "none")


def test_17_23_a_shock_back_in_the_same_activation_counts_once(field):
    """17.23: who attacks and is then shocked by those who drove him back, and the other way round."""
    f = fight(field, attacker=5)
    f.own.fatigue.phases = f.theirs.fatigue.phases = 1
    f.answers[CONFEDERATE]["continue_shock"] = [True]
    f.answers[CONFEDERATE]["pre_shock_fire"] = [-1] * 4
    f.roll(("cohesion", 0), ("shock", 0), ("shock", 4), *[("cohesion", 0)] * 4)
    f.answers[UNION]["shocks"] = [lambda series, brigades: [Designation([f.a], [f.d.hex])]]
    f.series.activation.activate(f.division)
    assert [event.mode for event in f.events("shock")] == ["shock", "continued"]
    assert (level(f.own), level(f.theirs)) == ("OK", "OK")


def test_17_22_11_45_a_shock_that_ends_before_the_roll_is_none(field):
    """17.22, 11.45: who gave way before the shock has not been in it, nor has his enemy."""
    f = fight(field)
    f.own.fatigue.phases = f.theirs.fatigue.phases = 1
    f.series.orders.give(f.d, ADVANCE)
    f.answers[CONFEDERATE]["retreat_before_shock"] = [True]
    assault(f, f.a, f.d, f.division)
    assert f.events("shock") == []
    assert (level(f.own), level(f.theirs)) == ("none", "none")


def test_17_22_guns_on_top_of_the_defenders_do_not_tire_their_brigade(field):
    f = field(12, 8)
    own, theirs = f.battle.brigades
    f.leader("Brigade", "A0101", command_range=99)
    f.leader("Enemy", "A1208", theirs, command_range=99)
    attacker = f.unit("a", "A0404", "E", strength=15, orders=ATTACK, cohesion=8)
    guns = f.unit("Bty", "A0503", "W", strength=6, side=1, kind=ARTILLERY)
    f.play(options=ON)
    own.fatigue.phases = theirs.fatigue.phases = 1
    f.series.fatigue.join_shock([attacker, guns])
    assert (own.fatigue.earned, theirs.fatigue.earned) == (1, 0)


def test_17_23_there_is_no_limit_to_levels_by_shocks(field):
    """17.23, 17.25: but that of the highest level."""
    f = fight(field)
    for _ in range(7):
        f.series.fatigue.begin_phase()
        f.series.fatigue.join_shock([f.a])
    f.series.fatigue.end_activation()
    assert level(f.own) == "4"


# -- effects (17.31) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "orders", "points"),
    [("0", ADVANCE, 6), ("1", ADVANCE, 5), ("2", ADVANCE, 5), ("3", ADVANCE, 4), ("4", ADVANCE, 4), ("3", ATTACK, 1),
     ("2", ATTACK, 2)],
)
def test_17_31_half_the_level_comes_off_the_allowance_after_halving(field, name, orders, points):
    """17.31: under Attack Orders 6 MPs are first halved, then less half the level."""
    f = brigade(field, orders)
    at(f.own, name)
    f.begin(f.first)
    assert f.series.movement.allowance(f.first) == 2 * points
    f.series.movement.search(f.first)
    reach = max(node.hex.distance_to(f.first.hex) for node in f.series.movement.reached)
    assert reach == points


def test_17_31_9_42_a_tired_unit_may_always_move_one_hex(field):
    """17.31, 9.42: however little is left of its allowance, by its full good-order one."""
    f = field(8, 4)
    own = f.unit("1 IL", "A0302", "E", movement=4, orders=ATTACK)
    f.leader("Brigade", "A0302")
    f.play(options=ON)
    f.battle.brigades[UNION].fatigue.place(5)
    f.begin(own)
    assert f.series.movement.allowance(own) == 0
    assert "A0402" in [side.to.id for side in f.series.movement.exceptions(own)]


def test_17_31_guns_move_as_ever(field):
    f = brigade(field)
    at(f.own, "4")
    f.begin(f.guns)
    assert f.series.movement.allowance(f.guns) == 12


@pytest.mark.parametrize(("name", "drm"), [("OK", 0), ("0", 0), ("1", -1), ("2", -1), ("3", -2), ("4", -2)])
def test_17_31_10_81_half_the_level_comes_off_every_fire(field, name, drm):
    f = brigade(field, enemy="A0603")
    before = f.series.fire.modifier(f.first, f.first.hex, f.enemy.parts[0], PHASING, False)
    guns = f.series.fire.modifier(f.guns, f.guns.hex, f.enemy.parts[0], PHASING, True)
    at(f.own, name)
    assert f.series.fire.modifier(f.first, f.first.hex, f.enemy.parts[0], PHASING, False) == before + drm
    assert f.series.fire.drms.fatigue == drm
    assert f.series.fire.modifier(f.guns, f.guns.hex, f.enemy.parts[0], PHASING, True) == guns


def test_17_31_10_81_the_log_names_it(field):
    f = brigade(field, enemy="A0603")
    at(f.own, "3")
    f.answers[CONFEDERATE]["return_fire"] = [0]
    f.roll(("fire", 0))
    activate(f, lambda series: series.fire.phasing(f.first, [f.enemy.hex], False))
    event, = f.events("fire")
    assert "fatigue -2" in event.drms


@pytest.mark.parametrize(
    ("name", "roll", "passed"), [("0", 6, True), ("1", 6, False), ("1", 5, True), ("4", 5, False), ("4", 4, True)]
)
def test_17_31_half_the_level_is_added_to_every_check(field, name, roll, passed):
    """17.31, 2.6: a unit with a Cohesion Rating of 6."""
    f = brigade(field)
    at(f.own, name)
    f.roll(("cohesion", roll))
    assert f.series.results.udd(f.second, 0, "test") is passed


def test_17_31_11_36_11_37_to_the_check_of_green_attackers_and_of_defenders_before_shock_too(field):
    f = fight(field)
    f.a.green = True
    at(f.own, "1")
    assault(f, f.a, f.d, f.division, ("cohesion", 8))
    assert [event.result for event in f.events("commitment")] == ["failed"]
    at(f.theirs, "3")
    assault(f, f.a, f.d, f.division, ("cohesion", 7), ("cohesion", 7), ("shock", 1), ("cohesion", 0), ("cohesion", 0))
    assert [event.result for event in f.events("commitment")] == ["failed", "passed"]
    assert [event.result for event in f.events("pre-shock")] == ["failed"]


@pytest.mark.parametrize(
    ("name", "roll", "rallied", "lost"),
    [("0", 5, True, 0), ("3", 4, False, 0), ("3", 3, True, 0), ("3", 7, False, 1), ("0", 7, False, 0)],
)
def test_17_31_13_41_half_the_level_is_added_to_every_rally(field, name, roll, rallied, lost):
    """17.31, 13.41: a disordered rating of 5; an adjusted 9 costs a strength point."""
    f = brigade(field)
    at(f.own, name)
    f.second.cohesion_disordered = 5
    f.second.disordered = True
    f.roll(("rally", roll))
    f.begin(f.second)
    assert f.series.effectiveness.rally(f.second) is rallied
    assert f.second.lost_rally == lost


@pytest.mark.parametrize(("own", "theirs", "drm"), [("0", "0", 0), ("4", "0", -2), ("0", "3", 2), ("1", "4", 1)])
def test_17_31_11_42_tired_attackers_take_off_and_tired_defenders_add(field, own, theirs, drm):
    f = fight(field)
    f.begin(f.a)
    fresh = f.series.shock.modifiers(both(f.a, f.d), []).total()
    at(f.own, own)
    at(f.theirs, theirs)
    drms = f.series.shock.modifiers(both(f.a, f.d), [])
    assert drms.total() == fresh + drm
    assert ("fatigue" in drms.text()) is (own != "0" or theirs != "0")


def both(attacker, defender):
    """A shock in progress between two units where they stand."""
    made = [Attacker(attacker, attacker.hex, attacker.heading, False, False)]
    shock = ShockInProgress(attacker.side, made, [defender.hex], 0)
    shock.unled = [attacker.command]  # its brigadier is far off
    return shock


def test_11_42_of_several_units_the_most_tired_attacker_and_the_freshest_defender_count(field):
    """11.42: least beneficial to the attacker, most beneficial to the defender; guns have no level of their own."""
    f = field(12, 8)
    own, theirs = f.battle.brigades
    second, fourth = f.brigade("2/1/U"), f.brigade("2/1/C", side=CONFEDERATE)
    for number, command in enumerate((own, theirs, second, fourth)):
        f.leader(f"Brigade {number}", f"A010{number + 1}", command)
    attackers = [f.unit("a", "A0404", "E"), f.unit("b", "A0504", "E", brigade=second)]
    f.unit("d", "A0503", "W", side=1)
    f.unit("Bty", "A0503", "W", side=1, kind=ARTILLERY)
    f.unit("e", "A0603", "W", side=1, brigade=fourth)
    f.unit("Bty 2", "A0101", "W", side=1, kind=ARTILLERY)
    f.play(options=ON)
    at(own, "1")
    at(second, "4")
    at(theirs, "4")
    at(fourth, "2")
    fatigue = f.series.fatigue
    assert (fatigue.attack_drm(attackers[:1]), fatigue.attack_drm(attackers)) == (-1, -2)
    assert fatigue.defence_drm([f.hex("A0503")]) == 2
    assert fatigue.defence_drm([f.hex("A0503"), f.hex("A0603")]) == 1
    assert fatigue.defence_drm([f.hex("A0101")]) == 0


@pytest.mark.parametrize(("own", "theirs", "first"), [("0", "0", True), ("1", "0", False), ("3", "1", False),
                                                      ("0", "3", True)])
def test_12_48_half_the_level_comes_off_the_rating_that_decides_who_retreats_first(field, own, theirs, first):
    f = fight(field)
    at(f.own, own)
    at(f.theirs, theirs)
    assert f.series.retreat.defenders_first([f.a], [f.d]) is first


@pytest.mark.parametrize(("own", "theirs", "stands"), [("0", "0", "a"), ("1", "0", "d"), ("4", "4", "a"),
                                                       ("0", "2", "a")])
def test_12_52_and_who_stands_when_both_sides_would_rout(field, own, theirs, stands):
    f = fight(field)
    at(f.own, own)
    at(f.theirs, theirs)
    results = f.series.results
    f.a.disordered = f.d.disordered = True
    f.roll(("cohesion", 9), ("cohesion", 9))
    results.begin_shock([f.a], [f.d])
    results.disorder(f.a, CAUSE_SHOCK)
    results.disorder(f.d, CAUSE_SHOCK)
    results.end()
    assert (f.a.place == ON_MAP, f.d.place == ON_MAP) == (stands == "a", stands == "d")


@pytest.mark.parametrize(("own", "theirs"), [("0", "3"), ("4", "0"), ("2", "4")])
def test_17_31_the_estimate_of_a_shock_knows_it(field, own, theirs):
    """11.37, 11.45, 17.31: the estimate is the exact chance of check and table with tired troops; nobody fires."""
    f = fight(field)
    f.begin(f.a)
    f.d.ammo = 2
    at(f.own, own)
    at(f.theirs, theirs)
    series = f.series
    drms = series.shock.modifiers(both(f.a, f.d), [])
    table, shaken = f.charts.shock_table, f.charts.shock.defender_disordered
    passing = f.d.cohesion() - f.d.fatigue.half + 1
    total = 0
    again = 10 - (f.d.cohesion_disordered - f.d.fatigue.half + 1)
    for faces, drm, failing in ((passing, drms.total(), 0), (10 - passing, drms.total() + shaken, again)):
        for face in range(10):
            result = table.result(face + drm).defender
            total += faces * (10 if result.retreat > 0 else failing if result.disorder != NO_DISORDER else 0)
    assert series.shock.estimate([f.a], f.d.hex) == pytest.approx(total, abs=1.01)


# -- level 4 (17.32), building (17.34) -------------------------------------------------------------------------------


@pytest.mark.parametrize("orders", [ATTACK, MARCH])
def test_17_32_at_level_4_a_brigade_reverts_to_advance_orders(field, orders):
    f = brigade(field, orders)
    at(f.own, "3")
    f.own.fatigue.activations = 2
    activate(f, back_and_forth(f.first), f.march if orders == MARCH else f.division)
    assert level(f.own) == "4"
    assert [u.orders for u in f.own.units] + [f.own.orders] == [ADVANCE] * 4
    assert [(e.mode, e.result) for e in f.events("orders")] == [("fatigue", "Advance")]
    assert all(unit.heading % 2 == 1 for unit in f.own.units)


@pytest.mark.parametrize("orders", [ATTACK, MARCH])
def test_17_32_it_may_be_given_no_other_orders_until_it_has_rested(field, orders):
    f = brigade(field)
    at(f.own, "4")
    f.series.orders.assignable = [f.own]
    assert f.series.fatigue.forbids_orders(f.own, orders)
    assert not f.series.orders.may_march(f.own)
    with pytest.raises(CommanderError, match=r"17\.32"):
        f.series.orders.assign(f.own, orders)
    f.series.orders.assign(f.own, ADVANCE)
    f.series.fatigue.reduce(f.own.fatigue, 1, "rest")
    assert not f.series.fatigue.forbids_orders(f.own, orders)
    f.series.orders.assign(f.own, orders)
    assert f.own.orders == orders


def test_17_32_nor_does_it_roll_for_them(field):
    f = brigade(field)
    at(f.own, "4")
    activate(f, rest_all)
    assert "change_orders" not in f.asked[UNION]
    at(f.own, "3")
    activate(f, rest_all)
    assert "change_orders" in f.asked[UNION]


def test_17_32_a_defender_reaches_level_4_in_the_enemys_activation(field):
    f = fight(field)
    at(f.theirs, "3")
    f.theirs.fatigue.phases = 1
    assault(f, f.a, f.d, f.division, ("cohesion", 0), ("shock", 2), ("cohesion", 0), ("cohesion", 0))
    assert (level(f.theirs), f.theirs.orders, f.d.orders) == ("4", ADVANCE, ADVANCE)


def test_17_32_17_21_reinforcements_at_level_4_enter_under_advance_orders(field):
    f = field(20, 4)
    own = f.brigade("2/1/U")
    f.leader("Late", None, own)
    late = f.unit("9 IL", None, "W", brigade=own)
    f.reinforcement(1, ["A2002"], [late])
    f.unit("1 TN", "A0101", "E", side=CONFEDERATE)
    f.play(options=ON)
    at(own, "4")
    f.answers[UNION]["reinforcement_orders"] = [ATTACK]
    f.begin_turn(1)
    assert (late.orders, own.orders) == (ADVANCE, ADVANCE)
    assert "reinforcement_orders" not in f.asked[UNION]


@pytest.mark.parametrize(("name", "builds"), [("none", True), ("1", True), ("2", False), ("4", False)])
def test_17_34_from_level_2_on_nobody_builds(field, name, builds):
    f = brigade(field)
    at(f.own, name)
    assert f.series.fatigue.may_build(f.first) is builds


@pytest.mark.parametrize(("name", "gives_up"), [("0", False), ("1", True)])
def test_15_14_15_11_17_34_tired_builders_give_up_what_they_have_begun(field, name, gives_up):
    """15.14, 15.11, 17.34: as soon as another unit of the brigade brings it to level 2."""
    f = brigade(field)
    f.ground("woods", f.first.hex.id)
    f.leader("Division", "A0303", f.battle.divisions[UNION], command_range=20)
    f.leader("Corps", "A0303", f.battle.corps[UNION], command_range=20)
    f.series.command.determine()
    at(f.own, name)
    assert f.series.engineering.may_build(f.first)
    f.battle.works.begin(Site(f.first, f.first.hex, f.first.heading // 2, 9))
    f.own.fatigue.activations = 2
    activate(f, back_and_forth(f.second))
    assert level(f.own) == NUMBERS[NUMBERS.index(name) + 1]
    assert (f.battle.works.sites == []) is gives_up
    assert [event.result for event in f.events("construction")] == (["tired"] if gives_up else [])
    assert f.series.engineering.may_build(f.first) is not gives_up


# -- rest (17.4, 13.45) ----------------------------------------------------------------------------------------------


def test_17_42_13_45_an_idle_brigade_loses_a_level(field):
    f = brigade(field)
    at(f.own, "2")
    f.series.effectiveness.automatic_rally()
    assert level(f.own) == "1"
    assert told(f) == [("rest", "1")]
    assert "rest" not in f.asked[UNION]


@pytest.mark.parametrize(("answer", "after", "disordered"), [(True, "1", True), (False, "2", False)])
def test_17_42_13_45_or_it_rallies_its_disordered_units(field, answer, after, disordered):
    """17.42, 13.45: never both."""
    f = brigade(field)
    at(f.own, "2")
    f.first.disordered = True
    f.answers[UNION]["rest"] = [answer]
    f.series.effectiveness.automatic_rally()
    assert (level(f.own), f.first.disordered) == (after, disordered)


@pytest.mark.parametrize("name", ["none", "OK"])
def test_17_42_17_33_the_level_ok_can_be_rested_off_too(field, name):
    f = brigade(field)
    at(f.own, name)
    f.series.effectiveness.automatic_rally()
    assert level(f.own) == "none"


@pytest.mark.parametrize(
    ("deed", "rests"), [("move", False), ("fire", False), ("shock_target", False), ("turn", True), ("guns", True)]
)
def test_17_42_who_has_acted_does_not_rest(field, deed, rests):
    """17.42: to move, fire and be shocked forbids it, of guns nothing does, nor does a turn that costs nothing."""
    f = brigade(field, enemy="A0603")
    at(f.own, "2")
    f.answers[CONFEDERATE]["return_fire"] = [0]
    if deed == "fire":
        f.roll(("fire", 0))
    deeds = {
        "move": back_and_forth(f.second),
        "fire": lambda series: series.fire.phasing(f.first, [f.enemy.hex], False),
        "shock_target": lambda series: setattr(f.first, "shock_target", True),
        "turn": lambda series: series.facing.turn(f.second, (f.second.heading + 2) % 12),
        "guns": back_and_forth(f.guns),
    }
    activate(f, deeds[deed])
    f.series.effectiveness.automatic_rally()
    assert level(f.own) == ("1" if rests else "2")


def test_17_42_nobody_off_the_map_rests(field):
    f = brigade(field)
    at(f.own, "2")
    for unit in f.own.units:
        f.battle.remove(unit, 1)
    f.series.effectiveness.automatic_rally()
    assert level(f.own) == "2"


def test_17_42_note_2_a_unit_in_no_brigade_tires_and_rests_by_itself(field):
    """17.42, 17.1: it must be within range of its superior to rest."""
    f = field(20, 8)
    corps = f.battle.corps[UNION]
    f.leader("Corps", "A0404", corps, command_range=3)
    escort = f.unit("Escort", "A0404", brigade=corps)
    far = f.unit("Guard", "A1804", brigade=corps)
    f.unit("1 TN", "A0101", "W", side=CONFEDERATE)
    f.play(options=ON)
    escort.fatigue.place(4)
    far.fatigue.place(3)
    assert escort.fatigue is not far.fatigue
    f.series.effectiveness.automatic_rally()
    assert [FATIGUES[unit.fatigue.level] for unit in (escort, far)] == ["1", "1"]
    assert [(event.unit, event.hex) for event in f.events("fatigue")] == [("u/escort", "A0404")]
    escort.turn_acted = True
    f.series.effectiveness.automatic_rally()
    assert FATIGUES[escort.fatigue.level] == "1"


def test_17_42_17_22_two_units_of_one_corps_do_not_tire_each_other(field):
    f = field(20, 8)
    corps = f.battle.corps[UNION]
    f.leader("Corps", "A0404", corps, command_range=3)
    units = [f.unit("Escort", "A0404", brigade=corps), f.unit("Guard", "A0405", brigade=corps)]
    f.play(options=ON)
    for unit in (units[0], units[0], units[0], units[1]):
        f.begin(unit)
        unit.active, unit.moved = True, True
        for other in units:
            other.active = other is unit
        f.series.fatigue.end_activation()
    assert [FATIGUES[unit.fatigue.level] for unit in units] == ["OK", "none"]


def test_17_32_a_unit_in_no_brigade_at_level_4_is_under_advance_orders_whatever_its_command_is(field):
    f = field(20, 8)
    corps = f.battle.corps[UNION]
    corps.orders = ATTACK
    f.leader("Corps", "A0404", corps, command_range=3)
    escort = f.unit("Escort", "A0404", brigade=corps)
    f.play(options=ON)
    escort.fatigue.place(5)
    escort.fatigue.earned = 1
    f.series.fatigue.end_activation()
    assert (escort.orders, corps.orders) == (ADVANCE, ATTACK)
    f.series.orders.catch_up(corps)
    assert escort.orders == ADVANCE
    f.series.fatigue.reduce(escort.fatigue, 1, "rest")
    f.series.orders.catch_up(corps)
    assert escort.orders == ATTACK


def test_17_41_a_turn_in_reserve_takes_two_levels(field):
    f = brigade(field)
    at(f.own, "1")
    f.series.fatigue.rest_in_reserve(f.own)
    assert level(f.own) == "OK"
    f.series.fatigue.rest_in_reserve(f.own)
    assert level(f.own) == "none"
    assert told(f) == [("reserve", "OK"), ("reserve", "none")]
