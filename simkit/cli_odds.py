"""The commands of `simkit odds`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simkit.errors import InputError
from simkit.terminal import job, on_terminal, table

if TYPE_CHECKING:
    import pandas as pd

    from simkit.odds.answer import Answer
    from simkit.odds.situation import Situation

GRAMMAR = """A situation is one line: attackers, "vs", defenders, then what holds for the whole.

A unit is strength/cohesion, as on its counter, then words separated by commas: 8/6 charge,brigadier. The rating of its
disordered side is two less unless said (8/6/5), its full strength what it has unless said (5of9/6).

More units of a hex follow after +, top first; more hexes after | (three at most); others who may fire or rout by
example after "with". "clear" holds the place of a unit's words: 8/6 vs 5/5 clear night.

8/6 charge,brigadier vs 5/5 woods,breastworks        a charge into woods, the brigadier with it\n
8/6 | 7/6 flank vs 5/5 disordered + 4/5              from front and flank at a stack of two\n
10/7 mounted,charge vs 4/4 N                         cavalry at four Napoleons\n
8/6 vs 5/5 march with 6/5 left                       at a column, a friend of it beside

simkit odds words lists all words; docs/odds.md says more. Defaults: by day, on clear ground, everybody in good order,
through the front; shock attackers under Attack Orders, all others under Advance; no leader with anybody, so that the
attackers lack their brigadier (-1); rifles for infantry, carbines for cavalry; the defenders stand, fire and do not
countercharge; nobody continues the shock who need not.
"""

odds = typer.Typer(
    help="The exact chances of one fire or shock, from the rules that fight the battles.",
    no_args_is_help=True, rich_markup_mode="rich" if on_terminal() else None,
)  # fmt: skip

Line = Annotated[list[str] | None, typer.Argument(metavar="SITUATION", help="In quotes, or as it stands.")]
Attackers = Annotated[str, typer.Option("--attackers", metavar="UNITS", help="In place of the line: the attackers.")]
Defenders = Annotated[str, typer.Option("--defenders", metavar="UNITS", help="In place of the line: the defenders.")]
Whole = Annotated[str, typer.Option("--whole", metavar="WORDS", help="In place of the line: what holds for all of it.")]
Format = Annotated[Literal["table", "json", "csv"], typer.Option("--format", help="How the answer is printed.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Also draw it: a name that ends in png, svg or pdf.")
]
Fractions = Annotated[bool, typer.Option("--fractions", help="With --format json: exact fractions, as texts.")]
Why = Annotated[bool, typer.Option("--why", help="Say what each word does to the chance of success, and could do.")]
Sweep = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep", metavar="AXIS=VALUES",
        help="A table over values: attacker=3..15, defender-cohesion=4..7, position=front,flank,rear. May be repeated.",
    ),
]
WhatIf = Annotated[
    str | None, typer.Option("--what-if", metavar="SITUATION", help="Another situation, side by side with this one.")
]
Charts = Annotated[Path | None, typer.Option("--charts", metavar="DIR", help="Your own charts, over the book's.")]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, max=50_000_000, help="Branches played before the rest is drawn.")
]


@odds.command(epilog='Example: simkit odds shock "8/6 charge,brigadier vs 5/5 woods,breastworks"', help=GRAMMAR)
@job
def shock(
    line: Line = None, attackers: Attackers = "", defenders: Defenders = "", whole: Whole = "",
    output: Format = "table", plot: Plot = None, fractions: Fractions = False, why: Why = False, sweep: Sweep = None,
    what_if: WhatIf = None, charts: Charts = None, limit: Limit = 200_000,
) -> None:
    """Answer a situation of shock."""
    _answer("shock", line, (attackers, defenders, whole), output, plot, fractions, why, sweep, what_if, charts, limit)


@odds.command(epilog='Example: simkit odds fire "7/6 vs 6/5 woods range=2"', help=GRAMMAR)
@job
def fire(
    line: Line = None, attackers: Attackers = "", defenders: Defenders = "", whole: Whole = "",
    output: Format = "table", plot: Plot = None, fractions: Fractions = False, why: Why = False, sweep: Sweep = None,
    what_if: WhatIf = None, charts: Charts = None, limit: Limit = 200_000,
) -> None:
    """Answer a situation of fire."""
    _answer("fire", line, (attackers, defenders, whole), output, plot, fractions, why, sweep, what_if, charts, limit)


@odds.command(epilog="Example: simkit odds words")
@job
def words() -> None:
    """List the words that a situation may hold: what each says, of what, and its rule."""
    from simkit.odds.grammar import charts_of, vocabulary

    known = vocabulary(charts_of())
    table(
        ("word", "of", "who", "meaning", "rule"),
        [(word.word, word.place, word.side or "both", word.meaning, word.rule) for word in known.values()],
    )


def _answer(
    kind: str, line: Sequence[str] | None, parts: tuple[str, str, str], output: str, plot: Path | None,
    fractions: bool, why: bool, axes: Sequence[str] | None, what_if: str | None, charts: Path | None, limit: int,
) -> None:
    from simkit.odds import line_of
    from simkit.odds.answer import solve
    from simkit.odds.grammar import parse

    if sum((why, bool(axes), what_if is not None)) > 1:
        raise InputError("--why, --sweep and --what-if answer different questions: ask one at a time")
    if fractions and (output != "json" or axes):
        raise InputError("--fractions is for --format json, and not for a sweep")
    situation = parse(line_of(" ".join(line or ()), *parts), kind)
    if axes:
        _swept(situation, axes, output, plot, charts, limit)
    elif why:
        _explained(situation, output, plot, fractions, charts, limit)
    elif what_if is not None:
        _compared(situation, parse(what_if, kind), output, plot, fractions, charts, limit)
    else:
        answer = solve(situation, charts, limit)
        _print(answer, output, fractions)
        _draw(answer, plot)


def _print(answer: "Answer", output: str, fractions: bool) -> None:
    if output == "json":
        typer.echo(json.dumps(answer.as_json(fractions), indent=2))
        return
    from simkit.odds.tables import rows_of, text_of

    if output == "csv":
        typer.echo(rows_of(answer).to_csv(index=False), nl=False)
        return
    for head, heads, rows in text_of(answer):
        if on_terminal():
            typer.echo(head)
        table(heads, rows)


def _draw(answer: "Answer", plot: Path | None) -> None:
    if plot is not None:
        from simkit.report.oddsplots import answer_plot, written

        typer.echo(f"wrote {written(answer_plot(answer), plot)}", err=True)


def _swept(
    situation: "Situation", axes: Sequence[str], output: str, plot: Path | None, charts: Path | None, limit: int
) -> None:
    from simkit.odds.compare import axis, sweep

    read = [axis(text) for text in axes]
    if len({one.name for one in read}) < len(read):
        raise InputError("--sweep: an axis is given twice")
    if plot is not None and len(read) > 2:
        raise InputError("--plot: a sweep is drawn over one axis or two")
    frame = sweep(situation, read, charts, limit)
    _frame(frame, output)
    if plot is not None:
        from simkit.report.oddsplots import sweep_plot, written

        title = f"{situation.kind} {situation}"
        typer.echo(f"wrote {written(sweep_plot(frame, [one.name for one in read], title), plot)}", err=True)


def _frame(frame: "pd.DataFrame", output: str) -> None:
    if output == "json":
        typer.echo(frame.to_json(orient="records", indent=2))
    elif output == "csv":
        typer.echo(frame.to_csv(index=False), nl=False)
    else:
        shown = frame.drop(columns=[name for name in ("situation", "method") if name in frame])
        table(
            list(shown.columns),
            [["" if value != value else f"{value:.3f}" if isinstance(value, float) else str(value) for value in row]
             for row in shown.itertuples(index=False)],
        )


def _explained(
    situation: "Situation", output: str, plot: Path | None, fractions: bool, charts: Path | None, limit: int
) -> None:
    from simkit.odds.compare import why

    base, found = why(situation, charts, limit)
    if output == "json":
        said = base.as_json(fractions)
        said["why"] = [
            {
                "word": one.word, "holds": one.present,
                "success": str(one.success) if fractions else float(one.success),
                "change": str(one.change) if fractions else float(one.change),
                "situation": f"{one.situation.kind} {one.situation}",
            }
            for one in found
        ]  # fmt: skip
        typer.echo(json.dumps(said, indent=2))
    else:
        rows = [
            ("without" if one.present else "with", one.word, f"{float(one.success):.3f}", f"{float(one.change):+.3f}")
            for one in found
        ]
        rows.insert(0, ("as it is", "", f"{float(base.success):.3f}", ""))
        if output == "csv":
            import pandas as pd

            typer.echo(pd.DataFrame(rows, columns=["how", "word", "success", "change"]).to_csv(index=False), nl=False)
        else:
            table(("how", "word", "success", "change"), rows)
    _draw(base, plot)


def _compared(
    first: "Situation", second: "Situation", output: str, plot: Path | None, fractions: bool, charts: Path | None,
    limit: int,
) -> None:
    from simkit.odds.answer import solve
    from simkit.odds.tables import side_by_side

    if plot is not None:
        raise InputError("--what-if has no plot: draw each situation by itself")
    answers = (solve(first, charts, limit), solve(second, charts, limit))
    if output == "json":
        typer.echo(json.dumps([answer.as_json(fractions) for answer in answers], indent=2))
        return
    frame = side_by_side(*answers)
    if output == "csv":
        typer.echo(frame.to_csv(index=False), nl=False)
        return
    table(
        list(frame.columns),
        [
            [str(row[0]), *[f"{value:.3f}" for value in row[1:3]], f"{row[3]:+.3f}"]
            for row in frame.itertuples(index=False)
        ],
    )
