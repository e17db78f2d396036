"""The words of a situation: what each says, of what it is said, and its rule."""

from collections.abc import Sequence
from dataclasses import dataclass

UNIT, HEX, HEXSIDE, WHOLE = "unit", "hex", "hexside", "whole"


@dataclass(frozen=True)
class Word:
    """One word: `group` holds words of which at most one may be said of the same thing ('' for a word by itself).

    `place` is UNIT, HEX (of the unit's hex), HEXSIDE (between it and its enemies) or WHOLE; `side` is "attacker",
    "defender" or "" for both; `kind` "shock", "fire" or "" for both.
    """

    word: str
    place: str
    group: str
    meaning: str
    rule: str
    side: str = ""
    kind: str = ""


WORDS: Sequence[Word] = (
    Word("clear", UNIT, "nothing", "nothing special: holds a unit's place where words for the whole follow", ""),
    # -- units: what they are
    Word("foot", UNIT, "arm", "infantry (the default, unless a weapon is a gun's)", "2.21"),
    Word("mounted", UNIT, "arm", "mounted cavalry", "14.2"),
    Word("dismounted", UNIT, "arm", "dismounted cavalry: one in four holds the horses", "14.25"),
    Word("green", UNIT, "", "green: must commit itself to attack, and its targets are hit better", "14.1"),
    # -- units: their state
    Word("disordered", UNIT, "", "disordered: its rating is the disordered one", "12.3"),
    Word("collapsed", UNIT, "", "below half its full strength", "12.23"),
    Word("blown", UNIT, "", "blown cavalry", "11.58"),
    Word("low", UNIT, "ammunition", "low on ammunition", "10.69"),
    Word("empty", UNIT, "ammunition", "out of ammunition", "10.69"),
    Word("march", UNIT, "orders", "under March Orders", "6.13"),
    Word("advance", UNIT, "orders", "under Advance Orders (the default)", "6.15"),
    Word("attack", UNIT, "orders", "under Attack Orders (the default of shock attackers on foot or mounted)", "6.16"),
    Word("brigade1", UNIT, "brigade", "of its side's first brigade (the default)", "5.34"),
    Word("brigade2", UNIT, "brigade", "of another brigade with a brigadier of its own, coordinated with it", "5.34"),
    Word("brigade3", UNIT, "brigade", "of a third brigade", "5.34"),
    Word("fatigue0", UNIT, "fatigue", "its brigade at Fatigue Level 0", "17.31"),
    Word("fatigue1", UNIT, "fatigue", "its brigade at Fatigue Level 1", "17.31"),
    Word("fatigue2", UNIT, "fatigue", "its brigade at Fatigue Level 2", "17.31"),
    Word("fatigue3", UNIT, "fatigue", "its brigade at Fatigue Level 3", "17.31"),
    Word("fatigue4", UNIT, "fatigue", "its brigade at Fatigue Level 4", "17.31"),
    # -- units: what they did
    Word("moved", UNIT, "move", "has moved in this activation: the ratio may round for it", "11.43", "attacker"),
    Word("charge", UNIT, "move", "charges: infantry as in 11.21, cavalry as in 11.5", "11.21", "attacker", "shock"),
    # -- leaders in its hex
    Word("brigadier", UNIT, "brigadier", "its brigadier is stacked with it", "11.72"),
    Word("aggressive", UNIT, "brigadier", "its brigadier is stacked with it, and is aggressive", "11.72"),
    Word("division", UNIT, "", "its division leader is stacked with it: two stars", "11.73"),
    Word("corps", UNIT, "", "its corps commander is stacked with it: three stars", "11.73"),
    # -- where the attackers' hex lies
    Word("front", HEX, "position", "attacks through the front (the default)", "11.44", "attacker"),
    Word("flank", HEX, "position", "attacks through a flank", "11.44", "attacker"),
    Word("rear", HEX, "position", "attacks through the rear", "11.44", "attacker"),
    # -- where supporters stand
    Word("left", HEX, "support", "stands beside the left of its friends (the default of a supporter)", "12.54"),
    Word("right", HEX, "support", "stands beside the right of its friends", "12.54"),
    Word("behind", HEX, "support", "stands behind its friends", "12.45"),
    # -- the whole
    Word("day", WHOLE, "light", "by day (the default)", "16.1"),
    Word("dawn", WHOLE, "light", "at dawn", "16.11"),
    Word("dusk", WHOLE, "light", "at dusk", "16.11"),
    Word("night", WHOLE, "light", "at night", "16.12"),
    Word("surrounded", WHOLE, "", "three attacking hexes all around", "11.44", "", "shock"),
    Word("stand", WHOLE, "retreat", "the defenders stand (the default)", "11.33", "", "shock"),
    Word("give-way", WHOLE, "retreat", "the defenders retreat before shock if they may", "11.33", "", "shock"),
    Word("hold-fire", WHOLE, "", "the defenders do not fire, before the shock or in answer", "10.43"),
    Word("countercharge", WHOLE, "", "defending cavalry meets a charge with its own", "11.56", "", "shock"),
    Word("stop", WHOLE, "continue", "nobody continues the shock who need not (the default)", "11.47", "", "shock"),
    Word("continue", WHOLE, "continue", "the attackers always continue the shock", "11.47", "", "shock"),
    Word("pays", WHOLE, "continue", "the attackers continue where the estimate gives them an even chance", "11.47", "",
         "shock"),
    Word("counter", WHOLE, "", "defenders who drive the attackers back shock in turn", "11.47", "", "shock"),
    Word("rapid", WHOLE, "", "guns that can fire rapidly do", "10.68"),
    Word("combined", WHOLE, "", "stacked small arms combine their fire (optional rule)", "10.82", "", "fire"),
    Word("ammunition", WHOLE, "", "small arms run short of ammunition too (optional rule)", "10.91"),
    Word("gringo", WHOLE, "edition", "by the series rules as Gringo! words them", "1.0"),
    Word("into_the_woods", WHOLE, "edition", "by the series rules as Into the Woods words them", "1.0"),
    Word("dead_of_winter", WHOLE, "edition", "by the series rules of Dead of Winter (the default)", "1.0"),
)  # fmt: skip
"""All words but the terrain and hexsides of the charts, and weapons: those are the charts' own."""

BREASTWORKS = Word("breastworks", HEX, "", "behind breastworks that cover its front", "15.2", "defender")
"""Said after terrain, as in woods,breastworks; the charts have it as a hexside."""

CHARTS = "dead_of_winter"
"""The book by whose charts all situations go, whatever their wording of the series rules."""

BOOKS = {"dead_of_winter": "Dead of Winter", "gringo": "Gringo!", "into_the_woods": "Into the Woods"}
"""The books by the words that name their wording of the series rules."""

SLOPE, DOWN = "slope", "_down"
"""The group of slopes, and what follows the name of one that falls to the defenders."""

RANGE = "range"
"""Before a number: `range=4`, in hexes, of a fire."""
