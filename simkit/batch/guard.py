"""A user's own commander: found, checked before a battle starts, and watched while it decides."""

import difflib
import importlib
import inspect
import sys
import sysconfig
from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from pathlib import Path
from typing import Any

from simkit import engine
from simkit.batch.spec import CommanderSpec
from simkit.errors import InputError
from simkit.rules.chargepath import ChargeWay
from simkit.rules.columnplans import ColumnMove
from simkit.rules.commander import Commander, LineAdvance, Transfer, Way, Works
from simkit.scenario.commanders import resolve
from simkit.scenario.questions import Question, protocol
from simkit.scenario.reading import shown, suggestion

MOST_TOLD = 300
"""Letters of an exception's text that a message shows."""

STDLIB = Path(sysconfig.get_path("stdlib"))

DYNAMIC = "<dynamic-code>"  # what cloudpickle puts in the place of a file
_UNIT = attrgetter(
    "hex", "place", "heading", "strength", "spent", "moved", "fired", "disordered", "rallied", "resupplied", "refused",
    "extended", "orders", "mounted", "blown", "building", "charging", "charge_marker", "ammo", "collapsed", "active",
    "finished",
)  # fmt: skip
_LEADER = attrgetter("hex", "spent")
_COMMAND = attrgetter("orders", "markers", "activations")
_OFFERED: dict[type, Callable[[Any], Any]] = {
    ChargeWay: attrgetter("sides", "headings", "targets"),
    ColumnMove: attrgetter("kind", "places", "heading"),
    LineAdvance: attrgetter("hexes", "heading"),
    Transfer: attrgetter("to", "givers"),
    Way: attrgetter("hexes", "through"),
    Works: attrgetter("hex", "heading"),
}
"""What the rules offer a commander to choose from, and what each choice says."""

HOW = "derive it from simkit.rules.commander.Commander"


class Blamed(InputError):
    """A failure of a user's commander that already names its class and method."""


def commander_for(spec: CommanderSpec, side: str, built: Any, home: str) -> Any:
    """The commander that a spec names or makes, ready to be handed to a game.

    Args:
        spec: a doctrine, a script file or "module:Class"; or a Commander class, or a function that makes one, each
            without arguments or from the side's name and the built battle.
        side: the side it commands.
        built: the battle it will fight.
        home: the folder that is searched first for a module.

    Raises:
        InputError: there is no such commander, or it lacks what a commander must have.
    """
    if isinstance(spec, str):
        if _module_and_class(spec) is None:
            if ":" in spec and not spec.endswith(".toml"):
                raise InputError(f"commander {spec}: write module:Class, as plan:Bold for the class Bold in plan.py")
            return resolve(spec, side, built)
        spec = imported(spec, home)
    return _made(spec, side, built)


def described(spec: CommanderSpec) -> str:
    """A spec in words that find it again where it can be imported."""
    if isinstance(spec, str):
        return spec
    return f"{spec.__module__}:{getattr(spec, '__qualname__', type(spec).__qualname__)}"


def imported(spec: str, home: str) -> Callable[..., Any]:
    """The class or function that "module:Class" names; the folder `home` is searched first.

    Raises:
        InputError: the module cannot be imported, or has no such class.
    """
    module_name, name = _module_and_class(spec) or ("", "")
    sys.path.insert(0, home)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise InputError(
            f"commander {spec}: no module {error.name or module_name} in {home} or among the installed packages; a "
            "class in plan.py is written plan:Class"
        ) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module that calls sys.exit too
        raise InputError(f"commander {spec}: importing {module_name} fails: {told(error)}") from error
    finally:
        sys.path.remove(home)
    found: object = getattr(module, name, None)
    if found is None:
        classes = [word for word, value in vars(module).items() if inspect.isclass(value)]
        raise InputError(f"commander {spec}: {module_name} has no class {name}{suggestion(name, classes)}")
    if not callable(found):
        raise InputError(f"commander {spec}: {name} is no class but {found!r}; {HOW}")
    return found


