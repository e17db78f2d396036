"""From a line or its parts to the answer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from simkit.errors import InputError
from simkit.exact.enumeration import DRAWS, LIMIT, Enumeration
from simkit.odds.answer import Answer, answer_of, ground_of
from simkit.odds.forces import ATTACKER
from simkit.odds.grammar import charts_of, check_whole, parse
from simkit.odds.layout import lay_out
from simkit.odds.situation import FIRE, SHOCK, Situation
from simkit.odds.words import BOOKS, CHARTS
from simkit.rules.firemodifiers import PHASING
from simkit.rules.options import EDITIONS
from simkit.scenario.reading import shown, suggestion
from simkit.uncollected import uncollected

MOST_BRANCHES = 100_000_000

Parts = str | Sequence[str]
"""A side's hexes: one text, or one a hex."""


def read(
    kind: str,
    text: str | None = None,
    *,
    attacker: Parts = (),
    defender: Parts = (),
    attacker_support: Parts = (),
    defender_support: Parts = (),
    whole: Parts = (),
    edition: str | None = None,
    charts: Path | None = None,
) -> Situation:
    """The situation that a line says, or its parts.

    Args:
        kind: "shock" or "fire".
        text: the line, as in `8/6 charge vs 5/5 woods`; or else the next two.
        attacker: who attacks or fires, a text for each hex.
        defender: who is attacked or fired at, a text for each hex.
        attacker_support: who stands beside the attackers, a text for each unit.
        defender_support: who stands beside the defenders.
        whole: words that hold for the whole, as "night,continue"; may be given with a line too.
        edition: the book by whose wording of the series rules it goes.
        charts: a folder of charts laid over the book's.

    Raises:
        InputError: it is no situation; the message shows where, and what could stand there.
    """
    if kind not in EXAMPLES:
        raise InputError(f'kind: must be "{SHOCK}" or "{FIRE}", not {shown(kind)}')
    if text is not None and (attacker or defender):
        raise InputError("give the line, or attacker and defender, not both")
    if text is None:
        if not (attacker and defender):
            missing = "defender" if attacker else "attacker" if defender else ""
            what = f"--attacker needs a --defender and the other way round: no {missing}" if missing else "no situation"
            raise InputError(f"{what}; write for example: simkit odds {kind} {EXAMPLES[kind]}")
        text = " vs ".join(_joined(side, support) for side, support in (
            (attacker, attacker_support), (defender, defender_support)
        ))  # fmt: skip
    elif attacker_support or defender_support:
        raise InputError('a line names its supporters itself, after "with"')
    table = charts_of(overlay=charts)
    situation = parse(" ".join(text.split()), kind, table)
    if situation.kind != kind:
        raise InputError(f'the line says "{situation.kind}": give it after `simkit odds {situation.kind}`')
    words = [word for part in _parts(whole) for word in part.replace(",", " ").split()]
    for word in words:
        check_whole(word, table)
    if edition is not None:
        if edition not in EDITIONS:
            raise InputError(f'no edition "{edition}"{suggestion(edition, EDITIONS)}')
        words += [] if situation.says(edition) or edition in words else [edition]
    if words:
        situation = parse(str(replace(situation, whole=(*situation.whole, *words))), kind, table)
    return situation


EXAMPLES = {
    SHOCK: "8/6 charge,brigadier vs 5/5 woods,breastworks",
    FIRE: "8/6 vs 5/5 woods",
}


def _parts(parts: Parts) -> list[str]:
    return [parts] if isinstance(parts, str) else list(parts)


def _joined(hexes: Parts, support: Parts) -> str:
    """A side's hexes and supporters as a line has them."""
    side = " | ".join(_parts(hexes))
    return f"{side} with {' + '.join(_parts(support))}" if support else side


def ask(
    situation: Situation, charts: Path | None = None, limit: int = LIMIT, draws: int = DRAWS, key: int = 1862
) -> Answer:
    """The answer to a situation, by enumeration of all branches up to a limit.

    Args:
        situation: what is asked.
        charts: a folder of charts laid over the book's.
        limit: branches that are played before the rest is drawn; the answer then says so.
        draws: combats that are drawn of that rest.
        key: by which key they are drawn.

    Raises:
        InputError: the rules forbid the situation.
    """
    if not 0 <= limit <= MOST_BRANCHES or not 1 <= draws <= MOST_BRANCHES:
        raise InputError(f"limit and draws: whole numbers up to {MOST_BRANCHES:,}")
    with uncollected():  # a third of the time of a short answer would go to the collector
        return _answered(situation, charts, limit, draws, key)


