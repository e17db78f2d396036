"""A game: one battle played through the sequence of play (3.0) by two commanders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.battle import (
    EVENT_MARKER,
    PHASE_CHAIN,
    PHASE_COMMANDERS,
    PHASE_DIVISION_ORDERS,
    PHASE_EFFECTIVENESS,
    PHASE_EFFICIENCY,
    PHASE_ENGINEERING,
    PHASE_INITIATIVE,
    PHASE_MARKERS,
    PHASE_RECOVERY,
    PHASE_REINFORCEMENTS,
    PHASE_RESERVE,
    PHASE_SETUP,
)
from simkit.model.charts import ONE_MP
from simkit.model.forces import SIDES
from simkit.model.log import EVERYTHING, BattleLog
from simkit.play.victory import DRAW, Outcome, check_kind, judge

if TYPE_CHECKING:
    from simkit.model.battle import Battle, Marker
    from simkit.rules.commander import Commander
    from simkit.rules.dice import Dice
    from simkit.rules.series import Series

LONG_RIDE: Final[i64] = 10 * ONE_MP  # beyond it a commander's abilities suffer in the next turn (4.17, 9.32)


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Somebody who looks on: audits, pictures, tests. He must change nothing."""

    def deployed(self, game: Game) -> None:
        """Both sides have deployed; play begins."""

    def after_activation(self, game: Game) -> None:
        """A brigade activation is complete; `game.series.activation.current` lists its brigades."""

    def after_turn(self, game: Game) -> None:
        """A turn is complete."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """One battle that is played, run after run, by the same two commanders.

    Args:
        battle: the battle, as its scenario builds it.
        series: its rules, with the scenario's own in `series.scenario`.
        dice: whoever throws the dice.
        commanders: Union first.

    Raises:
        ValueError: the scenario's rules are incomplete or contradict each other.
    """

    def __init__(self, battle: Battle, series: Series, dice: Dice, commanders: list[Commander]) -> None:
        if len(commanders) != 2:
            raise ValueError(f"a game needs 2 commanders, Union first; there are {len(commanders)}")
        self.battle = battle
        self.series = series
        self.dice = dice
        self.commanders = commanders
        self.log = BattleLog()
        self.outcome = Outcome(DRAW, "", None)
        self.observers: list[Observer] = []
        for side, commander in enumerate(commanders):
            commander.side = side
        series.equip(dice, self.log, commanders)
        series.scenario.check(battle)
        check_kind(series.scenario.victory)

    def watch(self, observer: Observer) -> None:
        """Let somebody look on."""
        self.observers.append(observer)

    def play(self, run: i64) -> None:
        """Play a run from the set-up to the end; `outcome` then says how it ended.

        Args:
            run: its number, from which the dice follow.
        """
        self.begin(run)
        self._play_turns(0)
        self.finish()

    def resume(self, run: i64) -> None:
        """Play a run on to its end from a state that was restored: one between two brigade activations of a turn.

        Args:
            run: its number, from which the dice follow; another one than before plays the rest with other dice.
        """
        self._prepare(run)
        self.log.turn = self.battle.turn
        self.log.activation = self.battle.activation
        self._complete_marker()
        self._draw_markers()
        self._complete_turn()
        self._play_turns(self.battle.turn + 1)
        self.finish()

    def _play_turns(self, first: i64) -> None:
        for turn in range(first, len(self.battle.turns)):
            self.battle.turn = turn
            self.turn()

    # -- the parts of a game ---------------------------------------------------------------------------------------

    def begin(self, run: i64) -> None:
        """3.0: set the battle up for a run, and let both owners deploy what the scenario leaves to them."""
        self.battle.reset()
        self._prepare(run)
        self._enter(PHASE_SETUP)
        self.series.setting_up.late_groups()
        for side in range(2):
            self.series.orders.open_deployment(side)
            self.commanders[side].deploy(self.series, side)
            self.series.orders.close()
        self.series.surprise.begin()
        for observer in self.observers:
            observer.deployed(self)

    def _prepare(self, run: i64) -> None:
        self.log.clear()
        self.dice.begin(run)
        self.series.equip(self.dice, self.log, self.commanders)
        self.series.results.clear()
        self.series.fire.clear()
        self.series.reaction.clear()

    def turn(self) -> None:
        """3.0: one turn in its segments and phases."""
        self.log.turn = self.battle.turn
        if self.log.level >= EVERYTHING:
            self.log.note("turn", -1, "", "", "", self.battle.turns[self.battle.turn].label)
        self.series.departures.begin_turn()
        self.series.activation.begin_turn()
        self.series.surprise.begin_turn()
        self._enter(PHASE_INITIATIVE)
        self.series.activation.determine_initiative()
        self.orders_segment()
        self.activation_segment()
        self._complete_turn()

    def _complete_turn(self) -> None:
        self.end_of_turn_segment()
        for observer in self.observers:
            observer.after_turn(self)

    def orders_segment(self) -> None:
        """3.0 II, 5.13, 5.41: chain of command, efficiency, division and reinforcement orders, building."""
        self._enter(PHASE_CHAIN)
        self.series.command.determine()
        self._enter(PHASE_EFFICIENCY)
        self.series.activation.determine_efficiency()
        self.series.activation.transfer_phase()
        self._enter(PHASE_DIVISION_ORDERS)
        first = self.series.activation.first_side()
        for side in (first, 1 - first):
            commands = self.series.orders.open_division_orders(side)
            self.series.command.end_arrangements(side)
            if commands:
                self.commanders[side].division_orders(self.series, list(commands))
            self.series.orders.close()
            self.series.activation.attach(side)
        self._enter(PHASE_REINFORCEMENTS)
        for side in (first, 1 - first):
            self.series.reinforcements.give_orders(side)
        self._enter(PHASE_RESERVE)
        for side in (first, 1 - first):
            self.series.reserve.phase(side)
        self._enter(PHASE_ENGINEERING)
        for side in (first, 1 - first):
            self.series.engineering.phase(side)

    def activation_segment(self) -> None:
        """3.0 III, 5.5: markers are drawn and their commands act until none is left."""
        self._enter(PHASE_MARKERS)
        self.series.activation.fill_pool()
        self.battle.course.picks = self.series.scenario.first_markers if self.battle.turn == 0 else 1
        self._draw_markers()

    def _draw_markers(self) -> None:
        self._enter(PHASE_MARKERS)
        marker = self.series.activation.next_marker()
        while marker is not None:
            self.activate(marker)
            self._enter(PHASE_MARKERS)
            marker = self.series.activation.next_marker()

    def activate(self, marker: Marker) -> None:
        """5.31, 5.32: all that a marker sets in motion, brigade after brigade; or the event that it brings."""
        if marker.kind == EVENT_MARKER:
            self.series.events.drawn(marker)
            return
        self.series.activation.open(marker)
        self._complete_marker()

    def _complete_marker(self) -> None:
        while self.series.activation.step():
            for observer in self.observers:
                observer.after_activation(self)

    def end_of_turn_segment(self) -> None:
        """3.0 IV: commanders move, leaders are replaced, units recover, works are done, effectiveness is checked."""
        self._enter(PHASE_COMMANDERS)
        first = self.series.activation.first_side()
        for side in (first, 1 - first):
            self.move_commanders(side)
        self._enter(PHASE_RECOVERY)
        self.series.results.replace_leaders()
        self.series.effectiveness.automatic_rally()  # not for who leaves reserve below (13.45)
        for side in (first, 1 - first):
            self.series.reserve.recover(side)
        for side in (first, 1 - first):
            self.series.reserve.release(side)
        self.series.results.guns_in_recovery()
        self.series.engineering.complete()
        self.series.crossings.complete()
        self._enter(PHASE_EFFECTIVENESS)
        self.series.effectiveness.check_commands()

    def move_commanders(self, side: i64) -> None:
        """3.0 IV/A, 4.17, 9.32: a side's corps and army commanders may move; a long ride costs them the next turn."""
        for leader in self.battle.leaders:
            if leader.side == side and leader.is_commander():
                leader.moved = False
                leader.spent = 0
        self.commanders[side].end_of_turn(self.series, side)
        for leader in self.battle.leaders:
            if leader.side == side and leader.is_commander():
                leader.far_moved = leader.spent > LONG_RIDE

    def finish(self) -> None:
        """Judge the battle at its end."""
        self.outcome = judge(self.battle, self.series.scenario.victory, self.series.scenario.conditions)
        if self.log.level >= EVERYTHING:
            winner = SIDES[self.outcome.winner] if self.outcome.winner >= 0 else "nobody"
            self.log.note("end", self.outcome.winner, "", "", self.outcome.level, winner)

    def _enter(self, phase: i64) -> None:
        self.battle.phase = phase
        self.log.phase = phase
