"""What chapters 11 and 12 leave to the players: each choice is a question with its legal answers."""

import pytest

from simkit.model.counters import Ratings
from simkit.model.forces import (
    ARTILLERY,
    ATTACK,
    BY_SMALL_ARMS,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    MARCH,
    NOT_ENTERED,
    ROUTED,
)
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import CommanderError, Designation


def shock(f, *pairs):
    f.series.shock.conduct([Designation(list(a), list(t)) for a, t in pairs], f.battle.active)
    assert f.dice.used_up(), f.dice.asked
    return f.events("shock")


def two_pairs(field, **of_defenders):
    """Two attackers, each with one enemy before it, too far from each other to combine."""
    f = field(12, 14)
    a = [f.unit(f"a{at}", place, "E", strength=8, orders=ATTACK) for at, place in enumerate(["A0404", "A0408"])]
    d = [
        f.unit(f"d{at}", place, "W", strength=4, side=1, **of_defenders)
        for at, place in enumerate(["A0504", "A0508"])
    ]
    f.play()
    f.begin(a[0])
    f.answers[1]["pre_shock_fire"] = [-1] * 9
    return f, a, d


# -- order in a step -------------------------------------------------------------------------------------------------


def test_11_11_the_defenders_say_which_stack_checks_first(field):
    f, a, d = two_pairs(field)
    f.answers[1]["next_stack"] = [0, 1]
    f.roll(("cohesion", 0), ("cohesion", 0), ("shock", 4), ("shock", 4))
    shock(f, ([a[0]], [d[0].hex]), ([a[1]], [d[1].hex]))
    assert [event.unit for event in f.events("pre-shock")] == [d[1].id, d[0].id]


def test_11_11_11_33_and_which_decides_first_on_a_retreat(field):
    f, a, d = two_pairs(field)
    f.answers[1]["next_stack"] = [lambda series, units, step: [unit.id for unit in units].index(d[1].id)]
    f.answers[1]["retreat_before_shock"] = [True, False]
    f.answers[0]["advance_after_retreat"] = [False]
    f.roll(("cohesion", 0), ("shock", 4))
    shock(f, ([a[0]], [d[0].hex]), ([a[1]], [d[1].hex]))
    assert [event.unit for event in f.events("retreat before shock")] == [d[1].id]


def test_11_11_an_answer_outside_the_stacks(field):
    f, a, d = two_pairs(field)
    f.answers[1]["next_stack"] = [7]
    with pytest.raises(CommanderError, match=r"next_stack: answered 7 .* 0 to 1"):
        shock(f, ([a[0]], [d[0].hex]), ([a[1]], [d[1].hex]))


def test_11_11_11_38_and_which_unit_fires_first(field):
    f, a, d = two_pairs(field)
    f.answers[1]["pre_shock_fire"] = [0, 0]
    f.answers[1]["next_to_fire"] = [1]
    f.roll(("cohesion", 0), ("cohesion", 0), ("fire", 0), ("fire", 0), ("shock", 4), ("shock", 4))
    shock(f, ([a[0]], [d[0].hex]), ([a[1]], [d[1].hex]))
    assert [event.unit for event in f.events("fire")] == [d[1].id, d[0].id]


# -- retreat before shock --------------------------------------------------------------------------------------------


def test_11_33_each_unit_of_a_stack_may_stay(field):
    """11.33: units may retreat, and each for itself: who stays is checked and shocked."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=2, side=1)
    e = f.unit("e", "A0504", "W", strength=2, side=1)
    f.play([("cohesion", 0), ("shock", 2)])
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[1]["gives_way"] = [False, True]
    # 8 to 2 is 4-1: +4, no brigadier -1: 2 gives 5, one hex
    event, = shock(f, ([a], [d.hex]))
    assert event.target == d.id and event.adjusted == 5
    assert [one.unit for one in f.events("retreat before shock")] == [e.id]


# -- advance ---------------------------------------------------------------------------------------------------------


def test_11_46_the_owner_says_who_of_equals_advances_first(field):
    """11.46: both are tops of their stacks; only one of them has room."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=10, orders=ATTACK)
    b = f.unit("b", "A0405", "E", strength=10, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1)
    f.play([("cohesion", 0), ("shock", 9), ("cohesion", 9)])
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    f.answers[0]["next_to_advance"] = [1]
    shock(f, ([a, b], [d.hex]))
    assert d.place == ROUTED
    assert (a.hex.id, b.hex.id) == ("A0404", "A0504")


