"""Event markers in scenario files (5.31, 19.0 of the books), and every kind of bad input."""

import pytest

from simkit.errors import InputError

VICTORY = "[victory]\n"


def test_5_31_a_scenario_with_random_events_has_one_marker_a_turn(book):
    book.change(book.scenario, "random_events = false", "random_events = true")
    rules = book.built().rules
    assert [(markers.chart.name, markers.number, markers.first, markers.last) for markers in rules.events] == [
        ("Random Events", 1, 0, 0)
    ]


def test_5_31_markers_that_a_battle_brings_of_its_own(book):
    table = '[[event_marker]]\nchart = "random_events.toml"\nnumber = 2\nsource = "printed"\n\n'
    book.change(book.scenario, VICTORY, table + VICTORY)
    assert [markers.number for markers in book.built().rules.events] == [2]


def test_5_31_the_last_turn_of_one_marker_is_not_that_of_the_next(book):
    turn = '[[turn]]\nlabel = "December 30th, 1300"\nlight = "day"\n'
    book.change(book.scenario, turn, turn + turn.replace("1300", "1400"))
    table = '[[event_marker]]\nchart = "random_events.toml"\nsource = "printed"\n'
    book.change(book.scenario, VICTORY, f"{table}last_turn = 1\n\n{table}\n{VICTORY}")
    assert [markers.last for markers in book.built().rules.events] == [0, 1]


@pytest.mark.parametrize(("table", "complaint"), [
    ('chart = "battle_events.toml"', "the book has no file battle_events.toml"),
    ('chart = "random_events.toml"\nfirst_turn = 9', "there is no turn 9"),
    ('chart = "random_events.toml"\nnumber = 0', "number"),
])
def test_5_31_bad_markers_are_refused(book, table, complaint):
    book.change(book.scenario, VICTORY, f'[[event_marker]]\n{table}\nsource = "printed"\n\n{VICTORY}')
    with pytest.raises(InputError, match=complaint):
        book.built()
