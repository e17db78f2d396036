"""The shock odds card: a printable PDF of the chances of success, one for each book's wording of the rules.

Usage: python studies/odds_card.py [FOLDER]
"""

import sys
from itertools import product
from pathlib import Path

from simkit.odds import read, sweep
from simkit.report.oddsplots import card
from simkit.report.style import save

EDITIONS = {"dead_of_winter": "Dead of Winter", "gringo": "Gringo!", "into_the_woods": "Into the Woods"}
AXES = ("attacker=3..15", "position=front,flank,rear")
DEFENDERS = ("4/4", "5/5", "6/6", "8/6")
GROUNDS = {
    "clear": "in the open", "woods": "in woods", "breastworks": "behind breastworks",
    "woods,breastworks": "in woods behind breastworks",
}  # fmt: skip
NOTE = (
    "Percent chance that the attacker ends in the hex. Attacking infantry of cohesion 6, by strength (down) and "
    "position (across), with its brigadier, no charge; the defender stands and fires; nobody continues who need not. "
    "The charts are those of Dead of Winter in all editions."
)


def draw(folder: Path) -> list[Path]:
    """Write the cards of all books into a folder and return their places."""
    written = []
    for edition, title in EDITIONS.items():
        parts = []
        for defender, ground in product(DEFENDERS, GROUNDS):
            situation = read("shock", f"8/6 brigadier vs {defender} {ground}", edition=edition)
            parts.append((f"against {defender} {GROUNDS[ground]}", sweep(situation, AXES)))
        place = folder / f"odds_card_{edition}.pdf"
        save(card(f"Shock odds by the rules of {title}", NOTE, parts), place)
        written.append(place)
    return written


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1] if len(sys.argv) > 1 else "results")):
        print(path)
