"""Scenario files: when, where and with whom a battle is fought, and what decides it."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, field_validator, model_validator

from simkit.scenario.events import MarkersOf
from simkit.scenario.forcesfile import (
    Area,
    Arrival,
    ArrivalTable,
    Attachment,
    FatigueName,
    HeadingName,
    LateGroup,
    OffMap,
    Package,
    Stack,
    Withdrawal,
)
from simkit.scenario.reading import Sourced, Table, checked, read_toml
from simkit.scenario.roster import Side
from simkit.scenario.victoryfile import Victory

Light = Literal["day", "dawn", "dusk", "night"]


class TurnOf(Table):
    """A turn of the track: its label and its light (16.1)."""

    label: str
    light: Light = "day"


class Period(Sourced):
    """Efficiency that holds from one turn to another instead of that of all turns; the last turn of the track if left
    out."""

    first_turn: str | int = 1
    last_turn: str | int | None = None
    fixed: dict[str, int] = {}
    pool: dict[Side, list[int]] = {}


class Added(Sourced):
    """Markers that a pool has more while a leader is on the map."""

    side: Side
    markers: list[int] = Field(min_length=1)
    leader: str


class Efficiency(Sourced):
    """How many activation markers divisions get: fixed numbers by "Side/code", or pools of markers (5.21).

    Attributes:
        fixed: for a division its markers, for a corps the marker that it would draw.
        pool: the markers from which corps draw.
        period: what holds in some turns instead; numbers fixed there come before those fixed here.
        added: markers that come with a leader.
    """

    fixed: dict[str, int] = {}
    pool: dict[Side, list[int]] = {}
    period: list[Period] = []
    added: list[Added] = []


class Visibility(Sourced):
    """How many hexes anybody sees in some turns: those named, by label or number, or all of a light (2.43, 16.1)."""

    hexes: int = Field(ge=1, le=60)
    turns: list[str | int] = []
    light: list[Light] = []

    @model_validator(mode="after")
    def _some_turns(self) -> Self:
        if bool(self.turns) == bool(self.light):
            raise ValueError("it needs turns or light, and not both")
        return self


class MovementLimit(Sourced):
    """Ground that some may not enter, or that costs those who do their activations.

    Attributes:
        sides, commands, leaders: whom it binds, commands by "Side/code" with all below them; all if none is named.
        area: the ground.
        markers: where left out, nobody may move or advance there; else a brigade of which a unit moves there may act on
            no more than so many markers a turn for the rest of the battle.
    """

    sides: list[Side] = []
    commands: list[str] = []
    leaders: list[str] = []
    area: list[Area] = Field(min_length=1)
    markers: int | None = Field(default=None, ge=1, le=3)


class RiverCrossing(Sourced):
    """A corps that must first cross a river, with the option `crittendens_attack` (21.2 of Dead of Winter).

    Attributes:
        command: the corps, by "Side/code".
        activations: in how many of its first activations it must.
        beyond: the far bank.
    """

    command: str
    activations: int = Field(ge=1)
    beyond: list[Area] = Field(min_length=1)


class ShockAndAwe(Sourced):
    """An army surprised at dawn, with the option `shock_and_awe` (1.0 and 8.0 of Dead of Winter).

    Attributes:
        surprised: the command, by "Side/code", whose units test on set-up and whose cohesion suffers in the first turn.
        free_orders: divisions that may each change the orders of one brigade without a roll in the first turn.
        withheld: divisions whose markers stay out of the pool until one of `surprised` is fired at by enemy infantry
            or an enemy moves adjacent to it.
        still: leaders who do not move in the first turn.
    """

    surprised: str
    free_orders: list[str] = []
    withheld: list[str] = []
    still: list[str] = []


class Superior(Sourced):
    """A command that serves under another superior in this scenario, or until its owner `dissolves` all such."""

    command: str
    superior: str
    dissolves: bool = False


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


class Fieldworks(Sourced):
    """Breastworks that stand at the start (15.2), one marker in each hex; a hex may be in two such tables.

    Attributes:
        hexes: where they stand.
        heading: the vertex that they face, whose two hexsides they cover; left out, they face as the units there do.
        side: whom they protect: where nobody stands they face the middle of that side's enemies.
    """

    hexes: list[str] = Field(min_length=1)
    heading: HeadingName | None = None
    side: Side | None = None


class Building(Sourced):
    """Who may build breastworks (15.1): from the first turn on, unless it names another, or never.

    With `option` only if that option of the rules is "yes".
    """

    option: str | None = None
    first_turn: dict[Side, str | int] = {}
    never: list[Side] = []


class Tired(Sourced):
    """A command, by "Side/code", whose brigades start or enter at a Fatigue Level (17.21), if the option is in use."""

    command: str
    level: FatigueName

    @field_validator("level", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Tireless(Sourced):
    """Turns, by label or number, in which a side incurs no Fatigue; with `option` only if that option is "yes"."""

    option: str | None = None
    side: Side
    turns: list[str | int] = Field(min_length=1)


class Objective(Sourced):
    """A hex that a side wants: for commanders and reports, not for victory.

    `commands` names those that it draws, by "Side/code"; they are drawn to what names them or a command above them,
    nearest first, and to nothing else. Left out, it draws all that no objective names. With `hold` they keep the enemy
    from it, and do not seek him elsewhere. Before the turn `since` and after the turn `until` it draws nobody.
    """

    side: Side
    hex: str
    weight: int = Field(default=1, ge=1, le=10)
    commands: list[str] = []
    hold: bool = False
    since: str | int | None = None
    until: str | int | None = None


class Head(Sourced):
    """What a scenario is: its id, name, book, map file, first initiative, water level, and orders at the start.

    `sheets` are the letters of the map sheets in play, `in_play` blocks of hexes (two corners: "C1001-C4819") to which
    the battle keeps; left out, all sheets and all their hexes are in play.

    In the first turn the side that has the initiative picks `first_markers` markers to begin with, not one (5.13).
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
    first_markers: int = Field(default=1, ge=1, le=4)
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
    visibility: list[Visibility] = []
    movement_limit: list[MovementLimit] = []
    attachment: list[Attachment] = []
    setup: list[Stack] = Field(min_length=1)
    off_map: list[OffMap] = []
    reinforcement: list[Arrival] = []
    withdrawal: list[Withdrawal] = []
    arrival_table: ArrivalTable | None = None
    late_group: list[LateGroup] = []
    optional: list[Package] = []
    shock_and_awe: ShockAndAwe | None = None
    river_crossing: RiverCrossing | None = None
    breastworks: list[Fieldworks] = []
    building: Building | None = None
    fatigue: list[Tired] = []
    fatigue_ignored: list[Tireless] = []
    event_marker: list[MarkersOf] = []
    victory: Victory
    objective: list[Objective] = []
    history: list[str] = []

    @model_validator(mode="after")
    def _late_groups_have_a_table(self) -> Self:
        if bool(self.late_group) != (self.arrival_table is not None):
            raise ValueError("late_group and arrival_table belong together: who is late, and when they arrive")
        return self

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
