"""Every word of the vocabulary changes something: the chances of the combat, or what the rules allow."""

import pytest

from simkit import odds
from simkit.errors import InputError
from simkit.odds.grammar import charts_of, vocabulary

KNOWN = vocabulary(charts_of())
USUAL = {
    "clear", "foot", "advance", "front", "day", "stand", "stop", "dead_of_winter",  # what holds where nothing is said
    "brigade1", "fatigue0", "field", "orchard", "gradual_slope", "minor_slope_down",  # no value of the charts differs
    "R", "M", "C", "N", "TB", "H12", "J",  # alike near at hand: see the test below
    "river",  # nobody may stand in it (18.1)
    "left",  # the usual place of a supporter
    "ammunition",  # the units' ammunition after the fire, which no chance of this combat shows (10.91)
    "into_the_woods",  # no wording of it bears on a lone fire or shock
}
ATTACKER = "8/6{} vs 8/6"
DEFENDER = "8/6 vs 8/6{}"
WHOLE = "8/6 vs 8/6 clear{}"
SUPPORT = "8/6 vs 4/4 with 3/3{}"
LINES = {
    "mounted": ATTACKER, "dismounted": ATTACKER, "green": ATTACKER, "collapsed": ATTACKER, "attack": DEFENDER,
    "march": DEFENDER, "blown": "8/6 vs 8/6 mounted{}", "fatigue1": DEFENDER,
    "brigade2": "8/6 brigadier | 4/6{} vs 8/6", "brigade3": "8/6 brigadier | 4/6{} vs 8/6",
    "right": SUPPORT, "behind": SUPPORT, "continue": "12/6 vs 4/4 clear{}", "pays": "12/6 vs 4/4 clear{}",
    "counter": "4/4 vs 8/6 clear{}", "countercharge": "8/6 mounted,charge vs 6/6 mounted{}",
    "rapid": "fire 4/6 N vs 8/6 clear{}", "combined": "fire 5/6 + 4/6 vs 8/6 clear{}",
    "moved": "5/6{} vs 3/5", "low": "fire 8/6{} vs 8/6", "empty": DEFENDER, "division": ATTACKER, "corps": ATTACKER,
    "give-way": "8/6 vs 8/6 clear{}", "gringo": "8/6 charge vs 8/6 clear{}",
    "dawn": "fire 8/6 vs 8/6 clear range=2{}", "dusk": "fire 8/6 vs 8/6 clear range=2{}", "night": WHOLE,
}  # fmt: skip


def chances(line):
    kind = "fire" if line.startswith("fire ") else "shock"
    answer = getattr(odds, kind)(line.removeprefix("fire "))
    steps = [(step.name, step.chance, step.decided) for step in answer.steps]
    return answer.outcomes, answer.events, answer.attacker_loss, answer.defender_loss, steps


def line_for(word):
    if word.word in LINES:
        return LINES[word.word]
    if word.group == "weapon":
        return "fire 8/6{} vs 8/6" if not charts_of().weapon(word.word).artillery else "fire 4/6{} vs 8/6 clear range=8"
    if word.place == "whole":
        return WHOLE
    if word.place == "hexside" or word.group == "terrain" or word.side == "defender":
        return DEFENDER
    return ATTACKER


@pytest.mark.parametrize("name", [name for name in KNOWN if name not in USUAL])
def test_a_word_changes_the_chances(name):
    """What is said is never passed over: the chances are others, or the rules forbid it and say so."""
    template = line_for(KNOWN[name])
    head = template.partition("{}")[0]
    before = head.rsplit(maxsplit=1)[-1] if not head.endswith(" ") else ""
    joined = "," if before and not before[0].isdigit() and before != "clear" else " "
    if before.startswith("range") or KNOWN[name].place == "whole":
        joined = "," if "range" in before else " "
    plain = template.format("")
    if name in ("R3", "P10"):
        plain = template.format(" N")
    if name == "surrounded":
        assert chances("4/6 | 4/6 | 4/6 vs 8/6 surrounded") != chances("4/6 | 4/6 flank | 4/6 flank vs 8/6")
        return
    if name in ("sheer_slope", "sheer_slope_down"):
        with pytest.raises(InputError, match=r"11\.12"):
            chances(template.format(joined + name))
        return
    assert chances(template.format(joined + name)) != chances(plain)


def test_2_21_10_12_weapons_that_fire_alike_near_at_hand_differ_far_off():
    """2.21, 10.12: what the Range Chart says of each weapon, beyond two hexes and where its range ends."""
    alike = [("fire 8/6{} vs 8/6 clear range=2", "R", "M"), ("fire 4/6{} vs 8/6 clear range=7", "N", "J"),
             ("fire 8/6{} vs 8/6 clear range=3", "R", "C"), ("fire 4/6{} vs 8/6 clear range=6", "N", "TB"),
             ("fire 4/6{} vs 8/6 clear range=6", "N", "H12")]
    for line, usual, other in alike:
        assert chances(line.format(f" {usual}")) != chances(line.format(f" {other}")), (line, other)
    for line, code in (("fire 8/6{} vs 8/6 clear range=3", "M"), ("fire 4/6{} vs 8/6 clear range=11", "H12")):
        with pytest.raises(InputError, match=r"10\.12"):
            chances(line.format(f" {code}"))
