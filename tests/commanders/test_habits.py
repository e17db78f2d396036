"""The habits of the doctrines, in scenes of a few units: who shocks, who gives way, where guns stand, who rallies."""

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.model.battle import PHASE_ACTION
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, EXTENDED_LINE, INFANTRY, MARCH, REFUSED_RIGHT
from simkit.play.game import Observer
from simkit.rules.commander import Designation
from simkit.rules.dice import KeyedDice
from simkit.scenario.doctrines import doctrine_names

UNION, CONFEDERATE = 0, 1
CANISTER = 3  # hexes (10.67)
DOCTRINES = doctrine_names()


def lines(made, strength, against, gap=1, orders=ATTACK, count=3):
    """Two straight lines that face each other, the Union's to the west; gives both from north to south."""
    made.brigade("1/1/U", 0, orders)
    rows = range(4, 4 + 2 * count, 2)
    union = [made.unit(f"U{row}", f"A06{row:02d}", "E", strength=strength, orders=orders) for row in rows]
    confederate = [made.unit(f"C{row}", f"A{6 + gap:02d}{row:02d}", "W", strength=against, side=1) for row in rows]
    return union, confederate


def shocked(designations):
    return {unit.name for designation in designations for unit in designation.attackers}


# -- shock ---------------------------------------------------------------------------------------------------------


def test_at_even_odds_the_aggressive_shock_and_the_cautious_do_not(scene, enter):
    went = {}
    for name in DOCTRINES:
        made = scene(name)
        union, _ = lines(made, 6, 6)
        leader = enter(made, union[0])
        went[name] = shocked(leader.shocks(made.series, made.battle.active))
    assert went["aggressive"] == {"U4", "U6", "U8"}
    assert went["cautious"] == set()


def test_everybody_shocks_what_can_hardly_stand(scene, enter):
    for name in DOCTRINES:
        made = scene(name)
        union, confederate = lines(made, 8, 3)
        for unit in confederate:
            unit.disordered = True
        leader = enter(made, union[0])
        assert shocked(leader.shocks(made.series, made.battle.active)) == {"U4", "U6", "U8"}, name


@pytest.mark.parametrize("name", DOCTRINES)
def test_nobody_shocks_where_it_is_hopeless(scene, enter, name):
    made = scene(name)
    union, _ = lines(made, 5, 12)
    leader = enter(made, union[0])
    assert leader.shocks(made.series, made.battle.active) == []


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_regiment_one_loss_from_collapse_is_not_sent_in(scene, enter, name):
    made = scene(name)
    made.brigade("1/1/U", 0, ATTACK)
    worn = made.unit("worn", "A0604", "E", strength=4, full=8, orders=ATTACK)
    made.unit("C4", "A0704", "W", strength=2, side=1, disordered=True)
    leader = enter(made, worn)
    assert leader.shocks(made.series, made.battle.active) == []


# -- retreat before shock --------------------------------------------------------------------------------------------


def threatened(made):
    """One small regiment under Advance Orders before three large ones."""
    made.brigade("1/1/C", 1, ATTACK)
    alone = made.unit("alone", "A0904", "W", strength=3, orders=ADVANCE)
    foes = [
        made.unit(f"C{column}{row}", f"A{column:02d}{row:02d}", "E", strength=8, side=1, orders=ATTACK)
        for column, row in ((8, 3), (8, 4))
    ]
    return alone, foes


def answers(scene, enter, name):
    made = scene(name)
    alone, foes = threatened(made)
    leader = enter(made, foes[0])
    foes = [foe for foe in foes if alone.hex in made.series.shock.targets(foe)]
    assert foes
    return made, leader, alone, foes


def test_the_cautious_retreat_before_a_hopeless_shock_and_the_aggressive_stand(scene, enter):
    gave_way = {}
    for name in DOCTRINES:
        made, leader, alone, foes = answers(scene, enter, name)
        gave_way[name] = leader.retreat_before_shock(made.series, [alone], foes)
    assert gave_way["cautious"]
    assert not gave_way["aggressive"]


