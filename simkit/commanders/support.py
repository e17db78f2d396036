"""Whom a brigade that holds ground, and can be spared there, goes to help: reserves for those who are being beaten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from simkit.commanders.appraisal import NEARBY
from simkit.commanders.arrivals import Arrivals
from simkit.model.battlemap import Hex
from simkit.model.forces import ARTILLERY, Command
from simkit.model.hexgrid import distance

if TYPE_CHECKING:
    from simkit.model.battle import Battle

CLOSE: Final[i64] = 5  # hexes from the enemy at which an attack begins: two activations of three movement points
AT_HAND: Final[i64] = 10  # hexes from ground within which enemies threaten it, and friends guard it: a turn's walk


class Block:
    """The infantry and cavalry of a brigade as one: where its middle is, and its strength, the disordered at half."""

    def __init__(self, battle: Battle, command: Command) -> None:
        """Take in a brigade as it stands; one that has nobody left to fight gets no strength."""
        self.command = command
        self.side = command.side
        self.q: i64 = 0
        self.r: i64 = 0
        self.strength: i64 = 0
        self.fights = False  # one of its units stands next to the enemy
        count: i64 = 0
        for unit in command.units:
            if unit.kind != ARTILLERY and unit.counts() and not unit.collapsed:
                self.q += unit.hex.q
                self.r += unit.hex.r
                self.strength += unit.fighting() // 2 if unit.disordered else unit.fighting()
                self.fights = self.fights or battle.enemy_near(unit.hex, unit.side)
                count += 1
        if count > 0:
            self.q //= count
            self.r //= count

    def away(self, q: i64, r: i64) -> i64:
        """Hexes from its middle to a place: a hex, or the middle of another."""
        return distance(self.q, self.r, q, r)


@mypyc_attr(allow_interpreted_subclasses=True)
class Support(Arrivals):
    """Answers and manoeuvres, and who goes to whose help."""

    def place_of_help(self, battle: Battle, brigade: Command, grounds: list[Hex]) -> list[Hex]:
        """Where a brigade that holds some hexes is wanted more: by the friend who needs it most, or none at all.

        It can be spared as long as each of its grounds is safe without it. It goes to the nearest brigade of its side,
        within the doctrine's `support`, that stands next to the enemy with more of him around it than of its own side,
        itself left out.
        """
        if self.doctrine.support == 0:
            return []
        own = Block(battle, brigade)
        if own.strength == 0:
            return []
        blocks: list[Block] = []
        for command in battle.brigades:
            if command is not brigade:
                block = Block(battle, command)
                if block.strength > 0:
                    blocks.append(block)
        if any(not self._safe(blocks, own.side, ground) for ground in grounds):
            return []
        best: list[Block] = []
        nearest = self.doctrine.support + 1
        for block in blocks:
            away = block.away(own.q, own.r)
            if block.side == own.side and away < nearest and self._pressed(blocks, block):
                best = [block]
                nearest = away
        return [self._middle(best[0])] if best else []

    def _safe(self, blocks: list[Block], side: i64, ground: Hex) -> bool:
        """Whether those of a side within a turn's walk of some ground are enough against the enemies there.

        They are at the odds at which its doctrine would have them attack.
        """
        friends: i64 = 0
        enemies: i64 = 0
        for block in blocks:
            if block.away(ground.q, ground.r) <= AT_HAND:
                if block.side == side:
                    friends += block.strength
                else:
                    enemies += block.strength
        return 100 * friends >= self.doctrine.attack_odds * enemies

    def _pressed(self, blocks: list[Block], one: Block) -> bool:
        """Whether a brigade is in a fight at close quarters, with more of the enemy around it than of its own side."""
        if not one.fights:
            return False
        balance = one.strength
        close = False
        for block in blocks:
            away = block.away(one.q, one.r)
            if block is one or away > NEARBY:
                continue
            if block.side == one.side:
                balance += block.strength
            else:
                balance -= block.strength
                close = close or away <= CLOSE
        return close and balance < 0

    def _middle(self, block: Block) -> Hex:
        """The hex of the unit of a brigade that is nearest to its middle."""
        best = block.command.units[0].hex
        least: i64 = -1
        for unit in block.command.units:
            if unit.kind != ARTILLERY and unit.counts() and not unit.collapsed:
                away = block.away(unit.hex.q, unit.hex.r)
                if least < 0 or away < least:
                    best = unit.hex
                    least = away
        return best
