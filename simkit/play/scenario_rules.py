"""The rules that one scenario brings along, for whoever builds a battle; the rules themselves read them in `rules`."""

from simkit.rules.scenario_rules import EVERY_TURN, EfficiencyPool, FixedEfficiency, ScenarioRules

__all__ = ["EVERY_TURN", "EfficiencyPool", "FixedEfficiency", "ScenarioRules"]
