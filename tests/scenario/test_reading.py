"""Readers of text, TOML and CSV: each complaint names file, line and key, what is wrong and what would be right."""

import pytest
from pydantic import Field

from simkit.scenario.reading import Row, Table, checked, line_of, place_in, read_rows, read_text, read_toml, suggestion


class Inner(Table):
    size: int = Field(ge=1, le=9)
    name: str = ""


class Outer(Table):
    title: str
    yes: bool = False
    inner: list[Inner] = []
    table: Inner | None = None
    words: list[str] = []


class Line(Row):
    name: str
    points: int = Field(default=0, ge=0, le=5)
    green: bool = False


def test_files_that_are_no_text(tmp_path, message):
    path = tmp_path / "a.toml"
    assert message(read_text, path) == f"{path}: no such file"
    path.write_bytes(b'name = "caf\xe9"\n')
    assert message(read_text, path) == f"{path}: not UTF-8 text (byte 11); save the file as UTF-8"
    path.write_bytes("title = 'Ä'\n".encode("utf-16"))
    assert "not UTF-8 text (byte 0)" in message(read_toml, path)
    assert message(read_text, tmp_path) == f"{tmp_path}: cannot be read: Is a directory"


def test_files_that_are_no_toml(tmp_path, message):
    path = tmp_path / "a.toml"
    path.write_text("")
    assert message(read_toml, path) == f"{path}: the file is empty"
    path.write_text("# nothing but a remark\n")
    assert message(read_toml, path) == f"{path}: the file is empty"
    path.write_text("title = \n")
    assert message(read_toml, path) == f"{path}: not a TOML file: Invalid value (at line 1, column 9)"


def test_a_byte_order_mark_is_no_matter(tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes('\ufefftitle = "a"\n'.encode())
    assert read_toml(path)[0] == {"title": "a"}


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ('titel = "a"\n', 1, 'titel: unknown key; did you mean "title"?'),
        ('title = "a"\nzzz = 1\n', 2, "zzz: unknown key; known: title, yes, inner, table, words"),
        ("yes = true\n", None, "title: this key is missing"),
        ("title = 3\n", 1, "title: must be text in quotes, not 3"),
        ('title = "a"\nyes = 1\n', 2, "yes: must be true or false, not 1"),
        ('title = "a"\nyes = "true"\n', 2, "yes: must be true or false, not 'true'"),
        ('title = "a"\nwords = "b"\n', 2, "words: must be a list, not 'b'"),
        ('title = "a"\nwords = ["b", 3]\n', 2, "words.2: must be text in quotes, not 3"),
        ('title = "a"\ntable = 3\n', 2, "table: must be a table, not 3"),
        ('title = "a"\n[table]\nsize = "3"\n', 3, "table.size: must be a whole number, not '3'"),
        ('title = "a"\n[table]\nsize = 1.5\n', 3, "table.size: must be a whole number, not 1.5"),
        ('title = "a"\n[[inner]]\nsize = 1\n\n[[inner]]\nsize = -3\n', 6, "inner.2.size: must be at least 1, not -3"),
        ('title = "a"\n[[inner]]\nsize = 10\n', 3, "inner.1.size: must be at most 9, not 10"),
        ('title = "a"\n[[inner]]\nname = "b"\n', 2, "inner.1.size: this key is missing"),
        ('title = "a"\n[[inner]]\nsiez = 1\n', 3, 'inner.1.siez: unknown key; did you mean "size"?'),
    ],
)
def test_complaints_of_a_schema(tmp_path, message, text, line, complaint):
    path = tmp_path / "a.toml"
    path.write_text(text)
    data, read = read_toml(path)
    where = f"{path}, line {line}" if line else str(path)
    assert message(checked, Outer, data, path, read) == f"{where}: {complaint}"


def test_line_of_nested_and_repeated_tables():
    text = 'a = 1\n[b]\nc.d = 2\n[[e]]\nf = 3\n[e.g]\nh = 4\n[[e]]\n"f" = 5\n[e.g]\nh = 6\n'
    assert line_of(text, ("a",)) == 1
    assert line_of(text, ("b", "c", "d")) == 3
    assert line_of(text, ("b", "c")) == 3
    assert line_of(text, ("e",)) == 4
    assert line_of(text, ("e", 0, "f")) == 5
    assert line_of(text, ("e", 0, "g", "h")) == 7
    assert line_of(text, ("e", 1, "f")) == 9
    assert line_of(text, ("e", 1, "g", "h")) == 11
    assert line_of(text, ("e", 1)) == 8
    assert line_of(text, ("e", 1, "g", "missing")) == 10
    assert line_of(text, ("nothing",)) is None


def test_place_in_a_file(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("[b]\nc = 1\n")
    assert place_in(path, ("b", "c")) == f"{path}, line 2"
    assert place_in(path, ("d",)) == str(path)
    assert place_in(tmp_path / "gone.toml", ("b",)) == str(tmp_path / "gone.toml")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ": the file is empty"),
        ("name,points\n", ": the table has no rows"),
        ("name,pionts\na,1\n", ', line 1: unknown column "pionts"; did you mean "points"?'),
        ("name,points,name\na,1,b\n", ', line 1: column "name" stands twice'),
        ("name,points\na,1\nb,2,3\n", ", line 3: more cells than the header has columns"),
        ("name,points\na,-3\n", ", line 2: points: must be at least 0, not -3"),
        ("name,points\na,6\n", ", line 2: points: must be at most 5, not 6"),
        ("name,points\na,many\n", ", line 2: points: must be a whole number, not 'many'"),
        ("name,points\na,1.5\n", ", line 2: points: must be a whole number, not '1.5'"),
        ("name,points\n,1\n", ", line 2: name: this key is missing"),
        ("name,green\na,perhaps\n", ", line 2: green: must be true or false, not 'perhaps'"),
    ],
)
def test_complaints_about_a_csv_file(tmp_path, message, text, complaint):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert message(read_rows, Line, path) == f"{path}{complaint}"


def test_csv_rows_know_their_lines_and_may_be_short(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('name,points,green\na,3,yes\n"b,\nc",,no\nd\n')
    rows = read_rows(Line, path)
    assert [(row.name, row.points, row.green, row.line) for row in rows] == [
        ("a", 3, True, 2), ("b,\nc", 0, False, 4), ("d", 0, False, 5)
    ]  # fmt: skip


def test_suggestions():
    assert suggestion("Unoin", ["Union", "Confederate"]) == '; did you mean "Union"?'
    assert suggestion("UNION", ["Union", "Confederate"]) == '; did you mean "Union"?'
    assert suggestion("xyz", ["Union", "Confederate"]) == "; known: Union, Confederate"
    assert suggestion("xyz", []) == ""
