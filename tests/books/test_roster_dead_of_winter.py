"""The roster of Dead of Winter against what the book prints of it and what the public record has.

`stones_river_units.csv` lists every unit that a set-up or a reinforcement of the battle book names, with the largest
strength that any prints; `stones_river_leaders.csv` every leader it names; `stones_river_returns.toml` men, losses and
guns of history.
"""

import csv
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from simkit.scenario.charts import read_charts
from simkit.scenario.library import books_folder
from simkit.scenario.roster import RATINGS, check_weapons, read_roster

HERE = Path(__file__).parent
FOLDER = books_folder() / "dead_of_winter" / "roster"
DOCS = HERE.parents[1] / "docs"
MEN = 50  # of a strength point (2.41)
NEAR = 0.05

# Commands for which points are awarded when they are combat ineffective (victory points of the battle book).
AWARDED = {
    "Union": (
        "1/RW", "2/RW", "3/RW", "1/C", "2/C", "3/C", "4/C", "5/C", "1/LW", "2/LW", "3/LW", "Pioneers", "1/1/Cav",
        "2/1/Cav",
    ),
    "Confederate": ("1/P", "2/P", "1/H", "2/H", "3/H", "1/S", "2/S", "1/Cav", "2/Cav", "3/Cav", "4/Cav"),
}  # fmt: skip

# What 20.1 sells, and 4/Cav: the book names these commands but not their units.
UNNAMED = ("1/2/C", "2/3/C", "3/3/C", "4/C", "5/C", "1/S", "2/S", "4/Cav")

# Commands without all levels above them: guards of headquarters, and those that the rules set outside of any corps
# (4.42, 4.44).
SHORT = {"Escort/RW": "RW", "Escort/Cav": "Cav", "Pio": "AoC", "Cav": "AoT"}

# Without a leader's counter in any set-up: guards, and the reserve of the Union cavalry. "Pio" and the
# Confederate "Cav" are led by a brigade's leader (4.42, 4.44).
LEADERLESS = {
    "Union": {"Escort/RW", "Escort/3/RW", "Escort/1/C", "Escort/Cav", "Provost/C", "R/Cav", "Pio"},
    "Confederate": {"Escort/3/H", "Cav"},
}


# Who takes over by name: set-ups of January 1st and 2nd, 19.0, 20.4.
PERSONS = {("Wood", "Hascall"), ("Van Cleve", "S. Beatty"), ("Palmer", "Pillow"), ("Johnston", "Bragg")}


@pytest.fixture(scope="module")
def roster():
    found = read_roster(FOLDER)
    check_weapons(found, read_charts(FOLDER.parent / "charts"), FOLDER)
    return found


@pytest.fixture(scope="module")
def named():
    return rows("stones_river_units.csv")


@pytest.fixture(scope="module")
def returns():
    return tomllib.loads((HERE / "stones_river_returns.toml").read_text(encoding="utf-8"))


def rows(name):
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def above(roster, side, code):
    """A command with all above it, lowest first."""
    known = {(row.side, row.code): row for row in roster.commands}
    found = []
    while code:
        row = known[side, code]
        found.append(row)
        code = row.superior
    return found


def under(roster, side, codes):
    """Units of commands and of all below them."""
    return [
        unit
        for unit in roster.units
        if unit.side == side and any(row.code in codes for row in above(roster, side, unit.brigade))
    ]


def guns(units):
    """Guns of each type of batteries."""
    found = Counter()
    for unit in units:
        if unit.kind == "artillery":
            for number, weapon in unit.sections or [(unit.full, unit.weapon)]:
                found[weapon] += number
    return found


# -- what the battle book names and prints ---------------------------------------------------------------------------


def test_every_unit_that_a_set_up_names_is_there(roster, named):
    """All 286; those it does not name are the optional packages, 4/Cav, and two more battalions of pioneers."""
    assert len(named) == 286
    have = {(unit.side, unit.brigade, unit.name): unit.kind for unit in roster.units}
    for row in named:
        assert have.pop((row["side"], row["brigade"], row["name"])) == row["kind"], row
    beyond = Counter()
    for side, brigade, name in have:
        codes = [row.code for row in above(roster, side, brigade)]
        beyond[next((code for code in codes if code in UNNAMED), f"{brigade}, {name}")] += 1
    assert beyond == {
        "1/2/C": 5, "2/3/C": 6, "3/3/C": 5, "4/C": 11, "5/C": 10, "1/S": 23, "2/S": 13, "4/Cav": 2,
        "Pioneers, 2 Bn Pioneers": 1, "Pioneers, 3 Bn Pioneers": 1,
    }  # fmt: skip
    assert len(roster.units) == 286 + 77


