"""The one line of a situation: `8/6 charge,brigadier vs 5/5 woods,breastworks night`."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from simkit.errors import InputError
from simkit.model.charts import Charts
from simkit.odds.situation import FIRE, SHOCK, Fighter, Situation, pointing, usual_back
from simkit.odds.words import BREASTWORKS, CHARTS, DOWN, HEX, HEXSIDE, RANGE, SLOPE, UNIT, WHOLE, WORDS, Word
from simkit.scenario.charts import read_charts
from simkit.scenario.reading import suggestion

MOST_STRENGTH = 30
"""Strength points of a unit: no counter of the three books has as many."""
MOST_COHESION = 9
"""The best rating that a die can try."""
MOST_HEXES = 3
MOST_STACK = 6
MOST_SUPPORT = 4
MOST_LETTERS = 2000
MOST_DIGITS = 20
"""Letters of the numbers of a unit."""

UNIT_SHAPE = re.compile(r"(\d+)(?:of(\d+))?/(\d+)(?:/(\d+))?", re.ASCII)
LIKE_A_UNIT = re.compile(r"[-+.\d]\S*/\S*")
"""What was meant to be a unit, and is none."""
SECTION = re.compile(r"(\d+)([A-Za-z]\w*)", re.ASCII)
"""The guns of one type in a battery of several: 2N."""
BLANKS = re.compile(r"\s*([,/])\s*")
AFTER_NUMBERS = re.compile(r"(/\d+),", re.ASCII)
EXAMPLE = "8/6 charge,brigadier vs 5/5 woods,breastworks"


@cache
def charts_of(book: str = CHARTS, overlay: Path | None = None) -> Charts:
    """The charts by whose numbers a situation is worked out, with the owner's own laid over them.

    Raises:
        InputError: the overlay is wrong.
    """
    return read_charts(Path(str(files("simkit.books").joinpath(book, "charts"))), [overlay] if overlay else [])


@cache
def vocabulary(charts: Charts) -> dict[str, Word]:
    """All words by name: those of `WORDS`, and the charts' terrain, hexsides and weapons."""
    known = {word.word: word for word in WORDS}
    slopes = [hexside.name for hexside in charts.hexsides if hexside.uphill_only or hexside.gradual]
    heights = [hexside.name for hexside in charts.slopes]
    for name in [terrain.name for terrain in charts.terrains]:
        known.setdefault(name, Word(name, HEX, "terrain", f"in {name}", "18.1"))
    for name in [hexside.name for hexside in charts.hexsides]:
        told = name.replace("_", " ")
        if name in slopes:
            known.setdefault(name, Word(name, HEXSIDE, SLOPE, f"a {told} up to the defenders", "10.23, 11.42"))
        elif name != BREASTWORKS.word:
            known.setdefault(name, Word(name, HEXSIDE, "", f"a {told} between the enemies", "11.42"))
    for name in heights:
        down = f"a {name.replace('_', ' ')} down to the defenders: the attackers stand above them"
        known.setdefault(f"{name}{DOWN}", Word(f"{name}{DOWN}", HEXSIDE, SLOPE, down, "10.23, 11.42"))
    known[BREASTWORKS.word] = BREASTWORKS
    for weapon in charts.weapons:
        known.setdefault(weapon.code, Word(weapon.code, UNIT, "weapon", weapon.name, "2.21"))
    return known


@dataclass
class _Token:
    text: str
    at: int


