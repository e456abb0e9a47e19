"""A scene as SVG: one function for each mark, sizes in pixels, a unit of the board being UNIT of them.

Marks with a `level` stand above the ground: each level lifts its marks and gives them a front side,
and what a higher mark covers is repeated small in its corner, so that a pile reads from above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from .regions import Cell, rectangles, regions
from .scene import Mark, Piece, Scene
from .style import LEVELS

UNIT = 44
LIFT = 9
"""How far one level raises a mark."""
HAND = 9 * UNIT
"""How wide a row of pieces may be under a narrower board."""
INSET = 2.5
MARGIN = 8

DOTS = {
    0: "", 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi", 7: "acdefgi", 8: "abcdfghi",
    9: "abcdefghi",
}  # fmt: skip
"""Which of nine places, row by row, hold a dot of each number that is drawn with dots."""


@dataclass
class Canvas:
    """Drawn elements and how far they reach."""

    parts: list[str] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    empty: bool = True

    def add(self, part: str, x: float, y: float, width: float, height: float) -> None:
        """Put an element on the canvas; the numbers are the box it fills."""
        self.parts.append(part)
        box = (x, y, x + width, y + height)
        now = box if self.empty else (self.left, self.top, self.right, self.bottom)
        self.left, self.top = min(now[0], box[0]), min(now[1], box[1])
        self.right, self.bottom = max(now[2], box[2]), max(now[3], box[3])
        self.empty = False


def svg(scene: Scene, style: str, summary: str, changed: frozenset[Mark] = frozenset()) -> str:
    """The whole drawing; `style` is a style sheet that it carries with it, perhaps none.

    `summary` describes it in words; `changed` marks are drawn as new.
    """
    canvas = Canvas()
    covered = _covered(scene)
    for group in _groups(scene.board):
        drawn = Canvas()
        if group[0].kind == "tile" and group[0].joins is not None:
            _tile(drawn, group, covered)
        else:
            DRAWERS[group[0].kind](drawn, group[0], covered.get(group[0], ()))
        body = "".join(drawn.parts)
        body = f'<g class="n">{body}</g>' if changed.intersection(group) else body
        canvas.add(body, drawn.left, drawn.top, drawn.right - drawn.left, drawn.bottom - drawn.top)
    _hands(canvas, scene.hands)
    return _document(canvas, scene.title, style, summary)


def _document(canvas: Canvas, title: str, style: str, summary: str) -> str:
    x, y = canvas.left - MARGIN, canvas.top - MARGIN
    width, height = canvas.right - canvas.left + 2 * MARGIN, canvas.bottom - canvas.top + 2 * MARGIN
    if style:
        named, inside = (
            "",
            f"<title>{escape(title)}</title><desc>{escape(summary)}</desc><style>{style}</style>",
        )
    else:  # in a page: a title would pop up under the pointer, and a search of the page would find the words
        said = f"{title}: {summary}" if summary else title
        named, inside = f' aria-label="{escape(said)}"', ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rs-diagram" role="img"{named} '
        f'viewBox="{_n(x)} {_n(y)} {_n(width)} {_n(height)}" width="{_n(width)}" height="{_n(height)}">'
        f"{inside}{''.join(canvas.parts)}</svg>"
    )


def _groups(marks: Iterable[Mark]) -> list[list[Mark]]:
    """Marks that are drawn as one: those of a tile together, in the place of its first, others alone."""
    groups: list[list[Mark]] = []
    open_tiles: dict[tuple[int, int], list[Mark]] = {}
    for mark in marks:
        if mark.kind == "tile" and mark.joins is not None:
            key = (mark.layer, mark.level)
            if key not in open_tiles:
                open_tiles[key] = []
                groups.append(open_tiles[key])
            open_tiles[key].append(mark)
        else:
            groups.append([mark])
    return [
        [tiles[cell] for cell in region]
        for group in groups
        for tiles in [{_cell(m): m for m in group}]
        for region in regions({cell: m.joins or "" for cell, m in tiles.items()})
    ]


def _cell(mark: Mark) -> Cell:
    return (mark.x, mark.y)


def _covered(scene: Scene) -> dict[Mark, tuple[str, ...]]:
    """For each labelled mark that lies highest at its place: the labels it covers, lowest first."""
    piles: dict[tuple[int, Cell], list[Mark]] = {}
    for mark in scene.board:
        if mark.label:
            piles.setdefault((mark.layer, _cell(mark)), []).append(mark)
    return {
        pile[-1]: tuple(m.label for m in pile[:-1])
        for pile in piles.values()
        if any(a.level < b.level for a, b in pairwise(pile))
    }


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _tone(mark: Mark | Piece) -> str:
    return f" t{mark.tone}" if mark.tone > 0 else ""


def _ground(mark: Mark) -> str:
    """The class of a board's square: its tone, or the shade of its level."""
    return ("q" if mark.level > 0 else "g") + _shade(mark) + _tone(mark)


