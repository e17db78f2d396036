"""A battle log in words: one line an event, indented under the activation to which it belongs."""

from collections.abc import Callable, Iterable, Iterator

from simkit.model.battle import Battle
from simkit.model.forces import SIDES
from simkit.model.hexgrid import HEADING_NAMES
from simkit.model.log import COLUMN, Event

NOBODY = -1

MODES = {
    "phasing": "fires",
    "return": "returns fire",
    "withdrawal": "fires at the withdrawing enemy",
    "approach": "fires at the approaching enemy",
    "pre-shock": "fires before the shock",
}
"""How a fire of each mode is told."""

AMMUNITION = {"ammunition 0": "has all its ammunition again", "ammunition 1": "is no longer out of ammunition, but low"}
"""How a resupply is told by what it leads to (10.92)."""

TOLD_BY_CHECK = ("commitment", "pre-shock")
"""What says nothing more than the check of cohesion of the same name that it follows."""

FORMS = {
    "into line": "turns its column into a line",
    "into column": "turns its line into a column",
    "retraction": "draws its column together",
}
"""How a change between column and line is told."""


class Storyteller:
    """Tells events of one battle, with the names that its counters show.

    Args:
        battle: the battle, for the names of units, leaders and commands.
    """

    def __init__(self, battle: Battle) -> None:
        self._names: dict[str, str] = {}
        for command in battle.commands:
            self._names[f"{SIDES[command.side]}/{command.code}"] = command.name
            self._names.setdefault(command.code, command.name)
        self._names.update({leader.id: leader.front.name for leader in battle.leaders})
        self._names.update({unit.id: unit.name for unit in battle.units})

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """The lines of the story; moves of one unit that follow each other are one line, with leaders who go along."""
        walk: list[Event] = []
        riders: list[Event] = []  # where the walk came last
        riding: list[Event] = []  # told as soon as it is clear with whom
        before = Event("")
        for event in events:
            twice = event.kind in TOLD_BY_CHECK and before.mode == event.kind and before.unit == event.unit
            before = event
            if twice:
                continue
            if event.kind == "leader" and event.hex:
                riding.append(event)
                continue
            along = [ride for ride in riding if event.kind == "move" and self._same_way(ride, event)]
            if walk and len(along) == len(riding) and self._goes_on(walk[-1], event) and _who(along) == _who(riders):
                walk.append(event)
            else:
                yield from self._walked(walk, riders)
                yield from (self.line(ride) for ride in riding if ride not in along)
                walk = [event] if event.kind == "move" else []
                if not walk:
                    yield self.line(event)
            riders, riding = along, []
        yield from self._walked(walk, riders)
        yield from map(self.line, riding)

    def line(self, event: Event) -> str:
        """One event in one line."""
        return LINES[event.kind](self, event)

    def name(self, event: Event, ident: str) -> str:
        """The names that counters or commands show, for one id or several."""
        side = SIDES[event.side] if event.side != NOBODY else ""
        each = ident.split(", ")
        return ", ".join(self._names.get(f"{side}/{one}") or self._names.get(one, one) for one in each)

    @staticmethod
    def _goes_on(last: Event, event: Event) -> bool:
        return event.kind == "move" and last.unit == event.unit and last.target_hex == event.hex

    @staticmethod
    def _same_way(one: Event, other: Event) -> bool:
        return one.hex == other.hex and one.target_hex == other.target_hex

    def _walked(self, walk: list[Event], riders: list[Event]) -> Iterator[str]:
        if walk:
            hexes = [walk[0].hex, *(event.target_hex for event in walk)]
            spent = walk[-1].sp / 2
            along = ", ".join(self.name(ride, ride.unit) for ride in riders)
            company = f" with {along}" if along else ""
            yield f"    {self.name(walk[0], walk[0].unit)} moves {' '.join(hexes)}{company} ({spent:g} MP spent)"


def _who(events: list[Event]) -> list[str]:
    return [event.unit for event in events]


