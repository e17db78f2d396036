"""Who has won: the kinds of victory that scenarios lay down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.forces import ARTILLERY, CONFEDERATE, ELIMINATED, ROUTED, UNION

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Command, Unit
    from simkit.model.victory import Clearing, Conditions, Ground

DRAW: Final[i64] = -1
UNDECIDED: Final[i64] = -2
REGIMENTS: Final = "regiments"
EFFECTIVENESS: Final = "effectiveness"
POINTS: Final = "points"
KINDS: Final = {
    REGIMENTS: "the side with more regiments collapsed or routed at the end loses; a tie is a draw",
    EFFECTIVENESS: "each of some commands that is Combat Ineffective at the end counts one against its side",
    POINTS: "points for enemy commands that are Combat Ineffective at the end, and for ground held",
}


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


def judge(battle: Battle, kind: str, conditions: Conditions) -> Outcome:
    """The outcome of a battle at its end by a kind of victory and what it counts.

    Raises:
        ValueError: the kind is unknown.
    """
    check_kind(kind)
    if kind == EFFECTIVENESS:
        against = ineffective_commands(conditions)
        return by_margin(conditions, against[UNION] - against[CONFEDERATE], None)
    if kind == POINTS:
        vp = victory_points(battle, conditions)
        for clearing in conditions.clearings:
            decided = cleared(battle, clearing)
            if decided != UNDECIDED:
                return Outcome(decided, "draw" if decided == DRAW else clearing.level, vp)
        return by_margin(conditions, vp[CONFEDERATE] - vp[UNION], vp)
    union = broken_regiments(battle, UNION)
    confederate = broken_regiments(battle, CONFEDERATE)
    if union < confederate:
        return Outcome(UNION, "win", None)
    if confederate < union:
        return Outcome(CONFEDERATE, "win", None)
    return Outcome(DRAW, "draw", None)


def by_margin(conditions: Conditions, margin: i64, vp: list[int] | None) -> Outcome:
    """The rung that a margin of the Confederates reaches: the highest whose least it is not below, or the last."""
    for rung in conditions.ladder:
        if margin >= rung.least:
            return Outcome(rung.winner, rung.level, vp)
    last = conditions.ladder[len(conditions.ladder) - 1]
    return Outcome(last.winner, last.level, vp)


# -- what counts -----------------------------------------------------------------------------------------------------


def ineffective_commands(conditions: Conditions) -> list[int]:
    """How many of the commands that count are Combat Ineffective, by side (13.3)."""
    against: list[int] = [0, 0]
    for command in conditions.commands:
        if command.ineffective:
            against[command.side] += 1
    return against


def victory_points(battle: Battle, conditions: Conditions) -> list[int]:
    """Victory points by side: credits, enemy commands that are Combat Ineffective (13.3), and ground held."""
    vp = list(conditions.credit)
    for prize in conditions.prizes:
        if prize.command.ineffective:
            vp[1 - prize.command.side] += prize.points
    for ground in conditions.grounds:
        holder = holder_of(battle, ground)
        if holder >= 0:
            vp[holder] += ground.points[holder]
    return vp


def holder_of(battle: Battle, ground: Ground) -> i64:
    """The side that holds all hexes of a ground; -1 if none does."""
    holder = battle.course.holder(ground.hexes[0])
    for place in ground.hexes:
        if battle.course.holder(place) != holder:
            return -1
    return holder



def cleared(battle: Battle, clearing: Clearing) -> i64:
    """3.0 of Dead of Winter: who wins by a clearing, DRAW, or UNDECIDED.

    Decided unless the command is effective and an effective enemy division is left in the hexes.
    """
    own = clearing.command
    left = any(_stands_in(division, clearing) for division in battle.divisions if division.side != own.side)
    if not own.ineffective:
        return UNDECIDED if left else own.side
    return 1 - own.side if left else DRAW


def _stands_in(division: Command, clearing: Clearing) -> bool:
    """Whether a division is effective and has a combat unit in the hexes of a clearing."""
    if division.ineffective or division.artillery:
        return False
    for unit in division.all_units():
        if unit.counts() and unit.kind != ARTILLERY and unit.hex in clearing.hexes:
            return True
    return False


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
