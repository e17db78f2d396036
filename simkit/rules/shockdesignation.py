"""Who may and who must shock, and which designations of targets are legal (11.12, 11.2, 11.31, 11.32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import PROHIBITED
from simkit.model.forces import ARTILLERY, ATTACK, EXTENDED_COLUMN, EXTENDED_LINE, IN_ONE_HEX
from simkit.rules.chapter import Chapter
from simkit.rules.commander import Designation
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series
    from simkit.rules.shockinprogress import ShockInProgress

class AttackingHex:
    """Units of one arm that are to shock together from one hex, or one Extended Line (8.46).

    `seen` are the enemies that they face, `targets` those that they attack; an extended enemy goes by the hex of its
    counter (`ShockDesignation.goal`).
    """

    def __init__(self, units: list[Unit], charging: bool = False) -> None:
        first = units[0]
        self.hex = first.hex
        self.places: list[Hex] = [part.hex for part in first.parts]
        self.line = first.extended == EXTENDED_LINE
        self.mounted = first.is_mounted()
        self.charging = charging  # in a cavalry charge
        self.units = units
        self.seen: list[Hex] = []
        self.targets: list[Hex] = []

    def must_combine_with(self, other: AttackingHex) -> bool:
        """11.32: whether the two combine when they attack the same enemy: adjacent, of one arm, charging or not."""
        if self.mounted != other.mounted or self.charging != other.charging:
            return False
        return adjacent_hexes(self.places, other.places)

    def combines_with(self, other: AttackingHex) -> bool:
        """11.31, 11.32, 8.46: whether they attack as one: the same single enemy, or beside a line one of the line's."""
        if not self.must_combine_with(other) or not _share_target(self.targets, other.targets):
            return False
        return self.line or other.line or (len(self.targets) == 1 and len(other.targets) == 1)


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockDesignation(Chapter):
    """Eligibility for shock and the designation of targets: step 1 of the shock procedure (11.1 to 11.32)."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.shocks: list[ShockInProgress] = []  # designated in this activation, while they are conducted
        self.broken_off = False  # between two steps; what is left can be gone on with
        self.waiting: list[Hex] = []  # targets for which the step under way has still to be done
        self.wrapped: list[Unit] = []  # lines that have wrapped around their target and not yet contracted (8.48, 8.49)

    def numbers(self) -> list[int]:
        """11.11: how far the shocks of the activation have come, as far as it bears on what follows."""
        kept: list[int] = [len(self.shocks)]
        for shock in self.shocks:
            kept.append(-2)
            kept.extend(shock.numbers())
        kept.append(-3)
        kept.extend([int(unit.index) for unit in self.wrapped])
        kept.append(-4)
        kept.extend([int(place.index) for place in self.waiting])
        return kept

    def pause(self, step: str) -> None:
        """11.11: tell whoever wants to know that a step is over, or over for one stack, and let him break off there."""
        if self.series.dice.pausing:
            self.broken_off = self.series.dice.pause(step, self.numbers() + self.series.fire.numbers())

    # -- extended defenders ----------------------------------------------------------------------------------------

    def goal(self, place: Hex) -> Hex:
        """8.46, 8.5: the hex by which the defenders in a hex go: of an extended unit, always that of its counter."""
        for part in place.stack:
            if part.unit.extended != IN_ONE_HEX:
                return part.unit.hex
        return place

    def goals(self, places: list[Hex]) -> list[Hex]:
        """8.46: the goals of some hexes, each once."""
        found: list[Hex] = []
        for place in places:
            goal = self.goal(place)
            if goal not in found:
                found.append(goal)
        return found

    def hexes_of(self, place: Hex) -> list[Hex]:
        """8.46, 8.5: all hexes of the extended unit in a hex, its counter's first; or just the hex."""
        for part in place.stack:
            if part.unit.extended != IN_ONE_HEX:
                return [other.hex for other in part.unit.parts]
        return [place]

    def whole(self, places: list[Hex]) -> list[Hex]:
        """8.46: hexes together with all others of the extended units in them, each once."""
        found: list[Hex] = []
        for place in places:
            found.extend([other for other in self.hexes_of(place) if other not in found])
        return found

    def force_in(self, place: Hex) -> list[Unit]:
        """8.46: the units of a hex, or an extended unit with all guns in its hexes; each once, top first."""
        found: list[Unit] = []
        for other in self.hexes_of(place):
            found.extend([unit for unit in self.battle.units_in(other) if unit not in found])
        return found

    # -- eligibility -----------------------------------------------------------------------------------------------

    def shockable(self, unit: Unit, hexside: Hexside) -> bool:
        """11.12: whether nothing along a hexside prohibits the unit's movement across it."""
        mover = self.series.movement.mover(unit)
        return hexside.on_map and (hexside.hexside_costs[mover] < PROHIBITED or hexside.passable(mover))

    def targets(self, unit: Unit) -> list[Hex]:
        """11.12, 11.31: the enemy-held frontal hexes of a unit across hexsides that it could cross.

        Those of all parts of an Extended Line (8.46); a Refused Frontal hex is none (7.34).
        """
        found: list[Hex] = []
        for part in unit.parts:
            for hexside in part.hex.nodes[unit.heading].ahead:
                to = hexside.to
                if self.battle.held_by(to) == 1 - unit.side and self.shockable(unit, hexside) and to not in found:
                    found.append(to)
        return found

    def may_shock(self, unit: Unit) -> bool:
        """11.12, 11.22, 11.61, 8.53: whether a unit of the active brigades is eligible to shock."""
        if not unit.counts() or unit.kind == ARTILLERY or unit.side != self.battle.phasing:
            return False
        if unit.extended == EXTENDED_COLUMN:
            return False
        if not self.series.orders.may_shock(unit):
            return False
        if unit.rallied or unit.resupplied or unit.finished or unit.by_exception or unit.withdrew:
            return False
        if unit.adjusted_facing or unit.turned_after_move or not unit.active:
            return False
        return len(self.targets(unit)) > 0

    def charges(self, unit: Unit) -> bool:
        """11.21, 11.51, 11.53: whether a unit is ready for an infantry charge, or marked as cavalry that charges."""
        if unit.is_mounted():
            return unit.charge_marker and self.may_shock(unit)
        if not unit.on_foot() or unit.orders != ATTACK or not unit.came_adjacent or unit.fired:
            return False
        if not self.may_shock(unit):
            return False
        for part in unit.parts:
            for other in self.battle.units_in(part.hex):
                if other is unit:
                    break
                # whoever stands above must charge as well
                if not other.on_foot() or other.orders != ATTACK or not other.came_adjacent or other.fired:
                    return False
                if not self.may_shock(other):
                    return False
        return True

    def must_shock(self, unit: Unit) -> bool:
        """11.21, 6.24: whether a unit must shock: in a charge, or mounted and come adjacent without firing.

        Also one beside the enemy whom an aggressive loose cannon drives on; but not cavalry that was disordered twice
        as it charged (12.34).
        """
        if unit.forced != 0 and unit.orders == ATTACK:
            return self.may_shock(unit)
        if unit.is_mounted():
            if unit.charging and not unit.charge_marker:
                return False
            return unit.came_adjacent and not unit.fired and self.may_shock(unit)
        return self.charges(unit)

    def designated(self, place: Hex) -> bool:
        """12.44, 12.46: whether a hex is the target of a shock that is not yet resolved."""
        return any(shock.pending and shock.attackers and shock.attacks(place) for shock in self.shocks)

    def threats(self, place: Hex) -> list[Hex]:
        """12.44: the hexes from which unresolved shocks are designated against a hex."""
        found: list[Hex] = []
        for shock in self.shocks:
            if shock.pending and shock.attacks(place):
                found.extend(shock.places())
        return found

    # -- legality --------------------------------------------------------------------------------------------------

    def check(self, designations: list[Designation], brigades: list[Command]) -> list[str]:
        """11.21, 11.31, 11.32: why a set of designations for the active brigades is illegal; empty if it is legal."""
        faults: list[str] = []
        for designation in designations:
            self._check_one(designation, brigades, faults)
        if faults:
            return faults
        self._check_split(designations, faults)
        self._check_cover(designations, faults)
        self._check_combined(designations, faults)
        for brigade in brigades:
            faults.extend([
                f"{unit.id} must shock (11.21)" for unit in brigade.units
                if self.must_shock(unit) and not _is_among(unit, designations)
            ])
        return faults

    def _check_one(self, designation: Designation, brigades: list[Command], faults: list[str]) -> None:
        """11.12, 11.31, 11.32: one designation by itself."""
        if not designation.attackers or not designation.targets:
            faults.append("a shock needs an attacking unit and a target hex (11.31)")
            return
        for at, target in enumerate(designation.targets):
            if target in designation.targets[:at]:
                faults.append(f"{target.id} is named twice as the target of one shock (11.31)")
        goals = self.goals(designation.targets)
        faced = self._faced_by_lines(designation.attackers)
        several = len(_hexes(designation.attackers)) > 1 and len(goals) > 1
        first = designation.attackers[0]
        for unit in designation.attackers:
            if unit.command not in brigades:
                faults.append(f"{unit.id} is of no active brigade (11.12)")
            elif not self.may_shock(unit):
                faults.append(f"{unit.id} is not eligible to shock (11.12)")
            else:
                self._check_targets(unit, goals, several, faults)
            if unit.is_mounted() != first.is_mounted():
                faults.append(f"{unit.id} may not combine with {first.id}: mounted and on foot (11.32)")
            elif unit.charge_marker != first.charge_marker:
                faults.append(f"{unit.id} may not combine with {first.id}: one charges, one does not (11.32)")
        if several and any(goal not in faced for goal in goals):
            places = _names(_hexes(designation.attackers))
            faults.append(f"{places} attack {_names(goals)}: one attacking or one target hex (11.31)")
        if not _connected(designation.attackers):
            faults.append(f"{_names(_hexes(designation.attackers))} are not adjacent and may not combine (11.32)")

    def _faced_by_lines(self, units: list[Unit]) -> list[Hex]:
        """8.46: the enemies whom the Extended Lines among attackers face."""
        found: list[Hex] = []
        for unit in units:
            if unit.extended == EXTENDED_LINE:
                found.extend(self.goals(self.targets(unit)))
        return found

    def _check_targets(self, unit: Unit, goals: list[Hex], several: bool, faults: list[str]) -> None:
        """11.12, 11.31, 8.46: whether a unit faces those whom it attacks, and a line attacks all whom it faces.

        Where `several` hexes attack several enemies beside a line, it is enough that a unit faces one of them.
        """
        seen = self.goals(self.targets(unit))
        if not several or not _share_target(seen, goals):
            faults.extend([
                f"{goal.id} is no enemy-held frontal hex of {unit.id} (11.12)" for goal in goals if goal not in seen
            ])
        if unit.extended == EXTENDED_LINE:
            faults.extend([
                f"{unit.id} in Extended Line must attack {goal.id} in the same shock (8.46)"
                for goal in seen if goal not in goals
            ])

    def _check_split(self, designations: list[Designation], faults: list[str]) -> None:
        """11.32: no unit attacks in two shocks; 8.36: units of one arm in one hex attack together."""
        for at, first in enumerate(designations):
            for unit in first.attackers:
                if first.attackers.count(unit) > 1:
                    faults.append(f"{unit.id} is named twice in one shock (11.32)")
                for second in designations[at + 1:]:
                    if unit in second.attackers:
                        faults.append(f"{unit.id} may not split its strength between two shocks (11.32)")
                        continue
                    faults.extend([
                        f"{unit.id} and {other.id} are stacked and attack together (8.36)" for other in second.attackers
                        if other.hex is unit.hex and _alike(unit, other)
                    ])

    def _check_cover(self, designations: list[Designation], faults: list[str]) -> None:
        """11.31: every enemy in the frontal hexes of an attacking unit is the target of some shock."""
        covered: list[Hex] = []
        for designation in designations:
            covered.extend(self.goals(designation.targets))
        for designation in designations:
            for unit in designation.attackers:
                for place in self.goals(self.targets(unit)):
                    fault = f"{place.id} in the front of {unit.id} is no target of a shock (11.31)"
                    if place not in covered and fault not in faults:
                        faults.append(fault)

    def _check_combined(self, designations: list[Designation], faults: list[str]) -> None:
        """11.32: adjacent units of one arm that attack the same hex combine; mounted ones in Gringo! as they like."""
        for at, first in enumerate(designations):
            for second in designations[at + 1:]:
                if not _share_target(self.goals(first.targets), self.goals(second.targets)):
                    continue
                for unit in first.attackers:
                    if unit.is_mounted() and self.options.edition == GRINGO:
                        continue
                    faults.extend([
                        f"{unit.id} and {other.id} are adjacent and must combine (11.32)" for other in second.attackers
                        if _alike(unit, other) and adjacent_hexes(_places(unit), _places(other))
                    ])

    # -- from a wish list to a legal set -----------------------------------------------------------------------------

    def complete(self, designations: list[Designation]) -> list[Designation]:
        """11.31, 11.32: a legal set of designations that follows a wish list as far as the rules allow.

        Units that may not shock are left out, those that must are added, targets nobody attacks are given to one who
        faces them, and those who must combine do.
        """
        groups: list[AttackingHex] = []
        for designation in designations:
            for unit in designation.attackers:
                if self.may_shock(unit):
                    self._join(groups, unit, designation.targets)
        for brigade in self.battle.active:
            for unit in brigade.units:
                if self.must_shock(unit):
                    self._join(groups, unit, [])
        return self.arrange(groups)

    def _join(self, groups: list[AttackingHex], unit: Unit, wished: list[Hex]) -> None:
        """Add a unit to the group of its hex, with the targets that are wished for it and that it faces."""
        group: AttackingHex | None = None
        for known in groups:
            if known.hex is unit.hex and _alike(known.units[0], unit):
                group = known
        if group is None:
            group = AttackingHex([unit], unit.charge_marker)
            group.seen = self.goals(self.targets(unit))
            groups.append(group)
        if unit not in group.units:
            group.units.append(unit)
        for target in self.goals(wished):
            if target in group.seen and target not in group.targets:
                group.targets.append(target)

    def arrange(self, groups: list[AttackingHex]) -> list[Designation]:
        """11.31, 11.32: choose the targets of attacking hexes so that all that they face are covered, and combine.

        An Extended Line attacks all that it faces, and whoever beside it attacks one of those combines with it (8.46).
        """
        for group in groups:
            if group.line:
                group.targets = list(group.seen)
        for group in groups:
            if not group.targets:
                group.targets.append(_first_uncovered(group, groups))
        for group in groups:
            if len(group.targets) > 1 and not group.line:
                _yield_shared(group, groups)
        for group in groups:
            for place in group.seen:
                if _attackers_of(place, groups) == 0:
                    # the other target is left to its other attackers; without any, this hex attacks both
                    if _attackers_of(group.targets[0], groups) > 1:
                        group.targets = [place]
                    else:
                        group.targets.append(place)
        made: list[Designation] = []
        taken: list[AttackingHex] = []
        for group in groups:
            if group not in taken:
                together = [group]
                _gather(together, groups)
                taken.extend(together)
                units: list[Unit] = []
                targets: list[Hex] = []
                for member in together:
                    units.extend(member.units)
                    targets.extend([place for place in member.targets if place not in targets])
                made.append(Designation(units, self.whole(targets)))
        return made


