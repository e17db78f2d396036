"""Study files: what they say, and what is said about wrong ones."""

from pathlib import Path

import pytest

from simkit.errors import InputError
from simkit.scenario.study import Change, Study, read_study, study_of_scenario

GOOD = """
[study]
name = "Weaker"
question = "What are a few men worth?"
scenario = "dead_of_winter/skirmish"
runs = 200
seed = 7

[commanders]
Union = "cautious"
Confederate = "plan.toml"

[options]
crests = "no"

[[variant]]
name = "weaker"
[[variant.change]]
side = "Union"
strength = -1

[[variant]]
name = "bold"
commanders = { Union = "aggressive" }
options = { crests = "yes" }
"""


def _read(folder: Path, text: str) -> Study:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return read_study(path)


def test_a_study_as_written(tmp_path: Path) -> None:
    study = _read(tmp_path, GOOD)
    assert (study.name, study.runs, study.seed, study.combats) == ("Weaker", 200, 7, False)
    assert study.commanders == {"Union": "cautious", "Confederate": str(tmp_path / "plan.toml")}
    base, weaker, bold = study.ways()
    assert (base.name, weaker.name, bold.name) == ("base", "weaker", "bold")
    assert base.options == {"crests": "no"}
    assert weaker.commanders == base.commanders == study.commanders
    assert bold.commanders == {"Union": "aggressive", "Confederate": str(tmp_path / "plan.toml")}
    assert bold.options == {"crests": "yes"}
    assert weaker.changes == (Change(side="Union", strength=-1),)


def test_no_variant_means_base_alone() -> None:
    assert [way.name for way in study_of_scenario("dead_of_winter/skirmish").ways()] == ["base"]


@pytest.mark.parametrize(("strength", "before", "after"), [(-1, 5, 4), (-9, 5, 1), (2, 5, 7), ("=3", 5, 3)])
def test_a_change_of_strength(strength: int | str, before: int, after: int) -> None:
    assert Change(unit="a", strength=strength).apply(before) == after


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("runs = 200", "rnus = 200", 6, 'unknown key; did you mean "runs"'),
        ("runs = 200", "runs = 0", 6, "must be at least 1, not 0"),
        ("runs = 200", 'runs = "200"', 6, "must be a whole number, not '200'"),
        ("runs = 200", "runs = 2.5", 6, "must be a whole number, not 2.5"),
        ("runs = 200", "runs = 99999999999", 6, "must be at most 10000000, not 99999999999"),
        ("seed = 7", "seed = -7", 7, "must be at least 0, not -7"),
        ("seed = 7", "combats = 1", 7, "must be true or false, not 1"),
        ('scenario = "', 'scenari = "', 5, 'did you mean "scenario"'),
        ("Union = ", "Onion = ", 9, 'unknown side "Onion"; did you mean "Union"'),
        ("[options]", "[optoins]", 13, 'unknown key; did you mean "options"'),
        ('crests = "no"', "crests = [1]", 14, "crests"),
        ("strength = -1", "stength = -1", 20, 'did you mean "strength"'),
        ("strength = -1", "strength = -300", 20, "between -99 and 99"),
        ("strength = -1", 'strength = "=0"', 20, '"=0" is no strength'),
        ("strength = -1", 'unit = "x"', 18, "strength: this key is missing"),
        ('side = "Union"', 'side = "Reb"', 18, 'unknown side "Reb"'),
        ('side = "Union"', 'side = "Union"\nunit = "x"', 18, "exactly one of brigade, unit or side"),
        ('"weaker"', '"we aker"', 17, "cannot name a variant"),
        ('"weaker"', '"base"', None, '"base" is the study without changes'),
        ('"weaker"', '"Bold"', None, "two variants are named"),
        ("commanders = {", "comanders = {", 24, 'did you mean "commanders"'),
    ],
)
def test_what_is_said_about_a_wrong_study(tmp_path: Path, old: str, new: str, line: int | None, said: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError) as caught:
        _read(tmp_path, GOOD.replace(old, new, 1))
    message = caught.value.message
    assert said in message
    assert message.startswith(str(tmp_path / "study.toml"))
    assert "\n" not in message
    if line is not None:
        assert f", line {line}: " in message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"[study", "not a TOML file"),
        (b"\xff\xfe[study]", "not UTF-8"),
        (b"[other]\na = 1\n", "other"),
        (b"study = 3\n", "must be a table"),
    ],
)
def test_files_that_are_no_study(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_study(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_study(tmp_path / "study.toml")


def test_changes_from_outside_are_checked_too() -> None:
    study = study_of_scenario("dead_of_winter/skirmish")
    assert study.with_changes(runs=5, seed=None).runs == 5
    with pytest.raises(InputError, match="runs: must be at least 1, not 0"):
        study.with_changes(runs=0)
