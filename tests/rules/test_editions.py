"""Rules that the books word differently, each played by every wording; docs/editions.md lists the differences."""

import pytest

from simkit.model.forces import ADVANCE, ATTACK, CAVALRY, EXTENDED_COLUMN, EXTENDED_LINE, MARCH
from simkit.play.audit import audit
from simkit.rules.commander import Aim, CommanderError
from simkit.rules.options import EDITIONS


def edition(name):
    return {"edition": name}


@pytest.mark.parametrize(("name", "may"), [("gringo", True), ("into_the_woods", False), ("dead_of_winter", False)])
def test_8_12_only_gringo_lets_dismounted_cavalry_march(field, name, may):
    f = field(12, 5)
    f.unit("4 US", "A0303", kind=CAVALRY, mounted=False)
    f.play(options=edition(name))
    assert f.series.orders.may_march(f.battle.brigades[0]) is may


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize(("facing", "within"), [("W", True), ("E", False)])
def test_8_24_next_to_the_enemy_or_in_his_front(field, name, facing, within):
    """Gringo! forbids a new order in the frontal hex of an enemy, the newer books in any hex next to him."""
    f = field(6, 5)
    a = f.unit("a", "A0303", "E", strength=3)
    b = f.unit("b", "A0303", "E", strength=3)
    enemy = f.unit("enemy", "A0403", facing, side=1)
    f.play(options=edition(name))
    assert f.battle.in_front(enemy, f.hex("A0303")) is within
    f.begin(a)
    if name == "gringo" and not within:
        f.series.stacking.reorder([b, a])
        assert f.stack("A0303") == ["b", "a"]
    else:
        with pytest.raises(CommanderError):
            f.series.stacking.reorder([b, a])


