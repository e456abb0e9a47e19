"""Shapes that drawings repeat: each is defined once in a drawing, or once on a page, and used by its name.

Each is drawn around (0, 0). The class `rs-diagram` on each lets the style sheet reach its inside in every
browser. A shape without a class takes fill and stroke from the element that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .primitives import circle, path, rect
from .primitives import number as n
from .table import LIFT, SIZES, UNIT

DOTS = {
    1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi", 7: "acdefgi", 8: "abcdfghi",
    9: "abcdefghi",
}  # fmt: skip
"""For each number drawn with dots, the occupied ones of nine places, row by row."""

INSET, DISC, DIE, HALF = (SIZES[name] for name in ("INSET", "DISC", "DIE", "HALF"))
CARD: tuple[float, float] = (SIZES["CARD_WIDTH"], SIZES["CARD_HEIGHT"])
"""Width and height of a card."""

_SUITS = {
    "clubs": (
        "M-4.1-4.9a4.1 4.1 0 1 1 8.2 0 4.1 4.1 0 1 1-8.2 0zM-8.9 1.9a4.1 4.1 0 1 1 8.2 0 4.1 4.1 0 1 1-8.2 0z"
        "M.7 1.9a4.1 4.1 0 1 1 8.2 0 4.1 4.1 0 1 1-8.2 0zM-2.5-3.5h5v5h-5zM-.8 0H.8C1 5 1.8 8 3.2 9H-3.2"
        "C-1.8 8-1 5-.8 0z"
    ),
    "diamonds": "M0-9.6L7.2 0 0 9.6-7.2 0z",
    "hearts": (
        "M0 8.8C-4 4.8-9 1.2-9-3.2-9-6.4-6.7-8.4-4.3-8.4-2.4-8.4-.8-7.3 0-5.6"
        "C.8-7.3 2.4-8.4 4.3-8.4 6.7-8.4 9-6.4 9-3.2 9 1.2 4 4.8 0 8.8z"
    ),
    "spades": (
        "M0-9C3-5 8.6-2 8.6 2.4 8.6 5 6.7 6.6 4.6 6.6 3 6.6 1.6 5.8.8 4.5 1 6.9 1.8 8.1 3.2 9H-3.2"
        "C-1.8 8.1-1 6.9-.8 4.5-1.6 5.8-3 6.6-4.6 6.6-6.7 6.6-8.6 5-8.6 2.4-8.6-2-3-5 0-9z"
    ),
}  # fmt: skip
RED: list[str] = SIZES["RED"]

_MOTIFS = {
    1: "M-6.5 0a6.5 6.5 0 1 1 13 0 6.5 6.5 0 1 1-13 0z",
    2: "M-5-5L5 5M5-5L-5 5",
    3: "M0-7L6.4 4.5H-6.4z",
    4: "M-6-3.2H6M-6 3.2H6",
    5: "M0-7.5L7.5 0 0 7.5-7.5 0z",
    6: "M0-7V7M-7 0H7",
    7: "M-5.5-5.5h11v11h-11z",
    8: "M-6.5 0H6.5",
}
"""The sign of each tone, for readers who cannot tell its colour."""


def _dots(count: int) -> str:
    step = UNIT * 0.24
    places = (divmod("abcdefghi".index(c), 3) for c in DOTS[count])
    d = "".join(f"M{n((col - 1) * step)} {n((row - 1) * step)}h0" for row, col in places)
    return path(d, "p")


def _box(width: float, height: float, radius: float) -> str:
    """A rectangle around (0, 0) with round corners and the colours of the element that uses it."""
    place = f'x="{n(-width / 2)}" y="{n(-height / 2)}"'
    return f'<rect {place} width="{n(width)}" height="{n(height)}" rx="{n(radius)}"/>'


def _card(suit: str) -> str:
    """A card with a large suit sign in the middle and a small one beside the rank."""
    width, height = CARD
    body = _box(width, height, 5)
    if not suit:
        return body
    kind, d = ("u" if suit in RED else "w"), _SUITS[suit]
    small = f'<path class="{kind}" transform="translate(5.4 -18.8) scale(.5)" d="{d}"/>'
    return f'{body}{small}<path class="{kind}" transform="translate(0 8) scale(1.15)" d="{d}"/>'


def _card_back() -> str:
    """The SVG of the back of a card."""
    width, height = CARD
    left, top = -width / 2 + 3.5, -height / 2 + 3.5
    wide, high = width - 7, height - 7
    lattice = "".join(
        f"M{n(left + wide * i / 4)} {n(top)}l{n(wide * (4 - i) / 4)} {n(high * (4 - i) / 4)}"
        f"M{n(left)} {n(top + high * i / 4)}l{n(wide * (4 - i) / 4)} {n(high * (4 - i) / 4)}"
        f"M{n(left + wide * i / 4)} {n(top)}l{n(-wide * i / 4)} {n(high * i / 4)}"
        f"M{n(left + wide * i / 4)} {n(top + high)}l{n(wide * (4 - i) / 4)} {n(high * (i - 4) / 4)}"
        for i in range(4)
    )
    inner = rect(left, top, wide, high, "bk", 3)
    return f"{_card('')}{inner}{path(lattice, 'bl')}"


def _domino_back() -> str:
    body = f'<rect x="{n(-HALF)}" y="{n(-HALF / 2)}" width="{n(2 * HALF)}" height="{n(HALF)}" rx="6"/>'
    return body + rect(-HALF + 3.5, -HALF / 2 + 3.5, 2 * HALF - 7, HALF - 7, "bk", 4)


def _domino(wide: int, high: int, lifted: bool) -> str:
    """A tile on two squares of the board, horizontal or vertical, with a seam; with its front if `lifted`."""
    x, y = wide * UNIT / 2 - INSET, high * UNIT / 2 - INSET
    side = rect(-x, -y, 2 * x, 2 * y + LIFT - INSET, "e", 6) if lifted else ""
    face = _box(2 * x, 2 * y, 6)
    seam = f"M0 {n(5 - y)}V{n(y - 5)}" if wide > high else f"M{n(5 - x)} 0H{n(x - 5)}"
    return side + face + path(seam, "d")


def _die() -> str:
    return _box(DIE, DIE, 7)


def _disc(tone: int) -> str:
    ring = circle(0, 0, DISC - 3, "ri")
    motif = path(_MOTIFS[tone], f"mo t{tone}") if tone in _MOTIFS else ""
    return f'<circle r="{n(DISC)}"/>{motif or ring}'


def _crown() -> str:
    return '<path d="M-8 5.5L-9.5-5-4.5-.5 0-7.5 4.5-.5 9.5-5 8 5.5z"/>'


SYMBOLS: dict[str, str] = {
    **{f"p{n}": _dots(n) for n in DOTS},
    "card": _card(""),
    **{suit: _card(suit) for suit in _SUITS},
    "back": _card_back(),
    "dback": _domino_back(),
    "dx": _domino(2, 1, False),
    "dy": _domino(1, 2, False),
    "dxl": _domino(2, 1, True),
    "dyl": _domino(1, 2, True),
    "die": _die(),
    "disc": _disc(0),
    **{f"disc{n}": _disc(n) for n in _MOTIFS},
    "crown": _crown(),
}
"""Every shape by its name; its id on a page is `rs-` and the name."""

_USED = re.compile(r'href="#rs-([a-z]+[0-9]?)"')


def used_symbols(texts: Iterable[str]) -> set[str]:
    """The names of the shapes that drawings use."""
    return {name for text in texts for name in _USED.findall(text)}


def definitions(names: set[str]) -> str:
    """A `<defs>` element with these shapes, in the order of `SYMBOLS`; empty without any."""
    found = "".join(
        f'<g id="rs-{name}" class="rs-diagram">{body}</g>' for name, body in SYMBOLS.items() if name in names
    )
    return f"<defs>{found}</defs>" if found else ""
