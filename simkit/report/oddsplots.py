"""Plots of odds: at-least chances and steps of an answer, curves and heat maps of a sweep, and the printable card."""

import textwrap
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from simkit.odds.answer import Answer, Step, at_least
from simkit.odds.sweep import Sweep
from simkit.report.oddstext import AVERAGES
from simkit.report.style import COLOURS, FAINT, INK, panels, save, styled

ATTACKER, DEFENDER = COLOURS["Union"], COLOURS["Confederate"]
LONGEST_NAME = 44
MOST_RESULTS = 5
"""Results of a step that its bar tells apart; the rest is one piece."""
SHADES = ("#0072B2", "#C44E00", "#009E73", "#CC79A7", "#E69F00", "#BBBBBB")
PALE = 4
"""How many of the shades are dark enough for white letters."""
NAMED = 0.08
"""The chance from which a piece of a bar has room for its name."""
LETTERS_ACROSS, LINES_OF_A_BAR = 62, 2
A4 = (8.27, 11.69)


def _percent(value: float, _: object = None) -> str:
    return f"{100 * value:.0f} %"


def _label(value: float) -> str:
    return "<1" if 0 < value < 0.01 else f"{100 * value:.0f}"


def answer_plot(answer: Answer) -> Figure:
    """Bars of the outcomes, of the chances to lose at least so much, and of what each step decides."""
    outcomes = [(name, float(chance)) for name, chance in answer.outcomes.items() if chance]
    steps = [step for step in answer.steps if step.decided]
    with styled():
        height = 1.7 + 0.26 * len(outcomes) + 2.0 + 0.5 * len(steps)
        figure = Figure(figsize=(6.2, height), layout="constrained")
        ratios = [0.5 + 0.26 * len(outcomes), 2.0, 0.5 + 0.5 * len(steps)]
        first, second, third = figure.subplots(3, 1, gridspec_kw={"height_ratios": ratios})
        figure.suptitle(_wrapped(answer.line), fontsize=9.5, x=0.01, ha="left")
        names = [*(name for name, _ in outcomes), "success"]
        values = [*(chance for _, chance in outcomes), float(answer.success)]
        first.barh(range(len(names)), values, color=[FAINT] * len(outcomes) + [ATTACKER], height=0.65)
        for at, value in enumerate(values):
            first.text(value + 0.01, at, f"{100 * value:.1f} %", va="center", fontsize=8.5)
        first.set_yticks(range(len(names)), [_short(name) for name in names])
        first.invert_yaxis()
        first.set_xlim(0, 1.12)
        first.xaxis.set_major_formatter(FuncFormatter(_percent))
        first.set_title(f"How it ends ({answer.method})")
        _losses(second, answer)
        _steps(third, steps)
    return figure


def _losses(axes: Axes, answer: Answer) -> None:
    for shift, losses, name, ink in (
        (-0.2, answer.attacker_loss, "attacker", ATTACKER), (0.2, answer.defender_loss, "defender", DEFENDER)
    ):  # fmt: skip
        reached = at_least(losses)
        bars = axes.bar(
            [n + shift for n in reached], [float(p) for p in reached.values()], width=0.38, color=ink, label=name
        )
        if len(reached) <= 6:
            axes.bar_label(bars, [_label(float(p)) for p in reached.values()], fontsize=7.5)
    axes.set_title("Chance to lose at least so many strength points")
    axes.set_ylim(0, 1.08)
    axes.yaxis.set_major_formatter(FuncFormatter(_percent))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    axes.legend(loc="upper right")


def _steps(axes: Axes, steps: Sequence[Step]) -> None:
    axes.set_title("What each step decides")
    for at, step in enumerate(steps):
        left = 0.0
        results = list(step.decided.items())
        pieces = [(name, float(chance)) for name, chance in results[:MOST_RESULTS]]
        if len(results) > MOST_RESULTS:
            pieces.append(("other", float(sum(chance for _, chance in results[MOST_RESULTS:]))))
        for number, (name, chance) in enumerate(pieces):
            axes.barh(at, chance, left=left, height=0.55, color=SHADES[number], edgecolor="white")
            if chance >= NAMED:
                told = textwrap.shorten(name, int(chance * LETTERS_ACROSS) * LINES_OF_A_BAR, placeholder="…")
                ink = "white" if number < PALE else INK
                told = "\n".join(textwrap.wrap(told, int(chance * LETTERS_ACROSS)))
                axes.text(left + chance / 2, at, told, ha="center", va="center", fontsize=6.5, color=ink)
            left += chance
    axes.set_yticks(range(len(steps)), [step.name for step in steps])
    axes.invert_yaxis()
    axes.set_xlim(0, max([1.0, *(float(sum(step.decided.values())) for step in steps)]))
    axes.xaxis.set_major_formatter(FuncFormatter(_percent))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _wrapped(line: str, width: int = 80) -> str:
    return "\n".join(textwrap.wrap(line, width, max_lines=6, placeholder=" …", break_on_hyphens=False))


