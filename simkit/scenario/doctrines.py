"""Doctrine files: the numbers of a heuristic commander, by name or from a file of a user's own."""

from importlib.resources import files
from pathlib import Path

from pydantic import Field

from simkit.commanders.doctrine import NUMBERS, Doctrine
from simkit.errors import InputError
from simkit.scenario.reading import Table, checked, place_in, read_toml, suggestion


class DoctrineHead(Table):
    """A doctrine's name and what it means in a few words."""

    name: str = Field(min_length=1)
    meaning: str


class DoctrineFile(Table):
    """A doctrine file: its head and its numbers (see `simkit.commanders.doctrine.NUMBERS`)."""

    doctrine: DoctrineHead
    numbers: dict[str, int]


def doctrines_folder() -> Path:
    """Folder of the doctrines that come with simkit."""
    return Path(str(files("simkit"))) / "commanders" / "doctrines"


def doctrine_names() -> list[str]:
    """Names of the doctrines that come with simkit, sorted."""
    return sorted(path.stem for path in doctrines_folder().glob("*.toml"))


def read_doctrine(path: Path) -> Doctrine:
    """Read and check a doctrine file.

    Raises:
        InputError: it is no doctrine file, or a number is missing, unknown or out of its range.
    """
    data, text = read_toml(path)
    file = checked(DoctrineFile, data, path, text)
    known = [number.name for number in NUMBERS]
    for name in file.numbers:
        if name not in known:
            raise InputError(f'{place_in(path, ("numbers", name))}: unknown number "{name}"{suggestion(name, known)}')
    for number in NUMBERS:
        value = file.numbers.get(number.name)
        if value is not None and not number.least <= value <= number.most:
            raise InputError(
                f"{place_in(path, ('numbers', number.name))}: {number.name} is {value}; it can be {number.least} to"
                f" {number.most} ({number.meaning})"
            )
    try:
        return Doctrine(file.doctrine.name, dict(file.numbers))
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def doctrine(name: str) -> Doctrine:
    """The doctrine of a name, or of a doctrine file's path.

    Raises:
        InputError: there is none, or the file is wrong.
    """
    if name in doctrine_names():
        return read_doctrine(doctrines_folder() / f"{name}.toml")
    if name.endswith(".toml"):
        return read_doctrine(Path(name))
    raise InputError(f'unknown doctrine "{name}"{suggestion(name, [*doctrine_names(), "random"])}')
