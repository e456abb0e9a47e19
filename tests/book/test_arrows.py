"""Arrows of actions, refused ones among them, and what else a board with levels and walls shows."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations
from math import hypot
from typing import Any

from shipped_pages import exact_page, game, page

from rulespec.book.drawing.crowding import NARROWEST, groups, narrowing
from rulespec.book.drawing.diagram import Picture, apart, draw, draw_series, text
from rulespec.book.drawing.layers import scene
from rulespec.book.drawing.scene import Mark, arrange
from rulespec.book.drawing.svg import document, draw_scene
from rulespec.book.drawing.table import UNIT
from rulespec.book.examples.render import drawing, trace
from rulespec.play.face import State

SVG = "{http://www.w3.org/2000/svg}"
GAME = game("stout")


def state(**given: Any) -> State:
    return GAME.position({"mover": 1, **given}, seed=0)


def drawn(at: State, *shown: str, refused: tuple[str, ...] = ()) -> ET.Element:
    moves, barred = [at.find(a).move for a in shown], [at.find(a).move for a in refused]
    return ET.fromstring(draw(GAME.core, at.values, moves=moves, refused=barred))


def course(arrow: ET.Element) -> list[tuple[float, ...]]:
    """The places of an arrow's shaft, in squares from the left and from below."""
    points = arrow.get("d", "").split("M")[1].split("L")
    return [tuple(float(n) / UNIT * (1, -1)[i] for i, n in enumerate(p.split())) for p in points]


def arrows(root: ET.Element) -> list[ET.Element]:
    return [e for e in root.iter(f"{SVG}path") if e.get("class", "").split()[:1] == ["a"]]


def test_an_arrow_goes_the_way_the_piece_went() -> None:
    (arrow,) = arrows(drawn(state(moves=8, special="aim", stack={"c7": ["Y"]}), "aim c7"))
    rounded = [(round(x), round(y)) for x, y in course(arrow)]
    assert rounded == [(3, 7), *((3, y) for y in (6, 5, 4, 3)), *((x, 3) for x in (4, 5, 6)), (6, 4), (6, 5)]


def test_an_arrow_ends_before_the_pieces_it_leads_to() -> None:
    for stack, end in (({"c1": ["Y"]}, 5), ({"c1": ["Y"], "e1": ["G"]}, 4.6)):
        (arrow,) = arrows(drawn(state(moves=2, stack=stack), "move c1"))
        assert abs(course(arrow)[-1][0] - end) < 0.1


def test_refused_actions_are_crossed_out() -> None:
    at = state(moves=2, special="dig", stack={"b6": ["Y"], "c1": ["Y"], "d1": ["G", "R"]})
    root = drawn(at, "dig b6 a6", refused=("dig b6 c6", "move c1"))
    assert ["y" in e.get("class", "").split() for e in arrows(root)] == [False, True]
    signs = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "z"]
    places = {(round(float(e.get("cx", "0")) / UNIT), round(-float(e.get("cy", "0")) / UNIT)) for e in signs}
    assert places == {(3, 1), (3, 6)}, "who cannot go at all has the sign beside it"


def test_ground_is_shaded_without_being_raised() -> None:
    squares = [e for e in drawn(state(stack={})).iter(f"{SVG}path") if e.get("class", "").startswith("g")]
    count: Counter[str] = Counter()
    for path in squares:
        places = path.get("d", "").split("M")[1:]
        count[path.get("class", "")] += len(places)
        assert {float(place.split("h")[0].split()[1]) % UNIT for place in places} == {UNIT / 2}
    assert {kind: n for kind, n in count.items() if " v" in kind} == {"g v2": 20, "g v3": 12, "g v4": 4}


def test_rows_beside_one_another_share_a_line() -> None:
    at = state(moves=3, special="dig", stack={})
    captions = [e for e in drawn(at).iter(f"{SVG}text") if e.get("class") == "c"]
    assert [e.text for e in captions] == ["To move", "Movement die", "Action die"]
    assert len({e.get("y") for e in captions}) == 1
    assert text(GAME.core, at.values).splitlines()[-1] == "To move: Y   Movement die: 3   Action die: dig"


