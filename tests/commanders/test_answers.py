"""Answers from a list: given once, in their place, and a battle that goes again as it was recorded."""

import json

import pytest

from simkit.commanders.heuristic import HeuristicCommander
from simkit.errors import InputError
from simkit.rules.commander import Commander, CommanderError
from simkit.scenario.answers import Answer, ListedCommander, RecordingCommander
from simkit.scenario.commanders import resolve
from simkit.scenario.doctrines import doctrine
from simkit.scenario.questions import choices, protocol

SKIRMISH = "dead_of_winter/skirmish"


def recorded(side):
    inner = HeuristicCommander(doctrine("steady"), [])
    inner.side = side
    return RecordingCommander(inner)


def listed(answers):
    return ListedCommander(doctrine("steady"), [], [], answers)


def test_every_question_answered_by_a_number_or_yes_or_no_can_be_listed():
    found = choices()
    assert found["retreat_before_shock"] is bool
    assert found["return_fire"] is int
    assert set(protocol()) - set(found) >= {"act", "shocks", "deploy", "coordinated"}
    for name in found:
        assert getattr(ListedCommander, name) is not getattr(Commander, name)


@pytest.mark.parametrize("run", range(2))
def test_a_battle_goes_again_as_its_answers_were_recorded(match, run):
    both = [recorded(side) for side in range(2)]
    first = match(*both)
    first.play(run)
    digest = first.battle.digest()
    assert all(len(one.answers) > 20 for one in both)
    again = match(*[listed(one.answers) for one in both])
    again.play(run)
    assert again.battle.digest() == digest
    assert all(not one.left for one in again.series.commanders)
    again.play(run)  # and a third time: the list begins anew with each run
    assert again.battle.digest() == digest


def test_other_answers_than_the_doctrines_change_the_battle(match):
    both = [recorded(side) for side in range(2)]
    first = match(*both)
    first.play(0)
    digest = first.battle.digest()
    silent = [answer._replace(value=0) for answer in both[1].answers if answer.question == "return_fire"]
    assert any(answer.value > 0 for answer in both[1].answers if answer.question == "return_fire")
    again = match(listed([]), listed(silent))  # others may not be allowed in another battle
    again.play(0)
    assert again.battle.digest() != digest


def test_an_answer_holds_where_it_says_and_once(skirmish):
    battle = skirmish.battle
    battle.reset()
    series, (one, other) = skirmish.series, battle.units[:2]
    commander = listed([
        Answer("return_fire", 3, about=one.id),
        Answer("return_fire", 2, turn=2),
        Answer("return_fire", 1, activation=7),
    ])
    ask = commander.return_fire
    assert ask(series, other, other.hex, 5) == 5  # another unit, turn 1, activation 0: as the doctrine has it
    assert ask(series, one, one.hex, 5) == 3
    assert ask(series, one, one.hex, 5) == 5
    battle.turn = 1
    assert ask(series, other, other.hex, 5) == 2
    battle.turn, battle.activation = 0, 7
    assert ask(series, other, other.hex, 5) == 1
    assert ask(series, other, other.hex, 5) == 5
    battle.reset()


def test_an_answer_that_the_rules_do_not_offer_is_named(match):
    game = match("steady", listed([Answer("return_fire", 99)]))
    with pytest.raises(CommanderError, match=r"return_fire: answered 99 .* right would be"):
        game.play(0)


@pytest.fixture
def script(tmp_path, skirmish):
    def made(*answers, side="Union"):
        tables = [f"[[answer]]\n{answer}\n" for answer in answers]
        path = tmp_path / "answers.toml"
        path.write_text(f'[script]\nname = "a"\nside = "{side}"\n\n' + "\n".join(tables), encoding="utf-8")
        return resolve(str(path), side, skirmish)

    return made


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('question = "return_fires"\nvalue = 1', r'no question "return_fires" .*return_fire'),
        ('question = "act"\nvalue = 1', r'no question "act"'),
        ('question = "return_fire"\nvalue = true', r"return_fire is answered by a whole number, not true"),
        ('question = "wrap_around"\nvalue = 1', r"wrap_around is answered by true or false, not 1"),
        ('question = "wrap_around"\nvalue = "yes"', r"value"),
        ('question = "return_fire"\nvalue = 1\nturn = 0', r"turn"),
        ('question = "return_fire"\nvalue = 1\nturn = 2', r"turn: must lie between 1 and 1, .*, not 2"),
        ('question = "return_fire"\nvalue = 1\nabout = "nobody"', r'no unit, leader or command "nobody"'),
    ],
)
def test_wrong_answers_are_refused_with_their_place(script, answer, said):
    with pytest.raises(InputError, match=said) as caught:
        script(answer)
    assert "answers.toml, line" in str(caught.value)


def test_a_script_must_say_something(script):
    with pytest.raises(InputError, match=r"\[\[order\]\] or an \[\[answer\]\]"):
        script()


def test_answers_of_a_replay_play_the_same_battle(simkit_command, tmp_path):
    """From the command line: run, replay with --answers, run by the scripts written, and the tables agree."""
    code, _, _ = simkit_command("run", SKIRMISH, "--runs", "1", "--seed", "5", "--out", "first")
    assert code == 0
    code, out, _ = simkit_command("replay", "first", "--run", "0", "--answers")
    assert code == 0
    folder = tmp_path / "first" / "replay" / "base-000000000"
    assert str(folder.relative_to(tmp_path) / "answers-union.toml") in out
    scripts = [f"{side}={folder / f'answers-{side.lower()}.toml'}" for side in ("Union", "Confederate")]
    code, _, err = simkit_command(
        "run", SKIRMISH, "--runs", "1", "--seed", "5", "--out", "again", "--commander", scripts[0], "--commander",
        scripts[1],
    )  # fmt: skip
    assert code == 0, err
    stories = []
    for name in ("first", "again"):
        code, out, _ = simkit_command("replay", name, "--run", "0")
        assert code == 0
        stories.append(out.splitlines()[2:])
    assert stories[0] == stories[1]
    text = (folder / "answers-union.toml").read_text(encoding="utf-8")
    assert text.count("[[answer]]") > 20
    assert json.dumps("steady") in text
    # an answer spoiled by hand is named, and the exit code is 2
    spoiled = folder / "spoiled.toml"
    spoiled.write_text(text.split("[[answer]]")[0] + '[[answer]]\nquestion = "return_fire"\nvalue = 99\n', "utf-8")
    code, _, err = simkit_command(
        "run", SKIRMISH, "--runs", "1", "--seed", "5", "--out", "third", "--commander", f"Union={spoiled}"
    )
    assert code == 2
    assert "return_fire: answered 99" in err
    assert "Traceback" not in err
