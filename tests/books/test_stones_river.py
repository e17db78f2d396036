"""Maps A to D of Dead of Winter against the hexes that the rulebook names, and against themselves.

What the rulebook prints of a map is where things stand: set-ups, breastworks, entries, victory points.
"""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import simkit
from simkit.model.battlemap import OFF_ROAD, PIKE, RAILROAD, ROAD
from simkit.model.charts import FOOT, GUNS, HORSE, PROHIBITED
from simkit.model.hexgrid import opposite
from simkit.scenario.charts import read_charts
from simkit.scenario.mapfile import InPlay, make_map, read_map

BOOK = Path(simkit.__file__).parent / "books" / "dead_of_winter"
FILE = BOOK / "maps" / "stones_river.toml"

with (Path(__file__).parent / "stones_river_hexes.toml").open("rb") as _file:
    NAMED = tomllib.load(_file)
SHEETS = list(NAMED["entries"])


@pytest.fixture(scope="module")
def charts():
    return read_charts(BOOK / "charts")


@pytest.fixture(scope="module")
def drawing():
    return read_map(FILE)


@pytest.fixture(scope="module")
def make(charts, drawing):
    """Make the map of some sheets at a level of its waters, once each."""
    made = {}

    def of(sheets="ABCD", water="medium"):
        if (sheets, water) not in made:
            made[sheets, water] = make_map(drawing, charts, FILE, water, InPlay(list(sheets)))
        return made[sheets, water]

    return of


@pytest.fixture(scope="module")
def ground(make):
    return make()


def reached(start, mover, *, dry=False, roads=()):
    """All hexes that a class of mover can walk to, dry-shod, or along some roads alone."""
    seen, todo = {start.id}, [start]
    for place in todo:
        for side in place.sides:
            wet = side.water or any(feature.name in ("river", "stream") for feature in side.features)
            if not side.passable(mover) or (dry and wet) or (roads and side.road not in roads):
                continue
            if side.to.id not in seen:
                seen.add(side.to.id)
                todo.append(side.to)
    return seen


def edge(ground, ident):
    return any(not side.on_map for side in ground.named(ident).sides)


# -- the grid ---------------------------------------------------------------------------------------------------------


def test_each_sheet_has_its_hexes(make):
    """39 columns, 20 of them even with 53 rows and 19 odd with 52; sheets share a column, or the even ends of rows."""
    whole = 20 * 53 + 19 * 52
    assert [len(make(sheet).hexes) for sheet in "ABCD"] == [whole] * 4
    assert len(make("AB").hexes) == 2 * whole - 53
    assert len(make("ABCD").hexes) == 4 * whole - 2 * 53 - 2 * 20 + 1


@pytest.mark.parametrize(
    ("first", "second"),
    [("A4841", "B1041"), ("C4817", "D1017"), ("A3053", "C3001"), ("B2653", "D2601"), ("A4853", "D1001")],
)
def test_two_names_of_a_hex_are_one_place(ground, first, second):
    assert ground.named(first) is ground.named(second)


def test_sheets_join_where_set_ups_say_so(ground):
    """38 TN stands in B2653 above 16 TN in D2602; the Union works go on from A4834 to B1133."""
    for first, second in (("B2653", "D2602"), ("A4834", "B1133"), ("A4841", "B1141"), ("C4805", "D1105")):
        assert ground.named(first).direction_to(ground.named(second)) >= 0


def test_names_are_those_of_the_sheets_in_play(make):
    assert make("C").named("A3053").id == "C3001"
    assert make("B").named("A4841").id == "B1041"
    assert make("ABCD").named("C3001").id == "A3053"


# -- what stands where ------------------------------------------------------------------------------------------------


def test_units_set_up_on_ground_that_they_can_leave(ground):
    for ident in NAMED["set_up"].split():
        place = ground.named(ident)
        assert place.terrain.name != "river", ident
        ways = [side for side in place.sides if side.passable(FOOT)]
        assert any(way.to.sides[opposite(way.direction)].passable(FOOT) for way in ways), ident


