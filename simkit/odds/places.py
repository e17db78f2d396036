"""The small map of a situation: hexes of both sides, their ground, and the hexsides between them."""

from collections.abc import Sequence

from simkit.model.battlemap import BattleMap, Hex
from simkit.model.charts import FOOT, PROHIBITED, Charts
from simkit.model.hexgrid import Grid, Sheet
from simkit.odds.forces import ATTACKER, SIDE_NAMES
from simkit.odds.grammar import vocabulary
from simkit.odds.situation import FIRE, Fighter, Situation
from simkit.odds.words import BREASTWORKS, DOWN, HEXSIDE

BEFORE, BEHIND, ROWS = 12, 5, 16
"""Columns before the targets, at the least, and behind them, and rows of the map."""
TARGET_ROW = 7
WEST, EAST = 9, 3  # vertex headings
NORTH_WEST, SOUTH_WEST, NORTH_EAST, SOUTH_EAST, NORTHWARD, SOUTHWARD = 5, 4, 1, 2, 0, 3  # hexsides
# by position the hexsides of a defender facing west through which attackers come, in the order in which they are taken
APPROACHES = {"front": (SOUTH_WEST, NORTH_WEST), "flank": (NORTHWARD, SOUTHWARD), "rear": (NORTH_EAST, SOUTH_EAST)}
ALL_AROUND = (NORTH_WEST, NORTH_EAST, SOUTHWARD)

Pair = tuple[Hex, Hex]


