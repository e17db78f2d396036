"""Rules of chapters 11 and 12 that the books word differently, each played by every wording (docs/editions.md)."""

import pytest

from simkit.model.charts import CAUSE_FIRE, CAUSE_REACTION_FACING, CAUSE_SHOCK
from simkit.model.forces import ARTILLERY, ATTACK, CAVALRY, EXTENDED_LINE, ON_MAP, ROUTED
from simkit.rules.commander import Designation
from simkit.rules.options import EDITIONS
from simkit.rules.shockinprogress import Attacker, ShockInProgress

GRINGO_ALONE = [("gringo", True), ("into_the_woods", False), ("dead_of_winter", False)]
NEWER_ALONE = [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)]


def edition(name):
    return {"edition": name}


def shock(f, *pairs):
    f.series.shock.conduct([Designation(list(a), list(t)) for a, t in pairs], f.battle.active)
    assert f.dice.used_up(), f.dice.asked
    return f.events("shock")


def put(f, *attackers, targets, continued=0):
    made = [Attacker(unit, unit.hex, unit.heading, unit.moved, unit.charging) for unit in attackers]
    return ShockInProgress(attackers[0].side, made, list(targets), continued)


# -- combining and position ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "may"), GRINGO_ALONE)
def test_11_32_adjacent_mounted_cavalry_may_or_must_combine(field, name, may):
    """11.32: adjacent cavalry that shocks one hex may combine by Gringo!, and must by the newer books."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", orders=ATTACK, kind=CAVALRY)
    b = f.unit("b", "A0405", "E", orders=ATTACK, kind=CAVALRY)
    d = f.unit("d", "A0504", "W", side=1)
    f.play(options=edition(name))
    f.begin(a)
    apart = [Designation([a], [d.hex]), Designation([b], [d.hex])]
    assert (f.series.shock.check(apart, f.battle.active) == []) is may
    assert f.series.shock.check([Designation([a, b], [d.hex])], f.battle.active) == []


@pytest.mark.parametrize(("name", "shared"), NEWER_ALONE)
def test_11_44_who_shares_the_position(field, name, shared):
    """11.44: attackers who may not combine share it by the newer books, by Gringo! those who are not adjacent."""
    f = field(12, 12)
    foot = f.unit("foot", "A0404", "E", orders=ATTACK)
    horse = f.unit("horse", "A0503", "SSE", orders=ATTACK, kind=CAVALRY)
    far = f.unit("far", "A0605", "W", orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1)
    f.play(options=edition(name))
    f.begin(foot)
    position = f.charts.shock.position
    together = [put(f, foot, targets=[d.hex]), put(f, horse, targets=[d.hex])]
    wanted = position(True, True, False) if shared else position(True, False, False)
    assert f.series.shock.position_drm(together[0], together) == wanted
    opposite = [put(f, foot, targets=[d.hex]), put(f, far, targets=[d.hex])]
    assert f.series.shock.position_drm(opposite[0], opposite) == position(True, False, True)


@pytest.mark.parametrize(("name", "shared"), GRINGO_ALONE)
def test_11_44_the_position_of_a_continued_shock(field, name, shared):
    """11.44: only the newer books reckon the position of a continued shock by itself."""
    f = field(12, 12)
    west = f.unit("west", "A0404", "E", orders=ATTACK)
    east = f.unit("east", "A0605", "W", orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1)
    f.play(options=edition(name))
    f.begin(west)
    both = [put(f, west, targets=[d.hex], continued=1), put(f, east, targets=[d.hex])]
    position = f.charts.shock.position
    assert f.series.shock.position_drm(both[0], both) == (position(True, False, True) if shared else 0)


@pytest.mark.parametrize("name", EDITIONS)
def test_11_44_surrounded_counts_for_all_whoever_may_combine(field, name):
    """11.44: the five for a surrounded defender hold for all shocks by every wording."""
    f = field(12, 12)
    north = f.unit("north", "A0503", "SSE", orders=ATTACK)
    south = f.unit("south", "A0505", "NNW", orders=ATTACK)
    west = f.unit("west", "A0404", "E", orders=ATTACK, kind=CAVALRY)
    east = f.unit("east", "A0605", "W", orders=ATTACK, kind=CAVALRY)
    d = f.unit("d", "A0504", "W", side=1)
    f.play(options=edition(name))
    f.begin(north)
    shocks = [put(f, unit, targets=[d.hex]) for unit in (north, south, west, east)]
    assert [f.series.shock.position_drm(one, shocks) for one in shocks] == [5] * 4


# -- retreat before shock, advance, continued shock ------------------------------------------------------------------


@pytest.mark.parametrize(("name", "may"), GRINGO_ALONE)
def test_11_47_retreat_before_a_continued_shock_while_another_shock_waits(field, name, may):
    """11.47: who awaits another shock may no longer retreat before a continued one; Gringo! does not forbid it."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    b = f.unit("b", "A0405", "E", orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1)
    f.play(options=edition(name))
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 4
    s = f.series.shock
    s.designate([Designation([b], [d.hex])], f.battle.active)
    s.begin_continued([put(f, a, targets=[d.hex], continued=1)])
    assert ("retreat_before_shock" in f.asked[1]) is may


