"""Marks: the SVG of each, and that nothing of a drawing lies outside of it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from building import const, number
from hypothesis import given, settings
from hypothesis import strategies as st
from pyramid import board, position
from strategies_of_scenes import marks

from rulespec.book.drawing.diagram import draw, problems
from rulespec.book.drawing.marks import MARKS
from rulespec.book.drawing.primitives import number as num
from rulespec.book.drawing.scene import PIECES, Mark, Piece, arrange
from rulespec.book.drawing.style import stylesheet
from rulespec.book.drawing.svg import document, draw_scene
from rulespec.book.drawing.symbols import SYMBOLS
from rulespec.core import nodes as n
from rulespec.core.game import Layer
from rulespec.core.types import Enum, Int, List, Optional, Record, integers

COLOUR = Enum("Colour", range(2), "Colour", ("red", "blue"))
PILE = const(List(COLOUR, 3), (0, 1, 1))
SUIT = Int("Suit", range(1, 5), "Suit", "CDHS", 1)
RANK = Int("Rank", range(1, 14), "Rank", "A23456789TJQK", 1)
CARD = Record(
    "Card", [(r, s) for r in range(1, 14) for s in range(1, 5)], "Card", (("r", RANK), ("s", SUIT)), (0, 1)
)


def body(drawing: str) -> str:
    """The marks of a drawing, without their group."""
    inside = re.sub(r"^<svg[^>]*>(<defs>.*</defs>)?|</svg>$", "", drawing)
    return re.sub(r'^<g class="gg">(.*)</g>$', r"\1", inside)


def mark(kind: str, look: str = "", text: str = "", **attributes: n.Expr) -> str:
    """The drawing of one mark at (2, 1)."""
    where = {"across": number(2), "up": number(1)} if kind != "hand" else {}
    said = {name.replace("_", "-"): e for name, e in attributes.items()}
    options = {"look": look} if look else {}
    made = board("one", [], [Layer(kind, (), None, {**where, **said}, options, "", (text,) if text else ())])
    assert not problems(made)
    return draw(made, position(made), alone=False)


TO = {"to_across": number(4), "to_up": number(2)}
SEVEN = const(integers(1, 8), 7)
GOLDEN: list[tuple[str, dict[str, Any], str]] = [
    ("square", {"label": number(7)},
        '<path class="fr" d="M66 -66h44M66 -22h44M66 -66v44M110 -66v44"/>'
        '<path class="g" d="M66 -66h44v44h-44z"/>'
        '<text x="88" y="-44" font-size="22">7</text>'),
    ("square", {"look": "outline", **TO},
        '<rect class="oo" x="68.5" y="-107.5" width="127" height="83" rx="4"/>'
        '<rect class="o" x="68.5" y="-107.5" width="127" height="83" rx="4"/>'),
    ("hexagon", {},
        '<path class="g" d="M44 -63.5l22 12.7v25.4l-22 12.7l-22 -12.7v-25.4z"/>'),
    ("pit", {}, '<circle class="pt" cx="88" cy="-44" r="19.5"/>'),
    ("tile", {"label": number(7)},
        '<rect class="f" x="68.5" y="-63.5" width="39" height="39" rx="6"/>'
        '<text class="fi" x="88" y="-44" font-size="22">7</text>'),
    ("tile", {"label": number(5), "look": "pips"},
        '<rect class="f" x="68.5" y="-63.5" width="39" height="39" rx="6"/>'
        '<use href="#rs-p5" x="88" y="-44"/>'),
    ("card", {"label": const(CARD, (10, 3))},
        '<use class="f" href="#rs-hearts" x="88" y="-44"/><text class="r rr u" x="70" y="-62.5">10</text>'),
    ("card", {"label": const(CARD, (12, 1))},
        '<use class="f" href="#rs-clubs" x="88" y="-44"/><text class="r" x="70" y="-62.5">Q</text>'),
    ("card", {"label": const(Optional(CARD), None)}, '<use class="f" href="#rs-back" x="88" y="-44"/>'),
    ("card", {"label": number(7)},
        '<use class="f" href="#rs-card" x="88" y="-44"/>'
        '<text class="fi" x="88" y="-44" font-size="26.4">7</text>'),
    ("disc", {"tone": const(COLOUR, 1)}, '<use class="s t1" href="#rs-disc1" x="88" y="-44"/>'),
    ("disc", {"tone": const(COLOUR, 1), "label": number(2)},
        '<use class="s t1" href="#rs-disc" x="88" y="-44"/>'
        '<text class="i t1" x="88" y="-44" font-size="16.7">2</text>'),
    ("disc", {"tone": const(COLOUR, 1), "label": number(2), "look": "plain crown"},
        '<use class="s t1" href="#rs-disc" x="88" y="-44"/>'
        '<use class="i t1" href="#rs-crown" x="88" y="-44"/>'),
    ("pyramid", {"tone": const(COLOUR, 0)}, '<path class="s t7" d="M74.4 -29L83.9 -59H92.1L101.6 -29z"/>'),
    ("die", {"label": const(integers(1, 6), 4)},
        '<use class="f" href="#rs-die" x="88" y="-44"/><use href="#rs-p4" x="88" y="-44"/>'),
    ("die", {"label": SEVEN},
        '<path class="f" d="M80.3 -60.7H95.7L104.7 -51.7V-36.3L95.7 -27.3H80.3L71.3 -36.3V-51.7z"/>'
        '<text class="fi" x="88" y="-44" font-size="15">7</text>'),
    ("wall", {"to_across": number(3), "to_up": number(1)},
        '<rect class="s" x="105.6" y="-66" width="8.8" height="44" rx="2.5"/>'),
    ("stack", {"items": PILE},
        '<rect class="s t7" x="71.3" y="-37.3" width="33.4" height="13.5" rx="4.7"/>'
        '<rect class="s t1" x="71.3" y="-50.7" width="33.4" height="13.5" rx="4.7"/>'
        '<rect class="s t1" x="71.3" y="-64.2" width="33.4" height="13.5" rx="4.7"/>'),
    ("stack", {"items": PILE, "look": "pyramids"},
        '<path class="s t7" d="M73.5 -23.3L83.6 -48H92.4L102.5 -23.3z"/>'
        '<path class="s t1" d="M73.5 -31.7L83.6 -56.3H92.4L102.5 -31.7z"/>'
        '<path class="s t1" d="M73.5 -40L83.6 -64.7H92.4L102.5 -40z"/>'),
    ("pips", {"count": number(4)}, '<use href="#rs-p4" x="88" y="-44"/>'),
    ("pips", {"count": number(12)}, '<text x="88" y="-44" font-size="22">12</text>'),
    ("label", {"label": number(7)}, '<text x="88" y="-44" font-size="17.6">7</text>'),
    ("label", {"label": number(7), "look": "plain"}, ""),
    ("arrow", TO,
        '<path class="aa ap" d="M88 -44L174 -87M169.1 -77.2L174 -87L163.2 -89"/>'
        '<path class="a" d="M88 -44L174 -87M169.1 -77.2L174 -87L163.2 -89"/>'),
    ("line", TO, '<path class="a j" d="M88 -44L176 -88"/>'),
    ("highlight", {}, '<rect class="hl" x="68" y="-64" width="40" height="40" rx="5"/>'),
    ("callout", {"text": "here"},
        '<circle class="bc" cx="88" cy="-44" r="8.5"/><text class="bt" x="88" y="-44">A</text>'
        '<circle class="bc" cx="88" cy="-15.5" r="8.5"/><text class="bt" x="88" y="-15.5">A</text>'
        '<text class="ct" x="101.5" y="-15.5">here</text>'),
    ("hand", {"items": const(List(COLOUR, 3), (0,)), "look": "discs", "text": "Own"},
        '<text class="c" x="0" y="8">Own</text><use class="s t7" href="#rs-disc" x="16.7" y="38.7"/>'
        '<text class="i t7" x="16.7" y="38.7" font-size="16.7">red</text>'),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "said", "expected"), GOLDEN)
def test_each_mark_has_its_svg(kind: str, said: dict[str, Any], expected: str) -> None:
    assert body(mark(kind, **said)) == expected


def test_every_mark_has_a_golden_drawing() -> None:
    assert {kind for kind, _, _ in GOLDEN} == MARKS.keys()


def test_a_drawing_carries_the_shapes_it_uses_and_no_others() -> None:
    for kind, said, _ in GOLDEN:
        drawing = mark(kind, **said)
        assert set(re.findall(r'href="#rs-([a-z0-9]+)"', drawing)) == set(
            re.findall(r'<g id="rs-([a-z0-9]+)"', drawing)
        )


SIZES = re.compile(r"-?[0-9.]+")


def extents(element: ET.Element) -> Iterator[tuple[float, float]]:
    """Points on the edge of an element; of texts only the middle."""
    at = {name: float(value) for name, value in element.items() if SIZES.fullmatch(value)}
    x, y = at.get("x", at.get("cx", 0.0)), at.get("y", at.get("cy", 0.0))
    tag = element.tag.rpartition("}")[2]
    if tag == "rect":
        assert at["width"] > 0 < at["height"], element.attrib
        yield from ((x, y), (x + at["width"], y + at["height"]))
    elif tag == "circle":
        yield from ((x - at["r"], y - at["r"]), (x + at["r"], y + at["r"]))
    elif tag in ("text", "use"):
        yield x, y
        if tag == "use" and element.get("href", "")[4:] in SYMBOLS:
            shape = ET.fromstring(f"<g>{SYMBOLS[element.get('href', '')[4:]]}</g>")
            for part in shape.iter("rect"):
                yield from ((x + px, y + py) for px, py in extents(part))
    elif tag == "path":
        yield from steps(element.get("d", ""))


def steps(d: str) -> Iterator[tuple[float, float]]:
    """The points of a path of straight lines."""
    x = y = 0.0
    for letter, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        values = [float(v) for v in SIZES.findall(numbers)]
        if letter in "ML":
            x, y = values
        elif letter == "l":
            x, y = x + values[0], y + values[1]
        elif letter in "Hh":
            x = values[0] + (x if letter == "h" else 0)
        elif letter in "Vv":
            y = values[0] + (y if letter == "v" else 0)
        else:
            assert letter == "z", letter
        yield x, y


@settings(max_examples=300, deadline=None)
@given(st.lists(marks(), max_size=6))
def test_every_mark_is_drawn_within_its_picture(found: list[Mark]) -> None:
    canvas = draw_scene(arrange("t", found))
    root = ET.fromstring(document(canvas, "t", "", ""))
    x, y, width, height = map(float, root.get("viewBox", "").split())
    shapes = root.find("{http://www.w3.org/2000/svg}defs")
    inside = {id(e) for e in shapes.iter()} if shapes is not None else set()
    for element in root.iter():
        if id(element) in inside or element is root:
            continue
        for px, py in extents(element):
            assert x - 0.1 <= px <= x + width + 0.1, (element.attrib, root.get("viewBox"))
            assert y - 0.1 <= py <= y + height + 0.1, (element.attrib, root.get("viewBox"))


HOSTILE = '"><script>alert(1)</script>&<![CDATA['
EVIL = Enum("Evil", range(1), "Evil", (HOSTILE,))
EVIL_RANK = Record("EvilCard", [(0, 1)], "EvilCard", (("r", EVIL), ("s", SUIT)), (0, " ", 1))
EVIL_TILE = Record("EvilTile", [(0, 0)], "EvilTile", (("a", EVIL), ("b", EVIL)), (0, "-", 1))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("square", {"label": const(EVIL, 0), "corner": const(EVIL, 0)}),
        ("tile", {"label": const(EVIL, 0), "corner": const(EVIL, 0), "joins": const(EVIL, 0)}),
        ("card", {"label": const(EVIL, 0)}),
        ("card", {"label": const(EVIL_RANK, (0, 1))}),
        ("disc", {"label": const(EVIL, 0)}),
        ("pyramid", {"label": const(EVIL, 0)}),
        ("die", {"label": const(EVIL, 0)}),
        ("wall", {"label": const(EVIL, 0)}),
        ("wall", {"label": const(EVIL, 0), "to_across": number(3), "to_up": number(1)}),
        ("stack", {"items": const(List(EVIL, 1), (0,)), "look": "letters"}),
        ("stack", {"items": const(List(EVIL, 1), (0,)), "look": "letters pyramids"}),
        ("label", {"label": const(EVIL, 0), "text": HOSTILE}),
        ("callout", {"text": HOSTILE}),
        ("hand", {"items": const(List(EVIL, 1), (0,)), "text": HOSTILE}),
        ("hand", {"items": const(List(EVIL_RANK, 1), ((0, 1),))}),
        ("hand", {"items": const(List(EVIL_TILE, 1), ((0, 0),)), "look": "tiles"}),
    ],
)
def test_no_text_of_a_ruleset_becomes_markup(kind: str, said: dict[str, Any]) -> None:
    root = ET.fromstring(mark(kind, **said))
    assert {e.tag.rpartition("}")[2] for e in root.iter()} <= {
        "svg", "defs", "g", "path", "rect", "circle", "text", "use"
    }  # fmt: skip
    texts = [e.text or "" for e in root.iter() if e.tag.endswith("text")]
    assert any(HOSTILE in text for text in texts)


def test_every_class_has_a_style() -> None:
    style = stylesheet()
    used = {name for kind, said, _ in GOLDEN for name in classes(mark(kind, **said))}
    used |= {name for shape in SYMBOLS.values() for name in classes(shape)}
    named = set(re.findall(r"\.([a-z]+[0-9]*)(?=[^0-9a-z-])", style))
    assert used - named <= {"rs-diagram", "gg"}
    assert {"n", "h", "bn", "br", "z", "y", "v2"} <= named, "those of actions and news, too"


def classes(drawing: str) -> set[str]:
    return {name for names in re.findall(r'class="([^"]*)"', drawing) for name in names.split()}


@given(st.integers(-10_000, 10_000))
def test_lengths_are_rounded_by_a_rule_of_their_own(quarters: int) -> None:
    written = num(quarters / 4)
    assert re.fullmatch(r"-?\d+(\.[1-9])?", written)
    assert written != "-0"
    assert abs(float(written) - quarters / 4) < 0.051
    assert (num(0.25), num(-0.25), num(0.35)) == ("0.3", "-0.2", "0.4"), "halves go up"


def test_marks_that_are_pieces_are_marks() -> None:
    assert set(PIECES) <= MARKS.keys()


def rows(*looks: str, cards: int) -> list[tuple[float, float]]:
    """Where the captions of four rows stand: of two layers, two rows in each, under a board."""
    pieces = tuple(Piece(f"{n}", suit="hearts", rank="4") for n in range(cards))
    listed = [
        Mark("hand", layer, items=pieces, looks=frozenset(looks), text=f"{layer}{row}")
        for layer in (1, 2)
        for row in (1, 2)
    ]
    canvas = draw_scene(arrange("t", [Mark("square", 0), *listed]))
    found = re.findall(r'<text class="c" x="([^"]*)" y="([^"]*)">', "".join(canvas.parts))
    return [(float(x), float(y)) for x, y in found]


def test_rows_of_one_layer_stand_abreast_in_columns_if_there_is_room() -> None:
    """The hands of two players stood one below the other, in drawings twice as high as they had to be."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = rows("abreast", cards=6)
    assert (ax, bx, ay, cy) == (cx, dx, by, dy)
    assert bx > ax
    assert cy > ay
    assert len({x for x, _ in rows("abreast", cards=8)}) == 1, "no room"
    one, two, three, four = rows("abreast", cards=1)
    assert one[1] == two[1] < three[1] == four[1], "another layer begins a new line"
    assert len({y for _, y in rows("beside", cards=1)}) == 1
    assert len({y for _, y in rows(cards=1)}) == 4
