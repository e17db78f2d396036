"""Rosters: the counters of a book as tables of units, leaders and commands."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from simkit.errors import InputError
from simkit.model.charts import Charts
from simkit.model.forces import LEVELS
from simkit.scenario.gunlist import is_divided, sections_of
from simkit.scenario.reading import Row, Source, Table, read_rows, suggestion

Side = Literal["Union", "Confederate"]
Level = Literal["brigade", "division", "corps", "army"]
COMMANDS, UNITS, LEADERS = FILES = ("commands.csv", "units.csv", "leaders.csv")

RATINGS: dict[str, tuple[str, ...]] = {
    "brigade": ("profile", "orders"),
    "division": ("coordination", "activation"),
    "corps": ("efficiency",),
    "army": ("initiative",),
}
"""What the counter of a leader of each level shows besides his range (2.22)."""

ALL_RATINGS = tuple(rating for ratings in RATINGS.values() for rating in ratings)


DISMOUNTED = (
    "dismounted_weapon", "dismounted_cohesion", "dismounted_cohesion_disordered", "dismounted_movement",
    "dismounted_movement_disordered",
)  # fmt: skip
"""What the dismounted counter of cavalry prints, where its book gives it one (14.21)."""


@cache  # units are looked up by their ids again and again
def slug(text: str) -> str:
    """A word that can stand in an id: lower case, every run of other signs than letters and digits a dash."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class CommandRow(Row):
    """A command: its side, its code as the book writes it, its level, and its superior's code (an army has none).

    `artillery` marks a corps of guns with an artillery commander or none, which batteries may stand under directly; a
    scenario says how it is activated (4.33).
    """

    side: Side
    code: str
    name: str = ""
    level: Level
    superior: str = ""
    artillery: bool = False

    @model_validator(mode="after")
    def _artillery_is_a_corps(self) -> "CommandRow":
        if self.artillery and self.level != "corps":
            what = f"artillery: {self.code} is a {self.level}"
            raise ValueError(f"{what}, but artillery commands are of corps level (4.33)")
        return self

    def above(self, other: "CommandRow") -> bool:
        """Whether this command stands on a higher level than another."""
        return LEVELS.index(self.level) > LEVELS.index(other.level)


