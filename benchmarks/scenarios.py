"""Every scenario of a book in a table: size, speed, who wins, losses beside history, and where the values come from.

Usage: python benchmarks/scenarios.py [SCENARIO ...] [--battles N | --seconds S] [--workers W] [--out DIR]
"""

import argparse
import math
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from measure import SEED

from simkit import engine
from simkit.analysis.history import BAND, Comparison
from simkit.analysis.intervals import quantile, share
from simkit.analysis.outcomes import DRAW
from simkit.analysis.results import Results
from simkit.api import beside_history, experiment
from simkit.batch.experiment import chunk_size
from simkit.batch.manifest import NAME, Manifest, read_manifest
from simkit.errors import InputError
from simkit.model.forces import SIDES
from simkit.report.words import share as share_words
from simkit.scenario import Built, build, load, names
from simkit.scenario.historyfile import history_path
from simkit.scenario.provenance import SOURCES, summary
from simkit.scenario.scenariofile import Scenario

BOOK = "dead_of_winter"
HEADS = (
    "scenario", "turns", "units", "battles", "a second",
    *(f"{side} wins" for side in SIDES), "draws",
    *(f"{side} loses" for side in SIDES), "beside history",
    "/".join(SOURCES),
)  # fmt: skip
MOST_GROWTH = 4
"""How many times the battles played so far are played next, at most: the pace of the first few tells little."""

NOTE = (
    "Win shares with their 95 % intervals (Wilson). Losses are strength points of infantry and cavalry: mean, and the "
    "band of nine battles in ten. Beside history: what happened, then mean and band of the battles; in bold what lies "
    "outside of its band. *Fewer* compares the start with the set-up of a later scenario, so that those who came back "
    "are not counted as lost. The last column: percent of the values that a scenario rests on, by where they come from."
)


def number(scenario: Scenario) -> str:
    """The number of a scenario in its book, as 1.0; empty for an introductory one."""
    found = re.search(r"Scenario (\d+\.\d+)", scenario.scenario.rule)
    return found[1] if found else ""


def rank(scenario: str) -> tuple[float, str]:
    """The place of a scenario in its book: by its number, those without one first."""
    return float(number(load(scenario)) or 0), scenario


class Played(NamedTuple):
    """Battles of a scenario, and how many were played in how many seconds by the clock."""

    results: Results
    battles: int
    seconds: float

    @property
    def rate(self) -> float:
        """Battles a second."""
        return self.battles / self.seconds


def play(scenario: str, folder: Path, workers: int, battles: int | None, seconds: float) -> Played:
    """Play a scenario, both sides steady; battles that are in the folder already stay and count.

    Starting the workers takes a while, so their first battles are not counted for the speed if more are played.

    Args:
        scenario: its id.
        folder: the results folder.
        workers: worker processes.
        battles: how many; None to go by the time.
        seconds: about how long to play (seconds by the clock).
    """

    def extend(runs: int, chunk: int) -> Manifest:
        job = experiment(
            scenario, folder, runs=runs, seed=SEED, jobs=workers, chunk=chunk,
            commanders=dict.fromkeys(SIDES, "steady"),
        )  # fmt: skip
        return job.run(reopen=True)

    if (folder / NAME).is_file():
        first = extend(read_manifest(folder).runs_asked, 1)  # which refuses battles of another kind
    else:
        first = extend(min(workers, battles or workers), 1)
    now = first
    while now.runs_done < (battles or math.inf) and (battles or now.duration - first.duration < seconds):
        pace = now.duration / now.runs_done
        wanted = battles or min(MOST_GROWTH * now.runs_done, now.runs_done + math.ceil(seconds / pace))
        now = extend(wanted, chunk_size(wanted, pace * workers))
    more, longer = now.runs_done - first.runs_done, now.duration - first.duration
    return Played(Results(folder), more, longer) if more else Played(Results(folder), now.runs_done, now.duration)


def spread(low: float, high: float) -> str:
    """A band of nine battles in ten."""
    return f"({low:.3g} to {high:.3g})"


