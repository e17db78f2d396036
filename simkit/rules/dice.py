"""The die of 2.5 and who throws it: keyed dice, a scripted tape, and a tape that runs through every branch.

One rule text, three drivers. Keyed dice (Philox4x32-10, Salmon et al. 2011, "Parallel random numbers: as easy as
1, 2, 3") give each draw from (study key; run, subject, stream, count) alone, so that no draw depends on any other.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.subject import Subject

INITIATIVE: Final[i64] = 0
EFFICIENCY: Final[i64] = 1
DRAW: Final[i64] = 2
ORDERS: Final[i64] = 3
COORDINATION: Final[i64] = 4
COHESION: Final[i64] = 5
FIRE: Final[i64] = 6
SHOCK: Final[i64] = 7
RALLY: Final[i64] = 8
LEADERS: Final[i64] = 9
EVENT: Final[i64] = 10
ALLOCATION: Final[i64] = 11
STRAGGLER: Final[i64] = 12
ARRIVAL: Final[i64] = 13
COMMANDER: Final[i64] = 14
STREAMS: Final = (
    "initiative", "efficiency", "draw", "orders", "coordination", "cohesion", "fire", "shock", "rally", "leader",
    "event", "allocation", "straggler", "arrival", "commander",
)
FACES: Final[i64] = 10  # the die runs from 0 to 9 (2.5)
WORD: Final[i64] = 0xFFFFFFFF


class ScriptExhausted(Exception):
    """A scripted tape was asked for more dice than it holds."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """Whoever throws the die for the rules; `last` is the face of the latest draw, for the log (-1 if it has none).

    Whoever wants to be told where the procedure of a shock stands, to look at the battle in between, is `pausing`.
    """

    def __init__(self) -> None:
        self.last: i64 = -1
        self.pausing = False

    def begin(self, run: i64) -> None:
        """Start run number `run` of a study."""
        raise NotImplementedError("Dice.begin")

    def roll(self, stream: i64, subject: Subject) -> i64:
        """One die, 0 to 9 (2.5), of a stream for a subject."""
        raise NotImplementedError("Dice.roll")

    def check(self, stream: i64, subject: Subject, most: i64) -> bool:
        """Whether one die is `most` or less (2.6): two branches where branches are counted."""
        raise NotImplementedError("Dice.check")

    def pick(self, stream: i64, subject: Subject, among: i64) -> i64:
        """A number from 0 to `among` - 1, each as likely."""
        raise NotImplementedError("Dice.pick")

    def order(self, stream: i64, subject: Subject, nth: i64) -> i64:
        """A number by which to put things in a random order; it depends on nothing but stream, subject and nth."""
        raise NotImplementedError("Dice.order")

    def grouped(self, stream: i64, subject: Subject, classes: list[int]) -> i64:
        """One die, of which faces with one class (`classes` by face) are one branch where branches are counted."""
        return self.roll(stream, subject)

    def pause(self, step: str, context: list[int]) -> bool:
        """A step of a procedure is over: whether to break off there. Asked if `pausing`.

        Only the battle and `context` bear on what follows.
        """
        return False


class Philox:
    """The counter-based generator Philox4x32-10; after `fill` its four output words are `w0` to `w3`."""

    def __init__(self, key_low: i64, key_high: i64) -> None:
        self.key_low = key_low & WORD
        self.key_high = key_high & WORD
        self.w0: i64 = 0
        self.w1: i64 = 0
        self.w2: i64 = 0
        self.w3: i64 = 0

    def fill(self, c0: i64, c1: i64, c2: i64, c3: i64) -> None:
        """Ten rounds over a counter of four 32-bit words (constants of the published generator)."""
        k0 = self.key_low
        k1 = self.key_high
        for _ in range(10):
            # products of two 32-bit words need 64 bits unsigned: build high and low halves from 16-bit pieces
            a0: i64 = c0 & 0xFFFF
            a1: i64 = c0 >> 16
            low: i64 = a0 * 0xD2511F53
            mid: i64 = a1 * 0xD2511F53 + (low >> 16)
            high0: i64 = (mid >> 16) & WORD
            low0: i64 = ((mid & 0xFFFF) << 16) | (low & 0xFFFF)
            b0: i64 = c2 & 0xFFFF
            b1: i64 = c2 >> 16
            low = b0 * 0xCD9E8D57
            mid = b1 * 0xCD9E8D57 + (low >> 16)
            high1: i64 = (mid >> 16) & WORD
            low1: i64 = ((mid & 0xFFFF) << 16) | (low & 0xFFFF)
            c0 = high1 ^ c1 ^ k0
            c1 = low1
            c2 = high0 ^ c3 ^ k1
            c3 = low0
            k0 = (k0 + 0x9E3779B9) & WORD
            k1 = (k1 + 0xBB67AE85) & WORD
        self.w0 = c0
        self.w1 = c1
        self.w2 = c2
        self.w3 = c3


@mypyc_attr(allow_interpreted_subclasses=True)
class KeyedDice(Dice):
    """Dice for sampling: each draw is keyed by study key, run, stream, subject and how often it drew from the stream.

    `key_low` and `key_high` are the 32-bit words of the study's key. A stream in `redrawn` is thrown anew with a
    number of its own while all others stay: so the share of a stream in the outcome's spread can be measured.
    """

    def __init__(self, key_low: i64, key_high: i64) -> None:
        super().__init__()
        self.philox = Philox(key_low, key_high)
        self.run: i64 = 0
        self.redrawn: list[int] = [0] * 16

    def begin(self, run: i64) -> None:
        """Start run number `run`; counts of draws belong to the subjects and are reset with the battle."""
        self.run = run

    def _word(self, stream: i64, subject: Subject) -> i64:
        count: i64 = subject.draws[stream]
        subject.draws[stream] = count + 1
        redraw: i64 = self.redrawn[stream]
        self.philox.fill(self.run & WORD, subject.key, stream | (redraw << 8), count)
        return self.philox.w0

    def roll(self, stream: i64, subject: Subject) -> i64:
        """One die, 0 to 9."""
        face = (self._word(stream, subject) * FACES) >> 32
        self.last = face
        return face

    def check(self, stream: i64, subject: Subject, most: i64) -> bool:
        """Whether one die is `most` or less."""
        face = (self._word(stream, subject) * FACES) >> 32
        self.last = face
        return face <= most

    def pick(self, stream: i64, subject: Subject, among: i64) -> i64:
        """A number from 0 to `among` - 1."""
        chosen = (self._word(stream, subject) * among) >> 32
        self.last = chosen
        return chosen

    def order(self, stream: i64, subject: Subject, nth: i64) -> i64:
        """A 32-bit number that does not count as a draw: `nth` takes the place of the count, above all counts."""
        redraw: i64 = self.redrawn[stream]
        self.philox.fill(self.run & WORD, subject.key, stream | (redraw << 8), 0x80000000 | nth)
        return self.philox.w0


@mypyc_attr(allow_interpreted_subclasses=True)
class ScriptedDice(Dice):
    """Dice read from a list of faces: for tests, and for replaying a recorded game.

    Each entry is a face, or a pair of stream name and face that must match the stream asked for. `order` gives the
    numbers of `orders` in turn and then counts on, so that markers come out as they went in.
    """

    def __init__(self, faces: list[object], orders: list[int] | None = None) -> None:
        super().__init__()
        self.faces = faces
        self.orders = [] if orders is None else orders
        self.at: i64 = 0
        self.ordered: i64 = 0
        self.asked: list[str] = []

    def begin(self, run: i64) -> None:
        """A script starts where it stands."""

    def _next(self, stream: i64, subject: Subject) -> i64:
        wanted = STREAMS[stream]
        self.asked.append(f"{wanted} {subject.id}")
        if self.at >= len(self.faces):
            raise ScriptExhausted(f"the script of {len(self.faces)} dice is used up at a {wanted} roll of {subject.id}")
        entry = self.faces[self.at]
        self.at += 1
        if isinstance(entry, tuple):
            if entry[0] != wanted:
                raise ScriptExhausted(f"die {self.at} is scripted for {entry[0]}, but {subject.id} rolls for {wanted}")
            entry = entry[1]
        if not isinstance(entry, int):
            raise ScriptExhausted(f"die {self.at} is {entry!r}, not a face")
        face: i64 = entry
        self.last = face
        return face

    def roll(self, stream: i64, subject: Subject) -> i64:
        """The next face of the script."""
        return self._next(stream, subject)

    def check(self, stream: i64, subject: Subject, most: i64) -> bool:
        """Whether the next face is `most` or less."""
        return self._next(stream, subject) <= most

    def pick(self, stream: i64, subject: Subject, among: i64) -> i64:
        """The next face, which must be below `among`."""
        face = self._next(stream, subject)
        if face >= among:
            raise ScriptExhausted(f"die {self.at} is {face}, but one of {among} was to be picked for {subject.id}")
        return face

    def order(self, stream: i64, subject: Subject, nth: i64) -> i64:
        """The next of `orders`, or the next count."""
        at = self.ordered
        self.ordered += 1
        if at < len(self.orders):
            return self.orders[at]
        return 1000000 + at

    def used_up(self) -> bool:
        """Whether every scripted die was asked for."""
        return self.at == len(self.faces)


@mypyc_attr(allow_interpreted_subclasses=True)
class EnumeratingTape(Dice):
    """Dice that run through every branch, each with its exact probability `numerator / denominator`.

    Play from one state, read the outcome and the mass, and call `next_branch` until it says that none is left; the
    caller restores the state in between.
    """

    def __init__(self) -> None:
        super().__init__()
        self.choices: list[int] = []  # branch taken at each draw
        self.weights: list[list[int]] = []  # faces that lead into each branch of each draw
        self.at: i64 = 0
        self.numerator: int = 1
        self.denominator: int = 1
        self.branches: i64 = 0

    def begin(self, run: i64) -> None:
        """Go back to the first draw of the branch."""
        self.at = 0
        self.numerator = 1
        self.denominator = 1

    def _branch(self, weights: list[int], total: int) -> i64:
        at = self.at
        self.at += 1
        if at == len(self.choices):
            self.choices.append(0)
            self.weights.append(weights)
        taken = self.choices[at]
        self.numerator *= self.weights[at][taken]
        self.denominator *= total
        self.last = -1
        return taken

    def next_branch(self) -> bool:
        """Turn to the next branch; False when all have been played."""
        self.branches += 1
        while self.choices:
            last = len(self.choices) - 1
            if self.choices[last] + 1 < len(self.weights[last]):
                self.choices[last] += 1
                self.begin(0)
                return True
            self.choices.pop()
            self.weights.pop()
        return False

    def roll(self, stream: i64, subject: Subject) -> i64:
        """One die: ten branches."""
        face = self._branch([1] * 10, 10)
        self.last = face
        return face

    def check(self, stream: i64, subject: Subject, most: i64) -> bool:
        """Whether one die is `most` or less: two branches, or one where it is certain."""
        passing = int(min(max(most + 1, 0), FACES))
        if passing == 0 or passing == 10:
            return passing == 10
        return self._branch([passing, 10 - passing], 10) == 0

    def pick(self, stream: i64, subject: Subject, among: i64) -> i64:
        """A number from 0 to `among` - 1: as many branches."""
        if among == 1:
            return 0
        return self._branch([1] * among, int(among))

    def order(self, stream: i64, subject: Subject, nth: i64) -> i64:
        """Random orders are not enumerated: things come in the order in which they are asked for."""
        return nth

    def grouped(self, stream: i64, subject: Subject, classes: list[int]) -> i64:
        """One die with a branch for each class of faces; the face returned is the first of its class."""
        firsts: list[int] = []
        weights: list[int] = []
        for face, group in enumerate(classes):
            for at, first in enumerate(firsts):
                if classes[first] == group:
                    weights[at] += 1
                    break
            else:
                firsts.append(face)
                weights.append(1)
        if len(firsts) == 1:
            return firsts[0]
        return firsts[self._branch(weights, 10)]
