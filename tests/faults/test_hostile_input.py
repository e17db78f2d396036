"""Odd files, names, commanders and folders: one message in one line, exit code 2, nothing left behind."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import simkit
from simkit.analysis.results import Results
from simkit.batch.store import alone
from simkit.errors import InputError
from simkit.scenario import names
from simkit.scenario.doctrines import read_doctrine
from simkit.scenario.reading import MOST_BYTES, MOST_NUMBER, Row, Table, checked, read_rows, read_text

SCENARIO = "dead_of_winter/skirmish"
Command = Callable[..., tuple[int, str, str]]

STUDY = '[study]\nname = "s"\nscenario = "dead_of_winter/skirmish"\nruns = 2\nseed = 1\n'

OWN = """
import sys
from simkit.rules.commander import Commander

class Idle(Commander):
    def act(self, series, brigades):
        pass
    def shocks(self, series, brigades):
        return []

class Quits(Idle):
    def act(self, series, brigades):
        sys.exit(0)

class Unmade(Idle):
    def __init__(self):
        sys.exit(0)

class Waits(Idle):
    async def act(self, series, brigades):
        pass

class Strengthens(Idle):
    def act(self, series, brigades):
        series.battle.units[0].strength = 90

class Wrecks(Idle):
    def act(self, series, brigades):
        series.battle.units.clear()

class Opens(Idle):
    def act(self, series, brigades):
        import simkit
        simkit.results("nowhere")

class Meddles(Idle):
    def fewer_markers(self, series, division, most):
        series.battle.units[0].refused = 1
        return most

class Mute(Exception):
    def __str__(self):
        raise ValueError

class Dumb(Idle):
    def act(self, series, brigades):
        raise Mute

class Mumbles:
    def __repr__(self):
        raise ValueError

class Answers(Idle):
    def act(self, series, brigades):
        return Mumbles()
"""


def _refused(result: tuple[int, str, str], *said: str) -> None:
    code, out, err = result
    assert code == 2, (out, err)
    assert err.startswith("simkit: ")
    assert err.count("\n") == 1, err
    for words in said:
        assert words in err, err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (STUDY + "x = " + "[" * 20_000 + "]" * 20_000, "study.toml: its brackets stand too deep"),
        (STUDY.replace("seed = 1", f"seed = {'9' * 5000}"), "study.toml: a number in it has too many digits"),
        (STUDY.replace(SCENARIO, "a\\u0000.toml"), "no such file; a path cannot hold a zero byte"),
        (STUDY.replace(SCENARIO, ""), "study.scenario"),
        (STUDY + "[options]\ncrests = 1.5\n", "must be true or false, a whole number or text in quotes, not 1.5"),
        (STUDY + "[variant]\nname = 'a'\n", "variant: must be a list"),
        (STUDY + "[commanders]\nUnion = \"\\u001b[31m\"\n", "\\x1b[31m"),
    ],
)
def test_odd_studies(tmp_path: Path, simkit_command: Command, content: str, said: str) -> None:
    (tmp_path / "study.toml").write_text(content, encoding="utf-8")
    _refused(simkit_command("run", "study.toml", "--out", "out", "--jobs", "1"), said)
    assert not (tmp_path / "out").exists()


def test_a_byte_order_mark_does_no_harm(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace("\n", "\r\n"), encoding="utf-8-sig", newline="")
    assert simkit_command("run", "study.toml", "--out", "out", "--jobs", "1", "--quiet") == (0, "", "")


def test_what_is_no_data_file(tmp_path: Path) -> None:
    big = tmp_path / "big.toml"
    with big.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for path, said in ((big, "more than"), (Path(os.devnull), "is a device")):
        with pytest.raises(InputError, match=said):
            read_text(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / ("a" * 300))


class _Numbers(Table):
    one: int = 0
    many: dict[str, list[int]] = {}


@pytest.mark.parametrize("data", [{"one": 2**70}, {"many": {"a": [1, -(2**40)]}}])
def test_numbers_that_the_engine_cannot_hold(data: dict[str, object]) -> None:
    with pytest.raises(InputError, match=f"must lie between -{MOST_NUMBER} and {MOST_NUMBER}"):
        checked(_Numbers, data, Path("numbers.toml"), "")


class _Cell(Row):
    name: str


def test_a_cell_without_end(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text(f"name\n{'x' * 200_000}\n")
    with pytest.raises(InputError, match=r"cells.csv, line 2: not a CSV file: field larger"):
        read_rows(_Cell, path)


def test_a_doctrine_in_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be read"):
        read_doctrine(tmp_path / "file" / "doctrine.toml")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("odd:Quits", "odd.Quits: act fails: SystemExit: 0 (odd.py, line 13)"),
        ("odd:Unmade", "odd:Unmade: cannot be made"),
        ("odd:Waits", "odd.Waits: act is async"),
        ("odd:Strengthens", "odd:Strengthens: leaves the battle in a state that the rules forbid"),
        ("odd:Wrecks", "odd:Wrecks: the battle breaks off"),
        ("odd:Opens", "odd.Opens: act fails: InputError: nowhere: no such folder"),
        ("odd:Meddles", "odd.Meddles: fewer_markers changes the battle; it may only answer"),
        ("odd:Dumb", "odd.Dumb: act fails: Mute (odd.py, line 47)"),
        ("odd:Answers", "odd.Answers: act returns a Mumbles"),
        ("quits:Anything", "importing quits fails: SystemExit"),
        ("odd.py:Idle", "a class in plan.py is written plan:Class"),
        ("./odd:Idle", "write module:Class"),
    ],
)
def test_commanders_that_misbehave(tmp_path: Path, simkit_command: Command, spec: str, said: str) -> None:
    (tmp_path / "odd.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "quits.py").write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    arguments = ("run", SCENARIO, "--runs", "2", "--jobs", "1", "--out", "out", "--commander", f"Union={spec}")
    _refused(simkit_command(*arguments), said)
    assert not (tmp_path / "out").exists()


MISUSES = """
from simkit.commanders.heuristic import HeuristicCommander
from simkit.scenario.doctrines import doctrine

