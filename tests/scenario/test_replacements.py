"""12.75: a roster names the person who replaces a leader; the rules find him where he serves already."""

from simkit.rules.options import Options
from simkit.rules.series import Series


def test_12_75_a_replacement_of_the_name_of_a_lower_leader_is_that_person(book):
    """12.75: Davis falls, and Carlin, who leads one of his brigades in the skirmish, takes the division."""
    book.change(book.leaders, "Replacement of Davis", "Carlin")
    battle = book.built().battle
    davis = next(leader for leader in battle.leaders if leader.front.name == "Davis")
    carlin = next(leader for leader in battle.leaders if leader.front.name == "Carlin")
    others = [leader for leader in battle.leaders if leader not in (davis, carlin)]
    series = Series(battle, Options())
    assert series.results.promote(davis)
    assert carlin.replaced and not any(leader.replaced for leader in others)


def test_12_76_and_if_he_has_fallen_the_first_brigade_gives_its_leader(book):
    """12.76: with Carlin (2/1/RW) out of the game it is Post of the first brigade."""
    book.change(book.leaders, "Replacement of Davis", "Carlin")
    battle = book.built().battle
    by_name = {leader.front.name: leader for leader in battle.leaders}
    by_name["Carlin"].casualty = True
    series = Series(battle, Options())
    assert series.results.promote(by_name["Davis"])
    assert by_name["Post"].replaced and not by_name["Carlin"].replaced
