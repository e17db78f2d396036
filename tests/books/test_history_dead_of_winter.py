"""Dead of Winter's history files: each fits its scenario, the later one it names, and the roster."""

import pytest

from simkit.analysis.history import standing
from simkit.model.forces import SIDES
from simkit.scenario import build, load, names
from simkit.scenario.historyfile import history_of, history_path
from simkit.scenario.library import books_folder

FOLDER = books_folder() / "dead_of_winter" / "history"
WITH_HISTORY = sorted(path.stem for path in FOLDER.glob("*.toml"))
HYPOTHETICAL = {"day_before", "meeting_engagement"}
"""The scenarios whose course is not history: 7.0 lets either side attack a day early, 10.0 is all supposition."""


def test_every_historical_scenario_has_its_history() -> None:
    scenarios = {name.partition("/")[2] for name in names() if name.startswith("dead_of_winter/")}
    assert set(WITH_HISTORY) == scenarios - HYPOTHETICAL


@pytest.fixture(scope="module")
def battles() -> dict[str, object]:
    return {}


@pytest.mark.parametrize("name", WITH_HISTORY)
def test_a_history_fits_its_scenario(name: str, battles: dict[str, object]) -> None:
    def battle(scenario: str):
        if scenario not in battles:
            battles[scenario] = build(load(scenario)).battle
        return battles[scenario]

    scenario = load(f"dead_of_winter/{name}")
    assert history_path(scenario).stem == name
    recorded, here = history_of(scenario), battle(scenario.id)
    for spent in recorded.ineffective:
        divisions = {command.code for command in here.divisions if SIDES[command.side] == spent.side}
        assert set(spent.divisions) <= divisions
    for lost in recorded.losses:
        codes = {unit.command.code for unit in here.units} | {unit.command.division().code for unit in here.units}
        assert lost.command is None or lost.command in codes
    counted = {place.id for place in here.course.ground}
    for held in recorded.ground:
        assert set(held.hexes) <= counted
    if recorded.history.later is not None:
        stood = standing(battle(recorded.history.later))
        shared = [unit.id for unit in here.units if unit.id in stood.strength]
        assert len(shared) > 0.6 * len(here.units)
