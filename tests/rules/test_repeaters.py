"""Rule 14.3: Spencer repeaters: who fires twice, in which order all shots fall, jams; all with scripted dice."""

import pytest

from simkit.commanders.heuristic import HeuristicCommander
from simkit.model.forces import ARTILLERY, ATTACK, CAVALRY, ELIMINATED, EXTENDED_LINE, REFUSED_LEFT, ROUTED
from simkit.model.hexgrid import HEADING_NAMES
from simkit.report.story import Storyteller
from simkit.rules.commander import Aim, CommanderError
from simkit.rules.shockinprogress import Attacker, ShockInProgress
from simkit.scenario.doctrines import doctrine

# On these maps A0303 facing E has A0403 and A0404 in front; A0403 facing W has A0302 and A0303, and A0404 has A0303
# and A0304.

MISS = ("fire", 0)  # no effect on the Fire Table at the modifiers of these tests
FAIL = ("cohesion", 9)
PASS = ("cohesion", 0)


def duel(field, mine="SR", theirs="R", mine_sp=5, their_sp=5, options=None, dice=(), **more):
    """Two regiments face to face, the first one phasing."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=mine_sp, weapon=mine, **more)
    b = f.unit("B", "A0403", "W", strength=their_sp, side=1, weapon=theirs)
    f.play(dice, options=options)
    f.begin(a)
    return f, a, b


def face(f, points, drm, *texts):
    """A face of the die that gives one of these results to a fire of so many points, and is no 5 or 0."""
    for die in (9, 8, 7, 6, 4, 3, 2, 1):
        if f.charts.fire_table.result(points, die + drm).text in texts:
            return ("fire", die)
    raise AssertionError(f"no face gives {texts} to {points} SP at {drm:+d}")


def shots(f):
    """Who fired at what, in the order rolled, with the results applied between: told by the log."""
    return [event.unit[2:] if event.kind == "fire" else event.kind for event in f.events("fire", "disorder", "second")]


def fires(f):
    return [(event.unit[2:], event.mode, event.sp) for event in f.events("fire")]


def no_return(f, side=1):
    f.answers[side]["return_fire"] = [0] * 9


# -- who fires twice ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "state", "twice"),
    [
        ("SR", "", True),
        ("SC", "", True),
        ("R", "", False),
        ("C", "", False),
        ("SR", "disordered", False),
        ("SC", "mounted", False),
        ("SC", "dismounted", True),
    ],
)
def test_14_3_units_in_good_order_on_foot_fire_twice(field, weapon, state, twice):
    """14.3, 14.31, 10.31: Spencers in Good Order fire twice; mounted or disordered they fire as any small arms."""
    f = field(8, 8)
    kind = CAVALRY if "mounted" in state else 0
    a = f.unit("A", "A0303", "E", strength=3, weapon=weapon, kind=kind, mounted=state == "mounted")
    b = f.unit("B", "A0403", "W", strength=5, side=1)
    a.disordered = state == "disordered"
    f.play([MISS] * (2 if twice else 1))
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("a", "phasing", 3)] * (2 if twice else 1)
    assert f.dice.used_up() and not f.series.fire.may_fire(a)
    assert [event.unit for event in f.events("repeat")] == ["u/a"] * twice


def test_14_3_the_second_shot_goes_to_the_same_hex_though_nobody_is_left(field):
    """14.3, 14.31: both shots target the same hex, even if no enemy is left in it; the die may still jam."""
    f, a, b = duel(field, their_sp=1, dice=[("fire", 9), ("fire", 5)])
    no_return(f)
    f.unit("C", "A0404", "W", side=1)
    f.series.fire.phasing(a, [b.hex], False)
    assert b.place == ELIMINATED and [event.unit for event in f.events("fire")] == ["u/a"]
    (vain,) = f.events("vain")
    assert (vain.target_hex, vain.roll, a.ammo) == ("A0403", 5, 2)


def test_14_3_the_second_shot_strikes_whoever_remains_in_the_hex(field):
    """14.3, 14.31: both shots target the hex: once the top unit is gone, the one beneath it."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", weapon="SR")
    b = f.unit("B", "A0403", "W", strength=1, side=1)
    c = f.unit("C", "A0403", "W", side=1)
    f.play([("fire", 9), PASS, MISS])
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert b.place == ELIMINATED and [event.target for event in f.events("fire")] == ["c/b", c.id]


