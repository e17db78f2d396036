"""A picture of the battle: ground, units with what they face, what they did, and where losses fell."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch, Polygon, Rectangle
from matplotlib.patheffects import withStroke

from simkit.model.forces import SIDES
from simkit.report.scene import Arrow, HexPicture, MapData, UnitPicture
from simkit.report.style import INK, colour, styled

Point = tuple[float, float]
Losses = Mapping[tuple[str, str], float]
"""Strength points lost by (side, hex id)."""

Stroke = tuple[str, float, Any]
"""Colour, width and dashes of a line."""

HEIGHT = math.sqrt(3)
"""Height of a hex whose corners lie one unit from its middle; it is two units wide."""

_GROUND = {
    "clear": "#F6F1E1", "field": "#EFE3B4", "fields": "#EFE3B4", "orchard": "#DCE6B4", "woods": "#C3DBB0",
    "forest": "#C3DBB0", "light woods": "#D3E4C2", "cedar": "#97BE9A", "cedars": "#97BE9A", "marsh": "#CBDDE0",
    "swamp": "#CBDDE0", "town": "#DDD0C6", "river": "#A9CDE8", "water": "#A9CDE8", "rough": "#DED8CC",
}  # fmt: skip
_LOW = "#E6F0E4"
"""What ground lower than the plain fades into."""

_TREES = {"woods": "o", "forest": "o", "light woods": "o", "orchard": ".", "cedar": "^", "cedars": "^"}
_WAYS: dict[str, Stroke] = {
    "trail": ("#9B7B52", 1.0, (0, (3, 2))),
    "road": ("#9B7B52", 1.8, "-"),
    "pike": ("#6E4F28", 2.8, "-"),
    "railroad": ("#444444", 1.8, (0, (1.2, 0.8))),
}
_SIDES_OF_HEXES: dict[str, Stroke] = {
    "stream": ("#4A90C2", 2.0, "-"),
    "river": ("#2F78AD", 3.6, "-"),
    "breastworks": ("#5A3E1B", 3.0, (0, (0.6, 0.4))),
    "gradual slope": ("#C9B48A", 1.2, (0, (1, 1.5))),
    "minor slope": ("#B79C6B", 1.6, (0, (1, 1))),
    "steep slope": ("#8D6E3C", 2.4, (0, (1, 1))),
    "sheer slope": ("#6B4E22", 3.2, (0, (1, 0.6))),
}
_WITHIN = 0.88  # where breastworks are drawn: inside the hex that they protect
_CROSSINGS = ("ford a", "ford b", "bridge")
_OTHER: Stroke = ("#8A6FB0", 1.8, "-")
_ARROWS = {
    "move": ("-|>", "-", 1.6),
    "retreat": ("-|>", (0, (3, 2)), 1.4),
    "fire": ("->", ":", 1.3),
    "shock": ("-|>", "-", 3.2),
}


def middle(column: int, row: int) -> Point:
    """The middle of a hex: odd columns sit half a hex lower than even ones."""
    return 1.5 * column, -HEIGHT * (row + 0.5 * (column & 1))


def hexside(centre: Point, direction: int, shrink: float = 1.0) -> tuple[Point, Point]:
    """The two ends of a hexside, 0 to 5 clockwise from north."""
    left, right = (math.radians(angle - 60 * direction) for angle in (120, 60))
    x, y = centre
    return (
        (x + shrink * math.cos(left), y + shrink * math.sin(left)),
        (x + shrink * math.cos(right), y + shrink * math.sin(right)),
    )


def map_picture(
    ground: MapData,
    units: Sequence[UnitPicture] = (),
    *,
    losses: Losses | None = None,
    arrows: Sequence[Arrow] = (),
    title: str = "",
    note: str = "",
    width: float = 9.0,
    margin: int | None = 2,
) -> Figure:
    """The map with its units.

    Args:
        ground: hexes, hexsides and thoroughfares.
        units: the units, the lowest of each stack first.
        losses: strength points lost by side and hex; circles of that area are drawn and counters kept small.
        arrows: moves, retreats, fires and shocks from hex to hex.
        title: a line above the map.
        note: a sentence below it.
        width: width of the picture in inches.
        margin: how many hexes to show around units, losses and arrows; None for the whole map.
    """
    places = {place.id: place for place in ground.hexes}
    busy = {unit.hex for unit in units} | {hex_id for _, hex_id in losses or ()}
    busy |= {arrow.start for arrow in arrows} | {arrow.end for arrow in arrows}
    shown = _window(ground, [places[name] for name in sorted(busy) if name in places], margin)
    box = box_of(shown)
    scale = width / (box[1] - box[0])
    with styled():
        figure = Figure(figsize=(width, scale * (box[3] - box[2]) + 1.15), layout="constrained")
        axes = figure.subplots()
        axes.set_aspect("equal")
        axes.set_xlim(box[0], box[1])
        axes.set_ylim(box[2], box[3])
        axes.axis("off")
        hex_points = 72 * scale  # points of the page a unit of length
        draw_ground(axes, shown, hex_points)
        centres = {place.id: middle(place.column, place.row) for place in shown}
        draw_lines(axes, ground, centres, hex_points)
        _draw_labels(axes, shown, {unit.hex for unit in units}, hex_points)
        _draw_units(axes, units, centres, hex_points, small=losses is not None)
        if losses is not None:
            _draw_losses(axes, losses, centres)
        for arrow in arrows:
            _draw_arrow(axes, arrow, centres)
        if title:
            axes.set_title(title, fontsize=11)
        _legend(figure, shown, ground, centres, units, losses, note)
    return figure


def _window(ground: MapData, busy: list[HexPicture], margin: int | None) -> list[HexPicture]:
    if margin is None or not busy:
        return list(ground.hexes)
    columns, rows = [place.column for place in busy], [place.row for place in busy]
    return [
        place for place in ground.hexes
        if min(columns) - margin <= place.column <= max(columns) + margin
        and min(rows) - margin <= place.row <= max(rows) + margin
    ]  # fmt: skip


def box_of(shown: list[HexPicture]) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of some hexes."""
    spots = np.array([middle(place.column, place.row) for place in shown])
    (left, bottom), (right, top) = spots.min(axis=0), spots.max(axis=0)
    return left - 1.05, right + 1.05, bottom - 0.92, top + 0.92