def test_a_cautious_regiment_is_gone_when_the_shock_arrives(scene, enter):
    made, _, alone, foes = answers(scene, enter, "cautious")
    place = alone.hex
    made.series.shock.conduct([Designation(foes, [place])], made.battle.active)
    assert made.events("retreat before shock")
    assert alone.hex is not place
    assert not made.events("shock")


@pytest.mark.parametrize("name", ["cautious", "steady"])
def test_nobody_gives_way_to_a_weak_attack(scene, enter, name):
    made = scene(name)
    made.brigade("1/1/C", 1, ATTACK)
    strong = made.unit("strong", "A0904", "W", strength=8, orders=ADVANCE)
    foe = made.unit("foe", "A0804", "E", strength=3, side=1, orders=ATTACK)
    leader = enter(made, foe)
    assert not leader.retreat_before_shock(made.series, [strong], [foe])


def test_retreats_lead_away_from_the_enemy(scene, enter):
    made, leader, alone, foes = answers(scene, enter, "steady")
    ways = made.series.retreat.ways([alone], 1, 2, [foe.hex for foe in foes])
    assert len(ways) > 1
    end = ways[leader.retreat(made.series, alone, ways)].end()
    away = {way.end().id: min(way.end().distance_to(foe.hex) for foe in foes) for way in ways}
    assert away[end.id] == max(away.values())


# -- orders ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "against", "bold", "careful"),
    [(6, 6, ATTACK, ADVANCE), (9, 3, ATTACK, ATTACK), (4, 9, ADVANCE, ADVANCE)],
)
def test_orders_follow_the_odds(scene, enter, strength, against, bold, careful):
    for name, wanted in (("aggressive", bold), ("cautious", careful)):
        made = scene(name)
        union, _ = lines(made, strength, against, gap=3, orders=ADVANCE)
        leader = enter(made, union[0])
        assert leader.wanted_orders(made.series, union[0].command) == wanted, name


@pytest.mark.parametrize("name", DOCTRINES)
def test_a_spent_brigade_breaks_off(scene, enter, name):
    made = scene(name)
    union, confederate = lines(made, 8, 2, gap=3, orders=ATTACK)
    leader = enter(made, union[0])
    assert leader.wanted_orders(made.series, union[0].command) == ATTACK
    for unit in union[1:]:
        unit.strength, unit.collapsed, unit.disordered = 3, True, True
    assert leader.wanted_orders(made.series, union[0].command) == ADVANCE
    assert confederate[0].counts()


@pytest.mark.parametrize("name", DOCTRINES)
def test_under_advance_orders_nobody_goes_up_to_the_enemy(scene, enter, name):
    made = scene(name)
    union, _ = lines(made, 8, 4, gap=3, orders=ADVANCE)
    leader = enter(made, union[0])
    made.battle.phase = PHASE_ACTION
    leader.act(made.series, made.battle.active)
    assert all(not made.battle.enemy_near(unit.hex, unit.side) for unit in union)
    fired = {event.unit for event in made.events("fire") if event.mode == "phasing"}
    moved = {event.unit for event in made.events("move")}
    assert not fired & moved


def test_the_aggressive_close_to_the_bayonet_where_the_cautious_fire(scene, enter):
    near = {}
    for name in ("aggressive", "cautious"):
        made = scene(name)
        union, _ = lines(made, 6, 6, gap=3, orders=ATTACK)
        leader = enter(made, union[0])
        leader.act(made.series, made.battle.active)
        near[name] = sum(made.battle.enemy_near(unit.hex, unit.side) for unit in union)
    assert near["aggressive"] > 0
    assert near["aggressive"] > near["cautious"]


# -- guns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCTRINES)
def test_guns_go_to_their_distance_and_stay_out_of_canister_range(scene, enter, name):
    """From far off they come up, but with no target in range they don't come nearer than they want to stand."""
    made = scene(name, columns=24, rows=9)
    battery = made.unit("battery", "A0204", "E", strength=4, kind=ARTILLERY, weapon="N")
    friend = made.unit("friend", "A0304", "E", strength=6)
    enemy = made.unit("enemy", "A2004", "W", strength=6, side=1)
    leader = enter(made, friend)
    start = battery.hex.distance_to(enemy.hex)
    for _ in range(6):
        made.begin(friend)
        leader.field(made.battle).measured = -1
        leader.act(made.series, made.battle.active)
        assert battery.hex.distance_to(enemy.hex) > CANISTER
        if made.events("fire"):
            break
    assert battery.hex.distance_to(enemy.hex) < start
    assert made.events("fire")


