"""Chapter 10.5 and 10.8: prepared fire and the die roll modifiers of a fire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ARTILLERY, EXTENDED_COLUMN, INFANTRY, MARCH, Part, Unit
from simkit.model.hexgrid import FLANK, line, opposite
from simkit.rules.chapter import Chapter
from simkit.rules.options import GRINGO

if TYPE_CHECKING:
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex, Hexside
    from simkit.rules.options import Options
    from simkit.rules.series import Series

# kinds of fire (10.3, 10.4)
PHASING: Final[i64] = 0
RETURN: Final[i64] = 1
WITHDRAWAL: Final[i64] = 2
APPROACH: Final[i64] = 3
PRE_SHOCK: Final[i64] = 4
MODES: Final = ("phasing", "return", "withdrawal", "approach", "pre-shock")

LEVELS_TOO_STEEP: Final[i64] = 2  # difference of levels across which guns can't fire at an adjacent hex (10.67)
STEEP_PRE_SHOCK: Final[i64] = -2  # DRM of guns that may do so before shock (10.67)


class FireDrms:
    """The die roll modifiers of one fire, each by its condition (10.81)."""

    def __init__(self) -> None:
        self.reach: i64 = 0
        self.terrain: i64 = 0
        self.behind_works: i64 = 0
        self.works: i64 = 0  # of the target
        self.density: i64 = 0
        self.at_mounted: i64 = 0
        self.by_mounted: i64 = 0
        self.prepared: i64 = 0
        self.disordered: i64 = 0
        self.flank: i64 = 0
        self.high_ground: i64 = 0
        self.guns_moved: i64 = 0
        self.steep: i64 = 0
        self.green: i64 = 0
        self.light: i64 = 0  # of dawn or dusk (16.11)
        self.night: i64 = 0
        self.ammo: i64 = 0
        self.fatigue: i64 = 0

    def take(self, other: FireDrms) -> None:
        """Become a copy of other modifiers."""
        self.reach = other.reach
        self.terrain = other.terrain
        self.behind_works = other.behind_works
        self.works = other.works
        self.density = other.density
        self.at_mounted = other.at_mounted
        self.by_mounted = other.by_mounted
        self.prepared = other.prepared
        self.disordered = other.disordered
        self.flank = other.flank
        self.high_ground = other.high_ground
        self.guns_moved = other.guns_moved
        self.steep = other.steep
        self.green = other.green
        self.light = other.light
        self.night = other.night
        self.ammo = other.ammo
        self.fatigue = other.fatigue

    def worsen(self, other: FireDrms) -> None:
        """Take of each condition the less favourable of two (10.64, 10.82)."""
        self.reach = min(self.reach, other.reach)
        self.terrain = min(self.terrain, other.terrain)
        self.behind_works = min(self.behind_works, other.behind_works)
        self.works = min(self.works, other.works)
        self.density = min(self.density, other.density)
        self.at_mounted = min(self.at_mounted, other.at_mounted)
        self.by_mounted = min(self.by_mounted, other.by_mounted)
        self.prepared = min(self.prepared, other.prepared)
        self.disordered = min(self.disordered, other.disordered)
        self.flank = min(self.flank, other.flank)
        self.high_ground = min(self.high_ground, other.high_ground)
        self.guns_moved = min(self.guns_moved, other.guns_moved)
        self.steep = min(self.steep, other.steep)
        self.green = min(self.green, other.green)
        self.light = min(self.light, other.light)
        self.night = min(self.night, other.night)
        self.ammo = min(self.ammo, other.ammo)
        self.fatigue = min(self.fatigue, other.fatigue)

    def total(self) -> i64:
        """Their sum: all are cumulative."""
        return (
            self.reach + self.terrain + self.behind_works + self.works + self.density + self.at_mounted
            + self.by_mounted + self.prepared
            + self.disordered + self.flank + self.high_ground + self.guns_moved + self.steep + self.green + self.light
            + self.night + self.ammo + self.fatigue
        )

    def text(self) -> str:
        """Those that count, by name: "prepared +1, range -1"."""
        named: list[tuple[str, i64]] = [
            ("range", self.reach), ("terrain", self.terrain),
            ("behind breastworks", self.behind_works), ("at breastworks", self.works),
            ("massed" if self.density > 0 else "dispersed", self.density),
            ("at mounted", self.at_mounted), ("by mounted", self.by_mounted), ("prepared", self.prepared),
            ("disordered", self.disordered), ("flank", self.flank), ("high ground", self.high_ground),
            ("guns moved", self.guns_moved), ("steep", self.steep), ("green", self.green),
            ("dawn or dusk", self.light), ("night", self.night), ("low ammo", self.ammo),
            ("fatigue", self.fatigue),
        ]
        words: list[str] = []
        for name, value in named:
            if value != 0:
                words.append(f"{name} {value:+d}")
        return ", ".join(words)


@mypyc_attr(allow_interpreted_subclasses=True)
class FireModifiers(Chapter):
    """What makes a fire better or worse."""

    def __init__(self, series: Series, battle: Battle, options: Options) -> None:
        super().__init__(series, battle, options)
        self.drms = FireDrms()  # of the fire last looked at
        self.worst = FireDrms()

    def modifier(self, unit: Unit, origin: Hex, victim: Part, mode: i64, standing: bool) -> i64:
        """10.81, 11.71, 14.1, 17.31: the sum of a fire's die roll modifiers, leaders aside; `drms` then holds each.

        Args:
            unit: who fires.
            origin: the hex it fires from, as it stands or as a commander imagines it.
            victim: the part fired at, mostly the top of its stack; only the terrain of its own hex counts (8.45).
            mode: PHASING to PRE_SHOCK.
            standing: a phasing unit forgoes movement, for Prepared Fire or to spare guns their DRM (10.52, 10.61).
        """
        fire = self.charts.fire
        target = victim.hex
        distance = origin.distance_to(target)
        shell = unit.weapon.shell(distance)
        drms = self.drms
        drms.reach = unit.weapon.range_drm(distance)
        drms.terrain = self.terrain(origin, target, shell)
        self._breastworks(unit, origin, victim, shell, drms)
        drms.density = self.density(target) if shell else 0
        drms.at_mounted = fire.at_mounted if self.easier_mounted(victim.unit, shell) else 0
        drms.by_mounted = fire.by_mounted if unit.is_mounted() else 0
        drms.prepared = fire.prepared if self.prepared(unit, distance, mode, standing) else 0
        drms.disordered = fire.disordered if unit.disordered else 0
        drms.flank = fire.flank if not shell and self.flanking(victim, origin) else 0
        drms.high_ground = 0
        if shell and origin.elevation > target.elevation and self.features(origin, target, True) <= 0:
            drms.high_ground = fire.high_ground
        drms.guns_moved = fire.guns_moved if self.guns_moved(unit, mode, standing) else 0
        drms.steep = 0
        if unit.kind == ARTILLERY and mode == PRE_SHOCK and self.too_steep(origin, target):
            drms.steep = STEEP_PRE_SHOCK
        drms.green = fire.green if unit.green and unit.on_foot() else 0
        night = self.series.night
        darkness = night.fire_drm(distance)
        drms.light = 0 if night.is_night() else darkness
        drms.night = darkness - drms.light
        drms.ammo = fire.low_ammo if unit.ammo == 1 else 0
        drms.fatigue = -unit.fatigue.half
        return drms.total()

    def _breastworks(self, unit: Unit, origin: Hex, victim: Part, shell: bool, drms: FireDrms) -> None:
        """10.81, 15.23, 21.4 of Dead of Winter: small arms from behind breastworks, and at men on foot behind them.

        The latter against canister too, and then the hex counts for cover as it does under breastworks.
        """
        target = victim.hex
        drms.behind_works = 0
        drms.works = 0
        if origin.walls != 0 and unit.kind != ARTILLERY and self.series.engineering.fires_from(origin, target):
            drms.behind_works = self.charts.fire.behind_breastworks
        if target.walls != 0 and not shell and victim.unit.on_foot():
            if self.series.engineering.shelters(origin, target):
                drms.works = self.charts.fire.through_breastworks
                drms.terrain += target.terrain.works_fire_drm - target.terrain.fire_drm

    def easier_mounted(self, unit: Unit, shell: bool) -> bool:
        """10.81, 14.24: whether a target is non-phasing mounted cavalry; in Gringo! that helps no shot and shell."""
        if not unit.is_mounted() or unit.side == self.battle.phasing:
            return False
        return not shell or self.options.edition > GRINGO

    def part_modifier(self, part: Part, victim: Part, mode: i64, standing: bool) -> i64:
        """10.64, 10.69, 10.81: the same for a part where it stands; a section has its own range and ammunition."""
        drm = self.modifier(part.unit, part.hex, victim, mode, standing)
        if part.unit.sections:
            drms = self.drms
            drms.reach = part.armed_with().range_drm(part.hex.distance_to(victim.hex))
            drms.ammo = self.charts.fire.low_ammo if part.ammunition() == 1 else 0
            drm = drms.total()
        return drm

    def combined_modifier(self, parts: list[Part], victim: Part, mode: i64, standing: bool) -> i64:
        """8.45, 10.64, 10.81, 10.82: the DRMs of a combined fire: of each condition the least favourable.

        But for flanking fire, for which any one part of an Extended Line is enough (not so in Gringo!).
        """
        flank: i64 = 0
        for at, part in enumerate(parts):
            self.part_modifier(part, victim, mode, standing)
            flank = max(flank, self.drms.flank)
            if at == 0:
                self.worst.take(self.drms)
            else:
                self.worst.worsen(self.drms)
        self.drms.take(self.worst)
        if self.options.edition != GRINGO:
            self.drms.flank = flank
        return self.drms.total()

    # -- prepared fire ---------------------------------------------------------------------------------------------

    def prepared(self, unit: Unit, distance: i64, mode: i64, standing: bool) -> bool:
        """10.51, 10.52, 10.53, 6.16, 15.16: infantry in Good Order that stands, or who answers on foot, builders too.

        No column (8.53), and nobody at night (16.12). Active units that fire before a continued shock (10.43) are
        phasing units there too.
        """
        if unit.weapon.artillery or distance > unit.weapon.prepared_range or unit.extended == EXTENDED_COLUMN:
            return False
        if self.series.night.no_prepared_fire():
            return False
        if unit.disordered or unit.orders == MARCH or unit.restacked or unit.advanced or unit.retreated:
            return False
        if mode != PHASING and not unit.active:
            return unit.on_foot()
        return unit.kind == INFANTRY and standing and not unit.moved and unit.spent == 0

    # -- the other conditions --------------------------------------------------------------------------------------

    def guns_moved(self, unit: Unit, mode: i64, standing: bool) -> bool:
        """9.62, 10.61: guns that have moved or mean to, or began the activation beneath others and came to the top.

        And guns that answer for the first time since they changed facing in reaction.
        """
        if unit.kind != ARTILLERY:
            return False
        if unit.under_others or (unit.swung_round and mode != PHASING):
            return True
        return mode == PHASING and (unit.moved or unit.spent > 0 or not standing)

    def too_steep(self, origin: Hex, target: Hex) -> bool:
        """10.67: adjacent hexes two or more levels apart."""
        if origin.distance_to(target) != 1:
            return False
        rise = target.elevation - origin.elevation
        return rise >= LEVELS_TOO_STEEP or rise <= -LEVELS_TOO_STEEP

    def flanking(self, victim: Part, origin: Hex) -> bool:
        """10.81: fire through a flank hexside of the target, unless that is under March Orders."""
        return victim.unit.orders != MARCH and self.series.facing.zone_from(victim, origin) == FLANK

    def density(self, target: Hex) -> i64:
        """8.34: massed or dispersed target of shot and shell, by its strength points; guns do not count."""
        fire = self.charts.fire
        points = self.series.stacking.target_strength(target)
        if points == 0:
            return 0
        if points >= fire.massed_sp:
            return fire.massed
        return fire.dispersed if points <= fire.dispersed_sp else 0

    def terrain(self, origin: Hex, target: Hex, shell: bool) -> i64:
        """10.81: what the target's hex, and the hexside by which the fire enters it, take off the roll."""
        ground = target.terrain.shell_drm if shell else target.terrain.fire_drm
        return ground + self.features(origin, target, shell)

    def features(self, origin: Hex, target: Hex, shell: bool) -> i64:
        """10.81: DRM of the hexside into the target; of two that meet in a vertex the one better for the target."""
        enters = line(target.q - origin.q, target.r - origin.r).enters
        best: i64 = 0
        first = True
        for direction in range(6):
            if enters & (1 << direction) == 0:
                continue
            drm: i64 = 0
            outside = target.sides[direction]
            if outside.on_map:
                drm = self._hexside(origin, outside.to.sides[opposite(direction)], shell)
            if first or drm < best:
                best = drm
            first = False
        return best

    def _hexside(self, origin: Hex, side: Hexside, shell: bool) -> i64:
        """10.81: slopes count for a fire from below: from the next hex the slope drawn.

        Beyond one hex the difference of levels between firing unit and target says as which kind of slope it counts.
        """
        uphill = side.drop < 0 if side.origin is origin else origin.elevation < side.to.elevation
        drm: i64 = 0
        for feature in side.features:
            if feature.levels > 0 and side.origin is not origin:
                slope = self.charts.slope(side.to.elevation - origin.elevation)
                if slope is not None:
                    drm += slope.shell_drm if shell else slope.fire_drm
            elif not feature.uphill_only or uphill:
                drm += feature.shell_drm if shell else feature.fire_drm
        return drm