@pytest.mark.parametrize("name", EDITIONS)
def test_11_35_10_43_free_neighbours_fire_after_a_retreat_by_every_wording(field, name):
    """11.35 of Gringo! only says that the shock ends; its 10.43 lets others fire whether the target retreats or not."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK)
    d = f.unit("d", "A0503", "W", strength=4, side=1)
    f.unit("n", "A0405", "NNE", strength=4, side=1)
    f.play([("fire", 0)], options=edition(name))
    f.begin(a)
    f.answers[1]["retreat_before_shock"] = [True]
    f.answers[1]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0603")]
    f.answers[0]["advance_after_retreat"] = [False]
    assert shock(f, ([a], [d.hex])) == []
    assert [event.mode for event in f.events("fire")] == ["pre-shock"]


@pytest.mark.parametrize(("name", "first"), NEWER_ALONE)
def test_11_46_12_6_charging_units_advance_first(field, name, first):
    """11.46, 12.6: who charges goes first by the newer books; by Gringo! the tops of the stacks do."""
    f = field(12, 12)
    slow = f.unit("slow", "A0404", "E", strength=5, orders=ATTACK)
    eager = f.unit("eager", "A0405", "E", strength=5, orders=ATTACK)
    d = f.unit("d", "A0504", "W", side=1, strength=4)
    f.play([("cohesion", 0), ("shock", 9), ("cohesion", 9)], options=edition(name))
    f.begin(slow)
    eager.moved = eager.came_adjacent = True
    f.answers[1]["pre_shock_fire"] = [-1]
    f.answers[0]["continue_shock"] = [False] * 3
    shock(f, ([slow, eager], [d.hex]))
    advanced = [event.unit for event in f.events("advance")]
    assert advanced[0] == (eager.id if first else slow.id)


@pytest.mark.parametrize(("name", "faced"), NEWER_ALONE)
def test_11_47_who_comes_next_to_an_enemy_must_turn_to_him(field, name, faced):
    """11.47: the newer books make the attacker turn a vertex to face an enemy; Gringo! leaves that turn to him."""
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=12, orders=ATTACK)
    d = f.unit("d", "A0504", "W", strength=4, side=1, disordered=True)
    e = f.unit("e", "A0505", "E", strength=4, side=1)
    # d routs because of its check, and e beside it holds
    f.play([("cohesion", 9), ("cohesion", 9), ("cohesion", 0)], options=edition(name))
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 4
    f.answers[0]["continue_shock"] = [True]
    if faced:
        # 3-1 +3, flank +2, no brigadier -1, continued -1: a standoff
        f.roll(("shock", 0), ("cohesion", 0), ("cohesion", 0))
    made = shock(f, ([a], [d.hex]))
    assert d.place == ROUTED and a.hex.id == "A0504"
    assert [(event.mode, event.target, event.adjusted) for event in made] == ([("continued", e.id, 3)] if faced else [])


@pytest.mark.parametrize(("name", "wraps"), GRINGO_ALONE)
def test_11_47_8_48_a_line_wraps_around_in_a_continued_shock(field, name, wraps):
    """11.47: the newer books forbid a line that continues to wrap around; Gringo! applies the steps as they are."""
    f = field(10, 12)
    line = f.unit("line", "A0405", "E", strength=10, orders=ATTACK)
    d = f.unit("d", "A0506", "W", strength=10, side=1)
    f.play(options=edition(name))
    f.battle.add_part(line, f.hex("A0406"), 0, EXTENDED_LINE)
    f.begin(line)
    f.answers[1]["pre_shock_fire"] = [-1] * 4
    again = put(f, line, targets=[d.hex], continued=1)
    assert f.series.shock.wrap_ways(again.attackers[0], d.hex)
    f.series.shock.begin_continued([again])
    assert ("wrap_around" in f.asked[0]) is wraps


# -- after the shock -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "strength"), [("gringo", 7), ("into_the_woods", 8), ("dead_of_winter", 8)])
def test_11_48_disordered_mounted_attackers_lose_a_point(field, name, strength):
    """11.48: by Gringo! every stack of attackers with a disordered unit loses a point, by the newer not the mounted."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", strength=8, orders=ATTACK, kind=CAVALRY, disordered=True)
    d = f.unit("d", "A0504", "W", strength=4, side=1)
    # 2-1 +2, disordered -1, no brigadier -1: 5 gives 5
    f.play([("cohesion", 0), ("shock", 5)], options=edition(name))
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1]
    shock(f, ([a], [d.hex]))
    assert a.blown and a.strength == strength


