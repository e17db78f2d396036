"""What a chart file may say: the schemas of charts, and the checks that the rules' own text puts on them."""

import re
from itertools import pairwise
from typing import Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from simkit.model import charts
from simkit.scenario.families import Family
from simkit.scenario.reading import Table

# A cell of a fire table or a shock result: step losses, then a disorder with the DRM of its UDD (12.32).
CELL = re.compile(r"(?P<losses>[1-9])?(?:(?P<auto>D)|(?P<udd>d)(?P<drm>[+-][1-9])?)?")
NO_EFFECT = "-"
# A band of rolls or strengths: "2-4", "5", "1-" and lower, "10+" and higher, "16-18+".
BAND = re.compile(r"(?P<first>-?\d+)(?:-(?P<last>\d+))?(?P<open>[-+])?")
RATIO = re.compile(r"(\d+)(½)?-(\d+)(½)?")
DISORDERS = {"none": charts.NO_DISORDER, "d": charts.UDD, "D": charts.AUTOMATIC}

Points = float | Literal["no"]
Disorder = Literal["none", "d", "D"]


class Strict(Table):
    """A table of a chart file, without silent conversion of values."""

    model_config = ConfigDict(strict=True)


class Source(Strict):
    """Where a value comes from: printed (in which rule or chart), derived or reconstructed (why so)."""

    source: Literal["printed", "derived", "reconstructed"]
    rule: str = ""
    why: str = ""

    @model_validator(mode="after")
    def _reasoned(self) -> Self:
        if self.source == "printed" and not self.rule:
            raise ValueError("a printed value says where: add rule")
        if self.source != "printed" and not self.why:
            raise ValueError(f"a {self.source} value says why it is so: add why")
        return self


class Block(Source):
    """A block of values with one source; `sources` names the keys that come from elsewhere."""

    sources: dict[str, Source] = {}

    @model_validator(mode="after")
    def _sources_known(self) -> Self:
        for key in self.sources:
            if key.split(".")[0] not in type(self).model_fields:
                raise ValueError(f'sources names "{key}", which is no key of this block')
        return self


class Modifier(Source):
    """One number of a list of modifiers, with its source."""

    value: int = Field(ge=-20, le=20)


def parse_cell(text: str) -> charts.FireResult:
    """A cell in the printed notation.

    Raises:
        ValueError: none of the printed notation.
    """
    match = CELL.fullmatch(text)
    if text != NO_EFFECT and (match is None or not text):
        raise ValueError(f'"{text}" is no result; write {NO_EFFECT}, d, d+2, D, 1, 1d, 1d+2, 1D, 2D and the like')
    if match is None:
        return charts.FireResult(0, charts.NO_DISORDER, 0, NO_EFFECT)
    disorder = charts.AUTOMATIC if match["auto"] else charts.UDD if match["udd"] else charts.NO_DISORDER
    return charts.FireResult(int(match["losses"] or 0), disorder, int(match["drm"] or 0), text)


def severity(result: charts.FireResult) -> tuple[int, int, int]:
    """The rank of a result for the target: losses, then disorder, then its DRM."""
    return (int(result.losses), int(result.disorder), int(result.drm))


class Band:
    """A band of whole numbers, either end of which may be open."""

    def __init__(self, text: str) -> None:
        match = BAND.fullmatch(text.strip())
        if match is None:
            raise ValueError(f'"{text}" is no band; write 4, 2-4, 1- (and lower) or 10+ (and higher)')
        self.text = text.strip()
        self.first = int(match["first"])
        self.last = int(match["last"]) if match["last"] else self.first
        self.below = match["open"] == "-"
        self.above = match["open"] == "+"
        if self.last < self.first:
            raise ValueError(f'"{text}" runs backwards')


def contiguous(texts: list[str], what: str, open_below: bool) -> list[Band]:
    """Bands that follow each other without gap or overlap, the last (and perhaps the first) one open.

    Raises:
        ValueError: a gap, an overlap, or an end that isn't open.
    """
    bands = [Band(text) for text in texts]
    if not bands:
        raise ValueError(f"no {what}")
    if open_below != bands[0].below:
        end = f'"{bands[0].first}-"' if open_below else f'"{bands[0].first}"'
        raise ValueError(f'the first of the {what} is "{bands[0].text}", it should read {end}')
    if not bands[-1].above:
        raise ValueError(f'the last of the {what} is "{bands[-1].text}", it should read "{bands[-1].text}+"')
    for lower, upper in pairwise(bands):
        if upper.first != lower.last + 1 or lower.above or upper.below:
            raise ValueError(f'{what}: "{upper.text}" doesn\'t follow "{lower.text}"')
    return bands


