"""A battle told in words."""

import pytest

from simkit.model.battle import Battle
from simkit.model.log import KINDS, Event
from simkit.report.story import LINES, Storyteller
from simkit.scenario import build, load


@pytest.fixture(scope="module")
def battle() -> Battle:
    return build(load("dead_of_winter/skirmish")).battle


def _event(kind: str, **fields: object) -> Event:
    event = Event(kind)
    for name, value in fields.items():
        setattr(event, name, value)
    return event


def test_every_kind_of_event_has_words() -> None:
    assert set(LINES) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_told_in_one_line(battle: Battle, kind: str) -> None:
    unit = battle.units[0]
    line = Storyteller(battle).line(_event(kind, side=0, unit=unit.id, target=unit.id, hex="C3108", target_hex="C3109"))
    assert line.strip()
    assert "\n" not in line
    assert unit.id not in line


def test_a_fire_in_words(battle: Battle) -> None:
    firer, target = battle.units[0], battle.units[-1]
    event = _event(
        "fire", side=firer.side, unit=firer.id, target=target.id, hex="C3108", target_hex="C3110", mode="return", sp=6,
        range=2, roll=7, drm=-1, drms="range -1", adjusted=6, result="1", losses=1,
    )  # fmt: skip
    assert Storyteller(battle).line(event) == (
        f"    {firer.name} (C3108) returns fire with 6 SP at {target.name} (C3110), range 2: "
        "rolls 7 -1 (range -1) = 6: 1; the target loses 1 strength point"
    )


def test_moves_of_a_unit_are_one_line(battle: Battle) -> None:
    one, other = battle.units[0], battle.units[1]
    events = [
        _event("move", side=one.side, unit=one.id, hex="C3108", target_hex="C3109", sp=2),
        _event("move", side=one.side, unit=one.id, hex="C3109", target_hex="C3110", sp=5),
        _event("move", side=other.side, unit=other.id, hex="C3208", target_hex="C3209", sp=2),
        _event("rout", side=one.side, unit=one.id, hex="C3110"),
    ]
    assert list(Storyteller(battle).tell(events)) == [
        f"    {one.name} moves C3108 C3109 C3110 (2.5 MP spent)",
        f"    {other.name} moves C3208 C3209 (1 MP spent)",
        f"    {one.name} in C3110 routs",
    ]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("into line", "turns its column into a line"),
        ("into column", "turns its line into a column"),
        ("retraction", "draws its column together"),
    ],
)
def test_changes_of_formation_in_words(battle: Battle, result: str, said: str) -> None:
    unit = battle.units[0]
    event = _event("form", side=unit.side, unit=unit.id, hex="C3108", result=result)
    assert Storyteller(battle).line(event) == f"    {unit.name} in C3108 {said}"


def test_leaders_who_ride_along_are_told_with_the_unit(battle: Battle) -> None:
    unit, leader = battle.units[0], battle.leaders[0]
    name = leader.front.name
    events = [
        _event("leader", side=leader.side, unit=leader.id, target_hex="C3108"),
        _event("leader", side=leader.side, unit=leader.id, hex="C3108", target_hex="C3109"),
        _event("move", side=unit.side, unit=unit.id, hex="C3108", target_hex="C3109", sp=2),
        _event("leader", side=leader.side, unit=leader.id, hex="C3109", target_hex="C3110"),
        _event("move", side=unit.side, unit=unit.id, hex="C3109", target_hex="C3110", sp=4),
        _event("move", side=unit.side, unit=unit.id, hex="C3110", target_hex="C3111", sp=6),
        _event("leader", side=leader.side, unit=leader.id, hex="C3110", target_hex="C3112"),
    ]
    assert list(Storyteller(battle).tell(events)) == [
        f"    {name} enters the map at C3108",
        f"    {unit.name} moves C3108 C3109 C3110 with {name} (2 MP spent)",
        f"    {unit.name} moves C3110 C3111 (3 MP spent)",
        f"    {name} goes C3110 C3112",
    ]


