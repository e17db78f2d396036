"""Cavalry with two counters (14.21): the roster's columns, set-up and arrival dismounted, provenance, bad input."""

import pytest

from simkit.scenario.provenance import provenance
from simkit.scenario.roster import check_weapons, read_roster
from simkit.scenario.scenariofile import read_scenario

UNIT = "escort-rw/escort-rw"
STACK = f'[[setup]]\nhex = "C3108"\nunits = ["{UNIT}"]\nleaders = ["rw/mccook", "1-rw/davis"]\nsource = "printed"\n\n'


@pytest.fixture
def two(book):
    """The book, whose escort has a dismounted counter of its own: carbine C, cohesion 5 and 4, movement 6 and 5."""
    book.line = book.change(book.units, ",C,6,4,6,5\n", ",C,5,4,6,5\n")
    return book


@pytest.fixture
def one(book):
    """The book, whose escort has no dismounted counter."""
    book.change(book.units, ",C,6,4,6,5\n", ",,,,,\n")
    return book


def escort(built):
    return next(unit for unit in built.battle.units if unit.id == UNIT)


def ratings(unit):
    return unit.weapon.code, unit.cohesion(), unit.movement_allowance() // 2


def test_14_21_both_counters_and_what_resets_take_back(two):
    built = two.built()
    unit = escort(built)
    row = read_roster(two.units.parent).unit(UNIT)
    mounted = (row.weapon, row.cohesion, row.movement)
    assert unit.may_dismount()
    assert unit.is_mounted()
    assert ratings(unit) == mounted
    kept = built.battle.snapshot()
    before = built.battle.digest()
    unit.show(False)
    assert unit.on_foot()
    assert ratings(unit) == ("C", 5, 6)
    unit.disordered = True
    assert ratings(unit) == ("C", 4, 5)
    unit.disordered = False
    dismounted = built.battle.snapshot()
    assert built.battle.digest() != before
    built.battle.restore(kept)
    assert ratings(unit) == mounted
    assert built.battle.digest() == before
    built.battle.restore(dismounted)
    assert ratings(unit) == ("C", 5, 6)
    built.battle.reset()
    assert ratings(unit) == mounted


def test_14_21_a_unit_with_one_counter_never_dismounts(one):
    unit = escort(one.built())
    assert not unit.may_dismount()
    with pytest.raises(ValueError, match="has no dismounted counter"):
        unit.show(False)


def test_14_21_set_up_dismounted(two):
    text = two.scenario.read_text(encoding="utf-8")
    place = text.index(f'"{UNIT}"')
    end = text.index("\n", place) + 1
    two.scenario.write_text(text[:end] + f'dismounted = ["{UNIT}"]\n' + text[end:], encoding="utf-8")
    built = two.built()
    assert escort(built).on_foot()
    assert ratings(escort(built)) == ("C", 5, 6)
    built.battle.reset()
    assert ratings(escort(built)) == ("C", 5, 6)
    frame = provenance(read_scenario(two.scenario, two.folder.parent)).set_index("item")
    assert frame.loc[f"set-up state of {UNIT}", "value"] == "dismounted"
    assert frame.loc[f"{UNIT} dismounted_weapon", "value"] == "C"
    assert frame.loc[f"{UNIT} dismounted_movement", "value"] == "6"
    assert "1-1-rw/22-in dismounted_weapon" not in frame.index


def test_9_7_14_21_reinforcements_that_enter_dismounted(two):
    group = (
        '[[setup]]\nhex = "C3108"\nleaders = ["rw/mccook", "1-rw/davis"]\nsource = "printed"\n\n'
        f'[[reinforcement]]\nturn = 1\nhexes = ["C3001"]\nunits = ["{UNIT}"]\ndismounted = ["{UNIT}"]\n'
        'orders = ["Advance"]\nsource = "printed"\n\n'
    )
    two.change(two.scenario, STACK, group)
    assert escort(two.built()).on_foot()
    frame = provenance(read_scenario(two.scenario, two.folder.parent)).set_index("item")
    assert frame.loc[f"state on entry of {UNIT}", "value"] == "dismounted"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (",C,,,,", "dismounted_cohesion: this cell is empty but dismounted_weapon is given; fill in both counters"),
        (",,5,4,6,5", "dismounted_weapon: this cell is empty but dismounted_cohesion is given; fill in both counters"),
        (",C,5,6,6,5", "Escort RW: the dismounted counter's disordered side cannot be better (2.21)"),
        (",C,5,4,6,7", "Escort RW: the dismounted counter's disordered side cannot be better (2.21)"),
        (",C,12,4,6,5", "dismounted_cohesion: must be at most 9, not 12"),
        (",C,5,4,six,5", "dismounted_movement: must be a whole number, not 'six'"),
    ],
)
def test_14_21_half_a_counter_is_refused(two, message, cells, said):
    two.change(two.units, ",C,5,4,6,5", cells)
    told = message(read_roster, two.units.parent)
    assert told.startswith(f"{two.units}, line {two.line}: {said}")


def test_14_21_only_cavalry_has_a_dismounted_counter(two, message):
    two.change(two.units, ",Escort RW,cavalry,", ",Escort RW,infantry,")
    assert message(read_roster, two.units.parent) == (
        f"{two.units}, line {two.line}: dismounted_weapon: only cavalry has a dismounted counter, not infantry (14.21)"
    )


def test_14_21_the_dismounted_weapon_must_be_known(two, charts, message):
    two.change(two.units, ",C,5,4,6,5", ",CC,5,4,6,5")
    roster = read_roster(two.units.parent)
    told = message(check_weapons, roster, charts, two.units.parent)
    assert told.startswith(f'{two.units}, line {two.line}: {UNIT}: unknown weapon "CC"')


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("1-1-rw/22-in", '"1-1-rw/22-in" is not among the units of this hex'),
        ("escort-rw/escort-r", f'"escort-rw/escort-r" is not among the units of this hex; did you mean "{UNIT}"?'),
    ],
)
def test_14_21_a_set_up_names_its_own_units_as_dismounted(two, message, named, said):
    line = two.change(two.scenario, STACK, STACK.rstrip() + f'\ndismounted = ["{named}"]\n\n') + 5
    assert message(two.built).startswith(f"{two.scenario}, line {line}: setup.1.dismounted: {said}")


def test_14_21_no_set_up_dismounted_without_the_counter(one, message):
    line = one.change(one.scenario, STACK, STACK.rstrip() + f'\ndismounted = ["{UNIT}"]\n\n') + 5
    assert message(one.built) == (
        f"{one.scenario}, line {line}: setup.1.dismounted: {UNIT} has no dismounted counter in the roster (14.21)"
    )


def test_8_12_14_21_none_starts_on_the_march_dismounted(two, message):
    line = two.change(two.scenario, STACK, STACK.rstrip() + f'\ndismounted = ["{UNIT}"]\n\n') + 5
    two.change(two.scenario, 'orders = "Advance"', 'orders = "March"')
    assert message(two.built) == (
        f"{two.scenario}, line {line}: setup.1.dismounted: {UNIT} may not be under March Orders dismounted (8.12)"
    )
