"""Scenario files and the battle built of one: every kind of bad input, and the chain of command that results."""

import pytest

from simkit.scenario import load, names
from simkit.scenario.scenariofile import read_scenario

STACK = 'units = ["1-1-rw/59-il", "1-1-rw/5-wi-bty"]\n'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("random_events", "random_evnets", 'scenario.random_evnets: unknown key; did you mean "random_events"?'),
        ("random_events = false", "random_events = 0", "scenario.random_events: must be true or false, not 0"),
        (
            'initiative = "Union"',
            'initiative = "Federal"',
            "scenario.initiative: must be 'Union' or 'Confederate', not 'Federal'",
        ),
        ('water = "medium"', 'water = "deep"', "scenario.water: must be 'low', 'medium' or 'high', not 'deep'"),
        (
            'orders = "Advance"',
            'orders = "Charge"',
            "scenario.orders: must be 'March', 'Advance' or 'Attack', not 'Charge'",
        ),
        (
            'hex = "C3014"',
            'hex = "C9914"',
            "setup.2.hex: hex C9914 is off sheet C (columns 10 to 48, rows 1 to 53, to 52 in odd columns)",
        ),
        ('hex = "C3014"', 'hex = "C3020"', "setup.2.hex: hex C3020 is not in play in this battle"),
        (
            'hex = "C3014"',
            'hex = "3014"',
            "setup.2.hex: '3014' is no hex id: a sheet letter (C, A, B, D), two digits of column, two of row",
        ),
        (
            '"1-1-rw/59-il"',
            '"1-1-rw/95-il"',
            'setup.2.units: unknown unit "1-1-rw/95-il"; did you mean "1-1-rw/75-il"?',
        ),
        (
            '"1-1-rw/post"',
            '"1-1-rw/past"',
            'setup.2.leaders: unknown leader "1-1-rw/past"; did you mean "1-1-rw/post"?',
        ),
        ('"1-1-rw/75-il"', '"1-1-rw/59-il"', "setup.3.units: 1-1-rw/59-il is set up twice; it already stands in C3014"),
        ('"1-1-rw/post"', '"1-rw/davis"', "setup.2.leaders: 1-rw/davis is set up twice; he already stands in C3108"),
        (
            'kind = "regiments"',
            'kind = "regimnets"',
            'victory.kind: unknown kind "regimnets"; did you mean "regiments"?',
        ),
        (
            '"Union/1/RW" = 4',
            '"Union/7/RW" = 4',
            'efficiency.fixed: no command "Union/7/RW" in this battle; did you mean "Union/1/RW"?',
        ),
        ('"Union/1/RW" = 4', '"Union/1/RW" = 7', "efficiency: 1/RW: the number is fixed at 7; it can be 1 to 4"),
        ('"Union/1/RW" = 4', '"Union/1/RW" = "4"', "efficiency.fixed.Union/1/RW: must be a whole number, not '4'"),
        (
            'superior = "1/P"',
            'superior = "1/Q"',
            'superior.1.superior: unknown Confederate command "1/Q"; did you mean "1/S"?',
        ),
        (
            'superior = "1/P"',
            'superior = "4/1/P"',
            "superior.1.superior: 4/1/P is a brigade and cannot command the brigade 1/2/P",
        ),
        (
            'command = "Confederate/1/2/P"',
            'command = "1/2/P"',
            'superior.1.command: "1/2/P" must begin with Union/ or Confederate/',
        ),
        (
            'command = "Confederate/1/2/P"',
            'command = "Confederate/P"',
            "superior.1.superior: 1/P is a division and cannot command the corps P",
        ),
        ("weight = 2", "weight = 0", "objective.1.weight: must be at least 1, not 0"),
        ('hex = "C4214"', 'hex = "C4222"', "objective.1.hex: hex C4222 is not in play in this battle"),
        (
            "weight = 2",
            'commands = ["Union/1/P"]\nweight = 2',
            'objective.1.commands: no Union command "Union/1/P" in this battle; did you mean "Union/1/RW"?',
        ),
        (
            "weight = 2",
            'since = "noon"\nweight = 2',
            'objective.1.since: unknown turn "noon"; known: December 30th, 1300',
        ),
        ("weight = 2", "until = 0\nweight = 2", "objective.1.until: there is no turn 0; there are 1"),
        ('light = "day"', 'light = "bright"', "turn.1.light: must be 'day', 'dawn', 'dusk' or 'night', not 'bright'"),
    ],
)
def test_bad_values(book, message, old, new, said):
    line = book.change(book.scenario, old, new)
    if said.startswith("efficiency: "):
        line -= 1  # the table as a whole is wrong
    if said.endswith("the corps P"):
        line += 1  # the superior stands on the line below the command
    assert message(book.built) == f"{book.scenario}, line {line}: {said}"


