"""What the tests of the build share: the source tree, a reduced copy of it, and the wheel that pip makes of one."""

import os
import runpy
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tree() -> Path:
    """The source tree that these tests lie in."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tree_sources(tree: Path) -> dict[str, Path]:
    """The engine's modules in the source tree, by name."""
    sources: Callable[[Path], dict[str, Path]] = runpy.run_path(str(tree / "simkit" / "engine.py"))["sources"]
    return sources(tree / "simkit")


@pytest.fixture
def reduced_copy(tree: Path, tmp_path: Path) -> Path:
    """A copy of the project with the real build files, whose engine is `simkit.model` alone, quick to compile."""
    copy = tmp_path / "copy"
    (copy / "simkit").mkdir(parents=True)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(tree / name, copy)
    for name in ("__init__.py", "engine.py", "errors.py", "py.typed"):
        shutil.copy(tree / "simkit" / name, copy / "simkit")
    shutil.copytree(tree / "simkit" / "model", copy / "simkit" / "model", ignore=shutil.ignore_patterns("__pycache__"))
    return copy


class Wheel:
    """A wheel, what pip said while it was built, and what lies in it."""

    def __init__(self, file: Path, output: str) -> None:
        self.file = file
        self.output = output
        with zipfile.ZipFile(file) as archive:
            self.names = archive.namelist()

    @property
    def extensions(self) -> list[str]:
        """The C extensions in the wheel."""
        return [name for name in self.names if name.endswith((".so", ".pyd"))]

    def ask(self, code: str, tmp_path: Path) -> list[str]:
        """The lines that a program prints that sees this wheel's content as `simkit` and no other one."""
        unpacked = tmp_path / "unpacked"
        with zipfile.ZipFile(self.file) as archive:
            archive.extractall(unpacked)
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={**os.environ, "PYTHONPATH": str(unpacked)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture
def build_wheel(tmp_path: Path) -> Callable[..., Wheel]:
    """A function that builds a folder's wheel, with changes of the environment, by the tools installed."""
    pytest.importorskip("setuptools", minversion="77")
    pytest.importorskip("mypyc")

    def build(source: Path, **environment: str) -> Wheel:
        out = tmp_path / "wheels"
        pip = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation"]
        done = subprocess.run(
            [*pip, "-w", str(out), str(source)],
            env={**os.environ, "SIMKIT_PURE": "", "SIMKIT_PROFILE": "", **environment},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (file,) = out.glob("*.whl")
        return Wheel(file, done.stdout + done.stderr)

    return build
