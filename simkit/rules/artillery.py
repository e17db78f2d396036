"""Rule 4.33, artillery commands: corps-level officers, or nobody, over guns with activation markers of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.artillery import BY_EFFICIENCY, ArtilleryCommand
from simkit.model.forces import ARTILLERY
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter

if TYPE_CHECKING:
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader

MOST_MARKERS: Final[i64] = 4  # of a division in a turn (5.24)


@mypyc_attr(allow_interpreted_subclasses=True)
class ArtilleryCommands(Chapter):
    """Who acts with an artillery command in a turn, and on how many markers; `Battle.artillery` says what differs."""

    def of(self, command: Command) -> ArtilleryCommand:
        """4.33: what the battle lays down about an artillery command.

        Raises:
            ValueError: it is none.
        """
        for known in self.battle.artillery:
            if known.command is command:
                return known
        raise ValueError(f"{command.code} is no artillery command (4.33)")

    # -- who belongs to it -----------------------------------------------------------------------------------------

    def muster(self) -> None:
        """4.33, 3.0 II/A: settle with which command each battery acts this turn, by where it begins it."""
        for own in self.battle.artillery:
            if own.most_placed > 0:
                self._place(own)
            for unit in self.battle.units:
                if unit.kind == ARTILLERY and unit.side == own.command.side:
                    self._muster(own, unit)

    def _muster(self, own: ArtilleryCommand, unit: Unit) -> None:
        command = own.command
        if unit.placed_under == command.index:
            unit.attached = command.index
        elif unit.placed_under >= 0 or not unit.counts():
            return
        elif self._serves(own, unit):
            host = self.host(unit) if own.yields else []
            if host:
                unit.attached = host[0].index
        elif unit.attached < 0 and unit.command in own.takes and self._is_free(own, unit):
            unit.attached = command.index

    def _serves(self, own: ArtilleryCommand, unit: Unit) -> bool:
        """4.33: whether a battery stands on the roster under an artillery command, or in a brigade of it."""
        at = unit.command
        while at is not own.command:
            if at.superior is at:
                return False
            at = at.superior
        return True

    def _is_free(self, own: ArtilleryCommand, unit: Unit) -> bool:
        """4.33: whether a battery of another command belongs to an artillery command, by where it stands now."""
        return unit.hex not in own.closed and not (own.yields and self.host(unit))

    def host(self, unit: Unit) -> list[Command]:
        """4.33: the brigade with which a battery stands now, or none.

        That of a unit stacked with it, the topmost first, else the first in whose brigadier's Command Range it is.
        """
        for part in unit.hex.stack:
            mate = part.unit
            if mate.kind != ARTILLERY and mate.counts() and mate.command.is_led_brigade():
                return [mate.command]
        for brigade in self.battle.brigades:
            led = brigade.side == unit.side and brigade.has_leader()
            if led and not self.series.effectiveness.is_artillery(brigade):
                leader = brigade.leader()
                if unit.hex.distance_to(leader.hex) <= 1 or self.series.command.in_range(leader, unit.hex):
                    return [brigade]
        return []

    def _place(self, own: ArtilleryCommand) -> None:
        """4.33: at the start of a turn the owner may place further batteries under the command, for good."""
        command = own.command
        placed: i64 = 0
        for unit in self.battle.units:
            if unit.placed_under == command.index:
                placed += 1
        for unit in self.battle.units:
            if placed >= own.most_placed:
                return
            free = unit.kind == ARTILLERY and unit.side == command.side and unit.counts() and unit.placed_under < 0
            if free and not self._serves(own, unit) and (not own.takes or unit.command in own.takes):
                if self.series.owner(unit).place_under(self.series, unit, command):
                    unit.placed_under = command.index
                    placed += 1
                    if self.series.log.level >= EVERYTHING:
                        self.series.log.note("placed", unit.side, unit.id, unit.hex.id, "", command.name)

    def guests(self, command: Command) -> list[Unit]:
        """4.33: batteries of other commands that act with a command this turn, in the order of the roster."""
        if not self.battle.artillery:
            return []
        return [
            unit for unit in self.battle.units if unit.attached == command.index and unit.command is not command
        ]

    def leads(self, leader: Leader, unit: Unit) -> bool:
        """4.33, 9.31, 11.73: whether a battery of another command acts with a leader's artillery command this turn."""
        return leader.command.artillery and unit.attached == leader.command.index

    # -- its markers -----------------------------------------------------------------------------------------------

    def fixed_number(self, command: Command) -> i64:
        """4.33, 5.31: the markers of its own that an artillery command has in each turn; -1 if efficiency says."""
        if not command.artillery:
            return BY_EFFICIENCY
        return self.of(command).markers

    def most_markers(self, command: Command) -> i64:
        """5.24, 4.33: how many markers a command can have in a turn."""
        return self.of(command).most if command.artillery else MOST_MARKERS

    def rating(self, command: Command) -> i64:
        """4.33, 4.12: what an artillery commander's Efficiency Rating adds to the efficiency that his guns draw."""
        return command.leader().ratings().efficiency if command.artillery and command.has_leader() else 0

    def picks(self, command: Command, unit: Unit) -> bool:
        """4.33: whether a battery acts on the markers of an artillery command that are for picked ones alone."""
        return command.artillery and unit in self.of(command).picked

