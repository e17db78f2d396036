"""Changes of a situation by name and value: a strength, a rating, the range, or a word said or not."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from simkit.errors import InputError
from simkit.odds.grammar import charts_of, parse, vocabulary
from simkit.odds.situation import Fighter, Situation, usual_back
from simkit.odds.words import HEX, WHOLE, Word
from simkit.scenario.reading import suggestion

SIDES = ("attacker", "defender")
FIELDS = ("strength", "full", "cohesion")
DEFAULTS = {
    "position": "front", "light": "day", "terrain": "clear", "edition": "dead_of_winter", "retreat": "stand",
    "continue": "stop", "orders": "", "fatigue": "", "arm": "foot", "move": "", "brigadier": "", "ammunition": "",
    "weapon": "", "support": "left", "slope": "", "brigade": "brigade1",
}  # fmt: skip
"""By group the word that says what holds anyway; said by `none` too."""

NONE, YES, NO = "none", "yes", "no"


def changed(situation: Situation, name: str, value: str, charts: Path | None = None) -> Situation:
    """A situation in which one thing is otherwise.

    Args:
        situation: as it is.
        name: `attacker` or `defender` (their strength), `attacker.cohesion`, `attacker.full`, `range`; a group of
            words (`position`, `terrain`, `light`, `orders`, `edition`, ...), or a word (`charge`, `breastworks`, ...).
            A side before a point, as in `attacker.terrain`, says whose; a number after the side which unit, as in
            `attacker2.cohesion`, else all of the side.
        value: a number; a word of the group or `none`; `yes` or `no` for a word.
        charts: a folder of charts laid over the book's.

    Raises:
        InputError: there is nothing of that name, or it cannot be so.
    """
    table = charts_of(overlay=charts)
    known = vocabulary(table)
    if name == "range":
        made = replace(situation, range=_number(name, value))
        return parse(str(made), situation.kind, table)
    who, dot, rest = name.partition(".")
    side, number = _who(who)
    if side and not dot:
        rest = "strength"
    elif not side:
        side, number, rest = "", 0, name
    if side and rest in FIELDS:
        count = _number(name, value)
        made = _each(situation, side, number, lambda fighter: _with_number(fighter, rest, count))
    else:
        made = _with_word(situation, side, number, rest, value, known)
    try:
        return parse(str(made), situation.kind, table)
    except InputError as error:
        raise InputError(f"{name}={value}: {error.message}", error.picture) from None


def _who(text: str) -> tuple[str, int]:
    for side in SIDES:
        tail = text.removeprefix(side)
        if text.startswith(side) and (not tail or tail.isdigit()):
            return side, int(tail or 0)
    return "", 0


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 3):
        raise InputError(f'{name}: a whole number, not "{value}"')
    return int(value)


def _each(situation: Situation, side: str, number: int, change: Callable[[Fighter], Fighter]) -> Situation:
    """Change the units of a side, or the one of this number, counted from 1 through its hexes."""
    stacks = situation.stacks(side)
    count = sum(len(stack) for stack in stacks)
    if number > count:
        raise InputError(f"{side}{number}: the {side}s have {count} unit{'s' if count > 1 else ''}")
    at, made = 0, []
    for stack in stacks:
        units = []
        for fighter in stack:
            at += 1
            units.append(change(fighter) if number in (0, at) else fighter)
        made.append(tuple(units))
    return situation.with_stacks(side, tuple(made))


def _with_number(fighter: Fighter, field: str, count: int) -> Fighter:
    if field == "strength":
        whole = fighter.full == fighter.strength
        return replace(fighter, strength=count, full=count if whole else max(count, fighter.full))
    if field == "full":
        return replace(fighter, full=count)
    usual = fighter.cohesion_disordered == usual_back(fighter.cohesion)
    back = usual_back(count) if usual else min(fighter.cohesion_disordered, count)
    return replace(fighter, cohesion=count, cohesion_disordered=back)


def _with_word(
    situation: Situation, side: str, number: int, name: str, value: str, known: dict[str, Word]
) -> Situation:
    members = [word for word in known.values() if word.group == name]
    if name not in known and not members:
        names = ["attacker", "defender", "range", *dict.fromkeys(word.group for word in known.values() if word.group)]
        raise InputError(f'"{name}" is nothing that can change{suggestion(name, [*names, *known])}')
    if value in (YES, NO) and name in known:
        word, said = known[name], value == YES
        drop = [name, *(other.word for other in known.values() if word.group and other.group == word.group)]
    elif members:
        allowed = {other.word for other in members} | {DEFAULTS.get(name, ""), NONE}
        if value not in allowed:
            raise InputError(f'{name}: "{value}" is none of its words{suggestion(value, sorted(allowed - {""}))}')
        said = value in {other.word for other in members} and value != DEFAULTS.get(name)
        word, drop = (known[value] if said else members[0]), [other.word for other in members]
    else:
        raise InputError(f"{name}: yes or no")
    if word.place == WHOLE:
        kept = tuple(other for other in situation.whole if other not in drop)
        return replace(situation, whole=(*kept, word.word) if said else kept)
    side = side or word.side or ("defender" if word.place == HEX or word.place == "hexside" else "attacker")
    # a leader or what is said of a hex stands once in a stack
    once = word.group == "brigadier" or word.word in ("division", "corps")
    first = True

    def change(fighter: Fighter) -> Fighter:
        nonlocal first
        speak, first = said and (first or not once), False
        if word.group == "weapon":
            return replace(fighter, weapon=word.word if speak else "")
        kept = tuple(other for other in fighter.words if other not in drop)
        return replace(fighter, words=(*kept, word.word) if speak else kept)

    return _each(situation, side, number, change)
