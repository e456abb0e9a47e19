"""Faces around a place, on a board or in a hand: labels, dots, playing cards, dominoes, dice."""

from __future__ import annotations

from html import escape

from .canvas import UNIT, fitted, num, path, rect, use, words
from .scene import Mark, Part, Piece
from .style import LEVELS
from .symbols import CARD, DIE, DOTS, HALF, RED

Drawn = tuple[str, float, float]
"""An element around a place, and the width and height it takes."""


def shade(mark: Mark) -> str:
    """The class for the shade of a level, after others."""
    level = min(mark.shade or mark.level, LEVELS)
    return f" v{level}" if level > 1 else ""


def dots(x: float, y: float, number: int) -> str:
    """A number as dots around a place; nothing is no dots."""
    return use(f"p{number}", x, y) if number else ""


def is_dotted(number: int | None) -> bool:
    """True if a number is drawn with dots."""
    return number == 0 or number in DOTS


def face(mark: Mark, x: float, y: float, under: tuple[str, ...], kind: str = "") -> str:
    """The number of a mark in dots, or its label; with what it covers, small, in a corner of its own size."""
    side = UNIT * mark.size
    if not mark.label:
        return _hint(mark.corner, x - side * 0.37, y + side * 0.29, "k") if mark.corner else ""
    dotted = "pips" in mark.looks and is_dotted(mark.number)
    shown = dots(x, y, mark.number or 0) if dotted else words(x, y, mark.label, UNIT * 0.5, kind)
    hint = mark.corner or " ".join(under)
    if not hint:
        return shown
    at, look = (x + side * 0.42, "k m") if dotted else (x - side * 0.37, f"k {kind}")
    return shown + _hint(hint, at, y + side * (0.36 if dotted else 0.29), look)


def _hint(text: str, x: float, y: float, kind: str) -> str:
    return f'<text class="{kind.strip()}" x="{num(x)}" y="{num(y)}">{escape(text)}</text>'


def card(x: float, y: float, shown: Mark | Piece, kind: str) -> Drawn:
    """A card; without a label its back, with a suit its rank and signs."""
    width, height = CARD
    if not shown.label:
        return use("back", x, y, "f"), width, height
    if shown.suit:
        look = ("r" if len(shown.rank) < 2 else "r rr") + (" u" if shown.suit in RED else "")
        rank = f'<text class="{look}" x="{num(x - 18)}" y="{num(y - 18.5)}">{escape(shown.rank)}</text>'
        return use(shown.suit, x, y, "f" + kind) + rank, width, height
    size = fitted(shown.label, UNIT * 0.6, 1.4 * width)
    return use("card", x, y, "f" + kind) + words(x, y, shown.label, size, "fi"), width, height


def domino(x: float, y: float, parts: tuple[Part, ...], dotted: bool, kind: str) -> Drawn:
    """A piece of several fields in a row, each a square of its own; without fields its back."""
    if not parts:
        return use("dback", x, y, "f"), 2 * HALF, HALF
    wide = HALF * len(parts)
    body = rect(x - wide / 2, y - HALF / 2, wide, HALF, "f" + kind, 6)
    seams = "".join(
        f"M{num(x - wide / 2 + i * HALF)} {num(y - HALF / 2 + 5)}v{num(HALF - 10)}"
        for i in range(1, len(parts))
    )
    body += path(seams, "d") if seams else ""
    for i, part in enumerate(parts):
        at = x - wide / 2 + (i + 0.5) * HALF
        if dotted and is_dotted(part.number):
            body += dots(at, y, part.number or 0)
        else:
            body += words(at, y, part.label, UNIT * 0.45, "fi")
    return body, wide, HALF


def die(x: float, y: float, shown: Mark | Piece, kind: str) -> Drawn:
    """A die with its uppermost face: dots on one of six numbers at most, else a numeral or word."""
    if shown.number is not None and shown.sides <= 6 and is_dotted(shown.number):
        return use("die", x, y, "f" + kind) + dots(x, y, shown.number), DIE, DIE
    wide = max(DIE, 8.5 * len(shown.label) + 14)
    cut, half = 9.0, DIE / 2
    left, right = x - wide / 2, x + wide / 2
    d = (
        f"M{num(left + cut)} {num(y - half)}H{num(right - cut)}L{num(right)} {num(y - half + cut)}"
        f"V{num(y + half - cut)}L{num(right - cut)} {num(y + half)}H{num(left + cut)}"
        f"L{num(left)} {num(y + half - cut)}V{num(y - half + cut)}z"
    )
    text = f'<text class="fi" x="{num(x)}" y="{num(y)}" font-size="15">{escape(shown.label)}</text>'
    return path(d, "f" + kind) + text, wide, DIE
