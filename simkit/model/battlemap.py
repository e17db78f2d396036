"""The battle map: hexes with their terrain, hexsides with what crosses them, and the nodes that movement searches.

The map is part of one battle: a hex also holds the stack and the leaders that stand in it now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.charts import AUTOMATIC, LEADER, PROHIBITED, HexsideTerrain, Terrain, Thoroughfare
from simkit.model.hexgrid import STEP_Q, STEP_R, Grid, axial_row, distance, zone
from simkit.model.waters import MEDIUM

if TYPE_CHECKING:
    from simkit.model.entrances import Entrance
    from simkit.model.forces import Part, Unit
    from simkit.model.leaders import Leader
    from simkit.model.waters import WaterSide

OFF_ROAD: Final[i64] = 0
TRAIL: Final[i64] = 1
ROAD: Final[i64] = 2
PIKE: Final[i64] = 3
RAILROAD: Final[i64] = 4
THOROUGHFARES: Final = ("", "trail", "road", "pike", "railroad")

# slope hexsides by steepness (10.23)
GRADUAL: Final[i64] = 0
MINOR: Final[i64] = 1
STEEP: Final[i64] = 2
SHEER: Final[i64] = 3
SLOPES: Final = ("", "minor_slope", "steep_slope", "sheer_slope")


# how a hex was entered, as far as it matters to a search
BY_GROUND: Final[i64] = 0
BY_WAY: Final[i64] = 1  # by road, bridge or ford
BY_OTHER_WAY: Final[i64] = 2  # the same across the other of the two frontal hexsides (8.22)
IN_COMPANY: Final[i64] = 3  # so to a crowd, with the ground paid for (9.43)
NODES: Final[i64] = 12  # of a hex, by heading


_SHARED: Final[dict[str, list[i64]]] = {}  # lists of costs as they are met


def shared(numbers: list[i64]) -> list[i64]:
    """The one list with these numbers; nobody may change it."""
    return _SHARED.setdefault(str(numbers), numbers)


BARRED: Final[list[i64]] = shared([PROHIBITED, PROHIBITED, PROHIBITED, PROHIBITED])
FREE: Final[list[i64]] = shared([0, 0, 0, 0])


class Hexside:
    """One hexside seen from one of its two hexes: what it costs to cross it, and what lies along it.

    Costs are in half movement points by class of mover (FOOT, HORSE, GUNS, LEADER of the charts) for entering `to`
    across this hexside: `costs` by its terrain, over the bridge or through the ford where one leads across, `plain`
    through the water itself, `march` and `advance` by the thoroughfare, where there is one.
    """

    def __init__(self, origin: Hex, to: Hex, direction: i64) -> None:
        # what path search reads comes first, so that it lies together in memory
        self.to = to
        self.stamp: i64 = 0  # of the search whose mover this price is for
        self.price: i64 = 0
        self.leader_cost: i64 = PROHIBITED  # the best rate of all, which leaders always use (9.31)
        self.by_road = False  # whether he goes by road, and by bridge or ford
        self.by_crossing = False
        self.disorders_surely = False
        self.may_disorder = False  # whether terrain across it has a "D" for anybody (9.47)
        self.on_map = False
        self.crossing = False  # a bridge or a ford leads across it, which some orders forbid to use (9.44)
        self.origin = origin
        self.direction = direction
        self.costs: list[i64] = BARRED
        self.plain: list[i64] = BARRED
        self.march: list[i64] = BARRED
        self.advance: list[i64] = BARRED
        self.road: i64 = OFF_ROAD
        self.features: list[HexsideTerrain] = []  # streams, slopes and the like, as the charts name them
        self.water: list[HexsideTerrain] = []  # what a bridge or ford leads across, if it is drawn; none of `features`
        self.walls: list[HexsideTerrain] = []  # breastworks of either hex that cover it, once (15.21)
        self.roads: list[Thoroughfare] = []  # at most one: the best that runs through
        self.bridge = False
        self.ford = ""  # class A or B, where there is one (18.1)
        self.shallow = False  # its ford lies in water that anybody wades, and has its own cost for all (18.1)
        self.drop: i64 = 0  # levels from here down to `to`
        self.slope: i64 = GRADUAL
        self.gradual = True  # the change of level, if any, has no slope hexside and is of one level (10.23)
        self.hexside_costs: list[i64] = FREE
        self.disorders: list[i64] = FREE  # from terrain: 0 none, 1 "d", 2 "D" (9.47)
        self.plain_disorders: list[i64] = FREE  # the same through the water itself
        self.fire_drm: i64 = 0  # of hex and hexside together for fire from `origin` into `to`, at any range
        self.shell_drm: i64 = 0
        self.shock_drm: i64 = 0

    def passable(self, mover: i64) -> bool:
        """Whether a class of mover may cross it by some means of movement (9.42)."""
        return self.on_map and (self.costs[mover] < PROHIBITED or self.advance[mover] < PROHIBITED)

    def fix_costs(self) -> None:
        """9.41, 9.46, 9.47, 15.22: work out costs, disorder and modifiers from terrain entered and what is crossed."""
        ground = self.to.terrain
        self.crossing = self.bridge or (self.ford != "" and not self.shallow)
        self.drop = self.origin.elevation - self.to.elevation
        self.slope = GRADUAL
        self.fire_drm = ground.fire_drm
        self.shell_drm = ground.shell_drm
        self.shock_drm = ground.shock_drm
        active: list[HexsideTerrain] = []
        for feature in self.features:
            if not feature.uphill_only or self.drop < 0:
                active.append(feature)
                self.fire_drm += feature.fire_drm
                self.shell_drm += feature.shell_drm
                self.shock_drm += feature.shock_drm
            if feature.name in SLOPES:
                self.slope = max(self.slope, SLOPES.index(feature.name))
        self.gradual = self.slope == GRADUAL and -1 <= self.drop <= 1
        self.costs, self.march, self.advance = [0] * 4, [0] * 4, [0] * 4
        self.hexside_costs, self.disorders = [0] * 4, [0] * 4
        for mover in range(4):
            extra: i64 = 0
            disorder = ground.disorder(mover)
            for feature in self.features:
                extra += self._toll(feature, mover)
            for feature in active:
                disorder = max(disorder, feature.disorder(mover))
            whole = ground.cost(mover) + extra
            self.hexside_costs[mover] = extra
            self.costs[mover] = whole
            self.disorders[mover] = disorder
            self.march[mover] = whole
            self.advance[mover] = whole
            for road in self.roads:
                self.march[mover] = road.cost(ground.cost(mover), extra, True)
                self.advance[mover] = road.cost(ground.cost(mover), extra, False)
        self._fix_plain(ground)
        self._fix_walls()
        self.leader_cost = min(self.costs[LEADER], self.march[LEADER])
        self.may_disorder = AUTOMATIC in self.disorders or AUTOMATIC in self.plain_disorders
        self._share()

    def _share(self) -> None:
        """Let hexsides alike have the same lists: there are few, and a search finds them in the processor's cache."""
        self.costs, self.plain = shared(self.costs), shared(self.plain)
        self.march, self.advance = shared(self.march), shared(self.advance)
        self.hexside_costs = shared(self.hexside_costs)
        self.disorders, self.plain_disorders = shared(self.disorders), shared(self.plain_disorders)

    def _toll(self, feature: HexsideTerrain, mover: i64) -> i64:
        """9.41, 9.46: half MPs that a feature adds: a slope none downhill, but what bars the way up bars both."""
        cost = feature.cost(mover)
        return 0 if feature.uphill_only and self.drop >= 0 and cost < PROHIBITED else cost

    def _fix_plain(self, ground: Terrain) -> None:
        """9.43, 9.44: what it costs, and how it disorders, without the bridge or ford; over deep water it bars."""
        self.plain, self.plain_disorders = [0] * 4, [0] * 4
        for mover in range(4):
            self.plain[mover] = self.costs[mover]
            self.plain_disorders[mover] = self.disorders[mover]
            if not self.crossing:
                continue
            cost = ground.cost(mover) if self.water else PROHIBITED
            disorder = ground.disorder(mover)
            for feature in self.features + self.water:
                if not feature.crossing:
                    cost += self._toll(feature, mover)
                    if not feature.uphill_only or self.drop < 0:
                        disorder = max(disorder, feature.disorder(mover))
            self.plain[mover] = min(cost, PROHIBITED)
            self.plain_disorders[mover] = disorder

    def _fix_walls(self) -> None:
        """15.22: add what breastworks cost, whatever road or bridge leads through them."""
        for wall in self.walls:
            for mover in range(4):
                extra = wall.cost(mover)
                for costs in (self.costs, self.plain, self.march, self.advance, self.hexside_costs):
                    costs[mover] = min(costs[mover] + extra, PROHIBITED)
                for disorders in (self.disorders, self.plain_disorders):
                    disorders[mover] = max(disorders[mover], wall.disorder(mover))


