"""Rule 9.63: mounted cavalry and artillery that move off before an enemy who comes near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_REACTION_MOVE, HORSE, ONE_MP
from simkit.model.forces import ADVANCE, ARTILLERY, EXTENDED_COLUMN, INFANTRY, MARCH, Unit
from simkit.model.formation import part_faces
from simkit.model.log import EVERYTHING, Event
from simkit.rules.chapter import Chapter
from simkit.rules.combatresults import CAUSE_NAMES
from simkit.rules.commander import Way
from simkit.rules.firemodifiers import APPROACH
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.rules.options import Options
    from simkit.rules.series import Series

MOST_HEXES: Final[i64] = 2  # of a reaction move (9.63)
GUNS_SEEN: Final[i64] = 4  # hexes within which guns come no closer to an enemy who sees them (9.63)
CLEAR: Final = "clear"  # the terrain that adds nothing to the check of cavalry (9.63)


@mypyc_attr(allow_interpreted_subclasses=True)
class ReactionMovement(Chapter):
    """Moves in reaction to enemy movement."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.movers: list[Unit] = []  # all artillery and cavalry of the battle, once looked for
        self.looked = False
        self.leaving = True  # those on the move leave their hexes

    # -- who may (9.62, 9.63) --------------------------------------------------------------------------------------

    def in_other_front(self, side: i64, place: Hex, causes: list[Unit]) -> bool:
        """9.62, 9.63: whether a hex is a frontal hex of an enemy unit of `side` other than `causes`."""
        if not self.battle.enemy_near(place, side):
            return False
        for hexside in place.sides:
            for part in hexside.to.stack:
                enemy = part.unit
                if enemy.side == side or enemy.abandoned != 0 or enemy in causes:
                    continue
                if part_faces(part, place):
                    return True
        return False

    def may_move_off(self, unit: Unit, movers: list[Unit]) -> bool:
        """9.63, 6.13, 6.32, 10.45: whether mounted cavalry or artillery may move in reaction to enemies on the move.

        Artillery once in an enemy activation, and not in one in which it has used approach fire. No Extended Column,
        but in Gringo!, where only 9.61 names it.
        """
        if unit.side == self.battle.phasing or not unit.counts() or unit.orders == MARCH or unit.command.in_reserve:
            return False
        if unit.extended == EXTENDED_COLUMN and self.options.edition > GRINGO:
            return False
        if unit.kind != ARTILLERY and not unit.is_mounted():
            return False
        if unit.kind == ARTILLERY and (unit.moved_off or self.series.fire.answered(unit, APPROACH)):
            return False
        return not self.in_other_front(unit.side, unit.hex, movers)

    # -- the enemy is about to enter a hex -------------------------------------------------------------------------

    def about_to_enter(self, movers: list[Unit], places: list[Hex], cost: i64, leaving: bool = True) -> bool:
        """9.63, 16.12: a phasing unit is about to move into a hex, a line into several: who moves off before.

        Args:
            movers: the phasing unit, or all of a stack that moves as one (8.21), still where they were; afterwards
                they must go on unless they are gone or finished.
            places: the hexes that they are about to enter, in the order of the parts of a line.
            cost: half movement points that they need for that, which a fire before must leave them.
            leaving: whether they leave their hexes; a unit that extends does not.

        Returns:
            Whether anybody has moved off.
        """
        if not self.looked:
            self.looked = True
            for unit in self.battle.units:
                if unit.kind != INFANTRY:
                    self.movers.append(unit)
        self.leaving = leaving
        most = self.series.night.reaction_range()
        moved = False
        for unit in self.movers:
            if unit.side == movers[0].side:
                continue
            place = self._nearest(unit, places)
            if unit.hex.distance_to(place) > most or not self.may_move_off(unit, movers):
                continue
            if self.series.owner(unit).reaction_move(self.series, unit, movers[0], place):
                moved = self._move_off(unit, movers, places, cost) or moved
                if not movers[0].counts() or movers[0].finished:
                    break
        return moved

    def _nearest(self, unit: Unit, places: list[Hex]) -> Hex:
        best = places[0]
        for place in places:
            if unit.hex.distance_to(place) < unit.hex.distance_to(best):
                best = place
        return best

    def _move_off(self, unit: Unit, movers: list[Unit], places: list[Hex], cost: i64) -> bool:
        """9.63: one unit moves off, after the fire of the phasing unit at artillery; False if it stays after all."""
        mover = movers[0]
        start = unit.hex
        most = MOST_HEXES
        if unit.kind == ARTILLERY and self._fired_before(unit, mover, cost):
            strength = unit.strength
            disordered = unit.disordered
            origin = mover.hex
            self.series.fire.phasing(mover, [start], False, False)
            if not unit.counts() or unit.hex is not start:
                return False
            if not mover.counts() or mover.finished or mover.hex is not origin:
                return False  # it enters no hex to which anybody could react
            if unit.strength < strength or unit.disordered != disordered:
                most = 1
        ways = self.ways(unit, movers, places, most)
        if not ways:
            return False
        self.note_reaction(unit, mover, "move")
        unit.moved_off = True
        if unit.kind != ARTILLERY:
            unit.turn_acted = True  # 13.45
        self._go(unit, ways, places)
        return True

    def _fired_before(self, unit: Unit, mover: Unit, cost: i64) -> bool:
        """9.63: whether the phasing unit may fire at a battery before it moves off, and its owner wants it to."""
        fire = self.series.fire
        if not fire.may_fire(mover) or self.battle.top_unit(unit.hex) is not unit:
            return False
        if mover.orders == ADVANCE and mover.kind != ARTILLERY:
            return False  # 6.15: it moves
        if unit.hex not in fire.targets(mover):
            return False
        mover.fired = True  # 10.61: guns that fire have half their movement
        affordable = cost <= self.series.movement.allowance(mover)
        mover.fired = False
        return affordable and self.series.owner(mover).fire_before_reaction(self.series, mover, unit)

    def ways(self, unit: Unit, movers: list[Unit], places: list[Hex], most: i64) -> list[Way]:
        """9.63, 12.44: ways of up to `most` hexes by which a unit may move off, as if the enemy had come."""
        mover = movers[0]
        if not self.leaving or (len(mover.parts) > 1 and len(movers) > 1):
            return self._ways(unit, places, most)
        if len(mover.parts) > 1:
            old: list[Hex] = [part.hex for part in mover.parts]
            depths: list[i64] = [part.hex.stack.index(part) for part in mover.parts]
            self.battle.move_parts(mover, self._after_step(mover, places), [0 for _ in depths])
            ways = self._ways(unit, places, most)
            self.battle.move_parts(mover, old, depths)
            return ways
        origin = mover.hex
        order: list[Unit] = [part.unit for part in origin.stack]
        for one in movers:
            self.battle.lift(one)
            self.battle.stand(one, places[0], True)
        ways = self._ways(unit, places, most)
        for one in movers:
            self.battle.lift(one)
        for depth, one in enumerate(order):
            if one in movers:
                self.battle.stand_at(one, origin, depth)
        return ways

    def _ways(self, unit: Unit, places: list[Hex], most: i64) -> list[Way]:
        ways = self.series.retreat.ways([unit], 1, most, places)
        if unit.kind == ARTILLERY:
            ways = [way for way in ways if self._keeps_off(unit, way)]
        return ways

    def _after_step(self, unit: Unit, places: list[Hex]) -> list[Hex]:
        """The hexes of a line's parts once they have entered others, given in the order of the parts that move."""
        after: list[Hex] = [part.hex for part in unit.parts]
        at = 0
        for part_at, part in enumerate(unit.parts):
            if at < len(places) and part.hex.direction_to(places[at]) >= 0:
                after[part_at] = places[at]
                at += 1
        return after

    def _keeps_off(self, unit: Unit, way: Way) -> bool:
        """9.63: whether no hex of a way brings guns closer to an enemy within four hexes who sees them."""
        here = unit.hex
        for place in way.hexes:
            for enemy in self.battle.units:
                if enemy.side == unit.side or not enemy.counts():
                    continue
                for part in enemy.parts:
                    away = part.hex.distance_to(here)
                    if away > GUNS_SEEN or part.hex.distance_to(place) >= away:
                        continue
                    if self.series.sight.clear(part.hex, here):
                        return False
            here = place
        return True

    def _go(self, unit: Unit, ways: list[Way], places: list[Hex]) -> None:
        """9.63, 12.46: it goes, and checks before those through whom it went; disordered again it loses one point."""
        results = self.series.results
        alone = not results.opened and not results.settling
        if alone:
            results.begin(places)
        start = unit.hex
        way = self.series.retreat.in_reaction(unit, ways)
        if unit.counts():
            drm: i64 = 0 if unit.kind == ARTILLERY else self._hard_going(unit, start, way)
            if not results.udd(unit, drm, CAUSE_NAMES[CAUSE_REACTION_MOVE]):
                results.disorder(unit, CAUSE_REACTION_MOVE)
        if alone:
            results.end()

    def _hard_going(self, unit: Unit, start: Hex, way: Way) -> i64:
        """9.63, 8.13: what the ground adds to the check of cavalry: MPs of hexsides crossed and of hexes not clear."""
        drm: i64 = 0
        here = start
        for place in way.hexes:
            if here is unit.hex:
                break  # the ground has stopped it there (12.44)
            side = here.sides[here.direction_to(place)]
            drm += self._hard_step(unit, side)
            here = place
        return drm

    def _hard_step(self, unit: Unit, side: Hexside) -> i64:
        clear = side.to.terrain.name == CLEAR
        points = side.hexside_costs[HORSE]
        if not clear:
            points += side.to.terrain.cost(HORSE)
        if unit.orders == ADVANCE and self.series.retreat.by_road(unit, side):
            points = min(points, 0 if clear else side.advance[HORSE])
        return (points + ONE_MP - 1) // ONE_MP

    def note_reaction(self, unit: Unit, cause: Unit, mode: str) -> None:
        """Tell the log of a reaction: facing, refusal or move."""
        if self.series.log.level >= EVERYTHING:
            event = Event("reaction")
            event.side = unit.side
            event.unit = unit.id
            event.target = cause.id
            event.hex = unit.hex.id
            event.mode = mode
            self.series.log.add(event)


__all__ = ["ReactionMovement"]