def test_the_text_has_walls_and_pieces_in_their_colours() -> None:
    at = state(stack={"a8": ["Y", "G"]})
    rows = text(GAME.core, at.values).splitlines()
    assert rows[1:5] == [
        " 8      YG  ·  ·  ·   ·   ·  ·  ·  (G)",
        "           --",
        " 7      ·   ·  ·  ·   ·   ·  ·| ·",
        "              --",
    ]
    assert "\x1b[93mY\x1b[0m\x1b[32mG\x1b[0m" in text(GAME.core, at.values, colour=True)


def test_an_example_under_other_settings_says_so() -> None:
    page = exact_page("stout").markdown
    assert "under <code>players: 2</code>, <code>two-players: two-colours</code></p>" in page


def test_a_ghost_shows_the_domino_and_its_way_round() -> None:
    base = {"pips": {"d4": 0, "e4": 0}, "tile": {"d4": "0-0", "e4": "0-0"}, "height": {"d4": 1, "e4": 1}}
    at = game("leistiko").position({**base, "mover": 2, "hand": {"2": ["3-3", "3-4"]}})

    def ghosts(*shown: str, refused: tuple[str, ...] = ()) -> tuple[list[list[str]], int]:
        moves, barred = [at.find(a).move for a in shown], [at.find(a).move for a in refused]
        root = ET.fromstring(draw(at.game.core, at.values, moves=moves, refused=barred))
        found = [g for g in root.iter(f"{SVG}g") if g.get("class", "").split()[:1] == ["h"]]
        faces = [[e.get("href", "")[4:] for e in g.iter(f"{SVG}use")] for g in found]
        return faces, sum(e.get("class") == "z" for e in root.iter(f"{SVG}circle"))

    assert ghosts("play 3-4 d5-e5") == ([["dx", "p3", "p4"]], 0)
    assert ghosts("play 3-4 e5-d5") == ([["dx", "p4", "p3"]], 0)
    assert ghosts("play 3-4 d5-d6", refused=("play 3-4 a1-b1",)) == (
        [["dy", "p4", "p3"], ["dx", "p3", "p4"]],
        1,
    )
    assert ghosts("play 3-3 d5-e5", refused=("play 3-3 e5-d5",)) == ([["dx", "p3", "p3"]], 0), "the same"


def test_several_actions_are_numbered_and_those_on_one_place_stay_apart() -> None:
    base = {"pips": {"d4": 0, "e4": 0}, "tile": {"d4": "0-0", "e4": "0-0"}, "height": {"d4": 1, "e4": 1}}
    at = game("leistiko").position({**base, "mover": 2, "hand": {"2": ["3-3", "3-4"]}})
    moves = [at.find(a).move for a in ("play 3-4 d5-e5", "play 3-4 e5-d5", "play 3-3 d3-e3")]
    root = ET.fromstring(draw(at.game.core, at.values, moves=moves))
    badges = [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "bt"]
    assert badges == ["1", "2", "3"]
    boxes = [(e.get("x"), e.get("width")) for e in root.iter(f"{SVG}rect") if e.get("class") == "o"]
    assert len(boxes) == len(set(boxes)) == 2, "either way round on one place: two outlines, no dots"
    assert sum(g.get("class") == "h" for g in root.iter(f"{SVG}g")) == 1
    alone = ET.fromstring(draw(at.game.core, at.values, moves=moves[:1]))
    assert not [e for e in alone.iter(f"{SVG}text") if e.get("class") == "bt"], "one needs no number"


def test_the_list_below_a_picture_has_the_numbers_of_the_picture() -> None:
    markdown = page("stout").markdown
    listed = re.findall(r'<span class="rs-option">(\d+)</span> <code>([^<]*)</code>', markdown)
    assert ("7", "dig b6 c5") in listed
    assert markdown.count("the way of a piece</li>") == 1, "each sign is explained where it is first seen"


