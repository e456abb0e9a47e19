"""Signs on a drawing that are no part of the game: refusals, numbers of options, callouts and their key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor

from .canvas import Canvas, Flow
from .primitives import text
from .scene import Mark, Scene
from .table import SIZES, TABLE, UNIT, Box, Shapes, centre, draw

RADIUS, CROSS, CORNER, LINE, LETTER = (
    SIZES[name] for name in ("RADIUS", "CROSS", "CORNER", "LINE", "LETTER")
)


def around(x: float, y: float, radius: float) -> Box:
    """The box of a circle."""
    return x - radius, y - radius, 2 * radius, 2 * radius


def add_refusal(canvas: Canvas, x: float, y: float) -> None:
    """Add the sign of an action that is not legal."""
    canvas.add(draw("refusal", x, y), around(x, y, CROSS))
    canvas.signs.append((x, y))


def add_badge(canvas: Canvas, x: float, y: float, sign: str, look: str) -> None:
    """Add a number or letter in a circle."""
    canvas.add(draw("badge", x, y, sign, look), around(x, y, RADIUS))


class Spots:
    """The places of badges: each as near as possible to the right of its target without covering another."""

    def __init__(self) -> None:
        self._taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
        self._last: dict[tuple[float, float], float] = {}

    def take(self, x: float, y: float) -> tuple[float, float]:
        """The place for a badge with a target at (x, y)."""
        wide, start = 2 * RADIUS, (x, y)
        x = self._last.get(start, x)
        while any(abs(x - a) < wide and abs(y - b) < wide for a, b in self._near(x, y)):
            x += wide + 1
        self._taken.setdefault((floor(x / wide), floor(y / wide)), []).append((x, y))
        self._last[start] = x
        return x, y

    def _near(self, x: float, y: float) -> list[tuple[float, float]]:
        """The badges in the boxes around a place."""
        column, row = floor(x / (2 * RADIUS)), floor(y / (2 * RADIUS))
        boxes = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return [spot for box in boxes for spot in self._taken.get(box, ())]


def span(mark: Mark) -> Box:
    """The box around the two ends of a mark."""
    (x, y), (to_x, to_y) = centre(mark), mark.to or (mark.x, mark.y)
    box: Box = TABLE.functions["span"](x, y, (to_x - mark.x) * UNIT, (to_y - mark.y) * UNIT, UNIT * mark.size)
    return box


def reach(marks: Sequence[Mark]) -> Box:
    """The bounding box of the places of some marks."""
    boxes = [span(mark) for mark in marks]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top


def add_numbers(canvas: Canvas, board: Iterable[Mark]) -> None:
    """Add the number of each action whose marks are on the board."""
    options: dict[int, list[Mark]] = {}
    for mark in board:
        if mark.option:
            options.setdefault(mark.option, []).append(mark)
    spots = Spots()
    for sign in canvas.signs:
        spots.take(*sign)
    for option, marks in sorted(options.items()):
        first = marks[0]
        left, top, _, _ = reach([m for m in marks if m.kind == "tile"] if first.kind == "tile" else [first])
        spot = Shapes(first).part("spot") or (left + CORNER, top + CORNER)
        add_badge(canvas, *spots.take(*spot), str(option), "bn br" if first.refused else "bn")


def letter(number: int) -> str:
    """The sign of a callout, from 0: a letter, or a number after the last letter."""
    return chr(65 + number) if number < 26 else str(number + 1)


def callouts(scene: Scene) -> list[Mark]:
    """The callouts of a scene in reading order: from the top, each row from the left."""
    return sorted((m for m in scene.board if m.kind == "callout"), key=lambda m: (m.y, m.x))


def add_callouts(canvas: Canvas, scene: Scene) -> None:
    """Add the letters of callouts on the board."""
    for number, mark in enumerate(callouts(scene)):
        add_badge(canvas, *centre(mark), letter(number), "bc")


def add_key(canvas: Canvas, scene: Scene) -> None:
    """Add the texts of callouts below the board, side by side if there is room."""
    left, _, right, bottom = canvas.box or (0.0, 0.0, 0.0, 0.0)
    flow = Flow(left, bottom + 10, right)
    for number, mark in enumerate(callouts(scene)):
        width = LETTER * len(mark.text)
        x, top = flow.place(2 * RADIUS + 6 + width, LINE, 2 * RADIUS + 6 + width + 14)
        add_badge(canvas, x + RADIUS, top + LINE / 2, letter(number), "bc")
        x += 2 * RADIUS + 5
        canvas.add(text(x, top + LINE / 2, mark.text, "ct"), (x, top, width, LINE))
