"""Rivers that rise, the bridge that pioneers open, and fords that they make better (18.2, 18.3 of Dead of Winter)."""

import pytest

from simkit.model.battle import DAWN, NIGHT
from simkit.model.charts import FOOT, GUNS, LEADER, NO_DISORDER, PROHIBITED
from simkit.model.events import EITHER, EventChart, EventMarkers, RandomEvent
from simkit.model.forces import ELIMINATED, MARCH
from simkit.model.waters import HIGH, LEVELS, MEDIUM

LOW = 0
WIDE = PROHIBITED


@pytest.fixture
def river(field):
    """A river between columns 4 and 5: a ford B in row 2, a ford A in row 4, a closed bridge in row 6."""
    f = field(10, 10)
    west = {row: f"A04{row:02d}" for row in range(1, 11)}
    f.sides = {}
    over = {2: "ford_b", 4: "ford_a", 6: "bridge"}
    for row, ident in west.items():
        for side in f.hex(ident).sides:
            if side.on_map and side.to.column == 5:
                ford = over.get(row, "") if side.to.row == row else ""
                f.sides[ident, side.to.id] = f.water(
                    ident, side.to.id, ford, opened_from=("A0406", "A0506") if ford == "bridge" else (),
                )
    f.pioneers = [f.unit("1 Pio", "A0102", strength=5), f.unit("2 Pio", "A0110", strength=1)]
    f.foe = f.unit("1 TN", "A1010", "W", side=1)

    def play(*faces, water=MEDIUM):
        f.map.water = water
        f.battle.pioneers = list(f.pioneers)
        f.play(faces)
        return f

    f.ready = play
    return f


def cost(f, row, mover=FOOT):
    """Half MPs to cross the river eastwards in a row."""
    return min(f.between(f"A04{row:02d}", f"A05{row:02d}")[0].costs[mover], WIDE)


def move(f, unit, ident):
    f.battle.lift(unit)
    f.battle.stand(unit, f.hex(ident), True)
    f.series.movement.prepare(unit)


# -- 18.2 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("water", "open_water", "ford_b", "ford_a"), [
    (LOW, 4, 4, 4), (MEDIUM, WIDE, 6, 4), (HIGH, WIDE, WIDE, 4),
])
def test_18_1_what_it_costs_to_cross_at_each_level(river, water, open_water, ford_b, ford_a):
    f = river.ready(water=water)
    assert [cost(f, 1), cost(f, 2), cost(f, 4)] == [open_water, ford_b, ford_a]
    assert cost(f, 6) == open_water  # nobody has opened the bridge


def rain(f, *faces):
    """One random event that is rain, from the marker to the end of it."""
    made = EventChart("Random Events", [EITHER] * 10, [RandomEvent("Rain", "rain")] * 10, False, False)
    f.series.scenario.events = [EventMarkers(made, 1, 0, 9)]
    f.series.activation.fill_pool()
    marker = next(marker for marker in f.battle.pool if marker.side < 0)
    f.roll(("event", 9), ("event", 8))
    f.series.events.drawn(marker)


def test_18_2_rain_raises_the_river_by_a_level_and_high_is_the_end(river):
    f = river.ready(water=LOW)
    levels, prices = [], []
    for _ in range(3):
        rain(f)
        levels.append(LEVELS[f.map.water])
        prices.append([cost(f, 1), cost(f, 2), cost(f, 4)])
    assert levels == ["medium", "high", "high"]
    assert prices == [[WIDE, 6, 4], [WIDE, WIDE, 4], [WIDE, WIDE, 4]]
    assert [event.result for event in f.events("water")] == ["medium", "high", "high"]


def test_18_2_rain_on_a_map_without_water_changes_nothing(field):
    f = field(4, 4)
    f.unit("22 IN", "A0101")
    f.unit("1 TN", "A0404", "W", side=1)
    f.play()
    before = f.battle.digest()
    f.series.crossings.rain()
    assert (f.map.water, f.battle.digest(), f.events("water")) == (MEDIUM, before, [])


def test_18_2_the_search_no_longer_leads_through_a_flooded_ford(river):
    f = river
    unit = f.unit("22 IN", "A0402", "E", movement=4)
    f.ready()
    f.begin(unit)
    f.series.movement.search(unit)
    across = f.hex("A0502").nodes + f.hex("A0502").road_nodes
    assert any(f.series.movement.found(node) for node in across)
    rain(f)
    f.begin(unit)
    f.series.movement.search(unit)
    assert not any(f.series.movement.found(node) for node in across)


