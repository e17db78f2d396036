"""Rule 9.55: artillery near the enemy, by either of its two options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_TERRAIN
from simkit.model.forces import ARTILLERY, BY_OTHER
from simkit.rules.dice import COHESION
from simkit.rules.movementcosts import GUN_DISTANCE
from simkit.rules.options import GRINGO
from simkit.rules.pathsearch import PathSearch

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit
    from simkit.rules.route import Route

VERY_CLOSE: Final[i64] = 2  # hexes from the enemy that add to the check of guns
VERY_CLOSE_DRM: Final[i64] = 2
MARGIN: Final[i64] = 2  # by how much a check may be failed without the loss of guns


@mypyc_attr(allow_interpreted_subclasses=True)
class CloseGuns(PathSearch):
    """Guns that move within three hexes of enemy units that can see them."""

    def guns_exposed(self, unit: Unit) -> bool:
        """9.55: whether guns that have moved stand within three hexes and sight of an enemy unit.

        Under option 1 they may then not fire in this activation: only guns that began it as close can stand so.
        """
        self._look_round(unit)
        return self._seen(unit.hex, GUN_DISTANCE)

    def _watchers(self, unit: Unit, place: Hex, within: i64) -> list[Hex]:
        """9.55 option 2: hexes of enemy units within so many hexes of a hex that see it past ground and their friends.

        One for each unit, for an extended one of each of its parts.
        """
        found: list[Hex] = []
        sight = self.series.sight
        if place.index < 0:
            return found  # beyond the edge of the map
        for enemy in self.battle.units:
            if enemy.side == unit.side or not enemy.counts():
                continue
            guns = enemy.kind == ARTILLERY
            for part in enemy.parts:
                here = part.hex
                if place.distance_to(here) > within:
                    continue
                if sight.clear(here, place) and not sight.hidden_by(enemy.side, here, place, guns):
                    found.append(here)
        return found

    def run_in_close(self, unit: Unit, start: Hex, origin: Hex) -> None:
        """9.55 option 2: the check of guns that have entered a hex within three of enemy units that see it.

        Guns that began the activation as close and only move away from all of them are exempt, and then do not fire.
        """
        if self.options.artillery_near_enemy != 2:
            return
        watchers = self._watchers(unit, unit.hex, GUN_DISTANCE)
        if not watchers:
            return
        if self._moves_off(unit, start, origin):
            unit.by_exception = True
            return
        self._check_under(unit, watchers)

    def end_in_close(self, unit: Unit, start: Hex) -> None:
        """9.55 option 2 as Gringo! has it: the check of guns that have ended a move within three hexes of such units.

        Guns that began the activation as close and end it farther from the nearest enemy are exempt, and then do not
        fire.
        """
        if self.options.artillery_near_enemy != 2 or unit.hex is start:
            return
        watchers = self._watchers(unit, unit.hex, GUN_DISTANCE)
        if not watchers:
            return
        farther = self.nearest_enemy(unit) > self.enemy_from(unit, start)
        if farther and not unit.fired and self._watchers(unit, start, GUN_DISTANCE):
            unit.by_exception = True
            return
        self._check_under(unit, watchers)

    def stop_in_close(self, way: Route) -> None:
        """9.55 option 2: in Gringo! guns that are under way check where they stop, if they have not been driven off."""
        if self.options.edition > GRINGO:
            return
        for unit in list(way.units):
            if unit.kind == ARTILLERY and unit.counts() and unit.hex is way.here():
                self.end_in_close(unit, way.hexes[0])

    def _check_under(self, unit: Unit, watchers: list[Hex]) -> None:
        """9.55 option 2: the check of guns: each unit that sees them adds one, any within two hexes two in all."""
        drm: i64 = len(watchers)
        if self._watchers(unit, unit.hex, VERY_CLOSE):
            drm += VERY_CLOSE_DRM
        drm += self.charts.command.leader_star * self.series.command.stars(unit)
        roll = self.series.dice.roll(COHESION, unit)
        margin = roll + drm - unit.cohesion()
        self.series.log.check(
            unit.side, unit.id, unit.hex.id, "guns near the enemy", unit.cohesion(), roll, roll + drm, margin <= 0
        )
        if margin > 0:
            self._driven_off(unit, margin)

    def _driven_off(self, unit: Unit, margin: i64) -> None:
        """9.55 option 2: guns that failed the check lose guns, are disordered, and retreat out of range or sight.

        Where they cannot get so far they stop rather than come back to a hex that they have fled.
        """
        lost: i64 = margin // 2 if margin > MARGIN else 0
        if unit.disordered:
            lost += 1
        else:
            self.series.results.disorder(unit, CAUSE_TERRAIN)
        if lost > 0:
            self.series.results.lose(unit, lost, BY_OTHER)
            self.series.results.settle()
        fled: list[Hex] = []
        while unit.counts() and unit.hex not in fled:
            watchers = self._watchers(unit, unit.hex, GUN_DISTANCE)
            if not watchers:
                return
            fled.append(unit.hex)
            self.series.retreat.retreat([unit], 1, 1, watchers, BY_OTHER)

    def _moves_off(self, unit: Unit, start: Hex, origin: Hex) -> bool:
        """9.55 option 2: whether a step leads away from all enemies in sight, in a move begun within three hexes."""
        if unit.fired or not self._watchers(unit, start, GUN_DISTANCE):
            return False
        for enemy in self.battle.units:
            if enemy.side == unit.side or not enemy.counts():
                continue
            for part in enemy.parts:
                before = origin.distance_to(part.hex)
                if unit.hex.distance_to(part.hex) <= before and self.series.sight.clear(part.hex, origin):
                    return False
        return True
