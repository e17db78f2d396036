"""Rules that the books word differently, each played by every wording; docs/editions.md lists the differences."""

import pytest

from simkit.model.forces import ADVANCE, CAVALRY
from simkit.rules.commander import CommanderError
from simkit.rules.options import EDITIONS


def edition(name):
    return {"edition": name}


@pytest.mark.parametrize(("name", "may"), [("gringo", True), ("into_the_woods", False), ("dead_of_winter", False)])
def test_8_12_only_gringo_lets_dismounted_cavalry_march(field, name, may):
    f = field(12, 5)
    f.unit("4 US", "A0303", kind=CAVALRY, mounted=False)
    f.play(options=edition(name))
    assert f.series.orders.may_march(f.battle.brigades[0]) is may


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize(("facing", "within"), [("W", True), ("E", False)])
def test_8_24_next_to_the_enemy_or_in_his_front(field, name, facing, within):
    """Gringo! forbids a new order in the frontal hex of an enemy, the newer books in any hex next to him."""
    f = field(6, 5)
    a = f.unit("a", "A0303", "E", strength=3)
    b = f.unit("b", "A0303", "E", strength=3)
    enemy = f.unit("enemy", "A0403", facing, side=1)
    f.play(options=edition(name))
    assert f.battle.in_front(enemy, f.hex("A0303")) is within
    f.begin(a)
    if name == "gringo" and not within:
        f.series.stacking.reorder([b, a])
        assert f.stack("A0303") == ["b", "a"]
    else:
        with pytest.raises(CommanderError):
            f.series.stacking.reorder([b, a])


@pytest.mark.parametrize(("name", "fires"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
def test_8_24_guns_in_a_new_place_of_their_stack(field, name, fires):
    """Gringo! lets no unit under Advance Orders fire after it, the newer books only no infantry and cavalry."""
    f = field(9, 5)
    foot = f.unit("foot", "A0303", "E", strength=3)
    guns = f.unit("guns", "A0303", "E", kind=2)
    f.unit("enemy", "A0503", "E", side=1)
    f.play(options=edition(name))
    f.begin(foot)
    f.series.stacking.reorder([guns, foot])
    assert guns.restacked
    assert f.series.fire.may_fire(guns) is fires
    assert not f.series.fire.may_fire(foot)


@pytest.mark.parametrize(("name", "may"), [("gringo", False), ("into_the_woods", True), ("dead_of_winter", True)])
def test_8_24_guns_that_have_fired(field, name, may):
    f = field(9, 5)
    f.unit("foot", "A0303", "E", strength=3)
    guns = f.unit("guns", "A0303", "E", kind=2, orders=ADVANCE)
    f.play(options=edition(name))
    f.begin(guns)
    guns.fired = True
    assert f.series.stacking.may_reorder(guns) is may


@pytest.mark.parametrize("name", EDITIONS)
def test_8_33_two_batteries_above_infantry(field, name):
    """By the newer books guns fire from above all others, by Gringo! (10.14 too) only as the top unit of the stack."""
    f = field(5, 5)
    stack = [
        f.unit("first", "A0202", kind=2, strength=3), f.unit("second", "A0202", kind=2, strength=3),
        f.unit("foot", "A0202", strength=7),
    ]
    alone = [f.unit("third", "A0404", kind=2, strength=3), f.unit("fourth", "A0404", kind=2, strength=3)]
    f.play(options=edition(name))
    limits = [f.series.stacking.firing_limit(unit) for unit in stack]
    assert limits == ([3, 0, 4] if name == "gringo" else [3, 3, 1])
    assert [f.series.stacking.firing_limit(unit) for unit in alone] == [3, 3]
