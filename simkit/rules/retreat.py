"""Chapter 12.4, 12.6 and 12.73: retreats, advances after combat, and leaders left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import AUTOMATIC, CAUSE_TERRAIN, NO_DISORDER, ONE_MP, PROHIBITED
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, BY_OTHER, CAUSES, MARCH, Leader, Unit
from simkit.model.log import EVERYTHING, Event
from simkit.rules.chapter import Chapter
from simkit.rules.combatresults import mover_class
from simkit.rules.commander import CommanderError, Way

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.rules.options import Options
    from simkit.rules.series import Series

GUNS_MOST: Final[i64] = 2 * ONE_MP  # the dearest hex that guns may retreat into (12.45)


@mypyc_attr(allow_interpreted_subclasses=True)
class Retreat(Chapter):
    """Who falls back where, and who takes the ground."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._voluntary = False  # the retreat under way is its owner's choice (12.43)

    # -- ways ------------------------------------------------------------------------------------------------------

    def ways(self, units: list[Unit], least: i64, most: i64, causes: list[Hex]) -> list[Way]:
        """12.41-12.46: the ways by which a stack may retreat from `least` to `most` hexes; none if it can't.

        Args:
            units: units of one hex that go together.
            least, most: hexes; equal but for a retreat of one or two.
            causes: hexes of the enemy units that cause it or that designated the units for a shock not yet resolved.
        """
        start = units[0].hex
        found: list[Way] = []
        for side in start.sides:
            if not self.may_enter(units, side, causes):
                continue
            first = side.to
            if most == 1 or least == 1:
                if self.may_stop(units, first):
                    found.append(Way([first], False))
                else:
                    self._through(units, start, [first], causes, found)
            if most == 2 and (least == 2 or not self.friends(units, first)):
                self._second_hex(units, start, first, least, causes, found)
        return self._best(units[0], start, found)

    def _second_hex(
        self, units: list[Unit], start: Hex, first: Hex, least: i64, causes: list[Hex], found: list[Way]
    ) -> None:
        """12.46: ways whose second hex follows `first`; a retreat of one or two is not drawn out through friends."""
        through = len(self.friends(units, first)) > 0
        if through and self.designated(units, first):
            return
        for side in first.sides:
            second = side.to
            if second is start or not self.may_enter(units, side, causes):
                continue
            if self.may_stop(units, second):
                found.append(Way([first, second], through))
            elif least == 2:
                self._through(units, start, [first, second], causes, found)

    def _through(self, units: list[Unit], start: Hex, path: list[Hex], causes: list[Hex], found: list[Way]) -> None:
        """12.46: on through friends with whom the units can't stack, to the nearest hexes in which they can stop."""
        if self.designated(units, path[len(path) - 1]):
            return
        seen: list[Hex] = [start]
        seen.extend(path)
        routes: list[list[Hex]] = [path]
        at = 0
        while at < len(routes):
            route = routes[at]
            at += 1
            for side in route[len(route) - 1].sides:
                to = side.to
                if to in seen or not self.may_enter(units, side, causes):
                    continue
                seen.append(to)
                if self.may_stop(units, to):
                    found.append(Way([*route, to], True))
                elif not self.designated(units, to):
                    routes.append([*route, to])

    def friends(self, units: list[Unit], place: Hex) -> list[Unit]:
        """Units in a hex other than these."""
        return [unit for unit in self.battle.units_in(place) if unit not in units]

    def designated(self, units: list[Unit], place: Hex) -> bool:
        """Whether friends in a hex are designated for a shock not yet resolved (12.44, 12.46)."""
        return len(self.friends(units, place)) > 0 and self.series.shock.designated(place)

    def may_enter(self, units: list[Unit], side: Hexside, causes: list[Hex]) -> bool:
        """12.44-12.45: no enemy or forbidden ground; no enemy front and no hex beside the cause, but with friends.

        Nor a hex through which enemies may still enter (9.71).
        """
        to = side.to
        own = units[0].side
        if not side.on_map or self.series.reinforcements.closed(to, own):
            return False
        holder = self.battle.held_by(to)
        if holder != -1 and holder != own:
            return False
        for unit in units:
            cost = self.cost(unit, side)
            if cost >= PROHIBITED or (unit.kind == ARTILLERY and cost > GUNS_MOST):
                return False
        if holder == own and self.friends(units, to) and not self.designated(units, to):
            return True
        if self.battle.in_enemy_front(to, own):
            return False
        return all(cause.distance_to(to) > 1 for cause in causes)

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
        """12.41: whether a unit enters along a thoroughfare: under March Orders, or Advance with March stacking."""
        if side.road == 0:
            return False
        return unit.orders == MARCH or (
            unit.orders == ADVANCE and self.series.stacking.march_limits_hold(side.to, unit)
        )

    def may_stop(self, units: list[Unit], place: Hex) -> bool:
        """12.44: within the stacking limits with friends who stand there."""
        if not self.friends(units, place):
            return True
        if len(units) == 1:
            return self.series.stacking.may_end(units[0], place)
        start = units[0].hex
        order: list[Unit] = [part.unit for part in start.stack]
        refused: list[int] = [int(unit.refused) for unit in order]  # which they lose when they are lifted
        fits = True
        moved: list[Unit] = []
        for unit in units:
            if not self.series.stacking.may_end(unit, place):
                fits = False
                break
            self.battle.lift(unit)
            self.battle.stand(unit, place, False)
            moved.append(unit)
        for unit in moved:
            self.battle.lift(unit)
        for unit in order:
            if unit not in moved:
                self.battle.lift(unit)
            self.battle.stand(unit, start, False)
        for at, unit in enumerate(order):
            unit.refused = refused[at]
        return fits

    def _best(self, unit: Unit, start: Hex, found: list[Way]) -> list[Way]:
        """12.44: those that end farther from the closest enemies and beside none, or come nearest to that."""
        closest: list[Hex] = []
        nearest: i64 = 0
        for other in self.battle.units:
            if other.side == unit.side or not other.counts():
                continue
            away = start.distance_to(other.hex)
            if not closest or away < nearest:
                closest = [other.hex]
                nearest = away
            elif away == nearest and other.hex not in closest:
                closest.append(other.hex)
        good: list[Way] = []
        best: i64 = -1
        for way in found:
            end = way.end()
            kept: i64 = 0 if self.battle.enemy_near(end, unit.side) else 1
            if all(end.distance_to(place) > nearest for place in closest):
                kept += 1
            if kept > best:
                good = []
                best = kept
            if kept == best:
                good.append(way)
        return good

    # -- retreat ---------------------------------------------------------------------------------------------------

    def retreat(
        self, units: list[Unit], least: i64, most: i64, causes: list[Hex], why: i64, voluntary: bool = False
    ) -> None:
        """12.4: units of one hex retreat from `least` to `most` hexes, or pay for what they can't.

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
        if going:
            away_from = causes + self.series.shock.threats(going[0].hex)
            self._retreat(going, least, most, away_from, why)
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
        for gun in guns:
            if line or len(guns) > 1:
                self._retreat([gun], least, most, causes, why)
        if guns and line:
            self._retreat(line, least, most, causes, why)
        elif len(guns) == 1:
            self._fall_short(guns, least, causes, why)
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
            if ways:
                self._go(units, self._chosen(units, ways), why)
                break
            hexes -= 1
        if units[0].kind == ARTILLERY:
            self.series.results.abandon(units[0])
        else:
            self.series.results.lose_in_place(units, least - hexes, why)

    def _chosen(self, units: list[Unit], ways: list[Way]) -> Way:
        """12.41: the owner's choice of path."""
        chosen = self.series.owner(units[0]).retreat(self.series, units[0], ways)
        if chosen < 0 or chosen >= len(ways):
            raise CommanderError(
                f"Commander.retreat: answered {chosen} for {units[0].id}; right would be 0 to {len(ways) - 1}"
            )
        return ways[chosen]

    def _go(self, units: list[Unit], way: Way, why: i64) -> None:
        """7.32, 12.44, 12.46, 12.47, 12.72: walk a way hex by hex with its checks of terrain; put down those passed."""
        results = self.series.results
        start = units[0].hex
        leaders = self._company(units[0], start)
        again = units[0] in results.retreaters
        if again:
            results.retreated_through(self.friends(units, start), start)
        for unit in units:
            unit.retreated = True
            if unit.side == self.battle.phasing:
                unit.finished = True
            if unit not in results.retreaters:
                results.retreaters.append(unit)
        walking = list(units)
        here = start
        last = len(way.hexes) - 1
        for at, to in enumerate(way.hexes):
            if at > 0 and leaders:
                # he may go along for a part of the way only (12.72)
                owner = self.series.owner(units[0])
                leaders = [one for one in leaders if owner.leader_stays_with(self.series, one, units[0])]
                results.left(units[0], here)
            side = here.sides[here.direction_to(to)]
            mates = self.friends(units, to)
            passing = at < last and len(mates) > 0
            self._enter(walking, leaders, side, passing, why)
            if passing:
                results.retreated_through(mates, to)
            else:
                walking = self._pass_terrain(walking, side)
            if not walking:
                break
            here = to
        for unit in units:
            self.series.refusal.settled(unit)
        results.left(units[0], start)

    def in_reaction(self, unit: Unit, ways: list[Way]) -> Way:
        """9.63, 12.43: a unit goes by one of these ways, its owner's choice, as in a retreat; returns the way.

        It must happen within the scope of a result.
        """
        way = self._chosen([unit], ways)
        self._voluntary = True
        self._go([unit], way, BY_OTHER)
        return way

    def _company(self, unit: Unit, place: Hex) -> list[Leader]:
        """12.72: leaders who go along."""
        owner = self.series.owner(unit)
        return [leader for leader in place.leaders if owner.leader_stays_with(self.series, leader, unit)]

    def _enter(self, units: list[Unit], leaders: list[Leader], side: Hexside, passing: bool, why: i64) -> None:
        """8.23, 12.44: into the next hex in stacking order, on top or beneath, with the facing of who stands there.

        Leaders who go along arrive with the units: they are never alone on the way (12.72, 12.73).
        """
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
                self._note("retreat", unit, side, CAUSES[why])
        self.leaders_beside(to)

    def _note(self, kind: str, unit: Unit, side: Hexside, mode: str) -> None:
        event = Event(kind)
        event.side = unit.side
        event.unit = unit.id
        event.mode = mode
        event.hex = side.origin.id
        event.target_hex = side.to.id
        self.series.log.add(event)

    def _pass_terrain(self, units: list[Unit], side: Hexside) -> list[Unit]:
        """12.44: "d" and "D" terrain; returns those who may go on: a disordered unit that fails again halts."""
        going: list[Unit] = []
        for unit in units:
            if self.terrain_halts(unit, side):
                continue
            going.append(unit)
        return going

    def terrain_halts(self, unit: Unit, side: Hexside) -> bool:
        """9.47, 12.35c, 12.44, 12.6: whether the terrain entered disorders a unit that already was, and so stops it."""
        disorders = side.plain_disorders if unit.orders == ATTACK else side.disorders
        level = disorders[mover_class(unit)]
        if level == NO_DISORDER or self.by_road(unit, side):
            return False
        if level != AUTOMATIC and self.series.results.udd(unit, 0, "terrain"):
            return False
        return self.series.results.disorder(unit, CAUSE_TERRAIN)

    def defenders_first(self, attackers: list[Unit], defenders: list[Unit]) -> bool:
        """12.48: whether the defenders retreat first: unless they have the unit of the highest Cohesion Rating."""
        return self._highest(defenders) <= self._highest(attackers)

    def _highest(self, units: list[Unit]) -> i64:
        best: i64 = -1
        for unit in units:
            if unit.counts() and unit.cohesion() > best:
                best = unit.cohesion()
        return best

    # -- advance ---------------------------------------------------------------------------------------------------

    def may_advance(self, unit: Unit, place: Hex) -> bool:
        """12.6, 9.71: into an adjacent hex without enemies, over passable ground, within stacking limits; no guns."""
        if not unit.counts() or unit.kind == ARTILLERY or unit.orders == MARCH:
            return False
        if self.series.reinforcements.closed(place, unit.side):
            return False
        direction = unit.hex.direction_to(place)
        if direction < 0 or not unit.hex.sides[direction].passable(mover_class(unit)):
            return False
        holder = self.battle.held_by(place)
        if holder != -1 and holder != unit.side:
            return False
        return self.series.stacking.may_end(unit, place)

    def advance(self, unit: Unit, place: Hex) -> bool:
        """7.32, 9.61, 12.6: a unit advances one hex; True if it could go on, False if terrain halts it.

        Raises:
            CommanderError: it may not advance there.
        """
        if not self.may_advance(unit, place):
            raise CommanderError(
                f"Retreat.advance: {unit.id} may not advance from {unit.hex.id} into {place.id} (12.6)"
            )
        start = unit.hex
        side = start.sides[start.direction_to(place)]
        mates = self.battle.units_in(place)
        leaders = self._company(unit, start)
        self.battle.lift(unit)
        self.series.stacking.enter(unit, place, side)
        unit.advanced = True
        self.series.results.crew_arrives(unit, place)
        for leader in leaders:
            self.battle.stand_leader(leader, place)
        if self.series.log.level >= EVERYTHING:
            self._note("advance", unit, side, "")
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

    # -- leaders alone ---------------------------------------------------------------------------------------------

    def leaders_beside(self, place: Hex) -> None:
        """12.73: see to the leaders in the hexes around one that a unit has entered."""
        for side in place.sides:
            if side.on_map and side.to.leaders:
                self.leader_alone(side.to)

    def leader_alone(self, place: Hex) -> None:
        """12.73: leaders without friendly units beside an enemy join the nearest unit they can reach, or are killed."""
        for leader in list(place.leaders):
            holder = self.battle.held_by(place)
            if holder == leader.side or (holder < 0 and not self.battle.enemy_near(place, leader.side)):
                continue
            found = self._nearest(leader)
            if not found:
                self.series.results.kill(leader, "alone beside the enemy")
                continue
            self.battle.stand_leader(leader, found[0])
            leader.joined = True
            if self.series.log.level >= EVERYTHING:
                event = Event("leader")
                event.side = leader.side
                event.unit = leader.id
                event.mode = "alone"
                event.hex = place.id
                event.target_hex = found[0].id
                self.series.log.add(event)

    def _nearest(self, leader: Leader) -> list[Hex]:
        """12.73: the hex of the nearest friendly unit by leader movement points; of equals the first in the roster."""
        self.series.movement.flood(leader.hex, leader.side, PROHIBITED)
        stamp = self.battle.map.search
        found: list[Hex] = []
        best: i64 = 0
        for unit in self.battle.units:
            if unit.side != leader.side or not unit.counts() or unit.hex.stamp != stamp:
                continue
            if not found or unit.hex.cost < best:
                found = [unit.hex]
                best = unit.hex.cost
        return found

