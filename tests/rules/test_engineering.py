"""Chapter 15: breastworks, from their construction to what they do in fire and shock."""

import pytest

from simkit.model.battle import NIGHT
from simkit.model.charts import FOOT, GUNS, HORSE, LEADER
from simkit.model.forces import ADVANCE, ATTACK, CAVALRY, EXTENDED_LINE, MARCH
from simkit.model.hexgrid import HEADING_NAMES, line
from simkit.rules.commander import CommanderError, Designation
from simkit.rules.firemodifiers import PHASING, RETURN
from simkit.rules.shockinprogress import Attacker, ShockInProgress

UNION, CONFEDERATE = 0, 1
MOVERS = (FOOT, HORSE, GUNS, LEADER)


def towards(name):
    """The vertex that a heading faces: works there cover the hexsides on both sides of it."""
    return HEADING_NAMES.index(name) // 2


def put(f, ident, name):
    """Finished breastworks in a hex."""
    f.battle.works.stand_in(f.hex(ident), towards(name))


def camp(field, orders=ADVANCE, kind=0, **kwargs):
    """A unit in command with a leader, in the open, with a wood three hexes off and the enemy far away."""
    f = field(20, 8)
    f.ground("woods", "A0605")
    f.leader("Army", "A0205", f.battle.armies[UNION])
    f.leader("Corps", "A0205", f.battle.corps[UNION])
    f.leader("Division", "A0205", f.battle.divisions[UNION])
    f.leader("Brigadier", "A0305")
    a = f.unit("1 IL", "A0305", "E", orders=orders, kind=kind, **kwargs)
    b = f.unit("1 TN", "A1505", "W", side=CONFEDERATE)
    return f, a, b


def orders_segment(f, turn=0):
    """The turn's phases II/A and II/F."""
    f.battle.turn = turn
    f.series.activation.begin_turn()
    f.series.command.determine()
    for side in range(2):
        f.series.engineering.phase(side)


def recovery(f):
    f.series.engineering.complete()


def begin_to_build(field, choice=0, **kwargs):
    f, a, b = camp(field, **kwargs)
    f.play()
    f.answers[UNION]["build"] = [choice]
    orders_segment(f)
    return f, a, b


def told(f):
    return [event.result for event in f.events("construction")]


# -- who (15.11) -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "mounted", "orders", "may"),
    [
        (0, False, ADVANCE, True), (0, False, ATTACK, False), (0, False, MARCH, False),
        (CAVALRY, False, ADVANCE, True), (CAVALRY, True, ADVANCE, False), (2, False, ADVANCE, False),
    ],
)
def test_15_11_6_11_infantry_and_dismounted_cavalry_under_advance_orders_may_build(field, kind, mounted, orders, may):
    """15.11, 6.11, 6.13, 6.15, 6.16."""
    f, a, _ = camp(field, kind=kind, orders=orders, mounted=mounted)
    f.play()
    f.series.command.determine()
    assert f.series.engineering.may_build(a) is may
    orders_segment(f)
    assert f.asked[UNION].count("build") == may


def test_15_11_4_23_only_in_command_and_with_a_brigadier_who_could_change_orders(field):
    """15.11, 4.23: the status of phase II/A counts, whatever the leaders have done since."""
    f, a, _ = camp(field)
    f.play()
    brigadier = f.battle.brigades[UNION].leader()
    f.series.command.determine()
    assert f.series.engineering.may_build(a)
    f.battle.stand_leader(brigadier, f.hex("A2001"))
    assert f.series.engineering.may_build(a)  # until the next check
    f.series.command.determine()
    assert not f.series.engineering.may_build(a)
    f.battle.stand_leader(brigadier, f.hex("A0305"))
    f.battle.stand_leader(f.battle.divisions[UNION].leader(), f.hex("A2001"))
    f.series.command.determine()
    assert a.in_command
    assert not f.series.engineering.may_build(a)


