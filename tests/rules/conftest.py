"""A small battle for a rule test, built in a few lines.

    f = field(8, 6)                                  # hexes A0101 to A0806, clear, level 0
    f.ground("woods", "A0302", "A0303")
    f.level(2, "A0403")
    f.hexside("stream", "A0302", "A0402")            # both ways; a slope is named once and holds both ways too
    f.road("pike", "A0101", "A0201", "A0301")        # joins each hex to the next
    a = f.unit("22 IN", "A0302", "E", strength=5)    # Union by default, in the brigade 1/1/U under Advance Orders
    b = f.unit("1 TN", "A0502", "W", side=1, orders=ATTACK)
    f.play([("cohesion", 3), 7])                     # fix everything, build the series, script the dice

After `play` everything hangs on `f.series`, `f.battle`, `f.dice` and `f.log`; `f.begin(a)` makes a unit's brigade the
active one. `f.answers[side]["return_fire"] = [3, 0]` scripts a side's answers; what is not scripted is answered as the
abstract Commander would. `f.asked[side]` lists the questions put to a side. Units are stacked in the order in which
they are made: the first in a hex is on top.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise

import pytest

from simkit.model.battle import DAY, Battle, Turn
from simkit.model.battlemap import PIKE, RAILROAD, ROAD, TRAIL, BattleMap, Hex
from simkit.model.counters import Counter, Ratings
from simkit.model.entrances import Entrance, Reinforcement
from simkit.model.forces import (
    ADVANCE,
    ARMY,
    ATTACK,
    BRIGADE,
    CORPS,
    DIVISION,
    INFANTRY,
    MARCH,
    Command,
    Unit,
)
from simkit.model.hexgrid import HEADING_NAMES, Grid, Sheet
from simkit.model.leaders import Leader
from simkit.model.log import EVERYTHING, BattleLog
from simkit.model.waters import Waters, WaterSide
from simkit.rules.commander import Commander
from simkit.rules.dice import ScriptedDice
from simkit.rules.options import Options
from simkit.scenario.charts import read_charts

ROADS = {"pike": PIKE, "road": ROAD, "trail": TRAIL, "railroad": RAILROAD}
QUESTIONS = [name for name, made in vars(Commander).items() if callable(made) and not name.startswith("_")]
UNANSWERED = ("act", "deploy", "division_orders", "reserve", "end_of_turn")


@cache
def printed_charts():
    """The charts of Dead of Winter."""
    return read_charts(files("simkit.books.dead_of_winter") / "charts")


class ScriptedCommander(Commander):
    """Answers from lists by method name, then as the abstract Commander does; `asked` lists what it was asked."""

    def __init__(self, side):
        super().__init__()
        self.side = side
        self.answers = {}
        self.asked = []


def _scripted(name):
    def answer(self, *arguments):
        self.asked.append(name)
        waiting = self.answers.get(name)
        if waiting:
            given = waiting.pop(0)
            answer = given(*arguments) if callable(given) else given
            return None if name in UNANSWERED else answer
        if name == "act":
            return None
        if name == "shocks":
            return []
        return getattr(Commander, name)(self, *arguments)

    answer.__name__ = name
    return answer


for _name in QUESTIONS:
    setattr(ScriptedCommander, _name, _scripted(_name))


class Field:
    """A battle under construction, then under test."""

    def __init__(self, columns, rows, level=0, charts=None, terrain="clear"):
        self.charts = printed_charts() if charts is None else charts
        self.map = BattleMap(Grid([Sheet("A", 1, columns, 1, rows)]), self.charts.terrain("clear"))
        for column in range(1, columns + 1):
            for row in range(1, rows + 1):
                self.map.add(f"A{column:02d}{row:02d}", column, row, self.charts.terrain(terrain), level)
        self.map.join()
        turns = [Turn(f"turn {number}", DAY) for number in range(1, 11)]
        self.battle = Battle("test", self.map, self.charts, turns)
        self.options = Options()
        self.dice = ScriptedDice([])
        self.log = BattleLog(EVERYTHING)
        self.commanders = [ScriptedCommander(0), ScriptedCommander(1)]
        self.answers = [commander.answers for commander in self.commanders]
        self.asked = [commander.asked for commander in self.commanders]
        self.series = None
        for side, letter in enumerate("UC"):
            army = Command(f"{letter}A", f"army {letter}", side, ARMY)
            self.battle.armies.append(army)
            corps = self._command(f"{letter}", side, CORPS, army, self.battle.corps)
            division = self._command(f"1/{letter}", side, DIVISION, corps, self.battle.divisions)
            self._command(f"1/1/{letter}", side, BRIGADE, division, self.battle.brigades)

    def _command(self, code, side, level, superior, among):
        command = Command(code, code, side, level)
        command.superior = superior
        superior.subordinates.append(command)
        among.append(command)
        return command

    # -- ground ------------------------------------------------------------------------------------------------------

    def hex(self, ident: str) -> Hex:
        return self.map.by_id[ident]

    def ground(self, terrain, *idents):
        """Set the terrain of hexes."""
        for ident in idents:
            self.hex(ident).terrain = self.charts.terrain(terrain)

    def level(self, elevation, *idents):
        """Set the base elevation of hexes."""
        for ident in idents:
            self.hex(ident).elevation = elevation

    def between(self, first, second):
        """The two views of the hexside between adjacent hexes."""
        a, b = self.hex(first), self.hex(second)
        direction = a.direction_to(b)
        assert direction >= 0, f"{first} and {second} are not adjacent"
        return a.sides[direction], b.sides[(direction + 3) % 6]

    def hexside(self, feature, first, second):
        """Put a feature of the terrain chart on the hexside between two hexes."""
        made = self.charts.hexside(feature)
        for side in self.between(first, second):
            side.features.append(made)
            if feature == "bridge":
                side.bridge = True
            elif feature.startswith("ford_"):
                side.ford = feature[-1].upper()

    def water(self, first, second, over="", drawn="river", opened_from=()):
        """Water on the hexside between two hexes, crossed by a bridge or ford or not, at the level of `map.water`."""
        here, there = self.between(first, second)
        side = WaterSide(here, there)
        side.drawn = [drawn]
        side.over = over
        side.closed = bool(opened_from)
        side.sites = [self.hex(ident) for ident in opened_from]
        self.map.water_sides.append(side)
        return side

    def road(self, kind, *idents):
        """Join each hex to the next by a thoroughfare."""
        made = self.charts.thoroughfare(kind)
        for first, second in pairwise(idents):
            for side in self.between(first, second):
                side.roads = [made]
                side.road = ROADS[kind]

    # -- forces ------------------------------------------------------------------------------------------------------

    def brigade(self, code, side=0, orders=ADVANCE, division=None):
        """A further brigade, or the one of that code; in the side's first division unless another is given."""
        for known in self.battle.brigades:
            if known.code == code and known.side == side:
                known.orders = orders
                return known
        superior = self.battle.divisions[side] if division is None else division
        made = self._command(code, side, BRIGADE, superior, self.battle.brigades)
        made.orders = orders
        return made

    def division(self, code, side=0):
        """A further division of a side's corps."""
        return self._command(code, side, DIVISION, self.battle.corps[side], self.battle.divisions)

    def unit(
        self, name, place, facing="E", strength=5, side=0, kind=INFANTRY, orders=None, brigade=None, weapon="",
        cohesion=6, cohesion_disordered=None, movement=None, movement_disordered=None, full=None, green=False,
        mounted=True, horse=False, disordered=False, dismounted=None,
    ) -> Unit:
        """A unit in a hex, beneath those made before it; `orders` None takes those of its brigade.

        In no hex (None) it is off the map, for `reinforcement`. Cavalry gets a dismounted counter by `dismounted`, a
        dict with those of `weapon`, `cohesion`, `cohesion_disordered`, `movement` (6 if left out) and
        `movement_disordered` that differ from the mounted one's. `mounted=False` puts that counter in play; without
        `dismounted` it is then like the mounted one.
        """
        command = self.battle.brigades[side] if brigade is None else brigade
        if movement is None:
            movement = (6, 10, 6)[kind]
        if movement_disordered is None:
            movement_disordered = movement * 2 // 3
        if cohesion_disordered is None:
            cohesion_disordered = max(cohesion - 2, 0)
        code = weapon or ("R", "C", "N")[kind]
        unit = Unit(
            f"{'uc'[side]}/{name.lower().replace(' ', '-')}", name, side, kind, strength, full or strength,
            self.charts.weapon(code), cohesion, cohesion_disordered, movement, movement_disordered, green, horse,
            command, self.map.off,
        )
        unit.heading = HEADING_NAMES.index(facing)
        unit.orders = command.orders if orders is None else orders
        if unit.kind == 2 and unit.orders == 2:
            unit.orders = ADVANCE
        if kind == 1 and (dismounted is not None or not mounted):
            own = {} if dismounted is None else {"movement": 6, **dismounted}
            foot_movement = own.get("movement", movement)
            foot_cohesion = own.get("cohesion", cohesion)
            unit.counters.append(Counter(
                self.charts.weapon(own.get("weapon", code)), foot_cohesion,
                own.get("cohesion_disordered", max(foot_cohesion - 2, 0) if "cohesion" in own else cohesion_disordered),
                foot_movement,
                own.get("movement_disordered", foot_movement * 2 // 3 if own else movement_disordered),
            ))
            unit.show(mounted)
        unit.disordered = disordered
        unit.index = len(self.battle.units)
        command.units.append(unit)
        self.battle.enlist(unit)
        if place is not None:
            self.battle.stand(unit, self.hex(place), False)
        return unit

    def leader(
        self, name, place, command=None, side=0, command_range=5, replaceable=True, back=None, **ratings
    ) -> Leader:
        """The leader of a command, by default of the side's first brigade, with ratings as in model.forces.Ratings."""
        own = self.battle.brigades[side] if command is None else command
        front = Ratings(name, command_range, **ratings)
        made = Leader(
            f"leader/{name.lower()}", own.side, own.level, front,
            back or Ratings(f"{name}'s replacement", command_range), replaceable, own, self.map.off,
        )
        made.index = len(self.battle.leaders)
        own.leader_list.append(made)
        self.battle.leaders.append(made)
        if place is not None:
            self.battle.stand_leader(made, self.hex(place))
        return made

    def reinforcement(
        self, turn, hexes, units=(), leaders=(), orders=(MARCH, ADVANCE, ATTACK), activations=-1, sequence=0,
        inside=False,
    ) -> Reinforcement:
        """A group that enters in a turn, counted from 0, through hexes, once ground and roads are drawn (9.7)."""
        entrances = []
        for ident in hexes:
            entrance = self.hex(ident).entrance
            if entrance is None:
                entrance = Entrance(self.hex(ident), self.map, inside)
                self.battle.entrances.append(entrance)
            entrances.append(entrance)
        made = Reinforcement(turn, entrances, list(units), list(leaders), list(orders), activations, sequence)
        self.battle.reinforcements.append(made)
        return made

    def begin_turn(self, turn):
        """The turn, counted from 0, up to its action phases: chain of command, reinforcements' orders."""
        self.battle.turn = turn
        self.series.activation.begin_turn()
        self.series.command.determine()
        for side in range(2):
            self.series.reinforcements.give_orders(side)

    # -- play --------------------------------------------------------------------------------------------------------

    def play(self, faces=(), orders=None, options=None):
        """Complete the battle, build the series and script the dice; `options` by name as in a study."""
        from simkit.rules.series import Series

        for name, value in (options or {}).items():
            self.options.set(name, value)
        for side in self.map.water_sides:
            side.keep()
        self.battle.waters = Waters(self.map, self.charts)
        self.battle.waters.settle_all()
        self.map.fix_costs()
        for entrance in self.battle.entrances:
            entrance.fix_costs()
        self.battle.ready()
        self.series = Series(self.battle, self.options)
        self.dice = ScriptedDice(list(faces), orders)
        self.series.equip(self.dice, self.log, self.commanders)
        return self

    def roll(self, *faces):
        """Script further dice."""
        self.dice.faces.extend(faces)

    def begin(self, *active):
        """Begin the activation of the brigades of these units (or of these brigades) by hand, flags and all."""
        brigades = []
        for one in active:
            command = one.command if isinstance(one, Unit) else one
            if command not in brigades:
                brigades.append(command)
        for unit in self.battle.units:
            unit.begin_activation()
            unit.active = unit.command in brigades and unit.available()
            unit.stood_adjacent = unit.counts() and self.battle.enemy_near(unit.hex, unit.side)
            if unit.kind == 2 and unit.active:
                unit.guns_near = self.series.movement.nearest_enemy(unit)
            if unit.kind == 2 and unit.counts():
                unit.under_others = any(other.kind != 2 for other in self.above(unit))
        for leader in self.battle.leaders:
            leader.moved = False
            leader.ended = False
            leader.spent = 0
            leader.affected_rally = False
        for brigade in brigades:
            for unit in brigade.units:
                unit.active = unit.available()
        self.series.charge.note_range(brigades)
        self.series.reinforcements.begin_phase()
        self.battle.active = brigades
        self.battle.phasing = brigades[0].side
        self.battle.activation += 1

    def fire_before_shock(self, shocks):
        """11.38: step 5 of these shocks, to the last fire."""
        self.series.fire.declare_before_shock(shocks)
        while self.series.fire.next_before_shock():
            pass

    def above(self, unit):
        """Units stacked above a unit."""
        stack = self.battle.units_in(unit.hex)
        return stack[:stack.index(unit)]

    def stack(self, ident):
        """Names of the units in a hex, top first."""
        return [unit.name for unit in self.battle.units_in(self.hex(ident))]

    def events(self, *kinds):
        """The logged events of some kinds (of all, if none is named)."""
        return [event for event in self.log.events if not kinds or event.kind in kinds]


@pytest.fixture(scope="session")
def field():
    """The class Field: call it with columns and rows."""
    return Field