class Grid(Block):
    """A fire table as a card shows it: strengths across, adjusted rolls down, one roll starred.

    `family` names the numbers that a reconstructed one was made of, by which studies may move it (`unknowns`).
    """

    grid: str
    family: Family | None = None

    @field_validator("grid")
    @classmethod
    def _readable(cls, grid: str) -> str:
        read_grid(grid)
        return grid


def read_grid(grid: str) -> charts.FireTable:
    """The fire table that a grid shows.

    Raises:
        ValueError: a ragged grid, an unknown result, or one that helps the target for more strength or a higher roll.
    """
    lines = [line.split() for line in grid.strip().splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError("the grid needs a line of strengths and a line for each adjusted roll")
    columns = _columns(lines[0][1:])
    labels = [line[0] for line in lines[1:]]
    starred = [label for label in labels if label.endswith("*")]
    if len(starred) != 1:
        raise ValueError("exactly one roll carries an asterisk (5*), the one that depletes ammunition (14.33)")
    rows = contiguous([label.rstrip("*") for label in labels], "rolls", open_below=True)
    cells = [_row(line, columns) for line in lines[1:]]
    _check_monotone(cells, labels, columns)
    results = []
    for at, band in enumerate(columns):
        for _ in range(band.first, band.last + 1):
            for row, line in zip(rows, cells, strict=True):
                results.extend([line[at]] * (row.last - row.first + 1))
    height = rows[-1].last - rows[0].first + 1
    star = Band(starred[0].rstrip("*")).first
    return charts.FireTable(rows[0].first, height, columns[-1].last, results, star)


def _columns(heads: list[str]) -> list[Band]:
    columns = contiguous(heads, "strengths", open_below=False)
    if columns[0].first != 1:
        raise ValueError(f'the first strength is "{columns[0].text}", it should be 1')
    return columns


def _row(line: list[str], columns: list[Band]) -> list[charts.FireResult]:
    if len(line) != len(columns) + 1:
        raise ValueError(f"roll {line[0]} has {len(line) - 1} results for {len(columns)} strengths")
    results = []
    for column, text in zip(columns, line[1:], strict=True):
        try:
            results.append(parse_cell(text))
        except ValueError as error:
            raise ValueError(f"roll {line[0]}, strength {column.text}: {error}") from None
    return results


def _check_monotone(cells: list[list[charts.FireResult]], labels: list[str], columns: list[Band]) -> None:
    for down, line in enumerate(cells):
        for across, cell in enumerate(line):
            place = f"roll {labels[down]}, strength {columns[across].text}: {cell.text}"
            if down and severity(cell) < severity(cells[down - 1][across]):
                above = cells[down - 1][across]
                raise ValueError(
                    f"{place} is milder than {above.text} at roll {labels[down - 1]}; a higher roll is worse"
                )
            if across and severity(cell) < severity(line[across - 1]):
                left = line[across - 1]
                raise ValueError(
                    f"{place} is milder than {left.text} at strength {columns[across - 1].text}; more strength is worse"
                )


class FireFile(Strict):
    """fire.toml: the two fire tables."""

    fire_table: Grid
    artillery_table: Grid


class Canister(Block):
    """Hexes to which guns fire canister and grape on the Fire Table (10.67)."""

    range: int = Field(ge=1, le=10)


class WeaponBlock(Block):
    """A line of the range effects chart."""

    code: str = Field(min_length=1)
    name: str
    artillery: bool = False
    rapid_fire: bool = False
    repeater: bool = False
    max_range: int = Field(ge=1, le=40)
    prepared_range: int = Field(default=0, ge=0)
    drms: dict[str, int]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        bands = [Band(text) for text in self.drms]
        reached = 0
        for band in bands:
            if band.first != reached + 1 or band.above or band.below:
                raise ValueError(f'drms: "{band.text}" should begin at {reached + 1} hexes')
            reached = band.last
        if reached != self.max_range:
            raise ValueError(f"drms reach {reached} hexes, but max_range is {self.max_range}")
        if self.prepared_range > self.max_range:
            raise ValueError(f"prepared_range {self.prepared_range} exceeds max_range {self.max_range}")
        if self.rapid_fire and not self.artillery:
            raise ValueError("rapid fire is for guns only (10.68)")
        if self.artillery and self.prepared_range:
            raise ValueError("prepared fire is for small arms only (10.51)")
        return self

    def by_hex(self) -> list[int]:
        """The DRM at 1, 2, ... hexes."""
        return [drm for text, drm in self.drms.items() for _ in range(Band(text).first, Band(text).last + 1)]


class WeaponsFile(Strict):
    """weapons.toml: the range effects chart."""

    canister: Canister
    weapon: list[WeaponBlock] = Field(min_length=1)

    @model_validator(mode="after")
    def _fall_off(self) -> Self:
        for weapon in self.weapon:
            drms, reach = weapon.by_hex(), self.canister.range if weapon.artillery else weapon.max_range
            for part, what in ((drms[:reach], "canister" if weapon.artillery else "fire"), (drms[reach:], "shell")):
                if part != sorted(part, reverse=True):
                    raise ValueError(f"{weapon.code}: the range DRMs of {what} rise with the distance")
        return self


class Costs(Strict):
    """MPs by movement class, "no" where a class may never go."""

    foot: Points
    horse: Points
    guns: Points
    leader: Points

    @field_validator("foot", "horse", "guns", "leader", mode="before")
    @classmethod
    def _halves(cls, points: object) -> object:
        if points == "no":
            return points
        if isinstance(points, bool) or not isinstance(points, int | float) or points < 0 or points * 2 % 1:
            raise ValueError(f'{points!r} are no movement points; write a whole or half number, or "no"')
        return float(points)

    def halves(self) -> charts.ByClass:
        """Half MPs by movement class."""
        foot, horse, guns, leader = (
            charts.PROHIBITED if points == "no" else round(points * charts.ONE_MP)
            for points in (self.foot, self.horse, self.guns, self.leader)
        )
        return charts.ByClass(foot, horse, guns, leader)


class Disorders(Strict):
    """Disorder by movement class."""

    foot: Disorder = "none"
    horse: Disorder = "none"
    guns: Disorder = "none"

    def by_class(self) -> charts.ByClass:
        """Disorder constants by movement class; leaders are never disordered."""
        return charts.ByClass(DISORDERS[self.foot], DISORDERS[self.horse], DISORDERS[self.guns], charts.NO_DISORDER)


class HexBlock(Block):
    """A hex's terrain."""

    name: str = Field(min_length=1)
    cost: Costs
    disorder: Disorders = Disorders()
    fire: int = Field(default=0, le=0)
    shell: int = Field(default=0, le=0)
    shock: int = Field(default=0, le=0)
    under_breastworks: str | None = None
    height: int = Field(default=0, ge=0)
    blocks: bool = False
    wood: bool = False
    halves_cavalry: bool = False
    halves_charge: bool = False
    breastworks: bool = True
    timber: bool = False


class HexsideBlock(Block):
    """A hexside's terrain."""

    name: str = Field(min_length=1)
    cost: Costs
    disorder: Disorders = Disorders()
    fire: int = 0
    shell: int = 0
    shock: int = 0
    uphill_only: bool = False
    gradual: bool = False
    crossing: bool = False
    levels: int = Field(default=0, ge=0)


class ThoroughfareBlock(Block):
    """A thoroughfare's rates."""

    name: str = Field(min_length=1)
    march: float | Literal["half"]
    advance: float | Literal["half"]
    hexside: Literal["free", "halved", "full"]
    through_units: bool

    @field_validator("march", "advance", mode="before")
    @classmethod
    def _halves(cls, points: object) -> object:
        if points == "half":
            return points
        if isinstance(points, bool) or not isinstance(points, int | float) or points <= 0 or points * 2 % 1:
            raise ValueError(f'{points!r} is no rate; write a whole or half number of MPs, or "half"')
        return float(points)


class WaterBlock(Block):
    """What the river's hexsides count as at one level."""

    level: str = Field(min_length=1)
    counts_as: dict[str, str]


class TerrainFile(Strict):
    """terrain.toml: the terrain effects chart."""

    hex: list[HexBlock] = Field(min_length=1)
    hexside: list[HexsideBlock]
    thoroughfare: list[ThoroughfareBlock]
    water: list[WaterBlock] = []

    @model_validator(mode="after")
    def _names_known(self) -> Self:
        hexes = {block.name for block in self.hex}
        hexsides = {block.name for block in self.hexside}
        for block in self.hex:
            if block.under_breastworks is not None and block.under_breastworks not in hexes:
                raise ValueError(f'{block.name}: under_breastworks names "{block.under_breastworks}", no hex terrain')
        for water in self.water:
            for name in (*water.counts_as, *water.counts_as.values()):
                if name not in hexsides:
                    raise ValueError(f'water at level {water.level} names "{name}", no hexside terrain')
        return self
