"""A situation: who shocks or fires at whom, where, in what state and by which choices, as plain data."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from simkit.errors import InputError

SHOCK, FIRE = "shock", "fire"
SHOWN_BEFORE: Final = 60
"""Letters of a line that a message shows before the place that it points at."""
SHOWN: Final = 120


@dataclass(frozen=True)
class Fighter:
    """A unit of a situation.

    `strength` and `full` (its printed strength) are in strength points, guns for a battery; `cohesion` and
    `cohesion_disordered` the two ratings; `weapon` a code of the charts, of a battery of several types of gun each
    code with its guns before it, as "2N,4R3", or '' for the usual one of its arm; `words` what else is said of it, of
    its hex and of the hexside before it, in the order of the vocabulary.
    """

    strength: int
    cohesion: int
    full: int
    cohesion_disordered: int
    weapon: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = ",".join(self.said())
        return f"{self.numbers()} {said}".rstrip()

    def numbers(self) -> str:
        """Strength and cohesion as a line has them."""
        of = f"of{self.full}" if self.full != self.strength else ""
        back = f"/{self.cohesion_disordered}" if self.cohesion_disordered != usual_back(self.cohesion) else ""
        return f"{self.strength}{of}/{self.cohesion}{back}"

    def said(self) -> list[str]:
        """Weapon and words as a line has them."""
        return [*([self.weapon] if self.weapon else []), *self.words]


@dataclass(frozen=True)
class Situation:
    """A fire or a shock: hexes of attackers and of defenders with their stacks, top first, and their supporters.

    `whole` are the words that hold for all of it, `range` the hexes between the firing and the fired at.
    """

    kind: str
    attackers: tuple[tuple[Fighter, ...], ...]
    defenders: tuple[tuple[Fighter, ...], ...]
    attacking_support: tuple[Fighter, ...] = ()
    defending_support: tuple[Fighter, ...] = ()
    whole: tuple[str, ...] = ()
    range: int = 1

    def __str__(self) -> str:
        """The one line, without its kind, that reads as this situation."""
        return "".join(text for text, _ in self._pieces())

    @property
    def line(self) -> str:
        """The one line with its kind, as it can stand after `simkit odds`."""
        return f"{self.kind} {self}"

    def _pieces(self) -> Iterator[tuple[str, Fighter | None]]:
        """The line in pieces: numbers and words of a unit with it, what stands between them and for the whole alone."""
        yield from _side(self.attackers, self.attacking_support)
        yield " vs ", None
        yield from _side(self.defenders, self.defending_support)
        whole = [*self.whole, *([f"range={self.range}"] if self.range != 1 else [])]
        if whole:
            yield (" " if _ends_in_words(self) else " clear "), None
        for at, word in enumerate(whole):
            yield ("," if at else "") + word, None

    def wrong(self, what: str, fighter: Fighter | None = None, word: str = "") -> InputError:
        """A message about this situation that shows the place in its line.

        Args:
            what: the message.
            fighter: the unit that it is about, the very object; None if it is about the whole.
            word: the word of the unit or of the whole that it is about; '' points at the unit.
        """
        at, found = 0, 0
        for text, owner in self._pieces():
            said = text.lstrip(" ,")
            if owner is fighter and (said == word or (not word and owner is not None)):
                found = at + len(text) - len(said)
                break
            at += len(text)
        return InputError(what, pointing(str(self), found))

    def everybody(self) -> Iterator[Fighter]:
        """All units, in the order of the line."""
        for stack in self.attackers:
            yield from stack
        yield from self.attacking_support
        for stack in self.defenders:
            yield from stack
        yield from self.defending_support

    def stacks(self, side: str) -> tuple[tuple[Fighter, ...], ...]:
        """The hexes of "attacker" or "defender"."""
        return self.attackers if side == "attacker" else self.defenders

    def with_stacks(self, side: str, stacks: tuple[tuple[Fighter, ...], ...]) -> "Situation":
        """The same with other hexes of "attacker" or "defender"."""
        return replace(self, attackers=stacks) if side == "attacker" else replace(self, defenders=stacks)

    def says(self, word: str) -> bool:
        """Whether a word holds for the whole."""
        return word in self.whole


def usual_back(cohesion: int) -> int:
    """The disordered rating of a unit of which only the other is said: two less, as most counters have it."""
    return max(cohesion - 2, 0)


def pointing(line: str, at: int) -> tuple[str, str]:
    """A line, or what of it lies around a place, and below it a caret under that place."""
    start = max(0, at - SHOWN_BEFORE)
    return line[start : start + SHOWN], f"{' ' * (at - start)}^"


def _side(hexes: tuple[tuple[Fighter, ...], ...], support: tuple[Fighter, ...]) -> Iterator[tuple[str, Fighter | None]]:
    for number, stack in enumerate(hexes):
        if number:
            yield " | ", None
        yield from _stack(stack)
    if support:
        yield " with ", None
        yield from _stack(support)


def _stack(units: tuple[Fighter, ...]) -> Iterator[tuple[str, Fighter | None]]:
    for depth, fighter in enumerate(units):
        if depth:
            yield " + ", None
        yield fighter.numbers(), fighter
        for at, word in enumerate(fighter.said()):
            yield ("," if at else " ") + word, fighter


def _ends_in_words(situation: Situation) -> bool:
    last = situation.defending_support[-1] if situation.defending_support else situation.defenders[-1][-1]
    return bool(last.words or last.weapon)
