"""Optional forces and alternatives that a player may choose, at a price in victory points (20.0 of Dead of Winter)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Protocol

from simkit.errors import InputError
from simkit.model.forces import SIDES
from simkit.scenario.forcesfile import Arrival, Package, Spot, Stack
from simkit.scenario.packages import FILE, book_packages, check_packages, packages_of
from simkit.scenario.reading import Location, suggestion

if TYPE_CHECKING:
    from simkit.scenario.roster import CommandRow, Roster
    from simkit.scenario.scenariofile import Scenario

OPTION = "optional"
ON_MAP = "map"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
MOMENT = re.compile(rf"({'|'.join(MONTHS)}) (\d{{1,2}})[a-z]*, (\d{{4}})")


class Reader(Protocol):
    """What builds a scenario: it knows its roster, and words what is wrong."""

    scenario: Scenario
    roster: Roster
    superiors: dict[tuple[str, str], str]

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""

    def row_of(self, name: str, where: Location) -> CommandRow:
        """The roster's row of a command by its "Side/code"."""

    def below(self, top: CommandRow) -> set[tuple[str, str]]:
        """A command and all below it in the roster, by side and code."""

    def members(self, table: Package, where: Location) -> tuple[list[str], list[str]]:
        """Ids of the units and leaders that a table names."""


class Choice:
    """What a player's choice of packages adds to a scenario.

    Attributes:
        packages: those chosen.
        setups, arrivals: tables of the scenario that they make.
        tables: which of these belongs to which package.
        replaced: by id of a leader, who stands in his place.
        credit: victory points for each side.
    """

    def __init__(self) -> None:
        self.packages: list[Package] = []
        self.setups: list[Stack] = []
        self.arrivals: list[Arrival] = []
        self.tables: dict[str, Stack | Arrival] = {}
        self.replaced: dict[str, str] = {}
        self.credit = [0, 0]


def choose(reader: Reader, wanted: str) -> Choice:
    """20.1 to 20.4: what the option `optional` adds to a scenario: ids of packages, with commas between them.

    After an id, ":map" sets the package up, and ":" with another's id says with whom it comes. 20.2 only advises
    against them on one map, so any scenario that counts points takes them; 20.3 and 20.4 stand in the packages.

    Raises:
        InputError: there is no such package, it needs another, or it fits the scenario in no way.
    """
    made = Choice()
    scenario = reader.scenario
    if scenario.optional:
        others = [package.id for package in book_packages(scenario.folder)]
        check_packages(scenario.optional, others, reader.roster, scenario.path)
    wishes = [tuple(part.strip() for part in name.partition(":")) for name in wanted.split(",") if name.strip()]
    if not wishes:
        return made
    check_packages(book_packages(scenario.folder), [], reader.roster, scenario.folder / FILE)
    known = {package.id: package for package in packages_of(scenario)}
    for ident, _, _ in wishes:
        if ident not in known:
            raise InputError(f'option {OPTION}: no forces "{ident}"{suggestion(ident, known)}')
        if known[ident] in made.packages:
            raise InputError(f"option {OPTION}: {ident} is chosen twice")
        made.packages.append(known[ident])
    chosen = [package.id for package in made.packages]
    hows = [f"{colon}{how}" for _, colon, how in wishes]
    # those who join others come after them
    for how, package in sorted(zip(hows, made.packages, strict=True), key=lambda pair: bool(pair[1].joins)):
        missing = [other for other in package.needs if other not in chosen]
        if missing:
            raise InputError(f"option {OPTION}: {package.id} needs {' and '.join(missing)} too")
        if _is_there(reader, package):
            raise InputError(f"option {OPTION}: {package.id} is in {scenario.id} already")
        _add(reader, made, package, how)
    for package in made.packages:
        if package.superior and package.superior_without not in chosen:
            _subordinate(reader, made, package)
    return made


def _is_there(reader: Reader, package: Package) -> bool:
    """Whether a scenario has a leader, unit or brigade of a package of its own, as 10.0 has them all (20.0)."""
    tables: list[Stack | Arrival] = [*reader.scenario.setup, *reader.scenario.reinforcement]
    named = {ident for table in tables for ident in (*table.leaders, *table.units)}
    rows = [reader.row_of(name, (OPTION,)) for name in package.commands]
    codes = {code for row in rows for _, code in reader.below(row)}
    return bool(named & {*package.leaders, *package.units} or codes & _brigades(reader, Choice(), package.side))


