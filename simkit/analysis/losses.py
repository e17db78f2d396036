"""Strength points and guns lost, by side, brigade, unit and cause, and where they fell."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from simkit.analysis.intervals import Estimate, mean
from simkit.analysis.outcomes import Row, spread
from simkit.analysis.results import Results
from simkit.analysis.tally import ARMS, UnitTally
from simkit.model.forces import CAUSES, SIDES


def loss_rows(folded: UnitTally) -> Iterator[Row]:
    """Losses by side, by cause, by brigade and by unit."""
    for number, side in enumerate(SIDES):
        units = folded.of_side(side)
        lost = folded.lost_by(units)
        start = int(folded.start[units].sum())
        yield from spread("sp_lost_side", side, lost)
        if start:
            yield "sp_lost_side_share", side, _divided(mean(lost), start)
        yield from spread("guns_lost_side", side, folded.lost_by(folded.of_side(side, "guns")))
        yield "sp_recovered_side_mean", side, mean(folded.recovered[:, number, 0])
    for arm_number, arm in enumerate(ARMS):
        for number, side in enumerate(SIDES):
            for cause_number, cause in enumerate(CAUSES):
                values = folded.causes[:, number, arm_number, cause_number]
                yield f"{arm}_lost_cause_mean", f"{side}: {cause}", mean(values)
    counted = folded.roster[~folded.artillery]
    for _, brigade in counted[["side", "brigade"]].drop_duplicates().itertuples(index=False):
        units = (folded.roster["brigade"] == brigade).to_numpy() & ~folded.artillery
        yield from spread("sp_lost_brigade", str(brigade), folded.lost_by(units))
    for column, unit in enumerate(folded.roster.index):
        yield from spread("lost_unit", str(unit), folded.lost[:, column])


def _divided(value: Estimate, by: float) -> Estimate:
    return Estimate(value.estimate / by, value.low / by, value.high / by, value.n)


def where_fallen(results: Results, folded: UnitTally) -> tuple[pd.DataFrame, str]:
    """Strength points lost a battle by side and hex, and a sentence that says what the hex is.

    Where the batch recorded its combats, the hex is that of the target when it was hit (or of an attacker that lost);
    else it is the hex in which the units that had lost stood at the end.

    Returns:
        A table with columns side, hex, lost (a battle), and the sentence.
    """
    if results.has_combats:
        table = _fallen_in_combat(results, folded.variant, folded.battles)
        return table, "Each hex shows what fires and shocks cost the units in it, on average over the battles."
    rows = [(side, place, lost / folded.battles) for (side, place), lost in sorted(folded.fallen.items())]
    table = pd.DataFrame(rows, columns=["side", "hex", "lost"])
    return table, (
        "Each hex shows the losses of the units that stood in it at the end, on average over the battles; run with "
        "--combats to see where they fell."
    )


def _fallen_in_combat(results: Results, variant: str, battles: int) -> pd.DataFrame:
    other = {SIDES[0]: SIDES[1], SIDES[1]: SIDES[0]}
    pieces = []
    for part in results.combat_parts(variant, ["side", "hex", "target_hex", "losses", "own_losses"]):
        side = part["side"].astype(str)
        for who, where, what in ((side.map(other), "target_hex", "losses"), (side, "hex", "own_losses")):
            lost = part[what].fillna(0)
            table = pd.DataFrame({"side": who, "hex": part[where].astype(str), "lost": lost})[lost > 0]
            pieces.append(table.groupby(["side", "hex"], as_index=False)["lost"].sum())
    if not pieces:
        return pd.DataFrame(columns=["side", "hex", "lost"])
    total = pd.concat(pieces).groupby(["side", "hex"], as_index=False)["lost"].sum()
    return total.assign(lost=total["lost"].astype(np.float64) / battles)
