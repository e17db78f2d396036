"""The units, leaders and brigades of a situation, put on the map of its battle."""

from simkit.model.battle import Battle
from simkit.model.battlemap import Hex
from simkit.model.charts import AGGRESSIVE, NORMAL, Charts, Weapon
from simkit.model.counters import Counter, Ratings
from simkit.model.fatigue import FATIGUE_0
from simkit.model.forces import (
    ADVANCE,
    ARMY,
    ARTILLERY,
    ATTACK,
    BRIGADE,
    CAVALRY,
    CORPS,
    DIVISION,
    INFANTRY,
    MARCH,
    Command,
    Unit,
)
from simkit.model.leaders import Leader
from simkit.model.sections import divide
from simkit.odds.situation import SHOCK, Fighter, Situation

ATTACKER, DEFENDER = 0, 1
SIDE_NAMES = ("attacker", "defender")
USUAL_WEAPON = {INFANTRY: "R", CAVALRY: "C"}
ALLOWANCES = {INFANTRY: 6, CAVALRY: 10, ARTILLERY: 8}
STARS = {"brigadier": BRIGADE, "aggressive": BRIGADE, "division": DIVISION, "corps": CORPS}
TITLES = {BRIGADE: "brigadier", DIVISION: "division leader", CORPS: "corps commander"}
ORDERS = {"march": MARCH, "advance": ADVANCE, "attack": ATTACK}
RANGE_OF_A_LEADER = 6
BRIGADES = ("brigade1", "brigade2", "brigade3")
MOST_FATIGUE = 4


