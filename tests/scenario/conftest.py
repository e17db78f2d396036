"""What the tests of files share: a copy of a book to spoil, and the message of bad input."""

import shutil
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from simkit.errors import InputError
from simkit.scenario.charts import read_charts

BOOK = Path(str(files("simkit"))) / "books" / "dead_of_winter"


@cache
def printed_charts():
    return read_charts(BOOK / "charts")


@pytest.fixture
def charts():
    """The charts of Dead of Winter."""
    return printed_charts()


@pytest.fixture
def message():
    """Call something that must find its input bad; give the message."""

    def told(function, *arguments, **options):
        with pytest.raises(InputError) as caught:
            function(*arguments, **options)
        assert "\n" not in caught.value.message
        return caught.value.message

    return told


class Book:
    """A copy of a book's data, whose files a test may spoil."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(BOOK, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        self.scenario = folder / "scenarios" / "skirmish.toml"
        self.map = folder / "maps" / "stones_river.toml"
        self.units = folder / "roster" / "units.csv"
        self.commands = folder / "roster" / "commands.csv"
        self.leaders = folder / "roster" / "leaders.csv"

    def change(self, path, old, new):
        """Replace the first of a text in a file; give the number of the line where it stands."""
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{path.name} has no {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    def built(self):
        """The battle of its scenario."""
        from simkit.scenario import build
        from simkit.scenario.scenariofile import read_scenario

        return build(read_scenario(self.scenario, self.folder.parent))


@pytest.fixture
def book(tmp_path):
    """A copy of Dead of Winter's data."""
    return Book(tmp_path / "books" / "dead_of_winter")
