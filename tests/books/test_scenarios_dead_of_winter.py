"""The scenarios of Dead of Winter against what the book prints of them; the skirmish has a file of its own."""

from functools import cache
from pathlib import Path

import pytest

from simkit.model.battle import DAWN, DUSK, NIGHT
from simkit.model.forces import NOT_ENTERED, ON_MAP, ROUTED, SIDES, WITHDRAWN
from simkit.model.hexgrid import distance
from simkit.model.log import BattleLog
from simkit.play.audit import audit
from simkit.play.game import Game, Observer
from simkit.rules.commander import Commander
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.check import check
from simkit.scenario.commanders import resolve
from simkit.scenario.study import read_study

STUDIES = Path(__file__).parents[2] / "studies"

# By scenario: turns; who begins; for either side the units that the book names on the map, routed, and later on; the
# strengths that it prints for them, and their sum in points and guns.
FACTS = {
    "dawn_attack": (4, "Confederate", (37, 0, 0, 2, 15), (43, 0, 21, 0, 0)),
    "hardee_at_high_tide": (6, "Confederate", (70, 13, 17, 36, 177), (52, 0, 28, 52, 214)),
    "doomed_assault": (4, "Confederate", (19, 0, 0, 8, 30), (59, 0, 0, 33, 140)),
    "last_ditch": (9, "Confederate", (120, 13, 15, 36, 177), (106, 0, 28, 52, 214)),
    "eerie_silence": (12, None, (145, 0, 0, 111, 564), (91, 0, 0, 72, 312)),
    "something_better": (4, "Confederate", (145, 0, 0, 112, 565), (137, 0, 0, 97, 383)),
    "day_before": (27, None, (83, 0, 66, 0, 0), (134, 0, 3, 0, 0)),
    "day_of_battle": (12, "Confederate", (132, 0, 17, 2, 15), (128, 0, 9, 0, 0)),
    "welcoming_the_new_year": (42, "Confederate", (132, 0, 17, 2, 15), (128, 0, 9, 0, 0)),
    "meeting_engagement": (51, None, (0, 0, 148, 0, 0), (61, 0, 76, 0, 0)),
}

# Units that the book names nowhere; the roster has made them up for commands that the scenarios bring.
UNNAMED = (
    "1-2-c/", "2-3-c/", "3-3-c/", "1-4-c/", "2-4-c/", "1-5-c/", "2-5-c/", "4-cav/", "pioneers/2-bn", "pioneers/3-bn",
    "1-1-s/", "2-1-s/", "3-1-s/", "4-1-s/", "1-2-s/", "2-2-s/", "3-2-s/",
)  # fmt: skip

# What this data adds to lists that leave it out: Breckinridge's division, Semple's battery, 8 KY, an escort.
ADDED = {
    "eerie_silence": ("1-1-h/", "2-1-h/", "3-1-h/", "4-1-h/", "5-1-h/", "4-2-h/semple"),
    "something_better": ("3-3-lw/8-ky",),
    "meeting_engagement": ("escort-cav/",),
}

# One entry in ten or so of the set-ups: scenario, unit, hex, within how many hexes, strength if one is printed.
ENTRIES = """
dawn_attack 2-2-rw/30-in C3315 0 -
dawn_attack 1-1-rw/5-wi-bty C3512 0 -
dawn_attack 2-1-rw/21-il C3409 0 7
dawn_attack 3-3-h/2-ar-mr C4217 0 -
dawn_attack 2-3-h/3-ga-bn C4225 0 -
dawn_attack 1-2-h/1-ar C4819 0 -
dawn_attack 3-cav/murray C4135 3 -
hardee_at_high_tide 2-1-rw/2-mn-bty A3147 0 -
hardee_at_high_tide 2-3-rw/73-il A4147 0 -
hardee_at_high_tide 1-1-c/2-oh A4027 1 -
hardee_at_high_tide 1-1-cav/3-ky-cav A2029 0 -
hardee_at_high_tide 3-2-h/25-tn A2752 0 4
hardee_at_high_tide 4-2-p/34-al A4751 0 5
doomed_assault 1-2-lw/b-1-oh-bty B1527 0 -
doomed_assault 3-3-lw/8-ky B2425 0 -
doomed_assault 5-1-h/8-ms B1242 0 3
doomed_assault 3-1-p/4-tn-pa B1740 2 6
doomed_assault 3-1-h/60-nc B3044 1 4
doomed_assault 4-1-h/byrnes-bty B2537 0 -
last_ditch 1-1-lw/8-in-bty B1525 0 -
last_ditch 1-3-lw/79-in B1234 1 -
last_ditch 3-2-p/24-ms B1851 1 -
last_ditch 2-1-h/45-tn B3638 1 -
last_ditch 4-1-h/6-ky B2340 0 -
eerie_silence 3-1-rw/8-wi-bty A3420 1 3
eerie_silence 3-2-lw/36-in B1627 1 6
eerie_silence 3-3-lw/51-oh B1623 1 -
eerie_silence 1-2-h/5-tn A3449 1 3
eerie_silence 3-3-h/1-ar-mr A3738 1 4
something_better 1-1-c/94-oh A4433 0 7
something_better 1-3-c/31-oh A3627 0 -
something_better 3-cav/2-ga-cav B4431 2 6
something_better 2-2-h/5-ar A2740 0 3
something_better 2-2-p/44-ms B1937 2 -
day_before 3-1-rw/8-wi-bty A1137 1 -
day_before 2-3-lw/86-in A4728 1 -
day_before 2-2-p/44-ms B1944 2 -
day_before 5-1-h/5-ga B4641 1 -
day_before 3-3-h/1-ar-mr D4318 1 -
day_of_battle 3-2-rw/6-in C3006 0 -
day_of_battle provost-c/9-mi A4429 0 -
day_of_battle 1-3-lw/19-oh B1224 1 -
day_of_battle 2-1-h/moses-bty B3843 0 -
day_of_battle 3-2-p/27-ms B1647 0 -
day_of_battle 1-1-p/38-tn B2653 0 -
welcoming_the_new_year 2-2-rw/79-il A2047 0 -
welcoming_the_new_year 1-1-p/8-tn D2604 0 -
meeting_engagement 1-2-p/26-al B2152 1 -
meeting_engagement 4-2-p/34-al D1504 1 -
meeting_engagement 5-1-h/8-ms D4715 1 -
"""