# -- 14.31: phasing Spencers -------------------------------------------------------------------------------------------


def test_14_31_the_enemy_answers_between_the_two_shots(field):
    """14.31: fire, results; return fire, results; fire again."""
    f, a, b = duel(field)
    f.roll(face(f, 5, 1, "d+2"), FAIL, face(f, 5, -1, "d+2"), FAIL, MISS)
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "disorder", "b", "disorder", "a"]
    first, answer, second = f.events("fire")
    # each is fired in the state that the results before it have left
    assert (first.drms, answer.drms, second.drms) == ("prepared +1", "disordered -1", "disordered -1")
    assert f.dice.used_up()


def test_14_31_the_second_shot_comes_whether_or_not_there_was_return_fire(field):
    f, a, b = duel(field, dice=[MISS, MISS])
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "a"]


def test_14_31_a_second_disorder_between_the_shots_forbids_the_other(field):
    """14.3, 14.31: two answers disorder it twice: no second shot."""
    f, a, b = duel(field)
    f.unit("C", "A0302", "SSE", side=1)
    f.roll(MISS, face(f, 5, 1, "d+2"), FAIL, face(f, 5, 2, "d+2"), FAIL)
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "b", "disorder", "c", "second"]
    assert a.second_disorders == 1 and a.finished and f.dice.used_up()


def test_14_3_a_second_disorder_forbids_the_other_shot_to_who_stays_in_his_hex_too(field):
    """14.3, 14.31: whoever cannot retreat after a 2nd Disorder and stays has none all the same; after a 1st he has."""
    f, a, _b = duel(field)
    for disorders, again in ((0, [a.parts[0]]), (1, [])):
        second = f.series.fire.second_round(a.parts, [5])
        a.second_disorders += disorders
        a.disordered = True
        assert f.series.fire.fit(second)[0] == again
        a.disordered = False


def test_14_31_one_that_routs_between_the_shots_fires_no_more(field):
    """14.31, 12.23: a collapsed unit that loses a point and routs leaves nobody to fire."""
    f, a, b = duel(field, mine_sp=4)
    c = f.unit("C", "A0302", "SSE", side=1)
    a.full = 8
    f.roll(MISS, face(f, 5, 1, "1d+2"), PASS, face(f, 5, 2, "1d+2"), PASS, FAIL)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.place == ROUTED and [name for name, _, _ in fires(f)] == ["a", "b", "c"]
    assert c.counts() and f.dice.used_up()


def test_14_31_points_lost_between_the_shots_are_missing_in_the_second(field):
    """14.31, 10.15: the result of the return fire counts before the second shot."""
    f, a, b = duel(field, mine_sp=7, their_sp=7, dice=[MISS, ("fire", 7), PASS, MISS])
    f.series.fire.phasing(a, [b.hex], False)
    assert a.strength == 6 and fires(f) == [("a", "phasing", 7), ("b", "return", 7), ("a", "phasing", 6)]


def test_14_31_what_the_hex_fires_is_not_less_for_the_loss_of_points_that_did_not_fire(field):
    """8.31, 14.31: of nine points seven fire, and seven again when one has fallen."""
    f, a, b = duel(field, mine_sp=9, their_sp=7, dice=[MISS, ("fire", 7), PASS, MISS])
    f.series.fire.phasing(a, [b.hex], False)
    assert a.strength == 8 and [sp for _, _, sp in fires(f)] == [7, 7, 7]


def test_14_31_return_fire_is_declared_once_the_first_results_are_known(field):
    """14.31, 10.65: who has been driven off or is gone does not answer."""
    f, a, b = duel(field, their_sp=1, dice=[("fire", 9), MISS])
    f.series.fire.phasing(a, [b.hex], False)
    assert "return_fire" not in f.asked[1] and b.place == ELIMINATED


