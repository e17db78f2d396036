"""Chapter 5: initiative, efficiency, the pool of markers, and brigade activation."""

import pytest

from simkit.model.battle import DIVISION_MARKER, MARCH_MARKER, PHASE_COMMANDERS, Marker
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CORPS, DIVISION, MARCH
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError
from simkit.rules.dice import KeyedDice
from simkit.rules.scenario_rules import EVERY_TURN, EfficiencyPool, FixedEfficiency

UNION, CONFEDERATE = 0, 1


def fixed(f, command, number):
    f.series.scenario.fixed.append(FixedEfficiency(command, number, 0, EVERY_TURN))


# -- initiative ------------------------------------------------------------------------------------------------------


def armies(field, faces, rating=0, near=True):
    f = field(20, 4)
    f.leader("Army", "A0202", f.battle.armies[UNION], command_range=5, initiative=rating)
    f.leader("Corps", "A0402" if near else "A1502", f.battle.corps[UNION])
    f.unit("22 IN", "A0402")
    f.unit("1 TN", "A1802", "W", side=CONFEDERATE)
    return f.play([("initiative", face) for face in faces])


@pytest.mark.parametrize(("faces", "holder"), [((5, 4), UNION), ((4, 5), CONFEDERATE), ((5, 5), -1)])
def test_5_11_5_12_the_higher_roll_has_the_initiative(field, faces, holder):
    f = armies(field, faces)
    f.series.activation.determine_initiative()
    assert f.battle.initiative == holder
    assert f.battle.last_initiative == holder


@pytest.mark.parametrize("before", [UNION, CONFEDERATE, -1])
def test_5_11_who_had_it_last_turn_adds_one(field, before):
    f = armies(field, (5, 5))
    f.battle.initiative = before
    f.series.activation.determine_initiative()
    assert f.battle.initiative == before