@cache
def built(name):
    return build(load(f"dead_of_winter/{name}"))


def fresh(name):
    made = built(name)
    made.battle.reset()
    return made


def named(name, unit):
    return not unit.id.startswith(UNNAMED + ADDED.get(name, ()))


@pytest.mark.parametrize("name", FACTS)
def test_length_and_first_initiative(name):
    """Of "dead_of_winter/dawn_attack" to "dead_of_winter/meeting_engagement"."""
    made = fresh(name)
    turns, initiative, *_ = FACTS[name]
    assert len(made.battle.turns) == turns
    assert made.scenario.scenario.initiative == initiative
    assert made.rules.first_initiative == (-1 if initiative is None else SIDES.index(initiative))


@pytest.mark.parametrize("name", FACTS)
def test_a_turn_is_as_light_as_its_hour(name):
    """Dawn at 0600, dusk at 1700, three night turns (7.0, 8.0): "dead_of_winter/day_before" and all others."""
    lights = {"0600": DAWN, "1700": DUSK, "1800": NIGHT, "2200": NIGHT, "0200": NIGHT}
    track = [turn.label for turn in built(name).battle.turns]
    assert len(set(track)) == len(track)
    for turn in built(name).battle.turns:
        assert turn.light == lights.get(turn.label[-4:], 0), turn.label


@pytest.mark.parametrize("name", FACTS)
def test_as_many_units_as_the_book_names(name):
    """Of "dead_of_winter/dawn_attack" to "dead_of_winter/meeting_engagement"."""
    made = fresh(name)
    for side, (here, routed, later, *_) in enumerate(FACTS[name][2:]):
        units = [unit for unit in made.battle.units if unit.side == side and named(name, unit)]
        on_map = [unit for unit in units if unit.place == ON_MAP]
        fled = [unit for unit in units if unit.place == ROUTED]
        assert (len(on_map), len(fled)) == (here, routed)
        assert len([unit for unit in units if unit.arrival is not None]) == later
    assert len({unit.id for unit in made.battle.units}) == len(made.battle.units)
    assert audit(made.battle) == []


@pytest.mark.parametrize("name", FACTS)
def test_the_strengths_that_the_book_prints(name):
    """Of "dead_of_winter/dawn_attack" to "dead_of_winter/meeting_engagement"."""
    scenario = built(name).scenario
    printed = {}
    for table in (*scenario.setup, *scenario.off_map, *scenario.reinforcement):
        for ident, strength in table.strength.items():
            assert ident not in printed
            printed[ident] = sum(int(part.split()[0]) for part in str(strength).split(" + "))
    units = {unit.id: unit for unit in fresh(name).battle.units}
    for ident, strength in printed.items():
        assert units[ident].strength == strength
    for side, (*_, count, total) in enumerate(FACTS[name][2:]):
        found = [printed[ident] for ident in printed if units[ident].side == side and named(name, units[ident])]
        assert (len(found), sum(found)) == (count, total)