def test_14_31_10_15_a_split_fire_is_split_again(field):
    """14.31, 10.15: both targets get a first shot, both answer, both get a second one."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=5, orders=ATTACK, weapon="SR")
    f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0404", "W", side=1)
    f.play([MISS, MISS, face(f, 5, 1, "1d+2"), PASS, MISS, MISS, MISS])
    f.begin(a)
    f.series.fire.phasing(a, [f.hex("A0403"), f.hex("A0404")], False)
    assert fires(f) == [
        ("a", "phasing", 3), ("a", "phasing", 2), ("b", "return", 5), ("c", "return", 5),
        ("a", "phasing", 2), ("a", "phasing", 2),
    ]  # fmt: skip
    assert a.strength == 4


def test_14_31_8_45_the_parts_of_a_line_fire_their_second_round_together(field):
    """8.45, 14.31: a line at two hexes: both fires, the answers, both second rounds."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=8, weapon="SR", orders=ATTACK)
    f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0405", "W", side=1)
    f.battle.add_part(a, f.hex("A0304"), 0, EXTENDED_LINE)
    f.play([MISS] * 6)
    f.begin(a)
    parts = a.parts
    f.series.fire.phasing_parts(a, [Aim([parts[0]], [f.hex("A0403")]), Aim([parts[1]], [f.hex("A0405")])])
    assert [name for name, _, _ in fires(f)] == ["a", "a", "b", "c", "a", "a"]
    assert [sp for name, _, sp in fires(f) if name == "a"] == [4, 4, 4, 4]


# -- 14.32, 14.34: Spencers that return fire ---------------------------------------------------------------------------


def test_14_32_the_first_answer_is_simultaneous_and_a_second_follows(field):
    """14.32: both fire, results; then the second round of return fire."""
    f, a, b = duel(field, mine="R", theirs="SR")
    f.roll(face(f, 5, 1, "d+2"), face(f, 5, 1, "d+2"), FAIL, FAIL, MISS)
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "b", "disorder", "disorder", "b"]
    first, answer, second = f.events("fire")
    assert (first.drms, answer.drms, second.drms) == ("prepared +1", "prepared +1", "disordered -1")
    assert f.dice.used_up()


def beneath_a_broken_regiment(field):
    """Spencers under a disordered regiment that is fired at, and that the scripted dice rout."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    t = f.unit("T", "A0403", "W", side=1, strength=4, full=9, disordered=True)
    t.collapsed = True
    b = f.unit("B", "A0403", "W", side=1, weapon="SR", strength=5)
    f.play()
    f.begin(a)
    f.answers[1]["return_fire"] = [0, 3]
    return f, a, b


def test_14_32_no_second_round_after_a_second_disorder(field):
    """14.3, 14.32: disordered with the top of its stack, and again by that unit's rout, it does not fire again."""
    f, a, b = beneath_a_broken_regiment(field)
    f.roll(face(f, 5, 1, "1d+2"), MISS, FAIL, FAIL, FAIL, FAIL, PASS)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("a", "phasing", 5), ("b", "return", 3)]
    assert b.disordered and b.second_disorders == 1 and b.counts() and f.events("repeat") == []


def test_14_32_disordered_once_they_fire_again(field):
    """14.32: the check after the rout is passed: one disorder only, and the second round comes."""
    f, a, b = beneath_a_broken_regiment(field)
    f.roll(face(f, 5, 1, "1d+2"), MISS, FAIL, FAIL, FAIL, PASS, MISS)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("a", "phasing", 5), ("b", "return", 3), ("b", "return", 3)]
    assert b.disordered and b.second_disorders == 0


def test_14_32_disordered_before_it_answers_it_fires_once(field):
    """14.3, 14.32: Good Order counts before the first shot."""
    f, a, b = duel(field, mine="R", theirs="SR", dice=[MISS, MISS])
    b.disordered = True
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "b"]


def outflanked(field, mine, theirs):
    """A target that faces away by a vertex, and turns to whoever has fired at it."""
    f, a, b = duel(field, mine=mine, theirs=theirs)
    b.heading = HEADING_NAMES.index("NNW")

    def to_the_west(series, unit, enemy, headings):
        return headings.index(HEADING_NAMES.index("W"))

    f.answers[1]["reaction_facing"] = [to_the_west]
    return f, a, b


