"""A doctrine: the numbers that steer the heuristic commander, each with its meaning and range."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64


class Number:
    """One number of a doctrine: its name, what it means, and the least and most it can be."""

    def __init__(self, name: str, least: int, most: int, meaning: str) -> None:
        self.name = name
        self.least = least
        self.most = most
        self.meaning = meaning


NUMBERS: Final = [
    Number("attack_odds", 20, 400, "own strength nearby in hundredths of the enemy's at which a brigade attacks"),
    Number("break_off", 5, 95, "hundredths of its infantry lost or broken at which a brigade stops attacking"),
    Number(
        "worth_leaving", 0, 200,
        "hundredths of a brigade's strength that enemies nearby must have for who holds ground to leave it for them",
    ),
    Number(
        "support", 0, 60,
        "hexes to a brigade that fights outnumbered within which who holds ground, and can be spared, comes to help; "
        "0 never",
    ),
    Number(
        "change_chance", 0, 1000,
        "chance in thousandths of new orders by a die roll at which a brigade tries; 0: whenever it wants",
    ),
    Number("call_off", 5, 60, "hexes from the nearest enemy beyond which a brigade tries to give up Attack Orders"),
    Number(
        "coordinate", -1000, 1001,
        "chance in thousandths of coordination, less that of Confusion, at which it is tried; 1001 never",
    ),
    Number(
        "urgency", 0, 1,
        "1: who is pressed or can strike acts first, and others let markers pass; 0: who is nearest",
    ),
    Number("shock_chance", 0, 1000, "chance in thousandths of clearing the hex at which a unit shocks of its own will"),
    Number("charge_chance", 0, 1000, "the same at which it moves adjacent to charge rather than stand and fire"),
    Number("cavalry_charge", 0, 1001, "the same at which mounted cavalry charges; 1001 never"),
    Number("dismount", 0, 12, "hexes from the enemy within which cavalry that can't charge fights on foot; 0 never"),
    Number("continue_chance", 0, 1000, "the same at which a victorious unit continues shock where it need not"),
    Number("give_way", 0, 1001, "thousandths of chance to lose the hex at which a defender gives way; 1001 never"),
    Number("withdraw", 0, 1001, "the same at which a unit next to the enemy withdraws when it is active; 1001 never"),
    Number("march", 6, 60, "hexes from the nearest enemy at and beyond which a brigade marches"),
    Number(
        "night_rest", 0, 1,
        "1: at night brigades rest, in reserve where it mends them, but for those in the enemy's reach; 0: as by day",
    ),
    Number("rally_first", 0, 100, "hundredths of its units disordered above which a brigade rallies first"),
    Number("rally_in_contact", 0, 1, "1: disordered units rally even next to the enemy; 0: they draw off first"),
    Number(
        "rally_ride", 0, 1,
        "1: brigadiers and division leaders ride to units that rally, and lend their stars; 0: they don't",
    ),
    Number(
        "order", 0, 400,
        "worth of a unit's good order in hundredths of a strength point, against its fire now; 0: always rallies",
    ),
    Number("fire_range", 1, 5, "hexes at which small arms open fire instead of moving on"),
    Number("prepared", 0, 100, "worth of standing still for prepared fire, against a move that gains a hex (20)"),
    Number("rapid_fire", 0, 100, "strength points of the target at and above which smoothbores fire rapidly"),
    Number("reserve_fire", 0, 1, "1: half the return fire is held back while two enemy stacks stand in front; 0: none"),
    Number("gun_distance", 3, 12, "hexes from the enemy at which batteries want to stand"),
    Number("field_of_fire", 0, 200, "worth to a battery of a position from which it has an enemy in range and sight"),
    Number("close_in", 0, 100, "worth of each hex nearer to the enemy for an attacker"),
    Number("objective", 0, 100, "worth of each hex nearer to the objective"),
    Number("flank", 0, 200, "worth of a position on an enemy's flank or rear"),
    Number("exposure", 0, 100, "cost of each enemy unit that could fire at the position"),
    Number("own_flank", 0, 200, "cost of each enemy unit that would stand on the unit's own flank or rear"),
    Number("line", 0, 100, "worth of each friend beside the position who faces the same way"),
    Number("extend", 0, 100, "worth of a gap that an extended line closes, and of two points more that fire; 0 never"),
    Number("cover", 0, 100, "worth of each point of terrain modifier in the position"),
    Number("dig", 0, 20, "hexes from the enemy within which whoever is to hold builds breastworks; 0 never"),
    Number("works", 0, 100, "worth of each hexside towards the enemy that breastworks cover"),
    Number(
        "pioneers", 0, 20,
        "hexes from the enemy beyond which pioneers stay at a ford that friends may use or a bridge that they can "
        "open; 0: they don't stay",
    ),
    Number(
        "cohesion", 0, 100,
        "cost of each hex beyond the brigadier's command range, twice that where he can't follow in one ride",
    ),
    Number("fragile", 0, 8, "strength points up to which a unit keeps out of the enemy's reach and shocks nothing"),
    Number("finish_off", 100, 400, "hundredths of worth of fire that may collapse its target or hits a disordered one"),
    Number("leader_forward", 0, 1, "1: brigadiers join the unit in front; 0: they stay behind the line"),
    Number(
        "in_command", 0, 100,
        "cost of each unit that a brigadier leaves out of his range; 0: higher leaders don't ride after theirs either",
    ),
]


class Doctrine:
    """A named set of the numbers above.

    Raises:
        ValueError: a number is missing, unknown or out of its range.
    """

    def __init__(self, name: str, values: dict[str, int]) -> None:
        known = {number.name for number in NUMBERS}
        for key in values:
            if key not in known:
                raise ValueError(f'unknown number "{key}"')
        for number in NUMBERS:
            if number.name not in values:
                raise ValueError(f"{number.name} is missing: {number.meaning} ({number.least} to {number.most})")
            if not number.least <= values[number.name] <= number.most:
                raise ValueError(f"{number.name} is {values[number.name]}; it can be {number.least} to {number.most}")
        self.name = name
        self.attack_odds: i64 = values["attack_odds"]
        self.break_off: i64 = values["break_off"]
        self.worth_leaving: i64 = values["worth_leaving"]
        self.support: i64 = values["support"]
        self.change_chance: i64 = values["change_chance"]
        self.call_off: i64 = values["call_off"]
        self.coordinate: i64 = values["coordinate"]
        self.urgency: i64 = values["urgency"]
        self.shock_chance: i64 = values["shock_chance"]
        self.charge_chance: i64 = values["charge_chance"]
        self.cavalry_charge: i64 = values["cavalry_charge"]
        self.dismount: i64 = values["dismount"]
        self.continue_chance: i64 = values["continue_chance"]
        self.give_way: i64 = values["give_way"]
        self.withdraw: i64 = values["withdraw"]
        self.march: i64 = values["march"]
        self.night_rest: i64 = values["night_rest"]
        self.rally_first: i64 = values["rally_first"]
        self.rally_in_contact: i64 = values["rally_in_contact"]
        self.rally_ride: i64 = values["rally_ride"]
        self.order: i64 = values["order"]
        self.fire_range: i64 = values["fire_range"]
        self.prepared: i64 = values["prepared"]
        self.rapid_fire: i64 = values["rapid_fire"]
        self.reserve_fire: i64 = values["reserve_fire"]
        self.gun_distance: i64 = values["gun_distance"]
        self.field_of_fire: i64 = values["field_of_fire"]
        self.close_in: i64 = values["close_in"]
        self.objective: i64 = values["objective"]
        self.flank: i64 = values["flank"]
        self.exposure: i64 = values["exposure"]
        self.own_flank: i64 = values["own_flank"]
        self.line: i64 = values["line"]
        self.extend: i64 = values["extend"]
        self.cover: i64 = values["cover"]
        self.dig: i64 = values["dig"]
        self.works: i64 = values["works"]
        self.pioneers: i64 = values["pioneers"]
        self.cohesion: i64 = values["cohesion"]
        self.fragile: i64 = values["fragile"]
        self.finish_off: i64 = values["finish_off"]
        self.leader_forward: i64 = values["leader_forward"]
        self.in_command: i64 = values["in_command"]
