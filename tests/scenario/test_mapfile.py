"""Map files: small drawings with the costs that they must give, and drawings that cannot be made."""

from collections import Counter

import pytest

from simkit.errors import InputError
from simkit.model.battlemap import PIKE, RAILROAD, ROAD, TRAIL
from simkit.model.charts import FOOT, GUNS, HORSE, LEADER, NO_DISORDER, PROHIBITED
from simkit.model.hexgrid import STEP_Q, STEP_R
from simkit.scenario.mapfile import InPlay, make_map, read_map

HEAD = """[map]
name = "test"
sheets = [{ letter = "A", columns = [1, 12], rows = [1, 12] }]
in_play = ["A0101-A1009"]
source = "reconstructed"
why = "a test"
"""
WHY = 'source = "reconstructed"\nwhy = "a test"\n'


@pytest.fixture
def draw(tmp_path, charts):
    """Make a map of a drawing."""

    def drawn(text="", water="medium", head=HEAD):
        path = tmp_path / "map.toml"
        path.write_text(head + text)
        return make_map(read_map(path), charts, path, water)

    return drawn


@pytest.fixture
def complaint(draw, message, tmp_path):
    """What is wrong with a drawing, after the name of its file."""

    def told(text="", head=HEAD):
        said = message(draw, text, head=head)
        assert said.startswith(str(tmp_path / "map.toml"))
        return said.removeprefix(str(tmp_path / "map.toml"))

    return told


def between(ground, first, second):
    a, b = ground.named(first), ground.named(second)
    assert a.direction_to(b) >= 0
    return a.sides[a.direction_to(b)]


def costs(side, orders="costs"):
    return [getattr(side, orders)[mover] for mover in (FOOT, HORSE, GUNS, LEADER)]


def ids(ground, name):
    return sorted(place.id for place in ground.hexes if place.terrain.name == name)


def test_blocks_in_play_and_the_ground_of_the_head(draw):
    ground = draw()
    assert len(ground.hexes) == 90
    assert {place.terrain.name for place in ground.hexes} == {"clear"}
    assert {place.elevation for place in ground.hexes} == {0}
    assert costs(between(ground, "A0505", "A0506")) == [2, 2, 2, 2]
    with pytest.raises(ValueError, match="not in play"):
        ground.named("A1105")


def test_joined_sheets_share_a_column(draw):
    head = HEAD.replace(
        'sheets = [{ letter = "A", columns = [1, 12], rows = [1, 12] }]\nin_play = ["A0101-A1009"]',
        'sheets = [{ letter = "A", columns = [10, 20], rows = [1, 5] },'
        ' { letter = "B", columns = [10, 20], rows = [1, 5], offset = [10, 0] }]\n'
        'in_play = ["A1801-A2002", "B1001-B1202"]',
    )
    ground = draw(head=head)
    assert len(ground.hexes) == 10
    assert ground.named("A2001") is ground.named("B1001")
    assert ground.named("A2001").direction_to(ground.named("B1101")) >= 0


JOINED = HEAD.replace(
    'sheets = [{ letter = "A", columns = [1, 12], rows = [1, 12] }]\nin_play = ["A0101-A1009"]',
    'sheets = [{ letter = "A", columns = [10, 20], rows = [1, 5], last_odd_row = 4 },'
    ' { letter = "B", columns = [10, 20], rows = [1, 5], last_odd_row = 4, offset = [10, 0] },'
    ' { letter = "C", columns = [10, 20], rows = [1, 5], last_odd_row = 4, offset = [0, 4] }]\n'
    'in_play = ["A1001-C2005", "B1101-B2005"]',
)


@pytest.fixture
def part(tmp_path, charts):
    """Make a map of sheets or blocks of a drawing of three joined sheets."""

    def drawn(text="", sheets=(), blocks=()):
        path = tmp_path / "map.toml"
        path.write_text(JOINED + text)
        told = InPlay(sheets, blocks, lambda key, number, what: InputError(f"scenario: {key}.{number}: {what}"))
        return make_map(read_map(path), charts, path, in_play=told)

    return drawn


def test_odd_columns_of_a_sheet_may_be_shorter(part):
    ground = part(sheets=["A"])
    assert len(ground.hexes) == 6 * 5 + 5 * 4
    assert [place.id for place in ground.hexes if place.column == 11] == ["A1101", "A1102", "A1103", "A1104"]
    with pytest.raises(ValueError, match=r"hex A1105 is off sheet A .*, rows 1 to 5, to 4 in odd columns"):
        ground.named("A1105")
    whole = part()
    assert whole.named("A1104").direction_to(whole.named("C1101")) == 3  # due south, on the next sheet


