"""The one place where a spec becomes a battle that can be played."""

from simkit.batch.guard import commander_for, described, told
from simkit.batch.rows import Rows
from simkit.batch.spec import BattleSpec
from simkit.errors import InputError
from simkit.model.forces import SIDES
from simkit.model.log import COMBATS, NOTHING
from simkit.play.audit import audit
from simkit.play.game import Game
from simkit.rules.commander import CommanderError
from simkit.rules.dice import KeyedDice
from simkit.scenario import Built, Overlay, build, load
from simkit.scenario.answers import ListedCommander, RecordingCommander
from simkit.uncollected import uncollected


class Battlefield:
    """A battle with its game, ready to be played run after run.

    Args:
        spec: which battle it is.
        built: the battle as built; battlefields that share one must not be played at the same time.
        level: how much its log keeps (NOTHING, COMBATS or EVERYTHING).
        record: whether to keep what its commanders answer; `commanders` are then RecordingCommanders.

    Raises:
        InputError: a commander is wrong.
    """

    def __init__(self, spec: BattleSpec, built: Built, level: int, *, record: bool = False) -> None:
        self.spec = spec
        self.built = built
        commanders = [
            commander_for(who, side, built, spec.home) for who, side in zip(spec.commanders, SIDES, strict=True)
        ]
        own = [
            who for who, made in zip(spec.commanders, commanders, strict=True)
            if not isinstance(who, str) or ":" in who or isinstance(made, ListedCommander)
        ]
        self.own = " or ".join(map(described, own))
        if record:
            commanders = [RecordingCommander(made) for made in commanders]
        self.commanders = commanders
        self.game = Game(built.battle, built.series, KeyedDice(*spec.key), commanders)
        self.game.log.level = level

    @property
    def title(self) -> str:
        """The scenario's name."""
        return self.built.scenario.scenario.name

    def play(self, run: int) -> None:
        """Play one run from the set-up to its end.

        Args:
            run: the number of the run, from 0.

        Raises:
            InputError: a user's own commander fails.
        """
        try:
            self.game.play(run)
        except CommanderError as error:
            if not self.own:
                raise
            raise InputError(f"commander {self.own}: {error} (run {run})") from error
        except InputError:
            raise
        except Exception as error:
            if self.own:
                raise InputError(
                    f"commander {self.own}: the battle breaks off ({told(error)}, run {run}); a commander acts by the "
                    "methods of the series, and changes no state of the battle itself"
                ) from error
            error.add_note(f"in run {run} of variant {self.spec.variant}")
            raise
        if self.own and (faults := audit(self.built.battle)):
            raise InputError(
                f"commander {self.own}: leaves the battle in a state that the rules forbid ({faults[0]}, run {run}); a "
                "commander acts by the methods of the series, and changes no state of the battle itself"
            )

    def rows(self, member: int = -1) -> Rows:
        """An empty chunk of rows, to which a run is added after it has been played.

        Args:
            member: the set of the ensemble that the battle was built with, -1 if none.
        """
        return Rows(self.spec.variant, self.built.battle, self.game.log, self.spec.combats, member)


def open_battlefield(spec: BattleSpec, level: int | None = None, *, record: bool = False) -> Battlefield:
    """Build the battle of a spec; its log keeps combats if the spec records them, unless `level` says otherwise.

    Raises:
        InputError: the scenario, an option, a commander or a change of data is wrong.
    """
    with uncollected():  # a third of the time would go to the collector, which finds nothing
        built = build(load(spec.scenario), spec.options, Overlay(spec.changes, spec.numbers))
    if level is None:
        level = COMBATS if spec.combats else NOTHING
    return Battlefield(spec, built, level, record=record)
