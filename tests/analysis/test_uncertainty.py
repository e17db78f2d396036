"""The split of a spread into dice and unknown numbers: by hand, on drawn values, and in a batch."""

import math
from pathlib import Path

import numpy as np
import pytest

import simkit
from simkit.analysis.uncertainty import drew, split, spreads
from simkit.errors import InputError
from simkit.scenario.ensemble import BLOCK, member_of, read_ensemble
from simkit.scenario.library import books_folder

SCENARIO = "dead_of_winter/skirmish"
BOOK = books_folder() / "dead_of_winter"
HEAD = '[ensemble]\nname = "two"\ntext = "made up"\nsource = "reconstructed"\n'
TWO = HEAD + "".join(f"[[member]]\nnumbers = {{ fire_losses = {value} }}\nmisfit = 1\n" for value in (-1.5, 2.5))


def test_by_hand() -> None:
    # sets 0 (1, 3) and 1 (5, 7): means 2 and 6, mean square between 16, within 2, two battles a set
    found = split([1, 3, 5, 7], [0, 0, 1, 1])
    assert (found.mean, found.sd_dice**2, found.sd_unknown**2) == pytest.approx((4, 2, 7))
    assert found.share == pytest.approx(7 / 9)


def test_no_difference_between_sets_is_no_negative_variance() -> None:
    found = split([1, 3, 1, 3], [0, 0, 1, 1])
    assert (found.sd_unknown, found.share) == (0.0, 0.0)
    assert math.isnan(split([2, 2, 2, 2], [0, 0, 1, 1]).share)


def test_the_interval_holds_the_truth() -> None:
    """95 of 100 intervals hold the share of 0.2, but for three standard errors."""
    rng, hits, tries = np.random.default_rng(8), 0, 400
    members = np.repeat(np.arange(20), 25)
    for _ in range(tries):
        values = rng.normal(0, 1, 20)[members] + rng.normal(0, 2, members.size)
        found = split(values, members)
        hits += found.low <= 0.2 <= found.high
    assert abs(hits / tries - 0.95) < 3 * math.sqrt(0.95 * 0.05 / tries)


@pytest.mark.parametrize("members", [[0, 0, 0, 0], [0, 0, 0, 1]])
def test_too_few_to_split(members: list[int]) -> None:
    with pytest.raises(ValueError, match="at least two"):
        split([1, 2, 3, 4], members)


def test_runs_draw_in_turns_and_more_deadly_fire_kills_more(tmp_path: Path) -> None:
    two = tmp_path / "two.toml"
    two.write_text(TWO)
    results = simkit.run(SCENARIO, runs=4 * BLOCK, seed=1862, out=tmp_path / "out", uncertainty=str(two))
    runs = results.runs
    assert runs["member"].tolist() == [member_of(run, 2) for run in runs["run"]]
    lost = runs[["sp_lost_Union", "sp_lost_Confederate"]].sum(axis=1).groupby(runs["member"]).mean()
    assert lost[0] > 1.2 * lost[1]
    assert drew(results)
    table = spreads(results).set_index(["quantity", "group"]).loc["strength points lost"]
    assert table["low"].min() > 0  # of either side: nothing but the sets moves both
    assert table["share"].max() > 0.2


def test_a_member_plays_as_a_study_with_its_numbers(tmp_path: Path) -> None:
    """A run that draws a set is the battle of a study that moves the numbers so."""
    two = tmp_path / "two.toml"
    two.write_text(TWO)
    drawn = simkit.run(SCENARIO, runs=3, seed=1862, out=tmp_path / "drawn", uncertainty=str(two), jobs=1)
    (tmp_path / "study.toml").write_text(
        f'[study]\nname = "moved"\nscenario = "{SCENARIO}"\nruns = 3\nseed = 1862\n[numbers]\nfire_losses = -1.5\n'
    )
    moved = simkit.run(tmp_path / "study.toml", out=tmp_path / "moved", jobs=1)
    assert drawn.runs.drop(columns="member").equals(moved.runs.drop(columns="member"))
    assert not drew(moved)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TWO.replace("fire_losses", "fire_loses"), 'did you mean "fire_losses"'),
        (TWO.replace("2.5", "9.5"), "it can be -1.5 to 2.5"),
        (HEAD + "[[member]]\nnumbers = { fire_losses = 1 }\nmisfit = 1\n", "at least 2"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_ensemble(path, BOOK)
