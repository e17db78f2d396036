"""`simkit odds`, as a player types it."""

import csv
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import simkit

Command = Callable[..., tuple[int, str, str]]
LINE = ("8/6", "charge,brigadier", "vs", "5/5", "woods,breastworks")
PLAIN = ("8/6", "vs", "5/5")


@pytest.mark.parametrize("kind", ["shock", "fire"])
def test_help_teaches_the_grammar(simkit_command: Command, kind: str) -> None:
    code, out, err = simkit_command("odds", kind, "--help")
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    for needed in ("strength/cohesion", "vs", "default", "simkit odds words", f"simkit odds {kind} 8/6", "--sweep"):
        assert needed in text


def test_the_example_of_the_help_answers(simkit_command: Command) -> None:
    code, out, err = simkit_command("odds", "shock", *LINE)
    assert (code, err) == (0, "")
    assert out.startswith("shock 8/6 charge,brigadier vs 5/5")
    assert "exact: every branch of the dice was played" in out
    for title in (
        "How it ends", "success: the attacker ends in the hex", "hex carried", "Strength points lost",
        "Where each unit ends", "Step by step",
    ):  # fmt: skip
        assert title in out


def test_json_is_what_python_answers(simkit_command: Command) -> None:
    code, out, _ = simkit_command("odds", "shock", *LINE, "--format", "json")
    assert code == 0
    assert json.loads(out) == simkit.odds.shock(" ".join(LINE)).as_json()


def test_the_line_of_an_answer_can_be_pasted(simkit_command: Command) -> None:
    _, first, _ = simkit_command("odds", "shock", *LINE, "--format", "json")
    said = json.loads(first)["situation"]
    _, again, _ = simkit_command("odds", *said.split(), "--format", "json")
    assert again == first


def test_flags_say_what_the_line_says(simkit_command: Command) -> None:
    flags = ("--attacker", "8/6", "--attacker", "6/5", "--defender", "5/5", "--whole", "night")
    code, out, _ = simkit_command("odds", "shock", *flags, "--format", "json")
    assert code == 0
    assert json.loads(out)["situation"] == "shock 8/6 | 6/5 vs 5/5 clear night"


def test_csv_is_tidy(simkit_command: Command) -> None:
    _, out, _ = simkit_command("odds", "shock", *PLAIN, "--format", "csv", "--fractions")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["part", "name", "value"]
    parts = {row["part"] for row in rows}
    assert {"outcome", "event", "attacker_loss", "attacker_loss_at_least", "expected", "step"} <= parts


def test_sweep_prints_a_grid_and_draws_it(tmp_path: Path, simkit_command: Command) -> None:
    code, out, err = simkit_command(
        "odds", "shock", *PLAIN, "--sweep", "attacker=6..8", "--sweep", "position=front,flank", "--plot", "card.pdf"
    )
    assert (code, err) == (0, "")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[2] == ["attacker \\ position", "front", "flank"]
    assert [line[0] for line in lines[3:]] == ["6", "7", "8"]
    assert (tmp_path / "card.pdf").read_bytes().startswith(b"%PDF")


