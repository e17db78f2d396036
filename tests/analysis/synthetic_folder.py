"""Writes results folders whose truth is known, without the engine: the contract of the folder and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

SIDES = ("Union", "Confederate")
CAUSES = ("small_arms", "canister", "shell", "shock", "second_disorder", "rally", "other")

# id, name, side, kind, brigade, division, strength, hex
ROSTER = [
    ("rw/escort", "Escort", "Union", "cavalry", "RW", "RW", 2, "C3108"),
    ("1-1-rw/59-il", "59 IL", "Union", "infantry", "1/1/RW", "1/RW", 6, "C3014"),
    ("1-1-rw/5-wi-bty", "5 WI Bty", "Union", "artillery", "1/1/RW", "1/RW", 6, "C3014"),
    ("1-1-rw/75-il", "75 IL", "Union", "infantry", "1/1/RW", "1/RW", 7, "C3213"),
    ("1-1-rw/74-il", "74 IL", "Union", "infantry", "1/1/RW", "1/RW", 7, "C3215"),
    ("1-1-rw/22-in", "22 IN", "Union", "infantry", "1/1/RW", "1/RW", 6, "C3217"),
    ("2-1-rw/38-il", "38 IL", "Union", "infantry", "2/1/RW", "1/RW", 8, "C3508"),
    ("2-1-rw/2-mn-bty", "2 MN Bty", "Union", "artillery", "2/1/RW", "1/RW", 6, "C3208"),
    ("2-1-rw/101-oh", "101 OH", "Union", "infantry", "2/1/RW", "1/RW", 9, "C3410"),
    ("2-1-rw/15-wi", "15 WI", "Union", "infantry", "2/1/RW", "1/RW", 6, "C3708"),
    ("2-1-rw/21-il", "21 IL", "Union", "infantry", "2/1/RW", "1/RW", 12, "C3610"),
    ("3-1-rw/81-in", "81 IN", "Union", "infantry", "3/1/RW", "1/RW", 10, "C3205"),
    ("3-1-rw/8-wi-bty", "8 WI Bty", "Union", "artillery", "3/1/RW", "1/RW", 6, "C3104"),
    ("3-1-rw/35-il", "35 IL", "Union", "infantry", "3/1/RW", "1/RW", 7, "C3404"),
    ("3-1-rw/25-il", "25 IL", "Union", "infantry", "3/1/RW", "1/RW", 8, "C3406"),
    ("4-1-p/allen-ss-bn", "Allen SS Bn", "Confederate", "infantry", "4/1/P", "1/P", 2, "C4416"),
    ("4-1-p/29-tn", "29 TN", "Confederate", "infantry", "4/1/P", "1/P", 6, "C4416"),
    ("4-1-p/154-tn", "154 TN", "Confederate", "infantry", "4/1/P", "1/P", 5, "C4415"),
    ("4-1-p/9-tx", "9 TX", "Confederate", "infantry", "4/1/P", "1/P", 7, "C4417"),
    ("4-1-p/12-tn", "12 TN", "Confederate", "infantry", "4/1/P", "1/P", 7, "C4418"),
    ("4-1-p/scott-bty", "Scott Bty", "Confederate", "artillery", "4/1/P", "1/P", 4, "C4514"),
    ("4-1-p/47-tn", "47 TN", "Confederate", "infantry", "4/1/P", "1/P", 8, "C4615"),
    ("4-1-p/13-tn", "13 TN", "Confederate", "infantry", "4/1/P", "1/P", 6, "C4616"),
    ("1-2-p/19-al", "19 AL", "Confederate", "infantry", "1/2/P", "2/P", 9, "C4413"),
    ("1-2-p/25-al", "25 AL", "Confederate", "infantry", "1/2/P", "2/P", 5, "C4313"),
    ("1-2-p/39-al", "39 AL", "Confederate", "infantry", "1/2/P", "2/P", 8, "C4314"),
    ("1-2-p/robertson-bty", "Robertson Bty", "Confederate", "artillery", "1/2/P", "2/P", 6, "C4315"),
    ("1-2-p/17-al-ss-bn", "17 AL SS Bn", "Confederate", "infantry", "1/2/P", "2/P", 2, "C4512"),
    ("1-2-p/22-al", "22 AL", "Confederate", "infantry", "1/2/P", "2/P", 8, "C4512"),
    ("1-2-p/26-al", "26 AL", "Confederate", "infantry", "1/2/P", "2/P", 6, "C4612"),
    ("1-2-p/1-la", "1 LA", "Confederate", "infantry", "1/2/P", "2/P", 5, "C4711"),
]  # fmt: skip

# the truth: chances of a Union and a Confederate victory by variant, and of losing a strength point by side and kind
WINS = {"base": (0.30, 0.45), "weaker-union": (0.22, 0.53), "aggressive-cautious": (0.34, 0.46)}
LOSS_CHANCE = {"Union": 0.16, "Confederate": 0.12}
CAUSE_SHARES = (0.5, 0.1, 0.1, 0.2, 0.05, 0.03, 0.02)
RESULTS = {"fire": (("-", 0.7), ("d", 0.15), ("1", 0.1), ("1d+2", 0.05)), "shock": (("A ret 1", 0.4), ("BS", 0.6))}
FIRES, SHOCKS = 18.0, 2.5


def manifest(runs: int, variants: list[str], **changes: object) -> dict[str, object]:
    """A manifest as a batch writes it."""
    return {
        "format": 1,
        "name": "The skirmish as printed",
        "question": "Who wins, and what does it cost?",
        "title": "Skirmish of December 30th",
        "scenario": "dead_of_winter/skirmish",
        "options": {},
        "commanders": {"Union": "steady", "Confederate": "steady"},
        "variants": [{"name": name} for name in variants],
        "combats": True,
        "seed": 1862,
        "entropy": 1862,
        "key": [1, 2],
        "runs_asked": runs,
        "runs_done": runs,
        "engine": {"version": "0.1.0", "signature": "5eed", "compiled": False},
        "hashes": {"code": "0" * 64, "data": "1" * 64, "files": {}},
        "python": "3.11.4",
        "packages": {"numpy": np.__version__, "pandas": pd.__version__},
        "started": "2026-01-02T03:04:05+00:00",
        "finished": "2026-01-02T03:04:08+00:00",
        "duration": 2.5,
        "provenance": [
            {"file": "roster", "printed": 20, "derived": 30, "reconstructed": 110},
            {"file": "map", "printed": 29, "derived": 15, "reconstructed": 700},
            {"file": "charts", "printed": 60, "derived": 20, "reconstructed": 340},
        ],
        **changes,
    }


def write_tables(
    folder: Path,
    runs: pd.DataFrame,
    units: pd.DataFrame,
    combats: pd.DataFrame | None,
    about: dict[str, object],
    chunk: int = 250,
) -> Path:
    """Writes a folder from tables, in part files of ``chunk`` runs."""
    tables = {"runs": runs, "units": units} | ({"combats": combats} if combats is not None else {})
    for name, table in tables.items():
        parts = folder / f"{name}.parquet"
        parts.mkdir(parents=True)
        for (variant, number), part in table.groupby(["variant", table["run"] // chunk]):
            part.reset_index(drop=True).to_parquet(
                parts / f"{variant}-{number * chunk:09d}-{number * chunk + chunk - 1:09d}.parquet"
            )
    (folder / "manifest.json").write_text(json.dumps(about), encoding="utf-8")
    return folder


def one_unit(
    run: int, unit: str, start: int, *, variant: str = "base", side: str | None = None, **changes: object
) -> dict:
    """One row of the units table: the named unit of the roster, unhurt but for the changes."""
    known = next((row for row in ROSTER if row[0] == unit), (unit, unit, side, "infantry", "X", "X", start, "C3108"))
    row: dict[str, object] = {
        "run": run, "variant": variant, "unit": unit, "name": known[1], "side": side or known[2], "kind": known[3],
        "brigade": known[4], "division": known[5], "sp_start": start, "sp_recovered": 0,
        **{f"lost_{cause}": 0 for cause in CAUSES},
        "place": "map", "disordered": False, "collapsed": False, "blown": False, "abandoned": False,
        "ever_routed": False, "hex": known[7],
    }  # fmt: skip
    row |= changes
    lost = sum(int(row[f"lost_{cause}"]) for cause in CAUSES)
    return row | {"sp_end": row.get("sp_end", start + int(row["sp_recovered"]) - lost)}


def runs_from_units(units: pd.DataFrame, outcomes: pd.DataFrame) -> pd.DataFrame:
    """The runs table that belongs to a units table; ``outcomes`` has run, variant, winner and level."""
    lost = units[[f"lost_{cause}" for cause in CAUSES]].sum(axis=1)
    frame = outcomes.assign(turns=1, member=-1).set_index(["variant", "run"])
    for side in SIDES:
        own = units[units["side"] == side].assign(lost=lost)
        guns = own["kind"] == "artillery"

        def total(values: pd.Series) -> pd.Series:
            return values.groupby([units["variant"], units["run"]]).sum().reindex(frame.index, fill_value=0)

        frame[f"sp_start_{side}"] = total(own.loc[~guns, "sp_start"])
        frame[f"sp_lost_{side}"] = total(own.loc[~guns, "lost"])
        frame[f"guns_start_{side}"] = total(own.loc[guns, "sp_start"])
        frame[f"guns_lost_{side}"] = total(own.loc[guns, "lost"])
        frame[f"vp_{side}"] = np.nan
        frame[f"units_ever_routed_{side}"] = total(own["ever_routed"].astype(int))
        frame[f"units_routed_{side}"] = total((own["place"] == "routed").astype(int))
        frame[f"units_collapsed_{side}"] = total(own["collapsed"].astype(int))
        frame[f"units_eliminated_{side}"] = total((own["place"] == "eliminated").astype(int))
        for name in ("brigades_ineffective", "leaders_lost", "fires", "shocks"):
            if f"{name}_{side}" not in frame:
                frame[f"{name}_{side}"] = 0
    return frame.reset_index()


def generate(
    folder: Path,
    runs: int = 400,
    variants: tuple[str, ...] = ("base",),
    seed: int = 7,
    combats: bool = True,
    chunk: int = 250,
    **changes: object,
) -> Path:
    """Writes a folder of made-up battles; variants share their dice, as in a study."""
    numbers = np.arange(runs)
    units, outcomes, fights, counts = [], [], [], []
    for variant in variants:
        rng = np.random.default_rng(seed)  # the same dice for each variant
        luck = rng.random(runs)
        union, confederate = WINS[variant]
        winner = np.where(luck < union, "Union", np.where(luck > 1 - confederate, "Confederate", "draw"))
        outcomes.append(
            pd.DataFrame({"run": numbers, "variant": variant, "winner": winner,
                          "level": np.where(winner == "draw", "draw", "loss for the other side")})
        )  # fmt: skip
        counts.append(
            pd.DataFrame({"run": numbers, "variant": variant}
                         | {f"fires_{side}": rng.poisson(FIRES, runs) for side in SIDES}
                         | {f"shocks_{side}": rng.poisson(SHOCKS, runs) for side in SIDES}
                         | {f"brigades_ineffective_{side}": rng.binomial(2, 0.1, runs) for side in SIDES}
                         | {f"leaders_lost_{side}": rng.binomial(3, 0.02, runs) for side in SIDES})
        )  # fmt: skip
        units += [_unit_rows(row, numbers, variant, rng) for row in ROSTER]
        if combats:
            fights += _combat_rows(counts[-1], variant, rng)
    table = pd.concat(units, ignore_index=True).sort_values(["variant", "run"], kind="stable", ignore_index=True)
    base = pd.concat(outcomes, ignore_index=True).merge(pd.concat(counts, ignore_index=True), on=["run", "variant"])
    fought = pd.concat(fights, ignore_index=True) if combats else None
    about = manifest(runs, list(variants), **changes)
    return write_tables(folder, runs_from_units(table, base), table, fought, about, chunk)


def _unit_rows(row: tuple, numbers: np.ndarray, variant: str, rng: np.random.Generator) -> pd.DataFrame:
    ident, name, side, kind, brigade, division, start, place = row
    if variant == "weaker-union" and side == "Union" and kind == "infantry":
        start -= 1
    n = numbers.size
    lost = stats.binom.ppf(rng.random(n), start, LOSS_CHANCE[side]).astype(int)
    cause = rng.choice(len(CAUSES), p=CAUSE_SHARES, size=n)
    routed, rallied, disordered = rng.random(n) < 0.05, rng.random(n) < 0.3, rng.random(n) < 0.2
    recovered = ((rng.random(n) < 0.1) & (lost > 0)).astype(int)
    end = start + recovered - lost
    where = np.where(end == 0, "eliminated", np.where(routed & ~rallied, "routed", "map"))
    frame = pd.DataFrame(
        {"run": numbers, "variant": variant, "unit": ident, "name": name, "side": side, "kind": kind,
         "brigade": brigade, "division": division, "sp_start": start, "sp_end": end, "sp_recovered": recovered}
        | {f"lost_{c}": np.where(cause == k, lost, 0) for k, c in enumerate(CAUSES)}
    )  # fmt: skip
    return frame.assign(
        place=where, disordered=disordered & (where == "map"), collapsed=lost * 2 > start, blown=False,
        abandoned=(kind == "artillery") & (rng.random(n) < 0.08), ever_routed=routed,
        hex=np.where(where == "map", place, ""),
    )  # fmt: skip


def _combat_rows(counts: pd.DataFrame, variant: str, rng: np.random.Generator) -> list[pd.DataFrame]:
    tables = []
    places = {side: [row[7] for row in ROSTER if row[2] == side] for side in SIDES}
    for side, enemy in (SIDES, SIDES[::-1]):
        for kind in ("fire", "shock"):
            run = np.repeat(counts["run"].to_numpy(), counts[f"{kind}s_{side}"].to_numpy())
            names, chances = zip(*RESULTS[kind], strict=True)
            result = rng.choice(names, p=chances, size=run.size)
            tables.append(
                pd.DataFrame({
                    "run": run, "variant": variant, "turn": 1, "activation": 1, "phase": "shock", "kind": kind,
                    "mode": rng.choice(["phasing", "return"], size=run.size) if kind == "fire" else "shock",
                    "side": side, "unit": "", "target": "", "hex": rng.choice(places[side], size=run.size),
                    "target_hex": rng.choice(places[enemy], size=run.size), "range": 1, "sp": 6, "target_sp": 6,
                    "drms": "", "drm": 0, "roll": 5, "adjusted": 5, "result": result,
                    "losses": np.char.startswith(result.astype(str), "1").astype(int),
                    "own_losses": (result == "A ret 1").astype(int),
                })
            )  # fmt: skip
    return tables
