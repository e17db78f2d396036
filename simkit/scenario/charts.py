"""Readers of chart folders: a book's charts, the owner's own laid over them, and empty templates for the latter."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from simkit.errors import InputError
from simkit.model import charts
from simkit.scenario.chart_schemas import (
    Block,
    FireFile,
    Modifier,
    Source,
    Strict,
    TerrainFile,
    WeaponsFile,
    contiguous,
    parse_cell,
    read_grid,
)
from simkit.scenario.reading import Location, complaint_of, line_of, read_toml, suggestion
from simkit.scenario.shock_schemas import (
    CAUSES,
    COORDINATION,
    EFFECTS,
    ORDERS,
    PROFILES,
    CommandFile,
    DisorderFile,
    FireModifiersFile,
    OutcomeBlock,
    ResultBlock,
    ShockFile,
    parse_ratio,
)
from simkit.scenario.unknowns import Shifts

FILES = (
    "fire.toml",
    "fire_modifiers.toml",
    "weapons.toml",
    "terrain.toml",
    "shock.toml",
    "disorder.toml",
    "command.toml",
)
# The key that tells the entries of a list apart; a list without one is replaced whole.
IDENTITY = {
    "weapon": "code",
    "hex": "name",
    "hexside": "name",
    "thoroughfare": "name",
    "water": "level",
    "second_disorder": "cause",
}
WHOLE = ("result",)
SOURCE_KEYS = ("source", "rule", "why", "sources")
CARD = {"source": "printed", "rule": "chart card"}
HEXSIDE_COSTS = {"free": charts.HEXSIDE_FREE, "halved": charts.HEXSIDE_HALVED, "full": charts.HEXSIDE_FULL}

Data = dict[str, Any]
AnyFile = TypeVar("AnyFile", bound=Strict)


class _Layer:
    """One chart file as written: its path, text and data."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data, self.text = read_toml(path)

    def where(self, location: Location) -> str:
        line = line_of(self.text, location)
        return f"{self.path}, line {line}" if line else str(self.path)


