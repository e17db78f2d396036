"""Chapter 8, stacking: who may stand with whom, in what order, and how many of a stack can fire (8.1 to 8.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import NORMAL_FRONT
from simkit.model.forces import ADVANCE, ARTILLERY, EXTENDED_COLUMN, IN_ONE_HEX, MARCH
from simkit.model.formation import part_zone
from simkit.model.hexgrid import FRONT, opposite
from simkit.model.sections import Section, firers
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Part, Unit

# strength points in a hex by orders (8.12)
MARCH_FOOT: Final[i64] = 7
MARCH_HORSE: Final[i64] = 4
MOST_FOOT: Final[i64] = 15
MOST_HORSE: Final[i64] = 7
# batteries, or else guns, alone and together with others (8.12)
BATTERIES: Final[i64] = 2
GUNS: Final[i64] = 12
BATTERIES_WITH_OTHERS: Final[i64] = 1
GUNS_WITH_OTHERS: Final[i64] = 6
# strength points that fire from a hex (8.31)
FIRE_FOOT: Final[i64] = 7
FIRE_HORSE: Final[i64] = 4
FIRE_GUNS: Final[i64] = 12


@mypyc_attr(allow_interpreted_subclasses=True)
class Stacking(Chapter):
    """Stacks: their limits, their order, and their frontage of fire."""

    # -- limits ----------------------------------------------------------------------------------------------------

    def may_end(self, unit: Unit, place: Hex) -> bool:
        """8.11, 8.12, 8.25: whether a unit may stand in a hex with those that stand there now.

        A battery stands with any friends (8.12, 4.34 of Dead of Winter); abandoned guns do not count (12.8).
        """
        if not place.stack:
            return True
        mates = self._others(unit, place)
        return not mates or self._fits(unit, mates)

    def may_end_together(self, units: list[Unit], place: Hex) -> bool:
        """8.11, 12.44: whether units may come to stand in a hex together, with the others that stand there now."""
        mates = [part.unit for part in place.stack if part.unit.abandoned == 0 and part.unit not in units]
        for unit in units:
            if mates and not self._fits(unit, mates):
                return False
            mates.append(unit)
        return True

    def may_grow(self, unit: Unit) -> bool:
        """8.11, 8.12, 8.25: whether the hex of a unit has room for a strength point more of it.

        By the limits of Advance and Attack Orders, for those of March Orders bind only who moves.
        """
        mates = self._others(unit, unit.hex)
        if not mates:
            return True
        unit.strength += 1
        fits = self._room(unit, mates)
        unit.strength -= 1
        return fits

    def _fits(self, unit: Unit, mates: list[Unit]) -> bool:
        for mate in mates:
            if mate.extended == EXTENDED_COLUMN or unit.extended == EXTENDED_COLUMN:
                return False
            if mate.side != unit.side or (mate.orders == MARCH) != (unit.orders == MARCH):
                return False
        if unit.orders == MARCH:
            return self._march_room(unit, mates)
        return self._room(unit, mates)

    def may_all_end(self, units: list[Unit], place: Hex) -> bool:
        """8.11, 8.12, 8.21: whether units that move as a stack may stand in a hex with those others who stand there."""
        if len(units) == 1:
            return self.may_end(units[0], place)
        others = self._apart_from(units, place)
        for mate in others:
            if mate.extended == EXTENDED_COLUMN:
                return False
            if mate.side != units[0].side or (mate.orders == MARCH) != (units[0].orders == MARCH):
                return False
        if units[0].orders == MARCH:
            return self._march_room(units[0], units[1:] + others)
        return self._room(units[0], units[1:] + others)

    def march_limits_hold_for(self, units: list[Unit], place: Hex) -> bool:
        """8.12, 8.13, 8.21: whether a stack, with those others in a hex, keeps to the limits of March Orders."""
        return self._march_room(units[0], units[1:] + self._apart_from(units, place))

    def march_limits_among(self, units: list[Unit]) -> bool:
        """8.12, 8.21: whether units keep to the stacking limits of March Orders among themselves."""
        return self._march_room(units[0], units[1:])

    def _apart_from(self, units: list[Unit], place: Hex) -> list[Unit]:
        return [part.unit for part in place.stack if part.unit not in units and part.unit.abandoned == 0]

    def _others(self, unit: Unit, place: Hex) -> list[Unit]:
        return [part.unit for part in place.stack if part.unit is not unit and part.unit.abandoned == 0]

    def _room(self, unit: Unit, mates: list[Unit]) -> bool:
        """8.12, 8.37: the limits under Advance and Attack Orders; a battery counts as one unit."""
        batteries: i64 = 0
        guns: i64 = 0
        others: i64 = 0
        points: i64 = 0
        mounted = False
        first = unit
        for one in [unit, *mates]:
            if one.kind == ARTILLERY:
                batteries += 1
                guns += one.strength
                continue
            if others > 0 and (one.command is not first.command or self._apart(one, first)):
                return False
            first = one
            others += 1
            points += one.strength
            mounted = mounted or one.is_mounted()
        if others > 1 and points > (MOST_HORSE if mounted else MOST_FOOT):
            return False
        if others > 0:
            return batteries <= BATTERIES_WITH_OTHERS or guns <= GUNS_WITH_OTHERS
        return batteries <= BATTERIES or guns <= GUNS

    def _apart(self, one: Unit, other: Unit) -> bool:
        """8.41, 8.44, 8.5: whether one of two that are no guns is extended, so that they may not stand together."""
        return one.extended != IN_ONE_HEX or other.extended != IN_ONE_HEX

    def _march_room(self, unit: Unit, mates: list[Unit]) -> bool:
        """8.12: the limits of March Orders: one kind and brigade, 7 SP on foot, 4 mounted, 2 batteries or 12 guns."""
        points: i64 = unit.strength
        for mate in mates:
            if mate.kind != unit.kind or mate.is_mounted() != unit.is_mounted():
                return False
            if unit.kind != ARTILLERY and mate.command is not unit.command:
                return False
            points += mate.strength
        if unit.kind == ARTILLERY:
            return len(mates) < BATTERIES or points <= GUNS
        return points <= self.march_limit(unit)

    def march_limit(self, unit: Unit) -> i64:
        """8.12: strength points of its kind in a hex in March Orders."""
        if unit.kind == ARTILLERY:
            return GUNS
        return MARCH_HORSE if unit.is_mounted() else MARCH_FOOT

    def march_limits_hold(self, place: Hex, unit: Unit) -> bool:
        """8.12, 8.13: whether a unit, with those in the hex, keeps to the stacking limits of March Orders.

        A single battery always does (8.12).
        """
        mates = self._others(unit, place)
        if not mates:
            return unit.kind == ARTILLERY or unit.strength <= self.march_limit(unit)
        return self._march_room(unit, mates)

    # -- order in the stack ----------------------------------------------------------------------------------------

    def depth(self, unit: Unit, place: Hex, hexside: Hexside, free: bool = True) -> i64:
        """8.23: beneath how many of a stack a unit that crosses a hexside to end in the hex is placed.

        On top through a frontal hexside of those there, beneath them through any other. Whoever is no battery may
        choose where only batteries stand, and through their front may slip in beneath the batteries on top of others,
        but not if it retreats against its will (`free` is False).
        """
        mates = self._others(unit, place)
        if not mates:
            return 0
        front = part_zone(mates[0].part_in(place), opposite(hexside.direction)) == FRONT
        bottom: i64 = len(place.stack)
        if unit.kind == ARTILLERY or not free:
            return 0 if front else bottom
        batteries: i64 = 0
        while batteries < len(mates) and mates[batteries].kind == ARTILLERY:
            batteries += 1
        if batteries == len(mates):
            return 0 if self.series.owner(unit).stack_on_top(self.series, unit, place) else bottom
        if not front:
            return bottom
        if batteries > 0 and not self.series.owner(unit).stack_on_top(self.series, unit, place):
            return self._depth_below(place, batteries)
        return 0

    def _depth_below(self, place: Hex, units: i64) -> i64:
        """Depth beneath the first so many units of a stack that are no abandoned guns."""
        depth: i64 = 0
        passed: i64 = 0
        while passed < units:
            if place.stack[depth].unit.abandoned == 0:
                passed += 1
            depth += 1
        return depth

    def enter(self, unit: Unit, place: Hex, hexside: Hexside) -> None:
        """8.23: put a unit that stands nowhere into a hex that it enters across a hexside, to end there."""
        self.battle.stand_at(unit, place, self.depth(unit, place, hexside))

    def invert(self, place: Hex) -> None:
        """7.21, 8.44: after an about-face all but guns stand in the opposite order, above or beneath the guns."""
        units = self.battle.units_in(place)
        others = [one for one in units if one.kind != ARTILLERY]
        guns = [one for one in units if one.kind == ARTILLERY]
        if not others or len(units) == 1:
            return
        others.reverse()
        if not guns:
            self._arrange(place, others)
        elif self.series.owner(others[0]).stack_on_top(self.series, others[0], place):
            self._arrange(place, others + guns)
        else:
            self._arrange(place, guns + others)

    def reverse_others(self, place: Hex) -> None:
        """7.21, 8.26: an about-face is undone: all but guns stand in the opposite order again, among the guns there."""
        units = self.battle.units_in(place)
        others = [one for one in units if one.kind != ARTILLERY]
        if len(others) > 1:
            self._arrange(place, [one if one.kind == ARTILLERY else others.pop() for one in units])

    def may_reorder(self, unit: Unit) -> bool:
        """8.24: whether an active unit may change its place in a stack instead of moving: see `may_reorder_in`."""
        return any(self.may_reorder_in(unit, part.hex) for part in unit.parts)

    def may_reorder_in(self, unit: Unit, place: Hex) -> bool:
        """8.24, 5.34: whether an active unit may change its place in the stack of a hex instead of moving or turning.

        Under Advance Orders, guns apart, not once it has fired; in other orders not if it has stood still to fire. Nor
        next to an enemy, nor in Gringo!, which gives guns no leave to fire, in the frontal hex of one.
        """
        if not unit.active or unit.finished or unit.rallied or unit.resupplied or unit.restacked:
            return False
        if unit.moved or unit.faced > 0 or unit.orders == MARCH or self.series.orders.confused(unit):
            return False
        if self.series.orders.actions_over():
            return False
        as_others = unit.kind != ARTILLERY or self.options.edition == GRINGO
        if as_others and (unit.stood_to_fire or (unit.fired and unit.orders == ADVANCE)):
            return False
        if len(self.battle.units_in(place)) < 2:
            return False
        if self.options.edition == GRINGO:
            return not self.battle.in_enemy_front(place, unit.side)
        return not self.battle.enemy_near(place, unit.side)

    def reorder(self, units: list[Unit]) -> None:
        """8.24: put the units of one hex into a new order, top first, by moving active ones within the stack.

        Every active unit that comes to stand above or beneath another than before has changed its stacking order.

        Raises:
            CommanderError: not the units of one hex, or one would have to change its place that may not.
        """
        if not units:
            raise CommanderError("Stacking.reorder: no units; name all units of the hex, top first")
        place = units[0].hex
        for one in units:
            if one.extended == IN_ONE_HEX:
                place = one.hex  # that of an extended one may be another of its hexes
        old = self.battle.units_in(place)
        if len(old) != len(units) or [one for one in old if one not in units]:
            raise CommanderError(f"Stacking.reorder: name all units of hex {place.id}, top first, each once")
        movers: list[Unit] = []
        fixed: list[Unit] = []
        for one in old:
            if self.may_reorder_in(one, place):
                if old.index(one) != units.index(one):
                    movers.append(one)
            else:
                fixed.append(one)
        if [one for one in units if one in fixed] != fixed:
            raise CommanderError(f"Stacking.reorder: in {place.id} a unit would change places that may not (8.24)")
        self._arrange(place, units)
        for one in movers:
            one.restacked = True

    def _arrange(self, place: Hex, units: list[Unit]) -> None:
        """Put the units of a hex in this order; abandoned guns lie beneath them."""
        ordered = [unit.part_in(place) for unit in units]
        ordered.extend([part for part in place.stack if part.unit.abandoned != 0])
        place.stack.clear()
        place.stack.extend(ordered)
        self.battle.see_top(place)

    # -- frontage of fire ------------------------------------------------------------------------------------------

    def firing_limit(self, unit: Unit) -> i64:
        """8.31, 8.33: strength points with which a unit can fire out of its hexes, given those stacked above it."""
        if unit.extended == IN_ONE_HEX:
            return self.part_limit(unit.parts[0])
        points: i64 = 0
        for part in unit.parts:
            points += self.part_limit(part)
        return points

    def part_limit(self, part: Part) -> i64:
        """8.31, 8.33, 8.44: strength points with which a part can fire out of its hex, given those stacked above it.

        The topmost take up the frontage whether they fire or not. Guns fire only above all others (in Gringo! one
        battery on top of them); a battery above others may pass the limit of 7. Of an Extended Column only the parent
        hex fires (8.53). The sections of a battery share in what it can fire, from the top down.
        """
        unit = part.unit
        if isinstance(part, Section):
            left = self.part_limit(unit.parts[0])
            for section in unit.sections:
                if section is part:
                    break
                left -= section.guns
            return max(min(part.guns, left), 0)
        if unit.extended == EXTENDED_COLUMN and part is not unit.parts[0]:
            return 0
        above: list[Part] = []
        below_others = False
        has_others = False
        seen = False
        for one in part.hex.stack:
            if one.unit.abandoned != 0:
                continue
            if one.unit.kind != ARTILLERY:
                has_others = True
            if one is part:
                seen = True
            elif not seen:
                above.append(one)
                below_others = below_others or one.unit.kind != ARTILLERY
        if unit.kind == ARTILLERY:
            if below_others or (has_others and above and self.options.edition == GRINGO):
                return 0
            return self._guns_limit(unit, above, has_others)
        return self._others_limit(part, above)

    def _guns_limit(self, unit: Unit, above: list[Part], with_others: bool) -> i64:
        """8.31: a battery's share: of 12 guns in a hex without others, else of 7 or one battery."""
        taken: i64 = 0
        for one in above:
            taken += one.points()
        if not with_others:
            return max(min(unit.strength, FIRE_GUNS - taken), 0)
        if not above:
            return unit.strength
        return max(min(unit.strength, FIRE_FOOT - taken), 0)

    def _others_limit(self, part: Part, above: list[Part]) -> i64:
        """8.31, 14.25: the share of a part that is no battery: of 7 in all, mounted cavalry of 4 among them."""
        taken: i64 = 0
        horse: i64 = 0
        others = False
        for at, one in enumerate(above):
            points = one.fighting()
            if one.unit.kind == ARTILLERY:
                if others or (at > 0 and self.options.edition == GRINGO):
                    continue  # guns under others never fire, so they take up no frontage (8.33)
            else:
                others = True
                if one.unit.is_mounted():
                    horse += min(points, FIRE_HORSE - horse)
                    taken += min(points, FIRE_HORSE)
                    continue
            taken += points
        most = min(part.fighting(), FIRE_FOOT - taken)
        if part.unit.is_mounted():
            most = min(most, FIRE_HORSE - horse)
        return max(most, 0)

    def front_limit(self, part: Part, front: i64) -> i64:
        """7.34: strength points with which a part of a refused stack can fire through one of its fronts.

        Of all that the stack can fire at most half, rounded down, goes through the Refused Frontal hex and at most
        half, rounded up, through the normal ones. From the top down each fills the normal fronts first, sections as if
        they were units.

        Args:
            part: the part.
            front: NORMAL_FRONT or REFUSED_FRONT.
        """
        before: i64 = 0
        whole: i64 = 0
        own: i64 = 0
        for one in part.hex.stack:
            if one.unit.abandoned != 0:
                continue
            for shooter in firers(one.unit) if one.unit.sections else [one]:
                limit = self.part_limit(shooter)
                if shooter is part:
                    before = whole
                    own = limit
                whole += limit
        normal = max(min(own, whole - whole // 2 - before), 0)
        return normal if front == NORMAL_FRONT else own - normal

    # -- what fire asks of a stack ---------------------------------------------------------------------------------

    def target_strength(self, place: Hex) -> i64:
        """8.34: strength points of a hex that make it a massed or dispersed target: all but guns."""
        points: i64 = 0
        for part in place.stack:
            if part.unit.kind != ARTILLERY:
                points += part.points()
        return points