@pytest.mark.parametrize(
    ("near", "far_moved", "counts"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_5_11_9_32_the_army_commanders_rating_needs_a_corps_in_range_and_a_short_ride(field, near, far_moved, counts):
    """5.11, 9.32, 4.11."""
    f = armies(field, (5, 5), rating=1, near=near)
    f.battle.leaders[0].far_moved = far_moved
    f.series.activation.determine_initiative()
    assert f.battle.initiative == (UNION if counts else -1)


def test_5_11_a_scenario_may_give_the_first_initiative(field):
    f = armies(field, ())
    f.series.scenario.first_initiative = CONFEDERATE
    f.series.activation.determine_initiative()
    assert f.battle.initiative == CONFEDERATE
    f.roll(9, 0)
    f.battle.turn = 1
    f.series.activation.determine_initiative()
    assert f.battle.initiative == UNION


def test_5_13_without_initiative_the_side_that_had_it_last_goes_first(field):
    f = armies(field, (3, 5, 4, 5))
    f.series.activation.determine_initiative()
    assert f.series.activation.first_side() == CONFEDERATE
    f.series.activation.determine_initiative()  # 4 against 5 + 1
    assert f.battle.initiative == CONFEDERATE
    f.roll(6, 5)
    f.series.activation.determine_initiative()
    assert f.battle.initiative == -1
    assert f.series.activation.first_side() == CONFEDERATE


# -- efficiency ------------------------------------------------------------------------------------------------------


def corps_of_three(field, corps_rating=1, activation=(0, 0, 1), near=(False, True, True), efficiency=3):
    """II Corps with three divisions; `near` says whose leader is in the corps commander's range."""
    f = field(30, 6)
    f.divisions = [f.battle.divisions[UNION], f.division("2/U"), f.division("3/U")]
    f.leader("Corps", "A0203", f.battle.corps[UNION], command_range=5, efficiency=corps_rating)
    for number, division in enumerate(f.divisions):
        place = f"A0{number + 3}03" if near[number] else f"A2{number}03"
        f.leader(f"Division {number + 1}", place, division, activation=activation[number])
        brigade = f.battle.brigades[UNION] if number == 0 else f.brigade(f"1/{number + 1}/U", division=division)
        f.unit(f"{number} IL", place, brigade=brigade)
    f.unit("1 TN", "A3006", "W", side=CONFEDERATE)
    f.play()
    fixed(f, f.battle.corps[UNION], efficiency)
    fixed(f, f.battle.divisions[CONFEDERATE], 2)
    f.series.command.determine()
    return f


def markers(f):
    f.series.activation.determine_efficiency()
    return [division.markers for division in f.divisions]


def test_example_5_23_markers_of_the_divisions_of_a_corps(field):
    """5.23, 5.24, 4.12, 4.13, dead-of-winter:400, gringo:331."""
    f = corps_of_three(field)
    f.answers[UNION]["corps_bonus"] = [0]  # of those in range, 2/II and 3/II
    assert markers(f) == [2, 4, 4]


@pytest.mark.parametrize(
    ("efficiency", "corps_rating", "activation", "near", "bonus", "expected"),
    [
        (3, 0, (0, 0, 0), (True, True, True), [], [3, 3, 3]),
        (3, -1, (0, 0, 1), (True, True, True), [], [2, 2, 3]),
        (3, -1, (0, 0, 0), (False, True, True), [], [2, 2, 2]),
        (1, 0, (0, 0, 0), (False, True, True), [], [1, 1, 1]),
        (4, 1, (1, 1, 1), (True, True, True), [0], [4, 4, 4]),
        (4, 0, (1, 0, 0), (False, True, True), [], [3, 4, 4]),
        (2, 2, (0, 0, 0), (True, True, True), [1, 1], [2, 4, 2]),
        (2, 2, (0, 0, 0), (True, True, True), [0, 2], [3, 2, 3]),
        (2, 2, (0, 0, 0), (True, True, True), [0, -1], [3, 2, 2]),
        (2, 0, (-1, 0, 0), (True, True, True), [], [1, 2, 2]),
    ],
)
def test_5_23_5_24_5_25_ratings_ranges_and_bounds(
    field, efficiency, corps_rating, activation, near, bonus, expected
):
    f = corps_of_three(field, corps_rating, activation, near, efficiency)
    f.answers[UNION]["corps_bonus"] = bonus
    assert markers(f) == expected


def test_13_32_an_ineffective_division_has_two_markers_at_most(field):
    f = corps_of_three(field, near=(True, True, True))
    f.divisions[1].ineffective = True
    f.answers[UNION]["corps_bonus"] = [0]
    assert markers(f) == [4, 2, 4]


def test_5_24_a_scenario_may_fix_a_divisions_markers(field):
    f = corps_of_three(field)
    fixed(f, f.divisions[0], 4)
    assert markers(f)[0] == 4
    f.divisions[0].ineffective = True
    assert markers(f)[0] == 2


@pytest.mark.parametrize(
    ("rating", "near", "answers", "expected"),
    [(1, True, [0], 3), (2, True, [0], 3), (1, True, [-1], 2), (0, True, [0], 2), (1, False, [0], 2)],
)
def test_5_22_the_army_commander_raises_a_corps_in_his_range_once(field, rating, near, answers, expected):
    f = field(30, 6)
    f.divisions = [f.battle.divisions[UNION]]
    f.leader("Army", "A0103", f.battle.armies[UNION], command_range=3, initiative=rating)
    f.leader("Corps", "A0303" if near else "A0903", f.battle.corps[UNION], command_range=10)
    f.leader("Division", "A0503", f.divisions[0])
    f.unit("22 IN", "A0503")
    f.play()
    fixed(f, f.battle.corps[UNION], 2)
    f.answers[UNION]["army_bonus"] = answers
    f.series.command.determine()
    assert markers(f) == [expected]


def test_5_22_efficiency_never_ends_above_four(field):
    """5.22: with the Initiative Rating of 4.11."""
    f = corps_of_three(field, corps_rating=0, activation=(0, 0, 0), near=(True, True, True), efficiency=4)
    f.leader("Army", "A0203", f.battle.armies[UNION], command_range=3, initiative=1)
    f.series.command.determine()
    numbers = [4]
    f.series.activation.army_bonus(UNION, [f.battle.corps[UNION]], numbers)
    assert "army_bonus" in f.asked[UNION]
    assert numbers == [4]


def many_corps(field, count, pool):
    f = field(30, 6)
    f.heads = []
    battle = f.battle
    for number in range(count):
        corps, division, brigade = battle.corps[UNION], battle.divisions[UNION], battle.brigades[UNION]
        if number > 0:
            corps = f._command(f"C{number}", UNION, CORPS, battle.armies[UNION], battle.corps)
            division = f._command(f"1/C{number}", UNION, DIVISION, corps, battle.divisions)
            brigade = f.brigade(f"1/1/C{number}", division=division)
        f.unit(f"{number} IL", f"A0{number + 1}03", brigade=brigade)
        f.heads.append(corps)
    f.play()
    f.series.scenario.pools.append(EfficiencyPool(UNION, pool, 0, EVERY_TURN))
    return f


def test_5_21_markers_are_drawn_without_putting_any_back(field):
    f = many_corps(field, 4, [1, 2, 2, 4])
    for run in range(40):
        dice = KeyedDice(1, 2)
        dice.begin(run)
        f.series.dice = dice
        assert sorted(f.series.activation.draw_efficiency(UNION, f.heads)) == [1, 2, 2, 4]


def test_5_21_each_marker_is_as_likely_for_each_corps(field):
    f = many_corps(field, 2, [1, 2, 3])
    dice = KeyedDice(1, 2)
    f.series.dice = dice
    seen = {}
    for run in range(1800):
        dice.begin(run)
        drawn = tuple(f.series.activation.draw_efficiency(UNION, f.heads))
        seen[drawn] = seen.get(drawn, 0) + 1
    assert len(seen) == 6
    assert all(230 < count < 370 for count in seen.values())  # 300 each, give or take 4.4 standard deviations


def test_5_21_a_corps_more_leaves_the_draws_before_it_alone(field):
    few, more = many_corps(field, 2, [1, 2, 3, 4]), many_corps(field, 3, [1, 2, 3, 4])
    for run in range(20):
        drawn = []
        for f in (few, more):
            dice = KeyedDice(1, 2)
            dice.begin(run)
            f.series.dice = dice
            drawn.append(f.series.activation.draw_efficiency(UNION, f.heads))
        assert drawn[1][:2] == drawn[0]


def test_5_21_only_corps_with_units_on_the_map_draw(field):
    f = many_corps(field, 3, [1, 2])
    f.battle.remove(f.heads[1].subordinates[0].subordinates[0].units[0], 1)
    f.series.command.determine()
    f.series.activation.efficiency_of(UNION)
    assert [d.markers > 0 for d in f.battle.divisions if d.side == UNION] == [True, False, True]


def test_5_21_a_pool_too_small_is_found_before_play(field):
    f = many_corps(field, 3, [1, 2])
    with pytest.raises(ValueError, match="2 efficiency markers for 3"):
        f.series.scenario.check(f.battle)


# -- the pool --------------------------------------------------------------------------------------------------------


def two_divisions(field, union=2, confederate=1, orders=None):
    f = field(30, 8)
    f.second = f.division("2/U")
    f.leader("Corps", "A0202", f.battle.corps[UNION], command_range=20)
    for number, division in enumerate((f.battle.divisions[UNION], f.second)):
        f.leader(f"Division {number}", "A0302", division, command_range=20)
        brigade = f.battle.brigades[UNION] if number == 0 else f.brigade("1/2/U", division=division)
        f.leader(f"Brigade {number}", f"A040{number + 2}", brigade, command_range=20)
        f.unit(f"{number} IL", f"A040{number + 2}", brigade=brigade)
    f.unit("1 TN", "A2804", "W", side=CONFEDERATE)
    f.play(orders=orders)
    f.series.command.determine()
    for division in f.battle.divisions:
        division.markers = union if division.side == UNION else confederate
    return f


def drawn(f):
    found = []
    marker = f.series.activation.draw()
    while marker is not None:
        found.append((marker.command.code, marker.number))
        marker = f.series.activation.draw()
    return found


def test_5_31_markers_come_out_in_the_order_of_their_keyed_numbers_until_none_is_left(field):
    """5.31; when none is left the segment is over (5.5)."""
    f = two_divisions(field, orders=[50, 10, 20, 40, 30])
    f.series.activation.fill_pool()
    # asked for in the order 1/U 0, 1/U 1, 1/C 0, 2/U 0, 2/U 1
    assert drawn(f) == [("1/U", 1), ("1/C", 0), ("2/U", 1), ("2/U", 0), ("1/U", 0)]
    assert f.battle.pool == []


def test_5_31_a_marker_more_leaves_the_others_in_their_order(field):
    sequences = []
    for union in (2, 3):
        f = two_divisions(field, union=union)
        f.series.dice = KeyedDice(5, 6)
        f.series.activation.fill_pool()
        sequences.append([marker for marker in drawn(f) if marker[1] < 2])
    assert sequences[0] == sequences[1]


def test_5_31_a_side_may_put_in_fewer_markers(field):
    f = two_divisions(field, union=3)
    f.answers[UNION]["fewer_markers"] = [1, 3]
    f.series.activation.fill_pool()
    assert sorted(code for code, _ in drawn(f)) == ["1/C", "1/U", "2/U", "2/U", "2/U"]
    f.answers[UNION]["fewer_markers"] = [4]
    with pytest.raises(CommanderError, match="fewer_markers"):
        f.series.activation.fill_pool()


def test_5_13_the_side_with_the_initiative_picks_the_first_marker_which_stays_out_of_the_pool(field):
    f = two_divisions(field)
    f.battle.initiative = UNION
    f.series.activation.fill_pool()
    f.answers[UNION]["first_marker"] = [1]
    marker = f.series.activation.choose_first()
    assert marker.command.code == "2/U"
    assert sorted(code for code, _ in drawn(f)) == ["1/C", "1/U", "1/U", "2/U"]


def test_5_12_without_initiative_all_markers_go_into_the_pool(field):
    f = two_divisions(field)
    f.battle.initiative = -1
    f.series.activation.fill_pool()
    assert f.series.activation.choose_first() is None
    assert len(drawn(f)) == 5


def test_5_13_5_31_the_march_marker_is_in_the_pool_if_somebody_marches_and_may_come_first(field):
    f = two_divisions(field)
    f.battle.initiative = UNION
    f.battle.units[0].orders = MARCH
    f.series.activation.fill_pool()
    assert [marker.side for marker in f.battle.pool if marker.kind == MARCH_MARKER] == [UNION]
    f.answers[UNION]["first_marker"] = [lambda series, divisions: len(divisions) - 1]
    assert f.series.activation.choose_first().kind == MARCH_MARKER


# -- brigades --------------------------------------------------------------------------------------------------------


def division_of(field, brigades=3, faces=(), coordination=0, near=None, **more):
    """A division whose brigades stand well apart; `near` names those whose leader is in range (all if None)."""
    f = field(40, 12)
    f.own = f.battle.divisions[UNION]
    f.leader("Corps", "A0206", f.battle.corps[UNION], command_range=40)
    f.leader("Smith", "A0306", f.own, command_range=8, coordination=coordination)
    f.brigades = []
    for number in range(brigades):
        brigade = f.battle.brigades[UNION] if number == 0 else f.brigade(f"{number + 1}/1/U")
        place = f"A0{number + 4}0{number * 2 + 1}" if near is None or number in near else f"A2{number}06"
        f.leader(f"Brigade {number + 1}", place, brigade, command_range=10)
        f.unit(f"{number}1 IL", place, brigade=brigade)
        f.unit(f"{number}2 IL", place, brigade=brigade)
        f.brigades.append(brigade)
    f.unit("1 TN", "A4006", "W", side=CONFEDERATE)
    f.play(list(faces))
    f.series.command.determine()
    return f


def marker_of(f, number=0):
    return Marker(DIVISION_MARKER, UNION, f.own, number)


def play_markers(f, count):
    """Give the division `count` markers and play them; the codes that were activated on each."""
    f.own.markers = count
    f.battle.divisions[CONFEDERATE].markers = 0
    f.series.activation.begin_turn()
    f.series.activation.fill_pool()
    found = []
    marker = f.series.activation.draw()
    while marker is not None:
        before = len(f.events("activation"))
        f.series.activation.activate(marker)
        found.append([event.unit for event in f.events("activation")[before:]])
        marker = f.series.activation.draw()
    return found


def test_example_5_32_each_brigade_completes_its_actions_before_the_next(field):
    """5.32, dead-of-winter:437, gringo:368: of three brigades the player acts with the second first, then the first."""
    f = division_of(field)
    for unit in f.battle.units[:6]:
        unit.disordered = unit.name.endswith("2 IL")
    f.roll(*[("rally", 0)] * 3)

    def act(series, brigades):
        for brigade in brigades:
            first, second = brigade.units
            series.movement.search(first)
            node = next(n for n in series.movement.reached if n.by >= 0 and series.movement.may_stop(n))
            series.movement.move(first, node, node.heading)
            series.effectiveness.rally(second)

    f.answers[UNION]["act"] = [act] * 3
    f.answers[UNION]["next_brigade"] = [1, 0]
    f.series.activation.activate(marker_of(f))
    assert [event.unit for event in f.events("activation")] == ["2/1/U", "1/1/U", "3/1/U"]
    story = [event.unit[:3] for event in f.events("move", "rally")]
    assert story == ["u/1", "u/1", "u/0", "u/0", "u/2", "u/2"]
    asked = [name for name in f.asked[UNION] if name in ("act", "shocks", "next_brigade")]
    assert asked == ["next_brigade", "act", "shocks", "next_brigade", "act", "shocks", "act", "shocks"]


def test_example_5_33_units_of_a_brigade_do_different_things(field):
    """5.33, 3.0 III/C/3, dead-of-winter:441: under Advance Orders one rallies, others move or fire, none both.

    The regiment of the example that builds breastworks needs engineering.
    """
    f = field(12, 6)
    shaken = f.unit("1 IL", "A0202", disordered=True)
    mover = f.unit("2 IL", "A0204")
    firer = f.unit("3 IL", "A0503")
    f.unit("1 TN", "A0603", "W", side=CONFEDERATE, cohesion=9)
    f.play([("rally", 2), ("fire", 0)])
    tried = []

    def act(series, brigades):
        assert series.effectiveness.may_rally(shaken)
        series.effectiveness.rally(shaken)
        tried.append(series.movement.may_move(shaken))
        series.movement.search(mover)
        node = next(n for n in series.movement.reached if n.by >= 0 and series.movement.may_stop(n))
        series.movement.move(mover, node, node.heading)
        tried.append(series.orders.may_fire_phasing(mover))
        tried.append(series.fire.may_fire(firer))
        series.fire.phasing(firer, series.fire.targets(firer), False, False)
        tried.append(series.movement.may_move(firer))

    f.answers[UNION]["act"] = [act]
    f.answers[CONFEDERATE]["return_fire"] = [0]
    f.battle.phasing = UNION
    f.series.activation.brigade([f.battle.brigades[UNION]])
    assert not shaken.disordered
    assert mover.hex.id != "A0204"
    assert f.battle.fires[UNION] == 1
    assert tried == [False, False, True, False]


def test_example_5_26_a_brigade_out_of_range_lets_one_marker_pass_of_its_owners_choice(field):
    """5.26, 5.36, dead-of-winter:412: of three markers the player lets the second pass for 1/1/I."""
    f = division_of(field, near=(1, 2))
    f.answers[UNION]["let_pass"] = [False, True]
    assert play_markers(f, 3) == [["1/1/U", "2/1/U", "3/1/U"], ["2/1/U", "3/1/U"], ["1/1/U", "2/1/U", "3/1/U"]]


def test_5_26_the_last_marker_passes_by_if_none_has_before(field):
    f = division_of(field, near=(1, 2))
    f.answers[UNION]["let_pass"] = [False, False]
    assert [codes[0] for codes in play_markers(f, 3)] == ["1/1/U", "1/1/U", "2/1/U"]


def test_5_27_a_brigade_acts_once_at_least(field):
    f = division_of(field, near=(1, 2))
    assert play_markers(f, 1) == [["1/1/U", "2/1/U", "3/1/U"]]


def test_13_23_an_ineffective_brigade_acts_twice_at_most(field):
    f = division_of(field)
    f.brigades[0].ineffective = True
    assert ["1/1/U" in codes for codes in play_markers(f, 4)] == [False, False, True, True]
    assert f.brigades[0].activations == 2


@pytest.mark.parametrize(("ineffective", "acted", "left"), [
    (False, 0, 4), (False, 2, 2), (False, 4, 0), (True, 0, 4), (True, 1, 1), (True, 2, 0)
])
def test_13_23_4_23_5_28_who_takes_up_the_march_after_he_has_acted_has_what_is_left(field, ineffective, acted, left):
    """A straggler that acts on its division's four markers, then rejoins its brigade when the March marker comes."""
    f = division_of(field, brigades=1)
    brigade = f.brigades[0]
    brigade.orders = MARCH
    brigade.ineffective = ineffective
    stray, *others = brigade.units
    for unit in others:
        unit.orders, unit.heading = MARCH, 2
    division = f.battle.divisions[UNION]
    division.markers = 4
    f.series.activation.allow(division, 4)
    stray.activations = acted
    worth = []
    f.answers[UNION]["act"] = [lambda series, brigades: worth.append(stray.equivalents if stray.active else 0)]
    f.series.activation.activate(Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0))
    assert stray.orders == MARCH
    assert worth == [left]
    assert [fault for fault in audit(f.battle) if "13.23" in fault] == []


def test_5_36_a_unit_out_of_command_acts_once_less_than_its_division(field):
    f = division_of(field, brigades=1)
    stray = f.unit("stray", "A3006")
    f.series.command.determine()
    counted = []
    f.answers[UNION]["act"] = [lambda series, brigades: counted.append(stray.active)] * 3
    f.answers[UNION]["let_unit_pass"] = [False, True]
    play_markers(f, 3)
    assert counted == [True, False, True]
    assert (stray.activations, f.brigades[0].units[0].activations) == (2, 3)


def test_5_36_it_acts_once_at_least(field):
    f = division_of(field, brigades=1)
    stray = f.unit("stray", "A3006")
    f.series.command.determine()
    play_markers(f, 1)
    assert stray.activations == 1


def test_5_33_4_32_a_brigade_may_take_along_one_battery_of_its_division_for_a_turn(field):
    f = division_of(field, brigades=2)
    battery = f.unit("Bty", "A0408", kind=ARTILLERY, brigade=f.own)
    f.unit("Bty 2", "A0409", kind=ARTILLERY, brigade=f.own)
    f.series.command.determine()
    active = []
    f.answers[UNION]["attach"] = [lambda series, brigade, batteries: batteries.index(battery), -1]
    f.answers[UNION]["act"] = [lambda series, brigades: active.append([u.name for u in f.battle.units if u.active])] * 6
    f.series.activation.attach(UNION)
    for number in range(2):
        f.series.activation.activate(marker_of(f, number))
    assert active == [["01 IL", "02 IL", "Bty"], ["11 IL", "12 IL"], ["Bty 2"]] * 2
    f.series.activation.begin_turn()
    assert battery.attached < 0


def test_4_32_5_36_an_attached_battery_out_of_its_leaders_range_acts_once_less(field):
    f = division_of(field, brigades=2)
    battery = f.unit("Bty", "A3006", kind=ARTILLERY, brigade=f.own)
    f.series.command.determine()
    assert not battery.in_command
    f.series.activation.begin_turn()
    f.answers[UNION]["attach"] = [0]
    f.series.activation.attach(UNION)
    assert f.asked[UNION].count("attach") == 1  # none is left for the second brigade
    f.own.markers = 3
    f.battle.divisions[CONFEDERATE].markers = 0
    f.series.activation.fill_pool()
    marker = f.series.activation.draw()
    while marker is not None:
        f.series.activation.activate(marker)
        marker = f.series.activation.draw()
    assert (battery.activations, f.brigades[0].activations) == (2, 3)


def test_4_32_5_34_confusion_holds_for_an_attached_battery(field):
    f = division_of(field, brigades=2, faces=[("coordination", 0)])
    battery = f.unit("Bty", "A0408", kind=ARTILLERY, brigade=f.own)
    f.series.command.determine()
    f.answers[UNION]["attach"] = [0]
    f.answers[UNION]["coordinate"] = [True]
    seen = []

    def act(series, brigades):
        if battery.active:
            seen.append((series.movement.may_move(battery), series.orders.may_fire_phasing(battery)))

    f.answers[UNION]["act"] = [act] * 3
    f.series.activation.attach(UNION)
    f.series.activation.activate(marker_of(f))
    assert seen == [(False, False)]


# -- coordination ----------------------------------------------------------------------------------------------------


def test_example_5_34_two_brigades_act_as_one(field):
    """5.34, 4.13, dead-of-winter:463: rating 2 and a roll of 6: two brigades of the player's choice act as one."""
    f = division_of(field, faces=[("coordination", 6)], coordination=2)
    f.answers[UNION]["coordinate"] = [True]
    f.answers[UNION]["coordinated"] = [lambda series, division, brigades, most: [brigades[0], brigades[2]]]
    acted = []
    f.answers[UNION]["act"] = [lambda series, brigades: acted.append([b.code for b in brigades])] * 2
    f.answers[UNION]["next_brigade"] = [1, 0]
    f.series.activation.activate(marker_of(f))
    assert acted == [["2/1/U"], ["1/1/U", "3/1/U"]]
    event = f.events("coordination")[0]
    assert (event.roll, event.adjusted, event.result) == (6, 8, "2 brigades")


@pytest.mark.parametrize(
    ("die", "rating", "groups", "confused"),
    [(0, 0, 4, True), (2, 0, 4, True), (3, 0, 4, False), (6, 0, 4, False), (7, 0, 3, False), (9, 0, 3, False),
     (8, 2, 2, False), (9, 2, 2, False), (9, 3, 1, False)],
)  # fmt: skip
def test_5_34_the_coordination_table(field, die, rating, groups, confused):
    f = division_of(field, brigades=4, faces=[("coordination", die)], coordination=rating)
    f.answers[UNION]["coordinate"] = [True]
    acted = []

    def act(series, brigades):
        unit = brigades[0].units[0]
        orders = series.orders
        acted.append((series.movement.may_move(unit), orders.may_fire_phasing(unit), orders.may_shock(unit)))

    f.answers[UNION]["act"] = [act] * 4
    f.series.activation.activate(marker_of(f))
    assert len(acted) == groups
    assert acted[0] == (not confused, not confused, not confused)


def test_5_34_confusion_lets_units_rally_and_turn_a_vertex_and_ends_with_the_marker(field):
    f = division_of(field, faces=[("coordination", 1), ("rally", 0)])
    f.answers[UNION]["coordinate"] = [True]
    unit = f.brigades[0].units[0]
    other = f.brigades[1].units[0]
    unit.disordered = True
    seen = []

    def act(series, brigades):
        if unit in brigades[0].units:
            seen.append(series.effectiveness.rally(unit))
        if other in brigades[0].units:
            seen.append(series.facing.may_turn(other, (other.heading + 2) % 12))
            seen.append(series.facing.may_turn(other, (other.heading + 4) % 12))

    f.answers[UNION]["act"] = [act] * 3
    f.series.activation.activate(marker_of(f))
    assert seen == [True, True, False]
    assert not f.brigades[0].confused


def test_5_34_brigades_out_of_range_are_neither_coordinated_nor_confused(field):
    f = division_of(field, faces=[("coordination", 0)], near=(0, 1))
    offered = []
    f.answers[UNION]["coordinate"] = [lambda series, division, found: offered.extend(b.code for b in found) or True]
    free = []
    f.answers[UNION]["act"] = [lambda series, brigades: free.append((brigades[0].code, not brigades[0].confused))] * 3
    f.series.activation.activate(marker_of(f))
    assert offered == ["1/1/U", "2/1/U"]
    assert dict(free) == {"1/1/U": False, "2/1/U": False, "3/1/U": True}


@pytest.mark.parametrize("why", ["ineffective", "leaderless", "alone"])
def test_5_34_13_32_who_may_not_coordinate(field, why):
    f = division_of(field, near=(0,) if why == "alone" else None)
    f.own.ineffective = why == "ineffective"
    if why == "leaderless":
        f.series.results.kill(f.own.leader(), "test")
    f.series.activation.activate(marker_of(f))
    assert "coordinate" not in f.asked[UNION]


@pytest.mark.parametrize("answer", ["many", "twice", "foreign"])
def test_5_34_an_answer_outside_the_offer_is_refused(field, answer):
    f = division_of(field, faces=[("coordination", 7)])
    f.answers[UNION]["coordinate"] = [True]
    chosen = {
        "many": f.brigades, "twice": [f.brigades[0]] * 2, "foreign": [f.brigades[0], f.battle.brigades[CONFEDERATE]],
    }[answer]
    f.answers[UNION]["coordinated"] = [list(chosen)]
    with pytest.raises(CommanderError, match=r"Commander\.coordinated"):
        f.series.activation.activate(marker_of(f))


# -- March Orders ----------------------------------------------------------------------------------------------------


def marching(field):
    f = field(40, 8)
    f.own = f.battle.brigades[UNION]
    f.own.orders = MARCH
    f.leader("Brigade", "A0303", command_range=10)
    f.walker = f.unit("1 IL", "A0303", "NE")
    f.other = f.brigade("2/1/U")
    f.leader("Other", "A0306", f.other, command_range=10)
    f.stander = f.unit("2 IL", "A0306", brigade=f.other)
    f.unit("1 TN", "A4006", "W", side=CONFEDERATE)
    f.play()
    f.series.command.determine()
    f.march = Marker(MARCH_MARKER, UNION, f.battle.armies[UNION], 0)
    f.division = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 0)
    return f