@pytest.mark.parametrize(
    ("strength", "said"),
    [
        ('{ "1-1-rw/59-il" = -3 }', "1-1-rw/59-il cannot have strength -3; its counter allows 1 to 8"),
        ('{ "1-1-rw/59-il" = 0 }', "1-1-rw/59-il cannot have strength 0; its counter allows 1 to 8"),
        (
            '{ "1-1-rw/59-il" = "5" }',
            '1-1-rw/59-il has no sections to count ("5"); right would be a number without quotes, 1 to 8',
        ),
        ('{ "1-1-rw/59-il" = 9 }', "1-1-rw/59-il cannot have strength 9; its counter allows 1 to 8"),
        ('{ "1-1-rw/22-in" = 5 }', '"1-1-rw/22-in" is not among the units of this hex; did you mean "1-1-rw/59-il"?'),
    ],
)
def test_bad_strengths(book, message, strength, said):
    line = book.change(book.scenario, STACK, f"{STACK}strength = {strength}\n") + 1
    assert message(book.built) == f"{book.scenario}, line {line}: setup.2.strength: {said}"


def test_strength_and_heading_of_a_set_up(book):
    book.change(book.scenario, STACK, f'{STACK}strength = {{ "1-1-rw/59-il" = 5 }}\nheading = "NNW"\n')
    battle = book.built().battle
    unit = next(unit for unit in battle.units if unit.id == "1-1-rw/59-il")
    assert (unit.start, unit.strength, unit.full, unit.heading) == (5, 5, 8, 11)


def test_a_stack_over_its_limit(book, message):
    """8.11: the audit of the set-up counts the strength points in a hex."""
    text = book.scenario.read_text()
    for ident in ("1-1-rw/22-in", "1-1-rw/74-il", "1-1-rw/75-il"):
        text = text.replace(f'units = ["{ident}"]', "units = []")
    text = text.replace(STACK, 'units = ["1-1-rw/59-il", "1-1-rw/22-in", "1-1-rw/74-il", "1-1-rw/75-il"]\n')
    book.scenario.write_text(text)
    line = text[: text.index('hex = "C3014"')].count("\n")
    said = message(book.built)
    assert said.startswith(f"{book.scenario}, line {line}: setup.2: the set-up is illegal: C3014: 27 SP ")


def test_sides_without_units(book, message):
    text = book.scenario.read_text()
    start, end = text.index('[[setup]]\nhex = "C4515"'), text.index("[[objective]]")
    book.scenario.write_text(text[:start] + text[end:])
    assert message(book.built).endswith(": setup: the Confederate side has no unit; each side needs at least one")


def test_two_superiors_for_one_command(book, message):
    extra = '[[superior]]\ncommand = "Confederate/1/2/P"\nsuperior = "2/P"\nsource = "reconstructed"\n\n[victory]'
    line = book.change(book.scenario, "[victory]", extra) + 1
    assert message(book.built) == (
        f"{book.scenario}, line {line}: superior.3.command: Confederate/1/2/P has two superiors, 1/P and 2/P; "
        "a command has one"
    )


def test_changes_of_superior_are_those_of_the_battle(book):
    battle = book.built().battle
    loomis = next(brigade for brigade in battle.brigades if brigade.code == "1/2/P")
    assert loomis.superior.code == "1/P"
    assert loomis in loomis.superior.subordinates
    assert [division.code for division in battle.divisions] == ["1/RW", "1/P"]
    assert [army.code for army in battle.armies] == ["AoC", "AoT"]


def test_ids_and_paths(book, message):
    assert "dead_of_winter/skirmish" in names()
    assert load("dead_of_winter/skirmish").id == "dead_of_winter/skirmish"
    assert message(load, "dead_of_winter/skirmsh") == (
        'unknown scenario "dead_of_winter/skirmsh"; did you mean "dead_of_winter/skirmish"?'
    )
    assert message(load, "none.toml") == "none.toml: no such file"
    own = load(book.scenario)
    assert (own.id, own.path) == ("dead_of_winter/skirmish", book.scenario)
    line = book.change(book.scenario, 'book = "dead_of_winter"', 'book = "dead_of_wintr"')
    assert message(load, book.scenario) == (
        f'{book.scenario}, line {line}: scenario.book: unknown book "dead_of_wintr"; did you mean "dead_of_winter"?'
    )


def test_an_id_that_is_none(book, message):
    line = book.change(book.scenario, 'id = "dead_of_winter/skirmish"', 'id = "Skirmish"')
    said = message(read_scenario, book.scenario, book.folder.parent)
    assert said.startswith(f"{book.scenario}, line {line}: scenario.id: ")
    assert "'Skirmish'" in said
