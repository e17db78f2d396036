"""A small real battle made of a situation: map, units, leaders, and the fire or shock that is to happen."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simkit.exact.choosing import ALWAYS, IF_IT_PAYS, NEVER, Choosing
from simkit.model.battle import DAWN, DAY, DUSK, NIGHT, PHASE_SHOCK, Battle, Turn
from simkit.model.battlemap import Hex
from simkit.model.charts import Charts
from simkit.model.forces import Unit
from simkit.odds.allowed import check_fire, check_stacks, designate
from simkit.odds.forces import ATTACKER, DEFENDER, SIDE_NAMES, Forces
from simkit.odds.grammar import charts_of
from simkit.odds.places import EAST, WEST, Places, entrenched
from simkit.odds.situation import FIRE, SHOCK, Situation
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.options import EDITIONS, Options
from simkit.rules.series import Series

LIGHTS = {"dawn": DAWN, "dusk": DUSK, "night": NIGHT}


@dataclass(frozen=True)
class Layout:
    """A battle that waits for the combat of a situation.

    `attackers` and `defenders` are the units of the combat itself (supporters belong to their side's other units),
    `targets` the hexes attacked, `designations` those of a shock. Of a fire the first attacker fires.
    """

    situation: Situation
    battle: Battle
    series: Series
    commanders: tuple[Choosing, Choosing]
    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    targets: tuple[Hex, ...]
    designations: tuple[Designation, ...]


class _Layout:
    def __init__(self, situation: Situation, charts: Charts) -> None:
        self.situation = situation
        self.places = Places(situation, charts)
        light = next((value for word, value in LIGHTS.items() if situation.says(word)), DAY)
        self.battle = Battle("odds", self.places.map, charts, [Turn("now", light)])
        self.forces = Forces(situation, self.battle, charts)

    def finish(self) -> Layout:
        situation, places = self.situation, self.places
        targets = places.defending()
        origins = places.attacking(targets)
        taken = [*targets, *origins]
        behind = places.supporting(situation.defending_support, targets, taken, DEFENDER)
        beside = places.supporting(situation.attacking_support, origins, taken, ATTACKER)
        for stack, place in zip(situation.defenders + situation.attackers, [*targets, *origins], strict=True):
            places.ground(stack, place)
        places.hexsides(origins, targets)
        places.support_ground(situation.defending_support, behind)
        places.support_ground(situation.attacking_support, beside)
        defenders, attackers = self._stand(targets, origins, behind, beside)
        places.map.fix_costs()
        self.battle.ready()
        for stack, place in zip(situation.defenders, targets, strict=True):
            if entrenched(stack):
                self.battle.works.stand_in(place, WEST // 2)
        series = Series(self.battle, self._options())
        self.forces.tire()
        choosing = self._choices()
        series.equip(series.dice, series.log, list(choosing))
        check_stacks(series, self.forces)
        self._begin(series, attackers)
        designations: tuple[Designation, ...] = ()
        if situation.kind == SHOCK:
            designations = designate(series, self.forces, attackers, targets)
        else:
            check_fire(series, self.forces, attackers[0], targets[0])
        return Layout(
            situation, self.battle, series, choosing, tuple(attackers), tuple(defenders), tuple(targets), designations
        )

    def _stand(
        self, targets: Sequence[Hex], origins: Sequence[Hex], behind: Sequence[Hex], beside: Sequence[Hex]
    ) -> tuple[list[Unit], list[Unit]]:
        situation = self.situation
        defenders: list[Unit] = []
        attackers: list[Unit] = []
        for stacks, hexes, side, made in (
            (situation.attackers, origins, ATTACKER, attackers), (situation.defenders, targets, DEFENDER, defenders)
        ):
            for number, (stack, place) in enumerate(zip(stacks, hexes, strict=True), 1):
                for depth, fighter in enumerate(stack, 1):
                    name = f"{SIDE_NAMES[side]} {number}" + (f".{depth}" if len(stack) > 1 else "")
                    heading = WEST if side == DEFENDER else self.places.facing(place, targets, behind)
                    if situation.kind == FIRE and side == ATTACKER:
                        heading = EAST
                    made.append(self.forces.unit(fighter, place, heading, side, name))
        for side, fighters, hexes in (
            (DEFENDER, situation.defending_support, behind), (ATTACKER, situation.attacking_support, beside)
        ):
            for number, (fighter, place) in enumerate(zip(fighters, hexes, strict=True), 1):
                heading = WEST if side == DEFENDER else EAST
                self.forces.unit(fighter, place, heading, side, f"{SIDE_NAMES[side]} support {number}")
        return defenders, attackers

    def _options(self) -> Options:
        options = Options()
        situation = self.situation
        for word in EDITIONS:
            if situation.says(word):
                options.set("edition", word)
        if situation.says("combined"):
            options.set("combined_fire", "yes")
        if situation.says("ammunition"):
            options.set("small_arms_ammunition", "yes")
        if self.forces.tired():
            options.set("fatigue", "yes")
        return options

    def _choices(self) -> tuple[Choosing, Choosing]:
        situation = self.situation
        first, second = Choosing(), Choosing()
        for side, commander in enumerate((first, second)):
            commander.side = side
            commander.rapid = situation.says("rapid")
        first.continues = ALWAYS if situation.says("continue") else IF_IT_PAYS if situation.says("pays") else NEVER
        second.continues = ALWAYS if situation.says("counter") else NEVER
        second.retreats = situation.says("give-way")
        second.fires = not situation.says("hold-fire")
        second.countercharges = situation.says("countercharge")
        return first, second

    def _begin(self, series: Series, attackers: Sequence[Unit]) -> None:
        """The attackers' brigades are active and have done what is said of them."""
        battle = self.battle
        battle.phasing = ATTACKER
        battle.active = list(self.forces.brigades[ATTACKER].values())
        battle.activation = 1
        for unit in battle.units:
            unit.begin_activation()
            unit.active = unit.side == ATTACKER
            unit.stood_adjacent = battle.beside_enemy(unit)
        for unit in attackers:
            words = self.forces.fighters[unit].words
            charging = "charge" in words
            unit.moved = charging or "moved" in words
            unit.came_adjacent = unit.moved and self.situation.kind == SHOCK and charging
            unit.stood_adjacent = unit.stood_adjacent and not unit.moved
            unit.entered = unit.moved
            if charging and unit.is_mounted():
                unit.charge_marker = unit.charging = unit.began_in_range = True
        if self.situation.kind == SHOCK:
            battle.phase = PHASE_SHOCK


def lay_out(situation: Situation, overlay: Path | None = None) -> Layout:
    """A battle in which a situation's combat is about to happen, by the charts of Dead of Winter.

    Args:
        situation: as `parse` reads it.
        overlay: a folder of the owner's own charts, laid over the book's.

    Raises:
        InputError: the situation cannot be: what the rules forbid in it.
    """
    try:
        return _Layout(situation, charts_of(overlay=overlay)).finish()
    except CommanderError as error:
        raise situation.wrong(f"the rules do not allow this: {error}") from None
