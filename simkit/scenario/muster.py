"""The forces of a scenario, made of its roster: commands, units, leaders, and who serves under whom."""

from __future__ import annotations

from simkit.errors import InputError
from simkit.model.battle import Battle
from simkit.model.battlemap import BattleMap, Hex
from simkit.model.charts import AGGRESSIVE, CAUTIOUS, NORMAL, UNRELIABLE, Charts
from simkit.model.counters import Counter, Ratings
from simkit.model.course import Arrangement
from simkit.model.forces import (
    ARTILLERY,
    ELIMINATED,
    KINDS,
    LEVELS,
    MARCH,
    ORDERS,
    ROUTED,
    SIDES,
    Command,
    Unit,
)
from simkit.model.leaders import Leader
from simkit.model.sections import divide, resize
from simkit.rules.options import GRINGO, Options
from simkit.scenario.forcesfile import Arrival, LateGroup, Named, OffMap, Package, Stack, Withdrawal
from simkit.scenario.reading import Location, dotted, place_in, suggestion
from simkit.scenario.roster import CommandRow, LeaderRow, Roster, UnitRow
from simkit.scenario.scenariofile import Scenario

PROFILE_LETTERS = {"A": AGGRESSIVE, "N": NORMAL, "C": CAUTIOUS, "U": UNRELIABLE}


