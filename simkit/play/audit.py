"""The audit of a battle: everything that is wrong with a state between activations, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simkit.model.fatigue import FATIGUE_0, FATIGUE_4, FATIGUES, NOT_FATIGUED
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    ELIMINATED,
    IN_ONE_HEX,
    MARCH,
    NOT_ENTERED,
    ON_MAP,
    PLACES,
    ROUTED,
    UNION,
    WITHDRAWN,
)
from simkit.play.formation_audit import audit_formation
from simkit.play.orders_audit import audit_orders
from simkit.play.works_audit import audit_works

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.fatigue import FatigueMarker
    from simkit.model.forces import Unit
    from simkit.model.leaders import Leader

# stacking limits under Advance and Attack Orders (8.12)
MOST_FOOT: Final[i64] = 15
MOST_MOUNTED: Final[i64] = 7
BATTERIES: Final[i64] = 2
GUNS: Final[i64] = 12
BATTERIES_WITH_OTHERS: Final[i64] = 1
GUNS_WITH_OTHERS: Final[i64] = 6
# levels of Fatigue that activations earn in a turn (17.23)
MOST_BY_ACTIVATIONS: Final[i64] = 2


def audit(battle: Battle) -> list[str]:
    """Why the state of a battle is illegal; empty if it is sound.

    For a state between brigade activations: in the middle of one a unit may stand where it can't stay.
    """
    faults: list[str] = []
    for unit in battle.units:
        _audit_place(battle, unit, faults)
        _audit_arrival(unit, faults)
        _audit_attachment(battle, unit, faults)
        _audit_books(unit, faults)
        _audit_sections(unit, faults)
        _audit_condition(unit, faults)
        if unit.place == ON_MAP:
            audit_formation(unit, faults)
    for place in battle.map.hexes:
        if place.stack:
            _audit_stack(place, faults)
    _audit_neighbours(battle, faults)
    audit_works(battle, faults)
    audit_orders(battle, faults)
    for entrance in battle.entrances:
        for gate in entrance.gates:
            if gate.stack or gate.leaders:
                faults.append(f"{entrance.hex.id}: somebody has stopped on the way in (9.71)")
    for marker in battle.fatigues:
        _audit_fatigue(marker, faults)
    for leader in battle.leaders:
        _audit_leader(battle, leader, faults)
    return faults


def _named(unit: Unit) -> str:
    return f"{unit.id} in {unit.hex.id}" if unit.hex.id else f"{unit.id}, {PLACES[unit.place]}"


def _audit_place(battle: Battle, unit: Unit, faults: list[str]) -> None:
    """Whether unit, parts and stacks agree on where a unit stands."""
    name = _named(unit)
    if unit.place < ON_MAP or unit.place > WITHDRAWN:
        faults.append(f"{unit.id}: place {unit.place} is none")
        return
    if (unit.place == ON_MAP) == (unit.hex is battle.map.off):
        faults.append(f"{name}: its place and its hex contradict each other")
    if unit.place == ROUTED and unit.kind == ARTILLERY:
        faults.append(f"{name}: guns are abandoned, they don't rout (12.53)")
    for part in unit.parts:
        if part.unit is not unit:
            faults.append(f"{name}: a part of it belongs to {part.unit.id}")
        found = 0
        for other in part.hex.stack:
            if other is part:
                found += 1
        if found != (0 if part.hex is battle.map.off else 1):
            faults.append(f"{name}: it stands {found} times in the stack of {part.hex.id}")
    if not unit.parts or unit.parts[0].hex is not unit.hex:
        faults.append(f"{name}: its first part stands elsewhere")


def _audit_arrival(unit: Unit, faults: list[str]) -> None:
    """Whether only reinforcements are still to enter, and only they wait to (9.71)."""
    if unit.place == NOT_ENTERED and unit.arrival is None:
        faults.append(f"{_named(unit)}: it belongs to no group of reinforcements (9.7)")
    if unit.waiting and unit.place != NOT_ENTERED:
        faults.append(f"{_named(unit)}: it waits to enter the map, but is {PLACES[unit.place]} (9.71)")


def _audit_attachment(battle: Battle, unit: Unit, faults: list[str]) -> None:
    """Whether a unit that acts with another command than its own may (4.32, 4.33)."""
    for index in (unit.attached, unit.placed_under):
        if index < 0:
            continue
        command = battle.commands[index]
        if unit.kind != ARTILLERY:
            faults.append(f"{_named(unit)}: only guns act with another command, here {command.code} (4.32, 4.33)")
        elif command.side != unit.side:
            faults.append(f"{_named(unit)}: it acts with the enemy's {command.code} (4.32, 4.33)")
    if unit.placed_under >= 0 and not battle.commands[unit.placed_under].artillery:
        faults.append(f"{_named(unit)}: it is placed under {battle.commands[unit.placed_under].code}, no guns (4.33)")


def _audit_books(unit: Unit, faults: list[str]) -> None:
    """Whether its strength is possible and its losses account for it (12.12, 12.13, 12.2)."""
    name = _named(unit)
    if unit.strength < 0 or unit.strength > unit.full:
        faults.append(f"{name}: strength {unit.strength} is not 0 to {unit.full} (12.12)")
    if unit.start + unit.recovered - unit.losses() != unit.strength:
        faults.append(
            f"{name}: {unit.start} at the start, {unit.recovered} recovered and {unit.losses()} lost do not make "
            f"{unit.strength}"
        )
    if (unit.strength == 0) != (unit.place == ELIMINATED):
        faults.append(f"{name}: it has {unit.strength} strength points (12.13)")


def _audit_sections(unit: Unit, faults: list[str]) -> None:
    """Whether the sections of a battery make it up (8.37, 10.69)."""
    name = _named(unit)
    if not unit.sections:
        return
    if unit.kind != ARTILLERY:
        faults.append(f"{name}: only a battery has sections (2.41)")
    guns = [section.guns for section in unit.sections]
    if sum(guns) != unit.strength or min(guns) < 0:
        faults.append(f"{name}: sections of {guns} guns do not make {unit.strength} (8.37)")
    for section in unit.sections:
        if section.guns > section.full:
            faults.append(f"{name}: {section.guns} guns {section.weapon.code}, its counter shows {section.full} (8.37)")
        if section.ammo < 0 or section.ammo > 2:
            faults.append(f"{name}: ammunition level {section.ammo} of {section.weapon.code} is impossible")
        if section.hex is not unit.hex or section.unit is not unit:
            faults.append(f"{name}: its section of {section.weapon.code} stands apart from it (8.37)")
    if unit.strength > 0 and unit.ammo != min(section.ammo for section in unit.sections if section.guns > 0):
        faults.append(f"{name}: its ammunition is not that of its best section (10.69)")
    if sorted(section.number for section in unit.sections) != list(range(len(unit.sections))):
        faults.append(f"{name}: a section is missing or there twice (8.37)")


def _audit_condition(unit: Unit, faults: list[str]) -> None:
    """Whether the states it is in go together (6.18, 7.11, 11.53, 12.23, 12.8)."""
    name = _named(unit)
    if unit.orders < MARCH or unit.orders > ATTACK:
        faults.append(f"{name}: orders {unit.orders} are none")
    if unit.heading < 0 or unit.heading > 11:
        faults.append(f"{name}: heading {unit.heading} is none")
    if unit.ammo < 0 or unit.ammo > 2 or (unit.ammo > 0 and unit.is_mounted()):
        faults.append(f"{name}: ammunition level {unit.ammo} is impossible")
    if unit.abandoned < 0 or unit.abandoned > 2 or (unit.abandoned > 0 and unit.kind != ARTILLERY):
        faults.append(f"{name}: an Abandoned {unit.abandoned} marker is impossible (12.8)")
    if unit.charge_marker and not (unit.charging and unit.kind == CAVALRY):
        faults.append(f"{name}: a Charge marker belongs on cavalry that charges (11.53)")
    if unit.countercharging and (unit.charge_marker or unit.kind != CAVALRY):
        faults.append(f"{name}: only defending cavalry countercharges (11.56)")
    if unit.place != ON_MAP:
        return
    if unit.kind == ARTILLERY and unit.orders == ATTACK:
        faults.append(f"{name}: artillery is never under Attack Orders (6.18)")
    if unit.abandoned == 0 and (unit.heading % 2 == 0) != (unit.orders == MARCH):
        faults.append(f"{name}: it must face a hexside in March Orders and a vertex in others (7.11)")
    below = unit.kind != ARTILLERY and 2 * unit.strength < unit.full
    if unit.collapsed and not (below and unit.disordered):
        faults.append(f"{name}: collapsed, but not both disordered and below half strength (12.23)")
    if below and unit.losses() > 0 and not unit.collapsed:
        faults.append(f"{name}: below half of {unit.full} strength points, but not collapsed (12.23)")
    if unit.blown and not (unit.is_mounted() and unit.disordered):
        faults.append(f"{name}: only disordered mounted cavalry is Blown (11.58)")
    _audit_counter(name, unit, faults)


def _audit_counter(name: str, unit: Unit, faults: list[str]) -> None:
    """Whether the counter in play is the one that its state asks for (14.21)."""
    if unit.mounted and unit.kind != CAVALRY:
        faults.append(f"{name}: only cavalry is mounted (14.21)")
    if len(unit.counters) == 1:
        if unit.kind == CAVALRY and not unit.mounted:
            faults.append(f"{name}: dismounted without a counter for it (14.21)")
        return
    counter = unit.counters[0 if unit.mounted else 1]
    if unit.weapon is not counter.weapon or unit.movement_good != counter.movement:
        faults.append(f"{name}: its weapon or movement is not that of its counter in play (14.21)")


def _audit_fatigue(marker: FatigueMarker, faults: list[str]) -> None:
    """Whether a Fatigue marker is one, tells of all that was earned, and lets its units act as they do (17.0)."""
    number = max(marker.level - FATIGUE_0, 0)
    if marker.level < NOT_FATIGUED or marker.level > FATIGUE_4:
        faults.append(f"{marker.id}: level {marker.level} is none (17.24)")
    elif 2 * marker.half not in (number, number + 1):
        faults.append(f"{marker.id}: half of level {FATIGUES[marker.level]} is not {marker.half} (17.31)")
    if marker.earned != 0:
        faults.append(f"{marker.id}: {marker.earned} levels earned are not on the marker (17.21)")
    if marker.by_activations > MOST_BY_ACTIVATIONS:
        faults.append(f"{marker.id}: activations earned {marker.by_activations} levels in a turn (17.23)")
    for unit in marker.units:
        if unit.kind == ARTILLERY or unit.fatigue is not marker:
            faults.append(f"{_named(unit)}: it does not share {marker.id} (17.1)")
        if marker.level == FATIGUE_4 and unit.counts() and unit.orders != ADVANCE:
            faults.append(f"{_named(unit)}: at Fatigue Level 4 it must be under Advance Orders (17.32)")


def _audit_stack(place: Hex, faults: list[str]) -> None:
    """Whether the units of a hex may stand together (8.12) and face one way (7.11)."""
    units = [part.unit for part in place.stack if part.unit.abandoned == 0]
    strays = [part for part in place.stack if part.hex is not place]
    faults.extend([f"{place.id}: {part.unit.id} is in its stack, but stands in {part.hex.id}" for part in strays])
    if len(units) < 2:
        return
    first = units[0]
    foot: i64 = 0
    batteries: i64 = 0
    guns: i64 = 0
    others: i64 = 0
    mounted = False
    extended = False
    for unit in units:
        if unit.side != first.side:
            faults.append(f"{place.id}: units of both sides stand in it")
            return
        if unit.kind == ARTILLERY:
            batteries += 1
            guns += unit.strength
        else:
            others += 1
            extended = extended or unit.extended != IN_ONE_HEX
            foot += unit.strength
            mounted = mounted or unit.is_mounted()
    if others > 1 and extended:
        faults.append(f"{place.id}: an extended unit stands in it with another that is no battery (8.44, 8.5)")
    if others > 1 and foot > (MOST_MOUNTED if mounted else MOST_FOOT):
        faults.append(f"{place.id}: {foot} SP of {'cavalry' if mounted else 'infantry'} stand in it (8.12)")
    _audit_one_way(place, [unit for unit in units if unit.orders == MARCH], faults)
    _audit_one_way(place, [unit for unit in units if unit.orders != MARCH], faults)
    _audit_one_brigade(place, units, faults)
    if others > 0 and batteries > BATTERIES_WITH_OTHERS and guns > GUNS_WITH_OTHERS:
        faults.append(f"{place.id}: {batteries} batteries stand with other units (8.12)")
    if others == 0 and batteries > BATTERIES and guns > GUNS:
        faults.append(f"{place.id}: {batteries} batteries with {guns} guns stand in it (8.12)")


def _audit_one_way(place: Hex, units: list[Unit], faults: list[str]) -> None:
    """Whether those who march, or those who don't, face and are refused alike: 8.25 leaves the ones with the others."""
    for unit in units[1:]:
        first = units[0]
        if first.refused != unit.refused and IN_ONE_HEX == first.extended == unit.extended:
            faults.append(f"{place.id}: {unit.id} and {first.id} are not refused alike (7.32)")
        if unit.heading != first.heading:
            faults.append(f"{place.id}: {unit.id} and {first.id} face different ways (7.11)")