def read_charts(
    folder: str | Path, overlays: Sequence[str | Path] = (), shifts: Shifts | None = None
) -> charts.Charts:
    """Read a folder of charts, with the owner's own laid over them, and check all that the rules' text says of them.

    Args:
        folder: holds every chart file.
        overlays: folders with some of the files, each with only the blocks and keys that differ; later ones win.
        shifts: by how much unknown numbers are moved.

    Raises:
        InputError: a file is missing, no TOML, or says what no chart can say (with its line).
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of charts")
    extra = [Path(overlay) for overlay in overlays]
    for overlay in extra:
        _check_overlay(overlay)
    return _Reader(folder, extra, shifts).charts()


class _Reader:
    """Reads the files of one folder and its overlays, and keeps account of the sources."""

    def __init__(self, folder: Path, overlays: list[Path], shifts: Shifts | None) -> None:
        self.folder = folder
        self.shifts = shifts
        self.overlays = overlays
        self.sources: list[charts.Provenance] = []

    def file(self, name: str, schema: type[AnyFile]) -> AnyFile:
        layers = [_Layer(self.folder / name)]
        layers.extend(_Layer(overlay / name) for overlay in self.overlays if (overlay / name).exists())
        checked = _checked(layers, schema, self.shifts)
        self.sources.extend(_provenance(Path(name).stem, checked))
        return checked

    def charts(self) -> charts.Charts:
        fire = self.file("fire.toml", FireFile)
        modifiers = self.file("fire_modifiers.toml", FireModifiersFile)
        weapons = self.file("weapons.toml", WeaponsFile)
        terrain = self.file("terrain.toml", TerrainFile)
        shock = self.file("shock.toml", ShockFile)
        disorder = self.file("disorder.toml", DisorderFile)
        command = self.file("command.toml", CommandFile)
        hexsides = _hexsides(terrain)
        return charts.Charts(
            fire_table=read_grid(fire.fire_table.grid),
            artillery_table=read_grid(fire.artillery_table.grid),
            weapons=_weapons(weapons),
            terrains=_terrains(terrain),
            hexsides=hexsides,
            thoroughfares=_thoroughfares(terrain),
            water=[
                charts.WaterState(block.level, name, next(each for each in hexsides if each.name == meaning))
                for block in terrain.water
                for name, meaning in block.counts_as.items()
            ],
            shock_ratio=charts.ShockRatio(
                [
                    charts.RatioColumn(*parse_ratio(text), drm, text)
                    for text, drm in zip(shock.ratio.columns, shock.ratio.drms, strict=True)
                ]
            ),
            shock_table=_shock_table(shock.result),
            second_disorder=_second_disorder(disorder),
            coordination=_outcomes(command.coordination, COORDINATION),
            orders_change=_outcomes(command.orders_change, ORDERS),
            unreliable=_outcomes(command.unreliable, PROFILES),
            fire=charts.FireModifiers(**_values(modifiers.fire), night=modifiers.night.drms),
            shock=charts.ShockModifiers(**_values(shock.adjustments)),
            pre_shock=charts.PreShockModifiers(**_values(shock.pre_shock)),
            command=charts.CommandModifiers(**_values(command.command)),
            provenance=self.sources,
        )


def _check_overlay(overlay: Path) -> None:
    if not overlay.is_dir():
        raise InputError(f"{overlay}: no such folder of charts")
    found = sorted(path.name for path in overlay.glob("*.toml"))
    if not found:
        raise InputError(f"{overlay}: no chart file; it may hold any of {', '.join(FILES)}")
    for name in found:
        if name not in FILES:
            raise InputError(f"{overlay / name}: no chart file of that name{suggestion(name, FILES)}")


def _checked(layers: list[_Layer], schema: type[AnyFile], shifts: Shifts | None) -> AnyFile:
    data = layers[0].data
    for layer in layers[1:]:
        data = _overlaid(data, layer)
    if shifts:
        data = shifts.move_charts(layers[0].path.stem, data)
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        raise InputError(_explained(error, schema, layers, data)) from None


def _overlaid(base: Data, layer: _Layer) -> Data:
    """The base with an overlay's tables, blocks and list entries merged into it."""
    merged = dict(base)
    for table, value in layer.data.items():
        before = base.get(table)
        if isinstance(value, dict) and isinstance(before, dict):
            merged[table] = _block(before, value, layer, (table,), "") if "source" in before else {**before, **value}
        elif isinstance(value, list) and isinstance(before, list) and table not in WHOLE:
            merged[table] = _entries(before, value, layer, table)
        else:
            merged[table] = value
    return merged


def _entries(before: list[Any], value: list[Any], layer: _Layer, table: str) -> list[Any]:
    key = IDENTITY.get(table, "")
    entries = list(before)
    for number, entry in enumerate(value):
        if not isinstance(entry, dict) or key not in entry:
            raise InputError(f'{layer.where((table, number))}: {table} {number + 1} has no "{key}" to tell which it is')
        places = [at for at, old in enumerate(entries) if old.get(key) == entry[key]]
        if places:
            entries[places[0]] = _block(entries[places[0]], entry, layer, (table, number), key)
        else:
            entries.append(entry)
    return entries


def _block(before: Data, value: Data, layer: _Layer, location: Location, identity: str) -> Data:
    """A block with an overlay's values, each remembered with the overlay's source."""
    changed = [key for key in value if key not in SOURCE_KEYS and key != identity]
    if not changed:
        return before
    if "source" not in value:
        raise InputError(
            f'{layer.where(location)}: {changed[0]} is given without a source; add source = "printed" and rule, '
            "the chart it is printed on"
        )
    own = {key: value[key] for key in ("source", "rule", "why") if key in value}
    sources = {**before.get("sources", {}), **dict.fromkeys(changed, own), **value.get("sources", {})}
    return {**before, **{key: value[key] for key in changed}, "sources": sources}


def _explained(error: ValidationError, schema: type[Strict], layers: list[_Layer], data: Data) -> str:
    """The first of a schema's complaints, with the line of the file that wrote what it complains of."""
    location, complaint = complaint_of(error, schema)
    layer, own = _written_in(layers, location, data)
    return f"{layer.where(own)}: {complaint}"


def _written_in(layers: list[_Layer], location: Location, data: Data) -> tuple[_Layer, Location]:
    """The last layer that holds a location of the merged data, and the location in it."""
    for layer in reversed(layers[1:]):
        own = _location_in(layer.data, location, data)
        if own is not None:
            return layer, own
    return layers[0], location


