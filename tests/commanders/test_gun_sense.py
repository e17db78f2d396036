"""How guns are served and who opens fire, as a player of the game would (docs/dead-of-winter.md)."""

import pytest

from simkit.commanders.appraisal import FORBIDDEN
from simkit.commanders.objectives import Objective
from simkit.model.battle import PHASE_ACTION
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK
from simkit.model.hexgrid import HEADING_NAMES

GUNS = {"kind": ARTILLERY, "weapon": "N", "strength": 4}


@pytest.fixture
def battery(scene, enter):
    """A function that makes a battery, its brigadier, and enemies of a strength in some hexes.

    `river` is a column whose east side is a river, over which the ford leads in a row.
    """

    def make(enemies, against=5, place="A0808", heading="E", columns=24, river=0, ford=0, foes="", **more):
        made = scene("steady", columns=columns, rows=16)
        made.leader("Brigadier", place, command_range=40)
        made.guns = made.unit("Guns", place, heading, **{**GUNS, **more})
        made.foes = [made.unit(f"C{at}", at, foes or "W", side=1, strength=against) for at in enemies]
        if river:
            for row in range(1, 17):
                west = made.hex(f"A{river:02d}{row:02d}")
                for side in west.sides:
                    if side.on_map and side.to.column == river + 1:
                        made.water(west.id, side.to.id, "ford_a" if row == ford and side.to.row == row else "")

        def ready():
            enter(made, made.guns)
            made.battle.phase = PHASE_ACTION
            made.led.field(made.battle).look(made.guns.command)
            return made

        made.ready = ready
        return made

    return make


def fired_at(made):
    """The hexes at which the battery has fired of its own."""
    return [event.target_hex for event in made.events("fire") if event.unit == made.guns.id and event.mode == "phasing"]


def act(made):
    made.led.act(made.series, made.battle.active)


# -- turning to fire (7.23, 10.61) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("enemies", "heading", "target"),
    [
        (["A1608", "A0805"], "NNE", "A0805"),  # at canister range one vertex to the left, at eight hexes in front
        (["A1608", "A0811"], "SSE", "A0811"),
        (["A1208", "A0804"], "E", "A1208"),  # four hexes off both: no reason to turn
        (["A0805"], "NNE", "A0805"),
    ],
)
def test_7_23_10_61_a_battery_turns_one_vertex_to_a_clearly_better_target_before_it_fires(
    battery, enemies, heading, target
):
    made = battery(enemies).ready()
    act(made)
    assert HEADING_NAMES[made.guns.heading] == heading
    assert fired_at(made)[0] == target
    assert not made.guns.moved
    assert made.guns.hex.id == "A0808"


def test_7_21_10_61_it_turns_farther_only_with_nothing_to_fire_at_and_fires_all_the_same(battery):
    made = battery(["A0208"]).ready()
    act(made)
    assert (made.guns.hex.id, made.guns.moved, fired_at(made)) == ("A0808", True, ["A0208"])
    made = battery(["A1608", "A0204"]).ready()
    act(made)
    assert (HEADING_NAMES[made.guns.heading], fired_at(made)) == ("E", ["A1608"])


def laid(made):
    """The heading to which the battery would turn."""
    worth = made.led.best_fires(made.series, made.guns, 60)[1]
    return HEADING_NAMES[made.led.best_laying(made.series, made.guns, worth)[0]]


@pytest.mark.parametrize(("company", "heading"), [("", "NNE"), ("Battery", "NNE"), ("Infantry", "E")])
def test_7_11_guns_do_not_turn_the_infantry_that_shares_their_hex(battery, company, heading):
    made = battery(["A1608", "A0805"])
    if company:
        made.unit(company, "A0808", "E", **(GUNS if company == "Battery" else {}))
    assert laid(made.ready()) == heading


@pytest.mark.parametrize(("near", "heading"), [("A0908", "E"), ("A1108", "NNE")])
def test_10_66_guns_turn_from_no_enemy_next_to_them(battery, near, heading):
    """Two hexes to the left stands one whom disorder makes twice the target."""
    made = battery([near, "A0806"])
    made.foes[1].disordered = True
    assert laid(made.ready()) == heading


def test_looking_at_a_turn_changes_nothing(battery):
    made = battery(["A0208"]).ready()
    before = made.battle.digest()
    assert made.led.best_laying(made.series, made.guns, 0)[1] > 0
    assert made.battle.digest() == before


@pytest.mark.parametrize(("mate", "heading"), [({}, "NNE"), ({"disordered": True}, "E"), ({"ammo": 1}, "E")])
def test_10_92_13_4_guns_turn_no_others_of_their_hex_who_would_rather_rally_or_fetch_ammunition(
    battery, mate, heading
):
    made = battery(["A1608", "A0805"])
    other = made.unit("Battery", "A0808", "E", **GUNS)
    for name, value in mate.items():
        setattr(other, name, value)
    assert laid(made.ready()) == heading


def test_10_92_guns_short_of_ammunition_turn_for_no_fire_that_they_would_not_open(battery):
    made = battery(["A0208"]).ready()
    made.guns.ammo = 1
    act(made)
    assert (HEADING_NAMES[made.guns.heading], fired_at(made), made.guns.ammo) == ("E", [], 0)


# -- positions (10.2, 9.44) --------------------------------------------------------------------------------------------


