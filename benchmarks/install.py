"""The time of an installation, compiled and not, without the download of the libraries needed at run time."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import TREE, environment, tell


def install_seconds(folder: Path, pure: bool) -> float:
    """The seconds that `pip install --no-deps` takes in a new virtual environment, its build tools included."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    start = time.perf_counter()
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--no-deps", str(TREE)], check=True,
                   env={**environment(), "SIMKIT_PURE": "1" if pure else ""})  # fmt: skip
    return time.perf_counter() - start


def main() -> None:
    """Install twice in new virtual environments."""
    with tempfile.TemporaryDirectory() as passing:
        pure = install_seconds(Path(passing, "pure"), pure=True)
        compiled = install_seconds(Path(passing, "compiled"), pure=False)
    tell("installation with compilation, seconds", f"{compiled:.0f}", "120")
    tell("with compilation over without", f"{compiled / pure:.1f}")


if __name__ == "__main__":
    main()
