"""At what the heuristic commander fires: the target worth most, for lines part by part or with several together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import FAR
from simkit.commanders.gunnery import Gunnery
from simkit.model.battlemap import Hex
from simkit.model.firebook import NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, EXTENDED_LINE, IN_ONE_HEX, Part, Unit
from simkit.rules.commander import Aim
from simkit.rules.firemodifiers import PHASING, RETURN

if TYPE_CHECKING:
    from simkit.rules.series import Series

LEAST_SPLIT: Final[i64] = 4  # strength points of which half can still hurt (10.15)
LEAST_FIRE: Final[i64] = 3  # hundredths of a strength point that a battery's fire must be worth
CLEARLY: Final[i64] = 150  # hundredths of the worth of its fire now for which a battery turns: not to swing to and fro
TURNS: Final = (1, 5, 2, 4, 3)  # vertices clockwise: first those one vertex away


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
        halves: list[Hex] = []  # the two targets worth most to half of the fire
        half_worths: list[i64] = []
        points = series.stacking.firing_limit(unit)
        for target in series.fire.targets(unit, most):
            away = unit.hex.distance_to(target)
            if away > most:
                continue
            drm = series.fire.estimated_modifier(unit, target)
            worth = self.fire_worth(series, unit, target, away, points, drm)
            if worth > best_worth:
                best = target
                best_worth = worth
            if points >= LEAST_SPLIT:
                _keep_two(halves, half_worths, target, self.fire_worth(series, unit, target, away, points // 2, drm))
        if best_worth == 0:
            return [], 0
        if len(halves) == 2 and half_worths[0] + half_worths[1] > best_worth and halves in series.fire.splits(unit):
            return [Aim([unit.parts[0]], halves)], half_worths[0] + half_worths[1]
        return [Aim([unit.parts[0]], [best])], best_worth

    def best_laying(self, series: Series, unit: Unit, worth: i64) -> tuple[i64, i64]:
        """To which heading a battery turns where it stands, to fire, and what its best fire is worth there (7.23).

        To a target clearly better than that of its fire now, of a `worth`; by one vertex, which is free, and by more,
        which counts as a move, only if it has nothing to fire at now (10.61). Nobody but guns turns with it, none of
        them such as would rather rally or fetch ammunition, and it turns from no enemy next to it.
        """
        for mate in series.facing.turning(unit):
            if mate.kind != ARTILLERY or (mate is not unit and (mate.disordered or mate.ammo > 0)):
                return unit.heading, worth
        plain = unit.extended == IN_ONE_HEX and unit.refused == 0
        seen = series.fire.within_sight(unit) if plain else []
        if plain and not seen:
            return unit.heading, worth
        faced = self._enemies_before(series, unit, unit.heading)
        best = unit.heading
        best_worth = max(worth * CLEARLY // 100, LEAST_FIRE - 1)
        for turn in TURNS:
            if turn == 2 and (worth >= LEAST_FIRE or best != unit.heading):
                break
            heading = (unit.heading + 2 * turn) % 12
            if plain and not self._covers_any(unit, heading, seen):
                continue  # nothing to fire at there
            if not series.facing.may_turn(unit, heading) or self._enemies_before(series, unit, heading) < faced:
                continue
            turned = self._worth_turned(series, unit, heading)
            if turned > best_worth:
                best = heading
                best_worth = turned
        return best, (worth if best == unit.heading else best_worth)

    def _covers_any(self, unit: Unit, heading: i64, places: list[Hex]) -> bool:
        """Whether a unit with a heading would have any of some hexes in its front."""
        for place in places:
            if self._covers(unit, heading, place):
                return True
        return False

    def _worth_turned(self, series: Series, unit: Unit, heading: i64) -> i64:
        """The worth of a battery's best fire once it has turned to a heading at its price: looked at, then undone."""
        cost = series.facing.price(unit, heading)
        before = unit.heading
        moved = unit.moved
        unit.spent += cost
        unit.moved = moved or cost > 0
        unit.heading = heading
        worth = self.best_fires(series, unit, FAR)[1]
        unit.heading = before
        unit.moved = moved
        unit.spent -= cost
        return worth

    def answers_worth(self, series: Series, unit: Unit, fires: list[Aim]) -> i64:
        """What the fire that answers some fires of a unit may cost it, in hundredths of a strength point (10.42)."""
        field = self.field(series.battle)
        struck: list[Hex] = []
        for aim in fires:
            for target in aim.targets:
                if target not in struck:
                    struck.append(target)
        own = fires[0].parts[0]
        places = list(struck)
        for around in [*struck, own.hex]:
            for side in around.sides:
                if side.to.stack and side.to not in places:
                    places.append(side.to)
        worth: i64 = 0
        for place in places:
            for part in place.stack:
                enemy = part.unit
                if enemy.side == unit.side or enemy.abandoned != 0 or not series.fire.may_return(part, own.hex, struck):
                    continue
                points = series.fire.available_at(part, RETURN, own.hex)
                drm = series.fire.part_modifier(part, own, RETURN, True)
                shell = enemy.weapon.shell(place.distance_to(own.hex))
                answer = field.shell.of(points, drm) if shell else field.small_arms.of(points, drm)
                worth += 2 * answer if series.fire.repeats(enemy) else answer
        return worth

    def open_fire(self, series: Series, unit: Unit, fires: list[Aim]) -> None:
        """Announce fires that `best_fires` has chosen, guns rapidly where that is worth their ammunition (10.68)."""
        if unit.sections:
            for aim in fires:
                rapid = series.batteries.may_rapid(aim.parts, aim.targets[0], PHASING, True)
                aim.rapid = rapid and self.rapid_fire(series, unit, aim.targets[0])
        if unit.extended == EXTENDED_LINE or unit.sections:
            series.fire.phasing_parts(unit, fires)
            return
        targets = fires[0].targets
        rapid = unit.kind == ARTILLERY
        for target in targets:
            rapid = rapid and series.fire.may_rapid(unit, target, PHASING, True)
            rapid = rapid and self.rapid_fire(series, unit, target)
        series.fire.phasing(unit, targets, rapid)

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


def _keep_two(places: list[Hex], worths: list[i64], place: Hex, worth: i64) -> None:
    """Keep a hex among the two worth most, the best first; of equals the earlier."""
    at = len(worths)
    while at > 0 and worths[at - 1] < worth:
        at -= 1
    places.insert(at, place)
    worths.insert(at, worth)
    if len(worths) > 2:
        places.pop()
        worths.pop()
