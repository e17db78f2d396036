"""Chapter 13: rally, resupply, automatic rally, and combat effectiveness."""

import pytest

from simkit.model.forces import ARTILLERY, CAVALRY, ELIMINATED, MARCH, NOT_ENTERED, ROUTED
from simkit.rules.commander import CommanderError

UNION, CONFEDERATE = 0, 1


def shaken(field, faces, cohesion=5, strength=5, full=None, **more):
    """A Disordered unit whose Disordered Cohesion Rating is `cohesion`, in its brigade's activation."""
    f = field(12, 8)
    f.own = f.unit(
        "22 IN", "A0404", strength=strength, full=full, cohesion=cohesion + 1, cohesion_disordered=cohesion,
        disordered=True, **more,
    )
    f.play([("rally", face) for face in faces])
    f.begin(f.own)
    return f


# -- rally -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "rallied", "lost"), [(4, True, 0), (5, True, 0), (6, False, 0), (8, False, 0), (9, False, 1)]
)
def test_example_13_41_a_rating_of_five(field, die, rallied, lost):
    """13.41, dead-of-winter:1987, into-the-woods:1930: 4 rallies, 8 does not, 9 costs a strength point."""
    f = shaken(field, [die])
    assert f.series.effectiveness.rally(f.own) is rallied
    assert f.own.disordered is not rallied
    assert (f.own.strength, f.own.lost_rally) == (5 - lost, lost)


@pytest.mark.parametrize(
    ("die", "rallied", "lost"), [(4, True, 0), (5, False, 0), (7, False, 0), (8, False, 1), (9, False, 1)]
)
def test_example_13_41_a_rating_of_four(field, die, rallied, lost):
    """13.41, dead-of-winter:1993, into-the-woods:1932: 4 rallies, 5 does not, 8 (twice the rating) costs a point."""
    f = shaken(field, [die], cohesion=4)
    assert f.series.effectiveness.rally(f.own) is rallied
    assert (f.own.disordered, f.own.strength) == (not rallied, 5 - lost)


@pytest.mark.parametrize(("die", "corps", "rallied"), [(7, True, True), (8, True, False), (7, False, False)])
def test_example_11_73_a_corps_commander_takes_three_off_a_rally_roll(field, die, corps, rallied):
    """11.73, 13.42, dead-of-winter:1736: three stars make a DRM of -3."""
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", cohesion_disordered=4, disordered=True)
    f.leader("Corps", "A0404" if corps else "A0405", f.battle.corps[UNION])
    f.play([("rally", die)])
    f.begin(own)
    assert f.series.effectiveness.rally(own) is rallied


@pytest.mark.parametrize(
    ("enemy", "mounted", "drm"), [(False, False, 0), (True, False, 1), (False, True, -1), (True, True, 0)]
)
def test_13_42_rally_modifiers(field, enemy, mounted, drm):
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", kind=CAVALRY if mounted else 0, disordered=True)
    f.unit("1 TN", "A0503" if enemy else "A0903", "W", side=CONFEDERATE)
    f.play()
    assert f.series.effectiveness.rally_modifier(own) == drm


def test_13_41_modifiers_count_for_the_loss_too(field):
    f = shaken(field, [8])
    f.unit("1 TN", "A0503", "W", side=CONFEDERATE)
    assert not f.series.effectiveness.rally(f.own)
    assert f.own.strength == 4


def test_13_41_the_last_point_may_be_lost_by_a_rally(field):
    f = shaken(field, [9], strength=1)
    f.series.effectiveness.rally(f.own)
    assert (f.own.place, f.own.lost_rally) == (ELIMINATED, 1)


def test_13_41_12_23_a_rally_may_bring_a_unit_below_half(field):
    f = shaken(field, [9], strength=4, full=8)
    f.series.effectiveness.rally(f.own)
    assert (f.own.strength, f.own.collapsed, f.own.disordered) == (3, True, True)


def test_13_43_a_leader_who_helps_neither_moves_nor_helps_unasked(field):
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", cohesion_disordered=4, disordered=True)
    leader = f.leader("Brigade", "A0404")
    f.play([("rally", 5)])
    f.begin(own)
    assert f.series.movement.leader_may_move(leader)
    assert f.series.effectiveness.rally(own)
    assert (leader.affected_rally, f.series.movement.leader_may_move(leader)) == (True, False)