def test_guns_do_not_go_into_the_line(battery):
    made = battery(["A1608"])
    made.unit("Left", "A0807", "E")
    infantry = made.unit("Second", "A0204", "E")
    made.ready()
    field = made.led.field(made.battle)
    node = made.guns.hex.nodes[made.guns.heading]
    line = made.led.doctrine.line
    assert field.pose_worth(infantry, node) == field.pose_worth(made.guns, node) + line


@pytest.mark.parametrize(("enemy", "crosses"), [("A2608", False), ("A3608", True)])
def test_9_44_guns_cross_no_ford_towards_an_enemy_whom_they_reach_from_this_bank(battery, enemy, crosses):
    """The objective and the brigadier are beyond the river."""
    made = battery([enemy], place="A1408", columns=40, river=15, ford=8, heading="W")
    made.led.objectives = [Objective("A1908", 3, [])]
    made.battle.stand_leader(made.guns.command.leader(), made.hex("A1908"))
    made.ground("woods", *[f"A18{row:02d}" for row in range(1, 17)])  # nobody is in sight from this bank
    made.ready()
    act(made)
    assert (made.guns.hex.column > 15) is crosses


@pytest.mark.parametrize(
    ("place", "enemy", "shunned"),
    [
        ("A1408", "A2408", "A1608"),
        ("A1408", "A3608", ""),  # out of range beyond the ford
        ("A1808", "A2408", ""),  # across already: the way back is free
        ("A1808", "A1208", "A1508"),  # the enemy stands on the other bank
        ("A1608", "A2408", ""),
    ],
)
def test_9_44_only_the_far_end_of_a_ford_towards_the_enemy_is_shunned(battery, place, enemy, shunned):
    made = battery([enemy], place=place, columns=40, river=15, ford=8).ready()
    field = made.led.field(made.battle)
    field.appraise(made.guns.command, [], [], 6)
    made.led.survey(made.series, made.guns)
    found = [place.id for place in made.map.hexes if field.place_worth(place) == FORBIDDEN]
    assert found == ([shunned] if shunned else [])


# -- danger (9.54, 9.63) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("river", "leaves"), [(0, True), (9, False)])
def test_9_54_guns_do_not_leave_their_hill_before_regiments_that_cannot_come_at_them(battery, river, leaves):
    made = battery(["A1107", "A1108", "A1109"], river=river).ready()
    worth = made.led.best_fires(made.series, made.guns, 60)[1]
    assert worth > 0
    assert made.led.guns_in_danger(made.series, made.guns, worth) is leaves


@pytest.mark.parametrize(("river", "ford", "goes"), [(0, 0, True), (6, 0, False), (6, 6, True), (6, 15, False)])
def test_9_63_guns_move_off_before_no_charge_that_a_river_keeps_away(battery, river, ford, goes):
    """A ford beside them lets him come, one nine hexes off does not."""
    made = battery(["A0307"], place="A0806", river=river, ford=ford, foes="E")
    made.foes[0].orders = ATTACK
    made.ready()
    assert made.led.reaction_move(made.series, made.guns, made.foes[0], made.hex("A0606")) is goes


@pytest.mark.parametrize(
    ("friend", "enemy", "river", "goes"),
    [
        ("", "A1008", 0, True),
        ("A0707", "A1008", 0, False),  # covered
        ("A0308", "A1008", 0, True),  # too far off to cover them
        ("", "A1308", 0, False),  # nobody close
        ("", "A1008", 8, False),  # behind a river
    ],
)
def test_13_4_disordered_guns_alone_before_the_enemy_draw_off_before_they_rally(battery, friend, enemy, river, goes):
    made = battery([enemy], river=river, disordered=True)
    if friend:
        made.unit("Friend", friend, "E")
    made.ready()
    act(made)
    assert (made.guns.hex.distance_to(made.foes[0].hex) > 3) is (goes or enemy == "A1308")
    assert (made.guns.hex.id != "A0808") is goes
    assert bool([event for event in made.events("rally") if event.unit == made.guns.id]) is not goes


# -- disordered infantry (10.42, 13.4) ---------------------------------------------------------------------------------


def shaken(scene, enter, against, facing="W", beside=()):
    made = scene("steady", columns=20)
    made.brigade("1/1/U", 0, ADVANCE)
    unit = made.unit("Broken", "A0806", "E", strength=7, disordered=True, cohesion=9, cohesion_disordered=9)
    made.foes = [made.unit(f"C{at}", at, facing, side=1, strength=against) for at in ("A0906", *beside)]
    made.foes[0].disordered = True
    enter(made, unit)
    made.battle.phase = PHASE_ACTION
    return made, unit


@pytest.mark.parametrize(
    ("beside", "facing", "fires"),
    [((), "E", True), (("A0907", "A0905"), "E", True), (("A0907", "A0905", "A0805"), "W", False)],
)
def test_10_42_the_disordered_open_no_fire_that_draws_more_than_it_does(scene, enter, beside, facing, fires):
    """Enemies who turn their backs do not answer; those beside the target do."""
    made, unit = shaken(scene, enter, 7, facing, beside)
    made.led.doctrine.order = 1  # next to nothing is lost with the order, so that the fires alone decide
    act(made)
    assert unit.fired is fires
    assert bool([event for event in made.events("rally") if event.unit == unit.id]) is not fires
