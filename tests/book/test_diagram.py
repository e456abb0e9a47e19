"""Drawings: what is drawn where, that it is well-formed and escaped, and what the check of layers says."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
from building import const, domain, get, local, number, read
from handmade import all_games, nim
from hypothesis import given
from hypothesis import strategies as st
from pyramid import board, laid, position, pyramid

from rulespec.book.drawing import terminal
from rulespec.book.drawing.diagram import draw, problems, text
from rulespec.book.drawing.grouping import regions
from rulespec.book.drawing.layers import scene
from rulespec.book.drawing.scene import Mark, Scene
from rulespec.book.drawing.table import Shapes
from rulespec.cli import main
from rulespec.core import nodes as n
from rulespec.core.game import Game, Layer
from rulespec.core.types import BOOL, Enum, List, Map, Optional, Value, integers
from rulespec.play.face import load

SVG = "{http://www.w3.org/2000/svg}"
TWO_TIERS = (((1, 1), (1, 2, 2), (1, 2, 3)), ((3, 0), (1, 2, 1), (1, 1, 1)), ((3, 2), (2, 2, 2), (2, 2, 3)))


def classes(drawing: str) -> Counter[str]:
    """How many elements of a drawing have each class."""
    root = ET.fromstring(drawing)
    return Counter(word for element in root.iter() for word in element.get("class", "").split())


def words(drawing: str) -> list[str]:
    """The texts of a drawing in the order in which they are drawn."""
    return [element.text or "" for element in ET.fromstring(drawing).iter(f"{SVG}text")]


def test_a_pyramid_has_its_ground_its_tiles_and_what_they_cover() -> None:
    made = pyramid()
    drawing = draw(made, laid(made, *TWO_TIERS))
    count = classes(drawing)
    squares = [e.get("d", "") for e in ET.fromstring(drawing).iter(f"{SVG}path") if e.get("class") == "g"]
    assert [d.count("M") for d in squares] == [36], "the squares of the lowest tier, in one path"
    assert count["f"] == 3 + 3, "three tiles on the board and three in the hand"
    assert count["v2"] == 1, "one tile stands on the second tier"
    covered = [e.text for e in ET.fromstring(drawing).iter(f"{SVG}text") if "k" in e.get("class", "").split()]
    assert covered == ["1", "1"], "the covered halves stand small in the corner of what covers them"


def test_higher_tiers_are_drawn_later_and_further_up() -> None:
    made = pyramid()
    root = ET.fromstring(draw(made, laid(made, *TWO_TIERS)))
    low, high = [e for e in root.iter(f"{SVG}use") if "dxl" in e.get("href", "")]
    assert (low.get("class"), high.get("class")) == ("f", "f v2")
    assert float(high.get("y", "0")) < float(low.get("y", "0"))


def test_pips_are_dots_and_numerals_are_words() -> None:
    made = pyramid(look="pips")
    dotted = draw(made, laid(made, ((6, 6), (1, 1, 1), (1, 1, 2))))
    assert dotted.count('href="#rs-p6"') == 2, "a half is one use of a shape"
    assert words(dotted) == ["Hand"]
    made = pyramid()
    assert words(draw(made, laid(made, ((6, 6), (1, 1, 1), (1, 1, 2)))))[:2] == ["6", "6"]


def test_every_drawing_is_well_formed_and_asks_nothing_of_anybody() -> None:
    for made in all_games().values():
        values = {name: v.type.nothing for name, v in made.state.items()} | {"mover": 1}
        drawing = draw(made, values)
        root = ET.fromstring(drawing)
        assert root.get("role") == "img"
        assert root.find(f"{SVG}title") is not None
        assert "<script" not in drawing
        assert drawing.count("http") == 1, "the name of the SVG namespace only"
        assert not problems(made)


def one_mark(
    mark: str, options: dict[str, str] | None = None, text: str = "", **attributes: n.Expr
) -> tuple[Game, dict[str, Value]]:
    """A game with one mark at (2, 1), and its position."""
    where = {"across": number(2), "up": number(1)} if mark != "hand" else {}
    said = {name.replace("_", "-"): e for name, e in attributes.items()}
    made = board("one", [], [Layer(mark, (), None, {**where, **said}, options or {}, "", (text,))])
    return made, position(made)


COLOUR = Enum("Colour", range(2), "Colour", ("red", "blue"))
PILE = const(List(COLOUR, 3), (0, 1, 1))


def test_a_mark_without_a_place_is_left_out() -> None:
    made = board(
        "one",
        [],
        [Layer("disc", (), None, {"across": const(Optional(integers(1, 2)), None), "up": number(1)})],
    )
    assert not scene(made, position(made)).marks


@pytest.mark.parametrize(
    ("layer", "code", "advice"),
    [
        (Layer("sqare", (), None, {}), "diagram.mark", "did you mean square?"),
        (Layer("square", (), None, {"across": number(1)}), "diagram.missing", ""),
        (
            Layer("square", (), None, {"across": number(1), "up": number(1), "tones": number(1)}),
            "diagram.attribute",
            "tone",
        ),
        (Layer("square", (), None, {"across": const(BOOL, True), "up": number(1)}), "diagram.type", ""),
        (
            Layer("stack", (), None, {"across": number(1), "up": number(1), "items": number(1)}),
            "diagram.type",
            "",
        ),
        (
            Layer("square", (), None, {"across": number(1), "up": number(1)}, {"look": "pip"}),
            "diagram.look",
            "pips",
        ),
        (
            Layer("square", (), None, {"across": number(1), "up": number(1)}, {"lok": "x"}),
            "diagram.option",
            "look",
        ),
        (
            Layer("wall", (), None, {"across": number(1), "up": number(1), "to-up": number(1)}),
            "diagram.missing",
            "",
        ),
    ],
)
def test_a_wrong_layer_is_named(layer: Layer, code: str, advice: str) -> None:
    found = problems(board("one", [], [layer]))
    assert [d.code for d in found] == [code]
    assert advice in found[0].help


HOSTILE = '"><script>alert(1)</script>&<![CDATA['


def test_hostile_text_stays_text() -> None:
    made, values = one_mark("hand", text=HOSTILE, items=PILE)
    drawing = draw(made, values)
    assert "<script" not in drawing
    assert HOSTILE in words(drawing)
    enum = Enum("E", range(1), "E", (HOSTILE,))
    made, values = one_mark("label", label=const(enum, 0))
    assert words(draw(made, values)) == [HOSTILE]


def test_what_is_new_stands_out() -> None:
    made = pyramid()
    before, after = laid(made, *TWO_TIERS[:2]), laid(made, *TWO_TIERS)
    assert classes(draw(made, after, before))["n"] == 1
    assert classes(draw(made, after, after))["n"] == 0
    assert classes(draw(made, after))["n"] == 0


def test_the_text_shows_the_highest_of_each_place() -> None:
    made = pyramid(2, 3)
    shown = text(made, laid(made, *TWO_TIERS)).splitlines()
    assert shown[:4] == [" 0  ·  ·  ·", " 3 3' 2'  ·", " ·  ·  ·  ·", " ·  ·  ·  ·"], "a stroke for each tier"
    assert shown[4] == "Hand: 0-1 2-3 3-3"
    assert "\x1b[" in text(made, laid(made, *TWO_TIERS), colour=True)
    assert "\x1b[" not in text(made, laid(made, *TWO_TIERS))


def test_free_squares_may_say_which_they_are() -> None:
    made = pyramid(2, 3)
    shown = text(made, laid(made, *TWO_TIERS), names=True).splitlines()
    assert shown[0] == "    0 1.1.2 1.1.3 1.1.4"


def test_captions_make_room_only_for_themselves() -> None:
    def label(x: int, text: str, said: str) -> Mark:
        return Mark("label", 1, x, 0.0, text=text, label=said)

    points = [Mark("disc", 0, x, y, label=str(x)) for x in (0, 1, 5) for y in (-1.0, 0.0) if x < 5 or y]
    shown = terminal.text(Scene("", (*points, label(3, "to set", "9"), label(5, "player", "2"))))
    assert shown.splitlines() == ["0 1               5", "0 1   to set 9 player 2"]


def test_free_squares_are_dim_in_colours() -> None:
    square = Mark("square", 0, name="a1")
    assert terminal.text(Scene("", (square,)), colour=True, names=True) == "\x1b[2ma1\x1b[0m"
    taken = (square, Mark("tile", 1, label="5"))
    assert terminal.text(Scene("", taken), colour=True, names=True) == "5"


def test_rows_stand_beside_each_other_as_far_as_a_line_goes() -> None:
    def row(name: str, *looks: str) -> Mark:
        return Mark("hand", 1, text=name, looks=frozenset(looks))

    names = ["one" * 8, "two" * 8, "three" * 6]
    board = Mark("square", 0, label="b")
    drawn = terminal.text(Scene("", (board, *(row(name, "beside") for name in names))))
    assert drawn.splitlines() == ["b", f"{names[0]}: -   {names[1]}: -", f"{names[2]}: -"]


def test_the_level_that_is_being_built_is_named() -> None:
    state = load("leistiko").position({"level": 3, "hand": {"1": ["0-0"]}})
    assert "Level being built: 3" in text(state.game.core, state.values).splitlines()


def test_nim_shows_its_heaps() -> None:
    made = nim()
    values = position(made, left=(1, 2))
    assert text(made, values) == "1 2"
    assert words(draw(made, values)) == ["1", "2"]


def test_hexagons_stand_in_a_lattice() -> None:
    where = [(0, 0), (2, 0), (1, 1)]
    made = board(
        "hex", [], [Layer("hexagon", (), None, {"across": number(a), "up": number(b)}) for a, b in where]
    )
    places = [(m.x, m.y) for m in scene(made, position(made)).marks]
    assert len(places) == 3
    first, third, second = sorted(places)
    for a, b in ((first, second), (first, third), (second, third)):
        assert ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 == pytest.approx(1.0)


CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)


@given(CELLS, st.integers(1, 3))
def test_regions_share_out_the_squares(cells: set[tuple[int, int]], names: int) -> None:
    named = {(float(x), float(y)): str((x * y) % names) for x, y in cells}
    found = regions(named)
    assert sorted(cell for region in found for cell in region) == sorted(named)
    for region in found:
        assert len({named[cell] for cell in region}) == 1


@given(CELLS)
def test_a_tile_of_any_shape_has_boxes_and_seams(cells: set[tuple[int, int]]) -> None:
    for region in regions({(float(x), float(y)): "" for x, y in cells}):
        tile = [Mark("tile", 0, x, y) for x, y in region]
        drawing = Shapes(tile[0], tile).elements("once")
        edges = sum((x + 1, y) in region for x, y in region) + sum((x, y + 1) in region for x, y in region)
        if len(region) != 2:
            assert drawing.count('class="f"') in (1, len(region))
            assert drawing.count("M") == edges


def test_layers_read_the_state_through_their_binders() -> None:
    spot = integers(1, 3)
    kept = Map(spot, Optional(COLOUR))
    at = n.StateVar("at", kept, const(kept, kept.nothing))
    x = n.Var("x", spot)
    layer = Layer("disc", ((x, domain(spot)),), n.Not(BOOL, n.IsNone(BOOL, read(get(at), local(x)))), {
        "across": local(x), "up": number(0), "tone": read(get(at), local(x))})  # fmt: skip
    made = board("row", [at], [layer])
    marks = scene(made, position(made, at=(1, None, 0))).marks
    assert [(m.x, m.tone) for m in marks] == [(1.0, 1), (3.0, 7)], "colours are as they are called"
    assert scene(made, position(made)).marks == ()


def test_a_layer_on_an_action_is_drawn_for_those_that_are_shown() -> None:
    state = load("stout").position({"mover": 1, "moves": 3, "stack": {"a9": ["Y"]}}, seed=0)
    game, values = state.game.core, state.values
    moves = [state.find("move a9").move]
    (arrow,) = (mark for mark in scene(game, values, moves).marks if mark.kind == "arrow")
    assert (arrow.x, arrow.y, arrow.to) == (1.0, -9.0, (1.0, -6.0))
    assert not [mark for mark in scene(game, values).marks if mark.kind == "arrow"]


LARGE = """\
rulespec: 1
id: large
title: Large
players: 1
rules:
- id: base
  prose: A large board.
  formal: |
    type Cell = {row: 1..40, col: 1..40}
    state left: 0..1 = 0
