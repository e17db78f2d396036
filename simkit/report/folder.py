"""The report of a results folder, and its gist for a terminal."""

from pathlib import Path

import pandas as pd

from simkit.analysis.results import Results
from simkit.analysis.summary import Summary
from simkit.report import write_report
from simkit.report.words import headline


def report_on(folder: Path) -> list[str]:
    """Write summary, plots and page of a results folder.

    Args:
        folder: the results folder.

    Returns:
        What the battles say in a few sentences, and where the page lies.

    Raises:
        InputError: the folder is none of simkit's, is damaged, or cannot be written.
    """
    page = write_report(folder)[-1]
    results = Results(folder)
    with (folder / "summary.csv").open(encoding="utf-8", newline="") as file:  # pandas takes some names for addresses
        summary = Summary(pd.read_csv(file, keep_default_na=False, na_values=[""]), {}, {})
    return [*results.notes, *headline(results, summary), f"Report: {page}"]
