"""A run that is stopped, killed, or out of room: what is on disk is whole, and the same command goes on."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simkit.analysis.results import Results
from simkit.batch.store import UNFINISHED

SCENARIO = "dead_of_winter/skirmish"
Command = Callable[..., tuple[int, str, str]]

# Whoever does nothing is quick to play, so that the tests need not wait for battles.
IDLE = """
import os, pathlib, signal, time
from simkit.rules.commander import Commander

class Idle(Commander):
    def act(self, series, brigades):
        pass

    def shocks(self, series, brigades):
        return []

class Slow(Idle):
    def deploy(self, series, side):
        time.sleep(0.05)

class Lethal(Idle):
    played = 0

    def deploy(self, series, side):
        # Kills its own process once, in the middle of the 25th battle that the process plays.
        Lethal.played += 1
        mark = pathlib.Path("killed")
        if Lethal.played == 25 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


def _arguments(folder: str, runs: int, jobs: int, union: str = "Idle") -> list[str]:
    who = ["--commander", f"Union=idle:{union}", "--commander", "Confederate=idle:Idle"]
    return ["run", SCENARIO, "--runs", str(runs), "--seed", "7", "--jobs", str(jobs), "--out", folder, "--quiet", *who]


@pytest.fixture(autouse=True)
def _idle(tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text(IDLE, encoding="utf-8")


def _whole(folder: Path) -> None:
    assert not list(folder.rglob(f"{UNFINISHED}*"))
    runs = {path.name for path in (folder / "runs.parquet").glob("*.parquet")}
    assert runs == {path.name for path in (folder / "units.parquet").glob("*.parquet")}


def _wait_for_a_chunk(
    folder: Path, process: subprocess.Popen[str], chunks: str = "runs.parquet/base-*.parquet"
) -> None:
    for _ in range(1200):
        if list(folder.glob(chunks)):
            return
        if process.poll() is not None:
            pytest.fail(f"ended before it was stopped: {process.communicate()}")
        time.sleep(0.05)
    pytest.fail("no chunk was written in time")


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c(tmp_path: Path, start: Callable[..., subprocess.Popen[str]], jobs: int) -> None:
    folder = tmp_path / "out"
    process = start(_arguments("out", 10_000, jobs, "Slow"))
    _wait_for_a_chunk(folder, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: parent and workers
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "simkit: stopped; out keeps what was complete, the same command goes on"
    _whole(folder)
    manifest = Results(folder).manifest
    assert manifest["finished"] is None
    assert 0 < manifest["runs_done"] == len(Results(folder).runs) < 10_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_and_resumed(tmp_path: Path, simkit_process: Command, jobs: int) -> None:
    arguments = _arguments("out", 80, jobs, "Lethal")
    code, _, err = simkit_process(*arguments)
    if jobs == 1:
        assert code == -signal.SIGKILL  # the battles are played in the command's own process
    else:
        assert code == 2
        assert "a worker process was killed" in err
        assert "Traceback" not in err
        _whole(tmp_path / "out")
    before = len(list((tmp_path / "out" / "runs.parquet").glob("*.parquet")))
    assert 0 < before < 8
    code, _, err = simkit_process(*arguments)
    assert (code, err) == (0, "")
    _whole(tmp_path / "out")
    results = Results(tmp_path / "out")
    assert list(results.runs.run) == list(range(80))
    assert results.manifest["finished"] is not None


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_that_vanishes(tmp_path: Path, start: Callable[..., subprocess.Popen[str]], jobs: int) -> None:
    process = start(_arguments("out", 120, jobs, "Slow"))
    _wait_for_a_chunk(tmp_path / "out", process)
    (tmp_path / "out").rename(tmp_path / "elsewhere")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert err.count("\n") == 1
    assert "battles are in it, though all were played" in err or "cannot be written: No such file" in err


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))


@pytest.mark.parametrize("jobs", [1, 2])
def test_full_disk(tmp_path: Path, simkit_process: Command, jobs: int) -> None:
    arguments = _arguments("out", 20, jobs)
    code, out, err = simkit_process(*arguments, preexec_fn=_small_files)
    assert code == 2
    assert out == ""
    assert err.startswith("simkit: ")
    assert "cannot be written: File too large" in err
    assert err.count("\n") == 1
    assert not list((tmp_path / "out").rglob(f"{UNFINISHED}*"))
    assert not list((tmp_path / "out").rglob("*.parquet/*"))
    code, _, err = simkit_process(*arguments)
    assert (code, err) == (0, "")
    assert list(Results(tmp_path / "out").runs.run) == list(range(20))


def test_a_folder_that_cannot_be_written(tmp_path: Path, simkit_process: Command) -> None:
    (tmp_path / "file").write_text("no folder")
    code, _, err = simkit_process(*_arguments("file/out", 5, 1))
    assert code == 2
    assert err.startswith("simkit: file")
    assert err.count("\n") == 1


def _calibrate(tmp_path: Path, calibration: str, folder: str) -> list[str]:
    (tmp_path / "fit.toml").write_text(calibration, encoding="utf-8")
    return ["calibrate", "fit.toml", "--out", folder, "--jobs", "1", "--quiet"]


@pytest.mark.parametrize(("how", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_calibration_that_is_stopped_goes_on(
    tmp_path: Path,
    start: Callable[..., subprocess.Popen[str]],
    simkit_process: Command,
    calibration: str,
    how: int,
    code: int,
) -> None:
    """It ends with the very files of one that nobody has stopped."""
    arguments = _calibrate(tmp_path, calibration, "out")
    process = start(arguments)
    _wait_for_a_chunk(tmp_path / "out", process, "round-0/*/runs.parquet/*.parquet")
    os.killpg(process.pid, how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in err
    assert not (tmp_path / "out" / "ensemble.toml").exists()
    told = simkit_process(*arguments)
    assert (told[0], told[2]) == (0, "")
    assert simkit_process(*_calibrate(tmp_path, calibration, "other"))[0] == 0
    for name in ("points.csv", "ensemble.toml"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_a_calibration_on_a_full_disk(tmp_path: Path, simkit_process: Command, calibration: str) -> None:
    arguments = _calibrate(tmp_path, calibration, "out")
    code, _, err = simkit_process(*arguments, preexec_fn=_small_files)
    assert code == 2
    assert err.startswith("simkit: ")
    assert "cannot be written: File too large" in err
    assert err.count("\n") == 1
    assert simkit_process(*arguments)[0] == 0
