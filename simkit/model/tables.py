"""The tables that a die is rolled on: fire, shock, second disorder, orders and coordination (10.17, 11.45, 12.35)."""

from typing import Final

from mypy_extensions import i64

# Outcomes of the orders change table (6.23).
RETAIN_AND_STAND: Final = 0
RETAIN: Final = 1
LOOSE_CANNON: Final = 2
CHANGE_AND_STAND: Final = 3
CHANGE: Final = 4

# Outcomes of the brigade coordination table (5.34): above FAIL, the outcome is the number of brigades, or ALL_BRIGADES.
CONFUSION: Final = 0
FAIL: Final = 1
TWO_BRIGADES: Final = 2
THREE_BRIGADES: Final = 3
ALL_BRIGADES: Final = 99

# Action profiles of brigadiers, and the outcomes of the table for unreliable ones (6.24).
AGGRESSIVE: Final = 0
NORMAL: Final = 1
CAUTIOUS: Final = 2
UNRELIABLE: Final = 3

# Causes of a second disorder: the rows of the 2nd Disorder Table (12.35, 12.36, 9.63).
CAUSE_FIRE: Final = 0
CAUSE_SHOCK: Final = 1
CAUSE_PRE_SHOCK_CHECK: Final = 2
CAUSE_RETREAT_BEFORE_SHOCK: Final = 3
CAUSE_REACTION_FACING: Final = 4
CAUSE_ADJACENT_ROUT: Final = 5
CAUSE_FRIENDLY_FIRE: Final = 6
CAUSE_RETREAT_THROUGH: Final = 7
CAUSE_TERRAIN: Final = 8
CAUSE_POST_SHOCK: Final = 9
CAUSE_REACTION_MOVE: Final = 10
CAUSES: Final = 11

# Effects of a second disorder.
EFFECT_NONE: Final = 0
EFFECT_STOP: Final = 1
EFFECT_LOSS: Final = 2
EFFECT_LOSS_AND_RETREAT: Final = 3
EFFECT_ROUT_CHECK: Final = 4
EFFECT_BLOWN: Final = 5
EFFECT_ABANDONED: Final = 6


class FireResult:
    """A cell of a fire table: step losses, then a disorder and the DRM of its UDD (12.32).

    Args:
        losses: step losses (SP, or guns of a battery).
        disorder: NO_DISORDER, UDD ("d") or AUTOMATIC ("D").
        drm: added to the UDD's roll, 2 for "d+2".
        text: the printed notation, "-" for no effect.
    """

    def __init__(self, losses: i64, disorder: i64, drm: i64, text: str) -> None:
        self.losses: i64 = losses
        self.disorder: i64 = disorder
        self.drm: i64 = drm
        self.text: str = text

    def __repr__(self) -> str:
        return f"FireResult({self.text!r})"


class FireTable:
    """A fire table: firing strength across, adjusted roll down (10.17).

    Args:
        low: the adjusted roll of the first row, which also holds for every lower roll.
        rows: number of rows; the last also holds for every higher roll.
        strengths: number of strengths, 1 to the top of the last column, which also holds for every greater strength.
        results: the cells, row after row for strength 1, then for strength 2, and so on.
        starred: the unadjusted roll printed with an asterisk, which depletes ammunition (10.69, 14.33).
    """

    def __init__(self, low: i64, rows: i64, strengths: i64, results: list[FireResult], starred: i64) -> None:
        self.low: i64 = low
        self.rows: i64 = rows
        self.strengths: i64 = strengths
        self.results: list[FireResult] = results
        self.starred: i64 = starred

    @property
    def high(self) -> i64:
        """Adjusted roll of the last row."""
        return self.low + self.rows - 1

    def result(self, sp: i64, roll: i64) -> FireResult:
        """Result of a fire (10.17).

        Args:
            sp: firing strength, at least 1.
            roll: the roll with all its DRMs.

        Raises:
            ValueError: a strength below 1.
        """
        if sp < 1:
            raise ValueError("a fire needs at least 1 SP")
        column: i64 = sp - 1
        if column >= self.strengths:
            column = self.strengths - 1
        row: i64 = roll - self.low
        if row < 0:
            row = 0
        elif row >= self.rows:
            row = self.rows - 1
        return self.results[column * self.rows + row]


class Weapon:
    """A line of the range effects chart (10.16).

    Args:
        code: as on the counter, such as "R" or "N".
        name: in words.
        artillery: guns, not small arms.
        max_range: hexes; beyond it no fire.
        prepared_range: hexes within which Prepared Fire counts (10.51), 0 for none.
        rapid_fire: marked (RF), may fire twice within canister range (10.68).
        repeater: a Spencer, which fires twice in Good Order (14.3).
        canister_range: hexes within which guns fire on the Fire Table (10.67), 0 for small arms.
        drms: the range DRM at 1, 2, ... max_range hexes.
    """

    def __init__(
        self,
        code: str,
        name: str,
        artillery: bool,
        max_range: i64,
        prepared_range: i64,
        rapid_fire: bool,
        repeater: bool,
        canister_range: i64,
        drms: list[i64],
    ) -> None:
        self.code: str = code
        self.name: str = name
        self.artillery: bool = artillery
        self.max_range: i64 = max_range
        self.prepared_range: i64 = prepared_range
        self.rapid_fire: bool = rapid_fire
        self.repeater: bool = repeater
        self.canister_range: i64 = canister_range
        self.drms: list[i64] = drms

    def range_drm(self, distance: i64) -> i64:
        """Range DRM at a distance in hexes.

        Raises:
            ValueError: a distance below 1 or beyond the maximum range.
        """
        if distance < 1 or distance > self.max_range:
            raise ValueError(f"{self.code} can't fire at {distance} hexes")
        return self.drms[distance - 1]

    def shell(self, distance: i64) -> bool:
        """Whether a fire at that distance is shot or shell, on the Artillery Fire Table (10.67)."""
        return self.artillery and distance > self.canister_range

    def __repr__(self) -> str:
        return f"Weapon({self.code!r})"


