"""Rules 14.3, 10.41 and 10.9: second rounds of fire, fires in vain, and what a fire does to small-arms ammunition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import NO_DISORDER, FireResult
from simkit.model.forces import ARTILLERY, BY_SMALL_ARMS, Part, Unit
from simkit.model.log import EVERYTHING, Event
from simkit.model.sections import firers
from simkit.rules.dice import FIRE
from simkit.rules.fireresolution import NO_AMMO, FireResolution, Shot

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex


class SecondRound:
    """What of a fire is yet to be fired a second time (14.3): which parts, out of which hexes, with how much at most.

    `disorders` are the 2nd Disorders that each had suffered in the activation before its first shot. `rapid` is the
    second shot of guns that fire rapidly in turns with Spencers (14.38).
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.hexes: list[Hex] = []
        self.points: list[int] = []
        self.disorders: list[int] = []
        self.rapid = False

    def put(self, part: Part, points: i64) -> None:
        """Let a part fire again with so many strength points."""
        self.parts.append(part)
        self.hexes.append(part.hex)
        self.points.append(int(points))
        self.disorders.append(int(part.unit.second_disorders))


@mypyc_attr(allow_interpreted_subclasses=True)
class Repeaters(FireResolution):
    """Who fires twice, and what fires cost in ammunition."""

    # -- who fires twice -------------------------------------------------------------------------------------------

    def repeats(self, unit: Unit) -> bool:
        """14.3, 14.31, 10.31: whether a unit fires twice now: armed with Spencers, in Good Order and not mounted."""
        return unit.weapon.repeater and not unit.disordered and not unit.is_mounted()

    def second_round(self, parts: list[Part], shares: list[int]) -> SecondRound:
        """14.3, 10.82: what a fire that is about to be rolled leaves to be fired again: of a stack only its Spencers.

        Args:
            parts: who fires.
            shares: the strength points with which each of them does.
        """
        second = SecondRound()
        for at, part in enumerate(parts):
            if self.repeats(part.unit):
                second.put(part, shares[at])
        return second

    def fit(self, second: SecondRound) -> tuple[list[Part], list[int]]:
        """14.31, 14.38, 10.15: who of a second round can still fire it, with what is left of the points of the first.

        Not who has suffered a 2nd Disorder meanwhile, or has left the hex; nor guns that were disordered at all.
        """
        parts: list[Part] = []
        points: list[int] = []
        for at, part in enumerate(second.parts):
            unit = part.unit
            if not self.able(unit) or unit.second_disorders != second.disorders[at]:
                continue
            if part not in firers(unit) or part.hex is not second.hexes[at]:
                continue
            left: i64 = min(second.points[at], self.series.stacking.part_limit(part))
            if left > 0:
                parts.append(part)
                points.append(int(left))
        return parts, points

    def shoot_again(
        self, parts: list[Part], target: Hex, first: list[Unit], points: i64, mode: i64, standing: bool, rapid: bool
    ) -> Shot:
        """14.3, 14.33, 14.38: roll the second shot of a fire, at the hex of the first even if nobody is left in it."""
        if not rapid and self.series.log.level >= EVERYTHING:
            for part in parts:
                self.series.log.note("repeat", part.unit.side, part.unit.id, part.hex.id, "", "")
        if self.battle.held_by(target) == 1 - parts[0].unit.side:
            shot = self.shoot(parts, target, first, points, mode, standing, not rapid)
        else:
            shot = self.shoot_in_vain(parts, target, not rapid)
        shot.rapid = rapid
        return shot

    # -- nobody there (10.41) --------------------------------------------------------------------------------------

    def shoot_in_vain(self, parts: list[Part], target: Hex, second: bool) -> Shot:
        """10.41, 14.3: a fire at a hex that has been vacated: its die tells only what it costs in ammunition."""
        unit = parts[0].unit
        starred = self.starred(unit, second)
        classes: list[int] = []
        for face in range(10):
            costly = face == starred or (face == 0 and unit.kind == ARTILLERY)
            classes.append(face if costly else 1)
        roll = self.series.dice.grouped(FIRE, unit, classes)
        shot = Shot(parts, target, [], roll, FireResult(0, NO_DISORDER, 0, "-"), BY_SMALL_ARMS)
        shot.second = second
        if self.series.log.level >= EVERYTHING:
            event = Event("vain")
            event.side = unit.side
            event.unit = unit.id
            event.hex = parts[0].hex.id
            event.target_hex = target.id
            event.roll = roll
            self.series.log.add(event)
        return shot

    # -- ammunition (10.91, 14.33) ---------------------------------------------------------------------------------

    def deplete(self, shots: list[Shot]) -> None:
        """10.91, 14.33, 10.69: what the rolls of one fire do to ammunition, once all its shots are rolled.

        Small arms lose a level by each starred roll where their ammunition counts (optional), mounted cavalry never.
        Repeaters jam, and are Out of Ammo, by a starred roll in a second round in any case.
        """
        if not shots or shots[0].unit.kind == ARTILLERY:
            super().deplete(shots)
            return
        done: list[Unit] = []
        for shot in shots:
            for part in shot.parts:
                if part.unit not in done:
                    done.append(part.unit)
                    self._deplete_small_arms(part.unit, shots)

    def _deplete_small_arms(self, unit: Unit, shots: list[Shot]) -> None:
        """10.91, 14.33: what a unit's share in these shots does to its ammunition."""
        if unit.is_mounted():
            return
        levels: i64 = 0
        jammed = False
        for shot in shots:
            if shot.roll != self.charts.fire_table.starred or not any(part.unit is unit for part in shot.parts):
                continue
            if shot.second:
                jammed = True
            elif self.options.small_arms_ammunition:
                levels += 1
        if jammed:
            levels = NO_AMMO
        if levels == 0:
            return
        unit.ammo = min(unit.ammo + levels, NO_AMMO)
        if self.series.log.level >= EVERYTHING:
            result = "out" if unit.ammo == NO_AMMO else "low"
            self.series.log.note("ammunition", unit.side, unit.id, unit.hex.id, "jammed" if jammed else "", result)


__all__ = ["Repeaters", "SecondRound"]
