"""Tables of a scenario file that say who is where: set-up, reinforcements, withdrawals, and who is off the map."""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from simkit.scenario.reading import Sourced, Table
from simkit.scenario.roster import Side

OrdersName = Literal["March", "Advance", "Attack"]
HeadingName = Literal["NNE", "E", "SSE", "SSW", "W", "NNW"]
FatigueName = Literal["OK", "0", "1", "2", "3", "4"]


def each_once(values: list[str]) -> list[str]:
    """A list of a data file in which no entry may stand twice."""
    for number, value in enumerate(values):
        if value in values[:number]:
            raise ValueError(f"{value} stands twice")
    return values


class Area(Table):
    """Hexes in one of four ways; several areas in a list are taken together.

    Attributes:
        sheet: the letter of a map sheet, all of it or its printed `columns` and `rows`, from and to.
        hexes: these hexes.
        along: two hexes: all on the shortest way by trail, road or pike from one to the other.
        bank_of: all hexes that can be reached from this one without crossing water: its bank of the river.
    """

    sheet: str | None = Field(default=None, pattern=r"^[A-Z]$")
    columns: list[int] = Field(default=[1, 99], min_length=2, max_length=2)
    rows: list[int] = Field(default=[1, 99], min_length=2, max_length=2)
    hexes: list[str] = []
    along: list[str] = []
    bank_of: str | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ways = [self.sheet is not None, bool(self.hexes), bool(self.along), self.bank_of is not None]
        if ways.count(True) != 1:
            raise ValueError("an area needs just one of sheet, hexes, along and bank_of")
        if self.along and len(self.along) != 2:
            raise ValueError("along: name two hexes, the ends of the way")
        for name in ("columns", "rows"):
            first, last = getattr(self, name)
            if self.sheet is None and name in self.model_fields_set:
                raise ValueError(f"{name}: they are counted on a sheet; add sheet")
            if first > last:
                raise ValueError(f"{name}: must run from the lower to the higher number, not {first} to {last}")
        return self


class Named(Sourced):
    """Units and leaders by their ids, and whole commands by "Side/code": all below them in the roster, leaders too.

    Attributes:
        but: units and leaders of the commands that are not meant.
        strength: strength points where they differ from the printed ones; for a battery of several sections the guns
            left of each: "3 N + 2 R" (8.37).
        dismounted: cavalry that is on foot; all other is mounted (14.21).
        disordered, collapsed: units in such a state.
        replaced: leaders whose replacement side is up (12.7).
    """

    units: list[str] = []
    leaders: list[str] = []
    commands: list[str] = []
    but: list[str] = []
    strength: dict[str, int | str] = {}
    dismounted: list[str] = []
    disordered: list[str] = []
    collapsed: list[str] = []
    replaced: list[str] = []

    @field_validator("commands", "but", "dismounted", "disordered", "collapsed", "replaced")
    @classmethod
    def _once(cls, values: list[str]) -> list[str]:
        return each_once(values)

    @model_validator(mode="after")
    def _but_of_something(self) -> Self:
        if self.but and not self.commands:
            raise ValueError("but: it takes units away from commands; there are none here")
        return self


class Spot(Table):
    """Where units may be set up: a hex, or hexes of which their owner chooses.

    Attributes:
        hex: a hex; with `within` all hexes at most so far from it.
        leader: with `within`, all hexes at most so far from this leader; with `command_range`, all in his range (4.2).
        area: hexes otherwise.
        clear_of_enemy: how near no enemy may be.
    """

    hex: str | None = None
    within: int = Field(default=0, ge=0, le=20)
    leader: str | None = None
    command_range: bool = False
    area: list[Area] = []
    clear_of_enemy: int = Field(default=0, ge=0, le=40)

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        one_spot(self)
        return self


class Stack(Named, Spot):
    """Units and leaders that start in a hex, top unit first; or in several of which their owner chooses (see `Spot`).

    Attributes:
        heading: which way all face until their owner changes it; towards the enemy if left out.
        breastworks: a marker stands in each hex that they take, facing as they do (15.1).
    """

    heading: HeadingName | None = None
    breastworks: bool = False

    @property
    def fixed(self) -> bool:
        """Whether it is one hex, which leaves no choice."""
        return self.hex is not None and self.within == 0