class Forces:
    """Who fights in a situation: each side an army of one corps and one division, with the brigades that are named.

    Args:
        situation: says who.
        battle: into which they are put.
        charts: their weapons.
    """

    def __init__(self, situation: Situation, battle: Battle, charts: Charts) -> None:
        self.situation = situation
        self.battle = battle
        self.charts = charts
        self.fighters: dict[Unit, Fighter] = {}
        self.divisions: list[Command] = []
        self.brigades: tuple[dict[str, Command], dict[str, Command]] = ({}, {})
        for side in (ATTACKER, DEFENDER):
            army = self._command(f"{side}A", side, ARMY, None, battle.armies)
            corps = self._command(f"{side}C", side, CORPS, army, battle.corps)
            self.divisions.append(self._command(f"{side}D", side, DIVISION, corps, battle.divisions))

    def _command(self, code: str, side: int, level: int, superior: Command | None, among: list[Command]) -> Command:
        made = Command(code, code, side, level)
        if superior is not None:
            made.superior = superior
            superior.subordinates.append(made)
        among.append(made)
        return made

    def brigade(self, fighter: Fighter, side: int) -> Command:
        """The brigade that a unit is said to be of, a new one if it is the first of it."""
        name = next((word for word in BRIGADES if word in fighter.words), BRIGADES[0])
        among = self.brigades[side]
        if name not in among:
            code = f"{side}B{name[-1]}"
            among[name] = self._command(code, side, BRIGADE, self.divisions[side], self.battle.brigades)
        return among[name]

    def unit(self, fighter: Fighter, place: Hex, heading: int, side: int, name: str) -> Unit:
        """Put a unit beneath those in a hex.

        Args:
            fighter: what the situation says of it.
            place: its hex.
            heading: its vertex, turned to the hexside beside it under March Orders.
            side: ATTACKER or DEFENDER.
            name: what answers call it.

        Raises:
            InputError: what is said of it does not go together.
        """
        words = fighter.words
        kind = self._arm(fighter, name)
        guns = self._guns(fighter, name)
        weapon = guns[0][1] if guns else self.charts.weapon(fighter.weapon or USUAL_WEAPON.get(kind, "N"))
        brigade = self.brigade(fighter, side)
        allowance = ALLOWANCES[kind]
        made = Unit(
            name, name, side, kind, fighter.strength, fighter.full, weapon, fighter.cohesion,
            fighter.cohesion_disordered, allowance, allowance * 2 // 3, "green" in words, False, brigade,
            self.battle.map.off,
        )
        if guns:
            counts = [count for count, _ in guns]
            divide(made, [weapon for _, weapon in guns], counts, list(counts))
        if kind == CAVALRY and "dismounted" in words:
            on_foot = ALLOWANCES[INFANTRY]
            made.counters.append(
                Counter(weapon, fighter.cohesion, fighter.cohesion_disordered, on_foot, on_foot * 2 // 3)
            )
            made.show(False)
        made.orders = self._orders(fighter, kind, side, name)
        made.heading = heading if made.orders != MARCH else (heading + 11) % 12
        made.disordered = "disordered" in words
        made.collapsed = "collapsed" in words or 2 * fighter.strength < fighter.full
        made.blown = "blown" in words
        self._supply(made, words)
        made.index = len(self.battle.units)
        brigade.units.append(made)
        self.battle.enlist(made)
        self.fighters[made] = fighter
        self.battle.stand(made, place, False)
        for word in words:
            if word in STARS:
                self._leader(word, fighter, brigade, place, name)
        return made

    def _supply(self, unit: Unit, words: tuple[str, ...]) -> None:
        unit.ammo = 2 if "empty" in words else 1 if "low" in words else 0
        for section in unit.sections:
            section.ammo = unit.ammo

    def _guns(self, fighter: Fighter, name: str) -> list[tuple[int, Weapon]]:
        """The sections of a battery of several types of gun, top first; none of any other unit."""
        if not fighter.weapon[:1].isdigit():
            return []
        found = []
        for text in fighter.weapon.split(","):
            code = text.lstrip("0123456789")
            weapon = self.charts.weapon(code)
            if not weapon.artillery:
                raise self.situation.wrong(f"{name}: {code} is no gun; sections of a battery are (2.41)", fighter)
            found.append((int(text.removesuffix(code)), weapon))
        return found

    def _arm(self, fighter: Fighter, name: str) -> int:
        code = fighter.weapon.partition(",")[0].lstrip("0123456789")
        guns = bool(code) and self.charts.weapon(code).artillery
        horse = next((word for word in ("mounted", "dismounted") if word in fighter.words), "")
        arm = horse or ("foot" if "foot" in fighter.words else "")
        if guns and arm:
            raise self.situation.wrong(f'{name}: {code} is a gun, so that the unit is no "{arm}"', fighter, arm)
        if "blown" in fighter.words and not horse:
            raise self.situation.wrong(
                f'{name}: "blown" is said of cavalry (11.58): write mounted,blown', fighter, "blown"
            )
        return ARTILLERY if guns else CAVALRY if horse else INFANTRY

    def _orders(self, fighter: Fighter, kind: int, side: int, name: str) -> int:
        for word, orders in ORDERS.items():
            if word in fighter.words:
                if kind == ARTILLERY and orders == ATTACK:
                    raise self.situation.wrong(f"{name}: guns are never under Attack Orders (6.18)", fighter, word)
                return orders
        if side == ATTACKER and self.situation.kind == SHOCK and kind != ARTILLERY and "blown" not in fighter.words:
            return ATTACK
        return ADVANCE

    def _leader(self, word: str, fighter: Fighter, brigade: Command, place: Hex, name: str) -> None:
        command, level = brigade, STARS[word]
        while command.level < level:
            command = command.superior
        title, side = TITLES[level], SIDE_NAMES[brigade.side]
        if command.leader_list:
            where = "a brigade has" if level == BRIGADE else f"the {side}s have"
            raise self.situation.wrong(f"{name}: {where} one {title}; two are named", fighter, word)
        ratings = Ratings(title, RANGE_OF_A_LEADER, profile=AGGRESSIVE if word == "aggressive" else NORMAL)
        number = brigade.code[-1]
        ident = f"{side} {title}" + (f" {number}" if level == BRIGADE and number != "1" else "")
        made = Leader(
            ident, int(brigade.side), level, ratings, Ratings(title, RANGE_OF_A_LEADER), True, command,
            self.battle.map.off,
        )
        made.index = len(self.battle.leaders)
        command.leader_list.append(made)
        self.battle.leaders.append(made)
        self.battle.stand_leader(made, place)

    # -- fatigue ---------------------------------------------------------------------------------------------------

    def tired(self) -> list[tuple[Unit, int, str]]:
        """The units of which a Fatigue Level is said, with the level and the word."""
        found = []
        for unit, fighter in self.fighters.items():
            found += [(unit, int(word[-1]), word) for word in fighter.words if word.startswith("fatigue")]
        return found

    def tire(self) -> None:
        """17.1: give brigades the Fatigue Levels that are said of their units; once the battle is ready.

        Raises:
            InputError: units of one brigade are said to have two, or a battery to have one.
        """
        levels: dict[str, int] = {}
        for unit, level, word in self.tired():
            fighter, code = self.fighters[unit], unit.command.code
            if unit.kind == ARTILLERY:
                raise self.situation.wrong(f"{unit.name}: guns do not tire (17.1)", fighter, word)
            if levels.setdefault(code, level) != level:
                raise self.situation.wrong(
                    f"{unit.name}: a brigade is of one Fatigue Level (17.1); write brigade2 of units of another",
                    fighter, word,
                )  # fmt: skip
            for mate in unit.command.units:
                if mate.kind != ARTILLERY:
                    mate.fatigue.place(FATIGUE_0 + level)
                if level == MOST_FATIGUE:
                    self._exhaust(mate)

    def _exhaust(self, unit: Unit) -> None:
        """17.32: at the highest level a brigade has reverted to Advance Orders."""
        fighter = self.fighters[unit]
        for word in ("march", "attack"):
            if word in fighter.words:
                raise self.situation.wrong(
                    f"{unit.name}: at Fatigue Level 4 a brigade is under Advance Orders (17.32)", fighter, word
                )
        unit.orders = ADVANCE
