"""Two situations side by side."""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from simkit.errors import InputError
from simkit.exact.enumeration import DRAWS, LIMIT
from simkit.odds.answer import Answer
from simkit.odds.asking import ask
from simkit.odds.changing import NO, YES, changed
from simkit.odds.grammar import charts_of, parse
from simkit.odds.situation import Situation


@dataclass(frozen=True)
class Comparison:
    """Two answers; `rows` are their numbers by name with the difference, the second less the first."""

    first: Answer
    second: Answer

    @property
    def both(self) -> tuple[Answer, Answer]:
        """The two."""
        return self.first, self.second

    def rows(self) -> list[tuple[str, Fraction, Fraction, Fraction]]:
        """Success, average losses, outcomes and events: name, first, second, difference."""
        names = ["success", "attacker_loss", "defender_loss"]
        names += dict.fromkeys([*self.first.outcomes, *self.second.outcomes])
        names += sorted({*self.first.events, *self.second.events} - set(names))
        found = []
        for name in names:
            one, two = _number(self.first, name), _number(self.second, name)
            if one or two:
                found.append((name, one, two, two - one))
        return found


def _number(answer: Answer, name: str) -> Fraction:
    try:
        return answer.measure(name)
    except KeyError:
        return Fraction(0)


def other_of(situation: Situation, text: str, charts: Path | None = None) -> Situation:
    """The situation to compare with: a whole line, or changes of the first as `position=flank,-breastworks,charge`.

    Raises:
        InputError: it is neither.
    """
    if re.search(r"\bvs\b", text):
        made = parse(text, situation.kind, charts_of(overlay=charts))
        if made.kind != situation.kind:
            raise InputError(f"a {situation.kind} cannot be compared with a {made.kind}")
        return made
    made = situation
    for part in text.replace(",", " ").split():
        name, equals, value = part.partition("=")
        if equals:
            made = changed(made, name, value, charts)
        else:
            made = changed(made, name.lstrip("+-"), NO if name.startswith("-") else YES, charts)
    if made == situation:
        raise InputError(f'--what-if "{text}" changes nothing')
    return made


def compare(
    first: Answer, text: str | Situation, charts: Path | None = None, limit: int = LIMIT, draws: int = DRAWS
) -> Comparison:
    """An answer beside that of another situation, or of changes.

    Args:
        first: the answer to compare with.
        text: the other situation, its line, or the changes as in `position=flank,-breastworks`.
        charts: a folder of charts laid over the book's.
        limit: branches that are played before the rest is drawn.
        draws: combats that are drawn of that rest.

    Raises:
        InputError: it is no situation, or the rules forbid it.
    """
    other = text if isinstance(text, Situation) else other_of(first.situation, text, charts)
    return Comparison(first, ask(other, charts, limit, draws))
