"""Unknown numbers: tables made anew from their families, ratings moved, and what cannot be moved."""

from pathlib import Path

import pytest

from simkit.errors import InputError
from simkit.scenario import build, load
from simkit.scenario.builder import Overlay
from simkit.scenario.library import books_folder
from simkit.scenario.unknowns import Shifts, read_unknowns, unknowns_of

BOOK = books_folder() / "dead_of_winter"
SCENARIO = "dead_of_winter/skirmish"


def _built(**numbers: float):
    return build(load(SCENARIO), overlay=Overlay(numbers=numbers))


def test_every_unknown_can_be_moved_to_both_its_ends() -> None:
    plain = _built()
    for unknown in unknowns_of(BOOK).values():
        for value in (unknown.low, unknown.high):
            if value:
                moved = _built(**{unknown.name: value})
                same = _numbers(plain) == _numbers(moved)
                assert not same, f"{unknown.name} = {value} moves nothing"


def _numbers(built) -> list[object]:
    tables = (built.charts.fire_table, built.charts.artillery_table)
    shock = [built.charts.shock.defender_disordered, built.charts.shock.positions[2]]
    return [[r.text for t in tables for r in t.results], shock, [u.cohesion for u in built.roster.units]]


def test_losses_a_roll_later_are_the_column_one_row_down() -> None:
    """A whole shift moves the steps of every column by one roll and leaves disorder where it was."""
    plain, moved = _built().charts.fire_table, _built(fire_losses=1.0).charts.fire_table
    for sp in range(1, 19):
        for roll in range(plain.low + 2, plain.high + 1):
            assert moved.result(sp, roll).losses == plain.result(sp, roll - 1).losses
            assert (moved.result(sp, roll).disorder, moved.result(sp, roll).drm) == (
                plain.result(sp, roll).disorder, plain.result(sp, roll).drm,
            )  # fmt: skip


def test_half_a_point_of_cohesion_moves_half_of_the_units() -> None:
    plain = {unit.id: unit.cohesion for unit in _built().roster.units if unit.side == "Union"}
    half = {unit.id: unit.cohesion for unit in _built(cohesion_union=0.5).roster.units if unit.side == "Union"}
    whole = {unit.id: unit.cohesion for unit in _built(cohesion_union=1).roster.units if unit.side == "Union"}
    assert all(whole[unit] == rating + 1 for unit, rating in plain.items())
    moved = {unit for unit, rating in plain.items() if half[unit] == rating + 1}
    assert 0.3 < len(moved) / len(plain) < 0.7
    assert all(half[unit] == rating for unit, rating in plain.items() if unit not in moved)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"fire_loses": 1.0}, 'nothing unknown is called "fire_loses"; did you mean "fire_losses"'),
        ({"fire_losses": 9.0}, "fire_losses is 9; it can be -1.5 to 2.5"),
        ({"fire_losses": float("nan")}, "fire_losses is nan"),
    ],
)
def test_numbers_that_are_wrong(numbers: dict[str, float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Shifts(unknowns_of(BOOK), numbers)


def test_a_table_of_the_owners_own_cannot_be_moved() -> None:
    shifts = Shifts(unknowns_of(BOOK), {"fire_losses": 1.0})
    grid = "roll 1 2+\n1- - -\n5* - 1\n6+ - 1"
    family = {"reference": 7, "loss_slope": 2.6, "losses": [6.9], "disorder_slope": 1.5, "disorder": [3, 4, 5]}
    with pytest.raises(InputError, match="not the table of its family"):
        shifts.move_charts("fire", {"fire_table": {"grid": grid.replace("5*", "2-5*"), "family": family}})
    with pytest.raises(InputError, match="names no family"):
        shifts.move_charts("fire", {"fire_table": {"grid": grid}})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('moves = "fire.fire_table.losses"', 'moves = "roster.movement.Union"'), "of the roster it can be"),
        (("low = -1.5\nhigh = 2.5", "low = 0\nhigh = 0"), "nothing about it is unknown"),
        (('name = "gun_losses"', 'name = "fire_losses"'), "two unknowns have the same name"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    path = tmp_path / "unknowns.toml"
    path.write_text((BOOK / "unknowns.toml").read_text().replace(*change))
    with pytest.raises(InputError, match=said):
        read_unknowns(path)
