"""A million draws of each of the forty situations against their exact chances; to be run by hand.

    python tests/verification/draw_situations.py --draws 1000000 --jobs 2

prints for each its endings, the p-value of the chi-square test and the time, and leaves with 1 if any p-value is below
a thousandth shared among all of them. With a compiled engine a million draws of a situation take one to two minutes.
"""

import argparse
import importlib.util
import sys
import time
import tomllib
from pathlib import Path

from joblib import Parallel, delayed

HERE = Path(__file__).parent
FALSE_ALARM = 0.001


def drawn(line, draws, key):
    """A situation's number of endings, p-value, endings that no branch leads to, and seconds."""
    spec = importlib.util.spec_from_file_location("drawing", HERE / "drawing.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    started = time.process_time()
    combat = drawing.Combat(line)
    chances = combat.exact()
    counts = combat.sampled(draws, key)
    strange = len(set(counts) - set(chances))
    return len(chances), drawing.p_value(chances, counts, draws), strange, time.process_time() - started


def main():
    parser = argparse.ArgumentParser(description="draw the forty situations by hand")
    parser.add_argument("--draws", type=int, default=1_000_000, help="combats drawn of each situation")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--key", type=int, default=2001, help="key of the first situation's dice; the next follow")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of situations, from 1; all if left out")
    asked = parser.parse_args()
    lines = [
        situation["line"]
        for situation in tomllib.loads((HERE / "situations_sampled.toml").read_text(encoding="utf-8"))["situation"]
    ]
    numbers = asked.only or list(range(1, len(lines) + 1))
    found = Parallel(n_jobs=asked.jobs, return_as="generator")(
        delayed(drawn)(lines[number - 1], asked.draws, asked.key + number - 1) for number in numbers
    )
    print(f"{asked.draws:,} draws each; a p-value below {FALSE_ALARM / len(numbers):.6f} is an alarm")
    alarms = 0
    for number, (endings, p, strange, seconds) in zip(numbers, found, strict=True):
        alarm = strange > 0 or p < FALSE_ALARM / len(numbers)
        alarms += alarm
        note = f"  {strange} endings that no branch leads to" if strange else "  ALARM" if alarm else ""
        told = f"{number:3d}  {endings:4d} endings  p = {p:.4f}  {seconds:6.1f} s  {lines[number - 1]}{note}"
        print(told, flush=True)
    print(f"{alarms} alarms")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
