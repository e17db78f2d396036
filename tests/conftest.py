"""What tests share: `simkit` as a user runs it, and made-up results folders with a known truth."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

import simkit
from simkit.analysis.results import Results
from simkit.cli import main

Command = Callable[..., tuple[int, str, str]]
"""Runs `simkit` with arguments; gives exit code, standard output and standard error."""

CALIBRATION = """
[calibration]
name = "A small fit"
book = "dead_of_winter"
numbers = ["fire_losses", "cohesion_union"]
design = 4
rounds = 1
points = 2
runs = 3
keep = 2

[tolerance]
"strength at the end" = 2

[[fit]]
scenario = "dead_of_winter/skirmish"
runs = 2
judging = 5
"""


def _environment() -> dict[str, str]:
    # The package under test, also when it is imported from the source tree.
    home = str(Path(simkit.__file__).resolve().parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]), "NO_COLOR": "1"}


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start `simkit` with arguments in the test's folder, in a process group of its own."""

    def started(arguments: Sequence[str], **options: object) -> subprocess.Popen[str]:
        return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
            [sys.executable, "-m", "simkit.cli", *arguments],
            cwd=tmp_path, env=_environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True, **options,
        )  # fmt: skip

    return started


@pytest.fixture
def calibration() -> str:
    """A calibration file of two numbers and seven points, played in seconds."""
    return CALIBRATION


@pytest.fixture
def simkit_process(start: Callable[..., subprocess.Popen[str]]) -> Command:
    """Run `simkit` with arguments in the test's folder, in a process of its own.

    Gives exit code, standard output and standard error.
    """

    def run(*arguments: str, **options: object) -> tuple[int, str, str]:
        process = start(arguments, **options)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    return run


@pytest.fixture
def simkit_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `simkit` with arguments in the test's folder, in this process: the same as above, without a new interpreter.

    An exception that a user would see as a traceback fails the test.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["simkit", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def _loaded(name: str, place: str) -> ModuleType:
    """A module of the tests; they stand in no package, so it is loaded by its path."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def field() -> type:
    """The class Field of the rule tests, a small battle: call it with columns and rows."""
    made: type = _loaded("rule_fields", "rules/conftest.py").Field
    return made


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """The module that makes results folders up."""
    return _loaded("synthetic_folder", "analysis/synthetic_folder.py")


@pytest.fixture(scope="session")
def three_variants(synthetic: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """600 battles of each of three variants, with combats."""
    folder = tmp_path_factory.mktemp("results") / "three"
    return Results(synthetic.generate(folder, 600, ("base", "weaker-union", "aggressive-cautious"), seed=11))


@pytest.fixture(scope="session")
def one_variant(synthetic: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """400 battles of one variant, without combats."""
    return Results(synthetic.generate(tmp_path_factory.mktemp("results") / "one", 400, combats=False))