# -- where (15.12) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "where", "may"),
    [
        ("woods", "A0605", True), ("orchard", "A0605", True), ("town", "A0605", True), ("woods", "A0305", True),
        ("woods", "A0705", False), ("town", "A0305", False), ("clear", "A0605", False),
    ],
)
def test_15_12_within_three_hexes_of_wood_and_not_in_town(field, kind, where, may):
    f = field(20, 8)
    f.ground(kind, where)
    f.unit("1 TN", "A1505", "W", side=CONFEDERATE)
    f.play()
    assert f.series.engineering.may_build_in(f.hex("A0305"), UNION) is may


def test_15_12_a_house_gives_wood_too(field):
    f = field(20, 8)
    f.hex("A0605").building = True
    f.play()
    assert f.series.engineering.may_build_in(f.hex("A0305"), UNION)
    assert f.series.engineering.may_build_in(f.hex("A0605"), UNION)
    assert not f.series.engineering.may_build_in(f.hex("A0205"), UNION)


@pytest.mark.parametrize(
    ("enemy", "may"),
    [
        ("A0405", False),  # adjacent to the hex of construction
        ("A0705", False),  # adjacent to the wood
        ("A0503", True),  # adjacent to one of the ways there, not to all
        ("A0905", True),
    ],
)
def test_15_12_hex_wood_and_the_way_between_lie_away_from_the_enemy(field, enemy, may):
    f = field(20, 10)
    f.ground("woods", "A0605")
    f.unit("1 TN", enemy, "W", side=CONFEDERATE)
    f.play()
    assert f.series.engineering.may_build_in(f.hex("A0305"), UNION) is may


@pytest.mark.parametrize(("first", "second"), [("A0404", "A0407"), ("A0404", "A0506"), ("A0503", "A0506")])
def test_15_12_no_way_that_avoids_the_enemy(field, first, second):
    """15.12: one enemy leaves a way of three hexes, two none, though both its ends lie away."""
    f = field(20, 10)
    f.ground("woods", "A0605")
    f.unit("1 TN", first, "W", side=CONFEDERATE)
    f.play()
    start, wood = f.hex("A0305"), f.hex("A0605")
    assert f.series.engineering.may_build_in(start, UNION)
    f.unit("2 TN", second, "W", side=CONFEDERATE)
    assert not f.battle.enemy_near(start, UNION) and not f.battle.enemy_near(wood, UNION)
    assert not f.series.engineering.may_build_in(start, UNION)


def test_15_12_no_more_than_two_markers_and_a_second_must_cover_more(field):
    """15.12 Note: the second protects hexsides that the first does not."""
    f, a, _ = camp(field)
    f.play()
    f.series.command.determine()
    engineering = f.series.engineering
    assert sorted(works.heading for works in engineering.choices(a.parts[0])) == [1, 3, 5, 7, 9, 11]
    put(f, "A0305", "E")
    assert sorted(works.heading for works in engineering.choices(a.parts[0])) == [1, 5, 7, 9, 11]
    put(f, "A0305", "W")
    assert engineering.choices(a.parts[0]) == []


def test_15_1_a_scenario_may_forbid_it(field):
    """15.1, 21.1 of Dead of Winter, 15.1 of Gringo!'s battles."""
    f, a, _ = camp(field)
    f.play()
    f.series.command.determine()
    for first, turn, may in ((0, 0, True), (2, 1, False), (2, 2, True), (-1, 5, False)):
        f.series.scenario.build_from = [first, 0]
        f.battle.turn = turn
        assert f.series.engineering.may_build(a) is may


# -- time (15.13) ----------------------------------------------------------------------------------------------------


def test_15_13_two_whole_turns_by_day(field):
    """15.13, 3.0 II/F and IV/B/6: begun in one turn, done at the end of the next; the builder faces it at no cost."""
    f, a, _ = begin_to_build(field, 1)
    assert a.building and a.spent == 0
    assert a.heading == HEADING_NAMES.index("SSE")
    recovery(f)
    assert f.hex("A0305").works == [] and a.building
    orders_segment(f, 1)
    assert f.asked[UNION].count("build") == 1  # nobody is asked who builds already, nor about his hex
    assert a.building
    recovery(f)
    assert f.hex("A0305").works == [towards("SSE")]
    assert not a.building and f.battle.works.sites == []
    assert told(f) == ["begun", "done"]