class Places:
    """A map of clear hexes with room to retreat, and where on it the units of a situation stand.

    Args:
        situation: says who comes from where, and over what.
        charts: terrain and hexsides.
    """

    def __init__(self, situation: Situation, charts: Charts) -> None:
        self.situation = situation
        self.charts = charts
        self.words = vocabulary(charts)
        self.column = max(BEFORE, situation.range) + 1  # of the first target
        columns = self.column + BEHIND
        grid = Grid([Sheet("A", 1, columns, 1, ROWS)])
        self.map = BattleMap(grid, charts.terrain("clear"))
        for column in range(1, columns + 1):
            for row in range(1, ROWS + 1):
                self.map.add(f"A{column:02d}{row:02d}", column, row, charts.terrain("clear"), 0)
        self.map.join()
        self._climbs: list[tuple[Hex, Hex, int, Fighter, str]] = []  # lower, higher, levels, who says it, the word

    def beside(self, place: Hex, direction: int) -> Hex:
        """The next hex in a direction."""
        return place.sides[direction].to

    def defending(self) -> list[Hex]:
        """The targets, from north to south; all face west."""
        found = [self.map.by_id[f"A{self.column:02d}{TARGET_ROW:02d}"]]
        while len(found) < len(self.situation.defenders):
            found.append(self.beside(found[-1], SOUTHWARD))
        return found

    def attacking(self, targets: Sequence[Hex]) -> list[Hex]:
        """The hexes of the attackers: of a fire at its range, of a shock by the positions that are said."""
        situation = self.situation
        if situation.kind == FIRE:
            return self._firing(targets[0])
        if situation.says("surrounded"):
            if len(situation.attackers) != len(ALL_AROUND) or len(targets) != 1:
                raise situation.wrong(
                    "surrounded: three attacking hexes around one defending hex (11.44), as in 4/6 | 4/6 | 4/6 vs 8/6",
                    None, "surrounded",
                )  # fmt: skip
            return [self.beside(targets[0], direction) for direction in ALL_AROUND]
        free = {position: self._approaches(position, targets) for position in APPROACHES}
        found: list[Hex] = []
        for number, stack in enumerate(situation.attackers, 1):
            position, fighter, word = self._position(number, stack)
            if not free[position]:
                raise situation.wrong(
                    f"attacking hex {number}: no more than {len(self._approaches(position, targets))} hexes lie at the "
                    f"{position} of such defenders; others may come from {self._others(free)}", fighter, word,
                )  # fmt: skip
            found.append(free[position].pop(0))
        return found

    def _others(self, free: dict[str, list[Hex]]) -> str:
        return " or ".join(position for position, places in free.items() if places) or "nowhere"

    def _position(self, number: int, stack: Sequence[Fighter]) -> tuple[str, Fighter, str]:
        """Where a hex of attackers lies, and by whose word; the front if nobody says so."""
        said = [(word, fighter) for fighter in stack for word in fighter.words if word in APPROACHES]
        for word, fighter in said[1:]:
            if word != said[0][0]:
                raise self.situation.wrong(f"attacking hex {number} lies in one place, not {said[0][0]} and {word}",
                                           fighter, word)  # fmt: skip
        return (said[0][0], said[0][1], said[0][0]) if said else ("front", stack[0], "")

    def _approaches(self, position: str, targets: Sequence[Hex]) -> list[Hex]:
        found: list[Hex] = []
        if position == "front":  # hexes that face two targets first
            for place in targets:
                for direction in APPROACHES["front"]:
                    hex_ = self.beside(place, direction)
                    if hex_ not in found:
                        found.append(hex_)
            found.sort(key=lambda hex_: -sum(other.direction_to(hex_) >= 0 for other in targets))
            return found
        ends = {NORTHWARD: targets[0], SOUTHWARD: targets[-1], NORTH_EAST: targets[0], SOUTH_EAST: targets[-1]}
        return [self.beside(ends[direction], direction) for direction in APPROACHES[position]]

    def _firing(self, target: Hex) -> list[Hex]:
        situation = self.situation
        for stacks in (situation.attackers, situation.defenders):
            if len(stacks) > 1:
                raise situation.wrong(
                    'a fire has one firing hex and one target hex; others stand beside them after "with"', stacks[1][0]
                )
        return [self.map.by_id[f"A{self.column - situation.range:02d}{TARGET_ROW:02d}"]]

    def facing(self, place: Hex, targets: Sequence[Hex], avoid: Sequence[Hex]) -> int:
        """The vertex heading with most targets in front, and none of the hexes to avoid.

        Who surrounds an enemy has in front, besides him, the next hex around him: so no hex is left out (11.44).
        """
        if self.situation.says("surrounded"):
            around = self.beside(targets[0], (targets[0].direction_to(place) + 1) % 6)
            return next(
                heading for heading in range(1, 12, 2)
                if all(hex_ in [side.to for side in place.nodes[heading].ahead] for hex_ in (targets[0], around))
            )
        best, most = EAST, -100
        for heading in (EAST, 1, 5, 7, 11, WEST):
            ahead = [side.to for side in place.nodes[heading].ahead]
            worth = sum(target in ahead for target in targets) * 2 - sum(other in ahead for other in avoid)
            if worth > most:
                best, most = heading, worth
        return best

    def supporting(self, fighters: Sequence[Fighter], own: Sequence[Hex], taken: list[Hex], side: int) -> list[Hex]:
        """Where supporters stand: to the left, to the right, or behind those of their side."""
        north, south = [(place, NORTHWARD) for place in own], [(place, SOUTHWARD) for place in own]
        if side == ATTACKER:
            ways = {"left": north, "right": south, "behind": [(own[0], SOUTH_WEST), (own[-1], NORTH_WEST)]}
        else:
            ways = {"left": south, "right": north, "behind": [(own[0], NORTH_EAST), (own[-1], SOUTH_EAST)]}
        room = {
            word: [place for place in (self.beside(*way) for way in ways[word]) if place not in taken] for word in ways
        }  # fmt: skip
        found: list[Hex] = []
        places: dict[str, Hex] = {}
        for fighter in fighters:
            word = next((word for word in fighter.words if word in ways), "left")
            if word not in places:
                free = [place for place in room[word] if place not in taken]
                if not free:
                    others = ", ".join(way for way in ways if room[way]) or "no supporter"
                    raise self.situation.wrong(
                        f"no hex is free {word} of the {SIDE_NAMES[side]}s: an enemy or a friend has it; "
                        f"there could stand: {others}", fighter, word if word in fighter.words else "",
                    )  # fmt: skip
                places[word] = free[0]
                taken.append(free[0])
            found.append(places[word])
        return found

    # -- ground ----------------------------------------------------------------------------------------------------

    def ground(self, fighters: Sequence[Fighter], place: Hex) -> None:
        """Give a hex the terrain that is said of its units.

        Raises:
            InputError: they say two kinds, or one that nobody may enter.
        """
        said = ""
        for fighter in fighters:
            for word in fighter.words:
                if self.words[word].group != "terrain":
                    continue
                if said and word != said:
                    raise self.situation.wrong(f"one hex is of one terrain, not of {said} and {word}", fighter, word)
                said = word
                place.terrain = self.charts.terrain(word)
                if place.terrain.cost(FOOT) >= PROHIBITED:
                    raise self.situation.wrong(f"no unit may stand in {word} (18.1)", fighter, word)

    def support_ground(self, fighters: Sequence[Fighter], places: Sequence[Hex]) -> None:
        """Terrain of supporters' hexes; nobody attacks them, so no hexside counts.

        Raises:
            InputError: two kinds are said of a hex.
        """
        for place in dict.fromkeys(places):
            self.ground([fighter for fighter, at in zip(fighters, places, strict=True) if at is place], place)

    def crossed(self, places: Sequence[Hex], targets: Sequence[Hex]) -> list[Pair]:
        """The hexsides of the targets over which a combat from `places` goes: the last ones of a fire from afar."""
        found: list[Pair] = []
        for place in places:
            for target in targets:
                distance = place.distance_to(target)
                if distance == 1:
                    found.append((place, target))
                elif self.situation.kind == FIRE:
                    near = [side.to for side in target.sides if side.on_map]
                    found.extend([(hex_, target) for hex_ in near if hex_.distance_to(place) == distance - 1])
        return found

    def hexsides(self, places: Sequence[Hex], targets: Sequence[Hex]) -> None:
        """Put the hexsides that are said of units between the hexes of both sides, and the heights that slopes make.

        Raises:
            InputError: two slopes are said of a hexside, or they lead round in a ring upwards.
        """
        situation = self.situation
        up, down = self.crossed(places, targets), self.crossed(targets, places)
        for stack, own in zip(situation.defenders, targets, strict=True):
            self._put(stack, [pair for pair in up if pair[1] is own], [
                pair for pair in down if pair[0] is own or situation.range > 1
            ])  # fmt: skip
        for stack, own in zip(situation.attackers, places, strict=True):
            self._put(stack, [pair for pair in up if pair[0] is own or situation.range > 1], [
                pair for pair in down if pair[1] is own
            ])  # fmt: skip
        self._raise_ground()

    def _put(self, fighters: Sequence[Fighter], up: Sequence[Pair], down: Sequence[Pair]) -> None:
        for fighter in fighters:
            for word in fighter.words:
                if self.words[word].place != HEXSIDE:
                    continue
                feature = self.charts.hexside(word.removesuffix(DOWN))
                for first, second in down if word.endswith(DOWN) else up:
                    if feature.levels > 0:
                        self._climb(first, second, int(feature.levels), fighter, word)
                    near = first.sides[first.direction_to(second)]
                    far = second.sides[second.direction_to(first)]
                    for side in (near, far):
                        if feature in side.features:
                            continue
                        side.features.append(feature)
                        if word == "bridge":
                            side.bridge = True
                        elif word.startswith("ford_"):
                            side.ford = word[-1].upper()

    def _climb(self, lower: Hex, higher: Hex, levels: int, fighter: Fighter, word: str) -> None:
        for low, high, most, _, said in self._climbs:
            if {low, high} == {lower, higher} and (low is not lower or most != levels):
                raise self.situation.wrong(f'a hexside has one slope, not "{said}" and "{word}"', fighter, word)
        self._climbs.append((lower, higher, levels, fighter, word))

    def _raise_ground(self) -> None:
        """Raise hexes until each lies as high above the next as the slope between them says, or higher."""
        for _ in range(len(self._climbs) + 1):
            steep = [climb for climb in self._climbs if climb[1].elevation - climb[0].elevation < climb[2]]
            if not steep:
                return
            for lower, higher, levels, _, _ in steep:
                higher.elevation = max(higher.elevation, lower.elevation + levels)
        _, _, _, fighter, word = steep[0]
        raise self.situation.wrong("these slopes lead upwards in a ring", fighter, word)


def entrenched(fighters: Sequence[Fighter]) -> bool:
    """Whether breastworks are said of a hex."""
    return any(BREASTWORKS.word in fighter.words for fighter in fighters)