def _add(reader: Reader, made: Choice, package: Package, how: str) -> None:
    """Add a package: as set-up or as reinforcement, alone or with another, and its price."""
    price = package.price
    on_map = how[1:] == ON_MAP
    ways = package.joins or ([ON_MAP] if package.set_up is not None else [])
    if how and how[1:] not in ways:
        those = " or ".join(f"{package.id}:{way}" for way in ways)
        can = f"it can be {those}" if ways else "it has no forces that could be set up"
        raise InputError(f'option {OPTION}: "{package.id}{how}" cannot be; {can}')
    if package.replaces is not None:
        made.replaced[package.replaces] = package.leaders[0]
    elif package.joins:
        _join(reader, made, package, how[1:] or package.joins[0])
    elif package.has_forces:
        early = _early(reader.scenario, package)
        if on_map or early is None:
            spot = package.set_up
            if spot is None:
                raise InputError(f"option {OPTION}: {package.id} cannot be set up in {reader.scenario.id}")
            made.setups.append(_stack(reader, package, spot))
            made.tables[package.id] = made.setups[-1]
            if early is not None:
                price += package.set_up_price * (early if package.by_day else 1)
        else:
            made.arrivals.append(_arrival(reader, package))
            made.tables[package.id] = made.arrivals[-1]
    made.credit[1 - SIDES.index(package.side)] += price


def _early(scenario: Scenario, package: Package) -> int | None:
    """How many days before the arrival of a package a scenario begins; None if it begins later than that."""
    if package.arrival is None:
        return None
    first = scenario.turn[0].label
    start, arrival = _moment(first, first), _moment(package.arrival, first)
    if start is None or arrival is None:
        raise InputError(
            f'option {OPTION}: {package.id} arrives at "{package.arrival}", which cannot be compared with the '
            f'first turn "{first}"; labels must be like "December 31st, 0600"'
        )
    return None if start > arrival else (arrival[0] - start[0]).days


def _moment(label: str, near: str) -> tuple[date, str] | None:
    """Day and hour of a turn's label, of two possible years that which is nearer to another label's."""
    found, other = MOMENT.match(label), MOMENT.match(near)
    if found is None or other is None:
        return None
    months = MONTHS.index(found[1]) - MONTHS.index(other[1])
    year = 2001 + (months < -6) - (months > 6)
    try:
        return date(year, MONTHS.index(found[1]) + 1, int(found[2])), found[3]
    except ValueError:  # no such day
        return None


def _arrival(reader: Reader, package: Package) -> Arrival:
    labels = [turn.label for turn in reader.scenario.turn]
    if package.arrival not in labels:
        raise InputError(
            f'option {OPTION}: {package.id} arrives at "{package.arrival}", after {reader.scenario.id} has ended; '
            f"{package.id}:{ON_MAP} sets it up"
        )
    units, leaders = reader.members(package, (OPTION,))
    return Arrival(
        source=package.source, rule=package.rule, why=package.why, turn=package.arrival, hexes=package.hexes,
        units=units, leaders=leaders,
    )


def _join(reader: Reader, made: Choice, package: Package, other: str) -> None:
    """20.4: forces that arrive with others, or are set up with them."""
    table = made.tables.get(other)
    if table is None:
        raise InputError(f"option {OPTION}: {package.id} cannot come with {other}, which brings no forces onto the map")
    units, leaders = reader.members(package, (OPTION,))
    table.units.extend(units)
    table.leaders.extend(leaders)


def _stack(reader: Reader, package: Package, spot: Spot) -> Stack:
    units, leaders = reader.members(package, (OPTION,))
    return Stack(
        source=package.source, rule=package.rule, why=package.why, units=units, leaders=leaders,
        **{name: getattr(spot, name) for name in Spot.model_fields},
    )


def _subordinate(reader: Reader, made: Choice, package: Package) -> None:
    """20.4: put a package's commands under the one of several superiors that has fewest divisions in the battle."""
    counts = {name: len(_divisions(reader, made, package.side, name)) for name in package.superior}
    chosen = min(package.superior, key=lambda name: counts[name])
    superior = reader.row_of(chosen, (OPTION,))
    for name in package.commands:
        row = reader.row_of(name, (OPTION,))
        reader.superiors[row.side, row.code] = superior.code


def _divisions(reader: Reader, made: Choice, side: str, name: str) -> set[str]:
    """Codes of the divisions of a corps that have a unit in the battle."""
    code = name.partition("/")[2]
    known: dict[tuple[str, str], CommandRow] = {(row.side, row.code): row for row in reader.roster.commands}
    found: set[str] = set()
    for brigade in _brigades(reader, made, side):
        at = known[side, brigade]
        while at.level != "army":
            superior = reader.superiors.get((side, at.code), at.superior)
            if superior == code:
                found.add(at.code)
            at = known[side, superior]
    return found


def _brigades(reader: Reader, made: Choice, side: str) -> set[str]:
    """Codes of a side's commands of which a unit is set up or enters."""
    tables: Sequence[Stack | Arrival] = [
        *reader.scenario.setup, *reader.scenario.reinforcement, *made.setups, *made.arrivals,
    ]
    by_id = {row.id: row.brigade for row in reader.roster.units if row.side == side}
    found = {by_id[ident] for table in tables for ident in table.units if ident in by_id}
    for table in tables:
        for name in table.commands:
            owner, _, code = name.partition("/")
            rows = [row for row in reader.roster.commands if (row.side, row.code) == (owner, code)]
            for row in rows if owner == side else []:
                codes = {code for _, code in reader.below(row)}
                found |= {brigade for brigade in by_id.values() if brigade in codes}
    return found
