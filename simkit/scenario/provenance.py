"""Where every value of a scenario comes from: printed, derived or reconstructed, with the rule and the reason."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from simkit.model.charts import Provenance
from simkit.scenario.builder import Built, build
from simkit.scenario.mapfile import MapFile
from simkit.scenario.reading import Origin, Sourced, read_toml
from simkit.scenario.roster import DISMOUNTED, RATINGS
from simkit.scenario.scenariofile import Arrival, Head, Scenario

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
        *_of_scenario(built.scenario),
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


def _of_scenario(scenario: Scenario) -> Iterator[Value]:
    head = scenario.scenario
    yield from _values("scenario", "", head, head)
    yield Value("scenario", "turns", str(len(scenario.turn)), head.source, head.rule, head.why)
    for number, turn in enumerate(scenario.turn, 1):
        yield Value("scenario", f"turn {number}", f"{turn.label}, {turn.light}", head.source, head.rule, head.why)
    yield from _values("scenario", "efficiency", scenario.efficiency, head)
    yield from _values("scenario", "victory", scenario.victory, head)
    for change in scenario.superior:
        yield _value("scenario", f"superior of {change.command}", change.superior, _origin(change, "superior"), head)
    for stack in scenario.setup:
        for ident in [*stack.units, *stack.leaders]:
            yield _value("scenario", f"set-up of {ident}", stack.hex, _origin(stack, "hex"), head)
        for ident, strength in stack.strength.items():
            yield _value("scenario", f"strength of {ident}", str(strength), _origin(stack, "strength"), head)
        for ident in stack.dismounted:
            yield _value("scenario", f"set-up state of {ident}", "dismounted", _origin(stack, "dismounted"), head)
        if stack.heading is not None:
            yield _value("scenario", f"heading in {stack.hex}", stack.heading, _origin(stack, "heading"), head)
    for number, group in enumerate(scenario.reinforcement, 1):
        yield from _of_reinforcements(f"reinforcement {number}", group, head)
    for works in scenario.breastworks:
        for ident in works.hexes:
            facing = works.heading or "as the units there, or the enemy of the side"
            yield _value("scenario", f"breastworks in {ident}", facing, _origin(works, "hexes"), head)
    yield from _of_limits(scenario, head)
    for wanted in scenario.objective:
        where = f"objective of {wanted.side}, {wanted.hex}"
        whom = f", for {', '.join(wanted.commands)}" if wanted.commands else ""
        yield _value("scenario", where, f"weight {wanted.weight}{whom}", _origin(wanted, "hex"), head)


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


def _of_reinforcements(name: str, group: Arrival, head: Head) -> Iterator[Value]:
    """The entry of each unit and leader of a group, and what holds for the whole of it (9.7)."""
    entry = f"turn {group.turn}, {', '.join(group.hexes)}"
    for ident in [*group.units, *group.leaders]:
        yield _value("scenario", f"entry of {ident}", entry, _origin(group, "hexes"), head)
    for ident, strength in group.strength.items():
        yield _value("scenario", f"strength of {ident}", str(strength), _origin(group, "strength"), head)
    for ident in group.dismounted:
        yield _value("scenario", f"state on entry of {ident}", "dismounted", _origin(group, "dismounted"), head)
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
    return str(value)
