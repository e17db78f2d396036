"""Situations side by side: many at once over ranges of a word or number, two with their difference, and why."""

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pandas as pd

from simkit.errors import InputError
from simkit.exact.enumeration import LIMIT
from simkit.odds.answer import Answer, solve
from simkit.odds.grammar import MOST_COHESION, MOST_RANGE, MOST_STRENGTH, charts_of, parse, vocabulary
from simkit.odds.situation import FIRE, Fighter, Situation, usual_back
from simkit.odds.words import HEXSIDE, WHOLE, WORDS, Word

MOST_CELLS = 2000
"""Situations of one sweep; a card of two full axes has a few hundred."""

NUMBERS = {
    "attacker": MOST_STRENGTH, "defender": MOST_STRENGTH, "attacker-cohesion": MOST_COHESION,
    "defender-cohesion": MOST_COHESION, "range": MOST_RANGE,
}  # fmt: skip
"""The axes that are numbers, with the greatest each may have: strength and rating of the first unit of a side."""

SPAN = re.compile(r"(\d{1,3})\.\.(\d{1,3})")


@dataclass(frozen=True)
class Axis:
    """One axis of a sweep: its name as given, and its values, numbers or words ("clear" for none of them)."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """How one modifier bears on a situation: the situation without it or with it, and the success then."""

    word: str
    present: bool
    situation: Situation
    success: Fraction
    change: Fraction


def axis(text: str) -> Axis:
    """Read `attacker=3..15` or `position=front,flank,rear`; the name of an axis of words is free.

    Raises:
        InputError: it has another form, or goes too far.
    """
    name, equals, values = text.partition("=")
    if not (name and equals and values):
        raise InputError(f'--sweep "{text}": write attacker=3..15 or position=front,flank,rear')
    if name in NUMBERS:
        found: list[str] = []
        for part in values.split(","):
            span = SPAN.fullmatch(part)
            if span:
                found.extend(str(number) for number in range(int(span[1]), int(span[2]) + 1))
            elif re.fullmatch(r"\d{1,3}", part):
                found.append(part)
            else:
                raise InputError(f'--sweep {name}: "{part}" is no number and no range such as 3..15')
        low = 0 if name.endswith("cohesion") else 1
        for value in found:
            if not low <= int(value) <= NUMBERS[name]:
                raise InputError(f"--sweep {name}: {value} lies outside {low} to {NUMBERS[name]}")
        if not found:
            raise InputError(f'--sweep {name}: "{values}" holds no number: the first must not be above the last')
    else:
        found = values.split(",")
    if len(set(found)) != len(found):
        raise InputError(f"--sweep {name}: a value stands twice")
    return Axis(name, tuple(found))


def sweep(
    situation: Situation, axes: Sequence[Axis], overlay: Path | None = None, limit: int = LIMIT,
    tell: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Work a situation out for every combination of the values of some axes.

    Args:
        situation: what the axes change.
        axes: see `axis`; words are said of the attackers, the defenders or the whole, wherever they may stand.
        overlay, limit: as `solve` takes them.
        tell: called after each with how many are done, of how many.

    Returns:
        one row a combination: a column an axis, then success, expected losses, and the chance of each outcome. Where
        the rules forbid a combination, these are missing and `why` says why.

    Raises:
        InputError: an axis is wrong, or there are too many combinations.
    """
    cells = 1
    for one in axes:
        cells *= len(one.values)
    if cells > MOST_CELLS:
        raise InputError(f"{cells} situations are too many for one sweep: at most {MOST_CELLS}")
    rows: list[dict[str, object]] = []
    for done, values in enumerate(itertools.product(*[one.values for one in axes]), 1):
        row: dict[str, object] = {one.name: _typed(one.name, value) for one, value in zip(axes, values, strict=True)}
        changed = situation
        for one, value in zip(axes, values, strict=True):
            changed = with_value(changed, one, value)
        try:
            answer = solve(changed, overlay, limit)
        except InputError as error:
            row["why"] = error.message
        else:
            row |= {
                "success": float(answer.success),
                "attacker_loss": float(answer.expected_attacker_loss),
                "defender_loss": float(answer.expected_defender_loss),
                **{name: float(chance) for name, chance in answer.outcomes.items()},
                "method": answer.method,
                "situation": f"{changed.kind} {changed}",
            }
        rows.append(row)
        if tell is not None:
            tell(done, cells)
    frame = pd.DataFrame(rows)
    if "success" not in frame:
        raise InputError(f"the rules allow none of these situations: {rows[0]['why']}")
    chances = [name for name in frame.columns if frame[name].dtype == float and name != "success"]
    frame[chances] = frame[chances].where(frame["success"].isna(), frame[chances].fillna(0.0))
    return frame


def _typed(name: str, value: str) -> object:
    return int(value) if name in NUMBERS else value


def with_value(situation: Situation, one: Axis, value: str) -> Situation:
    """The situation with one value of an axis in place of what it says.

    Raises:
        InputError: there is no such word.
    """
    if one.name == "range":
        if situation.kind != FIRE:
            raise InputError("--sweep range: only a fire has a range")
        return replace(situation, range=int(value))
    if one.name in NUMBERS:
        return _with_number(situation, one.name, int(value))
    for other in one.values:
        situation = without_word(situation, other)
    return situation if value == "clear" else with_word(situation, value)