def draw_ground(axes: Axes, shown: list[HexPicture], hex_points: float, plain: int | None = None) -> None:
    """The hexes in the colours of their terrain; `hex_points` are points of the page a unit of length.

    The level `plain` has the colours as they are, higher ones are darker, lower ones lighter; else the lowest level.
    """
    lowest = min(place.elevation for place in shown) if plain is None else plain
    corners = np.array([(math.cos(math.radians(a)), math.sin(math.radians(a))) for a in range(0, 360, 60)])
    spots = np.array([middle(place.column, place.row) for place in shown])
    fills = [_shade(place.terrain, place.elevation - lowest) for place in shown]
    axes.add_collection(
        PolyCollection(
            list(spots[:, None, :] + corners), facecolors=fills, edgecolors="#CFC7B2", linewidths=0.6, zorder=1
        )
    )
    for terrain, sign in _TREES.items():
        inside = np.array([spot for place, spot in zip(shown, spots, strict=True) if _key(place.terrain) == terrain])
        if len(inside):
            offsets = np.array([(-0.5, 0.32), (0.48, 0.36), (-0.44, -0.42), (0.5, -0.36), (0.02, 0.6), (0.02, -0.66)])
            trees = (inside[:, None, :] + offsets).reshape(-1, 2)
            axes.scatter(trees[:, 0], trees[:, 1], marker=sign, s=(0.16 * hex_points) ** 2, color="#6F9B6C", alpha=0.75,
                         linewidths=0, zorder=1.5)  # fmt: skip


def _key(terrain: str) -> str:
    return terrain.lower().replace("_", " ")


def _shade(terrain: str, level: int) -> tuple[float, ...]:
    """The colour of a terrain; higher ground is darker, lower than the plain lighter."""
    base = np.array(to_rgb(_GROUND.get(_key(terrain), "#E8E0D0")))
    if level < 0:
        return tuple(float(value) for value in base + (np.array(to_rgb(_LOW)) - base) * 0.6)
    return tuple(float(value) for value in np.clip(base * (1 - 0.07 * min(level, 5)), 0, 1))


