"""The charts of a battle: its tables, weapons, terrain and modifiers, with where each value comes from.

All objects are immutable after construction and shared between battles. The names of the chart modules stand here too.
"""

from mypy_extensions import i64

from simkit.model.modifiers import (
    CommandModifiers,
    FireModifiers,
    PreShockModifiers,
    ShockModifiers,
)
from simkit.model.tables import (
    AGGRESSIVE,
    ALL_BRIGADES,
    CAUSE_ADJACENT_ROUT,
    CAUSE_FIRE,
    CAUSE_FRIENDLY_FIRE,
    CAUSE_POST_SHOCK,
    CAUSE_PRE_SHOCK_CHECK,
    CAUSE_REACTION_FACING,
    CAUSE_REACTION_MOVE,
    CAUSE_RETREAT_BEFORE_SHOCK,
    CAUSE_RETREAT_THROUGH,
    CAUSE_SHOCK,
    CAUSE_TERRAIN,
    CAUSES,
    CAUTIOUS,
    CHANGE,
    CHANGE_AND_STAND,
    CONFUSION,
    EFFECT_ABANDONED,
    EFFECT_BLOWN,
    EFFECT_LOSS,
    EFFECT_LOSS_AND_RETREAT,
    EFFECT_NONE,
    EFFECT_ROUT_CHECK,
    EFFECT_STOP,
    FAIL,
    LOOSE_CANNON,
    NORMAL,
    RETAIN,
    RETAIN_AND_STAND,
    THREE_BRIGADES,
    TWO_BRIGADES,
    UNRELIABLE,
    FireResult,
    FireTable,
    OutcomeTable,
    RatioColumn,
    SecondDisorder,
    ShockRatio,
    ShockResult,
    ShockTable,
    SideResult,
    Weapon,
)
from simkit.model.terrain import (
    AUTOMATIC,
    FOOT,
    GUNS,
    HEXSIDE_FREE,
    HEXSIDE_FULL,
    HEXSIDE_HALVED,
    HORSE,
    LEADER,
    NO_DISORDER,
    ONE_MP,
    PROHIBITED,
    UDD,
    ByClass,
    Ground,
    HexsideTerrain,
    Terrain,
    Thoroughfare,
    WaterState,
)

__all__ = [
    "AGGRESSIVE",
    "ALL_BRIGADES",
    "AUTOMATIC",
    "CAUSES",
    "CAUSE_ADJACENT_ROUT",
    "CAUSE_FIRE",
    "CAUSE_FRIENDLY_FIRE",
    "CAUSE_POST_SHOCK",
    "CAUSE_PRE_SHOCK_CHECK",
    "CAUSE_REACTION_FACING",
    "CAUSE_REACTION_MOVE",
    "CAUSE_RETREAT_BEFORE_SHOCK",
    "CAUSE_RETREAT_THROUGH",
    "CAUSE_SHOCK",
    "CAUSE_TERRAIN",
    "CAUTIOUS",
    "CHANGE",
    "CHANGE_AND_STAND",
    "CONFUSION",
    "EFFECT_ABANDONED",
    "EFFECT_BLOWN",
    "EFFECT_LOSS",
    "EFFECT_LOSS_AND_RETREAT",
    "EFFECT_NONE",
    "EFFECT_ROUT_CHECK",
    "EFFECT_STOP",
    "FAIL",
    "FOOT",
    "GUNS",
    "HEXSIDE_FREE",
    "HEXSIDE_FULL",
    "HEXSIDE_HALVED",
    "HORSE",
    "LEADER",
    "LOOSE_CANNON",
    "NORMAL",
    "NO_DISORDER",
    "ONE_MP",
    "PROHIBITED",
    "RETAIN",
    "RETAIN_AND_STAND",
    "THREE_BRIGADES",
    "TWO_BRIGADES",
    "UDD",
    "UNRELIABLE",
    "ByClass",
    "Charts",
    "CommandModifiers",
    "FireModifiers",
    "FireResult",
    "FireTable",
    "Ground",
    "HexsideTerrain",
    "OutcomeTable",
    "PreShockModifiers",
    "Provenance",
    "RatioColumn",
    "SecondDisorder",
    "ShockModifiers",
    "ShockRatio",
    "ShockResult",
    "ShockTable",
    "SideResult",
    "Terrain",
    "Thoroughfare",
    "WaterState",
    "Weapon",
]


