"""The table of all scenarios that benchmarks/scenarios.py prints: its order, its cells, and how long it plays."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from simkit.analysis.history import COLUMNS, Comparison
from simkit.analysis.results import Results
from simkit.api import experiment
from simkit.errors import InputError
from simkit.scenario import build, load

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SKIRMISH = "dead_of_winter/skirmish"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("scenarios", BENCHMARKS / "scenarios.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _compared(*rows: tuple[object, ...]) -> Comparison:
    table = pd.DataFrame(rows, columns=["figure", "side", "of", "historical", "mean", "low", "high", "inside"])
    return Comparison(table.reindex(columns=list(COLUMNS)), 8, "It was fought.")


def test_scenarios_stand_by_their_numbers(script: ModuleType) -> None:
    asked = [f"dead_of_winter/{name}" for name in ("meeting_engagement", "hardee_at_high_tide", "skirmish")]
    assert sorted(asked, key=script.rank) == asked[::-1]
    assert [script.number(load(name)) for name in asked] == ["10.0", "2.0", ""]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--battles", "0"], "must be a whole number from 1, not 0"),
        (["--battles", "-3"], "must be a whole number from 1, not -3"),
        (["--workers", "two"], "must be a whole number from 1, not two"),
        (["--seconds", "nan"], "must be a number of seconds, more than 0, not nan"),
        (["--seconds", "soon"], "must be a number of seconds, more than 0, not soon"),
    ],
)
def test_numbers_that_are_none(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str],
    said: str,
) -> None:  # fmt: skip
    monkeypatch.setattr("sys.argv", ["scenarios.py", SKIRMISH, *arguments])
    with pytest.raises(SystemExit) as ended:
        script.main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_battles_of_another_kind_do_not_count(script: ModuleType, tmp_path: Path) -> None:
    job = experiment(SKIRMISH, tmp_path / "out", runs=2, seed=7, jobs=1)
    job.run()
    with pytest.raises(InputError, match="holds the results of something else"):
        script.play(SKIRMISH, tmp_path / "out", 1, 1, 1.0)


def test_the_cells_of_a_row(script: ModuleType, synthetic: ModuleType, tmp_path: Path) -> None:
    units = pd.DataFrame([
        synthetic.one_unit(run, unit, 6, lost_shock=lost * (unit == "1-1-rw/59-il"))
        for run, lost in enumerate((0, 1, 1, 4)) for unit in ("1-1-rw/59-il", "4-1-p/29-tn")
    ])  # fmt: skip
    outcomes = pd.DataFrame(
        {"run": range(4), "variant": "base", "winner": ["Union", "draw", "Union", "Union"], "level": "win"}
    )
    runs = synthetic.runs_from_units(units, outcomes)
    folder = synthetic.write_tables(tmp_path / "out", runs, units, None, synthetic.manifest(4, ["base"]))
    played = script.Played(Results(folder), battles=4, seconds=8.0)
    cells = dict(zip(script.HEADS, script.row(build(load(SKIRMISH)), played, None), strict=True))
    assert (cells["scenario"], cells["turns"], cells["units"]) == ("Skirmish of December 30th", "1", "31")
    assert (cells["battles"], cells["a second"]) == ("4", "0.5")
    # Wilson's interval of 3 in 4
    assert cells["Union wins"].replace("\N{NO-BREAK SPACE}", " ") == "75 % (30 to 95)"
    assert cells["Confederate wins"].startswith("0") and cells["draws"].startswith("25")
    assert cells["Union loses"] == "1.5 (0 to 4)"
    assert cells["beside history"] == "supposed, no history"
    shares = [int(part) for part in cells["printed/derived/reconstructed"].split("/")]
    assert 99 <= sum(shares) <= 101 and min(shares) > 0
    swift = script.row(build(load(SKIRMISH)), played._replace(battles=1234, seconds=10.0), None)
    assert dict(zip(script.HEADS, swift, strict=True))["a second"] == "120"


def test_losses_of_whole_sides_are_shown_before_those_of_divisions(script: ModuleType) -> None:
    side = ("strength points lost", "Union", "all who took part", 20.0, 12.5, 8.0, 15.0, False)
    fewer = ("strength points fewer", "Confederate", "14 regiments", 3, 4.0, 1.0, 8.0, True)
    division = ("strength points lost", "Union", "1/RW", 7.5, 6.0, 2.0, 9.0, True)
    brigade = ("strength points lost", "Union", "1/1/RW", 2.0, 2.0, 1.0, 3.0, True)
    guns = ("guns lost", "Union", "1/RW", 5, 1.0, 0.0, 2.0, False)
    assert script.beside(_compared(side, fewer, division, brigade, guns)) == (
        "Union: **20** lost, 12.5 (8 to 15); Confederate, 14 regiments: 3 fewer, 4 (1 to 8)"
    )
    assert script.beside(_compared(division, brigade, guns)) == "Union, 1/RW: 7.5 lost, 6 (2 to 9)"
    assert script.beside(_compared(guns)) == "no losses known"


def test_battles_that_are_there_count(script: ModuleType, tmp_path: Path) -> None:
    first = script.play(SKIRMISH, tmp_path / "out", workers=1, battles=1, seconds=0)
    assert (first.battles, len(first.results.runs)) == (1, 1)
    more = script.play(SKIRMISH, tmp_path / "out", workers=1, battles=3, seconds=0)
    assert (more.battles, len(more.results.runs)) == (2, 3)
    again = script.play(SKIRMISH, tmp_path / "out", workers=1, battles=2, seconds=0)
    assert (again.battles, len(again.results.runs)) == (3, 3)


def test_without_a_number_it_plays_for_about_so_long(script: ModuleType, tmp_path: Path) -> None:
    played = script.play(SKIRMISH, tmp_path / "out", workers=1, battles=None, seconds=0.5)
    assert played.seconds >= 0.5
    assert played.battles == len(played.results.runs) - 1  # the first told the pace
    assert played.rate == played.battles / played.seconds