class RatioColumn:
    """A column of the shock ratio chart: attackers to defenders in whole numbers, its DRM and its printed text."""

    def __init__(self, attackers: i64, defenders: i64, drm: i64, text: str) -> None:
        self.attackers: i64 = attackers
        self.defenders: i64 = defenders
        self.drm: i64 = drm
        self.text: str = text


class ShockRatio:
    """The shock ratio chart: odds reduced to a printed ratio, which gives a DRM (11.43).

    Args:
        columns: from the ratio worst for the attacker to the best.
    """

    def __init__(self, columns: list[RatioColumn]) -> None:
        self.columns: list[RatioColumn] = columns

    def column(self, attackers: i64, defenders: i64, favour_attacker: bool) -> RatioColumn:
        """The printed ratio for two strengths on one scale, rounded in favour of one side (11.43).

        Args:
            attackers: attacking strength; halved and doubled strengths keep exact if both sides are scaled alike.
            defenders: defending strength on the same scale.
            favour_attacker: round up to the next better ratio for the attacker, else down.
        """
        size: i64 = len(self.columns)
        best: i64 = 0
        exact: bool = False
        at: i64 = 0
        while at < size:
            column = self.columns[at]
            left: i64 = attackers * column.defenders
            right: i64 = column.attackers * defenders
            if left < right:
                break
            best = at
            exact = left == right
            at += 1
        # A ratio below the first column counts as the first, above the last as the last.
        if favour_attacker and not exact and at > 0 and at < size:
            best = at
        return self.columns[best]

    def drm(self, attackers: i64, defenders: i64, favour_attacker: bool) -> i64:
        """The DRM of the printed ratio for two strengths on one scale (11.43)."""
        return self.column(attackers, defenders, favour_attacker).drm


class SideResult:
    """What a shock result does to one side: step losses, disorder with its DRM, hexes of retreat."""

    def __init__(self, losses: i64, disorder: i64, drm: i64, retreat: i64) -> None:
        self.losses: i64 = losses
        self.disorder: i64 = disorder
        self.drm: i64 = drm
        self.retreat: i64 = retreat


class ShockResult:
    """A line of the shock resolution table (11.45).

    Args:
        low: the lowest adjusted roll it holds for.
        attacker, defender: what each side suffers.
        standoff: a Bloody Standoff: each side's loss falls on its participating unit of highest cohesion (8.36).
        abandon_guns: all defending guns are abandoned where they stand (11.64).
        rout_check: every defending infantry and cavalry unit makes a UDD or routs (12.51).
        attacker_may_continue, defender_may_continue: that side is eligible for Continued Shock (11.47).
        text: the line in words.
    """

    def __init__(
        self,
        low: i64,
        attacker: SideResult,
        defender: SideResult,
        standoff: bool,
        abandon_guns: bool,
        rout_check: bool,
        attacker_may_continue: bool,
        defender_may_continue: bool,
        text: str,
    ) -> None:
        self.low: i64 = low
        self.attacker: SideResult = attacker
        self.defender: SideResult = defender
        self.standoff: bool = standoff
        self.abandon_guns: bool = abandon_guns
        self.defender_rout_check: bool = rout_check
        self.attacker_may_continue: bool = attacker_may_continue
        self.defender_may_continue: bool = defender_may_continue
        self.text: str = text

    def __repr__(self) -> str:
        return f"ShockResult({self.text!r})"


class ShockTable:
    """The shock resolution table (11.45).

    Args:
        low: the adjusted roll of the first entry, which also holds for every lower roll.
        results: one entry an adjusted roll; the last also holds for every higher roll.
    """

    def __init__(self, low: i64, results: list[ShockResult]) -> None:
        self.low: i64 = low
        self.results: list[ShockResult] = results

    @property
    def high(self) -> i64:
        """Adjusted roll of the last entry."""
        return self.low + len(self.results) - 1

    def result(self, adjusted: i64) -> ShockResult:
        """Result of an adjusted roll."""
        at: i64 = adjusted - self.low
        size: i64 = len(self.results)
        if at < 0:
            at = 0
        elif at >= size:
            at = size - 1
        return self.results[at]


class OutcomeTable:
    """A table from an adjusted roll to an outcome constant (5.34, 6.23, 6.24).

    Args:
        low: the adjusted roll of the first entry, which also holds for every lower roll.
        outcomes: one constant an adjusted roll; the last also holds for every higher roll.
    """

    def __init__(self, low: i64, outcomes: list[i64]) -> None:
        self.low: i64 = low
        self.outcomes: list[i64] = outcomes

    def outcome(self, adjusted: i64) -> i64:
        """Outcome of an adjusted roll."""
        at: i64 = adjusted - self.low
        size: i64 = len(self.outcomes)
        if at < 0:
            at = 0
        elif at >= size:
            at = size - 1
        return self.outcomes[at]


class SecondDisorder:
    """The 2nd Disorder Table: what a further disorder does to a unit already disordered (12.35, 12.36).

    Args:
        effects: for each cause its effect on foot, on mounted cavalry and on guns, cause after cause.
    """

    def __init__(self, effects: list[i64]) -> None:
        self.effects: list[i64] = effects

    def effect(self, cause: i64, mover: i64) -> i64:
        """Effect constant for a CAUSE_ constant and FOOT (also dismounted cavalry), HORSE or GUNS."""
        return self.effects[cause * 3 + mover]
