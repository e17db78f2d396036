"""Rule 11.56: defending cavalry that meets a charge with a charge of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

from simkit.model.forces import ADVANCE, ATTACK, Unit
from simkit.model.hexgrid import FRONT
from simkit.model.log import EVERYTHING, Event
from simkit.rules.chargepath import ChargePath
from simkit.rules.firemodifiers import RETURN, WITHDRAWAL
from simkit.rules.options import DEAD_OF_WINTER

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.rules.shockinprogress import ShockInProgress


@mypyc_attr(allow_interpreted_subclasses=True)
class Countercharge(ChargePath):
    """The countercharge in place of the check before shock."""

    def countercharge(self, target: Hex, shocks: list[ShockInProgress]) -> bool:
        """11.56, 11.37: let the cavalry of a target hex countercharge if it may; whether it does.

        Under Attack Orders it needs no check; under Advance Orders a failed one leaves it to the check before shock.
        """
        stack = self.battle.units_in(target)
        cavalry = [unit for unit in stack if unit.is_mounted()]
        if not cavalry:
            return False
        met = [shock for shock in shocks if self.may_countercharge(cavalry, target, shock)]
        if not met or self.struck_beside(target, shocks):
            return False
        attackers: list[Unit] = []
        for shock in met:
            attackers.extend(shock.units())
        top = cavalry[0]
        if not self.series.owner(top).countercharge(self.series, cavalry, attackers):
            return False
        if top.orders != ATTACK or top.blown:
            checking = top if self.options.edition == DEAD_OF_WINTER else stack[0]
            if not self.series.results.udd(checking, 0, "countercharge"):
                self._tell("countercharge", top, target, "failed")
                return False
        for unit in cavalry:
            unit.countercharging = True
        for shock in met:
            shock.countercharged = True
        self._tell("countercharge", top, target, "passed")
        return True

    def may_countercharge(self, cavalry: list[Unit], target: Hex, shock: ShockInProgress) -> bool:
        """11.56, 16.12: whether cavalry of a hex may countercharge a shock that charges, from ground that allows it.

        Not under March Orders, nor once any of it has used return or withdrawal fire in this activation; nor at night.
        """
        if shock.continued > 0 or not shock.attackers or not all(attacker.charging for attacker in shock.attackers):
            return False
        if self.series.night.no_charge():
            return False
        for unit in cavalry:
            if unit.orders < ADVANCE:
                return False
            if self.series.fire.answered(unit, RETURN) or self.series.fire.answered(unit, WITHDRAWAL):
                return False
        for attacker in shock.attackers:
            for place in attacker.strikes(target):
                side = target.sides[target.direction_to(place)]
                if not self.level_ground(cavalry[0], side):
                    return False
        return True

    def struck_beside(self, target: Hex, shocks: list[ShockInProgress]) -> bool:
        """11.56: whether any of the shocks against a hex comes through its flank or rear."""
        for shock in shocks:
            for attacker in shock.attackers:
                for place in attacker.strikes(target):
                    if self.series.shock.attacked_through(target, place) != FRONT:
                        return True
        return False

    def _tell(self, kind: str, unit: Unit, place: Hex, result: str, target: str = "") -> None:
        if self.series.log.level >= EVERYTHING:
            event = Event(kind)
            event.side = unit.side
            event.unit = unit.id
            event.hex = place.id
            event.result = result
            event.target_hex = target
            self.series.log.add(event)
