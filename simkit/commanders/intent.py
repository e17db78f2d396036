"""What the heuristic commander means to do with a brigade: its orders, and the places that draw it (6.1, 6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import NEARBY, Appraisal
from simkit.commanders.arrivals import Arrivals
from simkit.commanders.objectives import aims
from simkit.model.battlemap import Hex
from simkit.model.charts import CHANGE, CHANGE_AND_STAND
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH, Command, Unit
from simkit.rules.dice import FACES

if TYPE_CHECKING:
    from simkit.rules.series import Series

WELL_OVER: Final[i64] = 120  # hundredths of the odds nearby that must still fall short before an attack is called off
WELL_ABOVE: Final[i64] = 150  # hundredths of the doctrine's odds at which whoever is to hold strikes the enemy
GROUND: Final[i64] = 5  # hexes around an objective from which it is held
CLOSE: Final[i64] = 5  # hexes from the enemy at which an attack begins: two activations of three movement points


class Plan:
    """What a brigade is about: the distance from the enemy that it seeks, and the hexes that it is drawn to."""

    def __init__(self) -> None:
        self.wanted: i64 = 0
        self.goals: list[Hex] = []
        self.weights: list[int] = []
        self.grounds: list[int] = []  # hexes around each goal within which it is as good as reached
        self.holds = False  # it is to keep what it has
        self.waits = False  # it does not go nearer to the enemy
        self.attack = False
        self.still = False  # its units are not to move
        self.outmatched = False  # it holds where it can fire


@mypyc_attr(allow_interpreted_subclasses=True)
class Intent(Arrivals):
    """Answers and manoeuvres, and the orders that the field calls for."""

    # -- looking ---------------------------------------------------------------------------------------------------

    def plan(self, series: Series, brigade: Command) -> Plan:
        """What the brigade is about, by its orders and the field around it."""
        field = self.field(series.battle)
        made = Plan()
        for at in aims(self.objectives, brigade):
            made.goals.append(self.goals[at])
            made.weights.append(self.objectives[at].weight)
        made.holds = self.is_to_hold(brigade)
        made.attack = brigade.orders == ATTACK
        made.wanted = 1 if made.attack else min(self.doctrine.fire_range + 1, 3)
        made.waits = made.holds and not made.attack
        if made.waits:
            made.grounds = [self.ground_of(field, goal) for goal in made.goals]
        elif not made.attack and made.goals and self._rides_by(brigade):
            made.waits = True
            made.grounds = [0] * len(made.goals)
        elif not made.attack and field.odds() < self.doctrine.attack_odds:
            made.outmatched = True
            made.goals = []
            made.weights = []
        return made

    def _rides_by(self, brigade: Command) -> bool:
        """Whether a brigade makes for its objectives past the enemy: on the march, or all of it in the saddle."""
        if brigade.orders == MARCH:
            return True
        riders = False
        for unit in brigade.units:
            if unit.counts() and unit.kind != ARTILLERY:
                if not unit.is_mounted():
                    return False
                riders = True
        return riders

    def is_to_hold(self, brigade: Command) -> bool:
        """Whether all that draws a brigade is to be held."""
        drawn = aims(self.objectives, brigade)
        return len(drawn) > 0 and all(self.objectives[at].hold for at in drawn)

    def ground_of(self, field: Appraisal, goal: Hex) -> i64:
        """Hexes around an objective from which it is held: all where its holders stand between it and the enemy."""
        return max(field.to_enemy(goal) - self.doctrine.fire_range, GROUND)

    def _away_from_ground(self, field: Appraisal, brigade: Command) -> bool:
        """Whether no unit of a brigade stands where it holds one of its objectives."""
        for at in aims(self.objectives, brigade):
            ground = self.ground_of(field, self.goals[at])
            for unit in brigade.units:
                if unit.counts() and unit.hex.distance_to(self.goals[at]) <= ground:
                    return False
        return True

    def wanted_orders(self, series: Series, brigade: Command) -> i64:
        """Attack when close, strong enough and not spent; otherwise Advance."""
        if series.orders.forbids(brigade, ATTACK):
            return ADVANCE
        field = self.field(series.battle)
        field.look(brigade)
        doctrine = self.doctrine
        holds = self.is_to_hold(brigade)
        if self.far_off(field.nearest) and (brigade.orders == MARCH or series.orders.may_march(brigade)):
            return ADVANCE if holds and not self._away_from_ground(field, brigade) else MARCH
        if field.spent >= doctrine.break_off or field.nearest > CLOSE or self._mostly_far(field, brigade):
            return ADVANCE
        if doctrine.night_rest == 1 and series.night.is_night():
            return ADVANCE
        if field.disordered > doctrine.rally_first and field.nearest > 1:
            return ADVANCE
        if holds and self._not_worth_leaving(field, brigade):
            return ADVANCE
        odds = doctrine.attack_odds * WELL_ABOVE // 100 if holds else doctrine.attack_odds
        return ATTACK if field.odds() >= odds else ADVANCE

    def _not_worth_leaving(self, field: Appraisal, brigade: Command) -> bool:
        """Whether the enemies near who holds ground are too few to leave it for, and not on it themselves."""
        own: i64 = 0
        for unit in brigade.units:
            if unit.counts() and unit.kind != ARTILLERY:
                own += unit.fighting()
        if 100 * field.enemy >= self.doctrine.worth_leaving * own:
            return False
        return all(field.to_enemy(self.goals[at]) > GROUND for at in aims(self.objectives, brigade))

    def _mostly_far(self, field: Appraisal, brigade: Command) -> bool:
        """Whether most of a brigade's infantry and cavalry still has a way before it, on which Attack Orders crawl."""
        balance: i64 = 0
        for unit in brigade.units:
            if unit.counts() and unit.kind != ARTILLERY:
                balance += 1 if field.to_enemy(unit.hex) > NEARBY else -1
        return balance > 0

    # -- between activations ---------------------------------------------------------------------------------------

    def deploy(self, series: Series, side: i64) -> None:
        """Orders by what each brigade sees, and cavalry on foot or mounted; facing stays as the set-up has it."""
        self.side = side
        for brigade in series.battle.brigades:
            if brigade.side == side and series.orders.has_units(brigade):
                series.orders.assign(brigade, self.wanted_orders(series, brigade))
                self.set_up_saddles(series, brigade.units)

    def division_orders(self, series: Series, brigades: list[Command]) -> None:
        """Orders by what each brigade sees."""
        for brigade in brigades:
            wanted = self.wanted_orders(series, brigade)
            if wanted != brigade.orders:
                series.orders.assign(brigade, wanted)

    def reinforcement_orders(self, series: Series, command: Command, units: list[Unit], choices: list[int]) -> i64:
        """The orders that the field calls for around the hex where they enter, if they may be given."""
        wanted = self.wanted_orders(series, command)
        return wanted if wanted in choices else super().reinforcement_orders(series, command, units, choices)

    def change_orders(self, series: Series, brigade: Command) -> i64:
        """Try for the orders that the field calls for, if the roll is likely enough to bring them (6.21).

        Nobody can roll for March Orders, and none is tried for that would reach no unit (6.25). Attack Orders are not
        given up for an enemy who is less far off than the doctrine says, nor any for odds that are hardly other than
        those at which they were given.
        """
        wanted = self.wanted_orders(series, brigade)
        if wanted == brigade.orders or wanted == MARCH:
            return -1
        if self.doctrine.change_chance == 0:
            return wanted
        if self._chance_of_change(series, brigade) < self.doctrine.change_chance:
            return -1
        field = self.field(series.battle)
        if brigade.orders == ATTACK and field.nearest <= self.doctrine.call_off:
            waits = field.spent < self.doctrine.break_off and field.disordered <= self.doctrine.rally_first
            if waits and field.odds() * WELL_OVER >= self.doctrine.attack_odds * 100:
                return -1
        return wanted if series.command.units_in_range(brigade) else -1

    def _chance_of_change(self, series: Series, brigade: Command) -> i64:
        """Chance in thousandths that a roll brings a brigade the orders that it tries for (6.23)."""
        if brigade.division().free_changes > 0:
            return 1000
        table = series.battle.charts.orders_change
        modifier = series.orders.change_modifier(brigade)
        chance: i64 = 0
        for face in range(FACES):
            outcome = table.outcome(face + modifier)
            if outcome in (CHANGE, CHANGE_AND_STAND):
                chance += 1000 // FACES
        return chance

    def fragile(self, unit: Unit) -> bool:
        """Whether a unit is too weak to be risked: small, or one loss from collapse."""
        if unit.kind == ARTILLERY or unit.collapsed:
            return unit.collapsed
        return unit.strength <= self.doctrine.fragile or 2 * (unit.strength - 1) < unit.full
