"""History files: how a battle really stood when a scenario of it ends, beside which its simulated ends are laid."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from simkit.errors import InputError
from simkit.scenario.reading import Origin, Sourced, Table, checked, read_toml
from simkit.scenario.roster import Side
from simkit.scenario.scenariofile import Scenario

MEN_A_POINT = 50
"""Men of infantry or cavalry that a strength point stands for (2.41)."""

FIGURES = {
    "strength at the end": "strength points (guns of batteries) of a unit when the battle ended",
    "strength points lost": "strength points of infantry and cavalry lost; history's men by 50 (2.41)",
    "strength points fewer": "strength points of infantry and cavalry at the start less those at the end: lost and not "
    "come back",
    "guns lost": "guns lost, by all causes",
    "regiments collapsed": "regiments not routed whose strength has fallen below half of the printed one (12.23)",
    "units routed": "units in the routed box at the end",
    "units eliminated": "units eliminated at the end",
    "divisions ineffective": "divisions that were combat ineffective at the end (13.3)",
    "holds": "whether the side held a hex at the end: 1 it did, 0 it did not",
    "ineffective": "whether a division was combat ineffective at the end: 1 it was, 0 it was not (13.3)",
}
"""What is compared, and what it means."""

HexId = Annotated[str, Field(pattern=r"^[A-Z][0-9]{4}$")]


class HistoryHead(Origin):
    """Which scenario a history file is about.

    Attributes:
        scenario: the scenario's id.
        text: what happened, in a sentence or two.
        later: id of the scenario that begins about where this one ends, and prints the strengths of that hour.
        later_why: how far its hour is from this one's end, and what came between.
    """

    scenario: str = Field(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")
    text: str
    later: str | None = Field(default=None, pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")
    later_why: str = ""


class Losses(Sourced):
    """What a command, or a whole side, lost in the scenario's time.

    Attributes:
        side: whose loss it is.
        command: code of the command; left out for all of the side that took part.
        men: killed, wounded and missing of its infantry and cavalry (men).
        guns: guns lost.
    """

    side: Side
    command: str | None = None
    men: int | None = Field(default=None, ge=0)
    guns: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.men is None and self.guns is None:
            raise ValueError("it says neither men nor guns")
        return self


class Spent(Sourced):
    """The divisions of a side that were no longer fit to fight: combat ineffective, in the game's words (13.3)."""

    side: Side
    divisions: list[str]


class Ground(Sourced):
    """Hexes of which it is known who held them at the end."""

    side: Side
    hexes: list[HexId] = Field(min_length=1)


class History(Table):
    """A history file, whole."""

    history: HistoryHead
    losses: list[Losses] = []
    ineffective: list[Spent] = []
    ground: list[Ground] = []

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not (self.history.later or self.losses or self.ineffective or self.ground):
            raise ValueError("it holds nothing to compare with: name a later scenario, losses, divisions or ground")
        return self


def history_path(scenario: Scenario) -> Path:
    """Where the history of a scenario lies: in its book's folder `history`, under the scenario's own name."""
    return scenario.folder / "history" / f"{scenario.id.partition('/')[2]}.toml"


def read_history(path: Path) -> History:
    """Read and check a history file.

    Raises:
        InputError: it is no history file, or a key or value is wrong.
    """
    data, text = read_toml(path)
    return checked(History, data, path, text)


def history_of(scenario: Scenario) -> History:
    """What history has beside a scenario.

    Raises:
        InputError: nothing is recorded, the file is wrong, or it is about another scenario.
    """
    path = history_path(scenario)
    if not path.is_file():
        raise InputError(f"{scenario.id}: no history is recorded of it; there would be {path.name} in {path.parent}")
    history = read_history(path)
    if history.history.scenario != scenario.id:
        raise InputError(f"{path}: it is about {history.history.scenario}, not {scenario.id}")
    return history
