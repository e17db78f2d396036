"""The units table of one variant, folded into small arrays with one row a battle, without holding the table."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from simkit.analysis.results import Results
from simkit.errors import InputError
from simkit.model.forces import CAUSES, ELIMINATED, ON_MAP, PLACES, ROUTED, SIDES

STATES = ("ever_routed", "routed_at_end", "eliminated", "disordered", "collapsed", "blown", "abandoned")
"""The states that are counted for each unit."""

ARMS = ("sp", "guns")
"""Infantry and cavalry are counted in strength points, artillery in guns."""

_COLUMNS = ["run", "unit", "sp_start", "sp_end", "sp_recovered", "place", "disordered", "collapsed", "blown",
            "abandoned", "ever_routed", "hex", *(f"lost_{cause}" for cause in CAUSES)]  # fmt: skip


@dataclass
class UnitTally:
    """What happened to the units of one variant, folded by battle, side and unit.

    Attributes:
        roster: the units in the order of the book, indexed by id.
        runs: the run numbers, ascending.
        lost: what each unit lost, shape (battles, units).
        causes: losses by cause, shape (battles, sides, arms, causes).
        recovered: what came back, shape (battles, sides, arms).
        states: how many units of a side are in a state, shape (battles, sides, states).
        unit_states: in how many battles a unit is in a state, shape (units, states).
        fallen: strength points lost by side and hex in which the unit stood at the end of the battle.
        unbalanced: rows in which start plus recovery minus losses is not the strength at the end.
    """

    variant: str
    roster: pd.DataFrame
    runs: npt.NDArray[np.int64]
    lost: npt.NDArray[np.int16]
    causes: npt.NDArray[np.int32]
    recovered: npt.NDArray[np.int32]
    states: npt.NDArray[np.int16]
    unit_states: npt.NDArray[np.int64]
    fallen: dict[tuple[str, str], float] = field(default_factory=dict)
    unbalanced: int = 0

    @property
    def battles(self) -> int:
        """Number of battles."""
        return int(self.runs.size)

    @property
    def artillery(self) -> npt.NDArray[np.bool_]:
        """Which units are batteries."""
        return np.asarray(self.roster["kind"] == "artillery", dtype=np.bool_)

    @property
    def start(self) -> npt.NDArray[np.int64]:
        """What each unit starts with."""
        return np.asarray(self.roster["sp_start"], dtype=np.int64)

    def of_side(self, side: str, arm: str = "sp") -> npt.NDArray[np.bool_]:
        """Which units belong to a side's infantry and cavalry (``sp``) or artillery (``guns``)."""
        belongs = np.asarray(self.roster["side"] == side, dtype=np.bool_)
        return belongs & (self.artillery if arm == "guns" else ~self.artillery)

    def lost_by(self, units: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """What these units together lost in each battle."""
        return np.asarray(self.lost[:, units].sum(axis=1), dtype=np.int64)


def tally(results: Results, variant: str) -> UnitTally:
    """Folds the units table of one variant, piece by piece.

    Raises:
        InputError: a battle of the runs table has no rows, or not all its rows, in the units table.
    """
    roster = results.roster(variant)
    runs = results.runs_of(variant)["run"].to_numpy(dtype=np.int64)
    shape = (runs.size, len(SIDES))
    folded = UnitTally(
        variant=variant,
        roster=roster,
        runs=runs,
        lost=np.full((runs.size, len(roster)), -1, dtype=np.int16),
        causes=np.zeros((*shape, len(ARMS), len(CAUSES)), dtype=np.int32),
        recovered=np.zeros((*shape, len(ARMS)), dtype=np.int32),
        states=np.zeros((*shape, len(STATES)), dtype=np.int16),
        unit_states=np.zeros((len(roster), len(STATES)), dtype=np.int64),
    )
    ids = pa.array(list(roster.index), type=pa.string())
    side_of_unit = np.array([SIDES.index(side) for side in roster["side"]], dtype=np.int64)
    arm_of_unit = folded.artillery.astype(np.int64)
    for batch in results.unit_batches(variant, _COLUMNS):
        hexes = [*(word or "" for word in batch.column("hex").dictionary.to_pylist()), ""]
        _fold(folded, _piece(batch, runs, ids), hexes, side_of_unit, arm_of_unit)
    if (folded.lost < 0).any():
        row, column = np.argwhere(folded.lost < 0)[0]
        raise InputError(
            f"{results.folder}: units.parquet has no row for unit {roster.index[column]} in run {runs[row]} of "
            f"variant {variant}; the folder is damaged"
        )
    return folded


def _piece(batch: pa.RecordBatch, runs: npt.NDArray[np.int64], ids: pa.Array) -> dict[str, npt.NDArray[Any]]:
    """The columns of a piece as arrays, without the rows of battles that the runs table does not have (yet)."""

    def numbers(name: str) -> npt.NDArray[np.int64]:
        return np.asarray(batch.column(name).to_numpy(zero_copy_only=False), dtype=np.int64)

    run = numbers("run")
    row = np.searchsorted(runs, run)
    known = row < runs.size
    known[known] = runs[row[known]] == run[known]
    columns: dict[str, npt.NDArray[Any]] = {"row": row, "unit": _codes(batch.column("unit"), ids)}
    stranger = known & (columns["unit"] < 0)
    if stranger.any():
        at = int(np.argmax(stranger))
        raise InputError(
            f"units.parquet: unit {batch.column('unit')[at]} of run {run[at]} is not in the first run; it is damaged"
        )
    for name in ("sp_start", "sp_end", "sp_recovered", *(f"lost_{cause}" for cause in CAUSES)):
        columns[name] = numbers(name)
    place = _codes(batch.column("place"), pa.array(PLACES))
    columns["routed_at_end"], columns["eliminated"] = place == ROUTED, place == ELIMINATED
    for name in ("ever_routed", "collapsed", "blown", "abandoned", "disordered"):
        columns[name] = batch.column(name).to_numpy(zero_copy_only=False).astype(bool)
    columns["disordered"] &= place == ON_MAP
    hexes = batch.column("hex")
    codes = hexes.indices.fill_null(len(hexes.dictionary))  # a unit off the map stands in no hex
    columns["hex"] = np.asarray(codes.to_numpy(zero_copy_only=False), dtype=np.int64)
    return {name: values[known] for name, values in columns.items()}


def _codes(column: pa.DictionaryArray, words: pa.Array) -> npt.NDArray[np.int64]:
    """The place of each word of a column in a list of words; -1 for one that is not in it."""
    code = pc.index_in(column.dictionary.cast(pa.string()), value_set=words).fill_null(-1)
    indices = column.indices.to_numpy(zero_copy_only=False)
    return np.asarray(code.to_numpy(zero_copy_only=False)[indices], dtype=np.int64)


def _fold(
    folded: UnitTally,
    piece: dict[str, npt.NDArray[Any]],
    hexes: list[str],
    side_of_unit: npt.NDArray[np.int64],
    arm_of_unit: npt.NDArray[np.int64],
) -> None:
    """Adds a piece to the arrays."""
    row, unit = piece["row"], piece["unit"]
    if row.size == 0:
        return
    side, arm = side_of_unit[unit], arm_of_unit[unit]
    first, battles = int(row.min()), int(row.max() - row.min()) + 1
    here = slice(first, first + battles)
    cell = ((row - first) * len(SIDES) + side) * len(ARMS) + arm

    def sums(values: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        counted = np.bincount(cell, weights=values, minlength=battles * len(SIDES) * len(ARMS))
        return counted.astype(np.int32).reshape(battles, len(SIDES), len(ARMS))

    lost = np.zeros(row.size, dtype=np.int64)
    for number, cause in enumerate(CAUSES):
        folded.causes[here, :, :, number] += sums(piece[f"lost_{cause}"])
        lost += piece[f"lost_{cause}"]
    folded.recovered[here] += sums(piece["sp_recovered"])
    folded.lost[row, unit] = lost
    for number, state in enumerate(STATES):
        folded.states[here, :, number] += sums(piece[state]).sum(axis=2).astype(np.int16)
        folded.unit_states[:, number] += np.bincount(unit[piece[state]], minlength=len(folded.roster))
    folded.unbalanced += int((piece["sp_start"] + piece["sp_recovered"] - lost != piece["sp_end"]).sum())
    fallen = (lost > 0) & (arm == 0)
    place = piece["hex"][fallen] * len(SIDES) + side[fallen]
    for code, total in enumerate(np.bincount(place, weights=lost[fallen])):
        name = hexes[code // len(SIDES)]
        if total and name:
            key = (SIDES[code % len(SIDES)], name)
            folded.fallen[key] = folded.fallen.get(key, 0.0) + float(total)


def contradictions(results: Results, folded: UnitTally) -> list[str]:
    """Sentences on what the tables of a folder say differently from each other; empty when they agree."""
    found = []
    runs = results.runs_of(folded.variant)
    for side in SIDES:
        for column, arm in (("sp_lost", "sp"), ("guns_lost", "guns")):
            differs = runs[f"{column}_{side}"].to_numpy(dtype=np.int64) != folded.lost_by(folded.of_side(side, arm))
            if differs.any():
                found.append(
                    f"In {differs.sum():,} battles of variant {folded.variant} the runs table and the units table give "
                    f"different {side} losses ({column}_{side}): do not trust the losses below."
                )
    if folded.unbalanced:
        found.append(
            f"For {folded.unbalanced:,} units of variant {folded.variant} start plus recovery minus losses is not the "
            "strength at the end: do not trust the losses below."
        )
    return found
