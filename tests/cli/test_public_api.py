"""The names that `import simkit` offers, and what it costs to ask."""

import subprocess
import sys

import pytest

import simkit


@pytest.mark.parametrize("name", simkit.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(simkit, name) is not None
    assert name in dir(simkit)


def test_a_dozen_names() -> None:
    assert len(simkit.__all__) <= 14
    assert simkit.__all__ == sorted(simkit.__all__)


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="no attribute 'rnu'"):
        simkit.rnu  # noqa: B018


def test_heavy_packages_wait_until_they_are_needed(tmp_path) -> None:  # type: ignore[no-untyped-def]
    home = simkit.__file__.rsplit("simkit", 1)[0]
    heavy = "numpy pandas scipy matplotlib pyarrow joblib pydantic"
    code = (
        f"import sys; sys.path.insert(0, {home!r}); import simkit, simkit.cli; "
        f"print(*[name for name in {heavy!r}.split() if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
