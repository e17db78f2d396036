"""The abstract Commander: every question that a rule asks a player, with its legal answers.

The rules ask and offer only what is legal; an answer outside the offer is an error that names the method. Each
method has a sensible answer here, but for `act` and `shocks`, which say how a side fights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from simkit.model.forces import ADVANCE, ATTACK

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Command, Part, Unit
    from simkit.model.leaders import Leader
    from simkit.rules.chargepath import ChargeWay
    from simkit.rules.columnplans import ColumnMove
    from simkit.rules.series import Series


class CommanderError(Exception):
    """A commander's answer is none of those offered, or it tried what the rules forbid."""


class Designation:
    """A shock as its commander designates it (11.31): the attacking units and the hexes of the defenders."""

    def __init__(self, attackers: list[Unit], targets: list[Hex]) -> None:
        self.attackers = attackers
        self.targets = targets


class Aim:
    """A fire as its commander announces it (8.45, 10.65): parts of one unit, or sections of a hex, that fire together.

    Or a single part that splits its fire between several targets (10.15, 7.34); of two in the same front the first gets
    the greater half. `rapid` is for sections: those that can fire twice do so (10.68).
    """

    def __init__(self, parts: list[Part], targets: list[Hex], rapid: bool = False) -> None:
        self.parts = parts
        self.targets = targets
        self.rapid = rapid


class Way:
    """A way of retreat or advance that the rules allow: the hexes in order; the last is where it ends (12.44, 12.6)."""

    def __init__(self, hexes: list[Hex], through: bool) -> None:
        self.hexes = hexes
        self.through = through  # leads through friendly units that must then check (12.46)

    def end(self) -> Hex:
        """The hex in which it ends."""
        return self.hexes[len(self.hexes) - 1]


class LineAdvance:
    """A way in which an Extended Line advances (8.47): the hexes of its parts, counter first, and its heading there."""

    def __init__(self, hexes: list[Hex], heading: i64) -> None:
        self.hexes = hexes
        self.heading = heading


class Transfer:
    """A transfer of efficiency (5.43): a marker more for a division, two fewer for one other or one fewer for two."""

    def __init__(self, to: Command, givers: list[Command]) -> None:
        self.to = to
        self.givers = givers


class Works:
    """Breastworks that a unit may begin (15.13): in which hex, and the vertex that they and the builder will face."""

    def __init__(self, place: Hex, heading: i64) -> None:
        self.hex = place
        self.heading = heading


