"""Artillery commands in scenario files: whose guns have activation markers of their own, and which (4.33)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from simkit.errors import InputError
from simkit.model.artillery import BY_EFFICIENCY, NO_MARKER, ArtilleryCommand
from simkit.model.battle import Battle
from simkit.model.forces import ARTILLERY, DIVISION, SIDES
from simkit.scenario.reading import Location, suggestion

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.scenario.roster import CommandRow
    from simkit.scenario.scenariofile import Guns, Scenario


class Reader(Protocol):
    """What builds a scenario: it knows commands, units and hexes, and words what is wrong."""

    scenario: Scenario
    commands: dict[tuple[str, str], Command]
    units: dict[str, Unit]

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""

    def command(self, side: str, code: str) -> Command:
        """The command of a code, made with all above it when first asked for."""

    def command_row(self, side: str, code: str, where: Location) -> CommandRow:
        """The roster's row of a command."""

    def place(self, ident: str, where: Location) -> Hex:
        """A hex by its printed id."""


def artillery_commands(reader: Reader, battle: Battle) -> None:
    """4.33: give the battle the artillery commands of its scenario, once all forces are named.

    Raises:
        InputError: a command is none of guns, stands twice or not at all, or names commands, hexes or units that the
            battle does not have.
    """
    for number, guns in enumerate(reader.scenario.artillery):
        where: Location = ("artillery", number)
        side, _, code = guns.command.partition("/")
        if side not in SIDES:
            raise reader.wrong((*where, "command"), f'"{guns.command}" must begin with Union/ or Confederate/')
        if not reader.command_row(side, code, (*where, "command")).artillery:
            raise reader.wrong(
                (*where, "command"), f"{guns.command} is no artillery command; the roster's commands.csv says which are"
            )
        command = reader.command(side, code)
        if any(other.command is command for other in battle.artillery):
            raise reader.wrong((*where, "command"), f"{guns.command} has two tables; a command has one")
        battle.artillery.append(_made(reader, battle, guns, command, where))
    for command in reader.commands.values():
        if command.artillery and not any(other.command is command for other in battle.artillery):
            raise reader.wrong(
                (), f"{SIDES[command.side]}/{command.code} is an artillery command; an [[artillery]] table must say "
                "how it is activated (4.33)",
            )


def _made(reader: Reader, battle: Battle, guns: Guns, command: Command, where: Location) -> ArtilleryCommand:
    markers = BY_EFFICIENCY if guns.markers == "efficiency" else NO_MARKER if guns.markers is None else guns.markers
    made = ArtilleryCommand(command, markers, guns.most)
    if guns.acts_with is not None:
        command.acts_with = _known(reader, command, guns.acts_with, (*where, "acts_with"))
        if command.acts_with.level != DIVISION:
            raise reader.wrong((*where, "acts_with"), f"{guns.acts_with} is no division; its markers activate nobody")
    for at, name in enumerate(guns.takes):
        taken = _known(reader, command, name, (*where, "takes", at))
        for other in [taken, *_below(taken)]:
            if other is not command and other not in made.takes:
                made.takes.append(other)
    made.yields = guns.with_brigades
    made.closed = [reader.place(ident, (*where, "except_in", at)) for at, ident in enumerate(guns.except_in)]
    made.most_placed = guns.placed
    made.picked_markers = guns.picked_markers
    for at, ident in enumerate(guns.picked):
        unit = reader.units.get(ident)
        if unit is None:
            raise reader.wrong(
                (*where, "picked", at), f'no unit "{ident}" in this battle{suggestion(ident, reader.units)}'
            )
        if unit.kind != ARTILLERY or unit.side != command.side:
            side = SIDES[command.side]
            raise reader.wrong((*where, "picked", at), f"{ident} is no battery of the {side} side (4.33)")
        made.picked.append(unit)
    return made


def _known(reader: Reader, command: Command, name: str, where: Location) -> Command:
    """A command of the same side in this battle, by its "Side/code"."""
    side, _, code = name.partition("/")
    found = reader.commands.get((side, code))
    if found is None:
        known = [f"{s}/{c}" for s, c in reader.commands]
        raise reader.wrong(where, f'no command "{name}" in this battle{suggestion(name, known)}')
    if found.side != command.side:
        raise reader.wrong(where, f"{name} is of the other side than {command.code}")
    return found


def _below(command: Command) -> list[Command]:
    found: list[Command] = []
    for subordinate in command.subordinates:
        found.append(subordinate)
        found.extend(_below(subordinate))
    return found
