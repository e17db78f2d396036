"""Fatigue in scenario files: levels at which commands start or enter, turns in which a side does not tire (17.21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from simkit.errors import InputError
from simkit.model.fatigue import FATIGUE_4, FATIGUES
from simkit.model.forces import ADVANCE, ARTILLERY, SIDES
from simkit.play.scenario_rules import ScenarioRules
from simkit.scenario.reading import Location, suggestion
from simkit.scenario.works import chosen

if TYPE_CHECKING:
    from simkit.model.forces import Command
    from simkit.rules.options import Options
    from simkit.scenario.scenariofile import Scenario


class Reader(Protocol):
    """What builds a scenario: it knows the commands in play, finds turns, and words what is wrong."""

    scenario: Scenario
    options: Options
    commands: dict[tuple[str, str], Command]

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""

    def turn(self, named: str | int, where: Location) -> int:
        """A turn by its label or number, counted from 0."""


def set_up_fatigue(reader: Reader) -> None:
    """17.21: put Fatigue markers with the brigades of the commands that the scenario names, if the option is in use.

    A later table overrides an earlier one of a higher command.

    Raises:
        InputError: a command is not in the battle, stands twice, or has guns alone.
    """
    seen: list[str] = []
    for number, tired in enumerate(reader.scenario.fatigue):
        where: Location = ("fatigue", number, "command")
        side, _, code = tired.command.partition("/")
        command = reader.commands.get((side, code))
        if command is None:
            known = [f"{s}/{c}" for s, c in reader.commands]
            raise reader.wrong(where, f'no command "{tired.command}" in this battle{suggestion(tired.command, known)}')
        if tired.command in seen:
            raise reader.wrong(where, f"{tired.command} has two levels; a command has one")
        seen.append(tired.command)
        units = [unit for unit in command.all_units() if unit.kind != ARTILLERY]
        if not units:
            raise reader.wrong(where, f"{tired.command} has no unit here that can be tired; guns never are (17.1)")
        if reader.options.fatigue:
            level = FATIGUES.index(tired.level)
            for unit in units:
                brigade = unit.command
                (brigade.fatigue if brigade.is_led_brigade() else unit.fatigue).place(level)
                if level == FATIGUE_4:
                    _revert(brigade)


def _revert(command: Command) -> None:
    """17.32: at level 4 all are under Advance Orders."""
    command.orders = ADVANCE
    for unit in command.units:
        unit.orders = ADVANCE


def fatigue_rules(reader: Reader, rules: ScenarioRules) -> None:
    """17.22, 21.3 of Dead of Winter: note in which turns a side does not tire.

    Raises:
        InputError: a turn is none of the track.
    """
    for number, fresh in enumerate(reader.scenario.fatigue_ignored):
        if not chosen(reader, fresh.option, ("fatigue_ignored", number, "option")):
            continue
        for at, named in enumerate(fresh.turns):
            turn = reader.turn(named, ("fatigue_ignored", number, "turns", at))
            rules.tireless[SIDES.index(fresh.side)].append(turn)
