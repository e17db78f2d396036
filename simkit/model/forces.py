"""The forces: combat units and their parts, and the commands from brigade to army (2.2, 4.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import i64

from simkit.model.counters import Counter
from simkit.model.fatigue import FatigueMarker
from simkit.model.parts import EXTENDED_COLUMN, EXTENDED_LINE, FORMATIONS, IN_ONE_HEX, Part
from simkit.model.subject import Subject

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.model.charts import Weapon
    from simkit.model.entrances import Reinforcement
    from simkit.model.leaders import Leader
    from simkit.model.sections import Section

UNION: Final[i64] = 0
CONFEDERATE: Final[i64] = 1
SIDES: Final = ("Union", "Confederate")

INFANTRY: Final[i64] = 0
CAVALRY: Final[i64] = 1
ARTILLERY: Final[i64] = 2
KINDS: Final = ("infantry", "cavalry", "artillery")

MARCH: Final[i64] = 0
ADVANCE: Final[i64] = 1
ATTACK: Final[i64] = 2
ORDERS: Final = ("March", "Advance", "Attack")

# where a counter is
ON_MAP: Final[i64] = 0
ROUTED: Final[i64] = 1
ELIMINATED: Final[i64] = 2
NOT_ENTERED: Final[i64] = 3
WITHDRAWN: Final[i64] = 4
PLACES: Final = ("map", "routed", "eliminated", "not entered", "withdrawn")

# stars on a leader's counter (2.22)
BRIGADE: Final[i64] = 1
DIVISION: Final[i64] = 2
CORPS: Final[i64] = 3
ARMY: Final[i64] = 4
LEVELS: Final = ("", "brigade", "division", "corps", "army")

PROFILES: Final = ("aggressive", "normal", "cautious", "unreliable")

# causes of a lost strength point, as the results folder names them
BY_SMALL_ARMS: Final[i64] = 0
BY_CANISTER: Final[i64] = 1
BY_SHELL: Final[i64] = 2
BY_SHOCK: Final[i64] = 3
BY_SECOND_DISORDER: Final[i64] = 4
BY_RALLY: Final[i64] = 5
BY_OTHER: Final[i64] = 6
CAUSES: Final = ("small_arms", "canister", "shell", "shock", "second_disorder", "rally", "other")

MEN_TO_A_HOLDER: Final[i64] = 4  # strength points of dismounted cavalry of which one holds the horses (14.25)

FULL_WORD: Final[i64] = 0xFFFFFFFF

# ends of a unit that are bent back, added up (7.3)
REFUSED_LEFT: Final[i64] = 1
REFUSED_RIGHT: Final[i64] = 2
REFUSALS: Final = ("", "left", "right", "left and right")


class Unit(Subject):
    """A combat unit: what its counter prints, and its state (2.21, 13.1).

    Cavalry that may dismount has two counters, of which one is in play (14.21): `weapon` and the ratings are those of
    the one that is, and follow `mounted`, which only `show` sets.
    """

    # all that changes in a battle, but for place and stack order, which the battle keeps
    STATE: ClassVar[tuple[str, ...]] = (
        "strength", "heading", "extended", "refused", "orders", "place", "disordered", "collapsed", "mounted",
        "blown", "abandoned", "ammo", "in_command", "ever_routed", "activations", "skips", "spent", "moved", "faced",
        "turned_along", "restacked", "fired", "rallied", "resupplied", "finished", "came_adjacent", "by_exception",
        "adjusted_facing", "charging", "shocked", "advanced", "retreated", "withdrew", "became_top", "under_others",
        "stood_adjacent", "fired_at", "turn_acted", "acting", "completed", "shock_target", "crew_back",
        "turned_after_move", "continued", "stood_to_fire", "ended", "halted", "guns_near", "active", "stands",
        "forced", "equivalents", "marched", "attached", "placed_under", "waiting", "could_enter", "limit",
        "left_roads", "docked", "spent_second", "spent_third", "new_column", "building", "entered", "joined_late",
        "reacted", "moved_off", "swung_round", "silenced_by", "began_in_range", "charge_marker", "countercharging",
        "remounted", "engaged", "coming", "unnerved", "alarmed",
        # what the course of a combat does not depend on between its steps (`exact/position.py`)
        "lost_small_arms", "lost_canister", "lost_shell", "lost_shock", "lost_second_disorder", "lost_rally",
        "lost_other", "recovered", "second_disorders",
    )

    def __init__(
        self, ident: str, name: str, side: i64, kind: i64, strength: i64, full: i64, weapon: Weapon,
        cohesion: i64, cohesion_disordered: i64, movement: i64, movement_disordered: i64, green: bool, horse: bool,
        command: Command, start: Hex,
    ) -> None:
        super().__init__(ident)
        # what is asked of all units again and again comes first, so that it lies together in memory
        self.place: i64 = ON_MAP
        self.hex: Hex = start
        self.kind = kind
        self.abandoned: i64 = 0  # 1 or 2 as the marker (12.8)
        self.side = side
        self.extended: i64 = IN_ONE_HEX
        self.parts: list[Part] = [Part(self, start)]
        self.strength: i64 = strength
        self.heading: i64 = 1
        self.orders: i64 = ADVANCE
        self.disordered = False
        self.active = False  # one of the units that the activation lets act (5.33, 5.35, 5.36)
        self.acting = False  # is at its Movement/Fire (10.13)
        self.mounted = kind == CAVALRY

        self.name = name
        self.full = full  # strength printed on the counter (12.12)
        self.start = strength  # at the start of the scenario
        self.weapon = weapon
        self.cohesion_good = cohesion
        self.cohesion_disordered = cohesion_disordered
        self.movement_good = movement  # in movement points, as printed
        self.movement_disordered = movement_disordered
        # mounted (or all that it has), then dismounted (14.21)
        self.counters: list[Counter] = [
            Counter(weapon, cohesion, cohesion_disordered, movement, movement_disordered)
        ]
        self.green = green
        self.horse_artillery = horse
        self.command = command  # its brigade, or the higher command to which it belongs directly
        self.sections: list[Section] = []  # of a battery of several types of gun, in stacking order (8.37)
        self.index: i64 = 0  # place in the battle's roster
        # the groups with which it enters the map, of which `arrival` is the present one, `coming` in the list (9.7)
        self.arrivals: list[Reinforcement] = []
        self.arrival: Reinforcement | None = None
        self.bound: i64 = 0  # bits of the movement limits of the scenario that hold for it
        self.fatigue = FatigueMarker(ident)  # once the battle is ready its brigade's, but not for guns (17.1)

        self.building = False  # it, or a part of it, builds breastworks (15.13)
        self.refused: i64 = 0  # REFUSED_LEFT, REFUSED_RIGHT or both (7.31, 8.44)
        self.collapsed = False
        self.blown = False
        self.ammo: i64 = 0  # 1 low, 2 out (10.69, 10.91)
        self.in_command = True
        self.placed_under: i64 = -1  # index of the artillery command that it has been placed under for good (4.33)

        self.lost_small_arms: i64 = 0
        self.lost_canister: i64 = 0
        self.lost_shell: i64 = 0
        self.lost_shock: i64 = 0
        self.lost_second_disorder: i64 = 0
        self.lost_rally: i64 = 0
        self.lost_other: i64 = 0
        self.recovered: i64 = 0
        self.ever_routed = False

        # surprised at dawn, in the first turn (1.0 of Dead of Winter)
        self.unnerved: i64 = 0  # taken off its cohesion
        self.alarmed: i64 = 0  # added to its checks

        # off the map (9.7)
        self.coming: i64 = -1
        self.waiting = False  # at the edge, and may enter this turn
        self.could_enter = False  # has let a chance to enter go by (9.71)

        # this turn
        self.activations: i64 = 0
        self.limit: i64 = -1  # most activations, -1 as many as its division has (5.28, 9.74)
        self.skips: i64 = 0  # markers that it must still let pass (5.26, 5.36)
        self.turn_acted = False  # did what rule out automatic rally (13.45)
        self.attached: i64 = -1  # index of the command that a battery of another one acts with this turn (4.32, 4.33)
        self.marched = False  # was activated by the March marker, so by no other (5.35, 6.26)
        self.stands = False  # may spend no movement points when next activated (6.23)
        self.forced: i64 = 0  # under a loose cannon (6.24): 1 until the rule has moved it, then 2

        # this brigade activation, phasing; flags and numbers apart, so that what begins anew with each lies together
        self.completed = False  # has completed it: another unit has begun since (10.13)
        self.left_roads = False  # has entered a hex otherwise than by pike or road (17.22)
        self.moved = False  # has spent movement points
        self.halted = False  # an Extended Line that has moved beside the enemy and must stop, or retracted there (8.41)
        self.ended = False  # has ended a move in a hex with others, so goes no farther (8.23)
        self.restacked = False
        self.fired = False
        self.rallied = False
        self.resupplied = False
        self.finished = False  # may do nothing more as phasing unit (12.35f, 12.47)
        self.came_adjacent = False  # moved adjacent to an enemy unit in this action phase (11.21)
        self.by_exception = False  # entered its hex by 9.42: neither shock nor fire
        self.adjusted_facing = False  # had to take a stack's facing when moving adjacent (9.53)
        self.charging = False
        self.shocked = False
        self.advanced = False
        self.retreated = False
        self.withdrew = False
        self.became_top = False  # artillery that came to the top of its stack in this activation (10.61)
        self.under_others = False  # artillery that began it stacked under others
        self.stood_adjacent = False  # began it adjacent to an enemy unit
        self.fired_at = False
        self.shock_target = False
        self.crew_back = False  # abandoned guns whose crew returns at the end of this activation (12.81)
        self.turned_after_move = False  # changed facing after it had entered its hex (11.12)
        self.new_column = False  # the first of its Extended Column markers has been placed (8.5)
        self.entered = False  # has entered the hex in which it stands by movement (7.32)
        self.joined_late = False  # has joined a refused stack after one of it had fired (7.34)
        self.remounted = False  # has mounted or dismounted in this activation (14.22)
        self.engaged = False  # has been in a shock that was rolled for (11.58)
        self.stood_to_fire = False  # has fired in a way that forbids it to spend movement points (10.52, 10.61, 10.68)
        # cavalry charges; `charging` holds from the passed check to the end of the activation (11.53, 14.24)
        self.began_in_range = False  # began the activation in Command Range of its brigadier, or has none (11.52)
        self.charge_marker = False  # has come at an enemy in a charge (11.53)
        self.countercharging = False  # meets a charge with its own (11.56)
        # this enemy brigade activation, non-phasing
        self.reacted = False  # has refused a flank or changed facing in reaction (9.62)
        self.moved_off = False  # has moved in reaction (9.63)
        self.swung_round = False  # guns that have changed facing in reaction and not fired since (9.62)

        # the numbers of this brigade activation, phasing
        self.equivalents: i64 = 1  # activations' worth of movement that it has in this one (5.35)
        self.spent: i64 = 0  # half movement points
        self.faced: i64 = 0  # vertices turned without moving
        self.turned_along: i64 = -1  # heading before it turned with an active unit of its hex, itself inactive (8.26)
        self.guns_near: i64 = -1  # hexes to the nearest enemy where guns began it (9.55)
        self.continued: i64 = 0  # continued shocks undertaken (11.47)
        # half movement points that its Extended Column markers have spent, the first and the second (8.5)
        self.spent_second: i64 = 0
        self.spent_third: i64 = 0
        self.docked: i64 = 0  # half movement points lost because a friend has straightened its refused flank (7.32)
        # this enemy brigade activation, non-phasing
        self.silenced_by: i64 = -1  # index of the enemy unit whose fire it may not return (12.35b)
        self.second_disorders: i64 = 0  # suffered by any cause (14.3)

    def cohesion(self) -> i64:
        """Cohesion Rating of the side of the counter that is up (2.6, 12.31)."""
        return (self.cohesion_disordered if self.disordered else self.cohesion_good) - self.unnerved

    def steadiness(self) -> i64:
        """12.48, 12.52, 17.31: its Cohesion Rating less half its Fatigue: what its checks amount to."""
        return self.cohesion() - self.fatigue.half

    def movement_allowance(self) -> i64:
        """Movement Allowance in half movement points, by the side of the counter that is up (9.11, 12.31)."""
        return 2 * (self.movement_disordered if self.disordered else self.movement_good)

    def may_dismount(self) -> bool:
        """Whether it is cavalry that has a dismounted counter (14.21)."""
        return self.kind == CAVALRY and len(self.counters) > 1

    def show(self, mounted: bool) -> None:
        """14.21: put cavalry's mounted or its dismounted counter in play.

        Raises:
            ValueError: it has no such counter.
        """
        if self.kind != CAVALRY or (len(self.counters) == 1 and not mounted):
            raise ValueError(f"{self.id} has no {'mounted' if mounted else 'dismounted'} counter (14.21)")
        counter = self.counters[0 if mounted else 1]
        self.mounted = mounted
        self.weapon = counter.weapon
        self.cohesion_good = counter.cohesion
        self.cohesion_disordered = counter.cohesion_disordered
        self.movement_good = counter.movement
        self.movement_disordered = counter.movement_disordered

    def fighting(self) -> i64:
        """14.25: strength points that count in fire and shock: of four of dismounted cavalry one holds the horses."""
        if self.kind == CAVALRY and not self.mounted:
            return self.strength - self.strength // MEN_TO_A_HOLDER
        return self.strength

    def part_in(self, place: Hex) -> Part:
        """The part of it that stands in a hex; the counter itself where none does."""
        for part in self.parts:
            if part.hex is place:
                return part
        return self.parts[0]

    def stands_in(self, place: Hex) -> bool:
        """Whether a part of it stands in a hex."""
        if self.hex is place:
            return True
        return self.extended != IN_ONE_HEX and any(part.hex is place for part in self.parts)

    def on_foot(self) -> bool:
        """Whether it moves and fights as infantry: infantry and dismounted cavalry (14.23)."""
        return self.kind == INFANTRY or (self.kind == CAVALRY and not self.mounted)

    def is_mounted(self) -> bool:
        """Whether it is mounted cavalry."""
        return self.kind == CAVALRY and self.mounted

    def counts(self) -> bool:
        """Whether it is on the map as a unit: abandoned guns are not (12.8)."""
        return self.place == ON_MAP and self.abandoned == 0

    def available(self) -> bool:
        """Whether it is on the map as a unit, or waits at the edge to enter this turn (5.21, 9.71)."""
        return (self.place == ON_MAP and self.abandoned == 0) or self.waiting

    def losses(self) -> i64:
        """Strength points lost in this battle from all causes."""
        return (
            self.lost_small_arms + self.lost_canister + self.lost_shell + self.lost_shock + self.lost_second_disorder
            + self.lost_rally + self.lost_other
        )

    def record_loss(self, points: i64, cause: i64) -> None:
        """Book lost strength points under their cause."""
        if cause == BY_SMALL_ARMS:
            self.lost_small_arms += points
        elif cause == BY_CANISTER:
            self.lost_canister += points
        elif cause == BY_SHELL:
            self.lost_shell += points
        elif cause == BY_SHOCK:
            self.lost_shock += points
        elif cause == BY_SECOND_DISORDER:
            self.lost_second_disorder += points
        elif cause == BY_RALLY:
            self.lost_rally += points
        else:
            self.lost_other += points

    def begin_activation(self) -> None:
        """Forget what it did in the last brigade activation, phasing or not."""
        self.active = False
        self.equivalents = 1
        self.acting = False
        self.completed = False
        self.spent = 0
        self.left_roads = False
        self.moved = False
        self.halted = False
        self.ended = False
        self.guns_near = -1
        self.faced = 0
        self.turned_along = -1
        self.restacked = False
        self.fired = False
        self.rallied = False
        self.resupplied = False
        self.finished = False
        self.came_adjacent = False
        self.by_exception = False
        self.adjusted_facing = False
        self.charging = False
        self.shocked = False
        self.advanced = False
        self.retreated = False
        self.withdrew = False
        self.became_top = False
        self.under_others = False
        self.stood_adjacent = False
        self.fired_at = False
        self.shock_target = False
        self.turned_after_move = False
        self.continued = 0
        self.stood_to_fire = False
        self.spent_second = 0
        self.spent_third = 0
        self.new_column = False
        self.docked = 0
        self.entered = False
        self.joined_late = False
        self.reacted = False
        self.moved_off = False
        self.swung_round = False
        self.silenced_by = -1
        self.began_in_range = False
        self.charge_marker = False
        self.countercharging = False
        self.second_disorders = 0
        self.crew_back = False
        self.remounted = False
        self.engaged = False
        for part in self.parts:
            part.book.clear()
        for section in self.sections:
            section.begin_activation()


class Command(Subject):
    """A command with its leader: brigade, division, corps or army, by `level` (4.0).

    An army is its own superior. A command without a leader of its own, such as an escort, answers to the
    next leader above (`ChainOfCommand.head`).
    """

    STATE: ClassVar[tuple[str, ...]] = (
        "orders", "ineffective", "markers", "activations", "skips", "confused", "in_chain", "march_limit",
        "loose", "markers_on_map", "markers_entering",
        "in_reserve", "marker_limit", "free_changes",
    )

    def __init__(self, code: str, name: str, side: i64, level: i64) -> None:
        super().__init__(f"{SIDES[side]}/{code}")
        self.code = code
        self.name = name
        self.side = side
        self.level = level
        self.superior: Command = self
        self.acts_with: Command = self  # the division whose markers activate it, where that is not its own (5.31)
        self.subordinates: list[Command] = []
        self.units: list[Unit] = []  # those directly under it
        self.leader_list: list[Leader] = []  # its own leader, if it has one
        self.index: i64 = 0
        self.fatigue = FatigueMarker(self.id)  # of a brigade (17.21)
        # special rules of command (4.4 of Dead of Winter)
        self.always_in_chain = False  # it is in command without tracing to whoever stands above it
        self.traces_to: list[Command] = []  # its leader traces to the leader of any of these, not to his superior
        self.units_trace = False  # and so may its units, without him
        self.depends = False  # it is in command only while the leader of `depends_on` is there and has never fallen
        self.depends_on: list[Command] = []  # that command, if it is in the battle
        self.artillery = False  # is a command of guns of corps level, with `ArtilleryCommand` in the battle (4.33)

        self.orders: i64 = ADVANCE
        self.in_reserve = False  # its units rest, and do nothing else (6.3)
        self.ineffective = False
        self.markers: i64 = 0  # activation markers of a division this turn (5.24)
        self.activations: i64 = 0  # this turn
        self.skips: i64 = 0  # markers to be let pass (5.26)
        self.confused = False
        self.in_chain = True  # chain of command to its superior at the last check (4.23)
        # those of them on which its units on the map, and those that enter this turn, may act; -1: on all (9.71)
        self.markers_on_map: i64 = -1
        self.markers_entering: i64 = -1
        self.march_limit: i64 = 4  # activations' worth of movement under March Orders this turn (5.28, 5.35)
        self.marker_limit: i64 = -1  # most markers on which it acts for the rest of the battle; -1 no limit (2.0)
        self.free_changes: i64 = 0  # changes of orders that a division's brigades have without a roll (1.0)
        self.loose: i64 = 0  # what a loose cannon must do in this activation (6.24)

    def is_led_brigade(self) -> bool:
        """Whether it is a brigade with a brigadier: units of other commands count as in no brigade (13.45, 17.42)."""
        return self.level == BRIGADE and len(self.leader_list) > 0

    def is_of_guns(self) -> bool:
        """Whether it has no other units than batteries: an artillery brigade or battalion (13.24)."""
        return all(unit.kind == ARTILLERY for unit in self.units)

    def available(self) -> bool:
        """Whether a unit directly under it is on the map, or waits to enter this turn (5.21, 9.71)."""
        return any(unit.available() for unit in self.units)

    def has_leader(self) -> bool:
        """Whether a leader of its own stands on the map."""
        return len(self.leader_list) > 0 and self.leader_list[0].in_play()

    def leader(self) -> Leader:
        """Its own leader; IndexError if it has none."""
        return self.leader_list[0]

    def division(self) -> Command:
        """The division to which a brigade belongs; the command itself at that level or above."""
        command: Command = self
        while command.level < DIVISION and command.superior is not command:
            command = command.superior
        return command

    def all_units(self) -> list[Unit]:
        """Its units and those of all its subordinates, in the order of the roster."""
        found = list(self.units)
        for subordinate in self.subordinates:
            found.extend(subordinate.all_units())
        return found


__all__ = [
    "ADVANCE", "ARMY", "ARTILLERY", "ATTACK", "BRIGADE", "BY_CANISTER", "BY_OTHER", "BY_RALLY", "BY_SECOND_DISORDER",
    "BY_SHELL", "BY_SHOCK", "BY_SMALL_ARMS", "CAUSES", "CAVALRY", "CONFEDERATE", "CORPS", "DIVISION", "ELIMINATED",
    "EXTENDED_COLUMN", "EXTENDED_LINE", "FORMATIONS", "FULL_WORD", "INFANTRY", "IN_ONE_HEX", "KINDS", "LEVELS", "MARCH",
    "NOT_ENTERED", "ON_MAP", "ORDERS", "PLACES", "PROFILES", "REFUSALS", "REFUSED_LEFT", "REFUSED_RIGHT", "ROUTED",
    "SIDES", "UNION", "WITHDRAWN", "Command", "Leader", "Part", "Subject", "Unit",
]