def check(cls: type) -> None:
    """Check a commander class before a battle starts: all methods there, each taking what the rules hand it.

    Raises:
        InputError: the class is no Commander, lacks a method, or a method does not take its arguments.
    """
    name = _name(cls)
    if not issubclass(cls, Commander):
        raise InputError(f"commander {name}: the class is no Commander; {HOW}")
    for question in protocol().values():
        method = getattr(cls, question.name)
        shape = f"{question.name}({', '.join(('self', *question.parameters))})"
        if question.required and method is getattr(Commander, question.name):
            near = difflib.get_close_matches(question.name, [word for word in vars(cls) if word not in protocol()], n=1)
            hint = f' (is "{near[0]}" meant to be it?)' if near else ""
            raise InputError(f"commander {name}: lacks the method {shape}, which every commander must have{hint}")
        if not _by_user(cls, question):
            continue
        if not callable(method):
            raise InputError(f"commander {name}: {question.name} is no method but {method!r}; it should be {shape}")
        if inspect.iscoroutinefunction(method):
            raise InputError(f"commander {name}: {question.name} is async; the rules don't wait, write def {shape}")
        if not _takes(method, "self", *question.parameters):
            raise InputError(
                f"commander {name}: {question.name}{inspect.signature(method)} does not take its arguments; "
                f"it should be {shape}"
            ) from None


