"""Battles with what a scenario may lay down besides the introductory one's rules, from a scenario of the tests' own."""

from importlib.resources import files
from pathlib import Path

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.model.battle import DIVISION_MARKER
from simkit.model.entrances import NEVER
from simkit.model.forces import (
    ADVANCE,
    ATTACK,
    CONFEDERATE,
    ELIMINATED,
    NOT_ENTERED,
    ON_MAP,
    ROUTED,
    UNION,
    WITHDRAWN,
)
from simkit.play.audit import audit
from simkit.play.game import Game
from simkit.play.orders_audit import audit_orders
from simkit.rules.commander import Commander, CommanderError
from simkit.rules.dice import ARRIVAL, COHESION, KeyedDice
from simkit.scenario import build
from simkit.scenario.commanders import resolve
from simkit.scenario.scenariofile import read_scenario

SCENARIO = Path(__file__).parent / "course.toml"
BOOKS = Path(str(files("simkit"))) / "books"
DAWN, MORNING, DUSK, NIGHT, NEXT_DAY, LAST = range(6)


@pytest.fixture(scope="module")
def course():
    return build(read_scenario(SCENARIO, BOOKS))


@pytest.fixture(scope="module")
def surprising():
    return build(read_scenario(SCENARIO, BOOKS), {"shock_and_awe": "cohesion"})


@pytest.fixture
def battle(course):
    course.battle.reset()
    return course.battle


class Faces(KeyedDice):
    """Keyed dice but for one stream, whose faces are given."""

    def __init__(self, stream, faces):
        super().__init__(1862, 1)
        self.stream = stream
        self.faces = list(faces)

    def roll(self, stream, subject):
        return self.faces.pop(0) if stream == self.stream and self.faces else super().roll(stream, subject)

    def check(self, stream, subject, limit):
        if stream == self.stream and self.faces:
            return self.faces.pop(0) <= limit
        return super().check(stream, subject, limit)


class Idle(Commander):
    """Does nothing."""

    def act(self, series, brigades):
        pass

    def shocks(self, series, brigades):
        return []


class Dissolving(Idle):
    """Gives up its arrangements of command at once."""

    def ends_arrangements(self, series, army):
        return True


def begun(built, faces=(), stream=ARRIVAL, commanders=None):
    """A game that has been set up and deployed with given faces of a stream."""
    game = Game(built.battle, built.series, Faces(stream, faces), commanders or [Idle(), Idle()])
    game.begin(0)
    return game


def at(game, turn):
    """The game at the start of a turn: who is to leave has left, who is due waits."""
    game.battle.turn = turn
    game.series.departures.begin_turn()
    game.series.activation.begin_turn()
    game.series.surprise.begin_turn()


def unit(battle, ident):
    return next(unit for unit in battle.units if unit.id == ident)


def leader(battle, ident):
    return next(leader for leader in battle.leaders if leader.id == ident)


def command(battle, side, code):
    return next(command for command in battle.commands if (command.side, command.code) == (side, code))


# -- set-up ------------------------------------------------------------------------------------------------------------


def test_a_set_up_within_some_hexes_fills_them_one_regiment_a_hex(battle):
    middle = battle.map.named("C3508")
    brigade = command(battle, UNION, "2/1/RW")
    places = [one.hex for one in brigade.units]
    assert all(place.distance_to(middle) <= 3 for place in places)
    assert len({place.id for place in places}) == len(places)
    assert leader(battle, "2-1-rw/carlin").hex in places
    assert audit(battle) == []


def test_a_set_up_near_a_leader_keeps_to_him(battle):
    davis = leader(battle, "1-rw/davis")
    assert all(one.hex.distance_to(davis.hex) <= 4 for one in command(battle, UNION, "3/1/RW").units)


def test_a_set_up_in_an_area_keeps_to_its_columns_and_rows(battle):
    own = [one for one in battle.units if one.id.startswith("1-2-p/")]
    assert own
    for one in own:
        assert 43 <= int(one.hex.id[1:3]) <= 47
        assert 10 <= int(one.hex.id[3:]) <= 14


