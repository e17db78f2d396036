"""Which single modifier would change the chance of success most: each played anew, with it or without it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from simkit.errors import InputError
from simkit.exact.enumeration import DRAWS, LIMIT
from simkit.odds.answer import HEX_CARRIED, Answer
from simkit.odds.asking import ask
from simkit.odds.changing import NO, YES, changed
from simkit.odds.grammar import charts_of, vocabulary
from simkit.odds.situation import SHOCK, Situation
from simkit.odds.words import HEXSIDE

UNIT_MODIFIERS = ("green", "disordered", "charge", "brigadier", "aggressive", "division", "corps", "march", "low")
"""What is said of units and is a modifier of 10.81, 11.37, 11.42 or 11.73, or brings one."""

WHOLE_MODIFIERS = ("dawn", "dusk", "night", "countercharge")
POSITIONS = ("front", "flank", "rear")


@dataclass(frozen=True)
class Effect:
    """What one modifier does: the chance of success where it is otherwise than asked.

    `holds` says whether it holds in the situation as asked; `change` is what it would add to success to have it the
    other way.
    """

    name: str
    holds: bool
    otherwise: Situation
    success: Fraction
    change: Fraction
    carried: Fraction
    """The chance that a shock carries the hex, held in the end or not."""

    def words(self) -> str:
        """The modifier as a table says it: without what holds, with what does not."""
        return f"{'without' if self.holds else 'with'} {self.name}"


def why(
    answer: Answer,
    charts: Path | None = None,
    told: Callable[[int, int], None] | None = None,
    limit: int = LIMIT,
    draws: int = DRAWS,
) -> tuple[Effect, ...]:
    """The effects of all single modifiers, the greatest change of success first; those that change nothing left out.

    Args:
        answer: the answer whose situation is varied.
        charts: a folder of charts laid over the book's.
        told: called with the variants done and their number.
        limit: branches of each situation that are played before the rest is drawn.
        draws: combats that are drawn of that rest.
    """
    variants = _variants(answer.situation, charts)
    found = []
    for number, (name, holds, situation) in enumerate(variants, 1):
        try:
            then = ask(situation, charts, limit, draws)
        except InputError:
            continue  # the rules forbid it here: no modifier that could hold
        finally:
            if told:
                told(number, len(variants))
        success = then.success
        if success != answer.success:
            carried = then.events.get(HEX_CARRIED, Fraction(0))
            found.append(Effect(name, holds, situation, success, success - answer.success, carried))
    return tuple(sorted(found, key=lambda effect: (-abs(effect.change), effect.name)))


def _variants(situation: Situation, charts: Path | None) -> list[tuple[str, bool, Situation]]:
    known = vocabulary(charts_of(overlay=charts))
    found: list[tuple[str, bool, Situation]] = []
    seen = {str(situation)}

    def add(name: str, key: str, value: str, holds: bool) -> None:
        try:
            made = changed(situation, key, value, charts)
        except InputError:
            return  # the grammar has no such thing here
        if str(made) not in seen:
            seen.add(str(made))
            found.append((name, holds, made))

    sides = {"attacker": situation.attackers, "defender": situation.defenders}
    for side, stacks in sides.items():
        said = {word for stack in stacks for fighter in stack for word in fighter.words}
        for word in UNIT_MODIFIERS:
            add(f"{side} {word}", f"{side}.{word}", NO if word in said else YES, word in said)
    defending = {word for stack in situation.defenders for fighter in stack for word in fighter.words}
    for ground in known.values():
        if ground.place == HEXSIDE or ground.group == "terrain" or ground.word == "breastworks":
            holds = ground.word in defending
            add(f"defender {ground.word}", f"defender.{ground.word}", NO if holds else YES, holds)
    if situation.kind == SHOCK:
        held = {word for stack in situation.attackers for fighter in stack for word in fighter.words}
        for word in POSITIONS:
            add(f"attack on {word}", "attacker.position", word, False)
        if held & {"flank", "rear"}:
            add("attack on flank or rear", "attacker.position", "front", True)
    for word in WHOLE_MODIFIERS:
        add(word, word, NO if situation.says(word) else YES, situation.says(word))
    return found
