"""Rules 11.51 to 11.54 and 11.57: who may charge, by which ways, and what happens when the enemy moves off."""

import pytest

from simkit.model.battle import NIGHT
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAVALRY
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import CommanderError

EAST = HEADING_NAMES.index("E")


def meadow(field, mover="A0205", foe="A0605", foe_kind=0, **of_charger):
    """Mounted cavalry facing east in a meadow, and four hexes ahead of it an enemy who faces it."""
    f = field(12, 10)
    c = f.unit("c", mover, "E", kind=CAVALRY, orders=ATTACK, **of_charger)
    d = f.unit("d", foe, "W", side=1, kind=foe_kind)
    return f, c, d


def ready(f, unit, faces=()):
    f.play(faces)
    f.begin(unit)
    return f.series.charge


def ends(f, units):
    """Where a charge of units may end: hexes and headings."""
    return sorted({(way.end().id, HEADING_NAMES[way.heading()]) for way in f.series.charge.ways(units)})


def by(*hexes):
    """An answer that takes the way through these hexes."""

    def answer(series, units, ways):
        return next(at for at, way in enumerate(ways) if [side.to.id for side in way.sides] == list(hexes))

    return answer


def charges(f):
    return [(event.unit, event.hex, event.result, event.target_hex) for event in f.events("charge")]


# -- 11.51: charge or ordinary shock ---------------------------------------------------------------------------------


def test_11_51_cavalry_that_has_not_announced_a_charge_shocks_as_usual(field):
    """11.51, 11.21: moved adjacent by its normal movement it must shock, but does not charge."""
    f, c, _d = meadow(field)
    ready(f, c)
    f.series.movement.search(c)
    node = next(n for n in f.series.movement.reached if n.hex.id == "A0505" and n.heading == EAST)
    f.series.movement.move(c, node, EAST)
    assert f.series.shock.must_shock(c) and not f.series.shock.charges(c)
    assert not c.charging and not c.charge_marker


def test_11_51_not_once_it_has_moved(field):
    f, c, _d = meadow(field)
    charge = ready(f, c)
    f.series.movement.search(c)
    node = next(n for n in f.series.movement.reached if n.hex.id == "A0304" and n.heading == EAST)
    f.series.movement.move(c, node, EAST)
    assert not charge.may_charge(c)


# -- 11.52: eligibility ----------------------------------------------------------------------------------------------


def test_11_52_under_attack_orders_with_an_enemy_in_sight_within_five_points(field):
    f, c, _d = meadow(field)
    charge = ready(f, c)
    assert charge.may_charge(c)
    assert charge.chargers(c) == [c]
    assert ends(f, [c]) == [("A0504", "E"), ("A0505", "E")]


def dismount(f, c):
    c.mounted = False


def at_night(f, c):
    f.battle.turns[f.battle.turn].light = NIGHT


@pytest.mark.parametrize("spoil", [
    lambda f, c: f.series.orders.give(c, ADVANCE),
    dismount,
    at_night,
    lambda f, c: setattr(c, "disordered", True),
    lambda f, c: setattr(c, "fired", True),
    lambda f, c: setattr(c, "rallied", True),
    lambda f, c: setattr(c, "finished", True),
    lambda f, c: setattr(c, "active", False),
], ids=["Advance", "dismounted", "night", "disordered", "fired", "rallied", "finished", "inactive"])
def test_11_52_12_34_14_24_16_12_what_forbids_a_charge(field, spoil):
    """6.16, 11.52, 12.34, 14.24, 16.12: orders other than Attack among it."""
    f, c, _d = meadow(field)
    charge = ready(f, c)
    spoil(f, c)
    assert not charge.may_charge(c)
    with pytest.raises(CommanderError, match="may not charge now"):
        charge.charge(c)


@pytest.mark.parametrize(("foe", "may"), [("A0704", True), ("A0905", False)])
def test_11_52_no_more_than_five_points_whatever_the_allowance(field, foe, may):
    """11.52: 16 points halve to 8, but an enemy whom only 6 points would reach is too far."""
    f, c, _d = meadow(field, foe=foe, movement=16)
    assert ready(f, c).may_charge(c) is may