def test_11_46_tops_of_stacks_go_before_those_beneath_them(field):
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=5, orders=ATTACK)
    low = f.unit("low", "A0404", "E", strength=5, orders=ATTACK)
    b = f.unit("b", "A0405", "E", strength=5, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1)
    f.play([("cohesion", 0), ("shock", 9), ("cohesion", 9)])
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    shock(f, ([a, low, b], [d.hex]))
    assert [event.unit for event in f.events("advance")][:2] == [a.id, b.id]
    assert low.hex.id in ("A0404", "A0504")


def test_11_47_who_meets_no_enemy_may_go_on(field):
    """11.47: one or two hexes, a vertex in each, although no enemy can be brought to face; no shock follows."""
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=12, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1, disordered=True)
    f.play([("cohesion", 9), ("cohesion", 9)])
    f.begin(a)
    f.answers[0]["continue_shock"] = [True]
    offered = []
    f.answers[0]["advance_further"] = [
        lambda series, unit, ways: offered.extend(ways) or [way.end().id for way in ways].index("A0704")
    ]
    f.answers[0]["heading_after"] = [0, 0, 1]
    assert shock(f, ([a], [d.hex])) == []
    assert {len(way.hexes) for way in offered} == {1, 2}
    assert (a.hex.id, HEADING_NAMES[a.heading]) == ("A0704", "SSE") and not a.disordered


def test_11_47_or_stay(field):
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=12, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1, disordered=True)
    f.play([("cohesion", 9), ("cohesion", 9)])
    f.begin(a)
    f.answers[0]["continue_shock"] = [True]
    shock(f, ([a], [d.hex]))
    assert a.hex.id == "A0504" and f.asked[0].count("advance_further") == 1


def test_11_47_each_unit_of_a_stack_may_stay_behind(field):
    """11.47: continued shock is voluntary for units that did not charge, each of them."""
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=5, orders=ATTACK)
    b = f.unit("b", "A0404", "E", strength=5, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1, disordered=True)
    e = f.unit("e", "A0604", "W", strength=4, side=1)
    f.play([("cohesion", 9), ("cohesion", 9), ("cohesion", 0)])
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 3
    f.answers[0]["continue_shock"] = [True]
    f.answers[0]["joins_continued_shock"] = [True, False]
    # 5 to 4 rounds to 1-1; no brigadier -1, continued -1: 9 gives 7
    f.roll(("shock", 9))
    event, = shock(f, ([a, b], [d.hex]))
    assert (event.mode, event.unit, event.target, event.adjusted) == ("continued", a.id, e.id, 7)
    assert b.hex.id == "A0504" and a.hex.id == "A0604"


def test_11_47_routs_by_another_check_count_as_led_to_by_failed_checks(field):
    """11.47, 12.54: d fails its check and routs, which makes e rout: its attackers may continue too."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    b = f.unit("b", "A0406", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1, disordered=True)
    e = f.unit("e", "A0505", "W", strength=4, side=1, disordered=True)
    f.play()
    f.begin(a)
    f.battle.lift(b)
    f.battle.stand(b, f.hex("A0405"), False)
    f.answers[1]["pre_shock_fire"] = [-1] * 3
    # d fails and routs; e beside it fails its check for that and the one for the second disorder
    f.roll(*[("cohesion", 9)] * 4)
    assert shock(f, ([a], [d.hex]), ([b], [e.hex])) == []
    assert d.place == e.place == ROUTED
    assert f.asked[0].count("continue_shock") == 2


def test_11_48_11_36_green_attackers_who_do_not_come_surprise_nobody(field):
    """11.48: a brigade on the march that was to be shocked keeps its orders if the attackers lose heart (11.36)."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK, green=True)
    d = f.unit("d", "A0504", "NW", strength=4, side=1, orders=MARCH)
    d.command.orders = MARCH
    f.play([("cohesion", 9)])
    f.begin(a)
    assert shock(f, ([a], [d.hex])) == []
    assert d.orders == MARCH and not d.disordered


