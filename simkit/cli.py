"""The command line: one command a job."""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from simkit.cli_calibrate import calibrate
from simkit.cli_history import history
from simkit.cli_odds import odds
from simkit.cli_tools import BAD_INPUT, job, kept_if_stopped, on_terminal, say_wrong, table
from simkit.errors import InputError

MOST_LETTERS = 60
"""Letters of a folder's name that is made of a study's; no system allows more than 255 bytes."""


app = typer.Typer(
    name="simkit",
    help="A laboratory for battles of the Great Battles of the American Civil War game system.",
    epilog="Example: simkit run dead_of_winter/skirmish --runs 1000 --seed 1862 --out results/skirmish",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich" if on_terminal() else None,
)

app.add_typer(odds, name="odds")
app.command(epilog="Example: simkit history dead_of_winter/dawn_attack results/dawn_attack --plot history.png")(history)
app.command(epilog="Example: simkit calibrate studies/calibrate_stones_river.toml --out results/calibration")(calibrate)


def main() -> None:
    """Run the command line; bad input ends with one message and exit code 2, Ctrl-C with 130."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # whatever a terminal cannot show
    app(prog_name="simkit")


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    if version:
        from simkit import __version__

        typer.echo(__version__)
        raise typer.Exit


@contextmanager
def _placed(study: str) -> Iterator[None]:
    """Where something in a study's own file is wrong, say it with the file and the line, as `simkit check` does."""
    try:
        yield
    except InputError:
        if study.endswith(".toml"):
            from simkit.scenario.check import check

            check(Path(study))
        raise


Runs = Annotated[
    int | None, typer.Option("--runs", metavar="N", help="Battles of each variant (default: the study's, else 1000).")
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="Seed of all dice (default: the study's, else a new one).")
]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="J", help="Worker processes (default: one a core).")]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Results folder (default: results/NAME).")]
CommanderOf = Annotated[
    list[str] | None,
    typer.Option(
        "--commander",
        metavar="SIDE=WHO",
        help="Who decides for Union or Confederate: a doctrine (steady), a script (plan.toml), or your own class "
        "(module:Class). May be given for each side.",
    ),
]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="An option of the rules. May be repeated.")
]