def test_the_picture_of_the_start_has_its_callouts() -> None:
    start = GAME.start(seed=0)
    assert "Start, with all pieces of a colour" in drawing(start)
    assert "Start, with all" not in drawing(start.play(start.moves[0]))
    assert "Start, with all" not in trace([start], "A play")


def test_actions_on_one_place_have_pictures_of_their_own() -> None:
    base = {"pips": {"d4": 0, "e4": 0}, "tile": {"d4": "0-0", "e4": "0-0"}, "height": {"d4": 1, "e4": 1}}
    at = game("leistiko").position({**base, "mover": 2, "hand": {"2": ["3-3", "3-4"]}})
    found = [at.find(a).move for a in ("play 3-4 d5-e5", "play 3-4 d3-e3", "play 3-4 e5-d5")]
    pictures = apart(at.game.core, Picture(at.values, moves=found))
    assert [picture.options for picture in pictures] == [{1, 2}, {3}]
    numbers = []
    for drawn_apart in draw_series(at.game.core, pictures):
        root = ET.fromstring(drawn_apart)
        numbers.append([e.text for e in root.iter(f"{SVG}text") if e.get("class") == "bt"])
        assert not [e for e in root.iter(f"{SVG}rect") if e.get("class") == "o"], "all have their dots"
    assert numbers == [["1", "2"], ["3"]]
    many = Picture(at.values, moves=[move for move in at.moves if "3-4" in str(at.find(move))])
    assert apart(at.game.core, many) == [many], "too many to take apart"
    assert apart(at.game.core, Picture(at.values)) == [Picture(at.values)]


def test_a_refused_ghost_keeps_the_half_that_a_legal_one_has_too() -> None:
    """The refused domino upright lost the half that it shares with the legal one lying across."""
    base = {"pips": {"d4": 0, "e4": 0}, "tile": {"d4": "0-0", "e4": "0-0"}, "height": {"d4": 1, "e4": 1}}
    at = game("leistiko").position({**base, "mover": 2, "hand": {"2": ["3-4"]}})
    legal, barred = [at.find(a).move for a in ("play 3-4 d5-e5", "play 3-4 d5-c5")]
    shown = scene(at.game.core, at.values, [legal], refused=[barred]).marks
    assert [m.option for m in shown if m.option] == [1, 1, 2, 2]


def test_very_many_actions_on_one_place_are_drawn_soon_and_stay_visible() -> None:
    ghosts = [Mark("tile", 0, x % 2, 0.0, label="1", joins=str(i), looks=frozenset({"ghost"}), option=i)
              for i in range(1, 1_500) for x in (i, i + 1)]  # fmt: skip
    shown = arrange("many", ghosts)
    assert set(narrowing(shown).values()) == set(range(NARROWEST + 1))
    assert groups(shown, 4) == []
    root = ET.fromstring(document(draw_scene(shown), "many", "", ""))
    assert min(float(e.get("width", "0")) for e in root.iter(f"{SVG}rect")) > 10
    assert len({(e.get("x"), e.get("y")) for e in root.iter(f"{SVG}text")}) == 1_499, (
        "no number hides another"
    )


def test_no_number_covers_the_sign_of_a_refusal() -> None:
    """The number of a jump that turns stood on the cross of the same jump broken off."""
    at = game("draughts").position({"mover": 1, "board": {"c3": "1m", "d4": "2m", "d6": "2m", "h8": "2m"}})
    legal, barred = [at.find("c3-e5-c7").move], [at.find("c3-e5").move, at.find("c3-b4").move]
    root = ET.fromstring(draw(at.game.core, at.values, moves=legal, refused=barred))
    circles = [e for e in root.iter(f"{SVG}circle") if {"z", "bn"} & {*e.get("class", "").split()}]
    places = [(float(e.get("cx", "0")), float(e.get("cy", "0"))) for e in circles]
    assert len(places) == 2 + 3
    assert all(hypot(a - c, b - d) > 14 for (a, b), (c, d) in combinations(places, 2))
