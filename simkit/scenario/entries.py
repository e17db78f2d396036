"""Who enters the map in a scenario, and who leaves it: reinforcements, withdrawals and returns, late groups (9.7)."""

from __future__ import annotations

from simkit.model.battle import Battle
from simkit.model.charts import FOOT, GUNS, HORSE, ONE_MP, PROHIBITED
from simkit.model.entrances import NEVER, SET_UP, Entrance, LateArrival, Reinforcement
from simkit.model.fatigue import FATIGUES
from simkit.model.forces import ARTILLERY, ORDERS, Unit
from simkit.model.leaders import Leader
from simkit.play.scenario_rules import Departure, ScenarioRules
from simkit.scenario.forcesfile import Arrival, ArrivalTable, LateGroup, Withdrawal
from simkit.scenario.muster import Muster
from simkit.scenario.places import hexes_of
from simkit.scenario.reading import Location

NO_LIMIT = 99


class Entries(Muster):
    """What makes the groups of a scenario that come and go."""

    def expect(self, battle: Battle, arrival: Arrival, where: Location) -> Reinforcement:
        """Make a group of reinforcements, which stays off the map until its turn."""
        idents, chiefs = self.members(arrival, where)
        if not idents and not chiefs:
            raise self.wrong(where, "it has neither units nor leaders")
        entrances = self.entrances(battle, arrival.hexes, arrival.inside, (*where, "hexes"))
        units = self.muster(battle, arrival, idents, where)
        leaders = self.officers(battle, arrival, chiefs, where)
        self.check_entry(units, leaders, entrances, where)
        group = Reinforcement(
            self.turn(arrival.turn, (*where, "turn")), entrances, units, leaders,
            [ORDERS.index(name) for name in arrival.orders],
            -1 if arrival.activations is None else arrival.activations, arrival.sequence,
        )
        if arrival.roll is not None:
            group.faces = list(arrival.roll.faces)
            later = arrival.roll.later
            if later is not None:
                group.later_faces = list(later.faces)
                group.later_from = self.turn(later.turn, (*where, "roll", "later", "turn"))
            group.due = NEVER
        battle.reinforcements.append(group)
        return group

    def check_entry(
        self, units: list[Unit], leaders: list[Leader], entrances: list[Entrance], where: Location
    ) -> None:
        """See that a group is of one side and that all of it can pay for one of its entrances."""
        if len({int(side) for side in [unit.side for unit in units] + [leader.side for leader in leaders]}) > 1:
            raise self.wrong(where, "it has units or leaders of both sides; make it two groups")
        for unit in units:
            if not any(self.admits(entrance, unit) for entrance in entrances):
                raise self.wrong((*where, "hexes"), f"{unit.id} has not the movement points to enter there")
        ways = [entrance.way(gate) for entrance in entrances for gate in entrance.gates]
        if leaders and all(way.leader_cost >= PROHIBITED for way in ways):
            raise self.wrong((*where, "hexes"), f"{leaders[0].id} cannot enter there; no leader can")

    def entrances(self, battle: Battle, hexes: list[str], inside: bool, where: Location) -> list[Entrance]:
        """The entrances in some hexes, made when first asked for."""
        return [self.entrance(battle, ident, inside, (*where, number)) for number, ident in enumerate(hexes)]

    def entrance(self, battle: Battle, ident: str, inside: bool, where: Location) -> Entrance:
        """The entrance in a hex, made when first asked for."""
        place = self.place(ident, where)
        if place.entrance is not None:
            if place.entrance.inside != inside:
                raise self.wrong(where, f"{place.id} is an entrance on the edge for one group and inside for another")
            return place.entrance
        made = Entrance(place, self.map, inside)
        if not made.gates:
            raise self.wrong(where, f"{place.id} does not lie on the edge of the map (9.71)")
        made.fix_costs()
        battle.entrances.append(made)
        return made

    @staticmethod
    def admits(entrance: Entrance, unit: Unit) -> bool:
        """9.41, 9.42: whether a unit can pay for an entrance with its whole allowance."""
        mover = GUNS if unit.kind == ARTILLERY else HORSE if unit.is_mounted() else FOOT
        ways = [entrance.way(gate) for gate in entrance.gates]
        return any(min(way.costs[mover], way.advance[mover]) <= unit.movement_good * ONE_MP for way in ways)

    # -- late groups (10.0 of Dead of Winter) ------------------------------------------------------------------------

    def late_groups(self, battle: Battle) -> None:
        """Make the groups that the arrival table sets up or lets arrive."""
        table = self.scenario.arrival_table
        for number, late in enumerate(self.scenario.late_group):
            where: Location = ("late_group", number)
            idents, chiefs = self.members(late, where)
            if table is None or (not idents and not chiefs):
                raise self.wrong(where, "it has neither units nor leaders")
            entrances = self.entrances(battle, late.hexes, False, (*where, "hexes"))
            units = self.muster(battle, late, idents, where)
            leaders = self.officers(battle, late, chiefs, where)
            self.check_entry(units, leaders, entrances, where)
            group = Reinforcement(0, entrances, units, leaders, [ORDERS.index(name) for name in late.orders])
            group.due = NEVER
            group.late = self.late_arrival(table, late, where)
            battle.reinforcements.append(group)

    def late_arrival(self, table: ArrivalTable, late: LateGroup, where: Location) -> LateArrival:
        """What the table says of a group."""
        try:
            hexes = hexes_of(late.area, self.map)
        except ValueError as error:
            raise self.wrong((*where, "area"), str(error)) from None
        turns = []
        for number, line in enumerate(table.first):
            hours = [] if line.set_up else [
                self.turn_at(line.day, after.hour, ("arrival_table", "first", number)) for after in table.second
            ]
            turns.append(hours)
        return LateArrival(
            table.zero, late.drm, [line.most for line in table.first if line.most is not None],
            [SET_UP if line.set_up else line.drm for line in table.first], turns,
            [line.most for line in table.second if line.most is not None], hexes,
        )

    def turn_at(self, day: str, hour: str, where: Location) -> int:
        """The turn of a day and hour; the first of the day that is not earlier, where the track begins in it."""
        of_day = [(at, turn.label) for at, turn in enumerate(self.scenario.turn) if turn.label.startswith(f"{day}, ")]
        if not of_day:
            raise self.wrong(where, f'no turn is labelled "{day}, ..."')
        later = [at for at, label in of_day if label.partition(", ")[2] >= hour]
        if not later:
            raise self.wrong(where, f'no turn of {day} is as late as "{hour}"')
        return later[0]

    # -- withdrawals (7.0, 9.0 of Dead of Winter) ----------------------------------------------------------------------

    def withdrawals(self, battle: Battle, rules: ScenarioRules) -> None:
        """Note who leaves the map when, and make the groups with which they come back."""
        for number, table in enumerate(self.scenario.withdrawal):
            where: Location = ("withdrawal", number)
            idents, chiefs = self.members(table, where)
            for ident in [*idents, *chiefs]:
                if ident not in self.units and ident not in self.leaders:
                    raise self.wrong(where, f"{ident} is not in this battle, so cannot leave it; name it under but")
            units = [self.units[ident] for ident in idents]
            leaders = [self.leaders[ident] for ident in chiefs]
            if not units and not leaders:
                raise self.wrong(where, "it has neither units nor leaders")
            rules.departures.append(self.departure(battle, table, units, leaders, where))

    def departure(
        self, battle: Battle, table: Withdrawal, units: list[Unit], leaders: list[Leader], where: Location
    ) -> Departure:
        """One withdrawal, with the group with which they come back."""
        turn, back = self.turn(table.turn, (*where, "turn")), table.returns
        if back is None:
            return Departure(turn, units, leaders, [], [NO_LIMIT for _ in units], -1)
        where = (*where, "returns")
        known = [unit.id for unit in units]
        for ident in back.strength:
            if ident not in known:
                raise self.wrong((*where, "strength"), f"{ident} does not leave the map, so cannot come back")
        entrances = self.entrances(battle, back.hexes, False, (*where, "hexes"))
        self.check_entry(units, leaders, entrances, where)
        again = self.turn(back.turn, (*where, "turn"))
        if again <= turn:
            raise self.wrong((*where, "turn"), "they come back before they leave, or at once")
        group = Reinforcement(
            again, entrances, units, leaders, [ORDERS.index(name) for name in back.orders],
            -1 if back.activations is None else back.activations, 0, True,
        )
        battle.reinforcements.append(group)
        level = -1 if back.fatigue is None else FATIGUES.index(back.fatigue)
        most = [back.strength.get(unit.id, NO_LIMIT) for unit in units]
        return Departure(turn, units, leaders, [group], most, level)
