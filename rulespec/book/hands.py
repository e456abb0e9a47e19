"""Rows of pieces under the board, each after its caption."""

from __future__ import annotations

from html import escape
from math import ceil

from . import faces
from .canvas import UNIT, Canvas, num, rect, toned
from .pieces import disc_at, pyramid_at
from .scene import Mark, Piece
from .symbols import DISC

WIDTH = 10 * UNIT
"""The greatest width of a row of pieces under a narrower board, in pixels."""
GAP = 6
"""The distance between two pieces that do not overlap."""
APART = 8
"""The least distance between rows that stand abreast."""
COLUMNS = 4
"""Rows that stand abreast begin at one of so many places."""
FAN = 33
"""The distance between open cards in a row, so that the rank and suit of each are seen."""
BACKS = 12
"""The distance between the backs of cards or dominoes."""


def draw_hands(canvas: Canvas, hands: tuple[Mark, ...]) -> None:
    """All rows; one may stand beside the one before it, or abreast of those of its layer."""
    left, right = canvas.left, max(canvas.right, canvas.left + WIDTH)
    x, top, high = left, canvas.bottom + (0 if canvas.empty else 14), 0.0
    column, layer = (right - left) / COLUMNS, -1
    for hand in hands:
        size = Canvas()
        _hand(size, hand, 0, 0, right - left)
        abreast = "abreast" in hand.looks and hand.layer == layer
        if abreast:
            x = left + ceil((x - 20 + APART - left) / column) * column
        if not (abreast or "beside" in hand.looks) or x + size.right > right:
            x, top, high = left, top + high, 0.0
        _hand(canvas, hand, x, top, right)
        x, high, layer = x + size.right + 20, max(high, size.bottom + 10), hand.layer


def _hand(canvas: Canvas, hand: Mark, left: float, top: float, right: float) -> None:
    """A row of pieces from this corner on, which goes on in further rows where it would pass `right`."""
    if hand.text:
        body = f'<text class="c" x="{num(left)}" y="{num(top + 8)}">{escape(hand.text)}</text>'
        canvas.add(body, left, top, 7.2 * len(hand.text), 16)
        top += 22
    if not hand.items:
        # An empty place is as large as the back of a piece.
        _, width, height = _piece(Piece(""), hand.looks, 0, 0)
        canvas.add(rect(left, top, width, height, "ri", 6), left, top, width, height)
    x, high = left, 0.0
    for piece in hand.items:
        _, width, height = _piece(piece, hand.looks, 0, 0)
        if x > left and x + width > right:
            x, top, high = left, top + high + GAP, 0.0
        body, width, height = _piece(piece, hand.looks, x + width / 2, top + height / 2)
        canvas.add(body, x, top, width, height)
        x, high = x + _step(piece, hand.looks, width), max(high, height)


def _step(piece: Piece, looks: frozenset[str], width: float) -> float:
    """The distance from this piece to the next."""
    if not piece.label:
        return BACKS
    return FAN if piece.suit and "tiles" not in looks else width + GAP


def _piece(piece: Piece, looks: frozenset[str], x: float, y: float) -> faces.Drawn:
    """A piece of a hand around a place, and the size it takes."""
    if "tiles" in looks and (piece.parts or not piece.label):
        return faces.domino(x, y, piece.parts, "pips" in looks, toned(piece))
    if "dice" in looks:
        return faces.die(x, y, piece, toned(piece))
    if "discs" in looks:
        return disc_at(x, y, piece, looks), 2 * DISC, 2 * DISC
    if "pyramids" in looks:
        return pyramid_at(x, y, piece, looks), UNIT * 0.62, UNIT * 0.68
    return faces.card(x, y, piece, toned(piece))