def _side(event: Event) -> str:
    return SIDES[event.side] if event.side != NOBODY else "nobody"


def _points(number: int) -> str:
    return "1 strength point" if number == 1 else f"{number} strength points"


def _why(event: Event) -> str:
    return f" ({event.mode.replace('_', ' ')})" if event.mode not in ("", "other") else ""


def _at(event: Event) -> str:
    return f" in {event.hex}" if event.hex else ""


def _rolled(event: Event) -> str:
    """The die with its modifiers: 6, or 6 +2 (prepared +1, flank +1) = 8."""
    if event.drm == 0 and not event.drms:
        return f"rolls {event.roll}"
    named = f" ({event.drms})" if event.drms else ""
    return f"rolls {event.roll} {int(event.drm):+d}{named} = {event.adjusted}"


def _cost(event: Event) -> str:
    told = []
    if event.losses:
        told.append(f"the target loses {_points(event.losses)}")
    if event.own_losses:
        told.append(f"the attacker loses {_points(event.own_losses)}")
    return f"; {', '.join(told)}" if told else ""


def _combat(deed: str) -> Callable[[Storyteller, Event], str]:
    def line(teller: Storyteller, event: Event) -> str:
        done = MODES.get(event.mode, deed) if deed == "fires" else deed
        if done == "shocks" and ", " in event.unit:
            done = "shock"
        how = " again" if event.mode == "continued" else ""
        distance = f", range {event.range}" if event.kind == "fire" else f" against {event.target_sp} SP"
        guns = f" ({event.guns})" if event.guns else ""
        result = event.result or "no effect"
        return (
            f"    {teller.name(event, event.unit)} ({event.hex}) {done}{how} with {event.sp} SP{guns} at "
            f"{teller.name(event, event.target)} ({event.target_hex}){distance}: {_rolled(event)}: "
            f"{result}{_cost(event)}"
        )

    return line


def _unit(deed: str) -> Callable[[Storyteller, Event], str]:
    """An event of one unit: who, what, why, with what result."""

    def line(teller: Storyteller, event: Event) -> str:
        result = f": {event.result}" if event.result else ""
        return f"    {teller.name(event, event.unit)}{_at(event)} {deed}{_why(event)}{result}"

    return line


def _check(deed: str) -> Callable[[Storyteller, Event], str]:
    """An event of one unit with a die."""

    def line(teller: Storyteller, event: Event) -> str:
        die = f", {_rolled(event)}" if event.roll >= 0 else ""
        against = f" against {event.target_sp}" if event.target_sp > 0 and event.kind == "udd" else ""
        result = f": {event.result}" if event.result else ""
        return f"    {teller.name(event, event.unit)}{_at(event)} {deed}{_why(event)}{die}{against}{result}"

    return line


def _going(deed: str) -> Callable[[Storyteller, Event], str]:
    """An event of somebody who goes from a hex to another."""

    def line(teller: Storyteller, event: Event) -> str:
        way = " ".join(place for place in (event.hex, event.target_hex) if place)
        return f"    {teller.name(event, event.unit)} {deed} {way}{_why(event)}".rstrip()

    return line


def _turn(_: Storyteller, event: Event) -> str:
    return f"Turn: {event.result}"


def _initiative(_: Storyteller, event: Event) -> str:
    return f"  Initiative: {_side(event)}"


def _efficiency(teller: Storyteller, event: Event) -> str:
    return f"  {teller.name(event, event.unit)} ({_side(event)}): {event.mode or 'efficiency'} {event.sp}"


def _marker(teller: Storyteller, event: Event) -> str:
    return f"  Marker of {teller.name(event, event.unit)} ({_side(event)}){_why(event)}"


def _random_event(_: Storyteller, event: Event) -> str:
    rolled = f", {_rolled(event)}" if event.roll >= 0 else ""
    return f"  {event.mode or 'Event'}{rolled}: {event.result or 'none'}"


def _favour(teller: Storyteller, event: Event) -> str:
    return f"    {teller.name(event, event.unit)}{_at(event)} profits{_why(event)}: {event.result}"


