"""Commanders by name: a doctrine, a script file, or random play."""

from __future__ import annotations

from pathlib import Path

from simkit.commanders.heuristic import HeuristicCommander
from simkit.commanders.objectives import Objective
from simkit.commanders.random_play import RandomCommander
from simkit.commanders.scripted import ATTACK_HEX, HOLD, MOVE_TO, WAIT, Order, ScriptedCommander
from simkit.errors import InputError
from simkit.model.forces import ORDERS, SIDES
from simkit.model.hexgrid import HEADING_NAMES
from simkit.rules.commander import Commander
from simkit.scenario.answers import Answer, ListedCommander
from simkit.scenario.builder import Built
from simkit.scenario.doctrines import doctrine
from simkit.scenario.library import load
from simkit.scenario.reading import place_in, read_toml, suggestion
from simkit.scenario.scripts import OrderOf, Script, read_script

MOST_WEIGHT = 10
"""Weight that an objective can have."""

DEEDS = {"move": MOVE_TO, "hold": HOLD, "attack": ATTACK_HEX, "wait": WAIT}


def resolve(spec: str, side: str, built: Built) -> Commander:
    """The commander that a name or file means, for a side of a battle.

    Args:
        spec: a doctrine's name, "random", or the path of a script or doctrine file (.toml).
        side: Union or Confederate.
        built: the battle.

    Raises:
        InputError: there is none of that name, or the file does not fit the battle.
    """
    if side not in SIDES:
        raise InputError(f'unknown side "{side}"{suggestion(side, SIDES)}')
    if spec == "random":
        return RandomCommander()
    if spec.endswith(".toml") and _is_script(Path(spec)):
        return _scripted(read_script(Path(spec)), Path(spec), side, built)
    return HeuristicCommander(doctrine(spec), objectives(built, side))


def objectives(built: Built, side: str) -> list[Objective]:
    """What a side wants in a scenario; where that says nothing, the ground that scores and that it has to take."""
    if not built.scenario.objective:
        own = SIDES.index(side)
        return [
            Objective(place.id, min(ground.points[own], MOST_WEIGHT), [])
            for ground in built.rules.conditions.grounds if ground.points[own] > 0
            for place in ground.hexes if built.battle.course.holder(place) != own
        ]
    return [
        Objective(
            wanted.hex, wanted.weight, [command.partition("/")[2] for command in wanted.commands], wanted.hold,
            _turn_of(wanted.since, 0, built), _turn_of(wanted.until, -1, built),
        )
        for wanted in built.scenario.objective
        if wanted.side == side
    ]


def _turn_of(named: str | int | None, otherwise: int, built: Built) -> int:
    """A turn by its label or number, counted from 0; `otherwise` where none is named."""
    if named is None:
        return otherwise
    if isinstance(named, int):
        return named - 1
    return [turn.label for turn in built.scenario.turn].index(named)


def _is_script(path: Path) -> bool:
    tables, _ = read_toml(path)
    return "script" in tables


def _scripted(script: Script, path: Path, side: str, built: Built) -> ScriptedCommander:
    if script.script.side != side:
        raise InputError(f"{path}: the script is the {script.script.side} side's, not for {side}")
    spec = script.script.doctrine
    try:
        rest = doctrine(str(path.parent / spec) if spec.endswith(".toml") else spec)
    except InputError as error:
        raise InputError(f"{place_in(path, ('script', 'doctrine'))}: {error.message}") from None
    made_for = script.script.scenario
    if made_for is not None and built.scenario.id not in (made_for, load(made_for).id):
        raise InputError(f"{path}: the script is made for {made_for}, not for {built.scenario.id}")
    orders = [
        _order(order, place_in(path, ("order", number)), side, built) for number, order in enumerate(script.order)
    ]
    if not script.answer:
        return ScriptedCommander(rest, objectives(built, side), orders)
    known = [one.id for one in (*built.battle.units, *built.battle.leaders)]
    known += [command.code for command in built.battle.commands]
    for number, answer in enumerate(script.answer):
        where = place_in(path, ("answer", number))
        _check_turn("turn", answer.turn, where, built)
        if answer.about is not None and answer.about not in known:
            raise InputError(f'{where}: no unit, leader or command "{answer.about}"{suggestion(answer.about, known)}')
    answers = [
        Answer(answer.question, answer.value, answer.turn, answer.activation, answer.about)
        for answer in script.answer
    ]
    return ListedCommander(rest, objectives(built, side), orders, answers)


def _check_turn(key: str, turn: int | None, where: str, built: Built) -> None:
    """A turn that never comes would leave an order or answer without a word."""
    last = len(built.battle.turns)
    if turn is not None and turn > last:
        raise InputError(f"{where}: {key}: must lie between 1 and {last}, the scenario's turns, not {turn}")


def _order(order: OrderOf, where: str, side: str, built: Built) -> Order:
    own = SIDES.index(side)
    _check_turn("turn", order.turn, where, built)
    units = [unit.id for unit in built.battle.units if unit.side == own]
    brigades = [brigade.code for brigade in built.battle.brigades if brigade.side == own]
    if order.unit is not None and order.unit not in units:
        raise InputError(f'{where}: no {side} unit "{order.unit}"{suggestion(order.unit, units)}')
    if order.brigade is not None and order.brigade not in brigades:
        raise InputError(f'{where}: no {side} brigade "{order.brigade}"{suggestion(order.brigade, brigades)}')
    target = ""
    if order.to is not None:
        try:
            target = built.battle.map.named(order.to).id
        except ValueError as error:
            raise InputError(f"{where}: {error}") from None
    return Order(
        order.turn - 1,
        (order.last_turn or order.turn) - 1,
        -1 if order.activation is None else order.activation - 1,
        order.brigade or "",
        order.unit or "",
        DEEDS[order.do],
        target,
        -1 if order.facing is None else HEADING_NAMES.index(order.facing),
        -1 if order.orders is None else ORDERS.index(order.orders),
    )
