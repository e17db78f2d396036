"""The commands, as a user types them."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import simkit

SCENARIO = "dead_of_winter/skirmish"
COMMANDS = ("run", "report", "replay", "scenarios", "provenance", "check", "map", "history", "calibrate", "bench")
Command = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_explains_itself(simkit_command: Command, command: str) -> None:
    code, out, err = simkit_command(command, "--help")
    assert (code, err) == (0, "")
    assert f"Example: simkit {command}" in " ".join(out.split())


def test_help_lists_all_commands(simkit_command: Command) -> None:
    code, out, _ = simkit_command("--help")
    assert code == 0
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", out)


def test_options_are_those_promised(simkit_command: Command) -> None:
    _, out, _ = simkit_command("run", "--help")
    found = set(re.findall(r"--[a-z]+", out)) - {"--help"}
    named = ("runs", "seed", "jobs", "out", "commander", "option", "combats", "uncertainty", "quiet")
    assert found == {f"--{name}" for name in named}


def test_help_is_fast(simkit_process: Command) -> None:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        assert simkit_process("--help")[0] == 0
        times.append(time.perf_counter() - started)
    assert min(times) < 0.5


def test_version(simkit_command: Command) -> None:
    assert simkit_command("--version") == (0, f"{simkit.__version__}\n", "")


def test_no_command_shows_help(simkit_command: Command) -> None:
    code, out, err = simkit_command()
    assert code == 2
    assert "Usage" in out + err


def test_scenarios_are_one_plain_id_a_line(simkit_command: Command) -> None:
    code, out, err = simkit_command("scenarios")
    assert (code, err) == (0, "")
    names = out.splitlines()
    assert SCENARIO in names
    assert names == sorted(names)
    assert all(re.fullmatch(r"[a-z0-9_]+/[a-z0-9_]+", name) for name in names)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from simkit.api import experiment

    folder = tmp_path_factory.mktemp("played") / "out"
    experiment(SCENARIO, folder, runs=20, seed=1862, jobs=1, combats=True).run()
    return folder


def test_run_writes_a_whole_folder(tmp_path: Path, simkit_command: Command) -> None:
    code, out, err = simkit_command(
        "run", SCENARIO, "--runs", "20", "--seed", "1862", "--jobs", "2", "--out", "out", "--combats"
    )
    assert (code, err) == (0, "")
    assert "20 battles" in out
    assert "report.html" in out
    assert "\x1b" not in out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {"runs.parquet", "units.parquet", "commands.parquet", "ground.parquet", "combats.parquet"}
    assert names == {"manifest.json", "summary.csv", "plots", "report.html", *tables}
    assert {"map_setup.png", "outcome_shares.png"} <= {path.name for path in (tmp_path / "out" / "plots").iterdir()}
    assert len(simkit.results(tmp_path / "out").runs) == 20


def test_run_without_out_names_the_folder(tmp_path: Path, simkit_command: Command) -> None:
    assert simkit_command("run", SCENARIO, "--runs", "2", "--jobs", "1", "--quiet") == (0, "", "")
    assert (tmp_path / "results" / "dead_of_winter_skirmish" / "manifest.json").is_file()


def test_run_takes_a_study(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "twins.toml").write_text(
        f'[study]\nname = "Twins"\nscenario = "{SCENARIO}"\nruns = 4\nseed = 5\n[[variant]]\nname = "bold"\n'
        'commanders = {Union = "aggressive"}\n'
    )
    code, _out, err = simkit_command("run", "twins.toml", "--jobs", "1", "--option", "crests=no")
    assert (code, err) == (0, "")
    manifest = json.loads((tmp_path / "results" / "twins" / "manifest.json").read_text())
    assert [variant["name"] for variant in manifest["variants"]] == ["base", "bold"]
    assert manifest["variants"][1]["commanders"] == {"Union": "aggressive", "Confederate": "steady"}
    assert manifest["options"] == {"crests": "no"}
    assert manifest["variants"][1]["options"] == {"crests": "no"}


def test_run_takes_a_class_of_the_current_folder(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "own_idle.py").write_text(
        "from simkit.rules.commander import Commander\n"
        "class Idle(Commander):\n"
        "    def act(self, series, brigades): pass\n"
        "    def shocks(self, series, brigades): return []\n"
    )
    arguments = ("run", SCENARIO, "--runs", "4", "--seed", "1", "--out", "out", "--quiet")
    assert simkit_command(*arguments, "--jobs", "2", "--commander", "Union=own_idle:Idle") == (0, "", "")
    results = simkit.results(tmp_path / "out")
    assert results.manifest["commanders"]["Union"] == "own_idle:Idle"
    assert (results.runs.shocks_Union == 0).all()
    code, out, err = simkit_command("replay", "out", "--run", "2")
    assert (code, err) == (0, "")
    assert "Union: own_idle:Idle" in out


def test_report_builds_the_page_again(played: Path, simkit_command: Command) -> None:
    code, out, err = simkit_command("report", str(played))
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == f"Report: {played / 'report.html'}"
    assert (played / "report.html").read_text(encoding="utf-8").startswith("<!")
    summary = pd.read_csv(played / "summary.csv")
    assert set(summary.variant) == {"base"}


def test_replay_tells_the_battle_of_the_folder(played: Path, simkit_command: Command) -> None:
    row = simkit.results(played).runs.set_index("run").loc[3]
    code, out, err = simkit_command("replay", str(played), "--run", "3")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Run 3 of dead_of_winter/skirmish")
    assert sum("Activation" in line for line in lines) > 1
    side = "nobody" if row.winner == "draw" else row.winner
    assert f"Winner: {side} ({row.level})" in lines
    assert f"Strength points lost: Union {row.sp_lost_Union}, Confederate {row.sp_lost_Confederate}" in lines
    fires = sum(" fire" in line and " SP at " in line for line in lines)
    assert fires == row.fires_Union + row.fires_Confederate


def test_replay_draws_each_activation(played: Path, simkit_command: Command) -> None:
    code, out, err = simkit_command("replay", str(played), "--run", "3", "--map")
    assert (code, err) == (0, "")
    pictures = sorted((played / "replay" / "base-000000003").glob("*.png"))
    assert len(pictures) == 1 + len(set(re.findall(r"^  Activation (\d+)", out, re.MULTILINE)))
    assert all(picture.stat().st_size > 10_000 for picture in pictures)
    assert str(pictures[0].parent) in out


def test_replay_of_a_run_or_variant_that_is_none(played: Path, simkit_command: Command) -> None:
    code, _, err = simkit_command("replay", str(played), "--run", "-1")
    assert (code, "run" in err) == (2, True)
    code, _, err = simkit_command("replay", str(played), "--run", "1", "--variant", "bsae")
    assert (code, 'did you mean "base"' in err) == (2, True)


def test_provenance_lists_and_counts_the_sources(simkit_command: Command) -> None:
    code, out, err = simkit_command("provenance", SCENARIO)
    assert (code, err) == (0, "")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0] == ["table", "item", "value", "source", "rule", "why"]
    end = rows.index(["table", "printed", "derived", "reconstructed"])
    listed, counted = rows[1:end], rows[end + 1 :]
    assert {row[0] for row in listed} == {"book", "scenario", "units", "leaders", "map", "charts"}
    assert {row[3] for row in listed} == {"printed", "derived", "reconstructed"}
    assert sum(int(number) for row in counted for number in row[1:]) == len(listed)
    assert all(row[5] for row in listed if row[3] == "reconstructed")


def test_check_reads_files_of_every_kind(tmp_path: Path, simkit_command: Command) -> None:
    books = Path(simkit.__file__).parent / "books" / "dead_of_winter"
    doctrine = Path(simkit.__file__).parent / "commanders" / "doctrines" / "steady.toml"
    (tmp_path / "study.toml").write_text(f'[study]\nname = "a"\nscenario = "{SCENARIO}"\n')
    files = {
        "study": tmp_path / "study.toml",
        "scenario": books / "scenarios" / "skirmish.toml",
        "roster": books / "roster" / "units.csv",
        "map": books / "maps" / "stones_river.toml",
        "charts": books / "charts" / "fire.toml",
        "doctrine": doctrine,
    }
    code, out, err = simkit_command("check", *map(str, files.values()))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == len(files)
    for line, (kind, file) in zip(lines, files.items(), strict=True):
        assert line.startswith(f"{file}: {kind}: ")


def test_check_says_what_is_wrong_in_each_file(tmp_path: Path, simkit_command: Command) -> None:
    (tmp_path / "one.toml").write_text("[study]\nnmae = 'a'\n")
    (tmp_path / "two.toml").write_text("")
    (tmp_path / "three.toml").write_text("[other]\n")
    code, out, err = simkit_command("check", "one.toml", "two.toml", "three.toml")
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("simkit: one.toml, line 2:")
    assert lines[1].startswith("simkit: two.toml: the file is empty")
    assert lines[2].startswith("simkit: three.toml: of no known kind")


def test_bench_gives_the_same_signature_each_time(simkit_command: Command) -> None:
    from simkit import engine
    from simkit.batch.bench import signature

    code, out, err = simkit_command("bench")
    assert (code, err) == (0, "")
    assert re.search(rf"^signature +{signature()}$", out, re.MULTILINE)
    assert re.search(r"^speed +\d+\.\d battles/s", out, re.MULTILINE)
    assert ("compiled" in out) == engine.compiled()
