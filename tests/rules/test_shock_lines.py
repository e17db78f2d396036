"""8.46, 8.48, 8.49, 8.53, 11.3, 11.4: Extended Lines and Columns in shock, attacking and defending."""

import pytest

from simkit.model.forces import (
    ADVANCE,
    ARTILLERY,
    ATTACK,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    REFUSED_LEFT,
    REFUSED_RIGHT,
    ROUTED,
)
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.shockinprogress import Attacker, ShockInProgress

# A0503 is an odd column: its neighbours are A0502 N, A0603 NE, A0604 SE, A0504 S, A0404 SW, A0403 NW


def extend(f, unit, *places, formation=EXTENDED_LINE):
    """Put the markers of a unit into hexes."""
    for place in places:
        f.battle.add_part(unit, f.hex(place), 0, formation)
    return unit


def resize(unit, strength):
    """Give a unit another strength to begin with."""
    unit.strength = unit.full = unit.start = strength


def ready(f, *active, wrap=False):
    """Begin the activation of units; nobody fires before shock, reacts or wraps around unless a test says so."""
    f.play()
    f.begin(*active)
    f.answers[0]["wrap_around"] = [] if wrap else [False] * 30
    for side in (0, 1):
        f.answers[side]["pre_shock_fire"] = [-1] * 30
        f.answers[side]["reaction_refusal"] = [-1] * 30
        f.answers[side]["reaction_facing"] = [-1] * 30


def faults(f, *designations):
    made = [Designation(list(attackers), [f.hex(place) for place in targets]) for attackers, targets in designations]
    return f.series.shock.check(made, f.battle.active)


def shock(f, *designations):
    """Conduct shocks given as (attackers, hexes) and hand back their events."""
    made = [Designation(list(attackers), [f.hex(place) for place in targets]) for attackers, targets in designations]
    f.series.shock.conduct(made, f.battle.active)
    assert f.dice.used_up(), f"{len(f.dice.faces) - f.dice.at} dice left over after {f.dice.asked}"
    return f.events("shock")


def put(f, *attackers, targets):
    """A shock in progress of these units against hexes, and all others of the extended units in them."""
    made = [Attacker(unit, unit.hex, unit.heading, unit.moved, unit.charging) for unit in attackers]
    places = f.series.shock.whole([f.hex(place) for place in targets])
    return ShockInProgress(attackers[0].side, made, places, 0)


def line_between_two(field, **of_line):
    """The situation of the example at 11.32: an Extended Line of 12 facing two units of 6 that are not adjacent."""
    f = field(10, 8)
    line = f.unit("C", "A0503", "E", strength=12, **of_line)
    a = f.unit("A", "A0603", "W", side=1, strength=6)
    b = f.unit("B", "A0605", "W", side=1, strength=6)
    extend(f, line, "A0504")
    return f, line, a, b


# -- designation (8.46, 11.31, 11.32) --------------------------------------------------------------------------------


def test_11_32_example_two_units_that_are_not_adjacent_attack_a_line_apart(field):
    """11.32 EXAMPLE 2, 8.46: dead-of-winter:1485 (also into-the-woods:1413): each against the line's full 12."""
    f, line, a, b = line_between_two(field)
    ready(f, a)
    assert any("not adjacent" in fault for fault in faults(f, ([a, b], ["A0503"])))
    assert faults(f, ([a], ["A0503"]), ([b], ["A0504"])) == []
    s = f.series.shock
    for unit, place in ((a, "A0503"), (b, "A0504")):
        made = put(f, unit, targets=[place])
        assert [there.id for there in made.targets] == ["A0503", "A0504"]
        assert (s.attack_strength(made), s.defence_strength(made)) == (2 * 6, 2 * 12)
    assert line.strength == 12


def test_11_32_example_a_line_attacks_both_units_in_its_front(field):
    """11.32 EXAMPLE 2, 8.46: dead-of-winter:1485 (also into-the-woods:1413): 12 against 12, in one shock."""
    f, line, _, _ = line_between_two(field, orders=ATTACK)
    ready(f, line)
    assert any("8.46" in fault for fault in faults(f, ([line], ["A0603"])))
    assert faults(f, ([line], ["A0603"]), ([line], ["A0605"]))
    assert faults(f, ([line], ["A0603", "A0605"])) == []
    made, = f.series.shock.complete([Designation([line], [])])
    assert [place.id for place in made.targets] == ["A0603", "A0605"]
    f.roll(("cohesion", 0), ("cohesion", 0), ("shock", 5), ("cohesion", 0), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([line], ["A0603", "A0605"]))
    assert (event.sp, event.target_sp, event.result) == (12, 12, "Bloody Standoff")
    assert event.hex == "A0503, A0504"


