"""The columns of a results folder's tables: what each holds, in plain words, and its type on disk."""

from typing import NamedTuple

import pyarrow as pa

from simkit.model.forces import SIDES


class Column(NamedTuple):
    """What a column holds, and the name of its Arrow type."""

    meaning: str
    dtype: str


_EACH_SIDE = {
    "sp_start": Column("strength points of {side} infantry and cavalry at the start of the scenario", "int32"),
    "sp_lost": Column(
        "strength points that {side} infantry and cavalry lost, by all causes; recovered points are not taken off",
        "int32",
    ),
    "guns_start": Column("strength of {side} artillery (guns) at the start of the scenario", "int32"),
    "guns_lost": Column("strength of {side} artillery (guns) lost, by all causes", "int32"),
    "vp": Column("victory points of the {side} side; null where the scenario counts none", "int32"),
    "units_routed": Column("{side} units in the routed box when the battle ended", "int32"),
    "units_ever_routed": Column("{side} units that routed at least once, whatever became of them", "int32"),
    "units_collapsed": Column("{side} units in a state of collapse when the battle ended", "int32"),
    "units_eliminated": Column("{side} units eliminated when the battle ended", "int32"),
    "brigades_ineffective": Column("{side} brigades that were combat ineffective when the battle ended", "int32"),
    "leaders_lost": Column("{side} leaders killed, wounded or captured", "int32"),
    "fires": Column("fires made by the {side} side, return and withdrawal fire included", "int32"),
    "shocks": Column("shock combats in which the {side} side attacked", "int32"),
}

_LOST = {
    "lost_small_arms": "lost to small-arms fire",
    "lost_canister": "lost to artillery fire at canister range",
    "lost_shell": "lost to artillery fire beyond canister range",
    "lost_shock": "lost in shock combat",
    "lost_second_disorder": "lost to a second disorder",
    "lost_rally": "lost in rallying from rout",
    "lost_other": "lost in any other way, as capture or leaving the map",
}

LOSSES = tuple(_LOST)
"""The loss columns, in order; a unit's start + recovered - their sum is its strength at the end."""

RUNS: dict[str, Column] = {
    "run": Column("number of the battle, from 0; with the seed it names all dice", "int64"),
    "variant": Column('name of the variant; "base" is the study without changes', "string"),
    "member": Column("which set of the ensemble of unknown numbers the run drew, from 0; -1 if it drew none", "int32"),
    "winner": Column("the side that won, or draw", "string"),
    "level": Column("level of the victory in the scenario's words", "string"),
    "turns": Column("the turn in which the battle ended (turns)", "int32"),
    **{
        f"{name}_{side}": Column(column.meaning.format(side=side), column.dtype)
        for side in SIDES
        for name, column in _EACH_SIDE.items()
    },
}

UNITS: dict[str, Column] = {
    "run": Column("number of the battle", "int64"),
    "variant": Column("name of the variant", "string"),
    "unit": Column("the unit's id", "string"),
    "name": Column("the unit's name as the book writes it", "string"),
    "side": Column("Union or Confederate", "string"),
    "kind": Column("infantry, cavalry or artillery", "string"),
    "brigade": Column("code of the unit's brigade, or of the higher command it belongs to directly", "string"),
    "division": Column("code of the unit's division", "string"),
    "sp_start": Column("strength at the start of the scenario (strength points; guns for artillery)", "int32"),
    "sp_end": Column("strength when the battle ended", "int32"),
    "sp_recovered": Column("strength regained in the battle", "int32"),
    **{name: Column(f"strength {meaning}", "int32") for name, meaning in _LOST.items()},
    "place": Column("where the unit was at the end: map, routed, eliminated or not entered", "string"),
    "disordered": Column("disordered at the end", "bool"),
    "collapsed": Column("in a state of collapse at the end", "bool"),
    "blown": Column("blown cavalry at the end", "bool"),
    "abandoned": Column("abandoned guns at the end", "bool"),
    "ever_routed": Column("routed at least once", "bool"),
    "hex": Column("the unit's hex at the end; empty for a unit off the map", "string"),
}

COMBATS: dict[str, Column] = {
    "run": Column("number of the battle", "int64"),
    "variant": Column("name of the variant", "string"),
    "turn": Column("game turn", "int32"),
    "activation": Column("number of the activation within the battle, from 1", "int32"),
    "phase": Column("phase or segment of the activation", "string"),
    "kind": Column("fire or shock", "string"),
    "mode": Column("phasing, return, withdrawal, approach, pre-shock, shock or continued", "string"),
    "side": Column("side of the firing or attacking unit", "string"),
    "unit": Column("id of the firing or attacking unit; of a stack its top unit", "string"),
    "target": Column("id of the target unit; of a stack its top unit", "string"),
    "hex": Column("hex of the firing or attacking unit", "string"),
    "target_hex": Column("hex of the target", "string"),
    "range": Column("distance (hexes)", "int32"),
    "sp": Column("strength firing or attacking (strength points)", "int32"),
    "target_sp": Column("strength of the target (strength points)", "int32"),
    "drms": Column("the die roll modifiers by name", "string"),
    "drm": Column("their sum", "int32"),
    "roll": Column("the die before any modifier", "int32"),
    "adjusted": Column("the die with all modifiers", "int32"),
    "result": Column("the result in the chart's notation", "string"),
    "losses": Column("strength lost by the target", "int32"),
    "own_losses": Column("strength lost by the firing or attacking side", "int32"),
}

COMMANDS: dict[str, Column] = {
    "run": Column("number of the battle", "int64"),
    "variant": Column("name of the variant", "string"),
    "side": Column("Union or Confederate", "string"),
    "command": Column("code of a brigade or division", "string"),
    "level": Column("brigade or division", "string"),
    "ineffective": Column("combat ineffective when the battle ended", "bool"),
}

GROUND: dict[str, Column] = {
    "run": Column("number of the battle", "int64"),
    "variant": Column("name of the variant", "string"),
    "hex": Column("a hex that counts for victory", "string"),
    "holder": Column("the side that held it when the battle ended; empty: nobody", "string"),
}

TABLES: dict[str, dict[str, Column]] = {
    "runs": RUNS, "units": UNITS, "commands": COMMANDS, "ground": GROUND, "combats": COMBATS,
}  # fmt: skip

_TYPES = {"int32": pa.int32(), "int64": pa.int64(), "string": pa.string(), "bool": pa.bool_()}


def schema(table: str) -> pa.Schema:
    """The Arrow schema of one of TABLES."""
    return pa.schema([(name, _TYPES[column.dtype]) for name, column in TABLES[table].items()])