def test_5_35_units_on_the_march_act_on_the_march_marker_only(field):
    f = marching(field)
    f.series.activation.activate(f.division)
    assert [e.unit for e in f.events("activation")] == ["2/1/U"]
    f.series.activation.activate(f.march)
    assert [e.unit for e in f.events("activation")] == ["2/1/U", "1/1/U"]
    assert f.asked[UNION].count("shocks") == 1


@pytest.mark.parametrize(("march_limit", "limit", "worth"), [(4, -1, 4), (2, -1, 2), (4, 1, 1)])
def test_5_35_5_28_the_march_is_worth_up_to_four_activations(field, march_limit, limit, worth):
    f = marching(field)
    f.own.march_limit = march_limit
    for unit in f.own.units:
        unit.limit = limit
    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append(series.movement.allowance(f.walker))]
    f.series.activation.activate(f.march)
    assert seen == [worth * 2 * 6]


def test_9_31_6_19_leaders_of_commands_on_the_march_move_on_the_march_marker(field):
    f = marching(field)
    seen = []
    brigadier, other = f.battle.leaders
    f.answers[UNION]["act"] = [
        lambda series, brigades: seen.append([series.movement.leader_may_move(x) for x in (brigadier, other)])
    ] * 2
    f.series.activation.activate(f.division)
    f.series.activation.activate(f.march)
    assert seen == [[False, True], [True, False]]


