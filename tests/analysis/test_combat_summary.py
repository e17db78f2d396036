"""Fires and shocks counted."""

from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from simkit.analysis.losses import where_fallen
from simkit.analysis.results import Results
from simkit.analysis.summary import summarise


def combat(run: int, kind: str, side: str, result: str, losses: int, **changes: object) -> dict[str, object]:
    return {
        "run": run, "variant": "base", "turn": 1, "activation": 1, "phase": "fire", "kind": kind, "mode": "phasing",
        "side": side, "unit": "", "target": "", "hex": "C3014", "target_hex": "C4416", "range": 1, "sp": 6,
        "target_sp": 6, "drms": "", "drm": 0, "roll": 5, "adjusted": 5, "result": result, "losses": losses,
        "own_losses": 0,
    } | changes  # fmt: skip


@pytest.fixture
def fought(synthetic: ModuleType, tmp_path: Path) -> Results:
    """Four battles; the third, in a part file of its own with the fourth, sees no Union fire."""
    combats = pd.DataFrame(
        [
            combat(0, "fire", "Union", "1", 1), combat(0, "fire", "Union", "-", 0, mode="return"),
            combat(1, "fire", "Union", "-", 0), combat(1, "fire", "Union", "-", 0),
            combat(2, "shock", "Confederate", "BS", 1, mode="shock", hex="C4416", target_hex="C3014", own_losses=2),
            combat(3, "fire", "Union", "d", 0), combat(3, "fire", "Union", "1", 1),
        ]
    )  # fmt: skip
    units = pd.DataFrame(
        [synthetic.one_unit(run, unit, 6) for run in range(4) for unit in ("1-1-rw/59-il", "4-1-p/29-tn")]
    )
    outcomes = pd.DataFrame({"run": range(4), "variant": "base", "winner": "draw", "level": "draw"})
    runs = synthetic.runs_from_units(units, outcomes)
    runs["fires_Union"], runs["shocks_Confederate"] = [2, 2, 0, 2], [0, 0, 1, 0]
    about = synthetic.manifest(4, ["base"])
    return Results(synthetic.write_tables(tmp_path / "fought", runs, units, combats, about, chunk=2))


def test_shares_of_results_count_every_combat_once(fought: Results) -> None:
    summary = summarise(fought)
    results = summary.of("base", "fire_result_share")
    assert results["estimate"].to_dict() == {
        "Union: -": pytest.approx(3 / 6), "Union: 1": pytest.approx(2 / 6), "Union: d": pytest.approx(1 / 6),
    }  # fmt: skip
    assert set(results["n"]) == {6}
    assert summary.of("base", "shock_result_share")["estimate"].to_dict() == {"Confederate: BS": 1.0}


def test_numbers_a_battle_count_battles_without_any(fought: Results) -> None:
    summary = summarise(fought)
    assert summary.get("base", "fire_mode_mean", "Union: phasing").estimate == 5 / 4
    assert summary.get("base", "fire_mode_mean", "Union: return").estimate == 1 / 4
    assert summary.get("base", "fires_mean", "Union").estimate == 6 / 4
    assert summary.get("base", "loss_per_fire", "Union").estimate == pytest.approx(2 / 6)
    assert summary.get("base", "loss_per_shock", "Confederate").estimate == 1


def test_losses_lie_where_they_fell(fought: Results) -> None:
    table, sentence = where_fallen(fought, summarise(fought).tallies["base"])
    assert "fires and shocks" in sentence
    assert {tuple(row) for row in table.itertuples(index=False)} == {
        ("Confederate", "C4416", (2 + 2) / 4),  # two hits by fire, two lost in its own attack
        ("Union", "C3014", 1 / 4),
    }


def test_shares_add_up(three_variants: Results) -> None:
    shares = summarise(three_variants).of("base", "fire_result_share")["estimate"]
    for side in ("Union", "Confederate"):
        assert shares[shares.index.str.startswith(side)].sum() == pytest.approx(1)
