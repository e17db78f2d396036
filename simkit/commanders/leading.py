"""Where the heuristic commander's leaders ride: to where their stars and their command ranges count (4.1, 9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.answers import NO_WORTH
from simkit.commanders.digging import Digging
from simkit.model.battlemap import Hex
from simkit.model.charts import ONE_MP, PROHIBITED
from simkit.model.forces import ARMY, ARTILLERY, CORPS, Command, Unit
from simkit.model.leaders import Leader
from simkit.rules.leadermovement import LEADER_MPS

if TYPE_CHECKING:
    from simkit.rules.series import Series

FEW: Final[i64] = 2  # places from which as many searches for one goal cost less than one back from it
LED: Final[i64] = 100  # worth of a place for each subordinate whom its command range reaches
ABOVE: Final[i64] = 40  # the same if the leader's own superior reaches it
BESIDE_ENEMY: Final[i64] = 30  # worth lost by a place next to the enemy


@mypyc_attr(allow_interpreted_subclasses=True)
class Leading(Digging):
    """Leaders of brigades, divisions, corps and armies."""

    # -- rally (13.43) ---------------------------------------------------------------------------------------------

    def bring_stars(self, series: Series, unit: Unit) -> None:
        """Ride to a unit that is about to rally with its brigadier, or its division leader, where they can be spared.

        They can't while a unit of the brigade may shock, where the stars count as well (11.73).
        """
        if self.doctrine.rally_ride == 0:
            return
        for command in (unit.command, unit.command.superior):
            if command.level >= CORPS or not command.has_leader():
                continue
            leader = command.leader()
            if leader.hex is unit.hex or leader.affected_rally or not series.movement.leader_may_move(leader):
                continue
            if self._wanted_in_shock(series, unit.command) or not self._keeps_range(series, leader, unit.hex):
                continue
            if series.movement.ride_cost(leader, unit.hex) < PROHIBITED:
                series.movement.move_leader(leader, unit.hex)

    def _wanted_in_shock(self, series: Series, brigade: Command) -> bool:
        return any(not other.disordered and series.shock.may_shock(other) for other in brigade.units)

    def _keeps_range(self, series: Series, leader: Leader, place: Hex) -> bool:
        """Whether all subordinates of a division leader who are in his Command Range now would be so from a hex."""
        if leader.level < CORPS and not leader.command.subordinates:
            return True
        led = self._led_from(series, leader, [place, leader.hex])
        return led[0] >= led[1]

    # -- arrangements (8.0 of Dead of Winter) --------------------------------------------------------------------------

    def ends_arrangements(self, series: Series, army: Command) -> bool:
        """Once more of the commands that serve under others are in range of their own superiors than of those."""
        balance: i64 = 0
        for each in series.battle.course.arranged:
            if each.command.side == army.side and self._leads_troops(each.command):
                place = each.command.leader().hex
                balance += self._reaches(series, each.own, place) - self._reaches(series, each.other, place)
        return balance > 0

    def _reaches(self, series: Series, superior: Command, place: Hex) -> i64:
        """1 if a hex is in the Command Range of a command's leader (4.15), else 0."""
        if not superior.has_leader():
            return 0
        return 1 if series.command.in_range(superior.leader(), place) else 0

    # -- brigadiers (9.31) -----------------------------------------------------------------------------------------

    def move_leader(self, series: Series, brigade: Command, leader: Leader) -> None:
        """Join a unit that is about to shock, else one that needs rallying, else one in the middle of the brigade."""
        if leader.moved:
            return
        best: list[Unit] = []
        best_worth: i64 = NO_WORTH
        for unit in series.activation.members(brigade):
            if not unit.counts() or (unit.kind == ARTILLERY and not brigade.artillery):
                continue
            worth: i64 = -self.fields[0].to_enemy(unit.hex)
            if self.doctrine.leader_forward == 0:
                worth = -worth
            if series.shock.must_shock(unit):
                worth += 100
            elif unit.disordered and not unit.rallied and not unit.collapsed:
                worth += 30
            elif series.battle.enemy_near(unit.hex, unit.side):
                worth += 50 if self.doctrine.leader_forward == 1 else -50
            worth -= self.doctrine.in_command * self._left_behind(series, leader, brigade, unit.hex)
            if worth > best_worth:
                best = [unit]
                best_worth = worth
        if not best or best[0].hex is leader.hex or not series.movement.leader_may_move(leader):
            return
        if series.movement.ride_cost(leader, best[0].hex) < PROHIBITED:
            series.movement.move_leader(leader, best[0].hex)
        elif self._left_behind(series, leader, brigade, leader.hex) > 0:
            self._ride_towards(series, leader, best[0].hex)

    def _ride_towards(self, series: Series, leader: Leader, goal: Hex) -> None:
        """Ride nearer to a hex that is out of his reach, where no enemy is next to him."""
        best: list[Hex] = []
        nearest: i64 = leader.hex.distance_to(goal)
        for place in series.movement.leader_search(leader):
            if place.distance_to(goal) < nearest and not series.battle.enemy_near(place, leader.side):
                best = [place]
                nearest = place.distance_to(goal)
        if best:
            series.movement.move_leader(leader, best[0])

    def _left_behind(self, series: Series, leader: Leader, brigade: Command, place: Hex) -> i64:
        """How many units of a brigade would stand farther from its leader in a hex than his Command Range reaches.

        The collapsed count for nothing: they can't rally (12.23), and go to the rear.
        """
        count: i64 = 0
        reach = max(series.night.command_range(leader.ratings().command_range), 1)
        for unit in brigade.units:
            if unit.counts() and not unit.collapsed and unit.hex.distance_to(place) > reach:
                count += 1
        return count

    def lead_guns(self, series: Series, brigades: list[Command]) -> None:
        """4.33, 9.31: an artillery leader joins the guns of his active brigades, and those directly under him."""
        for brigade in brigades:
            command = series.activation.marker_division(brigade)
            if not command.artillery or not command.has_leader() or command in brigades:
                continue
            leader = command.leader()
            if series.movement.leader_may_move(leader):
                best = leader.hex
                for unit in brigade.units:
                    nearer = best is leader.hex or self.fields[0].to_enemy(unit.hex) > self.fields[0].to_enemy(best)
                    if unit.counts() and nearer:
                        best = unit.hex
                if best is not leader.hex and series.movement.ride_cost(leader, best) < PROHIBITED:
                    series.movement.move_leader(leader, best)

    def place_under(self, series: Series, unit: Unit, command: Command) -> bool:
        """4.33: a battery in good order with the enemy in reach of its guns."""
        field = self.field(series.battle)
        field.measure()
        return not unit.disordered and field.to_enemy(unit.hex) <= unit.weapon.max_range

    # -- leaders of divisions, commanders of corps and armies (4.1, 9.31, 9.32) --------------------------------------

    def lead_divisions(self, series: Series, brigades: list[Command]) -> None:
        """Move the leaders of the divisions of active brigades, when none of theirs is left to act under the marker."""
        if self.doctrine.in_command == 0:
            return
        for brigade in brigades:
            division = series.activation.marker_division(brigade)
            if division.has_leader() and not division.artillery and not self._acts_later(series, division):
                leader = division.leader()
                if series.movement.leader_may_move(leader):
                    self.ride_to_lead(series, leader)

    def _acts_later(self, series: Series, division: Command) -> bool:
        return any(series.activation.marker_division(other) is division for other in series.battle.remaining)

    def end_of_turn(self, series: Series, side: i64) -> None:
        """Commanders at the edge ride onto the map; corps, then army, go where they reach most of theirs."""
        super().end_of_turn(series, side)
        if self.doctrine.in_command == 0:
            return
        for level in (CORPS, ARMY):
            for leader in series.battle.leaders:
                if leader.side == side and leader.level == level and series.movement.leader_may_move(leader):
                    self.ride_to_lead(series, leader)

    def ride_to_lead(self, series: Series, leader: Leader) -> None:
        """Ride to a friendly unit from where more of his subordinates are in Command Range than from where he is.

        A ride of more than 10 movement points leaves a commander without range next turn (9.32): only one who has
        nobody in range, nor can within that, takes it.
        """
        if not leader.in_play():
            return
        here = self._led_from(series, leader, [leader.hex])[0]
        if here >= LED * self._to_lead(leader) and not self._exposed(series, leader, leader.hex):
            return
        commands_all = leader.level >= CORPS
        near = LEADER_MPS * ONE_MP - leader.spent if commands_all else PROHIBITED
        posts, worths, at_home = self._better_posts(series, leader, here, commands_all and here == 0)
        costs = series.movement.ride_costs(leader, posts, near if here > 0 else PROHIBITED)
        short: list[Hex] = []
        long: list[Hex] = []
        short_worth = at_home
        long_worth: i64 = 0
        for at, place in enumerate(posts):
            if costs[at] >= PROHIBITED:
                continue
            if costs[at] > near:
                if worths[at] > long_worth:
                    long = [place]
                    long_worth = worths[at]
            elif worths[at] > short_worth:
                short = [place]
                short_worth = worths[at]
        if short:
            series.movement.move_leader(leader, short[0])
        elif long:
            series.movement.move_leader(leader, long[0])

    def _better_posts(
        self, series: Series, leader: Leader, here: i64, any_good: bool
    ) -> tuple[list[Hex], list[i64], i64]:
        """Posts worth more to a leader than his place, or anything at all, and their worths; and that of his place.

        `here` is what those are worth whom he has in range where he is. Ways are searched to such posts alone as can be
        worth enough by how far they are from his subordinates as the crow flies.
        """
        exposed = BESIDE_ENEMY if self._exposed(series, leader, leader.hex) else 0
        least = here - exposed - self._distances(leader, leader.hex)
        enough = min(least, 0) if any_good else least
        posts: list[Hex] = []
        for place in self._posts(series, leader):
            if self._most_led_from(series, leader, place) > enough:
                posts.append(place)
        if not posts:
            return posts, [], least
        worths = self._lead_worths(series, leader, [*posts, leader.hex])
        at_home = worths[len(posts)]
        better: list[Hex] = []
        theirs: list[i64] = []
        for at, place in enumerate(posts):
            if worths[at] > at_home or (any_good and worths[at] > 0):
                better.append(place)
                theirs.append(worths[at])
        return better, theirs, at_home

    def _most_led_from(self, series: Series, leader: Leader, place: Hex) -> i64:
        """What a hex can be worth to a leader at most, with all in his range who are not too far off for any way."""
        limit = series.night.command_range(leader.ratings().command_range) * ONE_MP
        worth: i64 = ABOVE
        for command in leader.command.subordinates:
            if self._leads_troops(command) and place.distance_to(command.leader().hex) <= limit:
                worth += LED
        return worth - self._distances(leader, place)

    def _distances(self, leader: Leader, place: Hex) -> i64:
        """Hexes from a hex to a leader's subordinates, all together."""
        whole: i64 = 0
        for command in leader.command.subordinates:
            if self._leads_troops(command):
                whole += place.distance_to(command.leader().hex)
        return whole

    def _to_lead(self, leader: Leader) -> i64:
        """How many of a leader's subordinates have leaders and troops on the map."""
        count: i64 = 0
        for command in leader.command.subordinates:
            if self._leads_troops(command):
                count += 1
        return count

    def _leads_troops(self, command: Command) -> bool:
        if not command.has_leader():
            return False
        if command.units:
            return any(unit.counts() for unit in command.units)
        return any(self._leads_troops(subordinate) for subordinate in command.subordinates)

    def _led_from(self, series: Series, leader: Leader, places: list[Hex]) -> list[i64]:
        """What the subordinates are worth whom a leader's Command Range reaches from each of some hexes (4.15, 16.11).

        From more than a few places the way is searched back from each subordinate: there are fewer of them.
        """
        limit = series.night.command_range(leader.ratings().command_range) * ONE_MP
        worth: list[i64] = [0] * len(places)
        for command in leader.command.subordinates:
            if self._leads_troops(command):
                there = command.leader().hex
                near = [place for place in places if place.distance_to(there) <= limit]  # a hex costs half a MP or more
                if len(near) <= FEW:
                    for at, place in enumerate(places):
                        if series.movement.range_cost(place, there, leader.side, limit) <= limit:
                            worth[at] += LED
                    continue
                search = series.movement.flood_back(there, leader.side, limit, near)
                for at, place in enumerate(places):
                    if place.stamp == search:
                        worth[at] += LED
        return worth

    def _below_superior(self, series: Series, leader: Leader, places: list[Hex]) -> list[bool]:
        """Which of some hexes lie in the Command Range of a leader's superior (4.15)."""
        superior = leader.command.superior
        if superior is leader.command or not superior.has_leader():
            return [False] * len(places)
        series.command.measure(superior.leader(), places)
        return [series.command.measured(place) for place in places]

    def _lead_worths(self, series: Series, leader: Leader, places: list[Hex]) -> list[i64]:
        """What hexes are worth to a leader: who is in his range there, whether he is in his superior's, the danger."""
        worths = self._led_from(series, leader, places)
        below = self._below_superior(series, leader, places)
        for at, place in enumerate(places):
            worth = worths[at]
            if self._exposed(series, leader, place):
                worth -= BESIDE_ENEMY
            if below[at] and worth > 0:
                worth += ABOVE
            worths[at] = worth - self._distances(leader, place)
        return worths

    def _exposed(self, series: Series, leader: Leader, place: Hex) -> bool:
        return series.battle.enemy_near(place, leader.side)

    def _posts(self, series: Series, leader: Leader) -> list[Hex]:
        """Where a leader may post himself: with a subordinate or a unit of his.

        Commanders of corps and armies, whose units are many: with units directly under them and with leaders.
        """
        found: list[Hex] = []
        for command in leader.command.subordinates:
            if self._leads_troops(command) and command.leader().hex not in found:
                found.append(command.leader().hex)
        units = leader.command.all_units()
        if leader.level >= CORPS:
            units = leader.command.units
            for below in leader.command.subordinates:
                if not below.has_leader():
                    units = [*units, *below.units]
                for command in below.subordinates:
                    if self._leads_troops(command) and command.leader().hex not in found:
                        found.append(command.leader().hex)
        for unit in units:
            if unit.counts() and unit.hex not in found:
                found.append(unit.hex)
        return found

    def next_in_command(self, series: Series, leader: Leader, candidates: list[Leader]) -> i64:
        """Who stands farthest from the enemy: his own command misses him least (12.76)."""
        field = self.field(series.battle)
        field.measure()
        best: i64 = 0
        for at, candidate in enumerate(candidates):
            if field.to_enemy(candidate.hex) > field.to_enemy(candidates[best].hex):
                best = at
        return best
