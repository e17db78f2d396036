"""The data of the Skirmish of December 30th against what the book prints of it."""

import pytest

from simkit.model.battlemap import ROAD
from simkit.model.forces import ARTILLERY, INFANTRY, SIDES
from simkit.model.hexgrid import distance
from simkit.scenario import build, load
from simkit.scenario.provenance import provenance, summary

# Facts of the set-up: hex, brigade, units (top first), leaders by command. Batteries are written as on their counters.
UNION = {
    "C3108": ("Escort/RW", ["Escort RW"], ["McCook RW", "Davis 1/RW"]),
    "C3014": ("1/1/RW", ["59 IL", "5 WI Bty"], ["Post 1/1/RW"]),
    "C3213": ("1/1/RW", ["75 IL"], []),
    "C3215": ("1/1/RW", ["74 IL"], []),
    "C3217": ("1/1/RW", ["22 IN"], []),
    "C3508": ("2/1/RW", ["38 IL"], ["Carlin 2/1/RW"]),
    "C3208": ("2/1/RW", ["2 MN Bty"], []),
    "C3410": ("2/1/RW", ["101 OH"], []),
    "C3708": ("2/1/RW", ["15 WI"], []),
    "C3610": ("2/1/RW", ["21 IL"], []),
    "C3205": ("3/1/RW", ["81 IN"], ["Woodruff 3/1/RW"]),
    "C3104": ("3/1/RW", ["8 WI Bty"], []),
    "C3404": ("3/1/RW", ["35 IL"], []),
    "C3406": ("3/1/RW", ["25 IL"], []),
}
CONFEDERATE = {
    "C4515": ("4/1/P", [], ["Cheatham 1/P"]),
    "C4416": ("4/1/P", ["Allen SS Bn", "29 TN"], ["Vaughn 4/1/P"]),
    "C4415": ("4/1/P", ["154 TN"], []),
    "C4417": ("4/1/P", ["9 TX"], []),
    "C4418": ("4/1/P", ["12 TN"], []),
    "C4514": ("4/1/P", ["Scott Bty"], []),
    "C4615": ("4/1/P", ["47 TN"], []),
    "C4616": ("4/1/P", ["13 TN"], []),
    "C4413": ("1/2/P", ["19 AL"], ["Loomis 1/2/P"]),
    "C4313": ("1/2/P", ["25 AL"], []),
    "C4314": ("1/2/P", ["39 AL"], []),
    "C4315": ("1/2/P", ["Robertson Bty"], []),
    "C4512": ("1/2/P", ["17 AL SS Bn", "22 AL"], []),
    "C4612": ("1/2/P", ["26 AL"], []),
    "C4711": ("1/2/P", ["1 LA"], []),
}

# The largest strength that any scenario prints for a unit below full strength; full strength itself is printed nowhere.
LARGEST_PRINTED = {
    "22 IN": 5, "59 IL": 7, "74 IL": 5, "75 IL": 5, "5 WI Bty": 5,
    "21 IL": 7, "38 IL": 5, "101 OH": 7, "15 WI": 8, "2 MN Bty": None,
    "25 IL": 7, "35 IL": 8, "81 IN": 9, "8 WI Bty": 5, "Escort RW": None,
    "12 TN": 3, "13 TN": 3, "29 TN": 3, "47 TN": 4, "154 TN": 3, "9 TX": 4, "Allen SS Bn": 1, "Scott Bty": None,
    "19 AL": 5, "22 AL": 6, "25 AL": 7, "26 AL": 5, "39 AL": 7, "1 LA": 6, "17 AL SS Bn": None, "Robertson Bty": None,
}  # fmt: skip


@pytest.fixture(scope="module")
def built():
    return build(load("dead_of_winter/skirmish"))


def test_thirty_one_units_and_eight_leaders_stand_where_the_book_sets_them(built):
    """Of "dead_of_winter/skirmish"."""
    battle = built.battle
    assert (len(battle.units), len(battle.leaders)) == (31, 8)
    for side, setup in enumerate((UNION, CONFEDERATE)):
        found = {}
        for unit in battle.units:
            if unit.side == side:
                found.setdefault(unit.hex.id, [unit.command.code, [], []])
        for leader in battle.leaders:
            if leader.side == side:
                code = leader.command.code
                found.setdefault(leader.hex.id, ["4/1/P", [], []])[2].append(f"{leader.front.name} {code}")
        for ident, entry in found.items():
            entry[1] = [part.unit.name for part in battle.map.named(ident).stack]
        assert {ident: tuple(entry) for ident, entry in found.items()} == setup


def test_every_unit_is_of_the_brigade_that_the_book_names(built):
    brigades = {}
    for setup in (UNION, CONFEDERATE):
        for code, units, _ in setup.values():
            brigades.update(dict.fromkeys(units, code))
    assert {unit.name: unit.command.code for unit in built.battle.units} == brigades