def _audit_one_brigade(place: Hex, units: list[Unit], faults: list[str]) -> None:
    code = ""
    for unit in units:
        if unit.kind != ARTILLERY:
            if code not in ("", unit.command.code):
                faults.append(f"{place.id}: units of {code} and {unit.command.code} stand together (8.12)")
                return
            code = unit.command.code


def _audit_neighbours(battle: Battle, faults: list[str]) -> None:
    """Whether the hexes' counts of combat units around them are right."""
    for place in battle.map.hexes:
        top = battle.top_unit(place)
        if place.holder != (-1 if top is None else top.side):
            faults.append(f"{place.id}: it counts as held by {place.holder}")
        union: i64 = 0
        confederate: i64 = 0
        union_line: i64 = 0
        confederate_line: i64 = 0
        for side in place.sides:
            if not side.on_map:
                continue
            for part in side.to.stack:
                if part.unit.abandoned == 0:
                    line: i64 = 0 if part.unit.kind == ARTILLERY else 1
                    if part.unit.side == UNION:
                        union += 1
                        union_line += line
                    else:
                        confederate += 1
                        confederate_line += line
        if (
            place.union_near != union or place.confederate_near != confederate
            or place.union_line_near != union_line or place.confederate_line_near != confederate_line
        ):
            faults.append(
                f"{place.id}: it counts {place.union_near} Union and {place.confederate_near} Confederate units around "
                f"it; there are {union} and {confederate}"
            )


def _audit_leader(battle: Battle, leader: Leader, faults: list[str]) -> None:
    """Whether a leader stands where he may (12.7)."""
    place = leader.hex
    if leader.in_play() == (place is battle.map.off):
        faults.append(f"{leader.id}: his place and his hex contradict each other")
        return
    if not leader.in_play():
        return
    found = 0
    for other in place.leaders:
        if other is leader:
            found += 1
    if found != 1:
        faults.append(f"{leader.id}: he stands {found} times in {place.id}")
    holder = battle.held_by(place)
    if holder == 1 - leader.side:
        faults.append(f"{leader.id}: he stands among the enemy in {place.id}")
    elif holder < 0 and battle.enemy_near(place, leader.side):
        faults.append(f"{leader.id}: he is alone beside the enemy in {place.id} (12.73)")
    if leader.casualty and not leader.replaced:
        faults.append(f"{leader.id}: he has fallen, but is in play unreplaced (12.74)")
