"""History beside the battles played, as a picture: where each figure lies, and each unit's strength at the end."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from simkit.analysis.history import BAND, Comparison
from simkit.report.style import FAINT, INK, WIDTH, colour, styled


def beside(comparison: Comparison) -> Figure:
    """The percentile of every figure of a side or command above, the units' strengths with their bands below."""
    units = comparison.units
    wholes = comparison.table[comparison.table["figure"] != "strength at the end"]
    heights = [0.5 + 0.24 * max(1, len(wholes)), 0.6 + 0.17 * max(1, len(units))]
    shown = [height for height, rows in zip(heights, (wholes, units), strict=True) if len(rows)]
    with styled():
        figure = Figure(figsize=(WIDTH + 0.8, sum(shown) + 0.7), layout="constrained")
        grid = figure.subplots(len(shown), 1, squeeze=False, gridspec_kw={"height_ratios": shown})[:, 0]
        panels = iter(grid)
        if len(wholes):
            _percentiles(next(panels), wholes, comparison.battles)
        if len(units):
            _strengths(next(panels), comparison)
        figure.legend(handles=_key(bool(len(units))), loc="outside lower center", ncols=2)
    return figure


def _percentiles(axes: Axes, rows: pd.DataFrame, battles: int) -> None:
    axes.axvspan(100 * BAND[0], 100 * BAND[1], color=FAINT, alpha=0.15, linewidth=0)
    axes.axvline(50, color=FAINT, linewidth=0.8)
    labels = []
    for place, row in enumerate(rows.itertuples()):
        axes.plot([row.percentile], [place], marker="D", markersize=5.5, color=colour(str(row.side)), linestyle="",
                  clip_on=False)  # fmt: skip
        labels.append(f"{row.side}, {row.of}: {row.figure} {row.historical:.3g}")
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.set_xlabel("battles with less than history had (percent)")
    axes.set_title(f"What happened among {battles:,} battles")


def _strengths(axes: Axes, comparison: Comparison) -> None:
    labels = []
    for place, row in enumerate(comparison.units.itertuples()):
        ink = colour(str(row.side))
        axes.plot([row.low, row.high], [place, place], color=ink, alpha=0.3, linewidth=5, solid_capstyle="butt")
        axes.plot([row.median], [place], marker="|", markersize=7, color=ink, linestyle="")
        face = ink if row.inside else "white"
        axes.plot([row.historical], [place], marker="D", markersize=4.2, linestyle="", color=face, markeredgecolor=ink,
                  markeredgewidth=1.1, zorder=4)  # fmt: skip
        labels.append(str(row.of))
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    for tick, side in zip(axes.get_yticklabels(), comparison.units["side"], strict=True):
        tick.set_color(colour(str(side)))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(left=-0.3)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.grid(axis="x")
    axes.set_xlabel("strength at the end (points, guns)")
    width = comparison.width()
    axes.set_title(f"{comparison.covered():.0%} in their band, median width {width:.3g}")


def _key(units: bool) -> list[Line2D]:
    key = [Line2D([], [], marker="D", markersize=5, color=INK, linestyle="", label="history")]
    if units:
        outside: Any = {"markerfacecolor": "white", "markeredgecolor": INK, "linestyle": "", "markersize": 4.2}
        key.append(Line2D([], [], marker="D", label="history, outside of the band", **outside))
        key.append(Line2D([], [], color=FAINT, alpha=0.6, linewidth=5, label="nine battles in ten"))
        key.append(Line2D([], [], marker="|", markersize=7, color=INK, linestyle="", label="median"))
    return key
