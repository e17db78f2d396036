"""From a scenario to a battle: map, charts, forces, set-up and rules put together, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from simkit.errors import InputError
from simkit.model.battle import Battle, Turn
from simkit.model.battlemap import Hex
from simkit.model.charts import Charts
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY, ELIMINATED, INFANTRY, ORDERS, SIDES, Unit
from simkit.model.hexgrid import HEADING_NAMES, heading_towards
from simkit.model.leaders import Leader
from simkit.model.sections import resize
from simkit.play.audit import audit
from simkit.play.scenario_rules import AddedMarkers, ScenarioRules, SetUpArea
from simkit.rules.options import OPTIONS, Options
from simkit.rules.series import Series
from simkit.scenario.bookfile import Book, read_book
from simkit.scenario.charts import read_charts
from simkit.scenario.entries import Entries
from simkit.scenario.events import event_rules
from simkit.scenario.forcesfile import Stack
from simkit.scenario.guns import artillery_commands
from simkit.scenario.mapfile import InPlay, MapFile, draw_map, read_map
from simkit.scenario.optional import OPTION, Choice, choose
from simkit.scenario.places import clear_of, hexes_of, within
from simkit.scenario.reading import Location, suggestion
from simkit.scenario.roster import Roster, check_weapons, read_roster
from simkit.scenario.scenariofile import Scenario
from simkit.scenario.scenariorules import (
    LIGHTS,
    crossing_rules,
    efficiency_rules,
    movement_limits,
    surprise_rules,
    victory_rules,
    visibility_rules,
)
from simkit.scenario.specialcommands import special_commands
from simkit.scenario.study import Change
from simkit.scenario.tired import fatigue_rules, set_up_fatigue
from simkit.scenario.unknowns import Shifts, unknowns_of
from simkit.scenario.works import building_rules, set_up_works


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
    """A battle ready to be played, with the rules that govern it and the data that it is made of.

    `out_of_play` are units and leaders who, the scenario says, take no part, `replaced` leaders in whose place others
    stand, and `named` the units and leaders of each of its tables, whole commands included.
    """

    scenario: Scenario
    battle: Battle
    series: Series
    rules: ScenarioRules
    charts: Charts
    drawing: MapFile
    roster: Roster
    book: Book
    out_of_play: frozenset[str]
    replaced: frozenset[str]
    named: Mapping[Location, Sequence[str]]


def build(scenario: Scenario, options: Mapping[str, object] | None = None, overlay: Overlay | None = None) -> Built:
    """Put a battle together from a scenario.

    Args:
        scenario: as `load` gives it.
        options: optional rules by name (see `simkit.rules.options`); true and false count as yes and no. The edition
            of the series rules is that of the scenario's book unless they name another. `optional` names the optional
            forces that take part (20.1 of Dead of Winter), with commas between them.
        overlay: changes of strengths and of unknown numbers.

    Raises:
        InputError: data of scenario, roster, map or charts do not fit together, or an option is unknown.
    """
    return _Builder(scenario, options or {}, overlay or Overlay()).build()


def check_numbers(scenario: Scenario, numbers: Mapping[str, float]) -> None:
    """See that unknown numbers of a scenario's book can be moved so, for which its battle need not be built.

    Raises:
        InputError: there is no such number, it is out of its range, or the charts moved are none.
    """
    read_charts(scenario.folder / "charts", shifts=Shifts(unknowns_of(scenario.folder), numbers))


def read_options(options: Mapping[str, object]) -> Options:
    """Options from their texts; `optional` is none of the rules, and left to `build`.

    Raises:
        InputError: an option is unknown or has a value that it can't have.
    """
    made = Options()
    known = [*(option.name for option in OPTIONS), OPTION]
    for name, value in options.items():
        if name not in known:
            raise InputError(f'unknown option "{name}"{suggestion(name, known)}')
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        if name == OPTION:
            continue
        try:
            made.set(name, text)
        except ValueError as error:
            raise InputError(str(error)) from None
    return made


class _Builder(Entries):
    def __init__(self, scenario: Scenario, options: Mapping[str, object], overlay: Overlay) -> None:
        super().__init__()
        self.scenario = scenario
        self.book = read_book(scenario.folder)
        self.options = read_options({"edition": self.book.edition, **options})
        self.overlay = overlay
        shifts = Shifts(unknowns_of(scenario.folder), self.overlay.numbers)
        self.roster = shifts.move_roster(read_roster(scenario.folder / "roster"))
        self.charts = read_charts(scenario.folder / "charts", shifts=shifts)
        check_weapons(self.roster, self.charts, scenario.folder / "roster")
        map_path = scenario.folder / scenario.scenario.map
        head = scenario.scenario
        played = InPlay(head.sheets, head.in_play, lambda key, at, what: self.wrong(("scenario", key, at), what))
        self.map, self.drawing = draw_map(read_map(map_path), self.charts, map_path, head.water, played)
        self.superiors = self.changed_superiors()
        self.choice: Choice = choose(self, str(options.get(OPTION, "")))
        self.areas: list[tuple[Stack, Location, list[Unit], list[Leader]]] = []

    def build(self) -> Built:
        turns = [Turn(turn.label, LIGHTS[turn.light]) for turn in self.scenario.turn]
        battle = Battle(self.scenario.id, self.map, self.charts, turns)
        self.make_forces(battle)
        for side in SIDES:
            if not any(SIDES[unit.side] == side for unit in battle.units):
                raise self.wrong(("setup",), f"the {side} side has no unit; each side needs at least one")
        self.check_objectives()
        artillery_commands(self, battle)
        self.arrange(battle)
        self.list_commands(battle)
        special_commands(self, battle)
        self.change_strengths(battle)
        orders = ORDERS.index(self.scenario.scenario.orders)
        for unit in battle.units:
            unit.orders = ADVANCE if unit.kind == ARTILLERY and orders == ATTACK else orders  # 6.18
        for brigade in battle.brigades:
            brigade.orders = orders
        series = Series(battle, self.options)
        self.spread(series)
        self.face_the_enemy(battle)
        set_up_works(self, battle)
        self.works_of_stacks(battle)
        set_up_fatigue(self)
        series.scenario = self.rules(battle, series.scenario)
        movement_limits(self, battle)
        battle.ready()
        problems = audit(battle)
        if problems:
            stacks = [at for at, stack in enumerate(self.scenario.setup) if stack.hex and stack.hex in problems[0]]
            raise self.wrong(("setup", *stacks[:1]), f"the set-up is illegal: {problems[0]}")
        return Built(
            self.scenario, battle, series, series.scenario, self.charts, self.drawing, self.roster, self.book,
            frozenset(self.out_of_play), frozenset(self.choice.replaced), dict(self.named),
        )

    def make_forces(self, battle: Battle) -> None:
        """All units and leaders of the scenario and of the optional forces that are chosen, and where they are."""
        self.off_map(battle)
        # who is not in play by the scenario and has been bought is (20.1)
        for table in (*self.choice.setups, *self.choice.arrivals):
            self.out_of_play.difference_update([*table.units, *table.leaders])
        for number, stack in enumerate(self.scenario.setup):
            self.set_up(battle, stack, ("setup", number))
        for stack in self.choice.setups:
            self.set_up(battle, stack, (OPTION,))
        for number, arrival in enumerate(self.scenario.reinforcement):
            self.expect(battle, arrival, ("reinforcement", number))
        for arrival in self.choice.arrivals:
            self.expect(battle, arrival, (OPTION,))
        self.late_groups(battle)
        self.attach()
        for replaced, by in self.choice.replaced.items():
            if by not in self.leaders:
                raise InputError(f"option {OPTION}: {replaced} is not in {self.scenario.id}, so nobody can replace him")

    def check_objectives(self) -> None:
        for number, wanted in enumerate(self.scenario.objective):
            where: Location = ("objective", number)
            self.place(wanted.hex, (*where, "hex"))
            last = len(self.scenario.turn) - 1
            first = 0 if wanted.since is None else self.turn(wanted.since, (*where, "since"))
            until = last if wanted.until is None else self.turn(wanted.until, (*where, "until"))
            if first > until:
                raise self.wrong((*where, "until"), "the objective ends before it begins")
            known = [f"{side}/{code}" for side, code in self.commands if side == wanted.side]
            for name in wanted.commands:
                if name not in known:
                    what = f'no {wanted.side} command "{name}" in this battle{suggestion(name, known)}'
                    raise self.wrong((*where, "commands"), what)

    # -- set-up ----------------------------------------------------------------------------------------------------

    def set_up(self, battle: Battle, stack: Stack, where: Location) -> None:
        """Make the units and leaders of a table, and put them into its hex; those of an area wait for `spread`."""
        idents, chiefs = self.members(stack, where)
        if any(chief in self.choice.replaced for chief in chiefs):
            chiefs = [self.choice.replaced.get(chief, chief) for chief in chiefs]
        place = self.place(stack.hex, (*where, "hex")) if stack.hex is not None else self.map.off
        units = self.muster(battle, stack, idents, where)
        leaders = self.officers(battle, stack, chiefs, where)
        if not stack.fixed:
            self.areas.append((stack, where, units, leaders))
            return
        for unit in units:
            battle.stand(unit, place, False)
        for leader in leaders:
            battle.stand_leader(leader, place)

    def spread(self, series: Series) -> None:
        """Set up sensibly whose owner may choose among several hexes; he may change it on deploying."""
        for stack, where, units, leaders in self.areas:
            if not units and not leaders:
                continue
            side = int((units[0] if units else leaders[0]).side)
            hexes, middle = self.hexes_of_spot(series.battle, stack, side, where)
            area = SetUpArea(units, leaders, hexes, middle)
            homeless = series.setting_up.spread(area)
            if homeless is not None:
                raise self.wrong(where, f"there is no room for {homeless.id} in the {len(hexes)} hexes allowed")
            series.scenario.areas.append(area)

    def hexes_of_spot(
        self, battle: Battle, stack: Stack, side: int, where: Location
    ) -> tuple[list[Hex], Hex]:
        """The hexes in which the units of a table may start, and the one round which they gather."""
        if stack.area:
            try:
                hexes = hexes_of(stack.area, self.map)
            except ValueError as error:
                raise self.wrong((*where, "area"), str(error)) from None
        elif stack.leader is not None:
            leader = self.leaders.get(self.choice.replaced.get(stack.leader, stack.leader))
            if leader is None or leader.hex is self.map.off:
                what = f'no leader "{stack.leader}" on the map{suggestion(stack.leader, self.leaders)}'
                raise self.wrong((*where, "leader"), what)
            reach = int(leader.ratings().command_range) if stack.command_range else stack.within
            hexes = within(leader.hex, reach, self.map)
        else:
            hexes = within(self.place(stack.hex or "", (*where, "hex")), stack.within, self.map)
        if stack.clear_of_enemy:
            enemies = [unit for unit in battle.units if unit.side != side]
            hexes = clear_of(hexes, enemies, stack.clear_of_enemy)
            if not hexes:
                raise self.wrong((*where, "clear_of_enemy"), "no hex is so far from the enemy")
        return hexes, self.middle_of(battle, stack, side, hexes)

    def middle_of(self, battle: Battle, stack: Stack, side: int, hexes: list[Hex]) -> Hex:
        """The hex of an area round which its units gather: its own middle, or the nearest to their friends."""
        if stack.hex is not None:
            wanted = self.map.named(stack.hex)
        elif stack.leader is not None:
            wanted = self.leaders[self.choice.replaced.get(stack.leader, stack.leader)].hex
        else:
            friends = [unit.hex for unit in battle.units if unit.side == side and unit.hex.index >= 0] or hexes
            q = sum(int(place.q) for place in friends) // len(friends)
            r = sum(int(place.r) for place in friends) // len(friends)
            wanted = self.map.at_axial(q, r)
            if wanted is self.map.off:
                wanted = hexes[len(hexes) // 2]
        return min(hexes, key=lambda place: int(place.distance_to(wanted)))

    def works_of_stacks(self, battle: Battle) -> None:
        """15.1: a marker in each hex of the units that start behind breastworks, facing as they do."""
        for number, stack in enumerate(self.scenario.setup):
            if not stack.breastworks:
                continue
            idents, _ = self.members(stack, ("setup", number))
            hexes = {self.units[ident].hex.id: self.units[ident].hex for ident in idents}
            if not hexes:
                raise self.wrong(("setup", number, "breastworks"), "no unit stands behind them; use [[breastworks]]")
            for place in hexes.values():
                vertex = int(place.stack[0].unit.heading) // 2
                if vertex not in place.works:
                    battle.works.stand_in(place, vertex)

    def change_strengths(self, battle: Battle) -> None:
        for change in self.overlay.changes:
            touched = [
                unit for unit in battle.units
                if (change.unit == unit.id or change.brigade == unit.command.code or change.side == SIDES[unit.side])
                and unit.place != ELIMINATED
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
        told: dict[str, int] = {}
        for stack in self.scenario.setup:
            if stack.heading is None:
                continue
            hexes = [self.map.named(stack.hex or "")] if stack.fixed else [self.units[u].hex for u in stack.units]
            told.update({place.id: HEADING_NAMES.index(stack.heading) for place in hexes})
        for place in self.map.hexes:
            if not place.stack:
                continue
            heading = told.get(place.id, -1)
            if heading < 0:
                heading = self.facing_enemy(battle, place, int(place.stack[0].unit.side))
            for part in place.stack:
                part.unit.heading = heading

    def facing_enemy(self, battle: Battle, place: Hex, side: int) -> int:
        """The heading from a hex towards the middle of a side's enemies, or of where they enter."""
        enemies = [unit for unit in battle.units if unit.side != side]
        there = [unit.hex for unit in enemies if unit.hex.index >= 0] or [
            entrance.hex for unit in enemies if unit.arrival for entrance in unit.arrival.entrances
        ]
        dq = sum(int(enemy.q) for enemy in there) // len(there) - int(place.q)
        dr = sum(int(enemy.r) for enemy in there) // len(there) - int(place.r)
        return int(heading_towards(dq, dr))

    # -- rules -----------------------------------------------------------------------------------------------------

    def rules(self, battle: Battle, made: ScenarioRules) -> ScenarioRules:
        """What the scenario lays down about initiative, efficiency, sight, events and victory."""
        head = self.scenario.scenario
        made.first_initiative = -1 if head.initiative is None else SIDES.index(head.initiative)
        made.first_markers = head.first_markers
        for package in self.choice.packages:
            if package.initiative:
                made.first_initiative = SIDES.index(package.side)
            if package.pool:
                chief = package.pool_leader
                if chief is not None and chief not in self.leaders:
                    what = f"{package.id} has markers while {chief} is on the map, who is not in {self.scenario.id}"
                    raise InputError(f"option {OPTION}: {what}")
                leaders = [] if chief is None else [self.leaders[chief]]
                made.added.append(AddedMarkers(SIDES.index(package.side), list(package.pool), leaders))
        efficiency_rules(self, made)
        victory_rules(self, made, battle, self.choice.credit)
        try:
            made.check(battle)
        except ValueError as error:
            raise self.wrong(("efficiency",), str(error)) from None
        visibility_rules(self, made)
        surprise_rules(self, made)
        crossing_rules(self, made)
        building_rules(self, made)
        fatigue_rules(self, made)
        event_rules(self, made)
        self.withdrawals(battle, made)
        return made
