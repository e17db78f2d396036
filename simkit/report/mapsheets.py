"""Pictures of a map file: each sheet, and all of them together, with the names of what is drawn."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from simkit.model.battlemap import BattleMap
from simkit.model.charts import Charts
from simkit.report.mapping import (
    Point,
    box_of,
    draw_ground,
    draw_lines,
    halo,
    hexside,
    key_to,
    middle,
)
from simkit.report.scene import HexPicture, MapData, ground_of
from simkit.report.style import save, small_png, styled
from simkit.scenario.check import charts_beside
from simkit.scenario.mapfile import Border, Crossing, InPlay, MapFile, Way, draw_map, read_map

GRAIN = 5
"""Every fifth column and row has its ids printed."""

DOTS = 100
"""Dots to the inch: enough to read the names, and a file that is not large."""

COLOURS = 96
"""Colours of a picture."""

_CONTOUR = "#A5875A"
_NOTE = "Dotted brown: the ground rises a level to the darker side. (A), (B): class of a ford. Every fifth id is shown."


class Style(NamedTuple):
    """How names of one kind are written: size in points, colour, and whether slanted or bold."""

    size: float
    ink: str
    style: str = "italic"
    weight: str = "normal"


_STYLES = {
    "place": Style(6.6, "#222222", "normal"),
    "crossing": Style(6.4, "#1F5F8B", "normal"),
    "water": Style(9.0, "#1F5F8B", "italic", "bold"),
    "way": Style(7.4, "#5B3A12", "normal"),
    "area": Style(7.4, "#2F5D33"),
    "level": Style(6.8, "#7A5A2B"),
}
_CLASSES = {"bridge": "", "ford_a": " (A)", "ford_b": " (B)"}


class Label(NamedTuple):
    """A name, its kind, and where it may stand, best first: its middle and its angle in degrees."""

    text: str
    kind: str
    spots: list[tuple[Point, float]]


def write_pictures(path: Path, folder: Path) -> Iterator[Path]:
    """Draw a map file: a picture of each sheet, named by its letter, and one of the whole map.

    Args:
        path: the map file; its terrain is that of the charts of its book, of the first book if it belongs to none.
        folder: where to write; made if it is not there.

    Returns:
        The files, as they are written.

    Raises:
        InputError: it is no map file, or cannot be drawn.
    """
    drawing = read_map(path)
    for sheets, figure in sheet_pictures(drawing, charts_beside(path.parent)[0], path):
        part = f"_{sheets.lower()}" if len(sheets) < len(drawing.map.sheets) else ""
        file = folder / f"{path.stem}{part}.png"
        save(small_png(figure, DOTS, COLOURS), file)
        yield file


def sheet_pictures(drawing: MapFile, charts: Charts, path: Path, width: float = 11.0) -> Iterator[tuple[str, Figure]]:
    """The picture of each sheet of a map file, by its letter, and last that of the whole map if it has several sheets.

    Args:
        drawing: the map file.
        charts: terrain and hexside types.
        path: of the file, for messages.
        width: of a picture, in inches.
    """
    letters = [sheet.letter for sheet in drawing.map.sheets]
    for sheets in [[letter] for letter in letters] + ([letters] if len(letters) > 1 else []):
        ground, kept = draw_map(drawing, charts, path, in_play=InPlay(sheets))
        whole = len(sheets) > 1
        name = drawing.map.name if whole or len(letters) == 1 else f"Map {sheets[0]}"
        yield "".join(sheets), _picture(ground, kept, name, width, whole)


def _picture(ground: BattleMap, drawing: MapFile, title: str, width: float, whole: bool) -> Figure:
    data = ground_of(ground)
    box = box_of(list(data.hexes))
    scale = width / (box[1] - box[0])
    points = 72 * scale
    with styled():
        figure = Figure(figsize=(width, scale * (box[3] - box[2]) + 1.1), layout="constrained")
        axes = figure.subplots()
        axes.set_aspect("equal")
        axes.set_xlim(box[0] - 0.4, box[1] + 0.4)
        axes.set_ylim(box[2] - 0.4, box[3] + 0.4)
        axes.axis("off")
        axes.set_title(title, fontsize=13)
        draw_ground(axes, list(data.hexes), points, drawing.map.elevation)
        _contours(axes, data, points)
        centres = {place.id: middle(place.column, place.row) for place in data.hexes}
        draw_lines(axes, data, centres, points * (2.2 if whole else 1.5))
        if not whole:
            _ids(axes, data.hexes, points)
        _names(axes, ground, drawing, points, whole)
        key_to(figure, data, _NOTE)
    return figure


def _contours(axes: Axes, data: MapData, points: float) -> None:
    """A line along every hexside at which the ground falls."""
    by_place = {(place.column, place.row): place for place in data.hexes}
    lines = []
    for place in data.hexes:
        for way in range(3):
            there = by_place.get(_beyond(place, way))
            if there is not None and there.elevation != place.elevation:
                lines.append(hexside(middle(place.column, place.row), way))
    contours = LineCollection(lines, colors=_CONTOUR, linewidths=max(points / 14, 0.6), linestyles=[(0, (1, 1))])
    contours.set_zorder(1.8)
    axes.add_collection(contours)


def _beyond(place: HexPicture, way: int) -> tuple[int, int]:
    """Column and row across a hexside: north, north-east or south-east."""
    odd = place.column & 1
    return [
        (place.column, place.row - 1), (place.column + 1, place.row - 1 + odd), (place.column + 1, place.row + odd),
    ][way]  # fmt: skip


def _ids(axes: Axes, hexes: Sequence[HexPicture], points: float) -> None:
    for place in hexes:
        if int(place.id[1:3]) % GRAIN == 0 and int(place.id[3:5]) % GRAIN == 0:
            x, y = middle(place.column, place.row)
            axes.text(x, y, place.id, ha="center", va="center", fontsize=0.42 * points, color="#6F6850", zorder=2.8)


# -- names -----------------------------------------------------------------------------------------------------------


def _names(axes: Axes, ground: BattleMap, drawing: MapFile, points: float, whole: bool) -> None:
    """Write each name at the first of its spots where it meets no other; what finds no room is left out."""
    taken: list[tuple[float, float, float]] = []
    shrink = 0.8 if whole else 1.0
    for label in _labels(ground, drawing, whole):
        look = _STYLES[label.kind]
        size = look.size * shrink
        half, high = 0.29 * size * len(label.text) / points, 0.62 * size / points
        for (x, y), angle in label.spots:
            marks = _marks(x, y, half, high, angle)
            inside = all(_within(axes, mark, high) for mark in marks)
            if inside and not any(math.hypot(a - c, b - d) < r + s for a, b, r in marks for c, d, s in taken):
                taken += marks
                text = axes.text(x, y, label.text, ha="center", va="center", rotation=angle, rotation_mode="anchor")
                text.set(fontsize=size, color=look.ink, style=look.style, weight=look.weight, zorder=4)
                text.set_path_effects([*halo(1.8)])
                break
    for place in drawing.place:
        spot = ground.named(place.hex)
        axes.plot(*middle(int(spot.column), int(spot.row)), "s", color="#222222", markersize=0.16 * points, zorder=3.5)


def _marks(x: float, y: float, half: float, high: float, angle: float) -> list[tuple[float, float, float]]:
    """Circles that cover a line of text."""
    count = max(2, round(half / high))
    slope = math.radians(angle)
    return [
        (x + t * half * math.cos(slope), y + t * half * math.sin(slope), high) for t in np.linspace(-1, 1, count)
    ]  # fmt: skip


def _within(axes: Axes, mark: tuple[float, float, float], high: float) -> bool:
    (left, right), (low, top) = axes.get_xlim(), axes.get_ylim()
    return left + high < mark[0] < right - high and low + high < mark[1] < top - high


def _labels(ground: BattleMap, drawing: MapFile, whole: bool) -> Iterator[Label]:
    for place in drawing.place:
        yield Label(place.name, "place", list(_beside(_centre(ground, place.hex), 0.16 * len(place.name) + 0.6)))
    for crossing in drawing.crossing:
        yield _crossing(ground, crossing)
    for border in drawing.hexside:
        yield Label(border.name, "water", list(_along(ground, border)))
    for way in drawing.way:
        yield Label(way.name, "way", list(_along(ground, way)))
    for kind, grounds in (("area", drawing.area), ("level", drawing.level)):
        for one in grounds:
            spots = [middle(int(h.column), int(h.row)) for h in ground.hexes if one.name in h.features]
            if spots and (not whole or len(spots) > 30):
                yield Label(one.name, kind, list(_about(spots)))


def _centre(ground: BattleMap, ident: str) -> Point:
    column, row = ground.grid.parse(ident)
    return middle(column, row)


def _crossing(ground: BattleMap, crossing: Crossing) -> Label:
    (x1, y1), (x2, y2) = (_centre(ground, ident) for ident in crossing.between)
    text = crossing.name + _CLASSES[crossing.kind]
    return Label(text, "crossing", list(_beside(((x1 + x2) / 2, (y1 + y2) / 2), 0.16 * len(text) + 0.6)))


def _beside(spot: Point, reach: float) -> Iterator[tuple[Point, float]]:
    x, y = spot
    for up in (0.0, 0.9, -0.9, 1.6, -1.6):
        for side in (reach, -reach):
            yield (x + side, y + up), 0.0
    for up in (1.4, -1.4, 2.2, -2.2):
        yield (x, y + up), 0.0


def _along(ground: BattleMap, line: Way | Border) -> Iterator[tuple[Point, float]]:
    """Beside the pieces of a line that lie on the map, the longest first."""
    path = line.path if isinstance(line, Way) else line.along or line.left
    stops = [_centre(ground, ident) for ident in path]
    places = {middle(int(h.column), int(h.row)) for h in ground.hexes}
    pieces = []
    for (x1, y1), (x2, y2) in pairwise(stops):
        shown = [
            (x1 + t * (x2 - x1), y1 + t * (y2 - y1)) for t in np.linspace(0, 1, 41)
            if _near(places, x1 + t * (x2 - x1), y1 + t * (y2 - y1))
        ]  # fmt: skip
        if len(shown) > 1:
            pieces.append((math.dist(shown[0], shown[-1]), shown[0], shown[-1]))
    for _, (x1, y1), (x2, y2) in sorted(pieces, reverse=True):
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        angle = (angle + 90) % 180 - 90
        across = math.radians(angle + 90)
        for t in (0.5, 0.3, 0.7, 0.15, 0.85):
            for off in (1.1, -1.1, 1.8, -1.8):
                x, y = x1 + t * (x2 - x1) + off * math.cos(across), y1 + t * (y2 - y1) + off * math.sin(across)
                yield (x, y), angle


def _near(places: set[Point], x: float, y: float) -> bool:
    """Whether a point lies in one of the hexes, as nearly as their columns tell."""
    column = round(x / 1.5)
    height = math.sqrt(3)
    row = round(-y / height - 0.5 * (column & 1))
    return middle(column, row) in places


def _about(spots: list[Point]) -> Iterator[tuple[Point, float]]:
    """The middle of an area, then its other hexes outwards."""
    x, y = (float(value) for value in np.mean(spots, axis=0))
    yield (x, y), 0.0
    for spot in sorted(spots, key=lambda spot: math.dist(spot, (x, y))):
        yield spot, 0.0
