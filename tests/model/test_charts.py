"""Lookups of the chart classes, on small charts made by hand."""

import pytest

from simkit.model import charts

WORTHLESS = charts.FireResult(0, charts.NO_DISORDER, 0, "-")
CHECK = charts.FireResult(0, charts.UDD, 2, "d+2")
STEP = charts.FireResult(1, charts.AUTOMATIC, 0, "1D")


@pytest.fixture
def fire_table():
    """Strengths 1 and 2+, rolls 4-, 5, 6+."""
    cells = [WORTHLESS, WORTHLESS, CHECK, WORTHLESS, CHECK, STEP]
    return charts.FireTable(low=4, rows=3, strengths=2, results=cells, starred=5)


@pytest.fixture
def ratios():
    """The columns that the rules name, and those between."""
    columns = [
        (1, 4, -4),
        (1, 3, -3),
        (1, 2, -2),
        (2, 3, -1),
        (1, 1, 0),
        (3, 2, 1),
        (2, 1, 2),
        (3, 1, 3),
        (4, 1, 4),
        (5, 1, 5),
    ]
    return charts.ShockRatio([charts.RatioColumn(a, d, drm, f"{a}-{d}") for a, d, drm in columns])


@pytest.mark.parametrize(
    ("sp", "roll", "text"),
    [
        (1, 4, "-"),
        (1, 6, "d+2"),
        (2, 5, "d+2"),
        (2, 6, "1D"),
        (1, -3, "-"),
        (1, 15, "d+2"),
        (18, 5, "d+2"),
        (99, 99, "1D"),
    ],
)
def test_fire_table_looks_up_and_clamps_10_17(fire_table, sp, roll, text):
    assert fire_table.result(sp, roll).text == text


def test_fire_needs_strength(fire_table):
    with pytest.raises(ValueError, match="at least 1 SP"):
        fire_table.result(0, 5)


def test_fire_table_knows_its_rows(fire_table):
    assert (fire_table.low, fire_table.high, fire_table.starred) == (4, 6, 5)


@pytest.mark.parametrize(("favour_attacker", "drm"), [(True, 2), (False, 1)])
def test_ratio_rounding_11_43(ratios, favour_attacker, drm):
    """The printed example: 5 against 3 is 2-1 if rounded for the attacker, 1½-1 if for the defender."""
    assert ratios.drm(5, 3, favour_attacker) == drm


@pytest.mark.parametrize("favour_attacker", [True, False])
@pytest.mark.parametrize(
    ("attackers", "defenders", "drm"),
    [(4, 4, 0), (6, 4, 1), (4, 6, -1), (10, 2, 5), (1, 4, -4), (21, 4, 5), (100, 1, 5), (1, 5, -4), (1, 100, -4)],
)
def test_exact_and_extreme_ratios_need_no_rounding_11_43(ratios, attackers, defenders, drm, favour_attacker):
    """Below 1-4 counts as 1-4, above 5-1 as 5-1."""
    assert ratios.drm(attackers, defenders, favour_attacker) == drm


def test_rounding_never_leaves_the_two_nearest_columns_11_43(ratios):
    for attackers in range(1, 40):
        for defenders in range(1, 40):
            lower, upper = ratios.column(attackers, defenders, False), ratios.column(attackers, defenders, True)
            assert 0 <= upper.drm - lower.drm <= 1
            if 4 * attackers >= defenders:
                assert attackers * lower.defenders >= lower.attackers * defenders
            if attackers <= 5 * defenders:
                assert attackers * upper.defenders <= upper.attackers * defenders


def test_only_the_ratio_matters_11_43(ratios):
    """Halved and doubled strengths may be given on a common scale."""
    for scale in (2, 4):
        assert ratios.drm(5 * scale, 3 * scale, True) == ratios.drm(5, 3, True)


def test_weapon_range_10_16():
    rifle = charts.Weapon("R", "rifled musket", False, 5, 1, False, False, 0, [0, -1, -2, -3, -4])
    assert [rifle.range_drm(hexes) for hexes in range(1, 6)] == [0, -1, -2, -3, -4]
    assert not rifle.shell(5)
    for hexes in (0, 6):
        with pytest.raises(ValueError, match="can't fire"):
            rifle.range_drm(hexes)