def _shade(mark: Mark) -> str:
    return f" v{min(mark.level, LEVELS)}" if mark.level > 1 else ""


def _at(mark: Mark) -> tuple[float, float]:
    return mark.x * UNIT, mark.y * UNIT - mark.level * LIFT


def _words(x: float, y: float, text: str, size: float, kind: str = "") -> str:
    """Text centred at a place, made smaller where it would not fit a unit."""
    fits = min(size, 1.55 * UNIT * 0.9 / max(1, len(text)))
    kind = f' class="{kind.strip()}"' if kind.strip() else ""
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(fits)}"{kind}>{escape(text)}</text>'


def _dots(x: float, y: float, number: int, kind: str = "p") -> str:
    places = ((DOTS[number].index(c), c) for c in DOTS[number])
    step = UNIT * 0.24
    path = "".join(
        f"M{_n(x + ('abcdefghi'.index(c) % 3 - 1) * step)} {_n(y + ('abcdefghi'.index(c) // 3 - 1) * step)}h0"
        for _, c in places
    )
    return f'<path class="{kind}" d="{path}"/>'


def _face(mark: Mark, x: float, y: float, under: tuple[str, ...]) -> str:
    """What a mark says: its number in dots, or its label; with what it covers, small, in a corner."""
    if not mark.label:
        return ""
    dotted = "pips" in mark.looks and mark.number in DOTS
    shown = _dots(x, y, mark.number or 0) if dotted else _words(x, y, mark.label, UNIT * 0.5)
    hint = escape(mark.corner or " ".join(under))
    if not hint:
        return shown
    kind, left = ("k m", x) if dotted else ("k", x - UNIT * 0.37)
    return shown + f'<text class="{kind}" x="{_n(left)}" y="{_n(y + UNIT * 0.29)}">{hint}</text>'


def _box(x: float, y: float, width: float, height: float, kind: str, *round_by: float) -> str:
    corner = "".join(f' rx="{_n(radius)}"' for radius in round_by)
    return f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{corner}/>'