@pytest.mark.parametrize(
    ("kind", "mode", "said"),
    [
        ("extend", "", "extends its line C3108 C3109"),
        ("extend", "column", "extends its column C3108 C3109"),
        ("retract", "", "draws in its line C3108 C3109"),
        ("retract", "column", "draws in its column C3108 C3109"),
    ],
)
def test_lines_and_columns_in_words(battle: Battle, kind: str, mode: str, said: str) -> None:
    unit = battle.units[0]
    event = _event(kind, side=unit.side, unit=unit.id, hex="C3108", target_hex="C3109", mode=mode)
    assert Storyteller(battle).line(event) == f"    {unit.name} {said}"


def test_a_reaction_says_to_whom(battle: Battle) -> None:
    unit, cause = battle.units[0], battle.units[-1]
    event = _event("reaction", side=unit.side, unit=unit.id, target=cause.id, hex="C3108", mode="facing")
    assert Storyteller(battle).line(event) == f"    {unit.name} in C3108 reacts to {cause.name} (facing)"


@pytest.mark.parametrize(
    ("kind", "result", "said"),
    [
        ("construction", "begun", "begins to build breastworks"),
        ("construction", "done", "has built breastworks"),
        ("construction", "fires", "fires, and its breastworks remain undone"),
        ("torn down", "", "tears down breastworks"),
    ],
)
def test_15_1_breastworks_in_words(battle: Battle, kind: str, result: str, said: str) -> None:
    unit = battle.units[0]
    event = _event(kind, side=unit.side, unit=unit.id, hex="C3108", result=result)
    assert Storyteller(battle).line(event) == f"    {unit.name} in C3108 {said}"


def test_a_check_that_decides_something_is_told_once_with_its_modifiers(battle: Battle) -> None:
    unit, other = battle.units[0], battle.units[1]
    check = _event(
        "udd", side=unit.side, unit=unit.id, hex="C3108", mode="pre-shock", roll=9, drm=-2, adjusted=7, target_sp=7,
        result="passed",
    )  # fmt: skip
    decided = _event("pre-shock", side=unit.side, unit=unit.id, hex="C3108", roll=9, result="passed")
    another = _event("pre-shock", side=other.side, unit=other.id, hex="C3109", roll=2, result="passed")
    assert list(Storyteller(battle).tell([check, decided, another])) == [
        f"    {unit.name} in C3108 checks its cohesion (pre-shock), rolls 9 -2 = 7 against 7: passed",
        f"    {other.name} in C3109 braces for the shock, rolls 2: passed",
    ]


def test_ammunition_is_told_by_what_is_left(battle: Battle) -> None:
    unit = battle.units[0]
    lines = [
        Storyteller(battle).line(_event("resupply", side=unit.side, unit=unit.id, hex="C3108", mode="N", result=result))
        for result in ("ammunition 0", "ammunition 1")
    ]
    assert lines == [
        f"    {unit.name} in C3108 has all its ammunition again (N)",
        f"    {unit.name} in C3108 is no longer out of ammunition, but low (N)",
    ]


def test_several_units_shock_and_lost_guns_have_no_other_cause(battle: Battle) -> None:
    one, other = battle.units[0], battle.units[1]
    shock = _event("shock", side=one.side, unit=f"{one.id}, {other.id}", target=one.id, sp=9, target_sp=5, roll=4)
    assert f"{one.name}, {other.name} () shock with 9 SP" in Storyteller(battle).line(shock)
    loss = _event("loss", side=one.side, unit=one.id, hex="C3108", mode="other", losses=6)
    assert Storyteller(battle).line(loss) == f"    {one.name} in C3108 loses 6 strength points"


def test_a_loose_cannon_may_keep_its_orders(battle: Battle) -> None:
    brigade = next(command for command in battle.commands if command.units)
    event = _event("orders", side=brigade.side, unit=brigade.code, mode="loose cannon", result="normal")
    assert Storyteller(battle).line(event) == f"    {brigade.name} does as its brigadier is: normal"
