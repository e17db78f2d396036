"""Small combats with everything at stake: functions that take Field and hand back the field and what happens."""

from collections import defaultdict
from fractions import Fraction

from simkit.model.charts import AGGRESSIVE
from simkit.model.forces import ARTILLERY, ATTACK, CAVALRY, EXTENDED_LINE, MARCH
from simkit.rules.commander import Aim, Commander, Designation
from simkit.rules.dice import EnumeratingTape

COMBATS = {}
MOST_BRANCHES = 20000


def combat(build):
    """Register a combat: a function that takes Field and hands back the field and what is to happen."""
    COMBATS[build.__name__] = build
    return build


class Decided(Commander):
    """Answers always alike: each keyword names a question and its answer, the rest is the abstract Commander's."""

    def __init__(self, side, **answers):
        super().__init__()
        self.side = side
        for question, answer in answers.items():
            setattr(self, "_" + question, answer)

    def retreat_before_shock(self, series, units, attackers):
        return getattr(self, "_gives_way", False)

    def continue_shock(self, series, units, number):
        return number < getattr(self, "_continues", 0)

    def rapid_fire(self, series, unit, target):
        return getattr(self, "_rapid", False)

    def pre_shock_fire(self, series, unit, targets):
        return getattr(self, "_pre_shock", 0)

    def reaction_refusal(self, series, unit, enemy, sides):
        return getattr(self, "_refuses", -1)

    def reaction_facing(self, series, unit, enemy, headings):
        return getattr(self, "_turns", -1)

    def return_fire(self, series, unit, target, most):
        return most if getattr(self, "_returns", True) else 0


def ready(f, *active, first=None, second=None, options=None):
    """Fix everything, begin the activation, and let nobody but the two commanders decide."""
    f.play(options=options)
    f.begin(*active)
    f.log.level = 0
    f.commanders = [Decided(0, **(first or {})), Decided(1, **(second or {}))]
    return f


def fire(f, unit, *targets, rapid=False):
    return f, lambda: f.series.fire.phasing(unit, [f.hex(place) for place in targets], rapid)


def shock(f, attackers, *targets):
    places = [f.hex(place) for place in targets]
    return f, lambda: f.series.shock.conduct([Designation(list(attackers), places)], f.battle.active)


def exact(f, act, start, outcome):
    """The chance of everything that `outcome`, asked of the field after each branch, can be."""
    tape = EnumeratingTape()
    f.series.equip(tape, f.log, f.commanders)
    chances = defaultdict(Fraction)
    while True:
        f.battle.restore(start)
        tape.begin(0)
        act()
        chances[outcome(f)] += Fraction(tape.numerator, tape.denominator)
        assert tape.branches < MOST_BRANCHES, "too many branches: the combat is too large for this test"
        if not tape.next_branch():
            return dict(chances)


# -- fires -------------------------------------------------------------------------------------------------------------


