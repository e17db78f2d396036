"""Made-up results folders with a known truth."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from simkit.analysis.results import Results


def _module() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "synthetic_folder", Path(__file__).parents[1] / "analysis" / "synthetic_folder.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    return _module()


@pytest.fixture(scope="session")
def three_variants(synthetic: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("results") / "three"
    return Results(synthetic.generate(folder, 600, ("base", "weaker-union", "aggressive-cautious"), seed=11))


@pytest.fixture(scope="session")
def one_variant(synthetic: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Results:
    return Results(synthetic.generate(tmp_path_factory.mktemp("results") / "one", 400, combats=False))
