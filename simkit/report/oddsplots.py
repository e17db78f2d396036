"""Plots of odds: at-least chances and steps of an answer, curves and heat maps of a sweep, and the printable card."""

import textwrap
from collections.abc import Sequence
from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, MaxNLocator

from simkit.odds.answer import HEX_CARRIED, Answer, Step, at_least
from simkit.odds.situation import SHOCK
from simkit.odds.sweep import Sweep
from simkit.report.oddstext import AVERAGES, SIDES
from simkit.report.style import COLOURS, FAINT, INK, panels, styled

ATTACKER, DEFENDER = COLOURS["Union"], COLOURS["Confederate"]
LONGEST_NAME = 44
MOST_RESULTS = 5
"""Results of a step that its bar tells apart; the rest is one piece."""
SHADES = ("#0072B2", "#C44E00", "#009E73", "#CC79A7", "#E69F00", "#BBBBBB")
PALE = 4
"""How many of the shades are dark enough for white letters."""
NAMED = 0.08
"""The chance from which a piece of a bar has room for its name."""
LETTERS_ACROSS, LINES_OF_A_BAR = 74, 3
LETTERS_AN_INCH = 14
LEAST_LOSSES = 3
"""Strength points that the axis of losses shows at the least."""
BRIEFLY = (
    ("Defender retreats two hexes, guns abandoned, rout check", "D 2 hexes, rout check"),
    ("Defender retreats, attacker may continue", "D retreats; A on"), ("Defender", "D"), ("Attacker", "A"),
)  # fmt: skip
"""Results of a shock as they fit into a bar."""
PAGE = (8.27, 11.0)
"""Width of A4 and height of Letter, in inches: it prints on both without being scaled."""
MARGINS = (0.04, 0.03, 0.92, 0.94)
ON_A_PAGE = 4


def _percent(value: float, _: object = None) -> str:
    return f"{100 * value:.0f} %"


def _label(value: float) -> str:
    return "<1" if 0 < value < 0.01 else f"{100 * value:.0f}"


def answer_plot(answer: Answer) -> Figure:
    """Bars of the outcomes, of the chances to lose at least so much, and of what each step decides."""
    outcomes = [(name, float(chance)) for name, chance in answer.outcomes.items() if chance]
    steps = [step for step in answer.steps if step.decided]
    with styled():
        height = 1.9 + 0.26 * len(outcomes) + 2.0 + 0.5 * len(steps)
        figure = Figure(figsize=(6.2, height), layout="constrained")
        ratios = [0.7 + 0.26 * len(outcomes), 2.0, 0.5 + 0.5 * len(steps)]
        first, second, third = figure.subplots(3, 1, gridspec_kw={"height_ratios": ratios})
        figure.suptitle("\n".join(map(_wrapped, (answer.line, *answer.notes))), fontsize=9.5, x=0.01, ha="left")
        goals = _goals(answer)
        names = [name for name, _ in (*outcomes, *goals)]
        values = [chance for _, chance in (*outcomes, *goals)]
        first.barh(range(len(names)), values, color=[FAINT] * len(outcomes) + [ATTACKER] * len(goals), height=0.65)
        for at, value in enumerate(values):
            first.text(value + 0.01, at, f"{100 * value:.1f} %", va="center", fontsize=8.5)
        first.set_yticks(range(len(names)), [_short(name) for name in names])
        first.invert_yaxis()
        first.set_xlim(0, 1.12)
        first.xaxis.set_major_formatter(FuncFormatter(_percent))
        first.set_title(f"How it ends ({answer.method})")
        _losses(second, answer)
        _steps(third, steps, answer.method == "exact")
    return figure


def _goals(answer: Answer) -> list[tuple[str, float]]:
    goals = [("success", float(answer.success))]
    if answer.situation.kind == SHOCK:
        goals.append((HEX_CARRIED, float(answer.events.get(HEX_CARRIED, 0))))
    return goals


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
    most = max(LEAST_LOSSES, *answer.attacker_loss, *answer.defender_loss)
    axes.set_title("Chance to lose at least so many strength points")
    axes.set_xlim(0.5, most + 0.5)
    axes.set_ylim(0, 1.08)
    axes.yaxis.set_major_formatter(FuncFormatter(_percent))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    axes.legend(loc="upper right")


