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
# # How to read the shock odds card, and what is surprising in it
#
# You have eight points of cohesion 6, your brigadier is with them, and five points of cohesion 5 stand before you.
# Do you shock? The rules that fight whole battles here answer it exactly: every branch of the dice is played, from the
# check before the shock to the last Rout Check. Nothing is sampled, so nothing below has an interval.

# %%
import pandas as pd

import simkit
from simkit.odds import read, sweep, why

RUNS = 13
LINE = "8/6 brigadier vs 5/5"

answer = simkit.odds.shock(LINE)
print(answer.line, "succeeds with", f"{float(answer.success):.1%}")
pd.Series({name: float(chance) for name, chance in answer.outcomes.items() if chance}).map("{:.1%}".format)

# %% [markdown]
# The outcomes are a partition: the first that is true of an ending is its outcome. *Success* is another question:
# an attacker stands in the hex at the end. The hex is *carried* if one was in it at any time: a continued shock may
# lead him on. Cards show the chance to carry the hex.
#
# ## The card
#
# A card has a row for each strength of the attacker and a column for each position.

# %%
card = sweep(read("shock", LINE), [f"attacker=3..{2 + RUNS}", "position=front,flank,rear"])
grid = pd.DataFrame(card.grid("hex carried"), index=card.axes[0].values, columns=card.axes[1].values)
print(grid.map("{:.0%}".format))

# %% [markdown]
# ## What is surprising: strength comes in stairs
#
# The ratio is rounded before it becomes a modifier, so many a point more changes nothing. Where the chance jumps, one
# point is worth a march; elsewhere it is better spent on another hex.

# %%
steps = grid.diff().dropna()
idle = (steps["front"].abs() < 0.005).mean()
print(f"{idle:.0%} of the points more change the chance from the front by less than 0.5 %")
print(f"the greatest stair: {steps['front'].max():+.1%} at {steps['front'].idxmax()} points")

# %% [markdown]
# ## What is surprising: where you come from may be worth more than how many you are
#
# The least strength on the flank that does as well as the greatest from the front:

# %%
best = grid["front"].max()
enough = [strength for strength, chance in grid["flank"].items() if chance >= best]
print(f"{best:.0%} from the front at best; the flank has it from {enough[0] if enough else 'no'} points on")

# %% [markdown]
# ## What is surprising: a charge wins the hex more often, and holds it less
#
# A charge adds one to the die, and rounds the ratio for the attacker. But who charges and rolls well must go on into
# whoever stands behind, and then the hex is empty, or he is thrown back from there.

# %%
charge = simkit.odds.shock(LINE.replace("brigadier", "charge,brigadier"))
pd.DataFrame(
    {
        how: {
            "carried": float(found.events["hex carried"]),
            "held in the end": float(found.success),
            "beyond it in the end": float(found.units["attacker 1"].get("beyond the target hex", 0)),
        }
        for how, found in (("without a charge", answer), ("charging", charge))
    }
).map("{:.1%}".format)

# %%
more, held = charge.events["hex carried"] - answer.events["hex carried"], charge.success - answer.success
print(f"charging carries the hex {float(more):+.1%}, and holds it {float(held):+.1%}")

# %% [markdown]
# ## Which single modifier matters most
#
# Each is played anew, with it or without it.

# %%
effects = why(answer)
pd.DataFrame(
    [(effect.words(), f"{float(effect.success):.1%}", f"{100 * float(effect.change):+.1f}") for effect in effects[:10]],
    columns=["modifier", "success then", "change in points"],
)