def test_11_32_example_a_line_counts_in_full_though_not_all_of_it_touches_the_enemy(field):
    """11.32 EXAMPLE 3, 8.46: dead-of-winter:1487 (also into-the-woods:1415)."""
    f = field(10, 8)
    a = f.unit("A", "A0503", "E", strength=12, orders=ATTACK)
    f.unit("B", "A0603", "W", side=1, strength=6)
    extend(f, a, "A0504")
    ready(f, a)
    made = put(f, a, targets=["A0603"])
    assert f.series.shock.attack_strength(made) == 2 * 12
    assert faults(f, ([a], ["A0603"])) == []


def test_11_32_example_a_line_of_three_hexes_between_two(field):
    """11.32 EXAMPLE 4, 8.46: dead-of-winter:1489 (also into-the-woods:1417): 18 against both together, 12."""
    f = field(10, 8)
    a = f.unit("A", "A0504", "E", strength=18, orders=ATTACK)
    b = f.unit("B", "A0603", "W", side=1, strength=6, orders=ATTACK)
    c = f.unit("C", "A0606", "W", side=1, strength=6, orders=ATTACK)
    extend(f, a, "A0503", "A0505")
    ready(f, a)
    assert any("8.46" in fault for fault in faults(f, ([a], ["A0603"])))
    assert faults(f, ([a], ["A0603", "A0606"])) == []
    made = put(f, a, targets=["A0603", "A0606"])
    assert (f.series.shock.attack_strength(made), f.series.shock.defence_strength(made)) == (2 * 18, 2 * 12)
    f.begin(b)
    assert any("not adjacent" in fault for fault in faults(f, ([b, c], ["A0503"])))
    assert faults(f, ([b], ["A0503"]), ([c], ["A0505"])) == []
    assert faults(f, ([b], ["A0504"]), ([c], ["A0504"])) == []  # whichever hex of the line is named


def test_8_46_11_31_a_hex_of_a_line_means_the_whole_line(field):
    f, line, a, _ = line_between_two(field)
    ready(f, a)
    f.roll(("cohesion", 0), ("shock", 9))
    event, = shock(f, ([a], ["A0503"]))
    assert line.shock_target and event.target_hex == "A0503, A0504" and event.target == line.id
    assert len(f.events("pre-shock")) == 1


def test_8_46_11_32_adjacent_attackers_of_different_hexes_of_a_line_must_combine(field):
    f = field(10, 8)
    line = f.unit("D", "A0503", "W", strength=10, side=1)
    a = f.unit("A", "A0403", "E", orders=ATTACK)
    b = f.unit("B", "A0404", "E", orders=ATTACK)
    c = f.unit("C", "A0405", "E", orders=ATTACK)
    extend(f, line, "A0504")
    ready(f, a)
    assert [place.id for place in f.series.shock.targets(a)] == ["A0503"]
    assert [place.id for place in f.series.shock.targets(c)] == ["A0504"]
    told = faults(f, ([a], ["A0503"]), ([b], ["A0504"]), ([c], ["A0504"]))
    assert told and all("must combine" in fault for fault in told)
    assert faults(f, ([a, b, c], ["A0503"])) == []
    made, = f.series.shock.complete([Designation([a], []), Designation([c], []), Designation([b], [])])
    assert sorted(unit.name for unit in made.attackers) == ["A", "B", "C"]


def test_8_46_11_31_who_attacks_beside_a_line_joins_its_shock(field):
    """11.31, 11.32, 8.46: the line attacks all in its front as one shock; its neighbour must combine with it."""
    f = field(10, 8)
    line = f.unit("L", "A0503", "E", strength=10, orders=ATTACK)
    n = f.unit("N", "A0505", "E", orders=ATTACK)
    f.unit("D", "A0603", "W", side=1)
    f.unit("E", "A0605", "W", side=1)
    extend(f, line, "A0504")
    ready(f, line)
    assert faults(f, ([line], ["A0603", "A0605"]), ([n], ["A0605"]))
    assert faults(f, ([line, n], ["A0603", "A0605"])) == []
    line.extended = IN_ONE_HEX  # without a line among them several hexes never attack several
    assert any("11.31" in fault for fault in faults(f, ([line, n], ["A0603", "A0605"])))
    line.extended = EXTENDED_LINE
    n.came_adjacent = n.moved = True
    made, = f.series.shock.complete([Designation([line], [])])
    assert [unit.name for unit in made.attackers] == ["L", "N"]
    assert f.series.shock.check([made], f.battle.active) == []


