"""Where every value of a scenario comes from: printed, derived or reconstructed, with the rule and the reason."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from simkit.model.charts import Provenance
from simkit.model.forces import SIDES
from simkit.scenario.builder import Built, build
from simkit.scenario.forcesfile import Arrival, Named, Stack
from simkit.scenario.mapfile import MapFile
from simkit.scenario.reading import Origin, Sourced, Table, read_toml
from simkit.scenario.roster import DISMOUNTED, RATINGS
from simkit.scenario.scenariofile import Head, Scenario
from simkit.scenario.scenariorules import has_points
from simkit.scenario.specialcommands import SPECIAL_COMMANDS, read_special_commands
from simkit.scenario.victoryfile import Ground, Prize, read_points

SOURCES = ("printed", "derived", "reconstructed")
TABLES = ("book", "scenario", "units", "leaders", "map", "charts")

ABOUT = ("source", "rule", "why", "sources")
"""Keys that tell of values and are none."""

WORDS = ("id", "name", "book", "map", "summary", "text", "sheets")
"""Keys of scenario and map files that name or explain: they are no values."""

IDENTITY = ("code", "name", "level", "cause", "rolls")
"""Keys that tell the entries of a list of a chart apart, as the charts' own account does."""

CHART_WORDS = ("code", "name", "level", "cause", "text")
"""Keys of charts that name an entry: they are no values."""


class Value(NamedTuple):
    """A value and where it comes from.

    `table` is one of TABLES, `item` names the value in it, `value` is its text, `source` one of SOURCES, `rule` the
    rule or place where it is printed, `why` the reasoning behind a value that is not.
    """

    table: str
    item: str
    value: str
    source: str
    rule: str
    why: str


def provenance(of: Built | Scenario) -> pd.DataFrame:
    """Every value that a scenario's battle rests on, one row each.

    A value is what stands as one in the data: a rating, a cell of a chart's list, a row of a fire table, the terrain of
    an area, the hex of a unit. Units and leaders of the roster that do not take part are left out.

    Args:
        of: a battle as built, or a scenario.

    Returns:
        Columns table, item, value, source, rule, why.

    Raises:
        InputError: the scenario's battle cannot be built.
    """
    built = of if isinstance(of, Built) else build(of)
    values = [
        *_values("book", "", built.book, built.book),
        *_of_special_commands(built),
        *_of_scenario(built),
        *_of_units(built),
        *_of_leaders(built),
        *_of_map(built.drawing),
        *_of_charts(built.scenario.folder / "charts", built.charts.provenance),
    ]
    frame = pd.DataFrame(values, columns=list(Value._fields))
    frame["why"] = frame["why"].str.split().str.join(" ")
    return frame


def summary(of: Built | Scenario | pd.DataFrame) -> pd.DataFrame:
    """How many values of each table come from each source.

    Args:
        of: a battle, a scenario, or the frame that `provenance` gave.

    Returns:
        Columns table, printed, derived, reconstructed (numbers of values); one row a table.
    """
    frame = of if isinstance(of, pd.DataFrame) else provenance(of)
    counted = pd.crosstab(frame["table"], frame["source"]).reindex(columns=list(SOURCES), fill_value=0)
    counted = counted.reindex([table for table in TABLES if table in counted.index])
    return counted.rename_axis(columns=None).reset_index()


# -- scenario and map: tables of a file ------------------------------------------------------------------------------


