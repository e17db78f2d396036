"""The rows of tables that answers to odds fill."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from simkit.odds.answer import HEX_CARRIED, HEX_TAKEN, PLACES, STATES, Answer, at_least
from simkit.odds.compare import Comparison
from simkit.odds.situation import SHOCK
from simkit.odds.sweep import Sweep, measured
from simkit.odds.why import Effect

Row = tuple[str, ...]
AVERAGES = ("attacker_loss", "defender_loss")
SIDES = ("attacker", "defender")
LOSS_HEADS = ("strength lost", "attacker exactly", "attacker at least", "defender exactly", "defender at least")
SAID_BEFORE = (HEX_CARRIED, HEX_TAKEN)
"""Events that the table of outcomes tells."""


def percent(chance: Fraction, fractions: bool = False) -> str:
    """A chance as 41.25 %, or as a fraction."""
    return str(chance) if fractions else f"{100 * float(chance):.2f} %"


def number(value: Fraction, fractions: bool = False) -> str:
    """Strength points on average, with two decimals, or as a fraction."""
    return str(value) if fractions else f"{float(value):.2f}"


def _told(answer: Answer, name: str, chance: Fraction, fractions: bool) -> str:
    if answer.method == "exact":
        return percent(chance, fractions)
    span = answer.interval(name)
    return f"{percent(chance, fractions)} ({100 * span.low:.2f} to {100 * span.high:.2f})"


def answer_tables(answer: Answer, fractions: bool = False) -> Iterator[tuple[str, Row, list[Row]]]:
    """Title, heads and rows of each table of an answer; what cannot be is left out."""
    outcomes: list[Row] = [
        (name, _told(answer, name, chance, fractions)) for name, chance in answer.outcomes.items() if chance
    ]
    if answer.situation.kind == SHOCK:
        carried = answer.events.get(HEX_CARRIED, Fraction(0))
        outcomes.append(("success: the attacker ends in the hex", _told(answer, "success", answer.success, fractions)))
        outcomes.append(("hex carried: he was in it at some time", _told(answer, HEX_CARRIED, carried, fractions)))
    else:
        outcomes.append(("success: nobody fired at is left in the hex",
                         _told(answer, "success", answer.success, fractions)))  # fmt: skip
    yield "How it ends", ("outcome", "chance"), outcomes
    yield "Strength points lost", LOSS_HEADS, _losses(answer, fractions)
    yield _units(answer, fractions)
    besides: list[Row] = [
        (name, _told(answer, name, chance, fractions))
        for name, chance in answer.events.items() if name not in SAID_BEFORE and not _of_units(answer, name)
    ]  # fmt: skip
    if besides:
        yield "What may happen besides (these overlap)", ("event", "chance"), besides
    yield (
        "Step by step" + ("" if answer.method == "exact" else ", as far as it was enumerated"),
        ("step", "how often", "result", "attacker loses", "defender loses"),
        list(_steps(answer, fractions)),
    )


def _of_units(answer: Answer, event: str) -> bool:
    """Whether an event is told with the units, or is of a side of one unit."""
    for side in SIDES:
        if event.startswith(f"any {side} "):
            return sum(name.startswith(side) for name in answer.units) == 1
    return any(event.startswith(f"{name} ") for name in answer.units)


def _losses(answer: Answer, fractions: bool) -> list[Row]:
    losses = (answer.attacker_loss, answer.defender_loss)
    reached = (at_least(losses[0]), at_least(losses[1]))
    rows: list[Row] = []
    for n in range(max(max(loss, default=0) for loss in losses) + 1):
        row = [str(n)]
        for side in (0, 1):
            row.append(_or_dash(losses[side].get(n, Fraction(0)), fractions))
            row.append(_or_dash(reached[side].get(n, Fraction(n == 0)), fractions))
        rows.append(tuple(row))
    attacker, defender = answer.expected()
    rows.append(("average", number(attacker, fractions), "", number(defender, fractions), ""))
    return rows


def _or_dash(chance: Fraction, fractions: bool) -> str:
    return percent(chance, fractions) if chance else "-"


def _units(answer: Answer, fractions: bool) -> tuple[str, Row, list[Row]]:
    """A row for each unit, a column for each place and state in which one of them may be."""
    columns = [name for name in (*PLACES, *STATES) if any(name in chances for chances in answer.units.values())]
    rows: list[Row] = [
        (unit, *(_or_dash(chances.get(name, Fraction(0)), fractions) for name in columns))
        for unit, chances in answer.units.items()
    ]
    return "Where each unit ends, and in what new state", ("unit", *columns), rows


def _steps(answer: Answer, fractions: bool) -> Iterator[Row]:
    for step in answer.steps:
        if not step.decided and not step.attacker_loss and not step.defender_loss:
            continue
        often = percent(step.chance, fractions) if step.chance < 1.005 else f"{number(step.chance, fractions)} times"
        yield (
            step.name, often, "", number(step.attacker_loss, fractions), number(step.defender_loss, fractions)
        )  # fmt: skip
        for result, chance in step.decided.items():
            yield "", percent(chance, fractions), result, "", ""


def tidy(answer: Answer, fractions: bool = False) -> Iterator[Row]:
    """Part, name and value of every number of an answer."""

    def told(value: Fraction) -> str:
        return str(value) if fractions else repr(float(value))

    yield "situation", "", answer.line
    yield "method", "", answer.method
    yield "mass", "", told(answer.mass)
    yield "success", "", told(answer.success)
    for part, chances in (("outcome", answer.outcomes), ("event", answer.events)):
        for name, chance in chances.items():
            yield part, name, told(chance)
    for unit, table in answer.units.items():
        for state, chance in table.items():
            yield f"unit {unit}", state, told(chance)
    for note in answer.notes:
        yield "note", "", note
    for side, losses in (("attacker", answer.attacker_loss), ("defender", answer.defender_loss)):
        for n, chance in losses.items():
            yield f"{side}_loss", str(n), told(chance)
        for n, chance in at_least(losses).items():
            yield f"{side}_loss_at_least", str(n), told(chance)
    for side, value in zip(AVERAGES, answer.expected(), strict=True):
        yield "expected", side, told(value)
    for step in answer.steps:
        yield "step", step.name, told(step.chance)
        for result, chance in step.decided.items():
            yield f"step {step.name}", result, told(chance)


def effect_table(answer: Answer, effects: Sequence[Effect], fractions: bool = False) -> tuple[Row, list[Row]]:
    """Heads and a row for each modifier; of a shock with the chance to carry the hex."""
    heads: Row = ("modifier", "success then", "change")
    rows: list[Row] = [
        (effect.words(), percent(effect.success, fractions), _change(effect.change, fractions)) for effect in effects
    ]
    if answer.situation.kind != SHOCK:
        return heads, rows
    carried = [percent(effect.carried, fractions) for effect in effects]
    return (*heads, "hex carried then"), [(*row, chance) for row, chance in zip(rows, carried, strict=True)]


def _change(change: Fraction, fractions: bool) -> str:
    return f"{'+' if change > 0 else ''}{change}" if fractions else f"{100 * float(change):+.2f}"


def comparison_rows(found: Comparison, fractions: bool = False) -> list[Row]:
    """A row for each number of two answers, but those that others say again."""
    rows: list[Row] = []
    pairs = found.rows()
    pairs.sort(key=lambda row: (row[0] != "success", row[0] != HEX_CARRIED))
    for name, one, two, change in pairs:
        if name == HEX_TAKEN or (name.startswith("any ") and all(_of_units(answer, name) for answer in found.both)):
            continue
        if name in AVERAGES:
            told = f"{'+' if change > 0 else ''}{change}" if fractions else f"{float(change):+.2f}"
            rows.append((f"{name.replace('_', ' ')}, average", number(one, fractions), number(two, fractions), told))
        else:
            rows.append((name, percent(one, fractions), percent(two, fractions), _change(change, fractions)))
    return rows


def sweep_grid(found: Sweep, measure: str) -> tuple[Row, list[Row]]:
    """Heads and rows of a sweep's table: the first axis down, the second across, or all values of more axes down."""
    shown = _shown(measure)
    names = [axis.name for axis in found.axes]
    if len(names) == 2:
        rows = [
            (value, *(shown(number) for number in line))
            for value, line in zip(found.axes[0].values, found.grid(measure), strict=True)
        ]
        return (f"{names[0]} \\ {names[1]}", *found.axes[1].values), rows
    if len(names) == 1 and measure == "success":
        heads: Row = (*names, "success", "attacker loses", "defender loses")
        return heads, [
            (*values, shown(measured(answer, measure)), *(number(value) for value in answer.expected()))
            for values, answer in found.points()
        ]
    return (*names, measure), [(*values, shown(measured(answer, measure))) for values, answer in found.points()]


def _shown(measure: str) -> Callable[[float], str]:
    return (lambda value: f"{value:.2f}") if measure in AVERAGES else (lambda value: f"{100 * value:.1f} %")


def sweep_rows(found: Sweep) -> tuple[Row, list[Row]]:
    """Heads and rows of a sweep as tidy data: a row for each point, with success, average losses and all outcomes."""
    outcomes = list(found.answers[0].outcomes)
    heads = (*(axis.name for axis in found.axes), "method", "success", *AVERAGES, *outcomes)
    rows = [
        (
            *values,
            answer.method,
            *(repr(measured(answer, name)) for name in ("success", *AVERAGES, *outcomes)),
        )
        for values, answer in found.points()
    ]
    return heads, rows
