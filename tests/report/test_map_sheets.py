"""Pictures of map files: which there are, and what is written on them."""

import shutil
from pathlib import Path

import pytest

import simkit
from simkit.report.mapsheets import sheet_pictures, write_pictures
from simkit.scenario.charts import read_charts
from simkit.scenario.mapfile import read_map

BOOK = Path(simkit.__file__).parent / "books" / "dead_of_winter"
WHY = 'source = "reconstructed"\nwhy = "a test"\n'
MAP = f"""[map]
name = "Two sheets"
sheets = [
    {{ letter = "A", columns = [10, 20], rows = [1, 12] }},
    {{ letter = "B", columns = [10, 20], rows = [1, 12], offset = [10, 0] }},
]
in_play = ["A1001-B2012"]
{WHY}
[[area]]
name = "dark wood"
terrain = "woods"
outline = ["A1105", "A1405", "A1409", "A1109"]
{WHY}
[[level]]
name = "hill"
elevation = 1
outline = ["B1203", "B1503", "B1506", "B1206"]
{WHY}
[[way]]
kind = "pike"
name = "long pike"
path = ["A1002", "B2008"]
{WHY}
[[hexside]]
kind = "river"
name = "Deep River"
along = ["A1812", "A1801"]
on = "right"
{WHY}
[[crossing]]
kind = "ford_b"
name = "old ford"
between = ["A1809", "A1909"]
{WHY}
[[place]]
name = "inn"
hex = "B1510"
{WHY}"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "field.toml"
    path.write_text(MAP)
    return path


def written(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_each_sheet_has_its_picture_with_its_names(file):
    pictures = dict(sheet_pictures(read_map(file), read_charts(BOOK / "charts"), file, width=8))
    assert list(pictures) == ["A", "B", "AB"]
    names = {key: {text for text in written(figure) if not text[1:].isdigit()} for key, figure in pictures.items()}
    assert names["A"] == {"dark wood", "long pike", "Deep River", "old ford (B)"}
    assert names["B"] == {"hill", "long pike", "inn"}
    assert names["AB"] >= {"long pike", "Deep River", "old ford (B)", "inn"}
    ids = [text for text in written(pictures["B"]) if text[1:].isdigit()]
    assert ids == ["B1005", "B1010", "B1505", "B1510", "B2005", "B2010"]
    assert [pictures[letters].axes[0].get_title(loc="left") for letters in pictures] == ["Map A", "Map B", "Two sheets"]


def test_pictures_are_written_as_files(file, tmp_path):
    (tmp_path / "book").mkdir()
    shutil.copytree(BOOK / "charts", tmp_path / "book" / "charts")
    own = tmp_path / "book" / "maps" / "field.toml"
    own.parent.mkdir()
    shutil.copy(file, own)
    found = [path.name for path in write_pictures(own, tmp_path / "pictures")]
    assert found == ["field_a.png", "field_b.png", "field.png"]
    for name in found:
        data = (tmp_path / "pictures" / name).read_bytes()
        assert data.startswith(b"\x89PNG") and len(data) < 200_000


def test_the_command_says_what_it_writes(file, tmp_path, simkit_command):
    code, out, err = simkit_command("map", str(file), "--out", str(tmp_path / "pictures"))
    assert (code, err) == (0, "")
    assert out.count("wrote ") == 3
    code, _, err = simkit_command("map", str(tmp_path / "none.toml"), "--out", str(tmp_path))
    assert code == 2 and "no such file" in err
