"""Random and battle events: the charts of a book, and how many of their markers are in the pool (5.31)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

NO_EVENT: Final[i64] = -1
EITHER: Final[i64] = 2  # the event itself says whose it is

# what an event of a chart can be
NONE: Final = "none"
FRIENDLY_FIRE: Final = "friendly fire"
LEADER_CHECK: Final = "leader check"
GREEN_CHECK: Final = "green check"
LEADER_HIT: Final = "leader hit"
FREE_FIRE: Final = "free fire"
JOINED: Final = "joined"
RALLY: Final = "rally"
CAISSONS_HIT: Final = "caissons hit"
SHAKEN: Final = "shaken"
RESUPPLY: Final = "resupply"
RAIN: Final = "rain"
TAKES_COMMAND: Final = "takes command"
AMBUSH: Final = "ambush"
EVENT_KINDS: Final = (
    NONE, FRIENDLY_FIRE, LEADER_CHECK, GREEN_CHECK, LEADER_HIT, FREE_FIRE, JOINED, RALLY, CAISSONS_HIT, SHAKEN,
    RESUPPLY, RAIN, TAKES_COMMAND, AMBUSH,
)


class RandomEvent:
    """One result of an event chart.

    `side` is who suffers by a friendly fire or EITHER, `level` that of the leaders in danger, `within` how near in
    hexes an enemy must be, `support` how near a friend who fires by mistake, `number` how many units are chosen, `drm`
    what is added to their check, `killed` the highest roll that kills a leader, `near` and `adjacent` what is added to
    that roll where he is within two hexes in sight, or adjacent, `command` the one ("Side/code") that `leader`
    takes over.
    """

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self.side: i64 = EITHER
        self.level: i64 = 0
        self.within: i64 = 0
        self.support: i64 = 0
        self.number: i64 = 1
        self.drm: i64 = 0
        self.killed: i64 = 0
        self.near: i64 = 0
        self.adjacent: i64 = 0
        self.command = ""
        self.leader = ""


class EventChart:
    """A book's event chart.

    Attributes:
        name: of its marker.
        owners: by face of the first roll NO_EVENT, the side whose event it is, or EITHER.
        events: by face of the second roll.
        none_if_last: the marker brings nothing if it is the last out of the pool.
        by_day: it is in the pool in day turns only.
    """

    def __init__(
        self, name: str, owners: list[int], events: list[RandomEvent], none_if_last: bool, by_day: bool
    ) -> None:
        self.name = name
        self.owners = owners
        self.events = events
        self.none_if_last = none_if_last
        self.by_day = by_day


class EventMarkers:
    """How many markers of a chart a scenario puts into the pool in each turn from `first` to `last`, from 0 (5.31)."""

    def __init__(self, chart: EventChart, number: i64, first: i64, last: i64) -> None:
        self.chart = chart
        self.number = number
        self.first = first
        self.last = last
