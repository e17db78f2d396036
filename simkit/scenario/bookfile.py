"""Book files: what a book says of itself, above all which edition of the series rules it carries."""

from pathlib import Path

from pydantic import Field, field_validator

from simkit.errors import InputError
from simkit.rules.options import EDITIONS
from simkit.scenario.reading import Sourced, Table, checked, place_in, read_toml, suggestion

FILE = "book.toml"


class Book(Sourced):
    """A book: its id, which is the name of its folder, its name, and the edition of the series rules it carries."""

    id: str = Field(pattern=r"^[a-z0-9_]+$")
    name: str
    edition: str

    @field_validator("edition")
    @classmethod
    def _known(cls, edition: str) -> str:
        if edition not in EDITIONS:
            raise ValueError(f'unknown edition "{edition}"{suggestion(edition, EDITIONS)}')
        return edition


class _File(Table):
    """A book file as TOML has it."""

    book: Book


def read_book(folder: Path, name: str = FILE) -> Book:
    """The book whose data lie in a folder.

    Args:
        folder: the book's folder.
        name: its file there.

    Raises:
        InputError: there is no such file, a key or value is wrong, or the id is not that of the folder.
    """
    path = folder / name
    data, text = read_toml(path)
    book = checked(_File, data, path, text).book
    named = folder.resolve().name
    if book.id != named:
        where = place_in(path, ("book", "id"))
        raise InputError(f'{where}: book.id: must be "{named}", as its folder is named, not "{book.id}"')
    return book
