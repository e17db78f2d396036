"""Summaries against truths made by hand and against plain recounts."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from simkit.analysis.definitions import CAUSE_NAMES, DEFINITIONS
from simkit.analysis.losses import where_fallen
from simkit.analysis.outcomes import settling
from simkit.analysis.results import Results
from simkit.analysis.summary import COLUMNS, Summary, summarise
from simkit.analysis.tally import tally
from simkit.errors import InputError
from simkit.model.forces import CAUSES, SIDES

UNION, BATTERY, CONFEDERATE = "1-1-rw/59-il", "1-1-rw/5-wi-bty", "4-1-p/29-tn"


@pytest.fixture
def four_battles(synthetic: ModuleType, tmp_path: Path) -> Results:
    """Two Union victories, a draw and a Confederate victory between three units."""
    unit = synthetic.one_unit
    rows = [
        unit(0, UNION, 6, lost_small_arms=2), unit(0, BATTERY, 6),
        unit(0, CONFEDERATE, 6, lost_shock=6, place="eliminated", collapsed=True, hex=""),
        unit(1, UNION, 6, disordered=True), unit(1, BATTERY, 6, lost_other=6, place="eliminated", hex=""),
        unit(1, CONFEDERATE, 6, lost_shell=1, sp_recovered=1, place="routed", ever_routed=True, hex=""),
        unit(2, UNION, 6, lost_rally=1, ever_routed=True), unit(2, BATTERY, 6, abandoned=True), unit(2, CONFEDERATE, 6),
        unit(3, UNION, 6, lost_small_arms=1, lost_second_disorder=2, disordered=True, place="routed", ever_routed=True,
             hex=""),
        unit(3, BATTERY, 6, lost_canister=1), unit(3, CONFEDERATE, 6, lost_small_arms=3, disordered=True),
    ]  # fmt: skip
    outcomes = pd.DataFrame(
        {"run": range(4), "variant": "base", "winner": ["Union", "Union", "draw", "Confederate"],
         "level": ["decisive", "marginal", "draw", "marginal"], "brigades_ineffective_Union": [0, 0, 2, 1],
         "leaders_lost_Confederate": [1, 0, 0, 0], "fires_Union": [3, 1, 0, 0]}
    )  # fmt: skip
    units = pd.DataFrame(rows)
    runs = synthetic.runs_from_units(units, outcomes)
    runs["vp_Union"], runs["vp_Confederate"] = [5, 3, 0, 1], [0, 1, 0, 6]
    folder = synthetic.write_tables(tmp_path / "four", runs, units, None, synthetic.manifest(4, ["base"]), chunk=2)
    return Results(folder)


@pytest.fixture
def summary(four_battles: Results) -> Summary:
    return summarise(four_battles)


def value(summary: Summary, quantity: str, group: str) -> float:
    return summary.get("base", quantity, group).estimate


def test_a_draw_is_nobodys_victory(summary: Summary) -> None:
    assert value(summary, "win_share", "Union") == 0.5
    assert value(summary, "win_share", "Confederate") == 0.25
    assert value(summary, "draw_share", "draw") == 0.25
    assert {summary.get("base", "win_share", side).n for side in SIDES} == {4}


def test_levels_add_up_to_the_winner(summary: Summary) -> None:
    levels = summary.of("base", "outcome_share")["estimate"]
    assert levels.to_dict() == {
        "Union: decisive": 0.25, "Union: marginal": 0.25, "Confederate: marginal": 0.25, "draw: draw": 0.25,
    }  # fmt: skip


def test_victory_points(summary: Summary) -> None:
    assert value(summary, "vp_side_mean", "Union") == 9 / 4
    assert value(summary, "vp_side_q50", "Confederate") == 0
    assert value(summary, "vp_side_q95", "Confederate") == 6


def test_losses_by_side_leave_guns_and_recovery_apart(summary: Summary) -> None:
    assert value(summary, "sp_lost_side_mean", "Union") == (2 + 0 + 1 + 3) / 4
    assert value(summary, "sp_lost_side_mean", "Confederate") == (6 + 1 + 0 + 3) / 4
    assert value(summary, "guns_lost_side_mean", "Union") == (6 + 1) / 4
    assert value(summary, "guns_lost_side_mean", "Confederate") == 0
    assert value(summary, "sp_recovered_side_mean", "Confederate") == 0.25
    assert value(summary, "sp_lost_side_share", "Union") == pytest.approx(1.5 / 6)


def test_losses_by_brigade_unit_and_cause(summary: Summary) -> None:
    assert value(summary, "sp_lost_brigade_mean", "1/1/RW") == 1.5  # without its battery
    assert value(summary, "lost_unit_mean", BATTERY) == 7 / 4
    assert value(summary, "lost_unit_q50", UNION) == 1
    assert value(summary, "sp_lost_cause_mean", "Union: small_arms") == 3 / 4
    assert value(summary, "sp_lost_cause_mean", "Union: second_disorder") == 2 / 4
    assert value(summary, "sp_lost_cause_mean", "Confederate: shock") == 6 / 4
    assert value(summary, "guns_lost_cause_mean", "Union: other") == 6 / 4
    assert value(summary, "guns_lost_cause_mean", "Union: canister") == 1 / 4


def test_states_count_those_on_the_map_only_where_they_say_so(summary: Summary) -> None:
    assert value(summary, "unit_disordered_share", UNION) == 0.25  # in battle 3 it is disordered off the map
    assert value(summary, "unit_ever_routed_share", UNION) == 0.5
    assert value(summary, "unit_routed_at_end_share", UNION) == 0.25
    assert value(summary, "unit_eliminated_share", CONFEDERATE) == 0.25
    assert value(summary, "unit_collapsed_share", CONFEDERATE) == 0.25
    assert value(summary, "unit_abandoned_share", BATTERY) == 0.25
    assert value(summary, "units_ever_routed_mean", "Union") == 0.5
    assert value(summary, "units_eliminated_mean", "Union") == 0.25
    assert value(summary, "brigades_ineffective_mean", "Union") == 0.75
    assert value(summary, "brigades_ineffective_any", "Union") == 0.5
    assert value(summary, "leaders_lost_any", "Confederate") == 0.25
    assert value(summary, "fires_mean", "Union") == 1


def test_only_batteries_are_abandoned(summary: Summary) -> None:
    assert list(summary.of("base", "unit_abandoned_share").index) == [BATTERY]


def test_where_losses_fell_without_combats(four_battles: Results) -> None:
    table, sentence = where_fallen(four_battles, tally(four_battles, "base"))
    assert "at the end" in sentence
    assert {tuple(row) for row in table.itertuples(index=False)} == {
        ("Union", "C3014", 3 / 4),  # battles 0 and 2; in battle 3 it is off the map
        ("Confederate", "C4416", 3 / 4),
    }


def test_the_summary_is_tidy_and_defined(summary: Summary, three_variants: Results) -> None:
    tables = [summary.table, summarise(three_variants).table]
    for table in tables:
        assert tuple(table.columns) == COLUMNS
        assert not table.duplicated(["variant", "quantity", "group"]).any()
        assert table["definition"].str.len().min() > 20
        known = table.dropna(subset=["low"])
        outside = (known["low"] > known["estimate"] + 1e-12) | (known["estimate"] > known["high"] + 1e-12)
        assert known[outside].empty
    assert {quantity for table in tables for quantity in table["quantity"]} == set(DEFINITIONS)
    assert set(CAUSE_NAMES) == set(CAUSES)


def test_recount_by_plain_pandas(three_variants: Results) -> None:
    found = summarise(three_variants)
    assert found.contradictions == []
    runs, units = three_variants.runs, three_variants.units
    lost = units[[f"lost_{cause}" for cause in CAUSES]].sum(axis=1)
    for variant in three_variants.variants:
        mine = runs[runs["variant"] == variant]
        for side in SIDES:
            estimate = found.get(variant, "win_share", side).estimate
            assert estimate == pytest.approx((mine["winner"] == side).mean())
            mean = found.get(variant, "sp_lost_side_mean", side).estimate
            assert mean == pytest.approx(mine[f"sp_lost_{side}"].mean())
            by_cause = found.of(variant, "sp_lost_cause_mean")
            assert by_cause[by_cause.index.str.startswith(side)]["estimate"].sum() == pytest.approx(mean)
            brigades = units[(units["side"] == side) & (units["kind"] != "artillery")]["brigade"].astype(str).unique()
            assert found.of(variant, "sp_lost_brigade_mean").loc[brigades, "estimate"].sum() == pytest.approx(mean)
        by_unit = lost[units["variant"] == variant].groupby(units["unit"].astype(str)).mean()
        pd.testing.assert_series_equal(
            found.of(variant, "lost_unit_mean")["estimate"].sort_index(), by_unit.sort_index(), check_names=False
        )


def test_the_truth_lies_in_the_intervals(synthetic: ModuleType, three_variants: Results) -> None:
    found = summarise(three_variants)
    held = []
    for variant, chances in synthetic.WINS.items():
        for side, chance in zip(SIDES, chances, strict=True):
            value = found.get(variant, "win_share", side)
            held.append(value.low <= chance <= value.high)
    for ident, _, side, _, _, _, start, _ in synthetic.ROSTER:
        value = found.get("base", "lost_unit_mean", ident)
        held.append(value.low <= start * synthetic.LOSS_CHANCE[side] <= value.high)
        value = found.get("base", "unit_ever_routed_share", ident)
        held.append(value.low <= 0.05 <= value.high)
    assert len(held) == 68
    assert sum(held) >= 58  # 95 % of 68 are 64.6; fewer than 58 come up once in a thousand


def test_folding_in_pieces_changes_nothing(three_variants: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tally(three_variants, "base")
    pieces = Results.unit_batches
    monkeypatch.setattr(Results, "unit_batches", lambda self, variant, columns: pieces(self, variant, columns, 97))
    small = tally(three_variants, "base")
    assert np.array_equal(whole.lost, small.lost)
    assert np.array_equal(whole.states, small.states)
    assert whole.fallen == small.fallen


def test_a_loss_that_the_runs_table_lacks_is_noticed(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 30, combats=False)
    part = next((folder / "runs.parquet").glob("*.parquet"))
    runs = pd.read_parquet(part)
    runs.loc[3, "sp_lost_Union"] += 1
    runs.to_parquet(part)
    (sentence,) = summarise(Results(folder)).contradictions
    assert "1 battles" in sentence
    assert "sp_lost_Union" in sentence


def test_strength_that_does_not_add_up_is_noticed(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 30, combats=False)
    part = next((folder / "units.parquet").glob("*.parquet"))
    units = pd.read_parquet(part)
    units.loc[[4, 9], "sp_end"] += 1
    units.to_parquet(part)
    (sentence,) = summarise(Results(folder)).contradictions
    assert sentence.startswith("For 2 units")


def test_a_missing_unit_row_is_damage(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 30, combats=False)
    part = next((folder / "units.parquet").glob("*.parquet"))
    units = pd.read_parquet(part)
    gone = units[(units["run"] == 7) & (units["unit"] == UNION)].index
    units.drop(index=gone).to_parquet(part)
    with pytest.raises(InputError, match=f"{UNION} in run 7"):
        summarise(Results(folder))


def test_settling_ends_at_the_share_of_all(three_variants: Results) -> None:
    table = settling(three_variants, "base", "Union")
    last = table.iloc[-1]
    wins = (three_variants.runs_of("base")["winner"] == "Union").mean()
    assert (last["n"], last["estimate"]) == (600, pytest.approx(wins))
    assert table["n"].is_monotonic_increasing
    assert len(table) <= 201


def test_one_battle_alone(synthetic: ModuleType, tmp_path: Path) -> None:
    found = summarise(Results(synthetic.generate(tmp_path / "r", 1)))
    assert found.get("base", "sp_lost_side_mean", "Union").n == 1
    assert np.isnan(found.get("base", "sp_lost_side_mean", "Union").low)