def test_14_32_after_a_reaction_both_rounds_follow_all_results(field):
    """14.32 exception, 9.61: fired at from outside its front it turns, then answers with both rounds."""
    f, a, b = outflanked(field, "R", "SR")
    f.roll(MISS, PASS, MISS, MISS)
    f.series.fire.phasing(a, [b.hex], False)
    kinds = [event.kind for event in f.events("fire", "reaction", "repeat")]
    assert kinds == ["fire", "reaction", "fire", "repeat", "fire"]
    assert [name for name, _, _ in fires(f)] == ["a", "b", "b"]


def test_14_31_9_61_the_target_reacts_after_both_shots(field):
    """9.61, 14.31: Spencers from outside its front: both their shots, then the facing change, then the answer."""
    f, a, b = outflanked(field, "SR", "R")
    f.roll(MISS, MISS, PASS, MISS)
    f.series.fire.phasing(a, [b.hex], False)
    kinds = [event.kind for event in f.events("fire", "reaction", "repeat")]
    assert kinds == ["fire", "repeat", "fire", "reaction", "fire"]
    assert [name for name, _, _ in fires(f)] == ["a", "a", "b"]


def test_14_31_14_32_spencers_on_both_sides_fire_in_turns(field):
    """14.31, 14.32: the phasing ones first, then the others, and so again."""
    f, a, b = duel(field, theirs="SR", dice=[MISS] * 4)
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "b", "a", "b"]


def test_14_34_neighbours_of_the_target_answer_after_the_first_shot(field):
    """14.34: the Spencers fire first; the target and a unit not fired at answer; they fire again."""
    f, a, b = duel(field)
    f.unit("C", "A0404", "W", side=1)
    f.roll(face(f, 5, 1, "d+2"), FAIL, MISS, MISS, MISS)
    f.series.fire.phasing(a, [b.hex], False)
    assert shots(f) == ["a", "disorder", "b", "c", "a"]


# -- 14.35, 14.36: withdrawal and pre-shock fire -----------------------------------------------------------------------


def test_14_35_withdrawal_fire_is_doubled(field):
    """14.35: two shots before the unit leaves, the second in the state that the first has left."""
    f, a, _ = duel(field, mine="R", theirs="SR", orders=ATTACK)
    f.roll(face(f, 5, 1, "d+2"), FAIL, MISS)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert fires(f) == [("b", "withdrawal", 5)] * 2 and shots(f) == ["b", "disorder", "b"]
    assert [event.target for event in f.events("fire")] == ["u/a", "u/a"]


def test_14_35_those_left_behind_bear_both_shots(field):
    """14.35, 10.44: against the top unit that remains, after the move."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    stays = f.unit("S", "A0303", "E", orders=ATTACK)
    f.unit("B", "A0403", "W", side=1, weapon="SC", strength=5)
    f.play([MISS, MISS])
    f.begin(a)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert fires(f) == []
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0203"), True)
    f.series.fire.move_finished(a)
    assert [event.target for event in f.events("fire")] == [stays.id, stays.id]


def test_14_35_a_second_shot_at_a_vacated_hex_may_jam(field):
    """14.35, 14.3, 14.33: the first shot drives the unit off; the second is rolled all the same."""
    f, a, b = duel(field, mine="R", theirs="SR", mine_sp=1, orders=ATTACK)
    f.roll(("fire", 9), ("fire", 5))
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert a.place == ELIMINATED and b.ammo == 2 and f.dice.used_up()


def shock(attackers, target):
    return ShockInProgress(0, [Attacker(unit, unit.hex, unit.heading, False, False) for unit in attackers], [target], 0)


def test_14_36_pre_shock_fire_is_doubled(field):
    """14.36: two shots at the attackers' hex."""
    f, a, b = duel(field, mine="R", theirs="SR")
    f.roll(face(f, 5, 1, "d+2"), FAIL, MISS)
    f.fire_before_shock([shock([a], b.hex)])
    assert fires(f) == [("b", "pre-shock", 5)] * 2 and shots(f) == ["b", "disorder", "b"]


def test_14_36_10_43_split_between_two_hexes_each_part_fires_twice(field):
    f = field(8, 8)
    a = f.unit("A", "A0302", "E")
    c = f.unit("C", "A0303", "E")
    b = f.unit("B", "A0403", "W", side=1, weapon="SR", strength=5)
    f.play([MISS] * 4)
    f.begin(a)
    f.answers[1]["pre_shock_fire"] = [2]
    f.fire_before_shock([shock([a, c], b.hex)])
    assert [(event.target, event.sp) for event in f.events("fire")] == [
        ("u/c", 3), ("u/c", 3), ("u/a", 2), ("u/a", 2),
    ]  # fmt: skip