def _made(maker: Callable[..., Any], side: str, built: Any) -> Any:
    if inspect.isclass(maker):
        check(maker)
    arguments = (side, built) if _takes(maker, side, built) and not _takes(maker) else ()
    try:
        commander = maker(*arguments)
    except (InputError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise InputError(
            f"commander {described(maker)}: cannot be made, neither without arguments nor from a side and a battle: "
            f"{told(error)}"
        ) from error
    if not isinstance(commander, Commander):
        raise InputError(f"commander {described(maker)}: makes {_shown(commander)}, which is no Commander; {HOW}")
    check(type(commander))
    try:
        commander.side  # noqa: B018
    except AttributeError:
        raise InputError(f"commander {_name(type(commander))}: its __init__ does not call super().__init__()") from None
    if type(commander).__module__.startswith("simkit."):
        return commander
    return _watched(commander)


def _takes(maker: Callable[..., Any], *arguments: Any) -> bool:
    try:
        inspect.signature(maker).bind(*arguments)
    except (TypeError, ValueError):
        return False
    return True


def _by_user(cls: type, question: Question) -> bool:
    """Whether the class or a base of it outside simkit defines the method."""
    owner = next(base for base in cls.__mro__ if question.name in vars(base))
    return not owner.__module__.startswith("simkit.")


def _watched(commander: Any) -> Any:
    """The same commander, whose failures name its class and method."""
    cls = type(commander)
    methods = {
        question.name: _watching(cls, getattr(cls, question.name), question)
        for question in protocol().values()
        if _by_user(cls, question)
    }
    commander.__class__ = type(cls.__name__, (cls,), {"__module__": cls.__module__, "__slots__": (), **methods})
    return commander


def _watching(cls: type, method: Callable[..., Any], question: Question) -> Callable[..., Any]:
    right = _tester(question.returns)
    only_answers = question.returns != "None"

    @wraps(method)
    def watched(*arguments: Any) -> Any:
        before = _state_of(arguments) if only_answers else []
        offered = _offer(arguments)
        try:
            answer = method(*arguments)
        except (Blamed, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise Blamed(f"commander {_name(cls)}: {question.name} fails: {told(error, cls.__module__)}") from error
        if not right(answer):
            raise Blamed(
                f"commander {_name(cls)}: {question.name} returns {_shown(answer)} ({type(answer).__name__}); "
                f"it should return {_plain(question.returns)}"
            )
        if _offer(arguments) != offered:
            raise Blamed(
                f"commander {_name(cls)}: {question.name} changes the list or a choice that it is handed; copy a list "
                "before you change it, as in list(...) or sorted(...)"
            )
        if only_answers and _state_of(arguments) != before:
            raise Blamed(
                f"commander {_name(cls)}: {question.name} changes the battle; it may only answer, for the rules ask "
                "it in the middle of something else (units move, turn and fire in act)"
            )
        return answer

    return watched


def _state_of(arguments: tuple[Any, ...]) -> list[Any]:
    """What an action of a unit or leader changes, in the battle of a question: its series comes first after self."""
    battle = getattr(arguments[1] if len(arguments) > 1 else None, "battle", None)
    if battle is None:
        return []  # a commander that asks itself
    works = battle.works
    return [
        *map(_UNIT, battle.units), *map(_LEADER, battle.leaders), *map(_COMMAND, battle.commands),
        [(place, *place.works) for place in works.hexes], list(works.sites),
    ]  # fmt: skip


def _offer(arguments: Any) -> list[Any]:
    """The lists that a question hands over, as they are now, with what the choices in them say."""
    return [[_told_by(one) for one in handed] for handed in arguments if isinstance(handed, list)]


def _told_by(choice: Any) -> Any:
    if isinstance(choice, list):
        return list(choice)
    says = _OFFERED.get(type(choice))
    return [list(part) if isinstance(part, list) else part for part in says(choice)] if says else choice


def _tester(annotation: str) -> Callable[[Any], bool]:
    if annotation == "None":
        return lambda answer: answer is None
    if annotation == "bool":
        return lambda answer: isinstance(answer, bool)
    if annotation in ("i64", "int"):
        # true and false are whole numbers to Python, but no choice out of a list
        return lambda answer: isinstance(answer, int) and not isinstance(answer, bool) and -(2**31) <= answer < 2**31
    if annotation.startswith("list["):
        element = _tester(annotation[len("list[") : -1])
        return lambda answer: isinstance(answer, list) and all(map(element, answer))
    cls = _engine_class(annotation)
    return lambda answer: isinstance(answer, cls)


def _engine_class(name: str) -> type:
    for module in ("simkit.rules.commander", "simkit.model.forces", "simkit.model.battlemap"):
        found = getattr(importlib.import_module(module), name, None)
        if inspect.isclass(found):
            return found
    raise LookupError(f"the commander's protocol names an unknown type {name}")


def _plain(annotation: str) -> str:
    return {"i64": "a whole number", "bool": "True or False", "None": "nothing"}.get(annotation, f"a {annotation}")


def _shown(value: object) -> str:
    """A value of the user's own in one short line, whatever it does when it is asked for its text."""
    try:
        return shown(value)
    except Exception:  # noqa: BLE001
        return f"a {type(value).__name__}"


def told(error: BaseException, module: str = "") -> str:
    """An exception in one line, with the place in the user's own file where it arose.

    Code that came to a worker by value no longer knows its file: it is named for its `module`.
    """
    trace, place = error.__traceback__, ""
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if str(file) == DYNAMIC and module:
            file = Path(f"{module.rpartition('.')[2]}.py")
        # a frame of compiled or built-in code names no file; one from another folder may name it relatively
        if file.suffix == ".py" and not (_is_engine(file) or _is_stdlib(file)):
            place = f" ({file.name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    try:
        text = " ".join(str(error).split())[:MOST_TOLD]
    except Exception:  # noqa: BLE001
        text = ""
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"


def _is_engine(file: Path) -> bool:
    return engine.ROOT in file.parents or file.parts[0] == engine.ROOT.name  # compiled modules know a relative name


def _is_stdlib(file: Path) -> bool:
    return (STDLIB in file.parents and "site-packages" not in file.parts) or str(file).startswith("<frozen")


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _module_and_class(spec: str) -> tuple[str, str] | None:
    module, colon, name = spec.partition(":")
    words = [*module.split("."), name]
    return (module, name) if colon and all(word.isidentifier() for word in words) else None
