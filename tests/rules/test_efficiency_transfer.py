"""Rule 5.4: efficiency transfer."""

import pytest

from simkit.rules.commander import CommanderError
from simkit.rules.scenario_rules import EVERY_TURN, FixedEfficiency

UNION, CONFEDERATE = 0, 1


def corps(field, efficiency=2, activation=(0, 1, 0), army="A0203", near=(True, True, True), divisions=3):
    """A corps of some divisions whose leaders are in range, under an army commander near it."""
    f = field(30, 6)
    f.divisions = [f.battle.divisions[UNION]] + [f.division(f"{number}/U") for number in range(2, divisions + 1)]
    if army:
        f.leader("Army", army, f.battle.armies[UNION], command_range=5)
    f.leader("Corps", "A0203", f.battle.corps[UNION], command_range=5)
    for number, division in enumerate(f.divisions):
        place = f"A0{number + 3}03" if near[number] else f"A2{number}03"
        f.leader(f"Division {number + 1}", place, division, activation=activation[number])
        brigade = f.battle.brigades[UNION] if number == 0 else f.brigade(f"1/{number + 1}/U", division=division)
        f.unit(f"{number} IL", place, brigade=brigade)
    f.unit("1 TN", "A3006", "W", side=CONFEDERATE)
    f.play()
    f.series.scenario.fixed.append(FixedEfficiency(f.battle.corps[UNION], efficiency, 0, EVERY_TURN))
    f.series.scenario.fixed.append(FixedEfficiency(f.battle.divisions[CONFEDERATE], 2, 0, EVERY_TURN))
    f.series.activation.begin_turn()
    f.series.command.determine()
    f.series.activation.determine_efficiency()
    return f


def markers(f):
    return [int(division.markers) for division in f.divisions]


def transfers(f):
    numbers = {division: at for at, division in enumerate(f.divisions)}
    offered = f.series.activation.transfers(UNION)
    return [(numbers[one.to], [numbers[giver] for giver in one.givers]) for one in offered]


def choose(f, to, givers):
    """Answer with the transfer to a division from others, by number."""
    def answer(series, offered):
        assert offered
        return next(
            at for at, one in enumerate(offered)
            if one.to is f.divisions[to] and one.givers == [f.divisions[giver] for giver in givers]
        )

    f.answers[UNION]["transfer"] = [answer]
    f.series.activation.transfer_phase()


def test_example_5_44_one_marker_from_each_of_two_divisions_for_a_third(field):
    """5.44 EXAMPLE (dead-of-winter:491, gringo:424, into-the-woods:416), 5.41, 5.43: from 2, 3, 2 to 1, 4, 1."""
    f = corps(field)
    assert markers(f) == [2, 3, 2]
    choose(f, 1, [0, 2])
    assert markers(f) == [1, 4, 1]
    told = [(event.unit, int(event.sp)) for event in f.events("efficiency") if event.mode]
    assert told == [("2/U", 4), ("1/U", 1), ("3/U", 1)]


def test_5_43_or_two_from_one(field):
    f = corps(field, efficiency=3, activation=(0, 0, 0))
    choose(f, 0, [2])
    assert markers(f) == [4, 3, 1]


@pytest.mark.parametrize(
    ("efficiency", "activation", "offered"),
    [
        (1, (0, 0, 0), []),  # nobody has one to spare
        (4, (0, 0, 0), []),  # nobody may have more
        (2, (0, 0, 0), [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])]),  # two from one would leave him none
        (3, (0, 1, 0), [(0, [1]), (0, [1, 2]), (0, [2]), (2, [0]), (2, [0, 1]), (2, [1])]),
    ],
)
def test_5_43_nobody_below_one_nor_above_four(field, efficiency, activation, offered):
    assert transfers(corps(field, efficiency, activation)) == offered


def test_5_43_13_32_an_ineffective_division_gets_none_beyond_its_two(field):
    f = corps(field, activation=(0, 0, 0))
    f.divisions[0].ineffective = True
    assert all(to != 0 for to, _ in transfers(f))


@pytest.mark.parametrize(("army", "near"), [("", (True,) * 3), ("A2906", (True,) * 3), ("A0203", (True, True, False))])
def test_5_42_only_with_a_chain_up_to_the_overall_commander(field, army, near):
    """5.42: none without him, or out of his range; a division out of its corps commander's range takes no part."""
    f = corps(field, efficiency=3, activation=(0, 0, 0), army=army, near=near)
    offered = transfers(f)
    assert all(2 not in [to, *givers] for to, givers in offered)
    assert bool(offered) is (near[2] is False)


def test_5_44_once_a_turn_and_only_what_is_offered(field):
    f = corps(field)
    f.answers[UNION]["transfer"] = [99]
    with pytest.raises(CommanderError, match=r"Commander\.transfer"):
        f.series.activation.transfer_phase()
    f.asked[UNION].clear()
    f.series.activation.transfer_phase()
    assert f.asked[UNION].count("transfer") == 1
    assert markers(f) == [2, 3, 2]
    assert "transfer" not in f.asked[CONFEDERATE]


def test_5_24_a_number_that_the_scenario_fixes_stays(field):
    """5.24, 5.41."""
    f = corps(field)
    f.series.scenario.fixed.append(FixedEfficiency(f.divisions[1], 3, 0, EVERY_TURN))
    assert all(1 not in [to, *givers] for to, givers in transfers(f))