def test_15_13_by_night_one_turn_is_enough(field):
    f, a, _ = camp(field)
    f.play()
    f.battle.turns[0].light = NIGHT
    f.answers[UNION]["build"] = [0]
    orders_segment(f)
    recovery(f)
    assert f.hex("A0305").works == [towards("E")]
    assert not a.building


@pytest.mark.parametrize("flag", ["moved", "retreated", "shock_target", "reacted"])
def test_15_13_15_14_what_the_builder_did_in_the_turn_before_does_not_count(field, flag):
    """15.14: though no brigade is activated between the two, in a night turn in which nobody acts."""
    f, a, _ = camp(field)
    f.play()
    f.battle.turns[0].light = NIGHT
    setattr(a, flag, True)
    f.answers[UNION]["build"] = [0]
    orders_segment(f)
    recovery(f)
    assert f.hex("A0305").works == [towards("E")]


def test_15_13_begun_by_day_it_takes_the_night_turn_too(field):
    f, a, _ = camp(field)
    f.play()
    f.battle.turns[1].light = NIGHT
    f.answers[UNION]["build"] = [0]
    orders_segment(f)
    recovery(f)
    assert a.building
    orders_segment(f, 1)
    recovery(f)
    assert f.hex("A0305").works == [towards("E")]


def test_15_13_3_0_a_builder_can_do_nothing_else_but_his_leader_rides(field):
    """15.13, 3.0 III/C/3, 11.12: it neither moves, fires, rallies nor shocks; the rest of its brigade acts."""
    f, a, b = begin_to_build(field)
    f.battle.lift(b)
    f.battle.stand(b, f.hex("A0405"), True)
    a.disordered = True
    seen = []

    def act(series, brigades):
        seen.append(series.movement.may_move(a) or series.fire.may_fire(a) or series.effectiveness.may_rally(a))
        seen.append(series.facing.may_turn(a, (a.heading + 2) % 12))
        seen.append(series.movement.leader_may_move(f.battle.brigades[UNION].leader()))

    def shocks(series, brigades):
        seen.append(series.shock.may_shock(a))
        return []

    f.answers[UNION]["act"] = [act]
    f.answers[UNION]["shocks"] = [shocks]
    f.battle.phasing = UNION
    assert f.series.activation.brigade([f.battle.brigades[UNION]])
    assert seen == [False, False, True, False]
    assert a.building


def test_example_5_33_builders_build_while_others_rally_and_move(field):
    """5.33 EXAMPLE (dead-of-winter:441): one regiment rallies, one builds breastworks, the other two move or fire."""
    f, builder, _ = camp(field)
    shaken = f.unit("2 IL", "A0304", disordered=True)
    mover = f.unit("3 IL", "A0306")
    firer = f.unit("4 IL", "A0203")
    f.play([("rally", 0)])
    f.answers[UNION]["build"] = [0, -1, -1, -1]
    orders_segment(f)
    acted = []

    def act(series, brigades):
        acted.extend(unit.name for unit in (builder, shaken, mover, firer) if unit.active)
        series.effectiveness.rally(shaken)
        acted.append(series.movement.may_move(mover))
        acted.append(series.orders.may_fire_phasing(firer))

    f.answers[UNION]["act"] = [act]
    f.battle.phasing = UNION
    f.series.activation.brigade([f.battle.brigades[UNION]])
    assert acted == ["2 IL", "3 IL", "4 IL", True, True]
    assert builder.building and not shaken.disordered


def test_15_13_the_stack_turns_with_the_builder_and_one_builds_at_a_time(field):
    """15.13, 15.15, 7.11, 7.21: who is stacked with it faces as it does, the other way round in inverted order."""
    f, _, _ = camp(field)
    low = f.unit("2 IL", "A0305")
    f.play()
    f.answers[UNION]["build"] = [3]
    orders_segment(f)
    assert low.heading == HEADING_NAMES.index("W")
    assert f.stack("A0305") == ["2 IL", "1 IL"]
    assert f.asked[UNION].count("build") == 1
    assert not low.building


# -- what ends it (15.14) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orders", [ATTACK, MARCH])
def test_15_14_other_orders_end_it(field, orders):
    f, a, _ = begin_to_build(field)
    f.series.orders.give(a, orders)
    assert not a.building and f.battle.works.sites == []
    assert told(f) == ["begun", "orders"]


