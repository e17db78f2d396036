"""What counters print: those of combat units and of leaders (2.21, 2.22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from simkit.model.charts import Weapon


class Counter:
    """What both sides of one counter of a combat unit print, in good order and disordered (2.21).

    Movement Allowances are in movement points.
    """

    def __init__(
        self, weapon: Weapon, cohesion: i64, cohesion_disordered: i64, movement: i64, movement_disordered: i64
    ) -> None:
        self.weapon = weapon
        self.cohesion = cohesion
        self.cohesion_disordered = cohesion_disordered
        self.movement = movement
        self.movement_disordered = movement_disordered


class Ratings:
    """What one side of a leader counter prints; what its level does not use is 0 (2.22, 4.1).

    `command_range` is in leader movement points; `profile` one of AGGRESSIVE to UNRELIABLE.
    """

    def __init__(
        self, name: str, command_range: i64, initiative: i64 = 0, efficiency: i64 = 0, coordination: i64 = 0,
        activation: i64 = 0, profile: i64 = 1, orders: i64 = 0,
    ) -> None:
        self.name = name
        self.command_range = command_range
        self.initiative = initiative
        self.efficiency = efficiency
        self.coordination = coordination
        self.activation = activation
        self.profile = profile
        self.orders = orders
