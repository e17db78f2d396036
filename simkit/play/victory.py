"""Who has won: the kinds of victory that scenarios lay down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.forces import ARTILLERY, ELIMINATED, ROUTED

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Unit

DRAW: Final[i64] = -1
REGIMENTS: Final = "regiments"
KINDS: Final = {REGIMENTS: "the side with more regiments collapsed or routed at the end loses; a tie is a draw"}


class Outcome:
    """How a battle ended: the winner's side (-1 a draw), the level of victory, and victory points by side, if any."""

    def __init__(self, winner: i64, level: str, vp: list[int] | None) -> None:
        self.winner = winner
        self.level = level
        self.vp = vp


def check_kind(kind: str) -> None:
    """See that a kind of victory is known.

    Raises:
        ValueError: it is not; the message names those that are.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of victory {kind!r}; there are {', '.join(sorted(KINDS))}")


def judge(battle: Battle, kind: str) -> Outcome:
    """The outcome of a battle at its end by a kind of victory.

    Raises:
        ValueError: the kind is unknown.
    """
    check_kind(kind)
    union = broken_regiments(battle, 0)
    confederate = broken_regiments(battle, 1)
    if union < confederate:
        return Outcome(0, "win", None)
    if confederate < union:
        return Outcome(1, "win", None)
    return Outcome(DRAW, "draw", None)


def broken_regiments(battle: Battle, side: i64) -> i64:
    """Infantry and cavalry units of a side that are collapsed or routed, or eliminated, which is worse than either."""
    count: i64 = 0
    for unit in battle.units:
        if unit.side == side and broken(unit):
            count += 1
    return count


def broken(unit: Unit) -> bool:
    """Whether a unit is a collapsed, routed or eliminated regiment; batteries are no regiments (2.41)."""
    return unit.kind != ARTILLERY and (unit.collapsed or unit.place == ROUTED or unit.place == ELIMINATED)
