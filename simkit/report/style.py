"""The look of plots and maps: colours that the colour-blind can tell apart, sizes that a phone can show."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from simkit.batch.store import write_whole

# blue and vermilion of Okabe and Ito (2008), a dark and a light grey
COLOURS = {"Union": "#0072B2", "Confederate": "#C44E00", "draw": "#7A7A7A"}
INK = "#222222"
FAINT = "#8A8A8A"
GRID = "#DDDDDD"

WIDTH = 5.2
"""Width of a plot in inches: narrow, so that its letters stay readable on a phone."""

_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.direction": "out",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.dpi": 100,
    "svg.hashsalt": "simkit",
    "hatch.linewidth": 0.6,
}


@contextmanager
def styled() -> Iterator[None]:
    """Within this context matplotlib draws in the style of the report, whatever the user has set."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def panels(rows: int, height: float, *, width: float = WIDTH, sharex: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure of panels one under the other.

    Args:
        rows: how many panels.
        height: height of the figure in inches.
        width: width of the figure in inches.
        sharex: whether they share the horizontal axis.
    """
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, 1, sharex=sharex, squeeze=False)
    return figure, list(axes[:, 0])


def colour(who: str) -> str:
    """The colour of a side or of a draw."""
    return COLOURS.get(who, COLOURS["draw"])


def png(figure: Figure, dpi: int = 200) -> bytes:
    """The figure as a PNG image, the same bytes each time."""
    with styled():
        buffer = BytesIO()
        figure.savefig(buffer, format="png", dpi=dpi, facecolor="white", metadata={"Software": None})
        return buffer.getvalue()


def small_png(figure: Figure, dpi: int, colours: int) -> bytes:
    """The figure as a PNG image of so many colours at most: a fraction of the size for a large picture of few inks."""
    with Image.open(BytesIO(png(figure, dpi))) as image:
        buffer = BytesIO()
        image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(buffer, format="png", optimize=True)
        return buffer.getvalue()


def svg(figure: Figure) -> str:
    """The figure as an SVG element to be put into a page."""
    with styled():
        buffer = BytesIO()
        figure.savefig(buffer, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode("utf-8")
    return text[text.index("<svg") :]


def save(image: bytes, path: Path) -> None:
    """Writes an image to a file, whole or not at all.

    Raises:
        InputError: the disk is full, or the place cannot be written.
    """
    write_whole(path, lambda place: _write(place, image))


def save_png(figure: Figure, path: Path, dpi: int = 200) -> None:
    """Writes the figure as a PNG file, whole or not at all.

    Raises:
        InputError: the disk is full, or the place cannot be written.
    """
    save(png(figure, dpi), path)


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


def _write(place: Path, content: bytes) -> None:
    place.write_bytes(content)