def test_6_25_a_brigade_that_leaves_the_march_uses_its_divisions_markers_a_straggler_does_not(field):
    f = marching(field)
    straggler = f.unit("3 IL", "A2503", "NE")
    f.answers[UNION]["change_orders"] = [ADVANCE]
    f.roll(("orders", 6))
    active = []
    f.answers[UNION]["act"] = [lambda series, brigades: active.append([u.name for u in f.battle.units if u.active])] * 4
    f.series.activation.activate(f.march)
    f.series.activation.activate(f.division)
    assert straggler.orders == MARCH
    assert active == [["3 IL"], ["1 IL"], ["2 IL"]]


def test_6_25_change_and_stand_on_the_march_holds_for_the_first_division_marker(field):
    f = marching(field)
    f.answers[UNION]["change_orders"] = [ADVANCE]
    f.roll(("orders", 5))
    moves = []
    f.answers[UNION]["act"] = [
        lambda series, brigades: moves.append(series.movement.may_move(f.walker)) if f.walker.active else None
    ] * 4
    f.series.activation.activate(f.march)
    f.series.activation.activate(f.division)
    f.series.activation.activate(f.division)
    assert moves == [False, True]


def test_6_26_a_brigade_attacked_after_its_march_does_not_act_again_this_turn(field):
    f = marching(field)
    f.series.activation.activate(f.march)
    f.walker.fired_at = True
    f.series.orders.under_attack(f.own)
    assert f.walker.orders == ADVANCE
    active = []
    f.answers[UNION]["act"] = [lambda series, brigades: active.append([u.name for u in f.battle.units if u.active])] * 2
    f.series.activation.activate(f.division)
    assert active == [[], ["2 IL"]]  # its leader may ride (9.31)


