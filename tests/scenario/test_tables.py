"""Tables of scenario files for set-up, victory, optional forces and the rest: what they make, and bad input."""

import pytest

from simkit.scenario.builder import build
from simkit.scenario.check import check
from simkit.scenario.forcesfile import Area
from simkit.scenario.places import hexes_of
from simkit.scenario.provenance import provenance
from simkit.scenario.scenariofile import read_scenario

VICTORY = "[victory]\n"
POINTS = """[victory]
kind = "points"
text = "Points."
ladder = [
  { level = "win", winner = "Confederate", least = 1 },
  { level = "draw", least = 0 },
  { level = "win", winner = "Union" },
]
source = "printed"

"""
LAST = "[[objective]]\n"


def tables(book, text, old=LAST):
    """The scenario with further tables; gives the number of the line where they begin."""
    return book.change(book.scenario, old, f"{text}\n{LAST if old == LAST else ''}")


def built(book, **options):
    return build(read_scenario(book.scenario, book.folder.parent), options)


def points(book, text=""):
    """The scenario decided by points instead."""
    path = book.scenario
    whole = path.read_text(encoding="utf-8")
    start = whole.index(VICTORY)
    end = whole.index("[[setup]]")
    path.write_text(whole[:start] + POINTS + text + whole[end:], encoding="utf-8")


# -- areas -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ground():
    from simkit.scenario import load

    return build(load("dead_of_winter/skirmish")).battle.map


def ids(areas, ground):
    return [place.id for place in hexes_of([Area(**area) for area in areas], ground)]


def test_areas_are_blocks_of_sheets_lists_ways_and_banks(ground):
    assert ids([{"sheet": "C", "columns": [10, 11], "rows": [3, 4]}], ground) == ["C1003", "C1004", "C1103", "C1104"]
    assert ids([{"hexes": ["C2005", "C1003"]}, {"sheet": "C", "columns": [10, 10], "rows": [3, 4]}], ground) == [
        "C1003", "C1004", "C2005",
    ]
    whole = ids([{"sheet": "C"}], ground)
    assert len(whole) == len(ground.hexes)
    way = ids([{"along": ["C1019", "C3019"]}], ground)
    assert {"C1019", "C3019"} <= set(way)
    assert len(way) >= 21
    bank = ids([{"bank_of": "C3108"}], ground)
    assert "C3108" in bank
    assert len(bank) <= len(whole)


@pytest.mark.parametrize(
    ("area", "what"),
    [
        ({"sheet": "X"}, "there is no sheet X"),
        ({"sheet": "C", "rows": [40, 50]}, "sheet C has no hex in play there"),
        ({"hexes": ["C1040"]}, "hex C1040 is not in play"),
        ({"along": ["C1001", "C4801"]}, "no road leads from C1001 to C4801"),
    ],
)
def test_an_area_that_is_none(ground, area, what):
    with pytest.raises(ValueError, match=what):
        ids([area], ground)


@pytest.mark.parametrize(
    ("area", "what"),
    [
        ("{}", "an area needs just one of sheet, hexes, along and bank_of"),
        ('{ sheet = "C", hexes = ["C3108"] }', "an area needs just one of"),
        ('{ along = ["C1019"] }', "along: name two hexes"),
        ('{ hexes = ["C3108"], rows = [1, 2] }', "rows: they are counted on a sheet"),
        ('{ sheet = "C", rows = [9, 2] }', "rows: must run from the lower to the higher"),
    ],
)
def test_an_area_that_cannot_be_read(book, message, area, what):
    tables(book, f'[[movement_limit]]\narea = [{area}]\nsource = "printed"\n')
    assert what in message(built, book)


