"""The results of an experiment: the same for any number of workers, any chunk size, and in one go or in pieces."""

import gc
import json
from pathlib import Path

import pandas as pd
import pytest

import simkit
from simkit.analysis.results import Results
from simkit.api import experiment, run
from simkit.batch import worker
from simkit.batch.engine import Battlefield
from simkit.batch.experiment import Experiment, chunk_size
from simkit.batch.seeds import key_words
from simkit.batch.spec import BattleSpec
from simkit.errors import InputError
from simkit.rules.commander import Commander
from simkit.scenario.study import Study

SCENARIO = "dead_of_winter/skirmish"
RUNS = 12
TABLES = ("runs", "units", "commands", "ground", "combats")


def _play(folder: Path, runs: int = RUNS, jobs: int = 1, chunk: int | None = None, seed: int = 1862) -> Results:
    experiment(SCENARIO, folder, runs=runs, seed=seed, jobs=jobs, chunk=chunk, combats=True).run()
    return Results(folder)


def _same(one: Results, other: Results) -> None:
    for table in TABLES:
        pd.testing.assert_frame_equal(_sorted(getattr(one, table)), _sorted(getattr(other, table)))


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({"variant": str}).sort_values(["variant", "run"], kind="stable").reset_index(drop=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return _play(tmp_path_factory.mktemp("whole") / "out")


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 1), (2, 5), (2, RUNS)])
def test_results_depend_on_neither_workers_nor_chunks(whole: Results, tmp_path: Path, jobs: int, chunk: int) -> None:
    _same(whole, _play(tmp_path / "out", jobs=jobs, chunk=chunk))


def test_an_extended_folder_equals_one_made_at_once(whole: Results, tmp_path: Path) -> None:
    _play(tmp_path / "out", runs=7)
    _play(tmp_path / "out", runs=RUNS, chunk=4)
    _same(whole, Results(tmp_path / "out"))


def test_a_folder_with_holes_is_filled(whole: Results, tmp_path: Path) -> None:
    _play(tmp_path / "out", chunk=4)
    for table, name in (("runs", "base-000000000-000000003"), ("runs", "base-000000008-000000011")):
        (tmp_path / "out" / f"{table}.parquet" / f"{name}.parquet").unlink()
    manifest = tmp_path / "out" / "manifest.json"
    data = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**data, "finished": None, "runs_done": 4}))
    _play(tmp_path / "out", chunk=3)
    _same(whole, Results(tmp_path / "out"))


def test_the_books_of_a_unit_balance(whole: Results) -> None:
    units = whole.units
    lost = units.filter(like="lost_").sum(axis=1)
    assert (units.sp_start + units.sp_recovered - lost == units.sp_end).all()
    assert (units[units.place == "map"].hex != "").all()
    assert units.groupby("run", observed=True).size().nunique() == 1


def test_runs_are_the_sums_of_units(whole: Results) -> None:
    units, runs = whole.units, whole.runs.set_index("run")
    units = units.assign(lost=units.filter(like="lost_").sum(axis=1))
    for side in ("Union", "Confederate"):
        mine = units[units.side == side]
        guns, line = mine[mine.kind == "artillery"], mine[mine.kind != "artillery"]
        for column, rows, value in (
            (f"sp_start_{side}", line, "sp_start"),
            (f"sp_lost_{side}", line, "lost"),
            (f"guns_start_{side}", guns, "sp_start"),
            (f"guns_lost_{side}", guns, "lost"),
            (f"units_ever_routed_{side}", mine, "ever_routed"),
            (f"units_collapsed_{side}", mine, "collapsed"),
        ):
            summed = rows.groupby("run", observed=True)[value].sum()
            assert (runs[column] == summed).all(), column
        routed = mine[mine.place == "routed"].groupby("run", observed=True).size()
        assert (runs[f"units_routed_{side}"] == routed.reindex(runs.index, fill_value=0)).all()


def test_combats_are_as_many_as_were_counted(whole: Results) -> None:
    combats, runs = whole.combats, whole.runs.set_index("run")
    for side in ("Union", "Confederate"):
        mine = combats[combats.side == side]
        for kind in ("fire", "shock"):
            counted = mine[mine.kind == kind].groupby("run", observed=True).size().reindex(runs.index, fill_value=0)
            assert (runs[f"{kind}s_{side}"] == counted).all(), (side, kind)


