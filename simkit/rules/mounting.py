"""Chapter 14.2, cavalry mounts and dismounts: when it may, and what it costs (14.21, 14.22, 8.11, 10.94, 13.53)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ADVANCE, CAVALRY, IN_ONE_HEX, MARCH
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.forces import Unit


@mypyc_attr(allow_interpreted_subclasses=True)
class Mounting(Chapter):
    """Cavalry that changes between its mounted and its dismounted counter."""

    # -- when it may -----------------------------------------------------------------------------------------------

    def may_mount(self, unit: Unit) -> bool:
        """14.22, 8.11: whether an active dismounted unit may mount now."""
        return unit.kind == CAVALRY and not unit.mounted and self._may_change(unit)

    def may_dismount(self, unit: Unit) -> bool:
        """14.21, 14.22, 8.12: whether an active mounted unit may dismount now: not Blown, nor an Extended Column.

        Nor (but in Gringo!) under March Orders, which are not for dismounted cavalry.
        """
        if not unit.may_dismount() or not unit.mounted or unit.blown or unit.extended != IN_ONE_HEX:
            return False
        if unit.orders == MARCH and self.options.edition > GRINGO:
            return False
        return self._may_change(unit)

    def may_march(self, unit: Unit) -> bool:
        """8.12: whether cavalry as it is may be under March Orders: dismounted only in Gringo!."""
        return unit.mounted or self.options.edition == GRINGO

    def _may_change(self, unit: Unit) -> bool:
        """14.22, 6.23, 5.34, 6.24, 15.13: whether an active unit has done nothing yet, and no enemy is adjacent to it.

        Who builds does nothing else.
        """
        if not unit.active or not unit.counts() or unit.remounted or unit.finished or unit.completed or unit.building:
            return False
        if unit.moved or unit.spent > 0 or unit.faced > 0 or unit.fired or unit.rallied or unit.resupplied:
            return False
        if unit.restacked or unit.advanced or unit.retreated or unit.withdrew or unit.stands or unit.forced != 0:
            return False
        if self.series.orders.confused(unit) or self.series.orders.actions_over() or self.battle.beside_enemy(unit):
            return False
        return self.options.edition > GRINGO or self._keeps_limits(unit)

    def _keeps_limits(self, unit: Unit) -> bool:
        """8.11, 8.12: whether its stack would keep to the stacking limits if a unit changed its counter."""
        mounted = unit.mounted
        unit.show(not mounted)
        keeps = self.series.stacking.may_end(unit, unit.hex)
        unit.show(mounted)
        return keeps

    def offer(self) -> None:
        """14.22: as an activation begins, ask for each active unit that may mount or dismount whether it does."""
        for unit in self.battle.units:
            if not unit.active or len(unit.counters) == 1:
                continue
            if self.may_mount(unit):
                if self.series.owner(unit).change_mount(self.series, unit):
                    self.mount(unit)
            elif self.may_dismount(unit) and self.series.owner(unit).change_mount(self.series, unit):
                self.dismount(unit)

    # -- what it does ----------------------------------------------------------------------------------------------

    def mount(self, unit: Unit) -> None:
        """14.22, 10.94: an active unit mounts, which fills up its ammunition.

        Raises:
            CommanderError: it may not mount now.
        """
        if not self.may_mount(unit):
            raise CommanderError(f"Mounting.mount: {unit.id} may not mount now; ask may_mount (14.22)")
        self._change(unit, True)
        if unit.ammo > 0:
            unit.ammo = 0
            if self.series.log.level >= EVERYTHING:
                self.series.log.note("resupply", unit.side, unit.id, unit.hex.id, "", "ammunition 0")

    def dismount(self, unit: Unit) -> None:
        """14.22: an active unit dismounts.

        Raises:
            CommanderError: it may not dismount now.
        """
        if not self.may_dismount(unit):
            raise CommanderError(f"Mounting.dismount: {unit.id} may not dismount now; ask may_dismount (14.22)")
        self._change(unit, False)

    def _change(self, unit: Unit, mounted: bool) -> None:
        unit.show(mounted)
        unit.remounted = True
        self.series.movement.forget()  # what has been searched was for its other counter
        self._tell(unit, "")

    def _tell(self, unit: Unit, why: str) -> None:
        if self.series.log.level >= EVERYTHING:
            kind = "mount" if unit.mounted else "dismount"
            self.series.log.note(kind, unit.side, unit.id, unit.hex.id, why, "")

    def set_up(self, unit: Unit, mounted: bool) -> None:
        """14.21, 6.17: put a unit's mounted or dismounted counter in play while its side deploys.

        Raises:
            CommanderError: its side does not deploy now, it has no such counter, or its orders or stack forbid it.
        """
        if unit.kind == CAVALRY and unit.mounted == mounted:
            return
        orders = self.series.orders
        if not orders.deploying or unit.command not in orders.assignable or not unit.may_dismount():
            raise CommanderError(
                f"Mounting.set_up: {unit.id} can't be set up otherwise; only cavalry with two counters, on deploying"
            )
        if unit.orders == MARCH and not mounted and self.options.edition > GRINGO:
            raise CommanderError(f"Mounting.set_up: {unit.id} is under March Orders, so not dismounted (8.12)")
        if unit.extended != IN_ONE_HEX or not self._keeps_limits(unit):
            raise CommanderError(f"Mounting.set_up: {unit.id} in {unit.hex.id} would break the stacking limits (8.12)")
        unit.show(mounted)

    def remount(self, unit: Unit) -> None:
        """13.52, 13.53, 10.94: cavalry that tries to recover from rout does so mounted, and returns mounted."""
        if unit.kind == CAVALRY and not unit.mounted:
            unit.show(True)
            unit.ammo = 0

    # -- the rest of the activation --------------------------------------------------------------------------------

    def allowance(self, unit: Unit, points: i64) -> i64:
        """14.22: MPs of an activation in which a unit has mounted or dismounted: half of them, rounded up."""
        return (points + 1) // 2 if unit.remounted else points

    def bars_fire(self, unit: Unit) -> bool:
        """14.22, 8.11: whether having mounted or dismounted in this activation keeps a unit from firing.

        It does under Advance Orders (but in Gringo!), and whoever by it stands over the stacking limits.
        """
        if not unit.remounted:
            return False
        if unit.orders == ADVANCE and self.options.edition > GRINGO:
            return True
        return not self.series.stacking.may_end(unit, unit.hex)

    def close(self) -> None:
        """8.11: before shocks begin, whoever has mounted into a stack over its limits and not moved off dismounts.

        The limits are lifted only until a unit moves; the unit stays as it was, as if it had not tried. The last of the
        roster goes first.
        """
        at: i64 = len(self.battle.units) - 1
        while at >= 0:
            unit = self.battle.units[at]
            if unit.remounted and unit.counts() and not self.series.stacking.may_end(unit, unit.hex):
                unit.show(not unit.mounted)
                unit.remounted = False
                self._tell(unit, "over the stacking limits")
            at -= 1