class Steady(HeuristicCommander):
    def __init__(self):
        super().__init__(doctrine("steady"), [])

class Stale(Steady):
    def act(self, series, brigades):
        for unit in brigades[0].units:
            for move in series.lines.extensions(unit)[:1]:
                series.lines.extend(unit, move)
                series.lines.extend(unit, move)

class Twice(Steady):
    def act(self, series, brigades):
        for unit in brigades[0].units:
            for side in (1, 2):
                if series.refusal.may_refuse(unit, side):
                    series.refusal.refuse(unit, side)
                    series.refusal.refuse(unit, side)

class Double(Steady):
    def act(self, series, brigades):
        unit = brigades[0].units[0]
        series.movement.search(unit)
        series.movement.move_stack([unit, unit], series.movement.reached[0], 1)

class Turns(Steady):
    def next_brigade(self, series, brigades):
        for unit in brigades[0].units:
            series.facing.face(unit, (unit.heading + 2) % 12)
        return 0
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Stale", "act fails: CommanderError: ExtendedLines.extend: "),
        ("Twice", "act fails: CommanderError: Refusal.refuse: "),
        ("Double", "act fails: CommanderError: Movement.move_stack: "),
        ("Turns", "next_brigade changes the battle; it may only answer"),
    ],
)
def test_misuses_of_formations(tmp_path: Path, simkit_command: Command, name: str, said: str) -> None:
    (tmp_path / "misuses.py").write_text(MISUSES, encoding="utf-8")
    arguments = ("run", SCENARIO, "--runs", "3", "--seed", "1", "--jobs", "1", "--out", "out")
    _refused(simkit_command(*arguments, "--commander", f"Union=misuses:{name}"), f"misuses.{name}: {said}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("value", ["--5", "9" * 5000, "-"])
def test_options_that_are_nearly_numbers(simkit_command: Command, value: str) -> None:
    _refused(simkit_command("run", SCENARIO, "--option", f"crests={value}"), "option crests is")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", ""], "can name no scenario"),
        (["run", "\udcff"], "can name no scenario"),
        (["run", SCENARIO, "--out", "a" * 300], "File name too long"),
        (["run", SCENARIO, "--out", "\udcff"], "the name is no Unicode text"),
        (["check", "a" * 300], "File name too long"),
    ],
)
def test_odd_names(simkit_command: Command, arguments: list[str], said: str) -> None:
    _refused(simkit_command(*arguments), said)


