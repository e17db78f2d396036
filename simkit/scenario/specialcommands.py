"""A book's special rules of command: who stands in for whom in the chain of command (4.4 of Dead of Winter)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pydantic import Field

from simkit.errors import InputError
from simkit.model.battle import Battle
from simkit.model.forces import INFANTRY
from simkit.scenario.reading import Location, Sourced, Table, checked, dotted, place_in, read_toml, suggestion

if TYPE_CHECKING:
    from simkit.model.forces import Command
    from simkit.scenario.roster import Roster
    from simkit.scenario.scenariofile import Scenario

SPECIAL_COMMANDS = "special_commands.toml"


class SpecialCommand(Sourced):
    """What holds for one command of a book, by "Side/code", in every battle in which it is.

    Attributes:
        also_leads: commands above it that its leader leads too, where they have no leader of their own.
        always_in_chain: it is in command without tracing to whoever stands above it.
        traces_to: commands to any of whose leaders its own traces, instead of to his superior.
        units_trace: so may its units, without him.
        depends_on: the command without whose leader, if he is not on the map or has ever fallen, it is out of command.
        pioneers: its infantry are pioneers (18.3).
    """

    command: str
    also_leads: list[str] = []
    always_in_chain: bool = False
    traces_to: list[str] = []
    units_trace: bool = False
    depends_on: str | None = None
    pioneers: bool = False


class SpecialCommandFile(Table):
    """The special rules of command of a book."""

    special: list[SpecialCommand] = Field(min_length=1)


class Reader(Protocol):
    """What builds a scenario: it knows the roster, and the commands in play by side and code."""

    scenario: Scenario
    roster: Roster
    commands: dict[tuple[str, str], Command]


def read_special_commands(path: Path, roster: Roster) -> list[SpecialCommand]:
    """The special rules of command of a book; none if it has no such file.

    Raises:
        InputError: the file says what it can't, a command is not in the roster, stands twice, or leads one that does
            not stand above it.
    """
    if not path.exists():
        return []
    data, text = read_toml(path)
    found = checked(SpecialCommandFile, data, path, text).special
    rows = {f"{row.side}/{row.code}": row for row in roster.commands}
    for number, special in enumerate(found):
        where: Location = ("special", number)

        def wrong(key: str, what: str, where: Location = where) -> InputError:
            return InputError(f"{place_in(path, (*where, key))}: {dotted((*where, key))}: {what}")

        if special.command in [other.command for other in found[:number]]:
            raise wrong("command", f"{special.command} has two tables; a command has one")
        named = [("command", special.command), *(("also_leads", name) for name in special.also_leads)]
        named += [("traces_to", name) for name in special.traces_to]
        named += [("depends_on", special.depends_on)] if special.depends_on else []
        for key, name in named:
            if name not in rows:
                raise wrong(key, f'the roster has no command "{name}"{suggestion(name, rows)}')
            if name.partition("/")[0] != special.command.partition("/")[0]:
                raise wrong(key, f"{name} is of the other side than {special.command}")
        for name in special.also_leads:
            if not rows[name].above(rows[special.command]):
                raise wrong("also_leads", f"{name} does not stand above {special.command}")
    return found


def special_commands(reader: Reader, battle: Battle) -> None:
    """4.41, 4.42, 4.43, 4.44 of Dead of Winter: give the commands of a battle what their book lays down about them.

    Raises:
        InputError: the book's file is wrong.
    """
    known = {f"{side}/{code}": command for (side, code), command in reader.commands.items()}
    for special in read_special_commands(reader.scenario.folder / SPECIAL_COMMANDS, reader.roster):
        command = known.get(special.command)
        if command is None:
            continue
        for name in special.also_leads:
            above = known.get(name)
            if above is not None and not above.leader_list and command.leader_list:
                above.leader_list.append(command.leader())
        command.always_in_chain = special.always_in_chain
        command.traces_to = [known[name] for name in special.traces_to if name in known]
        command.units_trace = special.units_trace
        if special.depends_on is not None:
            command.depends = True
            command.depends_on = [known[special.depends_on]] if special.depends_on in known else []
        if special.pioneers:
            battle.pioneers += [unit for unit in command.units if unit.kind == INFANTRY]
