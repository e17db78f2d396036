"""Rules 10.43 and 11.38: the fire of those who are to be shocked, before the shock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.firebook import NORMAL_FRONT, REFUSED_FRONT
from simkit.model.forces import ARTILLERY, EXTENDED_LINE, Part, Unit
from simkit.model.formation import frontal
from simkit.rules.commander import CommanderError
from simkit.rules.declaredfire import Declared
from simkit.rules.firemodifiers import PRE_SHOCK
from simkit.rules.nonphasing import NonPhasingFire

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.rules.series import Series
    from simkit.rules.shockinprogress import ShockInProgress


@mypyc_attr(allow_interpreted_subclasses=True)
class PreShockFire(NonPhasingFire):
    """Fire at shock attackers: all of it is declared, then made one by one, and can be left between two of them."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.before_shock: list[Declared] = []  # fires before shock in their order, until all are done (11.38)

    def declare_before_shock(self, shocks: list[ShockInProgress]) -> None:
        """10.43, 11.38: all who may fire at shock attackers declare; each fire is then to be made in turn."""
        self.before_shock = []
        if not shocks:
            return
        declared: list[Declared] = []
        met = any(shock.countercharged for shock in shocks)
        for unit in self.battle.units:
            if unit.side == shocks[0].side or not self.able(unit) or self._driven_off(unit, shocks):
                continue
            if met and self._rides_out(unit):
                continue
            taken: list[Hex] = []  # at which parts of a unit have split their fire (8.45)
            for part in unit.parts:
                if not self.battle.enemy_near(part.hex, unit.side):
                    continue
                places = self.pre_shock_targets(part, shocks)
                if unit.sections:
                    first = [self._attackers_in(place, shocks) for place in places]
                    declared.extend(self.series.batteries.declare(unit, places, PRE_SHOCK, first))
                    continue
                for front in (NORMAL_FRONT, REFUSED_FRONT):
                    facing = [
                        place for place in places if self.front_to(part, place) == front and place not in taken
                    ]
                    if facing and self.most_through(part, PRE_SHOCK, front) > 0:
                        self._declare_pre_shock(part, facing, front, shocks, declared, taken)
        self.before_shock = self._in_order(self.combined(declared, False))

    def next_before_shock(self) -> bool:
        """11.38: roll and apply the next of the fires before shock that are declared; False if all are done."""
        for each in self.before_shock:
            if not each.applied:
                self._fire_declared(self.before_shock, each, PRE_SHOCK)
                each.applied = True
                return True
        self.before_shock = []
        return False

    def numbers(self) -> list[int]:
        """11.38: what bears on the fires before shock that are left: these, and rolls not yet paid in ammunition."""
        kept: list[int] = []
        coming = [each for each in self.before_shock if not each.applied]
        for each in self.before_shock:
            if not each.applied:
                kept.append(-11)
                kept.extend(each.numbers())
                continue
            # one's own last fire settles one's ammunition; guns may wait for one another (10.65)
            guns = each.unit.kind == ARTILLERY
            if any(other.unit is each.unit or (guns and other.unit.kind == ARTILLERY) for other in coming):
                kept.append(-10)
                kept.extend([int(shot.roll) for shot in each.shots])
        return kept

    def keep(self) -> list[Declared]:
        """The fires before shock that are declared, to go back to between two of them."""
        return [each.kept() for each in self.before_shock]

    def take(self, kept: list[Declared]) -> None:
        """Hold again what `keep` gave; the battle has to be as it was then."""
        self.before_shock = [each.resumed() for each in kept]

    def _in_order(self, declared: list[Declared]) -> list[Declared]:
        """11.11, 11.38: fires before shock in the order in which their owner wants his units to fire."""
        waiting: list[Unit] = []
        for each in declared:
            if each.unit not in waiting:
                waiting.append(each.unit)
        if len(waiting) < 2:
            return declared
        ordered: list[Declared] = []
        while waiting:
            chosen: i64 = 0
            if len(waiting) > 1:
                answer = self.series.owner(waiting[0]).next_to_fire(self.series, waiting)
                chosen = self.index("next_to_fire", waiting[0], answer, 0, len(waiting))
            unit = waiting.pop(chosen)
            ordered.extend([each for each in declared if each.unit is unit])
        return ordered

    def _driven_off(self, unit: Unit, shocks: list[ShockInProgress]) -> bool:
        """11.35: whether it was a target of one of these shocks and has left its hex."""
        return any(unit in shock.defenders and not self._attacked(unit, shock) for shock in shocks)

    def _rides_out(self, unit: Unit) -> bool:
        """11.56: whether it stands in a stack that countercharges, which does not fire before the shock."""
        return any(mate.countercharging for mate in self.battle.units_in(unit.hex))

    def _attacked(self, unit: Unit, shock: ShockInProgress) -> bool:
        """8.46: whether a shock is made on a unit: on any of its hexes."""
        return any(shock.attacks(part.hex) for part in unit.parts)

    def pre_shock_targets(self, part: Part, shocks: list[ShockInProgress]) -> list[Hex]:
        """10.43: attackers' hexes in its front: of its own attackers, of others' if it is in no other enemy's front."""
        places: list[Hex] = []
        for side in frontal(part):
            place = side.to
            if not self._attackers_in(place, shocks):
                continue
            own = False
            for shock in shocks:
                # against a continued shock the targets too must be in no other enemy's front
                if shock.continued == 0 and self._attacked(part.unit, shock) and place in shock.places():
                    own = True
            if (own or not self.in_other_front(part, place)) and self.part_bears(part, place, PRE_SHOCK):
                places.append(place)
        return places

    def _attackers_in(self, place: Hex, shocks: list[ShockInProgress]) -> list[Unit]:
        """The shocking units in a hex, top first."""
        found: list[Unit] = []
        for unit in self.battle.units_in(place):
            for shock in shocks:
                if unit not in found and unit in shock.units():
                    found.append(unit)
        return found

    def _declare_pre_shock(
        self, part: Part, places: list[Hex], front: i64, shocks: list[ShockInProgress], declared: list[Declared],
        taken: list[Hex],
    ) -> None:
        """10.43, 10.15, 7.34: at one attackers' hex, or split as evenly as can be between two.

        Not so where another part of its unit fires already: parts of a line fire at one hex together (8.45).
        """
        unit = part.unit
        most = self.most_through(part, PRE_SHOCK, front)
        free = len(places) == 2 and most > 1
        for other in declared:
            if other.unit is unit and other.part is not part and other.target in places:
                free = False
        owner = self.series.owner(unit)
        if unit.extended == EXTENDED_LINE:
            chosen = owner.part_pre_shock_fire(self.series, part, places)
        else:
            chosen = owner.pre_shock_fire(self.series, unit, places)
        if chosen == -1:
            return
        if free and 2 <= chosen <= 3:
            larger = most - most // 2 if chosen == 2 else most // 2
            self.use(part, places[0], PRE_SHOCK, most, most)
            for at, points in enumerate((larger, most - larger)):
                rapid = self._rapidly(unit, places[at], PRE_SHOCK)
                declared.append(Declared(part, places[at], self._attackers_in(places[at], shocks), points, rapid))
                taken.append(places[at])
            return
        if chosen < 0 or chosen >= len(places):
            right = f"-1 to {len(places) - 1}{', or 2 or 3 to split' if free else ''}"
            raise CommanderError(f"Commander.pre_shock_fire: answered {chosen} for {unit.id}; right would be {right}")
        place = places[chosen]
        declared.append(self._declare(part, place, self._attackers_in(place, shocks), PRE_SHOCK, most, most))