def _activation(teller: Storyteller, event: Event) -> str:
    return f"  Activation {event.activation}: {teller.name(event, event.unit)} ({_side(event)})"


def _facing(teller: Storyteller, event: Event) -> str:
    heading = HEADING_NAMES[int(event.result)] if event.result.isdecimal() else event.result
    return f"    {teller.name(event, event.unit)}{_at(event)} turns to face {heading}"


def _refusal(teller: Storyteller, event: Event) -> str:
    deed = "is no longer refused" if event.result == "none" else f"refuses its flank: {event.result}"
    return f"    {teller.name(event, event.unit)}{_at(event)} {deed}{_why(event)}"


def _leader(teller: Storyteller, event: Event) -> str:
    return _going("goes" if event.hex else "enters the map at")(teller, event)


def _line(deed: str) -> Callable[[Storyteller, Event], str]:
    """What a line or column does with a part of it."""

    def line(teller: Storyteller, event: Event) -> str:
        what = "column" if event.mode == COLUMN else "line"
        way = f"{event.hex} {event.target_hex}"
        return f"    {teller.name(event, event.unit)} {deed} its {what} {way}"

    return line


def _reaction(teller: Storyteller, event: Event) -> str:
    cause = teller.name(event, event.target)
    return f"    {teller.name(event, event.unit)}{_at(event)} reacts to {cause}{_why(event)}"


def _charge(teller: Storyteller, event: Event) -> str:
    at = f" {event.target_hex}" if event.target_hex else ""
    return f"    {teller.name(event, event.unit)}{_at(event)} {event.result}{at}"


def _countercharge(teller: Storyteller, event: Event) -> str:
    deed = "countercharges" if event.result == "passed" else "cannot bring itself to countercharge"
    return f"    {teller.name(event, event.unit)}{_at(event)} {deed}"


def _form(teller: Storyteller, event: Event) -> str:
    return f"    {teller.name(event, event.unit)}{_at(event)} {FORMS.get(event.result, 'changes its formation')}"


def _orders(teller: Storyteller, event: Event) -> str:
    who = teller.name(event, event.unit)
    if event.mode == "loose cannon":
        return f"    {who} does as its brigadier is: {event.result}"
    if event.roll < 0:
        return f"    {who} has its orders changed{_why(event)}: {event.result}"
    return f"    {who} tries to change orders{_why(event)}, {_rolled(event)}: {event.result}"


def _vain(teller: Storyteller, event: Event) -> str:
    who = teller.name(event, event.unit)
    return f"    {who} ({event.hex}) has fired at {event.target_hex}, where nobody is left: {_rolled(event)}"


def _loss(teller: Storyteller, event: Event) -> str:
    return f"    {teller.name(event, event.unit)}{_at(event)} loses {_points(event.losses)}{_why(event)}"


def _resupply(teller: Storyteller, event: Event) -> str:
    deed = AMMUNITION.get(event.result, "takes ammunition")
    return f"    {teller.name(event, event.unit)}{_at(event)} {deed}{_why(event)}"


BUILDING = {
    "begun": "begins to build breastworks",
    "done": "has built breastworks",
    "given up": "gives up its breastworks",
    "fires": "fires, and its breastworks remain undone",
    "orders": "gets new orders, and its breastworks remain undone",
    "loose cannon": "is swept away from its breastworks",
    "reserve": "goes into reserve, and its breastworks remain undone",
    "shocked": "is assaulted before its breastworks are done",
    "tired": "is too tired to finish its breastworks",
    "driven off": "leaves its breastworks undone",
    "moved": "moves, and its breastworks remain undone",
}


def _construction(teller: Storyteller, event: Event) -> str:
    return f"    {teller.name(event, event.unit)}{_at(event)} {BUILDING.get(event.result, 'builds breastworks')}"


