"""8.4: units that extend, move as lines of two and three hexes, and retract.

A line that faces east in an odd column stands north to south: A0303 has A0302 to its left and A0304 to its right, and
straight ahead of A0303 lie A0403 (across its left front) and A0404 (across its right front).
"""

import pytest

from simkit.model.forces import ADVANCE, ATTACK, CAVALRY, EXTENDED_LINE, IN_ONE_HEX, MARCH
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError
from simkit.rules.extendedlines import ABOUT, AHEAD, DRAWN_IN, PIVOT, RETRACTION, WITHDRAWAL
from simkit.rules.options import GRINGO


def hexes(unit):
    return [part.hex.id for part in unit.parts]


def places(moves):
    return [[place.id for place in move.places] for move in moves]


def costs(moves):
    return {" ".join(place.id for place in move.places): int(move.cost) for move in moves}


def pick(moves, *idents, kind=None):
    """The one offer that leads to these hexes, in any order."""
    found = [
        move for move in moves
        if sorted(place.id for place in move.places) == sorted(idents) and (kind is None or move.kind == kind)
    ]
    assert len(found) == 1, f"{idents}: {places(moves)}"
    return found[0]


def extend(f, unit, *idents):
    f.series.lines.extend(unit, pick(f.series.lines.extensions(unit), *hexes(unit), *idents))


def form(f, unit, *idents):
    """Put a unit into Extended Line outside of play."""
    for ident in idents:
        f.battle.add_part(unit, f.hex(ident), 0, EXTENDED_LINE)


def advance(f, unit, *idents, kind=None, leaders=None):
    return f.series.lines.line_move(unit, pick(f.series.lines.line_moves(unit), *idents, kind=kind), leaders)


# -- extending (8.41, 8.43) ------------------------------------------------------------------------------------------


def test_8_41_infantry_of_eight_points_extends_into_a_direct_flank_hex(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=8)
    small = f.unit("small", "A0503", "E", strength=7)
    horse = f.unit("horse", "A0506", "E", strength=9, kind=CAVALRY, mounted=False)
    f.play()
    f.begin(a)
    lines = f.series.lines
    assert places(lines.extensions(a)) == [["A0303", "A0302"], ["A0303", "A0304"]]
    assert lines.extensions(small) == lines.extensions(horse) == []
    extend(f, a, "A0304")
    assert hexes(a) == ["A0303", "A0304"] and a.extended == EXTENDED_LINE
    assert (a.spent, a.moved, HEADING_NAMES[a.heading]) == (2, True, "E")
    assert [unit.name for unit in f.battle.units_in(f.hex("A0304"))] == ["a"]
    assert not lines.may_extend(a) and audit(f.battle) == []
    assert [event.kind for event in f.events("extend")] == ["extend"]


def test_8_41_not_on_the_march_nor_without_movement(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "N", strength=9, orders=MARCH)
    b = f.unit("b", "A0503", "E", strength=9)
    f.play()
    f.begin(a)
    assert f.series.lines.extensions(a) == []
    b.fired = True
    b.stood_to_fire = True
    assert f.series.lines.extensions(b) == []


def test_8_41_none_but_guns_in_either_hex(field):
    """Guns may stand in both hexes; those in the new one must face as the line does (8.44, 7.11)."""
    f = field(6, 6)
    g = f.unit("g", "A0303", "E", kind=2, strength=4)
    a = f.unit("a", "A0303", "E", strength=8)
    f.unit("beside", "A0302", "E", strength=1)
    h = f.unit("h", "A0304", "E", kind=2, strength=4)
    f.play()
    f.begin(a)
    f.answers[0]["stack_on_top"] = [False]
    assert places(f.series.lines.extensions(a)) == [["A0303", "A0304"]]
    h.heading = 3 + 2
    assert f.series.lines.extensions(a) == []
    h.heading = 3
    extend(f, a, "A0304")
    assert f.stack("A0303") == ["g", "a"] and f.stack("A0304") == ["h", "a"]
    assert g.heading == 3 and audit(f.battle) == []


def test_8_41_a_stacked_regiment_does_not_extend(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=8)
    f.unit("mate", "A0303", "E", strength=2)
    f.play()
    f.begin(a)
    assert f.series.lines.extensions(a) == []


def test_8_41_not_next_to_an_enemy_and_at_two_points_at_most(field):
    f = field(6, 7)
    f.ground("woods", "A0304")
    a = f.unit("a", "A0303", "E", strength=9)
    foe = f.unit("foe", "A0402", "W", side=1)
    f.play()
    f.begin(a)
    assert costs(f.series.lines.extensions(a)) == {"A0303 A0304": 4}
    side = f.hex("A0303").sides[3]
    side.costs = [5, *side.costs[1:]]
    assert f.series.lines.extensions(a) == []
    f.battle.lift(foe)
    f.battle.stand(foe, f.hex("A0406"), True)
    assert costs(f.series.lines.extensions(a)) == {"A0303 A0302": 2}


def test_8_41_a_unit_next_to_the_enemy_may_extend_away_from_him_and_goes_no_farther(field):
    """Its new part must not be next to an enemy; that the counter is does not matter, but it stops there (9.53)."""
    f = field(6, 7)
    a = f.unit("a", "A0303", "E", strength=9, orders=ATTACK)
    f.unit("foe", "A0404", "W", side=1)
    f.play()
    f.begin(a)
    assert f.battle.enemy_near(f.hex("A0303"), 0)
    assert places(f.series.lines.extensions(a)) == [["A0303", "A0302"]]
    extend(f, a, "A0302")
    assert a.halted and not f.series.movement.may_move(a) and not a.came_adjacent


def test_8_42_woods_cost_two_whatever_the_orders(field):
    f = field(6, 6, terrain="woods")
    a = f.unit("a", "A0303", "E", strength=9)
    b = f.unit("b", "A0503", "E", strength=9, orders=ATTACK)
    f.play()
    f.begin(a)
    for unit in (a, b):
        assert set(costs(f.series.lines.extensions(unit)).values()) == {4}


