"""The plots show the numbers of the summary."""

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from simkit.analysis.comparison import compare
from simkit.analysis.outcomes import settling
from simkit.analysis.results import Results
from simkit.analysis.summary import Summary, summarise
from simkit.report import plots
from simkit.report.style import png, svg


@pytest.fixture(scope="module")
def summary(three_variants: Results) -> Summary:
    return summarise(three_variants)


def bars(figure: Figure, panel: int = 0) -> list[Rectangle]:
    return [patch for patch in figure.axes[panel].patches if isinstance(patch, Rectangle)]


def test_outcome_bars_are_the_shares(three_variants: Results, summary: Summary) -> None:
    figure = plots.outcome_shares(summary, three_variants.variants)
    widths = [bar.get_width() for bar in bars(figure)]
    expected = [
        summary.get(v, "win_share", side).estimate for side in ("Union", "Confederate") for v in three_variants.variants
    ]
    assert widths[:6] == pytest.approx(expected)
    assert sum(widths) == pytest.approx(3)
    assert {tick.get_text() for tick in figure.axes[0].get_yticklabels()} == set(three_variants.variants)


def test_loss_bars_hold_every_battle(summary: Summary) -> None:
    figure = plots.loss_distributions(summary.tallies)
    for panel in (0, 1):
        assert sum(bar.get_height() for bar in bars(figure, panel)) == pytest.approx(1)


def test_large_losses_are_binned_whole(summary: Summary) -> None:
    folded = summary.tallies["base"]
    folded.lost[0, 1] += 500
    try:
        figure = plots.loss_distributions({"base": folded})
        assert len(bars(figure)) <= 41
        assert sum(bar.get_height() for bar in bars(figure)) == pytest.approx(1)
    finally:
        folded.lost[0, 1] -= 500


def test_every_unit_is_named_with_its_strength(summary: Summary) -> None:
    axes = plots.losses_by_unit(summary, "base").axes[0]
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert len(names) == 31
    assert "21 IL (12)" in names
    assert {text.get_text() for text in axes.texts} >= {"1/1/RW (Union)", "4/1/P (Confederate)"}


def test_causes(summary: Summary) -> None:
    widths = [bar.get_width() for bar in bars(plots.losses_by_cause(summary, "base"))]
    assert sum(widths) == pytest.approx(summary.of("base", "sp_lost_side_mean")["estimate"].sum())


def test_convergence_ends_at_the_share(three_variants: Results, summary: Summary) -> None:
    tables = {side: settling(three_variants, "base", side) for side in ("Union", "Confederate")}
    lines = plots.convergence(tables).axes[0].get_lines()
    for line, side in zip(lines, tables, strict=True):
        assert line.get_ydata()[-1] == pytest.approx(summary.get("base", "win_share", side).estimate)


def test_differences_leave_out_what_never_differed(three_variants: Results) -> None:
    figure = plots.paired_differences(compare(three_variants))
    labels = {tick.get_text() for axes in figure.axes for tick in axes.get_yticklabels()}
    assert "battles won, Union" in labels
    assert "strength points lost, Union" in labels
    assert "strength points lost, Confederate" not in labels  # the made-up variants leave it as it is


def test_variants_that_differ_in_nothing_still_give_a_plot(three_variants: Results) -> None:
    table = compare(three_variants)
    same = table[table["quantity"] == "leaders_lost"].assign(estimate=0.0, low=float("nan"), high=float("nan"))
    assert png(plots.paired_differences(same), 60).startswith(b"\x89PNG")


def test_images_are_the_same_each_time(summary: Summary) -> None:
    first, second = (plots.losses_by_cause(summary, "base") for _ in range(2))
    assert png(first, 60) == png(second, 60)
    assert svg(first) == svg(second)
    assert svg(first).startswith("<svg")
