"""Battles with artillery commands (4.33), from a scenario of the tests' own and a roster that has such commands."""

import csv
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from simkit.errors import InputError
from simkit.model.forces import CORPS
from simkit.report.story import Storyteller
from simkit.scenario import build
from simkit.scenario.provenance import provenance
from simkit.scenario.scenariofile import read_scenario

SCENARIO = Path(__file__).parent / "artillery.toml"
BOOKS = Path(str(files("simkit"))) / "books"
KEYS = [(1863, number) for number in range(3)]
COMMANDS = ["Union,Res,Artillery Reserve,corps,AoC,yes", "Confederate,Guns,Guns,corps,AoT,yes"]
CHIEF = "Union,Res,Loomis,corps,6,0,1,0,0,N,0,Guenther,4,0,0,0,N,0,reconstructed,made up"


def change(path, how):
    """Rewrite the rows of a CSV file."""
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(how(rows))


def with_commands(rows, more=COMMANDS):
    return [*(row for row in rows if row[1] not in ("Guns", "Guns/LW", "Guns/P")), *(row.split(",") for row in more)]


def with_guns(rows):
    """The 8th Wisconsin's battery stands directly under the artillery commander."""
    return [[row[0], "Res", *row[2:]] if row[2] == "8 WI Bty" else row for row in rows]


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """The books, with artillery commands in the roster of Dead of Winter."""
    folder = tmp_path_factory.mktemp("books")
    shutil.copytree(BOOKS / "dead_of_winter", folder / "dead_of_winter")
    roster = folder / "dead_of_winter" / "roster"
    change(roster / "commands.csv", with_commands)
    change(roster / "units.csv", with_guns)
    change(roster / "leaders.csv", lambda rows: [*rows, CHIEF.split(",")])
    return folder


@pytest.fixture(scope="module")
def built(books):
    return build(read_scenario(SCENARIO, books))


def test_4_33_the_scenario_says_who_has_guns_of_its_own(built):
    union, confederate = built.battle.artillery
    assert (union.command.code, union.command.level, union.markers, union.most) == ("Res", CORPS, -1, 3)
    assert [unit.name for unit in union.command.units] == ["8 WI Bty"]
    assert (confederate.markers, confederate.picked_markers, confederate.yields) == (1, 1, True)
    assert {command.code for command in confederate.takes} >= {"4/1/P", "1/2/P"}
    assert [command.code for command in built.battle.divisions] == ["1/RW", "Res", "1/P", "Guns"]
    items = provenance(built)
    assert set(items[items["item"].str.contains("artillery command")]["value"]) == {"efficiency markers", "1 markers"}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("union", "confederate"),
    [("steady", "aggressive"), ("random", "random"), ("wild", "wild"), ("cautious", "random"), ("wild", "steady")],
)
def test_4_33_every_state_is_legal(fought, union, confederate, key):
    game, witness = fought(union, confederate, key)
    assert witness.faults == []
    drawn = [event.unit for event in game.log.events if event.kind == "marker"]
    assert drawn.count("Res") >= 2


def test_4_33_the_heuristic_fires_and_moves_its_guns_on_their_own_marker(fought, built):
    deeds = set()
    for number in range(12):
        game, _ = fought("aggressive", "aggressive", (1863, number))
        owner = {}
        for event in game.log.events:
            if event.kind == "activation":
                owner[int(event.activation)] = event.unit
            if event.unit == "res/8-wi-bty" and owner.get(int(event.activation)) == "Res":
                deeds.add((event.kind, event.mode))
    assert ("fire", "phasing") in deeds
    assert {"move", "face"} & {kind for kind, _ in deeds}


def test_4_33_9_31_the_artillery_leader_rides_on_his_own_marker_only(fought):
    rides = 0
    for number in range(8):
        game, _ = fought("wild", "steady", (1863, number))
        active = ""
        for event in game.log.events:
            if event.kind == "activation":
                active = event.unit
            if event.kind == "leader" and event.unit == "res/loomis":
                rides += 1
                assert active == "Res"
                assert event.sp <= 20
    assert rides > 0