def _of_scenario(built: Built) -> Iterator[Value]:
    scenario, head = built.scenario, built.scenario.scenario
    yield from _values("scenario", "", head, head)
    yield Value("scenario", "turns", str(len(scenario.turn)), head.source, head.rule, head.why)
    for number, turn in enumerate(scenario.turn, 1):
        yield Value("scenario", f"turn {number}", f"{turn.label}, {turn.light}", head.source, head.rule, head.why)
    yield from _values("scenario", "efficiency", scenario.efficiency, head)
    for name, periods in (("period", scenario.efficiency.period), ("added", scenario.efficiency.added)):
        for number, period in enumerate(periods, 1):
            yield from _values("scenario", f"efficiency {name} {number}", period, head)
    yield from _of_victory(built)
    for change in scenario.superior:
        yield _value("scenario", f"superior of {change.command}", change.superior, _origin(change, "superior"), head)
    for number, stack in enumerate(scenario.setup):
        where = _spot(stack)
        for ident in built.named["setup", number]:
            yield _value("scenario", f"set-up of {ident}", where, _origin(stack, "hex"), head)
        yield from _of_states("set-up state of", stack, head)
        if stack.heading is not None:
            yield _value("scenario", f"heading in {where}", stack.heading, _origin(stack, "heading"), head)
        if stack.breastworks:
            yield _value("scenario", f"breastworks in {where}", "as they face", _origin(stack, "breastworks"), head)
    for number, table in enumerate(scenario.off_map):
        for ident in built.named["off_map", number]:
            yield _value("scenario", f"set-up of {ident}", table.state, _origin(table, "state"), head)
        yield from _of_states("set-up state of", table, head)
    for number, group in enumerate(scenario.reinforcement):
        yield from _of_reinforcements(f"reinforcement {number + 1}", group, built.named["reinforcement", number], head)
    yield from _of_comings_and_goings(built)
    for works in scenario.breastworks:
        for ident in works.hexes:
            facing = works.heading or "as the units there, or the enemy of the side"
            yield _value("scenario", f"breastworks in {ident}", facing, _origin(works, "hexes"), head)
    yield from _of_limits(scenario, head)
    for wanted in scenario.objective:
        where = f"objective of {wanted.side}, {wanted.hex}"
        whom = f", for {', '.join(wanted.commands)}" if wanted.commands else ""
        begins = f", since {wanted.since}" if wanted.since is not None else ""
        till = f", until {wanted.until}" if wanted.until is not None else ""
        yield _value("scenario", where, f"weight {wanted.weight}{whom}{begins}{till}", _origin(wanted, "hex"), head)


def _of_limits(scenario: Scenario, head: Head) -> Iterator[Value]:
    """Commands of guns (4.33), who builds from when (15.1), who is tired, and who does not tire (17.21)."""
    for guns in scenario.artillery:
        told = f"{guns.markers} markers" if guns.markers is not None else f"acts with {guns.acts_with}"
        yield _value("scenario", f"{guns.command} artillery command", told, _origin(guns, "markers"), head)
    if scenario.building is not None:
        for side, first in scenario.building.first_turn.items():
            origin = _origin(scenario.building, "first_turn")
            yield _value("scenario", f"{side} builds breastworks from", str(first), origin, head)
        for side in scenario.building.never:
            yield _value("scenario", f"{side} builds breastworks", "never", _origin(scenario.building, "never"), head)
    for tired in scenario.fatigue:
        yield _value("scenario", f"fatigue level of {tired.command}", tired.level, _origin(tired, "level"), head)
    for fresh in scenario.fatigue_ignored:
        turns = ", ".join(str(turn) for turn in fresh.turns)
        yield _value("scenario", f"{fresh.side} ignores fatigue in", turns, _origin(fresh, "turns"), head)
    if scenario.river_crossing is not None:
        yield from _values("scenario", "river crossing", scenario.river_crossing, head)


def _of_special_commands(built: Built) -> Iterator[Value]:
    """What the book lays down about commands that are in the battle (4.4 of Dead of Winter)."""
    present = {command.id for command in built.battle.commands}
    for special in read_special_commands(built.scenario.folder / SPECIAL_COMMANDS, built.roster):
        if special.command in present:
            for key in sorted(special.model_fields_set - {"command", *ABOUT}):
                value = _text(getattr(special, key))
                yield _value("book", f"{special.command}, {key}", value, _origin(special, key), built.book)


def _spot(stack: Stack) -> str:
    """Where a table sets its units up, in words."""
    if stack.area:
        return f"in {'; '.join(_text(area) for area in stack.area)}"
    around = stack.hex or stack.leader or ""
    if stack.command_range:
        return f"in the Command Range of {around}"
    return f"within {stack.within} of {around}" if stack.within else around


def _of_states(what: str, table: Named, head: Head) -> Iterator[Value]:
    """Strengths and states in which units and leaders of a table begin, where they are not as their counters."""
    for ident, strength in table.strength.items():
        yield _value("scenario", f"strength of {ident}", str(strength), _origin(table, "strength"), head)
    for key in ("dismounted", "disordered", "collapsed", "replaced"):
        for ident in getattr(table, key):
            yield _value("scenario", f"{what} {ident}", key, _origin(table, key), head)


