"""A fixed set of battles: their results as one signature, which changes when the engine's behaviour does."""

import hashlib
import json
import time
from functools import cache
from typing import NamedTuple

from simkit.batch.engine import Battlefield
from simkit.batch.seeds import key_words
from simkit.batch.spec import BattleSpec
from simkit.model.log import COMBATS
from simkit.scenario import build, load

SCENARIO = "dead_of_winter/skirmish"
PAIRS = (("steady", "steady"), ("aggressive", "cautious"), ("cautious", "aggressive"), ("random", "steady"))
SEED = 1862
RUNS = 3
"""Battles of each pair of commanders."""

SIGNATURE_LENGTH = 16
SIGNED = ("combats", "runs", "units")
"""The tables whose rows are behaviour; those of commands only count what units say already."""


class Bench(NamedTuple):
    """What a bench found: the signature, and the speed of one process (processor time in seconds, without building)."""

    signature: str
    battles: int
    seconds: float

    @property
    def rate(self) -> float:
        """Battles a second."""
        return self.battles / self.seconds


@cache
def signature() -> str:
    """The signature of the engine's behaviour: a hash of all results of the fixed battles."""
    return _signature(_fields())


def bench(seconds: float = 3.0) -> Bench:
    """Play the fixed battles for the signature, then again for about this long for the speed."""
    fields = _fields()
    found = _signature(fields)
    # Processor time: other programs on the machine do not count.
    battles, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        for field in fields:
            rows = field.rows()
            field.play(battles)
            rows.add(battles, field.game.outcome)
            battles += 1
    return Bench(found, battles, time.process_time() - started)


def _fields() -> list[Battlefield]:
    built = build(load(SCENARIO))
    key = key_words(SEED)
    specs = [BattleSpec("base", SCENARIO, {}, pair, (), {}, (), key, combats=True, home=".") for pair in PAIRS]
    return [Battlefield(spec, built, COMBATS) for spec in specs]


def _signature(fields: list[Battlefield]) -> str:
    digest = hashlib.sha256()
    for field in fields:
        rows = field.rows()
        for run in range(RUNS):
            field.play(run)
            rows.add(run, field.game.outcome)
        for name, table in sorted(rows.tables().items()):
            if name not in SIGNED:
                continue
            rows_told = [{key: value for key, value in row.items() if key != "member"} for row in table.to_pylist()]
            digest.update(json.dumps([name, rows_told], sort_keys=True).encode())
    return digest.hexdigest()[:SIGNATURE_LENGTH]
