"""A scenario's simulated ends laid beside history: where each historical figure lies among the battles played."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from simkit.analysis.results import Results
from simkit.analysis.tally import UnitTally, tally
from simkit.errors import InputError
from simkit.model.forces import ELIMINATED, ON_MAP, PLACES, ROUTED, SIDES
from simkit.scenario.historyfile import MEN_A_POINT, Ground, History, Losses
from simkit.scenario.roster import read_roster
from simkit.scenario.scenariofile import Scenario

BAND = (0.05, 0.95)
"""Ends of the band that holds nine battles in ten."""

COLUMNS = (
    "figure", "side", "of", "historical", "mean", "error", "low", "median", "high", "percentile", "inside", "source",
    "why",
)  # fmt: skip


class Standing(NamedTuple):
    """How units stood at an hour: strength, and whether routed or eliminated, by unit id; from a scenario's set-up."""

    strength: dict[str, int]
    routed: set[str]
    eliminated: set[str]


@dataclass
class Comparison:
    """A scenario's battles beside history.

    Attributes:
        table: one row a figure, with COLUMNS: what happened, the battles' mean with its standard error, their median
            and 90 % band, the percentile of the historical figure (share of battles below it, and half of those equal
            to it), whether it lies in the band, and where it comes from.
        battles: how many battles were compared with.
        text: what happened, in words.
    """

    table: pd.DataFrame
    battles: int
    text: str

    @property
    def units(self) -> pd.DataFrame:
        """The rows of single units' strengths."""
        return self.table[self.table["figure"] == "strength at the end"]

    def covered(self) -> float:
        """The share of units whose historical strength lies in the 90 % band; nan if none is known."""
        return float(self.units["inside"].mean()) if len(self.units) else float("nan")

    def width(self) -> float:
        """The median width of the units' 90 % bands (strength points); nan if none is known."""
        return float((self.units["high"] - self.units["low"]).median()) if len(self.units) else float("nan")


def standing(battle: Any) -> Standing:
    """How the units of a battle stand as it has been set up; those yet to enter are left out."""
    there = [unit for unit in battle.units if unit.arrival is None]
    return Standing(
        {unit.id: 0 if unit.place == ELIMINATED else int(unit.strength) for unit in there},
        {unit.id for unit in there if unit.place == ROUTED},
        {unit.id for unit in there if unit.place == ELIMINATED},
    )


def beside_history(
    results: Results, scenario: Scenario, history: History, later: Standing | None, variant: str = "base"
) -> Comparison:
    """Lay the battles of a results folder beside what happened.

    Args:
        results: battles of the scenario.
        scenario: the scenario.
        history: what happened.
        later: how the units stood at its end, by the set-up of the scenario that history names.
        variant: which of the folder's variants.

    Raises:
        InputError: the folder holds another scenario's battles, or no such variant, or a command of the history file is
            unknown.
    """
    if results.manifest["scenario"] != scenario.id:
        raise InputError(f"{results.folder}: holds battles of {results.manifest['scenario']}, not of {scenario.id}")
    ends = _ends(results, variant)
    rows: list[tuple[object, ...]] = []
    if later is not None:
        rows += _states(ends, scenario, history, later)
    for lost in history.losses:
        rows += _losses(ends, lost)
    for spent in history.ineffective:
        rows += _divisions(results, variant, spent.side, spent.divisions, spent.source, spent.rule or spent.why)
    for held in history.ground:
        rows += _ground(results, variant, held)
    return Comparison(pd.DataFrame(rows, columns=list(COLUMNS)), ends.folded.battles, history.history.text)


@dataclass
class _Ends:
    """How the units ended, one column a unit, one row a battle; collapsed are those still on the map."""

    folded: UnitTally
    strength: npt.NDArray[np.int64]
    place: npt.NDArray[np.str_]
    collapsed: npt.NDArray[np.bool_]

    @property
    def roster(self) -> pd.DataFrame:
        return self.folded.roster


def _ends(results: Results, variant: str) -> _Ends:
    folded = tally(results, variant)
    table = results.units[results.units["variant"] == variant]

    def wide(name: str) -> pd.DataFrame:
        return table.pivot(index="run", columns="unit", values=name)[list(folded.roster.index)]

    place = wide("place").to_numpy(dtype=str)
    collapsed = wide("collapsed").to_numpy(dtype=bool) & (place == PLACES[ON_MAP])
    return _Ends(folded, wide("sp_end").to_numpy(dtype=np.int64), place, collapsed)


