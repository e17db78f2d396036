"""The doctrines: each file reads, means something of its own, and sets numbers that somebody uses."""

import re
import tomllib
from pathlib import Path

import pytest

import simkit
from simkit.commanders.doctrine import NUMBERS, Doctrine
from simkit.scenario.doctrines import doctrine, doctrine_names, doctrines_folder

NAMES = doctrine_names()


def contents(name):
    return tomllib.loads((doctrines_folder() / f"{name}.toml").read_text(encoding="utf-8"))


def values(name):
    return dict(contents(name)["numbers"])


def test_there_are_at_least_aggressive_steady_and_cautious():
    assert {"aggressive", "steady", "cautious"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_doctrine_reads_under_its_own_name_with_every_number_in_range(name):
    read = doctrine(name)
    assert read.name == name == contents(name)["doctrine"]["name"]
    for number in NUMBERS:
        assert number.least <= getattr(read, number.name) <= number.most, number.name
    assert set(values(name)) == {number.name for number in NUMBERS}


def test_no_two_doctrines_mean_the_same_or_have_the_same_numbers():
    meanings = [contents(name)["doctrine"]["meaning"].strip().lower() for name in NAMES]
    assert all(len(meaning.split()) > 3 for meaning in meanings)
    assert len(set(meanings)) == len(NAMES)
    assert len({tuple(sorted(values(name).items())) for name in NAMES}) == len(NAMES)


def test_every_number_is_one_of_its_own_and_says_what_it_means():
    names = [number.name for number in NUMBERS]
    assert len(set(names)) == len(names)
    for number in NUMBERS:
        assert number.least < number.most, number.name
        assert len(number.meaning.split()) > 3, number.name


def test_every_number_steers_something():
    folder = Path(simkit.__file__).parent / "commanders"
    modules = [path.stem for path in sorted(folder.glob("*.py")) if path.stem != "doctrine"]
    code = "".join((folder / f"{name}.py").read_text(encoding="utf-8") for name in modules)
    idle = [number.name for number in NUMBERS if not re.search(rf"\bdoctrine\.{number.name}\b", code)]
    assert idle == []


def test_the_numbers_of_the_doctrines_stand_in_the_order_of_their_names():
    bold, middle, careful = (doctrine(name) for name in ("aggressive", "steady", "cautious"))
    for name in ("attack_odds", "shock_chance", "charge_chance", "continue_chance", "exposure", "cover", "own_flank"):
        assert getattr(bold, name) <= getattr(middle, name) <= getattr(careful, name), name
    for name in ("break_off", "give_way", "rally_first"):
        assert getattr(bold, name) >= getattr(middle, name) >= getattr(careful, name), name


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.name)
def test_a_number_missing_or_out_of_range_is_refused(number):
    good = values("steady")
    for wrong in ({**good, number.name: number.least - 1}, {**good, number.name: number.most + 1}):
        with pytest.raises(ValueError, match=f"{number.name} is .* can be {number.least} to {number.most}"):
            Doctrine("wrong", wrong)
    del good[number.name]
    with pytest.raises(ValueError, match=f"{number.name} is missing"):
        Doctrine("wrong", good)


def test_an_unknown_number_is_refused():
    with pytest.raises(ValueError, match='unknown number "courage"'):
        Doctrine("wrong", {**values("steady"), "courage": 9})


def test_the_documentation_lists_every_number_as_it_is():
    page = Path(simkit.__file__).parents[1] / "docs" / "doctrines.md"
    if not page.is_file():
        pytest.skip("the documentation is not installed")
    rows = [row for row in page.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    read = [doctrine(name) for name in NAMES]
    assert rows == [
        f"| `{number.name}` | {number.least} to {number.most} | "
        + " | ".join(str(getattr(one, number.name)) for one in read) + f" | {number.meaning} |"
        for number in NUMBERS
    ]
