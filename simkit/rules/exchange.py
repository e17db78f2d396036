"""Rule 10.42: a fire that has been announced and the fires that answer it: who rolls and whose results count when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, Part, Unit
from simkit.rules.firemodifiers import PHASING, RETURN
from simkit.rules.fireresolution import Shot
from simkit.rules.movementfire import FireAtMovers
from simkit.rules.nonphasing import Declared

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex


class Volley:
    """A phasing fire that has been announced: who fires at what with how much (10.15, 8.45).

    `firing` are the hexes it comes from, `exposed` those at which it may be returned: all of an Extended Line that
    combined its fire (8.45). `outflanked` are units it strikes from outside their front, `late` those of them that have
    reacted and may answer after its results (9.61).
    """

    def __init__(self, parts: list[Part], targets: list[Hex], points: list[int], rapidly: list[bool]) -> None:
        self.parts = parts
        self.targets = targets
        self.points = points
        self.rapidly = rapidly
        self.outflanked: list[Unit] = []
        self.late: list[Unit] = []
        self.firing: list[Hex] = []
        for part in parts:
            if part.hex not in self.firing:
                self.firing.append(part.hex)
        self.exposed = self.firing
        if len(self.firing) > 1:
            self.exposed = [part.hex for part in parts[0].unit.parts]

    def places(self) -> list[Hex]:
        """The hexes fired at, each once."""
        found: list[Hex] = []
        for target in self.targets:
            if target not in found:
                found.append(target)
        return found


@mypyc_attr(allow_interpreted_subclasses=True)
class FireExchange(FireAtMovers):
    """Phasing fire and return fire, from the announcement to the last result."""

    def exchange(self, volleys: list[Volley], standing: bool) -> None:
        """10.42: declare and roll both sides' fire, apply all in the order rolled, see to those who answer late.

        Targets that a fire strikes from outside their front may react once all phasing fire is applied (9.61); they
        and guns that fire shot and shell answer after all results.
        """
        side = volleys[0].parts[0].unit.side
        self._open_fire(volleys)
        answers: list[Declared] = []
        for volley in volleys:
            answers.extend(self.return_fire(volley.firing, volley.exposed, volley.places(), False))
        shots: list[Shot] = []
        for volley in volleys:
            shots.extend(self._phasing_shots(volley, standing))
        own = len(shots)
        for answer in answers:
            shots.extend(self.roll(answer, RETURN))
        for volley in volleys:
            volley.outflanked = self.series.reaction.targeted(volley.places(), volley.firing)
        for at, shot in enumerate(shots):
            if at == own:
                self._let_react(volleys)
            self.apply(shot)
        if own == len(shots):
            self._let_react(volleys)
        for volley in volleys:
            held = [place for place in volley.exposed if self.battle.held_by(place) == side]
            if held and volley.late:
                self.one_by_one(self.late_return(volley.late, held, volley.places()), RETURN)
            held = [place for place in held if self.battle.held_by(place) == side]
            if held:
                self.one_by_one(self.return_fire(volley.firing, held, volley.places(), True), RETURN)

    def _let_react(self, volleys: list[Volley]) -> None:
        """9.61: the results of phasing fire are applied: targets that it struck from outside their front may react."""
        for volley in volleys:
            if volley.outflanked:
                units = [part.unit for part in volley.parts]
                volley.late = self.series.reaction.to_fire(units, volley.places(), volley.outflanked)

    def _open_fire(self, volleys: list[Volley]) -> None:
        """10.31, 8.31: the phasing units fire once in this activation, and take up the frontage of their hexes."""
        self.battle.take_up(volleys[0].parts[0].unit)
        users: list[Part] = []
        fronts: list[i64] = []
        points: list[i64] = []
        for volley in volleys:
            for part in volley.parts:
                part.unit.acting = True
                part.unit.fired = True
                part.book.phased = True
                part.book.struck = [int(target.index) for target in volley.targets]
                for front in (NORMAL_FRONT, REFUSED_FRONT):
                    if any(self.front_to(part, target) == front for target in volley.targets):
                        users.append(part)
                        fronts.append(front)
                        points.append(self.part_available(part, PHASING, front))
        for at, part in enumerate(users):
            self.use_frontage(part, PHASING, fronts[at], points[at])

    def _phasing_shots(self, volley: Volley, standing: bool) -> list[Shot]:
        """The rolls of the phasing units; their effect on ammunition and freedom to move (10.52, 10.61, 10.68)."""
        shots: list[Shot] = []
        for at, target in enumerate(volley.targets):
            rapid = volley.rapidly[at]
            if rapid:
                self.note_rapid(volley.parts[0].unit)
            for _ in range(2 if rapid else 1):
                shots.append(self.shoot(volley.parts, target, [], volley.points[at], PHASING, standing))
                shots[len(shots) - 1].rapid = rapid
            for part in volley.parts:
                unit = part.unit
                moved = unit.moved or unit.spent > 0
                if self.drms.prepared != 0 or rapid or (unit.kind == ARTILLERY and standing and not moved):
                    unit.stood_to_fire = True
        self.deplete(shots)
        return shots
