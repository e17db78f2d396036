"""Breastworks on the map's picture: along the hexsides that they cover, inside their hex (15.21)."""

import math

from matplotlib.collections import LineCollection

from simkit.report.mapping import _WITHIN, hexside, map_picture, middle
from simkit.report.scene import HexsidePicture, scene_of
from simkit.scenario import build, load


def test_15_21_breastworks_are_drawn_where_they_stand() -> None:
    battle = build(load("dead_of_winter/skirmish")).battle
    plain = scene_of(battle)
    assert not any(side.kind == "breastworks" for side in plain.ground.hexsides)
    battle.works.stand_in(battle.map.named("C3213"), 1)
    scene = scene_of(battle)
    drawn = [side for side in scene.ground.hexsides if side.kind == "breastworks"]
    assert drawn == [HexsidePicture("C3213", 1, "breastworks"), HexsidePicture("C3213", 2, "breastworks")]
    axes = map_picture(scene.ground, scene.units).axes[0]
    lines = [line for made in axes.collections if isinstance(made, LineCollection) for line in made.get_segments()]
    place = battle.map.named("C3213")
    centre = middle(int(place.column), int(place.row))
    for direction in (1, 2):
        wanted = hexside(centre, direction, _WITHIN)
        assert any(
            all(math.dist(a, b) < 1e-9 for a, b in zip(line, wanted, strict=True)) for line in lines if len(line) == 2
        )
