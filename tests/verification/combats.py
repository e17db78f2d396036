"""Small combats with everything at stake: functions that take Field and hand back the field and what happens."""

from simkit.model.charts import AGGRESSIVE
from simkit.model.forces import ARTILLERY, ATTACK, CAVALRY, MARCH
from simkit.rules.commander import Commander, Designation

COMBATS = {}


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
