"""The answer to a situation: the chance of every outcome, loss and state at the end, as exact fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, TypeVar

from simkit.analysis.intervals import Estimate, share
from simkit.exact.record import (
    CARRIED,
    CONTINUED,
    COUNTERCHARGED,
    GAVE_WAY,
    ROLLED,
    SHAKEN,
    UNCOMMITTED,
)
from simkit.model.forces import ELIMINATED, ON_MAP, ROUTED
from simkit.odds.situation import SHOCK, Situation

if TYPE_CHECKING:
    from simkit.exact.enumeration import Distribution
    from simkit.exact.position import Ending
    from simkit.model.battle import Battle
    from simkit.model.battlemap import Hex
    from simkit.model.forces import Unit

GAVE_WAY_FIRST = "shock never reached: the defenders retreated before it"
NOT_COMMITTED = "shock never reached: the attackers did not commit themselves"
BROKE_FIRST = "shock never reached: the defenders broke at the check"
STOPPED = "shock never reached: the attackers were stopped before it"
SHOCK_OUTCOMES = (
    GAVE_WAY_FIRST, NOT_COMMITTED, BROKE_FIRST, STOPPED, "defender eliminated", "defender routs", "guns abandoned",
    "defender retreats", "attacker repulsed", "standoff",
)  # fmt: skip
"""The outcomes of a shock in their precedence: an ending is the first of them that is true of it."""

FIRE_OUTCOMES = (
    "target eliminated", "target routs", "guns abandoned", "target retreats", "target disordered",
    "target loses strength", "no effect",
)  # fmt: skip
"""The outcomes of a fire in their precedence."""

HEX_TAKEN, HEX_CARRIED = "hex taken", "hex carried"

STAYS, IN_TARGET, BEYOND, RETREATS, ROUTS, IS_ELIMINATED = (
    "stays", "in the target hex", "beyond the target hex", "retreats", "routs", "eliminated"
)  # fmt: skip
ADVANCES = "advances"
PLACES = (STAYS, IN_TARGET, BEYOND, ADVANCES, RETREATS, ROUTS, IS_ELIMINATED)
"""Where a unit may end: one of these is true of it."""
STATES = ("disordered", "collapsed", "abandoned")
"""In what state it may be besides."""

Chances = dict[str, Fraction]
Name = TypeVar("Name", str, int)


@dataclass(frozen=True)
class Fielded:
    """A unit or leader as the combat found it: its index in the battle, and what answers call it."""

    index: int
    name: str
    attacks: bool
    strength: int
    hex: int
    disordered: bool
    collapsed: bool
    abandoned: bool
    struck: bool
    """Whether it attacks or is attacked; a supporter is neither."""
    ahead: frozenset[int]
    """The hexes into which only an advance leads it: those beyond the enemy's, seen from its own."""


@dataclass(frozen=True)
class Ground:
    """What the endings are read against: units and leaders at the start, and the hexes that are attacked."""

    kind: str
    units: tuple[Fielded, ...]
    leaders: tuple[tuple[int, str], ...]
    targets: frozenset[int]


@dataclass(frozen=True)
class Step:
    """What one kind of step decides: how often it comes (each time counts), its results, its cost in strength."""

    name: str
    chance: Fraction
    decided: Chances
    attacker_loss: Fraction
    defender_loss: Fraction
    branches: int
    states: int


