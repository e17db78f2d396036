"""The chances of a fire or a shock, worked out with icepool from charts and rulebook alone.

Nothing here comes from simkit, and the charts are read as plain TOML. It knows one infantry regiment on each side, on
open ground without leaders and without continued shock, and one more defender that only fires before the shock. A
step turns the two regiments into a die of such pairs. Where the rulebook leaves a question open it follows
docs/assumptions.md: who routs after the other side has left the map is spared if he rates higher (12.52), and an
attacker who has suffered a second disorder advances no more (12.35f).
"""

import tomllib
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import icepool

CHARTS = Path(__file__).parents[2] / "simkit" / "books" / "dead_of_winter" / "charts"
HERE, BACK, ADVANCED, ROUT, OUT = "here", "back", "advanced", "rout", "out"
DIE = icepool.z(10)


@cache
def chart(name):
    return tomllib.loads((CHARTS / f"{name}.toml").read_text(encoding="utf-8"))


def value(name, table, key):
    return chart(name)[table][key]["value"]


def covers(heading, number):
    """Whether a number lies under a heading such as 1-, 5*, 8-9, 16-18+ or 13+."""
    heading = heading.rstrip("*")
    if heading.endswith("+"):
        return number >= int(heading[:-1].split("-")[0])
    if heading.endswith("-"):
        return number <= int(heading[:-1])
    low, _, high = heading.partition("-")
    return int(low) <= number <= int(high or low)


def cell(table, strength, roll):
    """10.17: step losses and disorder ("", "d", "d+2", "D") of a fire."""
    rows = [line.split() for line in chart("fire")[table]["grid"].strip().splitlines()]
    column = next(at for at, heading in enumerate(rows[0]) if at and covers(heading, strength))
    row = next(row for row in rows[1:] if covers(row[0], roll))
    return entry(row[column])


def entry(text):
    text = text.strip("-")
    losses = int(text[0]) if text[:1].isdigit() else 0
    return losses, text.lstrip("0123456789")


@dataclass(frozen=True, order=True)
class Regiment:
    """What the situation says of a unit, and how it stands."""

    strength: int
    cohesion: int = 6
    full: int = 0
    disordered: bool = False
    collapsed: bool = False
    place: str = HERE
    rating_disordered: int = 4
    green: bool = False
    held: str = HERE  # where it stood before it routed
    spent: bool = False  # a second disorder by fire or shock: it does nothing more in this activation (12.35f)

    def __post_init__(self):
        if not self.full:
            object.__setattr__(self, "full", self.strength)

    def rating(self):
        return self.rating_disordered if self.disordered else self.cohesion

    def alive(self):
        return self.place not in (ROUT, OUT)


@dataclass(frozen=True)
class Case:
    """A shock: `attack_side` is front, flank or rear of the defender."""

    attacker: Regiment
    defender: Regiment
    terrain: str = "clear"
    hexside: str = ""
    breastworks: bool = False
    attack_side: str = "front"
    charge: bool = False
    march: bool = False
    defender_fires: bool = True
    second: Regiment | None = None  # fires at the attackers' flank from a hex beside them
    guns: str = ""  # weapon of the second, if it is a battery


def chance(faces):
    """A die that is True on so many faces of ten, counted from the lowest."""
    return DIE.map(lambda face: face < faces)


def passes(unit, drm=0):
    """2.6: a UDD: a roll no higher than the rating passes."""
    return chance(min(max(unit.rating() - drm + 1, 0), 10))


# -- steps lost and disorders ----------------------------------------------------------------------------------------


def lose(unit, steps):
    """12.13, 12.23: the unit after a loss, and whether it was collapsed when it lost more."""
    if steps == 0 or not unit.alive():
        return unit, False
    left = unit.strength - steps
    if left <= 0:
        return replace(unit, strength=0, place=OUT), False
    again = unit.collapsed
    if 2 * left < unit.full:
        return replace(unit, strength=left, disordered=True, collapsed=True), again
    return replace(unit, strength=left), again


def rout_if_collapsed(unit, checks):
    """12.23: the last check of a unit that lost steps while it was collapsed."""
    if not checks or not unit.alive():
        return icepool.Die([unit])
    return passes(unit).map(lambda passed: unit if passed else replace(unit, place=ROUT, held=unit.place))


def disorder(unit, by_fire):
    """12.35: a die of (unit, lost while collapsed) after a disorder, the second one if it is disordered already."""
    if not unit.alive():
        return icepool.Die([(unit, False)])
    if not unit.disordered:
        return icepool.Die([(replace(unit, disordered=True), False)])
    unit = replace(unit, spent=True)

    def driven(passed):
        if not passed:
            return (replace(unit, place=ROUT), False)
        left, again = lose(unit, 1)
        return (replace(left, place=BACK) if left.alive() else left, again)

    return icepool.Die([driven(True)]) if by_fire else passes(unit).map(driven)


