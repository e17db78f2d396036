"""What a worker process does: build a variant's battle once, play a range of runs, write their parts to disk."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from simkit.batch.engine import Battlefield, open_battlefield
from simkit.batch.spec import BattleSpec
from simkit.batch.store import Range, Store
from simkit.uncollected import uncollected

ORPHAN_SECONDS = 0.25
"""How often a worker process looks whether its parent still lives."""

MOST_KEPT = 2
"""Battles that a process keeps at once. A calibration has a hundred, one of a whole field takes some 120 MB, and joblib
ends a process that has grown by 300 MB since its first task: all would have to be built anew."""


class ChunkDone(NamedTuple):
    """A chunk that is on disk: its variant and runs, and how long it took (seconds)."""

    variant: str
    runs: Range
    seconds: float


_battlefields: dict[str, Battlefield] = {}


def play_chunk(folder: str, experiment: str, spec: BattleSpec, runs: Range) -> ChunkDone:
    """Play a range of runs of one variant and write them to the results folder.

    Args:
        folder: the results folder.
        experiment: names the experiment; battles built for another one are forgotten.
        spec: the variant.
        runs: the first and last run.

    Raises:
        InputError: bad input that shows only in play, as a commander that fails; or the disk is full.
    """
    started = time.perf_counter()
    _belong_to_parent()
    try:
        tables = _played(experiment, spec, runs)
    except BaseException:
        # A battle that stopped half-way is not used again.
        _battlefields.clear()
        raise
    Store(Path(folder)).write(spec.variant, runs, tables)
    return ChunkDone(spec.variant, runs, time.perf_counter() - started)


def _played(experiment: str, spec: BattleSpec, runs: Range) -> dict[str, pa.Table]:
    """The chunk's tables by name; runs in a row that use the same set of the ensemble share a battle."""
    pieces: list[dict[str, pa.Table]] = []
    for member, block in groupby(range(runs[0], runs[1] + 1), spec.member_of):
        field = battlefield(experiment, spec, member)
        rows = field.rows(member)
        with uncollected():  # what a battle leaves in circles is little, and goes with the next collection
            for run in block:
                field.play(run)
                rows.add(run, field.game.outcome)
        pieces.append(rows.tables())
    return {name: pa.concat_tables([piece[name] for piece in pieces]) for name in pieces[0]}


def battlefield(experiment: str, spec: BattleSpec, member: int = -1) -> Battlefield:
    """The battle of a variant, or of a set of its ensemble, built once a process and experiment as a rule.

    Only so many are kept as memory has room for, those used last, and of the battles of an ensemble only the latest.
    """
    name = f"{experiment}/{spec.variant}/{member}"
    field = _battlefields.pop(name, None)
    if field is None:
        stale = f"{experiment}/{spec.variant}/" if member >= 0 else None
        kept = len(_battlefields)
        for other in list(_battlefields):
            crowded = len(_battlefields) >= MOST_KEPT  # the first is the one not used for longest
            if crowded or not other.startswith(f"{experiment}/") or (stale and other.startswith(stale)):
                del _battlefields[other]
        field = open_battlefield(spec.for_member(member))
        if len(_battlefields) < kept:
            gc.unfreeze()  # those forgotten are full of circles, which the collector never looks for among the frozen
        gc.collect()
        gc.freeze()  # the battle stays: the collector need not walk it again and again
    _battlefields[name] = field
    return field


@cache
def _belong_to_parent() -> None:
    """Leave interrupts to the parent process, and end when it ends, however it was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    # Ctrl-C reaches every process of the terminal; the parent stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        if sys.platform == "win32":
            parent.join()
        else:
            # joblib gives its workers no handle of their parent to wait for; an orphan gets another parent.
            while os.getppid() == parent.pid:
                time.sleep(ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
