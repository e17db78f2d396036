"""Notebooks are pairs of percent scripts: each runs from top to bottom, here with few battles, in full with nbmake."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import simkit

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))
LONG = ("bragg_at_dawn",)
"""Notebooks that play larger battles, which take minutes where the engine is interpreted."""


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_cells_of_both_kinds(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ---\n# jupyter:\n")
    assert "\n# %% [markdown]\n" in text
    assert re.search(r"^# %%$", text, re.MULTILINE)


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.slow] * (path.stem in LONG), id=path.stem) for path in NOTEBOOKS]
)
def test_a_notebook_runs(path, tmp_path):
    text, counted = re.subn(r"^RUNS = \d+$", "RUNS = 2", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert counted == 1
    short = tmp_path / path.name
    short.write_text(f"{text}\n", encoding="utf-8")
    surroundings = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(simkit.__file__).resolve().parents[1])}
    done = subprocess.run([sys.executable, str(short)], cwd=tmp_path, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "the answer is printed"
