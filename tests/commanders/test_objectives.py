"""Which objectives of a side draw a brigade."""

import pytest

from simkit.commanders.heuristic import HeuristicCommander
from simkit.commanders.objectives import Objective, aims
from simkit.model.forces import ADVANCE
from simkit.scenario import build, load
from simkit.scenario.commanders import objectives
from simkit.scenario.doctrines import doctrine

ALL = Objective("C4214", 2, [])
CORPS = Objective("C4314", 3, ["RW"])
DIVISION = Objective("C4414", 4, ["1/RW"])
BRIGADE = Objective("C4514", 5, ["3/1/RW", "2/1/RW"])


def brigade(built, code):
    return next(command for command in built.battle.brigades if command.code == code)


@pytest.mark.parametrize(
    ("wanted", "code", "drawn"),
    [
        ([ALL], "1/1/RW", [0]),
        ([ALL, CORPS], "1/1/RW", [1]),
        ([ALL, CORPS, DIVISION], "1/1/RW", [2]),
        ([ALL, BRIGADE, DIVISION], "1/1/RW", [2]),
        ([ALL, BRIGADE, DIVISION], "3/1/RW", [1]),
        ([BRIGADE, ALL, BRIGADE], "2/1/RW", [0, 2]),
        ([ALL, BRIGADE], "4/1/P", [0]),
        ([BRIGADE], "4/1/P", []),
        ([], "4/1/P", []),
    ],
)  # fmt: skip
def test_the_lowest_command_that_is_named_counts(skirmish, wanted, code, drawn):
    assert aims(wanted, brigade(skirmish, code), 0) == drawn


@pytest.mark.parametrize(("turn", "drawn"), [(0, [1]), (2, [1]), (3, [0])])
def test_an_objective_whose_time_is_over_gives_way_to_those_of_higher_commands(skirmish, turn, drawn):
    wing = Objective("C4414", 4, ["1/RW"], hold=True, until=2)
    assert aims([ALL, wing], brigade(skirmish, "1/1/RW"), turn) == drawn


@pytest.mark.parametrize(
    ("turn", "ended", "drawn"), [(1, False, [0]), (1, True, [0]), (2, False, [1]), (4, False, [0]), (4, True, [1])]
)
def test_an_objective_draws_nobody_before_its_time(skirmish, turn, ended, drawn):
    wing = Objective("C4414", 4, ["1/RW"], since=2, until=3)
    assert aims([ALL, wing], brigade(skirmish, "1/1/RW"), turn, ended) == drawn


def test_who_has_been_called_elsewhere_is_drawn_back_by_nothing(skirmish):
    """An objective that has ended counts near the enemy, but not beside another that names the same command."""
    hill = Objective("C4414", 4, ["1/RW"], hold=True, until=2)
    wood = Objective("C4510", 4, ["1/RW"], since=3)
    assert [aims([ALL, hill, wood], brigade(skirmish, "1/1/RW"), turn, True) for turn in (2, 3)] == [[1], [2]]


def test_a_command_is_where_the_scenario_has_it_serve(skirmish):
    """Loomis' brigade is Withers' but serves under Cheatham in the skirmish."""
    loomis = brigade(skirmish, "1/2/P")
    assert aims([Objective("C4214", 1, ["2/P"])], loomis, 0) == []
    assert aims([Objective("C4214", 1, ["1/P"])], loomis, 0) == [0]


def test_a_brigade_plans_for_what_draws_it(skirmish):
    skirmish.battle.reset()
    led = HeuristicCommander(doctrine("steady"), [ALL, BRIGADE])
    plans = {}
    for code in ("1/1/RW", "3/1/RW"):
        led.field(skirmish.battle).look(brigade(skirmish, code))
        plan = led.plan(skirmish.series, brigade(skirmish, code))
        plans[code] = [(goal.id, weight) for goal, weight in zip(plan.goals, plan.weights, strict=True)]
    assert plans == {"1/1/RW": [("C4214", 2)], "3/1/RW": [("C4514", 5)]}


@pytest.mark.parametrize(("place", "drawn"), [("A1206", [1]), ("A1906", [0])])
def test_nobody_turns_his_back_on_an_enemy_because_the_time_of_an_objective_is_over(scene, enter, place, drawn):
    made = scene("steady", columns=40)
    made.led.objectives = [Objective("A0112", 2, []), Objective("A0706", 3, ["1/1/U"], hold=True, until=0)]
    own = made.brigade("1/1/U", 0, ADVANCE)
    unit = made.unit("U", "A0806", "E", brigade=own)
    made.unit("C", place, "W", side=1)
    enter(made, unit)
    made.battle.turn = 1
    made.led.field(made.battle).look(own)
    assert made.led.drawn(own) == drawn


def test_the_brigades_of_breckinridge_are_called_over_the_river_one_pair_after_the_other():
    """Labels of turns become numbers: 1200 is the seventh turn of the Day of Battle, 1400 the ninth."""
    built = build(load("dead_of_winter/day_of_battle"))
    wanted = objectives(built, "Confederate")
    drawn = {
        code: [[wanted[at].place for at in aims(wanted, brigade(built, code), turn)] for turn in (0, 5, 6, 7, 8, 11)]
        for code in ("1/1/H", "3/1/H", "4/1/H")
    }
    hill, wood = ["B2438"], ["B1436"]
    assert drawn == {
        "1/1/H": [hill, hill, wood, wood, wood, wood],
        "3/1/H": [hill, hill, hill, hill, wood, wood],
        "4/1/H": [hill] * 6,
    }
