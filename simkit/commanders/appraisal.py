"""What a commander sees before it decides: distances to the enemy, strengths nearby, and what a position is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.battlemap import Hex, Node
from simkit.model.charts import ONE_MP, PROHIBITED, FireTable
from simkit.model.clusters import NOBODY, Clusters
from simkit.model.forces import ARTILLERY, MARCH, NOT_ENTERED, ON_MAP, UNION, Command, Unit
from simkit.model.hexgrid import FLANK, FRONT, REAR, distance, heading_towards, zone
from simkit.rules.pathsearch import Outlook

if TYPE_CHECKING:
    from simkit.commanders.doctrine import Doctrine
    from simkit.model.battle import Battle

FAR: Final[i64] = 60  # hexes; farther than any distance that matters
NEARBY: Final[i64] = 8  # hexes around a brigade that are its part of the field: three activations of an attack
FOLLOWS: Final[i64] = 10  # hexes beyond his range to which a brigadier follows in one ride, of 10 MPs (9.31)
# points that a vertex away from the enemy's direction costs: less than any number of a doctrine that moves units
TURN_COST: Final[i64] = 3
# hexes by which a way may lead away from where a unit is drawn: on the march around a wood or to a bridge
DETOUR: Final[i64] = 4
SIDESTEP: Final[i64] = 3  # the same for less than a march: around a regiment in front
BACK: Final[i64] = 4  # half MPs within which each hex of such a way must be made good
SPARE: Final[i64] = 2  # half MPs besides those left to go within which a place must be able to come up with the best
FORBIDDEN: Final[i64] = -100000  # worth of a hex to which a unit must not go: less than all that can be lost by one


def covered_sides(place: Hex, heading: i64) -> i64:
    """Through how many hexsides at which a heading points, two beside a vertex, breastworks cover a hex (15.21)."""
    ahead = heading // 2
    count: i64 = 0
    if place.walls & (1 << ahead) != 0:
        count += 1
    if heading % 2 == 1 and place.walls & (1 << ((ahead + 1) % 6)) != 0:
        count += 1
    return count


class FireWorth:
    """What a fire of so many strength points with such modifiers is worth on average: 100 a lost point, 40 a disorder.

    A disordered unit loses a point or runs when disordered again, hence nearly half a point's worth.
    """

    def __init__(self, table: FireTable) -> None:
        self.worth: list[int] = []
        for sp in range(19):
            for drm in range(-15, 16):
                total: i64 = 0
                if sp > 0:
                    for face in range(10):
                        result = table.result(sp, face + drm)
                        total += 100 * result.losses
                        if result.disorder == 2:
                            total += 40
                        elif result.disorder == 1:
                            total += 16 + 4 * result.drm  # about two checks in five fail, more with a modifier
                self.worth.append(int(total // 10))

    def of(self, sp: i64, drm: i64) -> i64:
        """Worth in hundredths of a strength point."""
        points = min(max(sp, 0), 18)
        modifier = min(max(drm, -15), 15)
        return self.worth[points * 31 + modifier + 15]


class Appraisal(Outlook):
    """The field as one side sees it during one brigade's activation; `look` brings it up to date."""

    def __init__(self, battle: Battle, side: i64, doctrine: Doctrine) -> None:
        self.battle = battle
        self.side = side
        self.doctrine = doctrine
        self.peak: i64 = 0  # the worth of the best hex to which a way may lead, as far as ways are known
        self.detour: i64 = 0  # how much less a hex may be worth through which it leads
        self.pull: i64 = 0  # what a hex gained is worth
        self.depth: i64 = 0  # by how many of these a way may lead through worse places than the best
        self.peak_spent: i64 = 0  # half MPs of the way to the best hex so far
        self.small_arms = FireWorth(battle.charts.fire_table)
        self.shell = FireWorth(battle.charts.artillery_table)
        self.stood: list[Hex] = []  # where the enemy's infantry and cavalry stood when distances were measured last
        self.stirred: i64 = -1  # how often any of them had come or gone by then
        self.measured: i64 = -1  # and which measurement of the side that was, by the map's count
        self.enemies = Clusters()
        self.appraisal: i64 = 0  # number of the appraisal of places under way, and what it goes by
        self.goals: list[Hex] = []
        self.weights: list[int] = []
        self.grounds: list[int] = []
        self.waits = False
        self.wanted: i64 = 0
        self.tied = False
        self.shuns = False  # there are hexes to which none but the unit that was appraised for must not go
        self.faced: i64 = 0  # which way the enemy was, and by which measurement, when it began
        self.gauged: i64 = -1
        self.home: Hex = battle.map.off
        self.reach: i64 = 0
        self.front: i64 = 1  # heading towards the enemies nearby
        self.own: i64 = 0  # strength points nearby, disordered units at half
        self.enemy: i64 = 0
        self.nearest: i64 = FAR
        self.disordered: i64 = 0  # hundredths of the brigade's units
        self.spent: i64 = 0  # hundredths of the brigade lost, collapsed or routed

    def look(self, brigade: Command) -> None:
        """Take in the field around a brigade; that of an artillery command is the one around its guns (4.33)."""
        self.measure()
        q: i64 = 0
        r: i64 = 0
        count: i64 = 0
        lost: i64 = 0
        whole: i64 = 0
        disordered: i64 = 0
        infantry: i64 = 0
        guns_only = not any(unit.kind != ARTILLERY for unit in brigade.units)
        for unit in brigade.units:
            if unit.kind == ARTILLERY and not guns_only:
                continue
            if unit.place == NOT_ENTERED and not unit.waiting:
                continue
            place = self._whereabouts(unit)
            infantry += 1
            whole += unit.start
            if unit.collapsed or place is self.battle.map.off:
                lost += unit.start
                continue
            lost += unit.start - unit.strength
            if unit.disordered:
                disordered += 1
            q += place.q
            r += place.r
            count += 1
        self.spent = 100 * lost // whole if whole > 0 else 100
        self.disordered = 100 * disordered // infantry if infantry > 0 else 0
        self.own = 0
        self.enemy = 0
        self.nearest = FAR
        if count == 0:
            return
        q //= count
        r //= count
        dq: i64 = 0
        dr: i64 = 0
        for unit in self.battle.of_side[self.side]:
            if unit.place == ON_MAP and unit.kind != ARTILLERY and distance(unit.hex.q, unit.hex.r, q, r) <= NEARBY:
                self.own += unit.fighting() // 2 if unit.disordered else unit.fighting()
        for unit in self.battle.of_side[1 - self.side]:
            if unit.place != ON_MAP or unit.kind == ARTILLERY:
                continue
            away = distance(unit.hex.q, unit.hex.r, q, r)
            if away <= NEARBY + 2:
                self.enemy += unit.fighting() // 2 if unit.disordered else unit.fighting()
                dq += unit.hex.q - q
                dr += unit.hex.r - r
            self.nearest = min(self.nearest, away)
        if self.enemy == 0:
            dq, dr = self._all_enemies(q, r)
        if dq != 0 or dr != 0:
            self.front = heading_towards(dq, dr)

    def _whereabouts(self, unit: Unit) -> Hex:
        """The hex of a unit; of one that waits to enter, the first through which it may."""
        if unit.waiting and unit.arrival is not None:
            return unit.arrival.entrances[0].hex
        return unit.hex

    def measure(self) -> None:
        """Measure the distances to the enemy, unless all his infantry and cavalry stand where they stood."""
        stirred = self.battle.stirred(1 - self.side)
        if stirred == self.stirred and self.battle.map.measures[self.side] == self.measured:
            return
        self.stirred = stirred
        measures = self.battle.map.measures
        moved = measures[self.side] != self.measured
        at = 0
        for unit in self.battle.of_side[1 - self.side]:
            if unit.kind != ARTILLERY:
                if at == len(self.stood):
                    self.stood.append(self.battle.map.off)
                if self.stood[at] is not unit.hex:
                    self.stood[at] = unit.hex
                    moved = True
                at += 1
        if moved:
            measures[self.side] += 1
            self.measured = measures[self.side]
            self._begin_to_measure()

    def odds(self) -> i64:
        """Own strength nearby in hundredths of the enemy's."""
        return 1000 if self.enemy == 0 else 100 * self.own // self.enemy

    def _all_enemies(self, q: i64, r: i64) -> tuple[i64, i64]:
        dq: i64 = 0
        dr: i64 = 0
        for unit in self.battle.of_side[1 - self.side]:
            if unit.place == ON_MAP:
                dq += unit.hex.q - q
                dr += unit.hex.r - r
        return dq, dr

    def to_enemy(self, place: Hex) -> i64:
        """Hexes to the nearest enemy infantry or cavalry, as measured last; none from off the map."""
        if self.side == UNION:
            if place.confederate_measured != self.measured:
                place.confederate_measured = self.measured
                place.to_confederate = self._nearest_to(place)
            return place.to_confederate
        if place.union_measured != self.measured:
            place.union_measured = self.measured
            place.to_union = self._nearest_to(place)
        return place.to_union

    def _nearest_to(self, place: Hex) -> i64:
        if place.index < 0:
            return 0
        away = self.enemies.nearest(place)
        return FAR if away == NOBODY else away

    def _begin_to_measure(self) -> None:
        """Note where the enemy's infantry and cavalry stand; how far a hex is from them is found when asked for."""
        self.enemies.clear()
        for unit in self.battle.of_side[1 - self.side]:
            if unit.place == ON_MAP and unit.kind != ARTILLERY:
                self.enemies.add(unit.hex)

    # -- positions -------------------------------------------------------------------------------------------------

    def appraise(
        self, brigade: Command, goals: list[Hex], weights: list[int], wanted: i64, grounds: list[int] | None = None
    ) -> None:
        """Begin to appraise places for a unit of a brigade, or go on if all is as for the unit before.

        `wanted` is the distance to the enemy that is sought, `goals` the objectives with their weights. Units are to
        stay within command range of the brigadier. Given `grounds`, places are appraised for who waits for the enemy:
        none is better for being nearer to him than wanted; `grounds` are the hexes around each of the goals within
        which no place is worse than the goal itself.
        """
        home = self.battle.map.off
        reach: i64 = 0
        tied = brigade.has_leader()
        if tied:
            home = brigade.leader().hex
            reach = brigade.leader().ratings().command_range
            if brigade.orders == MARCH:
                reach += FOLLOWS // 2  # he rides after them, over ground that costs two points a hex
        waits = grounds is not None
        same = self.appraisal > 0 and not self.shuns and self.gauged == self.measured and self.faced == self.front
        same = same and wanted == self.wanted and tied == self.tied and home is self.home and reach == self.reach
        same = same and waits == self.waits and goals == self.goals and weights == self.weights
        if same and (grounds is None or grounds == self.grounds):
            return
        self.appraisal = self.battle.map.next_search()
        self.shuns = False
        self.gauged = self.measured
        self.faced = self.front
        self.goals = goals
        self.weights = weights
        self.waits = waits
        self.grounds = grounds if grounds is not None else []
        self.wanted = wanted
        self.tied = tied
        self.home = home
        self.reach = reach

    def shun(self, place: Hex) -> None:
        """Appraise a hex as one to which the unit must not go, and which none of its ways leads through."""
        place.appraised = self.appraisal
        place.worth = FORBIDDEN
        self.shuns = True

    def set_out(self, unit: Unit) -> None:
        """Begin to look for a unit's ways, which lead through no place worth some hexes less than the best."""
        pull = self.doctrine.close_in
        for weight in self.weights:
            pull += self.doctrine.objective * weight // 2
        self.pull = pull
        self.depth = DETOUR if unit.orders == MARCH else SIDESTEP
        self.peak_spent = 0
        self.detour = self.depth * pull
        self.peak = self.place_worth(self._whereabouts(unit))

    def passes(self, place: Hex) -> bool:
        """Whether a way may lead through a hex: not if it is worth much less than the best that is found by then."""
        return self.place_worth(place) >= self.peak - self.detour

    def goes_on(self, place: Hex, spent: i64, left: i64) -> bool:
        """Whether a way may lead on from a hex: not where it could hardly come up again with the best found so far.

        The farther it has gone since that was found, the nearer it must have come; nor can it gain more than what is
        left to go.
        """
        worth = self.place_worth(place)
        if worth > self.peak:
            self.peak = worth
            self.peak_spent = spent
            return True
        allowed = min(self.depth * BACK - (spent - self.peak_spent), (left + SPARE) * BACK // ONE_MP)
        return (self.peak - worth) * BACK <= allowed * self.pull

    def place_worth(self, place: Hex) -> i64:
        """What a hex is worth whatever the heading, worked out once an appraisal."""
        if place.appraised == self.appraisal:
            return place.worth
        doctrine = self.doctrine
        gap = self.to_enemy(place) - self.wanted
        if gap < 0:
            gap = -gap
        elif self.waits:
            gap = 0
        worth = -doctrine.close_in * gap - doctrine.cover * place.terrain.fire_drm
        for at, goal in enumerate(self.goals):
            away = place.distance_to(goal)
            if self.waits:
                away = max(away - self.grounds[at], 0)
            worth -= doctrine.objective * self.weights[at] * away // 2
        if self.tied:
            beyond = place.distance_to(self.home) - self.reach
            if beyond > 0:
                worth -= doctrine.cohesion * (beyond + max(beyond - FOLLOWS, 0))
        if place.walls != 0 and self.wanted > 1:  # who attacks leaves them
            worth += doctrine.works * covered_sides(place, self.front)
        place.appraised = self.appraisal
        place.worth = worth
        return worth

    def most_worth(self, place: Hex) -> i64:
        """What a hex is worth at most with the best of all headings, next to no enemy or next to one.

        No more than four hexes lie on the flanks of a heading, and two in front of it (7.12).
        """
        worth = self.place_worth(place)
        if place.union_near + place.confederate_near > 0:
            worth += 4 * self.doctrine.line
            if self.battle.enemy_near(place, self.side):
                worth += 4 * self.doctrine.flank
        return worth

    def pose_worth(self, unit: Unit, node: Node) -> i64:
        """What a heading in a hex adds: the line it forms, and who stands in whose front, flank and rear."""
        doctrine = self.doctrine
        worth: i64 = 0
        place = node.hex
        worth -= TURN_COST * (self._turned(node.heading) // 2)
        if place.union_near + place.confederate_near == 0:
            return worth
        enemies = self.battle.enemy_near(place, self.side)
        for side in place.sides:
            other = side.to.top
            if other is None or other is unit:
                continue
            where = zone(node.heading, side.direction)
            if other.side == self.side:
                if where == FLANK and other.heading == node.heading and other.kind != ARTILLERY:
                    if unit.kind != ARTILLERY:  # guns go where they can fire, not into the line
                        worth += doctrine.line
            elif enemies:
                back = (side.direction + 3) % 6
                theirs = zone(other.heading, back)
                if theirs == FRONT:
                    worth -= doctrine.exposure
                elif where == FRONT:
                    worth += doctrine.flank * (2 if theirs == REAR else 1)
                if where != FRONT and theirs == FRONT:
                    worth -= doctrine.own_flank
        return worth

    def best_pose(self, unit: Unit, place: Hex) -> i64:
        """What the best heading in a hex adds for a unit."""
        beside_enemy = self.battle.enemy_near(place, self.side)
        lines = self._lines_beside(unit, place)
        best: i64 = FORBIDDEN
        for turn in range(6):
            heading = (unit.heading + 2 * turn) % 12
            if beside_enemy or lines & (1 << heading) != 0:
                best = max(best, self.pose_worth(unit, place.nodes[heading]))
            else:
                best = max(best, -TURN_COST * (self._turned(heading) // 2))
        return best

    def _turned(self, heading: i64) -> i64:
        """Half vertices between a heading and the direction of the enemies nearby."""
        turn = heading - self.front
        if turn < 0:
            turn = -turn
        return 12 - turn if turn > 6 else turn

    def _lines_beside(self, unit: Unit, place: Hex) -> i64:
        """The headings of those beside a hex with whom a unit could form a line there, as bits."""
        headings: i64 = 0
        if unit.kind != ARTILLERY:
            for side in place.sides:
                other = side.to.top
                if other is not None and other is not unit and other.side == self.side and other.kind != ARTILLERY:
                    headings |= 1 << other.heading
        return headings

    # -- shock -----------------------------------------------------------------------------------------------------

    def defence(self, place: Hex) -> i64:
        """Strength points with which the units of a hex defend against shock; four guns count one (11.63, 14.25)."""
        strength: i64 = 0
        for unit in self.battle.units_in(place):
            strength += (unit.strength + 3) // 4 if unit.kind == ARTILLERY else unit.fighting()
        return strength

    def charge_chance(self, unit: Unit, node: Node, target: Hex, others: i64) -> i64:
        """Chance in thousandths that a charge from a pose clears a hex: pre-shock check, then the ten faces (11.45).

        `others` is the strength of enemies in the other frontal hex, who must be shocked as well.
        """
        defender = self.battle.top_unit(target)
        if defender is None:
            return 0
        charts = self.battle.charts
        direction = node.hex.direction_to(target)
        if direction < 0 or node.hex.sides[direction].costs[0] >= PROHIBITED:
            return 0
        hexside = node.hex.sides[direction]
        theirs = zone(defender.heading, (direction + 3) % 6)
        strength = self.defence(target) + others
        attack = unit.fighting() + self._support(unit, node.hex, target)
        if target.terrain.halves_cavalry and unit.is_mounted():
            attack = (attack + 1) // 2  # 11.43
        behind_works = target.walls & (1 << ((direction + 3) % 6)) != 0  # 15.23
        ratio = charts.shock_ratio.drm(attack, max(strength, 1), hexside.shock_drm == 0 and not behind_works)
        drm = ratio + hexside.shock_drm
        if not unit.is_mounted():
            drm += charts.shock.charge  # 11.21; cavalry has it by a charge of its own alone (11.51)
        if behind_works:
            drm += charts.shock.breastworks
        drm += defender.fatigue.half - unit.fatigue.half  # 17.31
        drm += charts.shock.position(theirs == FRONT, theirs == FLANK, theirs == REAR)
        if defender.disordered:
            drm += charts.shock.defender_disordered
        check: i64 = charts.pre_shock.disordered if defender.disordered else 0
        if behind_works:
            check += charts.pre_shock.breastworks
        if theirs == FLANK:
            check += charts.pre_shock.flank
        elif theirs == REAR:
            check += charts.pre_shock.rear
        return chance_of_clearing(self.battle, defender, drm, check)

    def _support(self, unit: Unit, place: Hex, target: Hex) -> i64:
        """Friends who already face the target and stand beside the attacker: they would combine (11.32)."""
        points: i64 = 0
        for side in target.sides:
            other = self.battle.top_unit(side.to) if side.to.stack else None
            if other is None or other is unit or other.side != unit.side or other.kind == ARTILLERY:
                continue
            if side.to.direction_to(place) >= 0 and self.battle.in_front(other, target) and not other.disordered:
                points += other.fighting()
        return points


def chance_of_clearing(battle: Battle, defender: Unit, drm: i64, check: i64) -> i64:
    """Chance in thousandths that a shock with these modifiers clears the hex of its defender.

    The defender checks his cohesion first: failing disorders him, and failing disordered he runs as likely as not
    (11.37, 12.35); then the ten faces of the resolution table, with the modifier for a disordered defender.
    """
    table = battle.charts.shock_table
    passing = min(max(defender.steadiness() - check + 1, 0), 10)
    steady: i64 = 0
    shaken: i64 = 0
    worse = 0 if defender.disordered else battle.charts.shock.defender_disordered
    for face in range(10):
        if table.result(face + drm).defender.retreat > 0:
            steady += 1
        if table.result(face + drm + worse).defender.retreat > 0:
            shaken += 1
    if defender.disordered:
        shaken = (shaken + 10) // 2
    return passing * steady * 10 + (10 - passing) * shaken * 10