@pytest.mark.parametrize(("name", "helps"), GRINGO_ALONE)
def test_11_73_a_leader_who_had_to_join_a_unit(field, name, helps):
    """11.73: its second note, that he may not assist in that activation, is not in Gringo!."""
    f = field(8, 8)
    a = f.unit("a", "A0404", "E")
    chief = f.leader("chief", "A0404")
    f.play(options=edition(name))
    chief.joined = True
    assert f.series.command.stars(a) == (1 if helps else 0)


@pytest.mark.parametrize(("name", "slower"), NEWER_ALONE)
def test_12_31_disordered_guns_and_their_movement(field, name, slower):
    """12.31: disorder does not slow guns by Gringo!; by the newer books players may agree on that."""
    f = field(8, 8)
    guns = f.unit("guns", "A0404", "E", kind=ARTILLERY, movement=6, movement_disordered=4, disordered=True)
    f.play(options=edition(name))
    f.begin(guns)
    assert f.series.movement.allowance(guns) == (8 if slower else 12)


@pytest.mark.parametrize(("name", "ends"), [
    ("gringo", ["A0504"]), ("into_the_woods", ["A0503"]), ("dead_of_winter", ["A0503"]),
])
def test_12_44_where_a_retreat_ends(field, name, ends):
    """12.44: away from the closest enemy and then from the cause; or from the closest, and beside no other enemy.

    A0503 and A0504 are farther from the closest enemy; A0503 is as near to the cause as A0404, A0504 beside the other.
    """
    f = field(12, 12)
    a = f.unit("a", "A0404", "E")
    f.unit("closest", "A0304", "W", side=1)
    f.unit("cause", "A0402", "NNE", side=1)
    f.unit("other", "A0605", "E", side=1)
    f.play(options=edition(name))
    ways = f.series.retreat.ways([a], 1, 1, [f.hex("A0402")])
    assert sorted(way.end().id for way in ways) == ends