def test_a_hex_of_two_sheets_is_named_as_the_sheets_in_play_print_it(part):
    whole, below, right = part(), part(sheets=["C"]), part(sheets=["B"])
    assert whole.named("C1201") is whole.named("A1205") and whole.named("C1201").id == "A1205"
    assert below.named("C1201") is below.named("A1205") and below.named("A1205").id == "C1201"
    assert right.named("A2003").id == "B1003"
    assert whole.named("A2005") is whole.named("B1005") is whole.named("C2001")
    with pytest.raises(ValueError, match="hex A1104 is not in play"):
        below.named("A1104")


def test_what_is_drawn_beyond_the_hexes_in_play_is_left_out(part):
    text = (
        f'[[area]]\nterrain = "woods"\noutline = ["A1003", "C1003", "C1303", "A1303"]\n{WHY}'
        f'[[way]]\nkind = "road"\nname = "lane"\npath = ["A1401", "C1405"]\n{WHY}'
        f'[[hexside]]\nkind = "river"\nalong = ["A1601", "C1605"]\non = "right"\n{WHY}'
        f'[[crossing]]\nkind = "bridge"\nbetween = ["A1602", "A1701"]\n{WHY}'
        f'[[place]]\nname = "far house"\nhex = "B1503"\n{WHY}'
    )
    whole, cut = part(text), part(text, sheets=["C"])
    kept = part(text, sheets=["C"], blocks=["C1001-C1602"])
    assert len(kept.hexes) == 7 * 2
    for ground in (cut, kept):
        for place in ground.hexes:
            twin = whole.at(place.column, place.row)
            assert (place.terrain, place.elevation, place.features) == (twin.terrain, twin.elevation, twin.features)
            for side, like in zip(place.sides, twin.sides, strict=True):
                if side.on_map:
                    assert side.features == like.features and side.road == like.road and side.costs == like.costs
    assert any(place.terrain.name == "woods" for place in kept.hexes)


def test_sheets_and_blocks_that_are_not_on_the_map(part, message):
    assert message(part, sheets=["C", "E"]) == 'scenario: sheets.1: no sheet "E" on this map, only A, B, C'
    assert message(part, blocks=["A1001-A1206"]) == (
        "scenario: in_play.0: hex A1206 is off sheet A (columns 10 to 20, rows 1 to 5, to 4 in odd columns)"
    )
    assert message(part, blocks=["A1001", "A1001-A1101-A1201"]).startswith("scenario: in_play.1: ")


def watered(ground):
    """The hexsides with water, from the hex with the smaller id."""
    return {
        tuple(sorted((place.id, side.to.id)))
        for place in ground.hexes for side in place.sides if side.on_map and side.features
    }  # fmt: skip


@pytest.mark.parametrize(
    ("on", "beyond"),
    [
        ("right", {"A0303": ["A0203", "A0204"], "A0304": ["A0204", "A0205"], "A0305": ["A0205", "A0206"]}),
        ("left", {"A0303": ["A0403", "A0404"], "A0304": ["A0404", "A0405"], "A0305": ["A0405", "A0406"]}),
    ],
)
def test_water_lies_on_one_side_of_a_path(draw, on, beyond):
    ground = draw(f'[[hexside]]\nkind = "stream"\nalong = ["A0303", "A0305"]\non = "{on}"\n{WHY}')
    assert watered(ground) == {tuple(sorted((a, b))) for a, others in beyond.items() for b in others}


@pytest.mark.parametrize("on", ["right", "left"])
@pytest.mark.parametrize(
    "path",
    [
        ["A0204", "A0504", "A0507"], ["A0808", "A0604", "A0206"], ["A0303", "A0305", "A0804"],
        ["A0404", "A0804", "A0807"],
    ],
)
def test_water_beside_a_bent_path_has_no_gap(draw, path, on):
    """The hexsides make one chain: but for its two ends, each of their corners belongs to two of them."""
    ground = draw(f'[[hexside]]\nkind = "river"\nalong = {path}\non = "{on}"\n{WHY}'.replace("'", '"'))
    corners = Counter()
    for first, second in watered(ground):
        a, b = ground.named(first), ground.named(second)
        way = a.direction_to(b)
        for turn in (1, 5):  # a corner is where three hexes meet
            third = neighbour(a, (way + turn) % 6)
            corners[tuple(sorted([(a.q, a.r), (b.q, b.r), third]))] += 1
    assert sorted(corners.values()) == [1, 1] + [2] * (len(corners) - 2)


