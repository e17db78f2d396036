"""`simkit calibrate`, from its file to an ensemble that a study draws from."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pandas as pd

Command = Callable[..., tuple[int, str, str]]


def test_it_plays_the_points_judges_the_sets_and_goes_on(
    simkit_command: Command, calibration: str, tmp_path: Path
) -> None:
    asked, out = tmp_path / "fit.toml", tmp_path / "out"
    asked.write_text(calibration, encoding="utf-8")
    code, told, err = simkit_command("calibrate", str(asked), "--out", str(out), "--jobs", "1", "--quiet")
    assert (code, err) == (0, "")
    assert "2 numbers, 1 scenarios fitted" in told
    assert "dead_of_winter/skirmish (fitted)" in told
    points = pd.read_csv(out / "points.csv")
    assert list(points["round"]) == [0] * 5 + [1] * 2  # the book's own values stand before the design
    played = pd.concat([pd.read_parquet(part) for part in sorted(out.glob("round-0/*/runs*.parquet"))])
    assert list(played.groupby("variant").size()) == [2] * 5  # the first of them as "base"
    ensemble = tomllib.loads((out / "ensemble.toml").read_text(encoding="utf-8"))
    assert 2 <= len(ensemble["member"]) <= 7
    assert ensemble["ensemble"]["text"].endswith("of 7, each fitted by 2 battles of dead_of_winter/skirmish")
    judged = pd.concat([pd.read_parquet(part) for part in sorted(out.glob("judged/*/runs*.parquet"))])
    assert len(judged) == 5
    assert simkit_command("calibrate", str(asked), "--out", str(out), "--jobs", "1", "--quiet")[:2] == (0, told)


def test_a_number_of_battles_that_is_none_is_refused(
    simkit_command: Command, calibration: str, tmp_path: Path
) -> None:
    asked = tmp_path / "fit.toml"
    asked.write_text(calibration.replace("judging = 5", "judging = 0"), encoding="utf-8")
    code, _, err = simkit_command("calibrate", str(asked), "--out", str(tmp_path / "out"))
    assert code == 2
    assert "judging" in err and "fit.toml" in err


def test_a_run_draws_from_the_ensemble_of_its_book(simkit_command: Command, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = ("dead_of_winter/skirmish", "--runs", "30", "--seed", "1862", "--jobs", "1", "--out", str(out))
    code, told, _ = simkit_command("run", *asked, "--uncertainty", "--quiet")
    assert code == 0, told
    runs = pd.concat([pd.read_parquet(part) for part in sorted(out.glob("runs.parquet/*"))])
    assert runs["member"].nunique() == 2  # a block of 25 runs shares a set