def _hexes(units: list[Unit]) -> list[Hex]:
    found: list[Hex] = []
    for unit in units:
        if unit.hex not in found:
            found.append(unit.hex)
    return found


def _alike(unit: Unit, other: Unit) -> bool:
    """11.32: whether two units may shock together: both on foot, both mounted, or both in a cavalry charge."""
    return unit.is_mounted() == other.is_mounted() and unit.charge_marker == other.charge_marker


def _names(places: list[Hex]) -> str:
    return ", ".join([place.id for place in places])


def _is_among(unit: Unit, designations: list[Designation]) -> bool:
    return any(unit in designation.attackers for designation in designations)


def _share_target(first: list[Hex], second: list[Hex]) -> bool:
    return any(place in second for place in first)


def _places(unit: Unit) -> list[Hex]:
    return [part.hex for part in unit.parts]


def adjacent_hexes(places: list[Hex], others: list[Hex]) -> bool:
    """Whether any of some hexes is adjacent to any of some others."""
    for place in places:
        for other in others:
            if place.direction_to(other) >= 0:
                return True
    return False


def _connected(units: list[Unit]) -> bool:
    """Whether units hang together, each in the hex of another of them or adjacent to it."""
    reached = units[:1]
    at: i64 = 0
    while at < len(reached):
        for unit in units:
            if unit not in reached and (
                unit.hex is reached[at].hex or adjacent_hexes(_places(unit), _places(reached[at]))
            ):
                reached.append(unit)
        at += 1
    return all(unit in reached for unit in units)


def _attackers_of(place: Hex, groups: list[AttackingHex]) -> i64:
    count: i64 = 0
    for group in groups:
        if place in group.targets:
            count += 1
    return count


def _first_uncovered(group: AttackingHex, groups: list[AttackingHex]) -> Hex:
    for place in group.seen:
        if _attackers_of(place, groups) == 0:
            return place
    return group.seen[0]


def _yield_shared(group: AttackingHex, groups: list[AttackingHex]) -> None:
    """Leave one of two targets to those who attack it too and would have to combine."""
    for place in list(group.targets):
        for other in groups:
            if other is not group and place in other.targets and group.must_combine_with(other):
                if len(group.targets) > 1:
                    group.targets.remove(place)
                break


def _gather(together: list[AttackingHex], groups: list[AttackingHex]) -> None:
    """Add all who attack as one with those already there."""
    at: i64 = 0
    while at < len(together):
        for other in groups:
            if other not in together and together[at].combines_with(other):
                together.append(other)
        at += 1
