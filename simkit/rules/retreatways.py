"""Chapter 12.41 to 12.46: the ways by which a stack, or an extended unit as a whole, may retreat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_TERRAIN, NO_DISORDER, ONE_MP, PROHIBITED
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, EXTENDED_LINE, IN_ONE_HEX, MARCH
from simkit.model.hexgrid import FLANK, zone
from simkit.rules.chapter import Chapter
from simkit.rules.combatresults import mover_class
from simkit.rules.commander import Way
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

GUNS_MOST: Final[i64] = 2 * ONE_MP  # the dearest hex that guns may retreat into (12.45)


@mypyc_attr(allow_interpreted_subclasses=True)
class RetreatWays(Chapter):
    """Where units may fall back to.

    Units that retreat together hold their shape: those of one hex, or an extended unit with the guns in its hexes
    (8.47). The path of all is that of their lead, the extended unit or else the first; wherever it stands, the others
    stand as far from it as now.
    """

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._in_one_hex = False  # an extended unit is looked at as if it had contracted (8.47)

    # -- shape -----------------------------------------------------------------------------------------------------

    def lead(self, units: list[Unit]) -> Unit:
        """8.47: the extended unit among those that retreat together, or else the first."""
        for unit in units:
            if unit.extended != IN_ONE_HEX:
                return unit
        return units[0]

    def _extended(self, units: list[Unit]) -> bool:
        return not self._in_one_hex and self.lead(units).extended != IN_ONE_HEX

    def origins(self, units: list[Unit]) -> list[Hex]:
        """8.47: the hexes in which units that retreat together stand, that of their lead first."""
        if not self._extended(units):
            return [units[0].hex]
        found = [part.hex for part in self.lead(units).parts]
        for unit in units:
            if unit.hex not in found:
                found.append(unit.hex)
        return found

    def spread(self, units: list[Unit], place: Hex) -> list[Hex]:
        """8.47: the hexes that they would hold with their lead in a hex, in the order of `origins`."""
        if not self._extended(units):
            return [place]
        start = self.lead(units).hex
        return [
            self.battle.map.at_axial(origin.q + place.q - start.q, origin.r + place.r - start.r)
            for origin in self.origins(units)
        ]

    def in_origin(self, units: list[Unit], origin: Hex) -> list[Unit]:
        """8.47: those of units that retreat together who have a part in a hex."""
        if not self._extended(units):
            return units
        return [unit for unit in units if unit.stands_in(origin)]

    # -- ways ------------------------------------------------------------------------------------------------------

    def ways(self, units: list[Unit], least: i64, most: i64, causes: list[Hex]) -> list[Way]:
        """12.41-12.46: the ways by which a stack may retreat from `least` to `most` hexes; none if it can't.

        Args:
            units: units that go together: of one hex, or an extended unit and guns in its hexes (8.47).
            least, most: hexes; equal but for a retreat of one or two.
            causes: hexes of the enemy units that cause it or that designated the units for a shock not yet resolved.
        """
        return self._ways_from(units, self.lead(units).hex, least, most, causes)

    def ways_in_one_hex(self, unit: Unit, start: Hex, least: i64, most: i64, causes: list[Hex]) -> list[Way]:
        """8.47: the ways that an extended unit would have if it contracted into one of its hexes."""
        self._in_one_hex = True
        found = self._ways_from([unit], start, least, most, causes)
        self._in_one_hex = False
        return found

    def could(self, units: list[Unit], least: i64, most: i64, causes: list[Hex]) -> bool:
        """12.44, 8.47: whether units have a way to retreat, an extended unit perhaps only once it has contracted."""
        if self.ways(units, least, most, causes):
            return True
        return any(
            self.ways_in_one_hex(unit, part.hex, least, most, causes)
            for unit in units if unit.extended != IN_ONE_HEX for part in unit.parts
        )

    def _ways_from(self, units: list[Unit], start: Hex, least: i64, most: i64, causes: list[Hex]) -> list[Way]:
        found: list[Way] = []
        for side in start.sides:
            if not self.may_enter(units, side, causes):
                continue
            first = side.to
            if most == 1 or least == 1:
                if self.may_stop(units, first):
                    found.append(Way([first], False))
                elif not self.has_room(units, first):
                    self._through(units, start, [first], causes, found)
            if most == 2 and (least == 2 or not self.friends_at(units, first)):
                self._second_hex(units, start, first, least, causes, found)
        return self._best(units, start, found, causes)

    def _second_hex(
        self, units: list[Unit], start: Hex, first: Hex, least: i64, causes: list[Hex], found: list[Way]
    ) -> None:
        """12.46: ways whose second hex follows `first`; a retreat of one or two is not drawn out through friends."""
        through = len(self.friends_at(units, first)) > 0
        if through and self.designated(units, first):
            return
        for side in first.sides:
            second = side.to
            if second is start or not self.may_enter(units, side, causes):
                continue
            if self.may_stop(units, second):
                found.append(Way([first, second], through))
            elif least == 2 and not self.has_room(units, second):
                self._through(units, start, [first, second], causes, found)

    def _through(self, units: list[Unit], start: Hex, path: list[Hex], causes: list[Hex], found: list[Way]) -> None:
        """12.46: on through friends with whom the units can't stack, to the nearest hexes in which they can stop."""
        if self.designated(units, path[len(path) - 1]):
            return
        look = self.battle.map.next_search()
        start.retreat_seen = look
        for place in path:
            place.retreat_seen = look
        routes: list[list[Hex]] = [path]
        at = 0
        while at < len(routes):
            route = routes[at]
            at += 1
            for side in route[len(route) - 1].sides:
                to = side.to
                if to.retreat_seen == look or not self.may_enter(units, side, causes):
                    continue
                to.retreat_seen = look
                if self.may_stop(units, to):
                    found.append(Way([*route, to], True))
                elif not self.has_room(units, to) and not self.designated(units, to):
                    routes.append([*route, to])

    def friends(self, units: list[Unit], place: Hex) -> list[Unit]:
        """Units in a hex other than these."""
        return [unit for unit in self.battle.units_in(place) if unit not in units]

    def friends_at(self, units: list[Unit], place: Hex) -> list[Unit]:
        """12.46: units other than these in the hexes that they would hold with their lead in a hex, each once."""
        if not self._extended(units):
            return self.friends(units, place)
        found: list[Unit] = []
        for there in self.spread(units, place):
            found.extend([unit for unit in self.friends(units, there) if unit not in found])
        return found

    def designated(self, units: list[Unit], place: Hex) -> bool:
        """12.44, 12.46: whether friends where the units would stand are designated for a shock not yet resolved."""
        for there in self.spread(units, place):
            if self.friends(units, there) and self.series.shock.designated(there):
                return True
        return False

    def may_enter(self, units: list[Unit], side: Hexside, causes: list[Hex]) -> bool:
        """12.44-12.45: no enemy or forbidden ground; no enemy front and no hex beside the cause, but with friends.

        Nor a hex through which enemies may still enter (9.71). For an extended unit none of its parts may meet any of
        that, and a line goes forwards or back (8.44, 8.47).
        """
        if not self._extended(units):
            return self._may_cross(units, units, side, causes)
        lead = self.lead(units)
        if lead.extended == EXTENDED_LINE and zone(lead.heading, side.direction) == FLANK:
            return False
        origins = self.origins(units)
        for at, here in enumerate(self.spread(units, side.origin)):
            crossing = self.in_origin(units, origins[at])
            if not self._may_cross(units, crossing, here.sides[side.direction], causes):
                return False
        return True

    def _may_cross(self, units: list[Unit], crossing: list[Unit], side: Hexside, causes: list[Hex]) -> bool:
        """12.44-12.45: the same for one hexside and those of the units who cross it."""
        to = side.to
        own = units[0].side
        if not side.on_map or self.series.reinforcements.closed(to, own):
            return False
        holder = self.battle.held_by(to)
        if holder != -1 and holder != own:
            return False
        for unit in crossing:
            cost = self.cost(unit, side)
            if cost >= PROHIBITED or (unit.kind == ARTILLERY and cost > GUNS_MOST):
                return False
        if holder == own and self.friends(units, to) and not self._awaits_shock(units, to):
            return True
        if self.battle.in_enemy_front(to, own):
            return False
        return all(cause.distance_to(to) > 1 for cause in causes)

    def _awaits_shock(self, units: list[Unit], place: Hex) -> bool:
        return len(self.friends(units, place)) > 0 and self.series.shock.designated(place)

    def cost(self, unit: Unit, side: Hexside) -> i64:
        """12.41, 12.44: half movement points of a hex for a retreating unit, by road where its orders let it."""
        mover = mover_class(unit)
        if unit.orders == ATTACK:
            return side.plain[mover]  # it may not use a bridge or ford (9.44), but may wade
        cost = side.costs[mover]
        if self.by_road(unit, side):
            by_road = side.march[mover] if unit.orders == MARCH else side.advance[mover]
            if by_road < cost:
                cost = by_road
        return cost

    def by_road(self, unit: Unit, side: Hexside) -> bool:
        """12.41: whether a unit enters along a thoroughfare: under March Orders, or Advance with March stacking.

        An Extended Line never does (9.54).
        """
        if side.road == 0 or unit.extended == EXTENDED_LINE:
            return False
        return unit.orders == MARCH or (
            unit.orders == ADVANCE and self.series.stacking.march_limits_hold(side.to, unit)
        )

    def disorders(self, unit: Unit, side: Hexside) -> i64:
        """9.47, 9.44: what terrain across a hexside does to a unit off the road: NO_DISORDER, UDD or AUTOMATIC."""
        return (side.plain_disorders if unit.orders == ATTACK else side.disorders)[mover_class(unit)]

    def terrain_halts(self, unit: Unit, side: Hexside) -> bool:
        """9.47, 12.35c, 12.44, 12.6: whether the terrain entered disorders a unit that already was, and so stops it."""
        level = self.disorders(unit, side)
        if level == NO_DISORDER or self.by_road(unit, side):
            return False
        if level != AUTOMATIC and self.series.results.udd(unit, 0, "terrain"):
            return False
        return self.series.results.disorder(unit, CAUSE_TERRAIN)

    def may_stop(self, units: list[Unit], place: Hex) -> bool:
        """12.44, 8.47: within the stacking limits with friends there; an extended unit must face as they do."""
        if not self.has_room(units, place):
            return False
        if not self._extended(units):
            return True
        heading = self.lead(units).heading
        for there in self.spread(units, place):
            mates = self.friends(units, there)
            if mates and mates[0].heading != heading:
                return False
        return True

    def has_room(self, units: list[Unit], place: Hex) -> bool:
        """12.44, 12.46: whether the stacking limits let units end where friends stand: nobody is moved to find out."""
        if not self._extended(units):
            return not self.friends(units, place) or self.series.stacking.may_end_together(units, place)
        origins = self.origins(units)
        for at, there in enumerate(self.spread(units, place)):
            if self.friends(units, there) and not self.series.stacking.may_end_together(
                self.in_origin(units, origins[at]), there
            ):
                return False
        return True

    def _best(self, units: list[Unit], start: Hex, found: list[Way], causes: list[Hex]) -> list[Way]:
        """12.44: those that end farther from the closest enemies and beside none, or come nearest to that.

        By Gringo! those farther from the closest enemies, and among them those also farther from who caused it.
        """
        closest: list[Hex] = []
        nearest: i64 = 0
        own = units[0].side
        here = self.spread(units, start)
        for other in self.battle.of_side[1 - own]:
            if not other.counts():
                continue
            for part in other.parts:
                away = _least_distance(here, part.hex)
                if not closest or away < nearest:
                    closest = [part.hex]
                    nearest = away
                elif away == nearest and part.hex not in closest:
                    closest.append(part.hex)
        good: list[Way] = []
        best: i64 = -1
        for way in found:
            ends = self.spread(units, way.end())
            kept: i64 = 0
            if all(_least_distance(ends, place) > nearest for place in closest):
                kept = 1
            if self.options.edition <= GRINGO:
                kept *= 2
                if all(_least_distance(ends, cause) > _least_distance(here, cause) for cause in causes):
                    kept += 1
            elif not any(self.battle.enemy_near(end, own) for end in ends):
                kept += 1
            if kept > best:
                good = []
                best = kept
            if kept == best:
                good.append(way)
        return good


def _least_distance(places: list[Hex], to: Hex) -> i64:
    least = places[0].distance_to(to)
    for place in places:
        least = min(least, place.distance_to(to))
    return least
