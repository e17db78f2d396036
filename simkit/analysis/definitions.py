"""What each statistic means, in a player's words: shown beside the numbers, in summary.csv and in the docs."""

from typing import NamedTuple

from simkit.analysis.intervals import QUANTILES


class Definition(NamedTuple):
    """A statistic's short title and its meaning."""

    title: str
    text: str


_COUNTED: dict[str, Definition] = {
    "vp_side": Definition("victory points", "Victory points of this side when the battle ends."),
    "sp_lost_side": Definition(
        "strength points lost",
        "Strength points that this side's infantry and cavalry lose in a battle, by any cause. Strength that comes "
        "back by recovery is not taken off again; batteries are counted in guns instead.",
    ),
    "guns_lost_side": Definition("guns lost", "Guns that this side's batteries lose in a battle, by any cause."),
    "sp_lost_brigade": Definition(
        "strength points lost",
        "Strength points that the brigade's infantry and cavalry lose in a battle, by any cause.",
    ),
    "lost_unit": Definition(
        "lost", "Strength points (for a battery: guns) that the unit loses in a battle, by any cause."
    ),
}

_PLAIN: dict[str, Definition] = {
    "win_share": Definition(
        "battles won",
        "Share of all battles that this side won. A draw counts for neither side and stays in the total.",
    ),
    "draw_share": Definition("draws", "Share of all battles that ended in a draw."),
    "outcome_share": Definition("outcome", "Share of all battles that ended with this winner at this level."),
    "sp_lost_side_share": Definition(
        "share of its strength lost",
        "Strength points that this side's infantry and cavalry lose in a battle, divided by what they start with.",
    ),
    "sp_recovered_side_mean": Definition(
        "strength points recovered",
        "Strength points that come back to this side's infantry and cavalry in a battle, on average.",
    ),
    "sp_lost_cause_mean": Definition(
        "strength points lost by cause",
        "Strength points that this side's infantry and cavalry lose to this cause in a battle, on average.",
    ),
    "guns_lost_cause_mean": Definition(
        "guns lost by cause", "Guns that this side's batteries lose to this cause in a battle, on average."
    ),
    "units_ever_routed_mean": Definition(
        "units that routed", "Number of this side's units that routed at least once, rallied since or not."
    ),
    "units_routed_at_end_mean": Definition(
        "units routed at the end", "Number of this side's units that are routed, off the map, when the battle ends."
    ),
    "units_collapsed_mean": Definition(
        "units collapsed at the end", "Number of this side's units that show their collapsed side when the battle ends."
    ),
    "units_eliminated_mean": Definition(
        "units eliminated", "Number of this side's units that are out of the battle for good when it ends."
    ),
    "units_disordered_mean": Definition(
        "units disordered at the end", "Number of this side's units on the map that end the battle disordered."
    ),
    "units_abandoned_mean": Definition(
        "batteries abandoned at the end", "Number of this side's batteries without gunners when the battle ends."
    ),
    "units_blown_mean": Definition(
        "cavalry blown at the end", "Number of this side's cavalry units whose horses are blown when the battle ends."
    ),
    "brigades_ineffective_mean": Definition(
        "brigades combat ineffective", "Number of this side's brigades that end the battle combat ineffective."
    ),
    "brigades_ineffective_any": Definition(
        "a brigade combat ineffective",
        "Share of battles that end with at least one of this side's brigades combat ineffective.",
    ),
    "leaders_lost_mean": Definition("leaders lost", "Number of this side's leaders killed, wounded or captured."),
    "leaders_lost_any": Definition(
        "a leader lost", "Share of battles in which this side loses at least one leader, killed, wounded or captured."
    ),
    "unit_ever_routed_share": Definition(
        "routed", "Share of battles in which the unit routs at least once, rallied since or not."
    ),
    "unit_routed_at_end_share": Definition(
        "routed at end", "Share of battles that end with the unit routed and off the map."
    ),
    "unit_collapsed_share": Definition(
        "collapsed", "Share of battles that end with the unit on its collapsed side, on the map or off it."
    ),
    "unit_eliminated_share": Definition("eliminated", "Share of battles that end with the unit out of it for good."),
    "unit_disordered_share": Definition(
        "disordered", "Share of battles that end with the unit on the map and disordered."
    ),
    "unit_abandoned_share": Definition(
        "abandoned", "Share of battles that end with the battery standing without gunners."
    ),
    "unit_blown_share": Definition("blown", "Share of battles that end with the cavalry unit's horses blown."),
    "fires_mean": Definition("fires", "Number of fires by this side in a battle, of every kind, on average."),
    "shocks_mean": Definition("shocks", "Number of shock attacks that this side makes in a battle, on average."),
    "fire_result_share": Definition(
        "result of fires",
        "Share of this side's recorded fires that had this result, as printed on the chart. Fires of one battle hang "
        "together; the interval allows for that.",
    ),
    "shock_result_share": Definition(
        "result of shocks",
        "Share of this side's recorded shocks that had this result, as printed on the chart. Shocks of one battle hang "
        "together; the interval allows for that.",
    ),
    "fire_mode_mean": Definition(
        "fires by occasion", "Number of fires by this side on this occasion in a battle, on average."
    ),
    "shock_mode_mean": Definition(
        "shocks by occasion", "Number of shocks by this side of this kind in a battle, on average."
    ),
    "loss_per_fire": Definition(
        "lost per fire",
        "Strength points (or guns) that the target loses to one fire by this side, on average; most fires miss.",
    ),
    "loss_per_shock": Definition(
        "lost per shock", "Strength points (or guns) that the target loses to one shock by this side, on average."
    ),
}


