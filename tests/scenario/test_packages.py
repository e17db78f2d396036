"""Packages of optional forces, checked by the roster before anybody chooses them (20.0 of Dead of Winter)."""

import pytest

from simkit.scenario.builder import build
from simkit.scenario.packages import check_packages, read_packages
from simkit.scenario.roster import read_roster
from simkit.scenario.scenariofile import read_scenario
from tests.scenario.conftest import BOOK

PACKAGE = """[[optional]]
id = "x"
side = "Union"
price = 1
leaders = ["2-rw/johnson"]
commands = ["Union/1/2/RW"]
arrival = "December 30th, 1300"
hexes = ["C1019"]
source = "printed"
"""
ALONE = """[[optional]]
id = "x"
side = "Union"
leaders = ["2-rw/johnson"]
source = "printed"
"""


@pytest.fixture(scope="module")
def roster():
    return read_roster(BOOK / "roster")


def checked(path, roster, text):
    path.write_text(text, encoding="utf-8")
    check_packages(read_packages(path), ["elsewhere"], roster, path)


def test_packages_that_can_be(tmp_path, roster):
    more = 'needs = ["elsewhere"]\nsuperior = ["Union/2/RW"]\nsuperior_without = "elsewhere"\n'
    checked(tmp_path / "forces.toml", roster, PACKAGE + more)
    checked(tmp_path / "forces.toml", roster, f'{ALONE}replaces = "1-rw/davis"\n')


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (PACKAGE + 'needs = ["y"]', 'line 10: optional.1.needs: no forces "y"; known: x, elsewhere'),
        (PACKAGE + 'needs = ["x"]', "line 10: optional.1.needs: x is the package itself"),
        (PACKAGE + 'superior_without = "y"', 'line 10: optional.1.superior_without: no forces "y"'),
        (PACKAGE + PACKAGE, "line 11: optional.2.id: two packages are called x"),
        (PACKAGE + 'units = ["1-1-p/8-tn"]', 'line 10: optional.1.units: no Union unit "1-1-p/8-tn" in the roster'),
        (PACKAGE + 'pool_leader = "aot/bragg"', 'line 10: optional.1.pool_leader: no Union leader "aot/bragg"'),
        (PACKAGE + "pool = [5]", "line 10: optional.1.pool.1: must be at most 4, not 5"),
        (PACKAGE + 'superior = ["Confederate/P"]', 'optional.1.superior: no Union command "Confederate/P"'),
        (PACKAGE + 'superior = ["Union/2/2/RW"]', "Union/2/2/RW is a brigade and cannot command the brigade"),
        (PACKAGE.replace("Union/1", "Confederate/1"), 'optional.1.commands: no Union command "Confederate/1/2/RW"'),
        (ALONE + 'replaces = "nobody"', 'line 6: optional.1.replaces: no Union leader "nobody" in the roster'),
        (ALONE + 'replaces = "rw/mccook"',
         "rw/mccook leads a corps, where 2-rw/johnson, of a division, cannot take his place"),
        (ALONE + 'joins = ["x"]', "joins: forces join only packages that they need; name these among needs too"),
        (PACKAGE + 'needs = ["elsewhere"]\njoins = ["elsewhere"]',
         "forces have an arrival or set_up, or join others, or replace a leader: just one of these"),
        (ALONE, "forces need an arrival, a set_up, whom they join or replace, and nothing else does"),
    ],
)  # fmt: skip
def test_packages_that_cannot_be(tmp_path, roster, message, text, what):
    assert what in message(checked, tmp_path / "forces.toml", roster, text)


@pytest.mark.parametrize(
    ("old", "new", "wanted", "what"),
    [
        ("December 30th, 1300", "February 31st, 1300", "x", '"February 31st, 1300", which cannot be compared'),
        ("December 30th", "December 99999999999th", "x", "which cannot be compared with the first turn"),
        ("price = 1", 'price = 0\npool = [2]\npool_leader = "c/thomas"', "x", "c/thomas is on the map, who is not in"),
        ('"2-rw/johnson"', '"aot/bragg"', "", 'optional.1.leaders: no Union leader "aot/bragg" in the roster'),
    ],
)
def test_a_scenario_s_own_packages_are_checked_chosen_or_not(book, message, old, new, wanted, what):
    book.change(book.scenario, "[[objective]]\n", f"{PACKAGE.replace(old, new)}\n[[objective]]\n")
    scenario = read_scenario(book.scenario, book.folder.parent)
    assert what in message(build, scenario, {"optional": wanted})
