"""The manifest of a results folder: which code, data, seed and options made it, and how far it is."""

import hashlib
import json
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from simkit import engine
from simkit.batch.seeds import key_words
from simkit.batch.store import write_whole
from simkit.errors import InputError
from simkit.scenario.reading import complaint_of
from simkit.scenario.study import Option, Study, Variant

FORMAT = 1
"""The version of the folder's layout."""

NAME = "manifest.json"

MOST_SHOWN = 40
"""Letters of a value that a message shows."""

PACKAGES = ("numpy", "pandas", "pyarrow", "scipy", "joblib", "pydantic", "mypy_extensions")
"""Packages whose versions the manifest records."""


class Engine(BaseModel):
    """The engine that played: its version, the signature of its behaviour, and whether it is compiled."""

    version: str
    signature: str
    compiled: bool


class Hashes(BaseModel):
    """The sha256 of the engine's code with the books' data, of the data alone, and of each of the user's own files."""

    code: str
    data: str
    files: dict[str, str]


class Manifest(BaseModel):
    """What made the results in a folder.

    `variants` holds every variant whole, the unchanged study ("base") first; `runs_asked` and `runs_done` count the
    runs of each variant; `entropy` is what `numpy.random.SeedSequence` was given and `key` the two 32-bit words that
    it made of it; `duration` is in seconds, over all sessions.
    """

    model_config = ConfigDict(extra="allow")

    format: int = FORMAT
    name: str
    question: str
    title: str
    scenario: str
    options: dict[str, Option]
    commanders: dict[str, str]
    variants: list[Variant]
    combats: bool
    members: list[dict[str, float]] = []
    seed: int
    entropy: int
    key: tuple[int, int]
    runs_asked: int
    runs_done: int = 0
    engine: Engine
    hashes: Hashes
    python: str
    packages: dict[str, str]
    started: str
    finished: str | None = None
    duration: float = 0.0

    def write(self, folder: Path) -> None:
        """Write the manifest to the folder, whole or not at all.

        Raises:
            InputError: the disk is full, or the folder cannot be written.
        """
        text = json.dumps(self.model_dump(by_alias=True), indent=2, ensure_ascii=False) + "\n"
        write_whole(folder / NAME, partial(_write_text, text))

    def study(self) -> Study:
        """The study that made the folder.

        Raises:
            InputError: the manifest says what no study can say.
        """
        try:
            return self._study()
        except ValidationError as error:
            raise InputError(f"{NAME}: {complaint_of(error, Study)[1]}; the manifest is damaged") from None

    def _study(self) -> Study:
        return Study(
            name=self.name,
            question=self.question,
            scenario=self.scenario,
            runs=self.runs_asked,
            seed=self.seed,
            combats=self.combats,
            commanders=self.commanders,
            options=self.options,
            numbers=self.variants[0].numbers,
            variants=tuple(self.variants[1:]),
        )

    def difference(self, other: "Manifest") -> str:
        """Why this manifest's folder cannot take the battles of `other`; empty if it can."""
        mine, its = self._identity(), other._identity()
        for what, value in mine.items():
            if value != its[what]:
                there, here = _apart(value, its[what])
                return f"{what} {_shown(there)} there, {_shown(here)} here"
        return ""

    def _identity(self) -> dict[str, Any]:
        return {
            "simkit version": self.engine.version,
            "scenario": self.scenario,
            "options": self.options,
            "commanders": self.commanders,
            "variants": [variant.model_dump(by_alias=True) for variant in self.variants],
            "seed": self.seed,
            "combats": self.combats,
            "sets of unknown numbers": self.members,
            "files": self.hashes.files,
            "engine code": self.hashes.code,
            "data": self.hashes.data,
        }


def new_manifest(
    study: Study, seed: int, title: str, commanders: dict[str, str], variants: list[Variant],
    members: list[dict[str, float]], signature: str,
) -> Manifest:  # fmt: skip
    """The manifest of a study before its first battle.

    Args:
        study: the study.
        seed: the seed of its dice.
        title: the scenario's title.
        commanders: who decides for each side, in words that rebuild them.
        variants: every variant whole, base first, its commanders in words.
        members: the sets of unknown numbers from which each run draws.
        signature: the signature of the engine's behaviour.
    """
    return Manifest(
        name=study.name,
        question=study.question,
        title=title,
        scenario=study.scenario,
        options=study.options,
        commanders=commanders,
        variants=variants,
        combats=study.combats,
        members=members,
        seed=seed,
        entropy=seed,
        key=key_words(seed),
        runs_asked=study.runs,
        engine=Engine(version=version(), signature=signature, compiled=engine.compiled()),
        hashes=Hashes(code=engine.code_hash(), data=_data_hash(), files=_file_hashes(study, variants)),
        python=platform.python_version(),
        packages={name: metadata.version(name) for name in PACKAGES},
        started=now(),
    )


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a results folder.

    Raises:
        InputError: the folder has none, or one that this version cannot read.
    """
    path = folder / NAME
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the folder that `simkit run --out` wrote")
    if not path.is_file():
        raise InputError(f"{folder}: no {NAME} in it, so it is no results folder of simkit")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{path}: cannot be read as JSON: {error}") from None
    layout = data.get("format") if isinstance(data, dict) else None
    if layout is None:
        raise InputError(f"{path}: no manifest of simkit (it has no format)")
    if layout != FORMAT:
        raise InputError(
            f"{path}: the folder has layout {layout}, this version of simkit writes layout {FORMAT}; "
            "choose another --out, or use the version that wrote it"
        )
    try:
        return Manifest.model_validate(data, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{path}: {where}: {first['msg'][:1].lower()}{first['msg'][1:]}; the manifest is damaged"
        ) from None


def version() -> str:
    """The version of simkit that is running."""
    from simkit import __version__

    return __version__


def now() -> str:
    """The present time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _apart(one: Any, other: Any) -> tuple[Any, Any]:
    """Two values that differ, without what is the same in both."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
        pairs = {key: _apart(one.get(key), other.get(key)) for key in keys}
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs_of = [_apart(a, b) for a, b in zip(one, other, strict=True) if a != b]
        return [pair[0] for pair in pairs_of], [pair[1] for pair in pairs_of]
    return one, other


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def _data_hash() -> str:
    files = [file for file in (engine.ROOT / "books").rglob("*") if file.suffix in engine.DATA]
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda file: file.relative_to(engine.ROOT).as_posix()):
        digest.update(
            file.relative_to(engine.ROOT).as_posix().encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n")
        )
    return digest.hexdigest()


def _file_hashes(study: Study, variants: Iterable[Variant]) -> dict[str, str]:
    """Hashes of the files of the user's own that the battles depend on: scenario, scripts, doctrines."""
    named = {study.scenario, *(spec for variant in variants for spec in variant.commanders.values())}
    own = sorted(name for name in named if name.endswith(".toml") and Path(name).is_file())
    return {name: hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in own}


def _write_text(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
