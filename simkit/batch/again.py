"""The battles of a results folder built again from its manifest."""

from pathlib import Path

from simkit import engine
from simkit.batch.manifest import Manifest
from simkit.batch.seeds import key_words
from simkit.batch.spec import BattleSpec, battle_spec, commanders_of
from simkit.errors import InputError
from simkit.scenario.reading import suggestion
from simkit.scenario.study import BASE


def spec_again(manifest: Manifest, variant: str = BASE) -> BattleSpec:
    """The spec of one variant of a results folder, its paths taken from the current folder.

    Raises:
        InputError: the folder has no such variant.
    """
    study = manifest.study()
    ways = {way.name: way for way in study.ways()}
    if variant not in ways:
        raise InputError(f'unknown variant "{variant}"{suggestion(variant, ways)}')
    way = ways[variant]
    commanders = commanders_of(study, way, {})
    return battle_spec(study, way, commanders, key_words(manifest.seed), Path.cwd(), manifest.members)


def engine_note(manifest: Manifest) -> str:
    """What to say if the present engine is not the one that made the folder; empty if it is."""
    if manifest.hashes.code == engine.code_hash():
        return ""
    return (
        f"the folder was made by another engine (simkit {manifest.engine.version}, code {manifest.hashes.code[:12]}), "
        "a battle may go otherwise now"
    )