def _with_number(situation: Situation, name: str, value: int) -> Situation:
    side = name.partition("-")[0]
    hexes = situation.stacks(side)
    first = hexes[0][0]
    if name.endswith("cohesion"):
        changed = replace(first, cohesion=value, cohesion_disordered=usual_back(value))
    else:
        spare = first.full - first.strength
        changed = replace(first, strength=value, full=value + spare)
    return situation.with_stacks(side, ((changed, *hexes[0][1:]), *hexes[1:]))


def with_word(situation: Situation, text: str) -> Situation:
    """The situation with a word more, said where it may stand: `attacker:woods` and `defender:woods` say of whom.

    Raises:
        InputError: there is no such word, or it says nothing in such a situation.
    """
    who, word = _named(text, situation)
    if word.place == WHOLE:
        words = [other for other in situation.whole if not _excludes(word, other)]
        return _read_again(replace(situation, whole=(*words, word.word)))
    if word.group == "weapon":
        return _of_first(situation, who, lambda fighter: replace(fighter, weapon=word.word))

    def said(fighter: Fighter) -> Fighter:
        kept = [other for other in fighter.words if other != word.word and not _excludes(word, other)]
        return replace(fighter, words=(*kept, word.word))

    return _read_again(_of_first(situation, who, said))


def without_word(situation: Situation, text: str) -> Situation:
    """The situation without a word, wherever it is said; unchanged if it is not."""
    who, word = _named(text, situation)

    def dropped(fighter: Fighter) -> Fighter:
        weapon = "" if fighter.weapon == word.word else fighter.weapon
        return replace(fighter, weapon=weapon, words=tuple(other for other in fighter.words if other != word.word))

    if word.place == WHOLE:
        return replace(situation, whole=tuple(other for other in situation.whole if other != word.word))
    return situation.with_stacks(who, tuple(tuple(map(dropped, stack)) for stack in situation.stacks(who)))


def _named(text: str, situation: Situation) -> tuple[str, Word]:
    side, colon, name = text.rpartition(":")
    known = vocabulary(charts_of())
    if name not in known or (colon and side not in ("attacker", "defender")):
        raise InputError(f'unknown word "{text}" (all: simkit odds words)')
    word = known[name]
    if word.kind and word.kind != situation.kind:
        raise InputError(f'"{name}" is for a {word.kind} only')
    usual = word.side or ("attacker" if word.group in ("move", "brigadier", "arm", "position") else "defender")
    return side or usual, word


def _excludes(word: Word, other: str) -> bool:
    known = vocabulary(charts_of())
    return bool(word.group) and known[other].group == word.group


def _of_first(situation: Situation, who: str, change: Callable[[Fighter], Fighter]) -> Situation:
    hexes = situation.stacks(who)
    return situation.with_stacks(who, ((change(hexes[0][0]), *hexes[0][1:]), *hexes[1:]))


def _read_again(situation: Situation) -> Situation:
    """The same in its usual order of words."""
    return parse(str(situation), situation.kind)


# -- why ---------------------------------------------------------------------------------------------------------------


def why(situation: Situation, overlay: Path | None = None, limit: int = LIMIT) -> tuple[Answer, list[Difference]]:
    """What each word that holds, and each that could hold, does to the chance of success; the greatest first.

    Each is worked out anew, with the word left out or added; a word that the rules forbid here is passed over.

    Raises:
        InputError: the situation itself cannot be.
    """
    base = solve(situation, overlay, limit)
    found: list[Difference] = []
    seen = {str(situation)}
    for text, present, changed in _neighbours(situation):
        if str(changed) in seen:
            continue
        seen.add(str(changed))
        try:
            answer = solve(changed, overlay, limit)
        except InputError:
            continue
        found.append(Difference(text, present, changed, answer.success, answer.success - base.success))
    found.sort(key=lambda one: (-abs(one.change), one.word))
    return base, found


def _neighbours(situation: Situation) -> Iterable[tuple[str, bool, Situation]]:
    said = set(situation.whole)
    for stacks in (situation.attackers, situation.defenders):
        for stack in stacks:
            for fighter in stack:
                said |= set(fighter.words)
    tried: list[tuple[str, str]] = []
    for word in vocabulary(charts_of()).values():
        if word.word == "clear" or word.group in ("edition", "support", "weapon", "continue", "retreat"):
            continue
        if word.kind and word.kind != situation.kind:
            continue
        sides = (word.side,) if word.side else ("attacker", "defender")
        if word.place in (WHOLE, HEXSIDE):
            sides = ("",) if word.place == WHOLE else ("defender",)
        tried.extend((side, word.word) for side in sides)
    for side, word_text in tried:
        text = f"{side}:{word_text}" if side else word_text
        try:
            dropped = without_word(situation, text)
            if dropped != situation:
                yield text, True, _read_again(dropped)
            else:
                yield text, False, with_word(situation, text)
        except InputError:
            continue


__all__ = ["WORDS", "Axis", "Difference", "axis", "sweep", "why", "with_value", "with_word", "without_word"]