@pytest.mark.parametrize(("name", "asked"), [("gringo", 1), ("into_the_woods", 2), ("dead_of_winter", 2)])
def test_12_44_a_stack_that_fire_drives_back(field, name, asked):
    """12.44: by Gringo! stacked units always retreat as a stack, by the newer books those that a shock drives back."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", disordered=True)
    b = f.unit("b", "A0404", "E", disordered=True)
    f.unit("e", "A0704", "W", side=1)
    f.play(options=edition(name))
    f.begin(f.battle.brigades[1])
    f.series.results.begin([f.hex("A0704")])
    f.series.results.disorder(a, CAUSE_FIRE)
    f.series.results.disorder(b, CAUSE_FIRE)
    f.series.results.end()
    assert f.asked[0].count("retreat") == asked
    assert a.hex.id != "A0404" and b.hex.id != "A0404"


@pytest.mark.parametrize(("name", "checks"), [
    ("gringo", ["retreat through", "rout"]), ("into_the_woods", ["rout", "retreat through"]),
    ("dead_of_winter", ["rout", "retreat through"]),
])
def test_12_46_friends_check_before_or_after_the_rout_check(field, name, checks):
    """12.46: those retreated through check at the end of the retreat, or only after the rout check of who retreated."""
    f = field(8, 8)
    a = f.unit("a", "A0404", "E", strength=3, full=8, disordered=True)
    mate = f.unit("mate", "A0304", "E", strength=9)
    f.unit("e", "A0504", "W", side=1)
    f.play([("cohesion", 0), ("cohesion", 0)], options=edition(name))
    a.collapsed = True
    f.begin(f.battle.brigades[1])
    results = f.series.results
    results.begin([f.hex("A0504")])
    results.retreated_through([mate], mate.hex)
    results.rout_check(a)
    results.end()
    assert [event.mode for event in f.events("udd")] == checks


@pytest.mark.parametrize(("name", "rating"), [("gringo", True), ("into_the_woods", False), ("dead_of_winter", False)])
def test_12_54_12_73_a_leader_left_alone_by_a_rout(field, name, rating):
    """12.54: by Gringo!'s play note he is with the neighbours before they check, and helps one (11.73)."""
    f = field(8, 8)
    a = f.unit("a", "A0404", "E", disordered=True)
    mate = f.unit("mate", "A0403", "E")
    chief = f.leader("chief", "A0404")
    f.unit("e", "A0504", "W", side=1)
    f.play([("cohesion", 7)], options=edition(name))
    f.begin(f.battle.brigades[1])
    f.series.results.rout(a, "test")
    assert chief.hex is mate.hex
    assert mate.disordered is not rating  # 7 passes a rating of 6 only with his star


@pytest.mark.parametrize(("name", "rolls"), [("gringo", 1), ("into_the_woods", 0), ("dead_of_winter", 0)])
def test_12_71_steps_lost_by_reaction_to_an_advance(field, name, rolls):
    """12.71: Gringo! counts steps lost in all shock steps to 6d, the newer books those of 2, 4, 5 and 6b."""
    f = field(8, 8)
    a = f.unit("a", "A0404", "E", orders=ATTACK)
    d = f.unit("d", "A0604", "W", side=1, disordered=True)
    f.leader("chief", "A0604", side=1)
    f.play([("cohesion", 0)] + [("leader", 9)] * rolls, options=edition(name))
    f.begin(a)
    f.series.shock.shocks = [put(f, a, targets=[f.hex("A0503")])]
    f.series.results.begin([a.hex])
    f.series.results.disorder(d, CAUSE_REACTION_FACING)
    f.series.results.end()
    assert d.strength == 4 and f.dice.used_up()


@pytest.mark.parametrize(("name", "manned"), GRINGO_ALONE)
def test_12_81_when_a_crew_comes_back(field, name, manned):
    """12.81: at once by Gringo!, so before the shocks of the activation; at its end by the newer books."""
    f = field(12, 12)
    guns = f.unit("guns", "A0304", "E", kind=ARTILLERY)
    a = f.unit("a", "A0304", "E", orders=ATTACK)
    f.play(options=edition(name))
    f.battle.abandon(guns, 1)
    f.begin(a)
    guns.crew_back = True
    f.series.shock.conduct([], f.battle.active)
    assert (guns.abandoned == 0) is manned


@pytest.mark.parametrize("name", EDITIONS)
def test_12_35_the_lines_that_gringo_has_lost_hold_all_the_same(field, name):
    """12.35: Gringo! announces a to e and cites e at 8.35 and 12.22, so c, d and e hold: one point for a stack."""
    f = field(12, 12)
    a = f.unit("a", "A0404", "E", disordered=True)
    b = f.unit("b", "A0404", "E", disordered=True)
    f.play([("cohesion", 0), ("cohesion", 0)], options=edition(name))
    f.begin(f.battle.brigades[1])
    f.series.results.begin([])
    f.series.results.disorder(a, CAUSE_SHOCK)
    f.series.results.disorder(b, CAUSE_SHOCK)
    f.series.results.end()
    assert (a.strength, b.strength, a.place, b.place) == (4, 5, ON_MAP, ON_MAP)

