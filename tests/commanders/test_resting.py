"""What the heuristic commander makes of reserve (6.3): who goes there, how long, and where the routed come back."""

import pytest

from simkit.model.battle import DAY, NIGHT, Turn
from simkit.model.forces import ADVANCE, ROUTED

STAYS = -1


@pytest.fixture
def rest(scene, enter):
    """A function that makes a brigade of three regiments with its brigadier, and an enemy in a hex."""

    def make(enemy="A2006", light=DAY):
        made = scene("steady", columns=24)
        made.options.set("fatigue", "yes")
        made.own = made.brigade("1/1/U", 0, ADVANCE)
        made.head = made.leader("Brigade", "A0205", command_range=20)
        made.units = [made.unit(f"U{row}", f"A02{row:02d}", "E", strength=5, full=5) for row in (4, 6, 8)]
        made.foe = made.unit("C", enemy, "W", side=1)
        enter(made, made.units[0])
        made.battle.turns[0] = Turn("turn", light)
        return made

    return make


def placed(made):
    made.series.reserve.phase(0)
    return made.own.in_reserve


def rout(made, count):
    for unit in made.units[:count]:
        made.battle.remove(unit, ROUTED)


@pytest.mark.parametrize(("count", "goes"), [(0, False), (1, False), (2, True), (3, True)])
def test_6_31_6_33_a_brigade_that_is_mostly_routed_goes_in(rest, count, goes):
    made = rest()
    rout(made, count)
    assert placed(made) is goes


@pytest.mark.parametrize(("level", "goes"), [(0, False), (2, False), (3, False), (4, True), (5, True)])
def test_6_31_17_41_a_brigade_at_fatigue_level_2_goes_in(rest, level, goes):
    made = rest()
    made.own.fatigue.place(level)
    assert placed(made) is goes


@pytest.mark.parametrize(("routed", "goes"), [(0, False), (1, True)])
def test_6_31_13_2_an_ineffective_brigade_goes_in_if_that_mends_anything(rest, routed, goes):
    made = rest()
    made.own.ineffective = True
    rout(made, routed)
    assert placed(made) is goes


@pytest.mark.parametrize(("light", "goes"), [(DAY, False), (NIGHT, True)])
def test_16_21_at_night_an_ineffective_brigade_goes_in_for_its_stragglers(rest, light, goes):
    made = rest(light=light)
    made.own.ineffective = True
    made.units[0].full = 9
    assert placed(made) is goes


@pytest.mark.parametrize(("enemy", "goes"), [("A1206", False), ("A1306", True)])
def test_6_31_not_within_ten_hexes_of_the_enemy_though_it_may(rest, enemy, goes):
    made = rest(enemy)
    made.own.fatigue.place(6)
    assert made.series.reserve.qualifies(made.own)
    assert placed(made) is goes


def test_6_34_it_leaves_when_restored(rest):
    made = rest()
    made.own.fatigue.place(6)
    assert placed(made)
    made.series.reserve.recover(0)
    made.series.reserve.release(0)
    assert (made.own.fatigue.level, made.own.in_reserve) == (4, True)
    made.series.reserve.recover(0)
    made.series.reserve.release(0)
    assert (made.own.fatigue.level, made.own.in_reserve, made.own.orders) == (2, False, ADVANCE)


def test_6_34_it_leaves_when_the_enemy_is_near(rest):
    made = rest()
    made.own.fatigue.place(6)
    made.own.in_reserve = True
    assert made.led.leave_reserve(made.series, made.own) == STAYS
    made.battle.lift(made.foe)
    made.battle.stand(made.foe, made.hex("A0906"), True)
    assert made.led.leave_reserve(made.series, made.own) == ADVANCE


def test_6_34_13_52_it_stays_while_somebody_may_come_back(rest):
    made = rest()
    made.own.in_reserve = True
    assert made.led.leave_reserve(made.series, made.own) == ADVANCE
    rout(made, 1)
    assert made.led.leave_reserve(made.series, made.own) == STAYS


@pytest.mark.parametrize("column", [3, 20])
def test_13_52_who_comes_back_stands_away_from_the_enemy(rest, column):
    """13.52: the enemy is on the one side or on the other."""
    made = rest()
    made.battle.stand_leader(made.head, made.hex("A1206"))
    made.battle.lift(made.foe)
    made.battle.stand(made.foe, made.hex(f"A{column:02d}06"), True)
    rout(made, 1)
    places = made.series.reserve.places_for(made.units[0])
    assert len(places) == 7
    chosen = places[made.led.return_to(made.series, made.units[0], places)]
    away = [place.distance_to(made.foe.hex) for place in places]
    assert chosen.distance_to(made.foe.hex) == max(away) > min(away)
