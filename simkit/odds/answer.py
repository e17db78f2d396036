"""The answer to a situation: chances of outcomes and events, losses, steps, and how every unit ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from simkit.exact.enumeration import LIMIT, Distribution, Enumeration, Leaf
from simkit.exact.position import Ending, UnitEnd
from simkit.exact.record import (
    CONTINUED,
    COUNTERCHARGED,
    GAVE_WAY,
    ROLLED,
    ROUTED_BY_EXAMPLE,
    SHAKEN,
    UNCOMMITTED,
)
from simkit.model.forces import ARTILLERY, ELIMINATED, ON_MAP, ROUTED
from simkit.odds.grammar import parse
from simkit.odds.layout import ATTACKER, DEFENDER, SIDE_NAMES, Layout, lay_out
from simkit.odds.situation import SHOCK, Situation

SHOCK_OUTCOMES = (
    "defender retreats before shock", "defender breaks before shock", "attacker not committed",
    "attacker driven off before shock", "no shock", "defender eliminated", "defender routs", "guns abandoned",
    "defender retreats", "attacker repulsed", "standoff",
)  # fmt: skip
"""How a shock may end, in order of precedence: the first that holds. The first five are shocks never rolled for."""

FIRE_OUTCOMES = (
    "target eliminated", "target routs", "guns abandoned", "target retreats", "target loses strength",
    "target disordered", "no effect",
)  # fmt: skip
"""What a fire may do to its target, in order of precedence."""


@dataclass(frozen=True)
class Step:
    """One kind of step: the chance that it comes, the chances of its results, and the expected losses in it."""

    name: str
    chance: Fraction
    results: Mapping[str, Fraction]
    attacker_loss: Fraction
    defender_loss: Fraction


@dataclass(frozen=True)
class Answer:
    """What a situation leads to; chances are exact fractions, but where `method` is "sampled" part of them is drawn.

    `mass` is the part that was enumerated, `draws` how many combats were drawn of the rest. `outcomes` are a partition
    (see `SHOCK_OUTCOMES`, `FIRE_OUTCOMES`), `events` may overlap, `attacker_loss` and `defender_loss` give the chance
    of each number of strength points, `units` by unit the chances of its states at the end.
    """

    situation: Situation
    method: str
    mass: Fraction
    draws: int
    outcomes: Mapping[str, Fraction]
    events: Mapping[str, Fraction]
    attacker_loss: Mapping[int, Fraction]
    defender_loss: Mapping[int, Fraction]
    success: Fraction
    steps: tuple[Step, ...]
    units: Mapping[str, Mapping[str, Fraction]]
    branches: int
    interval: tuple[float, float]  # of success, 95 %: the chance itself, twice, if all was enumerated

    @property
    def expected_attacker_loss(self) -> Fraction:
        """Strength points that the attacker loses on average."""
        return sum((points * chance for points, chance in self.attacker_loss.items()), Fraction(0))

    @property
    def expected_defender_loss(self) -> Fraction:
        """Strength points that the defender loses on average."""
        return sum((points * chance for points, chance in self.defender_loss.items()), Fraction(0))

    def as_json(self, fractions: bool = False) -> dict[str, Any]:
        """The answer as plain data; chances are floats, or with `fractions` texts such as "3/10"."""
        said: Callable[[Fraction], Any] = str if fractions else float
        return {
            "situation": f"{self.situation.kind} {self.situation}",
            "method": self.method,
            "mass": said(self.mass),
            "draws": self.draws,
            "outcomes": {name: said(chance) for name, chance in self.outcomes.items()},
            "events": {name: said(chance) for name, chance in self.events.items()},
            "attacker_loss": {str(points): said(chance) for points, chance in self.attacker_loss.items()},
            "defender_loss": {str(points): said(chance) for points, chance in self.defender_loss.items()},
            "success": said(self.success),
            "interval": list(self.interval),
            "expected": {
                "attacker_loss": said(self.expected_attacker_loss),
                "defender_loss": said(self.expected_defender_loss),
            },
            "steps": [
                {
                    "step": step.name, "chance": said(step.chance),
                    "results": {name: said(chance) for name, chance in step.results.items()},
                    "attacker_loss": said(step.attacker_loss), "defender_loss": said(step.defender_loss),
                }
                for step in self.steps
            ],
            "units": {
                name: {state: said(chance) for state, chance in states.items()} for name, states in self.units.items()
            },
        }  # fmt: skip


@dataclass
class _Reading:
    """Sums over the leaves of a distribution."""

    layout: Layout
    distribution: Distribution

    def chance(self, leaf: Leaf) -> Fraction:
        """What a leaf stands for, its share of what was drawn included."""
        found = self.distribution
        if not found.draws:
            return leaf.mass
        return leaf.mass + (1 - found.mass) * Fraction(int(leaf.drawn), int(found.draws))

    def by(self, name: Callable[[Ending], str | int]) -> dict[Any, Fraction]:
        found: dict[Any, Fraction] = {}
        for leaf in self.distribution.leaves:
            key = name(leaf.ending)
            found[key] = found.get(key, Fraction(0)) + self.chance(leaf)
        return found

    def where(self, holds: Callable[[Ending], bool]) -> Fraction:
        return self.by(lambda ending: int(holds(ending))).get(1, Fraction(0))

    # -- what an ending says ---------------------------------------------------------------------------------------

    def ends(self, ending: Ending, units: tuple[Any, ...]) -> list[UnitEnd]:
        return [ending.units[unit.index] for unit in units]

    def lost(self, ending: Ending, side: int) -> int:
        return sum(
            max(0, int(self.starts[end.index]) - (0 if end.place == ELIMINATED else int(end.strength)))
            for end in ending.units if self.sides[end.index] == side
        )

    def __post_init__(self) -> None:
        self.starts = [int(unit.strength) for unit in self.layout.battle.units]
        self.sides = [int(unit.side) for unit in self.layout.battle.units]
        self.kinds = [int(unit.kind) for unit in self.layout.battle.units]
        self.homes = [int(unit.hex.index) for unit in self.layout.battle.units]
        self.goals = {int(place.index) for place in self.layout.targets}
        self.disordered = [bool(unit.disordered) for unit in self.layout.battle.units]

    def taken(self, ending: Ending) -> bool:
        """An attacker ends in a target hex."""
        return any(
            end.place == ON_MAP and int(end.hex) in self.goals for end in self.ends(ending, self.layout.attackers)
        )

    def _held(self, ending: Ending) -> bool:
        return any(
            end.place == ON_MAP and end.abandoned == 0 and int(end.hex) in self.goals
            for end in ending.units if self.sides[end.index] == DEFENDER
        )

    def shock_outcome(self, ending: Ending) -> str:
        """The outcome of a shock, by the precedence of `SHOCK_OUTCOMES`."""
        held = self._held(ending)
        defenders = self.ends(ending, self.layout.defenders)
        attackers = self.ends(ending, self.layout.attackers)
        routed = any(end.place == ROUTED for end in defenders if self.kinds[end.index] != ARTILLERY)
        if not ending.facts & ROLLED:
            if ending.facts & GAVE_WAY and not held:
                return "defender retreats before shock"
            if not held and ending.facts & SHAKEN:
                return "defender breaks before shock"
            if ending.facts & UNCOMMITTED and all(int(end.hex) == self.homes[end.index] for end in attackers):
                return "attacker not committed"
            if any(int(end.hex) != self.homes[end.index] or end.place != ON_MAP for end in attackers):
                return "attacker driven off before shock"
            return "no shock"
        if not held:
            if all(end.place == ELIMINATED for end in defenders):
                return "defender eliminated"
            if routed:
                return "defender routs"
            if all(end.abandoned > 0 or end.place != ON_MAP for end in defenders):
                return "guns abandoned"
            return "defender retreats"
        if all(end.place != ON_MAP or int(end.hex) != self.homes[end.index] for end in attackers):
            return "attacker repulsed"
        return "standoff"

    def fire_outcome(self, ending: Ending) -> str:
        """What a fire did to its target, by the precedence of `FIRE_OUTCOMES`."""
        ends = self.ends(ending, self.layout.defenders)
        if all(end.place == ELIMINATED for end in ends):
            return "target eliminated"
        if any(end.place == ROUTED for end in ends):
            return "target routs"
        if any(end.abandoned > 0 for end in ends):
            return "guns abandoned"
        if any(end.place == ON_MAP and int(end.hex) != self.homes[end.index] for end in ends):
            return "target retreats"
        if any(int(end.strength) < self.starts[end.index] for end in ends):
            return "target loses strength"
        if any(end.disordered and not self.disordered[end.index] for end in ends):
            return "target disordered"
        return "no effect"

    def state(self, end: UnitEnd) -> str:
        """How a unit ends, in words."""
        if end.place != ON_MAP:
            return "eliminated" if end.place == ELIMINATED else "routed"
        if end.abandoned > 0:
            return "guns abandoned"
        word = "blown" if end.blown else "disordered" if end.disordered else "good order"
        word += ", collapsed" if end.collapsed else ""
        moved = int(end.hex) != self.homes[end.index]
        if moved and self.sides[end.index] == ATTACKER:
            return word + (", advanced" if int(end.hex) in self.goals else ", gone")
        return word + (", retreated" if moved else "")

    def events(self) -> dict[str, Fraction]:
        """Things that may come together, each with its chance; those that cannot come are left out."""
        fallen = {
            side: [int(leader.index) for leader in self.layout.battle.leaders if leader.side == side] for side in (0, 1)
        }

        def falls(side: int) -> Callable[[Ending], bool]:
            return lambda ending: any(ending.leaders[at].casualty for at in fallen[side])

        def some(side: int, holds: Callable[[UnitEnd], bool]) -> Callable[[Ending], bool]:
            return lambda ending: any(holds(end) for end in ending.units if self.sides[end.index] == side)

        asked: dict[str, Callable[[Ending], bool]] = {"hex taken": self.taken}
        for side in (ATTACKER, DEFENDER):
            who = SIDE_NAMES[side]
            asked[f"{who} loses strength"] = lambda ending, side=side: self.lost(ending, side) > 0  # type: ignore[misc]
            asked[f"{who} disordered"] = some(side, lambda end: bool(end.disordered) and end.place == ON_MAP)
            asked[f"{who} collapses"] = some(side, lambda end: bool(end.collapsed))
            asked[f"any rout of {who}s"] = some(side, lambda end: end.place == ROUTED)
            asked[f"{who} unit eliminated"] = some(side, lambda end: end.place == ELIMINATED)
            asked[f"{who} leader falls"] = falls(side)
        asked["guns abandoned"] = some(DEFENDER, lambda end: end.abandoned > 0)
        for name, bit in (
            ("pre-shock check failed", SHAKEN), ("shock rolled", ROLLED), ("continued shock", CONTINUED),
            ("countercharge", COUNTERCHARGED), ("rout by example", ROUTED_BY_EXAMPLE),
        ):
            asked[name] = lambda ending, bit=bit: bool(ending.facts & bit)  # type: ignore[misc]
        found = {name: self.where(holds) for name, holds in asked.items()}
        return {name: chance for name, chance in found.items() if chance > 0}

    def answer(self) -> Answer:
        """All of it."""
        situation = self.layout.situation
        found = self.distribution
        shock = situation.kind == SHOCK
        outcomes = self.by(self.shock_outcome if shock else self.fire_outcome)
        names = SHOCK_OUTCOMES if shock else FIRE_OUTCOMES
        losses = [self.by(lambda ending, side=side: self.lost(ending, side)) for side in (ATTACKER, DEFENDER)]  # type: ignore[misc]
        nothing = Fraction(0)
        return Answer(
            situation,
            "exact" if found.exact() else "sampled",
            found.mass,
            int(found.draws),
            {name: outcomes[name] for name in names if name in outcomes},
            self.events(),
            {points: losses[ATTACKER].get(points, nothing) for points in range(max(losses[ATTACKER]) + 1)},
            {points: losses[DEFENDER].get(points, nothing) for points in range(max(losses[DEFENDER]) + 1)},
            self.where(self.taken) if shock else 1 - outcomes.get("no effect", nothing),
            tuple(
                Step(step.name, step.mass, dict(step.decided), step.losses[ATTACKER], step.losses[DEFENDER])
                for step in found.steps
            ),
            {
                unit.name: dict(sorted(
                    self.by(lambda ending, at=unit.index: self.state(ending.units[at])).items(),  # type: ignore[misc]
                    key=lambda item: -item[1],
                ))
                for unit in self.layout.battle.units
            },
            int(found.branches),
            self.interval(self.taken if shock else lambda ending: self.fire_outcome(ending) != "no effect"),
        )

    def interval(self, holds: Callable[[Ending], bool]) -> tuple[float, float]:
        """The 95 % interval of a chance: what was enumerated is certain, of the rest Wilson's (1927)."""
        found = self.distribution
        known = float(sum((leaf.mass for leaf in found.leaves if holds(leaf.ending)), Fraction(0)))
        if not found.draws:
            return known, known
        from simkit.analysis.intervals import share

        drawn = share(sum(int(leaf.drawn) for leaf in found.leaves if holds(leaf.ending)), int(found.draws))
        rest = float(1 - found.mass)
        return known + rest * drawn.low, known + rest * drawn.high


def solve(situation: Situation, overlay: Path | None = None, limit: int = LIMIT) -> Answer:
    """Work a situation out.

    Args:
        situation: as `parse` reads it.
        overlay: a folder of the owner's own charts, laid over the book's.
        limit: branches that are played before the rest is drawn, and the answer says so.

    Raises:
        InputError: the situation cannot be.
    """
    layout = lay_out(situation, overlay)
    reading = _Reading(layout, Distribution())
    enumeration = Enumeration(layout.battle, layout.series, list(layout.commanders), limit)
    if situation.kind == SHOCK:
        reading.distribution = enumeration.shock(list(layout.designations), list(layout.battle.active))
    else:
        reading.distribution = enumeration.fire(layout.attackers[0], list(layout.targets), situation.says("rapid"))
    return reading.answer()


def ask(kind: str, text: str, overlay: Path | None = None, limit: int = LIMIT) -> Answer:
    """Read a situation and work it out; see `parse` and `solve`."""
    return solve(parse(text, kind), overlay, limit)
