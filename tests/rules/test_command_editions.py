"""What Gringo! words otherwise in the chapters of command: 5.34, 6.13, 6.23, 6.24 and 13.4, each by every wording."""

import pytest

from simkit.model.battle import DIVISION_MARKER, PHASE_SHOCK
from simkit.model.charts import AGGRESSIVE, CAUTIOUS
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, MARCH
from simkit.rules.options import EDITIONS

GRINGO = "gringo"
UNION, CONFEDERATE = 0, 1


def brigade(field, edition, die=4, profile=AGGRESSIVE, enemy="A1003", stray="A0308"):
    """A brigade that tries to change from Attack to Advance Orders, a unit of it out of its leader's range."""
    f = field(24, 10)
    f.own = f.battle.brigades[UNION]
    f.leader("Hackenbush", "A0303", command_range=2, profile=profile)
    f.near = f.unit("near", "A0303", "E", orders=ADVANCE)
    f.stray = f.unit("stray", stray, "E", orders=ADVANCE)
    f.enemy = f.unit("enemy", enemy, "W", side=CONFEDERATE)
    f.answers[UNION]["change_orders"] = [ATTACK]
    f.play([("orders", die)], options={"edition": edition})
    f.battle.phasing = UNION
    f.series.orders.change_phase([f.own])
    return f