def test_11_52_9_24_nor_more_than_its_allowance(field):
    """9.24: an allowance of 5 is 3 under Attack Orders."""
    f, c, _d = meadow(field, movement=5)
    assert ready(f, c).may_charge(c)
    f, c, _d = meadow(field, movement=4)
    assert not ready(f, c).may_charge(c)


def test_11_52_an_enemy_out_of_sight_is_no_target(field):
    f, c, d = meadow(field)
    f.level(4, "A0404", "A0405")
    charge = ready(f, c)
    assert not f.series.sight.clear(c.hex, d.hex)
    assert not charge.may_charge(c)


def test_11_52_10_26_units_do_not_block_the_sight_of_a_charge(field):
    """10.26: a friend two hexes ahead stands in the line; the way past him is open."""
    f, c, d = meadow(field)
    f.unit("friend", "A0405", "E", orders=ATTACK, brigade=f.brigade("2/1/U", orders=ATTACK))
    charge = ready(f, c)
    assert f.series.sight.clear(c.hex, d.hex)
    ways = [[side.to.id for side in way.sides] for way in charge.ways([c])]
    assert ["A0304", "A0404", "A0504"] in ways and all("A0405" not in way for way in ways)


def test_11_52_the_unit_that_it_comes_at_must_be_the_one_in_sight(field):
    """11.52: an enemy in the open does not make another, whom a hill hides, a target."""
    f, c, d = meadow(field)
    f.level(4, "A0404", "A0405")
    f.unit("seen", "A0109", "N", side=1)
    charge = ready(f, c)
    assert not any(d.hex in way.targets for way in charge.ways([c]))


def test_11_52_in_range_of_the_brigadier_as_the_activation_begins(field):
    f, c, _d = meadow(field)
    leader = f.leader("Chief", "A1210", command_range=2)
    assert not ready(f, c).may_charge(c)
    f, c, _d = meadow(field)
    leader = f.leader("Chief", "A0206", command_range=2)
    charge = ready(f, c)
    f.battle.stand_leader(leader, f.hex("A1210"))
    assert charge.may_charge(c)  # what happens later does not matter
    f, c, _d = meadow(field)
    assert ready(f, c).may_charge(c)  # it has no brigadier


def test_11_52_guns_and_infantry_never_charge_so(field):
    f, c, _d = meadow(field)
    i = f.unit("i", "A0207", "E", orders=ATTACK)
    charge = ready(f, c)
    assert not charge.may_charge(i)


# -- 11.53: procedure ------------------------------------------------------------------------------------------------


def test_11_53_a_passed_check_sends_it_off_and_it_is_marked_beside_the_enemy(field):
    f, c, _d = meadow(field)
    charge = ready(f, c, [("cohesion", 6)])
    assert charge.charge(c)
    assert c.hex.id in ("A0504", "A0505") and c.heading == EAST
    assert c.charging and c.charge_marker and c.came_adjacent
    assert c.spent == 6 and f.dice.used_up()
    assert f.series.shock.must_shock(c) and f.series.shock.charges(c)
    assert not f.series.movement.may_move(c)
    assert charges(f) == [
        ("u/c", "A0205", "rides to the charge", ""), ("u/c", c.hex.id, "comes at the enemy in", "A0605"),
    ]


def test_11_53_a_failed_check_leaves_the_stack_in_place_its_activation_finished(field):
    f, c, _d = meadow(field, strength=3)
    mate = f.unit("mate", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=3)
    charge = ready(f, c, [("cohesion", 7)])
    assert not charge.charge(c)
    for unit in (c, mate):
        assert unit.hex.id == "A0205" and unit.finished and not unit.charging and not unit.disordered
        assert not f.series.movement.may_move(unit) and not f.series.fire.may_fire(unit)
        assert not charge.may_charge(unit)
    assert charges(f) == [("u/c", "A0205", "fails to go in", "")]


def test_11_53_all_eligible_units_of_the_stack_charge_and_the_top_one_of_them_checks(field):
    """11.53, 8.21: the disordered unit on top is not eligible: it stays, and the next one checks for the others."""
    f = field(12, 10)
    top = f.unit("top", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=2, disordered=True)
    b = f.unit("b", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=2, cohesion=5)
    c = f.unit("c", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=2)
    f.unit("d", "A0605", "W", side=1)
    charge = ready(f, c, [("cohesion", 5)])
    assert charge.chargers(c) == [b, c]
    assert charge.charge(c)
    assert [event.unit for event in f.events("udd")] == ["u/b"]
    assert b.hex is c.hex and b.charge_marker and c.charge_marker
    assert [unit.name for unit in f.battle.units_in(c.hex)] == ["b", "c"]
    assert top.hex.id == "A0205" and not top.charging and not top.finished


