"""The plots of a report; each takes tables of the analysis and returns a figure."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from simkit.analysis.definitions import CAUSE_NAMES
from simkit.analysis.intervals import Estimate
from simkit.analysis.outcomes import DRAW
from simkit.analysis.summary import Summary
from simkit.analysis.tally import UnitTally
from simkit.model.forces import SIDES
from simkit.report.style import COLOURS, FAINT, INK, WIDTH, colour, panels, styled
from simkit.report.words import share

_LINES = ("-", "--", ":", "-.")
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_OUTCOME_WORDS = {"Union": "Union wins", "Confederate": "Confederate wins", DRAW: "draw"}


def outcome_shares(summary: Summary, variants: Sequence[str]) -> Figure:
    """Who won how often, with intervals, one bar a variant."""
    outcomes = (*SIDES, DRAW)
    several = len(variants) > 1
    rows = len(outcomes) * (len(variants) + several)
    with styled():
        figure, (axes,) = panels(1, 0.75 + 0.3 * rows + 0.15 * len(outcomes))
        place, ticks = 0.0, []
        for who in outcomes:
            if several:
                axes.text(0, place, _OUTCOME_WORDS[who], weight="bold", va="center", fontsize=9)
                place += 0.9
            for variant in variants:
                value = summary.get(variant, "draw_share" if who == DRAW else "win_share", who)
                axes.barh(place, value.estimate, height=0.62, color=colour(who), alpha=0.85, linewidth=0)
                _whisker(axes, value, place, INK)
                axes.text(max(value.high, value.estimate) + 0.015, place, share(value), va="center", fontsize=8.5)
                ticks.append((place, variant if several else _OUTCOME_WORDS[who]))
                place += 1.0
            place += 0.35
        axes.set_yticks([at for at, _ in ticks], [label for _, label in ticks])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_ylim(place - 0.6, -0.6)
        axes.set_xlim(0, 1.0)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.0f} %"))
        axes.grid(axis="x")
        axes.set_xlabel("share of all battles (line: 95 % interval)")
    return figure


def _whisker(axes: Axes, value: Estimate, place: float, ink: str) -> None:
    if not np.isnan(value.low):
        axes.plot([value.low, value.high], [place, place], color=ink, linewidth=1.6, solid_capstyle="butt")
        axes.plot([value.low] * 2, [place - 0.13, place + 0.13], color=ink, linewidth=1.2)
        axes.plot([value.high] * 2, [place - 0.13, place + 0.13], color=ink, linewidth=1.2)


def loss_distributions(tallies: Mapping[str, UnitTally]) -> Figure:
    """How often each side loses how many strength points: the first variant filled, others as lines over it."""
    with styled():
        figure, axes = panels(2, 4.3, sharex=True)
        lost = {
            side: {name: folded.lost_by(folded.of_side(side)) for name, folded in tallies.items()} for side in SIDES
        }
        top = max(int(values.max()) for by_name in lost.values() for values in by_name.values())
        for side, panel in zip(SIDES, axes, strict=True):
            for number, (name, values) in enumerate(lost[side].items()):
                heights, edges, width = _histogram(values, top)
                if number == 0:
                    panel.bar(edges, heights, width=0.9 * width, color=colour(side), alpha=0.75, linewidth=0)
                else:
                    line = _LINES[number % len(_LINES)]
                    panel.plot(
                        edges, heights, color=INK, linestyle=line, linewidth=1.2, label=name, drawstyle="steps-mid"
                    )
            first = next(iter(lost[side].values()))
            low, middle, high = _quantile_strip(panel, first, panel.dataLim.y1)
            panel.set_title(f"{side}: median {middle:.0f}, nine battles in ten from {low:.0f} to {high:.0f}")
            panel.set_ylabel("battles")
            panel.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:.3g} %"))
            panel.yaxis.set_major_locator(MaxNLocator(4))
            panel.grid(axis="y")
        if len(tallies) > 1:
            key = [Patch(facecolor=FAINT, label=next(iter(tallies))), *axes[0].get_legend_handles_labels()[0]]
            figure.legend(handles=key, loc="outside lower center", ncols=3)
        axes[-1].xaxis.set_major_locator(MaxNLocator(10, integer=True))
        axes[-1].set_xlabel("strength points lost in a battle")
    return figure


def _histogram(values: npt.NDArray[np.int64], top: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int]:
    """Shares of battles in bins of whole numbers, at most some forty of them: heights, middles, width."""
    width = max(1, -(-(top + 1) // 40))
    counts = np.bincount(values // width, minlength=top // width + 1)
    middles = np.arange(counts.size, dtype=np.float64) * width + (width - 1) / 2
    return counts / values.size, np.asarray(middles, dtype=np.float64), width


def _quantile_strip(panel: Axes, values: npt.NDArray[np.int64], height: float) -> tuple[float, float, float]:
    """A strip above the bars: nine battles in ten, half of them, and the median; returns ends and median."""
    low, first, middle, third, high = np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95), method="inverted_cdf")
    at = 1.12 * height
    panel.plot([low, high], [at, at], color=INK, linewidth=1.1, solid_capstyle="butt")
    panel.plot([first, third], [at, at], color=INK, linewidth=4.5, solid_capstyle="butt")
    panel.plot([middle], [at], marker="o", markersize=5, color="white", markeredgecolor=INK)
    panel.set_ylim(0, 1.24 * height)
    return float(low), float(middle), float(high)


def losses_by_unit(summary: Summary, variant: str) -> Figure:
    """What each unit loses: average with its interval and the range of nine battles in ten, by brigade."""
    folded = summary.tallies[variant]
    roster = folded.roster
    mean, low, high = (summary.of(variant, f"lost_unit_{part}") for part in ("mean", "q05", "q95"))
    groups = roster.groupby(["side", "brigade"], sort=False).groups
    with styled():
        figure, (axes,) = panels(1, 0.9 + 0.185 * (len(roster) + 1.5 * len(groups)))
        place, ticks = 0.0, []
        for (side, brigade), units in groups.items():
            axes.text(-0.012, place, f"{brigade} ({side})", transform=axes.get_yaxis_transform(), ha="right",
                      va="center", weight="bold", fontsize=8.5, color=colour(side))  # fmt: skip
            place += 1
            for unit in units:
                gun = roster.loc[unit, "kind"] == "artillery"
                axes.plot([low.loc[unit, "estimate"], high.loc[unit, "estimate"]], [place, place], color=colour(side),
                          alpha=0.28, linewidth=6, solid_capstyle="butt")  # fmt: skip
                row = mean.loc[unit]
                axes.plot([row["low"], row["high"]], [place, place], color=INK, linewidth=1.4, zorder=3)
                axes.plot([row["estimate"]], [place], marker="s" if gun else "o", markersize=4.6, markeredgewidth=1.3,
                          color="white" if gun else colour(side), markeredgecolor=colour(side), zorder=4)  # fmt: skip
                ticks.append((place, f"{roster.loc[unit, 'name']} ({roster.loc[unit, 'sp_start']})"))
                place += 1
            place += 0.5
        axes.set_yticks([at for at, _ in ticks], [label for _, label in ticks], fontsize=8)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(place - 0.3, -0.8)
        axes.set_xlim(left=min(-0.1, axes.get_xlim()[0]))
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.grid(axis="x")
        axes.set_xlabel("lost in a battle (strength points; guns for batteries)")
        axes.legend(handles=_unit_key(), loc="upper center", bbox_to_anchor=(0.35, 0), ncols=1,
                    borderaxespad=4.2, handlelength=1.6)  # fmt: skip
    return figure


def _unit_key() -> list[Line2D]:
    mean: dict[str, Any] = {"color": INK, "linewidth": 1.4, "markersize": 4.6}
    return [
        Line2D([], [], marker="o", label="average, with its 95 % interval", **mean),
        Line2D([], [], marker="s", markerfacecolor="white", label="the same for a battery", **mean),
        Line2D(
            [], [], color=FAINT, alpha=0.5, linewidth=6, label="nine battles in ten (in brackets: strength at start)"
        ),
    ]


def losses_by_cause(summary: Summary, variant: str) -> Figure:
    """Average losses by cause and side, with intervals."""
    rows = summary.of(variant, "sp_lost_cause_mean")
    with styled():
        figure, (axes,) = panels(1, 0.9 + 0.42 * len(CAUSE_NAMES))
        for number, side in enumerate(SIDES):
            for place, cause in enumerate(CAUSE_NAMES):
                row = rows.loc[f"{side}: {cause}"]
                at = place + 0.36 * (number - 0.5)
                axes.barh(at, row["estimate"], height=0.34, color=colour(side), alpha=0.85, linewidth=0,
                          label=side if place == 0 else None)  # fmt: skip
                _whisker(axes, Estimate(row["estimate"], row["low"], row["high"], 0), at, INK)
        axes.set_yticks(range(len(CAUSE_NAMES)), [name.title for name in CAUSE_NAMES.values()])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(CAUSE_NAMES) - 0.5, -0.5)
        axes.set_xlim(left=0)
        axes.grid(axis="x")
        axes.set_xlabel("strength points lost in a battle, average (line: 95 % interval)")
        axes.legend(loc="lower right")
    return figure


def convergence(settling: Mapping[str, pd.DataFrame]) -> Figure:
    """How each side's win share and its interval settle as battles are added.

    Args:
        settling: by side what ``analysis.outcomes.settling`` returns.
    """
    with styled():
        figure, (axes,) = panels(1, 2.9)
        for number, (side, table) in enumerate(settling.items()):
            axes.fill_between(table["n"], table["low"], table["high"], color=colour(side), alpha=0.18, linewidth=0)
            axes.plot(
                table["n"], table["estimate"], color=colour(side), linestyle=_LINES[number], linewidth=1.8, label=side
            )
        last = int(max(table["n"].iloc[-1] for table in settling.values()))
        if last > 20:
            axes.set_xscale("log")
        axes.set_xlim(min(10, last / 2), last)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:.0f} %"))
        axes.set_ylim(0, 1)
        axes.grid(axis="y")
        axes.set_xlabel("battles so far")
        axes.set_ylabel("battles won")
        axes.legend(loc="upper right", ncols=2, title="line: share so far; band: 95 % interval", title_fontsize=8.5)
    return figure


_STATES = ("units_routed", "units_collapsed", "units_eliminated", "brigades_ineffective", "leaders_lost")
_DIFFERENCES = (
    ("Battles won, percentage points", ("win_share", "draw_share"), 100.0),
    ("Strength points and victory points", ("vp", "vp_lead", "sp_lost", "guns_lost"), 1.0),
    ("Units, commands, leaders", (*_STATES, "divisions_ineffective"), 1.0),
    ("Fires and shocks", ("fires", "shocks"), 1.0),
)


def paired_differences(table: pd.DataFrame) -> Figure:
    """What each variant changes, with intervals, battle by battle with the same dice.

    Args:
        table: what ``analysis.comparison.compare`` returns.
    """
    variants = list(table["variant"].unique())
    never = table["low"].isna() & (table["estimate"] == 0)
    alike = never.groupby([table["quantity"], table["group"]]).transform("all")
    table = table if alike.all() else table[~alike]
    shown = [(title, table[table["quantity"].isin(names)], scale) for title, names, scale in _DIFFERENCES]
    shown = [(title, rows, scale) for title, rows, scale in shown if len(rows)]
    counts = [rows.groupby(["quantity", "group"], sort=False).ngroups for _, rows, _ in shown]
    step = max(0.19, 0.1 * len(variants) + 0.04)
    with styled():
        figure = Figure(figsize=(WIDTH, 0.6 + step * sum(counts) + 0.62 * len(shown)), layout="constrained")
        grid = figure.subplots(len(shown), 1, squeeze=False, gridspec_kw={"height_ratios": [n + 0.6 for n in counts]})
        for axes, (title, rows, scale) in zip(grid[:, 0], shown, strict=True):
            _difference_panel(axes, title, rows, scale, variants)
        if len(variants) > 1:
            key = [Line2D([], [], marker=_MARKERS[k % len(_MARKERS)], linestyle="", color=INK, label=name)
                   for k, name in enumerate(variants)]  # fmt: skip
            figure.legend(handles=key, loc="outside lower center", ncols=min(len(variants), 3))
    return figure


def _difference_panel(axes: Axes, title: str, rows: pd.DataFrame, scale: float, variants: list[str]) -> None:
    labels = []
    for place, ((_, group), same) in enumerate(rows.groupby(["quantity", "group"], sort=False)):
        words = same["title"].iloc[0]
        labels.append(words if group == DRAW else f"{words}, {group}")
        for row in same.itertuples():
            number = variants.index(row.variant)
            at = place + 0.5 * ((number + 0.5) / len(variants) - 0.5)
            ink = COLOURS.get(str(group), INK)
            if not np.isnan(row.low):
                axes.plot([scale * row.low, scale * row.high], [at, at], color=ink, linewidth=2)
            axes.plot([scale * row.estimate], [at], marker=_MARKERS[number % len(_MARKERS)], markersize=5, color=ink)
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.set_title(title)
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    low, high = axes.get_xlim()
    reach = max(abs(low), abs(high))
    axes.set_xlim(-reach, reach)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:+.3g}".replace("-", "−") if x else "0"))
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.grid(axis="x")