@dataclass(frozen=True)
class Answer:
    """The chances of a situation.

    `outcomes` is a partition, `events` may overlap, `attacker_loss` and `defender_loss` say how likely it is to lose
    exactly so many strength points. `units` says by unit where it ends (a partition: PLACES) and in what new state
    (STATES), `notes` what a reader should know of the charts and the wording that hold. `mass` was enumerated; where it
    is less than 1 the rest was drawn, `draws` combats, and `drawn` says by name how many of them came to an outcome or
    event.
    """

    situation: Situation
    mass: Fraction
    outcomes: Chances
    events: Chances
    attacker_loss: dict[int, Fraction]
    defender_loss: dict[int, Fraction]
    success: Fraction
    steps: tuple[Step, ...]
    units: Mapping[str, Chances]
    notes: tuple[str, ...] = ()
    draws: int = 0
    drawn: Mapping[str, int] = field(default_factory=dict)
    enumerated: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """`exact` or `sampled`."""
        return "exact" if self.draws == 0 else "sampled"

    @property
    def line(self) -> str:
        """The situation in its one line, as it can stand after `simkit odds`."""
        return self.situation.line

    def expected(self) -> tuple[Fraction, Fraction]:
        """Strength points that attacker and defender lose on average."""
        return mean_of(self.attacker_loss), mean_of(self.defender_loss)

    def interval(self, name: str) -> Estimate:
        """A named chance with its 95 % interval (Wilson's for the part that was drawn); no width where all is exact."""
        known, rest = float(self.enumerated.get(name, 0)), float(1 - self.mass)
        if self.draws == 0:
            value = float(self.measure(name))
            return Estimate(value, value, value, 0)
        part = share(self.drawn.get(name, 0), self.draws)
        return Estimate(known + rest * part.estimate, known + rest * part.low, known + rest * part.high, self.draws)

    def measure(self, name: str) -> Fraction:
        """One number of the answer by name: `success`, `attacker_loss` and `defender_loss` (averages), outcome, event.

        Raises:
            KeyError: there is none of that name.
        """
        if name == "success":
            return self.success
        if name in ("attacker_loss", "defender_loss"):
            return self.expected()[name == "defender_loss"]
        return self.outcomes[name] if name in self.outcomes else self.events[name]

    def as_json(self, fractions: bool = False) -> dict[str, Any]:
        """The answer as plain data; chances as floats, or as texts like "3/10" with `fractions`."""

        def told(value: Fraction) -> float | str:
            return str(value) if fractions else float(value)

        def table(chances: Mapping[Any, Fraction]) -> dict[str, float | str]:
            return {str(name): told(chance) for name, chance in chances.items()}

        attacker, defender = self.expected()
        found: dict[str, Any] = {
            "situation": self.line,
            "method": self.method,
            "mass": told(self.mass),
            "outcomes": table(self.outcomes),
            "events": table(self.events),
            "attacker_loss": table(self.attacker_loss),
            "defender_loss": table(self.defender_loss),
            "success": told(self.success),
            "expected": {"attacker_loss": told(attacker), "defender_loss": told(defender)},
            "steps": [
                {
                    "step": step.name,
                    "chance": told(step.chance),
                    "decided": table(step.decided),
                    "attacker_loss": told(step.attacker_loss),
                    "defender_loss": told(step.defender_loss),
                    "branches": step.branches,
                    "states": step.states,
                }
                for step in self.steps
            ],
            "units": {name: table(chances) for name, chances in self.units.items()},
            "notes": list(self.notes),
        }
        if self.draws:
            names = ["success", *self.outcomes, *self.events]
            spans = {name: self.interval(name) for name in names}
            found["sampled"] = {
                "draws": self.draws,
                "intervals": {name: [span.low, span.high] for name, span in spans.items()},
            }
        return found


def mean_of(losses: Mapping[int, Fraction]) -> Fraction:
    """The average of a distribution."""
    return sum((count * chance for count, chance in losses.items()), Fraction(0))


