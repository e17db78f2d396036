"""A calibration from its file to an ensemble: battles of every point are played, laid beside history, and judged."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from simkit.analysis.calibration import Fit, Points, Space, fit, misfit
from simkit.analysis.history import Comparison, Standing, beside_history, standing
from simkit.analysis.results import Results
from simkit.batch.experiment import Experiment
from simkit.batch.progress import Watcher
from simkit.batch.store import write_whole
from simkit.errors import InputError
from simkit.scenario import build, load
from simkit.scenario.calibrationfile import Calibration, Target
from simkit.scenario.check import sound_calibration
from simkit.scenario.ensemble import BLOCK, FILE
from simkit.scenario.historyfile import History
from simkit.scenario.library import books_folder
from simkit.scenario.scenariofile import Scenario
from simkit.scenario.study import Study, Variant
from simkit.scenario.unknowns import unknowns_of

Watch = Callable[[], Watcher]
"""Makes whoever is told how a batch of battles goes."""


class Beside:
    """A scenario and the history beside which its battles are laid.

    Args:
        target: what the calibration says of it.
        scenario: the scenario.
        history: what happened.
    """

    def __init__(self, target: Target, scenario: Scenario, history: History) -> None:
        self.target = target
        self.scenario = scenario
        self.history = history

    @cached_property
    def later(self) -> Standing | None:
        """How the units stood when it ended; its battle is built when it is first asked for, after those of the fit."""
        later = self.history.history.later
        return standing(build(load(later)).battle) if later else None

    def compare(self, results: Results, variant: str = "base") -> Comparison:
        """The battles of one variant of a results folder beside history."""
        return beside_history(results, self.scenario, self.history, self.later, variant)


class Calibrator:
    """Carries a calibration out, into a folder; the same command goes on with one that was interrupted.

    Args:
        path: the calibration file.
        out: the folder: battles of every round, `points.csv`, `ensemble.toml`.
        jobs: number of worker processes; all cores if None.
        watch: makes whoever is told how a batch goes.

    Raises:
        InputError: the file is wrong, or names what does not exist.
    """

    def __init__(self, path: Path, out: Path, jobs: int | None, watch: Watch) -> None:
        if out.exists() and not out.is_dir():
            raise InputError(f"{out}: is a file; --out needs a folder")
        sound = sound_calibration(path)
        self.file: Calibration = sound.file
        self.out = out
        self.jobs = jobs
        self.watch = watch
        known = unknowns_of(books_folder() / self.file.calibration.book)
        self.space = Space([known[name] for name in self.file.calibration.numbers])
        self.fitted = [Beside(target, *pair) for target, pair in zip(self.file.fit, sound.fit, strict=True)]
        self.held_back = [Beside(target, *pair) for target, pair in zip(self.file.judge, sound.judge, strict=True)]

    def run(self) -> Iterator[str]:
        """Fit, write what was found, and judge it by what was held back; tells in lines what came of each step."""
        head = self.file.calibration
        yield f"{head.name}: {len(self.space.unknowns)} numbers, {len(self.fitted)} scenarios fitted"
        found = fit(
            self.space, self._evaluate, design=head.design, rounds=head.rounds, points=head.points, keep=head.keep,
            seed=head.seed,
        )  # fmt: skip
        write_whole(self.out / "points.csv", lambda place: _write(place, found.table.to_csv(index=False)))
        write_whole(self.out / FILE, lambda place: _write(place, self._ensemble(found)))
        best, own = found.members[0], 0
        yield f"misfit of the values in the files {found.misfits[own]:.2f}, of the best set {found.misfits[best]:.2f}"
        yield f"{len(found.members)} sets in {self.out / FILE}, misfits {found.misfits[found.members[-1]]:.2f} and less"
        for beside, fitted in ((*((one, True) for one in self.fitted), *((one, False) for one in self.held_back))):
            compared = self._judge(beside, len(found.members))
            yield f"{beside.scenario.id} ({'fitted' if fitted else 'held back'}): {verdict(compared)}"

    def _evaluate(self, points: Points, number: int) -> tuple[Sequence[float], Sequence[float]]:
        """Play every fitted scenario at every point; misfits and errors, scenarios by their weights.

        The first point is the study without variants, which is played in any case.
        """
        first, *more = (self.space.numbers(point) for point in points)
        variants = tuple(Variant(name=f"p{at:04d}", numbers=numbers) for at, numbers in enumerate(more, 1))
        weights = np.array([beside.target.weight for beside in self.fitted])
        misses, errors = np.zeros(len(points)), np.zeros(len(points))
        for weight, beside in zip(weights / weights.sum(), self.fitted, strict=True):
            study = self._study(beside, self._runs(beside), numbers=first, variants=variants)
            folder = self.out / f"round-{number}" / beside.scenario.id.replace("/", "-")
            Experiment(study, folder, jobs=self.jobs).run(self.watch(), reopen=True)
            results = Results(folder)
            for at, way in enumerate(study.ways()):
                try:
                    missed, error = misfit(beside.compare(results, way.name), self.file.tolerance)
                except ValueError as wrong:
                    raise InputError(f"{beside.scenario.id}: {wrong}") from None
                misses[at] += weight * missed
                errors[at] = np.hypot(errors[at], weight * error)
        return list(misses), list(errors)

    def _runs(self, beside: Beside) -> int:
        """Battles of a fitted scenario at each point."""
        return beside.target.runs or self.file.calibration.runs

    def _study(self, beside: Beside, runs: int, **more: object) -> Study:
        head = self.file.calibration
        return Study.model_validate(
            {
                "name": head.name, "scenario": beside.scenario.id, "runs": runs, "seed": head.seed,
                "commanders": head.commanders, "options": beside.target.options, **more,
            }
        )  # fmt: skip

    def _judge(self, beside: Beside, members: int) -> Comparison:
        """A scenario's battles with the ensemble of so many sets that was found, beside history."""
        study = self._study(beside, beside.target.judging or members * BLOCK, uncertainty=str(self.out / FILE))
        folder = self.out / "judged" / beside.scenario.id.replace("/", "-")
        Experiment(study, folder, jobs=self.jobs).run(self.watch(), reopen=True)
        return beside.compare(Results(folder))

    def _ensemble(self, found: Fit) -> str:
        """The ensemble as a file."""
        head = self.file.calibration
        fitted = " and ".join(f"{self._runs(beside)} battles of {beside.scenario.id}" for beside in self.fitted)
        made = f"{len(found.members)} sets of {len(found.points)}, each fitted by {fitted}"
        lines = [
            "# Made by `simkit calibrate`; each set of unknown numbers fits history about as well as the others.",
            "[ensemble]", f"name = {_quoted(head.name)}",
            f'text = "{made}"',
            'source = "reconstructed"',
            'why = "nothing prints these numbers; they lie within two errors of the best fit, or are the best found"',
        ]  # fmt: skip
        for at in found.members:
            numbers = ", ".join(f"{name} = {value:g}" for name, value in self.space.numbers(found.points[at]).items())
            lines += ["", "[[member]]", f"numbers = {{ {numbers} }}", f"misfit = {found.misfits[at]:.4f}"]
        return "\n".join(lines) + "\n"


def verdict(compared: Comparison) -> str:
    """How many of history's figures lie in the bands of a scenario's battles, in words."""
    inside, known = int(compared.table["inside"].sum()), len(compared.units)
    all_in_all = f"{inside} of {len(compared.table)} figures lie in their 90 % bands"
    if not known:
        return f"no later set-up prints its units' strengths; {all_in_all}"
    return (
        f"{compared.covered():.0%} of {known} units' strengths lie in the 90 % band, whose median width is "
        f"{compared.width():.3g}; {all_in_all}"
    )


def _quoted(text: str) -> str:
    """A text as TOML has it: as JSON, which escapes all control characters but one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(place: Path, text: str) -> None:
    place.write_text(text, encoding="utf-8")


