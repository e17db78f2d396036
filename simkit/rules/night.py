"""Chapter 16.1, from dusk 'til dawn: what the light of a turn does to command, fire and what units may do."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import DAY, DUSK, NIGHT
from simkit.rules.chapter import Chapter
from simkit.rules.options import GRINGO

REACTION_RANGE: Final[i64] = 3  # hexes within which cavalry and guns move off before an enemy (9.63)
NIGHT_RANGE: Final[i64] = 1  # the same in a night turn (16.12)


@mypyc_attr(allow_interpreted_subclasses=True)
class Night(Chapter):
    """Dawn, dusk and night turns."""

    def light(self) -> i64:
        """2.43, 16.1: the light of the present turn: DAY, DAWN, DUSK or NIGHT."""
        return self.battle.turns[self.battle.turn].light

    def is_night(self) -> bool:
        """16.12: whether this is a night turn."""
        return self.light() == NIGHT

    def is_dark(self) -> bool:
        """16.11, 16.12: whether this is a dawn, dusk or night turn."""
        return self.light() != DAY

    def halved(self, points: i64) -> i64:
        """16.11, 16.12: a range in whole points or hexes, halved and rounded up in a dawn, dusk or night turn."""
        return (points + 1) // 2 if self.is_dark() else points

    def command_range(self, points: i64) -> i64:
        """16.11, 16.12: a Command Range in leader movement points, halved and rounded up unless it is day."""
        return self.halved(points)

    def fire_range(self, hexes: i64) -> i64:
        """16.11, 16.12 of Gringo!: a weapon's maximum range in hexes, halved there too; not in later editions."""
        return self.halved(hexes) if self.options.edition == GRINGO else hexes

    def fire_drm(self, distance: i64) -> i64:
        """10.81, 16.11, 16.12: DRM of a fire by the light: dawn and dusk beyond one hex, night by the hexes.

        Args:
            distance: hexes from firing unit to target.
        """
        light = self.light()
        if light == DAY or distance < 1:
            return 0
        if light == NIGHT:
            return self.charts.fire.night(distance)
        return self.charts.fire.dawn_dusk if distance > 1 else 0

    def no_prepared_fire(self) -> bool:
        """10.52, 16.12: whether nobody has Prepared Fire: at night."""
        return self.is_night()

    def batteries_alone(self) -> bool:
        """10.63, 16.12: whether each battery fires by itself, however they are stacked or commanded: at night."""
        return self.is_night()

    def no_charge(self) -> bool:
        """6.16, 11.5, 11.56, 16.12: whether mounted cavalry may neither charge nor countercharge: at night."""
        return self.is_night()

    def reaction_range(self) -> i64:
        """9.63, 16.12: hexes within which cavalry and guns may move off before an enemy; at night only if adjacent."""
        return NIGHT_RANGE if self.is_night() else REACTION_RANGE

    def stragglers_return(self) -> bool:
        """16.21: whether units in reserve recover stragglers at the end of this turn: at dusk and at night."""
        return self.light() in (DUSK, NIGHT)

    def attack_tires(self) -> bool:
        """16.12, 17.2: whether activations under Attack Orders bring fatigue but for harmless actions: at night."""
        return self.is_night()
