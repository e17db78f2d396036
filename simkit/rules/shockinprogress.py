"""A shock from its designation to its end: who attacks whom from where, and how far it has come (11.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.forces import IN_ONE_HEX

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Unit

# the steps of a shock (11.11), and its end
DESIGNATED: Final[i64] = 1
RETREATS: Final[i64] = 2
COMMITMENT: Final[i64] = 3
COHESION_CHECK: Final[i64] = 4
PRE_SHOCK_FIRE: Final[i64] = 5
RESOLUTION: Final[i64] = 6
AFTERMATH: Final[i64] = 7
FINISHED: Final[i64] = 8
STEPS: Final = (
    "", "designation", "retreat before shock", "commitment", "pre-shock check", "pre-shock fire", "resolution",
    "disorder after shock", "finished",
)

# why a target hex no longer holds its defenders
HELD: Final[i64] = 0
GAVE_WAY: Final[i64] = 1  # retreated before shock (11.33)
BROKE: Final[i64] = 2  # all routed or abandoned by the pre-shock check (11.47)
LEFT: Final[i64] = 3  # for any other reason


class Attacker:
    """A unit in a shock: the hexes from which it attacks, its heading there, whether it moved and whether it charges.

    An Extended Line where it stands attacks from all its hexes (8.46); `hex` is the first, that of its counter.
    """

    def __init__(self, unit: Unit, place: Hex, heading: i64, moved: bool, charging: bool) -> None:
        self.unit = unit
        self.hex = place
        self.places: list[Hex] = [place]
        self.heading = heading
        self.moved = moved
        self.charging = charging
        self.spent = unit.finished  # driven back already, it strikes back at those who follow it (12.47)
        if unit.extended != IN_ONE_HEX and place is unit.hex:
            self.stand()

    def stand(self) -> None:
        """Take note of where the unit stands now, extended or not, and how it faces (8.46, 8.48)."""
        self.hex = self.unit.hex
        self.places = [part.hex for part in self.unit.parts]
        self.heading = self.unit.heading

    def copy(self) -> Attacker:
        """Another one that says the same."""
        made = Attacker(self.unit, self.hex, self.heading, self.moved, self.charging)
        made.hex = self.hex
        made.places = list(self.places)
        made.heading = self.heading
        made.spent = self.spent
        return made

    def in_place(self) -> bool:
        """Whether the unit still stands in the hexes from which it attacks, and in no other."""
        if len(self.unit.parts) != len(self.places) or self.unit.hex is not self.hex:
            return False
        return all(self.unit.stands_in(place) for place in self.places)

    def strikes(self, target: Hex) -> list[Hex]:
        """11.12, 7.34, 8.46: those of its hexes that have a target in front, a refused front apart."""
        return [
            place for place in self.places
            if any(side.to is target for side in place.nodes[self.heading].ahead)
        ]


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
        self.countercharged = False  # its defenders countercharge (11.56)
        self.losses: i64 = 0  # steps that the result named for its defenders, as far as they had them
        self.own_losses: i64 = 0

    def numbers(self) -> list[int]:
        """All of it that bears on what follows, so that two that have come equally far can be told to be equal."""
        kept: list[int] = [
            int(self.side), int(self.continued), int(self.step), int(self.pending), int(self.engaged),
            int(self.countercharged), len(self.attackers), len(self.targets), len(self.defenders), len(self.unled),
        ]
        for attacker in self.attackers:
            kept.append(int(attacker.unit.index))
            kept.append(int(attacker.heading))
            kept.append(int(attacker.moved) + 2 * int(attacker.charging) + 4 * int(attacker.spent))
            kept.extend([int(place.index) for place in attacker.places])
            kept.append(-1)
        kept.extend([int(place.index) for place in self.targets])
        kept.extend(self.fates)
        kept.extend([int(unit.index) for unit in self.defenders])
        kept.extend([int(command.index) for command in self.unled])
        kept.extend([int(command.index) for command in self.first_unled])
        return kept

    def copy(self) -> ShockInProgress:
        """Another one that has come equally far."""
        made = ShockInProgress(
            self.side, [attacker.copy() for attacker in self.attackers], list(self.targets), self.continued
        )
        made.step = self.step
        made.fates = list(self.fates)
        made.defenders = list(self.defenders)
        made.unled = self.unled
        made.first_unled = self.first_unled
        made.pending = self.pending
        made.engaged = self.engaged
        made.countercharged = self.countercharged
        made.losses = self.losses
        made.own_losses = self.own_losses
        return made

    def places(self) -> list[Hex]:
        """The attacking hexes, in the order of designation: of an Extended Line all that it holds."""
        found: list[Hex] = []
        for attacker in self.attackers:
            found.extend([place for place in attacker.places if place not in found])
        return found

    def stacks(self) -> list[Hex]:
        """8.46: one hex for each stack that attacks, in the order of designation: of a line that of its counter."""
        found: list[Hex] = []
        for attacker in self.attackers:
            if attacker.hex not in found:
                found.append(attacker.hex)
        return found

    def struck(self) -> list[Hex]:
        """8.46: the target hexes that attackers have in front; others are held by extended units struck elsewhere."""
        return [
            target for target in self.targets if any(attacker.strikes(target) for attacker in self.attackers)
        ]

    def units(self) -> list[Unit]:
        """The units that attack."""
        return [attacker.unit for attacker in self.attackers]

    def attacks(self, place: Hex) -> bool:
        """Whether a hex is one of its targets."""
        return place in self.targets

    def keep_targets(self, places: list[Hex]) -> None:
        """Give up all targets but these, and what is known of them."""
        fates = [self.fates[at] for at, target in enumerate(self.targets) if target in places]
        self.targets = [target for target in self.targets if target in places]
        self.fates = fates

    def set_fate(self, place: Hex, fate: i64) -> None:
        """Record why a target hex no longer holds its defenders."""
        for at, target in enumerate(self.targets):
            if target is place:
                self.fates[at] = fate


class Underway:
    """What the shocks of an activation hold between two steps, apart from the battle: a copy, from which to go on."""

    def __init__(self, stage: i64, shocks: list[ShockInProgress]) -> None:
        self.stage = stage
        self.shocks = [shock.copy() for shock in shocks]
        self.line: list[ShockInProgress] = []
        self.chain: list[ShockInProgress] = []
        self.waiting: list[Hex] = []
        self.held: list[Hex] = []
        self.stacks: list[list[Unit]] = []
        self.wrapped: list[Unit] = []
        self.surprised: list[Command] = []
        self.engaged_attackers: list[Unit] = []
        self.engaged_defenders: list[Unit] = []


def counterparts(
    of: list[ShockInProgress], among: list[ShockInProgress], copies: list[ShockInProgress]
) -> list[ShockInProgress]:
    """The copies of some shocks: of those `among` others the ones in `copies`, of the rest new ones."""
    return [copies[among.index(shock)] if shock in among else shock.copy() for shock in of]
