"""Scenario files: when, where and with whom a battle is fought, and what decides it."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, field_validator, model_validator

from simkit.scenario.events import MarkersOf
from simkit.scenario.reading import Sourced, Table, checked, read_toml
from simkit.scenario.roster import Side


class TurnOf(Table):
    """A turn of the track: its label and its light (16.1)."""

    label: str
    light: Literal["day", "dawn", "dusk", "night"] = "day"


class Efficiency(Sourced):
    """How many activation markers divisions get: fixed numbers by "Side/division", or pools of markers (5.21)."""

    fixed: dict[str, int] = {}
    pool: dict[Side, list[int]] = {}


class Superior(Sourced):
    """A command that serves under another superior in this scenario."""

    command: str
    superior: str


class Guns(Sourced):
    """How an artillery command, a command of guns that no division's marker activates, comes into play (4.33).

    Attributes:
        command: "Side/code" of a command that the roster says is one of guns.
        markers: activation markers of its own in each turn, or "efficiency" for as many as that gives it (5.2).
        acts_with: "Side/code" of the division whose markers activate it, where it has none of its own.
        most: most markers that efficiency gives it.
        takes: commands, by "Side/code", whose batteries it takes over, theirs below included.
        with_brigades: batteries that begin a turn stacked with a brigade's unit, or in the Command Range of a
            brigadier, act with a brigade in it.
        except_in: hexes in which batteries of the commands in `takes` stay with these.
        placed: how many batteries its owner may place under it at the start of any turn, for the rest of the battle.
        picked, picked_markers: units for whom alone it has so many further markers.
    """

    command: str
    markers: Annotated[int, Field(ge=1, le=4)] | Literal["efficiency"] | None = None
    acts_with: str | None = None
    most: int = Field(default=4, ge=1, le=4)
    takes: list[str] = []
    with_brigades: bool = False
    except_in: list[str] = []
    placed: int = Field(default=0, ge=0)
    picked: list[str] = []
    picked_markers: int = Field(default=0, ge=0, le=4)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if (self.markers is None) == (self.acts_with is None):
            raise ValueError("it needs either markers of its own or a division that it acts with, and not both (4.33)")
        if self.most < 4 and self.markers != "efficiency":
            raise ValueError('most: only where markers = "efficiency" can it have more or fewer (5.24)')
        if self.except_in and not self.takes:
            raise ValueError("except_in: it takes no batteries over that could stand there")
        if bool(self.picked) != (self.picked_markers > 0):
            raise ValueError("picked: name batteries and how many markers are for them, or neither")
        if self.picked_markers and self.markers is None:
            raise ValueError("picked_markers: it acts with a division, so it has no markers of its own")
        return self


class Stack(Sourced):
    """Units and leaders that start in a hex, top unit first; `strength` where it differs from the printed one.

    That of a battery of several sections names the guns left of each: "3 N + 2 R" (8.37).

    Cavalry is set up mounted but for those that `dismounted` names (14.21).
    """

    hex: str
    units: list[str] = []
    leaders: list[str] = []
    strength: dict[str, int | str] = {}
    dismounted: list[str] = []
    heading: Literal["NNE", "E", "SSE", "SSW", "W", "NNW"] | None = None


class Arrival(Sourced):
    """A group of reinforcements that enters in a turn, or later if it is kept out or delays (9.7).

    Attributes:
        turn: the label of a turn of the track, or its number from 1.
        hexes: the hex on the map's edge through which it enters; several for a choice, or for all hexes of an area.
        units, leaders, strength, dismounted: as in a set-up.
        orders: the orders from which its owner chooses; one if they are assigned (6.17).
        activations: most activations, or their equivalent on the march, in the turn in which it enters (9.74); as many
            as its division has if left out.
        sequence: its place among the groups of its turn that must enter in order, from 1; 0 if it may enter at any time
            (9.73). Within a group the order is free.
        inside: its units appear in the hexes, which then need not lie on the edge.
    """

    turn: str | int
    hexes: list[str] = Field(min_length=1)
    units: list[str] = []
    leaders: list[str] = []
    strength: dict[str, int | str] = {}
    dismounted: list[str] = []
    orders: list[Literal["March", "Advance", "Attack"]] = Field(default=["March", "Advance", "Attack"], min_length=1)
    activations: int | None = Field(default=None, ge=1, le=4)
    sequence: int = Field(default=0, ge=0)
    inside: bool = False

    @field_validator("hexes", "orders")
    @classmethod
    def _distinct(cls, values: list[str]) -> list[str]:
        for number, value in enumerate(values):
            if value in values[:number]:
                raise ValueError(f"{value} stands twice")
        return values


class Fieldworks(Sourced):
    """Breastworks that stand at the start (15.2), one marker in each hex; a hex may be in two such tables.

    Attributes:
        hexes: where they stand.
        heading: the vertex that they face, whose two hexsides they cover; left out, they face as the units there do.
        side: whom they protect: where nobody stands they face the middle of that side's enemies.
    """

    hexes: list[str] = Field(min_length=1)
    heading: Literal["NNE", "E", "SSE", "SSW", "W", "NNW"] | None = None
    side: Side | None = None


class Building(Sourced):
    """Who may build breastworks (15.1): from the first turn on, unless it names another, or never."""

    first_turn: dict[Side, str | int] = {}
    never: list[Side] = []


class Tired(Sourced):
    """A command, by "Side/code", whose brigades start or enter at a Fatigue Level (17.21), if the option is in use."""

    command: str
    level: Literal["OK", "0", "1", "2", "3", "4"]

    @field_validator("level", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Tireless(Sourced):
    """Turns, by label or number, in which a side incurs no Fatigue (21.3 of Dead of Winter)."""

    side: Side
    turns: list[str | int] = Field(min_length=1)


class Victory(Sourced):
    """What decides the battle, by kind; see `simkit.play.victory`."""

    kind: str
    text: str


class Objective(Sourced):
    """A hex that a side wants: for commanders and reports, not for victory.

    `commands` names those that it draws, by "Side/code"; they are drawn to what names them or a command above them,
    nearest first, and to nothing else. Left out, it draws all that no objective names.
    """

    side: Side
    hex: str
    weight: int = Field(default=1, ge=1, le=10)
    commands: list[str] = []


class Head(Sourced):
    """What a scenario is: its id, name, book, map file, first initiative, water level, and orders at the start.

    `sheets` are the letters of the map sheets in play, `in_play` blocks of hexes (two corners: "C1001-C4819") to which
    the battle keeps; left out, all sheets and all their hexes are in play.

    Its `rule` and `why` hold for all values of the file that have the same source and say nothing of their own.
    """

    id: str = Field(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")
    name: str
    book: str = Field(pattern=r"^[a-z0-9_]+$")
    map: str
    sheets: list[str] = []
    in_play: list[str] = []
    summary: str
    initiative: Side | None = None
    random_events: bool = False
    random_events_from: str | int = 1
    water: Literal["low", "medium", "high"] = "medium"
    orders: Literal["March", "Advance", "Attack"] = "Advance"


class Scenario(Table):
    """A scenario as its file says it; `folder` is the book's folder."""

    scenario: Head
    turn: list[TurnOf] = Field(min_length=1)
    efficiency: Efficiency
    superior: list[Superior] = []
    artillery: list[Guns] = []
    setup: list[Stack] = Field(min_length=1)
    reinforcement: list[Arrival] = []
    breastworks: list[Fieldworks] = []
    building: Building | None = None
    fatigue: list[Tired] = []
    fatigue_ignored: list[Tireless] = []
    event_marker: list[MarkersOf] = []
    victory: Victory
    objective: list[Objective] = []
    history: list[str] = []

    _folder: Path = PrivateAttr(default=Path())
    _path: Path = PrivateAttr(default=Path())

    @property
    def id(self) -> str:
        """The scenario's id, such as `dead_of_winter/skirmish`."""
        return self.scenario.id

    @property
    def folder(self) -> Path:
        """Folder of the book whose data it uses."""
        return self._folder

    @property
    def path(self) -> Path:
        """The scenario's own file."""
        return self._path


def read_scenario(path: Path, books: Path) -> Scenario:
    """Read and check a scenario file against its schema.

    Args:
        path: the scenario file.
        books: folder of the books; the scenario's book is looked for there.

    Raises:
        InputError: it is no scenario file, or a key or value is wrong.
    """
    data, text = read_toml(path)
    scenario = checked(Scenario, data, path, text)
    scenario._folder = books / scenario.scenario.book
    scenario._path = path
    return scenario