@pytest.mark.parametrize("name", ["a:b", "http:x", "~", "ü [1] %20", "new\nline"])
def test_folders_with_odd_names(tmp_path: Path, simkit_command: Command, name: str) -> None:
    arguments = ("run", SCENARIO, "--runs", "2", "--jobs", "1", "--out", name, "--quiet")
    assert simkit_command(*arguments) == (0, "", "")
    assert (tmp_path / name / "report.html").is_file()


def test_a_study_with_a_long_name(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace('"s"', f'"{"語" * 200}"'), encoding="utf-8")
    assert simkit_command("run", "study.toml", "--jobs", "1", "--quiet") == (0, "", "")


def test_damaged_folders(tmp_path: Path, simkit_command: Command) -> None:
    arguments = ("run", SCENARIO, "--runs", "2", "--seed", "1", "--jobs", "1", "--out", "out", "--quiet")
    assert simkit_command(*arguments)[0] == 0
    _refused(simkit_command("replay", "out", "--run", "9" * 20), "run: must lie between 0 and")
    manifest = tmp_path / "out" / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text.replace('"seed": 1,', '"seed": -1,'))
    _refused(simkit_command("replay", "out", "--run", "1"), "seed: must be at least 0, not -1; the manifest is damaged")
    manifest.write_text(text)
    last = max((tmp_path / "out" / "units.parquet").iterdir())
    last.unlink()
    _refused(simkit_command("report", "out"), f"{last.name} is missing")
    (max((tmp_path / "out" / "runs.parquet").iterdir())).replace(last)
    (tmp_path / "out" / "runs.parquet" / last.name).write_bytes(last.read_bytes())
    _refused(simkit_command("report", "out"), "column unit is missing")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folders")
def test_two_processes_into_one_folder(tmp_path: Path, simkit_command: Command) -> None:
    arguments = ("run", SCENARIO, "--runs", "2", "--seed", "1", "--jobs", "1", "--out", "out", "--quiet")
    with alone(tmp_path / "out"):
        _refused(simkit_command(*arguments), "out: another process plays into it")
    assert simkit_command(*arguments)[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_nobody_listens(tmp_path: Path, start: Callable[..., "subprocess.Popen[str]"]) -> None:
    process = start(["scenarios"])
    assert process.communicate(timeout=60) == ("".join(f"{name}\n" for name in names()), "")
    command = f'"{sys.executable}" -m simkit.cli scenarios'
    home = str(Path(simkit.__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": home}
    for redirection, code, said in ((">&-", 0, ""), (">/dev/full", 2, "simkit: No space left on device\n")):
        done = subprocess.run(
            f"{command} {redirection}", shell=True, cwd=tmp_path, env=environment, text=True, capture_output=True,
            check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_workers_end_with_their_parent(tmp_path: Path, start: Callable[..., "subprocess.Popen[str]"]) -> None:
    (tmp_path / "odd.py").write_text(OWN, encoding="utf-8")
    who = ["--commander", "Union=odd:Idle", "--commander", "Confederate=odd:Idle"]
    process = start(["run", SCENARIO, "--runs", "1000000", "--jobs", "2", "--out", "out", "--quiet", *who])
    for _ in range(1200):
        if (tmp_path / "out" / "runs.parquet").exists():
            break
        time.sleep(0.05)
    workers = _children(process.pid)
    assert workers
    process.kill()
    process.wait()
    for _ in range(200):
        if not [worker for worker in workers if _alive(worker)]:
            break
        time.sleep(0.05)
    assert not [worker for worker in workers if _alive(worker)]
    assert Results(tmp_path / "out").manifest["finished"] is None


def _children(pid: int) -> list[int]:
    text = "".join(file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children"))
    return [int(word) for word in text.split()]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
