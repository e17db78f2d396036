"""The battle log: what happened, as flat events that a table, a story or a test can read."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

NOTHING: Final[i64] = 0
COMBATS: Final[i64] = 1
EVERYTHING: Final[i64] = 2

COLUMN: Final = "column"
"""The mode of an event that is of a column, where the same could be of a line."""


class Event:
    """One thing that happened. What a kind of event has no use for is -1, 0 or ''.

    `kind` is one of KINDS; `mode` says more (a fire: phasing, return, withdrawal, approach, pre-shock; a shock: shock,
    continued; a loss: its cause). `sp` is the strength that fired or attacked, `target_sp` that of the target,
    `guns` the sections of a battery that fire (10.65), `drms` the die roll modifiers by name, `drm` their sum, `roll`
    the unmodified die, `adjusted` with modifiers, `result` the printed notation, `losses` strength points lost by the
    target, `own_losses` by the acting side.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.mode = ""
        self.turn: i64 = 0
        self.activation: i64 = 0
        self.phase: i64 = 0
        self.side: i64 = -1
        self.unit = ""
        self.target = ""
        self.hex = ""
        self.target_hex = ""
        self.range: i64 = 0
        self.sp: i64 = 0
        self.target_sp: i64 = 0
        self.guns = ""
        self.drms = ""
        self.drm: i64 = 0
        self.roll: i64 = -1
        self.adjusted: i64 = -1
        self.result = ""
        self.losses: i64 = 0
        self.own_losses: i64 = 0


# what an event can be, and what its fields then say
KINDS: Final = {
    "turn": "a turn begins; result: its label",
    "initiative": "initiative is determined (5.1); side: who has it, -1 nobody",
    "efficiency": "efficiency of a corps or markers of a division (5.2); unit: the command, sp: the number",
    "marker": "an activation marker is chosen or drawn (5.3); unit: the command, mode: which of its markers",
    "event": "an event marker is drawn (5.31); mode: which, result: what it brings",
    "favour": "an event helps a unit (19.0 of Into the Woods); mode: the event, result: how",
    "activation": "a brigade is activated (5.33); unit: the brigade",
    "placed": "a battery comes under an artillery command for good (4.33); result: that command",
    "orders": "orders change, or are tried to (6.2); unit: the brigade, roll, result",
    "coordination": "brigade coordination is tried (5.34); unit: the division, roll, result",
    "leader": "a leader moves (9.3); unit: the leader, hex and target_hex: from, to",
    "enter": "a reinforcement enters the map (9.71); target_hex: where; sp: half movement points spent on it",
    "move": "a unit enters a hex (9.0); hex and target_hex: from, to; sp: half movement points spent so far",
    "extend": "a unit extends its line or column (8.41, 8.5); mode: column; hex, target_hex: counter, new part",
    "retract": "a part of a line or column retracts (8.42, 8.53); mode: column; hex and target_hex: from, to",
    "form": "a column becomes a line, or a line a column (8.44, 8.52); result: which",
    "face": "a unit turns (7.2); result: its new heading",
    "refuse": "a unit refuses a flank, or no longer does (7.3); result: left, right, left and right, or none",
    "reaction": "a non-phasing unit reacts (9.61, 9.63); mode: facing, refusal or move, target: to whom",
    "rapid": "a battery is about to fire twice (10.68)",
    "repeat": "a unit with repeaters fires its second round (14.3)",
    "fire": "a fire is resolved (10.17)",
    "vain": "a fire at a hex vacated meanwhile, rolled for its ammunition (10.41, 14.3); hex, target_hex, roll",
    "ammunition": "a unit has used up ammunition (10.69, 10.91); mode: jammed (14.33) or which section, result",
    "udd": "a unit checks its cohesion (2.6); mode: why, target_sp: its rating, roll, drm, adjusted, result",
    "disorder": "a unit is disordered; mode: why",
    "second": "a disordered unit is disordered again (12.35); mode: why, result: what follows",
    "loss": "a unit loses strength points (12.2); mode: the cause, losses: how many",
    "section": "a section of a battery loses a gun (8.37); mode: its type, result: guns left",
    "collapse": "a unit collapses (12.23)",
    "retreat": "a unit retreats a hex (12.4)",
    "rout": "a unit routs (12.5); mode: why",
    "eliminated": "a unit's last strength point is gone (12.13); mode: the cause",
    "abandoned": "a battery's crew abandons its guns (12.8); mode: why",
    "breath": "cavalry is no longer Blown (11.58)",
    "mount": "cavalry mounts (14.22); mode: why, where it has to",
    "dismount": "cavalry dismounts (14.22); mode: why, where it has to",
    "recrewed": "abandoned guns are recrewed (12.81)",
    "retreat before shock": "a defender gives way (11.33)",
    "charge": "cavalry charges (11.53); result: what it does, target_hex: the enemy at whom it comes",
    "countercharge": "cavalry meets a charge with its own (11.56); result: passed or failed",
    "commitment": "a green attacker checks whether it shocks (11.36)",
    "pre-shock": "a defender checks its cohesion before shock (11.37)",
    "shock": "a shock is resolved (11.45)",
    "advance": "a unit advances after combat (12.6)",
    "contract": "an extended unit contracts into one hex, to retreat or advance (8.47)",
    "wrap around": "half an Extended Line swings round the defender that it shocks (8.48)",
    "rally": "a unit tries to rally (13.4)",
    "construction": "a unit builds breastworks (15.1); result: begun, done, or why they are given up",
    "arrival": "a group rolls for its arrival (10.0); unit: one of it, mode: the roll, result: when it comes",
    "withdraw": "a unit or leader leaves the map by its book's word (7.0)",
    "alarm": "a surprised army has noticed the enemy (1.0): its markers go into the pool",
    "arrangements": "a side gives up the arrangements by which commands serve under others (8.0)",
    "water": "rain has raised the waters (18.2); result: their level",
    "bridge": "pioneers work on a bridge (18.31); hex and mode: between which hexes, result: open or begun again",
    "crossing": "a corps must make for the river that it is to cross (21.2); result: which of its activations it is",
    "torn down": "a unit that crosses breastworks removes them (15.17)",
    "resupply": "a unit resupplies (10.92); mode: which section of a battery",
    "casualty": "a leader falls (12.71)",
    "replacement": "a leader is replaced (12.74)",
    "reserve": "a command goes into reserve or leaves it (6.3); unit: the command, result: placed, attacked, or orders",
    "stragglers": "stragglers bring a unit a strength point (16.2)",
    "returned": "a routed unit comes back (13.52)",
    "fatigue": "the Fatigue Level of a brigade or unit changes (17.0); mode: why, result: the level",
    "wheels": "guns try their wheels on a long march (17.26); mode: the roll, result: hold or break",
    "ineffective": "a brigade or division becomes combat ineffective, or effective again (13.2, 13.3)",
    "end": "the battle ends; result: who won and how",
}


