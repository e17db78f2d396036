"""The rules that one scenario brings along, read from its file: efficiency, sight, closed ground, surprise, victory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from simkit.errors import InputError
from simkit.model.battle import DAWN, DAY, DUSK, NIGHT, Battle
from simkit.model.forces import SIDES
from simkit.model.victory import Clearing, Ground, Prize, Rung
from simkit.play.scenario_rules import (
    AddedMarkers,
    AdvanceAcross,
    EfficiencyPool,
    FixedEfficiency,
    ScenarioRules,
    Surprise,
)
from simkit.play.victory import EFFECTIVENESS, POINTS, REGIMENTS
from simkit.play.victory import KINDS as VICTORIES
from simkit.scenario import victoryfile
from simkit.scenario.forcesfile import Area
from simkit.scenario.places import hexes_of
from simkit.scenario.reading import Location, suggestion
from simkit.scenario.scenariofile import MovementLimit
from simkit.scenario.victoryfile import Prize as PrizeOf
from simkit.scenario.victoryfile import read_points

if TYPE_CHECKING:
    from simkit.model.battlemap import BattleMap, Hex
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader
    from simkit.scenario.scenariofile import Efficiency, Period, Scenario

LIGHTS = {"day": DAY, "dawn": DAWN, "dusk": DUSK, "night": NIGHT}
LOWEST = -(10**6)
MOST_LIMITS = 60
"""Movement limits that a scenario may have: each takes a bit of a 64-bit number."""


class Reader(Protocol):
    """What builds a scenario: it knows forces, hexes and turns, and words what is wrong."""

    scenario: Scenario
    map: BattleMap
    commands: dict[tuple[str, str], Command]
    units: dict[str, Unit]
    leaders: dict[str, Leader]

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""

    def place(self, ident: str, where: Location) -> Hex:
        """A hex by its printed id."""

    def turn(self, named: str | int, where: Location) -> int:
        """A turn by its label or number, counted from 0."""

    def in_battle(self, name: str, where: Location) -> Command:
        """A command of this battle by its "Side/code"."""


# -- efficiency (5.2) --------------------------------------------------------------------------------------------------


def efficiency_rules(reader: Reader, rules: ScenarioRules) -> None:
    """Note pools and fixed numbers, those of a period before those of all turns, and markers that come with a leader.

    Raises:
        InputError: a command or leader is not in the battle, or a turn is none of the track.
    """
    efficiency = reader.scenario.efficiency
    last = len(reader.scenario.turn) - 1
    for number, period in enumerate(efficiency.period):
        where: Location = ("efficiency", "period", number)
        first = reader.turn(period.first_turn, (*where, "first_turn"))
        until = last if period.last_turn is None else reader.turn(period.last_turn, (*where, "last_turn"))
        if first > until:
            raise reader.wrong((*where, "last_turn"), "the period ends before it begins")
        _numbers(reader, rules, period, where, first, until)
    _numbers(reader, rules, efficiency, ("efficiency",), 0, last)
    for number, added in enumerate(efficiency.added):
        leader = _leader(reader, added.leader, ("efficiency", "added", number, "leader"))
        rules.added.append(AddedMarkers(SIDES.index(added.side), list(added.markers), [leader]))


def _numbers(
    reader: Reader, rules: ScenarioRules, told: Period | Efficiency, where: Location, first: int, last: int
) -> None:
    for owner, markers in told.pool.items():
        rules.pools.append(EfficiencyPool(SIDES.index(owner), list(markers), first, last))
    for name, number in told.fixed.items():
        rules.fixed.append(FixedEfficiency(reader.in_battle(name, (*where, "fixed")), number, first, last))


def _leader(reader: Reader, ident: str, where: Location) -> Leader:
    leader = reader.leaders.get(ident)
    if leader is None:
        raise reader.wrong(where, f'no leader "{ident}" in this battle{suggestion(ident, reader.leaders)}')
    return leader


# -- sight (2.43, 16.1) ------------------------------------------------------------------------------------------------


def visibility_rules(reader: Reader, rules: ScenarioRules) -> None:
    """Note how far anybody sees in each turn, if the scenario limits it.

    Raises:
        InputError: a turn is none of the track.
    """
    limits = [0 for _ in reader.scenario.turn]
    for number, limit in enumerate(reader.scenario.visibility):
        turns = [
            reader.turn(named, ("visibility", number, "turns", at)) for at, named in enumerate(limit.turns)
        ] or [at for at, turn in enumerate(reader.scenario.turn) if turn.light in limit.light]
        if not turns:
            raise reader.wrong(("visibility", number, "light"), f"no turn is {' or '.join(limit.light)}")
        for at in turns:
            limits[at] = min(limits[at] or limit.hexes, limit.hexes)
    rules.visibility = limits if any(limits) else []


# -- closed ground -----------------------------------------------------------------------------------------------------


def movement_limits(reader: Reader, battle: Battle) -> None:
    """Mark the ground that is closed, or costs markers, and whom that binds.

    Raises:
        InputError: a command, leader or hex is unknown, or there are too many limits.
    """
    if len(reader.scenario.movement_limit) > MOST_LIMITS:
        raise reader.wrong(("movement_limit",), f"there can be {MOST_LIMITS} of them")
    for number, limit in enumerate(reader.scenario.movement_limit):
        where: Location = ("movement_limit", number)
        bit = 1 << number
        for place in area_of(reader, limit.area, (*where, "area")):
            if limit.markers is None:
                place.closed |= bit
            else:
                place.costly |= bit
                battle.course.least_markers = limit.markers
        for unit in _bound_units(reader, battle, limit, where):
            unit.bound |= bit
        for leader in _bound_leaders(reader, battle, limit, where):
            leader.bound |= bit


def _bound_units(reader: Reader, battle: Battle, limit: MovementLimit, where: Location) -> list[Unit]:
    if not limit.sides and not limit.commands and not limit.leaders:
        return list(battle.units)
    found = [unit for unit in battle.units if SIDES[unit.side] in limit.sides]
    for name in limit.commands:
        found += reader.in_battle(name, (*where, "commands")).all_units()
    return found


def _bound_leaders(reader: Reader, battle: Battle, limit: MovementLimit, where: Location) -> list[Leader]:
    if not limit.sides and not limit.commands and not limit.leaders:
        return list(battle.leaders)
    found = [leader for leader in battle.leaders if SIDES[leader.side] in limit.sides]
    found += [_leader(reader, ident, (*where, "leaders")) for ident in limit.leaders]
    for name in limit.commands:
        found += _leaders_of(reader.in_battle(name, (*where, "commands")))
    return found


def _leaders_of(command: Command) -> list[Leader]:
    return [*command.leader_list, *(leader for below in command.subordinates for leader in _leaders_of(below))]


def area_of(reader: Reader, areas: list[Area], where: Location) -> list[Hex]:
    """The hexes of areas of the scenario's file.

    Raises:
        InputError: a hex or sheet is unknown or not in play.
    """
    try:
        return hexes_of(areas, reader.map)
    except ValueError as error:
        raise reader.wrong(where, str(error)) from None


# -- surprise (1.0, 8.0 of Dead of Winter) -----------------------------------------------------------------------------


def surprise_rules(reader: Reader, rules: ScenarioRules) -> None:
    """Note whom a surprise at dawn strikes, for the option `shock_and_awe`.

    Raises:
        InputError: a command or leader is not in the battle.
    """
    awe = reader.scenario.shock_and_awe
    if awe is None:
        return
    where: Location = ("shock_and_awe",)
    rules.surprises.append(
        Surprise(
            reader.in_battle(awe.surprised, (*where, "surprised")),
            [reader.in_battle(name, (*where, "free_orders")) for name in awe.free_orders],
            [reader.in_battle(name, (*where, "withheld")) for name in awe.withheld],
            [_leader(reader, ident, (*where, "still")) for ident in awe.still],
        )
    )


def crossing_rules(reader: Reader, rules: ScenarioRules) -> None:
    """21.2 of Dead of Winter: note which corps must first cross a river, for the option `crittendens_attack`.

    Raises:
        InputError: the command or the far bank is not in the battle.
    """
    told = reader.scenario.river_crossing
    if told is None:
        return
    where: Location = ("river_crossing",)
    command = reader.in_battle(told.command, (*where, "command"))
    beyond = area_of(reader, told.beyond, (*where, "beyond"))
    rules.advances.append(AdvanceAcross(command, told.activations, beyond, len(reader.map.hexes)))


# -- victory -----------------------------------------------------------------------------------------------------------


def victory_rules(reader: Reader, rules: ScenarioRules, battle: Battle, credit: list[int]) -> None:
    """Note what decides the battle; `credit` are points that the choice of optional forces gives each side (20.1).

    Raises:
        InputError: the kind is unknown, or lacks what it needs or has what it does not know.
    """
    told = reader.scenario.victory
    rules.victory = told.kind
    if told.kind not in VICTORIES:
        what = f'unknown kind "{told.kind}"{suggestion(told.kind, VICTORIES)}'
        raise reader.wrong(("victory", "kind"), what)
    _check_keys(reader, told)
    conditions = rules.conditions
    for rung in told.ladder:
        least = LOWEST if rung.least is None else rung.least
        conditions.ladder.append(Rung(rung.level, -1 if rung.winner is None else SIDES.index(rung.winner), least))
    conditions.commands = [reader.in_battle(name, ("victory", "commands")) for name in told.commands]
    if told.kind != POINTS:
        if any(credit):
            raise reader.wrong(("victory", "kind"), "forces with a price need a battle that counts points (20.1)")
        return
    conditions.credit = list(credit)
    for owner, points in told.credit.items():
        conditions.credit[SIDES.index(owner)] += points
    conditions.prizes = list(_prizes(reader))
    for ground, where in _grounds(reader):
        _score(reader, battle, rules, ground, where)
    if not conditions.prizes and not conditions.grounds:
        raise reader.wrong(("victory",), "nothing in this battle brings points")
    if told.clearing is not None:
        command = reader.in_battle(told.clearing.command, ("victory", "clearing", "command"))
        hexes = area_of(reader, told.clearing.area, ("victory", "clearing", "area"))
        conditions.clearings.append(Clearing(command, hexes, told.clearing.level))


def _check_keys(reader: Reader, told: victoryfile.Victory) -> None:
    """See that a kind of victory has what it needs, and nothing that it does not look at."""
    if (told.kind == REGIMENTS) != (not told.ladder):
        what = "has no ladder" if told.kind == REGIMENTS else "needs a ladder"
        raise reader.wrong(("victory", "ladder"), f"{told.kind} {what}")
    if (told.kind == EFFECTIVENESS) != bool(told.commands):
        what = "needs commands that count" if told.kind == EFFECTIVENESS else "counts no commands here"
        raise reader.wrong(("victory", "commands"), f"{told.kind} {what}")
    for key in ("enemy", "terrain", "credit", "clearing"):
        if getattr(told, key) and told.kind != POINTS:
            raise reader.wrong(("victory", key), f"{told.kind} knows no {key}; points does")


def _prizes(reader: Reader) -> Iterator[Prize]:
    """Points for commands: the scenario's own, and those of the book whose commands are in the battle."""
    told = reader.scenario.victory
    own = [prize.command for prize in told.enemy]
    for number, prize in enumerate(told.enemy):
        yield Prize(reader.in_battle(prize.command, ("victory", "enemy", number, "command")), prize.points)
    for prize in _of_book(reader):
        side, _, code = prize.command.partition("/")
        command = reader.commands.get((side, code))
        if prize.command not in own and command is not None and command.all_units():
            yield Prize(command, prize.points)


