"""A scene as SVG: one function for each mark, sizes in pixels, a unit of the board being UNIT of them.

Marks with a `level` stand above the ground: each level lifts its marks and gives them a front side,
and what a higher mark covers is repeated small in its corner, so that a pile reads from above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from itertools import pairwise

from .canvas import INSET, LIFT, UNIT, Canvas, centre, num, rect, toned, words
from .lines import arrow, line, refusal, wall
from .regions import Cell, rectangles, regions
from .scene import Mark, Piece, Scene
from .style import LEVELS

HAND = 9 * UNIT
"""How wide a row of pieces may be under a narrower board."""
MARGIN = 8

DOTS = {
    0: "", 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi", 7: "acdefgi", 8: "abcdfghi",
    9: "abcdefghi",
}  # fmt: skip
"""Which of nine places, row by row, hold a dot of each number that is drawn with dots."""


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
        f'viewBox="{num(x)} {num(y)} {num(width)} {num(height)}" width="{num(width)}" height="{num(height)}">'
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


def _ground(mark: Mark) -> str:
    """The class of a board's square: its tone, or the shade of its level."""
    return ("q" if mark.level > 0 else "g") + _shade(mark) + toned(mark)


def _shade(mark: Mark) -> str:
    shade = min(mark.shade or mark.level, LEVELS)
    return f" v{shade}" if shade > 1 else ""


def _dots(x: float, y: float, number: int) -> str:
    step = UNIT * 0.24
    places = (divmod("abcdefghi".index(c), 3) for c in DOTS[number])
    path = "".join(f"M{num(x + (col - 1) * step)} {num(y + (row - 1) * step)}h0" for row, col in places)
    return f'<path class="p" d="{path}"/>'


def _face(mark: Mark, x: float, y: float, under: tuple[str, ...]) -> str:
    """What a mark says: its number in dots, or its label; with what it covers, small, in a corner."""
    if not mark.label:
        return ""
    dotted = "pips" in mark.looks and mark.number in DOTS
    shown = _dots(x, y, mark.number or 0) if dotted else words(x, y, mark.label, UNIT * 0.5)
    hint = escape(mark.corner or " ".join(under))
    if not hint:
        return shown
    kind, left = ("k m", x) if dotted else ("k", x - UNIT * 0.37)
    return shown + f'<text class="{kind}" x="{num(left)}" y="{num(y + UNIT * 0.29)}">{hint}</text>'


