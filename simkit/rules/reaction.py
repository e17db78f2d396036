"""Rules 9.61 and 9.62: refusals and facing changes in reaction to what a phasing enemy unit does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_REACTION_FACING
from simkit.model.forces import (
    ARTILLERY,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    MARCH,
    REFUSED_LEFT,
    REFUSED_RIGHT,
    Unit,
)
from simkit.model.hexgrid import FRONT
from simkit.rules.combatresults import CAUSE_NAMES
from simkit.rules.commander import CommanderError
from simkit.rules.reactionmovement import ReactionMovement

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.rules.series import Series

BOTH_ENDS: Final[i64] = REFUSED_LEFT + REFUSED_RIGHT


@mypyc_attr(allow_interpreted_subclasses=True)
class Reaction(ReactionMovement):
    """What non-phasing units do in reaction: turn, refuse a flank, or move off."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.holding = False  # advances wait until a continued shock is declared (11.47)
        self.held: list[Unit] = []
        self.held_hexes: list[list[Hex]] = []  # those that they have entered

    def clear(self) -> None:
        """Forget what waits, before a new battle."""
        self.holding = False
        self.held = []
        self.held_hexes = []

    # -- triggers (9.61) -------------------------------------------------------------------------------------------

    def entered(self, unit: Unit) -> None:
        """9.61: a phasing unit has moved or advanced into a hex: all enemies adjacent to it may react."""
        self.entered_by_parts(unit, [unit.hex])

    def entered_by_parts(self, unit: Unit, places: list[Hex]) -> None:
        """8.44, 9.61: parts of a phasing unit have moved or advanced into hexes: enemies adjacent to these may react.

        Not those who are adjacent only to a part that stands where it stood.
        """
        if unit.side != self.battle.phasing or not unit.counts():
            return
        if not self.holding:
            self._around([unit], places)
        elif unit in self.held:
            self.held_hexes[self.held.index(unit)] = places
        else:
            self.held.append(unit)
            self.held_hexes.append(places)

    def entered_together(self, units: list[Unit]) -> None:
        """8.21, 9.61: a phasing unit or stack has moved into a hex: all enemies adjacent to it may react once."""
        if len(units) == 1:
            self.entered(units[0])
        elif units and units[0].counts():
            self._around(units, [units[0].hex])

    def _around(self, causes: list[Unit], places: list[Hex]) -> None:
        """9.61: offer reactions to the enemies around those of some hexes in which the unit or stack still stands."""
        unit = causes[0]
        offered: list[Unit] = []
        for place in places:
            if not unit.stands_in(place) or not self.battle.enemy_near(place, unit.side):
                continue
            for side in place.sides:
                if side.on_map and self.battle.held_by(side.to) == 1 - unit.side:
                    self._offer(side.to, causes, offered)

    def hold(self) -> None:
        """11.47: keep back the reactions to advances until the continued shocks that follow have been declared."""
        self.holding = True

    def release(self) -> None:
        """11.47: the continued shocks are declared: now the enemy reacts to the advances."""
        self.holding = False
        held = self.held
        hexes = self.held_hexes
        self.held = []
        self.held_hexes = []
        told: list[Unit] = []
        for at, unit in enumerate(held):
            if unit in told:
                continue
            together = [other for other in held if other.hex is unit.hex]
            told.extend(together)
            if len(together) > 1:
                self.entered_together(together)
            else:
                self.entered_by_parts(unit, hexes[at])

    def targeted(self, places: list[Hex], origins: list[Hex]) -> list[Unit]:
        """9.61: units in hexes under phasing fire from `origins`, all outside their front."""
        found: list[Unit] = []
        for place in places:
            for part in place.stack:
                unit = part.unit
                if unit.abandoned != 0 or unit.reacted or unit.side == self.battle.phasing:
                    continue
                outside = True
                for origin in origins:
                    outside = outside and self.series.facing.zone_from(part, origin) != FRONT
                if outside and unit not in found:
                    found.append(unit)
        return found

    def to_fire(self, firers: list[Unit], places: list[Hex], targets: list[Unit]) -> list[Unit]:
        """9.61, 10.42: the results of a phasing fire are applied: those of its targets that did not retreat may react.

        Args:
            firers: the units that fired.
            places: the hexes fired at.
            targets: what `targeted` gave before the results.

        Returns:
            Units that have reacted and may now return the fire.
        """
        offered: list[Unit] = []
        answering: list[Unit] = []
        for place in places:
            units = self._deployed(place)
            hit = len(units) > 0
            for unit in units:
                if unit not in targets:
                    hit = False
            if not hit or not self._offer(place, firers, offered):
                continue
            for unit in self._deployed(place):
                if unit in targets and unit.reacted and unit.silenced_by != firers[0].index:
                    answering.append(unit)
        return answering

    # -- the offer -------------------------------------------------------------------------------------------------

    def _offer(self, place: Hex, causes: list[Unit], offered: list[Unit]) -> bool:
        """6.13, 9.61, 9.62: offer a stack first a facing change, then a refusal; whether it has used either.

        `offered` are the units that have been offered them on this occasion, whom it is offered once. It is for those
        who are not on the march.
        """
        units = self._deployed(place)
        if not units:
            return False
        lead = units[0]
        for unit in units:
            if unit.extended == EXTENDED_COLUMN:
                return False
            if unit.extended == EXTENDED_LINE:
                lead = unit
        if lead in offered:
            return False
        offered.append(lead)
        headings = self.headings(lead, causes)
        if headings:
            owner = self.series.owner(lead)
            chosen = owner.reaction_facing(self.series, lead, causes[0], headings)
            if chosen != -1:
                self._turn(lead, causes[0], headings[self._answer("reaction_facing", lead, chosen, len(headings))])
                return True
        sides = self.refusals(lead, causes)
        if sides:
            chosen = self.series.owner(lead).reaction_refusal(self.series, lead, causes[0], sides)
            if chosen != -1:
                self._refuse(lead, causes[0], sides[self._answer("reaction_refusal", lead, chosen, len(sides))])
                return True
        return False

    def _deployed(self, place: Hex) -> list[Unit]:
        """6.13, 8.25: the units in a hex that are not on the march, top first."""
        return [unit for unit in self.battle.units_in(place) if unit.orders != MARCH]

    def _answer(self, method: str, unit: Unit, answer: i64, offered: i64) -> i64:
        if answer < 0 or answer >= offered:
            raise CommanderError(
                f"Commander.{method}: answered {answer} for {unit.id}; right would be -1 to {offered - 1} (9.61)"
            )
        return answer

    def headings(self, unit: Unit, causes: list[Unit]) -> list[int]:
        """6.32, 9.61, 9.62: headings, a vertex to either side, to which a stack may turn in reaction; or none.

        Not if any unit of it is refused, extended, in reserve, or has already reacted in this activation, nor if it
        stands in the frontal hex of an enemy unit other than `causes`. Who is on the march does not react (6.13).
        """
        if unit.orders == MARCH:
            return []
        for mate in self.series.facing.alike(unit, unit.hex):
            if mate.command.in_reserve or mate.reacted or mate.refused != 0 or mate.extended != IN_ONE_HEX:
                return []
        if self.in_other_front(unit.side, unit.hex, causes):
            return []
        return [int((unit.heading + 10) % 12), int((unit.heading + 2) % 12)]

    def refusals(self, unit: Unit, causes: list[Unit]) -> list[int]:
        """6.32, 9.61, 9.62, 7.31: flanks that a unit may refuse in reaction, with its stack; or none.

        An Extended Line may refuse both ends at once; each must be in no frontal hex of an enemy but `causes`.
        """
        found: list[int] = []
        if unit.command.in_reserve:
            return found
        for side in (REFUSED_LEFT, REFUSED_RIGHT):
            if self._may_refuse(unit, side, causes):
                found.append(int(side))
        if len(found) == 2 and unit.extended == EXTENDED_LINE:
            found.append(int(BOTH_ENDS))
        return found

    def _may_refuse(self, unit: Unit, side: i64, causes: list[Unit]) -> bool:
        """9.62: whether it may refuse one flank: nobody there has reacted, nor is any other enemy's front there."""
        if unit.reacted or not self.series.refusal.eligible(unit, side):
            return False
        place = self.series.refusal.end(unit, side).hex
        for mate in self.series.facing.alike(unit, place):
            if mate.reacted:
                return False
        return not self.in_other_front(unit.side, place, causes)

    # -- the deed --------------------------------------------------------------------------------------------------

    def _turn(self, unit: Unit, cause: Unit, heading: i64) -> None:
        """9.61, 9.62, 7.11: a stack turns by a vertex; guns will fire the worse for it."""
        units = self.series.facing.alike(unit, unit.hex)
        self.note_reaction(unit, cause, "facing")
        for mate in units:
            self.series.facing.face(mate, heading)
            mate.swung_round = mate.kind == ARTILLERY
        self._check(units, cause)

    def _refuse(self, unit: Unit, cause: Unit, sides: i64) -> None:
        """9.61, 8.44: a stack refuses a flank, an Extended Line one or both."""
        units: list[Unit] = [unit]
        self.note_reaction(unit, cause, "refusal")
        for side in (REFUSED_LEFT, REFUSED_RIGHT):
            if sides & side != 0:
                for mate in self.series.facing.alike(unit, self.series.refusal.end(unit, side).hex):
                    if mate not in units:
                        units.append(mate)
                self.series.refusal.bend(unit, side, "reaction")
        self._check(units, cause)

    def _check(self, units: list[Unit], cause: Unit) -> None:
        """9.62, 12.35b: each that is no artillery checks; one disordered again may not return the fire of `cause`."""
        results = self.series.results
        for unit in units:
            unit.reacted = True
        alone = not results.opened and not results.settling
        if alone:
            results.begin([cause.hex])
        for unit in units:
            if unit.kind == ARTILLERY or not unit.counts():
                continue
            if not results.udd(unit, 0, CAUSE_NAMES[CAUSE_REACTION_FACING]):
                if unit.disordered:
                    unit.silenced_by = cause.index
                results.disorder(unit, CAUSE_REACTION_FACING)
        if alone:
            results.end()
