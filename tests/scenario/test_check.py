"""`simkit check`: every kind of file is known by its content, tried where it is used, and told of in a line."""

from pathlib import Path

import pytest

from simkit.rules.options import OPTIONS
from simkit.scenario.check import check
from simkit.scenario.doctrines import doctrine, doctrine_names, doctrines_folder, read_doctrine

ROOT = Path(__file__).parents[2]
SCRIPT = """[script]
name = "hold"
side = "Confederate"
scenario = "dead_of_winter/skirmish"

[[order]]
turn = 1
brigade = "1/2/P"
do = "move"
to = "C4210"
facing = "W"
"""


def test_good_files_of_a_book(book):
    assert check(book.scenario) == "scenario: dead_of_winter/skirmish, 31 units and 8 leaders in 29 hexes, 1 turn"
    whole = "roster: 363 units, 96 leaders, 105 commands"
    assert check(book.units) == check(book.leaders) == check(book.commands) == whole
    assert check(book.map) == "map: Stones River, maps A to D, 8,047 hexes"
    assert check(book.folder / "charts" / "fire.toml") == "charts: a whole set"
    assert check(doctrines_folder() / "steady.toml") == "doctrine: steady"
    assert check(book.folder / "book.toml") == (
        "book: Dead of Winter, with the series rules as dead_of_winter words them"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("skirmish", "study: 1,000 battles of dead_of_winter/skirmish"),
        (
            "skirmish_variants",
            "study: 1,000 battles of dead_of_winter/skirmish, for each of base, weaker-carlin, bold-davis",
        ),
        (
            "optional_rules",
            (
                "study: 1,000 battles of dead_of_winter/skirmish, for each of base, combined-fire, "
                "small-arms-ammunition, fatigue, guns-run-in-close, older-wording"
            ),
        ),
    ],
)
def test_the_studies_that_come_with_simkit(name, said):
    assert check(ROOT / "studies" / f"{name}.toml") == said


def test_the_readme_names_every_option_of_the_rules():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for option in OPTIONS:
        row = next(line for line in text.splitlines() if line.startswith(f"| `{option.name}` |"))
        assert all(value in row for value in option.values), row


def test_files_of_no_known_kind(tmp_path, message):
    assert message(check, tmp_path / "a.txt") == f"{tmp_path / 'a.txt'}: no such file"
    assert message(check, tmp_path / "a.toml") == f"{tmp_path / 'a.toml'}: no such file"
    assert message(check, tmp_path / "units.csv") == f"{tmp_path / 'commands.csv'}: no such file"
    (tmp_path / "a.txt").write_text("x")
    assert message(check, tmp_path / "a.txt") == (
        f"{tmp_path / 'a.txt'}: of no known kind; files are .toml, or commands.csv, units.csv, leaders.csv"
    )
    (tmp_path / "a.toml").write_text("[stduy]\n")
    kinds = "[study], [scenario], [script], [doctrine], [map], [history]"
    assert message(check, tmp_path / "a.toml").startswith(
        f"{tmp_path / 'a.toml'}: of no known kind; it has none of the tables {kinds}"
    )
    assert message(check, tmp_path / "a.toml").endswith(", and its name is none of a chart's")


def test_a_scenario_is_built(book, message):
    line = book.change(book.scenario, 'hex = "C3108"', 'hex = "C3020"')
    assert message(check, book.scenario) == (
        f"{book.scenario}, line {line}: setup.1.hex: hex C3020 is not in play in this battle"
    )