def _of_book(reader: Reader) -> list[PrizeOf]:
    return read_points(reader.scenario.folder).enemy if has_points(reader.scenario) else []


def has_points(scenario: Scenario) -> bool:
    """Whether the points of its book count in a scenario."""
    return scenario.victory.book_points and (scenario.folder / victoryfile.POINTS_FILE).exists()


def _grounds(reader: Reader) -> Iterator[tuple[victoryfile.Ground, Location]]:
    """Ground that scores: the scenario's own, and that of the book whose hexes are all in play."""
    told = reader.scenario.victory
    own = [hex_id for ground in told.terrain for hex_id in ground.hexes]
    for number, ground in enumerate(told.terrain):
        yield ground, ("victory", "terrain", number, "hexes")
    for ground in read_points(reader.scenario.folder).terrain if has_points(reader.scenario) else []:
        played = [ident for ident in ground.hexes if _in_play(reader, ident)]
        if set(ground.hexes) & set(own) or not played:
            continue
        if len(played) < len(ground.hexes):
            missing = ", ".join(ident for ident in ground.hexes if ident not in played)
            raise reader.wrong(("victory",), f"{missing} must be held too, but is not in play; {played[0]} is")
        yield ground, ("victory",)


def _in_play(reader: Reader, ident: str) -> bool:
    try:
        reader.map.named(ident)
    except ValueError:
        return False
    return True


def _score(
    reader: Reader, battle: Battle, rules: ScenarioRules, ground: victoryfile.Ground, where: Location
) -> None:
    hexes = [reader.place(ident, where) for ident in ground.hexes]
    for place in hexes:
        battle.course.mark(place, -1 if ground.holder is None else SIDES.index(ground.holder))
    points = [0, 0]
    for side, worth in ground.points.items():
        points[SIDES.index(side)] = worth
    rules.conditions.grounds.append(Ground(hexes, points))
