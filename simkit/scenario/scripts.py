"""Script files: orders to brigades and units by turn, and the doctrine that decides whatever they leave open."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from simkit.scenario.reading import Table, checked, read_toml
from simkit.scenario.roster import Side


class OrderOf(Table):
    """One order to a brigade (code) or a unit (id).

    It holds in a turn (from 1) or till `last_turn`, at one activation of its brigade (from 1) or at all of them. `do`
    is move (march to the hex `to` and stay there), hold (stay, turn to `facing`, and fire), attack (towards the hex
    `to` under Attack Orders) or wait (do nothing that the rules do not demand). `orders` is what the brigade should be
    under. The first order of the file that fits a unit counts.
    """

    turn: int = Field(ge=1)
    last_turn: int | None = Field(default=None, ge=1)
    activation: int | None = Field(default=None, ge=1)
    brigade: str | None = None
    unit: str | None = None
    do: Literal["move", "hold", "attack", "wait"]
    to: str | None = None
    facing: Literal["NNE", "E", "SSE", "SSW", "W", "NNW"] | None = None
    orders: Literal["March", "Advance", "Attack"] | None = None

    @model_validator(mode="after")
    def _whole(self) -> "OrderOf":
        if (self.brigade is None) == (self.unit is None):
            raise ValueError("an order is to exactly one brigade or unit")
        if self.do in ("move", "attack") and self.to is None:
            raise ValueError(f'{self.do} needs a hex: to = "..."')
        if self.do in ("hold", "wait") and self.to is not None:
            raise ValueError(f"{self.do} takes no hex")
        if self.last_turn is not None and self.last_turn < self.turn:
            raise ValueError("last_turn comes before turn")
        return self


class ScriptHead(Table):
    """A script's name, its side, the doctrine (name or file) for what it leaves open, and the scenario it is made for.

    Without a scenario (id or file) it may be used in any, and its names and hexes are checked only there.
    """

    name: str
    side: Side
    doctrine: str = "steady"
    scenario: str | None = None


class Script(Table):
    """A script file."""

    script: ScriptHead
    order: list[OrderOf] = Field(min_length=1)


def read_script(path: Path) -> Script:
    """Read and check a script file against its schema; names and hexes are checked against a battle when it is used.

    The path of a scenario file in it is taken from the script's own folder.

    Raises:
        InputError: it is no script file, or a key or value is wrong.
    """
    data, text = read_toml(path)
    script = checked(Script, data, path, text)
    scenario = script.script.scenario
    if scenario is None or not scenario.endswith(".toml"):
        return script
    head = script.script.model_copy(update={"scenario": str(path.parent / scenario)})
    return script.model_copy(update={"script": head})
