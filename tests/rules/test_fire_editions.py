"""Rules of fire that the books word differently (chapter 10), each played by every wording; see docs/editions.md."""

import pytest

from simkit.model.forces import ARTILLERY, ATTACK, EXTENDED_LINE
from simkit.rules.commander import CommanderError
from simkit.rules.firemodifiers import APPROACH, RETURN, WITHDRAWAL
from simkit.rules.options import EDITIONS

# On these maps A0303 facing E has A0403 and A0404 in front; A0403 facing W has A0302 and A0303.


def edition(name):
    return {"edition": name}


def fires(f):
    return [(event.unit, event.mode, event.target, event.sp) for event in f.events("fire")]


def no_return(f, side=1):
    f.answers[side]["return_fire"] = [0] * 9


# -- 10.15, 10.41: points kept for later -------------------------------------------------------------------------------


def two_enemies(field, name, faces=5):
    f = field(8, 8)
    a = f.unit("A", "A0302", "E", orders=ATTACK)
    b = f.unit("B", "A0303", "E", orders=ATTACK)
    d = f.unit("D", "A0403", "W", strength=6, side=1)
    f.play([("fire", 0)] * faces, options=edition(name))
    f.begin(a)
    return f, a, b, d


@pytest.mark.parametrize(("name", "later"), [("gringo", [3]), ("into_the_woods", []), ("dead_of_winter", [])])
def test_10_15_points_kept_of_return_fire_serve_withdrawal_fire(field, name, later):
    """By Gringo! points kept may be used in any kind of non-phasing fire, by the newer books in that kind alone.

    D returns the fire of B with 3 of its 6 SP. When B leaves it fires all 6 at it, for withdrawal fire is another kind
    (10.41). When A leaves too, it has only what it kept: 3 SP, by Gringo!.
    """
    f, a, b, d = two_enemies(field, name)
    f.answers[1]["return_fire"] = [3]
    f.series.fire.phasing(b, [d.hex], False)
    f.series.fire.withdrawal(b, b.hex, f.hex("A0203"))
    f.series.fire.withdrawal(a, a.hex, f.hex("A0202"))
    assert [sp for unit, mode, _, sp in fires(f) if mode == "return"] == [3]
    assert [sp for unit, mode, _, sp in fires(f) if mode == "withdrawal"] == [6, *later]
    assert f.series.fire.left(d.parts[0], RETURN) == (0 if later else 3)


@pytest.mark.parametrize("name", EDITIONS)
def test_10_15_points_kept_do_not_go_to_the_same_hex(field, name):
    """By no book may a unit fire twice at the same hex with the halves of a split fire."""
    f, _, b, d = two_enemies(field, name)
    f.answers[1]["return_fire"] = [3]
    f.series.fire.phasing(b, [d.hex], False)
    f.series.fire.withdrawal(b, b.hex, f.hex("A0203"))
    f.series.fire.withdrawal(b, b.hex, f.hex("A0203"))
    assert [sp for _, mode, _, sp in fires(f) if mode == "withdrawal"] == [6]
    assert f.series.fire.left(d.parts[0], WITHDRAWAL) == 0


@pytest.mark.parametrize(("name", "more"), [("gringo", 3), ("into_the_woods", 0), ("dead_of_winter", 0)])
def test_10_15_guns_that_kept_points_at_the_approach_answer_a_second_fire_with_them(field, name, more):
    """A battery that has answered with all its guns has by Gringo! still those kept from its approach fire."""
    f = field(10, 8)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    b = f.unit("B", "A0304", "E", orders=ATTACK)
    g = f.unit("Bty", "A0604", "W", side=1, kind=ARTILLERY, strength=6, weapon="R3")
    f.play([("fire", 0)] * 2, options=edition(name))
    f.begin(a)
    fire = f.series.fire
    f.answers[1]["approach_fire"] = [3]
    fire.approach(a)
    assert fires(f) == [("c/bty", "approach", "u/a", 3)] and fire.left(g.parts[0], APPROACH) == 3
    fire.use(g.parts[0], a.hex, RETURN, 6, 6)
    assert fire.most(g.parts[0], b.hex, RETURN) == more
    assert fire.most(g.parts[0], a.hex, RETURN) == 0  # nor at the hex of the first half


# -- 10.44: those who stay behind --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "before"), [("gringo", True), ("into_the_woods", False), ("dead_of_winter", False)])
def test_10_44_withdrawal_fire_at_those_left_behind(field, name, before):
    """By Gringo! it falls before the mover leaves, by the newer books after he has finished his move."""
    f = field(8, 8)
    stays = f.unit("stays", "A0303", "E", orders=ATTACK)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    f.unit("B", "A0403", "W", side=1)
    f.play([("fire", 0)], options=edition(name))
    f.begin(a)
    f.series.fire.withdrawal(a, a.hex, f.hex("A0203"))
    assert fires(f) == ([("c/b", "withdrawal", stays.id, 5)] if before else [])
    f.battle.lift(a)
    f.battle.stand(a, f.hex("A0203"), True)
    f.series.fire.move_finished(a)
    assert fires(f) == [("c/b", "withdrawal", stays.id, 5)]


