"""The picture of the map: where hexes lie, and what is drawn."""

import math

import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Polygon

from simkit.model.hexgrid import STEP_Q, STEP_R, axial_row, offset_row
from simkit.report.mapping import HEIGHT, hexside, map_picture, middle
from simkit.report.scene import Arrow, HexPicture, HexsidePicture, MapData, UnitPicture, WayPicture
from simkit.report.style import COLOURS, png

TERRAINS = ("clear", "woods", "cedars")
GROUND = MapData(
    tuple(
        HexPicture(f"C{c}{r:02d}", c, r, TERRAINS[(c + r) % 3], (c + r) % 2, ("Franklin road",) if r == 5 else ())
        for c in range(30, 40)
        for r in range(1, 10)
    ),
    (
        HexsidePicture("C3305", 0, "stream"),
        HexsidePicture("C3405", 1, "ford_a"),
        HexsidePicture("C3405", 2, "new thing"),
    ),
    (WayPicture("C3105", 2, "pike"), WayPicture("C3605", 0, "trail")),
)
UNITS = (
    UnitPicture("22 IN", "Union", "C3305", 3, 6),
    UnitPicture("5 WI Bty", "Union", "C3305", 3, 6, "artillery"),
    UnitPicture("Escort", "Union", "C3306", 0, 2, "cavalry", disordered=True),
    UnitPicture("29 TN", "Confederate", "C3606", 9, 12, collapsed=True),
    UnitPicture("gone", "Union", "", 1, 1),
)


def patches(figure: Figure, kind: type) -> list[object]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, kind)]


def test_odd_columns_sit_half_a_hex_lower() -> None:
    assert middle(31, 8)[1] - middle(30, 8)[1] == pytest.approx(-HEIGHT / 2)
    assert middle(32, 8)[1] == middle(30, 8)[1]
    assert middle(30, 9)[1] - middle(30, 8)[1] == pytest.approx(-HEIGHT)


@pytest.mark.parametrize("column", [30, 31])
@pytest.mark.parametrize("direction", range(6))
def test_pictures_and_engine_agree_on_neighbours(column: int, direction: int) -> None:
    """The middle of a hexside lies halfway to the neighbour that the engine's grid names."""
    q, r = column + STEP_Q[direction], axial_row(column, 8) + STEP_R[direction]
    here, there = middle(column, 8), middle(int(q), int(offset_row(q, r)))
    (x1, y1), (x2, y2) = hexside(here, direction)
    assert (x1 + x2) / 2 == pytest.approx((here[0] + there[0]) / 2)
    assert (y1 + y2) / 2 == pytest.approx((here[1] + there[1]) / 2)
    assert math.dist(here, there) == pytest.approx(HEIGHT)


@pytest.mark.parametrize("heading", range(12))
def test_the_wedge_points_where_the_unit_faces(heading: int) -> None:
    figure = map_picture(GROUND, (UnitPicture("22 IN", "Union", "C3305", heading, 6),))
    (wedge,) = patches(figure, Polygon)
    x, y = middle(33, 5)
    tip = wedge.get_xy()[0]
    compass = math.degrees(math.atan2(tip[0] - x, tip[1] - y - 0.1)) % 360
    assert abs((compass - 30 * heading + 180) % 360 - 180) < 1


def test_names_and_strengths_are_written() -> None:
    figure = map_picture(GROUND, UNITS, title="Set-up")
    words = {text.get_text() for text in figure.axes[0].texts}
    assert {"5 WI Bty\n22 IN", "29 TN", "Escort", "6", "12", "2", "Franklin road", "C3305"} <= words
    assert not any("gone" in word for word in words)
    key = {text.get_text() for text in figure.legends[0].get_texts()}
    assert {
        "Union",
        "Confederate",
        "disordered",
        "collapsed",
        "woods",
        "cedars",
        "stream",
        "ford a",
        "pike",
        "trail",
    } <= key
    assert png(figure, 60).startswith(b"\x89PNG")


def test_the_map_is_cut_to_what_happens() -> None:
    whole, cut = (map_picture(GROUND, UNITS, margin=margin) for margin in (None, 1))
    cells = [next(c for c in figure.axes[0].collections if isinstance(c, PolyCollection)) for figure in (whole, cut)]
    assert len(cells[0].get_paths()) == 90
    assert len(cells[1].get_paths()) == 6 * 4


def test_losses_are_circles_of_their_area() -> None:
    figure = map_picture(
        GROUND, losses={("Union", "C3305"): 4.0, ("Confederate", "C3606"): 1.0, ("Union", "Z9999"): 9.0}
    )
    circles = {circle.center: circle for circle in patches(figure, Circle)}
    big, small = circles[middle(33, 5)], circles[middle(36, 6)]
    assert big.radius == pytest.approx(2 * small.radius)
    assert len(circles) == 2
    assert any("4 SP a battle" in text.get_text() for text in figure.legends[0].get_texts())


def test_arrows() -> None:
    arrows = [Arrow("Union", "C3305", "C3405", kind) for kind in ("move", "retreat", "fire", "shock")]
    figure = map_picture(GROUND, UNITS, arrows=[*arrows, Arrow("Union", "C3305", "C3305")])
    assert len(patches(figure, FancyArrowPatch)) == 4


def test_sides_can_be_told_apart_without_colour() -> None:
    def lightness(ink: str) -> float:
        red, green, blue = (int(ink[k : k + 2], 16) for k in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert len({COLOURS[who] for who in COLOURS}) == 3
    figure = map_picture(GROUND, losses={("Union", "C3305"): 1.0, ("Confederate", "C3606"): 1.0})
    lines = {circle.get_linestyle() for circle in patches(figure, Circle)}
    assert len(lines) == 2
    assert lightness(COLOURS["draw"]) > lightness(COLOURS["Union"])