def _spread(quantity: str, counted: Definition) -> dict[str, Definition]:
    """The mean and the quantiles of a counted quantity, each with its own definition."""
    rows = {f"{quantity}_mean": Definition(f"{counted.title}, average", f"{counted.text} Average over all battles.")}
    for percent in QUANTILES:
        words = "half" if percent == 50 else f"{percent} %"
        rows[f"{quantity}_q{percent:02d}"] = Definition(
            f"{counted.title}, {percent} % point", f"{counted.text} In {words} of the battles it is this many or fewer."
        )
    return rows


DEFINITIONS: dict[str, Definition] = {
    **{name: row for quantity, counted in _COUNTED.items() for name, row in _spread(quantity, counted).items()},
    **_PLAIN,
}
"""Every quantity of summary.csv with its title and meaning."""

CAUSE_NAMES: dict[str, Definition] = {
    "small_arms": Definition("small arms", "Fire of muskets, rifles and carbines."),
    "canister": Definition("canister", "Artillery fire at canister range."),
    "shell": Definition("shell", "Artillery fire beyond canister range."),
    "shock": Definition("shock", "Results of shock attacks, on attacker and defender."),
    "second_disorder": Definition("second disorder", "A unit that is already disordered is disordered again."),
    "rally": Definition("rally", "Stragglers who are gone when a routed or disordered unit is rallied."),
    "other": Definition("other", "Everything else: capture, surrender, elimination off the map."),
}
"""The causes of loss with a title and a meaning."""

TERMS: dict[str, Definition] = {
    "interval": Definition(
        "95 % interval",
        "The range in brackets. If the whole study were repeated many times with other dice, about 95 in 100 such "
        "ranges would hold the true value. It measures the luck of the sample; whether charts and doctrines are right "
        "it cannot tell.",
    ),
    "strength point": Definition("strength point (SP)", "The unit of strength printed on a counter, about 50 men."),
    "quantile": Definition(
        "5 % to 95 %", "Nine battles in ten lie in this range; one in twenty lies at or below it, one in twenty above."
    ),
    "paired": Definition(
        "paired difference",
        "Variant minus base, battle by battle with the same dice, so that luck common to both cancels.",
    ),
    "saved": Definition(
        "as good as",
        "How many battles of each variant, each with dice of its own, it would take for an equally sharp difference.",
    ),
}
"""Terms that tables and plots of the report use."""
