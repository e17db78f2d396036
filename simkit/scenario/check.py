"""Checking files of any kind: a file is read by the reader that its content calls for, and tried where it is used."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from simkit.errors import InputError
from simkit.model.charts import Charts
from simkit.model.forces import ELIMINATED, ROUTED
from simkit.scenario.bookfile import read_book
from simkit.scenario.builder import Built, Overlay, build, check_numbers, read_options
from simkit.scenario.calibrationfile import Calibration, read_calibration
from simkit.scenario.charts import FILES, read_charts
from simkit.scenario.commanders import resolve
from simkit.scenario.doctrines import read_doctrine
from simkit.scenario.ensemble import read_ensemble, sets_of
from simkit.scenario.historyfile import History, history_of, read_history
from simkit.scenario.library import books_folder, load
from simkit.scenario.mapfile import make_map, read_map
from simkit.scenario.packages import check_packages, read_packages
from simkit.scenario.proof import faults
from simkit.scenario.reading import Location, place_in, read_toml, suggestion
from simkit.scenario.roster import FILES as ROSTER
from simkit.scenario.roster import Roster, check_weapons, read_roster
from simkit.scenario.scenariofile import Scenario
from simkit.scenario.scripts import read_script
from simkit.scenario.study import Variant, read_study
from simkit.scenario.unknowns import FILE as UNKNOWNS
from simkit.scenario.unknowns import read_unknowns, unknowns_of
from simkit.scenario.victoryfile import read_points


def check(path: Path) -> str:
    """Check a file, and all that it refers to as far as one can without playing.

    Args:
        path: a study, scenario, script, doctrine, map, book or chart file (.toml), or a file of a roster (.csv), which
            is checked with the others of its folder.

    Returns:
        What it is, in a line that begins with its kind.

    Raises:
        InputError: the file is wrong, or of no known kind.
    """
    if path.name in ROSTER:
        return _check_roster(path.parent)
    if path.suffix != ".toml":
        if not path.exists():
            raise InputError(f"{path}: no such file")
        raise InputError(f"{path}: of no known kind; files are .toml, or {', '.join(ROSTER)}")
    data, _ = read_toml(path)
    for kind, checker in _CHECKERS.items():
        if kind in data:
            return checker(path)
    if path.name in FILES:
        return _check_charts(path)
    kinds = ", ".join(f"[{kind}]" for kind in _CHECKERS)
    raise InputError(f"{path}: of no known kind; it has none of the tables {kinds}, and its name is none of a chart's")


def _check_study(path: Path) -> str:
    study = read_study(path)
    with _blamed_on(path, ("study", "scenario")):
        scenario = load(study.scenario)
    with _blamed_on(path, ("study", "uncertainty")):
        sets_of(study.uncertainty, scenario.folder)
    for number, way in enumerate(study.ways()):
        table: Location = ("variant", number - 1) if number else ()
        built = _built(scenario, way, path, table)
        for side, spec in way.commanders.items():
            if ":" not in spec:  # a class of the user's own is checked when it is used
                with _blamed_on(path, (*table, "commanders", side)):
                    resolve(spec, side, built)
    names = ", ".join(way.name for way in study.ways())
    return f"study: {study.runs:,} battles of {scenario.id}{f', for each of {names}' if study.variants else ''}"


def _built(scenario: Scenario, way: Variant, path: Path, table: Location) -> Built:
    """The battle of one way to fight a study; what is wrong with it is told with the key that says so."""
    with _blamed_on(path, (*table, "options")):
        read_options(way.options)
    with _blamed_on(path, (*table, "numbers")):
        check_numbers(scenario, way.numbers)
    try:
        return build(scenario, way.options, Overlay(way.changes, way.numbers))
    except InputError:
        build(scenario)  # the scenario's own fault, or else that of the options or of the changes
        with _blamed_on(path, (*table, "options")):
            build(scenario, way.options)
        with _blamed_on(path, (*table, "change")):
            raise


def _check_scenario(path: Path) -> str:
    built = build(load(path))
    found = faults(built)
    if found:
        more = f" (and {len(found) - 1} more such)" if len(found) > 1 else ""
        raise InputError(f"{path}: {found[0]}{more}")
    battle = built.battle
    there = [unit.hex.id for unit in battle.units if unit.hex.index >= 0]
    there += [leader.hex.id for leader in battle.leaders if leader.hex.index >= 0]
    off = sum(unit.place in (ROUTED, ELIMINATED) for unit in battle.units)
    coming = len(battle.units) + len(battle.leaders) - len(there) - off
    away = f", {_many(off, 'unit')} routed or eliminated" if off else ""
    entering = f", {_many(coming, 'reinforcement')} due through {_many(len(battle.entrances), 'hex', 'hexes')}"
    works = sum(len(place.works) for place in battle.works.hexes)
    standing = f", {works} breastworks"
    return (
        f"scenario: {battle.name}, {len(battle.units)} units and {len(battle.leaders)} leaders in {len(set(there))} "
        f"hexes{away}{standing if works else ''}{entering if coming else ''}, {_many(len(battle.turns), 'turn')}"
    )


def _check_script(path: Path) -> str:
    script = read_script(path)
    counted = [_many(len(script.order), "order")] if script.order else []
    if script.answer:
        counted.append(_many(len(script.answer), "answer"))
    about = f"script: {script.script.name}, {' and '.join(counted)} for the {script.script.side} side"
    if script.script.scenario is None:
        return f"{about}; names and hexes unchecked, for it says no scenario"
    with _blamed_on(path, ("script", "scenario")):
        scenario = load(script.script.scenario)
    resolve(str(path), script.script.side, build(scenario))
    return f"{about} in {script.script.scenario}"


def _check_doctrine(path: Path) -> str:
    return f"doctrine: {read_doctrine(path).name}"


def _check_map(path: Path) -> str:
    drawing = read_map(path)
    for charts in charts_beside(path.parent):
        ground = make_map(drawing, charts, path)
    return f"map: {drawing.map.name}, {len(ground.hexes):,} hexes"


def _check_history(path: Path) -> str:
    found = read_history(path)
    for key in ("scenario", "later"):
        if (name := getattr(found.history, key)) is not None:
            with _blamed_on(path, ("history", key)):
                load(name)
    return f"history: of {found.history.scenario}"


def _check_unknowns(path: Path) -> str:
    return f"unknowns: {', '.join(read_unknowns(path))}"


def _check_calibration(path: Path) -> str:
    found = sound_calibration(path).file
    numbers, fitted = _many(len(found.calibration.numbers), "number"), _many(len(found.fit), "scenario")
    return f"calibration: {numbers} by {fitted}"


class Sound(NamedTuple):
    """A calibration file, and the scenario and history of each target, of those fitted and then of those held back."""

    file: Calibration
    fit: list[tuple[Scenario, History]]
    judge: list[tuple[Scenario, History]]


def sound_calibration(path: Path) -> Sound:
    """A calibration file, checked with all that it names, as it would be a pity to learn of a slip after hours of play.

    Raises:
        InputError: the file is wrong, or names a book, number, scenario, option or commander that there is not, or a
            scenario that has no history.
    """
    found = read_calibration(path)
    head = found.calibration
    books = sorted(charts.parent.name for charts in books_folder().glob("*/charts"))
    if head.book not in books:
        where = place_in(path, ("calibration", "book"))
        raise InputError(f'{where}: calibration.book: unknown book "{head.book}"{suggestion(head.book, books)}')
    known = unknowns_of(books_folder() / head.book)
    for name in head.numbers:
        if name not in known:
            where = place_in(path, ("calibration", "numbers"))
            raise InputError(f'{where}: nothing unknown is called "{name}"{suggestion(name, known)}')
    sound = Sound(found, [], [])
    for kind, targets, pairs in (("fit", found.fit, sound.fit), ("judge", found.judge, sound.judge)):
        for number, target in enumerate(targets):
            with _blamed_on(path, (kind, number, "scenario")):
                scenario = load(target.scenario)
                pairs.append((scenario, history_of(scenario)))
            with _blamed_on(path, (kind, number, "options")):
                built = build(scenario, target.options)
            for side, spec in head.commanders.items():
                if ":" not in spec:  # a class of the user's own is checked when it is used
                    with _blamed_on(path, ("calibration", "commanders", side)):
                        resolve(spec, side, built)
    return sound


def _check_ensemble(path: Path) -> str:
    # One that a calibration has just made lies in no book's folder yet: it fits if it fits any.
    own = path.resolve().parent
    lists = [own / UNKNOWNS] if (own / UNKNOWNS).is_file() else sorted(books_folder().glob(f"*/{UNKNOWNS}"))
    wrong = InputError(f"{path}: no book lists unknown numbers")
    for number, listed in enumerate(lists):
        try:
            return f"ensemble: {len(read_ensemble(path, listed.parent))} sets of unknown numbers"
        except InputError as error:
            wrong = wrong if number else error
    raise wrong


def _check_book(path: Path) -> str:
    book = read_book(path.parent, path.name)
    return f"book: {book.name}, with the series rules as {book.edition} words them"


def _check_points(path: Path) -> str:
    points = read_points(path.parent, path.name)
    roster = read_roster(path.parent / "roster")
    for number, prize in enumerate(points.enemy):
        _check_command(roster, prize.command, path, ("enemy", number, "command"))
    drawings = sorted((path.parent / "maps").glob("*.toml"))
    sheets = [sheet for drawing in drawings for sheet in read_map(drawing).map.sheets]
    for number, ground in enumerate(points.terrain):
        for ident in ground.hexes:
            if not any(sheet.prints(ident) for sheet in sheets):
                where = place_in(path, ("terrain", number, "hexes"))
                raise InputError(f"{where}: no map of the book has a hex {ident}")
    commands = _many(len(points.enemy), "command")
    return f"victory points: for {commands} and {_many(len(points.terrain), 'place')}"


def _check_packages(path: Path) -> str:
    packages = read_packages(path)
    check_packages(packages, [], read_roster(path.parent / "roster"), path)
    return f"optional forces: {_many(len(packages), 'package')}"


def _check_command(roster: Roster, name: str, path: Path, where: Location) -> None:
    known = [f"{row.side}/{row.code}" for row in roster.commands]
    if name not in known:
        raise InputError(f'{place_in(path, where)}: no command "{name}" in the roster{suggestion(name, known)}')


def _check_roster(folder: Path) -> str:
    roster = read_roster(folder)
    for charts in charts_beside(folder):
        check_weapons(roster, charts, folder)
    return f"roster: {len(roster.units)} units, {len(roster.leaders)} leaders, {len(roster.commands)} commands"


def _check_charts(path: Path) -> str:
    if all((path.parent / name).exists() for name in FILES):
        read_charts(path.parent)
        return "charts: a whole set"
    # A folder with some of the charts is laid over those of a book.
    books = sorted(books_folder().glob("*/charts"))
    for charts in books:
        read_charts(charts, [path.parent])
    return f"charts: fit over those of {', '.join(charts.parent.name for charts in books)}"


def charts_beside(folder: Path) -> list[Charts]:
    """The charts of the book to which a folder belongs; of all books if it stands alone."""
    own = folder.resolve().parent / "charts"
    return [read_charts(charts) for charts in ([own] if own.is_dir() else sorted(books_folder().glob("*/charts")))]


@contextmanager
def _blamed_on(path: Path, where: Location) -> Iterator[None]:
    """Bad input found while reading what a file names is told with the place that names it."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place_in(path, where)}: {error.message}") from None


def _many(number: int, what: str, several: str = "") -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"


_CHECKERS: dict[str, Callable[[Path], str]] = {
    "study": _check_study,
    "scenario": _check_scenario,
    "script": _check_script,
    "doctrine": _check_doctrine,
    "map": _check_map,
    "history": _check_history,
    "unknown": _check_unknowns,
    "ensemble": _check_ensemble,
    "calibration": _check_calibration,
    "book": _check_book,
    "victory_points": _check_points,
    "optional": _check_packages,
}
"""How each kind of file is checked, by the table that only this kind has."""