def _square(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    side = UNIT * mark.size
    left, top = x - side / 2, y - side / 2
    lift = LIFT if mark.level > 0 and "outline" not in mark.looks else 0
    kind = "o" if "outline" in mark.looks else _ground(mark)
    raised = _box(left, top, side, side + lift, "e") if lift else ""
    inner = (INSET, side - 2 * INSET) if "outline" in mark.looks else (0, side)
    box = _box(left + inner[0], top + inner[0], inner[1], inner[1], kind)
    canvas.add(raised + box + _face(mark, x, y, under), left, top, side, side + lift)


def _hexagon(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    wide, high = UNIT / 2, UNIT / 3**0.5
    half = high / 2
    corners = [(0, -high), (wide, -half), (wide, half), (0, high), (-wide, half), (-wide, -half)]
    kind = "o" if "outline" in mark.looks else _ground(mark)
    points = " ".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in corners)
    lift = LIFT if mark.level > 0 and "outline" not in mark.looks else 0
    lower = " ".join(f"{_n(x + dx)},{_n(y + dy + lift)}" for dx, dy in corners)
    raised = f'<polygon class="e" points="{lower}"/>' if lift else ""
    body = f'{raised}<polygon class="{kind}" points="{points}"/>{_face(mark, x, y, under)}'
    canvas.add(body, x - wide, y - high, 2 * wide, 2 * high + lift)


def _tile(canvas: Canvas, group: list[Mark], covered: dict[Mark, tuple[str, ...]]) -> None:
    cells = [_cell(m) for m in group]
    raise_by = group[0].level * LIFT
    lift = LIFT if group[0].level > 0 else 0
    boxes, seams = rectangles(cells, INSET / UNIT)
    round_by = [6.0] if len(boxes) == 1 else []
    drawn = [(a * UNIT, b * UNIT - raise_by, w * UNIT, h * UNIT) for a, b, w, h in boxes]
    # the outline of a crooked tile is its boxes drawn fat, with the faces over the inner lines
    canvas.parts.extend(_box(a, b, w, h + lift - INSET, "e", *round_by) for a, b, w, h in drawn if lift)
    edged = "f" + _shade(group[0]) + _tone(group[0])
    canvas.parts.extend(_box(a, b, w, h, edged, *round_by) for a, b, w, h in drawn)
    if len(drawn) > 1:
        canvas.parts.extend(_box(a, b, w, h, edged + " l") for a, b, w, h in drawn)
    for a, b, c, d in seams:
        line = f"M{_n(a * UNIT)} {_n(b * UNIT - raise_by)}L{_n(c * UNIT)} {_n(d * UNIT - raise_by)}"
        canvas.parts.append(f'<path class="d" d="{line}"/>')
    for mark in group:
        x, y = _at(mark)
        canvas.add(_face(mark, x, y, covered.get(mark, ())), x - UNIT / 2, y - UNIT / 2, UNIT, UNIT + lift)


def _lone_tile(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    _tile(canvas, [mark], {mark: under})


def _card(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    body, width, height = _card_at(x, y, mark.label, _tone(mark))
    canvas.add(body, x - width / 2, y - height / 2, width, height)


def _card_at(x: float, y: float, label: str, kind: str) -> tuple[str, float, float]:
    """A card around a place; without a label it shows its back."""
    width, height = UNIT * 0.94, UNIT * 1.3
    body = _box(x - width / 2, y - height / 2, width, height, "f" + (kind if label else ""), 5)
    if label:
        body += _words(x, y, label, UNIT * 0.42)
    else:
        body += _box(x - width / 2 + 4, y - height / 2 + 4, width - 8, height - 8, "s t1", 3)
    return body, width, height


def _disc_at(x: float, y: float, size: float, label: str, kind: str) -> str:
    body = f'<circle class="{kind}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}"/>'
    hollow = kind.startswith("o")
    return body + (_words(x, y, label, size, "" if hollow else "i") if label else "")


def _disc(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    size = UNIT * 0.38 * mark.size
    kind = "o" if "outline" in mark.looks else "s" + _tone(mark)
    canvas.add(_disc_at(x, y, size, mark.label, kind), x - size, y - size, 2 * size, 2 * size)


def _wall(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    if mark.to is None:
        side = UNIT - 4 * INSET
        body = _box(x - side / 2, y - side / 2, side, side, "s" + _tone(mark), 3)
        body += _words(x, y, mark.label, UNIT * 0.42, "i") if mark.label else ""
        canvas.add(body, x - side / 2, y - side / 2, side, side)
        return
    dx, dy = mark.to[0] - mark.x, mark.to[1] - mark.y
    cx, cy = x + dx * UNIT / 2, y + dy * UNIT / 2
    long, thick = UNIT, UNIT * 0.16
    width, height = (thick, long) if abs(dx) >= abs(dy) else (long, thick)
    canvas.add(
        _box(cx - width / 2, cy - height / 2, width, height, "s" + _tone(mark), 2),
        cx - width / 2, cy - height / 2, width, height,
    )  # fmt: skip


def _stack(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    wide, high = UNIT * 0.7, UNIT * 0.22
    for i, piece in enumerate(mark.items):
        top = y + UNIT * 0.3 - (i + 1) * high
        body = _box(x - wide / 2, top, wide, high, "s" + _tone(piece), high / 2)
        if "letters" in mark.looks:
            body += _words(x, top + high / 2, piece.label, high, "i")
        canvas.add(body, x - wide / 2, top, wide, high)


def _pips(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    number = mark.number
    body = _dots(x, y, number) if number in DOTS else _words(x, y, mark.label, UNIT * 0.5)
    canvas.add(body, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT)


def _label(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = _at(mark)
    body = _words(x, y, f"{mark.text} {mark.label}".strip(), UNIT * 0.4 * mark.size, _tone(mark))
    canvas.add(body, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT)


def _arrow(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    if mark.to is None or mark.to == (mark.x, mark.y):
        return
    x, y = mark.x * UNIT, mark.y * UNIT
    ex, ey = mark.to[0] * UNIT, mark.to[1] * UNIT
    length = ((ex - x) ** 2 + (ey - y) ** 2) ** 0.5
    ux, uy = (ex - x) / length * UNIT * 0.2, (ey - y) / length * UNIT * 0.2
    left, right = (ex - ux - uy * 0.7, ey - uy + ux * 0.7), (ex - ux + uy * 0.7, ey - uy - ux * 0.7)
    head = f"M{_n(left[0])} {_n(left[1])}L{_n(ex)} {_n(ey)}L{_n(right[0])} {_n(right[1])}"
    body = f'<path class="a{_tone(mark)}" d="M{_n(x)} {_n(y)}L{_n(ex)} {_n(ey)}{head}"/>'
    canvas.add(body, min(x, ex), min(y, ey), abs(ex - x), abs(ey - y))


def _line(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    if mark.to is None:
        return
    x, y, ex, ey = mark.x * UNIT, mark.y * UNIT, mark.to[0] * UNIT, mark.to[1] * UNIT
    body = f'<path class="a b{_tone(mark)}" d="M{_n(x)} {_n(y)}L{_n(ex)} {_n(ey)}"/>'
    canvas.add(body, min(x, ex), min(y, ey), abs(ex - x), abs(ey - y))


def _hands(canvas: Canvas, hands: tuple[Mark, ...]) -> None:
    """Rows of pieces under the board, each after its caption."""
    left, top = canvas.left, canvas.bottom + (0 if canvas.empty else 14)
    for hand in hands:
        caption = hand.text + ("" if hand.items else " –")
        x, right = left, max(canvas.right, left + HAND)
        if caption:
            body = f'<text class="c" x="{_n(x)}" y="{_n(top + 8)}">{escape(caption)}</text>'
            canvas.add(body, x, top, 7.5 * len(caption), 16)
            top += 20
        high = 0.0
        for piece in hand.items:
            body, width, height = _piece(piece, hand.looks, 0, 0)
            if x > left and x + width > right:
                x, top, high = left, top + high + 6, 0.0
            body, width, height = _piece(piece, hand.looks, x + width / 2, top + height / 2)
            canvas.add(body, x, top, width, height)
            x, high = x + width + 6, max(high, height)
        top += high + 10


def _piece(piece: Piece, looks: frozenset[str], x: float, y: float) -> tuple[str, float, float]:
    """A piece of a hand around a place, and the size it takes."""
    if "tiles" in looks and piece.parts:
        return _piece_of_parts(piece, "pips" in looks, x, y)
    if "discs" in looks:
        size = UNIT * 0.36
        return _disc_at(x, y, size, piece.label, "s" + _tone(piece)), 2 * size, 2 * size
    return _card_at(x, y, piece.label, _tone(piece))


def _piece_of_parts(piece: Piece, dotted: bool, x: float, y: float) -> tuple[str, float, float]:
    side = UNIT * 0.8
    wide = side * len(piece.parts)
    body = _box(x - wide / 2, y - side / 2, wide, side, "f", 6)
    for i, (label, number) in enumerate(piece.parts):
        cx = x - wide / 2 + (i + 0.5) * side
        if i:
            body += f'<path class="d" d="M{_n(cx - side / 2)} {_n(y - side / 2 + 5)}v{_n(side - 10)}"/>'
        body += _dots(cx, y, number) if dotted and number in DOTS else _words(cx, y, label, UNIT * 0.45)
    return body, wide, side


Drawer = Callable[[Canvas, Mark, tuple[str, ...]], None]

DRAWERS: dict[str, Drawer] = {
    "square": _square,
    "hexagon": _hexagon,
    "tile": _lone_tile,
    "card": _card,
    "disc": _disc,
    "wall": _wall,
    "stack": _stack,
    "pips": _pips,
    "label": _label,
    "arrow": _arrow,
    "line": _line,
}
"""How each mark with a place is drawn; rows of pieces come after the board."""
