"""Chapter 10: each choice that the rules of fire leave to a player is asked, or offered as a list of what is legal."""

import ast
from pathlib import Path

import pytest

from simkit import engine
from simkit.model.forces import ARTILLERY, ATTACK, EXTENDED_LINE
from simkit.rules.commander import Commander, CommanderError
from simkit.rules.effectiveness import Effectiveness
from simkit.rules.fire import Fire
from simkit.rules.firemodifiers import RETURN
from simkit.rules.shockinprogress import Attacker, ShockInProgress

# On these maps A0303 facing E has A0403 and A0404 in front; A0403 facing W has A0302 and A0303.


def fires(f):
    return [(event.unit, event.mode, event.target_hex, event.sp) for event in f.events("fire")]


def no_return(f, side=1):
    f.answers[side]["return_fire"] = [0] * 9


# -- whom a unit joins (10.82) -----------------------------------------------------------------------------------------


def stack_of_two(field, joins, **more):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=3)
    c = f.unit("C", "A0303", "E", strength=3)
    b = f.unit("B", "A0403", "W", side=1)
    d = f.unit("D", "A0404", "W", side=1)
    f.play([("fire", 0)] * 3, options={"combined_fire": "yes"})
    f.begin(a)
    no_return(f)
    f.answers[0]["fires_with"] = [joins]
    return f, a, c, b, d


def test_10_82_a_unit_joins_the_fire_of_its_stack(field):
    f, a, c, b, _ = stack_of_two(field, True)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("u/a", "phasing", "A0403", 6)] and c.fired
    assert f.asked[0].count("fires_with") == 1


def test_10_82_who_does_not_join_fires_elsewhere(field):
    """10.82, 10.13: fire is voluntary, but those of one hex who fire at one hex do so together."""
    f, a, c, b, d = stack_of_two(field, False)
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("u/a", "phasing", "A0403", 3)] and not c.fired
    assert f.series.fire.targets(c) == [d.hex]
    with pytest.raises(CommanderError, match=r"can't fire at A0403"):
        f.series.fire.phasing(c, [b.hex], False)
    f.series.fire.phasing(c, [d.hex], False)
    assert fires(f)[1:] == [("u/c", "phasing", "A0404", 3)]


