"""The commands of `simkit odds`: the exact chances of a shock or a fire."""

import difflib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simkit.cli_tools import check_picture, job, on_terminal, table
from simkit.errors import InputError

if TYPE_CHECKING:
    from simkit.odds.answer import Answer
    from simkit.odds.compare import Comparison
    from simkit.odds.situation import Situation
    from simkit.odds.sweep import Sweep
    from simkit.odds.why import Effect

FORMATS = ("table", "json", "csv")

UNITS = """
How a situation is written, in one line:
  ATTACKERS vs DEFENDERS [WORDS FOR THE WHOLE]

A unit is strength/cohesion, then what holds for it, with commas between:
  8/6 charge,brigadier  8 strength points (of a battery: guns), Cohesion 6
  5of9/6                5 points left of 9
  8/6/3                 rating 3 when disordered (else two less)
  "+" before the next unit of a stack, top first; "|" before the next hex,
  up to three a side, which a shell wants in quotes; "with" before
  supporters, who fire if they may and rout by example:
  "8/6 charge | 6/6 flank vs 5/5 woods + 4/5 with 3/4 right"

Words of a unit (`simkit odds words` explains each word):
  arm         foot (default), mounted, dismounted; a gun makes it a battery
  weapon      R rifled musket (default), M smoothbore, C carbine (cavalry),
              SG shotgun, P pistol, SR Spencer rifle, SC Spencer carbine;
              guns: N Napoleon, TB 6-pounder, H12 howitzer, R3 3-inch rifle,
              P10 Parrott, J James; 6/6 2N,4R3 is a battery of two types
  state       green, disordered, collapsed, blown; of ammunition low, empty
  orders      march, advance, attack
  brigade     brigade1 (default), brigade2, brigade3, which act together
  fatigue     of its brigade: fatigue0, fatigue1, fatigue2, fatigue3 or
              fatigue4
  leaders     with it: brigadier, aggressive (its brigadier, who is),
              division, corps
  its hex     clear (default), field, woods, cedars, orchard, town, river;
              breastworks (of defenders, towards the front)
  hexside     between the enemies: stream, ford_a, ford_b, bridge; up to
              the defenders gradual_slope, minor_slope, steep_slope,
              sheer_slope; down to them minor_slope_down, steep_slope_down,
              sheer_slope_down
  supporter   stands left (default), right or behind of its friends
"""
SHOCK_WORDS = """\
  attackers   come from front (default), flank or rear; they charge, or have
              moved without a charge, or stood adjacent (default)

Words for the whole:
  light       day (default), dawn, dusk, night
  position    surrounded: three attacking hexes all around, as in
              "4/6 | 4/6 | 4/6 vs 8/6 surrounded"
  defenders   stand (default) or give-way before the shock; hold-fire;
              countercharge; counter: shock in turn when they have driven
              the attackers back
  attackers   stop (default), continue or pays: whether they continue a
              shock that they may end, pays: if the next has an even chance
  rules       rapid: guns fire rapidly; ammunition: small arms may run
              short; whose wording: dead_of_winter (default), gringo,
              into_the_woods

What is not said: shock attackers are under Attack Orders, others under
Advance Orders; no leader is near; the ground is clear; all fire who may.

Success: an attacker stands in a target hex at the end. The hex is carried
if one was there at any time: a continued shock may have led him on.
"""
FIRE_WORDS = """\
  firer       moved: has moved before it fires

The first unit of the attackers fires at the defenders' hex; they fire back.

Words for the whole:
  range       range=2: in hexes; 1, the next hex, by default
  light       day (default), dawn, dusk, night
  defenders   hold-fire: do not fire back
  rules       rapid: guns fire rapidly; combined: stacked small arms fire as
              one; ammunition: small arms may run short; whose wording:
              dead_of_winter (default), gringo, into_the_woods

What is not said: Advance Orders, no leaders, clear ground.

Success: nobody who was fired at is left in his hex.
"""
WORDS_OF = {"shock": SHOCK_WORDS, "fire": FIRE_WORDS}


def _lines(text: str) -> str:
    """Paragraphs of a help text that keep their line ends; rich and plain typer both know the mark."""
    return "\n\n".join("\b\n" + paragraph.strip("\n") for paragraph in text.strip().split("\n\n"))