def one_spot(spot: "Spot") -> None:
    """See that a table of places says one place in one way."""
    if [spot.hex is not None, spot.leader is not None, bool(spot.area)].count(True) != 1:
        raise ValueError("where they stand needs just one of hex, leader and area")
    if spot.leader is not None and (spot.within > 0) == spot.command_range:
        raise ValueError("leader: add within or command_range, not both")
    if spot.leader is None and spot.command_range:
        raise ValueError("command_range: of which leader? add leader")
    if spot.area and spot.within:
        raise ValueError("within: it is counted from a hex or a leader, not from an area")


class Faces(Table):
    """Faces of a die that let a group enter, each from 0 to 9 and once."""

    faces: list[Annotated[int, Field(ge=0, le=9)]] = Field(min_length=1)

    @field_validator("faces")
    @classmethod
    def _once(cls, values: list[int]) -> list[int]:
        if len(set(values)) < len(values):
            raise ValueError("a face stands twice")
        return values


class LaterFaces(Faces):
    """Those that do so from a turn on, given by its label or number."""

    turn: str | int


class Roll(Faces):
    """A die that a group must roll each turn from its own on until it may enter (10.0 of Dead of Winter).

    Attributes:
        faces: the rolls with which it enters.
        later: other ones, which hold from some turn on.
    """

    later: LaterFaces | None = None


class Arrival(Named):
    """A group of reinforcements that enters in a turn, or later if it is kept out or delays (9.7).

    Attributes:
        turn: the label of a turn of the track, or its number from 1.
        hexes: the hex on the map's edge through which it enters; several for a choice, or for all hexes of an area.
        orders: the orders from which its owner chooses; one if they are assigned (6.17).
        activations: most activations, or their equivalent on the march, in the turn in which it enters (9.74); as many
            as its division has if left out.
        sequence: its place among the groups of its turn that must enter in order, from 1; 0 if it may enter at any time
            (9.73). Within a group the order is free.
        inside: its units appear in the hexes, which then need not lie on the edge.
        roll: the die without which it does not enter.
    """

    turn: str | int
    hexes: list[str] = Field(min_length=1)
    orders: list[OrdersName] = Field(default=["March", "Advance", "Attack"], min_length=1)
    activations: int | None = Field(default=None, ge=1, le=4)
    sequence: int = Field(default=0, ge=0)
    inside: bool = False
    roll: Roll | None = None

    @field_validator("hexes", "orders")
    @classmethod
    def _distinct(cls, values: list[str]) -> list[str]:
        return each_once(values)


class OffMap(Named):
    """Units and leaders that start off the map: routed, eliminated, or not in play at all.

    Those not in play do not exist in the battle; they are named so that nobody is forgotten.
    """

    state: Literal["routed", "eliminated", "not in play"]