def _answered(situation: Situation, charts: Path | None, limit: int, draws: int, key: int) -> Answer:
    layout = lay_out(situation, charts)
    battle, series = layout.battle, layout.series
    targets = frozenset(int(place.index) for place in layout.targets)
    ground = ground_of(
        battle, situation.kind, {int(unit.index) for unit in layout.attackers}, targets,
        struck={int(unit.index) for unit in (*layout.attackers, *layout.defenders)},
        counter=situation.says("counter"),
    )  # fmt: skip
    enumeration = Enumeration(battle, series, list(layout.commanders), limit, draws, key)
    if situation.kind == SHOCK:
        found = enumeration.shock(list(layout.designations), list(battle.active))
    else:
        firer, targets_of_fire = layout.attackers[0], list(layout.targets)
        rapid = situation.says("rapid") and series.fire.may_rapid(firer, targets_of_fire[0], PHASING, True)
        found = enumeration.fire(firer, targets_of_fire, rapid)
    return answer_of(situation, ground, found, ATTACKER, notes(situation, charts))


def notes(situation: Situation, charts: Path | None = None) -> tuple[str, ...]:
    """What a reader should know of the charts and the wording that hold for a situation."""
    edition = next((BOOKS[word] for word in situation.whole if word in BOOKS), BOOKS[CHARTS])
    found = []
    if edition != BOOKS[CHARTS]:
        found.append(
            f"series rules as {edition} words them, but by the charts of {BOOKS[CHARTS]}: its own are not in yet"
        )
    if charts is not None:
        found.append(f"charts of {charts} laid over those of {BOOKS[CHARTS]}")
    return tuple(found)


def shock(
    text: str | Situation | None = None, *, attacker: Parts = (), defender: Parts = (), attacker_support: Parts = (),
    defender_support: Parts = (), whole: Parts = (), edition: str | None = None, charts: Path | None = None,
    limit: int = LIMIT, draws: int = DRAWS,
) -> Answer:  # fmt: skip
    """The exact chances of a shock, as `simkit odds shock` gives them.

    Args:
        text: the situation in one line, or one that has been read; or else `attacker` and `defender`.
        attacker: who attacks, a text for each hex, as "8/6 charge".
        defender: who is attacked, a text for each hex, as "5/5 woods".
        attacker_support: who stands beside the attackers, a text for each unit, as "3/3 left".
        defender_support: who stands beside the defenders.
        whole: words for the whole, as "night,continue".
        edition: "dead_of_winter", "gringo" or "into_the_woods".
        charts: a folder of charts laid over the book's.
        limit: branches that are played before the rest is drawn; the answer then says so.
        draws: combats that are drawn of that rest.

    Raises:
        InputError: it is no situation, or the rules forbid it.
    """
    sides = Sides(attacker, defender, attacker_support, defender_support)
    return _asked(SHOCK, text, sides, whole, edition, charts, limit, draws)


def fire(
    text: str | Situation | None = None, *, attacker: Parts = (), defender: Parts = (), attacker_support: Parts = (),
    defender_support: Parts = (), whole: Parts = (), edition: str | None = None, charts: Path | None = None,
    limit: int = LIMIT, draws: int = DRAWS,
) -> Answer:  # fmt: skip
    """The exact chances of a fire and the fire in answer, as `simkit odds fire` gives them; arguments as `shock`."""
    sides = Sides(attacker, defender, attacker_support, defender_support)
    return _asked(FIRE, text, sides, whole, edition, charts, limit, draws)


class Sides(NamedTuple):
    """The parts of a situation that are said of one side or the other."""

    attacker: Parts
    defender: Parts
    attacker_support: Parts
    defender_support: Parts


def _asked(
    kind: str, text: str | Situation | None, sides: Sides, whole: Parts, edition: str | None, charts: Path | None,
    limit: int, draws: int,
) -> Answer:  # fmt: skip
    if isinstance(text, Situation):
        if text.kind != kind:
            raise InputError(f"the situation is a {text.kind}: ask simkit.odds.{text.kind}")
        text = str(text)
    situation = read(kind, text, **sides._asdict(), whole=whole, edition=edition, charts=charts)
    return ask(situation, charts, limit, draws)
