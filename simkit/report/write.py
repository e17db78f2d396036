"""Writes what a results folder has to say into the folder: summary.csv, plots and the report page."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from simkit.analysis.adequacy import comparison_warnings, sample_warnings
from simkit.analysis.comparison import compare
from simkit.analysis.outcomes import settling
from simkit.analysis.results import Results
from simkit.analysis.summary import Summary, summarise
from simkit.batch.store import write_whole
from simkit.model.forces import SIDES
from simkit.report import mapping, plots
from simkit.report.background import Background, background
from simkit.report.page import Picture, data_address, render
from simkit.report.scene import Scene
from simkit.report.style import png, save, svg

MAP_DPI = 170
PLOT_DPI = 200


def write(folder: str | Path, setting: Background | None = None) -> list[Path]:
    """Writes the report: what ``simkit.report.write_report`` does."""
    results = Results(folder)
    setting = background(results.folder) if setting is None else setting
    summary = summarise(results)
    comparison = compare(results) if len(results.variants) > 1 else None
    warnings = results.notes + summary.contradictions + sample_warnings(results, summary)
    if comparison is not None:
        warnings += comparison_warnings(comparison)
    written = []

    table = results.folder / "summary.csv"
    write_whole(table, lambda place: _write_text(place, summary.table.to_csv(index=False, lineterminator="\n")))
    written.append(table)

    pictures = {}
    for name, figure, caption, words in _figures(results, summary, comparison, setting.scene):
        file = results.folder / "plots" / f"{name}.png"
        is_map = name.startswith("map_")
        image = png(figure, MAP_DPI if is_map else PLOT_DPI)
        save(image, file)
        written.append(file)
        pictures[name] = Picture(data_address(image if is_map else svg(figure)), caption, words, wide=is_map)
    _forget_old_plots(results.folder / "plots", set(pictures))

    page = results.folder / "report.html"
    html = render(results, summary, comparison, pictures, warnings, setting)
    write_whole(page, lambda place: _write_text(place, html))
    written.append(page)
    return written


def _write_text(place: Path, text: str) -> None:
    place.write_text(text, encoding="utf-8", newline="\n")


def _forget_old_plots(folder: Path, names: set[str]) -> None:
    """Removes plots of an earlier report that this one does not draw, so that none contradicts the page."""
    for old in (f"{name}.png" for name in WORDS if name not in names):
        (folder / old).unlink(missing_ok=True)


_DISTRIBUTIONS = (
    "How many battles cost each side how much. Above the bars: nine battles in ten (thin line), half of them (thick "
    "line) and the median (circle)."
)
_CONVERGENCE = (
    "The share of battles won as battles are added. Once the lines run level within their bands, more battles make the "
    "bands narrower but change little else."
)
_DIFFERENCES = (
    "What each variant changes, battle by battle with the same dice. A line that crosses zero may be luck; what never "
    "differed is left out."
)
WORDS = {
    "outcome_shares": (
        "Share of all battles by outcome; the black line is the 95 % interval.",
        "Bars of the shares of Union wins, Confederate wins and draws; the numbers are in the table below.",
    ),
    "loss_distributions": (
        _DISTRIBUTIONS,
        "Histograms of the strength points that each side lost; the quantiles are in the table below.",
    ),
    "losses_by_cause": (
        "Strength points lost in an average battle, by cause.",
        "Bars of average losses by cause and side; the numbers are in the table below.",
    ),
    "losses_by_unit": (
        "What each unit loses: average with its interval over the range of nine battles in ten.",
        "Average losses of each unit, by brigade; the numbers are in the table below.",
    ),
    "convergence": (
        _CONVERGENCE,
        "Lines of the win share of each side over the number of battles, with narrowing bands.",
    ),
    "paired_differences": (
        _DIFFERENCES,
        "Differences between variants with intervals; the numbers are in the tables below.",
    ),
    "map_setup": (
        "The set-up. Wedges show what units face; numbers are strength points, for batteries guns.",
        "Map of the battle with the units at the start.",
    ),
    "map_losses": (
        "Where losses fell; small counters show the set-up.",
        "Map of the battle with circles whose area shows losses by hex and side.",
    ),
}
"""All plots that a report can have: caption, and words for who cannot see it."""


def _figures(
    results: Results, summary: Summary, comparison: pd.DataFrame | None, scene: Scene | None
) -> Iterator[tuple[str, Figure, str, str]]:
    """Name, figure, caption, and words for who cannot see it."""
    base = results.variants[0]
    yield "outcome_shares", plots.outcome_shares(summary, results.variants), *WORDS["outcome_shares"]
    yield "loss_distributions", plots.loss_distributions(summary.tallies), *WORDS["loss_distributions"]
    yield "losses_by_cause", plots.losses_by_cause(summary, base), *WORDS["losses_by_cause"]
    yield "losses_by_unit", plots.losses_by_unit(summary, base), *WORDS["losses_by_unit"]
    settled = {side: settling(results, base, side) for side in SIDES}
    yield "convergence", plots.convergence(settled), *WORDS["convergence"]
    if comparison is not None:
        yield "paired_differences", plots.paired_differences(comparison), *WORDS["paired_differences"]
    if scene is None:
        return
    yield "map_setup", mapping.map_picture(scene.ground, scene.units), *WORDS["map_setup"]
    table, sentence = summary.fallen[base]
    losses = {(str(side), str(place)): float(lost) for side, place, lost in table.itertuples(index=False)}
    if losses:
        caption, words = WORDS["map_losses"]
        figure = mapping.map_picture(scene.ground, scene.units, losses=losses)
        yield "map_losses", figure, f"{caption} {sentence}", words
