"""Entrances of reinforcements on the edge of the map, and the groups that are due there (9.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.battlemap import NODES, OFF_ROAD, PIKE, RAILROAD, ROAD, TRAIL, Hex, Hexside, Node
from simkit.model.forces import NOT_ENTERED
from simkit.model.hexgrid import STEP_Q, STEP_R, opposite, zone

if TYPE_CHECKING:
    from simkit.model.battlemap import BattleMap
    from simkit.model.charts import Thoroughfare
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader

NEVER: Final[i64] = 1000000  # the turn of those who do not enter
SET_UP: Final[i64] = 1000000  # in an arrival table: the group is set up on the map
GATE: Final[i64] = -2  # index of the hexes beyond the edge of the map
BEST_FIRST: Final[list[i64]] = [PIKE, ROAD, TRAIL, RAILROAD]


class Entrance:
    """A hex through which reinforcements enter (9.71), with a gate beyond each of its hexsides that lead off the map.

    A gate is a hex that no map has: level with the entrance, its one way leads into it. Those about to enter stand
    there for the moment in which they do. An entrance `inside` the map has gates on all its hexsides: whoever comes
    through it appears in the hex.
    """

    def __init__(self, place: Hex, ground: BattleMap, inside: bool = False) -> None:
        self.hex = place
        self.inside = inside
        self.gates: list[Hex] = []
        self.groups: list[Reinforcement] = []  # those due here, of both sides
        self.queued: i64 = 0  # half MPs that those ahead have paid for the hex in this action phase (9.72)
        self.road: i64 = OFF_ROAD
        road = self._leaving()
        for side in place.sides:
            if inside or not side.on_map:
                self.gates.append(self._gate(side.direction, road))
        place.entrance = self

    def _leaving(self) -> list[Thoroughfare]:
        """9.45: the best thoroughfare that leads off the map here, none or one: it ends in the hex on the map."""
        for kind in BEST_FIRST:
            ends = [side for side in self.hex.sides if side.on_map and side.road == kind]
            if len(ends) % 2 == 1:
                self.road = kind
                return list(ends[0].roads)
        return []

    def _gate(self, direction: i64, road: list[Thoroughfare]) -> Hex:
        place = self.hex
        q = place.q + STEP_Q[direction]
        gate = Hex(GATE, "", q, place.r + STEP_R[direction] + (q - (q & 1)) // 2, place.terrain, place.elevation)
        gate.entrance = self
        back = opposite(direction)
        for outwards in range(6):
            gate.sides.append(Hexside(gate, place if outwards == back else gate, outwards))
        way = gate.sides[back]
        way.on_map = True
        if not self.inside:
            way.roads = road
            way.road = self.road
        for heading in range(12):
            node = Node(gate, heading)
            if zone(heading, back) == 0:
                node.ahead.append(way)
            gate.nodes.append(node)
            gate.road_nodes.append(node)
        for node in gate.nodes:
            node.turned = gate.nodes[(node.heading + 2) % NODES]
            node.look_ahead()
        return gate

    def fix_costs(self) -> None:
        """9.41, 9.71: work out what it costs to enter, once the terrain of the hex is set."""
        for gate in self.gates:
            gate.terrain = self.hex.terrain
            gate.elevation = self.hex.elevation
            self.way(gate).fix_costs()

    def way(self, gate: Hex) -> Hexside:
        """The hexside that leads from a gate onto the map."""
        return next(side for side in gate.sides if side.on_map)


class LateArrival:
    """What decides when a group arrives whose arrival is rolled for at the start (10.0 of Dead of Winter).

    Attributes:
        zero: what a 0 counts in the first roll.
        drm: added to both rolls.
        most: by line of the first table but the last, the highest adjusted roll for which it holds.
        drms: by line, what is added to the second roll; SET_UP where the group is set up instead.
        turns: by line, for each line of the second table the turn that it means.
        second: by line of the second table but the last, the highest adjusted roll for which it holds.
        hexes: where the group may be set up.
    """

    def __init__(
        self, zero: i64, drm: i64, most: list[int], drms: list[int], turns: list[list[int]], second: list[int],
        hexes: list[Hex],
    ) -> None:
        self.zero = zero
        self.drm = drm
        self.most = most
        self.drms = drms
        self.turns = turns
        self.second = second
        self.hexes = hexes

    def line(self, limits: list[int], roll: i64) -> i64:
        """The line of a table that holds for an adjusted roll: the first whose limit is not below it, or the last."""
        for at, limit in enumerate(limits):
            if roll <= limit:
                return at
        return len(limits)


class Reinforcement:
    """A group of reinforcements: who enters, when, through which hexes and how (9.7).

    Attributes:
        turn: when it is due, counted from 0.
        sequence: its place among the groups of the turn that the book makes enter in order, from 1; 0 in none (9.73).
        entrances: the hex, or the hexes of the area, through which its units and leaders enter (9.71).
        orders: the orders that it may be given; one if the book assigns them (6.17).
        activations: most activations of its units in the turn in which they enter, -1 as many as their division (9.74).
        returns: it brings back units and leaders who have withdrawn; until then they are no part of it.
        faces: where not empty, the rolls with which it may enter, rolled each turn from `turn` on.
        later_faces, later_from: where not empty, the rolls in their place, and from which turn on.
        due: the turn from which it may really enter; NEVER as long as that is not known, or if it is set up.
        late: what the arrival table says of it, which settles `due` at the start of the game.
    """

    def __init__(
        self, turn: i64, entrances: list[Entrance], units: list[Unit], leaders: list[Leader], orders: list[int],
        activations: i64 = -1, sequence: i64 = 0, returns: bool = False,
    ) -> None:
        self.turn = turn
        self.sequence = sequence
        self.entrances = entrances
        self.units = units
        self.leaders = leaders
        self.orders = orders
        self.activations = activations
        self.returns = returns
        self.faces: list[int] = []
        self.later_faces: list[int] = []
        self.later_from: i64 = 0
        self.due: i64 = turn
        self.late: LateArrival | None = None
        self.side: i64 = units[0].side if units else leaders[0].side
        for entrance in entrances:
            entrance.groups.append(self)
        for unit in units:
            unit.arrivals.append(self)
            if not returns:
                unit.arrival = self
                unit.coming = len(unit.arrivals) - 1
                unit.place = NOT_ENTERED
        for leader in leaders:
            leader.arrivals.append(self)
            if not returns:
                leader.arrival = self
                leader.coming = len(leader.arrivals) - 1
                leader.place = NOT_ENTERED

    def before(self, other: Reinforcement) -> bool:
        """9.73: whether it must have entered before another group may: due earlier, or first in the turn's order."""
        if self.due != other.due:
            return self.due < other.due
        return 0 < self.sequence < other.sequence

    def meets(self, other: Reinforcement) -> bool:
        """9.71: whether it enters via a hex through which another group may enter too."""
        return any(entrance in other.entrances for entrance in self.entrances)