class UnitRow(Row):
    """A combat unit: what both sides of its counter print (2.21), each group of values with its source.

    `full` in strength points or guns, movement in movement points. Cavalry that may dismount has a second counter,
    whose values begin with `dismounted_` and have the sources of the first one's; its strength is the same (14.21).
    A battery of several types of gun names in `weapon` its sections, as in "4 N + 2 R" (2.41).
    """

    side: Side
    brigade: str
    name: str
    kind: Literal["infantry", "cavalry", "artillery"]
    full: int = Field(ge=1, le=40)
    full_source: Source
    full_why: str
    weapon: str
    weapon_source: Source
    weapon_why: str
    cohesion: int = Field(ge=0, le=9)
    cohesion_disordered: int = Field(ge=0, le=9)
    movement: int = Field(ge=1, le=30)
    movement_disordered: int = Field(ge=1, le=30)
    green: bool = False
    horse: bool = False
    dismounted_weapon: str = ""
    dismounted_cohesion: int | None = Field(default=None, ge=0, le=9)
    dismounted_cohesion_disordered: int | None = Field(default=None, ge=0, le=9)
    dismounted_movement: int | None = Field(default=None, ge=1, le=30)
    dismounted_movement_disordered: int | None = Field(default=None, ge=1, le=30)
    ratings_source: Source
    ratings_why: str

    @property
    def id(self) -> str:
        """The unit's stable id: brigade and name, as in `1-1-rw/22-in`."""
        return f"{slug(self.brigade)}/{slug(self.name)}"

    @model_validator(mode="after")
    def _disorder_is_no_gain(self) -> "UnitRow":
        if self.cohesion_disordered > self.cohesion or self.movement_disordered > self.movement:
            raise ValueError(f"{self.name}: the disordered side cannot be better than the good-order side (2.21)")
        return self

    @model_validator(mode="after")
    def _sections_make_a_battery(self) -> "UnitRow":
        if not is_divided(self.weapon):
            return self
        if self.kind != "artillery":
            raise ValueError(f"weapon: only a battery consists of sections, not {self.kind} (2.41)")
        guns = [count for count, _ in self.sections]
        if min(guns) < 1:
            raise ValueError(f'weapon: "{self.weapon}" has a section without guns; leave it out (2.41)')
        if sum(guns) != self.full:
            raise ValueError(
                f'weapon: "{self.weapon}" has {sum(guns)} guns, but full says {self.full}; all sections together make '
                "the battery (2.41)"
            )
        return self

    @property
    def sections(self) -> tuple[tuple[int, str], ...]:
        """Guns and weapon of each section of a battery, top first; none where it has one type of gun (2.41)."""
        return sections_of(self.weapon) if is_divided(self.weapon) else ()

    @property
    def weapons(self) -> tuple[str, ...]:
        """The weapon, or that of each section, that its counter shows; not that of a dismounted one."""
        return tuple(code for _, code in self.sections) or (self.weapon,)

    def guns_by_section(self, strength: int | str) -> list[int]:
        """Guns of each section of a battery of such a strength, as a scenario gives it; none where it has no sections.

        Raises:
            ValueError: more than the counter allows, or guns lost without a word of which.
        """
        if not self.sections:
            if isinstance(strength, str):
                raise ValueError(
                    f'{self.id} has no sections to count ("{strength}"); right would be a number without quotes, 1 to '
                    f"{self.full}"
                )
            if not 1 <= strength <= self.full:
                raise ValueError(f"{self.id} cannot have strength {strength}; its counter allows 1 to {self.full}")
            return []
        if strength == self.full:
            return [guns for guns, _ in self.sections]
        if not isinstance(strength, str):
            raise ValueError(
                f"{self.id} cannot have strength {strength}: say which of its {self.full} guns are left, as in"
                f' "{self.weapon}" (8.37)'
            )
        left = sections_of(strength)
        if [code for _, code in left] != [code for _, code in self.sections]:
            raise ValueError(f'{self.id} has other sections than "{strength}"; its counter shows {self.weapon} (8.37)')
        for (guns, code), (most, _) in zip(left, self.sections, strict=True):
            if guns > most:
                raise ValueError(f"{self.id} cannot have {guns} guns {code}; its counter allows 0 to {most} (8.37)")
        if not any(guns for guns, _ in left):
            raise ValueError(f"{self.id} cannot have strength 0; its counter allows 1 to {self.full}")
        return [guns for guns, _ in left]

    @property
    def may_dismount(self) -> bool:
        """Whether it has a dismounted counter (14.21)."""
        return self.dismounted_weapon != ""

    @model_validator(mode="after")
    def _whole_dismounted_counter(self) -> "UnitRow":
        given = [key for key in DISMOUNTED if getattr(self, key) not in ("", None)]
        if not given:
            return self
        if self.kind != "cavalry":
            raise ValueError(f"{given[0]}: only cavalry has a dismounted counter, not {self.kind} (14.21)")
        missing = [key for key in DISMOUNTED if key not in given]
        if missing:
            raise ValueError(f"{missing[0]}: this cell is empty but {given[0]} is given; fill in both counters (14.21)")
        good = (self.dismounted_cohesion, self.dismounted_movement)
        disordered = (self.dismounted_cohesion_disordered, self.dismounted_movement_disordered)
        if any(bad is not None and best is not None and bad > best for bad, best in zip(disordered, good, strict=True)):
            raise ValueError(f"{self.name}: the dismounted counter's disordered side cannot be better (2.21)")
        return self


class LeaderRow(Row):
    """A leader: both sides of his counter (2.22); what his level does not use stays away.

    Ranges in leader movement points; `profile` A, N, C or U. A `replacement` who bears the name of a leader of a lower
    command is that person: he leaves his post when he steps up, or, if he has fallen, another does (12.75, 12.76).
    Without one the leader is not replaced (12.74).
    """

    side: Side
    command: str
    name: str
    level: Level
    range: int = Field(ge=0, le=40)
    initiative: int = Field(default=0, ge=-3, le=3)
    efficiency: int = Field(default=0, ge=-3, le=3)
    coordination: int = Field(default=0, ge=0, le=3)
    activation: int = Field(default=0, ge=-3, le=3)
    profile: Literal["A", "N", "C", "U"] = "N"
    orders: int = Field(default=0, ge=-3, le=3)
    replacement: str = ""
    replacement_range: int = Field(default=0, ge=0, le=40)
    replacement_efficiency: int = Field(default=0, ge=-3, le=3)
    replacement_coordination: int = Field(default=0, ge=0, le=3)
    replacement_activation: int = Field(default=0, ge=-3, le=3)
    replacement_profile: Literal["A", "N", "C", "U"] = "N"
    replacement_orders: int = Field(default=0, ge=-3, le=3)
    source: Source
    why: str

    @model_validator(mode="after")
    def _ratings_of_his_level(self) -> "LeaderRow":
        own = RATINGS[self.level]
        for key, field in type(self).model_fields.items():
            rating = key.removeprefix("replacement_")
            if rating in ALL_RATINGS and rating not in own and getattr(self, key) != field.default:
                shown = ", ".join(("range", *own))
                raise ValueError(f"{key}: a {self.level} leader has none; his counter shows {shown} (2.22)")
        return self

    @property
    def id(self) -> str:
        """The leader's stable id: command and name."""
        return f"{slug(self.command)}/{slug(self.name)}"


