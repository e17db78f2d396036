"""The series rules as one object: a chapter each, and what they share while a battle is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.log import BattleLog
from simkit.rules.activation import Activation
from simkit.rules.artillery import ArtilleryCommands
from simkit.rules.batteries import Batteries
from simkit.rules.blown import Blown
from simkit.rules.charge import Charge
from simkit.rules.combatresults import CombatResults
from simkit.rules.command import ChainOfCommand
from simkit.rules.crossings import Crossings
from simkit.rules.departures import Departures
from simkit.rules.dice import Dice
from simkit.rules.effectiveness import Effectiveness
from simkit.rules.engineering import Engineering
from simkit.rules.extendedcolumns import ExtendedColumns
from simkit.rules.extendedlines import ExtendedLines
from simkit.rules.facing import Facing
from simkit.rules.fatigue import Fatigue
from simkit.rules.fire import Fire
from simkit.rules.mounting import Mounting
from simkit.rules.night import Night
from simkit.rules.orders import OrdersSystem
from simkit.rules.randomevents import RandomEvents
from simkit.rules.reaction import Reaction
from simkit.rules.refusal import Refusal
from simkit.rules.reinforcements import Reinforcements
from simkit.rules.reserve import Reserve
from simkit.rules.retreat import Retreat
from simkit.rules.riveradvance import RiverAdvance
from simkit.rules.scenario_rules import ScenarioRules
from simkit.rules.settingup import SettingUp
from simkit.rules.shock import Shock
from simkit.rules.sight import Sight
from simkit.rules.stacking import Stacking
from simkit.rules.stackmovement import StackMovement
from simkit.rules.surprise import SurpriseAtDawn

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.forces import Unit
    from simkit.rules.commander import Commander
    from simkit.rules.options import Options


@mypyc_attr(allow_interpreted_subclasses=True)
class Series:
    """The rules of one battle; a book with rules of its own is a subclass that puts its own chapter in place."""

    def __init__(self, battle: Battle, options: Options) -> None:
        self.battle = battle
        self.options = options
        self.dice: Dice = Dice()
        self.log: BattleLog = BattleLog()
        self.commanders: list[Commander] = []  # by side
        self.scenario = ScenarioRules()
        self.night = Night(self, battle, options)
        self.command = ChainOfCommand(self, battle, options)
        self.artillery = ArtilleryCommands(self, battle, options)
        self.activation = Activation(self, battle, options)
        self.orders = OrdersSystem(self, battle, options)
        self.facing = Facing(self, battle, options)
        self.refusal = Refusal(self, battle, options)
        self.stacking = Stacking(self, battle, options)
        self.movement = StackMovement(self, battle, options)
        self.lines = ExtendedLines(self, battle, options)
        self.columns = ExtendedColumns(self, battle, options)
        self.mounting = Mounting(self, battle, options)
        self.reaction = Reaction(self, battle, options)
        self.reinforcements = Reinforcements(self, battle, options)
        self.sight = Sight(self, battle, options)
        self.fire = Fire(self, battle, options)
        self.batteries = Batteries(self, battle, options)
        self.shock = Shock(self, battle, options)
        self.charge = Charge(self, battle, options)
        self.results = CombatResults(self, battle, options)
        self.blown = Blown(self, battle, options)
        self.retreat = Retreat(self, battle, options)
        self.effectiveness = Effectiveness(self, battle, options)
        self.engineering = Engineering(self, battle, options)
        self.crossings = Crossings(self, battle, options)
        self.fatigue = Fatigue(self, battle, options)
        self.reserve = Reserve(self, battle, options)
        self.events = RandomEvents(self, battle, options)
        self.setting_up = SettingUp(self, battle, options)
        self.departures = Departures(self, battle, options)
        self.advance = RiverAdvance(self, battle, options)
        self.surprise = SurpriseAtDawn(self, battle, options)

    def equip(self, dice: Dice, log: BattleLog, commanders: list[Commander]) -> None:
        """Hand over the dice, the log and the two commanders (Union first) before play."""
        self.dice = dice
        self.log = log
        self.commanders = commanders

    def commander(self, side: i64) -> Commander:
        """Whoever decides for a side."""
        return self.commanders[side]

    def owner(self, unit: Unit) -> Commander:
        """Whoever decides for a unit."""
        return self.commanders[unit.side]
