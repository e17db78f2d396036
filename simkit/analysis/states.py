"""How often units rout, collapse, are eliminated or end in disorder, and brigades and leaders are lost."""

from collections.abc import Iterator

from simkit.analysis.intervals import mean, share
from simkit.analysis.outcomes import Row
from simkit.analysis.results import Results
from simkit.analysis.tally import STATES, UnitTally
from simkit.model.forces import SIDES

_ONLY_FOR = {"abandoned": "artillery", "blown": "cavalry"}


def state_rows(results: Results, folded: UnitTally) -> Iterator[Row]:
    """Numbers of units in each state by side, and each unit's rates."""
    runs = results.runs_of(folded.variant)
    for number, side in enumerate(SIDES):
        for column, state in enumerate(STATES):
            yield f"units_{state}_mean", side, mean(folded.states[:, number, column])
        for name in ("brigades_ineffective", "leaders_lost"):
            values = runs[f"{name}_{side}"].to_numpy(dtype=float)
            yield f"{name}_mean", side, mean(values)
            yield f"{name}_any", side, share(int((values > 0).sum()), len(values))
    for row, (unit, kind) in enumerate(zip(folded.roster.index, folded.roster["kind"], strict=True)):
        for column, state in enumerate(STATES):
            if _ONLY_FOR.get(state, kind) == kind:
                yield f"unit_{state}_share", str(unit), share(int(folded.unit_states[row, column]), folded.battles)
