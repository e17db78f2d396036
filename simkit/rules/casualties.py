"""Chapter 12.7 and 12.8: leader casualties and replacements, abandoned guns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import (
    ARMY,
    ARTILLERY,
    BRIGADE,
    BY_OTHER,
    ELIMINATED,
    MARCH,
    ON_MAP,
    ROUTED,
    Command,
    Unit,
)
from simkit.model.leaders import Leader
from simkit.model.log import EVERYTHING
from simkit.model.sections import resize
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.dice import LEADERS

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.rules.series import Series

UNNUMBERED: Final[i64] = 1000


def command_number(command: Command) -> i64:
    """The number with which a command's code begins, or UNNUMBERED (12.76)."""
    digits = ""
    for letter in command.code:
        if not letter.isdigit():
            break
        digits += letter
    return int(digits) if digits else UNNUMBERED


@mypyc_attr(allow_interpreted_subclasses=True)
class Casualties(Chapter):
    """Leaders who fall and are replaced, batteries whose crews leave them."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.rolled: list[Leader] = []  # have had their roll for the fire combat or shock step under way

    # -- leaders ---------------------------------------------------------------------------------------------------

    def leader_casualties(self, place: Hex) -> None:
        """12.71: each leader stacked with units that lost steps rolls once for the fire combat or shock step."""
        for leader in list(place.leaders):
            if leader in self.rolled:
                continue
            self.rolled.append(leader)
            if self.series.dice.check(LEADERS, leader, self.charts.command.leader_killed):
                self.kill(leader, "casualty roll")

    def kill(self, leader: Leader, why: str) -> None:
        """12.71: remove a leader from play."""
        place = leader.hex
        leader.casualty = True
        leader.place = ELIMINATED
        self.battle.stand_leader(leader, self.battle.map.off)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("casualty", leader.side, leader.id, place.id, why, "killed")

    def leaders_of_the_eliminated(self, unit: Unit) -> None:
        """12.71: a leader whose units are all eliminated is killed."""
        command = unit.command
        while True:
            if command.has_leader():
                post = self.series.command.post(command.leader())
                for other in post.all_units() + self.series.artillery.guests(post):
                    if other.place != ELIMINATED:
                        return
                self.kill(command.leader(), "no units left")
            if command.superior is command:
                return
            command = command.superior

    def replace_leaders(self) -> None:
        """12.74, 4.18: in the Leader Replacement Phase fallen leaders are replaced, the highest first."""
        level = ARMY
        while level >= BRIGADE:
            for leader in self.battle.leaders:
                if leader.level == level and leader.casualty and leader.place == ELIMINATED:
                    self.replace_leader(leader)
            level -= 1

    def replace_leader(self, leader: Leader) -> bool:
        """12.74-12.76: bring in the replacement of one fallen leader; False if he has none now.

        A brigadier's replacement who falls comes back as he is; that of a higher leader does not.
        """
        if not leader.replaceable or (leader.replaced and leader.level != BRIGADE):
            return False
        place = self.replacement_place(leader)
        if place is self.battle.map.off:
            return False
        if not leader.replaced and not self.promote(leader):
            return False
        leader.replaced = True
        leader.place = ON_MAP
        leader.moved = False
        leader.ended = False
        leader.spent = 0
        leader.joined = False
        self.battle.stand_leader(leader, place)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("replacement", leader.side, leader.id, place.id, "", leader.back.name)
        return True

    def replacement_place(self, leader: Leader) -> Hex:
        """12.74: with a unit of the command, by its owner's choice; a brigadier of routed units with his superior."""
        units: list[Unit] = []
        routed = False
        for unit in leader.command.all_units() + self.series.artillery.guests(leader.command):
            if unit.counts():
                units.append(unit)
            elif unit.place == ROUTED:
                routed = True
        if units:
            chosen = self.series.commander(leader.side).replacement_with(self.series, leader, units)
            if chosen < 0 or chosen >= len(units):
                right = f"0 to {len(units) - 1}"
                raise CommanderError(
                    f"Commander.replacement_with: answered {chosen} for {leader.id}; right would be {right}"
                )
            return units[chosen].hex
        if leader.level == BRIGADE and routed and leader.command.superior.has_leader():
            return leader.command.superior.leader().hex
        return self.battle.map.off

    def promote(self, leader: Leader) -> bool:
        """12.75-12.76: turn over the counter of the subordinate who is the replacement, or of the first in his stead.

        False if the replacement has fallen and no subordinate leader is left to turn over.
        """
        for other in self.battle.leaders:
            if other.side == leader.side and other.level < leader.level and other.front.name == leader.back.name:
                if not other.casualty and not other.replaced:
                    other.replaced = True
                    return True
                found = self.next_in_command(leader.command)
                if not found:
                    return False
                chosen: i64 = 0
                if len(found) > 1:
                    chosen = self.series.commander(leader.side).next_in_command(self.series, leader, found)
                    if chosen < 0 or chosen >= len(found):
                        raise CommanderError(
                            f"Commander.next_in_command: answered {chosen} for {leader.id}; right would be 0 to "
                            f"{len(found) - 1}"
                        )
                found[chosen].replaced = True
                return True
        return True

    def next_in_command(self, command: Command) -> list[Leader]:
        """12.76: the surviving original leader of the first numbered subordinate command; of equals all, or none.

        Unnumbered commands come after numbered ones, those whose leaders rate best first.
        """
        found: list[Leader] = []
        best: i64 = 0
        for subordinate in command.subordinates:
            if not subordinate.has_leader() or subordinate.leader().replaced:
                continue
            leader = subordinate.leader()
            number = command_number(subordinate)
            score = -number * 1000
            if number == UNNUMBERED:
                front = leader.front
                score += front.command_range + front.initiative + front.efficiency + front.coordination
                score += front.activation + front.orders
            if not found or score > best:
                found = [leader]
                best = score
            elif score == best:
                found.append(leader)
        return found

    # -- guns ------------------------------------------------------------------------------------------------------

    def guns_in_recovery(self) -> None:
        """12.8, 12.82, 3.0 IV/B/4-5: abandoned guns whose marker was turned before are lost, then others' turned."""
        for unit in self.battle.units:
            if unit.place == ON_MAP and unit.abandoned == 2:
                self.lose_guns(unit)
        for unit in self.battle.units:
            if unit.place == ON_MAP and unit.abandoned == 1:
                self.battle.abandon(unit, 2)

    def lose_guns(self, unit: Unit) -> None:
        """12.82: guns that nobody has recrewed are eliminated."""
        place = unit.hex
        guns = unit.strength
        unit.strength = 0
        if unit.sections:
            resize(unit, 0)
        unit.record_loss(guns, BY_OTHER)
        self.battle.remove(unit, ELIMINATED)
        if self.series.log.level >= EVERYTHING:
            self.series.log.loss(unit.side, unit.id, place.id, "other", guns)
            self.series.log.note("eliminated", unit.side, unit.id, place.id, "abandoned", "")
        self.leaders_of_the_eliminated(unit)

    def crew_arrives(self, unit: Unit, place: Hex) -> None:
        """12.81: its side's abandoned guns in a hex that a unit enters are manned at the end of the activation."""
        for part in place.stack:
            if part.unit.abandoned != 0 and part.unit.side == unit.side:
                part.unit.crew_back = True

    def crews_return(self) -> None:
        """12.81: man the guns whose crews have been called back: at the end of a brigade's activation.

        By Gringo! at once: those called back by movement and rally take part in the shocks that follow.
        """
        for unit in self.battle.units:
            if unit.abandoned != 0 and unit.crew_back:
                self.recrew(unit)

    def may_recrew(self, unit: Unit) -> bool:
        """12.81: abandoned guns within the stacking limits of their hex, no enemy in it."""
        if unit.kind != ARTILLERY or unit.abandoned == 0 or unit.place != ON_MAP:
            return False
        holder = self.battle.held_by(unit.hex)
        if holder != -1 and holder != unit.side:
            return False
        return self.series.stacking.may_end(unit, unit.hex)

    def recrew(self, unit: Unit) -> bool:
        """12.81: the crew comes back disordered and takes the facing of the units in the hex, or its owner's choice."""
        if not self.may_recrew(unit) or not self.series.owner(unit).recrew(self.series, unit):
            return False
        friends = self.battle.units_in(unit.hex)
        heading = friends[0].heading if friends else self.series.owner(unit).recrew_heading(self.series, unit)
        towards = 0 if unit.orders == MARCH else 1
        if heading < 0 or heading > 11 or (not friends and heading % 2 != towards):
            right = "an even heading" if unit.orders == MARCH else "an odd heading"
            raise CommanderError(
                f"Commander.recrew_heading: answered {heading} for {unit.id}; right would be {right} from 0 to 11"
            )
        self.battle.abandon(unit, 0)
        unit.disordered = True
        unit.heading = heading
        self.series.refusal.settled(unit)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("recrewed", unit.side, unit.id, unit.hex.id, "", "")
        self.series.retreat.leaders_beside(unit.hex)
        return True
