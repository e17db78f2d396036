"""The tables of a report page: plain rows of words and numbers, made from the summary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from simkit.analysis.adequacy import percent, rare
from simkit.analysis.comparison import SHARES
from simkit.analysis.definitions import CAUSE_NAMES, DEFINITIONS
from simkit.analysis.intervals import QUANTILES, Estimate
from simkit.analysis.outcomes import DRAW
from simkit.analysis.summary import Summary
from simkit.model.forces import SIDES
from simkit.report.words import amount, difference, number, points, share


@dataclass
class Table:
    """A table of the page: a caption, heads, rows of cells (the first is the row's own head), and a note."""

    caption: str
    heads: list[str]
    rows: list[list[str]]
    note: str = ""
    groups: dict[int, str] = field(default_factory=dict)
    """Lines that head the row of this number and those after it."""


def _estimate(row: Any) -> Estimate:
    return Estimate(float(row["estimate"]), float(row["low"]), float(row["high"]), int(row["n"]))


def outcomes(summary: Summary, variants: Sequence[str]) -> Table:
    """Shares of wins and draws, then of each level, one column a variant."""
    rows: list[list[str]] = []
    groups = list(dict.fromkeys(name for variant in variants for name in summary.of(variant, "outcome_share").index))
    for who in (*SIDES, DRAW):
        quantity = "draw_share" if who == DRAW else "win_share"
        words = "draw" if who == DRAW else f"{who} wins"
        levels = [name for name in groups if name.startswith(f"{who}: ")]
        if len(levels) == 1 and who != DRAW:
            words += f" ({levels[0].split(': ', 1)[1]})"
        rows.append([words, *(_share(summary.get(variant, quantity, who)) for variant in variants)])
        if len(levels) > 1:
            names = [f"– {level.split(': ', 1)[1]}" for level in levels]
            shares = [_over(summary, variants, "outcome_share", level) for level in levels]
            rows += [[name, *cells] for name, cells in zip(names, shares, strict=True)]
    if not summary.of(variants[0], "vp_side_mean").empty:
        for side in SIDES:
            cells = [amount(summary.get(variant, "vp_side_mean", side)) for variant in variants]
            rows.append([f"{side} victory points, average", *cells])
    battles = [f"{summary.get(variant, 'draw_share', DRAW).n:,}" for variant in variants]
    rows.append(["battles", *battles])
    heads = ["", *(variants if len(variants) > 1 else ["share of all battles"])]
    return Table("Who won, in share of all battles", heads, rows, _few(rows))


def _over(summary: Summary, variants: Sequence[str], quantity: str, group: str) -> Iterator[str]:
    for variant in variants:
        rows = summary.of(variant, quantity)
        yield _share(_estimate(rows.loc[group])) if group in rows.index else percent(0)


def _share(value: Estimate) -> str:
    return share(value) + ("†" if rare(value) else "")


def _few(rows: list[list[str]]) -> str:
    marked = any("†" in cell for row in rows for cell in row)
    return "† rests on fewer than five battles of one kind: a rough guess." if marked else ""


def _spread_cells(summary: Summary, variant: str, quantity: str, group: str) -> list[str]:
    mean = amount(summary.get(variant, f"{quantity}_mean", group))
    return [mean, *(number(summary.get(variant, f"{quantity}_q{q:02d}", group).estimate, 0) for q in QUANTILES)]


_SPREAD_HEADS = ["average", *("median" if q == 50 else f"{q}\N{NO-BREAK SPACE}%" for q in QUANTILES)]


def side_losses(summary: Summary, variants: Sequence[str]) -> Table:
    """Losses of each side, one row a variant."""
    rows: list[list[str]] = []
    groups: dict[int, str] = {}
    for side in SIDES:
        groups[len(rows)] = side
        for variant in variants:
            tally = summary.tallies[variant]
            start = int(tally.start[tally.of_side(side)].sum())
            guns = int(tally.start[tally.of_side(side, "guns")].sum())
            inside = f"{variant}: " if len(variants) > 1 else ""
            cells = _spread_cells(summary, variant, "sp_lost_side", side)
            part = summary.of(variant, "sp_lost_side_share")
            of_all = percent(float(part.loc[side, "estimate"])) if side in part.index else "–"
            rows.append([f"{inside}strength points, of {start}", *cells, of_all])
            cells = _spread_cells(summary, variant, "guns_lost_side", side)
            rows.append([f"{inside}guns, of {guns}", *cells, ""])
            back = amount(summary.get(variant, "sp_recovered_side_mean", side))
            rows.append([f"{inside}strength points recovered", back, *[""] * (len(QUANTILES) + 1)])
    heads = ["", *_SPREAD_HEADS, "of strength"]
    return Table("Lost in a battle, by side", heads, rows, "Recovered strength is not taken off the losses.", groups)


def causes(summary: Summary, variant: str) -> Table:
    """Average losses by cause."""
    points_, guns = (summary.of(variant, f"{arm}_lost_cause_mean") for arm in ("sp", "guns"))
    rows = []
    for cause, name in CAUSE_NAMES.items():
        cells = [amount(_estimate(table.loc[f"{side}: {cause}"])) for table in (points_, guns) for side in SIDES]
        rows.append([name.title, *cells])
    heads = ["", *(f"{side} {what}" for what in ("SP", "guns") for side in SIDES)]
    return Table("Lost in an average battle, by cause", heads, rows)


def brigades(summary: Summary, variant: str) -> Table:
    """Losses of each brigade."""
    roster = summary.tallies[variant].roster
    counted = roster[roster["kind"] != "artillery"]
    rows: list[list[str]] = []
    groups: dict[int, str] = {}
    for (side, brigade), units in counted.groupby(["side", "brigade"], sort=False):
        if side not in groups.values():
            groups[len(rows)] = side
        rows.append(
            [f"{brigade} ({units['sp_start'].sum()})", *_spread_cells(summary, variant, "sp_lost_brigade", brigade)]
        )
    return Table("Strength points lost, by brigade", ["brigade (strength)", *_SPREAD_HEADS], rows, "", groups)


_RATES = ("ever_routed", "routed_at_end", "collapsed", "eliminated", "disordered")


def units(summary: Summary, variant: str) -> Table:
    """Losses and fates of each unit."""
    roster = summary.tallies[variant].roster
    rates = {state: summary.of(variant, f"unit_{state}_share") for state in _RATES}
    means, low, high = (summary.of(variant, f"lost_unit_{part}") for part in ("mean", "q05", "q95"))
    rows: list[list[str]] = []
    groups: dict[int, str] = {}
    for (side, brigade), members in roster.groupby(["side", "brigade"], sort=False):
        groups[len(rows)] = f"{brigade} ({side})"
        for unit, row in members.iterrows():
            reach = f"{low.loc[unit, 'estimate']:.0f} to {high.loc[unit, 'estimate']:.0f}"
            fates = [_rate(_estimate(rates[state].loc[unit])) for state in _RATES]
            guns = " guns" if row["kind"] == "artillery" else ""
            rows.append([f"{row['name']} ({row['sp_start']}{guns})", amount(_estimate(means.loc[unit])), reach, *fates])
    heads = [
        "unit (strength)",
        "lost, average",
        "lost, 5 % to 95 %",
        *(DEFINITIONS[f"unit_{s}_share"].title for s in _RATES),
    ]
    return Table("Each unit: losses, and how often it meets which fate", heads, rows, _few(rows), groups)


def _rate(value: Estimate) -> str:
    return percent(value.estimate) + ("†" if rare(value) else "")


_STATES = (
    "units_ever_routed_mean", "units_routed_at_end_mean", "units_collapsed_mean", "units_eliminated_mean",
    "units_disordered_mean", "units_abandoned_mean", "units_blown_mean", "brigades_ineffective_mean",
    "brigades_ineffective_any", "leaders_lost_mean", "leaders_lost_any", "fires_mean", "shocks_mean",
)  # fmt: skip


def states(summary: Summary, variant: str) -> Table:
    """What becomes of units, brigades and leaders, in an average battle."""
    rows = []
    for quantity in _STATES:
        values = [summary.get(variant, quantity, side) for side in SIDES]
        words = _share if quantity.endswith("_any") else amount
        rows.append([DEFINITIONS[quantity].title, *(words(value) for value in values)])
    return Table("An average battle, by side", ["", *SIDES], rows, _few(rows))


def combats(summary: Summary, variant: str, kind: str) -> Table | None:
    """Occasions, results and cost of fires or of shocks; None where they were not recorded."""
    modes, results = (summary.of(variant, f"{kind}_{what}") for what in ("mode_mean", "result_share"))
    if results.empty:
        return None
    rows: list[list[str]] = []
    groups = {0: "a battle, by occasion"}
    for table, words in ((modes, amount), (results, _share)):
        if table is results:
            groups[len(rows)] = "share of results"
        for name in dict.fromkeys(group.split(": ", 1)[1] for group in table.index):
            keys = [f"{side}: {name}" for side in SIDES]
            cells = [words(_estimate(table.loc[key])) if key in table.index else "–" for key in keys]
            rows.append([name, *cells])
    cost = summary.of(variant, f"loss_per_{kind}")
    groups[len(rows)] = f"cost of a {kind}"
    cells = [amount(_estimate(cost.loc[side])) if side in cost.index else "–" for side in SIDES]
    rows.append(["lost by the target, average", *cells])
    caption = "Fires, by the side that fires" if kind == "fire" else "Shocks, by the side that attacks"
    return Table(caption, ["", *SIDES], rows, _few(rows), groups)


def differences(table: pd.DataFrame) -> list[Table]:
    """What each variant changes, one table a variant."""
    tables = []
    for (variant, against), rows in table.groupby(["variant", "against"], sort=False):
        cells = []
        for row in rows.itertuples():
            words = row.title if row.group == DRAW else f"{row.title}, {row.group}"
            if row.quantity in SHARES:
                base = percent(row.base)
                change = f"{points(row.estimate)} points ({points(row.low)} to {points(row.high)})"
            else:
                base = number(row.base)
                change = difference(Estimate(row.estimate, row.low, row.high, row.n))
            cells.append([words, base, _never(row) or change, _clear(row), _worth(row)])
        heads = ["", str(against), "difference", "beyond luck?", "as good as (battles)"]
        pairs = int(rows["n"].max())
        note = "Where nothing differs in truth, one row in twenty still says yes."
        tables.append(Table(f"{variant} minus {against}, over {pairs:,} pairs of battles", heads, cells, note))
    return tables


def _never(row: Any) -> str:
    return "never differed" if row.ratio == float("inf") else ""


def _clear(row: Any) -> str:
    if pd.isna(row.low):
        return "–"
    return "no" if row.low <= 0 <= row.high else "yes"


def _worth(row: Any) -> str:
    return "–" if pd.isna(row.ratio) or row.ratio == float("inf") else f"{row.as_good_as:,.0f}"


def saving(table: pd.DataFrame) -> list[str]:
    """A sentence a variant on what the shared dice saved, from the share of battles won."""
    sentences = []
    for variant, rows in table[table["quantity"] == "win_share"].groupby("variant", sort=False):
        known = rows[rows["ratio"].between(0, float("inf"), inclusive="neither")]
        if known.empty:
            continue
        least, most = known["ratio"].min(), known["ratio"].max()
        times = f"{least:.1f}" if round(least, 1) == round(most, 1) else f"{least:.1f} to {most:.1f}"
        n = int(known["n"].max())
        worth = f"{known['as_good_as'].min():,.0f}"
        sentences.append(
            f"{variant}: as both met the same dice, {n:,} battles of each tell as much about the share of wins as at "
            f"least {worth} battles of each with dice of their own ({times} times as many)."
        )
    return sentences
