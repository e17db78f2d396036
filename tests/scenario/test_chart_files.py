"""Chart files that are wrong, the owner's overlays, and the templates."""

import shutil
from pathlib import Path

import pytest

import simkit
from simkit.errors import InputError
from simkit.scenario.charts import FILES, read_charts, write_templates

FOLDER = Path(simkit.__file__).parent / "books" / "dead_of_winter" / "charts"
CARD = 'source = "printed"\nrule = "chart card"\n'


@pytest.fixture
def folder(tmp_path):
    """A copy of the book's charts."""
    return Path(shutil.copytree(FOLDER, tmp_path / "charts"))


@pytest.fixture
def overlay(tmp_path):
    """Writes an overlay of one file and returns its folder."""

    def write(name, text):
        place = tmp_path / "mine"
        place.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
        return place

    return write


def change(folder, name, old, new):
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) >= 1
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(path, words):
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("weapons.toml", "max_range = 5", "max_rnge = 5", 'did you mean "max_range"'),
        ("weapons.toml", "max_range = 5", 'max_range = "far"', "must be a whole number, not 'far'"),
        ("weapons.toml", "max_range = 5", "max_range = 6", "drms reach 5 hexes, but max_range is 6"),
        ("weapons.toml", '"2" = -1, ', "", '"3" should begin at 2 hexes'),
        ("weapons.toml", '"2" = -1', '"2" = 1', "rise with the distance"),
        ("fire.toml", "1d+2", "1q+2", '"1q+2" is no result'),
        ("fire.toml", "8-9", "9-9", '"9-9" doesn\'t follow "7"'),
        ("fire.toml", "5*", "5 ", "exactly one roll carries an asterisk"),
        ("shock.toml", 'rolls = "2-4"', 'rolls = "2-3"', '"5-7" doesn\'t follow "2-3"'),
        ("shock.toml", "attacker_retreat = 1", "attacker_retreat = 2", "attacker_retreat must be 1 for an adjusted"),
        (
            "shock.toml",
            "abandon_guns = true",
            "abandon_guns = false",
            "abandon_guns must be true for an adjusted 10 (11.64)",
        ),
        ("shock.toml", "standoff = true", "standoff = false", "exactly one result is the Bloody Standoff"),
        ("shock.toml", '"1½-1", ', '"1.5-1", ', '"1.5-1" is no ratio'),
        ("shock.toml", "-4, -3, -2", "-4, -2, -3", "a better ratio has a lower DRM"),
        ("shock.toml", "rear = { value = 3", "rear = { value = 1", "position DRMs rise"),
        (
            "terrain.toml",
            "foot = 2, horse = 3, guns = 4",
            "foot = 2.2, horse = 3, guns = 4",
            "2.2 are no movement points",
        ),
        ("terrain.toml", 'guns = "no"', 'guns = "never"', "'never' are no movement points"),
        ("terrain.toml", 'under_breastworks = "woods"', 'under_breastworks = "wood"', 'names "wood", no hex terrain'),
        ("terrain.toml", "fire = -1", "fire = 1", "must be at most 0, not 1"),
        ("terrain.toml", 'ford_b = "ford_a"', 'ford_b = "ford_c"', 'names "ford_c", no hexside terrain'),
        ("command.toml", '"3-6" = "fail"', '"4-6" = "fail"', '"4-6" doesn\'t follow "2-"'),
        ("command.toml", '"loose cannon"', '"loose canon"', '"loose canon" at 4 is no outcome'),
        ("disorder.toml", 'cause = "terrain"', 'cause = "mud"', '"mud" is no cause'),
        ("disorder.toml", 'guns = "loss"', 'guns = "lost"', "not 'lost'"),
        (
            "fire_modifiers.toml",
            'source = "printed", rule = "8.34" }',
            'source = "printed" }',
            "a printed value says where",
        ),
        ("fire_modifiers.toml", 'source = "printed", rule', 'source = "guessed", rule', "not 'guessed'"),
        ("fire_modifiers.toml", "[-1, -3", "[-3, -1", "night DRMs rise"),
    ],
)
def test_a_wrong_file_gets_one_clear_message(folder, name, old, new, complaint):
    change(folder, name, old, new)
    with pytest.raises(InputError) as caught:
        read_charts(folder)
    assert str(folder / name) in caught.value.message
    assert complaint in caught.value.message


