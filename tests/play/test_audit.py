"""The audit finds what is wrong, and finds nothing wrong after any activation of any battle."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, ELIMINATED, INFANTRY, MARCH, ROUTED
from simkit.play.audit import audit
from simkit.play.game import Observer

UNION, CONFEDERATE = 0, 1
WILD = ["both", "Union", "Confederate"]


class Auditor(Observer):
    def __init__(self):
        self.audited = 0

    def deployed(self, game):
        self.after_activation(game)

    def after_activation(self, game):
        self.audited += 1
        faults = audit(game.battle)
        assert not faults, f"after activation {game.battle.activation}: {faults}"

    def after_turn(self, game):
        self.after_activation(game)


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(run=st.integers(0, 2**31), key=st.integers(0, 2**32 - 1), wild_side=st.sampled_from(WILD))
def test_every_state_of_a_random_battle_is_legal(built, game, wild, run, key, wild_side):
    from simkit.scenario.commanders import resolve

    def heuristic(side):
        return lambda: resolve("aggressive", side, built)

    union = heuristic("Union") if wild_side == "Confederate" else wild
    confederate = heuristic("Confederate") if wild_side == "Union" else wild
    played = game(union, confederate, key=(key, 1))
    auditor = Auditor()
    played.watch(auditor)
    played.play(run)
    assert auditor.audited > 3


def regiment(battle, side=UNION):
    return next(unit for unit in battle.units if unit.side == side and unit.kind == INFANTRY)


def batteries(battle):
    return [unit for unit in battle.units if unit.side == UNION and unit.kind == ARTILLERY]


def change(pick, **values):
    """A fault made by setting attributes of one unit or leader."""

    def spoil(battle):
        spoiled = pick(battle)
        for name, value in values.items():
            setattr(spoiled, name, value)

    return spoil


def gun(battle):
    return batteries(battle)[0]


def leader(battle):
    return battle.leaders[0]


def weaken(battle):
    regiment(battle).strength -= 1


def overfill(battle):
    unit = regiment(battle)
    unit.strength = unit.start = unit.full + 1


def use_up(battle):
    unit = regiment(battle)
    unit.strength, unit.lost_other = 0, unit.start


def shatter(battle):
    unit = regiment(battle)
    unit.strength, unit.lost_shell = 1, unit.start - 1


def drop_from_stack(battle):
    unit = regiment(battle)
    unit.hex.stack.remove(unit.parts[0])


def misplace_part(battle):
    regiment(battle).parts[0].hex = regiment(battle, CONFEDERATE).hex


def miscount(battle):
    regiment(battle).hex.sides[0].to.union_near += 1


def misattribute(battle):
    regiment(battle).hex.holder = 1 - regiment(battle).side


def rout_guns(battle):
    battle.remove(gun(battle), ROUTED)


def put(battle, unit, place):
    heading = place.stack[0].unit.heading
    battle.lift(unit)
    battle.stand(unit, place, True)
    unit.heading = heading


def join_the_enemy(battle):
    put(battle, regiment(battle), regiment(battle, CONFEDERATE).hex)


def mix_brigades(battle):
    unit = regiment(battle)
    others = [u for u in battle.units if u.side == UNION and u.kind == INFANTRY and u.command is not unit.command]
    put(battle, unit, others[0].hex)


def gather_guns(battle):
    for battery in batteries(battle):
        put(battle, battery, regiment(battle, UNION).hex)


def turn_one_of_a_stack(battle):
    mate = next(unit for unit in battle.units if len(battle.units_in(unit.hex)) > 1)
    mate.heading = (mate.heading + 2) % 12


def leave_leader_alone(battle):
    enemy = regiment(battle, CONFEDERATE)
    beside = next(side.to for side in enemy.hex.sides if side.on_map and battle.held_by(side.to) < 0)
    battle.stand_leader(leader(battle), beside)


def send_leader_over(battle):
    battle.stand_leader(leader(battle), regiment(battle, CONFEDERATE).hex)


def forget_leader(battle):
    leader(battle).hex.leaders.remove(leader(battle))


def brigade(battle):
    return regiment(battle).command


def rest(**values):
    """Put the first Union brigade in reserve, and a regiment of it in a state that this forbids."""

    def spoil(battle):
        brigade(battle).in_reserve = True
        for name, value in values.items():
            setattr(regiment(battle), name, value)

    return spoil


def rest_after_acting(battle):
    brigade(battle).in_reserve = True
    brigade(battle).activations = 1


def act_thrice(battle):
    brigade(battle).ineffective = True
    regiment(battle).activations = 3


def break_all_brigades(battle):
    for own in brigade(battle).superior.subordinates:
        own.ineffective = True


def wear_out_guns(battle):
    guns = next(command for command in battle.brigades if all(unit.kind == ARTILLERY for unit in command.units))
    guns.ineffective = True


def rout_a_builder(battle):
    unit = regiment(battle)
    battle.remove(unit, ROUTED)
    unit.building = True


FAULTS = [
    (rest(building=True), "builds breastworks (6.32)"),
    (rest(activations=1), "has been activated (6.32)"),
    (rest(marched=True), "has been activated (6.32)"),
    (rest(shock_target=True), "(6.34)"),
    (rest_after_acting, "activated 1 times this turn (6.32)"),
    (act_thrice, "acted 3 times (13.23)"),
    (break_all_brigades, "(13.31)"),
    (lambda battle: setattr(brigade(battle).superior, "ineffective", True), "(13.33)"),
    (lambda battle: setattr(brigade(battle), "orders", 5), "orders 5 are none (6.11)"),
    (change(regiment, forced=2), "(6.24)"),
    (change(regiment, rallied=True, moved=True), "(13.4)"),
    (change(regiment, rallied=True, fired=True), "(13.4)"),
    (change(regiment, collapsed=True, rallied=True), "(12.23, 13.4)"),
    (change(regiment, orders=MARCH, shocked=True), "shocked on the march (6.13)"),
    (change(regiment, orders=MARCH, building=True), "builds on the march (6.13)"),
    (change(regiment, blown=True, orders=ATTACK), "under Advance Orders (11.58)"),
    (rout_a_builder, "(13.1)"),
    (weaken, "do not make"),
    (overfill, "12.12"),
    (use_up, "12.13"),
    (shatter, "12.23"),
    (change(regiment, collapsed=True), "12.23"),
    (change(regiment, place=ROUTED), "contradict each other"),
    (drop_from_stack, "stands 0 times"),
    (misplace_part, "first part"),
    (miscount, "around it"),
    (misattribute, "it counts as held by"),
    (change(regiment, heading=4), "7.11"),
    (change(regiment, orders=MARCH), "7.11"),
    (change(regiment, orders=5), "orders 5"),
    (change(regiment, heading=12), "heading 12"),
    (change(gun, orders=ATTACK), "6.18"),
    (change(regiment, blown=True), "11.58"),
    (change(regiment, ammo=3), "ammunition"),
    (change(regiment, mounted=True), "14.21"),
    (change(regiment, charge_marker=True), "11.53"),
    (change(regiment, countercharging=True), "11.56"),
    (change(gun, ammo=3), "ammunition"),
    (change(regiment, abandoned=1), "12.8"),
    (rout_guns, "12.53"),
    (join_the_enemy, "both sides"),
    (mix_brigades, "8.12"),
    (gather_guns, "8.12"),
    (turn_one_of_a_stack, "face different ways"),
    (leave_leader_alone, "12.73"),
    (send_leader_over, "among the enemy"),
    (forget_leader, "stands 0 times"),
    (change(leader, casualty=True, replaced=False), "12.74"),
    (change(leader, place=ELIMINATED), "contradict each other"),
]


@pytest.mark.parametrize(("spoil", "said"), FAULTS)
def test_the_audit_names_what_is_wrong(built, spoil, said):
    built.battle.reset()
    assert audit(built.battle) == []
    try:
        spoil(built.battle)
        faults = audit(built.battle)
    finally:
        restore(built.battle)
    assert any(said in fault for fault in faults), faults


def restore(battle):
    """Undo by hand what a reset does not expect, then reset."""
    for unit in battle.units:
        unit.parts[0].hex = unit.hex if unit.hex is not battle.map.off else battle.map.off
        if unit.hex is not battle.map.off and unit.parts[0] not in unit.hex.stack:
            unit.hex.stack.append(unit.parts[0])
        unit.start = min(unit.start, unit.full)
    battle.reset()
    for place in battle.map.hexes:
        place.union_near = place.confederate_near = place.union_line_near = place.confederate_line_near = 0
    for unit in battle.units:
        if unit.abandoned == 0 and unit.hex is not battle.map.off:
            battle._count_near(unit, unit.hex, 1)
    assert audit(battle) == []
    assert {unit.orders for unit in battle.units} <= {MARCH, ADVANCE, ATTACK}