# -- 6.23, 6.24 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_23_a_stand_binds_all_units_only_by_gringo(field, edition):
    f = brigade(field, edition, die=1)
    assert f.near.stands
    assert f.stray.stands is (edition == GRINGO)


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_21_4_23_a_change_reaches_those_in_command_by_every_wording(field, edition):
    f = brigade(field, edition, die=5)
    assert (f.near.orders, f.stray.orders) == (ATTACK, ADVANCE)
    assert f.stray.stands is (edition == GRINGO)


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_24_a_cautious_one_takes_all_units_back_only_by_gringo(field, edition):
    f = brigade(field, edition, profile=CAUTIOUS, enemy="A0803")
    places = [(unit, unit.hex.distance_to(f.enemy.hex)) for unit in (f.near, f.stray)]
    f.series.activation.brigade([f.own])
    gone = [unit.hex.distance_to(f.enemy.hex) - before for unit, before in places]
    assert gone == [1, 1 if edition == GRINGO else 0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_24_a_unit_out_of_command_near_the_enemy_counts_only_by_gringo(field, edition):
    f = brigade(field, edition, enemy="A0608")
    # the stray is two hexes from one beside the enemy, the unit with the brigadier is not within three movement points
    assert f.series.orders.loose.within_charge(f.stray)
    assert not f.series.orders.loose.within_charge(f.near)
    assert f.own.orders == (ATTACK if edition == GRINGO else ADVANCE)
    assert f.stray.forced == (1 if edition == GRINGO else 0)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("distant", [True, False])
def test_6_24_who_begins_far_from_the_enemy_charges_but_by_gringo(field, edition, distant):
    """A second unit, four movement points from the hexes beside the enemy or near, goes with the first.

    Gringo! lets it move as far as it can and not shock; the newer books let any that can come up charge too.
    """
    f = field(24, 10)
    f.own = f.battle.brigades[UNION]
    f.leader("Hackenbush", "A0503", command_range=6, profile=AGGRESSIVE)
    first = f.unit("first", "A0503", "E", orders=ADVANCE, movement=6)
    second = f.unit("second", "A0303" if distant else "A0504", "E", orders=ADVANCE, movement=8)
    f.unit("enemy", "A0803", "W", side=CONFEDERATE, strength=3)
    f.answers[UNION]["change_orders"] = [ATTACK]
    f.play([("orders", 4)], options={"edition": edition})
    f.battle.phasing = UNION
    f.series.orders.change_phase([f.own])
    loose = f.series.orders.loose
    assert f.own.orders == ATTACK
    assert loose.within_charge(second) is not distant
    asked = []
    f.answers[UNION]["charge_to"] = [lambda series, unit, places: asked.append(unit.name) or 0] * 2
    f.begin(first)
    for unit in (first, second):
        unit.forced = 1
    loose.run(f.own)
    assert "first" in asked
    assert ("second" in asked) is (not distant or edition != GRINGO)
    assert not f.series.fire.may_fire(second)
    assert second.moved


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_24_a_disordered_unit_never_comes_beside_the_enemy_under_a_loose_cannon(field, edition):
    f = field(24, 10)
    f.own = f.battle.brigades[UNION]
    f.leader("Hackenbush", "A0503", command_range=6, profile=AGGRESSIVE)
    f.unit("first", "A0503", "E", orders=ADVANCE)
    shaken = f.unit("shaken", "A0504", "E", orders=ADVANCE, disordered=True)
    f.unit("enemy", "A0903", "W", side=CONFEDERATE)
    f.answers[UNION]["change_orders"] = [ATTACK]
    f.play([("orders", 4)], options={"edition": edition})
    f.battle.phasing = UNION
    f.series.orders.change_phase([f.own])
    f.begin(shaken)
    shaken.forced = 1
    f.series.orders.loose.run(f.own)
    assert shaken.moved
    assert not f.battle.beside_enemy(shaken)


# -- 6.13 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_6_13_what_gringo_does_not_forbid_on_the_march(field, edition):
    f = field(12, 6)
    own = f.unit("22 IN", "A0303", "N", orders=MARCH)
    own.ammo = 1
    own.disordered = True
    f.play(options={"edition": edition})
    f.begin(own)
    may = edition == GRINGO
    assert not f.series.effectiveness.may_rally(own)
    assert f.series.effectiveness.may_resupply(own) is may
    assert f.series.retreat.may_advance(own, f.hex("A0302")) is may
    assert f.series.orders.may_continue_shock(own) is may
    if may:
        f.series.effectiveness.resupply(own)
        assert own.ammo == 0


# -- 5.34 --------------------------------------------------------------------------------------------------------------


def division(field, edition, faces):
    """Two brigades of foot and one of guns, their leaders in the range of the division's."""
    f = field(24, 10)
    f.own = f.battle.divisions[UNION]
    f.leader("Corps", "A0206", f.battle.corps[UNION], command_range=40)
    f.leader("Smith", "A0306", f.own, command_range=12, coordination=0)
    f.brigades = [f.battle.brigades[UNION], f.brigade("2/1/U"), f.brigade("A/1/U")]
    for number, own in enumerate(f.brigades):
        place = f"A0{number + 4}0{number * 2 + 1}"
        f.leader(f"Brigade {number}", place, own, command_range=10, profile=CAUTIOUS)
        f.unit(f"{number} IL", place, brigade=own, kind=ARTILLERY if number == 2 else 0)
    f.unit("enemy", "A1103", "W", side=CONFEDERATE)
    f.play(list(faces), options={"edition": edition})
    f.series.activation.begin_turn()
    f.series.command.determine()
    f.own.markers = 1
    f.answers[UNION]["coordinate"] = [True]
    return f


def marker_of(f):
    f.series.activation.fill_pool()
    return next(m for m in f.battle.pool if m.kind == DIVISION_MARKER and m.command is f.own)


@pytest.mark.parametrize("edition", EDITIONS)
def test_5_34_brigades_of_guns_coordinate_only_by_gringo(field, edition):
    f = division(field, edition, [("coordination", 4)])
    offered = []
    f.answers[UNION]["coordinate"] = [lambda series, command, found: offered.extend(b.code for b in found) or True]
    f.series.activation.activate(marker_of(f))
    assert offered == ["1/1/U", "2/1/U"] + (["A/1/U"] if edition == GRINGO else [])


@pytest.mark.parametrize("edition", EDITIONS)
def test_5_34_confusion_comes_before_a_loose_cannon_only_by_gringo(field, edition):
    """The first brigadier, cautious, is a loose cannon; guns and the second brigade then fail to act together."""
    f = division(field, edition, [("orders", 4), ("coordination", 0)])
    extra = f.brigade("3/1/U")
    assert extra in f.battle.brigades
    f.answers[UNION]["change_orders"] = [ATTACK]
    own = f.brigades[0].units[0]
    before = own.hex
    confused = []
    f.answers[UNION]["act"] = [
        lambda series, brigades: confused.append((brigades[0].code, brigades[0].confused)) for _ in range(3)
    ]
    if edition != GRINGO:  # only one brigade of foot is left to coordinate: the guns don't count
        f.answers[UNION]["coordinate"] = [True]
    f.series.activation.activate(marker_of(f))
    if edition == GRINGO:
        assert dict(confused) == {"1/1/U": True, "2/1/U": True, "A/1/U": True}
        assert own.hex is before
    else:
        assert dict(confused)["1/1/U"] is False
        assert own.hex is not before
    assert f.brigades[0].orders == ADVANCE


# -- 13.4 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_13_43_a_leader_who_helped_a_rally_takes_part_in_shock_only_by_gringo(field, edition):
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", cohesion_disordered=4, disordered=True)
    leader = f.leader("Brigade", "A0404", profile=AGGRESSIVE)
    f.play([("rally", 5)], options={"edition": edition})
    f.begin(own)
    assert f.series.effectiveness.rally(own)
    assert (leader.affected_rally, f.series.movement.leader_may_move(leader)) == (True, False)
    f.battle.phase = PHASE_SHOCK
    assert f.series.command.stars(own) == (1 if edition == GRINGO else 0)
    assert f.series.shock.with_aggressive_brigadier(own) is (edition == GRINGO)


@pytest.mark.parametrize("edition", EDITIONS)
def test_13_41_a_unit_rallied_in_a_stack_of_others_turns_but_by_gringo(field, edition):
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", "E", cohesion_disordered=6, disordered=True)
    f.unit("59 IL", "A0404", "E")
    f.play([("rally", 0)], options={"edition": edition})
    f.begin(own)
    f.series.effectiveness.rally(own)
    assert ("heading_after" in f.asked[UNION]) is (edition != GRINGO)


def test_13_41_stacked_units_that_all_rally_turn_by_gringo_too(field):
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", "E", cohesion_disordered=6, disordered=True)
    other = f.unit("59 IL", "A0404", "E", cohesion_disordered=6, disordered=True)
    f.play([("rally", 0), ("rally", 0)], options={"edition": GRINGO})
    f.begin(own)
    f.answers[UNION]["heading_after"] = [1]
    f.series.effectiveness.rally(own)
    f.series.effectiveness.rally(other)
    assert own.heading == other.heading == 5
