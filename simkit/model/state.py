"""What changes of units, leaders and commands as plain numbers, in the order of their STATE, and back.

Snapshots are taken and restored for every battle, and for every branch of a combat that is enumerated: attributes named
in the code are read and written at once, by name in a string they would have to be looked up. A test holds both against
STATE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simkit.model.forces import Command, Unit
    from simkit.model.leaders import Leader




def numbers_of_unit(unit: Unit) -> list[int]:
    """The state of a unit, one number an attribute of STATE."""
    return [
        int(unit.strength), int(unit.heading), int(unit.extended), int(unit.refused), int(unit.orders),
        int(unit.place), int(unit.disordered), int(unit.collapsed), int(unit.mounted), int(unit.blown),
        int(unit.abandoned), int(unit.ammo), int(unit.in_command), int(unit.ever_routed), int(unit.activations),
        int(unit.skips), int(unit.spent), int(unit.moved), int(unit.faced), int(unit.turned_along),
        int(unit.restacked), int(unit.fired), int(unit.rallied), int(unit.resupplied), int(unit.finished),
        int(unit.came_adjacent), int(unit.by_exception), int(unit.adjusted_facing), int(unit.charging),
        int(unit.shocked), int(unit.advanced), int(unit.retreated), int(unit.withdrew), int(unit.became_top),
        int(unit.under_others), int(unit.stood_adjacent), int(unit.fired_at), int(unit.turn_acted), int(unit.acting),
        int(unit.completed), int(unit.shock_target), int(unit.crew_back), int(unit.turned_after_move),
        int(unit.continued), int(unit.stood_to_fire), int(unit.ended), int(unit.halted), int(unit.guns_near),
        int(unit.active), int(unit.stands), int(unit.forced), int(unit.equivalents), int(unit.marched),
        int(unit.attached), int(unit.placed_under), int(unit.waiting), int(unit.could_enter), int(unit.limit),
        int(unit.left_roads), int(unit.docked), int(unit.spent_second), int(unit.spent_third), int(unit.new_column),
        int(unit.building), int(unit.entered), int(unit.joined_late), int(unit.reacted), int(unit.moved_off),
        int(unit.swung_round), int(unit.silenced_by), int(unit.began_in_range), int(unit.charge_marker),
        int(unit.countercharging), int(unit.remounted), int(unit.engaged), int(unit.coming), int(unit.unnerved),
        int(unit.alarmed), int(unit.lost_small_arms), int(unit.lost_canister), int(unit.lost_shell),
        int(unit.lost_shock), int(unit.lost_second_disorder), int(unit.lost_rally), int(unit.lost_other),
        int(unit.recovered), int(unit.second_disorders),
    ]


def take_unit(unit: Unit, n: list[int]) -> None:
    """Give a unit the state that `numbers_of_unit` has told."""
    unit.strength, unit.heading, unit.extended, unit.refused = n[0], n[1], n[2], n[3]
    unit.orders, unit.place, unit.disordered, unit.collapsed = n[4], n[5], n[6] != 0, n[7] != 0
    unit.mounted, unit.blown, unit.abandoned, unit.ammo = n[8] != 0, n[9] != 0, n[10], n[11]
    unit.in_command, unit.ever_routed, unit.activations, unit.skips = n[12] != 0, n[13] != 0, n[14], n[15]
    unit.spent, unit.moved, unit.faced, unit.turned_along = n[16], n[17] != 0, n[18], n[19]
    unit.restacked, unit.fired, unit.rallied, unit.resupplied = n[20] != 0, n[21] != 0, n[22] != 0, n[23] != 0
    unit.finished, unit.came_adjacent, unit.by_exception = n[24] != 0, n[25] != 0, n[26] != 0
    unit.adjusted_facing, unit.charging, unit.shocked, unit.advanced = n[27] != 0, n[28] != 0, n[29] != 0, n[30] != 0
    unit.retreated, unit.withdrew, unit.became_top, unit.under_others = n[31] != 0, n[32] != 0, n[33] != 0, n[34] != 0
    unit.stood_adjacent, unit.fired_at, unit.turn_acted, unit.acting = n[35] != 0, n[36] != 0, n[37] != 0, n[38] != 0
    unit.completed, unit.shock_target, unit.crew_back = n[39] != 0, n[40] != 0, n[41] != 0
    unit.turned_after_move, unit.continued, unit.stood_to_fire, unit.ended = n[42] != 0, n[43], n[44] != 0, n[45] != 0
    unit.halted, unit.guns_near, unit.active, unit.stands = n[46] != 0, n[47], n[48] != 0, n[49] != 0
    unit.forced, unit.equivalents, unit.marched, unit.attached = n[50], n[51], n[52] != 0, n[53]
    unit.placed_under, unit.waiting, unit.could_enter, unit.limit = n[54], n[55] != 0, n[56] != 0, n[57]
    unit.left_roads, unit.docked, unit.spent_second, unit.spent_third = n[58] != 0, n[59], n[60], n[61]
    unit.new_column, unit.building, unit.entered, unit.joined_late = n[62] != 0, n[63] != 0, n[64] != 0, n[65] != 0
    unit.reacted, unit.moved_off, unit.swung_round, unit.silenced_by = n[66] != 0, n[67] != 0, n[68] != 0, n[69]
    unit.began_in_range, unit.charge_marker, unit.countercharging = n[70] != 0, n[71] != 0, n[72] != 0
    unit.remounted, unit.engaged, unit.coming, unit.unnerved = n[73] != 0, n[74] != 0, n[75], n[76]
    unit.alarmed, unit.lost_small_arms, unit.lost_canister, unit.lost_shell = n[77], n[78], n[79], n[80]
    unit.lost_shock, unit.lost_second_disorder, unit.lost_rally, unit.lost_other = n[81], n[82], n[83], n[84]
    unit.recovered, unit.second_disorders = n[85], n[86]


def numbers_of_leader(leader: Leader) -> list[int]:
    """The state of a leader, one number an attribute of STATE."""
    return [
        int(leader.place), int(leader.casualty), int(leader.replaced), int(leader.moved), int(leader.ended),
        int(leader.spent), int(leader.joined), int(leader.affected_rally), int(leader.far_moved), int(leader.waiting),
        int(leader.coming),
    ]


def take_leader(leader: Leader, n: list[int]) -> None:
    """Give a leader the state that `numbers_of_leader` has told."""
    leader.place, leader.casualty, leader.replaced, leader.moved = n[0], n[1] != 0, n[2] != 0, n[3] != 0
    leader.ended, leader.spent, leader.joined, leader.affected_rally = n[4] != 0, n[5], n[6] != 0, n[7] != 0
    leader.far_moved, leader.waiting, leader.coming = n[8] != 0, n[9] != 0, n[10]


def numbers_of_command(command: Command) -> list[int]:
    """The state of a command, one number an attribute of STATE."""
    return [
        int(command.orders), int(command.ineffective), int(command.markers), int(command.activations),
        int(command.skips), int(command.confused), int(command.in_chain), int(command.march_limit),
        int(command.loose), int(command.markers_on_map), int(command.markers_entering), int(command.in_reserve),
        int(command.marker_limit), int(command.free_changes),
    ]


def take_command(command: Command, n: list[int]) -> None:
    """Give a command the state that `numbers_of_command` has told."""
    command.orders, command.ineffective, command.markers, command.activations = n[0], n[1] != 0, n[2], n[3]
    command.skips, command.confused, command.in_chain, command.march_limit = n[4], n[5] != 0, n[6] != 0, n[7]
    command.loose, command.markers_on_map, command.markers_entering = n[8], n[9], n[10]
    command.in_reserve, command.marker_limit, command.free_changes = n[11] != 0, n[12], n[13]