# -- set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('hex = "C3108"\n', "", "just one of hex, leader and area"),
        ('hex = "C3108"\n', 'leader = "rw/mccook"\n', "leader: add within or command_range"),
        ('hex = "C3108"\n', 'hex = "C3108"\ncommand_range = true\n', "command_range: of which leader?"),
        ('hex = "C3108"\n', 'area = [{ sheet = "C" }]\nwithin = 2\n', "within: it is counted from a hex or a leader"),
        ('hex = "C3108"\n', 'hex = "C3108"\nbut = ["a/b"]\n', "but: it takes units away from commands"),
        ('hex = "C3108"\n', 'hex = "C3108"\ncommands = ["Union/9/RW"]\n', 'unknown Union command "9/RW"'),
        ('hex = "C3108"\n', 'hex = "C3108"\ncommands = ["9/RW"]\n', "must begin with Union/ or Confederate/"),
        ('hex = "C3108"\n', 'hex = "C3108"\nreplaced = ["2-1-rw/carlin"]\n', "is not among the leaders of this table"),
        ('hex = "C3108"\n', 'hex = "C3108"\ndisordered = ["2-1-rw/38-il"]\n', "is not among the units of this hex"),
        ('hex = "C3108"\n', 'hex = "C3108"\ncollapsed = ["escort-rw/escort-rw"]\n', "below half it can be (12.23)"),
        ('hex = "C3213"\n', 'hex = "C3213"\nwithin = 1\nclear_of_enemy = 39\n', "no hex is so far from the enemy"),
        ('hex = "C3213"\n', 'leader = "2-rw/johnson"\nwithin = 3\n', 'no leader "2-rw/johnson" on the map'),
    ],
)  # fmt: skip
def test_a_set_up_that_cannot_be(book, message, old, new, what):
    book.change(book.scenario, old, new)
    assert what in message(built, book)


def test_whole_commands_are_set_up_by_name_but_for_those_left_out(book):
    text = """[[setup]]
hex = "C1505"
within = 3
commands = ["Union/2/RW"]
but = ["2-rw/johnson", "1-2-rw/89-il"]
source = "printed"

[[off_map]]
state = "not in play"
units = ["1-2-rw/89-il"]
source = "printed"
"""
    tables(book, text)
    book.change(book.scenario, "[efficiency]\n", "[efficiency]\npool = { Union = [1] }\n")
    battle = built(book).battle
    own = {unit.id for unit in battle.units if unit.command.division().code == "2/RW"}
    assert len(own) > 10
    assert "1-2-rw/89-il" not in own
    assert {leader.id for leader in battle.leaders} >= {"1-2-rw/willich", "2-2-rw/kirk", "3-2-rw/baldwin"}
    assert "2-rw/johnson" not in {leader.id for leader in battle.leaders}
    assert check(book.scenario).startswith("scenario: ")


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ('state = "routed"\nunits = ["1-1-rw/59-il"]', "is set up twice"),
        ('state = "routed"\nunits = ["a-1"]', 'unknown unit "a-1"'),
        ('state = "routed"\nunits = ["1-2-rw/a-1-oh-bty"]', "guns are abandoned, they don't rout (12.53)"),
        ('state = "eliminated"\nleaders = ["2-rw/johnson"]', "a leader can be not in play"),
        ('state = "not in play"\nunits = ["1-1-rw/75-il"]', "another table says that it is not in play"),
        ('state = "gone"\nunits = ["1-1-rw/75-il"]', "must be 'routed', 'eliminated' or 'not in play'"),
    ],
)
def test_who_cannot_be_off_the_map(book, message, table, what):
    if "1-2-rw/a-1-oh-bty" in table:
        text = book.units.read_text(encoding="utf-8")
        row = next(line for line in text.splitlines() if line.startswith("Union,1/2/RW,") and ",artillery," in line)
        name = row.split(",")[2].lower().replace(" ", "-").replace("/", "-")
        table = table.replace("a-1-oh-bty", name)
    tables(book, f'[[off_map]]\n{table}\nsource = "printed"\n')
    assert what in message(built, book)


def test_an_eliminated_unit_has_no_strength_and_counts_as_lost_from_the_start(book):
    table = '{}\nunits = ["1-1-rw/75-il"]'
    lost = table.format('[[off_map]]\nstate = "eliminated"')
    book.change(book.scenario, table.format('[[setup]]\nhex = "C3213"'), lost)
    unit = next(unit for unit in built(book).battle.units if unit.id == "1-1-rw/75-il")
    assert (unit.strength, unit.start, unit.losses(), unit.hex.id) == (0, 0, 0, "")


def test_check_wants_everybody_of_a_brigade_placed(book, message):
    book.change(book.scenario, '[[setup]]\nhex = "C3213"\nunits = ["1-1-rw/75-il"]\nsource = "printed"\n', "")
    told = message(check, book.scenario)
    assert told.endswith(
        "1-1-rw/75-il of Union/1/1/RW is nowhere: place it, or name it in an [[off_map]] table as not in play"
    )


# -- victory -----------------------------------------------------------------------------------------------------------


def test_the_book_counts_commands_in_the_battle_and_ground_in_play(book):
    points(book)
    found = built(book).rules.conditions
    assert {(prize.command.code, int(prize.points)) for prize in found.prizes} == {("1/P", 4), ("1/RW", 3)}
    assert [[place.id for place in ground.hexes] for ground in found.grounds] == [["C3019"]] or not found.grounds


