"""The tables of a results folder: one Parquet part a chunk of battles, each written whole or not at all."""

import errno
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from simkit.errors import InputError

if sys.platform != "win32":
    import fcntl

TABLES = ("combats", "ground", "commands", "units", "runs")
"""The tables in the order in which a chunk's parts are written; the part of runs says that the chunk is complete."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a disk that has no room left."""

UNFINISHED = ".unfinished-"
"""What the name of a file starts with until it is complete."""

Range = tuple[int, int]
"""The first and last run of a chunk, both inside it."""

_PART = re.compile(r"(?P<variant>[A-Za-z0-9][A-Za-z0-9_-]*)-(?P<first>\d{9})-(?P<last>\d{9})\.parquet")


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file beside its place and move it there when complete, so that no reader meets half of it.

    Args:
        path: the file's place; its folder is made if need be.
        write: writes the content to the path it is given.

    Raises:
        InputError: the disk is full, or the place cannot be written.
    """
    passing = path.with_name(f"{UNFINISHED}{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(passing)
        with passing.open("rb") as file:
            os.fsync(file.fileno())
        passing.replace(path)
    except OSError as error:
        with suppress(OSError):
            passing.unlink(missing_ok=True)
        reason = os.strerror(error.errno) if error.errno else str(error)
        advice = "; what was complete is kept: make room and give the same command again" if error.errno in FULL else ""
        raise InputError(f"{path}: cannot be written: {reason}{advice}") from None
    except BaseException:
        passing.unlink(missing_ok=True)
        raise


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make a folder and keep other processes from playing into it meanwhile (not on Windows, which locks no folders).

    Raises:
        InputError: another process plays into it already, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = _locked(folder)
    except BlockingIOError:
        raise InputError(
            f"{folder}: another process plays into it at this moment; wait for it, or choose another --out"
        ) from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be made or opened: {error.strerror}") from None
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _locked(folder: Path) -> int | None:
    """A handle that locks the folder till it is closed or the process ends, and leaves no file behind."""
    if sys.platform == "win32":
        return None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:
        pass  # a file system without locks
    return handle


class Store:
    """The tables of one results folder.

    Args:
        folder: the results folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, variant: str, runs: Range, tables: dict[str, pa.Table]) -> None:
        """Write the parts of one chunk; the part of runs comes last and completes it.

        Raises:
            InputError: the disk is full, or the folder cannot be written.
        """
        for name in TABLES:
            if name in tables:
                write_whole(self._part(name, variant, runs), partial(_write_parquet, tables[name]))

    def done(self, variant: str) -> list[Range]:
        """The complete chunks of a variant, sorted and without overlap."""
        return sorted(runs for found, runs, _ in self._parts("runs") if found == variant)

    def variants(self) -> set[str]:
        """The names of the variants that have at least one complete chunk."""
        return {variant for variant, _, _ in self._parts("runs")}

    def clean(self) -> None:
        """Delete what an interrupted session left: files not completed, and parts of chunks not completed."""
        for left in self.folder.glob(f"**/{UNFINISHED}*"):
            left.unlink(missing_ok=True)
        complete = {path.name for _, _, path in self._parts("runs")}
        for name in TABLES[:-1]:
            for _, _, path in self._parts(name):
                if path.name not in complete:
                    path.unlink(missing_ok=True)

    def vanish(self) -> None:
        """Delete the folders of the tables as far as they are empty, and then the folder itself."""
        for place in (*(self.folder / f"{name}.parquet" for name in TABLES), self.folder):
            with suppress(OSError):
                place.rmdir()

    def _part(self, table: str, variant: str, runs: Range) -> Path:
        return self.folder / f"{table}.parquet" / f"{variant}-{runs[0]:09d}-{runs[1]:09d}.parquet"

    def _parts(self, table: str) -> Iterator[tuple[str, Range, Path]]:
        for path in sorted((self.folder / f"{table}.parquet").glob("*.parquet")):
            if part := _PART.fullmatch(path.name):
                yield part["variant"], (int(part["first"]), int(part["last"])), path


def missing(done: list[Range], runs: int) -> list[Range]:
    """The ranges of runs below `runs` that no chunk in `done` holds."""
    gaps, start = [], 0
    for first, last in [*sorted(done), (runs, runs)]:
        if first > start:
            gaps.append((start, min(first, runs) - 1))
        start = max(start, last + 1)
    return [(first, last) for first, last in gaps if first <= last]


def count(ranges: list[Range]) -> int:
    """How many runs the ranges hold."""
    return sum(last - first + 1 for first, last in ranges)


def chunks(ranges: list[Range], size: Callable[[], int]) -> Iterator[Range]:
    """The ranges cut into chunks of at most `size()` runs, asked anew for each chunk."""
    for first, last in ranges:
        start = first
        while start <= last:
            end = min(start + size() - 1, last)
            yield start, end
            start = end + 1


def _write_parquet(table: pa.Table, path: Path) -> None:
    # An open file, for Arrow takes some names for addresses, as that of a folder "a:b".
    with path.open("wb") as file:
        pq.write_table(table, file, compression="zstd")