def sweep_plot(found: Sweep, measure: str = "success") -> Figure:
    """A curve along one axis; a heat map of two; of more a heat map with the later axes side by side."""
    grid = np.asarray(found.grid(measure))
    with styled():
        if len(found.axes) == 1:
            figure, (axes,) = panels(1, 3.4)
            axes.plot(range(len(grid)), grid[:, 0], marker="o", color=ATTACKER)
            axes.set_xticks(range(len(grid)), found.axes[0].values)
            axes.set_xlabel(found.axes[0].name)
            axes.set_ylabel(measure)
            axes.set_ylim(bottom=0)
            if measure not in AVERAGES:
                axes.set_ylim(0, 1)
                axes.yaxis.set_major_formatter(FuncFormatter(_percent))
            axes.grid()
        else:
            rows, columns = grid.shape
            figure = Figure(figsize=(max(4.5, 1.6 + 0.55 * columns), max(2.4, 1.4 + 0.3 * rows)), layout="constrained")
            axes = figure.subplots()
            heat(axes, grid, found.axes[0].values, _labels(found), measure)
            axes.set_ylabel(found.axes[0].name)
            axes.set_xlabel(" / ".join(axis.name for axis in found.axes[1:]))
        figure.suptitle(f"{measure}: {_wrapped(found.situation.line, 60)}", fontsize=9, x=0.01, ha="left")
    return figure


def _labels(found: Sweep) -> list[str]:
    labels = [""]
    for axis in found.axes[1:]:
        labels = [f"{label}\n{value}".strip() for label in labels for value in axis.values]
    return labels


def heat(
    axes: Axes, grid: "np.typing.NDArray[np.float64]", rows: Sequence[str], columns: Sequence[str], measure: str
) -> None:
    """A heat map with the number in each field; dark and light tell as much in grey as in colour."""
    top = float(grid.max()) if measure in AVERAGES else 1.0
    axes.imshow(grid, cmap="cividis", vmin=0, vmax=top or 1.0, aspect="auto")
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            value = float(grid[row, column])
            told = f"{value:.1f}" if measure in AVERAGES else f"{100 * value:.0f}"
            axes.text(column, row, told, ha="center", va="center", fontsize=7.5,
                      color="black" if value > 0.55 * top else "white")  # fmt: skip
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)


def write_plot(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the file's name, whole or not at all.

    Raises:
        InputError: the disk is full, or the place cannot be written.
    """
    kind = path.suffix.lower().removeprefix(".")
    facts = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}[kind]
    with styled():
        image = BytesIO()
        figure.savefig(image, format=kind, dpi=200, facecolor="white", metadata=facts)
    save(image.getvalue(), path)


def card(title: str, note: str, parts: Sequence[tuple[str, Sweep]]) -> bytes:
    """A printable card as a PDF of A4 pages: a heat map of success for each sweep of two axes, four on a page.

    Args:
        title: at the head of each page.
        note: in small letters under it: what holds for all parts.
        parts: title and sweep of each heat map.
    """
    book = BytesIO()
    with styled(), PdfPages(book, metadata={"CreationDate": None, "Title": title}) as pages:
        for start in range(0, len(parts), 4):
            figure = Figure(figsize=A4, layout="constrained")
            figure.suptitle(f"{title}\n{_wrapped(note, 110)}", fontsize=9, x=0.02, ha="left")
            panes = figure.subplots(2, 2).ravel()
            for axes, (name, found) in zip(panes, parts[start : start + 4], strict=False):
                heat(axes, np.asarray(found.grid()), found.axes[0].values, _labels(found), "success")
                axes.set_title(name, fontsize=8.5)
                axes.set_ylabel(found.axes[0].name)
                axes.set_xlabel(" / ".join(axis.name for axis in found.axes[1:]))
            for axes in panes[len(parts) - start :]:
                axes.set_axis_off()
            pages.savefig(figure)
    return book.getvalue()
