"""The report: complete, self-contained, honest, and written whole or not at all."""

import base64
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from simkit.analysis.definitions import CAUSE_NAMES, DEFINITIONS, TERMS
from simkit.analysis.intervals import Estimate
from simkit.analysis.results import Results
from simkit.analysis.summary import COLUMNS, summarise
from simkit.errors import InputError
from simkit.report import write_report
from simkit.report.background import Background
from simkit.report.scene import HexPicture, MapData, Scene, UnitPicture
from simkit.report.words import amount, headline, number, share

PROVENANCE = {
    "roster": {"printed": 20, "derived": 30, "reconstructed": 50},
    "map": {"printed": 0, "derived": 1, "reconstructed": 9},
}


def scene_of_roster(synthetic: ModuleType) -> Scene:
    hexes = tuple(
        HexPicture(f"C{c}{r:02d}", c, r, "woods" if c % 5 == 0 else "clear")
        for c in range(28, 49)
        for r in range(2, 20)
    )
    units = tuple(
        UnitPicture(name, side, place, 3, sp, kind) for _, name, side, kind, _, _, sp, place in synthetic.ROSTER
    )
    return Scene(MapData(hexes), units)


class Page(HTMLParser):
    """What a page loads, links to and says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "srcset", "data", "poster", "background"):
                self.loads.append(value or "")
            if name == "href":
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words += data


@pytest.fixture(scope="module")
def written(synthetic: ModuleType, three_variants: Results) -> tuple[Results, list[Path], str]:
    files = write_report(three_variants.folder, Background(scene_of_roster(synthetic), PROVENANCE))
    return three_variants, files, files[-1].read_text(encoding="utf-8")


def test_files(written: tuple[Results, list[Path], str]) -> None:
    results, files, _ = written
    names = {str(file.relative_to(results.folder)) for file in files}
    plots = ("outcome_shares", "loss_distributions", "losses_by_cause", "losses_by_unit", "convergence",
             "paired_differences", "map_setup", "map_losses")  # fmt: skip
    assert names == {"summary.csv", "report.html", *(f"plots/{name}.png" for name in plots)}
    assert all(file.stat().st_size > 5000 for file in files)
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files if file.suffix == ".png")
    assert not list(results.folder.rglob(".unfinished-*"))


def test_summary_file_is_the_summary(written: tuple[Results, list[Path], str]) -> None:
    results, files, _ = written
    table = pd.read_csv(files[0], keep_default_na=False, na_values=[""])
    assert tuple(table.columns) == COLUMNS
    pd.testing.assert_frame_equal(table, summarise(results).table, check_dtype=False)
    assert all(table["definition"] == [DEFINITIONS[quantity].text for quantity in table["quantity"]])


def test_the_page_loads_nothing(written: tuple[Results, list[Path], str]) -> None:
    text = written[2]
    page = Page(text)
    assert page.open == []
    assert len(page.loads) == 8
    assert all(re.match(r"data:image/(svg\+xml|png);base64,", address) for address in page.loads)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not {"script", "link", "iframe", "object", "base"} & set(page.tags)
    assert not re.search(r"@import|url\(|https?:", text)
    for address in page.loads:
        if "svg" in address[:20]:
            picture = base64.b64decode(address.split(",", 1)[1]).decode("utf-8")
            assert not re.search(r"""(href|src)\s*=\s*["'](?!#)|url\((?!#)|@import|<script""", picture)


def test_the_page_suits_phone_and_paper(written: tuple[Results, list[Path], str]) -> None:
    text = written[2]
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in text
    assert "@media print" in text
    assert "@media (max-width" in text
    page = Page(text)
    assert page.tags.count("table") == text.count('class="scroll') - page.tags.count("figure")
    assert page.tags.count("figcaption") == page.tags.count("img") == text.count('alt="')
    assert page.tags.count("caption") == page.tags.count("table")


def test_every_word_is_defined(written: tuple[Results, list[Path], str]) -> None:
    words = Page(written[2]).words
    for definition in [
        *TERMS.values(),
        *CAUSE_NAMES.values(),
        DEFINITIONS["win_share"],
        DEFINITIONS["units_ever_routed_mean"],
    ]:
        assert definition.text in words


def test_the_page_says_what_happened(written: tuple[Results, list[Path], str]) -> None:
    results, _, text = written
    words = Page(text).words
    for sentence in headline(results, summarise(results)):
        assert sentence in words
    assert "Variant aggressive-cautious: whether it changes how often the Confederate side wins stays open" in words
    assert "weaker-union minus base, over 600 pairs of battles" in words
    assert (
        "Of 110 values and blocks of values behind this battle 18 % printed, 28 % derived, 54 % reconstructed." in words
    )
    for name in ("22 IN", "Allen SS Bn", "4/1/P", "second disorder", "simkit 0.1.0, interpreted", "1862"):
        assert name in words