def test_full_strengths_exceed_every_strength_that_is_printed(roster, named):
    """A number is printed only where it differs from the counter's, and strength never exceeds that (12.12)."""
    full = {(unit.side, unit.brigade, unit.name): unit.full for unit in roster.units}
    bounded = [row for row in named if row["largest_printed"]]
    assert len(bounded) == 220
    for row in bounded:
        assert full[row["side"], row["brigade"], row["name"]] > int(row["largest_printed"]), row


def test_derived_strengths_are_one_above_the_largest_printed(roster, named):
    largest = {(row["side"], row["brigade"], row["name"]): row["largest_printed"] for row in named}
    derived = [unit for unit in roster.units if unit.full_source == "derived"]
    assert len(derived) > 80
    for unit in derived:
        assert unit.full == int(largest[unit.side, unit.brigade, unit.name]) + 1, unit.id
    assert not any(unit.full_source == "printed" for unit in roster.units)  # no counter's face is printed


def test_every_leader_that_the_book_names_is_there(roster):
    have = {(row.side, row.command, row.name): row.level for row in roster.leaders}
    for row in rows("stones_river_leaders.csv"):
        assert have.pop((row["side"], row["command"], row["name"])) == row["level"], row
    unnamed = {code for code in UNNAMED if code != "4/Cav"} | {"4/1/C"}
    for side, command, name in have:
        assert unnamed & {row.code for row in above(roster, side, command)}, name
    assert len(have) == 18


# -- organisation ----------------------------------------------------------------------------------------------------


def test_the_tree_of_commands_is_complete(roster):
    for unit in roster.units:
        chain = above(roster, unit.side, unit.brigade)
        assert chain[0].level == "brigade", unit.id
        assert chain[-1].code == {"Union": "AoC", "Confederate": "AoT"}[unit.side]
        levels = [row.level for row in chain]
        short = next((row for row in chain if SHORT.get(row.code) == row.superior), None)
        if short is None:
            assert levels == ["brigade", "division", "corps", "army"], unit.id
        else:
            assert len(levels) == 3, unit.id
    used = {(unit.side, row.code) for unit in roster.units for row in above(roster, unit.side, unit.brigade)}
    guns = {(row.side, row.code) for row in roster.commands if row.artillery}
    assert guns == {("Union", "Guns/LW"), ("Confederate", "Guns/P")}, "they take batteries in scenarios 3.0 and 6.0"
    assert used | guns == {(row.side, row.code) for row in roster.commands}, "a command without units"


def test_commands_that_score_are_there(roster):
    have = {(row.side, row.code) for row in roster.commands}
    assert {(side, code) for side, codes in AWARDED.items() for code in codes} <= have


def test_every_command_has_a_leader_or_is_known_to_have_none(roster):
    led = Counter((row.side, row.command) for row in roster.leaders)
    without = {"Union": set(), "Confederate": set()}
    for row in roster.commands:
        if not led[row.side, row.code] and not row.artillery:
            without[row.side].add(row.code)
    assert without == LEADERLESS
    # two who may take over a post are no subordinates of it: 19.0, 20.4
    assert {key for key, number in led.items() if number > 1} == {("Confederate", "2/1/H"), ("Confederate", "AoT")}


def test_replacements_are_a_step_worse_or_who_the_book_names(roster):
    named = {row.name: row for row in roster.leaders}
    for row in roster.leaders:
        assert row.replacement, row.id
        if not row.replacement.startswith("Replacement of "):
            assert (row.name, row.replacement) in PERSONS
            other = named[row.replacement]
            assert row.command in {up.code for up in above(roster, other.side, other.command)}
            if other.level == row.level:  # the same person on his own counter
                assert (row.replacement_range, row.replacement_profile) == (other.range, other.profile)
            continue
        assert row.replacement == f"Replacement of {row.name}"
        assert row.replacement_range < row.range, row.id
        for rating in RATINGS[row.level]:
            if rating not in ("initiative", "profile"):  # an army's replacement shows no initiative of its own
                assert getattr(row, f"replacement_{rating}") <= getattr(row, rating), row.id
        if row.level == "corps":
            assert row.replacement_efficiency < row.efficiency


def test_ranges_grow_with_the_level(roster):
    """But for horsemen, who keep touch over longer ways."""
    ranges = {level: [] for level in RATINGS}
    for row in roster.leaders:
        if "Cav" not in row.command:
            ranges[row.level].append(row.range)
    assert max(ranges["brigade"]) < min(ranges["division"]) <= max(ranges["division"]) < min(ranges["corps"])
    assert max(ranges["corps"]) < min(ranges["army"])


# -- history ---------------------------------------------------------------------------------------------------------


def men_of(roster, returns, entry):
    """50 men a strength point, and the gunners of a gun as the Union return has them."""
    gunners = returns["gunners"]["men"] / returns["gunners"]["guns"]
    left_out = {unit.id for unit in under(roster, entry["side"], entry.get("without", []))}
    units = [unit for unit in under(roster, entry["side"], entry["commands"]) if unit.id not in left_out]
    points = sum(unit.full for unit in units if unit.kind != "artillery")
    served = 0 if entry.get("foot") else guns(units).total()
    return round(points * MEN + served * gunners)