@pytest.mark.parametrize(("name", "fires"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
def test_8_24_guns_in_a_new_place_of_their_stack(field, name, fires):
    """Gringo! lets no unit under Advance Orders fire after it, the newer books only no infantry and cavalry."""
    f = field(9, 5)
    foot = f.unit("foot", "A0303", "E", strength=3)
    guns = f.unit("guns", "A0303", "E", kind=2)
    f.unit("enemy", "A0503", "E", side=1)
    f.play(options=edition(name))
    f.begin(foot)
    f.series.stacking.reorder([guns, foot])
    assert guns.restacked
    assert f.series.fire.may_fire(guns) is fires
    assert not f.series.fire.may_fire(foot)


@pytest.mark.parametrize(("name", "may"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
def test_8_24_guns_that_have_fired(field, name, may):
    f = field(9, 5)
    f.unit("foot", "A0303", "E", strength=3)
    guns = f.unit("guns", "A0303", "E", kind=2, orders=ADVANCE)
    f.play(options=edition(name))
    f.begin(guns)
    guns.fired = True
    assert f.series.stacking.may_reorder(guns) is may


@pytest.mark.parametrize("name", EDITIONS)
def test_8_33_two_batteries_above_infantry(field, name):
    """By the newer books guns fire from above all others, by Gringo! (10.14 too) only as the top unit of the stack."""
    f = field(5, 5)
    stack = [
        f.unit("first", "A0202", kind=2, strength=3), f.unit("second", "A0202", kind=2, strength=3),
        f.unit("foot", "A0202", strength=7),
    ]
    alone = [f.unit("third", "A0404", kind=2, strength=3), f.unit("fourth", "A0404", kind=2, strength=3)]
    f.play(options=edition(name))
    limits = [f.series.stacking.firing_limit(unit) for unit in stack]
    assert limits == ([3, 0, 4] if name == "gringo" else [3, 3, 1])
    assert [f.series.stacking.firing_limit(unit) for unit in alone] == [3, 3]


def go(f, unit, ident):
    movement = f.series.movement
    movement.search(unit)
    nodes = [node for node in movement.reached if node.hex.id == ident and movement.may_stop(node)]
    return movement.move(unit, nodes[0], nodes[0].heading)


CLOSE = {"artillery_near_enemy": "2"}


@pytest.mark.parametrize(
    ("name", "faces", "disordered"),
    [
        ("gringo", [7, 5], True), ("gringo", [6, 5], False), ("gringo", [6, 6], True),
        ("into_the_woods", [5], False), ("into_the_woods", [6], True), ("dead_of_winter", [5], False),
    ],
)
def test_9_54_a_withdrawal_through_a_cheap_and_a_dear_hex(field, name, faces, disordered):
    """Gringo! asks for a check in each hex if one of them costs more than a point, the newer books in that one."""
    f = field(7, 7)
    f.ground("woods", "A0303")
    a = f.unit("a", "A0504", "E", cohesion=6, cohesion_disordered=6, movement=6, movement_disordered=6)
    f.play([("cohesion", face) for face in faces], options=edition(name))
    f.begin(a)
    assert f.series.movement.withdraw(a, [f.hex("A0404"), f.hex("A0303")])
    assert f.dice.used_up()
    assert (a.hex.id, a.disordered) == ("A0303", disordered)


@pytest.mark.parametrize("name", EDITIONS)
def test_9_54_no_check_where_all_is_cheap(field, name):
    f = field(7, 7)
    a = f.unit("a", "A0504", "E")
    f.play(options=edition(name))
    f.begin(a)
    assert f.series.movement.withdraw(a, [f.hex("A0404"), f.hex("A0303")])


@pytest.mark.parametrize(("name", "faces"), [("gringo", [4]), ("into_the_woods", [6, 4]), ("dead_of_winter", [6, 4])])
def test_9_55_option_2_at_the_end_of_the_move_or_in_each_hex(field, name, faces):
    """Guns of cohesion 7 that come to two hexes: one enemy and two for the distance add three to the check there."""
    f = field(14, 5)
    f.unit("enemy", "A0903", "E", side=1)
    g = f.unit("g", "A0503", "E", kind=2, cohesion=7, strength=6)
    f.play([("cohesion", face) for face in faces], options={**edition(name), **CLOSE})
    f.begin(g)
    assert go(f, g, "A0703")
    assert f.dice.used_up()
    assert (g.hex.id, g.disordered) == ("A0703", False)


def test_9_55_gringo_option_2_fails_at_the_end_of_the_move(field):
    """One too many by 5 + 3: the guns have come all the way, are disordered and driven off, and lose none."""
    f = field(14, 5)
    f.unit("enemy", "A0903", "E", side=1)
    g = f.unit("g", "A0503", "E", kind=2, cohesion=7, strength=6)
    f.play([("cohesion", 5)], options={**edition("gringo"), **CLOSE})
    f.begin(g)
    assert go(f, g, "A0703")
    assert [event.target_hex for event in f.events("move")] == ["A0603", "A0703"]
    assert (g.strength, g.disordered) == (6, True)
    assert g.hex.distance_to(f.hex("A0903")) > 3


@pytest.mark.parametrize("name", EDITIONS)
def test_9_55_option_2_guns_that_move_away_from_the_nearest_and_towards_another(field, name):
    """Gringo! exempts guns that end farther from the nearest enemy, the newer books from all enemies in sight."""
    f = field(14, 5)
    f.unit("near", "A1003", "E", side=1)
    f.unit("far", "A0303", "W", side=1)
    g = f.unit("g", "A0803", "W", kind=2, cohesion=7)
    exempt = name == "gringo"
    f.play([] if exempt else [("cohesion", 3)], options={**edition(name), **CLOSE})
    f.begin(g)
    assert go(f, g, "A0703")
    assert f.dice.used_up()
    assert g.by_exception is exempt


@pytest.mark.parametrize("name", EDITIONS)
def test_9_55_option_1_is_the_same_in_all_books(field, name):
    f = field(14, 5)
    f.unit("enemy", "A0903", "E", side=1)
    g = f.unit("g", "A0503", "E", kind=2)
    f.play(options=edition(name))
    f.begin(g)
    f.series.movement.search(g)
    assert all(node.hex.distance_to(f.hex("A0903")) >= 4 for node in f.series.movement.reached)


@pytest.mark.parametrize("name", EDITIONS)
def test_9_55_9_71_option_2_guns_that_come_onto_the_map_began_it_close_to_nobody(field, name):
    """They check like others; and nobody asks for sight to the gate beyond the edge, which has none to remember."""
    f = field(9, 5)
    f.ground("woods", "A0103")
    g = f.unit("g", None, kind=2, cohesion=7)
    f.unit("enemy", "A0303", "E", side=1)
    f.reinforcement(0, ["A0103"], [g], orders=[ADVANCE])
    f.play([("cohesion", 4)], options={**edition(name), **CLOSE})
    f.begin_turn(0)
    f.begin(g)
    assert go(f, g, "A0103")
    assert f.dice.used_up()
    sight = f.series.sight
    known = {(a.id, b.id): sight.clear(a, b) for a in f.map.hexes for b in f.map.hexes}
    sight.forget()
    assert known == {(a.id, b.id): sight.clear(a, b) for a in f.map.hexes for b in f.map.hexes}


# -- lines and columns -----------------------------------------------------------------------------------------------


def pick(moves, *idents):
    """The offer that leads a line to these hexes."""
    return next(move for move in moves if sorted(place.id for place in move.places) == sorted(idents))


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("disordered", [False, True])
def test_8_41_12_34_a_disordered_line_retracts_next_to_the_enemy(field, name, disordered):
    """The newer books allow it in so many words; in Gringo! nobody who is disordered moves next to the enemy."""
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=9, disordered=disordered)
    f.unit("foe", "A0402", "W", side=1)
    f.play(options=edition(name))
    f.battle.add_part(a, f.hex("A0302"), 0, EXTENDED_LINE)
    f.begin(a)
    offers = [[place.id for place in move.places] for move in f.series.lines.retractions(a)]
    assert ["A0303"] in offers
    assert (["A0302"] in offers) is (not disordered or name != "gringo")


@pytest.mark.parametrize("name", EDITIONS)
def test_8_41_9_53_a_line_that_has_retracted_next_to_the_enemy(field, name):
    """By the newer books it then stops and does not turn, by Gringo! it may go on."""
    f = field(6, 6)
    a = f.unit("a", "A0303", "E", strength=9)
    f.unit("foe", "A0402", "W", side=1)
    f.play(options=edition(name))
    f.battle.add_part(a, f.hex("A0302"), 0, EXTENDED_LINE)
    f.begin(a)
    f.series.lines.retract(a, pick(f.series.lines.retractions(a), "A0302"))
    assert f.series.movement.may_move(a) is (name == "gringo")


@pytest.mark.parametrize(("name", "checks"), [("gringo", [0, 1]), ("into_the_woods", [1]), ("dead_of_winter", [1])])
def test_9_54_a_line_that_withdraws_through_a_cheap_and_a_dear_step(field, name, checks):
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=9, cohesion=5)
    f.ground("woods", "A0204")
    f.play([("cohesion", 0)] * len(checks), options=edition(name))
    f.battle.add_part(a, f.hex("A0404"), 1, EXTENDED_LINE)
    f.begin(a)
    move = next(
        move for move in f.series.lines.withdrawals(a)
        if move.ways[0][0].to.id == "A0303" and {place.id for place in move.places} == {"A0203", "A0204"}
    )
    assert f.series.lines.withdraw(a, move)
    assert [udd.drm for udd in f.events("udd")] == checks


@pytest.mark.parametrize("name", EDITIONS)
def test_9_6_9_63_cavalry_in_extended_column(field, name):
    """The newer books forbid it every reaction; Gringo! bars it from facing and refusal alone (9.61)."""
    f = field(14, 7)
    u = f.unit("u", "A0403", "E", orders=ATTACK)
    horse = f.unit("horse", "A0803", "W", side=1, kind=CAVALRY, strength=6)
    f.play([("cohesion", 0)], options=edition(name))
    f.battle.add_part(horse, f.hex("A0903"), 0, EXTENDED_COLUMN)
    f.begin(u)
    f.answers[1]["reaction_move"] = [True] * 3
    go(f, u, "A0503")
    assert f.series.reaction.headings(horse, [u]) == []
    assert (f.asked[1].count("reaction_move") > 0) is (name == "gringo")
    assert (horse.hex.id != "A0803") is (name == "gringo")
    assert audit(f.battle) == []


# -- reinforcements --------------------------------------------------------------------------------------------------


def late(f, orders, brigades, name):
    """A regiment that enters without its brigadier, who stands on the map within four points of A0504."""
    own = f.battle.brigades[0]
    own.orders = brigades
    f.leader("Brigadier", "A0804", own, command_range=4)
    f.unit("1 IL", "A0804", "E" if brigades == MARCH else "SSE", orders=brigades)
    unit = f.unit("2 IL", None)
    f.unit("1 TN", "A1604", "W", side=1)
    f.reinforcement(0, ["A0104"], [unit], orders=[orders])
    f.play(options=edition(name))
    f.begin_turn(0)
    return unit


@pytest.mark.parametrize(
    ("name", "orders"), [("gringo", ATTACK), ("into_the_woods", ADVANCE), ("dead_of_winter", ADVANCE)]
)
def test_9_71_who_came_without_his_brigadier_and_moves_into_his_range(field, name, orders):
    """Gringo! gives him the brigade's orders as his move ends there, the newer books as he begins an activation."""
    f = field(16, 8)
    unit = late(f, ADVANCE, ATTACK, name)
    f.begin(unit)
    go(f, unit, "A0504")
    assert unit.orders == orders
    f.series.orders.catch_up(unit.command)
    assert unit.orders == ATTACK


def test_9_71_by_gringo_a_march_into_his_range_ends_the_turn(field):
    f = field(16, 8)
    unit = late(f, MARCH, ADVANCE, "gringo")
    f.begin(unit)
    go(f, unit, "A0504")
    assert unit.orders == ADVANCE
    assert unit.finished
    assert unit.heading % 2 == 1
    assert audit(f.battle) == []


@pytest.mark.parametrize(("name", "shocks"), [("gringo", True), ("into_the_woods", True), ("dead_of_winter", False)])
def test_9_71_9_72_who_enters_under_advance_orders_and_comes_next_to_guns(field, name, shocks):
    """Only Dead of Winter bars shock to all who enter so; the other books to those who enter next to an enemy."""
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    f.unit("battery", "A0404", "E", side=1, kind=2)
    f.reinforcement(0, ["A0104"], [unit], orders=[ADVANCE])
    f.play(options=edition(name))
    f.begin_turn(0)
    f.begin(unit)
    go(f, unit, "A0304")
    assert f.battle.enemy_near(unit.hex, 0)
    assert f.series.shock.may_shock(unit) is shocks


@pytest.mark.parametrize("name", EDITIONS)
def test_9_72_who_enters_under_advance_orders_next_to_an_enemy(field, name):
    f = field(16, 8)
    unit = f.unit("1 IL", None)
    f.unit("1 TN", "A0204", "W", side=1)
    f.reinforcement(0, ["A0104"], [unit], orders=[ADVANCE])
    f.play(options=edition(name))
    f.begin_turn(0)
    f.begin(unit)
    f.series.movement.search(unit)
    node = next(node for node in f.series.movement.reached if node.hex.id == "A0104" and node.heading == 3)
    f.series.movement.move(unit, node, 3)
    assert not f.series.shock.may_shock(unit)


def line_with_three_targets(field, name, faces):
    """A line of two parts and three enemies before it who look away; the plan is to fire at the outer two."""
    f = field(8, 8)
    a = f.unit("a", "A0303", "E", strength=12)
    for ident in ("A0403", "A0404", "A0405"):
        f.unit(ident, ident, "E", side=1, strength=9)
    f.play(faces, options=edition(name))
    f.battle.add_part(a, f.hex("A0304"), 0, EXTENDED_LINE)
    f.begin(a)
    left, right = a.parts
    return f, a, [Aim([left], [f.hex("A0403")]), Aim([right], [f.hex("A0405")])]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("gringo", ["fire", "udd", "fire", "udd"]), ("into_the_woods", ["fire", "fire", "udd", "udd"]),
        ("dead_of_winter", ["fire", "fire", "udd", "udd"]),
    ],
)
def test_8_45_10_15_fires_of_a_lines_parts(field, name, order):
    """By the newer books all are rolled before any result; by Gringo! each part is as a unit of its own (10.14)."""
    f, a, aims = line_with_three_targets(field, name, [(kind.replace("udd", "cohesion"), 4) for kind in order])
    f.series.fire.phasing_parts(a, aims)
    assert [event.kind for event in f.events("fire", "udd")] == order
    assert f.dice.used_up()
    assert not f.series.fire.may_fire(a)


