"""Chapter 12: the queue of what combat results bring about, and the check that most of it asks for.

What follows from a result waits in one queue by rank, and first in first out within a rank. The ranks stand in the
order in which the rules want things done:

NEIGHBOUR   the check of those next to a rout: at once (12.54)
SECOND      the check of a disordered unit that is disordered again (12.35b)
ROUT        routs of the units in a shock, which wait for one another (12.52)
LOSS        steps lost through a further disorder, one for each stack (12.35e)
BLOWN       the further step that a result costs Blown cavalry, before its rout check (11.58)
LEADERS     leaders roll for steps lost through further disorders after all units have checked (12.71)
ALONE       leaders left alone beside an enemy (12.73)
RETREAT     retreats through a further disorder (12.42)
CONTRACTED  the check of an extended unit that could not retreat extended (8.47)
CHECK       the rout check of collapsed and Blown units: after retreats and other checks (12.23, 11.58)
FRIENDS     the check of those retreated through or fired over: after all that those who caused it had to do (12.46);
            by Gringo! before the rout checks

A chain is the rout of one unit with everything that its neighbours' checks bring about; nobody checks twice for being
next to a rout of one chain (12.54).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_FIRE, CAUSE_SHOCK
from simkit.model.forces import BY_SECOND_DISORDER, Unit
from simkit.model.log import EVERYTHING
from simkit.rules.casualties import Casualties
from simkit.rules.dice import COHESION
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.rules.series import Series

NEIGHBOUR: Final[i64] = 0
SECOND: Final[i64] = 1
ROUT: Final[i64] = 2
LOSS: Final[i64] = 3
BLOWN: Final[i64] = 4
LEADERS: Final[i64] = 5
ALONE: Final[i64] = 6
RETREAT: Final[i64] = 7
CONTRACTED: Final[i64] = 8
CHECK: Final[i64] = 9
FRIENDS: Final[i64] = 10
RANKS: Final[i64] = 11

class Effect:
    """One thing that waits to be done: its rank, whom it concerns and where, its cause and chain."""

    def __init__(self, rank: i64, units: list[Unit], place: Hex, cause: i64, chain: i64, causing: list[Hex]) -> None:
        self.rank = rank
        self.units = units
        self.unit: Unit = units[0]
        self.place = place
        self.cause = cause
        self.chain = chain
        self.causing = causing  # hexes of the enemies that cause a retreat (12.44)
        self.origins: list[Hex] = []  # by unit, where its counter stood when the table demanded its retreat
        self.why = ""  # what the log says of a rout
        self.booked: i64 = BY_SECOND_DISORDER  # under which cause a step that it costs is booked
        self.hexes: i64 = 0  # of the retreat that the Shock Resolution Table demands; 0 one or two (12.42)


@mypyc_attr(allow_interpreted_subclasses=True)
class Effects(Casualties):
    """The queue of knock-on effects.

    A fire result or a shock step is a scope: `begin` opens it, `settle` runs the queue, `end` closes it. What may
    happen only once for a result (a leader's roll, the check of those retreated through) happens once in its scope.
    `settle` outside a scope is a scope of its own.
    """

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.pending: list[list[Effect]] = []
        for _rank in range(RANKS):
            self.pending.append([])
        self.settling = False
        self.opened = False
        self.chain: i64 = 0  # of the effect under way; 0 none
        self.neighbours_checked: list[int] = []  # chain and unit, of those who have checked
        self.passed_through: list[Unit] = []  # have checked for a retreat through them in this scope
        self.retreaters: list[Unit] = []  # have retreated in this scope
        self.winded: list[Unit] = []  # Blown, and have paid for this result (11.58)
        self.causing: list[Hex] = []
        self.attackers: list[Unit] = []
        self.defenders: list[Unit] = []
        self.routed_in_shock: list[Unit] = []
        self.guns_abandoned_in_shock = False
        self.spared = False
        self.checks_once = False  # of this result nobody checks for rout more than once (12.23)
        self.rout_checked: list[Unit] = []
        self.shell = False  # the fire under way is shot or shell

    # -- scopes ----------------------------------------------------------------------------------------------------

    def begin(self, causing: list[Hex]) -> None:
        """Open a result: `causing` are the hexes of the enemies whose doing it is (12.44)."""
        self.opened = True
        self.causing = causing

    def begin_shock(self, attackers: list[Unit], defenders: list[Unit]) -> None:
        """Open a shock step (11.11) between these units."""
        self.begin([])
        self.attackers = list(attackers)
        self.defenders = list(defenders)
        self.routed_in_shock = []
        self.guns_abandoned_in_shock = False
        self.spared = False
        self.checks_once = False
        self.rout_checked = []

    def end(self) -> None:
        """Settle what is left and close the result."""
        self.settle()
        self.opened = False
        self._forget()
        self.causing = []
        self.attackers = []
        self.defenders = []
        self.checks_once = False
        self.rout_checked = []

    def clear(self) -> None:
        """Forget all that waits, before a new battle: an error may have cut the last one short."""
        for waiting in self.pending:
            waiting.clear()
        self.settling = False
        self.chain = 0
        self.end()

    def _forget(self) -> None:
        self.rolled = []
        self.passed_through = []
        self.retreaters = []
        self.winded = []
        self.neighbours_checked = []

    def settle(self) -> None:
        """Run the queue until nothing is left: always the first effect of the lowest rank."""
        if self.settling:
            return
        self.settling = True
        # by Gringo! those retreated through check at the end of the retreat, before its rout checks (12.46)
        friends_first = self.options.edition <= GRINGO
        at: i64 = 0
        while at < RANKS:
            rank = at
            if friends_first and at >= CHECK:
                rank = FRIENDS if at == CHECK else CHECK
            if not self.pending[rank]:
                at += 1
                continue
            self._run(self._next(rank))
            at = 0
        self.chain = 0
        self.settling = False
        if not self.opened:
            self._forget()

    def retreat_over(self) -> None:
        """12.46: units have retreated by choice: by Gringo! those they went through check before anything else."""
        if self.options.edition <= GRINGO:
            self.settle()

    def settle_unless_open(self) -> None:
        """Outside a scope what a single result brings about is done at once."""
        if not self.opened:
            self.settle()

    def _next(self, rank: i64) -> Effect:
        """The first of a rank; of retreats in a shock the side's that goes first (12.48)."""
        waiting = self.pending[rank]
        if rank == RETREAT and self.attackers and len(waiting) > 1:
            first = 1 - self.attackers[0].side
            if not self.series.retreat.defenders_first(self.attackers, self.defenders):
                first = 1 - first
            for at in range(len(waiting)):
                if waiting[at].unit.side == first:
                    return waiting.pop(at)
        return waiting.pop(0)

    def push(self, rank: i64, units: list[Unit], place: Hex, cause: i64, causing: list[Hex]) -> None:
        """Put an effect of the chain under way into the queue."""
        self.pending[rank].append(Effect(rank, units, place, cause, self.chain, causing))

    def push_rout(self, unit: Unit, why: str) -> None:
        """12.52: put down a rout that waits for the others of its shock; `why` is for the log."""
        self.push(ROUT, [unit], unit.hex, CAUSE_SHOCK, [])
        self.pending[ROUT][len(self.pending[ROUT]) - 1].why = why

    def _run(self, effect: Effect) -> None:
        raise NotImplementedError("Effects._run")

    def left(self, unit: Unit, place: Hex) -> None:
        """7.32, 12.73: see to the leaders in a hex that a unit has left for good, and to refused units left there."""
        if place.stack:
            self.series.refusal.thinned(place)
        if place.leaders:
            self.push(ALONE, [unit], place, CAUSE_FIRE, [])

    # -- the check ---------------------------------------------------------------------------------------------------

    def udd(self, unit: Unit, drm: i64, why: str) -> bool:
        """2.6, 11.73, 17.31: a Universal Disorder Die roll; True if it passes.

        Args:
            unit: who checks.
            drm: added to the roll; leaders stacked with it, its Fatigue and alarm are counted here.
            why: for the log.
        """
        total = drm + self.charts.command.leader_star * self.series.command.stars(unit) + unit.fatigue.half
        total += unit.alarmed
        rating = unit.cohesion()
        passed = self.series.dice.check(COHESION, unit, rating - total)
        if self.series.log.level >= EVERYTHING:
            roll = self.series.dice.last
            adjusted = roll + total if roll >= 0 else roll
            self.series.log.check(unit.side, unit.id, unit.hex.id, why, rating, roll, adjusted, passed)
        return passed
