"""Optional rules, editions and readings of unclear rules: named options, read where the rule stands."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# Editions of the series rules, oldest first, so that `edition <= INTO_THE_WOODS` asks for one and those before it.
GRINGO: Final[i64] = 0
INTO_THE_WOODS: Final[i64] = 1
DEAD_OF_WINTER: Final[i64] = 2

EDITIONS: Final = ["gringo", "into_the_woods", "dead_of_winter"]
"""The editions of the series rules by the book that prints them, in the order of their numbers."""


class Option:
    """One option: its name, the rule it belongs to, what it decides, its permitted values and its default."""

    def __init__(self, name: str, rule: str, meaning: str, values: list[str], default: str) -> None:
        self.name = name
        self.rule = rule
        self.meaning = meaning
        self.values = values
        self.default = default


OPTIONS: Final = [
    Option(
        "edition", "1.0", "whose book's wording of the series rules holds (by default the scenario's own book's)",
        EDITIONS, "dead_of_winter",
    ),
    Option("crests", "10.24", "geographic crests block sight (optional, recommended)", ["yes", "no"], "yes"),
    Option(
        "artillery_near_enemy", "9.55",
        "1: guns keep four hexes away from the enemy; 2: they may run in close with a check",
        ["1", "2"], "1",
    ),
    Option(
        "combined_fire", "10.82", "small arms stacked in one hex combine their fire at one target (optional)",
        ["yes", "no"], "no",
    ),
    Option(
        "small_arms_ammunition", "10.9", "a natural 5 depletes small arms as it does guns (optional)", ["yes", "no"],
        "no",
    ),
    Option(
        "disordered_guns_move", "12.31", "disordered artillery keeps its good-order Movement Allowance (later games)",
        ["yes", "no"], "no",
    ),
    Option(
        "ambush", "19.0",
        "what the ambush of Dead of Winter's random events, which it does not explain, is: no event, or a regiment of "
        "the side that a roll names fires without an answer, as the later Into the Woods has such an event",
        ["none", "fire"], "none",
    ),
    Option(
        "shock_and_awe", "1.0 and 8.0 of Dead of Winter",
        "surprise of the first turn where a scenario has it: by cohesion or by checks of its victims (optional)",
        ["no", "cohesion", "checks"], "no",
    ),
    Option(
        "crittendens_attack", "21.2 of Dead of Winter",
        "the Union left wing must use its first eight activations to cross the river (optional)", ["yes", "no"], "no",
    ),
    Option(
        "late_breastworks", "21.1 of Dead of Winter", "no Union breastworks before noon of December 31st (optional)",
        ["yes", "no"], "no",
    ),
    Option(
        "fresh_confederates", "21.3 of Dead of Winter",
        "Confederates ignore fatigue in the first turn of December 31st (optional)", ["yes", "no"], "no",
    ),
    Option("fatigue", "17.0", "brigades tire of acting and of shocks (optional, recommended)", ["yes", "no"], "no"),
]


class Options:
    """The options of one battle as the rules read them."""

    def __init__(self) -> None:
        self.edition: i64 = DEAD_OF_WINTER
        self.crests = True
        self.artillery_near_enemy: i64 = 1
        self.combined_fire = False
        self.small_arms_ammunition = False
        self.disordered_guns_move = False
        self.ambush = False  # is a fire
        self.fatigue = False
        self.shock_and_awe: i64 = 0  # as the values of the option are counted
        self.crittendens_attack = False
        self.late_breastworks = False
        self.fresh_confederates = False

    def on(self, name: str) -> bool:
        """Whether an option on which tables of a scenario may depend is chosen (21.1, 21.3 of Dead of Winter).

        Raises:
            ValueError: no table can depend on an option of that name.
        """
        if name == "late_breastworks":
            return self.late_breastworks
        if name == "fresh_confederates":
            return self.fresh_confederates
        raise ValueError(f"no table depends on an option {name!r}; it can be late_breastworks or fresh_confederates")

    def set(self, name: str, value: str) -> None:
        """Set one option from its text; ValueError names the options or values that would be right."""
        known = {option.name: option for option in OPTIONS}
        if name not in known:
            raise ValueError(f"unknown option {name!r}; there are {', '.join(sorted(known))}")
        if value not in known[name].values:
            raise ValueError(f"option {name} is {value!r}; it can be {' or '.join(known[name].values)}")
        if name == "edition":
            self.edition = EDITIONS.index(value)
        elif name == "crests":
            self.crests = value == "yes"
        elif name == "artillery_near_enemy":
            self.artillery_near_enemy = int(value)
        elif name == "combined_fire":
            self.combined_fire = value == "yes"
        elif name == "small_arms_ammunition":
            self.small_arms_ammunition = value == "yes"
        elif name == "disordered_guns_move":
            self.disordered_guns_move = value == "yes"
        elif name == "ambush":
            self.ambush = value == "fire"
        elif name == "shock_and_awe":
            self.shock_and_awe = known[name].values.index(value)
        elif name == "crittendens_attack":
            self.crittendens_attack = value == "yes"
        elif name == "late_breastworks":
            self.late_breastworks = value == "yes"
        elif name == "fresh_confederates":
            self.fresh_confederates = value == "yes"
        else:
            self.fatigue = value == "yes"