def test_a_scenario_s_own_entry_goes_before_the_book_s(book):
    points(book, '[[victory.enemy]]\ncommand = "Union/1/RW"\npoints = 9\nsource = "printed"\n\n')
    prizes = built(book).rules.conditions.prizes
    assert [(prize.command.code, int(prize.points)) for prize in prizes] == [("1/RW", 9), ("1/P", 4)]
    frame = provenance(read_scenario(book.scenario, book.folder.parent))
    rows = dict(zip(frame["item"], frame["value"], strict=True))
    assert rows["victory points for Union/1/RW"] == "9"
    assert rows["victory points for Confederate/1/P"] == "4"
    assert rows["victory, kind"] == "points"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('kind = "points"', 'kind = "regiments"', "regiments has no ladder"),
        ('kind = "points"', 'kind = "effectiveness"', "effectiveness needs commands that count"),
        ('kind = "points"', 'kind = "points"\ncommands = ["Union/1/RW"]', "points counts no commands here"),
        ('kind = "points"', 'kind = "points"\nbook_points = false', "nothing in this battle brings points"),
        ('kind = "points"', 'kind = "glory"', 'unknown kind "glory"'),
        (", least = 1 }", " }", "the last rung, and no other, must leave least out"),
        ("least = 1 }", "least = -1 }", "from the highest least to the lowest"),
        ('winner = "Confederate", least = 1', 'winner = "Union", least = 1', "Confederate victories come first"),
    ],
)  # fmt: skip
def test_a_victory_that_cannot_be(book, message, old, new, what):
    points(book)
    book.change(book.scenario, old, new)
    assert what in message(built, book)


# -- efficiency, sight, attachment, limits, withdrawals, surprise ------------------------------------------------------