def test_6_26_before_its_march_marker_it_acts_with_its_division(field):
    f = marching(field)
    f.walker.fired_at = True
    f.series.orders.under_attack(f.own)
    f.series.activation.activate(f.division)
    assert [e.unit for e in f.events("activation")] == ["1/1/U", "2/1/U"]


# -- who activates what ----------------------------------------------------------------------------------------------


def test_5_32_4_33_units_directly_under_a_corps_act_with_the_division_that_the_scenario_names(field):
    f = division_of(field, brigades=1)
    escort = f.unit("Escort", "A0310", brigade=f.battle.corps[UNION])
    assert f.series.activation.marker_division(f.battle.corps[UNION]) is f.own
    other = f.division("2/U")
    f.battle.corps[UNION].acts_with = other
    assert f.series.activation.marker_division(f.battle.corps[UNION]) is other
    f.battle.corps[UNION].acts_with = f.own
    f.series.command.determine()
    f.series.activation.activate(marker_of(f))
    assert [e.unit for e in f.events("activation")] == ["1/1/U", "U"]
    assert escort.activations == 1


def test_5_32_a_brigade_placed_under_another_division_acts_with_that(field):
    f = division_of(field, brigades=1)
    other = f.division("2/U")
    moved = f.brigade("1/2/U", division=other)
    f.unit("71 IL", "A0710", brigade=moved)
    moved.superior = f.own
    f.battle.ready()
    assert f.series.activation.marker_division(moved) is f.own
    assert f.series.activation.groups(f.own) == [f.brigades[0], moved]
    assert f.series.activation.groups(other) == []


