"""Chapter 8.47 and 8.49: retreat in Extended Line or Column, and how an extended unit contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_SHOCK
from simkit.model.forces import CAUSES, IN_ONE_HEX, Unit
from simkit.model.hexgrid import opposite
from simkit.model.log import EVERYTHING, Event
from simkit.rules.effects import CONTRACTED
from simkit.rules.retreatleaders import RetreatLeaders

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.leaders import Leader
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class FormationRetreat(RetreatLeaders):
    """How extended units fall back, with the guns in their hexes."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._voluntary = False  # the retreat under way is its owner's choice (12.43)

    # -- contraction -----------------------------------------------------------------------------------------------

    def contract(self, unit: Unit, place: Hex, by_moving: bool = False) -> None:
        """8.47, 8.49, 8.53: an extended unit takes up its markers and stands in one of its hexes, `place`.

        Leaders in the hexes that it gives up may come along (12.72); if it does so `by_moving`, those who may move with
        it (9.31).
        """
        given_up = [part.hex for part in unit.parts if part.hex is not place]
        if not given_up:
            return
        for there in given_up:
            for leader in self.company(unit, there):
                if not by_moving or self.series.movement.may_take(leader, unit):
                    self.battle.stand_leader(leader, place)
        for part in list(unit.parts):
            if part.hex is not place:
                self.battle.withdraw_part(unit, part)
        unit.refused = 0
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("contract", unit.side, unit.id, place.id, "", "")
        for there in given_up:
            self.series.refusal.thinned(there)
            if there.leaders:
                self.leader_alone(there)

    def contract_into_one_of(self, unit: Unit, places: list[Hex]) -> None:
        """8.47, 8.49, 8.53: contract into the one of some of a unit's hexes that its owner chooses."""
        chosen: i64 = 0
        if len(places) > 1:
            answer = self.series.owner(unit).contract_into(self.series, unit, places)
            chosen = self.index("contract_into", unit, answer, 0, len(places))
        self.contract(unit, places[chosen])

    def contract_to_retreat(self, unit: Unit, least: i64, most: i64, causes: list[Hex]) -> bool:
        """8.47: contract a unit that can't retreat extended into a hex from which it can; False if there is none.

        Once it has retreated it checks its cohesion, if it is in good order.
        """
        places = self._ways_out(unit, least, most, causes)
        if not places:
            return False
        self.contract_into_one_of(unit, places)
        self.series.results.push(CONTRACTED, [unit], unit.hex, CAUSE_SHOCK, [])
        return True

    def _ways_out(self, unit: Unit, least: i64, most: i64, causes: list[Hex]) -> list[Hex]:
        return [part.hex for part in unit.parts if self.ways_in_one_hex(unit, part.hex, least, most, causes)]

    def end_wrap_around(self, unit: Unit, least: i64, most: i64, causes: list[Hex]) -> None:
        """8.49: a line that has wrapped around its target contracts before it retreats."""
        if unit not in self.series.shock.wrapped:
            return
        self.series.shock.wrapped.remove(unit)
        places = self._ways_out(unit, least, most, causes)
        if not places:
            places = [part.hex for part in unit.parts]
        self.contract_into_one_of(unit, places)

    def together(self, units: list[Unit]) -> list[list[Unit]]:
        """8.47, 12.44: units sorted by who retreats together: those of one hex, or in the hexes of an extended unit."""
        homes: list[Hex] = []
        groups: list[list[Unit]] = []
        for unit in units:
            home = unit.hex
            for mate in units:
                if mate.extended != IN_ONE_HEX and mate.stands_in(unit.hex):
                    home = mate.hex
            if home in homes:
                groups[homes.index(home)].append(unit)
            else:
                homes.append(home)
                groups.append([unit])
        return groups

    # -- on the way ------------------------------------------------------------------------------------------------

    def enter_formation(self, units: list[Unit], leaders: list[Leader], side: Hexside, passing: bool, why: i64) -> None:
        """8.47, 8.23: an extended unit and the guns with it go a hex on, each part and gun across its own hexside."""
        lead = self.lead(units)
        direction = side.direction
        guns = [unit for unit in units if unit is not lead]
        above: list[Unit] = []  # guns that stand on top of the part of their hex
        for gun in guns:
            for part in gun.hex.stack:
                if part.unit is gun:
                    above.append(gun)
                if part.unit is gun or part.unit is lead:
                    break
        sides = [part.hex.sides[direction] for part in lead.parts]
        targets = [gun.hex.sides[direction].to for gun in guns]
        for gun in guns:
            self.battle.lift(gun)
        depths: list[i64] = []
        for crossed in sides:
            depth: i64 = len(crossed.to.stack)
            if not passing and self.friends(units, crossed.to):
                depth = self.series.stacking.depth(lead, crossed.to, crossed, self._voluntary)
            depths.append(depth)
        self.battle.move_parts(lead, [crossed.to for crossed in sides], depths)
        lead.refused = 0
        for at, gun in enumerate(guns):
            to = targets[at]
            depth = to.stack.index(lead.part_in(to))
            self.battle.stand_at(gun, to, depth if gun in above else depth + 1)
        for leader in leaders:
            self.battle.stand_leader(leader, leader.hex.sides[direction].to)
        if self.series.log.level >= EVERYTHING:
            for unit in units:
                self.note_step("retreat", unit, unit.hex.sides[opposite(direction)].to, unit.hex, CAUSES[why])
        for crossed in sides:
            self.leaders_beside(crossed.to)

    def note_step(self, kind: str, unit: Unit, origin: Hex, to: Hex, mode: str) -> None:
        """Put down in the log that a unit has gone from one hex into another."""
        event = Event(kind)
        event.side = unit.side
        event.unit = unit.id
        event.mode = mode
        event.hex = origin.id
        event.target_hex = to.id
        self.series.log.add(event)

    def worst_terrain(self, unit: Unit, sides: list[Hexside]) -> Hexside:
        """8.44, 9.47: of the hexsides that the parts of a unit cross, the one whose terrain disorders most easily."""
        worst = sides[0]
        for side in sides:
            if not self.by_road(unit, side) and (
                self.by_road(unit, worst) or self.disorders(unit, side) > self.disorders(unit, worst)
            ):
                worst = side
        return worst

    def pass_terrain(self, units: list[Unit], side: Hexside) -> list[Unit]:
        """12.44: "d" and "D" terrain; returns those who may go on: a disordered unit that fails again halts."""
        going: list[Unit] = []
        back = opposite(side.direction)
        for unit in units:
            crossed = self.worst_terrain(
                unit, [part.hex.sides[back].to.sides[side.direction] for part in unit.parts]
            )
            if self.terrain_halts(unit, crossed):
                continue
            going.append(unit)
        return going
