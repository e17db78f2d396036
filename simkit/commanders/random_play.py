"""Random legal play: the yardstick that every commander must beat, and a way to walk through odd states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.random_answers import RandomAnswers
from simkit.model.battlemap import Hex
from simkit.model.firebook import NORMAL_FRONT
from simkit.model.forces import (
    ADVANCE,
    ATTACK,
    EXTENDED_COLUMN,
    EXTENDED_LINE,
    IN_ONE_HEX,
    REFUSED_LEFT,
    REFUSED_RIGHT,
    Command,
    Part,
    Unit,
)
from simkit.model.leaders import Leader
from simkit.rules.batteries import MOST_TARGETS
from simkit.rules.columnplans import INTO_LINE, ColumnMove
from simkit.rules.commander import Aim, Designation, Transfer, Works
from simkit.rules.firemodifiers import APPROACH, PHASING, PRE_SHOCK, RETURN, WITHDRAWAL

if TYPE_CHECKING:
    from simkit.rules.chargepath import ChargeWay
    from simkit.rules.series import Series


@mypyc_attr(allow_interpreted_subclasses=True)
class RandomCommander(RandomAnswers):
    """Chooses among what is legal, each as likely; its choices come from the dice's commander stream."""

    def deploy(self, series: Series, side: i64) -> None:
        """Units whose owner chooses where they start go here or there."""
        for area in series.setting_up.areas(side):
            for unit in area.units:
                places = series.setting_up.choices(unit)
                if places and self._pick(series, unit.command, 2) == 0:
                    series.setting_up.place(unit, places[self._pick(series, unit.command, len(places))])

    def first_marker(self, series: Series, divisions: list[Command]) -> i64:
        """Any division."""
        return self._pick(series, divisions[0], len(divisions))

    def division_orders(self, series: Series, brigades: list[Command]) -> None:
        """Advance or Attack, as it falls; a brigade too tired for Attack only Advance."""
        for brigade in brigades:
            attack = self._pick(series, brigade, 2) == 0 and not series.orders.forbids(brigade, ATTACK)
            series.orders.assign(brigade, ATTACK if attack else ADVANCE)

    def next_brigade(self, series: Series, brigades: list[Command]) -> i64:
        """Any brigade."""
        return self._pick(series, brigades[0], len(brigades))

    def coordinate(self, series: Series, division: Command, brigades: list[Command]) -> bool:
        """Sometimes."""
        return self._pick(series, division, 4) == 0

    def change_orders(self, series: Series, brigade: Command) -> i64:
        """Sometimes, to Advance or Attack."""
        draw = self._pick(series, brigade, 4)
        if draw == 0 and brigade.orders != ATTACK and not series.orders.forbids(brigade, ATTACK):
            return ATTACK
        if draw == 1 and brigade.orders != ADVANCE:
            return ADVANCE
        return -1

    def change_mount(self, series: Series, unit: Unit) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 3) == 0

    def act(self, series: Series, brigades: list[Command]) -> None:
        """Each unit in turn: refuse a flank, rally, fire, move or stand, as it falls."""
        for brigade in brigades:
            for unit in series.activation.members(brigade):
                self._act(series, brigade, unit)
        self._lead_guns(series)
        self._bring_leaders(series)

    def _lead_guns(self, series: Series) -> None:
        """4.33: artillery leaders whose command is active ride sometimes, anywhere."""
        for own in series.battle.artillery:
            for leader in own.command.leader_list:
                if leader.side == self.side and leader.in_play() and series.movement.leader_may_move(leader):
                    places = series.movement.leader_search(leader)
                    if places and self._pick(series, own.command, 2) == 0:
                        series.movement.move_leader(leader, places[self._pick(series, own.command, len(places))])

    def place_under(self, series: Series, unit: Unit, command: Command) -> bool:
        """Sometimes."""
        return self._pick(series, command, 3) == 0

    def _bring_leaders(self, series: Series) -> None:
        """Leaders who wait at the edge of the map and may ride onto it do so sometimes, to any hex."""
        for leader in series.battle.leaders:
            if leader.waiting and leader.side == self.side and series.movement.leader_may_move(leader):
                places = series.movement.leader_search(leader)
                if places and self._pick(series, leader.command, 2) == 0:
                    series.movement.move_leader(leader, places[self._pick(series, leader.command, len(places))])

    def transfer(self, series: Series, transfers: list[Transfer]) -> i64:
        """Sometimes, any."""
        if self._pick(series, transfers[0].to, 2) == 0:
            return -1
        return self._pick(series, transfers[0].to, len(transfers))

    def event_unit(self, series: Series, unit: Unit, event: str) -> i64:
        """Any."""
        return self._pick(series, unit.command, 100)

    def event_leader(self, series: Series, leader: Leader, event: str) -> i64:
        """Any."""
        return self._pick(series, leader.command, 100)

    def build(self, series: Series, part: Part, works: list[Works]) -> i64:
        """Sometimes, any that can still be done."""
        if not series.engineering.in_time() or self._pick(series, part.unit.command, 3) > 0:
            return -1
        return self._pick(series, part.unit.command, len(works))

    def keeps_building(self, series: Series, unit: Unit) -> bool:
        """Mostly."""
        return self._pick(series, unit.command, 4) > 0

    def tear_down(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 2) == 0

    def end_of_turn(self, series: Series, side: i64) -> None:
        """Commanders who wait at the edge of the map come sometimes."""
        self._bring_leaders(series)

    def rest(self, series: Series, command: Command, units: list[Unit]) -> bool:
        """Sometimes."""
        return self._pick(series, command, 2) == 0

    def ends_arrangements(self, series: Series, army: Command) -> bool:
        """Sometimes."""
        return self._pick(series, army, 4) == 0

    def delay_entry(self, series: Series, command: Command, units: list[Unit]) -> bool:
        """Sometimes."""
        return self._pick(series, command, 4) == 0

    def reinforcement_orders(self, series: Series, command: Command, units: list[Unit], choices: list[int]) -> i64:
        """Any."""
        return choices[self._pick(series, command, len(choices))]

    def _act(self, series: Series, brigade: Command, unit: Unit) -> None:
        if not unit.available():
            return
        side = (REFUSED_LEFT, REFUSED_RIGHT)[self._pick(series, brigade, 2)]
        if series.refusal.may_refuse(unit, side) and self._pick(series, brigade, 4) == 0:
            series.refusal.refuse(unit, side)
        elif series.refusal.may_unrefuse(unit) and self._pick(series, brigade, 4) == 0:
            series.refusal.unrefuse(unit)
        if unit.sections:
            self._tend_sections(series, brigade, unit)
        if unit.is_mounted() and self._charges(series, brigade, unit):
            return
        draw = self._pick(series, brigade, 4)
        if draw == 0 and series.effectiveness.may_rally(unit):
            series.effectiveness.rally(unit)
        elif draw == 0 and series.effectiveness.may_resupply(unit):
            series.effectiveness.resupply(unit)
        elif draw == 1 and series.fire.may_fire(unit):
            self._fire(series, brigade, unit)
        elif draw >= 2 and series.movement.may_move(unit):
            self._move(series, brigade, unit)

    def _tend_sections(self, series: Series, brigade: Command, unit: Unit) -> None:
        """A battery sometimes puts its last section on top (8.24), or lets one that is short resupply (10.92)."""
        if series.batteries.may_reorder(unit) and self._pick(series, brigade, 4) == 0:
            series.batteries.reorder(unit, unit.sections[-1:] + unit.sections[:-1])
        short = series.batteries.may_resupply(unit)
        if short and self._pick(series, brigade, 2) == 0:
            series.batteries.resupply(unit, short[:1])

    def _charges(self, series: Series, brigade: Command, unit: Unit) -> bool:
        """Cavalry that may charge does so often, with a leader of its hex or without; whether it has tried."""
        if not series.charge.may_charge(unit) or self._pick(series, brigade, 3) == 0:
            return False
        riders = [leader for leader in unit.hex.leaders if series.movement.may_take(leader, unit)]
        series.charge.charge(unit, riders[: self._pick(series, brigade, len(riders) + 1)])
        return True

    def charge_together(self, series: Series, units: list[Unit]) -> bool:
        """Mostly."""
        return self._pick(series, units[0].command, 4) > 0

    def charge_way(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """Any way."""
        return self._pick(series, units[0].command, len(ways))

    def break_off_charge(self, series: Series, units: list[Unit]) -> bool:
        """Sometimes."""
        return self._pick(series, units[0].command, 2) == 0

    def continue_charge(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """Any way."""
        return self._pick(series, units[0].command, len(ways))

    def countercharge(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Sometimes."""
        return self._pick(series, units[0].command, 2) == 0

    def _fire(self, series: Series, brigade: Command, unit: Unit) -> None:
        """At any target, or split between two; standing or not, rapidly or not.

        Each part of a line fires at any target of its own, those at the same one together (8.45).
        """
        targets = series.fire.targets(unit)
        if not targets:
            return
        if unit.sections:
            series.fire.phasing_parts(unit, self._aims(series, unit, targets, PHASING))
            return
        if unit.extended != EXTENDED_LINE:
            places = [targets[self._pick(series, brigade, len(targets))]]
            pairs = series.fire.splits(unit) if self._pick(series, brigade, 3) == 0 else []
            if pairs:
                places = pairs[self._pick(series, brigade, len(pairs))]
            standing = unit.orders != ATTACK or self._pick(series, brigade, 2) == 0
            rapid = standing
            for place in places:
                rapid = rapid and series.fire.may_rapid(unit, place, PHASING, True)
            series.fire.phasing(unit, places, rapid and self._pick(series, brigade, 2) == 0, standing)
            return
        aims: list[Aim] = []
        for part in unit.parts:
            mine = [target for target in targets if part in series.fire.bearing(unit, target)]
            if not mine:
                continue
            chosen = mine[self._pick(series, brigade, len(mine))]
            joined = False
            for aim in aims:
                if aim.targets[0] is chosen:
                    aim.parts.append(part)
                    joined = True
            if not joined:
                aims.append(Aim([part], [chosen]))
        series.fire.phasing_parts(unit, aims)

    def _aims(self, series: Series, unit: Unit, targets: list[Hex], mode: i64) -> list[Aim]:
        """10.65: each section at one of two targets or none, with another or alone, rapidly or not; one at least."""
        brigade = unit.command
        chosen = [targets[self._pick(series, brigade, len(targets))] for _ in range(MOST_TARGETS)]
        aims: list[Aim] = []
        for section in unit.sections:
            target = chosen[self._pick(series, brigade, MOST_TARGETS)]
            if section not in series.batteries.sections_at(unit, target, mode):
                continue
            draw = self._pick(series, brigade, 4)
            joined = False
            for aim in aims:
                if draw < 2 and not joined and aim.targets[0] is target:
                    aim.parts.append(section)
                    joined = True
            if not joined and (draw > 0 or not aims):
                aims.append(Aim([section], [target]))
        for aim in aims:
            rapid = series.batteries.may_rapid(aim.parts, aim.targets[0], mode, True)
            aim.rapid = rapid and self._pick(series, brigade, 2) == 0
        if not aims and mode == PHASING:
            aims.append(Aim(series.batteries.sections_at(unit, targets[0], mode)[:1], targets[:1]))
        return aims

    def section_fire(self, series: Series, unit: Unit, targets: list[Hex], mode: i64) -> list[Aim]:
        """Any sections at any of the targets."""
        return self._aims(series, unit, targets, mode)

    def _move(self, series: Series, brigade: Command, unit: Unit) -> None:
        if unit.extended == EXTENDED_LINE:
            self._manoeuvre(series, brigade, unit)
            return
        if unit.extended == EXTENDED_COLUMN and self._reform(series, brigade, unit):
            return
        extensions = series.lines.extensions(unit)
        if extensions and self._pick(series, brigade, 3) == 0:
            series.lines.extend(unit, extensions[self._pick(series, brigade, len(extensions))])
            self._manoeuvre(series, brigade, unit)
            return
        if not unit.waiting and self._move_otherwise(series, brigade, unit):
            return
        strong = unit.orders == ADVANCE and series.columns.extensions(unit) > 0
        series.movement.search(unit, strong and self._pick(series, brigade, 3) == 0)
        nodes = [node for node in series.movement.reached if series.movement.may_stop(node)]
        if nodes:
            node = nodes[self._pick(series, brigade, len(nodes))]
            riders = series.reinforcements.riders(unit, node) if unit.waiting else []
            series.movement.move(unit, node, node.heading, riders[: self._pick(series, brigade, len(riders) + 1)])

    def _manoeuvre(self, series: Series, brigade: Command, unit: Unit) -> None:
        """An Extended Line moves, pivots, turns about, retracts, withdraws or forms column, as long as it falls so."""
        columns = series.columns.columns(unit)
        if columns and self._pick(series, brigade, 4) == 0:
            series.columns.form_column(unit, columns[self._pick(series, brigade, len(columns))])
        going = unit.extended == EXTENDED_LINE
        while going:
            lines = series.lines
            moves = lines.line_moves(unit)
            retractions = lines.retractions(unit)
            withdrawals = lines.withdrawals(unit)
            draw = self._pick(series, brigade, len(moves) + len(retractions) + len(withdrawals) + 1)
            going = False
            if draw < len(moves):
                going = lines.line_move(unit, moves[draw])
            elif draw - len(moves) < len(retractions):
                lines.retract(unit, retractions[draw - len(moves)])
            elif draw - len(moves) - len(retractions) < len(withdrawals):
                lines.withdraw(unit, withdrawals[draw - len(moves) - len(retractions)])

    def _reform(self, series: Series, brigade: Command, unit: Unit) -> bool:
        """A column sometimes turns about, sometimes retracts or forms line; whether it is none any more."""
        draw = self._pick(series, brigade, 4)
        if draw == 0 and series.columns.may_face_about(unit):
            series.columns.face_about(unit)
        moves = series.columns.retractions(unit)
        moves.extend(series.columns.lines(unit))
        if draw == 1 and moves:
            move = moves[self._pick(series, brigade, len(moves))]
            if move.kind == INTO_LINE:
                series.columns.form_line(unit, move)
            else:
                series.columns.retract(unit, move)
        return unit.extended != EXTENDED_COLUMN

    def column_from_line(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Any."""
        return self._pick(series, unit.command, len(moves))

    def line_from_column(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Any, or none."""
        return self._pick(series, unit.command, len(moves) + 1) - 1

    def leave_column(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Any way."""
        return self._pick(series, unit.command, len(moves))

    def column_keeps(self, series: Series, unit: Unit, choices: list[list[Hex]]) -> i64:
        """Any."""
        return self._pick(series, unit.command, len(choices))

    def line_keeps(self, series: Series, unit: Unit, choices: list[list[Hex]]) -> i64:
        """Any."""
        return self._pick(series, unit.command, len(choices))

    def _move_otherwise(self, series: Series, brigade: Command, unit: Unit) -> bool:
        """Now and then as a stack (8.21), backwards (9.54) or one hex by exception (9.42)."""
        movement = series.movement
        draw = self._pick(series, brigade, 6)
        if draw == 0:
            return self._move_stack(series, brigade, unit)
        if draw == 1:
            ways = movement.withdrawals(unit)
            if ways:
                movement.withdraw(unit, ways[self._pick(series, brigade, len(ways))])
                return True
        elif draw == 2:
            sides = movement.exceptions(unit)
            if sides:
                movement.step(unit, sides[self._pick(series, brigade, len(sides))])
                return True
        return False

    def _move_stack(self, series: Series, brigade: Command, unit: Unit) -> bool:
        movement = series.movement
        stack: list[Unit] = [unit]
        for mate in series.battle.units_in(unit.hex):
            if mate is not unit and movement.may_move_together([*stack, mate]):
                stack.append(mate)
        movement.search_stack(stack)
        nodes = [node for node in movement.reached if movement.may_stop(node)]
        if nodes:
            node = nodes[self._pick(series, brigade, len(nodes))]
            movement.move_stack(stack, node, node.heading)
        return len(nodes) > 0

    def shocks(self, series: Series, brigades: list[Command]) -> list[Designation]:
        """What must shock, and sometimes what may."""
        wishes: list[Designation] = []
        for brigade in brigades:
            for unit in brigade.units:
                if unit.counts() and series.shock.may_shock(unit):
                    targets = series.shock.targets(unit)
                    if targets and (series.shock.must_shock(unit) or self._pick(series, brigade, 3) == 0):
                        wishes.append(Designation([unit], targets))
        return series.shock.complete(wishes)

    def rapid_fire(self, series: Series, unit: Unit, target: Hex) -> bool:
        """Sometimes."""
        return self._pick(series, unit.command, 2) == 0

    def return_fire(self, series: Series, unit: Unit, target: Hex, most: i64) -> i64:
        """None, all or half."""
        return self._share(series, unit.parts[0], target, RETURN, most)

    def part_return_fire(self, series: Series, part: Part, target: Hex, most: i64) -> i64:
        """None, all or half."""
        return self._share(series, part, target, RETURN, most)

    def withdrawal_fire(self, series: Series, unit: Unit, target: Unit, most: i64) -> i64:
        """None, all or half; a line of a line none or all."""
        if unit.extended != IN_ONE_HEX or target.extended != IN_ONE_HEX:
            return most * self._pick(series, unit.command, 2)
        return self._share(series, unit.parts[0], target.hex, WITHDRAWAL, most)

    def approach_fire(self, series: Series, unit: Unit, target: Unit, most: i64) -> i64:
        """None, all or half; at a line none or all."""
        if target.extended != IN_ONE_HEX:
            return most * self._pick(series, unit.command, 2)
        return self._share(series, unit.parts[0], target.hex, APPROACH, most)

    def _share(self, series: Series, part: Part, target: Hex, mode: i64, most: i64) -> i64:
        shares = series.fire.shares(part, target, mode, most)
        return shares[self._pick(series, part.unit.command, len(shares))]

    def pre_shock_fire(self, series: Series, unit: Unit, targets: list[Hex]) -> i64:
        """At any of the attackers' hexes, or split between two."""
        among = len(targets)
        if among == 2 and unit.extended == IN_ONE_HEX and unit.refused == 0:
            if series.fire.most_through(unit.parts[0], PRE_SHOCK, NORMAL_FRONT) > 1:
                among = 4
        return self._pick(series, unit.command, among)

    def fires_with(self, series: Series, unit: Unit, leader: Unit, targets: list[Hex]) -> bool:
        """Mostly."""
        return self._pick(series, unit.command, 4) > 0

    def combine_guns(self, series: Series, units: list[Unit], target: Hex) -> bool:
        """Sometimes."""
        return self._pick(series, units[0].command, 2) == 0

    def which_part(self, series: Series, part: Part, enemy: Unit, places: list[Hex]) -> i64:
        """Any."""
        return self._pick(series, part.unit.command, len(places))
