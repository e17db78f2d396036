"""Memory of each process over many runs: the peak, and whether it grows with the number of runs."""

import argparse
import subprocess
import sys
import tempfile
import time

import psutil
from measure import SCENARIO, SEED, environment, simkit_command, tell

MEGABYTE = 1e6


def largest(process: psutil.Process) -> float:
    """The resident memory of the largest process below and with this one, in megabytes."""
    sizes = [0]
    for one in [process, *process.children(recursive=True)]:
        try:
            sizes.append(one.memory_info().rss)
        except psutil.Error:
            continue  # it has ended meanwhile
    return max(sizes) / MEGABYTE


def main() -> None:
    """Play, look at the memory twice a second, and compare the second quarter of the time with the last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000, help="battles [100000]")
    runs: int = parser.parse_args().runs
    seen: list[float] = []
    with tempfile.TemporaryDirectory() as passing:
        command = simkit_command("run", SCENARIO, "--runs", str(runs), "--seed", str(SEED), "--jobs", "2",
                                 "--out", f"{passing}/runs", "--quiet")  # fmt: skip
        with subprocess.Popen(command, env=environment()) as job:
            process = psutil.Process(job.pid)
            while job.poll() is None:
                try:
                    seen.append(largest(process))
                except psutil.NoSuchProcess:
                    break
                time.sleep(0.5)
        if job.returncode:
            sys.exit(job.returncode)
    quarter = max(1, len(seen) // 4)
    tell(f"peak of a process over {runs} runs, MB", f"{max(seen):.0f}", "500")
    growth = max(seen[-quarter:]) / max(seen[quarter : 2 * quarter])
    tell("last quarter over second quarter of the time", f"{growth:.2f}")


if __name__ == "__main__":
    main()
