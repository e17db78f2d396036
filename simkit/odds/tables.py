"""Answers as tables: tidy ones for files, short ones for the eye."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import pandas as pd

from simkit.odds.answer import Answer

Rows = list[tuple[str, ...]]


def rows_of(answer: Answer) -> pd.DataFrame:
    """The answer as one row a chance: `table`, `item`, `value`."""
    rows: list[tuple[str, str, float]] = []
    rows += [("outcome", name, float(chance)) for name, chance in answer.outcomes.items()]
    rows += [("event", name, float(chance)) for name, chance in answer.events.items()]
    for side, losses in (("attacker", answer.attacker_loss), ("defender", answer.defender_loss)):
        rows += [(f"{side} loss", str(points), float(chance)) for points, chance in losses.items()]
        rows += [(f"{side} loss at least", str(points), float(chance)) for points, chance in at_least(losses).items()]
    rows.append(("success", "", float(answer.success)))
    rows.append(("expected", "attacker loss", float(answer.expected_attacker_loss)))
    rows.append(("expected", "defender loss", float(answer.expected_defender_loss)))
    for step in answer.steps:
        rows.append((f"step {step.name}", "comes", float(step.chance)))
        rows += [(f"step {step.name}", name, float(chance)) for name, chance in step.results.items()]
    for name, states in answer.units.items():
        rows += [(f"unit {name}", state, float(chance)) for state, chance in states.items()]
    return pd.DataFrame(rows, columns=["table", "item", "value"])


def at_least(losses: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The chance of losing at least so many strength points, from the chances of each number."""
    found: dict[int, Fraction] = {}
    total = Fraction(0)
    for points in sorted(losses, reverse=True):
        total += losses[points]
        found[points] = total
    return {points: found[points] for points in sorted(found) if points > 0}


def text_of(answer: Answer) -> Iterable[tuple[str, tuple[str, ...], Rows]]:
    """Short tables: a head, its columns and rows, each."""
    situation = f"{answer.situation.kind} {answer.situation}"
    yield situation, ("outcome", "chance"), [
        *[(name, _percent(chance)) for name, chance in answer.outcomes.items()],
        ("success" if answer.situation.kind != "shock" else "success: an attacker ends in the hex",
         _percent(answer.success)),
    ]  # fmt: skip
    if answer.method != "exact":
        low, high = answer.interval
        yield "", ("method", "value"), [
            ("enumerated", _percent(answer.mass)), ("drawn for the rest", str(answer.draws)),
            ("success, 95 % interval", f"{100 * low:.2f} to {100 * high:.2f} %"),
        ]
    lost = [at_least(answer.attacker_loss), at_least(answer.defender_loss)]
    rows: Rows = [
        ("on average", f"{float(answer.expected_attacker_loss):.2f}", f"{float(answer.expected_defender_loss):.2f}")
    ]
    rows += [
        (f"at least {points}", *[_percent(losses[points]) if points in losses else "" for losses in lost])
        for points in sorted({*lost[0], *lost[1]})
    ]
    yield "", ("strength points lost", "attacker", "defender"), rows
    yield "", ("event", "chance"), [(name, _percent(chance)) for name, chance in answer.events.items()]
    steps: Rows = []
    for step in answer.steps:
        losses = f"{float(step.attacker_loss):.2f} / {float(step.defender_loss):.2f}"
        if not step.results and not step.attacker_loss and not step.defender_loss:
            continue
        steps.append((step.name, "comes", _percent(step.chance), losses))
        steps += [("", name, _percent(chance), "") for name, chance in step.results.items()]
    yield "", ("step", "result", "chance", "loses on average"), steps
    yield "", ("unit", "ends", "chance"), [
        (name, state, _percent(chance)) for name, states in answer.units.items() for state, chance in states.items()
    ]


def side_by_side(first: Answer, second: Answer) -> pd.DataFrame:
    """Two answers and their difference, one row an item: `item`, the two situations, `difference`."""
    items: list[tuple[str, Fraction, Fraction]] = [("success", first.success, second.success)]
    nothing = Fraction(0)
    for ours, theirs in ((first.outcomes, second.outcomes), (first.events, second.events)):
        items += [
            (name, ours.get(name, nothing), theirs.get(name, nothing)) for name in dict.fromkeys([*ours, *theirs])
        ]
    items.append(("attacker loss on average", first.expected_attacker_loss, second.expected_attacker_loss))
    items.append(("defender loss on average", first.expected_defender_loss, second.expected_defender_loss))
    columns = [f"{answer.situation.kind} {answer.situation}" for answer in (first, second)]
    if columns[0] == columns[1]:
        columns[1] += " (again)"
    rows = [(name, float(ours), float(theirs), float(theirs - ours)) for name, ours, theirs in items]
    return pd.DataFrame(rows, columns=["item", *columns, "difference"])


def _percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.2f} %"