# -- leaders and guns ------------------------------------------------------------------------------------------------


def test_12_73_of_equally_near_units_the_owner_chooses(field):
    f = field(8, 8)
    gone = f.unit("gone", "A0404", "E")
    near = [f.unit(f"near{at}", place, "E") for at, place in enumerate(["A0403", "A0405"])]
    chief = f.leader("chief", "A0404")
    f.unit("e", "A0504", "E", side=1)
    f.play([("cohesion", 0), ("cohesion", 0)])
    f.answers[0]["leader_joins"] = [1]
    f.series.results.rout(gone, "test")
    assert chief.hex is near[1].hex and f.asked[0].count("leader_joins") == 1


@pytest.mark.parametrize(("crew", "abandoned"), [(True, 0), (False, 1)])
def test_12_81_guns_may_be_recrewed_or_not(field, crew, abandoned):
    f = field(8, 8)
    guns = f.unit("guns", "A0404", "E", kind=ARTILLERY)
    f.unit("a", "A0404", "E")
    f.play()
    f.battle.abandon(guns, 1)
    f.answers[0]["recrew"] = [crew]
    f.series.results.recrew(guns)
    assert guns.abandoned == abandoned


def corps_of_three(field, codes, back="Fallen", ratings=((0, 0), (0, 0), (0, 0))):
    """A corps commander whose printed replacement is one of three division leaders, with a brigade each."""
    f = field(10, 8)
    divisions = [f.division(code) for code in codes]
    leaders = []
    for at, division in enumerate(divisions):
        f.unit(f"u{at}", f"A0{at + 2}04", brigade=f.brigade(f"{at}/{division.code}", division=division))
        efficiency, activation = ratings[at]
        leaders.append(
            f.leader(f"L{at}", f"A0{at + 2}04", command=division, efficiency=efficiency, activation=activation)
        )
    leaders[0].front.name = back
    chief = f.leader("Chief", "A0204", command=f.battle.corps[0], back=Ratings(back, 8))
    f.play()
    return f, chief, leaders


def fall(f, *leaders):
    for leader in leaders:
        f.series.results.kill(leader, "test")
    f.series.results.replace_leaders()


def test_12_75_the_lower_leader_who_steps_up_gives_his_own_post_to_his_replacement(field):
    """12.75: the replacement of the corps is the same person as a division leader: both counters turn over."""
    f, chief, leaders = corps_of_three(field, ["1/III", "2/III", "3/III"])
    fall(f, chief)
    assert chief.in_play() and chief.replaced
    assert [leader.replaced for leader in leaders] == [True, False, False]
    assert leaders[0].in_play()


def test_12_75_a_leader_who_has_not_arrived_yet_is_no_casualty(field):
    """12.75, 12.76: who waits off the map is not out of the game: he takes the command, nobody else."""
    f, chief, leaders = corps_of_three(field, ["1/III", "2/III", "3/III"])
    leaders[0].place = NOT_ENTERED
    fall(f, chief)
    assert [leader.replaced for leader in leaders] == [True, False, False]


def test_12_76_example_the_first_division_before_the_second(field):
    """12.76: 1/III would be chosen before 2/III (dead-of-winter:1923, gringo:1801): here the first has fallen."""
    f, chief, leaders = corps_of_three(field, ["3/III", "2/III", "1/III"])
    fall(f, leaders[0], chief)
    assert [leader.replaced for leader in leaders] == [True, False, True]
    assert chief.in_play()


def test_12_76_unnumbered_commands_by_their_leaders_ratings(field):
    f, chief, leaders = corps_of_three(field, ["Fallen", "Smith", "Jones"], ratings=((0, 0), (-1, 0), (1, 1)))
    fall(f, leaders[0], chief)
    assert [leader.replaced for leader in leaders] == [True, False, True]