@combat
def fire_without_answer(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=5, side=1)
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def fire_and_return_fire(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=6, side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def fire_at_a_disordered_regiment(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=5, side=1, disordered=True)
    f.unit("C", "A0503", "W", strength=5, side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def fire_at_a_stack(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=1, side=1)
    f.unit("C", "A0403", "W", strength=5, side=1, disordered=True)
    return fire(ready(f, a), a, "A0403")


@combat
def fire_that_may_collapse_and_rout(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=4, full=8, side=1)
    f.unit("C", "A0503", "W", strength=5, side=1, disordered=True)
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def fire_at_a_collapsed_regiment_with_neighbours(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    b = f.unit("B", "A0403", "W", strength=3, full=8, side=1, disordered=True)
    b.collapsed = True
    f.unit("C", "A0404", "W", strength=5, side=1)
    f.unit("D", "A0503", "W", strength=5, side=1, disordered=True)
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def fire_with_leaders_in_both_hexes(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    f.unit("B", "A0403", "W", strength=6, side=1)
    f.leader("chief", "A0303")
    f.leader("other", "A0403", side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def split_fire_with_two_answers(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=7, orders=ATTACK)
    f.unit("B", "A0403", "W", strength=4, side=1)
    f.unit("C", "A0404", "W", strength=3, side=1)
    return fire(ready(f, a), a, "A0403", "A0404")


@combat
def shell_at_a_stack(field):
    f = field(10, 12)
    far = next(place for place in f.map.hexes if place.column == 7 and place.distance_to(f.hex("A0208")) == 5)
    g = f.unit("Bty", "A0208", "E", strength=6, kind=ARTILLERY, weapon="R3")
    f.unit("B", far.id, "W", strength=6, side=1)
    f.unit("C", far.id, "W", strength=5, side=1, disordered=True)
    return fire(ready(f, g), g, far.id)


@combat
def rapid_fire_of_canister(field):
    f = field(8, 8)
    g = f.unit("Bty", "A0303", "E", strength=5, kind=ARTILLERY, weapon="N")
    f.unit("B", "A0403", "W", strength=4, side=1)
    return fire(ready(f, g), g, "A0403", rapid=True)


@combat
def spencers_and_a_regiment_in_turns(field):
    """14.31: fire, return fire and a second round, each by what is left, with jams."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=4, weapon="SR")
    f.unit("B", "A0403", "W", strength=3, side=1)
    return fire(ready(f, a), a, "A0403")


@combat
def spencers_that_answer_short_of_ammunition(field):
    """14.32, 10.91: a simultaneous exchange and a second round, where every 5 counts."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=4)
    b = f.unit("B", "A0403", "W", strength=4, side=1, weapon="SC")
    ready(f, a, options={"small_arms_ammunition": "yes"})
    b.ammo = 1
    return fire(f, a, "A0403")


@combat
def spencers_and_rapid_guns_in_turns(field):
    """14.38: four shots by turns, unless the guns are disordered or gone."""
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=3, weapon="SR")
    f.unit("Bty", "A0403", "W", strength=2, side=1, kind=ARTILLERY, weapon="N")
    return fire(ready(f, a, second={"rapid": True}), a, "A0403")


@combat
def fire_over_the_heads_of_friends(field):
    f = field(8, 8, level=1)
    f.level(0, "A0204")
    a = f.unit("A", "A0203", "SSE", strength=7)
    f.unit("low", "A0204", "SSE", strength=5)
    f.unit("B", "A0205", "NNW", strength=5, side=1)
    return fire(ready(f, a), a, "A0205")


# -- shocks ------------------------------------------------------------------------------------------------------------


@combat
def shock_with_check_and_fire(field):
    """A pre-shock check, the defender's fire, and the resolution."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1)
    return shock(ready(f, a), [a], "A0503")


@combat
def shock_on_a_disordered_regiment(field):
    """Second disorders by the check and by the table: routs, and the check of a neighbour."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1, disordered=True)
    f.unit("C", "A0603", "W", strength=5, side=1, disordered=True)
    return shock(ready(f, a, second={"pre_shock": -1}), [a], "A0503")


@combat
def shock_of_a_disordered_attacker_under_fire(field):
    """Return fire may drive the attacker back by a second disorder before the resolution."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK, disordered=True)
    f.unit("B", "A0503", "W", strength=6, side=1, disordered=True)
    f.leader("chief", "A0404", profile=AGGRESSIVE)
    return shock(ready(f, a), [a], "A0503")


@combat
def charge_that_continues(field):
    f = field(12, 10)
    a = f.unit("A", "A0404", "E", strength=12, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=4, side=1)
    f.unit("C", "A0603", "W", strength=4, side=1)
    ready(f, a, first={"continues": 2}, second={"pre_shock": -1})
    a.moved = a.came_adjacent = True
    return shock(f, [a], "A0503")


@combat
def defenders_who_shock_in_turn(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=4, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=8, side=1)
    return shock(ready(f, a, first={"pre_shock": -1}, second={"continues": 1, "pre_shock": -1}), [a], "A0503")


@combat
def shock_on_the_march(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.brigade("1/1/C", side=1, orders=MARCH)
    f.unit("B", "A0503", "NW", strength=5, side=1)
    f.unit("C", "A0808", "NW", strength=5, side=1)
    return shock(ready(f, a), [a], "A0503")


@combat
def shock_of_green_regiments_from_two_hexes(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=5, orders=ATTACK, green=True)
    b = f.unit("B", "A0403", "E", strength=5, orders=ATTACK)
    f.unit("C", "A0503", "SSW", strength=5, side=1)
    return shock(ready(f, a), [a, b], "A0503")


@combat
def shock_on_guns_above_infantry(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("Bty", "A0503", "W", strength=4, side=1, kind=ARTILLERY, weapon="N")
    f.unit("B", "A0503", "W", strength=4, side=1)
    return shock(ready(f, a, second={"rapid": False, "pre_shock": -1}), [a], "A0503")


@combat
def retreat_before_shock_in_disorder(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1, disordered=True)
    f.unit("C", "A0603", "W", strength=9, side=1, disordered=True)
    return shock(ready(f, a, second={"gives_way": True}), [a], "A0503")


@combat
def shock_of_mounted_cavalry(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=6, kind=CAVALRY, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=4, side=1, kind=CAVALRY, disordered=True)
    return shock(ready(f, a, second={"pre_shock": -1}), [a], "A0503")


# -- fires of and at parts, stacks and guns ----------------------------------------------------------------------------


def extend(f, unit, *places):
    """Put the markers of an Extended Line into hexes."""
    for place in places:
        f.battle.add_part(unit, f.hex(place), 0, EXTENDED_LINE)
    return unit


@combat
def fire_of_a_line_part_by_part(field):
    f = field(10, 9)
    a = extend(f, f.unit("A", "A0303", "E", strength=12), "A0304")
    f.unit("B", "A0403", "W", strength=4, side=1)
    f.unit("C", "A0405", "NW", strength=4, side=1, disordered=True)
    ready(f, a)

    def volleys():  # the parts are others once a battle has been restored
        aims = [Aim([a.parts[0]], [f.hex("A0403")]), Aim([a.parts[1]], [f.hex("A0405")])]
        f.series.fire.phasing_parts(a, aims)

    return f, volleys


@combat
def fire_at_a_line(field):
    f = field(10, 9)
    a = f.unit("A", "A0404", "W", strength=7)
    b = extend(f, f.unit("B", "A0303", "E", strength=8, full=10, side=1), "A0304")
    f.leader("other", b.parts[1].hex.id, side=1)
    return fire(ready(f, a), a, "A0304")


@combat
def fire_into_a_flank_and_refusal(field):
    f = field(10, 9)
    a = f.unit("A", "A0404", "E", strength=7)
    f.unit("B", "A0503", "NNE", strength=6, side=1)
    return fire(ready(f, a, second={"refuses": 0}), a, "A0503")


@combat
def fire_into_a_flank_and_turn_of_a_disordered_regiment(field):
    f = field(10, 9)
    a = f.unit("A", "A0404", "E", strength=4)
    f.unit("B", "A0503", "NNE", strength=6, side=1, disordered=True)
    return fire(ready(f, a, second={"turns": 0}), a, "A0503")


@combat
def combined_fire_of_a_stack(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=2)
    f.unit("D", "A0303", "E", strength=4, disordered=True)
    f.unit("B", "A0403", "W", strength=5, side=1)
    return fire(ready(f, a, options={"combined_fire": "yes"}), a, "A0403")


@combat
def shell_of_two_batteries_together(field):
    f = field(10, 12)
    far = next(place for place in f.map.hexes if place.column == 7 and place.distance_to(f.hex("A0208")) == 5)
    g = f.unit("Bty", "A0208", "E", strength=4, kind=ARTILLERY, weapon="R3")
    h = f.unit("Other", "A0208", "E", strength=4, kind=ARTILLERY, weapon="N")
    h.ammo = 1
    f.unit("B", far.id, "W", strength=6, side=1, kind=CAVALRY)
    f.unit("G", far.id, "W", strength=4, side=1, kind=ARTILLERY, weapon="R3", disordered=True)
    ready(f, g, h)
    return f, lambda: f.series.fire.phasing_together([g, h], far)


@combat
def counter_battery_fire_from_afar(field):
    """Guns answer at shell range only when the results of the fire stand."""
    f = field(10, 12)
    far = next(place for place in f.map.hexes if place.column == 7 and place.distance_to(f.hex("A0208")) == 5)
    g = f.unit("Bty", "A0208", "E", strength=6, kind=ARTILLERY, weapon="R3")
    f.unit("Other", far.id, "W", strength=4, side=1, kind=ARTILLERY, weapon="R3", cohesion=5)
    return fire(ready(f, g), g, far.id)


@combat
def rapid_fire_in_answer(field):
    f = field(8, 8)
    a = f.unit("A", "A0303", "E", strength=4, cohesion=5)
    f.unit("Bty", "A0403", "W", strength=5, side=1, kind=ARTILLERY, weapon="N")
    return fire(ready(f, a, second={"rapid": True}), a, "A0403")


@combat
def split_fire_of_a_battery_at_one_hex(field):
    f = field(8, 8)
    g = f.unit("Bty", "A0303", "E", strength=6, kind=ARTILLERY, weapon="R3")
    g.ammo = 1
    f.unit("B", "A0403", "W", strength=3, full=6, side=1)
    return fire(ready(f, g), g, "A0403", "A0403")


@combat
def withdrawal_fire_and_the_one_left_behind(field):
    f = field(10, 9)
    a = f.unit("A", "A0404", "E", strength=6)
    f.unit("D", "A0404", "E", strength=6, disordered=True)
    f.unit("B", "A0503", "W", strength=6, side=1)
    ready(f, a)
    back = [f.hex("A0304")]
    return f, lambda: f.series.movement.withdraw(a, back)


@combat
def approach_fire_of_guns(field):
    f = field(12, 9)
    a = f.unit("A", "A0304", "E", strength=5, orders=ATTACK, full=9)
    f.unit("Bty", "A0704", "W", strength=5, side=1, kind=ARTILLERY, weapon="R3")
    ready(f, a)
    to = f.hex("A0404").nodes[a.heading]

    def march():
        f.series.movement.search(a)
        f.series.movement.move(a, to, a.heading)

    return f, march


# -- shocks of stacks, lines and combinations --------------------------------------------------------------------------

SILENT = {"pre_shock": -1}  # nobody fires before the shock


@combat
def shock_from_three_sides(field):
    f = field(10, 10)
    a = f.unit("A", "A0403", "SSE", strength=4, orders=ATTACK)
    b = f.unit("B", "A0404", "E", strength=4, orders=ATTACK)
    c = f.unit("C", "A0603", "W", strength=4, orders=ATTACK)
    f.unit("D", "A0503", "NNE", strength=6, side=1)
    ready(f, a, second=SILENT)
    wishes = [Designation([a, b], [f.hex("A0503")]), Designation([c], [f.hex("A0503")])]
    return f, lambda: f.series.shock.conduct(wishes, f.battle.active)


@combat
def shock_of_a_stack_on_a_stack(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=2, orders=ATTACK)
    b = f.unit("B", "A0404", "E", strength=4, orders=ATTACK, disordered=True)
    f.unit("C", "A0503", "W", strength=3, full=6, side=1)
    f.unit("D", "A0503", "W", strength=3, side=1, disordered=True)
    f.leader("other", "A0503", side=1)
    return shock(ready(f, a, second=SILENT), [a, b], "A0503")


@combat
def shock_of_a_line_on_two_hexes(field):
    f = field(10, 10)
    a = extend(f, f.unit("A", "A0404", "E", strength=10, orders=ATTACK), "A0403")
    f.unit("B", "A0503", "W", strength=4, side=1)
    f.unit("C", "A0504", "W", strength=3, side=1, green=True)
    return shock(ready(f, a, second=SILENT), [a], "A0503", "A0504")


@combat
def shocks_on_a_line_from_two_hexes_apart(field):
    f = field(10, 10)
    a = f.unit("A", "A0403", "E", strength=5, orders=ATTACK)
    b = f.unit("B", "A0405", "E", strength=5, orders=ATTACK)
    c = extend(f, f.unit("C", "A0503", "W", strength=9, full=12, side=1), "A0504")
    ready(f, a, second=SILENT)
    wishes = [Designation([a], [part.hex for part in c.parts]), Designation([b], [part.hex for part in c.parts])]
    return f, lambda: f.series.shock.conduct(wishes, f.battle.active)


@combat
def shock_uphill_into_woods(field):
    f = field(10, 10)
    f.ground("woods", "A0503")
    f.level(1, "A0503")
    a = f.unit("A", "A0404", "E", strength=9, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=4, full=7, side=1)
    f.leader("chief", "A0304")
    return shock(ready(f, a), [a], "A0503")


@combat
def retreat_through_friends_who_check(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=9, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=5, side=1)
    for at, place in enumerate(("A0603", "A0604", "A0502")):
        f.unit(f"F{at}", place, "W", strength=9, side=1, disordered=at < 2)
    return shock(ready(f, a, second=SILENT), [a], "A0503")


@combat
def shock_of_collapsed_regiments(field):
    """Both sides near their end: routs at ten, at second disorders and at losses, and neighbours who see them."""
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=4, full=10, orders=ATTACK, disordered=True)
    a.collapsed = True
    b = f.unit("B", "A0503", "W", strength=3, full=8, side=1, disordered=True, cohesion=7)
    b.collapsed = True
    f.unit("C", "A0603", "W", strength=4, side=1, cohesion=4)
    return shock(ready(f, a, second=SILENT), [a], "A0503")


@combat
def shock_on_unsupported_guns(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=6, orders=ATTACK)
    f.unit("Bty", "A0503", "W", strength=5, side=1, kind=ARTILLERY, weapon="R3")
    f.leader("other", "A0503", side=1)
    return shock(ready(f, a), [a], "A0503")


@combat
def shock_from_the_rear(field):
    f = field(10, 10)
    a = f.unit("A", "A0404", "E", strength=6, orders=ATTACK, green=True)
    f.unit("B", "A0503", "E", strength=6, side=1)
    f.unit("E", "A0303", "E", strength=6, side=1)
    return shock(ready(f, a, second=SILENT), [a], "A0503")


@combat
def continued_shock_into_a_second_hex(field):
    f = field(12, 10)
    a = f.unit("A", "A0404", "E", strength=9, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=3, side=1, disordered=True)
    f.unit("C", "A0604", "W", strength=4, side=1, kind=CAVALRY)
    f.leader("chief", "A0404", profile=AGGRESSIVE)
    ready(f, a, first={"continues": 3, "pre_shock": -1}, second=SILENT)
    a.moved = a.came_adjacent = True
    return shock(f, [a], "A0503")


@combat
def mounted_defenders_who_retreat_before_shock(field):
    f = field(12, 10)
    a = f.unit("A", "A0404", "E", strength=6, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=4, side=1, kind=CAVALRY, disordered=True)
    f.unit("C", "A0603", "W", strength=4, side=1, kind=CAVALRY)
    return shock(ready(f, a, second={"gives_way": True}), [a], "A0503")


# -- cavalry -----------------------------------------------------------------------------------------------------------


@combat
def fire_at_a_blown_stack(field):
    """11.58: steps and disorders cost Blown units more, at most two a stack, one of them drawn."""
    f = field(10, 8)
    a = f.unit("A", "A0303", "E", strength=7)
    for name in "BC":
        f.unit(name, "A0403", "W", strength=3, side=1, kind=CAVALRY, disordered=True).blown = True
    return fire(ready(f, a, second={"returns": False}), a, "A0403")


@combat
def shock_on_blown_cavalry(field):
    """11.58: a shock step costs a Blown unit one more, and there is one check for rout."""
    f = field(12, 8)
    a = f.unit("A", "A0404", "E", strength=8, orders=ATTACK)
    f.unit("B", "A0503", "W", strength=6, side=1, kind=CAVALRY, disordered=True).blown = True
    return shock(ready(f, a, second={"pre_shock": -1}), [a], "A0503")


@combat
def dismounted_cavalry_and_mounted_at_each_other(field):
    """14.24, 14.25: horse-holders, fire at and by mounted cavalry."""
    f = field(10, 8)
    a = f.unit("A", "A0303", "E", strength=8, kind=CAVALRY, mounted=False)
    f.unit("B", "A0403", "W", strength=5, side=1, kind=CAVALRY)
    return fire(ready(f, a), a, "A0403")