def _of_victory(built: Built) -> Iterator[Value]:
    """The kind of victory, its ladder, and what counts, that of the book included."""
    told, head = built.scenario.victory, built.scenario.scenario
    yield _value("scenario", "victory, kind", told.kind, _origin(told, "kind"), head)
    for number, rung in enumerate(told.ladder, 1):
        yield _value("scenario", f"victory, rung {number}", _text(rung), _origin(told, "ladder"), head)
    for name in told.commands:
        yield _value("scenario", f"victory, {name}", "counts if ineffective", _origin(told, "commands"), head)
    for side, points in told.credit.items():
        yield _value("scenario", f"victory, credit of {side}", str(points), _origin(told, "credit"), head)
    if told.clearing is not None:
        yield from _values("scenario", "victory, clearing", told.clearing, head)
    prizes: list[tuple[Prize, Origin]] = [(prize, head) for prize in told.enemy]
    grounds: list[tuple[Ground, Origin]] = [(ground, head) for ground in told.terrain]
    if (built.rules.conditions.prizes or built.rules.conditions.grounds) and has_points(built.scenario):
        book = read_points(built.scenario.folder)
        own = [prize.command for prize in told.enemy]
        prizes += [(prize, book.victory_points) for prize in book.enemy if prize.command not in own]
        grounds += [(ground, book.victory_points) for ground in book.terrain]
    playing = {place.id for ground in built.rules.conditions.grounds for place in ground.hexes}
    counted = {f"{SIDES[prize.command.side]}/{prize.command.code}" for prize in built.rules.conditions.prizes}
    for prize, origin in prizes:
        if prize.command in counted:
            name = f"victory points for {prize.command}"
            yield _value("scenario", name, str(prize.points), _origin(prize, "points"), origin)
    for ground, origin in grounds:
        if playing & set(ground.hexes):
            name = f"victory points for {', '.join(ground.hexes)}"
            yield _value("scenario", name, _text(ground.points), _origin(ground, "points"), origin)
            yield _value("scenario", f"{name}, holder", ground.holder or "nobody", _origin(ground, "holder"), origin)


def _of_comings_and_goings(built: Built) -> Iterator[Value]:
    """Who leaves the map and returns, who is late by dice, who is attached, and what ground is closed."""
    scenario, head = built.scenario, built.scenario.scenario
    for number, table in enumerate(scenario.withdrawal):
        for ident in built.named["withdrawal", number]:
            yield _value("scenario", f"withdrawal of {ident}", f"turn {table.turn}", _origin(table, "turn"), head)
        if table.returns is not None:
            name = f"return after withdrawal {number + 1}"
            yield _value("scenario", name, _text(table.returns), _origin(table, "returns"), head)
    if scenario.arrival_table is not None:
        yield from _values("scenario", "arrival table", scenario.arrival_table, head)
    for number, late in enumerate(scenario.late_group):
        for ident in built.named["late_group", number]:
            entry = f"by the arrival table, {', '.join(late.hexes)}"
            yield _value("scenario", f"entry of {ident}", entry, _origin(late, "hexes"), head)
        yield from _of_states("state on entry of", late, head)
        yield _value("scenario", f"late group {number + 1}, drm", str(late.drm), _origin(late, "drm"), head)
        yield _value("scenario", f"late group {number + 1}, area", _text(late.area), _origin(late, "area"), head)
    for attached in scenario.attachment:
        for ident in attached.units:
            name = f"command of {ident}"
            yield _value("scenario", name, attached.command, _origin(attached, "command"), head)
    for number, limit in enumerate(scenario.movement_limit, 1):
        yield from _values("scenario", f"movement limit {number}", limit, head)
    for number, sight in enumerate(scenario.visibility, 1):
        yield from _values("scenario", f"visibility {number}", sight, head)
    if scenario.shock_and_awe is not None:
        yield from _values("scenario", "shock and awe", scenario.shock_and_awe, head)


def _of_reinforcements(name: str, group: Arrival, idents: Sequence[str], head: Head) -> Iterator[Value]:
    """The entry of each unit and leader of a group, and what holds for the whole of it (9.7)."""
    entry = f"turn {group.turn}, {', '.join(group.hexes)}"
    for ident in idents:
        yield _value("scenario", f"entry of {ident}", entry, _origin(group, "hexes"), head)
    yield from _of_states("state on entry of", group, head)
    if group.roll is not None:
        yield _value("scenario", f"roll of {name}", _text(group.roll), _origin(group, "roll"), head)
    yield _value("scenario", f"orders of {name}", ", ".join(group.orders), _origin(group, "orders"), head)
    if group.activations is not None:
        yield _value(
            "scenario", f"activations of {name}", str(group.activations), _origin(group, "activations"), head
        )
    if group.sequence:
        yield _value("scenario", f"sequence of {name}", str(group.sequence), _origin(group, "sequence"), head)