def test_18_2_leaders_and_command_do_not_cross_high_water_but_at_a_good_ford(river):
    f = river.ready()
    f.series.movement.flood(f.hex("A0402"), 0, 8)
    assert f.hex("A0502").stamp == f.map.search
    rain(f)
    f.series.movement.flood(f.hex("A0402"), 0, 8)
    assert f.hex("A0502").stamp != f.map.search
    f.series.movement.flood(f.hex("A0404"), 0, 8)
    assert f.hex("A0504").stamp == f.map.search


def test_18_2_a_road_through_a_flooded_ford_is_of_no_use(river):
    f = river
    f.road("road", "A0302", "A0402", "A0502", "A0602")
    unit = f.unit("22 IN", "A0302", "NNE", orders=MARCH)
    unit.heading = 2
    f.ready()
    view = f.between("A0402", "A0502")[0]
    assert view.advance[FOOT] < PROHIBITED
    rain(f)
    assert view.advance[FOOT] >= PROHIBITED
    assert not view.roads
    f.battle.reset()
    assert view.advance[FOOT] < PROHIBITED
    assert view.roads


def test_18_2_the_level_is_part_of_the_state(river):
    f = river.ready()
    before = f.battle.digest()
    kept = f.battle.snapshot()
    rain(f)
    f.battle.pool = []
    high = f.battle.snapshot()
    assert f.battle.digest() != before
    f.battle.restore(kept)
    assert (f.map.water, cost(f, 2)) == (MEDIUM, 6)
    f.battle.restore(high)
    assert (f.map.water, cost(f, 2)) == (HIGH, WIDE)
    f.battle.reset()
    assert f.battle.digest() == before
    assert cost(f, 2) == 6


# -- 18.32 -----------------------------------------------------------------------------------------------------------


def test_18_32_pioneers_beside_a_ford_raise_it_by_one_class(river):
    """A poor ford counts as a good one, which spares guns their disorder; a good one as a bridge."""
    f = river.ready()
    view = f.between("A0402", "A0502")[0]
    assert (view.ford, cost(f, 2), view.disorders[GUNS] == NO_DISORDER) == ("B", 6, False)
    move(f, f.pioneers[0], "A0302")
    assert (view.ford, cost(f, 2), view.disorders[GUNS] == NO_DISORDER) == ("A", 4, True)
    move(f, f.pioneers[0], "A0505")
    assert (view.ford, cost(f, 2)) == ("B", 6)
    good = f.between("A0404", "A0504")[0]
    assert (good.bridge, good.ford, cost(f, 4), cost(f, 4, LEADER)) == (True, "", 2, 2)


def test_18_32_a_washed_out_poor_ford_is_a_good_one_under_pioneers(river):
    f = river.ready(water=HIGH)
    assert cost(f, 2) == WIDE
    move(f, f.pioneers[0], "A0402")
    assert cost(f, 2) == 4


def test_18_32_at_low_water_a_poor_ford_is_a_good_one_so_pioneers_make_a_bridge_of_it(river):
    f = river.ready(water=LOW)
    move(f, f.pioneers[0], "A0402")
    assert f.between("A0402", "A0502")[0].bridge


@pytest.mark.parametrize(("change", "raised"), [
    ("disordered", False), ("one point", False), ("two units of one point", True), ("eliminated", False), ("", True),
])
def test_18_32_in_good_order_and_two_points_together(river, change, raised):
    f = river.ready()
    one, two = f.pioneers
    move(f, one, "A0302")
    if change == "disordered":
        one.disordered = True
    elif change == "eliminated":
        f.battle.remove(one, ELIMINATED)
    elif change:
        one.strength = 1
        if change.startswith("two"):
            f.battle.stand(one, f.map.off, True)
            move(f, two, "A0302")
    f.series.movement.prepare(f.foe)
    assert (cost(f, 2) == 4) is raised


def test_18_32_two_units_raise_a_poor_ford_no_farther_than_one_does(river):
    f = river
    f.pioneers[1].strength = 5
    f.ready()
    for unit in f.pioneers:
        move(f, unit, "A0302")
    assert (f.between("A0402", "A0502")[0].ford, cost(f, 2)) == ("A", 4)


