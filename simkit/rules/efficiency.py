"""Initiative and efficiency (5.1, 5.2): who begins the turn, and how many activation markers each division gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import CORPS, SIDES
from simkit.model.log import EVERYTHING, Event
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError

if TYPE_CHECKING:
    from simkit.model.forces import Command

NOBODY: Final[i64] = -1
NO_BONUS: Final[i64] = -1
LEAST_MARKERS: Final[i64] = 1
MOST_OUT_OF_RANGE: Final[i64] = 3
MOST_INEFFECTIVE: Final[i64] = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class Efficiency(Chapter):
    """The turn's initiative, the efficiency of the corps, and the activation markers of the divisions."""

    # -- initiative (5.1) ------------------------------------------------------------------------------------------

    def determine_initiative(self) -> None:
        """5.11, 5.12: settle which side has the initiative this turn; nobody if the totals are equal."""
        battle = self.battle
        holder: i64 = NOBODY
        if battle.turn == 0 and self.series.scenario.first_initiative >= 0:
            holder = self.series.scenario.first_initiative
        else:
            totals: list[int] = [0, 0]
            for army in battle.armies:
                totals[army.side] = self.series.dice.roll(streams.INITIATIVE, army) + self.initiative_modifier(army)
            if totals[0] > totals[1]:
                holder = 0
            elif totals[1] > totals[0]:
                holder = 1
        battle.initiative = holder
        if holder >= 0:
            battle.last_initiative = holder
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("initiative", holder, "", "", "", SIDES[holder] if holder >= 0 else "nobody")

    def initiative_modifier(self, army: Command) -> i64:
        """5.11, 4.11: 1 for the side that had the initiative in the turn before, and the army commander's rating.

        His rating counts with a corps commander in his range, and unless he rode more than 10 MPs (9.32).
        """
        modifier: i64 = 1 if self.battle.initiative == army.side else 0
        if army.has_leader() and not army.leader().far_moved and self._leads_a_corps(army):
            modifier += army.leader().ratings().initiative
        return modifier

    def _leads_a_corps(self, army: Command) -> bool:
        for corps in army.subordinates:
            commander = corps.level == CORPS and not corps.artillery
            if commander and corps.has_leader() and self.series.command.in_range(army.leader(), corps.leader().hex):
                return True
        return False

    def first_side(self) -> i64:
        """5.13: the side that goes first where it matters: it has the initiative, or had it last."""
        if self.battle.initiative >= 0:
            return self.battle.initiative
        return max(self.battle.last_initiative, 0)

    # -- efficiency (5.2) ------------------------------------------------------------------------------------------

    def determine_efficiency(self) -> None:
        """5.21-5.25: draw the efficiency of each corps, and work out the activation markers of each division."""
        first = self.first_side()
        self.efficiency_of(first)
        self.efficiency_of(1 - first)

    def efficiency_of(self, side: i64) -> None:
        """5.21-5.25: the activation markers of one side's divisions this turn."""
        heads: list[Command] = []
        for division in self.battle.divisions:
            division.markers = 0 if division.side == side else division.markers
            if division.side == side and self.takes_part(division):
                fixed = self.fixed_number(division)
                if fixed >= 0:
                    # The scenario's number is final, but for 13.32.
                    division.markers = min(fixed, MOST_INEFFECTIVE) if division.ineffective else fixed
                elif self.head_of(division) not in heads:
                    heads.append(self.head_of(division))
        if heads:
            numbers = self.draw_efficiency(side, heads)
            self.army_bonus(side, heads, numbers)
            for at, head in enumerate(heads):
                self._log_number(head, numbers[at])
                self.share_out(head, numbers[at])
        self.series.reinforcements.own_numbers(side)
        for division in self.battle.divisions:
            if division.side == side and division.markers > 0:
                self._log_number(division, division.markers)

    def fixed_number(self, division: Command) -> i64:
        """5.24, 4.33: the markers that the scenario or an artillery command has for this turn; -1 if they are drawn."""
        fixed = self.series.scenario.fixed_number(division, self.battle.turn)
        return fixed if fixed >= 0 else self.series.artillery.fixed_number(division)

    def head_of(self, division: Command) -> Command:
        """5.21: who draws the marker for a division: its corps, or itself where no corps stands above it."""
        return division.superior if division.superior.level == CORPS else division

    def takes_part(self, command: Command) -> bool:
        """5.21: whether a command has a unit on the map or entering this turn, its own or a subordinate's.

        Guns that act on its markers (4.33) are among them.
        """
        for unit in command.units:
            if unit.available():
                return True
        if command.artillery and self.series.artillery.guests(command):
            return True
        for own in self.battle.artillery:
            if own.command is not command and own.command.acts_with is command and self.takes_part(own.command):
                return True
        return any(self.takes_part(subordinate) for subordinate in command.subordinates)

    def draw_efficiency(self, side: i64, heads: list[Command]) -> list[int]:
        """5.21: the Efficiency Marker of each corps: fixed by the scenario, or drawn without putting any back.

        Raises:
            ValueError: the pool has too few markers (`ScenarioRules.check` finds that beforehand).
        """
        pool = self.series.scenario.pool(side, self.battle.turn)
        numbers: list[int] = []
        for head in heads:
            number = self.series.scenario.fixed_number(head, self.battle.turn)
            if number < 0:
                left = len(pool)
                if left == 0:
                    turn = self.battle.turns[self.battle.turn].label
                    raise ValueError(f"no efficiency marker is left for {SIDES[side]} {head.code} in turn {turn}")
                drawn = self.series.dice.order(streams.EFFICIENCY, head, self.battle.turn)
                number = pool.pop(((drawn & streams.WORD) * left) >> 32)
            numbers.append(number)
        return numbers

    def army_bonus(self, side: i64, heads: list[Command], numbers: list[int]) -> None:
        """5.22, 4.11: the army commander may raise as many corps in range as his rating says by one, up to 4."""
        army = self.battle.armies[side]
        if not army.has_leader() or army.leader().far_moved:
            return
        near = [
            head for head in heads
            if head.level == CORPS and not head.artillery and head.superior is army and head.in_chain
        ]
        for _ in range(army.leader().ratings().initiative):
            if not near:
                return
            chosen = self.series.commander(side).army_bonus(self.series, near)
            if chosen == NO_BONUS:
                return
            if chosen < 0 or chosen >= len(near):
                raise CommanderError(f"Commander.army_bonus: {chosen}; it should be -1 (none) to {len(near) - 1}")
            at = heads.index(near[chosen])
            numbers[at] = min(numbers[at] + 1, 4)
            near.pop(chosen)

    def share_out(self, head: Command, number: i64) -> None:
        """5.23, 4.13: work out the markers of the divisions that share an efficiency."""
        divisions: list[Command] = []
        for division in self.battle.divisions:
            drawn = self.fixed_number(division) < 0
            if drawn and self.head_of(division) is head and self.takes_part(division):
                divisions.append(division)
                division.markers = number
        near = [division for division in divisions if division is not head and division.in_chain]
        if head.level == CORPS and head.has_leader() and not head.artillery:
            self.corps_bonus(head, near)
        for division in divisions:
            if division is not head and not division.in_chain:
                division.markers -= 1
            if division.has_leader():
                division.markers += division.leader().ratings().activation
            division.markers += self.series.artillery.rating(division)
            division.markers = self.bounded(division, division.markers)
        self.series.reinforcements.share_out(head, number, divisions)

    def corps_bonus(self, corps: Command, near: list[Command]) -> None:
        """5.23 #1, 4.12: the corps commander's rating: off all divisions in his range, or added to chosen ones."""
        rating = corps.leader().ratings().efficiency
        if rating < 0:
            for division in near:
                division.markers += rating
        for _ in range(rating):
            if not near:
                return
            chosen = self.series.commander(corps.side).corps_bonus(self.series, near)
            if chosen == NO_BONUS:
                return
            if chosen < 0 or chosen >= len(near):
                raise CommanderError(f"Commander.corps_bonus: {chosen}; it should be -1 (none) to {len(near) - 1}")
            near[chosen].markers += 1

    def bounded(self, division: Command, markers: i64) -> i64:
        """5.24, 5.25, 13.32: 1 to 4 markers; at most 3 out of the corps commander's range, 2 if Combat Ineffective."""
        most = self.series.artillery.most_markers(division)
        if self.head_of(division) is not division and not division.in_chain:
            most = MOST_OUT_OF_RANGE
        if division.ineffective:
            most = MOST_INEFFECTIVE
        return max(LEAST_MARKERS, min(markers, most))

    def _log_number(self, command: Command, number: i64, mode: str = "") -> None:
        if self.series.log.level >= EVERYTHING:
            event = Event("efficiency")
            event.side = command.side
            event.unit = command.code
            event.sp = number
            event.mode = mode
            self.series.log.add(event)
