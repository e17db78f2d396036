"""Reinforcements in scenario files (9.7): the groups that result, and every kind of bad input."""

import pytest

from simkit.model.entrances import Entrance
from simkit.model.forces import ADVANCE, MARCH, NOT_ENTERED
from simkit.scenario.check import check
from simkit.scenario.provenance import provenance
from simkit.scenario.scenariofile import read_scenario

STACK = '[[setup]]\nhex = "C3213"\nunits = ["1-1-rw/75-il"]\nsource = "printed"\n\n'
GROUP = """[[reinforcement]]
turn = "December 30th, 1300"
hexes = ["C3001", "C2901"]
units = ["1-1-rw/75-il"]
leaders = []
orders = ["March", "Advance"]
activations = 2
strength = { "1-1-rw/75-il" = 3 }
source = "printed"

"""


@pytest.fixture
def group(book):
    """The book's scenario, in which one regiment enters as a reinforcement."""
    book.change(book.scenario, STACK, GROUP)
    return book


def test_a_group_of_the_file_enters_as_it_says(group):
    battle = group.built().battle
    (made,) = battle.reinforcements
    (unit,) = made.units
    assert unit.id == "1-1-rw/75-il"
    assert unit.place == NOT_ENTERED
    assert unit.strength == 3
    assert unit.arrival is made
    assert [entrance.hex.id for entrance in made.entrances] == ["C3001", "C2901"] == [
        entrance.hex.id for entrance in battle.entrances
    ]
    assert (made.turn, made.activations, made.sequence, made.orders) == (0, 2, 0, [MARCH, ADVANCE])


def test_9_45_a_road_that_ends_on_the_edge_leaves_the_map(group):
    """The lane to the Wilkinson pike ends in C3001; the Franklin road runs past C3019 and ends in C4819."""
    battle = group.built().battle
    assert [entrance.road > 0 for entrance in battle.entrances] == [True, False]
    assert Entrance(battle.map.named("C3119"), battle.map).road == 0
    assert Entrance(battle.map.named("C4819"), battle.map).road > 0


def test_check_tells_of_them(group):
    assert check(group.scenario).endswith("1 reinforcement due through 2 hexes, 1 turn")


def test_9_7_every_value_has_its_source(group):
    frame = provenance(read_scenario(group.scenario, group.folder.parent)).set_index("item")
    assert frame.loc["entry of 1-1-rw/75-il", "value"] == "turn December 30th, 1300, C3001, C2901"
    assert frame.loc["strength of 1-1-rw/75-il", "value"] == "3"
    assert frame.loc["orders of reinforcement 1", "value"] == "March, Advance"
    assert frame.loc["activations of reinforcement 1", "source"] == "printed"


def test_a_turn_by_its_number(group):
    group.change(group.scenario, 'turn = "December 30th, 1300"', "turn = 1")
    assert group.built().battle.reinforcements[0].turn == 0


def test_a_group_inside_the_map(group):
    group.change(group.scenario, '["C3001", "C2901"]', '["C3005"]\ninside = true')
    (entrance,) = group.built().battle.entrances
    assert len(entrance.gates) == 6
    assert entrance.road == 0 or entrance.inside


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'turn = "December 30th, 1300"', 'turn = "December 30th, 1400"',
            'reinforcement.1.turn: unknown turn "December 30th, 1400"; did you mean "December 30th, 1300"?',
        ),
        ('turn = "December 30th, 1300"', "turn = 2", "reinforcement.1.turn: there is no turn 2; there are 1"),
        (
            '"C3001", "C2901"', '"C3001", "C3005"',
            "reinforcement.1.hexes.2: C3005 does not lie on the edge of the map (9.71)",
        ),
        (
            '"C3001", "C2901"', '"C3001", "C3020"',
            "reinforcement.1.hexes.2: hex C3020 is not in play in this battle",
        ),
        (
            'units = ["1-1-rw/75-il"]\nleaders', 'units = ["1-1-rw/57-il"]\nleaders',
            'reinforcement.1.strength: "1-1-rw/75-il" is not among the units of this group; did you mean',
        ),
        (
            'units = ["1-1-rw/75-il"]\nleaders', 'units = ["1-1-rw/75-il", "1-1-rw/59-il"]\nleaders',
            "reinforcement.1.units: 1-1-rw/59-il is set up twice; it already stands in C3014",
        ),
        (
            'units = ["1-1-rw/75-il"]\nleaders', 'units = ["1-1-rw/75-il", "1-1-rw/75-il"]\nleaders',
            "reinforcement.1.units: 1-1-rw/75-il is set up twice; it already stands in this list",
        ),
        (
            "leaders = []\norders", 'leaders = ["1-1-rw/post"]\norders',
            "reinforcement.1.leaders: 1-1-rw/post is set up twice; he already stands in C3014",
        ),
        (
            "strength = { ", "strength = { \"1-1-rw/75-il\" = 99 }\n# ",
            "reinforcement.1.strength: 1-1-rw/75-il cannot have strength 99; its counter allows 1 to ",
        ),
        ("activations = 2", "activations = 5", "reinforcement.1.activations: must be at most 4, not 5"),
        ('orders = ["March", "Advance"]', 'orders = ["Hold"]', "reinforcement.1.orders.1: must be 'March', 'Advance'"),
        ('orders = ["March", "Advance"]', 'orders = ["March", "March"]', "reinforcement.1.orders: March stands twice"),
        ('"C3001", "C2901"', '"C3001", "C3001"', "reinforcement.1.hexes: C3001 stands twice"),
        ("activations = 2", f"sequence = {2**70}", "sequence: must lie between -10000000 and 10000000, not 1180"),
        ('turn = "December 30th, 1300"', "turn = -1", "reinforcement.1.turn: there is no turn -1; there are 1"),
        ("hexes =", "hex =", 'reinforcement.1.hex: unknown key; did you mean "hexes"?'),
    ],
)  # fmt: skip
def test_bad_groups(group, message, old, new, said):
    group.change(group.scenario, old, new)
    assert said in message(check, group.scenario)


