"""A legend of the signs in drawings that are not things of the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape

from .canvas import Canvas
from .primitives import number, path, rect, text
from .signs import add_badge, add_refusal
from .table import UNIT

_DRAWING = re.compile(r'<svg [^>]*class="rs-diagram"[^>]*>(.*?)</svg>', re.DOTALL)
_CLASSES = re.compile(r'class="([^"]*)"')


def _sample(width: float, *elements: str) -> Canvas:
    canvas = Canvas()
    canvas.add("".join(elements), (0, 0, width, 18))
    return canvas


def _sign(draw: Callable[..., None], *said: str) -> Canvas:
    canvas = Canvas()
    draw(canvas, 9, 9, *said)
    return canvas


def _svg(canvas: Canvas) -> str:
    assert canvas.box
    width, height = number(canvas.box[2] + 1), number(canvas.box[3] + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rs-diagram" aria-hidden="true" '
        f'viewBox="-1 -1 {width} {height}" width="{width}" height="{height}">{"".join(canvas.parts)}</svg>'
    )


_DASHES = _sample(34, rect(1, 1, 32, 16, "o", 4))
_CORNER = _sample(UNIT * 0.6, rect(0, 0, UNIT * 0.6, 18, "f", 3), text(4, 11, "3", "k fi"))
SIGNS = (
    ("a", _sample(42, path("M2 9L38 9M30 3L38 9L30 15", "a")), "the way of a piece"),
    ("o", _DASHES, "a possible action"),
    ("h", _DASHES, "a possible action"),
    ("bn", _sign(add_badge, "1", "bn"), "one of several actions"),
    ("z", _sign(add_refusal), "not allowed"),
    (
        "n",
        _sample(34, '<g class="n">', rect(2, 2, 30, 14, "f", 4), "</g>"),
        "changed since the previous picture",
    ),
    ("hl", _sample(34, rect(2, 2, 30, 14, "hl", 4)), "the place meant"),
    ("k", _CORNER, "small: the number under a piece, or its height"),
)
"""The class by which a drawing marks its use of a sign, a sample of the sign, and its meaning."""


def signs(html: str) -> list[str]:
    """The meanings of the signs used by the drawings in a piece of HTML, each once."""
    drawings = _DRAWING.findall(html)
    classes = [words.split() for body in drawings for words in _CLASSES.findall(body)]
    used = {word for words in classes for word in words if word != "a" or "j" not in words}  # "a j" is a line
    return [*dict.fromkeys(meaning for kind, _, meaning in SIGNS if kind in used)]


def legend(meanings: Iterable[str]) -> str:
    """A list of signs with these meanings, as HTML; empty without any."""
    samples = {meaning: sample for _, sample, meaning in reversed(SIGNS)}
    items = "".join(f"<li>{_svg(samples[meaning])} {escape(meaning)}</li>" for meaning in meanings)
    return f'<ul class="rs-legend">{items}</ul>' if items else ""
