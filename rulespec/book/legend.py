"""A legend of the signs that drawings use beside the things of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from .canvas import UNIT, Canvas, num, path, rect
from .signs import badge, refusal

_DRAWING = re.compile(r'<svg [^>]*class="rs-diagram"[^>]*>(.*?)</svg>', re.DOTALL)
_CLASSES = re.compile(r'class="([^"]*)"')


def _sample(canvas: Canvas) -> str:
    width, height = num(canvas.right + 1), num(canvas.bottom + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rs-diagram" aria-hidden="true" '
        f'viewBox="-1 -1 {width} {height}" width="{width}" height="{height}">{"".join(canvas.parts)}</svg>'
    )


def _arrow() -> Canvas:
    canvas = Canvas()
    canvas.add(path("M2 9L38 9M30 3L38 9L30 15", "a"), 0, 0, 42, 18)
    return canvas


def _dashes() -> Canvas:
    canvas = Canvas()
    canvas.add(rect(1, 1, 32, 16, "o", 4), 0, 0, 34, 18)
    return canvas


def _cross() -> Canvas:
    canvas = Canvas()
    refusal(canvas, 9, 9)
    return canvas


def _number() -> Canvas:
    canvas = Canvas()
    badge(canvas, 9, 9, "1", "bn")
    return canvas


def _new() -> Canvas:
    canvas = Canvas()
    canvas.add(f'<g class="n">{rect(2, 2, 30, 14, "f", 4)}</g>', 0, 0, 34, 18)
    return canvas


def _highlight() -> Canvas:
    canvas = Canvas()
    canvas.add(rect(2, 2, 30, 14, "hl", 4), 0, 0, 34, 18)
    return canvas


def _corner() -> Canvas:
    canvas = Canvas()
    canvas.add(
        rect(0, 0, UNIT * 0.6, 18, "f", 3) + '<text class="k fi" x="4" y="11">3</text>', 0, 0, UNIT * 0.6, 18
    )
    return canvas


SIGNS = (
    ("a", _arrow, "the way of a piece"),
    ("o", _dashes, "a possible action"),
    ("h", _dashes, "a possible action"),
    ("bn", _number, "one of several actions"),
    ("z", _cross, "not allowed"),
    ("n", _new, "new since the picture before"),
    ("hl", _highlight, "the place meant"),
    ("k", _corner, "small: the number under a piece, or its height"),
)
"""The class by which a drawing shows that it uses a sign, a sample of the sign, and its meaning."""


def signs(html: str) -> list[str]:
    """The meanings of the signs that the drawings in a piece of HTML use, each once."""
    drawings = _DRAWING.findall(html)
    used = {word for body in drawings for words in _CLASSES.findall(body) for word in words.split()}
    return [*dict.fromkeys(meaning for kind, _, meaning in SIGNS if kind in used)]


def legend(meanings: Iterable[str]) -> str:
    """A list of signs with these meanings, as HTML; empty without any."""
    samples = {meaning: sample for _, sample, meaning in reversed(SIGNS)}
    items = "".join(f"<li>{_sample(samples[meaning]())} {escape(meaning)}</li>" for meaning in meanings)
    return f'<ul class="rs-legend">{items}</ul>' if items else ""