def test_a_turn_by_a_label_that_two_have(group, message):
    group.change(group.scenario, "[[turn]]", '[[turn]]\nlabel = "December 30th, 1300"\n\n[[turn]]')
    said = message(check, group.scenario)
    assert 'reinforcement.1.turn: 2 turns are labelled "December 30th, 1300"; name it by its number, from 1' in said


def test_a_group_of_both_sides(group, message):
    group.change(group.scenario, '"C4615"\nunits = ["4-1-p/47-tn"]', '"C4615"\nunits = []')
    ours = 'units = ["1-1-rw/75-il"]\nleaders'
    group.change(group.scenario, ours, 'units = ["1-1-rw/75-il", "4-1-p/47-tn"]\nleaders')
    assert "reinforcement.1: it has units or leaders of both sides; make it two groups" in message(
        check, group.scenario
    )


def test_a_group_of_nobody(group, message):
    group.change(group.scenario, 'units = ["1-1-rw/75-il"]\nleaders', "units = []\nleaders")
    group.change(group.scenario, 'strength = { "1-1-rw/75-il" = 3 }\n', "")
    assert "reinforcement.1: it has neither units nor leaders" in message(check, group.scenario)


def test_9_71_a_leader_who_could_never_enter(group, message):
    """A leader by himself, and water."""
    group.change(group.scenario, '"1-1-rw/post"', "")
    group.change(group.scenario, GROUP, STACK + GROUP.replace('units = ["1-1-rw/75-il"]', "units = []"))
    group.change(group.scenario, 'leaders = []\norders', 'leaders = ["1-1-rw/post"]\norders')
    group.change(group.scenario, 'strength = { "1-1-rw/75-il" = 3 }\n', "")
    group.change(group.scenario, '"C3001", "C2901"', '"C2901"')
    text = group.map.read_text(encoding="utf-8")
    group.map.write_text(
        text + '\n[[area]]\nhexes = ["C2901"]\nterrain = "river"\nsource = "reconstructed"\nwhy = "a test"\n',
        encoding="utf-8",
    )
    assert "reinforcement.1.hexes: 1-1-rw/post cannot enter there; no leader can" in message(group.built)


def test_9_42_a_unit_that_could_never_enter(group, message):
    """A foot unit with one movement point in all, and woods."""
    line = next(line for line in group.units.read_text(encoding="utf-8").splitlines() if ",75 IL," in line)
    group.change(group.units, line, line.replace(",6,5,no,", ",1,1,no,"))
    text = group.map.read_text(encoding="utf-8")
    group.map.write_text(
        text + '\n[[area]]\nhexes = ["C3001", "C2901"]\nterrain = "woods"\nsource = "reconstructed"\nwhy = "a test"\n',
        encoding="utf-8",
    )
    group.change(group.scenario, '"C3001", "C2901"', '"C2901"')
    assert "reinforcement.1.hexes: 1-1-rw/75-il has not the movement points to enter there" in message(group.built)