@pytest.mark.parametrize("entry", ENTRIES.split("\n")[1:-1])
def test_entries_of_the_set_ups(entry):
    """Of "dead_of_winter/dawn_attack" to "dead_of_winter/meeting_engagement"."""
    name, ident, place, within, strength = entry.split()
    battle = fresh(name).battle
    unit = next(unit for unit in battle.units if unit.id == ident)
    centre = battle.map.named(place)
    assert distance(unit.hex.q, unit.hex.r, centre.q, centre.r) <= int(within)
    assert unit.strength == (unit.full if strength == "-" else int(strength))


def test_10_0_groups_that_roll_and_their_rolls():
    """"dead_of_winter/meeting_engagement": 3/RW alone does better from the first turn of December 30th on, at 0200."""
    made = built("meeting_engagement")
    rolled = [
        (made.battle.turns[group.turn].label, "/".join(entrance.hex.id for entrance in group.entrances), group.faces)
        for group in made.battle.reinforcements if group.faces
    ]
    assert rolled == [
        ("December 29th, 1400", "A1041", [1, 2, 3]), ("December 29th, 1400", "C1019", [1, 2, 3]),
        ("December 29th, 1500", "A1025", [1, 2, 3, 4]), ("December 29th, 1700", "A1041", [1]),
        ("December 30th, 0600", "A1401", [1, 2, 3]), ("December 30th, 0600", "A1041", [1, 2, 3]),
        ("December 30th, 0800", "A1401", [1, 2, 3]), ("December 31st, 0800", "A1401", [1, 2]),
        ("December 31st, 1200", "A1401/A1025", [1, 2]), ("December 31st, 1500", "A1401/A1025/A1041", [1, 2]),
        ("December 31st, 1600", "A1401/A1025/A1041", [1, 2]),
    ]  # fmt: skip
    later = [
        (group.units[-1].command.division().code, group.later_faces, made.battle.turns[group.later_from].label)
        for group in made.battle.reinforcements if group.later_faces
    ]
    assert later == [("3/RW", [1, 2], "December 30th, 0200")]


def test_9_0_begins_as_8_0():
    """"dead_of_winter/welcoming_the_new_year" differs in length, visibility, reinforcements and withdrawals."""
    day, year = built("day_of_battle").scenario, built("welcoming_the_new_year").scenario
    assert [stack.model_dump(exclude={"rule"}) for stack in year.setup] == [
        stack.model_dump(exclude={"rule"}) for stack in day.setup
    ]
    assert [turn.label for turn in day.turn] == [turn.label for turn in year.turn[:12]]
    assert day.efficiency.pool == year.efficiency.pool
    assert [one.model_dump(exclude={"rule", "sources"}) for one in day.superior] == [
        one.model_dump(exclude={"rule", "sources"}) for one in year.superior
    ]


def test_4_0_holds_the_set_up_of_2_0():
    """"dead_of_winter/last_ditch" carries "dead_of_winter/hardee_at_high_tide" on."""
    first, whole = built("hardee_at_high_tide").scenario, built("last_ditch").scenario
    there = [stack.model_dump(exclude={"rule"}) for stack in whole.setup]
    for stack in first.setup:
        assert stack.model_dump(exclude={"rule"}) in there


POOLS = {
    "hardee_at_high_tide": ("122344", "111223"), "doomed_assault": ("112223344", "111222334"),
    "last_ditch": ("122344", "111223"), "eerie_silence": ("11222334", "11122334"),
    "something_better": ("1223344", "112234"), "day_before": ("122334", "112234"),
    "day_of_battle": ("112223344", "111223334"), "welcoming_the_new_year": ("112223344", "111223334"),
    "meeting_engagement": ("11222233344", "111223334"),
}  # fmt: skip


@pytest.mark.parametrize("name", POOLS)
def test_efficiency_pools(name):
    """Of "dead_of_winter/hardee_at_high_tide" to "dead_of_winter/meeting_engagement"."""
    made = built(name)
    last = len(made.battle.turns) - 1
    for side, markers in ((1, POOLS[name][0]), (0, POOLS[name][1])):
        assert "".join(str(marker) for marker in sorted(made.rules.pool(side, last))) == markers


def test_1_0_8_0_efficiency_of_the_first_turn():
    """"dead_of_winter/dawn_attack", "dead_of_winter/day_of_battle": McCook has a 1, Hardee a 4, Polk a 3."""
    for name, others in (("dawn_attack", {"Cav": 3}), ("day_of_battle", {})):
        made = built(name)
        heads = {command.code: command for command in made.battle.commands}
        wanted = {"H": 4, "P": 3, "RW": 1, **others}
        assert {code: made.rules.fixed_number(heads[code], 0) for code in wanted} == wanted
        assert made.rules.fixed_number(heads["RW"], 1) == -1