def at_least(losses: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The chance to lose n strength points or more, for n from 1 to the most that can be lost."""
    most = max(losses, default=0)
    return {n: sum((chance for lost, chance in losses.items() if lost >= n), Fraction(0)) for n in range(1, most + 1)}


def _ahead(battle: Battle, unit: Unit, enemies: Collection[Hex]) -> frozenset[int]:
    """The hexes that are nearer to one of the enemy's hexes than to that of a unit."""
    return frozenset(
        int(place.index) for place in battle.map.hexes
        if any(place.distance_to(enemy) < place.distance_to(unit.hex) for enemy in enemies)
    )  # fmt: skip


def ground_of(
    battle: Battle, kind: str, attackers: set[int], targets: frozenset[int], struck: set[int], counter: bool
) -> Ground:
    """The start of a combat.

    Args:
        battle: before the combat.
        kind: "shock" or "fire".
        attackers: indices of the units that attack or fire; their side is the attacker.
        targets: indices of the hexes that are attacked.
        struck: indices of all units of the combat itself, supporters apart.
        counter: whether defenders may advance too (11.47).
    """
    side = next(unit.side for unit in battle.units if unit.index in attackers)
    goals = [place for place in battle.map.hexes if int(place.index) in targets]
    origins = {unit.hex for unit in battle.units if unit.index in attackers} if counter else set()
    units = tuple(
        Fielded(
            int(unit.index), unit.id, unit.side == side, int(unit.strength), int(unit.hex.index),
            bool(unit.disordered), bool(unit.collapsed), bool(unit.abandoned), int(unit.index) in struck,
            _ahead(battle, unit, goals if unit.side == side else origins),
        )
        for unit in battle.units if unit.place == ON_MAP
    )  # fmt: skip
    leaders = tuple((int(leader.index), leader.id) for leader in battle.leaders if leader.place == ON_MAP)
    return Ground(kind, units, leaders, targets)


@dataclass
class _Reading:
    """What is true of one ending."""

    ground: Ground
    ending: Ending

    def __post_init__(self) -> None:
        self.ends = {int(unit.index): unit for unit in self.ending.units}

    def lost(self, attacks: bool) -> int:
        return sum(
            unit.strength - (0 if self.place(unit) == ELIMINATED else int(self.ends[unit.index].strength))
            for unit in self.ground.units if unit.attacks == attacks
        )  # fmt: skip

    def place(self, unit: Fielded) -> int:
        return int(self.ends[unit.index].place)

    def gone(self, unit: Fielded) -> bool:
        return self.place(unit) != ON_MAP or int(self.ends[unit.index].hex) != unit.hex

    def ahead(self, unit: Fielded) -> bool:
        """Whether a unit has gone where only an advance leads it, or into a target hex."""
        at = int(self.ends[unit.index].hex)
        return self.place(unit) == ON_MAP and (at in unit.ahead or (unit.attacks and at in self.ground.targets))

    def driven_off(self, unit: Fielded) -> bool:
        return self.gone(unit) and not self.ahead(unit)

    def left_guns(self, unit: Fielded) -> bool:
        return bool(self.ends[unit.index].abandoned) and not unit.abandoned

    def newly_disordered(self, unit: Fielded) -> bool:
        end = self.ends[unit.index]
        return bool(end.disordered) and not unit.disordered and self.place(unit) == ON_MAP

    def struck(self, attacks: bool) -> list[Fielded]:
        return [unit for unit in self.ground.units if unit.struck and unit.attacks == attacks]

    def taken(self) -> bool:
        return any(
            self.place(unit) == ON_MAP and int(self.ends[unit.index].hex) in self.ground.targets
            for unit in self.ground.units if unit.attacks
        )  # fmt: skip

    def carried(self) -> bool:
        """Whether an attacker was in a target hex at some time, wherever the shock has led him since."""
        return bool(int(self.ending.facts) & int(CARRIED)) or self.taken()

    def driven(self) -> bool:
        """A fire's success: nobody who was fired at is where he was."""
        return all(self.gone(unit) for unit in self.struck(False))

    def outcome(self) -> str:
        return self._of_shock() if self.ground.kind == SHOCK else self._of_fire()

    def _fate(self, who: str) -> str:
        defenders = self.struck(False)
        if defenders and all(self.place(unit) == ELIMINATED for unit in defenders):
            return f"{who} eliminated"
        if any(self.place(unit) == ROUTED for unit in defenders):
            return f"{who} routs"
        if any(self.left_guns(unit) for unit in defenders):
            return "guns abandoned"
        return f"{who} retreats" if any(self.driven_off(unit) for unit in defenders) else ""

    def _of_shock(self) -> str:
        facts, fate = int(self.ending.facts), self._fate("defender")
        if not facts & (int(ROLLED) | int(CONTINUED)):
            if facts & int(GAVE_WAY):
                return GAVE_WAY_FIRST
            if facts & int(UNCOMMITTED):
                return NOT_COMMITTED
            return BROKE_FIRST if facts & int(SHAKEN) and fate else STOPPED
        if fate:
            return fate
        return "attacker repulsed" if any(self.driven_off(unit) for unit in self.struck(True)) else "standoff"

    def _of_fire(self) -> str:
        fate = self._fate("target")
        if fate:
            return fate
        if any(self.newly_disordered(unit) for unit in self.struck(False)):
            return "target disordered"
        return "target loses strength" if self.lost(False) else "no effect"

    def events(self) -> list[str]:
        facts = int(self.ending.facts)
        told = [
            ("retreat before shock", GAVE_WAY), ("attacker not committed", UNCOMMITTED),
            ("pre-shock check failed", SHAKEN), ("countercharge", COUNTERCHARGED), ("shock rolled", ROLLED),
            ("continued shock", CONTINUED),
        ]  # fmt: skip
        found = [name for name, bit in told if facts & int(bit)]
        if self.ground.kind == SHOCK:
            found += [HEX_TAKEN] if self.taken() else []
            found += [HEX_CARRIED] if self.carried() else []
        for unit in self.ground.units:
            found += self._states(unit)
        if any(self.place(unit) == ROUTED for unit in self.ground.units if not unit.struck):
            found.append("rout by example")  # only a supporter's rout can have no other cause
        fallen = [name for index, name in self.ground.leaders if self.ending.leaders[index].casualty]
        found += [f"{name} falls" for name in fallen]
        return list(dict.fromkeys(found + (["leader casualty"] if fallen else [])))

    def ends_in(self, unit: Fielded) -> str:
        """Where a unit ends, one of PLACES."""
        if self.place(unit) == ROUTED:
            return ROUTS
        if self.place(unit) == ELIMINATED:
            return IS_ELIMINATED
        if not self.gone(unit):
            return STAYS
        if unit.attacks and int(self.ends[unit.index].hex) in self.ground.targets:
            return IN_TARGET
        if self.ahead(unit):
            return BEYOND if unit.attacks else ADVANCES
        return RETREATS

    def comes_to(self, unit: Fielded) -> list[str]:
        """In what states a unit ends that it was not in, of STATES."""
        end = self.ends[unit.index]
        found = [self.newly_disordered(unit), bool(end.collapsed) and not unit.collapsed, self.left_guns(unit)]
        return [state for state, holds in zip(STATES, found, strict=True) if holds]

    def _states(self, unit: Fielded) -> list[str]:
        who, place = "attacker" if unit.attacks else "defender", self.ends_in(unit)
        states = [*([] if place == STAYS else [place]), *self.comes_to(unit)]
        # a side that has no such state by unit is told as a whole too, so that "any rout" is one number
        return [f"{unit.name} {state}" for state in states] + [
            f"any {who} {state}" for state in states if state in ("routs", "eliminated", "disordered", "collapsed")
        ] + (["guns abandoned"] if "abandoned" in states else [])  # fmt: skip


def _likeliest(chances: Chances) -> Chances:
    return dict(sorted(chances.items(), key=lambda item: (-item[1], item[0])))


@dataclass
class _Share:
    """Of all endings those that share something: what was enumerated of them, by a common denominator, and drawn."""

    mass: int = 0
    drawn: int = 0


def answer_of(
    situation: Situation, ground: Ground, found: Distribution, attacker: int, notes: tuple[str, ...] = ()
) -> Answer:
    """The answer that the endings of a combat give.

    Args:
        situation: what was asked.
        ground: the combat's start.
        found: its endings.
        attacker: the side that attacks or fires, 0 or 1.
        notes: what a reader should know besides.
    """
    shock = ground.kind == SHOCK
    whole = lcm(*(leaf.mass.denominator for leaf in found.leaves))
    outcomes = {name: _Share() for name in (SHOCK_OUTCOMES if shock else FIRE_OUTCOMES)}
    events: defaultdict[str, _Share] = defaultdict(_Share)
    named: defaultdict[str, _Share] = defaultdict(_Share)
    losses: tuple[defaultdict[int, _Share], ...] = (defaultdict(_Share), defaultdict(_Share))
    units = {unit.name: {state: _Share() for state in (*PLACES, *STATES)} for unit in ground.units}
    success = _Share()
    for leaf in found.leaves:
        mass, drawn = leaf.mass.numerator * (whole // leaf.mass.denominator), int(leaf.drawn)
        reading = _Reading(ground, leaf.ending)
        outcome, seen = reading.outcome(), reading.events()
        shares = [outcomes[outcome], losses[0][reading.lost(True)], losses[1][reading.lost(False)]]
        shares += [events[event] for event in seen]
        for unit in ground.units:
            shares += [units[unit.name][state] for state in (reading.ends_in(unit), *reading.comes_to(unit))]
        won = reading.taken() if shock else reading.driven()
        shares += [success] if won else []
        if found.draws:
            shares += [named[name] for name in {outcome, *seen, *(["success"] if won else [])}]
        for share_of in shares:
            share_of.mass += mass
            share_of.drawn += drawn
    rest = (1 - found.mass) / int(found.draws) if found.draws else Fraction(0)

    def chances(shares: Mapping[Name, _Share]) -> dict[Name, Fraction]:
        return {name: Fraction(one.mass, whole) + rest * one.drawn for name, one in shares.items()}

    steps = tuple(
        Step(tally.name, tally.mass, _likeliest(tally.decided),
             tally.losses[attacker], tally.losses[1 - attacker], int(tally.branches), int(tally.states))
        for tally in found.steps
    )  # fmt: skip
    return Answer(
        situation, found.mass, chances(outcomes), dict(sorted(chances(events).items())),
        dict(sorted(chances(losses[0]).items())), dict(sorted(chances(losses[1]).items())),
        chances({"": success})[""], steps,
        {name: {state: chance for state, chance in chances(table).items() if chance} for name, table in units.items()},
        notes, int(found.draws), {name: one.drawn for name, one in named.items()},
        {name: Fraction(one.mass, whole) for name, one in named.items()},
    )  # fmt: skip
