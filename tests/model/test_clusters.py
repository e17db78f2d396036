"""Clusters of hexes: the distance to the nearest, however they lie and in whatever order they are asked about."""

from importlib.resources import files

from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.model.battlemap import Hex
from simkit.model.clusters import NOBODY, Clusters
from simkit.scenario.charts import read_charts

GROUND = read_charts(files("simkit.books.dead_of_winter") / "charts").terrain("clear")
PLACES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 40)), max_size=40)


def hexes(places):
    return [Hex(at, f"h{at}", column, row, GROUND, 0) for at, (column, row) in enumerate(places)]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(PLACES, PLACES)
def test_the_nearest_is_the_least_of_all_distances(held, asked):
    clusters = Clusters()
    stood = hexes(held)
    for place in stood + stood[::2]:
        clusters.add(place)
    for place in hexes(asked):
        assert clusters.nearest(place) == min((place.distance_to(other) for other in stood), default=NOBODY)


def test_an_emptied_set_holds_nobody():
    clusters = Clusters()
    clusters.add(hexes([(3, 3)])[0])
    clusters.clear()
    assert clusters.nearest(hexes([(3, 3)])[0]) == NOBODY
