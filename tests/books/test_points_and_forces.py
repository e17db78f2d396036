"""Dead of Winter's points for enemy units and terrain, and its optional forces, as the battle book prints them."""

from importlib.resources import files
from pathlib import Path

import pytest

from simkit.errors import InputError
from simkit.scenario import build, load
from simkit.scenario.packages import read_packages
from simkit.scenario.roster import read_roster
from simkit.scenario.victoryfile import read_points

BOOK = Path(str(files("simkit"))) / "books" / "dead_of_winter"


@pytest.fixture(scope="module")
def packages():
    return {package.id: package for package in read_packages(BOOK / "optional_forces.toml")}


def test_points_for_enemy_units():
    """Points for Enemy Units."""
    points = {prize.command: prize.points for prize in read_points(BOOK).enemy}
    confederate = {"1/P": 4, "2/P": 4, "1/H": 4, "2/H": 5, "3/H": 3, "1/S": 4, "2/S": 3, "1/Cav": 2, "2/Cav": 1,
                   "3/Cav": 2, "4/Cav": 1}  # fmt: skip
    union = {"1/RW": 3, "2/RW": 3, "3/RW": 3, "1/C": 4, "2/C": 3, "3/C": 3, "4/C": 2, "5/C": 2, "1/LW": 3, "2/LW": 3,
             "3/LW": 3, "Pioneers": 2, "1/1/Cav": 1, "2/1/Cav": 1}  # fmt: skip
    assert points == {
        **{f"Confederate/{code}": worth for code, worth in confederate.items()},
        **{f"Union/{code}": worth for code, worth in union.items()},
    }
    assert (sum(confederate.values()), sum(union.values())) == (33, 36)


def test_points_for_terrain():
    """Points for Terrain: those of the Confederates first."""
    found = {
        " ".join(ground.hexes): (ground.points.get("Confederate", 0), ground.points.get("Union", 0))
        for ground in read_points(BOOK).terrain
    }
    assert found == {
        "A2308": (5, 2), "A1945": (2, 1), "A4328": (4, 1), "B2438 B2638 B2641": (1, 1), "B4843": (0, 2),
        "C3019": (1, 1), "D3706": (1, 2), "D2930": (0, 2), "D2643": (0, 3),
    }  # fmt: skip


def test_20_1_the_forces_and_their_prices(packages):
    assert {ident: package.price for ident, package in packages.items()} == {
        "Union/1/2/C": 1, "Union/3/C": 3, "Union/4/C": 2, "Union/5/C": 3, "Johnston": 2, "Confederate/1/S": 4,
        "Confederate/2/S": 3, "Smith": 1,
    }  # fmt: skip


def test_20_3_union_forces_arrive_at_a1401_or_are_set_up_near_thomas_for_more(packages):
    told = {
        ident: (package.arrival, package.hexes, package.set_up_price, package.by_day)
        for ident, package in packages.items() if package.side == "Union" and package.arrival
    }
    assert told == {
        "Union/3/C": ("December 31st, 1600", ["A1401"], 1, False),
        "Union/4/C": ("January 1st, 0600", ["A1401"], 1, True),
        "Union/5/C": ("January 1st, 0800", ["A1401"], 1, True),
    }
    for ident in told:
        spot = packages[ident].set_up
        assert (spot.leader, spot.command_range, spot.clear_of_enemy) == ("c/thomas", True, 10)
    spears = packages["Union/1/2/C"].set_up
    assert (spears.leader, spears.within, spears.clear_of_enemy) == ("2-c/negley", 5, 5)


def test_20_4_confederate_forces_and_the_markers_that_come_with_their_leaders(packages):
    assert (packages["Johnston"].replaces, packages["Johnston"].pool) == ("aot/bragg", [2, 3, 4])
    assert (packages["Smith"].needs, packages["Smith"].pool) == (["Confederate/1/S", "Confederate/2/S"], [2, 3])
    assert (packages["Confederate/1/S"].arrival, packages["Confederate/1/S"].set_up_price) == ("December 30th, 1200", 0)
    assert (packages["Confederate/2/S"].arrival, packages["Confederate/2/S"].set_up_price) == ("December 31st, 0800", 1)
    assert packages["Smith"].joins == ["Confederate/1/S", "Confederate/2/S"]
    for ident in ("Confederate/1/S", "Confederate/2/S"):
        assert packages[ident].hexes == ["D4821"]
        assert packages[ident].superior_without == "Smith"


@pytest.mark.parametrize(
    ("chosen", "polks", "hardees"),
    [
        ("Confederate/2/S", ["2/S"], []),
        ("Confederate/2/S,Confederate/1/S", ["2/S"], ["1/S"]),
        ("Confederate/1/S,Confederate/2/S,Smith", [], []),
    ],
)
def test_20_4_without_smith_one_of_his_divisions_is_polks_and_a_second_hardees(chosen, polks, hardees):
    """Of "dead_of_winter/day_of_battle", where Polk has two divisions and Hardee three."""
    divisions = build(load("dead_of_winter/day_of_battle"), {"optional": chosen}).battle.divisions
    under = {corps: [d.code for d in divisions if d.superior.code == corps and d.code.endswith("/S")] for corps in "PH"}
    assert under == {"P": polks, "H": hardees}


@pytest.mark.parametrize(("how", "code"), [("", "1/S"), (":Confederate/1/S", "1/S"), (":Confederate/2/S", "2/S")])
def test_20_4_smith_comes_with_the_division_of_his_that_is_chosen(how, code):
    """Of "dead_of_winter/day_of_battle": 1/S, due the day before, stands on map D; 2/S arrives in the third turn."""
    chosen = f"Confederate/1/S,Confederate/2/S,Smith{how}"
    made = build(load("dead_of_winter/day_of_battle"), {"optional": chosen})
    smith = next(leader for leader in made.battle.leaders if leader.id == "s/smith")
    assert made.rules.conditions.credit == [8, 0]
    if code == "1/S":
        assert smith.hex.id in {unit.hex.id for unit in made.battle.units if unit.command.division().code == "1/S"}
        assert smith.hex.id.startswith("D")
    else:
        assert smith.arrival.turn == 2
        assert {unit.command.division().code for unit in smith.arrival.units} == {"2/S"}


@pytest.mark.parametrize("ident", ["Johnston", "Union/1/2/C", "Confederate/1/S"])
def test_20_1_what_the_meeting_engagement_has_already_cannot_be_bought(ident):
    """20.0, 20.1: "dead_of_winter/meeting_engagement" has all added troops in it."""
    with pytest.raises(InputError) as caught:
        build(load("dead_of_winter/meeting_engagement"), {"optional": ident})
    assert str(caught.value) == f"option optional: {ident} is in dead_of_winter/meeting_engagement already"


def test_20_1_the_roster_has_all_of_them(packages):
    roster = read_roster(BOOK / "roster")
    units = {(row.side, row.brigade) for row in roster.units}
    leaders = {row.id for row in roster.leaders}
    for package in packages.values():
        assert set(package.leaders) <= leaders
        for name in package.commands:
            side, _, code = name.partition("/")
            brigades = {c.code for c in roster.commands if (c.side, c.superior) == (side, code)} or {code}
            assert {(side, brigade) for brigade in brigades} <= units, name