class Returning(Table):
    """How those who have left the map come back: as a group of reinforcements (9.7).

    Attributes:
        strength: most strength points with which a unit comes back; it has no more than those with which it left.
        fatigue: the Fatigue Level with which they come back, if the option is in use (17.21).
    """

    turn: str | int
    hexes: list[str] = Field(min_length=1)
    strength: dict[str, int] = {}
    orders: list[OrdersName] = Field(default=["March", "Advance", "Attack"], min_length=1)
    activations: int | None = Field(default=None, ge=1, le=4)
    fatigue: FatigueName | None = None

    @field_validator("fatigue", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Withdrawal(Sourced):
    """Units and leaders that leave the map at the start of a turn, from wherever they are (7.0, 9.0 of Dead of Winter).

    Attributes:
        turn: the turn, by label or number.
        units, leaders, commands, but: as in a set-up.
        returns: how they come back, if they do.
    """

    turn: str | int
    units: list[str] = []
    leaders: list[str] = []
    commands: list[str] = []
    but: list[str] = []
    returns: Returning | None = None


class Attachment(Sourced):
    """Units that serve under another command than their own in this scenario, for all purposes."""

    units: list[str] = Field(min_length=1)
    command: str


class FirstRoll(Table):
    """A line of the first arrival table: adjusted rolls up to `most` (any if left out), and what they bring.

    Either the group is set up on the map, or it arrives on a day, and rolls for its hour with a DRM.
    """

    most: int | None = None
    set_up: bool = False
    day: str = ""
    drm: int = 0

    @model_validator(mode="after")
    def _one_result(self) -> Self:
        if self.set_up == bool(self.day):
            raise ValueError("a line of the table brings set_up or a day, and not both")
        return self


class SecondRoll(Table):
    """A line of the second arrival table: adjusted rolls up to `most` (any if left out), and the hour of arrival."""

    most: int | None = None
    hour: str


class ArrivalTable(Sourced):
    """When groups arrive whose arrival is rolled for at the start of the game (10.0 of Dead of Winter).

    A turn is that whose label is the day, a comma and the hour; the first one if that hour is past.

    Attributes:
        zero: what a 0 counts in the first roll.
    """

    zero: int = 0
    first: list[FirstRoll] = Field(min_length=1)
    second: list[SecondRoll] = Field(min_length=1)

    @model_validator(mode="after")
    def _rising(self) -> Self:
        for name in ("first", "second"):
            limits = [line.most for line in getattr(self, name)]
            if limits[-1] is not None or None in limits[:-1]:
                raise ValueError(f"{name}: the last line, and no other, must leave most out")
            tops = [limit for limit in limits if limit is not None]
            if any(low >= high for low, high in pairwise(tops)):
                raise ValueError(f"{name}: the lines must go from the lowest most to the highest")
        return self


class LateGroup(Named):
    """A group that the arrival table sets up or lets arrive.

    Attributes:
        drm: added to both of its rolls.
        area: where its owner sets it up, if the table says so.
        hexes: where it enters otherwise; one of them.
        orders: as for reinforcements.
    """

    drm: int = 0
    area: list[Area] = Field(min_length=1)
    hexes: list[str] = Field(min_length=1)
    orders: list[OrdersName] = Field(default=["March", "Advance", "Attack"], min_length=1)


class Package(Sourced):
    """Forces, or an alternative, that a player may choose with the option `optional`, and their price (20.1).

    Attributes:
        id: by which the option names it; "id:map" chooses to set it up instead of letting it arrive.
        side: whose choice it is; the price goes to the other side.
        price: victory points credited to the enemy.
        needs: packages without which it cannot be chosen.
        units, leaders, commands, but: the forces.
        replaces: a leader in whose place its one leader stands; he is not in play.
        arrival, hexes: the turn, by its label, and where the forces enter. A scenario that begins later has them set
            up, at no further price.
        set_up: where they may be set up at the start.
        joins: instead of both, packages among its `needs` with one of which its forces arrive or are set up: the first,
            unless the option says "id:other".
        set_up_price: further points for that in a scenario that begins before they arrive; with `by_day` for each day.
        superior: the command under which they serve; of several that which has fewest divisions.
        superior_without: the package whose presence leaves them under their own superior.
        pool: markers added to the side's efficiency pool while `pool_leader`, if given, is on the map.
        initiative: whether the side has the initiative in the first turn.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9/_-]*$")
    name: str = ""
    side: Side
    price: int = Field(default=0, ge=0, le=20)
    needs: list[str] = []
    units: list[str] = []
    leaders: list[str] = []
    commands: list[str] = []
    but: list[str] = []
    replaces: str | None = None
    arrival: str | None = None
    hexes: list[str] = []
    set_up: Spot | None = None
    joins: list[str] = []
    set_up_price: int = Field(default=0, ge=0, le=20)
    by_day: bool = False
    superior: list[str] = []
    superior_without: str | None = None
    pool: list[Annotated[int, Field(ge=1, le=4)]] = []
    pool_leader: str | None = None
    initiative: bool = False

    @property
    def has_forces(self) -> bool:
        """Whether it brings units or leaders of its own into the battle."""
        return bool(self.units or self.leaders or self.commands)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        own = self.arrival is not None or self.set_up is not None
        if self.has_forces != (own or self.replaces is not None or bool(self.joins)):
            raise ValueError("forces need an arrival, a set_up, whom they join or replace, and nothing else does")
        if (own, self.replaces is not None, bool(self.joins)).count(True) > 1:
            raise ValueError("forces have an arrival or set_up, or join others, or replace a leader: just one of these")
        if any(other not in self.needs for other in self.joins):
            raise ValueError("joins: forces join only packages that they need; name these among needs too")
        if (self.arrival is None) != (not self.hexes):
            raise ValueError("arrival and hexes belong together: when the forces enter, and where")
        if self.replaces is not None and (self.units or self.commands or len(self.leaders) != 1):
            raise ValueError("replaces: the package is then one leader, who takes the other's place")
        return self