class Provenance:
    """Where a value of a chart comes from: printed, derived or reconstructed, the rule, and why that value."""

    def __init__(self, chart: str, key: str, source: str, rule: str, why: str) -> None:
        self.chart: str = chart
        self.key: str = key
        self.source: str = source
        self.rule: str = rule
        self.why: str = why


class Charts:
    """All charts of a battle."""

    def __init__(
        self,
        fire_table: FireTable,
        artillery_table: FireTable,
        weapons: list[Weapon],
        terrains: list[Terrain],
        hexsides: list[HexsideTerrain],
        thoroughfares: list[Thoroughfare],
        water: list[WaterState],
        shock_ratio: ShockRatio,
        shock_table: ShockTable,
        second_disorder: SecondDisorder,
        coordination: OutcomeTable,
        orders_change: OutcomeTable,
        unreliable: OutcomeTable,
        fire: FireModifiers,
        shock: ShockModifiers,
        pre_shock: PreShockModifiers,
        command: CommandModifiers,
        provenance: list[Provenance],
    ) -> None:
        self.fire_table: FireTable = fire_table
        self.artillery_table: FireTable = artillery_table
        self.weapons: list[Weapon] = weapons
        self.terrains: list[Terrain] = terrains
        self.hexsides: list[HexsideTerrain] = hexsides
        self.slopes: list[HexsideTerrain] = [hexside for hexside in hexsides if hexside.levels > 0]
        self.thoroughfares: list[Thoroughfare] = thoroughfares
        self.water: list[WaterState] = water
        self.shock_ratio: ShockRatio = shock_ratio
        self.shock_table: ShockTable = shock_table
        self.second_disorder: SecondDisorder = second_disorder
        self.coordination: OutcomeTable = coordination
        self.orders_change: OutcomeTable = orders_change
        self.unreliable: OutcomeTable = unreliable
        self.fire: FireModifiers = fire
        self.shock: ShockModifiers = shock
        self.pre_shock: PreShockModifiers = pre_shock
        self.command: CommandModifiers = command
        self.provenance: list[Provenance] = provenance

    def weapon(self, code: str) -> Weapon:
        """The weapon of a code.

        Raises:
            KeyError: no such weapon.
        """
        for weapon in self.weapons:
            if weapon.code == code:
                return weapon
        raise KeyError(code)

    def terrain(self, name: str) -> Terrain:
        """The hex terrain of a name.

        Raises:
            KeyError: no such terrain.
        """
        for terrain in self.terrains:
            if terrain.name == name:
                return terrain
        raise KeyError(name)

    def slope(self, levels: i64) -> HexsideTerrain | None:
        """10.81: the kind of slope as which so great a difference of levels counts; None if it is less than any."""
        found: HexsideTerrain | None = None
        for kind in self.slopes:
            if kind.levels <= levels and (found is None or kind.levels > found.levels):
                found = kind
        return found

    def hexside(self, name: str) -> HexsideTerrain:
        """The hexside terrain of a name.

        Raises:
            KeyError: no such hexside.
        """
        for hexside in self.hexsides:
            if hexside.name == name:
                return hexside
        raise KeyError(name)

    def hexside_at(self, name: str, level: str) -> HexsideTerrain:
        """The hexside terrain that a name counts as at a river level (18.1); unaffected ones count as themselves.

        Raises:
            KeyError: no such hexside.
        """
        for state in self.water:
            if state.level == level and state.hexside == name:
                return state.counts_as
        return self.hexside(name)

    def thoroughfare(self, name: str) -> Thoroughfare:
        """The thoroughfare of a name.

        Raises:
            KeyError: no such thoroughfare.
        """
        for thoroughfare in self.thoroughfares:
            if thoroughfare.name == name:
                return thoroughfare
        raise KeyError(name)
