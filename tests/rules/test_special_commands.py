"""Special rules of command: cavalry of both sides, Pioneers, Walker (4.41 to 4.44 of Dead of Winter)."""

import pytest

from simkit.model.forces import CAVALRY, ELIMINATED, ON_MAP
from simkit.rules.orders import OrdersSystem

UNION, CONFEDERATE = 0, 1


@pytest.fixture
def cavalry(field):
    """Stanley far off, Kennett with a division of two brigades; each brigadier has a regiment beside him."""
    f = field(40, 8)
    f.corps, f.division = f.battle.corps[UNION], f.battle.divisions[UNION]
    f.zahm = f.battle.brigades[UNION]
    f.minty = f.brigade("2/1/U")
    f.stanley_leader = f.leader("Stanley", "A0101", f.corps, command_range=6)
    f.kennett_leader = f.leader("Kennett", "A2001", f.division, command_range=5)
    f.leader("Zahm", "A2401", f.zahm, command_range=3)
    f.leader("Minty", "A3801", f.minty, command_range=3)
    f.ohio = f.unit("4 OH", "A2403", kind=CAVALRY)
    f.michigan = f.unit("4 MI", "A3803", kind=CAVALRY, brigade=f.minty)
    f.unit("1 TN", "A0108", side=CONFEDERATE)
    f.division.always_in_chain = True
    f.minty.always_in_chain = True
    for brigade in (f.zahm, f.minty):
        brigade.traces_to = [f.division, f.corps]
        brigade.units_trace = True
    return f


def settled(f):
    """What the chain of command phase notes."""
    f.series.command.determine()
    return f.series.command


def put(f, who, ident):
    """Move a leader or unit to another hex."""
    if hasattr(who, "front"):
        f.battle.stand_leader(who, f.hex(ident))
    else:
        f.battle.lift(who)
        f.battle.stand(who, f.hex(ident), True)


def markers(f, used=3):
    """How many of three markers of the division each unit of it acts on."""
    f.division.markers = used
    f.series.activation.allow(f.division, used)
    return {unit.name: used - unit.command.skips - unit.skips for unit in f.division.all_units()}


def test_4_41_kennett_is_in_command_without_stanley_and_his_men_through_him(cavalry):
    f = cavalry
    f.play()
    command = settled(f)
    assert f.division.in_chain and f.zahm.in_chain and f.ohio.in_command
    assert command.linked(f.zahm)
    f.division.always_in_chain = False
    for brigade in (f.zahm, f.minty):
        brigade.traces_to = []
    assert not settled(f).linked(f.zahm)


def test_4_41_a_brigadier_may_trace_to_stanley_instead(cavalry):
    f = cavalry
    put(f, f.stanley_leader, "A2601")
    put(f, f.kennett_leader, "A0108")
    f.play()
    assert settled(f).linked(f.zahm)
    f.series.results.kill(f.stanley_leader, "a test")
    assert not settled(f).linked(f.zahm)


def test_4_41_a_unit_may_trace_to_kennett_itself_and_then_is_in_command_for_all_purposes(cavalry):
    """Its brigadier is out of every range, so that his other regiment acts once less."""
    f = cavalry
    second = f.unit("3 OH", "A3303", kind=CAVALRY, brigade=f.zahm)
    put(f, f.zahm.leader(), "A3401")
    put(f, f.ohio, "A2301")
    f.play()
    command = settled(f)
    assert not f.zahm.in_chain
    assert (f.ohio.in_command, second.in_command) == (True, True)
    assert command.units_in_range(f.zahm) == [f.ohio, second]
    assert (markers(f)["4 OH"], markers(f)["3 OH"]) == (3, 2)


def test_4_41_neither_near_his_brigadier_nor_either_leader_it_is_out_of_command(cavalry):
    f = cavalry
    put(f, f.ohio, "A3008")
    f.play()
    settled(f)
    assert not f.ohio.in_command
    assert markers(f)["4 OH"] == 2


def test_4_41_mintys_men_need_only_minty(cavalry):
    f = cavalry
    f.play()
    command = settled(f)
    assert f.minty.in_chain and f.michigan.in_command and command.linked(f.minty)
    assert markers(f)["4 MI"] == 3
    put(f, f.michigan, "A3008")
    settled(f)
    assert not f.michigan.in_command