odds = typer.Typer(
    help="The exact chances of a shock or a fire, from the engine's own rules.\n\n" + _lines(
        "Example: simkit odds shock 8/6 charge,brigadier vs 5/5 woods,breastworks\n"
        "reads: 8 points of cohesion 6 charge with their brigadier, at 5 of cohesion 5 in woods and breastworks."
    ),
    no_args_is_help=True,
    rich_markup_mode="rich" if on_terminal() else None,
)  # fmt: skip


Line = Annotated[list[str] | None, typer.Argument(metavar="[SITUATION]", help="The situation, in one line.")]
AttackerSupport = Annotated[
    list[str] | None, typer.Option("--attacker-support", metavar="UNIT", help="A supporter of theirs. Repeatable.")
]  # fmt: skip
DefenderSupport = Annotated[
    list[str] | None, typer.Option("--defender-support", metavar="UNIT", help="A supporter of theirs. Repeatable.")
]  # fmt: skip
Attacker = Annotated[
    list[str] | None,
    typer.Option("--attacker", metavar="UNITS", help="Instead of the line: an attacking hex. Repeatable."),
]  # fmt: skip
Defender = Annotated[
    list[str] | None,
    typer.Option("--defender", metavar="UNITS", help="A defending hex, as '5/5 woods'. Repeatable."),
]
Whole = Annotated[
    list[str] | None, typer.Option("--whole", metavar="WORDS", help="Words for the whole: night,continue. Repeatable.")
]  # fmt: skip
Edition = Annotated[
    str | None, typer.Option("--edition", metavar="BOOK", help="Whose wording of the series rules: see rules above.")
]
ChartsOf = Annotated[
    Path | None, typer.Option("--charts", metavar="DIR", help="A folder of charts laid over Dead of Winter's.")
]  # fmt: skip
Why = Annotated[bool, typer.Option("--why", help="Rank the single modifiers by how much each changes success.")]
SweepOf = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep", metavar="WHAT=VALUES",
        help="A table along an axis; twice for a table of two. WHAT is a number (attacker or defender: strength; "
        "attacker.cohesion, attacker.full; attacker2 is their second unit; range), a kind of word (position, terrain, "
        "slope, orders, weapon, fatigue, brigadier, light, edition, retreat, continue), or a word with yes,no. "
        "VALUES: 3..15, 3..15..2, or front,flank,rear.",
    ),
]  # fmt: skip
Measure = Annotated[
    str | None, typer.Option("--measure", metavar="WHAT",
                      help="What a sweep shows: success (default), attacker_loss, defender_loss, any outcome or event.")
]  # fmt: skip
WhatIf = Annotated[
    str | None,
    typer.Option(
        "--what-if", metavar="CHANGE",
        help="Compare with another line, or with changes named as for --sweep, or a word said (woods) or not "
        "(-breastworks): position=flank,-breastworks,attacker=10.",
    ),
]  # fmt: skip
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")]
Fractions = Annotated[bool, typer.Option("--fractions", help="Chances as exact fractions.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Also draw it: .png, .svg or .pdf.")]
Limit = Annotated[
    int,
    typer.Option(
        "--limit", metavar="N",
        help="Branches to play before the rest is drawn, which the answer then says.",
    ),
]  # fmt: skip
Draws = Annotated[
    int,
    typer.Option("--draws", metavar="N", help="Combats to draw where the limit was reached."),
]
OPTIONS = (
    "--attacker", "--defender", "--attacker-support", "--defender-support", "--whole", "--edition", "--charts", "--why",
    "--sweep", "--measure", "--what-if", "--format", "--fractions", "--plot", "--limit", "--draws", "--help",
)  # fmt: skip
LIMIT, DRAWS = 200_000, 20_000  # those of simkit.exact, which the help does not wait for
EXAMPLES = {
    "shock": _lines(
        "Examples:\n"
        "simkit odds shock 8/6 charge,brigadier vs 5/5 woods,breastworks\n"
        "simkit odds shock 8/6 vs 5/5 --sweep attacker=3..15 --sweep position=front,flank,rear --plot card.pdf\n"
        "simkit odds shock '8/6 charge | 6/6 flank vs 5/5 + 4/6 N' night,continue\n"
        "simkit odds shock 8/6 vs 5/5 woods --why\n"
        "simkit odds shock 8/6 vs 5/5 --what-if position=flank,charge --format json"
    ),
    "fire": _lines(
        "Examples:\n"
        "simkit odds fire 8/6 vs 5/5 woods range=2\n"
        "simkit odds fire 6/6 N vs 5/5 --sweep range=1..6 --measure defender_loss\n"
        "simkit odds fire 8/6 vs 5/5 clear night --fractions"
    ),
}


