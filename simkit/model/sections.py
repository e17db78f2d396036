"""Sections: the guns of one type within a battery of several (2.41, 8.37)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.forces import Part, Unit

if TYPE_CHECKING:
    from simkit.model.charts import Weapon

SUPPLIED: Final[i64] = 0
WITHOUT_AMMUNITION: Final[i64] = 2  # as the level of a unit's ammunition (10.69)


class Section(Part):
    """2.41, 8.37, 10.65: the guns of one type of a battery, which fire by themselves or with others of its hex.

    It is a part of its battery for all that concerns fire and stands wherever the battery does. The battery keeps its
    sections in their stacking order; its strength is theirs together, its ammunition that of the best supplied.
    """

    def __init__(self, unit: Unit, number: i64, weapon: Weapon, guns: i64, full: i64) -> None:
        super().__init__(unit, unit.hex)
        self.number = number  # place in the order of the roster
        self.weapon = weapon
        self.full = full  # guns printed on the counter
        self.guns = guns
        self.ammo: i64 = SUPPLIED  # 1 low, 2 out (10.69)
        self.resupplied = False  # in this brigade activation (10.92)

    def points(self) -> i64:
        """8.37: its guns."""
        return self.guns

    def armed_with(self) -> Weapon:
        """2.41: its type of gun."""
        return self.weapon

    def ammunition(self) -> i64:
        """10.69: its ammunition: 1 low, 2 out."""
        return self.ammo

    def mans_guns(self) -> bool:
        """10.69, 10.92: whether it has guns, and ammunition that it is not just fetching."""
        return self.guns > 0 and self.ammo < WITHOUT_AMMUNITION and not self.resupplied

    def begin_activation(self) -> None:
        """Forget what it did in the last brigade activation."""
        self.resupplied = False
        self.book.clear()

    def numbers(self) -> list[int]:
        """All that changes of it, for a snapshot."""
        return [self.number, self.guns, self.ammo, int(self.resupplied), *self.book.numbers()]

    def take(self, numbers: list[int]) -> None:
        """Be again as a snapshot has kept it."""
        self.guns = numbers[1]
        self.ammo = numbers[2]
        self.resupplied = numbers[3] != 0
        self.book.take(numbers[4:])


def divide(unit: Unit, weapons: list[Weapon], guns: list[int], full: list[int]) -> None:
    """2.41: make a battery one of several sections, top first, with so many guns each now and on the counter."""
    for at, weapon in enumerate(weapons):
        unit.sections.append(Section(unit, at, weapon, guns[at], full[at]))
    settle(unit)


def settle(unit: Unit) -> None:
    """8.37: make a battery's strength, ammunition and weapon those of its sections.

    For estimates its weapon is the one that reaches farthest of those that can fire.
    """
    points: i64 = 0
    ammo: i64 = WITHOUT_AMMUNITION
    reach: i64 = -1
    for section in unit.sections:
        points += section.guns
        if section.guns == 0:
            continue
        ammo = min(ammo, section.ammo)
        if section.weapon.max_range > reach and section.ammo < WITHOUT_AMMUNITION:
            reach = section.weapon.max_range
            unit.weapon = section.weapon
    unit.strength = points
    unit.ammo = ammo if points > 0 else SUPPLIED


def resize(unit: Unit, strength: i64) -> None:
    """8.37: give a battery so many guns, shared among its sections by what their counters print, top first."""
    whole: i64 = 0
    for section in unit.sections:
        whole += section.full
    printed: i64 = 0
    given: i64 = 0
    for section in unit.sections:
        printed += section.full
        section.guns = (strength * printed + whole // 2) // whole - given
        given += section.guns
        section.full = max(section.full, section.guns)
    settle(unit)


def shed(unit: Unit, guns: i64) -> None:
    """8.37: take guns off a battery without a roll, each from the section that has most then, the lowest of equals."""
    for _ in range(guns):
        largest = unit.sections[0]
        for section in unit.sections:
            if section.guns >= largest.guns:
                largest = section
        largest.guns -= 1
    settle(unit)


def supply(unit: Unit) -> bool:
    """6.35, 8.37: make good all ammunition of a unit, that of each section of a battery too; whether any lacked."""
    lacking = unit.ammo > 0
    unit.ammo = 0
    for section in unit.sections:
        lacking = lacking or (section.guns > 0 and section.ammo > SUPPLIED)
        section.ammo = SUPPLIED
    if unit.sections:
        settle(unit)
    return lacking


def firers(unit: Unit) -> list[Part]:
    """2.41, 8.45, 10.65: what of a unit fires by itself: its sections that have guns, or else its parts."""
    if not unit.sections:
        return unit.parts
    found: list[Part] = []
    for section in unit.sections:
        if section.guns > 0:
            found.append(section)
    return found


def armament(parts: list[Part]) -> str:
    """10.65: the sections among those who fire together, by their types of gun: "N + R"; empty where none is."""
    codes = [part.weapon.code for part in parts if isinstance(part, Section)]
    return " + ".join(codes)


__all__ = [
    "SUPPLIED", "WITHOUT_AMMUNITION", "Section", "armament", "divide", "firers", "resize", "settle", "shed",
    "supply",
]
