"""Event markers in the pool and what they bring (5.31, 19.0 of Dead of Winter and Into the Woods)."""

from importlib.resources import files

import pytest

from simkit.errors import InputError
from simkit.model.battle import EVENT_MARKER, MARCH_MARKER, NIGHT
from simkit.model.counters import Ratings
from simkit.model.events import EITHER, NO_EVENT, NONE, EventChart, EventMarkers, RandomEvent
from simkit.model.forces import EXTENDED_LINE, MARCH, ON_MAP
from simkit.model.sections import divide
from simkit.scenario import events as reading

UNION, CONFEDERATE = 0, 1
PRINTED = files("simkit.books.dead_of_winter") / "random_events.toml"


def event(kind, **fields):
    made = RandomEvent(kind, kind)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def chart(made, owners=(EITHER,) * 10, none_if_last=False, by_day=False):
    return EventChart("Random Events", list(owners), [made] * 10, none_if_last, by_day)


@pytest.fixture
def near(field):
    """Two regiments of each side three hexes apart, and a scenario with one event marker."""
    f = field(12, 6)
    f.a = f.unit("22 IN", "A0303", "E", strength=6)
    f.b = f.unit("81 IN", "A0203", "E", strength=4)
    f.c = f.unit("1 TN", "A0603", "W", strength=7, side=1)
    f.d = f.unit("9 TN", "A0703", "W", strength=5, side=1)

    def play(made, *faces, owners=(EITHER,) * 10, none_if_last=False, by_day=False):
        f.play(faces)
        f.series.scenario.events.append(EventMarkers(chart(made, owners, none_if_last, by_day), 1, 0, 9))
        f.series.activation.begin_turn()
        f.series.activation.fill_pool()
        f.marker = next(marker for marker in f.battle.pool if marker.kind == EVENT_MARKER)
        f.battle.pool.remove(f.marker)
        return f

    f.with_event = play
    return f


def told(f):
    return [(e.side, e.result) for e in f.events("event")]


def test_5_31_the_event_marker_is_in_the_pool_of_the_turns_that_the_scenario_names(near):
    f = near.with_event(event(NONE))
    markers = f.series.scenario.events[0]
    markers.first, markers.last, markers.number = 1, 2, 3
    in_pool = []
    for turn in range(4):
        f.battle.turn = turn
        f.series.activation.fill_pool()
        in_pool.append(sum(marker.kind == EVENT_MARKER for marker in f.battle.pool))
    assert in_pool == [0, 3, 3, 0]


def test_5_31_19_0_by_day_only_where_the_chart_says_so(near):
    f = near.with_event(event(NONE), by_day=True)
    f.battle.turns[0].light = NIGHT
    f.series.activation.fill_pool()
    assert not [marker for marker in f.battle.pool if marker.kind == EVENT_MARKER]


def test_5_13_5_31_nobody_begins_a_turn_with_the_event_marker(near):
    f = near.with_event(event(NONE))
    f.battle.initiative = UNION
    f.series.activation.fill_pool()
    f.battle.pool = [marker for marker in f.battle.pool if marker.kind == EVENT_MARKER]
    assert f.series.activation.choose_first() is None


def test_5_13_5_31_the_march_marker_that_begins_a_turn_is_no_event_marker(near):
    f = near
    f.unit("3 US", "A0101", "NNE", orders=MARCH)
    f.with_event(event(NONE))
    f.battle.initiative = UNION
    f.series.activation.fill_pool()
    marching = [marker for marker in f.battle.pool if marker.kind == MARCH_MARKER]
    assert len(marching) == 1
    assert f.series.activation.choose_first() is marching[0]


def test_19_0_the_first_roll_may_bring_no_event(near):
    f = near.with_event(event("joined"), ("event", 7), owners=[NO_EVENT] * 8 + [EITHER] * 2)
    f.series.events.drawn(f.marker)
    assert told(f) == [(-1, "none")]


def test_19_0_of_into_the_woods_the_last_marker_of_the_turn_brings_nothing(near):
    f = near.with_event(event("joined"), none_if_last=True)
    f.battle.pool = []
    f.series.events.drawn(f.marker)
    assert told(f) == [(-1, "none: the last marker")]
    assert f.dice.faces == []


