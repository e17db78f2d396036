"""Terrain effects: what a hex, a hexside and a thoroughfare do to movement, sight, fire and shock (9.4, 10.2, 10.8).

Movement points are counted in halves (1 MP = 2), because the cheapest hex costs half a point (9.43).
"""

from typing import Final

from mypy_extensions import i64

# Disorder carried by a result or by terrain (12.32, 9.47).
NO_DISORDER: Final = 0
UDD: Final = 1
AUTOMATIC: Final = 2

# Movement classes: the columns of the terrain effects chart (9.41).
FOOT: Final = 0
HORSE: Final = 1
GUNS: Final = 2
LEADER: Final = 3

ONE_MP: Final = 2
PROHIBITED: Final = 1000

# What a thoroughfare does to the cost of the hexside it crosses (9.44).
HEXSIDE_FREE: Final = 0
HEXSIDE_HALVED: Final = 1
HEXSIDE_FULL: Final = 2


class ByClass:
    """A number for each movement class: foot, horse, guns, leader."""

    def __init__(self, foot: i64, horse: i64, guns: i64, leader: i64) -> None:
        self.foot: i64 = foot
        self.horse: i64 = horse
        self.guns: i64 = guns
        self.leader: i64 = leader


class Ground:
    """What terrain costs to enter or cross, and whether it disorders, by movement class (9.41, 9.47).

    Args:
        name: the type's id.
        cost: half MPs, PROHIBITED where a class may never go.
        disorder: NO_DISORDER, UDD or AUTOMATIC.
    """

    def __init__(self, name: str, cost: ByClass, disorder: ByClass) -> None:
        self.name: str = name
        self.foot: i64 = cost.foot
        self.horse: i64 = cost.horse
        self.gun: i64 = cost.guns
        self.leader: i64 = cost.leader
        self.foot_disorder: i64 = disorder.foot
        self.horse_disorder: i64 = disorder.horse
        self.gun_disorder: i64 = disorder.guns

    def cost(self, mover: i64) -> i64:
        """Half MPs for a movement class, PROHIBITED or more if never."""
        if mover == FOOT:
            return self.foot
        if mover == HORSE:
            return self.horse
        if mover == GUNS:
            return self.gun
        return self.leader

    def disorder(self, mover: i64) -> i64:
        """Disorder on entering or crossing for a movement class; leaders have none (9.47)."""
        if mover == FOOT:
            return self.foot_disorder
        if mover == HORSE:
            return self.horse_disorder
        if mover == GUNS:
            return self.gun_disorder
        return NO_DISORDER

    def crossable(self, mover: i64) -> bool:
        """Whether a movement class can ever enter or cross it."""
        return self.cost(mover) < PROHIBITED

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Terrain(Ground):
    """What a hex's terrain does to movement, sight, fire and shock (9.41, 10.23, 10.81, 11.42).

    Args:
        name: the type's id.
        cost: half MPs to enter, PROHIBITED if it can't be entered.
        disorder: disorder on entering (9.47).
        fire_drm: to small arms and canister at a target in the hex.
        shell_drm: to shot and shell at a target in the hex.
        shock_drm: to a shock against a defender in the hex.
        works_fire_drm, works_shock_drm: the same if the attack crosses breastworks of the hex (21.4).
        height: levels added to the ground's elevation for sight.
        blocks: whether it can block a line of sight.
        is_wood: counts as Woods for the canopy of trees (10.24).
        halves_cavalry: mounted cavalry that shocks into it or defends in it counts half (11.43).
        halves_charge: charging mounted cavalry counts half against it (11.55).
        breastworks_allowed: breastworks may be built in it (15.12).
        timber: supplies wood for breastworks (15.12).
    """

    def __init__(
        self,
        name: str,
        cost: ByClass,
        disorder: ByClass,
        fire_drm: i64,
        shell_drm: i64,
        shock_drm: i64,
        works_fire_drm: i64,
        works_shock_drm: i64,
        height: i64,
        blocks: bool,
        is_wood: bool,
        halves_cavalry: bool,
        halves_charge: bool,
        breastworks_allowed: bool,
        timber: bool,
    ) -> None:
        super().__init__(name, cost, disorder)
        self.fire_drm: i64 = fire_drm
        self.shell_drm: i64 = shell_drm
        self.shock_drm: i64 = shock_drm
        self.works_fire_drm: i64 = works_fire_drm
        self.works_shock_drm: i64 = works_shock_drm
        self.height: i64 = height
        self.blocks: bool = blocks
        self.is_wood: bool = is_wood
        self.halves_cavalry: bool = halves_cavalry
        self.halves_charge: bool = halves_charge
        self.breastworks_allowed: bool = breastworks_allowed
        self.timber: bool = timber


