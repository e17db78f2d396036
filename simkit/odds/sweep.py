"""A situation along one or more axes: the table and the curve of a shock odds card."""

import itertools
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from simkit.errors import InputError
from simkit.exact.enumeration import DRAWS, LIMIT
from simkit.odds.answer import Answer
from simkit.odds.asking import ask
from simkit.odds.changing import changed
from simkit.odds.situation import Situation
from simkit.scenario.reading import suggestion

MOST_POINTS = 5_000
"""Points of a sweep: beyond these nobody reads the table, and the time is better spent otherwise."""

WORTH_PROCESSES = 8.0
"""Seconds of work from which further processes pay for their start."""

SPAN = re.compile(r"(\d{1,3})\.\.(\d{1,3})(?:\.\.(\d{1,2}))?")


@dataclass(frozen=True)
class Axis:
    """What changes along a sweep, and its values in order."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Sweep:
    """The answers of a sweep of a situation, the last axis fastest."""

    situation: Situation
    axes: tuple[Axis, ...]
    answers: tuple[Answer, ...]

    def points(self) -> Iterator[tuple[tuple[str, ...], Answer]]:
        """Values along the axes with the answer there."""
        return zip(itertools.product(*(axis.values for axis in self.axes)), self.answers, strict=True)

    def grid(self, measure: str = "success") -> list[list[float]]:
        """One number of each answer: rows along the first axis, columns along the others."""
        width = len(self.answers) // len(self.axes[0].values)
        numbers = [measured(answer, measure) for answer in self.answers]
        return [numbers[at : at + width] for at in range(0, len(numbers), width)]


def measured(answer: Answer, name: str) -> float:
    """A number of an answer as `Answer.measure` names it; an event that cannot happen has chance 0."""
    try:
        return float(answer.measure(name))
    except KeyError:
        return 0.0


def read_axis(text: str) -> Axis:
    """The axis that `name=3..15`, `name=3..15..2` or `name=a,b,c` says.

    Raises:
        InputError: it is written otherwise.
    """
    name, equals, values = text.partition("=")
    if not (name and equals and values):
        raise InputError(f'--sweep "{text}": write name=3..15 or name=word,word')
    if span := SPAN.fullmatch(values):
        first, last, step = int(span[1]), int(span[2]), int(span[3] or 1)
        if step < 1 or last < first:
            raise InputError(f'--sweep "{text}": a span goes up, as in 3..15 or 3..15..2')
        return Axis(name, tuple(str(number) for number in range(first, last + 1, step)))
    parts = tuple(part.strip() for part in values.split(","))
    if not all(parts) or len(set(parts)) != len(parts) or ".." in values:
        raise InputError(f'--sweep "{text}": values between commas, none twice, or a span of whole numbers as 3..15')
    return Axis(name, parts)


def sweep(
    situation: Situation,
    axes: Sequence[str | Axis],
    charts: Path | None = None,
    told: Callable[[int, int], None] | None = None,
    jobs: int | None = None,
    limit: int = LIMIT,
    draws: int = DRAWS,
) -> Sweep:
    """The answers to a situation along axes.

    Args:
        situation: what holds elsewhere.
        axes: texts like "attacker=3..15" or "position=front,flank,rear".
        charts: a folder of charts laid over the book's.
        told: called with the points done and their number.
        jobs: worker processes; by default one a core, if the sweep takes long enough to pay for them.
        limit: branches of each situation that are played before the rest is drawn.
        draws: combats that are drawn of that rest.

    Raises:
        InputError: an axis names nothing, has a wrong value, stands twice, or there are too many points.
    """
    read = tuple(axis if isinstance(axis, Axis) else read_axis(axis) for axis in axes)
    if not read:
        raise InputError("a sweep needs an axis, as attacker=3..15")
    names = [axis.name for axis in read]
    if len(set(names)) != len(names):
        raise InputError(f"--sweep: {next(name for name in names if names.count(name) > 1)} stands twice")
    count = 1
    for axis in read:
        count *= len(axis.values)
    if count > MOST_POINTS:
        raise InputError(f"--sweep: {count:,} points are too many; at most {MOST_POINTS:,}")
    points = []
    for values in itertools.product(*(axis.values for axis in read)):
        here = situation
        for name, value in zip(names, values, strict=True):
            here = changed(here, name, value, charts)
        points.append(here)
    return Sweep(
        situation, read, tuple(_answers(points, partial(ask, charts=charts, limit=limit, draws=draws), told, jobs))
    )


def _answers(
    points: list[Situation],
    answered: Callable[[Situation], Answer],
    told: Callable[[int, int], None] | None,
    jobs: int | None,
) -> Iterator[Answer]:
    started = time.perf_counter()
    done = 0
    workers = jobs or os.cpu_count() or 1
    for number, point in enumerate(points, 1):
        yield answered(point)
        done = number
        if told:
            told(done, len(points))
        rest = (time.perf_counter() - started) / done * (len(points) - done)
        if done >= 2 and workers > 1 and rest > WORTH_PROCESSES:
            break
    if done == len(points):
        return
    from joblib import Parallel, delayed

    found = Parallel(n_jobs=workers, return_as="generator")(delayed(answered)(point) for point in points[done:])
    for answer in found:
        yield answer
        done += 1
        if told:
            told(done, len(points))


def check_measure(found: Sweep, name: str) -> None:
    """See that a sweep has such a measure.

    Raises:
        InputError: no answer of it knows the name.
    """
    known = ["success", "attacker_loss", "defender_loss", *found.answers[0].outcomes]
    known += sorted({event for answer in found.answers for event in answer.events} - set(known))
    if name not in known:
        raise InputError(f'--measure "{name}" is nothing that these answers say{suggestion(name, known)}')
