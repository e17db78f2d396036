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
