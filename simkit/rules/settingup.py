"""Set-ups that leave a choice: who may start where, a sensible start for all, and groups that are late by the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import FOOT, GUNS, HORSE, PROHIBITED
from simkit.model.entrances import NEVER, SET_UP
from simkit.model.forces import ARTILLERY, BRIGADE, MARCH, ON_MAP
from simkit.model.hexgrid import distance, heading_towards
from simkit.model.log import EVERYTHING
from simkit.rules import dice as streams
from simkit.rules.chapter import Chapter
from simkit.rules.commander import CommanderError
from simkit.rules.scenario_rules import SetUpArea

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.entrances import LateArrival, Reinforcement
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader
    from simkit.rules.options import Options
    from simkit.rules.series import Series

# what makes a hex less fit for a unit to start in: an enemy beside it, each unit there, rows off the line, hexes off it
BESIDE_ENEMY: Final[i64] = 1000000
EACH_MATE: Final[i64] = 10000
EACH_ROW: Final[i64] = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class SettingUp(Chapter):
    """Where units start whose book names several hexes.

    All are set up sensibly when the battle is built, and groups of 10.0 when the dice have spoken; their owner may
    change it on deploying, by `place` and `place_leader`.
    """

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self._late: list[SetUpArea] = []  # of the groups that this run has set up

    # -- the owner's choice ----------------------------------------------------------------------------------------

    def areas(self, side: i64) -> list[SetUpArea]:
        """The areas in which a side has units or leaders to place."""
        found: list[SetUpArea] = []
        for area in self.series.scenario.areas + self._late:
            own = area.units[0].side if area.units else area.leaders[0].side
            if own == side:
                found.append(area)
        return found

    def choices(self, unit: Unit) -> list[Hex]:
        """The hexes in which a unit may be set up now; none if its book names just one."""
        for area in self.areas(unit.side):
            if unit in area.units:
                return [place for place in area.hexes if place is not unit.hex and self._may_stand(unit, place)]
        return []

    def place(self, unit: Unit, place: Hex) -> None:
        """Set a unit up in another hex of its area while its side deploys; it faces as those there do.

        Raises:
            CommanderError: its side does not deploy now, or it may not stand there.
        """
        if not self.series.orders.deploys(unit.side):
            raise CommanderError(f"SettingUp.place: {unit.id}'s side does not deploy now")
        if place not in self.choices(unit):
            raise CommanderError(f"SettingUp.place: {unit.id} cannot be set up in {place.id}; take one of choices")
        self.battle.lift(unit)
        for mate in self.battle.units_in(place):
            unit.heading = mate.heading
        self.battle.stand(unit, place, False)

    def place_leader(self, leader: Leader, place: Hex) -> None:
        """Set a leader up in another hex of his area while his side deploys.

        Raises:
            CommanderError: his side does not deploy now, or he may not stand there.
        """
        if not self.series.orders.deploys(leader.side):
            raise CommanderError(f"SettingUp.place_leader: {leader.id}'s side does not deploy now")
        for area in self.areas(leader.side):
            if leader in area.leaders and place in area.hexes:
                if self.series.movement.leader_may_enter(place, leader.side):
                    self.battle.stand_leader(leader, place)
                    return
        raise CommanderError(f"SettingUp.place_leader: {leader.id} cannot be set up in {place.id}")

    def _may_stand(self, unit: Unit, place: Hex) -> bool:
        mover = GUNS if unit.kind == ARTILLERY else HORSE if unit.is_mounted() else FOOT
        if place.terrain.cost(mover) >= PROHIBITED:
            return False
        holder = self.battle.held_by(place)
        if holder >= 0 and holder != unit.side:
            return False
        return self.series.stacking.may_end(unit, place)

    # -- a sensible start ------------------------------------------------------------------------------------------

    def spread(self, area: SetUpArea) -> Unit | None:
        """Set up all units and leaders of an area, who stand nowhere, and face them to the enemy.

        Regiments form a line through the middle across the way to the enemy, one a hex while there is room; guns stand
        behind or with them, leaders with their first unit.

        Returns:
            a unit for which there is no room, if any.
        """
        side = area.units[0].side if area.units else area.leaders[0].side
        q, r = self.enemy_middle(side)
        for guns in (False, True):
            for unit in area.units:
                if (unit.kind == ARTILLERY) == guns:
                    place = self._best(unit, area, q, r)
                    if place is self.battle.map.off:
                        return unit
                    unit.place = ON_MAP
                    unit.waiting = False
                    self._face(unit, place, q, r)
                    self.battle.stand(unit, place, False)
        for leader in area.leaders:
            leader.place = ON_MAP
            leader.waiting = False
            self.battle.stand_leader(leader, self._place_for(leader, area))
        return None

    def _best(self, unit: Unit, area: SetUpArea, q: i64, r: i64) -> Hex:
        """The fittest hex of an area for a unit; off the map if it can stand in none."""
        best = self.battle.map.off
        least: i64 = -1
        middle = area.middle
        depth = distance(middle.q, middle.r, q, r)
        for place in area.hexes:
            if not self._may_stand(unit, place):
                continue
            rows = distance(place.q, place.r, q, r) - depth
            fault = place.distance_to(middle) + EACH_ROW * max(rows, -rows) + EACH_MATE * len(place.stack)
            if self.battle.enemy_near(place, unit.side):
                fault += BESIDE_ENEMY
            if least < 0 or fault < least:
                least = fault
                best = place
        return best

    def _place_for(self, leader: Leader, area: SetUpArea) -> Hex:
        """Where a leader starts: a brigadier with his unit nearest to the middle, others in the middle."""
        best = area.middle
        if leader.level == BRIGADE:
            least: i64 = -1
            for unit in area.units:
                away = unit.hex.distance_to(area.middle)
                if unit.command is leader.command and unit.hex.index >= 0 and (least < 0 or away < least):
                    least = away
                    best = unit.hex
        if best in area.hexes and self.series.movement.leader_may_enter(best, leader.side):
            return best
        nearest: i64 = -1
        for place in area.hexes:
            away = place.distance_to(area.middle)
            if (nearest < 0 or away < nearest) and self.series.movement.leader_may_enter(place, leader.side):
                nearest = away
                best = place
        return best

    def _face(self, unit: Unit, place: Hex, q: i64, r: i64) -> None:
        for mate in self.battle.units_in(place):
            unit.heading = mate.heading
            return
        unit.heading = heading_towards(q - place.q, r - place.r)
        if (unit.heading % 2 == 0) != (unit.orders == MARCH):
            unit.heading = (unit.heading + 1) % 12

    def enemy_middle(self, side: i64) -> tuple[i64, i64]:
        """The middle of a side's enemies, in axial coordinates: of those on the map, else of where they enter."""
        q: i64 = 0
        r: i64 = 0
        count: i64 = 0
        for unit in self.battle.units:
            if unit.side != side and unit.hex.index >= 0:
                q += unit.hex.q
                r += unit.hex.r
                count += 1
        if count == 0:
            for group in self.battle.reinforcements:
                if group.side != side:
                    for entrance in group.entrances:
                        q += entrance.hex.q
                        r += entrance.hex.r
                        count += 1
        return (q // max(count, 1), r // max(count, 1))

    # -- groups that are late by the dice (10.0 of Dead of Winter) ---------------------------------------------------

    def late_groups(self) -> None:
        """10.0: roll for each group whose arrival the dice decide: it is set up, or due in a turn of a day."""
        self._late = []
        for group in self.battle.reinforcements:
            late = group.late
            if late is not None:
                self._roll_for(group, late)

    def _roll_for(self, group: Reinforcement, late: LateArrival) -> None:
        first = self._roll(group)
        line = late.line(late.most, (late.zero if first == 0 else first) + late.drm)
        group.due = NEVER
        if late.drms[line] == SET_UP:
            self._set_up(group, late)
        else:
            second = self._roll(group)
            group.due = late.turns[line][late.line(late.second, second + late.drms[line] + late.drm)]
        if self.series.log.level >= EVERYTHING:
            due = "set up" if group.due == NEVER else self.battle.turns[group.due].label
            who = group.units[0].id if group.units else group.leaders[0].id
            self.series.log.note("arrival", group.side, who, "", "", due)

    def _roll(self, group: Reinforcement) -> i64:
        """A die of the arrival stream, for the group's first unit or leader."""
        if group.units:
            return self.series.dice.roll(streams.ARRIVAL, group.units[0])
        return self.series.dice.roll(streams.ARRIVAL, group.leaders[0])

    def _set_up(self, group: Reinforcement, late: LateArrival) -> None:
        """10.0: a group starts on the map, in the part of its ground that is nearest to its friends."""
        area = SetUpArea(group.units, group.leaders, late.hexes, self._near_friends(group, late.hexes))
        homeless = self.spread(area)
        if homeless is not None:
            raise CommanderError(f"SettingUp.late_groups: there is no room on the map for {homeless.id}")
        self._late.append(area)

    def _near_friends(self, group: Reinforcement, hexes: list[Hex]) -> Hex:
        q, r = self.enemy_middle(1 - group.side)
        best = hexes[0]
        for place in hexes:
            if distance(place.q, place.r, q, r) < distance(best.q, best.r, q, r):
                best = place
        return best