def test_the_headline_follows_the_numbers(three_variants: Results) -> None:
    summary = summarise(three_variants)
    first, second, third = headline(three_variants, summary)
    base = three_variants.runs_of("base")
    wins = (base["winner"] == "Confederate").mean()
    assert first.startswith(f"The Confederates won {100 * wins:.0f}\N{NO-BREAK SPACE}% (")
    assert " of 600 battles, the Union " in first
    assert first.endswith("ended in a draw.")
    assert second == "That the Confederates win more often is beyond the luck of the dice."
    assert f"the Union {base['sp_lost_Union'].mean():.1f} (" in third


def test_warnings_come_first(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 40, combats=False, runs_asked=90)
    text = write_report(folder, Background(notes=("No maps, and no sources of values: the file is gone",)))[
        -1
    ].read_text("utf-8")
    assert text.index("Read this first") < text.index('class="lead"')
    words = Page(text).words
    assert "Only 40 battles" in words
    assert "40 of the 90 battles asked for" in words
    assert "Results of fires and shocks were not recorded; run with --combats to have them." in words
    assert "No maps, and no sources of values: the file is gone" in words
    assert "map_setup" not in text


def test_a_sample_that_serves_has_no_warnings(one_variant: Results) -> None:
    text = write_report(one_variant.folder, Background())[-1].read_text("utf-8")
    assert "Read this first" not in text
    assert "What the variants change" not in text


def test_names_are_text_not_markup(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 20, combats=False, question="Is <script>alert(1)</script> & co fair?")
    text = write_report(folder, Background())[-1].read_text("utf-8")
    assert "<script" not in text
    assert "Is <script>alert(1)</script> & co fair?" in Page(text).words


def test_the_same_folder_gives_the_same_files(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 30, combats=False)
    before = {file: file.read_bytes() for file in write_report(folder, Background())}
    assert before == {file: file.read_bytes() for file in write_report(folder, Background())}


def test_plots_of_an_earlier_report_go(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 20, combats=False)
    write_report(folder, Background(scene_of_roster(synthetic)))
    (folder / "plots" / "my_own.png").write_bytes(b"mine")
    write_report(folder, Background())
    assert not (folder / "plots" / "map_setup.png").exists()
    assert (folder / "plots" / "my_own.png").exists()


def test_one_battle_and_no_losses_make_a_report(synthetic: ModuleType, tmp_path: Path) -> None:
    units = pd.DataFrame([synthetic.one_unit(0, "1-1-rw/59-il", 6), synthetic.one_unit(0, "4-1-p/29-tn", 6)])
    runs = synthetic.runs_from_units(
        units, pd.DataFrame({"run": [0], "variant": "base", "winner": "draw", "level": "draw"})
    )
    folder = synthetic.write_tables(tmp_path / "r", runs, units, None, synthetic.manifest(1, ["base"]))
    text = write_report(folder, Background(scene_of_roster(synthetic)))[-1].read_text("utf-8")
    assert "of the only battle" in Page(text).words


def test_a_folder_that_cannot_be_written(synthetic: ModuleType, tmp_path: Path) -> None:
    folder = synthetic.generate(tmp_path / "r", 20, combats=False)
    (folder / "report.html").mkdir()
    with pytest.raises(InputError, match=r"report\.html"):
        write_report(folder, Background())
    assert not list(folder.rglob(".unfinished-*"))


def test_no_results_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        write_report(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1234.5, "1,234"),
        (13.94, "13.9"),
        (2.847, "2.85"),
        (-0.5, "−0.50"),
        (-0.0001, "0.00"),
        (float("nan"), "–"),
        (float("inf"), "∞"),
    ],
)
def test_numbers_in_words(value: float, words: str) -> None:
    assert number(value) == words


def test_intervals_in_words() -> None:
    assert amount(Estimate(13.904, 13.70, 14.11, 1000)) == "13.9 (13.7 to 14.1)"
    assert amount(Estimate(0.0031, 0.0011, 0.0051, 1000)) == "0.003 (0.001 to 0.005)"
    assert amount(Estimate(2.0, float("nan"), float("nan"), 1)) == "2.00"
    assert share(Estimate(0.41, 0.38, 0.44, 1000)).replace("\N{NO-BREAK SPACE}", " ") == "41 % (38 to 44)"
