"""Rule 8.21, its first exception: stacks that move as one under March or Advance Orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import PROHIBITED
from simkit.model.forces import ATTACK, IN_ONE_HEX
from simkit.rules.commander import CommanderError
from simkit.rules.route import Route
from simkit.rules.withdrawal import Withdrawal

if TYPE_CHECKING:
    from simkit.model.battlemap import Node
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader
    from simkit.rules.pathsearch import Outlook


@mypyc_attr(allow_interpreted_subclasses=True)
class StackMovement(Withdrawal):
    """Units of one hex that move together within the stacking limits of March Orders.

    The stack pays the dearest price of its units and has the least of their allowances; each makes its own checks, and
    where one must stop, all do. They keep their order.
    """

    def may_move_together(self, units: list[Unit]) -> bool:
        """8.21, 8.25: whether units may move as a stack now.

        Two or more of one hex, or who wait to enter the map (9.72), all free to move under March Orders, or all under
        Advance Orders, of one type and brigade and within the limits of March Orders among themselves. Who else is in
        their hex stays.
        """
        if len(units) < 2:
            return False
        first = units[0]
        for at, unit in enumerate(units):
            if unit in units[:at] or unit.hex is not first.hex or unit.orders != first.orders:
                return False
            if unit.orders == ATTACK or unit.extended != IN_ONE_HEX or not self.may_move(unit):
                return False
            if unit.waiting != first.waiting:
                return False
        return self.series.stacking.march_limits_among(units)

    def search_stack(self, units: list[Unit], outlook: Outlook | None = None) -> i64:
        """8.21, 9.13: find all hexes and headings that a stack can reach; their number.

        As `search` does for one unit: `reached` then lists them, and `may_stop` says where the stack may end.
        """
        self.forget()
        self.look_through(outlook)
        if not self.may_move_together(units):
            return 0
        party = self._in_order(units)
        lead = self.prepare_stack(party)
        self._sought.extend(party)
        self._limit = self.least_allowance(party)
        self._disordered_limit = PROHIBITED
        for unit in party:
            self._disordered_limit = min(self._disordered_limit, self.disordered_allowance(unit))
        return self.spread(lead)

    def move_stack(self, units: list[Unit], node: Node, heading: i64, take_leaders: list[Leader] | None = None) -> bool:
        """8.21: move units as a stack to a node that the latest search for them has reached, then turn to a heading.

        Args:
            units: who moves; the same as were given to `search_stack`.
            node: one of `reached` for which `may_stop` holds.
            heading: at the end; `node.heading` for none but that with which they enter.
            take_leaders: leaders in their hex who go along (9.31).

        Returns:
            Whether all came to the end of the path.

        Raises:
            CommanderError: no such search, the node is none to stop in, the heading is out of reach, or a leader may
                not come.
        """
        party = self._in_order(units)
        if len(party) < 2 or self._sought != party or not self.may_stop(node) or not self.may_move_together(party):
            names = " and ".join([unit.id for unit in units])
            raise CommanderError(
                f"Movement.move_stack: {names} cannot end in {node.hex.id}; call search_stack for them, then take a"
                f" node for which may_stop holds"
            )
        self.prepare_stack(party)
        if not self.may_face(party[0], node, heading):
            raise CommanderError(
                f"Movement.move_stack: the stack of {party[0].id} cannot turn to heading {heading} in {node.hex.id}"
            )
        riders = self.riders_with(party, take_leaders)
        gate = self.path(node)[0].origin
        entering = party[0].waiting
        if entering:
            self.series.reinforcements.step_up(party, gate, self.stages(node)[0].heading, riders)
        way = Route(party[0], riders)
        way.units = party
        self.battle.take_up_stack(party)
        arrived = self.follow(way, node, heading)
        if entering:
            self.series.reinforcements.settle(party, gate)
        self._finished(party)
        return arrived

    def _in_order(self, units: list[Unit]) -> list[Unit]:
        """Units of one hex as they are stacked, top first; who waits to enter is stacked as he is named."""
        if units and units[0].waiting:
            return list(units)
        return [part.unit for part in units[0].hex.stack if part.unit in units] if units else []

    def riders_with(self, units: list[Unit], leaders: list[Leader] | None) -> list[Leader]:
        """9.31: those leaders who go along with units of a hex; CommanderError if one of them may not."""
        riders: list[Leader] = []
        for leader in leaders or []:
            if leader in riders or not any(self.may_take(leader, unit) for unit in units):
                who = f"{leader.id}, named twice," if leader in riders else leader.id
                raise CommanderError(f"Movement.move_stack: {who} cannot go along with {units[0].id} now")
            riders.append(leader)
        return riders
