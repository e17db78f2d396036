"""Chapter 10.2, line of sight: what ground blocks it, and which units stand in the way of fire.

All is exact: a line is the list of hexes that it runs through or along, with when it enters and leaves each. Sight
between two hexes is worked out once, always from the higher to the lower, so that it is the same both ways (10.25). The
western of the two keeps it, or else the northern one, in a list by the offset of the other; what lies further than any
gun fires is rarely asked for and kept nowhere, so that a map of many sheets takes little room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battlemap import GRADUAL, STEEP
from simkit.model.forces import ARTILLERY
from simkit.model.hexgrid import KEPT, distance, line
from simkit.rules.chapter import Chapter

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

UNKNOWN: Final[i64] = 0
CLEAR: Final[i64] = 1
BLOCKED: Final[i64] = 2

KEPT_ROWS: Final[i64] = 2 * KEPT + 1

NEAR_TARGET: Final[i64] = 2  # hexes around the target in which friends stop shot and shell (10.26)
WELL_ABOVE: Final[i64] = 2  # levels that let fire pass over heads (10.26)


class Sightline:
    """The line between two hexes on the map: both ends and all hexes between, in order, with enter and leave times.

    `hexes[0]` is the higher end. Off-map hexes are left out; the ends enter at 0 and leave at `scale`.
    """

    def __init__(self, high: Hex, low: Hex, hexes: list[Hex], enters: list[i64], leaves: list[i64]) -> None:
        self.high = high
        self.low = low
        self.hexes = hexes
        self.enters = enters
        self.leaves = leaves

    def crossed(self, at: i64, other: i64) -> bool:
        """Whether the line goes over from one of its hexes straight into another (through a hexside or its end)."""
        return self.leaves[at] == self.enters[other]

    def meet_midway(self, at: i64, other: i64) -> bool:
        """Whether the hexside between two of its hexes, which the line crosses or runs along, lies midway."""
        scale = self.leaves[len(self.leaves) - 1]
        if self.crossed(at, other):
            return 2 * self.leaves[at] == scale
        alongside = self.enters[at] == self.enters[other] and self.leaves[at] == self.leaves[other]
        return alongside and self.enters[at] + self.leaves[at] == scale


@mypyc_attr(allow_interpreted_subclasses=True)
class Sight(Chapter):
    """Line of sight over the ground, and fire past other units."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.forget()

    def forget(self) -> None:
        """Forget all lines worked out so far: after a change of the map."""
        for place in self.battle.map.hexes:
            place.seen = []

    # -- sight over the ground (10.22 to 10.25, 10.27) -------------------------------------------------------------

    def clear(self, a: Hex, b: Hex) -> bool:
        """10.21, 10.25: whether there is a line of sight between two hexes, units apart; adjacent hexes always see.

        None beyond what the scenario lets anybody see in this turn.
        """
        if self.series.scenario.visibility:
            limit = self.series.scenario.sight(self.battle.turn)
            if limit > 0 and a.distance_to(b) > limit:
                return False
        dq = b.q - a.q
        dr = b.r - a.r
        keeper = a
        if dq < 0 or (dq == 0 and dr < 0):
            dq = -dq
            dr = -dr
            keeper = b
        if dq > KEPT or dr > KEPT or dr < -KEPT:
            return not self.blocked(a, b)
        known = keeper.seen
        if not known:
            known = [UNKNOWN] * (KEPT_ROWS * (KEPT + 1))
            keeper.seen = known
        at = dq * KEPT_ROWS + dr + KEPT
        found: i64 = known[at]
        if found == UNKNOWN:
            found = BLOCKED if self.blocked(a, b) else CLEAR
            known[at] = found
        return found == CLEAR

    def blocked(self, a: Hex, b: Hex) -> bool:
        """10.22, 10.24: whether the ground between two hexes blocks the line of sight."""
        if a.distance_to(b) < 2:
            return False
        if self.higher_ground(a, b):
            return True
        sightline = self.trace(a, b)
        if self.canopy(sightline):
            return True
        if sightline.high.elevation == sightline.low.elevation:
            return False
        if self.slope(sightline) or self.intervening_hill(sightline) or self.shadow(sightline):
            return True
        return self.options.crests and self.crest(sightline)

    def trace(self, a: Hex, b: Hex) -> Sightline:
        """10.21, 10.27: the line between two centres, from the higher; along a hexside it has both its hexes."""
        high = a
        low = b
        if b.elevation > a.elevation:
            high = b
            low = a
        course = line(low.q - high.q, low.r - high.r)
        hexes: list[Hex] = [high]
        enters: list[i64] = [0]
        leaves: list[i64] = []
        scale: i64 = 1
        first: i64 = -1
        last: i64 = 0
        between_enters: list[i64] = []
        between_leaves: list[i64] = []
        for cell in course.cells:
            scale = cell.scale
            if first < 0 or cell.enter < first:
                first = cell.enter
            last = max(last, cell.leave)
            place = self.battle.map.at_axial(high.q + cell.q, high.r + cell.r)
            if place is not self.battle.map.off:
                hexes.append(place)
                between_enters.append(cell.enter)
                between_leaves.append(cell.leave)
        leaves.append(first)
        enters.extend(between_enters)
        leaves.extend(between_leaves)
        hexes.append(low)
        enters.append(last)
        leaves.append(scale)
        return Sightline(high, low, hexes, enters, leaves)

    def higher_ground(self, a: Hex, b: Hex) -> bool:
        """10.24 Higher Elevations, 10.23: whether a hex between, with its woods or houses, is higher than both ends."""
        ground = self.battle.map
        top = max(a.elevation, b.elevation)
        for cell in line(b.q - a.q, b.r - a.r).cells:
            place = ground.at_axial(a.q + cell.q, a.r + cell.r)
            if place is not ground.off and place.height() > top:
                return True
        return False

    def canopy(self, sightline: Sightline) -> bool:
        """10.24 Canopy of Trees: whether the line runs through lower woods next to an end in woods.

        They do not block if they lie lower than both ends and the change of level between the two woods is not gradual.
        """
        hexes = sightline.hexes
        at: i64 = 1
        while at < len(hexes) - 1:
            place = hexes[at]
            if place.terrain.is_wood:
                if self._canopy_over(place, sightline.high, sightline.low):
                    return True
                if self._canopy_over(place, sightline.low, sightline.high):
                    return True
            at += 1
        return False

    def _canopy_over(self, place: Hex, end: Hex, other: Hex) -> bool:
        if not end.terrain.is_wood or place.elevation >= end.elevation:
            return False
        direction = place.direction_to(end)
        if direction < 0:
            return False
        return place.elevation >= other.elevation or place.sides[direction].gradual

    def slope(self, sightline: Sightline) -> bool:
        """10.24 Slopes: whether a hex or hexside above the average level lies closer to the lower end.

        Halfway counts as closer if the hex has a slope that is not gradual on the lower side, or the hexside is one.
        """
        hexes = sightline.hexes
        high = sightline.high
        low = sightline.low
        twice_average = high.elevation + low.elevation
        at: i64 = 1
        while at < len(hexes) - 1:
            place = hexes[at]
            if 2 * place.height() > twice_average:
                to_low = place.distance_to(low)
                to_high = place.distance_to(high)
                if to_low < to_high or (to_low == to_high and self._steep_below(sightline, at)):
                    return True
            at += 1
        return self._hexside_halfway(sightline, twice_average)

    def _steep_below(self, sightline: Sightline, at: i64) -> bool:
        """Whether a hex of the line has a slope that is not gradual where the line leaves it for the lower end."""
        other = at + 1
        while other < len(sightline.hexes):
            if sightline.crossed(at, other) and not self.is_gradual(sightline, at, other):
                return True
            other += 1
        return False

    def _hexside_halfway(self, sightline: Sightline, twice_average: i64) -> bool:
        """10.24 note 3: whether a hexside midway, with the mean height of its hexes, is above the average level.

        The line goes through that hexside, or along it; where it passes the centre of a hex midway there is none.
        """
        high = sightline.high
        low = sightline.low
        if (low.q - high.q) % 2 == 0 and (low.r - high.r) % 2 == 0:
            return False  # a hex lies midway
        at: i64 = 0
        while at < len(sightline.hexes) - 1:
            other = at + 1
            while other < len(sightline.hexes):
                if sightline.meet_midway(at, other):
                    heights = sightline.hexes[at].height() + sightline.hexes[other].height()
                    if heights > twice_average and not self.is_gradual(sightline, at, other):
                        return True
                other += 1
            at += 1
        return False

    def is_gradual(self, sightline: Sightline, at: i64, other: i64) -> bool:
        """10.23, 10.24 note 4: whether the hexside between two hexes of the line counts as gradual.

        Not so the edge of woods or a town, where the heights differ; a slope only one level above the lower end does.
        """
        place = sightline.hexes[at]
        beyond = sightline.hexes[other]
        if place.terrain.blocks or beyond.terrain.blocks:
            return self._steepness(place, beyond) == GRADUAL
        if self._between(place, beyond).gradual:
            return True
        return max(place.elevation, beyond.elevation) <= sightline.low.elevation + 1

    def _steepness(self, place: Hex, beyond: Hex) -> i64:
        """10.23 note 2: the slope between adjacent hexes; that of woods and towns is steep where the heights differ."""
        slope = self._between(place, beyond).slope
        if not place.terrain.blocks and not beyond.terrain.blocks:
            return slope
        return GRADUAL if place.height() == beyond.height() else max(slope, STEEP)

    def intervening_hill(self, sightline: Sightline) -> bool:
        """10.24 Intervening Hill: whether a hex as high as the higher end lies beyond lower ground, seen from there."""
        hexes = sightline.hexes
        top = sightline.high.elevation
        valley: i64 = -1  # when the line first leaves a hex of lower ground
        at: i64 = 1
        while at < len(hexes) - 1:
            if hexes[at].elevation < top and (valley < 0 or sightline.leaves[at] < valley):
                valley = sightline.leaves[at]
            at += 1
        if valley < 0:
            return False
        at = 1
        while at < len(hexes) - 1:
            if hexes[at].elevation == top and sightline.enters[at] >= valley:
                return True
            at += 1
        return False

    def shadow(self, sightline: Sightline) -> bool:
        """10.24 Shadow: whether woods, a town or a steep slope next to an end hides it.

        Woods and towns do if higher than the end next to them; a steep or sheer slope that rises next to the lower end
        does, unless all other hexsides up to the higher end are as steep.
        """
        hexes = sightline.hexes
        high = sightline.high
        low = sightline.low
        at: i64 = 1
        while at < len(hexes) - 1:
            place = hexes[at]
            if place.terrain.blocks:
                if place.height() > low.elevation and place.direction_to(low) >= 0:
                    return True
                if place.height() > high.elevation and place.direction_to(high) >= 0:
                    return True
            at += 1
        last: i64 = len(hexes) - 1
        at = 1
        while at < last:
            if sightline.crossed(at, last) and hexes[at].elevation > low.elevation:
                hexside = self._between(hexes[at], low)
                if hexside.slope >= STEEP and not self._others_as_steep(sightline, at, hexside.slope):
                    return True
            at += 1
        return False

    def _others_as_steep(self, sightline: Sightline, below: i64, slope: i64) -> bool:
        """Whether all hexsides crossed are as steep, but for that from hex `below` to the lower end (10.23, 10.24)."""
        last: i64 = len(sightline.hexes) - 1
        at: i64 = 0
        while at < last:
            other = at + 1
            while other <= last:
                if sightline.crossed(at, other) and not (at == below and other == last):
                    if self._steepness(sightline.hexes[at], sightline.hexes[other]) < slope:
                        return False
                other += 1
            at += 1
        return True

    def _between(self, a: Hex, b: Hex) -> Hexside:
        """The hexside from one hex of a line to the adjacent next."""
        return a.sides[a.direction_to(b)]

    def crest(self, sightline: Sightline) -> bool:
        """10.24 Crests (optional): whether the ground falls sooner behind the higher end than before it.

        Counted over the line and its extension, woods and towns apart; not if it rises behind before it falls.
        """
        hexes = sightline.hexes
        high = sightline.high
        top = high.elevation
        last: i64 = len(hexes) - 1
        falls_before = sightline.enters[last]
        at: i64 = 1
        while at < last:
            if hexes[at].elevation < top:
                falls_before = min(falls_before, sightline.enters[at])
            at += 1
        low = sightline.low
        falls_behind: i64 = -1
        rises_behind: i64 = -1
        # behind the higher end the line runs through the mirror images of the hexes before it
        for cell in line(low.q - high.q, low.r - high.r).cells:
            place = self.battle.map.at_axial(high.q - cell.q, high.r - cell.r)
            if place is self.battle.map.off:
                continue
            if place.elevation < top and (falls_behind < 0 or cell.enter < falls_behind):
                falls_behind = cell.enter
            if place.elevation > top and (rises_behind < 0 or cell.enter < rises_behind):
                rises_behind = cell.enter
        if falls_behind < 0 or falls_behind >= falls_before:
            return False
        return rises_behind < 0 or rises_behind >= falls_behind

    # -- units in the way (10.26) ----------------------------------------------------------------------------------

    def fire_blocked(self, unit: Unit, origin: Hex, target: Hex) -> bool:
        """10.26: whether combat units stop a unit's fire from one of its hexes at a hex, given that no ground does.

        Small arms and canister are stopped by units between; shot and shell by friends near the target, up to two hexes
        before or past it. The unit itself stops none of its fire, in whichever of its hexes it stands.
        """
        distance = origin.distance_to(target)
        if distance < 2:
            return False
        if unit.weapon.shell(distance):
            return self._friends_near(unit, origin, target)
        return self.stopped_by_units(unit, origin, target)

    def stopped_by_units(self, unit: Unit, origin: Hex, target: Hex) -> bool:
        """10.26: whether units between two hexes stop a unit's small arms or canister.

        They do not where they stand lower than both ends; where all are enemies that ground hides; before guns two
        levels above the hex next to them; or, two levels between the ends, on the lower level nearer the higher end.
        """
        guns = unit.kind == ARTILLERY
        in_the_way = False
        hidden = True  # no friends so far, and the ground hides all enemies
        for cell in line(target.q - origin.q, target.r - origin.r).cells:
            place = self.battle.map.at_axial(origin.q + cell.q, origin.r + cell.r)
            holder = self._others(unit, place)
            if holder < 0:
                continue
            if holder == unit.side or self.clear(origin, place):
                hidden = False
            if not self._over_heads(origin, target, place, guns):
                in_the_way = True
        return in_the_way and not hidden

    def _others(self, unit: Unit, place: Hex) -> i64:
        """The side of the combat units in a hex but for one, which may stand in several (8.4); -1 if there are none."""
        for part in place.stack:
            if part.unit is not unit and part.unit.abandoned == 0:
                return part.unit.side
        return -1

    def hidden_by(self, side: i64, origin: Hex, target: Hex, guns: bool) -> bool:
        """9.55, 10.26: whether units of a side between two hexes hide one from comrades (or `guns`) in the other."""
        for cell in line(target.q - origin.q, target.r - origin.r).cells:
            place = self.battle.map.at_axial(origin.q + cell.q, origin.r + cell.r)
            if self.battle.held_by(place) == side and not self._over_heads(origin, target, place, guns):
                return True
        return False

    def _over_heads(self, origin: Hex, target: Hex, place: Hex, guns: bool) -> bool:
        """10.26: whether fire may pass over the heads of units in a hex between."""
        if place.elevation < origin.elevation and place.elevation < target.elevation:
            return True
        if guns and origin.elevation >= place.elevation + WELL_ABOVE and origin.distance_to(place) == 1:
            return True
        rise = origin.elevation - target.elevation
        if rise >= WELL_ABOVE:
            return place.elevation == target.elevation and place.distance_to(target) >= place.distance_to(origin)
        if rise <= -WELL_ABOVE:
            return place.elevation == origin.elevation and place.distance_to(origin) >= place.distance_to(target)
        return False

    def _friends_near(self, unit: Unit, origin: Hex, target: Hex) -> bool:
        """10.26: whether friends on the line, on its hexsides or past its end are within two hexes of the target."""
        dq = target.q - origin.q
        dr = target.r - origin.r
        for cell in line(dq, dr).cells:
            if distance(cell.q, cell.r, dq, dr) <= NEAR_TARGET and self._friends_at(unit, origin, cell.q, cell.r):
                return True
            if distance(cell.q, cell.r, 0, 0) <= NEAR_TARGET and self._friends_at(unit, target, cell.q, cell.r):
                return True
        return False

    def _friends_at(self, unit: Unit, origin: Hex, q: i64, r: i64) -> bool:
        """Whether friends of a unit stand so many axial steps away from a hex."""
        return self._others(unit, self.battle.map.at_axial(origin.q + q, origin.r + r)) == unit.side

    def friends_under_fire(self, unit: Unit, origin: Hex, target: Hex) -> list[Unit]:
        """10.26: friends adjacent to the target over whose heads a unit fires: they check on a roll of 2 or less."""
        found: list[Unit] = []
        for cell in line(target.q - origin.q, target.r - origin.r).cells:
            place = self.battle.map.at_axial(origin.q + cell.q, origin.r + cell.r)
            if place.distance_to(target) == 1:
                for one in self.battle.units_in(place):
                    if one.side == unit.side and one is not unit and one not in found:
                        found.append(one)
        return found
