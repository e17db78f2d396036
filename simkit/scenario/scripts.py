"""Script files: orders by turn, answers from a list, and the doctrine that decides whatever they leave open."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from simkit.scenario.questions import choices
from simkit.scenario.reading import Table, checked, read_toml, suggestion
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


class AnswerTo(Table):
    """One answer to one question of a rule, given once: the first of the file that fits a question counts.

    `question` is a method of the abstract Commander, `value` what it returns: a number, or true or false. `turn` and
    `activation` (that of the battle, as a replay tells them, from 1) and `about` (the id of the unit or leader, or the
    code of the command, that the question is about) say when it holds; without them it always does.
    """

    question: str
    value: bool | int
    turn: int | None = Field(default=None, ge=1)
    activation: int | None = Field(default=None, ge=0)
    about: str | None = None

    @model_validator(mode="after")
    def _fits_its_question(self) -> "AnswerTo":
        known = choices()
        if self.question not in known:
            raise ValueError(f'no question "{self.question}" with an answer to list{suggestion(self.question, known)}')
        if isinstance(self.value, bool) != (known[self.question] is bool):
            right = "true or false" if known[self.question] is bool else "a whole number"
            raise ValueError(f"{self.question} is answered by {right}, not {str(self.value).lower()}")
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
    order: list[OrderOf] = []
    answer: list[AnswerTo] = []

    @model_validator(mode="after")
    def _says_something(self) -> "Script":
        if not self.order and not self.answer:
            raise ValueError("a script holds an [[order]] or an [[answer]] at least")
        return self


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
