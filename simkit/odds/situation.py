"""A situation: who shocks or fires at whom, where, in what state and by which choices, as plain data."""

from dataclasses import dataclass, replace

SHOCK, FIRE = "shock", "fire"


@dataclass(frozen=True)
class Fighter:
    """A unit of a situation.

    `strength` and `full` (its printed strength) are in strength points, guns for a battery; `cohesion` and
    `cohesion_disordered` the two ratings; `weapon` a code of the charts, or '' for the usual one of its arm; `words`
    what else is said of it, of its hex and of the hexside before it, in the order of the vocabulary.
    """

    strength: int
    cohesion: int
    full: int
    cohesion_disordered: int
    weapon: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        of = f"of{self.full}" if self.full != self.strength else ""
        back = f"/{self.cohesion_disordered}" if self.cohesion_disordered != usual_back(self.cohesion) else ""
        said = ",".join(([self.weapon] if self.weapon else []) + list(self.words))
        return f"{self.strength}{of}/{self.cohesion}{back}" + (f" {said}" if said else "")


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
        left = _side(self.attackers, self.attacking_support)
        right = _side(self.defenders, self.defending_support)
        whole = ",".join([*self.whole, *([f"range={self.range}"] if self.range != 1 else [])])
        if whole and not _ends_in_words(self):
            right += " clear"
        return f"{left} vs {right}" + (f" {whole}" if whole else "")

    @property
    def line(self) -> str:
        """The one line with its kind, as it can stand after `simkit odds`."""
        return f"{self.kind} {self}"

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


def _side(hexes: tuple[tuple[Fighter, ...], ...], support: tuple[Fighter, ...]) -> str:
    text = " | ".join(" + ".join(str(unit) for unit in stack) for stack in hexes)
    return text + (f" with {' + '.join(str(unit) for unit in support)}" if support else "")


def _ends_in_words(situation: Situation) -> bool:
    last = situation.defending_support[-1] if situation.defending_support else situation.defenders[-1][-1]
    return bool(last.words or last.weapon)