def draw_lines(axes: Axes, ground: MapData, centres: dict[str, Point], hex_points: float) -> None:
    """Thoroughfares, and what lies along hexsides."""
    wide = max(hex_points / 20, 0.5)
    for kind, (ink, thick, dash) in _WAYS.items():
        lines = [
            _way(centres[way.hex], way.direction) for way in ground.ways if way.kind == kind and way.hex in centres
        ]
        if lines:
            axes.add_collection(LineCollection(lines, colors=ink, linewidths=thick * wide, linestyles=[dash],
                                               capstyle="butt" if dash != "-" else "round", zorder=2))  # fmt: skip
    by_kind: dict[str, list[tuple[Point, Point]]] = defaultdict(list)
    for side in ground.hexsides:
        if side.hex in centres:
            inside = _WITHIN if side.kind == "breastworks" else 1.0
            by_kind[_key(side.kind)].append(hexside(centres[side.hex], side.direction, inside))
    for kind, lines in by_kind.items():
        if kind in _CROSSINGS:
            spots = np.array(lines).mean(axis=1)
            axes.scatter(spots[:, 0], spots[:, 1], marker="s" if kind == "bridge" else "o", s=(0.28 * hex_points) ** 2,
                         facecolor="white", edgecolor="#2F78AD", linewidths=1, zorder=3)  # fmt: skip
            continue
        ink, thick, dash = _SIDES_OF_HEXES.get(kind, _OTHER)
        axes.add_collection(LineCollection(lines, colors=ink, linewidths=thick * wide, linestyles=[dash],
                                           capstyle="round" if dash == "-" else "butt", zorder=2.5))  # fmt: skip


def _way(start: Point, direction: int) -> tuple[Point, Point]:
    """From the middle of a hex to the middle of its neighbour, of which only the half this side may be on the page."""
    angle = math.radians(90 - 60 * direction)
    return start, (start[0] + HEIGHT * math.cos(angle), start[1] + HEIGHT * math.sin(angle))


def _draw_labels(axes: Axes, shown: list[HexPicture], occupied: set[str], hex_points: float) -> None:
    """The printed ids, and the names of roads and places where no counter stands."""
    size = 0.16 * hex_points
    if size >= 1.8:
        for place in shown:
            x, y = middle(place.column, place.row)
            axes.text(
                x, y + 0.8, place.id, ha="center", va="top", fontsize=size, color="#827A64", zorder=2.8, clip_on=True
            )
    spots: dict[str, list[Point]] = defaultdict(list)
    for place in shown:
        for label in place.labels:
            spots[label].append(middle(place.column, place.row))
    taken = [_Room(*middle(place.column, place.row), 0.8, 0.75) for place in shown if place.id in occupied]
    for label, where in spots.items():
        room = _room_for(label, where, taken, box_of(shown))
        if room is not None:
            taken.append(room)
            name = axes.text(
                room.x, room.y, label, ha="center", va="center", style="italic", color="#5B4A2A", zorder=2.9
            )
            name.set(fontsize=max(0.34 * hex_points, 5), clip_on=True, path_effects=halo(2))


class _Room(NamedTuple):
    """A rectangle of the map that something fills: its middle and half its width and height."""

    x: float
    y: float
    half_width: float
    half_height: float

    def meets(self, other: "_Room") -> bool:
        """Whether the two overlap."""
        near = abs(self.x - other.x) < self.half_width + other.half_width
        return near and abs(self.y - other.y) < self.half_height + other.half_height


def _room_for(
    label: str, spots: list[Point], taken: list[_Room], box: tuple[float, float, float, float]
) -> _Room | None:
    """The free room for a name nearest to the middle of what it names; None where there is none."""
    x, y = np.mean(spots, axis=0)
    half = 0.09 * len(label) + 0.1
    for spot in sorted(spots, key=lambda spot: math.dist(spot, (x, y))):
        room = _Room(spot[0], spot[1] - 0.5, half, 0.25)
        inside = box[0] < room.x - half and room.x + half < box[1]
        if inside and not any(room.meets(other) for other in taken):
            return room
    return None


