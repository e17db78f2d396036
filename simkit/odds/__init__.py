"""Odds: the exact chances of a fire or a shock, from the rules that fight the battles.

import simkit

simkit.odds.shock("8/6 charge,brigadier vs 5/5 woods,breastworks").success
"""

from simkit.odds.answer import Answer
from simkit.odds.asking import ask, fire, read, shock
from simkit.odds.compare import compare
from simkit.odds.sweep import sweep
from simkit.odds.why import why

__all__ = ["Answer", "ask", "compare", "fire", "read", "shock", "sweep", "why"]
