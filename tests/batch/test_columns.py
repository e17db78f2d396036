"""The columns that other tools rely on."""

import pytest

from simkit.batch.columns import COMBATS, LOSSES, RUNS, TABLES, UNITS, schema

SIDED = [
    "sp_start",
    "sp_lost",
    "guns_start",
    "guns_lost",
    "vp",
    "units_routed",
    "units_collapsed",
    "units_eliminated",
    "brigades_ineffective",
    "leaders_lost",
    "fires",
    "shocks",
]


def test_runs_has_the_contract_columns() -> None:
    promised = {"run", "variant", "member", "winner", "level", "turns"}
    promised |= {f"{name}_{side}" for name in SIDED for side in ("Union", "Confederate")}
    assert promised <= set(RUNS)


def test_units_has_the_contract_columns() -> None:
    promised = [
        "run",
        "variant",
        "unit",
        "name",
        "side",
        "kind",
        "brigade",
        "division",
        "sp_start",
        "sp_end",
        "sp_recovered",
        "lost_small_arms",
        "lost_canister",
        "lost_shell",
        "lost_shock",
        "lost_second_disorder",
        "lost_rally",
        "lost_other",
        "place",
        "disordered",
        "collapsed",
        "blown",
        "abandoned",
        "ever_routed",
        "hex",
    ]
    assert promised == list(UNITS)
    assert list(LOSSES) == [name for name in UNITS if name.startswith("lost_")]


def test_combats_begin_with_run_and_variant() -> None:
    assert list(COMBATS)[:2] == ["run", "variant"]


@pytest.mark.parametrize("table", TABLES)
def test_every_column_says_what_it_is(table: str) -> None:
    assert schema(table).names == list(TABLES[table])
    for name, column in TABLES[table].items():
        assert len(column.meaning) > 8, name
        assert "{" not in column.meaning, name
