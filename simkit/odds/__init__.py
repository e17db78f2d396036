"""Odds: the exact chances of a fire or a shock, by the rules that fight the battles.

import simkit

answer = simkit.odds.shock("8/6 charge,brigadier vs 5/5 woods,breastworks")
answer.success, answer.outcomes
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simkit.odds.answer import Answer

__all__ = ["fire", "shock"]


def shock(
    situation: str = "", *, attackers: str = "", defenders: str = "", whole: str = "", charts: str | Path | None = None,
    limit: int | None = None,
) -> "Answer":
    """The exact chances of a shock.

    Args:
        situation: the one line, as after `simkit odds shock`; or in its place the parts of it:
        attackers, defenders: each side's units, as in the line.
        whole: the words that hold for all, separated by commas.
        charts: a folder of charts of your own, laid over the book's.
        limit: branches that are played before the rest is drawn (the answer says so).

    Raises:
        InputError: the situation says something that it cannot, or the rules forbid it.
    """
    return _ask("shock", situation, attackers, defenders, whole, charts, limit)


def fire(
    situation: str = "", *, attackers: str = "", defenders: str = "", whole: str = "", charts: str | Path | None = None,
    limit: int | None = None,
) -> "Answer":
    """The exact chances of a fire with all fire in answer; the arguments are those of `shock`.

    Raises:
        InputError: the situation says something that it cannot, or the rules forbid it.
    """
    return _ask("fire", situation, attackers, defenders, whole, charts, limit)


def line_of(situation: str, attackers: str, defenders: str, whole: str) -> str:
    """The one line of a situation that is given whole or in parts.

    Raises:
        InputError: both are given, or a part is missing.
    """
    from simkit.errors import InputError

    if situation:
        if attackers or defenders or whole:
            raise InputError("give the situation as one line or in parts (attackers, defenders, whole), not both")
        return situation
    if not attackers or not defenders:
        raise InputError("a situation needs attackers and defenders, as in: 8/6 charge vs 5/5 woods")
    if not whole:
        return f"{attackers} vs {defenders}"
    return f"{attackers} vs {defenders}{'' if _ends_in_words(defenders) else ' clear'} {whole}"


def _ends_in_words(defenders: str) -> bool:
    return not defenders.split()[-1][0].isdigit()


def _ask(
    kind: str, situation: str, attackers: str, defenders: str, whole: str, charts: str | Path | None, limit: int | None
) -> "Answer":
    from simkit.exact.enumeration import LIMIT
    from simkit.odds.answer import ask

    return ask(
        kind, line_of(situation, attackers, defenders, whole), None if charts is None else Path(charts),
        int(LIMIT) if limit is None else limit,
    )
