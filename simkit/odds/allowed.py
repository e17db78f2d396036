"""What the rules allow of a situation: the shocks and the fire that it says, or a message why they can't be."""

from collections.abc import Sequence

from simkit.errors import InputError
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, Unit
from simkit.rules.commander import Designation
from simkit.rules.series import Series


def designate(
    series: Series, attackers: Sequence[Unit], targets: Sequence[Hex], charging: Sequence[Unit]
) -> tuple[Designation, ...]:
    """The shocks of the attackers: one for all who combine, for others one each (11.31, 11.32).

    Args:
        series: of the battle, in the shock phase of the attackers' brigade.
        attackers: all of them; guns among them do not shock.
        targets: the hexes that they attack.
        charging: the attackers of whom it is said that they charge.

    Raises:
        InputError: the rules forbid it.
    """
    shocking = [unit for unit in attackers if unit.kind != ARTILLERY]
    if not shocking:
        raise InputError("guns do not shock (11.12): name infantry or cavalry among the attackers")
    wishes = [
        Designation([unit], [place for place in series.shock.targets(unit) if place in targets]) for unit in shocking
    ]
    made = series.shock.complete(wishes)
    faults = [
        f"{unit.name} may not shock what lies before it (11.12)" for unit in shocking
        if not any(unit in designation.attackers for designation in made)
    ]
    faults.extend(series.shock.check(made, list(series.battle.active)))
    if faults:
        raise InputError(f"these units may not make this shock: {'; '.join(faults)}")
    for unit in charging:
        if not series.shock.charges(unit):
            raise InputError(
                f"{unit.name}: may not charge: infantry charges under Attack Orders with all above it (11.21), "
                "cavalry mounted and in good order of ground (11.5)"
            )
    return tuple(made)


def check_fire(series: Series, unit: Unit, target: Hex) -> None:
    """Nothing, if a unit may fire at a hex (10.12, 10.3).

    Raises:
        InputError: it may not.
    """
    fire = series.fire
    if not fire.may_fire(unit):
        raise InputError(f"{unit.name} may not fire (10.3): out of ammunition, or its orders or state forbid it")
    if target not in fire.targets(unit):
        raise InputError(
            f"{unit.name} can't fire at the target (10.12): {unit.weapon.name} reaches {unit.weapon.max_range} hexes, "
            "and nothing may block the sight"
        )
