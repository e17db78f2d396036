"""Chapter 12.4 and 12.6: retreats, and advances after combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, BY_OTHER, CAUSES, IN_ONE_HEX, Unit
from simkit.model.formation import hexes_of
from simkit.model.leaders import Leader
from simkit.model.log import EVERYTHING
from simkit.rules.commander import CommanderError, Way
from simkit.rules.formationadvance import FormationAdvance

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside

@mypyc_attr(allow_interpreted_subclasses=True)
class Retreat(FormationAdvance):
    """Who falls back where, and who takes the ground."""

    # -- retreat ---------------------------------------------------------------------------------------------------

    def retreat(
        self, units: list[Unit], least: i64, most: i64, causes: list[Hex], why: i64, voluntary: bool = False
    ) -> None:
        """12.4: units of one hex retreat from `least` to `most` hexes, or pay for what they can't.

        So do an extended unit and the guns in its hexes (8.47).

        Args:
            units: the units, top first.
            least, most: hexes (12.42, 12.43).
            causes: as for `ways`.
            why: BY_ constant under which losses are booked, and the log's word for it.
            voluntary: whether it is its owner's choice (12.43).
        """
        results = self.series.results
        self._voluntary = voluntary
        alone = not results.opened and not results.settling  # a result of its own
        if alone:
            results.begin(causes)
        going = [unit for unit in units if unit.counts()]
        away_from = list(causes)
        for place in hexes_of(going):
            away_from.extend(self.series.shock.threats(place))
        for unit in going:
            if unit.extended != IN_ONE_HEX:
                self.end_wrap_around(unit, least, most, away_from)
        for group in self.together(going):
            self._retreat(group, least, most, away_from, why)
        if alone:
            results.end()

    def _retreat(self, units: list[Unit], least: i64, most: i64, causes: list[Hex], why: i64) -> None:
        """As a stack if there is a way, else apart: foot and horse, then each battery (12.44, 12.45)."""
        ways = self.ways(units, least, most, causes)
        if ways:
            self._go(units, self._chosen(units, ways), why)
            return
        guns: list[Unit] = []
        line: list[Unit] = []
        for unit in units:
            if unit.kind == ARTILLERY:
                guns.append(unit)
            else:
                line.append(unit)
        if guns and (line or len(guns) > 1):
            # an extended unit goes first, or guns might come to stand in the hexes that it is about to leave
            extended = len(line) > 0 and self.lead(line).extended != IN_ONE_HEX
            if extended:
                self._retreat(line, least, most, causes, why)
            for gun in guns:
                self._retreat([gun], least, most, causes, why)
            if line and not extended:
                self._retreat(line, least, most, causes, why)
        elif len(guns) == 1:
            self._fall_short(guns, least, causes, why)
        elif len(line) == 1 and line[0].extended != IN_ONE_HEX:
            if self.contract_to_retreat(line[0], least, most, causes):
                self._retreat(line, least, most, causes, why)
            else:
                self._fall_short(line, least, causes, why)
        elif line:
            stuck = self._apart(line, least, most, causes, why)
            if stuck:
                self._fall_short(stuck, least, causes, why)

    def _apart(self, units: list[Unit], least: i64, most: i64, causes: list[Hex], why: i64) -> list[Unit]:
        """12.44: units of a stack that has no common way go to different hexes; returns those that can't."""
        stuck: list[Unit] = []
        for unit in units:
            ways: list[Way] = []
            if len(units) > 1:
                ways = self.ways([unit], least, most, causes)
            if ways:
                self._go([unit], self._chosen([unit], ways), why)
            else:
                stuck.append(unit)
        return stuck

    def _fall_short(self, units: list[Unit], least: i64, causes: list[Hex], why: i64) -> None:
        """12.44-12.45: as far as they can; a step for each hex missing, guns are abandoned."""
        hexes = least - 1
        while hexes > 0:
            ways = self.ways(units, hexes, hexes, causes)
            if not ways and units[0].extended != IN_ONE_HEX and self.contract_to_retreat(
                units[0], hexes, hexes, causes
            ):
                ways = self.ways(units, hexes, hexes, causes)
            if ways:
                self._go(units, self._chosen(units, ways), why)
                break
            hexes -= 1
        if units[0].kind == ARTILLERY:
            self.series.results.abandon(units[0], "no way to retreat")
        else:
            self.series.results.lose_in_place(units, least - hexes, why)

    def _chosen(self, units: list[Unit], ways: list[Way]) -> Way:
        """12.41: the owner's choice of path."""
        answer = self.series.owner(units[0]).retreat(self.series, units[0], ways)
        return ways[self.index("retreat", units[0], answer, 0, len(ways))]

    def _go(self, units: list[Unit], way: Way, why: i64) -> None:
        """7.32, 12.44, 12.46, 12.47, 12.72: walk a way hex by hex with its checks of terrain; put down those passed."""
        results = self.series.results
        lead = self.lead(units)
        origins = self.origins(units)
        leaders: list[Leader] = []
        for origin in origins:
            leaders.extend(self.company(lead, origin))
        if units[0] in results.retreaters:
            for origin in origins:
                results.retreated_through(self.friends(units, origin), origin)
        for unit in units:
            unit.retreated = True
            if unit.side == self.battle.phasing:
                unit.finished = True
            if unit not in results.retreaters:
                results.retreaters.append(unit)
        walking = list(units)
        here = lead.hex
        last = len(way.hexes) - 1
        for at, to in enumerate(way.hexes):
            if at > 0 and leaders:
                # he may go along for a part of the way only (12.72)
                owner = self.series.owner(lead)
                leaders = [one for one in leaders if owner.leader_stays_with(self.series, one, lead)]
                for place in self.origins(walking):
                    results.left(units[0], place)
            side = here.sides[here.direction_to(to)]
            passing = at < last and len(self.friends_at(units, to)) > 0
            self._enter(walking, leaders, side, passing, why)
            if passing:
                for place in self.origins(walking):
                    results.retreated_through(self.friends(units, place), place)
            else:
                walking = self.pass_terrain(walking, side)
            if not walking or (lead.extended != IN_ONE_HEX and lead not in walking):
                break
            here = to
        self.series.refusal.settled_all(units)
        for origin in origins:
            self.series.refusal.thinned(origin)
            results.left(units[0], origin)

    def in_reaction(self, unit: Unit, ways: list[Way]) -> Way:
        """9.63, 12.43: a unit goes by one of these ways, its owner's choice, as in a retreat; returns the way.

        It must happen within the scope of a result.
        """
        way = self._chosen([unit], ways)
        self._voluntary = True
        self._go([unit], way, BY_OTHER)
        return way

    def _enter(self, units: list[Unit], leaders: list[Leader], side: Hexside, passing: bool, why: i64) -> None:
        """8.23, 12.44: into the next hex in stacking order, on top or beneath, with the facing of who stands there.

        Leaders who go along arrive with the units: they are never alone on the way (12.72, 12.73).
        """
        if self.lead(units).extended != IN_ONE_HEX:
            self.enter_formation(units, leaders, side, passing, why)
            return
        to = side.to
        mates = self.friends(units, to)
        depth: i64 = len(to.stack)
        if not passing:
            depth = self.series.stacking.depth(units[0], to, side, self._voluntary)
        order = list(units)
        order.reverse()
        for unit in order:
            self.battle.lift(unit)
            self.battle.stand_at(unit, to, depth)
            if mates and not passing:
                unit.heading = mates[0].heading
        for leader in leaders:
            self.battle.stand_leader(leader, to)
        if self.series.log.level >= EVERYTHING:
            for unit in units:
                self.note_step("retreat", unit, side.origin, to, CAUSES[why])
        self.leaders_beside(to)

    def defenders_first(self, attackers: list[Unit], defenders: list[Unit]) -> bool:
        """12.48: whether the defenders retreat first: unless they have the unit of the highest Cohesion Rating.

        Half the Fatigue is taken off the rating.
        """
        return self._highest(defenders) <= self._highest(attackers)

    def _highest(self, units: list[Unit]) -> i64:
        best: i64 = -1
        for unit in units:
            if unit.counts() and unit.steadiness() > best:
                best = unit.steadiness()
        return best

    # -- advance ---------------------------------------------------------------------------------------------------

    def may_advance(self, unit: Unit, place: Hex) -> bool:
        """12.6, 9.71, 6.13: into an adjacent hex without enemies, over passable ground, as stacking allows; no guns.

        An extended unit with any of its parts, extended if it can, else contracted into one hex (8.47, 8.53).
        """
        if not unit.counts() or unit.kind == ARTILLERY or not self.series.orders.may_advance(unit):
            return False
        if unit.extended != IN_ONE_HEX:
            return self.formation_may_advance(unit, place)
        return self.may_step(unit, unit.hex, place)

    def advance(self, unit: Unit, place: Hex) -> bool:
        """7.32, 9.61, 12.6: a unit advances one hex; True if it could go on, False if terrain halts it.

        Raises:
            CommanderError: it may not advance there.
        """
        if not self.may_advance(unit, place):
            raise CommanderError(
                f"Retreat.advance: {unit.id} may not advance from {unit.hex.id} into {place.id} (12.6)"
            )
        if unit.extended != IN_ONE_HEX:
            if self.advances_extended(unit, place):
                return self.advance_line(unit, place)
            self.contract_to_advance(unit, place)
        start = unit.hex
        side = start.sides[start.direction_to(place)]
        mates = self.battle.units_in(place)
        leaders = self.company(unit, start)
        self.battle.lift(unit)
        self.series.stacking.enter(unit, place, side)
        unit.advanced = True
        self.series.results.crew_arrives(unit, place)
        for leader in leaders:
            self.battle.stand_leader(leader, place)
        if self.series.log.level >= EVERYTHING:
            self.note_step("advance", unit, start, place, "")
        halted = self.terrain_halts(unit, side)
        if mates:
            unit.heading = mates[0].heading
        else:
            self._face_after(unit)
        self.series.refusal.thinned(start)
        self.series.refusal.settled(unit)
        if start.leaders:
            self.leader_alone(start)
        self.leaders_beside(place)
        self.series.reaction.entered(unit)
        return not halted

    def _face_after(self, unit: Unit) -> None:
        """12.6: one vertex of change is free after an advance."""
        headings: list[int] = [unit.heading, (unit.heading + 2) % 12, (unit.heading + 10) % 12]
        chosen = self.series.owner(unit).heading_after(self.series, unit, headings)
        if chosen < 0 or chosen > 2:
            raise CommanderError(f"Commander.heading_after: answered {chosen} for {unit.id}; right would be 0, 1 or 2")
        if chosen != 0:
            self.series.facing.turn_free(unit, headings[chosen])