def test_15_14_the_builder_may_give_it_up_and_act(field):
    f, a, _ = begin_to_build(field)
    f.answers[UNION]["keeps_building"] = [False]
    active = []
    f.answers[UNION]["act"] = [lambda series, brigades: active.append(a.active)]
    f.battle.phasing = UNION
    f.series.activation.brigade([f.battle.brigades[UNION]])
    assert active == [True]
    assert told(f) == ["begun", "given up"]


def fight(field, **kwargs):
    """A builder, and an enemy who has come close in the turn after; it is his activation."""
    f, a, b = begin_to_build(field, **kwargs)
    orders_segment(f, 1)
    f.battle.lift(b)
    f.battle.stand(b, f.hex("A0405"), True)
    f.begin(b)
    return f, a, b


@pytest.mark.parametrize(("answer", "builds"), [(5, False), (0, True)])
def test_15_14_return_fire_ends_it_silence_does_not(field, answer, builds):
    f, a, b = fight(field)
    f.roll(*[("fire", 0)] * (2 if answer else 1))
    f.answers[UNION]["return_fire"] = [answer]
    f.series.fire.phasing(b, [a.hex], False)
    f.series.engineering.watch()
    assert a.building is builds


def test_15_14_15_16_a_builder_answers_with_prepared_fire(field):
    """15.14, 15.16, 10.52: it keeps all its ways of defence."""
    f, a, b = fight(field)
    assert f.series.fire.prepared(a, 1, RETURN, True)
    assert f.series.orders.may_retreat_before_shock(a)
    f.series.fire.modifier(a, a.hex, b.parts[0], RETURN, True)
    assert f.series.fire.drms.prepared == 1


@pytest.mark.parametrize("flag", ["retreated", "shock_target", "reacted", "moved_off", "advanced"])
def test_15_14_retreat_assault_and_reaction_end_it(field, flag):
    f, a, _ = fight(field)
    f.series.engineering.watch()
    assert a.building
    setattr(a, flag, True)
    f.series.engineering.watch()
    assert not a.building


def test_15_13_15_14_a_builder_who_no_longer_faces_his_works_has_given_them_up(field):
    """15.13, 15.14: re-faced towards the hexsides it is to cover, a builder that turns does something else."""
    f, a, _ = fight(field)
    for heading, builds in ((a.heading, True), ((a.heading + 2) % 12, False)):
        a.heading = heading
        f.series.engineering.watch()
        assert a.building is builds


def test_15_14_a_real_assault_ends_it(field):
    """15.14: the assault itself, though the defender holds and does not answer."""
    f, a, b = fight(field)
    f.answers[CONFEDERATE]["shocks"] = [lambda series, brigades: [Designation([b], [a.hex])]]
    f.answers[UNION]["pre_shock_fire"] = [-1]
    f.roll(("cohesion", 0), ("shock", 4), ("leader", 9), *[("cohesion", 0)] * 3)
    f.battle.phasing = CONFEDERATE
    f.series.activation.brigade([f.battle.brigades[CONFEDERATE]])
    assert a.hex.id == "A0305" and a.counts()
    assert not a.building
    assert told(f) == ["begun", "shocked"]


def test_15_14_driven_off_or_gone(field):
    f, a, _ = fight(field)
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0205"), True)
    f.series.engineering.watch()
    assert not a.building and told(f)[-1] == "driven off"


def test_15_14_out_of_command_in_the_second_turn_it_goes_on(field):
    f, a, _ = begin_to_build(field)
    f.battle.stand_leader(f.battle.brigades[UNION].leader(), f.hex("A2001"))
    orders_segment(f, 1)
    assert not a.in_command and a.building
    recovery(f)
    assert f.hex("A0305").works == [towards("E")]


def test_15_15_each_part_of_a_line_may_build(field):
    f, _, _ = camp(field)
    f.ground("woods", "A0302")
    wide = f.unit("9 IL", "A0302", "E", strength=9)
    f.play()
    f.series.command.determine()
    f.battle.add_part(wide, f.hex("A0303"), 0, EXTENDED_LINE)
    f.answers[UNION]["build"] = [-1, 0, 0]
    orders_segment(f)
    assert [site.hex.id for site in f.battle.works.sites_of(wide)] == ["A0302", "A0303"]
    assert all(f.battle.works.built_by(part) for part in wide.parts)
    orders_segment(f, 1)
    recovery(f)
    assert f.hex("A0302").works == f.hex("A0303").works == [towards("E")]


