"""The study file: one question, the battles that answer it, and the variants to compare."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, field_validator, model_validator

from simkit.errors import InputError
from simkit.model.forces import SIDES
from simkit.scenario.reading import Table, checked, explain, read_toml, suggestion

BASE = "base"
MOST_RUNS = 10_000_000
MOST_STRENGTH = 99

Option = bool | int | str


class _Decisions(Table):
    """Who decides, by side, the options of the rules by name, and by how much unknown numbers of the book are moved."""

    commanders: dict[str, str] = {}
    options: dict[str, Option] = {}
    numbers: dict[str, float] = {}

    @field_validator("commanders")
    @classmethod
    def _known_sides(cls, commanders: dict[str, str]) -> dict[str, str]:
        for side in commanders:
            if side not in SIDES:
                raise ValueError(f'unknown side "{side}"{suggestion(side, SIDES)}')
        return commanders


class Change(Table):
    """A change of the data: the strength of one unit, or of every unit of a brigade or side.

    `strength` is relative as a number (-1: one point weaker, never below 1) and absolute as text ("=5").
    """

    brigade: str | None = None
    unit: str | None = None
    side: str | None = None
    strength: int | str

    @field_validator("strength")
    @classmethod
    def _readable(cls, strength: int | str) -> int | str:
        if isinstance(strength, str):
            if not re.fullmatch(r"=\d+", strength) or not 1 <= int(strength[1:]) <= MOST_STRENGTH:
                raise ValueError(
                    f'"{strength}" is no strength; write -1 or 2 to add, or "=5" to set (1 to {MOST_STRENGTH})'
                )
        elif abs(strength) > MOST_STRENGTH:
            raise ValueError(f"{strength} is out of range; a change lies between -{MOST_STRENGTH} and {MOST_STRENGTH}")
        return strength

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        if [self.brigade, self.unit, self.side].count(None) != 2:
            raise ValueError("a change names exactly one of brigade, unit or side")
        if self.side is not None and self.side not in SIDES:
            raise ValueError(f'unknown side "{self.side}"{suggestion(self.side, SIDES)}')
        return self

    def apply(self, strength: int) -> int:
        """The strength that this change makes of `strength` (points; at least 1)."""
        if isinstance(self.strength, str):
            return int(self.strength[1:])
        return max(1, strength + self.strength)


class Variant(_Decisions):
    """One way to fight the battle: what differs from the study's own options, commanders and data."""

    name: str = Field(max_length=60)
    changes: tuple[Change, ...] = Field(default=(), validation_alias="change", serialization_alias="change")

    @field_validator("changes", mode="before")
    @classmethod
    def _as_tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("name")
    @classmethod
    def _plain_name(cls, name: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
            raise ValueError(f'"{name}" cannot name a variant; use letters, digits, - and _')
        return name


class _Head(Table):
    """The [study] table of a study file.

    `uncertainty` is "book" where each run draws its unknown numbers from the book's ensemble, or an ensemble file.
    """

    name: str = Field(min_length=1, max_length=200)
    question: str = ""
    scenario: str = Field(min_length=1)
    runs: int = Field(default=1000, ge=1, le=MOST_RUNS)
    seed: int | None = Field(default=None, ge=0, le=2**63 - 1)
    combats: bool = False
    uncertainty: str = ""


class _Ways(_Decisions):
    """The ways to fight the study's battle."""

    variants: tuple[Variant, ...] = Field(default=(), validation_alias="variant", serialization_alias="variant")

    @field_validator("variants", mode="before")
    @classmethod
    def _as_tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("variants")
    @classmethod
    def _distinct(cls, variants: tuple[Variant, ...]) -> tuple[Variant, ...]:
        seen = set()
        for variant in variants:
            if variant.name.lower() == BASE:
                raise ValueError(f'"{BASE}" is the study without changes, and always runs; choose another name')
            if variant.name.lower() in seen:
                raise ValueError(f'two variants are named "{variant.name}"; names must differ')
            seen.add(variant.name.lower())
        return variants


class _StudyFile(_Ways):
    """A study file as it is written."""

    study: _Head


class Study(_Head, _Ways):
    """A question and the battles that answer it: scenario, commanders, options, variants, number of runs, seed."""

    def with_changes(self, **changes: object) -> "Study":
        """This study with some fields replaced and checked again; a value of None leaves the field as it is.

        Raises:
            InputError: a new value is out of range.
        """
        fields: dict[str, object] = {name: getattr(self, name) for name in type(self).model_fields}
        fields.update({name: value for name, value in changes.items() if value is not None})
        try:
            return Study.model_validate(fields)
        except ValidationError as error:
            raise InputError(explain(error, Study, Path("study"), "")) from None

    def ways(self) -> tuple[Variant, ...]:
        """Every variant whole, the unchanged study ("base") first, each merged with what the study says."""
        bare = (Variant(name=BASE), *self.variants)
        return tuple(
            Variant(
                name=way.name,
                options={**self.options, **way.options},
                numbers={**self.numbers, **way.numbers},
                commanders={**self.commanders, **way.commanders},
                changes=way.changes,
            )
            for way in bare
        )


def study_of_scenario(scenario: str) -> Study:
    """The study that asks nothing but how `scenario` (an id or the path of a scenario file) goes.

    Raises:
        InputError: it is empty, too long or no text.
    """
    stem = Path(scenario).stem if scenario.endswith(".toml") else scenario
    try:
        return Study(name=stem, scenario=scenario)
    except ValidationError:
        raise InputError(f"{scenario!r}: can name no scenario; `simkit scenarios` lists those there are") from None


def read_study(path: str | Path) -> Study:
    """Read and check a study file; paths in it are taken from the file's own folder.

    Raises:
        InputError: the file cannot be read, is no TOML, or has a wrong key or value (with its line).
    """
    path = Path(path)
    data, text = read_toml(path)
    file = checked(_StudyFile, data, path, text)
    return _with_own_paths(
        Study(
            **{name: getattr(file.study, name) for name in _Head.model_fields},
            commanders=file.commanders,
            options=file.options,
            numbers=file.numbers,
            variants=file.variants,
        ),
        path.parent,
    )


def own_path(spec: str, folder: Path) -> str:
    """What a file in a folder means by a name: a path of a .toml file is taken from that folder, all else stays."""
    return str(folder / spec) if spec.endswith(".toml") else spec


def _with_own_paths(study: Study, folder: Path) -> Study:
    """Paths of scenario and commander files made relative to the study file's folder."""

    def all_found(specs: Mapping[str, str]) -> dict[str, str]:
        return {side: own_path(spec, folder) for side, spec in specs.items()}

    return study.with_changes(
        scenario=own_path(study.scenario, folder),
        uncertainty=own_path(study.uncertainty, folder),
        commanders=all_found(study.commanders),
        variants=tuple(
            variant.model_copy(update={"commanders": all_found(variant.commanders)}) for variant in study.variants
        ),
    )