def test_8_43_fifteen_points_extend_to_both_sides_at_the_price_of_the_dearer(field):
    f = field(6, 6)
    f.ground("woods", "A0302")
    a = f.unit("a", "A0303", "E", strength=15)
    b = f.unit("b", "A0503", "E", strength=14)
    f.play()
    f.begin(a)
    assert costs(f.series.lines.extensions(a)) == {"A0303 A0302": 4, "A0303 A0304": 2, "A0303 A0302 A0304": 4}
    assert len(f.series.lines.extensions(b)) == 2
    extend(f, a, "A0302", "A0304")
    assert hexes(a) == ["A0303", "A0302", "A0304"] and a.spent == 4 and audit(f.battle) == []
    f.series.lines.extend(b, f.series.lines.extensions(b)[0])
    assert f.series.lines.extensions(b) == []


def test_8_43_a_second_extension_later_is_paid_for_by_itself(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=15)
    f.play()
    f.begin(a)
    extend(f, a, "A0302")
    assert places(f.series.lines.extensions(a)) == [["A0303", "A0302", "A0304"]]
    extend(f, a, "A0304")
    assert a.spent == 4 and audit(f.battle) == []


def test_9_42_extension_counts_as_a_move_of_one_hex(field):
    """Without the points for it a unit may still extend as its whole move, if its full good-order allowance allows."""
    f = field(6, 6, terrain="woods")
    a = f.unit("a", "A0303", "E", strength=9, movement=4, movement_disordered=1, disordered=True, cohesion_disordered=6)
    f.play([0])
    f.begin(a)
    (offer, _) = f.series.lines.extensions(a)
    assert offer.by_exception
    f.series.lines.extend(a, offer)
    assert a.extended == EXTENDED_LINE and f.series.movement.allowance(a) == 0 and not a.by_exception
    b = a
    f.begin(b)
    b.spent = 2
    assert f.series.lines.retractions(b) == []


def test_9_42_a_line_retracts_as_its_whole_move_too(field):
    f = field(6, 6, terrain="woods")
    a = f.unit("a", "A0303", "E", strength=9, movement=4, movement_disordered=1, disordered=True, cohesion_disordered=6)
    f.play([0])
    form(f, a, "A0304")
    f.begin(a)
    offer = pick(f.series.lines.retractions(a), "A0303")
    assert offer.by_exception
    assert f.series.lines.retract(a, offer)
    assert hexes(a) == ["A0303"] and f.series.movement.allowance(a) == 0


def test_extend_refuses_what_is_not_offered(field):
    """8.41: an illegal extension is an error of the commander."""
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=8)
    f.play()
    f.begin(a)
    offer = f.series.lines.extensions(a)[0]
    f.series.lines.extend(a, offer)
    with pytest.raises(CommanderError, match="no such manoeuvre"):
        f.series.lines.extend(a, offer)


# -- retracting (8.41, 8.42) -----------------------------------------------------------------------------------------


def test_8_42_8_13_extending_is_priced_by_the_ground_after_a_search_for_a_column(field):
    """8.42: as moving into the hex; by road only columns of such strength move (8.13)."""
    f = field(9, 8, terrain="woods")
    f.road("pike", "A0402", "A0403", "A0404")
    a = f.unit("a", "A0403", "E", strength=9)
    f.play()
    f.begin(a)
    assert [move.cost for move in f.series.lines.extensions(a)] == [4, 4]
    f.series.movement.search(a, True)
    assert [move.cost for move in f.series.lines.extensions(a)] == [4, 4]


def test_8_42_a_line_retracts_into_either_hex_at_the_price_of_entering_it(field):
    f = field(6, 6)
    f.ground("woods", "A0304")
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    assert costs(f.series.lines.retractions(a)) == {"A0303": 2, "A0304": 4}
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0304"))
    assert hexes(a) == ["A0304"] and a.extended == IN_ONE_HEX and a.spent == 4 and audit(f.battle) == []
    assert f.hex("A0303").stack == []


def test_8_42_a_line_of_three_gives_up_an_end_or_both(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=15)
    f.play()
    form(f, a, "A0302", "A0304")
    f.begin(a)
    assert costs(f.series.lines.retractions(a)) == {
        "A0303": 2, "A0302": 4, "A0304": 4, "A0303 A0302": 2, "A0303 A0304": 2,
    }
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0303", "A0304"))
    assert hexes(a) == ["A0303", "A0304"] and a.extended == EXTENDED_LINE and audit(f.battle) == []


def test_8_41_retraction_beside_the_enemy_even_disordered_and_then_it_stops(field):
    """The stationary part is next to an enemy: the other may join it, but then the unit neither moves nor turns."""
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=9, disordered=True)
    f.unit("foe", "A0402", "W", side=1)
    f.play()
    form(f, a, "A0302")
    f.begin(a)
    assert f.battle.enemy_near(f.hex("A0302"), 0) and not f.battle.enemy_near(f.hex("A0303"), 0)
    assert f.series.lines.line_moves(a)[-1].kind == ABOUT
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0302"))
    assert hexes(a) == ["A0302"] and not f.series.movement.may_move(a)
    assert not any(f.series.facing.may_turn(a, heading) for heading in range(1, 12, 2))
    assert not a.came_adjacent and not f.series.shock.must_shock(a)


def test_8_41_in_the_older_edition_nothing_stops_it(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=9)
    f.unit("foe", "A0402", "W", side=1)
    f.play()
    f.options.edition = GRINGO
    form(f, a, "A0302")
    f.begin(a)
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0302"))
    assert f.series.movement.may_move(a)


def test_8_41_10_44_a_retracting_part_that_starts_next_to_the_enemy_draws_withdrawal_fire(field):
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=9)
    f.unit("foe", "A0402", "W", side=1, strength=5)
    f.play([("fire", 0)])
    form(f, a, "A0302")
    f.begin(a)
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0303"))
    (fire,) = f.events("fire")
    assert (fire.mode, fire.target, fire.target_hex) == ("withdrawal", a.id, "A0302")
    assert "flank" not in fire.drms
    assert hexes(a) == ["A0303"] and not a.halted