def test_batteries_set_up_where_guns_can_go(ground):
    batteries = NAMED["batteries"].split()
    for ident in batteries:
        place = ground.named(ident)
        assert place.terrain.cost(GUNS) < PROHIBITED, ident
    free = reached(ground.named("A4328"), GUNS)
    assert [ident for ident in batteries if ground.named(ident).id not in free] == []


@pytest.mark.parametrize("water", ["medium", "high"])
def test_the_banks_are_those_on_which_units_stand(make, water):
    ground = make(water=water)
    west = reached(ground.named("A4328"), FOOT, dry=True)
    east = reached(ground.named("B4042"), FOOT, dry=True)
    beyond = reached(ground.named("A1141"), FOOT, dry=True)
    assert not west & east and not west & beyond and not east & beyond
    for bank, free in (("west_bank", west), ("east_bank", east), ("across_overall_creek", beyond)):
        assert [ident for ident in NAMED[bank].split() if ground.named(ident).id not in free] == []


def test_hexes_of_victory_points_lie_on_roads_or_on_waynes_hill(ground):
    for ident in NAMED["victory_points"].split():
        place = ground.named(ident)
        roads = [side.road for side in place.sides if side.road in (ROAD, PIKE)]
        assert roads or "Wayne's Hill" in place.features, ident


@pytest.mark.parametrize("sheets", SHEETS)
def test_entries_lie_on_the_edge_of_the_sheets_in_play(make, sheets):
    ground = make(sheets)
    assert [ident for ident in NAMED["entries"][sheets].split() if not edge(ground, ident)] == []


def test_entries_of_the_whole_map_lie_on_roads(ground):
    for ident in NAMED["entries"]["ABCD"].split():
        assert any(side.road != OFF_ROAD for side in ground.named(ident).sides), ident


# -- roads and waters -------------------------------------------------------------------------------------------------


def test_roads_lead_where_the_rulebook_says(ground):
    """7.0: along the road from A3146 to C3019; the pike from its entry over the victory hexes to the town."""
    lane = reached(ground.named("A3146"), FOOT, roads=(ROAD,))
    assert ground.named("C3019").id in lane
    pike = reached(ground.named("A1401"), FOOT, roads=(PIKE,))
    for ident in ("A2308", "A3924", "A4328", "D3706", "A1041", "A1945", "A3146", "B4843", "D2643"):
        assert ground.named(ident).id in pike, ident
    railroad = {place.id for place in ground.hexes if "Nashville and Chattanooga railroad" in place.features}
    assert ground.named("D4821").id in railroad
    assert any(side.road == RAILROAD for place in ground.hexes for side in place.sides)


def test_every_road_is_one_way_from_end_to_end(ground, drawing):
    (bridge,) = [crossing for crossing in drawing.crossing if crossing.opened_from]
    closed = set(bridge.between)  # until it is open no road leads over it
    for way in drawing.way:
        hexes = {place.id for place in ground.hexes if way.name in place.features}
        start = ground.named(way.path[0])
        seen, todo = {start.id}, [start]
        for place in todo:
            for side in place.sides:
                joined = side.road != OFF_ROAD or closed == {place.id, side.to.id}
                if joined and side.to.id in hexes and side.to.id not in seen:
                    seen.add(side.to.id)
                    todo.append(side.to)
        assert seen == hexes, way.name


def test_every_bridge_and_ford_crosses_water(make, drawing):
    low, high = make(water="low"), make(water="high")
    for crossing in drawing.crossing:
        assert crossing.name
        a, b = (low.named(ident) for ident in crossing.between)
        side = a.sides[a.direction_to(b)]
        if not crossing.opened_from:
            assert side.water, crossing.name
        here, there = (high.named(ident) for ident in crossing.between)
        across = here.sides[here.direction_to(there)]
        closed = bool(crossing.opened_from) or crossing.kind == "ford_b"
        assert across.passable(FOOT) != closed, crossing.name
        assert across.bridge == (crossing.kind == "bridge" and not closed)
    assert {crossing.kind for crossing in drawing.crossing} == {"bridge", "ford_a", "ford_b"}