class Roster(Table):
    """All commands, units and leaders of a book."""

    commands: tuple[CommandRow, ...]
    units: tuple[UnitRow, ...]
    leaders: tuple[LeaderRow, ...]

    def unit(self, ident: str) -> UnitRow:
        """The unit of an id; KeyError carries the message for an unknown one."""
        for unit in self.units:
            if unit.id == ident:
                return unit
        raise KeyError(f'unknown unit "{ident}"{suggestion(ident, [u.id for u in self.units])}')

    def leader(self, ident: str) -> LeaderRow:
        """The leader of an id; KeyError carries the message for an unknown one."""
        for leader in self.leaders:
            if leader.id == ident:
                return leader
        raise KeyError(f'unknown leader "{ident}"{suggestion(ident, [x.id for x in self.leaders])}')


def read_roster(folder: Path) -> Roster:
    """Read `commands.csv`, `units.csv` and `leaders.csv` of a folder and check that they fit together.

    Raises:
        InputError: a file or row is wrong, an id stands twice, or a command, superior or level does not exist.
    """
    roster = Roster(
        commands=tuple(read_rows(CommandRow, folder / COMMANDS)),
        units=tuple(read_rows(UnitRow, folder / UNITS)),
        leaders=tuple(read_rows(LeaderRow, folder / LEADERS)),
    )
    commands = _commands(folder / COMMANDS, roster.commands)
    _check_members(folder / UNITS, [(row, row.side, row.brigade, row.id) for row in roster.units], commands)
    _check_members(folder / LEADERS, [(row, row.side, row.command, row.id) for row in roster.leaders], commands)
    for unit in roster.units:
        command = commands[unit.side, unit.brigade]
        if command.artillery and unit.kind != "artillery":
            raise InputError(f"{_at(folder / UNITS, unit)}: {unit.brigade} has batteries only, no {unit.kind} (4.33)")
        if command.level != "brigade" and not command.artillery:
            raise InputError(
                f"{_at(folder / UNITS, unit)}: {unit.brigade} is a {command.level}; a unit serves in a brigade"
            )
    for leader in roster.leaders:
        level = commands[leader.side, leader.command].level
        if leader.level != level:
            where = _at(folder / LEADERS, leader)
            raise InputError(f"{where}: {leader.id} is a {leader.level} leader, but {leader.command} is a {level}")
    return roster


def check_weapons(roster: Roster, charts: Charts, folder: Path) -> None:
    """Check that the charts know every unit's weapon, and that guns and men each have one of their own.

    Raises:
        InputError: a weapon is unknown, or not for that kind of unit.
    """
    known = {weapon.code: weapon for weapon in charts.weapons}
    for unit in roster.units:
        where = f"{_at(folder / UNITS, unit)}: {unit.id}"
        for code in (*unit.weapons, unit.dismounted_weapon) if unit.may_dismount else unit.weapons:
            if code not in known:
                raise InputError(f'{where}: unknown weapon "{code}"{suggestion(code, known)}')
            weapon = known[code]
            if weapon.artillery != (unit.kind == "artillery"):
                raise InputError(f"{where}: {unit.kind} cannot have weapon {weapon.code} ({weapon.name})")


def _at(path: Path, row: Row) -> str:
    return f"{path}, line {row.line}"


def _commands(path: Path, rows: Sequence[CommandRow]) -> dict[tuple[str, str], CommandRow]:
    """Commands by side and code; each stands below its superior, so that there is no circle."""
    known: dict[tuple[str, str], CommandRow] = {}
    for row in rows:
        if (row.side, row.code) in known:
            raise InputError(f"{_at(path, row)}: {row.side} {row.code} stands twice")
        known[row.side, row.code] = row
    for row in rows:
        where = f"{_at(path, row)}: {row.side} {row.code}"
        if row.level == "army":
            if row.superior:
                raise InputError(f"{where}: an army has no superior")
        elif not row.superior:
            raise InputError(f"{where}: a {row.level} needs a superior")
        elif (row.side, row.superior) not in known:
            codes = [code for side, code in known if side == row.side]
            raise InputError(f'{where}: unknown superior "{row.superior}"{suggestion(row.superior, codes)}')
        elif not known[row.side, row.superior].above(row):
            raise InputError(f"{where}: its superior {row.superior} does not stand above a {row.level}")
    return known


def _check_members(
    path: Path, members: Sequence[tuple[Row, str, str, str]], commands: dict[tuple[str, str], CommandRow]
) -> None:
    seen: set[str] = set()
    for row, side, code, ident in members:
        if ident in seen:
            raise InputError(f"{_at(path, row)}: two rows have the id {ident}; ids are made of command and name")
        seen.add(ident)
        if (side, code) not in commands:
            codes = [known_code for known_side, known_code in commands if known_side == side]
            raise InputError(f'{_at(path, row)}: {ident}: unknown {side} command "{code}"{suggestion(code, codes)}')