def _states(ends: _Ends, scenario: Scenario, history: History, later: Standing) -> Iterator[tuple[object, ...]]:
    """Each unit's strength, and how many units of a side were collapsed, routed and eliminated."""
    origin = ("derived", f"set-up of {history.history.later}")
    full = {row.id: int(row.full) for row in read_roster(scenario.folder / "roster").units}
    known = np.array([unit in later.strength for unit in ends.roster.index])
    names = ends.roster["name"].astype(str)
    for column, unit in enumerate(ends.roster.index):
        if known[column]:
            side, stood = str(ends.roster["side"].iloc[column]), later.strength[unit]
            yield _row("strength at the end", side, names.iloc[column], stood, ends.strength[:, column], *origin)
    for side in SIDES:
        of = f"{int((known & (ends.roster['side'] == side).to_numpy()).sum())} units"
        regiments = known & ends.folded.of_side(side)
        begun = int(ends.folded.start[regiments].sum())
        left = sum(later.strength[unit] for unit in ends.roster.index[regiments])
        fewer = begun - ends.strength[:, regiments].sum(axis=1)
        yield _row("strength points fewer", side, f"{int(regiments.sum())} regiments", begun - left, fewer, *origin)
        spent = sum(
            2 * later.strength[unit] < full[unit]
            for unit in ends.roster.index[regiments]
            if unit not in later.routed and unit not in later.eliminated
        )
        yield _row("regiments collapsed", side, of, spent, ends.collapsed[:, regiments].sum(axis=1), *origin)
        units = known & (ends.roster["side"] == side).to_numpy()
        for figure, gone, place in (
            ("units routed", later.routed, "routed"), ("units eliminated", later.eliminated, "eliminated"),
        ):  # fmt: skip
            count = sum(unit in gone for unit in ends.roster.index[units])
            yield _row(figure, side, of, count, (ends.place[:, units] == place).sum(axis=1), *origin)


def _losses(ends: _Ends, lost: Losses) -> Iterator[tuple[object, ...]]:
    """Strength points and guns that a command or a side lost."""
    belongs = np.ones(len(ends.roster), dtype=bool)
    if lost.command is not None:
        belongs = ((ends.roster["brigade"] == lost.command) | (ends.roster["division"] == lost.command)).to_numpy()
        if not belongs.any():
            raise InputError(
                f"history: no unit of {lost.side}/{lost.command} is in the battles; name a brigade or division of it"
            )
    of = lost.command or "all who took part"
    points = None if lost.men is None else lost.men / MEN_A_POINT
    for figure, arm, value in (("strength points lost", "sp", points), ("guns lost", "guns", lost.guns)):
        if value is not None:
            units = belongs & ends.folded.of_side(lost.side, arm)
            origin = (lost.source, lost.rule or lost.why)
            yield _row(figure, lost.side, of, value, ends.folded.lost_by(units), *origin)


def _divisions(
    results: Results, variant: str, side: str, spent: list[str], source: str, why: str
) -> Iterator[tuple[object, ...]]:
    """How many divisions of a side were ineffective, and each that history or the battles call so."""
    table = results.commands
    table = table[(table["variant"] == variant) & (table["level"] == "division") & (table["side"] == side)]
    wide = table.pivot(index="run", columns="command", values="ineffective").astype(bool)
    for code in spent:
        if code not in wide.columns:
            known = ", ".join(wide.columns)
            raise InputError(f"history: {side}/{code} is no division in the battles; there are {known}")
    yield _row("divisions ineffective", side, f"{wide.shape[1]} divisions", len(spent), wide.sum(axis=1), source, why)
    for code in wide.columns:
        if code in spent or wide[code].any():  # what neither history nor any battle has seen is left out
            yield _row("ineffective", side, code, int(code in spent), wide[code].astype(int), source, why)


def _ground(results: Results, variant: str, held: Ground) -> Iterator[tuple[object, ...]]:
    """Whether a side held each of the hexes that history says it did."""
    table = results.ground
    wide = table[table["variant"] == variant].pivot(index="run", columns="hex", values="holder").astype(str)
    for place in held.hexes:
        if place not in wide.columns:
            counted = ", ".join(wide.columns) or "none"
            raise InputError(f"history: {place} is no hex that counts in these battles; those that do: {counted}")
        held_it = (wide[place] == held.side).to_numpy(dtype=np.float64)
        yield _row("holds", held.side, place, 1, held_it, held.source, held.rule or held.why)


def _row(
    figure: str, side: str, of: str, historical: float, values: npt.ArrayLike, source: str, why: str
) -> tuple[object, ...]:
    data = np.asarray(values, dtype=np.float64)
    low, median, high = np.quantile(data, (BAND[0], 0.5, BAND[1]), method="inverted_cdf")
    percentile = float(stats.percentileofscore(data, historical, kind="mean"))
    error = float(data.std() / np.sqrt(data.size))
    return (
        figure, side, of, historical, float(data.mean()), error, low, median, high, percentile,
        bool(low <= historical <= high), source, why,
    )  # fmt: skip