@app.command(
    epilog="Example: simkit run dead_of_winter/skirmish --runs 1000 --seed 1862 --commander Union=aggressive "
    "--out results/bold"
)
@job
def run(
    study: Annotated[str, typer.Argument(metavar="STUDY.toml|SCENARIO", help="A study file, or a scenario's id.")],
    runs: Runs = None,
    seed: Seed = None,
    jobs: Jobs = None,
    out: Out = None,
    commander: CommanderOf = None,
    option: Options = None,
    combats: Annotated[bool, typer.Option("--combats", help="Record every fire and shock.")] = False,
    uncertainty: Annotated[
        bool, typer.Option("--uncertainty", help="Draw the numbers that no source prints from the book's ensemble.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
) -> None:
    """Play a study or a scenario many times and write tables, plots and a report.

    The same command goes on with a folder that was interrupted, and with more --runs extends one that is finished.
    The results depend on the seed and the run's number alone, never on --jobs.
    """
    from simkit.api import experiment, study_from
    from simkit.batch.progress import Bar, Watcher
    from simkit.report.folder import report_on

    asked = study_from(study)
    folder = out or Path("results") / _file_name(asked.name)
    with kept_if_stopped(folder), _placed(study):
        played = experiment(
            asked, folder, runs=runs, seed=seed, jobs=jobs, combats=combats or None,
            uncertainty="book" if uncertainty else None,
            commanders=_pairs("--commander", "SIDE=WHO", commander),
            options={key: _value(text) for key, text in _pairs("--option", "KEY=VALUE", option).items()},
        )  # fmt: skip
        manifest = played.run(Watcher() if quiet else Bar())
    lines = report_on(folder)
    if not quiet:
        kind = "compiled" if manifest.engine.compiled else "interpreted, several times slower than compiled"
        typer.echo(f"{manifest.title}: seed {manifest.seed}, {manifest.duration:,.1f} s, engine {kind}")
        typer.echo("\n".join(lines))


@app.command(epilog="Example: simkit report results/skirmish")
@job
def report(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")]) -> None:
    """Build tables, plots and page of a results folder again."""
    from simkit.report.folder import report_on

    typer.echo("\n".join(report_on(folder)))


@app.command(epilog="Example: simkit replay results/skirmish --run 17 --map")
@job
def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")],
    run: Annotated[int, typer.Option("--run", metavar="K", help="Number of the battle, from 0.")],
    variant: Annotated[str, typer.Option("--variant", metavar="NAME", help="The variant.")] = "base",
    pictures: Annotated[bool, typer.Option("--map", help="Also draw the map after each activation.")] = False,
    answers: Annotated[bool, typer.Option("--answers", help="Also write each side's answers as a script.")] = False,
) -> None:
    """Tell one battle of a results folder in words, and in pictures with --map.

    The battle is played again from its seed and number; it need not be among those that were run.
    """
    from simkit.report.replay import retell

    for line in retell(folder, run, variant, pictures=pictures, answers=answers):
        typer.echo(line)


@app.command(epilog="Example: simkit scenarios")
@job
def scenarios() -> None:
    """List the scenarios; one id a line when piped."""
    from simkit.scenario import load, names

    if not on_terminal():
        for name in names():
            typer.echo(name)
        return
    table(("scenario", "name"), [(name, load(name).scenario.name) for name in names()])


@app.command(epilog="Example: simkit provenance dead_of_winter/skirmish")
@job
def provenance(scenario: Annotated[str, typer.Argument(help="A scenario's id, or the path of its file.")]) -> None:
    """Say where each value of a scenario comes from: printed, derived or reconstructed."""
    from simkit.scenario import load
    from simkit.scenario import provenance as origins

    found = origins.provenance(load(scenario))
    for frame in (found, origins.summary(found)):
        table(list(frame.columns), frame.astype(str).itertuples(index=False))


@app.command(epilog="Example: simkit check studies/skirmish.toml my_charts.toml")
@job
def check(files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of any kind.")]) -> None:
    """Check input files (study, scenario, roster, map, charts, doctrine, script) and say what is wrong in them."""
    from simkit.scenario.check import check as checked

    wrong = 0
    for file in files:
        try:
            found = checked(file)
        except InputError as error:
            wrong += 1
            say_wrong(error.message)
        else:
            typer.echo(f"{file}: {found}")
    if wrong:
        raise typer.Exit(BAD_INPUT)


@app.command("map", epilog="Example: simkit map my_map.toml --out pictures")
@job
def draw_map(
    file: Annotated[str, typer.Argument(metavar="MAP.toml|SCENARIO", help="A map file, or a scenario of it.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of the pictures.")] = Path("pictures"),
) -> None:
    """Draw the sheets of a map file and the whole map, with the names of what is on it."""
    from simkit.report.mapsheets import write_pictures
    from simkit.scenario import load
    from simkit.scenario.reading import read_toml

    path = Path(file)
    if path.suffix != ".toml" or "scenario" in read_toml(path)[0]:
        scenario = load(file)
        path = scenario.folder / scenario.scenario.map
    for picture in write_pictures(path, out):
        typer.echo(f"wrote {picture}")


@app.command(epilog="Example: simkit bench")
@job
def bench() -> None:
    """Play a fixed set of battles: print a signature of the results, the speed, and whether the engine is compiled."""
    import platform

    from simkit import __version__, engine
    from simkit.batch.bench import bench as measured

    found = measured()
    typer.echo(f"signature  {found.signature}")
    typer.echo(f"speed      {found.rate:.1f} battles/s in one process ({found.battles} battles)")
    typer.echo(f"engine     {'compiled' if engine.compiled() else 'interpreted'}")
    if note := engine.build_note():
        typer.echo(f"           {note}")
    typer.echo(f"versions   simkit {__version__}, Python {platform.python_version()}")


def _pairs(option: str, shape: str, texts: list[str] | None) -> dict[str, str]:
    """KEY=VALUE texts as a dictionary; no key may stand twice."""
    pairs: dict[str, str] = {}
    for text in texts or []:
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            raise InputError(f'{option} "{text}": write {shape}')
        if key in pairs:
            raise InputError(f"{option} {key} is given twice")
        pairs[key] = value
    return pairs


def _value(text: str) -> bool | int | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def _file_name(name: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in name.lower()).split()
    return "_".join(words)[:MOST_LETTERS] or "study"


if __name__ == "__main__":
    main()
