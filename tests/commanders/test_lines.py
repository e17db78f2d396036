"""Extended Lines in the hands of commanders who do not form them: nobody stumbles over one (8.44)."""

import pytest

from simkit.commanders.random_play import RandomCommander
from simkit.commanders.scripted import MOVE_TO, Order, ScriptedCommander
from simkit.model.battle import PHASE_ACTION
from simkit.model.forces import ADVANCE, ATTACK, EXTENDED_LINE, IN_ONE_HEX
from simkit.play.audit import audit
from simkit.scenario.doctrines import doctrine, doctrine_names


def form(made, unit, *idents):
    for ident in idents:
        made.battle.add_part(unit, made.hex(ident), 0, EXTENDED_LINE)


@pytest.mark.parametrize("name", doctrine_names())
@pytest.mark.parametrize("orders", [ADVANCE, ATTACK])
@pytest.mark.parametrize("gap", [1, 2, 4])
def test_every_doctrine_can_lead_a_line(scene, enter, name, orders, gap):
    made = scene(name)
    made.brigade("1/1/U", 0, orders)
    a = made.unit("a", "A0604", "E", strength=9, orders=orders)
    made.unit("b", "A0607", "E", strength=5, orders=orders)
    made.unit("foe", f"A{6 + gap:02d}04", "W", strength=6, side=1)
    guns = made.unit("guns", "A0606", "E", kind=2, strength=4)
    form(made, a, "A0605")
    leader = enter(made, a)
    made.battle.phase = PHASE_ACTION
    leader.act(made.series, made.battle.active)
    leader.shocks(made.series, made.battle.active)
    assert a.counts() and guns.counts() and audit(made.battle) == []


def test_a_scripted_march_contracts_a_line_first(scene, enter):
    made = scene("steady")
    a = made.unit("a", "A0604", "E", strength=9)
    made.unit("foe", "A1604", "W", side=1)
    form(made, a, "A0605")
    enter(made, a)
    led = ScriptedCommander(doctrine("steady"), [], [Order(0, 9, -1, "1/1/U", "a", MOVE_TO, "A0805", -1, -1)])
    led.script[0].unit = a.id
    made.commanders[0] = led
    made.series.equip(made.series.dice, made.log, made.commanders)
    made.battle.phase = PHASE_ACTION
    led.act(made.series, made.battle.active)
    assert a.extended == IN_ONE_HEX and a.hex.id == "A0805" and audit(made.battle) == []


def test_random_play_extends_manoeuvres_and_retracts(match):
    """Within a few battles of the skirmish all of it happens, and nothing illegal."""
    kinds = set()
    for number in range(6):
        game = match(RandomCommander(), RandomCommander(), key=(number, 8))
        game.play(0)
        kinds |= {event.kind for event in game.log.events}
    assert {"extend", "retract"} <= kinds
