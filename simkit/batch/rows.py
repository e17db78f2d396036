"""From a battle that has been played to rows: plain lists a chunk, one Arrow table at its end."""

from typing import Any

import numpy as np
import pyarrow as pa

from simkit.batch.columns import COMBATS, COMMANDS, GROUND, RUNS, UNITS, schema
from simkit.model.battle import PHASES
from simkit.model.forces import ARTILLERY, ELIMINATED, KINDS, LEVELS, PLACES, ROUTED, SIDES

_FIXED = ("unit", "name", "side", "kind", "brigade", "division")


class Rows:
    """The rows of one chunk of battles of one variant.

    Args:
        variant: the variant's name.
        battle: the battle that is played again and again.
        log: its log, read when `combats` is true.
        combats: whether every fire and shock becomes a row.
        member: the set of the ensemble that the battle was built with, -1 if none.
    """

    def __init__(self, variant: str, battle: Any, log: Any, combats: bool, member: int = -1) -> None:
        self.member = member
        self.variant = variant
        self.battle = battle
        self.log = log
        self.combats = combats
        self.units = list(battle.units)
        self.commands = [*battle.brigades, *battle.divisions]
        self.numbers: list[int] = []
        self.ground = list(battle.course.ground)
        self._ineffective: list[bool] = []
        self._holders: list[int] = []
        self._runs: dict[str, list[Any]] = {name: [] for name in RUNS if name not in ("run", "variant")}
        self._units: dict[str, list[Any]] = {name: [] for name in UNITS if name not in ("run", "variant", *_FIXED)}
        self._combats: dict[str, list[Any]] = {name: [] for name in COMBATS if name != "variant"}

    def add(self, run: int, outcome: Any) -> None:
        """Add the battle as it stands at the end of `run`, with its outcome."""
        self.numbers.append(run)
        self._add_units()
        self._add_run(outcome)
        self._ineffective.extend([command.ineffective for command in self.commands])
        self._holders.extend(self.battle.course.holders)
        if self.combats:
            self._add_combats(run)

    def tables(self) -> dict[str, pa.Table]:
        """The chunk's tables by name, sorted by run; within a run units stand in the order of the book."""
        tables = {
            "runs": self._runs_table(), "units": self._units_table(), "commands": self._commands_table(),
            "ground": self._ground_table(),
        }  # fmt: skip
        if self.combats:
            tables["combats"] = self._combats_table()
        return tables

    def _add_units(self) -> None:
        rows = [
            (
                unit.start, unit.strength, unit.recovered, unit.lost_small_arms, unit.lost_canister, unit.lost_shell,
                unit.lost_shock, unit.lost_second_disorder, unit.lost_rally, unit.lost_other, unit.place,
                unit.disordered, unit.collapsed, unit.blown, unit.abandoned != 0, unit.ever_routed, unit.hex.id,
            )
            for unit in self.units
        ]  # fmt: skip
        for values, name in zip(zip(*rows, strict=True), self._units, strict=True):
            self._units[name].extend(values)
        self._last = rows

    def _add_run(self, outcome: Any) -> None:
        columns, battle = self._runs, self.battle
        columns["member"].append(self.member)
        columns["winner"].append(SIDES[outcome.winner] if outcome.winner >= 0 else "draw")
        columns["level"].append(outcome.level)
        columns["turns"].append(battle.turn + 1)
        for side, name in enumerate(SIDES):
            counts = self._side_counts(side)
            counts["vp"] = None if outcome.vp is None else outcome.vp[side]
            counts["brigades_ineffective"] = sum(b.side == side and b.ineffective for b in battle.brigades)
            counts["leaders_lost"] = sum(leader.side == side and leader.casualty for leader in battle.leaders)
            counts["fires"], counts["shocks"] = battle.fires[side], battle.shocks[side]
            for count, value in counts.items():
                columns[f"{count}_{name}"].append(value)

    def _side_counts(self, side: int) -> dict[str, int | None]:
        sp_start = sp_lost = guns_start = guns_lost = routed = ever = collapsed = eliminated = 0
        for unit, row in zip(self.units, self._last, strict=True):
            if unit.side != side:
                continue
            if unit.kind == ARTILLERY:
                guns_start += row[0]
                guns_lost += sum(row[3:10])
            else:
                sp_start += row[0]
                sp_lost += sum(row[3:10])
            routed += row[10] == ROUTED
            eliminated += row[10] == ELIMINATED
            collapsed += row[12]
            ever += row[15]
        return {
            "sp_start": sp_start, "sp_lost": sp_lost, "guns_start": guns_start, "guns_lost": guns_lost,
            "units_routed": routed, "units_ever_routed": ever, "units_collapsed": collapsed,
            "units_eliminated": eliminated,
        }  # fmt: skip

    def _add_combats(self, run: int) -> None:
        for event in self.log.events:
            if event.kind not in ("fire", "shock"):
                continue
            told = {name: getattr(event, name) for name in COMBATS if name not in ("run", "variant")}
            told["turn"] += 1
            told["phase"] = PHASES[event.phase]
            told["side"] = SIDES[event.side]
            self._combats["run"].append(run)
            for name, value in told.items():
                self._combats[name].append(value)

    def _runs_table(self) -> pa.Table:
        columns = {"run": self.numbers, "variant": [self.variant] * len(self.numbers), **self._runs}
        return pa.table({name: columns[name] for name in RUNS}, schema=schema("runs"))

    def _units_table(self) -> pa.Table:
        runs, units = len(self.numbers), len(self.units)
        columns: dict[str, Any] = {name: _repeated(values, runs) for name, values in _fixed(self.units).items()}
        columns["run"] = np.repeat(np.asarray(self.numbers, np.int64), units)
        columns["variant"] = _repeated([self.variant], runs * units)
        columns.update(self._units)
        places = pa.DictionaryArray.from_arrays(pa.array(columns["place"], pa.int32()), pa.array(PLACES))
        columns["place"] = places.cast(pa.string())
        return pa.table({name: columns[name] for name in UNITS}, schema=schema("units"))

    def _commands_table(self) -> pa.Table:
        runs, commands = len(self.numbers), len(self.commands)
        columns: dict[str, Any] = {
            "run": np.repeat(np.asarray(self.numbers, np.int64), commands),
            "variant": _repeated([self.variant], runs * commands),
            "side": _repeated([SIDES[command.side] for command in self.commands], runs),
            "command": _repeated([command.code for command in self.commands], runs),
            "level": _repeated([LEVELS[command.level] for command in self.commands], runs),
            "ineffective": self._ineffective,
        }
        return pa.table({name: columns[name] for name in COMMANDS}, schema=schema("commands"))

    def _ground_table(self) -> pa.Table:
        runs, hexes = len(self.numbers), len(self.ground)
        holders = np.asarray(self._holders, np.int32)
        columns: dict[str, Any] = {
            "run": np.repeat(np.asarray(self.numbers, np.int64), hexes),
            "variant": _repeated([self.variant], runs * hexes),
            "hex": _repeated([place.id for place in self.ground], runs),
            "holder": pa.DictionaryArray.from_arrays(pa.array(holders + 1), pa.array(["", *SIDES])).cast(pa.string()),
        }
        return pa.table({name: columns[name] for name in GROUND}, schema=schema("ground"))

    def _combats_table(self) -> pa.Table:
        columns = {"variant": [self.variant] * len(self._combats["run"]), **self._combats}
        return pa.table({name: columns[name] for name in COMBATS}, schema=schema("combats"))


def _fixed(units: list[Any]) -> dict[str, list[str]]:
    """What never changes about the units, by column."""
    return {
        "unit": [unit.id for unit in units],
        "name": [unit.name for unit in units],
        "side": [SIDES[unit.side] for unit in units],
        "kind": [KINDS[unit.kind] for unit in units],
        "brigade": [unit.command.code for unit in units],
        "division": [unit.command.division().code for unit in units],
    }


def _repeated(values: list[str], times: int) -> pa.Array:
    """The values in order, `times` times over."""
    places = np.tile(np.arange(len(values), dtype=np.int32), times)
    return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(values, pa.string())).cast(pa.string())