def test_guns_fire_shell_beyond_canister_10_67():
    gun = charts.Weapon("N", "Napoleon", True, 6, 0, True, False, 3, [2, 1, 0, 0, 0, 0])
    assert [gun.shell(hexes) for hexes in range(1, 7)] == [False, False, False, True, True, True]


@pytest.fixture
def trail():
    return charts.Thoroughfare("trail", 0, 0, charts.HEXSIDE_HALVED, False)


def test_trail_rounds_up_under_advance_9_44(trail):
    """The printed example: guns that pay 5 MPs in woods pay 3 on a trail."""
    assert trail.cost(5 * charts.ONE_MP, 0, march=False) == 3 * charts.ONE_MP


@pytest.mark.parametrize(("terrain", "march", "advance"), [(1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 2, 2), (5, 2, 3)])
def test_trail_halves_terrain_9_44(trail, terrain, march, advance):
    """Down in March Orders to no less than 1, up under Advance."""
    assert trail.cost(terrain * charts.ONE_MP, 0, march=True) == march * charts.ONE_MP
    assert trail.cost(terrain * charts.ONE_MP, 0, march=False) == advance * charts.ONE_MP


def test_trail_opens_no_forbidden_hex_9_42(trail):
    assert trail.cost(charts.PROHIBITED, 0, march=False) >= charts.PROHIBITED


@pytest.mark.parametrize(
    ("hexside", "cost"),
    [(charts.HEXSIDE_FREE, 1), (charts.HEXSIDE_HALVED, 2), (charts.HEXSIDE_FULL, 3)],
)
def test_trail_and_hexside_9_44(hexside, cost):
    way = charts.Thoroughfare("trail", 0, 0, hexside, False)
    assert way.cost(2 * charts.ONE_MP, 2 * charts.ONE_MP, march=False) == cost * charts.ONE_MP


def test_road_costs_9_43():
    """Half an MP in March Orders, one under Advance, whatever the terrain and its elevation."""
    road = charts.Thoroughfare("road", 1, 2, charts.HEXSIDE_FREE, True)
    for terrain in (2, 8, charts.PROHIBITED):
        assert road.cost(terrain, 4, march=True) == 1
        assert road.cost(terrain, 4, march=False) == 2


def test_costs_and_disorder_by_class_9_41():
    stream = charts.HexsideTerrain(
        "stream", charts.ByClass(2, 3, charts.PROHIBITED, 1), charts.ByClass(0, 1, 2, 0), 0, 0, -1, False, False, False
    )
    movers = (charts.FOOT, charts.HORSE, charts.GUNS, charts.LEADER)
    assert [stream.cost(mover) for mover in movers] == [2, 3, charts.PROHIBITED, 1]
    assert [stream.disorder(mover) for mover in movers] == [0, 1, 2, 0]
    assert [stream.crossable(mover) for mover in movers] == [True, True, False, True]


def test_outcome_table_clamps():
    table = charts.OutcomeTable(2, [charts.CONFUSION, charts.FAIL, charts.ALL_BRIGADES])
    assert [table.outcome(roll) for roll in (-1, 2, 3, 4, 14)] == [0, 0, 1, 99, 99]


def test_shock_table_clamps():
    nothing = charts.SideResult(0, charts.NO_DISORDER, 0, 0)
    lines = [
        charts.ShockResult(low, nothing, nothing, False, False, False, False, False, str(low)) for low in (1, 2, 3)
    ]
    table = charts.ShockTable(1, lines)
    assert [table.result(roll).text for roll in (-5, 1, 2, 3, 12)] == ["1", "1", "2", "3", "3"]
    assert table.high == 3


def test_night_drm_beyond_the_chart_16_12():
    modifiers = charts.FireModifiers(*[0] * 18, night=[-1, -3, -6, -10])
    assert [modifiers.night(hexes) for hexes in (1, 2, 3, 4, 7)] == [-1, -3, -6, -10, -10]
