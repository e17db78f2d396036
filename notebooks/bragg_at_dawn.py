# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How lucky was Bragg at dawn?
#
# At six in the morning of December 31st, 1862, two divisions of Hardee's corps came out of the mist upon McCook's wing,
# whose men were boiling coffee. By nine Johnson's division was gone and Davis' with it; only Sheridan's held.
# Was that what such an attack had to bring, or did Bragg draw the morning of his life?
#
# *Dead of Winter* fights these hours as its scenario 1.0, and prints in the next one how every regiment stood at nine.
# So we let both sides fight the morning again and again in steady hands, and look where the real one lies among
# those that might have been. We do it four times with the same dice: as the scenario is printed; with the optional
# *Shock and Awe*, by which McCook's camps are surprised; with brigades that tire as well, as the book advises; and at
# last with Confederates who, rested as they were, do not tire in the first hour (21.3).

# %%
import matplotlib.pyplot as plt
import pandas as pd
from scipy.stats import percentileofscore

import simkit
from simkit.analysis.comparison import paired_mean
from simkit.analysis.history import standing
from simkit.analysis.intervals import quantile, share
from simkit.api import beside_history
from simkit.report.style import INK, colour
from simkit.report.words import difference
from simkit.scenario.historyfile import history_of
from simkit.scenario.provenance import SOURCES, summary
from simkit.scenario.study import Variant

RUNS = 50
SCENARIO = "dead_of_winter/dawn_attack"
WAYS = {
    "base": "as printed",
    "surprised": "surprised",
    "tiring": "surprised, brigades tire",
    "rested": "the same, Confederates rested",
}
SHADES = ["#8A3700", "#C44E00", "#E0935F", "#F0CDB5"]
SURPRISE = {"shock_and_awe": "cohesion"}

study = simkit.Study(
    name="Bragg at dawn",
    scenario=SCENARIO,
    runs=RUNS,
    seed=1862,
    variants=(
        Variant(name="surprised", options=SURPRISE),
        Variant(name="tiring", options={**SURPRISE, "fatigue": True}),
        Variant(name="rested", options={**SURPRISE, "fatigue": True, "fresh_confederates": True}),
    ),
)
results = simkit.run(study)
history = beside_history(SCENARIO, results)
print(history.text)

# %% [markdown]
# ## Was a broken wing to be expected?
#
# The scenario counts divisions that are no longer fit to fight. This is how many of McCook's three were so at nine.

# %%
commands = results.commands
divisions = commands[(commands["level"] == "division") & (commands["side"] == "Union")]
broken = divisions.groupby(["variant", "run"], observed=True)["ineffective"].sum().unstack("variant")[list(WAYS)]

whole = history.table.set_index(["figure", "side"])
happened = int(whole.loc[("divisions ineffective", "Union"), "historical"])
counts = broken.apply(lambda column: column.value_counts()).reindex(range(4)).fillna(0).astype(int)

figure, axes = plt.subplots(figsize=(8, 3.2))
counts.rename(columns=WAYS).plot.bar(ax=axes, color=SHADES, rot=0, width=0.8)
axes.axvspan(happened - 0.5, happened + 0.5, color=INK, alpha=0.07, linewidth=0)
axes.set_ylim(top=1.12 * counts.to_numpy().max())
axes.annotate("what happened", (happened, axes.get_ylim()[1]), ha="center", va="top", color=INK)
axes.set_xlabel("Union divisions broken by nine o'clock")
axes.set_ylabel(f"mornings of {RUNS}")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False, loc="upper left")
figure.tight_layout()

# %% [markdown]
# The shares in numbers. The interval is what so few mornings leave open.

# %%
at_least = pd.DataFrame(
    {WAYS[way]: share(int((broken[way] >= happened).sum()), RUNS) for way in WAYS},
    index=["share", "from", "to", "mornings"],
).T
print(f"mornings with {happened} divisions broken or more")
at_least.drop(columns="mornings").map("{:.0%}".format)

# %% [markdown]
# ## What did it cost?
#
# A wing may break at any price. Each dot is one morning as printed: to the right McCook lost more, upwards Hardee did.
# The diamond is the real one, by the strengths that the next scenario prints. A point of strength is fifty men; who
# straggled and came back by nine is not counted as lost.

# %%
later = history_of(simkit.load(SCENARIO)).history.later
stood = standing(simkit.build(simkit.load(later)).battle).strength
units = results.units.astype({"unit": str, "brigade": str, "side": str})
units = units[(units["kind"] != "artillery") & units["unit"].isin(list(stood))]
units = units.assign(fewer=units["sp_start"] - units["sp_end"], real=units["sp_start"] - units["unit"].map(stood))

sides = units.groupby(["variant", "run", "side"], observed=True)[["fewer", "real"]].sum().unstack("side")
fewer, real = sides["fewer"], sides["real"].iloc[0]

figure, axes = plt.subplots(figsize=(5.6, 5))
dots = fewer.loc["base"]
axes.scatter(dots["Union"], dots["Confederate"], s=22, color=INK, alpha=0.35, linewidth=0, label="a morning")
axes.scatter(real["Union"], real["Confederate"], marker="D", s=70, color=colour("Confederate"), label="the real one")
ends = (0, 1.08 * max(dots.to_numpy().max(), real.max()))
axes.plot(ends, ends, color=INK, linewidth=0.8, linestyle=":")
axes.set(xlim=ends, ylim=ends, xlabel="strength points fewer, McCook", ylabel="strength points fewer, Hardee")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False, loc="lower right")
figure.tight_layout()