class Node:
    """A hex with a heading: what the path search visits. Cost and stamp belong to the search under way.

    A hex has a second set of nodes, `on_road`, for whoever has entered it along a thoroughfare or by a bridge or ford
    (8.22, 9.43). `left_side` and `right_side` are the hexsides `ahead`, as far as there are so many `strides`.
    """

    left_side: Hexside
    beyond_left: Node
    right_side: Hexside
    beyond_right: Node

    def __init__(self, place: Hex, heading: i64, on_road: bool = False) -> None:
        self.stamp: i64 = 0
        self.cost: i64 = 0
        self.settled: i64 = 0
        self.disorders: i64 = 0
        self.by: i64 = -1  # direction of the hexside crossed to come here; -1 at the start
        self.via: Node = self  # the node before it on the best path; itself at the start
        self.hex = place
        self.heading = heading
        # the least cost at which the hex was left with this heading, in the search whose stamp stands here
        self.left: i64 = 0
        self.left_stamp: i64 = 0
        self.on_road = on_road
        self.in_company = False  # where a way by road ends that has paid for the ground (9.43)
        self.by_way: Node = self  # the node of this heading for whoever has entered the hex by road, bridge or ford
        self.turned: Node = self  # the plain node of the hex that is turned by one vertex more
        self.plain: Node = self  # and that of this heading
        self.strides: i64 = 0  # how many hexsides are `ahead`
        self.ahead: list[Hexside] = []  # hexsides into the frontal hexes, on the map
        self.behind: list[Hexside] = []  # into the rear hexes

    def look_ahead(self) -> None:
        """Note the plain nodes of this heading across the frontal hexsides, which searches ask for all the time."""
        self.strides = len(self.ahead)
        if self.strides > 0:
            self.left_side = self.ahead[0]
            self.beyond_left = self.left_side.to.nodes[self.heading]
        if self.strides > 1:
            self.right_side = self.ahead[1]
            self.beyond_right = self.right_side.to.nodes[self.heading]


