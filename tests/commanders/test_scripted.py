"""The scripted commander: what the script says happens, and what it leaves open is as the doctrine has it."""

from pathlib import Path

import pytest

from simkit.errors import InputError
from simkit.model.forces import ADVANCE, ATTACK
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.game import Observer
from simkit.scenario.commanders import resolve

OPENING = str(Path(__file__).with_name("opening.toml"))
ILLINOIS = "2-1-rw/21-il"
UNION = 0


class Diary(Observer):
    """Remembers after each activation who acted, and the place and heading of every unit."""

    def __init__(self):
        self.pages = []

    def deployed(self, game):
        self.start = self.written(game)
        self.orders = {brigade.code: brigade.orders for brigade in game.battle.brigades}

    def after_activation(self, game):
        acted = [command.code for command in game.series.activation.current]
        self.pages.append((acted, self.written(game)))

    def written(self, game):
        return {unit.id: (unit.hex.id, HEADING_NAMES[unit.heading]) for unit in game.battle.units}

    def activation(self, code, number):
        """What was written after an activation of a brigade, counted from 1."""
        return [page for acted, page in self.pages if code in acted][number - 1]


@pytest.fixture
def opened(match):
    """A battle played by the opening against a side that does what a doctrine says: game and diary."""

    def play(run=0, confederate="cautious", script=OPENING):
        game = match(script, confederate)
        diary = Diary()
        game.watch(diary)
        game.play(run)
        return game, diary

    return play


@pytest.fixture
def script(tmp_path):
    def write(orders, doctrine="steady", side="Union"):
        path = tmp_path / "script.toml"
        head = f'[script]\nname = "test"\nside = "{side}"\ndoctrine = "{doctrine}"\n'
        path.write_text(head + "".join(f"[[order]]\n{order}\n" for order in orders), encoding="utf-8")
        return str(path)

    return write


def own(game, unit, *kinds):
    """What a unit did in its own side's activations."""
    active = {event.activation for event in game.log.events if event.kind == "activation" and event.side == UNION}
    return [
        event for event in game.log.events
        if event.unit == unit and event.kind in kinds and event.activation in active
        and event.mode in ("", "phasing", "shock")
    ]


def test_a_unit_goes_to_its_hex_and_faces_as_ordered(opened):
    _, diary = opened()
    assert diary.start[ILLINOIS][0] == "C3610"
    assert diary.activation("2/1/RW", 1)[ILLINOIS] == ("C3711", "SSE")


def test_in_its_second_activation_it_stays_and_turns(opened):
    _, diary = opened()
    assert diary.activation("2/1/RW", 2)[ILLINOIS] == ("C3711", "E")


@pytest.mark.parametrize("run", range(3))
def test_a_brigade_that_waits_does_nothing_of_its_own_will(opened, run):
    game, diary = opened(run, "aggressive")
    posts = [unit for unit in game.battle.units if unit.command.code == "1/1/RW"]
    assert len(posts) == 5
    assert [own(game, unit.id, "move", "face", "fire", "shock", "rally") for unit in posts] == [[]] * 5
    assert sum("1/1/RW" in acted for acted, _ in diary.pages) > 1


@pytest.mark.parametrize("run", range(3))
def test_a_brigade_that_holds_does_not_move(opened, run):
    game, _ = opened(run, "aggressive")
    woodruffs = [unit for unit in game.battle.units if unit.command.code == "3/1/RW"]
    assert [own(game, unit.id, "move") for unit in woodruffs] == [[]] * len(woodruffs)


def test_a_brigade_that_attacks_goes_over_to_attack_orders_and_towards_its_hex(opened, skirmish):
    _, diary = opened()
    assert (diary.orders["2/1/RW"], diary.orders["1/1/RW"]) == (ATTACK, ADVANCE)
    goal = skirmish.battle.map.named("C4214")

    def away(page):
        carlins = [place for unit, (place, _) in page.items() if unit.startswith("2-1-rw/") and unit != ILLINOIS]
        there = [skirmish.battle.map.named(place) for place in carlins if place]
        return sum(place.distance_to(goal) for place in there) / len(there)

    assert away(diary.activation("2/1/RW", 2)) <= away(diary.start) - 2


