"""When the heuristic commander gives up arrangements by which commands serve under others (8.0 of Dead of Winter)."""

import pytest

from simkit.model.course import Arrangement
from simkit.model.forces import ADVANCE


@pytest.fixture
def arranged(scene, enter):
    """A function that makes a brigade that serves under another division than its own, by where the leaders stand."""

    def make(own, other, brigadier="A0306"):
        made = scene("steady", columns=30)
        made.second = made.division("2/U")
        made.first = made.battle.divisions[0]
        brigade = made.brigade("1/2/U", 0, ADVANCE, made.first)
        made.leader("Brigadier", brigadier, command=brigade)
        made.leader("Own", own, command=made.second, command_range=4)
        made.leader("Other", other, command=made.first, command_range=4)
        unit = made.unit("U", brigadier, "E", brigade=brigade)
        made.unit("C", "A2806", "W", side=1)
        made.battle.course.arranged.append(Arrangement(brigade, made.second, made.first))
        enter(made, unit)
        return made

    return make


@pytest.mark.parametrize(
    ("own", "other", "ends"),
    [
        ("A0406", "A0206", False),  # both reach him: nothing is gained
        ("A0406", "A1506", True),  # only his own superior does
        ("A1506", "A0206", False),
        ("A1506", "A1406", False),
    ],
)
def test_8_0_an_arrangement_ends_once_his_own_superior_reaches_the_brigadier_and_the_other_does_not(
    arranged, own, other, ends
):
    made = arranged(own, other)
    assert made.led.ends_arrangements(made.series, made.battle.armies[0]) is ends


def test_8_0_arrangements_of_the_other_side_count_for_nothing(arranged):
    made = arranged("A0406", "A1506")
    assert not made.led.ends_arrangements(made.series, made.battle.armies[1])
