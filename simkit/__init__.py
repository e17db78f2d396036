"""A laboratory for battles of the Great Battles of the American Civil War game system.

import simkit

results = simkit.run("dead_of_winter/skirmish", runs=1000, seed=1862)
results.runs.winner.value_counts()
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simkit import odds
    from simkit.analysis.results import Results, results
    from simkit.api import run
    from simkit.errors import InputError
    from simkit.report import write_report
    from simkit.report.replay import retell as replay
    from simkit.rules.commander import Commander
    from simkit.scenario import build, load
    from simkit.scenario import names as scenarios
    from simkit.scenario.study import Study, read_study

__version__ = "0.1.0"

_HOMES = {
    "Commander": ("simkit.rules.commander", "Commander"),
    "InputError": ("simkit.errors", "InputError"),
    "Results": ("simkit.analysis.results", "Results"),
    "Study": ("simkit.scenario.study", "Study"),
    "build": ("simkit.scenario", "build"),
    "load": ("simkit.scenario", "load"),
    "odds": ("simkit.odds", ""),
    "read_study": ("simkit.scenario.study", "read_study"),
    "replay": ("simkit.report.replay", "retell"),
    "results": ("simkit.analysis.results", "results"),
    "run": ("simkit.api", "run"),
    "scenarios": ("simkit.scenario", "names"),
    "write_report": ("simkit.report", "write_report"),
}

__all__ = [
    "Commander",
    "InputError",
    "Results",
    "Study",
    "__version__",
    "build",
    "load",
    "odds",
    "read_study",
    "replay",
    "results",
    "run",
    "scenarios",
    "write_report",
]


def __getattr__(name: str) -> object:
    # Imported when first asked for, so that `simkit --help` does not wait for pandas (PEP 562).
    if name not in _HOMES:
        raise AttributeError(f"module 'simkit' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    home = import_module(module)
    value = getattr(home, attribute) if attribute else home
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
