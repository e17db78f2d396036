"""Fires and shocks: how many, on which occasion, with which results and at what cost."""

from collections import defaultdict
from collections.abc import Iterator

from simkit.analysis.intervals import Moments, mean
from simkit.analysis.outcomes import Row
from simkit.analysis.results import Results
from simkit.model.forces import SIDES

KINDS = ("fire", "shock")

Key = tuple[str, str, str]
"""Kind of combat, side, and the occasion or result."""


def combat_rows(results: Results, variant: str) -> Iterator[Row]:
    """Fires and shocks a battle, and, where combats were recorded, their occasions, results and costs."""
    runs = results.runs_of(variant)
    for side in SIDES:
        yield "fires_mean", side, mean(runs[f"fires_{side}"])
        yield "shocks_mean", side, mean(runs[f"shocks_{side}"])
    if results.has_combats:
        yield from _recorded_rows(results, variant, len(runs))


def _recorded_rows(results: Results, variant: str, battles: int) -> Iterator[Row]:
    """One row for every (kind, side, occasion), (kind, side, result) and (kind, side) seen."""
    modes: dict[Key, Moments] = defaultdict(Moments)
    outcomes: dict[Key, Moments] = defaultdict(Moments)
    costs: dict[Key, Moments] = defaultdict(Moments)
    for table_part in results.combat_parts(variant, ["run", "kind", "mode", "side", "result", "losses"]):
        part = table_part.astype({"kind": str, "mode": str, "side": str, "result": str})
        part["losses"] = part["losses"].fillna(0)
        for (kind, side), among in part.groupby(["kind", "side"]):
            m = among.groupby("run").size()
            costs[kind, side, ""].add(among.groupby("run")["losses"].sum(), m)
            for table, column in ((modes, "mode"), (outcomes, "result")):
                counts = among.groupby([column, "run"]).size().unstack("run", fill_value=0)
                for value, y in counts.iterrows():
                    table[kind, side, str(value)].add(y, m.loc[counts.columns])
    _complete(outcomes, costs)
    for kind in KINDS:
        for side in SIDES:
            for key in sorted(key for key in modes if key[:2] == (kind, side)):
                yield f"{kind}_mode_mean", f"{side}: {key[2]}", modes[key].mean(battles)
            for key in sorted(key for key in outcomes if key[:2] == (kind, side)):
                yield f"{kind}_result_share", f"{side}: {key[2] or 'no effect'}", outcomes[key].share()
            if (kind, side, "") in costs:
                yield f"loss_per_{kind}", side, costs[kind, side, ""].ratio()


def _complete(counted: dict[Key, Moments], costs: dict[Key, Moments]) -> None:
    """Gives each count the combats of all battles, also of part files in which its value never came up."""
    for (kind, side, _), moments in counted.items():
        total = costs[kind, side, ""]
        moments.battles, moments.m, moments.mm = total.battles, total.m, total.mm
