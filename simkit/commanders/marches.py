"""How the heuristic commander handles units in Extended Column: turns them round, and deploys them near the enemy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.frontage import Frontage
from simkit.model.battlemap import Hex
from simkit.model.forces import EXTENDED_COLUMN, MARCH, Unit
from simkit.model.hexgrid import FRONT, line, zone
from simkit.rules.columnplans import INTO_LINE, ColumnMove

if TYPE_CHECKING:
    from simkit.rules.series import Series

DEPLOYS: Final[i64] = 6  # hexes from the enemy within which a column is given up: a rifle's range and one more


@mypyc_attr(allow_interpreted_subclasses=True)
class Marches(Frontage):
    """What becomes of columns, on the march and when it ends (8.5)."""

    def lead_column(self, series: Series, unit: Unit, goals: list[Hex]) -> None:
        """Turn a column about whose tail is nearer to where it goes, or let it retract or form line near the enemy."""
        if unit.extended != EXTENDED_COLUMN:
            return
        field = self.field(series.battle)
        field.measure()
        if unit.orders == MARCH:
            if self._heads_away(series, unit, goals) and series.columns.may_face_about(unit):
                series.columns.face_about(unit)
        elif field.to_enemy(unit.hex) <= DEPLOYS:
            moves = series.columns.retractions(unit)
            moves.extend(series.columns.lines(unit))
            if moves:
                answer = self.leave_column(series, unit, moves)
                move = moves[series.columns.index("leave_column", unit, answer, 0, len(moves))]
                if move.kind == INTO_LINE:
                    series.columns.form_line(unit, move)
                else:
                    series.columns.retract(unit, move)

    def _heads_away(self, series: Series, unit: Unit, goals: list[Hex]) -> bool:
        """Whether the tail of a column is nearer to the nearest of its goals, or else to the enemy, than its head."""
        tail = unit.parts[len(unit.parts) - 1].hex
        field = self.field(series.battle)
        if not goals:
            return field.to_enemy(tail) < field.to_enemy(unit.hex)
        nearest = goals[0]
        for goal in goals:
            if unit.hex.distance_to(goal) < unit.hex.distance_to(nearest):
                nearest = goal
        return tail.distance_to(nearest) < unit.hex.distance_to(nearest)

    def line_from_column(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """The line that faces the enemy, when he is near and one does."""
        field = self.field(series.battle)
        field.measure()
        if field.to_enemy(unit.hex) > DEPLOYS:
            return -1
        return self._facing_enemy(series, unit, moves)

    def leave_column(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Into a line that faces the enemy, else into the hex that costs least and is not next to him."""
        into_line = self._facing_enemy(series, unit, moves) if self.doctrine.extend > 0 else -1
        if into_line >= 0:
            return into_line
        best: i64 = 0
        for at, move in enumerate(moves):
            if self._better(move, moves[best]):
                best = at
        return best

    def _better(self, move: ColumnMove, known: ColumnMove) -> bool:
        """Whether it is better to retract by one move than by what is known: not next to the enemy, then cheaper."""
        if move.kind == INTO_LINE or known.kind == INTO_LINE:
            return move.kind != INTO_LINE
        if move.near != known.near:
            return known.near
        return move.cost < known.cost

    def _facing_enemy(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Index of the line among moves that has the nearest enemy in its front; -1 if none has."""
        foe: list[Unit] = []
        for enemy in series.battle.units:
            if enemy.side != unit.side and enemy.counts():
                if not foe or enemy.hex.distance_to(unit.hex) < foe[0].hex.distance_to(unit.hex):
                    foe = [enemy]
        if not foe:
            return -1
        exits = line(foe[0].hex.q - unit.hex.q, foe[0].hex.r - unit.hex.r).exits
        for at, move in enumerate(moves):
            for direction in range(6):
                ahead = exits & (1 << direction) != 0 and zone(move.heading, direction) == FRONT
                if ahead and move.kind == INTO_LINE:
                    return at
        return -1
