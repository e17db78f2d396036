"""A small real battle made of a situation: map, units, leaders, and the fire or shock that is to happen."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simkit.errors import InputError
from simkit.exact.choosing import ALWAYS, IF_IT_PAYS, NEVER, Choosing
from simkit.model.battle import DAWN, DAY, DUSK, NIGHT, PHASE_SHOCK, Battle, Turn
from simkit.model.battlemap import BattleMap, Hex
from simkit.model.charts import AGGRESSIVE, FOOT, NORMAL, PROHIBITED, Charts
from simkit.model.counters import Counter, Ratings
from simkit.model.fatigue import FATIGUE_0
from simkit.model.forces import (
    ADVANCE,
    ARMY,
    ARTILLERY,
    ATTACK,
    BRIGADE,
    CAVALRY,
    CORPS,
    DIVISION,
    INFANTRY,
    MARCH,
    Command,
    Leader,
    Unit,
)
from simkit.model.hexgrid import Grid, Sheet
from simkit.odds.allowed import check_fire, designate
from simkit.odds.grammar import charts_of, vocabulary
from simkit.odds.situation import FIRE, SHOCK, Fighter, Situation
from simkit.odds.words import HEXSIDE
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.options import EDITIONS, Options
from simkit.rules.series import Series

ATTACKER, DEFENDER = 0, 1
SIDE_NAMES = ("attacker", "defender")
COLUMNS, ROWS = 18, 16
TARGET_COLUMN, TARGET_ROW = 13, 7
WEST, EAST = 9, 3  # vertex headings
NORTH_WEST, SOUTH_WEST, NORTH_EAST, SOUTH_EAST, NORTHWARD, SOUTHWARD = 5, 4, 1, 2, 0, 3  # hexsides
# by position the hexsides of a defender facing west through which attackers come, in the order in which they are taken
APPROACHES = {"front": (SOUTH_WEST, NORTH_WEST), "flank": (NORTHWARD, SOUTHWARD), "rear": (NORTH_EAST, SOUTH_EAST)}
ALL_AROUND = (NORTH_WEST, NORTH_EAST, SOUTHWARD)
LIGHTS = {"dawn": DAWN, "dusk": DUSK, "night": NIGHT}
USUAL_WEAPON = {INFANTRY: "R", CAVALRY: "C"}
ALLOWANCES = {INFANTRY: 6, CAVALRY: 10, ARTILLERY: 8}
STARS = {"brigadier": BRIGADE, "aggressive": BRIGADE, "division": DIVISION, "corps": CORPS}
RANGE_OF_A_LEADER = 6


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
        self.charts = charts
        self.words = vocabulary(charts)
        light = next((value for word, value in LIGHTS.items() if situation.says(word)), DAY)
        grid = Grid([Sheet("A", 1, COLUMNS, 1, ROWS)])
        self.map = BattleMap(grid, charts.terrain("clear"))
        for column in range(1, COLUMNS + 1):
            for row in range(1, ROWS + 1):
                self.map.add(f"A{column:02d}{row:02d}", column, row, charts.terrain("clear"), 0)
        self.map.join()
        self.battle = Battle("odds", self.map, charts, [Turn("now", light)])
        self.brigades: list[Command] = []
        for side in (ATTACKER, DEFENDER):
            army = self._command(f"{side}A", side, ARMY, None, self.battle.armies)
            corps = self._command(f"{side}C", side, CORPS, army, self.battle.corps)
            division = self._command(f"{side}D", side, DIVISION, corps, self.battle.divisions)
            self.brigades.append(self._command(f"{side}B", side, BRIGADE, division, self.battle.brigades))

    def _command(self, code: str, side: int, level: int, superior: Command | None, among: list[Command]) -> Command:
        made = Command(code, code, side, level)
        if superior is not None:
            made.superior = superior
            superior.subordinates.append(made)
        among.append(made)
        return made

    # -- units -----------------------------------------------------------------------------------------------------

    def unit(self, fighter: Fighter, place: Hex, heading: int, side: int, name: str) -> Unit:
        words = fighter.words
        kind = self._arm(fighter, name)
        code = fighter.weapon or USUAL_WEAPON.get(kind, "N")
        weapon = self.charts.weapon(code)
        brigade = self.brigades[side]
        allowance = ALLOWANCES[kind]
        made = Unit(
            name, name, side, kind, fighter.strength, fighter.full, weapon, fighter.cohesion,
            fighter.cohesion_disordered, allowance, allowance * 2 // 3, "green" in words, False, brigade, self.map.off,
        )
        if kind == CAVALRY and "dismounted" in words:
            on_foot = ALLOWANCES[INFANTRY]
            made.counters.append(
                Counter(weapon, fighter.cohesion, fighter.cohesion_disordered, on_foot, on_foot * 2 // 3)
            )
            made.show(False)
        made.orders = self._orders(fighter, kind, side)
        made.heading = heading if made.orders != MARCH else (heading + 11) % 12
        made.disordered = "disordered" in words
        made.collapsed = "collapsed" in words or 2 * fighter.strength < fighter.full
        made.blown = "blown" in words
        made.ammo = 2 if "empty" in words else 1 if "low" in words else 0
        made.index = len(self.battle.units)
        brigade.units.append(made)
        self.battle.units.append(made)
        self.battle.stand(made, place, False)
        for word in words:
            if word in STARS:
                self._leader(STARS[word], side, place, AGGRESSIVE if word == "aggressive" else NORMAL, name)
        return made

    def _arm(self, fighter: Fighter, name: str) -> int:
        guns = bool(fighter.weapon) and self.charts.weapon(fighter.weapon).artillery
        horse = "mounted" in fighter.words or "dismounted" in fighter.words
        if guns and (horse or "foot" in fighter.words):
            raise InputError(f"{name}: {fighter.weapon} is a gun, so the unit is neither foot nor cavalry")
        if "blown" in fighter.words and not horse:
            raise InputError(f'{name}: "blown" is said of cavalry (11.58): write mounted,blown')
        return ARTILLERY if guns else CAVALRY if horse else INFANTRY

    def _orders(self, fighter: Fighter, kind: int, side: int) -> int:
        for word, orders in (("march", MARCH), ("advance", ADVANCE), ("attack", ATTACK)):
            if word in fighter.words:
                return ADVANCE if kind == ARTILLERY and orders == ATTACK else orders
        if side == ATTACKER and self.situation.kind == SHOCK and kind != ARTILLERY and "blown" not in fighter.words:
            return ATTACK
        return ADVANCE

    def _leader(self, level: int, side: int, place: Hex, profile: int, name: str) -> None:
        command = self.brigades[side]
        while command.level < level:
            command = command.superior
        if command.leader_list:
            raise InputError(f"{name}: the {SIDE_NAMES[side]}s have one leader of each rank; two are named")
        title = ("", "brigadier", "division leader", "corps commander")[level]
        ratings = Ratings(title, RANGE_OF_A_LEADER, profile=profile)
        made = Leader(
            f"{SIDE_NAMES[side]} {title}", side, level, ratings, Ratings(title, RANGE_OF_A_LEADER), True, command,
            self.map.off,
        )
        made.index = len(self.battle.leaders)
        command.leader_list.append(made)
        self.battle.leaders.append(made)
        self.battle.stand_leader(made, place)

    # -- places ----------------------------------------------------------------------------------------------------

    def beside(self, place: Hex, direction: int) -> Hex:
        return place.sides[direction].to

    def defending(self) -> list[Hex]:
        """The targets, from north to south; all face west."""
        first = self.map.by_id[f"A{TARGET_COLUMN:02d}{TARGET_ROW:02d}"]
        found = [first]
        while len(found) < len(self.situation.defenders):
            found.append(self.beside(found[-1], SOUTHWARD))
        return found

    def attacking(self, targets: Sequence[Hex]) -> list[Hex]:
        """The hexes of the attackers: of a fire at its range, of a shock by the positions that are said."""
        situation = self.situation
        if situation.kind == FIRE:
            return self._firing(targets[0])
        if situation.says("surrounded"):
            if len(situation.attackers) != len(ALL_AROUND) or len(targets) != 1:
                raise InputError("surrounded: three attacking hexes around one defending hex (11.44)")
            return [self.beside(targets[0], direction) for direction in ALL_AROUND]
        free: dict[str, list[Hex]] = {
            position: self._approaches(position, targets) for position in APPROACHES
        }
        found: list[Hex] = []
        for number, stack in enumerate(situation.attackers, 1):
            position = next((word for word in stack[0].words if word in APPROACHES), "front")
            if not free[position]:
                raise InputError(f"attacking hex {number}: no more than {len(self._approaches(position, targets))} "
                                 f"hexes lie at the {position} of such defenders")
            found.append(free[position].pop(0))
        return found

    def _approaches(self, position: str, targets: Sequence[Hex]) -> list[Hex]:
        found: list[Hex] = []
        if position == "front":  # hexes that face two targets first
            for place in targets:
                for direction in APPROACHES["front"]:
                    hex_ = self.beside(place, direction)
                    if hex_ not in found:
                        found.append(hex_)
            found.sort(key=lambda hex_: -sum(other.direction_to(hex_) >= 0 for other in targets))
            return found
        ends = {NORTHWARD: targets[0], SOUTHWARD: targets[-1], NORTH_EAST: targets[0], SOUTH_EAST: targets[-1]}
        return [self.beside(ends[direction], direction) for direction in APPROACHES[position]]

    def _firing(self, target: Hex) -> list[Hex]:
        if len(self.situation.attackers) > 1 or len(self.situation.defenders) > 1:
            raise InputError("a fire has one firing hex and one target hex; others stand beside them after \"with\"")
        column = TARGET_COLUMN - self.situation.range
        return [self.map.by_id[f"A{column:02d}{TARGET_ROW:02d}"]]

    def facing(self, place: Hex, targets: Sequence[Hex], avoid: Sequence[Hex]) -> int:
        """The vertex heading with most targets in front, and none of the hexes to avoid.

        Who surrounds an enemy has in front, besides him, the next hex around him: so no hex is left out (11.44).
        """
        if self.situation.says("surrounded"):
            around = self.beside(targets[0], (targets[0].direction_to(place) + 1) % 6)
            return next(
                heading for heading in range(1, 12, 2)
                if all(hex_ in [side.to for side in place.nodes[heading].ahead] for hex_ in (targets[0], around))
            )
        best, most = EAST, -100
        for heading in (EAST, 1, 5, 7, 11, WEST):
            ahead = [side.to for side in place.nodes[heading].ahead]
            worth = sum(target in ahead for target in targets) * 2 - sum(other in ahead for other in avoid)
            if worth > most:
                best, most = heading, worth
        return best

    def supporting(self, fighters: Sequence[Fighter], own: Sequence[Hex], taken: list[Hex], side: int) -> list[Hex]:
        """Where supporters stand: to the left, to the right, or behind those of their side."""
        left, right = (own[-1], SOUTHWARD), (own[0], NORTHWARD)
        behind = [(own[0], NORTH_EAST), (own[-1], SOUTH_EAST)]
        if side == ATTACKER:
            left, right = (own[0], NORTHWARD), (own[-1], SOUTHWARD)
            behind = [(own[0], SOUTH_WEST), (own[-1], NORTH_WEST)]
        ways = {"left": [left], "right": [right], "behind": behind}
        found: list[Hex] = []
        places: dict[str, Hex] = {}
        for fighter in fighters:
            word = next((word for word in fighter.words if word in ways), "left")
            if word not in places:
                free = [self.beside(place, direction) for place, direction in ways[word]]
                free = [place for place in free if place not in taken]
                if not free:
                    raise InputError(f'no hex is free {word} of the {SIDE_NAMES[side]}s: an enemy or a friend has it')
                places[word] = free[0]
                taken.append(free[0])
            found.append(places[word])
        return found

    # -- ground ----------------------------------------------------------------------------------------------------

    def ground(self, fighters: Sequence[Fighter], place: Hex) -> None:
        """Give a hex the terrain that is said of its units.

        Raises:
            InputError: they say two kinds, or one that nobody may enter.
        """
        said: set[str] = set()
        for fighter in fighters:
            said.update(word for word in fighter.words if self.words[word].group == "terrain")
        if len(said) > 1:
            raise InputError(f"one hex is of one terrain, not of {' and '.join(sorted(said))}")
        for word in said:
            terrain = self.charts.terrain(word)
            if terrain.cost(FOOT) >= PROHIBITED:
                raise InputError(f"no unit may stand in {word} (18.1)")
            place.terrain = terrain

    def crossed(self, places: Sequence[Hex], targets: Sequence[Hex]) -> list[tuple[Hex, Hex]]:
        """The hexsides of the targets over which the combat goes: from adjacent hexes, or the last ones of a fire."""
        found: list[tuple[Hex, Hex]] = []
        for place in places:
            for target in targets:
                distance = place.distance_to(target)
                if distance == 1:
                    found.append((place, target))
                elif self.situation.kind == FIRE:
                    near = [side.to for side in target.sides if side.on_map]
                    found.extend([(hex_, target) for hex_ in near if hex_.distance_to(place) == distance - 1])
        return found

    def support_ground(self, fighters: Sequence[Fighter], places: Sequence[Hex]) -> None:
        """Terrain of supporters' hexes; nobody attacks them, so no hexside counts.

        Raises:
            InputError: a hexside is said of a supporter.
        """
        for fighter in fighters:
            for word in fighter.words:
                if self.words[word].place == HEXSIDE or word == "breastworks":
                    raise InputError(f'"{word}" is said of who is attacked or attacks, not of supporters')
        for place in set(places):
            self.ground([fighter for fighter, at in zip(fighters, places, strict=True) if at is place], place)

    def hexsides(self, fighters: Sequence[Fighter], pairs: Sequence[tuple[Hex, Hex]]) -> None:
        """Put the hexsides that are said of a stack between pairs of hexes, the defenders' second."""
        for fighter in fighters:
            for word in fighter.words:
                if self.words[word].place != HEXSIDE:
                    continue
                feature = self.charts.hexside(word)
                for first, second in pairs:
                    near = first.sides[first.direction_to(second)]
                    far = second.sides[second.direction_to(first)]
                    for side in (near, far):
                        if feature in side.features:
                            continue
                        side.features.append(feature)
                        if word == "bridge":
                            side.bridge = True
                        elif word.startswith("ford_"):
                            side.ford = word[-1].upper()
                    if feature.levels > 0:
                        second.elevation = max(second.elevation, first.elevation + feature.levels)

    def finish(self) -> Layout:
        situation = self.situation
        targets = self.defending()
        places = self.attacking(targets)
        taken = [*targets, *places]
        behind = self.supporting(situation.defending_support, targets, taken, DEFENDER)
        beside = self.supporting(situation.attacking_support, places, taken, ATTACKER)
        pairs = self.crossed(places, targets)
        for stack, place in zip(situation.defenders, targets, strict=True):
            self.ground(stack, place)
            self.hexsides(stack, [pair for pair in pairs if pair[1] is place])
        for stack, place in zip(situation.attackers, places, strict=True):
            self.ground(stack, place)
            far = situation.kind == FIRE and situation.range > 1
            self.hexsides(stack, [pair for pair in pairs if far or pair[0] is place])
        self.support_ground(situation.defending_support, behind)
        self.support_ground(situation.attacking_support, beside)
        defenders, attackers = self._stand(targets, places, behind, beside)
        self.map.fix_costs()
        self.battle.ready()
        for stack, place in zip(situation.defenders, targets, strict=True):
            if any("breastworks" in fighter.words for fighter in stack):
                self.battle.works.stand_in(place, WEST // 2)
        series = Series(self.battle, self._options())
        self._fatigue()
        choosing = self._choices()
        series.equip(series.dice, series.log, list(choosing))
        self._begin(series, attackers)
        designations: tuple[Designation, ...] = ()
        if situation.kind == SHOCK:
            ordered = [fighter for stack in situation.attackers for fighter in stack]
            charging = [unit for unit, said in zip(attackers, ordered, strict=True) if "charge" in said.words]
            designations = designate(series, attackers, targets, charging)
        else:
            check_fire(series, attackers[0], targets[0])
        return Layout(
            situation, self.battle, series, choosing, tuple(attackers), tuple(defenders), tuple(targets), designations
        )

    def _stand(
        self, targets: list[Hex], places: list[Hex], behind: list[Hex], beside: list[Hex]
    ) -> tuple[list[Unit], list[Unit]]:
        situation = self.situation
        defenders: list[Unit] = []
        attackers: list[Unit] = []
        for stacks, hexes, side, made in (
            (situation.attackers, places, ATTACKER, attackers), (situation.defenders, targets, DEFENDER, defenders)
        ):
            for number, (stack, place) in enumerate(zip(stacks, hexes, strict=True), 1):
                for depth, fighter in enumerate(stack, 1):
                    name = f"{SIDE_NAMES[side]} {number}" + (f".{depth}" if len(stack) > 1 else "")
                    heading = WEST if side == DEFENDER else self.facing(place, targets, behind)
                    if situation.kind == FIRE and side == ATTACKER:
                        heading = EAST
                    made.append(self.unit(fighter, place, heading, side, name))
        for side, fighters, hexes in (
            (DEFENDER, situation.defending_support, behind), (ATTACKER, situation.attacking_support, beside)
        ):
            for number, (fighter, place) in enumerate(zip(fighters, hexes, strict=True), 1):
                heading = WEST if side == DEFENDER else EAST
                self.unit(fighter, place, heading, side, f"{SIDE_NAMES[side]} support {number}")
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
        if self._tired():
            options.set("fatigue", "yes")
        return options

    def _tired(self) -> list[tuple[Unit, int]]:
        found: list[tuple[Unit, int]] = []
        ordered = [
            *[fighter for stack in self.situation.attackers for fighter in stack],
            *[fighter for stack in self.situation.defenders for fighter in stack],
            *self.situation.defending_support, *self.situation.attacking_support,
        ]
        for unit, fighter in zip(self.battle.units, ordered, strict=True):
            found.extend([(unit, int(word[-1])) for word in fighter.words if word.startswith("fatigue")])
        return found

    def _fatigue(self) -> None:
        levels: dict[int, int] = {}
        for unit, level in self._tired():
            if levels.setdefault(int(unit.side), level) != level:
                raise InputError(f"the {SIDE_NAMES[unit.side]}s are one brigade, of one Fatigue Level (17.1)")
        for side, level in levels.items():
            for unit in self.brigades[side].units:
                unit.fatigue.place(FATIGUE_0 + level)

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

    def _begin(self, series: Series, attackers: list[Unit]) -> None:
        """The attackers' brigade is active and has done what is said of it."""
        battle = self.battle
        battle.phasing = ATTACKER
        battle.active = [self.brigades[ATTACKER]]
        battle.activation = 1
        for unit in battle.units:
            unit.begin_activation()
            unit.active = unit.side == ATTACKER
            unit.stood_adjacent = battle.beside_enemy(unit)
        ordered = [fighter for stack in self.situation.attackers for fighter in stack]
        for unit, fighter in zip(attackers, ordered, strict=True):
            charging = "charge" in fighter.words
            unit.moved = charging or "moved" in fighter.words
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
        raise InputError(f"the rules do not allow this: {error}") from None