def test_the_bridge_of_the_pioneers_waits_for_them(ground, drawing):
    """18.31: the one bridge that must be opened, worked at from A4619 or A4720."""
    (bridge,) = [crossing for crossing in drawing.crossing if crossing.opened_from]
    assert bridge.opened_from == ["A4619", "A4720"] and bridge.kind == "bridge"
    (side,) = [side for side in ground.water_sides if side.closed]
    assert [place.id for place in side.sites] == ["A4619", "A4720"]
    for place in side.sites:  # each at the bridge or beside its other end
        assert min(place.distance_to(view.origin) for view in side.views) <= 1


@pytest.mark.parametrize("mover", [FOOT, HORSE])
@pytest.mark.parametrize("sheets", ["A", "B", "C", "D", "AB", "ABCD"])
def test_high_water_cuts_nobody_off_but_on_sheets_without_a_crossing(make, sheets, mover):
    ground = make(sheets, "high")
    free = reached(ground.hexes[0], mover)
    left = [place.id for place in ground.hexes if place.id not in free]
    if sheets == "A":  # north-east of the river only the pioneers' bridge leads there
        assert left and free | reached(ground.named("A4801"), mover) == {place.id for place in ground.hexes}
    else:
        assert left == []


def test_low_water_can_be_waded_everywhere(make):
    ground = make(water="low")
    assert len(reached(ground.hexes[0], GUNS) | {p.id for p in ground.hexes if p.terrain.name == "cedars"}) == len(
        ground.hexes
    )


def test_heights_change_by_a_level_at_a_time(ground):
    """No slope is drawn, so that a larger step would be a slope that the map does not say."""
    for place in ground.hexes:
        assert all(abs(side.drop) <= 1 for side in place.sides if side.on_map), place.id


def test_all_that_is_not_printed_says_why(drawing):
    kinds = ("area", "level", "way", "hexside", "crossing", "place")
    for entry in [drawing.map, *(entry for kind in kinds for entry in getattr(drawing, kind))]:
        assert entry.source == "printed" or entry.why, entry
        assert entry.source != "printed" or entry.rule or entry.why, entry
        assert entry.name


# -- the page on the maps ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page():
    path = Path(__file__).parents[2] / "docs" / "maps.md"
    if not path.exists():
        pytest.skip("the pages are not installed")
    return path


def test_the_page_counts_the_sources(page, drawing):
    rows = {
        "woods, cedars, fields, town": drawing.area,
        "heights": drawing.level,
        "roads and the railroad": drawing.way,
        "Stones River, Overall Creek": drawing.hexside,
        "bridges and fords": drawing.crossing,
        "places": drawing.place,
    }
    everything = [entry for entries in rows.values() for entry in entries]
    for name, entries in {**rows, f"all {len(everything)}": everything}.items():
        counted = Counter(entry.source for entry in entries)
        line = " | ".join(str(counted[source]) for source in ("printed", "derived", "reconstructed"))
        assert f"| {name} | {line} |" in page.read_text(encoding="utf-8")


def test_the_page_lists_the_crossings(page, drawing):
    kinds = {"bridge": "bridge", "ford_a": "ford A", "ford_b": "ford B"}
    for crossing in drawing.crossing:
        line = f"| {crossing.name} | {', '.join(crossing.between)} | {kinds[crossing.kind]}"
        assert line in page.read_text(encoding="utf-8")


def test_the_page_shows_each_sheet(page):
    for name in ("stones_river", *(f"stones_river_{letter}" for letter in "abcd")):
        assert f"(maps/{name}.png)" in page.read_text(encoding="utf-8")
        assert (page.parent / "maps" / f"{name}.png").stat().st_size < 600_000