def test_13_45_15_1_a_brigade_that_builds_does_not_rally_by_itself(field):
    f, a, _ = begin_to_build(field)
    assert a.turn_acted
    assert not f.series.effectiveness.idle(f.battle.brigades[UNION])
    orders_segment(f, 1)
    assert not f.series.effectiveness.idle(f.battle.brigades[UNION])


def test_15_13_an_answer_that_was_not_offered_is_refused(field):
    f, _, _ = camp(field)
    f.play()
    f.answers[UNION]["build"] = [6]
    with pytest.raises(CommanderError, match=r"Commander\.build"):
        orders_segment(f)


# -- crossing and removal (15.17, 15.21, 15.22) ----------------------------------------------------------------------


def costs(side):
    return [[int(line[mover]) for mover in MOVERS] for line in (side.costs, side.plain, side.march, side.advance)]


def test_15_21_15_22_crossing_costs_more_both_ways_through_two_hexsides_only(field):
    """15.21, 15.22: whatever road leads through; other hexsides cost what they did."""
    f = field(8, 8)
    east, south_east = (f.hex("A0304").sides[direction].to.id for direction in (1, 2))
    f.road("pike", "A0304", east)
    f.road("trail", "A0304", south_east)
    f.unit("1 IL", "A0101")
    f.play()
    place = f.hex("A0304")
    before = [(costs(side), costs(side.to.sides[(side.direction + 3) % 6])) for side in place.sides]
    put(f, "A0304", "E")
    wall = f.charts.hexside("breastworks")
    more = [[int(wall.cost(mover)) for mover in MOVERS]] * 4
    for side, (out, back) in zip(place.sides, before, strict=True):
        covered = side.direction in (1, 2)
        for view, was in ((side, out), (side.to.sides[(side.direction + 3) % 6], back)):
            added = [[new - old for new, old in zip(a, b, strict=True)] for a, b in zip(costs(view), was, strict=True)]
            assert added == (more if covered else [[0] * 4] * 4)
    put(f, east, "W")  # from both hexes: still paid once
    assert costs(place.sides[1])[0] == [a + b for a, b in zip(before[1][0][0], more[0], strict=True)]
    f.battle.works.remove(place, towards("E"))
    assert place.sides[1].walls and not place.sides[2].walls


def crosser(field, strength=5):
    """A unit that goes east from A0204 through works of A0304 that face west."""
    f = field(8, 8)
    a = f.unit("1 IL", "A0104", "E", strength=strength)
    f.unit("1 TN", "A0801", "W", side=CONFEDERATE)
    return f, a


def go(f, unit, ident):
    f.series.movement.search(unit)
    node = next(n for n in f.series.movement.reached if n.hex.id == ident and f.series.movement.may_stop(n))
    assert f.series.movement.move(unit, node, node.heading)


@pytest.mark.parametrize("tears", [False, True])
def test_15_17_whoever_moves_across_may_remove_them_for_a_point_more(field, tears):
    f, a = crosser(field)
    f.play()
    wall = int(f.charts.hexside("breastworks").cost(FOOT))
    side = f.hex("A0104").sides[2]
    put(f, side.to.id, "W")
    assert side.walls
    f.begin(a)
    f.answers[UNION]["tear_down"] = [tears]
    go(f, a, side.to.id)
    assert a.spent == 2 + wall + (2 if tears else 0)
    assert f.hex(side.to.id).works == ([] if tears else [towards("W")])
    assert bool(side.walls) is not tears
    assert len(f.events("torn down")) == tears


def test_15_17_from_within_too_and_not_without_the_points(field):
    f, a = crosser(field)
    f.play()
    put(f, "A0104", "E")
    to = f.hex("A0104").sides[2].to
    f.begin(a)
    a.spent = 12 - 2 - int(f.charts.hexside("breastworks").cost(FOOT))
    f.answers[UNION]["tear_down"] = [True]
    go(f, a, to.id)
    assert "tear_down" not in f.asked[UNION]
    assert f.hex("A0104").works == [towards("E")]


