"""What the shock, command and disorder files may say, with the bands that the rules print."""

from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from simkit.model import charts
from simkit.scenario.chart_schemas import NO_EFFECT, RATIO, Block, Modifier, Strict, contiguous, parse_cell

ORDERS = {
    "retain and stand": charts.RETAIN_AND_STAND,
    "retain": charts.RETAIN,
    "loose cannon": charts.LOOSE_CANNON,
    "change and stand": charts.CHANGE_AND_STAND,
    "change": charts.CHANGE,
}
COORDINATION = {
    "confusion": charts.CONFUSION,
    "fail": charts.FAIL,
    "2 brigades": charts.TWO_BRIGADES,
    "3 brigades": charts.THREE_BRIGADES,
    "all": charts.ALL_BRIGADES,
}
PROFILES = {"aggressive": charts.AGGRESSIVE, "normal": charts.NORMAL, "cautious": charts.CAUTIOUS}
CAUSES = (
    "fire",
    "shock",
    "pre-shock check",
    "retreat before shock",
    "reaction facing",
    "adjacent rout",
    "friendly fire",
    "retreat through",
    "terrain",
    "post-shock",
    "reaction move",
)
EFFECTS = {
    "none": charts.EFFECT_NONE,
    "stop": charts.EFFECT_STOP,
    "loss": charts.EFFECT_LOSS,
    "loss and retreat": charts.EFFECT_LOSS_AND_RETREAT,
    "rout check": charts.EFFECT_ROUT_CHECK,
    "blown": charts.EFFECT_BLOWN,
    "abandoned": charts.EFFECT_ABANDONED,
}
Effect = Literal["none", "stop", "loss", "loss and retreat", "rout check", "blown", "abandoned"]


def parse_ratio(text: str) -> tuple[int, int]:
    """Attackers to defenders of a printed ratio such as "1½-1", in whole numbers.

    Raises:
        ValueError: no ratio.
    """
    match = RATIO.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is no ratio; write 2-1, 1½-1 or 1-1½')
    attackers = 2 * int(match[1]) + (match[2] is not None)
    defenders = 2 * int(match[3]) + (match[4] is not None)
    if not attackers or not defenders:
        raise ValueError(f'"{text}" is no ratio; both sides must be above zero')
    return attackers, defenders


class RatioBlock(Block):
    """The shock ratio chart."""

    columns: list[str]
    drms: list[int]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        ratios = [parse_ratio(text) for text in self.columns]
        if len(self.drms) != len(ratios):
            raise ValueError(f"{len(ratios)} columns but {len(self.drms)} drms")
        for at, (lower, upper) in enumerate(pairwise(ratios)):
            if lower[0] * upper[1] >= upper[0] * lower[1]:
                raise ValueError(
                    f'column "{self.columns[at + 1]}" should be better for the attacker than the one before'
                )
        if self.drms != sorted(self.drms):
            raise ValueError("a better ratio has a lower DRM than a worse one")
        for needed in ("1-4", "1½-1", "2-1", "5-1"):
            if parse_ratio(needed) not in ratios:
                raise ValueError(f'column "{needed}" is missing (11.43)')
        if (ratios[0], ratios[-1]) != (parse_ratio("1-4"), parse_ratio("5-1")):
            raise ValueError("the first column is 1-4 and the last 5-1 (11.43)")
        return self


class ResultBlock(Block):
    """A line of the shock resolution table."""

    rolls: str
    attacker: str = NO_EFFECT
    defender: str = NO_EFFECT
    attacker_retreat: int = Field(default=0, ge=0, le=2)
    defender_retreat: int = Field(default=0, ge=0, le=2)
    standoff: bool = False
    rout_check: bool = False
    abandon_guns: bool = False
    attacker_may_continue: bool = False
    defender_may_continue: bool = False
    text: str

    @field_validator("attacker", "defender")
    @classmethod
    def _cells(cls, text: str) -> str:
        parse_cell(text)
        return text


class Adjustments(Strict):
    """The shock adjustments."""

    charge: Modifier
    cavalry_charge: Modifier
    countercharged: Modifier
    attacker_disordered: Modifier
    defender_disordered: Modifier
    no_brigadier: Modifier
    aggressive: Modifier
    breastworks: Modifier
    continued: Modifier
    enemy_front: Modifier
    front: Modifier
    flank: Modifier
    rear: Modifier
    front_flank: Modifier
    front_rear: Modifier
    flank_rear: Modifier
    front_flank_rear: Modifier
    surrounded: Modifier

    @model_validator(mode="after")
    def _positions_ordered(self) -> Self:
        combined = (self.front_flank, self.front_rear, self.flank_rear, self.front_flank_rear)
        lowest, highest = min(each.value for each in combined), max(each.value for each in combined)
        ladder = [self.front.value, self.flank.value, self.rear.value, lowest, highest, self.surrounded.value]
        if ladder != sorted(ladder):
            raise ValueError("position DRMs rise from front over flank, rear and combinations to surrounded (11.44)")
        return self


class PreShock(Strict):
    """The DRMs of the defender's pre-shock check."""

    march: Modifier
    disordered: Modifier
    flank: Modifier
    rear: Modifier
    cavalry_charge: Modifier
    breastworks: Modifier


