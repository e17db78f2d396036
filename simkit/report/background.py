"""What a report shows beside the results: the ground, the set-up, and where the scenario's values come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from simkit.errors import InputError
from simkit.report.scene import Scene, scene_of


@dataclass(frozen=True)
class Background:
    """The setting of the battles in a folder.

    Attributes:
        scene: the ground and the units at the start; None if it is not known, and then there are no maps.
        provenance: how many values of each part of the data come from each source.
        notes: what a reader must know of the two.
    """

    scene: Scene | None = None
    provenance: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def background(folder: Path) -> Background:
    """The setting of a folder's battles, from their scenario as simkit has it now."""
    from simkit.batch.again import engine_note, spec_again
    from simkit.batch.manifest import read_manifest
    from simkit.scenario import build, load
    from simkit.scenario.provenance import SOURCES, summary

    manifest = read_manifest(folder)
    try:
        spec = spec_again(manifest)
        built = build(load(spec.scenario), spec.options)
    except InputError as error:
        return Background(notes=(f"No maps, and no sources of values: {error.message}",))
    note = engine_note(manifest)
    counted = summary(built).set_index("table")
    provenance = {
        str(table): {source: int(counted.loc[table, source]) for source in SOURCES} for table in counted.index
    }
    return Background(scene_of(built.battle), provenance, (note,) if note else ())
