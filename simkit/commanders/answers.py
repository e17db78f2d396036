"""What the heuristic commander answers when a rule asks in the middle of an action (9.6, 10.4, 11.33, 12.4, 12.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import FAR, Appraisal
from simkit.commanders.doctrine import Doctrine
from simkit.commanders.objectives import Objective
from simkit.model.battle import PHASE_SHOCK
from simkit.model.battlemap import Hex
from simkit.model.charts import FOOT
from simkit.model.forces import ARTILLERY, ATTACK, REFUSED_LEFT, REFUSED_RIGHT, Command, Part, Unit
from simkit.model.formation import frontal, left_flank, right_flank
from simkit.model.hexgrid import FRONT, line, zone
from simkit.rules.commander import Commander, LineAdvance, Way
from simkit.rules.firemodifiers import RETURN

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.rules.series import Series

NO_WORTH: Final[i64] = -1000000
# Cohesion Ratings from which a check is risked: by a unit in good order, and by a disordered one that might rout
LIKELY: Final[i64] = 5
SURE: Final[i64] = 7
NEXT_BUT_ONE: Final[i64] = 2  # hexes at which a charge threatens
THROUGH: Final[i64] = 12  # a friend who must check (12.46) weighs up three hexes farther from the enemy
ROUND: Final[i64] = 3  # hexes more of a way round water by which who is close comes at once: a charge of three MPs


@mypyc_attr(allow_interpreted_subclasses=True)
class HeuristicAnswers(Commander):
    """Answers by a doctrine and by what the field shows; `objectives` are what its side wants."""

    def __init__(self, doctrine: Doctrine, objectives: list[Objective]) -> None:
        super().__init__()
        self.doctrine = doctrine
        self.objectives = objectives
        self.fields: list[Appraisal] = []  # one, for the battle met last
        self.goals: list[Hex] = []  # the objectives' hexes

    def field(self, battle: Battle) -> Appraisal:
        """The appraisal of this battle by this side, made when first met."""
        if not self.fields or self.fields[0].battle is not battle or self.fields[0].side != self.side:
            self.fields = [Appraisal(battle, self.side, self.doctrine)]
            self.goals = [battle.map.named(objective.place) for objective in self.objectives]
        return self.fields[0]

    def return_fire(self, series: Series, unit: Unit, target: Hex, most: i64) -> i64:
        """All, or half where the doctrine holds a reserve against a second enemy stack in front (10.15)."""
        if self.doctrine.reserve_fire == 0 or most < 4:
            return most
        facing: list[Hex] = []
        for part in unit.parts:
            for side in frontal(part):
                if series.battle.held_by(side.to) == 1 - unit.side and side.to not in facing:
                    facing.append(side.to)
        return (most + 1) // 2 if len(facing) > 1 else most

    def part_return_fire(self, series: Series, part: Part, target: Hex, most: i64) -> i64:
        """Nothing where a nearer part answers too: joined to its fire this one would spoil it (8.45)."""
        away = part.hex.distance_to(target)
        for other in part.unit.parts:
            if other.hex.distance_to(target) < away and series.fire.part_bears(other, target, RETURN):
                return 0
        return self.return_fire(series, part.unit, target, most)

    def rapid_fire(self, series: Series, unit: Unit, target: Hex) -> bool:
        """At two hexes and less, if the target is big enough to risk the ammunition; the last of it only beside him."""
        if unit.hex.distance_to(target) > (2 if unit.ammo == 0 else 1):
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
                points += other.steadiness() + other.strength
            if points < least:
                least = points
                best = at
        return best

    def retreat_before_shock(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """When the hex will more likely be lost than the doctrine allows; disordered units risk a check by going."""
        if self.doctrine.give_way > 1000 or units[0].disordered:
            return False
        return series.shock.estimate(attackers, units[0].hex) >= self.doctrine.give_way

    def rest(self, series: Series, command: Command, units: list[Unit]) -> bool:
        """When Fatigue tells, and most of the brigade is in order."""
        whole: i64 = 0
        for unit in command.units:
            if unit.counts() and unit.kind != ARTILLERY:
                whole += 1
        return max(command.fatigue.half, units[0].fatigue.half) > 0 and 2 * len(units) < whole

    # -- reactions (9.6) -------------------------------------------------------------------------------------------

    def reaction_facing(self, series: Series, unit: Unit, enemy: Unit, headings: list[int]) -> i64:
        """Towards an enemy beside its front, if that leaves no other out of it and the check is worth the risk.

        Guns, who do not check, turn to one farther off as well.
        """
        away = unit.hex.distance_to(enemy.hex)
        if (away > 1 and unit.kind != ARTILLERY) or not self.dares_check(series, unit):
            return -1
        best: i64 = -1
        most = self._enemies_before(series, unit, unit.heading)
        for at, heading in enumerate(headings):
            faced = self._enemies_before(series, unit, heading)
            if away > 1 and self._covers(unit, heading, enemy.hex):
                faced += 1
            if faced > most:
                best = at
                most = faced
        return best

    def reaction_refusal(self, series: Series, unit: Unit, enemy: Unit, sides: list[int]) -> i64:
        """Against an enemy on that flank, if the hex has fire to spare for it and the check is worth the risk."""
        points: i64 = 0
        for mate in series.battle.units_in(unit.hex):
            points += mate.strength
        if points < self.doctrine.fragile or points < 2 or not self.dares_check(series, unit):
            return -1
        for at, side in enumerate(sides):
            if side in (REFUSED_LEFT, REFUSED_RIGHT):
                part = series.refusal.end(unit, side)
                flank = left_flank(part.heading()) if side == REFUSED_LEFT else right_flank(part.heading())
                if series.battle.held_by(part.hex.sides[flank].to) == 1 - unit.side:
                    return at
        return -1

    def dares_check(self, series: Series, unit: Unit) -> bool:
        """Whether those of a stack who must check are likely enough to pass; disordered ones would risk a rout."""
        for mate in series.battle.units_in(unit.hex):
            if mate.kind != ARTILLERY and mate.steadiness() < (SURE if mate.disordered else LIKELY):
                return False
        return True

    def _enemies_before(self, series: Series, unit: Unit, heading: i64) -> i64:
        faced: i64 = 0
        for side in unit.hex.nodes[heading].ahead:
            if series.battle.held_by(side.to) == 1 - unit.side:
                faced += 1
        return faced

    def _covers(self, unit: Unit, heading: i64, place: Hex) -> bool:
        exits = line(place.q - unit.hex.q, place.r - unit.hex.r).exits
        for direction in range(6):
            if exits & (1 << direction) != 0 and zone(heading, direction) == FRONT:
                return True
        return False

    def reaction_move(self, series: Series, unit: Unit, enemy: Unit, place: Hex) -> bool:
        """Off, before a charge that it can't stop: guns alone that do not bear on it, cavalry that it outweighs."""
        away = unit.hex.distance_to(place)
        if enemy.kind == ARTILLERY or enemy.orders != ATTACK or enemy.disordered or away > NEXT_BUT_ONE:
            return False
        if unit.kind == ARTILLERY:
            if self._supported(series, unit) or not self.comes_at(series, place, unit.hex):
                return False
            return not series.fire.able(unit) or not series.facing.in_arc(unit, place)
        if away > 1 or (not unit.disordered and unit.steadiness() < LIKELY):
            return False
        return unit.strength < enemy.strength or not series.facing.in_arc(unit, place)

    def _supported(self, series: Series, unit: Unit) -> bool:
        """Whether infantry or cavalry in good order stands with guns or next to them."""
        for other in series.battle.units:
            if other.side == unit.side and other.kind != ARTILLERY and other.counts() and not other.disordered:
                if other.hex.distance_to(unit.hex) <= 1:
                    return True
        return False

    def comes_at(self, series: Series, place: Hex, goal: Hex) -> bool:
        """Whether men on foot can come from a hex to one near it with a little detour, and no water keeps them off."""
        if not series.battle.map.water_sides:
            return True
        left = place.distance_to(goal) + ROUND
        seen = [place]
        ring = [place]
        while ring and left > 0:
            left -= 1
            outer: list[Hex] = []
            for here in ring:
                for side in here.sides:
                    if side.to is goal and side.passable(FOOT):
                        return True
                    near = side.on_map and side.to.distance_to(goal) <= left
                    if near and side.to not in seen and side.passable(FOOT):
                        seen.append(side.to)
                        outer.append(side.to)
            ring = outer
        return False

    def fire_before_reaction(self, series: Series, unit: Unit, battery: Unit) -> bool:
        """At close range: there will be nothing left to charge."""
        return unit.hex.distance_to(battery.hex) <= NEXT_BUT_ONE

    def retreat(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """Away from enemies, into cover, not through friends, and rather to the brigadier than from him."""
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
                    worth -= THROUGH * len(place.stack)
            if unit.command.has_leader():
                worth = FAR * worth - end.distance_to(unit.command.leader().hex)
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
        """As after a fire."""
        return self.advance_after_fire(series, unit, vacated)

    def heading_after(self, series: Series, unit: Unit, headings: list[int]) -> i64:
        """The heading with most enemies in front and fewest on the flanks.

        Who attacks must shock all in front of him (11.31), so rather one of them than more than he is worth.
        """
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        shocks = unit.side == series.battle.phasing and series.battle.phase == PHASE_SHOCK
        field = self.field(series.battle)
        for at, heading in enumerate(headings):
            worth: i64 = 1 if heading == unit.heading else 0
            against: i64 = 0
            for side in unit.hex.sides:
                if side.to.stack and series.battle.held_by(side.to) == 1 - unit.side:
                    ahead = zone(heading, side.direction) == FRONT
                    worth += 10 if ahead else -10
                    if ahead:
                        against += field.defence(side.to)
            if shocks:
                worth -= 5 * max(against - unit.fighting(), 0)
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

    # -- lines in shock --------------------------------------------------------------------------------------------

    def advance_line(self, series: Series, unit: Unit, ways: list[LineAdvance]) -> i64:
        """Where most enemies are in front and fewest on the flanks; straight ahead if that is all the same."""
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        for at, way in enumerate(ways):
            worth: i64 = 1 if way.heading == unit.heading else 0
            for place in way.hexes:
                for side in place.sides:
                    if side.on_map and series.battle.held_by(side.to) == 1 - unit.side:
                        worth += 10 if zone(way.heading, side.direction) == FRONT else -10
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def contract_into(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """Into the hex farthest from enemies, of equals that with the best cover."""
        field = self.field(series.battle)
        field.measure()
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        for at, place in enumerate(places):
            worth = 4 * min(field.to_enemy(place), 6) - 2 * place.terrain.fire_drm
            if worth > best_worth:
                best = at
                best_worth = worth
        return best

    def wrap_around(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Unless the hex lies beside a second enemy: only the target is to stand there."""
        beside: i64 = 0
        for side in place.sides:
            if side.on_map and series.battle.held_by(side.to) == 1 - unit.side:
                beside += 1
        return beside <= 1

    def top_defender(self, series: Series, units: list[Unit]) -> i64:
        """The one most likely to pass (11.37)."""
        charts = series.battle.charts
        best: i64 = 0
        best_worth: i64 = NO_WORTH
        for at, unit in enumerate(units):
            worth = unit.steadiness() - charts.command.leader_star * series.command.stars(unit)
            if unit.disordered:
                worth -= charts.pre_shock.disordered
            if worth > best_worth:
                best = at
                best_worth = worth
        return best