@pytest.mark.parametrize("fallen", ["stanley_leader", "kennett_leader"])
def test_4_41_stanley_and_kennett_are_replaced_as_others_are(cavalry, fallen):
    f = cavalry
    f.play()
    leader = getattr(f, fallen)
    f.series.results.kill(leader, "a test")
    f.series.results.replace_leaders()
    assert (leader.place, leader.replaced) == (ON_MAP, True)
    assert settled(f).linked(f.zahm)


# -- 4.42 ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def pioneers(field):
    """The Pioneers and the provost guard under the army, Morton and Rosecrans 8 hexes apart."""
    f = field(30, 8)
    f.army = f.battle.armies[UNION]
    f.division = f.battle.divisions[UNION]
    f.division.superior.subordinates.remove(f.division)
    f.division.superior = f.army
    f.army.subordinates.append(f.division)
    f.brigade_ = f.battle.brigades[UNION]
    f.provost = f.brigade("Provost")
    f.rosecrans = f.leader("Rosecrans", "A0101", f.army, command_range=10)
    f.morton = f.leader("Morton", "A0901", f.brigade_, command_range=3)
    f.division.leader_list.append(f.morton)
    f.brigade_.traces_to = [f.army]
    f.provost.traces_to = [f.army]
    f.battalion = f.unit("1 Bn", "A0902")
    f.michigan = f.unit("9 MI", "A0302", brigade=f.provost)
    f.unit("1 TN", "A3008", side=CONFEDERATE)
    return f


def test_4_42_morton_traces_to_rosecrans_as_a_wing_commander_does(pioneers):
    f = pioneers
    f.play()
    command = settled(f)
    assert f.brigade_.in_chain and f.battalion.in_command and command.linked(f.brigade_)
    assert markers(f)["1 Bn"] == 3
    put(f, f.morton, "A1601")
    put(f, f.battalion, "A1602")
    command = settled(f)
    assert not f.brigade_.in_chain
    assert not command.linked(f.brigade_)
    assert (f.battalion.in_command, markers(f)["1 Bn"]) == (True, 2)


def test_4_42_the_pioneers_draw_an_efficiency_of_their_own_and_mortons_ratings_add_nothing(pioneers):
    f = pioneers
    f.play()
    settled(f)
    assert f.series.activation.head_of(f.division) is f.division
    f.division.markers = 0
    f.series.activation.share_out(f.division, 3)
    assert f.division.markers == 3


def test_4_42_the_provost_traces_to_rosecrans_and_acts_when_the_pioneers_do(pioneers):
    f = pioneers
    f.play()
    command = settled(f)
    assert command.head(f.provost) is f.army
    assert f.michigan.in_command and command.linked(f.provost)
    assert f.series.activation.groups(f.division) == [f.brigade_, f.provost]
    put(f, f.michigan, "A0903")  # beside Morton's battalion, but beyond Rosecrans' range
    put(f, f.rosecrans, "A2908")
    assert not settled(f).units_in_range(f.provost)


# -- 4.43 ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def walker(field):
    """Walker leads his brigade and the division, 4 hexes from Thomas."""
    f = field(30, 8)
    f.division, f.brigade_ = f.battle.divisions[UNION], f.battle.brigades[UNION]
    f.thomas = f.leader("Thomas", "A0101", f.battle.corps[UNION], command_range=6, efficiency=1)
    f.walker = f.leader("Walker", "A0501", f.brigade_, command_range=3)
    f.division.leader_list.append(f.walker)
    f.regiment = f.unit("82 IN", "A0502")
    f.unit("1 TN", "A3008", side=CONFEDERATE)
    return f


def test_4_43_walker_traces_to_thomas_and_his_regiments_to_him(walker):
    f = walker
    f.play()
    assert settled(f).linked(f.brigade_)
    assert f.division.in_chain and f.brigade_.in_chain and f.regiment.in_command
    put(f, f.walker, "A2001")
    put(f, f.regiment, "A2002")
    assert not settled(f).linked(f.brigade_)
    assert (f.division.in_chain, f.regiment.in_command) == (False, True)