def test_8_46_complete_is_legal_whoever_of_lines_and_others_must_shock(field):
    """11.31, 11.32, 8.46: two lines and three others before four defenders, of which one is a line."""
    f = field(12, 12)
    first = f.unit("first", "A0503", "E", strength=10, orders=ATTACK)
    others = [f.unit(f"o{row}", f"A05{row:02d}", "E", orders=ATTACK) for row in (2, 5, 8)]
    second = f.unit("second", "A0506", "E", strength=10, orders=ATTACK)
    d = f.unit("d", "A0603", "W", strength=10, side=1)
    for row in (2, 6, 8):
        f.unit(f"e{row}", f"A06{row:02d}", "W", side=1)
    extend(f, first, "A0504")
    extend(f, second, "A0507")
    extend(f, d, "A0604")
    ready(f, first)
    able = [first, second, *others]
    assert all(f.series.shock.may_shock(unit) for unit in able)
    for bits in range(1, 1 << len(able)):
        for at, unit in enumerate(able):
            unit.came_adjacent = unit.moved = bool(bits >> at & 1)
        made = f.series.shock.complete([])
        assert made and f.series.shock.check(made, f.battle.active) == [], bits


@pytest.mark.parametrize(("refused", "seen"), [(0, ["A0603"]), (REFUSED_LEFT, ["A0603"]), (REFUSED_RIGHT, ["A0603"])])
def test_7_34_nobody_is_shocked_through_a_refused_front(field, refused, seen):
    """7.34: a defender in the Refused Frontal hex is no target, in one hex or at the end of a line."""
    for places in ([], ["A0504"]):
        f = field(10, 8)
        a = f.unit("a", "A0503", "E", strength=10, orders=ATTACK)
        f.unit("d", "A0603", "W", side=1)
        f.unit("north", "A0502", "W", side=1)
        f.unit("south", "A0505" if places else "A0504", "W", side=1)
        extend(f, a, *places)
        a.refused = refused
        ready(f, a)
        assert [place.id for place in f.series.shock.targets(a)] == seen
        assert faults(f, ([a], ["A0502"]))


def test_8_53_a_column_shocks_nobody(field):
    f = field(10, 8)
    a = f.unit("a", "A0503", "E", strength=10, orders=ADVANCE)
    f.unit("d", "A0603", "W", side=1)
    extend(f, a, "A0403", formation=EXTENDED_COLUMN)
    ready(f, a)
    assert not f.series.shock.may_shock(a)
    f.battle.withdraw_part(a, a.parts[1])
    assert f.series.shock.may_shock(a)


def test_11_21_a_line_beneath_guns_in_any_of_its_hexes_does_not_charge(field):
    f = field(10, 8)
    a = f.unit("a", "A0503", "E", strength=10, orders=ATTACK)
    f.unit("d", "A0603", "W", side=1)
    extend(f, a, "A0504")
    gun = f.unit("gun", "A0504", "E", kind=ARTILLERY)
    ready(f, a)
    a.came_adjacent = a.moved = True
    assert f.series.shock.charges(a)
    f.battle.lift(gun)
    f.battle.stand(gun, f.hex("A0504"), True)
    assert not f.series.shock.charges(a)


def test_8_46_11_36_what_only_a_green_line_that_fails_faced_is_attacked_no_longer(field):
    """11.36, 8.46: its neighbour goes in alone, against the one enemy whom it has in front."""
    f = field(10, 8)
    line = f.unit("L", "A0503", "E", strength=10, orders=ATTACK, green=True)
    n = f.unit("N", "A0505", "E", strength=6, orders=ATTACK)
    d = f.unit("D", "A0603", "W", side=1, strength=6)
    e = f.unit("E", "A0605", "W", side=1, strength=6)
    extend(f, line, "A0504")
    ready(f, line)
    f.roll(("cohesion", 9), ("cohesion", 0), ("shock", 5), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([line, n], ["A0603", "A0605"]))
    assert (event.unit, event.target, event.sp, event.target_sp) == (n.id, e.id, 6, 6)
    assert [check.unit for check in f.events("pre-shock")] == [e.id]
    assert d.strength == 6 and line.strength == 10


