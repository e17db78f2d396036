"""What a reader sees: plots, pictures of the map, and one self-contained page."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simkit.report.background import Background


def write_report(folder: str | Path, background: "Background | None" = None) -> list[Path]:
    """Writes summary.csv, plots/*.png and report.html into a results folder, each file whole or not at all.

    Args:
        folder: the results folder.
        background: map, set-up and sources of the battle; made from the folder's scenario if not given.

    Returns:
        The files written; the page is the last.

    Raises:
        InputError: the folder is none of simkit's, is damaged, or cannot be written.
    """
    from simkit.report.write import write  # here, so that a battle told in words does not wait for the plots

    return write(folder, background)