class Gunner(Observer):
    """Counts for the Union's batteries the hexes to the nearest enemy regiment before and after each that moved."""

    def deployed(self, game):
        self.moves = []
        self.away = self.distances(game)

    def after_activation(self, game):
        now = self.distances(game)
        phasing = game.series.activation.current[0].side
        for ident, (place, hexes) in now.items():
            before, away = self.away.get(ident, (place, hexes))
            if phasing == UNION and before is not place:
                self.moves.append((away, hexes))
        self.away = now

    def distances(self, game):
        there = [unit for unit in game.battle.units if unit.counts()]
        foes = [unit for unit in there if unit.side == CONFEDERATE and unit.kind == INFANTRY]
        guns = [unit for unit in there if unit.side == UNION and unit.kind == ARTILLERY]
        return {gun.id: (gun.hex, min(gun.hex.distance_to(foe.hex) for foe in foes)) for gun in guns}


@pytest.mark.parametrize("name", DOCTRINES)
def test_in_whole_battles_guns_do_not_go_into_canister_range(match, name):
    """Against an enemy who attacks: batteries move, and next to never from beyond the range into it."""
    game = match(name, "aggressive")
    gunner = Gunner()
    game.watch(gunner)
    moves = []
    for run in range(8):
        game.play(run)
        moves += gunner.moves
    into = [move for move in moves if move[0] > CANISTER >= move[1]]
    assert moves
    assert len(into) <= len(moves) // 20, moves


@pytest.mark.parametrize("name", DOCTRINES)
def test_guns_with_a_target_fire_and_do_not_move(scene, enter, name):
    made = scene(name)
    battery = made.unit("battery", "A0304", "E", strength=4, kind=ARTILLERY, weapon="N")
    made.unit("friend", "A0404", "E", strength=6)
    made.unit("enemy", "A0904", "W", strength=6, side=1)
    leader = enter(made, battery)
    leader.act(made.series, made.battle.active)
    assert [event.target_hex for event in made.events("fire") if event.unit == battery.id] == ["A0904"]
    assert not [event for event in made.events("move") if event.unit == battery.id]


# -- rally -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCTRINES)
def test_disordered_units_out_of_contact_rally(scene, enter, name):
    made = scene(name)
    union, _ = lines(made, 6, 6, gap=5, orders=ADVANCE)
    union[1].disordered = True
    leader = enter(made, union[0])
    leader.act(made.series, made.battle.active)
    assert [event.unit for event in made.events("rally")] == [union[1].id]


def test_in_contact_the_steady_rally_and_the_aggressive_fight_or_draw_off(scene, enter):
    for name, rallies in (("steady", True), ("aggressive", False)):
        made = scene(name)
        union, _ = lines(made, 6, 6, gap=1, orders=ADVANCE)
        union[1].disordered = True
        leader = enter(made, union[0])
        leader.act(made.series, made.battle.active)
        assert bool(made.events("rally")) == rallies, name
        if not rallies:
            assert [event for event in made.events("fire", "move") if event.unit == union[1].id]


# -- fire ------------------------------------------------------------------------------------------------------------


def test_the_cautious_open_fire_at_a_range_at_which_the_aggressive_move_on(scene, enter):
    fired = {}
    for name in ("aggressive", "cautious"):
        made = scene(name)
        union, _ = lines(made, 6, 6, gap=3, orders=ADVANCE)
        leader = enter(made, union[0])
        leader.act(made.series, made.battle.active)
        fired[name] = [event for event in made.events("fire") if event.mode == "phasing"]
    assert len(fired["cautious"]) == 3
    assert fired["aggressive"] == [] or len(fired["aggressive"]) < 3