def test_11_53_in_gringo_the_top_unit_of_the_stack_checks(field):
    f = field(12, 10)
    f.unit("top", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=2, disordered=True)
    c = f.unit("c", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=2)
    f.unit("d", "A0605", "W", side=1)
    f.play([("cohesion", 4)], options={"edition": "gringo"})
    f.begin(c)
    assert f.series.charge.charge(c)
    assert [event.unit for event in f.events("udd")] == ["u/top"]


def test_11_53_8_21_stacked_units_may_also_ride_one_by_one(field):
    f, c, _d = meadow(field, strength=3)
    mate = f.unit("mate", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=3)
    charge = ready(f, c, [("cohesion", 0)])
    f.answers[0]["charge_together"] = [False]
    f.answers[0]["charge_way"] = [by("A0304", "A0404", "A0504"), by("A0304", "A0405", "A0505")]
    assert charge.charge(c)
    assert c.hex.id == "A0504" and mate.hex.id == "A0505"
    assert c.charge_marker and mate.charge_marker


def test_11_53_who_finds_no_way_after_the_others_stays_and_has_finished(field):
    """11.54: the only hex from which the enemy can be come at holds the first unit of the stack."""
    f, c, _d = meadow(field, strength=3)
    mate = f.unit("mate", "A0205", "E", kind=CAVALRY, orders=ATTACK, strength=3)
    f.ground("river", "A0505")
    charge = ready(f, c, [("cohesion", 0)])
    f.answers[0]["charge_together"] = [False]
    assert charge.charge(c)
    assert c.hex.id == "A0504" and c.charge_marker
    assert mate.hex.id == "A0205" and mate.finished and not mate.charge_marker


def test_9_31_a_leader_goes_along_with_a_charge(field):
    f, c, _d = meadow(field)
    leader = f.leader("Chief", "A0205")
    charge = ready(f, c, [("cohesion", 7)])  # his star helps (11.73)
    assert charge.charge(c, [leader])
    assert leader.hex is c.hex and leader.ended


def test_9_31_a_leader_of_another_hex_does_not(field):
    f, c, _d = meadow(field)
    leader = f.leader("Chief", "A0206")
    charge = ready(f, c)
    with pytest.raises(CommanderError, match="cannot go along"):
        charge.charge(c, [leader])


# -- 11.54: the Charge Path ------------------------------------------------------------------------------------------


def test_11_54_no_change_of_facing_in_the_last_three_hexes(field):
    """11.54: it may wheel where it stands or after its first hex of four, but not in the last three."""
    f, c, _d = meadow(field, movement=20)
    ready(f, c)
    for way in f.series.charge.ways([c]):
        last = way.headings[-3:]
        assert len(set(last)) == 1, [side.to.id for side in way.sides]
    # an enemy straight ahead, turned away from by a vertex: it turns first, then rides
    f, c, _d = meadow(field, movement=20)
    c.heading = HEADING_NAMES.index("NNE")
    charge = ready(f, c, [("cohesion", 0)])
    assert ends(f, [c]) == [("A0504", "E"), ("A0505", "E")]
    assert charge.charge(c)
    assert c.heading == EAST


def test_11_54_a_shorter_move_is_all_charge_path(field):
    f, c, _d = meadow(field, foe="A0405")
    ready(f, c)
    assert {way.end().id for way in f.series.charge.ways([c]) if len(way.sides) == 1} == {"A0304", "A0305"}
    # of two hexes, the second is entered with the heading of the first
    assert all(len(set(way.headings[-3:])) == 1 for way in f.series.charge.ways([c]))


def test_11_54_9_53_from_beside_one_enemy_to_another(field):
    """9.53: it may turn one vertex and move straight to a hex beside the enemy."""
    f, c, _d = meadow(field, foe="A0405")
    f.unit("e", "A0204", "S", side=1)
    ready(f, c)
    assert ends(f, [c]) == [("A0304", "E"), ("A0305", "E")]
    assert all(len(way.sides) == 1 for way in f.series.charge.ways([c]) if way.end().id == "A0304")


