"""The exact chances of forty situations of `simkit odds`, against a hundred thousand draws of the keyed dice each.

Both play the very rules: the enumerating tape step by step, equal positions merged, the keyed dice from start to end.
What the sample shows must be among the exact endings, and its counts must fit their chances by the chi-square test. The
keys are fixed, so a passing test keeps passing; for other keys the level is such that all situations together raise a
false alarm once in a thousand times. The interpreted engine, ten times slower, makes do with fewer draws. A million
draws each: `python tests/verification/draw_situations.py`.
"""

import importlib.util
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from simkit import engine

_spec = importlib.util.spec_from_file_location("drawing", Path(__file__).with_name("drawing.py"))
drawing = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(drawing)

SITUATIONS = tomllib.loads(Path(__file__).with_name("situations_sampled.toml").read_text(encoding="utf-8"))["situation"]
LINES = [situation["line"] for situation in SITUATIONS]
DRAWS = 100_000 if engine.compiled() else 1_000
FALSE_ALARM = 0.001  # for all situations of this file together


def test_there_are_forty_of_all_kinds():
    """11.1, 10.1: shocks and fires, each once; so many share the budget of false alarms."""
    assert len(set(LINES)) == len(LINES) == 40
    kinds = Counter(line.partition(" ")[0] for line in LINES)
    assert min(kinds["shock"], kinds["fire"]) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_drawn_situations_fit_their_exact_chances_10_17_11_11(line):
    """10.17, 11.11, 2.5: no ending that is not among the exact ones, and counts that fit the chances of these."""
    combat = drawing.Combat(line)
    chances = combat.exact()
    assert sum(chances.values()) == 1
    assert len(chances) > 2, "nothing was at stake"
    counts = combat.sampled(DRAWS, 101 + LINES.index(line))
    assert counts.total() == DRAWS
    assert not set(counts) - set(chances), "an ending that no branch leads to"
    assert drawing.p_value(chances, counts, DRAWS) > FALSE_ALARM / len(LINES)


def test_the_check_finds_a_face_that_counts_double_11_45():
    """11.45: exact chances in which one face of the last die had counted for two would not pass."""
    combat = drawing.Combat(LINES[0])
    chances = combat.exact()
    counts = combat.sampled(DRAWS, 7)
    likeliest = sorted(chances, key=chances.get)[-2:]
    bent = dict(chances)
    bent[likeliest[0]] -= chances[likeliest[0]] / 10
    bent[likeliest[1]] += chances[likeliest[0]] / 10
    assert sum(bent.values()) == Fraction(1)
    draws = counts.total()
    assert drawing.p_value(chances, counts, draws) > FALSE_ALARM
    assert drawing.p_value(bent, counts, draws) < drawing.p_value(chances, counts, draws)
    if engine.compiled():
        assert drawing.p_value(bent, counts, draws) < FALSE_ALARM / len(LINES)