def test_5_32_a_brigade_without_units_on_the_map_is_not_activated(field):
    f = division_of(field, brigades=2)
    for unit in f.brigades[0].units:
        f.battle.remove(unit, 1)
    f.series.activation.activate(marker_of(f))
    assert [e.unit for e in f.events("activation")] == ["2/1/U"]


@pytest.mark.parametrize("answer", [-1, 3])
def test_5_32_next_brigade_must_be_one_of_those_offered(field, answer):
    f = division_of(field)
    f.answers[UNION]["next_brigade"] = [answer]
    with pytest.raises(CommanderError, match="next_brigade"):
        f.series.activation.activate(marker_of(f))


def test_9_31_9_32_when_leaders_may_move(field):
    f = division_of(field, brigades=2)
    corps, division, first, second = f.battle.leaders[:4]
    may_move = f.series.movement.leader_may_move
    seen = []
    f.answers[UNION]["act"] = [
        lambda series, brigades: seen.append([may_move(x) for x in (corps, division, first, second)])
    ]
    f.series.activation.activate(marker_of(f))
    assert seen == [[False, True, True, False]]
    assert not may_move(first)
    f.battle.phase = PHASE_COMMANDERS
    assert may_move(corps)
    corps.moved = True
    assert not may_move(corps)


def test_10_61_guns_that_begin_beneath_others_are_marked(field):
    f = division_of(field, brigades=1)
    guns = f.unit("Bty", "A0401", kind=ARTILLERY)
    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append((guns.under_others, guns.stood_adjacent))]
    f.series.activation.activate(marker_of(f))
    assert seen == [(True, False)]


