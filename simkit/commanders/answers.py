"""What the heuristic commander answers when a rule asks in the middle of an action (10.4, 11.33, 12.4, 12.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import Appraisal
from simkit.commanders.doctrine import Doctrine
from simkit.model.battlemap import Hex
from simkit.model.forces import ATTACK, Unit
from simkit.model.hexgrid import FRONT, zone
from simkit.rules.commander import Commander, Way

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.rules.series import Series

NO_WORTH: Final[i64] = -1000000


@mypyc_attr(allow_interpreted_subclasses=True)
class HeuristicAnswers(Commander):
    """Answers by a doctrine and by what the field shows; `objectives` are hex ids that its side wants, with weights."""

    def __init__(self, doctrine: Doctrine, objectives: list[tuple[str, int]]) -> None:
        super().__init__()
        self.doctrine = doctrine
        self.objectives = objectives
        self.fields: list[Appraisal] = []  # one, for the battle met last
        self.goals: list[Hex] = []
        self.weights: list[int] = []

    def field(self, battle: Battle) -> Appraisal:
        """The appraisal of this battle by this side, made when first met."""
        if not self.fields or self.fields[0].battle is not battle or self.fields[0].side != self.side:
            self.fields = [Appraisal(battle, self.side)]
            self.goals = [battle.map.named(ident) for ident, _ in self.objectives]
            self.weights = [weight for _, weight in self.objectives]
        return self.fields[0]

    def return_fire(self, series: Series, unit: Unit, target: Hex, most: i64) -> i64:
        """All, or half where the doctrine holds a reserve against a second enemy stack in front (10.15)."""
        if self.doctrine.reserve_fire == 0 or most < 4:
            return most
        facing: i64 = 0
        for side in unit.hex.nodes[unit.heading].ahead:
            if series.battle.held_by(side.to) == 1 - unit.side:
                facing += 1
        return (most + 1) // 2 if facing > 1 else most

    def rapid_fire(self, series: Series, unit: Unit, target: Hex) -> bool:
        """At two hexes and less, when the target is big enough to risk the ammunition."""
        if unit.hex.distance_to(target) > 2:
            return False
        points: i64 = 0
        for other in series.battle.units_in(target):
            points += other.strength
        return points >= self.doctrine.rapid_fire

    def pre_shock_fire(self, series: Series, unit: Unit, targets: list[Hex]) -> i64:
        """At the weakest attackers: most likely to be stopped."""
        best: i64 = 0
        least: i64 = 1000
        for at, place in enumerate(targets):
            points: i64 = 0
            for other in series.battle.units_in(place):
                points += other.cohesion() + other.strength
            if points < least:
                least = points
                best = at
        return best

    def retreat_before_shock(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """When the hex will more likely be lost than the doctrine allows; disordered units risk a check by going."""
        if self.doctrine.give_way > 1000 or units[0].disordered:
            return False
        return series.shock.estimate(attackers, units[0].hex) >= self.doctrine.give_way

    def retreat(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """Away from enemies, into cover, not through friends."""
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        field = self.field(series.battle)
        field.measure()
        for at, way in enumerate(ways):
            end = way.end()
            worth = 4 * min(field.to_enemy(end), 6) - 2 * end.terrain.fire_drm
            if series.battle.enemy_near(end, unit.side):
                worth -= 20
            for place in way.hexes:
                if place is not end:
                    worth -= 5 * len(place.stack)  # each must check (12.46)
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def advance_after_fire(self, series: Series, unit: Unit, vacated: Hex) -> bool:
        """When attacking, and the hex is not under several enemies' eyes."""
        if unit.orders != ATTACK or unit.disordered:
            return False
        facing: i64 = 0
        for side in vacated.sides:
            if series.battle.held_by(side.to) == 1 - unit.side:
                facing += 1
        return facing <= 1

    def advance_after_retreat(self, series: Series, unit: Unit, vacated: Hex) -> bool:
        """When attacking."""
        return unit.orders == ATTACK

    def heading_after(self, series: Series, unit: Unit, headings: list[int]) -> i64:
        """The heading with most enemies in front and fewest on the flanks."""
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        for at, heading in enumerate(headings):
            worth: i64 = 1 if heading == unit.heading else 0
            for side in unit.hex.sides:
                if side.to.stack and series.battle.held_by(side.to) == 1 - unit.side:
                    worth += 10 if zone(heading, side.direction) == FRONT else -10
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def continue_shock(self, series: Series, units: list[Unit], number: i64) -> bool:
        """While in good order enough, and less willingly each time."""
        points: i64 = 0
        for unit in units:
            points += unit.strength
        # success by half a chance at even strength, a tenth less for each continued shock (11.47)
        return points >= 4 and 600 - 100 * number >= self.doctrine.continue_chance
