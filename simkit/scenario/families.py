"""Fire tables as families of thresholds: how a few numbers make a whole reconstructed table (docs/charts.md)."""

import math
from collections.abc import Sequence

from pydantic import Field

from simkit.scenario.reading import Table

LADDER = ("", "d", "d+2", "D")
"""Disorder by the number of thresholds reached."""


class Family(Table):
    """The numbers that a reconstructed fire table is made of.

    An entry of threshold T stands from the adjusted roll nearest to T - slope * log2(strength / reference).

    Attributes:
        reference: the strength at which the thresholds are the rolls themselves (strength points, guns).
        loss_slope, disorder_slope: by how many rolls an entry comes earlier for twice the strength.
        losses: the rolls for one step, two steps, ...
        disorder: the rolls for d, d+2 and D.
    """

    reference: float = Field(gt=0, le=40)
    loss_slope: float = Field(ge=0, le=10)
    losses: list[float] = Field(min_length=1, max_length=6)
    disorder_slope: float = Field(ge=0, le=10)
    disorder: list[float] = Field(min_length=3, max_length=3)

    def moved(self, losses: float, disorder: float) -> "Family":
        """The family whose entries of either kind come so many rolls later (negative: earlier)."""
        return self.model_copy(
            update={
                "losses": [roll + losses for roll in self.losses],
                "disorder": [roll + disorder for roll in self.disorder],
            }
        )

    def cell(self, strength: float, roll: int) -> str:
        """A cell in the printed notation, "-" for no effect."""
        losses = _reached(roll, strength / self.reference, self.losses, self.loss_slope)
        disorder = LADDER[_reached(roll, strength / self.reference, self.disorder, self.disorder_slope)]
        return f"{losses or ''}{disorder}" or "-"


def _reached(roll: int, share: float, thresholds: Sequence[float], slope: float) -> int:
    return sum(roll >= math.floor(threshold - slope * math.log2(share) + 0.5) for threshold in thresholds)