def test_a_unit_under_attack_orders_stays_so_through_activations(field):
    f = division_of(field, brigades=1)
    f.brigades[0].orders = ATTACK
    f.series.activation.activate(marker_of(f))
    assert {u.orders for u in f.brigades[0].units} == {ATTACK}


def test_4_31_all_batteries_of_an_artillery_brigade_act_with_their_leader(field):
    f = division_of(field, brigades=1)
    artillery = f.brigade("Art/1/U")
    f.leader("Chief", "A0408", artillery, command_range=10)
    batteries = [f.unit(f"Bty {n}", f"A040{n + 7}", kind=ARTILLERY, brigade=artillery) for n in range(3)]
    f.battle.ready()
    f.series.command.determine()
    seen = []

    def act(series, brigades):
        if brigades == [artillery]:
            seen.extend(series.movement.may_move(one) for one in batteries)

    f.answers[UNION]["act"] = [act] * 2
    f.series.activation.activate(marker_of(f))
    assert [e.unit for e in f.events("activation")] == ["1/1/U", "Art/1/U"]
    assert seen == [True, True, True]


def test_4_34_of_dead_of_winter_a_battery_acts_with_the_brigade_that_it_belongs_to(field):
    f = division_of(field, brigades=2)
    battery = f.unit("Bty", "A0402", kind=ARTILLERY, brigade=f.brigades[1])
    f.series.command.determine()
    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append((brigades[0].code, battery.active))] * 2
    f.series.activation.activate(marker_of(f))
    assert seen == [("1/1/U", False), ("2/1/U", True)]
    assert "attach" not in f.asked[UNION]


