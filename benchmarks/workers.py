"""Two worker processes against one over the same battles: the time of playing that the manifest records."""

import argparse
import json
import tempfile
from pathlib import Path

from measure import SCENARIO, SEED, output, simkit_command, tell


def playing_seconds(runs: int, jobs: int, folder: Path) -> float:
    """The seconds that so many runs take on so many workers, with starting them and writing the tables."""
    output(simkit_command("run", SCENARIO, "--runs", str(runs), "--seed", str(SEED), "--jobs", str(jobs),
                          "--out", str(folder), "--quiet"))  # fmt: skip
    return float(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["duration"])


def main() -> None:
    """Play with one worker, with two, and with one again, since a machine may slow down meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=8000, help="battles each time [8000]")
    runs: int = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as passing:
        first = playing_seconds(runs, 1, Path(passing, "first"))
        two = playing_seconds(runs, 2, Path(passing, "two"))
        again = playing_seconds(runs, 1, Path(passing, "again"))
    one = (first + again) / 2
    tell("battles a second, one worker", f"{runs / one:.1f}")
    tell("battles a second, two workers", f"{runs / two:.1f}", "400, floor 200")
    tell("two workers over one", f"{one / two:.2f}", "1.85")


if __name__ == "__main__":
    main()
