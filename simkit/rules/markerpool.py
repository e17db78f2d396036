"""Rules 5.1 to 5.3 and 4.32: which markers stand in the pool of a turn, and the order in which they come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import DIVISION_MARKER, EVENT_MARKER, MARCH_MARKER, Marker
from simkit.model.forces import ARTILLERY, BRIGADE, DIVISION, MARCH, UNION
from simkit.rules import dice as streams
from simkit.rules.commander import CommanderError
from simkit.rules.efficiency import MOST_INEFFECTIVE, NOBODY
from simkit.rules.efficiencytransfer import EfficiencyTransfer
from simkit.rules.loosecannon import LOOSE_NONE

if TYPE_CHECKING:
    from simkit.model.forces import Command, Unit

MOST_EQUIVALENTS: Final[i64] = 4  # activations' worth of movement on a March marker (5.35)
EVENTS_A_TURN: Final[i64] = 256  # numbers set apart for the event markers of a turn
MARKERS_A_TURN: Final[i64] = 8  # numbers set apart for the markers of a division in a turn; it has at most 4
FIRST_PICKED: Final[i64] = 4  # from this number on a marker is for picked batteries of an artillery command (4.33)


def _order(marker: Marker) -> int:
    return marker.order


@mypyc_attr(allow_interpreted_subclasses=True)
class MarkerPool(EfficiencyTransfer):
    """The markers of a turn: filled from what commands are allowed, one chosen, the others drawn."""

    def begin_turn(self) -> None:
        """3.0: forget what held for the turn before."""
        for command in self.battle.commands:
            command.activations = 0
            command.skips = 0
            command.confused = False
            command.march_limit = MOST_EQUIVALENTS
            command.markers_on_map = -1
            command.markers_entering = -1
            command.loose = LOOSE_NONE
        for unit in self.battle.units:
            unit.activations = 0
            unit.limit = -1
            unit.skips = 0
            unit.turn_acted = False
            unit.marched = False
            unit.attached = -1
            unit.stands = False
            unit.forced = 0
        self.series.fatigue.begin_turn()
        self.series.reinforcements.begin_turn()
        self.series.crossings.begin_turn()

    def marker_division(self, command: Command) -> Command:
        """5.32, 4.33: the division whose markers activate the units directly under a command.

        Its own division; for units directly under a corps or army the one the scenario names, else the first division
        below.
        """
        if command.acts_with is not command:
            return command.acts_with
        at = command
        while at.level < DIVISION and at.superior is not at:
            at = at.superior
        if at.level <= DIVISION or at in self.battle.divisions:
            return at
        for division in self.battle.divisions:
            if self._stands_above(at, division):
                return division
        return at

    def _stands_above(self, command: Command, division: Command) -> bool:
        at = division
        while at.superior is not at:
            at = at.superior
            if at is command:
                return True
        return False

    def groups(self, division: Command) -> list[Command]:
        """5.32, 4.31, 4.34 of Dead of Winter: the commands whose units a division's markers activate, in roster order.

        An artillery brigade is one like any other, and batteries act with the brigade that they belong to.
        """
        return [
            command for command in self.battle.commands
            if (command.units or command.artillery) and self.marker_division(command) is division
            and any(unit.available() for unit in self.members(command))
        ]

    def members(self, command: Command) -> list[Unit]:
        """4.32, 4.33, 5.33: the units that act when a command is activated this turn.

        Its own, but for batteries that act with another command, and those of others that act with it.
        """
        units = [unit for unit in command.units if unit.attached < 0 or unit.attached == command.index]
        return units + self.attachments(command)

    def fill_pool(self) -> None:
        """5.31, 3.0 III/B: put all divisions' markers and the March markers into the pool, in the order of the draw."""
        battle = self.battle
        battle.pool = []
        for division in battle.divisions:
            if not self.series.surprise.withholds(division):
                self.put_markers(division)
        for army in battle.armies:
            if self._marches(army.side):
                self._put(MARCH_MARKER, army, 0)
        if self.series.scenario.events:
            self._put_events()
        battle.pool.sort(key=_order)

    def put_markers(self, division: Command) -> None:
        """5.31: put the markers of a division into the pool, if it has any and anybody to act on them."""
        if division.markers <= 0 or not self.groups(division):
            return
        used = self.series.commander(division.side).fewer_markers(self.series, division, division.markers)
        if used < 1 or used > division.markers:
            raise CommanderError(f"Commander.fewer_markers: {used}; it should be 1 to {division.markers}")
        for number in range(used):
            self._put(DIVISION_MARKER, division, number)
        self.allow(division, used)
        if division.artillery:
            for number in range(self.series.artillery.of(division).picked_markers):
                self._put(DIVISION_MARKER, division, FIRST_PICKED + number)

    def _put_events(self) -> None:
        """5.31: put the Random Event marker and those that the battle brings of its own into the pool."""
        army = self.battle.armies[UNION]
        place: i64 = 1  # in the numbers of the army's keyed draws; the March marker has the first
        for at, number in enumerate(self.series.events.markers()):
            for _ in range(number):
                marker = Marker(EVENT_MARKER, NOBODY, army, at)
                marker.order = self.series.dice.order(streams.EVENT, army, self.battle.turn * EVENTS_A_TURN + place)
                self.battle.pool.append(marker)
                place += 1

    def _put(self, kind: i64, command: Command, number: i64) -> None:
        marker = Marker(kind, command.side, command, number)
        marker.order = self.series.dice.order(streams.DRAW, command, self.battle.turn * MARKERS_A_TURN + number)
        self.battle.pool.append(marker)

    def _marches(self, side: i64) -> bool:
        return any(unit.side == side and unit.orders == MARCH and unit.available() for unit in self.battle.units)

    def attach(self, side: i64) -> None:
        """4.32, 5.33, 3.0 II/C: a side may attach batteries of its divisions to brigades for this turn, one to each.

        Command Range does not matter for it.
        """
        for brigade in self.battle.brigades:
            division = brigade.superior
            if brigade.side != side or division.level != DIVISION or not brigade.available():
                continue
            batteries = [
                unit for unit in division.units if unit.kind == ARTILLERY and unit.available() and unit.attached < 0
            ]
            if batteries:
                chosen = self.series.commander(side).attach(self.series, brigade, batteries)
                if chosen >= len(batteries) or chosen < -1:
                    raise CommanderError(f"Commander.attach: {chosen}; it should be -1 (none) to {len(batteries) - 1}")
                if chosen >= 0:
                    batteries[chosen].attached = brigade.index

    def attachments(self, command: Command) -> list[Unit]:
        """4.32, 4.33, 5.33: the batteries that act with a command this turn: of a brigade's division one at most."""
        if self.battle.artillery:
            return self.series.artillery.guests(command)
        if command.level != BRIGADE:
            return []
        return [unit for unit in command.superior.units if unit.attached == command.index]

    def allow(self, division: Command, used: i64) -> None:
        """5.26, 5.27, 5.28, 5.36, 13.23: how many of a division's markers its brigades and units must let pass.

        A brigade or unit out of command acts on one less than the division, a Combat Ineffective brigade on two, who
        enters with a number of his own on as many as that (9.74); each on one at least. Units on the map and entering
        ones may have different numbers (9.71).
        """
        for command in self.groups(division):
            units = [unit for unit in self.members(command) if unit.available()]
            allowed: i64 = 1
            for unit in units:
                allowed = max(allowed, self._allowed(division, command, unit, used))
            command.skips = used - allowed
            for unit in units:
                unit.skips = allowed - self.share_of(division, command, unit, used)

    def share_of(self, division: Command, command: Command, unit: Unit, used: i64) -> i64:
        """5.26, 5.28, 5.36, 9.71, 9.74, 13.23: on how many of the markers that a division uses a unit may act."""
        own = self._allowed(division, command, unit, used)
        if not unit.in_command:
            own = min(own, max(1, self._share(division.markers_on_map, used) - 1))
        return own

    def _allowed(self, division: Command, command: Command, unit: Unit, used: i64) -> i64:
        """5.26, 5.28, 9.71, 9.74, 13.23: on how many markers a unit may act, whether it is in command or not."""
        if unit.waiting:
            allowed = self._share(division.markers_entering, used) if unit.limit < 0 else used
        else:
            allowed = self._share(division.markers_on_map, used)
            if self.series.command.misses_the_chain(command, unit):
                allowed -= 1
        if command.ineffective:
            allowed = min(allowed, MOST_INEFFECTIVE)
        if unit.limit >= 0:
            allowed = min(allowed, unit.limit)
        if command.marker_limit >= 0:
            allowed = min(allowed, command.marker_limit)
        return max(1, allowed)

    def _share(self, number: i64, used: i64) -> i64:
        """9.71: of the markers that a division uses, those for its units on the map or for its entering ones."""
        return used if number < 0 else min(number, used)

    def next_marker(self) -> Marker | None:
        """5.13, 5.31, 5.5: the next marker: picked while the side with the initiative has picks left, then drawn.

        None when the pool is empty and the segment over.
        """
        course = self.battle.course
        while course.picks > 0:
            course.picks -= 1
            chosen = self.choose_first()
            if chosen is not None:
                return chosen
        return self.draw()

    def choose_first(self) -> Marker | None:
        """5.13, 3.0 III/A: the side with the initiative picks the marker that begins the turn; None if nobody may."""
        side = self.battle.initiative
        if side < 0:
            return None
        choices: list[Command] = []
        for marker in self.battle.pool:
            if marker.side == side and marker.kind == DIVISION_MARKER and marker.command not in choices:
                choices.append(marker.command)
        ordered = [division for division in self.battle.divisions if division in choices]
        ordered.extend([m.command for m in self.battle.pool if m.side == side and m.kind == MARCH_MARKER])
        if not ordered:
            return None
        chosen = self.series.commander(side).first_marker(self.series, ordered)
        if chosen < 0 or chosen >= len(ordered):
            raise CommanderError(f"Commander.first_marker: {chosen}; it should be 0 to {len(ordered) - 1}")
        # The last of the division's markers is set apart, so that the others keep their places in the draw.
        found: Marker | None = None
        for marker in self.battle.pool:
            if marker.command is not ordered[chosen] or marker.kind == EVENT_MARKER:
                continue
            if found is not None and marker.number >= FIRST_PICKED:
                continue
            if found is None or found.number >= FIRST_PICKED or marker.number > found.number:
                found = marker
        if found is not None:
            self.battle.pool.remove(found)
        return found

    def draw(self) -> Marker | None:
        """5.31, 5.5: the next marker out of the pool; None when the pool is empty and the segment over."""
        return self.battle.pool.pop(0) if self.battle.pool else None
