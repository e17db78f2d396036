"""What a worker process is told: which battle to build, and nothing that it could not build itself."""

import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import cloudpickle

from simkit.model.forces import SIDES
from simkit.scenario.ensemble import member_of
from simkit.scenario.study import Change, Option, Study, Variant

DEFAULT_COMMANDER = "steady"

CommanderSpec = str | Callable[..., Any]
"""A doctrine, a script file, "module:Class", or in Python a Commander class or a function that makes one."""


@dataclass(frozen=True)
class BattleSpec:
    """One variant of a study as a worker builds it.

    Attributes:
        variant: the variant's name.
        scenario: a scenario's id or the path of its file.
        options: the scenario's options by name.
        commanders: who decides for the Union and for the Confederates.
        changes: changes of strengths, applied in this order.
        numbers: by how much unknown numbers of the book are moved.
        members: the sets of the ensemble from which each run draws, each laid over `numbers`; none: it draws none.
        key: the two 32-bit key words of the dice.
        combats: whether every fire and shock is recorded.
        home: the folder in which relative paths and the user's own modules are looked up.
    """

    variant: str
    scenario: str
    options: dict[str, Option]
    commanders: tuple[CommanderSpec, CommanderSpec]
    changes: tuple[Change, ...]
    numbers: dict[str, float]
    members: tuple[dict[str, float], ...]
    key: tuple[int, int]
    combats: bool
    home: str

    def member_of(self, run: int) -> int:
        """Which set of the ensemble a run uses; -1 if there is none."""
        return member_of(run, len(self.members)) if self.members else -1

    def for_member(self, member: int) -> "BattleSpec":
        """The spec with the numbers of one set; itself if it draws none (-1)."""
        return self if member < 0 else replace(self, numbers={**self.numbers, **self.members[member]}, members=())

    def __reduce__(self) -> tuple[Callable[..., "BattleSpec"], tuple[dict[str, Any]]]:
        """Travel with the user's classes whole: a worker may not be able to import the module they stand in."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _received, ({**values, "commanders": tuple(_packed(commander) for commander in self.commanders)},)


def _received(values: dict[str, Any]) -> BattleSpec:
    packed = values["commanders"]
    unpacked = tuple(pickle.loads(who) if isinstance(who, bytes) else who for who in packed)
    return BattleSpec(**{**values, "commanders": unpacked})


def _packed(commander: CommanderSpec) -> str | bytes:
    if isinstance(commander, str):
        return commander
    module = sys.modules.get(getattr(commander, "__module__", None) or type(commander).__module__)
    if module is None or module.__name__ == "__main__" or module.__name__.startswith("simkit."):
        return bytes(cloudpickle.dumps(commander))
    cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(commander))
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def commanders_of(study: Study, way: Variant, objects: Mapping[str, CommanderSpec]) -> list[CommanderSpec]:
    """Who decides in one way to fight a study's battle, Union first.

    Args:
        study: the study.
        way: one of `study.ways()`.
        objects: commanders given as Python objects, by side; a variant's own commander goes before them.
    """
    own = {variant.name: variant.commanders for variant in study.variants}.get(way.name, {})
    named: dict[str, CommanderSpec] = {**way.commanders, **objects, **own}
    return [named.get(side, DEFAULT_COMMANDER) for side in SIDES]


def battle_spec(
    study: Study, way: Variant, commanders: Sequence[CommanderSpec], key: tuple[int, int], home: Path,
    members: Sequence[dict[str, float]] = (),
) -> BattleSpec:  # fmt: skip
    """The spec of one way to fight a study's battle.

    Args:
        study: the study.
        way: one of `study.ways()`.
        commanders: who decides, Union first.
        key: the key words of the dice.
        home: the folder in which relative paths and the user's own modules are looked up.
        members: the sets of unknown numbers from which each run draws.
    """
    union, confederate = (_found(commander, home) for commander in commanders)
    return BattleSpec(
        variant=way.name,
        scenario=str(_found(study.scenario, home)),
        options=dict(way.options),
        commanders=(union, confederate),
        changes=way.changes,
        numbers=dict(way.numbers),
        members=tuple(members),
        key=key,
        combats=study.combats,
        home=str(home),
    )


def _found(spec: CommanderSpec, home: Path) -> CommanderSpec:
    """The spec, a path in it taken from `home`: a worker process may live in another folder."""
    return str(home / spec) if isinstance(spec, str) and spec.endswith(".toml") else spec
