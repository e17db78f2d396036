"""Who may import whom: the layers point down only, the compiled modules need nothing but the standard library."""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

RANK = {
    "__version__": 0, "errors": 0, "engine": 1, "terminal": 1, "uncollected": 1,
    "model": 2, "rules": 3, "play": 4, "commanders": 5, "books": 5, "exact": 5,
    "scenario": 6, "batch": 7, "analysis": 8, "odds": 9, "report": 10, "api": 11, "calibrating": 11,
    "cli_tools": 12, "cli_odds": 13, "cli_history": 13, "cli_calibrate": 13, "cli": 14, "__main__": 15,
}  # fmt: skip
"""Higher imports lower. The package itself, `simkit/__init__.py`, is above all but `cli`, which may use it too."""


class Import(NamedTuple):
    """One import statement's target, with where it stands and whether it happens only for the type checker."""

    importer: str
    target: str
    line: int
    typing_only: bool
    at_load: bool

    @property
    def where(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


def module_name(tree: Path, file: Path) -> str:
    return ".".join(file.relative_to(tree).with_suffix("").parts).removesuffix(".__init__")


def imports_in(tree: Path, file: Path) -> Iterator[Import]:
    name = module_name(tree, file)
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]

    def walk(node: ast.AST, typing_only: bool, at_load: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(name, alias.name, node.lineno, typing_only, at_load)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{source}.{alias.name}"
                path = tree / full.replace(".", "/")
                named = path.is_dir() or path.with_suffix(".py").is_file() or full == "simkit.__version__"
                yield Import(name, full if named else source, node.lineno, typing_only, at_load)
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for child in node.body:
                yield from walk(child, True, at_load)
            for child in node.orelse:
                yield from walk(child, typing_only, at_load)
        else:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for child in ast.iter_child_nodes(node):
                yield from walk(child, typing_only, at_load and not inside)

    yield from walk(ast.parse(file.read_text(encoding="utf-8")), False, True)


@pytest.fixture(scope="module")
def imports(tree: Path) -> list[Import]:
    found = [one for file in sorted((tree / "simkit").rglob("*.py")) for one in imports_in(tree, file)]
    assert found
    return found


def part(module: str) -> str:
    """`model` of `simkit.model.forces`; empty for the package itself."""
    return module.split(".")[1] if "." in module else ""


def test_every_part_has_a_rank(tree: Path) -> None:
    parts = {part(module_name(tree, file)) for file in (tree / "simkit").rglob("*.py")}
    assert parts - {""} <= RANK.keys()


def test_compiled_modules_import_only_the_standard_library_and_each_other(
    imports: list[Import], tree_sources: dict[str, Path]
) -> None:
    allowed = sys.stdlib_module_names | {"mypy_extensions"}
    wrong = [
        one.where
        for one in imports
        if one.importer in tree_sources and one.target.split(".")[0] not in allowed and one.target not in tree_sources
    ]
    assert wrong == []


def test_imports_point_down_only(imports: list[Import]) -> None:
    top = max(RANK.values())
    wrong = []
    for one in imports:
        if one.target.split(".")[0] != "simkit" or not part(one.importer):
            continue
        importer, target = part(one.importer), part(one.target)
        if importer != target and RANK[importer] <= (RANK[target] if target else top - 1):
            wrong.append(one.where)
    assert wrong == []


def test_no_circle_of_imports(imports: list[Import], tree: Path) -> None:
    graph: dict[str, set[str]] = {}
    for one in imports:
        if one.target.startswith("simkit.") and not one.typing_only and one.at_load and one.target != one.importer:
            graph.setdefault(one.importer, set()).add(one.target)
    TopologicalSorter(graph).prepare()  # raises CycleError and names the circle