class Hex:
    """One hex: its place in the grid, its terrain, its six hexsides, and who stands in it now."""

    def __init__(self, index: i64, ident: str, column: i64, row: i64, terrain: Terrain, elevation: i64) -> None:
        # what searches read comes first, so that it lies together in memory
        self.stack: list[Part] = []  # top first
        self.stamp: i64 = 0  # search by leaders and for command: cost and stamp of the search under way
        self.cost: i64 = 0
        self.settled: i64 = 0
        self.holder: i64 = -1  # side of the combat units (not abandoned guns) in it; -1 if there are none
        self.top: Unit | None = None  # the topmost of them
        # combat units of each side in the hexes around
        self.union_near: i64 = 0
        self.confederate_near: i64 = 0
        # the same without artillery
        self.union_line_near: i64 = 0
        self.confederate_line_near: i64 = 0
        # movement limits of the scenario, a bit for each: to whose who are `bound` it is closed, whom it costs markers
        self.closed: i64 = 0
        self.costly: i64 = 0
        self.entrance: Entrance | None = None  # where reinforcements enter (9.71)
        self.terrain = terrain
        self.nodes: list[Node] = []  # by heading
        self.sides: list[Hexside] = []
        self.around: list[Hex] = []  # adjacent hexes, on the map
        self.index = index
        self.q = column
        self.r: i64 = axial_row(column, row)
        self.looked: i64 = -1  # the look round (9.22, 9.55) that found whether an enemy within so many hexes watches it
        self.looked_within: i64 = 0
        self.watched = False
        # hexes to the nearest infantry or cavalry of each side, in the measurement by a commander whose number stands
        self.to_union: i64 = 0
        self.to_confederate: i64 = 0
        self.union_measured: i64 = -1
        self.confederate_measured: i64 = -1
        # what a commander has found the place worth, in the appraisal whose number stands here
        self.worth: i64 = 0
        self.appraised: i64 = 0
        self.id = ident
        self.column = column
        self.row = row
        self.elevation = elevation
        self.features: list[str] = []  # names for people: "Franklin road", "Murfreesboro"
        self.road_nodes: list[Node] = []  # by heading, for whoever has entered by road, bridge or ford
        self.spare_nodes: list[Node] = []  # of `spare_node`, made when first asked for
        self.leaders: list[Leader] = []
        self.retreat_seen: i64 = 0  # the look for ways through friends that came here last (12.46)
        self.scored: i64 = -1  # place in the ground whose holder `Course` knows; -1 in none
        self.building = False  # a Building or House stands in it (15.12)
        # breastworks: the vertices that its markers face, and the hexsides that they cover, a bit for each (15.21)
        self.works: list[i64] = []
        self.walls: i64 = 0
        # sight to the hexes around as known so far, made when first asked for: see `simkit.rules.sight`
        self.seen: list[int] = []

    def spare_node(self, heading: i64, manner: i64, disorders: i64) -> Node:
        """8.22, 9.43, 9.47: one of the nodes that few searches need.

        For those who enter in an unusual manner, BY_OTHER_WAY or IN_COMPANY, and in any manner with one or two
        disorders from terrain on their way.
        """
        if not self.spare_nodes:
            for _ in range(3):
                for of in range(IN_COMPANY + 1):
                    for like in self.nodes if of == BY_GROUND else self.road_nodes:
                        node = Node(self, like.heading, like.on_road)
                        node.ahead = like.ahead
                        node.behind = like.behind
                        node.plain = like.plain
                        node.in_company = of == IN_COMPANY
                        self.spare_nodes.append(node)
        return self.spare_nodes[heading + NODES * (manner + (IN_COMPANY + 1) * disorders)]

    def distance_to(self, other: Hex) -> i64:
        """Hexes from here to another hex (10.12)."""
        return distance(self.q, self.r, other.q, other.r)

    def direction_to(self, other: Hex) -> i64:
        """Hexside between this hex and an adjacent one; -1 if they are not adjacent."""
        for side in self.sides:
            if side.to is other and side.on_map:
                return side.direction
        return -1

    def height(self) -> i64:
        """Level of its ground with the woods or town upon it (10.23)."""
        return self.elevation + self.terrain.height