# -- fire (10.81, 15.23) ---------------------------------------------------------------------------------------------


def drms(f, unit, target, mode=PHASING):
    f.series.fire.modifier(unit, unit.hex, target.parts[0], mode, True)
    found = f.series.fire.drms
    return found.behind_works, found.works


def duel(field, distance=1, kind=0, target=0, mounted=False):
    f = field(14, 10)
    a = f.unit("A", "A0205", "E", kind=kind, mounted=mounted)
    b = f.unit("B", f"A{2 + distance:02d}05", "W", side=CONFEDERATE, kind=target, mounted=mounted)
    return f, a, b


@pytest.mark.parametrize(("kind", "distance", "bonus"), [(0, 1, 1), (0, 2, 1), (1, 1, 1), (2, 2, 0), (2, 5, 0)])
def test_15_23_small_arms_from_behind_breastworks_gain_one_guns_nothing(field, kind, distance, bonus):
    f, a, b = duel(field, distance, kind)
    f.play()
    f.begin(a)
    assert drms(f, a, b) == (0, 0)
    put(f, "A0205", "E")
    assert drms(f, a, b) == (bonus, 0)


@pytest.mark.parametrize(
    ("kind", "distance", "target", "mounted", "cover"),
    [(0, 1, 0, False, -1), (0, 2, 1, False, -1), (0, 1, 1, True, 0), (0, 1, 2, False, 0), (2, 2, 0, False, -1),
     (2, 5, 0, False, 0)],
)
def test_15_23_men_on_foot_are_covered_from_small_arms_and_canister(field, kind, distance, target, mounted, cover):
    """15.23, 10.81: neither riders nor guns, and nobody from shot and shell."""
    f, a, b = duel(field, distance, kind, target, mounted)
    f.play()
    f.begin(a)
    put(f, b.hex.id, "W")
    assert drms(f, a, b) == (0, cover)


def test_15_21_only_through_the_covered_hexsides(field):
    f, a, b = duel(field)
    f.play()
    f.begin(a)
    put(f, a.hex.id, "W")
    put(f, b.hex.id, "E")
    assert drms(f, a, b) == (0, 0)


def vertex_fire(f, a):
    """An enemy whose line of fire leaves the hex of `a` through a vertex."""
    return next(
        place for place in f.map.hexes
        if place.distance_to(a.hex) == 2 and line_of(a.hex, place).exits.bit_count() == 2
    )


def line_of(origin, target):
    return line(target.q - origin.q, target.r - origin.r)


def test_10_81_notes_lines_of_fire_through_a_vertex_between_covered_and_open(field):
    """10.81 General Terrain Notes (dead-of-winter:1393): cover for the target, no bonus for who fires."""
    f = field(14, 10)
    a = f.unit("A", "A0605", "E")
    f.play()
    target = vertex_fire(f, a)
    out, into = int(line_of(a.hex, target).exits), int(line_of(a.hex, target).enters)
    assert (into).bit_count() == 2
    engineering = f.series.engineering
    works = f.battle.works
    for vertex in range(6):
        mask = (1 << vertex) | (1 << (vertex + 1) % 6)
        works.stand_in(a.hex, vertex)
        works.stand_in(target, vertex)
        assert engineering.fires_from(a.hex, target) is (out & mask == out)
        assert engineering.shelters(a.hex, target) is (into & mask != 0)
        works.remove(a.hex, vertex)
        works.remove(target, vertex)


def test_21_4_cedars_count_as_woods_behind_breastworks(field):
    """21.4 of Dead of Winter, 15.23: for small arms and in shock; shot and shell have the cedars against them."""
    f, a, b = duel(field, 1)
    g = f.unit("G", "A0205", "E", kind=2)
    far = f.unit("far", "A0705", "W", side=CONFEDERATE)
    f.ground("cedars", b.hex.id, far.hex.id)
    f.play()
    f.begin(a)
    woods, cedars = f.charts.terrain("woods"), f.charts.terrain("cedars")
    f.series.fire.modifier(a, a.hex, b.parts[0], PHASING, True)
    assert f.series.fire.drms.terrain == cedars.fire_drm
    put(f, b.hex.id, "W")
    put(f, far.hex.id, "W")
    f.series.fire.modifier(a, a.hex, b.parts[0], PHASING, True)
    assert (f.series.fire.drms.terrain, f.series.fire.drms.works) == (woods.fire_drm, -1)
    f.series.fire.modifier(g, g.hex, far.parts[0], PHASING, True)
    assert (f.series.fire.drms.terrain, f.series.fire.drms.works) == (cedars.shell_drm, 0)
    assert f.series.engineering.ground_drm(a.hex, b.hex) == woods.shock_drm - 1