def neighbour(place, way):
    return place.q + STEP_Q[way], place.r + STEP_R[way]


def test_areas_lie_over_earlier_ones(draw):
    ground = draw(
        f'[[area]]\nname = "wood"\nterrain = "woods"\nhexes = ["A0202-A0403", "A0801"]\n{WHY}'
        f'[[area]]\nterrain = "cedars"\nhexes = ["A0403"]\n{WHY}'
        f'[[level]]\nname = "hill"\nelevation = 3\nhexes = ["A0403", "A0404"]\n{WHY}'
    )
    assert ids(ground, "woods") == ["A0202", "A0203", "A0302", "A0303", "A0402", "A0801"]
    assert ids(ground, "cedars") == ["A0403"]
    assert ground.named("A0404").elevation == 3
    assert ground.named("A0403").features == ["wood", "hill"]
    assert costs(between(ground, "A0201", "A0202")) == [4, 6, 8, 4]
    assert between(ground, "A0402", "A0403").costs[GUNS] >= PROHIBITED
    assert between(ground, "A0405", "A0404").drop == -3
    assert not between(ground, "A0405", "A0404").gradual


def test_an_outline_fills_its_polygon_with_its_border(draw):
    ground = draw(f'[[area]]\nterrain = "woods"\noutline = ["A0302", "A0702", "A0706", "A0306"]\n{WHY}')
    # Odd columns sit half a hex lower: the sides run through the centres of rows 2 and 6 there, and between two rows of
    # even columns, 2 and 3, 6 and 7.
    wanted = [f"A{column:02}{row:02}" for column in (3, 5, 7) for row in range(2, 7)]
    wanted += [f"A{column:02}{row:02}" for column in (4, 6) for row in range(3, 7)]
    assert ids(ground, "woods") == sorted(wanted)


def test_an_outline_may_be_hollow_and_leave_the_field(draw):
    ground = draw(
        f'[[area]]\nterrain = "woods"\noutline = ["A0201", "A0601", "A0609", "A0409", "A0404", "A0209"]\n{WHY}'
        f'[[area]]\nterrain = "cedars"\noutline = ["A0901", "A1201", "A1203", "A0903"]\n{WHY}'
    )
    assert ground.named("A0407").terrain.name == "woods"  # on the border from A0404 to A0409
    assert ground.named("A0307").terrain.name == "clear"  # the notch
    assert ground.named("A0507").terrain.name == "woods"
    assert "A1002" in ids(ground, "cedars")


def test_a_road_runs_straight_from_hex_to_hex(draw):
    ground = draw(f'[[way]]\nkind = "road"\nname = "lane"\npath = ["A0302", "A0306", "A0708"]\n{WHY}')
    on_road = [place.id for place in ground.hexes if "lane" in place.features]
    assert on_road == ["A0302", "A0303", "A0304", "A0305", "A0306", "A0407", "A0507", "A0608", "A0708"]
    side = between(ground, "A0302", "A0303")
    assert (side.road, between(ground, "A0303", "A0302").road) == (ROAD, ROAD)
    assert costs(side, "march") == [1, 1, 1, 1]
    assert costs(side, "advance") == [2, 2, 2, 2]
    assert between(ground, "A0302", "A0402").road == 0


def test_a_level_road_keeps_to_one_side_of_the_row(draw):
    ground = draw(f'[[way]]\nkind = "road"\nname = "lane"\npath = ["A0209", "A0809"]\n{WHY}')
    assert sorted(place.id for place in ground.hexes if place.features) == [
        "A0209", "A0308", "A0409", "A0508", "A0609", "A0708", "A0809",
    ]  # fmt: skip
    # At the field's northern edge the hexes on the other side are the only ones there.
    ground = draw(f'[[way]]\nkind = "road"\nname = "lane"\npath = ["A0201", "A0801"]\n{WHY}')
    assert sorted(place.id for place in ground.hexes if place.features) == [
        "A0201", "A0301", "A0401", "A0501", "A0601", "A0701", "A0801",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        ("road", "pike", PIKE),
        ("pike", "road", PIKE),
        ("trail", "road", ROAD),
        ("railroad", "road", ROAD),
        ("road", "railroad", ROAD),
        ("railroad", "trail", TRAIL),
        ("railroad", "railroad", RAILROAD),
    ],
)
def test_the_best_of_two_ways_along_a_hexside_counts(draw, first, second, best):
    ground = draw("".join(f'[[way]]\nkind = "{kind}"\npath = ["A0302", "A0304"]\n{WHY}' for kind in (first, second)))
    side = between(ground, "A0302", "A0303")
    assert side.road == best
    assert len(side.roads) == 1