@pytest.mark.parametrize(("dear", "may"), [("woods", False), ("cedars", False), ("town", True), ("field", True)])
def test_11_54_no_hex_of_more_than_one_point(field, dear, may):
    """11.54: a hex that costs horse 3 or 4 MPs is none of a Charge Path, one that costs 1 is."""
    f, c, _d = meadow(field, movement=20, foe="A0405")
    f.level(3, "A0205", "A0405")
    f.ground("river", "A0305")
    f.ground(dear, "A0304")
    ready(f, c)
    assert (("A0304", "E") in ends(f, [c])) is may


def test_11_54_the_target_hex_may_be_dear_and_so_may_hexes_before_the_path(field):
    """11.54: woods where it begins and in the target's hex are no part of the path."""
    f, c, _d = meadow(field, movement=20)
    f.ground("woods", "A0605", "A0205")
    f.level(1, "A0605")
    assert ready(f, c).may_charge(c)


def test_11_54_a_dear_hex_before_the_last_three(field):
    """11.54: one hex of 2 MPs across old works, then three in the open: 5 MPs."""
    f, c, _d = meadow(field, foe="A0704", movement=20)
    for beside in ("A0204", "A0304", "A0305", "A0206"):
        f.hexside("breastworks", "A0205", beside)
    ready(f, c)
    ways = f.series.charge.ways([c])
    assert ways and all(way.cost == 10 and len(way.sides) == 4 for way in ways)


def test_11_54_a_hexside_that_adds_to_the_cost_bars_the_path_but_a_stream_does_not(field):
    f, c, _d = meadow(field, movement=20)
    strip = [f"A{column:02d}{row:02d}" for column in range(1, 13) for row in (3, 6)]
    f.ground("river", "A0505", "A0405", *strip)
    f.hexside("stream", "A0304", "A0404")
    ready(f, c)
    way, = f.series.charge.ways([c])
    assert way.end().id == "A0504" and way.cost == 8
    f, c, _d = meadow(field, movement=20)
    f.ground("river", "A0505", "A0405", *strip)
    f.hexside("breastworks", "A0304", "A0404")
    assert not ready(f, c).may_charge(c)


def test_11_54_no_friend_on_the_path(field):
    f, c, _d = meadow(field)
    f.unit("friend", "A0304", "E", orders=ATTACK, brigade=f.brigade("2/1/U", orders=ATTACK))
    ready(f, c)
    assert all("A0304" not in [side.to.id for side in way.sides] for way in f.series.charge.ways([c]))


def test_11_54_it_does_not_end_among_friends_either(field):
    f, c, _d = meadow(field)
    f.unit("friend", "A0505", "E", kind=CAVALRY, orders=ATTACK, strength=1)
    ready(f, c)
    assert ends(f, [c]) == [("A0504", "E")]


# -- fire and disorder on the way (10.44, 10.45, 11.52, 12.34, 14.24) ------------------------------------------------


def test_11_52_10_45_disordered_by_approach_fire_it_completes_the_charge(field):
    """12.34: whoever is disordered in a charge may still move adjacent, and must attack."""
    f, c, _d = meadow(field, foe_kind=ARTILLERY, movement_disordered=10)
    charge = ready(f, c, [("cohesion", 0), ("fire", 6), ("cohesion", 9)])
    f.answers[1]["approach_fire"] = [lambda series, gun, mover, most: most]
    assert charge.charge(c)
    assert c.disordered and c.charge_marker and f.series.shock.must_shock(c)


def test_12_33_disordered_it_has_only_the_points_of_its_disordered_side(field):
    """12.33: of 3 points, 1 is left when it is disordered in its first hex with 4 on that side."""
    f, c, d = meadow(field, foe_kind=ARTILLERY, movement_disordered=4)
    charge = ready(f, c, [("cohesion", 0), ("fire", 6), ("cohesion", 9)])
    f.answers[1]["approach_fire"] = [lambda series, gun, mover, most: most]
    assert not charge.charge(c)
    assert c.disordered and not c.charge_marker and c.charging
    assert c.spent == 4 and c.hex.distance_to(d.hex) == 2
    assert not f.series.fire.may_fire(c) and not f.series.movement.may_move(c)