def _location_in(data: Data, location: Location, merged: Data) -> Location | None:
    if not location:
        return location if data else None
    table = str(location[0])
    if table not in data:
        return None
    if len(location) > 1 and isinstance(location[1], int) and table in IDENTITY:
        key = IDENTITY[table]
        wanted = merged[table][location[1]].get(key)
        for number, entry in enumerate(data[table]):
            if entry.get(key) == wanted:
                return (table, number, *location[2:])
        return None
    return location


def _provenance(chart: str, file: Strict) -> list[charts.Provenance]:
    """One line for each block of values, and one for each key with a source of its own."""
    lines: list[charts.Provenance] = []

    def note(key: str, source: Source) -> None:
        lines.append(charts.Provenance(chart, key, source.source, source.rule, source.why))

    def visit(value: object, key: str) -> None:
        if isinstance(value, list):
            for number, each in enumerate(value, 1):
                visit(each, f"{key}.{_label(each, number)}")
        elif isinstance(value, Source):
            note(key, value)
            if isinstance(value, Block):
                for inner, source in value.sources.items():
                    note(f"{key}.{inner}", source)
        elif isinstance(value, Strict):
            for name in type(value).model_fields:
                visit(getattr(value, name), f"{key}.{name}" if key else name)

    visit(file, "")
    return lines


def _label(entry: object, number: int) -> str:
    for key in (*IDENTITY.values(), "rolls"):
        if hasattr(entry, key):
            return str(getattr(entry, key))
    return str(number)


def _values(table: Strict) -> dict[str, Any]:
    """The numbers of a table of modifiers by name."""
    values = {name: getattr(table, name) for name in type(table).model_fields}
    return {name: modifier.value for name, modifier in values.items() if isinstance(modifier, Modifier)}


def _weapons(file: WeaponsFile) -> list[charts.Weapon]:
    return [
        charts.Weapon(
            code=block.code,
            name=block.name,
            artillery=block.artillery,
            max_range=block.max_range,
            prepared_range=block.prepared_range,
            rapid_fire=block.rapid_fire,
            repeater=block.repeater,
            canister_range=file.canister.range if block.artillery else 0,
            drms=block.by_hex(),
        )
        for block in file.weapon
    ]


def _terrains(file: TerrainFile) -> list[charts.Terrain]:
    blocks = {block.name: block for block in file.hex}
    return [
        charts.Terrain(
            name=block.name,
            cost=block.cost.halves(),
            disorder=block.disorder.by_class(),
            fire_drm=block.fire,
            shell_drm=block.shell,
            shock_drm=block.shock,
            works_fire_drm=blocks[block.under_breastworks or block.name].fire,
            works_shock_drm=blocks[block.under_breastworks or block.name].shock,
            height=block.height,
            blocks=block.blocks,
            is_wood=block.wood,
            halves_cavalry=block.halves_cavalry,
            halves_charge=block.halves_charge,
            breastworks_allowed=block.breastworks,
            timber=block.timber,
        )
        for block in file.hex
    ]


def _hexsides(file: TerrainFile) -> list[charts.HexsideTerrain]:
    return [
        charts.HexsideTerrain(
            name=block.name,
            cost=block.cost.halves(),
            disorder=block.disorder.by_class(),
            fire_drm=block.fire,
            shell_drm=block.shell,
            shock_drm=block.shock,
            uphill_only=block.uphill_only,
            gradual=block.gradual,
            crossing=block.crossing,
            levels=block.levels,
        )
        for block in file.hexside
    ]


def _thoroughfares(file: TerrainFile) -> list[charts.Thoroughfare]:
    def halves(rate: float | str) -> int:
        return 0 if isinstance(rate, str) else round(rate * charts.ONE_MP)

    return [
        charts.Thoroughfare(
            block.name, halves(block.march), halves(block.advance), HEXSIDE_COSTS[block.hexside], block.through_units
        )
        for block in file.thoroughfare
    ]


