"""A user's own commander: checked before a battle, watched during it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simkit.batch.guard import check, commander_for, described, imported
from simkit.errors import InputError
from simkit.rules.commander import Commander
from simkit.scenario.questions import protocol


class Idle(Commander):
    def act(self, series: Any, brigades: Any) -> None:
        return None

    def shocks(self, series: Any, brigades: Any) -> list[Any]:
        return []


class Misspelt(Commander):
    def act(self, series: Any, brigades: Any) -> None:
        return None

    def shock(self, series: Any, brigades: Any) -> list[Any]:
        return []


class TooFew(Idle):
    def act(self, series: Any) -> None:  # type: ignore[override]
        return None


class NoMethod(Idle):
    act = 3  # type: ignore[assignment]


class Raises(Idle):
    def act(self, series: Any, brigades: Any) -> None:
        {}["nowhere"]


class WrongElement(Idle):
    def shocks(self, series: Any, brigades: Any) -> list[Any]:
        return ["left", "right"]


class WrongType(Idle):
    def first_marker(self, series: Any, divisions: Any) -> Any:
        return "first"

    def coordinate(self, series: Any, division: Any, brigades: Any) -> Any:
        return 1

    def return_fire(self, series: Any, unit: Any, target: Any, most: int) -> Any:
        return 2.0


class NeedsArguments(Idle):
    def __init__(self, doctrine: str) -> None:
        super().__init__()


class ForgetsBase(Idle):
    def __init__(self) -> None:
        pass


def _made(maker: Callable[..., Any]) -> Any:
    return commander_for(maker, "Union", None, ".")


def test_the_protocol_is_that_of_the_abstract_class() -> None:
    found = protocol()
    assert [question.name for question in found.values() if question.required] == ["act", "shocks"]
    assert found["act"].parameters == ("series", "brigades")
    assert found["rapid_fire"].returns == "bool"
    assert set(found) == {name for name in dir(Commander) if not name.startswith("_")} - {"side"}


@pytest.mark.parametrize(
    ("maker", "said"),
    [
        (int, "the class is no Commander"),
        (Misspelt, r'lacks the method shocks\(self, series, brigades\).*is "shock" meant'),
        (
            TooFew,
            r"TooFew: act\(self, series.*\).* does not take its arguments; it should be act\(self, series, brigades\)",
        ),
        (NoMethod, "act is no method but 3"),
        (NeedsArguments, "cannot be made.*TypeError.*doctrine"),
        (ForgetsBase, r"does not call super\(\).__init__\(\)"),
        (lambda: 3, "makes 3, which is no Commander"),
    ],
)
def test_a_wrong_class_is_refused_before_the_battle(maker: Callable[..., Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        _made(maker)


@pytest.mark.parametrize(
    ("maker", "method", "said"),
    [
        (Raises, "act", r"Raises: act fails: KeyError: 'nowhere' \(test_guard.py, line \d+\)"),
        (WrongElement, "shocks", r"WrongElement: shocks returns \['left', 'right'\] \(list\).*list\[Designation\]"),
        (WrongType, "first_marker", r"WrongType: first_marker returns 'first' \(str\).*a whole number"),
        (WrongType, "coordinate", r"WrongType: coordinate returns 1 \(int\).*True or False"),
        (WrongType, "return_fire", r"WrongType: return_fire returns 2.0 \(float\).*a whole number"),
    ],
)
def test_a_failing_method_is_named(maker: type, method: str, said: str) -> None:
    commander = _made(maker)
    arguments = [None] * len(protocol()[method].parameters)
    with pytest.raises(InputError, match=said):
        getattr(commander, method)(*arguments)


def test_a_right_class_is_left_as_it_is() -> None:
    check(Idle)
    commander = _made(Idle)
    assert isinstance(commander, Idle)
    assert commander.shocks(None, []) == []
    assert type(commander).first_marker is Commander.first_marker


def test_a_function_may_make_the_commander() -> None:
    kept = Idle()
    assert _made(lambda: kept) is kept


def test_a_function_may_ask_for_side_and_battle() -> None:
    asked = []

    def made(side: str, built: Any) -> Idle:
        asked.append((side, built))
        return Idle()

    assert isinstance(_made(made), Idle)
    assert asked == [("Union", None)]


def test_a_class_of_a_module_in_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "own_guard_module.py").write_text("class Mine:\n    pass\n", encoding="utf-8")
    found = imported("own_guard_module:Mine", str(tmp_path))
    assert described(found) == "own_guard_module:Mine"
    with pytest.raises(InputError, match='has no class Mien; did you mean "Mine"'):
        imported("own_guard_module:Mien", str(tmp_path))
    with pytest.raises(InputError, match="no module no_such_module"):
        imported("no_such_module:Mine", str(tmp_path))


def test_a_module_that_fails_on_import(tmp_path: Path) -> None:
    (tmp_path / "own_broken_module.py").write_text("x = 1\n1 / 0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"ZeroDivisionError: division by zero \(own_broken_module.py, line 2\)"):
        imported("own_broken_module:Mine", str(tmp_path))