def halo(linewidth: float) -> list[withStroke]:
    """A white edge around letters and arrows, so that they can be read on any ground."""
    return [withStroke(linewidth=linewidth, foreground="white")]


def _draw_units(
    axes: Axes, units: Sequence[UnitPicture], centres: dict[str, Point], hex_points: float, small: bool
) -> None:
    stacks: dict[str, list[UnitPicture]] = defaultdict(list)
    for unit in units:
        if unit.hex in centres:
            stacks[unit.hex].append(unit)
    half = 0.26 if small else 0.47
    for name, stack in stacks.items():
        x, y = centres[name]
        for depth, unit in enumerate(stack):
            shift = 0.13 * (depth - (len(stack) - 1) / 2)
            _draw_counter(axes, unit, (x + shift, y + 0.1 + shift), half, hex_points, top=depth == len(stack) - 1)
        if not small:
            words = "\n".join(unit.name for unit in reversed(stack))
            axes.text(x, y - half + 0.03 - 0.06 * len(stack), words, ha="center", va="top", fontsize=0.27 * hex_points,
                      linespacing=0.95, color=INK, zorder=7, path_effects=halo(1.6))  # fmt: skip


def _draw_counter(axes: Axes, unit: UnitPicture, spot: Point, half: float, hex_points: float, *, top: bool) -> None:
    """A counter with the sign of its arm, its strength, and a wedge towards what it faces."""
    x, y = spot
    ink = colour(unit.side)
    fill = "white" if unit.disordered or unit.collapsed else ink
    text = ink if fill == "white" else "white"
    body = Rectangle((x - half, y - 0.8 * half), 2 * half, 1.6 * half, facecolor=fill, edgecolor=text, zorder=5)
    body.set(linewidth=0.09 * half * hex_points, hatch="////" if unit.collapsed else None)
    axes.add_patch(body)
    if unit.heading >= 0 and top:
        angle = math.radians(90 - 30 * unit.heading)
        reach = (0.95 if half > 0.3 else 0.66, half * 1.02)
        tip = (x + reach[0] * math.cos(angle), y + reach[0] * math.sin(angle))
        across = 0.13 if half > 0.3 else 0.09
        foot = [(x + reach[1] * math.cos(angle) + s * across * math.sin(angle),
                 y + reach[1] * math.sin(angle) - s * across * math.cos(angle)) for s in (-1, 1)]  # fmt: skip
        axes.add_patch(Polygon([tip, *foot], facecolor=ink, edgecolor="white", linewidth=0.5, zorder=4.9))
    left, right, low, high = x - 0.86 * half, x - 0.12 * half, y - 0.38 * half, y + 0.38 * half
    wide = 0.07 * half * hex_points
    axes.add_patch(
        Rectangle((left, low), right - left, high - low, fill=False, edgecolor=text, linewidth=wide, zorder=5.2)
    )
    if unit.kind == "artillery":
        axes.add_patch(Circle(((left + right) / 2, y), 0.16 * half, facecolor=text, linewidth=0, zorder=5.2))
    else:
        axes.plot([left, right], [low, high], color=text, linewidth=wide, zorder=5.2)
        if unit.kind == "infantry":
            axes.plot([left, right], [high, low], color=text, linewidth=wide, zorder=5.2)
    axes.text(x + 0.46 * half, y - 0.02, str(unit.strength), ha="center", va="center", weight="bold", color=text,
              fontsize=0.95 * half * hex_points * (0.8 if unit.strength > 9 else 1.0), zorder=5.3)  # fmt: skip


def _radius(lost: float, most: float) -> float:
    return 0.95 * math.sqrt(lost / most)


