"""When the heuristic commander digs in, and leaves the works again; his pioneers at fords and bridges (15.1, 18.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import FAR, covered_sides
from simkit.commanders.tempo import Tempo
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, Part, Unit
from simkit.model.hexgrid import heading_towards
from simkit.rules.commander import Works
from simkit.rules.crossings import TURNS_OF_WORK

if TYPE_CHECKING:
    from simkit.model.waters import WaterSide
    from simkit.rules.series import Series

SCREEN: Final[i64] = 2  # hexes before a part at which friends cover it: they are its first line
USERS: Final[i64] = 6  # hexes from a ford within which friends may soon want to cross it: a regiment's move


@mypyc_attr(allow_interpreted_subclasses=True)
class Digging(Tempo):
    """Breastworks for whoever is to hold and is not pressed."""

    def build(self, series: Series, part: Part, works: list[Works]) -> i64:
        """Facing the nearest enemy, where the brigade is to hold and he is neither at hand nor out of all reach.

        Not where works face him already, nor behind friends through whom he would have to come.
        """
        unit = part.unit
        if not series.engineering.in_time() or unit.disordered or self.fragile(unit):
            return -1
        field = self.field(series.battle)
        field.look(unit.command)
        away = field.to_enemy(part.hex)
        if away <= self.doctrine.fire_range + 1 or away > self.doctrine.dig or not self._holds(series, part):
            return -1
        enemy = self._nearest_enemy(series, part)
        wanted = heading_towards(enemy.q - part.hex.q, enemy.r - part.hex.r)
        if covered_sides(part.hex, wanted) > 0 or self._behind_friends(series, part, enemy):
            return -1
        for at, offered in enumerate(works):
            if offered.heading == wanted:
                return at
        return -1

    def _nearest_enemy(self, series: Series, part: Part) -> Hex:
        """Where the enemy nearest to a part stands; its own hex if there is none."""
        enemy = part.hex
        nearest: i64 = FAR + 1
        for other in series.battle.units:
            if other.side != part.unit.side and other.counts() and other.hex.distance_to(part.hex) < nearest:
                nearest = other.hex.distance_to(part.hex)
                enemy = other.hex
        return enemy

    def _behind_friends(self, series: Series, part: Part, enemy: Hex) -> bool:
        """Whether friends on foot stand between a part and the nearest enemy, who would have to come through them."""
        away = part.hex.distance_to(enemy)
        for other in series.battle.units:
            if other is part.unit or other.side != part.unit.side or other.kind == ARTILLERY or not other.counts():
                continue
            ahead = other.hex.distance_to(enemy)
            if ahead + SCREEN <= away and ahead + other.hex.distance_to(part.hex) <= away + 1:
                return True
        return False

    def _holds(self, series: Series, part: Part) -> bool:
        """Whether a unit has nowhere to go: its brigade is outmatched or to hold, or it stands by what is wanted."""
        plan = self.plan(series, part.unit.command)
        if plan.attack or plan.outmatched or plan.holds:
            return not plan.attack
        return any(goal.distance_to(part.hex) <= 1 for goal in plan.goals)

    def keeps_building(self, series: Series, unit: Unit) -> bool:
        """Until the enemy is at hand."""
        return not series.battle.beside_enemy(unit)

    def tear_down(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Those that it has come over, if they face its own side and not the enemy near it."""
        if place is not unit.hex or self.field(series.battle).to_enemy(place) > self.doctrine.dig:
            return False
        enemy = self._nearest_enemy(series, unit.parts[0])
        return covered_sides(place, heading_towards(enemy.q - place.q, enemy.r - place.r)) == 0

    # -- pioneers (18.3 of Dead of Winter) -------------------------------------------------------------------------

    def holds_a_crossing(self, series: Series, unit: Unit) -> bool:
        """Whether pioneers stay where they are: at a bridge that they open in time, or a ford that friends may use.

        Not with the enemy within as many hexes as the doctrine says.
        """
        if self.doctrine.pioneers == 0 or unit.disordered or unit not in series.battle.pioneers:
            return False
        if self.field(series.battle).to_enemy(unit.hex) <= self.doctrine.pioneers:
            return False
        waters = series.battle.waters
        left = len(series.battle.turns) - series.battle.turn
        for bridge in waters.bridges:
            if bridge.closed and series.crossings.works_on(unit, bridge) and bridge.turns + left >= TURNS_OF_WORK:
                return True
        for ford in waters.fords:
            if ford.raised and waters.beside(ford, unit) and self._used(series, unit, ford):
                return True
        return False

    def _used(self, series: Series, unit: Unit, ford: WaterSide) -> bool:
        """Whether a friend who is no pioneer stands near a ford."""
        place = ford.views[0].origin
        for other in series.battle.units:
            friend = other.side == unit.side and other.counts() and other.command is not unit.command
            if friend and other.hex.distance_to(place) <= USERS:
                return True
        return False