class ShockFile(Strict):
    """shock.toml: ratio, resolution, adjustments and the pre-shock check."""

    ratio: RatioBlock
    result: list[ResultBlock]
    adjustments: Adjustments
    pre_shock: PreShock

    @field_validator("result")
    @classmethod
    def _bands(cls, results: list[ResultBlock]) -> list[ResultBlock]:
        bands = contiguous([result.rolls for result in results], "rolls", open_below=True)
        for roll in range(min(1, bands[0].first), max(10, bands[-1].first) + 1):
            at = max((n for n, band in enumerate(bands) if band.first <= roll), default=0)
            _check_printed(results[at], roll)
        return results

    @model_validator(mode="after")
    def _standoff(self) -> Self:
        if sum(result.standoff for result in self.result) != 1:
            raise ValueError("exactly one result is the Bloody Standoff (8.36)")
        return self


def _check_printed(result: ResultBlock, roll: int) -> None:
    """Hold a line against what 11.47, 11.64, 12.42 and 12.51 print for an adjusted roll."""
    attacker_retreat = 1 if roll <= 1 else 0
    defender_retreat = 2 if roll >= 10 else 1 if roll >= 5 else 0
    printed = {
        "attacker_retreat": (attacker_retreat, "12.42"),
        "defender_retreat": (defender_retreat, "12.42"),
        "attacker_may_continue": (roll >= 8, "11.47"),
        "defender_may_continue": (roll <= 1, "11.47"),
        "abandon_guns": (roll >= 10, "11.64"),
        "rout_check": (roll >= 10, "12.51"),
    }
    for key, (value, rule) in printed.items():
        if getattr(result, key) != value:
            shown = str(value).lower()
            raise ValueError(f'rolls "{result.rolls}": {key} must be {shown} for an adjusted {roll} ({rule})')


class FireModifiersTable(Strict):
    """Fire DRMs that are neither range nor terrain."""

    behind_breastworks: Modifier
    through_breastworks: Modifier
    massed: Modifier
    massed_sp: Modifier
    dispersed: Modifier
    dispersed_sp: Modifier
    at_mounted: Modifier
    by_mounted: Modifier
    prepared: Modifier
    disordered: Modifier
    flank: Modifier
    high_ground: Modifier
    guns_moved: Modifier
    guns_faced: Modifier
    green: Modifier
    dawn_dusk: Modifier
    low_ammo: Modifier
    friends_hit: Modifier


class NightBlock(Block):
    """Night DRMs by hexes of distance."""

    drms: list[int] = Field(min_length=1)

    @field_validator("drms")
    @classmethod
    def _falling(cls, drms: list[int]) -> list[int]:
        if drms != sorted(drms, reverse=True):
            raise ValueError("night DRMs rise with the distance")
        return drms


class FireModifiersFile(Strict):
    """fire_modifiers.toml."""

    fire: FireModifiersTable
    night: NightBlock


class OutcomeBlock(Block):
    """A table from adjusted rolls to outcomes."""

    outcomes: dict[str, str]

    @field_validator("outcomes")
    @classmethod
    def _bands(cls, outcomes: dict[str, str]) -> dict[str, str]:
        contiguous(list(outcomes), "rolls", open_below=True)
        return outcomes


def _one_of(block: OutcomeBlock, known: dict[str, int]) -> OutcomeBlock:
    for roll, outcome in block.outcomes.items():
        if outcome not in known:
            raise ValueError(f'"{outcome}" at {roll} is no outcome of this table; it knows {", ".join(known)}')
    return block


class CommandModifiersTable(Strict):
    """DRMs and thresholds of orders, rally and leaders."""

    with_division_leader: Modifier
    with_higher_commander: Modifier
    rally_adjacent: Modifier
    rally_mounted: Modifier
    rally_loss: Modifier
    rally_loss_multiple: Modifier
    leader_star: Modifier
    leader_killed: Modifier


class CommandFile(Strict):
    """command.toml: coordination, orders change, unreliable brigadiers, rally."""

    coordination: OutcomeBlock
    orders_change: OutcomeBlock
    unreliable: OutcomeBlock
    command: CommandModifiersTable

    @field_validator("coordination")
    @classmethod
    def _coordination(cls, block: OutcomeBlock) -> OutcomeBlock:
        return _one_of(block, COORDINATION)

    @field_validator("orders_change")
    @classmethod
    def _orders(cls, block: OutcomeBlock) -> OutcomeBlock:
        return _one_of(block, ORDERS)

    @field_validator("unreliable")
    @classmethod
    def _profiles(cls, block: OutcomeBlock) -> OutcomeBlock:
        return _one_of(block, PROFILES)


class SecondDisorderBlock(Block):
    """A row of the 2nd Disorder Table."""

    cause: str
    foot: Effect
    horse: Effect
    guns: Effect

    @field_validator("cause")
    @classmethod
    def _known(cls, cause: str) -> str:
        if cause not in CAUSES:
            raise ValueError(f'"{cause}" is no cause; one of {", ".join(CAUSES)}')
        return cause


class DisorderFile(Strict):
    """disorder.toml: the 2nd Disorder Table."""

    second_disorder: list[SecondDisorderBlock]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for cause in CAUSES:
            if cause not in {row.cause for row in self.second_disorder}:
                raise ValueError(f'the cause "{cause}" is missing')
        return self
