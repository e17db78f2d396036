"""Chapter 13, combat effectiveness and rally: what commands are worth, how units recover order (13.1-13.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, BY_RALLY, ELIMINATED, IN_ONE_HEX, NOT_ENTERED, ON_MAP, ROUTED
from simkit.model.log import EVERYTHING, Event
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.fatigue import FatigueMarker
    from simkit.model.forces import Command, Unit


@mypyc_attr(allow_interpreted_subclasses=True)
class Effectiveness(Chapter):
    """Rally and resupply of units, and the combat effectiveness of brigades and divisions."""

    # -- the rally and resupply action (13.4, 10.92) ---------------------------------------------------------------

    def may_recover(self, unit: Unit) -> bool:
        """13.4, 3.0 III/C/3: whether an active unit may take the Resupply and Rally action: it did nothing else."""
        return not unit.fired and self._idle(unit)

    def _idle(self, unit: Unit) -> bool:
        """3.0 III/C/3: whether an active unit did nothing but, at most, fire."""
        return (
            unit.active and unit.counts() and not unit.finished and not unit.moved
            and not unit.restacked and not unit.shocked and not unit.retreated and not unit.remounted
            and (unit.faced == 0 or self._recovered(unit))
        )

    def _recovered(self, unit: Unit) -> bool:
        # its one vertex was turned after the rally or resupply itself
        return unit.rallied or unit.resupplied

    def may_rally(self, unit: Unit) -> bool:
        """13.4, 12.23, 11.58, 6.13: whether a unit may try to rally, once an activation: not Collapsed, not Blown."""
        return (
            unit.disordered and not unit.collapsed and not unit.blown and not unit.rallied and self.may_recover(unit)
            and self.series.orders.may_rally(unit)
        )

    def rally_modifier(self, unit: Unit) -> i64:
        """13.42, 17.31: DRM of a rally but for leaders: adjacent to an enemy, mounted, tired."""
        modifier: i64 = unit.fatigue.half
        if self.battle.beside_enemy(unit):
            modifier += self.charts.command.rally_adjacent
        if unit.is_mounted():
            modifier += self.charts.command.rally_mounted
        return modifier

    def _stars(self, unit: Unit) -> i64:
        """13.42, 13.43: stars of the leaders who help: each has then ended his movement.

        He takes no part in shock in this activation either, but by Gringo! (see `ChainOfCommand.bound_to_rally`).
        """
        total: i64 = 0
        for place in [part.hex for part in unit.parts]:
            for leader in place.leaders:
                if leader.side != unit.side or not self.series.command.commands_unit(leader, unit):
                    continue
                if leader.joined and self.options.edition > GRINGO:
                    continue  # 11.73
                if leader.affected_rally or self.series.owner(unit).leader_helps_rally(self.series, leader, unit):
                    leader.affected_rally = True
                    leader.moved = True
                    total += leader.level
        return total

    def rally(self, unit: Unit) -> bool:
        """13.41-13.44: try to rally a unit; True if it is back in Good Order.

        Raises:
            CommanderError: it may not rally.
        """
        if not self.may_rally(unit):
            raise CommanderError(f"Effectiveness.rally: {unit.id} may not rally now; ask may_rally (13.4)")
        unit.rallied = True
        drm = self.rally_modifier(unit) + self._stars(unit) * self.charts.command.leader_star
        roll = self.series.dice.roll(streams.RALLY, unit)
        adjusted = roll + drm
        rating = unit.cohesion_disordered - unit.unnerved
        passed = adjusted <= rating
        losing = not passed and self._loses(adjusted, rating)
        if self.series.log.level >= EVERYTHING:
            self._log_rally(unit, roll, drm, passed, losing)
        if passed:
            unit.disordered = False
            for own in unit.parts:
                for part in own.hex.stack:
                    if part.unit.side == unit.side and part.unit.abandoned != 0:
                        part.unit.crew_back = True  # 12.81
            self._turn_after(unit)
        elif losing:
            self.series.results.lose(unit, 1, BY_RALLY)
            self.series.results.settle()
        return passed

    def _loses(self, adjusted: i64, rating: i64) -> bool:
        """13.41: whether a failed rally costs a strength point: twice the rating, or an adjusted 9."""
        command = self.charts.command
        return adjusted >= command.rally_loss or adjusted >= command.rally_loss_multiple * rating

    def _log_rally(self, unit: Unit, roll: i64, drm: i64, passed: bool, losing: bool) -> None:
        event = Event("rally")
        event.side = unit.side
        event.unit = unit.id
        event.hex = unit.hex.id
        event.target_sp = unit.cohesion_disordered - unit.unnerved
        event.roll = roll
        event.drm = drm
        event.adjusted = roll + drm
        event.own_losses = 1 if losing else 0
        event.result = "rallied" if passed else "stays disordered"
        self.series.log.add(event)

    def may_resupply(self, unit: Unit) -> bool:
        """10.92, 10.93, 14.33, 6.13: whether a unit may resupply, once an activation: not adjacent to an enemy.

        Of a battery of several sections, any of them.
        """
        if unit.sections:
            return len(self.series.batteries.may_resupply(unit)) > 0
        return unit.ammo > 0 and not unit.resupplied and not unit.fired and self.may_fetch_ammunition(unit)

    def may_fetch_ammunition(self, unit: Unit) -> bool:
        """10.92, 10.93, 6.13: whether a unit's doings, place and orders let it resupply, fire by others of it apart."""
        return (
            self._idle(unit) and not self.battle.beside_enemy(unit) and self.series.orders.may_resupply(unit)
        )

    def resupply(self, unit: Unit) -> None:
        """10.92: make good one level of ammunition, of each section that may; the unit may then turn by one vertex.

        Raises:
            CommanderError: it may not resupply.
        """
        if not self.may_resupply(unit):
            raise CommanderError(f"Effectiveness.resupply: {unit.id} may not resupply now; ask may_resupply (10.92)")
        if unit.sections:
            self.series.batteries.resupply(unit, self.series.batteries.may_resupply(unit))
            return
        unit.ammo -= 1
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("resupply", unit.side, unit.id, unit.hex.id, "", f"ammunition {unit.ammo}")
        self.has_resupplied(unit)

    def has_resupplied(self, unit: Unit) -> None:
        """10.92: a unit has resupplied and may turn by one vertex; one that means to rally still does so first."""
        unit.resupplied = True
        if not self.may_rally(unit) and not (unit.rallied and unit.disordered):
            self._turn_after(unit)

    def _turn_after(self, unit: Unit) -> None:
        """13.41, 10.92: a vertex of facing after rally or resupply, if all others of the stack could turn with it.

        Stacked units that try to rally turn only if all succeed: the question is put when none is left to try. A
        refused unit does not turn, nor an extended one that has rallied, nor by Gringo! one that has rallied in a stack
        of which others have not.
        """
        if unit.faced != 0 or unit.refused != 0 or self.series.facing.lined_up(unit):
            return
        if unit.rallied and unit.extended != IN_ONE_HEX:
            return
        gringo = self.options.edition <= GRINGO
        for other in self.series.facing.alike(unit, unit.hex):
            if other is unit:
                continue
            if gringo and unit.rallied and not other.rallied:
                return
            if not other.active:
                continue  # 8.26: those that are not active turn along
            if self.may_rally(other) or (other.rallied and other.disordered):
                return
            if other.moved or other.fired or other.faced != 0 or other.finished:
                return
        headings: list[int] = [unit.heading]
        for heading in ((unit.heading + 2) % 12, (unit.heading + 10) % 12):
            if self.series.columns.may_turn(unit, heading):
                headings.append(heading)
        chosen = self.series.owner(unit).heading_after(self.series, unit, headings)
        if chosen < 0 or chosen >= len(headings):
            most = len(headings) - 1
            raise CommanderError(f"Commander.heading_after: {chosen} for {unit.id}; it should be 0 to {most}")
        if chosen > 0:
            self.series.facing.turn_free(unit, headings[chosen])
            for other in self.series.facing.alike(unit, unit.hex):
                if other.active:
                    other.faced = 1

    # -- automatic rally (13.45) -----------------------------------------------------------------------------------

    def automatic_rally(self) -> None:
        """13.45, 17.42, 3.0 IV/B/2: brigades that stood idle for a whole turn rally their Disordered units In Command.

        Or they lose a level of Fatigue. Idle: their units (guns only where a brigade has nothing else) neither moved
        nor fired of their own accord, nor shocked nor were to be shocked. Units directly under a higher leader are each
        looked at by themselves.
        """
        for command in self.battle.commands:
            if not command.units or command.in_reserve:
                continue
            if not self.options.fatigue and not self._someone_disordered(command):
                continue
            units = self.series.command.units_in_range(command)
            if not command.is_led_brigade():
                for unit in units:
                    if not unit.turn_acted:
                        self._recover(command, unit.fatigue, [unit])
            elif self.series.orders.has_units(command) and self.idle(command):
                self._recover(command, command.fatigue, units)

    def _recover(self, command: Command, marker: FatigueMarker, units: list[Unit]) -> None:
        """13.45: a brigade or unit that stood idle rests or rallies."""
        shaken = [unit for unit in units if unit.disordered and not unit.collapsed and not unit.blown]
        if not self.series.fatigue.rests(marker, command, shaken):
            for unit in shaken:
                unit.disordered = False
                if self.series.log.level >= EVERYTHING:
                    self.series.log.note("rally", unit.side, unit.id, unit.hex.id, "automatic", "rallied")

    def _someone_disordered(self, command: Command) -> bool:
        return any(unit.disordered and unit.counts() and not unit.collapsed for unit in command.units)

    def idle(self, brigade: Command) -> bool:
        """13.45: whether a brigade did nothing this turn that rules out automatic rally."""
        artillery = self.is_artillery(brigade)
        return not any(unit.turn_acted and (artillery or unit.kind != ARTILLERY) for unit in brigade.units)

    def is_brigade(self, command: Command) -> bool:
        """13.24, 13.31: whether a command is a brigade whose effectiveness counts: with a brigadier, not only guns."""
        return command.is_led_brigade() and not command.is_of_guns()

    def is_artillery(self, brigade: Command) -> bool:
        """13.24: whether a brigade is an artillery brigade or battalion: it has no other units."""
        return brigade.is_of_guns()

    # -- combat effectiveness (13.2, 13.3) -------------------------------------------------------------------------

    def brigade_ineffective(self, brigade: Command) -> bool:
        """13.21, 13.24: whether a brigade's losses make it Combat Ineffective.

        All its regiments are eliminated, routed, collapsed or disordered, or more than half of them one of the first
        three; guns and regiments that have not entered don't count.
        """
        regiments: i64 = 0
        spent: i64 = 0
        shaken: i64 = 0
        for unit in brigade.units:
            if unit.kind == ARTILLERY or unit.place == NOT_ENTERED:
                continue
            regiments += 1
            if unit.place == ELIMINATED or unit.place == ROUTED or unit.collapsed:
                spent += 1
            elif unit.place == ON_MAP and unit.disordered:
                shaken += 1
        return regiments > 0 and (spent + shaken == regiments or 2 * spent > regiments)

    def check_commands(self) -> None:
        """13.22, 13.31, 13.33, 3.0 IV/C: settle which brigades and divisions are Combat Ineffective.

        Those who have withdrawn stay what they were. A division without brigades, such as the Pioneers, is looked at
        as if it were one.
        """
        for brigade in self.battle.brigades:
            if self.is_brigade(brigade) and not self.series.departures.gone(brigade.units):
                self._mark(brigade, self.brigade_ineffective(brigade))
        for division in self.battle.divisions:
            if self.series.departures.gone(division.all_units()):
                continue
            if any(self.is_brigade(brigade) for brigade in division.subordinates):
                self._mark(division, self.division_ineffective(division))
            else:
                self._mark(division, self.brigade_ineffective(division))

    def division_ineffective(self, division: Command) -> bool:
        """13.31, 13.33: whether a division is Combat Ineffective: more than half of its brigades are.

        Once it is, it stays so until a majority of them are not. Artillery brigades don't count.
        """
        brigades: i64 = 0
        spent: i64 = 0
        for brigade in division.subordinates:
            if self.is_brigade(brigade):
                brigades += 1
                if brigade.ineffective:
                    spent += 1
        if division.ineffective:
            return 2 * (brigades - spent) <= brigades
        return 2 * spent > brigades

    def _mark(self, command: Command, ineffective: bool) -> None:
        if command.ineffective != ineffective:
            command.ineffective = ineffective
            if self.series.log.level >= EVERYTHING:
                result = "ineffective" if ineffective else "effective"
                self.series.log.note("ineffective", command.side, command.code, "", "", result)
