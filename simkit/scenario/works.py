"""Breastworks in scenario files: those that stand at the start, and who may build more from when (15.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from simkit.errors import InputError
from simkit.model.battle import Battle
from simkit.model.breastworks import KIND, MOST_IN_HEX
from simkit.model.charts import Charts
from simkit.model.forces import SIDES
from simkit.model.hexgrid import HEADING_NAMES
from simkit.play.scenario_rules import ScenarioRules
from simkit.scenario.reading import Location

if TYPE_CHECKING:
    from simkit.model.battlemap import Hex
    from simkit.rules.options import Options
    from simkit.scenario.scenariofile import Fieldworks, Scenario


class OptionReader(Protocol):
    """What builds a scenario: it knows the options of the rules, and words what is wrong."""

    options: Options

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""


class Reader(Protocol):
    """What builds a scenario: it finds hexes, turns and headings, and words what is wrong."""

    scenario: Scenario
    options: Options
    charts: Charts

    def wrong(self, where: Location, what: str) -> InputError:
        """Bad input at a location of the scenario's file."""

    def place(self, ident: str, where: Location) -> Hex:
        """A hex by its printed id."""

    def turn(self, named: str | int, where: Location) -> int:
        """A turn by its label or number, counted from 0."""

    def facing_enemy(self, battle: Battle, place: Hex, side: int) -> int:
        """The heading from a hex towards the middle of a side's enemies."""


def set_up_works(reader: Reader, battle: Battle) -> None:
    """Put the breastworks of a scenario's set-up where they stand, facing as it says or as the units there do.

    Raises:
        InputError: they fit no hex, a hex has more than two, or nothing says which way they face.
    """
    for number, works in enumerate(reader.scenario.breastworks):
        if not any(kind.name == KIND for kind in reader.charts.hexsides):
            raise reader.wrong(("breastworks", number), f'the terrain chart has no hexside terrain "{KIND}" (15.22)')
        for at, ident in enumerate(works.hexes):
            where: Location = ("breastworks", number, "hexes", at)
            place = reader.place(ident, where)
            vertex = _heading(reader, battle, works, place, where) // 2
            if vertex in place.works:
                facing = HEADING_NAMES[2 * vertex + 1]
                raise reader.wrong(where, f"breastworks of {place.id} stand twice facing {facing}")
            if len(place.works) >= MOST_IN_HEX:
                raise reader.wrong(where, f"{place.id} has two breastworks already, the most there can be (15.12)")
            battle.works.stand_in(place, vertex)


def _heading(reader: Reader, battle: Battle, works: Fieldworks, place: Hex, where: Location) -> int:
    if works.heading is not None:
        return HEADING_NAMES.index(works.heading)
    for part in place.stack:
        if part.unit.heading % 2:
            return int(part.unit.heading)
    if works.side is not None:
        return reader.facing_enemy(battle, place, SIDES.index(works.side))
    raise reader.wrong(
        where, f"no unit in {place.id} says which way they face; give a heading, or the side that they protect"
    )


def chosen(reader: OptionReader, option: str | None, where: Location) -> bool:
    """Whether a table of the scenario holds: it depends on no option, or on one that is chosen.

    Raises:
        InputError: no table can depend on such an option.
    """
    try:
        return option is None or reader.options.on(option)
    except ValueError as error:
        raise reader.wrong(where, str(error)) from None


def building_rules(reader: Reader, rules: ScenarioRules) -> None:
    """15.1, 21.1 of Dead of Winter: note from which turn each side may build breastworks.

    Raises:
        InputError: a turn is none of the track, or a side has both a first turn and none.
    """
    building = reader.scenario.building
    if building is None or not chosen(reader, building.option, ("building", "option")):
        return
    for side, named in building.first_turn.items():
        rules.build_from[SIDES.index(side)] = reader.turn(named, ("building", "first_turn", side))
    for number, side in enumerate(building.never):
        if side in building.first_turn:
            raise reader.wrong(("building", "never", number), f"{side} has a first turn for it too; take one away")
        rules.build_from[SIDES.index(side)] = -1