@mypyc_attr(allow_interpreted_subclasses=True)
class Commander:
    """Whoever decides for one side.

    Subclass it in plain Python and override what you care about; `act` and `shocks` must be there. Do not keep what
    a method is handed beyond the call, but for the battle itself: units and hexes stay the same objects in all runs.
    """

    def __init__(self) -> None:
        self.side: i64 = 0

    # -- before play and between activations -----------------------------------------------------------------------

    def deploy(self, series: Series, side: i64) -> None:
        """Set what the scenario leaves to the owner: orders (6.17), facing, cavalry mounted or not; called once a run.

        `series.orders.assign(command, orders)`, `series.facing.set_up(unit, heading)` and
        `series.mounting.set_up(unit, mounted)` do it.
        """

    def first_marker(self, series: Series, divisions: list[Command]) -> i64:
        """Which of its divisions (index) goes first with the initiative (5.13).

        The last of them is the army when its March marker may be chosen.
        """
        return 0

    def fewer_markers(self, series: Series, division: Command, most: i64) -> i64:
        """How many of its markers, 1 to `most`, a division puts into the pool (5.31)."""
        return most

    def army_bonus(self, series: Series, corps: list[Command]) -> i64:
        """Which corps (index) in range of the army commander has its efficiency raised by one (5.22); -1 none."""
        return 0

    def corps_bonus(self, series: Series, divisions: list[Command]) -> i64:
        """Which division (index) in range gets one more marker from its corps commander's rating (5.23); -1 none."""
        return 0

    def division_orders(self, series: Series, brigades: list[Command]) -> None:
        """Change orders of brigades in the chain of command without a roll (6.12), by `series.orders.assign`."""

    def ends_arrangements(self, series: Series, army: Command) -> bool:
        """Whether a side gives up, for good, the arrangements by which commands serve under others (8.0)."""
        return False

    def delay_entry(self, series: Series, command: Command, units: list[Unit]) -> bool:
        """Whether reinforcements of a command that are due stay off the map this turn (9.73).

        They bar the later groups of their side from their entry hexes until they have entered. Units can also delay by
        not entering when they are active.
        """
        return False

    def reinforcement_orders(self, series: Series, command: Command, units: list[Unit], choices: list[int]) -> i64:
        """Which of several orders reinforcements of a command get that are due: MARCH, ADVANCE or ATTACK (3.0 II/D)."""
        return ADVANCE if ADVANCE in choices else choices[0]

    def build(self, series: Series, part: Part, works: list[Works]) -> i64:
        """Which breastworks (index) a unit, or a part of an Extended Line, begins to build (15.1); -1 none.

        It can then do nothing else until they are done, at the end of the next turn, by night of this one.
        """
        return -1

    def keeps_building(self, series: Series, unit: Unit) -> bool:
        """Whether a unit that is activated goes on building; else it gives up what it has begun and acts (15.14)."""
        return True

    def tear_down(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Whether a unit that has crossed the breastworks of a hex removes them for a movement point (15.17)."""
        return False

    def transfer(self, series: Series, transfers: list[Transfer]) -> i64:
        """Which transfer of activation markers between its divisions (index) a side makes this turn (5.4); -1 none."""
        return -1

    def reserve(self, series: Series, commands: list[Command]) -> None:
        """Place commands in reserve (6.32), by `series.reserve.place`: brigades, or units directly under a leader."""

    def leave_reserve(self, series: Series, command: Command) -> i64:
        """Orders with which a command leaves reserve at the end of a turn (6.34): ADVANCE, ATTACK, or -1 to stay."""
        return ADVANCE

    def return_to(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """In which hex (index) near its brigadier a unit returns that has recovered from rout (13.52)."""
        return 0

    def next_brigade(self, series: Series, brigades: list[Command]) -> i64:
        """Which of the brigades still to activate under this marker (index) goes next (5.32)."""
        return 0

    def let_pass(self, series: Series, brigade: Command, markers_left: i64) -> bool:
        """Whether a brigade that must skip a marker this turn lets this one pass; the last has to (5.26, 13.23)."""
        return not any(unit.waiting for unit in brigade.units)

    def let_unit_pass(self, series: Series, unit: Unit, activations_left: i64) -> bool:
        """Whether a unit out of command lets this activation of its brigade pass; the last has to (5.36, 9.74)."""
        return not unit.waiting

    def attach(self, series: Series, brigade: Command, batteries: list[Unit]) -> i64:
        """Which battery of its division (index) is attached to a brigade for this turn (4.32, 5.33); -1 none."""
        return -1

    def place_under(self, series: Series, unit: Unit, command: Command) -> bool:
        """Whether a battery comes under an artillery command for the rest of the battle (4.33)."""
        return False

    def event_unit(self, series: Series, unit: Unit, event: str) -> i64:
        """How much a side wants a random event to fall on a unit, of those on whom it may (19.0 of the books)."""
        return 0

    def event_leader(self, series: Series, leader: Leader, event: str) -> i64:
        """How much a side wants a random event to fall on a leader, of those on whom it may (19.0 of the books)."""
        return 0

    def coordinate(self, series: Series, division: Command, brigades: list[Command]) -> bool:
        """Whether to try to act with several brigades at once (5.34)."""
        return False

    def coordinated(self, series: Series, division: Command, brigades: list[Command], most: i64) -> list[Command]:
        """Which brigades, at most `most`, act as one after coordination has succeeded (5.34)."""
        return brigades[:most]

    def change_orders(self, series: Series, brigade: Command) -> i64:
        """Orders that an activated brigade tries to change to by die roll: ADVANCE, ATTACK, or -1 for no try (6.21)."""
        return -1

    def take_orders(self, series: Series, brigade: Command, wanted: i64) -> i64:
        """Which orders a brigade takes that has won leave to change (6.23): ADVANCE, ATTACK, or those that it has."""
        return wanted

    def charge_to(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """To which hex (index) next to an enemy a unit charges that an aggressive loose cannon drives on (6.24)."""
        return 0

    def leader_helps_rally(self, series: Series, leader: Leader, unit: Unit) -> bool:
        """Whether a leader stacked with a unit lends its rally his stars; he then neither moves nor shocks (13.43)."""
        return True

    def change_mount(self, series: Series, unit: Unit) -> bool:
        """Whether active cavalry that may mount or dismount does so, before it does anything else (14.22)."""
        return False

    def act(self, series: Series, brigades: list[Command]) -> None:
        """Move, fire, rally with the units of the active brigades, by the chapters' actions (3.0 III/C/3)."""
        raise NotImplementedError("Commander.act")

    def shocks(self, series: Series, brigades: list[Command]) -> list[Designation]:
        """Designate the shocks of the active brigades (11.31); those that must shock (11.21) have to be among them."""
        raise NotImplementedError("Commander.shocks")

    def from_left(self, series: Series, brigades: list[Command]) -> bool:
        """Whether its shocks are resolved from the left of its line to the right, or the other way (11.41)."""
        return True

    def rest(self, series: Series, command: Command, units: list[Unit]) -> bool:
        """Whether whoever stood idle for a turn loses a Fatigue Level rather than rallies units (13.45, 17.42).

        They are the brigade `command`, with several of its units disordered, or one disordered unit in no brigade.
        """
        return False

    def end_of_turn(self, series: Series, side: i64) -> None:
        """Move corps and army commanders (3.0 IV/A), by `series.movement.move_leader`."""

    # -- in the middle of somebody's action ------------------------------------------------------------------------

    def return_fire(self, series: Series, unit: Unit, target: Hex, most: i64) -> i64:
        """Strength points, 0 to `most`, with which a unit returns fire at a hex (10.42); the rest is kept for later."""
        return most

    def approach_fire(self, series: Series, unit: Unit, target: Unit, most: i64) -> i64:
        """Guns, 0 to `most`, that fire at an enemy unit that has come within three hexes (10.45)."""
        return most

    def withdrawal_fire(self, series: Series, unit: Unit, target: Unit, most: i64) -> i64:
        """Strength points, 0 to `most`, that fire at an enemy unit about to leave a frontal hex (10.44)."""
        return most

    def pre_shock_fire(self, series: Series, unit: Unit, targets: list[Hex]) -> i64:
        """At which attackers' hex (index) a unit fires before shock (10.43); -1 none.

        Between two hexes it may split its fire: 2 for the greater half at the first, 3 at the second (10.15).
        """
        return 0

    def next_to_fire(self, series: Series, units: list[Unit]) -> i64:
        """Which of several units (index) fires next before shock (11.11, 11.38)."""
        return 0

    def part_return_fire(self, series: Series, part: Part, target: Hex, most: i64) -> i64:
        """The same for a part of an Extended Line, whose parts fire at one hex together, at the worst DRMs (8.45).

        By default as for any unit.
        """
        return self.return_fire(series, part.unit, target, most)

    def part_withdrawal_fire(self, series: Series, part: Part, target: Unit, most: i64) -> i64:
        """As `withdrawal_fire`, for a part of an Extended Line (8.45, 10.44). By default as for any unit."""
        return self.withdrawal_fire(series, part.unit, target, most)

    def part_pre_shock_fire(self, series: Series, part: Part, targets: list[Hex]) -> i64:
        """As `pre_shock_fire`, for a part of an Extended Line (8.45, 10.43). By default as for any unit."""
        return self.pre_shock_fire(series, part.unit, targets)

    def fires_with(self, series: Series, unit: Unit, leader: Unit, targets: list[Hex]) -> bool:
        """Whether a unit joins the phasing fire of another of its hex, where they combine (10.82).

        If not, it may fire at other hexes later, from there not at these.
        """
        return True

    def which_part(self, series: Series, part: Part, enemy: Unit, places: list[Hex]) -> i64:
        """At which of several hexes (index) of an extended enemy unit a part of a unit fires (8.45, 10.42, 10.45)."""
        return 0

    def reaction_facing(self, series: Series, unit: Unit, enemy: Unit, headings: list[int]) -> i64:
        """To which heading (index) a stack turns in reaction to an enemy come adjacent or firing; -1 none (9.61).

        `unit` stands for its stack; each of it but guns then checks its cohesion (9.62).
        """
        return -1

    def reaction_refusal(self, series: Series, unit: Unit, enemy: Unit, sides: list[int]) -> i64:
        """Which flank (index) a stack refuses in reaction to an enemy, at the price of a check; -1 none (9.61).

        The sides are REFUSED_LEFT, REFUSED_RIGHT or, for an Extended Line, both together.
        """
        return -1

    def reaction_move(self, series: Series, unit: Unit, enemy: Unit, place: Hex) -> bool:
        """Whether cavalry or guns move off before an enemy enters a hex within three of them (9.63).

        `retreat` then asks for the way; where there is none they stay.
        """
        return False

    def fire_before_reaction(self, series: Series, unit: Unit, battery: Unit) -> bool:
        """Whether a moving unit fires at a battery that is about to move off before it (9.63)."""
        return False

    def keeps_moving(self, series: Series, unit: Unit) -> bool:
        """Whether a moving unit goes on after it has entered a hex before which an enemy moved off (9.63)."""
        return True

    def charge_together(self, series: Series, units: list[Unit]) -> bool:
        """Whether stacked cavalry that is to charge rides as a stack, or one after the other (8.21, 11.53)."""
        return True

    def charge_way(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """By which way (index) cavalry charges that has passed its check (11.54); the cheapest comes first."""
        return 0

    def break_off_charge(self, series: Series, units: list[Unit]) -> bool:
        """Whether a charge whose target has moved off tries to break off; if the check fails it goes on (11.57)."""
        return False

    def continue_charge(self, series: Series, units: list[Unit], ways: list[ChargeWay]) -> i64:
        """By which way (index) a charge goes on whose target has moved off; those that meet an enemy first (11.57)."""
        return 0

    def countercharge(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Whether cavalry that is charged countercharges; by default where its orders ask for no check (11.56)."""
        return units[0].orders == ATTACK and not units[0].blown

    def rapid_fire(self, series: Series, unit: Unit, target: Hex) -> bool:
        """Whether smoothbores fire twice at canister range, at the risk of their ammunition (10.68)."""
        return False

    def section_fire(self, series: Series, unit: Unit, targets: list[Hex], mode: i64) -> list[Aim]:
        """How a battery of several sections fires at one or two of the hexes that the enemy gives it (10.4, 10.65).

        Each fire names sections that fire together at one hex; those that are in none keep theirs for another hex, but
        for pre-shock fire. `series.batteries.sections_at(unit, hex, mode)` lists who can fire at a hex; `mode` is
        RETURN, APPROACH or PRE_SHOCK of the fire modifiers. By default all together at the first hex.
        """
        sections = series.batteries.sections_at(unit, targets[0], mode)
        rapid = series.batteries.may_rapid(sections, targets[0], mode, True)
        return [Aim(sections, targets[:1], rapid and self.rapid_fire(series, unit, targets[0]))]

    def combine_guns(self, series: Series, units: list[Unit], target: Hex) -> bool:
        """Whether batteries of one hex that return fire with shot and shell do so as one (10.63)."""
        return True

    def retreat_before_shock(self, series: Series, units: list[Unit], attackers: list[Unit]) -> bool:
        """Whether the eligible units of a hex retreat before they are shocked (11.33)."""
        return False

    def gives_way(self, series: Series, unit: Unit, attackers: list[Unit]) -> bool:
        """Whether one of several units of a hex goes when `retreat_before_shock` has said that the hex does (11.33)."""
        return True

    def next_stack(self, series: Series, units: list[Unit], step: str) -> i64:
        """Which of its stacks under shock (index of its top unit) goes next in a step of the shock (11.11).

        The step is "retreat before shock" or "pre-shock check".
        """
        return 0

    def retreat(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """By which way (index) a unit or its stack retreats (12.41)."""
        return 0

    def advance_after_fire(self, series: Series, unit: Unit, vacated: Hex) -> bool:
        """Whether a unit advances into a hex that its fire has emptied (12.6)."""
        return False

    def advance_after_retreat(self, series: Series, unit: Unit, vacated: Hex) -> bool:
        """Whether an attacker advances into the hex of a defender that retreated before shock (11.46)."""
        return True

    def advance_after_defence(self, series: Series, unit: Unit, vacated: list[Hex]) -> i64:
        """Into which hex (index) victorious defenders advance without shocking in turn (11.46); -1 none."""
        return -1

    def next_to_advance(self, series: Series, units: list[Unit]) -> i64:
        """Which of several units of equal priority (index) advances first after shock (11.46)."""
        return 0

    def advance_into(self, series: Series, unit: Unit, vacated: list[Hex]) -> i64:
        """Into which of several vacated hexes (index) a unit advances (11.46)."""
        return 0

    def advance_line(self, series: Series, unit: Unit, ways: list[LineAdvance]) -> i64:
        """In which way (index) an Extended Line advances: straight ahead, or pivoting on one end (8.47)."""
        return 0

    def contract_into(self, series: Series, unit: Unit, places: list[Hex]) -> i64:
        """Into which of its hexes (index) an extended unit contracts to retreat or advance (8.47, 8.49, 8.53)."""
        return 0

    def wrap_around(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Whether an Extended Line that shocks swings the part that is not in contact into a hex (8.48)."""
        return True

    def top_defender(self, series: Series, units: list[Unit]) -> i64:
        """Which of several top units (index) of an Extended Line and the guns with it checks before shock (11.37)."""
        return 0

    def heading_after(self, series: Series, unit: Unit, headings: list[int]) -> i64:
        """Which heading (index) a unit takes where a vertex is free: after advance or rally (11.46, 13.41)."""
        return 0

    def continue_shock(self, series: Series, units: list[Unit], number: i64) -> bool:
        """Whether units that may continue shock do so; `number` counts the continued shocks before this one (11.47)."""
        return False

    def joins_continued_shock(self, series: Series, unit: Unit, number: i64) -> bool:
        """Whether one of several units of a hex goes along when `continue_shock` has agreed for the hex (11.47)."""
        return True

    def continued_advance(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """By which way (index) units that continue shock go on to meet an enemy (11.47)."""
        return 0

    def advance_further(self, series: Series, unit: Unit, ways: list[Way]) -> i64:
        """By which way (index) units that would continue shock but can meet no enemy go on; -1 to stay (11.47)."""
        return -1

    def advance_line_further(self, series: Series, unit: Unit, ways: list[LineAdvance]) -> i64:
        """The same for an Extended Line, by where it would end (8.47)."""
        return -1

    def stack_on_top(self, series: Series, unit: Unit, place: Hex) -> bool:
        """Whether a unit that may choose stacks on top of artillery rather than beneath it (8.23)."""
        return False

    def line_keeps(self, series: Series, unit: Unit, choices: list[list[Hex]]) -> i64:
        """Which of its hexes (index) a line keeps that has become too weak for all of them (8.42, 8.43)."""
        return 0

    def column_from_line(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Which column (index) an Extended Line becomes that is given March Orders (7.23, 7.26)."""
        return 0

    def line_from_column(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """Which Extended Line (index) a column becomes that no longer marches; -1 to stay in column (7.23, 7.26)."""
        return -1

    def leave_column(self, series: Series, unit: Unit, moves: list[ColumnMove]) -> i64:
        """How (index) a column under Attack Orders retracts or forms line before it does anything else (8.53)."""
        return 0

    def column_keeps(self, series: Series, unit: Unit, choices: list[list[Hex]]) -> i64:
        """Which of its hexes (index) a column keeps that has become too weak for all of them (8.5)."""
        return 0

    def leader_stays_with(self, series: Series, leader: Leader, unit: Unit) -> bool:
        """Whether a leader goes along with a unit that advances or retreats (12.72)."""
        return True

    def replacement_with(self, series: Series, leader: Leader, units: list[Unit]) -> i64:
        """With which unit (index) a replacement leader appears (12.74)."""
        return 0

    def who_stands(self, series: Series, units: list[Unit]) -> i64:
        """Which of several units of the same, highest cohesion (index) does not rout when both sides would (12.52)."""
        return 0

    def next_in_command(self, series: Series, leader: Leader, candidates: list[Leader]) -> i64:
        """Which of several subordinates (index) takes a leader's place whose replacement has fallen (12.76)."""
        return 0

    def leader_joins(self, series: Series, leader: Leader, places: list[Hex]) -> i64:
        """To which of several equally near hexes (index) a leader goes who is left alone beside the enemy (12.73)."""
        return 0

    def recrew(self, series: Series, unit: Unit) -> bool:
        """Whether an abandoned battery to which its crew can return is manned again (12.81)."""
        return True

    def recrew_heading(self, series: Series, unit: Unit) -> i64:
        """Heading of recrewed guns in a hex without friends (12.81)."""
        return unit.heading
