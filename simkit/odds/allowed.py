"""What the rules allow of a situation: the shocks and the fire that it says, or a message why they can't be."""

import re
from collections.abc import Sequence

from simkit.errors import InputError
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, MARCH, ORDERS, Unit
from simkit.odds.forces import Forces
from simkit.odds.words import DOWN
from simkit.rules.commander import Designation
from simkit.rules.series import Series

HEX_ID = re.compile(r"\bA\d{4}\b")


def check_stacks(series: Series, forces: Forces) -> None:
    """Nothing, if all who share a hex may (8.12): one unit may have any strength, a march begins as it stood (8.25).

    Raises:
        InputError: some may not.
    """
    for unit in forces.fighters:
        mates = series.battle.units_in(unit.hex)
        if all(mate.orders == MARCH for mate in mates):
            continue
        if len(mates) > 1 and not series.stacking.may_end(unit, unit.hex):
            names = " and ".join(mate.name for mate in mates)
            raise _wrong(
                forces, mates[1], f"{names} may not stack (8.12): units of one brigade may, up to 15 points on foot or "
                "7 mounted, with one battery or 6 guns; guns alone up to two batteries or 12 guns; March Orders do not "
                'mix with others; "|" puts a unit into another hex',
            )  # fmt: skip


def designate(
    series: Series, forces: Forces, attackers: Sequence[Unit], targets: Sequence[Hex]
) -> tuple[Designation, ...]:
    """The shocks of the attackers: one for all who combine, for others one each (11.31, 11.32).

    Args:
        series: of the battle, in the shock phase of the attackers' brigades.
        forces: what is said of its units.
        attackers: all of them; guns among them do not shock.
        targets: the hexes that they attack.

    Raises:
        InputError: the rules forbid it.
    """
    shocking = [unit for unit in attackers if unit.kind != ARTILLERY]
    if not shocking:
        raise _wrong(forces, attackers[0], "guns do not shock (11.61): name infantry or cavalry among the attackers")
    for unit in shocking:
        if not series.shock.may_shock(unit):
            raise _may_not(series, forces, unit)
    wishes = [
        Designation([unit], [place for place in series.shock.targets(unit) if place in targets]) for unit in shocking
    ]
    made = series.shock.complete(wishes)
    for unit in shocking:
        if not any(unit in designation.attackers for designation in made):
            raise _wrong(forces, unit, f"{unit.name} may not shock what lies before it (11.12)")
    faults = series.shock.check(made, list(series.battle.active))
    if faults:
        names = {place.id: f"defending hex {number}" for number, place in enumerate(targets, 1)}
        for unit in attackers:
            names[unit.hex.id] = f"attacking hex {unit.name.split()[-1].partition('.')[0]}"
        told = HEX_ID.sub(lambda found: names.get(found[0], found[0]), "; ".join(faults))
        raise forces.situation.wrong(f"these units may not make this shock: {told}")
    for unit in shocking:
        if "charge" in forces.fighters[unit].words and not series.shock.charges(unit):
            raise _may_not_charge(forces, unit)
    return tuple(made)


def check_fire(series: Series, forces: Forces, unit: Unit, target: Hex) -> None:
    """Nothing, if a unit may fire at a hex (10.12, 10.3).

    Raises:
        InputError: it may not.
    """
    fire = series.fire
    if not fire.may_fire(unit):
        raise _may_not_fire(forces, unit)
    if target not in fire.targets(unit):
        reach = max([section.weapon.max_range for section in unit.sections], default=unit.weapon.max_range)
        what = f"{unit.name} can't fire at the target (10.12): "
        if forces.situation.range > reach:
            raise forces.situation.wrong(
                f"{what}its {unit.weapon.name} reaches {reach} hex{'es' if reach > 1 else ''}", None,
                f"range={forces.situation.range}",
            )  # fmt: skip
        raise _wrong(forces, unit, f"{what}what stands or lies between them blocks its sight (10.2)")


def _wrong(forces: Forces, unit: Unit, what: str, word: str = "") -> InputError:
    return forces.situation.wrong(what, forces.fighters[unit], word)


def _may_not(series: Series, forces: Forces, unit: Unit) -> InputError:
    """Why a unit may not shock at all."""
    words = forces.fighters[unit].words
    if unit.orders == MARCH:
        return _wrong(
            forces, unit, f'{unit.name}: no unit under March Orders may shock (6.13, 11.12); "advance" or "attack" '
            "could stand here", "march",
        )  # fmt: skip
    ahead = [side for side in unit.hex.nodes[unit.heading].ahead if series.battle.held_by(side.to) == 1 - unit.side]
    if not ahead:
        return _wrong(forces, unit, f"{unit.name} faces no enemy (11.12)")
    barred = [feature.name for side in ahead for feature in side.features]
    for owner, fighter in forces.fighters.items():
        for word in fighter.words:
            if word.removesuffix(DOWN) in barred:
                return _wrong(
                    forces, owner, f'{unit.name} may not shock across "{word}": nobody may cross it (11.12)', word
                )
    return _wrong(forces, unit, f"{unit.name} may not shock (11.12){': ' if words else ''}{', '.join(words)}")


def _may_not_charge(forces: Forces, unit: Unit) -> InputError:
    if unit.is_mounted():
        what = "mounted cavalry charges under Attack Orders over ground that lets it (11.52, 11.54)"
    elif unit.kind == ARTILLERY:
        what = "guns do not charge"
    else:
        what = "infantry charges under Attack Orders, and if all who are stacked above it charge too (11.21)"
    return _wrong(forces, unit, f"{unit.name}, under {ORDERS[unit.orders]} Orders, may not charge: {what}", "charge")


def _may_not_fire(forces: Forces, unit: Unit) -> InputError:
    words = forces.fighters[unit].words
    for word, reason in (
        ("empty", "out of ammunition (10.69)"), ("march", "under March Orders (6.13)"),
        ("moved", "said to have moved, which its orders or its guns do not allow before fire (6.15, 10.3)"),
        ("blown", "blown (11.58)"), ("disordered", "a disordered battery (10.61)"),
        ("mounted", "mounted, with a weapon that is fired on foot (14.24)"),
    ):  # fmt: skip
        if word in words:
            return _wrong(forces, unit, f"{unit.name} may not fire (10.3): it is {reason}", word)
    return _wrong(forces, unit, f"{unit.name} may not fire (10.3)")


