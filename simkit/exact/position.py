"""What of a battle bears on what follows, and how a combat has ended, as tuples that are equal if these are."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from simkit.model.battle import Battle
from simkit.model.forces import Unit
from simkit.model.leaders import Leader
from simkit.model.state import numbers_of_command, numbers_of_leader, numbers_of_unit

# the rest of a unit's state is losses by their cause, for strength tells what is left, and 2nd Disorders, for only the
# two rounds of one fire are compared by them (14.3)
BEARING: Final[i64] = Unit.STATE.index("lost_small_arms")


def position(battle: Battle, kept: list[int]) -> list[int]:
    """All that changes in a battle and bears on what follows: no dice counts, no tallies, no number of the chain.

    Args:
        battle: between two steps of a combat.
        kept: numbers to which those of the battle are appended.
    """
    for unit in battle.units:
        kept.extend(numbers_of_unit(unit)[:BEARING])
        for part in unit.parts:
            kept.append(int(part.hex.index))
            kept.append(part.hex.stack.index(part) if len(part.hex.stack) > 1 else 0)
            kept.append(int(part.column_heading))
            fires = part.book.numbers()
            kept.append(len(fires))
            kept.extend(fires)
        for section in unit.sections:
            kept.extend(section.numbers())
    for leader in battle.leaders:
        kept.append(int(leader.hex.index))
        kept.extend(numbers_of_leader(leader))
    for command in battle.commands:
        kept.extend(numbers_of_command(command))
    for works in battle.works.numbers():
        kept.extend(works)
    for waters in battle.waters.numbers():
        kept.extend(waters)
    for marker in battle.fatigues:
        kept.extend(marker.numbers())
    return kept


class UnitEnd:
    """How a unit has come out of a combat: its strength points, where it is, and its states."""

    def __init__(self, unit: Unit) -> None:
        self.index = unit.index
        self.strength = unit.strength
        self.place = unit.place
        self.hex = unit.hex.index
        self.disordered = unit.disordered
        self.collapsed = unit.collapsed
        self.blown = unit.blown
        self.abandoned = unit.abandoned
        self.ammo = unit.ammo

    def key(self) -> list[int]:
        """The same as numbers."""
        return [
            int(self.strength), int(self.place), int(self.hex), int(self.disordered), int(self.collapsed),
            int(self.blown), int(self.abandoned), int(self.ammo),
        ]


class LeaderEnd:
    """How a leader has come out of a combat: whether he is in play, whether he fell, and in which hex he is."""

    def __init__(self, leader: Leader) -> None:
        self.index = leader.index
        self.place = leader.place
        self.casualty = leader.casualty
        self.hex = leader.hex.index

    def key(self) -> list[int]:
        """The same as numbers."""
        return [int(self.place), int(self.casualty), int(self.hex)]


class Ending:
    """How a combat has ended: all units and leaders, and what happened in it (`facts`, see `record`)."""

    def __init__(self, battle: Battle, facts: i64, continued: i64) -> None:
        self.units = [UnitEnd(unit) for unit in battle.units]
        self.leaders = [LeaderEnd(leader) for leader in battle.leaders]
        self.facts = facts
        self.continued = continued

    def key(self) -> tuple[int, ...]:
        """Equal for endings that nothing tells apart."""
        kept: list[int] = [int(self.facts), int(self.continued)]
        for unit in self.units:
            kept.extend(unit.key())
        for leader in self.leaders:
            kept.extend(leader.key())
        return tuple(kept)


__all__ = ["Ending", "LeaderEnd", "UnitEnd", "position"]