# -- shock (11.37, 11.42, 11.43, 15.23) ------------------------------------------------------------------------------


def assault(f, a, b, moved=True):
    return ShockInProgress(a.side, [Attacker(a, a.hex, a.heading, moved, False)], [b.hex], 0)


def test_15_23_11_42_11_43_works_help_in_shock_and_in_the_rounding(field):
    """15.23, 11.42, 11.43: -1, and 5 against 3 rounds for the defender as it does in woods."""
    f, a, b = duel(field)
    a.strength, b.strength = 5, 3
    f.play()
    f.begin(a)
    shock = assault(f, a, b)
    open_ground = f.series.shock.modifiers(shock, [shock])
    assert (open_ground.breastworks, open_ground.odds) == (0, "2-1")
    put(f, b.hex.id, "W")
    behind = f.series.shock.modifiers(shock, [shock])
    assert (behind.breastworks, behind.terrain) == (-1, 0)
    assert behind.odds != "2-1" and behind.ratio < open_ground.ratio
    assert "breastworks -1" in behind.text()
    f.battle.works.remove(b.hex, towards("W"))
    put(f, b.hex.id, "E")
    assert f.series.shock.modifiers(shock, [shock]).breastworks == 0
    put(f, a.hex.id, "E")  # the attacker's own works shelter nobody else
    assert f.series.shock.modifiers(shock, [shock]).breastworks == 0


def test_15_23_11_42_of_several_hexes_the_best_for_the_defender(field):
    """11.42: it is enough that one attacking hex has works before it."""
    f, a, b = duel(field)
    c = f.unit("C", b.hex.sides[0].to.id, "SSE")
    f.play()
    f.begin(a)
    put(f, b.hex.id, "W")
    attackers = [Attacker(unit, unit.hex, heading, True, False) for unit, heading in ((a, a.heading), (c, 5))]
    shock = ShockInProgress(UNION, attackers, [b.hex], 0)
    assert f.series.shock.modifiers(shock, [shock]).breastworks == -1


def test_15_23_11_37_the_check_before_shock_is_easier_where_the_shock_crosses_them(field):
    f, a, b = duel(field)
    f.play()
    f.begin(a)
    shock = assault(f, a, b)
    assert f.series.shock.pre_shock_drm(b.hex, [shock]) == 0
    put(f, b.hex.id, "W")
    assert f.series.shock.pre_shock_drm(b.hex, [shock]) == -1
    f.battle.works.remove(b.hex, towards("W"))
    put(f, b.hex.id, "E")
    assert f.series.shock.pre_shock_drm(b.hex, [shock]) == 0


def test_11_37_two_shocks_one_of_them_round_the_works(field):
    """11.37: one check against both: the works help only where every shock crosses them."""
    f, a, b = duel(field)
    c = f.unit("C", b.hex.sides[0].to.id, "SSE")
    f.play()
    f.begin(a)
    put(f, b.hex.id, "W")
    other = ShockInProgress(UNION, [Attacker(c, c.hex, 5, True, False)], [b.hex], 0)
    first = f.series.shock.pre_shock_drm(b.hex, [other])
    assert f.series.shock.pre_shock_drm(b.hex, [assault(f, a, b), other]) == first


# -- state -----------------------------------------------------------------------------------------------------------


