"""Chapter 12.5 and 12.36: rout, what it does to the neighbours, and batteries whose crews run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.charts import CAUSE_ADJACENT_ROUT, CAUSE_SHOCK
from simkit.model.forces import ARTILLERY, ROUTED, Unit
from simkit.model.log import EVERYTHING
from simkit.rules.effects import CHECK, NEIGHBOUR, ROUT, Effect, Effects
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex


@mypyc_attr(allow_interpreted_subclasses=True)
class Rout(Effects):
    """Who routs, and whom it shakes."""

    def rout_check(self, unit: Unit) -> None:
        """11.58, 12.23, 12.51: put a unit down for one check, failing which it routs, after retreats and others."""
        if self.checks_once and unit in self.rout_checked:
            return
        for waiting in self.pending[CHECK]:
            if waiting.unit is unit:
                return
        self.push(CHECK, [unit], unit.hex, CAUSE_SHOCK, [])

    def rout(self, unit: Unit, why: str) -> None:
        """12.5: a unit routs; guns are abandoned. In a shock step its units' routs wait for one another (12.52)."""
        if not unit.counts():
            return
        if unit.kind == ARTILLERY:
            self.abandon(unit, why)
        elif unit in self.attackers or unit in self.defenders:
            self.push_rout(unit, why)
        else:
            self._rout(unit, why)
        self.settle_unless_open()

    def _rout(self, unit: Unit, why: str) -> None:
        """12.53, 12.54, 12.73: off the map; infantry and cavalry beside it or with it check, once for a chain."""
        place = unit.hex
        places = [part.hex for part in unit.parts]
        chain = self.chain
        if chain == 0:
            self.battle.chain += 1
            chain = self.battle.chain
        unit.ever_routed = True
        self.battle.remove(unit, ROUTED)
        unit.blown = False  # no marker of the map goes along; its brigade may not act again (11.58)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("rout", unit.side, unit.id, place.id, why, "")
        self.neighbours_checked.append(chain * len(self.battle.units) + unit.index)
        if self.options.edition <= GRINGO:
            # its play note wants leaders who are left alone with somebody else before the neighbours check
            for there in places:
                if there.leaders:
                    self.series.retreat.leader_alone(there)
        for there in places:
            self._alarm(unit, there, chain)
            for side in there.sides:
                if side.on_map:
                    self._alarm(unit, side.to, chain)
        for there in places:
            self.left(unit, there)

    def _alarm(self, routed: Unit, place: Hex, chain: i64) -> None:
        for unit in self.battle.units_in(place):
            if unit.side != routed.side or unit.kind == ARTILLERY:
                continue
            mark = chain * len(self.battle.units) + unit.index
            if mark not in self.neighbours_checked:
                self.neighbours_checked.append(mark)
                self.pending[NEIGHBOUR].append(Effect(NEIGHBOUR, [unit], place, CAUSE_ADJACENT_ROUT, chain, []))

    def run_checks(self, effect: Effect) -> None:
        """12.23: fail and rout; in a shock step all who have to check do so before anybody routs (12.52)."""
        checking: list[Effect] = [effect]
        if self.attackers:
            checking.extend(self.pending[CHECK])
            self.pending[CHECK] = []
        for each in checking:
            self.chain = each.chain
            if self.checks_once:
                self.rout_checked.append(each.unit)
            if each.unit.counts() and not self.udd(each.unit, 0, "rout"):
                self.rout(each.unit, "strength lost")

    def run_routs(self, effect: Effect) -> None:
        """12.52: routs of a shock; if they strike both sides, the one unit of the highest cohesion stands."""
        waiting: list[Effect] = [effect]
        waiting.extend(self.pending[ROUT])
        self.pending[ROUT] = []
        routing: list[Unit] = []
        for each in waiting:
            if each.unit.counts() and each.unit not in routing:
                routing.append(each.unit)
        stands = self.both_would_rout(routing)
        for each in waiting:
            if each.unit in routing and each.unit not in stands:
                routing.remove(each.unit)
                self.routed_in_shock.append(each.unit)
                self.chain = each.chain
                self._rout(each.unit, each.why)

    def both_would_rout(self, routing: list[Unit]) -> list[Unit]:
        """12.52: the unit that ignores its rout because both sides would rout (none or one).

        Units that have routed in this shock step count, abandoned guns too, but only one that has not yet routed can
        be spared. Of equals on both sides it is an attacker. Half the Fatigue is taken off the rating.
        """
        if self.spared:
            return []
        everybody = routing + self.routed_in_shock
        attackers_rout = False
        defenders_rout = self.guns_abandoned_in_shock
        best: list[Unit] = []
        equals: list[Unit] = []
        for unit in everybody:
            if unit in self.attackers:
                attackers_rout = True
            else:
                defenders_rout = True
            ahead: i64 = 1 if not best else unit.steadiness() - best[0].steadiness()
            if ahead > 0 or (ahead == 0 and unit in self.attackers and best[0] not in self.attackers):
                best = [unit]
                equals = [unit]
            elif ahead == 0 and (unit in self.attackers) == (best[0] in self.attackers):
                equals.append(unit)
        if not attackers_rout or not defenders_rout or best[0] not in routing:
            return []
        self.spared = True
        waiting = [unit for unit in equals if unit in routing]
        if len(waiting) > 1:
            answer = self.series.owner(waiting[0]).who_stands(self.series, waiting)
            return [waiting[self.index("who_stands", waiting[0], answer, 0, len(waiting))]]
        return best

    def abandon(self, unit: Unit, why: str) -> None:
        """12.36, 11.62, 11.65, 12.8: the crew of a battery leaves its guns."""
        if not unit.counts() or unit.kind != ARTILLERY:
            return
        place = unit.hex
        if unit in self.defenders:
            self.guns_abandoned_in_shock = True
        self.battle.abandon(unit, 1)
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("abandoned", unit.side, unit.id, place.id, why, "")
        self.left(unit, place)
        self.settle_unless_open()