def test_8_42_flank_fire_at_a_retracting_part_only_from_its_flank_hex(field):
    """An enemy in the flank hex of the part that retracts gets the +1 DRM."""
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=9)
    f.unit("foe", "A0301", "S", side=1, strength=5)
    f.battle.units[1].heading = 5
    f.play([("fire", 0)])
    form(f, a, "A0302")
    f.begin(a)
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0303"))
    (fire,) = f.events("fire")
    assert "flank +1" in fire.drms


# -- moving as one (8.44) --------------------------------------------------------------------------------------------


@pytest.fixture
def line(field):
    """A line of two that faces east on open ground, A0303 and A0304, active under Advance Orders."""
    f = field(9, 8)
    unit = f.unit("9 IN", "A0303", "E", strength=9)
    f.play()
    form(f, unit, "A0304")
    f.begin(unit)
    return f, unit


def test_8_44_a_line_moves_only_frontally_all_parts_alike_pivots_or_turns_about(line):
    f, unit = line
    offers = f.series.lines.line_moves(unit)
    assert [(move.kind, [place.id for place in move.places], HEADING_NAMES[move.heading]) for move in offers] == [
        (AHEAD, ["A0403", "A0404"], "E"),
        (AHEAD, ["A0404", "A0405"], "E"),
        (PIVOT, ["A0303", "A0404"], "NNE"),  # on its left end, to the left
        (PIVOT, ["A0404", "A0304"], "SSE"),  # on its right end, to the right
        (ABOUT, ["A0303", "A0304"], "W"),
    ]
    assert [move.cost for move in offers] == [2, 2, 2, 2, 2]
    advance(f, unit, "A0404", "A0405")
    advance(f, unit, "A0503", "A0504")
    assert hexes(unit) == ["A0503", "A0504"] and unit.spent == 4 and audit(f.battle) == []


def test_8_44_it_pays_for_the_dearest_hex(line):
    f, unit = line
    f.ground("woods", "A0404")
    f.map.fix_costs()
    assert costs(f.series.lines.line_moves(unit)) == {
        "A0403 A0404": 4, "A0404 A0405": 4, "A0303 A0404": 4, "A0404 A0304": 4, "A0303 A0304": 2,
    }


def test_8_44_pivoting_turns_it_by_a_vertex_about_the_end_that_stands(line):
    f, unit = line
    advance(f, unit, "A0404", "A0304")
    assert hexes(unit) == ["A0404", "A0304"] and HEADING_NAMES[unit.heading] == "SSE" and audit(f.battle) == []
    advance(f, unit, "A0405", "A0304")
    assert HEADING_NAMES[unit.heading] == "SSW" and unit.spent == 4 and audit(f.battle) == []


def test_8_44_under_attack_orders_pivoting_into_woods_costs_one_more(field):
    f = field(9, 8, terrain="woods")
    a = f.unit("a", "A0303", "E", strength=9, orders=ATTACK)
    b = f.unit("b", "A0603", "E", strength=9, orders=ADVANCE)
    f.play()
    form(f, a, "A0304")
    form(f, b, "A0604")
    f.begin(a)
    assert [move.cost for move in f.series.lines.line_moves(a)] == [4, 4, 6, 6, 2]
    assert [move.cost for move in f.series.lines.line_moves(b)] == [4, 4, 4, 4, 2]


def test_8_44_a_line_of_three_pivots_on_an_end_and_the_marker_on_the_circumference_moves_two_hexes(field):
    f = field(9, 9)
    a = f.unit("a", "A0304", "E", strength=15)
    f.play()
    form(f, a, "A0303", "A0305")
    f.begin(a)
    pivots = [move for move in f.series.lines.line_moves(a) if move.kind == PIVOT]
    assert [(HEADING_NAMES[move.heading], [place.id for place in move.places], int(move.cost)) for move in pivots] == [
        ("NNE", ["A0404", "A0303", "A0504"], 4), ("SSE", ["A0405", "A0504", "A0305"], 4),
    ]
    assert f.series.lines.line_move(a, pivots[1])
    assert hexes(a) == ["A0405", "A0504", "A0305"] and audit(f.battle) == []
    assert HEADING_NAMES[a.heading] == "SSE" and a.spent == 4


def test_8_44_about_face_costs_one_point_and_turns_the_guns_of_every_hex(field):
    """Active guns pay 1 MP and suffer -2 for having moved (10.61); the line may stand above or beneath them (8.23)."""
    f = field(9, 8)
    g = f.unit("g", "A0303", "E", kind=2, strength=4)
    a = f.unit("a", "A0303", "E", strength=9)
    other = f.brigade("2/1/U")
    h = f.unit("h", "A0304", "E", kind=2, strength=4, brigade=other)
    f.play()
    f.battle.add_part(a, f.hex("A0304"), 1, EXTENDED_LINE)
    f.begin(a)
    f.answers[0]["stack_on_top"] = [True, False]
    (about,) = [move for move in f.series.lines.line_moves(a) if move.kind == ABOUT]
    f.series.lines.line_move(a, about)
    assert [HEADING_NAMES[unit.heading] for unit in (a, g, h)] == ["W", "W", "W"]
    assert (a.spent, g.spent, h.spent) == (2, 2, 0) and g.moved and not h.moved
    assert f.stack("A0303") == ["a", "g"] and f.stack("A0304") == ["h", "a"] and audit(f.battle) == []
    assert f.series.fire.guns_moved(g, 0, True)


