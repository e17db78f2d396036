"""Bad input of every kind: one message, exit code 2, no traceback, nothing left behind."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

SCENARIO = "dead_of_winter/skirmish"
Command = Callable[..., tuple[int, str, str]]

STUDY = '[study]\nname = "s"\nscenario = "dead_of_winter/skirmish"\nruns = 2\nseed = 1\n'

OWN = """
from simkit.rules.commander import Commander

class Raises(Commander):
    def act(self, series, brigades):
        return self.plan[0]
    def shocks(self, series, brigades):
        return []

class Lacks(Commander):
    def act(self, series, brigades):
        pass

class Returns(Commander):
    def act(self, series, brigades):
        pass
    def shocks(self, series, brigades):
        return None
"""


def _refused(result: tuple[int, str, str], *said: str) -> None:
    code, out, err = result
    assert code == 2, (out, err)
    assert "Traceback" not in err
    for words in said:
        assert words in " ".join(err.split()), err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "dead_of_winter/skirmisch"], 'did you mean "dead_of_winter/skirmish"'),
        (["run", "no_such_file.toml"], "no_such_file.toml: no such file"),
        (["run", SCENARIO, "--runs", "0"], "runs: must be at least 1, not 0"),
        (["run", SCENARIO, "--runs", "-5"], "runs: must be at least 1, not -5"),
        (["run", SCENARIO, "--runs", "99999999999999"], "runs: must be at most 10000000"),
        (["run", SCENARIO, "--runs", "many"], "Invalid value for '--runs'"),
        (["run", SCENARIO, "--seed", "-1"], "seed: must be at least 0, not -1"),
        (["run", SCENARIO, "--jobs", "0"], "jobs: must lie between 1 and 256, not 0"),
        (["run", SCENARIO, "--jobs", "100000"], "jobs: must lie between 1 and 256, not 100000"),
        (["run", SCENARIO, "--commander", "Onion=steady"], 'unknown side "Onion"; did you mean "Union"'),
        (["run", SCENARIO, "--commander", "Union"], "write SIDE=WHO"),
        (["run", SCENARIO, "--commander", "Union=steady", "--commander", "Union=cautious"], "given twice"),
        (["run", SCENARIO, "--commander", "Union=stedy"], "steady"),
        (["run", SCENARIO, "--commander", "Union=plan.toml"], "plan.toml"),
        (["run", SCENARIO, "--commander", "Union=nowhere:Class"], "no module nowhere"),
        (["run", SCENARIO, "--commander", "Union=own:Absent"], "own has no class Absent"),
        (["run", SCENARIO, "--commander", "Union=own:Lacks"], "own.Lacks: lacks the method shocks"),
        (["run", SCENARIO, "--commander", "Union=own:Raises"], "own.Raises: act fails: AttributeError"),
        (["run", SCENARIO, "--commander", "Union=own:Returns"], "own.Returns: shocks returns None"),
        (["run", SCENARIO, "--option", "crest=no"], "crest"),
        (["run", SCENARIO, "--option", "crests=perhaps"], "crests"),
        (["run", SCENARIO, "--option", "crests"], "write KEY=VALUE"),
        (["run", SCENARIO, "--rnus", "5"], "rnus"),
        (["runn", SCENARIO], "runn"),
        (["report", "nowhere"], "nowhere: no such folder"),
        (["report", "."], "no manifest.json"),
        (["replay", "nowhere", "--run", "1"], "nowhere: no such folder"),
        (["provenance", "dead_of_winter/nothing"], "dead_of_winter/nothing"),
        (["check", "nothing.toml"], "nothing.toml: no such file"),
        (["check", "own.py"], "own.py"),
    ],
)
def test_bad_arguments(tmp_path: Path, simkit_command: Command, arguments: list[str], said: str) -> None:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    _refused(simkit_command(*arguments), said)
    left = {path.name for path in tmp_path.rglob("*.parquet") if path.is_file()}
    assert not left


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (STUDY.replace("runs", "rnus"), 'study.toml, line 4: study.rnus: unknown key; did you mean "runs"'),
        (STUDY + "[commanders]\nReb = 'steady'\n", 'unknown side "Reb"'),
        (STUDY + "[options]\ncrest = 'no'\n", "study.toml, line 6: "),
        (STUDY + "[commanders]\nUnion = 'stedy'\n", 'study.toml, line 7: unknown doctrine "stedy"'),
        (STUDY + "[[variant]]\nname = 'x'\n[[variant.change]]\nunit = 'nobody'\nstrength = -3\n", "nobody"),
        (STUDY + "[[variant]]\nname = 'x'\n[[variant.change]]\nside = 'Union'\nstrength = '=-3'\n", "no strength"),
        (STUDY.replace("skirmish", "skirmisch"), "skirmish"),
        ("", "study.toml: the file is empty"),
        ("this is no TOML", "study.toml: not a TOML file"),
    ],
)
def test_bad_studies(tmp_path: Path, simkit_command: Command, content: str, said: str) -> None:
    (tmp_path / "study.toml").write_text(content, encoding="utf-8")
    _refused(simkit_command("run", "study.toml", "--out", "out", "--jobs", "1"), said)
    assert not (tmp_path / "out").exists()


def test_a_study_that_is_not_utf8(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "study.toml").write_bytes(STUDY.encode("utf-16"))
    _refused(simkit_command("run", "study.toml"), "study.toml: not UTF-8 text")


def test_a_foreign_folder(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "diary.txt").write_text("mine")
    _refused(simkit_command("run", SCENARIO, "--runs", "2", "--out", "out"), "out: is not empty and holds no results")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "no manifest of simkit"),
        ('{"a": 1}', "no manifest of simkit"),
        ('{"format": 99}', "layout 99"),
        ('{"format": 1}', "the manifest is damaged"),
    ],
)
def test_folders_of_another_version_or_damaged(
    tmp_path: Path, simkit_command: Command, manifest: str, said: str
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text(manifest)
    _refused(simkit_command("run", SCENARIO, "--runs", "2", "--out", "out"), said)
    _refused(simkit_command("report", "out"), said)
    assert (tmp_path / "out" / "manifest.json").read_text() == manifest


def test_a_folder_of_another_engine(tmp_path: Path, simkit_command: Command) -> None:
    arguments = ("run", SCENARIO, "--runs", "2", "--seed", "1", "--jobs", "1", "--out", "out", "--quiet")
    assert simkit_command(*arguments)[0] == 0
    place = tmp_path / "out" / "manifest.json"
    manifest = json.loads(place.read_text())
    manifest["engine"]["version"] = "0.0.9"
    place.write_text(json.dumps(manifest))
    more = ("run", SCENARIO, "--runs", "4", "--seed", "1", "--jobs", "1", "--out", "out", "--quiet")
    _refused(simkit_command(*more), "simkit version 0.0.9 there")
