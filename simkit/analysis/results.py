"""A results folder read back: its manifest, and its runs, units and combats as tables, read when asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pads
from pyarrow.fs import LocalFileSystem

from simkit.batch.columns import TABLES, schema
from simkit.batch.manifest import read_manifest
from simkit.batch.store import UNFINISHED
from simkit.errors import InputError
from simkit.model.forces import SIDES

DICTIONARIES = [
    "variant", "winner", "level", "unit", "name", "side", "kind", "brigade", "division", "place", "hex", "mode",
    "result", "target_hex", "command", "holder",
]  # fmt: skip
"""Columns of few different words, which are kept as numbers with a list of the words."""


class Results:
    """The results of one batch of battles, as its folder holds them.

    Tables are read from disk when first asked for. ``runs`` has one row a battle, ``units`` one row a unit a battle,
    ``commands`` one row a brigade or division a battle, ``ground`` one row a hex that counts a battle, ``combats`` one
    row a fire or shock (only when the batch recorded them). The units and combats of a large batch can be too many for
    memory: ``unit_batches`` and ``combat_parts`` hand them out in pieces.

    Args:
        folder: the results folder.

    Raises:
        InputError: the folder does not exist, was not written by simkit, has the layout of another version, is damaged,
            or holds no complete battle yet.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            str(self.folder).encode()
        except UnicodeEncodeError:
            raise InputError(f"{str(folder)!r}: the name is no Unicode text; give the folder another") from None
        self.manifest: dict[str, Any] = read_manifest(self.folder).model_dump(by_alias=True)
        self._runs = self._dataset("runs")
        self._units = self._dataset("units")

    def _parts(self, name: str) -> list[Path]:
        """The part files of a table; the part of runs is written last and says that a chunk of battles is complete."""
        complete = {path.name for path in (self.folder / "runs.parquet").glob("*.parquet")}
        parts = sorted((self.folder / f"{name}.parquet").glob("*.parquet"))
        return [part for part in parts if part.name in complete and not part.name.startswith(UNFINISHED)]

    def _dataset(self, name: str) -> pads.Dataset:
        folder = self.folder / f"{name}.parquet"
        parts = self._parts(name)
        runs = self._parts("runs")
        if not runs:
            raise InputError(f"{folder}: no battle is complete in it yet; give the command that made the folder again")
        if len(parts) < len(runs):
            lost = min({part.name for part in runs} - {part.name for part in parts})
            raise InputError(f"{folder}: {lost} is missing, though runs.parquet has it; the folder is damaged")
        with self._reading():
            options = pads.ParquetReadOptions(dictionary_columns=DICTIONARIES)
            layout = pads.ParquetFileFormat(read_options=options)
            # Arrow takes some relative names for addresses, as that of a folder "a:b".
            files = [str(part.absolute()) for part in parts]
            dataset = pads.dataset(files, format=layout, filesystem=LocalFileSystem())
        wanted = schema(name)
        for column in wanted.names:
            if column not in dataset.schema.names:
                raise InputError(
                    f"{folder}: column {column} is missing; the folder was written by another version of simkit"
                )
            found = dataset.schema.field(column).type
            if _sort(found) not in (_sort(wanted.field(column).type), "null"):
                raise InputError(
                    f"{folder}: column {column} holds {found}, not {wanted.field(column).type}; a part file is none "
                    "that simkit wrote"
                )
        return dataset

    @property
    def title(self) -> str:
        """The scenario's title, or its id where the manifest has no title."""
        return str(self.manifest.get("title") or self.manifest["scenario"])

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row a battle, ordered by variant (base first) and run."""
        frame = self._table(self._runs).to_pandas()
        frame["variant"] = pd.Categorical(frame["variant"].astype(str), categories=self._variants(frame))
        frame = frame.sort_values(["variant", "run"], kind="stable").reset_index(drop=True)
        twice = frame.duplicated(["variant", "run"])
        if twice.any():
            row = frame[twice].iloc[0]
            raise InputError(f"{self.folder}: run {row['run']} of variant {row['variant']} was written twice")
        return frame

    def _variants(self, frame: pd.DataFrame) -> list[str]:
        found = sorted(frame["variant"].astype(str).unique(), key=lambda name: (name != "base", name))
        listed = self.manifest.get("variants") or []
        named = [str(entry["name"] if isinstance(entry, dict) else entry) for entry in listed]
        return [name for name in named if name in found] + [name for name in found if name not in named]

    @property
    def variants(self) -> list[str]:
        """Names of the variants that have at least one battle, base first."""
        return [str(name) for name in self.runs["variant"].cat.categories]

    def runs_of(self, variant: str) -> pd.DataFrame:
        """The battles of one variant, ordered by run.

        Raises:
            InputError: the folder has no such variant.
        """
        if variant not in self.variants:
            raise InputError(f"{self.folder}: no variant {variant!r}; it has {', '.join(self.variants)}")
        return self.runs[self.runs["variant"] == variant].reset_index(drop=True)

    @property
    def has_victory_points(self) -> bool:
        """Whether the scenario counts victory points."""
        return any(bool(self.runs[f"vp_{side}"].notna().any()) for side in SIDES)

    @cached_property
    def units(self) -> pd.DataFrame:
        """One row a unit a battle; for a large batch use ``unit_batches``."""
        return self._table(self._units).to_pandas()

    @property
    def has_commands(self) -> bool:
        """Whether the folder says of brigades and divisions whether they were combat ineffective."""
        return bool(self._parts("commands"))

    @cached_property
    def commands(self) -> pd.DataFrame:
        """One row a brigade or division a battle: whether it was combat ineffective at the end."""
        return self._table(self._dataset("commands")).to_pandas()

    @cached_property
    def ground(self) -> pd.DataFrame:
        """One row a hex that counts for victory a battle: who held it at the end; none where no ground counts."""
        return self._table(self._dataset("ground")).to_pandas()

    @property
    def has_combats(self) -> bool:
        """Whether the batch recorded every fire and shock."""
        return bool(self._parts("combats"))

    @cached_property
    def combats(self) -> pd.DataFrame:
        """One row a fire or shock; empty when the batch did not record them."""
        if not self.has_combats:
            return pd.DataFrame(columns=list(TABLES["combats"]))
        return self._table(self._dataset("combats")).to_pandas()

    def unit_batches(self, variant: str, columns: list[str], rows: int = 65_536) -> Iterator[pa.RecordBatch]:
        """Yields the units table of one variant in pieces of at most ``rows`` rows, with these columns only."""
        wanted = pc.field("variant") == variant
        with self._reading():
            for fragment in self._units.get_fragments():
                for batch in fragment.to_batches(columns=columns, filter=wanted, batch_size=rows, use_threads=False):
                    if batch.num_rows:
                        yield batch

    def combat_parts(self, variant: str, columns: list[str]) -> Iterator[pd.DataFrame]:
        """Yields the combats of one variant one part file at a time; a battle is never split over two parts."""
        if not self.has_combats:
            return
        with self._reading():
            for fragment in self._dataset("combats").get_fragments():
                table = fragment.to_table(columns=columns, filter=pc.field("variant") == variant)
                if table.num_rows:
                    yield table.to_pandas()

    def roster(self, variant: str) -> pd.DataFrame:
        """The units of one variant in the order of the book, with what they start with, indexed by id."""
        columns = ["unit", "name", "side", "kind", "brigade", "division", "sp_start"]
        first = int(self.runs_of(variant)["run"].iloc[0])
        chosen = (pc.field("variant") == variant) & (pc.field("run") == first)
        with self._reading():
            frame = self._units.to_table(columns=columns, filter=chosen).to_pandas()
        if frame.empty:
            raise InputError(
                f"{self.folder}: units.parquet has no row of run {first} of variant {variant}; it is damaged"
            )
        return frame.astype({name: str for name in columns if name != "sp_start"}).set_index("unit")

    @cached_property
    def notes(self) -> list[str]:
        """What a reader must know before the numbers: above all that the batch is unfinished."""
        asked = int(self.manifest.get("runs_asked", 0))
        counts = self.runs["variant"].value_counts()
        notes = []
        if asked and int(counts.min()) < asked:
            done = f"{counts.min():,}" if counts.min() == counts.max() else f"{counts.min():,} to {counts.max():,}"
            each = " of each variant" if len(counts) > 1 else ""
            notes.append(
                f"This batch is unfinished: {done} of the {asked:,} battles asked for{each} are in the folder. "
                "What follows uses those; the same command goes on with the rest."
            )
        return notes

    def _table(self, dataset: pads.Dataset) -> pa.Table:
        with self._reading():
            return dataset.to_table()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Says of a part file that cannot be read that the folder is damaged."""
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{self.folder}: a part file cannot be read ({error}); the folder is damaged") from error


def _sort(kind: pa.DataType) -> str:
    """What a column holds, whatever its width and however it is kept."""
    if pa.types.is_dictionary(kind):
        return _sort(kind.value_type)
    return "numbers" if pa.types.is_integer(kind) or pa.types.is_floating(kind) else str(kind).removeprefix("large_")


def results(folder: str | Path) -> Results:
    """Opens a results folder.

    Raises:
        InputError: no folder of simkit's is there, or not one that this version can read.
    """
    return Results(folder)