def test_13_43_the_owner_may_do_without_the_leader(field):
    f = field(12, 8)
    own = f.unit("22 IN", "A0404", cohesion_disordered=4, disordered=True)
    leader = f.leader("Brigade", "A0404")
    f.answers[UNION]["leader_helps_rally"] = [False]
    f.play([("rally", 5)])
    f.begin(own)
    assert not f.series.effectiveness.rally(own)
    assert f.series.movement.leader_may_move(leader)


@pytest.mark.parametrize("spoiler", [
    "moved", "fired", "restacked", "finished", "shocked", "rallied", "collapsed", "blown", "inactive", "turned",
    "march", "forced", "good",
])  # fmt: skip
def test_13_4_who_may_not_rally(field, spoiler):
    f = shaken(field, [])
    if spoiler == "inactive":
        f.own.active = False
    elif spoiler == "turned":
        f.own.faced = 1
    elif spoiler == "march":
        f.own.orders = MARCH
    elif spoiler == "forced":
        f.own.forced = 2
    elif spoiler == "good":
        f.own.disordered = False
    else:
        assert f.series.effectiveness.may_rally(f.own)
        setattr(f.own, spoiler, True)
    assert not f.series.effectiveness.may_rally(f.own)
    with pytest.raises(CommanderError, match=r"Effectiveness\.rally"):
        f.series.effectiveness.rally(f.own)


def test_13_4_whoever_rallies_does_nothing_else(field):
    f = shaken(field, [0])
    f.unit("1 TN", "A0503", "W", side=CONFEDERATE)
    f.series.effectiveness.rally(f.own)
    assert not f.series.movement.may_move(f.own)
    assert not f.series.fire.may_fire(f.own)
    assert not f.series.shock.may_shock(f.own)


def test_13_41_7_25_a_rallied_unit_may_turn_a_vertex(field):
    f = shaken(field, [0])
    heading = f.own.heading
    f.answers[UNION]["heading_after"] = [1]
    f.series.effectiveness.rally(f.own)
    assert f.own.heading == (heading + 2) % 12


def test_13_41_one_that_stays_disordered_may_not(field):
    f = shaken(field, [8])
    f.series.effectiveness.rally(f.own)
    assert "heading_after" not in f.asked[UNION]


@pytest.mark.parametrize(("second", "turns"), [(0, True), (7, False)])
def test_13_41_stacked_units_turn_only_if_all_rally(field, second, turns):
    f = shaken(field, [0, second])
    other = f.unit("59 IL", "A0404", disordered=True, cohesion_disordered=5)
    f.begin(f.own)
    heading = f.own.heading
    f.answers[UNION]["heading_after"] = [2]
    f.series.effectiveness.rally(f.own)
    assert f.own.heading == heading
    f.series.effectiveness.rally(other)
    assert (f.own.heading, other.heading) == ((heading + 10) % 12 if turns else heading,) * 2


def test_13_41_nor_if_another_of_the_stack_has_moved(field):
    f = shaken(field, [0])
    other = f.unit("59 IL", "A0404")
    f.begin(f.own)
    other.fired = True
    f.series.effectiveness.rally(f.own)
    assert "heading_after" not in f.asked[UNION]


def test_12_81_a_rally_in_the_hex_brings_the_crew_of_abandoned_guns_back(field):
    f = shaken(field, [0])
    guns = f.unit("Bty", "A0404", kind=ARTILLERY, brigade=f.brigade("2/1/U"))
    f.battle.abandon(guns, 1)
    f.answers[UNION]["act"] = [lambda series, brigades: series.effectiveness.rally(f.own)]
    f.series.activation.brigade([f.own.command])
    assert (guns.abandoned, guns.disordered, guns.heading) == (0, True, f.own.heading)


# -- resupply --------------------------------------------------------------------------------------------------------


def battery(field, ammo=2, enemy="A0903"):
    f = field(12, 8)
    f.guns = f.unit("Bty", "A0404", kind=ARTILLERY)
    f.guns.ammo = ammo
    f.unit("1 TN", enemy, "W", side=CONFEDERATE)
    f.play()
    f.begin(f.guns)
    return f


def test_10_92_guns_make_good_one_level_of_ammunition_an_activation(field):
    f = battery(field)
    f.series.effectiveness.resupply(f.guns)
    assert f.guns.ammo == 1
    assert not f.series.effectiveness.may_resupply(f.guns)
    f.begin(f.guns)
    f.series.effectiveness.resupply(f.guns)
    assert f.guns.ammo == 0