# %% [markdown]
# Where the real figures lie among the mornings as printed: the *percentile* is the share of mornings that had less, and
# half of those that had just as much. Near 0 or 100 the model hardly ever sees what happened.

# %%
shown = history.table[~history.table["figure"].isin(["strength at the end", "ineffective"])]
shown[["figure", "side", "of", "historical", "mean", "low", "high", "percentile"]].round(1)

# %% [markdown]
# ## Whose morning was it?
#
# The same by brigades: the bar holds nine mornings in ten, the tick is the middle one, the diamond what happened,
# hollow where it lies outside of the bar. Look for Post, who checked the attack, for Carlin, who threw it back once,
# and for Willich and Kirk, who were struck first.

# %%
names = {row.command: row.name for row in simkit.build(simkit.load(SCENARIO)).roster.leaders if row.level == "brigade"}
brigades = units[units["variant"] == "base"].groupby(["side", "brigade", "run"])[["fewer", "real"]].sum()
rows = pd.DataFrame(
    {
        key: {
            "low": quantile(mornings["fewer"], 5).estimate,
            "median": quantile(mornings["fewer"], 50).estimate,
            "high": quantile(mornings["fewer"], 95).estimate,
            "real": mornings["real"].iloc[0],
            "percentile": percentileofscore(mornings["fewer"], mornings["real"].iloc[0], kind="mean"),
        }
        for key, mornings in brigades.groupby(level=["side", "brigade"])
        if key[1] in names
    }
).T.sort_index(ascending=[False, True])

figure, axes = plt.subplots(figsize=(8, 0.3 * len(rows) + 1))
for place, ((side, _), row) in enumerate(rows.iterrows()):
    ink = colour(side)
    axes.plot([row["low"], row["high"]], [place, place], color=ink, alpha=0.3, linewidth=7, solid_capstyle="butt")
    axes.plot(row["median"], place, marker="|", markersize=10, color=ink)
    face = ink if row["low"] <= row["real"] <= row["high"] else "white"
    axes.plot(row["real"], place, marker="D", markersize=6, color=face, markeredgecolor=ink)
axes.set_yticks(range(len(rows)), [f"{names[code]} ({code})" for _, code in rows.index])
axes.invert_yaxis()
axes.set_xlabel("strength points fewer at nine o'clock")
axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()

# %% [markdown]
# ## What was the surprise worth?
#
# The ways met the same dice, so each morning has twins and their differences are due to the rules: how many more
# divisions break, and how many more points either side is short of at nine.


# %%
def change(way: str) -> dict[str, str]:
    """What a way to play changes against the morning as printed, with 95 % intervals."""
    pairs = {
        "divisions broken": paired_mean(broken[way], broken["base"]),
        "McCook's loss": paired_mean(fewer.loc[way, "Union"], fewer.loc["base", "Union"]),
        "Hardee's loss": paired_mean(fewer.loc[way, "Confederate"], fewer.loc["base", "Confederate"]),
    }
    return {what: difference(pair.difference) for what, pair in pairs.items()}


pd.DataFrame({WAYS[way]: change(way) for way in WAYS if way != "base"}).T

# %% [markdown]
# ## What the model cannot say
#
# Intervals and percentiles measure the dice. They do not know that simkit has neither the game's chart cards nor its
# counters: what the rulebook does not print was derived or reconstructed, and the last line below says how much of
# this battle rests on what. Nor do they know Hardee. Both sides are led by the same steady doctrine, which
# attacks what scores and has read no orders of the night before; a better plan, well kept to, would look like luck
# here, and so would a brigadier who lost his head. The real figures are the game designer's reading of the
# returns, rounded to fifty men, and history is a single morning: a percentile of 50 proves no model right.

# %%
values = summary(simkit.load(SCENARIO))[list(SOURCES)].sum()
(values / values.sum()).map("{:.0%}".format)

# %% [markdown]
# ## The answer


# %%
def verdict(chance: float) -> str:
    """A chance in words."""
    for least, words in ((0.8, "hardly any luck"), (0.5, "no more luck than most"), (0.2, "some luck")):
        if chance >= least:
            return words
    return "a great deal of luck"


def placed(side: str) -> str:
    """Where a side's real loss lies among the mornings as printed, in words."""
    percentile = percentileofscore(fewer.loc["base", side], real[side], kind="mean")
    return f"{real[side]} points, more than in {percentile:.0f} % of the mornings"


odds = {way: share(int((broken[way] >= happened).sum()), RUNS) for way in WAYS}
base = odds["base"]
others = ", ".join(f"{odds[way].estimate:.0%} {WAYS[way]}" for way in WAYS if way != "base")
outside = [f"{names[code]}" for (_, code), row in rows.iterrows() if not row["low"] <= row["real"] <= row["high"]]
print(
    f"To break {happened} of McCook's divisions Bragg needed {verdict(base.estimate)}: it happens in "
    f"{base.estimate:.0%} of the mornings as printed ({base.low:.0%} to {base.high:.0%}); otherwise: {others}.\n"
    f"It cost Hardee {placed('Confederate')}, and McCook {placed('Union')}.\n"
    f"Brigades whose real loss lies outside of nine mornings in ten: {', '.join(outside) or 'none'}."
)