def test_4_33_the_story_tells_of_markers_and_placed_batteries(fought):
    told = ""
    for number in range(4):
        game, _ = fought("wild", "steady", (1863, number))
        told += "\n".join(Storyteller(game.battle).tell(game.log.events))
    assert "Marker of Artillery Reserve (Union)" in told
    assert "Marker of Guns (Confederate) (picked artillery)" in told
    assert "comes under another command: Artillery Reserve" in told


def test_4_33_the_digest_of_a_run_is_the_same_again(fought):
    digests = []
    for _ in range(2):
        game, _ = fought("steady", "random", KEYS[0])
        digests.append(game.battle.digest())
    assert digests[0] == digests[1]


# -- wrong files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('command = "Union/Res"', 'command = "Res"', '"Res" must begin with Union/ or Confederate/'),
        ('command = "Union/Res"', 'command = "Union/RW"', "Union/RW is no artillery command"),
        ('command = "Confederate/Guns"', 'command = "Union/Res"', "Union/Res has two tables"),
        ('markers = "efficiency"\nmost = 3', 'acts_with = "Union/2/RW"', 'no command "Union/2/RW" in this battle'),
        ('markers = "efficiency"\nmost = 3', 'acts_with = "Confederate/1/P"', "is of the other side than Res"),
        ('markers = "efficiency"\nmost = 3', 'acts_with = "Union/RW"', "Union/RW is no division"),
        ('markers = "efficiency"\nmost = 3\n', "", "needs either markers of its own or a division"),
        ('markers = "efficiency"\nmost = 3', "markers = 2\nmost = 3", "most: only where"),
        ('markers = "efficiency"\nmost = 3', "markers = 5", "must be at most 4, not 5"),
        ('takes = ["Union/1/RW"]', 'takes = ["Union/1/R"]', 'no command "Union/1/R"'),
        ('except_in = ["C4711"]', 'except_in = ["C9999"]', "C9999"),
        ('picked = ["1-2-p/robertson-bty"]', 'picked = ["1-2-p/19-al"]', "is no battery of the Confederate side"),
        ('picked = ["1-2-p/robertson-bty"]', 'picked = ["robertson"]', 'no unit "robertson" in this battle'),
        ("picked_markers = 1\n", "", "picked: name batteries and how many markers"),
    ],
)  # fmt: skip
def test_4_33_a_wrong_table_gets_one_message(books, tmp_path, old, new, said):
    text = SCENARIO.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        build(read_scenario(path, books))
    assert said in str(caught.value)
    assert "wrong.toml" in str(caught.value)


def test_4_33_an_artillery_command_without_a_table_is_wrong(books, tmp_path):
    text = SCENARIO.read_text(encoding="utf-8")
    start = text.index("[[artillery]]")
    path = tmp_path / "wrong.toml"
    path.write_text(text[:start] + text[text.index('[[artillery]]\ncommand = "Confed'):], encoding="utf-8")
    with pytest.raises(InputError, match=r"Union/Res is an artillery command"):
        build(read_scenario(path, books))


@pytest.mark.parametrize(
    ("file", "how", "said"),
    [
        ("commands.csv", lambda rows: [*rows[:-1], [*rows[-1][:3], "division", *rows[-1][4:]]], "are of corps level"),
        ("units.csv", lambda rows: [[r[0], "Res", *r[2:]] if r[2] == "22 IN" else r for r in rows], "batteries only"),
        ("units.csv", lambda rows: [[r[0], "RW", *r[2:]] if r[2] == "8 WI Bty" else r for r in rows], "is a corps"),
    ],
)  # fmt: skip
def test_4_33_2_22_a_wrong_roster_gets_one_message(books, tmp_path, file, how, said):
    shutil.copytree(books / "dead_of_winter", tmp_path / "dead_of_winter")
    change(tmp_path / "dead_of_winter" / "roster" / file, how)
    with pytest.raises(InputError) as caught:
        build(read_scenario(SCENARIO, tmp_path))
    assert said in str(caught.value)
    assert file in str(caught.value)