def test_5_34_in_confusion_a_vertex_may_be_turned_in_woods_too_but_no_stack_reordered(field):
    f = division_of(field, faces=[("coordination", 1)])
    unit, mate = f.brigades[0].units
    f.ground("woods", unit.hex.id)
    f.answers[UNION]["coordinate"] = [True]
    seen = []

    def act(series, brigades):
        if unit in brigades[0].units:
            unit.orders = mate.orders = ATTACK
            assert unit.hex is mate.hex
            seen.append(series.stacking.may_reorder(unit))
            seen.append(series.facing.may_turn(unit, (unit.heading + 2) % 12))
            series.facing.turn(unit, (unit.heading + 2) % 12)
            seen.append(series.facing.may_turn(unit, (unit.heading + 2) % 12))

    f.answers[UNION]["act"] = [act] * 3
    f.series.activation.activate(marker_of(f))
    assert seen == [False, True, False]


def test_9_31_a_division_leader_rides_on_the_march_marker_with_a_brigadier_now_in_his_range(field):
    f = marching(field)
    leader = f.leader("Division", "A0603", f.battle.divisions[UNION], command_range=5)
    f.series.command.determine()
    seen = []

    def act(series, brigades):
        seen.append(series.movement.leader_may_move(leader))
        f.battle.stand_leader(leader, f.hex("A3003"))
        seen.append(series.movement.leader_may_move(leader))

    f.answers[UNION]["act"] = [act]
    f.series.activation.activate(f.march)
    assert seen == [True, False]


def out_of_reach(field, orders=ADVANCE):
    """A brigadier whose brigade has left the march without its one regiment, sixty hexes off."""
    f = marching(field)
    f.own.orders = orders
    f.battle.stand_leader(f.own.leader(), f.hex("A3003"))
    f.walker.orders = MARCH
    return f


def test_9_31_5_32_a_brigadier_rides_on_his_divisions_marker_though_all_his_units_are_on_the_march(field):
    f = out_of_reach(field)
    brigadier = f.own.leader()
    seen = []

    def act(series, brigades):
        seen.append((brigades[0].code, series.movement.leader_may_move(brigadier), f.walker.active))
        if brigades[0] is f.own:
            series.movement.move_leader(brigadier, f.hex("A2103"))

    f.answers[UNION]["act"] = [act] * 2
    f.series.activation.activate(f.division)
    assert seen == [("1/1/U", True, False), ("2/1/U", False, False)]
    assert brigadier.hex is f.hex("A2103")


def test_9_31_4_23_his_units_take_his_orders_when_he_has_reached_them_and_they_activate_again(field):
    f = out_of_reach(field)
    f.answers[UNION]["act"] = [
        lambda series, brigades: series.movement.move_leader(f.own.leader(), f.hex("A2103"))
    ] + [lambda series, brigades: None] * 3
    f.own.leader().front.command_range = 20
    f.series.activation.activate(f.division)
    assert f.walker.orders == MARCH
    f.series.activation.activate(f.division)
    assert f.walker.orders == ADVANCE
    assert f.walker.activations == 1


@pytest.mark.parametrize("why", ["reserve", "fallen", "picked", "march"])
def test_9_31_6_19_6_32_whose_leader_does_not_ride_is_not_activated_without_units(field, why):
    f = out_of_reach(field, MARCH if why == "march" else ADVANCE)
    f.own.in_reserve = why == "reserve"
    if why == "fallen":
        f.series.results.kill(f.own.leader(), "test")
    marker = f.division
    if why == "picked":
        marker = Marker(DIVISION_MARKER, UNION, f.battle.divisions[UNION], 4)
    f.series.activation.activate(marker)
    assert "1/1/U" not in [e.unit for e in f.events("activation")]


def test_9_31_6_19_a_brigadier_on_the_march_rides_on_the_march_marker_though_no_unit_of_his_is(field):
    f = marching(field)
    f.walker.orders = ADVANCE
    f.walker.heading = 1
    f.battle.stand_leader(f.own.leader(), f.hex("A3003"))
    seen = []
    f.answers[UNION]["act"] = [
        lambda series, brigades: seen.append((brigades[0].code, series.movement.leader_may_move(f.own.leader())))
    ]
    f.series.activation.activate(f.march)
    assert seen == [("1/1/U", True)]


def test_3_0_when_shocks_are_designated_all_other_actions_are_over(field):
    f = division_of(field, brigades=1)
    unit, mate = f.brigades[0].units
    mate.disordered = True
    target = f.unit("2 TN", "A0601", "W", side=CONFEDERATE)
    leader = f.brigades[0].leader()

    def look(series, brigades):
        return [
            series.movement.may_move(unit), series.facing.may_turn(unit, (unit.heading + 2) % 12),
            series.fire.may_fire(unit), series.stacking.may_reorder(unit), series.effectiveness.may_rally(mate),
            series.movement.leader_may_move(leader), series.movement.may_take(leader, unit),
        ]

    seen = []
    f.answers[UNION]["act"] = [lambda series, brigades: seen.append(look(series, brigades))]
    f.answers[UNION]["shocks"] = [lambda series, brigades: seen.append(look(series, brigades)) or []]
    f.series.activation.activate(marker_of(f))
    assert seen == [[True] * 7, [False] * 7]
    assert target.counts()