class BattleLog:
    """Collects the events of one battle down to a level: NOTHING, COMBATS (fires and shocks) or EVERYTHING."""

    def __init__(self, level: i64 = 0) -> None:
        self.level = level
        self.events: list[Event] = []
        self.turn: i64 = 0
        self.activation: i64 = 0
        self.phase: i64 = 0

    def clear(self) -> None:
        """Forget all events."""
        self.events = []
        self.turn = 0
        self.activation = 0
        self.phase = 0

    def add(self, event: Event) -> None:
        """Keep an event, stamped with turn, activation and phase."""
        event.turn = self.turn
        event.activation = self.activation
        event.phase = self.phase
        self.events.append(event)

    def note(self, kind: str, side: i64, unit: str, place: str, mode: str, result: str) -> None:
        """Keep a simple event; ask `level` first where speed counts."""
        if self.level >= EVERYTHING:
            event = Event(kind)
            event.side = side
            event.unit = unit
            event.hex = place
            event.mode = mode
            event.result = result
            self.add(event)

    def loss(self, side: i64, unit: str, place: str, cause: str, points: i64) -> None:
        """Keep the loss of strength points."""
        if self.level >= EVERYTHING:
            event = Event("loss")
            event.side = side
            event.unit = unit
            event.hex = place
            event.mode = cause
            event.losses = points
            self.add(event)

    def check(
        self, side: i64, unit: str, place: str, why: str, rating: i64, roll: i64, adjusted: i64, passed: bool
    ) -> None:
        """Keep a Universal Disorder Die roll (2.6)."""
        if self.level >= EVERYTHING:
            event = Event("udd")
            event.side = side
            event.unit = unit
            event.hex = place
            event.mode = why
            event.target_sp = rating
            event.roll = roll
            event.drm = adjusted - roll
            event.adjusted = adjusted
            event.result = "passed" if passed else "failed"
            self.add(event)