# -- before the resolution (11.33 to 11.38) --------------------------------------------------------------------------


def test_11_37_one_part_attacked_from_the_flank_is_enough(field):
    """11.37: extended units qualify if any of their attacked parts does; the unit checks once."""
    f, line, a, _ = line_between_two(field)
    north = f.unit("north", "A0502", "SSE", side=1)
    ready(f, a)
    frontal = put(f, a, targets=["A0503"])
    flank = put(f, north, targets=["A0503"])
    s = f.series.shock
    for place in ("A0503", "A0504"):
        assert s.pre_shock_drm(f.hex(place), [frontal]) == 0
        assert s.pre_shock_drm(f.hex(place), [frontal, flank]) == f.charts.pre_shock.flank
    assert line.heading == HEADING_NAMES.index("E")


@pytest.mark.parametrize("chosen", [0, 1])
def test_11_37_the_owner_says_which_top_unit_of_a_line_with_guns_checks(field, chosen):
    """11.37, 8.36: if it fails the line and all guns in its hexes are disordered."""
    f, line, a, _ = line_between_two(field)
    gun = f.unit("gun", "A0504", "E", kind=ARTILLERY, cohesion=8)
    f.battle.lift(gun)
    f.battle.stand(gun, f.hex("A0504"), True)
    ready(f, a)
    f.answers[0]["top_defender"] = [chosen]
    f.roll(("cohesion", 9), ("shock", 4), ("cohesion", 0), ("cohesion", 0), ("cohesion", 9), ("cohesion", 9))
    with pytest.raises(AssertionError):  # what the shock itself then does takes as many dice as it takes
        shock(f, ([a], ["A0503"]))
    check, = f.events("pre-shock")
    assert check.unit == [line.id, gun.id][chosen] and check.result == "failed"
    assert line.disordered and gun.disordered


def test_11_37_an_answer_outside_the_offer(field):
    f, _, a, _ = line_between_two(field)
    gun = f.unit("gun", "A0504", "E", kind=ARTILLERY)
    f.battle.lift(gun)
    f.battle.stand(gun, f.hex("A0504"), True)
    ready(f, a)
    f.answers[0]["top_defender"] = [2]
    with pytest.raises(CommanderError, match=r"top_defender: answered 2 for u/c; right would be 0 to 1"):
        shock(f, ([a], ["A0503"]))


def test_11_33_a_line_gives_way_extended_and_leaves_its_guns(field):
    """11.33, 8.47, 11.46: all its hexes are vacated but the one with guns, which still defend."""
    f, line, a, _ = line_between_two(field)
    ready(f, a)
    f.answers[0]["retreat_before_shock"] = [True]
    f.answers[1]["advance_after_retreat"] = [False]
    shock(f, ([a], ["A0503"]))
    assert line.extended == EXTENDED_LINE and line.heading == HEADING_NAMES.index("E") and not line.disordered
    assert all(part.hex.column == 4 for part in line.parts)
    assert f.battle.shocks == [0, 0] and audit(f.battle) == []


def test_11_33_a_line_that_must_contract_to_give_way_checks_once(field):
    """8.47, 11.33: in good order it checks because it contracted, and not again as a disordered unit."""
    f, line, a, _ = line_between_two(field)
    f.ground("river", "A0404", "A0405")
    ready(f, a)
    f.answers[0]["retreat_before_shock"] = [True]
    f.answers[1]["advance_after_retreat"] = [False]
    f.roll(("cohesion", 9))
    shock(f, ([a], ["A0503"]))
    assert line.extended == IN_ONE_HEX and line.disordered and line.hex.id == "A0403"


def test_8_46_11_45_the_estimate_is_that_of_the_whole_line_whichever_hex_is_named(field):
    """8.46: a line against a unit and the other way round; and a line that faces two must shock both."""
    f, line, a, b = line_between_two(field)
    ready(f, a)
    s = f.series.shock
    chance = s.estimate([a], f.hex("A0503"))
    assert 0 < chance < 1000 and s.estimate([a], f.hex("A0504")) == chance
    resize(a, 40)
    assert s.estimate([a], f.hex("A0504")) > chance
    both = s.estimate([line], f.hex("A0605"))
    f.battle.remove(a, ROUTED)
    assert s.estimate([line], f.hex("A0605")) > both > 0
    assert s.estimate([line], f.hex("A0607")) == 0 and b.strength == 6