@pytest.mark.parametrize("choice", [0, 1])
def test_12_76_of_equals_the_player_chooses(field, choice):
    f, chief, leaders = corps_of_three(field, ["Fallen", "Smith", "Jones"])
    f.answers[0]["next_in_command"] = [choice]
    fall(f, leaders[0], chief)
    assert [leader.replaced for leader in leaders[1:]] == [choice == 0, choice == 1]


def test_12_76_no_original_leader_left_leaves_the_command_without_one(field):
    f, chief, leaders = corps_of_three(field, ["1/III", "2/III", "3/III"])
    for leader in leaders:
        leader.replaced = True
    fall(f, chief)
    assert not chief.in_play()


# -- collapse of extended units --------------------------------------------------------------------------------------


def test_12_23_an_extended_line_collapses_as_one_unit(field):
    """12.23: a line of 12 in two hexes collapses with its 7th loss, wherever its parts are hit, and only then."""
    f = field(10, 10)
    line = f.unit("line", "A0405", "E", strength=12)
    f.play()
    f.battle.add_part(line, f.hex("A0406"), 0, EXTENDED_LINE)
    f.series.results.lose(line, 6, BY_SMALL_ARMS)
    assert not line.collapsed and not line.disordered and len(line.parts) == 2
    f.series.results.lose(line, 1, BY_SMALL_ARMS)
    assert line.collapsed and line.disordered
    assert [event.kind for event in f.events("collapse")] == ["collapse"]


def test_12_23_a_column_collapses_as_one_unit_and_checks_once_for_a_later_loss(field):
    """12.23: an Extended Column too; a further loss makes it check once, and failing it routs with all its markers."""
    f = field(10, 10)
    column = f.unit("column", "A0405", "SE", strength=14, orders=MARCH)
    f.play([("cohesion", 9)])
    f.battle.add_part(column, f.hex("A0304"), 0, EXTENDED_COLUMN)
    f.series.results.lose(column, 7, BY_SMALL_ARMS)
    assert not column.collapsed
    f.series.results.lose(column, 1, BY_SMALL_ARMS)
    assert column.collapsed and column.disordered and f.dice.asked == []
    f.series.results.lose(column, 1, BY_SMALL_ARMS)
    assert column.place == ROUTED and not f.hex("A0304").stack and not f.hex("A0405").stack


def test_12_23_the_one_rout_check_of_a_result_spares_nobody_that_of_the_next(field):
    """12.23: a roll of 10 makes a unit check once, whatever else the roll does to it; a later result anew."""
    f = field(10, 10)
    a = f.unit("a", "A0404", "E")
    d = f.unit("d", "A0504", "W", side=1)
    f.play([("cohesion", 0)] * 2)
    results = f.series.results
    results.begin_shock([a], [d])
    results.checks_once = True
    results.rout_check(d)
    results.settle()
    results.rout_check(d)
    results.end()
    assert len(f.dice.asked) == 1
    results.begin([])
    results.rout_check(d)
    results.end()
    assert f.dice.used_up()


@pytest.mark.parametrize("choice", [0, 1])
def test_12_52_of_equal_attackers_their_owner_says_who_stands(field, choice):
    """12.52: both sides would rout and the ratings tie: the defender routs, and of the attackers all but one."""
    f = field(10, 10)
    a = [f.unit(f"a{at}", place, "E") for at, place in enumerate(["A0404", "A0405"])]
    d = f.unit("d", "A0504", "W", side=1)
    f.play([("cohesion", 0)] * 3)
    f.answers[0]["who_stands"] = [choice]
    results = f.series.results
    results.begin_shock(a, [d])
    for unit in (*a, d):
        results.rout(unit, "test")
    results.end()
    assert [unit.place == ROUTED for unit in a] == [choice != 0, choice != 1]
    assert d.place == ROUTED and f.asked[0].count("who_stands") == 1