# -- 10.52, 10.61: turns before and after fire -------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "after"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
def test_10_52_a_turn_after_prepared_fire(field, name, after):
    """A turn of one vertex before it keeps Prepared Fire in all books, after it only in the newer ones."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "NNE", orders=ATTACK)
    b = f.unit("B", "A0404", "W", side=1)
    f.play([("fire", 0)], options=edition(name))
    f.begin(a)
    no_return(f)
    f.series.facing.turn(a, 3)
    f.series.fire.phasing(a, [b.hex], False)
    assert f.events("fire")[0].drms == "prepared +1" and a.stood_to_fire
    assert f.series.facing.may_turn(a, 5) is False  # a second vertex costs a point
    f.begin(a)
    f.roll(("fire", 0))
    f.series.fire.phasing(a, [b.hex], False)
    assert f.events("fire")[1].drms == "prepared +1"
    assert f.series.facing.may_turn(a, 5) is after


@pytest.mark.parametrize("name", EDITIONS)
def test_10_52_a_fire_that_is_not_prepared_binds_nobody(field, name):
    """Under Attack Orders a unit that forgoes the bonus may turn after its fire in all books (10.32)."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", orders=ATTACK)
    b = f.unit("B", "A0404", "W", side=1)
    f.play([("fire", 0)], options=edition(name))
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False, standing=False)
    assert f.events("fire")[0].drms == "" and f.series.facing.may_turn(a, 5)


@pytest.mark.parametrize(("name", "after"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
@pytest.mark.parametrize("standing", [True, False])
def test_10_61_guns_that_turn_one_vertex(field, name, after, standing):
    """Before their fire it costs guns nothing in any book (10.32); after it the newer books alone spare them the -2."""
    f = field(12, 8)
    g = f.unit("Bty", "A0303", "NNE", kind=ARTILLERY, strength=6, weapon="R3")
    b = f.unit("B", "A0805", "W", side=1)
    f.play([("fire", 0)], options=edition(name))
    f.begin(g)
    no_return(f)
    f.series.facing.turn(g, 3)
    f.series.fire.phasing(g, [b.hex], False, standing=standing)
    assert f.events("fire")[0].drms == ("" if standing else "guns moved -2")
    g.faced = 0  # as if it had not turned before its fire
    assert f.series.facing.may_turn(g, 5) is (after or not standing)


# -- 10.65: split fire of guns -----------------------------------------------------------------------------------------


def smoothbores(field, name, *dice):
    """Four Napoleons and two regiments, each in sight of canister."""
    f = field(8, 8)
    g = f.unit("Bty", "A0303", "E", strength=4, kind=ARTILLERY, weapon="N")
    b = f.unit("B", "A0504", "E", strength=9, side=1, cohesion=9)
    c = f.unit("C", "A0503", "E", strength=9, side=1, cohesion=9)
    f.play([*[("fire", die) for die in dice], *[("cohesion", 0)] * 8], options=edition(name))
    f.begin(g)
    no_return(f)
    return f, g, b, c


@pytest.mark.parametrize("name", EDITIONS)
def test_10_65_a_battery_splits_its_fire_at_one_hex(field, name):
    """Only by the newer books; Gringo! binds a battery of one type to different hexes, as 10.15 binds others."""
    f, g, b, _ = smoothbores(field, name, 1, 1)
    if name == "gringo":
        with pytest.raises(CommanderError, match=r"10\.65 of Gringo!"):
            f.series.fire.phasing(g, [b.hex, b.hex], False)
        assert not g.fired
    else:
        f.series.fire.phasing(g, [b.hex, b.hex], False)
        assert [event.sp for event in f.events("fire")] == [2, 2]


@pytest.mark.parametrize(
    ("name", "dice", "ammo"),
    [
        ("gringo", (1, 2, 5), 1),  # the 5 is rolled by the part that is not rapid: one level (10.69)
        ("dead_of_winter", (1, 2, 5), 2),  # any 5 beside a rapid part costs all
        ("into_the_woods", (1, 2, 5), 2),
        ("gringo", (1, 0, 2), 2),  # a 0 in the rapid part (10.68)
        ("dead_of_winter", (1, 0, 2), 2),
        ("gringo", (5, 1, 2), 2),
    ],
)
def test_10_65_ammunition_of_a_split_fire_one_part_of_which_is_rapid(field, name, dice, ammo):
    f, g, b, c = smoothbores(field, name, *dice)
    f.series.fire.phasing(g, [b.hex, c.hex], True, rapid_part=0)
    assert [event.sp for event in f.events("fire")] == [2, 2, 2] and g.ammo == ammo


# -- 10.81: flanking fire of a line ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "drms"),
    [
        ("gringo", "prepared +1"), ("into_the_woods", "prepared +1, flank +1"),
        ("dead_of_winter", "prepared +1, flank +1"),
    ],
)
def test_10_81_combined_fire_of_a_line_of_which_one_part_flanks(field, name, drms):
    """A target that faces the right part of a line has the left one on its flank: +1 to their fire together.

    In Gringo! the list does not say so; there combined fire has the least favourable of each modifier.
    """
    f = field(9, 8)
    u = f.unit("U", "A0303", "E", strength=10)
    f.battle.add_part(u, f.hex("A0304"), 0, EXTENDED_LINE)
    b = f.unit("B", "A0404", "SSW", side=1)
    f.play([("fire", 0)], options=edition(name))
    f.begin(u)
    no_return(f)
    fire = f.series.fire
    assert [fire.flanking(b.parts[0], part.hex) for part in u.parts] == [True, False]
    fire.phasing(u, [b.hex], False)
    assert f.events("fire")[0].drms == drms
    assert f.events("fire")[0].drm == drms.count("+1")
