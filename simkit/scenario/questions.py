"""The questions that a rule asks a commander, as the abstract Commander's source states them."""

import ast
from functools import cache
from typing import NamedTuple

from simkit import engine


class Question(NamedTuple):
    """One method of the abstract commander: its parameters after self, the type it returns as written, and whether a
    subclass has to bring it."""

    name: str
    parameters: tuple[str, ...]
    returns: str
    required: bool


@cache
def protocol() -> dict[str, Question]:
    """Every question that a rule asks a commander, by name, read from the source: compiled methods show no types."""
    tree = ast.parse((engine.ROOT / "rules" / "commander.py").read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Commander"]
    methods = [node for node in classes[0].body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    return {
        method.name: Question(
            method.name,
            tuple(argument.arg for argument in method.args.args[1:]),
            ast.unparse(method.returns) if method.returns else "None",
            isinstance(method.body[-1], ast.Raise),
        )
        for method in methods
    }


def choices() -> dict[str, type]:
    """The questions that are answered by a number (an index, strength points) or by yes or no: int or bool by name."""
    kinds = {"bool": bool, "i64": int, "int": int}
    return {name: kinds[question.returns] for name, question in protocol().items() if question.returns in kinds}
