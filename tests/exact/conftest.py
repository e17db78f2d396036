"""The small battles of the rule tests, for combats that are enumerated."""

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def field():
    """The class Field of the rule tests: call it with columns and rows."""
    source = Path(__file__).resolve().parents[1] / "rules" / "conftest.py"
    spec = importlib.util.spec_from_file_location("rule_fields", source)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.Field
