"""Numbers that no source prints: by how much each may be off, and books' data with some of them moved."""

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from simkit.errors import InputError
from simkit.model.forces import SIDES
from simkit.scenario.chart_schemas import Band, read_grid
from simkit.scenario.families import Family
from simkit.scenario.reading import Sourced, Table, checked, read_toml, suggestion
from simkit.scenario.roster import Roster, UnitRow

FILE = "unknowns.toml"
MOST_RATING = 9
"""The highest cohesion rating: a check passes on a roll of at most the rating (2.6)."""


class Unknown(Sourced):
    """A number, or a family of numbers, that was reconstructed, and how far it may lie from the value in the files.

    Attributes:
        name: its name in studies and ensembles.
        moves: what it shifts: "fire.fire_table.losses" (or disorder, or artillery_table): by how many rolls entries of
            that kind come later; "shock.adjustments.flank" and the like: a modifier, by the nearest whole number;
            "roster.cohesion.Union": all reconstructed cohesion ratings of a side (a fraction of a point: so many of the
            units by one).
        low, high: the ends of its range, as shifts from the value in the files.
        meaning: what it is, in words.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    moves: str = Field(pattern=r"^(fire|fire_modifiers|shock|command|roster)\.[A-Za-z_]+\.[A-Za-z_]+$")
    low: float = Field(ge=-10, le=0)
    high: float = Field(ge=0, le=10)
    meaning: str

    @model_validator(mode="after")
    def _has_a_range(self) -> "Unknown":
        if self.low == self.high:
            raise ValueError(f"{self.name}: low and high are both 0, so nothing about it is unknown")
        file, table, key = self.moves.split(".")
        if file == "roster" and (table != "cohesion" or key not in SIDES):
            raise ValueError(f'moves = "{self.moves}": of the roster it can be roster.cohesion.Union or .Confederate')
        return self


class _UnknownsFile(Table):
    unknown: list[Unknown] = Field(min_length=1)

    @model_validator(mode="after")
    def _distinct(self) -> "_UnknownsFile":
        for key in ("name", "moves"):
            seen = [getattr(unknown, key) for unknown in self.unknown]
            twice = [value for number, value in enumerate(seen) if value in seen[:number]]
            if twice:
                raise ValueError(f"two unknowns have the same {key}, {twice[0]}")
        return self


def read_unknowns(path: Path) -> dict[str, Unknown]:
    """The unknown numbers of a book by name.

    Raises:
        InputError: it is no file of unknowns, or a key or value is wrong.
    """
    data, text = read_toml(path)
    return {unknown.name: unknown for unknown in checked(_UnknownsFile, data, path, text).unknown}


def unknowns_of(book: Path) -> dict[str, Unknown]:
    """The unknown numbers of the book in a folder; none if it lists none."""
    return read_unknowns(book / FILE) if (book / FILE).exists() else {}


class Shifts:
    """By how much some of a book's unknown numbers are moved.

    Args:
        known: the book's unknowns by name.
        numbers: the shift of each that is moved.

    Raises:
        InputError: an unknown of no such name, or a shift out of its range.
    """

    def __init__(self, known: Mapping[str, Unknown], numbers: Mapping[str, float]) -> None:
        for name, value in numbers.items():
            if name not in known:
                raise InputError(f'numbers: nothing unknown is called "{name}"{suggestion(name, known)}')
            unknown = known[name]
            if not unknown.low <= value <= unknown.high:
                raise InputError(
                    f"numbers: {name} is {value:g}; it can be {unknown.low:g} to {unknown.high:g} ({unknown.meaning})"
                )
        self._by_place = {known[name].moves: float(value) for name, value in numbers.items()}

    def __bool__(self) -> bool:
        return any(self._by_place.values())

    def move_charts(self, file: str, data: dict[str, Any]) -> dict[str, Any]:
        """The data of a chart file, by its stem, with the numbers moved.

        Raises:
            InputError: the file has no such number, or its fire table is not of the family that it names.
        """
        moved = {key: value for key, value in self._by_place.items() if key.startswith(f"{file}.") and value}
        for place, shift in moved.items():
            _, table, key = place.split(".")
            block = data.get(table)
            if not isinstance(block, dict):
                raise InputError(f"{file}.toml: has no table {table} whose numbers could be moved")
            if file == "fire":
                continue
            if not isinstance(block.get(key), dict):
                raise InputError(f"{file}.toml: {table} has no {key} that could be moved")
            value = int(block[key]["value"]) + math.floor(shift + 0.5)
            data = {**data, table: {**block, key: {**block[key], "value": value}}}
        for table in sorted({place.split(".")[1] for place in moved if file == "fire"}):
            losses, disorder = (moved.get(f"fire.{table}.{kind}", 0.0) for kind in ("losses", "disorder"))
            data = {**data, table: _moved_table(table, data[table], losses, disorder)}
        return data

    def move_roster(self, roster: Roster) -> Roster:
        """The roster with reconstructed cohesion ratings moved."""
        by_side = {side: self._by_place.get(f"roster.cohesion.{side}", 0.0) for side in SIDES}
        if not any(by_side.values()):
            return roster
        return roster.model_copy(update={"units": tuple(_steadier(row, by_side[row.side]) for row in roster.units)})


def _moved_table(name: str, block: dict[str, Any], losses: float, disorder: float) -> dict[str, Any]:
    if "family" not in block:
        raise InputError(f"fire.toml: {name} names no family of thresholds, so it cannot be moved")
    family = Family.model_validate(block["family"])
    if _cells(grid_of(family, block["grid"])) != _cells(block["grid"]):
        raise InputError(f"fire.toml: {name} is not the table of its family, so it cannot be moved")
    return {**block, "grid": grid_of(family.moved(losses, disorder), block["grid"])}


def _cells(grid: str) -> list[str]:
    return [result.text for result in read_grid(grid).results]


def grid_of(family: Family, shape: str) -> str:
    """A table of a family, with the strengths, rolls and asterisk of another table.

    Args:
        family: the family.
        shape: the other table as its file shows it (see `chart_schemas.read_grid`).
    """
    lines = [line.split() for line in shape.strip().splitlines() if line.strip()]
    columns = [Band(head) for head in lines[0][1:]]
    rows = [lines[0]]
    for line in lines[1:]:
        band = Band(line[0].rstrip("*"))
        rows.append([line[0], *(family.cell((c.first + c.last) / 2, band.first) for c in columns)])
    return "\n".join(" ".join(row) for row in rows)


def _steadier(row: UnitRow, shift: float) -> UnitRow:
    """A unit with its ratings moved: by the whole part of the shift, and so many units in a hundred by one more."""
    if row.ratings_source != "reconstructed":
        return row
    # a unit's own place between 0 and 1 says when it follows, so that a greater shift moves the same units and more
    place = int.from_bytes(hashlib.sha256(row.id.encode()).digest()[:4], "big") / 2**32
    step = math.floor(shift + place)
    names = ("cohesion", "cohesion_disordered", "dismounted_cohesion", "dismounted_cohesion_disordered")
    moved = {
        name: min(max(getattr(row, name) + step, 0), MOST_RATING) for name in names if getattr(row, name) is not None
    }
    changed = row.model_copy(update=moved)
    changed._line = row.line
    return changed