class Muster:
    """What makes the forces of a scenario, and knows those that it has made by their names."""

    scenario: Scenario
    options: Options
    roster: Roster
    charts: Charts
    map: BattleMap

    def __init__(self) -> None:
        self.commands: dict[tuple[str, str], Command] = {}
        self.units: dict[str, Unit] = {}
        self.leaders: dict[str, Leader] = {}
        self.superiors: dict[tuple[str, str], str] = {}
        self.out_of_play: set[str] = set()
        self.named: dict[Location, list[str]] = {}  # units and leaders by table

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file; the empty location is the whole file."""
        at = place_in(self.scenario.path, where)
        return InputError(f"{at}: {dotted(where)}: {what}" if where else f"{at}: {what}")

    def place(self, ident: str, where: Location) -> Hex:
        """A hex by its printed id."""
        try:
            return self.map.named(ident)
        except ValueError as error:
            raise self.wrong(where, str(error)) from None

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

    # -- commands --------------------------------------------------------------------------------------------------

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
        """The roster's row of a command."""
        for row in self.roster.commands:
            if row.side == side and row.code == code:
                return row
        codes = [row.code for row in self.roster.commands if row.side == side]
        raise self.wrong(where, f'unknown {side} command "{code}"{suggestion(code, codes)}')

    def row_of(self, name: str, where: Location) -> CommandRow:
        """The roster's row of a command by its "Side/code"."""
        side, _, code = name.partition("/")
        if side not in SIDES:
            raise self.wrong(where, f'"{name}" must begin with Union/ or Confederate/')
        return self.command_row(side, code, where)

    def in_battle(self, name: str, where: Location) -> Command:
        """A command of this battle by its "Side/code"."""
        side, _, code = name.partition("/")
        command = self.commands.get((side, code))
        if command is None:
            known = [f"{s}/{c}" for s, c in self.commands]
            raise self.wrong(where, f'no command "{name}" in this battle{suggestion(name, known)}')
        return command

    def changed_superiors(self) -> dict[tuple[str, str], str]:
        """Codes of the superiors that differ in this scenario, by side and code; each stands above its command."""
        changed: dict[tuple[str, str], str] = {}
        for number, change in enumerate(self.scenario.superior):
            where: Location = ("superior", number, "command")
            row = self.row_of(change.command, where)
            superior = self.command_row(row.side, change.superior, ("superior", number, "superior"))
            if not superior.above(row):
                raise self.wrong(
                    ("superior", number, "superior"),
                    f"{superior.code} is a {superior.level} and cannot command the {row.level} {row.code}",
                )
            if (row.side, row.code) in changed:
                others = f"{changed[row.side, row.code]} and {superior.code}"
                raise self.wrong(where, f"{change.command} has two superiors, {others}; a command has one")
            changed[row.side, row.code] = change.superior
        return changed

    def arrange(self, battle: Battle) -> None:
        """8.0: note the superiors that their side may give up."""
        for number, change in enumerate(self.scenario.superior):
            if change.dissolves:
                command = self.in_battle(change.command, ("superior", number, "command"))
                row = self.row_of(change.command, ("superior", number, "command"))
                own = self.command(row.side, row.superior)
                battle.course.arranged.append(Arrangement(command, own, command.superior))

    def list_commands(self, battle: Battle) -> None:
        """List the commands by level in the battle, Union army first."""
        lists = {1: battle.brigades, 2: battle.divisions, 3: battle.corps, 4: battle.armies}
        for command in self.commands.values():
            (battle.divisions if command.artillery else lists[int(command.level)]).append(command)
        battle.armies.sort(key=lambda army: int(army.side))
        if [int(army.side) for army in battle.armies] != [0, 1]:
            raise self.wrong((), "each side needs exactly one army at the head of its commands")

    def attach(self) -> None:
        """Put units under the commands to which the scenario attaches them."""
        for number, attached in enumerate(self.scenario.attachment):
            row = self.row_of(attached.command, ("attachment", number, "command"))
            command = self.command(row.side, row.code)
            for ident in attached.units:
                unit = self.units.get(ident)
                if unit is None:
                    where: Location = ("attachment", number, "units")
                    raise self.wrong(where, f'no unit "{ident}" in this battle{suggestion(ident, self.units)}')
                if unit.side != command.side:
                    raise self.wrong(("attachment", number, "units"), f"{ident} is of the other side than {row.code}")
                unit.command.units.remove(unit)
                unit.command = command
                command.units.append(unit)

    # -- who is meant ----------------------------------------------------------------------------------------------

    def members(self, table: Named | Withdrawal | Package, where: Location) -> tuple[list[str], list[str]]:
        """Ids of the units and leaders that a table names, those of whole commands in the order of the roster.

        Of several leaders of a command the first is meant.
        """
        units, leaders = list(table.units), list(table.leaders)
        codes: set[tuple[str, str]] = set()
        for name in table.commands:
            row = self.row_of(name, (*where, "commands"))
            codes |= self.below(row)
        own_units = [row.id for row in self.roster.units if (row.side, row.brigade) in codes]
        own_leaders = []
        for chief in self.roster.leaders:
            if (chief.side, chief.command) in codes:
                codes.discard((chief.side, chief.command))  # others than the first are for later
                own_leaders.append(chief.id)
        for ident in table.but:
            if ident not in own_units and ident not in own_leaders:
                known = [*own_units, *own_leaders]
                raise self.wrong((*where, "but"), f"{ident} is not of these commands{suggestion(ident, known)}")
        units += [ident for ident in own_units if ident not in table.but and ident not in units]
        leaders += [ident for ident in own_leaders if ident not in table.but and ident not in leaders]
        self.named[where] = [*units, *leaders]
        if table.commands and not units and not leaders:
            raise self.wrong((*where, "commands"), f"{', '.join(table.commands)}: the roster has nobody of it to place")
        return units, leaders

    def below(self, top: CommandRow) -> set[tuple[str, str]]:
        """A command and all below it in the roster, by side and code."""
        found: set[tuple[str, str]] = {(top.side, top.code)}
        for _ in LEVELS:
            found |= {(row.side, row.code) for row in self.roster.commands if (row.side, row.superior) in found}
        return found

    def muster(
        self, battle: Battle, table: Stack | Arrival | OffMap | LateGroup, idents: list[str], where: Location
    ) -> list[Unit]:
        """The units of a table of the scenario, off the map."""
        kind = {Stack: "hex", Arrival: "group", OffMap: "table", LateGroup: "group"}[type(table)]
        for key in ("strength", "dismounted", "disordered", "collapsed"):
            for ident in getattr(table, key):
                if ident not in idents:
                    what = f'"{ident}" is not among the units of this {kind}{suggestion(ident, idents)}'
                    raise self.wrong((*where, key), what)
        found: list[Unit] = []
        for ident in idents:
            try:
                row = self.roster.unit(ident)
            except KeyError as error:
                raise self.wrong((*where, "units"), str(error.args[0])) from None
            self.not_twice(ident, "it", where)
            strength = table.strength.get(ident, row.full)
            try:
                guns = row.guns_by_section(strength)
            except ValueError as error:
                raise self.wrong((*where, "strength"), str(error)) from None
            unit = self.unit(row, sum(guns) or int(strength), guns)
            if ident in table.dismounted:
                orders: list[str] = [self.scenario.scenario.orders]
                if isinstance(table, Arrival | LateGroup):
                    orders = list(table.orders)
                self.dismount(unit, orders, (*where, "dismounted"))
            self.shake(unit, table, where)
            self.units[ident] = unit
            battle.enlist(unit)
            found.append(unit)
        return found

    def not_twice(self, ident: str, pronoun: str, where: Location) -> None:
        """See that nobody is placed twice."""
        key = "units" if pronoun == "it" else "leaders"
        if ident in self.out_of_play:
            raise self.wrong((*where, key), f"{ident} is set up, but another table says that {pronoun} is not in play")
        if ident in self.units or ident in self.leaders:
            raise self.wrong((*where, key), f"{ident} is set up twice; {pronoun} already {self.found(ident)}")

    def shake(self, unit: Unit, table: Named, where: Location) -> None:
        """12.23: a unit that starts disordered or collapsed; who is collapsed is both."""
        unit.disordered = unit.id in table.disordered or unit.id in table.collapsed
        unit.collapsed = unit.id in table.collapsed
        if unit.collapsed and 2 * unit.strength >= unit.full:
            what = f"{unit.id} has {unit.strength} of {unit.full} strength points; below half it can be (12.23)"
            raise self.wrong((*where, "collapsed"), what)

    def officers(self, battle: Battle, table: Named, idents: list[str], where: Location) -> list[Leader]:
        """The leaders of a table of the scenario, off the map."""
        for ident in table.replaced:
            if ident not in idents:
                what = f'"{ident}" is not among the leaders of this table{suggestion(ident, idents)}'
                raise self.wrong((*where, "replaced"), what)
        found: list[Leader] = []
        for ident in idents:
            try:
                row = self.roster.leader(ident)
            except KeyError as error:
                raise self.wrong((*where, "leaders"), str(error.args[0])) from None
            self.not_twice(ident, "he", where)
            leader = self.leader(row)
            leader.replaced = ident in table.replaced
            if leader.replaced and not leader.replaceable:
                raise self.wrong((*where, "replaced"), f"{ident} has no replacement side in the roster")
            self.leaders[ident] = leader
            battle.leaders.append(leader)
            found.append(leader)
        return found

    def found(self, ident: str) -> str:
        """Where a unit or leader is that has already been named."""
        counter = self.units.get(ident) or self.leaders[ident]
        if counter.arrival is not None:
            return f"enters through {', '.join(entrance.hex.id for entrance in counter.arrival.entrances)}"
        if isinstance(counter, Unit) and counter.place in (ROUTED, ELIMINATED):
            return "is off the map"
        return f"stands in {counter.hex.id}" if counter.hex is not self.map.off else "stands in this list"

    def off_map(self, battle: Battle) -> None:
        """Make those who start routed or eliminated, and note who is not in play."""
        for number, table in enumerate(self.scenario.off_map):
            where: Location = ("off_map", number)
            units, leaders = self.members(table, where)
            if table.state == "not in play":
                for ident in [*units, *leaders]:
                    if ident in self.units or ident in self.leaders:
                        raise self.wrong(where, f"{ident} is not in play here, but {self.found(ident)}")
                self.out_of_play.update([*units, *leaders])
                continue
            if leaders:
                raise self.wrong(where, f"{leaders[0]} cannot be {table.state}; a leader can be not in play")
            for unit in self.muster(battle, table, units, where):
                self.put_off(unit, table, where)

    def put_off(self, unit: Unit, table: OffMap, where: Location) -> None:
        """12.13, 12.53: put a unit off the map as routed or eliminated."""
        if table.state == "routed":
            if unit.kind == ARTILLERY:
                raise self.wrong(where, f"{unit.id}: guns are abandoned, they don't rout (12.53)")
            unit.place = ROUTED
            return
        unit.place = ELIMINATED
        unit.strength = 0
        unit.start = 0
        if unit.sections:
            resize(unit, 0)

    # -- counters --------------------------------------------------------------------------------------------------

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

    def dismount(self, unit: Unit, orders: list[str], where: Location) -> None:
        """14.21, 8.12: set a unit up dismounted, which its orders must allow."""
        if not unit.may_dismount():
            raise self.wrong(where, f"{unit.id} has no dismounted counter in the roster (14.21)")
        if orders == [ORDERS[MARCH]] and self.options.edition > GRINGO:
            raise self.wrong(where, f"{unit.id} may not be under March Orders dismounted (8.12)")
        unit.show(False)

    def leader(self, row: LeaderRow) -> Leader:
        """A leader, both sides of his counter."""
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