def test_8_44_guns_stacked_where_a_pivot_stands_turn_with_it_and_those_left_behind_stay(field):
    f = field(9, 8)
    g = f.unit("g", "A0304", "E", kind=2, strength=4)
    h = f.unit("h", "A0303", "E", kind=2, strength=4)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    f.battle.add_part(a, f.hex("A0304"), 1, EXTENDED_LINE)
    f.begin(a)
    advance(f, a, "A0404", "A0304")
    assert [HEADING_NAMES[unit.heading] for unit in (a, g, h)] == ["SSE", "SSE", "E"] and audit(f.battle) == []


def guns_on_the_march_with_a_line(field):
    """A field where guns on the march stand in a hex of an Extended Line (8.25)."""
    f = field(9, 8)
    g = f.unit("g", "A0304", "NE", kind=2, strength=4, orders=MARCH, brigade=f.brigade("2/1/U"))
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    f.battle.add_part(a, f.hex("A0304"), 1, EXTENDED_LINE)
    return f, g, a


def test_7_11_8_25_guns_on_the_march_do_not_turn_with_the_line_with_which_they_begin(field):
    f, g, a = guns_on_the_march_with_a_line(field)
    f.begin(a)
    advance(f, a, "A0404", "A0304")
    assert [HEADING_NAMES[unit.heading] for unit in (a, g)] == ["SSE", "NE"] and audit(f.battle) == []


def test_8_25_guns_on_the_march_turn_as_they_like_in_the_hex_of_a_line(field):
    f, g, a = guns_on_the_march_with_a_line(field)
    f.begin(g)
    f.series.facing.turn(g, 6)
    assert (a.heading, g.heading) == (3, 6) and audit(f.battle) == []


def test_8_26_guns_of_others_face_as_before_when_the_line_that_turned_them_moves_off(field):
    f = field(9, 8)
    other = f.brigade("2/1/U")
    g = f.unit("g", "A0304", "E", kind=2, strength=4, brigade=other)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    f.battle.add_part(a, f.hex("A0304"), 1, EXTENDED_LINE)
    f.begin(a)
    advance(f, a, "A0404", "A0304")
    assert HEADING_NAMES[g.heading] == "SSE" and g.spent == 0
    advance(f, a, "A0405", "A0305")
    assert HEADING_NAMES[g.heading] == "E" and audit(f.battle) == []


def test_7_21_8_44_a_line_turns_in_its_hexes_by_180_degrees_only(line):
    f, unit = line
    assert [h for h in range(12) if f.series.facing.may_turn(unit, h)] == [(unit.heading + 6) % 12]
    g = f.battle.units[0]
    with pytest.raises(CommanderError):
        f.series.facing.turn_free(g, 5)


def test_8_44_guns_stacked_with_a_line_turn_only_as_it_can(field):
    f = field(9, 8)
    g = f.unit("g", "A0303", "E", kind=2, strength=4)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    form(f, a, "A0304")
    f.begin(g)
    assert [h for h in range(12) if f.series.facing.may_turn(g, h)] == [9]


def test_ordinary_movement_is_refused_to_a_line(line):
    """8.44: a line does not move as a unit in one hex does."""
    f, unit = line
    assert f.series.movement.may_move(unit) and f.series.movement.search(unit) == 0
    assert f.series.movement.exceptions(unit) == [] and f.series.movement.withdrawals(unit) == []
    node = unit.hex.sides[1].to.nodes[unit.heading]
    with pytest.raises(CommanderError):
        f.series.movement.move(unit, node, unit.heading)
    assert hexes(unit) == ["A0303", "A0304"]


def test_8_44_no_part_ends_with_another_unit_that_is_no_battery(line):
    f, unit = line
    mate = f.battle.units[0]
    assert mate is unit
    other = f.unit("other", "A0404", "E", strength=2)
    guns = f.unit("guns", "A0403", "E", kind=2, strength=2)
    for one in (other, guns):
        one.index = f.battle.units.index(one)
    f.begin(unit)
    offers = f.series.lines.line_moves(unit)
    assert all("A0404" not in ids for ids in places(offers))
    # it may go on through the others at once: 1 MP, then 1 MP and 2 MPs for the passage (8.22)
    onward = [move for move in offers if move.steps() == 2]
    assert {move.cost for move in onward} == {8} and ["A0503", "A0504"] in places(onward)


def test_8_22_8_44_a_line_that_moves_through_friends_checks_once(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9, cohesion=5)
    f.unit("b", "A0404", "E", strength=2)
    f.play([("cohesion", 6)])
    form(f, a, "A0304")
    f.begin(a)
    moves = [move for move in f.series.lines.line_moves(a) if move.kind == AHEAD and move.steps() == 2]
    assert {move.cost for move in moves} == {8}
    assert f.series.lines.line_move(a, moves[0])
    assert a.disordered and len(f.events("udd")) == 1 and audit(f.battle) == []


def test_8_22_a_second_disorder_among_friends_sends_the_line_back(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9, cohesion=5, disordered=True, movement=7, movement_disordered=6)
    f.unit("b", "A0404", "E", strength=2)
    f.play([("cohesion", 9)])
    form(f, a, "A0304")
    f.begin(a)
    moves = [move for move in f.series.lines.line_moves(a) if move.kind == AHEAD and move.steps() == 2]
    assert not f.series.lines.line_move(a, moves[0])
    assert hexes(a) == ["A0303", "A0304"] and a.finished and audit(f.battle) == []


def test_9_53_a_line_stops_next_to_the_enemy_whichever_part_comes_there(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9, orders=ATTACK)
    f.unit("foe", "A0506", "W", side=1)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    advance(f, a, "A0404", "A0405")
    assert not a.came_adjacent or f.battle.beside_enemy(a)
    assert a.came_adjacent == f.battle.beside_enemy(a)


