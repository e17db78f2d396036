"""Rule 10.42: a fire that has been announced and the fires that answer it: who rolls and whose results count when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import FRONTS, NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, Part, Unit
from simkit.rules.declaredfire import Declared
from simkit.rules.firemodifiers import PHASING, RETURN
from simkit.rules.fireresolution import Shot
from simkit.rules.movementfire import FireAtMovers
from simkit.rules.repeaters import SecondRound

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex


class Volley:
    """A phasing fire that has been announced: who fires at what with how much (10.15, 8.45).

    `firing` are the hexes it comes from, `exposed` those at which it may be returned: all of an Extended Line that
    combined its fire (8.45). `outflanked` are units it strikes from outside their front, `late` those of them that have
    reacted and may answer after its results (9.61).
    """

    def __init__(self, parts: list[Part], targets: list[Hex], rapidly: list[bool]) -> None:
        self.parts = parts
        self.targets = targets
        self.fronts: list[int] = []  # through which it fires at each target (7.34)
        self.shares: list[list[int]] = []  # strength points of each part through its normal and its refused front
        self.rapidly = rapidly
        # who fires at each target; the points, and those of a second rapid shot, where sections do (10.65)
        self.aimed: list[list[Part]] = [parts] * len(targets)
        self.points: list[int] = []
        self.twice: list[int] = []
        self.shots: list[Shot] = []
        self.second = SecondRound()
        self.outflanked: list[Unit] = []
        self.late: list[Unit] = []
        self.firing: list[Hex] = []
        for part in parts:
            if part.hex not in self.firing:
                self.firing.append(part.hex)
        self.exposed = self.firing
        if len(self.firing) > 1:
            self.exposed = [part.hex for part in parts[0].unit.parts]

    def targets_of(self, part: Part) -> list[Hex]:
        """The hexes at which a part fires."""
        return [target for at, target in enumerate(self.targets) if part in self.aimed[at]]

    def whole(self) -> list[int]:
        """The strength points of each part through all its fronts."""
        return [sum(share) for share in self.shares]

    def spread(self, parts: list[Part], points: list[int]) -> list[int]:
        """10.15, 7.34: the strength points for each target when these parts fire so many, at most their shares.

        Through a front at one target all; at two as evenly as can be, the first with the greater half.
        """
        through: list[int] = [0] * FRONTS
        for at, part in enumerate(parts):
            share = self.shares[self.parts.index(part)]
            normal = min(points[at], share[NORMAL_FRONT])
            through[NORMAL_FRONT] += normal
            through[REFUSED_FRONT] += min(points[at] - normal, share[REFUSED_FRONT])
        found: list[int] = []
        for at, front in enumerate(self.fronts):
            half = through[front] // 2
            if self.fronts.count(front) == 1:
                found.append(through[front])
            else:
                found.append(half if front in self.fronts[:at] else through[front] - half)
        return found

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
        """10.42, 14.3: all shots of a phasing fire and of the fires that answer it, in their order, with all results.

        Mostly both sides roll before any result is applied (10.42), guns that fire rapidly both their shots (10.68);
        Spencers that answer then fire their second round (14.32), or roll it with the first against rapid fire (14.37).
        Phasing Spencers fire in turns with whoever answers (14.31, 14.34, 14.38). Targets that a fire strikes from
        outside their front may react once all phasing fire is applied (9.61); they answer after all results.
        """
        self._open_fire(volleys)
        self._alarm(volleys)
        for volley in volleys:
            volley.second = self.second_round(volley.parts, volley.whole())
            volley.outflanked = self.series.reaction.targeted(volley.places(), volley.firing)
        turns = any(volley.second.parts for volley in volleys)
        if turns:
            self._in_turns(volleys, standing)
        else:
            self._at_once(volleys, standing)
        for volley in volleys:
            self._answer_late(volley, False)
            if turns:
                self._answer_late(volley, True)
            else:
                self.one_by_one(self._answers([volley], True), RETURN)

    def _at_once(self, volleys: list[Volley], standing: bool) -> None:
        """10.42, 10.68, 14.32, 14.37: both sides fire together; guns that answer with shot and shell do so later."""
        answers = self._answers(volleys, False)
        shots: list[Shot] = []
        for volley in volleys:
            shots.extend(self._phasing_shots(volley, standing))
        own = len(shots)
        for answer in answers:
            shots.extend(self.open_with(answer, RETURN, True))
        if any(True in volley.rapidly for volley in volleys):
            for answer in answers:
                shots.extend(self.follow_up(answer, RETURN))
        self._have_fired(volleys)
        for answer in answers:
            if not answer.second.parts:
                self.has_fired(answers, answer)
        for at, shot in enumerate(shots):
            if at == own:
                self._let_react(volleys)
            self.apply(shot)
        if own == len(shots):
            self._let_react(volleys)
        self._answer_again(answers)

    def _in_turns(self, volleys: list[Volley], standing: bool) -> None:
        """14.31, 14.34, 14.38: phasing Spencers fire, the enemy answers, they fire again, and he does who may."""
        for volley in volleys:
            self._phasing_shots(volley, standing)
        for volley in volleys:
            for shot in volley.shots:
                self.apply(shot)
        answers = self._answers(volleys, False)
        answers.extend(self._answers(volleys, True))
        for answer in answers:
            for shot in self.open_with(answer, RETURN, False):
                self.apply(shot)
            if not answer.second.parts:
                self.has_fired(answers, answer)
        again: list[Shot] = []
        for volley in volleys:
            again.extend(self._shots_again(volley, standing))
        self._have_fired(volleys)
        for shot in again:
            self.apply(shot)
        self._let_react(volleys)
        self._answer_again(answers)

    def _answers(self, volleys: list[Volley], shell: bool) -> list[Declared]:
        """10.42: what is declared in answer to a phasing fire by those who do, or do not, fire shot and shell."""
        found: list[Declared] = []
        for volley in volleys:
            held = self._held(volley)
            if held:
                found.extend(self.return_fire(volley.firing, held, volley.places(), shell))
        return found

    def _answer_late(self, volley: Volley, shell: bool) -> None:
        """9.61, 10.42: those who have reacted answer, by shot and shell or otherwise."""
        held = self._held(volley)
        if held and volley.late:
            self.one_by_one(self.late_return(volley.late, held, volley.places(), shell), RETURN)

    def _held(self, volley: Volley) -> list[Hex]:
        """10.42: the hexes at which a fire may still be returned."""
        side = volley.parts[0].unit.side
        return [place for place in volley.exposed if self.battle.held_by(place) == side]

    def _answer_again(self, answers: list[Declared]) -> None:
        """14.32, 14.38: the second round of those who have answered, each rolled and applied in turn."""
        for answer in answers:
            if answer.second.parts:
                for shot in self.follow_up(answer, RETURN):
                    self.apply(shot)
                self.has_fired(answers, answer)

    def _let_react(self, volleys: list[Volley]) -> None:
        """9.61: the results of phasing fire are applied: targets that it struck from outside their front may react."""
        for volley in volleys:
            if volley.outflanked:
                units = [part.unit for part in volley.parts]
                volley.late = self.series.reaction.to_fire(units, volley.places(), volley.outflanked)

    def _alarm(self, volleys: list[Volley]) -> None:
        """6.34: the targets are designated: commands in reserve who are among them at four hexes or less leave it."""
        for volley in volleys:
            for origin in volley.firing:
                for place in volley.places():
                    self.series.reserve.targeted([place], origin.distance_to(place))

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
                targets = volley.targets_of(part)
                part.book.struck = [int(target.index) for target in targets]
                for front in (NORMAL_FRONT, REFUSED_FRONT):
                    if any(self.front_to(part, target) == front for target in targets):
                        users.append(part)
                        fronts.append(front)
                        points.append(self.part_available(part, PHASING, front))
        for at, part in enumerate(users):
            self.use_frontage(part, PHASING, fronts[at], points[at])

    def _phasing_shots(self, volley: Volley, standing: bool) -> list[Shot]:
        """The rolls of the phasing units, and their effect on freedom to move (10.52, 10.61, 10.68)."""
        shots: list[Shot] = []
        points = volley.points or volley.spread(volley.parts, volley.whole())
        for at, target in enumerate(volley.targets):
            rapid = volley.rapidly[at]
            parts = volley.aimed[at]
            if rapid:
                self.note_rapid(parts[0].unit)
            shots.append(self.shoot(parts, target, [], points[at], PHASING, standing))
            if rapid:
                again = volley.twice[at] if volley.twice else points[at]
                shots.append(self.shoot(self.smoothbores(parts), target, [], again, PHASING, standing))
                shots[len(shots) - 2].rapid = True
                shots[len(shots) - 1].rapid = True
            for part in parts:
                unit = part.unit
                moved = unit.moved or unit.spent > 0
                if self.drms.prepared != 0 or rapid or (unit.kind == ARTILLERY and standing and not moved):
                    unit.stood_to_fire = True
        volley.shots.extend(shots)
        return shots

    def _shots_again(self, volley: Volley, standing: bool) -> list[Shot]:
        """14.3, 14.31: the second round of phasing Spencers, split as the first was if it was (10.15)."""
        parts, fit = self.fit(volley.second)
        shots: list[Shot] = []
        if parts:
            points = volley.spread(parts, fit)
            for at, target in enumerate(volley.targets):
                if points[at] > 0:
                    shots.append(self.shoot_again(parts, target, [], points[at], PHASING, standing, False))
        volley.shots.extend(shots)
        return shots

    def _have_fired(self, volleys: list[Volley]) -> None:
        """10.69, 10.91: settle the ammunition of the phasing units, once they have rolled all that they split."""
        for volley in volleys:
            self.deplete(volley.shots)