def test_battles_differ_from_each_other(whole: Results) -> None:
    assert len(whole.runs[["winner", "sp_lost_Union", "sp_lost_Confederate", "fires_Union"]].drop_duplicates()) > 5


def test_another_seed_gives_other_battles(whole: Results, tmp_path: Path) -> None:
    other = _play(tmp_path / "out", seed=1863)
    assert not whole.units.equals(other.units)


def test_variants_meet_the_same_dice(tmp_path: Path) -> None:
    study = Study.model_validate(
        {
            "name": "twins",
            "scenario": SCENARIO,
            "runs": 6,
            "seed": 3,
            "variant": [{"name": "twin"}, {"name": "weaker", "change": [{"side": "Union", "strength": -1}]}],
        }
    )
    experiment(study, tmp_path / "out", jobs=2, chunk=2).run()
    results = Results(tmp_path / "out")
    units = results.units
    base, twin, weaker = (
        units[units.variant == name].sort_values("run", kind="stable").drop(columns="variant").reset_index(drop=True)
        for name in ("base", "twin", "weaker")
    )
    pd.testing.assert_frame_equal(base, twin)
    union, line = base.side == "Union", base.kind != "artillery"
    assert (weaker.sp_start[union & line] == (base.sp_start[union & line] - 1).clip(lower=1)).all()
    assert (weaker.sp_start[~union] == base.sp_start[~union]).all()


def test_the_manifest_says_what_was_played(whole: Results) -> None:
    manifest = whole.manifest
    assert manifest["format"] == 1
    assert manifest["scenario"] == SCENARIO
    assert manifest["commanders"] == {"Union": "steady", "Confederate": "steady"}
    assert (manifest["seed"], manifest["entropy"]) == (1862, 1862)
    assert (manifest["runs_asked"], manifest["runs_done"]) == (RUNS, RUNS)
    assert manifest["engine"]["version"] == simkit.__version__
    assert len(manifest["engine"]["signature"]) == 16
    assert isinstance(manifest["engine"]["compiled"], bool)
    assert len(manifest["hashes"]["code"]) == len(manifest["hashes"]["data"]) == 64
    assert {"numpy", "pandas", "pyarrow"} <= set(manifest["packages"])
    assert manifest["duration"] > 0
    assert manifest["finished"] >= manifest["started"]


def test_nothing_but_the_promised_files_is_written(whole: Results) -> None:
    assert {path.name for path in whole.folder.iterdir()} == {
        "manifest.json",
        "runs.parquet",
        "units.parquet",
        "commands.parquet",
        "ground.parquet",
        "combats.parquet",
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"runs": RUNS}, "already holds these 12 runs; give more --runs"),
        ({"runs": RUNS - 1}, "fewer"),
        ({"runs": RUNS * 2, "seed": 5}, "seed 1862 there, 5 here"),
        ({"runs": RUNS * 2, "combats": False}, "combats True there, False here"),
        ({"runs": RUNS * 2, "commanders": {"Union": "cautious"}}, "commanders"),
        ({"runs": RUNS * 2, "options": {"crests": "no"}}, "options"),
    ],
)
def test_a_folder_takes_nothing_that_does_not_belong_to_it(whole: Results, change: dict, said: str) -> None:
    asked = {"seed": 1862, "combats": True, "jobs": 1, **change}
    before = {path: path.read_bytes() for path in whole.folder.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=said):
        experiment(SCENARIO, whole.folder, **asked).run()
    assert {path: path.read_bytes() for path in whole.folder.rglob("*") if path.is_file()} == before


def test_without_a_seed_the_folder_keeps_its_own(tmp_path: Path) -> None:
    first = experiment(SCENARIO, tmp_path / "out", runs=2, jobs=1).run()
    more = experiment(SCENARIO, tmp_path / "out", runs=4, jobs=1).run()
    assert first.seed == more.seed


def test_run_from_python_without_a_folder() -> None:
    results = run(SCENARIO, runs=3, seed=1, jobs=1)
    folder = results.folder
    assert len(results.runs) == 3
    assert folder.is_dir()
    del results
    assert not folder.exists()


def test_run_from_python_opens_a_finished_folder_again(tmp_path: Path) -> None:
    one = run(SCENARIO, runs=3, seed=1, jobs=1, out=tmp_path / "out")
    other = run(SCENARIO, runs=3, seed=1, jobs=1, out=tmp_path / "out")
    pd.testing.assert_frame_equal(one.runs, other.runs)