def test_what_a_study_refers_to(tmp_path, message):
    path = tmp_path / "study.toml"
    study = '[study]\nname = "a"\nscenario = "dead_of_winter/skirmish"\n'
    path.write_text(study.replace("skirmish", "skirmsh"))
    assert message(check, path) == (
        f'{path}, line 3: unknown scenario "dead_of_winter/skirmsh"; did you mean "dead_of_winter/skirmish"?'
    )
    path.write_text(f'{study}[commanders]\nUnion = "stedy"\n')
    assert message(check, path) == f'{path}, line 5: unknown doctrine "stedy"; did you mean "steady"?'
    path.write_text(f"{study}[options]\ncrest = true\n")
    assert message(check, path) == f'{path}, line 4: unknown option "crest"; did you mean "crests"?'
    path.write_text(f'{study}[[variant]]\nname = "b"\noptions = {{ crests = "perhaps" }}\n')
    assert message(check, path) == f"{path}, line 6: option crests is 'perhaps'; it can be yes or no"
    path.write_text(f'{study}[[variant]]\nname = "b"\n[[variant.change]]\nbrigade = "2/2/RW"\nstrength = -1\n')
    assert message(check, path) == (
        f'{path}, line 6: change: nothing in dead_of_winter/skirmish is called "2/2/RW"; did you mean "2/1/RW"?'
    )
    path.write_text(f'{study}[commanders]\nUnion = "mine:Boss"\n')
    assert check(path) == "study: 1,000 battles of dead_of_winter/skirmish"


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ('options = { optional = "Smit" }', 'line 7: option optional: no forces "Smit"'),
        ("numbers = { fire_losses = 99 }", "line 7: numbers: fire_losses is 99"),
        ('[[variant.change]]\nunit = "nobody"\nstrength = -1', 'change: nothing in dead_of_winter/skirmish is called'),
    ],
)
def test_what_is_wrong_with_a_variant_is_told_where_it_stands(tmp_path, message, variant, said):
    path = tmp_path / "study.toml"
    head = '[study]\nname = "a"\nscenario = "dead_of_winter/skirmish"\nruns = 10\n[[variant]]\nname = "b"\n'
    path.write_text(f"{head}{variant}\n")
    assert said in message(check, path)


def test_some_charts_are_laid_over_a_book(tmp_path, message):
    path = tmp_path / "weapons.toml"
    path.write_text('[[weapon]]\ncode = "R"\nmax_range = 6\nsource = "printed"\nrule = "the card"\n')
    assert message(check, path).startswith(f"{path}, line 1: weapon.1: ")  # 10.16 prints five hexes
    path.write_text('[[weapon]]\ncode = "P10"\nmax_range = 19\nsource = "printed"\nrule = "the card"\n')
    assert message(check, path) == f"{path}, line 1: weapon.12: drms reach 18 hexes, but max_range is 19"
    path.write_text('[[weapon]]\ncode = "P10"\nname = "Parrott"\nsource = "printed"\nrule = "the card"\n')
    assert check(path) == "charts: fit over those of dead_of_winter"


def test_maps_and_rosters_that_stand_alone(book, tmp_path, message):
    alone = tmp_path / "alone.toml"
    alone.write_text(book.map.read_text().replace('"woods"', '"wods"', 1))
    assert 'unknown terrain "wods"; did you mean "woods"?' in message(check, alone)
    line = book.change(book.units, ",R,reconstructed", ",Q,reconstructed")
    assert message(check, book.units).startswith(f'{book.units}, line {line}: 1-1-rw/22-in: unknown weapon "Q"')


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.toml"

    def written(old="", new=""):
        assert old in SCRIPT
        path.write_text(SCRIPT.replace(old, new, 1) if old else SCRIPT)
        return path

    return written


