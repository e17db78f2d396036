"""The audit of breastworks: whether markers, hexes, hexsides and builders agree (15.1, 15.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simkit.model.breastworks import MOST_IN_HEX, covered
from simkit.model.forces import ADVANCE
from simkit.model.hexgrid import opposite

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex


def audit_works(battle: Battle, faults: list[str]) -> None:
    """15.1, 15.2: add what is wrong with the breastworks of a battle, standing and under construction."""
    works = battle.works
    for place in works.hexes:
        _audit_hex(battle, place, faults)
    for unit in battle.units:
        if unit.building != (len(works.sites_of(unit)) > 0):
            faults.append(f"{unit.id} in {unit.hex.id}: it is marked as building or not against its markers (15.13)")
    for site in works.sites:
        name = f"{site.unit.id} builds in {site.hex.id}"
        if not site.unit.stands_in(site.hex) or not site.unit.counts():
            faults.append(f"{name}, but does not stand there (15.14)")
        elif site.unit.orders != ADVANCE or not site.unit.on_foot():
            faults.append(f"{name}, but not on foot under Advance Orders (15.11)")
        elif site.unit.heading // 2 != site.vertex:
            faults.append(f"{name}, but does not face what it builds (15.13)")
        if site.due < battle.turn:
            faults.append(f"{name}; that should have been done in turn {site.due + 1} (15.13)")
        there: i64 = 0
        for other in works.sites:
            if other.hex is site.hex:
                there += 1
        if there > 1 or len(site.hex.works) >= MOST_IN_HEX:
            faults.append(f"{name}, but there is no room for it (15.12)")


def _audit_hex(battle: Battle, place: Hex, faults: list[str]) -> None:
    walls: i64 = 0
    for vertex in place.works:
        walls |= covered(vertex)
    if not place.works or len(place.works) > MOST_IN_HEX or place.works.count(place.works[0]) > 1:
        faults.append(f"{place.id}: {len(place.works)} breastworks stand in it; there can be one or two (15.12)")
    if place.walls != walls:
        faults.append(f"{place.id}: its breastworks do not cover the hexsides that they face (15.21)")
    for side in place.sides:
        if not side.on_map:
            continue
        back = side.to.sides[opposite(side.direction)]
        here = place.walls & (1 << side.direction) != 0 or side.to.walls & (1 << back.direction) != 0
        if here != (len(side.walls) > 0) or here != (len(back.walls) > 0):
            faults.append(f"{place.id}: crossing to {side.to.id} does not cost what its breastworks demand (15.22)")
