"""Rule 5.4, efficiency transfer: a side may shift activation markers from some divisions to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARMY
from simkit.rules.commander import CommanderError, Transfer
from simkit.rules.efficiency import LEAST_MARKERS, Efficiency

if TYPE_CHECKING:
    from simkit.model.forces import Command

NO_TRANSFER: Final[i64] = -1
PRICE: Final[i64] = 2  # markers that others give up for one (5.43)


@mypyc_attr(allow_interpreted_subclasses=True)
class EfficiencyTransfer(Efficiency):
    """The one transfer of a side in a turn, after the markers of all divisions are known."""

    def transfer_phase(self) -> None:
        """5.41, 5.13, 3.0 II/B: each side may transfer efficiency once; the side that goes first says so first."""
        first = self.first_side()
        self.transfer(first)
        self.transfer(1 - first)

    def to_the_top(self, division: Command) -> bool:
        """5.42: whether the chain of command holds from a division to the Overall Commander."""
        at = division
        while at.superior is not at:
            if not at.in_chain or not at.has_leader():
                return False
            at = at.superior
        return at.level == ARMY and at.has_leader()

    def may_transfer(self, division: Command) -> bool:
        """5.42, 5.24, 9.71, 4.33: whether a division's markers may change by transfer; an artillery command is none.

        Not where the scenario fixes their number, nor where units on the map and entering ones have numbers of their
        own.
        """
        if division.artillery or division.markers < LEAST_MARKERS or not self.to_the_top(division):
            return False
        if division.markers_on_map >= 0 or division.markers_entering >= 0:
            return False
        return self.series.scenario.fixed_number(division, self.battle.turn) < 0

    def transfers(self, side: i64) -> list[Transfer]:
        """5.42, 5.43: all that a side may transfer now: to a division below its limit, from one or two others.

        One gives two markers or two give one each; nobody is left without.
        """
        found: list[Transfer] = []
        able = [division for division in self.battle.divisions if division.side == side and self.may_transfer(division)]
        for to in able:
            if self.bounded(to, to.markers + 1) <= to.markers:
                continue
            givers = [division for division in able if division is not to and division.markers > LEAST_MARKERS]
            for at, giver in enumerate(givers):
                if giver.markers >= PRICE + LEAST_MARKERS:
                    found.append(Transfer(to, [giver]))
                for other in givers[at + 1:]:
                    found.append(Transfer(to, [giver, other]))
        return found

    def transfer(self, side: i64) -> None:
        """5.43, 5.44: a side's one transfer this turn, if it wants any."""
        offered = self.transfers(side)
        if not offered:
            return
        chosen = self.series.commander(side).transfer(self.series, offered)
        if chosen < NO_TRANSFER or chosen >= len(offered):
            raise CommanderError(f"Commander.transfer: {chosen}; it should be -1 (none) to {len(offered) - 1}")
        if chosen == NO_TRANSFER:
            return
        made = offered[chosen]
        made.to.markers += 1
        for giver in made.givers:
            giver.markers -= PRICE // len(made.givers)
        for division in [made.to, *made.givers]:
            self._log_number(division, division.markers, "after a transfer")
