"""The one line of a situation: `8/6 charge,brigadier vs 5/5 woods,breastworks night`."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from simkit.errors import InputError
from simkit.model.charts import Charts
from simkit.odds.situation import FIRE, SHOCK, Fighter, Situation, usual_back
from simkit.odds.words import HEX, HEXSIDE, RANGE, UNIT, WHOLE, WORDS, Word
from simkit.scenario.charts import read_charts

MOST_STRENGTH = 30
"""Strength points of a unit: no counter of the three books has as many."""
MOST_COHESION = 9
"""The best rating that a die can try."""
MOST_HEXES = 3
MOST_STACK = 6
MOST_SUPPORT = 4
MOST_RANGE = 12
MOST_LETTERS = 2000

UNIT_SHAPE = re.compile(r"(\d+)(?:of(\d+))?/(\d+)(?:/(\d+))?")
EXAMPLE = "8/6 charge,brigadier vs 5/5 woods,breastworks"


@cache
def charts_of(book: str = "dead_of_winter", overlay: Path | None = None) -> Charts:
    """The charts by whose numbers a situation is worked out, with the owner's own laid over them.

    Raises:
        InputError: the overlay is wrong.
    """
    return read_charts(Path(str(files("simkit.books").joinpath(book, "charts"))), [overlay] if overlay else [])


@cache
def vocabulary(charts: Charts) -> dict[str, Word]:
    """All words by name: those of `WORDS`, and the charts' terrain, hexsides and weapons."""
    known = {word.word: word for word in WORDS}
    for name in [terrain.name for terrain in charts.terrains]:
        known.setdefault(name, Word(name, HEX, "terrain", f"in {name}", "18.1"))
    for name in [hexside.name for hexside in charts.hexsides]:
        if name != "breastworks":
            known.setdefault(
                name,
                Word(name, HEXSIDE, "", f"{name.replace('_', ' ')} between the enemies (slopes: up to them)", "11.42"),
            )
    for weapon in charts.weapons:
        known.setdefault(weapon.code, Word(weapon.code, UNIT, "weapon", weapon.name, "2.21"))
    return known


@dataclass
class _Token:
    text: str
    at: int