- id: take
  prose: Take it.
  action: n in 1..1
  do: remove n from left
- id: end
  prose: It is over.
  end: left = 0
diagram:
"""
LARGE_DIAGRAMS = {
    "binders": "- mark: square\n  for: a in Cell, b in Cell\n  across: a.col\n  up: b.row\n",
    "a condition": (
        "- mark: square\n  for: a in Cell, b in 1..40, c in 1..40, d in 1..40\n"
        "  where: a.col + b + c + d < 0\n  across: a.col\n  up: b\n"
    ),
    "layers": "- mark: square\n  for: c in Cell\n  across: c.col\n  up: c.row\n" * 100,
    "a hand": "- mark: hand\n  items: 1..1000000\n",
}


@pytest.mark.parametrize("name", LARGE_DIAGRAMS)
def test_a_picture_of_too_many_marks_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Diagrams that pass `check` hung `play`, which draws the end, and `book`."""
    monkeypatch.setattr("rulespec.book.drawing.layers.MOST_WORK", 4_000_000)
    (tmp_path / "large.yaml").write_text(LARGE + LARGE_DIAGRAMS[name], "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Games\n", "utf-8")
    config = "site_name: x\ntheme: rulespec\nplugins: [{rulespec: {rulesets: [large.yaml]}}]\n"
    (tmp_path / "mkdocs.yml").write_text(config, "utf-8")
    for status, *words in (
        (2, "play", str(tmp_path / "large.yaml"), "--player", "random", "--seed", "1"),
        (1, "book", "--config", str(tmp_path / "mkdocs.yml")),
    ):
        assert main(words) == status
        assert "a picture of `large` takes more than 4,000,000 steps" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["can rest", "hides(q)"])
def test_a_layer_may_ask_for_legal_actions_and_for_what_holds_after_one(where: str, tmp_path: Path) -> None:
    """A drawing failed with an error of the program."""
    path = tmp_path / "afterwards.yaml"
    good = Path(__file__).parents[1] / "language" / "good" / "afterwards.yaml"
    layer = f"diagram:\n- mark: square\n  for: q in Place\n  where: {where}\n  across: q\n  up: 1\n"
    path.write_text(good.read_text("utf-8") + layer, "utf-8")
    game = load(path)
    assert len(scene(game.core, game.start(seed=0).values).board) == {"can rest": 6, "hides(q)": 5}[where]