def _command(kind: str, meaning: str) -> None:
    @odds.command(
        name=kind, help=f"{meaning}\n\n{_lines(UNITS + WORDS_OF[kind])}", epilog=EXAMPLES[kind],
        context_settings={"ignore_unknown_options": True},
    )  # fmt: skip
    @job
    def command(
        line: Line = None, attacker: Attacker = None, defender: Defender = None,
        attacker_support: AttackerSupport = None, defender_support: DefenderSupport = None, whole: Whole = None,
        edition: Edition = None, charts: ChartsOf = None, why: Why = False, sweep: SweepOf = None,
        measure: Measure = None, what_if: WhatIf = None, form: Format = "table", fractions: Fractions = False,
        plot: Plot = None, limit: Limit = LIMIT, draws: Draws = DRAWS,
    ) -> None:  # fmt: skip
        _refuse_options(line or ())
        _refuse_contradictions(sweep, why, what_if, form, plot, measure)
        from simkit.odds.asking import ask, read

        situation = read(
            kind, " ".join(line) if line else None, attacker=attacker or (), defender=defender or (),
            attacker_support=attacker_support or (), defender_support=defender_support or (), whole=whole or (),
            edition=edition, charts=charts,
        )  # fmt: skip
        if sweep:
            _sweep(situation, sweep, charts, measure or "success", form, plot, limit, draws)
            return
        answer = ask(situation, charts, limit, draws)
        if what_if is not None:
            from simkit.odds.compare import compare

            _show_comparison(compare(answer, what_if, charts, limit, draws), form, fractions)
            return
        effects: tuple[Effect, ...] | None = None
        if why:
            from simkit.odds.why import why as ranked

            effects = ranked(answer, charts, _progress(), limit, draws)
        _show(answer, effects, form, fractions)
        if plot:
            from simkit.report.oddsplots import answer_plot
            from simkit.report.style import write_plot

            write_plot(answer_plot(answer), plot)


def _refuse_options(line: Sequence[str]) -> None:
    """See that no option is misspelt: what looks like one is in the line, so that -1/6 is told as a unit."""
    for word in line:
        if re.match(r"--|-[A-Za-z]", word):
            name = word.partition("=")[0]
            near = difflib.get_close_matches(name, OPTIONS, n=1)
            raise InputError(f"no option {name}; {f'did you mean {near[0]}?' if near else 'see --help'}")


def _refuse_contradictions(
    sweep: Sequence[str] | None, why: bool, what_if: str | None, form: str, plot: Path | None, measure: str | None
) -> None:
    if form not in FORMATS:
        raise InputError(f'--format "{form}": table, json or csv')
    check_picture(plot)
    if measure is not None and not sweep:
        raise InputError("--measure says what a sweep shows: give --sweep too")
    asked = [name for name, given in (("--sweep", sweep), ("--why", why), ("--what-if", what_if is not None)) if given]
    if len(asked) > 1:
        raise InputError(f"{asked[0]} and {asked[1]} answer different questions: give one of them")
    if plot is not None and what_if is not None:
        raise InputError("--what-if has no plot: draw each of the two situations")


_command("shock", "The exact chances of a shock, from the choices before it to continued shocks.")
_command("fire", "The exact chances of a fire and of the fire in answer.")


@odds.command(epilog="Example: simkit odds words woods")
@job
def words(
    about: Annotated[str | None, typer.Argument(metavar="[WORD]", help="One word, or a part of it.")] = None,
    charts: ChartsOf = None,
) -> None:
    """List the words of a situation: what each says, of what it is said, and its rule."""
    from simkit.odds.grammar import charts_of, vocabulary
    from simkit.scenario.reading import suggestion

    known = vocabulary(charts_of(overlay=charts))
    found = [word for word in known.values() if about is None or about in word.word or about == word.group]
    if not found:
        raise InputError(f'no word "{about}"{suggestion(about or "", known)}')
    said = [
        (word.word, " ".join((word.side, word.kind, word.place)).strip(), word.group, word.meaning, word.rule)
        for word in found
    ]  # fmt: skip
    table(("word", "said of", "one of", "meaning", "rule"), said)


# -- showing ----------------------------------------------------------------------------------------------------------


