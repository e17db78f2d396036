"""How the heuristic commander fires batteries of several sections: together or apart, at one hex or two (10.65)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.aftermath import Aftermath
from simkit.commanders.doctrine import Doctrine
from simkit.commanders.objectives import Objective
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, MARCH, Part, Unit
from simkit.rules.batteries import MOST_TARGETS
from simkit.rules.commander import Aim
from simkit.rules.firemodifiers import PHASING

if TYPE_CHECKING:
    from simkit.rules.series import Series

MOST_MOVED: Final[i64] = 6  # hexes: a battery's move in an activation off the roads
MOST_RIDDEN: Final[i64] = 20  # hexes: farther than its move on a pike, at half a movement point a hex


@mypyc_attr(allow_interpreted_subclasses=True)
class Gunnery(Aftermath):
    """Answers, the choice of positions for guns, and the fire of sections."""

    def __init__(self, doctrine: Doctrine, objectives: list[Objective]) -> None:
        super().__init__(doctrine, objectives)
        self._marks: list[Hex] = []  # where the enemy stands at whom a battery may come to fire
        self._sighted: dict[int, bool] = {}  # hexes looked at, by index: whether one of those is in range and sight

    # -- positions (10.2) ------------------------------------------------------------------------------------------

    def survey(self, series: Series, unit: Unit) -> i64:
        """Note where enemies stand whom a battery could have in range after a move.

        Returns:
            what a position is worth more from which it has one in sight; 0 for whoever is no battery, or on the march.
        """
        if unit.kind != ARTILLERY or unit.orders == MARCH:
            return 0
        self._stay_on_this_bank(series, unit)
        self._sighted.clear()
        self._marks.clear()
        most = unit.weapon.max_range + MOST_MOVED
        for enemy in series.battle.of_side[1 - unit.side]:
            if enemy.counts() and enemy.hex.distance_to(unit.hex) <= most:
                top = series.battle.top_unit(enemy.hex)
                if top is enemy or (top is not None and top.hex is not enemy.hex):  # each hex is noted for one of many
                    self._marks.append(enemy.hex)
        return self.doctrine.field_of_fire

    def _stay_on_this_bank(self, series: Series, unit: Unit) -> None:
        """Shun the far ends of bridges and fords that lead guns towards an enemy whom they reach across the water.

        Where nobody is in their range beyond they cross.
        """
        field = self.field(series.battle)
        for water in series.battle.map.water_sides:
            if water.over == "":
                continue
            near = water.views[0].origin
            far = water.views[0].to
            if near.distance_to(unit.hex) > MOST_RIDDEN:
                continue
            if field.to_enemy(far) > field.to_enemy(near):
                near = far
                far = water.views[0].origin
            away = field.to_enemy(far)
            if away < field.to_enemy(near) and away <= unit.weapon.max_range and far is not unit.hex:
                if near.distance_to(unit.hex) <= far.distance_to(unit.hex):
                    field.shun(far)

    def has_targets(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Whether an enemy of the latest survey is in range and sight of a hex."""
        known = self._sighted.get(place.index)
        if known is not None:
            return known
        found = False
        for mark in self._marks:
            if mark.distance_to(place) <= unit.weapon.max_range and series.sight.clear(place, mark):
                found = True
                break
        self._sighted[place.index] = found
        return found

    # -- fire ------------------------------------------------------------------------------------------------------

    def fire_worth(self, series: Series, unit: Unit, target: Hex, away: i64, points: i64, drm: i64) -> i64:
        """What a fire of so many points at a hex so far away is worth; that of repeaters twice as much (14.3)."""
        field = self.field(series.battle)
        worth = field.shell.of(points, drm) if unit.weapon.shell(away) else field.small_arms.of(points, drm)
        if series.fire.repeats(unit):
            worth *= 2
        top = series.battle.top_unit(target)
        if top is not None and (top.disordered or (not top.collapsed and 2 * (top.strength - 1) < top.full)):
            worth = worth * self.doctrine.finish_off // 100
        return worth

    def fires_of_battery(self, series: Series, unit: Unit, most: i64) -> tuple[list[Aim], i64]:
        """10.65: all sections at the target worth most, or each at its own where these are no more than two."""
        best: list[Aim] = []
        best_worth: i64 = 0
        own: list[Hex] = []
        own_worth: list[i64] = []
        sections: list[Part] = []
        for target in series.fire.targets(unit, most):
            if unit.hex.distance_to(target) > most:
                continue
            able = series.batteries.sections_at(unit, target, PHASING)
            alone = self._each_alone(series, able, target, PHASING)
            fires, worth = self._at_one_hex(series, able, target, PHASING, alone)
            if worth > best_worth:
                best = fires
                best_worth = worth
            for at, section in enumerate(able):
                if section not in sections:
                    sections.append(section)
                    own.append(target)
                    own_worth.append(alone[at])
                elif alone[at] > own_worth[sections.index(section)]:
                    own[sections.index(section)] = target
                    own_worth[sections.index(section)] = alone[at]
        chosen: list[Hex] = []
        for target in own:
            if target not in chosen:
                chosen.append(target)
        if len(chosen) == MOST_TARGETS:
            apart: list[Aim] = []
            whole: i64 = 0
            for target in chosen:
                able = [section for at, section in enumerate(sections) if own[at] is target]
                fires, worth = self._at_one_hex(
                    series, able, target, PHASING, self._each_alone(series, able, target, PHASING)
                )
                apart.extend(fires)
                whole += worth
            if whole > best_worth:
                best = apart
                best_worth = whole
        return best, best_worth

    def section_fire(self, series: Series, unit: Unit, targets: list[Hex], mode: i64) -> list[Aim]:
        """All that can at the hex worth most, together or apart, rapidly where that is big enough (10.65, 10.68)."""
        best: list[Aim] = []
        best_worth: i64 = -1
        for target in targets:
            able = series.batteries.sections_at(unit, target, mode)
            fires, worth = self._at_one_hex(series, able, target, mode, self._each_alone(series, able, target, mode))
            if worth > best_worth:
                best = fires
                best_worth = worth
        for aim in best:
            if series.batteries.may_rapid(aim.parts, aim.targets[0], mode, True):
                aim.rapid = self.rapid_fire(series, unit, aim.targets[0])
        return best

    def _each_alone(self, series: Series, sections: list[Part], target: Hex, mode: i64) -> list[i64]:
        """What the fire of each of some sections by itself at a hex is worth."""
        return [self._worth(series, [section], target, mode) for section in sections]

    def _at_one_hex(
        self, series: Series, sections: list[Part], target: Hex, mode: i64, alone: list[i64]
    ) -> tuple[list[Aim], i64]:
        """10.63, 10.65: the fires of sections at a hex, together or each by itself, and what they are worth.

        `alone` says what each by itself is worth.
        """
        if len(sections) == 1:
            return [Aim(sections, [target])], alone[0]
        together = self._worth(series, sections, target, mode)
        apart: i64 = 0
        for worth in alone:
            apart += worth
        if apart <= together:
            return [Aim(sections, [target])], together
        return [Aim([section], [target]) for section in sections], apart

    def _worth(self, series: Series, parts: list[Part], target: Hex, mode: i64) -> i64:
        points: i64 = 0
        for part in parts:
            if mode == PHASING:
                points += series.fire.available_at(part, mode, target)
            else:
                points += series.batteries.most(part, target, mode)
        unit = parts[0].unit
        top = series.battle.top_unit(target)
        if top is None:
            return 0
        drm = series.fire.combined_modifier(parts, top.part_in(target), mode, True)
        return self.fire_worth(series, unit, target, unit.hex.distance_to(target), points, drm)


__all__ = ["Gunnery"]
