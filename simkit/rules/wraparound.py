"""Chapter 8.48: how an Extended Line that shocks wraps around a defender, after step 3 of the shock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import EXTENDED_LINE, MARCH
from simkit.model.hexgrid import FRONT, zone
from simkit.model.log import EVERYTHING
from simkit.rules.commander import LineAdvance
from simkit.rules.preshock import PreShock

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.rules.shockinprogress import Attacker, ShockInProgress


@mypyc_attr(allow_interpreted_subclasses=True)
class WrapAround(PreShock):
    """The swing of the half of a line that is not in contact with the defender it shocks."""

    def wrap_arounds(self, shocks: list[ShockInProgress]) -> None:
        """8.48: offer it to every line of these shocks for which the rule allows it, and carry it out."""
        for shock in shocks:
            if len(shock.targets) != 1 or not self.held(shock, shock.targets[0]):
                continue
            for attacker in shock.attackers:
                unit = attacker.unit
                ways = self.wrap_ways(attacker, shock.targets[0])
                if ways and self.series.owner(unit).wrap_around(self.series, unit, _entered(attacker, ways[0])):
                    self._wrap(attacker, ways[0])

    def wrap_ways(self, attacker: Attacker, target: Hex) -> list[LineAdvance]:
        """8.48: where the line would stand after it has wrapped around a target; none if it may not.

        Only a line of two hexes in good order, under Advance or Attack Orders and not refused, with one half in contact
        with the enemy and the other free to come into contact.
        """
        found: list[LineAdvance] = []
        unit = attacker.unit
        if unit.extended != EXTENDED_LINE or len(unit.parts) != 2 or not unit.counts() or not attacker.in_place():
            return found
        if unit.disordered or unit.refused != 0 or unit.orders == MARCH or len(self.hexes_of(target)) > 1:
            return found
        for at in range(2):
            origin = attacker.places[at]
            way = self.series.retreat.pivot(attacker.places, unit.heading, at)
            if origin.direction_to(target) < 0 and self._may_swing(unit, origin, way.hexes[at], target):
                if self._faces_no_more(unit, way, target):
                    found.append(way)
        return found

    def _may_swing(self, unit: Unit, origin: Hex, to: Hex, target: Hex) -> bool:
        """8.48: whether a half may go from a hex in no enemy's front into an empty one in none but the target's."""
        if to.stack or not self.series.retreat.may_step(unit, origin, to):
            return False
        return not self.battle.in_enemy_front(origin, unit.side) and not self._faced_by_another(to, unit.side, target)

    def _faces_no_more(self, unit: Unit, way: LineAdvance, target: Hex) -> bool:
        """8.48: whether a line that stood so would strike the target with both halves, and face nobody it does not now.
        """
        for place in way.hexes:
            direction = place.direction_to(target)
            if direction < 0 or zone(way.heading, direction) != FRONT:
                return False
            if not self.shockable(unit, place.sides[direction]):
                return False
            for hexside in place.nodes[way.heading].ahead:
                if self.battle.held_by(hexside.to) == 1 - unit.side and not self.battle.in_front(unit, hexside.to):
                    return False
        return True

    def _faced_by_another(self, place: Hex, side: i64, target: Hex) -> bool:
        """Whether a hex is a frontal hex of an enemy who does not stand in the target."""
        for hexside in place.sides:
            for part in hexside.to.stack:
                unit = part.unit
                if (
                    unit.side != side and unit.abandoned == 0 and not unit.stands_in(target)
                    and self.battle.in_front(unit, place)
                ):
                    return True
        return False

    def _wrap(self, attacker: Attacker, way: LineAdvance) -> None:
        """8.48, 9.47, 9.61: swing the half round at no cost; guns on the pivot turn along, and the ground may disorder.

        Enemies next to the hex that it enters may react.
        """
        unit = attacker.unit
        retreat = self.series.retreat
        at = 0 if way.hexes[0] is not attacker.places[0] else 1
        origin = attacker.places[at]
        to = way.hexes[at]
        leaders = retreat.company(unit, origin)
        retreat.place_line(unit, way)
        self.wrapped.append(unit)
        attacker.stand()
        for leader in leaders:
            self.battle.stand_leader(leader, to)
        if self.series.log.level >= EVERYTHING:
            retreat.note_step("wrap around", unit, origin, to, "")
        retreat.terrain_halts(unit, origin.sides[origin.direction_to(to)])
        self.series.refusal.thinned(origin)
        self.series.refusal.settled(unit)
        if origin.leaders:
            retreat.leader_alone(origin)
        retreat.leaders_beside(to)
        self.series.reaction.entered_by_parts(unit, [to])


def _entered(attacker: Attacker, way: LineAdvance) -> Hex:
    """The hex into which a half of the line would swing."""
    return way.hexes[0] if way.hexes[0] is not attacker.places[0] else way.hexes[1]
