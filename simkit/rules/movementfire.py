"""Rules 10.44 and 10.45: non-phasing fire at units that move: withdrawal fire, and approach fire of artillery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, EXTENDED_LINE, IN_ONE_HEX, Part, Unit
from simkit.model.formation import part_faces
from simkit.rules.declaredfire import Declared
from simkit.rules.firemodifiers import APPROACH, WITHDRAWAL
from simkit.rules.options import GRINGO
from simkit.rules.preshockfire import PreShockFire

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.rules.series import Series

APPROACH_RANGE: Final[i64] = 3  # hexes (10.45)


class Waiting:
    """Withdrawal fire that waits until the moving unit has finished its move (10.44)."""

    def __init__(self, mover: Unit, place: Hex, firers: list[Part]) -> None:
        self.mover = mover
        self.place = place
        self.firers = firers


@mypyc_attr(allow_interpreted_subclasses=True)
class FireAtMovers(PreShockFire):
    """Fire in answer to the enemy's movement."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.waiting: list[Waiting] = []
        self.batteries: list[Unit] = []  # all artillery of the battle, once looked for
        self.looked = False

    def clear(self) -> None:
        """Forget fires that wait, before a new battle."""
        self.waiting = []
        self.before_shock = []

    # -- withdrawal fire -------------------------------------------------------------------------------------------

    def withdrawal(self, mover: Unit, origin: Hex, to: Hex) -> None:
        """10.44: a moving unit is about to leave a hex for another: see `withdrawal_of`.

        Of an extended unit it is the part in that hex that leaves it (8.42).
        """
        self.withdrawal_from([mover], origin, to)

    def withdrawal_from(self, movers: list[Unit], origin: Hex, to: Hex) -> None:
        """10.44, 8.21: a unit or stack is about to leave a hex for another: see `withdrawal_of`."""
        if self.battle.enemy_line_near(origin, movers[0].side):
            self.withdrawal_of(movers, [origin], [to])

    def withdrawal_of_line(self, unit: Unit, origins: list[Hex], to: list[Hex]) -> None:
        """10.44, 8.42, 8.44: parts of an extended unit are about to leave hexes for others: see `withdrawal_of`."""
        self.withdrawal_of([unit], origins, to)

    def withdrawal_of(self, movers: list[Unit], origins: list[Hex], to: list[Hex]) -> None:
        """10.44, 8.21, 8.44: movers are about to leave hexes: those whose frontal hexes they leave may fire.

        If others of their side stay behind, the fire is theirs, after the move: see `move_finished` (in Gringo! before
        it). Whoever has one of the next hexes in its front as well does not fire: an extended unit moves as one. Each
        part of an enemy fires at one of the hexes that are left.
        """
        mover = movers[0]
        firers: list[Part] = []
        aims: list[Hex] = []
        for origin in origins:
            for side in origin.sides:
                for part in side.to.stack:
                    unit = part.unit
                    if unit.side == mover.side or unit.kind == ARTILLERY or part in firers:
                        continue
                    if not part_faces(part, origin) or any(self.battle.in_front(unit, place) for place in to):
                        continue
                    facing = [place for place in origins if part_faces(part, place)]
                    firers.append(part)
                    aims.append(self.choose_hex(part, mover, facing))
        for origin in origins:
            at_origin: list[Part] = []
            for at, part in enumerate(firers):
                if aims[at] is origin:
                    at_origin.append(part)
            if not at_origin:
                continue
            staying = [unit for unit in self.battle.units_in(origin) if unit not in movers]
            if staying and self.options.edition == GRINGO:
                fires = self._withdrawal_fires(at_origin, staying[0], origin, staying)
                self.one_by_one(self.combined(fires, False), WITHDRAWAL)
            elif staying:
                self.waiting.append(Waiting(mover, origin, at_origin))
            elif mover.counts() and mover.stands_in(origin):
                fires = self._withdrawal_fires(at_origin, mover, origin, movers)
                self.one_by_one(self.combined(fires, False), WITHDRAWAL)

    def move_finished(self, mover: Unit) -> None:
        """10.44: once a unit has finished its move, those it left behind are fired at."""
        if not self.waiting:
            return
        waiting = self.waiting
        self.waiting = []
        for each in waiting:
            remaining = self.battle.units_in(each.place)
            if each.mover is not mover or not remaining or remaining[0].side != mover.side or mover in remaining:
                continue
            fires = self._withdrawal_fires(each.firers, remaining[0], each.place, [])
            self.one_by_one(self.combined(fires, False), WITHDRAWAL)

    def _withdrawal_fires(
        self, firers: list[Part], victim: Unit, target: Hex, first: list[Unit]
    ) -> list[Declared]:
        declared: list[Declared] = []
        for part in firers:
            unit = part.unit
            if not self.able(unit) or not self.part_bears(part, target, WITHDRAWAL):
                continue
            most = self.most(part, target, WITHDRAWAL)
            if most > 0:
                owner = self.series.owner(unit)
                if unit.extended == EXTENDED_LINE:
                    points = owner.part_withdrawal_fire(self.series, part, victim, most)
                else:
                    points = owner.withdrawal_fire(self.series, unit, victim, most)
                if self._agreed(part, target, WITHDRAWAL, points, most):
                    declared.append(self._declare(part, target, list(first), WITHDRAWAL, points, most))
        return declared

    # -- approach fire ---------------------------------------------------------------------------------------------

    def approach(self, mover: Unit, entered: list[Hex] | None = None) -> None:
        """10.45: a unit has moved into a hex, an extended one into those that it has `entered`: see `approach_by`."""
        self.approach_by([mover], entered)

    def approach_by(self, movers: list[Unit], entered: list[Hex] | None = None) -> None:
        """8.21, 9.63, 10.45: a unit or stack has moved into a hex: batteries within three hexes that see it may fire.

        Not those that have moved in reaction in this activation. An extended unit they see in any of the hexes that it
        has `entered`; where these are not named, in all its hexes.
        """
        mover = movers[0]
        if not self.looked:
            self.looked = True
            for unit in self.battle.units:
                if unit.kind == ARTILLERY:
                    self.batteries.append(unit)
        declared: list[Declared] = []
        for gun in self.batteries:
            if gun.side == mover.side or gun.moved_off:
                continue
            if mover.extended == IN_ONE_HEX and gun.hex.distance_to(mover.hex) > APPROACH_RANGE:
                continue
            if not self.able(gun):
                continue
            part = gun.parts[0]
            places: list[Hex] = []
            for moved in mover.parts:
                place = moved.hex
                if entered is not None and place not in entered:
                    continue
                if gun.hex.distance_to(place) <= APPROACH_RANGE and self.part_bears(part, place, APPROACH):
                    if self.most(part, place, APPROACH) > 0:
                        places.append(place)
            if not places:
                continue
            if gun.sections:
                first = [list(movers) for _ in places]
                declared.extend(self.series.batteries.declare(gun, places, APPROACH, first))
                continue
            target = self.choose_hex(part, mover, places)
            most = self.most(part, target, APPROACH)
            points = self.series.owner(gun).approach_fire(self.series, gun, mover, most)
            if self._agreed(part, target, APPROACH, points, most):
                declared.append(self._declare(part, target, list(movers), APPROACH, points, most))
        self.one_by_one(declared, APPROACH)