def test_9_52_under_advance_orders_a_line_goes_next_to_guns_only(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    foe = f.unit("foe", "A0505", "W", side=1)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    assert f.battle.enemy_near(f.hex("A0405"), 0)
    ids = places(f.series.lines.line_moves(a))
    assert ["A0404", "A0405"] not in ids and ["A0403", "A0404"] in ids
    foe.kind = 2
    f.battle.lift(foe)
    f.hex("A0405").confederate_line_near = 0
    f.battle.stand(foe, f.hex("A0505"), True)
    assert ["A0404", "A0405"] in places(f.series.lines.line_moves(a))


def test_8_44_half_of_it_in_contact_the_other_half_joins_only_under_attack_orders_in_good_order(field):
    """A0302 is next to the enemy; A0303 may swing next to another only under Attack Orders and in good order."""
    f = field(9, 8)
    a = f.unit("a", "A0302", "E", strength=9, orders=ATTACK)
    f.unit("foe", "A0202", "E", side=1)
    f.unit("foe 2", "A0502", "W", side=1)
    f.play()
    form(f, a, "A0303")
    f.begin(a)
    assert f.battle.enemy_near(f.hex("A0302"), 0) and f.battle.enemy_near(f.hex("A0403"), 0)
    swings = [move for move in f.series.lines.line_moves(a) if move.kind == PIVOT and move.near]
    assert places(swings) == [["A0302", "A0403"], ["A0403", "A0303"]]
    a.disordered = True
    assert not [move for move in f.series.lines.line_moves(a) if move.near]
    a.disordered = False
    a.orders = ADVANCE
    assert not [move for move in f.series.lines.line_moves(a) if move.near]


def test_7_24_next_to_the_enemy_it_does_not_pivot_after_an_about_face(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9, orders=ATTACK)
    f.unit("foe", "A0204", "E", side=1)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    advance(f, a, "A0303", "A0304", kind=ABOUT)
    assert not f.series.movement.may_move(a)
    assert [move.kind for move in f.series.lines.line_moves(a) if move.kind != ABOUT] == []


def test_9_47_terrain_makes_a_line_check_once_a_step(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9, cohesion=5)
    f.hexside("stream", "A0303", "A0403")
    f.hexside("stream", "A0304", "A0404")
    f.play([("cohesion", 9)])
    for first, second in (("A0303", "A0403"), ("A0304", "A0404")):
        side = f.between(first, second)[0]
        side.disorders = [1, *side.disorders[1:]]
        side.plain_disorders = [1, *side.plain_disorders[1:]]
    form(f, a, "A0304")
    f.begin(a)
    assert advance(f, a, "A0403", "A0404")
    assert a.disordered and len(f.events("udd")) == 1


def test_10_45_approach_fire_at_a_part_that_comes_within_three_hexes(field):
    f = field(9, 8)
    a = f.unit("a", "A0302", "E", strength=9)
    g = f.unit("g", "A0706", "W", kind=2, side=1, strength=4)
    f.play([("fire", 9)])
    form(f, a, "A0303")
    f.begin(a)
    near = [place for place in ("A0402", "A0403", "A0404") if f.hex(place).distance_to(g.hex) <= 3]
    advance(f, a, "A0403", "A0404")
    fires = f.events("fire")
    assert [fire.mode for fire in fires] == (["approach"] if near else [])
    assert all(fire.target_hex in near for fire in fires)


def test_10_44_withdrawal_fire_at_the_part_that_leaves_an_enemy_front(field):
    f = field(9, 8)
    a = f.unit("a", "A0404", "W", strength=9)
    f.unit("foe", "A0503", "W", side=1, strength=4)
    f.play([("fire", 0)])
    form(f, a, "A0405")
    f.begin(a)
    assert f.battle.in_front(f.battle.units[1], f.hex("A0404"))
    advance(f, a, "A0304", "A0305")
    (fire,) = f.events("fire")
    assert (fire.mode, fire.target_hex) == ("withdrawal", "A0404")


def test_9_31_leaders_ride_with_the_part_that_they_are_stacked_with(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    leader = f.leader("L", "A0304")
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    assert f.series.movement.may_take(leader, a)
    advance(f, a, "A0403", "A0404", leaders=[leader])
    assert leader.hex.id == "A0404" and leader.spent == 2 and leader.ended and leader.moved


def test_a_leader_who_is_not_with_the_line_cannot_come(field):
    """9.31: only leaders stacked with one of its parts go along."""
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    leader = f.leader("L", "A0601")
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    with pytest.raises(CommanderError, match="cannot go along"):
        advance(f, a, "A0403", "A0404", leaders=[leader])


def test_no_leader_rides_along_twice(field):
    """9.31: who is named twice would pay twice."""
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    leader = f.leader("L", "A0304")
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    with pytest.raises(CommanderError, match="named twice, cannot go along"):
        advance(f, a, "A0403", "A0404", leaders=[leader, leader])
    assert (hexes(a), leader.spent) == (["A0303", "A0304"], 0)


# -- withdrawal (9.54) -----------------------------------------------------------------------------------------------


def test_9_54_a_line_withdraws_extended_through_its_rear_without_turning(field):
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=9)
    f.play()
    form(f, a, "A0404")
    f.begin(a)
    offers = f.series.lines.withdrawals(a)
    assert {move.kind for move in offers} == {WITHDRAWAL}
    assert sorted(places(offers)) == [
        ["A0202", "A0203"], ["A0203", "A0204"], ["A0203", "A0204"], ["A0204", "A0205"],
        ["A0302", "A0303"], ["A0303", "A0304"],
    ]
    assert f.series.lines.withdraw(a, pick(offers, "A0204", "A0205"))
    assert hexes(a) == ["A0204", "A0205"] and HEADING_NAMES[a.heading] == "E" and a.withdrew
    assert not f.series.movement.may_move(a) and not f.series.fire.may_fire(a) and audit(f.battle) == []


def test_9_31_9_54_leaders_withdraw_with_a_line_extended_or_drawn_in(field):
    """9.31: each with the part with which he is stacked; drawn in, to the hex in which the line then stands."""
    for blocked in (False, True):
        f = field(9, 8)
        a = f.unit("a", "A0403", "E", strength=9)
        leader = f.leader("L", "A0404")
        if blocked:
            f.unit("friend", "A0304", "E", strength=2, brigade=f.brigade("2/1/U"))
            f.unit("friend 2", "A0302", "E", strength=2, brigade=f.brigade("2/1/U"))
        f.play()
        form(f, a, "A0404")
        f.begin(a)
        wanted = ["A0403", "A0303"] if blocked else ["A0204", "A0205"]
        move = next(m for m in f.series.lines.withdrawals(a) if [place.id for place in m.places] == wanted)
        assert f.series.lines.withdraw(a, move, [leader])
        assert hexes(a) == (["A0303"] if blocked else wanted)
        assert leader.hex.id == ("A0303" if blocked else "A0205")
        assert leader.ended and audit(f.battle) == []


def test_9_54_one_check_a_step_with_what_the_dearest_hex_costs_above_one(field):
    """Woods and clear: 2 MPs, so +1; failing disorders, failing disordered in the second hex sends it back."""
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=9, cohesion=5, cohesion_disordered=5)
    f.ground("woods", "A0303", "A0204")
    f.play([("cohesion", 5), ("cohesion", 5)])
    form(f, a, "A0404")
    f.begin(a)
    offers = [move for move in f.series.lines.withdrawals(a) if move.steps() == 2]
    move = pick([m for m in offers if m.ways[0][0].to.id == "A0303"], "A0203", "A0204")
    assert not f.series.lines.withdraw(a, move)
    udds = f.events("udd")
    assert [(udd.drm, udd.result) for udd in udds] == [(1, "failed"), (1, "failed")]
    assert a.disordered and hexes(a) == ["A0303", "A0304"] and audit(f.battle) == []