@pytest.mark.parametrize("spoiler", ["adjacent", "full", "moved", "fired", "march"])
def test_10_92_10_93_who_may_not_resupply(field, spoiler):
    f = battery(field, ammo=0 if spoiler == "full" else 1, enemy="A0503" if spoiler == "adjacent" else "A0903")
    unit = f.guns
    if spoiler in ("moved", "fired"):
        setattr(unit, spoiler, True)
    elif spoiler == "march":
        unit.orders = MARCH
    assert not f.series.effectiveness.may_resupply(unit)
    with pytest.raises(CommanderError, match="resupply"):
        f.series.effectiveness.resupply(unit)


def test_13_4_10_92_a_battery_may_rally_and_resupply_and_turns_once(field):
    f = battery(field)
    f.guns.disordered = True
    f.roll(("rally", 0))
    f.answers[UNION]["heading_after"] = [1, 1]
    heading = f.guns.heading
    f.series.effectiveness.resupply(f.guns)
    assert f.guns.heading == heading
    assert f.series.effectiveness.rally(f.guns)
    assert (f.guns.heading, f.guns.ammo) == ((heading + 2) % 12, 1)


def test_10_92_no_turn_after_resupply_if_the_rally_failed(field):
    f = battery(field)
    f.guns.disordered = True
    f.roll(("rally", 8))
    f.series.effectiveness.rally(f.guns)
    f.series.effectiveness.resupply(f.guns)
    assert "heading_after" not in f.asked[UNION]


# -- automatic rally -------------------------------------------------------------------------------------------------


def idle_brigade(field):
    f = field(16, 8)
    f.leader("Brigade", "A0404", command_range=2)
    f.near = f.unit("22 IN", "A0404", disordered=True)
    f.far = f.unit("59 IL", "A1204", disordered=True)
    f.guns = f.unit("Bty", "A0405", kind=ARTILLERY, disordered=True)
    f.enemy = f.unit("1 TN", "A1604", "W", side=CONFEDERATE, disordered=True)
    return f.play()


def test_13_45_an_idle_brigade_rallies_its_units_in_range(field):
    f = idle_brigade(field)
    f.series.effectiveness.automatic_rally()
    assert [u.disordered for u in (f.near, f.far, f.guns, f.enemy)] == [False, True, False, True]
    assert f.dice.asked == []


@pytest.mark.parametrize("deed", ["moved", "fired", "shocked", "shock_target"])
def test_13_45_whoever_acted_has_no_automatic_rally(field, deed):
    f = idle_brigade(field)
    f.answers[UNION]["act"] = [lambda series, brigades: setattr(f.far, deed, True)]
    f.battle.phasing = UNION
    f.series.activation.brigade([f.near.command])
    f.series.effectiveness.automatic_rally()
    assert f.near.disordered


@pytest.mark.parametrize("deed", ["moved", "fired", "retreated", "faced"])
def test_13_45_guns_and_turns_and_retreats_do_not_count(field, deed):
    f = idle_brigade(field)
    unit = f.guns if deed in ("moved", "fired") else f.near
    f.answers[UNION]["act"] = [lambda series, brigades: setattr(unit, deed, 1 if deed == "faced" else True)]
    f.battle.phasing = UNION
    f.series.activation.brigade([f.near.command])
    f.series.effectiveness.automatic_rally()
    assert not f.near.disordered


def test_13_45_an_artillery_brigade_must_have_stood_idle_itself(field):
    f = field(8, 8)
    own = f.brigade("Art/U")
    f.leader("Chief", "A0404", own)
    guns = f.unit("Bty", "A0404", kind=ARTILLERY, brigade=own, disordered=True)
    other = f.unit("Bty 2", "A0405", kind=ARTILLERY, brigade=own)
    f.play()
    other.turn_acted = True
    f.series.effectiveness.automatic_rally()
    assert guns.disordered
    other.turn_acted = False
    f.series.effectiveness.automatic_rally()
    assert not guns.disordered


def test_13_45_collapsed_units_do_not_rally_and_unbrigaded_ones_look_after_themselves(field):
    f = field(8, 8)
    f.leader("Corps", "A0404", f.battle.corps[UNION])
    escort = f.unit("Escort", "A0404", brigade=f.battle.corps[UNION], disordered=True)
    busy = f.unit("Guard", "A0405", brigade=f.battle.corps[UNION], disordered=True)
    f.leader("Brigade", "A0406")
    wreck = f.unit("22 IN", "A0406", strength=2, full=8, disordered=True)
    f.play()
    wreck.collapsed = True
    busy.turn_acted = True
    f.series.effectiveness.automatic_rally()
    assert [u.disordered for u in (escort, busy, wreck)] == [False, True, True]


