"""From a scenario to a battle: map, charts, forces, set-up and rules put together, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from simkit.errors import InputError
from simkit.model.battle import DAWN, DAY, DUSK, NIGHT, Battle, Turn
from simkit.model.battlemap import BattleMap, Hex
from simkit.model.charts import (
    AGGRESSIVE,
    CAUTIOUS,
    FOOT,
    GUNS,
    HORSE,
    NORMAL,
    ONE_MP,
    PROHIBITED,
    UNRELIABLE,
    Charts,
)
from simkit.model.counters import Counter, Ratings
from simkit.model.entrances import Entrance, Reinforcement
from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    CAVALRY,
    INFANTRY,
    KINDS,
    LEVELS,
    MARCH,
    ORDERS,
    SIDES,
    Command,
    Leader,
    Unit,
)
from simkit.model.hexgrid import HEADING_NAMES, heading_towards
from simkit.model.sections import divide, resize
from simkit.play.audit import audit
from simkit.play.scenario_rules import EfficiencyPool, FixedEfficiency, ScenarioRules
from simkit.play.victory import KINDS as VICTORIES
from simkit.rules.options import GRINGO, OPTIONS, Options
from simkit.rules.series import Series
from simkit.scenario.bookfile import Book, read_book
from simkit.scenario.charts import read_charts
from simkit.scenario.events import event_rules
from simkit.scenario.guns import artillery_commands
from simkit.scenario.mapfile import InPlay, MapFile, make_map, read_map
from simkit.scenario.reading import Location, dotted, place_in, suggestion
from simkit.scenario.roster import CommandRow, LeaderRow, Roster, UnitRow, check_weapons, read_roster
from simkit.scenario.scenariofile import Arrival, Scenario, Stack
from simkit.scenario.study import Change
from simkit.scenario.tired import fatigue_rules, set_up_fatigue
from simkit.scenario.unknowns import Shifts, unknowns_of
from simkit.scenario.works import building_rules, set_up_works

LIGHTS = {"day": DAY, "dawn": DAWN, "dusk": DUSK, "night": NIGHT}
PROFILE_LETTERS = {"A": AGGRESSIVE, "N": NORMAL, "C": CAUTIOUS, "U": UNRELIABLE}


@dataclass(frozen=True)
class Overlay:
    """Changes of a scenario's data.

    Attributes:
        changes: strengths of units, brigades or sides, applied in this order.
        numbers: by how much unknown numbers of the book are moved (`simkit.scenario.unknowns`).
    """

    changes: Sequence[Change] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """A battle ready to be played, with the rules that govern it and the data that it is made of."""

    scenario: Scenario
    battle: Battle
    series: Series
    rules: ScenarioRules
    charts: Charts
    drawing: MapFile
    roster: Roster
    book: Book


def build(scenario: Scenario, options: Mapping[str, object] | None = None, overlay: Overlay | None = None) -> Built:
    """Put a battle together from a scenario.

    Args:
        scenario: as `load` gives it.
        options: optional rules by name (see `simkit.rules.options`); true and false count as yes and no. The edition
            of the series rules is that of the scenario's book unless they name another.
        overlay: changes of strengths and of unknown numbers.

    Raises:
        InputError: data of scenario, roster, map or charts do not fit together, or an option is unknown.
    """
    return _Builder(scenario, options or {}, overlay or Overlay()).build()


def read_options(options: Mapping[str, object]) -> Options:
    """Options from their texts.

    Raises:
        InputError: an option is unknown or has a value that it can't have.
    """
    made = Options()
    known = [option.name for option in OPTIONS]
    for name, value in options.items():
        if name not in known:
            raise InputError(f'unknown option "{name}"{suggestion(name, known)}')
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        try:
            made.set(name, text)
        except ValueError as error:
            raise InputError(str(error)) from None
    return made


class _Builder:
    def __init__(self, scenario: Scenario, options: Mapping[str, object], overlay: Overlay) -> None:
        self.scenario = scenario
        self.book = read_book(scenario.folder)
        self.options = read_options({"edition": self.book.edition, **options})
        self.overlay = overlay
        shifts = Shifts(unknowns_of(scenario.folder), self.overlay.numbers)
        self.roster = shifts.move_roster(read_roster(scenario.folder / "roster"))
        self.charts = read_charts(scenario.folder / "charts", shifts=shifts)
        check_weapons(self.roster, self.charts, scenario.folder / "roster")
        map_path = scenario.folder / scenario.scenario.map
        self.drawing = read_map(map_path)
        head = scenario.scenario
        field = InPlay(head.sheets, head.in_play, lambda key, at, what: self.wrong(("scenario", key, at), what))
        self.map: BattleMap = make_map(self.drawing, self.charts, map_path, head.water, field)
        self.commands: dict[tuple[str, str], Command] = {}
        self.units: dict[str, Unit] = {}
        self.leaders: dict[str, Leader] = {}
        self.superiors: dict[tuple[str, str], str] = {}

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file; the empty location is the whole file."""
        at = place_in(self.scenario.path, where)
        return InputError(f"{at}: {dotted(where)}: {what}" if where else f"{at}: {what}")

    def build(self) -> Built:
        turns = [Turn(turn.label, LIGHTS[turn.light]) for turn in self.scenario.turn]
        battle = Battle(self.scenario.id, self.map, self.charts, turns)
        self.superiors = self.changed_superiors()
        for number, stack in enumerate(self.scenario.setup):
            self.set_up(battle, stack, ("setup", number))
        for number, arrival in enumerate(self.scenario.reinforcement):
            self.expect(battle, arrival, ("reinforcement", number))
        for side in SIDES:
            if not any(SIDES[unit.side] == side for unit in battle.units):
                raise self.wrong(("setup",), f"the {side} side has no unit; each side needs at least one")
        self.check_objectives()
        artillery_commands(self, battle)
        self.list_commands(battle)
        self.change_strengths(battle)
        self.face_the_enemy(battle)
        set_up_works(self, battle)
        orders = ORDERS.index(self.scenario.scenario.orders)
        for unit in battle.units:
            unit.orders = ADVANCE if unit.kind == ARTILLERY and orders == ATTACK else orders  # 6.18
        for brigade in battle.brigades:
            brigade.orders = orders
        set_up_fatigue(self)
        rules = self.rules(battle)
        series = Series(battle, self.options)
        series.scenario = rules
        battle.ready()
        problems = audit(battle)
        if problems:
            stacks = [number for number, stack in enumerate(self.scenario.setup) if stack.hex in problems[0]]
            raise self.wrong(("setup", *stacks[:1]), f"the set-up is illegal: {problems[0]}")
        return Built(self.scenario, battle, series, rules, self.charts, self.drawing, self.roster, self.book)

    def check_objectives(self) -> None:
        for number, wanted in enumerate(self.scenario.objective):
            self.place(wanted.hex, ("objective", number, "hex"))
            known = [f"{side}/{code}" for side, code in self.commands if side == wanted.side]
            for name in wanted.commands:
                if name not in known:
                    what = f'no {wanted.side} command "{name}" in this battle{suggestion(name, known)}'
                    raise self.wrong(("objective", number, "commands"), what)

    # -- forces ----------------------------------------------------------------------------------------------------

    def command(self, side: str, code: str) -> Command:
        """The command of a code, made with all above it when first asked for."""
        known = self.commands.get((side, code))
        if known is not None:
            return known
        row = next(row for row in self.roster.commands if (row.side, row.code) == (side, code))
        made = Command(code, row.name or code, SIDES.index(side), LEVELS.index(row.level))
        made.artillery = row.artillery
        self.commands[side, code] = made
        superior = self.superiors.get((side, code), row.superior)
        if superior:
            made.superior = self.command(side, superior)
            made.superior.subordinates.append(made)
        return made

    def command_row(self, side: str, code: str, where: Location) -> CommandRow:
        for row in self.roster.commands:
            if row.side == side and row.code == code:
                return row
        codes = [row.code for row in self.roster.commands if row.side == side]
        raise self.wrong(where, f'unknown {side} command "{code}"{suggestion(code, codes)}')

    def changed_superiors(self) -> dict[tuple[str, str], str]:
        """Codes of the superiors that differ in this scenario, by side and code; each stands above its command."""
        changed: dict[tuple[str, str], str] = {}
        for number, change in enumerate(self.scenario.superior):
            where: Location = ("superior", number, "command")
            side, _, code = change.command.partition("/")
            if side not in SIDES:
                raise self.wrong(where, f'"{change.command}" must begin with Union/ or Confederate/')
            row = self.command_row(side, code, where)
            superior = self.command_row(side, change.superior, ("superior", number, "superior"))
            if not superior.above(row):
                raise self.wrong(
                    ("superior", number, "superior"),
                    f"{superior.code} is a {superior.level} and cannot command the {row.level} {row.code}",
                )
            if (side, code) in changed:
                others = f"{changed[side, code]} and {superior.code}"
                raise self.wrong(where, f"{change.command} has two superiors, {others}; a command has one")
            changed[side, code] = change.superior
        return changed

    def list_commands(self, battle: Battle) -> None:
        """List the commands by level in the battle, Union army first."""
        lists = {1: battle.brigades, 2: battle.divisions, 3: battle.corps, 4: battle.armies}
        for command in self.commands.values():
            (battle.divisions if command.artillery else lists[int(command.level)]).append(command)
        battle.armies.sort(key=lambda army: int(army.side))
        if [int(army.side) for army in battle.armies] != [0, 1]:
            raise self.wrong((), "each side needs exactly one army at the head of its commands")

    def place(self, ident: str, where: Location) -> Hex:
        try:
            return self.map.named(ident)
        except ValueError as error:
            raise self.wrong(where, str(error)) from None

    def set_up(self, battle: Battle, stack: Stack, where: Location) -> None:
        place = self.place(stack.hex, (*where, "hex"))
        for unit in self.muster(battle, stack, where):
            battle.stand(unit, place, False)
        for leader in self.officers(battle, stack, where):
            battle.stand_leader(leader, place)

    def muster(self, battle: Battle, stack: Stack | Arrival, where: Location) -> list[Unit]:
        """The units that a table of the scenario names, off the map."""
        kind = "hex" if isinstance(stack, Stack) else "group"
        for ident in stack.strength:
            if ident not in stack.units:
                raise self.wrong(
                    (*where, "strength"),
                    f'"{ident}" is not among the units of this {kind}{suggestion(ident, stack.units)}',
                )
        for ident in stack.dismounted:
            if ident not in stack.units:
                raise self.wrong(
                    (*where, "dismounted"),
                    f'"{ident}" is not among the units of this {kind}{suggestion(ident, stack.units)}',
                )
        found: list[Unit] = []
        for ident in stack.units:
            try:
                row = self.roster.unit(ident)
            except KeyError as error:
                raise self.wrong((*where, "units"), str(error.args[0])) from None
            if ident in self.units:
                raise self.wrong((*where, "units"), f"{ident} is set up twice; it already {self.found(ident)}")
            strength = stack.strength.get(ident, row.full)
            try:
                guns = row.guns_by_section(strength)
            except ValueError as error:
                raise self.wrong((*where, "strength"), str(error)) from None
            unit = self.unit(row, sum(guns) or int(strength), guns)
            if ident in stack.dismounted:
                self.dismount(unit, stack, (*where, "dismounted"))
            self.units[ident] = unit
            battle.units.append(unit)
            found.append(unit)
        return found

    def officers(self, battle: Battle, stack: Stack | Arrival, where: Location) -> list[Leader]:
        """The leaders that a table of the scenario names, off the map."""
        found: list[Leader] = []
        for ident in stack.leaders:
            try:
                row = self.roster.leader(ident)
            except KeyError as error:
                raise self.wrong((*where, "leaders"), str(error.args[0])) from None
            if ident in self.leaders:
                raise self.wrong((*where, "leaders"), f"{ident} is set up twice; he already {self.found(ident)}")
            leader = self.leader(row)
            self.leaders[ident] = leader
            battle.leaders.append(leader)
            found.append(leader)
        return found

    def found(self, ident: str) -> str:
        """Where a unit or leader is that has already been named."""
        counter = self.units.get(ident) or self.leaders[ident]
        if counter.arrival is not None:
            return f"enters through {', '.join(entrance.hex.id for entrance in counter.arrival.entrances)}"
        return f"stands in {counter.hex.id}" if counter.hex is not self.map.off else "stands in this list"

    def unit(self, row: UnitRow, strength: int, guns: list[int]) -> Unit:
        """A unit of a strength; `guns` are those of each section of a battery that has several (8.37)."""
        command = self.command(row.side, row.brigade)
        unit = Unit(
            row.id, row.name, SIDES.index(row.side), KINDS.index(row.kind), strength, row.full,
            self.charts.weapon(row.weapons[0]), row.cohesion, row.cohesion_disordered, row.movement,
            row.movement_disordered, row.green, row.horse, command, self.map.off,
        )
        if row.sections:
            divide(unit, [self.charts.weapon(code) for code in row.weapons], guns, [full for full, _ in row.sections])
        if row.may_dismount:
            unit.counters.append(
                Counter(
                    self.charts.weapon(row.dismounted_weapon), row.dismounted_cohesion or 0,
                    row.dismounted_cohesion_disordered or 0, row.dismounted_movement or 0,
                    row.dismounted_movement_disordered or 0,
                )
            )
        command.units.append(unit)
        return unit

    def dismount(self, unit: Unit, stack: Stack | Arrival, where: Location) -> None:
        """14.21, 8.12: set a unit up dismounted, which its orders must allow."""
        if not unit.may_dismount():
            raise self.wrong(where, f"{unit.id} has no dismounted counter in the roster (14.21)")
        orders = stack.orders if isinstance(stack, Arrival) else [self.scenario.scenario.orders]
        if orders == [ORDERS[MARCH]] and self.options.edition > GRINGO:
            raise self.wrong(where, f"{unit.id} may not be under March Orders dismounted (8.12)")
        unit.show(False)

    def leader(self, row: LeaderRow) -> Leader:
        command = self.command(row.side, row.command)
        front = Ratings(
            row.name, row.range, row.initiative, row.efficiency, row.coordination, row.activation,
            PROFILE_LETTERS[row.profile], row.orders,
        )
        back = Ratings(
            row.replacement or row.name, row.replacement_range, 0, row.replacement_efficiency,
            row.replacement_coordination, row.replacement_activation, PROFILE_LETTERS[row.replacement_profile],
            row.replacement_orders,
        )
        leader = Leader(
            row.id, SIDES.index(row.side), LEVELS.index(row.level), front, back, bool(row.replacement), command,
            self.map.off,
        )
        command.leader_list.append(leader)
        return leader

    # -- reinforcements (9.7) --------------------------------------------------------------------------------------

    def expect(self, battle: Battle, arrival: Arrival, where: Location) -> None:
        """Make a group of reinforcements, which stays off the map until its turn."""
        if not arrival.units and not arrival.leaders:
            raise self.wrong(where, "it has neither units nor leaders")
        entrances = [
            self.entrance(battle, ident, arrival.inside, (*where, "hexes", number))
            for number, ident in enumerate(arrival.hexes)
        ]
        units = self.muster(battle, arrival, where)
        leaders = self.officers(battle, arrival, where)
        if len({int(side) for side in [unit.side for unit in units] + [leader.side for leader in leaders]}) > 1:
            raise self.wrong(where, "it has units or leaders of both sides; make it two groups")
        for unit in units:
            if not any(self.admits(entrance, unit) for entrance in entrances):
                raise self.wrong((*where, "hexes"), f"{unit.id} has not the movement points to enter there")
        ways = [entrance.way(gate) for entrance in entrances for gate in entrance.gates]
        if leaders and all(way.leader_cost >= PROHIBITED for way in ways):
            raise self.wrong((*where, "hexes"), f"{leaders[0].id} cannot enter there; no leader can")
        orders = [ORDERS.index(name) for name in arrival.orders]
        activations = -1 if arrival.activations is None else arrival.activations
        battle.reinforcements.append(
            Reinforcement(
                self.turn(arrival.turn, (*where, "turn")), entrances, units, leaders, orders, activations,
                arrival.sequence,
            )
        )

    def turn(self, named: str | int, where: Location) -> int:
        """The place of a turn on the track, counted from 0, by its label or its number from 1."""
        labels = [turn.label for turn in self.scenario.turn]
        if isinstance(named, int):
            if not 1 <= named <= len(labels):
                raise self.wrong(where, f"there is no turn {named}; there are {len(labels)}")
            return named - 1
        if named not in labels:
            raise self.wrong(where, f'unknown turn "{named}"{suggestion(named, labels)}')
        several = labels.count(named)
        if several > 1:
            raise self.wrong(where, f'{several} turns are labelled "{named}"; name it by its number, from 1')
        return labels.index(named)

    def entrance(self, battle: Battle, ident: str, inside: bool, where: Location) -> Entrance:
        """The entrance in a hex, made when first asked for."""
        place = self.place(ident, where)
        if place.entrance is not None:
            if place.entrance.inside != inside:
                raise self.wrong(where, f"{place.id} is an entrance on the edge for one group and inside for another")
            return place.entrance
        made = Entrance(place, self.map, inside)
        if not made.gates:
            raise self.wrong(where, f"{place.id} does not lie on the edge of the map (9.71)")
        made.fix_costs()
        battle.entrances.append(made)
        return made

    @staticmethod
    def admits(entrance: Entrance, unit: Unit) -> bool:
        """9.41, 9.42: whether a unit can pay for an entrance with its whole allowance."""
        mover = GUNS if unit.kind == ARTILLERY else HORSE if unit.is_mounted() else FOOT
        ways = [entrance.way(gate) for gate in entrance.gates]
        return any(min(way.costs[mover], way.advance[mover]) <= unit.movement_good * ONE_MP for way in ways)

    def change_strengths(self, battle: Battle) -> None:
        for change in self.overlay.changes:
            touched = [
                unit for unit in battle.units
                if change.unit == unit.id or change.brigade == unit.command.code or change.side == SIDES[unit.side]
            ]
            if change.brigade is not None:
                touched = [unit for unit in touched if unit.kind in (INFANTRY, CAVALRY)]
            if not touched:
                name = change.unit or change.brigade or change.side or ""
                known = [u.id for u in battle.units] if change.unit else [c.code for c in battle.brigades]
                raise InputError(f'change: nothing in {self.scenario.id} is called "{name}"{suggestion(name, known)}')
            for unit in touched:
                unit.strength = change.apply(int(unit.strength))
                if unit.sections:
                    resize(unit, unit.strength)
                unit.start = unit.strength
                unit.full = max(unit.full, unit.strength)

    def face_the_enemy(self, battle: Battle) -> None:
        """Face each stack as its set-up says, else towards the middle of the enemy; owners change it on deploying."""
        for stack in self.scenario.setup:
            place = self.map.named(stack.hex)
            if not place.stack:
                continue
            heading = self.facing_enemy(battle, place, place.stack[0].unit.side)
            if stack.heading is not None:
                heading = HEADING_NAMES.index(stack.heading)
            for part in place.stack:
                part.unit.heading = heading

    def facing_enemy(self, battle: Battle, place: Hex, side: int) -> int:
        """The heading from a hex towards the middle of a side's enemies, or of where they enter."""
        enemies = [unit for unit in battle.units if unit.side != side]
        there = [unit.hex for unit in enemies if unit.arrival is None] or [
            entrance.hex for unit in enemies if unit.arrival for entrance in unit.arrival.entrances
        ]
        dq = sum(int(enemy.q) for enemy in there) // len(there) - int(place.q)
        dr = sum(int(enemy.r) for enemy in there) // len(there) - int(place.r)
        return int(heading_towards(dq, dr))

    # -- rules -----------------------------------------------------------------------------------------------------

    def rules(self, battle: Battle) -> ScenarioRules:
        """What the scenario lays down about initiative, efficiency and victory."""
        head = self.scenario.scenario
        made = ScenarioRules()
        made.first_initiative = -1 if head.initiative is None else SIDES.index(head.initiative)
        made.victory = self.scenario.victory.kind
        if made.victory not in VICTORIES:
            raise self.wrong(("victory", "kind"), f'unknown kind "{made.victory}"{suggestion(made.victory, VICTORIES)}')
        last = len(battle.turns) - 1
        for owner, markers in self.scenario.efficiency.pool.items():
            made.pools.append(EfficiencyPool(SIDES.index(owner), markers, 0, last))
        for name, number in self.scenario.efficiency.fixed.items():
            side, _, code = name.partition("/")
            command = self.commands.get((side, code))
            if command is None:
                known = [f"{s}/{c}" for s, c in self.commands]
                raise self.wrong(
                    ("efficiency", "fixed"), f'no command "{name}" in this battle{suggestion(name, known)}'
                )
            made.fixed.append(FixedEfficiency(command, number, 0, last))
        try:
            made.check(battle)
        except ValueError as error:
            raise self.wrong(("efficiency",), str(error)) from None
        building_rules(self, made)
        fatigue_rules(self, made)
        event_rules(self, made)
        return made

