"""One battle of a results folder played again and told, in words and in pictures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simkit.batch.again import engine_note, spec_again
from simkit.batch.engine import Battlefield, open_battlefield
from simkit.batch.guard import described
from simkit.batch.manifest import read_manifest
from simkit.commanders.heuristic import HeuristicCommander
from simkit.errors import InputError
from simkit.model.forces import ARTILLERY, SIDES
from simkit.model.log import EVERYTHING
from simkit.play.game import Game, Observer
from simkit.report.scene import Arrow, ground_of, units_of
from simkit.report.story import Storyteller
from simkit.scenario.study import MOST_RUNS

ARROWS = ("move", "retreat", "fire", "shock")
"""Kinds of events that a picture shows as arrows."""


def retell(
    folder: Path, run: int, variant: str = "base", *, pictures: bool = False, answers: bool = False
) -> Iterator[str]:
    """One battle in words, line by line.

    Args:
        folder: the results folder.
        run: the battle's number, from 0; it need not be among those in the folder.
        variant: the variant's name.
        pictures: whether to draw the map at the set-up and after each activation, into the folder.
        answers: whether to write what the sides answered, as script files that a study can name, into the folder.

    Raises:
        InputError: the folder is none of simkit's, or the battle cannot be built any more.
    """
    if not 0 <= run < MOST_RUNS:
        raise InputError(f"run: must lie between 0 and {MOST_RUNS - 1}, not {run}")
    manifest = read_manifest(folder)
    spec = spec_again(manifest, variant)
    spec = spec.for_member(spec.member_of(run))
    field = open_battlefield(spec, EVERYTHING, record=answers)
    place = folder / "replay" / f"{variant}-{run:09d}"
    painter = Painter(place)
    if pictures:
        field.game.watch(painter)
    field.play(run)
    yield f"Run {run} of {manifest.scenario}, variant {variant}, seed {manifest.seed}"
    yield ", ".join(f"{side}: {described(who)}" for side, who in zip(SIDES, spec.commanders, strict=True))
    if note := engine_note(manifest):
        yield f"Note: {note}."
    yield from Storyteller(field.built.battle).tell(field.game.log.events)
    yield from _ending(field)
    if pictures:
        yield f"Pictures: {len(painter.files)} in {painter.folder}"
    if answers:
        yield from _write_answers(field, place, run)


class Painter(Observer):
    """Draws the map at the set-up and after each activation, with what moved, fired and shocked in between.

    Args:
        folder: where the pictures go; they are numbered.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: list[Path] = []
        self._told = 0

    def deployed(self, game: Game) -> None:
        """Draw the set-up."""
        self._works: list[list[int]] = []
        self._ground = ground_of(game.battle.map)
        self._draw(game, "Set-up")

    def after_activation(self, game: Game) -> None:
        """Draw how the activation left the battle."""
        self._draw(game, f"Activation {game.battle.activation}")

    def _draw(self, game: Game, title: str) -> None:
        from simkit.report.mapping import map_picture
        from simkit.report.style import save_png

        if self._works != game.battle.works.numbers():
            self._works = game.battle.works.numbers()
            self._ground = ground_of(game.battle.map)
        events = game.log.events[self._told :]
        self._told = len(game.log.events)
        acted = [event.unit for event in events if event.kind == "activation"]
        names = {command.code: command.name for command in game.battle.commands}
        named = ", ".join(names.get(code, code) for code in acted)
        arrows = [
            Arrow(SIDES[event.side], event.hex, event.target_hex, event.kind)
            for event in events
            if event.kind in ARROWS and event.hex and event.target_hex
        ]
        figure = map_picture(
            self._ground, units_of(game.battle), arrows=arrows, title=f"{title}: {named}" if named else title
        )
        place = self.folder / f"{len(self.files):03d}.png"
        save_png(figure, place, dpi=110)
        self.files.append(place)


def _write_answers(field: Battlefield, place: Path, run: int) -> Iterator[str]:
    """Write what each side led by a doctrine has answered as a script that gives the same answers again."""
    for side, who, asked in zip(SIDES, field.spec.commanders, field.commanders, strict=True):
        if not isinstance(who, str) or type(asked.inner) is not HeuristicCommander:
            yield f"No answers of the {side} side: {described(who)} is no doctrine that could complete a script"
            continue
        doctrine = str(Path(who).resolve()) if who.endswith(".toml") else who
        scenario = field.spec.scenario
        head = {"name": f"answers of run {run}", "side": side, "doctrine": doctrine, "scenario": scenario}
        lines = ["[script]", *(f"{key} = {json.dumps(value)}" for key, value in head.items())]
        for answer in asked.answers:
            given = [(key, value) for key, value in answer._asdict().items() if value is not None]
            lines += ["", "[[answer]]", *(f"{key} = {json.dumps(value)}" for key, value in given)]
        place.mkdir(parents=True, exist_ok=True)
        written = place / f"answers-{side.lower()}.toml"
        written.write_text("\n".join(lines) + "\n", encoding="utf-8")
        yield f"Answers of the {side} side: {written}"


def _ending(field: Battlefield) -> Iterator[str]:
    outcome, units = field.game.outcome, field.built.battle.units
    winner = SIDES[outcome.winner] if outcome.winner >= 0 else "nobody"
    yield f"Winner: {winner} ({outcome.level})"
    if outcome.vp is not None:
        yield "Victory points: " + _both(outcome.vp)
    lost = [
        sum(int(unit.losses()) for unit in units if unit.side == side and unit.kind != ARTILLERY) for side in (0, 1)
    ]
    guns = [
        sum(int(unit.losses()) for unit in units if unit.side == side and unit.kind == ARTILLERY) for side in (0, 1)
    ]
    yield "Strength points lost: " + _both(lost)
    yield "Guns lost: " + _both(guns)


def _both(numbers: Any) -> str:
    return ", ".join(f"{side} {number}" for side, number in zip(SIDES, numbers, strict=True))