def test_men_match_the_returns_within_five_per_cent(roster, returns):
    for entry in returns["strength"]:
        assert men_of(roster, returns, entry) == pytest.approx(entry["men"], rel=NEAR), entry["name"]


def test_brigades_of_foot_have_900_to_2200_men(roster):
    for row in roster.commands:
        foot = [unit for unit in under(roster, row.side, [row.code]) if unit.kind == "infantry"]
        if row.level == "brigade" and len(foot) > 1:
            assert 900 <= sum(unit.full for unit in foot) * MEN <= 2200, row.code


def test_regiments_match_the_returns(roster, named, returns):
    largest = {(row["side"], row["brigade"], row["name"]): row["largest_printed"] for row in named}
    for ident, men in returns["regiments"].items():
        unit = roster.unit(ident)
        least = int(largest[unit.side, unit.brigade, unit.name]) + 1
        assert unit.full == least or abs(unit.full - men / MEN) <= 0.75, ident


def test_nobody_lost_more_men_than_he_has(roster, returns):
    for ident, lost in returns["losses"].items():
        assert roster.unit(ident).full * MEN > lost, ident


def test_guns_match_the_reports(roster, returns):
    for entry in returns["guns"]:
        found = guns([roster.unit(ident) for ident in entry["units"]])
        if "types" in entry:
            assert found == entry["types"], entry["units"]
        else:
            assert found.total() == entry["number"], entry["units"]
    named = guns(
        unit
        for unit in roster.units
        if unit.side == "Union" and not {row.code for row in above(roster, "Union", unit.brigade)} & set(UNNAMED)
    )
    assert named.total() == pytest.approx(returns["gunners"]["guns"], rel=NEAR)
    assert named["P10"] == 36


# -- bands -----------------------------------------------------------------------------------------------------------


def test_bands_of_cohesion_and_movement(roster):
    """As docs/assumptions.md states them."""
    bands = {"infantry": (6, 5), "cavalry": (10, 8), "artillery": (8, 6)}
    for unit in roster.units:
        assert (unit.movement, unit.movement_disordered) == bands[unit.kind], unit.id
        cohesion = (unit.cohesion, unit.cohesion_disordered)
        assert cohesion in {(7, 5), (6, 5), (6, 4), (5, 4), (5, 3)}, unit.id
        assert unit.green == (cohesion == (5, 3)), unit.id
        assert unit.may_dismount == (unit.kind == "cavalry"), unit.id
        assert not unit.horse  # no set-up names horse artillery
        if unit.may_dismount:
            assert (unit.dismounted_cohesion, unit.dismounted_cohesion_disordered) == cohesion
            assert (unit.dismounted_movement, unit.dismounted_movement_disordered) == bands["infantry"]
        if unit.kind == "artillery":
            assert 4 <= unit.full <= 6, unit.id
        else:
            assert 1 <= unit.full <= 13, unit.id


def test_weapons_of_the_armies(roster):
    """Union foot has rifles; of the Confederate foot about half has smoothbores, the badly armed 44 MS among it."""
    foot = [unit for unit in roster.units if unit.kind == "infantry"]
    assert {unit.weapon for unit in foot if unit.side == "Union"} == {"R"}
    ours = Counter(unit.weapon for unit in foot if unit.side == "Confederate" and not unit.brigade.endswith("/S"))
    assert set(ours) == {"R", "M"}
    assert 0.4 < ours["R"] / ours.total() < 0.6
    assert roster.unit("2-2-p/44-ms").weapon == "M"


def test_every_value_says_why(roster):
    for unit in roster.units:
        assert all((unit.full_why, unit.weapon_why, unit.ratings_why)), unit.id
    assert all(len(row.why) > 10 for row in roster.leaders)


def test_the_counts_in_the_documentation_are_true(roster, returns):
    text = (DOCS / "roster.md").read_text(encoding="utf-8")
    lines = dict(re.findall(r"^\| (full strength|weapon|ratings) of units \|(.+)\|$", text, re.MULTILINE))
    for label, column in {"full strength": "full", "weapon": "weapon", "ratings": "ratings"}.items():
        count = Counter(getattr(unit, f"{column}_source") for unit in roster.units)
        told = [int(cell) for cell in lines[label].split("|")]
        assert told == [count["printed"], count["derived"], count["reconstructed"]], label
    told = re.search(r"(\d+) units, (\d+) leaders and (\d+) commands", text)
    assert [int(number) for number in told.groups()] == [
        len(roster.units), len(roster.leaders), len(roster.commands)
    ]  # fmt: skip
    for entry in returns["strength"]:
        told = f"| {entry['name']} | {entry['men']:,} | {men_of(roster, returns, entry):,} |"
        assert told in text, told