def _square(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    if "outline" in mark.looks:
        _outline(canvas, mark, under)
        return
    x, y = centre(mark)
    side = UNIT * mark.size
    left, top = x - side / 2, y - side / 2
    lift = LIFT if mark.level > 0 else 0
    raised = rect(left, top, side, side + lift, "e") if lift else ""
    box = rect(left, top, side, side, _ground(mark))
    canvas.add(raised + box + _face(mark, x, y, under), left, top, side, side + lift)


def _outline(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """The outline of a square, or of the box from one square to another."""
    x, y = centre(mark)
    to_x, to_y = mark.to or (mark.x, mark.y)
    dx, dy = (to_x - mark.x) * UNIT, (to_y - mark.y) * UNIT
    side = UNIT * mark.size
    left, top = min(x, x + dx) - side / 2, min(y, y + dy) - side / 2
    width, height = side + abs(dx), side + abs(dy)
    box = rect(left + INSET, top + INSET, width - 2 * INSET, height - 2 * INSET, "o")
    canvas.add(box + _face(mark, x + dx / 2, y + dy / 2, under), left, top, width, height)
    if mark.refused:
        refusal(canvas, left + width - UNIT * 0.2, top + UNIT * 0.2)


def _hexagon(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = centre(mark)
    wide, high = UNIT / 2, UNIT / 3**0.5
    half = high / 2
    corners = [(0, -high), (wide, -half), (wide, half), (0, high), (-wide, half), (-wide, -half)]
    kind = "o" if "outline" in mark.looks else _ground(mark)
    points = " ".join(f"{num(x + dx)},{num(y + dy)}" for dx, dy in corners)
    lift = LIFT if mark.level > 0 and "outline" not in mark.looks else 0
    lower = " ".join(f"{num(x + dx)},{num(y + dy + lift)}" for dx, dy in corners)
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
    canvas.parts.extend(rect(a, b, w, h + lift - INSET, "e", *round_by) for a, b, w, h in drawn if lift)
    edged = "f" + _shade(group[0]) + toned(group[0])
    canvas.parts.extend(rect(a, b, w, h, edged, *round_by) for a, b, w, h in drawn)
    if len(drawn) > 1:
        canvas.parts.extend(rect(a, b, w, h, edged + " l") for a, b, w, h in drawn)
    for a, b, c, d in seams:
        line = f"M{num(a * UNIT)} {num(b * UNIT - raise_by)}L{num(c * UNIT)} {num(d * UNIT - raise_by)}"
        canvas.parts.append(f'<path class="d" d="{line}"/>')
    for mark in group:
        x, y = centre(mark)
        canvas.add(_face(mark, x, y, covered.get(mark, ())), x - UNIT / 2, y - UNIT / 2, UNIT, UNIT + lift)


def _lone_tile(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    _tile(canvas, [mark], {mark: under})


def _card(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = centre(mark)
    body, width, height = _card_at(x, y, mark.label, toned(mark))
    canvas.add(body, x - width / 2, y - height / 2, width, height)


def _card_at(x: float, y: float, label: str, kind: str) -> tuple[str, float, float]:
    """A card around a place; without a label it shows its back."""
    width, height = UNIT * 0.94, UNIT * 1.3
    body = rect(x - width / 2, y - height / 2, width, height, "f" + (kind if label else ""), 5)
    if label:
        body += words(x, y, label, min(UNIT * 0.42, 1.3 * width / len(label)))
    else:
        body += rect(x - width / 2 + 4, y - height / 2 + 4, width - 8, height - 8, "s t1", 3)
    return body, width, height


def _disc_at(x: float, y: float, size: float, label: str, kind: str) -> str:
    body = f'<circle class="{kind}" cx="{num(x)}" cy="{num(y)}" r="{num(size)}"/>'
    hollow = kind.startswith("o")
    return body + (words(x, y, label, size, "" if hollow else "i") if label else "")


def _disc(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = centre(mark)
    size = UNIT * 0.38 * mark.size
    kind = "o" if "outline" in mark.looks else "s" + toned(mark)
    canvas.add(_disc_at(x, y, size, mark.label, kind), x - size, y - size, 2 * size, 2 * size)


def _stack(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = centre(mark)
    wide, high = UNIT * 0.76, UNIT * min(0.32, 0.92 / max(1, len(mark.items)))
    for i, piece in enumerate(mark.items):
        top = y + (len(mark.items) / 2 - i - 1) * high
        body = rect(x - wide / 2, top, wide, high, "s" + toned(piece), high * 0.35)
        if "letters" in mark.looks:
            body += words(x, top + high / 2, piece.label, high, "i")
        canvas.add(body, x - wide / 2, top, wide, high)


def _pips(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = centre(mark)
    number = mark.number
    body = _dots(x, y, number) if number in DOTS else words(x, y, mark.label, UNIT * 0.5)
    canvas.add(body, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT)


def _label(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    x, y = centre(mark)
    body = words(x, y, f"{mark.text} {mark.label}".strip(), UNIT * 0.4 * mark.size, toned(mark))
    canvas.add(body, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT)


def _hands(canvas: Canvas, hands: tuple[Mark, ...]) -> None:
    """Rows of pieces under the board, each after its caption; one may stand beside the one before it."""
    left, right = canvas.left, max(canvas.right, canvas.left + HAND)
    x, top, high = left, canvas.bottom + (0 if canvas.empty else 14), 0.0
    for hand in hands:
        size = Canvas()
        _hand(size, hand, 0, 0, right - left)
        if "beside" not in hand.looks or x + size.right > right:
            x, top, high = left, top + high, 0.0
        _hand(canvas, hand, x, top, right)
        x, high = x + size.right + 20, max(high, size.bottom + 10)


def _hand(canvas: Canvas, hand: Mark, left: float, top: float, right: float) -> None:
    """A row of pieces from this corner on, which goes on in further rows where it would pass `right`."""
    caption = hand.text + ("" if hand.items else " –")
    if caption:
        body = f'<text class="c" x="{num(left)}" y="{num(top + 8)}">{escape(caption)}</text>'
        canvas.add(body, left, top, 7.5 * len(caption), 16)
        top += 20
    x, high = left, 0.0
    for piece in hand.items:
        body, width, height = _piece(piece, hand.looks, 0, 0)
        if x > left and x + width > right:
            x, top, high = left, top + high + 6, 0.0
        body, width, height = _piece(piece, hand.looks, x + width / 2, top + height / 2)
        canvas.add(body, x, top, width, height)
        x, high = x + width + 6, max(high, height)


def _piece(piece: Piece, looks: frozenset[str], x: float, y: float) -> tuple[str, float, float]:
    """A piece of a hand around a place, and the size it takes."""
    if "tiles" in looks and piece.parts:
        return _piece_of_parts(piece, "pips" in looks, x, y)
    if "discs" in looks:
        size = UNIT * 0.36
        return _disc_at(x, y, size, piece.label, "s" + toned(piece)), 2 * size, 2 * size
    return _card_at(x, y, piece.label, toned(piece))


def _piece_of_parts(piece: Piece, dotted: bool, x: float, y: float) -> tuple[str, float, float]:
    side = UNIT * 0.8
    wide = side * len(piece.parts)
    body = rect(x - wide / 2, y - side / 2, wide, side, "f", 6)
    for i, (label, number) in enumerate(piece.parts):
        cx = x - wide / 2 + (i + 0.5) * side
        if i:
            body += f'<path class="d" d="M{num(cx - side / 2)} {num(y - side / 2 + 5)}v{num(side - 10)}"/>'
        body += _dots(cx, y, number) if dotted and number in DOTS else words(cx, y, label, UNIT * 0.45)
    return body, wide, side


Drawer = Callable[[Canvas, Mark, tuple[str, ...]], None]

DRAWERS: dict[str, Drawer] = {
    "square": _square,
    "hexagon": _hexagon,
    "tile": _lone_tile,
    "card": _card,
    "disc": _disc,
    "wall": wall,
    "stack": _stack,
    "pips": _pips,
    "label": _label,
    "arrow": arrow,
    "line": line,
}
"""How each mark with a place is drawn; rows of pieces come after the board."""
