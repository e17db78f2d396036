"""What holds in every battle, whoever commands and however the dice fall: legal states, true books, orders obeyed."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from simkit.model.battle import PHASE_ACTION, PHASE_SHOCK
from simkit.model.forces import ADVANCE, ARTILLERY, ATTACK, CAUSES, ELIMINATED, MARCH, ROUTED, SIDES
from simkit.model.log import COMBATS, EVERYTHING, KINDS
from simkit.play.audit import audit
from simkit.play.game import Observer
from simkit.scenario.commanders import resolve
from simkit.scenario.doctrines import doctrine_names

WHO = ["wild", "busy", "random", *doctrine_names()]
FEW = settings(
    max_examples=6, deadline=None, derandomize=True, phases=[Phase.generate],  # no battle is smaller than another
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
battles = given(
    run=st.integers(0, 2**31), key=st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
    union=st.sampled_from(WHO), confederate=st.sampled_from(WHO),
)  # fmt: skip


class Witness(Observer):
    """Keeps for every activation what the log can't tell: the orders of all units, who acted, what the audit says."""

    def deployed(self, game):
        self.faults = audit(game.battle)
        self.orders = {}
        self.acting = {}
        self.told = 0
        self.near = {0: near(game.battle)}

    def after_activation(self, game):
        number = int(game.battle.activation)
        self.faults += audit(game.battle)
        self.orders[number] = {unit.id: int(unit.orders) for unit in game.battle.units}
        self.acting[number] = list(game.series.activation.current)
        self.near[number] = near(game.battle)

    def after_turn(self, game):
        self.faults += audit(game.battle)


def near(battle):
    """By side, the hexes next to enemy infantry or cavalry."""
    return [{place.id for place in battle.map.hexes if battle.enemy_line_near(place, side)} for side in (0, 1)]


@pytest.fixture
def busy(wild):
    """A wild commander whose units press on and try again and again: the rules must hold them back."""

    class Busy(wild):
        def act(self, series, brigades):
            for brigade in brigades:
                for unit in brigade.units:
                    for _ in range(3):
                        self._act(series, brigade, unit)

        def _move(self, series, brigade, unit):
            series.movement.search(unit)
            foes = [foe.hex for foe in series.battle.units if foe.side != unit.side and foe.counts()]
            nodes = [node for node in series.movement.reached if series.movement.may_stop(node)]
            if nodes and foes:
                node = min(nodes, key=lambda node: min(node.hex.distance_to(foe) for foe in foes))
                series.movement.move(unit, node, node.heading)

    return Busy


@pytest.fixture
def fought(built, game, wild, busy):
    """A function that fights a battle with everything logged: the game and its witness."""

    def fight(union, confederate, key, run):
        own = {"wild": wild, "busy": busy}
        made = [
            own.get(who) or (lambda who=who, side=side: resolve(who, side, built))
            for who, side in zip((union, confederate), SIDES, strict=True)
        ]
        played = game(*made, key=key)
        played.log.level = EVERYTHING
        witness = Witness()
        played.watch(witness)
        played.play(run)
        return played, witness

    return fight


@FEW
@battles
def test_every_state_is_legal_and_the_books_balance(fought, union, confederate, key, run):
    played, witness = fought(union, confederate, key, run)
    assert witness.faults == []
    for unit in played.battle.units:
        assert unit.start + unit.recovered - unit.losses() == unit.strength >= 0


@FEW
@battles
def test_the_log_tells_every_loss_and_no_other(fought, union, confederate, key, run):
    """By unit and cause, the strength lost in the log is that lost in the state; ends are told too."""
    played, _ = fought(union, confederate, key, run)
    logged = Counter()
    for event in played.log.events:
        assert event.kind in KINDS
        if event.kind == "loss":
            assert event.losses > 0
            logged[event.unit, event.mode] += event.losses
    booked = Counter({
        (unit.id, cause): getattr(unit, f"lost_{cause}")
        for unit in played.battle.units for cause in CAUSES if getattr(unit, f"lost_{cause}")
    })  # fmt: skip
    assert logged == booked
    routed = {event.unit for event in played.log.events if event.kind == "rout"}
    assert routed == {unit.id for unit in played.battle.units if unit.ever_routed}
    ended = {event.unit for event in played.log.events if event.kind == "eliminated"}
    assert ended >= {unit.id for unit in played.battle.units if unit.strength == 0}
    left = [event for event in played.log.events if event.kind in ("rout", "eliminated", "abandoned")]
    assert all(event.mode for event in left), "each says why"
    assert ended | routed >= {unit.id for unit in played.battle.units if unit.place in (ROUTED, ELIMINATED)}
    assert all(not waiting for waiting in played.series.results.pending)


@FEW
@battles
def test_fires_and_shocks_are_counted_as_the_log_tells_them(fought, union, confederate, key, run):
    played, _ = fought(union, confederate, key, run)
    for kind, counts in (("fire", played.battle.fires), ("shock", played.battle.shocks)):
        told = Counter(int(event.side) for event in played.log.events if event.kind == kind)
        assert [told[0], told[1]] == list(counts)
    combats = [event for event in played.log.events if event.kind in ("fire", "shock")]
    for event in combats:
        assert 0 <= event.roll <= 9
        assert event.sp > 0
        assert event.losses >= 0
        assert event.hex != event.target_hex
    digest = played.battle.digest()
    played.log.level = COMBATS
    played.play(run)
    assert played.battle.digest() == digest
    assert [event.kind for event in played.log.events] == [event.kind for event in combats]


def by_activation(events):
    """The events of the action and shock phases, by brigade activation."""
    groups = {}
    for event in events:
        if event.phase in (PHASE_ACTION, PHASE_SHOCK):
            groups.setdefault(int(event.activation), []).append(event)
    return groups