def test_message_names_the_line(folder):
    change(folder, "weapons.toml", "max_range = 2", "max_rnge = 2")
    with pytest.raises(InputError) as caught:
        read_charts(folder)
    line = line_of(folder / "weapons.toml", "max_rnge")
    assert f"weapons.toml, line {line}: weapon.2.max_rnge" in caught.value.message


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(InputError, match=name):
        read_charts(folder)


@pytest.mark.parametrize(
    ("content", "complaint"), [(b"grid = ", "not a TOML file"), (b"\xff\xfe", "not UTF-8"), (b"", "empty")]
)
def test_a_broken_file_is_refused(folder, content, complaint):
    (folder / "fire.toml").write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        read_charts(folder)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        read_charts(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no such folder"):
        read_charts(FOLDER, [tmp_path / "nowhere"])


def grid(rows):
    return f'[fire_table]\n{CARD}grid = """\nroll 1 2 3+\n{rows}\n"""\n'


def test_an_overlay_replaces_a_table(overlay):
    mine = read_charts(FOLDER, [overlay("fire.toml", grid("4- - - d\n5* - d D\n6+ d D 1D"))])
    assert mine.fire_table.result(18, 9).text == "1D"
    assert mine.artillery_table.result(6, 9).text == read_charts(FOLDER).artillery_table.result(6, 9).text


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("4- - - d\n5* - D d\n6+ d D 1D", "strength 3+: d is milder than D at strength 2; more strength is worse"),
        ("4- - d d\n5* - - d\n6+ d D 1D", "is milder than d at roll 4-; a higher roll is worse"),
        ("4- - d\n5* - - d\n6+ d D 1D", "roll 4- has 2 results for 3 strengths"),
    ],
)
def test_a_non_monotone_overlay_is_refused(overlay, rows, complaint):
    place = overlay("fire.toml", grid(rows))
    with pytest.raises(InputError) as caught:
        read_charts(FOLDER, [place])
    assert str(place / "fire.toml") in caught.value.message
    assert complaint in caught.value.message


def test_an_overlay_changes_one_key_and_keeps_the_rest(overlay):
    text = f'[[weapon]]\ncode = "N"\nmax_range = 16\ndrms = {{ "1-3" = 3, "4-16" = 0 }}\n{CARD}'
    mine, base = read_charts(FOLDER, [overlay("weapons.toml", text)]), read_charts(FOLDER)
    assert mine.weapon("N").max_range == 16
    assert mine.weapon("N").rapid_fire
    assert mine.weapon("R").drms == base.weapon("R").drms
    lines = {line.key: line for line in mine.provenance if line.chart == "weapons"}
    assert (lines["weapon.N.max_range"].source, lines["weapon.N.max_range"].rule) == ("printed", "chart card")
    assert lines["weapon.N.rapid_fire"].rule == "10.68"


def test_an_overlay_adds_a_weapon(overlay):
    text = f'[[weapon]]\ncode = "X"\nname = "rocket"\nartillery = true\nmax_range = 5\ndrms = {{ "1-5" = 0 }}\n{CARD}'
    assert read_charts(FOLDER, [overlay("weapons.toml", text)]).weapon("X").shell(5)


def test_an_overlay_changes_one_modifier(overlay):
    text = '[adjustments]\nflank = { value = 3, source = "printed", rule = "chart card" }\n'
    mine = read_charts(FOLDER, [overlay("shock.toml", text)])
    assert mine.shock.position(False, True, False) == 3
    assert mine.shock.charge == 1