# -- 14.37, 14.38: rapid-firing guns -----------------------------------------------------------------------------------


def guns_fire(field, *dice):
    """Phasing smoothbores beside Spencers."""
    f = field(8, 8)
    g = f.unit("G", "A0303", "E", strength=4, kind=ARTILLERY, weapon="N")
    b = f.unit("B", "A0403", "W", side=1, weapon="SR", strength=5)
    f.play(dice)
    f.begin(g)
    return f, g, b


def test_14_37_against_rapid_fire_all_four_shots_are_rolled_before_any_result(field):
    """14.37: first shots simultaneous, second shots simultaneous; each result once all of the rolls are complete."""
    f, g, b = guns_fire(field)
    strike = face(f, 4, f.charts.weapon("N").range_drm(1), "1d+2", "1D")
    f.roll(strike, strike, face(f, 5, 1, "1d+2"), face(f, 5, 1, "1d+2"), *[FAIL] * 9)
    f.series.fire.phasing(g, [b.hex], True)
    assert shots(f)[:4] == ["g", "g", "b", "b"]
    assert [(event.unit, event.sp, event.drms.count("disordered")) for event in f.events("fire")] == [
        ("u/g", 4, 0), ("u/g", 4, 0), ("c/b", 5, 0), ("c/b", 5, 0),
    ]  # fmt: skip
    assert g.strength <= 2 and b.losses() > 0


def test_14_32_guns_that_do_not_fire_rapidly_are_answered_as_others(field):
    """14.37, 14.32: only rapid fire makes all four simultaneous."""
    f, g, b = guns_fire(field)
    f.roll(("fire", 1), face(f, 5, 1, "d+2"), PASS, MISS)
    f.series.fire.phasing(g, [b.hex], False)
    assert [event.kind for event in f.events("fire", "udd", "repeat")] == ["fire", "fire", "udd", "repeat", "fire"]


def guns_answer(field, *dice, rapid=True, beside=False):
    """Phasing Spencers beside smoothbores that answer rapidly, with a regiment beneath them or not."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7, weapon="SR")
    g = f.unit("G", "A0403", "W", side=1, strength=4, kind=ARTILLERY, weapon="N")
    if beside:
        f.unit("C", "A0403", "W", side=1, strength=3)
    f.play(dice)
    f.begin(a)
    f.answers[1]["rapid_fire"] = [rapid]
    return f, a, g


def test_14_38_spencers_and_rapid_firing_guns_alternate(field):
    """14.38: the Spencers first, then the guns, and so again."""
    f, a, g = guns_answer(field, MISS, ("fire", 1), MISS, ("fire", 1))
    f.series.fire.phasing(a, [g.hex], False)
    assert shots(f) == ["a", "g", "a", "g"] and g.ammo == 0
    assert [event.kind for event in f.events("rapid", "repeat", "fire")] == [
        "fire", "rapid", "fire", "repeat", "fire", "fire",
    ]  # fmt: skip


def test_14_38_guns_disordered_by_the_first_shot_do_not_answer(field):
    """14.38: a disorder by the first shot silences them."""
    f, a, g = guns_answer(field)
    f.roll(face(f, 7, 1, "d", "d+2"), FAIL, MISS)
    f.series.fire.phasing(a, [g.hex], False)
    assert shots(f) == ["a", "disorder", "a"]


def test_14_38_guns_disordered_by_the_second_shot_do_not_fire_their_second(field):
    """14.38: a disorder by the second shot spares the enemy theirs."""
    f, a, g = guns_answer(field)
    f.roll(MISS, ("fire", 1), face(f, 7, 1, "d", "d+2", "1d+2"), FAIL)
    f.series.fire.phasing(a, [g.hex], False)
    assert shots(f) == ["a", "g", "a", "disorder"] and f.dice.used_up()


def test_14_38_a_unit_stacked_with_the_guns_fires_after_the_first_shot(field):
    """14.38: infantry beneath the guns answers once, after the Spencers' first shot."""
    f, a, g = guns_answer(field, MISS, ("fire", 1), MISS, MISS, ("fire", 1), beside=True)
    f.series.fire.phasing(a, [g.hex], False)
    assert shots(f) == ["a", "g", "c", "a", "g"]