def test_a_sweep_of_losses_as_csv(simkit_command: Command) -> None:
    _, out, _ = simkit_command("odds", "fire", "8/6", "vs", "5/5", "--sweep", "range=1..2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["range"] for row in rows] == ["1", "2"]
    assert all(row["method"] == "exact" for row in rows)


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")])
def test_plots_of_three_kinds(tmp_path: Path, simkit_command: Command, name: str, start: bytes) -> None:
    code, _, err = simkit_command("odds", "shock", *PLAIN, "--plot", name)
    assert (code, err) == (0, "")
    assert (tmp_path / name).read_bytes().startswith(start)
    assert os.listdir(tmp_path) == [name]


def test_what_if_shows_both_and_the_difference(simkit_command: Command) -> None:
    code, out, _ = simkit_command("odds", "shock", *PLAIN, "--what-if", "position=flank")
    assert code == 0
    assert "first   shock 8/6 vs 5/5" in out
    assert "second  shock 8/6 flank vs 5/5" in out
    assert "\tfirst\tsecond\tdifference" in out


def test_why_ranks_modifiers(simkit_command: Command) -> None:
    code, out, _ = simkit_command("odds", "fire", "8/6", "vs", "5/5 breastworks", "--why", "--format", "json")
    assert code == 0
    changes = [abs(effect["change"]) for effect in json.loads(out)["why"]]
    assert changes
    assert changes == sorted(changes, reverse=True)


def test_a_limit_is_told(simkit_command: Command) -> None:
    _, out, _ = simkit_command("odds", "shock", *PLAIN, "--limit", "20", "--draws", "500")
    assert "sampled:" in out
    assert "(500 combats)" in out
    assert "95 % intervals" in out


def test_words_are_listed_and_found(simkit_command: Command) -> None:
    code, out, _ = simkit_command("odds", "words")
    assert code == 0
    assert {"aggressive", "woods", "breastworks", "give-way"} <= {line.split("\t")[0] for line in out.splitlines()}
    _, found, _ = simkit_command("odds", "words", "position")
    assert [line.split("\t")[0] for line in found.splitlines()[1:]] == ["front", "flank", "rear"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("shock",), "no situation"),
        (("shock", "8/6", "vs", "5/5", "nihgt"), "did you mean night"),
        (("shock", "8/6"), "vs"),
        (("shock", "fire", "8/6", "vs", "5/5"), "odds fire"),
        (("shock", *PLAIN, "--attacker", "3/3"), "not both"),
        (("shock", *PLAIN, "--sweep", "attacker=3..4", "--why"), "different questions"),
        (("shock", *PLAIN, "--format", "xml"), "table, json or csv"),
        (("shock", *PLAIN, "--plot", "a.gif"), ".png, .svg or .pdf"),
        (("shock", *PLAIN, "--sweep", "attacker=1..2", "--measure", "sucess"), "success"),
        (("shock", *PLAIN, "--limit", "-1"), "limit"),
        (("shock", *PLAIN, "--swep", "attacker=3..4"), "did you mean --sweep"),
        (("shock", *PLAIN, "--measure", "success"), "give --sweep"),
        (("shock", *PLAIN, "--edition", "woods"), "no edition"),
        (("shock", *PLAIN, "--whole", "charge"), "not of the whole"),
        (("shock", *PLAIN, "--attacker-support", "3/3"), "with"),
        (("shock", *PLAIN, "--charts", "taken"), "no such folder"),
        (("shock", "--attacker", "8/6"), "--defender"),
        (("shock", "-1/6", "vs", "5/5"), "strength/cohesion"),
        (("shock", "1e9/6", "vs", "5/5"), "strength/cohesion"),
        (("shock", "99999/6", "vs", "5/5"), "strength lies"),
        (("shock", "8/6", "march", "vs", "5/5"), "March Orders"),
        (("shock", "8/6", "\u6728", "vs", "5/5"), "unknown word"),
        (("shock", " | ".join(["1/1"] * 7), "vs", "5/5"), "at most 3"),
        (("shock", *PLAIN, "--plot", "taken/a.png"), "cannot be written"),
        (("words", "xyzzy"), "no word"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(
    tmp_path: Path, simkit_command: Command, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "taken").write_text("a file, no folder", encoding="utf-8")
    code, _, err = simkit_command("odds", *arguments)
    assert code == 2
    assert message in err
    assert err.startswith("simkit: ")
    assert "Traceback" not in err


def test_the_place_in_the_line_is_shown(simkit_command: Command) -> None:
    _, _, err = simkit_command("odds", "shock", "8/6", "vs", "5/5", "nihgt")
    _, line, caret = err.rstrip("\n").split("\n")
    assert line[caret.index("^") :] == "nihgt"


def test_a_sweep_draws_beyond_the_limit_and_says_so(simkit_command: Command) -> None:
    _, out, _ = simkit_command(
        "odds", "shock", *PLAIN, "--sweep", "attacker=7,8", "--limit", "20", "--draws", "50", "--format", "csv"
    )
    assert [row["method"] for row in csv.DictReader(io.StringIO(out))] == ["sampled", "sampled"]


def test_the_limits_are_those_of_the_enumeration() -> None:
    from simkit import cli_odds
    from simkit.exact import enumeration

    assert (cli_odds.LIMIT, cli_odds.DRAWS) == (enumeration.LIMIT, enumeration.DRAWS)


@pytest.mark.parametrize("kind", ["shock", "fire"])
def test_the_help_has_every_word_that_may_be_said(simkit_command: Command, kind: str) -> None:
    from simkit.odds.grammar import charts_of, vocabulary

    _, out, _ = simkit_command("odds", kind, "--help")
    told = set(re.findall(r"[\w-]+", out))
    missing = [
        word.word for word in vocabulary(charts_of()).values()
        if word.kind in ("", kind) and word.word not in told and not (kind == "fire" and word.group == "position")
    ]  # fmt: skip
    assert not missing


@pytest.mark.parametrize("kind", ["shock", "fire"])
def test_the_help_fits_a_terminal(simkit_command: Command, kind: str) -> None:
    """Of 80 columns, with what the styled help puts around a line."""
    from simkit import cli_odds

    assert all(len(line) <= 76 for line in (cli_odds.UNITS + cli_odds.WORDS_OF[kind]).splitlines())


def test_supporters_in_flags(simkit_command: Command) -> None:
    flags = ("--attacker", "8/6", "--attacker", "6/5", "--attacker-support", "3/3 right", "--defender", "5/5",
             "--defender-support", "2/4", "--defender-support", "3/4 behind")
    _, out, _ = simkit_command("odds", "shock", *flags, "--format", "json", "--limit", "5", "--draws", "5")
    assert json.loads(out)["situation"] == "shock 8/6 | 6/5 with 3/3 right vs 5/5 with 2/4 + 3/4 behind"


def test_whose_charts_hold_is_said(simkit_command: Command) -> None:
    _, out, _ = simkit_command("odds", "shock", *PLAIN, "--edition", "gringo")
    assert "note: series rules as Gringo! words them, but by the charts of Dead of Winter" in out
    _, plain, _ = simkit_command("odds", "shock", *PLAIN)
    assert "note" not in plain
