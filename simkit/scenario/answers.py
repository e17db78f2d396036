"""Answers from a list: a commander that reads them, and one that writes down another's."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from simkit.commanders.doctrine import Doctrine
from simkit.commanders.objectives import Objective
from simkit.commanders.scripted import Order, ScriptedCommander
from simkit.rules.commander import Commander
from simkit.scenario.questions import choices, protocol


class Answer(NamedTuple):
    """One answer to one question of a rule.

    `turn` and `activation` (the battle's, not the brigade's) count from 1, None for any; `about` is the id of the unit
    or leader, or the code of the command, that the question is put for first, None for any.
    """

    question: str
    value: int | bool
    turn: int | None = None
    activation: int | None = None
    about: str | None = None


class ListedCommander(ScriptedCommander):
    """A scripted commander that answers from a list first: each answer once, the first in the list that fits.

    What the list does not answer is answered as the script's doctrine has it.
    """

    def __init__(
        self, doctrine: Doctrine, objectives: list[Objective], script: list[Order], answers: Sequence[Answer]
    ) -> None:
        super().__init__(doctrine, objectives, script)
        self.answers = list(answers)
        self.left = list(answers)  # not given yet in this run

    def deploy(self, series: Any, side: int) -> None:
        """Begin a run: no answer has been given yet."""
        self.left = list(self.answers)
        super().deploy(series, side)

    def waiting(self, question: str, arguments: tuple[Any, ...]) -> Answer | None:
        """Take the first answer of the list that fits a question put now; None if there is none."""
        for at, answer in enumerate(self.left):
            if answer.question == question and _fits(answer, arguments):
                return self.left.pop(at)
        return None


class RecordingCommander(Commander):
    """Asks another commander and keeps what it answers, for a ListedCommander to give again."""

    def __init__(self, inner: Commander) -> None:
        super().__init__()
        self.inner = inner
        self.answers: list[Answer] = []

    def __setattr__(self, name: str, value: Any) -> None:
        """The side that it is given is the other's too."""
        super().__setattr__(name, value)
        if name == "side" and hasattr(self, "inner"):
            self.inner.side = value


def _fits(answer: Answer, arguments: tuple[Any, ...]) -> bool:
    battle = arguments[0].battle
    return (
        answer.turn in (None, battle.turn + 1)
        and answer.activation in (None, battle.activation)
        and answer.about in (None, _about(arguments))
    )


def _about(arguments: tuple[Any, ...]) -> str | None:
    """Who a question is about: the first argument after the series, or the first of its list, by id or code."""
    if len(arguments) < 2:
        return None
    asked = arguments[1]
    if isinstance(asked, list):
        asked = asked[0] if asked else None
    asked = getattr(asked, "unit", asked)  # a part stands for its unit
    return getattr(asked, "code", None) or getattr(asked, "id", None)


def _listed(name: str) -> Callable[..., Any]:
    own = getattr(ScriptedCommander, name)

    def method(self: ListedCommander, *arguments: Any) -> Any:
        answer = self.waiting(name, arguments)
        return own(self, *arguments) if answer is None else answer.value

    return method


def _recorded(name: str, kept: bool) -> Callable[..., Any]:
    def method(self: RecordingCommander, *arguments: Any) -> Any:
        answer = getattr(self.inner, name)(*arguments)
        if kept:
            battle = arguments[0].battle
            self.answers.append(Answer(name, answer, battle.turn + 1, battle.activation, _about(arguments)))
        elif name == "deploy":
            self.answers = []
        return answer

    return method


for _name in protocol():
    if _name in choices():
        setattr(ListedCommander, _name, _listed(_name))
    setattr(RecordingCommander, _name, _recorded(_name, _name in choices()))