# -- modifiers (11.42 to 11.44) --------------------------------------------------------------------------------------


def test_8_46_11_44_of_a_line_only_the_hexes_struck_count_each_with_its_own_zone(field):
    """11.42, 11.44: struck in one hex from the flank, that counts; with another from the front, the better for it."""
    f, line, a, b = line_between_two(field)
    north = f.unit("north", "A0502", "SSE", side=1, strength=4)
    ready(f, a)
    s = f.series.shock
    flank = put(f, north, targets=["A0503"])
    assert s.position_drm(flank, [flank]) == f.charts.shock.position(False, True, False)
    both = put(f, north, a, targets=["A0503"])  # front and flank of the same hex
    assert s.position_drm(both, [both]) == f.charts.shock.position(True, True, False)
    third = put(f, north, b, targets=["A0503"])  # flank of one hex, front of the other
    assert s.position_drm(third, [third]) == 0
    assert line.strength == 12


def test_8_46_11_44_a_line_is_surrounded_only_if_all_hexes_around_it_are_covered(field):
    """11.44: by units that shock it or their frontal hexes, refused ones among them (7.34)."""
    f, _, a, b = line_between_two(field)
    # around A0503 and A0504: A0502, A0603, A0604, A0605, A0505, A0405, A0404, A0403
    west = f.unit("west", "A0404", "E", side=1)
    ready(f, a)
    s = f.series.shock
    north = put(f, a, b, west, targets=["A0503"])
    assert s.position_drm(north, [north]) < f.charts.shock.surrounded
    a.heading = HEADING_NAMES.index("NNW")  # in front A0602 and A0502
    b.heading = HEADING_NAMES.index("SSW")  # in front A0505 and A0606
    f.unit("east", "A0604", "W", side=1)
    every = put(f, a, b, west, f.battle.units[-1], targets=["A0503"])
    assert s.position_drm(every, [every]) < f.charts.shock.surrounded  # A0403 and A0405 are open
    more = [f.unit("nw", "A0403", "E", side=1), f.unit("sw", "A0405", "E", side=1)]
    every = put(f, a, b, west, f.battle.units[-3], *more, targets=["A0503"])
    assert s.position_drm(every, [every]) == f.charts.shock.surrounded


def test_8_46_11_44_each_hex_of_an_attacking_line_in_an_uninvolved_enemys_front_costs_one(field):
    f = field(10, 8)
    line = f.unit("L", "A0503", "SSE", strength=10, orders=ATTACK)  # in front SE and S
    extend(f, line, "A0404")  # its right flank, SW
    f.unit("d", "A0504", "E", side=1)  # struck in its rear
    x = f.unit("x", "A0303", "E", side=1)  # A0403 and A0404 are in its front
    y = f.unit("y", "A0502", "NNE", side=1)
    ready(f, line)
    assert [place.id for place in f.series.shock.targets(line)] == ["A0504"]
    made = put(f, line, targets=["A0504"])
    s = f.series.shock
    assert s.fronts_entered(made) == 1
    y.heading = HEADING_NAMES.index("SSE")  # A0503 is in its front
    assert s.fronts_entered(made) == 2
    x.heading = HEADING_NAMES.index("W")
    assert s.fronts_entered(made) == 1


def test_8_46_11_42_the_best_terrain_of_all_hexes_that_strike_counts_for_the_defender(field):
    f = field(10, 8)
    line = f.unit("L", "A0503", "E", strength=10, orders=ATTACK)
    extend(f, line, "A0504")
    f.unit("d", "A0604", "W", side=1)  # in front of both parts
    f.hexside("stream", "A0504", "A0604")
    ready(f, line)
    made = put(f, line, targets=["A0604"])
    sides = [f.between(place, "A0604")[0].shock_drm for place in ("A0503", "A0504")]
    assert sides[0] != sides[1] and f.series.shock.terrain_drm(made) == min(sides)


def test_11_72_11_73_a_leader_in_any_hex_is_with_the_line(field):
    """11.72, 11.73: the brigadier in the marker's hex leads the shock and lends his star to each check."""
    f, line, _, _ = line_between_two(field, orders=ATTACK)
    f.leader("Hack", "A0504")
    ready(f, line)
    assert f.series.shock.unled_brigades([line]) == []
    assert f.series.command.stars(line) == 1


