"""What the project says of itself in more than one place agrees."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

import simkit
from simkit import engine

TEXTS = (".csv", ".md", ".py", ".toml")


@pytest.fixture(scope="module")
def project(tree: Path) -> dict[str, Any]:
    return tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_compiler_is_pinned_and_the_tests_build_with_the_same(project: dict[str, Any]) -> None:
    (pin,) = (line for line in project["build-system"]["requires"] if line.startswith("mypy"))
    assert re.fullmatch(r"mypy\[mypyc\]==\d+\.\d+\.\d+", pin)
    assert pin in project["project"]["optional-dependencies"]["dev"]


def test_the_changelog_has_the_version(tree: Path) -> None:
    assert f"## [{simkit.__version__}]" in (tree / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_readme_has_two_commands_for_the_shell(tree: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", (tree / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 2
    assert all(block.count("\n") == 1 for block in blocks), "each is one line to paste"


def test_links_of_the_readme_lead_somewhere(tree: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (tree / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if not (tree / link).exists()] == []


def test_no_extension_lies_in_the_source_tree(tree: Path) -> None:
    assert engine.extension_files(tree / "simkit") == []


def test_every_data_file_of_the_package_travels_in_the_wheel(project: dict[str, Any], tree: Path) -> None:
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    data = [
        path for path in (tree / "simkit").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc") and path.name != "build_note.txt"
    ]
    assert tree / "simkit" / "books" / "dead_of_winter" / "book.toml" in data
    assert [path for path in data if not any(fnmatch(path.name, pattern) for pattern in patterns)] == []


def test_no_text_holds_the_marks_of_a_merge(tree: Path) -> None:
    marks = re.compile(r"^(<{7} |>{7} |={7}$)", re.M)
    folders = ("benchmarks", "docs", "notebooks", "simkit", "studies", "tests")
    texts = [path for folder in folders for path in (tree / folder).rglob("*") if path.suffix in TEXTS]
    assert len(texts) > 300
    assert [path.name for path in texts if marks.search(path.read_text(encoding="utf-8"))] == []
