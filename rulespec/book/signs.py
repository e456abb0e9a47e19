"""Signs on a drawing that are no part of the game: refusals, numbers of options, callouts and their key."""

from __future__ import annotations

from html import escape
from math import floor

from .canvas import UNIT, Canvas, centre, circle, num, path
from .scene import Mark, Scene

RADIUS = 8.5
"""Of the circle around the number of an option or the letter of a callout."""
ROW = 20
"""The height of a line of the key."""
LETTER = 6.6
"""The width of a letter of a caption, on average."""


def refusal(canvas: Canvas, x: float, y: float) -> None:
    """The sign of an action that is not legal."""
    size, arm = UNIT * 0.17, UNIT * 0.075
    cross = (
        f"M{num(x - arm)} {num(y - arm)}L{num(x + arm)} {num(y + arm)}"
        f"M{num(x - arm)} {num(y + arm)}L{num(x + arm)} {num(y - arm)}"
    )
    canvas.add(circle(x, y, size, "z") + path(cross, "z"), x - size, y - size, 2 * size, 2 * size)
    canvas.signs.append((x, y))


def badge(canvas: Canvas, x: float, y: float, text: str, kind: str) -> None:
    """A number or letter in a circle."""
    body = circle(x, y, RADIUS, kind) + f'<text class="bt" x="{num(x)}" y="{num(y)}">{escape(text)}</text>'
    canvas.add(body, x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS)


class Spots:
    """The places of badges: each as near to the right of where it belongs as it covers no other."""

    def __init__(self) -> None:
        self._taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
        self._last: dict[tuple[float, float], float] = {}

    def take(self, x: float, y: float) -> tuple[float, float]:
        """The place for a badge that belongs at (x, y)."""
        wide, start = 2 * RADIUS, (x, y)
        x = self._last.get(start, x)
        while any(abs(x - a) < wide and abs(y - b) < wide for a, b in self._near(x, y)):
            x += wide + 1
        self._taken.setdefault(self._box(x, y), []).append((x, y))
        self._last[start] = x
        return x, y

    def _box(self, x: float, y: float) -> tuple[int, int]:
        return floor(x / (2 * RADIUS)), floor(y / (2 * RADIUS))

    def _near(self, x: float, y: float) -> list[tuple[float, float]]:
        """The badges in the boxes around a place."""
        column, row = self._box(x, y)
        boxes = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return [spot for box in boxes for spot in self._taken.get(box, ())]


def letter(number: int) -> str:
    """The sign of a callout, from 0: a letter, or a number after the last letter."""
    return chr(65 + number) if number < 26 else str(number + 1)


def callouts(scene: Scene) -> list[Mark]:
    """The callouts of a scene in the order of reading: from the top, each row from the left."""
    found = [m for m in scene.board if m.kind == "callout"]
    return sorted(found, key=lambda m: (m.y, m.x))


def draw_callouts(canvas: Canvas, scene: Scene) -> None:
    """The letters of callouts on the board."""
    for number, mark in enumerate(callouts(scene)):
        x, y = centre(mark)
        badge(canvas, x, y, letter(number), "bc")


def key(canvas: Canvas, scene: Scene) -> None:
    """The texts of callouts below the board, one beside another as far as there is room."""
    marks = callouts(scene)
    left, right, top = canvas.left, canvas.right, canvas.bottom + 10
    x = left
    for number, mark in enumerate(marks):
        wide = 2 * RADIUS + 6 + LETTER * len(mark.text)
        if x > left and x + wide > right:
            x, top = left, top + ROW
        badge(canvas, x + RADIUS, top + ROW / 2, letter(number), "bc")
        at = f'x="{num(x + 2 * RADIUS + 5)}" y="{num(top + ROW / 2)}"'
        text = f'<text class="ct" {at}>{escape(mark.text)}</text>'
        canvas.add(text, x + 2 * RADIUS + 5, top, LETTER * len(mark.text), ROW)
        x += wide + 14