@pytest.mark.parametrize("name", ["doomed_assault", "something_better"])
def test_3_0_6_0_five_batteries_are_attached_to_2_lw_from_the_start(name):
    """"dead_of_winter/doomed_assault", "dead_of_winter/something_better": they act whenever 2/LW does, in command."""
    made = fresh(name)
    guns = next(own.command for own in made.battle.artillery if own.command.code == "Guns/LW")
    assert sorted(unit.id for unit in guns.units) == [
        "1-2-lw/b-1-oh-bty", "2-2-lw/f-1-oh-bty", "2-3-lw/7-in-bty", "3-2-lw/h-4-us-bty", "3-2-lw/m-4-us-bty",
    ]
    assert sorted(unit.hex.id for unit in guns.units) == ["B1525", "B1526", "B1527", "B1625", "B1724"]
    activation = made.series.activation
    assert (activation.marker_division(guns).code, activation.takes_part(guns.acts_with)) == ("2/LW", True)
    made.series.equip(KeyedDice(1, 1862), BattleLog(0), [Commander(), Commander()])
    made.series.command.determine()
    assert all(unit.in_command for unit in guns.units)


@pytest.mark.parametrize("name", ["skirmish", *FACTS])
def test_each_scenario_has_a_study_of_its_own(name):
    study = read_study(STUDIES / f"{name}.toml")
    assert (study.scenario, study.runs, len(study.ways())) == (f"dead_of_winter/{name}", 1000, 1)
    assert study.commanders == {"Union": "steady", "Confederate": "steady"}


def test_simkit_check_says_what_a_scenario_is():
    """Of "dead_of_winter/doomed_assault"."""
    told = check(load("dead_of_winter/doomed_assault").path)
    assert told == (
        "scenario: dead_of_winter/doomed_assault, 80 units and 19 leaders in 81 hexes, 22 breastworks, 4 turns"
    )


def test_the_study_of_shock_and_awe_is_sound():
    """Of "dead_of_winter/dawn_attack"."""
    told = check(STUDIES / "shock_and_awe.toml")
    assert told.startswith("study: 1,000 battles of dead_of_winter/dawn_attack, for each")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["optional_forces", "aggressive_bragg"])
def test_studies_of_what_may_be_bought_are_sound(name):
    assert check(STUDIES / f"{name}.toml").startswith("study: 1,000 battles")


@pytest.mark.parametrize("name", FACTS)
def test_both_sides_have_something_to_fight_for(name):
    made = fresh(name)
    for side in SIDES:
        commander = resolve("steady", side, made)
        assert commander.objectives


@pytest.mark.slow
def test_9_0_20_1_who_withdraws_does_so_beside_optional_forces():
    """All that Bragg may buy stays or comes on while the cavalry is away, which comes back as without it."""
    name = "welcoming_the_new_year"
    plain = fresh(name)
    bought = build(load(f"dead_of_winter/{name}"), {"optional": "Johnston,Confederate/1/S,Confederate/2/S,Smith"})
    known = {unit.id for unit in plain.battle.units}
    added = [unit for unit in bought.battle.units if unit.id not in known]
    assert added
    leave, back = plain.rules.departures[0].turn, plain.rules.departures[0].groups[0].turn
    for made in (plain, bought):
        departures = made.rules.departures
        assert all(departure.turn == leave and departure.groups[0].turn == back for departure in departures)
        riders = [unit for departure in departures for unit in departure.units]
        before = [unit.place for unit in added]
        for turn, place in ((leave, WITHDRAWN), (back, NOT_ENTERED)):
            made.battle.turn = turn
            made.series.departures.begin_turn()
            assert [unit.place for unit in riders] == [place] * len(riders)
            assert audit(made.battle) == []
        assert [unit.place for unit in added] == before
    assert [(unit.id, unit.strength) for departure in plain.rules.departures for unit in departure.units] == [
        (unit.id, unit.strength) for departure in bought.rules.departures for unit in departure.units
    ]


class Auditor(Observer):
    """Keeps what the audit finds wrong after any activation."""

    def __init__(self):
        self.faults = []
        self.seen = 0

    def after_activation(self, game):
        self.seen += 1
        self.faults.extend(audit(game.battle))

    def after_turn(self, game):
        self.after_activation(game)


SHORT = ("dawn_attack", "doomed_assault")
LONG = [pytest.param(name, marks=pytest.mark.slow) for name in FACTS if name not in SHORT]


@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_a_battle_is_played_to_its_end(name):
    """"dead_of_winter/dawn_attack", "dead_of_winter/doomed_assault", and slowly the others: every state is legal."""
    made = fresh(name)
    led = [resolve("steady", side, made) for side in SIDES]
    game = Game(made.battle, made.series, KeyedDice(1862, 1231), led)
    auditor = Auditor()
    game.watch(auditor)
    game.play(0)
    assert auditor.seen > len(made.battle.turns)
    assert auditor.faults == []
    assert game.outcome.level in ("decisive", "major", "minor", "draw", "win")
    assert sum(int(unit.start - unit.strength) for unit in made.battle.units) > 0