def suffer(unit, steps, kind, by_fire):
    """12.21, 12.32: a die of (unit, lost while collapsed) after steps and then disorder of one result."""
    unit, again = lose(unit, steps)
    if not kind or not unit.alive():
        return icepool.Die([(unit, again)])
    drm = int(kind[2:] or 0) if kind[0] == "d" else 0
    fails = icepool.Die([True]) if kind == "D" else passes(unit, drm).map(lambda passed: not passed)

    def then(failed):
        if not failed:
            return icepool.Die([(unit, again)])
        return disorder(unit, by_fire).map(lambda pair: (pair[0], pair[1] or again))

    return fails.map(then)


def settled(die):
    return die.map(lambda pair: rout_if_collapsed(pair[0], pair[1]))


def fire_at(target, strength, drm):
    """10.17: a die of the target after a fire on the Fire Table."""
    return DIE.map(lambda face: settled(suffer(target, *cell("fire_table", strength, face + drm), by_fire=True)))


def small_arms_drm(unit, behind_works=False):
    """10.81 at one hex: range, prepared fire in good order, disorder, green, from behind works."""
    weapon = next(weapon for weapon in chart("weapons")["weapon"] if weapon["code"] == "R")
    drm = weapon["drms"]["1"]
    drm += value("fire_modifiers", "fire", "disordered" if unit.disordered else "prepared")
    if unit.green:
        drm += value("fire_modifiers", "fire", "green")
    return drm + (value("fire_modifiers", "fire", "behind_breastworks") if behind_works else 0)


# -- shock -----------------------------------------------------------------------------------------------------------


def odds_drm(attack, defence, for_attacker):
    """11.43: the DRM of the printed ratio to which the strengths are rounded."""
    table = chart("shock")["ratio"]

    def number(text):
        whole = text.rstrip("½")
        return Fraction(int(whole)) + (Fraction(1, 2) if text.endswith("½") else 0)

    columns = [Fraction(number(text.split("-")[0]), number(text.split("-")[1])) for text in table["columns"]]
    ratio = Fraction(attack, defence)
    if for_attacker:
        at = next((at for at, column in enumerate(columns) if column >= ratio), len(columns) - 1)
    else:
        at = max([at for at, column in enumerate(columns) if column <= ratio], default=0)
    return table["drms"][at]


def ground_drm(case):
    """11.42: hex and hexside without breastworks."""
    drm = next(hex_ for hex_ in chart("terrain")["hex"] if hex_["name"] == case.terrain).get("shock", 0)
    if case.hexside:
        drm += next(side for side in chart("terrain")["hexside"] if side["name"] == case.hexside).get("shock", 0)
    return drm


def shock_drm(case, attacker, defender):
    """11.42: all adjustments; nobody has a brigadier with him."""
    terrain = ground_drm(case)
    works = value("shock", "adjustments", "breastworks") if case.breastworks else 0
    drm = terrain + works + value("shock", "adjustments", "no_brigadier")
    drm += odds_drm(attacker.strength, defender.strength, case.charge and terrain == 0 and works == 0)
    drm += value("shock", "adjustments", case.attack_side)
    drm += value("shock", "adjustments", "charge") if case.charge else 0
    drm += value("shock", "adjustments", "attacker_disordered") if attacker.disordered else 0
    return drm + (value("shock", "adjustments", "defender_disordered") if defender.disordered else 0)


def commitment(case):
    """11.36: a die of whether the attacker commits himself."""
    return passes(case.attacker) if case.attacker.green else icepool.Die([True])


def pre_shock_check(case, unit):
    """11.37: a die of the defender after the check before shock."""
    table = chart("shock")["pre_shock"]
    drm = table["march"]["value"] if case.march else 0
    drm += table["disordered"]["value"] if unit.disordered else 0
    drm += table[case.attack_side]["value"] if case.attack_side != "front" else 0
    drm += table["breastworks"]["value"] if case.breastworks else 0

    def then(passed):
        if case.march and not passed:
            return icepool.Die([replace(unit, place=ROUT)])
        if case.march or not passed:
            return settled(disorder(unit, by_fire=False))
        return icepool.Die([unit])

    return passes(unit, drm).map(then)


def pre_shock_fires(case, attacker, defender):
    """11.38, 10.43: a die of the attacker after the fires of its target and of the second defender."""
    fires = []
    if case.defender_fires and defender.place == HERE and not case.march and case.attack_side == "front":
        fires.append((min(defender.strength, 7), small_arms_drm(defender, case.breastworks)))
    if case.second is not None:
        flank = value("fire_modifiers", "fire", "flank")
        if case.guns:
            weapon = next(weapon for weapon in chart("weapons")["weapon"] if weapon["code"] == case.guns)
            drm = weapon["drms"]["1"]
        else:
            drm = small_arms_drm(case.second)
        fires.append((case.second.strength, drm + flank))
    die = icepool.Die([attacker])
    for strength, drm in fires:
        die = die.map(lambda unit, strength=strength, drm=drm: (
            fire_at(unit, strength, drm) if unit.place == HERE else icepool.Die([unit])), star=False)
    return die