def test_18_32_a_raised_ford_follows_the_units_through_restore(river):
    f = river.ready()
    kept = f.battle.snapshot()
    move(f, f.pioneers[0], "A0302")
    near = f.battle.snapshot()
    f.battle.restore(kept)
    assert cost(f, 2) == 6
    f.battle.restore(near)
    assert cost(f, 2) == 4


# -- 18.31 -----------------------------------------------------------------------------------------------------------


def turns(f, number, during=None):
    """Turns from their beginning to their end, with something in their middle."""
    for _ in range(number):
        f.series.activation.begin_turn()
        if during is not None:
            during()
        f.series.crossings.complete()


@pytest.fixture
def bridge(river):
    """A pioneer unit in one of the two hexes."""
    f = river.ready()
    move(f, f.pioneers[0], "A0406")
    f.side = next(side for side in f.battle.waters.bridges)
    return f


def test_18_31_ten_daylight_turns_of_an_undisordered_pioneer_open_the_bridge(bridge):
    f = bridge
    turns(f, 9)
    assert (f.side.turns, cost(f, 6)) == (9, WIDE)
    turns(f, 1)
    assert cost(f, 6) == 2
    assert [event.result for event in f.events("bridge")] == ["open"]
    move(f, f.pioneers[0], "A0102")
    assert cost(f, 6) == 2


def test_18_31_it_needs_no_second_unit_and_one_does_not_hasten_it(bridge):
    f = bridge
    move(f, f.pioneers[1], "A0506")
    turns(f, 2)
    assert f.side.turns == 2


def test_18_31_high_water_does_not_matter(bridge):
    f = bridge
    rain(f)
    turns(f, 10)
    assert cost(f, 6) == 2


@pytest.mark.parametrize(("light", "counts"), [(DAWN, True), (NIGHT, False)])
def test_18_31_only_daylight_turns_count(bridge, light, counts):
    f = bridge
    f.battle.turns[0].light = light
    turns(f, 1)
    assert (f.side.turns == 1) is counts


@pytest.mark.parametrize("what", ["disordered", "away", "came late", "fires", "fired on"])
def test_18_31_a_turn_of_other_business_does_not_count_but_the_work_stands(bridge, what):
    f = bridge
    unit = f.pioneers[0]
    turns(f, 3)

    def during():
        if what == "disordered":
            unit.disordered = True
        elif what == "away":
            move(f, unit, "A0306")
        elif what == "came late":
            move(f, unit, "A0406")
        elif what == "fires":
            f.series.fire.shoot([unit.parts[0]], f.hex("A0706"), [], 5, 0, True)
        else:
            f.series.fire.shoot([f.far.parts[0]], f.hex("A0406"), [], 5, 0, True)
        f.series.crossings.watch()

    f.far = f.foe
    if what == "came late":
        move(f, unit, "A0306")
    move(f, f.foe, "A0706")
    f.roll(("fire", 0))
    turns(f, 1, during)
    assert f.side.turns == 3


def test_18_31_an_enemy_beside_the_pioneers_makes_them_begin_again(bridge):
    f = bridge
    turns(f, 5)

    def during():
        move(f, f.foe, "A0405")
        f.series.crossings.watch()
        move(f, f.foe, "A1010")

    turns(f, 1, during)
    assert f.side.turns == 0
    assert [event.result for event in f.events("bridge")] == ["begun again"]
    turns(f, 1)
    assert f.side.turns == 1


def test_18_31_so_does_an_enemy_in_either_hex_while_they_are_away(bridge):
    f = bridge
    turns(f, 5)
    move(f, f.pioneers[0], "A0101")
    move(f, f.foe, "A0506")
    turns(f, 1)
    assert f.side.turns == 0


def test_18_31_progress_and_the_open_bridge_are_part_of_the_state(bridge):
    f = bridge
    turns(f, 9)
    kept, digest = f.battle.snapshot(), f.battle.digest()
    turns(f, 1)
    opened = f.battle.snapshot()
    f.battle.restore(kept)
    assert (f.side.turns, cost(f, 6), f.battle.digest()) == (9, WIDE, digest)
    f.battle.restore(opened)
    assert cost(f, 6) == 2
    f.battle.reset()
    assert (f.side.turns, cost(f, 6)) == (0, WIDE)