def test_14_24_chargers_do_not_fire_in_that_activation(field):
    f, c, _d = meadow(field)
    charge = ready(f, c, [("cohesion", 0)])
    assert charge.charge(c)
    assert not f.series.fire.may_fire(c)


# -- 11.57: the target moves off -------------------------------------------------------------------------------------


def horse(field, faces, hidden=""):
    """Cavalry four hexes from enemy horse that means to move off when it comes within three hexes.

    Infantry may be `hidden` from its sight in a hex behind a hill.
    """
    f, c, d = meadow(field, foe="A0605", foe_kind=CAVALRY, movement=20)
    if hidden:
        f.unit("hidden", hidden, "W", side=1)
        f.level(4, "A0406", "A0506", "A0606")
    charge = ready(f, c, [("cohesion", 0), *faces])
    f.answers[1]["reaction_move"] = [True]
    return f, c, d, charge


def test_11_57_it_may_go_on_to_the_limit_of_its_allowance_and_must_complete_it_before_an_enemy(field):
    """11.57, 9.63: the horse moves off two hexes and checks; the charge goes on beyond 5 MPs and comes at it."""
    f, c, d, charge = horse(field, [("cohesion", 0)])
    f.answers[1]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0804")]
    assert charge.charge(c)
    assert d.hex.id == "A0804"
    assert c.hex.distance_to(d.hex) == 1 and c.charge_marker and f.series.shock.must_shock(c)
    assert c.spent == 10
    assert len({c.heading, EAST}) == 1


def test_11_57_even_an_enemy_that_it_could_not_see_before(field):
    f, c, _d, charge = horse(field, [("cohesion", 0)], "A0707")
    hidden = f.battle.units[2]
    assert f.series.sight.clear(c.hex, f.hex("A0605")) and not f.series.sight.clear(c.hex, hidden.hex)
    f.answers[1]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0804")]
    f.answers[0]["continue_charge"] = [
        lambda series, units, ways: next(at for at, way in enumerate(ways) if hidden.hex in way.targets)
    ]
    assert charge.charge(c)
    assert c.hex.distance_to(hidden.hex) == 1 and c.charge_marker


def test_11_57_it_may_break_off_by_a_check_and_stops_in_place(field):
    """11.57, 9.63: it enters the hex that set the reaction off and stops there, its activation finished."""
    f, c, _d, charge = horse(field, [("cohesion", 0), ("cohesion", 6)])
    f.answers[0]["break_off_charge"] = [True]
    assert not charge.charge(c)
    assert c.hex.distance_to(f.hex("A0605")) == 3 and c.finished and not c.charge_marker
    assert charges(f)[-1][2] == "breaks off" and f.dice.used_up()


def test_11_57_a_failed_check_sends_it_on(field):
    f, c, _d, charge = horse(field, [("cohesion", 0), ("cohesion", 7)])
    f.answers[0]["break_off_charge"] = [True]
    charge.charge(c)
    assert c.hex.distance_to(f.hex("A0605")) < 3 and not c.finished


def test_11_57_without_an_enemy_it_ends_by_the_charge_path_and_is_not_marked(field):
    f, c, _d, charge = horse(field, [("cohesion", 0)])
    f.answers[1]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0804")]
    nowhere = []

    def first_without(series, units, ways):
        nowhere.extend(way for way in ways if not way.targets)
        return ways.index(nowhere[0])

    f.answers[0]["continue_charge"] = [first_without]
    assert not charge.charge(c)
    assert nowhere and c.hex is nowhere[0].end() and not c.charge_marker and c.charging
    assert not f.series.shock.must_shock(c) and not f.series.fire.may_fire(c)


def test_11_57_others_who_move_off_do_not_matter(field):
    """11.57: only the units that it is charging give it the choice."""
    f, c, _d = meadow(field, movement=20)
    g = f.unit("g", "A0607", "W", side=1, kind=CAVALRY)
    charge = ready(f, c, [("cohesion", 0), ("cohesion", 0)])
    f.answers[0]["charge_way"] = [by("A0304", "A0404", "A0504")]
    f.answers[1]["reaction_move"] = [True]
    assert charge.charge(c)
    assert g.hex.id != "A0607" and "break_off_charge" not in f.asked[0]
    assert c.charge_marker