def _show(answer: "Answer", effects: "tuple[Effect, ...] | None", form: str, fractions: bool) -> None:
    if form == "json":
        found = answer.as_json(fractions)
        if effects is not None:
            found["why"] = [
                {
                    "modifier": effect.name, "holds": effect.holds, "situation": str(effect.otherwise),
                    "success": str(effect.success) if fractions else float(effect.success),
                    "carried": str(effect.carried) if fractions else float(effect.carried),
                    "change": str(effect.change) if fractions else float(effect.change),
                }
                for effect in effects
            ]  # fmt: skip
        _json(found)
        return
    from simkit.report.oddstext import answer_tables, tidy

    if form == "csv":
        rows = list(tidy(answer, fractions))
        rows.extend(
            ("why", effect.words(), str(effect.change) if fractions else repr(float(effect.change)))
            for effect in effects or ()
        )
        _csv(("part", "name", "value"), rows)
        return
    typer.echo(answer.line)
    typer.echo(_method(answer))
    _notes(answer.notes)
    for title, heads, rows in answer_tables(answer, fractions):
        typer.echo(f"\n{title}")
        table(heads, rows)
    if effects is not None:
        from simkit.report.oddstext import effect_table

        typer.echo("\nWhich single modifier would change the chance of success most")
        table(*effect_table(answer, effects, fractions))


def _notes(notes: Sequence[str]) -> None:
    for note in notes:
        typer.echo(f"note: {note}")


def _method(answer: "Answer") -> str:
    if answer.method == "exact":
        return "exact: every branch of the dice was played"
    return (
        f"sampled: {float(answer.mass):.4%} of all chances were played to the end, the rest was drawn "
        f"({answer.draws:,} combats); ranges are 95 % intervals. A higher --limit plays more"
    )


def _show_comparison(found: "Comparison", form: str, fractions: bool) -> None:
    if form == "json":
        say: Callable[[Any], Any] = str if fractions else float
        _json({
            "first": found.first.as_json(fractions), "second": found.second.as_json(fractions),
            "difference": {name: say(change) for name, _, _, change in found.rows()},
        })  # fmt: skip
        return
    if form == "csv":
        show: Callable[[Any], str] = str if fractions else lambda value: repr(float(value))
        _csv(("name", "first", "second", "difference"), [
            (name, show(one), show(two), show(change)) for name, one, two, change in found.rows()
        ])  # fmt: skip
        return
    from simkit.report.oddstext import comparison_rows

    for number, answer in (("first ", found.first), ("second", found.second)):
        typer.echo(f"{number}  {answer.line}  ({_method(answer).partition(':')[0]})")
        _notes(answer.notes)
    table(("", "first", "second", "difference"), comparison_rows(found, fractions))


def _sweep(
    situation: "Situation", axes: Sequence[str], charts: Path | None, measure: str, form: str, plot: Path | None,
    limit: int, draws: int,
) -> None:  # fmt: skip
    from simkit.odds.sweep import check_measure, sweep
    from simkit.report.oddstext import sweep_grid, sweep_rows

    found = sweep(situation, axes, charts, _progress(), limit=limit, draws=draws)
    check_measure(found, measure)
    names = tuple(axis.name for axis in found.axes)
    if form == "json":
        _json({
            "situation": situation.line,
            "axes": {axis.name: list(axis.values) for axis in found.axes},
            "points": [
                {"at": dict(zip(names, values, strict=True)), **answer.as_json()} for values, answer in found.points()
            ],
        })  # fmt: skip
    elif form == "csv":
        heads, rows = sweep_rows(found)
        _csv(heads, rows)
    else:
        typer.echo(situation.line)
        typer.echo(_swept(found, measure))
        _notes(list(dict.fromkeys(note for answer in found.answers for note in answer.notes)))
        heads, rows = sweep_grid(found, measure)
        table(heads, rows)
    if plot:
        from simkit.report.oddsplots import sweep_plot
        from simkit.report.style import write_plot

        write_plot(sweep_plot(found, measure), plot)


def _swept(found: "Sweep", measure: str) -> str:
    drawn = sum(answer.method != "exact" for answer in found.answers)
    how = "exact" if not drawn else f"{drawn} of {len(found.answers)} answers are sampled, the others exact"
    return f"{measure} along {' and '.join(axis.name for axis in found.axes)}; {how}"


def _progress() -> Callable[[int, int], None] | None:
    """What tells a reader how far a long answer has come; nobody if nobody reads."""
    if not on_terminal():
        return None
    from rich.console import Console

    console = Console(stderr=True)

    def told(done: int, of: int) -> None:
        console.print(f"{done} of {of}" if done < of else " " * 20, end="\r")

    return told


def _json(data: object) -> None:
    import json

    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def _csv(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    typer.echo(text.getvalue(), nl=False)
