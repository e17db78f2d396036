"""Chapter 15, engineering: the construction of breastworks, their removal, and what they do in fire and shock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.model.breastworks import Site, covered
from simkit.model.charts import ONE_MP
from simkit.model.forces import ADVANCE, EXTENDED_LINE, IN_ONE_HEX
from simkit.model.hexgrid import line, opposite
from simkit.model.log import EVERYTHING
from simkit.rules.chapter import Chapter
from simkit.rules.commander import Works
from simkit.rules.facing import ABOUT_FACE, vertices

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex, Hexside
    from simkit.model.forces import Part, Unit
    from simkit.rules.shockinprogress import ShockInProgress

TIMBER_DISTANCE: Final[i64] = 3  # hexes from which wood is brought (15.12)


@mypyc_attr(allow_interpreted_subclasses=True)
class Engineering(Chapter):
    """Construction and effects of breastworks."""

    # -- who and where (15.11, 15.12, 15.15) -----------------------------------------------------------------------

    def may_build(self, unit: Unit) -> bool:
        """4.23, 6.11, 6.13, 6.15, 6.16, 15.11, 17.34: whether a unit may begin breastworks in this Engineering Phase.

        Infantry or dismounted cavalry under Advance Orders, In Command at the last check, whose leader could change
        orders without a roll, and who is not too tired. In Extended Line each part may; a column builds none (15.15).
        """
        if unit.orders != ADVANCE or not unit.on_foot() or not unit.counts() or not unit.in_command:
            return False
        if unit.extended != IN_ONE_HEX and unit.extended != EXTENDED_LINE:
            return False
        if unit.command.in_reserve or not self.series.fatigue.may_build(unit):
            return False
        if not self.series.scenario.may_build(unit.side, self.battle.turn):
            return False
        command = self.series.command
        return command.head(unit.command).has_leader() and command.linked(unit.command)

    def may_build_in(self, place: Hex, side: i64) -> bool:
        """15.12: whether breastworks of a side may be begun in a hex.

        Not in town or marsh, nor where two markers stand already or somebody builds. The hex, one within three of it
        that gives wood, and those on the way between must all lie away from the enemy.
        """
        if not place.terrain.breastworks_allowed or not self.battle.works.room_in(place):
            return False
        if self.battle.enemy_near(place, side):
            return False
        reached: list[Hex] = [place]
        place.stamp = self.battle.map.next_search()
        first = 0  # of those that the latest step has reached
        for step in range(TIMBER_DISTANCE + 1):
            last = len(reached)
            for here in reached[first:last]:
                if here.terrain.timber or here.building:
                    return True
                if step < TIMBER_DISTANCE:
                    self._spread(here, side, reached)
            first = last
        return False

    def _spread(self, here: Hex, side: i64, reached: list[Hex]) -> None:
        """Add the hexes next to one that lie away from the enemy."""
        for hexside in here.sides:
            to = hexside.to
            if hexside.on_map and to.stamp != here.stamp and not self.battle.enemy_near(to, side):
                to.stamp = here.stamp
                reached.append(to)

    def choices(self, part: Part) -> list[Works]:
        """15.12, 15.13, 15.15, 15.21: the breastworks that a unit, or a part of an Extended Line, may begin now.

        Towards any vertex, with at least one hexside that is not covered yet; a line, and who is stacked with one, does
        not turn (8.44), so it builds along its front.
        """
        unit = part.unit
        found: list[Works] = []
        if not self.may_build(unit) or not self.may_build_in(part.hex, unit.side):
            return found
        lined_up = self.series.facing.lined_up(unit)
        for turn in range(6):
            heading = (unit.heading + 2 * turn) % 12
            if lined_up and turn > 0:
                break
            if covered(heading // 2) & ~part.hex.walls != 0:
                found.append(Works(part.hex, heading))
        return found

    # -- construction (15.13, 15.14, 15.15) ------------------------------------------------------------------------

    def phase(self, side: i64) -> None:
        """3.0 II/F, 13.45, 15.13: the owner of a side says which units begin to build what; builders go on."""
        for site in self.battle.works.sites:
            site.unit.turn_acted = True  # 13.45
        owner = self.series.commander(side)
        for unit in self.battle.units:
            if unit.side != side or unit.orders != ADVANCE or not self.may_build(unit):
                continue
            for part in list(unit.parts):
                offered = self.choices(part)
                if offered:
                    chosen = owner.build(self.series, part, offered)
                    if self.index("build", unit, chosen, -1, len(offered)) >= 0:
                        self._begin(unit, offered[chosen])

    def in_time(self) -> bool:
        """15.13: whether breastworks begun this turn can be done before the battle ends."""
        return self._due() < len(self.battle.turns)

    def _due(self) -> i64:
        """15.13: the turn at whose end what is begun now is done: the next one, in a night turn the same."""
        return self.battle.turn if self.series.night.is_night() else self.battle.turn + 1

    def _begin(self, unit: Unit, works: Works) -> None:
        """15.13: place the construction marker, and face the builder and his stack towards it at no cost."""
        about = vertices(unit.heading, works.heading) == ABOUT_FACE
        for mate in self.series.facing.turning(unit):
            self.series.facing.face(mate, works.heading)
        if about:
            self.series.stacking.invert(works.hex)
        unit.begin_activation()  # what it did before does not end what it begins now
        unit.turn_acted = True
        site = Site(unit, works.hex, works.heading // 2, self._due())
        self.battle.works.begin(site)
        self._note(site, "begun")

    def called(self, unit: Unit) -> None:
        """3.0 III/C/3, 15.14, 6.24: a builder is activated: he goes on building, or gives it up and acts.

        He must give it up under a loose cannon.
        """
        if unit.forced == 1:
            self.discontinue(unit, "loose cannon")
        elif not self.series.owner(unit).keeps_building(self.series, unit):
            self.discontinue(unit, "given up")

    def discontinue(self, unit: Unit, why: str) -> None:
        """15.14: a unit's construction ends undone."""
        for site in self.battle.works.sites_of(unit):
            self._drop(site, why)

    def _drop(self, site: Site, why: str) -> None:
        self.battle.works.end(site)
        self._note(site, why)

    def watch(self) -> None:
        """15.14: at the end of a brigade activation end all constructions whose builders have done something else."""
        for site in list(self.battle.works.sites):
            why = self._disturbed(site)
            if why:
                self._drop(site, why)

    def _disturbed(self, site: Site) -> str:
        """15.14: what ends a construction: new orders, retreat, assault, fatigue, or other actions of the builder."""
        unit = site.unit
        if not unit.counts() or not any(part.hex is site.hex for part in unit.parts) or unit.retreated:
            return "driven off"
        if unit.orders != ADVANCE:
            return "orders"
        if unit.shock_target:
            return "shocked"
        if not self.series.fatigue.may_build(unit):
            return "tired"
        if unit.heading // 2 != site.vertex or unit.reacted or unit.moved_off or unit.moved or unit.advanced:
            return "moved"
        return ""

    def complete(self) -> None:
        """3.0 IV/B/6, 15.13: construction markers whose time has come become breastworks."""
        self.watch()
        for site in list(self.battle.works.sites):
            if site.due <= self.battle.turn:
                self.battle.works.end(site)
                self.battle.works.stand_in(site.hex, site.vertex)
                self._note(site, "done")

    def _note(self, site: Site, result: str) -> None:
        unit = site.unit
        self.series.log.note("construction", unit.side, unit.id, site.hex.id, "", result)

    # -- removal (15.17) -------------------------------------------------------------------------------------------

    def crossed(self, units: list[Unit], sides: list[Hexside]) -> None:
        """15.17: units that have moved across breastworks may remove a marker of each for a movement point more."""
        for side in sides:
            if not side.walls:
                continue
            unit = units[0]
            place = side.origin if side.origin.walls & (1 << side.direction) != 0 else side.to
            if self.series.movement.least_allowance(units) < ONE_MP:
                return
            if self.series.owner(unit).tear_down(self.series, unit, place):
                for one in units:
                    one.spent += ONE_MP
                self._remove(unit, place, side.direction if place is side.origin else opposite(side.direction))

    def _remove(self, unit: Unit, place: Hex, direction: i64) -> None:
        for vertex in place.works:
            if covered(vertex) & (1 << direction) != 0:
                self.battle.works.remove(place, vertex)
                break
        if self.series.log.level >= EVERYTHING:
            self.series.log.note("torn down", unit.side, unit.id, place.id, "", "")

    # -- effects (15.21, 15.23) ------------------------------------------------------------------------------------

    def fires_from(self, origin: Hex, target: Hex) -> bool:
        """10.81, 15.23: whether a fire leaves its hex through breastworks there.

        Not through the vertex between a covered hexside and one that is not.
        """
        exits = line(target.q - origin.q, target.r - origin.r).exits
        return exits & ~origin.walls == 0

    def shelters(self, origin: Hex, target: Hex) -> bool:
        """10.81, 15.23: whether a fire enters the target's hex through breastworks there.

        Of two hexsides that meet in the vertex through which it comes one is enough.
        """
        enters = line(target.q - origin.q, target.r - origin.r).enters
        return enters & target.walls != 0

    def within(self, place: Hex, target: Hex) -> bool:
        """11.37, 11.42, 15.21, 15.23: whether a shock from an adjacent hex crosses breastworks of the target hex."""
        return target.walls != 0 and target.walls & (1 << target.direction_to(place)) != 0

    def ground_drm(self, place: Hex, target: Hex) -> i64:
        """11.42, 15.23, 21.4 of Dead of Winter: what a shock between two hexes has from hexside, hex and breastworks.

        Across breastworks the hex counts as it does under them.
        """
        drm = place.sides[place.direction_to(target)].shock_drm
        if self.within(place, target):
            drm += self.charts.shock.breastworks + target.terrain.works_shock_drm - target.terrain.shock_drm
        return drm

    def shock_drm(self, shock: ShockInProgress, ground: i64) -> i64:
        """11.42, 11.43, 15.23: what breastworks give the defenders: if a pair of hexes best for them crosses some.

        Args:
            shock: the shock.
            ground: its DRM from the ground, that of those best pairs.
        """
        for target in shock.targets:
            if target.walls != 0:
                for attacker in shock.attackers:
                    for place in attacker.strikes(target):
                        if self.within(place, target) and self.ground_drm(place, target) == ground:
                            return self.charts.shock.breastworks
        return 0

    def pre_shock_drm(self, targets: list[Hex], shocks: list[ShockInProgress]) -> i64:
        """11.37, 15.23: what breastworks give a check before shock: if each shock against the defenders crosses some.

        Args:
            targets: their hexes; for an extended unit it is enough that a shock crosses them at one of its hexes.
            shocks: all that attack one of these hexes.
        """
        places = [place for place in targets if place.walls != 0]
        if not places:
            return 0
        for shock in shocks:
            if not self._crosses(shock, places):
                return 0
        return self.charts.pre_shock.breastworks

    def _crosses(self, shock: ShockInProgress, places: list[Hex]) -> bool:
        for place in places:
            if shock.attacks(place):
                for attacker in shock.attackers:
                    for origin in attacker.strikes(place):
                        if self.within(origin, place):
                            return True
        return False
