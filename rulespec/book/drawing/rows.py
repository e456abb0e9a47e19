"""Rows of pieces under the board, each after its caption."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from .canvas import Canvas, Flow
from .primitives import rect, text
from .scene import Mark, Piece
from .table import SIZES, TABLE, Shapes

BESIDE = 20
"""The distance between rows side by side."""


def add_rows(canvas: Canvas, hands: Iterable[Mark]) -> None:
    """Add all rows; a row may stand beside the one before it, or be aligned with others of its layer."""
    left, _, right, bottom = canvas.box or (0.0, 0.0, 0.0, -14.0)
    right = max(right, left + SIZES["ROW"])
    flow, layer = Flow(left, bottom + 14, right), -1
    column = (right - left) / SIZES["COLUMNS"]
    for hand in hands:
        size = Canvas()
        _add_row(size, hand, 0, 0, right - left)
        _, _, width, height = size.box or (0.0, 0.0, 0.0, 0.0)
        is_abreast = "abreast" in hand.looks and hand.layer == layer
        if is_abreast:
            flow.x = left + ceil((flow.x - BESIDE + SIZES["APART"] - left) / column) * column
        is_fresh = not (is_abreast or "beside" in hand.looks) or flow.x + width > right
        _add_row(canvas, hand, *flow.place(width, height + 10, width + BESIDE, is_fresh), right)
        layer = hand.layer


def _add_row(canvas: Canvas, hand: Mark, left: float, top: float, right: float) -> None:
    """Add a row with its upper left corner at a place, wrapped before `right`."""
    if hand.text:
        canvas.add(text(left, top + 8, hand.text, "c"), (left, top, 7.2 * len(hand.text), 16))
        top += 22
    if not hand.items:  # an empty place is as large as the back of a piece
        _, _, width, height = _piece(Piece(""), hand).part("box")
        canvas.add(rect(left, top, width, height, "ri", 6), (left, top, width, height))
    flow = Flow(left, top, right, SIZES["GAP"])
    for piece in hand.items:
        _, _, width, height = _piece(piece, hand).part("box")
        x, y = flow.place(width, height, TABLE.functions["piece_step"](_mark(piece, hand), width))
        shapes = _piece(piece, hand, (x + width / 2, y + height / 2))
        canvas.add(shapes.elements("shapes"), (x, y, width, height))


def _mark(piece: Piece, hand: Mark) -> Mark:
    """A piece as a mark with the look of its row; the fields of a record are its items."""
    fields = tuple(Piece(part.label, number=part.number) for part in piece.parts)
    return Mark(
        "piece", hand.layer, label=piece.label, tone=piece.tone, number=piece.number, sides=piece.sides,
        suit=piece.suit, rank=piece.rank, items=fields, looks=hand.looks,
    )  # fmt: skip


def _piece(piece: Piece, hand: Mark, place: tuple[float, float] = (0.0, 0.0)) -> Shapes:
    mark = _mark(piece, hand)
    return Shapes(mark, name=TABLE.functions["piece_entry"](mark), place=place)
