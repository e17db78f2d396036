"""The time of exact answers in this process, and that of icepool over the same shock or fire in the same run."""

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from measure import TREE, tell

from simkit import odds
from simkit.engine import compiled

ORDINARY = "8/6 charge,brigadier vs 5/5 woods,breastworks"
STACKS = "8/6+6/5 brigadier vs 7/5+5/5 continue"
SWEPT = "8/6 brigadier vs 5/5"
AXES = ["attacker=3..15", "position=front,flank,rear", "charge=no,yes"]
"""13 strengths by six ways to attack."""


def least(act: Callable[[], object], times: int) -> float:
    """The least processor time of an act in seconds: other work on the machine can only add to it."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        act()
        taken.append(time.process_time() - start)
    return min(taken)


def calculator() -> ModuleType:
    """The calculator of the tests, written with icepool from charts and rulebook alone."""
    path = Path(TREE, "tests", "verification", "calculator.py")
    spec = importlib.util.spec_from_file_location("calculator", path)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules["calculator"] = made  # dataclasses look their module up
    spec.loader.exec_module(made)
    return made


def main() -> None:
    """Ask each situation some times, the stacks once, and tell the least time."""
    odds.shock(ORDINARY)  # reads the charts
    print(f"engine: {'compiled' if compiled() else 'interpreted'}")
    tell("an ordinary shock, ms", f"{1000 * least(lambda: odds.shock(ORDINARY), 20):.0f}", "50 compiled")
    found = []
    tell("two stacks, fires, continued shocks, s", f"{least(lambda: found.append(odds.shock(STACKS)), 1):.2f}",
         "2 compiled")  # fmt: skip
    tell("of these, branches", f"{sum(step.branches for step in found[0].steps)}")
    tell("of these, method", found[0].method, "exact")
    situation = odds.read("shock", SWEPT)
    tell("a sweep of 13 by 6, s", f"{least(lambda: odds.sweep(situation, AXES, jobs=1), 3):.2f}", "5 compiled")
    icepool = calculator()
    case = icepool.Case(icepool.Regiment(8), icepool.Regiment(5))
    ours, theirs = least(lambda: odds.shock("8/6/4 vs 5/6/4"), 20), least(lambda: icepool.shock(case), 20)
    tell("a plain shock over icepool", f"{ours / theirs:.2f}")
    one, other = icepool.Regiment(8), icepool.Regiment(5)
    ours, theirs = least(lambda: odds.fire("8/6/4 vs 5/6/4"), 50), least(lambda: icepool.fire(one, other), 50)
    tell("a fire and its answer over icepool", f"{ours / theirs:.2f}")


if __name__ == "__main__":
    main()