def test_a_trail_halves_the_ground(draw):
    ground = draw(
        f'[[area]]\nterrain = "woods"\nhexes = ["A0303"]\n{WHY}'
        f'[[way]]\nkind = "trail"\npath = ["A0302", "A0303"]\n{WHY}'
    )
    march = costs(between(ground, "A0302", "A0303"), "march")
    assert march == [2, 2, 4, 2]  # half of 2, 3, 4 and 2 MPs, down to no less than 1


STREAM = f"""[[hexside]]
kind = "stream"
name = "brook"
left = ["A0303", "A0503"]
right = ["A0304", "A0404", "A0504"]
{WHY}"""


def test_a_stream_lies_on_every_hexside_between_its_banks(draw):
    ground = draw(STREAM)
    crossed = {
        tuple(sorted((place.id, side.to.id)))
        for place in ground.hexes for side in place.sides if side.on_map and side.features
    }  # fmt: skip
    # The left bank goes from A0303 by A0403 to A0503; A0404 borders on all three, for odd columns sit half a hex lower.
    assert crossed == {
        ("A0303", "A0304"),
        ("A0303", "A0404"),
        ("A0403", "A0404"),
        ("A0404", "A0503"),
        ("A0503", "A0504"),
    }
    side = between(ground, "A0303", "A0304")
    assert costs(side) == [4, 4, 4, 4]
    assert side.disorders[GUNS] == 1 and side.disorders[FOOT] == 0
    assert (side.shock_drm, between(ground, "A0304", "A0303").shock_drm) == (-1, -1)


def test_a_stream_drawn_twice_is_one_stream(draw):
    assert costs(between(draw(STREAM + STREAM), "A0303", "A0304")) == [4, 4, 4, 4]


def crossing(kind, first="A0303", second="A0304"):
    return f'[[crossing]]\nkind = "{kind}"\nbetween = ["{first}", "{second}"]\n{WHY}'


def test_a_bridge_takes_the_place_of_the_water(draw):
    ground = draw(STREAM + crossing("bridge"))
    side = between(ground, "A0303", "A0304")
    assert side.bridge and side.ford == "" and side.crossing
    assert [feature.name for feature in side.features] == ["bridge"]
    assert costs(side) == [2, 2, 2, 2]
    assert [feature.name for feature in between(ground, "A0403", "A0404").features] == ["stream"]


RIVER = STREAM.replace("stream", "river")


@pytest.mark.parametrize(
    ("water", "kind", "cost", "ford"),
    [
        ("low", None, 4, ""),
        ("medium", None, PROHIBITED, ""),
        ("high", None, PROHIBITED, ""),
        ("low", "ford_b", 4, "A"),
        ("medium", "ford_a", 4, "A"),
        ("medium", "ford_b", 6, "B"),
        ("high", "ford_a", 4, "A"),
        ("high", "ford_b", PROHIBITED, ""),
        ("high", "bridge", 2, ""),
    ],
)
def test_river_and_fords_by_level_of_the_water(draw, water, kind, cost, ford):
    """18.1: low water is a stream with good fords, medium is passed at fords and bridges, high closes poor fords."""
    ground = draw(RIVER + (crossing(kind) if kind else ""), water)
    for side in (between(ground, "A0303", "A0304"), between(ground, "A0304", "A0303")):
        assert side.passable(FOOT) == (cost < PROHIBITED)
        assert side.ford == ford
        if cost < PROHIBITED:
            assert side.costs[FOOT] == cost


@pytest.mark.parametrize(("water", "shallow"), [("low", True), ("medium", False)])
def test_at_low_water_a_ford_only_spares_guns_their_disorder(draw, water, shallow):
    """18.1 A: the river is a stream for all purposes, so nobody needs orders or small stacks to cross at a ford."""
    ground = draw(RIVER + crossing("ford_b"), water)
    side = between(ground, "A0303", "A0304")
    assert side.crossing != shallow
    assert [feature.name for feature in side.water] == ["stream" if shallow else "river"]
    assert (side.plain[FOOT] == side.costs[FOOT]) == shallow
    if shallow:
        assert side.plain_disorders[GUNS] == NO_DISORDER


