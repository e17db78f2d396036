"""A combat played through all its branches, step by step, equal states merged after each (11.11)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.exact.position import Ending, position
from simkit.exact.record import Tally, continued_in, facts_of, step_of
from simkit.exact.sums import Sum
from simkit.exact.tape import BranchingTape, DrawingTape
from simkit.model.log import EVERYTHING, BattleLog
from simkit.rules.commander import Commander
from simkit.rules.shockinprogress import AFTERMATH, FINISHED, STEPS, Underway

if TYPE_CHECKING:
    from simkit.model.battle import Battle, Snapshot
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.rules.commander import Designation
    from simkit.rules.declaredfire import Declared
    from simkit.rules.series import Series

LIMIT: Final[i64] = 200_000  # branches played before the rest is sampled
DRAWS: Final[i64] = 20_000  # combats drawn of that rest
FIRE_STEP: Final = "fire"


class Leaf:
    """An ending with its exact chance `mass`, and `drawn`, how often the draws of the rest came to it."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending
        self.mass = Fraction(0)
        self.drawn: i64 = 0
        self.sum = Sum()


class Distribution:
    """All endings of a combat with their chances.

    `mass` is what was enumerated: 1 if all was. Else the rest was drawn: `draws` combats in all, each leaf's `drawn`
    among them, which stand for the chance 1 - `mass`. `steps` say what each kind of step decides.
    """

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.steps: list[Tally] = []
        self.mass = Fraction(0)
        self.draws: i64 = 0
        self.branches: i64 = 0
        self._known: dict[tuple[int, ...], Leaf] = {}
        self._named: dict[str, Tally] = {}

    def exact(self) -> bool:
        """Whether every branch was played."""
        return self.draws == 0

    def settle(self) -> None:
        """Make fractions of all that has been counted."""
        for leaf in self.leaves:
            leaf.mass = leaf.sum.value()
            self.mass += leaf.mass
        for tally in self.steps:
            tally.settle()

    def leaf(self, ending: Ending) -> Leaf:
        """The leaf of an ending, a new one if there is none yet."""
        key = ending.key()
        if key not in self._known:
            leaf = Leaf(ending)
            self._known[key] = leaf
            self.leaves.append(leaf)
        return self._known[key]

    def step(self, name: str) -> Tally:
        """The tally of a kind of step, a new one if there is none yet."""
        if name not in self._named:
            tally = Tally(name)
            self._named[name] = tally
            self.steps.append(tally)
        return self._named[name]


class Beginning:
    """Where a combat may stand between two steps: the battle and its shocks, its chance, and what has happened."""

    def __init__(self, battle: Snapshot, shocks: Underway, fires: list[Declared], facts: i64, continued: i64) -> None:
        self.battle = battle
        self.shocks = shocks
        self.fires = fires
        self.facts = facts
        self.continued = continued
        self.begins = False  # nothing of it has been played yet
        self.sum = Sum()


