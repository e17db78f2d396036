"""What every chapter of the series rules shares: the way to the battle and to the other chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.rules.commander import CommanderError

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.charts import Charts
    from simkit.model.forces import Unit
    from simkit.rules.options import Options
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class Chapter:
    """One chapter of the series rules; it reaches the others, the dice, the log and the commanders through `series`."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        self.series = series
        self.battle = battle
        self.charts: Charts = battle.charts
        self.options = options

    def index(self, question: str, unit: Unit, answer: i64, least: i64, count: i64) -> i64:
        """An owner's answer, if it is an index into what he was offered; CommanderError if it is not."""
        if answer < least or answer >= count:
            raise CommanderError(
                f"Commander.{question}: answered {answer} for {unit.id}; right would be {least} to {count - 1}"
            )
        return answer
