"""The rules that one scenario brings along, for whoever builds a battle; the rules themselves read them in `rules`."""

from simkit.rules.scenario_rules import (
    EVERY_TURN,
    AddedMarkers,
    AdvanceAcross,
    Departure,
    EfficiencyPool,
    FixedEfficiency,
    ScenarioRules,
    SetUpArea,
    Surprise,
)

__all__ = [
    "EVERY_TURN", "AddedMarkers", "AdvanceAcross", "Departure", "EfficiencyPool", "FixedEfficiency", "ScenarioRules",
    "SetUpArea", "Surprise",
]
