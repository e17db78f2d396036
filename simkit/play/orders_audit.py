"""The audit of orders, reserve and effectiveness: states between activations that chapters 6 and 13 rule out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simkit.model.battle import PHASE_EFFECTIVENESS
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, BRIGADE, MARCH, ON_MAP, ROUTED
from simkit.rules.efficiency import MOST_INEFFECTIVE

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Command, Unit


def audit_orders(battle: Battle, faults: list[str]) -> None:
    """6.1, 6.3, 13.2, 13.3: add what is wrong with commands, and with their units as parts of them."""
    for command in battle.commands:
        if command.orders < MARCH or command.orders > ATTACK:
            faults.append(f"{command.code}: orders {command.orders} are none (6.11)")
        if command.in_reserve:
            _audit_reserve(command, faults)
        if command.ineffective:
            _audit_ineffective(battle, command, faults)
    for division in battle.divisions:
        if not _has_other_brigades(battle, division):
            _audit_division(division, faults)
    for unit in battle.units:
        _audit_unit(unit, faults)


def _audit_reserve(command: Command, faults: list[str]) -> None:
    """6.32, 6.33: whether a command in reserve has done nothing, and there is somebody to be in it."""
    name = f"{command.code} in reserve"
    if command.activations > 0:
        faults.append(f"{name}: it has been activated {command.activations} times this turn (6.32)")
    if not command.units:
        faults.append(f"{name}: it has no units (6.31)")
    for unit in command.units:
        if not unit.counts():
            continue
        if unit.building:
            faults.append(f"{name}: {unit.id} builds breastworks (6.32)")
        if unit.active or unit.activations > 0 or unit.marched:
            faults.append(f"{name}: {unit.id} has been activated (6.32)")
        if unit.shock_target:
            faults.append(f"{name}: {unit.id} has been shocked, which ends its reserve (6.34)")


def _may_be_ineffective(command: Command) -> bool:
    return command.is_led_brigade() and not command.is_of_guns()


def _audit_ineffective(battle: Battle, command: Command, faults: list[str]) -> None:
    """13.23, 13.24: whether a Combat Ineffective brigade may be so, and has acted twice at most.

    Its batteries that act with another command this turn have that one's markers (4.32, 4.33).
    Once the check at the end of the turn has begun it may be what the turn has made of it (13.22).
    """
    if command.level == BRIGADE:
        if not _may_be_ineffective(command):
            faults.append(f"{command.code}: Combat Ineffective, but of guns alone or without a brigadier (13.24)")
        if battle.phase >= PHASE_EFFECTIVENESS:
            return
        for unit in command.units:
            if unit.attached < 0 and unit.activations > MOST_INEFFECTIVE:
                faults.append(f"{unit.id}: in a Combat Ineffective brigade, but acted {unit.activations} times (13.23)")


def _has_other_brigades(battle: Battle, division: Command) -> bool:
    """Whether brigades came or went this turn (8.0 of Dead of Winter): its marker waits for the next check (13.33)."""
    if battle.course.dissolved[division.side] != battle.turn + 1:
        return False
    return any(division in (each.own, each.other) for each in battle.course.arranged)


def _audit_division(division: Command, faults: list[str]) -> None:
    """13.31, 13.32, 13.33: whether a division's effectiveness is that of its brigades, and its markers follow it."""
    brigades: i64 = 0
    spent: i64 = 0
    for brigade in division.subordinates:
        if _may_be_ineffective(brigade):
            brigades += 1
            if brigade.ineffective:
                spent += 1
    if division.ineffective and 2 * (brigades - spent) > brigades:
        faults.append(f"{division.code}: Combat Ineffective, but only {spent} of {brigades} brigades are (13.33)")
    if not division.ineffective and 2 * spent > brigades:
        faults.append(f"{division.code}: {spent} of {brigades} brigades are Combat Ineffective, it is not (13.31)")


def _audit_unit(unit: Unit, faults: list[str]) -> None:
    """6.13, 6.24, 11.58, 13.1, 13.4: whether a unit's orders, its bonds, its last actions and its rout agree."""
    name = f"{unit.id} in {unit.hex.id}" if unit.hex.id else unit.id
    if unit.forced < 0 or unit.forced > 1:
        faults.append(f"{name}: a loose cannon that is over still binds it (6.24)")
    if unit.place == ROUTED and (unit.building or unit.blown or unit.abandoned > 0):
        faults.append(f"{name}: routed, but marked as on the map (13.1)")
    if unit.place != ON_MAP:
        return
    if unit.blown and unit.orders != ADVANCE:
        faults.append(f"{name}: Blown cavalry is under Advance Orders (11.58)")
    if unit.collapsed and unit.rallied and not unit.disordered:
        faults.append(f"{name}: who is Collapsed does not rally (12.23, 13.4)")
    if unit.rallied and (unit.moved or unit.shocked or (unit.fired and unit.kind != ARTILLERY)):
        faults.append(f"{name}: it has rallied and done something else in one activation (13.4)")
    if unit.orders == MARCH and unit.shocked:
        faults.append(f"{name}: it has shocked on the march (6.13)")
    if unit.orders == MARCH and unit.building:
        faults.append(f"{name}: it builds on the march (6.13)")
