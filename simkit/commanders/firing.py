"""At what the heuristic commander fires: the target worth most, for lines part by part or with several together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.gunnery import Gunnery
from simkit.model.battlemap import Hex
from simkit.model.firebook import NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import EXTENDED_LINE, Part, Unit
from simkit.rules.commander import Aim
from simkit.rules.firemodifiers import PHASING

if TYPE_CHECKING:
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Firing(Gunnery):
    """Answers, guns, and the choice of targets."""

    def best_fires(self, series: Series, unit: Unit, most: i64) -> tuple[list[Aim], i64]:
        """The fires within `most` hexes worth most that a unit could announce now, and their worth; empty if none.

        Worth is the loss expected, in hundredths of a strength point, more where it would break the target.
        """
        if not series.fire.may_fire(unit):
            return [], 0
        if unit.sections:
            return self.fires_of_battery(series, unit, most)
        if unit.extended == EXTENDED_LINE:
            return self._fires_of_line(series, unit, most)
        if unit.refused != 0:
            return self._fires_of_refused(series, unit, most)
        best = unit.hex
        best_worth: i64 = 0
        for target in series.fire.targets(unit):
            away = unit.hex.distance_to(target)
            if away > most:
                continue
            drm = series.fire.estimated_modifier(unit, target)
            worth = self.fire_worth(series, unit, target, away, series.stacking.firing_limit(unit), drm)
            if worth > best_worth:
                best = target
                best_worth = worth
        if best_worth == 0:
            return [], 0
        return [Aim([unit.parts[0]], [best])], best_worth

    def open_fire(self, series: Series, unit: Unit, fires: list[Aim]) -> None:
        """Announce fires that `best_fires` has chosen."""
        if unit.extended == EXTENDED_LINE or unit.sections:
            series.fire.phasing_parts(unit, fires)
        else:
            series.fire.phasing(unit, fires[0].targets, False)

    # -- refused units (7.34) --------------------------------------------------------------------------------------

    def _fires_of_refused(self, series: Series, unit: Unit, most: i64) -> tuple[list[Aim], i64]:
        """7.34: the best target in each front of a refused unit."""
        part = unit.parts[0]
        chosen: list[Hex] = []
        whole: i64 = 0
        for front in (NORMAL_FRONT, REFUSED_FRONT):
            best = part.hex
            best_worth: i64 = 0
            for target in series.fire.targets(unit):
                if part.hex.distance_to(target) <= most and series.fire.front_to(part, target) == front:
                    worth = self._parts_worth(series, [part], target)
                    if worth > best_worth:
                        best = target
                        best_worth = worth
            if best_worth > 0:
                chosen.append(best)
                whole += best_worth
        if not chosen:
            return [], 0
        return [Aim([part], chosen)], whole

    # -- lines (8.45) ----------------------------------------------------------------------------------------------

    def _fires_of_line(self, series: Series, unit: Unit, most: i64) -> tuple[list[Aim], i64]:
        """8.45: each part at its own best target, or all that can together at one and the rest at theirs."""
        parts: list[Part] = []
        bearing: list[list[Hex]] = []
        targets = series.fire.targets(unit)
        for part in unit.parts:
            mine: list[Hex] = []
            for target in targets:
                if part.hex.distance_to(target) <= most and part in series.fire.bearing(unit, target):
                    mine.append(target)
            if mine:
                parts.append(part)
                bearing.append(mine)
        own: list[Hex] = []
        for at, part in enumerate(parts):
            own.append(self._best_of(series, part, bearing[at]))
        best, best_worth = self._gathered(series, parts, own)
        for target in targets:
            nearest: i64 = most
            for at, part in enumerate(parts):
                if target in bearing[at]:
                    nearest = min(nearest, part.hex.distance_to(target))
            for farther in (True, False):  # the part farther off spoils the fire of the nearer one, or adds to it
                together: list[Hex] = []
                for at, part in enumerate(parts):
                    chosen = own[at]
                    if target in bearing[at]:
                        chosen = target if farther or part.hex.distance_to(target) == nearest else part.hex
                    together.append(chosen)
                fires, worth = self._gathered(series, parts, together)
                if worth > best_worth:
                    best = fires
                    best_worth = worth
        return best, best_worth

    def _best_of(self, series: Series, part: Part, targets: list[Hex]) -> Hex:
        best = targets[0]
        best_worth: i64 = -1
        for target in targets:
            worth = self._parts_worth(series, [part], target)
            if worth > best_worth:
                best = target
                best_worth = worth
        return best

    def _gathered(self, series: Series, parts: list[Part], targets: list[Hex]) -> tuple[list[Aim], i64]:
        """8.45: the fires of parts at a target each, together where it is the same; and what they are worth.

        A part whose target is its own hex does not fire.
        """
        fires: list[Aim] = []
        for at, part in enumerate(parts):
            if targets[at] is part.hex:
                continue
            joined = False
            for aim in fires:
                if aim.targets[0] is targets[at]:
                    aim.parts.append(part)
                    joined = True
            if not joined:
                fires.append(Aim([part], [targets[at]]))
        whole: i64 = 0
        for aim in fires:
            whole += self._parts_worth(series, aim.parts, aim.targets[0])
        return fires, whole

    def _parts_worth(self, series: Series, parts: list[Part], target: Hex) -> i64:
        points: i64 = 0
        for part in parts:
            points += series.fire.available_at(part, PHASING, target)
        drm = series.fire.estimated_together(parts, target)
        return self.fire_worth(series, parts[0].unit, target, parts[0].hex.distance_to(target), points, drm)