def test_what_the_script_leaves_open_is_as_the_doctrine_has_it(match, script):
    """A script that says nothing for the turn that is played plays every battle as its doctrine does."""
    path = script(['turn = 1\nactivation = 9\nbrigade = "1/1/RW"\ndo = "wait"'], "steady")
    digests = []
    for union in (path, "steady", "aggressive"):
        game = match(union, "cautious")
        game.play(4)
        digests.append(game.battle.digest())
    assert digests[0] == digests[1] != digests[2]


def test_orders_of_one_activation_leave_the_other_activations_open(match, script):
    diaries = []
    for activations in ("activation = 1\n", ""):
        game = match(script([f'turn = 1\n{activations}brigade = "2/1/RW"\ndo = "wait"'], "aggressive"), "cautious")
        diaries.append(Diary())
        game.watch(diaries[-1])
        game.play(0)
    once, always = diaries

    def places(page):
        return {unit: place for unit, place in page.items() if unit.startswith("2-1-rw/")}

    assert places(once.activation("2/1/RW", 1)) == places(once.start)
    assert places(once.activation("2/1/RW", 2)) != places(once.start)
    assert places(always.activation("2/1/RW", 1)) == places(always.start)


def test_a_hex_beyond_one_activation_is_reached_in_several(match, script):
    game = match(script([f'turn = 1\nunit = "{ILLINOIS}"\ndo = "move"\nto = "C3418"']), "cautious")
    diary = Diary()
    game.watch(diary)
    game.play(0)
    goal = game.battle.map.named("C3418")
    ways = [diary.start[ILLINOIS], *(diary.activation("2/1/RW", number)[ILLINOIS] for number in (1, 2, 3))]
    away = [game.battle.map.named(place).distance_to(goal) for place, _ in ways]
    assert away == sorted(away, reverse=True)
    assert away[0] > away[1] > away[2]
    assert away[-1] <= 1


def test_march_orders_that_the_rules_forbid_are_left_to_the_doctrine(match, script, auditor):
    """A script may ask for a march for a whole turn; close to the enemy nobody may, and play goes on."""
    orders = [f'turn = 1\nbrigade = "{code}"\ndo = "hold"\norders = "March"' for code in ("1/1/RW", "2/1/RW", "3/1/RW")]
    game = match(script(orders), "aggressive")
    game.watch(auditor)
    for run in range(2):
        game.play(run)
    assert auditor.faults == []


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ('turn = 1\nunit = "2-1-rw/21-li"\ndo = "wait"', "21-il"),
        ('turn = 1\nbrigade = "4/1/P"\ndo = "wait"', 'no Union brigade "4/1/P"'),
        ('turn = 1\nbrigade = "2/1/RW"\ndo = "move"\nto = "C9999"', "C9999"),
        ('turn = 1\nbrigade = "2/1/RW"\ndo = "attack"', "needs a hex"),
        ('turn = 1\nbrigade = "2/1/RW"\ndo = "hold"\nto = "C3711"', "takes no hex"),
        ('turn = 0\nbrigade = "2/1/RW"\ndo = "hold"', "turn"),
        ('turn = 1\nbrigade = "2/1/RW"\nunit = "2-1-rw/21-il"\ndo = "hold"', "exactly one"),
    ],
)
def test_a_wrong_order_is_refused_with_its_place(skirmish, script, order, said):
    path = script([order])
    with pytest.raises(InputError, match=said) as raised:
        resolve(path, "Union", skirmish)
    assert path in str(raised.value)


def test_a_script_is_for_its_side_alone(skirmish):
    with pytest.raises(InputError, match="Union side's, not for Confederate"):
        resolve(OPENING, "Confederate", skirmish)
