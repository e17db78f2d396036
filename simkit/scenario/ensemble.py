"""Ensembles: sets of a book's unknown numbers that fit what is known about equally well (see `simkit calibrate`)."""

from pathlib import Path

from pydantic import Field

from simkit.errors import InputError
from simkit.scenario.reading import Origin, Table, checked, place_in, read_toml
from simkit.scenario.unknowns import Shifts, unknowns_of

FILE = "ensemble.toml"
BLOCK = 25
"""Runs in a row that share a set: building a battle anew for each would cost more than playing it."""

MOST_SETS = 25_000
"""Sets of a file: more than a calibration can try."""


class Member(Table):
    """One set: by how much each unknown is moved, and how badly its battles miss the targets (0: they meet all)."""

    numbers: dict[str, float] = Field(min_length=1)
    misfit: float = Field(ge=0, allow_inf_nan=False)


class _Head(Origin):
    name: str
    text: str


class Ensemble(Table):
    """An ensemble file, whole."""

    ensemble: _Head
    member: list[Member] = Field(min_length=2, max_length=MOST_SETS)


def read_ensemble(path: Path, book: Path) -> list[dict[str, float]]:
    """The sets of an ensemble file for the book in a folder.

    Raises:
        InputError: it is no ensemble file, or moves a number that the book does not list as unknown, or too far.
    """
    data, text = read_toml(path)
    members = checked(Ensemble, data, path, text).member
    known = unknowns_of(book)
    for number, member in enumerate(members):
        try:
            Shifts(known, member.numbers)
        except InputError as error:
            raise InputError(f"{place_in(path, ('member', number))}: {error.message}") from None
    return [dict(member.numbers) for member in members]


def sets_of(uncertainty: str, book: Path) -> list[dict[str, float]]:
    """The sets of unknown numbers that a study's `uncertainty` names; none where it names none.

    Args:
        uncertainty: "book" for the ensemble of the book, the path of an ensemble file, or nothing.
        book: the folder of the scenario's book.

    Raises:
        InputError: there is no such ensemble, or it is wrong.
    """
    if not uncertainty:
        return []
    return read_ensemble(ensemble_of(book) if uncertainty == "book" else Path(uncertainty), book)


def ensemble_of(book: Path) -> Path:
    """Where the ensemble of the book in a folder lies.

    Raises:
        InputError: the book has none.
    """
    path = book / FILE
    if not path.is_file():
        raise InputError(f"{book.name}: no ensemble of its unknown numbers has been made; `simkit calibrate` makes one")
    return path


def member_of(run: int, members: int) -> int:
    """Which of so many sets a run uses: they take turns, a block of runs each."""
    return run // BLOCK % members