def test_a_later_overlay_wins(tmp_path):
    for name, value in (("first", 1), ("second", 2)):
        (tmp_path / name).mkdir()
        text = f'[pre_shock]\nrear = {{ value = {value}, source = "printed", rule = "chart card" }}\n'
        (tmp_path / name / "shock.toml").write_text(text, encoding="utf-8")
    assert read_charts(FOLDER, [tmp_path / "first", tmp_path / "second"]).pre_shock.rear == 2


def test_an_overlay_says_where_its_values_come_from(overlay):
    place = overlay("weapons.toml", '[[weapon]]\ncode = "P"\nname = "revolver"\n')
    with pytest.raises(InputError, match="name is given without a source"):
        read_charts(FOLDER, [place])


def test_a_misspelt_key_of_an_overlay_is_found_in_the_overlay(overlay):
    place = overlay("terrain.toml", f'\n\n[[hex]]\nname = "town"\nhieght = 2\n{CARD}')
    with pytest.raises(InputError) as caught:
        read_charts(FOLDER, [place])
    assert f"{place / 'terrain.toml'}, line 5" in caught.value.message
    assert 'did you mean "height"' in caught.value.message


@pytest.mark.parametrize(
    ("name", "complaint"), [("fires.toml", 'did you mean "fire.toml"'), ("readme.txt", "no chart file")]
)
def test_an_overlay_holds_chart_files(overlay, name, complaint):
    with pytest.raises(InputError, match=complaint):
        read_charts(FOLDER, [overlay(name, "a = 1")])


def test_an_entry_of_an_overlay_says_which_it_is(overlay):
    with pytest.raises(InputError, match='hex 1 has no "name"'):
        read_charts(FOLDER, [overlay("terrain.toml", f"[[hex]]\nheight = 1\n{CARD}")])


def test_templates_left_alone_change_nothing(tmp_path):
    written = write_templates(FOLDER, tmp_path / "mine")
    assert [path.name for path in written] == list(FILES)
    mine, base = read_charts(FOLDER, [tmp_path / "mine"]), read_charts(FOLDER)
    key = [(line.chart, line.key, line.source, line.rule) for line in base.provenance]
    assert [(line.chart, line.key, line.source, line.rule) for line in mine.provenance] == key


def test_a_template_filled_in_is_an_overlay(tmp_path):
    place = tmp_path / "mine"
    write_templates(FOLDER, place)
    lines = (place / "weapons.toml").read_text(encoding="utf-8").splitlines()
    start = lines.index('code = "M"')
    end = next(at for at in range(start, len(lines)) if not lines[at])
    filled = [line.removeprefix("# ").replace('"2" = -2', '"2" = -3') for line in lines[start:end]]
    (place / "weapons.toml").write_text("\n".join([*lines[:start], *filled, *lines[end:]]), encoding="utf-8")
    assert read_charts(FOLDER, [place]).weapon("M").range_drm(2) == -3


def test_every_line_of_the_templates_is_usable(tmp_path):
    """With every comment sign taken off, and the grids filled in, the templates are the book's charts."""
    place = tmp_path / "mine"
    for path in write_templates(FOLDER, place):
        text = path.read_text(encoding="utf-8")
        head, body = text.split("\n\n", 1)
        if path.name == "fire.toml":
            continue
        bare = "\n".join(line.removeprefix("# ") for line in body.splitlines())
        path.write_text(f"{head}\n\n{bare}\n", encoding="utf-8")
    mine, base = read_charts(FOLDER, [place]), read_charts(FOLDER)
    assert [result.text for result in mine.shock_table.results] == [result.text for result in base.shock_table.results]
    assert [weapon.drms for weapon in mine.weapons] == [weapon.drms for weapon in base.weapons]


def test_templates_never_overwrite(tmp_path):
    write_templates(FOLDER, tmp_path)
    with pytest.raises(InputError, match="exists already"):
        write_templates(FOLDER, tmp_path)
