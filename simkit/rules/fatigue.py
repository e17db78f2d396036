"""Chapter 17, fatigue: how brigades tire, what it does to them, and how they rest; an option (17.1 to 17.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.fatigue import FATIGUE_4, FATIGUES, NOT_FATIGUED
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, BY_OTHER, ORDERS
from simkit.model.log import EVERYTHING
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.fatigue import FatigueMarker
    from simkit.model.forces import Command, Unit

FREE_ACTIVATIONS: Final[i64] = 2  # a turn (17.22)
FREE_BY_ROAD: Final[i64] = 3  # activations' worth of a march on pikes and roads alone (17.22)
MOST_BY_ACTIVATIONS: Final[i64] = 2  # levels a turn (17.23)
FREE_SHOCKS: Final[i64] = 1  # action phases with shock in a turn (17.22)
WHEELS_AT: Final[i64] = 4  # activations' worth of a march that endanger the wheels of guns (17.26)
WHEELS_HOLD: Final[i64] = 5  # the highest roll at which they hold (17.26)
TOO_TIRED_TO_BUILD: Final[i64] = 2  # number on the marker (17.34)
IN_RESERVE: Final[i64] = 2  # levels lost in a turn in reserve (17.41)


@mypyc_attr(allow_interpreted_subclasses=True)
class Fatigue(Chapter):
    """The Fatigue Levels of brigades, and of units in no brigade (17.0).

    What a level does (17.31) stands where it is done: `FatigueMarker.half` is taken off movement allowances and fire,
    and added to checks and rallies; shocks take it from `attack_drm` and `defence_drm`.
    """

    # -- how it is incurred (17.2) ---------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """17.22, 17.23: activations and shocks are counted anew."""
        for marker in self.battle.fatigues:
            marker.begin_turn()

    def begin_phase(self) -> None:
        """17.22: a new action phase begins, that of a marker drawn: nobody has been in a shock in it yet."""
        for marker in self.battle.fatigues:
            marker.in_shock = False

    def acted(self, unit: Unit) -> bool:
        """16.12, 17.1, 17.22, 6.23: whether an active unit (no guns) has made its brigade's activation count.

        Rally, resupply, mounting, building, turns that cost no movement points, and the retreat that a cautious loose
        cannon demands do not.
        """
        if not unit.active or unit.kind == ARTILLERY:
            return False
        return unit.moved or unit.spent > 0 or unit.fired or unit.shocked or unit.restacked

    def join_shock(self, units: list[Unit]) -> None:
        """17.22, 17.23, 11.45: units are in step 6b of a shock: a level for each action phase of it after the first.

        It is earned once an action phase, whoever attacked and whoever shocked back; guns have no part in it.
        """
        for unit in units:
            marker = unit.fatigue
            if unit.kind != ARTILLERY and not marker.in_shock:
                marker.in_shock = True
                marker.phases += 1
                if marker.phases > FREE_SHOCKS:
                    marker.earned += 1

    def end_activation(self) -> None:
        """17.21, 17.22, 17.26: what the activation has earned is put on the markers, and the wheels of guns may break.

        The defenders of its shocks have theirs placed at its end too.
        """
        for marker in self.battle.fatigues:
            if not self.series.scenario.tires(marker.units[0].side, self.battle.turn):
                marker.earned = 0
                continue
            tired = self._by_activation(marker)
            if marker.earned > 0 and tired > 0:
                self._raise(marker, marker.earned + tired, "activations and shocks")
            elif tired > 0:
                self._raise(marker, tired, "activations")
            elif marker.earned > 0:
                self._raise(marker, marker.earned, "shocks")
            marker.earned = 0
        if self.battle.marching:
            for unit in self.battle.units:
                if unit.active and unit.kind == ARTILLERY and self.equivalents_used(unit) >= WHEELS_AT:
                    self.check_wheels(unit)

    def _by_activation(self, marker: FatigueMarker) -> i64:
        """16.12, 17.22, 17.23: the levels that a brigade's own activation earns: one for each above two, two a turn.

        At night each activation of units under Attack Orders earns one, and these come on top (in Gringo! they are
        among the two).
        """
        before = max(marker.activations - FREE_ACTIVATIONS, 0)
        by_night = False
        count: i64 = 0
        for unit in marker.units:
            if self.acted(unit):
                count = max(count, self._counted(unit))
                by_night = by_night or self._attacks_by_night(unit)
        marker.activations += count
        if by_night and self.options.edition > GRINGO:
            return 1
        earned: i64 = 1 if by_night else max(marker.activations - FREE_ACTIVATIONS, 0) - before
        earned = min(earned, MOST_BY_ACTIVATIONS - marker.by_activations)
        marker.by_activations += earned
        return earned

    def _attacks_by_night(self, unit: Unit) -> bool:
        """16.12: whether it is night and a unit under Attack Orders; who was Blown by its shock was so before."""
        if not self.series.night.attack_tires():
            return False
        return unit.orders == ATTACK or (unit.blown and unit.shocked and unit.command.orders == ATTACK)

    def _counted(self, unit: Unit) -> i64:
        """17.22: as how many activations counts what a unit did: on the march as many as it used the movement of.

        On pikes and roads alone the third is free.
        """
        if not self.battle.marching:
            return 1
        used = max(self.equivalents_used(unit), 1)
        return used - 1 if used >= FREE_BY_ROAD and not unit.left_roads else used

    def equivalents_used(self, unit: Unit) -> i64:
        """5.35, 17.22: how many activations' worth of movement a unit has used in this activation, begun ones whole.

        What mounting has cost it counts as used.
        """
        movement = self.series.movement
        each = movement.activation_allowance(unit, unit.disordered)
        if unit.spent == 0 or each == 0:
            return 0
        used = unit.spent + each * unit.equivalents - movement.full_allowance(unit, unit.disordered)
        return min((used + each - 1) // each, unit.equivalents)

    def check_wheels(self, unit: Unit) -> None:
        """17.26: guns that use the movement of a fourth activation on the march lose a point on a roll of 6 to 9."""
        roll = self.series.dice.roll(streams.EVENT, unit)
        broken = roll > WHEELS_HOLD
        if self.series.log.level >= EVERYTHING:
            result = "break" if broken else "hold"
            self.series.log.note("wheels", unit.side, unit.id, unit.hex.id, f"rolls {roll}", result)
        if broken:
            self.series.results.lose(unit, 1, BY_OTHER)
            self.series.results.settle()

    # -- the marker (17.24, 17.25, 17.32) --------------------------------------------------------------------------

    def _raise(self, marker: FatigueMarker, levels: i64, cause: str) -> None:
        """17.25, 17.32: put up a marker; at level 4 the brigade reverts to Advance Orders."""
        if marker.level == FATIGUE_4:
            return
        marker.place(marker.level + levels)
        self._tell(marker, cause)
        if marker.level == FATIGUE_4:
            self._revert(marker)

    def reduce(self, marker: FatigueMarker, levels: i64, cause: str) -> None:
        """17.41, 17.42: take a marker down by so many levels."""
        if marker.level > NOT_FATIGUED:
            marker.place(marker.level - levels)
            self._tell(marker, cause)

    def _tell(self, marker: FatigueMarker, cause: str) -> None:
        if self.series.log.level >= EVERYTHING:
            first = marker.units[0]
            brigaded = first.command.is_led_brigade()
            who = first.command.code if brigaded else first.id
            place = "" if brigaded else first.hex.id
            self.series.log.note("fatigue", first.side, who, place, cause, FATIGUES[marker.level])

    def _revert(self, marker: FatigueMarker) -> None:
        """17.32: a brigade at level 4, guns and all, or a unit in no brigade, comes under Advance Orders at once."""
        command = marker.units[0].command
        units = list(marker.units)
        if command.is_led_brigade():
            units = list(command.units)
            if command.orders != ADVANCE and self.series.log.level >= EVERYTHING:
                self.series.log.note("orders", command.side, command.code, "", "fatigue", ORDERS[ADVANCE])
            command.orders = ADVANCE
        for unit in units:
            if unit.counts():
                self.series.orders.give(unit, ADVANCE)
            elif unit.waiting:
                self.series.reinforcements.put_under(unit, ADVANCE)

    # -- what it forbids (17.32, 17.34) ----------------------------------------------------------------------------

    def forbids_orders(self, command: Command, orders: i64) -> bool:
        """17.32: whether a brigade is too tired for orders: at level 4 it takes none but Advance."""
        return command.fatigue.level == FATIGUE_4 and orders != ADVANCE

    def may_build(self, unit: Unit) -> bool:
        """17.34, 15.11, 15.14: whether a unit is not too tired to build Breastworks, or to go on building."""
        return unit.fatigue.number() < TOO_TIRED_TO_BUILD

    # -- shock (11.42, 17.31) --------------------------------------------------------------------------------------

    def attack_drm(self, attackers: list[Unit]) -> i64:
        """11.42, 17.31: the DRM of tired attackers, of several the one worst for them."""
        most: i64 = 0
        for unit in attackers:
            most = max(most, unit.fatigue.half)
        return -most

    def defence_drm(self, places: list[Hex]) -> i64:
        """11.42, 17.31: the DRM of tired defenders in some hexes, of several the one best for them; guns have none."""
        least: i64 = -1
        for place in places:
            for part in place.stack:
                unit = part.unit
                if unit.kind != ARTILLERY and (least < 0 or unit.fatigue.half < least):
                    least = unit.fatigue.half
        return max(least, 0)

    # -- rest (17.4) -----------------------------------------------------------------------------------------------

    def rests(self, marker: FatigueMarker, command: Command, disordered: list[Unit]) -> bool:
        """17.42, 13.45: let those who stood idle for a turn lose a level, if their owner does not prefer a rally.

        Args:
            marker: theirs.
            command: their brigade, or the command to which a unit in no brigade belongs.
            disordered: the units that would rally instead; if there are none they rest.

        Returns:
            whether they did.
        """
        if marker.level == NOT_FATIGUED:
            return False
        if disordered and not self.series.commander(command.side).rest(self.series, command, disordered):
            return False
        self.reduce(marker, 1, "rest")
        return True

    def rest_in_reserve(self, command: Command) -> None:
        """17.41, 6.35: those directly under a command that was in reserve for a whole turn lose two levels."""
        done: list[FatigueMarker] = []
        for unit in command.units:
            if unit.kind != ARTILLERY and unit.fatigue not in done:
                done.append(unit.fatigue)
                self.reduce(unit.fatigue, IN_RESERVE, "reserve")
