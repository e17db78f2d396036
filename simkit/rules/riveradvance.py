"""A corps that must first cross a river: Crittenden's advance (21.2 of Dead of Winter)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import GUNS
from simkit.model.forces import ATTACK, EXTENDED_LINE
from simkit.model.hexgrid import opposite
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Node
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.scenario_rules import AdvanceAcross
    from simkit.rules.series import Series

NOWHERE: Final[i64] = 1000000  # hexes to a bank that cannot be reached


@mypyc_attr(allow_interpreted_subclasses=True)
class RiverAdvance(Chapter):
    """What the option `crittendens_attack` does in a scenario that has such a rule; nothing in any other."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._version: i64 = -1  # of the waters when the distances below were measured
        self._far: list[list[int]] = [[] for _ in range(GUNS + 1)]  # by class of mover and hex: hexes to the far bank

    def in_force(self) -> list[AdvanceAcross]:
        """21.2: the rule, while the corps has activations left in which it must make for the river; none or one."""
        if not self.options.crittendens_attack:
            return []
        return [one for one in self.series.scenario.advances if self.battle.course.advances < one.activations]

    def _under(self, advance: AdvanceAcross, command: Command) -> bool:
        at = command
        while at is not advance.command:
            if at.superior is at:
                return False
            at = at.superior
        return True

    def _waits(self, advance: AdvanceAcross, unit: Unit) -> bool:
        """21.2: whether a unit is one of the corps and has still to cross: all its parts must have."""
        return unit.counts() and self._under(advance, unit.command) and not all(
            advance.beyond[part.hex.index] for part in unit.parts
        )

    def open(self, activating: list[Command]) -> None:
        """21.2: a marker is in play; if any of the corps acts on it, it is one of those in which it must advance."""
        course = self.battle.course
        course.pressing = False
        for advance in self.in_force():
            if any(self._under(advance, command) for command in activating):
                course.advances += 1
                course.pressing = True
                if self.series.log.level >= EVERYTHING:
                    command = advance.command
                    self.series.log.note("crossing", command.side, command.code, "", "", str(course.advances))

    def forbids(self, command: Command, orders: i64) -> bool:
        """21.2: whether a command may not take Attack Orders, as one of its units has still to cross."""
        if orders != ATTACK:
            return False
        for advance in self.in_force():
            if any(self._waits(advance, unit) for unit in command.units):
                return True
        return False

    def run(self, acting: list[Command]) -> None:
        """21.2, 10.13: move the units that have still to cross, those nearest to the far bank first, as a brigade acts.

        That is no more than the beginning of the Movement/Fire of each of them, which its owner goes on with.
        """
        if not self.battle.course.pressing:
            return
        for advance in self.series.scenario.advances:
            for command in acting:
                if self._under(advance, command):
                    units = self._nearest_first(advance, self.series.activation.members(command))
                    for unit in units:
                        self._press(advance, unit)
                    for unit in units:
                        unit.acting = False
                        unit.completed = False

    def _nearest_first(self, advance: AdvanceAcross, units: list[Unit]) -> list[Unit]:
        ordered: list[Unit] = []
        distances: list[i64] = []
        for unit in units:
            if unit.active and self._waits(advance, unit):
                distance = self.hexes_to_cross(unit, unit.hex)
                at = len(ordered)
                while at > 0 and distances[at - 1] > distance:
                    at -= 1
                ordered.insert(at, unit)
                distances.insert(at, distance)
        return ordered

    def _press(self, advance: AdvanceAcross, unit: Unit) -> None:
        """21.2: move a unit across and on, or as near to the far bank as it can get, when it has moved to the end.

        It ends its move nearer than it began it, or not at all where nothing nearer is open to it. Across it goes as
        far as it can, so that others may follow.
        """
        movement = self.series.movement
        least = self.hexes_to_cross(unit, unit.hex)
        if least >= NOWHERE or not unit.counts() or not movement.may_move(unit):
            return
        if unit.extended == EXTENDED_LINE:
            self.series.lines.press_on(unit, self._landing(advance, unit))
        else:
            found = self._best(unit, least)
            if found:
                movement.move(unit, found[0], found[0].heading)
        if self._waits(advance, unit):
            unit.ended = True

    def _best(self, unit: Unit, least: i64) -> list[Node]:
        """Where a unit goes: as near the far bank as it can, and there as far on as it can; none if no nearer."""
        movement = self.series.movement
        movement.search(unit)
        found: list[Node] = []
        gone: i64 = 0
        for node in movement.reached:
            distance = self.hexes_to_cross(unit, node.hex)
            if distance > least or not movement.may_stop(node):
                continue
            on = unit.hex.distance_to(node.hex) if distance == 0 else 0
            nearer = distance < least or (len(found) > 0 and on > gone)
            if nearer or (found and on == gone and node.cost < found[0].cost):
                least = distance
                gone = on
                found = [node]
        return found

    def hexes_to_cross(self, unit: Unit, place: Hex) -> i64:
        """21.2: hexes on the shortest way from a place to the far bank that is open to a unit's class of mover."""
        if self._version != self.battle.waters.version:
            for far in self._far:
                far.clear()
            self._version = self.battle.waters.version
        mover = self.series.movement.mover(unit)
        if not self._far[mover]:
            self._measure(mover)
        return self._far[mover][place.index]

    def _measure(self, mover: i64) -> None:
        """Count hexes outwards from the far bank, over all hexsides that can be crossed towards it."""
        hexes = self.battle.map.hexes
        far = self._far[mover]
        ring: list[Hex] = []
        for advance in self.series.scenario.advances:
            for place in hexes:
                there = advance.beyond[place.index]
                far.append(0 if there else NOWHERE)
                if there:
                    ring.append(place)
        at = 0
        while at < len(ring):
            place = ring[at]
            at += 1
            for side in place.sides:
                if side.on_map and far[side.to.index] == NOWHERE:
                    if side.to.sides[opposite(side.direction)].passable(mover):
                        far[side.to.index] = far[place.index] + 1
                        ring.append(side.to)

    def _landing(self, advance: AdvanceAcross, unit: Unit) -> Hex:
        """The hex of the far bank to which the shortest way from a unit leads."""
        place = unit.hex
        while not advance.beyond[place.index]:
            nearer = place
            for side in place.sides:
                if side.on_map and self.hexes_to_cross(unit, side.to) < self.hexes_to_cross(unit, nearer):
                    if side.passable(self.series.movement.mover(unit)):
                        nearer = side.to
            if nearer is place:
                return place
            place = nearer
        return place
