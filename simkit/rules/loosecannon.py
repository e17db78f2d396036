"""A loose cannon (6.24): what a brigade does by itself when its brigadier acts on his own account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP, PROHIBITED
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, BY_OTHER, EXTENDED_LINE
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Node
    from simkit.model.forces import Command, Unit

LOOSE_NONE: Final[i64] = 0
LOOSE_CHARGE: Final[i64] = 1
LOOSE_CLOSE_UP: Final[i64] = 2
LOOSE_RETREAT: Final[i64] = 3

# movement points from a hex adjacent to the enemy within which an aggressive brigadier charges, on foot and mounted
CHARGE_ON_FOOT: Final[i64] = 3 * ONE_MP
CHARGE_MOUNTED: Final[i64] = 5 * ONE_MP


@mypyc_attr(allow_interpreted_subclasses=True)
class LooseCannon(Chapter):
    """The actions that an aggressive or cautious brigadier forces on his units In Command (6.24)."""

    def charge_or_close_up(self, units: list[Unit]) -> i64:
        """6.24: an aggressive brigadier charges if a unit is within 3 MPs (mounted 5) of a hex next to the enemy."""
        for unit in units:
            if self.within_charge(unit):
                return LOOSE_CHARGE
        return LOOSE_CLOSE_UP

    def orders_of(self, loose: i64) -> i64:
        """6.24: orders that a loose cannon puts his brigade under."""
        return ATTACK if loose == LOOSE_CHARGE else ADVANCE

    def within_charge(self, unit: Unit) -> bool:
        """6.24: whether a hex adjacent to an enemy unit is within 3 MPs of a unit, 5 if it is mounted cavalry.

        Counted at the cost of the terrain, as roads are no use in an attack (9.24).
        """
        if self.battle.beside_enemy(unit):
            return True
        limit = CHARGE_MOUNTED if unit.is_mounted() else CHARGE_ON_FOOT
        mover = self.series.movement.mover(unit)
        stamp = self.battle.map.next_search()
        unit.hex.stamp = stamp
        unit.hex.cost = 0
        frontier: list[Hex] = [unit.hex]
        at = 0
        # Costs are small and the area too: a hex is looked at again whenever a cheaper way to it turns up.
        while at < len(frontier):
            place = frontier[at]
            at += 1
            for side in place.sides:
                if not side.on_map or side.plain[mover] >= PROHIBITED:
                    continue
                beyond = side.to
                cost = place.cost + side.plain[mover]
                holder = self.battle.held_by(beyond)
                if cost > limit or (holder >= 0 and holder != unit.side):
                    continue
                if beyond.stamp == stamp and beyond.cost <= cost:
                    continue
                if self.battle.enemy_near(beyond, unit.side):
                    return True
                beyond.stamp = stamp
                beyond.cost = cost
                frontier.append(beyond)
        return False

    def run(self, brigade: Command) -> None:
        """6.24: make the units under a loose cannon do what he demands, as the brigade's action begins.

        By Gringo! only those charge that are in good order and begin close to the enemy, and a brigade in Confusion
        does nothing but take the orders (5.34).
        """
        forced = [unit for unit in brigade.units if unit.forced == 1 and unit.active and unit.counts()]
        units = self._nearest_first(forced)
        gringo = self.options.edition <= GRINGO
        closing_up: list[Unit] = []
        if gringo and brigade.loose == LOOSE_CHARGE:
            closing_up = [
                unit for unit in units
                if not self.battle.beside_enemy(unit) and (unit.disordered or not self.within_charge(unit))
            ]
        for unit in units:
            if unit.counts() and not unit.finished and not brigade.confused:
                if brigade.loose == LOOSE_CHARGE and unit not in closing_up:
                    self.charge(unit)
                elif brigade.loose == LOOSE_CHARGE or brigade.loose == LOOSE_CLOSE_UP:
                    self.close_up(unit)
                elif brigade.loose == LOOSE_RETREAT:
                    self.fall_back(unit)
            unit.forced = 2
        if brigade.loose == LOOSE_RETREAT:
            brigade.orders = ADVANCE
            for unit in units:
                unit.finished = True
                if unit.counts():
                    self.series.orders.give(unit, ADVANCE)
        brigade.loose = LOOSE_NONE

    def _nearest_first(self, units: list[Unit]) -> list[Unit]:
        ordered: list[Unit] = []
        far: list[i64] = []
        for unit in units:
            distance = self.nearest_enemy(unit).distance_to(unit.hex)
            at = len(ordered)
            while at > 0 and far[at - 1] > distance:
                at -= 1
            ordered.insert(at, unit)
            far.insert(at, distance)
        return ordered

    def nearest_enemy(self, unit: Unit) -> Hex:
        """Hex of the enemy combat unit nearest to a unit (the first in the roster of several), or the unit's own."""
        best = unit.hex
        least: i64 = 1000000
        for enemy in self.battle.units:
            if enemy.side != unit.side and enemy.counts():
                for part in enemy.parts:
                    distance = unit.hex.distance_to(part.hex)
                    if distance < least:
                        least = distance
                        best = part.hex
        return best

    def charge(self, unit: Unit) -> None:
        """6.24: move a unit adjacent to an enemy in its front, so that it charges, or as near to the enemy as it can.

        One that begins adjacent to an enemy stays and shocks.
        """
        if self.battle.beside_enemy(unit):
            self.face_enemy(unit)
            return
        if not self.series.movement.may_move(unit):
            return
        if unit.extended == EXTENDED_LINE:
            self.series.lines.press_on(unit, self.nearest_enemy(unit))
            return
        self.series.movement.search(unit)
        nodes: list[Node] = []
        places: list[Hex] = []
        for node in self.series.movement.reached:
            if self.enemy_ahead(node, unit.side) and self.series.movement.may_stop(node):
                if node.hex not in places:
                    places.append(node.hex)
                    nodes.append(node)
                else:
                    at = places.index(node.hex)
                    if node.cost < nodes[at].cost:
                        nodes[at] = node
        if not places or unit.kind == ARTILLERY:
            self.close_up(unit)
            return
        chosen = self.series.owner(unit).charge_to(self.series, unit, places)
        if chosen < 0 or chosen >= len(places):
            raise CommanderError(f"Commander.charge_to: {chosen} for {unit.id}; it should be 0 to {len(places) - 1}")
        self.series.movement.move(unit, nodes[chosen], nodes[chosen].heading)

    def enemy_ahead(self, node: Node, side: i64) -> bool:
        """Whether an enemy combat unit of `side` stands in a frontal hex of a node."""
        for hexside in node.ahead:
            holder = self.battle.held_by(hexside.to)
            if holder >= 0 and holder != side:
                return True
        return False

    def face_enemy(self, unit: Unit) -> None:
        """6.24, 7.24: turn a unit that begins adjacent to the enemy by one vertex if that brings him into its front."""
        if self.enemy_ahead(unit.hex.nodes[unit.heading], unit.side) or unit.extended == EXTENDED_LINE:
            return
        for turn in (2, 10):
            heading = (unit.heading + turn) % 12
            if self.enemy_ahead(unit.hex.nodes[heading], unit.side) and self.series.facing.may_turn(unit, heading):
                self.series.facing.turn(unit, heading)
                return

    def close_up(self, unit: Unit) -> None:
        """6.24: move a unit as far as it can towards the nearest enemy unit."""
        if not self.series.movement.may_move(unit):
            return
        enemy = self.nearest_enemy(unit)
        if unit.extended == EXTENDED_LINE:
            self.series.lines.press_on(unit, enemy)
            return
        least = unit.hex.distance_to(enemy)
        self.series.movement.search(unit)
        found: list[Node] = []
        for node in self.series.movement.reached:
            distance = node.hex.distance_to(enemy)
            if distance > least or not self.series.movement.may_stop(node):
                continue
            if distance < least:
                least = distance
                found = [node]
            elif found and node.cost < found[0].cost:
                found[0] = node
        if found:
            self.series.movement.move(unit, found[0], found[0].heading)

    def fall_back(self, unit: Unit) -> None:
        """6.24, 12.42: retreat a unit that is no artillery one hex; where there is no way it loses a point (12.44)."""
        if unit.kind != ARTILLERY:
            self.series.retreat.retreat([unit], 1, 1, [self.nearest_enemy(unit)], BY_OTHER)
