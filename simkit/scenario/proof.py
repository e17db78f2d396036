"""What can be proved of a scenario without playing it: nobody is forgotten, and who is to enter can get away."""

from __future__ import annotations

from simkit.model.battle import Battle
from simkit.model.battlemap import Hex
from simkit.model.charts import FOOT, GUNS, HORSE
from simkit.model.entrances import Reinforcement
from simkit.model.forces import ARTILLERY, SIDES, Unit
from simkit.scenario.builder import Built

LEAST_SHARE = 10
"""A group is not shut in where this share of the map, one in so many hexes, is open to it from its entrance."""


def faults(built: Built) -> list[str]:
    """What is wrong with a scenario's battle, in plain words; empty if nothing is."""
    return [*_forgotten(built), *_shut_in(built.battle)]


def _forgotten(built: Built) -> list[str]:
    """Units and brigadiers of brigades that take part who are nowhere: neither placed nor said to be out of play."""
    units = {unit.id for unit in built.battle.units}
    leaders = {leader.id for leader in built.battle.leaders} | built.replaced
    present = {row.id: (row.side, row.brigade) for row in built.roster.units if row.id in units}
    brigades = set(present.values())
    missing = [
        f"{row.id} of {row.side}/{row.brigade}" for row in built.roster.units
        if (row.side, row.brigade) in brigades and row.id not in units | built.out_of_play
    ]
    seen: set[tuple[str, str]] = set()
    for chief in built.roster.leaders:
        command = (chief.side, chief.command)
        if command in brigades and command not in seen and chief.id not in leaders | built.out_of_play:
            missing.append(f"{chief.id} of {chief.side}/{chief.command}")
        seen.add(command)
    return [f"{who} is nowhere: place it, or name it in an [[off_map]] table as not in play" for who in missing]


def _shut_in(battle: Battle) -> list[str]:
    """Groups whose units cannot get away from any hex through which they may enter, as the waters stand."""
    found = []
    least = len(battle.map.hexes) // LEAST_SHARE
    for group in battle.reinforcements:
        for unit in group.units:
            best = max((_open_to(unit, place) for place in _doors(group)), default=0)
            if best < least:
                found.append(
                    f"{unit.id} ({SIDES[unit.side]}) can enter through {', '.join(p.id for p in _doors(group))}, but "
                    f"goes no farther than {best} hexes from there"
                )
                break
    return found


def _doors(group: Reinforcement) -> list[Hex]:
    return [entrance.hex for entrance in group.entrances]


def _open_to(unit: Unit, start: Hex) -> int:
    """How many hexes a unit could reach from one, in any orders, however long it takes."""
    mover = GUNS if unit.kind == ARTILLERY else HORSE if unit.is_mounted() else FOOT
    seen, todo = {int(start.index)}, [start]
    for place in todo:
        for side in place.sides:
            if side.passable(mover) and int(side.to.index) not in seen and side.to.closed & unit.bound == 0:
                seen.add(int(side.to.index))
                todo.append(side.to)
    return len(seen)
