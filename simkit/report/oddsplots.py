"""Plots of odds: what a situation costs and leads to, maps of a sweep, and printable cards."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simkit.errors import InputError
from simkit.odds.answer import Answer
from simkit.odds.tables import at_least
from simkit.report.style import COLOURS, FAINT, WIDTH, pdf, png, save, styled, svg

ENDINGS = ("png", "svg", "pdf")
MOST_LETTERS = 68
HEAT = "cividis"  # even in grey, and for the colour-blind


def answer_plot(answer: Answer) -> Figure:
    """Three panels: how the combat ends, the strength points that each side loses at least, and the steps."""
    with styled():
        steps = [step for step in answer.steps if step.results]
        rows = [(f"{step.name}: {name}", float(chance)) for step in steps for name, chance in step.results.items()]
        heights = [len(answer.outcomes) + 1.5, 4, max(len(rows), 1) + 1.5]
        figure = Figure(figsize=(WIDTH, 0.24 * sum(heights) + 1.6), layout="constrained")
        panels = figure.subplots(3, 1, height_ratios=heights)
        figure.suptitle(_short(f"{answer.situation.kind} {answer.situation}"), x=0.02, ha="left", fontsize=9)
        _bars(panels[0], [(name, float(chance)) for name, chance in answer.outcomes.items()], "How it ends")
        losses = [at_least(answer.attacker_loss), at_least(answer.defender_loss)]
        points = sorted({*losses[0], *losses[1]}) or [1]
        for side, (name, colour) in enumerate((("attacker", COLOURS["Union"]), ("defender", COLOURS["Confederate"]))):
            values = [100 * float(losses[side].get(number, 0)) for number in points]
            places = np.arange(len(points)) + (side - 0.5) * 0.4
            panels[1].bar(places, values, 0.38, color=colour, label=name)
            for place, value in zip(places, values, strict=True):
                if value >= 0.05:
                    panels[1].text(place, value + 1, f"{value:.0f}", ha="center", fontsize=7)
        panels[1].set_xticks(range(len(points)), [str(number) for number in points])
        panels[1].set(title="Loses at least so many strength points", ylabel="%", ylim=(0, 112))
        panels[1].legend(ncols=2, loc="upper right")
        _bars(panels[2], rows, "What each step decides")
    return figure


def sweep_plot(frame: pd.DataFrame, axes: Sequence[str], title: str) -> Figure:
    """The chance of success over one axis as bars, over two as a map with its numbers."""
    with styled():
        if len(axes) == 1:
            rows = [(str(name), float(value)) for name, value in zip(frame[axes[0]], frame["success"], strict=True)]
            figure = Figure(figsize=(WIDTH, 0.24 * len(rows) + 1.2), layout="constrained")
            panel = figure.subplots()
            _bars(panel, rows, "Chance of success")
            panel.set_ylabel(axes[0])
        else:
            figure = Figure(layout="constrained")
            panel = figure.subplots()
            _heat(figure, panel, frame, axes[0], axes[1])
        figure.suptitle(_short(title), x=0.02, ha="left", fontsize=9)
    return figure


def _heat(figure: Figure, panel: Axes, frame: pd.DataFrame, across: str, down: str) -> None:
    table = frame.pivot_table(index=down, columns=across, values="success", sort=False, dropna=False)
    figure.set_size_inches(max(WIDTH, 0.42 * table.shape[1] + 1.6), 0.3 * table.shape[0] + 1.3)
    heat_table(panel, table)
    panel.set(xlabel=across, ylabel=down)


def heat_table(panel: Axes, table: pd.DataFrame) -> None:
    """A table of chances as coloured cells with their percentages; what the rules forbid stays blank."""
    values = 100 * table.to_numpy(dtype=float)
    panel.imshow(values, cmap=HEAT, vmin=0, vmax=100, aspect="auto")
    panel.set_xticks(range(table.shape[1]), [str(name) for name in table.columns])
    panel.set_yticks(range(table.shape[0]), [str(name) for name in table.index])
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            if not np.isnan(values[row, column]):
                panel.text(
                    column, row, f"{values[row, column]:.0f}", ha="center", va="center", fontsize=7.5,
                    color="black" if values[row, column] > 55 else "white",
                )  # fmt: skip


def _bars(panel: Axes, rows: Sequence[tuple[str, float]], title: str) -> None:
    names = [_short(name, 44) for name, _ in rows]
    values = [100 * value if value == value else 0.0 for _, value in rows]
    panel.barh(range(len(rows)), values, 0.7, color=COLOURS["Union"])
    panel.set_yticks(range(len(rows)), names)
    panel.invert_yaxis()
    panel.set(title=title, xlim=(0, 112), xlabel="%")
    for at, value in enumerate(values):
        panel.text(value + 1, at, f"{value:.1f}", va="center", fontsize=7.5, color=FAINT)


def _short(text: str, most: int = MOST_LETTERS) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def written(figure: Figure, path: Path) -> Path:
    """Write a figure as its name ends: png, svg or pdf.

    Raises:
        InputError: it ends otherwise, or cannot be written.
    """
    ending = path.suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        raise InputError(f'--plot {path}: the name must end in {", ".join(ENDINGS[:-1])} or {ENDINGS[-1]}')
    if ending == "png":
        save(png(figure), path)
    elif ending == "svg":
        save(svg(figure).encode("utf-8"), path)
    else:
        save(pdf([figure]), path)
    return path