# -- combat effectiveness --------------------------------------------------------------------------------------------


def regiments(field, states):
    """A brigade with a battery in good order and regiments in these states."""
    f = field(16, 8)
    f.guns = f.unit("Bty", "A0101", kind=ARTILLERY)
    f.own = f.battle.brigades[UNION]
    f.leader("Brigade", "A0102")
    for number, state in enumerate(states):
        unit = f.unit(f"{number} IL", f"A{number + 2:02d}04", strength=2 if state == "collapsed" else 5, full=5)
        if state in ("disordered", "collapsed"):
            unit.disordered = True
            unit.collapsed = state == "collapsed"
        elif state in ("routed", "eliminated", "not entered"):
            f.battle.remove(unit, {"routed": ROUTED, "eliminated": ELIMINATED, "not entered": NOT_ENTERED}[state])
    return f.play()


@pytest.mark.parametrize(
    ("states", "ineffective"),
    [
        (["good", "good", "good"], False),
        (["disordered", "disordered", "disordered"], True),
        (["disordered", "disordered", "good"], False),
        (["routed", "disordered", "collapsed"], True),
        (["routed", "collapsed", "good"], True),
        (["routed", "collapsed", "good", "good"], False),
        (["eliminated", "routed", "collapsed", "good", "good"], True),
        (["disordered", "disordered", "not entered"], True),
        (["routed", "not entered", "not entered", "good"], False),
        (["not entered", "not entered"], False),
    ],
)
def test_13_21_when_a_brigade_is_combat_ineffective(field, states, ineffective):
    f = regiments(field, states)
    f.series.effectiveness.check_commands()
    assert f.own.ineffective is ineffective


def test_13_22_a_brigade_recovers_when_enough_units_do(field):
    f = regiments(field, ["disordered", "disordered"])
    f.series.effectiveness.check_commands()
    f.own.units[1].disordered = False
    f.series.effectiveness.check_commands()
    assert not f.own.ineffective
    assert [(e.unit, e.result) for e in f.events("ineffective") if e.unit == "1/1/U"] == [
        ("1/1/U", "ineffective"), ("1/1/U", "effective"),
    ]


def test_13_24_artillery_brigades_are_never_ineffective(field):
    f = field(8, 8)
    own = f.brigade("Art/U")
    f.unit("Bty", "A0404", kind=ARTILLERY, brigade=own, disordered=True)
    f.play()
    f.series.effectiveness.check_commands()
    assert not own.ineffective


@pytest.mark.parametrize(
    ("brigades", "before", "after"),
    [
        ((True, True, False), False, True),
        ((True, False, False), False, False),
        ((True, False), False, False),
        ((True, False), True, True),
        ((True, False, False), True, False),
        ((True, True, True), True, True),
        ((False, False), True, False),
    ],
)
def test_13_31_13_33_a_division_is_ineffective_by_the_majority_of_its_brigades(field, brigades, before, after):
    f = field(16, 8)
    division = f.battle.divisions[UNION]
    for number, broken in enumerate(brigades):
        own = f.battle.brigades[UNION] if number == 0 else f.brigade(f"{number + 1}/1/U")
        f.leader(f"Brigade {number}", "A0102", own)
        f.unit(f"{number} IL", f"A{number + 2:02d}04", brigade=own, disordered=broken)
    artillery = f.brigade("Art/U")
    f.unit("Bty", "A0101", kind=ARTILLERY, brigade=artillery, disordered=True)
    f.play()
    division.ineffective = before
    f.series.effectiveness.check_commands()
    assert division.ineffective is after


def test_13_31_an_escort_is_no_brigade(field):
    f = field(16, 8)
    f.leader("Brigade", "A0202")
    f.unit("1 IL", "A0202", disordered=True)
    escort = f.brigade("Escort")
    f.unit("Escort", "A0404", brigade=escort, disordered=True)
    f.play()
    f.series.effectiveness.check_commands()
    assert not escort.ineffective
    assert f.battle.divisions[UNION].ineffective


def test_13_44_rally_is_voluntary(field):
    """13.44: a unit whose owner does not rally it stays as it is, without a roll."""
    f = shaken(field, [])
    assert f.series.effectiveness.may_rally(f.own)
    f.begin(f.own)
    assert f.own.disordered and not f.own.rallied and f.dice.asked == []
