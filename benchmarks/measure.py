"""What the benchmarks share: the console command in a process of its own, and one way to print a measure."""

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
SCENARIO = "dead_of_winter/skirmish"
SEED = 1862


def simkit_command(*words: str) -> list[str]:
    """The console command, run by this Python."""
    return [sys.executable, "-P", "-c", "import sys; from simkit.cli import main; sys.exit(main())", *words]


def environment(source: Path | None = None) -> dict[str, str]:
    """This environment, in which `simkit` is the installed one, or the one of a source tree."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept if source is None else {**kept, "PYTHONPATH": str(source)}


def output(command: list[str], source: Path | None = None) -> str:
    """What a command prints; it has to end well."""
    return subprocess.run(command, env=environment(source), check=True, text=True, stdout=subprocess.PIPE).stdout


def seconds(command: list[str], times: int = 1) -> float:
    """The median wall time of a command in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        output(command)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def bench(source: Path | None = None) -> tuple[str, float, bool]:
    """What `simkit bench` prints: signature, battles a second in one process, whether the engine is compiled."""
    text = output(simkit_command("bench"), source)
    signature = re.search(r"^signature\s+(\w+)", text, re.M)
    speed = re.search(r"^speed\s+([\d.]+)", text, re.M)
    kind = re.search(r"^engine\s+(\w+)", text, re.M)
    assert signature and speed and kind, text
    return signature[1], float(speed[1]), kind[1] == "compiled"


def tell(measure: str, value: str, goal: str = "") -> None:
    """Print one measure, with its goal if it has one."""
    print(f"{measure:<48} {value:>12}{f'   goal: {goal}' if goal else ''}", flush=True)