def lost(results: Results, side: str) -> str:
    """Strength points that a side loses: the mean, and the band."""
    points = results.runs_of("base")[f"sp_lost_{side}"]
    low, high = (quantile(points, round(100 * end)).estimate for end in BAND)
    return f"{points.mean():.3g} {spread(low, high)}"


def beside(compared: Comparison | None) -> str:
    """The losses of sides, or of a division where history has no more, beside those of the battles."""
    if compared is None:
        return "supposed, no history"
    table = compared.table
    losses = table[table["figure"].isin(["strength points fewer", "strength points lost"])]
    whole = losses[losses["of"].str.endswith("regiments") | (losses["of"] == "all who took part")]
    divisions = losses[losses["of"].str.count("/") == 1]
    return "; ".join(_figure(row) for _, row in (whole if len(whole) else divisions).iterrows()) or "no losses known"


def _figure(row: pd.Series) -> str:
    figure = "fewer" if str(row["figure"]).endswith("fewer") else "lost"
    who = row["side"] if row["of"] == "all who took part" else f"{row['side']}, {row['of']}"
    stood = f"{row['historical']:.3g}"
    shown = stood if row["inside"] else f"**{stood}**"
    return f"{who}: {shown} {figure}, {row['mean']:.3g} {spread(row['low'], row['high'])}"


def origins(built: Built) -> str:
    """Percent of a scenario's values by source, in the order of SOURCES."""
    counted = summary(built)[list(SOURCES)].sum()
    return "/".join(f"{100 * part / counted.sum():.0f}" for part in counted)


def row(built: Built, played: Played, compared: Comparison | None) -> list[str]:
    """The cells of a scenario's row, one for each of HEADS."""
    results = played.results
    winners = results.runs_of("base")["winner"].astype(str)
    return [
        f"{number(built.scenario)} {built.scenario.scenario.name}".lstrip(),
        str(len(built.scenario.turn)),
        str(len(built.battle.units)),
        f"{len(winners):,}",
        f"{float(f'{played.rate:.2g}'):g}",  # two figures, without an exponent
        *(share_words(share(int((winners == who).sum()), len(winners))) for who in (*SIDES, DRAW)),
        *(lost(results, side) for side in SIDES),
        beside(compared),
        origins(built),
    ]


def line(cells: Sequence[str]) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def rows(asked: argparse.Namespace, folder: Path) -> Iterator[list[str]]:
    """The rows of the scenarios asked for, played into folders of their own."""
    chosen = asked.scenarios or [name for name in names() if name.startswith(f"{BOOK}/")]
    for scenario in sorted(chosen, key=rank):
        known = load(scenario)
        played = play(scenario, folder / scenario.replace("/", "-"), asked.workers, asked.battles, asked.seconds)
        recorded = history_path(known).is_file()
        yield row(build(known), played, beside_history(scenario, played.results) if recorded else None)


def _count(text: str) -> int:
    """A number of battles or processes."""
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text}")
    return int(text)


def _seconds(text: str) -> float:
    """A time to play."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, more than 0, not {text}")
    return value


def main() -> None:
    """Print the table, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=f"ids [all of {BOOK}]")
    parser.add_argument("--battles", type=_count, metavar="N", help="battles of each scenario, whatever they take")
    parser.add_argument("--seconds", type=_seconds, default=60, metavar="S", help="else how long to play each [60]")
    parser.add_argument("--workers", type=_count, default=2, metavar="W", help="worker processes [2]")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the battles here, and go on with those there")
    asked = parser.parse_args()
    kind = "compiled" if engine.compiled() else "interpreted"
    with tempfile.TemporaryDirectory() as passing:
        print(f"Engine {kind}, {asked.workers} worker processes, both sides steady, seed {SEED}.\n")
        print(line(HEADS))
        print(line(["---"] + ["---:"] * 4 + ["---"] * (len(HEADS) - 5)), flush=True)
        for cells in rows(asked, asked.out or Path(passing)):
            print(line(cells), flush=True)
    print(f"\n{NOTE}")


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        print(f"scenarios.py: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("scenarios.py: stopped; with --out the same command goes on", file=sys.stderr)
        sys.exit(130)