class Enumeration:
    """Runs one combat of a battle through all its branches; the battle then stands as it did before.

    Args:
        battle, series: the battle, in the activation in which the combat is to take place.
        commanders: of both sides; they keep no memory outside the battle.
        limit: how many branches are played before the rest is drawn.
        draws, key: how many combats are drawn then, and by which key.
    """

    def __init__(
        self, battle: Battle, series: Series, commanders: list[Commander], limit: i64 = LIMIT, draws: i64 = DRAWS,
        key: i64 = 1862,
    ) -> None:
        self.battle = battle
        self.series = series
        self.commanders = commanders
        self.limit = limit
        self.draws = draws
        self.key = key
        self.last = FIRE_STEP
        self.goals: list[str] = []  # ids of the hexes that are attacked
        self.log = BattleLog(EVERYTHING)
        self._start = battle.standing()

    def shock(self, designations: list[Designation], brigades: list[Command]) -> Distribution:
        """11.11: all shocks of an activation, as the designations demand.

        Raises:
            CommanderError: the designations are illegal.
        """

        def act() -> None:
            self.series.shock.conduct(designations, brigades)

        self.goals = [place.id for each in designations for place in self.series.shock.whole(each.targets)]
        return self.run(act, STEPS[AFTERMATH])

    def fire(self, unit: Unit, targets: list[Hex], rapid: bool) -> Distribution:
        """10.3: a phasing unit's fire at one or two hexes, with all fire in answer.

        Raises:
            CommanderError: it may not fire so.
        """

        def act() -> None:
            self.series.fire.phasing(unit, targets, rapid)

        return self.run(act)

    def run(self, act: Callable[[], None], last: str = FIRE_STEP) -> Distribution:
        """Whatever `act` does with the battle; `last` is the name of its last step, or of its only one.

        If that is more than one step, it is `Shock.conduct`, after which `act` does nothing more.
        """
        self.last = last
        found = Distribution()
        tape = BranchingTape()
        self.series.equip(tape, self.log, self.commanders)
        self._enumerate(act, tape, found)
        found.branches = tape.branches
        found.settle()
        return found

    def _enumerate(self, act: Callable[[], None], tape: BranchingTape, found: Distribution) -> None:
        first = Beginning(self._start, Underway(FINISHED, []), [], 0, 0)
        first.begins = True
        first.sum.add(1, 1)
        frontier = [first]
        while frontier:
            following: dict[tuple[int, ...], Beginning] = {}
            at = 0
            while at < len(frontier) and tape.branches < self.limit:
                self._follow(frontier[at], act, tape, found, following)
                at += 1
            if at < len(frontier):
                self._draw(frontier[at:] + list(following.values()), act, found)
                break
            frontier = list(following.values())
        self._go_back(first)

    def _go_back(self, begun: Beginning) -> None:
        """Put the battle, and what the chapters keep while a combat lasts, back to where it stood."""
        self.battle.restore(begun.battle)
        self.series.results.clear()
        self.series.reaction.clear()
        self.series.fire.clear()
        self.series.fire.take(begun.fires)
        self.series.shock.take(begun.shocks)
        self.log.events = []

    def _go_on(self, begun: Beginning, act: Callable[[], None]) -> None:
        """Play on from there, to the next pause or to the end."""
        self._go_back(begun)
        if begun.begins:
            act()
        else:
            self.series.shock.go_on()

    def _follow(
        self, begun: Beginning, act: Callable[[], None], tape: BranchingTape, found: Distribution,
        following: dict[tuple[int, ...], Beginning],
    ) -> None:
        """Play all branches from a beginning to their next pause, or to the end."""
        chance, whole = begun.sum.common()
        more = True
        while more:
            tape.begin(0)
            self._go_on(begun, act)
            ended = self.series.shock.stage == FINISHED
            numerator = chance * tape.numerator
            denominator = whole * tape.denominator
            events = self.log.events
            facts = begun.facts | facts_of(events, self.battle.phasing, self.goals)
            continued = begun.continued + continued_in(events)
            tally = found.step(self.last if ended else step_of(tape.step, events))
            tally.add(numerator, denominator, events)
            if ended:
                found.leaf(Ending(self.battle, facts, continued)).sum.add(numerator, denominator)
            else:
                key = tuple(position(self.battle, [int(facts), int(continued), *tape.context, -9]))
                reached = following.get(key)
                if reached is None:
                    reached = Beginning(
                        self.battle.standing(), self.series.shock.keep(), self.series.fire.keep(), facts, continued
                    )
                    following[key] = reached
                    tally.states += 1
                reached.sum.add(numerator, denominator)
            more = tape.next_branch()

    def _draw(self, rest: list[Beginning], act: Callable[[], None], found: Distribution) -> None:
        """Draw of what follows the beginnings that were not followed, each as often as its chance demands."""
        total = Fraction(0)
        for begun in rest:
            total += begun.sum.value()
        tape = DrawingTape(self.key)
        self.series.equip(tape, self.log, self.commanders)
        share = Fraction(0)
        run: i64 = 0
        for begun in rest:
            share += begun.sum.value()
            last: i64 = round(share / total * self.draws)
            while run < last:
                tape.begin(run)
                self._go_on(begun, act)
                facts = begun.facts | facts_of(self.log.events, self.battle.phasing, self.goals)
                continued = begun.continued + continued_in(self.log.events)
                found.leaf(Ending(self.battle, facts, continued)).drawn += 1
                run += 1
        found.draws = run
