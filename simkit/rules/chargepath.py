"""Rules 11.52 and 11.54: who may charge, and the ways by which mounted cavalry may come at the enemy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battlemap import NODES
from simkit.model.charts import AUTOMATIC, ONE_MP, PROHIBITED
from simkit.model.forces import ATTACK, CAVALRY, IN_ONE_HEX, Unit
from simkit.rules.chapter import Chapter
from simkit.rules.facing import ABOUT_FACE

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Command

CHARGE_LIMIT: Final[i64] = 5 * ONE_MP  # half movement points within which cavalry must come at its target (11.52)
CHARGE_PATH: Final[i64] = 3  # hexes at the end of the move that make the Charge Path (11.54)
CHARGED_GROUND: Final[i64] = ONE_MP  # half movement points of the dearest hex of a Charge Path (11.54)
STREAM: Final = "stream"  # the hexside that a Charge Path may cross at any cost (11.54)


class ChargeWay:
    """A way of a charge: the hexsides in order, the heading with which each is crossed, and where it leads.

    `targets` are the enemy-held hexes in front at its end, `cost` the half movement points that it takes.
    """

    def __init__(self, sides: list[Hexside], headings: list[int], cost: i64, targets: list[Hex]) -> None:
        self.sides = sides
        self.headings = headings
        self.cost = cost
        self.targets = targets

    def end(self) -> Hex:
        """The hex in which it ends."""
        return self.sides[len(self.sides) - 1].to

    def heading(self) -> i64:
        """The heading at its end."""
        return self.headings[len(self.headings) - 1]


class Stride:
    """How a charge stands in a hex: its heading, what it has cost, and how much of a Charge Path lies behind it.

    `straight` counts the hexes of the Charge Path so far, up to CHARGE_PATH; `whole` says that no other hex came
    before them, so that they do however few they are (11.54).
    """

    def __init__(self, place: Hex, heading: i64, cost: i64, straight: i64, whole: bool, disorders: i64) -> None:
        self.hex = place
        self.heading = heading
        self.cost = cost
        self.straight = straight
        self.whole = whole
        self.disorders = disorders  # that terrain brings for certain
        self.via: Stride = self  # the one before; itself at the start
        self.side: Hexside | None = None  # crossed to come here

    def key(self) -> i64:
        """A number of its own for each hex, heading and state of the Charge Path."""
        return ((self.hex.index * NODES + self.heading) * (CHARGE_PATH + 1) + self.straight) * 4 + (
            2 * self.disorders + (1 if self.whole else 0)
        )

    def on_path(self) -> bool:
        """11.54: whether a charge may end here."""
        return self.straight == CHARGE_PATH or (self.whole and self.straight > 0)

    def way(self, targets: list[Hex]) -> ChargeWay:
        """The way that leads here."""
        sides: list[Hexside] = []
        headings: list[int] = []
        at = self
        while at.side is not None:
            sides.insert(0, at.side)
            headings.insert(0, int(at.heading))
            at = at.via
        return ChargeWay(sides, headings, self.cost, targets)


@mypyc_attr(allow_interpreted_subclasses=True)
class ChargePath(Chapter):
    """Eligibility for a charge, and a search of its own for the ways that obey the Charge Path."""

    # -- who may (11.52) -------------------------------------------------------------------------------------------

    def note_range(self, acting: list[Command]) -> None:
        """11.52: note which cavalry of the active brigades begins in Command Range of its brigadier, if it has one."""
        for command in acting:
            cavalry = [unit for unit in command.units if unit.active and unit.kind == CAVALRY and unit.orders == ATTACK]
            if not cavalry:
                continue
            in_range = self.series.command.units_in_range(command) if command.has_leader() else cavalry
            for unit in cavalry:
                unit.began_in_range = unit in in_range

    def ready(self, unit: Unit) -> bool:
        """6.16, 11.52, 12.34, 14.24, 16.12: whether a unit may charge at all, if it finds an enemy and a way to him.

        Mounted, in good order, under Attack Orders and in range of its brigadier; before it has moved or fired; not at
        night.
        """
        if not unit.is_mounted() or unit.orders != ATTACK or unit.disordered or unit.extended != IN_ONE_HEX:
            return False
        if unit.waiting or unit.moved or unit.spent > 0 or unit.fired or not unit.began_in_range:
            return False
        return not self.series.night.no_charge() and self.series.movement.may_move(unit)

    def may_charge(self, unit: Unit) -> bool:
        """11.52: whether a unit may announce a charge now: an enemy in sight whom it can come at by a legal way."""
        return self.ready(unit) and len(self.ways([unit])) > 0

    def chargers(self, unit: Unit) -> list[Unit]:
        """11.53: the units of its stack that charge if it announces a charge, top first: all that are eligible."""
        return [mate for mate in self.battle.units_in(unit.hex) if self.may_charge(mate)]

    def announcing(self, unit: Unit) -> tuple[list[Unit], list[ChargeWay]]:
        """11.52, 11.53: the units that charge if one announces a charge now, and their ways as a stack; or neither."""
        units = [unit]
        if len(self.battle.units_in(unit.hex)) > 1:
            units = self.chargers(unit)
        if unit not in units or not self.ready(unit):
            return [], []
        return units, self.ways(units)

    def in_sight(self, unit: Unit) -> list[Unit]:
        """11.52, 10.26: enemy units within a charge's reach that it sees; combat units do not block its sight."""
        found: list[Unit] = []
        within = min(CHARGE_LIMIT, self.series.movement.reach(unit)) + 1
        for enemy in self.battle.of_side[1 - unit.side]:
            if not enemy.counts():
                continue
            for part in enemy.parts:
                near = part.hex.distance_to(unit.hex) <= within
                if near and enemy not in found and self.series.sight.clear(unit.hex, part.hex):
                    found.append(enemy)
        return found

    # -- the search (11.54) ----------------------------------------------------------------------------------------

    def ways(self, units: list[Unit]) -> list[ChargeWay]:
        """11.52, 11.54: the ways of at most 5 MPs by which units of a hex may charge as one, cheapest first.

        Each ends with an enemy in front who is in sight from where they stand; one way for each hex and heading.
        """
        unit = units[0]
        seen = self.in_sight(unit)
        if not seen:
            return []
        movement = self.series.movement
        lead = movement.prepare_stack(units)
        limit = min(CHARGE_LIMIT, movement.least_allowance(units))
        shaken = min(limit, self._disordered_allowance(units))
        found: list[ChargeWay] = []
        for stride in self._reach(lead, self.beginning(unit), None, limit, shaken):
            targets = self.enemies_ahead(unit, stride.hex, stride.heading)
            for target in targets:
                if any(enemy in seen for enemy in self.battle.units_in(target)):
                    found.append(stride.way(targets))
                    break
        return found

    def further_ways(self, units: list[Unit], stride: Stride) -> list[ChargeWay]:
        """11.57: how a charge may go on whose target has moved off: as far as its allowance goes, by the Charge Path.

        First those that end with an enemy in front, each kind cheapest first. `stride` is where the units have come.
        """
        movement = self.series.movement
        lead = movement.prepare_stack(units)
        limit = movement.least_allowance(units)
        shaken = self._disordered_allowance(units)
        start = Stride(stride.hex, lead.heading, 0, stride.straight, stride.whole, 0)
        at_enemy: list[ChargeWay] = []
        others: list[ChargeWay] = []
        for further in self._reach(lead, start, stride.side, limit, shaken):
            targets = self.enemies_ahead(lead, further.hex, further.heading)
            if targets:
                at_enemy.append(further.way(targets))
            else:
                others.append(further.way(targets))
        return at_enemy + others

    def enemies_ahead(self, unit: Unit, place: Hex, heading: i64) -> list[Hex]:
        """11.12: the enemy-held hexes that a unit would have in front, across hexsides that it could cross."""
        return [
            side.to for side in place.nodes[heading].ahead
            if self.battle.held_by(side.to) == 1 - unit.side and self.series.shock.shockable(unit, side)
        ]

    def _disordered_allowance(self, units: list[Unit]) -> i64:
        least: i64 = PROHIBITED
        for unit in units:
            least = min(least, self.series.movement.disordered_allowance(unit))
        return least

    def _reach(
        self, lead: Unit, start: Stride, way_in: Hexside | None, limit: i64, shaken: i64
    ) -> list[Stride]:
        """11.54, 9.53, 12.34: where a charge may end within a limit, one of the latter kind once disordered on the way.

        The cheapest for each hex and heading, in the order of their cost. `way_in` is the hexside by which the start
        has been entered.
        """
        found: list[Stride] = []
        posed: set[int] = set()
        best: dict[int, int] = {int(start.key()): 0}
        settled: set[int] = set()
        buckets: list[list[Stride]] = [[] for _ in range(limit + 1)]
        buckets[0].append(start)
        for bucket in buckets:
            for stride in bucket:  # it grows while it is read, where a step is free
                key = int(stride.key())
                if key in settled:
                    continue
                settled.add(key)
                pose = int(stride.hex.index * NODES + stride.heading)
                if stride.side is not None and stride.on_path() and pose not in posed:
                    posed.add(pose)
                    found.append(stride)
                if self.battle.enemy_near(stride.hex, lead.side) and (stride.side is not None or way_in is not None):
                    continue  # 9.53
                for then in self._onwards(lead, stride, way_in, limit, shaken):
                    name = int(then.key())
                    if then.cost < best.get(name, PROHIBITED):
                        best[name] = int(then.cost)
                        buckets[then.cost].append(then)
        return found

    def _onwards(self, lead: Unit, stride: Stride, way_in: Hexside | None, limit: i64, shaken: i64) -> list[Stride]:
        """9.41, 7.2, 8.22: all steps from a hex within the limits, the turn before them included."""
        movement = self.series.movement
        entered = stride.side if stride.side is not None else way_in
        found: list[Stride] = []
        for turn in range(6):
            steps: i64 = 6 - turn if turn > ABOUT_FACE else turn
            price = movement.turn_price(lead, stride.hex, steps, entered is None)
            if stride.cost + price > limit:
                continue
            heading = (stride.heading + 2 * turn) % NODES
            for side in stride.hex.nodes[heading].ahead:
                cost = movement.price(lead, side)
                if stride.cost + price + cost > limit:
                    continue
                if entered is not None:
                    cost += movement.passage(lead, entered, False, side)
                disorders = stride.disorders
                if movement.disorder_across(lead, side, False) == AUTOMATIC:
                    disorders += 1
                if disorders > (0 if lead.disordered else 1):
                    continue  # a second disorder ends it (12.34)
                if stride.cost + price + cost > (limit if disorders == 0 else shaken):
                    continue
                then = self.onto(lead, stride, side, heading)
                then.cost = stride.cost + price + cost
                then.disorders = disorders
                found.append(then)
        return found

    def beginning(self, unit: Unit) -> Stride:
        """11.54: how a charge stands that has not moved yet."""
        return Stride(unit.hex, unit.heading, 0, 0, True, 0)

    def onto(self, unit: Unit, before: Stride, side: Hexside, heading: i64) -> Stride:
        """11.54: the next hex of a charge: how far the Charge Path goes back from it.

        A turn where the move begins is none on the path.
        """
        straight: i64 = 0
        whole = False
        if self.may_lie_on_path(unit, side):
            turned = heading != before.heading and not (before.whole and before.straight == 0)
            straight = 1 if turned else min(before.straight + 1, CHARGE_PATH)
            whole = before.whole and not turned and straight < CHARGE_PATH
        made = Stride(side.to, heading, before.cost, straight, whole, before.disorders)
        made.via = before
        made.side = side
        return made

    def may_lie_on_path(self, unit: Unit, side: Hexside) -> bool:
        """11.54: whether a hex so entered may lie on a Charge Path: no other there, at most 1 MP, streams apart."""
        return not self.series.movement.mates(unit, side.to) and self.level_ground(unit, side)

    def level_ground(self, unit: Unit, side: Hexside) -> bool:
        """11.54, 11.56: whether a hex costs a unit no more than 1 MP to enter across a hexside, streams apart."""
        mover = self.series.movement.mover(unit)
        cost = side.plain[mover]
        for feature in side.features:
            if feature.name == STREAM:
                cost -= feature.cost(mover)
        if side.crossing:
            for feature in side.water:
                if feature.name == STREAM:
                    cost -= feature.cost(mover)
        return cost <= CHARGED_GROUND
