"""Rules 9.61 to 9.63: refusals, facing changes and moves in reaction to what the phasing side does."""

import pytest

from simkit.model.battle import NIGHT, PHASE_SHOCK
from simkit.model.forces import ADVANCE, ATTACK, EXTENDED_COLUMN, EXTENDED_LINE, MARCH, ROUTED
from simkit.model.forces import REFUSED_LEFT as LEFT
from simkit.model.forces import REFUSED_RIGHT as RIGHT
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.audit import audit
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.firemodifiers import APPROACH

GUNS, HORSE = 2, 1


def node_to(f, unit, ident):
    movement = f.series.movement
    movement.search(unit)
    nodes = [n for n in movement.reached if n.hex.id == ident and movement.may_stop(n)]
    return nodes[0] if nodes else None


def go(f, unit, ident):
    node = node_to(f, unit, ident)
    assert node is not None, f"{unit.id} cannot stop in {ident}"
    return f.series.movement.move(unit, node, node.heading)


def towards(*names):
    """An answer that turns to a heading, if it is offered."""
    wanted = [HEADING_NAMES.index(name) for name in names]

    def answer(series, unit, enemy, headings):
        for at, heading in enumerate(headings):
            if heading in wanted:
                return at
        return -1

    return answer


def checks(f, why):
    """Units that have checked their cohesion for a reason, with the modifier of the roll."""
    return [(event.unit, int(event.drm)) for event in f.events("udd") if event.mode == why]


def asked(f, question, side=1):
    return f.asked[side].count(question)


# -- facing (9.61, 9.62, 7.11) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "disordered"), [(6, False), (7, True)])
def test_9_61_9_62_who_is_come_adjacent_to_may_turn_one_vertex_and_checks(field, face, disordered):
    """9.61, 9.62, 7.11: the enemy enters the left flank hex; a vertex to the left brings it into the front."""
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "E", cohesion=6, side=1)
    f.play([("cohesion", face)])
    f.begin(u)
    f.answers[1]["reaction_facing"] = [towards("NNE")]
    go(f, u, "A0503")
    assert HEADING_NAMES[target.heading] == "NNE" and target.disordered is disordered
    assert checks(f, "reaction facing") == [("c/target", 0)]
    assert f.dice.used_up() and target.spent == 0
    assert [(event.unit, event.target, event.mode) for event in f.events("reaction")] == [("c/target", "u/u", "facing")]


def test_9_62_only_a_vertex_either_way_is_offered_and_only_once(field):
    f = field(10, 10)
    u = f.unit("u", "A0602", "SSE", orders=ATTACK)
    v = f.unit("v", "A0703", "SSW", orders=ATTACK)
    target = f.unit("target", "A0504", "E", side=1)
    f.play([("cohesion", 0)])
    f.begin(u)
    offered = []

    def remember(series, unit, enemy, headings):
        offered.append([HEADING_NAMES[heading] for heading in headings])
        return 0

    f.answers[1]["reaction_facing"] = [remember, remember]
    go(f, u, "A0604")
    go(f, v, "A0605")
    assert not f.battle.in_front(u, target.hex) and not f.battle.in_front(v, target.hex)
    assert offered == [["NNE", "SSE"]]
    f.begin(u)  # once in each enemy activation
    assert f.series.reaction.headings(target, [u]) == [11, 3]