@pytest.mark.parametrize("name", EDITIONS)
def test_8_45_parts_that_fire_at_one_hex_do_so_together(field, name):
    """In all books; so what one part has fired at is no target of the other afterwards."""
    f, a, _ = line_with_three_targets(field, name, [("fire", 0), ("fire", 0)])
    middle = f.hex("A0404")
    with pytest.raises(CommanderError, match=r"together \(8\.45\)"):
        f.series.fire.phasing_parts(a, [Aim([part], [middle]) for part in a.parts])
    f.series.fire.phasing_parts(a, [Aim([a.parts[0]], [middle])])
    with pytest.raises(CommanderError):
        f.series.fire.phasing_parts(a, [Aim([a.parts[1]], [middle])])
    assert f.series.fire.may_fire(a) is (name == "gringo")
    if name == "gringo":
        assert middle not in f.series.fire.targets(a)


LIMITED = [("gringo", True), ("into_the_woods", True), ("dead_of_winter", False)]


@pytest.mark.parametrize(("name", "limited"), LIMITED)
@pytest.mark.parametrize("hit", [True, False])
def test_9_54_10_44_fire_limits_a_withdrawal_to_one_hex(field, name, limited, hit):
    """Unless the book is Dead of Winter: a step loss or a disorder by the fire as the unit leaves."""
    f = field(8, 8)
    a = f.unit("a", "A0504", "E", strength=9, cohesion=9)
    f.unit("enemy", "A0604", "W", side=1, strength=9)
    f.play([("fire", 9 if hit else 0)], options=edition(name))
    f.begin(a)
    there = f.series.movement.withdraw(a, [f.hex("A0404"), f.hex("A0303")])
    assert f.dice.used_up()
    assert (a.strength < 9 or a.disordered) is hit
    assert there is not (hit and limited)
    assert a.hex.id == ("A0404" if hit and limited else "A0303")
    assert a.withdrew
    assert audit(f.battle) == []


