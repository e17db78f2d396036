"""Paired differences: by hand, how often their intervals hold the truth, and what pairing saves."""

import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from simkit.analysis.adequacy import comparison_warnings
from simkit.analysis.comparison import COLUMNS, compare, paired_bootstrap, paired_mean, paired_share
from simkit.analysis.results import Results
from simkit.errors import InputError


def test_mean_difference_by_hand() -> None:
    paired = paired_mean([3, 5, 7, 10], [2, 4, 4, 6])
    assert paired.difference.estimate == 2.25
    deviation = np.std([1, 1, 3, 4], ddof=1)
    assert paired.difference.high == pytest.approx(2.25 + 3.182446 * deviation / 2, abs=1e-5)
    assert paired.ratio == pytest.approx((np.var([3, 5, 7, 10], ddof=1) + np.var([2, 4, 4, 6], ddof=1)) / deviation**2)


def test_share_difference_by_hand() -> None:
    base = [1] * 40 + [0] * 60
    variant = [1] * 38 + [0] * 2 + [1] * 12 + [0] * 48
    paired = paired_share(variant, base)
    assert paired.difference.estimate == pytest.approx(0.10)
    gained, spoilt = 13 / 102, 3 / 102
    half = 1.959964 * math.sqrt((gained + spoilt - (gained - spoilt) ** 2) / 102)
    assert paired.difference.low == pytest.approx(10 / 102 - half, abs=1e-6)
    assert paired.difference.high == pytest.approx(10 / 102 + half, abs=1e-6)


def test_shares_that_never_differ_still_have_a_width() -> None:
    paired = paired_share([1, 0, 1, 0] * 10, [1, 0, 1, 0] * 10)
    assert paired.difference.estimate == 0
    assert paired.difference.low < 0 < paired.difference.high
    assert paired.ratio == math.inf


def test_missing_values_drop_the_pair() -> None:
    assert paired_mean([1.0, math.nan, 4.0], [1.0, 2.0, 2.0]).difference.n == 2


def test_pairs_must_match() -> None:
    with pytest.raises(ValueError, match="same battles"):
        paired_mean([1, 2], [1, 2, 3])


def test_share_difference_holds_the_truth() -> None:
    rng = np.random.default_rng(4)
    tries, hits = 1500, 0
    for _ in range(tries):
        luck = rng.random(150)
        difference = paired_share(luck < 0.36, luck < 0.30).difference
        hits += difference.low <= 0.06 <= difference.high
    assert hits >= stats.binom.ppf(0.001, tries, 0.94)


def test_bootstrap_agrees_with_the_closed_form() -> None:
    rng = np.random.default_rng(5)
    base = rng.poisson(9, 300)
    variant = base + rng.poisson(1, 300)
    closed, drawn = paired_mean(variant, base).difference, paired_bootstrap(variant, base, seed=1)
    assert drawn.estimate == closed.estimate
    assert drawn.low == pytest.approx(closed.low, abs=0.02)
    assert drawn.high == pytest.approx(closed.high, abs=0.02)
    assert drawn == paired_bootstrap(variant, base, seed=1)


def test_as_good_as_means_what_it_says() -> None:
    """So many battles with independent dice give an interval of the same width."""
    rng = np.random.default_rng(6)
    n = 20_000
    common, own = rng.normal(0, 3, n), rng.normal(0, 1, n)
    paired = paired_mean(common + own + 1, common)
    many = round(n * paired.ratio)
    independent = paired_mean(rng.normal(1, math.sqrt(10), many), rng.normal(0, 3, many))
    width, other = (d.high - d.low for d in (paired.difference, independent.difference))
    assert other == pytest.approx(width, rel=0.03)


def test_compare_finds_the_true_differences(synthetic: ModuleType, three_variants: Results) -> None:
    table = compare(three_variants).set_index(["variant", "quantity", "group"])
    assert set(COLUMNS) <= {*table.columns, *table.index.names}
    for variant in ("weaker-union", "aggressive-cautious"):
        for k, side in enumerate(("Union", "Confederate")):
            row = table.loc[variant, "win_share", side]
            truth = synthetic.WINS[variant][k] - synthetic.WINS["base"][k]
            assert row["low"] <= truth <= row["high"]
            assert row["ratio"] > 2
            assert row["as_good_as"] == pytest.approx(row["ratio"] * 600)
    assert table.loc[("weaker-union", "sp_lost", "Union"), "high"] < 0
    assert "vp" not in table.index.get_level_values("quantity")


def test_compare_against_another_variant_turns_the_sign(three_variants: Results) -> None:
    one = compare(three_variants).set_index(["variant", "quantity", "group"])
    other = compare(three_variants, against="weaker-union").set_index(["variant", "quantity", "group"])
    there = one.loc[("weaker-union", "sp_lost", "Union"), "estimate"]
    assert other.loc[("base", "sp_lost", "Union"), "estimate"] == pytest.approx(-there)


def test_compare_with_bootstrap(three_variants: Results) -> None:
    table = compare(three_variants, bootstrap=True)
    row = table[(table["variant"] == "weaker-union") & (table["quantity"] == "sp_lost")].iloc[0]
    assert row["low"] < row["estimate"] < row["high"] < 0


def test_one_variant_cannot_be_compared(one_variant: Results) -> None:
    with pytest.raises(InputError, match="needs two"):
        compare(one_variant)


def test_pairs_are_the_runs_that_both_have(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 60, ("base", "weaker-union"), chunk=20, combats=False)
    (folder / "runs.parquet" / "weaker-union-000000020-000000039.parquet").unlink()
    table = compare(Results(folder))
    assert set(table["n"]) == {40}
    warnings = comparison_warnings(table)
    assert any("only 40 battles" in sentence for sentence in warnings)


def test_divisions_and_leads_in_points_are_compared(synthetic: ModuleType, tmp_path: Path) -> None:
    """Two battles of each: the variant spends a division more in one, and leads by two points less in both."""
    folder = synthetic.generate(tmp_path / "r", 2, ("base", "weaker-union"), chunk=2, combats=False)
    commands = folder / "commands.parquet"
    commands.mkdir()
    for variant, points, spent in (("base", 5.0, (False, True)), ("weaker-union", 3.0, (True, True))):
        name = f"{variant}-000000000-000000001.parquet"
        runs = pd.read_parquet(folder / "runs.parquet" / name)
        runs.assign(vp_Union=points, vp_Confederate=1.0).to_parquet(folder / "runs.parquet" / name)
        rows = [
            {"run": run, "variant": variant, "command": command, "level": level, "side": "Union", "ineffective": gone}
            for run, gone in enumerate(spent) for command, level in (("1/RW", "division"), ("1/1/RW", "brigade"))
        ]  # fmt: skip
        pd.DataFrame(rows).to_parquet(commands / name)
    table = compare(Results(folder)).set_index(["quantity", "group"])
    assert table.loc[("divisions_ineffective", "Union"), ["base", "estimate"]].tolist() == [0.5, 0.5]
    assert ("divisions_ineffective", "Confederate") not in table.index
    assert table.loc[("vp_lead", "Union"), ["base", "estimate"]].tolist() == [4.0, -2.0]
    assert table.loc[("vp_lead", "Confederate"), ["base", "estimate"]].tolist() == [-4.0, 2.0]
