"""The job: play a study's battles in worker processes into a results folder; start it, go on with it, extend it."""

import time
import uuid
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from joblib import Parallel, cpu_count, delayed

from simkit.batch import bench, worker
from simkit.batch.guard import described
from simkit.batch.manifest import NAME, Manifest, new_manifest, now, read_manifest
from simkit.batch.progress import Watcher
from simkit.batch.seeds import drawn_seed, key_words
from simkit.batch.spec import BattleSpec, CommanderSpec, battle_spec, commanders_of
from simkit.batch.store import Range, Store, alone, chunks, count, missing
from simkit.errors import InputError
from simkit.model.forces import SIDES
from simkit.scenario.builder import check_numbers
from simkit.scenario.ensemble import sets_of
from simkit.scenario.library import load
from simkit.scenario.reading import suggestion
from simkit.scenario.study import BASE, Study, Variant

MOST_JOBS = 256
LEAST_CHUNK, MOST_CHUNK = 10, 500
PARTS = 32
"""Into how many chunks a study is cut at least, as far as the limits of a chunk allow."""
CHUNK_SECONDS = 4.0
"""How long a chunk should take: that much work a kill loses in each process."""


def chunk_size(runs: int, seconds: float | None) -> int:
    """How many battles the next chunk holds.

    Args:
        runs: battles of a variant.
        seconds: what a battle takes in one process, as far as it is known.
    """
    if seconds is None:
        return LEAST_CHUNK
    most = min(MOST_CHUNK, max(LEAST_CHUNK, -(-runs // PARTS)))
    return min(most, max(1, round(CHUNK_SECONDS / seconds)))


class Experiment:
    """A study, the folder for its results, and how to play it.

    Args:
        study: the study; without a seed it takes that of the folder, or a new one.
        folder: the results folder.
        jobs: number of worker processes; all cores if None.
        commanders: commanders as Python objects (classes, or functions that make one), by side.
        chunk: battles a chunk, by the pace of play if None; results do not depend on it.

    Raises:
        InputError: jobs or chunk is out of range, a side is unknown, or the folder holds something else.
    """

    def __init__(
        self,
        study: Study,
        folder: Path,
        jobs: int | None = None,
        commanders: Mapping[str, CommanderSpec] | None = None,
        chunk: int | None = None,
    ) -> None:
        self.folder = folder
        self.jobs = _checked_number("jobs", cpu_count() if jobs is None else jobs, MOST_JOBS)
        self.objects = dict(commanders or {})
        for side in self.objects:
            if side not in SIDES:
                raise InputError(f'commanders: unknown side "{side}"{suggestion(side, SIDES)}')
        self.store = Store(folder)
        self.there = _manifest_there(folder)
        # Without one complete battle it may as well become another experiment.
        self.before = self.there if self.store.variants() else None
        self.seed = study.seed if study.seed is not None else self.before.seed if self.before else drawn_seed()
        self.study = study
        self.chunk = None if chunk is None else _checked_number("chunk", chunk, MOST_CHUNK)
        self.pace: float | None = None  # seconds a battle in one process
        self.token = uuid.uuid4().hex
        key = key_words(self.seed)
        self.members = sets_of(study.uncertainty, load(study.scenario).folder) if study.uncertainty else []
        self.ways = study.ways()
        self.commanders = [commanders_of(study, way, self.objects) for way in self.ways]
        self.specs = [
            battle_spec(study, way, commanders, key, Path.cwd(), self.members)
            for way, commanders in zip(self.ways, self.commanders, strict=True)
        ]

    def run(self, watcher: Watcher | None = None, reopen: bool = False) -> Manifest:
        """Play what is missing; every battle that is in the folder at the end is there whole.

        Args:
            watcher: is told how it goes.
            reopen: whether a folder that holds just these battles is taken as it is, rather than refused.

        Raises:
            InputError: the battle cannot be built as asked, the folder holds another study, the disk is full, or a
                worker process was killed.
            KeyboardInterrupt: the user stopped it; at most the chunks in work are lost.
        """
        manifest = self._manifest()
        with alone(self.folder):
            if _manifest_there(self.folder) != self.there:
                raise InputError(f"{self.folder}: another process has just played into it; give the command again")
            return self._run(manifest, watcher or Watcher(), reopen)

    def _run(self, manifest: Manifest, watcher: Watcher, reopen: bool) -> Manifest:
        if self.before is not None:
            _check_continues(self.folder, self.before, manifest)
            if self.before.finished and manifest.runs_asked == self.before.runs_asked:
                if reopen:
                    return self.before
                raise InputError(
                    f"{self.folder}: already holds these {manifest.runs_asked:,} runs; give more --runs to extend it, "
                    f"or build its report again with `simkit report {self.folder}`"
                )
            manifest = self.before.model_copy(
                update={"runs_asked": manifest.runs_asked, "finished": None, "engine": manifest.engine}
            )
        self.store.clean()
        manifest.write(self.folder)
        done = {spec.variant: count(self.store.done(spec.variant)) for spec in self.specs}
        started, before = time.monotonic(), manifest.duration
        saved = started
        try:
            with warnings.catch_warnings(), watcher, closing(self._played()) as played:
                # joblib remarks on the chunks that a stopped run leaves unplayed.
                warnings.filterwarnings("ignore", message=".*tasks which", category=UserWarning)
                watcher.start(manifest.runs_asked * len(self.specs), sum(done.values()))
                for chunk in played:
                    battles = count([chunk.runs])
                    done[chunk.variant] += battles
                    self.pace = chunk.seconds / battles
                    watcher.advance(battles)
                    if time.monotonic() - saved > 1.0:
                        saved = time.monotonic()
                        self._save(manifest, done, before + saved - started)
        finally:
            self.store.clean()
            done = {spec.variant: count(self.store.done(spec.variant)) for spec in self.specs}
            if not self.store.variants():
                (self.folder / NAME).unlink(missing_ok=True)
                self.store.vanish()
            else:
                if min(done.values()) == manifest.runs_asked:
                    manifest.finished = now()
                self._save(manifest, done, before + time.monotonic() - started)
        if manifest.finished is None:
            there, asked = sum(done.values()), manifest.runs_asked * len(self.specs)
            raise InputError(
                f"{self.folder}: only {there:,} of {asked:,} battles are in it, though all were played: something has "
                "moved or deleted what was written; give the same command again to go on"
            )
        return manifest

    def _save(self, manifest: Manifest, done: dict[str, int], duration: float) -> None:
        manifest.runs_done = min(done.values())
        manifest.duration = round(duration, 3)
        manifest.write(self.folder)

    def _played(self) -> Generator[worker.ChunkDone]:
        # Variants take turns, a few at a time: an interrupted comparison has about as many battles of each of these.
        folder = str(self.folder.resolve())
        # A process more than there are chunks would only take memory.
        left = sum(count(missing(self.store.done(spec.variant), self.study.runs)) for spec in self.specs)
        jobs = min(self.jobs, max(1, -(-left // self._next_size())))
        parallel = Parallel(
            n_jobs=jobs, backend="loky", return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs"
        )
        play = delayed(worker.play_chunk)
        outcomes = parallel(play(folder, self.token, spec, runs) for spec, runs in self._pending())
        try:
            yield from outcomes
        except BrokenExecutor:
            raise InputError(
                f"{self.folder}: a worker process was killed (out of memory, or by hand); the battles that were "
                "complete are kept: give the same command again to go on, with fewer --jobs if memory is short"
            ) from None
        finally:
            outcomes.close()

    def _pending(self) -> Iterator[tuple[BattleSpec, Range]]:
        for at in range(0, len(self.specs), worker.MOST_KEPT):  # more would have to be built anew at every turn
            yield from self._in_turns(self.specs[at : at + worker.MOST_KEPT])

    def _in_turns(self, specs: Sequence[BattleSpec]) -> Iterator[tuple[BattleSpec, Range]]:
        queues = [
            (spec, chunks(missing(self.store.done(spec.variant), self.study.runs), self._next_size)) for spec in specs
        ]
        while queues:
            left = []
            for spec, queue in queues:
                runs = next(queue, None)
                if runs is not None:
                    left.append((spec, queue))
                    yield spec, runs
            queues = left

    def _next_size(self) -> int:
        return self.chunk or chunk_size(self.study.runs, self.pace)

    def _manifest(self) -> Manifest:
        """The manifest of what is to be played, once every variant has been found sound."""
        title = self._sound()
        variants = [
            Variant(
                name=way.name,
                options=way.options,
                commanders={side: described(who) for side, who in zip(SIDES, commanders, strict=True)},
                changes=way.changes,
                numbers=way.numbers,
            )
            for way, commanders in zip(self.ways, self.commanders, strict=True)
        ]
        return new_manifest(
            self.study, self.seed, title, variants[0].commanders, variants, self.members, bench.signature()
        )

    def _sound(self) -> str:
        """The scenario's title, once every variant's battle has been built.

        Of variants that differ in unknown numbers alone one is built, for a calibration has a hundred of them: of the
        others one looks whether the charts can be moved so.
        """
        scenario = load(self.specs[0].scenario)
        built: list[BattleSpec] = []
        for spec in self.specs:
            alike = replace(spec, variant=BASE, numbers={})
            if alike in built:
                check_numbers(scenario, spec.for_member(spec.member_of(0)).numbers)
            else:
                built.append(alike)
                worker.battlefield(self.token, spec, spec.member_of(0))
        return scenario.scenario.name


def _check_continues(folder: Path, there: Manifest, here: Manifest) -> None:
    if difference := there.difference(here):
        raise InputError(f"{folder}: holds the results of something else ({difference}); choose another --out")
    if here.runs_asked < there.runs_asked:
        raise InputError(
            f"{folder}: was begun with {there.runs_asked:,} runs, fewer ({here.runs_asked:,}) cannot be asked of it; "
            "choose another --out"
        )


def _manifest_there(folder: Path) -> Manifest | None:
    """The manifest that the folder holds already; None if the folder is empty or does not exist."""
    try:
        str(folder).encode()
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: is a file; --out needs a folder")
        if not folder.exists() or not any(folder.iterdir()):
            return None
    except UnicodeEncodeError:
        raise InputError(f"{str(folder)!r}: the name is no Unicode text; choose another --out") from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be opened: {error.strerror}") from None
    if not (folder / NAME).exists():
        raise InputError(
            f"{folder}: is not empty and holds no results of simkit (it has no {NAME}); choose another --out"
        )
    return read_manifest(folder)


def _checked_number(name: str, value: int, most: int) -> int:
    if not isinstance(value, int) or not 1 <= value <= most:
        raise InputError(f"{name}: must lie between 1 and {most}, not {value}")
    return value
