"""Event charts in a book's data, and the event markers that a scenario puts into the pool (5.31, 19.0 of the books)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import Field, field_validator, model_validator

from simkit.errors import InputError
from simkit.model.events import (
    EITHER,
    EVENT_KINDS,
    FRIENDLY_FIRE,
    LEADER_CHECK,
    NO_EVENT,
    NONE,
    TAKES_COMMAND,
    EventChart,
    EventMarkers,
    RandomEvent,
)
from simkit.model.forces import LEVELS, SIDES
from simkit.play.scenario_rules import ScenarioRules
from simkit.scenario.reading import Location, Sourced, Table, checked, read_toml, suggestion
from simkit.scenario.roster import Side

if TYPE_CHECKING:
    from simkit.scenario.scenariofile import Scenario

RANDOM_EVENTS = "random_events.toml"
OWNERS = {"none": NO_EVENT, "Union": 0, "Confederate": 1, "either": EITHER}


class EventRow(Sourced):
    """One result of an event chart: the faces of the second roll that bring it, its kind, and that kind's numbers."""

    name: str
    kind: str
    faces: list[int] = Field(min_length=1)
    side: Side | None = None
    level: Literal["brigade", "division", "corps", "army"] = "brigade"
    within: int = Field(default=0, ge=0)
    support: int = Field(default=0, ge=0)
    number: int = Field(default=1, ge=1)
    drm: int = 0
    killed: int = Field(default=0, ge=0, le=9)
    near: int = 0
    adjacent: int = 0
    command: str = ""
    leader: str = ""

    @field_validator("kind")
    @classmethod
    def _known(cls, kind: str) -> str:
        if kind not in EVENT_KINDS:
            raise ValueError(f'unknown kind of event "{kind}"{suggestion(kind, EVENT_KINDS)}')
        return kind

    @model_validator(mode="after")
    def _whole(self) -> EventRow:
        if self.kind == FRIENDLY_FIRE and self.side is None:
            raise ValueError("a friendly fire says whose units suffer: add side")
        if self.kind == LEADER_CHECK and self.within == 0:
            raise ValueError("a leader check says how near the enemy must be: add within")
        takes = self.kind == TAKES_COMMAND
        if takes != (self.command.partition("/")[0] in SIDES) or takes != (self.leader != ""):
            raise ValueError(
                f'who takes command needs leader and command (Pillow, Confederate/2/1/H), and no other event has them; '
                f'they are "{self.leader}" and "{self.command}"'
            )
        return self


class ChartOf(Sourced):
    """What a chart says of its marker: its name, and whose event each face of the first roll brings."""

    name: str
    first_roll: list[Literal["none", "Union", "Confederate", "either"]] = Field(min_length=10, max_length=10)
    none_if_last: bool = False
    by_day: bool = False


class EventFile(Table):
    """An event chart as its file says it."""

    chart: ChartOf
    event: list[EventRow] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_face_once(self) -> EventFile:
        faces = sorted(face for row in self.event for face in row.faces)
        if faces != list(range(10)):
            raise ValueError(f"the events' faces must be 0 to 9, each once; they are {faces}")
        return self


class MarkersOf(Sourced):
    """Markers of an event chart in a scenario: the chart's file in the book, how many a turn, from which turn on."""

    chart: str
    number: int = Field(default=1, ge=1, le=8)
    first_turn: str | int = 1
    last_turn: str | int | None = None


class Reader(Protocol):
    """What builds a scenario: it finds turns and words what is wrong."""

    scenario: Scenario

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""

    def turn(self, named: str | int, where: Location) -> int:
        """A turn by its label or number, counted from 0."""


def read_events(path: Path) -> EventChart:
    """Read an event chart.

    Raises:
        InputError: there is no such file, or it says what no chart can say.
    """
    data, text = read_toml(path)
    file = checked(EventFile, data, path, text)
    events = [RandomEvent("", NONE)] * 10
    for row in file.event:
        made = RandomEvent(row.name, row.kind)
        made.side = EITHER if row.side is None else SIDES.index(row.side)
        made.level = LEVELS.index(row.level)
        made.within = row.within
        made.support = row.support
        made.number = row.number
        made.drm = row.drm
        made.killed = row.killed
        made.near = row.near
        made.adjacent = row.adjacent
        made.command = row.command
        made.leader = row.leader
        for face in row.faces:
            events[face] = made
    owners = [int(OWNERS[owner]) for owner in file.chart.first_roll]
    return EventChart(file.chart.name, owners, events, file.chart.none_if_last, file.chart.by_day)


def event_rules(reader: Reader, rules: ScenarioRules) -> None:
    """5.31: note the event markers of the scenario: that of random events, if it uses them, and those of its battle.

    Raises:
        InputError: the book has no such chart, or a turn is none of the track.
    """
    scenario = reader.scenario
    last = len(scenario.turn) - 1
    if scenario.scenario.random_events:
        path = scenario.folder / RANDOM_EVENTS
        if not path.exists():
            raise reader.wrong(
                ("scenario", "random_events"), f"the book has no {RANDOM_EVENTS}; without it this must be false"
            )
        first = reader.turn(scenario.scenario.random_events_from, ("scenario", "random_events_from"))
        rules.events.append(EventMarkers(read_events(path), 1, first, last))
    for number, markers in enumerate(scenario.event_marker):
        path = scenario.folder / markers.chart
        if not path.exists():
            raise reader.wrong(("event_marker", number, "chart"), f"the book has no file {markers.chart}")
        first = reader.turn(markers.first_turn, ("event_marker", number, "first_turn"))
        until = last
        if markers.last_turn is not None:
            until = reader.turn(markers.last_turn, ("event_marker", number, "last_turn"))
        rules.events.append(EventMarkers(read_events(path), markers.number, first, until))
