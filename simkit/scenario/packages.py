"""The packages of optional forces that a scenario and its book offer (20.0 of Dead of Winter), and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from simkit.errors import InputError
from simkit.scenario.forcesfile import Package
from simkit.scenario.reading import Table, checked, dotted, place_in, read_toml, suggestion

if TYPE_CHECKING:
    from simkit.scenario.reading import Location
    from simkit.scenario.roster import CommandRow, Roster
    from simkit.scenario.scenariofile import Scenario

FILE = "optional_forces.toml"


class PackagesFile(Table):
    """The optional forces of a book."""

    optional: list[Package] = Field(min_length=1)


def read_packages(path: Path) -> list[Package]:
    """The optional forces of a book's file.

    Raises:
        InputError: there is no such file, or a key or value is wrong.
    """
    data, text = read_toml(path)
    return checked(PackagesFile, data, path, text).optional


def packages_of(scenario: Scenario) -> list[Package]:
    """The packages that a scenario offers: its own, and those of its book.

    Raises:
        InputError: the book's file is wrong.
    """
    own = [package.id for package in scenario.optional]
    return [*scenario.optional, *(package for package in book_packages(scenario.folder) if package.id not in own)]


def book_packages(folder: Path) -> list[Package]:
    """The packages of the book in a folder; none if it lists none."""
    path = folder / FILE
    return read_packages(path) if path.exists() else []


def check_packages(packages: Sequence[Package], others: Iterable[str], roster: Roster, path: Path) -> None:
    """See that the packages of a file name each other, and commands and leaders of their side, as they must.

    Args:
        packages: those of the file.
        others: ids of packages that stand elsewhere and may be named too.
        roster: the book's.
        path: the file.

    Raises:
        InputError: a package names what there is not or cannot be.
    """
    ids = [package.id for package in packages]
    for number, package in enumerate(packages):
        for key, what in (*_named(package, [*ids, *others]), *_people(package, roster), *_served(package, roster)):
            where: Location = ("optional", number, key)
            raise InputError(f"{place_in(path, where)}: {dotted(where)}: {what}")
        if package.id in ids[:number]:
            where = ("optional", number, "id")
            raise InputError(f"{place_in(path, where)}: {dotted(where)}: two packages are called {package.id}")


Faults = Iterator[tuple[str, str]]
"""Keys of a package, and what is wrong with their values."""


def _named(package: Package, known: list[str]) -> Faults:
    for key in ("needs", "joins", "superior_without"):
        value = getattr(package, key)
        for other in value if isinstance(value, list) else [value] if value else []:
            if other == package.id:
                yield key, f"{other} is the package itself"
            elif other not in known:
                yield key, f'no forces "{other}"{suggestion(other, known)}'


def _people(package: Package, roster: Roster) -> Faults:
    chiefs = {row.id: row for row in roster.leaders if row.side == package.side}
    units = [row.id for row in roster.units if row.side == package.side]
    pool_leader = [package.pool_leader] if package.pool_leader is not None else []
    replaced = [package.replaces] if package.replaces is not None else []
    for key, named in (("leaders", package.leaders), ("pool_leader", pool_leader), ("replaces", replaced)):
        for ident in named:
            if ident not in chiefs:
                yield key, f'no {package.side} leader "{ident}" in the roster{suggestion(ident, chiefs)}'
    for ident in package.units:
        if ident not in units:
            yield "units", f'no {package.side} unit "{ident}" in the roster{suggestion(ident, units)}'
    for ident in replaced if package.leaders and package.leaders[0] in chiefs else []:
        old, new = chiefs.get(ident), chiefs[package.leaders[0]]
        if old is not None and old.level != new.level:
            yield "replaces", f"{old.id} leads a {old.level}, where {new.id}, of a {new.level}, cannot take his place"


def _served(package: Package, roster: Roster) -> Faults:
    rows: dict[str, CommandRow] = {f"{row.side}/{row.code}": row for row in roster.commands if row.side == package.side}
    for key in ("commands", "superior"):
        for name in getattr(package, key):
            if name not in rows:
                yield key, f'no {package.side} command "{name}" in the roster{suggestion(name, rows)}'
            elif key == "superior":
                for own in package.commands:
                    if own in rows and not rows[name].above(rows[own]):
                        yield key, f"{name} is a {rows[name].level} and cannot command the {rows[own].level} {own}"