def test_under_a_bridge_lies_the_water_that_others_wade_or_may_not(draw):
    """9.43, 9.44, 18.1."""
    for water, cost in (("low", 4), ("medium", PROHIBITED)):
        side = between(draw(RIVER + crossing("bridge"), water), "A0303", "A0304")
        assert (side.costs[FOOT], side.plain[FOOT]) == (2, cost)


def test_a_bridge_that_pioneers_must_open_is_water_until_then(draw, complaint):
    """18.31 of Dead of Winter."""
    opened = crossing("bridge") + 'opened_from = ["A0303", "A0305"]\n'
    ground = draw(RIVER + opened)
    side = between(ground, "A0303", "A0304")
    assert not side.bridge and not side.passable(FOOT)
    kept = next(side for side in ground.water_sides if side.closed)
    assert [place.id for place in kept.sites] == ["A0303", "A0305"]
    said = complaint(RIVER + opened.replace("bridge", "ford_a"))
    assert "pioneers open a bridge, no ford" in said
    assert "A9999" in complaint(RIVER + opened.replace("A0305", "A9999"))


def test_a_slope_counts_uphill_and_stays_beside_a_bridge(draw):
    hill = f'[[level]]\nelevation = 1\nhexes = ["A0304-A0504"]\n{WHY}'
    slope = STREAM.replace("stream", "minor_slope")
    ground = draw(hill + slope + STREAM + crossing("bridge"))
    up, down = between(ground, "A0303", "A0304"), between(ground, "A0304", "A0303")
    assert sorted(feature.name for feature in up.features) == ["bridge", "minor_slope"]
    assert (up.costs[FOOT], down.costs[FOOT]) == (4, 2)
    assert not up.gradual and (up.drop, down.drop) == (-1, 1)
    plain = draw(hill)
    assert between(plain, "A0303", "A0304").gradual
    assert between(plain, "A0303", "A0304").costs[FOOT] == 2


def test_names_stand_with_their_hexes(draw):
    ground = draw(f'[[place]]\nname = "Smith\'s farm"\nhex = "A0505"\n{WHY}')
    assert ground.named("A0505").features == ["Smith's farm"]