def resolution(case, attacker, defender):
    """11.45 to 11.48: a die of both after the roll, its result, advance and the disorder after shock."""
    drm = shock_drm(case, attacker, defender)

    def resolved(face):
        line = next(line for line in chart("shock")["result"] if covers(line["rolls"], face + drm))
        ours = suffer(attacker, *entry(line.get("attacker", "-")), by_fire=False)
        theirs = suffered_defender(defender, line)
        both = icepool.map(lambda a, d: (a, d), ours, theirs, star=False)
        return both.map(lambda pair: aftermath(pair[0], pair[1], line), star=False)

    return DIE.map(resolved)


def suffered_defender(unit, line):
    """12.23, 12.51: steps, disorder, and at 10 or more one check for rout."""
    steps, kind = entry(line.get("defender", "-"))
    if not line.get("rout_check"):
        return suffer(unit, steps, kind, by_fire=False)
    left, _ = lose(unit, steps)
    if not left.alive():
        return icepool.Die([(left, False)])
    if left.disordered:  # the second disorder's check is the only one
        return disorder(left, by_fire=False).map(lambda pair: (pair[0], False), star=False)
    left = replace(left, disordered=True)
    return passes(left).map(lambda passed: (left if passed else replace(left, place=ROUT), False))


def aftermath(ours, theirs, line):
    """12.21, 12.23, 12.52: routs by the disorder of both at once, then those of collapsed units that lost steps."""
    (attacker, attacker_again), (defender, defender_again) = ours, theirs
    attacker, defender, spared = spare(attacker, defender, False, False)

    def late(a, d):
        if not spared:
            a, d, _ = spare(a, d, attacker.place == ROUT, defender.place == ROUT)
        return finish(a, d, line)

    return icepool.map(
        late, rout_if_collapsed(attacker, attacker_again), rout_if_collapsed(defender, defender_again), star=False
    )


def spare(a, d, a_left, d_left):
    """12.52: if both have routed, the higher rating stays, of equals the attacker, unless it left the map before."""
    if a.place != ROUT or d.place != ROUT:
        return a, d, False
    if d.rating() > a.rating():
        return (a, d, False) if d_left else (a, replace(d, place=d.held), True)
    return (a, d, False) if a_left else (replace(a, place=a.held), d, True)


def finish(a, d, line):
    """12.42, 11.46, 11.48: retreats by the table, the advance, and the disorder after shock."""
    if line.get("attacker_retreat") and a.place == HERE:
        a = replace(a, place=BACK)
    if line.get("defender_retreat") and d.place == HERE:
        d = replace(d, place=BACK)
    if a.place == HERE and d.place != HERE and not a.spent:
        a = replace(a, place=ADVANCED)
    return after_shock(a).map(lambda one: (one, d), star=False)


def after_shock(unit):
    """11.48, 12.35d: the attacker is disordered, or loses a step if he was so already."""
    if not unit.alive():
        return icepool.Die([unit])
    if not unit.disordered:
        return icepool.Die([replace(unit, disordered=True)])
    left, again = lose(unit, 1)
    return rout_if_collapsed(left, again)


def shock(case):
    """All endings of a shock with their chances as fractions: ((strength, disordered, collapsed, place) of both)."""

    def committed(yes):
        if not yes:
            return icepool.Die([(case.attacker, case.defender)])
        return pre_shock_check(case, case.defender).map(checked, star=False)

    def checked(defender):
        return pre_shock_fires(case, case.attacker, defender).map(lambda unit: met(unit, defender), star=False)

    def met(attacker, defender):
        if attacker.place != HERE:
            return icepool.Die([(attacker, defender)])
        if defender.place != HERE:
            return icepool.Die([(replace(attacker, place=ADVANCED), defender)])
        return resolution(case, attacker, defender)

    return fractions(commitment(case).map(committed))


def fire(attacker, defender):
    """All endings of a regiment's prepared fire at another, which answers before results are applied (10.42)."""
    ours = fire_at(defender, attacker.strength, small_arms_drm(attacker))
    theirs = fire_at(attacker, defender.strength, small_arms_drm(defender))
    return fractions(icepool.map(lambda d, a: (a, d), ours, theirs, star=False))


def fractions(die):
    found = {}
    for (attacker, defender), mass in zip(die.outcomes(), die.probabilities(), strict=True):
        key = tuple(ending(unit) for unit in (attacker, defender))
        found[key] = found.get(key, Fraction(0)) + Fraction(mass)
    return found


def ending(unit):
    """Strength, states and place of a unit; of one that is gone, the place alone."""
    if unit.place == OUT:
        return (0, False, False, OUT)
    if unit.place == ROUT:
        return (unit.strength, False, False, ROUT)
    return (unit.strength, unit.disordered, unit.collapsed, unit.place)
