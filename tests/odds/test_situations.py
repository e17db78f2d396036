"""Situations in one line: their adjustments by hand, their canonical text, and the messages for wrong ones."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit import odds
from simkit.errors import InputError
from simkit.odds.grammar import charts_of, parse, vocabulary
from simkit.odds.layout import lay_out
from simkit.odds.words import BREASTWORKS, HEXSIDE, WHOLE

CASES = tomllib.loads(Path(__file__).with_name("situation_cases.toml").read_text(encoding="utf-8"))["case"]
KNOWN = vocabulary(charts_of())


@pytest.mark.parametrize("case", CASES, ids=[case["line"] for case in CASES])
def test_11_42_adjustments_of_a_laid_out_situation_worked_by_hand(case):
    """11.37, 11.42, 11.43, 11.44: the rules find in the battle of a line what a player adds up from the charts."""
    layout = lay_out(parse(case["line"]))
    shock = layout.series.shock
    shock.designate(list(layout.designations), layout.battle.active)
    found = [shock.modifiers(each, shock.shocks).text() for each in shock.shocks]
    assert [sorted(text.split(", ")) for text in found] == [sorted(text.split(", ")) for text in case["drms"]]
    checks = [shock.pre_shock_drm(target, shock.shocks_against(target)) for target in layout.targets]
    assert checks == case["check"]


def _fighters(side, kind, support):
    """Texts of units whose words may stand together by the vocabulary's own groups."""
    words = [
        word for word in KNOWN.values()
        if word.place != WHOLE and word.side in ("", side) and word.kind in ("", kind)
        and (word.group != "support" or support) and (word.group != "position" or not support)
        and not (support and (word.place == HEXSIDE or word is BREASTWORKS))
    ]
    several = st.lists(st.sampled_from(words), max_size=5, unique_by=lambda word: word.group or word.word)

    def text(numbers, said):
        strength, more, cohesion, back = numbers
        return f"{strength}of{strength + more}/{cohesion}/{back}" + (
            f" {','.join(word.word for word in said)}" if said else " clear"
        )

    numbers = st.tuples(st.integers(1, 20), st.integers(0, 10), st.integers(0, 9), st.integers(0, 9))
    return st.builds(text, numbers, several)


@st.composite
def lines(draw):
    kind = draw(st.sampled_from(["shock", "fire"]))
    sides = []
    for side in ("attacker", "defender"):
        stack = st.lists(_fighters(side, kind, support=False), min_size=1, max_size=3).map(" + ".join)
        text = draw(st.lists(stack, min_size=1, max_size=3).map(" | ".join))
        support = draw(st.lists(_fighters(side, kind, support=True), max_size=2))
        sides.append(text + (f" with {' + '.join(support)}" if support else ""))
    whole = [word for word in KNOWN.values() if word.place == WHOLE and word.kind in ("", kind) and not word.side]
    come_from = any(word in sides[0].replace(",", " ").split() for word in ("front", "flank", "rear"))
    whole = [word for word in whole if word.word != "surrounded" or not come_from]
    said = draw(st.lists(st.sampled_from(whole), max_size=4, unique_by=lambda word: word.group or word.word))
    names = [word.word for word in said] + (["range=4"] if kind == "fire" and draw(st.booleans()) else [])
    return f"{kind} {' vs '.join(sides)}" + (f" {','.join(names)}" if names else "")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(lines())
def test_the_text_of_a_situation_reads_as_the_same_situation(line):
    """Canonical text: it reads as the situation that it is of, and is written the same again."""
    situation = parse(line)
    again = parse(str(situation), situation.kind)
    assert again == situation
    assert str(again) == str(situation)


WRONG = [
    ("8/6 charg vs 5/5", 4, "charge"),
    ("8/6 vs", 6, "strength/cohesion"),
    ("8/6 charge", 10, "vs"),
    ("8/6 vs 5/5 x", 11, "unknown word"),
    ("0/6 vs 5/5", 0, "strength"),
    ("1000/6 vs 5/5", 0, "strength"),
    ("8/12 vs 5/5", 0, "Cohesion"),
    ("9of8/6 vs 5/5", 0, "full strength"),
    ("8/6 vs 5/5 woods,woods", 17, "twice"),
    ("8/6 vs 5/5 woods,town", 17, "exclude"),
    ("8/6 march,attack vs 5/5", 10, "exclude"),
    ("8/6 night vs 5/5", 4, "end of the line"),
    ("8/6 breastworks vs 5/5", 4, "defender"),
    ("8/6 vs 5/5 charge", 11, "attacker"),
    ("8/6 left vs 5/5", 4, "with"),
    ("8/6 vs 5/5 range=4", 11, "fire"),
    ("fire 8/6 vs 5/5 range=99", 11, "range"),
    ("8/6 | 8/6 | 8/6 | 8/6 vs 5/5", 16, "at most 3"),
    ("8/6 vs 5/5 night 6/6", 17, "end here"),
]


@pytest.mark.parametrize(("line", "at", "said"), WRONG, ids=[line for line, _, _ in WRONG])
def test_a_wrong_line_gets_one_message_with_a_caret_under_the_place(line, at, said):
    with pytest.raises(InputError) as caught:
        parse(line)
    shown = str(caught.value).splitlines()
    assert said in shown[0]
    caret = next(text for text in shown if text.strip() == "^")
    text = shown[shown.index(caret) - 1]
    assert text.strip() in line
    assert caret.index("^") - (len(text) - len(text.lstrip())) == at