@dataclass
class _Reader:
    """Reads one line; `kind` is SHOCK or FIRE."""

    line: str
    kind: str
    known: dict[str, Word]
    order: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.order = {word: at for at, word in enumerate(self.known)}
        self.tokens = [_Token(found.group(), found.start()) for found in re.finditer(r"[|+]|[^\s|+]+", self.line)]
        self.at = 0

    # -- messages --------------------------------------------------------------------------------------------------

    def wrong(self, token: _Token | None, what: str) -> InputError:
        """A message that shows the line with a caret under the place."""
        at = len(self.line) if token is None else token.at
        start = max(0, at - 60)
        shown = self.line[start : start + 120]
        return InputError(what, (f"  {shown}", f"  {' ' * (at - start)}^"))

    def near(self, text: str, among: Iterable[str]) -> str:
        """What could stand there, the nearest first."""
        words = list(among)
        close = difflib.get_close_matches(text, words, 4, 0.6)
        listed = ", ".join(close) if close else f"{', '.join(words[:12])}, ... (all: simkit odds words)"
        return f"did you mean {listed}?" if close else f"there could stand: {listed}"

    # -- the grammar -----------------------------------------------------------------------------------------------

    def peek(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def situation(self) -> Situation:
        attackers, support = self.side("attacker")
        token = self.peek()
        if token is None or token.text != "vs":
            raise self.wrong(token, "here must stand \"vs\" and the defenders")
        self.at += 1
        defenders, behind, rest = self.last_side()
        whole, distance = self.whole(rest)
        return Situation(self.kind, attackers, defenders, support, behind, whole, distance)

    def side(self, side: str) -> tuple[tuple[tuple[Fighter, ...], ...], tuple[Fighter, ...]]:
        hexes, support, rest = self._hexes(side, "attacker" if side == "attacker" else "defender")
        if rest:
            raise self.wrong(rest[0], "words for the whole stand at the end of the line")
        return hexes, support

    def last_side(self) -> tuple[tuple[tuple[Fighter, ...], ...], tuple[Fighter, ...], list[_Token]]:
        return self._hexes("defender", "defender")

    def _hexes(
        self, side: str, named: str
    ) -> tuple[tuple[tuple[Fighter, ...], ...], tuple[Fighter, ...], list[_Token]]:
        hexes: list[tuple[Fighter, ...]] = []
        support: tuple[Fighter, ...] = ()
        rest: list[_Token] = []
        while True:
            stack, rest = self._stack(side, MOST_STACK)
            hexes.append(stack)
            token = self.peek()
            if token is None or token.text != "|":
                break
            if rest:
                raise self.wrong(rest[0], "words for the whole stand at the end of the line")
            if len(hexes) == MOST_HEXES:
                raise self.wrong(token, f"at most {MOST_HEXES} {named} hexes")
            self.at += 1
        token = self.peek()
        if token is not None and token.text == "with":
            if rest:
                raise self.wrong(rest[0], "words for the whole stand at the end of the line")
            self.at += 1
            support, rest = self._stack(f"{side} support", MOST_SUPPORT)
        return tuple(hexes), support, rest

    def _stack(self, side: str, most: int) -> tuple[tuple[Fighter, ...], list[_Token]]:
        units: list[Fighter] = []
        rest: list[_Token] = []
        while True:
            fighter, rest = self._unit(side)
            units.append(fighter)
            token = self.peek()
            if token is None or token.text != "+":
                return tuple(units), rest
            if rest:
                raise self.wrong(rest[0], "words for the whole stand at the end of the line")
            if len(units) == most:
                raise self.wrong(token, f"at most {most} units here")
            self.at += 1

    def _unit(self, side: str) -> tuple[Fighter, list[_Token]]:
        token = self.peek()
        found = UNIT_SHAPE.fullmatch(token.text) if token else None
        if token is None or not found:
            raise self.wrong(token, "here must stand a unit: strength/cohesion, as in 8/6, 5of9/6 or 8/6/4")
        self.at += 1
        if len(token.text) > 20:
            raise self.wrong(token, "a number has too many digits")
        strength, cohesion = int(found[1]), int(found[3])
        full = int(found[2]) if found[2] else strength
        back = int(found[4]) if found[4] else usual_back(cohesion)
        if not 1 <= strength <= MOST_STRENGTH or not strength <= full <= MOST_STRENGTH:
            raise self.wrong(token, f"strength lies between 1 and the full strength, and that up to {MOST_STRENGTH}")
        if not 0 <= cohesion <= MOST_COHESION or not 0 <= back <= MOST_COHESION:
            raise self.wrong(token, f"a Cohesion Rating lies between 0 and {MOST_COHESION}")
        said: list[_Token] = []
        whole: list[_Token] = []
        group = self._word_group()
        if group:
            for word in group:
                (whole if self._is_whole(word, side) else said).append(word)
            if side.startswith("defender"):
                following = self._word_group()
                for word in following:
                    if not self._is_whole(word, side):
                        near = self._whole_words(word.text)
                        raise self.wrong(word, f'"{word.text}" is no word for the whole; {near}')
                whole += following
        words, weapon = self._said(said, side)
        return Fighter(strength, cohesion, full, back, weapon, words), whole

    def _word_group(self) -> list[_Token]:
        token = self.peek()
        if token is None or token.text in ("|", "+", "vs", "with") or UNIT_SHAPE.fullmatch(token.text):
            return []
        self.at += 1
        found: list[_Token] = []
        at = token.at
        for text in token.text.split(","):
            found.append(_Token(text, at))
            at += len(text) + 1
        return found

    def _is_whole(self, token: _Token, side: str) -> bool:
        name = token.text.partition("=")[0]
        if name == RANGE:
            return True
        word = self.known.get(token.text)
        if word is None:
            raise self.wrong(token, f'unknown word "{token.text}"; {self.near(token.text, self.known)}')
        return word.place == WHOLE

    def _whole_words(self, text: str) -> str:
        return self.near(text, [word.word for word in self.known.values() if word.place == WHOLE])

    def _fits(self, token: _Token, word: Word, side: str) -> None:
        who = side.partition(" ")[0]
        if word.side and word.side != who:
            raise self.wrong(token, f'"{word.word}" is said of {word.side}s only')
        if word.kind and word.kind != self.kind:
            raise self.wrong(token, f'"{word.word}" is for a {word.kind} only')
        if word.group == "support" and "support" not in side:
            raise self.wrong(token, f'"{word.word}" is said of supporters, after "with"')
        if word.group == "position" and "support" in side:
            raise self.wrong(token, f'"{word.word}" is said of attackers, not of their supporters')

    def _said(self, tokens: Sequence[_Token], side: str) -> tuple[tuple[str, ...], str]:
        weapon = ""
        words: list[str] = []
        groups: dict[str, str] = {}
        for token in tokens:
            word = self.known[token.text]
            self._fits(token, word, side)
            if word.word in words or word.word == weapon:
                raise self.wrong(token, f'"{word.word}" stands twice')
            if word.group and word.group in groups:
                raise self.wrong(token, f'"{word.word}" and "{groups[word.group]}" exclude each other')
            if word.group:
                groups[word.group] = word.word
            if word.group == "weapon":
                weapon = word.word
            elif word.word != "clear":
                words.append(word.word)
        return tuple(sorted(words, key=lambda word: self.order[word])), weapon

    def whole(self, tokens: Sequence[_Token]) -> tuple[tuple[str, ...], int]:
        words: list[str] = []
        distance = 0
        groups: dict[str, str] = {}
        token = self.peek()
        if token is not None:
            raise self.wrong(token, "the line should end here")
        for token in tokens:
            name, equals, value = token.text.partition("=")
            if name == RANGE:
                distance = self._range(token, equals, value, distance)
                continue
            word = self.known[token.text]
            self._fits(token, word, "whole")
            if word.word in words:
                raise self.wrong(token, f'"{word.word}" stands twice')
            if word.group and word.group in groups:
                raise self.wrong(token, f'"{word.word}" and "{groups[word.group]}" exclude each other')
            if word.group:
                groups[word.group] = word.word
            words.append(word.word)
        return tuple(sorted(words, key=lambda word: self.order[word])), distance or 1

    def _range(self, token: _Token, equals: str, value: str, known: int) -> int:
        if self.kind != FIRE:
            raise self.wrong(token, "only a fire has a range")
        if known:
            raise self.wrong(token, "range stands twice")
        if not equals or not re.fullmatch(r"\d{1,3}", value) or not 1 <= int(value) <= MOST_RANGE:
            raise self.wrong(token, f"write range=1 to range={MOST_RANGE}")
        return int(value)


def parse(line: str, kind: str = SHOCK, charts: Charts | None = None) -> Situation:
    """The situation that a line says.

    Args:
        line: as in the module's example; it may begin with "shock" or "fire".
        kind: SHOCK or FIRE, where the line does not say so.
        charts: whose terrain and weapons are known; by default those of Dead of Winter.

    Raises:
        InputError: the line says something else; the message shows where, and what could stand there.
    """
    if len(line) > MOST_LETTERS:
        raise InputError(f"a situation has at most {MOST_LETTERS} letters")
    first = line.split(maxsplit=1)
    if first and first[0] in (SHOCK, FIRE):
        kind = first[0]
        line = first[1] if len(first) > 1 else ""
    if not line.strip():
        raise InputError(f'no situation; write for example: simkit odds {kind} "{EXAMPLE}"')
    return _Reader(line, kind, vocabulary(charts or charts_of())).situation()
