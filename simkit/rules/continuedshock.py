"""Steps 6c and 6d of a shock: the attackers' advance, and the shocks that follow from it (11.46, 11.47)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import ONE_MP
from simkit.model.forces import ARTILLERY, EXTENDED_LINE
from simkit.rules.commander import LineAdvance, Way
from simkit.rules.options import GRINGO
from simkit.rules.shockdesignation import AttackingHex
from simkit.rules.shockinprogress import BROKE, GAVE_WAY, LEFT, Attacker, ShockInProgress
from simkit.rules.shockresolution import ShockResolution

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.charts import ShockResult
    from simkit.model.forces import Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

# the dearest hex into which an advance may go on beyond the vacated one (11.47)
ADVANCE_MOST: Final[i64] = 2 * ONE_MP


@mypyc_attr(allow_interpreted_subclasses=True)
class ContinuedShock(ShockResolution):
    """Advance after shock and continued shock of the attackers."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.halted: list[Unit] = []  # stopped by the terrain of their latest advance (12.35c)

    # -- step 6c: advance --------------------------------------------------------------------------------------------

    def advance_attackers(self, shock: ShockInProgress) -> list[Unit]:
        """11.46, 12.6: once no target is held all attackers advance as stacking allows, by their priority.

        After a retreat before shock the advance is voluntary. Returns those who advanced.
        """
        self.halted = []
        voluntary = all(fate == GAVE_WAY for fate in shock.fates)
        advanced: list[Unit] = []
        for rank in self.ranks_of_advance(shock):
            waiting = list(rank)
            while waiting:
                chosen: i64 = 0
                if len(waiting) > 1:
                    answer = self.series.owner(waiting[0]).next_to_advance(self.series, waiting)
                    chosen = self.index("next_to_advance", waiting[0], answer, 0, len(waiting))
                unit = waiting.pop(chosen)
                if self._takes_ground(unit, shock, voluntary):
                    advanced.append(unit)
        return advanced

    def _takes_ground(self, unit: Unit, shock: ShockInProgress, voluntary: bool) -> bool:
        """11.46: an attacker advances into a vacated hex of its owner's choice, if there is room; False if it stays."""
        open_to: list[Hex] = [place for place in shock.targets if self.series.retreat.may_advance(unit, place)]
        if not open_to:
            return False
        vacated = open_to[0]
        if len(open_to) > 1:
            answer = self.series.owner(unit).advance_into(self.series, unit, open_to)
            vacated = open_to[self.index("advance_into", unit, answer, 0, len(open_to))]
        if voluntary and not self.series.owner(unit).advance_after_retreat(self.series, unit, vacated):
            return False
        if not self.series.retreat.advance(unit, vacated):
            self.halted.append(unit)
        return True

    def ranks_of_advance(self, shock: ShockInProgress) -> list[list[Unit]]:
        """11.46, 12.6: attackers of equal priority: charging ones first (not by Gringo!), then by depth in stacks."""
        stacks = [self.participants_in(shock, place) for place in shock.stacks()]
        ranks: list[list[Unit]] = []
        if self.options.edition > GRINGO:
            _add_by_depth(ranks, [[unit for unit in stack if unit.charging] for stack in stacks])
            stacks = [[unit for unit in stack if not unit.charging] for stack in stacks]
        _add_by_depth(ranks, stacks)
        return ranks

    # -- step 6d: the attackers --------------------------------------------------------------------------------------

    def after_vacated(self, shock: ShockInProgress, eligible: bool) -> list[ShockInProgress]:
        """11.46, 11.47: the advance into vacated targets, and the continued shocks of those eligible and willing.

        The enemy reacts to the advances once these are declared (9.61).
        """
        self.series.reaction.hold()
        following = self._after_advance(shock, eligible)
        self.series.reaction.release()
        return following

    def _after_advance(self, shock: ShockInProgress, eligible: bool) -> list[ShockInProgress]:
        before: list[i64] = [unit.heading for unit in shock.units()]
        advanced = self.advance_attackers(shock)
        if not eligible or not advanced:
            return []
        groups: list[AttackingHex] = []
        for place in _hexes(advanced):
            stack = [unit for unit in self.battle.units_in(place) if unit in advanced]
            going = self.willing(stack, shock.continued == 0)
            if going:
                heading = before[shock.units().index(going[0])]
                self.meet(going, heading, groups)
        return self.designate_continued(groups, shock)

    def willing(self, stack: list[Unit], first: bool) -> list[Unit]:
        """11.47: who of a stack continues: those who charged must after the first shock, the others as they like."""
        going: list[Unit] = []
        free: list[Unit] = []
        number: i64 = 0
        for unit in stack:
            if not unit.counts() or unit.kind == ARTILLERY or not self.series.orders.may_continue_shock(unit):
                continue
            number = max(number, unit.continued)
            if first and unit.charging:
                going.append(unit)
            else:
                free.append(unit)
        if free and self.series.owner(free[0]).continue_shock(self.series, free, number):
            if len(free) > 1:
                owner = self.series.owner(free[0])
                free = [unit for unit in free if owner.joins_continued_shock(self.series, unit, number)]
            going.extend(free)
        return going

    def meet(self, units: list[Unit], before: i64, groups: list[AttackingHex]) -> None:
        """11.47: bring units of one hex to face an enemy, by one vertex or one or two more hexes, and note them down.

        `before` is the heading with which they entered their hex. Where no enemy can be brought to face there is no
        continued shock, but they may go on all the same.
        """
        going = units
        entered = before
        if going[0].extended == EXTENDED_LINE:
            self._meet_as_line(going[0], groups)
            return
        # by Gringo! the turn after the first advance is free, and nobody need use it to face an enemy
        kept_as_is = self.options.edition <= GRINGO and self.battle.enemy_near(going[0].hex, going[0].side)
        if kept_as_is and not self.targets(going[0]):
            return
        if not self._face_enemy(going, entered):
            going = [unit for unit in units if unit not in self.halted]
            ways = self.further_ways(going, entered, True) if going else []
            if not ways:
                self._go_further(going, entered)
                return
            lead = going[0]
            chosen = 0
            if len(ways) > 1:
                chosen = self.index(
                    "continued_advance", lead,
                    self.series.owner(lead).continued_advance(self.series, lead, ways), 0, len(ways),
                )
            for place in ways[chosen].hexes:
                entered = self._heading_into(going[0].hex, place, entered)
                going = self._go_on(going, place, entered)
                if not going:
                    return
            if not self._face_enemy(going, entered):
                return
        self._attack(groups, going)

    def _attack(self, groups: list[AttackingHex], units: list[Unit], only: list[Hex] | None = None) -> None:
        """11.47: put down units of one hex, or a line, to shock all whom they face, or those of some goals among them.

        Of mounted units and units on foot in one hex only those go that are as the first of them (11.32).
        """
        mounted = units[0].is_mounted()
        group = AttackingHex([unit for unit in units if unit.is_mounted() == mounted])
        group.seen = self.goals(self.targets(units[0]))
        if only is not None:
            group.seen = [goal for goal in group.seen if goal in only]
        group.targets = list(group.seen)
        groups.append(group)

    def _meet_as_line(self, unit: Unit, groups: list[AttackingHex]) -> None:
        """11.47, 8.47: a line that faces no enemy goes on, straight or by pivots, for one or two hexes to meet one."""
        if not self.targets(unit):
            ways = self.further_line_ways(unit, True)
            if unit in self.halted:
                return
            if not ways:
                self._go_further_as_line(unit)
                return
            chosen: i64 = 0
            if len(ways) > 1:
                last = [way[len(way) - 1] for way in ways]
                answer = self.series.owner(unit).advance_line(self.series, unit, last)
                chosen = self.index("advance_line", unit, answer, 0, len(ways))
            for way in ways[chosen]:
                if not self.series.retreat.go_on_as_line(unit, way):
                    return
            if not self.targets(unit):
                return
        self._attack(groups, [unit])

    def _go_further_as_line(self, unit: Unit) -> None:
        """11.47, 8.47: a line that can meet no enemy may go on all the same."""
        ways = self.further_line_ways(unit, False)
        if not ways:
            return
        last = [way[len(way) - 1] for way in ways]
        chosen = self.series.owner(unit).advance_line_further(self.series, unit, last)
        if chosen == -1:
            return
        for way in ways[self.index("advance_line_further", unit, chosen, 0, len(ways))]:
            if not self.series.retreat.go_on_as_line(unit, way):
                return

    def further_line_ways(self, unit: Unit, meeting: bool) -> list[list[LineAdvance]]:
        """11.47, 8.47: ways of one or two steps for a line; they stop next to any enemy.

        Those by which it comes to face an enemy, if it is `meeting` one, else all.
        """
        found: list[list[LineAdvance]] = []
        start = LineAdvance([part.hex for part in unit.parts], unit.heading)
        if self._near_enemy(unit, start):
            return found
        for first in self._line_steps(unit, start):
            if self._near_enemy(unit, first):
                if not meeting or self._line_could_face(unit, first):
                    found.append([first])
                continue
            if not meeting:
                found.append([first])
            found.extend([
                [first, second] for second in self._line_steps(unit, first)
                if not meeting or self._line_could_face(unit, second)
            ])
        return found

    def _line_steps(self, unit: Unit, before: LineAdvance) -> list[LineAdvance]:
        """11.47: a line's next steps, each of its parts into no hex dearer than 2 MPs."""
        return [
            way for way in self.series.retreat.line_ways(unit, before.hexes, before.heading)
            if all(
                place is way.hexes[at]
                or self.series.retreat.cost(unit, place.sides[place.direction_to(way.hexes[at])]) <= ADVANCE_MOST
                for at, place in enumerate(before.hexes)
            )
        ]

    def _near_enemy(self, unit: Unit, way: LineAdvance) -> bool:
        return any(self.battle.enemy_near(place, unit.side) for place in way.hexes)

    def _line_could_face(self, unit: Unit, way: LineAdvance) -> bool:
        """Whether an enemy whom it could shock would stand in front of a line that stood so."""
        for place in way.hexes:
            for hexside in place.nodes[way.heading].ahead:
                if self.battle.held_by(hexside.to) == 1 - unit.side and self.shockable(unit, hexside):
                    return True
        return False

    def _face_enemy(self, units: list[Unit], entered: i64) -> bool:
        """11.47: turn a stack to an enemy within one vertex of the heading with which it came, if it faces none yet."""
        unit = units[0]
        if self.targets(unit):
            return True
        kept = unit.heading
        facing: list[int] = []
        for heading in _within_one(entered):
            unit.heading = heading
            if self.targets(unit):
                facing.append(int(heading))
        unit.heading = kept
        if not facing:
            return False
        chosen: i64 = 0
        if len(facing) > 1:
            answer = self.series.owner(unit).heading_after(self.series, unit, facing)
            chosen = self.index("heading_after", unit, answer, 0, len(facing))
        self.face_stack(unit.hex, facing[chosen])
        return True

    def face_stack(self, place: Hex, heading: i64) -> None:
        """7.23, 11.46: turn all units of a hex, or of an Extended Line and its hexes, at no cost."""
        for unit in self.force_in(place):
            if unit.heading != heading:
                unit.refused = 0
            self.series.facing.face(unit, heading)

    def _go_further(self, units: list[Unit], entered: i64) -> None:
        """11.47: units of one hex who can meet no enemy may go on all the same, turning a vertex in each hex."""
        ways = self.further_ways(units, entered, False) if units else []
        if not ways:
            return
        chosen = self.series.owner(units[0]).advance_further(self.series, units[0], ways)
        if chosen == -1:
            return
        going = units
        heading = entered
        for place in ways[self.index("advance_further", units[0], chosen, 0, len(ways))].hexes:
            heading = self._heading_into(going[0].hex, place, heading)
            going = self._go_on(going, place, heading)
            if not going:
                return

    def further_ways(self, units: list[Unit], entered: i64, meeting: bool) -> list[Way]:
        """11.47: ways of one or two hexes, each hex in front of the one before; they stop next to any enemy.

        Those that end facing an enemy, if they are `meeting` one, else all.
        """
        found: list[Way] = []
        start = units[0].hex
        if self.battle.enemy_near(start, units[0].side):
            return found
        for first in self._steps(units, start, entered):
            if self.battle.enemy_near(first.to, units[0].side):
                if not meeting or self._could_face(
                    units[0], first.to, self._heading_into(start, first.to, entered)
                ):
                    found.append(Way([first.to], False))
                continue
            turned = self._heading_into(start, first.to, entered)
            if not meeting:
                found.append(Way([first.to], False))
            found.extend([
                Way([first.to, second.to], False) for second in self._steps(units, first.to, turned)
                if second.to is not start and (
                    not meeting
                    or self._could_face(units[0], second.to, self._heading_into(first.to, second.to, turned))
                )
            ])
        return found

    def _steps(self, units: list[Unit], place: Hex, entered: i64) -> list[Hexside]:
        """11.47: hexsides by which a stack may go on: in front within one vertex, no dearer than 2 MPs, with room."""
        return [
            hexside for hexside in place.sides
            if hexside.on_map and self._heading_into(place, hexside.to, entered) >= 0 and self._open(units, hexside)
        ]

    def _open(self, units: list[Unit], hexside: Hexside) -> bool:
        if self.battle.held_by(hexside.to) >= 0:
            # friends there may leave no room; the first unit stands for the stack
            if self.battle.held_by(hexside.to) != units[0].side:
                return False
            for unit in units:
                if not self.series.stacking.may_end(unit, hexside.to):
                    return False
        for unit in units:
            mover = self.series.movement.mover(unit)
            if hexside.to.closed & unit.bound != 0:
                return False
            if not hexside.passable(mover) or self.series.retreat.cost(unit, hexside) > ADVANCE_MOST:
                return False
        return True

    def _heading_into(self, place: Hex, to: Hex, entered: i64) -> i64:
        """The heading within a vertex of `entered` that has a hex in front, `entered` itself if it has; -1: none."""
        for heading in _within_one(entered):
            for hexside in place.nodes[heading].ahead:
                if hexside.to is to:
                    return heading
        return -1

    def _could_face(self, unit: Unit, place: Hex, entered: i64) -> bool:
        """Whether an enemy would stand in the front of a unit in a hex after a turn of at most one vertex."""
        for heading in _within_one(entered):
            for hexside in place.nodes[heading].ahead:
                if self.battle.held_by(hexside.to) == 1 - unit.side and self.shockable(unit, hexside):
                    return True
        return False

    def _go_on(self, units: list[Unit], place: Hex, heading: i64) -> list[Unit]:
        """11.47, 12.6: advance a stack one more hex; returns those whom the terrain has not halted."""
        for unit in units:
            self.series.facing.face(unit, heading)
        return self._advance_all(units, place)

    def _advance_all(self, units: list[Unit], place: Hex) -> list[Unit]:
        """12.6: advance those of a stack who may; returns those whom the terrain has not halted."""
        return [
            unit for unit in units
            if self.series.retreat.may_advance(unit, place) and self.series.retreat.advance(unit, place)
        ]

    def designate_continued(self, groups: list[AttackingHex], before: ShockInProgress) -> list[ShockInProgress]:
        """11.47: the continued shocks of those who face an enemy: all whom they face, combined as the rules demand."""
        made: list[ShockInProgress] = []
        ready = [group for group in groups if group.seen]
        for designation in self.arrange(ready):
            attackers: list[Attacker] = []
            number: i64 = 0
            for unit in designation.attackers:
                attackers.append(Attacker(unit, unit.hex, unit.heading, True, False))
                unit.continued += 1
                number = max(number, unit.continued)
            shock = ShockInProgress(attackers[0].unit.side, attackers, designation.targets, number)
            shock.first_unled = before.first_unled
            if shock.side == self.battle.phasing:
                # his brigadier's absence follows the attacker; to the defender it never applies (11.72)
                shock.unled = before.first_unled
            made.append(shock)
        return made

    def again_in_place(self, shock: ShockInProgress, result: ShockResult) -> list[ShockInProgress]:
        """11.47: defenders who could not retreat are shocked again where they stand, and nobody besides."""
        if not result.attacker_may_continue or result.defender.retreat == 0:
            return []
        groups: list[AttackingHex] = []
        for place in shock.stacks():
            going = self.willing(self.participants_in(shock, place), shock.continued == 0)
            if going and going[0] in self.wrapped:
                self.contract_wrapped(going[0])
            if going:
                self._attack(groups, going, self.goals(shock.targets))
        return self.designate_continued(groups, shock)

    def contract_wrapped(self, unit: Unit) -> None:
        """8.49: a line that has wrapped around its target contracts before it shocks again where it stands."""
        self.wrapped.remove(unit)
        facing = [
            part.hex for part in unit.parts
            if any(self.battle.held_by(side.to) == 1 - unit.side for side in part.hex.nodes[unit.heading].ahead)
        ]
        self.series.retreat.contract_into_one_of(unit, facing or [part.hex for part in unit.parts])

    # -- fates -------------------------------------------------------------------------------------------------------

    def note_vacated(self, shock: ShockInProgress) -> None:
        """11.46: record of targets that are held no more, for whatever reason, that their defenders have left."""
        for at, target in enumerate(shock.targets):
            if shock.fates[at] == 0 and not self.held(shock, target):
                shock.fates[at] = LEFT

    def broke_before_shock(self, shock: ShockInProgress) -> bool:
        """11.47: whether the pre-shock check routed all defenders, those apart who had retreated before."""
        any_broke = False
        for fate in shock.fates:
            if fate == BROKE:
                any_broke = True
            elif fate != GAVE_WAY:
                return False
        return any_broke


def _hexes(units: list[Unit]) -> list[Hex]:
    found: list[Hex] = []
    for unit in units:
        if unit.hex not in found:
            found.append(unit.hex)
    return found


def _add_by_depth(ranks: list[list[Unit]], stacks: list[list[Unit]]) -> None:
    """11.46: to ranks add those on top of each stack, then those beneath them, and so on."""
    depth: i64 = 0
    while True:
        rank = [stack[depth] for stack in stacks if depth < len(stack)]
        if not rank:
            return
        ranks.append(rank)
        depth += 1


def _within_one(heading: i64) -> list[i64]:
    """A heading, and those one vertex to either side."""
    return [heading, (heading + 2) % 12, (heading + 10) % 12]