def test_9_61_an_answer_outside_the_offer_is_an_error(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    f.unit("target", "A0504", "E", side=1)
    f.play()
    f.begin(u)
    f.answers[1]["reaction_facing"] = [2]
    with pytest.raises(CommanderError, match="reaction_facing"):
        go(f, u, "A0503")


def test_9_62_not_in_the_frontal_hex_of_another_enemy_unit(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    other = f.unit("other", "A0604", "W", orders=ATTACK)
    f.unit("target", "A0504", "E", side=1)
    f.play()
    f.begin(u)
    assert f.battle.in_front(other, f.hex("A0504"))
    go(f, u, "A0503")
    assert asked(f, "reaction_facing") == asked(f, "reaction_refusal") == 0


@pytest.mark.parametrize("how", ["march", "column"])
def test_9_6_6_13_not_on_the_march_nor_in_extended_column(field, how):
    """6.13, 9.6, 9.61."""
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    marching = how == "march"
    target = f.unit("target", "A0504", "NE" if marching else "E", 8, side=1, orders=MARCH if marching else None)
    f.play()
    f.begin(u)
    if how == "column":
        f.battle.add_part(target, f.hex("A0405"), 0, EXTENDED_COLUMN)
    go(f, u, "A0503")
    assert asked(f, "reaction_facing") == asked(f, "reaction_refusal") == 0


def test_9_6_units_friendly_to_the_phasing_ones_do_not_react(field):
    """9.6, 9.61: neither they themselves nor their friends: an advance of the defenders sets off nothing."""
    f = field(10, 10)
    u = f.unit("u", "A0504", "E", orders=ATTACK)
    enemy = f.unit("enemy", "A0502", "SSE", side=1)
    f.play()
    f.begin(u)
    f.series.retreat.advance(enemy, f.hex("A0503"))
    assert asked(f, "reaction_facing", 0) == 0


def test_9_62_stacked_units_turn_together_and_check_each_for_itself(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    top = f.unit("top", "A0504", "E", cohesion=6, side=1)
    low = f.unit("low", "A0504", "E", cohesion=5, side=1)
    guns = f.unit("guns", "A0504", "E", kind=GUNS, side=1, brigade=f.brigade("2/1/C", 1))
    f.play([("cohesion", 6), ("cohesion", 6)])
    f.begin(u)
    f.answers[1]["reaction_facing"] = [towards("NNE")]
    go(f, u, "A0503")
    assert {HEADING_NAMES[unit.heading] for unit in (top, low, guns)} == {"NNE"}
    assert [unit.disordered for unit in (top, low, guns)] == [False, True, False]
    assert asked(f, "reaction_facing") == 1 and f.dice.used_up()


def test_9_62_a_stack_cannot_turn_with_a_unit_that_has_reacted_or_is_refused(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    top = f.unit("top", "A0504", "E", side=1)
    low = f.unit("low", "A0504", "E", side=1)
    f.play()
    f.begin(u)
    low.reacted = True
    assert f.series.reaction.headings(top, [u]) == [] and f.series.reaction.refusals(top, [u]) == []
    low.reacted = False
    assert f.series.reaction.headings(top, [u]) == [1, 5]
    top.refused = low.refused = LEFT
    assert f.series.reaction.headings(top, [u]) == []


@pytest.mark.parametrize(("face", "routs"), [(4, False), (9, True)])
def test_9_62_12_35b_a_second_disorder_threatens_rout_or_costs_a_step_and_a_retreat(field, face, routs):
    """9.62, 12.35b, 12.42: not towards the enemy who has caused it."""
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "E", strength=5, cohesion=6, side=1, disordered=True)
    f.play([("cohesion", 9), ("cohesion", face)])
    f.begin(u)
    f.answers[1]["reaction_facing"] = [towards("NNE")]
    go(f, u, "A0503")
    assert (target.place != 0) is routs
    if not routs:
        assert target.strength == 4 and target.hex.distance_to(u.hex) > 1
        assert target.silenced_by == u.index


def test_9_61_an_advance_triggers_a_facing_change(field):
    f = field(10, 10)
    u = f.unit("u", "A0502", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "E", side=1)
    f.play([("cohesion", 0)])
    f.begin(u)
    f.answers[1]["reaction_facing"] = [towards("NNE")]
    f.series.retreat.advance(u, f.hex("A0503"))
    assert HEADING_NAMES[target.heading] == "NNE"


def test_9_61_withdrawal_movement_and_moves_by_exception_trigger_too(field):
    f = field(10, 10)
    u = f.unit("u", "A0502", "NNW", orders=ATTACK)
    v = f.unit("v", "A0801", "SSW", orders=ATTACK, movement=1, movement_disordered=1)
    f.unit("target", "A0504", "E", side=1)
    f.unit("other", "A0803", "E", side=1)
    f.play()
    f.begin(u)
    f.series.movement.withdraw(u, [f.hex("A0503")])
    assert asked(f, "reaction_facing") == 1
    v.orders = ATTACK
    go(f, v, "A0802")
    assert asked(f, "reaction_facing") == 2


# -- refusal in reaction (9.61, 7.3) ---------------------------------------------------------------------------------


def test_9_61_refusing_in_reaction_though_an_enemy_is_adjacent(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "E", cohesion=6, side=1)
    f.play([("cohesion", 7)])
    f.begin(u)
    f.answers[1]["reaction_refusal"] = [lambda series, unit, enemy, sides: sides.index(LEFT)]
    go(f, u, "A0503")
    assert target.refused == LEFT and target.disordered
    assert f.battle.in_front(target, u.hex)
    assert audit(f.battle) == []


def test_9_61_only_who_may_refuse_is_offered_it(field):
    """9.61, 7.31: the unit ends its line in the south, so it may refuse its right flank only."""
    f = field(10, 10)
    u = f.unit("u", "A0701", "SSW", orders=ATTACK)
    target = f.unit("target", "A0504", "E", side=1)
    f.unit("friend", "A0503", "E", side=1)
    f.play()
    f.begin(u)
    assert f.series.reaction.refusals(target, [u]) == [RIGHT]


def test_9_61_8_44_an_extended_line_may_refuse_but_not_turn(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    line = f.unit("line", "A0504", "E", strength=9, side=1)
    f.play([("cohesion", 0)])
    f.begin(u)
    f.battle.add_part(line, f.hex("A0505"), 0, EXTENDED_LINE)
    f.answers[1]["reaction_refusal"] = [lambda series, unit, enemy, sides: sides.index(LEFT + RIGHT)]
    go(f, u, "A0503")
    assert asked(f, "reaction_facing") == 0 and asked(f, "reaction_refusal") == 1
    assert line.refused == LEFT + RIGHT


def test_9_62_the_parts_of_a_line_are_independent_as_to_enemy_fronts(field):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    other = f.unit("other", "A0606", "NNW", orders=ATTACK)
    line = f.unit("line", "A0504", "E", strength=9, side=1)
    f.play()
    f.begin(u)
    f.battle.add_part(line, f.hex("A0505"), 0, EXTENDED_LINE)
    assert f.battle.in_front(other, f.hex("A0505")) and not f.battle.in_front(other, f.hex("A0504"))
    assert f.series.reaction.refusals(line, [u]) == [LEFT]


# -- reaction to fire (9.61, 10.42) ----------------------------------------------------------------------------------


def flanked(field, faces, **target):
    """A unit under fire from its left flank hex, with its owner bent on turning."""
    f = field(10, 10)
    u = f.unit("u", "A0503", "SSE", strength=5, orders=ATTACK)
    defender = f.unit("target", "A0504", "E", side=1, **target)
    f.play(faces)
    f.begin(u)
    f.answers[1]["reaction_facing"] = [towards("NNE")]
    return f, u, defender


def test_9_61_10_42_fire_from_outside_its_front_is_applied_then_it_turns_then_it_answers(field):
    f, u, target = flanked(field, [("fire", 0), ("cohesion", 0), ("fire", 0)], strength=5)
    f.series.fire.phasing(u, [target.hex], False)
    assert [event.kind for event in f.events("fire", "reaction")] == ["fire", "reaction", "fire"]
    assert [event.mode for event in f.events("fire")] == ["phasing", "return"]
    assert f.dice.used_up()


def test_9_61_a_unit_that_must_retreat_from_the_fire_does_not_react(field):
    f, u, target = flanked(field, [("fire", 9), ("cohesion", 9)], strength=8, disordered=True, cohesion=9)
    f.series.fire.phasing(u, [target.hex], False)
    assert target.hex.id != "A0504"
    assert asked(f, "reaction_facing") == asked(f, "return_fire") == 0


def test_9_61_fire_from_its_front_triggers_nothing(field):
    f = field(10, 10)
    u = f.unit("u", "A0503", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "NNE", side=1)
    f.play([("fire", 0), ("fire", 0)])
    f.begin(u)
    f.series.fire.phasing(u, [target.hex], False)
    assert asked(f, "reaction_facing") == asked(f, "reaction_refusal") == 0


def test_9_61_after_refusing_in_reaction_a_unit_answers_by_its_refused_front(field):
    f = field(10, 10)
    u = f.unit("u", "A0503", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "E", strength=6, side=1)
    f.play([("fire", 0), ("cohesion", 0), ("fire", 0)])
    f.begin(u)
    f.answers[1]["reaction_refusal"] = [lambda series, unit, enemy, sides: sides.index(LEFT)]
    f.series.fire.phasing(u, [target.hex], False)
    assert target.refused == LEFT
    assert [event.mode for event in f.events("fire")] == ["phasing", "return"]


def test_12_35b_disordered_again_by_reacting_it_may_not_answer_that_unit(field):
    f, u, target = flanked(field, [("fire", 0), ("cohesion", 9), ("cohesion", 0)], strength=5, disordered=True)
    other = f.battle.units[0]
    f.series.fire.phasing(u, [target.hex], False)
    assert asked(f, "return_fire") == 0 and target.silenced_by == other.index
    assert not f.series.fire.may_return(target.parts[0], u.hex, [target.hex])


def test_9_61_the_stack_of_the_firing_unit_is_another_enemy_unit(field):
    """9.62: who stands before another unit of the firing hex is in the front of another enemy unit."""
    f, u, target = flanked(field, [("fire", 0)])
    mate = f.unit("mate", "A0503", "SSE", orders=ATTACK)
    mate.index = len(f.battle.units) - 1
    f.series.fire.phasing(u, [target.hex], False)
    assert asked(f, "reaction_facing") == 0


# -- guns that turn in reaction (9.62, 10.45, 10.68) -----------------------------------------------------------------


def test_9_62_10_45_guns_that_turn_do_not_check_and_fire_their_first_shot_at_minus_two_not_rapidly(field):
    """9.62, 10.45, 10.68."""
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    guns = f.unit("guns", "A0504", "E", kind=GUNS, weapon="N", strength=4, side=1)
    f.play([("fire", 2)])
    f.begin(u)
    f.answers[1]["reaction_facing"] = [towards("NNE")]
    f.answers[1]["approach_fire"] = [4]
    assert f.series.fire.may_rapid(guns, f.hex("A0604"), 3, True)
    go(f, u, "A0503")
    assert f.dice.used_up() and checks(f, "reaction facing") == []
    shot = f.events("fire")[0]
    assert shot.mode == "approach" and "guns moved -2" in shot.drms and asked(f, "rapid_fire") == 0
    assert not guns.swung_round and f.series.fire.may_rapid(guns, u.hex, 1, True)


# -- moving in reaction (9.63) ---------------------------------------------------------------------------------------


def off(f, side=1, times=1, way=None):
    """The commander of a side moves off, each time by the given way (hex ids), or the first."""

    def choose(series, unit, ways):
        return 0 if way is None else [[place.id for place in one.hexes] for one in ways].index(list(way))

    f.answers[side]["reaction_move"] = [True] * times
    f.answers[side]["retreat"] = [choose] * times


def test_9_63_cavalry_moves_off_before_the_enemy_enters_and_checks_and_he_goes_on(field):
    f = field(14, 10)
    u = f.unit("u", "A0305", "E", orders=ATTACK, movement=8)
    horse = f.unit("horse", "A0705", "W", kind=HORSE, cohesion=6, side=1)
    f.play([("cohesion", 6)])
    f.begin(u)
    off(f, way=["A0805", "A0905"])
    assert go(f, u, "A0505")
    kinds = [event.kind for event in f.events("move", "reaction", "retreat", "udd")]
    assert kinds == ["reaction", "retreat", "retreat", "udd", "move", "move"]
    assert (horse.hex.id, HEADING_NAMES[horse.heading], horse.disordered, horse.spent) == ("A0905", "W", False, 0)
    assert checks(f, "reaction move") == [("c/horse", 0)] and u.hex.id == "A0505"
    assert horse.turn_acted  # 13.45


def test_9_63_not_to_enemies_farther_than_three_hexes_nor_on_foot_nor_on_the_march(field):
    f = field(14, 12)
    u = f.unit("u", "A0205", "E", orders=ATTACK, movement=8)
    f.unit("far", "A0705", "W", kind=HORSE, side=1)
    f.unit("foot", "A0507", "W", kind=HORSE, mounted=False, side=1)
    f.unit("infantry", "A0503", "W", side=1)
    f.unit("marching", "A0509", "NW", kind=HORSE, side=1, orders=MARCH)
    f.play()
    f.begin(u)
    go(f, u, "A0305")
    assert asked(f, "reaction_move") == 0
    go(f, u, "A0405")
    assert asked(f, "reaction_move") == 1


def test_9_63_advances_and_retreats_trigger_no_reaction_moves(field):
    f = field(14, 10)
    u = f.unit("u", "A0305", "E", orders=ATTACK)
    f.unit("horse", "A0605", "W", kind=HORSE, side=1)
    f.play()
    f.begin(u)
    f.series.retreat.advance(u, f.hex("A0406"))
    f.series.retreat.retreat([u], 1, 1, [f.hex("A0506")], 0)
    assert asked(f, "reaction_move") == 0


def test_9_63_cavalry_may_keep_moving_off_guns_once_in_an_activation(field):
    """9.63 PLAY NOTE: each time cavalry could be disordered; a second disorder costs a strength point."""
    f = field(16, 14)
    u = f.unit("u", "A0205", "E", orders=ATTACK, movement=12)
    horse = f.unit("horse", "A0605", "W", kind=HORSE, cohesion=6, strength=4, side=1)
    guns = f.unit("guns", "A0610", "W", kind=GUNS, strength=4, side=1)
    f.play([("cohesion", 7), ("cohesion", 9)])
    f.begin(u)
    off(f, times=2)
    f.answers[1]["retreat"] = [lambda series, unit, ways: [len(way.hexes) for way in ways].index(1)] * 2
    go(f, u, "A0505")
    assert horse.disordered and horse.strength == 3
    assert f.dice.used_up()
    f.roll(("cohesion", 0))
    v = f.unit("v", "A0310", "E", orders=ATTACK, movement=12)
    v.index, v.active = len(f.battle.units) - 1, True
    off(f, times=2)
    f.answers[1]["retreat"] = [lambda series, unit, ways: [len(way.hexes) for way in ways].index(1)]
    go(f, v, "A0410")
    assert guns.moved_off and not f.series.reaction.may_move_off(guns, [v])


def test_9_63_a_second_disorder_costs_a_gun(field):
    f = field(14, 10)
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    guns = f.unit("guns", "A0805", "W", kind=GUNS, strength=4, cohesion=6, disordered=True, side=1)
    f.play([("cohesion", 9)])
    f.begin(u)
    off(f)
    go(f, u, "A0505")
    assert guns.strength == 3 and guns.hex.id != "A0805"


def test_9_63_not_in_the_frontal_hex_of_another_enemy(field):
    f = field(14, 10)
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    f.unit("other", "A0705", "E", orders=ATTACK)
    f.unit("horse", "A0805", "W", kind=HORSE, side=1)
    f.play()
    f.begin(u)
    go(f, u, "A0505")
    assert asked(f, "reaction_move") == 0


def test_9_63_the_way_is_that_of_a_retreat_from_the_triggering_hex(field):
    """9.63, 12.43, 12.44: it ends farther from the enemy as he will stand, and beside no hex that he enters."""
    f = field(14, 10)
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    horse = f.unit("horse", "A0705", "W", kind=HORSE, side=1)
    f.play([("cohesion", 0)])
    f.begin(u)
    offered = []

    def choose(series, unit, ways):
        offered.extend(way.end() for way in ways)
        assert u.hex.id == "A0405"  # he has not moved yet
        return 0

    f.answers[1]["reaction_move"] = [True]
    f.answers[1]["retreat"] = [choose]
    trigger = f.hex("A0505")
    before = trigger.distance_to(horse.hex)
    go(f, u, "A0505")
    assert offered and all(place.distance_to(trigger) > before for place in offered)
    assert u.hex is trigger and f.stack("A0405") == []


def test_9_63_cavalry_adds_the_cost_of_hexsides_and_of_hexes_that_are_not_clear(field):
    """9.63: a stream (1 MP for cavalry) into clear ground, then woods."""
    f = field(14, 10)
    f.ground("woods", "A0906")
    f.hexside("stream", "A0705", "A0806")
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    horse = f.unit("horse", "A0705", "W", kind=HORSE, side=1)
    f.play()
    f.begin(u)
    crossing = f.between("A0705", "A0806")[0]
    woods = f.charts.terrain("woods")
    wanted = (crossing.hexside_costs[1] + woods.cost(1)) // 2
    f.roll(*[("cohesion", 0)] * (1 + (crossing.disorders[1] == 1) + (woods.disorder(1) == 1)))
    off(f, way=["A0806", "A0906"])
    go(f, u, "A0505")
    assert horse.hex.id == "A0906" and wanted > 1
    assert checks(f, "reaction move") == [("c/horse", wanted)]


@pytest.mark.parametrize(("strength", "orders", "drm"), [(4, ADVANCE, 1), (5, ADVANCE, 2), (4, ATTACK, 2)])
def test_9_63_8_13_small_cavalry_under_advance_orders_may_count_the_road(field, strength, orders, drm):
    f = field(14, 10)
    f.ground("woods", "A0806")
    f.road("pike", "A0705", "A0806")
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    horse = f.unit("horse", "A0705", "W", kind=HORSE, strength=strength, orders=orders, side=1)
    f.play([("cohesion", 0)] * 2)
    f.begin(u)
    off(f, way=["A0806"])
    go(f, u, "A0505")
    woods = f.charts.terrain("woods").cost(1) // 2
    assert checks(f, "reaction move") == [("c/horse", drm if drm == 1 else woods)] and woods > 1
    assert horse.hex.id == "A0806"


@pytest.mark.parametrize(("watcher", "hill", "open_to_guns"), [
    ("A1105", 0, False),  # four hexes away
    ("A1205", 0, True),  # five: it watches nothing
    ("A1105", 3, True),  # it sees nothing
])
def test_9_63_guns_come_no_closer_to_an_enemy_within_four_hexes_who_sees_them(field, watcher, hill, open_to_guns):
    f = field(16, 12)
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    guns = f.unit("guns", "A0705", "W", kind=GUNS, side=1)
    f.unit("watcher", watcher, "W", orders=ADVANCE)
    f.level(hill, "A0904", "A0905", "A0906")
    f.play()
    f.begin(u)
    ways = [[place.id for place in way.hexes] for way in f.series.reaction.ways(guns, [u], [f.hex("A0505")], 2)]
    assert ways and (["A0806"] in ways) is open_to_guns
    assert ["A0805", "A0905"] not in ways if hill == 0 else True


def test_9_63_12_45_guns_enter_no_hex_dearer_than_two_points(field):
    f = field(14, 10)
    f.ground("woods", "A0805", "A0806", "A0704", "A0706", "A0605", "A0606")
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    guns = f.unit("guns", "A0705", "W", kind=GUNS, side=1)
    f.play()
    f.begin(u)
    assert f.series.reaction.ways(guns, [u], [f.hex("A0505")], 2) == []
    off(f)
    assert go(f, u, "A0505")  # nowhere to go: they stay, and he comes on
    assert guns.hex.id == "A0705" and not guns.moved_off


def test_9_63_10_45_guns_either_fire_at_the_approach_or_move_off(field):
    f = field(14, 10)
    u = f.unit("u", "A0405", "E", orders=ATTACK)
    v = f.unit("v", "A0407", "E", orders=ATTACK)
    guns = f.unit("guns", "A0805", "W", kind=GUNS, strength=4, side=1)
    others = f.unit("others", "A0808", "W", kind=GUNS, strength=4, side=1)
    f.play([("fire", 0)])
    f.begin(u)
    f.answers[1]["approach_fire"] = [4]
    go(f, u, "A0505")
    assert f.dice.used_up() and f.series.fire.left(guns.parts[0], APPROACH) == 0
    assert not f.series.reaction.may_move_off(guns, [v]) and f.series.reaction.may_move_off(others, [v])
    others.moved_off = True
    before = asked(f, "approach_fire")
    go(f, v, "A0507")
    assert f.hex("A0507").distance_to(others.hex) == 3 and asked(f, "approach_fire") == before


@pytest.mark.parametrize(("light", "times"), [(None, 3), (NIGHT, 1)])
def test_16_12_at_night_only_when_the_enemy_is_about_to_come_adjacent(field, light, times):
    f = field(14, 10)
    u = f.unit("u", "A0305", "E", orders=ATTACK, movement=8)
    f.unit("horse", "A0705", "W", kind=HORSE, side=1)
    f.play()
    if light is not None:
        f.battle.turns[0].light = light
    f.begin(u)
    go(f, u, "A0605")
    assert asked(f, "reaction_move") == times


def test_9_63_the_phasing_unit_may_fire_first_and_what_it_does_limits_the_move_to_one_hex(field):
    f = field(14, 10)
    u = f.unit("u", "A0405", "E", strength=7, orders=ATTACK)
    guns = f.unit("guns", "A0605", "W", kind=GUNS, strength=6, cohesion=6, side=1)
    f.play([("fire", 9), ("cohesion", 9), ("cohesion", 0)])
    f.begin(u)
    f.answers[1]["reaction_move"] = [True]
    f.answers[1]["return_fire"] = [0]
    f.answers[0]["fire_before_reaction"] = [True]
    lengths = []

    def choose(series, unit, ways):
        lengths.extend(len(way.hexes) for way in ways)
        return 0

    f.answers[1]["retreat"] = [choose]
    go(f, u, "A0505")
    assert [event.mode for event in f.events("fire")] == ["phasing"]
    assert guns.strength < 6 or guns.disordered
    assert set(lengths) == {1} and guns.hex.id != "A0605"
    assert u.fired


def test_9_63_9_42_who_comes_adjacent_by_exception_fires_before_no_reaction(field):
    f = field(14, 10)
    u = f.unit("u", "A0405", "E", strength=7, orders=ATTACK, movement=3)
    f.ground("woods", "A0505")
    guns = f.unit("guns", "A0605", "W", kind=GUNS, strength=6, cohesion=9, side=1)
    f.play([("cohesion", 0)] * 2)
    f.begin(u)
    u.docked = 2
    into = f.between("A0405", "A0505")[0]
    assert into in f.series.movement.exceptions(u)
    off(f)
    f.series.movement.step(u, into)
    assert guns.moved_off and asked(f, "fire_before_reaction", 0) == 0
    assert not u.by_exception  # nobody is next to it any more


def test_9_63_after_somebody_moved_off_the_phasing_unit_need_not_go_on(field):
    f = field(14, 10)
    u = f.unit("u", "A0305", "E", orders=ATTACK, movement=8)
    f.unit("horse", "A0705", "W", kind=HORSE, side=1)
    f.play([("cohesion", 0)])
    f.begin(u)
    off(f, way=["A0805", "A0905"])
    f.answers[0]["keeps_moving"] = [False]
    assert not go(f, u, "A0505")
    assert u.hex.distance_to(f.hex("A0305")) == 1


# -- the EXAMPLE OF MOVEMENT AND REACTION ----------------------------------------------------------------------------


def test_9_63_example_of_movement_and_reaction(field):
    """9.63 EXAMPLE (dead-of-winter:1116): phasing units under Attack Orders, each on a piece of ground of its own."""
    f = field(40, 14)
    f.options.set("artillery_near_enemy", "1")
    f.ground("woods", "A3603", "A3703")
    f.road("road", "A3503", "A3603", "A3703")
    # A: guns keep away from an enemy who sees them (9.55 option 1)
    a = f.unit("A", "A0102", "E", kind=GUNS)
    f.unit("seen", "A0702", "W", side=1)
    # B: across the front of an enemy unit, and before enemy guns
    b = f.unit("B", "A1006", "SSE", orders=ATTACK, movement=8)
    wall = f.unit("wall", "A1106", "W", side=1)
    battery = f.unit("battery", "A1209", "NNW", kind=GUNS, strength=4, side=1)
    # C and D: F comes into the rear of C, beside D, who stands before another unit
    c = f.unit("C", "A1905", "E", cohesion=6, side=1)
    d = f.unit("D", "A1907", "E", side=1)
    pinning = f.unit("pinning", "A2008", "W", orders=ATTACK)
    mover = f.unit("F", "A1704", "SSE", orders=ATTACK, movement=8)
    # E: withdraws two hexes without turning
    e = f.unit("E", "A2503", "E", orders=ATTACK)
    # G: moves towards cavalry and guns
    g = f.unit("G", "A2710", "E", orders=ATTACK, movement=10)
    horse = f.unit("horse", "A3109", "W", kind=HORSE, cohesion=6, side=1)
    guns = f.unit("guns", "A3111", "W", kind=GUNS, cohesion=6, side=1)
    # I: no road rate under Attack Orders
    i = f.unit("I", "A3503", "E", orders=ATTACK)
    f.play()
    f.begin(a)
    # A
    assert node_to(f, a, "A0302") is not None and node_to(f, a, "A0402") is None
    f.level(3, "A0502")
    # B: both hexes lie in the wall's front; it stops in the first
    assert f.battle.in_front(wall, f.hex("A1006")) and f.battle.in_front(wall, f.hex("A1007"))
    f.series.movement.search(b)
    assert all(node.via.hex.id != "A1007" for node in f.series.movement.reached)
    f.answers[1]["approach_fire"] = [0] * 20
    go(f, b, "A1007")
    assert b.came_adjacent and not f.series.movement.may_move(b)
    assert asked(f, "reaction_move") == 1 and f.series.reaction.may_move_off(battery, [b])
    # E
    f.series.movement.withdraw(e, [f.hex("A2403"), f.hex("A2302")])
    assert HEADING_NAMES[e.heading] == "E" and e.hex.id == "A2302"
    # F, C, D
    asked_of = []

    def remember(series, unit, enemy, headings):
        asked_of.append(unit.name)
        return headings.index(HEADING_NAMES.index("SSE"))

    f.answers[1]["reaction_facing"] = [remember, remember]
    f.roll(("cohesion", 6))
    assert f.battle.in_front(pinning, d.hex)
    go(f, mover, "A1806")
    assert asked_of == ["C"] and HEADING_NAMES[c.heading] == "SSE" and not c.disordered
    assert f.dice.used_up()
    # G
    f.roll(("cohesion", 0), ("cohesion", 7))
    f.answers[1]["reaction_move"] = [True, True]
    f.answers[1]["retreat"] = []
    assert go(f, g, "A2910")
    assert horse.hex.id != "A3109" and guns.hex.id != "A3111"
    assert sorted(checks(f, "reaction move")) == [("c/guns", 0), ("c/horse", 0)]
    assert [horse.disordered, guns.disordered] == [False, True]
    # I
    f.series.movement.prepare(i)
    woods = f.between("A3503", "A3603")[0]
    assert f.series.movement.price(i, woods) == woods.costs[0] > woods.advance[0]


# -- continued shock (11.47) -----------------------------------------------------------------------------------------


def test_11_47_the_continued_shock_is_declared_before_the_enemy_reacts_to_the_advance(field):
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=20, orders=ATTACK)
    first = f.unit("first", "A0503", "W", strength=4, side=1)
    second = f.unit("second", "A0603", "E", strength=4, side=1)
    f.play()
    f.begin(a)
    order = []

    def declare(series, units, number):
        order.append("declared")
        return True

    def turn(series, unit, enemy, headings):
        if unit is first:
            return -1
        order.append(f"{unit.name} reacts")
        return headings.index(HEADING_NAMES.index("NNE"))

    f.answers[1]["pre_shock_fire"] = [-1] * 9
    f.answers[0]["continue_shock"] = [declare]
    f.answers[1]["reaction_facing"] = [turn] * 2
    # 5-1 +5, no brigadier -1: 5 gives 9 for the attacker to go on as he likes; second then turns, and stands its ground
    f.roll(("cohesion", 0), ("shock", 4), ("cohesion", 0), ("shock", 0))
    f.battle.phase = PHASE_SHOCK
    f.series.shock.conduct([Designation([a], [first.hex])], f.battle.active)
    assert order == ["declared", "second reacts"]
    assert HEADING_NAMES[second.heading] == "NNE" and [e.mode for e in f.events("shock")] == ["shock", "continued"]


def test_12_6_a_target_that_reacting_routs_leaves_its_hex_to_the_attackers(field):
    """12.6, 9.62: a hex vacated by a failed reaction facing in a continued shock is advanced into."""
    f = field(14, 12)
    a = f.unit("a", "A0404", "E", strength=20, orders=ATTACK)
    first = f.unit("first", "A0503", "W", strength=4, side=1)
    second = f.unit("second", "A0603", "E", strength=4, side=1, disordered=True)
    f.play()
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [-1] * 9
    f.answers[0]["continue_shock"] = [True]
    f.answers[1]["retreat"] = [lambda series, unit, ways: [way.end().id for way in ways].index("A0502")]
    f.answers[1]["reaction_facing"] = [lambda series, unit, enemy, headings: 0 if unit is second else -1] * 2
    f.roll(("cohesion", 0), ("shock", 4), ("cohesion", 9), ("cohesion", 9), ("cohesion", 0))
    f.battle.phase = PHASE_SHOCK
    f.series.shock.conduct([Designation([a], [first.hex])], f.battle.active)
    assert second.place == ROUTED and a.hex.id == "A0603"
    assert [event.mode for event in f.events("shock")] == ["shock"]


def test_7_34_a_refused_unit_shocks_nobody_in_its_refused_frontal_hex(field):
    f = field(10, 10)
    u = f.unit("u", "A0504", "E", orders=ATTACK)
    enemy = f.unit("enemy", "A0503", "W", side=1)
    f.play()
    f.begin(u)
    u.refused = LEFT
    assert f.battle.in_front(u, enemy.hex) and f.series.shock.targets(u) == []
    assert f.series.fire.targets(u) == [enemy.hex]


def test_9_63_withdrawal_movement_is_movement_too(field):
    f = field(14, 10)
    u = f.unit("u", "A0405", "W", orders=ATTACK)
    f.unit("horse", "A0805", "W", kind=HORSE, side=1)
    f.play()
    f.begin(u)
    f.series.movement.withdraw(u, [f.hex("A0505")])
    assert asked(f, "reaction_move") == 1


def test_9_63_a_line_on_the_move_comes_within_three_hexes_with_any_part(field):
    f = field(14, 10)
    line = f.unit("line", "A0405", "E", strength=9, orders=ATTACK, movement=8)
    horse = f.unit("horse", "A0808", "W", kind=HORSE, side=1)
    f.play([("cohesion", 0)])
    f.begin(line)
    f.battle.add_part(line, f.hex("A0406"), 0, EXTENDED_LINE)
    wanted = {"A0505", "A0506"}
    ahead = [move for move in f.series.lines.line_moves(line) if {place.id for place in move.places} == wanted]
    off(f)
    f.series.lines.line_move(line, ahead[0])
    assert f.hex("A0505").distance_to(f.hex("A0808")) > 3 >= f.hex("A0506").distance_to(f.hex("A0808"))
    assert horse.hex.id != "A0808" and {part.hex.id for part in line.parts} == wanted


def test_9_63_a_line_counts_as_if_it_had_entered_its_next_hexes_and_then_stands_as_it_stood(field):
    f = field(14, 12)
    line = f.unit("line", "A0405", "E", strength=9, orders=ATTACK)
    guns = f.unit("battery", "A0405", "E", kind=GUNS)
    f.unit("horse", "A0706", "W", kind=HORSE, side=1)
    f.play()
    f.begin(line)
    f.battle.add_part(line, f.hex("A0406"), 0, EXTENDED_LINE)
    kept = f.battle.digest()
    places = [f.hex("A0505"), f.hex("A0506")]
    ways = f.series.reaction.ways(f.battle.units[2], [line], places, 2)
    assert ways and all(way.end().distance_to(place) > 2 for way in ways for place in places)
    assert f.battle.digest() == kept and f.stack("A0405") == ["line", "battery"] and guns.hex.id == "A0405"


def test_9_62_a_unit_that_has_reacted_does_not_refuse_in_reaction(field):
    """9.62: once in an enemy brigade activation, whichever of the two it is."""
    f = field(10, 10)
    u = f.unit("u", "A0303", "E")
    target = f.unit("target", "A0403", "W", side=1, strength=9)
    f.play()
    f.begin(u)
    f.battle.add_part(target, f.hex("A0402"), 0, EXTENDED_LINE)
    assert f.series.reaction.refusals(target, [u]) == [LEFT, RIGHT, LEFT + RIGHT]
    target.reacted = True
    assert f.series.reaction.refusals(target, [u]) == []


def test_9_61_8_44_only_a_part_that_moves_is_reacted_to(field):
    """9.61: an enemy next to a part that stands still has seen nobody enter a hex adjacent to him."""
    f = field(10, 10)
    u = f.unit("u", "A0303", "E", strength=9, orders=ATTACK)
    f.unit("near", "A0203", "W", side=1)
    far = f.unit("far", "A0504", "E", side=1)
    f.play()
    f.begin(u)
    away = [move for move in f.series.lines.extensions(u) if f.hex("A0304") in move.places]
    f.series.lines.extend(u, away[0])
    assert u.extended == EXTENDED_LINE and f.asked[1] == []
    f.begin(u)
    swing = [move for move in f.series.lines.line_moves(u) if move.places == [f.hex("A0303"), f.hex("A0404")]]
    offered = []
    f.answers[1]["reaction_facing"] = [lambda series, unit, enemy, headings: offered.append(unit) or -1] * 2
    f.series.lines.line_move(u, swing[0])
    assert offered == [far]


# -- among those who march (8.25) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["turns", "refuses"])
def test_9_61_8_25_guns_on_the_march_neither_react_nor_keep_the_regiment_with_them_from_it(field, way):
    f = field(10, 10)
    u = f.unit("u", "A0501", "SSE", orders=ATTACK)
    target = f.unit("target", "A0504", "E", cohesion=6, side=1)
    guns = f.unit("guns", "A0504", "NE", kind=GUNS, side=1, orders=MARCH, brigade=f.brigade("2/1/C", 1))
    f.play([("cohesion", 0)])
    f.begin(u)
    if way == "turns":
        f.answers[1]["reaction_facing"] = [towards("NNE")]
    else:
        f.answers[1]["reaction_refusal"] = [lambda series, unit, enemy, sides: sides.index(LEFT)]
    go(f, u, "A0503")
    assert (HEADING_NAMES[target.heading], target.refused) == (("NNE", 0) if way == "turns" else ("E", LEFT))
    assert (HEADING_NAMES[guns.heading], guns.refused, guns.reacted) == ("NE", 0, False)
    assert [unit for unit, _ in checks(f, "reaction facing")] in ([], [target.id])
    assert audit(f.battle) == []
