"""Random Event markers and others that a battle brings of its own (5.31), with the events of the books (19.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import DAY
from simkit.model.events import (
    AMBUSH,
    CAISSONS_HIT,
    EITHER,
    FREE_FIRE,
    FRIENDLY_FIRE,
    GREEN_CHECK,
    JOINED,
    LEADER_CHECK,
    LEADER_HIT,
    NO_EVENT,
    RAIN,
    RALLY,
    RESUPPLY,
    SHAKEN,
    TAKES_COMMAND,
)
from simkit.model.forces import ARTILLERY, BY_OTHER, INFANTRY, ON_MAP, SIDES, UNION
from simkit.model.log import EVERYTHING, Event
from simkit.model.sections import firers
from simkit.rules.chapter import Chapter
from simkit.rules.dice import COHESION, EVENT, LEADERS
from simkit.rules.firemodifiers import PHASING
from simkit.rules.fireresolution import NO_AMMO, Shot

if TYPE_CHECKING:
    from simkit.model.battle import Marker
    from simkit.model.battlemap import Hex
    from simkit.model.events import EventMarkers, RandomEvent
    from simkit.model.forces import Part, Unit
    from simkit.model.leaders import Leader

LAST_OF_UNION: Final[i64] = 4  # where a roll says whose leader or green unit it is, up to this the Union's (DoW 19.0)
NEAR: Final[i64] = 2  # hexes within which a leader in sight is hit more easily (ITW 19.0)
SHAKEN_SHARE: Final[i64] = 6  # steps of a shaken unit for each that it loses, rounded up (ITW 19.0)


@mypyc_attr(allow_interpreted_subclasses=True)
class RandomEvents(Chapter):
    """What happens when an event marker is drawn; its dice are those of the Union's army, whoever throws them."""

    def markers(self) -> list[int]:
        """5.31: how many markers of each of the scenario's event charts are in the pool this turn."""
        return [self._number(markers) for markers in self.series.scenario.events]

    def _number(self, markers: EventMarkers) -> i64:
        turn = self.battle.turn
        if turn < markers.first or turn > markers.last:
            return 0
        if markers.chart.by_day and self.battle.turns[turn].light != DAY:
            return 0
        return markers.number

    def drawn(self, marker: Marker) -> None:
        """5.31, 19.0: an event marker is out of the pool: roll whether there is an event, which, and let it happen."""
        chart = self.series.scenario.events[marker.number].chart
        if chart.none_if_last and not self.battle.pool:
            self._log(chart.name, NO_EVENT, -1, "none: the last marker")
            return
        roller = self.battle.armies[UNION]
        roll = self.series.dice.roll(EVENT, roller)
        owner: i64 = chart.owners[roll]
        if owner == NO_EVENT:
            self._log(chart.name, NO_EVENT, roll, "none")
            return
        second = self.series.dice.roll(EVENT, roller)
        event = chart.events[second]
        self._log(chart.name, owner, second, event.name)
        if not self.happen(event, owner):
            self._log(event.name, owner, -1, "nobody concerned")
        for unit in self.battle.units:
            if unit.counts():
                # 8.42: losses outside an activation bear on a line or column as those in it do
                self.series.lines.close_up(unit)
                self.series.columns.close_up(unit)

    def happen(self, event: RandomEvent, owner: i64) -> bool:
        """19.0: let an event happen to `owner`'s advantage (EITHER: it says itself); False if it strikes nobody."""
        kind = event.kind
        if kind == FRIENDLY_FIRE:
            return self._friendly_fire(event)
        if kind == LEADER_CHECK:
            return self._leader_check(event, self._whose())
        if kind == GREEN_CHECK:
            return self._green_check(event, self._whose())
        if kind == RAIN:
            self.series.crossings.rain()
            return True
        if kind == TAKES_COMMAND:
            return self._takes_command(event)
        if kind == AMBUSH:
            return self.options.ambush and self._free_fire(event, self._whose())
        if owner == EITHER:
            owner = self._whose()
        if kind == LEADER_HIT:
            return self._leader_hit(event, owner)
        if kind == FREE_FIRE:
            return self._free_fire(event, owner)
        if kind == CAISSONS_HIT:
            return self._caissons_hit(event, owner)
        if kind == SHAKEN:
            return self._shaken(event, owner)
        if kind in (JOINED, RALLY, RESUPPLY):
            return self._helped(event, owner)
        return False

    def _whose(self) -> i64:
        """19.0 of Dead of Winter: a roll says whose leader or unit it is."""
        return 0 if self.series.dice.roll(EVENT, self.battle.armies[UNION]) <= LAST_OF_UNION else 1

    # -- who can be struck -----------------------------------------------------------------------------------------

    def near(self, place: Hex, side: i64, hexes: i64) -> bool:
        """19.0: whether a unit of a side stands within so many hexes of a place."""
        for unit in self.battle.units:
            if unit.side == side and unit.counts():
                for part in unit.parts:
                    if part.hex.distance_to(place) <= hexes:
                        return True
        return False

    def _near_unit(self, unit: Unit, side: i64, hexes: i64) -> bool:
        return any(self.near(part.hex, side, hexes) for part in unit.parts)

    def _seen(self, place: Hex, side: i64, hexes: i64, guns: bool = False) -> bool:
        """19.0 of Into the Woods: whether a unit (a battery) of a side within so many hexes has a place in sight."""
        for unit in self.battle.units:
            if unit.side == side and unit.counts() and (unit.kind == ARTILLERY or not guns):
                for part in unit.parts:
                    if part.hex.distance_to(place) <= hexes and self.series.sight.clear(part.hex, place):
                        return True
        return False

    def _choose(self, side: i64, units: list[Unit], event: RandomEvent) -> Unit:
        """Whom of those that an event may strike a side chooses: whom it values most, the first of equals."""
        commander = self.series.commander(side)
        return units[_first_best([commander.event_unit(self.series, unit, event.kind) for unit in units])]

    def _choose_leader(self, side: i64, leaders: list[Leader], event: RandomEvent) -> Leader:
        commander = self.series.commander(side)
        return leaders[_first_best([commander.event_leader(self.series, leader, event.kind) for leader in leaders])]

    # -- events of Dead of Winter ----------------------------------------------------------------------------------

    def _friendly_fire(self, event: RandomEvent) -> bool:
        """19.0 of Dead of Winter: one of three chosen units is fired at by the nearest of its own side.

        Its owner chooses one of them, the enemy two.
        """
        side = event.side
        eligible: list[Unit] = []
        for unit in self.battle.units:
            if unit.side == side and unit.counts() and self._near_unit(unit, 1 - side, event.within):
                if self._mistaken(unit, event.support) is not unit:
                    eligible.append(unit)
        if not eligible:
            return False
        chosen = [self._choose(side, eligible, event)]
        for _ in range(2):
            others = [unit for unit in eligible if unit not in chosen]
            if others:
                chosen.append(self._choose(1 - side, others, event))
        target = chosen[self.series.dice.pick(EVENT, self.battle.armies[UNION], len(chosen))]
        unit = self._mistaken(target, event.support)
        self._fire(unit, target, self._place_of(unit, target))
        return True

    def _mistaken(self, target: Unit, hexes: i64) -> Unit:
        """The nearest friend of a unit that can fire at it from within so many hexes; the unit itself if none."""
        found = target
        nearest = hexes + 1
        for unit in self.battle.units:
            if unit.side == target.side and unit is not target and self.series.fire.able(unit):
                distance = _apart(unit, target)
                if distance < nearest and self._reaching(unit, self._place_of(unit, target)):
                    found = unit
                    nearest = distance
        return found

    def _place_of(self, unit: Unit, target: Unit) -> Hex:
        """The hex of a target that is nearest to a unit."""
        place = target.hex
        nearest = _apart(unit, target)
        for part in target.parts:
            for own in unit.parts:
                if own.hex.distance_to(part.hex) == nearest:
                    return part.hex
        return place

    def _reaching(self, unit: Unit, place: Hex) -> list[Part]:
        """Who of a unit can fire at a hex whatever it faces: hexes of a line, sections of a battery in range."""
        found: list[Part] = []
        for part in firers(unit):
            distance = part.hex.distance_to(place)
            if 0 < distance <= part.armed_with().max_range and part.ammunition() < NO_AMMO and part.fighting() > 0:
                if self.series.sight.clear(part.hex, place):
                    found.append(part)
        return found

    def _fire(self, unit: Unit, victim: Unit, place: Hex) -> None:
        """19.0, 8.45, 10.63: a unit fires once at a hex with all it has, in no activation and without return fire."""
        parts = self._reaching(unit, place)
        points: i64 = 0
        for part in parts:
            points += part.fighting()
        shot: Shot = self.series.fire.shoot(parts, place, [victim], points, PHASING, True)
        lost = self.series.results.apply_fire(place, shot.result, shot.cause, [victim], shot.origins)
        for told in shot.event:
            told.losses = lost
        self.series.fire.deplete([shot])

    def _takes_command(self, event: RandomEvent) -> bool:
        """19.0 of Dead of Winter: a command's leader is replaced for good by him on his counter's back, once."""
        for command in self.battle.commands:
            if command.id == event.command and command.leader_list:
                leader = command.leader()
                if leader.replaced or leader.casualty or leader.back.name != event.leader:
                    return False
                leader.replaced = True
                if self.series.log.level >= EVERYTHING:
                    note = self.series.log.note
                    note("replacement", leader.side, leader.id, leader.hex.id, event.name, leader.back.name)
                return True
        return False

    def _leader_check(self, event: RandomEvent, side: i64) -> bool:
        """19.0 of Dead of Winter, 12.71: each side picks a leader near the enemy; one of the two rolls for his life."""
        eligible = [
            leader for leader in self.battle.leaders
            if leader.side == side and leader.level == event.level and leader.place == ON_MAP
            and self.near(leader.hex, 1 - side, event.within)
        ]
        if not eligible:
            return False
        picked = [self._choose_leader(side, eligible, event), self._choose_leader(1 - side, eligible, event)]
        victim = picked[0]
        if picked[1] is not victim:
            victim = picked[self.series.dice.pick(EVENT, self.battle.armies[UNION], 2)]
        if self.series.dice.check(LEADERS, victim, self.charts.command.leader_killed):
            self.series.results.kill(victim, event.name)
        return True

    def _green_check(self, event: RandomEvent, side: i64) -> bool:
        """19.0 of Dead of Winter: a green unit near the enemy checks; disordered, it routs if it fails."""
        eligible = [
            unit for unit in self.battle.units
            if unit.side == side and unit.green and unit.counts() and self._near_unit(unit, 1 - side, event.within)
        ]
        if not eligible:
            return False
        unit = self._choose(side, eligible, event)
        if not self.series.results.udd(unit, event.drm, event.name):
            if unit.disordered:
                self.series.results.begin([])
                self.series.results.rout(unit, event.name)
                self.series.results.end()
            else:
                self.series.results.shake(unit, event.name)
        return True

    # -- events of Into the Woods ----------------------------------------------------------------------------------

    def _leader_hit(self, event: RandomEvent, owner: i64) -> bool:
        """19.0 of Into the Woods: an opposing leader near the owner's units may be killed, the nearer the likelier."""
        eligible = [
            leader for leader in self.battle.leaders
            if leader.side != owner and leader.place == ON_MAP and self.near(leader.hex, owner, event.within)
        ]
        if not eligible:
            return False
        victim = self._choose_leader(owner, eligible, event)
        drm: i64 = 0
        if self.near(victim.hex, owner, 1):
            drm = event.adjacent
        elif self._seen(victim.hex, owner, NEAR):
            drm = event.near
        if self.series.dice.check(LEADERS, victim, event.killed - drm):
            self.series.results.kill(victim, event.name)
        return True

    def _free_fire(self, event: RandomEvent, owner: i64) -> bool:
        """19.0 of Into the Woods: an infantry unit of the owner's fires; nobody answers."""
        able: list[Unit] = []
        for unit in self.battle.units:
            if unit.side == owner and unit.kind == INFANTRY and self.series.fire.able(unit) and self._targets(unit):
                able.append(unit)
        if not able:
            return False
        unit = self._choose(owner, able, event)
        places = self._targets(unit)
        victims = [self.battle.units_in(place)[0] for place in places]
        victim = self._choose(owner, victims, event)
        place = places[victims.index(victim)]
        # both hexes of a line fire at a target that each of them sees; they roll together as in 8.45
        parts: list[Part] = [part for part in unit.parts if self.series.fire.part_bears(part, place, PHASING)]
        points: i64 = 0
        for part in parts:
            points += self.series.fire.available_at(part, PHASING, place)
        shot: Shot = self.series.fire.shoot(parts, place, [], points, PHASING, True)
        self.series.fire.apply(shot)
        return True

    def _targets(self, unit: Unit) -> list[Hex]:
        found: list[Hex] = []
        for enemy in self.battle.units:
            if enemy.side == unit.side or not enemy.counts():
                continue
            for part in enemy.parts:
                place = part.hex
                if place in found or not self.series.fire.bears_on(unit, place, PHASING):
                    continue
                for own in unit.parts:
                    if self.series.fire.part_bears(own, place, PHASING) and (
                        self.series.fire.available_at(own, PHASING, place) > 0
                    ):
                        found.append(place)
                        break
        return found

    def _caissons_hit(self, event: RandomEvent, owner: i64) -> bool:
        """19.0 of Into the Woods: an enemy battery that guns see loses a level of ammunition and checks.

        Disordered before, it loses a gun if it fails.
        """
        eligible: list[Unit] = []
        for unit in self.battle.units:
            if unit.side != owner and unit.kind == ARTILLERY and unit.counts() and unit.ammo < NO_AMMO:
                if self._seen(unit.hex, owner, self._greatest_range(owner), True):
                    eligible.append(unit)
        if not eligible:
            return False
        unit = self._choose(owner, eligible, event)
        for part in firers(unit):
            if part.ammunition() < NO_AMMO:
                self.series.batteries.use_ammunition(part, 1)
                break
        if not self.series.results.udd(unit, event.drm, event.name):
            if unit.disordered:
                self.series.results.lose(unit, 1, BY_OTHER)
                self.series.results.settle()
            else:
                self.series.results.shake(unit, event.name)
        return True

    def _greatest_range(self, side: i64) -> i64:
        most: i64 = 0
        for unit in self.battle.units:
            if unit.side == side and unit.kind == ARTILLERY and unit.counts():
                most = max(most, unit.weapon.max_range)
        return most

    def _shaken(self, event: RandomEvent, owner: i64) -> bool:
        """19.0 of Into the Woods: a fresh enemy infantry unit near by may be disordered and lose a sixth of its steps.

        Nothing but the event's own DRM counts for the check.
        """
        eligible: list[Unit] = []
        for unit in self.battle.units:
            fresh = unit.side != owner and unit.kind == INFANTRY and unit.counts() and not unit.disordered
            if fresh and unit.strength == unit.full and self._seen(unit.hex, owner, event.within):
                eligible.append(unit)
        if not eligible:
            return False
        unit = self._choose(owner, eligible, event)
        rating = unit.cohesion() - event.drm
        passed = self.series.dice.check(COHESION, unit, rating)
        if self.series.log.level >= EVERYTHING:
            roll = self.series.dice.last
            adjusted = roll + event.drm if roll >= 0 else roll
            self.series.log.check(unit.side, unit.id, unit.hex.id, event.name, unit.cohesion(), roll, adjusted, passed)
        if not passed:
            points = (unit.strength + SHAKEN_SHARE - 1) // SHAKEN_SHARE
            self.series.results.shake(unit, event.name)
            self.series.results.lose(unit, points, BY_OTHER)
            self.series.results.settle()
        return True

    def _helped(self, event: RandomEvent, owner: i64) -> bool:
        """19.0 of Into the Woods: infantry gets steps back, rallies in two brigades, or gets ammunition."""
        helped: list[Unit] = []
        for _ in range(event.number):
            eligible = [unit for unit in self.battle.units if self._helps(event, owner, unit, helped)]
            if not eligible:
                break
            unit = self._choose(owner, eligible, event)
            helped.append(unit)
            if event.kind == JOINED:
                unit.strength += 1
                unit.recovered += 1
                if unit.collapsed and 2 * unit.strength >= unit.full:
                    unit.collapsed = False  # as by stragglers (12.23)
                told = "a strength point more"
            elif event.kind == RALLY:
                unit.disordered = False
                told = "rallied"
            else:
                unit.ammo -= 1
                told = f"ammunition {unit.ammo}"
            if self.series.log.level >= EVERYTHING:
                self.series.log.note("favour", unit.side, unit.id, unit.hex.id, event.name, told)
        return len(helped) > 0

    def _helps(self, event: RandomEvent, owner: i64, unit: Unit, helped: list[Unit]) -> bool:
        if unit.side != owner or unit.kind != INFANTRY or not unit.counts() or unit in helped:
            return False
        if event.kind == JOINED:
            return unit.strength < unit.full and self.series.stacking.may_grow(unit)
        if event.kind == RALLY:
            return unit.disordered and not unit.collapsed and not any(unit.command is other.command for other in helped)
        return unit.ammo > 0

    def _log(self, name: str, owner: i64, roll: i64, result: str) -> None:
        if self.series.log.level >= EVERYTHING:
            told = Event("event")
            told.side = owner if 0 <= owner < len(SIDES) else -1
            told.mode = name
            told.roll = roll
            told.result = result
            self.series.log.add(told)


def _apart(unit: Unit, other: Unit) -> i64:
    """Hexes between the nearest parts of two units."""
    least = unit.hex.distance_to(other.hex)
    for part in unit.parts:
        for facing in other.parts:
            least = min(least, part.hex.distance_to(facing.hex))
    return least


def _first_best(worths: list[i64]) -> i64:
    """The place of the greatest, of equals the first."""
    best: i64 = 0
    for at in range(len(worths)):
        if worths[at] > worths[best]:
            best = at
    return best