AREA = '[[area]]\nterrain = "woods"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f'{AREA}hexes = ["A1301"]\n{WHY}',
            ", line 9: area.1.hexes.1: hex A1301 is off sheet A (columns 1 to 12, rows 1 to 12)",
        ),
        (
            f'{AREA}hexes = ["X0101"]\n{WHY}',
            ", line 9: area.1.hexes.1: 'X0101' is no hex id: a sheet letter (A), two digits of column, two of row",
        ),
        (f'{AREA}hexes = ["A1101-A1202"]\n{WHY}', ", line 7: area.1: none of its hexes is in play"),
        (
            f'{AREA}hexes = ["A0101-A0202-A0303"]\n{WHY}',
            (
                ', line 9: area.1.hexes.1: "A0101-A0202-A0303" is no block of hexes: write one id, or two corners '
                "as in C3302-C3512"
            ),
        ),
        (f"{AREA}{WHY}", ", line 7: area.1: an area needs hexes or an outline"),
        (f'[[area]]\nhexes = ["A0101"]\n{WHY}', ", line 7: area.1: an area needs a terrain or an elevation"),
        (
            f'{AREA}outline = ["A0101", "A0202"]\n{WHY}',
            ", line 9: area.1.outline: an outline needs at least three hexes",
        ),
        (
            f'[[area]]\nterrain = "wodos"\nhexes = ["A0101"]\n{WHY}',
            ', line 8: area.1.terrain: unknown terrain "wodos"; did you mean "woods"?',
        ),
        (f'[[area]]\nterain = "woods"\n{WHY}', ', line 8: area.1.terain: unknown key; did you mean "terrain"?'),
        (
            f'[[level]]\nelevation = 99\nhexes = ["A0101"]\n{WHY}',
            ", line 8: level.1.elevation: must be at most 60, not 99",
        ),
        (
            f'[[way]]\nkind = "highway"\npath = ["A0101", "A0102"]\n{WHY}',
            ", line 8: way.1.kind: must be 'pike', 'road', 'trail' or 'railroad', not 'highway'",
        ),
        (f'[[way]]\nkind = "road"\npath = ["A0101"]\n{WHY}', ", line 9: way.1.path: needs at least 2, not 1"),
        (
            f'[[way]]\nkind = "road"\npath = ["A0101", "A1101"]\n{WHY}',
            ", line 9: way.1.path: hex A1101 is not in play in this battle",
        ),
        (
            f'[[hexside]]\nkind = "streem"\nleft = ["A0101"]\nright = ["A0102"]\n{WHY}',
            ', line 8: hexside.1.kind: unknown hexside terrain "streem"; did you mean "stream"?',
        ),
        (
            f'[[hexside]]\nkind = "stream"\nleft = ["A0101"]\nright = ["A0105"]\n{WHY}',
            ", line 7: hexside.1: no hex of left is adjacent to a hex of right",
        ),
        (
            f'[[hexside]]\nkind = "stream"\nleft = ["A0101", "A0103"]\nright = ["A0102"]\n{WHY}',
            ", line 7: hexside.1: A0102 lies both left and right of it",
        ),
        (
            f'[[hexside]]\nkind = "stream"\nalong = ["A0101", "A0103"]\n{WHY}',
            (
                ", line 7: hexside.1: it needs `along`, a path of two hexes or more, and `on`, its side; or `left` and "
                "`right`"
            ),
        ),
        (
            f'[[hexside]]\nkind = "stream"\nalong = ["A0305", "A0301", "A0403", "A0405"]\non = "right"\n{WHY}',
            ", line 9: hexside.1.along: the path comes back to A0405 beside itself",
        ),
        (crossing("bridge", "A0101", "A0301"), ", line 9: crossing.1.between: A0101 and A0301 are not adjacent"),
        (
            f'[[crossing]]\nkind = "ford_a"\nbetween = ["A0101"]\n{WHY}',
            ", line 9: crossing.1.between.2: this key is missing",
        ),
        (
            f'[[place]]\nname = "x"\nhex = "A1109"\n{WHY}',
            ", line 9: place.1.hex: hex A1109 is not in play in this battle",
        ),
        (
            '[[place]]\nname = "x"\nhex = "A0101"\nsource = "guess"\n',
            ", line 10: place.1.source: must be 'printed', 'derived' or 'reconstructed', not 'guess'",
        ),
        ('[[place]]\nname = "x"\nhex = "A0101"\n', ", line 7: place.1.source: this key is missing"),
        (
            f'[[place]]\nname = "x"\nhex = "A0101"\n{WHY}sources = {{ hxe = {{ source = "printed" }} }}\n',
            ', line 7: place.1: sources names "hxe"; did you mean "hex"?',
        ),
    ],
)
def test_drawings_that_cannot_be_made(complaint, text, said):
    assert complaint(text) == said


def test_a_line_that_leaves_the_field(complaint):
    head = HEAD.replace('"A0101-A1009"', '"A0101-A0309", "A0701-A0909", "A0409-A0609"')
    text = f'[[way]]\nkind = "road"\npath = ["A0302", "A0702"]\n{WHY}'
    assert complaint(text, head) == ", line 9: way.1.path: the line from A0302 to A0702 leaves the hexes in play"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"A0101-A1009"',
            '"A0101-A1013"',
            ", line 4: map.in_play.1: hex A1013 is off sheet A (columns 1 to 12, rows 1 to 12)",
        ),
        ('["A0101-A1009"]', "[]", ", line 4: map.in_play: needs at least 1, not 0"),
        (
            "columns = [1, 12]",
            'columns = ["1", 12]',
            ", line 3: map.sheets.1.columns.1: must be a whole number, not '1'",
        ),
        (
            "rows = [1, 12] }",
            "rows = [1, 12], offset = [1, 0] }",
            (
                ", line 3: map.sheets.1.offset: sheet A: a column offset must be even, or odd columns would change "
                "their offset"
            ),
        ),
        (
            'name = "test"',
            'terrain = "cler"\nname = "test"',
            ', line 2: map.terrain: unknown terrain "cler"; did you mean "clear"?',
        ),
        ("[map]", "[mpa]", ', line 1: mpa: unknown key; did you mean "map"?'),
    ],
)
def test_heads_of_maps_that_are_wrong(complaint, old, new, said):
    assert old in HEAD
    assert complaint(head=HEAD.replace(old, new)) == said
