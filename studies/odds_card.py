"""The shock odds card: a printable PDF of the chances to carry a hex, one for each book's wording of the rules.

Usage: python studies/odds_card.py [FOLDER [BOOK ...]]
"""

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from simkit.odds import read, sweep
from simkit.odds.sweep import Sweep
from simkit.odds.words import BOOKS
from simkit.report.oddsplots import card
from simkit.report.style import save

AXES = ("attacker=3..15", "position=front,flank,rear")
ATTACKERS = {
    "8/6 brigadier": "without a charge", "8/6 charge,brigadier": "charging",
}  # fmt: skip
DEFENDERS = ("4/4", "5/5", "6/6", "8/6")
GROUNDS = {
    "clear": "in the open", "woods": "in woods", "breastworks": "behind breastworks",
    "woods,breastworks": "in woods behind breastworks",
}  # fmt: skip
NOTE = (
    "Percent chance that the attackers carry the hex: that they are in it at some time, though a continued shock, "
    "which follows a charge that rolls well, may lead them on. Infantry of Cohesion Rating 6, by strength (down) and "
    "by the side from which they come (across), with their brigadier. The defenders, strength/cohesion, stand and "
    "fire; works cover their front; nobody continues a shock who need not."
)


def parts_of(book: str) -> tuple[list[str], list[tuple[str, Sweep]]]:
    """The notes and the heat maps of the card of a book."""
    parts, notes = [], [NOTE]
    for (attackers, how), defender, ground in product(ATTACKERS.items(), DEFENDERS, GROUNDS):
        found = sweep(read("shock", f"{attackers} vs {defender} {ground}", edition=book), AXES)
        parts.append((f"{how}, against {defender}\n{GROUNDS[ground]}", found))
        notes += [note for note in found.answers[0].notes if note not in notes]
    return notes, parts


def draw(folder: Path, books: Sequence[str] = tuple(BOOKS)) -> list[Path]:
    """Write the cards of some books into a folder and return their places."""
    written = []
    for book in books:
        notes, parts = parts_of(book)
        place = folder / f"odds_card_{book}.pdf"
        save(card(f"Shock odds by the rules of {BOOKS[book]}", notes, parts, "hex carried"), place)
        written.append(place)
    return written


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1] if len(sys.argv) > 1 else "results"), sys.argv[2:] or tuple(BOOKS)):
        print(path)