def _shock_table(blocks: list[ResultBlock]) -> charts.ShockTable:
    bands = contiguous([block.rolls for block in blocks], "rolls", open_below=True)
    results: list[charts.ShockResult] = []
    for band, block in zip(bands, blocks, strict=True):
        attacker, defender = parse_cell(block.attacker), parse_cell(block.defender)
        result = charts.ShockResult(
            low=band.first,
            attacker=charts.SideResult(attacker.losses, attacker.disorder, attacker.drm, block.attacker_retreat),
            defender=charts.SideResult(defender.losses, defender.disorder, defender.drm, block.defender_retreat),
            standoff=block.standoff,
            abandon_guns=block.abandon_guns,
            rout_check=block.rout_check,
            attacker_may_continue=block.attacker_may_continue,
            defender_may_continue=block.defender_may_continue,
            text=block.text,
        )
        results.extend([result] * (band.last - band.first + 1))
    return charts.ShockTable(bands[0].first, results)


def _second_disorder(file: DisorderFile) -> charts.SecondDisorder:
    rows = {row.cause: row for row in file.second_disorder}
    effects: list[Any] = []
    for cause in CAUSES:
        row = rows[cause]
        effects.extend(EFFECTS[effect] for effect in (row.foot, row.horse, row.guns))
    return charts.SecondDisorder(effects)


def _outcomes(block: OutcomeBlock, known: dict[str, int]) -> charts.OutcomeTable:
    bands = contiguous(list(block.outcomes), "rolls", open_below=True)
    outcomes: list[Any] = []
    for band, outcome in zip(bands, block.outcomes.values(), strict=True):
        outcomes.extend([known[outcome]] * (band.last - band.first + 1))
    return charts.OutcomeTable(bands[0].first, outcomes)


def write_templates(charts_folder: str | Path, folder: str | Path) -> list[Path]:
    """Write chart files without values for an owner to fill in from his own cards, and use as an overlay.

    simkit's values stand as comments, as a pattern; so that a template left as it is changes nothing.

    Args:
        charts_folder: the charts whose blocks and keys the templates list.
        folder: where to write; created if need be, existing files are never overwritten.

    Raises:
        InputError: a template of that name exists already, or the folder can't be written.
    """
    charts_folder, folder = Path(charts_folder), Path(folder)
    layers = {name: _Layer(charts_folder / name) for name in FILES}
    for name in FILES:
        if (folder / name).exists():
            raise InputError(f"{folder / name}: exists already; write the templates to an empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, layer in layers.items():
            (folder / name).write_text(_template(name, layer.data), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    return [folder / name for name in FILES]


def _template(name: str, data: Data) -> str:
    lines = [
        f"# {name}: your own chart cards. Take the # from a value's line and put your card's value in; take it from",
        "# the block's source and rule too. What stays a comment keeps simkit's value, which stands as a pattern.",
    ]
    for table, value in data.items():
        whole = table in WHOLE
        for block in value if isinstance(value, list) else [value]:
            header = f"[[{table}]]" if isinstance(value, list) else f"[{table}]"
            lines += ["", f"# {header}" if whole else header]
            lines += _template_block(block, IDENTITY.get(table, ""))
    return "\n".join(lines) + "\n"


def _template_block(block: Data, identity: str) -> list[str]:
    lines: list[str] = [f"{identity} = {_written(block[identity])}"] if identity else []
    for key, value in block.items():
        if key == identity or key in SOURCE_KEYS:
            continue
        if key == "grid":
            lines += ['# grid = """', *(f"# {line}" for line in _blank_grid(value)), '# """']
        elif isinstance(value, dict) and "source" in value:
            lines.append(f"# {key} = {_written({'value': value['value'], **CARD})}")
        else:
            lines.append(f"# {key} = {_written(value)}")
    if "source" in block:
        lines += [f"# {key} = {_written(value)}" for key, value in CARD.items()]
    return lines


def _written(value: object) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, dict):
        pairs = (f"{key if key.isidentifier() else _written(key)} = {_written(inner)}" for key, inner in value.items())
        return "{ " + ", ".join(pairs) + " }"
    return json.dumps(value, ensure_ascii=False)


def _blank_grid(grid: str) -> list[str]:
    rows = [line.split() for line in grid.strip().splitlines()]
    blank = [rows[0], *([row[0], *("?" for _ in row[1:])] for row in rows[1:])]
    return [f"{row[0]:<4}" + "".join(f"{cell:>8}" for cell in row[1:]) for row in blank]
