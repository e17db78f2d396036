"""Book files, and the edition of the series rules that a battle follows: its book's, or the one that a study names."""

from importlib.resources import files

import pytest

from simkit.rules.options import DEAD_OF_WINTER, EDITIONS, GRINGO, INTO_THE_WOODS, Options
from simkit.scenario import build, load
from simkit.scenario.bookfile import read_book
from simkit.scenario.provenance import provenance

SKIRMISH = "dead_of_winter/skirmish"


def test_every_book_says_its_edition():
    folders = [path.parent for path in (files("simkit") / "books").glob("*/charts")]
    assert folders
    for folder in folders:
        assert read_book(folder).edition in EDITIONS


def test_editions_are_numbered_from_the_oldest_wording_on():
    assert GRINGO < INTO_THE_WOODS < DEAD_OF_WINTER
    for number, name in enumerate(EDITIONS):
        options = Options()
        options.set("edition", name)
        assert options.edition == number


def test_a_battle_follows_its_books_edition(book):
    assert book.built().series.options.edition == DEAD_OF_WINTER
    book.change(book.folder / "book.toml", 'edition = "dead_of_winter"', 'edition = "gringo"')
    built = book.built()
    assert built.series.options.edition == GRINGO
    frame = provenance(built)
    assert frame[frame["table"] == "book"][["item", "value", "source"]].values.tolist() == [
        ["edition", "gringo", "printed"]
    ]


def test_a_study_may_name_another_edition():
    assert build(load(SKIRMISH)).series.options.edition == DEAD_OF_WINTER
    assert build(load(SKIRMISH), {"edition": "into_the_woods"}).series.options.edition == INTO_THE_WOODS


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'edition = "dead_of_winter"', 'edition = "gringos"',
            'book.edition: unknown edition "gringos"; did you mean "gringo"?',
        ),
        ('edition = "dead_of_winter"', "edition = 2", "book.edition: must be text in quotes, not 2"),
        ('name = "Dead of Winter"', 'nmae = "x"', 'book.nmae: unknown key; did you mean "name"?'),
        (
            'id = "dead_of_winter"', 'id = "winter"',
            'book.id: must be "dead_of_winter", as its folder is named, not "winter"',
        ),
    ],
)  # fmt: skip
def test_a_wrong_book_file(book, message, old, new, said):
    path = book.folder / "book.toml"
    line = book.change(path, old, new)
    assert message(read_book, book.folder) == f"{path}, line {line}: {said}"


def test_a_book_without_its_file(book, message):
    (book.folder / "book.toml").unlink()
    assert message(book.built) == f"{book.folder / 'book.toml'}: no such file"


def test_an_unknown_edition_in_a_study(message):
    assert message(build, load(SKIRMISH), {"edition": "gringos"}) == (
        "option edition is 'gringos'; it can be gringo or into_the_woods or dead_of_winter"
    )
