"""How the heuristic commander uses frontage: it extends lines, moves them, and refuses flanks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.manoeuvre import Manoeuvre
from simkit.model.battlemap import Hex
from simkit.model.forces import (
    ARTILLERY,
    EXTENDED_LINE,
    MARCH,
    REFUSED_LEFT,
    REFUSED_RIGHT,
    Unit,
)
from simkit.model.formation import left_flank, right_flank
from simkit.model.hexgrid import FLANK
from simkit.rules.linemoves import LineMove
from simkit.rules.stacking import FIRE_FOOT

if TYPE_CHECKING:
    from simkit.rules.series import Series

DEPLOY: Final[i64] = 5  # hexes from the enemy within which lines are formed: out of his reach in one activation
THREAT: Final[i64] = 3  # hexes within which an enemy threatens a flank: he can be on it in his next activation


@mypyc_attr(allow_interpreted_subclasses=True)
class Frontage(Manoeuvre):
    """Manoeuvres of lines: how wide they are, where they go, and how their flanks stand."""

    # -- extending (8.41, 8.43) ------------------------------------------------------------------------------------

    def widen(self, series: Series, unit: Unit) -> bool:
        """Extend a unit where that closes a gap in the line or lets more of it fire; False if it stays as it is.

        Only with the enemy near enough to matter, and not yet so near that he interferes.
        """
        if self.doctrine.extend == 0 or unit.disordered or not series.lines.may_extend(unit):
            return False
        away = self.field(series.battle).to_enemy(unit.hex)
        if away < 2 or away > DEPLOY:
            return False
        best: list[LineMove] = []
        best_worth: i64 = 0
        for move in series.lines.extensions(unit):
            worth = self._width_worth(series, unit, move)
            if not move.by_exception and worth > best_worth:
                best = [move]
                best_worth = worth
        if not best:
            return False
        series.lines.extend(unit, best[0])
        return True

    def _width_worth(self, series: Series, unit: Unit, move: LineMove) -> i64:
        """What an extension is worth: gaps that it closes and points that come to fire, less the worse ground."""
        hexes: i64 = len(move.places)
        before = min(unit.strength, FIRE_FOOT * len(unit.parts))
        after: i64 = hexes * min((unit.strength + hexes - 1) // hexes, FIRE_FOOT)
        worth = self.doctrine.extend * (min(after, unit.strength) - before) // 2 - self.doctrine.line
        at: i64 = len(unit.parts)
        while at < hexes:
            place = move.places[at]
            worth += self.doctrine.cover * (unit.hex.terrain.fire_drm - place.terrain.fire_drm)
            if self._joins_friends(series, unit, place):
                worth += self.doctrine.extend
            at += 1
        return worth

    def _joins_friends(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Whether a hex on a unit's flank lies beside friends on its far side, who face as it does."""
        for direction in (left_flank(unit.heading), right_flank(unit.heading)):
            beyond = place.sides[direction].to
            if unit.stands_in(beyond):
                continue
            other = series.battle.top_unit(beyond)
            if other is not None and other.side == unit.side and other.heading == unit.heading:
                return True
        return False

    # -- lines on the move (8.44, 9.54) ----------------------------------------------------------------------------

    def move_line(self, series: Series, unit: Unit, attack: bool) -> bool:
        """Let a line step or pivot as long as that gains; it retracts where that leads no farther."""
        moved = False
        going = True
        while going and unit.counts() and unit.extended == EXTENDED_LINE and not unit.finished:
            move = self._best_line_move(series, unit, attack)
            if not move:
                break
            going = series.lines.line_move(unit, move[0], self.riders(series, unit))
            moved = True
        far = self.doctrine.fire_range + 1 if attack else DEPLOY + 1
        if not moved and unit.extended == EXTENDED_LINE and self.field(series.battle).to_enemy(unit.hex) > far:
            for move_in in series.lines.retractions(unit):
                if len(move_in.places) == 1 and not move_in.by_exception:
                    series.lines.retract(unit, move_in)
                    return True
        return moved

    def _best_line_move(self, series: Series, unit: Unit, attack: bool) -> list[LineMove]:
        """The manoeuvre that leaves the line better placed than it stands; none if it stands well."""
        best: list[LineMove] = []
        best_worth = self._line_worth(series, unit, [part.hex for part in unit.parts], unit.heading) + 1
        for move in series.lines.line_moves(unit):
            if move.by_exception or (move.near and not attack):
                continue
            worth = self._line_worth(series, unit, move.places, move.heading)
            if move.near and not self._good_charge(series, unit, move):
                continue
            if worth > best_worth:
                best = [move]
                best_worth = worth
        return best

    def _line_worth(self, series: Series, unit: Unit, places: list[Hex], heading: i64) -> i64:
        """What a place is worth to a line: the mean of what its hexes are."""
        field = self.field(series.battle)
        total: i64 = 0
        for place in places:
            total += field.place_worth(place)
            total += field.pose_worth(unit, place.nodes[heading])
        return total // len(places)

    def _good_charge(self, series: Series, unit: Unit, move: LineMove) -> bool:
        """Whether all that a line would meet could be shocked with a good chance."""
        field = self.field(series.battle)
        met: list[Hex] = []
        for place in move.places:
            for side in place.nodes[move.heading].ahead:
                if side.to not in met and series.battle.held_by(side.to) == 1 - unit.side:
                    met.append(side.to)
        if not met:
            return False
        others: i64 = 0
        for place in met:
            others += field.defence(place)
        worst: i64 = 1000
        for place in move.places:
            for side in place.nodes[move.heading].ahead:
                if side.to in met:
                    rest = others - field.defence(side.to)
                    worst = min(worst, field.charge_chance(unit, place.nodes[move.heading], side.to, rest))
        return worst >= self.doctrine.charge_chance

    def withdraw(self, series: Series, unit: Unit) -> bool:
        """Withdraw a unit; a line goes back as one where it can (9.54)."""
        if unit.extended != EXTENDED_LINE:
            return super().withdraw(series, unit)
        moves = series.lines.withdrawals(unit)
        best = self.best_shelter(series, unit, [move.places[len(move.places) - 1] for move in moves])
        if best < 0:
            return False
        series.lines.withdraw(unit, moves[best], self.riders(series, unit))
        return True

    # -- flanks (7.3) ----------------------------------------------------------------------------------------------

    def threatened_flank(self, series: Series, unit: Unit) -> i64:
        """The flank on which an enemy stands within reach that the unit does not face: REFUSED_LEFT or _RIGHT, or 0."""
        nearest = THREAT + 1
        found: i64 = 0
        if self.field(series.battle).to_enemy(unit.hex) > THREAT or unit.orders == MARCH:
            return 0
        for enemy in series.battle.units:
            if enemy.side == unit.side or enemy.kind == ARTILLERY or not enemy.counts() or enemy.orders == MARCH:
                continue
            for part in unit.parts:
                away = part.hex.distance_to(enemy.hex)
                if away < nearest and series.facing.zone_from(part, enemy.hex) == FLANK:
                    left = part.hex.sides[left_flank(unit.heading)].to.distance_to(enemy.hex)
                    right = part.hex.sides[right_flank(unit.heading)].to.distance_to(enemy.hex)
                    found = REFUSED_LEFT if left < right else REFUSED_RIGHT
                    nearest = away
        return found

    def guard_flank(self, series: Series, unit: Unit) -> bool:
        """Refuse a threatened flank where the rules allow it; False if it stays as it is."""
        if unit.kind == ARTILLERY or not unit.counts() or self.doctrine.own_flank == 0:
            return False
        side = self.threatened_flank(series, unit)
        if side != 0 and series.refusal.may_refuse(unit, side):
            series.refusal.refuse(unit, side)
            return True
        return False

    def straighten(self, series: Series, unit: Unit) -> bool:
        """Bring a refused flank forward again when no enemy is within reach of the unit; False if it stays bent."""
        if unit.refused == 0 or self.field(series.battle).to_enemy(unit.hex) <= THREAT:
            return False
        if not series.refusal.may_unrefuse(unit):
            return False
        series.refusal.unrefuse(unit)
        return True