def test_length_initiative_markers_and_victory(built):
    """Of "dead_of_winter/skirmish"."""
    battle, rules = built.battle, built.rules
    assert [turn.label for turn in battle.turns] == ["December 30th, 1300"]
    assert SIDES[rules.first_initiative] == "Union"
    divisions = {division.code: rules.fixed_number(division, 0) for division in battle.divisions}
    assert divisions == {"1/RW": 4, "1/P": 4}
    assert rules.victory == "regiments"
    assert built.scenario.scenario.random_events is False
    assert built.scenario.scenario.water == "medium"  # 18.2: December 30th


def test_all_confederate_brigades_serve_under_cheatham(built):
    """Of "dead_of_winter/skirmish"."""
    brigades = [brigade for brigade in built.battle.brigades if SIDES[brigade.side] == "Confederate"]
    assert {brigade.code for brigade in brigades} == {"4/1/P", "1/2/P"}
    assert {brigade.superior.code for brigade in brigades} == {"1/P"}


def test_full_strengths_exceed_every_strength_that_is_printed(built):
    assert set(LARGEST_PRINTED) == {unit.name for unit in built.battle.units}
    for unit in built.battle.units:
        printed = LARGEST_PRINTED[unit.name]
        assert printed is None or unit.full > printed, unit.id
        assert unit.strength == unit.full, unit.id


def test_sizes_of_brigades_and_batteries(built):
    """50 men a point (2.41): a brigade of 1,200 to 2,400; a battery of four to six guns."""
    for brigade in built.battle.brigades:
        foot = sum(int(unit.full) for unit in brigade.units if unit.kind != ARTILLERY)
        guns = [int(unit.full) for unit in brigade.units if unit.kind == ARTILLERY]
        if brigade.code != "Escort/RW":
            assert 24 <= foot <= 48, brigade.code
            assert len(guns) == 1 and 4 <= guns[0] <= 6, brigade.code


def test_weapons_and_ratings_keep_to_what_the_rules_say(built):
    for unit in built.battle.units:
        assert unit.weapon.artillery == (unit.kind == ARTILLERY)
        assert 3 <= unit.cohesion_disordered < unit.cohesion_good <= 7
        assert unit.movement_disordered < unit.movement_good
        if unit.kind == INFANTRY:
            assert unit.movement_good == 6  # the example of 17.22: 24 MPs in four activations


def test_the_field_ends_with_row_nineteen(built):
    """Of "dead_of_winter/skirmish"."""
    ground = built.battle.map
    assert len(ground.hexes) == 39 * 19
    assert {place.id[0] for place in ground.hexes} == {"C"}
    assert max(int(place.id[3:]) for place in ground.hexes) == 19
    with pytest.raises(ValueError, match="not in play"):
        ground.named("C3020")


def road_from(ground, ident):
    """All hexes that roads join to one."""
    found, waiting = set(), [ground.named(ident)]
    while waiting:
        place = waiting.pop()
        if place.id not in found:
            found.add(place.id)
            waiting += [side.to for side in place.sides if side.on_map and side.road == ROAD]
    return found


def test_roads_that_the_book_implies(built):
    ground = built.battle.map
    joined = road_from(ground, "C3019")
    assert "C1019" in joined  # entry hex at the western edge
    assert {f"C30{row:02}" for row in range(1, 20)} <= joined  # to A3146, north of this sheet
    for place in (ground.named(ident) for ident in joined):
        for side in place.sides:
            if side.on_map and side.road == ROAD:
                assert side.to.sides[(side.direction + 3) % 6].road == ROAD


def test_ground_of_the_set_up_allows_it(built):
    for unit in built.battle.units:
        mover = 2 if unit.kind == ARTILLERY else 0
        assert unit.hex.terrain.crossable(mover), f"{unit.id} could not stand in {unit.hex.terrain.name}"


def test_the_lines_begin_out_of_musket_range(built):
    lines = [[unit.hex for unit in built.battle.units if unit.side == side] for side in (0, 1)]
    nearest = min(distance(a.q, a.r, b.q, b.r) for a in lines[0] for b in lines[1])
    assert nearest == 7  # C3610 to C4313


def test_areas_of_the_map_are_whole(built):
    """Woods, cedars, fields and rises are bodies without spikes, and the rises are gentle, as the map says."""
    for place in built.battle.map.hexes:
        sides = [side for side in place.sides if side.on_map]
        if place.terrain.name in ("woods", "cedars", "field"):
            assert sum(side.to.terrain is place.terrain for side in sides) >= 2, place.id
        if place.elevation > 1:
            assert sum(side.to.elevation == place.elevation for side in sides) >= 2, place.id
        assert all(side.gradual for side in sides)


def test_every_value_has_a_source_and_its_reason(built):
    frame = provenance(built)
    printed = frame[frame["source"] == "printed"]
    assert (printed["rule"] != "").all(), printed[printed["rule"] == ""]
    others = frame[frame["source"] != "printed"]
    assert (others["why"] != "").all(), others[others["why"] == ""]
    assert set(frame["table"]) == {"book", "scenario", "units", "leaders", "map", "charts"}
    assert summary(frame).set_index("table").loc["scenario", "printed"] >= 31 + 8