@pytest.mark.parametrize("dice", [(0, 1), (1, 5)])
def test_14_38_10_68_alternating_shots_are_one_rapid_fire_for_the_ammunition(field, dice):
    """10.68, 14.38: a 0 or 5 on either shot, and the guns are out once both are fired."""
    first, second = (("fire", die) for die in dice)
    f, a, g = guns_answer(field, MISS, first, *([PASS] * (dice[0] == 5)), MISS, second, *[PASS] * 4)
    f.series.fire.phasing(a, [g.hex], False)
    assert shots(f)[:4] == ["a", "g", "a", "g"] and g.ammo == 2


def test_14_31_guns_that_answer_once_do_so_between_the_shots(field):
    f, a, g = guns_answer(field, MISS, ("fire", 1), MISS, rapid=False)
    f.series.fire.phasing(a, [g.hex], False)
    assert shots(f) == ["a", "g", "a"]


# -- 14.33: jams -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "option", "ammo"),
    [
        ((1, 5), "no", 2),
        ((5, 1), "no", 0),
        ((5, 1), "yes", 1),
        ((5, 5), "yes", 2),
        ((1, 5), "yes", 2),
        ((1, 1), "yes", 0),
    ],
)
def test_14_33_a_5_in_the_second_round_jams(field, dice, option, ammo):
    """14.33, 10.91: a 5 in the second round: Out of Ammo in any case; in the first a level, where that is in use."""
    f, a, b = duel(field, mine_sp=1, options={"small_arms_ammunition": option})
    f.roll(*(("fire", die) for die in dice))
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.ammo == ammo and all("low ammo" not in event.drms for event in f.events("fire"))
    modes = [(event.mode, event.result) for event in f.events("ammunition")]
    expected = {0: [], 1: [("", "low")], 2: [("jammed", "out")]}
    assert modes == expected[ammo]


def test_14_33_a_single_shot_never_jams(field):
    """14.33: disordered Spencers have no second round, so a 5 does them nothing without the option."""
    f, a, b = duel(field, mine_sp=1, dice=[("fire", 5)])
    a.disordered = True
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.ammo == 0


def test_14_33_10_92_jammed_weapons_are_made_good_level_by_level(field):
    """14.33, 10.92: Out of Ammo they do not fire; the resupply action makes it Low, then full, without the option."""
    f, a, _ = duel(field)
    a.ammo = 2
    assert not f.series.fire.may_fire(a) and not f.series.effectiveness.may_resupply(a)  # 10.93
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0203"), False)
    f.series.effectiveness.resupply(a)
    f.begin(a)
    f.series.effectiveness.resupply(a)
    assert a.ammo == 0


def test_14_33_a_jam_in_return_fire_counts_once_the_fire_is_over(field):
    f, a, b = duel(field, mine="R", theirs="SC", dice=[MISS, MISS, ("fire", 5), PASS])
    f.series.fire.phasing(a, [b.hex], False)
    assert b.ammo == 2 and not f.series.fire.able(b)


# -- 10.82: a stack of Spencers and others -----------------------------------------------------------------------------


def test_10_82_14_3_of_a_stack_that_combines_only_the_spencers_fire_again(field):
    """10.82, 14.31: all fire first, the enemy answers, then the Spencers alone with their share."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=4)
    s = f.unit("S", "A0303", "E", strength=3, weapon="SR")
    b = f.unit("B", "A0403", "W", strength=3, side=1)
    f.play([MISS] * 3, options={"combined_fire": "yes"})
    f.begin(a)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("a", "phasing", 7), ("b", "return", 3), ("s", "phasing", 3)]
    assert [event.unit for event in f.events("repeat")] == [s.id]


def test_10_82_14_32_of_a_stack_that_answers_together_only_the_spencers_answer_again(field):
    """10.82, 14.32: six points answer at once, then the Spencers' three."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    b = f.unit("B", "A0403", "W", side=1, weapon="R", strength=3)
    f.unit("S", "A0403", "W", side=1, weapon="SC", strength=3)
    f.play([MISS] * 3, options={"combined_fire": "yes"})
    f.begin(a)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("a", "phasing", 5), ("b", "return", 6), ("s", "return", 3)]