RETURN = """[[withdrawal]]
turn = 1
units = ["1-1-rw/75-il"]
source = "printed"
returns = { turn = 1, hexes = ["C1019"] }"""


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ('[[efficiency.period]]\nfirst_turn = 2\nsource = "printed"', "there is no turn 2"),
        ('[[efficiency.period]]\nfixed = { "Union/9" = 1 }\nsource = "printed"', 'no command "Union/9"'),
        ('[[efficiency.added]]\nside = "Union"\nmarkers = [1]\nleader = "a/b"\nsource = "printed"', "no leader"),
        ('[[visibility]]\nhexes = 2\nsource = "printed"', "it needs turns or light, and not both"),
        ('[[visibility]]\nhexes = 2\nlight = ["night"]\nsource = "printed"', "no turn is night"),
        ('[[attachment]]\nunits = ["a/b"]\ncommand = "Union/1/RW"\nsource = "printed"', 'no unit "a/b" in'),
        ('[[attachment]]\nunits = ["1-1-rw/75-il"]\ncommand = "Confederate/1/P"\nsource = "printed"', "other side"),
        ('[[movement_limit]]\narea = [{ hexes = ["C9999"] }]\nsource = "printed"', "C9999"),
        ('[[movement_limit]]\nleaders = ["a/b"]\narea = [{ sheet = "C" }]\nsource = "printed"', 'no leader "a/b"'),
        ('[[withdrawal]]\nturn = 1\nunits = ["a/b"]\nsource = "printed"', "a/b is not in this battle"),
        ('[[withdrawal]]\nturn = 1\nsource = "printed"', "it has neither units nor leaders"),
        (RETURN, "they come back before they leave, or at once"),
        ('[[late_group]]\nunits = ["1-2-rw/89-il"]\narea = [{ sheet = "C" }]\nhexes = ["C1019"]\nsource = "printed"',
         "late_group and arrival_table belong together"),
        ('[shock_and_awe]\nsurprised = "Union/LW"\nsource = "printed"', 'no command "Union/LW" in this battle'),
        ('[building]\noption = "crests"\nnever = ["Union"]\nsource = "printed"', "no table depends on an option"),
        ('[[optional]]\nid = "x"\nside = "Union"\nunits = ["a/b"]\nsource = "printed"', "forces need an arrival"),
        ('[[optional]]\nid = "x"\nside = "Union"\narrival = "a"\nsource = "printed"', "and nothing else does"),
        ('[arrival_table]\nfirst = [{ set_up = true, day = "a" }]\nsecond = [{ hour = "1" }]\nsource = "printed"',
         "a line of the table brings set_up or a day, and not both"),
        ('[arrival_table]\nfirst = [{ most = 3, set_up = true }]\nsecond = [{ hour = "1" }]\nsource = "printed"',
         "the last line, and no other, must leave most out"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be(book, message, table, what):
    tables(book, f"{table}\n")
    assert what in message(built, book)


def test_21_1_and_21_3_hold_only_with_their_options(book):
    tables(book, '[building]\noption = "late_breastworks"\nnever = ["Union"]\nsource = "printed"\n\n'
                 '[[fatigue_ignored]]\noption = "fresh_confederates"\nside = "Confederate"\nturns = [1]\n'
                 'source = "printed"\n')
    for options in ({}, {"late_breastworks": "yes"}, {"fresh_confederates": "yes"}):
        rules = built(book, **options).rules
        assert rules.may_build(0, 0) == ("late_breastworks" not in options)
        assert rules.tires(1, 0) == ("fresh_confederates" not in options)


# -- optional forces (20.0) --------------------------------------------------------------------------------------------

OPTIONAL = """[[optional]]
id = "Johnson"
side = "Union"
price = 3
leaders = ["2-rw/johnson"]
commands = ["Union/1/2/RW"]
arrival = "December 30th, 1300"
hexes = ["C1019"]
set_up = { leader = "1-rw/davis", within = 6, clear_of_enemy = 4 }
set_up_price = 1
by_day = true
source = "printed"

[[optional]]
id = "Baldwin"
side = "Union"
price = 1
needs = ["Johnson"]
commands = ["Union/3/2/RW"]
arrival = "January 1st, 0600"
hexes = ["C1019"]
set_up = { leader = "1-rw/davis", within = 8 }
set_up_price = 1
by_day = true
superior = ["Union/1/RW", "Union/2/RW"]
source = "printed"

[[optional]]
id = "Wharton"
side = "Confederate"
price = 2
leaders = ["2-p/withers"]
replaces = "1-p/cheatham"
pool = [4]
pool_leader = "2-p/withers"
initiative = true
source = "printed"
"""


@pytest.fixture
def optional(book):
    points(book)
    pool = "pool = { Union = [1, 2, 3, 4], Confederate = [1, 2, 3] }\n"
    book.change(book.scenario, "[efficiency]\n", f"[efficiency]\n{pool}")
    tables(book, OPTIONAL)
    return book


def test_20_1_forces_are_bought_with_points_for_the_enemy(optional):
    plain = built(optional)
    assert plain.rules.conditions.credit == [0, 0]
    assert not any(unit.id.startswith("1-2-rw/") for unit in plain.battle.units)
    bought = built(optional, optional="Johnson")
    assert bought.rules.conditions.credit == [0, 3]
    coming = [unit for unit in bought.battle.units if unit.id.startswith("1-2-rw/")]
    assert coming
    assert all(unit.arrival is not None and unit.hex.id == "" for unit in coming)
    assert {leader.id for leader in bought.battle.reinforcements[0].leaders} == {"2-rw/johnson", "1-2-rw/willich"}


def test_20_2_any_battle_that_counts_points_may_use_them(optional):
    """20.2 advises against them on one map, and forbids nothing."""
    assert built(optional, optional="Johnson").rules.conditions.credit == [0, 3]


def test_20_3_forces_set_up_on_the_map_cost_more_for_each_day(optional):
    bought = built(optional, optional="Johnson:map, Baldwin:map")
    assert bought.rules.conditions.credit == [0, 3 + 0 + 1 + 2]  # on the day itself, and two days before January 1st
    davis = next(leader for leader in bought.battle.leaders if leader.id == "1-rw/davis")
    for unit in bought.battle.units:
        if unit.id.startswith("1-2-rw/"):
            assert unit.hex.distance_to(davis.hex) <= 6
            assert all(unit.hex.distance_to(enemy.hex) >= 4 for enemy in bought.battle.units if enemy.side == 1)


@pytest.mark.parametrize(
    ("superiors", "chosen"),
    [
        ('["Union/1/RW", "Union/2/RW"]', "2/RW"),  # two brigades in the battle, and one
        ('["Union/1/RW", "Union/3/RW"]', "3/RW"),  # two, and none
        ('["Union/2/RW", "Union/3/RW"]', "3/RW"),  # one, and none
        ('["Union/3/RW", "Union/1/C"]', "3/RW"),  # none in either: the first
        ('["Union/1/C", "Union/3/RW"]', "1/C"),
        ('["Union/3/RW"]\nsuperior_without = "Johnson"', "2/RW"),  # its own
        ('["Union/3/RW"]\nsuperior_without = "Wharton"', "3/RW"),
    ],
)
def test_20_4_they_serve_under_the_commander_with_fewer_divisions(optional, superiors, chosen):
    optional.change(optional.scenario, '["Union/1/RW", "Union/2/RW"]', superiors)
    command = next(c for c in built(optional, optional="Johnson,Baldwin:map").battle.brigades if c.code == "3/2/RW")
    assert command.superior.code == chosen
    assert command in command.superior.subordinates


JOINING = """[[optional]]
id = "McCook"
side = "Union"
price = 1
needs = ["Johnson", "Baldwin"]
joins = ["Johnson", "Baldwin"]
units = ["escort-cav/d-1-oh-cav"]
leaders = ["2-1-rw/carlin"]
source = "printed"
"""


@pytest.fixture
def joining(optional):
    """With forces that come with one of two others; the leader is free, for nobody of the scenario is he."""
    optional.change(optional.scenario, '"2-1-rw/carlin"', "")
    tables(optional, JOINING)
    return optional


@pytest.mark.parametrize(
    ("how", "other"), [("", "1/2/RW"), (":Johnson", "1/2/RW"), (":Baldwin", "3/2/RW"), (" : Baldwin", "3/2/RW")]
)
def test_20_4_forces_arrive_with_those_whom_they_join(joining, how, other):
    bought = built(joining, optional=f"McCook{how},Johnson,Baldwin:map")
    escort = next(unit for unit in bought.battle.units if unit.id == "escort-cav/d-1-oh-cav")
    carlin = next(leader for leader in bought.battle.leaders if leader.id == "2-1-rw/carlin")
    friend = next(unit for unit in bought.battle.units if unit.command.code == other)
    assert escort.arrival is friend.arrival
    assert carlin.arrival is friend.arrival
    assert bought.rules.conditions.credit == [0, 1 + 3 + 1 + 2]  # nothing more for the map
    if other == "3/2/RW":
        davis = next(leader for leader in bought.battle.leaders if leader.id == "1-rw/davis")
        assert escort.hex.distance_to(davis.hex) <= 8
        assert carlin.hex.distance_to(davis.hex) <= 8


@pytest.mark.parametrize(
    ("wanted", "what"),
    [
        ("Johnson,Baldwin:map,McCook:map", '"McCook:map" cannot be; it can be McCook:Johnson or McCook:Baldwin'),
        ("Johnson,Baldwin:map,McCook:Baldwn", '"McCook:Baldwn" cannot be; it can be McCook:Johnson or McCook:Baldwin'),
        ("Johnson:Baldwin", '"Johnson:Baldwin" cannot be; it can be Johnson:map'),
        ("Johnson:", '"Johnson:" cannot be; it can be Johnson:map'),
        ("Wharton:map", '"Wharton:map" cannot be; it has no forces that could be set up'),
        ("Johnson,McCook", "McCook needs Baldwin too"),
    ],
)
def test_a_way_of_coming_that_cannot_be(joining, message, wanted, what):
    assert what in message(built, joining, optional=wanted)


def test_forces_cannot_join_a_package_that_brings_none(joining, message):
    joining.change(joining.scenario, 'joins = ["Johnson", "Baldwin"]', 'joins = ["Wharton"]')
    joining.change(joining.scenario, 'needs = ["Johnson", "Baldwin"]', 'needs = ["Wharton"]')
    told = message(built, joining, optional="McCook,Wharton")
    assert "McCook cannot come with Wharton, which brings no forces onto the map" in told


def test_20_4_a_leader_takes_another_s_place_and_brings_markers_and_initiative(optional):
    bought = built(optional, optional="Wharton")
    withers = next(leader for leader in bought.battle.leaders if leader.id == "2-p/withers")
    assert withers.hex.id == "C4515"
    assert not any(leader.id == "1-p/cheatham" for leader in bought.battle.leaders)
    assert bought.rules.pool(1, 0) == [1, 2, 3, 4]
    assert bought.rules.first_initiative == 1
    assert bought.rules.conditions.credit == [2, 0]


@pytest.mark.parametrize(
    ("wanted", "what"),
    [
        ("Jonson", 'no forces "Jonson"; did you mean "Johnson"?'),
        ("Johnson,Johnson", "Johnson is chosen twice"),
        ("Baldwin", "Baldwin needs Johnson too"),
        ("Johnson,Baldwin", 'Baldwin arrives at "January 1st, 0600", after'),
    ],
)
def test_a_choice_of_forces_that_cannot_be(optional, message, wanted, what):
    assert what in message(built, optional, optional=wanted)


def test_20_1_forces_with_a_price_need_a_battle_that_counts_points(book, message):
    tables(book, OPTIONAL)
    assert "need a battle that counts points (20.1)" in message(built, book, optional="Johnson")
