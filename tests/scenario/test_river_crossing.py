"""A scenario's corps that must first cross a river (21.2 of Dead of Winter): what its table makes, and bad input."""

import pytest

from simkit.scenario.builder import build
from simkit.scenario.scenariofile import read_scenario

TABLE = """[river_crossing]
command = "Union/RW"
activations = 8
beyond = [{ sheet = "C", columns = [40, 48], rows = [1, 19] }]
source = "printed"
rule = "21.2"

"""


@pytest.fixture
def crossing(book):
    """The book's scenario, in which a corps must cross to the eastern part of the map."""
    book.change(book.scenario, "[victory]\n", TABLE + "[victory]\n")
    return book


def test_21_2_the_table_names_corps_activations_and_far_bank(crossing):
    rules = crossing.built().rules
    battle = crossing.built().battle
    (advance,) = rules.advances
    assert (advance.command.id, advance.activations) == ("Union/RW", 8)
    far = {place.id for place in battle.map.hexes if advance.beyond[place.index]}
    assert "C4010" in far and "C3910" not in far
    assert all(ident[1:3] >= "40" for ident in far)


@pytest.mark.parametrize("chosen", ["yes", "no"])
def test_21_2_it_holds_with_the_option_alone(crossing, chosen):
    scenario = read_scenario(crossing.scenario, crossing.folder.parent)
    series = build(scenario, {"crittendens_attack": chosen}).series
    assert len(series.advance.in_force()) == (chosen == "yes")


@pytest.mark.parametrize(("change", "said"), [
    (("Union/RW", "Union/LX"), "Union/LX"),
    (('sheet = "C"', 'sheet = "X"'), "there is no sheet X"),
    (("activations = 8", "activations = 0"), "activations"),
])
def test_bad_input(crossing, message, change, said):
    crossing.change(crossing.scenario, TABLE, TABLE.replace(*change))
    assert said in message(crossing.built)
