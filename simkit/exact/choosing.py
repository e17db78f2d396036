"""A commander who decides one combat by a few choices made beforehand, and keeps nothing in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.rules.commander import Commander

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Part, Unit
    from simkit.rules.series import Series

NEVER: Final[i64] = 0
ALWAYS: Final[i64] = 1
IF_IT_PAYS: Final[i64] = 2
EVEN: Final[i64] = 500  # in thousandths


@mypyc_attr(allow_interpreted_subclasses=True)
class Choosing(Commander):
    """Answers by its attributes; whatever they leave open as the abstract Commander does.

    `continues` is NEVER, ALWAYS or IF_IT_PAYS: where some enemy next to the units gives them an even chance by the
    estimate. The others: whether its units give way before shock, fire in answer, fire rapidly and countercharge.
    """

    def __init__(self) -> None:
        super().__init__()
        self.continues: i64 = NEVER
        self.retreats = False
        self.fires = True
        self.rapid = False
        self.countercharges = False

    def retreat_before_shock(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Whether its units give way (11.33)."""
        return self.retreats

    def countercharge(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Whether its cavalry countercharges (11.56)."""
        return self.countercharges

    def rapid_fire(self, series: Series, unit: Unit, target: Hex) -> bool:
        """Whether its guns fire rapidly (10.68)."""
        return self.rapid

    def pre_shock_fire(self, series: Series, unit: Unit, targets: list[Hex]) -> i64:
        """At the first hex, or at none (10.43)."""
        return 0 if self.fires else -1

    def return_fire(self, series: Series, unit: Unit, target: Hex, most: i64) -> i64:
        """With all that it may, or nothing (10.42)."""
        return most if self.fires else 0

    def withdrawal_fire(self, series: Series, unit: Unit, target: Unit, most: i64) -> i64:
        """With all that it may, or nothing (10.44)."""
        return most if self.fires else 0

    def approach_fire(self, series: Series, unit: Unit, target: Unit, most: i64) -> i64:
        """With all that it may, or nothing (10.45)."""
        return most if self.fires else 0

    def part_return_fire(self, series: Series, part: Part, target: Hex, most: i64) -> i64:
        """As any unit (8.45)."""
        return most if self.fires else 0

    def continue_shock(self, series: Series, units: list[Unit], number: i64) -> bool:
        """Whether units that are free to continue the shock do (11.47)."""
        if self.continues != IF_IT_PAYS:
            return self.continues == ALWAYS
        first = units[0]
        places = [unit.hex for unit in units]
        for hexside in first.hex.sides:
            near = hexside.on_map and series.battle.held_by(hexside.to) == 1 - first.side
            if near and series.shock.estimate_from(units, places, False, hexside.to) >= EVEN:
                return True
        return False
