"""Provenance: a row for every value, with its source, rule and reason."""

import pytest

from simkit.scenario import build, load
from simkit.scenario.provenance import SOURCES, provenance, summary


@pytest.fixture(scope="module")
def frame():
    return provenance(load("dead_of_winter/skirmish"))


def row(frame, item):
    found = frame[frame["item"] == item]
    assert len(found) == 1, item
    return tuple(found.iloc[0][["table", "value", "source"]])


def test_a_row_names_a_value_and_its_source(frame):
    assert list(frame.columns) == ["table", "item", "value", "source", "rule", "why"]
    assert row(frame, "set-up of 1-1-rw/22-in") == ("scenario", "C3217", "printed")
    assert row(frame, "efficiency, fixed Union/1/RW") == ("scenario", "4", "printed")
    assert row(frame, "orders") == ("scenario", "Advance", "reconstructed")
    assert row(frame, "1-1-rw/22-in full") == ("units", "6", "derived")
    assert row(frame, "1-1-rw/22-in weapon") == ("units", "R", "reconstructed")
    assert row(frame, "1-1-rw/74-il green") == ("units", "yes", "reconstructed")
    assert row(frame, "rw/mccook efficiency") == ("leaders", "-1", "reconstructed")
    assert row(frame, "area cedars, terrain") == ("map", "cedars", "reconstructed")
    in_play = frame[frame["item"] == "in_play"][["table", "value", "source"]]
    assert [*in_play.itertuples(index=False, name=None)] == [
        ("scenario", "C1001-C4819", "printed"), ("map", "A1001-D4853", "derived"),
    ]  # fmt: skip
    assert row(frame, "terrain hex.woods.cost.foot") == ("charts", "2", "printed")
    assert row(frame, "terrain hex.woods.cost.horse") == ("charts", "3", "reconstructed")
    assert row(frame, "weapons weapon.R.max_range") == ("charts", "5", "printed")
    assert row(frame, "weapons weapon.R.drms.2") == ("charts", "-1", "reconstructed")
    assert row(frame, "command coordination.outcomes.12+") == ("charts", "all", "printed")
    assert row(frame, "fire fire_table.grid.13+") == ("charts", "D 1D 1D 1D 2D 2D 2D 2D 2D 2D 2D", "reconstructed")


def test_every_item_stands_once(frame):
    twice = frame[frame.duplicated(["table", "item", "value"])]
    assert twice.empty, twice
    assert set(frame["source"]) == set(SOURCES)
    assert not frame["why"].str.contains("\n").any()


def test_a_leader_has_the_ratings_of_his_level_only(frame):
    items = set(frame[frame["table"] == "leaders"]["item"])
    assert {item.split()[1] for item in items if item.startswith("1-1-rw/post")} == {
        "range", "profile", "orders", "replacement_range", "replacement_profile", "replacement_orders",
    }  # fmt: skip


def test_an_entry_without_rule_has_that_of_its_file(frame):
    found = frame.set_index("item").loc["set-up of 1-1-rw/22-in"]
    assert found["rule"] == "Introductory Scenario"
    assert frame.set_index("item").loc["water", "rule"] == "18.2"
    assert frame.set_index("item").loc["orders", "rule"] == ""


def test_units_that_do_not_take_part_are_left_out(book):
    start = book.scenario.read_text()
    book.scenario.write_text(start.replace('units = ["1-1-rw/22-in"]', "units = []"))
    left = provenance(book.built())
    assert not left["item"].str.startswith("1-1-rw/22-in").any()
    assert left["item"].str.startswith("1-1-rw/59-il").any()


def test_every_chart_value_has_an_account(frame):
    """Values of the files are as many as those with an origin: no key stands outside a block with a source."""
    from simkit.scenario.provenance import _leaves
    from simkit.scenario.reading import read_toml

    built = build(load("dead_of_winter/skirmish"))
    charts = sorted((built.scenario.folder / "charts").glob("*.toml"))
    values = sum(len(list(_leaves(read_toml(path)[0], ""))) for path in charts)
    assert (frame["table"] == "charts").sum() == values


def test_summary_counts_the_rows(frame):
    counted = summary(frame)
    assert list(counted.columns) == ["table", "printed", "derived", "reconstructed"]
    assert list(counted["table"]) == ["book", "scenario", "units", "leaders", "map", "charts"]
    assert counted[list(SOURCES)].to_numpy().sum() == len(frame)
    assert summary(load("dead_of_winter/skirmish")).equals(counted)
