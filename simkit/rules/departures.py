"""Units that leave the map at the book's word, and come back (7.0 and 9.0 of Dead of Winter)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, BY_OTHER, ELIMINATED, NOT_ENTERED, ON_MAP, ROUTED, WITHDRAWN
from simkit.model.log import EVERYTHING
from simkit.model.sections import shed, supply
from simkit.rules.chapter import Chapter

if TYPE_CHECKING:
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader
    from simkit.rules.scenario_rules import Departure


@mypyc_attr(allow_interpreted_subclasses=True)
class Departures(Chapter):
    """Withdrawals: at the start of a turn, from wherever the units are.

    Routed units stay where they are, for they can ride nowhere. What a command was worth when it left is what it counts
    for at the end (see `Effectiveness.check_commands`).
    """

    def begin_turn(self) -> None:
        """7.0, 9.0: those leave who are to leave now, and those are at the edge again who come back."""
        for departure in self.series.scenario.departures:
            if departure.turn == self.battle.turn:
                self._leave(departure)
            for group in departure.groups:
                if group.turn == self.battle.turn:
                    self._return(departure)

    def _leave(self, departure: Departure) -> None:
        for unit in departure.units:
            if unit.place == ON_MAP or unit.place == NOT_ENTERED:
                self._take_off(unit)
        for leader in departure.leaders:
            if leader.place == ON_MAP or leader.place == NOT_ENTERED:
                self.battle.stand_leader(leader, self.battle.map.off)
                leader.place = WITHDRAWN
                leader.waiting = False
                self._note(leader.side, leader.id)

    def _take_off(self, unit: Unit) -> None:
        self.series.engineering.discontinue(unit, "withdrawn")
        if unit.place == ON_MAP and unit.abandoned != 0:
            return  # guns without a crew stay
        self.battle.remove(unit, WITHDRAWN)
        unit.waiting = False
        self._note(unit.side, unit.id)

    def _note(self, side: i64, who: str) -> None:
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("withdraw", side, who, "", "", "")

    def _return(self, departure: Departure) -> None:
        """9.0: who has left comes back rested and mounted, with no more strength than is printed or than it had."""
        group = departure.groups[0]
        for at, unit in enumerate(departure.units):
            if unit.place != WITHDRAWN or group not in unit.arrivals:
                continue
            if unit.strength > departure.most[at]:
                lost = unit.strength - departure.most[at]
                unit.record_loss(lost, BY_OTHER)
                if unit.sections:
                    shed(unit, lost)
                else:
                    unit.strength -= lost
                if unit.kind != ARTILLERY:
                    unit.collapsed = unit.collapsed or 2 * unit.strength < unit.full
            unit.disordered = unit.collapsed  # which it stays (12.23)
            unit.blown = False
            supply(unit)
            if unit.may_dismount():
                unit.show(True)
            unit.coming = unit.arrivals.index(group)
            unit.arrival = group
            unit.place = NOT_ENTERED
            unit.could_enter = False
            if departure.fatigue >= 0 and self.options.fatigue:
                unit.fatigue.place(departure.fatigue)
        for leader in departure.leaders:
            if group in leader.arrivals:
                self._bring_back(leader, departure)

    def _bring_back(self, leader: Leader, departure: Departure) -> None:
        if leader.place == WITHDRAWN:
            group = departure.groups[0]
            leader.coming = leader.arrivals.index(group)
            leader.arrival = group
            leader.place = NOT_ENTERED

    def gone(self, units: list[Unit]) -> bool:
        """7.0, 9.0: whether all of these units that live have left the map, at least one of them by withdrawal."""
        withdrawn = False
        for unit in units:
            if unit.place == WITHDRAWN:
                withdrawn = True
            elif unit.place != ELIMINATED and unit.place != ROUTED:
                return False
        return withdrawn
