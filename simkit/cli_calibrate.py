"""`simkit calibrate`: the numbers that no source prints, fitted to history."""

from pathlib import Path
from typing import Annotated

import typer

from simkit.cli_tools import job, kept_if_stopped, printable


@job
def calibrate(
    file: Annotated[Path, typer.Argument(metavar="CALIBRATION.toml", help="What is fitted, and to what.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for battles, points and ensemble.")],
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="J", help="Worker processes (default: one a core).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Fit a book's unknown numbers to history, and judge the fit by scenarios that it never saw.

    A quasi-random design covers the ranges; rounds of refinement look further where a smooth surrogate is lowest. What
    fits about equally well becomes an ensemble, which `simkit run --uncertainty` draws from once it lies in the book's
    folder, and a study's `uncertainty` at once. The same command goes on with what was interrupted.
    """
    from simkit.batch.progress import Bar, Watcher
    from simkit.calibrating import Calibrator

    with kept_if_stopped(out):
        for line in Calibrator(file, out, jobs, Watcher if quiet else Bar).run():
            typer.echo(printable(line))