IMPOSSIBLE = [
    ("8/6 vs 8/6 river", 11, "18.1"),
    ("8/6 vs 8/6 sheer_slope", 11, "11.12"),
    ("8/6 vs 8/6 sheer_slope_down", 11, "11.12"),
    ("8/6 steep_slope vs 8/6 minor_slope_down", 4, "one slope"),
    ("8/6 advance,charge vs 5/5", 12, "Advance Orders.*11.21"),
    ("8/6 march vs 5/5", 4, "March Orders"),
    ("4/6 N vs 5/5", 0, "11.61"),
    ("4/6 N,mounted vs 5/5", 6, "gun"),
    ("8/6 vs 5/5 + 4/6 N,attack", 19, "6.18"),
    ("6/6 2R,4N vs 5/5", 0, "no gun"),
    ("8/6 blown vs 5/5", 4, "11.58"),
    ("8/6 vs 8/6 woods + 4/4 town", 23, "terrain"),
    ("8/6 fatigue1 + 4/4 fatigue2 vs 8/6", 19, "17.1"),
    ("8/6 + 8/6 vs 8/6", 6, "8.12"),
    ("8/6 + 4/6 brigade2 vs 8/6", 6, "8.12"),
    ("8/6 vs 8/6 + 4/6 N + 4/6 N", 13, "8.12"),
    ("8/6 vs 8/6 + 4/5 N,fatigue2", 19, "17.1"),
    ("8/6 attack,fatigue4 vs 8/6", 4, "17.32"),
    ("8/6 brigadier + 4/4 brigadier vs 8/6", 20, "two are named"),
    ("8/6 division | 4/4 brigade2,division vs 8/6", 28, "two are named"),
    ("8/6 vs 8/6 clear surrounded", 17, "11.44"),
    ("8/6 flank | 8/6 flank | 8/6 flank vs 8/6", 28, "flank"),
    ("8/6 flank + 4/4 rear vs 8/6", 16, "one place"),
    ("fire 8/6 | 4/4 vs 5/5", 6, "with"),
    ("fire 8/6 empty vs 5/5", 4, "10.69"),
    ("fire 8/6 vs 5/5 clear range=9", 17, "reaches"),
]


@pytest.mark.parametrize(("line", "at", "said"), IMPOSSIBLE, ids=[line for line, _, _ in IMPOSSIBLE])
def test_what_the_rules_forbid_is_refused_by_name_with_a_caret_under_the_place(line, at, said):
    """6.13, 6.18, 10.12, 11.12, 11.21, 11.44, 11.58, 17.1, 17.32, 18.1: no situation is bent to fit the rules."""
    with pytest.raises(InputError, match=said) as caught:
        lay_out(parse(line))
    shown, caret = caught.value.picture
    assert line.endswith(shown)
    assert caret.index("^") == at


def test_words_may_stand_apart_and_are_written_with_commas():
    assert str(parse("8/6 charge, brigadier vs 5/5 , woods breastworks night")) == (
        "8/6 charge,brigadier vs 5/5 woods,breastworks night"
    )


def test_10_23_slopes_lead_up_to_the_defenders_or_down_to_them():
    """10.23: who stands above has the higher hex, on the next hex and from afar."""
    for line, drop in (
        ("8/6 vs 5/5 steep_slope", 2), ("8/6 vs 5/5 steep_slope_down", -2), ("8/6 minor_slope_down vs 5/5", -1),
        ("fire 8/6 vs 5/5 minor_slope range=4", 1), ("fire 8/6 vs 5/5 minor_slope_down range=4", -1),
    ):
        layout = lay_out(parse(line))
        assert layout.targets[0].elevation - layout.attackers[0].hex.elevation == drop, line


def test_2_41_a_battery_has_its_sections_top_first():
    layout = lay_out(parse("fire 6/6 2N,4R3 vs 5/5 range=4"))
    sections = layout.attackers[0].sections
    assert [(section.weapon.code, section.points()) for section in sections] == [("N", 2), ("R3", 4)]
    assert layout.attackers[0].strength == 6


def test_5_34_17_1_brigades_have_brigadiers_and_fatigue_of_their_own():
    """5.34, 11.42, 17.1: coordinated brigades shock together; of different levels the worst for the attacker counts."""
    layout = lay_out(parse("5/6 brigadier,fatigue1 | 4/6 brigade2,brigadier,fatigue3 vs 8/6"))
    assert len({unit.command for unit in layout.attackers}) == len(layout.battle.active) == 2
    assert [unit.fatigue.number() for unit in layout.attackers] == [1, 3]
    assert len(layout.designations) == 1
    shock = layout.series.shock
    shock.designate(list(layout.designations), layout.battle.active)
    assert "attacker fatigue -2" in shock.modifiers(shock.shocks[0], shock.shocks).text()


def test_a_kind_that_is_neither_shock_nor_fire():
    with pytest.raises(InputError, match='kind: must be "shock" or "fire", not '):
        odds.read("8/6 vs 5/5")
