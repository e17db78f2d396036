"""Scenarios, rosters, maps, charts, doctrines, scripts and studies: their files, and the battle built from them."""

from simkit.scenario.builder import Built, Overlay, build
from simkit.scenario.library import load, names
from simkit.scenario.scenariofile import Scenario

__all__ = ["Built", "Overlay", "Scenario", "build", "load", "names"]