# -- what others make of it --------------------------------------------------------------------------------------------


def test_14_33_the_story_tells_second_rounds_shots_at_nobody_and_jams(field):
    """14.3, 14.33: a second round at a hex whose only point has fallen, with a 5."""
    f, a, b = duel(field, their_sp=1, dice=[("fire", 9), ("fire", 5)])
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    told = [line.strip() for line in Storyteller(f.battle).tell(f.events("repeat", "vain", "ammunition"))]
    assert told == [
        "A in A0303 fires its second round",
        "A (A0303) has fired at A0403, where nobody is left: rolls 5",
        "A in A0303 has used up ammunition (jammed): out",
    ]


@pytest.mark.parametrize(
    ("weapon", "state", "twice"), [("SR", "", True), ("R", "", False), ("SR", "disordered", False)]
)
def test_14_3_the_heuristic_commander_counts_on_a_second_round(field, weapon, state, twice):
    """14.3, 14.31: a fire that comes twice is worth twice as much to it."""
    f, a, b = duel(field, mine=weapon)
    a.disordered = state == "disordered"
    commander = HeuristicCommander(doctrine("steady"), [])
    once = commander.field(f.battle).small_arms.of(5, 1)
    assert once > 0 and commander.fire_worth(f.series, a, b.hex, 1, 5, 1) == once * (2 if twice else 1)


# -- lines, refused fronts, points held back ---------------------------------------------------------------------------


def test_14_32_8_45_the_parts_of_a_line_answer_together_and_again(field):
    """8.45, 14.32: a line whose two parts bear on the firer answers as one, with both rounds."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    b = f.unit("B", "A0403", "W", side=1, weapon="SR", strength=8)
    f.battle.add_part(b, f.hex("A0402"), 0, EXTENDED_LINE)
    f.play([MISS] * 3)
    f.begin(a)
    assert f.series.facing.in_arc(b, a.hex)
    f.series.fire.phasing(a, [b.hex], False)
    answers = [event.sp for event in f.events("fire") if event.unit == "c/b"]
    assert len(answers) == 2 and answers[0] == answers[1] and f.dice.used_up()


def test_14_31_7_34_a_refused_unit_fires_twice_through_each_front(field):
    """7.34, 14.31: half the points through each front, in the first and in the second round."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=6, weapon="SR", orders=ATTACK)
    a.refused = REFUSED_LEFT
    places = ["A0403", "A0302"]
    for at, place in enumerate(places):
        f.unit(f"B{at}", place, "W", side=1)
    f.play([MISS] * 4)
    f.begin(a)
    no_return(f)
    targets = f.series.fire.targets(a)
    fronts = {place.id: f.series.fire.front_to(a.parts[0], place) for place in targets}
    assert sorted(fronts.values()) == [0, 1]
    f.series.fire.phasing(a, targets, False)
    assert [sp for _, _, sp in fires(f)] == [3, 3, 3, 3]
    assert [event.target_hex for event in f.events("fire")] == [place.id for place in targets] * 2


def test_14_32_10_15_points_held_back_fire_twice_in_their_turn(field):
    """10.15, 14.32: half answers the first fire twice, the other half the second."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E")
    c = f.unit("C", "A0302", "E")
    b = f.unit("B", "A0403", "W", side=1, weapon="SR", strength=5)
    f.play([MISS] * 6)
    f.begin(a)
    f.answers[1]["return_fire"] = [3, 2]
    f.series.fire.phasing(a, [b.hex], False)
    f.series.fire.phasing(c, [b.hex], False)
    assert [sp for name, _, sp in fires(f) if name == "b"] == [3, 3, 2, 2]


def test_14_31_10_31_both_rounds_are_the_one_fire_of_an_activation(field):
    """10.31, 10.32: both rounds are one fire: none is left for after a move."""
    f, a, b = duel(field, dice=[MISS, MISS], orders=ATTACK)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    assert a.fired and not f.series.fire.may_fire(a)
    with pytest.raises(CommanderError, match=r"10\.3"):
        f.series.fire.phasing(a, [b.hex], False)
