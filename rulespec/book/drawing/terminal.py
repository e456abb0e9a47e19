"""A scene as a drawing in characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from .scene import Mark, Piece, Scene
from .signs import callouts, letter
from .style import TONES
from .symbols import RED

FREE = "·"
BACK = "##"
"""A piece with only its back visible."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""The digits of a corner, which follow a label."""
UPRIGHT, LYING = "|", "-"
"""Walls between two places of a row, and between two rows."""
COLOURS = (94, 33, 32, 35, 93, 36, 31, 37, 97, 90)
"""ANSI colours of the tones from 1."""


_CODES = re.compile("\x1b\\[[0-9;]*m")

WIDTH = 79
"""The longest line that a hand beside another may make, in characters."""

GROUND = ("square", "hexagon")
"""Marks that are places of the board rather than things on it."""
DRAWN_ONLY = ("arrow", "line", "highlight", "callout", "pit")
"""Marks that are not shown in characters."""


def text(scene: Scene, colour: bool = False, names: bool = False) -> str:
    """The scene as lines of characters; the highest mark at each place is shown.

    A mark on top of others has a stroke for each of them, as in `3'`. With `colour` there are ANSI codes,
    with `names` empty places show their names.
    """
    lines = _board(scene.board, colour, names)
    for number, hand in enumerate(scene.hands):
        pieces = " ".join(_piece(piece, colour) for piece in hand.items) or "-"
        said = f"{hand.text}: {pieces}" if hand.text else pieces
        beside = number > 0 and "beside" in hand.looks
        if beside and len(_without_colour(lines[-1])) + 3 + len(_without_colour(said)) <= WIDTH:
            said = f"{lines.pop()}   {said}"
        lines.append(said)
    lines += [f"{letter(i)}: {mark.text}" for i, mark in enumerate(callouts(scene))]
    return "\n".join(lines)


def _without_colour(line: str) -> str:
    """A line without its ANSI codes."""
    return _CODES.sub("", line)


def _piece(piece: Piece, colour: bool) -> str:
    said = piece.label or BACK
    if not colour:
        return said
    return _card_in_colour(said, piece) if piece.suit else _in_tone(said, piece.tone)


def _says(mark: Mark, names: bool) -> str:
    said = _label(mark)
    return mark.name if not said and names and mark.kind in GROUND else said


def _label(mark: Mark) -> str:
    if mark.kind == "stack":
        return "".join(piece.label or BACK for piece in mark.items)
    if mark.kind == "card":
        return mark.label or BACK
    if mark.kind in ("disc", "pyramid", "wall") and "outline" not in mark.looks:
        return mark.label or ("#" if mark.kind == "wall" else "o")
    if mark.kind == "label":
        return mark.full_label
    return mark.label + mark.corner.translate(RAISED)


Entry = tuple[int, str, Mark]
"""The contents of a row: the column, the characters, and the mark that they show."""


def _board(marks: Iterable[Mark], colour: bool, names: bool) -> list[str]:
    top: dict[tuple[float, float], tuple[str, Mark]] = {}
    covered: Counter[tuple[int, float, float]] = Counter()
    walls: list[Mark] = []
    for mark in marks:
        if mark.kind == "wall" and mark.to is not None:
            walls.append(mark)
        if mark.kind in DRAWN_ONLY or mark.to is not None or mark.option or "fine" in mark.looks:
            continue
        said = _says(mark, names)
        if said or (mark.x, mark.y) not in top:
            strokes = "'" * covered[mark.layer, mark.x, mark.y]
            top[mark.x, mark.y] = (said + strokes if said else FREE, mark)
        covered[mark.layer, mark.x, mark.y] += bool(mark.label)
    if not top:
        return []
    columns = _columns(top)
    rows: dict[float, list[Entry]] = {}
    for (x, y), (said, mark) in top.items():
        rows.setdefault(y, []).append((columns.start(x), columns.fit(x, said), mark))
    for wall in walls:
        x, y, bar = _bar(wall, columns.wide)
        rows.setdefault(y, []).append((columns.start(x) - (bar == UPRIGHT), bar, wall))
    return [_row(sorted(rows[y], key=lambda entry: entry[0]), colour).rstrip() for y in sorted(rows)]


@dataclass(frozen=True)
class _Columns:
    """The positions at which the columns of a board begin.

    All are `wide` characters apart, including a space; those with longer captions are widened.
    """

    left: float
    wide: int
    captions: dict[float, int]
    spread: dict[float, int]
    """The number of characters by which marks to the right of a caption move."""

    def start(self, x: float) -> int:
        """The number of characters to the left of a column."""
        given = sum(by for at, by in self.spread.items() if at < x)
        return round((x - self.left) * self.wide) + given

    def fit(self, x: float, said: str) -> str:
        """A text aligned within the width of its column."""
        return said.center(self.captions[x]) if x in self.captions else said.rjust(self.wide - 1)


def _columns(top: Mapping[tuple[float, float], tuple[str, Mark]]) -> _Columns:
    said = [(x, len(said), bool(mark.text)) for (x, _), (said, mark) in top.items()]
    wide = max((length for _, length, caption in said if not caption), default=0) + 1
    places = sorted({x for x, _, _ in said})
    wide += wide % 2 if any(x % 1 for x in places) else 0
    captions: dict[float, int] = {}
    for x, length, caption in said:
        if caption and length >= wide:
            captions[x] = max(length, captions.get(x, 0))
    right = dict(pairwise(places))
    spread = {
        x: max(0, length + 1 - round((right.get(x, x + 1) - x) * wide)) for x, length in captions.items()
    }
    return _Columns(places[0], wide, captions, spread)


def _bar(wall: Mark, wide: int) -> tuple[float, float, str]:
    """A wall between two places: its position and its characters."""
    assert wall.to is not None
    x, y = wall.to
    if abs(x - wall.x) >= abs(y - wall.y):
        return max(x, wall.x), wall.y, UPRIGHT
    return wall.x, (y + wall.y) / 2, LYING * (wide - 1)


def _row(entries: list[Entry], colour: bool) -> str:
    line, length, before = "", 0, ""
    for at, said, mark in entries:
        apart = 1 if line and UPRIGHT not in (said, before) else 0
        line += " " * max(at - length, apart) + (_in_colour(said, mark) if colour else said)
        length, before = max(at, length + apart) + len(said), said
    return line


def _in_colour(said: str, mark: Mark) -> str:
    if mark.suit:
        return _card_in_colour(said, mark)
    if mark.kind != "stack":
        free = mark.kind in GROUND and not mark.label
        return _in_tone(said, mark.tone, mark.level, mark.shade or int(free))
    pieces = "".join(_piece(piece, colour=True) for piece in mark.items)
    return " " * (len(said) - len(_label(mark))) + pieces


def _card_in_colour(said: str, card: Mark | Piece) -> str:
    """A playing card in red or unchanged; dim if its tone puts it behind others."""
    codes = ["2"] if card.tone == TONES else []
    codes += ["31"] if card.suit in RED else []
    return f"\x1b[{';'.join(codes)}m{said}\x1b[0m" if codes else said


def _in_tone(said: str, tone: int, level: int = 0, shade: int = 0) -> str:
    """Characters in the colour of a tone, dim on the lowest ground and bold on high ground."""
    codes = [str(COLOURS[tone - 1])] if tone > 0 else []
    codes += ["1"] if level > 1 or shade > 2 else ["2"] if shade == 1 else []
    return f"\x1b[{';'.join(codes)}m{said}\x1b[0m" if codes else said
