"""Calibrations, ensembles and maps that are wrong: told before anything is played, with file and line."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from simkit.calibrating import _quoted
from simkit.errors import InputError
from simkit.scenario import load
from simkit.scenario.calibrationfile import read_calibration
from simkit.scenario.check import check, sound_calibration

Command = Callable[..., tuple[int, str, str]]
FILE = """[calibration]
name = "c"
book = "dead_of_winter"
numbers = ["fire_losses"]
design = 4
keep = 2
commanders = { Union = "steady" }

[tolerance]
"guns lost" = 4

[[fit]]
scenario = "dead_of_winter/skirmish"

[[judge]]
scenario = "dead_of_winter/doomed_assault"
options = { fatigue = true }
"""
ENSEMBLE = """[ensemble]
name = "e"
text = "t"
source = "reconstructed"

[[member]]
numbers = { fire_losses = 1.0 }
misfit = 3e7

[[member]]
numbers = { fire_losses = 0.5 }
misfit = 0
"""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('"dead_of_winter"', '"gettysburg"', 'fit: dead_of_winter/skirmish is no scenario of the book gettysburg'),
        ('["fire_losses"]', '["fire_loses"]', 'line 4: nothing unknown is called "fire_loses"; did you mean'),
        ('["fire_losses"]', "[1]", "line 4: calibration.numbers.1: must be text in quotes, not 1"),
        ("design = 4", "design = 5", "a Sobol design has a power of two"),
        ('"fire_losses"]', '"fire_losses", "a", "b", "c", "d"]', "design: 4 points are too few"),
        ('Union = "steady"', 'Onion = "steady"', 'line 7: unknown side "Onion"'),
        ('Union = "steady"', 'Union = "stedy"', 'line 7: unknown doctrine "stedy"'),
        ('Union = "steady"', 'Union = "plan.toml"', "plan.toml"),
        ('"guns lost" = 4', '"guns loss" = 4', 'line 9: tolerance: history has no figure "guns loss"; did'),
        ('"guns lost" = 4', '"guns lost" = nan', "guns lost = nan; it must be more than 0"),
        ("skirmish", "skirmisch", 'line 13: unknown scenario "dead_of_winter/skirmisch"'),
        ("[[judge]]", '[[fit]]\nscenario = "dead_of_winter/skirmish"\n[[judge]]', "skirmish stands twice"),
        ("doomed_assault", "skirmish", "dead_of_winter/skirmish is fitted too"),
        ("doomed_assault", "day_before", "dead_of_winter/day_before: no history is recorded of it"),
        ("fatigue = true", "fatigued = true", 'line 17: unknown option "fatigued"; did you mean "fatigue"'),
        ("fatigue = true", 'optional = "Nobody"', 'line 17: '),
    ],
)  # fmt: skip
def test_calibrations(tmp_path: Path, simkit_command: Command, right: str, wrong: str, said: str) -> None:
    (tmp_path / "fit.toml").write_text(FILE.replace(right, wrong), encoding="utf-8")
    code, _, err = simkit_command("check", "fit.toml")
    assert (code, err.count("\n")) == (2, 1), err
    assert "fit.toml" in err and said in err, err


def test_what_is_wrong_in_the_last_line_is_told_before_anything_is_played(
    tmp_path: Path, simkit_command: Command
) -> None:
    (tmp_path / "fit.toml").write_text(FILE.replace("fatigue", "fatigued"), encoding="utf-8")
    code, _, err = simkit_command("calibrate", "fit.toml", "--out", "out")
    assert code == 2 and err.startswith('simkit: fit.toml, line 17: unknown option "fatigued"')
    assert not (tmp_path / "out").exists()


def test_a_calibration_into_a_file(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "fit.toml").write_text(FILE, encoding="utf-8")
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    code, _, err = simkit_command("calibrate", "fit.toml", "--out", "out")
    assert (code, err) == (2, "simkit: out: is a file; --out needs a folder\n")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_a_calibration_finds_its_scripts_beside_it(tmp_path: Path) -> None:
    (tmp_path / "fit.toml").write_text(FILE.replace('"steady"', '"plan.toml"'), encoding="utf-8")
    who = read_calibration(tmp_path / "fit.toml").calibration.commanders["Union"]
    assert Path(who) == tmp_path / "plan.toml"


def test_a_sound_calibration(tmp_path: Path) -> None:
    (tmp_path / "fit.toml").write_text(FILE, encoding="utf-8")
    assert sound_calibration(tmp_path / "fit.toml").file.judge[0].options == {"fatigue": True}
    assert check(tmp_path / "fit.toml") == "calibration: 1 number by 1 scenario"


@pytest.mark.parametrize("name", ['two\nlines "quoted"', "back\\slash", "bell\x07 and \x7f", "Chickamauga é"])
def test_any_name_of_a_calibration_can_be_read_back(name: str) -> None:
    assert tomllib.loads(f"name = {_quoted(name)}")["name"] == name


def test_an_ensemble_that_lies_in_no_book(tmp_path: Path) -> None:
    place = tmp_path / "ensemble.toml"
    place.write_text(ENSEMBLE, encoding="utf-8")
    assert check(place) == "ensemble: 2 sets of unknown numbers"
    place.write_text(ENSEMBLE.replace("fire_losses = 0.5", "fire_losses = 50.0"), encoding="utf-8")
    with pytest.raises(InputError, match=r"ensemble.toml, line 10: numbers: fire_losses is 50; it can be"):
        check(place)


def test_check_reads_the_ensemble_of_a_study(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    head = '[study]\nname = "s"\nscenario = "dead_of_winter/skirmish"\n'
    study.write_text(f'{head}uncertainty = "sets.toml"\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"study.toml, line 4: .*sets.toml: no such file"):
        check(study)
    (tmp_path / "sets.toml").write_text(ENSEMBLE, encoding="utf-8")
    assert check(study).startswith("study: 1,000 battles")
    (tmp_path / "sets.toml").write_text(ENSEMBLE.replace("misfit = 0", "misfit = nan"), encoding="utf-8")
    with pytest.raises(InputError, match=r"sets.toml, line 12: member.2.misfit"):
        check(study)


def test_a_map_is_drawn_of_a_scenario_file(
    tmp_path: Path, simkit_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr("simkit.report.mapsheets.write_pictures", lambda path, _: asked.append(path) or [])
    known = load("dead_of_winter/skirmish")
    whose = known.folder / "scenarios" / "skirmish.toml"
    (tmp_path / "my.toml").write_text(whose.read_text(encoding="utf-8"), encoding="utf-8")
    drawing = known.folder / known.scenario.map
    for what in ("dead_of_winter/skirmish", "my.toml", str(drawing)):
        assert simkit_command("map", what)[0] == 0
    assert asked == [drawing] * 3
