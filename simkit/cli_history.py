"""`simkit history`: where what happened lies among the battles of a results folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simkit.cli_tools import check_picture, job, table

if TYPE_CHECKING:
    from simkit.analysis.history import Comparison


@job
def history(
    scenario: Annotated[str, typer.Argument(help="A scenario's id, or the path of its file.")],
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder with battles of it.")],
    variant: Annotated[str, typer.Option("--variant", metavar="NAME", help="The variant.")] = "base",
    form: Annotated[
        Literal["table", "csv"], typer.Option("--format", help="A table to read, or all columns as csv.")
    ] = "table",
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Also draw it: a .png, .svg or .pdf file.")
    ] = None,
) -> None:
    """Say where what really happened lies among the battles played.

    Each figure of history (strengths, losses, routed and collapsed units, ineffective divisions) is given beside the
    mean and the band of nine battles in ten, with its percentile: the share of battles that had less, and half of those
    that had just as much.
    """
    from simkit.api import beside_history

    check_picture(plot)
    compared = beside_history(scenario, folder, variant=variant)
    if form == "csv":
        typer.echo(compared.table.to_csv(index=False), nl=False)
    else:
        _tell(compared)
    if plot is not None:
        from simkit.report.historyplots import beside
        from simkit.report.style import write_plot

        write_plot(beside(compared), plot)


def _tell(compared: "Comparison") -> None:
    typer.echo(f"{compared.text}\n{compared.battles:,} battles.")
    heads = ("figure", "side", "of", "history", "mean", "90 % of battles", "percentile", "")
    rows = [
        (
            str(row.figure), str(row.side), str(row.of), f"{row.historical:.3g}", f"{row.mean:.3g}",
            f"{row.low:.3g} to {row.high:.3g}", f"{row.percentile:.0f}", "" if row.inside else "outside",
        )
        for row in compared.table.itertuples()
    ]  # fmt: skip
    table(heads, rows)
    if len(compared.units):
        inside, width = compared.covered(), compared.width()
        typer.echo(
            f"{inside:.0%} of {len(compared.units)} units' strengths lie in their band; the median width of the bands "
            f"is {width:.3g} strength points."
        )
