"""What happened on the way through a combat, read from the battle's log step by step."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from mypy_extensions import i64

from simkit.exact.sums import Sum
from simkit.model.log import Event
from simkit.rules.firemodifiers import MODES, RETURN
from simkit.rules.shockinprogress import RESOLUTION, STEPS

NO_EFFECT: Final = "no effect"

# what may have happened, as bits: an ending carries those that its state does not show
GAVE_WAY: Final[i64] = 1  # defenders retreated before shock (11.33)
UNCOMMITTED: Final[i64] = 2  # a green attacker did not commit himself (11.36)
SHAKEN: Final[i64] = 4  # a check before shock failed (11.37)
COUNTERCHARGED: Final[i64] = 8  # (11.56)
ROLLED: Final[i64] = 16  # the shock was rolled for (11.45)
CONTINUED: Final[i64] = 32  # so was a continued one (11.47)
CARRIED: Final[i64] = 64  # an attacker entered a hex that was attacked (11.46), wherever he stands in the end


class Tally:
    """What one kind of step decides: the chance that it comes, and of each way in which it may go.

    `mass` is the chance that it comes, once for each time it may; `losses` are strength points lost in it by side,
    times their chance; `decided` the chance of each result by name.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.mass = Fraction(0)
        self.branches: i64 = 0
        self.states: i64 = 0  # different positions after it
        self.losses: list[Fraction] = [Fraction(0), Fraction(0)]
        self.decided: dict[str, Fraction] = {}
        self._mass = Sum()
        self._losses: list[Sum] = [Sum(), Sum()]
        self._decided: dict[str, Sum] = {}

    def settle(self) -> None:
        """Make fractions of what has been counted."""
        self.mass = self._mass.value()
        self.losses = [lost.value() for lost in self._losses]
        for name, chance in self._decided.items():
            self.decided[name] = chance.value()

    def add(self, numerator: int, denominator: int, events: list[Event]) -> None:
        """Count a branch of the step with its mass and what the log says of it."""
        self._mass.add(numerator, denominator)
        self.branches += 1
        lost: list[int] = [0, 0]  # no i64: times a numerator they outgrow it
        results: list[str] = []
        for event in events:
            if event.kind == "loss":
                lost[event.side] += int(event.losses)
            said = result_of(event)
            if said:
                results.append(said)
        for side in range(2):
            if lost[side] > 0:
                self._losses[side].add(numerator * lost[side], denominator)
        if not results:
            return
        name = ", ".join(results)
        if name not in self._decided:
            self._decided[name] = Sum()
        self._decided[name].add(numerator, denominator)


def result_of(event: Event) -> str:
    """What an event decided, in the words of a table of steps; '' for one that decided nothing."""
    if event.kind in ("commitment", "pre-shock", "countercharge"):
        return event.result
    if event.kind == "shock":
        return event.result or NO_EFFECT
    if event.kind == "fire":
        result = NO_EFFECT if event.result in ("", "-") else event.result
        return f"in answer {result}" if event.mode == MODES[RETURN] else result
    if event.kind == "retreat before shock":
        return "gives way"
    return ""


def facts_of(events: list[Event], side: i64, goals: list[str]) -> i64:
    """The bits that a step's events set.

    Args:
        events: what happened.
        side: whose the shock is.
        goals: ids of the hexes that are attacked.
    """
    facts: i64 = 0
    for event in events:
        kind = event.kind
        if kind == "retreat before shock":
            facts |= GAVE_WAY
        elif kind == "commitment":
            if event.result == "failed":
                facts |= UNCOMMITTED
        elif kind == "pre-shock":
            if event.result == "failed":
                facts |= SHAKEN
        elif kind == "countercharge":
            if event.result == "passed":
                facts |= COUNTERCHARGED
        elif kind == "shock":
            facts |= CONTINUED if event.mode == "continued" else ROLLED
        elif kind == "advance" and event.side == side and event.target_hex in goals:
            facts |= CARRIED
    return facts


def continued_in(events: list[Event]) -> i64:
    """How many continued shocks were rolled for."""
    count: i64 = 0
    for event in events:
        if event.kind == "shock" and event.mode == "continued":
            count += 1
    return count


def step_of(step: str, events: list[Event]) -> str:
    """The name of a step for a table: a resolution is that of the shock or of a continued one."""
    if step == STEPS[RESOLUTION] and continued_in(events) > 0:
        return "continued shock"
    return step
