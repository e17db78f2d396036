"""What the heuristic commander does with pioneers at fords and bridges (18.3 of Dead of Winter)."""

import pytest

UNION = 0


@pytest.fixture
def ford(scene, enter):
    """A pioneer brigade beside a poor ford, a regiment that may use it, an enemy far to the east: who moves?"""

    def made(doctrine="steady", enemy="A2406", user="A0704", over="ford_b", turn=0):
        f = scene(doctrine, columns=24)
        opened = ("A0706", "A0806") if over == "bridge" else ()
        f.water("A0706", "A0806", over, opened_from=opened)
        f.leader("Morton", "A0706")
        pioneers = f.unit("1 Bn", "A0706", "E", strength=8)
        f.unit("22 IN", user, "E", brigade=f.brigade("2/1/U"))
        f.unit("C", enemy, "W", side=1)
        f.battle.pioneers = [pioneers]
        f.battle.turn = turn
        leader = enter(f, pioneers)
        f.series.movement.prepare(pioneers)
        return f, pioneers, leader

    return made


@pytest.mark.parametrize(("changes", "stays"), [
    ({}, True),
    ({"doctrine": "aggressive"}, False),  # who attacks wants them in the line
    ({"enemy": "A1206"}, False),  # the enemy is at hand
    ({"user": "A0101"}, False),  # nobody will cross soon
    ({"over": "bridge"}, True),
    ({"over": "bridge", "turn": 1}, False),  # it could not be open before the end
])
def test_pioneers_stay_at_a_crossing_when_it_serves(ford, changes, stays):
    f, pioneers, leader = ford(**changes)
    assert leader.holds_a_crossing(f.series, pioneers) is stays
    leader.act(f.series, [pioneers.command])
    if stays:
        assert (pioneers.hex.id, pioneers.moved, pioneers.fired) == ("A0706", False, False)


def test_other_infantry_and_disordered_pioneers_do_not(ford):
    f, pioneers, leader = ford()
    other = next(unit for unit in f.battle.units if unit.name == "22 IN")
    assert not leader.holds_a_crossing(f.series, other)
    pioneers.disordered = True
    assert not leader.holds_a_crossing(f.series, pioneers)
