"""What the heuristic commander means to do with a brigade: its orders, and the places that draw it (6.1, 6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import FAR, NEARBY, Appraisal
from simkit.commanders.manoeuvre import CANISTER
from simkit.commanders.objectives import aims
from simkit.commanders.support import CLOSE, Support
from simkit.model.battlemap import Hex
from simkit.model.charts import CHANGE, CHANGE_AND_STAND
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH, Command, Unit
from simkit.rules.dice import FACES

if TYPE_CHECKING:
    from simkit.rules.series import Series

WELL_OVER: Final[i64] = 120  # hundredths of the odds nearby that must still fall short before an attack is called off
WELL_ABOVE: Final[i64] = 150  # hundredths of the doctrine's odds at which whoever is to hold strikes the enemy
WALKOVER: Final[i64] = 200  # hundredths of the enemy's strength nearby at which even a worn brigade goes on attacking
GROUND: Final[i64] = 5  # hexes around an objective from which it is held
OUT_OF_REACH: Final[i64] = 6  # hexes: a rifle's range and one more
ESCORT_GROUND: Final[i64] = 2  # hexes around its commander in which an escort stays
ESCORT_WEIGHT: Final[i64] = 10  # what draws it there: more than all else, and more than the enemy keeps it away
SUPPORT_GROUND: Final[i64] = 3  # hexes around the middle of a brigade in which another is at its side
SADDLE: Final[i64] = 2  # times the ground of men on foot that horsemen cover on a marker, nearly: 10 MPs to 6


class Plan:
    """What a brigade is about: the distance from the enemy that it seeks, and the hexes that it is drawn to."""

    def __init__(self) -> None:
        self.wanted: i64 = 0
        self.goals: list[Hex] = []
        self.weights: list[int] = []
        self.grounds: list[int] = []  # hexes around each goal within which it is as good as reached
        self.holds = False  # it is to keep what it has
        self.supports = False  # it is to stand by a friend instead, who needs it more
        self.waits = False  # it does not go nearer to the enemy
        self.attack = False
        self.still = False  # its units are not to move
        self.outmatched = False  # it holds where it can fire


@mypyc_attr(allow_interpreted_subclasses=True)
class Intent(Support):
    """Answers and manoeuvres, and the orders that the field calls for."""

    # -- looking ---------------------------------------------------------------------------------------------------

    def plan(self, series: Series, brigade: Command) -> Plan:
        """What the brigade is about, by its orders and the field around it."""
        field = self.field(series.battle)
        made = Plan()
        if self._is_escort(brigade):
            made.goals = [brigade.superior.leader().hex]
            made.weights = [ESCORT_WEIGHT]
            made.grounds = [ESCORT_GROUND]
            made.waits = True
            made.wanted = CANISTER
            return made
        self._aim(field, brigade, made)
        made.attack = brigade.orders == ATTACK
        made.wanted = 1 if made.attack else self.doctrine.fire_range
        made.waits = made.holds and not made.attack and not made.supports
        if made.waits:
            made.grounds = self._grounds(field, made)
        elif not made.attack and made.goals and self._rides_by(brigade):
            made.waits = True
            made.grounds = [0] * len(made.goals)
        elif not made.attack and field.odds() < self.doctrine.attack_odds:
            made.outmatched = True
            made.waits = True
            made.wanted += 1  # where it fires only if nobody comes
            made.grounds = [self._way_to(brigade, goal) for goal in made.goals]
        return made

    def _way_to(self, brigade: Command, goal: Hex) -> i64:
        """Hexes from the nearest of a brigade's units to a hex."""
        least: i64 = FAR
        for unit in brigade.units:
            if unit.counts() and not unit.collapsed:
                least = min(least, unit.hex.distance_to(goal))
        return least

    def _is_escort(self, brigade: Command) -> bool:
        """Whether a command is a handful of men without a leader of their own, directly under one who is there."""
        if brigade.leader_list or brigade.superior is brigade or not brigade.superior.has_leader():
            return False
        return 0 < self._fighting(brigade) <= self.doctrine.fragile

    def _rides_by(self, brigade: Command) -> bool:
        """Whether a brigade makes for its objectives past the enemy: on the march, or all of it in the saddle."""
        return brigade.orders == MARCH or self._all_mounted(brigade)

    def _all_mounted(self, brigade: Command) -> bool:
        """Whether all of a brigade but its guns is in the saddle."""
        riders = False
        for unit in brigade.units:
            if unit.counts() and unit.kind != ARTILLERY:
                if not unit.is_mounted():
                    return False
                riders = True
        return riders

    def drawn(self, brigade: Command) -> list[int]:
        """Which of its side's objectives draw a brigade now that was just looked at, in the battle met last.

        With the enemy close it does not turn its back on him because the time of one is over.
        """
        field = self.fields[0]
        return aims(self.objectives, brigade, field.battle.turn, field.nearest <= CLOSE)

    def _aim(self, field: Appraisal, brigade: Command, made: Plan) -> None:
        """Enter into its plan what draws a brigade just looked at: its objectives, or who needs it more than these."""
        drawn = self.drawn(brigade)
        for at in drawn:
            made.goals.append(self.goals[at])
            made.weights.append(self.objectives[at].weight)
        made.holds = self._all_to_hold(drawn)
        if made.holds and field.spent < self.doctrine.break_off:
            needed = self.place_of_help(field.battle, brigade, made.goals)
            if needed:
                made.goals = needed
                made.weights = made.weights[:1]
                made.supports = True

    def _all_to_hold(self, drawn: list[int]) -> bool:
        return len(drawn) > 0 and all(self.objectives[at].hold for at in drawn)

    def ground_of(self, field: Appraisal, goal: Hex) -> i64:
        """Hexes around an objective from which it is held: all where its holders stand between it and the enemy.

        What is left of a broken regiment is no enemy to fall back before.
        """
        nearest: i64 = FAR
        for unit in field.battle.of_side[1 - field.side]:
            if unit.counts() and unit.kind != ARTILLERY and unit.strength > self.doctrine.fragile:
                nearest = min(nearest, unit.hex.distance_to(goal))
        return max(nearest - self.doctrine.fire_range, GROUND)

    def _grounds(self, field: Appraisal, made: Plan) -> list[int]:
        """Hexes around each goal of a brigade within which it holds it, or stands by the friend whom it supports."""
        if made.supports:
            return [SUPPORT_GROUND]
        return [self.ground_of(field, goal) for goal in made.goals]

    def _away_from_ground(self, field: Appraisal, brigade: Command, made: Plan) -> bool:
        """Whether no unit of a brigade stands where it holds one of the goals of its plan, or at its friend's side."""
        for at, ground in enumerate(self._grounds(field, made)):
            for unit in brigade.units:
                if unit.counts() and unit.hex.distance_to(made.goals[at]) <= ground:
                    return False
        return True

    def wanted_orders(self, series: Series, brigade: Command) -> i64:
        """Attack when close, strong enough and not spent; otherwise Advance."""
        field = self.field(series.battle)
        field.look(brigade)
        if series.orders.forbids(brigade, ATTACK) or self._is_escort(brigade):
            return ADVANCE
        doctrine = self.doctrine
        made = Plan()
        self._aim(field, brigade, made)
        if self._far_to_go(field, brigade, made) and (brigade.orders == MARCH or series.orders.may_march(brigade)):
            return ADVANCE if made.holds and not self._away_from_ground(field, brigade, made) else MARCH
        if self._broken(field) or field.nearest > CLOSE or self._mostly_far(field, brigade):
            return ADVANCE
        if doctrine.night_rest == 1 and series.night.is_night():
            return ADVANCE
        if field.disordered > doctrine.rally_first and field.nearest > 1 and brigade.orders != ATTACK:
            return ADVANCE  # to rally it need not give Attack Orders up
        if made.holds and not self._leaves_ground(field, brigade, made):
            return ADVANCE
        odds = doctrine.attack_odds * WELL_ABOVE // 100 if made.holds else doctrine.attack_odds
        return ATTACK if field.odds() >= odds else ADVANCE

    def _far_to_go(self, field: Appraisal, brigade: Command, made: Plan) -> bool:
        """Whether the enemy is so far away that a brigade marches, or goes on marching.

        Horsemen come up on their own markers from farther off, unless what draws them lies still farther: a march
        leaves their brigadier behind, without whom they can't give it up (6.25).
        """
        away = field.nearest
        if brigade.orders != MARCH and self._all_mounted(brigade) and self._in_one_ride(brigade, made):
            away //= SADDLE
        return self.far_off(away)

    def _in_one_ride(self, brigade: Command, made: Plan) -> bool:
        """Whether horsemen have all that draws them within the distance from which they need no march."""
        for goal in made.goals:
            for unit in brigade.units:
                if unit.counts() and self.far_off(unit.hex.distance_to(goal) // SADDLE):
                    return False
        return True

    def _leaves_ground(self, field: Appraisal, brigade: Command, made: Plan) -> bool:
        """Whether who holds ground may leave it for the enemies near.

        Not for too few, unless they are on it themselves, nor for stronger ones alone, as its neighbours hold theirs.
        Who has come to a friend's help has him at its side, and fights half of them.
        """
        strength = self._fighting(brigade)
        if made.supports:
            return 200 * strength >= self.doctrine.attack_odds * field.enemy
        if 100 * field.enemy < self.doctrine.worth_leaving * strength:
            if all(field.to_enemy(goal) > GROUND for goal in made.goals):
                return False
        return 100 * strength >= self.doctrine.attack_odds * field.enemy

    def _fighting(self, brigade: Command) -> i64:
        """Strength points of a brigade's infantry and cavalry."""
        points: i64 = 0
        for unit in brigade.units:
            if unit.counts() and unit.kind != ARTILLERY:
                points += unit.fighting()
        return points

    def _broken(self, field: Appraisal) -> bool:
        """Whether a brigade has lost so much that it stops attacking, unless next to nobody withstands it."""
        return field.spent >= self.doctrine.break_off and field.odds() < WALKOVER

    def _keeps_attack(self, field: Appraisal, brigade: Command) -> bool:
        """Whether a brigade just looked at goes on attacking though the field no longer calls for it.

        Not for an enemy who is farther off than the doctrine says, for horsemen than a charge; nor at odds that are
        quite other than those at which the orders were given.
        """
        if brigade.orders != ATTACK or self._broken(field):
            return False
        if field.nearest > (CLOSE if self._all_mounted(brigade) else self.doctrine.call_off):
            return False
        return field.odds() * WELL_OVER >= self.doctrine.attack_odds * 100

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
            if wanted == ADVANCE and self._keeps_attack(self.field(series.battle), brigade):
                continue
            if wanted != brigade.orders:
                series.orders.assign(brigade, wanted)

    def reinforcement_orders(self, series: Series, command: Command, units: list[Unit], choices: list[int]) -> i64:
        """The orders that the field calls for around the hex where they enter, if they may be given."""
        wanted = self.wanted_orders(series, command)
        return wanted if wanted in choices else super().reinforcement_orders(series, command, units, choices)

    def change_orders(self, series: Series, brigade: Command) -> i64:
        """Try for the orders that the field calls for, if the roll is likely enough to bring them (6.21).

        Nobody can roll for March Orders, and none is tried for that would reach no unit (6.25), nor by marchers on
        their own marker, who would lose the march, as long as no enemy is close and they are not where they are drawn.
        """
        wanted = self.wanted_orders(series, brigade)
        if wanted == brigade.orders or wanted == MARCH:
            return -1
        if self.doctrine.change_chance == 0:
            return wanted
        if self._chance_of_change(series, brigade) < self.doctrine.change_chance:
            return -1
        field = self.field(series.battle)
        if self._keeps_attack(field, brigade):
            return -1
        if series.battle.marching and field.nearest > CLOSE:
            made = Plan()
            self._aim(field, brigade, made)
            if self._away_from_ground(field, brigade, made):
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