def _of_map(drawing: MapFile) -> Iterator[Value]:
    head = drawing.map
    yield from _values("map", "", head, head)
    for kind in ("area", "level", "way", "hexside", "crossing", "place"):
        for number, entry in enumerate(getattr(drawing, kind), 1):
            yield from _values("map", f"{kind} {entry.name or number}", entry, head)


def _values(table: str, item: str, block: Sourced, head: Origin) -> Iterator[Value]:
    """Every value of a block, by its key; values left at their default count too, but what stays away does not."""
    for key in type(block).model_fields:
        value = getattr(block, key)
        if key in ABOUT or key in WORDS or value is None or value in ([], {}):
            continue
        if isinstance(value, list) and value and isinstance(value[0], Sourced):
            continue  # tables of their own
        name = f"{item}, {key}" if item else key
        origin = _origin(block, key)
        if isinstance(value, dict):
            for inner, part in value.items():
                yield _value(table, f"{name} {inner}", _text(part), origin, head)
        else:
            yield _value(table, name, _text(value), origin, head)


def _origin(block: Sourced, key: str) -> Origin:
    return block.sources.get(key, block)


def _value(table: str, item: str, value: str, origin: Origin, head: Origin) -> Value:
    """A value of a file; one that says neither rule nor reason has those of the head, if the source is the same."""
    if origin.source == head.source and not origin.rule and not origin.why:
        origin = head
    return Value(table, item, value, origin.source, origin.rule, origin.why)


# -- roster ----------------------------------------------------------------------------------------------------------


def _of_units(built: Built) -> Iterator[Value]:
    playing = {unit.id for unit in built.battle.units}
    # what else the counters print are their ratings
    groups = {"full": "full", "weapon": "weapon", "dismounted_weapon": "weapon"}
    for unit in built.roster.units:
        if unit.id not in playing:
            continue
        for key in type(unit).model_fields:
            if key in ("side", "brigade", "name", "kind") or key.endswith(("_source", "_why")):
                continue
            if key in DISMOUNTED and not unit.may_dismount:
                continue
            group = groups.get(key, "ratings")
            source, why = getattr(unit, f"{group}_source"), getattr(unit, f"{group}_why")
            yield Value("units", f"{unit.id} {key}", _text(getattr(unit, key)), source, "", why)


def _of_leaders(built: Built) -> Iterator[Value]:
    playing = {leader.id for leader in built.battle.leaders}
    for leader in built.roster.leaders:
        if leader.id not in playing:
            continue
        front = ("range", *RATINGS[leader.level])
        for key in (*front, *(f"replacement_{key}" for key in front if leader.replacement)):
            if key in type(leader).model_fields:
                value = _text(getattr(leader, key))
                yield Value("leaders", f"{leader.id} {key}", value, leader.source, "", leader.why)


# -- charts ----------------------------------------------------------------------------------------------------------


def _of_charts(folder: Path, account: list[Provenance]) -> Iterator[Value]:
    """Every value of the chart files, with the origin that the charts' own account gives for it or its block."""
    charts = list(dict.fromkeys(line.chart for line in account))
    for chart in charts:
        lines = {line.key: line for line in account if line.chart == chart}
        for key, value in _leaves(read_toml(folder / f"{chart}.toml")[0], ""):
            line = _nearest(lines, key)
            if line is not None:
                yield Value("charts", f"{chart} {key.removesuffix('.value')}", value, line.source, line.rule, line.why)


def _leaves(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Every value inside a table by its key; a drawn table gives its rows."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ABOUT and name not in CHART_WORDS:
                yield from _leaves(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for number, entry in enumerate(value, 1):
            label = next((str(entry[name]) for name in IDENTITY if name in entry), str(number))
            yield from _leaves(entry, f"{key}.{label}")
    elif isinstance(value, str) and "\n" in value.strip():
        for row in value.strip().splitlines():
            label, _, cells = row.strip().partition(" ")
            yield f"{key}.{label}", " ".join(cells.split())
    else:
        yield key, _text(value)


def _nearest(lines: dict[str, Provenance], key: str) -> Provenance | None:
    """The line of the account for a key, or for the smallest block around it."""
    while key not in lines and "." in key:
        key = key.rpartition(".")[0]
    return lines.get(key)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(_text(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(part)}" for key, part in value.items())
    if isinstance(value, Table):
        return _text(value.model_dump(exclude_defaults=True))
    return str(value)
