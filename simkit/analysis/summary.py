"""The whole summary of a results folder as one tidy table, each number with its interval and its definition."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd

from simkit.analysis.combats import combat_rows
from simkit.analysis.definitions import DEFINITIONS
from simkit.analysis.intervals import Estimate
from simkit.analysis.losses import loss_rows, where_fallen
from simkit.analysis.outcomes import Row, outcome_rows
from simkit.analysis.results import Results
from simkit.analysis.states import state_rows
from simkit.analysis.tally import UnitTally, contradictions, tally

COLUMNS = ("variant", "quantity", "group", "estimate", "low", "high", "n", "definition")


@dataclass
class Summary:
    """Everything that the battles of a folder say, by variant.

    Attributes:
        table: one row a number, with the columns of summary.csv.
        tallies: the units of each variant, folded.
        fallen: where each variant's losses fell, and a sentence that says what the hex is.
        contradictions: sentences on tables of the folder that do not agree with each other.
    """

    table: pd.DataFrame
    tallies: dict[str, UnitTally]
    fallen: dict[str, tuple[pd.DataFrame, str]]
    contradictions: list[str] = field(default_factory=list)

    def get(self, variant: str, quantity: str, group: str) -> Estimate:
        """One number with its interval; KeyError if the table has none of that name."""
        rows = self.of(variant, quantity)
        if group not in rows.index:
            raise KeyError(f"{variant}, {quantity}, {group}")
        row = rows.loc[group]
        return Estimate(float(row["estimate"]), float(row["low"]), float(row["high"]), int(row["n"]))

    def of(self, variant: str, quantity: str) -> pd.DataFrame:
        """All numbers of one quantity, indexed by group."""
        table = self.table
        return table[(table["variant"] == variant) & (table["quantity"] == quantity)].set_index("group")


def summarise(results: Results) -> Summary:
    """Summarises every variant of a results folder.

    Raises:
        InputError: the folder is damaged.
    """
    rows: list[tuple[str, Row]] = []
    summary = Summary(pd.DataFrame(), {}, {})
    for variant in results.variants:
        folded = tally(results, variant)
        summary.tallies[variant] = folded
        summary.fallen[variant] = where_fallen(results, folded)
        summary.contradictions += contradictions(results, folded)
        rows += [(variant, row) for row in _rows(results, folded)]
    summary.table = pd.DataFrame(
        [
            (variant, quantity, group, *estimate, DEFINITIONS[quantity].text)
            for variant, (quantity, group, estimate) in rows
        ],
        columns=list(COLUMNS),
    )
    return summary


def _rows(results: Results, folded: UnitTally) -> Iterator[Row]:
    yield from outcome_rows(results, folded.variant)
    yield from loss_rows(folded)
    yield from state_rows(results, folded)
    yield from combat_rows(results, folded.variant)
