"""The compiled engine and its interpreted twin, the same files run from the source tree, play the same battles."""

import importlib.util
import os
import re
import subprocess
import sys
from importlib.machinery import ExtensionFileLoader
from pathlib import Path

import pandas as pd
import pytest

from simkit import engine

SCENARIO = "dead_of_winter/skirmish"
RUNS = 200


@pytest.fixture(scope="module", autouse=True)
def _installed(tree: Path) -> None:
    if engine.ROOT.parent == tree:
        pytest.skip("simkit is imported from the source tree: there is no installed one to compare it with")


def simkit(words: list[str], cwd: Path, source: Path | None = None) -> str:
    """What the console command prints; as installed, or from a source tree."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    command = [sys.executable, "-P", "-c", "import sys; from simkit.cli import main; sys.exit(main())", *words]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def signature(output: str) -> str:
    found = re.search(r"signature\W+([0-9a-f]{8,})", output)
    assert found, output
    return found[1]


def table(folder: Path, name: str) -> pd.DataFrame:
    frame = pd.read_parquet(folder / name)
    keys = [key for key in ("variant", "run", "unit") if key in frame.columns]
    return frame.sort_values(keys, kind="stable").reset_index(drop=True)


def test_the_installed_engine_is_whole() -> None:
    loaders = {name: importlib.util.find_spec(name) for name in engine.modules()}
    extensions = [name for name, spec in loaders.items() if spec and isinstance(spec.loader, ExtensionFileLoader)]
    assert extensions == (engine.modules() if engine.compiled() else [])
    assert engine.compiled() or engine.build_note(), "an interpreted installation says why it is one"


def test_the_installed_code_is_that_of_the_tree(tree: Path, tmp_path: Path) -> None:
    code = "from simkit import engine; print(engine.ROOT, engine.code_hash())"
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(tree / "simkit"), engine.code_hash()]


@pytest.mark.slow
def test_the_same_battles_have_the_same_runs(tree: Path, tmp_path: Path) -> None:
    words = ["run", SCENARIO, "--runs", str(RUNS), "--seed", "1862", "--quiet", "--combats"]
    simkit([*words, "--jobs", "1", "--out", str(tmp_path / "installed")], tmp_path)
    simkit([*words, "--jobs", "2", "--out", str(tmp_path / "tree")], tmp_path, source=tree)
    for name in ("runs.parquet", "units.parquet"):
        installed, interpreted = table(tmp_path / "installed", name), table(tmp_path / "tree", name)
        assert len(installed) >= RUNS
        pd.testing.assert_frame_equal(installed, interpreted)
    installed, interpreted = (pd.read_parquet(tmp_path / side / "combats.parquet") for side in ("installed", "tree"))
    order = ["run"]  # the rows of one run are written in the order of its log
    pd.testing.assert_frame_equal(
        installed.sort_values(order, kind="stable", ignore_index=True),
        interpreted.sort_values(order, kind="stable", ignore_index=True),
    )


@pytest.mark.slow
def test_the_same_battles_have_the_same_signature(tree: Path, tmp_path: Path) -> None:
    installed, interpreted = simkit(["bench"], tmp_path), simkit(["bench"], tmp_path, source=tree)
    assert signature(installed) == signature(interpreted)
    assert "interpreted" in interpreted
