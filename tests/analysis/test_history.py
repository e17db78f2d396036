"""History beside the battles played: percentiles by hand, states from a later set-up, and what is wrong with a file."""

from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

import simkit
from simkit.analysis.history import Comparison, Standing, beside_history, standing
from simkit.analysis.results import Results
from simkit.errors import InputError
from simkit.scenario import build, load
from simkit.scenario.historyfile import FIGURES, History, history_of, read_history

SCENARIO = "dead_of_winter/skirmish"
UNIT = "1-1-rw/59-il"


def _history(**tables: object) -> History:
    head = {"scenario": SCENARIO, "text": "It was fought.", "source": "printed"}
    return History.model_validate({"history": head, **tables})


@pytest.fixture
def four_battles(synthetic: ModuleType, tmp_path: Path) -> Results:
    """Four battles in which one regiment of 8 loses 0, 1, 1 and 5 strength points."""
    rows = [
        synthetic.one_unit(0, UNIT, 8),
        synthetic.one_unit(1, UNIT, 8, lost_shock=1),
        synthetic.one_unit(2, UNIT, 8, lost_small_arms=1, place="routed", collapsed=True),
        synthetic.one_unit(3, UNIT, 8, lost_shock=5, collapsed=True),
    ]
    rows = [row for run, mine in enumerate(rows) for row in (mine, synthetic.one_unit(run, "4-1-p/29-tn", 6))]
    units = pd.DataFrame(rows)
    outcomes = pd.DataFrame({"run": range(4), "variant": "base", "winner": "draw", "level": "draw"})
    runs = synthetic.runs_from_units(units, outcomes)
    return Results(synthetic.write_tables(tmp_path / "out", runs, units, None, synthetic.manifest(4, ["base"])))


def _figure(compared: Comparison, figure: str, side: str = "Union") -> pd.Series:
    rows = compared.table[(compared.table["figure"] == figure) & (compared.table["side"] == side)]
    assert len(rows) == 1
    return rows.iloc[0]


def test_percentiles_by_hand(four_battles: Results) -> None:
    later = Standing({UNIT: 7}, routed=set(), eliminated=set())
    lost = [{"side": "Union", "men": 50, "source": "derived", "why": "a return"}]
    compared = beside_history(four_battles, load(SCENARIO), _history(losses=lost), later)
    strength = _figure(compared, "strength at the end")
    # ends of 8, 7, 7 and 3: one lies below 7, two are equal to it
    assert (strength["percentile"], strength["median"], strength["low"], strength["high"]) == (50.0, 7, 3, 8)
    assert strength["inside"] and compared.covered() == 1.0 and compared.width() == 5.0
    loss = _figure(compared, "strength points lost")
    assert (loss["historical"], loss["mean"], loss["percentile"]) == (1.0, 1.75, 50.0)
    assert _figure(compared, "units routed")["mean"] == 0.25
    # who is routed is not counted among the collapsed as well, in the battles as in history
    assert _figure(compared, "regiments collapsed")["mean"] == 0.25
    fewer = _figure(compared, "strength points fewer")
    assert (fewer["of"], fewer["historical"], fewer["mean"], fewer["percentile"]) == ("1 regiments", 1, 1.75, 50.0)
    assert set(compared.table["figure"]) <= set(FIGURES)


def test_what_never_happened_is_outside(four_battles: Results) -> None:
    later = Standing({UNIT: 2}, routed={UNIT}, eliminated=set())
    compared = beside_history(four_battles, load(SCENARIO), _history(losses=[
        {"side": "Union", "command": "1/1/RW", "men": 400, "source": "derived"}
    ]), later)  # fmt: skip
    strength = _figure(compared, "strength at the end")
    assert strength["percentile"] == 0.0 and not strength["inside"] and compared.covered() == 0.0
    assert _figure(compared, "strength points lost")["percentile"] == 100.0
    assert _figure(compared, "units routed")["historical"] == 1
    # who is routed is not counted among the collapsed as well
    assert _figure(compared, "regiments collapsed")["historical"] == 0


def test_a_regiment_below_half_of_its_printed_strength_counts_as_collapsed(four_battles: Results) -> None:
    """12.23: an 8-point regiment with 4 left is still normal, with 3 it is collapsed."""
    for strength, count in ((4, 0), (3, 1)):
        later = Standing({UNIT: strength}, routed=set(), eliminated=set())
        compared = beside_history(four_battles, load(SCENARIO), _history(losses=[
            {"side": "Union", "men": 1, "source": "derived"}
        ]), later)  # fmt: skip
        assert _figure(compared, "regiments collapsed")["historical"] == count


def test_divisions_of_battles_that_were_played(tmp_path: Path) -> None:
    results = simkit.run(SCENARIO, runs=8, seed=1862, out=tmp_path / "out", jobs=1)
    spent = [{"side": "Union", "divisions": ["1/RW"], "source": "printed"}]
    compared = beside_history(results, load(SCENARIO), _history(ineffective=spent), None)
    row = _figure(compared, "divisions ineffective")
    share = results.commands[results.commands["command"] == "1/RW"]["ineffective"].mean()
    assert (row["historical"], row["mean"]) == (1, share)
    brigades = results.commands[results.commands["level"] == "brigade"]
    counted = brigades.groupby("run")["ineffective"].sum().to_numpy()
    told = results.runs[["brigades_ineffective_Union", "brigades_ineffective_Confederate"]].sum(axis=1).to_numpy()
    assert (counted == told).all()


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"losses": [{"side": "Union", "command": "9/RW", "men": 1, "source": "derived"}]}, "no unit of Union/9/RW"),
        ({"ineffective": [{"side": "Union", "divisions": ["9/RW"], "source": "derived"}]}, "Union/9/RW is no division"),
    ],
)
def test_commands_that_do_not_exist(tmp_path: Path, tables: dict[str, object], said: str) -> None:
    results = simkit.run(SCENARIO, runs=1, seed=1862, out=tmp_path / "out", jobs=1)
    with pytest.raises(InputError, match=said):
        beside_history(results, load(SCENARIO), _history(**tables), None)


def test_another_scenarios_battles(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "out", runs=3, combats=False, scenario="dead_of_winter/other")
    with pytest.raises(InputError, match="holds battles of dead_of_winter/other"):
        beside_history(Results(folder), load(SCENARIO), _history(losses=[
            {"side": "Union", "men": 1, "source": "derived"}
        ]), None)  # fmt: skip


def test_a_set_up_says_how_units_stood() -> None:
    stood = standing(build(load(SCENARIO)).battle)
    assert stood.strength[UNIT] == 8
    assert stood.routed == stood.eliminated == set()


def test_a_file_that_says_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.toml"
    path.write_text(f'[history]\nscenario = "{SCENARIO}"\ntext = "x"\nsource = "printed"\n')
    with pytest.raises(InputError, match="nothing to compare with"):
        read_history(path)


def test_a_scenario_without_history(tmp_path: Path) -> None:
    text = Path(load(SCENARIO).path).read_text().replace(SCENARIO, "dead_of_winter/never_fought")
    (tmp_path / "never.toml").write_text(text)
    with pytest.raises(InputError, match="no history is recorded"):
        history_of(load(tmp_path / "never.toml"))