class Idle(Commander):
    """Does nothing."""

    def act(self, series, brigades) -> None:  # type: ignore[no-untyped-def]
        return None

    def shocks(self, series, brigades):  # type: ignore[no-untyped-def]
        return []


class Tired(Idle):
    """Gives up."""

    def act(self, series, brigades) -> None:  # type: ignore[no-untyped-def]
        raise RuntimeError("enough")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_class_of_the_users_own_plays(jobs: int) -> None:
    results = run(SCENARIO, runs=4, seed=1, jobs=jobs, commanders={"Union": Idle, "Confederate": "steady"})
    assert len(results.runs) == 4
    assert results.manifest["commanders"]["Union"].endswith(":Idle")
    assert (results.runs.shocks_Union == 0).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_class_that_raises_is_named(tmp_path: Path, jobs: int) -> None:
    with pytest.raises(InputError, match=r"Tired: act fails: RuntimeError: enough \(test_experiment.py, line \d+\)"):
        run(SCENARIO, runs=4, seed=1, jobs=jobs, commanders={"Union": Tired}, out=tmp_path / "out")


def test_a_folder_without_a_battle_may_become_another(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="act fails"):
        run(SCENARIO, runs=4, seed=1, jobs=1, commanders={"Union": Tired}, out=tmp_path / "out")
    results = run(SCENARIO, runs=2, seed=2, jobs=1, commanders={"Union": Idle}, out=tmp_path / "out")
    assert len(results.runs) == results.manifest["runs_done"] == 2


@pytest.mark.parametrize(("jobs", "said"), [(0, "jobs: must lie between 1 and 256, not 0"), (9999, "not 9999")])
def test_absurd_numbers_of_jobs(tmp_path: Path, jobs: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        run(SCENARIO, runs=1, jobs=jobs, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_chunks_follow_the_pace_within_limits() -> None:
    assert [chunk_size(runs, None) for runs in (1, 100_000)] == [10, 10]
    assert [chunk_size(runs, 0.0025) for runs in (1, 320, 1000, 100_000)] == [10, 10, 32, 500]
    assert [chunk_size(100_000, seconds) for seconds in (0.1, 2.0, 60.0)] == [40, 2, 1]


def test_a_battle_that_is_forgotten_leaves_the_memory() -> None:
    """A pool of workers plays one experiment after the other, as a calibration does: only the latest battle is kept."""
    spec = BattleSpec("base", SCENARIO, {}, ("steady", "steady"), (), {}, (), key_words(1), combats=False, home=".")
    frozen = []
    for name in ("one", "two", "three"):
        worker.battlefield(name, spec)
        frozen.append(gc.get_freeze_count())
    assert frozen[2] - frozen[1] < 0.1 * frozen[1]


def test_only_the_battles_used_last_are_kept() -> None:
    """A hundred variants, as the points of a calibration are, would not all go into memory."""
    specs = [
        BattleSpec(f"v{at}", SCENARIO, {}, ("steady", "steady"), (), {}, (), key_words(1), combats=False, home=".")
        for at in range(worker.MOST_KEPT + 1)
    ]
    first = [worker.battlefield("many", spec) for spec in specs[:-1]]
    assert worker.battlefield("many", specs[0]) is first[0]
    worker.battlefield("many", specs[-1])
    assert worker.battlefield("many", specs[0]) is first[0]
    assert worker.battlefield("many", specs[1]) is not first[1]


def test_of_variants_that_differ_in_numbers_alone_one_is_built_before_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    whole = worker.battlefield

    def noted(token: str, spec: BattleSpec, member: int = -1) -> Battlefield:
        built.append(spec.variant)
        return whole(token, spec, member)

    monkeypatch.setattr(worker, "battlefield", noted)
    others = [{"name": f"p{at}", "numbers": {"fire_losses": at / 2}} for at in range(1, 4)]
    weaker = {"name": "weaker", "change": [{"side": "Union", "strength": -1}]}
    study = {"name": "Numbers", "scenario": SCENARIO, "runs": 1, "seed": 1}
    Experiment(Study.model_validate({**study, "variants": [*others, weaker]}), tmp_path / "out")._manifest()
    assert built == ["base", "weaker"]
    others[1]["numbers"] = {"fire_losses": 99.0}
    asked = Experiment(Study.model_validate({**study, "variants": others}), tmp_path / "out", jobs=1)
    with pytest.raises(InputError, match="fire_losses is 99; it can be"):
        asked.run()
    assert not (tmp_path / "out").exists()