class BattleMap:
    """All hexes of a battle with their neighbours, made once for each battle.

    `off` is the hex that stands for every place off the map: routed box, eliminated, not entered.
    """

    def __init__(self, grid: Grid, nowhere: Terrain) -> None:
        self.grid = grid
        self.hexes: list[Hex] = []
        self.by_id: dict[str, Hex] = {}
        self._by_place: dict[int, Hex] = {}
        # the same once all hexes are there: column by column, with `off` in the gaps
        self._places: list[Hex] = []
        self._first_column: i64 = 0
        self._first_row: i64 = 0
        self._columns: i64 = 0
        self._rows: i64 = 0
        self.off = Hex(-1, "", -1, -1, nowhere, 0)
        self.search: i64 = 0  # number of the latest search, for stamps
        self.measures: list[int] = [0, 0]  # how often distances from the enemy were measured for each side
        self.water: i64 = MEDIUM  # level of its waters, as `simkit.model.waters.LEVELS` counts them (18.1)
        self.water_sides: list[WaterSide] = []

    def add(self, ident: str, column: i64, row: i64, terrain: Terrain, elevation: i64) -> Hex:
        """Add a hex; ValueError if its place is taken."""
        key = column * 1000 + row
        if key in self._by_place:
            raise ValueError(f"hex {ident} stands twice")
        made = Hex(len(self.hexes), ident, column, row, terrain, elevation)
        self.hexes.append(made)
        self.by_id[ident] = made
        self._by_place[key] = made
        return made

    def at(self, column: i64, row: i64) -> Hex:
        """The hex of a joined column and row, or `off`."""
        if self._columns == 0:
            found = self._by_place.get(column * 1000 + row)
            return self.off if found is None else found
        column -= self._first_column
        row -= self._first_row
        if column < 0 or row < 0 or column >= self._columns or row >= self._rows:
            return self.off
        return self._places[column * self._rows + row]

    def at_axial(self, q: i64, r: i64) -> Hex:
        """The hex of axial coordinates, or `off`."""
        return self.at(q, r + (q - (q & 1)) // 2)

    def named(self, ident: str) -> Hex:
        """The hex of a printed id, by any of its names; ValueError if it is not in play."""
        column, row = self.grid.parse(ident)
        found = self.at(column, row)
        if found is self.off:
            raise ValueError(f"hex {ident} is not in play in this battle")
        return found

    def join(self) -> None:
        """Make the hexsides and nodes once all hexes are there."""
        self._lay_out()
        for place in self.hexes:
            place.sides = []
            for direction in range(6):
                other = self.at_axial(place.q + STEP_Q[direction], place.r + STEP_R[direction])
                side = Hexside(place, other, direction)
                side.on_map = other is not self.off
                place.sides.append(side)
        # nodes of one kind are made together, as searches visit them: neighbours then lie near each other in memory
        to_vertex = self._make_nodes(1, False)
        to_hexside = self._make_nodes(0, False)
        roads = [self._make_nodes(1, True), self._make_nodes(0, True)]
        for at, place in enumerate(self.hexes):
            place.around = [side.to for side in place.sides if side.on_map]
            place.nodes = self._in_order(to_hexside, to_vertex, at)
            place.road_nodes = self._in_order(roads[1], roads[0], at)
            for node in place.nodes:
                for side in place.sides:
                    if side.on_map:
                        where = zone(node.heading, side.direction)
                        if where == 0:
                            node.ahead.append(side)
                        elif where == 2:
                            node.behind.append(side)
                node.turned = place.nodes[(node.heading + 2) % NODES]
                on_road = place.road_nodes[node.heading]
                on_road.plain = node
                node.by_way = on_road
                on_road.ahead = node.ahead
                on_road.behind = node.behind
        for place in self.hexes:
            for node in place.nodes:
                node.look_ahead()

    def _lay_out(self) -> None:
        """Note which hex lies where, in the rectangle around all."""
        if not self.hexes:
            return
        columns = [place.column for place in self.hexes]
        rows = [place.row for place in self.hexes]
        self._first_column = min(columns)
        self._first_row = min(rows)
        self._columns = max(columns) - self._first_column + 1
        self._rows = max(rows) - self._first_row + 1
        self._places = [self.off] * (self._columns * self._rows)
        for place in self.hexes:
            self._places[(place.column - self._first_column) * self._rows + place.row - self._first_row] = place

    def _make_nodes(self, first: i64, on_road: bool) -> list[Node]:
        made: list[Node] = []
        for place in self.hexes:
            for turn in range(6):
                made.append(Node(place, first + 2 * turn, on_road))
        return made

    def _in_order(self, even: list[Node], odd: list[Node], at: i64) -> list[Node]:
        """The nodes of the hex of a number by heading."""
        nodes: list[Node] = []
        for turn in range(6):
            nodes.append(even[6 * at + turn])
            nodes.append(odd[6 * at + turn])
        return nodes

    def fix_costs(self) -> None:
        """Work out the costs of all hexsides once terrain and features are set."""
        for place in self.hexes:
            for side in place.sides:
                if side.on_map:
                    side.fix_costs()

    def next_search(self) -> i64:
        """A new stamp for a search over nodes or hexes."""
        self.search += 1
        return self.search