# -- results (8.36, 8.46, 12.71, 12.54) ------------------------------------------------------------------------------


def test_8_46_8_36_a_line_loses_once_and_its_leaders_roll_in_all_hexes(field):
    """12.71, 8.36: a result of 10 costs a defending line one step, not one for each hex."""
    f, line, a, b = line_between_two(field)
    resize(a, 24)
    f.leader("Hack", "A0504")
    f.unit("hold", "A0807", "W", side=1)
    f.battle.remove(b, ROUTED)
    ready(f, a)
    f.roll(("cohesion", 0), ("shock", 9), ("leader", 5), ("cohesion", 0))
    event, = shock(f, ([a], ["A0504" if a.hex.direction_to(f.hex("A0504")) >= 0 else "A0503"]))
    assert event.adjusted >= 10 and event.losses == 1
    assert line.strength == 11 and line.lost_shock == 1
    assert [one.losses for one in f.events("loss")] == [1]
    assert line.retreated and line.extended == EXTENDED_LINE


def test_12_54_friends_beside_any_hex_of_a_line_that_routs_check_once(field):
    f, line, a, _ = line_between_two(field)
    near = [f.unit("north", "A0502", "E"), f.unit("south", "A0505", "E"), f.unit("behind", "A0404", "E")]
    ready(f, a)
    f.roll(*[("cohesion", 0)] * 3)
    f.series.results.rout(line, "fire")
    assert line.place == ROUTED and f.dice.used_up()
    assert sorted(event.unit for event in f.events("udd")) == sorted(unit.id for unit in near)


def test_8_36_who_stands_by_in_a_hex_of_an_attacking_line_suffers_with_it(field):
    """8.36: guns stacked with a line that the table drives back disordered are disordered and retreat with it."""
    f, line, a, b = line_between_two(field, orders=ATTACK)
    gun = f.unit("gun", "A0504", "E", kind=ARTILLERY)
    resize(a, 12)
    resize(b, 12)
    ready(f, line)
    f.roll(("cohesion", 0), ("cohesion", 0), ("shock", 0))
    event, = shock(f, ([line], ["A0603", "A0605"]))
    assert event.result == "Attacker retreats"
    assert line.disordered and gun.disordered and line.extended == EXTENDED_LINE
    assert [part.hex.column for part in line.parts] == [4, 4] and gun.hex is line.parts[1].hex
    assert audit(f.battle) == []


# -- advance and continued shock (8.47, 11.46, 11.47) ----------------------------------------------------------------


def test_11_46_8_47_a_line_advances_extended_after_a_shock(field):
    f, line, a, b = line_between_two(field, orders=ATTACK)
    f.battle.remove(b, ROUTED)
    ready(f, line)
    f.roll(("cohesion", 0), ("shock", 4))
    event, = shock(f, ([line], ["A0603"]))
    assert event.result == "Defender retreats" and a.hex.id != "A0603"
    assert line.extended == EXTENDED_LINE and line.stands_in(f.hex("A0603")) and line.advanced
    assert audit(f.battle) == []


def test_11_47_8_47_a_line_that_continues_goes_on_as_a_line(field):
    """11.47: it faces nobody in the vacated hex, so it goes on one or two hexes, and shocks whom it then faces."""
    f, line, a, b = line_between_two(field, orders=ATTACK)
    f.battle.remove(b, ROUTED)
    resize(a, 2)
    g = f.unit("G", "A0803", "W", side=1)
    ready(f, line)
    f.answers[0]["continue_shock"] = [True, False]
    f.answers[0]["advance_line"] = [
        lambda series, unit, ways: [sorted(p.id for p in way.hexes) for way in ways].index(["A0703", "A0704"]),
    ]
    f.roll(("cohesion", 0), ("shock", 9), ("cohesion", 9), ("shock", 3), ("cohesion", 0), ("cohesion", 0))
    first, second = shock(f, ([line], ["A0603"]))
    assert (first.mode, second.mode) == ("shock", "continued")
    assert second.hex == "A0703, A0704" and g.id in second.target.split(", ")
    assert audit(f.battle) == []