def test_states_of_a_set_up(battle):
    assert unit(battle, "1-1-rw/75-il").disordered
    assert unit(battle, "3-1-rw/35-il").collapsed
    assert unit(battle, "3-1-rw/35-il").disordered
    assert unit(battle, "1-1-rw/59-il").strength == 4
    assert leader(battle, "1-1-rw/post").replaced
    routed = unit(battle, "1-1-rw/22-in")
    assert (routed.place, routed.strength, routed.hex.id) == (ROUTED, 4, "")


def test_15_1_breastworks_stand_where_the_units_do_and_face_as_they_do(battle):
    for one in command(battle, CONFEDERATE, "4/1/P").units:
        assert [int(vertex) for vertex in one.hex.works] == [int(one.hex.stack[0].unit.heading) // 2]


def test_an_attached_unit_serves_under_its_new_command_for_all_purposes(battle):
    guns = unit(battle, "4-1-p/scott-bty")
    assert guns.command is command(battle, CONFEDERATE, "1/2/P")
    assert guns in guns.command.units
    assert guns not in command(battle, CONFEDERATE, "4/1/P").units


def test_the_owner_may_set_units_up_elsewhere_in_their_area_and_nowhere_else(course):
    course.battle.reset()
    series, one = course.series, unit(course.battle, "2-1-rw/38-il")
    fixed = unit(course.battle, "escort-rw/escort-rw")
    with pytest.raises(CommanderError, match="does not deploy now"):
        series.setting_up.place(one, course.battle.map.named("C3507"))
    series.orders.open_deployment(UNION)
    choices = series.setting_up.choices(one)
    assert one.hex not in choices
    assert all(place.distance_to(course.battle.map.named("C3508")) <= 3 for place in choices)
    assert series.setting_up.choices(fixed) == []
    series.setting_up.place(one, choices[0])
    assert one.hex is choices[0]
    with pytest.raises(CommanderError, match="take one of choices"):
        series.setting_up.place(one, course.battle.map.named("C1010"))
    carlin = leader(course.battle, "2-1-rw/carlin")
    series.setting_up.place_leader(carlin, choices[0])
    assert carlin.hex is choices[0]
    with pytest.raises(CommanderError, match="cannot be set up in C1010"):
        series.setting_up.place_leader(carlin, course.battle.map.named("C1010"))
    series.orders.close()


# -- efficiency, initiative and sight ----------------------------------------------------------------------------------


def test_8_0_efficiency_is_fixed_on_the_first_turn_and_drawn_from_the_pool_after_it(course):
    rules, battle = course.rules, course.battle
    wing, division = command(battle, UNION, "RW"), command(battle, CONFEDERATE, "1/P")
    assert [int(rules.fixed_number(wing, turn)) for turn in range(5)] == [1, -1, -1, -1, -1]
    assert [int(rules.fixed_number(division, turn)) for turn in range(5)] == [4, -1, -1, -1, -1]
    day, evening = [2, 2, 3], [1, 1, 1]
    assert [rules.pool(CONFEDERATE, turn) for turn in range(5)] == [day, day, evening, evening, day]


def test_20_4_markers_that_come_with_a_leader_are_there_while_he_is_on_the_map(course):
    course.battle.reset()
    assert course.rules.pool(UNION, DAWN) == [1, 2, 3, 4]
    leader(course.battle, "rw/mccook").place = ELIMINATED
    assert course.rules.pool(UNION, DAWN) == [1, 2, 3]


def test_8_0_the_side_with_the_initiative_picks_the_first_two_markers_of_the_first_turn(course):
    class Picking(Idle):
        def __init__(self):
            super().__init__()
            self.picked = []

        def first_marker(self, series, divisions):
            self.picked.append(int(series.battle.turn))
            return 0

    picking = Picking()
    game = Game(course.battle, course.series, KeyedDice(1862, 1), [Idle(), picking])
    game.begin(0)
    for turn in (DAWN, MORNING):
        game.battle.turn = turn
        game.turn()
    assert picking.picked.count(DAWN) == 2
    assert picking.picked.count(MORNING) <= 1


def test_8_0_a_restored_battle_still_has_its_second_pick(course):
    game = begun(course)
    game.battle.course.picks = 1
    kept = game.battle.snapshot()
    before = game.battle.digest()
    game.battle.course.picks = 0
    assert game.battle.digest() != before
    game.battle.restore(kept)
    assert game.battle.course.picks == 1


@pytest.mark.parametrize(("turn", "hexes"), [(DAWN, 2), (MORNING, 0), (DUSK, 2), (NIGHT, 1), (NEXT_DAY, 2)])
def test_7_0_nobody_sees_farther_than_the_scenario_lets_him(course, turn, hexes):
    battle, sight = course.battle, course.series.sight
    start = battle.map.named("C2512")
    battle.turn = MORNING
    clear = [place for place in battle.map.hexes if sight.clear(start, place)]
    battle.turn = turn
    seen = [place for place in battle.map.hexes if sight.clear(start, place)]
    assert seen == [place for place in clear if hexes == 0 or place.distance_to(start) <= hexes]
    assert len(clear) > len(battle.map.hexes) // 10


# -- reinforcements, withdrawals, late groups --------------------------------------------------------------------------


def entry(battle):
    return next(group for group in battle.reinforcements if group.faces)


@pytest.mark.parametrize(
    ("faces", "due"),
    [([1], MORNING), ([0, 0], DUSK), ([4, 3, 9, 3], NEVER), ([9, 4], DUSK), ([0, 9, 4], NIGHT)],
)
def test_10_0_a_group_that_must_roll_enters_with_the_right_roll_and_not_before(course, faces, due):
    """10.0: enter on 1-3; from dusk on here on 0, 1, 2 and 4."""
    game = begun(course, [9, 0])
    game.dice.faces = list(faces)
    group = entry(game.battle)
    for turn in (MORNING, DUSK, NIGHT, NEXT_DAY):
        at(game, turn)
        assert (group.due == NEVER) == (turn < due)
        assert all(one.waiting == (turn >= due) for one in group.units)
        assert len(game.dice.faces) == max(len(faces) - turn, 0) or turn >= due
    assert group.due == due


def test_10_0_a_group_that_has_not_arrived_does_not_hold_up_others_of_its_hex(course):
    game = begun(course, [9, 0])
    game.dice.faces = [9, 9, 9, 9]
    for turn in (MORNING, DUSK, NIGHT, NEXT_DAY):
        at(game, turn)
    escort = unit(game.battle, "escort-rw/escort-rw")
    assert escort.waiting
    assert game.series.reinforcements.gates(escort)


@pytest.mark.parametrize(
    ("faces", "due"),
    [
        ([1], NEVER), ([4], NEVER), ([3, 0], NEVER),  # 1 is taken off: up to 4 it is set up
        ([5, 0], MORNING), ([8, 2], DUSK), ([5, 1], MORNING),  # 0 + 4 - 1 = 3, 2 + 3 = 5, 1 + 3 = 4
        ([9, 0], NEXT_DAY), ([0, 6], NEXT_DAY), ([0, 9], LAST),  # a 0 counts ten; 9 - 5 = 4: not earlier than 0700
    ],
)  # fmt: skip
def test_10_0_the_arrival_table_sets_a_group_up_or_says_its_turn(course, faces, due):
    game = begun(course, faces)
    group = next(group for group in game.battle.reinforcements if group.late is not None)
    assert group.due == due
    if due != NEVER:
        assert all(one.place == NOT_ENTERED for one in group.units)
        return
    for one in group.units:
        assert (one.place, int(one.hex.id[1:3]) >= 40, int(one.hex.id[3:]) <= 9) == (ON_MAP, True, True)
    assert {int(chief.place) for chief in group.leaders} == {ON_MAP}
    assert audit(game.battle) == []


def test_10_0_the_owner_of_a_group_that_is_set_up_chooses_among_the_hexes(course):
    game = begun(course, [1])
    group = next(group for group in game.battle.reinforcements if group.late is not None)
    choices = game.series.setting_up.choices(group.units[0])
    assert len(choices) > 20
    game = begun(course, [9, 0])
    assert game.series.setting_up.choices(group.units[0]) == []


def test_9_0_who_withdraws_leaves_the_map_and_comes_back_with_what_is_printed(course):
    game = begun(course, [9, 0, 9, 9])  # the other group does not arrive
    escort, chief = unit(game.battle, "escort-rw/escort-rw"), leader(game.battle, "rw/mccook")
    assert (escort.place, escort.strength > 1) == (ON_MAP, True)
    at(game, MORNING)
    assert (escort.place, chief.place, escort.hex.id) == (WITHDRAWN, WITHDRAWN, "")
    assert audit(game.battle) == []
    away = game.battle.snapshot()
    at(game, NEXT_DAY)
    assert (escort.place, escort.waiting, chief.waiting, escort.strength) == (NOT_ENTERED, True, True, 1)
    assert escort.start - escort.losses() == 1
    assert {gate.entrance.hex.id for gate in game.series.reinforcements.gates(escort)} == {"C1019"}
    assert audit(game.battle) == []
    game.battle.restore(away)
    assert (escort.place, escort.arrival) == (WITHDRAWN, None)
    game.battle.reset()
    assert (escort.place, chief.place) == (ON_MAP, ON_MAP)


def test_9_0_who_has_withdrawn_stays_as_effective_as_he_was(course):
    game = begun(course, [9, 0])
    brigade = command(game.battle, UNION, "3/1/RW")
    brigade.ineffective = True
    for one in brigade.units:
        game.battle.remove(one, WITHDRAWN)
    game.series.effectiveness.check_commands()
    assert brigade.ineffective
    assert not command(game.battle, UNION, "2/1/RW").ineffective


# -- closed ground -----------------------------------------------------------------------------------------------------


def test_1_0_ground_that_is_closed_is_entered_neither_in_movement_nor_in_an_advance(course):
    game = begun(course, [9, 0])
    battle, series = game.battle, game.series
    bound, free = unit(battle, "1-1-rw/74-il"), unit(battle, "2-1-rw/38-il")
    for one, open_to_it in ((bound, False), (free, True)):
        battle.lift(one)
        battle.stand(one, battle.map.named("C2516"), True)
        one.orders = ADVANCE
        one.active = True
        series.movement.search(one)
        reached = {node.hex.id for node in series.movement.reached}
        assert ("C2517" in reached) == open_to_it
        assert "C2515" in reached
        assert series.retreat.may_advance(one, battle.map.named("C2517")) == open_to_it
        battle.lift(one)
        battle.stand(one, battle.map.named("C2016"), True)


def test_2_0_a_brigade_that_goes_where_it_is_warned_not_to_acts_on_one_marker_from_then_on(course):
    game = begun(course, [9, 0])
    battle = game.battle
    brigade, other = command(battle, UNION, "2/1/RW"), command(battle, UNION, "1/1/RW")
    assert brigade.marker_limit == -1
    kept = battle.snapshot()
    one = unit(battle, "2-1-rw/38-il")
    battle.lift(one)
    battle.stand(one, battle.map.named("C4010"), True)
    assert brigade.marker_limit == 1
    battle.lift(unit(battle, "1-1-rw/74-il"))
    battle.stand(unit(battle, "1-1-rw/74-il"), battle.map.named("C3310"), True)
    assert other.marker_limit == -1
    command(battle, UNION, "1/RW").markers = 4
    game.series.activation.allow(command(battle, UNION, "1/RW"), 4)
    assert (brigade.skips, other.skips) == (3, 0)
    battle.restore(kept)
    assert brigade.marker_limit == -1


# -- arrangements of command (8.0) -------------------------------------------------------------------------------------


def test_8_0_arrangements_last_until_their_owner_ends_them(course):
    game = begun(course, [9, 0], commanders=[Idle(), Dissolving()])
    battle = game.battle
    brigade = command(battle, CONFEDERATE, "1/2/P")
    assert brigade.superior.code == "1/P"
    kept = battle.snapshot()
    before = battle.digest()
    chains = [[one.code for one in each.subordinates] for each in battle.commands]
    game.series.command.end_arrangements(UNION)
    assert brigade.superior.code == "1/P"
    game.series.command.end_arrangements(CONFEDERATE)
    assert brigade.superior.code == "2/P"
    assert brigade in command(battle, CONFEDERATE, "2/P").subordinates
    assert brigade not in command(battle, CONFEDERATE, "1/P").subordinates
    assert battle.digest() != before
    battle.restore(kept)
    assert brigade.superior.code == "1/P"
    assert battle.digest() == before
    assert [[one.code for one in each.subordinates] for each in battle.commands] == chains


def test_8_0_a_division_whose_brigades_go_back_keeps_its_marker_until_the_next_check(course):
    game = begun(course, [9, 0], commanders=[Idle(), Dissolving()])
    battle = game.battle
    division = command(battle, CONFEDERATE, "1/P")
    game.series.command.end_arrangements(CONFEDERATE)
    division.ineffective = True
    told = []
    for turn in range(2):
        battle.turn = turn
        faults: list[str] = []
        audit_orders(battle, faults)
        told.append([fault for fault in faults if fault.startswith("1/P: Combat Ineffective")])
    assert told == [[], ["1/P: Combat Ineffective, but only 0 of 2 brigades are (13.33)"]]
    battle.turn = 0
    game.series.effectiveness.check_commands()
    assert not division.ineffective


# -- surprise (1.0, 8.0) -----------------------------------------------------------------------------------------------


def test_1_0_all_of_the_surprised_corps_check_after_set_up_and_who_fails_is_disordered(surprising):
    game = begun(surprising, [9] * 100, COHESION)
    units = [one for one in command(game.battle, UNION, "RW").all_units() if one.counts()]
    helped = [one.id for one in units if one.cohesion_good + game.series.command.stars(one) >= 9]
    assert len(units) > len(helped)
    assert [one.id for one in units if not one.disordered] == helped
    assert not any(one.disordered for one in game.battle.units if one.side == CONFEDERATE)
    game = begun(surprising, [0] * 100, COHESION)
    assert [one.id for one in units if one.disordered] == ["1-1-rw/75-il", "3-1-rw/35-il"]


def test_1_0_cohesion_is_one_less_in_the_first_turn_only(surprising):
    game = begun(surprising, [0] * 100, COHESION)
    one = unit(game.battle, "2-1-rw/38-il")
    assert one.cohesion() == one.cohesion_good - 1
    at(game, MORNING)
    assert one.cohesion() == one.cohesion_good


def test_1_0_or_its_checks_are_worse(course):
    built = build(course.scenario, {"shock_and_awe": "checks"})
    game = begun(built, [0] * 100, COHESION)
    one = unit(game.battle, "2-1-rw/38-il")
    assert (one.cohesion(), int(one.alarmed)) == (int(one.cohesion_good), 1)
    stars = game.series.command.stars(one)
    game.dice.faces = [int(one.cohesion_good) + int(stars)]
    assert not game.series.results.udd(one, 0, "test")
    one.alarmed = 0
    game.dice.faces = [int(one.cohesion_good) + int(stars)]
    assert game.series.results.udd(one, 0, "test")


def test_1_0_without_the_option_there_is_no_surprise(course):
    game = begun(course, [9, 0])
    assert not game.battle.course.withheld
    assert not any(one.unnerved or one.alarmed for one in game.battle.units)
    assert game.series.movement.leader_may_move(leader(game.battle, "rw/mccook")) == (game.battle.phase == 11)


def test_1_0_markers_stay_out_of_the_pool_until_the_alarm(surprising):
    game = begun(surprising, [0] * 100, COHESION)
    battle, series = game.battle, game.series
    series.activation.begin_turn()
    series.activation.determine_initiative()
    series.command.determine()
    series.activation.determine_efficiency()
    series.activation.fill_pool()
    assert {marker.side for marker in battle.pool if marker.kind == DIVISION_MARKER} == {CONFEDERATE}
    kept = battle.snapshot()
    enemy = next(one for one in battle.units if one.side == CONFEDERATE and one.kind == 0)
    guns = unit(battle, "4-1-p/scott-bty")
    target = unit(battle, "2-1-rw/38-il")
    series.surprise.fired_at(guns, target)
    series.surprise.fired_at(enemy, enemy)
    series.surprise.approached(enemy)
    assert battle.course.withheld
    series.surprise.fired_at(enemy, target)
    assert not battle.course.withheld
    assert sum(marker.command.code == "1/RW" for marker in battle.pool) == command(battle, UNION, "1/RW").markers
    battle.restore(kept)
    assert battle.course.withheld
    beside = next(side.to for side in target.hex.sides if side.on_map and not side.to.stack)
    battle.lift(enemy)
    battle.stand(enemy, beside, True)
    series.surprise.approached(enemy)
    assert not battle.course.withheld


def test_1_0_one_brigade_of_each_division_changes_orders_without_a_roll_in_the_first_turn(surprising):
    game = begun(surprising, [0] * 100, COHESION)
    brigade = command(game.battle, CONFEDERATE, "4/1/P")
    division = command(game.battle, CONFEDERATE, "1/P")
    brigade.orders = ADVANCE
    draws = list(brigade.draws)
    game.series.orders.try_change(brigade, ATTACK)
    assert (brigade.orders, division.free_changes, list(brigade.draws)) == (ATTACK, 0, draws)
    game.series.orders.try_change(brigade, ADVANCE)
    assert list(brigade.draws) != draws
    division.free_changes = 1
    at(game, MORNING)
    assert division.free_changes == 0


def test_8_0_a_leader_keeps_still_in_the_first_turn(surprising):
    game = begun(surprising, [0] * 100, COHESION)
    chief = leader(game.battle, "rw/mccook")
    game.battle.phase = 11
    assert not game.series.movement.leader_may_move(chief)
    game.battle.turn = MORNING
    assert game.series.movement.leader_may_move(chief)


# -- whole battles -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["no", "cohesion", "checks"])
@pytest.mark.parametrize(("union", "confederate"), [("random", "steady"), ("wild", "wild"), ("aggressive", "random")])
def test_whole_battles_stay_legal_and_end_with_points(course, surprising, wild, auditor, option, union, confederate):
    built = {"no": course, "cohesion": surprising}.get(option) or build(course.scenario, {"shock_and_awe": option})
    made = [
        wild() if who == "wild" else resolve(who, side, built)
        for who, side in ((union, "Union"), (confederate, "Confederate"))
    ]
    game = Game(built.battle, built.series, KeyedDice(1862, 1231), made)
    audits = auditor()
    game.watch(audits)
    for run in range(2):
        game.play(run)
        assert audits.faults == []
        assert game.outcome.vp is not None
        assert game.outcome.vp[UNION] >= 1


def test_the_same_run_gives_the_same_battle_again(course):
    digests = []
    for _ in range(2):
        game = Game(course.battle, course.series, KeyedDice(1862, 3), [RandomCommander(), RandomCommander()])
        game.play(5)
        digests.append(game.battle.digest())
    assert digests[0] == digests[1]