def _draw_losses(axes: Axes, losses: Losses, centres: dict[str, Point]) -> None:
    """A circle a hex and side, its area in proportion to what fell there; the larger beneath the smaller."""
    here = {key: lost for key, lost in losses.items() if key[1] in centres and lost > 0}
    most = max(here.values(), default=1.0)
    for (side, name), lost in sorted(here.items(), key=lambda item: -item[1]):
        x, y = centres[name]
        ink = colour(side)
        axes.add_patch(Circle((x, y), _radius(lost, most), facecolor=(*to_rgb(ink), 0.4), edgecolor=ink, linewidth=1.1,
                              linestyle="-" if side == SIDES[0] else (0, (3, 1.2)), zorder=6))  # fmt: skip


def _draw_arrow(axes: Axes, arrow: Arrow, centres: dict[str, Point]) -> None:
    if arrow.start not in centres or arrow.end not in centres or arrow.start == arrow.end:
        return
    head, dash, thick = _ARROWS.get(arrow.kind, _ARROWS["move"])
    line = FancyArrowPatch(centres[arrow.start], centres[arrow.end], arrowstyle=head, mutation_scale=9 + 2 * thick)
    line.set(linewidth=thick, linestyle=dash, color=colour(arrow.side), zorder=8, path_effects=halo(thick + 1.6))
    axes.add_patch(line)


def _legend(
    figure: Figure, shown: list[HexPicture], ground: MapData, centres: dict[str, Point], units: Sequence[UnitPicture],
    losses: Losses | None, note: str,
) -> None:  # fmt: skip
    key: list[Patch | Line2D] = []
    sides = {unit.side for unit in units} | {side for side, _ in losses or ()}
    key += [Patch(facecolor=colour(side), label=side) for side in SIDES if side in sides]
    if any(unit.disordered for unit in units):
        key.append(Patch(facecolor="white", edgecolor=INK, label="disordered"))
    if any(unit.collapsed for unit in units):
        key.append(Patch(facecolor="white", edgecolor=INK, hatch="////", label="collapsed"))
    key += ground_key(shown, ground, centres)
    most = max((lost for (_, name), lost in (losses or {}).items() if name in centres), default=0.0)
    if most:
        key.append(Line2D([], [], marker="o", linestyle="", markersize=11, color="#00000030", markeredgecolor=INK,
                          label=f"largest circle: {most:.2g} SP a battle"))  # fmt: skip
    figure.legend(handles=key, loc="outside lower left", ncols=6, fontsize=8, handlelength=1.5, columnspacing=1.2,
                  title=note or None, title_fontsize=8, alignment="left")  # fmt: skip


def ground_key(shown: list[HexPicture], ground: MapData, centres: dict[str, Point]) -> list[Patch | Line2D]:
    """What the signs of terrain, roads and hexsides on the page mean."""
    key: list[Patch | Line2D] = []
    terrains = sorted({_key(place.terrain) for place in shown})
    key += [Patch(facecolor=_GROUND.get(name, "#E8E0D0"), edgecolor="#CFC7B2", label=name) for name in terrains]
    if len({place.elevation for place in shown}) > 1:
        key.append(Patch(facecolor="#C9C2AE", label="darker: higher"))
    for kind, (ink, thick, dash) in _WAYS.items():
        if any(way.kind == kind and way.hex in centres for way in ground.ways):
            key.append(Line2D([], [], color=ink, linewidth=thick, linestyle=dash, label=kind))
    for kind in sorted({_key(side.kind) for side in ground.hexsides if side.hex in centres}):
        if kind in _CROSSINGS:
            sign = "s" if kind == "bridge" else "o"
            key.append(Line2D([], [], marker=sign, linestyle="", color="white", markeredgecolor="#2F78AD", label=kind))
        else:
            ink, thick, dash = _SIDES_OF_HEXES.get(kind, _OTHER)
            key.append(Line2D([], [], color=ink, linewidth=thick, linestyle=dash, label=kind))
    return key


def key_to(figure: Figure, ground: MapData, note: str) -> None:
    """The legend of a whole map without units."""
    centres = {place.id: middle(place.column, place.row) for place in ground.hexes}
    key = ground_key(list(ground.hexes), ground, centres)
    figure.legend(handles=key, loc="outside lower left", ncols=9, fontsize=8, handlelength=1.5, columnspacing=1.2,
                  title=note, title_fontsize=8, alignment="left")  # fmt: skip