def _reserve(teller: Storyteller, event: Event) -> str:
    who = teller.name(event, event.unit)
    if event.result == "placed":
        return f"  {who} ({_side(event)}) goes into reserve"
    how = "is driven out of reserve" if event.result == "attacked" else f"leaves reserve under {event.result} Orders"
    return f"  {who} ({_side(event)}) {how}"


def _fatigue(teller: Storyteller, event: Event) -> str:
    return f"    {teller.name(event, event.unit)}{_at(event)} is at Fatigue Level {event.result}{_why(event)}"


def _arrival(teller: Storyteller, event: Event) -> str:
    rolled = f" (roll {event.mode})" if event.mode else ""
    return f"  {teller.name(event, event.unit)} and those with it: {event.result}{rolled}"


def _alarm(_: Storyteller, event: Event) -> str:
    return "    The alarm is given: the markers of the surprised divisions go into the pool"


def _arrangements(_: Storyteller, event: Event) -> str:
    return f"  The {_side(event)} side gives up its arrangements of command"


def _end(_: Storyteller, event: Event) -> str:
    return f"End: {event.result}"


def _water(_: Storyteller, event: Event) -> str:
    return f"The waters stand at {event.result}"


def _bridge(_: Storyteller, event: Event) -> str:
    done = "is open" if event.result == "open" else "must be begun again"
    return f"The bridge between {event.hex} and {event.mode} {done}"


LINES: dict[str, Callable[[Storyteller, Event], str]] = {
    "turn": _turn,
    "initiative": _initiative,
    "efficiency": _efficiency,
    "marker": _marker,
    "activation": _activation,
    "event": _random_event,
    "favour": _favour,
    "orders": _orders,
    "coordination": _check("tries to coordinate"),
    "leader": _leader,
    "enter": _going("enters the map at"),
    "arrival": _arrival,
    "withdraw": _unit("leaves the map"),
    "alarm": _alarm,
    "arrangements": _arrangements,
    "move": _going("moves"),
    "extend": _line("extends"),
    "retract": _line("draws in"),
    "form": _form,
    "face": _facing,
    "refuse": _refusal,
    "reaction": _reaction,
    "rapid": _unit("works its guns for two shots"),
    "repeat": _unit("fires its second round"),
    "fire": _combat("fires"),
    "vain": _vain,
    "ammunition": _unit("has used up ammunition"),
    "udd": _check("checks its cohesion"),
    "disorder": _unit("is disordered"),
    "second": _unit("is disordered a second time"),
    "loss": _loss,
    "section": _unit("loses a gun of a section"),
    "collapse": _unit("collapses"),
    "retreat": _going("retreats"),
    "rout": _unit("routs"),
    "eliminated": _unit("is eliminated"),
    "abandoned": _unit("loses its crew; the guns are abandoned"),
    "breath": _unit("has its breath back"),
    "mount": _unit("mounts"),
    "dismount": _unit("dismounts"),
    "recrewed": _unit("has its guns crewed again"),
    "retreat before shock": _going("gives way before the shock"),
    "charge": _charge,
    "countercharge": _countercharge,
    "commitment": _check("checks whether it goes in"),
    "pre-shock": _check("braces for the shock"),
    "shock": _combat("shocks"),
    "advance": _going("advances"),
    "contract": _unit("contracts into one hex"),
    "wrap around": _going("wraps around the defender"),
    "rally": _check("tries to rally"),
    "resupply": _resupply,
    "construction": _construction,
    "water": _water,
    "bridge": _bridge,
    "crossing": _unit("makes for the river"),
    "placed": _unit("comes under another command"),
    "torn down": _unit("tears down breastworks"),
    "casualty": _unit("falls"),
    "replacement": _unit("is replaced"),
    "reserve": _reserve,
    "stragglers": _unit("gathers stragglers: 1 strength point"),
    "returned": _unit("comes back"),
    "fatigue": _fatigue,
    "wheels": _unit("tries its wheels"),
    "ineffective": _unit("changes its effectiveness"),
    "end": _end,
}
"""How an event of each kind is told."""
