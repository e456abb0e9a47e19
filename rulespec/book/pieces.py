"""Pieces that stand on a board: discs, pyramids, stacks of either, cards, dice, pits and their dots."""

from __future__ import annotations

from . import faces
from .canvas import INSET, UNIT, Canvas, centre, circle, num, path, rect, toned, use, words
from .scene import Mark, Piece
from .symbols import DISC

APEX = 0.3
"""The width of a pyramid at its top, as a part of its base."""


def disc_at(x: float, y: float, shown: Mark | Piece, looks: frozenset[str], size: float = 1.0) -> str:
    """A round piece: with its label, a crown, or the sign of its tone."""
    hollow = "outline" in looks
    label = "" if "plain" in looks else shown.label
    crown = "crown" in looks
    kind = "o" if hollow else "s" + toned(shown)
    if size != 1.0 or hollow:
        body = circle(x, y, DISC * size, kind)
    else:
        plain = label or crown or shown.tone not in range(1, 9)
        body = use("disc" if plain else f"disc{shown.tone}", x, y, kind)
    if crown:
        return body + use("crown", x, y, f"i{toned(shown)}")
    ink = "" if hollow else f"i{toned(shown)}"
    return body + (words(x, y, label, DISC * size, ink) if label else "")


def disc(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A round piece on a place."""
    x, y = centre(mark)
    radius = DISC * mark.size
    body = disc_at(x, y, mark, mark.looks, mark.size)
    canvas.add(body, x - radius, y - radius, 2 * radius, 2 * radius)


def _trapezium(x: float, foot: float, width: float, height: float, kind: str) -> str:
    """A pyramid from the side, cut off at its top."""
    half, top = width / 2, width * APEX / 2
    up = f"M{num(x - half)} {num(foot)}L{num(x - top)} {num(foot - height)}"
    return path(f"{up}H{num(x + top)}L{num(x + half)} {num(foot)}z", kind)


def pyramid_at(x: float, y: float, shown: Mark | Piece, looks: frozenset[str], size: float = 1.0) -> str:
    """A pyramid from the side around a place."""
    width, height = UNIT * 0.62 * size, UNIT * 0.68 * size
    kind = "o" if "outline" in looks else "s" + toned(shown)
    body = _trapezium(x, y + height / 2, width, height, kind)
    label = "" if "plain" in looks else shown.label
    ink = "" if "outline" in looks else f"i{toned(shown)}"
    return body + (words(x, y + height * 0.16, label, height * 0.48, ink) if label else "")


def pyramid(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A pyramid on a place."""
    x, y = centre(mark)
    width, height = UNIT * 0.62 * mark.size, UNIT * 0.68 * mark.size
    canvas.add(pyramid_at(x, y, mark, mark.looks, mark.size), x - width / 2, y - height / 2, width, height)


def stack(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """Pieces upon each other, seen from the side, the first at the bottom."""
    if "pyramids" in mark.looks:
        _nested(canvas, mark)
        return
    x, y = centre(mark)
    wide, high = UNIT * 0.76, UNIT * min(0.32, 0.92 / max(1, len(mark.items)))
    for i, piece in enumerate(mark.items):
        top = y + (len(mark.items) / 2 - i - 1) * high
        body = rect(x - wide / 2, top, wide, high, "s" + toned(piece), high * 0.35)
        if "letters" in mark.looks:
            body += words(x, top + high / 2, piece.label, high, f"i{toned(piece)}")
        canvas.add(body, x - wide / 2, top, wide, high)


def _nested(canvas: Canvas, mark: Mark) -> None:
    """Hollow pyramids: each hides the one below it but for its rim."""
    x, y = centre(mark)
    count, width, height = len(mark.items), UNIT * 0.66, UNIT * 0.56
    rim = min(10.0, (UNIT * 0.94 - height) / max(1, count - 1))
    foot = y + (height + rim * (count - 1)) / 2
    for i, piece in enumerate(mark.items):
        at = foot - i * rim
        body = _trapezium(x, at, width, height, "s" + toned(piece))
        if "letters" in mark.looks and rim > 7:
            top = i == count - 1
            body += words(
                x, at - (height * 0.34 if top else rim / 2), piece.label, 13 if top else 9, f"i{toned(piece)}"
            )
        canvas.add(body, x - width / 2, at - height, width, height)


def card(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A card on a place."""
    x, y = centre(mark)
    body, width, height = faces.card(x, y, mark, toned(mark))
    canvas.add(body, x - width / 2, y - height / 2, width, height)


def die(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A die on a place, if it shows anything."""
    x, y = centre(mark)
    body, width, height = faces.die(x, y, mark, toned(mark))
    canvas.add(body if mark.label else "", x - width / 2, y - height / 2, width, height)


def pips(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A number as dots, or as a numeral where there are too many."""
    x, y = centre(mark)
    number = mark.number
    dotted = number is not None and faces.is_dotted(number)
    body = faces.dots(x, y, number or 0) if dotted else words(x, y, mark.label, UNIT * 0.5)
    canvas.add(body, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT)


def pit(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A hollow of a board, perhaps from one place to another."""
    x, y = centre(mark)
    to_x, to_y = mark.to or (mark.x, mark.y)
    dx, dy = (to_x - mark.x) * UNIT, (to_y - mark.y) * UNIT
    side = (UNIT - 2 * INSET) * mark.size
    left, top = min(x, x + dx) - side / 2, min(y, y + dy) - side / 2
    width, height = side + abs(dx), side + abs(dy)
    kind = "pt" + toned(mark)
    body = rect(left, top, width, height, kind, side / 2) if mark.to else circle(x, y, side / 2, kind)
    canvas.add(body, left, top, width, height)