def test_11_46_8_44_a_line_that_has_held_may_only_turn_about(field):
    """11.46, 8.44: defenders turn freely after they have driven the attackers off; a line about or not at all."""
    f, line, a, _ = line_between_two(field)
    resize(a, 3)
    ready(f, a)
    f.answers[0]["heading_after"] = [lambda series, unit, headings: headings.index((unit.heading + 6) % 12)]
    f.roll(("cohesion", 0), ("shock", 0))
    event, = shock(f, ([a], ["A0503"]))
    assert event.result == "Attacker retreats"
    assert line.heading == HEADING_NAMES.index("W") and len(line.parts) == 2
    assert audit(f.battle) == []


@pytest.mark.parametrize(("attacker", "facing", "formation"), [
    ("A0403", "E", EXTENDED_LINE), ("A0502", "SSE", IN_ONE_HEX),
])
def test_11_46_8_47_a_line_counterattacks_to_its_rear_extended_to_its_flank_contracted(
    field, attacker, facing, formation
):
    """11.46, 11.47, 8.44: it turns about for whoever came from behind, and contracts for whoever came from a flank."""
    f = field(10, 8)
    line = f.unit("L", "A0503", "E", strength=12)
    a = f.unit("a", attacker, facing, strength=3, side=1, orders=ATTACK)
    extend(f, line, "A0504")
    ready(f, a)
    f.answers[0]["advance_after_defence"] = [0]
    f.roll(("cohesion", 0), ("shock", 0))
    event, = shock(f, ([a], ["A0503"]))
    assert event.result == "Attacker retreats"
    assert line.extended == formation and line.stands_in(f.hex(attacker))
    assert audit(f.battle) == []


# -- wrap-around (8.48, 8.49) ----------------------------------------------------------------------------------------


def wrapping(field, defender=10, **of_line):
    """The situation of the example at 8.48 a column over and five rows up: the defender in 3412 stands in A0506."""
    f = field(10, 12)
    line = f.unit("L", "A0405", "E", strength=10, **({"orders": ATTACK} | of_line))
    d = f.unit("D", "A0506", "W", strength=defender, side=1)
    extend(f, line, "A0406")
    return f, line, d


def test_8_48_example_of_wrap_around(field):
    """8.48: dead-of-winter:883 (also gringo:809, into-the-woods:812): the half in 3311 moves into 3411.

    It then attacks front and flank, which the play note expects to give +4.
    """
    f, line, d = wrapping(field)
    ready(f, line, wrap=True)
    assert [place.id for place in f.series.shock.targets(line)] == ["A0506"]
    f.roll(("cohesion", 0), ("shock", 0), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([line], ["A0506"]))
    swing, = f.events("wrap around")
    assert (swing.hex, swing.target_hex) == ("A0405", "A0505")
    assert "position +4" in event.drms and event.hex == "A0505, A0406"
    assert f.asked[0].count("wrap_around") == 1
    assert line.heading == HEADING_NAMES.index("SSE") and d.strength == 9


def test_8_48_the_flank_counts_in_the_check_before_the_shock_too(field):
    """8.48, 11.37: it comes after step 3 and before step 4."""
    f, line, d = wrapping(field)
    ready(f, line, wrap=True)
    f.roll(("cohesion", d.cohesion()), ("shock", 0), ("cohesion", 0), ("cohesion", 0))
    shock(f, ([line], ["A0506"]))
    assert f.events("pre-shock")[0].result == "failed"


def test_8_48_the_owner_may_leave_it(field):
    f, line, _ = wrapping(field)
    ready(f, line, wrap=True)
    f.answers[0]["wrap_around"] = [False]
    f.roll(("cohesion", 0), ("shock", 3), ("cohesion", 0), ("cohesion", 0))
    event, = shock(f, ([line], ["A0506"]))
    assert f.events("wrap around") == [] and event.hex == "A0405, A0406"


def may_wrap(f, line):
    f.series.shock.designate([Designation([line], f.series.shock.targets(line))], f.battle.active)
    made, = f.series.shock.shocks
    return len(f.series.shock.wrap_ways(made.attackers[0], made.targets[0])) > 0


