"""Steps 6c and 6d of a shock for defenders who drove their attackers back: advance, shock in turn (11.46, 11.47)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, EXTENDED_COLUMN, EXTENDED_LINE
from simkit.rules.continuedshock import ContinuedShock

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.rules.shockdesignation import AttackingHex
    from simkit.rules.shockinprogress import ShockInProgress

ABOUT: Final[i64] = 6  # between opposite headings


@mypyc_attr(allow_interpreted_subclasses=True)
class CounterShock(ContinuedShock):
    """Advance and continued shock of defenders who drove their attackers back."""

    def defenders_continue(self, shock: ShockInProgress) -> list[ShockInProgress]:
        """11.46, 11.47: defenders who drove the attackers back may advance and shock in turn, or turn freely."""
        groups: list[AttackingHex] = []
        for target in self.goals(shock.targets):
            stack = [
                unit for unit in self.force_in(target)
                if unit.side != shock.side and unit.kind != ARTILLERY
            ]
            if stack:
                going = self.willing(stack, False)
                if going:
                    self._counter(going, shock, groups)
                else:
                    self._rest(stack, shock)
        return self.designate_continued(groups, shock)

    def _counter(self, units: list[Unit], shock: ShockInProgress, groups: list[AttackingHex]) -> None:
        """11.46, 11.47: into a hex that the attackers left, facing it as needed; or at those who could not leave."""
        lead = units[0]
        for place in shock.places():
            if self.battle.held_by(place) == shock.side and _beside(lead, place):
                self._turn_towards(lead, place)
                self._attack(groups, units)
                return
        open_to = self._vacated_by_attackers(lead, shock)
        if not open_to:
            return
        chosen: i64 = 0
        if len(open_to) > 1:
            answer = self.series.owner(lead).advance_into(self.series, lead, open_to)
            chosen = self.index("advance_into", lead, answer, 0, len(open_to))
        going, entered = self._take(units, open_to[chosen])
        if going:
            self.meet(going, entered, groups)

    def _vacated_by_attackers(self, unit: Unit, shock: ShockInProgress) -> list[Hex]:
        return [place for place in shock.places() if self.series.retreat.may_advance(unit, place)]

    def _take(self, units: list[Unit], place: Hex) -> tuple[list[Unit], i64]:
        """11.46: defenders turn to a vacated hex and advance into it; returns who came, and their heading then."""
        self._turn_towards(units[0], place)
        entered = units[0].heading
        return self._advance_all(units, place), entered

    def _turn_towards(self, unit: Unit, place: Hex) -> None:
        """11.46: a defender attacked from flank or rear turns its stack so that a hex lies in front.

        An Extended Line may only turn about (8.44); where that does not do, and in column, it contracts (8.47, 8.53).
        """
        if unit.extended == EXTENDED_LINE and not _would_have_in_front(unit, place, unit.heading):
            if _would_have_in_front(unit, place, (unit.heading + ABOUT) % 12):
                self.face_stack(unit.hex, (unit.heading + ABOUT) % 12)
        if unit.extended == EXTENDED_COLUMN or not _would_have_in_front(unit, place, unit.heading):
            self.series.retreat.contract_into_one_of(
                unit, [part.hex for part in unit.parts if part.hex.direction_to(place) >= 0]
            )
        if _would_have_in_front(unit, place, unit.heading):
            return
        facing: list[int] = [heading for heading in range(1, 12, 2) if _would_have_in_front(unit, place, heading)]
        answer = self.series.owner(unit).heading_after(self.series, unit, facing)
        self.face_stack(unit.hex, facing[self.index("heading_after", unit, answer, 0, len(facing))])

    def _rest(self, units: list[Unit], shock: ShockInProgress) -> None:
        """11.46: defenders who do not continue may advance all the same, or else turn freely.

        An Extended Line may turn about only (8.44), a column not at all.
        """
        lead = units[0]
        open_to = self._vacated_by_attackers(lead, shock)
        if open_to:
            answer = self.series.owner(lead).advance_after_defence(self.series, lead, open_to)
            if answer != -1:
                self._take(units, open_to[self.index("advance_after_defence", lead, answer, 0, len(open_to))])
                return
        if lead.extended == EXTENDED_COLUMN:
            return
        turns: list[int] = [0, ABOUT] if lead.extended == EXTENDED_LINE else [0, 2, 10, 4, 8, ABOUT]
        headings: list[int] = [(lead.heading + turn) % 12 for turn in turns]
        answer = self.series.owner(lead).heading_after(self.series, lead, headings)
        self.face_stack(lead.hex, headings[self.index("heading_after", lead, answer, 0, len(headings))])


def _beside(unit: Unit, place: Hex) -> bool:
    """Whether any part of a unit stands next to a hex."""
    return any(part.hex.direction_to(place) >= 0 for part in unit.parts)


def _would_have_in_front(unit: Unit, place: Hex, heading: i64) -> bool:
    """Whether a hex would lie in front of a unit that faced so, refused ends apart (7.34)."""
    return any(side.to is place for part in unit.parts for side in part.hex.nodes[heading].ahead)