@dataclass
class _Reader:
    """Reads one line; `kind` is SHOCK or FIRE, `farthest` the hexes that the longest guns reach."""

    line: str
    kind: str
    known: dict[str, Word]
    farthest: int

    def __post_init__(self) -> None:
        self.order = {word: at for at, word in enumerate(self.known)}
        self.tokens = [_Token(found.group(), found.start()) for found in re.finditer(r"[|+]|[^\s|+]+", self.line)]
        self.at = 0
        self.positions: list[_Token] = []  # where attackers are said to come from

    # -- messages --------------------------------------------------------------------------------------------------

    def wrong(self, token: _Token | None, what: str) -> InputError:
        """A message that shows the line with a caret under the place."""
        return InputError(what, pointing(self.line, len(self.line) if token is None else token.at))

    def near(self, text: str, words: Sequence[str]) -> str:
        """What could stand there, the nearest first."""
        plain = {word.lower(): word for word in words}
        close = difflib.get_close_matches(text.lower(), list(plain), 4, 0.6)
        if close:
            return f"did you mean {', '.join(plain[word] for word in close)}?"
        return f"there could stand: {', '.join(words[:12])}, ... (all: simkit odds words)"

    def fitting(self, side: str) -> list[str]:
        """The words that may be said of a unit of a side, or of the whole where its words may follow."""
        found = []
        for word in self.known.values():
            at_the_end = word.place == WHOLE and side.startswith("defender")
            if (word.place != WHOLE or at_the_end) and not self._unfit(word, side):
                found.append(word.word)
        return found

    # -- the grammar -----------------------------------------------------------------------------------------------

    def peek(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def situation(self) -> Situation:
        attackers, support, rest = self._hexes("attacker")
        if rest:
            raise self.wrong(rest[0], "words for the whole stand at the end of the line")
        token = self.peek()
        if token is None or token.text != "vs":
            raise self.wrong(token, self._no_vs(token))
        self.at += 1
        defenders, behind, rest = self._hexes("defender")
        whole, distance = self.whole(rest)
        return Situation(self.kind, attackers, defenders, support, behind, whole, distance)

    def _no_vs(self, token: _Token | None) -> str:
        what = 'here must stand "vs" and the defenders'
        if token is not None and (UNIT_SHAPE.fullmatch(token.text) or LIKE_A_UNIT.fullmatch(token.text)):
            return f'{what}; or "+" before a stacked unit, "|" before a further hex, "with" before supporters'
        return what

    def _hexes(self, side: str) -> tuple[tuple[tuple[Fighter, ...], ...], tuple[Fighter, ...], list[_Token]]:
        hexes: list[tuple[Fighter, ...]] = []
        support: tuple[Fighter, ...] = ()
        while True:
            stack, rest = self._stack(side, MOST_STACK)
            hexes.append(stack)
            token = self.peek()
            if token is None or token.text != "|":
                break
            self._only_at_the_end(rest)
            if len(hexes) == MOST_HEXES:
                raise self.wrong(token, f"at most {MOST_HEXES} {side} hexes")
            self.at += 1
        if token is not None and token.text == "with":
            self._only_at_the_end(rest)
            self.at += 1
            support, rest = self._stack(f"{side} support", MOST_SUPPORT)
            token = self.peek()
            if token is not None and token.text == "|":
                raise self.wrong(token, 'supporters stand at the end of their side, after "with", joined by "+"')
        return tuple(hexes), support, rest

    def _only_at_the_end(self, words: Sequence[_Token]) -> None:
        if words:
            raise self.wrong(words[0], "words for the whole stand at the end of the line")

    def _stack(self, side: str, most: int) -> tuple[tuple[Fighter, ...], list[_Token]]:
        units: list[Fighter] = []
        while True:
            fighter, rest = self._unit(side)
            units.append(fighter)
            token = self.peek()
            if token is None or token.text != "+":
                return tuple(units), rest
            self._only_at_the_end(rest)
            if len(units) == most:
                raise self.wrong(token, f"at most {most} {'supporters' if 'support' in side else 'units in a hex'}")
            self.at += 1

    def _unit(self, side: str) -> tuple[Fighter, list[_Token]]:
        token = self.peek()
        found = UNIT_SHAPE.fullmatch(token.text) if token else None
        if token is None or not found:
            raise self.wrong(token, "here must stand a unit: strength/cohesion, as in 8/6, 5of9/6 or 8/6/4")
        self.at += 1
        if len(token.text) > MOST_DIGITS:
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
        while group := self._word_group():
            for word in group:
                (whole if self._is_whole(word, side) else said).append(word)
        words, weapon = self._said(said, side, strength, token)
        return Fighter(strength, cohesion, full, back, weapon, words), whole

    def _word_group(self) -> list[_Token]:
        """The words between two blanks."""
        token = self.peek()
        if token is None or token.text in ("|", "+", "vs", "with") or UNIT_SHAPE.fullmatch(token.text):
            return []
        if LIKE_A_UNIT.fullmatch(token.text):
            return []
        self.at += 1
        found: list[_Token] = []
        at = token.at
        for text in token.text.split(","):
            found.append(_Token(text, at))
            at += len(text) + 1
        return found

    def _is_whole(self, token: _Token, side: str) -> bool:
        if not token.text:
            raise self.wrong(token, f"a word is missing beside the comma; {self.near('', self.fitting(side))}")
        if token.text.partition("=")[0] == RANGE:
            return True
        if SECTION.fullmatch(token.text):
            return False
        word = self.known.get(token.text)
        if word is None:
            raise self.wrong(token, f'unknown word "{token.text}"; {self.near(token.text, self.fitting(side))}')
        return word.place == WHOLE

    def _unfit(self, word: Word, side: str) -> str:
        """Why a word may not be said of a unit of a side, or of the "whole"; '' if it may."""
        if word.side and side != "whole" and word.side != side.partition(" ")[0]:
            return f'"{word.word}" is said of {word.side}s only'
        if word.kind and word.kind != self.kind:
            return f'"{word.word}" is for a {word.kind} only'
        if word.group == "support" and "support" not in side:
            return f'"{word.word}" is said of supporters, after "with"'
        if word.group == "position" and "support" in side:
            return f'"{word.word}" is said of attackers, not of their supporters'
        if "support" in side and (word.place == HEXSIDE or word is BREASTWORKS):
            return f'"{word.word}" is said of who attacks or is attacked, not of supporters'
        return ""

    def _fits(self, token: _Token, side: str, groups: dict[str, str], said: Sequence[str]) -> Word:
        """A word that may be said of a side, and of a group none of whose words has been said."""
        word = self.known[token.text]
        if unfit := self._unfit(word, side):
            raise self.wrong(token, f"{unfit}; {self.near('', self.fitting(side))}" if side != "whole" else unfit)
        if word.word in said or groups.get(word.group) == word.word:
            raise self.wrong(token, f'"{word.word}" stands twice')
        if word.group and word.group in groups:
            raise self.wrong(token, f'"{word.word}" and "{groups[word.group]}" exclude each other')
        if word.group:
            groups[word.group] = word.word
        if word.group == "position":
            self.positions.append(token)
        return word

    def _said(self, tokens: Sequence[_Token], side: str, strength: int, unit: _Token) -> tuple[tuple[str, ...], str]:
        weapon = ""
        words: list[str] = []
        groups: dict[str, str] = {}
        sections: list[str] = []
        guns = 0
        for token in tokens:
            if found := SECTION.fullmatch(token.text):
                guns += self._section(token, found, sections)
                continue
            word = self._fits(token, side, groups, words)
            if word.group == "weapon":
                weapon = word.word
            elif word.word != "clear":
                words.append(word.word)
        if sections and weapon:
            raise self.wrong(unit, f"{weapon} and {','.join(sections)}: one type of gun, or each with its number")
        if sections and guns != strength:
            raise self.wrong(unit, f"the guns of {','.join(sections)} are {guns}, not {strength}")
        return tuple(sorted(words, key=lambda word: self.order[word])), weapon or ",".join(sections)

    def _section(self, token: _Token, found: "re.Match[str]", sections: list[str]) -> int:
        codes = [word.word for word in self.known.values() if word.group == "weapon"]
        if found[2] not in codes:
            raise self.wrong(token, f'no gun "{found[2]}"; {self.near(found[2], codes)}')
        if any(other.endswith(found[2]) and SECTION.fullmatch(other)[2] == found[2] for other in sections):  # type: ignore[index]
            raise self.wrong(token, f'"{found[2]}" stands twice')
        if len(found[1]) > 2 or not 1 <= int(found[1]) <= MOST_STRENGTH:
            raise self.wrong(token, f"a number of guns lies between 1 and {MOST_STRENGTH}")
        sections.append(token.text)
        return int(found[1])

    def whole(self, tokens: Sequence[_Token]) -> tuple[tuple[str, ...], int]:
        words: list[str] = []
        distance = 0
        groups: dict[str, str] = {}
        token = self.peek()
        if token is not None:
            ending = '; a further hex follows after "|"' if LIKE_A_UNIT.fullmatch(token.text) else ""
            raise self.wrong(token, f"the line should end here{ending}")
        for token in tokens:
            name, equals, value = token.text.partition("=")
            if name == RANGE:
                distance = self._range(token, equals, value, distance)
                continue
            words.append(self._fits(token, "whole", groups, words).word)
            if words[-1] == "surrounded" and self.positions:
                place = self.positions[0]
                raise self.wrong(place, f'"{place.text}" and "surrounded" exclude each other: three hexes all around')
        return tuple(sorted(words, key=lambda word: self.order[word])), distance or 1

    def _range(self, token: _Token, equals: str, value: str, known: int) -> int:
        if self.kind != FIRE:
            raise self.wrong(token, "only a fire has a range")
        if known:
            raise self.wrong(token, "range stands twice")
        if not equals or not re.fullmatch(r"[0-9]{1,3}", value) or not 1 <= int(value) <= self.farthest:
            raise self.wrong(token, f"write range=1 to range={self.farthest}")
        return int(value)


def check_whole(text: str, charts: Charts) -> None:
    """See that a word, or a range, is one for the whole.

    Raises:
        InputError: it is another, or none.
    """
    known = vocabulary(charts)
    words = [word.word for word in known.values() if word.place == WHOLE]
    if text.partition("=")[0] != RANGE and text not in words:
        what = f'"{text}" is said of units, not of the whole' if text in known else f'unknown word "{text}"'
        raise InputError(f"{what}{suggestion(text, words)}")


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
    line = AFTER_NUMBERS.sub(r"\1 ", BLANKS.sub(r"\1", line))
    first = line.split(maxsplit=1)
    if first and first[0] in (SHOCK, FIRE):
        kind = first[0]
        line = first[1] if len(first) > 1 else ""
    if not line.strip():
        raise InputError(f'no situation; write for example: simkit odds {kind} "{EXAMPLE}"')
    charts = charts or charts_of()
    farthest = max(int(weapon.max_range) for weapon in charts.weapons)
    return _Reader(line, kind, vocabulary(charts), farthest).situation()