def loose_activations(events):
    """Numbers of the activations in which a loose cannon moves his brigade first (6.24)."""
    pending, found = set(), set()
    for event in events:
        brigade = (int(event.side), event.unit)
        if event.kind == "orders" and "loose" in event.mode + event.result:
            pending.add(brigade)
        elif event.kind == "activation" and brigade in pending:
            pending.remove(brigade)
            found.add(int(event.activation))
    return found


@FEW
@given(
    run=st.integers(0, 2**31), key=st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
    union=st.just("busy"), confederate=st.sampled_from(WHO),
)  # fmt: skip
def test_nobody_acts_out_of_its_orders(fought, union, confederate, key, run):
    """6.13, 6.15, 6.16, 5.33: only active units act; marchers do not fight; under Advance a unit moves or fires."""
    played, witness = fought(union, confederate, key, run)
    units = {unit.id: unit for unit in played.battle.units}
    activations = by_activation(played.log.events)
    loose = loose_activations(played.log.events)
    assert len(activations) == played.battle.activation
    for number, events in activations.items():
        active = witness.acting[number]
        side = active[0].side
        moved, fired, shocked, rallied = (acted(events, units, side, *what) for what in (
            ("move", ""), ("fire", "phasing"), ("shock", "shock"), ("rally", None),
        ))  # fmt: skip
        for ident in moved | fired | shocked | rallied:
            unit, orders = units[ident], witness.orders[number][ident]
            own = unit.command in active or (unit.kind == ARTILLERY and unit.command in [c.superior for c in active])
            assert own, f"{ident} acts in an activation of {[command.code for command in active]}"
            if orders == MARCH:
                assert ident not in fired | shocked | rallied, f"{ident} fights on the march"
            if orders == ADVANCE and unit.kind != ARTILLERY and number not in loose:
                assert not (ident in moved and ident in fired), f"{ident} moves and fires under Advance Orders"
            if ident in rallied:
                assert ident not in moved | fired | shocked or unit.kind == ARTILLERY, f"{ident} rallies and acts"
            if unit.kind == ARTILLERY:
                assert ident not in shocked, f"{ident} shocks with guns"
            assert orders in (MARCH, ADVANCE, ATTACK)


def acted(events, units, side, kind, mode):
    """Ids of the phasing side's units that did something of their own; a stack that acts is told as its units."""
    return {
        ident
        for event in events if event.kind == kind and event.side == side and mode in (None, event.mode)
        for ident in event.unit.split(", ") if ident in units
    }  # fmt: skip


@FEW
@battles
def test_markers_drawn_are_the_markers_placed_and_nobody_acts_more_often(fought, union, confederate, key, run):
    """5.26, 5.31, 5.32: what divisions have in the pool comes out of it, and brigades act once a marker at most."""
    played, _ = fought(union, confederate, key, run)
    battle, events = played.battle, played.log.events
    assert battle.pool == []
    markers = [event for event in events if event.kind == "marker"]
    drawn = Counter((int(event.side), event.unit) for event in markers if event.mode != "March")
    marches = Counter(int(event.side) for event in markers if event.mode == "March")
    for division in battle.divisions:
        placed = drawn[int(division.side), division.code]
        who = (union, confederate)[division.side]
        assert 1 <= placed <= division.markers
        assert who in ("wild", "busy") or placed == division.markers  # the wild may put fewer into the pool
    acting = Counter((int(event.side), event.unit, event.mode) for event in events if event.kind == "activation")
    for brigade in battle.brigades:
        side = int(brigade.side)
        division = played.series.activation.marker_division(brigade)
        assert acting[side, brigade.code, ""] <= drawn[side, division.code]
        assert acting[side, brigade.code, "March"] <= marches[side] <= 1
        assert brigade.activations == acting[side, brigade.code, ""] + acting[side, brigade.code, "March"]
    for unit in battle.units:
        assert unit.activations <= 4


@pytest.mark.parametrize("who", ["aggressive", "busy"])
def test_6_15_who_moves_up_to_the_enemy_is_under_attack_orders(fought, who):
    """Of all moves into hexes beside enemy regiments who stood there before and after."""
    orders = Counter()
    for run in range(3):
        played, witness = fought(who, "random", (18, 62), run)
        guns = {unit.id for unit in played.battle.units if unit.kind == ARTILLERY}
        for number, events in by_activation(played.log.events).items():
            side = witness.acting[number][0].side
            beside = witness.near[number - 1][side] & witness.near[number][side]
            for event in events:
                own = event.kind == "move" and event.side == side and event.unit not in guns
                if own and event.target_hex in beside:
                    orders[witness.orders[number][event.unit]] += 1
    assert list(orders) == [ATTACK], orders


@FEW
@battles
def test_9_62_9_63_nobody_reacts_twice_in_an_activation_but_cavalry_moving_off(fought, union, confederate, key, run):
    """9.62, 9.63: one refusal or facing change for a unit, one reaction move for a battery; never a phasing unit's."""
    played, witness = fought(union, confederate, key, run)
    units = {unit.id: unit for unit in played.battle.units}
    for number, events in by_activation(played.log.events).items():
        reactions = [event for event in events if event.kind == "reaction"]
        assert all(event.side != witness.acting[number][0].side for event in reactions)
        turned = Counter(event.unit for event in reactions if event.mode in ("facing", "refusal"))
        moved = Counter(event.unit for event in reactions if event.mode == "move")
        assert all(count == 1 for count in turned.values())
        assert all(count == 1 for ident, count in moved.items() if units[ident].kind == ARTILLERY)
        answering = {event.unit for event in events if event.kind == "fire" and event.mode == "approach"}
        assert not answering & set(moved)