def test_9_54_whoever_cannot_withdraw_extended_disorders_retracts_and_withdraws_in_one_hex(field):
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=9)
    f.unit("friend", "A0304", "E", strength=2, brigade=f.brigade("2/1/U"))
    f.unit("friend 2", "A0302", "E", strength=2, brigade=f.brigade("2/1/U"))
    f.play()
    form(f, a, "A0404")
    f.begin(a)
    offers = f.series.lines.withdrawals(a)
    assert {move.kind for move in offers} == {DRAWN_IN}
    move = next(m for m in offers if [place.id for place in m.places] == ["A0403", "A0303"])
    assert f.series.lines.withdraw(a, move)
    assert a.disordered and hexes(a) == ["A0303"] and a.extended == IN_ONE_HEX and a.withdrew
    assert audit(f.battle) == []


def test_9_54_10_44_in_the_older_edition_too_it_goes_two_hexes_if_no_fire_costs_it_strength(field):
    f = field(9, 8)
    f.options.edition = GRINGO
    a = f.unit("a", "A0403", "E", strength=9)
    f.unit("friend", "A0304", "E", strength=2, brigade=f.brigade("2/1/U"))
    f.unit("friend 2", "A0302", "E", strength=2, brigade=f.brigade("2/1/U"))
    f.play()
    form(f, a, "A0404")
    f.begin(a)
    offers = f.series.lines.withdrawals(a)
    move = next(m for m in offers if [place.id for place in m.places] == ["A0403", "A0303", "A0203"])
    assert f.series.lines.withdraw(a, move)
    assert hexes(a) == ["A0203"] and a.disordered


def test_9_54_disordered_already_it_suffers_nothing_more(field):
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=9, disordered=True)
    f.unit("friend", "A0304", "E", strength=2, brigade=f.brigade("2/1/U"))
    f.unit("friend 2", "A0302", "E", strength=2, brigade=f.brigade("2/1/U"))
    f.play()
    form(f, a, "A0404")
    f.begin(a)
    move = next(m for m in f.series.lines.withdrawals(a) if m.places[0].id == "A0404")
    assert f.series.lines.withdraw(a, move)
    assert a.disordered and f.events("second") == [] and a.strength == 9


# -- the end of a line (8.42, 8.43) ----------------------------------------------------------------------------------


