"""Exact sums of chances as whole numbers: a fraction is made of them when all is added, not for every branch."""

from __future__ import annotations

from fractions import Fraction
from math import lcm


class Sum:
    """A sum of chances, kept as one numerator for each denominator that was met, of which there are few."""

    def __init__(self) -> None:
        self.numerators: dict[int, int] = {}

    def add(self, numerator: int, denominator: int) -> None:
        """Add a chance."""
        self.numerators[denominator] = self.numerators.get(denominator, 0) + numerator

    def common(self) -> tuple[int, int]:
        """The sum as numerator and denominator, which are not reduced."""
        whole = 1
        for denominator in self.numerators:
            whole = lcm(whole, denominator)
        total = 0
        for denominator, numerator in self.numerators.items():
            total += numerator * (whole // denominator)
        return total, whole

    def value(self) -> Fraction:
        """The sum as a fraction in lowest terms."""
        return Fraction(*self.common())
