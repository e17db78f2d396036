"""A sample too small for its question is said so, and one that serves is left in peace."""

from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from simkit.analysis.adequacy import battles_for_share, comparison_warnings, percent, rare, sample_warnings, told_apart
from simkit.analysis.comparison import compare
from simkit.analysis.intervals import share
from simkit.analysis.results import Results
from simkit.analysis.summary import summarise


def warnings_of(folder: Path) -> list[str]:
    results = Results(folder)
    return sample_warnings(results, summarise(results))


def with_winners(synthetic: ModuleType, folder: Path, winners: list[str]) -> Path:
    synthetic.generate(folder, len(winners), combats=False, chunk=10_000)
    part = next((folder / "runs.parquet").glob("*.parquet"))
    pd.read_parquet(part).assign(winner=winners).to_parquet(part)
    return folder


def test_a_large_clear_sample_needs_no_warning(three_variants: Results) -> None:
    assert sample_warnings(three_variants, summarise(three_variants)) == []
    table = compare(three_variants)
    assert comparison_warnings(table[table["variant"] == "weaker-union"]) == []


def test_few_battles(synthetic: ModuleType, tmp_path: Path) -> None:
    winners = ["Union"] * 30 + ["Confederate"] * 10 + ["draw"] * 10
    first, *_ = warnings_of(with_winners(synthetic, tmp_path / "r", winners))
    assert first.startswith("Only 50 battles")
    assert "14 points" in first
    assert "385 battles" in first


def test_sides_that_cannot_be_told_apart(synthetic: ModuleType, tmp_path: Path) -> None:
    winners = ["Union"] * 106 + ["Confederate"] * 94 + ["draw"] * 200
    (sentence,) = warnings_of(with_winners(synthetic, tmp_path / "r", winners))
    assert "does not tell which side wins more often" in sentence
    assert "3.0 points" in sentence
    assert "2,200 battles" in sentence  # 1.96 squared x 0.499 / 0.03 squared = 2,130


def test_a_rare_outcome(synthetic: ModuleType, tmp_path: Path) -> None:
    winners = ["Union"] * 297 + ["draw"] * 3
    draw = warnings_of(with_winners(synthetic, tmp_path / "r", winners))
    assert any(s.startswith("A Confederate victory never came up in 300 battles") for s in draw)
    assert any(s.startswith("A draw came up only 3 times in 300 battles") for s in draw)


def test_one_battle(synthetic: ModuleType, tmp_path: Path) -> None:
    first, *_ = warnings_of(with_winners(synthetic, tmp_path / "r", ["Union"]))
    assert first.startswith("Only one battle:")


def test_a_difference_that_may_be_luck(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 120, ("base", "weaker-union"), combats=False)
    part = next((folder / "runs.parquet").glob("weaker-union*.parquet"))
    base = pd.read_parquet(next((folder / "runs.parquet").glob("base*.parquet")))
    changed = base["winner"].where(base["run"] != base[base["winner"] == "Union"]["run"].iloc[0], "draw")
    pd.read_parquet(part).assign(winner=changed).to_parquet(part)
    sentence, *_ = comparison_warnings(compare(Results(folder)))
    assert "how often the Union side wins stays open" in sentence
    assert "-0.8 points" in sentence
    assert "takes about" in sentence


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.41, "41 %"),
        (0.032, "3.2 %"),
        (0.0004, "0.04 %"),
        (0, "0 %"),
        (1, "100 %"),
        (0.995, "99.5 %"),
        (0.999, "99.9 %"),
    ],
)
def test_percent(value: float, words: str) -> None:
    assert percent(value).replace("\N{NO-BREAK SPACE}", " ") == words


def test_rare_is_fewer_than_five_of_either_kind() -> None:
    assert rare(share(4, 100))
    assert rare(share(96, 100))
    assert not rare(share(5, 100))
    assert not rare(share(0, 100))


def test_told_apart_is_the_sign_test() -> None:
    assert told_apart(share(60, 100), share(30, 100))
    assert not told_apart(share(52, 100), share(48, 100))
    assert not told_apart(share(0, 100), share(0, 100))


def test_battles_for_a_share() -> None:
    assert battles_for_share(0.05) == 385
    assert battles_for_share(0.03) == 1068