@pytest.mark.parametrize(("name", "limited"), LIMITED)
def test_9_54_10_44_fire_limits_the_withdrawal_of_a_line_to_one_step(field, name, limited):
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=9, cohesion=9)
    f.unit("enemy", "A0503", "W", side=1, strength=9)
    f.play([("fire", 9)], options=edition(name))
    f.battle.add_part(a, f.hex("A0404"), 1, EXTENDED_LINE)
    f.begin(a)
    move = next(
        move for move in f.series.lines.withdrawals(a)
        if move.ways[0][0].to.id == "A0303" and {place.id for place in move.places} == {"A0203", "A0204"}
    )
    assert f.series.lines.withdraw(a, move) is not limited
    assert a.strength < 9 or a.disordered
    assert {part.hex.id for part in a.parts} == ({"A0303", "A0304"} if limited else {"A0203", "A0204"})
    assert audit(f.battle) == []


@pytest.mark.parametrize(("name", "limited"), LIMITED)
def test_9_54_10_44_fire_limits_the_withdrawal_of_a_line_that_draws_in(field, name, limited):
    """It is disordered by drawing in, so only a step loss without a second disorder leaves it free to go."""
    f = field(9, 8)
    a = f.unit("a", "A0403", "E", strength=12, cohesion=9, cohesion_disordered=9)
    for at, ident in enumerate(("A0304", "A0302")):
        f.unit(f"friend {at}", ident, "E", strength=2, brigade=f.brigade("2/1/U"))
    f.unit("enemy", "A0504", "W", side=1, strength=7)
    f.play([("fire", 7), ("cohesion", 0)], options=edition(name))
    f.battle.add_part(a, f.hex("A0404"), 1, EXTENDED_LINE)
    f.begin(a)
    ways = {" ".join(place.id for place in move.places): move for move in f.series.lines.withdrawals(a)}
    move = ways["A0403 A0303 A0203"]
    there = f.series.lines.withdraw(a, move)
    assert f.dice.used_up()
    assert (a.strength, a.disordered) == (11, True)
    assert there is not limited
    assert a.hex.id == ("A0303" if limited else "A0203")
    assert audit(f.battle) == []


@pytest.mark.parametrize("name", EDITIONS)
def test_8_12_6_14_dismounted_cavalry_among_reinforcements(field, name):
    f = field(16, 8)
    f.reinforcement(0, ["A0104"], [f.unit("4 US", None, kind=CAVALRY, mounted=False)])
    f.unit("1 TN", "A1604", "W", side=1)
    f.play(options=edition(name))
    offered = []

    def choose(series, command, units, choices):
        offered.extend(choices)
        return ADVANCE

    f.answers[0]["reinforcement_orders"] = [choose]
    f.begin_turn(0)
    assert (MARCH in offered) is (name == "gringo")
