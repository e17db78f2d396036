"""Chunks on disk: which runs are missing, and files that are whole or not there."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.batch.store import UNFINISHED, Store, chunks, count, missing, write_whole
from simkit.errors import InputError

TABLES = {"runs": pa.table({"run": [0, 1]}), "units": pa.table({"run": [0, 0, 1, 1]})}


def _ranges(played: set[int]) -> list[tuple[int, int]]:
    return [(run, run) for run in sorted(played)]


@given(st.sets(st.integers(0, 40)), st.integers(1, 40))
def test_missing_runs_are_those_not_played(played: set[int], runs: int) -> None:
    gaps = missing(_ranges(played), runs)
    found = [run for first, last in gaps for run in range(first, last + 1)]
    assert found == [run for run in range(runs) if run not in played]
    assert count(gaps) == len(found)


@given(st.integers(1, 1000), st.integers(1, 100))
def test_chunks_cover_each_run_once(runs: int, size: int) -> None:
    cut = list(chunks([(0, runs - 1)], lambda: size))
    assert [run for first, last in cut for run in range(first, last + 1)] == list(range(runs))
    assert all(last - first < size for first, last in cut)


def test_a_chunk_is_done_once_its_runs_are_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.done("base") == []
    store.write("base", (0, 1), TABLES)
    store.write("a-1-2", (4, 5), TABLES)
    assert store.done("base") == [(0, 1)]
    assert store.done("a-1-2") == [(4, 5)]
    assert store.done("a") == []
    part = tmp_path / "units.parquet" / "base-000000000-000000001.parquet"
    assert pq.read_table(part).num_rows == 4
    assert pq.ParquetFile(part).metadata.row_group(0).column(0).compression == "ZSTD"


def test_clean_removes_what_no_complete_chunk_owns(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write("base", (0, 1), TABLES)
    store.write("base", (2, 3), {"units": TABLES["units"]})
    (tmp_path / "runs.parquet" / f"{UNFINISHED}1-base-000000002-000000003.parquet").write_bytes(b"half")
    (tmp_path / f"{UNFINISHED}1-manifest.json").write_text("{")
    store.clean()
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    name = "base-000000000-000000001.parquet"
    assert left == [f"runs.parquet/{name}", f"units.parquet/{name}"]


def _half(path: Path) -> None:
    path.write_text("half")
    raise OSError(28, "No space left on device")


def _stopped(path: Path) -> None:
    path.write_text("half")
    raise KeyboardInterrupt


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "manifest.json"
    place.write_text("old")
    with pytest.raises(InputError, match=r"manifest\.json: cannot be written: No space left on device"):
        write_whole(place, _half)
    with pytest.raises(KeyboardInterrupt):
        write_whole(place, _stopped)
    assert place.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
