"""A results folder read back, and the ones that cannot be."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from simkit.analysis.results import Results, results
from simkit.batch.columns import TABLES
from simkit.errors import InputError


def test_reads_what_was_written(three_variants: Results) -> None:
    assert three_variants.variants == ["base", "weaker-union", "aggressive-cautious"]
    assert len(three_variants.runs) == 1800
    assert len(three_variants.units) == 1800 * 31
    assert set(TABLES["combats"]) <= set(three_variants.combats.columns)
    assert three_variants.runs_of("weaker-union")["run"].tolist() == list(range(600))
    assert three_variants.notes == []
    assert not three_variants.has_victory_points


def test_without_combats(one_variant: Results) -> None:
    assert not one_variant.has_combats
    assert one_variant.combats.empty
    assert list(one_variant.combat_parts("base", ["run"])) == []


def test_pieces_hold_all_rows_of_a_variant(three_variants: Results) -> None:
    pieces = list(three_variants.unit_batches("base", ["run", "unit"], rows=1000))
    assert len(pieces) > 10
    assert sum(piece.num_rows for piece in pieces) == 600 * 31
    assert max(piece.num_rows for piece in pieces) <= 1000


def test_roster_is_in_the_order_of_the_book(synthetic: ModuleType, three_variants: Results) -> None:
    roster = three_variants.roster("base")
    assert list(roster.index) == [row[0] for row in synthetic.ROSTER]
    assert roster.loc["2-1-rw/21-il", "sp_start"] == 12
    assert three_variants.roster("weaker-union").loc["2-1-rw/21-il", "sp_start"] == 11


def test_unknown_variant(one_variant: Results) -> None:
    with pytest.raises(InputError, match="no variant 'bold'; it has base"):
        one_variant.runs_of("bold")


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        results(tmp_path / "none")


def test_foreign_folder(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(InputError, match=r"manifest\.json"):
        results(tmp_path)


@pytest.mark.parametrize("text", ["", "not json", "[1, 2]", '{"name": "other"}'])
def test_foreign_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json"):
        results(tmp_path)


def test_other_layout(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 10, combats=False, format=99)
    with pytest.raises(InputError, match="layout 99"):
        results(folder)


def test_no_battle_yet(synthetic: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(synthetic.manifest(10, ["base"])))
    with pytest.raises(InputError, match="no battle is complete"):
        results(tmp_path)


def test_missing_column(synthetic: ModuleType, tmp_path: Path) -> None:
    import pandas as pd

    folder = synthetic.generate(tmp_path / "r", 10, combats=False)
    part = next((folder / "units.parquet").glob("*.parquet"))
    pd.read_parquet(part).drop(columns="lost_shell").to_parquet(part)
    with pytest.raises(InputError, match="lost_shell is missing"):
        results(folder)


def test_damaged_part(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 10, combats=False)
    next((folder / "runs.parquet").glob("*.parquet")).write_bytes(b"PAR1 no longer")
    with pytest.raises(InputError, match="damaged"):
        results(folder)


def test_a_part_damaged_in_its_middle(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 200, combats=False)
    part = next((folder / "units.parquet").glob("*.parquet"))
    content = bytearray(part.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    part.write_bytes(content)
    with pytest.raises(InputError, match="damaged"):
        list(results(folder).unit_batches("base", ["run", "lost_shell"]))


def test_a_run_written_twice(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 10, combats=False)
    for table in ("runs", "units"):
        part = next((folder / f"{table}.parquet").glob("*.parquet"))
        (part.parent / "base-000000500-000000749.parquet").write_bytes(part.read_bytes())
    with pytest.raises(InputError, match="written twice"):
        _ = results(folder).runs


def test_an_unfinished_folder_says_so_and_leaves_out_incomplete_chunks(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 100, chunk=25, combats=True, runs_asked=1000)
    (folder / "runs.parquet" / "base-000000075-000000099.parquet").unlink()  # units and combats of it are there
    (folder / "runs.parquet" / ".unfinished-1-base-000000075-000000099.parquet").write_bytes(b"half")
    found = results(folder)
    assert len(found.runs) == 75
    assert len(found.units) == 75 * 31
    assert found.combats["run"].max() == 74
    (note,) = found.notes
    assert "75 of the 1,000 battles" in note
