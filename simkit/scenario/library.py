"""The scenarios that come with simkit, by id, and scenario files of a user's own."""

from importlib.resources import files
from pathlib import Path

from simkit.errors import InputError
from simkit.scenario.reading import place_in, suggestion
from simkit.scenario.scenariofile import Scenario, read_scenario


def books_folder() -> Path:
    """Folder of the books' data, as installed."""
    return Path(str(files("simkit"))) / "books"


def _files() -> dict[str, Path]:
    paths = sorted(books_folder().glob("*/scenarios/*.toml"))
    return {f"{path.parents[1].name}/{path.stem}": path for path in paths}


def names() -> list[str]:
    """Ids of all scenarios that come with simkit, sorted."""
    return sorted(_files())


def load(name: str | Path) -> Scenario:
    """A scenario by its id, or from a scenario file.

    Args:
        name: an id such as `dead_of_winter/skirmish`, or the path of a .toml file.

    Raises:
        InputError: there is no such scenario, or its file is wrong.
    """
    known = _files()
    if str(name) in known:
        return read_scenario(known[str(name)], books_folder())
    path = Path(name)
    if path.suffix == ".toml":
        scenario = read_scenario(path, books_folder())
        if not scenario.folder.is_dir():
            books = sorted(charts.parent.name for charts in books_folder().glob("*/charts"))
            book = scenario.scenario.book
            where = place_in(path, ("scenario", "book"))
            raise InputError(f'{where}: scenario.book: unknown book "{book}"{suggestion(book, books)}')
        return scenario
    raise InputError(f'unknown scenario "{name}"{suggestion(str(name), known)}')