@pytest.mark.parametrize("spoil", [
    lambda f, line: setattr(line, "disordered", True),
    lambda f, line: setattr(line, "refused", REFUSED_LEFT),
    lambda f, line: f.unit("x", "A0404", "S", side=1).parts[0].unit.__setattr__("heading", 5),  # faces A0405
    lambda f, line: f.unit("y", "A0504", "S", side=1).parts[0].unit.__setattr__("heading", 5),  # faces A0505
    lambda f, line: f.unit("friend", "A0505", "E"),  # not empty
    lambda f, line: f.unit("z", "A0606", "E", side=1),  # would come into its front
    lambda f, line: f.battle.add_part(line, f.hex("A0404"), 0, EXTENDED_LINE),  # three hexes
    lambda f, line: f.battle.add_part(f.battle.units[1], f.hex("A0507"), 0, EXTENDED_LINE),  # a target of two
    lambda f, line: f.ground("river", "A0505"),
])
def test_8_48_what_forbids_it(field, spoil):
    """8.48: good order, no refused end, two hexes against one, an empty hex, and no fronts but the target's."""
    f, line, _ = wrapping(field)
    ready(f, line, wrap=True)
    assert may_wrap(f, line)
    f, line, _ = wrapping(field)
    resize(line, 16)
    spoil(f, line)
    ready(f, line, wrap=True)
    assert not may_wrap(f, line)


def test_8_48_the_pivot_may_bring_no_enemy_into_front_whom_it_did_not_face(field):
    """8.48: an enemy beyond the hex that the half enters, in what would be its front, forbids it."""
    f, line, _ = wrapping(field)
    f.unit("far", "A0407", "W", side=1)  # south of A0406: in front once the line faces south-south-east
    ready(f, line, wrap=True)
    assert not may_wrap(f, line)


def test_8_48_guns_on_the_pivot_turn_along_and_those_of_the_other_half_stay(field):
    f, line, _ = wrapping(field)
    pivot = f.unit("pivot", "A0406", "E", kind=ARTILLERY)
    left = f.unit("left", "A0405", "E", kind=ARTILLERY)
    ready(f, line, wrap=True)
    f.roll(("cohesion", 0), ("shock", 0), ("cohesion", 0), ("cohesion", 0))
    shock(f, ([line], ["A0506"]))
    assert len(f.events("wrap around")) == 1
    assert pivot.heading == HEADING_NAMES.index("SSE") and left.heading == HEADING_NAMES.index("E")
    assert left.hex.id == "A0405" and audit(f.battle) == []


def test_8_49_it_contracts_before_it_advances(field):
    """8.49: into the hex of its owner's choice, and advances as one."""
    f, line, _ = wrapping(field, defender=5)
    ready(f, line, wrap=True)
    f.answers[0]["contract_into"] = [1]
    f.roll(("cohesion", 0), ("shock", 2))
    event, = shock(f, ([line], ["A0506"]))
    assert event.result == "Defender retreats"
    retract, = f.events("contract")
    assert retract.hex == "A0406"
    assert line.extended == IN_ONE_HEX and line.hex.id == "A0506"
    assert audit(f.battle) == []


def test_8_49_it_contracts_before_it_retreats_and_need_not_check_for_that(field):
    """8.49, 8.47: the check of 8.47 is for a line that can't retreat extended; this one is extended no longer."""
    f, line, d = wrapping(field)
    resize(d, 14)
    resize(line, 8)
    ready(f, line, wrap=True)
    f.hexside("stream", "A0505", "A0506")
    f.hexside("stream", "A0406", "A0506")
    f.map.fix_costs()
    f.roll(("cohesion", 0), ("shock", 0))
    event, = shock(f, ([line], ["A0506"]))
    assert event.result == "Attacker retreats", event.drms
    assert line.extended == IN_ONE_HEX and line.retreated
    assert [one.mode for one in f.events("udd")] == ["pre-shock"]
    assert audit(f.battle) == []


def test_8_49_11_47_it_contracts_before_it_shocks_again_where_it_stands(field):
    """8.49, 11.47: defenders who can't retreat are shocked again, by the line in one hex."""
    f, line, d = wrapping(field)
    resize(d, 8)
    for place in ("A0507", "A0605", "A0606", "A0606"):
        f.ground("river", place)
    f.unit("wall", "A0507", "W", side=1)
    ready(f, line, wrap=True)
    f.answers[0]["continue_shock"] = [True, False]
    f.roll(("cohesion", 0), ("shock", 6), ("shock", 4), ("cohesion", 0), ("cohesion", 0))
    made = [Designation([line], f.series.shock.targets(line))]
    f.series.shock.conduct(made, f.battle.active)
    events = f.events("shock")
    assert [event.mode for event in events][:2] == ["shock", "continued"]
    assert line.extended == IN_ONE_HEX and len(events[1].hex.split(", ")) == 1