def test_19_0_nobody_concerned_is_no_event(near):
    f = near.with_event(event("green check", within=3), ("event", 8), ("event", 4), ("event", 0))
    f.series.events.drawn(f.marker)
    assert told(f)[-1] == (-1, "nobody concerned")


def test_19_0_of_dead_of_winter_three_chosen_units_and_the_nearest_friend_fires(near):
    """The owner's choice, then two of the enemy's; here both of those within reach, so one of two."""
    f = near.with_event(
        event("friendly fire", side=UNION, within=4, support=2), ("event", 8), ("event", 1), ("event", 0), ("fire", 9),
    )
    f.roll(*[("cohesion", 0)] * 4)
    f.answers[UNION]["event_unit"] = [0, 1]
    f.series.events.drawn(f.marker)
    fire = f.events("fire")[0]
    assert (fire.unit, fire.target) == (f.a.id, f.b.id)
    assert f.battle.phasing == -1


def test_19_0_of_dead_of_winter_friendly_fire_needs_a_friend_within_two_hexes(near):
    f = near
    f.with_event(event("friendly fire", side=UNION, within=4, support=2), ("event", 8), ("event", 1))
    f.battle.remove(f.b, 2)
    f.series.events.drawn(f.marker)
    assert told(f)[-1] == (-1, "nobody concerned")
    assert not f.events("fire")


def test_19_0_8_45_of_dead_of_winter_both_hexes_of_a_line_fire_by_mistake_together(near):
    f = near
    f.with_event(event("friendly fire", side=UNION, within=4, support=2), ("event", 8), ("event", 1), ("event", 0),
                 ("fire", 9))
    f.battle.add_part(f.a, f.hex("A0302"), 0, EXTENDED_LINE)
    f.roll(*[("cohesion", 0)] * 4)
    f.answers[UNION]["event_unit"] = [0, 1]
    f.series.events.drawn(f.marker)
    fire = f.events("fire")[0]
    assert (fire.unit, fire.target, fire.sp) == (f.a.id, f.b.id, 6)


def test_19_0_10_63_of_dead_of_winter_all_sections_of_a_battery_fire_by_mistake_together(field):
    f = field(12, 6)
    f.b = f.unit("81 IN", "A0203", "E", strength=4)
    guns = f.unit("A/OH", "A0303", "E", kind=2, strength=6)
    divide(guns, [f.charts.weapon("N"), f.charts.weapon("R3")], [4, 2], [4, 2])
    f.unit("1 TN", "A0603", "W", strength=7, side=1)
    f.play([("event", 0), ("fire", 9), *[("cohesion", 0)] * 4])
    f.answers[UNION]["event_unit"] = [lambda _, unit, __: int(unit is f.b)] * 2
    f.answers[CONFEDERATE]["event_unit"] = [lambda _, unit, __: int(unit is f.b)]
    assert f.series.events.happen(event("friendly fire", side=UNION, within=4, support=2), EITHER)
    fire = f.events("fire")[0]
    assert (fire.unit, fire.target, fire.sp) == (guns.id, f.b.id, 6)


@pytest.mark.parametrize(("whose", "roll", "killed"), [(4, 0, True), (4, 9, False), (5, 0, True)])
def test_19_0_of_dead_of_winter_one_of_two_picked_leaders_rolls_for_his_life(near, whose, roll, killed):
    f = near
    leaders = [f.leader("Sill", "A0303"), f.leader("Loomis", "A0603", side=1)]
    f.with_event(event("leader check", level=1, within=3), ("event", 9), ("event", 3), ("event", whose))
    f.roll(("leader", roll))
    f.series.events.drawn(f.marker)
    victim = leaders[whose > 4]
    assert victim.casualty is killed
    assert not leaders[whose <= 4].casualty


