"""What `--format json` promises, over a dozen situations: keys, partitions, sums, and fractions that say the same."""

from fractions import Fraction

import pytest

import simkit
from simkit.odds.answer import FIRE_OUTCOMES, PLACES, SHOCK_OUTCOMES, STATES

PROMISED = [
    "situation", "method", "mass", "outcomes", "events", "attacker_loss", "defender_loss", "success", "expected",
    "steps",
]
BESIDES = {"units", "notes", "sampled"}
STEP = {"step", "chance", "decided", "attacker_loss", "defender_loss", "branches", "states"}
LINES = [
    "shock 8/6 vs 5/5",
    "shock 8/6 charge,brigadier vs 5/5 woods,breastworks",
    "shock 8/6 green,brigadier vs 5/5",
    "shock 6/6 flank vs 6/5 minor_slope continue",
    "shock 4/4 vs 8/6 clear counter",
    "shock 8/6 vs 5/5 clear night,give-way",
    "shock 8/6 mounted,charge vs 5/5 mounted countercharge",
    "shock 5/6 fatigue2 vs 4/6 N,breastworks",
    "shock 9/7 vs 3of8/4/1 collapsed,march gringo",
    "fire 8/6 vs 5/5 woods range=2",
    "fire 6/6 2N,4R3 vs 5/5 with 3/4 right",
    "fire 8/6 vs 5/5 disordered hold-fire",
    "fire 4/6 N vs 6/5 green rapid",
]


def floats(data):
    """All floats of nested data."""
    if isinstance(data, dict):
        return [found for value in data.values() for found in floats(value)]
    if isinstance(data, list):
        return [found for value in data for found in floats(value)]
    return [data] if isinstance(data, float) else []


@pytest.mark.parametrize("line", LINES)
def test_the_json_is_as_promised(line):
    kind, _, rest = line.partition(" ")
    answer = getattr(simkit.odds, kind)(rest)
    data = answer.as_json()
    assert list(data)[: len(PROMISED)] == PROMISED
    assert set(data) - set(PROMISED) <= BESIDES
    assert data["situation"] == line
    assert (data["method"], data["mass"]) == ("exact", 1.0)
    assert list(data["outcomes"]) == list(SHOCK_OUTCOMES if kind == "shock" else FIRE_OUTCOMES)
    for part in ("outcomes", "attacker_loss", "defender_loss"):
        assert abs(sum(data[part].values()) - 1) < 1e-12
        assert sum(Fraction(text) for text in answer.as_json(fractions=True)[part].values()) == 1
    for side in ("attacker_loss", "defender_loss"):
        assert all(str(int(points)) == points for points in data[side])
        mean = sum(int(points) * chance for points, chance in data[side].items())
        assert abs(data["expected"][side] - mean) < 1e-12
    assert set(data["expected"]) == {"attacker_loss", "defender_loss"}
    for chances in data["units"].values():
        assert set(chances) <= {*PLACES, *STATES}
        assert abs(sum(chances.get(place, 0.0) for place in PLACES) - 1) < 1e-12
    assert all(set(step) == STEP for step in data["steps"])
    assert 0 <= data["success"] <= 1
    assert all(0 <= chance <= 1 for chance in data["events"].values())
    assert all(number >= 0 for number in floats(data))


def test_hex_taken_is_success_and_hex_carried_no_less():
    """11.46, 11.47: who must continue a shock leaves the hex that he has carried."""
    answer = simkit.odds.shock("8/6 charge,brigadier vs 5/5")
    taken, carried = answer.events["hex taken"], answer.events["hex carried"]
    beyond = answer.units["attacker 1"]["beyond the target hex"]
    assert taken == answer.success < carried
    # he who carried it is in it, beyond it, or was thrown back from there
    assert taken + beyond <= carried
    stopping = simkit.odds.shock("8/6 brigadier vs 5/5 clear stop")
    assert stopping.events["hex carried"] == stopping.success


def test_11_47_defenders_who_shock_in_turn_advance_and_do_not_retreat():
    plain, counter = simkit.odds.shock("4/4 vs 8/6"), simkit.odds.shock("4/4 vs 8/6 clear counter")
    assert counter.units["defender 1"]["advances"] > 0
    assert counter.outcomes["attacker repulsed"] >= plain.outcomes["attacker repulsed"] - plain.outcomes["standoff"]
    assert counter.outcomes["defender retreats"] < plain.outcomes["attacker repulsed"]