def test_4_43_his_ratings_as_division_leader_are_0(walker):
    f = walker
    f.play()
    settled(f)
    f.answers[UNION]["corps_bonus"] = [-1]
    f.series.activation.share_out(f.battle.corps[UNION], 2)
    assert f.division.markers == 2
    assert f.division.leader().ratings().coordination == 0


def test_4_43_6_22_he_is_not_his_own_superior_when_he_changes_orders(walker):
    f = walker
    f.play()
    orders: OrdersSystem = f.series.orders
    assert orders.change_modifier(f.brigade_) == 0
    put(f, f.thomas, "A0501")
    assert orders.change_modifier(f.brigade_) == f.charts.command.with_higher_commander


def test_4_43_12_71_he_falls_with_the_last_unit_of_the_division_not_of_his_brigade(walker):
    f = walker
    other = f.unit("38 OH", "A0503", brigade=f.brigade("2/1/U"))
    f.play()
    f.battle.remove(f.regiment, ELIMINATED)
    f.series.results.leaders_of_the_eliminated(f.regiment)
    assert f.walker.in_play()
    f.battle.remove(other, ELIMINATED)
    f.series.results.leaders_of_the_eliminated(f.regiment)
    assert not f.walker.in_play()


# -- 4.44 ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def wheeler(field):
    """Wheeler leads his brigade and all cavalry; Wharton's brigade is 8 hexes away, Bragg at the other end."""
    f = field(40, 8)
    f.unit("22 IN", "A0108")
    f.division = f.battle.divisions[CONFEDERATE]
    f.own = f.battle.brigades[CONFEDERATE]
    f.other = f.brigade("3/1/C", side=CONFEDERATE)
    f.leader("Bragg", "A4001", f.battle.armies[CONFEDERATE], command_range=5)
    f.wheeler = f.leader("Wheeler", "A1001", f.own, command_range=12)
    f.wharton = f.leader("Wharton", "A1801", f.other, command_range=4)
    f.division.leader_list.append(f.wheeler)
    f.division.always_in_chain = True
    for command in (f.division, f.own, f.other):
        command.depends = True
        command.depends_on = [f.own]
    f.alabama = f.unit("3 AL", "A1002", side=CONFEDERATE, kind=CAVALRY)
    f.texas = f.unit("8 TX", "A1802", side=CONFEDERATE, kind=CAVALRY, brigade=f.other)
    return f


def test_4_44_brigades_trace_to_wheeler_and_he_to_nobody(wheeler):
    f = wheeler
    f.play()
    command = settled(f)
    assert command.linked(f.own) and command.linked(f.other)
    assert f.alabama.in_command and f.texas.in_command
    put(f, f.wharton, "A3001")
    put(f, f.texas, "A3002")
    command = settled(f)
    assert not command.linked(f.other)
    assert (f.other.in_chain, markers(f)["8 TX"], markers(f)["3 AL"]) == (False, 2, 3)


def test_4_44_without_wheeler_on_the_map_nobody_is_in_command(wheeler):
    f = wheeler
    f.battle.stand_leader(f.wheeler, f.map.off)
    f.wheeler.place = 3
    f.play()
    command = settled(f)
    assert not f.alabama.in_command and not f.texas.in_command
    assert not command.linked(f.own) and not command.linked(f.other)
    assert markers(f) == {"3 AL": 2, "8 TX": 2}


def test_4_44_nor_in_a_battle_to_which_he_does_not_belong(wheeler):
    f = wheeler
    f.other.depends_on = []
    f.play()
    settled(f)
    assert f.alabama.in_command
    assert not f.texas.in_command


def test_4_44_his_replacement_puts_nobody_in_command_for_the_rest_of_the_battle(wheeler):
    f = wheeler
    f.play()
    kept = f.battle.snapshot()
    f.series.results.kill(f.wheeler, "a test")
    f.series.results.replace_leaders()
    assert (f.wheeler.place, f.wheeler.replaced) == (ON_MAP, True)
    for turn in range(1, 4):
        f.battle.turn = turn
        command = settled(f)
        assert not f.alabama.in_command and not f.texas.in_command
        assert not command.linked(f.own)
    f.battle.restore(kept)
    assert settled(f).linked(f.own)