def test_19_0_of_dead_of_winter_a_green_unit_that_fails_is_disordered_and_disordered_routs(near):
    f = near
    f.a.green = True
    f.with_event(event("green check", within=3), ("event", 8), ("event", 4), ("event", 0), ("cohesion", 9))
    f.series.events.drawn(f.marker)
    assert f.a.disordered
    assert f.a.place == ON_MAP
    f.roll(("event", 8), ("event", 4), ("event", 0), ("cohesion", 9), *[("cohesion", 0)] * 4)
    f.series.events.drawn(f.marker)
    assert f.a.place != ON_MAP


@pytest.mark.parametrize(("place", "roll", "killed"), [("A0603", 1, False), ("A0403", 5, True), ("A0403", 6, False),
                                                        ("A0503", 3, True), ("A0503", 4, False)])
def test_19_0_of_into_the_woods_a_leader_is_hit_the_easier_the_nearer(near, place, roll, killed):
    """1 or less kills; -2 within two hexes in sight, -4 adjacent; beyond that no modifier."""
    f = near
    victim = f.leader("Loomis", place, side=1)
    kind = event("leader hit", within=5, killed=1, near=-2, adjacent=-4)
    f.with_event(kind, ("event", 0), ("event", 0), ("leader", roll), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert victim.casualty is (killed or (place == "A0603" and roll <= 1))


def test_19_0_of_into_the_woods_stragglers_join_two_regiments_up_to_their_printed_strength(near):
    f = near
    f.a.strength, f.a.full, f.b.strength, f.b.full = 4, 6, 4, 4
    f.with_event(event("joined", number=2), ("event", 0), ("event", 3), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert (f.a.strength, f.b.strength) == (5, 4)
    assert f.a.recovered == 1


def test_19_0_of_into_the_woods_8_12_they_join_nobody_whose_hex_has_no_room(near):
    f = near
    mate = f.unit("mate", f.a.hex.id, "E", strength=11, brigade=f.a.command)
    f.play()
    f.a.strength, f.a.full, f.b.strength, f.b.full, mate.full = 4, 6, 4, 4, 11
    f.with_event(event("joined", number=2), ("event", 0), ("event", 3), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert (f.a.strength, mate.strength, f.b.strength) == (4, 11, 4)


def test_19_0_of_into_the_woods_two_regiments_rally_but_not_of_one_brigade(near):
    f = near
    f.a.disordered = f.b.disordered = True
    f.with_event(event("rally", number=2), ("event", 0), ("event", 4), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert [f.a.disordered, f.b.disordered] == [False, True]


def test_19_0_of_into_the_woods_ammunition_is_gathered_beside_the_enemy_too(near):
    f = near
    f.a.ammo, f.b.ammo = 2, 1
    f.with_event(event("resupply", number=2), ("event", 0), ("event", 9), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert [f.a.ammo, f.b.ammo] == [1, 0]


def test_19_0_of_into_the_woods_example_7_strength_points_lose_2(near):
    """EXAMPLE: a unit of 7 SP that fails loses 2."""
    f = near.with_event(
        event("shaken", within=3, drm=2), ("event", 0), ("event", 8), ("cohesion", 5), owners=[UNION] * 10
    )
    f.series.events.drawn(f.marker)
    assert (f.c.strength, f.c.disordered) == (5, True)


def test_19_0_of_into_the_woods_a_regiment_fires_freely_and_nobody_answers(near):
    f = near
    f.with_event(event("free fire"), ("event", 0), ("event", 5), ("fire", 0), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert [(e.unit, e.target) for e in f.events("fire")] == [(f.a.id, f.c.id)]


def test_19_0_of_into_the_woods_caissons_are_hit(near):
    f = near
    f.unit("A/IL", "A0403", "E", kind=2, strength=6)
    guns = f.unit("Scott", "A0602", "W", kind=2, strength=4, side=1)
    f.with_event(event("caissons hit", drm=2), ("event", 0), ("event", 6), ("cohesion", 9), owners=[UNION] * 10)
    f.series.events.drawn(f.marker)
    assert (guns.ammo, guns.disordered, guns.strength) == (1, True, 4)
    f.roll(("event", 0), ("event", 6), ("cohesion", 9))
    f.series.events.drawn(f.marker)
    assert (guns.ammo, guns.disordered, guns.strength) == (2, True, 3)


PILLOW = {"command": "Confederate/1/1/C", "leader": "Pillow"}


def test_19_0_of_dead_of_winter_pillow_takes_palmers_brigade_once(near):
    f = near
    palmer = f.leader("Palmer", "A0603", side=1, orders=0, back=Ratings("Pillow", 3, orders=-1))
    f.with_event(event("takes command", **PILLOW), *[("event", 8), ("event", 6)] * 2)
    f.series.events.drawn(f.marker)
    assert (palmer.ratings().name, palmer.hex.id, palmer.place) == ("Pillow", "A0603", ON_MAP)
    assert [(told.unit, told.result) for told in f.events("replacement")] == [(palmer.id, "Pillow")]
    f.series.events.drawn(f.marker)
    assert told(f)[-1] == (-1, "nobody concerned")


def test_19_0_of_dead_of_winter_pillow_does_not_take_command_where_he_has_it_from_the_start(near):
    f = near
    pillow = f.leader("Pillow", "A0603", side=1)
    f.with_event(event("takes command", **PILLOW), ("event", 8), ("event", 6))
    f.series.events.drawn(f.marker)
    assert (pillow.replaced, told(f)[-1]) == (False, (-1, "nobody concerned"))


def test_19_0_of_dead_of_winter_pillow_takes_no_brigade_whose_leader_has_fallen(near):
    f = near
    palmer = f.leader("Palmer", "A0603", side=1, back=Ratings("Pillow", 3))
    f.with_event(event("takes command", **PILLOW), ("event", 8), ("event", 6))
    f.series.results.kill(palmer, "a test")
    f.series.events.drawn(f.marker)
    assert (palmer.replaced, told(f)[-1]) == (False, (-1, "nobody concerned"))


@pytest.mark.parametrize(("whose", "fires"), [(4, UNION), (5, CONFEDERATE)])
def test_19_0_of_dead_of_winter_an_ambush_is_nothing_or_a_fire_that_nobody_answers(near, whose, fires):
    f = near
    f.with_event(event("ambush"), ("event", 8), ("event", 7))
    f.series.events.drawn(f.marker)
    assert told(f)[-1] == (-1, "nobody concerned")
    assert not f.events("fire")
    f.series.options.set("ambush", "fire")
    f.roll(("event", 8), ("event", 7), ("event", whose), ("fire", 0))
    f.series.events.drawn(f.marker)
    assert [fire.side for fire in f.events("fire")] == [fires]


def test_19_0_the_printed_chart_of_dead_of_winter():
    printed = reading.read_events(PRINTED)
    assert printed.owners == [NO_EVENT] * 8 + [EITHER] * 2
    assert [made.name for made in printed.events][7:] == ["Ambush", "Rain", "Rain"]
    assert (printed.events[1].side, printed.events[2].side) == (UNION, CONFEDERATE)
    assert not printed.none_if_last
    assert [made.kind for made in printed.events] == ["rain", "friendly fire", "friendly fire", "leader check",
                                                      "green check", "leader check", "takes command", "ambush", "rain",
                                                      "rain"]
    assert (printed.events[6].leader, printed.events[6].command) == ("Pillow", "Confederate/2/1/H")


@pytest.mark.parametrize(("change", "complaint"), [
    (('kind = "friendly fire"', 'kind = "frendly fire"'), 'did you mean "friendly fire"'),
    (("faces = [7]", "faces = [6]"), "each once"),
    (('side = "Union"\n', ""), "add side"),
    (("Confederate/2/1/H", "2/1/H"), "needs leader and command"),
    (("within = 4", 'within = 4\ncommand = "Union/1/RW"'), "no other event has them"),
])
def test_5_31_a_chart_that_says_what_no_chart_can_is_refused(tmp_path, change, complaint):
    path = tmp_path / "random_events.toml"
    path.write_text(PRINTED.read_text().replace(*change, 1))
    with pytest.raises(InputError, match=complaint):
        reading.read_events(path)