def _steps(axes: Axes, steps: Sequence[Step], exact: bool) -> None:
    axes.set_title(f"What each step decides, if it comes{'' if exact else ' (enumerated only)'}")
    if any(_briefly(result) != result for step in steps for result in step.decided):
        axes.set_xlabel("A attacker, D defender", fontsize=7.5)
    for at, step in enumerate(steps):
        left = 0.0
        results = list(step.decided.items())
        total = sum(step.decided.values())
        pieces = [(name, float(chance / total)) for name, chance in results[:MOST_RESULTS]]
        if len(results) > MOST_RESULTS:
            pieces.append(("other", float(sum(chance for _, chance in results[MOST_RESULTS:]) / total)))
        for number, (name, chance) in enumerate(pieces):
            axes.barh(at, chance, left=left, height=0.7, color=SHADES[number], edgecolor="white")
            if chance >= NAMED:
                told = textwrap.shorten(_briefly(name), int(chance * LETTERS_ACROSS) * LINES_OF_A_BAR, placeholder="…")
                ink = "white" if number < PALE else INK
                told = "\n".join(textwrap.wrap(told, int(chance * LETTERS_ACROSS)))
                axes.text(left + chance / 2, at, told, ha="center", va="center", fontsize=6.5, color=ink)
            left += chance
    axes.set_yticks(range(len(steps)), [f"{step.name}\n{_often(float(step.chance))}" for step in steps])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(FuncFormatter(_percent))


def _briefly(result: str) -> str:
    for text, brief in BRIEFLY:
        result = result.replace(text, brief)
    return result


def _often(times: float) -> str:
    return f"comes in {100 * times:.0f} %" if times < 1.005 else f"comes {times:.1f} times"


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
            axes.set_xlabel(_axis(found.axes[0].name))
            axes.set_ylabel(_measure(measure).removesuffix(" in %"))
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
            axes.set_ylabel(_axis(found.axes[0].name))
            axes.set_xlabel(" / ".join(_axis(axis.name) for axis in found.axes[1:]))
        head = f"{_measure(measure)}: {found.situation.line}"
        notes = dict.fromkeys(note for answer in found.answers for note in answer.notes)
        width = int(figure.get_figwidth() * LETTERS_AN_INCH)
        figure.suptitle("\n".join(_wrapped(line, width) for line in (head, *notes)), fontsize=9, x=0.01, ha="left")
    return figure


def _measure(name: str) -> str:
    return f"{name.replace('_', ' ')} on average, in points" if name in AVERAGES else f"{name} in %"


def _axis(name: str) -> str:
    """What an axis shows; a side alone is its strength."""
    return f"{name} strength" if name.rstrip("0123456789") in SIDES else name.replace(".", " ")


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
            told = f"{value:.2f}" if measure in AVERAGES else f"{100 * value:.0f}"
            axes.text(column, row, told, ha="center", va="center", fontsize=7.5,
                      color="black" if value > 0.55 * top else "white")  # fmt: skip
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)


def card_pages(title: str, notes: Sequence[str], parts: Sequence[tuple[str, Sweep]], measure: str) -> list[Figure]:
    """The pages of a printable card: a heat map for each sweep of two axes, four on a page.

    Args:
        title: at the head of each page.
        notes: in small letters under it: what holds for all parts.
        parts: title and sweep of each heat map.
        measure: what the numbers are.
    """
    starts = range(0, len(parts), ON_A_PAGE)
    found = []
    with styled():
        for number, start in enumerate(starts, 1):
            figure = Figure(figsize=PAGE, layout=ConstrainedLayoutEngine(w_pad=0.2, h_pad=0.15, rect=MARGINS))
            head = f"{title}, page {number} of {len(starts)}"
            figure.suptitle("\n".join([head, *(_wrapped(note, 104) for note in notes)]), fontsize=9, x=0.05, ha="left")
            panes = figure.subplots(2, 2).ravel()
            for axes, (name, part) in zip(panes, parts[start : start + ON_A_PAGE], strict=False):
                heat(axes, np.asarray(part.grid(measure)), part.axes[0].values, _labels(part), measure)
                axes.set_title(name, fontsize=9)
                axes.set_ylabel(_axis(part.axes[0].name))
            for axes in panes[len(parts) - start :]:
                axes.set_axis_off()
            found.append(figure)
    return found


def card(title: str, notes: Sequence[str], parts: Sequence[tuple[str, Sweep]], measure: str) -> bytes:
    """The same as a PDF."""
    book = BytesIO()
    pages = card_pages(title, notes, parts, measure)
    with styled(), PdfPages(book, metadata={"CreationDate": None, "Title": title}) as written:
        for page in pages:
            written.savefig(page)
    return book.getvalue()
