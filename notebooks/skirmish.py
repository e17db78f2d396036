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
# # How likely is it that Davis pays more than his enemy for finding the Confederate line?
#
# On the afternoon of December 30th, 1862, Davis' division felt its way towards Murfreesboro, drove in the pickets,
# and ran into a line of battle in the timber. You play Davis. You want to know where the enemy is; what will it
# cost you, and will it cost you more than him?
#
# The introductory scenario of *Dead of Winter* is this fight: one turn, four activations for each division, the
# side with more regiments collapsed or routed loses. We play it two hundred times with both sides in steady hands
# and count.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import simkit
from simkit.analysis.comparison import paired_mean, paired_share
from simkit.analysis.intervals import mean, share
from simkit.scenario.provenance import summary

RUNS = 200
SCENARIO = "dead_of_winter/skirmish"

results = simkit.run(SCENARIO, runs=RUNS, seed=1862)
battles = results.runs
battles[["run", "winner", "sp_lost_Union", "sp_lost_Confederate"]].head()

# %% [markdown]
# ## Who pays more
#
# A strength point is fifty men. For each battle we ask whether your infantry and cavalry lost more points than his,
# fewer, or as many. The interval beside each share says what two hundred battles leave open: a true share outside
# it would produce numbers like these less than once in twenty times.

# %%
difference = battles["sp_lost_Union"] - battles["sp_lost_Confederate"]
shares = pd.DataFrame(
    {
        "Davis pays more": share(int((difference > 0).sum()), RUNS),
        "both pay alike": share(int((difference == 0).sum()), RUNS),
        "his enemy pays more": share(int((difference < 0).sum()), RUNS),
    },
    index=["share", "from", "to", "battles"],
).T
shares.style.format("{:.0%}", subset=["share", "from", "to"]).format("{:.0f}", subset=["battles"])

# %% [markdown]
# The mean hides how far apart single afternoons lie, so here is the whole spread. To the right of the line you paid
# more.

# %%
figure, axes = plt.subplots(figsize=(8, 3.5))
axes.hist(
    difference,
    bins=range(int(difference.min()), int(difference.max()) + 2),
    color="#4c6a92",
    edgecolor="white",
    align="left",
)
axes.axvline(0, color="black", linewidth=1)
axes.set_xlabel("strength points that the Union lost more than the Confederates")
axes.set_ylabel(f"battles of {RUNS}")
axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()

# %% [markdown]
# ## Does it help to be careful?
#
# The same two hundred battles again, but Davis goes about it cautiously. Both meet the same dice, so each battle
# has a twin and the difference between twins is due to the way Davis leads, not to luck.

# %%
careful = simkit.run(SCENARIO, runs=RUNS, seed=1862, commanders={"Union": "cautious"}).runs
dearer = (difference > 0).astype(float)
dearer_careful = (careful["sp_lost_Union"] > careful["sp_lost_Confederate"]).astype(float)
effects = pd.DataFrame(
    {
        "chance that Davis pays more": paired_share(dearer_careful, dearer).difference,
        "his losses": paired_mean(careful["sp_lost_Union"], battles["sp_lost_Union"]).difference,
        "his enemy's losses": paired_mean(careful["sp_lost_Confederate"], battles["sp_lost_Confederate"]).difference,
    },
    index=["change", "from", "to", "battles"],
).T
effects.round(2)

# %% [markdown]
# ## How far to trust it
#
# The intervals measure the luck of the dice. They do not know that the game's cards and counters are not in simkit:
# what the rulebook does not print was derived or reconstructed, and this is how much of the battle rests on what.

# %%
summary(simkit.load(SCENARIO))

# %% [markdown]
# ## The answer


# %%
def percent(value: float) -> str:
    return f"{100 * value:.0f} %"


more = share(int((difference > 0).sum()), RUNS)
loss, his = mean(battles["sp_lost_Union"]), mean(battles["sp_lost_Confederate"])
change = effects.loc["chance that Davis pays more"]
if change["from"] <= 0 <= change["to"]:
    care = "Whether caution changes that cannot be told from so few battles"
elif change["change"] < 0:
    care = "Caution makes it less likely"
else:
    care = "Caution makes it more likely"

print(
    f"Davis pays more than his enemy in {percent(more.estimate)} of the battles ({percent(more.low)} to "
    f"{percent(more.high)}); on average he loses {loss.estimate:.1f} strength points, about "
    f"{round(50 * loss.estimate, -1):.0f} men, against {his.estimate:.1f}.\n"
    f"{care}: {100 * change['change']:+.0f} points ({100 * change['from']:+.0f} to {100 * change['to']:+.0f})."
)