def test_15_1_reset_snapshot_restore_and_digest_hold_the_works(field):
    f, a, _ = begin_to_build(field)
    put(f, "A0703", "E")
    kept, digest = f.battle.snapshot(), f.battle.digest()
    price = costs(f.hex("A0703").sides[1])
    f.series.engineering.discontinue(a, "given up")
    f.battle.works.remove(f.hex("A0703"), towards("E"))
    put(f, "A0101", "W")
    assert f.battle.digest() != digest
    f.battle.restore(kept)
    assert f.battle.digest() == digest
    assert a.building and f.battle.works.sites[0].unit is a
    assert f.hex("A0703").works == [towards("E")] and f.hex("A0101").works == []
    assert costs(f.hex("A0703").sides[1]) == price
    f.battle.reset()
    assert f.battle.works.sites == [] and f.battle.works.hexes == [] and not a.building
    assert not any(side.walls for place in f.map.hexes for side in place.sides)


def test_6_23_a_stand_does_not_keep_anybody_from_building(field):
    """6.23: he goes on although his brigade may spend no movement points."""
    f, a, _ = begin_to_build(field)
    a.stands = True
    f.battle.phasing = UNION
    f.series.activation.brigade([f.battle.brigades[UNION]])
    orders_segment(f, 1)
    recovery(f)
    assert f.hex("A0305").works == [towards("E")]


def test_6_24_15_14_a_loose_cannon_sweeps_builders_away(field):
    f, a, _ = begin_to_build(field)
    a.forced = 1
    f.battle.phasing = UNION
    f.series.activation.brigade([f.battle.brigades[UNION]])
    assert "keeps_building" not in f.asked[UNION]
    assert told(f) == ["begun", "loose cannon"]


def test_15_17_a_line_that_crosses_pays_for_each_marker(field):
    """15.17, 8.44: a part goes over each of two markers; both are taken down for a point each."""
    f = field(12, 8)
    wide = f.unit("9 IL", "A0302", "E", strength=9, orders=ATTACK, movement=20)
    f.unit("1 TN", "A1208", "W", side=CONFEDERATE)
    f.play()
    f.battle.add_part(wide, f.hex("A0303"), 0, EXTENDED_LINE)
    f.begin(wide)
    move = next(move for move in f.series.lines.line_moves(wide) if all(len(way) == 1 for way in move.ways))
    for way in move.ways:
        vertex = next(v for v in range(6) if way[0].direction == v)
        f.battle.works.stand_in(way[0].origin, vertex)
    move = next(
        again for again in f.series.lines.line_moves(wide)
        if [way[0].to for way in again.ways] == [way[0].to for way in move.ways] and len(again.ways[0]) == 1
    )
    f.answers[UNION]["tear_down"] = [True, True]
    f.series.lines.line_move(wide, move)
    assert f.battle.works.hexes == []
    wall = int(f.charts.hexside("breastworks").cost(FOOT))
    assert wide.spent == move.cost + 2 * 2
    assert move.cost >= 2 + wall


@pytest.mark.parametrize(("level", "may"), [(0, True), (3, True), (4, False), (6, False)])
def test_15_11_15_14_17_34_tired_brigades_neither_begin_nor_go_on(field, level, may):
    """15.11, 15.14, 17.34: from the marker "Fatigue 2" on, the fourth of the levels of 17.24."""
    f, a, _ = camp(field)
    f.play(options={"fatigue": "yes"})
    f.answers[UNION]["build"] = [0]
    orders_segment(f)
    a.fatigue.place(level)
    assert f.series.engineering.may_build(a) is may
    f.series.engineering.watch()
    assert a.building is may
    assert told(f) == (["begun"] if may else ["begun", "tired"])


def test_15_23_the_heuristic_commander_thinks_less_of_a_charge_at_works(field):
    """15.23, 11.37, 11.42: in shock, in the rounding and in the check before it."""
    from simkit.commanders.appraisal import Appraisal
    from simkit.scenario.doctrines import doctrine

    f, a, b = duel(field, 2)
    f.play()
    f.begin(a)
    appraisal = Appraisal(f.battle, UNION, doctrine("steady"))
    node = f.hex("A0305").nodes[a.heading]
    open_ground = appraisal.charge_chance(a, node, b.hex, 0)
    put(f, b.hex.id, "E")
    assert appraisal.charge_chance(a, node, b.hex, 0) == open_ground
    put(f, b.hex.id, "W")
    assert appraisal.charge_chance(a, node, b.hex, 0) < open_ground
