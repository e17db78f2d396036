"""The report page: one HTML file that holds everything it shows."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from simkit.analysis.definitions import CAUSE_NAMES, DEFINITIONS, TERMS, Definition
from simkit.analysis.results import Results
from simkit.analysis.summary import Summary
from simkit.analysis.uncertainty import drew, spreads
from simkit.report import tables
from simkit.report.background import Background
from simkit.report.tables import Table
from simkit.report.words import headline, number

_TEMPLATES = Path(__file__).parent / "templates"

_DEFINED = (
    "win_share", "draw_share", "vp_side_mean", "sp_lost_side_mean", "sp_lost_side_share", "guns_lost_side_mean",
    "lost_unit_mean", "units_ever_routed_mean", "units_routed_at_end_mean", "units_collapsed_mean",
    "units_eliminated_mean", "units_disordered_mean", "units_abandoned_mean", "units_blown_mean",
    "brigades_ineffective_mean", "leaders_lost_mean", "fires_mean", "shocks_mean", "fire_result_share",
    "shock_result_share", "loss_per_fire",
)  # fmt: skip


SOURCES = "Printed: a rulebook prints it; derived: it follows from what is printed; reconstructed: an assumption."
"""What the sources of values mean."""


@dataclass
class Picture:
    """A picture of the page: its image as a data address, a caption, and words for who cannot see it."""

    address: str
    caption: str
    words: str
    wide: bool = False


@dataclass
class Section:
    """A section of the page."""

    title: str
    name: str
    sentences: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


def data_address(image: bytes | str) -> str:
    """An image as an address that holds it whole: SVG text or PNG bytes."""
    if isinstance(image, str):
        return f"data:image/svg+xml;base64,{b64encode(image.encode('utf-8')).decode('ascii')}"
    return f"data:image/png;base64,{b64encode(image).decode('ascii')}"


def render(
    results: Results,
    summary: Summary,
    comparison: pd.DataFrame | None,
    pictures: Mapping[str, Picture],
    warnings: list[str],
    setting: Background,
) -> str:
    """The page as HTML.

    Args:
        results: the results folder.
        summary: its summary.
        comparison: the paired differences; None with one variant.
        pictures: the pictures by the name of their plot.
        warnings: what the reader must know before the numbers.
        setting: where the values come from.
    """
    sections = [
        section for section in _sections(results, summary, comparison, pictures, setting)
        if section.tables or section.pictures or section.sentences
    ]  # fmt: skip
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("report.html.jinja").render(
        title=results.title,
        study=str(results.manifest["name"]),
        question=str(results.manifest["question"]),
        headline=headline(results, summary),
        setting=_setting(results),
        warnings=warnings,
        sections=sections,
        definitions=_definitions(summary),
        style=jinja2.Environment(autoescape=False).from_string((_TEMPLATES / "report.css").read_text("utf-8")).render(),
    )


def _sections(
    results: Results,
    summary: Summary,
    comparison: pd.DataFrame | None,
    pictures: Mapping[str, Picture],
    setting: Background,
) -> list[Section]:
    variants = results.variants
    base = variants[0]

    def shown(*names: str) -> list[Picture]:
        return [pictures[name] for name in names if name in pictures]

    only = [f"Of variant {base}; summary.csv holds the same numbers for every variant."] if len(variants) > 1 else []
    fought = [table for kind in ("fire", "shock") if (table := tables.combats(summary, base, kind)) is not None]
    unrecorded = [] if fought else ["Results of fires and shocks were not recorded; run with --combats to have them."]
    compared = comparison is not None
    return [
        Section("Who won", "outcomes", [], shown("outcome_shares"), [tables.outcomes(summary, variants)]),
        Section("What the variants change", "variants", tables.saving(comparison) if comparison is not None else [],
                shown("paired_differences") if compared else [],
                tables.differences(comparison) if comparison is not None else []),
        Section("What it cost", "losses", [], shown("loss_distributions"), [tables.side_losses(summary, variants)]),
        Section("What killed", "causes", only, shown("losses_by_cause"), [tables.causes(summary, base)]),
        Section("Where", "map", _variant_of_map(only, pictures), shown("map_setup", "map_losses"), []),
        Section("Brigades and units", "units", only, shown("losses_by_unit"),
                [tables.brigades(summary, base), tables.units(summary, base)]),
        Section("Rout, collapse, disorder", "states", only, [], [tables.states(summary, base)]),
        Section("Fires and shocks", "combats", only if fought else unrecorded, [], fought),
        Section("Dice and unknown numbers", "uncertainty", *_spreads(results, base)),
        Section("Has the sample settled?", "settling", only, shown("convergence"), []),
        Section("What the numbers rest on", "provenance", *_provenance(setting)),
        Section("How this was made", "manifest", [], [], _made(results)),
    ]  # fmt: skip


def _variant_of_map(only: list[str], pictures: Mapping[str, Picture]) -> list[str]:
    return only if "map_setup" in pictures or "map_losses" in pictures else []


def _setting(results: Results) -> str:
    about = results.manifest
    commanders = ", ".join(f"{side} {spec}" for side, spec in about["commanders"].items())
    counts = results.runs["variant"].value_counts()
    n = f"{counts.min():,}" if counts.min() == counts.max() else f"{counts.min():,} to {counts.max():,}"
    each = f" of each of {len(counts)} variants" if len(counts) > 1 else ""
    return f"{n} battles{each}" + (f" · commanders: {commanders}" if commanders else "") + f" · seed {about['seed']}"


def _spreads(results: Results, variant: str) -> tuple[list[str], list[Picture], list[Table]]:
    """What of the spread of each figure is luck, and what not knowing, where runs drew from an ensemble."""
    if not drew(results):
        return [], [], []
    found = spreads(results, variant)
    if found.empty:
        return ["Too few runs of each set of the ensemble to tell the dice from what is unknown."], [], []
    members = len(results.manifest["members"])
    sentence = (
        f"Each run drew one of {members} sets of the numbers that no source prints. The spread of a figure is split "
        "into that of the dice, all numbers fixed, and that of the unknown numbers alone (analysis of variance; in "
        "brackets a 95 % interval)."
    )
    rows = [
        [f"{row.quantity}, {row.group}", number(row.mean), number(row.sd), number(row.sd_dice), number(row.sd_unknown),
         "–" if isnan(row.share) else f"{row.share:.0%} ({row.low:.0%} to {row.high:.0%})"]
        for row in found.itertuples()
    ]  # fmt: skip
    heads = ["", "mean", "standard deviation", "of the dice", "of the unknown", "share of the unknown in the variance"]
    return [sentence], [], [Table("Where the spread comes from", heads, rows)]


def _provenance(setting: Background) -> tuple[list[str], list[Picture], list[Table]]:
    """How much of the scenario rests on printed, derived and reconstructed values."""
    provenance = setting.provenance
    if not provenance:
        return list(setting.notes), [], []
    kinds = list(next(iter(provenance.values())))
    totals = {kind: sum(part[kind] for part in provenance.values()) for kind in kinds}
    everything = max(sum(totals.values()), 1)
    parts = ", ".join(f"{100 * totals[kind] / everything:.0f} % {kind}" for kind in kinds)
    sentences = [
        *setting.notes,
        f"Of {everything:,} values and blocks of values behind this battle {parts}. {SOURCES}",
        "The intervals above measure the luck of the dice; they do not cover a wrong assumption.",
    ]
    rows = [[part, *(f"{count[kind]:,}" for kind in kinds)] for part, count in provenance.items()]
    rows.append(["all", *(f"{totals[kind]:,}" for kind in kinds)])
    return sentences, [], [Table("Values by their source", ["", *kinds], rows)]


def _made(results: Results) -> list[Table]:
    about = results.manifest
    engine = about["engine"]
    packages = {"Python": about["python"], **about["packages"]}
    rows = [
        ["scenario", str(about["scenario"])],
        ["options", ", ".join(f"{key} = {value}" for key, value in about["options"].items()) or "none"],
        *([f"commander, {side}", str(spec)] for side, spec in about["commanders"].items()),
        ["seed", str(about["seed"])],
        ["battles done of asked", f"{about['runs_done']:,} of {about['runs_asked']:,}"],
        ["engine", f"simkit {engine['version']}, {'compiled' if engine['compiled'] else 'interpreted'}"],
        ["signature of the engine", str(engine["signature"])],
        ["hash of the code", str(about["hashes"]["code"])[:16]],
        ["hash of the data", str(about["hashes"]["data"])[:16]],
        ["Python and packages", ", ".join(f"{name} {version}" for name, version in packages.items())],
        ["started", str(about["started"])],
        ["time taken", f"{number(float(about['duration']))} seconds"],
    ]  # fmt: skip
    found = [Table("The run", ["", ""], rows)]
    if len(about["variants"]) > 1:
        found.append(
            Table("The variants", ["variant", "options", "commanders", "changes"], _variants(about["variants"]))
        )
    return found


def _variants(variants: list[dict[str, Any]]) -> list[list[str]]:
    rows = []
    for variant in variants:
        changes = []
        for change in variant.get("change") or ():
            target = next((f"{key} {change[key]}" for key in ("unit", "brigade", "side") if change.get(key)), "")
            changes.append(f"{target}: strength {change['strength']}")
        pairs = [
            ", ".join(f"{k} = {v}" for k, v in (variant.get(name) or {}).items()) for name in ("options", "commanders")
        ]
        rows.append([str(variant["name"]), *(words or "–" for words in pairs), "; ".join(changes) or "–"])
    return rows


def _definitions(summary: Summary) -> list[Definition]:
    present = set(summary.table["quantity"])
    own = [DEFINITIONS[name] for name in _DEFINED if name in present]
    return [*TERMS.values(), *own, *(Definition(f"cause: {d.title}", d.text) for d in CAUSE_NAMES.values())]
