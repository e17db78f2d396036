"""A study or a scenario played from Python or from the command line."""

import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from simkit.batch.experiment import Experiment
from simkit.batch.progress import Bar
from simkit.batch.spec import CommanderSpec
from simkit.scenario.reading import read_toml
from simkit.scenario.study import Option, Study, read_study, study_of_scenario

if TYPE_CHECKING:
    from simkit.analysis.history import Comparison
    from simkit.analysis.results import Results


def study_from(source: Study | str | Path) -> Study:
    """The study that `source` is or names: a study, a study file, a scenario file, or a scenario's id.

    Raises:
        InputError: the file is wrong.
    """
    if isinstance(source, Study):
        return source
    if not str(source).endswith(".toml"):
        return study_of_scenario(str(source))
    tables, _ = read_toml(Path(source))
    return study_of_scenario(str(source)) if "scenario" in tables else read_study(source)


def experiment(
    source: Study | str | Path,
    out: Path,
    *,
    runs: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    commanders: Mapping[str, CommanderSpec] | None = None,
    options: Mapping[str, Option] | None = None,
    combats: bool | None = None,
    uncertainty: str | None = None,
    chunk: int | None = None,
) -> Experiment:
    """The experiment that a study or scenario makes with these changes; None leaves what the study says.

    Raises:
        InputError: a value is wrong, or the folder holds something else.
    """
    study = study_from(source)
    named = {side: who for side, who in (commanders or {}).items() if isinstance(who, str)}
    objects = {side: who for side, who in (commanders or {}).items() if not isinstance(who, str)}
    study = study.with_changes(
        runs=runs,
        seed=seed,
        combats=combats,
        uncertainty=uncertainty,
        commanders={**study.commanders, **named},
        options={**study.options, **(options or {})},
    )
    return Experiment(study, out, jobs=jobs, commanders=objects, chunk=chunk)


def run(
    study: Study | str | Path,
    *,
    runs: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
    commanders: Mapping[str, CommanderSpec] | None = None,
    options: Mapping[str, Option] | None = None,
    combats: bool | None = None,
    uncertainty: str | None = None,
    progress: bool = False,
) -> "Results":
    """Play a study or a scenario and open its results.

    Args:
        study: a `Study`, the path of a study or scenario file, or a scenario's id.
        runs: how many battles of each variant.
        seed: from 0; without one the study's, else a new one.
        jobs: number of worker processes; all cores if None. With 1 the battles are played in this process.
        out: the results folder; one that is finished with just these battles is opened again. Without it the results
            lie in a temporary folder as long as they are in use.
        commanders: who decides, by side: a doctrine, a script file, "module:Class", a Commander class, or a function
            without arguments that makes a commander.
        options: options of the scenario by name.
        combats: whether every fire and shock is recorded.
        uncertainty: "book" to draw each run's unknown numbers from the book's ensemble, or an ensemble file.
        progress: whether to show a progress bar.

    Raises:
        InputError: something in it is wrong; the message says what and where.
    """
    from simkit.analysis.results import Results

    passing = tempfile.TemporaryDirectory(prefix="simkit-") if out is None else None
    folder = Path(passing.name if passing else str(out))
    job = experiment(
        study, folder, runs=runs, seed=seed, jobs=jobs, commanders=commanders, options=options, combats=combats,
        uncertainty=uncertainty,
    )  # fmt: skip
    job.run(Bar() if progress else None, reopen=True)
    results = Results(folder)
    if passing:
        weakref.finalize(results, passing.cleanup)
    return results


def beside_history(scenario: str | Path, results: "Results | str | Path", *, variant: str = "base") -> "Comparison":
    """Lay the battles of a results folder beside what really happened.

    Args:
        scenario: a scenario's id, or the path of its file.
        results: battles of it, or their folder.
        variant: which of the folder's variants.

    Raises:
        InputError: no history is recorded of the scenario, or the folder holds other battles.
    """
    from simkit.analysis.history import beside_history as laid_beside
    from simkit.analysis.history import standing
    from simkit.analysis.results import Results
    from simkit.scenario import build, load
    from simkit.scenario.historyfile import history_of

    known = load(scenario)
    recorded = history_of(known)
    later = recorded.history.later
    stood = standing(build(load(later)).battle) if later else None
    found = results if isinstance(results, Results) else Results(results)
    return laid_beside(found, known, recorded, stood, variant)
