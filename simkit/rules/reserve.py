"""Rule 6.3, Reserve: who may rest out of the enemy's reach, and what comes back there (6.31-6.35, 13.5, 16.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_SHOCK, PROHIBITED
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    BY_OTHER,
    ON_MAP,
    ORDERS,
    ROUTED,
)
from simkit.model.hexgrid import KEPT
from simkit.model.log import EVERYTHING
from simkit.model.sections import supply
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

UNSEEN: Final[i64] = 5  # hexes from the enemy for units out of his sight, and at night (6.31)
FAR: Final[i64] = 10  # the same in his sight by day (6.31)
ALARMING: Final[i64] = 4  # hexes from which a fire drives a command out of reserve (6.34)
STAYS: Final[i64] = -1
LOST: Final[i64] = 9  # natural roll that eliminates whoever tries to recover from rout (13.52)


@mypyc_attr(allow_interpreted_subclasses=True)
class Reserve(Chapter):
    """Commands In Reserve: brigades, and units directly under a higher leader; a division goes brigade by brigade."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.eligible: list[Command] = []  # commands that their owner may place in reserve at this moment

    # -- into reserve (6.31, 6.32, 6.33) ---------------------------------------------------------------------------

    def qualifies(self, command: Command) -> bool:
        """6.31, 6.33: whether a command is far enough from the enemy: all its units, or its brigadier if all routed."""
        places: list[Hex] = []
        routed = False
        for unit in command.units:
            if unit.counts():
                places.extend([part.hex for part in unit.parts])
            routed = routed or unit.place == ROUTED
        if not places:
            if not routed or not command.has_leader():
                return False
            places.append(command.leader().hex)
        nearest = self._to_enemy(command.side, places)
        if nearest >= FAR or nearest < UNSEEN or self.series.night.is_night():
            return nearest >= UNSEEN
        # whoever is near sees most, and lines to the far ones are worked out anew every time
        return not self._seen(command.side, places, 0, KEPT) and not self._seen(command.side, places, KEPT, PROHIBITED)

    def _seen(self, side: i64, places: list[Hex], beyond: i64, within: i64) -> bool:
        """Whether an enemy beyond so many hexes from one of some hexes, and within so many, has it in sight."""
        for held in self.battle.hexes_of(1 - side):
            for place in places:
                if beyond < place.distance_to(held) <= within and self.series.sight.clear(held, place):
                    return True
        return False

    def _to_enemy(self, side: i64, places: list[Hex]) -> i64:
        """Hexes between some hexes and the nearest enemy combat unit; any within UNSEEN is as good as the nearest."""
        nearest: i64 = PROHIBITED
        for held in self.battle.hexes_of(1 - side):
            for place in places:
                nearest = min(nearest, place.distance_to(held))
            if nearest < UNSEEN:
                break
        return nearest

    def phase(self, side: i64) -> None:
        """3.0 II/E, 6.32: a side's owner places commands in reserve by `place`."""
        self.eligible = [
            command for command in self.battle.commands
            if command.side == side and command.units and not command.in_reserve and self.qualifies(command)
        ]
        if self.eligible:
            self.series.commander(side).reserve(self.series, list(self.eligible))
        self.eligible = []

    def place(self, command: Command) -> None:
        """6.31, 6.32: place a command in reserve; whoever builds there gives it up, for it does nothing else (15.13).

        Raises:
            CommanderError: it does not qualify, or not now.
        """
        if command not in self.eligible:
            codes = ", ".join([other.code for other in self.eligible]) or "none"
            raise CommanderError(f"Reserve.place: {command.code} can't go into reserve now (6.31), but: {codes}")
        command.in_reserve = True
        for unit in command.units:
            if unit.building:
                self.series.engineering.discontinue(unit, "reserve")
        self.eligible.remove(command)
        self._tell(command, "placed")

    def _tell(self, command: Command, result: str) -> None:
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("reserve", command.side, command.code, "", "", result)

    # -- out of reserve (6.33, 6.34) -------------------------------------------------------------------------------

    def targeted(self, places: list[Hex], distance: i64) -> None:
        """6.34: units in some hexes are designated as targets of shock, or of a fire from so many hexes away."""
        if distance > ALARMING:
            return
        for place in places:
            for unit in self.battle.units_in(place):
                if unit.command.in_reserve:
                    self._rouse(unit.command)

    def _rouse(self, command: Command) -> None:
        """6.34: a command leaves reserve because it is attacked: all are disordered and under Advance Orders."""
        command.in_reserve = False
        command.orders = ADVANCE
        self._tell(command, "attacked")
        for unit in command.units:
            if unit.counts():
                self.series.orders.give(unit, ADVANCE)
                if not unit.disordered:
                    self.series.results.disorder(unit, CAUSE_SHOCK)

    def found_alone(self, command: Command) -> None:
        """6.33, 12.73: an enemy comes next to a leader alone, whose command, all of it routed, leaves reserve.

        Not in Gringo!.
        """
        if command.in_reserve and self.options.edition > GRINGO and not any(unit.counts() for unit in command.units):
            command.in_reserve = False
            self._tell(command, "attacked")

    # -- what it does there (6.35) ---------------------------------------------------------------------------------

    def recover(self, side: i64) -> None:
        """6.35, 16.24, 3.0 IV/B/2: what a side's commands in reserve do at the end of a turn, in order."""
        for command in self.battle.commands:
            if command.side != side or not command.in_reserve:
                continue
            self.series.fatigue.rest_in_reserve(command)
            for unit in command.units:
                if unit.counts() and unit.disordered and not unit.collapsed:
                    unit.disordered = False
                    unit.blown = False
                    if self.series.log.level >= EVERYTHING:
                        self.series.log.note("rally", unit.side, unit.id, unit.hex.id, "reserve", "rallied")
            self.stragglers(command)
            for unit in command.units:
                if unit.place == ROUTED:
                    self.recover_from_rout(unit)
            for unit in command.units:
                if unit.counts():
                    self._fill_up(unit)

    def release(self, side: i64) -> None:
        """3.0 IV/B/3, 6.34: a side's commands may leave reserve, once all have done there what they do."""
        for command in self.battle.commands:
            if command.side == side and command.in_reserve:
                self._offer_to_leave(command)

    def _fill_up(self, unit: Unit) -> None:
        """6.35: a unit's ammunition is made good, that of each section of a battery too (8.37)."""
        if supply(unit) and self.series.log.level >= EVERYTHING:
            self.series.log.note("resupply", unit.side, unit.id, unit.hex.id, "reserve", "ammunition 0")

    def _offer_to_leave(self, command: Command) -> None:
        """3.0 IV/B/3, 6.34, 6.35: a command may leave reserve, under Advance or Attack Orders, for all its units."""
        orders = self.series.commander(command.side).leave_reserve(self.series, command)
        if orders == STAYS:
            return
        if orders not in (ADVANCE, ATTACK) or self.series.orders.forbids(command, orders):
            raise CommanderError(
                f"Commander.leave_reserve: {orders} for {command.code}; it should be -1 to stay, 1 (Advance), or 2"
                " (Attack) below Fatigue Level 4"
            )
        command.in_reserve = False
        command.orders = orders
        for unit in command.units:
            if unit.counts():
                self.series.orders.give(unit, orders)
        self._tell(command, ORDERS[orders])

    def lacks_men(self, unit: Unit) -> bool:
        """8.12, 16.22, 16.23: whether stragglers could make a unit stronger: no guns, and never to full strength.

        Nor where its stack has no room for them.
        """
        return unit.kind != ARTILLERY and unit.strength < unit.full - 1 and self.series.stacking.may_grow(unit)

    def stragglers(self, command: Command) -> None:
        """12.23, 16.21, 16.22, 16.23: at dusk and night units in range that pass a check win back a point."""
        if not self.series.night.stragglers_return():
            return
        for unit in self.series.command.units_in_range(command):
            if self.lacks_men(unit) and self.series.results.udd(unit, 0, "stragglers"):
                unit.strength += 1
                unit.recovered += 1
                if unit.collapsed and 2 * unit.strength >= unit.full:
                    unit.collapsed = False
                if self.series.log.level >= EVERYTHING:
                    self.series.log.note("stragglers", unit.side, unit.id, unit.hex.id, "", "")

    def recover_from_rout(self, unit: Unit) -> None:
        """13.51, 13.52, 13.53: a routed unit checks whether it comes back, mounted, to within a hex of its brigadier.

        Its brigadier must be there, with a hex that has room for it; the check costs it a point either way.
        """
        self.series.mounting.remount(unit)
        self.series.reinforcements.put_under(unit, unit.command.orders)
        places = self.places_for(unit)
        if not places:
            return
        roll = self.series.dice.roll(streams.COHESION, unit)
        rating = unit.cohesion_disordered
        adjusted = roll + unit.fatigue.half
        passed = adjusted <= rating and roll < LOST
        self.series.log.check(unit.side, unit.id, "", "recovery from rout", rating, roll, adjusted, passed)
        if roll >= LOST:
            self.series.results.lose(unit, unit.strength, BY_OTHER)
            return
        self.series.results.lose(unit, 1, BY_OTHER)
        if not passed or unit.place != ROUTED:
            return
        chosen: i64 = 0
        if len(places) > 1:
            chosen = self.series.owner(unit).return_to(self.series, unit, places)
        self._stand(unit, places[self.index("return_to", unit, chosen, 0, len(places))])

    def places_for(self, unit: Unit) -> list[Hex]:
        """13.52, 8.12: the hexes within one of its brigadier where a unit may return."""
        found: list[Hex] = []
        head = self.series.command.head(unit.command)
        if not head.has_leader():
            return found
        origin = head.leader().hex
        mover = self.series.movement.mover(unit)
        if self._room(unit, origin):
            found.append(origin)
        for side in origin.sides:
            if side.on_map and side.plain[mover] < PROHIBITED and self._room(unit, side.to):
                found.append(side.to)
        return found

    def _room(self, unit: Unit, place: Hex) -> bool:
        if self.battle.held_by(place) == 1 - unit.side or self.battle.enemy_near(place, unit.side):
            return False
        return self.series.stacking.may_end(unit, place)

    def _stand(self, unit: Unit, place: Hex) -> None:
        """13.52: a unit returns disordered, beneath those who stand in the hex, and faces as they do."""
        mates = self.battle.units_in(place)
        unit.place = ON_MAP
        unit.disordered = True
        self.battle.stand(unit, place, False)
        if mates:
            unit.heading = mates[0].heading
        self.series.refusal.settled(unit)
        if 2 * unit.strength < unit.full and not unit.collapsed:
            self.series.results.collapse(unit)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("returned", unit.side, unit.id, place.id, "", "")