def test_scripts(script):
    assert check(script()) == "script: hold, 1 order for the Confederate side in dead_of_winter/skirmish"
    assert check(script('scenario = "dead_of_winter/skirmish"\n')) == (
        "script: hold, 1 order for the Confederate side; names and hexes unchecked, for it says no scenario"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'side = "Confederate"',
            'side = "Rebel"',
            ", line 3: script.side: must be 'Union' or 'Confederate', not 'Rebel'",
        ),
        ("[[order]]\nturn", "[[odrer]]\nturn", ', line 6: odrer: unknown key; did you mean "order"?'),
        ("turn = 1", "turn = 0", ", line 7: order.1.turn: must be at least 1, not 0"),
        (
            'do = "move"',
            'do = "march"',
            ", line 9: order.1.do: must be 'move', 'hold', 'attack' or 'wait', not 'march'",
        ),
        ('to = "C4210"\n', "", ', line 6: order.1: move needs a hex: to = "..."'),
        ('do = "move"', 'do = "hold"', ", line 6: order.1: hold takes no hex"),
        (
            'brigade = "1/2/P"',
            'brigade = "1/2/P"\nunit = "1-2-p/19-al"',
            ", line 6: order.1: an order is to exactly one brigade or unit",
        ),
        ("turn = 1", "turn = 2", ", line 6: turn: must lie between 1 and 1, the scenario's turns, not 2"),
        ("turn = 1", "turn = 2\nlast_turn = 1", ", line 6: order.1: last_turn comes before turn"),
        ('brigade = "1/2/P"', 'brigade = "2/2/P"', ', line 6: no Confederate brigade "2/2/P"; did you mean "1/2/P"?'),
        (
            'brigade = "1/2/P"',
            'unit = "1-2-p/18-al"',
            ', line 6: no Confederate unit "1-2-p/18-al"; did you mean "1-2-p/19-al"?',
        ),
        ('brigade = "1/2/P"', 'unit = "1-1-rw/22-in"', ', line 6: no Confederate unit "1-1-rw/22-in"; did you mean '),
        ("C4210", "C4225", ", line 6: hex C4225 is not in play in this battle"),
        ("C4210", "C5210", ", line 6: hex C5210 is off sheet C (columns 10 to 48, rows 1 to 53, to 52 in odd columns)"),
    ],
)
def test_bad_scripts(script, message, old, new, said):
    path = script(old, new)
    found = message(check, path)
    assert found == f"{path}{said}" if not said.endswith(" ") else found.startswith(f"{path}{said}")


def test_a_script_for_another_scenario(script, message):
    path = script("dead_of_winter/skirmish", "dead_of_winter/skirmsh")
    assert message(check, path) == (
        f'{path}, line 4: unknown scenario "dead_of_winter/skirmsh"; did you mean "dead_of_winter/skirmish"?'
    )
    path = script('name = "hold"', 'name = "hold"\ndoctrine = "stedy"')
    assert message(check, path) == f'{path}, line 3: unknown doctrine "stedy"; did you mean "steady"?'


@pytest.mark.parametrize("name", doctrine_names())
def test_doctrines_that_come_with_simkit(name):
    assert doctrine(name).name == name
    assert check(doctrines_folder() / f"{name}.toml") == f"doctrine: {name}"


def test_bad_doctrines(tmp_path, message):
    path = tmp_path / "mine.toml"
    text = (doctrines_folder() / "steady.toml").read_text()
    number = text.split("[numbers]")[1].strip().splitlines()
    name = next(line.split("=")[0].strip() for line in number if "=" in line and not line.startswith("#"))
    start = text.index(f"\n{name} ") + 1
    line = text[:start].count("\n") + 1
    rest = text[text.index("\n", start) :]
    path.write_text(f"{text[:start]}{name} = 1000000{rest}")
    assert message(read_doctrine, path).startswith(f"{path}, line {line}: {name} is 1000000; it can be ")
    path.write_text(f"{text[:start]}{name}s = 1{rest}")
    assert message(read_doctrine, path).startswith(
        f'{path}, line {line}: unknown number "{name}s"; did you mean "{name}"?'
    )
    path.write_text(text[:start] + rest)
    assert name in message(read_doctrine, path)
    path.write_text(text.replace("[numbers]", "[nubmers]"))
    assert 'did you mean "numbers"?' in message(read_doctrine, path)
    assert message(doctrine, str(tmp_path / "none.toml")) == f"{tmp_path / 'none.toml'}: no such file"
