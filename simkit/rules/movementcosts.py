"""Chapter 9, movement: allowances, what bars a hex to a unit, and what each step costs it (9.1, 9.2, 9.4, 9.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battlemap import OFF_ROAD
from simkit.model.charts import FOOT, GUNS, HORSE, NO_DISORDER, ONE_MP, PROHIBITED
from simkit.model.clusters import Clusters
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    MARCH,
)
from simkit.rules.leadermovement import LeaderMovement
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

MARCH_DISTANCE: Final[i64] = 4  # hexes from the enemy and in his sight that units on the march keep (9.22)
GUN_DISTANCE: Final[i64] = 3  # hexes from the enemy within which guns do not move (9.55)
THROUGH_UNITS: Final[i64] = 4  # half MPs for moving through another unit (8.22)

# moving through the units of a hex (8.22)
NOBODY: Final[i64] = 0
FREELY: Final[i64] = 1  # past guns
WITH_CHECK: Final[i64] = 2
NEVER: Final[i64] = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class MovementCosts(LeaderMovement):
    """What a unit may spend, what it may enter, and at what cost."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        # what the unit under way is and may do
        self._mover: i64 = FOOT
        self._roads = False
        self._sought: list[Unit] = []  # the unit or stack of the latest search
        self._forming = False  # which was for a column (8.13)
        self._file: list[Unit] = []  # the unit under way in column, or about to be
        self._party: list[Unit] = []  # the stack under way, where it is more than one unit (8.21)
        self._enemies: list[Hex] = []  # hexes of enemy units that may bar a march or guns
        self._gathered = Clusters()  # the same while many hexes are asked about, as in a search
        self._many = False
        self._looker: Unit | None = None  # who looked round last, and what else that hung on
        self._looked_from: Hex | None = None
        self._looked_at: i64 = -1
        self._looked_in: i64 = -1
        self._looked_far: i64 = 0
        self._away: i64 = 0  # hexes to the nearest of them
        self._look: i64 = 0  # the number under which hexes know whether one of these sees them
        self._nearest: i64 = 0  # hexes to the nearest of them; for guns, from where they began the activation

    # -- allowances (9.1) ------------------------------------------------------------------------------------------

    def mover(self, unit: Unit) -> i64:
        """9.14, 9.41: class of mover: FOOT (also dismounted cavalry), HORSE or GUNS (also horse artillery)."""
        if unit.kind == ARTILLERY:
            return GUNS
        return HORSE if unit.is_mounted() else FOOT

    def activation_allowance(self, unit: Unit, disordered: bool) -> i64:
        """9.11, 9.12, 9.21, 9.24, 11.58, 12.31, 17.31: half MPs of one activation, on the good or the disordered side.

        Halved and rounded up to whole MPs under Attack Orders or when Blown, then less half the Fatigue.
        """
        return max(self._points(unit, disordered) - unit.fatigue.half, 0) * ONE_MP

    def _points(self, unit: Unit, disordered: bool) -> i64:
        points = unit.movement_disordered if disordered else unit.movement_good
        if disordered and unit.kind == ARTILLERY:
            if self.options.disordered_guns_move or self.options.edition <= GRINGO:
                points = unit.movement_good  # 12.31
        return (points + 1) // 2 if unit.orders == ATTACK or unit.blown else points

    def full_allowance(self, unit: Unit, disordered: bool) -> i64:
        """5.35, 9.11, 9.12, 9.21, 9.24, 10.61, 11.58, 12.31, 14.22, 17.31: half MPs of the whole activation under way.

        In good order or disordered, as for one activation; on the march as many activations' worth as the marker
        gives, of which mounting or dismounting halves one before Fatigue is taken off; halved for guns that have fired.
        """
        whole = self.activation_allowance(unit, disordered) * unit.equivalents
        if unit.remounted:
            points = self._points(unit, disordered)
            whole = max(whole - (points - self.series.mounting.allowance(unit, points)) * ONE_MP, 0)
        if unit.kind == ARTILLERY and unit.fired:
            whole //= 2
        return whole

    def remaining(self, unit: Unit) -> i64:
        """7.32, 9.12, 9.13, 12.33: half MPs that a unit has left in this activation."""
        return max(self.full_allowance(unit, unit.disordered) - unit.spent - unit.docked, 0)

    def allowance(self, unit: Unit) -> i64:
        """7.33, 9.12, 9.13, 12.33: half MPs left to a unit to move with, but for what a refused one pays first."""
        return max(self.remaining(unit) - self.series.refusal.price_to_leave(unit), 0)

    def may_spend(self, unit: Unit) -> bool:
        """8.41, 9.13, 9.53, 10.13: whether an active unit may spend movement points now, if it has any left.

        Not once it has done something else instead, has come adjacent to an enemy, withdrawn, advanced or charged, nor
        once another unit has begun its Movement/Fire after it.
        """
        if not unit.active or not unit.counts() or unit.finished or unit.completed:
            return False
        if unit.rallied or unit.resupplied or unit.restacked or unit.stood_to_fire:
            return False
        if unit.came_adjacent or unit.halted or unit.withdrew or unit.advanced or unit.retreated or unit.charging:
            return False
        return self.series.orders.may_move(unit)

    def may_move(self, unit: Unit) -> bool:
        """8.23, 9.22, 9.53, 10.13: whether a unit may leave its hex now.

        Not if it has ended a move among others, nor if it has turned more than one vertex next to an enemy, nor on the
        march in sight of a near enemy.
        """
        if unit.waiting:
            return self.series.reinforcements.may_enter(unit)
        if unit.ended or not self.may_spend(unit) or (unit.moved and self.allowance(unit) == 0):
            return False
        if unit.faced > 1 and self.battle.beside_enemy(unit):
            return False
        if unit.orders != MARCH:
            return True
        if self.battle.beside_enemy(unit):
            return False
        self._look_round(unit)
        return not any(self._seen(part.hex, MARCH_DISTANCE) for part in unit.parts)

    # -- what bars a hex (9.22, 9.23, 9.5) -------------------------------------------------------------------------

    def _look_round(self, unit: Unit) -> None:
        """Note the enemies near enough to bar hexes to a unit on the march or to guns.

        Whoever looks again before anybody has come or gone sees the same.
        """
        if unit.orders != MARCH and unit.kind != ARTILLERY:
            self._forget_enemies()
            return
        # no hex that it can reach is farther than this, and no enemy farther from there matters
        reach = self.allowance(unit) // (1 if unit.orders == MARCH else ONE_MP) + MARCH_DISTANCE + 1
        again = unit is self._looker and unit.hex is self._looked_from and reach == self._looked_far
        again = again and self._looked_at == self.battle.stirred(1 - unit.side)
        if not again or self._looked_in != self.battle.activation or unit.waiting:
            self._look_for_enemies(unit, reach)
        self._nearest = self._away if unit.guns_near < 0 else unit.guns_near

    def _forget_enemies(self) -> None:
        self._enemies.clear()
        self._many = False
        self._look = self.battle.map.next_search()
        self._nearest = PROHIBITED
        self._looker = None

    def _look_for_enemies(self, unit: Unit, reach: i64) -> None:
        """Note the enemies within so many hexes of a unit."""
        self._forget_enemies()
        self._looker = unit
        self._looked_from = unit.hex
        self._looked_at = self.battle.stirred(1 - unit.side)
        self._looked_in = self.battle.activation
        self._looked_far = reach
        self._away = PROHIBITED
        for place in self.battle.hexes_of(1 - unit.side):
            away: i64 = 0  # from whoever waits off the map any enemy may matter
            if not unit.waiting:
                away = place.distance_to(unit.hex)
                self._away = min(self._away, away)
            if away <= reach:
                self._enemies.append(place)

    def _gather(self) -> None:
        """Gather the enemies of the latest look round, before many hexes are asked about."""
        if self._many:
            return
        self._gathered.clear()
        for place in self._enemies:
            self._gathered.add(place)
        self._many = True

    def nearest_enemy(self, unit: Unit) -> i64:
        """9.55: hexes from a unit to the nearest enemy combat unit; PROHIBITED if it is off the map."""
        return self.enemy_from(unit, unit.hex)

    def enemy_from(self, unit: Unit, place: Hex) -> i64:
        """9.55: hexes from a hex to the combat unit nearest to it of a unit's enemies."""
        nearest: i64 = PROHIBITED
        if unit.waiting:
            return nearest
        for held in self.battle.hexes_of(1 - unit.side):
            nearest = min(nearest, held.distance_to(place))
        return nearest

    def _seen(self, place: Hex, within: i64) -> bool:
        """Whether an enemy within so many hexes has a line of sight to a hex; units do not block it (9.55, 10.26)."""
        if place.looked == self._look and place.looked_within == within:
            return place.watched
        watched = False
        if not self._many or self._gathered.nearest(place) <= within:
            for enemy in self._enemies:
                if place.distance_to(enemy) <= within and self.series.sight.clear(enemy, place):
                    watched = True
                    break
        place.looked = self._look
        place.looked_within = within
        place.watched = watched
        return watched

    def bars(self, unit: Unit, side: Hexside) -> bool:
        """9.22, 9.23, 9.52, 9.55, 12.34: whether nearby enemies forbid a unit to enter a hex across a hexside.

        So does a movement limit of the scenario.
        """
        place = side.to
        if place.closed & unit.bound != 0 or (place.entrance is not None and self._closed(unit, side)):
            return True
        near = self.battle.enemy_near(place, unit.side)
        if unit.orders == MARCH and (near or self._seen(place, MARCH_DISTANCE)):
            return True
        if near:
            if unit.kind == ARTILLERY or (unit.disordered and not unit.charging):
                return True
            if unit.orders == ADVANCE and self.battle.enemy_line_near(place, unit.side):
                return not side.by_crossing and not self._beyond_reach(unit, place)
            return False
        return unit.kind == ARTILLERY and self._guns_barred(unit, place)

    def _closed(self, unit: Unit, side: Hexside) -> bool:
        """9.71: whether it leads into an entrance of enemies who may still enter, and not from off the map."""
        return side.origin.index >= 0 and self.series.reinforcements.closed(side.to, unit.side)

    def _beyond_reach(self, unit: Unit, place: Hex) -> bool:
        """9.52: whether no hexside between a hex and the adjacent enemy infantry and cavalry can be crossed."""
        mover = self.mover(unit)
        for side in place.sides:
            if not side.passable(mover):
                continue
            for part in side.to.stack:
                other = part.unit
                if other.side != unit.side and other.kind != ARTILLERY:
                    return False
        return True

    def _guns_barred(self, unit: Unit, place: Hex) -> bool:
        """9.55: whether guns may not enter a hex, by the option in use."""
        if self.options.artillery_near_enemy == 2:
            return self._open_to_cavalry(unit, place)
        if not self._seen(place, GUN_DISTANCE):
            return False
        if self._nearest > GUN_DISTANCE:
            return True
        nearest: i64 = PROHIBITED
        for enemy in self._enemies:
            nearest = min(nearest, place.distance_to(enemy))
        return nearest < self._nearest

    def _open_to_cavalry(self, unit: Unit, place: Hex) -> bool:
        """9.55 option 2: whether mounted enemies are within three hexes and no friends but guns in or next to a hex."""
        if self.battle.enemy_line_near(place, 1 - unit.side):
            return False
        for part in place.stack:
            if part.unit.side == unit.side and part.unit.kind != ARTILLERY:
                return False
        for enemy in self._enemies:
            if place.distance_to(enemy) <= GUN_DISTANCE:
                for part in enemy.stack:
                    if part.unit.is_mounted():
                        return True
        return False

    # -- what a hexside costs (9.4) --------------------------------------------------------------------------------

    def as_column(self, unit: Unit) -> bool:
        """6.13, 8.5, 8.12, 8.13: whether a unit that moves now does so in Extended Column.

        It must if it is one, or too strong for one hex under March Orders; under Advance Orders it does if the latest
        search was for a column.
        """
        if unit.extended != IN_ONE_HEX:
            return unit.extended == EXTENDED_COLUMN
        if unit.orders == ATTACK or (unit.orders != MARCH and not self._sought_as_column(unit)):
            return False
        return self.series.columns.extensions(unit) > 0

    def _sought_as_column(self, unit: Unit) -> bool:
        if len(self._file) > 0 and self._file[0] is unit:
            return True
        return self._forming and len(self._sought) > 0 and self._sought[0] is unit

    def uses_roads(self, unit: Unit) -> bool:
        """8.13, 9.24, 9.43: whether a unit's orders and strength let it use thoroughfares, bridges and fords."""
        if unit.orders == ATTACK or unit.extended == EXTENDED_LINE:
            return False
        if self.as_column(unit):
            return True
        if unit.orders == MARCH or unit.kind == ARTILLERY:
            return True
        return unit.strength <= self.series.stacking.march_limit(unit)

    def prepare(self, unit: Unit) -> None:
        """Note once what the prices of a unit's moves depend on."""
        self.battle.look_at_fords()
        self._mover = self.mover(unit)
        self._roads = self.uses_roads(unit)
        if self._party:
            self._party = []
        self._look_round(unit)

    def prepare_in_one_hex(self, unit: Unit) -> None:
        """8.13: the same for a unit that forms no column by what it does, whatever the latest search was for."""
        forming = self._forming
        self._forming = False
        self.prepare(unit)
        self._forming = forming

    def prepare_stack(self, units: list[Unit]) -> Unit:
        """8.21: the same for units that move as a stack; the one of them that most binds, to ask prices for."""
        lead = units[0]
        for unit in units:
            if unit.disordered:
                lead = unit
        self.prepare(lead)
        if len(units) > 1:
            self._party = units
            for unit in units:
                self._nearest = max(self._nearest, unit.guns_near)
        return lead

    def least_allowance(self, units: list[Unit]) -> i64:
        """8.21, 9.13: half MPs left to a stack that moves as one: the least of its units."""
        least = self.allowance(units[0])
        for unit in units:
            least = min(least, self.allowance(unit))
        return least

    def under_way(self, unit: Unit, other: Unit) -> bool:
        """8.21: whether another unit is the one under way itself, or moves with it as a stack."""
        return other is unit or (len(self._party) > 0 and other in self._party)

    def price(self, unit: Unit, side: Hexside) -> i64:
        """9.41, 9.43, 9.44, 9.45, 9.46, 9.51: half MPs to enter a hex across a hexside, PROHIBITED if it may not.

        Call `prepare` first. `side.by_road` then says whether it goes along a thoroughfare, `side.by_crossing` whether
        by a bridge or ford; whoever may not use that wades, where the water lets it.
        """
        side.by_road = False
        side.by_crossing = False
        if not side.on_map:
            return PROHIBITED
        if side.origin.index < 0:
            return self.series.reinforcements.entry_price(unit, side)
        holder = side.to.holder
        if holder >= 0 and holder != unit.side:
            return PROHIBITED
        cost = side.costs[self._mover]
        on_roads = self._roads
        if side.crossing:
            side.by_crossing = on_roads and not self._crossing_taken(unit, side)
            on_roads = side.by_crossing
            if not on_roads:
                cost = side.plain[self._mover]
        if self.bars(unit, side):
            return PROHIBITED
        if on_roads:
            other = side.march[self._mover] if unit.orders == MARCH else side.advance[self._mover]
            if other <= cost:
                cost = other
                side.by_road = side.road != OFF_ROAD
        return cost

    def bare_price(self, unit: Unit, side: Hexside) -> i64:
        """8.42: half MPs of the ground alone across a hexside, whoever stands beyond it, without roads and bridges."""
        side.by_road = False
        side.by_crossing = False
        return side.plain[self.mover(unit)] if side.on_map else PROHIBITED

    def _crossing_taken(self, unit: Unit, side: Hexside) -> bool:
        """8.22 Bridge/Ford Exception: whether another unit under March Orders stands at either end."""
        for place in (side.origin, side.to):
            for part in place.stack:
                other = part.unit
                if other.orders == MARCH and other.abandoned == 0 and not self.under_way(unit, other):
                    return True
        return False

    def through(self, unit: Unit, place: Hex) -> i64:
        """8.22: how a unit may move through those in a hex: NOBODY there, FREELY past guns, WITH_CHECK, or NEVER."""
        found = NOBODY
        for part in place.stack:
            other = part.unit
            if other.abandoned != 0 or self.under_way(unit, other):
                continue
            if unit.kind == ARTILLERY:
                if other.kind != ARTILLERY:
                    return NEVER
                found = WITH_CHECK
            elif other.kind != ARTILLERY:
                return WITH_CHECK
            else:
                found = FREELY
        return found

    def passage(self, unit: Unit, way_in: Hexside, by_road: bool, way_out: Hexside) -> i64:
        """8.22: half MPs, besides the terrain, for passing through the units of a hex; PROHIBITED if it never may.

        Along pikes and roads it passes at no cost; where those there are on the march it pays for the ground instead.
        """
        manner = self.through(unit, way_in.to)
        if manner < WITH_CHECK:
            return 0
        if by_road and way_out.by_road and self._for_units(way_in) and self._for_units(way_out):
            for part in way_in.to.stack:
                other = part.unit
                if other.orders == MARCH and other.abandoned == 0 and not self.under_way(unit, other):
                    return max(way_in.plain[self._mover] - self._road_price(unit, way_in), 0)
            return 0
        return PROHIBITED if manner == NEVER else THROUGH_UNITS

    def passage_modifier(self, unit: Unit, place: Hex) -> i64:
        """8.22, 9.41: what the check adds for having moved through others: the cost of the hex, from two MPs up.

        That of its terrain; what a hexside costs to cross is no part of it, so there is none in the clear.
        """
        points = place.terrain.cost(self.mover(unit)) // ONE_MP
        return points if points >= 2 else 0

    def _for_units(self, side: Hexside) -> bool:
        """8.22 Road Exception: a pike or road, along which units pass through others."""
        return len(side.roads) > 0 and side.roads[0].through_units

    def _road_price(self, unit: Unit, side: Hexside) -> i64:
        return side.march[self._mover] if unit.orders == MARCH else side.advance[self._mover]

    def turn_price(self, unit: Unit, place: Hex, steps: i64, at_start: bool) -> i64:
        """7.21-7.24: half MPs to turn before leaving a hex; where it starts, earlier turns in the hex count in."""
        if place.index < 0:
            return 0  # off the map a unit faces as it likes
        facing = self.series.facing
        if not at_start:
            return facing.turn_cost(unit, place, steps)
        if not self._party:
            return PROHIBITED if steps > facing.may_leave_after(unit) else facing.further_cost(unit, steps)
        dearest: i64 = 0
        for one in self._party:
            if steps > facing.may_leave_after(one):
                return PROHIBITED
            dearest = max(dearest, facing.further_cost(one, steps))
        return dearest

    def disorder_across(self, unit: Unit, side: Hexside, by_road: bool) -> i64:
        """9.47: NO_DISORDER, UDD or AUTOMATIC for a unit that crosses a hexside; none along a thoroughfare.

        After `price` for the same unit and hexside.
        """
        if by_road:
            return NO_DISORDER
        if side.crossing and not side.by_crossing:
            return side.plain_disorders[self.mover(unit)]
        return side.disorders[self.mover(unit)]