def test_8_42_below_eight_points_the_line_ends_with_the_activation_in_a_hex_of_the_owners_choice(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    f.series.results.lose(a, 1, 0)
    f.series.activation._end([a.command])
    assert hexes(a) == ["A0303", "A0304"]
    f.begin(a)
    f.series.results.lose(a, 1, 0)
    assert a.extended == EXTENDED_LINE
    f.answers[0]["line_keeps"] = [lambda series, unit, choices: places_of(choices).index(["A0304"])]
    f.series.activation._end([a.command])
    assert hexes(a) == ["A0304"] and a.extended == IN_ONE_HEX and a.spent == 0 and audit(f.battle) == []


def places_of(choices):
    return [[place.id for place in choice] for choice in choices]


def test_8_43_below_fifteen_the_owner_chooses_the_extension_that_goes(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=15)
    f.play()
    form(f, a, "A0302", "A0304")
    f.begin(a)
    f.series.results.lose(a, 1, 0)
    offered = []
    f.answers[0]["line_keeps"] = [lambda series, unit, choices: offered.extend(places_of(choices)) or 1]
    f.series.activation._end([a.command])
    assert offered == [["A0302", "A0303"], ["A0303", "A0304"]]
    assert hexes(a) == ["A0303", "A0304"] and audit(f.battle) == []


def test_8_43_from_three_hexes_to_one_when_it_falls_below_eight_at_once(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=15)
    f.play()
    form(f, a, "A0302", "A0304")
    f.begin(a)
    f.series.results.lose(a, 8, 0)
    f.answers[0]["line_keeps"] = [2]
    f.series.activation._end([a.command])
    assert hexes(a) == ["A0304"]
    f.battle.add_part(a, f.hex("A0303"), 0, EXTENDED_LINE)
    f.answers[0]["line_keeps"] = [7]
    with pytest.raises(CommanderError, match="line_keeps"):
        f.series.activation._end([a.command])


def test_9_55_each_part_of_a_line_counts_among_the_units_that_guns_run_in_close_to(field):
    f = field(9, 8)
    g = f.unit("g", "A0203", "E", kind=2, strength=4)
    a = f.unit("a", "A0503", "W", side=1, strength=9)
    f.play(options={"artillery_near_enemy": "2"})
    movement = f.series.movement
    assert len(movement._watchers(g, f.hex("A0303"), 3)) == 1
    form(f, a, "A0504")
    assert len(movement._watchers(g, f.hex("A0303"), 3)) == 2


def test_7_23_a_line_that_goes_on_the_march_is_one_no_longer(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    form(f, a, "A0304")
    f.series.orders.give(a, MARCH)
    assert audit(f.battle) == [] and a.extended != EXTENDED_LINE


def test_retraction_kind(line):
    """8.42: retractions are offered apart from the moves of the line."""
    f, unit = line
    assert {move.kind for move in f.series.lines.retractions(unit)} == {RETRACTION}
    assert RETRACTION not in {move.kind for move in f.series.lines.line_moves(unit)}


# -- what else asks where a line stands ------------------------------------------------------------------------------


def test_6_24_8_44_a_loose_cannon_drives_a_line_on_as_a_line(field):
    f = field(9, 8)
    a = f.unit("a", "A0203", "E", strength=9, orders=ATTACK, movement=6)
    foe = f.unit("foe", "A0604", "W", side=1)
    f.play()
    form(f, a, "A0204")
    f.begin(a)
    f.series.orders.loose.charge(a)
    assert a.came_adjacent and a.extended == EXTENDED_LINE and a.spent == 6
    assert f.battle.in_front(a, foe.hex) and f.series.shock.must_shock(a) and audit(f.battle) == []


def test_6_24_8_44_under_advance_orders_the_line_closes_up_but_not_into_contact(field):
    f = field(9, 8)
    a = f.unit("a", "A0203", "E", strength=9, movement=8)
    f.unit("foe", "A0703", "W", side=1)
    f.play()
    form(f, a, "A0204")
    f.begin(a)
    f.series.orders.loose.close_up(a)
    assert sorted(hexes(a)) == ["A0502", "A0503"] and not f.battle.beside_enemy(a)


def test_4_22_a_line_is_in_command_with_any_of_its_parts(field):
    """A part within the leader's range, or next to a unit that is in command, does for all."""
    f = field(9, 9)
    a = f.unit("a", "A0304", "E", strength=9)
    b = f.unit("b", "A0307", "E", strength=3)
    f.leader("L", "A0302", command_range=1)
    f.play()
    assert f.series.command.units_in_range(a.command) == []
    form(f, a, "A0303")
    assert f.series.command.units_in_range(a.command) == [a]
    f.battle.add_part(a, f.hex("A0305"), 0, EXTENDED_LINE)
    assert f.series.command.units_in_range(a.command) == [a]
    f.battle.lift(b)
    f.battle.stand(b, f.hex("A0306"), True)
    assert f.series.command.units_in_range(a.command) == [a, b]


def test_12_73_a_leader_alone_joins_the_nearest_part(field):
    f = field(9, 9)
    a = f.unit("a", "A0306", "E", strength=9)
    f.unit("foe", "A0402", "W", side=1)
    leader = f.leader("L", "A0303")
    f.play()
    form(f, a, "A0305")
    assert f.battle.enemy_near(f.hex("A0302"), 0)
    f.battle.stand_leader(leader, f.hex("A0302"))
    f.series.retreat.leader_alone(f.hex("A0302"))
    assert leader.hex.id == "A0305"


def test_13_42_a_leader_with_any_part_helps_a_line_to_rally_and_an_enemy_beside_any_part_hinders_it(field):
    f = field(9, 9)
    a = f.unit("a", "A0303", "E", strength=9, disordered=True)
    leader = f.leader("L", "A0304")
    f.play([("rally", 4)])
    f.begin(a)
    form(f, a, "A0304")
    base = f.series.effectiveness.rally_modifier(a)
    f.unit("foe", "A0405", "W", side=1)
    assert f.battle.beside_enemy(a) and not f.battle.enemy_near(a.hex, 0)
    assert f.series.effectiveness.rally_modifier(a) == base + f.charts.command.rally_adjacent
    assert f.series.effectiveness._stars(a) == leader.level


def test_13_41_8_44_a_rallied_line_does_not_turn_by_a_vertex(field):
    f = field(9, 9)
    a = f.unit("a", "A0303", "E", strength=9, disordered=True)
    f.play([("rally", 0)])
    form(f, a, "A0304")
    f.begin(a)
    assert f.series.effectiveness.rally(a)
    assert "heading_after" not in f.asked[0] and HEADING_NAMES[a.heading] == "E"


def test_10_61_a_battery_turned_by_a_pivot_pays_nothing_for_the_one_vertex(field):
    """7.21: one vertex is free; only an about-face costs the guns a point (8.44)."""
    f = field(9, 8)
    g = f.unit("g", "A0304", "E", kind=2, strength=4)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    f.battle.add_part(a, f.hex("A0304"), 1, EXTENDED_LINE)
    f.begin(a)
    advance(f, a, "A0404", "A0304")
    assert (g.spent, g.moved, g.faced) == (0, False, 1)


def test_7_33_a_refused_line_pays_to_straighten_before_it_moves(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    a.refused = 3
    left = int(f.series.movement.allowance(a))
    assert left == int(f.series.movement.remaining(a)) - 2
    advance(f, a, "A0403", "A0404")
    assert a.refused == 0 and a.spent == 4 and audit(f.battle) == []


def test_8_42_a_refused_end_that_is_given_up_is_refused_no_longer(field):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    a.refused = 3
    f.series.results.lose(a, 2, 0)
    f.answers[0]["line_keeps"] = [0]
    f.series.activation._end([a.command])
    assert hexes(a) == ["A0303"] and a.refused == 1 and audit(f.battle) == []


def test_7_33_8_44_guns_with_a_line_straighten_with_it(field):
    """7.33: who is refused with the line leaves that status with it, and pays if active; none turns before that."""
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    left = f.unit("left", "A0303", "E", kind=2, brigade=f.brigade("2/1/U"))
    right = f.unit("right", "A0304", "E", kind=2, brigade=f.brigade("2/1/U"))
    f.play()
    form(f, a, "A0304")
    a.refused, right.refused = 2, 2
    f.begin(left)
    assert not f.series.facing.may_turn(left, HEADING_NAMES.index("W"))
    a.refused, left.refused = 3, 1
    assert f.series.refusal.may_unrefuse(left)
    f.series.refusal.unrefuse(left)
    assert (a.refused, left.refused, right.refused) == (0, 0, 0)
    assert (a.spent, left.spent, right.spent) == (0, 2, 2) and audit(f.battle) == []
    assert f.series.facing.may_turn(left, HEADING_NAMES.index("W"))


@pytest.mark.parametrize(("spent", "offered"), [(0, True), (12, False)])
def test_7_33_8_44_refused_guns_on_the_pivot_pay_for_leaving_that_status(field, spent, offered):
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=9)
    g = f.unit("g", "A0304", "E", kind=2)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    a.refused = g.refused = 2
    g.spent = spent
    moves = [m for m in f.series.lines.line_moves(a) if m.kind == PIVOT and f.hex("A0304") in m.places]
    assert (len(moves) == 1) is offered
    for move in moves:
        f.series.lines.line_move(a, move)
        assert (g.spent, g.refused, a.refused) == (2, 0, 0) and audit(f.battle) == []


@pytest.mark.parametrize(("lost", "keeps", "refused"), [(8, 0, 1), (8, 1, 0), (8, 2, 2), (14, 2, 0)])
def test_8_42_7_31_a_refused_end_that_is_kept_stays_refused(field, lost, keeps, refused):
    """8.42, 7.32: but not if it is then alone in its hex with less than two points."""
    f = field(9, 8)
    a = f.unit("a", "A0303", "E", strength=15)
    f.play()
    form(f, a, "A0302", "A0304")
    f.begin(a)
    a.refused = 3
    f.roll(("cohesion", 0))  # if it loses more once it has collapsed
    f.series.results.lose(a, 8, 0)
    f.series.results.lose(a, lost - 8, 0)
    f.answers[0]["line_keeps"] = [keeps]
    f.series.activation._end([a.command])
    assert hexes(a) == [["A0302", "A0303", "A0304"][keeps]]
    assert a.refused == refused and audit(f.battle) == []


def test_8_44_a_pivot_of_three_hexes_that_ends_halfway_is_taken_back_with_the_guns(field):
    """Disordered by terrain in its first step, the line lacks the points for the second: it cannot stand bent."""
    f = field(9, 9)
    g = f.unit("g", "A0305", "E", kind=2, strength=4)
    a = f.unit("a", "A0304", "E", strength=15, movement=6, movement_disordered=1, cohesion=5)
    f.play([("cohesion", 9)])
    for side in (f.between("A0304", "A0405")[0], f.between("A0303", "A0404")[0]):
        side.disorders = [1, *side.disorders[1:]]
        side.plain_disorders = [1, *side.plain_disorders[1:]]
    f.battle.add_part(a, f.hex("A0303"), 0, EXTENDED_LINE)
    f.battle.add_part(a, f.hex("A0305"), 1, EXTENDED_LINE)
    f.begin(a)
    (pivot,) = [move for move in f.series.lines.line_moves(a) if HEADING_NAMES[move.heading] == "SSE"]
    assert not f.series.lines.line_move(a, pivot)
    assert a.disordered and hexes(a) == ["A0304", "A0303", "A0305"] and a.spent == 2
    assert HEADING_NAMES[a.heading] == HEADING_NAMES[g.heading] == "E" and audit(f.battle) == []


def test_8_24_guns_stacked_with_any_part_of_a_line_change_places_with_it(field):
    f = field(9, 9)
    a = f.unit("a", "A0303", "E", strength=9)
    g = f.unit("g", "A0304", "E", kind=2, strength=4)
    f.play()
    form(f, a, "A0304")
    f.begin(a)
    assert f.stack("A0304") == ["a", "g"] and f.series.stacking.may_reorder(a)
    f.series.stacking.reorder([g, a])
    assert f.stack("A0304") == ["g", "a"] and a.restacked and g.restacked and audit(f.battle) == []


# -- the audit -------------------------------------------------------------------------------------------------------


def spoilt(name):
    def spoil(f, unit):
        if name == "weak":
            unit.strength = unit.start = 7
        elif name == "march":
            unit.orders = MARCH
        elif name == "kind":
            unit.kind = CAVALRY
        elif name == "turned":
            unit.heading = 5
        elif name == "apart":
            f.battle.move_parts(unit, [f.hex("A0303"), f.hex("A0306")], [0, 0])
        elif name == "twice":
            f.battle.move_parts(unit, [f.hex("A0303"), f.hex("A0303")], [0, 0])
        elif name == "ahead":
            f.battle.move_parts(unit, [f.hex("A0303"), f.hex("A0403")], [0, 0])
        else:
            mate = f.battle.units[1]
            f.battle.lift(mate)
            f.battle.stand(mate, f.hex("A0304"), True)

    return spoil


@pytest.mark.parametrize(("name", "said"), [
    ("weak", "8.42"), ("march", "8.51"), ("kind", "no arm"), ("turned", "stands apart"), ("apart", "stands apart"),
    ("twice", "two parts"), ("ahead", "stands apart"), ("stacked", "no battery (8.44"),
])  # fmt: skip
def test_8_44_the_audit_names_what_is_wrong_with_a_line(field, name, said):
    f = field(9, 9)
    a = f.unit("a", "A0303", "E", strength=9)
    f.unit("b", "A0606", "E", strength=3)
    f.play()
    form(f, a, "A0304")
    assert audit(f.battle) == []
    spoilt(name)(f, a)
    assert any(said in fault for fault in audit(f.battle)), audit(f.battle)