class HexsideTerrain(Ground):
    """What a hexside's terrain does to whoever crosses it or attacks across it (9.41, 10.81, 11.42).

    Args:
        name: the type's id.
        cost: half MPs added to the hex entered, PROHIBITED if it can't be crossed.
        disorder: disorder on crossing (9.47).
        fire_drm: to small arms and canister across it directly into the target's hex.
        shell_drm: to shot and shell across it directly into the target's hex.
        shock_drm: to a shock across it.
        uphill_only: its effects hold for whoever goes or attacks up it; but whom it bars it bars downhill too.
        gradual: for sight, a change of level that is no slope hexside (10.23).
        crossing: a bridge or ford, which needs orders that allow its use (9.44).
        levels: for a kind of slope, the least difference of levels that counts as such for a fire from beyond the next
            hex (10.81); 0 for what is no slope.
    """

    def __init__(
        self,
        name: str,
        cost: ByClass,
        disorder: ByClass,
        fire_drm: i64,
        shell_drm: i64,
        shock_drm: i64,
        uphill_only: bool,
        gradual: bool,
        crossing: bool,
        levels: i64 = 0,
    ) -> None:
        super().__init__(name, cost, disorder)
        self.fire_drm: i64 = fire_drm
        self.shell_drm: i64 = shell_drm
        self.shock_drm: i64 = shock_drm
        self.uphill_only: bool = uphill_only
        self.gradual: bool = gradual
        self.crossing: bool = crossing
        self.levels: i64 = levels


class Thoroughfare:
    """A pike, road, trail or railroad: the cost of a hex entered along it (9.43, 9.44).

    Args:
        name: the type's id.
        march: half MPs a hex in March Orders and for leaders; 0 if the hex's own cost is halved instead.
        advance: half MPs a hex under Advance Orders; 0 if the hex's own cost is halved instead.
        hexside: HEXSIDE_FREE, HEXSIDE_HALVED or HEXSIDE_FULL.
        through_units: units may pass through friendly ones along it (8.22).
    """

    def __init__(self, name: str, march: i64, advance: i64, hexside: i64, through_units: bool) -> None:
        self.name: str = name
        self.march: i64 = march
        self.advance: i64 = advance
        self.hexside: i64 = hexside
        self.through_units: bool = through_units

    def cost(self, hex_cost: i64, hexside_cost: i64, march: bool) -> i64:
        """Half MPs to enter a hex along it (9.43, 9.44).

        Args:
            hex_cost: half MPs of the hex's own terrain.
            hexside_cost: half MPs of the hexside crossed.
            march: March Orders, or a leader, who takes the best rate.
        """
        fixed: i64 = self.march if march else self.advance
        extra: i64 = hexside_cost if self.hexside == HEXSIDE_FULL else 0
        if fixed > 0:
            return fixed + extra
        whole: i64 = hex_cost
        if self.hexside == HEXSIDE_HALVED:
            whole += hexside_cost
        if whole >= PROHIBITED:
            return PROHIBITED
        # Half of the cost, rounded to whole MPs: down to no less than 1 in March Orders, up otherwise.
        points: i64 = whole // (2 * ONE_MP) if march else (whole + 2 * ONE_MP - 1) // (2 * ONE_MP)
        if points < 1:
            points = 1
        return points * ONE_MP + extra

    def __repr__(self) -> str:
        return f"Thoroughfare({self.name!r})"


class WaterState:
    """What one hexside type counts as at one river level (18.1)."""

    def __init__(self, level: str, hexside: str, counts_as: HexsideTerrain) -> None:
        self.level: str = level
        self.hexside: str = hexside
        self.counts_as: HexsideTerrain = counts_as
