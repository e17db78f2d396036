"""Commanders: the heuristic one steered by a doctrine, the scripted one, and random legal play."""