def test_10_82_who_comes_later_may_fire_at_the_same_hex(field):
    """10.82: only those stacked together combine; who has moved in afterwards was not there to join."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=3, orders=ATTACK)
    c = f.unit("C", "A0203", "E", strength=3, orders=ATTACK)
    b = f.unit("B", "A0403", "W", side=1)
    f.play([("fire", 0)] * 2, options={"combined_fire": "yes"})
    f.begin(a)
    no_return(f)
    f.series.fire.phasing(a, [b.hex], False)
    f.battle.lift(c)
    f.battle.stand(c, f.hex("A0303"), False)
    assert b.hex in f.series.fire.targets(c)


def test_10_14_nobody_is_asked_to_join_without_the_option(field):
    f, a, _, b, _ = stack_of_two(field, True)
    f.options.set("combined_fire", "no")
    f.series.fire.phasing(a, [b.hex], False)
    assert fires(f) == [("u/a", "phasing", "A0403", 3)] and "fires_with" not in f.asked[0]


# -- how much (10.15) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("strength", "expected"), [(7, [0, 3, 4, 7]), (6, [0, 3, 6]), (2, [0, 1, 2]), (1, [0, 1])])
def test_10_15_what_an_answer_may_be(field, strength, expected):
    """10.15, 10.41: none, all, or as near to half as can be; of a second fire none or all that was kept."""
    f = field(8, 8)
    a = f.unit("A", "A0302", "E")
    b = f.unit("B", "A0303", "E")
    d = f.unit("D", "A0403", "W", strength=strength, side=1)
    f.play([("fire", 0)] * 3)
    f.begin(a)
    fire = f.series.fire
    assert fire.shares(d.parts[0], a.hex, RETURN, strength) == expected
    if strength > 1:
        f.answers[1]["return_fire"] = [strength // 2]
        fire.phasing(a, [d.hex], False)
        kept = strength - strength // 2
        assert fire.shares(d.parts[0], b.hex, RETURN, kept) == [0, kept]


# -- between which hexes (10.15, 10.65, 10.66) -------------------------------------------------------------------------


def pairs(f, unit):
    return [[place.id for place in pair] for pair in f.series.fire.splits(unit)]


def test_10_15_infantry_splits_between_its_frontal_hexes(field):
    f = field(10, 8)
    a = f.unit("A", "A0303", "E", strength=5)
    f.unit("B", "A0403", "W", side=1)
    f.unit("C", "A0404", "W", side=1)
    f.unit("far", "A0602", "W", side=1)
    single = f.unit("single", "A0303", "E", strength=1)
    f.play([("fire", 0)] * 2)
    f.begin(a)
    no_return(f)
    assert pairs(f, a) == [["A0403", "A0404"], ["A0404", "A0403"]]
    assert pairs(f, single) == []  # it takes two points
    for pair in f.series.fire.splits(a)[:1]:
        f.series.fire.phasing(a, pair, False)
    assert [sp for *_, sp in fires(f)] == [3, 2]
    assert pairs(f, a) == []


@pytest.mark.parametrize(("name", "at_one_hex"), [("gringo", False), ("dead_of_winter", True)])
def test_10_65_a_battery_splits_between_any_two_targets(field, name, at_one_hex):
    f = field(10, 8)
    g = f.unit("Bty", "A0303", "E", kind=ARTILLERY, strength=4)
    f.unit("B", "A0503", "E", side=1)
    f.unit("C", "A0605", "E", side=1)
    f.play(options={"edition": name})
    f.begin(g)
    both = [["A0503", "A0605"], ["A0605", "A0503"]]
    assert [pair for pair in pairs(f, g) if pair[0] != pair[1]] == both
    assert (["A0503", "A0503"] in pairs(f, g)) is at_one_hex


def test_10_66_a_lone_battery_splits_only_before_itself(field):
    f = field(10, 8)
    g = f.unit("Bty", "A0303", "E", kind=ARTILLERY, strength=4)
    f.unit("near", "A0403", "W", side=1)
    f.unit("away", "A0404", "E", side=1)
    f.unit("far", "A0605", "W", side=1)
    f.play()
    f.begin(g)
    assert pairs(f, g) == [["A0403", "A0403"], ["A0403", "A0404"], ["A0404", "A0403"]]


def test_8_45_a_line_names_its_fires_part_by_part(field):
    """8.45: its parts are offered by `bearing`; a split of the unit in one hex is not for it."""
    f = field(9, 8)
    u = f.unit("U", "A0303", "E", strength=10)
    f.battle.add_part(u, f.hex("A0304"), 0, EXTENDED_LINE)
    b = f.unit("B", "A0404", "W", side=1)
    f.play()
    f.begin(u)
    assert pairs(f, u) == [] and f.series.fire.bearing(u, b.hex) == list(u.parts)


# -- every choice has its question or its action -----------------------------------------------------------------------

# the rule, the choice that it leaves, and where a player makes it: the question must name the rule
CHOICES = [
    ("10.13", "whether, when and with whom of the activated units to fire", "Fire.may_fire"),
    ("10.12", "at which hex within range, arc and sight", "Fire.targets"),
    ("10.15", "to split phasing fire, and who gets the odd point", "Fire.splits"),
    ("10.65", "to split the fire of guns, at two hexes or one, each part rapid or not", "Fire.phasing"),
    ("8.45", "which parts of a line fire at what, alone or together", "Fire.phasing_parts"),
    ("10.52", "to forgo movement for Prepared Fire, or to spare guns the price of moving (10.61)", "Fire.phasing"),
    ("10.63", "which batteries of a hex combine their fire", "Fire.phasing_together"),
    ("10.68", "rapid fire of phasing guns", "Fire.may_rapid"),
    ("10.82", "which small arms of a hex combine their fire", "Commander.fires_with"),
    ("10.42", "to return fire, now or later, with all or half", "Commander.return_fire"),
    ("8.45", "the same for each part of a line", "Commander.part_return_fire"),
    ("10.42", "at which hex of a line that combined its fire", "Commander.which_part"),
    ("10.63", "whether batteries combine their return fire", "Commander.combine_guns"),
    ("10.43", "at whom to fire before a shock, split or not", "Commander.pre_shock_fire"),
    ("10.43", "the same for each part of a line", "Commander.part_pre_shock_fire"),
    ("10.44", "to fire at an enemy who leaves, with all or half", "Commander.withdrawal_fire"),
    ("10.44", "the same for each part of a line", "Commander.part_withdrawal_fire"),
    ("10.45", "to fire at an enemy who approaches, with all guns or half", "Commander.approach_fire"),
    ("10.68", "rapid fire of guns that answer", "Commander.rapid_fire"),
    ("10.65", "which sections of a battery answer at what", "Commander.section_fire"),
    ("9.61", "to turn in reaction to fire from outside the front", "Commander.reaction_facing"),
    ("9.61", "to refuse a flank in reaction to it", "Commander.reaction_refusal"),
    ("12.6", "to advance into a hex that fire has emptied", "Commander.advance_after_fire"),
    ("10.92", "to resupply instead of firing", "Effectiveness.may_resupply"),
]


@pytest.mark.parametrize(("rule", "choice", "where"), CHOICES, ids=[f"{rule} {where}" for rule, _, where in CHOICES])
def test_each_choice_of_fire_is_the_players_10_1_to_10_9(rule, choice, where):
    """10.1 to 10.9: where a rule says that a unit may, the player is asked, or has an action that he may leave."""
    owner = {"Fire": Fire, "Commander": Commander, "Effectiveness": Effectiveness}[where.split(".")[0]]
    assert rule in written(owner, where.split(".")[1]), choice


def written(owner, name):
    """The docstring of a method of a class or of one that it is built on, from the source: compiled ones show none."""
    for cls in owner.__mro__:
        if name in vars(cls) and cls is not object:
            source = engine.ROOT.parent / Path(*cls.__module__.split(".")).with_suffix(".py")
            tree = ast.parse(source.read_text(encoding="utf-8"))
            made = next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == cls.__name__)
            return ast.get_docstring(next(
                one for one in made.body if isinstance(one, ast.FunctionDef) and one.name == name
            ))  # fmt: skip
    raise AssertionError(f"{owner.__name__} has no {name}")


def test_10_43_10_44_each_part_of_a_line_is_asked(field):
    """8.45: a part that stays silent leaves the other its fire."""
    f = field(9, 8)
    a = f.unit("A", "A0404", "W", orders=ATTACK)
    u = f.unit("U", "A0303", "E", strength=10, side=1)
    f.battle.add_part(u, f.hex("A0304"), 0, EXTENDED_LINE)
    f.play([("fire", 0)])
    f.begin(a)
    f.answers[1]["part_withdrawal_fire"] = [lambda series, part, target, most: most * (part.hex.id == "A0303")] * 2
    f.series.fire.withdrawal(a, a.hex, f.hex("A0504"))
    assert [(event.mode, event.hex, event.sp) for event in f.events("fire")] == [("withdrawal", "A0303", 5)]
    assert f.asked[1].count("part_withdrawal_fire") == 2
    shock = ShockInProgress(0, [Attacker(a, a.hex, a.heading, True, False)], [part.hex for part in u.parts], 0)
    shock.defenders.append(u)
    f.roll(("fire", 0))
    f.answers[1]["part_pre_shock_fire"] = [0, -1]
    f.fire_before_shock([shock])
    assert [(event.mode, event.hex, event.sp) for event in f.events("fire")[1:]] == [("pre-shock", "A0303", 5)]