@pytest.mark.parametrize("name", DOCTRINES)
def test_fire_goes_to_whom_it_hurts_most(scene, enter, name):
    """Of two alike in range one is disordered: a further hit may cost it a point or make it run."""
    made = scene(name)
    shooter = made.unit("shooter", "A0604", "E", strength=6)
    for ident, disordered in (("A0703", False), ("A0704", True)):
        made.unit(f"at {ident}", ident, "W", strength=5, side=1, disordered=disordered)
    leader = enter(made, shooter)
    leader.act(made.series, made.battle.active)
    fires = [event for event in made.events("fire") if event.unit == shooter.id and event.mode == "phasing"]
    assert [event.target_hex for event in fires] == ["A0704"]


def extended(made, name="line", *markers):
    """A line of the Union that faces east, its counter in A0606, its markers south and north of it."""
    unit = made.unit(name, "A0606", "E", strength=18 if len(markers) > 1 else 10)
    for place in markers:
        made.battle.add_part(unit, made.hex(place), 0, EXTENDED_LINE)
    return unit


def phasing(made, unit):
    fires = [event for event in made.events("fire") if event.unit == unit.id and event.mode == "phasing"]
    return [(event.target_hex, event.sp) for event in fires]


@pytest.mark.parametrize("name", DOCTRINES)
def test_8_45_a_line_fires_together_at_the_only_enemy(scene, enter, name):
    made = scene(name)
    unit = extended(made, "line", "A0607")
    made.unit("enemy", "A0706", "W", strength=6, side=1)
    enter(made, unit).act(made.series, made.battle.active)
    assert phasing(made, unit) == [("A0706", 10)]


@pytest.mark.parametrize("name", DOCTRINES)
def test_8_45_the_parts_of_a_line_fire_at_the_enemies_before_them(scene, enter, name):
    made = scene(name)
    unit = extended(made, "line", "A0607", "A0605")
    for place in ("A0704", "A0707"):
        made.unit(f"at {place}", place, "W", strength=6, side=1)
    enter(made, unit).act(made.series, made.battle.active)
    assert {place for place, _ in phasing(made, unit)} == {"A0704", "A0707"}
    assert sum(points for _, points in phasing(made, unit)) >= 12


@pytest.mark.parametrize("name", DOCTRINES)
def test_8_45_a_distant_part_does_not_spoil_the_answer_of_the_nearer_ones(scene, enter, name):
    made = scene(name, side=1)
    unit = made.unit("line", "A0706", "W", strength=18, side=1)
    for place in ("A0705", "A0707"):
        made.battle.add_part(unit, made.hex(place), 0, EXTENDED_LINE)
    shooter = made.unit("shooter", "A0606", "E", strength=4)
    enter(made, shooter)
    made.series.fire.phasing(shooter, [made.hex("A0706")], False)
    answers = [event for event in made.events("fire") if event.mode == "return"]
    assert [event.sp for event in answers] == [12] and answers[0].range == 1


@pytest.mark.parametrize("name", DOCTRINES)
def test_7_34_a_refused_unit_fires_through_each_front_that_has_a_target(scene, enter, name):
    made = scene(name)
    unit = made.unit("refused", "A0606", "E", strength=7)
    made.unit("ahead", "A0706", "W", strength=6, side=1)
    made.unit("beside", "A0607", "N", strength=6, side=1, orders=MARCH)
    leader = enter(made, unit)
    unit.refused = REFUSED_RIGHT
    leader.act(made.series, made.battle.active)
    assert phasing(made, unit) == [("A0706", 4), ("A0607", 3)]


def test_8_45_random_play_fires_lines_legally(scene, enter):
    """8.45: whatever each part picks, those at one hex fire together."""
    seen = set()
    for key in range(12):
        made = scene("steady")
        unit = extended(made, "line", "A0607", "A0605")
        for place in ("A0705", "A0706", "A0707", "A0708"):
            made.unit(f"at {place}", place, "W", strength=6, side=1)
        enter(made, unit)
        made.series.equip(KeyedDice(key, key), made.log, made.commanders)
        RandomCommander()._fire(made.series, unit.command, unit)
        targets = [place for place, _ in phasing(made, unit)]
        assert targets and len(set(targets)) == len(targets)
        seen.add(tuple(targets))
    assert len(seen) > 2
