"""The study of the printable card: a page for four heat maps, and whose charts they go by."""

import importlib.util
from pathlib import Path

import pytest

from simkit.report.oddsplots import PAGE, card_pages

STUDY = Path(__file__).parents[2] / "studies" / "odds_card.py"


@pytest.fixture
def study(monkeypatch):
    spec = importlib.util.spec_from_file_location("odds_card", STUDY)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "AXES", ("attacker=7,8", "position=front,flank"))
    monkeypatch.setattr(module, "DEFENDERS", ("5/5",))
    monkeypatch.setattr(module, "GROUNDS", {"clear": "in the open", "woods": "in woods", "breastworks": "behind works"})
    return module


def test_a_card_is_a_pdf_of_pages_that_a4_and_letter_hold(study, tmp_path):
    (written,) = study.draw(tmp_path, ["dead_of_winter"])
    assert written.name == "odds_card_dead_of_winter.pdf"
    assert written.read_bytes().startswith(b"%PDF")
    a4, letter = (8.27, 11.69), (8.5, 11.0)
    assert all(PAGE[at] <= min(a4[at], letter[at]) for at in range(2))


def test_a_card_shows_the_hex_carried_and_says_whose_charts_hold(study):
    notes, parts = study.parts_of("gringo")
    assert any("Gringo!" in note and "charts of Dead of Winter" in note for note in notes)
    pages = card_pages("Card", notes, parts, "hex carried")
    assert len(pages) == 2
    shown = [text.get_text() for text in pages[0].axes[0].texts]
    first = parts[0][1]
    assert shown == [f"{100 * float(answer.measure('hex carried')):.0f}" for answer in first.answers]
    head = pages[0].get_suptitle()
    assert "page 1 of 2" in head
    assert "charts of Dead" in head.replace("\n", " ")
