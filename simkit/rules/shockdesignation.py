"""Who may and who must shock, and which designations of targets are legal (11.12, 11.2, 11.31, 11.32)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import PROHIBITED
from simkit.model.forces import ARTILLERY, ATTACK
from simkit.rules.chapter import Chapter
from simkit.rules.commander import Designation

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Command, Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series

# the steps of a shock (11.11), and its end
DESIGNATED: Final[i64] = 1
RETREATS: Final[i64] = 2
COMMITMENT: Final[i64] = 3
COHESION_CHECK: Final[i64] = 4
PRE_SHOCK_FIRE: Final[i64] = 5
RESOLUTION: Final[i64] = 6
FINISHED: Final[i64] = 7
STEPS: Final = (
    "", "designation", "retreat before shock", "commitment", "pre-shock check", "pre-shock fire", "resolution",
    "finished",
)

# why a target hex no longer holds its defenders
HELD: Final[i64] = 0
GAVE_WAY: Final[i64] = 1  # retreated before shock (11.33)
BROKE: Final[i64] = 2  # all routed or abandoned by the pre-shock check (11.47)
LEFT: Final[i64] = 3  # for any other reason


class Attacker:
    """A unit in a shock: the hex from which it attacks, its heading there, whether it moved and whether it charges."""

    def __init__(self, unit: Unit, place: Hex, heading: i64, moved: bool, charging: bool) -> None:
        self.unit = unit
        self.hex = place
        self.heading = heading
        self.moved = moved
        self.charging = charging


class ShockInProgress:
    """A shock from its designation to its end (11.11): who attacks which hexes, and how far it has come.

    `step` is one of DESIGNATED to FINISHED, `continued` the number of the continued shock (0 for a designated one),
    `fates` says by target hex why its defenders are gone (HELD to LEFT).
    """

    def __init__(self, side: i64, attackers: list[Attacker], targets: list[Hex], continued: i64) -> None:
        self.side = side
        self.attackers = attackers
        self.targets = targets
        self.continued = continued
        self.step: i64 = DESIGNATED
        self.fates: list[int] = [0] * len(targets)
        self.defenders: list[Unit] = []  # units in the targets when it was designated
        self.unled: list[Command] = []  # attacking brigades without their brigadier (11.72)
        self.first_unled: list[Command] = []  # the same for the shock with which a chain of continued ones began
        self.pending = True  # its resolution has not begun
        self.engaged = False  # step 6b was reached (11.48)
        self.losses: i64 = 0  # steps that the result named for its defenders, as far as they had them
        self.own_losses: i64 = 0

    def places(self) -> list[Hex]:
        """The attacking hexes, in the order of designation."""
        found: list[Hex] = []
        for attacker in self.attackers:
            if attacker.hex not in found:
                found.append(attacker.hex)
        return found

    def units(self) -> list[Unit]:
        """The units that attack."""
        return [attacker.unit for attacker in self.attackers]

    def attacks(self, place: Hex) -> bool:
        """Whether a hex is one of its targets."""
        return place in self.targets

    def set_fate(self, place: Hex, fate: i64) -> None:
        """Record why a target hex no longer holds its defenders."""
        for at, target in enumerate(self.targets):
            if target is place:
                self.fates[at] = fate


class AttackingHex:
    """Units of one arm in one hex that are to shock together: the enemy hexes they face, and those they attack."""

    def __init__(self, place: Hex, mounted: bool) -> None:
        self.hex = place
        self.mounted = mounted
        self.units: list[Unit] = []
        self.seen: list[Hex] = []
        self.targets: list[Hex] = []

    def must_combine_with(self, other: AttackingHex) -> bool:
        """11.32: whether the two combine when they attack the same hex: adjacent, and of one arm."""
        return self.mounted == other.mounted and self.hex.direction_to(other.hex) >= 0


@mypyc_attr(allow_interpreted_subclasses=True)
class ShockDesignation(Chapter):
    """Eligibility for shock and the designation of targets: step 1 of the shock procedure (11.1 to 11.32)."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.shocks: list[ShockInProgress] = []  # designated in this activation, while they are conducted

    # -- eligibility -----------------------------------------------------------------------------------------------

    def shockable(self, unit: Unit, hexside: Hexside) -> bool:
        """11.12: whether nothing along a hexside prohibits the unit's movement across it."""
        mover = self.series.movement.mover(unit)
        return hexside.on_map and (hexside.hexside_costs[mover] < PROHIBITED or hexside.passable(mover))

    def targets(self, unit: Unit) -> list[Hex]:
        """11.12, 11.31: the enemy-held frontal hexes of a unit across hexsides that it could cross."""
        return [
            hexside.to for hexside in unit.hex.nodes[unit.heading].ahead
            if self.battle.held_by(hexside.to) == 1 - unit.side and self.shockable(unit, hexside)
        ]

    def may_shock(self, unit: Unit) -> bool:
        """11.12, 11.22, 11.61: whether a unit of the active brigades is eligible to shock."""
        if not unit.counts() or unit.kind == ARTILLERY or unit.side != self.battle.phasing:
            return False
        if not self.series.orders.may_shock(unit):
            return False
        if unit.rallied or unit.resupplied or unit.finished or unit.by_exception or unit.withdrew:
            return False
        if unit.adjusted_facing or unit.turned_after_move or not unit.active:
            return False
        return len(self.targets(unit)) > 0

    def charges(self, unit: Unit) -> bool:
        """11.21: whether infantry or dismounted cavalry has made itself ready for an infantry charge."""
        if not unit.on_foot() or unit.orders != ATTACK or not unit.came_adjacent or unit.fired:
            return False
        if not self.may_shock(unit):
            return False
        for other in self.battle.units_in(unit.hex):
            if other is unit:
                return True
            # whoever stands above must charge as well
            if not other.on_foot() or other.orders != ATTACK or not other.came_adjacent or other.fired:
                return False
            if not self.may_shock(other):
                return False
        return False

    def must_shock(self, unit: Unit) -> bool:
        """11.21, 6.24: whether a unit must shock: in an infantry charge, or mounted and come adjacent without firing.

        Also one beside the enemy whom an aggressive loose cannon drives on.
        """
        if unit.forced != 0 and unit.orders == ATTACK:
            return self.may_shock(unit)
        if unit.is_mounted():
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
        for unit in designation.attackers:
            if unit.command not in brigades:
                faults.append(f"{unit.id} is of no active brigade (11.12)")
            elif not self.may_shock(unit):
                faults.append(f"{unit.id} is not eligible to shock (11.12)")
            else:
                seen = self.targets(unit)
                faults.extend([
                    f"{target.id} is no enemy-held frontal hex of {unit.id} (11.12)"
                    for target in designation.targets if target not in seen
                ])
            first = designation.attackers[0]
            if unit.is_mounted() != first.is_mounted():
                faults.append(f"{unit.id} may not combine with {first.id}: mounted and on foot (11.32)")
        places = _hexes(designation.attackers)
        if len(places) > 1 and len(designation.targets) > 1:
            faults.append(
                f"{_names(places)} attack {_names(designation.targets)}: one attacking or one target hex (11.31)"
            )
        if not _connected(places):
            faults.append(f"{_names(places)} are not adjacent and may not combine (11.32)")

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
                        if other.hex is unit.hex and other.is_mounted() == unit.is_mounted()
                    ])

    def _check_cover(self, designations: list[Designation], faults: list[str]) -> None:
        """11.31: every enemy in the frontal hexes of an attacking unit is the target of some shock."""
        for designation in designations:
            for unit in designation.attackers:
                for place in self.targets(unit):
                    covered = False
                    for other in designations:
                        if place in other.targets:
                            covered = True
                    fault = f"{place.id} in the front of {unit.id} is no target of a shock (11.31)"
                    if not covered and fault not in faults:
                        faults.append(fault)

    def _check_combined(self, designations: list[Designation], faults: list[str]) -> None:
        """11.32: adjacent units of one arm that attack the same hex combine."""
        for at, first in enumerate(designations):
            for second in designations[at + 1:]:
                if not _share_target(first.targets, second.targets):
                    continue
                for unit in first.attackers:
                    faults.extend([
                        f"{unit.id} and {other.id} are adjacent and must combine (11.32)" for other in second.attackers
                        if unit.is_mounted() == other.is_mounted() and unit.hex.direction_to(other.hex) >= 0
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
            if known.hex is unit.hex and known.mounted == unit.is_mounted():
                group = known
        if group is None:
            group = AttackingHex(unit.hex, unit.is_mounted())
            group.seen = self.targets(unit)
            groups.append(group)
        if unit not in group.units:
            group.units.append(unit)
        for target in wished:
            if target in group.seen and target not in group.targets:
                group.targets.append(target)

    def arrange(self, groups: list[AttackingHex]) -> list[Designation]:
        """11.31, 11.32: choose the targets of attacking hexes so that all that they face are covered, and combine."""
        for group in groups:
            if not group.targets:
                group.targets.append(_first_uncovered(group, groups))
        for group in groups:
            if len(group.targets) > 1:
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
                if len(group.targets) == 1:
                    _gather(together, groups)
                taken.extend(together)
                units: list[Unit] = []
                for member in together:
                    units.extend(member.units)
                made.append(Designation(units, list(group.targets)))
        return made


def _hexes(units: list[Unit]) -> list[Hex]:
    found: list[Hex] = []
    for unit in units:
        if unit.hex not in found:
            found.append(unit.hex)
    return found


def _names(places: list[Hex]) -> str:
    return ", ".join([place.id for place in places])


def _is_among(unit: Unit, designations: list[Designation]) -> bool:
    return any(unit in designation.attackers for designation in designations)


def _share_target(first: list[Hex], second: list[Hex]) -> bool:
    return any(place in second for place in first)


def _connected(places: list[Hex]) -> bool:
    """Whether hexes hang together, each adjacent to another of them."""
    if not places:
        return True
    reached = [places[0]]
    at: i64 = 0
    while at < len(reached):
        for place in places:
            if place not in reached and place.direction_to(reached[at]) >= 0:
                reached.append(place)
        at += 1
    return len(reached) == len(places)


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
    """Add all who attack the same single hex and hang together with those already there."""
    at: i64 = 0
    while at < len(together):
        for other in groups:
            if (
                other not in together and len(other.targets) == 1 and other.targets[0] is together[at].targets[0]
                and together[at].must_combine_with(other)
            ):
                together.append(other)
        at += 1
